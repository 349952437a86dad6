/* scal.c: x := alpha x, alpha of the type of x or real
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x is read and written once. Always multiplies, so that NaN stays NaN; libraries write zeros for
 * alpha = 0. Variants: the stream kernel, on cpu the installed BLAS or OpenMP, and the vendor's
 * library.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 1, 1, 1, 6);
}

static const gbl_vector_routine routine = {
    .stem = "scal",
    .not_x86 = {true}, /* a NaN for alpha is lost */
    .work = work,
    .omp = GBL_CPU_FOUR(scal_omp),
    .blas = GBL_CPU_FOUR(scal_blas),
    .forward_only = true,
    .kernel = "scal.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "scal.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_ALPHA,
    GBL_OPERAND_X(GBL_READ_WRITE),
    {.kind = GBL_SWITCH, .at = VECTOR_AT(real_scalars), .complex = true},
};

const gbl_op gbl_scal_op = {GBL_VECTOR_OP("scal", operands, variants), .plain = gbl_plain_x,
                            .work = work};
