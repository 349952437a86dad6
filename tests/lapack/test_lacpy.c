/* test_lacpy.c: the six parts of lacpy: B := A, the whole matrix or one triangle
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies are exact. What is not copied of A is NaN; what is not written of B keeps its bits.
 */
#include "harness/lapack_data.h"
#include "lapack/lapack.h"
#include "harness/numbers.h"

typedef struct lacpy_case {
    gable_uplo uplo;
    dense_shape s; /* at[0] is A's place, at[1] B's */
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} lacpy_case;

typedef struct operands {
    dense A, B;
} operands;

static const gable_uplo parts[] = {GABLE_GENERAL, GABLE_UPPER, GABLE_LOWER};

static void begin(routine *r, const lacpy_case *c, const char *more)
{
    r->cases++;
    test_case("lacpy %c %s variant=%s part=%s uplo=%d m=%lld n=%lld gaps=%lld,%lld offsets=%d,%d "
              "fence=%d seed=%llu %s",
              r->letter, test_device(), r->choice, r->part, (int)c->uplo, (long long)c->s.m,
              (long long)c->s.n, (long long)c->s.at[0].gap, (long long)c->s.at[1].gap,
              c->s.at[0].offset, c->s.at[1].offset, (int)c->fence, (unsigned long long)c->seed,
              more);
}

static bool build(routine *r, operands *o, const lacpy_case *c)
{
    memset(o, 0, sizeof *o);
    if (!dense_make(&o->A, r->ctx, c->s.m, c->s.n, c->s.at[0], sizeof(T), NULL, 0, FILL_NAN,
                    c->fence) ||
        !dense_make(&o->B, r->ctx, c->s.m, c->s.n, c->s.at[1], sizeof(T), NULL, 0, c->fill,
                    c->fence))
        return false;
    for (int64_t j = 0; j < c->s.n; j++)
        for (int64_t i = 0; i < c->s.m; i++)
            if (lapack_in(c->uplo, i, j))
                put(&o->A.v, i + j * o->A.ld, random_element(c->seed, i + j * c->s.m));
    return guarded_send(&o->A.v) && guarded_send(&o->B.v);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->B);
}

static gable_status enqueue(routine *r, const operands *o, const lacpy_case *c)
{
    return FN(lacpy)(r->ctx, c->uplo, c->s.m, c->s.n, o->A.v.at, o->A.ld, o->B.v.at, o->B.ld);
}

static bool run(routine *r, operands *o, const lacpy_case *c)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .uplo = c->uplo,
                                   .m = c->s.m,
                                   .n = c->s.n,
                                   .A = o->A.v.at,
                                   .lda = o->A.ld,
                                   .B = o->B.v.at,
                                   .ldb = o->B.ld};
    return routine_ran(r, enqueue(r, o, c), c->s.m == 0 || c->s.n == 0 ? NULL : &call) &&
           guarded_fetch(&o->B.v) && guarded_fetch(&o->A.v);
}

static void compare(operands *o, const lacpy_case *c)
{
    for (int64_t j = 0; j < c->s.n; j++)
        for (int64_t i = 0; i < c->s.m; i++) {
            const T a = get(&o->A.v, i + j * o->A.ld), b = got(&o->B.v, i + j * o->B.ld);
            if (lapack_in(c->uplo, i, j) && memcmp(&a, &b, sizeof a) != 0) {
                CHECK(false, "(%lld, %lld) was not copied", (long long)i, (long long)j);
                return;
            }
        }
    lapack_untouched(&o->B, c->uplo, "B");
    guarded_same(&o->A.v, "A");
}

static void check(routine *r, const lacpy_case *c)
{
    operands o;
    begin(r, c, "");
    if (build(r, &o, c) && run(r, &o, c))
        compare(&o, c);
    destroy(&o);
}

static void all_parts(routine *r, lacpy_case c)
{
    for (int p = 0; p < 3; p++) {
        c.uplo = parts[p];
        check(r, &c);
    }
}

static void exact(routine *r)
{
    int count;
    const dense_shape *shapes = dense_shapes(r, &count);
    for (int i = 0; i < count; i++)
        all_parts(r, (lacpy_case){.s = shapes[i], .seed = (uint64_t)i, .fill = FILL_PATTERN});
}

/* Nothing is rounded: NaN and infinities, too, arrive bit by bit. */
static void residual(routine *r)
{
    const lacpy_case c = {.uplo = GABLE_GENERAL, .s = {.m = 40, .n = 30}, .seed = 7};
    operands o;
    begin(r, &c, "NaN and Inf");
    if (build(r, &o, &c)) {
        put(&o.A.v, 3, make(NAN, -0.0));
        put(&o.A.v, 4, make(-INFINITY, NAN));
        put(&o.A.v, 5, make(REAL_DENORM, -REAL_DENORM));
        if (guarded_send(&o.A.v) && run(r, &o, &c))
            compare(&o, &c);
    }
    destroy(&o);
}

