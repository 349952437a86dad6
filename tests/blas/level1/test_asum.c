/* test_asum.c: the six parts of asum: result := sum of |Re x_i| + |Im x_i|
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound: |error| <= (n + 2) u sum, for complex vectors with 2n in place of n: a sum of numbers none
 * of which is negative, in any order (Higham, Accuracy and Stability, 4.2).
 */
#include <math.h>
#include <stdio.h>
#include "harness/reduction.h"
#include "harness/wide.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, const gbl_vector_call *call)
{
    return FN_R(asum)(ctx, call->n, call->x, call->incx, call->result);
}

/* So small that the sum stays below 2^24; of very long vectors only each fourth is not 0. */
static void put_integer(const guarded *v, int64_t i, uint64_t seed)
{
    const int64_t most = (((int64_t)1 << 24) - 1) / (REALS * v->n);
    if (most > 0)
        put(v, i, integer_element(seed, i, most < 100 ? (int)most : 100));
    else
        put(v, i, make(i % 4 == 0 ? -1 : 0, i % 4 == 0 ? 1 : 0));
}

static void put_random(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, random_element(seed, i));
}

static void expect(const void *value, double wanted)
{
    R found;
    const R rounded = (R)wanted;
    memcpy(&found, value, sizeof found);
    CHECK(memcmp(&found, &rounded, sizeof found) == 0, "the sum is %.17g, not %.17g", found,
          wanted);
}

static void check_exact(routine *r, const guarded *x, const guarded *y, const void *value)
{
    int64_t sum = 0;
    (void)r;
    (void)y;
    for (int64_t i = 0; i < x->n; i++)
        sum += (int64_t)fabs(real_part(get(x, i))) + (int64_t)fabs(imaginary_part(get(x, i)));
    expect(value, (double)sum);
}

static void check_bound(routine *r, const guarded *x, const guarded *y, const void *value)
{
    wide sum = {0, 0};
    R found;
    (void)y;
    memcpy(&found, value, sizeof found);
    for (int64_t i = 0; i < x->n; i++)
        sum = wide_add(wide_add(sum, fabs(real_part(get(x, i)))), fabs(imaginary_part(get(x, i))));
    routine_error(r, wide_distance(sum, found), ((double)x->n * REALS + 2) * ROUNDOFF * sum.high,
                  1);
}

static const reduction asum = {.name = NAME(FN_R(asum)),
                               .vectors = 1,
                               .elem_bytes = sizeof(T),
                               .real_bytes = sizeof(R),
                               .result_bytes = sizeof(R),
                               .x_number = 3,
                               .result_number = 5,
                               .call = {.dtype = DTYPE},
                               .run = run,
                               .put_integer = put_integer,
                               .put_random = put_random,
                               .check_exact = check_exact,
                               .check_bound = check_bound};

static void exact(routine *r)
{
    reduction_exact(r, &asum);
}

static void residual(routine *r)
{
    reduction_residual(r, &asum);
}

/* A vector of `rest` with a at one place and b at another; both may be the same place. In complex
 * vectors b is the imaginary part of its element, so that both parts are seen. */
static void planted(routine *r, const shape *given, double rest, int64_t i, double a, int64_t k,
                    double b, double wanted)
{
    const shape of_run = routine_shape(r, 1, *given), *s = &of_run;
    reduction_vectors v;
    R value;
    char more[128];
    snprintf(more, sizeof more, "rest %g, %g at %lld, %g at %lld", rest, a, (long long)i, b,
             (long long)k);
    routine_case(r, s, 0, more);
    if (reduction_build(r, &asum, &v, s, 0, RANDOM, FILL_NAN, LOOSE)) {
        for (int64_t e = 0; e < s->n; e++)
            put(&v.x, e, make(rest, 0));
        put(&v.x, i, make(a, 0));
        if (k != i)
            put(&v.x, k, COMPLEX ? make(0, b) : make(b, 0));
        if (guarded_send(&v.x) && reduction_run(r, &asum, &v, i % 2 == 0, &value)) {
            if (isnan(wanted))
                CHECK(isnan(value), "the sum is %g, not NaN", value);
            else
                expect(&value, wanted);
        }
    }
    reduction_destroy(&v);
}

static void edges(routine *r)
{
    static const shape shapes[] = {{1, 1, 1, 0, 0},    {37, 1, 1, 0, 0},   {37, 1, 1, 1, 0},
                                   {29, -2, 1, 0, 0},  {1025, 1, 1, 0, 0}, {40000, 1, 1, 0, 0},
                                   {4000, -3, 1, 0, 0}};
    const R none = 0;
    reduction_small(r, &asum, &none);
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const shape *s = &shapes[k];
        const double d = REAL_DENORM, top = REAL_MAX;
        const int64_t step = s->n > 2000 ? s->n / 3 : s->n > 100 ? 101 : 1;
        for (int64_t i = 0; i < s->n; i += step) {
            const int64_t other = s->n - 1 - i;
            planted(r, s, 1, i, NAN, i, 0, NAN);
            planted(r, s, 1, i, INFINITY, i, 0, INFINITY);
            planted(r, s, 1, i, -INFINITY, other, other == i ? 0 : INFINITY, INFINITY);
            planted(r, s, 0, i, -top, i, 0, top);
            planted(r, s, -0.0, i, -0.0, i, 0, 0);
            planted(r, s, 0, i, -d, i, 0, d);
            planted(r, s, -d, i, 3 * d, i, 0, (double)(s->n + 2) * d);
            if (other != i) {
                planted(r, s, 1, i, NAN, other, INFINITY, NAN);
                planted(r, s, 0, i, top, other, -top, INFINITY); /* the sum is too large */
                planted(r, s, 0, i, top / 2, other, -top / 2, top);
            }
        }
    }
    const T far[3] = {make(2, 0), make(-3, 4), make(6, 0)}, three = make(-3, 0);
    const R sum = COMPLEX ? 15 : 11;
    reduction_far(r, &asum, far, NULL, &sum, &sum);
#if defined(PREC_D) /* where that sum is exact */
    const R many = 3.0 * (0x1p31 + 5);
    reduction_many(r, &asum, &three, NULL, &many);
#else
    (void)three;
#endif
}

static void guards(routine *r)
{
    reduction_guards(r, &asum);
}

static void arguments(routine *r)
{
    reduction_arguments(r, &asum);
}

static void repeat(routine *r)
{
    reduction_repeat(r, &asum);
}

const routine_parts PARTS =
    TEST_PARTS("asum", .run = {exact, residual, edges, guards, arguments, repeat});
