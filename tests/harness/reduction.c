/* reduction.c: the parts of a reduction's test that do not depend on which reduction it is.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "harness/reduction.h"

#define MAX_RESULT 16 /* bytes: a complex double */

static guarded *second(const reduction *d, reduction_vectors *v)
{
    return d->vectors == 2 ? &v->y : NULL;
}

bool reduction_build(routine *r, const reduction *d, reduction_vectors *v, const shape *s,
                     uint64_t seed, reduction_data data, guarded_fill fill, guarded_fence fence)
{
    void (*const element)(const guarded *, int64_t, uint64_t) =
        data == INTEGERS ? d->put_integer : d->put_random;
    memset(v, 0, sizeof *v);
    if (!guarded_make(&v->x, r->ctx, s->n, s->incx, d->elem_bytes, (size_t)s->offx * d->real_bytes,
                      fill, fence))
        return false;
    if (d->vectors == 2 && !guarded_make(&v->y, r->ctx, s->n, s->incy, d->elem_bytes,
                                         (size_t)s->offy * d->real_bytes, fill, fence))
        return false;
    for (int64_t i = 0; i < s->n; i++) {
        if (s->incx != 0 || i == 0)
            element(&v->x, i, seed);
        if (d->vectors == 2 && (s->incy != 0 || i == 0))
            element(&v->y, i, seed + 1);
    }
    return guarded_send(&v->x) && (d->vectors == 1 || guarded_send(&v->y));
}

void reduction_destroy(reduction_vectors *v)
{
    guarded_destroy(&v->x);
    guarded_destroy(&v->y);
}

static gbl_vector_call call_of(const reduction *d, const reduction_vectors *v, void *result)
{
    gbl_vector_call call = d->call;
    call.n = v->x.n;
    call.x = v->x.at;
    call.incx = v->x.inc;
    call.y = v->y.at;
    call.incy = v->y.inc;
    call.result = result;
    return call;
}

bool reduction_run(routine *r, const reduction *d, const reduction_vectors *v, bool on_host,
                   void *value)
{
    result_place place;
    if (!result_make(&place, r->ctx, d->result_bytes, on_host))
        return false;
    const gbl_vector_call call = call_of(d, v, place.at);
    if (!routine_ran(r, d->run(r->ctx, &call), call.n > 0 ? &call : NULL)) {
        result_untouched(&place);
        return false;
    }
    return result_take(&place, value);
}

/* The same bits, or a failure that shows both. */
static void expect_bits(const reduction *d, const void *value, const void *wanted)
{
    char text[2][2 * MAX_RESULT + 1] = {"", ""};
    for (size_t i = 0; i < d->result_bytes; i++) {
        snprintf(text[0] + 2 * i, 3, "%02x", ((const unsigned char *)value)[i]);
        snprintf(text[1] + 2 * i, 3, "%02x", ((const unsigned char *)wanted)[i]);
    }
    CHECK(memcmp(value, wanted, d->result_bytes) == 0, "the bytes of the result are %s, not %s",
          text[0], text[1]);
}

static void name_case(routine *r, const reduction *d, const shape *s, uint64_t seed,
                      const char *what, bool on_host, guarded_fence fence)
{
    char more[128];
    snprintf(more, sizeof more, "%s %s result on %s fence=%d", d->name, what,
             on_host ? "host" : "device", (int)fence);
    routine_case(r, s, seed, more);
}

void reduction_exact_case(routine *r, const reduction *d, const shape *given, uint64_t seed,
                          bool on_host, guarded_fill fill, guarded_fence fence)
{
    const shape of_run = routine_shape(r, d->vectors, *given), *s = &of_run;
    reduction_vectors v;
    unsigned char value[MAX_RESULT];
    name_case(r, d, s, seed, "integers", on_host, fence);
    if (reduction_build(r, d, &v, s, seed, INTEGERS, fill, fence) &&
        reduction_run(r, d, &v, on_host, value)) {
        d->check_exact(r, &v.x, second(d, &v), value);
        if (guarded_fetch(&v.x))
            guarded_same(&v.x, "x");
        if (d->vectors == 2 && guarded_fetch(&v.y))
            guarded_same(&v.y, "y");
    }
    reduction_destroy(&v);
}

