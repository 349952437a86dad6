/* rot.c: (x, y) := (c x + s y, c y - conj(s) x)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both vectors are read and written once. alpha is c, beta is s. Variants: the stream kernel, on
 * cpu the installed BLAS or OpenMP, and the vendor's library.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 2, 2, 6, 20);
}

static const gbl_vector_routine routine = {
    .stem = "rot",
    .work = work,
    .omp = GBL_CPU_FOUR(rot_omp),
    .blas = {gbl_cpu_srot_blas, gbl_cpu_drot_blas, NULL, NULL},
    .kernel = "rot.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "rot.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_X(GBL_READ_WRITE),
    GBL_OPERAND_Y(GBL_READ_WRITE),
    {.name = "c",
     .kind = GBL_SCALAR,
     .access = GBL_READ,
     .at = VECTOR_AT(alpha),
     .element = gbl_real_element},
    {.name = "s",
     .kind = GBL_SCALAR,
     .access = GBL_READ,
     .at = VECTOR_AT(beta),
     .element = gbl_scalar_element},
    {.kind = GBL_SWITCH, .at = VECTOR_AT(real_scalars), .complex = true},
};

const gbl_op gbl_rot_op = {GBL_VECTOR_OP("rot", operands, variants), .plain = gbl_plain_xy,
                           .work = work};
