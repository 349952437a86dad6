/* sparse_host.h: sparse matrices in host memory: indices of either width, compressed rows made from
 * what a caller gives.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_SPARSE_HOST_H
#define GBL_SPARSE_HOST_H

#include "sparse/matrix/sparse_matrix.h"

/* ---- Indices of 4 or 8 bytes ---- */

static inline int64_t gbl_index_get(const void *indices, int bytes, int64_t at)
{
    return bytes == 4 ? ((const int32_t *)indices)[at] : ((const int64_t *)indices)[at];
}

static inline void gbl_index_put(void *indices, int bytes, int64_t at, int64_t value)
{
    if (bytes == 4)
        ((int32_t *)indices)[at] = (int32_t)value;
    else
        ((int64_t *)indices)[at] = value;
}

/* One value moved: elem is 4, 8 or 16 bytes. */
static inline void gbl_value_move(void *target, int64_t to, const void *source, int64_t from,
                                  size_t elem)
{
    typedef struct pair {
        uint64_t half[2];
    } pair;
    if (elem == 4)
        ((uint32_t *)target)[to] = ((const uint32_t *)source)[from];
    else if (elem == 8)
        ((uint64_t *)target)[to] = ((const uint64_t *)source)[from];
    else
        ((pair *)target)[to] = ((const pair *)source)[from];
}

/* ---- matrix_host.c, matrix_transpose.c ---- */

/* Compressed rows on the host, counted from 0, columns of a row rising. */
typedef struct gbl_sparse_host {
    gbl_dtype dtype;
    int index_bytes;
    int64_t rows, columns, entries, longest;
    const void *start, *column, *values;
    void *owned[3]; /* from malloc: those of the arrays that are not the caller's */
} gbl_sparse_host;

/* From the source's arrays, which are on the host: checked, sorted, added up. The arrays of the
 * source are used as they are where nothing is to be changed, so they must outlive the result. */
gable_status gbl_sparse_host_make(gable_context *ctx, const gbl_sparse_source *source,
                                  gbl_sparse_host *host);
/* A's entries; on cpu its own arrays, where it has compressed rows. */
gable_status gbl_sparse_fetch(gable_context *ctx, const gable_sparse *A, gbl_sparse_host *host);
/* A^T of compressed rows; of each row the columns rise. */
gable_status gbl_sparse_host_transpose(gable_context *ctx, const gbl_sparse_host *host,
                                       gbl_sparse_host *transpose);
void gbl_sparse_host_free(gbl_sparse_host *host);

/* The names of what can be wrong with entries, the worst first, so that the one found is always the
 * same. */
typedef enum gbl_entry_fault {
    GBL_FAULT_START,  /* start: element `place` */
    GBL_FAULT_ROW,    /* row: entry `place` is out of range */
    GBL_FAULT_COLUMN, /* column: likewise */
    GBL_FAULT_TWICE,  /* entry `place` has the place of an earlier one */
    GBL_FAULTS
} gbl_entry_fault;
/* Writes the message. The indices are those at `place`, as the caller gave them; before: the start
 * in front of it. */
gable_status gbl_sparse_fault(gable_context *ctx, const gbl_sparse_source *source,
                              gbl_entry_fault fault, int64_t place, int64_t before, int64_t first,
                              int64_t column);

/* matrix_device.c: from the source's arrays, which are on the device, without the entries leaving
 * it. *A stays NULL where they need sorting or count from 1: that is done by way of the host. */
gable_status gbl_sparse_from_device(gable_context *ctx, const gbl_sparse_source *source,
                                    gable_sparse **A);
/* matrix_statistics.c: the same from starts on the host. */
void gbl_sparse_lengths_count(const gbl_sparse_layout *A, const void *start,
                              gbl_sparse_lengths *found);
/* The lengths of the rows of arrays on the device, which are right. */
gable_status gbl_sparse_lengths_find(gable_context *ctx, const gbl_sparse_layout *rows,
                                     gbl_sparse_lengths *lengths);

/* ---- matrix.c: the parts of creation, for those who fill arrays themselves ---- */

/* A matrix with the arrays of the layout, which are its own from then on; and one from host
 * arrays. */
gable_status gbl_sparse_new(gable_context *ctx, const gbl_sparse_layout *layout, gable_sparse **A);
gable_status gbl_sparse_from_host(gable_context *ctx, const gbl_sparse_host *host,
                                  gable_sparse **A);
/* Waits until its arrays are filled, so that any context of the device may use them; else it is
 * freed. */
gable_status gbl_sparse_complete(gable_context *ctx, gable_sparse **A);
/* An array of the device, of one element at least; all arrays of a layout in one allocation, which
 * takes a GPU some 50 us however large it is; the end of all arrays of a layout. */
gable_status gbl_sparse_alloc(gable_context *ctx, int64_t count, size_t bytes, const void **array);
typedef struct gbl_sparse_array_spec {
    const void **array;
    int64_t count;
    size_t bytes; /* of an element */
} gbl_sparse_array_spec;
gable_status gbl_sparse_alloc_all(gable_context *ctx, const gbl_sparse_array_spec *arrays,
                                  int array_count, gbl_sparse_layout *layout);
gable_status gbl_sparse_free_arrays(gable_context *ctx, gbl_sparse_layout *layout);

/* convert.c: A in compressed rows: its own arrays where it is (borrowed), else fresh ones for the
 * caller to free. */
gable_status gbl_sparse_rows_of(gable_context *ctx, const gable_sparse *A, gbl_sparse_layout *rows,
                                bool *borrowed);

/* convert.c: where A's rows start among coordinates that are sorted by row, `entries` of them. */
gable_status gbl_sparse_starts(gable_context *ctx, const gbl_sparse_layout *A, const void *row,
                               int64_t entries, const void *start);

/* Refuses what the memory there is cannot hold, before any of it is taken: coordinates of `source`,
 * sorted into a matrix. `name` is a file's, or NULL; `beside` are bytes that are held meanwhile. */
gable_status gbl_sparse_check_memory(gable_context *ctx, const char *name,
                                     const gbl_sparse_source *source, double beside);

/* Host memory, or the message that there is none. */
gable_status gbl_sparse_room(gable_context *ctx, int64_t count, size_t bytes, void **room);

#endif
