/* test_mdot.c: the six parts of mdot: result_j := sum of X_ij y_i, and mdotc with conj(X_ij)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, number by number: |error| <= (n + 2) u sum |X_ij| |y_i|, as for dot (Higham, Accuracy and
 * Stability, 3.1 and 3.5), times up to 2 sqrt 2 for complex numbers (3.6). The numbers go to host
 * and device memory in turn. Gaps between columns are NaN: a lane that reads past the end of a
 * column shows.
 */
#include <math.h>
#include <stdio.h>
#include "harness/column_data.h"
#include "harness/wide.h"
#include "harness/numbers.h"

/* smdot dmdot, or cmdotu zmdotu and cmdotc zmdotc: plain is 0, conj is 1. */
#if COMPLEX
#define FLAVOURS 2
static const char *const names[FLAVOURS] = {NAME(FN(mdotu)), NAME(FN(mdotc))};

static gable_status mdot(gable_context *ctx, int conj, int64_t n, int64_t k, const T *X,
                         int64_t ldx, const T *y, int64_t incy, T *result)
{
    return conj ? FN(mdotc)(ctx, n, k, X, ldx, y, incy, result)
                : FN(mdotu)(ctx, n, k, X, ldx, y, incy, result);
}
#else
#define FLAVOURS 1
static const char *const names[FLAVOURS] = {NAME(FN(mdot))};

static gable_status mdot(gable_context *ctx, int conj, int64_t n, int64_t k, const T *X,
                         int64_t ldx, const T *y, int64_t incy, T *result)
{
    (void)conj;
    return FN(mdot)(ctx, n, k, X, ldx, y, incy, result);
}
#endif

/* Up to 3: the sum of n products stays below 2^24; of long vectors up to 1. */
static void small_integer(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, integer_element(seed, i, v->n > 500000 ? 1 : 3));
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

static gbl_vector_call call_of(const columns *c, const columns_shape *s, int conj, void *result)
{
    return (gbl_vector_call)TYPED_CALL(.conj = conj, .n = s->n, .x = c->X.at, .incx = 1,
                                       .y = c->y.at, .incy = s->incy, .result = result,
                                       .count = s->k, .ldx = s->ldx);
}

static gable_status run_call(gable_context *ctx, const gbl_vector_call *call)
{
    return mdot(ctx, call->conj, call->n, call->count, call->x, call->ldx, call->y, call->incy,
                call->result);
}

/* The k numbers, with what is around them checked. */
static bool run(routine *r, const columns *c, const columns_shape *s, int conj, bool on_host,
                T *values)
{
    columns_result place;
    if (!columns_result_make(&place, r->ctx, (size_t)s->k * sizeof(T), on_host))
        return false;
    const gbl_vector_call call = call_of(c, s, conj, place.at);
    if (!routine_ran(r, run_call(r->ctx, &call), s->n > 0 && s->k > 0 ? &call : NULL)) {
        columns_result_untouched(&place);
        return false;
    }
    return columns_result_take(&place, values);
}

static T integer_dot(const columns *c, const columns_shape *s, int64_t j, int conj)
{
    int64_t re = 0, im = 0;
    for (int64_t i = 0; i < s->n; i++) {
        const T a = get(&c->X, i + j * s->ldx), b = get(&c->y, i);
        const int64_t ar = (int64_t)real_part(a), br = (int64_t)real_part(b);
        const int64_t ai = (conj ? -1 : 1) * (int64_t)imaginary_part(a);
        const int64_t bi = (int64_t)imaginary_part(b);
        re += ar * br - ai * bi;
        im += ar * bi + ai * br;
    }
    return make((double)re, (double)im);
}

static void expect(int64_t j, T value, T wanted)
{
    CHECK(memcmp(&value, &wanted, sizeof value) == 0,
          "number %lld is %.17g, %.17g, not %.17g, %.17g", (long long)j, real_part(value),
          imaginary_part(value), real_part(wanted), imaginary_part(wanted));
}

