/* sparse_check.h: small products with sparse matrices in every format, exact, for tests of kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef SPARSE_CHECK_H
#define SPARSE_CHECK_H

#include "core/context.h"
#include "sparse/matrix/sparse_matrix.h"

/* How a product is made. */
typedef struct sparse_way {
    const char *variant;
    gable_format format;
    int32_t values[7]; /* of its tunables, in their order */
    int64_t k;         /* columns */
} sparse_way;

extern const sparse_way sparse_ways[];
extern const int sparse_way_count;

/* Multiplies in a precision with indices of 4 or 8 bytes; false, and a sentence: a status, or an
 * element that is not what it must be. */
bool sparse_check(gable_context *ctx, const sparse_way *way, gbl_dtype dtype, int index_bytes,
                  char why[256]);

#endif
