/* sparse_show.h: rows of `gable bench` of sparse matrices: as a table, as JSON or as CSV.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_SPARSE_SHOW_H
#define TOOL_SPARSE_SHOW_H

#include "bench_output.h"
#include "sparse_bench.h"

void sparse_show_header(bench_output *output);
/* One row of one device; counted, kept and printed. */
void sparse_show_row(bench_output *output, int device, const bench_sparse_row *row);

#endif
