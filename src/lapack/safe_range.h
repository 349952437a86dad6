/* safe_range.h: A and B of a system brought into the range where a factorization is safe, and its
 * solution back.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether that is needed is decided on the device: a kernel leaves powers of two in the workspace,
 * and the steps that apply them touch nothing where they are 1.
 */
#ifndef GBL_SAFE_RANGE_H
#define GBL_SAFE_RANGE_H

#include "core/kernel.h"
#include "lapack/lapack.h"

#define GBL_RANGE_KERNELS      "range_largest.cl range_factors.cl range_scale.cl"
#define GBL_RANGE_KERNEL_COUNT 3

/* A matrix of so many rows and columns. */
typedef struct gbl_range_matrix {
    gbl_dtype dtype;
    int64_t m, n;
    void *A;
    int64_t lda;
} gbl_range_matrix;

/* Multiplies A and B by their factors, which stay in the workspace until the op is done. */
gable_status gbl_range_enter(gable_context *ctx, const gbl_range_matrix *A,
                             const gbl_range_matrix *B, void **factors);
/* Takes them back: the first `rows` of X are those of the solution, the rest belongs to B. Where A
 * is all zeros, X and *info become zeros. */
gable_status gbl_range_leave(gable_context *ctx, const gbl_range_matrix *X, int64_t rows,
                             void *factors, int64_t *info);

/* Its kernels, for `specs`; none where they are tasks. */
int gbl_range_specs(gbl_dtype dtype, const gbl_device *device, gbl_kernel_spec *specs);
/* What both take, for `parts`. */
int gbl_range_parts(const gbl_range_matrix *A, const gbl_range_matrix *B, const gbl_device *device,
                    gbl_part_call *parts, int count);

#endif
