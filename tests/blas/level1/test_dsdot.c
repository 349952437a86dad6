/* test_dsdot.c: the six parts of dsdot and sdsdot: sums of x_i y_i in double of vectors of floats
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of floats are exact in double, so dsdot has |error| <= (n + 2) 2^-53 sum |x_i| |y_i|
 * (Higham, Accuracy and Stability, 3.1), as if the vectors were double. sdsdot adds alpha to that
 * and is rounded once: 2^-24 of the result on top. `exact` has sums past 2^24, which no sum in
 * float would keep. The routine exists in s only: the other precisions have no parts.
 */
#include <math.h>
#include <stdio.h>
#include "harness/reduction.h"
#include "harness/wide.h"
#include "harness/numbers.h"

#if defined(PREC_S)

#define DOUBLE_ROUNDOFF 0x1p-53

static gable_status run_dsdot(gable_context *ctx, const gbl_vector_call *call)
{
    return gable_dsdot(ctx, call->n, call->x, call->incx, call->y, call->incy, call->result);
}

static gable_status run_sdsdot(gable_context *ctx, const gbl_vector_call *call)
{
    return gable_sdsdot(ctx, call->n, (float)call->alpha.re, call->x, call->incx, call->y,
                        call->incy, call->result);
}

static gable_status run_sdsdot_dev(gable_context *ctx, const gbl_vector_call *call)
{
    return gable_sdsdot_dev(ctx, call->n, call->alpha.device, call->x, call->incx, call->y,
                            call->incy, call->result);
}

/* Sums up to 10^6 n: beyond what float holds, below 2^53. */
static void put_integer(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, integer_element(seed, i, 1000));
}

static void put_random(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, random_element(seed, i));
}

static double integer_sum(const guarded *x, const guarded *y)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < x->n; i++)
        sum += (int64_t)get(x, i) * (int64_t)get(y, i);
    return (double)sum;
}

static void expect_double(const void *value, double wanted)
{
    double found;
    memcpy(&found, value, sizeof found);
    CHECK(memcmp(&found, &wanted, sizeof found) == 0, "the sum is %.17g, not %.17g", found, wanted);
}

static void expect_float(const void *value, double wanted)
{
    float found;
    const float rounded = (float)wanted;
    memcpy(&found, value, sizeof found);
    CHECK(memcmp(&found, &rounded, sizeof found) == 0, "the sum is %.9g, not %.9g", found, rounded);
}

#define ALPHA 3000001 /* added to integers */

static void exact_double(routine *r, const guarded *x, const guarded *y, const void *value)
{
    (void)r;
    expect_double(value, integer_sum(x, y));
}

static void exact_float(routine *r, const guarded *x, const guarded *y, const void *value)
{
    (void)r;
    expect_float(value, ALPHA + integer_sum(x, y));
}

/* alpha + the sum of products, and of their sizes. */
static wide wide_sum(double alpha, const guarded *x, const guarded *y, double *size)
{
    wide sum = {alpha, 0};
    *size = fabs(alpha);
    for (int64_t i = 0; i < x->n; i++) {
        sum = wide_add_product(sum, get(x, i), get(y, i));
        *size += fabs((double)get(x, i) * get(y, i));
    }
    return sum;
}

static void bound_double(routine *r, const guarded *x, const guarded *y, const void *value)
{
    double found, size;
    const wide sum = wide_sum(0, x, y, &size);
    memcpy(&found, value, sizeof found);
    routine_error(r, wide_distance(sum, found), ((double)x->n + 2) * DOUBLE_ROUNDOFF * size, 1);
}

static void bound_float(routine *r, const guarded *x, const guarded *y, const void *value)
{
    float found;
    double size;
    const wide sum = wide_sum(ALPHA, x, y, &size);
    memcpy(&found, value, sizeof found);
    routine_error(r, wide_distance(sum, found),
                  ROUNDOFF * fabs(sum.high) + ((double)x->n + 3) * DOUBLE_ROUNDOFF * size, 1);
}

static const reduction dsdot = {.name = "gable_dsdot",
                                .vectors = 2,
                                .elem_bytes = sizeof(float),
                                .real_bytes = sizeof(float),
                                .result_bytes = sizeof(double),
                                .x_number = 3,
                                .y_number = 5,
                                .result_number = 7,
                                .call = {.dtype = GBL_S, .wide_result = true},
                                .run = run_dsdot,
                                .put_integer = put_integer,
                                .put_random = put_random,
                                .check_exact = exact_double,
                                .check_bound = bound_double};

