/* test_rotmg.c: the six parts of rotmg, which is real: the modified rotation that makes (sqrt(d1)
 * x1, sqrt(d2) y1) into (r, 0) SPDX-License-Identifier: BSD-3-Clause
 *
 * The reference is the algorithm of Lawson, Hanson, Kincaid and Krogh (ACM TOMS 5, 1979) in wider
 * arithmetic, where d1 and d2 are brought between 4096^-2 and 4096^2. Bound: BOUND u of each
 * result, for a handful of products and quotients, times what the difference 1 - |ratio| costs
 * where d2 < 0. Beside that, what makes it a rotation: H takes y1 to 0 and x1 to the new x1, and H'
 * diag(d1, d2) H with the new d1 and d2 is the old diagonal.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "harness/routine.h"
#include "harness/wide.h"
#include "harness/numbers.h"

#if !COMPLEX

#define BOUND  8.0
#define GAMMA  4096.0
#define SQUARE (GAMMA * GAMMA)

enum { MOST = 400 };
enum { FLAG, H11, H21, H12, H22, PARAMS };

/* d1, d2, x1 and y1 go in; all but y1 come out. */
typedef struct modified {
    R d1, d2, x1, y1, param[PARAMS];
} modified;

static const shape no_shape = {1, 1, 1, 0, 0};

/* ---- Reference ---- */

typedef struct reference {
    int flag;
    wide d1, d2, x1, h[PARAMS];
    double condition; /* 1, and more where d2 < 0: what 1 - |ratio| costs */
} reference;

static wide w(double a)
{
    return (wide){a, 0};
}

static wide scaled(wide a, double power_of_two)
{
    return (wide){a.high * power_of_two, a.low * power_of_two};
}

/* Brings d into range; the row of H and, with the first, x1 go with it. */
static void bring(reference *q, wide *d, wide *ha, wide *hb, wide *x1)
{
    while (d->high != 0 && (fabs(d->high) <= 1 / SQUARE || fabs(d->high) >= SQUARE)) {
        const double up = fabs(d->high) <= 1 / SQUARE ? GAMMA : 1 / GAMMA;
        q->flag = -1;
        *d = scaled(*d, up * up);
        *ha = scaled(*ha, 1 / up);
        *hb = scaled(*hb, 1 / up);
        if (x1 != NULL)
            *x1 = scaled(*x1, 1 / up);
    }
}

static reference reference_of(const modified *given)
{
    const wide d1 = w(given->d1), d2 = w(given->d2), x1 = w(given->x1), y1 = w(given->y1);
    const wide p1 = wide_multiply(d1, x1), p2 = wide_multiply(d2, y1);
    const wide q1 = wide_multiply(p1, x1), q2 = wide_multiply(p2, y1);
    const reference zero = {.flag = -1, .condition = 1};
    reference q = {.condition = 1,
                   .flag = -2,
                   .d1 = d1,
                   .d2 = d2,
                   .x1 = x1,
                   .h = {w(0), w(1), w(0), w(0), w(1)}};
    if (given->d1 < 0)
        return zero;
    if (p2.high == 0)
        return q;
    if (fabs(q1.high) > fabs(q2.high)) {
        const wide ratio = wide_divide(q2, q1), u = wide_add(ratio, 1);
        q.condition = (1 + fabs(ratio.high)) / fabs(u.high);
        const wide minus = wide_divide(y1, x1);
        q.flag = 0;
        q.h[H21] = w(-minus.high);
        q.h[H21].low = -minus.low;
        q.h[H12] = wide_divide(p2, p1);
        q.d1 = wide_divide(d1, u);
        q.d2 = wide_divide(d2, u);
        q.x1 = wide_multiply(x1, u);
    } else if (q2.high < 0) {
        return zero;
    } else {
        const wide ratio = wide_divide(q1, q2), u = wide_add(ratio, 1);
        q.flag = 1;
        q.h[H11] = wide_divide(p1, p2);
        q.h[H22] = wide_divide(x1, y1);
        q.h[H12] = w(1);
        q.h[H21] = w(-1);
        q.d1 = wide_divide(d2, u);
        q.d2 = wide_divide(d1, u);
        q.x1 = wide_multiply(y1, u);
    }
    bring(&q, &q.d1, &q.h[H11], &q.h[H12], &q.x1);
    bring(&q, &q.d2, &q.h[H21], &q.h[H22], NULL);
    return q;
}

/* ---- Checks ---- */

