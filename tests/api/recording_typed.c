/* recording_typed.c: recordings of the four routines. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The chain is the heart of an iterative method: y := x; alpha := y . z; y := y + alpha x with
 * alpha where dot left it; the norm of y. None of it waits for the host.
 */
#include <stdlib.h>
#include <string.h>
#include "api/test_recording.h"
#include "harness/check.h"
#include "harness/numbers.h"

#if defined(PREC_S)
#define TESTS recording_tests_s
#elif defined(PREC_D)
#define TESTS recording_tests_d
#elif defined(PREC_C)
#define TESTS recording_tests_c
#else
#define TESTS recording_tests_z
#endif

#if COMPLEX
#define DOT FN(dotc)
#else
#define DOT FN(dot)
#endif

/* Device memory of a chain. */
typedef struct operands {
    gable_context *ctx;
    int64_t n, incx;
    T *x, *y, *z, *alpha;
    R *norm;
} operands;

/* What a chain leaves behind. */
typedef struct outcome {
    T *y, alpha;
    R norm;
} outcome;

static void *device_memory(gable_context *ctx, size_t bytes)
{
    void *address = NULL;
    CHECK_OK(ctx, gable_alloc(ctx, bytes, &address));
    return address;
}

static bool make_operands(operands *o, gable_context *ctx, int64_t n, int64_t incx)
{
    const size_t span = (size_t)(n * incx);
    T *host = malloc(span * sizeof(T));
    o->ctx = ctx;
    o->n = n;
    o->incx = incx;
    o->x = device_memory(ctx, span * sizeof(T));
    o->y = device_memory(ctx, (size_t)n * sizeof(T));
    o->z = device_memory(ctx, (size_t)n * sizeof(T));
    o->alpha = device_memory(ctx, sizeof(T));
    o->norm = device_memory(ctx, sizeof(R));
    bool good = host != NULL && o->x && o->y && o->z && o->alpha && o->norm;
    CHECK(good, "no memory");
    if (good) {
        for (size_t i = 0; i < span; i++)
            host[i] = random_element(1, (int64_t)i);
        good = CHECK_OK(ctx, gable_set_vector(ctx, (int64_t)span, sizeof(T), host, 1, o->x, 1)) &&
               CHECK_OK(ctx, gable_set_vector(ctx, n, sizeof(T), host, 1, o->z, 1));
    }
    free(host);
    return good;
}

static void destroy_operands(operands *o)
{
    CHECK_OK(o->ctx, gable_free(o->ctx, o->x));
    CHECK_OK(o->ctx, gable_free(o->ctx, o->y));
    CHECK_OK(o->ctx, gable_free(o->ctx, o->z));
    CHECK_OK(o->ctx, gable_free(o->ctx, o->alpha));
    CHECK_OK(o->ctx, gable_free(o->ctx, o->norm));
}

static void run_chain(const operands *o)
{
    gable_context *ctx = o->ctx;
    CHECK_OK(ctx, FN(copy)(ctx, o->n, o->x, o->incx, o->y, 1));
    CHECK_OK(ctx, DOT(ctx, o->n, o->y, 1, o->z, 1, o->alpha));
    CHECK_OK(ctx, FN(axpy_dev)(ctx, o->n, o->alpha, o->x, o->incx, o->y, 1));
    CHECK_OK(ctx, FN_R(nrm2)(ctx, o->n, o->y, 1, o->norm));
}

/* Puts nonsense where results go, so that a chain that did not run is seen. */
static void spoil(const operands *o)
{
    CHECK_OK(o->ctx, gable_fill_bytes(o->ctx, o->y, 0xff, (size_t)o->n * sizeof(T)));
    CHECK_OK(o->ctx, gable_fill_bytes(o->ctx, o->alpha, 0xff, sizeof(T)));
    CHECK_OK(o->ctx, gable_fill_bytes(o->ctx, o->norm, 0xff, sizeof(R)));
}

static bool fetch(const operands *o, outcome *out)
{
    return CHECK_OK(o->ctx, gable_get_vector(o->ctx, o->n, sizeof(T), o->y, 1, out->y, 1)) &&
           CHECK_OK(o->ctx, gable_get_vector(o->ctx, 1, sizeof(T), o->alpha, 1, &out->alpha, 1)) &&
           CHECK_OK(o->ctx, gable_get_vector(o->ctx, 1, sizeof(R), o->norm, 1, &out->norm, 1));
}

static void compare(const operands *o, const outcome *wanted, outcome *found, const char *what)
{
    if (!fetch(o, found))
        return;
    CHECK(memcmp(found->y, wanted->y, (size_t)o->n * sizeof(T)) == 0, "%s: y has other bits", what);
    CHECK(memcmp(&found->alpha, &wanted->alpha, sizeof(T)) == 0, "%s: alpha has other bits", what);
    CHECK(memcmp(&found->norm, &wanted->norm, sizeof(R)) == 0, "%s: the norm has other bits", what);
}

static bool is_spoiled(const void *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const unsigned char *)memory)[i] != 0xff)
            return false;
    return true;
}

