/* test_gemv_batched.c: the six parts of gemv for many matrices, by strides and by arrays of
 * addresses
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: |error| <= (k + 2) u (|alpha| |op(A)| |x| + |beta| |y|) with k the
 * length of the sums, for complex numbers times up to 2 sqrt 2, as for gemv; small integers are
 * exact.
 */
#include <stdio.h>
#include "harness/batch_data.h"

static gable_status enqueue(routine *r, const operands *o, const batch_case *c)
{
    const gbl_matrix_call k = call_of(o, c);
    const T *scalars = o->scalars.at;
    if (c->pointers && c->on_device)
        return FN(gemv_batched_dev)(r->ctx, k.trans, k.m, k.n, scalars, k.A, k.lda, k.x, k.incx,
                                    scalars + 1, k.y, k.incy, k.batch);
    if (c->pointers)
        return FN(gemv_batched)(r->ctx, k.trans, k.m, k.n, c->alpha, k.A, k.lda, k.x, k.incx,
                                c->beta, k.y, k.incy, k.batch);
    if (c->on_device)
        return FN(gemv_strided_dev)(r->ctx, k.trans, k.m, k.n, scalars, k.A, k.lda, k.stride_a, k.x,
                                    k.incx, k.stride_x, scalars + 1, k.y, k.incy, k.stride_y,
                                    k.batch);
    return FN(gemv_strided)(r->ctx, k.trans, k.m, k.n, c->alpha, k.A, k.lda, k.stride_a, k.x,
                            k.incx, k.stride_x, c->beta, k.y, k.incy, k.stride_y, k.batch);
}

static void begin(routine *r, const batch_case *c, const char *more)
{
    r->cases++;
    test_case("%s %c %s variant=%s part=%s %s trans=%c m=%lld n=%lld batch=%lld lda=%lld "
              "between=%lld incx=%lld incy=%lld offset=%d seed=%llu%s%s alpha=%g,%g beta=%g,%g "
              "scalars %s fence=%d %s",
              r->op->stem, r->letter, test_device(), r->choice, r->part,
              c->pointers ? "pointers" : "strided", "NTC"[c->trans - GABLE_NO_TRANS],
              (long long)c -> m, (long long)c -> n, (long long)c -> batch, (long long)lda_of(c),
              (long long)c -> between, (long long)c -> incx, (long long)c -> incy, c -> offset,
              (unsigned long long)c -> seed, c -> same_a ? " one A" : "", c->same_x ? " one x" : "",
              real_part(c->alpha), imaginary_part(c->alpha), real_part(c->beta),
              imaginary_part(c->beta), c->on_device ? "on device" : "by value", (int)c->fence,
              more);
}

#define BATCH_CALL gbl_matrix_call
#define OUTPUT     y
#include "harness/batch_parts.h"

static void check(routine *r, const batch_case *c)
{
    operands o;
    begin(r, c, "");
    if (build(r, &o, c) && run(r, &o, c) && guarded_fetch(&o.y) && guarded_fetch(&o.A) &&
        guarded_fetch(&o.x)) {
        compare(r, &o, c);
        guarded_same(&o.A, "A");
        guarded_same(&o.x, "x");
    }
    destroy(&o);
}

/* ---- Cases ---- */

static const gable_trans transposes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};

static bool takes_all(const routine *r)
{
    return r->all || r->device->props.is_host;
}

/* Where kernels compile slowly a precision sees one form: columns that start alike and contiguous x
 * in s and c, the other in d and z; arrays of addresses in s and z, strides in d and c; in z C for
 * T. Forced variants see the first. */
static bool stands_apart(const routine *r)
{
    return routine_slow_compiler(r) && r->variant == NULL &&
           (r->dtype == GBL_D || r->dtype == GBL_Z);
}

static bool addressed(const routine *r, bool wanted)
{
    if (!routine_slow_compiler(r))
        return wanted;
    return r->variant == NULL && (r->dtype == GBL_S || r->dtype == GBL_Z);
}

