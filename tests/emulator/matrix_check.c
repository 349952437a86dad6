/* matrix_check.c: checks of gemv. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A has n rows and `columns` columns and ends with the last element of the last one; between
 * columns stand NaN. References are plain loops over integers held in double: exact.
 */
#include "level1_vectors.h"

typedef struct number {
    double re, im;
} number;

/* alpha and beta of a call. */
typedef struct factors {
    const char *name;
    number alpha, beta;
} factors;

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static bool is_zero(number a)
{
    return a.re == 0 && a.im == 0;
}

static number load(const R *at)
{
    return (number){(double)at[0], COMPLEX ? (double)at[REALS - 1] : 0};
}

static void store(R *at, number value)
{
    at[0] = (R)value.re;
    if (COMPLEX)
        at[REALS - 1] = (R)value.im;
}

/* Longer than a column; all columns stand alike on 16 bytes, or (but for the widest type) do
 * not. */
static int64_t leading(const level1_case *c)
{
    const int64_t step = 16 / (int64_t)sizeof(T);
    return (c->n / step + 2) * step + c->apart;
}

static bool make_matrix(gable_context *ctx, vector *A, const level1_case *c)
{
    const int64_t lda = leading(c), elements = (c->columns - 1) * lda + c->n;
    if (!make(ctx, A, c->n > 0 && c->columns > 0 ? elements : 0, 1, c->shift_x, c->pad, (R)NAN))
        return false;
    for (int64_t j = 0; j < c->columns; j++)
        for (int64_t i = 0; i < c->n; i++)
            for (int part = 0; part < REALS; part++)
                A->host[place(A, j * lda + i) + (size_t)part] = value(j * 1000 + i, part, 14);
    return true;
}

/* y as it must be after the call. */
static void reference(const level1_case *c, gable_trans trans, const factors *f, const vector *A,
                      const vector *x, vector *y)
{
    for (int64_t i = 0; i < y->n; i++) {
        number sum = {0, 0};
        for (int64_t k = 0; k < x->n; k++) {
            const int64_t at = trans == GABLE_NO_TRANS ? k * leading(c) + i : i * leading(c) + k;
            number a = load(A->host + place(A, at));
            a.im = trans == GABLE_CONJ_TRANS ? -a.im : a.im;
            const number term = times(a, load(x->host + place(x, k)));
            sum.re += term.re;
            sum.im += term.im;
        }
        const number product = is_zero(f->alpha) ? f->alpha : times(f->alpha, sum);
        R *to = y->host + place(y, i);
        const number kept = is_zero(f->beta) ? f->beta : times(f->beta, load(to));
        store(to, (number){product.re + kept.re, product.im + kept.im});
    }
}

static gable_status call_gemv(gable_context *ctx, const level1_case *c, gable_trans trans,
                              const factors *f, const vector *A, const vector *x, const vector *y,
                              const T *scalars)
{
    return c->on_device ? FN(gemv_dev)(ctx, trans, c->n, c->columns, scalars, A->at, leading(c),
                                       x->at, c->incx, scalars + 1, y->at, c->incy)
                        : FN(gemv)(ctx, trans, c->n, c->columns,
                                   scalar((R)f->alpha.re, (R)f->alpha.im), A->at, leading(c), x->at,
                                   c->incx, scalar((R)f->beta.re, (R)f->beta.im), y->at, c->incy);
}

/* What alpha = 0 and beta = 0 say is not read, is NaN. */
static bool gemv_form(gable_context *ctx, const level1_case *c, level1_report *report,
                      gable_trans trans, const factors *f)
{
    const bool plain = trans == GABLE_NO_TRANS;
    vector A = {.n = 0}, x = {.n = 0}, y = {.n = 0}, scalars = {.n = 0};
    const bool room = make_matrix(ctx, &A, c) &&
                      make(ctx, &x, plain ? c->columns : c->n, c->incx, 0, c->pad, (R)NAN) &&
                      make(ctx, &y, plain ? c->n : c->columns, c->incy, c->shift_y, c->pad, GAP) &&
                      make(ctx, &scalars, 2, 1, 0, 0, 0);
    bool good = room || say(report, "status", c, "no room: %.200s", gable_message(ctx));
    if (good) {
        set_values(&x, 15);
        set_values(&y, 16);
        store(scalars.host + place(&scalars, 0), f->alpha);
        store(scalars.host + place(&scalars, 1), f->beta);
        for (size_t i = 0; is_zero(f->alpha) && i < A.reals; i++)
            A.host[i] = (R)NAN;
        for (size_t i = 0; is_zero(f->alpha) && i < x.reals; i++)
            x.host[i] = (R)NAN;
        for (int64_t i = 0; is_zero(f->beta) && i < y.n; i++)
            y.host[place(&y, i)] = (R)NAN;
        good = status_ok(ctx, send(ctx, &A), c, report) &&
               status_ok(ctx, send(ctx, &x), c, report) &&
               status_ok(ctx, send(ctx, &y), c, report) &&
               status_ok(ctx, send(ctx, &scalars), c, report);
        for (int turn = 0; good && turn < c->repeats; turn++) {
            good = status_ok(ctx, call_gemv(ctx, c, trans, f, &A, &x, &y, scalars.at), c, report);
            reference(c, trans, f, &A, &x, &y);
        }
        good = good && compare(ctx, &y, c, f->name, report) && compare(ctx, &A, c, "A", report) &&
               compare(ctx, &x, c, "x", report);
    }
    drop(ctx, &A);
    drop(ctx, &x);
    drop(ctx, &y);
    drop(ctx, &scalars);
    return good;
}

/* Zeros of sums are +0 with these factors, so that results are compared bit for bit; |beta| = 1
 * keeps them small however often a call is repeated. */
static bool gemv_forms(gable_context *ctx, const level1_case *c, level1_report *report,
                       gable_trans trans)
{
    static const factors all[] = {
        {"y, plain factors", {2, COMPLEX ? 1 : 0}, {COMPLEX ? 0 : -1, COMPLEX ? -1 : 0}},
        {"y, beta = 0", {2, 0}, {0, 0}},
        {"y, alpha = 0", {0, 0}, {1, 0}}};
    bool good = true;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && good; i++)
        good = gemv_form(ctx, c, report, trans, &all[i]);
    return good;
}

static bool check_gemv_n(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return gemv_forms(ctx, c, report, GABLE_NO_TRANS);
}

static bool check_gemv_t(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return gemv_forms(ctx, c, report, GABLE_TRANS);
}

static bool check_gemv_c(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return gemv_forms(ctx, c, report, GABLE_CONJ_TRANS);
}

const level1_named TYPED(level1_matrices)[] = {
    {"gemv_n", check_gemv_n},
    {"gemv_t", check_gemv_t},
    {"gemv_c", check_gemv_c},
    {NULL, NULL},
};
