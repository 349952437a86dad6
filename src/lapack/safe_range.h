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

/* ---- One matrix, and its singular values or eigenvalues ---- */

/* What is to be done with some matrices (of one precision) whose largest element is outside of
 * 2^-exponent to 2^exponent: a power of two, and more. `numbers` stay in the workspace until the op
 * is done: range_one_args.h. */
gable_status gbl_range_one_look(gable_context *ctx, const gbl_range_matrix *matrices, int count,
                                int64_t exponent, void **numbers);
/* The same of one, and multiplies it. */
gable_status gbl_range_one_enter(gable_context *ctx, const gbl_range_matrix *A, int64_t exponent,
                                 void **numbers);
/* Takes the factor back from `count` real values. Where A had a NaN or an infinity they become NaN,
 * and *info becomes `bad`. */
gable_status gbl_range_one_leave(gable_context *ctx, gbl_dtype dtype, int64_t count, void *values,
                                 void *numbers, int64_t *info, int64_t bad);
/* C, m by n, := [B 0; 0 I] with B real and of that order; NaN where A was not finite. */
typedef struct gbl_embedding {
    gbl_dtype dtype;
    int64_t m, n;
    void *C;
    int64_t ldc;
    const void *B;
    int64_t ldb, order;
} gbl_embedding;
gable_status gbl_embed(gable_context *ctx, const gbl_embedding *made, void *numbers);
#define GBL_RANGE_ONE_KERNELS "range_largest.cl range_one.cl range_scale.cl range_info.cl embed.cl"
/* Those of look, with those of enter and leave, and of gbl_embed: 2 to 6. */
#define GBL_RANGE_ONE_SCALES 1u
#define GBL_RANGE_ONE_EMBEDS 2u
int gbl_range_one_specs(gbl_dtype dtype, unsigned uses, const gbl_device *device,
                        gbl_kernel_spec *specs);
int gbl_range_one_parts(const gbl_range_matrix *A, const gbl_device *device, gbl_part_call *parts,
                        int count);
int gbl_embed_parts(const gbl_embedding *made, const gbl_device *device, gbl_part_call *parts,
                    int count);

/* Its kernels, for `specs`; none where they are tasks. */
int gbl_range_specs(gbl_dtype dtype, const gbl_device *device, gbl_kernel_spec *specs);
/* What both take, for `parts`. */
int gbl_range_parts(const gbl_range_matrix *A, const gbl_range_matrix *B, const gbl_device *device,
                    gbl_part_call *parts, int count);

#endif
