/* test_dot.c: the six parts of dot: result := sum of x_i y_i, and dotc with conj(x_i)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound: |error| <= (n + 2) u sum |x_i| |y_i|, whatever the order of summation, with and without
 * fused multiply-add (Higham, Accuracy and Stability, 3.1 and 3.5); for complex numbers in absolute
 * value, times up to 2 sqrt 2 (3.6). The result goes to host and device memory in turn.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "harness/routine.h"
#include "harness/wide.h"
#include "harness/numbers.h"

typedef struct operands {
    guarded x, y;
} operands;

typedef enum data { INTEGERS, RANDOM } data;

/* sdot ddot, or cdotu zdotu and cdotc zdotc: plain is 0, conj is 1. */
#if COMPLEX
#define FLAVOURS 2
static const char *const names[FLAVOURS] = {NAME(FN(dotu)), NAME(FN(dotc))};

static gable_status dot(gable_context *ctx, int conj, int64_t n, const T *x, int64_t incx,
                        const T *y, int64_t incy, T *result)
{
    return conj ? FN(dotc)(ctx, n, x, incx, y, incy, result)
                : FN(dotu)(ctx, n, x, incx, y, incy, result);
}
#else
#define FLAVOURS 1
static const char *const names[FLAVOURS] = {NAME(FN(dot))};

static gable_status dot(gable_context *ctx, int conj, int64_t n, const T *x, int64_t incx,
                        const T *y, int64_t incy, T *result)
{
    (void)conj;
    return FN(dot)(ctx, n, x, incx, y, incy, result);
}
#endif

/* Integers so small that the sum of n products stays below 2^24 in every order. */
static int integer_size(int64_t n)
{
    const int64_t products = (((int64_t)1 << 24) - 1) / (REALS * n);
    return products >= 100 ? 10 : products >= 4 ? 2 : products >= 1 ? 1 : 0;
}

static bool build(routine *r, operands *o, const shape *s, uint64_t seed, data kind,
                  guarded_fill fill, guarded_fence fence)
{
    const bool made_x = guarded_make(&o->x, r->ctx, s->n, s->incx, sizeof(T),
                                     (size_t)s->offx * sizeof(R), fill, fence);
    const bool made_y = guarded_make(&o->y, r->ctx, s->n, s->incy, sizeof(T),
                                     (size_t)s->offy * sizeof(R), fill, fence);
    const bool good = made_x && made_y;
    const int most = s->n > 0 ? integer_size(s->n) : 1;
    for (int64_t i = 0; good && i < s->n; i++) {
        if (s->incx != 0 || i == 0)
            put(&o->x, i,
                kind == INTEGERS ? integer_element(seed, i, most) : random_element(seed, i));
        if (s->incy != 0 || i == 0)
            put(&o->y, i,
                kind == INTEGERS ? integer_element(seed + 1, i, most)
                                 : random_element(seed + 1, i));
    }
    return good && guarded_send(&o->x) && guarded_send(&o->y);
}

static void destroy(operands *o)
{
    guarded_destroy(&o->x);
    guarded_destroy(&o->y);
}

/* The dot product of x and y (which may be x), with what is around the result checked. */
static bool run(routine *r, const guarded *x, const guarded *y, int conj, bool on_host, T *value)
{
    result_place place;
    if (!result_make(&place, r->ctx, sizeof(T), on_host))
        return false;
    const gbl_vector_call call = TYPED_CALL(.conj = conj, .n = x->n, .x = x->at, .incx = x->inc,
                                            .y = y->at, .incy = y->inc, .result = place.at);
    const gable_status status = dot(r->ctx, conj, x->n, x->at, x->inc, y->at, y->inc, place.at);
    if (!routine_ran(r, status, x->n > 0 ? &call : NULL)) {
        result_untouched(&place);
        return false;
    }
    return result_take(&place, value);
}

static T integer_dot(const guarded *x, const guarded *y, int conj)
{
    int64_t re = 0, im = 0;
    for (int64_t i = 0; i < x->n; i++) {
        const T a = get(x, i), b = get(y, i);
        const int64_t ar = (int64_t)real_part(a), br = (int64_t)real_part(b);
        const int64_t ai = (conj ? -1 : 1) * (int64_t)imaginary_part(a);
        const int64_t bi = (int64_t)imaginary_part(b);
        re += ar * br - ai * bi;
        im += ar * bi + ai * br;
    }
    return make((double)re, (double)im);
}

static void expect(T value, T wanted)
{
    CHECK(memcmp(&value, &wanted, sizeof value) == 0,
          "the result is %.17g, %.17g, not %.17g, %.17g", real_part(value), imaginary_part(value),
          real_part(wanted), imaginary_part(wanted));
}

/* Where kernels compile slowly, conjugated products are of aligned vectors, in the default
 * variant. */
