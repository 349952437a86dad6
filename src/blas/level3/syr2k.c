/* syr2k.c: C := alpha A B^T + alpha B A^T + beta C or alpha A^T B + alpha B^T A + beta C, C
 * symmetric; with ^H and conj(alpha) in the second product: her2k
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `both` is one product of which gemm computes a triangle: the terms of A and B, then those of B
 * and A, so that C is read and written once. `products` are two, the second adds to the first: for
 * her2k with an alpha that is not known to be real, where the second has conj(alpha). A conj(alpha)
 * of one on the device is made there: the conjugate transpose of a 1 by 1 matrix. The diagonal of
 * each product alone is not real; gemm keeps the real part of each, and their sum is that of both.
 */
#include "blas/level3/composed.h"
#include "cpu/cpu_kernels.h"

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call product = gbl_rank_k_product(given);
    gbl_gemm_work(&product, least);
    least->flops *= 2;
}

/* ---- products ---- */

static gbl_product_call second_of(const gbl_product_call *call)
{
    gbl_product_call product = gbl_rank_k_product(call);
    product.A = call->B;
    product.lda = call->ldb;
    product.B = call->A;
    product.ldb = call->lda;
    product.beta = (gbl_scalar){.re = 1};
    product.real_beta = false;
    return product;
}

static gable_status conjugate(gable_context *ctx, gbl_dtype dtype, gbl_scalar *alpha)
{
    void *room;
    alpha->im = -alpha->im;
    if (alpha->device == NULL)
        return GABLE_OK;
    TRY(gbl_arena_take(ctx->arena, ctx->device, gbl_dtype_bytes(dtype), &room, &ctx->message));
    const gbl_matrix_call turn = {.dtype = dtype,
                                  .trans = GABLE_CONJ_TRANS,
                                  .m = 1,
                                  .n = 1,
                                  .A = (void *)(uintptr_t)alpha->device,
                                  .lda = 1,
                                  .C = room,
                                  .ldc = 1};
    alpha->device = room;
    return gbl_transpose(ctx, "syr2k", &turn);
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given, first = gbl_rank_k_product(call);
    gbl_product_call second = second_of(call);
    (void)self, (void)params;
    TRY(gbl_gemm(ctx, "syr2k", &first));
    if (gbl_scalar_zero(&call->alpha) || call->k == 0)
        return GABLE_OK;
    if (call->conj && gbl_dtype_complex(call->dtype))
        TRY(conjugate(ctx, call->dtype, &second.alpha));
    return gbl_gemm(ctx, "syr2k", &second);
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call first = gbl_rank_k_product(given), second = second_of(given);
    gbl_work least, more;
    (void)self, (void)params, (void)device;
    gbl_gemm_work(&first, &least);
    gbl_gemm_work(&second, &more);
    least.bytes_read += more.bytes_read;
    least.bytes_written += more.bytes_written;
    least.flops += more.flops;
    gbl_composed_cost(&least, 2, out);
    out->written_bytes = least.bytes_written;
}

static int parts_of(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call first = gbl_rank_k_product(call), second = second_of(call);
    (void)self, (void)params, (void)device;
    return gbl_composed_product(parts, gbl_composed_product(parts, 0, &first, 1), &second, 1);
}

/* ---- both ---- */

static bool fits_both(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    const bool conjugated = call->conj && gbl_dtype_complex(call->dtype);
    return gbl_composed_fits(self, call, device) &&
           !(conjugated && (call->alpha.device != NULL || call->alpha.im != 0));
}

static gbl_product_call both_of(const gbl_product_call *call)
{
    gbl_product_call product = gbl_rank_k_product(call);
    product.two_products = 1;
    return product;
}

static const gbl_one_product both = {.stem = "syr2k", .product_of = both_of};

/* ---- the table ---- */

static const gbl_product_routine routine = {
    .stem = "syr2k",
    .work = work,
    .omp = GBL_CPU_FOUR(syr2k_omp),
    .blas = GBL_CPU_FOUR(syr2k_blas),
    .vendor_reads_diagonal =
        true, /* cher2k and zher2k of cuBLAS 13.0: a NaN there becomes a NaN of C */
};

static const gbl_variant variants[] = {
    GBL_VARIANT("products", .fits = gbl_composed_fits, .run = run, .cost = cost, .parts = parts_of),
    GBL_ONE_PRODUCT_VARIANT("both", fits_both, &both),
    GBL_PRODUCT_VARIANTS(&routine),
};

static const gbl_operand operands[] = {
    GBL_RANK_K_OPERANDS,
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ, PRODUCT_AT(alpha), gbl_product_a_rows,
                       gbl_product_a_columns, NULL, "rows of B"),
    GBL_PRODUCT_BETA,
    GBL_PRODUCT_TRIANGLE_C,
    GBL_PRODUCT_CONJ,
};

const gbl_op gbl_syr2k_op = {GBL_PRODUCT_OP("syr2k", operands, variants), .idle = gbl_product_idle,
                             .rules = gbl_rank_k_rules, .work = work};
