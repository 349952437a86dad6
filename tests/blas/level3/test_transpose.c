/* test_transpose.c: the six parts of transpose: B := op(A)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements are moved, so every result is exact, bit for bit, whatever it is: random numbers,
 * integers, NaN with any payload. A conjugate differs in the sign of the imaginary part. A matrix
 * that is transposed in place is A and B at once.
 */
#include <math.h>
#include <stdio.h>
#include "harness/dense_data.h"
#include "harness/numbers.h"

typedef struct transpose_case {
    gable_trans trans;
    dense_shape s; /* of A; at[0] is A's place, at[1] B's */
    bool in_place, random;
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} transpose_case;

typedef struct operands {
    dense A, B; /* in place B has no memory */
} operands;

static void small_integer(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, integer_element(seed, i, 1000));
}

static void any(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, random_element(seed, i));
}

static bool turned(const transpose_case *c)
{
    return c->trans != GABLE_NO_TRANS;
}

static dense *output(operands *o, const transpose_case *c)
{
    return c->in_place ? &o->A : &o->B;
}

static bool build(routine *r, operands *o, const transpose_case *c)
{
    const bool t = turned(c);
    memset(o, 0, sizeof *o);
    if (!dense_make(&o->A, r->ctx, c->s.m, c->s.n, c->s.at[0], sizeof(T),
                    c->random ? any : small_integer, c->seed, c->fill, c->fence) ||
        !guarded_send(&o->A.v))
        return false;
    return c->in_place || (dense_make(&o->B, r->ctx, t ? c->s.n : c->s.m, t ? c->s.m : c->s.n,
                                      c->s.at[1], sizeof(T), NULL, 0, c->fill, c->fence) &&
                           guarded_send(&o->B.v));
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->B);
}

static gable_status enqueue(routine *r, operands *o, const transpose_case *c)
{
    const dense *B = output(o, c);
    return FN(transpose)(r->ctx, c->trans, c->s.m, c->s.n, o->A.v.at, o->A.ld, B->v.at, B->ld);
}

static bool run(routine *r, operands *o, const transpose_case *c)
{
    const dense *B = output(o, c);
    const gbl_matrix_call call =
        TYPED_CALL(.trans = c->trans, .m = c->s.m, .n = c->s.n, .A = o->A.v.at, .lda = o->A.ld,
                   .C = B->v.at, .ldc = B->ld);
    const bool nothing = c->s.m == 0 || c->s.n == 0 || (c->in_place && !turned(c));
    return routine_ran(r, enqueue(r, o, c), nothing ? NULL : &call);
}

static T conjugate(T a)
{
#if COMPLEX
    a.im = -a.im;
#endif
    return a;
}

static T wanted(const operands *o, const transpose_case *c, int64_t i, int64_t j)
{
    const T a = get(&o->A.v, turned(c) ? j + i * o->A.ld : i + j * o->A.ld);
    return c->trans == GABLE_CONJ_TRANS ? conjugate(a) : a;
}

/* Every bit; but a NaN whose sign is changed is still any NaN: devices differ in its sign. */
static bool alike(T a, T b, gable_trans trans)
{
    const bool free_sign = COMPLEX && trans == GABLE_CONJ_TRANS && isnan(imaginary_part(a)) &&
                           isnan(imaginary_part(b));
    if (!free_sign)
        return memcmp(&a, &b, sizeof(T)) == 0;
    const double ra = real_part(a), rb = real_part(b);
    return (isnan(ra) && isnan(rb)) || (ra == rb && signbit(ra) == signbit(rb));
}

/* The output as fetched, and what is around it. */
static void compare(operands *o, const transpose_case *c)
{
    const dense *B = output(o, c);
    for (int64_t j = 0; j < B->columns; j++) {
        for (int64_t i = 0; i < B->rows; i++) {
            const T want = wanted(o, c, i, j), is = got(&B->v, i + j * B->ld);
            const bool same = alike(want, is, c->trans);
            CHECK(same, "(%lld, %lld) is %g,%g, not %g,%g", (long long)i, (long long)j,
                  real_part(is), imaginary_part(is), real_part(want), imaginary_part(want));
            if (!same)
                return;
        }
    }
    dense_gaps(B, c->in_place ? "A" : "B");
}

