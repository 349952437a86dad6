/* stream_plan.h: how vectors are cut up for the stream kernels. Shared by the vector routines.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_STREAM_PLAN_H
#define GBL_STREAM_PLAN_H

#include "blas/kernel_args.h"
#include "blas/level1.h"
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

/* Plans a walk over x and, unless NULL, y. max_groups 0: no limit of the caller's. */
void gbl_stream_plan(const gbl_vector_call *call, const gbl_params *params,
                     const gbl_device *device, int64_t max_groups, gbl_stream *plan);

/* The kernel of a file for a plan, with the macros of stream.h; more may be added. */
void gbl_stream_kernel(const char *file, gbl_dtype dtype, const gbl_stream *plan,
                       const gbl_params *params, gbl_kernel_spec *spec);
void gbl_kernel_add_macro(gbl_kernel_spec *spec, const char *name, int32_t value);

/* Plans and gets the kernel of a file, with the macros of stream.h and up to two more. Where the
 * compiler's registers allow fewer work-items a group than asked for, the group is halved and there are
 * twice as many. */
typedef struct gbl_stream_use {
    const char *file;
    int64_t max_groups;
    int macro_count;
    struct {
        const char *name;
        int32_t value;
    } macros[2];
} gbl_stream_use;
gable_status gbl_stream_prepare(gable_context *ctx, const gbl_vector_call *call,
                                const gbl_params *params, const gbl_stream_use *use,
                                gbl_stream *plan, gbl_kernel **kernel);

/* The kernels of a reduction: `first` makes partial sums of partial_bytes a group and, in one_pass,
 * its last group the result; otherwise `finish` makes it in a second launch. Both take args, of
 * which the last 8 bytes are the number of partials. buffers: the vectors; the rest is added here.
 */
typedef struct gbl_reduction {
    const char *first, *finish;
    size_t partial_bytes;
    bool one_pass;
    bool conj;
} gbl_reduction;
gable_status gbl_stream_reduce(gable_context *ctx, const gbl_vector_call *call,
                               const gbl_params *params, const gbl_reduction *how);

/* The cost of a stream over a call whose least work is known. reduce_launches: 0 for none, 1 for a
 * reduction in one pass, 2 for one in two. */
void gbl_stream_cost(const gbl_vector_call *call, const gbl_params *params,
                     const gbl_device *device, const gbl_work *least, int reduce_launches,
                     gbl_cost *cost);

/* fits() of kernels, and of kernels whose last group finishes the work. */
bool gbl_stream_fits(const void *call, const gbl_device *device);
bool gbl_stream_fits_handover(const void *call, const gbl_device *device);

#endif
