/* test_geam.c: the six parts of geam: C := alpha op(A) + beta op(B)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: |error| <= 3 u (|alpha| |a| + |beta| |b|): two products and a sum,
 * with and without fused multiply-add (Higham, Accuracy and Stability, 3.1), for complex numbers
 * times up to 2 sqrt 2 (3.6). With small integers reference and result are exact. Scalars come by
 * value and from the device in turn. C may be A or B where these are not transposed.
 */
#include <math.h>
#include <stdio.h>
#include "harness/dense_data.h"
#include "harness/wide.h"
#include "harness/numbers.h"

typedef enum geam_alias { APART_FROM_C, A_IS_C, B_IS_C } geam_alias;

typedef struct geam_case {
    gable_trans transa, transb;
    dense_shape s; /* of C; at[0] is A's place, at[1] B's, at[2] C's */
    T alpha, beta;
    geam_alias alias;
    bool random, on_device;
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} geam_case;

typedef struct operands {
    dense A, B, C; /* that which is C has no memory of its own */
    guarded scalars;
} operands;

static void small_integer(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, integer_element(seed, i, 100));
}

static void any(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, random_element(seed, i));
}

static T integer_scalar(uint64_t seed)
{
    return make((double)(seed % 5) - 2, (double)(seed % 3) - 1);
}

static double size_of(T t)
{
    return wide_size(real_part(t), imaginary_part(t));
}

static dense *matrix_a(operands *o, const geam_case *c)
{
    return c->alias == A_IS_C ? &o->C : &o->A;
}

static dense *matrix_b(operands *o, const geam_case *c)
{
    return c->alias == B_IS_C ? &o->C : &o->B;
}

static bool make_operand(routine *r, dense *d, const geam_case *c, gable_trans trans, int which)
{
    const bool t = trans != GABLE_NO_TRANS;
    return dense_make(d, r->ctx, t ? c->s.n : c->s.m, t ? c->s.m : c->s.n, c->s.at[which],
                      sizeof(T), c->random ? any : small_integer, c->seed + (uint64_t)which,
                      c->fill, c->fence) &&
           guarded_send(&d->v);
}

static bool build(routine *r, operands *o, const geam_case *c)
{
    memset(o, 0, sizeof *o);
    if ((c->alias != A_IS_C && !make_operand(r, &o->A, c, c->transa, 0)) ||
        (c->alias != B_IS_C && !make_operand(r, &o->B, c, c->transb, 1)) ||
        !make_operand(r, &o->C, c, GABLE_NO_TRANS, 2) ||
        !guarded_make(&o->scalars, r->ctx, 2, 1, sizeof(T), 0, FILL_NAN, LOOSE))
        return false;
    put(&o->scalars, 0, c->alpha);
    put(&o->scalars, 1, c->beta);
    return guarded_send(&o->scalars);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->B);
    dense_destroy(&o->C);
    guarded_destroy(&o->scalars);
}

static gable_status enqueue(routine *r, operands *o, const geam_case *c)
{
    const dense *A = matrix_a(o, c), *B = matrix_b(o, c), *C = &o->C;
    const T *scalars = o->scalars.at;
    return c->on_device ? FN(geam_dev)(r->ctx, c->transa, c->transb, c->s.m, c->s.n, scalars,
                                       A->v.at, A->ld, scalars + 1, B->v.at, B->ld, C->v.at, C->ld)
                        : FN(geam)(r->ctx, c->transa, c->transb, c->s.m, c->s.n, c->alpha, A->v.at,
                                   A->ld, c->beta, B->v.at, B->ld, C->v.at, C->ld);
}

static bool run(routine *r, operands *o, const geam_case *c)
{
    T *const scalars = o->scalars.at;
    const dense *A = matrix_a(o, c), *B = matrix_b(o, c);
    const gbl_matrix_call call =
        TYPED_CALL(.trans = c->transa, .trans_b = c->transb, .m = c->s.m, .n = c->s.n,
                   .alpha = {c->on_device ? scalars : NULL, real_part(c->alpha),
                             imaginary_part(c->alpha)},
                   .beta = {c->on_device ? scalars + 1 : NULL, real_part(c->beta),
                            imaginary_part(c->beta)},
                   .A = A->v.at, .lda = A->ld, .B = B->v.at, .ldb = B->ld, .C = o->C.v.at,
                   .ldc = o->C.ld);
    return routine_ran(r, enqueue(r, o, c), c->s.m == 0 || c->s.n == 0 ? NULL : &call);
}

