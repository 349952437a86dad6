/* gehrd.c: the reduction of a general matrix to Hessenberg form: Q^H A Q = H
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of `block` columns are reduced one after the other, which gives V, T and Y = A V T of
 * their reflectors. Then the rest becomes (I - V T V^H)^H (A - Y V^H). In the rows of the panel
 * that is A - Y V^H - V Z^H with Z = (V^H A - (V^H Y) V^H)^H T: one product reads the rest, another
 * one of twice the rank changes it. In the rows above it is a block of reflectors from the right
 * (reflect.h). `columns` reduces a panel by calls (gehrd_columns.h): each column reads once what is
 * left. In `panels` a panel is one cooperative launch (gehrd_panel.h). In `phases` a column is a
 * few launches (gehrd_phases.h). On cpu `lapack` is the installed LAPACK.
 *
 * Y, V and Z stand side by side. A row of zeros is above Y and V: products begin a row higher than
 * the reflectors, so that what they read and write begins where the panel does.
 */
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "lapack/gehrd_panel.h"
#include "lapack/gehrd_phases.h"
#include "lapack/installed.h"
#include "lapack/kept_slots.h"
#include "lapack/sytrd_panel.h"

#define BLOCK 32 /* columns of a panel that is made of calls: what is tuned are kernels */

enum { PANEL_BLOCK, PHASE_PARAMS, PANEL_KEPT = PHASE_PARAMS, PANEL_PARAMS };
static const int32_t blocks[] = {16, 32, 64};
static const gbl_param space[PANEL_PARAMS] = {{.name = "block", GBL_VALUES(blocks), .fallback = 32},
                                              GBL_KEPT_PARAM};

/* The details of `panels` and `phases`; others have none. */
static const char by_one_launch, by_phases;

static bool is_panels(const gbl_variant *self)
{
    return self->detail == &by_one_launch;
}

static bool is_phases(const gbl_variant *self)
{
    return self->detail == &by_phases;
}

static int64_t block_of(const gbl_variant *self, const gbl_params *params)
{
    return self->detail != NULL ? params->value[PANEL_BLOCK] : BLOCK;
}

/* Rows and columns that are reduced, from 0: the first, and the one behind the last. Calls that
 * were made from a description have no ilo: then it is the whole matrix. */
static int64_t first_of(const gbl_product_call *call)
{
    return call->ilo > 0 ? call->ilo - 1 : 0;
}

static int64_t end_of(const gbl_product_call *call)
{
    return call->ilo > 0 ? call->ihi : call->n;
}

/* ---- The reduction ---- */

typedef struct reduction {
    gable_context *ctx;
    const gbl_product_call *call;
    gbl_gehrd_room room;
    gbl_gehrd_panels panels;
    gbl_gehrd_phases phases;
    void *thin; /* Y, V and Z from their row of zeros on: room.block columns each */
    int64_t ld;
    void *inner;                   /* V^H Y */
    gbl_reflect_room across, down; /* the same memory: from the right, from the left */
} reduction;

/* The larger of n by block and block by n numbers. */
static size_t room_bytes(const gbl_product_call *call, int64_t block)
{
    const int64_t across = gbl_composed_ld(call->dtype, call->n) * block,
                  down = gbl_composed_ld(call->dtype, block) * call->n;
    return (size_t)(across > down ? across : down) * gbl_dtype_bytes(call->dtype);
}

/* Y, V and Z from their row `row` on. */
static void *thin_at(const reduction *f, int which, int64_t row)
{
    return gbl_element(f->call->dtype, f->thin, f->ld, row, which * f->room.block);
}

enum { THIN_Y, THIN_V, THIN_Z, THIN_ALL };

