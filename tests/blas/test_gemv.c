/* test_gemv.c: the six parts of gemv: y := alpha op(A) x + beta y
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: |error| <= (k + 2) u (|alpha| |op(A)| |x| + |beta| |y|) with k the length of the
 * sums (Higham, Accuracy and Stability, 3.1 and 3.5), for complex numbers times up to 2 sqrt 2 (3.6). It
 * holds in any order of summation, with and without fused multiply-add. With small integers the
 * reference, which is a plain loop in double-double, and the result are both exact. Scalars come by value
 * and from the device in turn.
 */
#include <math.h>
#include <stdio.h>
#include "harness/matrix_data.h"
#include "harness/wide.h"
#include "harness/numbers.h"

/* What a case runs with. */
typedef struct gemv_case {
    matrix_shape s;
    uint64_t seed;
    T alpha, beta;
    bool random; /* not integers */
    bool on_device;
    guarded_fill fill;
    guarded_fence fence;
} gemv_case;

static void small_integer(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, integer_element(seed, i, 4));
}

static void any(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, random_element(seed, i));
}

/* Sums stay below 2^24: 3000 products of at most 2 * 16, times 3. */
static T integer_scalar(uint64_t seed)
{
    return make((double)(seed % 5) - 2, (double)(seed % 3) - 1);
}

static gbl_matrix_call call_of(const matrix_operands *o, const gemv_case *c)
{
    T *const scalars = o->scalars.at;
    return (gbl_matrix_call){
        .dtype = DTYPE,
        .trans = c->s.trans,
        .m = c->s.m,
        .n = c->s.n,
        .alpha = {c->on_device ? scalars : NULL, real_part(c->alpha), imaginary_part(c->alpha)},
        .beta = {c->on_device ? scalars + 1 : NULL, real_part(c->beta), imaginary_part(c->beta)},
        .A = o->A.at,
        .lda = c->s.lda,
        .x = o->x.at,
        .incx = c->s.incx,
        .y = o->y.at,
        .incy = c->s.incy};
}

static gable_status enqueue(routine *r, const matrix_operands *o, const gemv_case *c)
{
    const matrix_shape *s = &c->s;
    const T *scalars = o->scalars.at;
    return c->on_device ? FN(gemv_dev)(r->ctx, s->trans, s->m, s->n, scalars, o->A.at, s->lda,
                                       o->x.at, s->incx, scalars + 1, o->y.at, s->incy)
                        : FN(gemv)(r->ctx, s->trans, s->m, s->n, c->alpha, o->A.at, s->lda, o->x.at,
                                   s->incx, c->beta, o->y.at, s->incy);
}

static bool run(routine *r, const matrix_operands *o, const gemv_case *c)
{
    const gbl_matrix_call call = call_of(o, c);
    return routine_ran(r, enqueue(r, o, c), c->s.m == 0 || c->s.n == 0 ? NULL : &call);
}

/* Operands of a case on the device, the scalars too. */
static bool build(routine *r, matrix_operands *o, const gemv_case *c)
{
    if (!matrix_build(r, o, &c->s, sizeof(T), c->random ? any : small_integer, c->seed, c->fill,
                      c->fence))
        return false;
    put(&o->scalars, 0, c->alpha);
    put(&o->scalars, 1, c->beta);
    return guarded_send(&o->scalars);
}

typedef struct wide_number {
    wide re, im;
    double size; /* sum of the sizes of what was added */
} wide_number;

static double size_of(T t)
{
    return hypot(real_part(t), imaginary_part(t));
}

static void add_product(wide_number *sum, T a, T b)
{
    const double ar = real_part(a), ai = imaginary_part(a), br = real_part(b),
                 bi = imaginary_part(b);
    sum->re = wide_add_product(sum->re, ar, br);
    if (COMPLEX) {
        sum->re = wide_add_product(sum->re, -ai, bi);
        sum->im = wide_add_product(wide_add_product(sum->im, ar, bi), ai, br);
    }
    sum->size += COMPLEX ? size_of(a) * size_of(b) : fabs(ar * br);
}

