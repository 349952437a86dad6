/* test_nrm2.c: the six parts of nrm2: result := sqrt(sum of |x_i|^2)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound: relative error <= (n + 4) u, for complex vectors with 2n in place of n: a sum of n
 * squares, all positive, has (n + 2) u at most (Higham, Accuracy and Stability, 3.1), the root
 * halves it, and the root itself, a scaling and a rounding to the result add the rest. Where the
 * norm is below the normal range, half the smallest denormal comes on top. The reference scales by
 * a power of two and sums in double-double.
 *
 * `exact` uses 0 and +-1, 2, 4: the sum of squares is an exact integer, also for methods that
 * divide by the largest element, and the root of an integer below 2^24 rounds to one value (for
 * float through double too: 53 >= 2 * 24 + 2 bits).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "harness/routine.h"
#include "harness/wide.h"
#include "harness/numbers.h"

/* The value of element i of a vector with n, as two reals. */
typedef T (*element_function)(uint64_t seed, int64_t i, int64_t n);

static double power(uint64_t seed, uint64_t i, int64_t n)
{
    static const double few[] = {0, 1, -1, 2, -2}, more[] = {0, 1, -1, 2, -2, 4, -4};
    /* Below 2^24: n REALS 16, or n REALS 4 for long vectors. */
    return n > 500000 ? few[data_bits(seed, i) % 5] : more[data_bits(seed, i) % 7];
}

static T powers(uint64_t seed, int64_t i, int64_t n)
{
    if (n > 4000000) /* one in four: still below 2^24 */
        return i % 4 == 0 ? make(1, 0) : make(0, 0);
    return make(power(seed, 2 * (uint64_t)i, n), power(seed, 2 * (uint64_t)i + 1, n));
}

static T any(uint64_t seed, int64_t i, int64_t n)
{
    (void)n;
    return random_element(seed, i);
}

static bool build(routine *r, guarded *x, const shape *s, uint64_t seed, element_function element,
                  guarded_fill fill, guarded_fence fence)
{
    if (!guarded_make(x, r->ctx, s->n, s->incx, sizeof(T), (size_t)s->offx * sizeof(R), fill,
                      fence))
        return false;
    for (int64_t i = 0; i < s->n; i++)
        if (s->incx != 0 || i == 0)
            put(x, i, element(seed, i, s->n));
    return guarded_send(x);
}

static bool run(routine *r, const guarded *x, bool on_host, R *value)
{
    result_place place;
    if (!result_make(&place, r->ctx, sizeof(R), on_host))
        return false;
    const gbl_vector_call call =
        TYPED_CALL(.n = x->n, .x = x->at, .incx = x->inc, .result = place.at);
    const gable_status status = FN_R(nrm2)(r->ctx, x->n, x->at, x->inc, place.at);
    if (!routine_ran(r, status, x->n > 0 ? &call : NULL)) {
        result_untouched(&place);
        return false;
    }
    return result_take(&place, value);
}

static void expect(R value, double wanted)
{
    const R rounded = (R)wanted;
    CHECK(memcmp(&value, &rounded, sizeof value) == 0, "the result is %.17g, not %.17g", value,
          wanted);
}

/* A vendor's library scales in its own way, so its last bits are its own. */
static bool is_vendor(const routine *r)
{
    return r->variant != NULL && r->variant->vendor;
}

static void expect_from(const routine *r, const guarded *x, R value, double wanted)
{
    if (is_vendor(r) && isfinite(wanted))
        CHECK(fabs((double)value - wanted) <=
                  ((double)x->n * REALS + 4) * ROUNDOFF * wanted + REAL_DENORM,
              "the result is %.17g, not %.17g", value, wanted);
    else
        expect(value, wanted);
}

