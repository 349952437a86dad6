/* potri.c: A^-1 in place of the factor that potrf left
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * trtri, then lauum: (L L^H)^-1 is L^-H L^-1.
 */
#include "lapack/lapack.h"

static gbl_product_call inverse_of(const gbl_product_call *call)
{
    gbl_product_call inverse = *call;
    inverse.diag = GABLE_NON_UNIT;
    return inverse;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given, inverse = inverse_of(call);
    (void)self, (void)params;
    TRY(gbl_trtri(ctx, "potri", &inverse));
    return gbl_lauum(ctx, "potri", call);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n,
                 bytes = (double)gbl_dtype_bytes(call->dtype) * n * (n + 1) / 2;
    *least = (gbl_work){.bytes_read = bytes,
                        .bytes_written = bytes,
                        .flops = gbl_lapack_flops(call, n * (n + 1) * (n + 2) / 3)};
}

static void cost(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, 7, out);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given, inverse = inverse_of(call);
    (void)self, (void)params, (void)device;
    return gbl_composed_call(parts, gbl_composed_call(parts, 0, &gbl_trtri_op, &inverse, 1),
                             &gbl_lauum_op, call, 1);
}

static const gbl_variant variants[] = {{.name = "invert",
                                        .deterministic = true,
                                        .fits = gbl_lapack_fits,
                                        .run = run,
                                        .cost = cost,
                                        .parts = parts_of}};

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle, "n"),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_potri_op = {
    .stem = "potri",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_potri(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_potri_op, call);
}