static T conjugate(T a)
{
    return make(real_part(a), -imaginary_part(a));
}

/* Element i of alpha op(A) x + beta y, from the images. */
static wide_number reference(const matrix_operands *o, const gemv_case *c, int64_t i)
{
    const matrix_shape *s = &c->s;
    wide_number sum = {{0, 0}, {0, 0}, 0}, y = sum;
    for (int64_t k = 0; k < matrix_x(s); k++) {
        const T a = get(&o->A, s->trans == GABLE_NO_TRANS ? i + k * s->lda : k + i * s->lda);
        add_product(&sum, s->trans == GABLE_CONJ_TRANS ? conjugate(a) : a, get(&o->x, k));
    }
    if (size_of(c->beta) != 0)
        add_product(&y, c->beta, get(&o->y, i));
    const double ar = real_part(c->alpha), ai = imaginary_part(c->alpha);
    y.re = wide_add_product(wide_add_product(y.re, ar, sum.re.high), ar, sum.re.low);
    y.re = wide_add_product(wide_add_product(y.re, -ai, sum.im.high), -ai, sum.im.low);
    y.im = wide_add_product(wide_add_product(y.im, ar, sum.im.high), ar, sum.im.low);
    y.im = wide_add_product(wide_add_product(y.im, ai, sum.re.high), ai, sum.re.low);
    y.size += size_of(c->alpha) * sum.size;
    return y;
}

/* Every element of y as fetched against the reference, and what is around it. */
static void compare(routine *r, matrix_operands *o, const gemv_case *c)
{
    const double factor = c->random ? ((double)matrix_x(&c->s) + 2) * ROUNDOFF : 0;
    for (int64_t i = 0; i < matrix_y(&c->s); i++) {
        const wide_number want = reference(o, c, i);
        const T z = got(&o->y, i);
        const double error =
            hypot(wide_distance(want.re, real_part(z)), wide_distance(want.im, imaginary_part(z)));
        const long before = test_failures();
        routine_error(r, error, factor * want.size, LIMIT);
        if (test_failures() > before) {
            CHECK(false, "the wrong element is %lld", (long long)i);
            break;
        }
    }
    guarded_surroundings(&o->y, "y");
}

static void begin(routine *r, const gemv_case *c, const char *more)
{
    char text[192];
    snprintf(text, sizeof text, "alpha=%g,%g beta=%g,%g scalars %s fence=%d%s%s",
             real_part(c->alpha), imaginary_part(c->alpha), real_part(c->beta),
             imaginary_part(c->beta), c->on_device ? "on device" : "by value", (int)c->fence,
             more[0] ? " " : "", more);
    matrix_case(r, &c->s, c->seed, text);
}

static void check(routine *r, const gemv_case *c)
{
    matrix_operands o;
    begin(r, c, "");
    if (build(r, &o, c) && run(r, &o, c)) {
        if (guarded_fetch(&o.y))
            compare(r, &o, c);
        matrix_unchanged(&o);
    }
    matrix_destroy(&o);
}

static void exact(routine *r)
{
    int count;
    const matrix_shape *shapes = matrix_shapes(r, &count);
    if (matrix_left_out(r))
        return;
    for (int i = 0; i < count; i++)
        check(r, &(gemv_case){.s = shapes[i],
                              .seed = 10 * (uint64_t)i,
                              .alpha = integer_scalar((uint64_t)i),
                              .beta = integer_scalar((uint64_t)i / 3 + 1),
                              .on_device = i % 2});
}

