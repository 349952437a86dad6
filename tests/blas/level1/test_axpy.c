/* test_axpy.c: the six parts of axpy: y := alpha x + y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: |error| <= 3 u (|alpha| |x_i| + |y_i|), the (n + 2) u of an inner
 * product of length n = 1 plus an addition (Higham, Accuracy and Stability, 3.1); for complex
 * numbers in absolute value, times up to 2 sqrt 2 (3.6). It holds with and without fused
 * multiply-add. With alpha = 0 neither x nor y is looked at, so NaN stays in y and does not come
 * from x.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "harness/routine.h"
#include "harness/wide.h"
#include "harness/numbers.h"

typedef struct operands {
    guarded x, y, alpha;
} operands;

typedef enum data { INTEGERS, RANDOM } data;

static bool build(routine *r, operands *o, const shape *s, uint64_t seed, data kind, T alpha,
                  guarded_fill fill, guarded_fence fence)
{
    const bool made_x = guarded_make(&o->x, r->ctx, s->n, s->incx, sizeof(T),
                                     (size_t)s->offx * sizeof(R), FILL_NAN, fence);
    const bool made_y = guarded_make(&o->y, r->ctx, s->n, s->incy, sizeof(T),
                                     (size_t)s->offy * sizeof(R), fill, fence);
    const bool made_alpha =
        guarded_make(&o->alpha, r->ctx, 1, 1, sizeof(T), sizeof(R), FILL_NAN, LOOSE);
    if (!made_x || !made_y || !made_alpha)
        return false;
    for (int64_t i = 0; i < s->n; i++) {
        if (s->incx != 0 || i == 0)
            put(&o->x, i,
                kind == INTEGERS ? integer_element(seed, i, 100) : random_element(seed, i));
        put(&o->y, i,
            kind == INTEGERS ? integer_element(seed + 1, i, 100) : random_element(seed + 1, i));
    }
    put(&o->alpha, 0, alpha);
    return guarded_send(&o->x) && guarded_send(&o->y) && guarded_send(&o->alpha);
}

static void destroy(operands *o)
{
    guarded_destroy(&o->x);
    guarded_destroy(&o->y);
    guarded_destroy(&o->alpha);
}

/* The call with alpha by value or from the device; y may be x. */
static bool run(routine *r, const operands *o, const shape *s, const guarded *y, T alpha,
                bool on_device)
{
    const gbl_vector_call call =
        TYPED_CALL(.n = s->n,
                   .alpha = {on_device ? o->alpha.at : NULL, real_part(alpha),
                             imaginary_part(alpha)},
                   .x = o->x.at, .incx = s->incx, .y = y->at, .incy = y->inc);
    const gable_status status =
        on_device ? FN(axpy_dev)(r->ctx, s->n, o->alpha.at, o->x.at, s->incx, y->at, y->inc)
                  : FN(axpy)(r->ctx, s->n, alpha, o->x.at, s->incx, y->at, y->inc);
    const bool zero = real_part(alpha) == 0 && imaginary_part(alpha) == 0;
    return routine_ran(r, status, s->n == 0 || (zero && !on_device) ? NULL : &call);
}

/* alpha x + y for integers of which every sum is exact. */
static T integer_axpy(T alpha, T x, T y)
{
    const double re = real_part(alpha) * real_part(x) - imaginary_part(alpha) * imaginary_part(x);
    const double im = real_part(alpha) * imaginary_part(x) + imaginary_part(alpha) * real_part(x);
    return make(re + real_part(y), im + imaginary_part(y));
}

