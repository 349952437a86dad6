/* turn_variants.h: the variants that transpose and geam share: `tiles`, which turn, and `stream`,
 * which does not.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A routine says how its calls are planned (turn_plan.h), which macros its kernel of tiles has
 * besides, and which buffers a launch takes.
 */
#ifndef GBL_TURN_VARIANTS_H
#define GBL_TURN_VARIANTS_H

#include "blas/level2/level2.h"
#include "blas/level3/turn_plan.h"

/* The `detail` of the variants. */
typedef struct gbl_turn_routine {
    gbl_matrix_routine matrix; /* first: variants of level 2 see only this */
    void (*plan_tiles)(const gbl_matrix_call *call, const gbl_params *params,
                       const gbl_device *device, gbl_turn_plan *plan);
    void (*tiles_kernel)(const gbl_matrix_call *call, const gbl_turn_plan *plan,
                         gbl_kernel_spec *spec);
    int (*tiles_buffers)(const gbl_matrix_call *call, const void **buffers); /* how many */
    void (*plan_stream)(const gbl_matrix_call *call, const gbl_params *params,
                        const gbl_device *device, gbl_plane_plan *plan);
    int (*stream_buffers)(const gbl_matrix_call *call, const void **buffers);
} gbl_turn_routine;

gable_status gbl_turn_run(gable_context *ctx, const gbl_variant *self, const void *call,
                          const gbl_params *params);
int gbl_turn_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs);
void gbl_turn_variant_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_cost *cost);
bool gbl_turn_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, uint64_t *hash);

gable_status gbl_plane_run(gable_context *ctx, const gbl_variant *self, const void *call,
                           const gbl_params *params);
int gbl_plane_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_kernel_spec *specs);
void gbl_plane_variant_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                            const gbl_device *device, gbl_cost *cost);
bool gbl_plane_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, uint64_t *hash);

#define GBL_TURN_VARIANT(name_, fits_, routine, file)                                              \
    GBL_VARIANT(name_, .fits = fits_, .run = gbl_turn_run, .cost = gbl_turn_variant_cost,          \
                .space = gbl_turn_space, .space_count = TURN_PARAMS, .legal = gbl_turn_legal,      \
                .detail = routine, .kernels = file, .specs = gbl_turn_specs)
#define GBL_STREAM_VARIANT(fits_, routine, file)                                                   \
    GBL_VARIANT("stream", .fits = fits_, .run = gbl_plane_run, .cost = gbl_plane_variant_cost,     \
                .space = gbl_plane_space, .space_count = PLANE_PARAMS, .legal = gbl_plane_legal,   \
                .detail = routine, .kernels = file, .specs = gbl_plane_specs)

#endif
