/* test_mnrm2.c: the six parts of mnrm2: result_j := sqrt(sum of |X_ij|^2), the norms of columns
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, number by number: |error| <= (n + 4) u times the norm, as for nrm2 (Higham, Accuracy and
 * Stability, 3.1), and the smallest number, where the norm is subnormal. The norm of n numbers of
 * size 1 is the rounded root of n, bit for bit. The reference scales a column by a power of two,
 * which is exact. Gaps between columns are NaN: a lane that reads past the end of a column shows.
 * The numbers go to host and device memory in turn.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "harness/column_data.h"
#include "harness/wide.h"
#include "harness/numbers.h"

static const char *const name = NAME(FN_R(mnrm2));

static void sign(const guarded *v, int64_t i, uint64_t seed)
{
    const uint64_t bits = data_bits(seed, (uint64_t)i);
    put(v, i, make(bits & 1 ? -1 : 1, bits & 2 ? -1 : 1));
}

static void any(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, random_element(seed, i));
}

static bool build(routine *r, columns *c, const columns_shape *s, columns_element element,
                  uint64_t seed, guarded_fill fill, guarded_fence fence)
{
    return columns_build(r, c, s, sizeof(T), sizeof(R), element, seed, fill, fence);
}

static gbl_vector_call call_of(const T *X, const columns_shape *s, void *result)
{
    return (gbl_vector_call)TYPED_CALL(.n = s->n, .x = (void *)(uintptr_t)X, .incx = 1,
                                       .result = result, .count = s->k, .ldx = s->ldx);
}

static gable_status run_call(gable_context *ctx, const gbl_vector_call *call)
{
    return FN_R(mnrm2)(ctx, call->n, call->count, call->x, call->ldx, call->result);
}

/* The k numbers, with what is around them checked. */
static bool run(routine *r, const T *X, const columns_shape *s, bool on_host, R *values)
{
    columns_result place;
    if (!columns_result_make(&place, r->ctx, (size_t)s->k * sizeof(R), on_host))
        return false;
    const gbl_vector_call call = call_of(X, s, place.at);
    if (!routine_ran(r, run_call(r->ctx, &call), s->n > 0 && s->k > 0 ? &call : NULL)) {
        columns_result_untouched(&place);
        return false;
    }
    return columns_result_take(&place, values);
}

/* Column j is as large as 2^exponent times a number near 1. */
static wide reference(const guarded *X, const columns_shape *s, int64_t j, int *exponent)
{
    wide sum = {0, 0};
    double largest = 0;
    for (int64_t i = 0; i < s->n; i++) {
        const T x = get(X, i + j * s->ldx);
        largest = fmax(largest, fmax(fabs(real_part(x)), fabs(imaginary_part(x))));
    }
    *exponent = largest > 0 && isfinite(largest) ? ilogb(largest) : 0;
    for (int64_t i = 0; i < s->n; i++) {
        const T x = get(X, i + j * s->ldx);
        const double re = ldexp(real_part(x), -*exponent),
                     im = ldexp(imaginary_part(x), -*exponent);
        sum = wide_gather(wide_gather(sum, re, re), im, im);
    }
    return wide_root(sum);
}

static void bounded(routine *r, const guarded *X, const columns_shape *s, int64_t j, R value)
{
    int exponent;
    const wide norm = reference(X, s, j, &exponent);
    const double smallest = ldexp(REAL_DENORM, -exponent);
    if ((double)(R)ldexp(norm.high, exponent) > REAL_MAX) {
        CHECK((double)value == (double)INFINITY, "norm %lld is %g, not Inf", (long long)j,
              (double)value);
        return;
    }
    routine_error(r, wide_distance(norm, ldexp((double)value, -exponent)),
                  ((double)s->n + 4) * ROUNDOFF * norm.high + smallest, 1);
}

static void unchanged(columns *c)
{
    if (guarded_fetch(&c->X))
        guarded_same(&c->X, "X");
}

static void exact_case(routine *r, const columns_shape *s, uint64_t seed, bool on_host,
                       guarded_fill fill, guarded_fence fence)
{
    const R wanted = (R)sqrt((double)(REALS * s->n));
    columns c;
    R values[COLUMNS_MOST];
    char more[80];
    snprintf(more, sizeof more, "results on %s fence=%d", on_host ? "host" : "device", (int)fence);
    columns_case(r, s, seed, more);
    if (build(r, &c, s, sign, seed, fill, fence) && run(r, c.X.at, s, on_host, values)) {
        for (int64_t j = 0; j < s->k; j++)
            CHECK(values[j] == wanted, "norm %lld is %.17g, not %.17g", (long long)j,
                  (double)values[j], (double)wanted);
        unchanged(&c);
    }
    columns_destroy(&c);
}

