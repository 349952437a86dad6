/* test_lascl.c: the six parts of lascl: A := (cto / cfrom) A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: 4 u |a cto / cfrom|: a quotient and up to three products; 0 where all
 * are powers of two. Scalars come by value and from the device in turn. What is not changed of A is
 * NaN or a pattern and must stay.
 */
#include <math.h>
#define PART_STEM         "lascl"
#define PART_COPIES       0
#define PART_SCALAR_BYTES sizeof(R)
#include "harness/part_parts.h"

static void part_elements(part_operands *o, const part_case *c)
{
    for (int64_t j = 0; j < c->s.n; j++)
        for (int64_t i = 0; i < c->s.m; i++) {
            const T a = c->exact ? integer_element(c->seed, i + j * c->s.m, 9)
                                 : random_element(c->seed, i + j * c->s.m);
            if (lapack_in(c->uplo, i, j))
                put(&o->A.v, i + j * o->A.ld,
                    make(ldexp(real_part(a), c->scale), ldexp(imaginary_part(a), c->scale)));
        }
    memcpy(guarded_element(&o->scalars, 0), &c->from, sizeof(R));
    memcpy(guarded_element(&o->scalars, 1), &c->to, sizeof(R));
}

static gable_status part_enqueue(routine *r, const part_operands *o, const part_case *c)
{
    const R *at = o->scalars.at;
    return c->on_device
               ? FN(lascl_dev)(r->ctx, c->uplo, at, at + 1, c->s.m, c->s.n, o->A.v.at, o->A.ld)
               : FN(lascl)(r->ctx, c->uplo, c->from, c->to, c->s.m, c->s.n, o->A.v.at, o->A.ld);
}

/* a to / from, in an order that stays in range. */
static double wanted(double a, const part_case *c)
{
    int ea, ef, et;
    const double fa = frexp(a, &ea), ff = frexp((double)c->from, &ef),
                 ft = frexp((double)c->to, &et);
    return ldexp(fa * ft / ff, ea + et - ef);
}

static void part_compare(routine *r, part_operands *o, const part_case *c)
{
    for (int64_t j = 0; j < c->s.n; j++)
        for (int64_t i = 0; i < c->s.m; i++) {
            const int64_t at = i + j * o->A.ld;
            if (!lapack_in(c->uplo, i, j))
                continue;
            const T a = get(&o->A.v, at), is = got(&o->A.v, at);
            const double re = wanted(real_part(a), c), im = wanted(imaginary_part(a), c),
                         error = wide_size(real_part(is) - re, imaginary_part(is) - im);
            const long before = test_failures();
            routine_error(r, error, c->exact ? 0 : 4 * ROUNDOFF * wide_size(re, im), 1);
            if (test_failures() > before)
                return;
        }
    lapack_untouched(&o->A, c->uplo, "A");
}

static void exact(routine *r)
{
    int count;
    const dense_shape *shapes = dense_shapes(r, &count);
    for (int i = 0; i < count; i++)
        part_check_all(r, (part_case){.s = shapes[i],
                                      .from = i % 2 == 0 ? 4 : -2,
                                      .to = i % 3 == 0 ? 32 : 1,
                                      .exact = true,
                                      .seed = (uint64_t)i,
                                      .fill = i % 2 == 0 ? FILL_PATTERN : FILL_NAN});
}

/* The quotient is in range, or only its products with elements are. */
static void residual(routine *r)
{
    const int far = gbl_dtype_real_bytes(DTYPE) == 4 ? 100 : 900;
    const R large = (R)ldexp(1.3, far), small = (R)ldexp(1.7, -far);
    part_check_all(r, (part_case){.s = {.m = 40, .n = 30}, .from = 3, .to = 7, .seed = 5});
    part_check_all(r, (part_case){.s = {.m = 33, .n = 50}, .from = large, .to = 5, .seed = 6});
    part_check_all(
        r,
        (part_case){.s = {.m = 33, .n = 50}, .from = large, .to = small, .scale = far, .seed = 7});
    part_check_all(
        r,
        (part_case){.s = {.m = 33, .n = 50}, .from = small, .to = large, .scale = -far, .seed = 8});
    part_check_all(
        r, (part_case){.s = {.m = 33, .n = 50}, .from = 3, .to = 0, .exact = true, .seed = 9});
}