static void residual(routine *r)
{
    int count;
    const matrix_shape *shapes = matrix_shapes(r, &count);
    for (int i = 0; i < count; i++)
        check(r, &(gemv_case){.s = shapes[i],
                              .seed = 10000 + 10 * (uint64_t)i,
                              .alpha = random_element(10003 + (uint64_t)i, 0),
                              .beta = random_element(10004 + (uint64_t)i, 0),
                              .random = true,
                              .on_device = i % 2 == 0});
}

/* ---- Edges
 * ----------------------------------------------------------------------------------------- */

static const gable_trans transposes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};

/* m = 0 or n = 0: y stays, whatever beta is, and no pointer is looked at. */
static void nothing(routine *r, gable_trans trans)
{
    const gemv_case c = {.s = {trans, 5, 4, 5, 1, 1, 0}, .fill = FILL_PATTERN, .seed = 50};
    const T two = make(2, 0);
    matrix_operands o;
    begin(r, &c, "m = 0 and n = 0");
    if (build(r, &o, &c)) {
        gable_context *ctx = r->ctx;
        const T *A = o.A.at, *x = o.x.at;
        T *y = o.y.at;
        CHECK_OK(ctx, FN(gemv)(ctx, trans, 0, 4, two, A, 1, x, 1, two, y, 1));
        CHECK_OK(ctx, FN(gemv)(ctx, trans, 5, 0, two, A, 5, x, 1, make(0, 0), y, 1));
        CHECK_OK(ctx, FN(gemv)(ctx, trans, 0, 0, two, NULL, 1, NULL, 1, two, NULL, -1));
        CHECK_OK(ctx, FN(gemv_dev)(ctx, trans, 5, 0, NULL, NULL, 5, NULL, 1, NULL, y, 1));
        if (guarded_fetch(&o.y))
            guarded_same(&o.y, "y");
    }
    matrix_destroy(&o);
}

/* alpha = 0: A and x are NaN and do not matter; beta = 0: nor does y. */
static void not_read(routine *r, const matrix_shape *s, T alpha, T beta, bool on_device)
{
    const gemv_case c = {.s = *s, .seed = 60, .alpha = alpha, .beta = beta, .on_device = on_device};
    matrix_operands o;
    begin(r, &c, "what is not read is NaN");
    if (build(r, &o, &c)) {
        bool good = true; /* the images of A and x stay as the reference needs them */
        if (size_of(alpha) == 0)
            good = CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.A.memory, 0xff, o.A.bytes)) &&
                   CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.x.memory, 0xff, o.x.bytes));
        for (int64_t i = 0; size_of(beta) == 0 && i < matrix_y(s); i++)
            memset(guarded_element(&o.y, i), 0xff, sizeof(T));
        if (good && guarded_send(&o.y) && run(r, &o, &c) && guarded_fetch(&o.y))
            compare(r, &o, &c);
    }
    matrix_destroy(&o);
}

static bool finite_number(T t)
{
    return isfinite(real_part(t)) && isfinite(imaginary_part(t));
}

/* A NaN or Inf at (i, j) of A reaches its element of y and no other; in x (i < 0) it reaches all. */
static void spreads(routine *r, const matrix_shape *s, int64_t i, int64_t j, double special)
{
    const gemv_case c = {.s = *s, .seed = 70, .alpha = make(2, 0), .beta = make(1, 0)};
    const int64_t reached = s->trans == GABLE_NO_TRANS ? i : j;
    matrix_operands o;
    char more[64];
    snprintf(more, sizeof more, "%g at row %lld, column %lld", special, (long long)i, (long long)j);
    begin(r, &c, more);
    if (build(r, &o, &c)) {
        for (int64_t e = 0; e < matrix_x(s); e++) /* no zeros: some BLAS skip their columns */
            put(&o.x, e, make(1 + (double)(e % 3), 1));
        for (int64_t e = 0; i < 0 && e < o.A.n; e++)
            if (e % s->lda < s->m)
                put(&o.A, e, make(1, 1));
        if (i < 0)
            put(&o.x, j, make(special, 1));
        else
            put(&o.A, i + j * s->lda, make(special, 1));
        if (guarded_send(&o.A) && guarded_send(&o.x) && run(r, &o, &c) && guarded_fetch(&o.y)) {
            for (int64_t e = 0; e < matrix_y(s); e++)
                CHECK(finite_number(got(&o.y, e)) != (i < 0 || e == reached), "element %lld is %g",
                      (long long)e, real_part(got(&o.y, e)));
            guarded_surroundings(&o.y, "y");
        }
    }
    matrix_destroy(&o);
}

