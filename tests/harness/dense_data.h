/* dense_data.h: what tests of whole matrices share: their shapes, and matrices that are watched.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A matrix is one guarded vector of (columns - 1) ld + rows elements of which the columns are
 * filled: what lies between them is guarded as the surroundings are. Element (i, j) is number i + j
 * ld.
 */
#ifndef TEST_DENSE_DATA_H
#define TEST_DENSE_DATA_H

#include "blas/level2/level2.h"
#include "harness/routine.h"

typedef struct dense {
    guarded v;
    int64_t rows, columns, ld;
} dense;

/* Where a matrix stands: elements between its columns and off its alignment. ALIKE and APART make
 * the gap longer until columns stand alike on aligned addresses, or do not. */
typedef struct dense_place {
    int64_t gap;
    int offset;
    enum { AS_IS, ALIKE, APART } columns;
} dense_place;

typedef void (*dense_element)(const guarded *v, int64_t i, uint64_t seed);

/* A matrix of elements made by `element` (NULL: it holds the fill), not yet sent. Destroy it in any
 * case. */
bool dense_make(dense *d, gable_context *ctx, int64_t rows, int64_t columns, dense_place place,
                size_t elem_bytes, dense_element element, uint64_t seed, guarded_fill fill,
                guarded_fence fence);
void dense_destroy(dense *d);

/* After a fetch: what is no element of the matrix is as it was. */
bool dense_gaps(const dense *d, const char *name);

/* m by n, and where up to three matrices stand. */
typedef struct dense_shape {
    int64_t m, n;
    dense_place at[3];
} dense_shape;

/* Sizes around tiles and vectors, thin and larger ones, with gaps and offsets. On GPUs only three
 * kinds of places come: all columns of all matrices start alike, those of none do, and those of the
 * first do not.
 * Where kernels take long to compile s and c have the first kind, d and z the second. The list
 * lives until the next is asked for. */
const dense_shape *dense_shapes(const routine *r, int *count);
/* A few of them. */
const dense_shape *dense_few_shapes(const routine *r, int *count);

/* Where a kernel takes a second, forced variants are tried in s only. */
bool dense_left_out(const routine *r);

#endif
