/* test_maxpy.c: the six parts of maxpy: y := y + alpha (a_0 x_0 + a_1 x_1 + ...)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: |error| <= (k + 3) u (|y_i| + sum |alpha| |a_j| |X_ij|): the (n + 2) u
 * of an inner product of length n = k + 1 (Higham, Accuracy and Stability, 3.1), in which the
 * product of y with 1 makes no error and leaves room for the rounding of alpha a_j; for complex
 * numbers times up to 2 sqrt 2 (3.6). It holds with and without fused multiply-add, and however the
 * columns are batched. Coefficients come from host and device memory in turn; those of the host are
 * overwritten as soon as the call returns.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "harness/column_data.h"
#include "harness/wide.h"
#include "harness/numbers.h"

typedef struct operands {
    columns c;
    guarded a;
} operands;

static void small_integer(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, integer_element(seed, i, 10));
}

static void any(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, random_element(seed, i));
}

/* Integers: alpha up to 3, a_j up to 3, the rest up to 10, so that no sum comes near 2^24. */
static T integer_alpha(uint64_t seed)
{
    return make((double)(seed % 3) + 1, (double)(seed % 5) - 2);
}

static bool build(routine *r, operands *o, const columns_shape *s, columns_element element,
                  uint64_t seed, guarded_fill fill, guarded_fence fence)
{
    const bool built = columns_build(r, &o->c, s, sizeof(T), sizeof(R), element, seed, fill, fence);
    if (!guarded_make(&o->a, r->ctx, s->k, 1, sizeof(T), sizeof(R), FILL_NAN, LOOSE) || !built)
        return false;
    for (int64_t j = 0; j < s->k; j++)
        put(&o->a, j,
            element == any ? random_element(seed + 2, j) : integer_element(seed + 2, j, 3));
    return guarded_send(&o->a);
}

static void destroy(operands *o)
{
    columns_destroy(&o->c);
    guarded_destroy(&o->a);
}

static gbl_vector_call call_of(const operands *o, const columns_shape *s, T alpha, bool on_device)
{
    gbl_vector_call call =
        TYPED_CALL(.n = s->n, .alpha = {NULL, real_part(alpha), imaginary_part(alpha)},
                   .x = o->c.X.at, .incx = 1, .y = o->c.y.at, .incy = s->incy, .count = s->k,
                   .ldx = s->ldx, .values_at = on_device ? o->a.at : NULL);
    static gbl_scalar values[GBL_VECTOR_VALUES]; /* of the last call */
    call.values = values;
    if (!on_device && s->k > GBL_VECTOR_VALUES) /* by value in batches */
        call.count = GBL_VECTOR_VALUES;
    for (int64_t j = 0; !on_device && j < call.count; j++)
        values[j] = (gbl_scalar){NULL, real_part(get(&o->a, j)), imaginary_part(get(&o->a, j))};
    return call;
}

static bool is_zero(T t)
{
    return real_part(t) == 0 && imaginary_part(t) == 0;
}

/* Where a shape gets one kernel only, shifted ones take their coefficients from the device. */
static bool from_device(const routine *r, const columns_shape *s, bool wanted)
{
    return columns_twice(r, s) || r->variant != NULL ? wanted : s->incy == 1;
}

/* The call alone. Host coefficients are gone when it returns. */
static gable_status enqueue(routine *r, const operands *o, const columns_shape *s, T alpha,
                            bool on_device)
{
    const columns *c = &o->c;
    if (on_device)
        return FN(maxpy_dev)(r->ctx, s->n, s->k, alpha, o->a.at, c->X.at, s->ldx, c->y.at, s->incy);
    T a[COLUMNS_MOST];
    for (int64_t j = 0; j < s->k; j++)
        a[j] = get(&o->a, j);
    const gable_status status =
        FN(maxpy)(r->ctx, s->n, s->k, alpha, a, c->X.at, s->ldx, c->y.at, s->incy);
    memset(a, 0xff, sizeof a);
    return status;
}

