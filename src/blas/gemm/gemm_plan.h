/* gemm_plan.h: what the plans of the kernels for products of two matrices share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEMM_PLAN_H
#define GBL_GEMM_PLAN_H

#include "blas/kernel_plan.h"
#include "blas/level3/level3.h"
#include "gemm_args.h"

#define GBL_MOST_GROUPS_Y 65535 /* of CUDA */

/* Arguments and macros that all these kernels have (kernels/gemm/gemm.h). The macros are added to
 * *spec. */
gemm_args gbl_gemm_args(const gbl_product_call *call);
void gbl_gemm_macros(const gbl_product_call *call, gbl_kernel_spec *spec);

/* Their buffers: alpha, beta, A, B, C. */
#define GBL_GEMM_BUFFERS(call)                                                                     \
    {                                                                                              \
        gbl_scalar_buffer(&(call)->alpha, (call)->A), gbl_scalar_buffer(&(call)->beta, (call)->A), \
            (call)->A, (call)->B, (call)->C                                                        \
    }

/* A plain kernel waits for two loads at every multiply-add: on an H200 (2026-11) it reaches a 20th
 * of the arithmetic. */
#define GBL_PLAIN_FACTOR 20

/* The macro of the portable kernels where A B^T and B A^T are asked for at once. */
void gbl_gemm_two_products(const gbl_product_call *call, gbl_kernel_spec *spec);

/* The same where m, n and k are read from memory. */
void gbl_gemm_sizes(const gbl_product_call *call, gbl_kernel_spec *spec);

/* Whether the call is the plain product that gemm's prototype has. */
bool gbl_gemm_whole(const gbl_product_call *call);

/* gemm_naive.c: one work-item per element of C. */
#define GBL_GEMM_NAIVE_PARAMS 1
extern const gbl_param gbl_gemm_naive_space[GBL_GEMM_NAIVE_PARAMS];
bool gbl_gemm_fits_kernels(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_gemm_naive_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                const gbl_params *params);
void gbl_gemm_naive_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                         const gbl_device *device, gbl_cost *cost);
int gbl_gemm_naive_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                         const gbl_device *device, gbl_kernel_spec *specs);
#define GBL_GEMM_NAIVE_VARIANT                                                                     \
    GBL_VARIANT("naive", .fits = gbl_gemm_fits_kernels, .run = gbl_gemm_naive_run,                 \
                .cost = gbl_gemm_naive_cost, .space = gbl_gemm_naive_space,                        \
                .space_count = GBL_GEMM_NAIVE_PARAMS, .kernels = "gemm_naive.cl",                  \
                .specs = gbl_gemm_naive_specs)

/* gemm_tile.c: tiles in registers; a `detail` says that it goes over a batch. */
#define GBL_GEMM_TILE_PARAMS 8
#define GBL_GEMM_TILE_STARTS 30
#define GBL_GEMM_TILE_SHARED 12
extern const gbl_param gbl_gemm_tile_space[GBL_GEMM_TILE_PARAMS];
extern const gbl_params gbl_gemm_tile_starts[GBL_GEMM_TILE_STARTS];
extern const gbl_shared gbl_gemm_tile_shared[GBL_GEMM_TILE_SHARED];
bool gbl_gemm_tile_fits(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_gemm_tile)
#define GBL_GEMM_TILE_VARIANT(batched)                                                             \
    GBL_VARIANT("tile", .detail = (batched), .fits = gbl_gemm_tile_fits, .run = gbl_gemm_tile_run, \
                .cost = gbl_gemm_tile_cost, .space = gbl_gemm_tile_space,                          \
                .space_count = GBL_GEMM_TILE_PARAMS, .legal = gbl_gemm_tile_legal,                 \
                .starts = gbl_gemm_tile_starts, .start_count = GBL_GEMM_TILE_STARTS,               \
                .shared = gbl_gemm_tile_shared, .shared_count = GBL_GEMM_TILE_SHARED,              \
                .kernels = "gemm_tile.cl gemm_finish.cl", .specs = gbl_gemm_tile_specs)

/* gemm_single_item.c: one work-item per block of C: for CPUs. */
#define GBL_GEMM_SINGLE_ITEM_PARAMS 4
extern const gbl_param gbl_gemm_single_item_space[GBL_GEMM_SINGLE_ITEM_PARAMS];
bool gbl_gemm_single_item_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_gemm_single_item_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                      const gbl_params *params);
void gbl_gemm_single_item_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                               const gbl_device *device, gbl_cost *cost);
int gbl_gemm_single_item_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                               const gbl_device *device, gbl_kernel_spec *specs);
#define GBL_GEMM_SINGLE_ITEM_VARIANT                                                               \
    GBL_VARIANT("single_item", .fits = gbl_gemm_single_item_fits, .run = gbl_gemm_single_item_run, \
                .cost = gbl_gemm_single_item_cost, .space = gbl_gemm_single_item_space,            \
                .space_count = GBL_GEMM_SINGLE_ITEM_PARAMS, .kernels = "gemm_single_item.cl",      \
                .specs = gbl_gemm_single_item_specs)

#endif