typedef struct wide_number {
    wide re, im;
    double size;
} wide_number;

/* Adds factor times op(x). */
static void add_product(wide_number *sum, T factor, T x, bool conj)
{
    const double fr = real_part(factor), fi = imaginary_part(factor), xr = real_part(x),
                 xi = conj ? -imaginary_part(x) : imaginary_part(x);
    if (fr == 0 && fi == 0)
        return;
    sum->re = wide_gather(sum->re, fr, xr);
    if (COMPLEX) {
        sum->re = wide_gather(sum->re, -fi, xi);
        sum->im = wide_gather(wide_gather(sum->im, fr, xi), fi, xr);
    }
    sum->size += size_of(factor) * size_of(x);
}

static T element(const dense *d, gable_trans trans, int64_t i, int64_t j)
{
    return get(&d->v, trans == GABLE_NO_TRANS ? i + j * d->ld : j + i * d->ld);
}

static wide_number reference(operands *o, const geam_case *c, int64_t i, int64_t j)
{
    wide_number sum = {{0, 0}, {0, 0}, 0};
    add_product(&sum, c->alpha, element(matrix_a(o, c), c->transa, i, j),
                c->transa == GABLE_CONJ_TRANS);
    add_product(&sum, c->beta, element(matrix_b(o, c), c->transb, i, j),
                c->transb == GABLE_CONJ_TRANS);
    return sum;
}

/* Every element of C as fetched against the reference, and what is around them. */
static void compare(routine *r, operands *o, const geam_case *c)
{
    const double factor = c->random ? 3 * ROUNDOFF : 0;
    for (int64_t j = 0; j < c->s.n; j++) {
        for (int64_t i = 0; i < c->s.m; i++) {
            const wide_number want = reference(o, c, i, j);
            const T is = got(&o->C.v, i + j * o->C.ld);
            const double error = wide_size(wide_distance(want.re, real_part(is)),
                                           wide_distance(want.im, imaginary_part(is)));
            const long before = test_failures();
            routine_error(r, error, factor * want.size, LIMIT);
            if (test_failures() > before) {
                CHECK(false, "the wrong element is (%lld, %lld)", (long long)i, (long long)j);
                return;
            }
        }
    }
    dense_gaps(&o->C, "C");
}

static void unchanged(operands *o, const geam_case *c)
{
    if (c->alias != A_IS_C && guarded_fetch(&o->A.v))
        guarded_same(&o->A.v, "A");
    if (c->alias != B_IS_C && guarded_fetch(&o->B.v))
        guarded_same(&o->B.v, "B");
}

static void begin(routine *r, const geam_case *c, const char *more)
{
    r->cases++;
    test_case("geam %c %s variant=%s part=%s trans=%c%c m=%lld n=%lld gaps=%lld,%lld,%lld "
              "offsets=%d,%d,%d columns=%d,%d,%d alpha=%g,%g beta=%g,%g scalars %s alias=%d "
              "fence=%d seed=%llu %s",
              r->letter, test_device(), r->choice, r->part, "NTC"[c->transa - GABLE_NO_TRANS],
              "NTC"[c->transb - GABLE_NO_TRANS], (long long)c -> s.m, (long long)c->s.n,
              (long long)c->s.at[0].gap, (long long)c->s.at[1].gap, (long long)c->s.at[2].gap,
              c->s.at[0].offset, c->s.at[1].offset, c->s.at[2].offset, (int)c->s.at[0].columns,
              (int)c->s.at[1].columns, (int)c->s.at[2].columns, real_part(c->alpha),
              imaginary_part(c->alpha), real_part(c->beta), imaginary_part(c->beta),
              c->on_device ? "on device" : "by value", (int)c->alias, (int)c->fence,
              (unsigned long long)c->seed, more);
}