static void exact_case(routine *r, const shape *given, uint64_t seed, bool on_host,
                       guarded_fill fill, guarded_fence fence)
{
    const shape of_run = routine_shape(r, 1, *given), *s = &of_run;
    guarded x;
    R value;
    char more[64];
    snprintf(more, sizeof more, "result on %s fence=%d", on_host ? "host" : "device", (int)fence);
    routine_case(r, s, seed, more);
    if (build(r, &x, s, seed, powers, fill, fence) && run(r, &x, on_host, &value)) {
        double sum = 0; /* of integers, exact */
        for (int64_t i = 0; i < s->n; i++) {
            const T t = get(&x, i);
            sum += real_part(t) * real_part(t) + imaginary_part(t) * imaginary_part(t);
        }
        expect_from(r, &x, value, sqrt(sum));
        if (guarded_fetch(&x))
            guarded_same(&x, "x");
    }
    guarded_destroy(&x);
}

static void exact(routine *r)
{
    int count;
    const shape *shapes = routine_shapes(r, 1, &count);
    for (int i = 0; i < count; i++)
        exact_case(r, &shapes[i], (uint64_t)i, i % 2 == 1, FILL_NAN, LOOSE);
}

/* The error of a finite value over its bound. */
static void bounded(routine *r, const guarded *x, R value)
{
    double largest = 0;
    for (int64_t i = 0; i < x->n; i++) {
        const T t = get(x, i);
        largest = fmax(largest, fmax(fabs(real_part(t)), fabs(imaginary_part(t))));
    }
    int exponent = 0;
    frexp(largest, &exponent);
    wide sum = {0, 0};
    for (int64_t i = 0; i < x->n; i++) {
        const T t = get(x, i);
        const double re = ldexp(real_part(t), -exponent), im = ldexp(imaginary_part(t), -exponent);
        sum = wide_add_product(wide_add_product(sum, re, re), im, im);
    }
    if (largest == 0) {
        routine_error(r, fabs((double)value), 0, 1);
        return;
    }
    /* The root in double-double, by one step of Newton's method. */
    const double root = sqrt(sum.high);
    const wide rest = wide_add_product(sum, -root, root);
    const wide norm = wide_add((wide){root, 0}, (rest.high + rest.low) / (2 * root));
    const double length = (double)x->n * REALS;
    const double bound = (length + 4) * ROUNDOFF * norm.high + ldexp(REAL_DENORM, -exponent) / 2;
    CHECK(value >= 0 && value <= REAL_MAX, "the norm is %g", value);
    routine_error(r, wide_distance(norm, ldexp((double)value, -exponent)), bound, 1);
}

static void random_case(routine *r, const shape *given, uint64_t seed, bool on_host,
                        element_function element, const char *what)
{
    const shape of_run = routine_shape(r, 1, *given), *s = &of_run;
    guarded x;
    R value;
    routine_case(r, s, seed, what);
    if (build(r, &x, s, seed, element, FILL_NAN, LOOSE) && run(r, &x, on_host, &value))
        bounded(r, &x, value);
    guarded_destroy(&x);
}

static void residual(routine *r)
{
    int count;
    const shape *shapes = routine_shapes(r, 1, &count);
    for (int i = 0; i < count; i++)
        random_case(r, &shapes[i], 1000 + (uint64_t)i, i % 2 == 0, any, "random");
}

/* ---- Values near the ends of the range ---- */

/* A random element times 2^e. */
static T scaled(uint64_t seed, int64_t i, int e)
{
    const T t = random_element(seed, i);
    return make(ldexp(real_part(t), e), ldexp(imaginary_part(t), e));
}

#define TOP    (sizeof(R) == 4 ? 127 : 1023)   /* exponent of the largest number */
#define BOTTOM (sizeof(R) == 4 ? -149 : -1074) /* of the smallest */

/* So large that squares overflow, so small that the norm does not: |x_i| < 2^(TOP - 8) / sqrt(n).
 */
static T huge_values(uint64_t seed, int64_t i, int64_t n)
{
    return scaled(seed, i, TOP - 8 - (int)(log2((double)n) / 2));
}

static T tiny_values(uint64_t seed, int64_t i, int64_t n)
{
    (void)n;
    return scaled(seed, i, BOTTOM / 2 - 20);
}

static T denormals(uint64_t seed, int64_t i, int64_t n)
{
    (void)n;
    return make(ldexp(data_integer(seed, 2 * (uint64_t)i, 1000), BOTTOM),
                ldexp(data_integer(seed, 2 * (uint64_t)i + 1, 1000), BOTTOM));
}

