/* recorder.c: a BLAS library of one spelling that notes the arguments of level 3.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All names have one type: arguments of Fortran are addresses and lengths; of CBLAS integers,
 * addresses, and scalars in their own registers, which are noted apart.
 */
#include <stdint.h>
#include <string.h>
#include "link_names.h"

link_record RECORDED;

static void note(const char *name, const uintptr_t *arguments, double alpha, double beta)
{
    RECORDED.calls++;
    RECORDED.name = name;
    memcpy(RECORDED.arguments, arguments, sizeof RECORDED.arguments);
    memcpy(&RECORDED.scalars[0], &alpha, sizeof alpha);
    memcpy(&RECORDED.scalars[1], &beta, sizeof beta);
}

#define RECORD(letter, stem)                                                                       \
    void SPELLED(letter, stem)(LINK_PARAMETERS)                                                    \
    {                                                                                              \
        const uintptr_t all[] = {LINK_ARGUMENTS};                                                  \
        note(LINK_TEXT(SPELLED(letter, stem)), all, x, y);                                         \
    }
LINK_NAMES(RECORD)

#ifndef LINK_IS_CBLAS
/* The door asks for the size of integers. */
int LINK_JOIN(LINK_PREFIX, idamax_, LINK_EMPTY, LINK_EMPTY)(const LINK_INT *n, const double *x,
                                                            const LINK_INT *incx)
{
    int largest = 0;
    for (LINK_INT i = 0; i < *n; i++)
        if (largest == 0 || x[i * *incx] > x[(largest - 1) * *incx])
            largest = (int)i + 1;
    return *n > 0 ? largest : 0;
}
#endif