static const reduction sdsdot = {.name = "gable_sdsdot",
                                 .vectors = 2,
                                 .elem_bytes = sizeof(float),
                                 .real_bytes = sizeof(float),
                                 .result_bytes = sizeof(float),
                                 .x_number = 4,
                                 .y_number = 6,
                                 .result_number = 8,
                                 .call = {.dtype = GBL_S, .alpha = {NULL, ALPHA, 0}},
                                 .run = run_sdsdot,
                                 .put_integer = put_integer,
                                 .put_random = put_random,
                                 .check_exact = exact_float,
                                 .check_bound = bound_float};

/* A device alpha between NaNs, and the sdsdot that reads it. */
static bool alpha_make(routine *r, guarded *alpha, float value, reduction *d)
{
    if (!guarded_make(alpha, r->ctx, 1, 1, sizeof(float), sizeof(float), FILL_NAN, LOOSE))
        return false;
    put(alpha, 0, value);
    *d = sdsdot;
    d->name = "gable_sdsdot_dev";
    d->call.alpha = (gbl_scalar){alpha->at, 0, 0};
    d->run = run_sdsdot_dev;
    return guarded_send(alpha);
}

/* One part of the test, for the three functions. */
static void all_three(routine *r, void (*part)(routine *r, const reduction *d))
{
    guarded alpha;
    reduction dev;
    part(r, &dsdot);
    part(r, &sdsdot);
    if (alpha_make(r, &alpha, ALPHA, &dev)) {
        part(r, &dev);
        if (guarded_fetch(&alpha))
            guarded_same(&alpha, "alpha");
    }
    guarded_destroy(&alpha);
}

static void exact(routine *r)
{
    all_three(r, reduction_exact);
}

static void residual(routine *r)
{
    all_three(r, reduction_residual);
}

/* x_0 y_0 + x_1 y_1 + alpha, in all three functions; the rest of the vectors is zeros. */
static void pair(routine *r, int64_t n, const float x[2], const float y[2], float given,
                 double wide_wanted, float wanted)
{
    const shape s = routine_shape(r, 2, (shape){n, 1, 1, 0, 1});
    guarded alpha;
    reduction dev;
    const bool made = alpha_make(r, &alpha, given, &dev);
    reduction value = sdsdot;
    value.call.alpha = (gbl_scalar){NULL, given, 0};
    const reduction *const three[] = {&dsdot, &value, &dev};
    for (int k = 0; made && k < 3; k++) {
        reduction_vectors v;
        union {
            double wide;
            float single;
        } found;
        char more[160];
        snprintf(more, sizeof more, "%s %g * %g + %g * %g, alpha=%g", three[k]->name, x[0], y[0],
                 x[1], y[1], given);
        routine_case(r, &s, 0, more);
        if (reduction_build(r, three[k], &v, &s, 0, INTEGERS, FILL_NAN, LOOSE)) {
            for (int64_t i = 0; i < n; i++) {
                put(&v.x, i, i == 0 ? x[0] : i == n - 1 ? x[1] : 0);
                put(&v.y, i, i == 0 ? y[0] : i == n - 1 ? y[1] : 0);
            }
            if (guarded_send(&v.x) && guarded_send(&v.y) &&
                reduction_run(r, three[k], &v, n % 2, &found)) {
                const double seen = k == 0 ? found.wide : found.single;
                const double must = k == 0 ? wide_wanted : wanted;
                CHECK(isnan(must) ? isnan(seen) : seen == must, "the result is %.17g, not %.17g",
                      seen, must);
            }
        }
        reduction_destroy(&v);
    }
    guarded_destroy(&alpha);
}

