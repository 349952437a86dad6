/* dot.c: result := sum of x_i y_i, or of conj(x_i) y_i
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both vectors are read once. Variants: one launch whose last group adds the partial sums, two
 * launches where groups cannot hand over, on cpu the installed BLAS or OpenMP, and the vendor's
 * library.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "core/launch.h"
#include "cpu/cpu_kernels.h"

static void work(const void *given, gbl_work *least)
{
    const gbl_vector_call *call = given;
    *least = gbl_vector_work(call, 2, 0, 2, 8);
    least->bytes_written = (double)gbl_dtype_bytes(call->dtype);
}

static const gbl_vector_routine routine = {
    .stem = "dot",
    .contiguous_complex = true, /* OpenBLAS 0.3.21 reads past the end of others on x86-64 */
    .work = work,
    .omp = GBL_CPU_FOUR(dot_omp),
    .blas = GBL_CPU_FOUR(dot_blas),
    .kernel = "dot.cl",
    .finish = "dot_finish.cl",
    .partial_bytes = {4, 8, 8, 16},
};

static const gbl_variant variants[] = {GBL_REDUCE_VARIANTS(&routine, "dot.cl", "dot_finish.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_X(GBL_READ),
    GBL_OPERAND_Y(GBL_READ),
    GBL_OPERAND_RESULT(NULL),
    {.kind = GBL_SWITCH, .at = VECTOR_AT(conj), .complex = true},
};

const gbl_op gbl_dot_op = {GBL_VECTOR_OP("dot", operands, variants), .plain = gbl_plain_xy,
                           .work = work};