static void exact_case(routine *r, const columns_shape *s, uint64_t seed, bool on_host,
                       guarded_fill fill, guarded_fence fence)
{
    columns c;
    T values[COLUMNS_MOST];
    for (int conj = 0; conj < (columns_twice(r, s) ? FLAVOURS : 1); conj++) {
        char more[80];
        snprintf(more, sizeof more, "conj=%d results on %s fence=%d", conj,
                 on_host ? "host" : "device", (int)fence);
        columns_case(r, s, seed, more);
        if (build(r, &c, s, small_integer, seed, fill, fence) &&
            run(r, &c, s, conj, on_host, values)) {
            for (int64_t j = 0; j < s->k; j++)
                expect(j, values[j], integer_dot(&c, s, j, conj));
            if (guarded_fetch(&c.X) && guarded_fetch(&c.y)) {
                guarded_same(&c.X, "X");
                guarded_same(&c.y, "y");
            }
        }
        columns_destroy(&c);
    }
}

static void exact(routine *r)
{
    int count;
    const columns_shape *shapes = columns_shapes(r, &count);
    for (int i = 0; i < count; i++)
        exact_case(r, &shapes[i], 10 * (uint64_t)i, i % 2 == 1, FILL_NAN, LOOSE);
}

/* The error of each number over (n + 2) u sum |X_ij| |y_i|. */
static void bounded(routine *r, const columns *c, const columns_shape *s, int conj, const T *values)
{
    for (int64_t j = 0; j < s->k; j++) {
        wide re = {0, 0}, im = {0, 0};
        double size = 0;
        for (int64_t i = 0; i < s->n; i++) {
            const T a = get(&c->X, i + j * s->ldx), b = get(&c->y, i);
            const double ai = conj ? -imaginary_part(a) : imaginary_part(a);
            re = wide_gather(re, real_part(a), real_part(b));
            if (COMPLEX) {
                re = wide_gather(re, -ai, imaginary_part(b));
                im =
                    wide_gather(wide_gather(im, real_part(a), imaginary_part(b)), ai, real_part(b));
            }
            size += wide_size(real_part(a), imaginary_part(a)) *
                    wide_size(real_part(b), imaginary_part(b));
        }
        const double error = wide_size(wide_distance(re, real_part(values[j])),
                                       wide_distance(im, imaginary_part(values[j])));
        routine_error(r, error, ((double)s->n + 2) * ROUNDOFF * size, LIMIT);
    }
}

static void random_case(routine *r, const columns_shape *s, uint64_t seed, bool on_host)
{
    columns c;
    T values[COLUMNS_MOST];
    for (int conj = 0; conj < (columns_twice(r, s) ? FLAVOURS : 1); conj++) {
        columns_case(r, s, seed, conj ? "conj=1 random" : "conj=0 random");
        if (build(r, &c, s, any, seed, FILL_NAN, LOOSE) && run(r, &c, s, conj, on_host, values))
            bounded(r, &c, s, conj, values);
        columns_destroy(&c);
    }
}

static void residual(routine *r)
{
    int count;
    const columns_shape *shapes = columns_shapes(r, &count);
    for (int i = 0; i < count; i++)
        random_case(r, &shapes[i], 10000 + 10 * (uint64_t)i, i % 2 == 0);
}

/* ---- Edges ---- */

