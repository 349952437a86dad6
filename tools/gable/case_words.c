/* case_words.c: sizes, flags and precisions as subcommands take them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "case_words.h"

int case_words_sizes(const args_command *command, const char *list, bench_sizes *sizes)
{
    sizes->count = 0;
    for (const char *at = list;; at++) {
        const char *end = at;
        if (sizes->count == BENCH_MAX_SIZES)
            return args_refuse(command, "--size takes at most %d sizes", BENCH_MAX_SIZES);
        if (!bench_size_read(at, &sizes->size[sizes->count], &end) || (*end != ',' && *end != '\0'))
            return args_refuse(
                command,
                "--size has \"%s\"; sizes are positive whole numbers such as "
                "1000,1e6, or 1e6x8 for ops of several vectors, a matrix or a band, or "
                "16x16x1e6 for ops of many matrices",
                list);
        sizes->count++;
        if (*end == '\0')
            return EXIT_DONE;
        at = end;
    }
}

int case_words_precisions(const args_command *command, const char *text, unsigned *dtypes)
{
    static const char letters[] = "sdcz";
    *dtypes = 0;
    for (const char *letter = text; *letter != '\0'; letter++) {
        const char *at = strchr(letters, *letter);
        if (at == NULL)
            return args_refuse(command,
                               "--prec has \"%s\"; it takes some of the letters s, d, c, z", text);
        *dtypes |= 1u << (at - letters);
    }
    return EXIT_DONE;
}

static unsigned bits_of(const char *letters)
{
    unsigned bits = 0;
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
        if (strchr(letters, gbl_dtype_letter((gbl_dtype)dtype)) != NULL)
            bits |= 1u << dtype;
    return bits;
}

bool case_words_op(const char *word, const char *prec, const char *usual, bench_wanted *wanted)
{
    if (!bench_op_find(word, bits_of(prec != NULL ? prec : usual), wanted))
        return false;
    if (prec == NULL && wanted->dtypes == 0)
        wanted->dtypes = bench_op_dtypes(wanted->op);
    return true;
}

int case_words_typed(const args_command *command, const char *prec, const char *const *words,
                     int count)
{
    unsigned own = 0;
    char letters[GBL_DTYPES + 1];
    for (int i = 0; i < count; i++) {
        bench_wanted wanted;
        /* A typed name has its precision whatever is asked for; a stem has none of no precisions. */
        if (!bench_op_find(words[i], 0, &wanted) || wanted.dtypes == 0)
            return EXIT_DONE;
        own |= wanted.dtypes;
    }
    if (prec == NULL || count == 0 || own == bits_of(prec))
        return EXIT_DONE;
    case_words_precision_letters(own, letters);
    return args_refuse(command,
                       "--prec is \"%s\", but %s%s of precision %s by name; leave out --prec, or "
                       "name the op without its letter",
                       prec, words[0], count > 1 ? " and the others are" : " is", letters);
}

void case_words_precision_letters(unsigned dtypes, char letters[GBL_DTYPES + 1])
{
    int used = 0;
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
        if (dtypes >> dtype & 1)
            letters[used++] = gbl_dtype_letter((gbl_dtype)dtype);
    letters[used] = '\0';
}

int case_words_letters(const char *list, const char *letters, int *places)
{
    int count = 0;
    for (const char *at = list;; at += 2) {
        const char *letter = *at != '\0' ? strchr(letters, *at) : NULL;
        if (letter == NULL || (at[1] != ',' && at[1] != '\0'))
            return -1;
        bool there = false;
        for (int i = 0; i < count; i++)
            there = there || places[i] == (int)(letter - letters);
        if (!there)
            places[count++] = (int)(letter - letters);
        if (at[1] == '\0')
            return count;
    }
}
