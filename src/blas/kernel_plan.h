/* kernel_plan.h: what the plans of kernels share: parts, loads of columns, groups that a device
 * takes, scalars.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_KERNEL_PLAN_H
#define GBL_KERNEL_PLAN_H

#include "core/context.h"
#include "core/kernel.h"
#include "core/kernel_args.h"
#include "core/op.h"
#include "device/matrix_args.h"
#include "scalars_args.h"

#define GBL_WIDEST_LOAD 16 /* bytes that one load instruction of today's devices takes */

/* ---- Local memory ---- */

/* Bytes that arrays of a group may take: those that a kernel declares itself (LOCAL), and those
 * that a launch asks for where the device has that (LOCAL_ROOM). OpenCL's compilers take some for
 * themselves (clGetKernelWorkGroupInfo, CL_KERNEL_LOCAL_MEM_SIZE): 16 in NVIDIA's on an H200
 * (2026-11). */
#define GBL_COMPILER_BYTES 64
int64_t gbl_own_local_bytes(const gbl_props *props);
int64_t gbl_launch_local_bytes(const gbl_props *props);

/* Whether lanes exchange numbers without local memory: in CUDA alone (WARP_SIZE of
 * kernels/dialect.h). */
static inline bool gbl_lanes_exchange(const gbl_props *props)
{
    return props->max_dynamic_local_bytes > 0 && props->simd > 1;
}

/* Those for sums over lanes, beside which a kernel has a few numbers: 32 KiB, less where a group
 * does not get as many. */
#define GBL_SCRATCH_BYTES 32768
int64_t gbl_scratch_bytes(const gbl_props *props);

/* How many parts of a size there are, the last of them perhaps shorter; of nothing there are
 * none. */
static inline int64_t gbl_parts(int64_t whole, int64_t size)
{
    return (whole + size - 1) / size;
}

/* The same, but at least one: for launches, which have a group also where there is nothing to
 * do. */
static inline int64_t gbl_some_parts(int64_t whole, int64_t size)
{
    return whole > 0 ? gbl_parts(whole, size) : 1;
}

/* ---- Scalars ---- */

scalars_args gbl_scalars(const gbl_scalar *alpha, const gbl_scalar *beta);

/* The buffer of a scalar; of one by value any other, which the kernel does not look at. */
static inline const void *gbl_scalar_buffer(const gbl_scalar *scalar, const void *other)
{
    return scalar->device != NULL ? scalar->device : other;
}

/* ---- Where columns start (kernels/storage.h) ---- */

/* The call with A and lda as kernels take them: element (i, j) stands at A + j * lda + i, but in
 * packed storage. */
gbl_matrix_args gbl_stored_columns(const gbl_matrix_args *call);

/* The macro that names the storage; full matrices need none. */
void gbl_storage_macro(const gbl_matrix_args *call, gbl_kernel_spec *spec);

/* ---- Loads of columns ---- */

/* The widest alignment at most `align` bytes that every column of a matrix reaches after *head
 * rows; that of single elements, and 0 rows, where columns start differently. */
int32_t gbl_column_alignment(int32_t align, const void *A, int64_t lda, int64_t columns,
                             gbl_dtype dtype, int64_t *head);

/* How a lane loads its part of a column (kernels/tile.h). */
typedef struct gbl_column_loads {
    int64_t head;    /* rows above the first that stands on an aligned address */
    int64_t vectors; /* of vec rows, below those */
    int32_t vec;     /* rows per load */
    int32_t unroll;  /* loads in flight */
    int32_t align;   /* bytes that a load may count on */
    bool alike;      /* columns start so that vectors of all of them are aligned */
    bool spread;     /* vectors are single rows, apart */
} gbl_column_loads;

/* align, head and alike, for vectors of loads->vec rows of A, whose columns are as
 * gbl_stored_columns says. */
void gbl_columns_align(const gbl_matrix_args *call, gbl_column_loads *loads);

/* Columns that do not start alike are loaded in single elements; where they do, or vec is 1, this
 * changes nothing but head and align, which then are those of single elements. */
void gbl_columns_spread(const gbl_matrix_args *call, gbl_column_loads *loads);

/* The loads of a product, once they are aligned. Devices that are no GPUs load vectors from any
 * address. On GPUs, where columns do not start alike: plain products spread their vectors,
 * transposed ones have vectors of one row and more of them in flight; either way at most `most`
 * loads, where a lane has `batch` columns. */
void gbl_product_loads(const gbl_matrix_args *call, const gbl_device *device, int32_t batch,
                       int32_t most, gbl_column_loads *loads);

/* ---- Kernels ---- */

/* Plans a call and says which kernel it needs; gives the work-items of a group, at most
 * most_items. */
typedef int32_t (*gbl_plan_function)(const gbl_variant *self, const void *call,
                                     const gbl_params *params, const gbl_device *device,
                                     int32_t most_items, void *plan, gbl_kernel_spec *spec);

/* A plan and its kernel, in groups that the device takes: while it does not, tunable number `items`
 * is halved. */
gable_status gbl_plan_kernel(gable_context *ctx, const gbl_variant *self, const void *call,
                             const gbl_params *params, int items, gbl_plan_function make,
                             void *plan, gbl_kernel **kernel);

/* ---- Macros ---- */

/* A kernel without macros yet. */
void gbl_kernel_begin(gbl_kernel_spec *spec, const char *file, gbl_dtype dtype);
/* GBL_MAX_MACROS at most. */
void gbl_kernel_add_macro(gbl_kernel_spec *spec, const char *name, int32_t value);

/* ITEMS, WX, VEC, UNROLL and ALIGN. */
void gbl_columns_macros(int32_t items, int32_t wx, const gbl_column_loads *loads,
                        gbl_kernel_spec *spec);

#endif
