/* link_lapack.h: what is special about calls of LAPACK's routines.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_LINK_LAPACK_H
#define GBL_LINK_LAPACK_H

#include "link/link_call.h"
#include "link/link_next.h"

/* ---- Of entries ---- */

/* An integer of the program at a place of an array; and one put there. */
static inline int64_t gbl_link_integer_at(const void *array, bool wide, int64_t at)
{
    return wide ? ((const int64_t *)array)[at] : ((const int32_t *)array)[at];
}

static inline void gbl_link_put_integer(void *array, bool wide, int64_t at, int64_t value)
{
    if (wide)
        ((int64_t *)array)[at] = value;
    else
        ((int32_t *)array)[at] = (int32_t)value;
}

/* lwork that asks for the length of work; in 32 bits, too. */
static const int64_t gbl_link_query = -1;

static inline int64_t gbl_link_shorter(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t gbl_link_longer(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Orders of which a few squares fit 63 bits. */
static inline bool gbl_link_countable(int64_t n)
{
    return n <= INT32_MAX / 4;
}

/* An order of them, for lengths of work. */
static inline int64_t gbl_link_order(int64_t n)
{
    return n < 0 ? 0 : gbl_link_countable(n) ? n : INT32_MAX / 4;
}

/* Names that no other library has: what LAPACK says of a call that has nothing to compute, or that
 * asks for lengths alone. true: that is all. */
static inline bool gbl_link_says(const gbl_link_binding *bound, bool nothing, void *info)
{
    if (nothing)
        gbl_link_put_integer(info, bound->wide, 0, 0);
    return nothing;
}

/* A solver that factors A has work for n, however few the right-hand sides are; but for none. */
static inline int64_t gbl_link_terms(int64_t n, int64_t nrhs)
{
    return nrhs < 1 || n < 1 ? 0 : gbl_link_longer(n, nrhs);
}

/* ---- Of calls ---- */

/* What a routine does with ipiv. */
typedef enum gbl_link_pivots {
    GBL_LINK_NO_PIVOTS,
    GBL_LINK_READS,
    GBL_LINK_WRITES
} gbl_link_pivots;

bool gbl_link_is_lapack(gbl_link_routine routine);
/* Whether it is a driver of eigenvalues or singular values, and a call of it wants vectors. */
bool gbl_link_is_driver(gbl_link_routine routine);
bool gbl_link_wants_vectors(const gbl_link_call *call);
/* Whether a solver leaves the factors in A. */
bool gbl_link_writes_a(gbl_link_routine routine);
/* Whether a driver leaves the factor in B; vectors in C. */
bool gbl_link_writes_b(gbl_link_routine routine);
bool gbl_link_writes_c(const gbl_link_call *call);
gbl_link_pivots gbl_link_pivots_of(gbl_link_routine routine);
int64_t gbl_link_pivot_count(const gbl_link_call *call);

gbl_link_shapes gbl_link_lapack_shapes(const gbl_link_call *call);
/* Whether letters are legal; so many reflectors, or such a range of values; and arrays beside the
 * matrices: each pivot that is read must name a row. */
bool gbl_link_lapack_flags(const gbl_link_call *call);
bool gbl_link_legal_count(const gbl_link_call *call);
bool gbl_link_legal_arrays(const gbl_link_call *call);
/* Multiply-adds. */
uint64_t gbl_link_lapack_work(const gbl_link_call *call);

#endif
