/* gemm_pipeline_plan.h: products of two matrices on multiprocessors with TMA: the plan of
 * kernels/sm90/gemm_*.cu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has a pipeline of stages in shared memory. Some of its work-items fill them, by TMA tiles
 * or by single elements; the others multiply. A stage holds 128 bytes of each row of op(A) and of
 * each column of op(B).
 */
#ifndef GBL_GEMM_PIPELINE_PLAN_H
#define GBL_GEMM_PIPELINE_PLAN_H

#include "blas/gemm/gemm_plan.h"
#include "gemm_pipeline_args.h"

#define GBL_PIPELINE_LINE_BYTES  128 /* of a row of op(A), or a column of op(B), in a stage */
#define GBL_PIPELINE_MOST_STRIDE ((int64_t)1 << 40) /* bytes between columns, of tensor maps */

/* How an operand comes into the pipeline. */
typedef enum gbl_load_mode {
    GBL_LOAD_TMA,
    GBL_LOAD_ELEMENTS, /* columns do not start on 16 bytes */
    GBL_LOAD_REALS,    /* complex elements do not even start on their own size */
    /* TMA tiles, and one brings all rows (columns) of a stage: none of its panels is cut */
    GBL_LOAD_TMA_PANELS,
    GBL_LOAD_BATCH_ENTRY /* as the address of each batch entry allows it */
} gbl_load_mode;

static inline bool gbl_load_by_tma(int32_t load_mode)
{
    return load_mode == GBL_LOAD_TMA || load_mode == GBL_LOAD_TMA_PANELS;
}

/* Whether a call is of many products at once. */
static inline bool gbl_pipeline_many(const gbl_product_call *call)
{
    return call->batch > 0;
}

typedef struct gbl_pipeline_plan {
    gemm_pipeline_args args;
    int32_t rows, columns;           /* of a tile of C */
    int32_t warp_rows, warp_columns; /* of those, per 32 work-items */
    int32_t terms;                   /* of a stage */
    int32_t stages;
    int32_t split_k;  /* sets of computing work-items, which share the terms of a tile */
    int32_t cluster;  /* groups that share the terms of a tile */
    int32_t resident; /* groups per unit */
    int32_t stagger;  /* stages that half of the computing work-items are behind the others */
    int32_t staged_c; /* buffers of a tile of C in shared memory; 0: it does not go through there */
    int32_t load_mode_a, load_mode_b, align_c;
    int32_t batch;  /* as the macro */
    int32_t items;  /* work-items of a group */
    int64_t groups; /* of the launch; without clusters each has several tiles one after the other */
    int64_t tiles;  /* of C that are computed, of all batch entries */
    int64_t steps;  /* stages that a group fills for a tile, at most */
    int64_t local_bytes; /* of a group */
} gbl_pipeline_plan;

/* What computes within the frame, for some precisions. */
typedef struct gbl_pipeline_core {
    const char *file;
    /* The warps' parts of a tile, and the work-items of a group; false: there is no such shape. */
    bool (*warps)(gbl_dtype dtype, gbl_pipeline_plan *plan);
    bool step_slices;       /* slices take steps in turn; else each has its share of every step */
    bool swaps_halves;      /* two slices of one group swap halves of their sums */
    bool pairs;             /* two groups per unit are possible */
    int32_t staged_columns; /* of a TMA tile of C, STAGED_COLUMNS of the kernel */
    int64_t (*sums)(
        const gbl_pipeline_plan *plan); /* bytes where sums meet; NULL: as the frame does it */
} gbl_pipeline_core;
extern const gbl_pipeline_core gbl_pipeline_dmma;
extern const gbl_pipeline_core gbl_pipeline_ffma; /* gemm_pipeline_ffma.c */

/* That of a precision, or NULL. */
const gbl_pipeline_core *gbl_pipeline_core_of(gbl_dtype dtype);

#define GBL_PIPELINE_PARAMS 8
#define GBL_PIPELINE_STARTS 28
#define GBL_PIPELINE_SHARED 16
extern const gbl_param gbl_pipeline_space[GBL_PIPELINE_PARAMS];
extern const gbl_params gbl_pipeline_starts[GBL_PIPELINE_STARTS];
extern const gbl_shared gbl_pipeline_shared[GBL_PIPELINE_SHARED];

/* False: the call cannot be computed with these tunables. */
bool gbl_pipeline_plan_make(const gbl_product_call *call, const gbl_params *params,
                            const gbl_device *device, gbl_pipeline_plan *plan);

/* gemm_pipeline_nearest.c: the same with the nearest tunables that can be run. False: there are
 * none. */
bool gbl_pipeline_plan_nearest(const gbl_product_call *call, const gbl_params *wanted,
                               const gbl_device *device, gbl_pipeline_plan *plan);

/* Of tiles of different lengths: after more rounds these even out whatever their order is. */
#define GBL_PIPELINE_FEW_ROUNDS 4

#endif