static void close_to(routine *r, const char *name, wide want, R found, double condition)
{
    const long before = test_failures();
    routine_error(r, wide_distance(want, found),
                  condition * BOUND * ROUNDOFF * fabs(want.high) + REAL_DENORM, 1);
    if (test_failures() > before)
        CHECK(false, "%s is %.17g, not %.17g", name, (double)found, want.high);
}

/* |a b + c d - e| beside the size of its terms. */
static void sum_is(routine *r, const char *name, double condition, wide ab, wide cd, double e)
{
    const wide sum = wide_add(wide_add(wide_add(ab, cd.high), cd.low), -e);
    const double size = fabs(ab.high) + fabs(cd.high) + fabs(e);
    const long before = test_failures();
    routine_error(r, fabs(sum.high + sum.low),
                  4 * condition * BOUND * ROUNDOFF * size + REAL_DENORM, 1);
    if (test_failures() > before)
        CHECK(false, "%s: off by %g", name, sum.high);
}

static wide product(double a, double b, double c)
{
    return wide_multiply(wide_multiply(w(a), w(b)), w(c));
}

/* H as rotm takes it. */
static void matrix(const R *param, double *h)
{
    for (int i = H11; i < PARAMS; i++)
        h[i] = param[i];
    if (param[FLAG] == 0)
        h[H11] = h[H22] = 1;
    if (param[FLAG] == 1) {
        h[H12] = 1;
        h[H21] = -1;
    }
}

static void rotates(routine *r, const modified *given, const modified *q, double condition)
{
    double h[PARAMS];
    matrix(q->param, h);
    sum_is(r, "y1 goes to 0", condition, product(h[H21], given->x1, 1),
           product(h[H22], given->y1, 1), 0);
    sum_is(r, "x1", condition, product(h[H11], given->x1, 1), product(h[H12], given->y1, 1), q->x1);
    sum_is(r, "d1", condition, product(q->d1, h[H11], h[H11]), product(q->d2, h[H21], h[H21]),
           given->d1);
    sum_is(r, "d2", condition, product(q->d1, h[H12], h[H12]), product(q->d2, h[H22], h[H22]),
           given->d2);
    sum_is(r, "off the diagonal", condition, product(q->d1, h[H11], h[H12]),
           product(q->d2, h[H21], h[H22]), 0);
    CHECK(q->d1 > 1 / SQUARE && q->d1 < SQUARE, "d1 is %g", (double)q->d1);
    CHECK(q->d2 == 0 || (fabs((double)q->d2) > 1 / SQUARE && fabs((double)q->d2) < SQUARE),
          "d2 is %g", (double)q->d2);
}

/* Counts the flags that came out: [flag + 2]. */
static void verify(routine *r, const modified *given, const modified *q, int count,
                   const char *where, int *flags)
{
    for (int i = 0; i < count; i++) {
        const reference want = reference_of(&given[i]);
        const int flag = want.flag;
        char more[160];
        snprintf(more, sizeof more, "%s d1=%a d2=%a x1=%a y1=%a", where, (double)given[i].d1,
                 (double)given[i].d2, (double)given[i].x1, (double)given[i].y1);
        routine_case(r, &no_shape, 0, more);
        CHECK(q[i].param[FLAG] == (R)want.flag, "the flag is %g, not %d", (double)q[i].param[FLAG],
              want.flag);
        if (q[i].param[FLAG] != (R)want.flag)
            continue;
        flags[flag + 2]++;
        close_to(r, "d1", want.d1, q[i].d1, want.condition);
        close_to(r, "d2", want.d2, q[i].d2, want.condition);
        close_to(r, "x1", want.x1, q[i].x1, want.condition);
        for (int k = H11; k < PARAMS; k++) {
            const bool set = flag == -1 || (flag == 0 && (k == H21 || k == H12)) ||
                             (flag == 1 && (k == H11 || k == H22));
            if (set)
                close_to(r, "an element of H", want.h[k], q[i].param[k], want.condition);
        }
        if (flag != -2 && want.d1.high != 0)
            rotates(r, &given[i], &q[i], want.condition);
    }
}

/* ---- Calls ---- */

static bool on_host(routine *r, modified *q, int count)
{
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good =
            CHECK_OK(r->ctx, FN(rotmg)(r->ctx, &q[i].d1, &q[i].d2, &q[i].x1, q[i].y1, q[i].param));
    return good;
}