static T huge_and_tiny(uint64_t seed, int64_t i, int64_t n)
{
    switch (data_bits(seed + 5, (uint64_t)i) % 4) {
    case 0:
        return huge_values(seed, i, n);
    case 1:
        return tiny_values(seed, i, n);
    case 2:
        return denormals(seed, i, n);
    default:
        return scaled(seed, i, 0);
    }
}

/* Where a method that sorts by size changes its mind: squares about to over- or underflow. */
static T near_the_upper_border(uint64_t seed, int64_t i, int64_t n)
{
    (void)n;
    return scaled(seed, i, TOP / 2 - 25 + (int)(data_bits(seed + 6, (uint64_t)i) % 30));
}

/* Squares that fit, but not the sum of many: each piece of a vector looks harmless. */
static T below_the_upper_border(uint64_t seed, int64_t i, int64_t n)
{
    (void)n;
    return scaled(seed, i, TOP / 2 - 5); /* 2^1020 in a thousand, 2^1025 in 40000 */
}

static T near_the_lower_border(uint64_t seed, int64_t i, int64_t n)
{
    (void)n;
    return scaled(seed, i, -TOP / 2 - 15 + (int)(data_bits(seed + 6, (uint64_t)i) % 30));
}

static T zeros(uint64_t seed, int64_t i, int64_t n)
{
    (void)seed, (void)n;
    return make(i % 2 ? -0.0 : 0.0, 0);
}

/* x is all `rest` but for the values at the places, and the norm must be this exactly. */
static void planted(routine *r, const shape *given, double rest, int64_t first, double a,
                    int64_t second, double b, double wanted)
{
    const shape of_run = routine_shape(r, 1, *given), *s = &of_run;
    guarded x;
    R value;
    char more[96];
    snprintf(more, sizeof more, "all %g, %g at %lld, %g at %lld", rest, a, (long long)first, b,
             (long long)second);
    routine_case(r, s, 0, more);
    if (build(r, &x, s, 0, zeros, FILL_PATTERN, LOOSE)) {
        for (int64_t i = 0; i < s->n; i++)
            put(&x, i, make(rest, 0));
        put(&x, second, make(0, 0));
        put(&x, first, REALS == 2 && first % 2 ? make(0, a) : make(a, 0));
        if (second != first)
            put(&x, second, REALS == 2 && second % 2 ? make(0, b) : make(b, 0));
        if (guarded_send(&x) && run(r, &x, first % 2 == 0, &value)) {
            if (isnan(wanted))
                CHECK(isnan(value), "the result is %g, not NaN", value);
            else
                expect_from(r, &x, value, wanted);
        }
    }
    guarded_destroy(&x);
}

/* Elements more than 2^31 apart. */
static void far_apart(routine *r)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        const int64_t inc = ((int64_t)1 << 30) + 5;
        const shape s = {3, sign * inc, 1, 0, 0};
        const size_t bytes = (2 * (size_t)inc + 1) * sizeof(T);
        far_memory room;
        if (!far_take(r, 1, bytes, &room))
            return;
        T *x = room.at[0];
        routine_case(r, &s, 0, "far apart");
        const T given[3] = {make(2, 0), make(3, 0), make(6, 0)};
        R value = 0;
        const gbl_vector_call call = TYPED_CALL(.n = 3, .x = x, .incx = s.incx, .result = &value);
        CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), given, 1, x, inc));
        if (routine_ran(r, FN_R(nrm2)(r->ctx, 3, x, s.incx, &value), &call))
            CHECK(fabs((double)value - 7) <= 14 * ROUNDOFF * 7, "the norm is %.17g, not 7", value);
        far_give(r, &room);
    }
}

/* More than 2^31 elements, all of them the same: a stride of 0 needs no memory. */
static void many(routine *r)
{
#if defined(PREC_D)
    const shape s = {((int64_t)1 << 32) + 0, 0, 0, 0, 0}, one = {1, 0, 0, 0, 0};
    guarded x;
    R value;
    /* In odd shapes a CPU would take minutes. */
    const bool usual = r->variant == NULL || r->device->props.is_gpu;
    routine_case(r, &s, 80, "2^32 elements");
    if (r->all && usual && build(r, &x, &one, 80, powers, FILL_NAN, LOOSE)) {
        put(&x, 0, 3);
        x.n = s.n;
        if (guarded_send(&x) && run(r, &x, false, &value))
            expect_from(r, &x, value, 3.0 * 65536);
        guarded_destroy(&x);
    }
#else
    (void)r;
#endif
}