/* The list of cases, and its length. Kernels differ by shape on GPUs, by alignment everywhere.
 * Where they compile slowly forced variants see four shapes. */
static int make_cases(const routine *r, batch_case *list)
{
    static const struct {
        int64_t m, n, batch;
    } sizes[] = {{8, 8, 70},   {7, 7, 65},   {16, 16, 40},  {32, 32, 33}, {1, 1, 100},
                 {4, 3, 1000}, {1, 5, 3},    {5, 1, 3},     {2, 3, 50},   {10, 6, 5},
                 {17, 33, 2},  {31, 31, 36}, {33, 20, 1},   {64, 64, 34}, {65, 30, 3},
                 {130, 7, 4},  {7, 130, 35}, {200, 150, 3}, {6, 9, 2500}, {600, 451, 2}};
    static const int64_t gaps[] = {0, 0, 1, 3}, strides[] = {1, 2, -1, -3};
    const bool few = !takes_all(r) && !routine_compiles_fast(r);
    int made = 0;
    for (int i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++) {
        if (few && r->variant != NULL && i % 6 != 1)
            continue;
        for (int t = 0; t < 3; t++) {
            batch_case c = {.trans = transposes[t],
                            .m = sizes[i].m,
                            .n = sizes[i].n,
                            .batch = sizes[i].batch,
                            .below = gaps[i % 4],
                            .between = gaps[(i + t) % 4],
                            .incx = strides[(i + t) % 4],
                            .incy = strides[i / 2 % 4],
                            .offset = i % 3,
                            .pointers = (i + t) % 3 == 1,
                            .same_a = i % 5 == 3,
                            .same_x = i % 7 == 5,
                            .backwards = i % 4 == 2};
            if (few) {
                const bool second = stands_apart(r);
                c.below = (c.m + 15) / 16 * 16 - c.m + second;
                c.pointers = addressed(r, c.pointers);
                c.between = 15 - (lda_of(&c) * (c.n - 1) + c.m + 15) % 16 + c.pointers;
                c.between = c.between == 0 ? 16 : c.between;
                c.incx = second ? -2 : 1;
                c.offset = 0;
                c.same_x = c.same_x && second;
                if (t > 0 && (r->dtype == GBL_Z ? t == 1 : t == 2 && r->variant != NULL))
                    continue;
            }
            list[made++] = c;
        }
    }
    return made;
}

/* A case for the parts that need few: 40 products of 12 by 10. */
static batch_case plain_case(const routine *r, gable_trans trans, bool wanted)
{
    const bool pointers = addressed(r, wanted);
    return (batch_case){.trans = trans,
                        .m = 12,
                        .n = 10,
                        .batch = 40,
                        .below = 4 + stands_apart(r),
                        .between = 4 + pointers,
                        .incx = stands_apart(r) ? -2 : 1,
                        .incy = 1,
                        .pointers = pointers,
                        .seed = 50};
}

