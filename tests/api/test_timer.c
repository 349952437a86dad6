/* test_timer.c: stopwatches on the device's clock.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <time.h>
#include "harness/check.h"

#define N 2000000

static double wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void order(gable_context *ctx)
{
    gable_timer *timer = NULL;
    double seconds = -1;
    test_case("order of start, stop and seconds");
    CHECK_STATUS(NULL, gable_timer_create(NULL, &timer), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, gable_timer_create(ctx, NULL), GABLE_BAD_ARGUMENT, "gable_timer_create",
                  "argument 2 (timer)");
    CHECK_STATUS(ctx, gable_timer_start(NULL), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(ctx, gable_timer_stop(NULL), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(ctx, gable_timer_seconds(NULL, &seconds), GABLE_BAD_ARGUMENT);
    gable_timer_destroy(NULL);
    if (!CHECK_OK(ctx, gable_timer_create(ctx, &timer)))
        return;
    CHECK_REFUSED(ctx, gable_timer_seconds(timer, &seconds), GABLE_BAD_ARGUMENT,
                  "gable_timer_seconds", "argument 1 (timer)", "start");
    CHECK_REFUSED(ctx, gable_timer_stop(timer), GABLE_BAD_ARGUMENT, "gable_timer_stop",
                  "argument 1 (timer)", "start");
    CHECK_OK(ctx, gable_timer_start(timer));
    CHECK_REFUSED(ctx, gable_timer_seconds(timer, &seconds), GABLE_BAD_ARGUMENT,
                  "gable_timer_seconds", "argument 1 (timer)", "stop");
    CHECK_OK(ctx, gable_timer_stop(timer));
    CHECK_REFUSED(ctx, gable_timer_seconds(timer, NULL), GABLE_BAD_ARGUMENT, "gable_timer_seconds",
                  "argument 2 (seconds)", "NULL");
    CHECK(seconds == -1, "a refused call wrote %g", seconds);
    CHECK_OK(ctx, gable_timer_seconds(timer, &seconds));
    CHECK(seconds >= 0 && seconds < 1, "nothing took %g s", seconds);
    /* Started again, the old time is gone. */
    CHECK_OK(ctx, gable_timer_start(timer));
    CHECK_STATUS(ctx, gable_timer_seconds(timer, &seconds), GABLE_BAD_ARGUMENT);
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_STATUS(ctx, gable_timer_start(timer), GABLE_NOT_RECORDABLE);
    CHECK_STATUS(ctx, gable_timer_stop(timer), GABLE_NOT_RECORDABLE);
    CHECK_OK(ctx, gable_record_end(ctx, NULL));
    CHECK_OK(ctx, gable_timer_stop(timer)); /* the start before the recording counts */
    CHECK_OK(ctx, gable_timer_seconds(timer, &seconds));
    gable_timer_destroy(timer);
}

/* The device's time for work that fills the queue is about the host's. */
static void plausible(gable_context *ctx)
{
    double *x = NULL, *y = NULL, inner_seconds = -1, outer_seconds = -1;
    gable_timer *inner = NULL, *outer = NULL;
    test_case("time of axpy");
    CHECK_OK(ctx, gable_alloc(ctx, N * sizeof *x, (void **)&x));
    CHECK_OK(ctx, gable_alloc(ctx, N * sizeof *y, (void **)&y));
    CHECK_OK(ctx, gable_fill_bytes(ctx, x, 0, N * sizeof *x));
    CHECK_OK(ctx, gable_fill_bytes(ctx, y, 0, N * sizeof *y));
    CHECK_OK(ctx, gable_timer_create(ctx, &inner));
    CHECK_OK(ctx, gable_timer_create(ctx, &outer));
    CHECK_OK(ctx, gable_daxpy(ctx, N, 1, x, 1, y, 1)); /* compiles */
    CHECK_OK(ctx, gable_sync(ctx));
    /* On a busy machine the host may be late to look: one of several tries must be close. */
    bool close = false;
    for (int calls = 8, tries = 0; !close && tries < 10;) {
        const double start = wall();
        CHECK_OK(ctx, gable_timer_start(outer));
        CHECK_OK(ctx, gable_timer_start(inner));
        for (int i = 0; i < calls; i++)
            CHECK_OK(ctx, gable_daxpy(ctx, N, 1, x, 1, y, 1));
        CHECK_OK(ctx, gable_timer_stop(inner));
        CHECK_OK(ctx, gable_timer_stop(outer));
        CHECK_OK(ctx, gable_timer_seconds(inner, &inner_seconds));
        const double elapsed = wall() - start;
        CHECK_OK(ctx, gable_timer_seconds(outer, &outer_seconds));
        CHECK(inner_seconds > 0 && inner_seconds < 1.05 * elapsed + 1e-3,
              "%d calls took %g s by the device's clock and %g s by the host's", calls,
              inner_seconds, elapsed);
        /* A microsecond for clocks that tick coarsely. */
        CHECK(outer_seconds >= inner_seconds - 1e-6, "%g s around %g s", outer_seconds,
              inner_seconds);
        if (elapsed < 0.03 && calls < 1 << 16)
            calls *= 4;
        else
            tries++;
        close = elapsed >= 0.03 && inner_seconds > 0.5 * elapsed;
    }
    CHECK(close, "the last of ten tries took %g s by the device's clock only", inner_seconds);
    gable_timer_destroy(inner);
    gable_timer_destroy(outer);
    CHECK_OK(ctx, gable_free(ctx, x));
    CHECK_OK(ctx, gable_free(ctx, y));
}

int main(void)
{
    test_start("test_timer");
    gable_context *ctx = test_open();
    order(ctx);
    plausible(ctx);
    /* Timers in any order of destruction, and one left to the context. */
    gable_timer *timers[4] = {NULL, NULL, NULL, NULL};
    for (int i = 0; i < 4; i++)
        CHECK_OK(ctx, gable_timer_create(ctx, &timers[i]));
    CHECK_OK(ctx, gable_timer_start(timers[3]));
    gable_timer_destroy(timers[1]);
    gable_timer_destroy(timers[0]);
    gable_timer_destroy(timers[2]);
    gable_close(ctx);
    return test_finish();
}
