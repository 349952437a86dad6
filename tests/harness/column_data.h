/* column_data.h: what tests of several vectors at once share: X, n by k, and a vector y.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * X is one guarded vector of (k - 1) ldx + n elements of which the columns are filled: what lies
 * between them is guarded as the surroundings are. Element i of column j is number i + j ldx.
 */
#ifndef TEST_COLUMN_DATA_H
#define TEST_COLUMN_DATA_H

#include "harness/routine.h"

#define COLUMNS_MOST 50 /* the largest k among the shapes */

typedef struct columns_shape {
    int64_t n, k, ldx, incy;
    int offx, offy; /* reals that the pointers are off their alignment */
} columns_shape;

/* Every k in 1 ... 9, 17, 50 with small n, gaps and odd leading dimensions, strides and offsets of
 * y; a few large n; a tenth of them. A list lives until the next is asked for.
 *
 * Kernels differ by k and by alignment, and a device may take a second to compile one. So the lists
 * are whole on the host and with GABLE_TEST_ALL only: elsewhere a precision takes two of the k, one
 * where all is aligned and one for shifted and strided shapes, and the four together meet most
 * sizes of a batch. Variants that are not the default take aligned shapes only. */
const columns_shape *columns_shapes(const routine *r, int *count);
const columns_shape *columns_few_shapes(const routine *r, int *count);

/* A test's own shape as this run takes it. */
columns_shape columns_of_run(const routine *r, columns_shape s);

/* Whether this run spends a second kernel on a shape: mdotc beside mdotu, coefficients of maxpy
 * from host and device. */
bool columns_twice(const routine *r, const columns_shape *s);

/* Sets the line that reproduces a case. */
void columns_case(routine *r, const columns_shape *s, uint64_t seed, const char *more);

typedef struct columns {
    guarded X, y;
} columns;

typedef void (*columns_element)(const guarded *v, int64_t i, uint64_t seed);

/* X and y of a shape, made by `element` and sent; destroy them in any case. */
bool columns_build(routine *r, columns *c, const columns_shape *s, size_t elem_bytes,
                   size_t real_bytes, columns_element element, uint64_t seed, guarded_fill fill,
                   guarded_fence fence);
void columns_destroy(columns *c);

/* A place for several numbers in host or device memory, watched as result_place is. */
typedef struct columns_result {
    guarded device;
    unsigned char *host;
    size_t bytes;
    void *at; /* what a routine takes */
} columns_result;

bool columns_result_make(columns_result *place, gable_context *ctx, size_t bytes, bool on_host);
/* Copies the numbers out, checks what is around them, frees. */
bool columns_result_take(columns_result *place, void *values);
/* The same, where the place must not have been touched at all. */
bool columns_result_untouched(columns_result *place);

#endif