static bool run(routine *r, const operands *o, const columns_shape *s, T alpha, bool on_device)
{
    const gbl_vector_call call = call_of(o, s, alpha, on_device);
    const bool nothing = s->n == 0 || s->k == 0 || is_zero(alpha);
    return routine_ran(r, enqueue(r, o, s, alpha, on_device), nothing ? NULL : &call);
}

/* y as it must be, written into its image. */
static void integer_maxpy(operands *o, const columns_shape *s, T alpha)
{
    const int64_t alpha_re = (int64_t)real_part(alpha), alpha_im = (int64_t)imaginary_part(alpha);
    for (int64_t i = 0; i < s->n; i++) {
        int64_t re = 0, im = 0;
        for (int64_t j = 0; j < s->k; j++) {
            const T a = get(&o->a, j), x = get(&o->c.X, i + j * s->ldx);
            const int64_t ar = (int64_t)real_part(a), ai = (int64_t)imaginary_part(a);
            const int64_t xr = (int64_t)real_part(x), xi = (int64_t)imaginary_part(x);
            re += ar * xr - ai * xi;
            im += ar * xi + ai * xr;
        }
        const T y = get(&o->c.y, i);
        put(&o->c.y, i,
            make((double)(alpha_re * re - alpha_im * im) + real_part(y),
                 (double)(alpha_re * im + alpha_im * re) + imaginary_part(y)));
    }
}

static void unchanged(operands *o)
{
    if (guarded_fetch(&o->c.X) && guarded_fetch(&o->a)) {
        guarded_same(&o->c.X, "X");
        guarded_same(&o->a, "a");
    }
}

static void exact_case(routine *r, const columns_shape *s, uint64_t seed, T alpha, bool on_device,
                       guarded_fill fill, guarded_fence fence)
{
    operands o;
    char more[80];
    on_device = from_device(r, s, on_device);
    snprintf(more, sizeof more, "alpha=%g,%g a on %s fence=%d", real_part(alpha),
             imaginary_part(alpha), on_device ? "device" : "host", (int)fence);
    columns_case(r, s, seed, more);
    if (build(r, &o, s, small_integer, seed, fill, fence) && run(r, &o, s, alpha, on_device)) {
        integer_maxpy(&o, s, alpha);
        if (guarded_fetch(&o.c.y))
            guarded_same(&o.c.y, "y");
        unchanged(&o);
    }
    destroy(&o);
}

static void exact(routine *r)
{
    int count;
    const columns_shape *shapes = columns_shapes(r, &count);
    for (int i = 0; i < count; i++)
        exact_case(r, &shapes[i], 10 * (uint64_t)i, integer_alpha((uint64_t)i), i % 2 == 1,
                   FILL_NAN, LOOSE);
}

/* Every element of y against the reference, and its surroundings. */
static void bounded(routine *r, operands *o, const columns_shape *s, T alpha)
{
    /* alpha a_j in double-double: four products, of which the small parts are kept beside. */
    wide re_of[COLUMNS_MOST], im_of[COLUMNS_MOST];
    double size_of[COLUMNS_MOST];
    for (int64_t j = 0; j < s->k; j++) {
        const T a = get(&o->a, j);
        const wide none = {0, 0};
        re_of[j] = wide_gather(wide_gather(none, real_part(alpha), real_part(a)),
                               -imaginary_part(alpha), imaginary_part(a));
        im_of[j] = wide_gather(wide_gather(none, real_part(alpha), imaginary_part(a)),
                               imaginary_part(alpha), real_part(a));
        size_of[j] = wide_size(real_part(alpha), imaginary_part(alpha)) *
                     wide_size(real_part(a), imaginary_part(a));
    }
    for (int64_t i = 0; i < s->n; i++) {
        const T y = get(&o->c.y, i), z = got(&o->c.y, i);
        wide re = {real_part(y), 0}, im = {imaginary_part(y), 0};
        double size = wide_size(real_part(y), imaginary_part(y));
        for (int64_t j = 0; j < s->k; j++) {
            const T x = get(&o->c.X, i + j * s->ldx);
            const double xr = real_part(x), xi = imaginary_part(x);
            re = wide_gather(wide_gather(re, re_of[j].high, xr), re_of[j].low, xr);
            if (COMPLEX) {
                re = wide_gather(wide_gather(re, -im_of[j].high, xi), -im_of[j].low, xi);
                im = wide_gather(wide_gather(im, re_of[j].high, xi), re_of[j].low, xi);
                im = wide_gather(wide_gather(im, im_of[j].high, xr), im_of[j].low, xr);
            }
            size += size_of[j] * wide_size(xr, xi);
        }
        const double error =
            wide_size(wide_distance(re, real_part(z)), wide_distance(im, imaginary_part(z)));
        const long before = test_failures();
        routine_error(r, error, ((double)s->k + 3) * ROUNDOFF * size, LIMIT);
        if (test_failures() > before) {
            CHECK(false, "the wrong element is %lld", (long long)i);
            break;
        }
    }
    guarded_surroundings(&o->c.y, "y");
}