static int flavours(const routine *r, const shape *s)
{
    const bool aligned = s->incx == 1 && s->incy == 1 && s->offx == s->offy && s->offx % 2 == 0;
    return routine_slow_compiler(r) && (r->variant != NULL || !aligned) ? 1 : FLAVOURS;
}

static void exact_case(routine *r, const shape *given, uint64_t seed, bool on_host,
                       guarded_fill fill, guarded_fence fence)
{
    const shape of_run = routine_shape(r, 2, *given), *s = &of_run;
    operands o;
    T value;
    for (int conj = 0; conj < flavours(r, s); conj++) {
        char more[80];
        snprintf(more, sizeof more, "conj=%d result on %s fence=%d", conj,
                 on_host ? "host" : "device", (int)fence);
        routine_case(r, s, seed, more);
        if (build(r, &o, s, seed, INTEGERS, fill, fence) &&
            run(r, &o.x, &o.y, conj, on_host, &value)) {
            expect(value, integer_dot(&o.x, &o.y, conj));
            if (guarded_fetch(&o.x) && guarded_fetch(&o.y)) {
                guarded_same(&o.x, "x");
                guarded_same(&o.y, "y");
            }
        }
        destroy(&o);
    }
}

static void exact(routine *r)
{
    int count;
    const shape *shapes = routine_shapes(r, 2, &count);
    for (int i = 0; i < count; i++)
        exact_case(r, &shapes[i], (uint64_t)i, i % 2 == 1, FILL_NAN, LOOSE);
    /* x is y */
    const shape *few = routine_few_shapes(r, 2, &count);
    for (int i = 0; i < count; i++) {
        operands o;
        T value;
        for (int conj = 0; conj < flavours(r, &few[i]); conj++) {
            routine_case(r, &few[i], 50, conj ? "conj=1 x is y" : "conj=0 x is y");
            if (build(r, &o, &few[i], 50, INTEGERS, FILL_NAN, LOOSE) &&
                run(r, &o.x, &o.x, conj, i % 2 == 1, &value))
                expect(value, integer_dot(&o.x, &o.x, conj));
            destroy(&o);
        }
    }
}

/* The error of a value over (n + 2) u sum |x_i| |y_i|. */
static void bounded(routine *r, const guarded *x, const guarded *y, int conj, T value)
{
    wide re = {0, 0}, im = {0, 0};
    double size = 0;
    for (int64_t i = 0; i < x->n; i++) {
        const T a = get(x, i), b = get(y, i);
        const double ai = conj ? -imaginary_part(a) : imaginary_part(a);
        re = wide_gather(re, real_part(a), real_part(b));
        if (COMPLEX) {
            re = wide_gather(re, -ai, imaginary_part(b));
            im = wide_gather(wide_gather(im, real_part(a), imaginary_part(b)), ai, real_part(b));
        }
        size +=
            wide_size(real_part(a), imaginary_part(a)) * wide_size(real_part(b), imaginary_part(b));
    }
    const double error =
        wide_size(wide_distance(re, real_part(value)), wide_distance(im, imaginary_part(value)));
    routine_error(r, error, ((double)x->n + 2) * ROUNDOFF * size, LIMIT);
}

static void random_case(routine *r, const shape *given, uint64_t seed, bool on_host)
{
    const shape of_run = routine_shape(r, 2, *given), *s = &of_run;
    operands o;
    T value;
    for (int conj = 0; conj < flavours(r, s); conj++) {
        routine_case(r, s, seed, conj ? "conj=1 random" : "conj=0 random");
        if (build(r, &o, s, seed, RANDOM, FILL_NAN, LOOSE) &&
            run(r, &o.x, &o.y, conj, on_host, &value))
            bounded(r, &o.x, &o.y, conj, value);
        destroy(&o);
    }
}

static void residual(routine *r)
{
    int count;
    const shape *shapes = routine_shapes(r, 2, &count);
    for (int i = 0; i < count; i++)
        random_case(r, &shapes[i], 1000 + 10 * (uint64_t)i, i % 2 == 0);
}

/* n = 0: the result is set to 0, and the vectors are not looked at. */
static void empty(routine *r)
{
    const shape none = {0, 1, 1, 0, 0};
    for (int host = 0; host < 2; host++) {
        for (int conj = 0; conj < FLAVOURS; conj++) {
            result_place place;
            T value;
            routine_case(r, &none, 0, host ? "result on host" : "result on device");
            if (result_make(&place, r->ctx, sizeof(T), host) &&
                CHECK_OK(r->ctx, dot(r->ctx, conj, 0, NULL, 1, NULL, -2, place.at)) &&
                result_take(&place, &value))
                expect(value, make(0, 0));
        }
    }
}

