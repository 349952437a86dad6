/* stored.h: where matrices keep their elements: column by column, as a band, packed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests make a matrix by rows and columns and put what is stored into its place. All other places
 * of the array hold NaN, so that reading one shows in the result.
 */
#ifndef TEST_STORED_H
#define TEST_STORED_H

#include <stdbool.h>
#include <stdint.h>
#include "device/matrix_args.h"

/* Sizes of a matrix as BLAS takes them. Square matrices have m = n. A band has kl diagonals below
 * the main one and ku above; symmetric and triangular bands have kl = ku = k. */
typedef struct stored_shape {
    int64_t m, n, kl, ku;
    int64_t lda;     /* packed matrices: 0 */
    gable_uplo uplo; /* of triangles */
} stored_shape;

/* A way to store a matrix. */
typedef struct stored {
    const char *name;
    gbl_storage storage;
    bool triangle; /* only the triangle that uplo names */
    /* The place of element (i, j) in the array, for elements that are stored. */
    int64_t (*place)(const stored_shape *s, int64_t i, int64_t j);
    /* Elements of the array up to the end of the last column. */
    int64_t (*elements)(const stored_shape *s);
    int64_t (*least_lda)(const stored_shape *s); /* NULL: there is no lda */
} stored;

/* Of ge, of sy and tr, of gb, of sb and tb, of sp and tp. */
extern const stored stored_full, stored_triangle, stored_band, stored_band_triangle, stored_packed;

/* Whether (i, j) is inside the band, and on the side of the triangle. */
bool stored_inside(const stored *how, const stored_shape *s, int64_t i, int64_t j);
bool stored_side(const stored *how, const stored_shape *s, int64_t i, int64_t j);
/* Both. */
bool stored_has(const stored *how, const stored_shape *s, int64_t i, int64_t j);

/* The first and the last row of column j that are inside the band; the columns of row i. */
int64_t stored_first_row(const stored *how, const stored_shape *s, int64_t j);
int64_t stored_last_row(const stored *how, const stored_shape *s, int64_t j);
int64_t stored_first_column(const stored *how, const stored_shape *s, int64_t i);
int64_t stored_last_column(const stored *how, const stored_shape *s, int64_t i);

/* lda of a matrix with a gap behind each column, which may be made longer until columns stand alike
 * on aligned addresses, or do not. 0 if packed. */
typedef enum stored_columns { COLUMNS_AS_IS, COLUMNS_ALIKE, COLUMNS_APART } stored_columns;
int64_t stored_lda(const stored *how, const stored_shape *s, int64_t gap, stored_columns columns);

#endif