static void chain(gable_context *ctx, int64_t n, int64_t incx)
{
    operands o, live;
    outcome direct = {.y = NULL}, found = {.y = NULL};
    gable_recording *recording = NULL;
    const bool made = make_operands(&o, ctx, n, incx),
               made_live = make_operands(&live, ctx, n, incx);
    if (!made || !made_live)
        goto done;
    direct.y = malloc((size_t)n * sizeof(T));
    found.y = malloc((size_t)n * sizeof(T));
    CHECK(direct.y != NULL && found.y != NULL, "no memory");
    if (direct.y == NULL || found.y == NULL)
        goto done;
    spoil(&o);
    run_chain(&o);
    fetch(&o, &direct);
    CHECK(!is_spoiled(&direct.norm, sizeof(R)), "the direct calls did not run");

    spoil(&o);
    CHECK_OK(ctx, gable_record_begin(ctx));
    run_chain(&o);
    if (!CHECK_OK(ctx, gable_record_end(ctx, &recording)) || recording == NULL)
        goto done;
    fetch(&o, &found);
    CHECK(is_spoiled(found.y, (size_t)n * sizeof(T)) && is_spoiled(&found.alpha, sizeof(T)) &&
              is_spoiled(&found.norm, sizeof(R)),
          "something ran while it was recorded");

    for (int i = 0; i < 5; i++) {
        spoil(&o);
        CHECK_OK(ctx, gable_replay(ctx, recording));
        compare(&o, &direct, &found, "a replay");
    }
    /* Beside live calls, whose workspace is their own, without a wait between. */
    spoil(&o);
    spoil(&live);
    for (int i = 0; i < 10; i++) {
        CHECK_OK(ctx, gable_replay(ctx, recording));
        run_chain(&live);
        CHECK_OK(ctx, gable_replay(ctx, recording));
    }
    compare(&o, &direct, &found, "a replay beside live calls");
    compare(&live, &direct, &found, "live calls beside replays");
    for (int i = 0; i < 100; i++)
        CHECK_OK(ctx, gable_replay(ctx, recording));
    compare(&o, &direct, &found, "a hundred replays");
done:
    gable_recording_destroy(recording);
    free(direct.y);
    free(found.y);
    destroy_operands(&o);
    destroy_operands(&live);
}

/* y := y + alpha x, alpha on the device and by value, with alpha changed between replays. */
static void scalars(gable_context *ctx)
{
    enum { N = 300 };
    operands o;
    T given[N], found[N];
    gable_recording *recording = NULL;
    if (!make_operands(&o, ctx, N, 1))
        goto done;
    for (int i = 0; i < N; i++)
        given[i] = integer_element(3, i, 50);
    CHECK_OK(ctx, gable_set_vector(ctx, N, sizeof(T), given, 1, o.x, 1));
    T by_value = make(2, 0);
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_fill_bytes(ctx, o.y, 0, N * sizeof(T)));
    CHECK_OK(ctx, FN(axpy_dev)(ctx, N, o.alpha, o.x, 1, o.y, 1));
    CHECK_OK(ctx, FN(axpy)(ctx, N, by_value, o.x, 1, o.y, 1));
    CHECK_OK(ctx, gable_copy_bytes(ctx, o.z, o.y, N * sizeof(T)));
    by_value = make(-1000, 0); /* frozen: this changes nothing */
    if (!CHECK_OK(ctx, gable_record_end(ctx, &recording)))
        goto done;
    for (int step = -2; step <= 3; step++) { /* 0 too: then axpy must leave y alone */
        const T alpha = make(step, 0);
        CHECK_OK(ctx, gable_set_vector(ctx, 1, sizeof(T), &alpha, 1, o.alpha, 1));
        CHECK_OK(ctx, gable_replay(ctx, recording));
        CHECK_OK(ctx, gable_get_vector(ctx, N, sizeof(T), o.z, 1, found, 1));
        for (int i = 0; i < N; i++) {
            const double factor = step + 2;
            if (!(real_part(found[i]) == factor * real_part(given[i]) &&
                  imaginary_part(found[i]) == factor * imaginary_part(given[i]))) {
                CHECK(false, "with alpha %d element %d is %g, not %g", step, i, real_part(found[i]),
                      factor * real_part(given[i]));
                break;
            }
        }
    }
done:
    gable_recording_destroy(recording);
    destroy_operands(&o);
}