static void begin(routine *r, const transpose_case *c, const char *more)
{
    r->cases++;
    test_case("transpose %c %s variant=%s part=%s trans=%c m=%lld n=%lld%s gaps=%lld,%lld "
              "offsets=%d,%d columns=%d,%d fence=%d seed=%llu %s",
              r->letter, test_device(), r->choice, r->part, "NTC"[c->trans - GABLE_NO_TRANS],
              (long long)c -> s.m, (long long)c->s.n, c->in_place ? " in place" : "",
              (long long)c->s.at[0].gap, (long long)c->s.at[1].gap, c->s.at[0].offset,
              c->s.at[1].offset, (int)c->s.at[0].columns, (int)c->s.at[1].columns, (int)c->fence,
              (unsigned long long)c->seed, more);
}

static void check(routine *r, const transpose_case *c)
{
    operands o;
    begin(r, c, "");
    if (build(r, &o, c) && run(r, &o, c) && guarded_fetch(&output(&o, c)->v)) {
        compare(&o, c);
        if (!c->in_place && guarded_fetch(&o.A.v))
            guarded_same(&o.A.v, "A");
    }
    destroy(&o);
}

static const gable_trans transposes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};

/* A shape to another place in three ways, and its square in place. Where kernels compile slowly the
 * conjugate transpose comes in complex precisions only, as it is another kernel there. */
static void check_shape(routine *r, transpose_case c)
{
    const bool slow = !r->all && !r->device->props.is_host && !r->device->props.is_gpu;
    for (int t = 0; t < 3; t++) {
        if (slow && !COMPLEX && t == 2)
            continue;
        c.trans = transposes[t];
        check(r, &c);
    }
    c.in_place = true;
    c.s.n = c.s.m = c.s.m < c.s.n ? c.s.m : c.s.n;
    for (int t = 0; t < 3; t++) {
        c.trans = transposes[t];
        if (!(slow && !COMPLEX && t == 2))
            check(r, &c);
    }
}

static void exact(routine *r)
{
    int count;
    const dense_shape *shapes = dense_shapes(r, &count);
    if (dense_left_out(r))
        return;
    for (int i = 0; i < count; i++)
        check_shape(r, (transpose_case){.s = shapes[i], .seed = 10 * (uint64_t)i});
}

static void residual(routine *r)
{
    int count;
    const dense_shape *shapes = dense_shapes(r, &count);
    for (int i = 0; i < count; i++)
        check_shape(
            r, (transpose_case){.s = shapes[i], .seed = 10000 + 10 * (uint64_t)i, .random = true});
}

/* ---- Edges ---- */

/* m = 0 or n = 0: B stays, and no pointer is looked at. */
static void nothing(routine *r, gable_trans trans)
{
    const transpose_case c = {.trans = trans, .s = {.m = 5, .n = 4}, .fill = FILL_PATTERN};
    operands o;
    begin(r, &c, "m = 0 and n = 0");
    if (build(r, &o, &c)) {
        CHECK_OK(r->ctx, FN(transpose)(r->ctx, trans, 0, 4, o.A.v.at, 1, o.B.v.at, 4));
        CHECK_OK(r->ctx, FN(transpose)(r->ctx, trans, 5, 0, o.A.v.at, 5, o.B.v.at, 5));
        CHECK_OK(r->ctx, FN(transpose)(r->ctx, trans, 0, 0, NULL, 1, NULL, 1));
        if (guarded_fetch(&o.B.v))
            guarded_same(&o.B.v, "B");
    }
    destroy(&o);
}

/* NaN with a payload, infinities, zeros of both signs and tiny numbers come through as they are. */
static void specials(routine *r, const dense_shape *s, gable_trans trans, bool in_place)
{
    const transpose_case c = {.trans = trans, .s = *s, .in_place = in_place, .seed = 70};
    const double values[] = {NAN, INFINITY, -INFINITY, -0.0, REAL_DENORM, REAL_MAX};
    operands o;
    begin(r, &c, "special numbers");
    if (build(r, &o, &c)) {
        for (int64_t j = 0; j < c.s.n; j++)
            for (int64_t i = 0; i < c.s.m; i++)
                put(&o.A.v, i + j * o.A.ld,
                    make(values[(i + 2 * j) % 6], values[(2 * i + 3 * j + 1) % 6]));
        if (guarded_send(&o.A.v) && run(r, &o, &c) && guarded_fetch(&output(&o, &c)->v))
            compare(&o, &c);
    }
    destroy(&o);
}

