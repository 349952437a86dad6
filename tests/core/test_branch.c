/* test_branch.c: two chains of calls beside each other, on a device that does work late.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The fake device runs the second of two chains before the first, live and replayed: a chain that
 * does not wait for the fork, or whose results nobody waits for, shows as a wrong number. Without
 * streams, and under GABLE_DEBUG=sync, the chains follow each other on one queue.
 */
#include <stdlib.h>
#include "core/branch.h"
#include "core/recording.h"
#include "expect.h"
#include "fake_device.h"

#define N        100
#define TUNABLES ":local=1:vec=4:unroll=2:range=1:groups=2"

typedef struct play {
    double *x, *y, *z, *r; /* N numbers each; r: two results */
    gbl_queue *queue[2];   /* on which the chains were */
    gbl_arena *arena[2];
    int ran, fails, nested; /* chains; which one fails; 1: the first one forks again */
} play;

static gable_status first_chain(gable_context *ctx, void *what);

/* z := z + 3 x, r[1] := z' x */
static gable_status second_chain(gable_context *ctx, void *what)
{
    play *p = what;
    p->ran++;
    p->queue[1] = ctx->queue;
    p->arena[1] = ctx->arena;
    TRY(gable_daxpy(ctx, N, 3, p->x, 1, p->z, 1));
    if (p->fails == 2)
        return gbl_fail(&ctx->message, GABLE_INTERNAL, "the second chain fails");
    return gable_ddot(ctx, N, p->z, 1, p->x, 1, p->r + 1);
}

/* y := y + 2 x, r[0] := y' x */
static gable_status first_chain(gable_context *ctx, void *what)
{
    play *p = what;
    p->ran++;
    p->queue[0] = ctx->queue;
    p->arena[0] = ctx->arena;
    TRY(gable_daxpy(ctx, N, 2, p->x, 1, p->y, 1));
    if (p->fails == 1)
        return gbl_fail(&ctx->message, GABLE_INTERNAL, "the first chain fails");
    if (p->nested) {
        play inner = *p;
        inner.nested = 0;
        inner.fails = 0;
        TRY(gbl_beside(ctx, first_chain, second_chain, &inner));
        EXPECT(inner.queue[0] == ctx->queue && inner.queue[1] == ctx->queue &&
                   inner.arena[0] == ctx->arena && inner.arena[1] == ctx->arena,
               "chains within a chain are forked again");
    }
    return gable_ddot(ctx, N, p->y, 1, p->x, 1, p->r);
}

/* x := x + x before, x := x + y + z behind. */
static gable_status all_of_it(gable_context *ctx, play *p)
{
    TRY(gable_daxpy(ctx, N, 1, p->r + 2, 1, p->x, 1));
    TRY(gbl_beside(ctx, first_chain, second_chain, p));
    TRY(gable_daxpy(ctx, N, 1, p->y, 1, p->x, 1));
    return gable_daxpy(ctx, N, 1, p->z, 1, p->x, 1);
}

static void put(gable_context *ctx, const play *p)
{
    double numbers[N + 2];
    for (int i = 0; i < N + 2; i++)
        numbers[i] = i % 7;
    double *const vectors[] = {p->x, p->y, p->z};
    for (int v = 0; v < 3; v++)
        EXPECT_STATUS(ctx, GABLE_OK,
                      gable_set_vector(ctx, N, 8, numbers + v % 2, 1, vectors[v], 1));
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_vector(ctx, N + 2, 8, numbers, 1, p->r, 1));
}