static void check(routine *r, const geam_case *c)
{
    operands o;
    begin(r, c, "");
    if (build(r, &o, c) && run(r, &o, c) && guarded_fetch(&o.C.v)) {
        compare(r, &o, c);
        unchanged(&o, c);
    }
    destroy(&o);
}

static const gable_trans transposes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};

static bool slow_kernels(const routine *r)
{
    return !r->all && !r->device->props.is_host && !r->device->props.is_gpu;
}

/* All pairs of ops; where kernels compile slowly N with N, and two others in each precision:
 * together they are all but N with C and C with C, which are other kernels than N with T and T with
 * T by one sign. */
static bool tried(const routine *r, int ta, int tb)
{
    static const int others[4][2][2] = {
        {{0, 1}, {1, 0}}, {{1, 1}, {0, 1}}, {{2, 0}, {1, 2}}, {{2, 1}, {1, 0}}};
    const int(*pairs)[2] = others[r->dtype];
    if (!slow_kernels(r))
        return true;
    return (ta == 0 && tb == 0) || (ta == pairs[0][0] && tb == pairs[0][1]) ||
           (ta == pairs[1][0] && tb == pairs[1][1]);
}

#define LARGE 10000 /* elements from which a third of the pairs is tried */

static void check_pairs(routine *r, geam_case c, int number)
{
    const bool few = !r->all && c.s.m * c.s.n > LARGE && !slow_kernels(r);
    for (int t = 0; t < 9; t++) {
        if (!tried(r, t / 3, t % 3) || (few && (t / 3 + t + number) % 3 != 0))
            continue;
        c.transa = transposes[t / 3];
        c.transb = transposes[t % 3];
        c.on_device = (t + number) % 2;
        check(r, &c);
    }
    c.transa = c.transb = GABLE_NO_TRANS;
    c.alias = A_IS_C;
    check(r, &c);
    c.transa = GABLE_TRANS;
    c.alias = B_IS_C;
    check(r, &c);
}

static void exact(routine *r)
{
    int count;
    const dense_shape *shapes = dense_shapes(r, &count);
    if (dense_left_out(r))
        return;
    for (int i = 0; i < count; i++)
        check_pairs(r,
                    (geam_case){.s = shapes[i],
                                .seed = 10 * (uint64_t)i,
                                .alpha = integer_scalar((uint64_t)i),
                                .beta = integer_scalar((uint64_t)i / 3 + 1)},
                    i);
}

static void residual(routine *r)
{
    int count;
    const dense_shape *shapes = dense_shapes(r, &count);
    for (int i = 0; i < count; i++)
        check_pairs(r,
                    (geam_case){.s = shapes[i],
                                .seed = 10000 + 10 * (uint64_t)i,
                                .alpha = random_element(10003 + (uint64_t)i, 0),
                                .beta = random_element(10004 + (uint64_t)i, 0),
                                .random = true},
                    i + 1);
}

/* ---- Edges ---- */

/* m = 0 or n = 0: C stays, and no pointer is looked at. */
static void nothing(routine *r, gable_trans trans)
{
    const geam_case c = {.transa = trans,
                         .transb = trans,
                         .s = {.m = 4, .n = 4},
                         .alpha = make(2, 0),
                         .beta = make(2, 0),
                         .fill = FILL_PATTERN};
    const T two = make(2, 0);
    operands o;
    begin(r, &c, "m = 0 and n = 0");
    if (build(r, &o, &c)) {
        gable_context *ctx = r->ctx;
        T *A = o.A.v.at, *B = o.B.v.at, *C = o.C.v.at;
        CHECK_OK(ctx, FN(geam)(ctx, trans, trans, 0, 4, two, A, 4, two, B, 4, C, 1));
        CHECK_OK(ctx, FN(geam)(ctx, trans, trans, 4, 0, two, A, 4, two, B, 4, C, 4));
        CHECK_OK(ctx, FN(geam)(ctx, trans, trans, 0, 0, two, NULL, 1, two, NULL, 1, NULL, 1));
        CHECK_OK(ctx, FN(geam_dev)(ctx, trans, trans, 4, 0, NULL, NULL, 4, NULL, NULL, 4, NULL, 4));
        if (guarded_fetch(&o.C.v))
            guarded_same(&o.C.v, "C");
    }
    destroy(&o);
}

