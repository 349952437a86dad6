/* trmm.c: B := alpha op(A) B or alpha B op(A), A triangular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `product` copies B to the workspace and is one product with a triangular factor, of which gemm
 * leaves out the zeros.
 */
#include "blas/level3/composed.h"
#include "cpu/cpu_kernels.h"

/* What is beyond the triangle of op(A), which stands left or right in the product. */
static uint8_t zeros_of(const gbl_product_call *call)
{
    const bool lower = (call->uplo == GABLE_LOWER) == (call->trans == GABLE_NO_TRANS);
    if (call->side == GABLE_RIGHT)
        return lower ? GBL_B_LOWER : GBL_B_UPPER;
    return lower ? GBL_A_LOWER : GBL_A_UPPER;
}

/* B := alpha op(A) W or alpha W op(A), where W is the copy of B. */
static gbl_product_call product_of(const gbl_product_call *call, void *W, int64_t ldw)
{
    const bool right = call->side == GABLE_RIGHT;
    return (gbl_product_call){.dtype = call->dtype,
                              .math = call->math,
                              .trans = right ? GABLE_NO_TRANS : call->trans,
                              .trans_b = right ? call->trans : GABLE_NO_TRANS,
                              .diag = call->diag,
                              .triangular = zeros_of(call),
                              .m = call->m,
                              .n = call->n,
                              .k = gbl_product_order(call),
                              .A = right ? W : call->A,
                              .lda = right ? ldw : call->lda,
                              .B = right ? call->A : W,
                              .ldb = right ? call->lda : ldw,
                              .C = call->B,
                              .ldc = call->ldb,
                              .alpha = call->alpha};
}

static gbl_matrix_call copy_of(const gbl_product_call *call, void *W, int64_t ldw)
{
    return (gbl_matrix_call){.dtype = call->dtype,
                             .trans = GABLE_NO_TRANS,
                             .m = call->m,
                             .n = call->n,
                             .A = call->B,
                             .lda = call->ldb,
                             .C = W,
                             .ldc = ldw};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    void *W = call->B;
    int64_t ldw = call->ldb;
    (void)self, (void)params;
    if (!gbl_scalar_zero(&call->alpha)) {
        TRY(gbl_composed_room(ctx, call->dtype, call->m, call->n, &W, &ldw));
        const gbl_matrix_call copy = copy_of(call, W, ldw);
        TRY(gbl_transpose(ctx, "trmm", &copy));
    }
    const gbl_product_call product = product_of(call, W, ldw);
    return gbl_gemm(ctx, "trmm", &product);
}

/* B is copied: read and written once more. */
static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double bytes = (double)gbl_dtype_bytes(call->dtype) * (double)call->m * (double)call->n;
    gbl_work least;
    (void)self, (void)params, (void)device;
    gbl_triangle_work(call, &least);
    gbl_composed_cost(&least, 2, out);
    out->memory_bytes += 2 * bytes;
    out->written_bytes = least.bytes_written + bytes;
    out->workspace_bytes = gbl_composed_room_bytes(call->dtype, call->m, call->n);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t ldw = gbl_composed_ld(call->dtype, call->m);
    const gbl_matrix_call copy = copy_of(call, NULL, ldw);
    const gbl_product_call product = product_of(call, NULL, ldw);
    (void)self, (void)params, (void)device;
    return gbl_composed_product(parts, gbl_composed_call(parts, 0, &gbl_transpose_op, &copy, 1),
                                &product, 1);
}

static const gbl_product_routine routine = {
    .stem = "trmm",
    .work = gbl_triangle_work,
    .omp = GBL_CPU_FOUR(trmm_omp),
    .blas = GBL_CPU_FOUR(trmm_blas),
    .one_scalar = true,
};

static const gbl_variant variants[] = {
    GBL_VARIANT("product", .fits = gbl_composed_fits, .run = run, .cost = cost, .parts = parts_of),
    GBL_PRODUCT_VARIANTS(&routine),
};

static const gbl_operand operands[] = {GBL_TRIANGLE_OPERANDS};

const gbl_op gbl_trmm_op = {GBL_PRODUCT_OP("trmm", operands, variants), .work = gbl_triangle_work};
