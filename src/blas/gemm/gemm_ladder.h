/* gemm_ladder.h: the variants of gemm that climb from the naive product to the one in use: to measure and compare.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * None is ever chosen by the model. docs/gemm.md tells the climb. All take C := alpha A B + beta C
 * without `part` and `zeros`, in all precisions: the studies that they come from transpose nothing.
 */
#ifndef GBL_GEMM_LADDER_H
#define GBL_GEMM_LADDER_H

#include "core/kernel.h"
#include "core/op.h"

/* What a rung does: the `detail` of its variant. */
typedef enum gbl_gemm_rung_kind {
    GBL_RUNG_UNCOALESCED, /* neighbours a column apart */
    GBL_RUNG_TILED,       /* tiles in local memory */
    GBL_RUNG_UNROLLED,    /* the same, their terms written out */
    GBL_RUNG_OUTPUTS,     /* the same, several elements of C per work-item */
    GBL_RUNG_VOLKOV       /* one factor straight into registers */
} gbl_gemm_rung_kind;

typedef struct gbl_gemm_rung {
    gbl_gemm_rung_kind kind;
} gbl_gemm_rung;

extern const gbl_gemm_rung gbl_gemm_uncoalesced, gbl_gemm_tiled, gbl_gemm_unrolled,
    gbl_gemm_outputs, gbl_gemm_volkov;

/* items: work-items per group; tile: rows and columns of tiles; outputs: elements of C per work-item; rows: of C per
 * group. The first tunable of each decides how large its groups are. */
#define GBL_GEMM_OUTPUTS_PARAMS 2
extern const gbl_param gbl_gemm_uncoalesced_space[1], gbl_gemm_tiled_space[1],
    gbl_gemm_outputs_space[GBL_GEMM_OUTPUTS_PARAMS], gbl_gemm_volkov_space[1];

bool gbl_gemm_rung_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_gemm_rung_run(gable_context *ctx, const gbl_variant *self, const void *call,
                               const gbl_params *params);
void gbl_gemm_rung_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_cost *cost);
int gbl_gemm_rung_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                        const gbl_device *device, gbl_kernel_spec *specs);

#define GBL_GEMM_RUNG(name_, detail_, space_, count_, file_)                                       \
    {                                                                                              \
        .name = name_, .deterministic = true, .fits = gbl_gemm_rung_fits,                          \
        .run = gbl_gemm_rung_run, .cost = gbl_gemm_rung_cost, .space = space_,                     \
        .space_count = count_, .detail = detail_, .kernels = file_, .specs = gbl_gemm_rung_specs,  \
        .rung = true                                                                               \
    }
#define GBL_GEMM_LADDER_VARIANTS                                                                   \
    GBL_GEMM_RUNG("uncoalesced", &gbl_gemm_uncoalesced, gbl_gemm_uncoalesced_space, 1,             \
                  "gemm_uncoalesced.cl"),                                                          \
        GBL_GEMM_RUNG("tiled", &gbl_gemm_tiled, gbl_gemm_tiled_space, 1, "gemm_local.cl"),         \
        GBL_GEMM_RUNG("unrolled", &gbl_gemm_unrolled, gbl_gemm_tiled_space, 1, "gemm_local.cl"),   \
        GBL_GEMM_RUNG("outputs", &gbl_gemm_outputs, gbl_gemm_outputs_space,                        \
                      GBL_GEMM_OUTPUTS_PARAMS, "gemm_local.cl"),                                   \
        GBL_GEMM_RUNG("volkov", &gbl_gemm_volkov, gbl_gemm_volkov_space, 1, "gemm_volkov.cl")

#endif
