/* fold_check.c: checks of asum, amax, dsdot and sdsdot. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums of small integers are exact. amax: the reference is the loop of BLAS, and each pattern of
 * values asks one question, such as which of two equals is first, or what a NaN does.
 */
#include "level1_vectors.h"

/* ---- asum ----------------------------------------------------------------------------------- */

static gable_status call_asum(gable_context *ctx, const level1_case *c, const vector *x,
                              const vector *y, void *result)
{
    (void)y;
    return FN_R(asum)(ctx, c->n, x->at, c->incx, result);
}

static bool check_asum(gable_context *ctx, const level1_case *c, level1_report *report)
{
    vector x = {.n = 0};
    bool good = make(ctx, &x, c->n, c->incx, c->shift_x, c->pad, (R)NAN) ||
                say(report, "status", c, "no memory: %.200s", gable_message(ctx));
    if (good) {
        double sum = 0;
        set_values(&x, 6);
        for (int64_t i = 0; i < c->n; i++)
            for (int part = 0; part < REALS; part++)
                sum += fabs((double)x.host[place(&x, i) + (size_t)part]);
        const R expected = (R)sum;
        good = status_ok(ctx, send(ctx, &x), c, report) &&
               check_sum(ctx, c, report, call_asum, &x, NULL, &expected, 1, 0);
    }
    drop(ctx, &x);
    return good;
}

/* ---- amax ----------------------------------------------------------------------------------- */

static double size_of(const vector *x, int64_t i)
{
    const R *at = x->host + place(x, i);
    return fabs((double)at[0]) + (COMPLEX ? fabs((double)at[REALS - 1]) : 0);
}

/* As the reference BLAS has it: the first element stands until a larger one comes. */
static int64_t amax_of(const vector *x)
{
    int64_t best = 0;
    double largest = x->n > 0 ? size_of(x, 0) : 0;
    for (int64_t i = 1; i < x->n; i++) {
        if (size_of(x, i) > largest) {
            best = i;
            largest = size_of(x, i);
        }
    }
    return x->n > 0 ? best + 1 : 0;
}

static void set_element(vector *x, int64_t i, R re, R im)
{
    if (i < 0 || i >= x->n)
        return;
    x->host[place(x, i)] = re;
    if (COMPLEX)
        x->host[place(x, i) + REALS - 1] = im;
}

/* The question number `pattern`; false: there are no more. */
static bool set_pattern(vector *x, int pattern)
{
    const int64_t n = x->n, middle = n / 2;
    const R nan = (R)NAN, infinite = (R)INFINITY;
    set_values(x, 7); /* many equals */
    switch (pattern) {
    case 0:
        return true;
    case 1: /* one that is largest, in different places */
        set_element(x, n - 1, -50, 9);
        return true;
    case 2:
        set_element(x, middle, 9, -50);
        return true;
    case 3: /* behind the middle, yet before any tail */
        set_element(x, n - 4, 50, 9);
        return true;
    case 4: /* equals by different parts: the first counts */
        set_element(x, n / 3, COMPLEX ? -3 : -50, 47);
        set_element(x, 2 * n / 3, 50, 0);
        set_element(x, n - 1, COMPLEX ? 25 : 50, 25);
        return true;
    case 5: /* a NaN that comes first wins, even over Inf */
        set_element(x, n - 1, infinite, 0);
        set_element(x, 0, COMPLEX ? 1 : nan, nan);
        return true;
    case 6: /* later ones are passed over */
        for (int64_t i = 1; i < n; i += 2)
            set_element(x, i, nan, 1);
        set_element(x, n - 1, nan, nan);
        return true;
    case 7: /* also where all others are */
        for (int64_t i = 1; i < n; i++)
            set_element(x, i, nan, 0);
        set_element(x, 0, 0, 0);
        return true;
    case 8: /* the first of the infinite ones */
        set_element(x, n - 1, infinite, 1);
        set_element(x, middle, COMPLEX ? 2 : infinite, infinite);
        set_element(x, n / 3, COMPLEX ? 3 : -infinite, -infinite);
        return true;
    case 9: /* zeros: the first */
        for (int64_t i = 0; i < n; i++)
            set_element(x, i, 0, (R)-0.0);
        return true;
    default:
        return false;
    }
}

static bool amax_once(gable_context *ctx, const level1_case *c, level1_report *report,
                      const vector *x, int pattern, int turn)
{
    const int64_t want = amax_of(x);
    int64_t block[3] = {-7, -7, -7};
    void *base = NULL;
    bool good =
        status_ok(ctx, gable_alloc(ctx, sizeof block, &base), c, report) &&
        status_ok(ctx, gable_set_vector(ctx, 3, sizeof block[0], block, 1, base, 1), c, report);
    int64_t *target = c->on_device ? (int64_t *)base + 1 : &block[1];
    good = good && status_ok(ctx, FN_I(amax)(ctx, c->n, x->at, c->incx, target), c, report);
    if (good && c->on_device)
        good =
            status_ok(ctx, gable_get_vector(ctx, 3, sizeof block[0], base, 1, block, 1), c, report);
    if (good && (block[0] != -7 || block[2] != -7))
        good = say(report, "guards", c, "amax: memory beside the result was written");
    if (good && block[1] != want)
        good = say(report,
                   turn > 0      ? "repeat"
                   : pattern < 5 ? "exact"
                                 : "edges",
                   c, "amax of pattern %d is %lld, not %lld", pattern, (long long)block[1],
                   (long long)want);
    gable_free(ctx, base);
    return good;
}

