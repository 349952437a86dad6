/* gebrd_columns.c: one panel of a bidiagonal reduction, by matrix-vector products.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Column i, with what earlier columns of the panel left:
 *
 *     a = A(i:, i) - V Y(i, :)^H - X U(i, :)^H             v, tauq, d from a
 *     y = tauq (A^H v - Y (V^H v) - U (X^H v))              the next column of Y
 *     r = A(i, i+1:)^H - Y V(i, :)^H - U X(i, :)^H          u, taup, e from r; Y, V with the new
 *     x = taup (A u - V (Y^H u) - X (U^H u))                the next column of X; Y, V likewise
 *
 * A is that below and to the right of the row and the column. A row of V, X or Y is conjugated into
 * `sums` where numbers are complex, and read where it stands where they are not. Rows of A are
 * turned into a vector and back. All numbers stay in the device's memory.
 */
#include "lapack/gebrd_columns.h"
#include "lapack/turned.h"

typedef struct panel {
    gable_context *ctx;
    const gbl_product_call *call;
    const gbl_bidiagonal_room *room;
    int64_t first;
} panel;

/* A vector: its first element and its stride. */
typedef struct line {
    void *at;
    int64_t inc;
} line;

static gbl_dtype real_of(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? GBL_S : GBL_D;
}

static void *in_a(const panel *p, int64_t i, int64_t j)
{
    return gbl_element(p->call->dtype, p->call->A, p->call->lda, i, j);
}

/* Element (i, c) of X and Y, i counted as in A, c within the panel. */
static void *in_x(const panel *p, int64_t i, int64_t c)
{
    return gbl_element(p->call->dtype, p->room->X, p->room->ldx, i - p->first, c);
}

static void *in_y(const panel *p, int64_t i, int64_t c)
{
    return gbl_element(p->call->dtype, p->room->Y, p->room->ldy, i - p->first, c);
}

static void *tau_at(const panel *p, const void *tau, int64_t i)
{
    return gbl_element(p->call->dtype, tau, 0, i, 0);
}

/* y := alpha op(M) x + beta y, M m by n; op is the conjugate transpose where `turn` is set. */
static gbl_matrix_call product_of(gbl_dtype dtype, bool turn, int64_t m, int64_t n, double alpha,
                                  double beta)
{
    return (gbl_matrix_call){.dtype = dtype,
                             .trans = turn ? gbl_adjoint(dtype) : GABLE_NO_TRANS,
                             .m = m,
                             .n = n,
                             .incx = 1,
                             .incy = 1,
                             .alpha = {.re = alpha},
                             .beta = {.re = beta}};
}

static gable_status multiply(const panel *p, gbl_matrix_call product, const void *M, int64_t ld,
                             line x, void *y)
{
    if (product.m == 0 || product.n == 0)
        return GABLE_OK;
    product.A = (void *)(uintptr_t)M;
    product.lda = ld;
    product.x = x.at;
    product.incx = x.inc;
    product.y = y;
    return gbl_gemv(p->ctx, "gebrd", &product);
}

static gable_status set_product(const panel *p, bool turn, int64_t m, int64_t n, const void *M,
                                int64_t ld, const void *x, void *y)
{
    return multiply(p, product_of(p->call->dtype, turn, m, n, 1, 0), M, ld,
                    (line){(void *)(uintptr_t)x, 1}, y);
}

static gable_status take_product(const panel *p, bool turn, int64_t m, int64_t n, const void *M,
                                 int64_t ld, line x, void *y)
{
    return multiply(p, product_of(p->call->dtype, turn, m, n, -1, 1), M, ld, x, y);
}

/* The conjugates of `count` elements of a row, as a vector. */
static gable_status conjugated(const panel *p, void *row, int64_t ld, int64_t count, line *to)
{
    const gbl_dtype dtype = p->call->dtype;
    *to = (line){row, ld};
    if (!gbl_dtype_complex(dtype) || count == 0)
        return GABLE_OK;
    *to = (line){p->room->sums, 1};
    return gbl_turned(p->ctx, "gebrd", dtype, 1, count, row, ld, to->at,
                      gbl_composed_ld(dtype, count));
}

/* The reflector of `count` numbers, whose first becomes 1; beta goes to a real number that was 1.
 */
static gable_status make_reflector(const panel *p, int64_t count, void *x, void *beta, int64_t i,
                                   void *tau)
{
    const gbl_dtype dtype = p->call->dtype;
    const gbl_product_call reflector = {.dtype = dtype,
                                        .m = count,
                                        .A = x,
                                        .B = gbl_element(dtype, x, 0, count > 1 ? 1 : 0, 0),
                                        .ldb = 1,
                                        .tau = tau_at(p, tau, i)};
    const gbl_vector_call exchange = {.dtype = real_of(dtype),
                                      .n = 1,
                                      .x = x,
                                      .y = gbl_element(real_of(dtype), beta, 0, i, 0),
                                      .incx = 1,
                                      .incy = 1};
    TRY(gbl_larfg(p->ctx, "gebrd", &reflector));
    return gbl_swap(p->ctx, "gebrd", &exchange);
}