static bool is_nan(T t)
{
    return isnan(real_part(t)) && (!COMPLEX || isnan(imaginary_part(t)));
}

/* Not finite; for complex numbers an infinity may turn into NaN, by the order of operations. */
static bool is_infinite(T t)
{
    return COMPLEX ? !isfinite(real_part(t)) || !isfinite(imaginary_part(t)) : isinf(real_part(t));
}

/* A NaN anywhere is seen, and so is an infinity beside finite numbers. */
static void special(routine *r, const shape *given, int64_t place, bool in_x, bool nan)
{
    const shape of_run = routine_shape(r, 2, *given), *s = &of_run;
    operands o;
    T value;
    char more[64];
    for (int conj = 0; conj < flavours(r, s); conj++) {
        snprintf(more, sizeof more, "conj=%d %s in %s at %lld", conj, nan ? "NaN" : "Inf",
                 in_x ? "x" : "y", (long long)place);
        routine_case(r, s, 70, more);
        if (build(r, &o, s, 70, RANDOM, FILL_NAN, LOOSE)) {
            put(in_x ? &o.x : &o.y, place, make(nan ? NAN : INFINITY, 0.5));
            if (guarded_send(&o.x) && guarded_send(&o.y) &&
                run(r, &o.x, &o.y, conj, place % 2 == 0, &value)) {
                if (nan)
                    CHECK(is_nan(value), "the result is %g", real_part(value));
                else
                    CHECK(is_infinite(value), "the result is %g", real_part(value));
            }
        }
        destroy(&o);
    }
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
    const T left[3] = {make(1, 0), make(10, 0), make(100, 0)};
    const T right[3] = {make(5, 0), make(3, 0), make(2, 0)};
    T value = make(0, 0);
    const gbl_vector_call call =
        TYPED_CALL(.n = 3, .x = x, .incx = s.incx, .y = y, .incy = s.incy, .result = &value);
    CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), left, 1, x, -s.incx));
    CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), right, 1, y, s.incy));
    if (routine_ran(r, dot(r->ctx, 0, 3, x, s.incx, y, s.incy, &value), &call))
        expect(value, make(532, 0));
    far_give(r, &room);
}

/* More than 2^31 elements, all of them the same: a stride of 0 needs no memory. In double the sum
 * is exact. */
static void many(routine *r)
{
#if defined(PREC_D)
    const shape s = {((int64_t)1 << 31) + 5, 0, 0, 0, 0};
    operands o;
    T value;
    const shape one = {1, 0, 0, 0, 0};
    /* In odd shapes a CPU would take minutes. */
    const bool usual = r->variant == NULL || r->device->props.is_gpu;
    routine_case(r, &s, 80, "more than 2^31 elements");
    if (r->all && usual && build(r, &o, &one, 80, INTEGERS, FILL_NAN, LOOSE)) {
        put(&o.x, 0, 3);
        put(&o.y, 0, 2);
        o.x.n = o.y.n = s.n;
        if (guarded_send(&o.x) && guarded_send(&o.y) && run(r, &o.x, &o.y, 0, false, &value))
            expect(value, 6 * (double)s.n);
        destroy(&o);
    }
#else
    (void)r;
#endif
}

static void edges(routine *r)
{
    static const shape places[] = {{37, 1, 1, 0, 0}, {37, 1, 1, 1, 1}, {29, -2, 3, 0, 0}};
    empty(r);
    for (int64_t inc = -1; inc <= 2; inc++) {
        const shape single = {1, inc, -inc, 1, 0};
        exact_case(r, &single, 7, inc % 2 == 0, FILL_PATTERN, LOOSE);
    }
    const shape both_zero = {100, 0, 0, 0, 0};
    exact_case(r, &both_zero, 9, true, FILL_NAN, LOOSE);
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        for (int64_t i = 0; i < places[k].n; i += k == 0 ? 1 : 7) {
            special(r, &places[k], i, i % 2 == 0, true);
            special(r, &places[k], i, i % 2 != 0, false);
        }
    }
    far_apart(r);
    many(r);
}

static void guards(routine *r)
{
    int count;
    const shape *shapes = routine_few_shapes(r, 2, &count);
    for (int i = 0; i < count; i++) {
        exact_case(r, &shapes[i], 200, false, FILL_PATTERN, LOOSE);
        exact_case(r, &shapes[i], 200, true, FILL_NAN, LOOSE);
        exact_case(r, &shapes[i], 200, false, FILL_PATTERN, TIGHT_BEHIND);
        exact_case(r, &shapes[i], 200, true, FILL_PATTERN, TIGHT_BEFORE);
    }
}