/* k = 0 writes nothing; n = 0 writes k zeros; neither looks at X or y. */
static void empty(routine *r, int conj, bool on_host)
{
    const columns_shape no_rows = {0, 17, 1, 1, 0, 0}, no_columns = {5, 0, 5, 1, 0, 0};
    columns_result place;
    T values[17];
    columns_case(r, &no_columns, 0, "NULL pointers");
    CHECK_OK(r->ctx, mdot(r->ctx, conj, 5, 0, NULL, 5, NULL, 1, NULL));
    CHECK_OK(r->ctx, mdot(r->ctx, conj, 0, 0, NULL, 1, NULL, 0, NULL));
    if (columns_result_make(&place, r->ctx, sizeof values, on_host)) {
        CHECK_OK(r->ctx, mdot(r->ctx, conj, 5, 0, NULL, 5, NULL, 1, place.at));
        columns_result_untouched(&place);
    }
    columns_case(r, &no_rows, 0, on_host ? "results on host" : "results on device");
    if (columns_result_make(&place, r->ctx, sizeof values, on_host) &&
        CHECK_OK(r->ctx, mdot(r->ctx, conj, 0, 17, NULL, 1, NULL, -2, place.at)) &&
        columns_result_take(&place, values))
        for (int j = 0; j < 17; j++)
            expect(j, values[j], make(0, 0));
}

/* Not finite; for complex numbers an infinity may turn into NaN, by the order of operations. */
static bool is_special(T t, bool nan)
{
    if (COMPLEX && !nan)
        return !isfinite(real_part(t)) || !isfinite(imaginary_part(t));
    return nan ? isnan(real_part(t)) && (!COMPLEX || isnan(imaginary_part(t)))
               : isinf(real_part(t));
}

/* NaN or Inf in one column reaches its number and no other; in y (column -1) it reaches all. */
static void special(routine *r, const columns_shape *s, int64_t i, int64_t column, bool nan)
{
    columns c;
    T values[COLUMNS_MOST];
    char more[80];
    snprintf(more, sizeof more, "%s in row %lld of column %lld", nan ? "NaN" : "Inf", (long long)i,
             (long long)column);
    columns_case(r, s, 70, more);
    if (build(r, &c, s, small_integer, 70, FILL_NAN, LOOSE)) {
        for (int64_t j = 0; j < s->k; j++) /* so that Inf does not meet a 0 */
            put(&c.X, i + j * s->ldx, make(1, 0));
        put(&c.y, i, make(1, 0));
        if (column < 0)
            put(&c.y, i, make(nan ? NAN : INFINITY, 0.5));
        else
            put(&c.X, i + column * s->ldx, make(nan ? NAN : INFINITY, 0.5));
        if (guarded_send(&c.X) && guarded_send(&c.y) && run(r, &c, s, 0, i % 2 == 0, values)) {
            for (int64_t j = 0; j < s->k; j++) {
                if (column < 0 || j == column)
                    CHECK(is_special(values[j], nan), "number %lld is %g", (long long)j,
                          real_part(values[j]));
                else
                    expect(j, values[j], integer_dot(&c, s, j, 0));
            }
        }
    }
    columns_destroy(&c);
}

/* y is a column of X. */
static void shared(routine *r)
{
    const columns_shape s = columns_of_run(r, (columns_shape){300, 9, 304, 1, 0, 0});
    const int64_t which = s.k / 2;
    columns c;
    T values[COLUMNS_MOST];
    for (int conj = 0; conj < (columns_twice(r, &s) ? FLAVOURS : 1); conj++) {
        columns_case(r, &s, 55, conj ? "conj=1 y is a column" : "conj=0 y is a column");
        if (build(r, &c, &s, small_integer, 55, FILL_NAN, LOOSE)) {
            for (int64_t i = 0; i < s.n; i++)
                put(&c.y, i, get(&c.X, i + which * s.ldx));
            gbl_vector_call call = call_of(&c, &s, conj, values);
            call.y = (T *)c.X.at + which * s.ldx;
            if (routine_ran(r, run_call(r->ctx, &call), &call))
                for (int64_t j = 0; j < s.k; j++)
                    expect(j, values[j], integer_dot(&c, &s, j, conj));
        }
        columns_destroy(&c);
    }
}