static gable_status multiply_by(const panel *p, int64_t count, const void *tau, int64_t i, void *x)
{
    const gbl_vector_call scaled = {.dtype = p->call->dtype,
                                    .n = count,
                                    .x = x,
                                    .incx = 1,
                                    .alpha = {.device = tau_at(p, tau, i)}};
    return gbl_scal(p->ctx, "gebrd", &scaled);
}

/* ---- The four steps; `done` columns of the panel are there ---- */

static gable_status reduce_column(const panel *p, int64_t i, int64_t done)
{
    const gbl_product_call *call = p->call;
    const int64_t rows = call->m - i;
    line row;
    if (done > 0) {
        TRY(conjugated(p, in_y(p, i, 0), p->room->ldy, done, &row));
        TRY(take_product(p, false, rows, done, in_a(p, i, p->first), call->lda, row,
                         in_a(p, i, i)));
        TRY(take_product(p, false, rows, done, in_x(p, i, 0), p->room->ldx,
                         (line){in_a(p, p->first, i), 1}, in_a(p, i, i)));
    }
    return make_reflector(p, rows, in_a(p, i, i), call->d, i, call->tau);
}

static gable_status column_of_y(const panel *p, int64_t i, int64_t done)
{
    const gbl_product_call *call = p->call;
    const int64_t rows = call->m - i, behind = call->n - i - 1;
    const void *v = in_a(p, i, i);
    void *y = in_y(p, i + 1, done);
    const line sums = {p->room->sums, 1};
    TRY(set_product(p, true, rows, behind, in_a(p, i, i + 1), call->lda, v, y));
    if (done > 0) {
        TRY(set_product(p, true, rows, done, in_a(p, i, p->first), call->lda, v, sums.at));
        TRY(take_product(p, false, behind, done, in_y(p, i + 1, 0), p->room->ldy, sums, y));
        TRY(set_product(p, true, rows, done, in_x(p, i, 0), p->room->ldx, v, sums.at));
        TRY(take_product(p, true, done, behind, in_a(p, p->first, i + 1), call->lda, sums, y));
    }
    return multiply_by(p, behind, call->tau, i, y);
}

static gable_status reduce_row(const panel *p, int64_t i, int64_t done)
{
    const gbl_product_call *call = p->call;
    const int64_t behind = call->n - i - 1;
    void *u = p->room->row;
    line row;
    TRY(gbl_turned(p->ctx, "gebrd", call->dtype, 1, behind, in_a(p, i, i + 1), call->lda, u,
                   gbl_composed_ld(call->dtype, behind)));
    TRY(conjugated(p, in_a(p, i, p->first), call->lda, done + 1, &row));
    TRY(take_product(p, false, behind, done + 1, in_y(p, i + 1, 0), p->room->ldy, row, u));
    if (done > 0) {
        TRY(conjugated(p, in_x(p, i, 0), p->room->ldx, done, &row));
        TRY(take_product(p, true, done, behind, in_a(p, p->first, i + 1), call->lda, row, u));
    }
    TRY(make_reflector(p, behind, u, call->e, i, call->taup));
    return gbl_turned(p->ctx, "gebrd", call->dtype, behind, 1, u,
                      gbl_composed_ld(call->dtype, behind), in_a(p, i, i + 1), call->lda);
}

static gable_status column_of_x(const panel *p, int64_t i, int64_t done)
{
    const gbl_product_call *call = p->call;
    const int64_t below = call->m - i - 1, behind = call->n - i - 1;
    const void *u = p->room->row;
    void *x = in_x(p, i + 1, done);
    const line sums = {p->room->sums, 1};
    if (below == 0)
        return GABLE_OK;
    TRY(set_product(p, false, below, behind, in_a(p, i + 1, i + 1), call->lda, u, x));
    TRY(set_product(p, true, behind, done + 1, in_y(p, i + 1, 0), p->room->ldy, u, sums.at));
    TRY(take_product(p, false, below, done + 1, in_a(p, i + 1, p->first), call->lda, sums, x));
    if (done > 0) {
        TRY(set_product(p, false, done, behind, in_a(p, p->first, i + 1), call->lda, u, sums.at));
        TRY(take_product(p, false, below, done, in_x(p, i + 1, 0), p->room->ldx, sums, x));
    }
    return multiply_by(p, below, call->taup, i, x);
}