static gable_status take_room(reduction *f, int64_t block)
{
    gable_context *ctx = f->ctx;
    const gbl_product_call *call = f->call;
    const gbl_dtype t = call->dtype;
    const int64_t order = end_of(call) - first_of(call), most = block < order ? block : order;
    gbl_gehrd_room *room = &f->room;
    room->block = most;
    TRY(gbl_steps_begin(ctx, "gehrd", t, &room->steps));
    TRY(gbl_composed_room(ctx, t, call->n + 1, THIN_ALL * most, &f->thin, &f->ld));
    room->panel = (gbl_reflectors){.dtype = t, .V = thin_at(f, THIN_V, 1), .ldv = f->ld};
    room->Y = thin_at(f, THIN_Y, 1);
    room->ldy = f->ld;
    TRY(gbl_composed_room(ctx, t, most, most, &room->panel.T, &room->panel.ldt));
    TRY(gbl_composed_room(ctx, t, most, most, &f->inner, &room->panel.ldt));
    TRY(gbl_arena_take(ctx->arena, ctx->device, room_bytes(call, most), &f->across.W,
                       &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, room_bytes(call, most), &f->across.X,
                       &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)(3 * most) * gbl_dtype_bytes(t),
                       &room->small, &ctx->message));
    f->down = f->across;
    f->across.ld = gbl_composed_ld(t, call->n);
    f->down.ld = gbl_composed_ld(t, most);
    const gbl_product_call zeros = {
        .dtype = t, .uplo = GABLE_GENERAL, .m = 1, .n = 2 * most, .A = f->thin, .lda = f->ld};
    const gbl_product_call triangle = {.dtype = t,
                                       .uplo = GABLE_UPPER,
                                       .m = most,
                                       .n = most,
                                       .beta = {.re = 1},
                                       .A = room->panel.V,
                                       .lda = room->panel.ldv};
    TRY(gbl_laset(ctx, "gehrd", &zeros));
    TRY(gbl_laset(ctx, "gehrd", &triangle));
    return gbl_fill_bytes(ctx, room->panel.T, 0,
                          (size_t)(room->panel.ldt * most) * gbl_dtype_bytes(t));
}

static gable_status multiply(const reduction *f, gbl_product_call product, void *A, int64_t lda,
                             void *B, int64_t ldb, void *C, int64_t ldc)
{
    product.A = A;
    product.lda = lda;
    product.B = B;
    product.ldb = ldb;
    product.C = C;
    product.ldc = ldc;
    return gbl_gemm(f->ctx, "gehrd", &product);
}

/* The panel's rows behind it, which has k columns from `first` on: A - Y V^H - V Z^H. Behind column
 * `end` nothing comes from the right. Row k of what has zeros above it belongs to the first column
 * behind the panel. */
static gable_status update_rest(const reduction *f, int64_t first, int64_t end)
{
    const gbl_product_call *call = f->call;
    const gbl_dtype t = call->dtype;
    const gbl_reflectors *h = &f->room.panel;
    const int64_t k = h->k, rows = h->m + 1, behind = first + k, inside = end - behind,
                  outside = call->n - end, ld = f->ld;
    void *const rest = gbl_element(t, call->A, call->lda, first, behind), *const W = f->down.W;
    if (inside + outside == 0)
        return GABLE_OK;
    TRY(multiply(f, gbl_reflect_product(t, true, false, k, inside + outside, rows, 1, 0),
                 thin_at(f, THIN_V, 0), ld, rest, call->lda, W, f->down.ld));
    TRY(multiply(f, gbl_reflect_product(t, true, false, k, k, rows, 1, 0), thin_at(f, THIN_V, 0),
                 ld, thin_at(f, THIN_Y, 0), ld, f->inner, h->ldt));
    TRY(multiply(f, gbl_reflect_product(t, false, true, k, inside, k, -1, 1), f->inner, h->ldt,
                 thin_at(f, THIN_V, k), ld, W, f->down.ld));
    TRY(multiply(f, gbl_reflect_product(t, true, false, inside + outside, k, k, 1, 0), W,
                 f->down.ld, h->T, h->ldt, thin_at(f, THIN_Z, k), ld));
    /* The last panel may have fewer columns: then V does not stand right behind Y. */
    const int64_t rank = k == f->room.block ? 2 * k : k;
    TRY(multiply(f, gbl_reflect_product(t, false, true, rows, inside, rank, -1, 1),
                 thin_at(f, THIN_Y, 0), ld, thin_at(f, THIN_V, k), ld, rest, call->lda));
    if (rank == k)
        TRY(multiply(f, gbl_reflect_product(t, false, true, rows, inside, k, -1, 1),
                     thin_at(f, THIN_V, 0), ld, thin_at(f, THIN_Z, k), ld, rest, call->lda));
    return multiply(f, gbl_reflect_product(t, false, true, rows, outside, k, -1, 1),
                    thin_at(f, THIN_V, 0), ld, thin_at(f, THIN_Z, k + inside), ld,
                    gbl_element(t, call->A, call->lda, first, end), call->lda);
}

