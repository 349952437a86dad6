/* gesdd.c: singular values and vectors, A = U S V^H
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * singular.h says how.
 */
#include "lapack/safe_range.h"
#include "lapack/singular.h"

#define JOBS                                                                                       \
    (GBL_JOB_BIT(GABLE_NO_VECTORS) | GBL_JOB_BIT(GABLE_ALL_VECTORS) |                              \
     GBL_JOB_BIT(GABLE_SOME_VECTORS) | GBL_JOB_BIT(GABLE_OVERWRITE))

static const gbl_singular_routine routine = {.stem = "gesdd", .op = &gbl_gesdd_op, .bad = -4};

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
    {.name = "jobz", .kind = GBL_JOB, .at = PRODUCT_AT(job), .jobs = JOBS},
    GBL_SINGULAR_OPERANDS,
};

const gbl_op gbl_gesdd_op = {
    GBL_PRODUCT_OP("gesdd", operands, variants),
    .work = work,
};

gable_status gbl_gesdd(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_gesdd_op, call);
}
