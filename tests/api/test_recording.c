/* test_recording.c: recordings: replays equal direct calls, refusals, the life of a recording.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api/test_recording.h"
#include "blas/level1/level1.h"
#include "harness/check.h"
#include "harness/left_out.h"

static const recording_tests *const precisions[] = {&recording_tests_s, &recording_tests_d,
                                                    &recording_tests_c, &recording_tests_z};

/* Begin, end, replay and destroy in every wrong order. */
static void life(gable_context *ctx)
{
    gable_recording *first = NULL, *second = NULL, *third = NULL;
    gable_context *elsewhere = test_open();
    test_case("life of a recording");
    CHECK_STATUS(NULL, gable_record_begin(NULL), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_record_end(NULL, &first), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_replay(NULL, first), GABLE_BAD_ARGUMENT);
    gable_recording_destroy(NULL);
    CHECK_REFUSED(ctx, gable_record_end(ctx, &first), GABLE_BAD_ARGUMENT, "gable_record_end",
                  "gable_record_begin");
    CHECK(first == NULL, "a recording from nowhere");
    CHECK_REFUSED(ctx, gable_replay(ctx, NULL), GABLE_BAD_ARGUMENT, "gable_replay",
                  "argument 2 (recording)", "NULL");

    /* Empty ones, one of them dropped. */
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_record_end(ctx, &first));
    CHECK(first != NULL, "no recording");
    CHECK_OK(ctx, gable_replay(ctx, first));
    CHECK_OK(ctx, gable_sync(ctx));
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_record_end(ctx, NULL));
    CHECK_OK(ctx, gable_replay(ctx, first));
    CHECK_REFUSED(elsewhere, gable_replay(elsewhere, first), GABLE_BAD_ARGUMENT, "gable_replay",
                  "argument 2 (recording)", "another context");

    /* Destroyed in another order than made. */
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_record_end(ctx, &second));
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_record_end(ctx, &third));
    gable_recording_destroy(second);
    CHECK_OK(ctx, gable_replay(ctx, third));
    gable_recording_destroy(first);
    CHECK_OK(ctx, gable_replay(ctx, third));
    gable_recording_destroy(third);
    gable_close(elsewhere);
}

/* A context closes with recordings and timers alive, one recording being made. */
static void left_alive(void)
{
    gable_context *ctx = test_open();
    gable_recording *recording = NULL;
    gable_timer *timer = NULL;
    double *x = NULL;
    test_case("closing with all alive");
    CHECK_OK(ctx, gable_alloc(ctx, 3000 * sizeof *x, (void **)&x));
    CHECK_OK(ctx, gable_fill_bytes(ctx, x, 0, 3000 * sizeof *x));
    for (int i = 0; i < 3; i++) {
        CHECK_OK(ctx, gable_record_begin(ctx));
        CHECK_OK(ctx, gable_ddot(ctx, 1000, x, 1, x + 1000, 1, x + 2000));
        CHECK_OK(ctx, gable_record_end(ctx, &recording));
        CHECK_OK(ctx, gable_replay(ctx, recording));
        CHECK_OK(ctx, gable_timer_create(ctx, &timer));
        CHECK_OK(ctx, gable_timer_start(timer));
    }
    CHECK_OK(ctx, gable_free(ctx, x));
    CHECK_OK(ctx, gable_record_begin(ctx));
    gable_close(ctx);
}

/* Every way to compute the four that fits is recorded too, not only the default. */
static void variants(gable_context *ctx)
{
    static const char *const stems[] = {"copy", "axpy", "dot", "nrm2"};
    static double x[16], y[16];
    const gbl_vector_call plain = {.dtype = GBL_D,
                                   .n = 16,
                                   .alpha = {x, 0, 0},
                                   .x = x,
                                   .incx = 1,
                                   .y = y,
                                   .incy = 1,
                                   .result = y};
    for (int s = 0; s < 4; s++) {
        const gbl_op *op = gbl_op_find(stems[s]);
        CHECK(op != NULL, "there is no op \"%s\"", stems[s]);
        for (int v = 0; op != NULL && v < op->variant_count; v++) {
            if (!op->variants[v].fits(&op->variants[v], &plain, ctx->device))
                continue;
            char choice[64];
            snprintf(choice, sizeof choice, "%s=%s", stems[s], op->variants[v].name);
            test_case("recording with %s on %s", choice, test_device());
            CHECK_OK(ctx, gable_set_variant(ctx, choice));
            precisions[1]->chain(ctx, 10007, 1);
            CHECK_OK(ctx, gable_set_variant(ctx, NULL));
        }
    }
}

