/* test_rotg.c: the six parts of rotg: the rotation that makes (a, b) into (r, 0)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * r, c and s are each compared with a reference in wider arithmetic, in which every number carries
 * its own power of two, so that nothing overflows or vanishes. Bound: BOUND u of the size of r, c
 * or s, for a handful of roundings (two quotients, two squares, a sum, a root, a quotient; for
 * complex numbers the phase of a besides), and two units of the smallest denormal number, for
 * results that are denormal. Beside that, what makes a rotation: c^2 + |s|^2 = 1, and (a, b) goes
 * to (r, 0).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "harness/routine.h"
#include "harness/wide.h"
#include "harness/numbers.h"

#define BOUND (COMPLEX ? 12.0 : 6.0)

enum { MOST = 512 };

/* a and b go in, all come out. */
typedef struct rotation {
    T a, b, s;
    R c;
} rotation;

static const shape no_shape = {1, 1, 1, 0, 0};

/* ---- Reference ---- */

/* (re, im) 2^power */
typedef struct scaled {
    wide re, im;
    int power;
} scaled;

/* Brought to a size near 1. */
static scaled scaled_of(T t)
{
    const double largest = fmax(fabs(real_part(t)), fabs(imaginary_part(t)));
    scaled z = {{0, 0}, {0, 0}, 0};
    if (largest > 0)
        frexp(largest, &z.power);
    z.re.high = ldexp(real_part(t), -z.power);
    z.im.high = ldexp(imaginary_part(t), -z.power);
    return z;
}

static wide times_power(wide a, int power)
{
    return (wide){ldexp(a.high, power), ldexp(a.low, power)};
}

static wide square_of(scaled z)
{
    const wide square = wide_add_product((wide){0, 0}, z.re.high, z.re.high);
    return wide_add_product(square, z.im.high, z.im.high);
}

typedef struct reference {
    scaled r, c, s;
} reference;

static reference reference_of(T given_a, T given_b)
{
    const scaled a = scaled_of(given_a), b = scaled_of(given_b);
    const bool no_a = real_part(given_a) == 0 && imaginary_part(given_a) == 0;
    const bool no_b = real_part(given_b) == 0 && imaginary_part(given_b) == 0;
    const int power = no_a || (!no_b && b.power > a.power) ? b.power : a.power;
    const wide a2 = no_a ? (wide){0, 0} : times_power(square_of(a), 2 * (a.power - power));
    const wide b2 = no_b ? (wide){0, 0} : times_power(square_of(b), 2 * (b.power - power));
    const wide norm = wide_root(wide_add(wide_add(a2, b2.high), b2.low));
    reference q;
    memset(&q, 0, sizeof q);
    q.c.re.high = no_b;
    q.r = a;
    if (no_b)
        return q;
#if COMPLEX
    /* The phase of a, which is 1 where a is 0. */
    wide phase_re = {1, 0}, phase_im = {0, 0};
    if (!no_a) {
        const wide size = wide_root(square_of(a));
        phase_re = wide_divide(a.re, size);
        phase_im = wide_divide(a.im, size);
        q.c = (scaled){wide_divide(size, norm), {0, 0}, a.power - power};
    }
    const wide down = {-b.im.high, 0};
    wide re = wide_multiply(phase_re, b.re), im = wide_multiply(phase_re, down);
    const wide more = wide_multiply(phase_im, b.im), other = wide_multiply(phase_im, b.re);
    re = wide_add(wide_add(re, more.high), more.low);
    im = wide_add(wide_add(im, other.high), other.low);
    q.s = (scaled){wide_divide(re, norm), wide_divide(im, norm), b.power - power};
    q.r = (scaled){wide_multiply(phase_re, norm), wide_multiply(phase_im, norm), power};
#else
    const double sign = copysign(1, fabs(given_a) > fabs(given_b) ? given_a : given_b);
    const wide signed_norm = {sign * norm.high, sign * norm.low};
    if (!no_a)
        q.c = (scaled){wide_divide(a.re, signed_norm), {0, 0}, a.power - power};
    q.s = (scaled){wide_divide(b.re, signed_norm), {0, 0}, b.power - power};
    q.r = (scaled){signed_norm, {0, 0}, power};
#endif
    return q;
}

/* ---- Checks ---- */