static void edges(routine *r)
{
    const double none = 0;
    const float alpha_alone = ALPHA;
    guarded alpha;
    reduction dev;
    reduction_small(r, &dsdot, &none);
    reduction_small(r, &sdsdot, &alpha_alone);
    if (alpha_make(r, &alpha, ALPHA, &dev))
        reduction_small(r, &dev, &alpha_alone);
    guarded_destroy(&alpha);

    static const int64_t sizes[] = {2, 37, 1024, 40001};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const int64_t n = sizes[k];
        const float one[2] = {1, 1}, large[2] = {0x1p24f, 1}, top[2] = {FLT_MAX, FLT_MAX};
        const float opposite[2] = {FLT_MAX, -FLT_MAX}, tiny[2] = {0x1p-149f, 0x1p-149f};
        const float nan[2] = {1, NAN}, infinite[2] = {INFINITY, 1}, both[2] = {INFINITY, -INFINITY};
        /* 2^24 + 1, and 1 more: rounded before alpha is added it would stay 2^24. */
        pair(r, n, large, one, 1, 0x1p24 + 1, 0x1p24f + 2);
        /* What overflows and underflows in float does not in double. */
        pair(r, n, top, top, 0, 2 * (double)FLT_MAX * FLT_MAX, INFINITY);
        pair(r, n, opposite, top, 0, 0, 0);
        pair(r, n, tiny, tiny, 0, 0x1p-297, 0);
        pair(r, n, tiny, one, 0, 0x1p-148, 0x1p-148f);
        pair(r, n, one, nan, 1, NAN, NAN);
        pair(r, n, nan, one, 1, NAN, NAN);
        pair(r, n, infinite, one, 1, INFINITY, INFINITY);
        pair(r, n, both, one, 1, NAN, NAN);
        pair(r, n, one, one, NAN, 2, NAN);
        pair(r, n, one, one, -INFINITY, 2, -INFINITY);
    }
    const float x[3] = {1, 10, 100}, y[3] = {5, 3, 2}, three = 3, two = 2;
    const double far = 532, many = 6 * (0x1p31 + 5);
    reduction_far(r, &dsdot, x, y, &far, NULL);
    reduction_many(r, &dsdot, &three, &two, &many);
}

static void guards(routine *r)
{
    all_three(r, reduction_guards);
}

/* alpha on the device must be there, unless n is wrong first. */
static void bad_alpha(routine *r)
{
    const shape s = {5, 1, 1, 0, 0};
    gable_context *ctx = r->ctx;
    reduction_vectors v;
    result_place place;
    float outside = 1;
    routine_case(r, &s, 0, "alpha");
    if (reduction_build(r, &sdsdot, &v, &s, 0, INTEGERS, FILL_PATTERN, LOOSE) &&
        result_make(&place, ctx, sizeof(float), false)) {
        const float *x = v.x.at, *y = v.y.at;
        CHECK_REFUSED(ctx, gable_sdsdot_dev(ctx, 5, NULL, x, 1, y, 1, place.at), GABLE_BAD_ARGUMENT,
                      "gable_sdsdot_dev", "argument 3 (alpha)", "NULL");
        CHECK_REFUSED(ctx, gable_sdsdot_dev(ctx, 5, NULL, NULL, 1, y, 1, place.at),
                      GABLE_BAD_ARGUMENT, "gable_sdsdot_dev", "argument 3 (alpha)", "NULL");
        CHECK_REFUSED(ctx, gable_sdsdot_dev(ctx, -3, NULL, x, 1, y, 1, place.at),
                      GABLE_BAD_ARGUMENT, "gable_sdsdot_dev", "argument 2 (n)", "-3");
        if (!r->device->props.is_host)
            CHECK_REFUSED(ctx, gable_sdsdot_dev(ctx, 5, &outside, x, 1, y, 1, place.at),
                          GABLE_BAD_ARGUMENT, "gable_sdsdot_dev", "argument 3 (alpha)",
                          r->device->info.name, "gable_alloc");
        result_untouched(&place);
    }
    reduction_destroy(&v);
}

static void arguments(routine *r)
{
    all_three(r, reduction_arguments);
    bad_alpha(r);
}

/* A recording sees the alpha of the moment it is replayed. */
static void later_alpha(routine *r)
{
    const shape s = {300, 1, 1, 0, 0};
    guarded alpha;
    reduction dev;
    reduction_vectors v;
    result_place place;
    gable_recording *recording = NULL;
    float value;
    routine_case(r, &s, 460, "alpha changes before the replay");
    const bool made = alpha_make(r, &alpha, 1, &dev);
    if (reduction_build(r, &dev, &v, &s, 460, INTEGERS, FILL_NAN, LOOSE) && made &&
        result_make(&place, r->ctx, sizeof(float), false)) {
        CHECK_OK(r->ctx, gable_record_begin(r->ctx));
        CHECK_OK(r->ctx, gable_sdsdot_dev(r->ctx, s.n, alpha.at, v.x.at, 1, v.y.at, 1, place.at));
        CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
        put(&alpha, 0, ALPHA);
        if (recording != NULL && guarded_send(&alpha) &&
            CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && result_take(&place, &value))
            exact_float(r, &v.x, &v.y, &value);
        gable_recording_destroy(recording);
    }
    reduction_destroy(&v);
    guarded_destroy(&alpha);
}

static void repeat(routine *r)
{
    all_three(r, reduction_repeat);
    later_alpha(r);
}

const routine_parts PARTS =
    TEST_PARTS("dsdot", .run = {exact, residual, edges, guards, arguments, repeat});

#else

const routine_parts PARTS = TEST_PARTS("dsdot", .run = {NULL});

#endif
