/* part_plan.h: variants that walk over a matrix or one of its triangles: lacpy, laset.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `tiles` is a kernel (kernels/lapack/part.h), `omp` a task of the cpu.
 */
#ifndef GBL_PART_PLAN_H
#define GBL_PART_PLAN_H

#include "core/kernel.h"
#include "lapack/lapack.h"

enum { PART_ITEMS, PART_COLUMNS, PART_GROUPS, PART_PARAMS };
extern const gbl_param gbl_part_space[PART_PARAMS];

/* What the variants need to know of a routine: their `detail`. */
typedef struct gbl_part_routine {
    const char *stem;
    const char *kernel;
    void (*work)(const void *call, gbl_work *least);
    gbl_task_function omp[4];
    bool copies; /* A and B are the kernel's buffers; else alpha, beta and A */
} gbl_part_routine;

/* Elements of the part of an m by n matrix that uplo names. */
double gbl_part_elements(const gbl_product_call *call);

bool gbl_part_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_part_run(gable_context *ctx, const gbl_variant *self, const void *call,
                          const gbl_params *params);
void gbl_part_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_cost *cost);
bool gbl_part_legal(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, uint64_t *plan);
int gbl_part_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                   const gbl_device *device, gbl_kernel_spec *specs);
bool gbl_part_fits_omp(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_part_run_omp(gable_context *ctx, const gbl_variant *self, const void *call,
                              const gbl_params *params);
void gbl_part_cost_omp(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost);

#define GBL_PART_VARIANTS(routine_, kernel_)                                                       \
    {.name = "tiles",                                                                              \
     .deterministic = true,                                                                        \
     .fits = gbl_part_fits,                                                                        \
     .run = gbl_part_run,                                                                          \
     .cost = gbl_part_cost,                                                                        \
     .space = gbl_part_space,                                                                      \
     .space_count = PART_PARAMS,                                                                   \
     .legal = gbl_part_legal,                                                                      \
     .detail = routine_,                                                                           \
     .kernels = kernel_,                                                                           \
     .specs = gbl_part_specs},                                                                     \
    {                                                                                              \
        .name = "omp", .deterministic = true, .fits = gbl_part_fits_omp, .run = gbl_part_run_omp,  \
        .cost = gbl_part_cost_omp, .detail = routine_                                              \
    }

#endif