/* Columns more than 2^31 elements apart. */
static void far_apart(routine *r, gable_trans trans)
{
    const gemv_case c = {.s = {trans, 3, 3, ((int64_t)1 << 30) + 7, 1, 1, 0},
                         .alpha = make(2, 0),
                         .beta = make(1, 0)};
    const gemv_case small = {.s = {trans, 3, 3, 3, 1, 1, 0}, .alpha = c.alpha, .beta = c.beta};
    const size_t bytes = (2 * (size_t)c.s.lda + 3) * sizeof(T);
    const bool host = r->device->props.is_host;
    if (!routine_far(r, bytes))
        return;
    matrix_operands o;
    T *A = far_reserve(r->ctx, host, bytes);
    begin(r, &c, "far apart");
    if (A == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    if (build(r, &o, &small)) {
        void *const near = o.A.at;
        for (int64_t j = 0; j < 3; j++)
            CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), guarded_element(&o.A, 3 * j), 1,
                                              A + j * c.s.lda, 1));
        o.A.at = A;
        if (run(r, &o, &c) && guarded_fetch(&o.y))
            compare(r, &o, &small);
        o.A.at = near;
    }
    matrix_destroy(&o);
    far_release(r->ctx, host, A, bytes);
}

static void edges(routine *r)
{
    const T zero = make(0, 0), minus_zero = make(-0.0, 0), one = make(1, 0), two = make(2, 0);
    if (matrix_left_out(r))
        return;
    for (int t = 0; t < 3; t++) {
        const matrix_shape plain = {transposes[t], 37, 21, 40, 1, 1, 0};
        const matrix_shape s = matrix_of_run(r, plain, 0);
        const matrix_shape odd = matrix_of_run(r, (matrix_shape){s.trans, 9, 70, 9, 1, -1, 1}, 1);
        nothing(r, transposes[t]);
        for (int device = 0; device < 2; device++) {
            not_read(r, &s, zero, two, device);
            not_read(r, &s, minus_zero, one, device);
            not_read(r, &s, zero, zero, device);
            not_read(r, &s, two, zero, device);
            not_read(r, &odd, one, minus_zero, device);
        }
        for (int64_t e = 0; e < 21; e += 5) {
            spreads(r, &s, 36 - e, e, NAN);
            spreads(r, &s, e, 20 - e, INFINITY);
            spreads(r, &s, -1, e, e % 2 ? NAN : INFINITY);
        }
        spreads(r, &odd, 8, 69, NAN);
        spreads(r, &odd, 0, 0, INFINITY);
        const matrix_shape same = {transposes[t], 20, 10, 32, 0, 1, 0};
        check(r, &(gemv_case){.s = r->variant == NULL ? same : s, .alpha = two, .beta = one});
        far_apart(r, transposes[t]);
    }
}

/* ---- Guards, arguments, repeat
 * ---------------------------------------------------------------------- */

static void guards(routine *r)
{
    static const struct {
        guarded_fill fill;
        guarded_fence fence;
    } ways[] = {{FILL_PATTERN, LOOSE},
                {FILL_NAN, LOOSE},
                {FILL_PATTERN, TIGHT_BEHIND},
                {FILL_PATTERN, TIGHT_BEFORE}};
    int count;
    const matrix_shape *shapes = matrix_few_shapes(r, &count);
    for (int i = 0; i < count; i++)
        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
            check(r, &(gemv_case){.s = shapes[i],
                                  .seed = 200,
                                  .alpha = make(3, -1),
                                  .beta = make(-2, 1),
                                  .on_device = w % 2,
                                  .fill = ways[w].fill,
                                  .fence = ways[w].fence});
}