/* Integers up to 100, alpha up to 9: below 2000, so each sum is exact. */
static void exact_case(routine *r, const shape *given, uint64_t seed, T alpha, bool on_device,
                       guarded_fill fill, guarded_fence fence)
{
    const shape of_run = routine_shape(r, 2, *given), *s = &of_run;
    operands o;
    char more[80];
    snprintf(more, sizeof more, "alpha=%g,%g%s fence=%d", real_part(alpha), imaginary_part(alpha),
             on_device ? " on device" : "", (int)fence);
    routine_case(r, s, seed, more);
    if (build(r, &o, s, seed, INTEGERS, alpha, fill, fence) &&
        run(r, &o, s, &o.y, alpha, on_device)) {
        for (int64_t i = 0; i < s->n; i++)
            put(&o.y, i, integer_axpy(alpha, get(&o.x, i), get(&o.y, i)));
        if (guarded_fetch(&o.x) && guarded_fetch(&o.y) && guarded_fetch(&o.alpha)) {
            guarded_same(&o.x, "x");
            guarded_same(&o.y, "y");
            guarded_same(&o.alpha, "alpha");
        }
    }
    destroy(&o);
}

static void exact(routine *r)
{
    int count;
    const shape *shapes = routine_shapes(r, 2, &count);
    for (int i = 0; i < count; i++)
        exact_case(r, &shapes[i], (uint64_t)i, make(i % 19 - 9 != 0 ? i % 19 - 9 : 7, i % 7 - 3),
                   i % 2 == 1, FILL_NAN, LOOSE);
    /* x is y */
    const shape *few = routine_few_shapes(r, 2, &count);
    for (int i = 0; i < count; i++) {
        const shape s =
            routine_shape(r, 2, (shape){few[i].n, few[i].incy, few[i].incy, few[i].offx, 0});
        const T alpha = make(3, -2);
        operands o;
        routine_case(r, &s, 50, "alpha=3,-2 x is y");
        if (build(r, &o, &s, 50, INTEGERS, alpha, FILL_NAN, LOOSE) &&
            run(r, &o, &s, &o.x, alpha, i % 2 == 1)) {
            for (int64_t k = 0; k < s.n; k++)
                put(&o.x, k, integer_axpy(alpha, get(&o.x, k), get(&o.x, k)));
            if (guarded_fetch(&o.x))
                guarded_same(&o.x, "y");
        }
        destroy(&o);
    }
}

/* Every element of y against the reference, and its surroundings. */
static void bounded(routine *r, operands *o, const shape *s, T alpha)
{
    const double size = wide_size(real_part(alpha), imaginary_part(alpha));
    for (int64_t i = 0; i < s->n; i++) {
        const T x = get(&o->x, i), y = get(&o->y, i), z = got(&o->y, i);
        wide re = {real_part(y), 0}, im = {imaginary_part(y), 0};
        re = wide_gather(re, real_part(alpha), real_part(x));
        re = wide_gather(re, -imaginary_part(alpha), imaginary_part(x));
        im = wide_gather(im, real_part(alpha), imaginary_part(x));
        im = wide_gather(im, imaginary_part(alpha), real_part(x));
        const double error =
            wide_size(wide_distance(re, real_part(z)), wide_distance(im, imaginary_part(z)));
        const double bound = 3 * ROUNDOFF *
                             (size * wide_size(real_part(x), imaginary_part(x)) +
                              wide_size(real_part(y), imaginary_part(y)));
        const long before = test_failures();
        routine_error(r, error, bound, LIMIT);
        if (test_failures() > before) {
            CHECK(false, "the wrong element is %lld", (long long)i);
            break;
        }
    }
    guarded_surroundings(&o->y, "y");
}

static void random_case(routine *r, const shape *given, uint64_t seed, bool on_device)
{
    const shape of_run = routine_shape(r, 2, *given), *s = &of_run;
    operands o;
    const T alpha = random_element(seed + 2, 0);
    routine_case(r, s, seed, on_device ? "alpha random, on device" : "alpha random");
    if (build(r, &o, s, seed, RANDOM, alpha, FILL_NAN, LOOSE) &&
        run(r, &o, s, &o.y, alpha, on_device) && guarded_fetch(&o.y))
        bounded(r, &o, s, alpha);
    destroy(&o);
}

