/* test_laset.c: the six parts of laset: beta on the diagonal, alpha elsewhere or in one triangle
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills are exact.
 */
#define PART_STEM         "laset"
#define PART_COPIES       0
#define PART_SCALAR_BYTES sizeof(T)
#include "harness/part_parts.h"

static void part_elements(part_operands *o, const part_case *c)
{
    put(&o->scalars, 0, c->alpha);
    put(&o->scalars, 1, c->beta);
}

static gable_status part_enqueue(routine *r, const part_operands *o, const part_case *c)
{
    const T *at = o->scalars.at;
    return c->on_device
               ? FN(laset_dev)(r->ctx, c->uplo, c->s.m, c->s.n, at, at + 1, o->A.v.at, o->A.ld)
               : FN(laset)(r->ctx, c->uplo, c->s.m, c->s.n, c->alpha, c->beta, o->A.v.at, o->A.ld);
}

static void part_compare(routine *r, part_operands *o, const part_case *c)
{
    (void)r;
    for (int64_t j = 0; j < c->s.n; j++)
        for (int64_t i = 0; i < c->s.m; i++) {
            const T want = i == j ? c->beta : c->alpha, is = got(&o->A.v, i + j * o->A.ld);
            if (lapack_in(c->uplo, i, j) && memcmp(&want, &is, sizeof is) != 0) {
                CHECK(false, "(%lld, %lld) is %g", (long long)i, (long long)j, real_part(is));
                return;
            }
        }
    lapack_untouched(&o->A, c->uplo, "A");
}

static void exact(routine *r)
{
    int count;
    const dense_shape *shapes = dense_shapes(r, &count);
    for (int i = 0; i < count; i++)
        part_check_all(r, (part_case){.s = shapes[i],
                                      .alpha = integer_element(5, i, 9),
                                      .beta = integer_element(6, i, 9),
                                      .fill = i % 2 == 0 ? FILL_PATTERN : FILL_NAN});
}

/* Nothing is rounded. */
static void residual(routine *r)
{
    const T odd[] = {random_element(3, 1), make(NAN, 0), make(-INFINITY, 1), make(-0.0, 0.0)};
    for (int i = 0; i < 4; i++)
        part_check_all(
            r, (part_case){.s = {.m = 33, .n = 40}, .alpha = odd[i], .beta = odd[(i + 1) % 4]});
}

static void edges(routine *r)
{
    gable_context *ctx = r->ctx;
    const T one = make(1, 0), two = make(2, 0);
    const part_case c = {.uplo = GABLE_LOWER, .s = {.m = 1, .n = 1}, .alpha = one, .beta = two};
    far_memory memory;
    part_begin(r, &c, "m = 0 and n = 0");
    for (int p = 0; p < 3; p++) {
        CHECK_OK(ctx, FN(laset)(ctx, part_uplos[p], 0, 4, one, one, NULL, 1));
        CHECK_OK(ctx, FN(laset)(ctx, part_uplos[p], 4, 0, one, one, NULL, 4));
        CHECK_OK(ctx, FN(laset_dev)(ctx, part_uplos[p], 4, 0, NULL, NULL, NULL, 4));
    }
    part_check(r, &c);
    if (!part_far(r, &c, &memory))
        return;
    T corner = make(0, 0), *far = memory.at[0];
    CHECK_OK(ctx, FN(laset)(ctx, GABLE_GENERAL, 3, 3, one, two, far, PART_FAR_LD));
    CHECK_OK(ctx, gable_get_vector(ctx, 1, sizeof(T), far + 2 + 2 * PART_FAR_LD, 1, &corner, 1));
    CHECK(real_part(corner) == 2, "the last element is %g", real_part(corner));
    CHECK_OK(ctx, gable_get_vector(ctx, 1, sizeof(T), far + 1 + 2 * PART_FAR_LD, 1, &corner, 1));
    CHECK(real_part(corner) == 1, "the one above it is %g", real_part(corner));
    far_give(r, &memory);
}

static void guards(routine *r)
{
    part_guards(r, (part_case){.alpha = make(3, 1), .beta = make(-2, 5)});
}

static void arguments(routine *r)
{
    const part_case c = {
        .uplo = GABLE_GENERAL, .s = {.m = 5, .n = 4}, .beta = make(1, 0), .fill = FILL_PATTERN};
    gable_context *ctx = r->ctx;
    part_operands o;
    part_begin(r, &c, "illegal arguments");
    if (part_build(r, &o, &c)) {
        T *A = o.A.v.at;
        const T one = make(1, 0), *at = o.scalars.at;
        const char *name = NAME(FN(laset));
        const gable_uplo G = GABLE_GENERAL;
        CHECK_STATUS(NULL, FN(laset)(NULL, G, 5, 4, one, one, A, 5), GABLE_BAD_ARGUMENT);
        PART_REFUSED(FN(laset)(ctx, (gable_uplo)0, 5, 4, one, one, A, 5), "argument 2 (uplo)", "0");
        PART_REFUSED(FN(laset)(ctx, G, -5, 4, one, one, A, 5), "argument 3 (m)", "-5");
        PART_REFUSED(FN(laset)(ctx, G, 5, -4, one, one, A, 5), "argument 4 (n)", "-4");
        PART_REFUSED(FN(laset)(ctx, G, 5, 4, one, one, NULL, 5), "argument 7 (A)", "NULL");
        PART_REFUSED(FN(laset)(ctx, G, 5, 4, one, one, A, 4), "argument 8 (lda)", "4", "5");
        name = NAME(FN(laset_dev));
        PART_REFUSED(FN(laset_dev)(ctx, G, 5, 4, NULL, at, A, 5), "argument 5 (alpha)", "NULL");
        PART_REFUSED(FN(laset_dev)(ctx, G, 5, 4, at, NULL, A, 5), "argument 6 (beta)", "NULL");
    }
    part_end_refused(r, &o, &c);
}

static void repeat(routine *r)
{
    part_repeat(r, (part_case){.alpha = make(3, 4), .beta = make(5, 6)});
}

const routine_parts PARTS = TEST_PARTS(
    "laset", .run = {exact, residual, edges, guards, arguments, repeat}, .probe = part_probe);
