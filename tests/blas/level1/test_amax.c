/* test_amax.c: the six parts of amax: result := the position of the first largest |Re x_i| + |Im
 * x_i|
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing is rounded but the sum of the two parts of a complex number, once: the position is the
 * one a loop finds that compares with `>`. So a NaN wins as the first element and is passed over
 * later, and of equals the first wins. `exact` has seven values only and many equals, `residual`
 * none or few. A vendor's library may add the two parts in another way: its element must be the
 * largest up to that rounding.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "harness/reduction.h"
#include "harness/numbers.h"

static gable_status run(gable_context *ctx, const gbl_vector_call *call)
{
    return FN_I(amax)(ctx, call->n, call->x, call->incx, call->result);
}

static void put_integer(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, integer_element(seed, i, 3));
}

static void put_random(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, random_element(seed, i));
}

/* |Re| + |Im| in R: one rounding, also to Inf. */
static R size_of(T t)
{
    const R re = (R)fabs(real_part(t)), im = (R)fabs(imaginary_part(t));
    return re + im;
}

static void expect(int64_t found, int64_t wanted)
{
    CHECK(found == wanted, "the position is %lld, not %lld", (long long)found, (long long)wanted);
}

static void check_exact(routine *r, const guarded *x, const guarded *y, const void *value)
{
    int64_t found, wanted = 1;
    (void)r;
    (void)y;
    memcpy(&found, value, sizeof found);
    for (int64_t i = 1; i < x->n; i++)
        if (size_of(get(x, i)) > size_of(get(x, wanted - 1)))
            wanted = i + 1;
    expect(found, wanted);
}

static void check_bound(routine *r, const guarded *x, const guarded *y, const void *value)
{
    int64_t found;
    if (r->variant == NULL || !r->variant->vendor) {
        check_exact(r, x, y, value);
        return;
    }
    memcpy(&found, value, sizeof found);
    CHECK(found >= 1 && found <= x->n, "the position %lld is outside", (long long)found);
    for (int64_t i = 0; found >= 1 && found <= x->n && i < x->n; i++)
        if ((double)size_of(get(x, i)) > (1 + 4 * ROUNDOFF) * size_of(get(x, found - 1))) {
            CHECK(false, "element %lld is larger than %lld", (long long)i + 1, (long long)found);
            return;
        }
}

static const reduction amax = {.name = NAME(FN_I(amax)),
                               .vectors = 1,
                               .elem_bytes = sizeof(T),
                               .real_bytes = sizeof(R),
                               .result_bytes = sizeof(int64_t),
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
    reduction_exact(r, &amax);
}

static void residual(routine *r)
{
    reduction_residual(r, &amax);
}

/* ---- Edges ---- */

/* One element unlike the rest; a place of -1 is none. */
typedef struct plant {
    int64_t place;
    double re, im;
} plant;

static void planted(routine *r, const shape *given, double rest, plant a, plant b, int64_t wanted)
{
    const shape of_run = routine_shape(r, 1, *given), *s = &of_run;
    reduction_vectors v;
    int64_t found = -1;
    char more[128];
    snprintf(more, sizeof more, "rest %g, (%g, %g) at %lld, (%g, %g) at %lld", rest, a.re, a.im,
             (long long)a.place, b.re, b.im, (long long)b.place);
    routine_case(r, s, 0, more);
    if (reduction_build(r, &amax, &v, s, 0, RANDOM, FILL_NAN, LOOSE)) {
        for (int64_t i = 0; i < s->n; i++)
            put(&v.x, i, make(rest, 0));
        if (a.place >= 0)
            put(&v.x, a.place, make(a.re, a.im));
        if (b.place >= 0)
            put(&v.x, b.place, make(b.re, b.im));
        if (guarded_send(&v.x) && reduction_run(r, &amax, &v, (a.place + b.place) % 2, &found))
            expect(found, wanted);
    }
    reduction_destroy(&v);
}

