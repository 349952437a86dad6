/* record_replay.c: many short calls written down once, then replayed; what that gains is measured.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One step adds x to y sixteen times, on vectors so short that starting a call costs more than its
 * arithmetic. Steps run as plain calls and as replays by turns, timed on the device; the best round
 * of each counts. On CUDA a replay is one launch of a graph; on other devices it saves the checks
 * and the choices only. y must count all steps.
 *
 * In the checkout, after `make`:
 *   cc examples/record_replay.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o record_replay && ./record_replay
 */
#include <stdio.h>
#include <stdlib.h>
#include <gable/gable.h>

enum { N = 1000, CALLS = 16, STEPS = 100, ROUNDS = 10 };

static void check(gable_context *ctx, gable_status status)
{
    if (status == GABLE_OK)
        return;
    fprintf(stderr, "%s: %s\n", gable_status_name(status), gable_message(ctx));
    gable_close(ctx);
    exit(1);
}

static void step(gable_context *ctx, const double *x, double *y)
{
    for (int call = 0; call < CALLS; call++)
        check(ctx, gable_daxpy(ctx, N, 1.0, x, 1, y, 1));
}

/* The seconds of one round of steps: as calls, or as replays if there is a recording. */
static double round_seconds(gable_context *ctx, gable_timer *timer, const double *x, double *y,
                            gable_recording *recording)
{
    double seconds;
    check(ctx, gable_timer_start(timer));
    for (int i = 0; i < STEPS; i++) {
        if (recording == NULL)
            step(ctx, x, y);
        else
            check(ctx, gable_replay(ctx, recording));
    }
    check(ctx, gable_timer_stop(timer));
    check(ctx, gable_timer_seconds(timer, &seconds));
    return seconds;
}

int main(void)
{
    double host[N], called = 1e9, replayed = 1e9;
    double *x = NULL, *y = NULL;
    gable_context *ctx;
    gable_recording *recording;
    gable_timer *timer;
    const gable_status opened = gable_open(&ctx, NULL); /* $GABLE_DEVICE, else the best device */
    check(ctx, opened);
    check(ctx, gable_alloc(ctx, sizeof host, (void **)&x));
    check(ctx, gable_alloc(ctx, sizeof host, (void **)&y));
    check(ctx, gable_timer_create(ctx, &timer));
    for (int i = 0; i < N; i++)
        host[i] = 1;
    check(ctx, gable_set_vector(ctx, N, sizeof *host, host, 1, x, 1));
    check(ctx, gable_fill_bytes(ctx, y, 0, sizeof host));

    /* Between begin and end nothing runs: the calls are checked and written down. */
    check(ctx, gable_record_begin(ctx));
    step(ctx, x, y);
    check(ctx, gable_record_end(ctx, &recording));

    for (int i = 0; i < ROUNDS; i++) {
        const double seconds = round_seconds(ctx, timer, x, y, NULL);
        const double again = round_seconds(ctx, timer, x, y, recording);
        called = seconds < called ? seconds : called;
        replayed = again < replayed ? again : replayed;
    }
    check(ctx, gable_get_vector(ctx, N, sizeof *host, y, 1, host, 1));

    const double want = 2.0 * ROUNDS * STEPS * CALLS;
    int right = 1;
    for (int i = 0; i < N; i++)
        right = right && host[i] == want;
    printf("y = %g in all elements: %s\n", want, right ? "yes" : "no");
    printf("a step of %d calls: %.1f us called, %.1f us replayed, %.2f times as fast\n", CALLS,
           1e6 * called / STEPS, 1e6 * replayed / STEPS, called / replayed);

    gable_recording_destroy(recording);
    gable_timer_destroy(timer);
    check(ctx, gable_free(ctx, x));
    check(ctx, gable_free(ctx, y));
    gable_close(ctx);
    return right ? 0 : 1;
}
