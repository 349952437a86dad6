/* update_check.c: checks of ger, syr, syr2, spr, spr2 and their conjugated forms. Compiled once per
 * precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A has n rows and `columns` columns; triangles are n by n and checked lower and upper. The other
 * triangle holds what gaps of outputs do. References are plain loops over integers held in double:
 * exact.
 */
#include "level1_vectors.h"

typedef struct number {
    double re, im;
} number;

typedef struct update {
    const char *name;
    bool triangle, upper, conj;
    int terms;
    number alpha;
    bool packed;
} update;

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static number load(const vector *v, int64_t i)
{
    const R *at = v->host + place(v, i);
    return (number){(double)at[0], COMPLEX ? (double)at[REALS - 1] : 0};
}

static number conjugate(const update *u, number a)
{
    return (number){a.re, u->conj ? -a.im : a.im};
}

/* Longer than a column; all columns stand alike on 16 bytes, or (but for the widest type) do
 * not. */
static int64_t leading(const level1_case *c)
{
    const int64_t step = 16 / (int64_t)sizeof(T);
    return (c->n / step + 2) * step + c->apart;
}

static int64_t columns_of(const level1_case *c, const update *u)
{
    return u->triangle ? c->n : c->columns;
}

static bool touches(const update *u, int64_t i, int64_t j)
{
    return !u->triangle || (u->upper ? i <= j : i >= j);
}

/* The place of an element in A. */
static int64_t stored_at(const level1_case *c, const update *u, int64_t i, int64_t j)
{
    if (!u->packed)
        return i + j * leading(c);
    return u->upper ? i + j * (j + 1) / 2 : i + j * c->n - j * (j + 1) / 2;
}

static bool make_matrix(gable_context *ctx, vector *A, const level1_case *c, const update *u)
{
    const int64_t lda = leading(c), columns = columns_of(c, u);
    const int64_t elements = u->packed                 ? c->n * (c->n + 1) / 2
                             : c->n > 0 && columns > 0 ? (columns - 1) * lda + c->n
                                                       : 0;
    if (!make(ctx, A, elements, 1, c->shift_x, c->pad, GAP))
        return false;
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < c->n; i++)
            for (int part = 0; part < REALS && touches(u, i, j); part++)
                A->host[place(A, stored_at(c, u, i, j)) + (size_t)part] =
                    value(j * 1000 + i, part, 17);
    return true;
}

/* A as it must be after the call. */
static void reference(const level1_case *c, const update *u, vector *A, const vector *x,
                      const vector *y)
{
    for (int64_t j = 0; j < columns_of(c, u); j++) {
        for (int64_t i = 0; i < c->n; i++) {
            const int64_t e = stored_at(c, u, i, j);
            const bool diagonal = u->triangle && u->conj && i == j;
            R *to = A->host + place(A, touches(u, i, j) ? e : 0);
            if (!touches(u, i, j))
                continue;
            const vector *other = u->triangle && u->terms == 1 ? x : y;
            number sum = load(A, e);
            number term = times(times(u->alpha, load(x, i)), conjugate(u, load(other, j)));
            sum = (number){sum.re + term.re, sum.im + term.im};
            if (u->terms > 1) {
                term = times(times(conjugate(u, u->alpha), load(y, i)), conjugate(u, load(x, j)));
                sum = (number){sum.re + term.re, sum.im + term.im};
            }
            to[0] = (R)sum.re;
            if (COMPLEX)
                to[REALS - 1] = diagonal ? 0 : (R)sum.im;
        }
    }
}

static gable_status call_matrix(gable_context *ctx, const level1_case *c, const update *u, T *A,
                                const T *x, const T *y, const T *at, T alpha)
{
    const int64_t m = c->n, n = c->columns, incx = c->incx, incy = c->incy, lda = leading(c);
#if COMPLEX
    if (u->conj)
        return c->on_device ? FN(gerc_dev)(ctx, m, n, at, x, incx, y, incy, A, lda)
                            : FN(gerc)(ctx, m, n, alpha, x, incx, y, incy, A, lda);
    return c->on_device ? FN(geru_dev)(ctx, m, n, at, x, incx, y, incy, A, lda)
                        : FN(geru)(ctx, m, n, alpha, x, incx, y, incy, A, lda);
#else
    (void)u;
    return c->on_device ? FN(ger_dev)(ctx, m, n, at, x, incx, y, incy, A, lda)
                        : FN(ger)(ctx, m, n, alpha, x, incx, y, incy, A, lda);
#endif
}

