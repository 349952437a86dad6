/* host_panel.c: a call cut into panels of its output that do not need each other.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A panel of a product, or of a matrix beside a symmetric or triangular one, is the same routine on
 * fewer columns or rows. A panel of a triangle is its block on the diagonal, by the same routine,
 * and a rectangle above or below it, by gemm.
 */
#include "host/host_panel.h"

bool gbl_host_by_rows(const gbl_host_call *host)
{
    const gbl_product_call *call = &host->call;
    if (gbl_host_is_triangle(host->kind))
        return false;
    /* The factor that stays is the smaller one. */
    return host->kind == GBL_HOST_GEMM ? call->m / 2 > call->n : call->side == GABLE_RIGHT;
}

int64_t gbl_host_length(const gbl_host_call *host)
{
    return gbl_host_by_rows(host) ? host->call.m : host->call.n;
}

gbl_host_role gbl_host_role_of(const gbl_host_call *host, int operand)
{
    const gbl_host_kind kind = host->kind;
    if (!gbl_host_has(kind, operand))
        return GBL_ROLE_NONE;
    if (operand == gbl_host_output(kind))
        return GBL_ROLE_OUTPUT;
    if (kind == GBL_HOST_SYR2K || kind == GBL_HOST_SYRK)
        return GBL_ROLE_RESIDENT;
    const bool is_a = operand == GBL_HOST_A;
    if (kind == GBL_HOST_GEMM && gbl_host_by_rows(host))
        return is_a ? GBL_ROLE_PANEL : GBL_ROLE_RESIDENT;
    return is_a ? GBL_ROLE_RESIDENT : GBL_ROLE_PANEL;
}

gbl_host_block gbl_host_panel_block(const gbl_host_call *host, int operand, int64_t begin,
                                    int64_t end)
{
    const gbl_host_role role = gbl_host_role_of(host, operand);
    const gbl_product_call *call = &host->call;
    gbl_host_block block = gbl_host_whole(host, operand);
    if (role == GBL_ROLE_RESIDENT || role == GBL_ROLE_NONE)
        return block;
    const bool product = host->kind == GBL_HOST_GEMM || host->kind == GBL_HOST_GEMMT;
    const bool turned = product && ((operand == GBL_HOST_A && call->trans != GABLE_NO_TRANS) ||
                                    (operand == GBL_HOST_B && call->trans_b != GABLE_NO_TRANS));
    if (gbl_host_by_rows(host) != turned) {
        block.row = begin;
        block.rows = end - begin;
    } else {
        block.column = begin;
        block.columns = end - begin;
    }
    if (role == GBL_ROLE_OUTPUT && gbl_host_is_triangle(host->kind)) {
        block.row = call->uplo == GABLE_UPPER ? 0 : begin;
        block.rows = call->uplo == GABLE_UPPER ? end : call->n - begin;
    }
    return block;
}

gbl_clip gbl_host_clip_of(gbl_shape shape, int64_t elem, int64_t diagonal)
{
    switch (shape) {
    case GBL_UPPER_PART:
        return (gbl_clip){.keep = GBL_KEEP_BEFORE, .edge = diagonal + elem, .step = elem};
    case GBL_ABOVE_DIAGONAL:
        return (gbl_clip){.keep = GBL_KEEP_BEFORE, .edge = diagonal, .step = elem};
    case GBL_LOWER_PART:
        return (gbl_clip){.keep = GBL_KEEP_FROM, .edge = diagonal, .step = elem};
    case GBL_BELOW_DIAGONAL:
        return (gbl_clip){.keep = GBL_KEEP_FROM, .edge = diagonal + elem, .step = elem};
    case GBL_WHOLE:
        break;
    }
    return (gbl_clip){.keep = GBL_KEEP_ALL};
}

gbl_clip gbl_host_clip(const gbl_host_call *host, int operand, const gbl_host_block *block)
{
    const int64_t elem = (int64_t)gbl_dtype_bytes(host->call.dtype);
    return gbl_host_clip_of(gbl_host_shape(host, operand), elem,
                            (block->column - block->row) * elem);
}

