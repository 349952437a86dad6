/* sparse_kernels.h: the kernels that make and change sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They belong to no op: nothing is chosen or measured. The list of all forms is here, for those who compile them.
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
    GBL_SPARSE_KERNELS
} gbl_sparse_kernel;

/* A form of one of them. */
typedef struct gbl_sparse_form {
    gbl_sparse_kernel kernel;
    gbl_dtype dtype; /* any, where no values are touched */
    int index_bytes;
    bool sliced, ordered, rest;
} gbl_sparse_form;

/* Launches `items` work-items, one each for rows, places or entries. On cpu the C loop runs at once. */
gable_status gbl_sparse_launch(gable_context *ctx, const gbl_sparse_form *form, int64_t items,
                               const void *const *buffers, int buffer_count,
                               const sparse_convert_args *args);

/* convert_cpu.c: the same by C loops, at once. */
void gbl_sparse_run_on_cpu(const gbl_sparse_form *form, int64_t items, const void *const *buffers,
                           const sparse_convert_args *args);

/* All forms in a precision, for tests that compile kernels: how many; specs may be NULL. */
int gbl_sparse_specs(gbl_dtype dtype, gbl_kernel_spec *specs);

#endif