/* In device memory, as vectors whose elements are the operands of one call each. */
enum { D1, D2, X1, Y1, PARAM, OPERANDS };
static const char *const names[OPERANDS] = {"d1", "d2", "x1", "y1", "param"};

typedef struct operands {
    guarded v[OPERANDS];
    int count;
} operands;

static bool send(operands *o, const modified *q)
{
    bool good = true;
    for (int i = 0; i < o->count; i++) {
        put(&o->v[D1], i, q[i].d1);
        put(&o->v[D2], i, q[i].d2);
        put(&o->v[X1], i, q[i].x1);
        put(&o->v[Y1], i, q[i].y1);
        memcpy(guarded_element(&o->v[PARAM], i), q[i].param, sizeof q[i].param);
    }
    for (int k = 0; good && k < OPERANDS; k++)
        good = guarded_send(&o->v[k]);
    return good;
}

static bool build(routine *r, operands *o, const modified *q, int count, int64_t inc,
                  guarded_fence fence)
{
    bool good = true;
    o->count = count;
    for (int k = 0; k < OPERANDS; k++) {
        const size_t bytes = k == PARAM ? PARAMS * sizeof(R) : sizeof(R);
        good = guarded_make(&o->v[k], r->ctx, count, inc, bytes, sizeof(R), FILL_PATTERN, fence) &&
               good;
    }
    return good && send(o, q);
}

static void destroy(operands *o)
{
    for (int k = 0; k < OPERANDS; k++)
        guarded_destroy(&o->v[k]);
}

static R *place(const operands *o, int k, int64_t i)
{
    return (R *)o->v[k].at + i * o->v[k].inc * (k == PARAM ? PARAMS : 1);
}

static bool run(routine *r, const operands *o)
{
    bool good = true;
    for (int64_t i = 0; good && i < o->count; i++) {
        R *at[OPERANDS];
        for (int k = 0; k < OPERANDS; k++)
            at[k] = place(o, k, i);
        const gbl_vector_call call = TYPED_CALL(.n = 1, .x = at[D1], .y = at[D2], .w = at[X1],
                                                .alpha = {at[Y1], 0, 0}, .result = at[PARAM]);
        good =
            routine_ran(r, FN(rotmg_dev)(r->ctx, at[D1], at[D2], at[X1], at[Y1], at[PARAM]), &call);
    }
    return good;
}

static bool fetch(operands *o, modified *q)
{
    for (int k = 0; k < OPERANDS; k++)
        if (!guarded_fetch(&o->v[k]))
            return false;
    for (int i = 0; i < o->count; i++) {
        q[i].d1 = got(&o->v[D1], i);
        q[i].d2 = got(&o->v[D2], i);
        q[i].x1 = got(&o->v[X1], i);
        memcpy(q[i].param, guarded_result(&o->v[PARAM], i), sizeof q[i].param);
    }
    return true;
}

static bool on_device(routine *r, modified *q, int count, int64_t inc, guarded_fence fence)
{
    operands o;
    const bool good = build(r, &o, q, count, inc, fence) && run(r, &o) && fetch(&o, q);
    for (int k = 0; good && k < OPERANDS; k++) {
        if (k == Y1)
            guarded_same(&o.v[k], names[k]);
        else
            guarded_surroundings(&o.v[k], names[k]);
    }
    destroy(&o);
    return good;
}

/* On the host and on the device; adds up the flags. */
static void both(routine *r, const modified *given, int count, int *flags)
{
    modified q[MOST];
    memcpy(q, given, (size_t)count * sizeof q[0]);
    if (r->variant == NULL && on_host(r, q, count))
        verify(r, given, q, count, "host", flags);
    memcpy(q, given, (size_t)count * sizeof q[0]);
    if (on_device(r, q, count, 1, LOOSE))
        verify(r, given, q, count, "device", flags);
}

/* ---- The six parts ---- */

