/* symmetric_check.c: checks of symv and hemv. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A is n by n, checked lower and upper. What is not stored is NaN: the other triangle, what stands
 * between columns, imaginary parts of a Hermitian matrix's diagonal. References are plain loops
 * over integers held in double: exact.
 */
#include "level1_vectors.h"

typedef struct number {
    double re, im;
} number;

/* One call: which, and alpha and beta. */
typedef struct form {
    const char *name;
    number alpha, beta;
    bool upper, conj;
} form;

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

static bool stored(const form *f, int64_t i, int64_t j)
{
    return f->upper ? i <= j : i >= j;
}

static bool make_matrix(gable_context *ctx, vector *A, const level1_case *c, const form *f)
{
    const int64_t lda = leading(c);
    if (!make(ctx, A, c->n > 0 ? (c->n - 1) * lda + c->n : 0, 1, c->shift_x, c->pad, (R)NAN))
        return false;
    for (int64_t j = 0; j < c->n; j++) {
        for (int64_t i = 0; i < c->n; i++) {
            for (int part = 0; part < REALS; part++) {
                const bool is = stored(f, i, j) && !(f->conj && i == j && part == 1);
                A->host[place(A, j * lda + i) + (size_t)part] =
                    is ? value(j * 1000 + i, part, 18) : (R)NAN;
            }
        }
    }
    return true;
}

/* Element (i, j) of the whole matrix. */
static number element(const level1_case *c, const form *f, const vector *A, int64_t i, int64_t j)
{
    const bool is = stored(f, i, j);
    number a = load(A->host + place(A, is ? j * leading(c) + i : i * leading(c) + j));
    if (f->conj)
        a.im = i == j ? 0 : is ? a.im : -a.im;
    return a;
}

/* y as it must be after the call. */
static void reference(const level1_case *c, const form *f, const vector *A, const vector *x,
                      vector *y)
{
    for (int64_t i = 0; i < c->n; i++) {
        number sum = {0, 0};
        for (int64_t k = 0; k < c->n && !is_zero(f->alpha); k++) {
            const number term = times(element(c, f, A, i, k), load(x->host + place(x, k)));
            sum.re += term.re;
            sum.im += term.im;
        }
        const number product = times(f->alpha, sum);
        R *to = y->host + place(y, i);
        const number kept = is_zero(f->beta) ? f->beta : times(f->beta, load(to));
        store(to, (number){product.re + kept.re, product.im + kept.im});
    }
}

static gable_status call(gable_context *ctx, const level1_case *c, const form *f, const vector *A,
                         const vector *x, const vector *y, const T *scalars)
{
    const gable_uplo uplo = f->upper ? GABLE_UPPER : GABLE_LOWER;
    const T alpha = scalar((R)f->alpha.re, (R)f->alpha.im),
            beta = scalar((R)f->beta.re, (R)f->beta.im);
#if COMPLEX
    if (f->conj)
        return c->on_device ? FN(hemv_dev)(ctx, uplo, c->n, scalars, A->at, leading(c), x->at,
                                           c->incx, scalars + 1, y->at, c->incy)
                            : FN(hemv)(ctx, uplo, c->n, alpha, A->at, leading(c), x->at, c->incx,
                                       beta, y->at, c->incy);
#endif
    return c->on_device ? FN(symv_dev)(ctx, uplo, c->n, scalars, A->at, leading(c), x->at, c->incx,
                                       scalars + 1, y->at, c->incy)
                        : FN(symv)(ctx, uplo, c->n, alpha, A->at, leading(c), x->at, c->incx, beta,
                                   y->at, c->incy);
}

/* What alpha = 0 and beta = 0 say is not read, is NaN. */
static bool check_form(gable_context *ctx, const level1_case *c, level1_report *report,
                       const form *f)
{
    vector A = {.n = 0}, x = {.n = 0}, y = {.n = 0}, scalars = {.n = 0};
    const bool room =
        make_matrix(ctx, &A, c, f) && make(ctx, &x, c->n, c->incx, 0, c->pad, (R)NAN) &&
        make(ctx, &y, c->n, c->incy, c->shift_y, c->pad, GAP) && make(ctx, &scalars, 2, 1, 0, 0, 0);
    bool good = room || say(report, "status", c, "no room: %.200s", gable_message(ctx));
    if (good) {
        set_values(&x, 19);
        set_values(&y, 20);
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
            good = status_ok(ctx, call(ctx, c, f, &A, &x, &y, scalars.at), c, report);
            reference(c, f, &A, &x, &y);
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
static bool check_forms(gable_context *ctx, const level1_case *c, level1_report *report, bool conj)
{
    static const form all[] = {{"y, plain factors",
                                {2, COMPLEX ? 1 : 0},
                                {COMPLEX ? 0 : -1, COMPLEX ? -1 : 0},
                                false,
                                false},
                               {"y, beta = 0", {2, 0}, {0, 0}, false, false},
                               {"y, alpha = 0", {0, 0}, {1, 0}, false, false}};
    bool good = true;
    for (int i = 0; i < 6 && good; i++) {
        form f = all[i / 2];
        f.upper = i % 2;
        f.conj = conj;
        good = check_form(ctx, c, report, &f);
    }
    return good;
}

static bool check_symv(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_forms(ctx, c, report, false);
}

#if COMPLEX
static bool check_hemv(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_forms(ctx, c, report, true);
}
#endif

const level1_named TYPED(level1_mirrored)[] = {
    {"symv", check_symv},
#if COMPLEX
    {"hemv", check_hemv},
#endif
    {NULL, NULL},
};
