/* sytrd.c: the reduction of a symmetric or Hermitian matrix to tridiagonal form: Q^H A Q = T
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of `block` columns are reduced one after the other, in the lower triangle from the first
 * column on and in the upper one from the last. Behind a panel one product of rank 2 `block`
 * updates what is left. `columns` reduces a panel by calls (sytrd_columns.h): each column reads all
 * that is left once. In `panels` a panel is one cooperative launch (sytrd_panel.h). In `phases` a
 * column is a few launches (sytrd_phases.h). On cpu `lapack` is the installed LAPACK.
 */
#include "blas/kernel_plan.h"
#include "lapack/installed.h"
#include "lapack/kept_slots.h"
#include "lapack/sytrd_columns.h"
#include "lapack/sytrd_panel.h"
#include "lapack/sytrd_phases.h"

#define BLOCK 32 /* columns of a panel that is made of calls: what is tuned are kernels */

enum { PANEL_BLOCK, PHASE_PARAMS, PANEL_KEPT = PHASE_PARAMS, PANEL_PARAMS };
static const int32_t blocks[] = {16, 32};
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

/* ---- The reduction ---- */

/* What is left, of so many rows from element (corner, corner) on, minus V W^H + W V^H. */
static gbl_product_call update_of(const gbl_product_call *call, const gbl_sytrd_room *room,
                                  int64_t first, int64_t count, int64_t corner, int64_t rows)
{
    const gbl_dtype t = call->dtype;
    const bool complex = gbl_dtype_complex(t);
    return (gbl_product_call){.dtype = t,
                              .uplo = call->uplo,
                              .trans = GABLE_NO_TRANS,
                              .conj = complex,
                              .real_beta = complex,
                              .m = rows,
                              .n = rows,
                              .k = count,
                              .alpha = {.re = -1},
                              .beta = {.re = 1},
                              .A = gbl_element(t, call->A, call->lda, corner, first),
                              .lda = call->lda,
                              .B = gbl_element(t, room->W, room->ldw, corner, 0),
                              .ldb = room->ldw,
                              .C = gbl_element(t, call->A, call->lda, corner, corner),
                              .ldc = call->lda};
}

static gable_status reduce_panel(gable_context *ctx, const gbl_product_call *call,
                                 const gbl_sytrd_room *room, const gbl_sytrd_panels *panels,
                                 const gbl_sytrd_phases *phases, int64_t first, int64_t count)
{
    const gbl_dtype t = call->dtype;
    const bool lower = call->uplo == GABLE_LOWER;
    const int64_t end = first + count, left = lower ? call->n - end : first;
    if (panels->kernel != NULL)
        TRY(gbl_sytrd_panel(ctx, panels, call, room->W, room->ldw, first, count));
    else if (phases->rows != NULL)
        TRY(gbl_sytrd_phases_run(ctx, phases, call, room->W, room->ldw, first, count));
    else
        TRY(gbl_sytrd_columns(call, room, first, count));
    if (left > 0) {
        const gbl_product_call update = update_of(call, room, first, count, lower ? end : 0, left);
        TRY(gbl_syr2k(ctx, "sytrd", &update));
    }
    /* e takes the places of the ones: below the diagonal of each column, or above it. */
    const int64_t from = lower || first > 0 ? first : 1,
                  to = lower && end == call->n ? end - 1 : end, index = lower ? from : from - 1;
    return gbl_step_real_parts(
        &room->steps, to - from, (char *)call->e + (size_t)index * gbl_dtype_real_bytes(t), 0,
        gbl_element(t, call->A, call->lda, lower ? from + 1 : from - 1, from), call->lda + 1);
}

/* Imaginary parts of a diagonal are zeros: before products add to them, and in what is left. */
static gable_status clear_diagonal(gable_context *ctx, const gbl_product_call *call)
{
    const gbl_vector_call parts = {.dtype = call->dtype == GBL_C ? GBL_S : GBL_D,
                                   .n = call->n,
                                   .x = (char *)call->A + gbl_dtype_real_bytes(call->dtype),
                                   .incx = 2 * (call->lda + 1)};
    return gbl_dtype_complex(call->dtype) ? gbl_fill(ctx, "sytrd", &parts) : GABLE_OK;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    const int64_t n = call->n, block = block_of(self, params);
    gbl_sytrd_room room;
    gbl_sytrd_panels panels = {.kernel = NULL};
    gbl_sytrd_phases phases = {.rows = NULL};
    TRY(gbl_sytrd_room_take(ctx, call, block, &room));
    if (is_panels(self))
        TRY(gbl_sytrd_panels_prepare(ctx, self, call, params, &panels));
    if (is_phases(self))
        TRY(gbl_sytrd_phases_prepare(ctx, call, params, &phases));
    TRY(clear_diagonal(ctx, call));
    for (int64_t done = 0; done < n; done += block) {
        const int64_t count = n - done < block ? n - done : block;
        TRY(reduce_panel(ctx, call, &room, &panels, &phases,
                         call->uplo == GABLE_LOWER ? done : n - done - count, count));
    }
    return clear_diagonal(ctx, call);
}