void reduction_random_case(routine *r, const reduction *d, const shape *given, uint64_t seed,
                           bool on_host)
{
    const shape of_run = routine_shape(r, d->vectors, *given), *s = &of_run;
    reduction_vectors v;
    unsigned char value[MAX_RESULT];
    name_case(r, d, s, seed, "random", on_host, LOOSE);
    if (reduction_build(r, d, &v, s, seed, RANDOM, FILL_NAN, LOOSE) &&
        reduction_run(r, d, &v, on_host, value))
        d->check_bound(r, &v.x, second(d, &v), value);
    reduction_destroy(&v);
}

void reduction_exact(routine *r, const reduction *d)
{
    int count;
    const shape *shapes = routine_shapes(r, d->vectors, &count);
    for (int i = 0; i < count; i++)
        reduction_exact_case(r, d, &shapes[i], 10 * (uint64_t)i, i % 2 == 1, FILL_NAN, LOOSE);
}

void reduction_residual(routine *r, const reduction *d)
{
    int count;
    const shape *shapes = routine_shapes(r, d->vectors, &count);
    for (int i = 0; i < count; i++)
        reduction_random_case(r, d, &shapes[i], 10000 + 10 * (uint64_t)i, i % 2 == 0);
}

/* ---- Edges ---- */

void reduction_small(routine *r, const reduction *d, const void *wanted)
{
    const shape none = {0, 1, 1, 0, 0};
    for (int host = 0; host < 2; host++) {
        result_place place;
        unsigned char value[MAX_RESULT];
        name_case(r, d, &none, 0, "NULL pointers", host, LOOSE);
        if (!result_make(&place, r->ctx, d->result_bytes, host))
            continue;
        gbl_vector_call call = d->call;
        call.incx = -2;
        call.result = place.at;
        if (CHECK_OK(r->ctx, d->run(r->ctx, &call)) && result_take(&place, value))
            expect_bits(d, value, wanted);
    }
    for (int64_t inc = -1; inc <= 2; inc++) {
        const shape single = {1, inc, -inc, 1, 0};
        reduction_exact_case(r, d, &single, 7, inc % 2 == 0, FILL_PATTERN, LOOSE);
    }
}

static void far_case(routine *r, const reduction *d, const void *x, const void *y, int64_t incx,
                     const void *wanted)
{
    const bool host = r->device->props.is_host;
    const int64_t size = incx < 0 ? -incx : incx, incy = size - 2;
    const shape s = {3, incx, incy, 0, 0};
    const size_t bytes = (2 * (size_t)size + 1) * d->elem_bytes;
    unsigned char value[MAX_RESULT];
    name_case(r, d, &s, 0, "far apart", true, LOOSE);
    void *far_x = far_reserve(r->ctx, host, bytes);
    void *far_y = y != NULL ? far_reserve(r->ctx, host, bytes) : NULL;
    if (far_x == NULL || (y != NULL && far_y == NULL)) {
        test_leave_out(NULL, "no address space of %d times %zu bytes for strides past 2^31",
                       d->vectors, bytes);
    } else {
        gbl_vector_call call = d->call;
        call.n = 3;
        call.x = far_x;
        call.incx = incx;
        call.y = far_y;
        call.incy = incy;
        call.result = value;
        CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, d->elem_bytes, x, 1, far_x, size));
        if (y != NULL)
            CHECK_OK(r->ctx, gable_set_vector(r->ctx, 3, d->elem_bytes, y, 1, far_y, incy));
        if (routine_ran(r, d->run(r->ctx, &call), &call))
            expect_bits(d, value, wanted);
    }
    if (far_x != NULL)
        far_release(r->ctx, host, far_x, bytes);
    if (far_y != NULL)
        far_release(r->ctx, host, far_y, bytes);
}

void reduction_far(routine *r, const reduction *d, const void *x, const void *y,
                   const void *wanted_backwards, const void *wanted_forwards)
{
    const int64_t inc = ((int64_t)1 << 30) + 7;
    if (!routine_far(r, (size_t)d->vectors * (2 * (size_t)inc + 1) * d->elem_bytes))
        return;
    far_case(r, d, x, y, -inc, wanted_backwards);
    if (d->vectors == 1)
        far_case(r, d, x, y, inc, wanted_forwards);
}