static void exact(routine *r)
{
    int count;
    const columns_shape *shapes = columns_shapes(r, &count);
    for (int i = 0; i < count; i++)
        exact_case(r, &shapes[i], 10 * (uint64_t)i, i % 2 == 1, FILL_NAN, LOOSE);
}

static void random_case(routine *r, const columns_shape *s, uint64_t seed, bool on_host)
{
    columns c;
    R values[COLUMNS_MOST];
    columns_case(r, s, seed, "random");
    if (build(r, &c, s, any, seed, FILL_NAN, LOOSE) && run(r, c.X.at, s, on_host, values))
        for (int64_t j = 0; j < s->k; j++)
            bounded(r, &c.X, s, j, values[j]);
    columns_destroy(&c);
}

/* Many columns, which lanes share in other ways. */
static void many(routine *r, const columns_shape *s)
{
    guarded X;
    R *values = malloc((size_t)s->k * sizeof(R));
    columns_case(r, s, 20, "many columns");
    if (guarded_make(&X, r->ctx, (s->k - 1) * s->ldx + s->n, 1, sizeof(T), 0, FILL_NAN, LOOSE) &&
        values != NULL) {
        for (int64_t e = 0; e < s->k * s->ldx; e++)
            if (e % s->ldx < s->n)
                any(&X, e, 20);
        if (guarded_send(&X) && run(r, X.at, s, false, values))
            for (int64_t j = 0; j < s->k; j++)
                bounded(r, &X, s, j, values[j]);
    }
    guarded_destroy(&X);
    free(values);
}

static void residual(routine *r)
{
    int count;
    const columns_shape *shapes = columns_shapes(r, &count);
    for (int i = 0; i < count; i++)
        random_case(r, &shapes[i], 10000 + 10 * (uint64_t)i, i % 2 == 0);
    many(r, &(columns_shape){8, 5003, 8, 1, 0, 0});
    if (!routine_slow_compiler(r) || r->all) {
        many(r, &(columns_shape){5, 999, 7, 1, 0, 0});
        many(r, &(columns_shape){333, 200, 334, 1, 0, 0});
        many(r, &(columns_shape){1, 70, 1, 1, 0, 0});
    }
}

/* ---- Edges ---- */

/* k = 0 writes nothing; n = 0 writes k zeros; neither looks at X. */
static void empty(routine *r, bool on_host)
{
    const columns_shape no_rows = {0, 17, 1, 1, 0, 0}, no_columns = {5, 0, 5, 1, 0, 0};
    columns_result place;
    R values[17];
    columns_case(r, &no_columns, 0, "NULL pointers");
    CHECK_OK(r->ctx, FN_R(mnrm2)(r->ctx, 5, 0, NULL, 5, NULL));
    if (columns_result_make(&place, r->ctx, sizeof values, on_host)) {
        CHECK_OK(r->ctx, FN_R(mnrm2)(r->ctx, 5, 0, NULL, 5, place.at));
        columns_result_untouched(&place);
    }
    columns_case(r, &no_rows, 0, on_host ? "results on host" : "results on device");
    if (columns_result_make(&place, r->ctx, sizeof values, on_host) &&
        CHECK_OK(r->ctx, FN_R(mnrm2)(r->ctx, 0, 17, NULL, 1, place.at)) &&
        columns_result_take(&place, values))
        for (int j = 0; j < 17; j++)
            CHECK(values[j] == 0, "norm %d of nothing is %g", j, (double)values[j]);
}

/* Columns whose squares overflow or underflow, wholly or in part, beside plain ones; zeros; norms
 * that overflow. */
static void extremes(routine *r, const columns_shape *s)
{
    const double sizes[][2] = {{1, 1},
                               {REAL_MAX / 64, REAL_MAX / 64},
                               {REAL_MIN / 4, REAL_MIN / 4},
                               {0, 0},
                               {REAL_MAX / 2, 1},
                               {REAL_MIN, 1},
                               {REAL_MAX / 64, REAL_MIN},
                               {REAL_MAX, REAL_MAX},
                               {REAL_DENORM, 0}};
    columns c;
    R values[COLUMNS_MOST];
    columns_case(r, s, 60, "large and small numbers");
    if (build(r, &c, s, any, 60, FILL_NAN, LOOSE)) {
        for (int64_t j = 0; j < s->k; j++) {
            const double *size = sizes[j % 9];
            for (int64_t i = 0; i < s->n; i++) {
                const double value = (i == j % s->n ? size[0] : size[1]) * (i % 2 ? -1 : 1);
                put(&c.X, i + j * s->ldx, make(value, value / 2));
            }
        }
        if (guarded_send(&c.X) && run(r, c.X.at, s, false, values))
            for (int64_t j = 0; j < s->k; j++)
                bounded(r, &c.X, s, j, values[j]);
    }
    columns_destroy(&c);
}