static gable_status call_one(gable_context *ctx, const level1_case *c, const update *u, T *A,
                             const T *x, const T *at, T alpha)
{
    const gable_uplo uplo = u->upper ? GABLE_UPPER : GABLE_LOWER;
    const int64_t n = c->n, incx = c->incx, lda = leading(c);
#if COMPLEX
    if (u->conj)
        return c->on_device ? FN(her_dev)(ctx, uplo, n, (const R *)at, x, incx, A, lda)
                            : FN(her)(ctx, uplo, n, alpha.re, x, incx, A, lda);
#endif
    return c->on_device ? FN(syr_dev)(ctx, uplo, n, at, x, incx, A, lda)
                        : FN(syr)(ctx, uplo, n, alpha, x, incx, A, lda);
}

static gable_status call_two(gable_context *ctx, const level1_case *c, const update *u, T *A,
                             const T *x, const T *y, const T *at, T alpha)
{
    const gable_uplo uplo = u->upper ? GABLE_UPPER : GABLE_LOWER;
    const int64_t n = c->n, incx = c->incx, incy = c->incy, lda = leading(c);
#if COMPLEX
    if (u->conj)
        return c->on_device ? FN(her2_dev)(ctx, uplo, n, at, x, incx, y, incy, A, lda)
                            : FN(her2)(ctx, uplo, n, alpha, x, incx, y, incy, A, lda);
#endif
    return c->on_device ? FN(syr2_dev)(ctx, uplo, n, at, x, incx, y, incy, A, lda)
                        : FN(syr2)(ctx, uplo, n, alpha, x, incx, y, incy, A, lda);
}

static gable_status call_packed(gable_context *ctx, const level1_case *c, const update *u, T *A,
                                const T *x, const T *y, const T *at, T alpha)
{
    const gable_uplo uplo = u->upper ? GABLE_UPPER : GABLE_LOWER;
    const int64_t n = c->n, incx = c->incx, incy = c->incy;
#if COMPLEX
    if (u->conj && u->terms == 1)
        return c->on_device ? FN(hpr_dev)(ctx, uplo, n, (const R *)at, x, incx, A)
                            : FN(hpr)(ctx, uplo, n, alpha.re, x, incx, A);
    if (u->conj)
        return c->on_device ? FN(hpr2_dev)(ctx, uplo, n, at, x, incx, y, incy, A)
                            : FN(hpr2)(ctx, uplo, n, alpha, x, incx, y, incy, A);
#endif
    if (u->terms == 1)
        return c->on_device ? FN(spr_dev)(ctx, uplo, n, at, x, incx, A)
                            : FN(spr)(ctx, uplo, n, alpha, x, incx, A);
    return c->on_device ? FN(spr2_dev)(ctx, uplo, n, at, x, incx, y, incy, A)
                        : FN(spr2)(ctx, uplo, n, alpha, x, incx, y, incy, A);
}

static gable_status call_update(gable_context *ctx, const level1_case *c, const update *u,
                                const vector *A, const vector *x, const vector *y, const vector *at)
{
    const T alpha = scalar((R)u->alpha.re, (R)u->alpha.im);
    if (u->packed)
        return call_packed(ctx, c, u, A->at, x->at, y->at, at->at, alpha);
    if (!u->triangle)
        return call_matrix(ctx, c, u, A->at, x->at, y->at, at->at, alpha);
    return u->terms == 1 ? call_one(ctx, c, u, A->at, x->at, at->at, alpha)
                         : call_two(ctx, c, u, A->at, x->at, y->at, at->at, alpha);
}