typedef struct given {
    bool dev;
    const T *alpha, *beta; /* of the form with scalars on the device */
} given;

static gable_status gemv(gable_context *ctx, const given *g, int trans, int64_t m, int64_t n,
                         const T *A, int64_t lda, const T *x, T *y, int64_t incy)
{
    const T two = make(2, 0);
    const gable_trans as = (gable_trans)trans;
    return g->dev ? FN(gemv_dev)(ctx, as, m, n, g->alpha, A, lda, x, 1, g->beta, y, incy)
                  : FN(gemv)(ctx, as, m, n, two, A, lda, x, 1, two, y, incy);
}

static void illegal(routine *r, const matrix_operands *o, bool dev)
{
    enum { N = GABLE_NO_TRANS };
    const char *name = dev ? NAME(FN(gemv_dev)) : NAME(FN(gemv));
    const T *A = o->A.at, *x = o->x.at, *alpha = o->scalars.at;
    T *y = o->y.at, outside[32];
    const given good = {dev, alpha, alpha + 1}, *g = &good;
    gable_context *ctx = r->ctx;
    memset(outside, 0, sizeof outside);
    CHECK_STATUS(NULL, gemv(NULL, g, N, 5, 4, A, 5, x, y, 1), GABLE_BAD_ARGUMENT);
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
    REFUSED(gemv(ctx, g, 7, 5, 4, A, 5, x, y, 1), "argument 2 (trans)", "7", "GABLE_NO_TRANS");
    REFUSED(gemv(ctx, g, 114, 0, 0, A, 5, x, y, 1), "argument 2 (trans)", "114");
    REFUSED(gemv(ctx, g, N, -3, 4, A, 5, x, y, 1), "argument 3 (m)", "-3");
    REFUSED(gemv(ctx, g, N, 5, -2, A, 5, x, y, 1), "argument 4 (n)", "-2");
    REFUSED(gemv(ctx, g, N, 5, 4, NULL, 5, x, y, 1), "argument 6 (A)", "NULL");
    REFUSED(gemv(ctx, g, N, 5, 4, A, 4, x, y, 1), "argument 7 (lda)", "4", "5");
    REFUSED(gemv(ctx, g, GABLE_TRANS, 5, 4, A, 4, x, y, 1), "argument 7 (lda)", "4", "5");
    REFUSED(gemv(ctx, g, N, 0, 4, A, 0, x, y, 1), "argument 7 (lda)", "0", "1");
    REFUSED(gemv(ctx, g, N, 5, 4, A, -5, x, y, 1), "argument 7 (lda)", "-5");
    REFUSED(gemv(ctx, g, N, 5, 4, A, 5, NULL, y, 1), "argument 8 (x)", "NULL");
    REFUSED(gemv(ctx, g, N, 5, 4, A, 5, x, NULL, 1), "argument 11 (y)", "NULL");
    REFUSED(gemv(ctx, g, N, 5, 4, A, 5, x, y, 0), "argument 12 (incy)", "0");
    REFUSED(gemv(ctx, g, N, 0, 4, A, 5, x, y, 0), "argument 12 (incy)", "0");
    REFUSED(gemv(ctx, g, N, 5, 4, NULL, 1, NULL, NULL, 0), "argument 6 (A)", "NULL");
    if (dev) {
        const given no_alpha = {true, NULL, alpha}, no_beta = {true, alpha, NULL};
        REFUSED(gemv(ctx, &no_alpha, N, 5, 4, A, 5, x, y, 1), "argument 5 (alpha)", "NULL");
        REFUSED(gemv(ctx, &no_beta, N, 5, 4, A, 5, x, y, 1), "argument 10 (beta)", "NULL");
    }
    if (!r->device->props.is_host) {
        const char *device = r->device->info.name;
        REFUSED(gemv(ctx, g, N, 5, 4, outside, 5, x, y, 1), "argument 6 (A)", device,
                "gable_alloc");
        REFUSED(gemv(ctx, g, N, 5, 4, A, 5, outside, y, 1), "argument 8 (x)", device,
                "gable_alloc");
        REFUSED(gemv(ctx, g, N, 5, 4, A, 5, x, outside, 1), "argument 11 (y)", device,
                "gable_alloc");
    }
#undef REFUSED
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
}