/* x and y := A y / n and A x / n in turns, which are A's by symv and by gemv: each call reads what
 * the one before has just written, in a launch that may have been made ready meanwhile. */
static gable_status iterate(gable_context *ctx, int64_t n, const double *A, double *x, double *y)
{
    gable_status status = GABLE_OK;
    for (int i = 0; i < 10 && status == GABLE_OK; i++) {
        status = gable_dsymv(ctx, GABLE_LOWER, n, 1 / (double)n, A, n, x, 1, 0, y, 1);
        if (status == GABLE_OK)
            status = gable_dgemv(ctx, GABLE_TRANS, n, n, 1 / (double)n, A, n, y, 1, 0, x, 1);
    }
    return status;
}

/* A recording of them is replayed again and again, and gives the bits of direct calls each time. */
static void iterations(gable_context *ctx, int64_t n)
{
    const size_t bytes = (size_t)n * sizeof(double);
    gable_recording *recording = NULL;
    double *A = NULL, *start = NULL, *x = NULL, *y = NULL;
    double *want = malloc(bytes), *seen = malloc(bytes);
    test_case("iterations %s n=%lld", test_device(), (long long)n);
    CHECK_OK(ctx, gable_alloc(ctx, bytes * (size_t)n, (void **)&A));
    CHECK_OK(ctx, gable_alloc(ctx, bytes, (void **)&start));
    CHECK_OK(ctx, gable_alloc(ctx, bytes, (void **)&x));
    CHECK_OK(ctx, gable_alloc(ctx, bytes, (void **)&y));
    CHECK_OK(ctx, gable_drandom(ctx, n * n, 1, 0, -1, 1, A, 1));
    CHECK_OK(ctx, gable_drandom(ctx, n, 2, 0, -1, 1, start, 1));
    CHECK_OK(ctx, gable_dcopy(ctx, n, start, 1, x, 1));
    CHECK_OK(ctx, iterate(ctx, n, A, x, y));
    CHECK_OK(ctx, gable_get_vector(ctx, n, sizeof *x, x, 1, want, 1));
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_dcopy(ctx, n, start, 1, x, 1));
    CHECK_OK(ctx, iterate(ctx, n, A, x, y));
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    for (int i = 0; i < 5; i++) {
        CHECK_OK(ctx, gable_replay(ctx, recording));
        CHECK_OK(ctx, gable_get_vector(ctx, n, sizeof *x, x, 1, seen, 1));
        CHECK(memcmp(want, seen, bytes) == 0, "replay %d differs", i);
    }
    gable_recording_destroy(recording);
    CHECK_OK(ctx, gable_free(ctx, A));
    CHECK_OK(ctx, gable_free(ctx, start));
    CHECK_OK(ctx, gable_free(ctx, x));
    CHECK_OK(ctx, gable_free(ctx, y));
    free(want);
    free(seen);
}

int main(void)
{
    test_start("test_recording");
    gable_context *ctx = test_open();
    life(ctx);
    for (int p = 0; p < 4; p++) {
        const recording_tests *tests = precisions[p];
        static const int64_t shapes[][2] = {{1, 1}, {1000, 1}, {100003, 1}, {3000, 3}};
        if (test_precision_left_out(tests->letter))
            continue;
        for (int i = 0; i < 4; i++) {
            test_case("chain %c %s n=%lld incx=%lld", tests->letter, test_device(),
                      (long long)shapes[i][0], (long long)shapes[i][1]);
            tests->chain(ctx, shapes[i][0], shapes[i][1]);
        }
        test_case("scalars %c %s", tests->letter, test_device());
        tests->scalars(ctx);
        test_case("refusals %c %s", tests->letter, test_device());
        tests->refusals(ctx);
        test_case("many %c %s", tests->letter, test_device());
        tests->many(ctx);
    }
    variants(ctx);
    iterations(ctx, 61);
    iterations(ctx, 700);
    left_alive();
    gable_close(ctx);
    return test_finish();
}
