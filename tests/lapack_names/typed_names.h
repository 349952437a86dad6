/* typed_names.h: names of LAPACK's routines in the precision that a file is compiled for.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * NAMED declares a routine with its Fortran name and begins its definition. A routine checks its
 * arguments in order, copies in, calls and copies out. Lengths of characters come behind the other
 * arguments; nobody looks at them, so they are left out.
 */
#ifndef TYPED_NAMES_H
#define TYPED_NAMES_H

#include <stdbool.h>
#include "device/precision.h"
#include "fortran_names.h"

#if defined(PREC_S)
#define FORTRAN(stem) s##stem##_
#elif defined(PREC_D)
#define FORTRAN(stem) d##stem##_
#elif defined(PREC_C)
#define FORTRAN(stem) c##stem##_
#else
#define FORTRAN(stem) z##stem##_
#endif

#define NAMED(stem, ...)                                                                           \
    void FORTRAN(stem)(__VA_ARGS__);                                                               \
    void FORTRAN(stem)(__VA_ARGS__)

/* The same of a stem that is a macro. */
#define FORTRAN_OF(stem) FORTRAN(stem)
#define FN_OF(stem)      FN(stem)
#define NAMED_OF(...)    NAMED(__VA_ARGS__)
#define MAKE_OF(...)     MAKE(__VA_ARGS__)

/* A matrix to the device and back. */
#define MATRIX_IN(A, rows, columns, ld)        names_in(A, rows, columns, ld, sizeof(T))
#define MATRIX_OUT(copy, A, rows, columns, ld) names_out(copy, A, rows, columns, ld, sizeof(T))

/* Factors of k reflectors. There is room for one at least: Gable wants an address. */
#define TAU_IN(tau, k)        MATRIX_IN(tau, names_ld(k), 1, names_ld(k))
#define TAU_OUT(copy, tau, k) MATRIX_OUT(copy, tau, names_ld(k), 1, names_ld(k))

/* Counts the call and makes it, which must not fail. */
#define MAKE(stem, ...)                                                                            \
    do {                                                                                           \
        names_count(NAME(FN(stem)));                                                               \
        names_check(FN(stem)(names_context(), __VA_ARGS__), NAME(FN(stem)));                       \
    } while (0)

static inline int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The length of a work array, where one is asked for; true: that was all. */
static inline bool answered(T *work, int64_t least, int lwork)
{
#if COMPLEX
    work[0] = (T){.re = (R)least};
#else
    work[0] = (T)least;
#endif
    return lwork == -1;
}

#endif
