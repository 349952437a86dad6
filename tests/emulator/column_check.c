/* column_check.c: checks of mdot and maxpy. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * X ends with the last element of its last column; between its columns stand NaN. References are
 * plain loops over integers held in double: exact.
 */
#include "level1_vectors.h"

#define MOST_COLUMNS 256

typedef struct number {
    double re, im;
} number;

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
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

/* Longer than a column, and such that all columns stand alike on 16 bytes. */
static int64_t leading(const level1_case *c)
{
    const int64_t step = 16 / (int64_t)sizeof(T);
    return (c->n / step + 2) * step;
}

/* n by k, as one vector whose gaps are the ends of columns. */
static bool make_columns(gable_context *ctx, vector *X, const level1_case *c)
{
    const int64_t ldx = leading(c), k = c->columns;
    const int64_t n = c->n > 0 && k > 0 ? (k - 1) * ldx + c->n : 0;
    if (!make(ctx, X, n, 1, c->shift_x, c->pad, (R)NAN))
        return false;
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < c->n; i++)
            for (int part = 0; part < REALS; part++)
                X->host[place(X, j * ldx + i) + (size_t)part] = value(j * 1000 + i, part, 10);
    return true;
}

static const R *element(const vector *X, const level1_case *c, int64_t i, int64_t j)
{
    return X->host + place(X, j * leading(c) + i);
}

/* ---- mdot ----------------------------------------------------------------------------------- */

static gable_status call_mdot(gable_context *ctx, const level1_case *c, const vector *X,
                              const vector *y, bool conj, void *result)
{
#if COMPLEX
    if (conj)
        return FN(mdotc)(ctx, c->n, c->columns, X->at, leading(c), y->at, c->incy, result);
    return FN(mdotu)(ctx, c->n, c->columns, X->at, leading(c), y->at, c->incy, result);
#else
    (void)conj;
    return FN(mdot)(ctx, c->n, c->columns, X->at, leading(c), y->at, c->incy, result);
#endif
}

/* The results, with an element before and one behind that must stay. */
static bool mdot_once(gable_context *ctx, const level1_case *c, level1_report *report,
                      const vector *X, const vector *y, bool conj, const R *want, int turn)
{
    R got[(MOST_COLUMNS + 2) * REALS];
    const size_t reals = (size_t)(c->columns + 2) * REALS;
    void *base = NULL;
    for (size_t r = 0; r < reals; r++)
        got[r] = GAP;
    bool good = status_ok(ctx, gable_alloc(ctx, reals * sizeof(R), &base), c, report) &&
                status_ok(ctx, gable_set_vector(ctx, (int64_t)reals, sizeof(R), got, 1, base, 1), c,
                          report);
    R *target = (c->on_device ? (R *)base : got) + REALS;
    good = good && status_ok(ctx, call_mdot(ctx, c, X, y, conj, target), c, report);
    if (good && c->on_device)
        good = status_ok(ctx, gable_get_vector(ctx, (int64_t)reals, sizeof(R), base, 1, got, 1), c,
                         report);
    for (size_t r = 0; r < reals && good; r++) {
        const bool beside = r < REALS || r >= reals - REALS;
        const R right = beside ? GAP : want[r - REALS];
        if (!(got[r] == right))
            good = say(report,
                       beside     ? "guards"
                       : turn > 0 ? "repeat"
                                  : "exact",
                       c, "mdot%s: result[%d] is %g, not %g", conj ? "c" : "", (int)(r / REALS) - 1,
                       (double)got[r], (double)right);
    }
    gable_free(ctx, base);
    return good;
}