/* Numbers whose every step is exact, with each flag. */
static void exact(routine *r)
{
    static const struct {
        double in[4]; /* d1 d2 x1 y1 */
        double out[3], param[PARAMS];
    } known[] = {
        {{10, 2.5, 1, 1}, {8, 2, 1.25}, {0, 0, -1, .25, 0}},
        {{2.5, 10, 1, 1}, {8, 2, 1.25}, {1, .25, 0, 0, 1}},
        {{2, 2, 1, 1}, {1, 1, 2}, {1, 1, 0, 0, 1}},
        {{2, 2, -3, 3}, {1, 1, 6}, {1, -1, 0, 0, -1}},
        {{5, -1, 1, 1}, {6.25, -1.25, .8}, {0, 0, -1, -.2, 0}},
        {{3, 0, 5, 7}, {3, 0, 5}, {-2, 0, 0, 0, 0}},
        {{3, 2, 5, 0}, {3, 2, 5}, {-2, 0, 0, 0, 0}},
        {{0, 2, 5, 3}, {2, 0, 3}, {1, 0, 0, 0, 5. / 3}},
        {{-1, 2, 5, 3}, {0, 0, 0}, {-1, 0, 0, 0, 0}},
        {{-1, 0, 5, 3}, {0, 0, 0}, {-1, 0, 0, 0, 0}},
        {{1, -2, 1, 1}, {0, 0, 0}, {-1, 0, 0, 0, 0}},
        {{10 * SQUARE, 2.5 * SQUARE, 1, 1},
         {8, 2, 1.25 * GAMMA},
         {-1, GAMMA, -GAMMA, .25 * GAMMA, GAMMA}},
        {{.625 / SQUARE, 2.5 / SQUARE, 1, 1},
         {2 / SQUARE, .5, 1.25},
         {-1, .25, -1 / GAMMA, 1, 1 / GAMMA}},
        {{10 / SQUARE / SQUARE, 2.5 / SQUARE / SQUARE, 1, 1},
         {8 / SQUARE, 2 / SQUARE, 1.25 / GAMMA},
         {-1, 1 / GAMMA, -1 / GAMMA, .25 / GAMMA, 1 / GAMMA}},
    };
    enum { KNOWN = sizeof known / sizeof known[0] };
    modified given[KNOWN], host[KNOWN], device[KNOWN];
    int flags[4] = {0};
    for (int k = 0; k < KNOWN; k++)
        given[k] = (modified){(R)known[k].in[0],
                              (R)known[k].in[1],
                              (R)known[k].in[2],
                              (R)known[k].in[3],
                              {7, 7, 7, 7, 7}};
    both(r, given, KNOWN, flags);
    CHECK(flags[0] > 0 && flags[1] > 0 && flags[2] > 0 && flags[3] > 0,
          "flags -2, -1, 0, 1 came %d, %d, %d, %d times", flags[0], flags[1], flags[2], flags[3]);
    memcpy(host, given, sizeof host);
    memcpy(device, given, sizeof device);
    if (!on_host(r, host, KNOWN) || !on_device(r, device, KNOWN, 1, LOOSE))
        return;
    for (int k = 0; k < 2 * KNOWN; k++) {
        const modified *q = k < KNOWN ? &host[k] : &device[k - KNOWN];
        const double *out = known[k % KNOWN].out, *param = known[k % KNOWN].param;
        char more[64];
        snprintf(more, sizeof more, "known %d on the %s", k % KNOWN, k < KNOWN ? "host" : "device");
        routine_case(r, &no_shape, 0, more);
        if (k % KNOWN == 4) /* 1 - 0.2 is rounded */
            continue;
        CHECK(q->d1 == (R)out[0] && q->d2 == (R)out[1] && q->x1 == (R)out[2],
              "d1, d2, x1 are %g, %g, %g, not %g, %g, %g", (double)q->d1, (double)q->d2,
              (double)q->x1, out[0], out[1], out[2]);
        for (int i = H11; i < PARAMS; i++) {
            const bool set = param[FLAG] == -1 || (param[FLAG] == 0 && (i == H21 || i == H12)) ||
                             (param[FLAG] == 1 && (i == H11 || i == H22));
            if (set)
                CHECK(q->param[i] == (R)param[i], "param[%d] is %g, not %g", i, (double)q->param[i],
                      param[i]);
            else
                CHECK(q->param[i] == 7, "param[%d], which the flag implies, was written", i);
        }
    }
}

/* Random operands; d1, d2, x1, y1 of sizes up to 2^spread and down to 2^-spread. */
static void random_operands(modified *q, int count, uint64_t seed, int spread)
{
    for (int i = 0; i < count; i++) {
        const uint64_t at = 4 * (uint64_t)i;
        R *const numbers[4] = {&q[i].d1, &q[i].d2, &q[i].x1, &q[i].y1};
        for (uint64_t k = 0; k < 4; k++) {
            const int power = data_integer(seed + 1, at + k, k < 2 ? spread : spread / 4);
            const double a = ldexp(random_real(seed, at + k), power);
            *numbers[k] = (R)(k == 0 ? fabs(a) : a);
        }
        if (i % 4 != 0)
            q[i].d2 = (R)fabs((double)q[i].d2);
    }
}

