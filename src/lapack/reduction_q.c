/* reduction_q.c: the unitary matrices of sytrd, gehrd and gebrd, by calls of those of QR and LQ.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/launch.h"
#include "lapack/reduction_q.h"

/* ---- The call that is made ---- */

static void *moved_tau(const gbl_product_call *call, int64_t first)
{
    return gbl_element(call->dtype, call->tau, 0, first, 0);
}

gbl_q_call gbl_q_applied(const gbl_product_call *call, int64_t i, int64_t j, int64_t first,
                         int64_t order, int64_t k)
{
    const bool left = call->side == GABLE_LEFT;
    gbl_q_call inner = {.op = &gbl_ormqr_op, .run = gbl_ormqr};
    inner.call =
        (gbl_product_call){.dtype = call->dtype,
                           .side = call->side,
                           .trans = call->trans,
                           .m = left ? order : call->m,
                           .n = left ? call->n : order,
                           .k = k,
                           .A = gbl_element(call->dtype, call->A, call->lda, i, j),
                           .lda = call->lda,
                           .tau = moved_tau(call, i < j ? i : j),
                           .C = left ? gbl_element(call->dtype, call->C, call->ldc, first, 0)
                                     : gbl_element(call->dtype, call->C, call->ldc, 0, first),
                           .ldc = call->ldc};
    return inner;
}

gbl_q_call gbl_q_applied_rows(const gbl_product_call *call, int64_t i, int64_t j, int64_t first,
                              int64_t order, int64_t k)
{
    gbl_q_call inner = gbl_q_applied(call, i, j, first, order, k);
    inner.op = &gbl_ormlq_op;
    inner.run = gbl_ormlq;
    inner.call.trans = call->trans == GABLE_NO_TRANS ? gbl_adjoint(call->dtype) : GABLE_NO_TRANS;
    return inner;
}

gbl_q_call gbl_q_formed(const gbl_product_call *call, int64_t i, int64_t j, int64_t first,
                        int64_t order)
{
    gbl_q_call inner = {
        .op = &gbl_orgqr_op, .run = gbl_orgqr, .first = first, .order = order, .bordered = true};
    inner.call = (gbl_product_call){.dtype = call->dtype,
                                    .m = order,
                                    .n = order,
                                    .k = order,
                                    .A = gbl_element(call->dtype, call->A, call->lda, i, j),
                                    .lda = call->lda,
                                    .tau = moved_tau(call, i < j ? i : j),
                                    .C = gbl_element(call->dtype, call->A, call->lda, first, first),
                                    .ldc = call->lda};
    return inner;
}

gbl_q_call gbl_q_formed_rows(const gbl_product_call *call, int64_t i, int64_t j, int64_t first,
                             int64_t order)
{
    gbl_q_call inner = gbl_q_formed(call, i, j, first, order);
    inner.op = &gbl_orglq_op;
    inner.run = gbl_orglq;
    return inner;
}

/* ---- Sizes ---- */

int64_t gbl_q_low(const gbl_product_call *call)
{
    return call->ilo > 0 ? call->ilo : 1;
}

int64_t gbl_q_high(const gbl_product_call *call, int64_t order)
{
    return call->ilo > 0 ? call->ihi : order;
}

gable_status gbl_q_range_rules(gable_context *ctx, const gbl_product_call *call, int number,
                               int64_t order)
{
    const int64_t most = order > 1 ? order : 1, least = call->ilo < order ? call->ilo : order;
    CHECK_ARG(ctx, call->ilo >= 1 && call->ilo <= most, number, "ilo",
              "is %lld; it must be 1 to %lld", (long long)call->ilo, (long long)most);
    CHECK_ARG(ctx, call->ihi >= least && call->ihi <= order, number + 1, "ihi",
              "is %lld; it must be %lld to %lld", (long long)call->ihi, (long long)least,
              (long long)order);
    return GABLE_OK;
}

static int64_t one_less(int64_t order)
{
    return order > 1 ? order - 1 : 0;
}

int64_t gbl_q_square_reflectors(const void *call)
{
    return one_less(gbl_product_n(call));
}