static void random_case(routine *r, const columns_shape *s, uint64_t seed, bool on_device)
{
    operands o;
    const T alpha = random_element(seed + 3, 0);
    on_device = from_device(r, s, on_device);
    columns_case(r, s, seed, on_device ? "random, a on device" : "random, a on host");
    if (build(r, &o, s, any, seed, FILL_NAN, LOOSE) && run(r, &o, s, alpha, on_device) &&
        guarded_fetch(&o.c.y))
        bounded(r, &o, s, alpha);
    destroy(&o);
}

static void residual(routine *r)
{
    int count;
    const columns_shape *shapes = columns_shapes(r, &count);
    for (int i = 0; i < count; i++)
        random_case(r, &shapes[i], 10000 + 10 * (uint64_t)i, i % 2 == 0);
}

/* ---- Edges ---- */

/* Nothing to do: n = 0, k = 0, and alpha = 0 of either sign. What is NaN stays where it is, and
 * pointers that are not needed are not looked at. */
static void nothing(routine *r, T alpha, bool on_device)
{
    const columns_shape s = columns_of_run(r, (columns_shape){37, 9, 40, 1, 1, 0});
    operands o;
    columns_case(r, &s, 60, on_device ? "nothing to do, a on device" : "nothing to do");
    if (build(r, &o, &s, any, 60, FILL_NAN, LOOSE)) {
        gable_context *ctx = r->ctx;
        T *const y = o.c.y.at;
        memset(o.c.X.image, 0xff, o.c.X.bytes);
        memset(o.a.image, 0xff, o.a.bytes);
        memset(guarded_element(&o.c.y, 5), 0xff, sizeof(T));
        const bool sent = guarded_send(&o.c.X) && guarded_send(&o.a) && guarded_send(&o.c.y);
        if (sent && run(r, &o, &s, make(0.0, 0.0), on_device) &&
            run(r, &o, &s, make(-0.0, 0.0), on_device)) {
            CHECK_OK(ctx, on_device ? FN(maxpy_dev)(ctx, 37, 0, alpha, NULL, NULL, 37, y, 1)
                                    : FN(maxpy)(ctx, 37, 0, alpha, NULL, NULL, 37, y, 1));
            CHECK_OK(ctx, on_device ? FN(maxpy_dev)(ctx, 0, 9, alpha, NULL, NULL, 1, NULL, -1)
                                    : FN(maxpy)(ctx, 0, 9, alpha, NULL, NULL, 1, NULL, -1));
            if (guarded_fetch(&o.c.y))
                guarded_same(&o.c.y, "y");
        }
    }
    destroy(&o);
}

static bool is_nan(T t)
{
    return isnan(real_part(t)) || isnan(imaginary_part(t));
}

/* A NaN reaches its row and no other, also through a_j = 0, which does not skip its column; a NaN
 * among the coefficients, or a NaN alpha, reaches all. i < 0: no NaN in X; j < 0: none in a. */
