/* sparse_model.h: sparse matrices as tests know them: plain compressed rows, and the calls of all
 * precisions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_SPARSE_MODEL_H
#define TEST_SPARSE_MODEL_H

#include <stdint.h>
#include "harness/check.h"
#include "harness/number.h"

/* Columns of a row rise. */
typedef struct model {
    int64_t rows, columns, entries;
    int64_t *start, *column;
    number *value;
} model;

/* A matrix with about `density` of its places filled, and every `gap`-th row empty (0: none).
 * Values are small integers, so that sums are exact. */
model model_random(int64_t rows, int64_t columns, double density, int gap, uint64_t seed);
/* Row i has i % most + 1 entries, but row `full` has all. */
model model_ragged(int64_t rows, int64_t columns, int64_t most, int64_t full, uint64_t seed);
void model_free(model *m);

/* The arrays of a call: indices of 32 or 64 bits and values, on the host or the device. */
typedef struct arrays {
    gable_context *ctx;
    bool on_device;
    int64_t entries;
    void *first, *column, *values;
} arrays;

/* Compressed rows, or coordinates; entries of a row (all entries) turned around or shuffled;
 * indices from `base` on. */
typedef struct way {
    bool coordinates, shuffled, on_device;
    int bits, base;
} way;
bool arrays_make(gable_context *ctx, gbl_dtype dtype, const model *m, const way *how, arrays *a);
void arrays_free(arrays *a);

/* gable_sparse_scsr and the like, by precision. */
gable_status sparse_csr(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                        int64_t entries, int bits, const void *start, const void *column,
                        const void *values, unsigned flags, gable_sparse **A);
gable_status sparse_coo(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                        int64_t entries, int bits, const void *row, const void *column,
                        const void *values, unsigned flags, gable_sparse **A);
gable_status sparse_get(gable_context *ctx, gbl_dtype dtype, gable_sparse *A, int64_t *start,
                        int64_t *column, void *values);
/* The matrix of a model, from host arrays. */
gable_sparse *sparse_of(gable_context *ctx, gbl_dtype dtype, int bits, const model *m);

/* All entries of A must be the model's, bit by bit. */
void check_same(gable_context *ctx, gbl_dtype dtype, gable_sparse *A, const model *m);

/* Elements as bytes. */
void element_put(gbl_dtype dtype, void *values, int64_t at, number value);
number element_get(gbl_dtype dtype, const void *values, int64_t at);

#endif
