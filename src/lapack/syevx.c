/* syevx.c: some eigenvalues, and vectors, of a symmetric or Hermitian matrix; heevx in complex
 * precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `reduce`: as syevd does it, all values of the tridiagonal matrix, by stedc where vectors are
 * wanted, of which the back-transformation applies to the columns that may be asked for; then those
 * that are asked for are picked on the device. How many there are the host need not know. On cpu
 * `lapack` is the driver of the installed LAPACK: bisection and inverse iteration.
 */
#include "core/launch.h"
#include "core/prepare.h"
#include "lapack/eigen.h"

#define LAUNCHES 9 /* about: beside those of its parts */

/* The values that may be asked for: from which on, and how many. Calls that were made from a
 * description alone have zeros in ilo and ihi: all. */
static int64_t first_of(const gbl_product_call *call)
{
    return call->range == GABLE_RANGE_INDICES && call->ilo > 0 ? call->ilo - 1 : 0;
}

static int64_t count_of(const gbl_product_call *call)
{
    return call->range == GABLE_RANGE_INDICES && call->ilo > 0 && call->ihi >= call->ilo
               ? call->ihi - call->ilo + 1
               : call->n;
}

/* ---- The steps ---- */

/* The same matrix with the values at `all`. */
static gbl_product_call whole_of(const gbl_product_call *call, void *all)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = call->uplo,
                              .m = call->n,
                              .n = call->n,
                              .A = call->A,
                              .lda = call->lda,
                              .d = all,
                              .info = call->info};
}

static gbl_product_call reduction_of(const gbl_product_call *call, void *all, void *e, void *tau)
{
    gbl_product_call reduction = whole_of(call, all);
    reduction.info = NULL;
    reduction.e = e;
    reduction.tau = tau;
    return reduction;
}

static gbl_product_call stage_of(const gbl_product_call *call, void *all, void *e, void *Z,
                                 int64_t ldz, int64_t *info)
{
    const bool vectors = gbl_eigen_vectors(call);
    return (gbl_product_call){.dtype = vectors ? call->dtype : gbl_eigen_real(call->dtype),
                              .job = vectors ? GABLE_IDENTITY_VECTORS : 0,
                              .m = call->n,
                              .n = call->n,
                              .d = all,
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
                              .n = count_of(call),
                              .A = call->A,
                              .lda = call->lda,
                              .tau = tau,
                              .C = gbl_element(call->dtype, Z, ldz, 0, first_of(call)),
                              .ldc = ldz};
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const size_t n = (size_t)call->n, real = gbl_dtype_real_bytes(call->dtype);
    void *all, *numbers, *e, *tau, *outcome, *Z = NULL;
    int64_t ldz = 1;
    (void)self, (void)params;
    TRY(gbl_arena_take(ctx->arena, ctx->device, n * real, &all, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, n * real, &e, &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, n * gbl_dtype_bytes(call->dtype), &tau,
                       &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, sizeof(int64_t), &outcome, &ctx->message));
    if (gbl_eigen_vectors(call))
        TRY(gbl_composed_room(ctx, call->dtype, call->n, call->n, &Z, &ldz));
    const gbl_product_call whole = whole_of(call, all), reduction = reduction_of(call, all, e, tau),
                           stage = stage_of(call, all, e, Z, ldz, outcome);
    gbl_eigen_pick pick = {.all = all, .first = first_of(call), .count = count_of(call)};
    TRY(gbl_eigen_begin(ctx, "syevx", call, &numbers));
    TRY(gbl_sytrd(ctx, "syevx", &reduction));
    if (gbl_eigen_vectors(call)) {
        const gbl_product_call back = back_of(call, tau, Z, ldz);
        TRY(gbl_stedc(ctx, "syevx", &stage));
        TRY(gbl_ormtr(ctx, "syevx", &back));
        pick.vectors = back.C;
        pick.ldv = ldz;
    } else {
        TRY(gbl_sterf(ctx, "syevx", &stage));
    }
    TRY(gbl_eigen_end(ctx, &whole, numbers, GBL_SYEVX_A, outcome, NULL));
    return gbl_eigen_picked(ctx, call, &pick);
}

/* ---- What it costs ---- */

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n, count = (double)count_of(call),
                 elem = (double)gbl_dtype_bytes(call->dtype), triangle = elem * n * (n + 1) / 2;
    const bool vectors = gbl_eigen_vectors(call);
    *least = (gbl_work){
        .bytes_read = triangle,
        .bytes_written = triangle + (vectors ? elem * n * count : 0) +
                         count * (double)gbl_dtype_real_bytes(call->dtype),
        .flops = gbl_lapack_flops(call, 2 * n * n * n / 3 + (vectors ? n * n * count : 0)) +
                 15 * n * n + (vectors ? 4.0 / 3 * n * n * count : 0)};
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
            (double)(gbl_dtype_bytes(call->dtype) + 2 * gbl_dtype_real_bytes(call->dtype)) +
        (gbl_eigen_vectors(call) ? gbl_composed_room_bytes(call->dtype, call->n, call->n) : 0);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t ldz = gbl_composed_ld(call->dtype, call->n);
    const gbl_product_call reduction = reduction_of(call, call->d, call->d, call->A),
                           stage = stage_of(call, call->d, call->d, call->A, ldz, NULL),
                           back = back_of(call, call->A, call->A, ldz);
    (void)self, (void)params, (void)device;
    int count = gbl_eigen_parts(call, parts, 0);
    count = gbl_composed_call(parts, count, &gbl_sytrd_op, &reduction, 1);
    if (!gbl_eigen_vectors(call))
        return gbl_composed_call(parts, count, &gbl_sterf_op, &stage, 1);
    count = gbl_composed_call(parts, count, &gbl_stedc_op, &stage, 1);
    return gbl_composed_call(parts, count, &gbl_ormtr_op, &back, 1);
}

