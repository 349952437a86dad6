/* laset.c: A := beta on the diagonal and alpha elsewhere, the whole matrix or one of its triangles
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu/cpu_kernels.h"
#include "lapack/part_plan.h"

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    *least =
        (gbl_work){.bytes_written = (double)gbl_dtype_bytes(call->dtype) * gbl_part_elements(call)};
}

static const gbl_part_routine routine = {
    .stem = "laset",
    .kernel = "laset.cl",
    .work = work,
    .omp = {gbl_cpu_slaset_omp, gbl_cpu_dlaset_omp, gbl_cpu_claset_omp, gbl_cpu_zlaset_omp},
};

static const gbl_variant variants[] = {GBL_PART_VARIANTS(&routine, "laset.cl")};

static const gbl_operand operands[] = {
    GBL_LAPACK_PART,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_ALPHA,
    GBL_PRODUCT_BETA,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
};

const gbl_op gbl_laset_op = {
    .stem = "laset",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_laset(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_laset_op, call);
}