gable_status gbl_bidiagonal_take(gable_context *ctx, const gbl_product_call *call, int64_t columns,
                                 gbl_bidiagonal_room *room)
{
    const gbl_dtype dtype = call->dtype;
    int64_t ld;
    TRY(gbl_composed_room(ctx, dtype, call->m, columns, &room->X, &room->ldx));
    TRY(gbl_composed_room(ctx, dtype, call->n, columns, &room->Y, &room->ldy));
    TRY(gbl_composed_room(ctx, dtype, call->n, 1, &room->row, &ld));
    return gbl_composed_room(ctx, dtype, columns, 1, &room->sums, &ld);
}

gable_status gbl_gebrd_columns(gable_context *ctx, const gbl_product_call *call, int64_t first,
                               int64_t count, const gbl_bidiagonal_room *room)
{
    const panel p = {.ctx = ctx, .call = call, .room = room, .first = first};
    for (int64_t done = 0; done < count; done++) {
        const int64_t i = first + done;
        TRY(reduce_column(&p, i, done));
        if (i + 1 == call->n) {
            const gbl_product_call none = {.dtype = call->dtype,
                                           .uplo = GABLE_GENERAL,
                                           .m = 1,
                                           .n = 1,
                                           .A = tau_at(&p, call->taup, i),
                                           .lda = 1};
            return gbl_laset(ctx, "gebrd", &none);
        }
        TRY(column_of_y(&p, i, done));
        TRY(reduce_row(&p, i, done));
        TRY(column_of_x(&p, i, done));
    }
    return GABLE_OK;
}

/* ---- What it costs ---- */

double gbl_gebrd_columns_launches(const gbl_product_call *call)
{
    return gbl_dtype_complex(call->dtype) ? 25 : 22;
}

/* A product of M, which is m by n, so many times. */
static int add_product(const gbl_product_call *call, bool turn, int64_t m, int64_t n, int64_t ld,
                       double beta, double times, gbl_part_call *parts, int count)
{
    gbl_matrix_call product = product_of(call->dtype, turn, m > 0 ? m : 1, n > 0 ? n : 1, 1, beta);
    product.A = call->A;
    product.lda = ld > product.m ? ld : product.m;
    product.x = call->A;
    product.y = call->A;
    return gbl_composed_call(parts, count, &gbl_gemv_op, &product, times);
}

int gbl_gebrd_columns_parts(const gbl_product_call *call, int64_t block, gbl_part_call *parts)
{
    const gbl_dtype dtype = call->dtype;
    const int64_t n = call->n, width = block < n ? block : n, done = (width + 1) / 2,
                  rows = call->m - n / 2, columns = n - n / 2,
                  ldx = gbl_composed_ld(dtype, call->m), ldy = gbl_composed_ld(dtype, n);
    const double times = (double)n;
    const gbl_product_call
        down = {.dtype = dtype, .m = rows, .A = call->A, .B = call->A, .ldb = 1, .tau = call->tau},
        across = {
            .dtype = dtype, .m = columns, .A = call->A, .B = call->A, .ldb = 1, .tau = call->taup};
    const gbl_vector_call exchange = {.dtype = real_of(dtype),
                                      .n = 1,
                                      .x = call->A,
                                      .y = call->d,
                                      .incx = 1,
                                      .incy = 1},
                          scaled = {.dtype = dtype,
                                    .n = rows,
                                    .x = call->A,
                                    .incx = 1,
                                    .alpha = {.device = call->tau}};
    const gbl_matrix_call there =
                              gbl_turned_call(dtype, 1, columns, call->A, call->lda, call->A, ldy),
                          back =
                              gbl_turned_call(dtype, columns, 1, call->A, ldy, call->A, call->lda);
    /* The sweeps over what stands behind, then products of thin matrices. */
    int count = add_product(call, true, rows, columns, call->lda, 0, times, parts, 0);
    count = add_product(call, false, rows, columns, call->lda, 0, times, parts, count);
    count = add_product(call, false, rows, done, call->lda, 1, 2 * times, parts, count);
    count = add_product(call, false, rows, done, ldx, 1, 2 * times, parts, count);
    count = add_product(call, true, rows, done, call->lda, 0, times, parts, count);
    count = add_product(call, true, rows, done, ldx, 0, times, parts, count);
    count = add_product(call, false, columns, done, ldy, 1, 2 * times, parts, count);
    count = add_product(call, true, columns, done, ldy, 0, times, parts, count);
    count = add_product(call, true, done, columns, call->lda, 1, 2 * times, parts, count);
    count = add_product(call, false, done, columns, call->lda, 0, times, parts, count);
    count = gbl_composed_call(parts, count, &gbl_larfg_op, &down, times);
    count = gbl_composed_call(parts, count, &gbl_larfg_op, &across, times);
    count = gbl_composed_call(parts, count, &gbl_swap_op, &exchange, 2 * times);
    count = gbl_composed_call(parts, count, &gbl_scal_op, &scaled, 2 * times);
    count = gbl_composed_call(parts, count, &gbl_transpose_op, &there, times);
    return gbl_composed_call(parts, count, &gbl_transpose_op, &back, times);
}