/* Columns more than 2^31 elements apart, and elements of y. */
static void far_apart(routine *r)
{
    const columns_shape s = {3, 3, ((int64_t)1 << 30) + 7, ((int64_t)1 << 30) + 5, 0, 0};
    const size_t bytes = (2 * (size_t)s.ldx + 3) * sizeof(T);
    far_memory room;
    if (!far_take(r, 2, bytes, &room))
        return;
    T *X = room.at[0], *y = room.at[1];
    columns_case(r, &s, 0, "far apart");
    const T right[3] = {make(5, 0), make(3, 0), make(2, 0)};
    T values[3];
    const gbl_vector_call call = TYPED_CALL(.n = 3, .x = X, .incx = 1, .y = y, .incy = s.incy,
                                            .result = values, .count = 3, .ldx = s.ldx);
    for (int j = 0; j < 3; j++) {
        const T left[3] = {make(1 + j, 0), make(10, 0), make(100, 0)};
        CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), left, 1, X + j * s.ldx, 1));
    }
    CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, sizeof(T), right, 1, y, s.incy));
    if (routine_ran(r, run_call(r->ctx, &call), &call))
        for (int j = 0; j < 3; j++)
            expect(j, values[j], make(230 + 5 * (1 + j), 0));
    far_give(r, &room);
}

/* Columns longer than 2^31: zeros but for the two ends. y is one number: a stride of 0. */
static void long_columns(routine *r)
{
#if defined(PREC_S)
    const columns_shape s = {((int64_t)1 << 31) + 5, 2, ((int64_t)1 << 31) + 5, 0, 0, 0};
    const size_t bytes = 2 * (size_t)s.n * sizeof(T);
    const bool host = r->device->props.is_host;
    far_memory room;
    const T ones[2] = {1, 1};
    if (!r->all || (r->variant != NULL && !r->device->props.is_gpu) ||
        !far_take(r, 1, bytes, &room))
        return;
    T *X = room.at[0];
    columns_case(r, &s, 0, "columns longer than 2^31");
    T values[2];
    guarded y;
    if (!host) /* on the host it is zeros already, and to write them would take real memory */
        CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, X, 0, bytes));
    CHECK_OK(r->ctx, gable_set_vector(r->ctx, 2, sizeof(T), ones, 1, X + s.n - 1, 1));
    CHECK_OK(r->ctx, gable_set_vector(r->ctx, 1, sizeof(T), ones, 1, X + 2 * s.n - 1, 1));
    if (guarded_make(&y, r->ctx, 1, 0, sizeof(T), 0, FILL_NAN, LOOSE)) {
        put(&y, 0, 3);
        const gbl_vector_call call = TYPED_CALL(.n = s.n, .x = X, .incx = 1, .y = y.at,
                                                .result = values, .count = 2, .ldx = s.ldx);
        if (guarded_send(&y) && routine_ran(r, run_call(r->ctx, &call), &call)) {
            expect(0, values[0], 3);
            expect(1, values[1], 6);
        }
    }
    guarded_destroy(&y);
    far_give(r, &room);
#else
    (void)r;
#endif
}

static void edges(routine *r)
{
    static const columns_shape places[] = {
        {37, 9, 48, 1, 0, 0}, {37, 3, 37, 1, 1, 1}, {29, 17, 29, -3, 0, 0}};
    for (int conj = 0; conj < FLAVOURS; conj++) {
        empty(r, conj, false);
        empty(r, conj, true);
    }
    for (int64_t k = 1; k <= 9; k++) {
        const columns_shape single = columns_of_run(r, (columns_shape){1, k, 1, -1, 1, 0});
        const columns_shape repeated = columns_of_run(r, (columns_shape){100, k, 101, 0, 0, 1});
        exact_case(r, &single, 7, k % 2, FILL_PATTERN, LOOSE);
        exact_case(r, &repeated, 8, k % 2, FILL_PATTERN, LOOSE);
    }
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        const columns_shape s = columns_of_run(r, places[p]);
        const int64_t step = s.k > 9 ? 5 : 1;
        for (int64_t j = -1; j < s.k; j += step) {
            for (int64_t i = (j + 1) % 9; i < s.n; i += 9) {
                special(r, &s, i, j, true);
                special(r, &s, i, j, false);
            }
        }
    }
    shared(r);
    far_apart(r);
    long_columns(r);
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

