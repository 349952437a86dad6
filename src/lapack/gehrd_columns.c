/* gehrd_columns.c: a panel of gehrd, made of calls.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Within a panel the rest of A is not updated. With the p columns that are done, H_1 ... H_p =
 * I - V T V^H and Y = A V T, column j becomes current by
 *     b := b - Y (its row of V)^H,   b := b - V T^H (V^H b).
 * Its reflector is larfg's. Then
 *     y := tau (A v - Y (V^H v)),   T(:, p) := -tau T (V^H v),   T(p, p) := tau:
 * A v is the sweep over the rest of A, all else is thin. Scalars stay on the device. The vectors
 * stay in A, too, so A has its result as soon as a column is done.
 */
#include "lapack/gehrd_columns.h"

static void *small_at(const gbl_gehrd_room *room, int row)
{
    return gbl_element(room->steps.dtype, room->small, 1, row * room->block, 0);
}

/* Column p of the panel, b, with the p reflectors before it. */
static gable_status bring_up_to_date(const gbl_gehrd_room *room, int64_t p, void *b)
{
    const gbl_steps *steps = &room->steps;
    const gbl_reflectors *h = &room->panel;
    void *const inner = small_at(room, 1), *const turned = small_at(room, 2);
    gbl_step_product right = {.add = true,
                              .m = h->m,
                              .n = p,
                              .alpha = gbl_step_value(-1),
                              .A = room->Y,
                              .lda = room->ldy,
                              .y = b};
    const gbl_step_product down = {.adjoint = true,
                                   .m = h->m,
                                   .n = p,
                                   .alpha = gbl_step_value(1),
                                   .A = h->V,
                                   .lda = h->ldv,
                                   .x = b,
                                   .incx = 1,
                                   .y = inner},
                           turn = {.adjoint = true,
                                   .m = p,
                                   .n = p,
                                   .alpha = gbl_step_value(1),
                                   .A = h->T,
                                   .lda = h->ldt,
                                   .x = inner,
                                   .incx = 1,
                                   .y = turned},
                           left = {.add = true,
                                   .m = h->m,
                                   .n = p,
                                   .alpha = gbl_step_value(-1),
                                   .A = h->V,
                                   .lda = h->ldv,
                                   .x = turned,
                                   .incx = 1,
                                   .y = b};
    TRY(gbl_step_row(steps, p, gbl_element(h->dtype, h->V, h->ldv, p - 1, 0), h->ldv,
                     small_at(room, 0), &right.x, &right.incx));
    TRY(gbl_step_multiply(steps, &right));
    TRY(gbl_step_multiply(steps, &down));
    TRY(gbl_step_multiply(steps, &turn));
    return gbl_step_multiply(steps, &left);
}

/* Column p of Y and of T. `rest`: the columns of A that v reaches. */
static gable_status make_columns(const gbl_gehrd_room *room, int64_t p, const void *rest,
                                 int64_t lda, const void *tau)
{
    const gbl_steps *steps = &room->steps;
    const gbl_reflectors *h = &room->panel;
    const gbl_dtype t = h->dtype;
    void *const y = gbl_element(t, room->Y, room->ldy, 0, p), *const inner = small_at(room, 1);
    const void *const v = gbl_element(t, h->V, h->ldv, p, p);
    const gbl_step_product sweep = {.m = h->m,
                                    .n = h->m - p,
                                    .alpha = gbl_step_at(tau),
                                    .A = rest,
                                    .lda = lda,
                                    .x = v,
                                    .incx = 1,
                                    .y = y},
                           down = {.adjoint = true,
                                   .m = h->m - p,
                                   .n = p,
                                   .alpha = gbl_step_value(-1),
                                   .A = gbl_element(t, h->V, h->ldv, p, 0),
                                   .lda = h->ldv,
                                   .x = v,
                                   .incx = 1,
                                   .y = inner},
                           across = {.add = true,
                                     .m = h->m,
                                     .n = p,
                                     .alpha = gbl_step_at(tau),
                                     .A = room->Y,
                                     .lda = room->ldy,
                                     .x = inner,
                                     .incx = 1,
                                     .y = y},
                           triangle = {.m = p,
                                       .n = p,
                                       .alpha = gbl_step_at(tau),
                                       .A = h->T,
                                       .lda = h->ldt,
                                       .x = inner,
                                       .incx = 1,
                                       .y = gbl_element(t, h->T, h->ldt, 0, p)};
    const gbl_vector_call diagonal = {.dtype = t,
                                      .n = 1,
                                      .x = (void *)(uintptr_t)tau,
                                      .incx = 1,
                                      .y = gbl_element(t, h->T, h->ldt, p, p),
                                      .incy = 1};
    TRY(gbl_step_multiply(steps, &sweep));
    if (p > 0) {
        TRY(gbl_step_multiply(steps, &down));
        TRY(gbl_step_multiply(steps, &across));
        TRY(gbl_step_multiply(steps, &triangle));
    }
    return gbl_copy(steps->ctx, steps->routine, &diagonal);
}

