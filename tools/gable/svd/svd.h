/* svd.h: `gable svd`: what its files share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_SVD_H
#define TOOL_SVD_H

#include "gable/dense/dense_matrix.h"

typedef struct svd_case {
    dense_matrix A;
    int64_t k; /* min(m, n) */
    bool vectors;
    double *values; /* k of them, descending */
    double *U, *Vt; /* pairs, m by k and k by n; NULL: none were asked for */
    int64_t info;
    /* How good they are, over max(m, n) 2u, the first over the norm of A, too. */
    double residual, orthogonality_u, orthogonality_v;
    double read_seconds, seconds;
} svd_case;

/* Bytes of host memory that all of the work takes, but for workspace of LAPACK's. */
double svd_host_bytes(const gable_context *ctx, const svd_case *what);
/* Values, and vectors, on the device; then how good they are. */
gable_status svd_run(gable_context *ctx, svd_case *what);
void svd_free(svd_case *what);

#endif