static void illegal(routine *r, const columns *c, int conj, bool on_host)
{
    const char *name = names[conj];
    gable_context *ctx = r->ctx;
    const T *X = c->X.at, *y = c->y.at;
    T outside[10];
    columns_result place;
    memset(outside, 0, sizeof outside);
    if (!columns_result_make(&place, ctx, 2 * sizeof(T), on_host))
        return;
    T *to = place.at;
    CHECK_STATUS(NULL, mdot(NULL, conj, 5, 2, X, 5, y, 1, to), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, mdot(ctx, conj, -3, 2, X, 5, y, 1, to), GABLE_BAD_ARGUMENT, name,
                  "argument 2 (n)", "-3");
    CHECK_REFUSED(ctx, mdot(ctx, conj, 5, -2, X, 5, y, 1, to), GABLE_BAD_ARGUMENT, name,
                  "argument 3 (k)", "-2");
    CHECK_REFUSED(ctx, mdot(ctx, conj, 0, -2, X, 5, y, 1, to), GABLE_BAD_ARGUMENT, name,
                  "argument 3 (k)", "-2");
    CHECK_REFUSED(ctx, mdot(ctx, conj, 5, 2, NULL, 5, y, 1, to), GABLE_BAD_ARGUMENT, name,
                  "argument 4 (X)", "NULL");
    CHECK_REFUSED(ctx, mdot(ctx, conj, 5, 2, X, 4, y, 1, to), GABLE_BAD_ARGUMENT, name,
                  "argument 5 (ldx)", "4", "5");
    CHECK_REFUSED(ctx, mdot(ctx, conj, 5, 2, X, -5, y, 1, to), GABLE_BAD_ARGUMENT, name,
                  "argument 5 (ldx)", "-5");
    CHECK_REFUSED(ctx, mdot(ctx, conj, 0, 2, X, 0, y, 1, to), GABLE_BAD_ARGUMENT, name,
                  "argument 5 (ldx)", "0", "1");
    CHECK_REFUSED(ctx, mdot(ctx, conj, 5, 2, X, 5, NULL, 1, to), GABLE_BAD_ARGUMENT, name,
                  "argument 6 (y)", "NULL");
    CHECK_REFUSED(ctx, mdot(ctx, conj, -3, -2, NULL, 0, NULL, 1, NULL), GABLE_BAD_ARGUMENT, name,
                  "argument 2 (n)", "-3");
    if (!r->device->props.is_host) {
        CHECK_REFUSED(ctx, mdot(ctx, conj, 5, 2, outside, 5, y, 1, to), GABLE_BAD_ARGUMENT, name,
                      "argument 4 (X)", r->device->info.name, "gable_alloc");
        CHECK_REFUSED(ctx, mdot(ctx, conj, 5, 2, X, 5, outside, 1, to), GABLE_BAD_ARGUMENT, name,
                      "argument 6 (y)", r->device->info.name, "gable_alloc");
    }
    columns_result_untouched(&place);
}

static void arguments(routine *r)
{
    const columns_shape s = columns_of_run(r, (columns_shape){5, 2, 16, 1, 0, 0});
    columns c;
    T values[COLUMNS_MOST];
    columns_case(r, &s, 0, "");
    if (build(r, &c, &s, small_integer, 0, FILL_PATTERN, LOOSE)) {
        for (int conj = 0; conj < FLAVOURS; conj++) {
            gbl_vector_call call = call_of(&c, &s, conj, NULL);
            illegal(r, &c, conj, false);
            illegal(r, &c, conj, true);
            CHECK_REFUSED(r->ctx, run_call(r->ctx, &call), GABLE_BAD_ARGUMENT, names[conj],
                          "argument 8 (result)", "NULL");
            call.n = 0;
            CHECK_REFUSED(r->ctx, run_call(r->ctx, &call), GABLE_BAD_ARGUMENT, names[conj],
                          "argument 8 (result)", "NULL");
            if (run(r, &c, &s, conj, true, values)) /* the context works on */
                expect(0, values[0], integer_dot(&c, &s, 0, conj));
        }
    }
    columns_destroy(&c);
}