/* Nothing to do: y stays, whatever beta is, and no pointer is looked at. */
static void nothing(routine *r, gable_trans trans)
{
    batch_case c = plain_case(r, trans, false);
    const T two = make(2, 0);
    operands o;
    begin(r, &c, "m = 0, n = 0 and batch = 0");
    if (build(r, &o, &c)) {
        gable_context *ctx = r->ctx;
        const T *A = o.A.at, *x = o.x.at;
        T *y = o.y.at;
        CHECK_OK(ctx, FN(gemv_strided)(ctx, trans, 0, 4, two, A, 1, 9, x, 1, 9, two, y, 1, 9, 3));
        CHECK_OK(ctx, FN(gemv_strided)(ctx, trans, 5, 0, two, A, 5, 9, x, 1, 9, two, y, 1, 9, 3));
        CHECK_OK(ctx, FN(gemv_strided)(ctx, trans, 5, 4, two, A, 5, 9, x, 1, 9, two, y, 1, 9, 0));
        CHECK_OK(ctx, FN(gemv_strided)(ctx, trans, 5, 4, two, NULL, 5, 9, NULL, 1, 9, two, NULL, 1,
                                       0, 0));
        CHECK_OK(ctx, FN(gemv_batched)(ctx, trans, 5, 4, two, NULL, 5, NULL, 1, two, NULL, 1, 0));
        CHECK_OK(ctx,
                 FN(gemv_batched_dev)(ctx, trans, 0, 4, NULL, NULL, 5, NULL, 1, NULL, NULL, 1, 7));
        CHECK_OK(ctx, FN(gemv_strided_dev)(ctx, trans, 5, 0, NULL, NULL, 5, 1, NULL, 1, 1, NULL,
                                           NULL, 1, 1, 2));
        if (guarded_fetch(&o.y))
            guarded_same(&o.y, "y");
    }
    destroy(&o);
}

/* alpha = 0: A and x are NaN and do not matter; beta = 0: nor does y. */
static void not_read(routine *r, batch_case c, T alpha, T beta)
{
    operands o;
    c.alpha = alpha;
    c.beta = beta;
    begin(r, &c, "what is not read is NaN");
    if (build(r, &o, &c)) {
        bool good = true; /* the images of A and x stay as the reference needs them */
        if (size_of(alpha) == 0)
            good = CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.A.memory, 0xff, o.A.bytes)) &&
                   CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.x.memory, 0xff, o.x.bytes));
        for (int64_t b = 0; size_of(beta) == 0 && b < c.batch; b++)
            for (int64_t i = 0; i < outputs(&c); i++)
                memset(guarded_element(&o.y, element_y(&c, b, i)), 0xff, sizeof(T));
        if (good && guarded_send(&o.y) && run(r, &o, &c) && guarded_fetch(&o.y))
            compare(r, &o, &c);
    }
    destroy(&o);
}

/* A NaN at (i, j) of one matrix reaches its element of one y and no other. */
static void spreads(routine *r, batch_case c, int64_t product, int64_t i, int64_t j, double special)
{
    operands o;
    c.alpha = make(2, 0);
    c.beta = make(1, 0);
    begin(r, &c, "a NaN or Inf in one matrix");
    if (build(r, &o, &c)) {
        const int64_t reached = c.trans == GABLE_NO_TRANS ? i : j;
        for (int64_t b = 0; b < c.batch; b++)
            for (int64_t k = 0; k < terms(&c); k++) /* no zeros, whose product with Inf is NaN */
                put(&o.x, element_x(&c, b, k), make(1 + (double)(k % 3), 1));
        put(&o.A, element_a(&c, product, i, j), make(special, 1));
        if (guarded_send(&o.A) && guarded_send(&o.x) && run(r, &o, &c) && guarded_fetch(&o.y)) {
            for (int64_t b = 0; b < c.batch; b++) {
                for (int64_t k = 0; k < outputs(&c); k++) {
                    const T z = got(&o.y, element_y(&c, b, k));
                    const bool finite = isfinite(real_part(z)) && isfinite(imaginary_part(z));
                    CHECK(finite != (b == product && k == reached), "element %lld of %lld is %g",
                          (long long)k, (long long)b, real_part(z));
                }
            }
            gaps_untouched(&o, &c);
        }
    }
    destroy(&o);
}

