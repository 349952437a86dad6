/* test_lacpy.c: the six parts of lacpy: B := A, the whole matrix or one triangle
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies are exact. What is not copied of A is NaN; what is not written of B keeps its bits.
 */
#define PART_STEM         "lacpy"
#define PART_COPIES       1
#define PART_SCALAR_BYTES 0
#include "harness/part_parts.h"

static void part_elements(part_operands *o, const part_case *c)
{
    for (int64_t j = 0; j < c->s.n; j++)
        for (int64_t i = 0; i < c->s.m; i++)
            if (lapack_in(c->uplo, i, j))
                put(&o->A.v, i + j * o->A.ld, random_element(c->seed, i + j * c->s.m));
}

static gable_status part_enqueue(routine *r, const part_operands *o, const part_case *c)
{
    return FN(lacpy)(r->ctx, c->uplo, c->s.m, c->s.n, o->A.v.at, o->A.ld, o->B.v.at, o->B.ld);
}

static void part_compare(routine *r, part_operands *o, const part_case *c)
{
    (void)r;
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

static void exact(routine *r)
{
    int count;
    const dense_shape *shapes = dense_shapes(r, &count);
    for (int i = 0; i < count; i++)
        part_check_all(r, (part_case){.s = shapes[i], .seed = (uint64_t)i, .fill = FILL_PATTERN});
}

/* Nothing is rounded: NaN and infinities, too, arrive bit by bit. */
static void residual(routine *r)
{
    const part_case c = {.uplo = GABLE_GENERAL, .s = {.m = 40, .n = 30}, .seed = 7};
    part_operands o;
    part_begin(r, &c, "NaN and Inf");
    if (part_build(r, &o, &c)) {
        put(&o.A.v, 3, make(NAN, -0.0));
        put(&o.A.v, 4, make(-INFINITY, NAN));
        put(&o.A.v, 5, make(REAL_DENORM, -REAL_DENORM));
        if (guarded_send(&o.A.v) && part_run(r, &o, &c))
            part_compare(r, &o, &c);
    }
    part_destroy(&o);
}

static void edges(routine *r)
{
    gable_context *ctx = r->ctx;
    const part_case c = {.uplo = GABLE_LOWER, .s = {.m = 1, .n = 1}, .seed = 3},
                    small = {.uplo = GABLE_GENERAL, .s = {.m = 3, .n = 3}, .seed = 9};
    far_memory memory;
    part_begin(r, &c, "m = 0 and n = 0");
    for (int p = 0; p < 3; p++) {
        CHECK_OK(ctx, FN(lacpy)(ctx, part_uplos[p], 0, 4, NULL, 1, NULL, 1));
        CHECK_OK(ctx, FN(lacpy)(ctx, part_uplos[p], 4, 0, NULL, 4, NULL, 4));
    }
    part_check(r, &c);
    if (!part_far(r, &small, &memory))
        return;
    T *far = memory.at[0];
    part_operands o;
    if (part_build(r, &o, &small)) {
        CHECK_OK(ctx, FN(lacpy)(ctx, GABLE_GENERAL, 3, 3, o.A.v.at, o.A.ld, far, PART_FAR_LD));
        CHECK_OK(ctx, FN(lacpy)(ctx, GABLE_GENERAL, 3, 3, far, PART_FAR_LD, o.B.v.at, o.B.ld));
        if (part_fetch(&o))
            part_compare(r, &o, &small);
    }
    part_destroy(&o);
    far_give(r, &memory);
}

static void guards(routine *r)
{
    part_guards(r, (part_case){.seed = 0});
}

static void arguments(routine *r)
{
    const part_case c = {
        .uplo = GABLE_GENERAL, .s = {.m = 5, .n = 4}, .fill = FILL_PATTERN, .seed = 1};
    gable_context *ctx = r->ctx;
    part_operands o;
    part_begin(r, &c, "illegal arguments");
    if (part_build(r, &o, &c)) {
        const T *A = o.A.v.at;
        T *B = o.B.v.at;
        const char *name = NAME(FN(lacpy));
        const gable_uplo G = GABLE_GENERAL;
        CHECK_STATUS(NULL, FN(lacpy)(NULL, G, 5, 4, A, 5, B, 5), GABLE_BAD_ARGUMENT);
        PART_REFUSED(FN(lacpy)(ctx, (gable_uplo)123, 5, 4, A, 5, B, 5), "argument 2 (uplo)", "123",
                     "GABLE_GENERAL");
        PART_REFUSED(FN(lacpy)(ctx, G, -5, 4, A, 5, B, 5), "argument 3 (m)", "-5");
        PART_REFUSED(FN(lacpy)(ctx, G, 5, -4, A, 5, B, 5), "argument 4 (n)", "-4");
        PART_REFUSED(FN(lacpy)(ctx, G, 5, 4, NULL, 5, B, 5), "argument 5 (A)", "NULL");
        PART_REFUSED(FN(lacpy)(ctx, G, 5, 4, A, 4, B, 5), "argument 6 (lda)", "4", "5");
        PART_REFUSED(FN(lacpy)(ctx, G, 5, 4, A, 5, NULL, 5), "argument 7 (B)", "NULL");
        PART_REFUSED(FN(lacpy)(ctx, G, 5, 4, A, 5, B, 4), "argument 8 (ldb)", "4", "5");
    }
    part_end_refused(r, &o, &c);
}

static void repeat(routine *r)
{
    part_repeat(r, (part_case){.seed = 11});
}

const routine_parts PARTS = TEST_PARTS(
    "lacpy", .run = {exact, residual, edges, guards, arguments, repeat}, .probe = part_probe);
