/* cg_check.h: a small system solved by the kernels of pipelined CG, for tests of kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef CG_CHECK_H
#define CG_CHECK_H

#include "core/context.h"

/* precond 0: none, 1: Jacobi, 2: blocks of three rows; format GABLE_CSR or GABLE_ELL. Gives how
 * many expectations of all calls so far did not hold. */
long cg_check(gable_context *ctx, gbl_dtype dtype, int together, int precond, gable_format format);

#endif
