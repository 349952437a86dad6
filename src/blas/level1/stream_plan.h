/* stream_plan.h: how vectors are cut up for the stream kernels. Shared by the vector routines.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_STREAM_PLAN_H
#define GBL_STREAM_PLAN_H

#include "core/kernel_args.h"
#include "blas/kernel_plan.h"
#include "blas/level1/level1.h"
#include "core/kernel.h"
#include "stream_args.h"

/* The tunables of every stream kernel, in this order. */
enum { STREAM_LOCAL, STREAM_GROUPS, STREAM_VEC, STREAM_RANGE, STREAM_UNROLL, STREAM_PARAMS };
extern const gbl_param gbl_stream_space[STREAM_PARAMS];

/* Partial sums a reduction may have. */
#define STREAM_MAX_PARTIALS 8192

typedef struct gbl_stream {
    stream_args args;
    int64_t groups;
    int32_t local, vec, unroll;
    int32_t align;
    bool strided;
} gbl_stream;

/* The widest alignment, 16 bytes at most, that all vectors of a call reach after some elements; of
 * columns, the first two stand for all. */
int32_t gbl_stream_alignment(const void *call);

/* Plans a walk over x and, unless NULL, y and w. max_groups 0: no limit of the caller's. */
void gbl_stream_plan(const gbl_vector_call *call, const gbl_params *params,
                     const gbl_device *device, int64_t max_groups, gbl_stream *plan);

/* The kernel of a file for a plan, with the macros of stream.h; more may be added. */
void gbl_stream_kernel(const char *file, gbl_dtype dtype, const gbl_stream *plan,
                       const gbl_params *params, gbl_kernel_spec *spec);

/* Plans and gets the kernel of a file, with the macros of stream.h and up to four more. Where the
 * compiler's registers allow fewer work-items per group than asked for, the group is halved and
 * there are twice as many. */
typedef struct gbl_stream_use {
    const char *file;
    int64_t max_groups;
    int macro_count;
    struct {
        const char *name;
        int32_t value;
    } macros[4];
} gbl_stream_use;
void gbl_stream_spec(const gbl_vector_call *call, const gbl_params *params,
                     const gbl_device *device, const gbl_stream_use *use, gbl_stream *plan,
                     gbl_kernel_spec *spec);
gable_status gbl_stream_prepare(gable_context *ctx, const gbl_vector_call *call,
                                const gbl_params *params, const gbl_stream_use *use,
                                gbl_stream *plan, gbl_kernel **kernel);

/* Rows of kernels; their detail is a gbl_vector_routine. Maps run the kernel of map.h, reductions
 * in one launch, whose last group adds the partial sums, or in two. */
bool gbl_stream_fits(const gbl_variant *self, const void *call, const gbl_device *device);
/* Exchanges of a group that adds up one number per work-item: for gbl_cost.steps. */
double gbl_reduce_steps(const gbl_device *device, int64_t items);

void gbl_stream_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_cost *cost);

/* For all variants with the tunables of the stream kernels. */
bool gbl_stream_legal(const gbl_variant *variant, const void *call, const gbl_params *params,
                      const gbl_device *device, uint64_t *hash);

gable_status gbl_map_run(gable_context *ctx, const gbl_variant *self, const void *call,
                         const gbl_params *params);
int gbl_map_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                  const gbl_device *device, gbl_kernel_spec *specs);

bool gbl_reduce_fits_one_pass(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_reduce_one_pass(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
gable_status gbl_reduce_two_pass(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
int gbl_reduce_specs_one_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_kernel_spec *specs);
int gbl_reduce_specs_two_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_kernel_spec *specs);
void gbl_reduce_cost_one_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_cost *cost);
void gbl_reduce_cost_two_pass(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_cost *cost);

/* The variant that every map starts with. */
#define GBL_MAP_VARIANTS(routine, kernel)                                                          \
    GBL_VARIANT("stream", .fits = gbl_stream_fits, .run = gbl_map_run, .cost = gbl_stream_cost,    \
                .space = gbl_stream_space, .space_count = STREAM_PARAMS,                           \
                .legal = gbl_stream_legal, .detail = routine, .kernels = kernel,                   \
                .specs = gbl_map_specs)

/* The two variants that every reduction starts with. */
#define GBL_REDUCE_VARIANTS(routine, kernel, finish)                                               \
    GBL_VARIANT("two_pass", .fits = gbl_stream_fits, .run = gbl_reduce_two_pass,                   \
                .cost = gbl_reduce_cost_two_pass, .space = gbl_stream_space,                       \
                .space_count = STREAM_PARAMS, .legal = gbl_stream_legal, .detail = routine,        \
                .kernels = kernel " " finish, .specs = gbl_reduce_specs_two_pass),                 \
        GBL_VARIANT("one_pass", .fits = gbl_reduce_fits_one_pass, .run = gbl_reduce_one_pass,      \
                    .cost = gbl_reduce_cost_one_pass, .space = gbl_stream_space,                   \
                    .space_count = STREAM_PARAMS, .legal = gbl_stream_legal, .detail = routine,    \
                    .kernels = kernel, .specs = gbl_reduce_specs_one_pass)

#endif