static void close_to(routine *r, const char *name, scaled want, double re, double im)
{
    const double unit = ldexp(REAL_DENORM, -want.power);
    const double size = hypot(want.re.high, want.im.high);
    const double error = hypot(wide_distance(want.re, ldexp(re, -want.power)),
                               wide_distance(want.im, ldexp(im, -want.power)));
    const long before = test_failures();
    routine_error(r, error, BOUND * ROUNDOFF * size + 2 * unit, 1);
    if (test_failures() > before)
        CHECK(false, "%s is %.17g,%.17g, not (%.17g,%.17g) 2^%d", name, re, im, want.re.high,
              want.im.high, want.power);
}

/* a and b, brought to a size near 1 by r's power, go to (r, 0); c^2 + |s|^2 = 1. */
static void rotates(routine *r, const rotation *given, const rotation *q, int power)
{
    const double ar = ldexp(real_part(given->a), -power),
                 ai = ldexp(imaginary_part(given->a), -power);
    const double br = ldexp(real_part(given->b), -power),
                 bi = ldexp(imaginary_part(given->b), -power);
    const double rr = ldexp(real_part(q->a), -power), ri = ldexp(imaginary_part(q->a), -power);
    const double c = q->c, sr = real_part(q->s), si = imaginary_part(q->s);
    const double bound = 2 * BOUND * ROUNDOFF + 4 * ldexp(REAL_DENORM, -power);
    wide one = wide_add_product((wide){-1, 0}, c, c), re = {-rr, 0}, im = {-ri, 0},
         zero_re = {0, 0}, zero_im = {0, 0};
    one = wide_add_product(wide_add_product(one, sr, sr), si, si);
    re = wide_add_product(wide_add_product(wide_add_product(re, c, ar), sr, br), -si, bi);
    im = wide_add_product(wide_add_product(wide_add_product(im, c, ai), sr, bi), si, br);
    /* c b - conj(s) a */
    zero_re = wide_add_product(wide_add_product(zero_re, c, br), -sr, ar);
    zero_re = wide_add_product(zero_re, -si, ai);
    zero_im = wide_add_product(wide_add_product(zero_im, c, bi), -sr, ai);
    zero_im = wide_add_product(zero_im, si, ar);
    routine_error(r, fabs(one.high), 2 * BOUND * ROUNDOFF, 1);
    routine_error(r, hypot(re.high, im.high), bound, 1);
    routine_error(r, hypot(zero_re.high, zero_im.high), bound, 1);
}

/* Real: z in the place of b; complex: b is left as it was. */
static void second_operand(const rotation *given, const rotation *q)
{
#if COMPLEX
    CHECK(memcmp(&given->b, &q->b, sizeof(T)) == 0, "b was changed");
#else
    const R a = given->a, b = given->b;
    if (fabs((double)a) > fabs((double)b) || b == 0)
        CHECK(q->b == q->s, "z is %g, not s = %g", (double)q->b, (double)q->s);
    else if (q->c == 0)
        CHECK(q->b == 1, "z is %g, not 1", (double)q->b);
    else
        CHECK(q->b == 1 / q->c || fabs((double)q->b * (double)q->c - 1) <= 3 * ROUNDOFF,
              "z is %g, not 1/c = %g", (double)q->b, (double)(1 / q->c));
#endif
}

static void verify(routine *r, const rotation *given, const rotation *q, int count,
                   const char *where)
{
    for (int i = 0; i < count; i++) {
        char more[160];
        const T a = given[i].a, b = given[i].b;
        const reference want = reference_of(a, b);
        snprintf(more, sizeof more, "%s a=%a,%a b=%a,%a", where, real_part(a), imaginary_part(a),
                 real_part(b), imaginary_part(b));
        routine_case(r, &no_shape, 0, more);
        close_to(r, "r", want.r, real_part(q[i].a), imaginary_part(q[i].a));
        close_to(r, "c", want.c, q[i].c, 0);
        close_to(r, "s", want.s, real_part(q[i].s), imaginary_part(q[i].s));
        rotates(r, &given[i], &q[i], want.r.power);
        second_operand(&given[i], &q[i]);
    }
}

/* ---- Calls ---- */

static bool on_host(routine *r, rotation *q, int count)
{
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = CHECK_OK(r->ctx, FN(rotg)(r->ctx, &q[i].a, &q[i].b, &q[i].c, &q[i].s));
    return good;
}

