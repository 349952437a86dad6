/* level1_check.c: checks of copy, axpy, dot and nrm2. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * References are plain loops over integers held in double: exact.
 */
#include <float.h>
#include "level1_vectors.h"

/* A call on x and y, and what it must make of y. */
typedef gable_status (*pair_call)(gable_context *ctx, const level1_case *c, const vector *x,
                                  const vector *y, const T *alpha_at);

static T alpha_of(void)
{
    return scalar(-3, 2);
}

static gable_status call_copy(gable_context *ctx, const level1_case *c, const vector *x,
                              const vector *y, const T *alpha_at)
{
    (void)alpha_at;
    return FN(copy)(ctx, c->n, x->at, c->incx, y->at, c->incy);
}

static gable_status call_axpy(gable_context *ctx, const level1_case *c, const vector *x,
                              const vector *y, const T *alpha_at)
{
    (void)alpha_at;
    return FN(axpy)(ctx, c->n, alpha_of(), x->at, c->incx, y->at, c->incy);
}

static gable_status call_axpy_dev(gable_context *ctx, const level1_case *c, const vector *x,
                                  const vector *y, const T *alpha_at)
{
    return FN(axpy_dev)(ctx, c->n, alpha_at, x->at, c->incx, y->at, c->incy);
}

/* y := x, or y := alpha x + y, on the host's picture of y. */
static void expect_y(const vector *x, vector *y, bool copy)
{
    const R are = -3, aim = COMPLEX ? 2 : 0;
    for (int64_t i = 0; i < y->n; i++) {
        const R *from = x->host + place(x, i);
        R *to = y->host + place(y, i);
        const R re = from[0], im = COMPLEX ? from[REALS - 1] : 0;
        to[0] = copy ? re : to[0] + (are * re - aim * im);
        if (COMPLEX)
            to[REALS - 1] = copy ? im : to[REALS - 1] + (are * im + aim * re);
    }
}

static bool check_pair(gable_context *ctx, const level1_case *c, level1_report *report,
                       pair_call function, bool copy)
{
    vector x = {.n = 0}, y = {.n = 0}, alpha = {.n = 0};
    const bool room = make(ctx, &x, c->n, c->incx, c->shift_x, c->pad, (R)NAN) &&
                      make(ctx, &y, c->n, c->incy, c->shift_y, c->pad, GAP) &&
                      make(ctx, &alpha, 1, 1, 0, 0, 0);
    bool good = room || say(report, "status", c, "no memory: %.200s", gable_message(ctx));
    if (good) {
        const T scalar = alpha_of();
        memcpy(alpha.host, &scalar, sizeof scalar);
        set_values(&x, 1);
        if (copy)
            for (int64_t i = 0; i < c->n; i++)
                for (int part = 0; part < REALS; part++)
                    y.host[place(&y, i) + (size_t)part] = (R)NAN;
        else
            set_values(&y, 2);
        good = status_ok(ctx, send(ctx, &x), c, report) &&
               status_ok(ctx, send(ctx, &y), c, report) &&
               status_ok(ctx, send(ctx, &alpha), c, report);
        for (int turn = 0; good && turn < c->repeats; turn++) {
            good = status_ok(ctx, function(ctx, c, &x, &y, alpha.at), c, report);
            expect_y(&x, &y, copy);
        }
        good = good && compare(ctx, &y, c, "y", report) && compare(ctx, &x, c, "x", report);
    }
    drop(ctx, &x);
    drop(ctx, &y);
    drop(ctx, &alpha);
    return good;
}

static bool check_copy(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_pair(ctx, c, report, call_copy, true);
}

static bool check_axpy(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_pair(ctx, c, report, call_axpy, false);
}

static bool check_axpy_dev(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_pair(ctx, c, report, call_axpy_dev, false);
}

/* alpha = 0, by value and on the device: x is NaN and y stays. */
static bool check_alpha_zero(gable_context *ctx, const level1_case *c, level1_report *report)
{
    vector x = {.n = 0}, y = {.n = 0}, alpha = {.n = 0};
    const bool room = make(ctx, &x, c->n, c->incx, c->shift_x, c->pad, (R)NAN) &&
                      make(ctx, &y, c->n, c->incy, c->shift_y, c->pad, GAP) &&
                      make(ctx, &alpha, 1, 1, 0, 0, 0);
    bool good = room || say(report, "status", c, "no memory: %.200s", gable_message(ctx));
    if (good) {
        T zero;
        memset(&zero, 0, sizeof zero);
        set_values(&y, 2);
        good = status_ok(ctx, send(ctx, &x), c, report) &&
               status_ok(ctx, send(ctx, &y), c, report) &&
               status_ok(ctx, send(ctx, &alpha), c, report) &&
               status_ok(ctx, FN(axpy)(ctx, c->n, zero, x.at, c->incx, y.at, c->incy), c, report) &&
               status_ok(ctx, FN(axpy_dev)(ctx, c->n, alpha.at, x.at, c->incx, y.at, c->incy), c,
                         report) &&
               compare(ctx, &y, c, "y after alpha = 0", report);
        if (!good && strcmp(report->check, "status") != 0)
            report->check = "edges";
    }
    drop(ctx, &x);
    drop(ctx, &y);
    drop(ctx, &alpha);
    return good;
}

static gable_status call_dot(gable_context *ctx, const level1_case *c, const vector *x,
                             const vector *y, void *result)
{
#if COMPLEX
    return FN(dotu)(ctx, c->n, x->at, c->incx, y->at, c->incy, result);
#else
    return FN(dot)(ctx, c->n, x->at, c->incx, y->at, c->incy, result);
#endif
}

