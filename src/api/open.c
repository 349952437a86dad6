/* open.c: the door to a context; here the layers above core are put into their hooks.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "blas/level1/level1.h"
#include "blas/level3/level3.h"
#include "core/context.h"
#include "lapack/lapack.h"
#include "model/profile.h"
#include "sparse/matrix/sparse_matrix.h"
#include "tune/choose.h"

/* Every op; the command, the tuner and GABLE_VARIANT know an op by being in this list. */
#define OP_OF(stem) &gbl_##stem##_op,
static const gbl_op *const ops[] = {GBL_VECTOR_STEMS(OP_OF) GBL_MATRIX_STEMS(
    OP_OF) GBL_PRODUCT_STEMS(OP_OF) GBL_LAPACK_STEMS(OP_OF) GBL_SPARSE_STEMS(OP_OF) NULL};

_Static_assert(sizeof ops / sizeof ops[0] - 1 <= GBL_MAX_OPS, "GBL_MAX_OPS must grow");

gable_status gable_open(gable_context **ctx, const char *device)
{
    const int64_t from_ns = gbl_profile_now();
    gbl_install_ops(ops);
    gbl_install_choose(gbl_tune_choose);
    gbl_install_foresee(gbl_tune_foresee);
    gbl_install_evidence(&gbl_tune_evidence);
    const gable_status status = gbl_context_open(ctx, device);
    gbl_profile_opened(from_ns);
    return status;
}