static void edges(routine *r)
{
    gable_context *ctx = r->ctx;
    const lacpy_case c = {.uplo = GABLE_LOWER, .s = {.m = 1, .n = 1}, .seed = 3};
    const int64_t ld = ((int64_t)1 << 30) + 7;
    const size_t bytes = (size_t)(2 * ld + 3) * sizeof(T);
    const bool host = r->device->props.is_host;
    begin(r, &c, "m = 0 and n = 0");
    for (int p = 0; p < 3; p++) {
        CHECK_OK(ctx, FN(lacpy)(ctx, parts[p], 0, 4, NULL, 1, NULL, 1));
        CHECK_OK(ctx, FN(lacpy)(ctx, parts[p], 4, 0, NULL, 4, NULL, 4));
    }
    check(r, &c);
    if (!routine_far(r, bytes))
        return;
    begin(r, &c, "far apart");
    T *memory = far_reserve(ctx, host, bytes);
    if (memory == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    lacpy_case small = {.uplo = GABLE_GENERAL, .s = {.m = 3, .n = 3}, .seed = 9};
    operands o;
    if (build(r, &o, &small)) {
        CHECK_OK(ctx, FN(lacpy)(ctx, GABLE_GENERAL, 3, 3, o.A.v.at, o.A.ld, memory, ld));
        CHECK_OK(ctx, FN(lacpy)(ctx, GABLE_GENERAL, 3, 3, memory, ld, o.B.v.at, o.B.ld));
        if (guarded_fetch(&o.A.v) && guarded_fetch(&o.B.v))
            compare(&o, &small);
    }
    destroy(&o);
    far_release(ctx, host, memory, bytes);
}

static void guards(routine *r)
{
    int count;
    const dense_shape *shapes = dense_few_shapes(r, &count);
    for (int i = 0; i < count; i++)
        for (int w = 0; w < GUARDED_WAYS; w++) {
            lacpy_case c = {.s = shapes[i],
                            .seed = 30 + (uint64_t)i,
                            .fill = guarded_ways[w].fill,
                            .fence = guarded_ways[w].fence};
            if (c.fence != LOOSE)
                c.s.at[0].offset = c.s.at[1].offset = 0;
            all_parts(r, c);
        }
}

static void arguments(routine *r)
{
    const lacpy_case c = {
        .uplo = GABLE_GENERAL, .s = {.m = 5, .n = 4}, .fill = FILL_PATTERN, .seed = 1};
    gable_context *ctx = r->ctx;
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        const T *A = o.A.v.at;
        T *B = o.B.v.at;
        const char *name = NAME(FN(lacpy));
        const gable_uplo G = GABLE_GENERAL;
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
        CHECK_STATUS(NULL, FN(lacpy)(NULL, G, 5, 4, A, 5, B, 5), GABLE_BAD_ARGUMENT);
        REFUSED(FN(lacpy)(ctx, (gable_uplo)123, 5, 4, A, 5, B, 5), "argument 2 (uplo)", "123",
                "GABLE_GENERAL");
        REFUSED(FN(lacpy)(ctx, G, -5, 4, A, 5, B, 5), "argument 3 (m)", "-5");
        REFUSED(FN(lacpy)(ctx, G, 5, -4, A, 5, B, 5), "argument 4 (n)", "-4");
        REFUSED(FN(lacpy)(ctx, G, 5, 4, NULL, 5, B, 5), "argument 5 (A)", "NULL");
        REFUSED(FN(lacpy)(ctx, G, 5, 4, A, 4, B, 5), "argument 6 (lda)", "4", "5");
        REFUSED(FN(lacpy)(ctx, G, 5, 4, A, 5, NULL, 5), "argument 7 (B)", "NULL");
        REFUSED(FN(lacpy)(ctx, G, 5, 4, A, 5, B, 4), "argument 8 (ldb)", "4", "5");
#undef REFUSED
        if (guarded_fetch(&o.B.v))
            guarded_same(&o.B.v, "B");
    }
    destroy(&o);
    check(r, &c);
}

static void repeat(routine *r)
{
    const lacpy_case c = {.uplo = GABLE_UPPER, .s = {.m = 70, .n = 50}, .seed = 11};
    operands o;
    gable_recording *recording = NULL;
    begin(r, &c, "recorded");
    if (build(r, &o, &c)) {
        CHECK_OK(r->ctx, gable_record_begin(r->ctx));
        CHECK_OK(r->ctx, enqueue(r, &o, &c));
        CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
        if (recording != NULL && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
            guarded_fetch(&o.B.v) && guarded_fetch(&o.A.v))
            compare(&o, &c);
        gable_recording_destroy(recording);
    }
    destroy(&o);
}

static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[4]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 3)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .uplo = parts[i],
                              .m = 200,
                              .n = 200,
                              .A = memory,
                              .lda = 208,
                              .B = memory + 2,
                              .ldb = 208};
    return &call;
}

const routine_parts PARTS = {.stem = "lacpy",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {exact, residual, edges, guards, arguments, repeat},
                             .probe = probe};
