/* gesv.c: A X = B: getrf, then getrs
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing waits for info: where U is singular, getrs divides by 0, and B holds no solution. A
 * matrix is factored also where there are no right-hand sides.
 */
#include "lapack/lapack.h"

static gbl_product_call factor_of(const gbl_product_call *call)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .m = call->m,
                              .n = call->m,
                              .A = call->A,
                              .lda = call->lda,
                              .ipiv = call->ipiv,
                              .info = call->info};
}

static gbl_product_call solve_of(const gbl_product_call *call)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .trans = GABLE_NO_TRANS,
                              .m = call->m,
                              .n = call->n,
                              .A = call->A,
                              .lda = call->lda,
                              .ipiv = call->ipiv,
                              .B = call->B,
                              .ldb = call->ldb};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call factor = factor_of(given), solve = solve_of(given);
    (void)self, (void)params;
    TRY(gbl_getrf(ctx, "gesv", &factor));
    return gbl_getrs(ctx, "gesv", &solve);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->m, sides = (double)call->n,
                 elem = (double)gbl_dtype_bytes(call->dtype);
    *least = (gbl_work){.bytes_read = elem * n * (n + sides),
                        .bytes_written = elem * n * (n + sides),
                        .flops = gbl_lapack_flops(call, n * n * n / 3 + n * n * sides)};
}

static void cost(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, 4, out);
}

static int parts_of(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call factor = factor_of(call), solve = solve_of(call);
    (void)self, (void)params, (void)device;
    const int count = gbl_composed_call(parts, 0, &gbl_getrf_op, &factor, 1);
    return gbl_composed_call(parts, count, &gbl_getrs_op, &solve, 1);
}

static bool fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL || device->props.is_host;
}

static const gbl_variant variants[] = {{.name = "factors",
                                        .deterministic = true,
                                        .fits = fits,
                                        .run = run,
                                        .cost = cost,
                                        .parts = parts_of}};

static const gbl_operand operands[] = {
    {.name = "n", .kind = GBL_SIZE, .at = PRODUCT_AT(m)},
    {.name = "nrhs", .kind = GBL_WIDTH, .at = PRODUCT_AT(n)},
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_m, NULL, "n"),
    {.name = "ipiv",
     .kind = GBL_NUMBERS,
     .access = GBL_READ_WRITE,
     .at = PRODUCT_AT(ipiv),
     .rows = gbl_product_m,
     .element = gbl_info_element},
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "n"),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_gesv_op = {
    .stem = "gesv",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_gesv(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_gesv_op, call);
}
