/* convert_plan.h: how rows will lie in another format: found from their lengths, on the host or on
 * the device.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CONVERT_PLAN_H
#define GBL_CONVERT_PLAN_H

#include "sparse/matrix/sparse_host.h"

/* Slices have a power of two of rows. */
#define GBL_MOST_CHUNK       1024
#define GBL_CHUNK_WIDE       32
#define GBL_CHUNK_OPENCL_CPU 8
/* Where slices of neighbouring rows would be more than a twentieth larger than their entries, rows
 * are sorted by length within windows of so many slices. Larger windows fill up less, but their
 * products write y farther apart. */
#define GBL_SORT_FROM     1.05
#define GBL_SORTED_SLICES 32

typedef struct gbl_convert_plan {
    gbl_sparse_layout layout; /* without its arrays */
    int64_t shift;            /* chunk is 2^shift */
    int64_t places;           /* rows, with those that fill up */
    /* In indices of the matrix's width, or NULL: on the host from malloc, on the device in the
     * arena. */
    bool on_device;
    void *slice;      /* slices + 1: start of SELL */
    void *order;      /* rows: of SELL */
    void *rest_start; /* rows + 1: of HYB, where the rest of a row starts among all rests */
} gbl_convert_plan;

/* For a matrix A in compressed rows, whose starts are on the host too. chunk and sigma are legal,
 * or 0. Refuses what would be too large. */
gable_status gbl_convert_plan_make(gable_context *ctx, const gbl_sparse_layout *A,
                                   const void *start, gable_format format, int64_t chunk,
                                   int64_t sigma, gbl_convert_plan *plan);
void gbl_convert_plan_free(gbl_convert_plan *plan);

/* convert_device.c: the same by kernels, from starts on the device: the host waits for numbers that
 * size the arrays, nothing else. Its arrays are in the arena, whose mark the caller has. *done
 * stays false where rows are sorted in windows that are too large for a group. Not on cpu. */
gable_status gbl_convert_plan_device(gable_context *ctx, const gbl_sparse_layout *A,
                                     gable_format format, int64_t chunk, int64_t sigma,
                                     gbl_convert_plan *plan, bool *done);

/* What both do alike: the plan without its numbers; ELL and the first part of HYB; whether the copy
 * may exist. */
void gbl_convert_plan_begin(const gbl_sparse_layout *A, gable_format format,
                            gbl_convert_plan *plan);
void gbl_convert_plan_ell(gbl_convert_plan *plan, int64_t width);
gable_status gbl_convert_check_room(gable_context *ctx, const gbl_sparse_layout *to);
/* Slices of SELL, and its sigma, which is not 0. */
void gbl_convert_plan_slices(const gbl_device *device, int64_t chunk, gbl_convert_plan *plan);
int64_t gbl_convert_sigma(int64_t sigma, int64_t rows);

/* Rows per slice of SELL where the caller does not say: what a product takes side by side. */
int64_t gbl_convert_chunk(const gbl_device *device, gbl_dtype dtype, int index_bytes);

#endif
