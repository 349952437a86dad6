/* gemm_tile_plan.h: a product by tiles in registers, as planned, and what it takes.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_GEMM_TILE_PLAN_H
#define GBL_GEMM_TILE_PLAN_H

#include "blas/gemm/gemm_plan.h"

#define GBL_UNIT_REGISTERS 65536 /* of a multiprocessor of today's NVIDIA GPUs */

typedef struct gbl_tile_plan {
    gemm_args args;
    int32_t wx, wy, tm, tn, terms, stages, resident, vec;
    int32_t align_a, align_b, align_c, ragged;
    int64_t tiles;
    int32_t batch; /* as the macro */
} gbl_tile_plan;

int64_t gbl_tile_local_bytes(const gbl_tile_plan *plan, gbl_dtype dtype);

/* Registers of a work-item: sums, two lines of both tiles, vectors on their way, and the rest. */
double gbl_tile_registers(const gbl_product_call *call, const gbl_tile_plan *plan);

/* Steps along k of a group, in the mean. */
double gbl_tile_steps(const gbl_product_call *call, const gbl_tile_plan *plan);

/* Bytes of sums that go through memory, both ways. */
double gbl_tile_part_bytes(const gbl_product_call *call, const gbl_tile_plan *plan);

/* Cycles of a unit that works longest, of `entries` products at once. */
double gbl_tile_cycles(const gbl_product_call *call, const gbl_tile_plan *plan, double entries,
                       double units);

#endif
