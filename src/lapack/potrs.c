/* potrs.c: A X = B, A factored by potrf
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two triangular solves.
 */
#include "lapack/system_solve.h"

void gbl_potrs_solves(const gbl_product_call *call, gbl_product_call solves[2])
{
    const gable_trans adjoint = gbl_adjoint(call->dtype);
    const bool upper = call->uplo == GABLE_UPPER;
    for (int i = 0; i < 2; i++) {
        solves[i] = gbl_solve_of(call);
        solves[i].diag = GABLE_NON_UNIT;
        solves[i].trans = (i == 0) == upper ? adjoint : GABLE_NO_TRANS;
    }
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *call,
                        const gbl_params *params)
{
    gbl_product_call solves[2];
    (void)self, (void)params;
    gbl_potrs_solves(call, solves);
    TRY(gbl_trsm(ctx, "potrs", &solves[0]));
    return gbl_trsm(ctx, "potrs", &solves[1]);
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)call->m,
                 sides = (double)call->n;
    *least = (gbl_work){.bytes_read = elem * (n * (n + 1) / 2 + n * sides),
                        .bytes_written = elem * n * sides,
                        .flops = gbl_lapack_flops(call, n * (n + 1) * sides)};
}

static void cost(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, 2, out);
}

static int parts_of(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    gbl_product_call solves[2];
    (void)self, (void)params, (void)device;
    gbl_potrs_solves(call, solves);
    return gbl_composed_call(parts, gbl_composed_call(parts, 0, &gbl_trsm_op, &solves[0], 1),
                             &gbl_trsm_op, &solves[1], 1);
}

static const gbl_variant variants[] = {{.name = "solves",
                                        .deterministic = true,
                                        .fits = gbl_lapack_fits,
                                        .run = run,
                                        .cost = cost,
                                        .parts = parts_of}};

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,
    GBL_SOLVE_N,
    GBL_SOLVE_SIDES,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, gbl_product_m, gbl_product_m,
                       gbl_product_triangle, "n"),
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "n"),
};

const gbl_op gbl_potrs_op = {
    .stem = "potrs",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_potrs(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_potrs_op, call);
}