static gable_status reduce_panel(reduction *f, int64_t first, int64_t end)
{
    const gbl_product_call *call = f->call;
    const gbl_reflectors *h = &f->room.panel;
    gbl_reflectors higher = *h; /* with the row of zeros */
    higher.V = thin_at(f, THIN_V, 0);
    higher.m++;
    if (f->panels.kernel != NULL)
        TRY(gbl_gehrd_panel(f->ctx, &f->panels, call, &f->room, first));
    else if (f->phases.column != NULL)
        TRY(gbl_gehrd_phases_run(f->ctx, &f->phases, call, &f->room, first));
    else
        TRY(gbl_gehrd_columns(call, &f->room, first, end));
    TRY(gbl_reflect(f->ctx, "gehrd", GABLE_RIGHT, false, &higher, first + 1,
                    gbl_element(call->dtype, call->A, call->lda, 0, first), call->lda, &f->across));
    return update_rest(f, first, end);
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const int64_t begin = first_of(call), end = end_of(call), block = block_of(self, params);
    reduction f = {.ctx = ctx, .call = call};
    if (call->n > 1)
        TRY(gbl_fill_bytes(ctx, call->tau, 0,
                           (size_t)(call->n - 1) * gbl_dtype_bytes(call->dtype)));
    if (end - begin < 2)
        return GABLE_OK;
    TRY(take_room(&f, block));
    if (is_panels(self))
        TRY(gbl_gehrd_panels_prepare(ctx, self, call, params, end - 1 - begin, &f.panels));
    if (is_phases(self))
        TRY(gbl_gehrd_phases_prepare(ctx, call, params, end - 1 - begin, &f.phases));
    for (int64_t first = begin; first < end - 1; first += block) {
        const int64_t left = end - 1 - first;
        f.room.panel.m = left;
        f.room.panel.k = left < block ? left : block;
        TRY(reduce_panel(&f, first, end));
    }
    return GABLE_OK;
}

/* ---- What it costs ---- */

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n, elem = (double)gbl_dtype_bytes(call->dtype),
                 order = (double)(end_of(call) - first_of(call)), beside = n - order,
                 bytes = elem * (n * n - beside * beside / 2);
    *least = (gbl_work){.bytes_read = bytes,
                        .bytes_written = bytes + elem * n,
                        .flops = gbl_lapack_flops(call, order * order * (5 * order / 3 + beside))};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const int64_t block = block_of(self, params), order = end_of(call) - first_of(call),
                  most = block < order ? block : order;
    const double n = (double)order, elem = (double)gbl_dtype_bytes(call->dtype),
                 panels = (double)gbl_parts(order, block);
    gbl_work least;
    work(call, &least);
    /* Each column reads the square that is left; each panel reads it twice and writes it, and what
     * is above, which is half of it in the mean. */
    least.bytes_read += elem * n * n * n / 3 * (1 + 3 / (double)block);
    least.bytes_written += elem * n * n * n / 2 / (double)block;
    const double launches = is_panels(self)   ? panels
                            : is_phases(self) ? n * GBL_GEHRD_PHASE_LAUNCHES
                                              : n * GBL_GEHRD_COLUMN_LAUNCHES;
    gbl_composed_cost(&least, launches + 8 * panels, out);
    out->workspace_bytes = gbl_composed_room_bytes(call->dtype, call->n + 1, THIN_ALL * most) +
                           2 * gbl_composed_room_bytes(call->dtype, most, most) +
                           2 * (double)room_bytes(call, most) + 3 * elem * (double)most +
                           (is_panels(self)   ? gbl_gehrd_panel_bytes(call, params, device, order)
                            : is_phases(self) ? gbl_gehrd_phases_bytes(call, params, device, order)
                                              : 0);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const gbl_dtype t = call->dtype;
    const int64_t block = block_of(self, params), order = end_of(call) - first_of(call),
                  k = block < order ? block : order, side = (int64_t)(0.577 * (double)order),
                  mean = side > 0 ? side : 1, rows = order / 2 > 0 ? order / 2 : 1,
                  above = first_of(call) + rows;
    const double panels = (double)gbl_parts(order - 1, block);
    if (order < 2)
        return 0;
    const gbl_product_call down = gbl_reflect_product(t, true, false, k, mean, mean, 1, 0),
                           inner = gbl_reflect_product(t, true, false, k, k, rows, 1, 0),
                           turn = gbl_reflect_product(t, true, false, rows, k, k, 1, 0),
                           update = gbl_reflect_product(t, false, true, mean, mean, 2 * k, -1, 1),
                           right = gbl_reflect_product(t, false, false, above, k, rows, 1, 0),
                           small = gbl_reflect_product(t, false, false, above, k, k, 1, 0),
                           back = gbl_reflect_product(t, false, true, above, rows, k, -1, 1);
    int count = is_panels(self)   ? gbl_gehrd_panel_parts(call, params, device, order, parts, 0)
                : is_phases(self) ? gbl_gehrd_phases_parts(call, params, device, order, parts, 0)
                                  : gbl_gehrd_columns_parts(call, order, block, parts, 0);
    count = gbl_composed_product(parts, count, &right, panels);
    count = gbl_composed_product(parts, count, &small, panels);
    count = gbl_composed_product(parts, count, &back, panels);
    if (panels > 1) {
        count = gbl_composed_product(parts, count, &down, panels - 1);
        count = gbl_composed_product(parts, count, &inner, panels - 1);
        count = gbl_composed_product(parts, count, &turn, 2 * (panels - 1));
        count = gbl_composed_product(parts, count, &update, panels - 1);
    }
    return count;
}