/* Matrices more than 2^31 elements apart. */
static void far_apart(routine *r, gable_trans trans)
{
    const int64_t stride = ((int64_t)1 << 31) + 5;
    batch_case c = {.trans = trans,
                    .m = 3,
                    .n = 2,
                    .batch = 2,
                    .incx = 1,
                    .incy = 1,
                    .between = 1,
                    .alpha = make(2, 0),
                    .beta = make(1, 0)};
    const size_t bytes = ((size_t)stride + 6) * sizeof(T);
    far_memory room;
    operands o;
    if (!far_take(r, 1, bytes, &room))
        return;
    T *A = room.at[0];
    begin(r, &c, "far apart");
    if (build(r, &o, &c)) {
        for (int64_t b = 0; b < 2; b++)
            CHECK_OK(r->ctx,
                     gable_set_vector(r->ctx, 6, sizeof(T), guarded_element(&o.A, start(&c, 0, b)),
                                      1, A + b * stride, 1));
        gbl_matrix_call call = call_of(&o, &c);
        call.A = A;
        call.stride_a = stride;
        const gable_status status =
            FN(gemv_strided)(r->ctx, trans, 3, 2, c.alpha, A, 3, stride, o.x.at, 1, call.stride_x,
                             c.beta, o.y.at, 1, call.stride_y, 2);
        if (routine_ran(r, status, &call) && guarded_fetch(&o.y))
            compare(r, &o, &c);
    }
    destroy(&o);
    far_give(r, &room);
}

static void edges(routine *r)
{
    const T zero = make(0, 0), minus_zero = make(-0.0, 0), one = make(1, 0), two = make(2, 0);
    if (matrix_left_out(r))
        return;
    for (int t = 0; t < 3; t++) {
        if (routine_slow_compiler(r) && (r->dtype == GBL_Z ? t == 1 : t == 2 && r->dtype != GBL_C))
            continue;
        nothing(r, transposes[t]);
        for (int way = 0; way < 4; way++) {
            batch_case c = plain_case(r, transposes[t], way % 2);
            c.on_device = way / 2;
            not_read(r, c, zero, two);
            not_read(r, c, minus_zero, one);
            not_read(r, c, zero, zero);
            not_read(r, c, two, zero);
            not_read(r, c, one, minus_zero);
        }
        batch_case c = plain_case(r, transposes[t], false);
        spreads(r, c, 0, 0, 0, NAN);
        spreads(r, c, 39, 11, 9, INFINITY);
        spreads(r, c, 17, 3, 9, NAN);
        spreads(r, c, 20, 11, 4, INFINITY);
        far_apart(r, transposes[t]);
    }
    /* More products than a launch has groups where tunables limit them, and one vector for all. */
    batch_case c = plain_case(r, GABLE_NO_TRANS, false);
    c.batch = 3001;
    c.same_x = true;
    c.alpha = two;
    c.beta = one;
    check(r, &c);
    c.incx = takes_all(r) ? 0 : c.incx;
    check(r, &c);
}

/* ---- Arguments ---- */

typedef struct given {
    bool dev;
    const T *alpha, *beta; /* of the form with scalars on the device */
} given;

static gable_status strided(gable_context *ctx, const given *g, int trans, int64_t m, int64_t n,
                            const T *A, int64_t lda, const T *x, T *y, int64_t incy, int64_t stride,
                            int64_t batch)
{
    const T two = make(2, 0);
    const gable_trans as = (gable_trans)trans;
    return g->dev ? FN(gemv_strided_dev)(ctx, as, m, n, g->alpha, A, lda, 20, x, 1, 5, g->beta, y,
                                         incy, stride, batch)
                  : FN(gemv_strided)(ctx, as, m, n, two, A, lda, 20, x, 1, 5, two, y, incy, stride,
                                     batch);
}

static gable_status batched(gable_context *ctx, const given *g, int trans, int64_t m, int64_t n,
                            const T *const *A, int64_t lda, const T *const *x, T *const *y,
                            int64_t incy, int64_t batch)
{
    const T two = make(2, 0);
    const gable_trans as = (gable_trans)trans;
    return g->dev ? FN(gemv_batched_dev)(ctx, as, m, n, g->alpha, A, lda, x, 1, g->beta, y, incy,
                                         batch)
                  : FN(gemv_batched)(ctx, as, m, n, two, A, lda, x, 1, two, y, incy, batch);
}