/* All four in device memory, as vectors whose elements are the operands of one call each. */
typedef struct operands {
    guarded a, b, c, s;
    int count;
} operands;

static bool send(operands *o, const rotation *q)
{
    for (int i = 0; i < o->count; i++) {
        put(&o->a, i, q[i].a);
        put(&o->b, i, q[i].b);
    }
    return guarded_send(&o->a) && guarded_send(&o->b) && guarded_send(&o->c) && guarded_send(&o->s);
}

static bool build(routine *r, operands *o, const rotation *q, int count, int64_t inc,
                  guarded_fence fence)
{
    o->count = count;
    const bool a = guarded_make(&o->a, r->ctx, count, inc, sizeof(T), 0, FILL_PATTERN, fence);
    const bool b =
        guarded_make(&o->b, r->ctx, count, inc, sizeof(T), sizeof(R), FILL_PATTERN, fence);
    const bool c =
        guarded_make(&o->c, r->ctx, count, inc, sizeof(R), sizeof(R), FILL_PATTERN, fence);
    const bool s = guarded_make(&o->s, r->ctx, count, inc, sizeof(T), 0, FILL_PATTERN, fence);
    return a && b && c && s && send(o, q);
}

static void destroy(operands *o)
{
    guarded_destroy(&o->a);
    guarded_destroy(&o->b);
    guarded_destroy(&o->c);
    guarded_destroy(&o->s);
}

static bool run(routine *r, const operands *o)
{
    bool good = true;
    for (int64_t i = 0; good && i < o->count; i++) {
        T *a = (T *)o->a.at + i * o->a.inc, *b = (T *)o->b.at + i * o->b.inc;
        T *s = (T *)o->s.at + i * o->s.inc;
        R *c = (R *)o->c.at + i * o->c.inc;
        const gbl_vector_call call = TYPED_CALL(.n = 1, .x = a, .y = b, .result = c, .w = s);
        good = routine_ran(r, FN(rotg_dev)(r->ctx, a, b, c, s), &call);
    }
    return good;
}

static bool fetch(operands *o, rotation *q)
{
    if (!guarded_fetch(&o->a) || !guarded_fetch(&o->b) || !guarded_fetch(&o->c) ||
        !guarded_fetch(&o->s))
        return false;
    for (int i = 0; i < o->count; i++) {
        q[i].a = got(&o->a, i);
        q[i].b = got(&o->b, i);
        q[i].s = got(&o->s, i);
        memcpy(&q[i].c, guarded_result(&o->c, i), sizeof(R));
    }
    return true;
}

static void surroundings(const operands *o)
{
    guarded_surroundings(&o->a, "a");
    guarded_surroundings(&o->b, "b");
    guarded_surroundings(&o->c, "c");
    guarded_surroundings(&o->s, "s");
}

/* Runs them on the device; true: q holds what came out. */
static bool on_device(routine *r, rotation *q, int count, int64_t inc, guarded_fence fence)
{
    operands o;
    const bool good = build(r, &o, q, count, inc, fence) && run(r, &o) && fetch(&o, q);
    if (good)
        surroundings(&o);
    destroy(&o);
    return good;
}

/* On the host and on the device. */
static void both(routine *r, const rotation *given, int count)
{
    rotation q[MOST];
    memcpy(q, given, (size_t)count * sizeof q[0]);
    if (r->variant == NULL && on_host(r, q, count))
        verify(r, given, q, count, "host");
    memcpy(q, given, (size_t)count * sizeof q[0]);
    if (on_device(r, q, count, 1, LOOSE))
        verify(r, given, q, count, "device");
}

/* ---- The six parts ---- */

static void equals(const rotation *q, T want_r, double c, T s, const char *where)
{
    CHECK(real_part(q->a) == real_part(want_r) && imaginary_part(q->a) == imaginary_part(want_r),
          "r on the %s is %g,%g, not %g,%g", where, real_part(q->a), imaginary_part(q->a),
          real_part(want_r), imaginary_part(want_r));
    if (c == 0 || c == 1)
        CHECK(q->c == (R)c && real_part(q->s) == real_part(s) &&
                  imaginary_part(q->s) == imaginary_part(s),
              "c and s on the %s are %g and %g,%g, not %g and %g,%g", where, (double)q->c,
              real_part(q->s), imaginary_part(q->s), c, real_part(s), imaginary_part(s));
}

