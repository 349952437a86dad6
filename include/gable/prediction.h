/* prediction.h: how long calls should take, by the model. <gable/gable.h> does not include it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GABLE_PREDICTION_H
#define GABLE_PREDICTION_H

#include "gable/gable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How long a routine that has a host name should take by the model (docs/model.md): *seconds with
 * its operands in device memory; *host_seconds with all of them in host memory, by gable_host_dgemm
 * and its like on this device, transfers included. By such times the standard door chooses between
 * a device and the cpu. seconds may be NULL: then no variant is chosen, which for a factorization
 * may take long. `routine` is a name with its precision, such as "dgemm"; sizes are those of that
 * routine, and what it does not have (side, m of syrk, k of trsm) is ignored. Of solvers such as
 * "dgesv" n is the order and k the number of right-hand sides, of "dormqr" that of reflectors,
 * which must be at most the order of Q, of "dsyevx" that of eigenvalues, at most n. Sizes are at
 * least 1; flags are no-transpose and lower. reads_c: 0 where beta is 0; of "dsyevd", "dsygvd",
 * "dsyevx", "dgesdd" and "dgesvd" 0 for values without vectors; trmm, trsm and other routines of
 * LAPACK ignore it. Nothing runs and nothing is measured. */
GABLE_API gable_status gable_predict(gable_context *ctx, const char *routine, gable_side side,
                                     int64_t m, int64_t n, int64_t k, int reads_c, double *seconds,
                                     double *host_seconds);

#ifdef __cplusplus
}
#endif

#endif
