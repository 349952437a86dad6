/* gebrd.c: the reduction to bidiagonal form, A = Q B P^H, Q and P as Householder reflectors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of `block` columns and rows are reduced one after the other. What stands behind a panel is
 * then A - V Y^H - X U^H. `columns` reduces a panel by calls (gebrd_columns.h), and brings the rest
 * up to date by two products. The places of d and e in A hold ones until then. In `panels` a panel
 * is one cooperative launch (gebrd_panel.h), and the rest takes one product, of [V X] and [Y U]^H.
 * Where columns start at odd addresses `aligned` reduces a copy (factor_copy.h): panels are half as
 * fast there. On cpu `lapack` is the installed LAPACK. A matrix with fewer rows than columns is
 * turned (turned.h): with A^H = Q B P^H it is A = P B^H Q^H, so that Q and P change places, and the
 * upper bidiagonal B becomes a lower one.
 */
#include "blas/kernel_plan.h"
#include "lapack/factor_copy.h"
#include "lapack/gebrd_columns.h"
#include "lapack/gebrd_panel.h"
#include "lapack/installed.h"
#include "lapack/reflect.h"
#include "lapack/turned.h"

#define BLOCK 32 /* columns of a panel that is made of calls: what is tuned are kernels */

enum { PANEL_BLOCK, GEBRD_PARAMS };
static const int32_t blocks[] = {16, 32};
static const gbl_param space[GEBRD_PARAMS] = {
    {.name = "block", GBL_VALUES(blocks), .fallback = 32}};

/* The detail of `panels`; others have none. */
static const bool by_one_launch = true;

static bool is_panels(const gbl_variant *self)
{
    return self->detail != NULL;
}

static int64_t block_of(const gbl_variant *self, const gbl_params *params)
{
    return is_panels(self) ? params->value[PANEL_BLOCK] : BLOCK;
}

static int64_t order_of(const void *given)
{
    const gbl_product_call *call = given;
    return call->m < call->n ? call->m : call->n;
}

static int64_t beside_order(const void *call)
{
    const int64_t order = order_of(call);
    return order > 0 ? order - 1 : 0;
}

/* ---- The reduction of a matrix with m >= n ---- */

static gable_status fill_ones(gable_context *ctx, gbl_dtype real, int64_t n, void *x)
{
    const gbl_vector_call ones = {.dtype = real, .n = n, .alpha = {.re = 1}, .x = x, .incx = 1};
    return n > 0 ? gbl_fill(ctx, "gebrd", &ones) : GABLE_OK;
}

/* A(i:, j:) -= V Y^H + X U^H, behind a panel. */
static gable_status update(gable_context *ctx, const gbl_product_call *call, int64_t first,
                           int64_t count, const gbl_bidiagonal_room *room)
{
    const gbl_dtype t = call->dtype;
    const int64_t end = first + count, m = call->m - end, n = call->n - end;
    gbl_product_call left = gbl_reflect_product(t, false, true, m, n, count, -1, 1),
                     right = gbl_reflect_product(t, false, false, m, n, count, -1, 1);
    if (m <= 0 || n <= 0)
        return GABLE_OK;
    left.A = gbl_element(t, call->A, call->lda, end, first);
    left.lda = call->lda;
    left.B = gbl_element(t, room->Y, room->ldy, count, 0);
    left.ldb = room->ldy;
    right.A = gbl_element(t, room->X, room->ldx, count, 0);
    right.lda = room->ldx;
    right.B = gbl_element(t, call->A, call->lda, first, end);
    right.ldb = call->lda;
    left.C = right.C = gbl_element(t, call->A, call->lda, end, end);
    left.ldc = right.ldc = call->lda;
    TRY(gbl_gemm(ctx, "gebrd", &left));
    return gbl_gemm(ctx, "gebrd", &right);
}

/* d or e of a panel, in the place of ones: their imaginary parts are zeros already. */
static gable_status put_back(gable_context *ctx, const gbl_product_call *call, int64_t first,
                             int64_t count, const void *from, int64_t beside)
{
    const bool complex = gbl_dtype_complex(call->dtype);
    const gbl_dtype real = gbl_dtype_real_bytes(call->dtype) == 4 ? GBL_S : GBL_D;
    const gbl_vector_call copy = {
        .dtype = real,
        .n = count,
        .x = gbl_element(real, from, 0, first, 0),
        .incx = 1,
        .y = gbl_element(call->dtype, call->A, call->lda, first, first + beside),
        .incy = (call->lda + 1) * (complex ? 2 : 1)};
    return count > 0 ? gbl_copy(ctx, "gebrd", &copy) : GABLE_OK;
}