/* What is multiplied by zero is NaN and does not matter, nor does what C holds; by value it may be
 * NULL. */
static void not_read(routine *r, const dense_shape *s, int pair, T alpha, T beta, bool on_device,
                     bool null)
{
    const geam_case c = {.transa = transposes[pair / 3],
                         .transb = transposes[pair % 3],
                         .s = *s,
                         .alpha = alpha,
                         .beta = beta,
                         .on_device = on_device,
                         .seed = 60};
    operands o;
    begin(r, &c, null ? "what is not read is NULL" : "what is not read is NaN");
    if (build(r, &o, &c)) {
        bool good = CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.C.v.memory, 0xff, o.C.v.bytes)) &&
                    guarded_send(&o.C.v);
        if (size_of(alpha) == 0 && null)
            o.A.v.at = NULL;
        else if (size_of(alpha) == 0)
            good =
                good && CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.A.v.memory, 0xff, o.A.v.bytes));
        if (size_of(beta) == 0 && null)
            o.B.v.at = NULL;
        else if (size_of(beta) == 0)
            good =
                good && CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.B.v.memory, 0xff, o.B.v.bytes));
        if (good && run(r, &o, &c) && guarded_fetch(&o.C.v))
            compare(r, &o, &c);
    }
    destroy(&o);
}

static bool finite_number(T t)
{
    return isfinite(real_part(t)) && isfinite(imaginary_part(t));
}

/* NaN and Inf reach their own elements and no others. */
static void spreads(routine *r, const dense_shape *s, int pair)
{
    const geam_case c = {.transa = transposes[pair / 3],
                         .transb = transposes[pair % 3],
                         .s = *s,
                         .alpha = make(2, 0),
                         .beta = make(-1, 0),
                         .seed = 70};
    operands o;
    begin(r, &c, "NaN and Inf");
    if (build(r, &o, &c)) {
        const int64_t last_a = (o.A.rows - 1) + (o.A.columns - 1) * o.A.ld;
        put(&o.A.v, last_a, make(NAN, 1));
        put(&o.B.v, 0, make(INFINITY, 1));
        if (guarded_send(&o.A.v) && guarded_send(&o.B.v) && run(r, &o, &c) &&
            guarded_fetch(&o.C.v)) {
            for (int64_t j = 0; j < s->n; j++)
                for (int64_t i = 0; i < s->m; i++) {
                    const bool reached = i + j == 0 || (i == s->m - 1 && j == s->n - 1);
                    CHECK(finite_number(got(&o.C.v, i + j * o.C.ld)) != reached,
                          "element (%lld, %lld) is %g", (long long)i, (long long)j,
                          real_part(got(&o.C.v, i + j * o.C.ld)));
                }
            dense_gaps(&o.C, "C");
        }
    }
    destroy(&o);
}

static void edges(routine *r)
{
    const T zero = make(0, 0), minus_zero = make(-0.0, 0), two = make(2, 0), one = make(1, 0);
    int count;
    const dense_shape *shapes = dense_few_shapes(r, &count);
    if (dense_left_out(r))
        return;
    for (int t = 0; t < 3; t++)
        nothing(r, transposes[t]);
    for (int pair = 0; pair < 9; pair++) {
        if (!tried(r, pair / 3, pair % 3))
            continue;
        for (int device = 0; device < 2; device++) {
            not_read(r, &shapes[2], pair, zero, two, device, false);
            not_read(r, &shapes[2], pair, one, minus_zero, device, false);
            not_read(r, &shapes[3], pair, zero, zero, device, false);
        }
        not_read(r, &shapes[2], pair, zero, two, false, true);
        not_read(r, &shapes[2], pair, one, zero, false, true);
        not_read(r, &shapes[3], pair, zero, zero, false, true);
        for (int i = 0; i < count; i += 3)
            spreads(r, &shapes[i], pair);
    }
}

/* ---- Guards, arguments, repeat ---- */

