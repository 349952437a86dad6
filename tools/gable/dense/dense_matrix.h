/* dense_matrix.h: a dense matrix of a file, for eig and svd: read, moved to a device and back,
 * written.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * On the host an element is a pair, its real and its imaginary part in double, whatever the
 * precision of the computation is; columns follow each other without gaps.
 */
#ifndef TOOL_DENSE_MATRIX_H
#define TOOL_DENSE_MATRIX_H

#include "core/context.h"
#include "sparse/market/market.h"

typedef struct dense_matrix {
    const char *path;
    gbl_dtype dtype; /* of the computation */
    int64_t m, n;
    double *pairs;
    double norm; /* the 1-norm; NaN where an element is */
} dense_matrix;

/* Reads the file and finds m, n and dtype; asked: a gbl_dtype, or -1. False: the message says why.
 * The caller frees the file, or gives it to dense_fill. */
bool dense_open(dense_matrix *A, int asked, gbl_market *file, gbl_message *message);
/* Fills pairs and norm, and frees the file. Duplicates are added up, what is missing is 0. bytes of
 * host memory are what all of the work takes: where there are fewer, it ends here. */
bool dense_fill(dense_matrix *A, gbl_market *file, double bytes, gbl_message *message);
void dense_free(dense_matrix *A);

/* The largest sum of moduli of a column. NaN where an element is. */
double dense_norm(int64_t rows, int64_t columns, const double *pairs);
/* That of the rows by rows matrix in pairs, less the identity. */
double dense_distance_to_identity(int64_t rows, double *pairs);

/* To and from a device. elements: host memory for all of them in the precision of dtype. */
gable_status dense_send(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                        const double *pairs, void *elements, void *device, int64_t ld);
gable_status dense_fetch(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                         const void *device, int64_t ld, void *elements, double *pairs);
/* Real numbers of the precision of dtype. */
gable_status dense_fetch_reals(gable_context *ctx, gbl_dtype dtype, int64_t count,
                               const void *device, void *elements, double *numbers);

/* Columns into a draft that is open, and closed then; path is for messages. */
gable_status dense_write(gbl_draft *draft, const char *path, gbl_dtype dtype, int64_t rows,
                         int64_t columns, const double *pairs, const char *comment,
                         gbl_message *message);

#endif
