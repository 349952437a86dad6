/* explain_sparse.h: `gable explain spmv A.mtx`: the format of a sparse matrix, and what its product
 * takes in each.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_EXPLAIN_SPARSE_H
#define TOOL_EXPLAIN_SPARSE_H

#include "bench.h"
#include "explain_request.h"
#include "model/roofs.h"

/* Explains products with asked->matrix on the session's device; measures them where asked->measure
 * says so. Returns an exit code. */
int explain_sparse(bench_session *session, const explain_request *asked, const gbl_roofs *roofs);

#endif