int64_t gbl_q_applied_reflectors(const void *call)
{
    return one_less(gbl_product_order(call));
}

int64_t gbl_q_applied_least(const void *call)
{
    const int64_t order = gbl_product_order(call), k = gbl_product_k(call);
    return order < k ? order : k;
}

/* ---- Runs ---- */

static bool is_empty(const gbl_product_call *call)
{
    return call->m <= 0 || call->n <= 0 || call->k <= 0;
}

/* Rows [i, i + rows) of columns [j, j + columns) become zeros, with ones on the diagonal that
 * begins there if asked for. */
static gable_status set(gable_context *ctx, const char *stem, const gbl_product_call *call,
                        int64_t i, int64_t j, int64_t rows, int64_t columns, double diagonal)
{
    const gbl_product_call fill = {.dtype = call->dtype,
                                   .uplo = GABLE_GENERAL,
                                   .m = rows,
                                   .n = columns,
                                   .beta = {.re = diagonal},
                                   .A = gbl_element(call->dtype, call->A, call->lda, i, j),
                                   .lda = call->lda};
    return rows <= 0 || columns <= 0 ? GABLE_OK : gbl_laset(ctx, stem, &fill);
}

/* What surrounds a square on the diagonal of a unit matrix. */
static gable_status set_border(gable_context *ctx, const char *stem, const gbl_product_call *call,
                               int64_t first, int64_t order)
{
    const int64_t n = call->n, end = first + order;
    TRY(set(ctx, stem, call, 0, 0, n, first, 1));
    TRY(set(ctx, stem, call, 0, first, first, order, 0));
    TRY(set(ctx, stem, call, end, first, n - end, order, 0));
    TRY(set(ctx, stem, call, 0, end, end, n - end, 0));
    return set(ctx, stem, call, end, end, n - end, n - end, 1);
}

gable_status gbl_q_run(gable_context *ctx, const gbl_variant *self, const void *given,
                       const gbl_params *params)
{
    const gbl_q_routine *routine = self->detail;
    const gbl_product_call *call = given;
    const gbl_q_call inner = routine->inner(call);
    (void)params;
    if (!is_empty(&inner.call) || (routine->forms && !inner.bordered))
        TRY(inner.run(ctx, routine->stem, &inner.call));
    return inner.bordered ? set_border(ctx, routine->stem, call, inner.first, inner.order)
                          : GABLE_OK;
}

/* ---- What it costs ---- */

void gbl_q_work(const gbl_q_routine *routine, const gbl_product_call *call, gbl_work *least)
{
    const gbl_q_call inner = routine->inner(call);
    /* Without reflectors nothing moves; a share of the roof needs some bytes. */
    *least = (gbl_work){.bytes_written = (double)gbl_dtype_bytes(call->dtype)};
    if (!is_empty(&inner.call))
        inner.op->work(&inner.call, least);
    if (inner.bordered)
        least->bytes_written =
            (double)gbl_dtype_bytes(call->dtype) * (double)call->m * (double)call->n;
}

void gbl_q_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                const gbl_device *device, gbl_cost *cost)
{
    gbl_work least;
    (void)params, (void)device;
    gbl_q_work(self->detail, given, &least);
    gbl_composed_cost(&least, 3, cost);
}

int gbl_q_parts(const gbl_variant *self, const void *given, const gbl_params *params,
                const gbl_device *device, gbl_part_call *parts)
{
    const gbl_q_routine *routine = self->detail;
    const gbl_product_call *call = given;
    const gbl_q_call inner = routine->inner(call);
    int count = 0;
    (void)params, (void)device;
    if (!is_empty(&inner.call) || (routine->forms && !inner.bordered))
        count = gbl_composed_call(parts, count, inner.op, &inner.call, 1);
    const int64_t rest = call->n - inner.order;
    if (inner.bordered && rest > 0) {
        const gbl_product_call line = {.dtype = call->dtype,
                                       .uplo = GABLE_GENERAL,
                                       .m = call->n,
                                       .n = rest,
                                       .A = call->A,
                                       .lda = call->lda};
        count = gbl_composed_call(parts, count, &gbl_laset_op, &line, 2);
    }
    return count;
}
