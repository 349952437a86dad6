/* matrix_data.h: what tests of matrix-vector routines share: A, x and y of a shape, watched.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A is one guarded vector of (n - 1) lda + m elements of which the columns are filled: what lies
 * between them is guarded as the surroundings are. Element (i, j) is number i + j lda.
 */
#ifndef TEST_MATRIX_DATA_H
#define TEST_MATRIX_DATA_H

#include "blas/level2/level2.h"
#include "harness/routine.h"

typedef struct matrix_shape {
    gable_trans trans;
    int64_t m, n, lda, incx, incy;
    int offset; /* elements that A is off its alignment */
} matrix_shape;

/* Elements of x and of y. */
int64_t matrix_x(const matrix_shape *s);
int64_t matrix_y(const matrix_shape *s);

/* Small and odd sizes with gaps, offsets and strides, for N, T and C; a tall, a wide and a large
 * matrix. The list lives until the next is asked for.
 *
 * Kernels differ by alignment, and a device may take a second to compile one. So the list is whole
 * on the host and with GABLE_TEST_ALL only: elsewhere a shape becomes one of three kinds, for which
 * matrix_of_run takes its number. */
const matrix_shape *matrix_shapes(const routine *r, int *count);
/* A tenth of them, for slow ways through a test. */
const matrix_shape *matrix_few_shapes(const routine *r, int *count);
matrix_shape matrix_of_run(const routine *r, matrix_shape s, int number);
/* The same, but only a CPU behind OpenCL changes anything. */
matrix_shape matrix_of_slow_run(const routine *r, matrix_shape s);
/* Whether shapes stay as they are listed. */
bool matrix_takes_all(const routine *r);
/* Where a kernel takes a second, forced variants are tried in s only. */
bool matrix_left_out(const routine *r);

/* The calls that meet every kind of variant: squares, tall and wide ones, plain and transposed. */
const void *matrix_probe(const routine *r, int i);

/* Sets the line that reproduces a case. */
void matrix_case(routine *r, const matrix_shape *s, uint64_t seed, const char *more);

typedef struct matrix_operands {
    guarded A, x, y, scalars; /* alpha and beta, where they are on the device */
} matrix_operands;

typedef void (*matrix_element)(const guarded *v, int64_t i, uint64_t seed);

/* A, x and y of a shape, made by `element` and sent; room for two scalars. Destroy them in any
 * case. */
bool matrix_build(routine *r, matrix_operands *o, const matrix_shape *s, size_t elem_bytes,
                  matrix_element element, uint64_t seed, guarded_fill fill, guarded_fence fence);
void matrix_destroy(matrix_operands *o);

/* After a call: A and x are what they were. */
void matrix_unchanged(matrix_operands *o);

#endif