/* ---- The table ---- */

static bool fits_installed(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return gbl_installed_fits("gehrd", call, device);
}

static gable_status run_installed(gable_context *ctx, const gbl_variant *self, const void *call,
                                  const gbl_params *params)
{
    if (gbl_installed_fits("gehrd", call, ctx->device))
        return gbl_installed_gehrd(ctx, call);
    return run(ctx, self, call, params);
}

static void cost_installed(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_cost *out)
{
    (void)self, (void)params;
    gbl_installed_cost(&gbl_gehrd_op, call, device, out);
}

static bool fits_panels(const gbl_variant *self, const void *call, const gbl_device *device)
{
    return end_of(call) - first_of(call) > 1 && gbl_sytrd_panel_fits(self, call, device);
}

static const gbl_variant variants[] = {
    GBL_VARIANT("columns", .fits = gbl_lapack_fits, .run = run, .cost = cost, .parts = parts_of),
    GBL_VARIANT("panels", .fits = fits_panels, .run = run, .cost = cost, .space = space,
                .space_count = PANEL_PARAMS, .legal = gbl_gehrd_panel_legal,
                .detail = &by_one_launch, .kernels = "gehrd_panel.cl",
                .specs = gbl_gehrd_panel_specs, .parts = parts_of),
    GBL_VARIANT("phases", .fits = gbl_phase_fits, .run = run, .cost = cost, .space = space,
                .space_count = PHASE_PARAMS, .legal = gbl_phase_legal, .detail = &by_phases,
                .kernels = "gehrd_column.cl gehrd_reflect.cl gehrd_vector.cl",
                .specs = gbl_gehrd_phases_specs, .parts = parts_of),
    GBL_VARIANT("lapack", .fits = fits_installed, .run = run_installed, .cost = cost_installed)};

static int64_t one_less(const void *given)
{
    const gbl_product_call *call = given;
    return call->n > 0 ? call->n - 1 : 0;
}

#define ILO_ARGUMENT 3

static gable_status rules(gable_context *ctx, const void *given)
{
    const gbl_product_call *call = given;
    const int64_t n = call->n, most = n > 1 ? n : 1, least = call->ilo < n ? call->ilo : n;
    CHECK_ARG(ctx, call->ilo >= 1 && call->ilo <= most, ILO_ARGUMENT, "ilo",
              "is %lld; it must be 1 to max(1, n) = %lld", (long long)call->ilo, (long long)most);
    CHECK_ARG(ctx, call->ihi >= least && call->ihi <= n, ILO_ARGUMENT + 1, "ihi",
              "is %lld; it must be min(ilo, n) = %lld to n = %lld", (long long)call->ihi,
              (long long)least, (long long)n);
    return GABLE_OK;
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_ORDER,
    {.name = "ilo", .kind = GBL_ANY, .at = PRODUCT_AT(ilo)},
    {.name = "ihi", .kind = GBL_ANY, .at = PRODUCT_AT(ihi)},
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n, NULL, "n"),
    GBL_LAPACK_TAU(GBL_WRITE, one_less),
};

const gbl_op gbl_gehrd_op = {GBL_PRODUCT_OP("gehrd", operands, variants), .rules = rules,
                             .work = work, .rounded_parts = true};

gable_status gbl_gehrd(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_gehrd_op, call);
}
