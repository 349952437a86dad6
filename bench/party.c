/* party.c: one party's turns.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench_check.h"
#include "party.h"

#define PILOT_CALLS   8
#define PILOT_SECONDS 0.02 /* a call that takes longer is piloted alone */
/* A round over the sets that would take longer ends before the last set. To read all of them takes
 * a hundredth of it at most, so that it does not matter what of them is in the cache. */
#define ROUND_SECONDS 0.5

static bool has_own_clock(const bench_party *party)
{
    return party->peer != NULL && party->peer->kind->time != NULL;
}

/* Whether a call leaves operands that no further call should take. */
static bool uses_up(const bench_party *party)
{
    return party->roof == NULL && bench_op_factors(party->what->op);
}

/* Operands as they were, of so many sets. */
static gable_status renew(bench_party *party, int64_t first, int64_t count)
{
    for (int64_t i = 0; uses_up(party) && i < count; i++)
        TRY(bench_operands_restore(party->operands, (first + i) % party->sets));
    return GABLE_OK;
}

gable_status bench_party_call(bench_party *party, int64_t set)
{
    set %= party->sets;
    if (party->roof != NULL)
        return bench_roof_run(party->roof, set);
    bench_call call;
    bench_operands_call(party->operands, set, &call);
    const bench_op *op = party->what->op;
    return party->peer != NULL ? party->peer->kind->run(party->peer, op, &call)
                               : bench_op_run(op, party->ctx, &call);
}

bool bench_party_waits(const bench_party *party)
{
    return party->waits || (party->peer != NULL && party->peer->kind->waits);
}

static gable_status record(bench_party *party, int64_t calls)
{
    TRY(gable_record_begin(party->ctx));
    for (int64_t i = 0; i < calls; i++) {
        const gable_status status = bench_party_call(party, i);
        if (status != GABLE_OK) {
            gable_record_end(party->ctx, NULL);
            return status;
        }
    }
    return gable_record_end(party->ctx, &party->recording);
}

/* An odd number of rounds over the sets: two exchanges or two changes of sign on a set would look,
 * to the check, like none. */
static int64_t odd_rounds(int64_t calls, int64_t sets)
{
    return calls % sets == 0 && calls / sets % 2 == 0 ? calls + sets : calls;
}

gable_status bench_party_begin(bench_party *party, int64_t calls)
{
    party->calls = calls = odd_rounds(calls, party->sets);
    if (has_own_clock(party))
        return GABLE_OK;
    TRY(bench_party_call(party, 0)); /* what is loaded or compiled by a first call */
    TRY(gable_sync(party->ctx));
    TRY(gable_timer_create(party->ctx, &party->timer));
    if (bench_party_waits(party))
        return GABLE_OK;
    const gable_status status = record(party, calls);
    party->waits = status == GABLE_NOT_RECORDABLE;
    return party->waits ? GABLE_OK : status;
}

void bench_party_end(bench_party *party)
{
    gable_timer_destroy(party->timer);
    gable_recording_destroy(party->recording);
    party->timer = NULL;
    party->recording = NULL;
}

/* Between start and stop: one call or one replay. */
static gable_status timed(bench_party *party, bench_mode mode, int64_t set, double *seconds)
{
    TRY(gable_timer_start(party->timer));
    if (mode == BENCH_REPLAY)
        TRY(gable_replay(party->ctx, party->recording));
    else
        TRY(bench_party_call(party, set));
    TRY(gable_timer_stop(party->timer));
    return gable_timer_seconds(party->timer, seconds);
}

/* Operands in the host's memory: they go over, the call is made, the result comes back. */
static gable_status transfer_turn(bench_party *party, double *seconds)
{
    const bench_transfer *transfer = party->transfer;
    const bool moves = !party->ctx->device->props.is_host;
    TRY(gable_sync(party->ctx));
    if (has_own_clock(party))
        return party->peer->kind->time_transfer(party->peer, transfer, seconds,
                                                &party->ctx->message);
    if (!moves) {
        TRY(renew(party, 0, 1));
        TRY(gable_sync(party->ctx));
    }
    const double start = bench_host_seconds();
    if (moves)
        TRY(bench_transfer_in(transfer, party->operands));
    TRY(bench_party_call(party, 0));
    if (moves)
        TRY(bench_transfer_out(transfer, party->operands));
    TRY(gable_sync(party->ctx));
    *seconds = bench_host_seconds() - start;
    return GABLE_OK;
}