/* ---- Calls ---- */

static gable_trans transpose_of(const gbl_host_call *host)
{
    return host->call.conj ? GABLE_CONJ_TRANS : GABLE_TRANS;
}

static void put_from(gbl_host_call *to, int operand, const gbl_host_call *from, int source,
                     int64_t row, int64_t column)
{
    gbl_host_put(to, operand, gbl_host_at(from, source, row, column), gbl_host_ld(from, source));
}

/* Rows `row` .. of the panel's columns: op(X) op(Y)^T of a rank-k update, or op(A) op(B). */
static gbl_host_call rectangle(const gbl_host_call *host, int x, int y, int64_t row, int64_t rows,
                               int64_t begin, int64_t columns)
{
    const gbl_product_call *call = &host->call;
    const bool product = host->kind == GBL_HOST_GEMMT, plain = call->trans == GABLE_NO_TRANS;
    gbl_host_call made =
        product
            ? gbl_host_product(host, call->trans, call->trans_b, rows, columns, call->k)
            : gbl_host_product(host, plain ? GABLE_NO_TRANS : transpose_of(host),
                               plain ? transpose_of(host) : GABLE_NO_TRANS, rows, columns, call->k);
    put_from(&made, GBL_HOST_A, host, x, row, 0);
    if (product)
        put_from(&made, GBL_HOST_B, host, y, 0, begin);
    else
        put_from(&made, GBL_HOST_B, host, y, begin, 0);
    put_from(&made, GBL_HOST_C, host, GBL_HOST_C, row, begin);
    return made;
}

static int triangle_calls(const gbl_host_call *host, int64_t begin, int64_t end,
                          gbl_host_call calls[GBL_HOST_PANEL_CALLS])
{
    const gbl_product_call *call = &host->call;
    const int64_t columns = end - begin, row = call->uplo == GABLE_UPPER ? 0 : end,
                  rows = call->uplo == GABLE_UPPER ? begin : call->n - end;
    const int second = host->kind == GBL_HOST_SYRK ? GBL_HOST_A : GBL_HOST_B;
    int count = 1;
    calls[0] = *host;
    calls[0].call.m = calls[0].call.n = columns;
    put_from(&calls[0], GBL_HOST_A, host, GBL_HOST_A, begin, 0);
    if (host->kind == GBL_HOST_GEMMT)
        put_from(&calls[0], GBL_HOST_B, host, GBL_HOST_B, 0, begin);
    else if (host->kind == GBL_HOST_SYR2K)
        put_from(&calls[0], GBL_HOST_B, host, GBL_HOST_B, begin, 0);
    put_from(&calls[0], GBL_HOST_C, host, GBL_HOST_C, begin, begin);
    if (rows > 0)
        calls[count++] = rectangle(host, GBL_HOST_A, second, row, rows, begin, columns);
    if (rows > 0 && host->kind == GBL_HOST_SYR2K) {
        calls[count] = rectangle(host, GBL_HOST_B, GBL_HOST_A, row, rows, begin, columns);
        if (call->conj)
            calls[count].call.alpha.im = -calls[count].call.alpha.im;
        calls[count++].call.beta = (gbl_scalar){.re = 1};
    }
    return count;
}

int gbl_host_panel_calls(const gbl_host_call *host, int64_t begin, int64_t end,
                         gbl_host_call calls[GBL_HOST_PANEL_CALLS])
{
    if (gbl_host_is_triangle(host->kind))
        return triangle_calls(host, begin, end, calls);
    const bool by_rows = gbl_host_by_rows(host);
    calls[0] = *host;
    *(by_rows ? &calls[0].call.m : &calls[0].call.n) = end - begin;
    for (int i = 0; i < GBL_HOST_OPERANDS; i++)
        if (gbl_host_role_of(host, i) > GBL_ROLE_RESIDENT)
            put_from(&calls[0], i, host, i, by_rows ? begin : 0, by_rows ? 0 : begin);
    return 1;
}