/* What the calls make of these numbers, one after the other. */
static void check_numbers(gable_context *ctx, const play *p, const char *how)
{
    double x[N], r[2], want_r[2] = {0, 0};
    int wrong = 0;
    EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, N, 8, p->x, 1, x, 1));
    EXPECT_STATUS(ctx, GABLE_OK, gable_get_vector(ctx, 2, 8, p->r, 1, r, 1));
    for (int i = 0; i < N; i++) {
        const double a = i % 7 + (i + 2) % 7, y = (i + 1) % 7 + 2 * a, z = i % 7 + 3 * a;
        want_r[0] += y * a;
        want_r[1] += z * a;
        wrong += x[i] != a + y + z;
    }
    EXPECT(wrong == 0 && r[0] == want_r[0] && r[1] == want_r[1],
           "%s: %d wrong numbers, results %g and %g instead of %g and %g", how, wrong, r[0], r[1],
           want_r[0], want_r[1]);
}

static gable_context *open_fake(play *p, bool streams, bool graphs)
{
    gable_context *ctx;
    const fake_settings settings = {.graphs = graphs,
                                    .pinned_is_address = true,
                                    .fence_device = true,
                                    .deferred = true,
                                    .streams = streams};
    memset(p, 0, sizeof *p);
    fake_install(&settings);
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
    EXPECT_STATUS(ctx, GABLE_OK,
                  gable_set_variant(ctx, "axpy=stream" TUNABLES ",dot=one_pass" TUNABLES));
    double **const vectors[] = {&p->x, &p->y, &p->z, &p->r};
    for (int v = 0; v < 4; v++)
        EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, (N + 2) * 8, (void **)vectors[v]));
    put(ctx, p);
    return ctx;
}

static void close_fake(gable_context *ctx, play *p)
{
    double *const vectors[] = {p->x, p->y, p->z, p->r};
    for (int v = 0; v < 4; v++)
        gable_free(ctx, vectors[v]);
    gable_close(ctx);
    const fake_counts left = fake_alive();
    EXPECT(left.queues == 0 && left.blocks == 0 && left.graphs == 0,
           "%d queues, %d blocks, %d graphs are left", left.queues, left.blocks, left.graphs);
    EXPECT(fake_faults() == 0, "%s", fake_first_fault());
    fake_remove();
}

static void check_live(bool streams)
{
    play p;
    gable_context *ctx = open_fake(&p, streams, false);
    gbl_queue *const queue = ctx->queue;
    gbl_arena *const arena = ctx->arena;
    EXPECT_STATUS(ctx, GABLE_OK, all_of_it(ctx, &p));
    check_numbers(ctx, &p, streams ? "with streams" : "without streams");
    EXPECT(p.ran == 2 && ctx->queue == queue && ctx->arena == arena && !ctx->branched,
           "the context is not as it was");
    EXPECT((p.queue[0] != p.queue[1]) == streams && (p.arena[0] != p.arena[1]) == streams,
           "chains have %s queue and arena", streams ? "one" : "two");
    EXPECT(p.queue[1] == queue, "the second chain is not on the context's own queue");
    /* Again, on the queue that is there. */
    put(ctx, &p);
    EXPECT_STATUS(ctx, GABLE_OK, all_of_it(ctx, &p));
    check_numbers(ctx, &p, "again");
    EXPECT(fake_alive().queues == 1 + streams, "%d queues are open", fake_alive().queues);
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    close_fake(ctx, &p);
}

static void check_recorded(bool streams, bool graphs)
{
    play p;
    gable_context *ctx = open_fake(&p, streams, graphs);
    gable_recording *recording = NULL;
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_begin(ctx));
    EXPECT_STATUS(ctx, GABLE_OK, all_of_it(ctx, &p));
    EXPECT_STATUS(ctx, GABLE_OK, gable_record_end(ctx, &recording));
    const bool beside = streams && graphs;
    EXPECT((p.arena[0] != p.arena[1]) == beside && p.queue[0] == p.queue[1],
           "chains of a recording have %s arena", beside ? "one" : "two");
    EXPECT(recording->count == (beside ? 10 : 7), "the recording has %lld steps",
           (long long)recording->count);
    for (int round = 0; round < 2; round++) {
        put(ctx, &p);
        EXPECT_STATUS(ctx, GABLE_OK, gable_replay(ctx, recording));
        check_numbers(ctx, &p, "replayed");
    }
    gable_recording_destroy(recording);
    close_fake(ctx, &p);
}

