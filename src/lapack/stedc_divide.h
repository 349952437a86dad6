/* stedc_divide.h: eigenvalues and eigenvectors of a symmetric tridiagonal matrix by divide and
 * conquer, on devices with kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing is read back: all is enqueued for the most that it can be, and sizes are read by kernels
 * from the device's memory. So it can be recorded.
 */
#ifndef GBL_STEDC_DIVIDE_H
#define GBL_STEDC_DIVIDE_H

#include "core/kernel.h"
#include "lapack/lapack.h"

typedef struct gbl_divide_call {
    gbl_dtype dtype; /* of Z; d and e are real */
    int64_t n;
    /* n and n - 1 numbers: the matrix, then its eigenvalues in ascending order, and zeros. */
    void *d, *e;
    /* False: Z becomes the matrix of eigenvectors. True: Z becomes Z times that matrix. */
    bool update;
    /* Of the plan alone: singular values and vectors of a bidiagonal matrix of order n - 1
     * (bdsdc_divide.h). */
    bool squares;
    void *Z;
    int64_t ldz;
    /* 0; -3 where d or e is not finite, and all results are NaN; (first row, from 1) (n + 1) + last
     * row of a part that failed to converge. */
    int64_t *info;
} gbl_divide_call;

/* Tunables: the most rows of a leaf, and the order of merges from which gemm multiplies. */
#define GBL_DIVIDE_PARAMS 2
extern const gbl_param gbl_divide_space[GBL_DIVIDE_PARAMS];

#define GBL_DIVIDE_KERNELS                                                                         \
    "stedc_begin.cl stedc_leaf.cl stedc_sort.cl stedc_deflate.cl stedc_gather.cl "                 \
    "stedc_secular.cl stedc_weights.cl stedc_vectors.cl stedc_product.cl stedc_columns.cl"

/* Whether the device has kernels, and counts and addresses fit theirs. */
bool gbl_divide_fits(const gbl_divide_call *call, const gbl_device *device);

gable_status gbl_divide(gable_context *ctx, const char *routine, const gbl_divide_call *call,
                        const gbl_params *params);

/* For an op's variant: its kernels, what it takes of the arena, and what it is made of, level by
 * level. Parts are added behind `count` others. */
int gbl_divide_specs(const gbl_divide_call *call, const gbl_params *params,
                     const gbl_device *device, gbl_kernel_spec *specs);
double gbl_divide_bytes(const gbl_divide_call *call, const gbl_params *params);
double gbl_divide_launches(const gbl_divide_call *call, const gbl_params *params,
                           const gbl_device *device);
int gbl_divide_parts(const gbl_divide_call *call, const gbl_params *params,
                     const gbl_device *device, gbl_part_call *parts, int count);

/* The variant `divide` of stedc: with vectors, on devices with kernels (stedc_divide_variant.c). */
bool gbl_divide_variant_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_divide_variant_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                    const gbl_params *params);
void gbl_divide_variant_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                             const gbl_device *device, gbl_cost *out);
int gbl_divide_variant_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                             const gbl_device *device, gbl_part_call *parts);
int gbl_divide_variant_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                             const gbl_device *device, gbl_kernel_spec *specs);
bool gbl_divide_variant_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, uint64_t *hash);
#define GBL_DIVIDE_VARIANT                                                                         \
    GBL_VARIANT("divide", .fits = gbl_divide_variant_fits, .run = gbl_divide_variant_run,          \
                .cost = gbl_divide_variant_cost, .parts = gbl_divide_variant_parts,                \
                .space = gbl_divide_space, .space_count = GBL_DIVIDE_PARAMS,                       \
                .legal = gbl_divide_variant_legal, .kernels = GBL_DIVIDE_KERNELS,                  \
                .specs = gbl_divide_variant_specs)

#endif
