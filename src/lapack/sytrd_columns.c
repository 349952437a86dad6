/* sytrd_columns.c: a panel of sytrd, made of calls.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Within a panel the rest of A is not updated: it is A - V W^H - W V^H with the columns that are
 * done. Column j becomes current by two products. Its reflector is larfg's. Then
 *     w := tau (A v - V (W^H v) - W (V^H v)),   w := w - 1/2 tau (w^H v) v
 * is the next column of W: A v is the sweep over the rest of A, all else is thin. Scalars stay on
 * the device.
 */
#include "lapack/sytrd_columns.h"

/* The places of one column. In the lower triangle rows go from the diagonal down and V and W are
 * the columns before it; in the upper one rows end at the diagonal and they are those behind. */
typedef struct places {
    int64_t done;                 /* columns of V and W */
    int64_t rows;                 /* of the column, with its diagonal element */
    int64_t below;                /* of its vector: rows - 1 */
    void *column, *v, *alpha, *x; /* x: v without alpha */
    const void *V, *W;            /* their rows that the column has, */
    const void *V_row, *W_row;    /* the row of its diagonal element, */
    const void *V_below, *W_below;
    const void *rest; /* the symmetric matrix that is multiplied by v */
    void *w;
    void *d, *e, *tau;
} places;

static void *real_at(const gbl_product_call *call, void *reals, int64_t i)
{
    return (char *)reals + (size_t)i * gbl_dtype_real_bytes(call->dtype);
}

static places lower_places(const gbl_product_call *call, const gbl_sytrd_room *room, int64_t first,
                           int64_t j)
{
    const gbl_dtype t = call->dtype;
    const int64_t lda = call->lda, ldw = room->ldw, done = j - first;
    return (places){.done = done,
                    .rows = call->n - j,
                    .below = call->n - j - 1,
                    .column = gbl_element(t, call->A, lda, j, j),
                    .v = gbl_element(t, call->A, lda, j + 1, j),
                    .alpha = gbl_element(t, call->A, lda, j + 1, j),
                    .x = gbl_element(t, call->A, lda, j + 2, j),
                    .V = gbl_element(t, call->A, lda, j, first),
                    .W = gbl_element(t, room->W, ldw, j, 0),
                    .V_row = gbl_element(t, call->A, lda, j, first),
                    .W_row = gbl_element(t, room->W, ldw, j, 0),
                    .V_below = gbl_element(t, call->A, lda, j + 1, first),
                    .W_below = gbl_element(t, room->W, ldw, j + 1, 0),
                    .rest = gbl_element(t, call->A, lda, j + 1, j + 1),
                    .w = gbl_element(t, room->W, ldw, j + 1, done),
                    .d = real_at(call, call->d, j),
                    .e = real_at(call, call->e, j),
                    .tau = gbl_element(t, call->tau, 1, j, 0)};
}

static places upper_places(const gbl_product_call *call, const gbl_sytrd_room *room, int64_t first,
                           int64_t end, int64_t j)
{
    const gbl_dtype t = call->dtype;
    const int64_t lda = call->lda, ldw = room->ldw, behind = j + 1 - first,
                  above = j > 0 ? j - 1 : 0;
    return (places){.done = end - 1 - j,
                    .rows = j + 1,
                    .below = j,
                    .column = gbl_element(t, call->A, lda, 0, j),
                    .v = gbl_element(t, call->A, lda, 0, j),
                    .alpha = gbl_element(t, call->A, lda, above, j),
                    .x = gbl_element(t, call->A, lda, 0, j),
                    .V = gbl_element(t, call->A, lda, 0, j + 1),
                    .W = gbl_element(t, room->W, ldw, 0, behind),
                    .V_row = gbl_element(t, call->A, lda, j, j + 1),
                    .W_row = gbl_element(t, room->W, ldw, j, behind),
                    .V_below = gbl_element(t, call->A, lda, 0, j + 1),
                    .W_below = gbl_element(t, room->W, ldw, 0, behind),
                    .rest = call->A,
                    .w = gbl_element(t, room->W, ldw, 0, j - first),
                    .d = real_at(call, call->d, j),
                    .e = real_at(call, call->e, above),
                    .tau = gbl_element(t, call->tau, 1, above, 0)};
}