static void edges(routine *r)
{
    gable_context *ctx = r->ctx;
    part_case c = {.uplo = GABLE_LOWER, .s = {.m = 1, .n = 1}, .from = 1, .to = 2, .exact = true};
    far_memory memory;
    T corner = make(3, 0);
    part_begin(r, &c, "m = 0 and n = 0");
    for (int p = 0; p < 3; p++) {
        CHECK_OK(ctx, FN(lascl)(ctx, part_uplos[p], 1, 2, 0, 4, NULL, 1));
        CHECK_OK(ctx, FN(lascl)(ctx, part_uplos[p], 1, 2, 4, 0, NULL, 4));
        CHECK_OK(ctx, FN(lascl_dev)(ctx, part_uplos[p], NULL, NULL, 4, 0, NULL, 4));
    }
    part_check(r, &c);
    if (!part_far(r, &c, &memory))
        return;
    T *last = (T *)memory.at[0] + 2 + 2 * PART_FAR_LD;
    CHECK_OK(ctx, gable_set_vector(ctx, 1, sizeof(T), &corner, 1, last, 1));
    CHECK_OK(ctx, FN(lascl)(ctx, GABLE_LOWER, 1, 2, 3, 3, memory.at[0], PART_FAR_LD));
    CHECK_OK(ctx, gable_get_vector(ctx, 1, sizeof(T), last, 1, &corner, 1));
    CHECK(real_part(corner) == 6, "the last element is %g", real_part(corner));
    far_give(r, &memory);
}

static void guards(routine *r)
{
    part_guards(r, (part_case){.from = 2, .to = 16, .exact = true});
}

static void arguments(routine *r)
{
    const part_case c = {
        .uplo = GABLE_GENERAL, .s = {.m = 5, .n = 4}, .from = 1, .to = 2, .exact = true};
    gable_context *ctx = r->ctx;
    part_operands o;
    part_begin(r, &c, "illegal arguments");
    if (part_build(r, &o, &c)) {
        T *A = o.A.v.at;
        const R *at = o.scalars.at;
        const char *name = NAME(FN(lascl));
        const gable_uplo G = GABLE_GENERAL;
        CHECK_STATUS(NULL, FN(lascl)(NULL, G, 1, 2, 5, 4, A, 5), GABLE_BAD_ARGUMENT);
        PART_REFUSED(FN(lascl)(ctx, (gable_uplo)0, 1, 2, 5, 4, A, 5), "argument 2 (uplo)", "0");
        PART_REFUSED(FN(lascl)(ctx, G, 0, 2, 5, 4, A, 5), "argument 3 (cfrom)", "0");
        PART_REFUSED(FN(lascl)(ctx, G, (R)NAN, 2, 5, 4, A, 5), "argument 3 (cfrom)");
        PART_REFUSED(FN(lascl)(ctx, G, 1, (R)NAN, 5, 4, A, 5), "argument 4 (cto)");
        PART_REFUSED(FN(lascl)(ctx, G, 1, 2, -5, 4, A, 5), "argument 5 (m)", "-5");
        PART_REFUSED(FN(lascl)(ctx, G, 1, 2, 5, -4, A, 5), "argument 6 (n)", "-4");
        PART_REFUSED(FN(lascl)(ctx, G, 1, 2, 5, 4, NULL, 5), "argument 7 (A)", "NULL");
        PART_REFUSED(FN(lascl)(ctx, G, 1, 2, 5, 4, A, 4), "argument 8 (lda)", "4", "5");
        name = NAME(FN(lascl_dev));
        PART_REFUSED(FN(lascl_dev)(ctx, G, NULL, at, 5, 4, A, 5), "argument 3 (cfrom)", "NULL");
        PART_REFUSED(FN(lascl_dev)(ctx, G, at, NULL, 5, 4, A, 5), "argument 4 (cto)", "NULL");
    }
    part_end_refused(r, &o, &c);
}

static void repeat(routine *r)
{
    part_repeat(r, (part_case){.from = 2, .to = 8, .exact = true});
}

const routine_parts PARTS = TEST_PARTS(
    "lascl", .run = {exact, residual, edges, guards, arguments, repeat}, .probe = part_probe);
