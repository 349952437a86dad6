/* lascl.c: A := (cto / cfrom) A, the whole matrix or one of its triangles
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu/cpu_kernels.h"
#include "lapack/part_plan.h"

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double elements = gbl_part_elements(call),
                 bytes = (double)gbl_dtype_bytes(call->dtype) * elements;
    *least = (gbl_work){.bytes_read = bytes,
                        .bytes_written = bytes,
                        .flops = elements * (gbl_dtype_complex(call->dtype) ? 2 : 1)};
}

static const gbl_part_routine routine = {
    .stem = "lascl",
    .kernel = "lascl.cl",
    .work = work,
    .omp = {gbl_cpu_slascl_omp, gbl_cpu_dlascl_omp, gbl_cpu_clascl_omp, gbl_cpu_zlascl_omp},
};

static const gbl_variant variants[] = {GBL_PART_VARIANTS(&routine, "lascl.cl")};

/* NaN is unequal to itself. */
static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    if (call->alpha.device == NULL)
        CHECK_ARG(ctx, call->alpha.re != 0 && call->alpha.re == call->alpha.re, 3, "cfrom",
                  "is %g; it must be a number other than 0", call->alpha.re);
    if (call->beta.device == NULL)
        CHECK_ARG(ctx, call->beta.re == call->beta.re, 4, "cto", "is NaN; it must be a number");
    return GABLE_OK;
}

static const gbl_operand operands[] = {
    GBL_LAPACK_PART,
    {.name = "cfrom",
     .kind = GBL_SCALAR,
     .access = GBL_READ,
     .at = PRODUCT_AT(alpha),
     .element = gbl_product_alpha_element},
    {.name = "cto",
     .kind = GBL_SCALAR,
     .access = GBL_READ,
     .at = PRODUCT_AT(beta),
     .element = gbl_product_beta_element},
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
};

const gbl_op gbl_lascl_op = {
    .stem = "lascl",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .rules = rules,
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_lascl(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_lascl_op, call);
}