/* With alpha = 0, x and y are NaN and A stays. */
static bool check_update(gable_context *ctx, const level1_case *c, level1_report *report,
                         const update *u)
{
    const bool zero = u->alpha.re == 0 && u->alpha.im == 0;
    vector A = {.n = 0}, x = {.n = 0}, y = {.n = 0}, alpha = {.n = 0};
    const bool room = make_matrix(ctx, &A, c, u) &&
                      make(ctx, &x, c->n, c->incx, 0, c->pad, (R)NAN) &&
                      make(ctx, &y, columns_of(c, u), c->incy, c->shift_y, c->pad, (R)NAN) &&
                      make(ctx, &alpha, 1, 1, 0, 0, 0);
    bool good = room || say(report, "status", c, "no room: %.200s", gable_message(ctx));
    if (good) {
        if (!zero) {
            set_values(&x, 18);
            set_values(&y, 19);
        }
        alpha.host[0] = (R)u->alpha.re;
        alpha.host[REALS - 1] = (R)(COMPLEX ? u->alpha.im : u->alpha.re);
        good = status_ok(ctx, send(ctx, &A), c, report) &&
               status_ok(ctx, send(ctx, &x), c, report) &&
               status_ok(ctx, send(ctx, &y), c, report) &&
               status_ok(ctx, send(ctx, &alpha), c, report);
        for (int turn = 0; good && turn < c->repeats; turn++) {
            good = status_ok(ctx, call_update(ctx, c, u, &A, &x, &y, &alpha), c, report);
            if (!zero)
                reference(c, u, &A, &x, &y);
        }
        good = good && compare(ctx, &A, c, u->name, report) && compare(ctx, &x, c, "x", report) &&
               compare(ctx, &y, c, "y", report);
    }
    drop(ctx, &A);
    drop(ctx, &x);
    drop(ctx, &y);
    drop(ctx, &alpha);
    return good;
}

/* Lower and upper, then alpha = 0. */
static bool check_updates(gable_context *ctx, const level1_case *c, level1_report *report, update u)
{
    bool good = check_update(ctx, c, report, &u);
    if (good && u.triangle) {
        u.upper = true;
        good = check_update(ctx, c, report, &u);
    }
    u.alpha = (number){0, 0};
    return good && check_update(ctx, c, report, &u);
}

#define ALPHA                                                                                      \
    {                                                                                              \
        -2, COMPLEX ? 1 : 0                                                                        \
    }

static bool check_ger(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_updates(ctx, c, report,
                         (update){"A of ger", false, false, false, 1, ALPHA, false});
}

static bool check_syr(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_updates(ctx, c, report, (update){"A of syr", true, false, false, 1, ALPHA, false});
}

static bool check_syr2(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_updates(ctx, c, report,
                         (update){"A of syr2", true, false, false, 2, ALPHA, false});
}

static bool check_spr(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_updates(ctx, c, report, (update){"A of spr", true, false, false, 1, ALPHA, true});
}

static bool check_spr2(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_updates(ctx, c, report, (update){"A of spr2", true, false, false, 2, ALPHA, true});
}

#if COMPLEX
static bool check_gerc(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_updates(ctx, c, report,
                         (update){"A of gerc", false, false, true, 1, ALPHA, false});
}

static bool check_her(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_updates(ctx, c, report,
                         (update){"A of her", true, false, true, 1, {-2, 0}, false});
}

static bool check_her2(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_updates(ctx, c, report, (update){"A of her2", true, false, true, 2, ALPHA, false});
}

static bool check_hpr(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_updates(ctx, c, report, (update){"A of hpr", true, false, true, 1, {-2, 0}, true});
}

static bool check_hpr2(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_updates(ctx, c, report, (update){"A of hpr2", true, false, true, 2, ALPHA, true});
}
#endif

const level1_named TYPED(level1_updates)[] = {
    {"ger", check_ger},   {"syr", check_syr},   {"syr2", check_syr2},
    {"spr", check_spr},   {"spr2", check_spr2},
#if COMPLEX
    {"gerc", check_gerc}, {"her", check_her},   {"her2", check_her2},
    {"hpr", check_hpr},   {"hpr2", check_hpr2},
#endif
    {NULL, NULL},
};