#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)

static void illegal_strided(routine *r, const operands *o, bool dev)
{
    enum { N = GABLE_NO_TRANS };
    const char *name = dev ? NAME(FN(gemv_strided_dev)) : NAME(FN(gemv_strided));
    const T *A = o->A.at, *x = o->x.at, *alpha = o->scalars.at;
    T *y = o->y.at, outside[32];
    const given good = {dev, alpha, alpha + 1}, *g = &good;
    gable_context *ctx = r->ctx;
    memset(outside, 0, sizeof outside);
    CHECK_STATUS(NULL, strided(NULL, g, N, 5, 4, A, 5, x, y, 1, 5, 3), GABLE_BAD_ARGUMENT);
    REFUSED(strided(ctx, g, 7, 5, 4, A, 5, x, y, 1, 5, 3), "argument 2 (trans)", "7");
    REFUSED(strided(ctx, g, N, -3, 4, A, 5, x, y, 1, 5, 3), "argument 3 (m)", "-3");
    REFUSED(strided(ctx, g, N, 5, -2, A, 5, x, y, 1, 5, 3), "argument 4 (n)", "-2");
    REFUSED(strided(ctx, g, N, 5, 4, NULL, 5, x, y, 1, 5, 3), "argument 6 (A)", "NULL");
    REFUSED(strided(ctx, g, N, 5, 4, A, 4, x, y, 1, 5, 3), "argument 7 (lda)", "4", "5");
    REFUSED(strided(ctx, g, N, 5, 4, A, 5, NULL, y, 1, 5, 3), "argument 9 (x)", "NULL");
    REFUSED(strided(ctx, g, N, 5, 4, A, 5, x, NULL, 1, 5, 3), "argument 13 (y)", "NULL");
    REFUSED(strided(ctx, g, N, 5, 4, A, 5, x, y, 0, 5, 3), "argument 14 (incy)", "0");
    REFUSED(strided(ctx, g, N, 5, 4, A, 5, x, y, 1, 0, 3), "argument 15 (stride_y)", "0", "3");
    REFUSED(strided(ctx, g, N, 5, 4, A, 5, x, y, 1, 5, -1), "argument 16 (batch)", "-1");
    if (dev) {
        const given no_alpha = {true, NULL, alpha}, no_beta = {true, alpha, NULL};
        REFUSED(strided(ctx, &no_alpha, N, 5, 4, A, 5, x, y, 1, 5, 3), "argument 5 (alpha)",
                "NULL");
        REFUSED(strided(ctx, &no_beta, N, 5, 4, A, 5, x, y, 1, 5, 3), "argument 12 (beta)", "NULL");
    }
    if (!r->device->props.is_host) {
        const char *device = r->device->info.name;
        REFUSED(strided(ctx, g, N, 5, 4, outside, 5, x, y, 1, 5, 3), "argument 6 (A)", device);
        REFUSED(strided(ctx, g, N, 5, 4, A, 5, outside, y, 1, 5, 3), "argument 9 (x)", device);
        REFUSED(strided(ctx, g, N, 5, 4, A, 5, x, outside, 1, 5, 3), "argument 13 (y)", device);
    }
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
}

