/* level1_check.c: checks of copy, axpy, dot and nrm2. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * References are plain loops over integers held in double: exact. Blocks are arrays of reals; a
 * complex element is two of them.
 */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/precision.h"
#include "gable/gable.h"
#include "level1_check.h"

#define REALS (COMPLEX ? 2 : 1)
#define GAP   ((R)12345) /* what gaps of outputs hold */

typedef struct vector {
    R *host;      /* the block as it should be on the device */
    size_t reals; /* of the block */
    int64_t n, inc;
    size_t first; /* real at which the vector's lowest element starts */
    char *base;
    T *at;
} vector;

static bool say(level1_report *report, const char *check, const level1_case *c, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
static bool say(level1_report *report, const char *check, const level1_case *c, const char *format,
                ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    report->check = check;
    snprintf(report->why, sizeof report->why,
             "%c n=%lld incx=%lld incy=%lld shift=%d,%d pad=%d on_device=%d: %s", "sdcz"[DTYPE],
             (long long)c -> n, (long long)c -> incx, (long long)c -> incy, c -> shift_x,
             c -> shift_y, c -> pad, c -> on_device, text);
    return false;
}

static bool status_ok(gable_context *ctx, gable_status status, const level1_case *c,
                      level1_report *report)
{
    return status == GABLE_OK ||
           say(report, "status", c, "%s: %.200s", gable_status_name(status), gable_message(ctx));
}

/* A small integer that depends on all of its arguments. */
static R value(int64_t i, int part, unsigned seed)
{
    uint64_t h = ((uint64_t)i * 2 + (uint64_t)part + 1) * 0x9e3779b97f4a7c15u + seed * 0x85ebca6bu;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return (R)((int)(h >> 40) % 9 - 4);
}

/* The real at which element i starts. */
static size_t place(const vector *v, int64_t i)
{
    const int64_t element = v->inc >= 0 ? i * v->inc : (i - v->n + 1) * v->inc;
    return v->first + (size_t)element * REALS;
}

static bool make(gable_context *ctx, vector *v, int64_t n, int64_t inc, int shift, int pad, R gap)
{
    const int64_t step = inc < 0 ? -inc : inc;
    const size_t span = n > 0 ? (size_t)((n - 1) * step + 1) : 0;
    memset(v, 0, sizeof *v);
    v->n = n;
    v->inc = inc;
    v->first = (size_t)shift + (size_t)pad * REALS;
    v->reals = v->first + (span + (size_t)pad) * REALS;
    v->host = malloc(v->reals * sizeof(R) + 1);
    if (v->host == NULL)
        return false;
    for (size_t i = 0; i < v->reals; i++)
        v->host[i] = gap;
    void *base = NULL;
    if (gable_alloc(ctx, v->reals * sizeof(R), &base) != GABLE_OK)
        return false;
    v->base = base;
    v->at = base != NULL ? (void *)(v->base + v->first * sizeof(R)) : NULL;
    return true;
}

static void drop(gable_context *ctx, vector *v)
{
    gable_free(ctx, v->base);
    free(v->host);
}

static void set_values(vector *v, unsigned seed)
{
    for (int64_t i = 0; i < v->n; i++)
        for (int part = 0; part < REALS; part++)
            v->host[place(v, i) + (size_t)part] = value(v->inc == 0 ? 0 : i, part, seed);
}

static gable_status send(gable_context *ctx, const vector *v)
{
    return gable_set_vector(ctx, (int64_t)v->reals, sizeof(R), v->host, 1, v->base, 1);
}

/* The block on the device must be v->host, bit for bit. */
static bool compare(gable_context *ctx, const vector *v, const level1_case *c, const char *name,
                    level1_report *report)
{
    R *got = malloc(v->reals * sizeof(R) + 1);
    bool good =
        got != NULL &&
        status_ok(ctx, gable_get_vector(ctx, (int64_t)v->reals, sizeof(R), v->base, 1, got, 1), c,
                  report);
    for (size_t r = 0; good && r < v->reals; r++) {
        if (memcmp(&got[r], &v->host[r], sizeof(R)) == 0)
            continue;
        bool gap = true;
        for (int64_t i = 0; i < v->n && gap; i++)
            gap = r < place(v, i) || r >= place(v, i) + REALS;
        good = say(report, gap ? "guards" : "exact", c,
                   "%s: real %zu of %zu (vector from %zu) is %g, not %g", name, r, v->reals,
                   v->first, (double)got[r], (double)v->host[r]);
    }
    free(got);
    return good;
}

/* A call on x and y, and what it must make of y. */
typedef gable_status (*pair_call)(gable_context *ctx, const level1_case *c, const vector *x,
                                  const vector *y, const T *alpha_at);

static T alpha_of(void)
{
    const R re = -3, im = 2;
#if COMPLEX
    const T alpha = {re, im};
#else
    const T alpha = re;
    (void)im;
#endif
    return alpha;
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

/* Calls `function` repeats times; each result must be close to expected (0: the same bits). */
typedef gable_status (*sum_call)(gable_context *ctx, const level1_case *c, const vector *x,
                                 const vector *y, void *result);

static bool check_sum(gable_context *ctx, const level1_case *c, level1_report *report,
                      sum_call function, const vector *x, const vector *y, const R *expected,
                      size_t reals, R tolerance)
{
    R got[2] = {0, 0};
    void *base = NULL;
    const size_t guarded = reals + 2; /* one real before and one behind the result */
    bool good = status_ok(ctx, gable_alloc(ctx, guarded * sizeof(R), &base), c, report);
    for (int turn = 0; good && turn < c->repeats; turn++) {
        R block[4] = {GAP, (R)NAN, reals > 1 ? (R)NAN : GAP, GAP};
        good = status_ok(ctx, gable_set_vector(ctx, (int64_t)guarded, sizeof(R), block, 1, base, 1),
                         c, report);
        R *target = c->on_device ? (R *)base + 1 : got;
        good = good && status_ok(ctx, function(ctx, c, x, y, target), c, report);
        if (good && c->on_device) {
            good = status_ok(ctx,
                             gable_get_vector(ctx, (int64_t)guarded, sizeof(R), base, 1, block, 1),
                             c, report);
            if (good && (block[0] != GAP || block[reals + 1] != GAP))
                good = say(report, "guards", c, "memory beside the result was written");
            memcpy(got, block + 1, reals * sizeof(R));
        }
        for (size_t part = 0; good && part < reals; part++) {
            const R want = expected[part];
            const bool same = isnan(want)   ? isnan(got[part])
                              : isinf(want) ? got[part] == want
                                            : fabs((double)got[part] - (double)want) <=
                                                  (double)tolerance * fabs((double)want);
            if (!same)
                good = say(report, turn > 0 ? "repeat" : "exact", c,
                           "result[%zu] of call %d is %.17g, not %.17g", part, turn + 1,
                           (double)got[part], (double)want);
        }
    }
    gable_free(ctx, base);
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

#if defined(PREC_S)
#define TABLE level1_s
#elif defined(PREC_D)
#define TABLE level1_d
#elif defined(PREC_C)
#define TABLE level1_c
#else
#define TABLE level1_z
#endif

const level1_checks TABLE = {
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
};
