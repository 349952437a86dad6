/* phase_plan.h: what reductions share whose panels are made of a few launches per column.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_PHASE_PLAN_H
#define GBL_PHASE_PLAN_H

#include "core/kernel.h"
#include "lapack/lapack.h"

/* The macros of kernels/lapack/phase_shares.h, and how many groups there are at most. */
typedef struct gbl_phase_plan {
    int32_t items, own, block;
    int64_t groups;
} gbl_phase_plan;

/* In groups of at most so many work-items; the block is the first tunable. */
gbl_phase_plan gbl_phase_make_plan(const gbl_params *params, const gbl_device *device,
                                   int32_t most_items);
/* Groups of a launch over so many rows. */
int64_t gbl_phase_groups(const gbl_phase_plan *plan, int64_t rows);

/* Adds ITEMS, NB and OWN. */
void gbl_phase_macros(const gbl_phase_plan *plan, gbl_kernel_spec *spec);

/* Writes the specs of all kernels of a plan; returns how many, GBL_MAX_SPECS at most. */
typedef int (*gbl_phase_specs)(const gbl_product_call *call, const gbl_phase_plan *plan,
                               gbl_kernel_spec *specs);
/* The kernels, in groups that the device takes. */
gable_status gbl_phase_kernels(gable_context *ctx, const gbl_product_call *call,
                               const gbl_params *params, gbl_phase_specs specs,
                               gbl_phase_plan *plan, gbl_kernel **kernels);

/* Devices with kernels. */
bool gbl_phase_fits(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_phase_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, uint64_t *hash);

/* What a launch over so many rows costs, which reads so many bytes from the cache, writes so many,
 * and on a GPU takes so many steps one behind the other. */
typedef struct gbl_phase_work {
    double read, written, flops, steps;
} gbl_phase_work;
gbl_cost gbl_phase_cost(const gbl_phase_plan *plan, const gbl_device *device, int64_t rows,
                        gbl_phase_work work);

#endif