static void illegal_batched(routine *r, const operands *o, bool dev)
{
    enum { N = GABLE_NO_TRANS };
    const char *name = dev ? NAME(FN(gemv_batched_dev)) : NAME(FN(gemv_batched));
    const T *const *A = o->addresses[0].at, *const *x = o->addresses[1].at, *alpha = o->scalars.at;
    T *const *y = o->addresses[2].at;
    T *outside[4] = {NULL, NULL, NULL, NULL};
    const T *const *no_device = (const T *const *)(const void *)outside;
    const given good = {dev, alpha, alpha + 1}, *g = &good;
    gable_context *ctx = r->ctx;
    CHECK_STATUS(NULL, batched(NULL, g, N, 5, 4, A, 5, x, y, 1, 3), GABLE_BAD_ARGUMENT);
    REFUSED(batched(ctx, g, 114, 5, 4, A, 5, x, y, 1, 3), "argument 2 (trans)", "114");
    REFUSED(batched(ctx, g, N, -3, 4, A, 5, x, y, 1, 3), "argument 3 (m)", "-3");
    REFUSED(batched(ctx, g, N, 5, -2, A, 5, x, y, 1, 3), "argument 4 (n)", "-2");
    REFUSED(batched(ctx, g, N, 5, 4, NULL, 5, x, y, 1, 3), "argument 6 (A)", "NULL");
    REFUSED(batched(ctx, g, N, 5, 4, A, 4, x, y, 1, 3), "argument 7 (lda)", "4", "5");
    REFUSED(batched(ctx, g, N, 5, 4, A, 5, NULL, y, 1, 3), "argument 8 (x)", "NULL");
    REFUSED(batched(ctx, g, N, 5, 4, A, 5, x, NULL, 1, 3), "argument 11 (y)", "NULL");
    REFUSED(batched(ctx, g, N, 5, 4, A, 5, x, y, 0, 3), "argument 12 (incy)", "0");
    REFUSED(batched(ctx, g, N, 5, 4, A, 5, x, y, 1, -7), "argument 13 (batch)", "-7");
    if (dev) {
        const given no_alpha = {true, NULL, alpha}, no_beta = {true, alpha, NULL};
        REFUSED(batched(ctx, &no_alpha, N, 5, 4, A, 5, x, y, 1, 3), "argument 5 (alpha)", "NULL");
        REFUSED(batched(ctx, &no_beta, N, 5, 4, A, 5, x, y, 1, 3), "argument 10 (beta)", "NULL");
    }
    if (!r->device->props.is_host) {
        const char *device = r->device->info.name;
        REFUSED(batched(ctx, g, N, 5, 4, no_device, 5, x, y, 1, 3), "argument 6 (A)", device);
        REFUSED(batched(ctx, g, N, 5, 4, A, 5, no_device, y, 1, 3), "argument 8 (x)", device);
        REFUSED(batched(ctx, g, N, 5, 4, A, 5, x, outside, 1, 3), "argument 11 (y)", device);
    }
}
#undef REFUSED

static void arguments(routine *r)
{
    batch_case c = plain_case(r, GABLE_NO_TRANS, true);
    c.alpha = c.beta = make(2, 0);
    c.fill = FILL_PATTERN;
    c.pointers = true;
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        for (int dev = 0; dev < 2; dev++) {
            illegal_strided(r, &o, dev);
            illegal_batched(r, &o, dev);
        }
        if (guarded_fetch(&o.y))
            guarded_same(&o.y, "y");
        c.pointers = addressed(r, true);
        run(r, &o, &c); /* the context works on */
    }
    destroy(&o);
}

/* One product and many, plain and transposed. */
static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[2]; /* addresses are looked at, nothing is read */
    static gbl_matrix_call call;
    if (i >= 4)
        return NULL;
    call = (gbl_matrix_call){.dtype = r->dtype,
                             .trans = i < 2 ? GABLE_NO_TRANS : GABLE_TRANS,
                             .m = 16,
                             .n = 16,
                             .alpha = {NULL, 2, 0},
                             .beta = {NULL, 3, 0},
                             .A = memory,
                             .lda = 16,
                             .x = memory,
                             .incx = 1,
                             .y = memory,
                             .incy = 1,
                             .batch = i % 2 ? 1000000 : 1,
                             .stride_a = 256,
                             .stride_x = 16,
                             .stride_y = 16};
    return &call;
}

const routine_parts PARTS = TEST_PARTS(
    "gemv_batched", .run = {exact, residual, edges, guards, arguments, repeat}, .probe = probe);