static int specs(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_kernel_spec *specs)
{
    (void)self, (void)params;
    return gbl_eigen_specs(((const gbl_product_call *)given)->dtype, device, true, specs);
}

static const gbl_variant variants[] = {
    GBL_VARIANT("reduce", .fits = gbl_lapack_fits, .run = run, .cost = cost, .parts = parts_of,
                .specs = specs, .kernels = "eigen_begin.cl eigen_end.cl eigen_pick.cl"),
    GBL_EIGEN_LAPACK_VARIANT(GBL_SYEVX)};

static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    if (call->n == 0)
        return GABLE_OK;
    if (call->range == GABLE_RANGE_VALUES)
        CHECK_ARG(ctx, call->alpha.re < call->beta.re, 9, "vu",
                  "is %g, and vl %g; it must be greater", call->beta.re, call->alpha.re);
    if (call->range != GABLE_RANGE_INDICES)
        return GABLE_OK;
    CHECK_ARG(ctx, call->ilo >= 1 && call->ilo <= call->n, 10, "il",
              "is %lld; it must be at least 1 and at most n, which is %lld", (long long)call->ilo,
              (long long)call->n);
    CHECK_ARG(ctx, call->ihi >= call->ilo && call->ihi <= call->n, 11, "iu",
              "is %lld; it must be at least il, which is %lld, and at most n, which is %lld",
              (long long)call->ihi, (long long)call->ilo, (long long)call->n);
    return GABLE_OK;
}

static int64_t columns(const void *call)
{
    return count_of(call);
}

static int64_t failed(const void *call)
{
    return gbl_eigen_vectors(call) ? count_of(call) : 0;
}

#define NUMBER(name_, at_)                                                                         \
    {                                                                                              \
        .name = name_, .kind = GBL_ANY, .at = PRODUCT_AT(at_)                                      \
    }

static const gbl_operand operands[] = {
    GBL_EIGEN_JOBZ,
    GBL_PRODUCT_FLAG("range", GBL_RANGE, range),
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle, "n"),
    NUMBER("vl", alpha),
    NUMBER("vu", beta),
    NUMBER("il", ilo),
    NUMBER("iu", ihi),
    NUMBER("abstol", abstol),
    {.name = "m",
     .kind = GBL_RESULT,
     .access = GBL_WRITE,
     .at = PRODUCT_AT(found),
     .element = gbl_info_element},
    GBL_LAPACK_REALS("w", d, columns),
    GBL_EIGEN_Z(GBL_WRITE, columns),
    {.name = "ifail",
     .kind = GBL_NUMBERS,
     .access = GBL_WRITE,
     .at = PRODUCT_AT(ipiv),
     .rows = failed,
     .element = gbl_info_element},
    GBL_LAPACK_INFO,
};

const gbl_op gbl_syevx_op = {GBL_PRODUCT_OP("syevx", operands, variants), .rules = rules,
                             .work = work};

/* Two results: where m goes to host memory it is fetched behind info, for which the call waits. */
static gable_status run_outermost(gable_context *ctx, const gbl_product_call *given)
{
    gbl_product_call call = *given;
    gbl_result found, info;
    void *kept;
    TRY(gbl_result_begin(ctx, gbl_argument_number(&gbl_syevx_op, given, PRODUCT_AT(found)), "m",
                         given->found, sizeof *given->found, &found));
    if (found.host != NULL) {
        TRY(gbl_arena_take(ctx->arena, ctx->device, sizeof *given->found, &kept, &ctx->message));
        found.address = kept;
    }
    call.found = found.address;
    TRY(gbl_result_begin(ctx, gbl_argument_number(&gbl_syevx_op, given, PRODUCT_AT(info)), "info",
                         given->info, sizeof *given->info, &info));
    call.info = info.address;
    if (gbl_call_empty(&gbl_syevx_op, &call)) {
        TRY(gbl_fill_bytes(ctx, call.found, 0, sizeof *call.found));
        TRY(gbl_fill_bytes(ctx, call.info, 0, sizeof *call.info));
    } else {
        TRY(gbl_op_run(ctx, &gbl_syevx_op, &call));
    }
    TRY(gbl_result_end(ctx, &info));
    return found.host == NULL || gbl_preparing(ctx) != NULL
               ? GABLE_OK
               : gbl_read_scalar(ctx, found.address, found.bytes, found.host);
}

gable_status gbl_syevx(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    TRY(gbl_enter(ctx, name));
    TRY(gbl_arguments_check(ctx, &gbl_syevx_op, call));
    const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
    const gable_status status = run_outermost(ctx, call);
    gbl_arena_release(ctx->arena, mark);
    return status;
}
