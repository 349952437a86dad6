/* lacpy.c: B := A, the whole matrix or one of its triangles
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpu/cpu_kernels.h"
#include "lapack/part_plan.h"

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double bytes = (double)gbl_dtype_bytes(call->dtype) * gbl_part_elements(call);
    *least = (gbl_work){.bytes_read = bytes, .bytes_written = bytes};
}

static const gbl_part_routine routine = {
    .stem = "lacpy",
    .kernel = "lacpy.cl",
    .work = work,
    .omp = {gbl_cpu_slacpy_omp, gbl_cpu_dlacpy_omp, gbl_cpu_clacpy_omp, gbl_cpu_zlacpy_omp},
    .copies = true,
};

static const gbl_variant variants[] = {GBL_PART_VARIANTS(&routine, "lacpy.cl")};

static const gbl_operand operands[] = {
    GBL_LAPACK_PART,
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
};

const gbl_op gbl_lacpy_op = {
    .stem = "lacpy",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_lacpy(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_lacpy_op, call);
}