static void edges(routine *r)
{
    static const shape shapes[] = {{1, 1, 1, 0, 0},     {2, 1, 1, 1, 0},     {37, 1, 1, 0, 0},
                                   {37, 1, 1, 1, 0},    {29, -2, 1, 0, 0},   {1025, 1, 1, 0, 0},
                                   {40000, 1, 1, 0, 0}, {40000, -3, 1, 0, 0}};
    static const struct {
        element_function element;
        const char *what;
    } kinds[] = {{huge_values, "huge"},
                 {tiny_values, "tiny"},
                 {denormals, "denormals"},
                 {huge_and_tiny, "huge and tiny"},
                 {near_the_upper_border, "near the upper border"},
                 {below_the_upper_border, "below the upper border"},
                 {near_the_lower_border, "near the lower border"},
                 {zeros, "zeros"}};
    const shape none = {0, 1, 1, 0, 0};
    for (int host = 0; host < 2; host++) {
        result_place place;
        R value;
        routine_case(r, &none, 0, host ? "result on host" : "result on device");
        if (result_make(&place, r->ctx, sizeof(R), host) &&
            CHECK_OK(r->ctx, FN_R(nrm2)(r->ctx, 0, NULL, -1, place.at)) &&
            result_take(&place, &value))
            expect(value, 0);
    }
    for (int64_t inc = -1; inc <= 2; inc++) {
        const shape single = {1, inc, 1, 1, 0};
        exact_case(r, &single, 7, inc % 2 == 0, FILL_PATTERN, LOOSE);
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
            random_case(r, &shapes[i], 90 + k, i % 2 == 0, kinds[k].element, kinds[k].what);
    for (size_t k = 2; shapes[k].n < 2000; k++) {
        const shape *s = &shapes[k];
        const double d = REAL_DENORM, top = REAL_MAX;
        for (int64_t i = 0; i<s->n; i += s->n> 100 ? 101 : 1) {
            const int64_t other = s->n - 1 - i;
            planted(r, s, 0, i, 5, i, 0, 5);
            planted(r, s, 1, i, NAN, i, 0, NAN);
            planted(r, s, 1, i, INFINITY, i, 0, INFINITY);
            planted(r, s, top / 64, i, -INFINITY, i, 0, INFINITY);
            if (other != i)
                planted(r, s, top / 64, i, NAN, other, INFINITY, NAN);
            planted(r, s, d, i, NAN, i, 0, NAN);
            planted(r, s, 0, i, top, i, 0, top);
            planted(r, s, 0, i, d, i, 0, d);
            if (other != i) {
                planted(r, s, 0, i, 3 * d, other, -4 * d, 5 * d);
                planted(r, s, 0, i, ldexp(3, TOP - 3), other, ldexp(4, TOP - 3), ldexp(5, TOP - 3));
            }
        }
        /* The norm itself is too large. */
        planted(r, s, 0, 0, top, 1, top, INFINITY);
    }
    far_apart(r);
    many(r);
}

static void guards(routine *r)
{
    int count;
    const shape *shapes = routine_few_shapes(r, 1, &count);
    for (int i = 0; i < count; i++) {
        exact_case(r, &shapes[i], 200, false, FILL_PATTERN, LOOSE);
        exact_case(r, &shapes[i], 200, true, FILL_NAN, LOOSE);
        exact_case(r, &shapes[i], 200, false, FILL_PATTERN, TIGHT_BEHIND);
        exact_case(r, &shapes[i], 200, true, FILL_PATTERN, TIGHT_BEFORE);
    }
}

static void arguments(routine *r)
{
    static const char name[] = NAME(FN_R(nrm2));
    const shape s = {5, 1, 1, 0, 0};
    gable_context *ctx = r->ctx;
    guarded o;
    T outside[5];
    R value;
    memset(outside, 0, sizeof outside);
    routine_case(r, &s, 0, "");
    if (!build(r, &o, &s, 0, any, FILL_PATTERN, LOOSE))
        goto done;
    const T *x = o.at;
    for (int host = 0; host < 2; host++) {
        result_place place;
        if (!result_make(&place, ctx, sizeof(R), host))
            break;
        R *to = place.at;
        CHECK_STATUS(NULL, FN_R(nrm2)(NULL, 5, x, 1, to), GABLE_BAD_ARGUMENT);
        CHECK_REFUSED(ctx, FN_R(nrm2)(ctx, -3, x, 1, to), GABLE_BAD_ARGUMENT, name,
                      "argument 2 (n)", "-3");
        CHECK_REFUSED(ctx, FN_R(nrm2)(ctx, 5, NULL, 1, to), GABLE_BAD_ARGUMENT, name,
                      "argument 3 (x)", "NULL");
        CHECK_REFUSED(ctx, FN_R(nrm2)(ctx, 5, NULL, 1, NULL), GABLE_BAD_ARGUMENT, name,
                      "argument 3 (x)", "NULL");
        if (!r->device->props.is_host)
            CHECK_REFUSED(ctx, FN_R(nrm2)(ctx, 5, outside, 1, to), GABLE_BAD_ARGUMENT, name,
                          "argument 3 (x)", r->device->info.name, "gable_alloc");
        result_untouched(&place);
    }
    CHECK_REFUSED(ctx, FN_R(nrm2)(ctx, 5, x, 1, NULL), GABLE_BAD_ARGUMENT, name,
                  "argument 5 (result)", "NULL");
    CHECK_REFUSED(ctx, FN_R(nrm2)(ctx, 0, x, 1, NULL), GABLE_BAD_ARGUMENT, name,
                  "argument 5 (result)", "NULL");
    CHECK_OK(ctx, FN_R(nrm2)(ctx, 5, x, 1, &value)); /* the context works on */
done:
    guarded_destroy(&o);
}

/* More calls in a row than the workspace has counters for hand-overs (64), without a wait between.
 */
static void in_a_row(routine *r)
{
    enum { CALLS = 150 };
    const shape s = {40000, 1, 1, 0, 0};
    guarded x, results;
    R first;
    routine_case(r, &s, 450, "150 times in a row");
    const bool made = guarded_make(&results, r->ctx, CALLS, 1, sizeof(R), 0, FILL_NAN, LOOSE);
    if (build(r, &x, &s, 450, any, FILL_NAN, LOOSE) && made && guarded_send(&results) &&
        run(r, &x, false, &first)) {
        bounded(r, &x, first);
        for (int i = 0; i < CALLS; i++)
            CHECK_OK(r->ctx, FN_R(nrm2)(r->ctx, s.n, x.at, 1, (R *)results.at + i));
        if (guarded_fetch(&results)) {
            for (int i = 0; i < CALLS; i++) {
                R value;
                memcpy(&value, guarded_result(&results, i), sizeof value);
                expect(value, first);
            }
        }
    }
    guarded_destroy(&results);
    guarded_destroy(&x);
}

static void repeat(routine *r)
{
    int count;
    const shape *shapes = routine_few_shapes(r, 1, &count);
    for (int i = 0; i < count; i++) {
        guarded x;
        R first, second, third;
        routine_case(r, &shapes[i], 400, "twice");
        if (build(r, &x, &shapes[i], 400, any, FILL_NAN, LOOSE) && run(r, &x, false, &first) &&
            run(r, &x, false, &second) && run(r, &x, true, &third)) {
            expect(second, first);
            expect(third, first);
        }
        guarded_destroy(&x);
    }
    in_a_row(r);
    /* All variants agree within the bound. */
    for (int v = 0; routine_next_variant(r, &v);) {
        for (int i = 0; i < count; i++)
            random_case(r, &shapes[i], 500, false, any, "random");
    }
}

const routine_parts PARTS =
    TEST_PARTS("nrm2", .run = {exact, residual, edges, guards, arguments, repeat});
