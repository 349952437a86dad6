/* sparse_kernels.h: the kernels that make and change sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They belong to no op: nothing is chosen or measured.
 */
#ifndef GBL_SPARSE_KERNELS_H
#define GBL_SPARSE_KERNELS_H

#include "core/kernel_args.h"
#include "core/launch.h"
#include "sparse_convert_args.h"

typedef enum gbl_sparse_kernel {
    GBL_SPARSE_PACK,
    GBL_SPARSE_REST,
    GBL_SPARSE_LENGTHS,
    GBL_SPARSE_UNPACK,
    GBL_SPARSE_STARTS,
    GBL_SPARSE_COUNTS,
    GBL_SPARSE_SCAN,
    GBL_SPARSE_SORT,
    GBL_SPARSE_CHECK_ROWS, /* from here on: findings */
    GBL_SPARSE_CHECK_ENTRIES,
    GBL_SPARSE_LONGER,
    GBL_SPARSE_LOOK,
    GBL_SPARSE_KERNELS
} gbl_sparse_kernel;

/* A form of one of them. */
typedef struct gbl_sparse_form {
    gbl_sparse_kernel kernel;
    gbl_dtype dtype; /* any, where no values are touched */
    int index_bytes;
    bool sliced, ordered, rest;
    int kind;   /* of counts: SPARSE_OF_SLICES ... */
    int window; /* of sort: rows, a power of two, at most GBL_SPARSE_WINDOW */
} gbl_sparse_form;

/* The largest window of rows that one group sorts. */
#define GBL_SPARSE_WINDOW 2048

/* Launches work-items for `items` rows, places or entries; of counts and scan for as many counts,
 * of sort for as many windows. On cpu the C loop runs at once. */
gable_status gbl_sparse_launch(gable_context *ctx, const gbl_sparse_form *form, int64_t items,
                               const void *const *buffers, int buffer_count,
                               const sparse_convert_args *args);

/* Launches a kernel that looks at n rows or entries, each work-item at several, waits, and puts the
 * findings of all together: findings[SPARSE_FINDINGS]. The findings are its last buffer, which is
 * not among those given. Not on cpu. */
gable_status gbl_sparse_find(gable_context *ctx, const gbl_sparse_form *form, int64_t n,
                             const void *const *buffers, int buffer_count,
                             const sparse_convert_args *args, int64_t *findings);

/* The same in two steps: what is enqueued between them runs behind the kernel and is waited for,
 * too. The findings are in the arena, whose mark the caller has. */
typedef struct gbl_sparse_looking {
    gbl_sparse_kernel kernel;
    int64_t groups;
    void *far;
} gbl_sparse_looking;
gable_status gbl_sparse_find_begin(gable_context *ctx, const gbl_sparse_form *form, int64_t n,
                                   const void *const *buffers, int buffer_count,
                                   const sparse_convert_args *args, gbl_sparse_looking *looking);
gable_status gbl_sparse_find_end(gable_context *ctx, const gbl_sparse_looking *looking,
                                 int64_t *findings);

/* Counts, and makes starts of them: counts[n + 1], and the sum of all in *total, on the device. The
 * arguments of the form's kind; `other` may be NULL. Takes memory from the arena. Not on cpu. */
gable_status gbl_sparse_scan(gable_context *ctx, const gbl_sparse_form *form, int64_t n,
                             const void *start, const void *other, void *counts, void *total,
                             const sparse_convert_args *args);

int64_t gbl_sparse_together(gbl_sparse_kernel kernel, int finding, int64_t a, int64_t b);
/* What is found where there is nothing to look at. */
int64_t gbl_sparse_unfound(gbl_sparse_kernel kernel, int finding);

/* convert_cpu.c: what gbl_sparse_launch does on cpu, for kernels without findings. */
void gbl_sparse_run_on_cpu(const gbl_sparse_form *form, int64_t items, const void *const *buffers,
                           const sparse_convert_args *args);

/* All forms in a precision: how many; specs may be NULL (sparse_specs.h). */
int gbl_convert_specs(gbl_dtype dtype, gbl_kernel_spec *specs);

#endif
