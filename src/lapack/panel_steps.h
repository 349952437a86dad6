/* panel_steps.h: the products with vectors that panels of reductions are made of.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Factors that a later step computes with, such as tau, stay in the device's memory. Where alpha
 * lies there, so does beta: vendors' libraries want both in one place.
 */
#ifndef GBL_PANEL_STEPS_H
#define GBL_PANEL_STEPS_H

#include "lapack/lapack.h"

typedef struct gbl_steps {
    gable_context *ctx;
    const char *routine;
    gbl_dtype dtype;
    void *constants; /* 0 and 1 in the device's memory */
} gbl_steps;

/* Takes the constants from the workspace. */
gable_status gbl_steps_begin(gable_context *ctx, const char *routine, gbl_dtype dtype,
                             gbl_steps *steps);

/* alpha in the device's memory, and by value. */
static inline gbl_scalar gbl_step_at(const void *alpha)
{
    return (gbl_scalar){.device = alpha};
}
static inline gbl_scalar gbl_step_value(double alpha)
{
    return (gbl_scalar){.re = alpha};
}

/* y := alpha op(A) x, or y + alpha op(A) x where `add` is set; A is m by n, op(A) is A^H where
 * `adjoint` is set. y is contiguous. */
typedef struct gbl_step_product {
    bool adjoint, add;
    int64_t m, n;
    gbl_scalar alpha;
    const void *A;
    int64_t lda;
    const void *x;
    int64_t incx;
    void *y;
} gbl_step_product;
gable_status gbl_step_multiply(const gbl_steps *steps, const gbl_step_product *product);
/* The same with a symmetric or Hermitian A of order n, of which one triangle is stored. */
gable_status gbl_step_symmetric(const gbl_steps *steps, gable_uplo uplo,
                                const gbl_step_product *product);

/* Their calls, for the model. */
gbl_matrix_call gbl_step_call(gbl_dtype dtype, bool adjoint, int64_t m, int64_t n);
gbl_matrix_call gbl_step_symmetric_call(gbl_dtype dtype, gable_uplo uplo, int64_t n);

/* A row of so many numbers, conjugated: x and its stride. A real row is used where it lies, a
 * complex one is copied to `room`. */
gable_status gbl_step_row(const gbl_steps *steps, int64_t count, const void *row, int64_t ld,
                          void *room, const void **x, int64_t *incx);

/* The reflector of alpha and the n - 1 numbers at x. */
gable_status gbl_step_reflector(const gbl_steps *steps, int64_t n, void *alpha, void *x, void *tau);

/* Real parts, so many numbers of the precision apart (0: real numbers without gaps): to := from. */
gable_status gbl_step_real_parts(const gbl_steps *steps, int64_t count, const void *from,
                                 int64_t from_apart, void *to, int64_t to_apart);

#endif
