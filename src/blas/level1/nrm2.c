/* nrm2.c: result := sqrt(sum of |x_i|^2)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * x is read once; neither overflow nor underflow (kernels/level1/norm.h, src/cpu/cpu_nrm2.c).
 * Variants: one launch whose last group adds the partial sums, two launches where groups cannot
 * hand over, on cpu the installed BLAS or OpenMP, and the vendor's library.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    *least = gbl_vector_work(call, 1, 0, 2, 4);
    least->bytes_written = (double)gbl_dtype_real_bytes(call->dtype);
}

/* Partial sums are in double: one for s and c; medium, big and small for d and z.
 *
 * Libraries differ on negative strides here: most return 0, cuBLAS too. OpenBLAS 0.3.21 gives 0 or
 * Inf for tiny numbers in double precision, and 0 for a NaN when it uses threads. */
static const gbl_vector_routine routine = {
    .stem = "nrm2",
    .work = work,
    .omp = GBL_CPU_FOUR(nrm2_omp),
    .blas = {gbl_cpu_snrm2_blas, NULL, gbl_cpu_cnrm2_blas, NULL},
    .forward_only = true,
    .kernel = "nrm2.cl",
    .finish = "nrm2_finish.cl",
    .partial_bytes = {8, 24, 8, 24},
};

static const gbl_variant variants[] = {GBL_REDUCE_VARIANTS(&routine, "nrm2.cl", "nrm2_finish.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_X(GBL_READ),
    GBL_OPERAND_RESULT(gbl_real_element),
};

const gbl_op gbl_nrm2_op = {GBL_VECTOR_OP("nrm2", operands, variants), .plain = gbl_plain_x,
                            .work = work};