static void nan_spreads(routine *r, const columns_shape *s, int64_t i, int64_t j, bool infinite,
                        bool on_device)
{
    const T alpha = make(i < 0 && j < 0 ? NAN : 2, 0);
    operands o;
    char more[96];
    on_device = from_device(r, s, on_device);
    snprintf(more, sizeof more, "%s at row %lld, column %lld, a on %s", infinite ? "Inf" : "NaN",
             (long long)i, (long long)j, on_device ? "device" : "host");
    columns_case(r, s, 70, more);
    if (build(r, &o, s, small_integer, 70, FILL_NAN, LOOSE)) {
        if (j >= 0)
            put(&o.a, j, i >= 0 ? make(0, 0) : make(NAN, 1));
        if (i >= 0)
            put(&o.c.X, i + j * s->ldx, make(infinite ? INFINITY : NAN, 1));
        if (guarded_send(&o.c.X) && guarded_send(&o.a) && run(r, &o, s, alpha, on_device) &&
            guarded_fetch(&o.c.y)) {
            for (int64_t e = 0; e < s->n; e++)
                CHECK(is_nan(got(&o.c.y, e)) == (i < 0 || e == i), "element %lld is %g",
                      (long long)e, real_part(got(&o.c.y, e)));
            guarded_surroundings(&o.c.y, "y");
        }
    }
    destroy(&o);
}

/* What mdot left on the device taken away again: y - X (X' y), without a visit to the host. */
static void after_mdot(routine *r)
{
    const columns_shape s = columns_of_run(r, (columns_shape){300, 9, 304, 1, 0, 0});
    operands o;
    columns_case(r, &s, 65, "a from mdot");
    if (build(r, &o, &s, small_integer, 65, FILL_NAN, LOOSE)) {
        for (int64_t j = 0; j < s.k; j++) { /* one element per column: sums stay small */
            for (int64_t i = 0; i < s.n; i++)
                put(&o.c.X, i + j * s.ldx, make(i == 6 * j ? 2 : 0, 0));
            memset(guarded_element(&o.a, j), 0xff, sizeof(T));
        }
        const columns *c = &o.c;
        if (guarded_send(&o.c.X) && guarded_send(&o.a)) {
#if COMPLEX
            CHECK_OK(r->ctx, FN(mdotc)(r->ctx, s.n, s.k, c->X.at, s.ldx, c->y.at, 1, (T *)o.a.at));
#else
            CHECK_OK(r->ctx, FN(mdot)(r->ctx, s.n, s.k, c->X.at, s.ldx, c->y.at, 1, (T *)o.a.at));
#endif
            for (int64_t j = 0; j < s.k; j++) {
                const T y = get(&o.c.y, 6 * j);
                put(&o.a, j, make(2 * real_part(y), 2 * imaginary_part(y)));
            }
            if (run(r, &o, &s, make(-1, 0), true)) {
                integer_maxpy(&o, &s, make(-1, 0));
                if (guarded_fetch(&o.c.y))
                    guarded_same(&o.c.y, "y");
                unchanged(&o);
            }
        }
    }
    destroy(&o);
}

/* Columns more than 2^31 elements apart, and elements of y. */
static void far_apart(routine *r, bool on_device)
{
    const columns_shape s = {3, 3, ((int64_t)1 << 30) + 7, -(((int64_t)1 << 30) + 5), 0, 0};
    const size_t bytes = (2 * (size_t)s.ldx + 3) * sizeof(T);
    far_memory room;
    if (!far_take(r, 2, bytes, &room))
        return;
    operands o;
    memset(&o, 0, sizeof o);
    T *X = room.at[0], *y = room.at[1];
    columns_case(r, &s, 0, on_device ? "far apart, a on device" : "far apart");
    const bool made = guarded_make(&o.a, r->ctx, 3, 1, sizeof(T), 0, FILL_NAN, LOOSE);
    if (made) {
        const T given[3] = {make(1, 0), make(2, 0), make(3, 0)};
        T found[3];
        for (int j = 0; j < 3; j++) {
            const T column[3] = {make(10 * j, 0), make(10 * j + 1, 0), make(10 * j + 2, 0)};
            CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), column, 1, X + j * s.ldx, 1));
            put(&o.a, j, make(j + 1, 0));
        }
        CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), given, 1, y, -s.incy));
        o.c.X.at = X;
        o.c.y.at = y;
        if (guarded_send(&o.a) && run(r, &o, &s, make(2, 0), on_device)) {
            CHECK_OK(r->ctx, gable_get_vector(r->ctx, 3, sizeof(T), y, -s.incy, found, 1));
            for (int i = 0; i < 3; i++) /* y is backwards: element i lies at place 2 - i */
                CHECK(real_part(found[2 - i]) == (3 - i) + 2 * (80 + 6 * i), "element %d is %g", i,
                      real_part(found[2 - i]));
        }
    }
    guarded_destroy(&o.a);
    far_give(r, &room);
}