gable_status gbl_sytrd_room_take(gable_context *ctx, const gbl_product_call *call, int64_t block,
                                 gbl_sytrd_room *room)
{
    const int64_t most = block < call->n ? block : call->n;
    room->block = most;
    TRY(gbl_steps_begin(ctx, "sytrd", call->dtype, &room->steps));
    TRY(gbl_composed_room(ctx, call->dtype, call->n, most, &room->W, &room->ldw));
    return gbl_arena_take(ctx->arena, ctx->device,
                          (size_t)(3 * most + 1) * gbl_dtype_bytes(call->dtype), &room->small,
                          &ctx->message);
}

static void *small_at(const gbl_sytrd_room *room, int row)
{
    return gbl_element(room->steps.dtype, room->small, 1, row * room->block, 0);
}

/* The column minus V conj(its row of W), minus W conj(its row of V). */
static gable_status bring_up_to_date(const gbl_product_call *call, const gbl_sytrd_room *room,
                                     const places *at)
{
    const gbl_steps *steps = &room->steps;
    gbl_step_product left = {.add = true,
                             .m = at->rows,
                             .n = at->done,
                             .alpha = gbl_step_value(-1),
                             .A = at->V,
                             .lda = call->lda,
                             .y = at->column},
                     right = left;
    right.A = at->W;
    right.lda = room->ldw;
    TRY(gbl_step_row(steps, at->done, at->W_row, room->ldw, small_at(room, 0), &left.x,
                     &left.incx));
    TRY(gbl_step_row(steps, at->done, at->V_row, call->lda, small_at(room, 1), &right.x,
                     &right.incx));
    TRY(gbl_step_multiply(steps, &left));
    return gbl_step_multiply(steps, &right);
}

/* w += tau F (-G^H v) */
static gable_status subtract(const gbl_sytrd_room *room, const places *at, const void *F,
                             int64_t ldf, const void *G, int64_t ldg)
{
    void *const products = small_at(room, 2);
    const gbl_step_product inner = {.adjoint = true,
                                    .m = at->below,
                                    .n = at->done,
                                    .alpha = gbl_step_value(-1),
                                    .A = G,
                                    .lda = ldg,
                                    .x = at->v,
                                    .incx = 1,
                                    .y = products},
                           outer = {.add = true,
                                    .m = at->below,
                                    .n = at->done,
                                    .alpha = gbl_step_at(at->tau),
                                    .A = F,
                                    .lda = ldf,
                                    .x = products,
                                    .incx = 1,
                                    .y = at->w};
    TRY(gbl_step_multiply(&room->steps, &inner));
    return gbl_step_multiply(&room->steps, &outer);
}

static gable_status make_w(const gbl_product_call *call, const gbl_sytrd_room *room,
                           const places *at)
{
    const gbl_steps *steps = &room->steps;
    void *const number = small_at(room, 3);
    const gbl_step_product sweep = {.n = at->below,
                                    .alpha = gbl_step_at(at->tau),
                                    .A = at->rest,
                                    .lda = call->lda,
                                    .x = at->v,
                                    .incx = 1,
                                    .y = at->w},
                           dot = {.adjoint = true,
                                  .m = at->below,
                                  .n = 1,
                                  .alpha = gbl_step_at(at->tau),
                                  .A = at->w,
                                  .lda = room->ldw,
                                  .x = at->v,
                                  .incx = 1,
                                  .y = number},
                           correct = {.add = true,
                                      .m = at->below,
                                      .n = 1,
                                      .alpha = gbl_step_value(-0.5),
                                      .A = at->v,
                                      .lda = call->lda,
                                      .x = number,
                                      .incx = 1,
                                      .y = at->w};
    TRY(gbl_step_symmetric(steps, call->uplo, &sweep));
    if (at->done > 0) {
        TRY(subtract(room, at, at->V_below, call->lda, at->W_below, room->ldw));
        TRY(subtract(room, at, at->W_below, room->ldw, at->V_below, call->lda));
    }
    TRY(gbl_step_multiply(steps, &dot));
    return gbl_step_multiply(steps, &correct);
}

