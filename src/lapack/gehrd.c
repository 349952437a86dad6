/* gehrd.c: the reduction of a general matrix to Hessenberg form: Q^H A Q = H
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of `block` columns are reduced one after the other, which gives V, T and Y = A V T of
 * their reflectors. Then the rest becomes (I - V T V^H)^H (A - Y V^H): in the rows of the panel by
 * a product with Y and a block of reflectors from the left (reflect.h), in the rows above it by one
 * from the right. `columns` reduces a panel by calls (gehrd_columns.h): each column reads once what
 * is left. In `panels` a panel is one cooperative launch (gehrd_panel.h). In `phases` a column is a
 * few launches (gehrd_phases.h). On cpu `lapack` is the installed LAPACK.
 */
#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "lapack/gehrd_panel.h"
#include "lapack/gehrd_phases.h"
#include "lapack/installed.h"
#include "lapack/sytrd_panel.h"

#define BLOCK 32 /* columns of a panel that is made of calls: what is tuned are kernels */

enum { PANEL_BLOCK, GEHRD_PARAMS };
static const int32_t blocks[] = {16, 32, 64};
static const gbl_param space[GEHRD_PARAMS] = {
    {.name = "block", GBL_VALUES(blocks), .fallback = 32}};

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
    gbl_reflect_room across, down; /* the same memory: from the right, from the left */
} reduction;

/* The larger of n by block and block by n numbers. */
static size_t room_bytes(const gbl_product_call *call, int64_t block)
{
    const int64_t across = gbl_composed_ld(call->dtype, call->n) * block,
                  down = gbl_composed_ld(call->dtype, block) * call->n;
    return (size_t)(across > down ? across : down) * gbl_dtype_bytes(call->dtype);
}

static gable_status take_room(reduction *f, int64_t block)
{
    gable_context *ctx = f->ctx;
    const gbl_product_call *call = f->call;
    const gbl_dtype t = call->dtype;
    const int64_t order = end_of(call) - first_of(call), most = block < order ? block : order;
    gbl_gehrd_room *room = &f->room;
    room->panel = (gbl_reflectors){.dtype = t};
    room->block = most;
    TRY(gbl_steps_begin(ctx, "gehrd", t, &room->steps));
    TRY(gbl_composed_room(ctx, t, order, most, &room->panel.V, &room->panel.ldv));
    TRY(gbl_composed_room(ctx, t, most, most, &room->panel.T, &room->panel.ldt));
    TRY(gbl_arena_take(ctx->arena, ctx->device, room_bytes(call, most), &f->across.W,
                       &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, room_bytes(call, most), &f->across.X,
                       &ctx->message));
    TRY(gbl_arena_take(ctx->arena, ctx->device, (size_t)(3 * most) * gbl_dtype_bytes(t),
                       &room->small, &ctx->message));
    f->down = f->across;
    f->across.ld = gbl_composed_ld(t, call->n);
    f->down.ld = gbl_composed_ld(t, most);
    /* Y is done with before these are used. */
    room->Y = f->across.W;
    room->ldy = f->across.ld;
    const gbl_product_call triangle = {.dtype = t,
                                       .uplo = GABLE_UPPER,
                                       .m = most,
                                       .n = most,
                                       .beta = {.re = 1},
                                       .A = room->panel.V,
                                       .lda = room->panel.ldv};
    TRY(gbl_laset(ctx, "gehrd", &triangle));
    return gbl_fill_bytes(ctx, room->panel.T, 0,
                          (size_t)(room->panel.ldt * most) * gbl_dtype_bytes(t));
}

/* The panel's rows behind it: A - Y V^H, as far as columns are reduced. */
static gbl_product_call update_of(const gbl_product_call *call, const gbl_gehrd_room *room,
                                  int64_t first, int64_t end)
{
    const gbl_reflectors *h = &room->panel;
    const int64_t behind = first + h->k;
    gbl_product_call product =
        gbl_reflect_product(call->dtype, false, true, h->m, end - behind, h->k, -1, 1);
    product.A = room->Y;
    product.lda = room->ldy;
    product.B = gbl_element(call->dtype, h->V, h->ldv, h->k - 1, 0);
    product.ldb = h->ldv;
    product.C = gbl_element(call->dtype, call->A, call->lda, first + 1, behind);
    product.ldc = call->lda;
    return product;
}

static gable_status reduce_panel(reduction *f, int64_t first, int64_t end)
{
    const gbl_product_call *call = f->call;
    const gbl_dtype t = call->dtype;
    const gbl_reflectors *h = &f->room.panel;
    const int64_t behind = first + h->k;
    if (f->panels.kernel != NULL)
        TRY(gbl_gehrd_panel(f->ctx, &f->panels, call, &f->room, first));
    else if (f->phases.column != NULL)
        TRY(gbl_gehrd_phases_run(f->ctx, &f->phases, call, &f->room, first));
    else
        TRY(gbl_gehrd_columns(call, &f->room, first, end));
    const gbl_product_call update = update_of(call, &f->room, first, end);
    TRY(gbl_gemm(f->ctx, "gehrd", &update));
    TRY(gbl_reflect(f->ctx, "gehrd", GABLE_RIGHT, false, h, first + 1,
                    gbl_element(t, call->A, call->lda, 0, first + 1), call->lda, &f->across));
    return gbl_reflect(f->ctx, "gehrd", GABLE_LEFT, true, h, call->n - behind,
                       gbl_element(t, call->A, call->lda, first + 1, behind), call->lda, &f->down);
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
    /* Each column reads the square that is left; each panel goes over it a few times. */
    least.bytes_read += elem * n * n * n / 3 * (1 + 3 / (double)block);
    least.bytes_written += elem * n * n * n / 3 * 2 / (double)block;
    const double launches = is_panels(self)   ? panels
                            : is_phases(self) ? n * GBL_GEHRD_PHASE_LAUNCHES
                                              : n * GBL_GEHRD_COLUMN_LAUNCHES;
    gbl_composed_cost(&least, launches + 7 * panels, out);
    out->workspace_bytes = gbl_composed_room_bytes(call->dtype, order, most) +
                           gbl_composed_room_bytes(call->dtype, most, most) +
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
    const gbl_product_call update = gbl_reflect_product(t, false, true, mean, mean, k, -1, 1),
                           down = gbl_reflect_product(t, true, false, k, mean, mean, 1, 0),
                           turn = gbl_reflect_product(t, true, false, k, rows, k, 1, 0),
                           up = gbl_reflect_product(t, false, false, mean, mean, k, -1, 1),
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
        count = gbl_composed_product(parts, count, &update, panels - 1);
        count = gbl_composed_product(parts, count, &down, panels - 1);
        count = gbl_composed_product(parts, count, &turn, panels - 1);
        count = gbl_composed_product(parts, count, &up, panels - 1);
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
                .space_count = GEHRD_PARAMS, .legal = gbl_gehrd_panel_legal,
                .detail = &by_one_launch, .kernels = "gehrd_panel.cl",
                .specs = gbl_gehrd_panel_specs, .parts = parts_of),
    GBL_VARIANT("phases", .fits = gbl_phase_fits, .run = run, .cost = cost, .space = space,
                .space_count = GEHRD_PARAMS, .legal = gbl_phase_legal, .detail = &by_phases,
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