/* ---- What it costs ---- */

static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n, elem = (double)gbl_dtype_bytes(call->dtype),
                 triangle = elem * n * (n + 1) / 2;
    *least = (gbl_work){.bytes_read = triangle,
                        .bytes_written =
                            triangle + elem * n + 2 * n * (double)gbl_dtype_real_bytes(call->dtype),
                        .flops = gbl_lapack_flops(call, 2 * n * n * n / 3)};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const int64_t n = call->n, block = block_of(self, params);
    const double order = (double)n, elem = (double)gbl_dtype_bytes(call->dtype),
                 panels = (double)gbl_parts(n, block);
    gbl_work least;
    work(call, &least);
    /* Each column reads the triangle that is left; each panel reads and writes it. */
    least.bytes_read += elem * order * order * order / 6 * (1 + 1 / (double)block);
    least.bytes_written += elem * order * order * order / 6 / (double)block;
    const double launches = is_panels(self)   ? panels
                            : is_phases(self) ? order * GBL_SYTRD_PHASE_LAUNCHES + panels
                                              : order * GBL_SYTRD_COLUMN_LAUNCHES;
    gbl_composed_cost(&least, launches + 4 * panels, out);
    out->workspace_bytes = gbl_composed_room_bytes(call->dtype, n, block < n ? block : n) +
                           (is_panels(self)   ? gbl_sytrd_panel_bytes(call, params, device)
                            : is_phases(self) ? gbl_sytrd_phases_bytes(call, params, device)
                                              : 3 * elem * (double)block);
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const int64_t n = call->n, block = block_of(self, params),
                  mean = (int64_t)(0.577 * (double)(n - block));
    const gbl_sytrd_room none = {.ldw = gbl_composed_ld(call->dtype, n)};
    int count = is_panels(self)   ? gbl_sytrd_panel_parts(call, params, device, parts, 0)
                : is_phases(self) ? gbl_sytrd_phases_parts(call, params, device, parts, 0)
                                  : gbl_sytrd_columns_parts(call, block, parts, 0);
    if (n > block) {
        const gbl_product_call update = update_of(call, &none, 0, block, 0, mean > 0 ? mean : 1);
        count = gbl_composed_call(parts, count, &gbl_syr2k_op, &update,
                                  (double)(gbl_parts(n, block) - 1));
    }
    return count;
}

/* ---- The table ---- */

static bool fits_installed(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return gbl_installed_fits("sytrd", call, device);
}

static gable_status run_installed(gable_context *ctx, const gbl_variant *self, const void *call,
                                  const gbl_params *params)
{
    if (gbl_installed_fits("sytrd", call, ctx->device))
        return gbl_installed_sytrd(ctx, call);
    return run(ctx, self, call, params);
}

static void cost_installed(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_cost *out)
{
    (void)self, (void)params;
    gbl_installed_cost(&gbl_sytrd_op, call, device, out);
}

static const gbl_variant variants[] = {
    GBL_VARIANT("columns", .fits = gbl_lapack_fits, .run = run, .cost = cost, .parts = parts_of),
    GBL_VARIANT("panels", .fits = gbl_sytrd_panel_fits, .run = run, .cost = cost, .space = space,
                .space_count = PANEL_PARAMS, .legal = gbl_sytrd_panel_legal,
                .detail = &by_one_launch, .kernels = "sytrd_panel.cl",
                .specs = gbl_sytrd_panel_specs, .parts = parts_of),
    GBL_VARIANT("phases", .fits = gbl_phase_fits, .run = run, .cost = cost, .space = space,
                .space_count = PHASE_PARAMS, .legal = gbl_phase_legal, .detail = &by_phases,
                .kernels = "sytrd_rows.cl sytrd_vector.cl", .specs = gbl_sytrd_phases_specs,
                .parts = parts_of),
    GBL_VARIANT("lapack", .fits = fits_installed, .run = run_installed, .cost = cost_installed)};

static int64_t one_less(const void *given)
{
    const gbl_product_call *call = given;
    return call->n > 0 ? call->n - 1 : 0;
}

static const gbl_operand operands[] = {
    GBL_PRODUCT_UPLO,
    GBL_PRODUCT_ORDER,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,
                       gbl_product_triangle, "n"),
    GBL_LAPACK_REALS("d", d, gbl_product_n),
    GBL_LAPACK_REALS("e", e, one_less),
    GBL_LAPACK_TAU(GBL_WRITE, one_less),
};

const gbl_op gbl_sytrd_op = {GBL_PRODUCT_OP("sytrd", operands, variants), .work = work,
                             .rounded_parts = true};

gable_status gbl_sytrd(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_sytrd_op, call);
}
