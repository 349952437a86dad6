/* sygvd.c: the generalized symmetric or Hermitian eigenproblem; hegvd in complex precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `reduce`: B = L L^H or U^H U (potrf), the standard problem (sygst), its values and vectors
 * (syevd), and the vectors of the one that was given by a triangular solve, or a product where
 * itype is 3. Where B is not positive definite, the other steps run all the same, on whatever they
 * find: nobody waits to find out. On cpu `lapack` is the driver of the installed LAPACK.
 */
#include "core/launch.h"
#include "lapack/eigen.h"

static gbl_product_call factoring_of(const gbl_product_call *call, int64_t *info)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = call->uplo,
                              .m = call->n,
                              .n = call->n,
                              .A = call->B,
                              .lda = call->ldb,
                              .info = info};
}

static gbl_product_call standard_of(const gbl_product_call *call)
{
    gbl_product_call standard = *call;
    standard.job = 0;
    standard.d = NULL;
    standard.info = NULL;
    return standard;
}

static gbl_product_call values_of(const gbl_product_call *call, int64_t *info)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .job = call->job,
                              .uplo = call->uplo,
                              .m = call->n,
                              .n = call->n,
                              .A = call->A,
                              .lda = call->lda,
                              .d = call->d,
                              .info = info};
}

/* x = L^-H y or U^-1 y; x = L y or U^H y. */
static gbl_product_call back_of(const gbl_product_call *call)
{
    const bool turned = (gbl_eigen_itype(call) == 3) != (call->uplo == GABLE_LOWER);
    return (gbl_product_call){.dtype = call->dtype,
                              .side = GABLE_LEFT,
                              .uplo = call->uplo,
                              .trans = turned ? gbl_adjoint(call->dtype) : GABLE_NO_TRANS,
                              .diag = GABLE_NON_UNIT,
                              .m = call->n,
                              .n = call->n,
                              .alpha = {.re = 1},
                              .A = call->B,
                              .lda = call->ldb,
                              .B = call->A,
                              .ldb = call->lda};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    void *outcomes;
    (void)self, (void)params;
    TRY(gbl_arena_take(ctx->arena, ctx->device, 2 * sizeof(int64_t), &outcomes, &ctx->message));
    int64_t *const before = outcomes, *const stage = before + 1;
    const gbl_product_call factoring = factoring_of(call, before), standard = standard_of(call),
                           values = values_of(call, stage), back = back_of(call);
    TRY(gbl_potrf(ctx, "sygvd", &factoring));
    TRY(gbl_sygst(ctx, "sygvd", &standard));
    TRY(gbl_syevd(ctx, "sygvd", &values));
    if (gbl_eigen_vectors(call))
        TRY(gbl_eigen_itype(call) == 3 ? gbl_trmm(ctx, "sygvd", &back)
                                       : gbl_trsm(ctx, "sygvd", &back));
    return gbl_eigen_end(ctx, call, NULL, GBL_SYGVD_A, stage, before);
}

/* ---- What it costs ---- */

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given, factoring = factoring_of(call, NULL),
                           standard = standard_of(call), values = values_of(call, NULL),
                           back = back_of(call);
    const double n = (double)call->n, elem = (double)gbl_dtype_bytes(call->dtype),
                 triangle = elem * n * (n + 1) / 2;
    gbl_work factor, reduce, solve, apply;
    gbl_potrf_op.work(&factoring, &factor);
    gbl_sygst_op.work(&standard, &reduce);
    gbl_syevd_op.work(&values, &solve);
    gbl_trsm_op.work(&back, &apply);
    *least = (gbl_work){.bytes_read = 2 * triangle,
                        .bytes_written = solve.bytes_written + triangle,
                        .flops = factor.flops + reduce.flops + solve.flops +
                                 (gbl_eigen_vectors(call) ? apply.flops : 0)};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(given, &least);
    gbl_composed_cost(&least, 1, out);
    out->workspace_bytes = 2 * sizeof(int64_t);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given, factoring = factoring_of(call, NULL),
                           standard = standard_of(call), values = values_of(call, NULL),
                           back = back_of(call);
    (void)self, (void)params, (void)device;
    int count = gbl_composed_call(parts, 0, &gbl_potrf_op, &factoring, 1);
    count = gbl_composed_call(parts, count, &gbl_sygst_op, &standard, 1);
    count = gbl_composed_call(parts, count, &gbl_syevd_op, &values, 1);
    if (!gbl_eigen_vectors(call))
        return count;
    return gbl_composed_call(parts, count, gbl_eigen_itype(call) == 3 ? &gbl_trmm_op : &gbl_trsm_op,
                             &back, 1);
}

static int specs(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    (void)self, (void)params;
    return gbl_eigen_outcome_specs(((const gbl_product_call *)given)->dtype, device, true, specs);
}

static const gbl_variant variants[] = {GBL_VARIANT("reduce", .fits = gbl_lapack_fits, .run = run,
                                                   .cost = cost, .parts = parts_of, .specs = specs,
                                                   .kernels = "eigen_end.cl"),
                                       GBL_EIGEN_LAPACK_VARIANT(GBL_SYGVD)};

static const gbl_operand operands[] = {
    GBL_EIGEN_ITYPE,
    GBL_EIGEN_JOBZ,
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_ORDER,
    GBL_EIGEN_A,
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle, "n"),
    GBL_LAPACK_REALS("w", d, gbl_product_n),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_sygvd_op = {GBL_PRODUCT_OP("sygvd", operands, variants),
                             .rules = gbl_eigen_itype_rules, .work = work};

gable_status gbl_sygvd(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_sygvd_op, call);
}