static void refusals(gable_context *ctx)
{
    enum { N = 1000 };
    operands o;
    outcome direct = {.y = NULL}, found = {.y = NULL};
    gable_recording *recording = NULL, *other = NULL;
    T host_value = make(-7, 0);
    R host_norm = -7;
    void *address = &address;
    direct.y = malloc(N * sizeof(T));
    found.y = malloc(N * sizeof(T));
    if (!make_operands(&o, ctx, N, 1) || direct.y == NULL || found.y == NULL)
        goto done;
    spoil(&o);
    run_chain(&o);
    fetch(&o, &direct);
    spoil(&o);

    /* Refused before, between and after what is recorded. */
    CHECK_OK(ctx, gable_record_begin(ctx));
    for (int turn = 0; turn < 2; turn++) {
        CHECK_REFUSED(ctx, DOT(ctx, N, o.y, 1, o.z, 1, &host_value), GABLE_NOT_RECORDABLE,
                      NAME(DOT), "result", "host memory");
        CHECK_REFUSED(ctx, FN_R(nrm2)(ctx, N, o.y, 1, &host_norm), GABLE_NOT_RECORDABLE,
                      NAME(FN_R(nrm2)), "result", "host memory");
        CHECK_STATUS(ctx, DOT(ctx, 0, NULL, 1, NULL, 1, &host_value), GABLE_NOT_RECORDABLE);
        CHECK_REFUSED(ctx, gable_set_vector(ctx, 1, sizeof(T), &host_value, 1, o.y, 1),
                      GABLE_NOT_RECORDABLE, "gable_set_vector", "recording");
        CHECK_STATUS(ctx, gable_get_vector(ctx, 1, sizeof(T), o.y, 1, &host_value, 1),
                     GABLE_NOT_RECORDABLE);
        CHECK_STATUS(ctx, gable_set_matrix(ctx, 1, 1, sizeof(T), &host_value, 1, o.y, 1),
                     GABLE_NOT_RECORDABLE);
        CHECK_STATUS(ctx, gable_get_matrix(ctx, 1, 1, sizeof(T), o.y, 1, &host_value, 1),
                     GABLE_NOT_RECORDABLE);
        CHECK_REFUSED(ctx, gable_sync(ctx), GABLE_NOT_RECORDABLE, "gable_sync", "gable_record_end");
        CHECK_STATUS(ctx, gable_alloc(ctx, 8, &address), GABLE_NOT_RECORDABLE);
        CHECK_STATUS(ctx, gable_free(ctx, o.x), GABLE_NOT_RECORDABLE);
        CHECK_STATUS(ctx, gable_record_begin(ctx), GABLE_NOT_RECORDABLE);
        CHECK_STATUS(ctx, gable_set_stream(ctx, NULL), GABLE_NOT_RECORDABLE);
        CHECK_STATUS(ctx, FN(copy)(ctx, -1, o.x, 1, o.y, 1), GABLE_BAD_ARGUMENT);
        CHECK_STATUS(ctx, FN(axpy_dev)(ctx, N, NULL, o.x, 1, o.y, 1), GABLE_BAD_ARGUMENT);
        if (turn == 0)
            run_chain(&o);
    }
    CHECK(real_part(host_value) == -7 && host_norm == -7 && address == &address,
          "a refused call wrote its result");
    if (CHECK_OK(ctx, gable_record_end(ctx, &recording))) {
        CHECK_OK(ctx, gable_replay(ctx, recording));
        compare(&o, &direct, &found, "a recording that refused calls");
        /* A replay cannot be recorded either. */
        CHECK_OK(ctx, gable_record_begin(ctx));
        CHECK_STATUS(ctx, gable_replay(ctx, recording), GABLE_NOT_RECORDABLE);
        CHECK_OK(ctx, gable_record_end(ctx, &other));
    }
done:
    gable_recording_destroy(recording);
    gable_recording_destroy(other);
    free(direct.y);
    free(found.y);
    destroy_operands(&o);
}

/* 150 inner products of 1 to 150 times 2000 ones: all in one recording, all of one arena. */
static void many(gable_context *ctx)
{
    enum { CALLS = 150, STEP = 2000, N = CALLS * STEP };
    T *ones = malloc(N * sizeof(T)), sums[CALLS];
    T *x = device_memory(ctx, N * sizeof(T)), *results = device_memory(ctx, sizeof sums);
    gable_recording *recording = NULL;
    for (int i = 0; ones != NULL && i < N; i++)
        ones[i] = make(1, 0);
    CHECK(ones != NULL, "no memory");
    if (ones == NULL || x == NULL || results == NULL)
        goto done;
    CHECK_OK(ctx, gable_set_vector(ctx, N, sizeof(T), ones, 1, x, 1));
    CHECK_OK(ctx, gable_record_begin(ctx));
    for (int i = 0; i < CALLS; i++)
        CHECK_OK(ctx, DOT(ctx, (i + 1) * STEP, x, 1, x, 1, results + i));
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    for (int turn = 0; recording != NULL && turn < 3; turn++) {
        CHECK_OK(ctx, gable_fill_bytes(ctx, results, 0xff, sizeof sums));
        CHECK_OK(ctx, gable_replay(ctx, recording));
        CHECK_OK(ctx, gable_get_vector(ctx, CALLS, sizeof(T), results, 1, sums, 1));
        for (int i = 0; i < CALLS; i++)
            CHECK(real_part(sums[i]) == (i + 1) * STEP, "sum %d is %g", i, real_part(sums[i]));
    }
done:
    gable_recording_destroy(recording);
    CHECK_OK(ctx, gable_free(ctx, x));
    CHECK_OK(ctx, gable_free(ctx, results));
    free(ones);
}

const recording_tests TESTS = {LETTER, chain, scalars, refusals, many};