void reduction_many(routine *r, const reduction *d, const void *x, const void *y,
                    const void *wanted)
{
    const shape one = {1, 0, 0, 0, 0};
    /* In odd shapes a CPU would take minutes. */
    const bool usual = r->variant == NULL || r->device->props.is_gpu;
    reduction_vectors v;
    unsigned char value[MAX_RESULT];
    if (!r->all || !usual)
        return;
    name_case(r, d, &one, 80, "2^31 + 5 times", false, LOOSE);
    if (reduction_build(r, d, &v, &one, 80, INTEGERS, FILL_NAN, LOOSE)) {
        memcpy(guarded_element(&v.x, 0), x, d->elem_bytes);
        if (d->vectors == 2)
            memcpy(guarded_element(&v.y, 0), y, d->elem_bytes);
        const bool sent = guarded_send(&v.x) && (d->vectors == 1 || guarded_send(&v.y));
        v.x.n = v.y.n = ((int64_t)1 << 31) + 5;
        if (sent && reduction_run(r, d, &v, false, value))
            expect_bits(d, value, wanted);
    }
    reduction_destroy(&v);
}

/* ---- Guards and arguments ---- */

void reduction_guards(routine *r, const reduction *d)
{
    int count;
    const shape *shapes = routine_few_shapes(r, d->vectors, &count);
    for (int i = 0; i < count; i++) {
        reduction_exact_case(r, d, &shapes[i], 200, false, FILL_PATTERN, LOOSE);
        reduction_exact_case(r, d, &shapes[i], 200, true, FILL_NAN, LOOSE);
        reduction_exact_case(r, d, &shapes[i], 200, false, FILL_PATTERN, TIGHT_BEHIND);
        reduction_exact_case(r, d, &shapes[i], 200, true, FILL_PATTERN, TIGHT_BEFORE);
    }
}

/* What a test changes in a legal call; NULL and -3 where it says so. */
typedef struct spoiled {
    bool n, x, y, result;
    void *outside_x, *outside_y; /* memory that is not the device's */
} spoiled;

static gable_status spoil(gable_context *ctx, const reduction *d, gbl_vector_call call, spoiled bad)
{
    call.n = bad.n ? -3 : call.n;
    call.x = bad.x ? NULL : bad.outside_x != NULL ? bad.outside_x : call.x;
    call.y = bad.y ? NULL : bad.outside_y != NULL ? bad.outside_y : call.y;
    call.result = bad.result ? NULL : call.result;
    return d->run(ctx, &call);
}

static void illegal(routine *r, const reduction *d, const reduction_vectors *v, bool on_host)
{
    gable_context *ctx = r->ctx;
    char x_word[32], y_word[32];
    unsigned char outside[5 * MAX_RESULT] = {0};
    result_place place;
    snprintf(x_word, sizeof x_word, "argument %d (x)", d->x_number);
    snprintf(y_word, sizeof y_word, "argument %d (y)", d->y_number);
    if (!result_make(&place, ctx, d->result_bytes, on_host))
        return;
    const gbl_vector_call good = call_of(d, v, place.at);
    CHECK_STATUS(NULL, d->run(NULL, &good), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, spoil(ctx, d, good, (spoiled){.n = true}), GABLE_BAD_ARGUMENT, d->name,
                  "argument 2 (n)", "-3");
    CHECK_REFUSED(ctx, spoil(ctx, d, good, (spoiled){.n = true, .x = true}), GABLE_BAD_ARGUMENT,
                  d->name, "argument 2 (n)", "-3");
    CHECK_REFUSED(ctx, spoil(ctx, d, good, (spoiled){.x = true}), GABLE_BAD_ARGUMENT, d->name,
                  x_word, "NULL");
    CHECK_REFUSED(ctx, spoil(ctx, d, good, (spoiled){.x = true, .result = true}),
                  GABLE_BAD_ARGUMENT, d->name, x_word, "NULL");
    if (!r->device->props.is_host)
        CHECK_REFUSED(ctx, spoil(ctx, d, good, (spoiled){.outside_x = outside}), GABLE_BAD_ARGUMENT,
                      d->name, x_word, r->device->info.name, "gable_alloc");
    if (d->vectors == 2) {
        CHECK_REFUSED(ctx, spoil(ctx, d, good, (spoiled){.y = true}), GABLE_BAD_ARGUMENT, d->name,
                      y_word, "NULL");
        CHECK_REFUSED(ctx, spoil(ctx, d, good, (spoiled){.x = true, .y = true}), GABLE_BAD_ARGUMENT,
                      d->name, x_word, "NULL");
        if (!r->device->props.is_host)
            CHECK_REFUSED(ctx, spoil(ctx, d, good, (spoiled){.outside_y = outside}),
                          GABLE_BAD_ARGUMENT, d->name, y_word, r->device->info.name, "gable_alloc");
    }
    result_untouched(&place);
}