/* All that depends on one place i, and on a second one at the other end of the vector. */
static void at_place(routine *r, const shape *s, int64_t i)
{
    const plant none = {-1, 0, 0};
    const int64_t k = s->n - 1 - i, first = (i < k ? i : k) + 1;
    const double d = REAL_DENORM, top = REAL_MAX;
    planted(r, s, 1, (plant){i, 2, 0}, none, i + 1);
    planted(r, s, -1, (plant){i, -2, 0}, none, i + 1);
    planted(r, s, 0, (plant){i, d, 0}, none, i + 1);
    planted(r, s, d, (plant){i, -2 * d, 0}, none, i + 1);
    planted(r, s, top / 2, (plant){i, top, 0}, none, i + 1);
    planted(r, s, top, (plant){i, -INFINITY, 0}, none, i + 1);
    planted(r, s, 1, (plant){i, NAN, 0}, none, 1); /* wins as the first; else the first of equals */
    planted(r, s, NAN, (plant){i, 3, 0}, none, 1);
    if (i > 0) {
        planted(r, s, NAN, (plant){0, 1, 0}, (plant){i, 2, 0}, i + 1);
        planted(r, s, NAN, (plant){0, -INFINITY, 0}, (plant){i, INFINITY, 0}, 1);
        planted(r, s, 0, (plant){0, NAN, 0}, (plant){i, INFINITY, 0}, 1);
    }
    if (k == i)
        return;
    planted(r, s, 1, (plant){i, 2, 0}, (plant){k, -2, 0}, first);
    planted(r, s, 1, (plant){i, INFINITY, 0}, (plant){k, -INFINITY, 0}, first);
    planted(r, s, 1, (plant){i, 2, 0}, (plant){k, NAN, 0}, k == 0 ? 1 : i + 1);
#if COMPLEX
    /* By the sum of the parts, not by the modulus; a sum may be Inf, and then the first wins. */
    planted(r, s, 1, (plant){i, 3, -3}, (plant){k, 5, 0}, i + 1);
    planted(r, s, 1, (plant){i, 0, 7}, (plant){k, -3, -3}, i + 1);
    planted(r, s, 1, (plant){i, top, -top}, (plant){k, INFINITY, 0}, first);
    planted(r, s, 1, (plant){i, 0, INFINITY}, (plant){k, top, top}, first);
    planted(r, s, 1, (plant){i, 9, NAN}, (plant){k, 2, 0}, i == 0 ? 1 : k + 1);
    planted(r, s, 1, (plant){i, INFINITY, NAN}, (plant){k, 2, 0}, i == 0 ? 1 : k + 1);
#endif
}

/* A vector so long that the position passes 2^31: zeros, and a one at the end. */
static void far_position(routine *r)
{
#if defined(PREC_S)
    const shape s = {((int64_t)1 << 31) + 5, 1, 1, 0, 0};
    const size_t bytes = (size_t)s.n * sizeof(T);
    const bool host = r->device->props.is_host;
    far_memory room;
    const T one = 1;
    if (!r->all || (r->variant != NULL && !r->device->props.is_gpu) ||
        !far_take(r, 1, bytes, &room))
        return;
    T *x = room.at[0];
    routine_case(r, &s, 0, "largest past 2^31");
    int64_t found = -1;
    const gbl_vector_call call = TYPED_CALL(.n = s.n, .x = x, .incx = 1, .result = &found);
    if (!host) /* on the host it is zeros already, and to write them would take real memory */
        CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, x, 0, bytes));
    CHECK_OK(r->ctx, gable_set_vector(r->ctx, 1, sizeof(T), &one, 1, x + s.n - 1, 1));
    if (routine_ran(r, run(r->ctx, &call), &call))
        expect(found, s.n);
    far_give(r, &room);
#else
    (void)r;
#endif
}

static void edges(routine *r)
{
    static const shape shapes[] = {{1, 1, 1, 0, 0},     {2, 1, 1, 1, 0},    {37, 1, 1, 0, 0},
                                   {37, 1, 1, 1, 0},    {29, -2, 1, 0, 0},  {1025, 1, 1, 0, 0},
                                   {40000, 1, 1, 0, 0}, {4000, -3, 1, 0, 0}};
    const plant none = {-1, 0, 0};
    const int64_t zero = 0, one = 1;
    reduction_small(r, &amax, &zero);
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const shape *s = &shapes[k];
        planted(r, s, 0, none, none, 1);
        planted(r, s, -0.0, none, none, 1);
        planted(r, s, 0, (plant){s->n - 1, -0.0, -0.0}, none, 1);
        planted(r, s, -0.0, (plant){s->n - 1, 0, 0}, none, 1);
        planted(r, s, -7, (plant){s->n - 1, 7, 0}, none, 1);
        planted(r, s, NAN, none, none, 1);
        planted(r, s, -INFINITY, none, none, 1);
        const int64_t step = s->n > 2000 ? s->n / 3 : s->n > 100 ? 101 : 1;
        for (int64_t i = 0; i < s->n; i += step)
            at_place(r, s, i);
        if (step > 1)
            at_place(r, s, s->n - 1);
    }
    const T given[3] = {make(2, 0), make(-3, 0), make(6, 0)}, same = make(-3, 0);
    const int64_t backwards = 1, forwards = 3;
    reduction_far(r, &amax, given, NULL, &backwards, &forwards);
#if defined(PREC_D)
    reduction_many(r, &amax, &same, NULL, &one);
#else
    (void)same;
    (void)one;
#endif
    far_position(r);
}

static void guards(routine *r)
{
    reduction_guards(r, &amax);
}

static void arguments(routine *r)
{
    reduction_arguments(r, &amax);
}

static void repeat(routine *r)
{
    reduction_repeat(r, &amax);
}

const routine_parts PARTS =
    TEST_PARTS("amax", .run = {exact, residual, edges, guards, arguments, repeat});