/* Triangles of sides 3, 4, 5 and operands that are 0: r is exact at every power of two that holds
 * it; so are c and s where one operand is 0. */
static void exact(routine *r)
{
    static const struct {
        double a[2], b[2], r[2], c, s[2];
    } known[] = {
        {{3, 0}, {0, 0}, {3, 0}, 1, {0, 0}},
        {{-3, 0}, {0, 0}, {-3, 0}, 1, {0, 0}},
#if COMPLEX
        {{0, 0}, {-4, 0}, {4, 0}, 0, {-1, 0}},
        {{0, 0}, {0, 4}, {4, 0}, 0, {0, -1}},
        {{0, -3}, {0, 0}, {0, -3}, 1, {0, 0}},
        {{3, 0}, {4, 0}, {5, 0}, .6, {.8, 0}},
        {{0, 3}, {4, 0}, {0, 5}, .6, {0, .8}},
        {{0, 3}, {0, 4}, {0, 5}, .6, {.8, 0}},
        {{-4, 0}, {0, 3}, {-5, 0}, .8, {0, .6}},
        {{4, 0}, {0, -3}, {5, 0}, .8, {0, .6}},
#else
        {{0, 0}, {-4, 0}, {-4, 0}, 0, {1, 0}},
        {{0, 0}, {4, 0}, {4, 0}, 0, {1, 0}},
        {{3, 0}, {4, 0}, {5, 0}, .6, {.8, 0}},
        {{4, 0}, {3, 0}, {5, 0}, .8, {.6, 0}},
        {{-3, 0}, {4, 0}, {5, 0}, -.6, {.8, 0}},
        {{3, 0}, {-4, 0}, {-5, 0}, -.6, {.8, 0}},
        {{-4, 0}, {3, 0}, {-5, 0}, .8, {-.6, 0}},
        {{4, 0}, {-3, 0}, {5, 0}, .8, {-.6, 0}},
#endif
    };
    enum { KNOWN = sizeof known / sizeof known[0] };
    const int lowest = sizeof(R) == 4 ? -149 : -1074, highest = sizeof(R) == 4 ? 125 : 1021;
    for (size_t k = 0; k < KNOWN; k++) {
        rotation given[MOST], host[MOST], device[MOST];
        int powers[MOST], count = 0;
        for (int p = lowest; p <= highest && count < MOST; p += (highest - lowest) / 24)
            powers[count++] = p;
        powers[count++] = highest;
        powers[count++] = 0;
        for (int i = 0; i < count; i++) {
            const double scale = ldexp(1, powers[i]);
            given[i].a = make(known[k].a[0] * scale, known[k].a[1] * scale);
            given[i].b = make(known[k].b[0] * scale, known[k].b[1] * scale);
        }
        memcpy(host, given, sizeof host);
        memcpy(device, given, sizeof device);
        const bool ran_host = r->variant == NULL && on_host(r, host, count);
        const bool ran_device = on_device(r, device, count, 1, LOOSE);
        if (ran_host)
            verify(r, given, host, count, "host");
        if (ran_device)
            verify(r, given, device, count, "device");
        for (int i = 0; i < count; i++) {
            const double scale = ldexp(1, powers[i]);
            const T want = make(known[k].r[0] * scale, known[k].r[1] * scale);
            const T s = make(known[k].s[0], known[k].s[1]);
            char more[64];
            snprintf(more, sizeof more, "known %zu times 2^%d", k, powers[i]);
            routine_case(r, &no_shape, 0, more);
            if (ran_host)
                equals(&host[i], want, known[k].c, s, "host");
            if (ran_device)
                equals(&device[i], want, known[k].c, s, "device");
        }
    }
}

/* Random operands: of one size, and of sizes over the whole range. */
static void random_rotations(rotation *q, int count, uint64_t seed, bool spread)
{
    const int range = sizeof(R) == 4 ? 140 : 1060;
    for (int i = 0; i < count; i++) {
        const uint64_t at = (uint64_t)i;
        const int a =
            spread ? data_integer(seed + 2, 2 * at, range) : data_integer(seed + 2, at, 2);
        const int b = spread && i % 4 != 0 ? data_integer(seed + 2, 2 * at + 1, range) : a;
        const double up_a = ldexp(1, a > 0 ? a - (range > 1000 ? 45 : 20) : a);
        const double up_b = ldexp(1, b > 0 ? b - (range > 1000 ? 45 : 20) : b);
        const T x = random_element(seed, i), y = random_element(seed + 1, i);
        q[i].a = make(real_part(x) * up_a, imaginary_part(x) * up_a);
        q[i].b = make(real_part(y) * up_b, imaginary_part(y) * up_b);
    }
}