#if COMPLEX
static gable_status call_dotc(gable_context *ctx, const level1_case *c, const vector *x,
                              const vector *y, void *result)
{
    return FN(dotc)(ctx, c->n, x->at, c->incx, y->at, c->incy, result);
}
#endif

static bool check_products(gable_context *ctx, const level1_case *c, level1_report *report,
                           sum_call function, double sign)
{
    vector x = {.n = 0}, y = {.n = 0};
    const bool room = make(ctx, &x, c->n, c->incx, c->shift_x, c->pad, (R)NAN) &&
                      make(ctx, &y, c->n, c->incy, c->shift_y, c->pad, (R)NAN);
    bool good = room || say(report, "status", c, "no memory: %.200s", gable_message(ctx));
    if (good) {
        double re = 0, im = 0;
        set_values(&x, 3);
        set_values(&y, 4);
        for (int64_t i = 0; i < c->n; i++) {
            const R *a = x.host + place(&x, i), *b = y.host + place(&y, i);
            const double ai = COMPLEX ? sign * (double)a[REALS - 1] : 0;
            const double bi = COMPLEX ? (double)b[REALS - 1] : 0;
            re += (double)a[0] * (double)b[0] - ai * bi;
            im += (double)a[0] * bi + ai * (double)b[0];
        }
        const R expected[2] = {(R)re, (R)im};
        good = status_ok(ctx, send(ctx, &x), c, report) &&
               status_ok(ctx, send(ctx, &y), c, report) &&
               check_sum(ctx, c, report, function, &x, &y, expected, REALS, 0);
    }
    drop(ctx, &x);
    drop(ctx, &y);
    return good;
}

static bool check_dot(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_products(ctx, c, report, call_dot, 1);
}

#if COMPLEX
static bool check_dotc(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_products(ctx, c, report, call_dotc, -1);
}
#endif

static gable_status call_nrm2(gable_context *ctx, const level1_case *c, const vector *x,
                              const vector *y, void *result)
{
    (void)y;
    return FN_R(nrm2)(ctx, c->n, x->at, c->incx, result);
}

/* The norm of integers times a power of two; `special`, unless 0, replaces the last element. */
static bool check_norm(gable_context *ctx, const level1_case *c, level1_report *report, int power,
                       R special)
{
    const R epsilon = sizeof(R) == 4 ? (R)FLT_EPSILON : (R)DBL_EPSILON;
    vector x = {.n = 0};
    bool good = make(ctx, &x, c->n, c->incx, c->shift_x, c->pad, (R)NAN) ||
                say(report, "status", c, "no memory: %.200s", gable_message(ctx));
    if (good) {
        double sum = 0;
        set_values(&x, 5);
        for (int64_t i = 0; i < c->n; i++) {
            for (int part = 0; part < REALS; part++) {
                const double v = (double)x.host[place(&x, i) + (size_t)part];
                sum += v * v;
            }
        }
        /* Scaled after the sums, one element at a time: with inc = 0 all are one. */
        for (int64_t i = 0; i < (c->incx == 0 && c->n > 0 ? 1 : c->n); i++)
            for (int part = 0; part < REALS; part++)
                x.host[place(&x, i) + (size_t)part] =
                    (R)ldexp((double)x.host[place(&x, i) + (size_t)part], power);
        R expected = (R)ldexp(sqrt(sum), power);
        if (special != 0 && c->n > 0)
            x.host[place(&x, c->n - 1)] = expected = special;
        good = status_ok(ctx, send(ctx, &x), c, report) &&
               check_sum(ctx, c, report, call_nrm2, &x, NULL, &expected, 1, 2 * epsilon);
    }
    drop(ctx, &x);
    return good;
}

static bool check_nrm2(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_norm(ctx, c, report, 0, 0);
}

/* Squares would overflow or vanish; Inf gives Inf, NaN gives NaN. */
static bool check_norm_range(gable_context *ctx, const level1_case *c, level1_report *report)
{
    const int far = sizeof(R) == 4 ? 100 : 900;
    const bool good = check_norm(ctx, c, report, far, 0) && check_norm(ctx, c, report, -far, 0) &&
                      check_norm(ctx, c, report, 0, (R)INFINITY) &&
                      check_norm(ctx, c, report, 0, (R)NAN);
    if (!good && strcmp(report->check, "exact") == 0)
        report->check = "edges";
    return good;
}

const level1_checks TYPED(level1) = {
    .letter = "sdcz"[DTYPE],
    .copy = check_copy,
    .axpy = check_axpy,
    .axpy_dev = check_axpy_dev,
    .dot = check_dot,
#if COMPLEX
    .dotc = check_dotc,
#endif
    .nrm2 = check_nrm2,
    .alpha_zero = check_alpha_zero,
    .norm_range = check_norm_range,
    .maps = TYPED(level1_maps),
    .folds = TYPED(level1_folds),
    .columns = TYPED(level1_columns),
    .numbers = TYPED(level1_numbers),
    .matrices = TYPED(level1_matrices),
    .planes = TYPED(level1_planes),
    .triangles = TYPED(level1_triangles),
    .batches = TYPED(level1_batches),
    .mirrored = TYPED(level1_mirrored),
    .bands = TYPED(level1_bands),
    .updates = TYPED(level1_updates),
    .products = TYPED(level1_products),
};
