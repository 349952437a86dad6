/* posv.c: A X = B, A symmetric or Hermitian and positive definite
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * potrf, then potrs. Where A is not definite the solves run all the same, on what was left of it:
 * nobody waits to find out.
 */
#include "lapack/system_solve.h"

static gbl_product_call factoring_of(const gbl_product_call *call)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = call->uplo,
                              .m = call->m,
                              .n = call->m,
                              .A = call->A,
                              .lda = call->lda,
                              .info = call->info};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given, factoring = factoring_of(call);
    (void)self, (void)params;
    TRY(gbl_potrf(ctx, "posv", &factoring));
    return call->n > 0 ? gbl_potrs(ctx, "posv", call) : GABLE_OK;
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)call->m,
                 sides = (double)call->n, bytes = elem * (n * (n + 1) / 2 + n * sides);
    *least = (gbl_work){
        .bytes_read = bytes,
        .bytes_written = bytes,
        .flops = gbl_lapack_flops(call, n * (n + 1) * (n + 2) / 6 + n * (n + 1) * sides)};
}

static void cost(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, 3, out);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given, factoring = factoring_of(call);
    (void)self, (void)params, (void)device;
    const int count = gbl_composed_call(parts, 0, &gbl_potrf_op, &factoring, 1);
    return call->n > 0 ? gbl_composed_call(parts, count, &gbl_potrs_op, call, 1) : count;
}

static const gbl_variant variants[] = {{.name = "factor",
                                        .deterministic = true,
                                        .fits = gbl_lapack_fits,
                                        .run = run,
                                        .cost = cost,
                                        .parts = parts_of}};

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,
    GBL_SOLVE_N,
    GBL_SOLVE_ANY_SIDES,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_m,
                       gbl_product_triangle, "n"),
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "n"),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_posv_op = {
    .stem = "posv",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_posv(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_posv_op, call);
}