static void residual(routine *r)
{
    static const int spreads[] = {0, 4, 20, 40, 40};
    int flags[4] = {0};
    for (size_t s = 0; s < sizeof spreads / sizeof spreads[0]; s++) {
        modified given[MOST];
        random_operands(given, MOST, 100 + 10 * s, spreads[s] * (sizeof(R) == 4 ? 1 : 5));
        both(r, given, MOST, flags);
    }
    CHECK(flags[1] > 0 && flags[2] > 0 && flags[3] > 0, "flags -1, 0, 1 came %d, %d, %d times",
          flags[1], flags[2], flags[3]);
}

/* d1 and d2 far out, and on either side of the borders that they are brought to. */
static void edges(routine *r)
{
    const double large = sizeof(R) == 4 ? 0x1p100 : 0x1p900;
    const double values[] = {1 / large,   REAL_MIN * 64, .7 / SQUARE,           1.7 / SQUARE, 1,
                             .7 * SQUARE, 1.7 * SQUARE,  1.7 * SQUARE * SQUARE, large};
    enum { VALUES = sizeof values / sizeof values[0] };
    modified given[MOST];
    int count = 0, flags[4] = {0};
    for (int i = 0; i < VALUES; i++) {
        for (int k = 0; k < VALUES; k++) {
            const modified m = {(R)values[i], (R)values[k], (R)1.5, (R)-.75, {0}};
            /* What leaves the range of numbers on the way has no reference. */
            if (values[i] * 4 / values[k] < REAL_MAX && values[k] * 4 / values[i] < REAL_MAX &&
                values[i] / values[k] > REAL_MIN * 16 && values[k] / values[i] > REAL_MIN * 16)
                given[count++] = m;
        }
    }
    both(r, given, count, flags);
    CHECK(flags[1] > 0 && flags[2] > 0 && flags[3] > 0, "flags -1, 0, 1 came %d, %d, %d times",
          flags[1], flags[2], flags[3]);
    /* NaN goes on; with it and with Inf the calls come to an end. */
    const double bad[] = {NAN, INFINITY};
    for (int b = 0; b < 2; b++) {
        for (int k = 0; k < 4; k++) {
            modified m[2];
            for (int i = 0; i < 2; i++) {
                m[i] = (modified){2, 3, 5, 7, {0}};
                R *const numbers[4] = {&m[i].d1, &m[i].d2, &m[i].x1, &m[i].y1};
                *numbers[k] = (R)bad[b];
            }
            char more[64];
            snprintf(more, sizeof more, "operand %d is %g", k, bad[b]);
            routine_case(r, &no_shape, 0, more);
            const bool good = on_host(r, &m[0], 1) && on_device(r, &m[1], 1, 1, LOOSE);
            for (int i = 0; good && b == 0 && i < 2; i++)
                CHECK(isnan(m[i].d1) || isnan(m[i].d2) || isnan(m[i].x1), "d1 %g d2 %g x1 %g",
                      (double)m[i].d1, (double)m[i].d2, (double)m[i].x1);
        }
    }
}

static void guards(routine *r)
{
    static const guarded_fence fences[] = {LOOSE, TIGHT_BEHIND, TIGHT_BEFORE};
    for (int f = 0; f < 3; f++) {
        for (int64_t inc = 1; inc <= 3; inc += 2) {
            modified given[5], q[5];
            int flags[4] = {0};
            random_operands(given, 5, 300, 2);
            memcpy(q, given, sizeof q);
            routine_case(r, &no_shape, 300, "guards");
            if (on_device(r, q, 5, inc, fences[f]))
                verify(r, given, q, 5, "device", flags);
        }
    }
}