static void residual(routine *r)
{
    int count;
    const shape *shapes = routine_shapes(r, 2, &count);
    for (int i = 0; i < count; i++)
        random_case(r, &shapes[i], 1000 + 10 * (uint64_t)i, i % 2 == 0);
}

/* alpha = 0, also negative: y keeps its NaN, and the NaN of x goes nowhere. */
static void zero_alpha(routine *r, double zero, bool on_device)
{
    const shape s = routine_shape(r, 2, (shape){37, 1, 1, 1, 0});
    const T alpha = make(zero, zero);
    operands o;
    routine_case(r, &s, 60, on_device ? "alpha=0 on device" : "alpha=0");
    if (build(r, &o, &s, 60, RANDOM, alpha, FILL_NAN, LOOSE)) {
        for (int64_t i = 0; i < s.n; i++) {
            put(&o.x, i, i % 2 ? make(NAN, INFINITY) : make(INFINITY, NAN));
            if (i % 3 == 0)
                memset(guarded_element(&o.y, i), 0xff, sizeof(T));
        }
        if (guarded_send(&o.x) && guarded_send(&o.y) && run(r, &o, &s, &o.y, alpha, on_device) &&
            guarded_fetch(&o.y))
            guarded_same(&o.y, "y");
    }
    destroy(&o);
}

static bool is_nan(T t)
{
    return isnan(real_part(t)) || isnan(imaginary_part(t));
}

/* A NaN in x or y reaches its element and no other; a NaN alpha reaches all. */
static void nan_spreads(routine *r, int64_t place, bool in_x, bool on_device)
{
    const shape s = routine_shape(r, 2, (shape){37, in_x ? 1 : 2, 1, 0, 1});
    const T alpha = make(place < 0 ? NAN : 2, 0);
    operands o;
    char more[64];
    snprintf(more, sizeof more, "NaN %s at %lld%s",
             place < 0 ? "alpha"
             : in_x    ? "in x"
                       : "in y",
             (long long)place, on_device ? ", alpha on device" : "");
    routine_case(r, &s, 70, more);
    if (build(r, &o, &s, 70, INTEGERS, alpha, FILL_NAN, LOOSE)) {
        if (place >= 0)
            put(in_x ? &o.x : &o.y, place, make(NAN, 1));
        if (guarded_send(&o.x) && guarded_send(&o.y) && run(r, &o, &s, &o.y, alpha, on_device) &&
            guarded_fetch(&o.y)) {
            for (int64_t i = 0; i < s.n; i++)
                CHECK(is_nan(got(&o.y, i)) == (place < 0 || i == place), "element %lld is %g",
                      (long long)i, real_part(got(&o.y, i)));
            guarded_surroundings(&o.y, "y");
        }
    }
    destroy(&o);
}

/* Elements more than 2^31 apart. */
static void far_apart(routine *r)
{
    const shape s = {3, -(((int64_t)1 << 30) + 7), ((int64_t)1 << 30) + 5, 0, 0};
    const size_t bytes = (2 * (size_t)(-s.incx) + 1) * sizeof(T);
    far_memory room;
    if (!far_take(r, 2, bytes, &room))
        return;
    T *x = room.at[0], *y = room.at[1];
    routine_case(r, &s, 0, "far apart");
    const T given[3] = {make(1, 2), make(3, 4), make(5, 6)}, alpha = make(2, 0);
    const gbl_vector_call call =
        TYPED_CALL(.n = 3, .alpha = {NULL, 2, 0}, .x = x, .incx = s.incx, .y = y, .incy = s.incy);
    T found[3];
    CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), given, 1, x, -s.incx));
    CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), given, 1, y, s.incy));
    if (routine_ran(r, FN(axpy)(r->ctx, 3, alpha, x, s.incx, y, s.incy), &call)) {
        CHECK_OK(r->ctx, gable_get_vector(r->ctx, 3, sizeof(T), y, s.incy, found, 1));
        for (int i = 0; i < 3; i++)
            CHECK(real_part(found[i]) == 2 * real_part(given[2 - i]) + real_part(given[i]),
                  "element %d is %g", i, real_part(found[i]));
    }
    far_give(r, &room);
}

