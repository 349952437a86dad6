/* syevd.c: eigenvalues, and vectors, of a symmetric or Hermitian matrix; heevd in complex
 * precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `reduce`: Q^H A Q = T (sytrd), T = Z W Z^T (sterf, or stedc with vectors), and Q Z are the
 * vectors (ormtr). A is brought into a safe range first (eigen_steps.c); nothing there looks at a
 * number. Whether the call waits, and can be recorded, is up to the variant that stedc or sterf
 * runs. On cpu `lapack` is the driver of the installed LAPACK.
 */
#include <stdio.h>
#include "core/launch.h"
#include "lapack/eigen.h"

#define LAUNCHES 8 /* about: beside those of its parts */

gbl_shape gbl_eigen_shape(const void *given)
{
    const gbl_product_call *call = given;
    return gbl_eigen_vectors(call) ? GBL_WHOLE : gbl_product_triangle(call);
}

/* ---- The steps ---- */

static gbl_product_call reduction_of(const gbl_product_call *call, void *e, void *tau)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = call->uplo,
                              .m = call->n,
                              .n = call->n,
                              .A = call->A,
                              .lda = call->lda,
                              .d = call->d,
                              .e = e,
                              .tau = tau};
}

/* sterf, or stedc with the vectors in Z. */
static gbl_product_call stage_of(const gbl_product_call *call, void *e, void *Z, int64_t ldz,
                                 int64_t *info)
{
    const bool vectors = gbl_eigen_vectors(call);
    return (gbl_product_call){.dtype = vectors ? call->dtype : gbl_eigen_real(call->dtype),
                              .job = vectors ? GABLE_IDENTITY_VECTORS : 0,
                              .m = call->n,
                              .n = call->n,
                              .d = call->d,
                              .e = e,
                              .C = Z,
                              .ldc = ldz,
                              .info = info};
}

static gbl_product_call back_of(const gbl_product_call *call, void *tau, void *Z, int64_t ldz)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .side = GABLE_LEFT,
                              .uplo = call->uplo,
                              .trans = GABLE_NO_TRANS,
                              .m = call->n,
                              .n = call->n,
                              .A = call->A,
                              .lda = call->lda,
                              .tau = tau,
                              .C = Z,
                              .ldc = ldz};
}

static gbl_product_call copy_of(const gbl_product_call *call, void *Z, int64_t ldz)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = GABLE_GENERAL,
                              .m = call->n,
                              .n = call->n,
                              .A = Z,
                              .lda = ldz,
                              .B = call->A,
                              .ldb = call->lda};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const size_t n = (size_t)call->n;
    void *numbers, *e, *tau, *outcome, *Z = NULL;
    int64_t ldz = 1;
    (void)self, (void)params;
    TRY(gbl_arena_take(ctx->arena, ctx->device, n * gbl_dtype_real_bytes(call->dtype), &e,
                       &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, n * gbl_dtype_bytes(call->dtype), &tau,
                       &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, sizeof(int64_t), &outcome, &ctx->message));
    if (gbl_eigen_vectors(call))
        TRY(gbl_composed_room(ctx, call->dtype, call->n, call->n, &Z, &ldz));
    const gbl_product_call reduction = reduction_of(call, e, tau),
                           stage = stage_of(call, e, Z, ldz, outcome),
                           back = back_of(call, tau, Z, ldz), copy = copy_of(call, Z, ldz);
    TRY(gbl_eigen_begin(ctx, "syevd", call, &numbers));
    TRY(gbl_sytrd(ctx, "syevd", &reduction));
    if (gbl_eigen_vectors(call)) {
        TRY(gbl_stedc(ctx, "syevd", &stage));
        TRY(gbl_ormtr(ctx, "syevd", &back));
        TRY(gbl_lacpy(ctx, "syevd", &copy));
    } else {
        TRY(gbl_sterf(ctx, "syevd", &stage));
    }
    return gbl_eigen_end(ctx, call, numbers, GBL_SYEVD_A, outcome, NULL);
}

/* ---- What it costs ---- */

/* The reduction, and with vectors two products with n columns. */
static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const gbl_product_call stage = stage_of(call, NULL, NULL, 1, NULL);
    const double n = (double)call->n, elem = (double)gbl_dtype_bytes(call->dtype),
                 triangle = elem * n * (n + 1) / 2;
    const bool vectors = gbl_eigen_vectors(call);
    gbl_work inner;
    (vectors ? &gbl_stedc_op : &gbl_sterf_op)->work(&stage, &inner);
    *least =
        (gbl_work){.bytes_read = triangle,
                   .bytes_written = (vectors ? elem * n * n : triangle) +
                                    n * (double)gbl_dtype_real_bytes(call->dtype),
                   .flops = gbl_lapack_flops(call, 2 * n * n * n / 3 + (vectors ? n * n * n : 0)) +
                            inner.flops};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    gbl_work least;
    (void)self, (void)params, (void)device;
    work(call, &least);
    gbl_composed_cost(&least, LAUNCHES, out);
    out->workspace_bytes =
        (double)call->n *
            (double)(gbl_dtype_bytes(call->dtype) + gbl_dtype_real_bytes(call->dtype)) +
        (gbl_eigen_vectors(call) ? gbl_composed_room_bytes(call->dtype, call->n, call->n) : 0);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t ldz = gbl_composed_ld(call->dtype, call->n);
    const gbl_product_call reduction = reduction_of(call, call->d, call->A),
                           stage = stage_of(call, call->d, call->A, ldz, NULL),
                           back = back_of(call, call->A, call->A, ldz),
                           copy = copy_of(call, call->A, ldz);
    (void)self, (void)params, (void)device;
    int count = gbl_eigen_parts(call, parts, 0);
    count = gbl_composed_call(parts, count, &gbl_sytrd_op, &reduction, 1);
    if (!gbl_eigen_vectors(call))
        return gbl_composed_call(parts, count, &gbl_sterf_op, &stage, 1);
    count = gbl_composed_call(parts, count, &gbl_stedc_op, &stage, 1);
    count = gbl_composed_call(parts, count, &gbl_ormtr_op, &back, 1);
    return gbl_composed_call(parts, count, &gbl_lacpy_op, &copy, 1);
}

static int specs(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    (void)self, (void)params;
    return gbl_eigen_specs(((const gbl_product_call *)given)->dtype, device, false, specs);
}

static const gbl_variant variants[] = {GBL_VARIANT("reduce", .fits = gbl_lapack_fits, .run = run,
                                                   .cost = cost, .parts = parts_of, .specs = specs,
                                                   .kernels = "eigen_begin.cl eigen_end.cl"),
                                       GBL_EIGEN_LAPACK_VARIANT(GBL_SYEVD)};

static const gbl_operand operands[] = {
    GBL_EIGEN_JOBZ,
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_ORDER,
    GBL_EIGEN_A,
    GBL_LAPACK_REALS("w", d, gbl_product_n),
    GBL_LAPACK_INFO,
};

const gbl_op gbl_syevd_op = {GBL_PRODUCT_OP("syevd", operands, variants), .work = work};

gable_status gbl_syevd(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_info_run(ctx, name, &gbl_syevd_op, call);
}
