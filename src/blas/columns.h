/* columns.h: what mdot and maxpy share: one vector beside the columns of a matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_COLUMNS_H
#define GBL_COLUMNS_H

#include "blas/stream_plan.h"

/* The tunables of the stream kernels, and how many columns a work-item has requested at a time. */
enum { COLUMNS_BATCH = STREAM_PARAMS, COLUMNS_PARAMS };
extern const gbl_param gbl_columns_space[COLUMNS_PARAMS];

/* Key of a choice: as gbl_vector_key, and the rounded log2 of the number of columns. */
uint64_t gbl_columns_key(const void *call);

/* Arguments n and k; then X, ldx and y, by the numbers of X and y. */
gable_status gbl_columns_check_sizes(gable_context *ctx, const gbl_vector_call *call);
gable_status gbl_columns_check(gable_context *ctx, const gbl_vector_call *call, int x_number,
                               int y_number, bool writes_y);

/* X, y and the k numbers, where the context is guarded. */
gable_status gbl_columns_guard(gable_context *ctx, const gbl_vector_call *call, int x_number,
                               int y_number, const gbl_operand *numbers, bool writes_y);

/* A call whose plan suits every column: x and w are the first two. */
gbl_vector_call gbl_columns_plan_call(const gbl_vector_call *call);

/* Column j. */
void *gbl_column(const gbl_vector_call *call, int64_t j);

#endif
