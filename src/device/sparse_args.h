/* sparse_args.h: a sparse matrix as it lies in memory, the operands of a product with it, and the
 * vectors and numbers of a
 * solver: for calls of sparse/ and for tasks (C kernels of the cpu). SPDX-License-Identifier:
 * BSD-3-Clause
 */
#ifndef GBL_SPARSE_ARGS_H
#define GBL_SPARSE_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "device/dtype.h"
#include "gable/types.h"

/* One struct serves all formats; members a format does not have stay zero. Addresses are the
 * device's. Indices count from 0 and are int32_t or int64_t, all alike. Where a place only fills
 * up, its column is -1 and its value 0: nothing is read of x there. Within a row columns rise.
 *
 *   CSR   start[rows + 1], column[entries], value[entries]
 *   COO   row[entries], column, value, sorted by row, then column
 *   ELL   entry j of row i is at i + j * stride, j < width; stride is rows, rounded up to 32
 *   SELL  slice s has rows [s * chunk, (s + 1) * chunk) of the order; entry j of its row l is at
 *         start[s] + l + j * chunk; start[slices + 1]. order[i] is the row of the matrix that
 *         stands at place i; NULL: i itself
 *   HYB   the first `width` entries of each row as ELL; the rest as COO in rest_row, rest_column,
 * rest_value */
typedef struct gbl_sparse_layout {
    gbl_dtype dtype;
    uint8_t format;      /* a gable_format, never AUTO */
    uint8_t index_bytes; /* 4 or 8 */
    uint8_t unused[2];
    int64_t rows, columns, entries;
    int64_t stored;  /* elements of column and value */
    int64_t longest; /* row */
    int64_t width, stride;
    int64_t chunk, sigma, slices;
    int64_t rest;
    const void *start, *row, *column, *value, *order;
    const void *rest_row, *rest_column, *rest_value;
    void *block; /* the allocation that holds all of these; NULL: each is one of its own */
} gbl_sparse_layout;

/* Y := alpha A X + beta Y for k columns (1: vectors). A transposed product is a call with the
 * transpose's layout. */
typedef struct gbl_sparse_args {
    gbl_dtype dtype;
    bool conj; /* of A's values */
    bool unused[3];
    int64_t k, ldx, ldy;
    gbl_sparse_layout A;
    const void *x;
    void *y;
    gbl_scalar alpha, beta;
} gbl_sparse_args;

#endif