/* NaN in a column makes its norm NaN, Inf without NaN makes it Inf, and no other norm changes. */
static void special(routine *r, const columns_shape *s, int64_t i, int64_t column, bool nan)
{
    columns c;
    R values[COLUMNS_MOST];
    char more[80];
    snprintf(more, sizeof more, "%s in row %lld of column %lld", nan ? "NaN" : "Inf", (long long)i,
             (long long)column);
    columns_case(r, s, 70, more);
    if (build(r, &c, s, sign, 70, FILL_NAN, LOOSE)) {
        put(&c.X, i + column * s->ldx, make(nan ? NAN : -INFINITY, 0.5));
        if (guarded_send(&c.X) && run(r, c.X.at, s, i % 2 == 0, values))
            for (int64_t j = 0; j < s->k; j++)
                CHECK(j != column ? values[j] == (R)sqrt((double)(REALS * s->n))
                      : nan       ? isnan(values[j])
                                  : (double)values[j] == (double)INFINITY,
                      "norm %lld is %g", (long long)j, (double)values[j]);
    }
    columns_destroy(&c);
}

/* Columns more than 2^31 elements apart. */
static void far_apart(routine *r)
{
    const columns_shape s = {3, 3, ((int64_t)1 << 30) + 7, 1, 0, 0};
    const size_t bytes = (2 * (size_t)s.ldx + 3) * sizeof(T);
    far_memory room;
    if (!far_take(r, 1, bytes, &room))
        return;
    T *X = room.at[0];
    columns_case(r, &s, 0, "far apart");
    R values[3];
    const gbl_vector_call call = call_of(X, &s, values);
    for (int j = 0; j < 3; j++) {
        const T column[3] = {make(3 * (j + 1), 0), make(0, 0), make(4 * (j + 1), 0)};
        CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), column, 1, X + j * s.ldx, 1));
    }
    if (routine_ran(r, run_call(r->ctx, &call), &call))
        for (int j = 0; j < 3; j++)
            CHECK(values[j] == (R)(5 * (j + 1)), "norm %d is %g", j, (double)values[j]);
    far_give(r, &room);
}

static void edges(routine *r)
{
    static const columns_shape places[] = {
        {37, 9, 48, 1, 0, 0}, {37, 18, 37, 1, 1, 0}, {1000, 9, 1000, 1, 0, 0}};
    empty(r, false);
    empty(r, true);
    for (int64_t k = 1; k <= 9; k++) {
        const columns_shape single = columns_of_run(r, (columns_shape){1, k, 1, 1, 1, 0});
        exact_case(r, &single, 7, k % 2, FILL_PATTERN, LOOSE);
    }
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        const columns_shape s = columns_of_run(r, places[p]);
        extremes(r, &s);
        for (int64_t j = 0; j < s.k; j += 8)
            for (int64_t i = j % 9; i < s.n && i < 40; i += 18) {
                special(r, &s, i, j, true);
                special(r, &s, i, j, false);
            }
    }
    far_apart(r);
}

/* ---- Guards, arguments, repeat ---- */

static void guards(routine *r)
{
    int count;
    const columns_shape *shapes = columns_few_shapes(r, &count);
    for (int i = 0; i < count; i++) {
        exact_case(r, &shapes[i], 200, false, FILL_PATTERN, LOOSE);
        exact_case(r, &shapes[i], 200, true, FILL_NAN, LOOSE);
        exact_case(r, &shapes[i], 200, false, FILL_PATTERN, TIGHT_BEHIND);
        exact_case(r, &shapes[i], 200, true, FILL_PATTERN, TIGHT_BEFORE);
    }
}