static gable_status reduce_column(const gbl_product_call *call, const gbl_sytrd_room *room,
                                  const places *at)
{
    const gbl_steps *steps = &room->steps;
    if (at->done > 0)
        TRY(bring_up_to_date(call, room, at));
    if (at->below == 0)
        return GABLE_OK;
    TRY(gbl_step_reflector(steps, at->below, at->alpha, at->x, at->tau));
    TRY(gbl_step_real_parts(steps, 1, at->alpha, 0, at->e, 0));
    const gbl_vector_call one = {
        .dtype = call->dtype, .n = 1, .alpha = {.re = 1}, .x = at->alpha, .incx = 1};
    TRY(gbl_fill(steps->ctx, steps->routine, &one));
    return make_w(call, room, at);
}

gable_status gbl_sytrd_columns(const gbl_product_call *call, const gbl_sytrd_room *room,
                               int64_t first, int64_t count)
{
    const bool lower = call->uplo == GABLE_LOWER;
    const int64_t end = first + count;
    for (int64_t step = 0; step < count; step++) {
        const places at = lower ? lower_places(call, room, first, first + step)
                                : upper_places(call, room, first, end, end - 1 - step);
        TRY(reduce_column(call, room, &at));
    }
    return gbl_step_real_parts(&room->steps, count,
                               gbl_element(call->dtype, call->A, call->lda, first, first),
                               call->lda + 1, real_at(call, call->d, first), 0);
}

/* Means over all columns: of squares for the sweep, whose bytes grow with them. */
int gbl_sytrd_columns_parts(const gbl_product_call *call, int64_t block, gbl_part_call *parts,
                            int count)
{
    const gbl_dtype t = call->dtype;
    const int64_t n = call->n, mean = n / 2 > 0 ? n / 2 : 1,
                  sweep = (int64_t)(0.577 * (double)n) > 0 ? (int64_t)(0.577 * (double)n) : 1,
                  most = block < n ? block : n, thin = most / 2 > 0 ? most / 2 : 1;
    const double columns = (double)(n - 1);
    const gbl_matrix_call symmetric = gbl_step_symmetric_call(t, call->uplo, sweep),
                          across = gbl_step_call(t, false, mean, thin),
                          down = gbl_step_call(t, true, mean, thin),
                          dot = gbl_step_call(t, true, mean, 1),
                          axpy = gbl_step_call(t, false, mean, 1);
    const gbl_product_call reflector = {.dtype = t, .m = mean, .ldb = 1};
    const gbl_vector_call copy = {.dtype = gbl_dtype_real_bytes(t) == 4 ? GBL_S : GBL_D,
                                  .n = 1,
                                  .incx = 1,
                                  .incy = 1},
                          fill = {.dtype = t, .n = 1, .incx = 1, .alpha = {.re = 1}};
    count = gbl_composed_call(parts, count, &gbl_symv_op, &symmetric, columns);
    count = gbl_composed_call(parts, count, &gbl_gemv_op, &across, 4 * columns);
    count = gbl_composed_call(parts, count, &gbl_gemv_op, &down, 2 * columns);
    count = gbl_composed_call(parts, count, &gbl_gemv_op, &dot, columns);
    count = gbl_composed_call(parts, count, &gbl_gemv_op, &axpy, columns);
    count = gbl_composed_call(parts, count, &gbl_larfg_op, &reflector, columns);
    count = gbl_composed_call(parts, count, &gbl_copy_op, &copy, columns);
    return gbl_composed_call(parts, count, &gbl_fill_op, &fill, columns);
}