static void edges(routine *r)
{
    const columns_shape few = columns_of_run(r, (columns_shape){37, 3, 41, 1, 0, 1});
    const columns_shape several = columns_of_run(r, (columns_shape){37, 17, 48, 1, 0, 0});
    for (int device = 0; device < 2; device++) {
        for (int64_t k = 1; k <= 9; k++) {
            const columns_shape single = columns_of_run(r, (columns_shape){1, k, 1, -1, 1, 0});
            exact_case(r, &single, 7, make(1, 0), device, FILL_PATTERN, LOOSE);
        }
        exact_case(r, &several, 8, make(-1, 0), device, FILL_PATTERN, LOOSE);
        nothing(r, make(1, 0), device);
        for (int64_t j = 0; j < several.k; j++) {
            nan_spreads(r, &several, 2 * j % several.n, j, j % 2, device);
            nan_spreads(r, &several, -1, j, false, device);
            if (j < few.k)
                nan_spreads(r, &few, 9 * j % few.n, j, j % 2, device);
        }
        nan_spreads(r, &several, -1, -1, false, device);
        nan_spreads(r, &few, -1, -1, false, device);
        far_apart(r, device);
    }
    after_mdot(r);
}

/* ---- Guards, arguments, repeat ---- */

static void guards(routine *r)
{
    int count;
    const columns_shape *shapes = columns_few_shapes(r, &count);
    for (int i = 0; i < count; i++) {
        const T alpha = make(3, -1);
        exact_case(r, &shapes[i], 200, alpha, false, FILL_PATTERN, LOOSE);
        exact_case(r, &shapes[i], 200, alpha, true, FILL_NAN, LOOSE);
        exact_case(r, &shapes[i], 200, alpha, false, FILL_PATTERN, TIGHT_BEHIND);
        exact_case(r, &shapes[i], 200, alpha, true, FILL_PATTERN, TIGHT_BEFORE);
    }
}

static gable_status maxpy(gable_context *ctx, bool on_device, int64_t n, int64_t k, T alpha,
                          const T *a, const T *X, int64_t ldx, T *y, int64_t incy)
{
    return on_device ? FN(maxpy_dev)(ctx, n, k, alpha, a, X, ldx, y, incy)
                     : FN(maxpy)(ctx, n, k, alpha, a, X, ldx, y, incy);
}

static void illegal(routine *r, const operands *o, bool dev)
{
    const char *name = dev ? NAME(FN(maxpy_dev)) : NAME(FN(maxpy));
    const T two = make(2, 0), values[2] = {two, two};
    const T *X = o->c.X.at, *a = dev ? o->a.at : values;
    T *y = o->c.y.at, outside[10];
    gable_context *ctx = r->ctx;
    memset(outside, 0, sizeof outside);
    CHECK_STATUS(NULL, maxpy(NULL, dev, 5, 2, two, a, X, 5, y, 1), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, maxpy(ctx, dev, -3, 2, two, a, X, 5, y, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 2 (n)", "-3");
    CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, -2, two, a, X, 5, y, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 3 (k)", "-2");
    CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, 2, two, NULL, X, 5, y, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 5 (a)", "NULL");
    CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, 2, two, a, NULL, 5, y, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 6 (X)", "NULL");
    CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, 2, two, a, X, 4, y, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 7 (ldx)", "4", "5");
    CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, 2, two, a, X, -5, y, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 7 (ldx)", "-5");
    CHECK_REFUSED(ctx, maxpy(ctx, dev, 0, 2, two, a, X, 0, y, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 7 (ldx)", "0", "1");
    CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, 2, two, a, X, 5, NULL, 1), GABLE_BAD_ARGUMENT, name,
                  "argument 8 (y)", "NULL");
    CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, 2, two, a, X, 5, y, 0), GABLE_BAD_ARGUMENT, name,
                  "argument 9 (incy)", "0");
    CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, 2, make(0, 0), a, X, 5, y, 0), GABLE_BAD_ARGUMENT, name,
                  "argument 9 (incy)", "0");
    CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, 2, two, NULL, NULL, 0, NULL, 0), GABLE_BAD_ARGUMENT, name,
                  "argument 5 (a)", "NULL");
    if (!r->device->props.is_host) {
        CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, 2, two, a, outside, 5, y, 1), GABLE_BAD_ARGUMENT,
                      name, "argument 6 (X)", r->device->info.name, "gable_alloc");
        CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, 2, two, a, X, 5, outside, 1), GABLE_BAD_ARGUMENT,
                      name, "argument 8 (y)", r->device->info.name, "gable_alloc");
        if (dev)
            CHECK_REFUSED(ctx, maxpy(ctx, dev, 5, 2, two, outside, X, 5, y, 1), GABLE_BAD_ARGUMENT,
                          name, "argument 5 (a)", r->device->info.name, "gable_alloc");
    }
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
}