static void residual(routine *r)
{
    for (uint64_t turn = 0; turn < 6; turn++) {
        rotation given[MOST];
        random_rotations(given, MOST, 100 + 10 * turn, turn % 2 == 1);
        both(r, given, MOST);
    }
}

/* Inf and NaN must not come out as something finite. */
static void not_finite(routine *r, double a, double b)
{
    rotation q[3] = {{make(a, 1), make(b, 1), make(0, 0), 0},
                     {make(a, a), make(b, 0), make(0, 0), 0},
                     {make(a, 0), make(b, b), make(0, 0), 0}},
             device[3];
    char more[80];
    snprintf(more, sizeof more, "a=%g b=%g", a, b);
    routine_case(r, &no_shape, 0, more);
    memcpy(device, q, sizeof q);
    if (!on_host(r, q, 3) || !on_device(r, device, 3, 1, LOOSE))
        return;
    for (int i = 0; i < 6; i++) {
        const rotation *z = i < 3 ? &q[i] : &device[i - 3];
        const double re = real_part(z->a), im = imaginary_part(z->a);
        const bool has_nan = isnan(a) || isnan(b);
        CHECK(!isfinite(re) || !isfinite(im), "r is %g,%g on the %s", re, im,
              i < 3 ? "host" : "device");
        if (REALS == 1 && !isinf(a) && !isinf(b))
            CHECK(has_nan ? isnan(re) : isinf(re), "r is %g on the %s", re,
                  i < 3 ? "host" : "device");
    }
}

static void edges(routine *r)
{
    const double huge = REAL_MAX * 0.7, tiny = REAL_DENORM, small = REAL_MIN;
    const double parts[][2] = {{0, 0},           {-0.0, 0},    {1, 1},         {-1, 1},
                               {huge, huge / 2}, {huge, tiny}, {tiny, huge},   {tiny, 0},
                               {0, tiny},        {tiny, tiny}, {small, tiny},  {1, tiny},
                               {tiny, 1},        {huge, 1},    {1, huge},      {1, small},
                               {0, huge},        {huge, 0},    {small, small}, {-huge, tiny}};
    enum { PARTS_COUNT = sizeof parts / sizeof parts[0] };
    rotation given[MOST];
    int count = 0;
    for (int i = 0; i < PARTS_COUNT; i++) {
        const double x = parts[i][0], y = parts[i][1];
        given[count].a = make(x, 0);
        given[count++].b = make(y, 0);
        /* |a| and |b| at most 0.7 of the largest number over sqrt 2. */
        given[count].a = make(x / 2, y / 2);
        given[count++].b = make(y / 2, -x / 2);
        given[count].a = make(x / 2, y / 2);
        given[count++].b = make(0, 0);
        given[count].a = make(0, x / 2);
        given[count++].b = make(y / 2, 0);
        given[count].a = make(0, 0);
        given[count++].b = make(x / 2, y / 2);
    }
    both(r, given, count);
    not_finite(r, NAN, 1);
    not_finite(r, 1, NAN);
    not_finite(r, NAN, NAN);
    not_finite(r, INFINITY, 1);
    not_finite(r, 1, -INFINITY);
    not_finite(r, INFINITY, INFINITY);
    not_finite(r, INFINITY, NAN);
    not_finite(r, REAL_MAX, REAL_MAX); /* r itself overflows */
}

static void guards(routine *r)
{
    static const guarded_fence fences[] = {LOOSE, TIGHT_BEHIND, TIGHT_BEFORE};
    for (int f = 0; f < 3; f++) {
        for (int64_t inc = 1; inc <= 3; inc += 2) {
            rotation given[5], q[5];
            random_rotations(given, 5, 300, false);
            memcpy(q, given, sizeof q);
            routine_case(r, &no_shape, 300, "guards");
            if (on_device(r, q, 5, inc, fences[f]))
                verify(r, given, q, 5, "device");
        }
    }
}