/* Columns more than 2^31 elements apart, of A or of B. */
static void far_apart(routine *r, gable_trans trans, bool output_far)
{
    const int64_t ld = ((int64_t)1 << 30) + 7;
    const transpose_case c = {.trans = trans, .s = {.m = 3, .n = 3}, .seed = 80};
    const size_t bytes = (2 * (size_t)ld + 3) * sizeof(T);
    far_memory room;
    if (!far_take(r, 1, bytes, &room))
        return;
    operands o;
    T *far = room.at[0];
    begin(r, &c, output_far ? "B far apart" : "A far apart");
    if (build(r, &o, &c)) {
        dense *moved = output_far ? &o.B : &o.A;
        void *const near = moved->v.at;
        for (int64_t j = 0; j < 3 && !output_far; j++)
            CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), guarded_element(&o.A.v, 3 * j),
                                              1, far + j * ld, 1));
        moved->v.at = far;
        moved->ld = ld;
        const bool ran = run(r, &o, &c);
        moved->v.at = near;
        moved->ld = 3;
        for (int64_t j = 0; j < 3 && output_far && ran; j++)
            CHECK_OK(r->ctx,
                     gable_get_vector(r->ctx, 3, sizeof(T), far + j * ld, 1,
                                      o.B.v.got + (size_t)(j * 3) * sizeof(T) + o.B.v.first, 1));
        if (ran && (output_far || guarded_fetch(&o.B.v))) {
            for (int64_t e = 0; e < 9; e++) {
                const T want = wanted(&o, &c, e % 3, e / 3), is = got(&o.B.v, e);
                CHECK(memcmp(&want, &is, sizeof(T)) == 0, "element %lld is wrong", (long long)e);
            }
        }
    }
    destroy(&o);
    far_give(r, &room);
}

static void edges(routine *r)
{
    int count;
    const dense_shape *shapes = dense_few_shapes(r, &count);
    if (dense_left_out(r))
        return;
    for (int t = 0; t < 3; t++) {
        nothing(r, transposes[t]);
        for (int i = 0; i < count; i += 2) {
            dense_shape square = shapes[i];
            square.n = square.m;
            specials(r, &shapes[i], transposes[t], false);
            specials(r, &square, transposes[t], true);
        }
        if (r->variant == NULL) {
            far_apart(r, transposes[t], false);
            far_apart(r, transposes[t], true);
        }
    }
}

/* ---- Guards, arguments, repeat ---- */

static void guards(routine *r)
{
    int count;
    const dense_shape *shapes = dense_few_shapes(r, &count);
    for (int i = 0; i < count; i++)
        for (int w = 0; w < GUARDED_WAYS; w++)
            check_shape(r, (transpose_case){.s = shapes[i],
                                            .seed = 200,
                                            .fill = guarded_ways[w].fill,
                                            .fence = guarded_ways[w].fence});
}