static void arguments(routine *r)
{
    const columns_shape s = columns_of_run(r, (columns_shape){5, 2, 16, 1, 0, 0});
    operands o;
    columns_case(r, &s, 0, "");
    if (build(r, &o, &s, small_integer, 0, FILL_PATTERN, LOOSE)) {
        illegal(r, &o, false);
        illegal(r, &o, true);
        if (guarded_fetch(&o.c.y))
            guarded_same(&o.c.y, "y");
        unchanged(&o);
        CHECK_OK(r->ctx, enqueue(r, &o, &s, make(2, 0), false)); /* the context works on */
    }
    destroy(&o);
}

typedef enum way { PLAIN, REPLAYED } way;

/* The same data: y as fetched. The recording is replayed once its host coefficients are gone; those
 * of the device become right only then. */
static bool again(routine *r, operands *o, const columns_shape *s, bool on_device, way w)
{
    const T alpha = make(0.7, -0.3);
    gable_recording *recording = NULL;
    if (!build(r, o, s, any, 400, FILL_NAN, LOOSE))
        return false;
    if (w == PLAIN)
        return run(r, o, s, alpha, on_device) && guarded_fetch(&o->c.y);
    if (on_device)
        CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o->a.memory, 0xff, o->a.bytes));
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, enqueue(r, o, s, alpha, on_device));
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    const bool good = recording != NULL && guarded_send(&o->a) &&
                      CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && guarded_fetch(&o->c.y);
    gable_recording_destroy(recording);
    return good;
}

static void repeat(routine *r)
{
    int count;
    const columns_shape *shapes = columns_few_shapes(r, &count);
    for (int i = 0; i < count; i++) {
        const columns_shape *s = &shapes[i];
        for (int given = 0; given < 2; given++) {
            const bool device = from_device(r, s, given);
            operands first, second, third;
            columns_case(r, s, 400, device ? "twice, a on device" : "twice, a on host");
            const bool once = again(r, &first, s, device, PLAIN);
            const bool twice = again(r, &second, s, device, PLAIN);
            if (once && twice)
                CHECK(memcmp(first.c.y.got, second.c.y.got, first.c.y.bytes) == 0,
                      "the same call gave other bits");
            if (once && again(r, &third, s, device, REPLAYED))
                CHECK(memcmp(first.c.y.got, third.c.y.got, first.c.y.bytes) == 0,
                      "the replay gave other bits");
            else if (!once)
                memset(&third, 0, sizeof third);
            destroy(&first);
            destroy(&second);
            destroy(&third);
        }
    }
    /* All variants agree within the bound. */
    for (int v = 0; routine_next_variant(r, &v);) {
        shapes = columns_few_shapes(r, &count);
        for (int i = 0; i < count; i++)
            random_case(r, &shapes[i], 500, i % 2 == 0);
    }
}

const routine_parts PARTS =
    TEST_PARTS("maxpy", .run = {exact, residual, edges, guards, arguments, repeat});