static void arguments(routine *r)
{
    const gemv_case c = {.s = {GABLE_NO_TRANS, 5, 4, 16, 1, 1, 0},
                         .alpha = make(2, 0),
                         .beta = make(2, 0),
                         .fill = FILL_PATTERN};
    matrix_operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        illegal(r, &o, false);
        illegal(r, &o, true);
        if (guarded_fetch(&o.y))
            guarded_same(&o.y, "y");
        matrix_unchanged(&o);
        run(r, &o, &c); /* the context works on */
    }
    matrix_destroy(&o);
}

/* The call recorded, with its scalars on the device, which are right only when it is replayed. */
static bool replayed(routine *r, matrix_operands *o, const gemv_case *c)
{
    gable_recording *recording = NULL;
    gemv_case from_device = *c;
    from_device.on_device = true;
    if (!build(r, o, &from_device))
        return false;
    CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o->scalars.memory, 0xff, o->scalars.bytes));
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, enqueue(r, o, &from_device));
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    const bool good = recording != NULL && guarded_send(&o->scalars) &&
                      CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && guarded_fetch(&o->y);
    gable_recording_destroy(recording);
    return good;
}

static void same_bits(routine *r, const matrix_shape *s)
{
    const gemv_case c = {
        .s = *s, .seed = 400, .alpha = make(0.7, -0.3), .beta = make(-0.6, 0.2), .random = true};
    matrix_operands first, second;
    begin(r, &c, "twice");
    if (build(r, &first, &c) && run(r, &first, &c) && guarded_fetch(&first.y)) {
        if (build(r, &second, &c) && run(r, &second, &c) && guarded_fetch(&second.y))
            CHECK(memcmp(first.y.got, second.y.got, first.y.bytes) == 0,
                  "the same call gave other bits");
        matrix_destroy(&second);
        if (replayed(r, &second, &c))
            CHECK(memcmp(first.y.got, second.y.got, first.y.bytes) == 0,
                  "the replay with scalars on the device gave other bits");
        matrix_destroy(&second);
    }
    matrix_destroy(&first);
}

static void repeat(routine *r)
{
    int count;
    const matrix_shape *shapes = matrix_few_shapes(r, &count);
    for (int i = 0; i < count; i++)
        same_bits(r, &shapes[i]);
    /* All variants agree within the bound. Not where kernels take long to compile: there `exact` runs them. */
    const gbl_variant *forced = r->variant;
    const bool fast = r->all || r->device->props.is_host || r->device->props.is_gpu;
    for (int v = 0; fast && forced == NULL && v < r->op->variant_count; v++) {
        if (!routine_variant_fits(r, &r->op->variants[v]) ||
            !routine_force(r, &r->op->variants[v], ""))
            continue;
        shapes = matrix_few_shapes(r, &count);
        for (int i = 0; i < count; i++)
            check(r, &(gemv_case){.s = shapes[i],
                                  .seed = 500,
                                  .alpha = make(0.7, -0.3),
                                  .beta = make(-0.6, 0.2),
                                  .random = true,
                                  .on_device = i % 2});
        routine_unforce(r);
    }
}

const routine_parts PARTS = {
    "gemv", LETTER, DTYPE, {exact, residual, edges, guards, arguments, repeat}, matrix_probe};