static void guards(routine *r)
{
    int count;
    const dense_shape *shapes = dense_few_shapes(r, &count);
    for (int i = 0; i < count; i++)
        for (int w = 0; w < GUARDED_WAYS; w++)
            check_pairs(r,
                        (geam_case){.s = shapes[i],
                                    .seed = 200,
                                    .alpha = make(3, -1),
                                    .beta = make(-2, 1),
                                    .fill = guarded_ways[w].fill,
                                    .fence = guarded_ways[w].fence},
                        w);
}

typedef struct given {
    bool dev;
    const T *alpha, *beta; /* of the form with scalars on the device */
} given;

static gable_status geam(gable_context *ctx, const given *g, int ta, int tb, int64_t m, int64_t n,
                         const T *A, int64_t lda, const T *B, int64_t ldb, T *C, int64_t ldc)
{
    const T two = make(2, 0);
    return g->dev ? FN(geam_dev)(ctx, (gable_trans)ta, (gable_trans)tb, m, n, g->alpha, A, lda,
                                 g->beta, B, ldb, C, ldc)
                  : FN(geam)(ctx, (gable_trans)ta, (gable_trans)tb, m, n, two, A, lda, two, B, ldb,
                             C, ldc);
}

static void illegal(routine *r, const operands *o, bool dev)
{
    enum { N = GABLE_NO_TRANS, X = GABLE_TRANS };
    const char *name = dev ? NAME(FN(geam_dev)) : NAME(FN(geam));
    const T *A = o->A.v.at, *B = o->B.v.at, *alpha = o->scalars.at;
    T *C = o->C.v.at, outside[32];
    const given good = {dev, alpha, alpha + 1}, *g = &good;
    gable_context *ctx = r->ctx;
    memset(outside, 0, sizeof outside);
    CHECK_STATUS(NULL, geam(NULL, g, N, N, 5, 4, A, 5, B, 5, C, 5), GABLE_BAD_ARGUMENT);
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
    REFUSED(geam(ctx, g, 7, N, 5, 4, A, 5, B, 5, C, 5), "argument 2 (transa)", "7");
    REFUSED(geam(ctx, g, N, 9, 5, 4, A, 5, B, 5, C, 5), "argument 3 (transb)", "9");
    REFUSED(geam(ctx, g, N, N, -3, 4, A, 5, B, 5, C, 5), "argument 4 (m)", "-3");
    REFUSED(geam(ctx, g, N, N, 5, -2, A, 5, B, 5, C, 5), "argument 5 (n)", "-2");
    REFUSED(geam(ctx, g, N, N, 5, 4, NULL, 5, B, 5, C, 5), "argument 7 (A)", "NULL");
    REFUSED(geam(ctx, g, N, N, 5, 4, A, 4, B, 5, C, 5), "argument 8 (lda)", "4", "5");
    REFUSED(geam(ctx, g, X, N, 5, 4, A, 3, B, 5, C, 5), "argument 8 (lda)", "3", "4");
    REFUSED(geam(ctx, g, N, N, 5, 4, A, 5, NULL, 5, C, 5), "argument 10 (B)", "NULL");
    REFUSED(geam(ctx, g, N, N, 5, 4, A, 5, B, 4, C, 5), "argument 11 (ldb)", "4", "5");
    REFUSED(geam(ctx, g, N, X, 5, 4, A, 5, B, 3, C, 5), "argument 11 (ldb)", "3", "4");
    REFUSED(geam(ctx, g, N, N, 5, 4, A, 5, B, 5, NULL, 5), "argument 12 (C)", "NULL");
    REFUSED(geam(ctx, g, N, N, 5, 4, A, 5, B, 5, C, 4), "argument 13 (ldc)", "4", "5");
    REFUSED(geam(ctx, g, N, N, 0, 4, A, 5, B, 5, C, 0), "argument 13 (ldc)", "0", "1");
    REFUSED(geam(ctx, g, X, N, 4, 4, C, 5, B, 5, C, 5), "argument 7 (A)", "is C", "transposed");
    REFUSED(geam(ctx, g, N, X, 4, 4, A, 5, C, 5, C, 5), "argument 10 (B)", "is C", "transposed");
    REFUSED(geam(ctx, g, N, N, 4, 4, C, 5, B, 5, C, 4), "argument 8 (lda)", "5", "ldc");
    REFUSED(geam(ctx, g, N, N, 4, 4, A, 5, C, 4, C, 5), "argument 11 (ldb)", "4", "ldc");
    if (dev) {
        const given no_alpha = {true, NULL, alpha}, no_beta = {true, alpha, NULL};
        REFUSED(geam(ctx, &no_alpha, N, N, 5, 4, A, 5, B, 5, C, 5), "argument 6 (alpha)", "NULL");
        REFUSED(geam(ctx, &no_beta, N, N, 5, 4, A, 5, B, 5, C, 5), "argument 9 (beta)", "NULL");
    }
    if (!r->device->props.is_host) {
        const char *device = r->device->info.name;
        REFUSED(geam(ctx, g, N, N, 5, 4, outside, 5, B, 5, C, 5), "argument 7 (A)", device);
        REFUSED(geam(ctx, g, N, N, 5, 4, A, 5, outside, 5, C, 5), "argument 10 (B)", device);
        REFUSED(geam(ctx, g, N, N, 5, 4, A, 5, B, 5, outside, 5), "argument 12 (C)", device);
    }
#undef REFUSED
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
}