static bool check_amax(gable_context *ctx, const level1_case *c, level1_report *report)
{
    vector x = {.n = 0};
    bool good = make(ctx, &x, c->n, c->incx, c->shift_x, c->pad, (R)NAN) ||
                say(report, "status", c, "no memory: %.200s", gable_message(ctx));
    for (int pattern = 0; good && set_pattern(&x, pattern); pattern++) {
        good = status_ok(ctx, send(ctx, &x), c, report);
        for (int turn = 0; good && turn < (pattern == 0 ? c->repeats : 1); turn++)
            good = amax_once(ctx, c, report, &x, pattern, turn);
    }
    drop(ctx, &x);
    return good;
}

/* ---- dsdot ---------------------------------------------------------------------------------- */

#if defined(PREC_S)
/* Float would lose the small ones beside BIG, and their sum beside alpha. */
#define BIG   ((float)(1 << 30))
#define ALPHA 0x1p31f

/* One form, its result between guards; a float is compared as the double of equal value. */
static bool dsdot_once(gable_context *ctx, const level1_case *c, level1_report *report,
                       const vector *x, const vector *y, const float *alpha_at, double sum,
                       int form)
{
    static const char *const names[] = {"dsdot", "sdsdot", "sdsdot_dev"};
    const double want = form == 0 ? sum : (double)(float)((double)ALPHA + sum);
    double block[3] = {-7, -7, -7}, got = NAN;
    void *base = NULL;
    bool good =
        status_ok(ctx, gable_alloc(ctx, sizeof block, &base), c, report) &&
        status_ok(ctx, gable_set_vector(ctx, 3, sizeof block[0], block, 1, base, 1), c, report);
    void *target = c->on_device ? (double *)base + 1 : &block[1];
    gable_status status = GABLE_OK;
    if (good && form == 0)
        status = gable_dsdot(ctx, c->n, x->at, c->incx, y->at, c->incy, target);
    if (good && form == 1)
        status = gable_sdsdot(ctx, c->n, ALPHA, x->at, c->incx, y->at, c->incy, target);
    if (good && form == 2)
        status = gable_sdsdot_dev(ctx, c->n, alpha_at, x->at, c->incx, y->at, c->incy, target);
    good = good && status_ok(ctx, status, c, report);
    if (good && c->on_device)
        good =
            status_ok(ctx, gable_get_vector(ctx, 3, sizeof block[0], base, 1, block, 1), c, report);
    if (good && (block[0] != -7 || block[2] != -7))
        good = say(report, "guards", c, "%s: memory beside the result was written", names[form]);
    if (form == 0) {
        got = block[1];
    } else {
        float narrow[2], guard[2];
        const double before = -7;
        memcpy(narrow, &block[1], sizeof narrow);
        memcpy(guard, &before, sizeof guard);
        got = (double)narrow[0];
        if (good && memcmp(&narrow[1], &guard[1], sizeof guard[1]) != 0)
            good = say(report, "guards", c, "%s writes more than a float", names[form]);
    }
    if (good && got != want)
        good = say(report, "exact", c, "%s is %.17g, not %.17g", names[form], got, want);
    gable_free(ctx, base);
    return good;
}

static bool check_dsdot(gable_context *ctx, const level1_case *c, level1_report *report)
{
    vector x = {.n = 0}, y = {.n = 0}, alpha = {.n = 0};
    const bool room = make(ctx, &x, c->n, c->incx, c->shift_x, c->pad, NAN) &&
                      make(ctx, &y, c->n, c->incy, c->shift_y, c->pad, NAN) &&
                      make(ctx, &alpha, 1, 1, 0, 0, ALPHA);
    bool good = room || say(report, "status", c, "no memory: %.200s", gable_message(ctx));
    if (good) {
        double sum = 0;
        set_values(&x, 8);
        set_values(&y, 9);
        if (c->n > 1 && c->incx != 0) /* its square is exact in double, beside all of the others */
            x.host[place(&x, 1)] = BIG;
        for (int64_t i = 0; i < c->n; i++)
            sum += (double)x.host[place(&x, i)] * (double)y.host[place(&y, i)];
        good = status_ok(ctx, send(ctx, &x), c, report) &&
               status_ok(ctx, send(ctx, &y), c, report) &&
               status_ok(ctx, send(ctx, &alpha), c, report);
        for (int form = 0; form < 3 && good; form++)
            for (int turn = 0; turn < c->repeats && good; turn++)
                good = dsdot_once(ctx, c, report, &x, &y, alpha.at, sum, form);
    }
    drop(ctx, &x);
    drop(ctx, &y);
    drop(ctx, &alpha);
    return good;
}
#endif

const level1_named TYPED(level1_folds)[] = {
    {"asum", check_asum},
    {"amax", check_amax},
#if defined(PREC_S)
    {"dsdot", check_dsdot},
#endif
    {NULL, NULL},
};