static void arguments(routine *r)
{
    static const char name[] = NAME(FN(rotg)), dev[] = NAME(FN(rotg_dev));
    static const char *const argument[] = {"argument 2 (a)", "argument 3 (b)", "argument 4 (c)",
                                           "argument 5 (s)"};
    gable_context *ctx = r->ctx;
    rotation given = {make(3, 1), make(4, 2), make(7, 7), 7}, q = given;
    operands o;
    routine_case(r, &no_shape, 0, "");
    if (build(r, &o, &given, 1, 1, LOOSE)) {
        CHECK_STATUS(NULL, FN(rotg)(NULL, &q.a, &q.b, &q.c, &q.s), GABLE_BAD_ARGUMENT);
        CHECK_STATUS(NULL, FN(rotg_dev)(NULL, o.a.at, o.b.at, o.c.at, o.s.at), GABLE_BAD_ARGUMENT);
        for (int bad = 0; bad < 4; bad++) {
            CHECK_REFUSED(ctx,
                          FN(rotg)(ctx, bad == 0 ? NULL : &q.a, bad == 1 ? NULL : &q.b,
                                   bad == 2 ? NULL : &q.c, bad == 3 ? NULL : &q.s),
                          GABLE_BAD_ARGUMENT, name, argument[bad], "NULL");
            CHECK_REFUSED(ctx,
                          FN(rotg_dev)(ctx, bad == 0 ? NULL : o.a.at, bad == 1 ? NULL : o.b.at,
                                       bad == 2 ? NULL : o.c.at, bad == 3 ? NULL : o.s.at),
                          GABLE_BAD_ARGUMENT, dev, argument[bad], "NULL");
            if (!r->device->props.is_host)
                CHECK_REFUSED(ctx,
                              FN(rotg_dev)(ctx, bad == 0 ? &q.a : o.a.at, bad == 1 ? &q.b : o.b.at,
                                           bad == 2 ? &q.c : o.c.at, bad == 3 ? &q.s : o.s.at),
                              GABLE_BAD_ARGUMENT, dev, argument[bad], r->device->info.name,
                              "gable_alloc");
        }
        CHECK_REFUSED(ctx, FN(rotg)(ctx, NULL, NULL, NULL, NULL), GABLE_BAD_ARGUMENT, name,
                      argument[0]);
        CHECK_REFUSED(ctx, FN(rotg_dev)(ctx, NULL, NULL, NULL, NULL), GABLE_BAD_ARGUMENT, dev,
                      argument[0]);
        CHECK(memcmp(&q.a, &given.a, sizeof(T)) == 0 && memcmp(&q.b, &given.b, sizeof(T)) == 0 &&
                  memcmp(&q.s, &given.s, sizeof(T)) == 0 && q.c == given.c,
              "a refused call wrote");
        if (guarded_fetch(&o.a) && guarded_fetch(&o.b) && guarded_fetch(&o.c) &&
            guarded_fetch(&o.s)) {
            guarded_same(&o.a, "a");
            guarded_same(&o.b, "b");
            guarded_same(&o.c, "c");
            guarded_same(&o.s, "s");
        }
        if (on_host(r, &q, 1)) /* the context works on */
            verify(r, &given, &q, 1, "host");
    }
    destroy(&o);
}

static void same(const rotation *p, const rotation *q, int count, const char *what)
{
    for (int i = 0; i < count; i++)
        CHECK(memcmp(&p[i].a, &q[i].a, sizeof(T)) == 0 &&
                  memcmp(&p[i].b, &q[i].b, sizeof(T)) == 0 &&
                  memcmp(&p[i].s, &q[i].s, sizeof(T)) == 0 && p[i].c == q[i].c,
              "%s gave other bits", what);
}

/* The same bits twice and by replay, which takes what a and b hold then. */
static void repeat(routine *r)
{
    enum { N = 20 };
    rotation given[N], first[N], second[N];
    gable_recording *recording = NULL;
    operands o;
    random_rotations(given, N, 400, true);
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
    random_rotations(given, N, 401, false);
    if (send(&o, given) && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && fetch(&o, second))
        verify(r, given, second, N, "replay");
done:
    gable_recording_destroy(recording);
    destroy(&o);
}

const routine_parts PARTS =
    TEST_PARTS("rotg", .run = {exact, residual, edges, guards, arguments, repeat});
