/* gemm_batched.h: the variants of gemm_batched, and what plans of batches share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEMM_BATCHED_H
#define GBL_GEMM_BATCHED_H

#include "blas/gemm/gemm_plan.h"
#include "blas/gemm/gemm_ring.h"
#include "gemm_batched_args.h"

/* The variants that batches end with: no BLAS has them. */
#define GBL_BATCH_VARIANTS(routine)                                                                \
    {.name = "omp",                                                                                \
     .deterministic = true,                                                                        \
     .fits = gbl_product_fits_omp,                                                                 \
     .run = gbl_product_run_omp,                                                                   \
     .cost = gbl_product_cost,                                                                     \
     .detail = routine},                                                                           \
    {                                                                                              \
        .name = "vendor", .deterministic = true, .vendor = true, .fits = gbl_product_fits_vendor,  \
        .run = gbl_product_run_vendor, .cost = gbl_product_cost, .detail = routine                 \
    }

/* The work of all members. */
void gbl_gemm_batched_work(const void *call, gbl_work *least);
/* Arguments but `sets` and `row_blocks`; k is 0 where A and B are not read. */
gemm_batched_args gbl_gemm_batched_args(const gbl_product_call *call);
/* TRANS_A, TRANS_B and POINTERS. */
void gbl_gemm_batched_macros(const gbl_product_call *call, gbl_kernel_spec *spec);

/* gemm_batched_ring.c: rings of stages over the tiles of all members; plans, launches and costs are those of gemm_ring.h. */
bool gbl_batched_ring_fits(const gbl_variant *self, const void *call, const gbl_device *device);
#define GBL_BATCHED_RING_VARIANT                                                                   \
    {                                                                                              \
        .name = "ring", .deterministic = true, .fits = gbl_batched_ring_fits, .run = gbl_ring_run, \
        .cost = gbl_ring_cost, .space = gbl_ring_space, .space_count = GBL_RING_PARAMS,            \
        .legal = gbl_ring_legal, .starts = gbl_ring_starts, .start_count = GBL_RING_STARTS,        \
        .kernels = "gemm_dmma.cu gemm_ffma.cu", .specs = gbl_ring_specs, .tell = gbl_ring_tell     \
    }

/* gemm_small.c: members of at most GBL_GEMM_SMALL_MOST rows, columns and terms, several per group. */
#define GBL_GEMM_SMALL_MOST 32
enum {
    GBL_SMALL_ITEMS,
    GBL_SMALL_ROWS,
    GBL_SMALL_COLUMNS,
    GBL_SMALL_LOADS,
    GBL_SMALL_PAD,
    GBL_SMALL_RESIDENT,
    GBL_SMALL_GROUPS,
    GBL_SMALL_PARAMS
};
extern const gbl_param gbl_gemm_small_space[GBL_SMALL_PARAMS];
bool gbl_gemm_small_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_gemm_small_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                const gbl_params *params);
void gbl_gemm_small_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                         const gbl_device *device, gbl_cost *cost);
int gbl_gemm_small_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                         const gbl_device *device, gbl_kernel_spec *specs);
bool gbl_gemm_small_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, uint64_t *hash);
#define GBL_GEMM_SMALL_VARIANT                                                                     \
    {                                                                                              \
        .name = "small", .deterministic = true, .fits = gbl_gemm_small_fits,                       \
        .run = gbl_gemm_small_run, .cost = gbl_gemm_small_cost, .space = gbl_gemm_small_space,     \
        .space_count = GBL_SMALL_PARAMS, .legal = gbl_gemm_small_legal,                            \
        .kernels = "gemm_small.cl", .specs = gbl_gemm_small_specs                                  \
    }

#endif