static void illegal(routine *r, const operands *o)
{
    enum { N = GABLE_NO_TRANS, TURN = GABLE_TRANS };
    const char *name = NAME(FN(transpose));
    gable_context *ctx = r->ctx;
    T *A = o->A.v.at, *B = o->B.v.at, outside[32];
    memset(outside, 0, sizeof outside);
    CHECK_STATUS(NULL, FN(transpose)(NULL, GABLE_TRANS, 5, 4, A, 5, B, 4), GABLE_BAD_ARGUMENT);
#define REFUSED(trans, m, n, A, lda, B, ldb, ...)                                                  \
    CHECK_REFUSED(ctx, FN(transpose)(ctx, (gable_trans)(trans), m, n, A, lda, B, ldb),             \
                  GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
    REFUSED(7, 5, 4, A, 5, B, 4, "argument 2 (trans)", "7", "GABLE_NO_TRANS");
    REFUSED(TURN, -3, 4, A, 5, B, 4, "argument 3 (m)", "-3");
    REFUSED(TURN, 5, -2, A, 5, B, 4, "argument 4 (n)", "-2");
    REFUSED(TURN, 5, 4, NULL, 5, B, 4, "argument 5 (A)", "NULL");
    REFUSED(TURN, 5, 4, A, 4, B, 4, "argument 6 (lda)", "4", "5");
    REFUSED(TURN, 0, 4, A, 0, B, 4, "argument 6 (lda)", "0", "1");
    REFUSED(TURN, 5, 4, A, 5, NULL, 4, "argument 7 (B)", "NULL");
    REFUSED(TURN, 5, 4, A, 5, B, 3, "argument 8 (ldb)", "3", "4");
    REFUSED(N, 5, 4, A, 5, B, 4, "argument 8 (ldb)", "4", "5");
    REFUSED(TURN, 5, 0, A, 5, B, 0, "argument 8 (ldb)", "0", "1");
    REFUSED(TURN, 5, 4, A, 5, A, 5, "argument 7 (B)", "square", "5 by 4");
    REFUSED(TURN, 4, 4, A, 5, A, 4, "argument 8 (ldb)", "4", "5");
    REFUSED(N, 4, 4, A, 5, A, 4, "argument 8 (ldb)", "4", "5");
    if (!r->device->props.is_host) {
        const char *device = r->device->info.name;
        REFUSED(TURN, 5, 4, outside, 5, B, 4, "argument 5 (A)", device, "gable_alloc");
        REFUSED(TURN, 5, 4, A, 5, outside, 4, "argument 7 (B)", device, "gable_alloc");
    }
#undef REFUSED
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
}

static void arguments(routine *r)
{
    const transpose_case c = {
        .trans = GABLE_TRANS, .s = {.m = 5, .n = 4}, .fill = FILL_PATTERN, .seed = 90};
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        illegal(r, &o);
        if (guarded_fetch(&o.A.v) && guarded_fetch(&o.B.v)) {
            guarded_same(&o.A.v, "A");
            guarded_same(&o.B.v, "B");
        }
        run(r, &o, &c); /* the context works on */
    }
    destroy(&o);
}

/* A recording does what the call did, and in place does it again. */
static void same_bits(routine *r, const transpose_case *c)
{
    operands o;
    gable_recording *recording = NULL;
    begin(r, c, "recorded");
    if (!build(r, &o, c)) {
        destroy(&o);
        return;
    }
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    const bool ran = run(r, &o, c);
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    if (ran && recording != NULL && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
        guarded_fetch(&output(&o, c)->v))
        compare(&o, c);
    /* Comparing took the elements over into the image, so a second replay turns what is there
     * now. */
    if (ran && recording != NULL && c->in_place &&
        CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && guarded_fetch(&o.A.v))
        compare(&o, c);
    gable_recording_destroy(recording);
    destroy(&o);
}

static void repeat(routine *r)
{
    int count;
    const dense_shape *shapes = dense_few_shapes(r, &count);
    for (int i = 0; i < count; i++) {
        transpose_case c = {.trans = transposes[i % 3], .s = shapes[i], .seed = 400};
        same_bits(r, &c);
        c.in_place = true;
        c.s.n = c.s.m;
        same_bits(r, &c);
    }
}

/* To another place with and without turning, and in place. */
static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[4]; /* addresses are looked at, nothing is read */
    static gbl_matrix_call call;
    if (i >= 3)
        return NULL;
    call = (gbl_matrix_call){.dtype = r->dtype,
                             .trans = i == 0 ? GABLE_NO_TRANS : GABLE_TRANS,
                             .m = 200,
                             .n = 200,
                             .A = memory,
                             .lda = 208,
                             .C = i == 2 ? memory : memory + 2,
                             .ldc = 208};
    return &call;
}

const routine_parts PARTS = TEST_PARTS(
    "transpose", .run = {exact, residual, edges, guards, arguments, repeat}, .probe = probe);
