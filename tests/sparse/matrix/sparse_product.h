/* sparse_product.h: products with sparse matrices against a reference in wider arithmetic.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The reference walks over the compressed rows of a model, which no format and no kernel has seen.
 */
#ifndef TEST_SPARSE_PRODUCT_H
#define TEST_SPARSE_PRODUCT_H

#include "sparse/matrix/sparse_matrix.h"
#include "sparse/matrix/sparse_model.h"

/* What is multiplied, and how. */
typedef struct product_case {
    gbl_dtype dtype;
    gable_trans trans;
    int64_t k, more_x, more_y; /* columns; how much ldx and ldy are larger than they must be */
    number alpha, beta;
    bool on_device;   /* alpha and beta are */
    bool several;     /* as mm takes it, also with one column */
    bool x_unread;    /* alpha is 0: x holds NaN */
    bool columns_nan; /* x holds NaN where A has no entry in the column */
    uint64_t seed;
    guarded_way around;
} product_case;

/* The transpose, or the conjugate transpose. */
model model_transposed(const model *m, bool conj);
/* Rounds the values of a model to a precision, after giving them random ones. */
void model_randomise(model *m, gbl_dtype dtype, uint64_t seed);

/* Multiplies twice with A, whose entries are the model's, and checks every element against its
 * bound, the two results against each other, bit by bit, and what must not change. */
void product_check(gable_context *ctx, gable_sparse *A, const model *m, const product_case *of);

#endif