static gable_status by_columns(gable_context *ctx, const gbl_product_call *call, int64_t block)
{
    const gbl_dtype real = gbl_dtype_real_bytes(call->dtype) == 4 ? GBL_S : GBL_D;
    const int64_t n = call->n;
    gbl_bidiagonal_room room;
    TRY(gbl_bidiagonal_take(ctx, call, block < n ? block : n, &room));
    TRY(fill_ones(ctx, real, n, call->d));
    TRY(fill_ones(ctx, real, n - 1, call->e));
    for (int64_t first = 0; first < n; first += block) {
        const int64_t rest = n - first, count = rest < block ? rest : block,
                      beside = rest - 1 < count ? rest - 1 : count;
        TRY(gbl_gebrd_columns(ctx, call, first, count, &room));
        TRY(update(ctx, call, first, count, &room));
        TRY(put_back(ctx, call, first, count, call->d, 0));
        TRY(put_back(ctx, call, first, beside, call->e, 1));
    }
    return GABLE_OK;
}

/* A - P Q, behind a panel: m by n, of rank 2 k. */
static gbl_product_call update_of(gbl_dtype dtype, int64_t m, int64_t n, int64_t k)
{
    gbl_product_call product = gbl_reflect_product(dtype, false, false, m, n, 2 * k, -1, 1);
    product.trans = GABLE_TRANS;
    return product;
}

static gable_status by_panels(gable_context *ctx, const gbl_variant *self,
                              const gbl_product_call *call, const gbl_params *params)
{
    const gbl_dtype t = call->dtype;
    const int64_t n = call->n, block = params->value[PANEL_BLOCK];
    gbl_gebrd_panels panels;
    TRY(gbl_gebrd_panels_prepare(ctx, self, call, params, &panels));
    for (int64_t first = 0; first < n; first += block) {
        const int64_t rest = n - first, count = rest < block ? rest : block, end = first + count;
        TRY(gbl_gebrd_panel(ctx, &panels, call, first, count));
        gbl_product_call update = update_of(t, call->m - end, n - end, count);
        update.lda = update.ldb = 2 * block;
        update.A = gbl_element(t, panels.P, update.lda, 0, count);
        update.B = gbl_element(t, panels.Q, update.ldb, 0, count);
        update.C = gbl_element(t, call->A, call->lda, end, end);
        update.ldc = call->lda;
        if (end < n)
            TRY(gbl_gemm(ctx, "gebrd", &update));
    }
    return GABLE_OK;
}

static gable_status reduce(gable_context *ctx, const gbl_variant *self,
                           const gbl_product_call *call, const gbl_params *params)
{
    return is_panels(self) ? by_panels(ctx, self, call, params) : by_columns(ctx, call, BLOCK);
}

static gbl_product_call turned_of(const gbl_product_call *call, void *B, int64_t ldb)
{
    gbl_product_call turned = *call;
    turned.m = call->n;
    turned.n = call->m;
    turned.A = B;
    turned.lda = ldb;
    turned.tau = call->taup;
    turned.taup = call->tau;
    return turned;
}

static gable_status run(gable_context *ctx, const gbl_variant *self, const void *given,
                        const gbl_params *params)
{
    const gbl_product_call *call = given;
    void *B;
    int64_t ldb;
    if (call->m >= call->n)
        return reduce(ctx, self, call, params);
    TRY(gbl_composed_room(ctx, call->dtype, call->n, call->m, &B, &ldb));
    TRY(gbl_turned(ctx, "gebrd", call->dtype, call->m, call->n, call->A, call->lda, B, ldb));
    const gbl_product_call turned = turned_of(call, B, ldb);
    TRY(reduce(ctx, self, &turned, params));
    return gbl_turned(ctx, "gebrd", call->dtype, call->n, call->m, B, ldb, call->A, call->lda);
}

/* ---- What it costs ---- */

/* 4 n^2 (m - n / 3) flops, 8/3 n^3 of a square; n is the smaller size. */
static void work(const void *given, gbl_work *least)
{
    const gbl_product_call *call = given;
    const double n = (double)order_of(call), m = (double)(call->m + call->n) - n,
                 bytes = (double)gbl_dtype_bytes(call->dtype) * m * n;
    *least = (gbl_work){.bytes_read = bytes,
                        .bytes_written = bytes,
                        .flops = gbl_lapack_flops(call, 2 * n * n * (m - n / 3))};
}

static void cost(const gbl_variant *self, const void *given, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    const gbl_product_call *call = given;
    const double n = (double)order_of(call), m = (double)(call->m + call->n) - n,
                 elem = (double)gbl_dtype_bytes(call->dtype),
                 panels = (double)gbl_parts(order_of(call), block_of(self, params));
    gbl_work least;
    work(call, &least);
    /* Each column reads twice what stands behind it, or once. */
    least.bytes_read += elem * n * n * (m - n / 3) / (is_panels(self) ? 2 : 1);
    gbl_composed_cost(
        &least,
        (is_panels(self) ? 2 * panels : n * gbl_gebrd_columns_launches(call) + 4 * panels) + 2,
        out);
    if (is_panels(self)) {
        gbl_product_call tall = *call;
        tall.m = (int64_t)m;
        tall.n = (int64_t)n;
        out->workspace_bytes =
            gbl_gebrd_panel_bytes(&tall, params, device) +
            (call->m < call->n ? gbl_composed_room_bytes(call->dtype, call->n, call->m) : 0);
    }
}

