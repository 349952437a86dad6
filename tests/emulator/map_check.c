/* map_check.c: checks of swap, scal, fill, reciprocal, axpby, waxpby, rot and rotm. Compiled once
 * per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A rule says how one form of a routine is called, what it makes of one element, and which vectors
 * it may read: the others hold NaN. Numbers are small integers, so that the reference in double is
 * exact.
 */
#include "level1_vectors.h"

/* Which vectors. */
enum { NONE = 0, X = 1, Y = 2, W = 4 };

typedef struct number {
    double re, im;
} number;

typedef struct map_operands {
    vector x, y, w;
    vector scalars; /* alpha, beta, alpha's real part alone, beta's, the five numbers of param */
} map_operands;

typedef struct map_rule map_rule;
struct map_rule {
    const char *what;
    gable_status (*call)(gable_context *ctx, const level1_case *c, const map_rule *rule,
                         const map_operands *m);
    void (*element)(const map_rule *rule, number *x, number *y, number *w);
    int reads, writes;
    R scalars[4];  /* alpha and beta; of rotm h11, h21, h12, h22 */
    R flag;        /* of rotm */
    int w_is;      /* X or Y: w is that vector */
    bool infinite; /* the real parts of x are */
};

/* ---- What one element becomes --------------------------------------------------------------- */

static number times(number a, number b)
{
    return COMPLEX ? (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}
                   : (number){a.re * b.re, 0};
}

static number plus(number a, number b)
{
    return (number){a.re + b.re, a.im + b.im};
}

static number real_times(double a, number b)
{
    return (number){a * b.re, COMPLEX ? a * b.im : 0};
}

static number alpha_of(const map_rule *rule)
{
    return (number){(double)rule->scalars[0], COMPLEX ? (double)rule->scalars[1] : 0};
}

static number beta_of(const map_rule *rule)
{
    return (number){(double)rule->scalars[2], COMPLEX ? (double)rule->scalars[3] : 0};
}

static void swap_element(const map_rule *rule, number *x, number *y, number *w)
{
    const number old = *x;
    (void)rule;
    (void)w;
    *x = *y;
    *y = old;
}

static void scal_element(const map_rule *rule, number *x, number *y, number *w)
{
    (void)y;
    (void)w;
    *x = times(alpha_of(rule), *x);
}

static void scal_real_element(const map_rule *rule, number *x, number *y, number *w)
{
    (void)y;
    (void)w;
    *x = real_times((double)rule->scalars[0], *x);
}

static void fill_element(const map_rule *rule, number *x, number *y, number *w)
{
    (void)y;
    (void)w;
    *x = alpha_of(rule);
}

/* alpha x + beta y; what is not read counts as 0. */
static number combined(const map_rule *rule, number x, number y)
{
    const number zero = {0, 0};
    return plus(rule->reads & X ? times(alpha_of(rule), x) : zero,
                rule->reads & Y ? times(beta_of(rule), y) : zero);
}

static void axpby_element(const map_rule *rule, number *x, number *y, number *w)
{
    (void)w;
    *y = combined(rule, *x, *y);
}

static void waxpby_element(const map_rule *rule, number *x, number *y, number *w)
{
    *w = combined(rule, *x, *y);
}

static void rot_element(const map_rule *rule, number *x, number *y, number *w)
{
    const double c = (double)rule->scalars[0];
    const number s = beta_of(rule), minus = {-s.re, s.im}, old = *x;
    (void)w;
    *x = plus(real_times(c, old), times(s, *y));
    *y = plus(real_times(c, *y), times(minus, old));
}

#if !COMPLEX
static void reciprocal_element(const map_rule *rule, number *x, number *y, number *w)
{
    (void)rule;
    (void)w;
    y->re = 1 / x->re;
}

static void rotm_element(const map_rule *rule, number *x, number *y, number *w)
{
    const R *h = rule->scalars;
    const R flag = rule->flag;
    const number old = *x;
    (void)w;
    if (flag != -1 && flag != 0 && flag != 1)
        return;
    x->re = (double)(flag == 0 ? 1 : h[0]) * old.re + (double)(flag == 1 ? 1 : h[2]) * y->re;
    y->re = (double)(flag == 1 ? -1 : h[1]) * old.re + (double)(flag == 0 ? 1 : h[3]) * y->re;
}
#endif

