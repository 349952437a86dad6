/* getrs.c: op(A) X = B with the factors that getrf left of A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A = P L U: rows of B are exchanged, then L and U are solved with; A^T and A^H the other way
 * round. One right-hand side goes through trsv where trsm chooses that.
 */
#include "lapack/lapack.h"

typedef struct steps {
    gbl_product_call exchange, lower, upper;
} steps;

static bool is_plain(const gbl_product_call *call)
{
    return call->trans == GABLE_NO_TRANS;
}

static gbl_product_call solve_of(const gbl_product_call *call, gable_uplo uplo)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .side = GABLE_LEFT,
                              .uplo = uplo,
                              .trans = call->trans,
                              .diag = uplo == GABLE_LOWER ? GABLE_UNIT : GABLE_NON_UNIT,
                              .m = call->m,
                              .n = call->n,
                              .alpha = {.re = 1},
                              .A = call->A,
                              .lda = call->lda,
                              .B = call->B,
                              .ldb = call->ldb};
}

static steps steps_of(const gbl_product_call *call)
{
    return (steps){.exchange = {.dtype = call->dtype,
                                .m = call->m,
                                .n = call->n,
                                .k = 1,
                                .lda = call->ldb,
                                .stride_b = is_plain(call) ? 1 : -1,
                                .A = call->B,
                                .ipiv = call->ipiv},
                   .lower = solve_of(call, GABLE_LOWER),
                   .upper = solve_of(call, GABLE_UPPER)};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const steps s = steps_of(call);
    (void)self, (void)params;
    if (is_plain(call))
        TRY(gbl_laswp(ctx, "getrs", &s.exchange));
    TRY(gbl_trsm(ctx, "getrs", is_plain(call) ? &s.lower : &s.upper));
    TRY(gbl_trsm(ctx, "getrs", is_plain(call) ? &s.upper : &s.lower));
    return is_plain(call) ? GABLE_OK : gbl_laswp(ctx, "getrs", &s.exchange);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->m, sides = (double)call->n,
                 elem = (double)gbl_dtype_bytes(call->dtype);
    *least = (gbl_work){.bytes_read = elem * n * (n + sides),
                        .bytes_written = elem * n * sides,
                        .flops = gbl_lapack_flops(call, n * n * sides)};
}

static void cost(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, 3, out);
}

static int parts_of(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const steps s = steps_of(call);
    (void)self, (void)params, (void)device;
    int count = gbl_composed_call(parts, 0, &gbl_laswp_op, &s.exchange, 1);
    count = gbl_composed_call(parts, count, &gbl_trsm_op, &s.lower, 1);
    return gbl_composed_call(parts, count, &gbl_trsm_op, &s.upper, 1);
}

static bool fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL || device->props.is_host;
}

static const gbl_variant variants[] = {{.name = "solves",
                                        .deterministic = true,
                                        .fits = fits,
                                        .run = run,
                                        .cost = cost,
                                        .parts = parts_of}};

static const gbl_operand operands[] = {
    GBL_PRODUCT_TRANS,
    {.name = "n", .kind = GBL_SIZE, .at = PRODUCT_AT(m)},
    {.name = "nrhs", .kind = GBL_SIZE, .at = PRODUCT_AT(n)},
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, gbl_product_m, gbl_product_m, NULL, "n"),
    {.name = "ipiv",
     .kind = GBL_NUMBERS,
     .access = GBL_READ,
     .at = PRODUCT_AT(ipiv),
     .rows = gbl_product_m,
     .element = gbl_info_element},
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "n"),
};

const gbl_op gbl_getrs_op = {
    .stem = "getrs",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_getrs(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_getrs_op, call);
}
