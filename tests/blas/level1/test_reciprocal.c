/* test_reciprocal.c: the six parts of reciprocal: y_i := 1 / x_i
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound: |error| <= u / |x_i| for real numbers, which is the rounding of an exact quotient. For
 * complex ones, by Smith's way, 5 u / |x_i|: of the modulus, the quotient of the parts is rounded
 * (1 u), the size that is divided by (1.5 u, with what the quotient adds), the division and a
 * product (1 u each), and the rest covers the squares of u. Numbers at the ends of the range come
 * back as ldexp makes them.
 */
#include "harness/map_parts.h"

static gable_status run(gable_context *ctx, const operands *o)
{
    return FN(reciprocal)(ctx, o->n, o->at[0], o->inc[0], o->at[1], o->inc[1]);
}

static void element(const operands *o, const T *in, map_value *out)
{
    const double re = real_part(in[0]), im = imaginary_part(in[0]);
    (void)o;
    if (COMPLEX) {
        const wide square = wide_add_product(wide_add_product((wide){0, 0}, re, re), im, im);
        out[1].re = wide_divide((wide){re, 0}, square);
        out[1].im = wide_divide((wide){-im, 0}, square);
    } else {
        out[1].re = wide_divide((wide){1, 0}, (wide){re, 0});
    }
    out[1].size = 1 / size_of(in[0]);
}

/* Numbers whose reciprocals are exact: powers of two, in c and z times 1 + i and the like. */
static T exact_datum(uint64_t seed, int64_t i)
{
    const double size = ldexp(1, (int)real_part(integer_element(seed, i, 20)));
    const uint64_t signs = data_bits(seed, (uint64_t)i);
    return make(signs & 1 ? -size : size, signs & 2 ? -size : size);
}

static const map reciprocal = {
    .name = NAME(FN(reciprocal)),
    .name_dev = NULL,
    .vectors = 2,
    .written = {false, true},
    .number = {3, 5},
    .bound = COMPLEX ? 5 : 1,
    .run = run,
    .element = element,
    .datum = exact_datum,
    .same_count = 1,
    .same = {{0, 0}},
};

static void exact(routine *r)
{
    map_exact(r, &reciprocal);
}

static void residual(routine *r)
{
    map_residual(r, &reciprocal);
}

/* One number: the reciprocal of a scalar on the device. In place in every other case. */
static T one(routine *r, T value, bool in_place)
{
    const map_case c = {.s = {1, 1, 1, 0, 0}, .same = in_place ? reciprocal.same[0] : NULL};
    T found = make(0, 0);
    operands o;
    char more[96];
    const bool built = map_build(r, &reciprocal, &c, &o);
    snprintf(more, sizeof more, "1 / (%a, %a)", real_part(value), imaginary_part(value));
    map_title(r, &reciprocal, &c, &o, more);
    if (built) {
        put(&o.vector[0], 0, value);
        if (map_send(&o) && map_run(r, &o) && map_fetch(&o))
            found = got(&o.vector[o.place[1]], 0);
    }
    map_destroy(&o);
    return found;
}

static double power(double value, int exponent)
{
    return (double)(R)ldexp(value, exponent);
}

/* a + b i times a power of two, at which 1 / x may be subnormal or overflow. */
static void scaled(routine *r, double a, double b, int exponent)
{
    const T x = make(power(a, exponent), COMPLEX ? power(b, exponent) : 0);
    const T y = one(r, x, exponent % 2);
    const double square = COMPLEX ? a * a + b * b : a * a;
    const double re = power(a / square, -exponent),
                 im = COMPLEX ? power(-b / square, -exponent) : 0;
    const double bound = COMPLEX && square != 1 && square != 2
                             ? 5 * ROUNDOFF * power(1 / sqrt(square), -exponent) + 2 * REAL_DENORM
                             : 0;
    CHECK((isinf(re) ? real_part(y) == re : fabs(real_part(y) - re) <= bound) &&
              (isinf(im) ? imaginary_part(y) == im : fabs(imaginary_part(y) - im) <= bound),
          "1 / (%a, %a) is (%a, %a)", real_part(x), imaginary_part(x), real_part(y),
          imaginary_part(y));
}