/* ---- How the forms are called --------------------------------------------------------------- */

#define ALPHA(rule)  scalar((rule)->scalars[0], (rule)->scalars[1])
#define BETA(rule)   scalar((rule)->scalars[2], (rule)->scalars[3])
#define ALPHA_AT(m)  ((m)->scalars.at)
#define BETA_AT(m)   ((m)->scalars.at + 1)
#define REAL_AT(m)   ((const R *)(const void *)((m)->scalars.at + 2))
#define REAL_S_AT(m) ((const R *)(const void *)((m)->scalars.at + 3))
#define PARAM_AT(m)  ((const R *)(const void *)((m)->scalars.at + 4))

static gable_status call_swap(gable_context *ctx, const level1_case *c, const map_rule *rule,
                              const map_operands *m)
{
    (void)rule;
    return FN(swap)(ctx, c->n, m->x.at, c->incx, m->y.at, c->incy);
}

static gable_status call_scal(gable_context *ctx, const level1_case *c, const map_rule *rule,
                              const map_operands *m)
{
    return FN(scal)(ctx, c->n, ALPHA(rule), m->x.at, c->incx);
}

static gable_status call_scal_dev(gable_context *ctx, const level1_case *c, const map_rule *rule,
                                  const map_operands *m)
{
    (void)rule;
    return FN(scal_dev)(ctx, c->n, ALPHA_AT(m), m->x.at, c->incx);
}

static gable_status call_fill(gable_context *ctx, const level1_case *c, const map_rule *rule,
                              const map_operands *m)
{
    return FN(fill)(ctx, c->n, ALPHA(rule), m->x.at, c->incx);
}

static gable_status call_fill_dev(gable_context *ctx, const level1_case *c, const map_rule *rule,
                                  const map_operands *m)
{
    (void)rule;
    return FN(fill_dev)(ctx, c->n, ALPHA_AT(m), m->x.at, c->incx);
}

static gable_status call_axpby(gable_context *ctx, const level1_case *c, const map_rule *rule,
                               const map_operands *m)
{
    return FN(axpby)(ctx, c->n, ALPHA(rule), m->x.at, c->incx, BETA(rule), m->y.at, c->incy);
}

static gable_status call_axpby_dev(gable_context *ctx, const level1_case *c, const map_rule *rule,
                                   const map_operands *m)
{
    (void)rule;
    return FN(axpby_dev)(ctx, c->n, ALPHA_AT(m), m->x.at, c->incx, BETA_AT(m), m->y.at, c->incy);
}

/* Where w is, and its stride. */
static const vector *w_of(const map_rule *rule, const map_operands *m)
{
    return rule->w_is == X ? &m->x : rule->w_is == Y ? &m->y : &m->w;
}

static gable_status call_waxpby(gable_context *ctx, const level1_case *c, const map_rule *rule,
                                const map_operands *m)
{
    const vector *w = w_of(rule, m);
    return FN(waxpby)(ctx, c->n, ALPHA(rule), m->x.at, c->incx, BETA(rule), m->y.at, c->incy, w->at,
                      w->inc);
}

static gable_status call_waxpby_dev(gable_context *ctx, const level1_case *c, const map_rule *rule,
                                    const map_operands *m)
{
    const vector *w = w_of(rule, m);
    return FN(waxpby_dev)(ctx, c->n, ALPHA_AT(m), m->x.at, c->incx, BETA_AT(m), m->y.at, c->incy,
                          w->at, w->inc);
}

static gable_status call_rot(gable_context *ctx, const level1_case *c, const map_rule *rule,
                             const map_operands *m)
{
    return FN(rot)(ctx, c->n, m->x.at, c->incx, m->y.at, c->incy, rule->scalars[0], BETA(rule));
}

static gable_status call_rot_dev(gable_context *ctx, const level1_case *c, const map_rule *rule,
                                 const map_operands *m)
{
    (void)rule;
    return FN(rot_dev)(ctx, c->n, m->x.at, c->incx, m->y.at, c->incy, REAL_AT(m), BETA_AT(m));
}

#if !COMPLEX
static gable_status call_reciprocal(gable_context *ctx, const level1_case *c, const map_rule *rule,
                                    const map_operands *m)
{
    (void)rule;
    return FN(reciprocal)(ctx, c->n, m->x.at, c->incx, m->y.at, c->incy);
}
#endif

