/* sparse_named.h: sparse matrices of benchmarks, made or read by name, in compressed rows on the
 * host.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   laplace5:3000x3000    5 points on a grid, 3000 alone means 3000 x 3000
 *   laplace7:256          7 points in three dimensions, also 64x32x16; laplace27 likewise
 *   elasticity3:60        blocks of 3 x 3 for each pair of neighbours, of 1 to 64 unknowns per
 *                         point
 *   convection7:100       upwind convection and diffusion, not symmetric; convection5 in two
 *                         dimensions
 *   power:1e6             rows with lengths by a power law, up to 1000
 *   A.mtx                 a Matrix Market file: symmetry expanded, duplicates added
 */
#ifndef BENCH_SPARSE_NAMED_H
#define BENCH_SPARSE_NAMED_H

#include <stdbool.h>
#include "device/dtype.h"
#include "device/message.h"

typedef struct bench_sparse_matrix {
    char name[256];
    int64_t rows, columns, entries;
    int64_t *start, *column;
    double *value; /* complex: two each */
    bool complex_values;
} bench_sparse_matrix;

/* Whether a name is one of these; else the text, a sentence without a point, says why. Files need
 * not exist. */
bool bench_sparse_name_check(const char *name, char *text, size_t text_bytes);

/* Makes or reads it. GABLE_BAD_ARGUMENT and others with a sentence in the message. */
gable_status bench_sparse_make(const char *name, bench_sparse_matrix *matrix, gbl_message *message);
void bench_sparse_free(bench_sparse_matrix *matrix);

/* The transpose, conjugated where asked; rows have sorted columns. */
gable_status bench_sparse_transpose(const bench_sparse_matrix *matrix, bool conj,
                                    bench_sparse_matrix *transpose, gbl_message *message);

/* Element e as precisions round it. */
void bench_sparse_value(const bench_sparse_matrix *matrix, int64_t e, gbl_dtype dtype, double *re,
                        double *im);

#endif