static void edges(routine *r)
{
    const shape none = {0, 1, 1, 0, 0};
    const T one = make(1, 0);
    routine_case(r, &none, 0, "NULL pointers");
    CHECK_OK(r->ctx, FN(axpy)(r->ctx, 0, one, NULL, 1, NULL, 1));
    CHECK_OK(r->ctx, FN(axpy_dev)(r->ctx, 0, NULL, NULL, 0, NULL, -1));
    for (int device = 0; device < 2; device++) {
        for (int64_t inc = -1; inc <= 2; inc++) {
            const shape single = {1, inc, inc != 0 ? inc : 1, 0, 1};
            exact_case(r, &single, 7, make(5, 1), device, FILL_PATTERN, LOOSE);
        }
        const shape some = {100, 1, 1, 1, 0}, reversed = {100, -1, 1, 0, 0};
        exact_case(r, &some, 8, one, device, FILL_PATTERN, LOOSE);
        exact_case(r, &some, 8, make(-1, 0), device, FILL_PATTERN, LOOSE);
        exact_case(r, &reversed, 8, one, device, FILL_PATTERN, LOOSE);
#if COMPLEX
        exact_case(r, &some, 9, make(0, 1), device, FILL_PATTERN, LOOSE);
#endif
        zero_alpha(r, 0.0, device);
        zero_alpha(r, -0.0, device);
        nan_spreads(r, -1, true, device);
        for (int64_t place = 0; place < 37; place += 4) {
            nan_spreads(r, place, true, device);
            nan_spreads(r, place, false, device);
        }
    }
    far_apart(r);
}

static void guards(routine *r)
{
    int count;
    const shape *shapes = routine_few_shapes(r, 2, &count);
    for (int i = 0; i < count; i++) {
        const T alpha = make(3, -1);
        exact_case(r, &shapes[i], 200, alpha, false, FILL_PATTERN, LOOSE);
        exact_case(r, &shapes[i], 200, alpha, true, FILL_NAN, LOOSE);
        exact_case(r, &shapes[i], 200, alpha, false, FILL_PATTERN, TIGHT_BEHIND);
        exact_case(r, &shapes[i], 200, alpha, true, FILL_PATTERN, TIGHT_BEFORE);
    }
}