#if COMPLEX
static gable_status call_scal_real(gable_context *ctx, const level1_case *c, const map_rule *rule,
                                   const map_operands *m)
{
    return FN_M(scal)(ctx, c->n, rule->scalars[0], m->x.at, c->incx);
}

static gable_status call_scal_real_dev(gable_context *ctx, const level1_case *c,
                                       const map_rule *rule, const map_operands *m)
{
    (void)rule;
    return FN_M(scal_dev)(ctx, c->n, REAL_AT(m), m->x.at, c->incx);
}

static gable_status call_rot_real(gable_context *ctx, const level1_case *c, const map_rule *rule,
                                  const map_operands *m)
{
    return FN_M(rot)(ctx, c->n, m->x.at, c->incx, m->y.at, c->incy, rule->scalars[0],
                     rule->scalars[2]);
}

static gable_status call_rot_real_dev(gable_context *ctx, const level1_case *c,
                                      const map_rule *rule, const map_operands *m)
{
    (void)rule;
    return FN_M(rot_dev)(ctx, c->n, m->x.at, c->incx, m->y.at, c->incy, REAL_AT(m), REAL_S_AT(m));
}
#else
/* What a flag implies must not be looked at: it is NaN. */
static void param_of(const map_rule *rule, R param[5])
{
    param[0] = rule->flag;
    for (int i = 0; i < 4; i++) {
        const bool diagonal = i == 0 || i == 3;
        const bool implied = rule->flag == (diagonal ? 0 : 1);
        param[1 + i] = implied ? (R)NAN : rule->scalars[i];
    }
}

static gable_status call_rotm(gable_context *ctx, const level1_case *c, const map_rule *rule,
                              const map_operands *m)
{
    R param[5];
    param_of(rule, param);
    return FN(rotm)(ctx, c->n, m->x.at, c->incx, m->y.at, c->incy, param);
}

static gable_status call_rotm_dev(gable_context *ctx, const level1_case *c, const map_rule *rule,
                                  const map_operands *m)
{
    (void)rule;
    return FN(rotm_dev)(ctx, c->n, m->x.at, c->incx, m->y.at, c->incy, PARAM_AT(m));
}
#endif

/* ---- The check ------------------------------------------------------------------------------ */

static number load(const vector *v, int64_t i)
{
    const R *at = v->host + place(v, i);
    return (number){(double)at[0], COMPLEX ? (double)at[REALS - 1] : 0};
}

static void store(vector *v, int64_t i, number value)
{
    R *at = v->host + place(v, i);
    at[0] = (R)value.re;
    if (COMPLEX)
        at[REALS - 1] = (R)value.im;
}

/* Elements of a vector that is not read are NaN; so are gaps of one that is not written. */
static bool make_operand(gable_context *ctx, vector *v, const level1_case *c, const map_rule *rule,
                         int which)
{
    const int64_t inc = which == X ? c->incx : which == Y ? c->incy : c->incw;
    const bool written = rule->writes & which || rule->w_is == which;
    if (!make(ctx, v, c->n, inc, which == X ? c->shift_x : c->shift_y, c->pad,
              written ? GAP : (R)NAN))
        return false;
    for (int64_t i = 0; i < c->n; i++)
        store(v, i, (number){NAN, NAN});
    if (rule->reads & which)
        set_values(v, (unsigned)which);
    for (int64_t i = 0; i < c->n && which == X && rule->infinite; i++)
        v->host[place(v, i)] = (R)INFINITY;
    return true;
}

static bool make_scalars(gable_context *ctx, vector *v, const map_rule *rule)
{
    if (!make(ctx, v, 9, 1, 0, 0, GAP)) /* between the numbers stands what is none of theirs */
        return false;
    v->host[0] = rule->scalars[0];
    v->host[REALS - 1] = rule->scalars[REALS - 1];
    v->host[REALS] = rule->scalars[2];
    v->host[2 * REALS - 1] = rule->scalars[1 + REALS];
    v->host[2 * REALS] = rule->scalars[0];
    v->host[3 * REALS] = rule->scalars[2];
#if !COMPLEX
    param_of(rule, v->host + 4 * REALS);
#endif
    return true;
}