void reduction_arguments(routine *r, const reduction *d)
{
    const shape s = {5, 1, 1, 0, 0};
    reduction_vectors v;
    char word[32];
    snprintf(word, sizeof word, "argument %d (result)", d->result_number);
    routine_case(r, &s, 0, d->name);
    if (reduction_build(r, d, &v, &s, 0, INTEGERS, FILL_PATTERN, LOOSE)) {
        unsigned char value[MAX_RESULT] = {0};
        const gbl_vector_call call = call_of(d, &v, value);
        gbl_vector_call empty = call;
        empty.n = 0;
        illegal(r, d, &v, false);
        illegal(r, d, &v, true);
        CHECK_REFUSED(r->ctx, spoil(r->ctx, d, call, (spoiled){.result = true}), GABLE_BAD_ARGUMENT,
                      d->name, word, "NULL");
        CHECK_REFUSED(r->ctx, spoil(r->ctx, d, empty, (spoiled){.result = true}),
                      GABLE_BAD_ARGUMENT, d->name, word, "NULL");
        if (CHECK_OK(r->ctx, d->run(r->ctx, &call))) /* the context works on */
            d->check_exact(r, &v.x, second(d, &v), value);
    }
    reduction_destroy(&v);
}

/* ---- Repeat ---- */

/* A recording of the call, replayed twice: the bits of the call itself. */
static void replayed(routine *r, const reduction *d, const reduction_vectors *v, const void *wanted)
{
    for (int times = 1; times <= 2; times++) {
        result_place place;
        gable_recording *recording = NULL;
        unsigned char value[MAX_RESULT];
        if (!result_make(&place, r->ctx, d->result_bytes, false))
            return;
        const gbl_vector_call call = call_of(d, v, place.at);
        CHECK_OK(r->ctx, gable_record_begin(r->ctx));
        CHECK_OK(r->ctx, d->run(r->ctx, &call));
        CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
        for (int i = 0; recording != NULL && i < times; i++)
            CHECK_OK(r->ctx, gable_replay(r->ctx, recording));
        if (result_take(&place, value))
            expect_bits(d, value, wanted);
        gable_recording_destroy(recording);
    }
}

/* More calls in a row than the workspace has counters for hand-overs (64), without a wait between.
 */
static void in_a_row(routine *r, const reduction *d)
{
    enum { CALLS = 150 };
    const shape s = {40000, 1, 1, 0, 0};
    reduction_vectors v;
    guarded results;
    unsigned char first[MAX_RESULT];
    name_case(r, d, &s, 450, "150 times in a row", false, LOOSE);
    const bool made = guarded_make(&results, r->ctx, CALLS, 1, d->result_bytes, 0, FILL_NAN, LOOSE);
    if (reduction_build(r, d, &v, &s, 450, RANDOM, FILL_NAN, LOOSE) && made &&
        guarded_send(&results) && reduction_run(r, d, &v, false, first)) {
        d->check_bound(r, &v.x, second(d, &v), first);
        for (size_t i = 0; i < CALLS; i++) {
            const gbl_vector_call call =
                call_of(d, &v, (unsigned char *)results.at + i * d->result_bytes);
            CHECK_OK(r->ctx, d->run(r->ctx, &call));
        }
        if (guarded_fetch(&results))
            for (int i = 0; i < CALLS; i++)
                expect_bits(d, guarded_result(&results, i), first);
    }
    guarded_destroy(&results);
    reduction_destroy(&v);
}

void reduction_repeat(routine *r, const reduction *d)
{
    int count;
    const shape *shapes = routine_few_shapes(r, d->vectors, &count);
    for (int i = 0; i < count; i++) {
        reduction_vectors v;
        unsigned char first[MAX_RESULT], again[MAX_RESULT], hosted[MAX_RESULT];
        name_case(r, d, &shapes[i], 400, "twice", false, LOOSE);
        if (reduction_build(r, d, &v, &shapes[i], 400, RANDOM, FILL_NAN, LOOSE) &&
            reduction_run(r, d, &v, false, first) && reduction_run(r, d, &v, false, again) &&
            reduction_run(r, d, &v, true, hosted)) {
            expect_bits(d, again, first);
            expect_bits(d, hosted, first);
            replayed(r, d, &v, first);
        }
        reduction_destroy(&v);
    }
    in_a_row(r, d);
    /* All variants agree within the bound. */
    for (int k = 0; routine_next_variant(r, &k);)
        for (int i = 0; i < count; i++)
            reduction_random_case(r, d, &shapes[i], 500, false);
}