/* Whichever chain fails, what was enqueued is waited for, and the context works on. */
static void check_failures(void)
{
    for (int fails = 1; fails <= 2; fails++) {
        play p;
        gable_context *ctx = open_fake(&p, true, true);
        gable_recording *recording = NULL;
        gbl_queue *const queue = ctx->queue;
        p.fails = fails;
        EXPECT_STATUS(ctx, GABLE_INTERNAL, gbl_beside(ctx, first_chain, second_chain, &p));
        EXPECT_MESSAGE(ctx, fails == 1 ? "the first chain fails" : "the second chain fails");
        EXPECT(p.ran == fails && ctx->queue == queue && ctx->arena == &ctx->own_arena &&
                   !ctx->branched,
               "the context is not as it was");
        EXPECT_STATUS(ctx, GABLE_OK, gable_record_begin(ctx));
        EXPECT_STATUS(ctx, GABLE_INTERNAL, gbl_beside(ctx, first_chain, second_chain, &p));
        EXPECT(ctx->arena == &ctx->recording->arena && !ctx->branched,
               "the recording is not as it was");
        gbl_recording_rewind(ctx, 0);
        p.fails = 0;
        EXPECT_STATUS(ctx, GABLE_OK, all_of_it(ctx, &p));
        EXPECT_STATUS(ctx, GABLE_OK, gable_record_end(ctx, &recording));
        put(ctx, &p);
        EXPECT_STATUS(ctx, GABLE_OK, gable_replay(ctx, recording));
        check_numbers(ctx, &p, "after a failure");
        put(ctx, &p);
        EXPECT_STATUS(ctx, GABLE_OK, all_of_it(ctx, &p));
        check_numbers(ctx, &p, "live after a failure");
        gable_recording_destroy(recording);
        close_fake(ctx, &p);
    }
}

/* What the device refuses: the queue, and the two waits. */
static void check_refused(void)
{
    const struct {
        fake_kind kind;
        int nth;
    } cases[] = {{FAKE_QUEUE_OPEN, 1}, {FAKE_WAIT, 1}, {FAKE_WAIT, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        play p;
        gable_context *ctx = open_fake(&p, true, false);
        fake_fail(cases[i].kind, cases[i].nth);
        EXPECT_STATUS(ctx, fake_status(cases[i].kind),
                      gbl_beside(ctx, first_chain, second_chain, &p));
        EXPECT(fake_fired() && ctx->arena == &ctx->own_arena && !ctx->branched,
               "case %zu did not fail as it should", i);
        EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
        put(ctx, &p);
        EXPECT_STATUS(ctx, GABLE_OK, all_of_it(ctx, &p));
        check_numbers(ctx, &p, "after a refusal");
        close_fake(ctx, &p);
    }
}

static void check_in_order(void)
{
    play p;
    setenv("GABLE_DEBUG", "sync", 1);
    gable_context *ctx = open_fake(&p, true, true);
    unsetenv("GABLE_DEBUG");
    EXPECT_STATUS(ctx, GABLE_OK, all_of_it(ctx, &p));
    EXPECT(p.queue[0] == p.queue[1], "GABLE_DEBUG=sync has two queues");
    check_numbers(ctx, &p, "GABLE_DEBUG=sync");
    close_fake(ctx, &p);
    ctx = open_fake(&p, true, true);
    p.nested = 1;
    EXPECT_STATUS(ctx, GABLE_OK, gbl_beside(ctx, first_chain, second_chain, &p));
    close_fake(ctx, &p);
}

int main(void)
{
    for (int streams = 0; streams < 2; streams++) {
        check_live(streams);
        for (int graphs = 0; graphs < 2; graphs++)
            check_recorded(streams, graphs);
    }
    check_failures();
    check_refused();
    check_in_order();
    return expect_summary("test_branch");
}