static void arguments(routine *r)
{
    const shape s = {5, 1, 1, 0, 0};
    gable_context *ctx = r->ctx;
    operands o;
    T outside[5];
    memset(outside, 0, sizeof outside);
    routine_case(r, &s, 0, "");
    const bool built = build(r, &o, &s, 0, INTEGERS, FILL_PATTERN, LOOSE);
    T *x = o.x.at, *y = o.y.at;
    for (int conj = 0; built && conj < FLAVOURS; conj++) {
        const char *name = names[conj];
        for (int host = 0; host < 2; host++) {
            result_place place;
            if (!result_make(&place, ctx, sizeof(T), host))
                break;
            T *to = place.at;
            CHECK_STATUS(NULL, dot(NULL, conj, 5, x, 1, y, 1, to), GABLE_BAD_ARGUMENT);
            CHECK_REFUSED(ctx, dot(ctx, conj, -3, x, 1, y, 1, to), GABLE_BAD_ARGUMENT, name,
                          "argument 2 (n)", "-3");
            CHECK_REFUSED(ctx, dot(ctx, conj, 5, NULL, 1, y, 1, to), GABLE_BAD_ARGUMENT, name,
                          "argument 3 (x)", "NULL");
            CHECK_REFUSED(ctx, dot(ctx, conj, 5, x, 1, NULL, 1, to), GABLE_BAD_ARGUMENT, name,
                          "argument 5 (y)", "NULL");
            CHECK_REFUSED(ctx, dot(ctx, conj, 5, NULL, 1, NULL, 1, NULL), GABLE_BAD_ARGUMENT, name,
                          "argument 3 (x)", "NULL");
            if (!r->device->props.is_host) {
                CHECK_REFUSED(ctx, dot(ctx, conj, 5, outside, 1, y, 1, to), GABLE_BAD_ARGUMENT,
                              name, "argument 3 (x)", r->device->info.name, "gable_alloc");
                CHECK_REFUSED(ctx, dot(ctx, conj, 5, x, 1, outside, 1, to), GABLE_BAD_ARGUMENT,
                              name, "argument 5 (y)", r->device->info.name, "gable_alloc");
            }
            result_untouched(&place);
        }
        CHECK_REFUSED(ctx, dot(ctx, conj, 5, x, 1, y, 1, NULL), GABLE_BAD_ARGUMENT, name,
                      "argument 7 (result)", "NULL");
        CHECK_REFUSED(ctx, dot(ctx, conj, 0, x, 1, y, 1, NULL), GABLE_BAD_ARGUMENT, name,
                      "argument 7 (result)", "NULL");
        CHECK_OK(ctx, dot(ctx, conj, 5, x, 1, y, 1, outside)); /* the context works on */
    }
    destroy(&o);
}

/* More calls in a row than the workspace has counters for hand-overs (64), without a wait between.
 */
static void in_a_row(routine *r)
{
    enum { CALLS = 150 };
    const shape s = {40000, 1, 1, 0, 0};
    operands o;
    guarded results;
    routine_case(r, &s, 450, "150 times in a row");
    const bool made = guarded_make(&results, r->ctx, CALLS, 1, sizeof(T), 0, FILL_NAN, LOOSE);
    if (build(r, &o, &s, 450, INTEGERS, FILL_NAN, LOOSE) && made && guarded_send(&results)) {
        const T wanted = integer_dot(&o.x, &o.y, 0);
        for (int i = 0; i < CALLS; i++)
            CHECK_OK(r->ctx, dot(r->ctx, 0, s.n, o.x.at, 1, o.y.at, 1, (T *)results.at + i));
        if (guarded_fetch(&results))
            for (int i = 0; i < CALLS; i++)
                expect(got(&results, i), wanted);
    }
    guarded_destroy(&results);
    destroy(&o);
}

static void repeat(routine *r)
{
    int count;
    const shape *shapes = routine_few_shapes(r, 2, &count);
    for (int i = 0; i < count; i++) {
        for (int conj = 0; conj < flavours(r, &shapes[i]); conj++) {
            operands o;
            T first, second, third;
            routine_case(r, &shapes[i], 400, conj ? "conj=1 twice" : "conj=0 twice");
            /* To the host and to the device: the bits are those of the same kernel. */
            if (build(r, &o, &shapes[i], 400, RANDOM, FILL_NAN, LOOSE) &&
                run(r, &o.x, &o.y, conj, false, &first) &&
                run(r, &o.x, &o.y, conj, false, &second) &&
                run(r, &o.x, &o.y, conj, true, &third)) {
                expect(second, first);
                expect(third, first);
            }
            destroy(&o);
        }
    }
    in_a_row(r);
    /* All variants agree within the bound. */
    for (int v = 0; routine_next_variant(r, &v);) {
        for (int i = 0; i < count; i++)
            random_case(r, &shapes[i], 500, false);
    }
}

const routine_parts PARTS =
    TEST_PARTS("dot", .run = {exact, residual, edges, guards, arguments, repeat});
