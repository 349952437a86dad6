/* trtrs.c: op(A) X = B, A triangular; info says where A is singular
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One launch looks at the diagonal, then trsm solves, also where a zero was found: nobody waits to
 * find out.
 */
#include "lapack/diagonal.h"
#include "lapack/system_solve.h"

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given, solve = gbl_solve_of(call);
    (void)self, (void)params;
    TRY(gbl_diagonal_info(ctx, call, call->m));
    return call->n > 0 ? gbl_trsm(ctx, "trtrs", &solve) : GABLE_OK;
}

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call solve = gbl_solve_of(given);
    gbl_triangle_work(&solve, least);
}

static void cost(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, 2, out);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given, solve = gbl_solve_of(call);
    gbl_cost look;
    (void)self, (void)params, (void)device;
    gbl_diagonal_cost(call, call->m, &look);
    const int count = gbl_composed_kernel(parts, 0, &look, 1);
    return call->n > 0 ? gbl_composed_call(parts, count, &gbl_trsm_op, &solve, 1) : count;
}

static int specs(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    (void)self, (void)params;
    return gbl_diagonal_specs(call, device, specs);
}

static const gbl_variant variants[] = {{.name = "solve",
                                        .deterministic = true,
                                        .fits = gbl_lapack_fits,
                                        .run = run,
                                        .cost = cost,
                                        .kernels = GBL_DIAGONAL_KERNELS,
                                        .specs = specs,
                                        .parts = parts_of}};

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_TRANS,
    GBL_PRODUCT_DIAG,
    GBL_SOLVE_N,
    GBL_SOLVE_ANY_SIDES,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, 0, gbl_product_m, gbl_product_m,
                       gbl_product_triangle_unit, "n"),
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "n"),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_trtrs_op = {
    .stem = "trtrs",
    .layout = &gbl_product_layout,
    GBL_OPERANDS(operands),
    .work = work,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
};

gable_status gbl_trtrs(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_trtrs_op, call);
}
