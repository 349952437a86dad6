/* line_read.h: what it costs to read a matrix with neighbours a row or a column apart
 * (kernels/gemm/gemm_read.cl).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix-multiply study's question: the same bytes, once in whole cache lines and once an
 * element per line. The matrix is cold: it rotates over sets or the cache is emptied before.
 */
#ifndef BENCH_LINE_READ_H
#define BENCH_LINE_READ_H

#include "core/op.h"

/* Whether the device has kernels and m, n are not too large for one launch. */
bool bench_line_read_fits(const gable_context *ctx, int64_t m, int64_t n);

/* Seconds of reading a matrix once: the median of some runs. across: neighbours are a column
 * apart. */
gable_status bench_line_read_seconds(gable_context *ctx, gbl_dtype dtype, int64_t m, int64_t n,
                                     bool across, double *seconds);

/* What it costs, for the model. */
void bench_line_read_cost(const gbl_device *device, gbl_dtype dtype, int64_t m, int64_t n,
                          bool across, gbl_cost *cost);

/* One launch on memory of its own, for tools that look at kernels. */
gable_status bench_line_read_launch(gable_context *ctx, gbl_dtype dtype, bool across);

#endif