/* A recording of the call, replayed: the bits of the call itself. */
static void replayed(routine *r, const columns *c, const columns_shape *s, int conj,
                     const T *wanted)
{
    columns_result place;
    gable_recording *recording = NULL;
    T values[COLUMNS_MOST];
    if (!columns_result_make(&place, r->ctx, (size_t)s->k * sizeof(T), false))
        return;
    const gbl_vector_call call = call_of(c, s, conj, place.at);
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, run_call(r->ctx, &call));
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    for (int i = 0; recording != NULL && i < 2; i++)
        CHECK_OK(r->ctx, gable_replay(r->ctx, recording));
    if (columns_result_take(&place, values))
        for (int64_t j = 0; j < s->k; j++)
            expect(j, values[j], wanted[j]);
    gable_recording_destroy(recording);
}

/* More calls in a row than the workspace has counters for hand-overs (64), without a wait between.
 */
static void in_a_row(routine *r)
{
    enum { CALLS = 50 };
    const columns_shape s = columns_of_run(r, (columns_shape){20000, 9, 20000, 1, 0, 0});
    columns c;
    guarded results;
    columns_case(r, &s, 450, "50 times in a row");
    const bool made = guarded_make(&results, r->ctx, CALLS * s.k, 1, sizeof(T), 0, FILL_NAN, LOOSE);
    if (build(r, &c, &s, small_integer, 450, FILL_NAN, LOOSE) && made && guarded_send(&results)) {
        for (int i = 0; i < CALLS; i++) {
            const gbl_vector_call call = call_of(&c, &s, 0, (T *)results.at + i * s.k);
            CHECK_OK(r->ctx, run_call(r->ctx, &call));
        }
        if (guarded_fetch(&results))
            for (int64_t j = 0; j < s.k; j++)
                for (int i = 0; i < CALLS; i++)
                    expect(j, got(&results, i * s.k + j), integer_dot(&c, &s, j, 0));
    }
    guarded_destroy(&results);
    columns_destroy(&c);
}

static void repeat(routine *r)
{
    int count;
    const columns_shape *shapes = columns_few_shapes(r, &count);
    for (int i = 0; i < count; i++) {
        const columns_shape *s = &shapes[i];
        for (int conj = 0; conj < (columns_twice(r, s) ? FLAVOURS : 1); conj++) {
            columns c;
            T first[COLUMNS_MOST], again[COLUMNS_MOST], hosted[COLUMNS_MOST];
            columns_case(r, s, 400, conj ? "conj=1 twice" : "conj=0 twice");
            if (build(r, &c, s, any, 400, FILL_NAN, LOOSE) && run(r, &c, s, conj, false, first) &&
                run(r, &c, s, conj, false, again) && run(r, &c, s, conj, true, hosted)) {
                for (int64_t j = 0; j < s->k; j++) {
                    expect(j, again[j], first[j]);
                    expect(j, hosted[j], first[j]);
                }
                replayed(r, &c, s, conj, first);
            }
            columns_destroy(&c);
        }
    }
    in_a_row(r);
    /* All variants agree within the bound. */
    for (int v = 0; routine_next_variant(r, &v);) {
        shapes = columns_few_shapes(r, &count);
        for (int i = 0; i < count; i++)
            random_case(r, &shapes[i], 500, false);
    }
}

const routine_parts PARTS =
    TEST_PARTS("mdot", .run = {exact, residual, edges, guards, arguments, repeat});