static void arguments(routine *r)
{
    const geam_case c = {.transa = GABLE_NO_TRANS,
                         .transb = GABLE_NO_TRANS,
                         .s = {.m = 5, .n = 4},
                         .alpha = make(2, 0),
                         .beta = make(2, 0),
                         .fill = FILL_PATTERN};
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        illegal(r, &o, false);
        illegal(r, &o, true);
        if (guarded_fetch(&o.C.v))
            guarded_same(&o.C.v, "C");
        unchanged(&o, &c);
        run(r, &o, &c); /* the context works on */
    }
    destroy(&o);
}

/* The same call again, and recorded with scalars on the device that are right only when it is
 * replayed. */
static void same_bits(routine *r, const geam_case *given_case)
{
    geam_case c = *given_case;
    operands first, second;
    gable_recording *recording = NULL;
    begin(r, &c, "twice");
    memset(&second, 0, sizeof second);
    if (build(r, &first, &c) && run(r, &first, &c) && guarded_fetch(&first.C.v)) {
        c.on_device = true;
        if (build(r, &second, &c)) {
            CHECK_OK(r->ctx,
                     gable_fill_bytes(r->ctx, second.scalars.memory, 0xff, second.scalars.bytes));
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, enqueue(r, &second, &c));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            if (recording != NULL && guarded_send(&second.scalars) &&
                CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && guarded_fetch(&second.C.v))
                CHECK(memcmp(first.C.v.got, second.C.v.got, first.C.v.bytes) == 0,
                      "the replay with scalars on the device gave other bits");
            gable_recording_destroy(recording);
        }
    }
    destroy(&first);
    destroy(&second);
}

static void repeat(routine *r)
{
    int count;
    const dense_shape *shapes = dense_few_shapes(r, &count);
    for (int i = 0; i < count; i++)
        for (int pair = 0; pair < 9; pair++)
            if (tried(r, pair / 3, pair % 3))
                same_bits(r, &(geam_case){.transa = transposes[pair / 3],
                                          .transb = transposes[pair % 3],
                                          .s = shapes[i],
                                          .alpha = make(0.7, -0.3),
                                          .beta = make(-0.6, 0.2),
                                          .random = true,
                                          .seed = 400});
}

/* Nothing transposed, one operand, both. */
static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[6]; /* addresses are looked at, nothing is read */
    static gbl_matrix_call call;
    if (i >= 3)
        return NULL;
    call = (gbl_matrix_call){.dtype = r->dtype,
                             .trans = i > 0 ? GABLE_TRANS : GABLE_NO_TRANS,
                             .trans_b = i > 1 ? GABLE_TRANS : GABLE_NO_TRANS,
                             .m = 200,
                             .n = 200,
                             .alpha = {NULL, 2, 0},
                             .beta = {NULL, 3, 0},
                             .A = memory,
                             .lda = 208,
                             .B = memory + 2,
                             .ldb = 208,
                             .C = memory + 4,
                             .ldc = 208};
    return &call;
}

const routine_parts PARTS =
    TEST_PARTS("geam", .run = {exact, residual, edges, guards, arguments, repeat}, .probe = probe);