static void arguments(routine *r)
{
    static const char name[] = NAME(FN(axpy)), dev[] = NAME(FN(axpy_dev));
    const shape s = {5, 1, 1, 0, 0};
    const T two = make(2, 0);
    gable_context *ctx = r->ctx;
    operands o;
    T outside[5];
    memset(outside, 0, sizeof outside);
    routine_case(r, &s, 0, "");
    if (!build(r, &o, &s, 0, INTEGERS, two, FILL_PATTERN, LOOSE))
        goto done;
    T *x = o.x.at, *y = o.y.at, *alpha = o.alpha.at;

    CHECK_STATUS(NULL, FN(axpy)(NULL, 5, two, x, 1, y, 1), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, FN(axpy_dev)(NULL, 5, alpha, x, 1, y, 1), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, FN(axpy)(ctx, -3, two, x, 1, y, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 2 (n)", "-3");
    CHECK_REFUSED(ctx, FN(axpy)(ctx, 5, two, NULL, 1, y, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 4 (x)", "NULL");
    CHECK_REFUSED(ctx, FN(axpy)(ctx, 5, two, x, 1, NULL, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 6 (y)", "NULL");
    CHECK_REFUSED(ctx, FN(axpy)(ctx, 5, two, x, 1, y, 0), GABLE_BAD_ARGUMENT, name,
                  "argument 7 (incy)", "0");
    CHECK_REFUSED(ctx, FN(axpy)(ctx, 5, make(0, 0), x, 1, y, 0), GABLE_BAD_ARGUMENT, name,
                  "argument 7 (incy)", "0");
    CHECK_REFUSED(ctx, FN(axpy)(ctx, 5, two, NULL, 1, NULL, 0), GABLE_BAD_ARGUMENT, name,
                  "argument 4 (x)");
    CHECK_REFUSED(ctx, FN(axpy_dev)(ctx, -3, alpha, x, 1, y, 1), GABLE_BAD_ARGUMENT, dev,
                  "argument 2 (n)", "-3");
    CHECK_REFUSED(ctx, FN(axpy_dev)(ctx, -3, NULL, x, 1, y, 1), GABLE_BAD_ARGUMENT, dev,
                  "argument 2 (n)", "-3");
    CHECK_REFUSED(ctx, FN(axpy_dev)(ctx, 5, NULL, x, 1, y, 1), GABLE_BAD_ARGUMENT, dev,
                  "argument 3 (alpha)", "NULL");
    CHECK_REFUSED(ctx, FN(axpy_dev)(ctx, 5, alpha, NULL, 1, y, 1), GABLE_BAD_ARGUMENT, dev,
                  "argument 4 (x)", "NULL");
    CHECK_REFUSED(ctx, FN(axpy_dev)(ctx, 5, alpha, x, 1, NULL, 1), GABLE_BAD_ARGUMENT, dev,
                  "argument 6 (y)", "NULL");
    CHECK_REFUSED(ctx, FN(axpy_dev)(ctx, 5, alpha, x, 1, y, 0), GABLE_BAD_ARGUMENT, dev,
                  "argument 7 (incy)", "0");
    if (!r->device->props.is_host) {
        CHECK_REFUSED(ctx, FN(axpy)(ctx, 5, two, outside, 1, y, 1), GABLE_BAD_ARGUMENT, name,
                      "argument 4 (x)", r->device->info.name, "gable_alloc");
        CHECK_REFUSED(ctx, FN(axpy)(ctx, 5, two, x, 1, outside, 1), GABLE_BAD_ARGUMENT, name,
                      "argument 6 (y)", r->device->info.name, "gable_alloc");
        CHECK_REFUSED(ctx, FN(axpy_dev)(ctx, 5, outside, x, 1, y, 1), GABLE_BAD_ARGUMENT, dev,
                      "argument 3 (alpha)", r->device->info.name, "gable_alloc");
    }
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
    if (guarded_fetch(&o.x) && guarded_fetch(&o.y)) {
        guarded_same(&o.x, "x");
        guarded_same(&o.y, "y");
    }
    CHECK_OK(ctx, FN(axpy)(ctx, 5, two, x, 1, y, 1)); /* the context works on */
done:
    destroy(&o);
}

/* The same data in the variant now in force: y as fetched. */
static bool again(routine *r, operands *o, const shape *s, T alpha)
{
    return build(r, o, s, 400, RANDOM, alpha, FILL_NAN, LOOSE) &&
           run(r, o, s, &o->y, alpha, false) && guarded_fetch(&o->y);
}

static void repeat(routine *r)
{
    int count;
    const shape *shapes = routine_few_shapes(r, 2, &count);
    const T alpha = make(0.7, -0.3);
    for (int i = 0; i < count; i++) {
        const shape *s = &shapes[i];
        operands first, second;
        routine_case(r, s, 400, "twice");
        const bool once = again(r, &first, s, alpha), twice = again(r, &second, s, alpha);
        if (once && twice)
            CHECK(memcmp(first.y.got, second.y.got, first.y.bytes) == 0,
                  "the same call gave other bits");
        destroy(&first);
        destroy(&second);
    }
    /* All variants agree within the bound. */
    const char *choice = r->choice;
    for (int v = 0; routine_next_variant(r, &v);) {
        for (int i = 0; i < count; i++)
            random_case(r, &shapes[i], 500, false);
    }
    r->choice = choice;
}

const routine_parts PARTS =
    TEST_PARTS("axpy", .run = {exact, residual, edges, guards, arguments, repeat});
