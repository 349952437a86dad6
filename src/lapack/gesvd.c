/* gesvd.c: singular values and vectors, A = U S V^H, U and V^H asked for one by one
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * singular.h says how.
 */
#include "core/context.h"
#include "lapack/safe_range.h"
#include "lapack/singular.h"

#define JOBS                                                                                       \
    (GBL_JOB_BIT(GABLE_NO_VECTORS) | GBL_JOB_BIT(GABLE_ALL_VECTORS) |                              \
     GBL_JOB_BIT(GABLE_SOME_VECTORS) | GBL_JOB_BIT(GABLE_OVERWRITE))

/* A has one place. */
static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    CHECK_ARG(ctx, call->job != GABLE_OVERWRITE || call->job_b != GABLE_OVERWRITE, 3, "jobvt",
              "is GABLE_OVERWRITE, and so is jobu; one of the two can overwrite A");
    return GABLE_OK;
}

static const gbl_singular_routine routine = {
    .stem = "gesvd", .op = &gbl_gesvd_op, .bad = -5, .two_jobs = true};

static void work(const void *call, gbl_work *least)
{
    gbl_singular_work(&routine, call, least);
}

static int64_t u_rows(const void *call)
{
    return gbl_singular_u_rows(&routine, call);
}

static int64_t u_columns(const void *call)
{
    return gbl_singular_u_columns(&routine, call);
}

static int64_t vt_rows(const void *call)
{
    return gbl_singular_vt_rows(&routine, call);
}

static int64_t vt_columns(const void *call)
{
    return gbl_singular_vt_columns(&routine, call);
}

static const gbl_variant variants[] = {GBL_SINGULAR_VARIANTS(&routine)};

static const gbl_operand operands[] = {
    {.name = "jobu", .kind = GBL_JOB, .at = PRODUCT_AT(job), .jobs = JOBS},
    {.name = "jobvt", .kind = GBL_JOB, .at = PRODUCT_AT(job_b), .jobs = JOBS},
    GBL_SINGULAR_OPERANDS,
};

const gbl_op gbl_gesvd_op = {
    GBL_PRODUCT_OP("gesvd", operands, variants),
    .rules = rules,
    .work = work,
};

gable_status gbl_gesvd(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_gesvd_op, call);
}
