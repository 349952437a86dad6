/* columns.h: what mdot, maxpy and mnrm2 share: the columns of a matrix, also beside one vector.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_COLUMNS_H
#define GBL_COLUMNS_H

#include "blas/level1/stream_plan.h"

/* The tunables of the stream kernels, and how many columns a work-item has requested at a time. */
enum { COLUMNS_BATCH = STREAM_PARAMS, COLUMNS_PARAMS };
extern const gbl_param gbl_columns_space[COLUMNS_PARAMS];

/* A call with one number per column, of so many bytes, which is that argument: checked, run, and
 * brought to where the caller wants it. */
gable_status gbl_columns_result(gable_context *ctx, const char *name, const gbl_op *op,
                                const gbl_vector_call *call, int argument, size_t elem_bytes);

/* n, k; then X and ldx. */
int64_t gbl_columns_count(const void *call);
#define GBL_COLUMNS_SIZES                                                                          \
    GBL_OPERAND_N,                                                                                 \
    {                                                                                              \
        .name = "k", .kind = GBL_SIZE, .at = VECTOR_AT(count)                                      \
    }
#define GBL_COLUMNS_MATRIX                                                                         \
    {.name = "X",                                                                                  \
     .kind = GBL_MATRIX,                                                                           \
     .access = GBL_READ,                                                                           \
     .at = VECTOR_AT(x),                                                                           \
     .step = VECTOR_AT(ldx),                                                                       \
     .rows = gbl_vector_rows,                                                                      \
     .columns = gbl_columns_count},                                                                \
    {                                                                                              \
        .name = "ldx", .kind = GBL_LD, .at = VECTOR_AT(ldx), .least = "n"                          \
    }

/* A call whose plan suits every column: x and w are the first two. */
gbl_vector_call gbl_columns_plan_call(const gbl_vector_call *call);

/* Column j. */
void *gbl_column(const gbl_vector_call *call, int64_t j);

#endif