gable_status gbl_gehrd_columns(const gbl_product_call *call, const gbl_gehrd_room *room,
                               int64_t first, int64_t end)
{
    const gbl_steps *steps = &room->steps;
    const gbl_reflectors *h = &room->panel;
    const gbl_dtype t = call->dtype;
    for (int64_t p = 0; p < h->k; p++) {
        const int64_t j = first + p, rows = end - j - 1;
        void *const tau = gbl_element(t, call->tau, 1, j, 0), *const x = gbl_element(
                                                                  t, call->A, call->lda, j + 2, j);
        if (p > 0)
            TRY(bring_up_to_date(room, p, gbl_element(t, call->A, call->lda, first + 1, j)));
        TRY(gbl_step_reflector(steps, rows, gbl_element(t, call->A, call->lda, j + 1, j), x, tau));
        const gbl_vector_call vector = {.dtype = t,
                                        .n = rows - 1,
                                        .x = x,
                                        .incx = 1,
                                        .y = gbl_element(t, h->V, h->ldv, p + 1, p),
                                        .incy = 1};
        if (rows > 1)
            TRY(gbl_copy(steps->ctx, steps->routine, &vector));
        TRY(make_columns(room, p, gbl_element(t, call->A, call->lda, first + 1, j + 1), call->lda,
                         tau));
    }
    return GABLE_OK;
}

/* Means over all columns: of squares for the sweep, whose bytes grow with them. */
int gbl_gehrd_columns_parts(const gbl_product_call *call, int64_t order, int64_t block,
                            gbl_part_call *parts, int count)
{
    const gbl_dtype t = call->dtype;
    const int64_t mean = order / 2 > 0 ? order / 2 : 1, side = (int64_t)(0.577 * (double)order),
                  reach = side > 0 ? side : 1, most = block < order ? block : order,
                  thin = most / 2 > 0 ? most / 2 : 1;
    const double columns = (double)(order - 1);
    const gbl_matrix_call sweep = gbl_step_call(t, false, reach, reach),
                          across = gbl_step_call(t, false, mean, thin),
                          down = gbl_step_call(t, true, mean, thin),
                          turn = gbl_step_call(t, true, thin, thin),
                          triangle = gbl_step_call(t, false, thin, thin);
    const gbl_product_call reflector = {.dtype = t, .m = mean, .ldb = 1};
    const gbl_vector_call vector = {.dtype = t, .n = mean, .incx = 1, .incy = 1},
                          number = {.dtype = t, .n = 1, .incx = 1, .incy = 1};
    count = gbl_composed_call(parts, count, &gbl_gemv_op, &sweep, columns);
    count = gbl_composed_call(parts, count, &gbl_gemv_op, &across, 3 * columns);
    count = gbl_composed_call(parts, count, &gbl_gemv_op, &down, 2 * columns);
    count = gbl_composed_call(parts, count, &gbl_gemv_op, &turn, columns);
    count = gbl_composed_call(parts, count, &gbl_gemv_op, &triangle, columns);
    count = gbl_composed_call(parts, count, &gbl_larfg_op, &reflector, columns);
    count = gbl_composed_call(parts, count, &gbl_copy_op, &vector, columns);
    return gbl_composed_call(parts, count, &gbl_copy_op, &number, columns);
}