static int parts_of(const gbl_variant *self, const void *given, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const gbl_product_call *call = given;
    const bool turns = call->m < call->n;
    const int64_t block = block_of(self, params), order = order_of(call);
    const gbl_product_call tall =
        turns ? turned_of(call, call->A, gbl_composed_ld(call->dtype, call->n)) : *call;
    if (order == 0)
        return 0;
    int count = is_panels(self) ? gbl_gebrd_panel_parts(&tall, params, device, parts, 0)
                                : gbl_gebrd_columns_parts(&tall, block, parts);
    const double times = (double)(gbl_parts(order, block) - 1);
    if (order > block && is_panels(self)) {
        const int64_t n = (int64_t)(0.577 * (double)order) + 1;
        gbl_product_call both = update_of(call->dtype, tall.m - order + n, n, block);
        both.lda = both.ldb = 2 * block;
        both.ldc = tall.lda;
        count = gbl_composed_product(parts, count, &both, times);
    } else if (order > block) {
        const int64_t m = tall.m - order / 2, n = order - order / 2;
        const gbl_product_call left = gbl_reflect_product(call->dtype, false, true, m, n, block, -1,
                                                          1),
                               right = gbl_reflect_product(call->dtype, false, false, m, n, block,
                                                           -1, 1);
        count = gbl_composed_product(parts, count, &left, times);
        count = gbl_composed_product(parts, count, &right, times);
    }
    if (turns) {
        const gbl_matrix_call there = gbl_turned_call(call->dtype, call->m, call->n, call->A,
                                                      call->lda, NULL, tall.lda),
                              back = gbl_turned_call(call->dtype, call->n, call->m, NULL, tall.lda,
                                                     call->A, call->lda);
        count = gbl_composed_call(parts, count, &gbl_transpose_op, &there, 1);
        count = gbl_composed_call(parts, count, &gbl_transpose_op, &back, 1);
    }
    return count;
}

/* ---- Through the installed LAPACK ---- */

static bool fits_installed(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    return gbl_installed_fits("gebrd", call, device);
}

static gable_status run_installed(gable_context *ctx, const gbl_variant *self, const void *call,
                                  const gbl_params *params)
{
    if (gbl_installed_fits("gebrd", call, ctx->device))
        return gbl_installed_gebrd(ctx, call);
    return run(ctx, self, call, params);
}

static void cost_installed(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, gbl_cost *out)
{
    (void)self, (void)params;
    gbl_installed_cost(&gbl_gebrd_op, call, device, out);
}

/* ---- The table ---- */

static const gbl_factor_copy factor_copy = {.op = &gbl_gebrd_op, .routine = gbl_gebrd};

/* A matrix with m < n is in the workspace anyway. */
static bool fits_aligned(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    return call->m >= call->n && gbl_factor_copy_fits(self, call, device);
}

static const gbl_variant variants[] = {
    GBL_VARIANT("columns", .fits = gbl_lapack_fits, .run = run, .cost = cost, .parts = parts_of),
    GBL_VARIANT("panels", .fits = gbl_gebrd_panel_fits, .run = run, .cost = cost, .space = space,
                .space_count = GEBRD_PARAMS, .legal = gbl_gebrd_panel_legal,
                .detail = &by_one_launch, .kernels = "gebrd_panel.cl",
                .specs = gbl_gebrd_panel_specs, .parts = parts_of),
    GBL_VARIANT("aligned", .fits = fits_aligned, .run = gbl_factor_copy_run,
                .cost = gbl_factor_copy_cost, .detail = &factor_copy,
                .parts = gbl_factor_copy_parts),
    GBL_VARIANT("lapack", .fits = fits_installed, .run = run_installed, .cost = cost_installed)};

#define FACTORS(name_, at_)                                                                        \
    {                                                                                              \
        .name = name_, .kind = GBL_NUMBERS, .access = GBL_WRITE, .at = PRODUCT_AT(at_),            \
        .rows = order_of                                                                           \
    }
#define DIAGONAL(name_, rows_)                                                                     \
    {                                                                                              \
        .name = #name_, .kind = GBL_NUMBERS, .access = GBL_WRITE, .at = PRODUCT_AT(name_),         \
        .rows = rows_, .element = gbl_real_element                                                 \
    }

static const gbl_operand operands[] = {
    GBL_PRODUCT_ROWS,
    GBL_PRODUCT_COLUMNS,
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m"),
    DIAGONAL(d, order_of),
    DIAGONAL(e, beside_order),
    FACTORS("tauq", tau),
    FACTORS("taup", taup),
};

const gbl_op gbl_gebrd_op = {
    GBL_PRODUCT_OP("gebrd", operands, variants),
    .work = work,
    .rounded_parts = true,
};

gable_status gbl_gebrd(gable_context *ctx, const char *name, const gbl_product_call *call)
{
    return gbl_call_run(ctx, name, &gbl_gebrd_op, call);
}