gable_status bench_party_turn(bench_party *party, bench_mode mode, int64_t set, double *seconds)
{
    const int64_t calls = mode == BENCH_REPLAY ? party->calls : 1;
    gbl_message *message = &party->ctx->message;
    if (mode == BENCH_TRANSFER && party->roof == NULL)
        return transfer_turn(party, seconds);
    if (has_own_clock(party)) {
        const int64_t first = mode == BENCH_REPLAY ? 0 : set % party->sets;
        if (party->hot)
            TRY(party->peer->kind->time(party->peer, first, 1, seconds, message));
        if (party->flush != NULL)
            TRY(bench_roof_run(party->flush, 0));
        TRY(gable_sync(party->ctx));
        TRY(party->peer->kind->time(party->peer, first, calls, seconds, message));
    } else {
        /* An untimed call wakes the threads; its operands must not be those the timing starts with.
         */
        const int64_t other = (mode == BENCH_REPLAY ? 0 : set) + party->sets - 1;
        if (party->hot || party->ctx->device->props.is_host)
            TRY(bench_party_call(party, party->hot ? set : other));
        TRY(renew(party, mode == BENCH_REPLAY ? 0 : set, calls));
        if (party->flush != NULL)
            TRY(bench_roof_run(party->flush, 0));
        TRY(gable_sync(party->ctx));
        TRY(timed(party, mode, set, seconds));
    }
    *seconds /= (double)calls;
    return GABLE_OK;
}

/* Seconds of one of `calls` calls. */
static gable_status time_calls(bench_party *party, gable_timer *timer, int64_t calls,
                               double *seconds)
{
    TRY(gable_timer_start(timer));
    for (int64_t i = 0; i < calls; i++)
        TRY(bench_party_call(party, i));
    TRY(gable_timer_stop(timer));
    TRY(gable_timer_seconds(timer, seconds));
    *seconds /= (double)calls;
    return GABLE_OK;
}

gable_status bench_party_pilot(bench_party *party, double *seconds)
{
    gable_timer *timer = NULL;
    gable_status status = bench_party_call(party, 0);
    if (status == GABLE_OK)
        status = renew(party, 0, 1);
    if (status == GABLE_OK)
        status = gable_sync(party->ctx);
    if (status == GABLE_OK)
        status = gable_timer_create(party->ctx, &timer);
    if (status == GABLE_OK)
        status = time_calls(party, timer, 1, seconds);
    if (status == GABLE_OK && *seconds < PILOT_SECONDS && !uses_up(party))
        status = time_calls(party, timer, PILOT_CALLS, seconds);
    gable_timer_destroy(timer);
    return status;
}

int64_t bench_party_calls(const bench_operands *operands, bool hot, double call_seconds,
                          double replay_seconds, int64_t most)
{
    const int64_t sets = operands->sets;
    const int64_t affordable = (int64_t)(ROUND_SECONDS / (call_seconds + 1e-9)) + 1;
    int64_t calls = (int64_t)(replay_seconds / (call_seconds + 1e-9)) + 1;
    calls = calls < most ? calls : most;
    if ((!hot && !operands->covers_cache) || bench_op_factors(operands->what.op))
        return calls < sets ? calls : sets;
    if (affordable < sets)
        return affordable;
    return (calls + sets - 1) / sets * sets;
}

gable_status bench_party_check(bench_party *party, bench_mode mode, double *error)
{
    if (has_own_clock(party))
        return party->peer->kind->check(party->peer, error, &party->ctx->message);
    if (mode == BENCH_TRANSFER && !party->ctx->device->props.is_host) {
        double seconds;
        TRY(transfer_turn(party, &seconds));
        return bench_transfer_check(party->transfer, error);
    }
    /* A replay makes calls / sets calls on each set, or one on each of the first `calls` sets. */
    const bool repeats = bench_check_repeats(party->what);
    const bool replay = mode == BENCH_REPLAY && repeats, covers = party->calls >= party->sets;
    const int64_t last = !replay ? 0 : (covers ? party->sets : party->calls) - 1;
    const int64_t times = replay && covers ? party->calls / party->sets : 1;
    party->operands->narrow_pivots = party->peer != NULL && party->peer->kind->narrow_pivots;
    TRY(bench_operands_restore(party->operands, 0));
    if (last > 0)
        TRY(bench_operands_restore(party->operands, last));
    if (replay)
        TRY(gable_replay(party->ctx, party->recording));
    else
        TRY(bench_party_call(party, 0));
    TRY(bench_check_set(party->operands, 0, times, error));
    if (last > 0) {
        double other;
        TRY(bench_check_set(party->operands, last, times, &other));
        if (!(other <= *error)) /* NaN too */
            *error = other;
    }
    return GABLE_OK;
}