static void arguments(routine *r)
{
    static const char name[] = NAME(FN(rotmg)), dev[] = NAME(FN(rotmg_dev));
    static const char *const argument[] = {"argument 2 (d1)", "argument 3 (d2)", "argument 4 (x1)",
                                           "argument 5 (y1)", "argument 6 (param)"};
    const modified given = {10, 2.5, 1, 1, {7, 7, 7, 7, 7}};
    modified q = given;
    gable_context *ctx = r->ctx;
    operands o;
    R outside[PARAMS] = {0};
    routine_case(r, &no_shape, 0, "");
    if (build(r, &o, &given, 1, 1, LOOSE)) {
        R *at[OPERANDS];
        for (int k = 0; k < OPERANDS; k++)
            at[k] = place(&o, k, 0);
        CHECK_STATUS(NULL, FN(rotmg)(NULL, &q.d1, &q.d2, &q.x1, 1, q.param), GABLE_BAD_ARGUMENT);
        CHECK_STATUS(NULL, FN(rotmg_dev)(NULL, at[0], at[1], at[2], at[3], at[4]),
                     GABLE_BAD_ARGUMENT);
        for (int bad = 0; bad < OPERANDS; bad++) {
            if (bad != Y1)
                CHECK_REFUSED(ctx,
                              FN(rotmg)(ctx, bad == D1 ? NULL : &q.d1, bad == D2 ? NULL : &q.d2,
                                        bad == X1 ? NULL : &q.x1, 1, bad == PARAM ? NULL : q.param),
                              GABLE_BAD_ARGUMENT, name, argument[bad], "NULL");
            R *const kept = at[bad];
            at[bad] = NULL;
            CHECK_REFUSED(ctx, FN(rotmg_dev)(ctx, at[0], at[1], at[2], at[3], at[4]),
                          GABLE_BAD_ARGUMENT, dev, argument[bad], "NULL");
            at[bad] = outside;
            if (!r->device->props.is_host)
                CHECK_REFUSED(ctx, FN(rotmg_dev)(ctx, at[0], at[1], at[2], at[3], at[4]),
                              GABLE_BAD_ARGUMENT, dev, argument[bad], r->device->info.name,
                              "gable_alloc");
            at[bad] = kept;
        }
        CHECK_REFUSED(ctx, FN(rotmg)(ctx, NULL, NULL, NULL, 1, NULL), GABLE_BAD_ARGUMENT, name,
                      argument[0]);
        CHECK_REFUSED(ctx, FN(rotmg_dev)(ctx, at[0], NULL, NULL, NULL, NULL), GABLE_BAD_ARGUMENT,
                      dev, argument[1]);
        CHECK(memcmp(&q, &given, sizeof q) == 0, "a refused call wrote");
        for (int k = 0; k < OPERANDS; k++)
            if (guarded_fetch(&o.v[k]))
                guarded_same(&o.v[k], names[k]);
        int flags[4] = {0};
        if (on_host(r, &q, 1)) /* the context works on */
            verify(r, &given, &q, 1, "host", flags);
    }
    destroy(&o);
}

static void same(const modified *p, const modified *q, int count, const char *what)
{
    for (int i = 0; i < count; i++)
        CHECK(p[i].d1 == q[i].d1 && p[i].d2 == q[i].d2 && p[i].x1 == q[i].x1 &&
                  memcmp(p[i].param, q[i].param, sizeof p[i].param) == 0,
              "%s gave other bits", what);
}

/* The same bits twice and by replay, which takes what the operands hold then. */
static void repeat(routine *r)
{
    enum { N = 20 };
    modified given[N], first[N], second[N];
    gable_recording *recording = NULL;
    operands o;
    int flags[4] = {0};
    memset(given, 0, sizeof given);
    random_operands(given, N, 400, 30);
    memcpy(first, given, sizeof first);
    memcpy(second, given, sizeof second);
    routine_case(r, &no_shape, 400, "twice");
    if (on_host(r, first, N) && on_host(r, second, N))
        same(first, second, N, "the same call");
    memcpy(first, given, sizeof first);
    if (!build(r, &o, given, N, 1, LOOSE) || !on_device(r, first, N, 1, LOOSE) || !run(r, &o) ||
        !fetch(&o, second))
        goto done;
    same(first, second, N, "the same call");
    routine_case(r, &no_shape, 400, "replayed");
    if (!send(&o, given) || !CHECK_OK(r->ctx, gable_record_begin(r->ctx)))
        goto done;
    const bool ran = run(r, &o);
    if (!CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording)) || !ran)
        goto done;
    if (CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && fetch(&o, second))
        same(first, second, N, "a replay");
    random_operands(given, N, 401, 4);
    if (send(&o, given) && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && fetch(&o, second))
        verify(r, given, second, N, "replay", flags);
done:
    gable_recording_destroy(recording);
    destroy(&o);
}

const routine_parts PARTS =
    TEST_PARTS("rotmg", .run = {exact, residual, edges, guards, arguments, repeat});

#else
const routine_parts PARTS = TEST_PARTS("rotmg", .run = {NULL});
#endif