static void apply(const map_rule *rule, map_operands *m, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        number x = load(&m->x, i), y = load(&m->y, i), w = {0, 0};
        rule->element(rule, &x, &y, &w);
        if (rule->writes & X)
            store(&m->x, i, x);
        if (rule->writes & Y)
            store(&m->y, i, y);
        if (rule->writes & W)
            store(rule->w_is == X ? &m->x : rule->w_is == Y ? &m->y : &m->w, i, w);
    }
}

static bool check_rule(gable_context *ctx, const level1_case *c, level1_report *report,
                       const map_rule *rule)
{
    map_operands m = {.x = {.n = 0}};
    if (c->incx == 0 && (rule->writes & X || rule->w_is == X))
        return true; /* an error, which is not the business of these checks */
    const bool room = make_operand(ctx, &m.x, c, rule, X) && make_operand(ctx, &m.y, c, rule, Y) &&
                      make_operand(ctx, &m.w, c, rule, W) && make_scalars(ctx, &m.scalars, rule);
    bool good = room || say(report, "status", c, "no memory: %.200s", gable_message(ctx));
    good = good && status_ok(ctx, send(ctx, &m.x), c, report) &&
           status_ok(ctx, send(ctx, &m.y), c, report) &&
           status_ok(ctx, send(ctx, &m.w), c, report) &&
           status_ok(ctx, send(ctx, &m.scalars), c, report);
    for (int turn = 0; good && turn < c->repeats; turn++) {
        good = status_ok(ctx, rule->call(ctx, c, rule, &m), c, report);
        apply(rule, &m, c->n);
    }
    char name[64];
    snprintf(name, sizeof name, "%s, x", rule->what);
    good = good && compare(ctx, &m.x, c, name, report);
    snprintf(name, sizeof name, "%s, y", rule->what);
    good = good && compare(ctx, &m.y, c, name, report);
    snprintf(name, sizeof name, "%s, w", rule->what);
    good = good && compare(ctx, &m.w, c, name, report);
    drop(ctx, &m.x);
    drop(ctx, &m.y);
    drop(ctx, &m.w);
    drop(ctx, &m.scalars);
    return good;
}

static bool check_rules(gable_context *ctx, const level1_case *c, level1_report *report,
                        const map_rule *rules, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = check_rule(ctx, c, report, &rules[i]);
    return good;
}

#define CHECK_RULES(rules) check_rules(ctx, c, report, rules, sizeof(rules) / sizeof(rules)[0])

static bool check_swap(gable_context *ctx, const level1_case *c, level1_report *report)
{
    static const map_rule rules[] = {
        {"swap", call_swap, swap_element, X | Y, X | Y, {0}, 0, NONE, false}};
    return CHECK_RULES(rules);
}

static bool check_scal(gable_context *ctx, const level1_case *c, level1_report *report)
{
    static const map_rule rules[] = {
        {"scal", call_scal, scal_element, X, X, {-3, 2}, 0, NONE, false},
        {"scal_dev", call_scal_dev, scal_element, X, X, {5, -4}, 0, NONE, false},
        {"scal of NaN by 0", call_scal, scal_element, NONE, X, {0, 0}, 0, NONE, false},
#if COMPLEX
        {"real scal", call_scal_real, scal_real_element, X, X, {-3}, 0, NONE, true},
        {"real scal_dev", call_scal_real_dev, scal_real_element, X, X, {5}, 0, NONE, true},
#else
        {"scal of Inf", call_scal, scal_real_element, X, X, {5}, 0, NONE, true},
#endif
    };
    return CHECK_RULES(rules);
}

static bool check_fill(gable_context *ctx, const level1_case *c, level1_report *report)
{
    static const map_rule rules[] = {
        {"fill", call_fill, fill_element, NONE, X, {7, -6}, 0, NONE, false},
        {"fill_dev", call_fill_dev, fill_element, NONE, X, {3, 2}, 0, NONE, false},
    };
    return CHECK_RULES(rules);
}

static bool check_axpby(gable_context *ctx, const level1_case *c, level1_report *report)
{
    static const map_rule rules[] = {
        {"axpby", call_axpby, axpby_element, X | Y, Y, {-3, 2, 5, -1}, 0, NONE, false},
        {"axpby_dev", call_axpby_dev, axpby_element, X | Y, Y, {2, 1, -3, 4}, 0, NONE, false},
        {"axpby, beta = 0", call_axpby, axpby_element, X, Y, {-3, 2, 0, 0}, 0, NONE, false},
        {"axpby_dev, alpha = 0", call_axpby_dev, axpby_element, Y, Y, {0, 0, 5, 1}, 0, NONE, false},
        {"axpby, both 0", call_axpby, axpby_element, NONE, Y, {0}, 0, NONE, false},
    };
    return CHECK_RULES(rules);
}