/* What is not a number has none, an infinity gives 0, and 0 gives one. */
static void specials(routine *r)
{
    const double infinite[][2] = {{INFINITY, 1}, {-INFINITY, 0}};
    const double more[][2] = {
        {1, INFINITY}, {0, -INFINITY}, {INFINITY, INFINITY}, {NAN, -INFINITY}};
    T y = one(r, make(0, 0), false);
    CHECK(real_part(y) == (double)INFINITY && (!COMPLEX || isnan(imaginary_part(y))),
          "1 / 0 is (%g, %g)", real_part(y), imaginary_part(y));
    y = one(r, make(-0.0, 0), true);
    CHECK(real_part(y) == -(double)INFINITY, "1 / -0 is %g", real_part(y));
    y = one(r, make(NAN, 1), false);
    CHECK(isnan(real_part(y)), "1 / NaN is %g", real_part(y));
    for (int i = 0; i < 2 + 4 * COMPLEX; i++) {
        const double *x = i < 2 ? infinite[i] : more[i - 2];
        y = one(r, make(x[0], x[1]), i % 2);
        CHECK(real_part(y) == 0 && imaginary_part(y) == 0, "1 / (%g, %g) is (%g, %g)", x[0], x[1],
              real_part(y), imaginary_part(y));
    }
}

static void edges(routine *r)
{
    const int most = ilogb(REAL_MAX), least = ilogb(REAL_DENORM);
    const int exponents[] = {most,      most - 1,  most - 3,  most / 2,  1,
                             -most / 2, -most + 2, -most + 1, -most - 1, least};
    static const double parts[][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {0.75, -1}};
    map_edges(r, &reciprocal);
    for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++)
        for (size_t p = 0; p < (COMPLEX ? sizeof parts / sizeof parts[0] : 1); p++)
            if (exponents[e] != least || p < 4)
                scaled(r, parts[p][0], parts[p][1], exponents[e]);
    specials(r);
}

static void guards(routine *r)
{
    map_guards(r, &reciprocal);
}

static void arguments(routine *r)
{
    map_arguments(r, &reciprocal);
}

#if defined(PREC_S) || defined(PREC_C)
#define REAL_RECIPROCAL gable_sreciprocal
#else
#define REAL_RECIPROCAL gable_dreciprocal
#endif

/* x := x / |x| without the host: recorded, and replayed after x has changed. */
static void normalise(routine *r)
{
    enum { N = 100 };
    gable_recording *recording = NULL;
    guarded x, norm;
    const bool made = guarded_make(&x, r->ctx, N, 1, sizeof(T), 0, FILL_NAN, LOOSE) &&
                      guarded_make(&norm, r->ctx, 2, 1, sizeof(R), 0, FILL_NAN, LOOSE);
    routine_case(r, &(shape){N, 1, 1, 0, 0}, 0, "x := x / |x|, recorded");
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, FN_R(nrm2)(r->ctx, N, x.at, 1, norm.at));
    CHECK_OK(r->ctx, REAL_RECIPROCAL(r->ctx, 1, norm.at, 1, (R *)norm.at + 1, 1));
#if COMPLEX
    CHECK_OK(r->ctx, FN_M(scal_dev)(r->ctx, N, (R *)norm.at + 1, x.at, 1));
#else
    CHECK_OK(r->ctx, FN(scal_dev)(r->ctx, N, (R *)norm.at + 1, x.at, 1));
#endif
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    for (int turn = 1; made && recording != NULL && turn <= 3; turn++) {
        double size = 0;
        for (int64_t i = 0; i < N; i++) {
            put(&x, i, make(turn * (double)(i + 1), turn));
            size += wide_size(turn * (double)(i + 1), COMPLEX ? turn : 0) *
                    wide_size(turn * (double)(i + 1), COMPLEX ? turn : 0);
        }
        if (!guarded_send(&x) || !CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) ||
            !guarded_fetch(&x))
            break;
        for (int64_t i = 0; i < N; i++)
            CHECK(fabs(real_part(got(&x, i)) - turn * (double)(i + 1) / sqrt(size)) <= 4 * ROUNDOFF,
                  "element %lld is %g", (long long)i, real_part(got(&x, i)));
    }
    gable_recording_destroy(recording);
    guarded_destroy(&x);
    guarded_destroy(&norm);
}

static void repeat(routine *r)
{
    map_repeat(r, &reciprocal);
    if (r->variant == NULL)
        normalise(r);
}

const routine_parts PARTS =
    TEST_PARTS("reciprocal", .run = {exact, residual, edges, guards, arguments, repeat});
