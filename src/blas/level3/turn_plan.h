/* turn_plan.h: how transpose and geam lay out their kernels: tiles that are turned, planes that are
 * not.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The plans know nothing of a routine: C is m by n, X is its transpose's shape, and what else is
 * read stands beside one or the other. Both routines' variants share two spaces of tunables.
 */
#ifndef GBL_TURN_PLAN_H
#define GBL_TURN_PLAN_H

#include "core/kernel_args.h"
#include "core/context.h"
#include "core/kernel.h"
#include "plane_args.h"
#include "turn_args.h"

/* A matrix that takes part; at = NULL: none. */
typedef struct gbl_turn_matrix {
    const void *at;
    int64_t ld;
} gbl_turn_matrix;

/* ---- tiles ---- */

enum { TURN_ITEMS, TURN_TILE, TURN_VEC, TURN_GROUPS, TURN_STRIP, TURN_PARAMS };

/* items: work-items per group; tile: rows and columns; vec: elements per access; groups: groups per
 * unit, 0: one per tile; strip: tiles side by side before those below, 0: all. */
extern const gbl_param gbl_turn_space[TURN_PARAMS];

typedef struct gbl_turn_plan {
    turn_args args;
    int64_t tiles, groups;
    int32_t items, tile;
    int32_t x_vec, x_align, c_vec, c_align;
} gbl_turn_plan;

/* Turns X (and `with_x`, which stands as X does) into C (`with_c` stands as C does). ahead: groups
 * may take several tiles. */
void gbl_turn_make(gbl_dtype dtype, int64_t m, int64_t n, gbl_turn_matrix X, gbl_turn_matrix with_x,
                   gbl_turn_matrix C, gbl_turn_matrix with_c, const gbl_params *params,
                   const gbl_device *device, bool ahead, gbl_turn_plan *plan);

/* The plan of a square matrix that is turned where it stands. */
void gbl_turn_make_in_place(gbl_dtype dtype, int64_t n, gbl_turn_matrix A, const gbl_params *params,
                            const gbl_device *device, gbl_turn_plan *plan);

/* The macros that the plan asks for. */
void gbl_turn_kernel(const char *file, gbl_dtype dtype, const gbl_turn_plan *plan, bool conj,
                     gbl_kernel_spec *spec);

/* Whether tiles can be numbered in 32 bits whatever their size. */
bool gbl_turn_fits(int64_t m, int64_t n);

/* What a plan costs beside the bytes: the traffic through local memory, loads in flight. */
void gbl_turn_cost(const gbl_turn_plan *plan, gbl_dtype dtype, const gbl_work *least,
                   gbl_cost *cost);

/* ---- planes ---- */

enum { PLANE_ITEMS, PLANE_WX, PLANE_VEC, PLANE_UNROLL, PLANE_GROUPS, PLANE_PARAMS };

/* items: work-items per group, wx of them along the rows; vec: rows per access; unroll: accesses in
 * flight a work-item; groups: groups per unit, 0: one per block. */
extern const gbl_param gbl_plane_space[PLANE_PARAMS];

typedef struct gbl_plane_plan {
    plane_args args;
    int64_t groups;
    int32_t items, wx, vec, unroll, align;
} gbl_plane_plan;

void gbl_plane_make(gbl_dtype dtype, int64_t m, int64_t n, gbl_turn_matrix A, gbl_turn_matrix B,
                    gbl_turn_matrix C, const gbl_params *params, const gbl_device *device,
                    gbl_plane_plan *plan);
void gbl_plane_kernel(const char *file, gbl_dtype dtype, const gbl_plane_plan *plan,
                      gbl_kernel_spec *spec);
void gbl_plane_cost(const gbl_plane_plan *plan, gbl_dtype dtype, const gbl_work *least,
                    gbl_cost *cost);

#endif