static void illegal(routine *r, const T *X, bool on_host)
{
    gable_context *ctx = r->ctx;
    T outside[10];
    columns_result place;
    memset(outside, 0, sizeof outside);
    if (!columns_result_make(&place, ctx, 2 * sizeof(R), on_host))
        return;
    R *to = place.at;
#define REFUSED(n, k, X, ldx, ...)                                                                 \
    CHECK_REFUSED(ctx, FN_R(mnrm2)(ctx, n, k, X, ldx, to), GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
    CHECK_STATUS(NULL, FN_R(mnrm2)(NULL, 5, 2, X, 5, to), GABLE_BAD_ARGUMENT);
    REFUSED(-3, 2, X, 5, "argument 2 (n)", "-3");
    REFUSED(5, -2, X, 5, "argument 3 (k)", "-2");
    REFUSED(0, -2, X, 5, "argument 3 (k)", "-2");
    REFUSED(5, 2, NULL, 5, "argument 4 (X)", "NULL");
    REFUSED(5, 2, X, 4, "argument 5 (ldx)", "4", "5");
    REFUSED(0, 2, X, 0, "argument 5 (ldx)", "0", "1");
    REFUSED(-3, -2, NULL, 0, "argument 2 (n)", "-3");
    if (!r->device->props.is_host)
        REFUSED(5, 2, outside, 5, "argument 4 (X)", r->device->info.name, "gable_alloc");
#undef REFUSED
    columns_result_untouched(&place);
}

static void arguments(routine *r)
{
    const columns_shape s = columns_of_run(r, (columns_shape){5, 2, 16, 1, 0, 0});
    columns c;
    R values[COLUMNS_MOST];
    columns_case(r, &s, 0, "");
    if (build(r, &c, &s, sign, 0, FILL_PATTERN, LOOSE)) {
        illegal(r, c.X.at, false);
        illegal(r, c.X.at, true);
        CHECK_REFUSED(r->ctx, FN_R(mnrm2)(r->ctx, s.n, s.k, c.X.at, s.ldx, NULL),
                      GABLE_BAD_ARGUMENT, name, "argument 6 (result)", "NULL");
        CHECK_REFUSED(r->ctx, FN_R(mnrm2)(r->ctx, 0, s.k, c.X.at, s.ldx, NULL), GABLE_BAD_ARGUMENT,
                      name, "argument 6 (result)", "NULL");
        if (run(r, c.X.at, &s, true, values)) /* the context works on */
            CHECK(values[0] == (R)sqrt((double)(REALS * s.n)), "the norm is %g", (double)values[0]);
    }
    columns_destroy(&c);
}

/* A recording of the call, replayed: the bits of the call itself. */
static void replayed(routine *r, const T *X, const columns_shape *s, const R *wanted)
{
    columns_result place;
    gable_recording *recording = NULL;
    R values[COLUMNS_MOST];
    if (!columns_result_make(&place, r->ctx, (size_t)s->k * sizeof(R), false))
        return;
    const gbl_vector_call call = call_of(X, s, place.at);
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, run_call(r->ctx, &call));
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    for (int i = 0; recording != NULL && i < 2; i++)
        CHECK_OK(r->ctx, gable_replay(r->ctx, recording));
    if (columns_result_take(&place, values))
        CHECK(memcmp(values, wanted, (size_t)s->k * sizeof(R)) == 0, "a replay gave other bits");
    gable_recording_destroy(recording);
}

static void repeat(routine *r)
{
    int count;
    const columns_shape *shapes = columns_few_shapes(r, &count);
    for (int i = 0; i < count; i++) {
        const columns_shape *s = &shapes[i];
        const size_t bytes = (size_t)s->k * sizeof(R);
        columns c;
        R first[COLUMNS_MOST], again[COLUMNS_MOST], hosted[COLUMNS_MOST];
        columns_case(r, s, 400, "twice");
        if (build(r, &c, s, any, 400, FILL_NAN, LOOSE) && run(r, c.X.at, s, false, first) &&
            run(r, c.X.at, s, false, again) && run(r, c.X.at, s, true, hosted)) {
            CHECK(memcmp(first, again, bytes) == 0 && memcmp(first, hosted, bytes) == 0,
                  "the same call gave other bits");
            replayed(r, c.X.at, s, first);
        }
        columns_destroy(&c);
    }
    /* All variants agree within the bound. */
    for (int v = 0; routine_next_variant(r, &v);) {
        shapes = columns_few_shapes(r, &count);
        for (int i = 0; i < count; i++)
            random_case(r, &shapes[i], 500, false);
    }
}

const routine_parts PARTS =
    TEST_PARTS("mnrm2", .run = {exact, residual, edges, guards, arguments, repeat});
