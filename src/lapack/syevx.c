/* syevx.c: some eigenvalues, and vectors, of a symmetric or Hermitian matrix; heevx in complex
 * precisions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `reduce`: as syevd does it, all values of the tridiagonal matrix, by stedc where vectors are
 * wanted, of which the back-transformation applies to the columns that may be asked for; then those
 * that are asked for are picked on the device. How many there are the host need not know.
 * `inverse`: only the wanted values, by bisection, and their vectors by inverse iteration
 * (stein.h); the host must know how many there are, so it is not for values of an interval. On cpu
 * `lapack` is the driver of the installed LAPACK: bisection and inverse iteration, too.
 */
#include "core/kernel_args.h"
#include "core/launch.h"
#include "core/prepare.h"
#include "lapack/bisect.h"
#include "lapack/eigen.h"
#include "lapack/stein.h"
#include "sturm_args.h"

#define LAUNCHES 9 /* about: beside those of its parts */

/* The values that may be asked for: from which on, and how many. */
static int64_t first_of(const gbl_product_call *call)
{
    return call->range == GABLE_RANGE_INDICES && call->ilo > 0 ? call->ilo - 1 : 0;
}

/* A call that was made from its class has zeros in ilo and ihi, and its share. */
static int64_t count_of(const gbl_product_call *call)
{
    if (call->range != GABLE_RANGE_INDICES)
        return call->n;
    if (call->ilo > 0 && call->ihi >= call->ilo)
        return call->ihi - call->ilo + 1;
    const int64_t part = call->n >> call->share;
    return part > 0 ? part : call->n > 0;
}

/* Which part of the values is wanted tells calls apart whose best variants differ: 0 stands for all
 * of them, 1 for a half, and so on to 7. It is rounded up. */
static uint8_t share_of(const gbl_product_call *call)
{
    const int64_t count = count_of(call);
    uint8_t share = 0;
    while (share < 7 && call->n >> (share + 1) >= count)
        share++;
    return share;
}