static bool mdot_form(gable_context *ctx, const level1_case *c, level1_report *report, bool conj)
{
    vector X = {.n = 0}, y = {.n = 0};
    R want[MOST_COLUMNS * REALS];
    const bool room = c->columns <= MOST_COLUMNS && make_columns(ctx, &X, c) &&
                      make(ctx, &y, c->n, c->incy, c->shift_y, c->pad, (R)NAN);
    bool good = room || say(report, "status", c, "no room: %.200s", gable_message(ctx));
    if (good) {
        set_values(&y, 11);
        for (int64_t j = 0; j < c->columns; j++) {
            number sum = {0, 0};
            for (int64_t i = 0; i < c->n; i++) {
                number a = load(element(&X, c, i, j));
                a.im = conj ? -a.im : a.im;
                const number product = times(a, load(y.host + place(&y, i)));
                sum.re += product.re;
                sum.im += product.im;
            }
            store(want + j * REALS, sum);
        }
        good = status_ok(ctx, send(ctx, &X), c, report) && status_ok(ctx, send(ctx, &y), c, report);
        for (int turn = 0; good && turn < c->repeats; turn++)
            good = mdot_once(ctx, c, report, &X, &y, conj, want, turn);
    }
    drop(ctx, &X);
    drop(ctx, &y);
    return good;
}

static bool check_mdot(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return mdot_form(ctx, c, report, false);
}

#if COMPLEX
static bool check_mdotc(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return mdot_form(ctx, c, report, true);
}
#endif

/* ---- maxpy ---------------------------------------------------------------------------------- */

/* y, which holds `seed` or NaN, becomes what the reference says; X and the gaps stay. */
static bool maxpy_form(gable_context *ctx, const level1_case *c, level1_report *report,
                       bool coefficients_on_device, bool alpha_is_zero)
{
    vector X = {.n = 0}, y = {.n = 0}, a = {.n = 0};
    const number alpha = {alpha_is_zero ? 0 : -2, COMPLEX && !alpha_is_zero ? 3 : 0};
    const bool room = make_columns(ctx, &X, c) &&
                      make(ctx, &y, c->n, c->incy, c->shift_y, c->pad, GAP) &&
                      make(ctx, &a, c->columns, 1, 0, 1, (R)NAN);
    bool good = room || say(report, "status", c, "no room: %.200s", gable_message(ctx));
    if (good) {
        set_values(&a, 12);
        set_values(&y, 13);
        for (size_t r = 0; alpha_is_zero && r < X.reals; r++)
            X.host[r] = (R)NAN;
        good = status_ok(ctx, send(ctx, &X), c, report) &&
               status_ok(ctx, send(ctx, &y), c, report) && status_ok(ctx, send(ctx, &a), c, report);
        const T *host = (const void *)(a.host + a.first);
        const T factor = scalar((R)alpha.re, (R)alpha.im);
        for (int turn = 0; good && turn < c->repeats; turn++) {
            const gable_status status = coefficients_on_device
                                            ? FN(maxpy_dev)(ctx, c->n, c->columns, factor, a.at,
                                                            X.at, leading(c), y.at, c->incy)
                                            : FN(maxpy)(ctx, c->n, c->columns, factor, host, X.at,
                                                        leading(c), y.at, c->incy);
            good = status_ok(ctx, status, c, report);
            for (int64_t i = 0; i < c->n && !alpha_is_zero; i++) {
                R *to = y.host + place(&y, i);
                number sum = load(to);
                for (int64_t j = 0; j < c->columns; j++) {
                    const number term = times(times(alpha, load(a.host + place(&a, j))),
                                              load(element(&X, c, i, j)));
                    sum.re += term.re;
                    sum.im += term.im;
                }
                store(to, sum);
            }
        }
        good = good &&
               compare(ctx, &y, c, coefficients_on_device ? "maxpy_dev, y" : "maxpy, y", report) &&
               compare(ctx, &X, c, "maxpy, X", report);
    }
    drop(ctx, &X);
    drop(ctx, &y);
    drop(ctx, &a);
    return good;
}

static bool check_maxpy(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return maxpy_form(ctx, c, report, false, false) && maxpy_form(ctx, c, report, true, false) &&
           maxpy_form(ctx, c, report, false, true) && maxpy_form(ctx, c, report, true, true);
}

const level1_named TYPED(level1_columns)[] = {
    {"mdot", check_mdot},
    {"maxpy", check_maxpy},
#if COMPLEX
    {"mdotc", check_mdotc},
#endif
    {NULL, NULL},
};
