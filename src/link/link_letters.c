/* link_letters.c: letters of Fortran as Gable's constants.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gable/types.h"
#include "link/link_letters.h"

/* The number at the letter's place among capitals. */
static int choose(const char *letter, const char *letters, const int *numbers)
{
    const int capital = *letter >= 'a' && *letter <= 'z' ? *letter - 'a' + 'A' : *letter;
    for (int i = 0; letters[i] != '\0'; i++)
        if (capital == letters[i])
            return numbers[i];
    return 0;
}

int gbl_link_trans(const char *letter)
{
    return choose(letter, "NTC", (const int[]){GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS});
}

int gbl_link_uplo(const char *letter)
{
    return choose(letter, "UL", (const int[]){GABLE_UPPER, GABLE_LOWER});
}

int gbl_link_side(const char *letter)
{
    return choose(letter, "LR", (const int[]){GABLE_LEFT, GABLE_RIGHT});
}

int gbl_link_diag(const char *letter)
{
    return choose(letter, "NU", (const int[]){GABLE_NON_UNIT, GABLE_UNIT});
}

int gbl_link_vect(const char *letter)
{
    return choose(letter, "QP", (const int[]){GABLE_VECT_Q, GABLE_VECT_P});
}

int gbl_link_job(const char *letter)
{
    return choose(letter, "NVASO",
                  (const int[]){GABLE_NO_VECTORS, GABLE_VECTORS, GABLE_ALL_VECTORS,
                                GABLE_SOME_VECTORS, GABLE_OVERWRITE});
}

int gbl_link_range(const char *letter)
{
    return choose(letter, "AVI",
                  (const int[]){GABLE_RANGE_ALL, GABLE_RANGE_VALUES, GABLE_RANGE_INDICES});
}