void gbl_syevx_complete(gbl_product_call *call)
{
    call->share = share_of(call);
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
    gbl_eigen_pick pick = {
        .all = all, .first = first_of(call), .count = count_of(call), .stage = outcome};
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

/* ---- Inverse iteration ---- */

static bool fits_inverse(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    (void)self;
    return gbl_stein_fits(device) && call->range != GABLE_RANGE_VALUES;
}

static gbl_stein_call iteration_of(const gbl_product_call *call)
{
    return (gbl_stein_call){.dtype = call->dtype,
                            .n = call->n,
                            .count = count_of(call),
                            .Z = call->C,
                            .ldz = call->ldc,
                            .failed = call->ipiv};
}

/* The vectors are Z's columns at once. */
static gbl_product_call applied_of(const gbl_product_call *call, void *tau)
{
    gbl_product_call applied = back_of(call, tau, call->C, call->ldc);
    applied.C = call->C;
    return applied;
}

typedef struct inverse_room {
    void *d, *e, *tau, *values, *scaled, *numbers, *outcome;
} inverse_room;

static gable_status take_room(gable_context *ctx, const gbl_product_call *call, inverse_room *r)
{
    const size_t n = (size_t)call->n, real = gbl_dtype_real_bytes(call->dtype);
    const struct {
        void **at;
        size_t bytes;
    } all[] = {{&r->d, n * real},
               {&r->e, n * real},
               {&r->tau, n * gbl_dtype_bytes(call->dtype)},
               {&r->values, n * real},
               {&r->scaled, 2 * n * real},
               {&r->numbers, STURM_NUMBERS * real},
               {&r->outcome, sizeof(int64_t)}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        TRY(gbl_arena_take(ctx->arena, ctx->device, all[i].bytes, all[i].at, &ctx->message));
    return GABLE_OK;
}

static gable_status run_inverse(gable_context *ctx, const gbl_variant *self, const void *given,
                                const gbl_params *params)
{
    const gbl_product_call *call = given;
    inverse_room r;
    void *scale;
    (void)self, (void)params;
    TRY(take_room(ctx, call, &r));
    const gbl_product_call reduction = reduction_of(call, r.d, r.e, r.tau);
    TRY(gbl_eigen_begin(ctx, "syevx", call, &scale));
    TRY(gbl_sytrd(ctx, "syevx", &reduction));
    const gbl_bisection find = {.dtype = gbl_eigen_real(call->dtype),
                                .n = call->n,
                                .d = r.d,
                                .e = r.e,
                                .first = first_of(call),
                                .count = count_of(call),
                                .w = r.values,
                                .number = GBL_SYEVX_A,
                                .info = r.outcome,
                                .scaled = r.scaled,
                                .numbers = r.numbers};
    TRY(gbl_bisect(ctx, &find));
    if (gbl_eigen_vectors(call)) {
        gbl_stein_call iteration = iteration_of(call);
        const gbl_product_call applied = applied_of(call, r.tau);
        iteration.scaled = r.scaled;
        iteration.numbers = r.numbers;
        iteration.values = r.values;
        iteration.info = r.outcome;
        TRY(gbl_stein(ctx, &iteration));
        TRY(gbl_ormtr(ctx, "syevx", &applied));
    }
    gbl_product_call found = whole_of(call, r.values);
    found.n = count_of(call);
    const gbl_eigen_pick pick = {.all = r.values, .count = found.n, .stage = r.outcome};
    TRY(gbl_eigen_end(ctx, &found, scale, GBL_SYEVX_A, r.outcome, NULL));
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

static void cost_inverse(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const gbl_stein_call iteration = iteration_of(call);
    gbl_work least;
    (void)self, (void)params;
    work(call, &least);
    gbl_composed_cost(&least, LAUNCHES, out);
    out->workspace_bytes = (double)call->n * (double)(gbl_dtype_bytes(call->dtype) +
                                                      5 * gbl_dtype_real_bytes(call->dtype)) +
                           (gbl_eigen_vectors(call) ? gbl_stein_bytes(&iteration, device) : 0);
}

static int parts_of_inverse(const gbl_variant *self, const void *given, const gbl_params *params,
                            const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const gbl_product_call reduction = reduction_of(call, call->d, call->d, call->A),
                           applied = applied_of(call, call->A);
    const gbl_stein_call iteration = iteration_of(call);
    (void)self, (void)params;
    int count = gbl_eigen_parts(call, parts, 0);
    count = gbl_composed_call(parts, count, &gbl_sytrd_op, &reduction, 1);
    count = gbl_bisect_parts(gbl_eigen_real(call->dtype), call->n, count_of(call), device, parts,
                             count);
    if (!gbl_eigen_vectors(call))
        return count;
    count = gbl_stein_parts(&iteration, device, parts, count);
    return gbl_composed_call(parts, count, &gbl_ormtr_op, &applied, 1);
}

/* In the order in which parts_of_inverse has them; the last two stand behind those. */
static int specs_inverse(const gbl_variant *self, const void *given, const gbl_params *params,
                         const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_product_call *call = given;
    gbl_kernel_spec around[GBL_EIGEN_KERNELS];
    (void)self, (void)params;
    if (gbl_eigen_specs(call->dtype, device, true, around) == 0)
        return 0;
    int count =
        1 + gbl_bisect_specs(gbl_eigen_real(call->dtype), count_of(call), device, specs + 1);
    if (gbl_eigen_vectors(call))
        count += gbl_stein_specs(call->dtype, device, specs + count);
    specs[0] = around[GBL_EIGEN_BEGIN];
    specs[count++] = around[GBL_EIGEN_END];
    specs[count++] = around[GBL_EIGEN_PICK];
    return count;
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
    GBL_VARIANT("inverse", .fits = fits_inverse, .run = run_inverse, .cost = cost_inverse,
                .parts = parts_of_inverse, .specs = specs_inverse,
                .kernels = "eigen_begin.cl eigen_end.cl eigen_pick.cl sturm_begin.cl "
                           "sturm_values.cl " GBL_STEIN_KERNELS),
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
    {.kind = GBL_MARK, .at = PRODUCT_AT(share)},
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
    gbl_syevx_complete(&call);
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