static bool check_waxpby(gable_context *ctx, const level1_case *c, level1_report *report)
{
    static const map_rule rules[] = {
        {"waxpby", call_waxpby, waxpby_element, X | Y, W, {-3, 2, 5, -1}, 0, NONE, false},
        {"waxpby_dev", call_waxpby_dev, waxpby_element, X | Y, W, {2, 1, -3, 4}, 0, NONE, false},
        {"waxpby, w is x", call_waxpby, waxpby_element, X | Y, W, {2, 3, 4, 1}, 0, X, false},
        {"waxpby, w is y", call_waxpby, waxpby_element, X | Y, W, {2, 3, 4, 1}, 0, Y, false},
        {"waxpby_dev, beta = 0", call_waxpby_dev, waxpby_element, X, W, {2, 3}, 0, NONE, false},
        {"waxpby, alpha = 0", call_waxpby, waxpby_element, Y, W, {0, 0, 4, 1}, 0, NONE, false},
    };
    return CHECK_RULES(rules);
}

static bool check_rot(gable_context *ctx, const level1_case *c, level1_report *report)
{
    static const map_rule rules[] =
    { {"rot", call_rot, rot_element, X | Y, X | Y, {3, 0, -2, 5}, 0, NONE, false},
      {"rot_dev", call_rot_dev, rot_element, X | Y, X | Y, {-2, 0, 4, 3}, 0, NONE, false},
#if COMPLEX
      {"real rot", call_rot_real, rot_element, X | Y, X | Y, {3, 0, -2, 0}, 0, NONE, false},
      {"real rot_dev", call_rot_real_dev, rot_element, X | Y, X | Y, {5, 0, 4, 0}, 0, NONE, false},
#endif
    };
    return CHECK_RULES(rules);
}

#if !COMPLEX
/* Complex numbers are not exact: those are for test_reciprocal. */
static bool check_reciprocal(gable_context *ctx, const level1_case *c, level1_report *report)
{
    static const map_rule rules[] = {
        {"reciprocal", call_reciprocal, reciprocal_element, X, Y, {0}, 0, NONE, false}};
    return CHECK_RULES(rules);
}

static bool check_rotm(gable_context *ctx, const level1_case *c, level1_report *report)
{
    static const map_rule rules[] = {
        {"rotm -1", call_rotm, rotm_element, X | Y, X | Y, {2, -3, 4, 5}, -1, NONE, false},
        {"rotm 0", call_rotm, rotm_element, X | Y, X | Y, {2, -3, 4, 5}, 0, NONE, false},
        {"rotm 1", call_rotm, rotm_element, X | Y, X | Y, {2, -3, 4, 5}, 1, NONE, false},
        {"rotm -2", call_rotm, rotm_element, X | Y, X | Y, {2, -3, 4, 5}, -2, NONE, false},
        {"rotm_dev -1", call_rotm_dev, rotm_element, X | Y, X | Y, {2, -3, 4, 5}, -1, NONE, false},
        {"rotm_dev 0", call_rotm_dev, rotm_element, X | Y, X | Y, {2, -3, 4, 5}, 0, NONE, false},
        {"rotm_dev 1", call_rotm_dev, rotm_element, X | Y, X | Y, {2, -3, 4, 5}, 1, NONE, false},
        {"rotm_dev -2", call_rotm_dev, rotm_element, X | Y, X | Y, {2, -3, 4, 5}, -2, NONE, false},
        {"rotm_dev 9", call_rotm_dev, rotm_element, X | Y, X | Y, {2, -3, 4, 5}, 9, NONE, false},
    };
    return CHECK_RULES(rules);
}
#endif

const level1_named TYPED(level1_maps)[] = {
    {"swap", check_swap},
    {"scal", check_scal},
    {"fill", check_fill},
    {"axpby", check_axpby},
    {"waxpby", check_waxpby},
    {"rot", check_rot},
#if !COMPLEX
    {"rotm", check_rotm},
    {"reciprocal", check_reciprocal},
#endif
    {NULL, NULL},
};
