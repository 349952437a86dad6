/* system_solve.h: what solvers of A X = B share: potrs, posv, trtrs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Their calls have the order of A as m and the number of right-hand sides as n, as a triangular
 * solve from the left has.
 */
#ifndef GBL_SYSTEM_SOLVE_H
#define GBL_SYSTEM_SOLVE_H

#include "lapack/lapack.h"

#define GBL_SOLVE_N                                                                                \
    {                                                                                              \
        .name = "n", .kind = GBL_SIZE, .at = PRODUCT_AT(m)                                         \
    }
/* Without right-hand sides there is nothing to do. */
#define GBL_SOLVE_SIDES                                                                            \
    {                                                                                              \
        .name = "nrhs", .kind = GBL_SIZE, .at = PRODUCT_AT(n)                                      \
    }
/* Without right-hand sides A is factored all the same. */
#define GBL_SOLVE_ANY_SIDES                                                                        \
    {                                                                                              \
        .name = "nrhs", .kind = GBL_WIDTH, .at = PRODUCT_AT(n)                                     \
    }

/* The triangular solve with A and B of a call, and its flags. */
static inline gbl_product_call gbl_solve_of(const gbl_product_call *call)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .side = GABLE_LEFT,
                              .uplo = call->uplo,
                              .trans = call->trans,
                              .diag = call->diag,
                              .m = call->m,
                              .n = call->n,
                              .alpha = {.re = 1},
                              .A = call->A,
                              .lda = call->lda,
                              .B = call->B,
                              .ldb = call->ldb};
}

/* potrs.c: its two solves, in their order. */
void gbl_potrs_solves(const gbl_product_call *call, gbl_product_call solves[2]);

#endif
