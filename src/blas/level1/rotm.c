/* rotm.c: (x, y) := H (x, y), H two by two and real
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both vectors are read and written once. Variants: the stream kernel, on cpu the installed BLAS or
 * OpenMP, and the vendor's library.
 */
#include "blas/level1/level1.h"
#include "blas/level1/stream_plan.h"
#include "core/number_text.h"
#include "cpu/cpu_kernels.h"

static void work(const void *call, gbl_work *least)
{
    *least = gbl_vector_work(call, 2, 2, 6, 6);
}

static const gbl_vector_routine routine = {
    .stem = "rotm",
    .work = work,
    .omp = {gbl_cpu_srotm_omp, gbl_cpu_drotm_omp, NULL, NULL},
    .blas = {gbl_cpu_srotm_blas, gbl_cpu_drotm_blas, NULL, NULL},
    .kernel = "rotm.cl",
};

static const gbl_variant variants[] = {GBL_MAP_VARIANTS(&routine, "rotm.cl"),
                                       GBL_VECTOR_VARIANTS(&routine)};

static int64_t param_count(const void *call)
{
    (void)call;
    return 5;
}

static const gbl_operand operands[] = {
    GBL_OPERAND_N,
    GBL_OPERAND_X(GBL_READ_WRITE),
    GBL_OPERAND_Y(GBL_READ_WRITE),
    {.name = "param",
     .kind = GBL_SCALAR,
     .access = GBL_READ,
     .at = VECTOR_AT(alpha),
     .rows = param_count},
};

const gbl_op gbl_rotm_op = {GBL_VECTOR_OP("rotm", operands, variants),
                            .dtypes = 1u << GBL_S | 1u << GBL_D, .plain = gbl_plain_xy,
                            .work = work};

/* The five numbers of BLAS's param as H; false: the flag is none of BLAS's. */
static bool read_param(gbl_dtype dtype, const void *param, double *flag, gbl_vector_call *call)
{
    double p[5];
    for (int i = 0; i < 5; i++)
        p[i] = dtype == GBL_S ? (double)((const float *)param)[i] : ((const double *)param)[i];
    *flag = p[0];
    call->alpha = (gbl_scalar){.re = p[0] == 0 ? 1 : p[1], .im = p[0] == 1 ? -1 : p[2]};
    call->beta = (gbl_scalar){.re = p[0] == 1 ? 1 : p[3], .im = p[0] == 0 ? 1 : p[4]};
    return p[0] == -1 || p[0] == 0 || p[0] == 1 || p[0] == -2;
}

gable_status gbl_rotm_host(gable_context *ctx, const char *name, const gbl_vector_call *given,
                           const void *param)
{
    gbl_vector_call call = *given;
    double flag = 0;
    TRY(gbl_enter(ctx, name));
    const bool plain = gbl_plain_xy(ctx, &call);
    if (!plain)
        TRY(gbl_arguments_walk(ctx, &gbl_rotm_op, &call));
    if (call.n == 0)
        return GABLE_OK;
    CHECK_ARG(ctx, param != NULL, 7, "param", "is NULL; it must be host memory");
    CHECK_ARG(ctx, read_param(call.dtype, param, &flag, &call), 7, "param",
              "starts with the flag %s; it must be -2, -1, 0 or 1", GBL_NUMBER(flag));
    if (flag == -2)
        return GABLE_OK;
    if (!plain)
        TRY(gbl_arguments_check(ctx, &gbl_rotm_op, &call));
    return gbl_op_run(ctx, &gbl_rotm_op, &call);
}
