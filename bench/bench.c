/* bench.c: measures one routine at one size, beside its peers and its roof.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench.h"
#include "party.h"

#define MIN_TURNS 7
/* By the pilot, whose calls cost up to three times those of a replay. The start of a replay and its
 * marks must vanish among the calls: with a tenth of this the H200 showed ddot of 10^5 at 3.50 us,
 * with this at 3.40 (2026-11). */
#define REPLAY_SECONDS 6e-3
#define MAX_CALLS      4096
/* Of brief rows, which are compared with rows that start alike. */
#define BRIEF_TURNS   3
#define BRIEF_SECONDS 2e-3
#define NAME_BYTES    32
#define SIZES_BYTES   64

#define GABLE_PARTY 0
#define ROOF_PARTY  1
#define FIRST_PEER  2
#define MAX_PARTIES (FIRST_PEER + BENCH_MAX_PEERS)

/* One case at one temperature. */
typedef struct trial {
    bench_session *session;
    bench_case what;
    bool hot;
    gbl_work work;
    bench_operands operands;
    bench_operands *peer_operands[BENCH_MAX_PEERS]; /* of peers on a context of their own */
    bench_transfer transfer; /* empty unless rows with transfers are wanted */
    bench_roof roof;
    bench_roof *flush[MAX_PARTIES]; /* owned; shared by parties on one context */
    bench_party parties[MAX_PARTIES];
    int party_count;
    int64_t turn;
} trial;

const char *bench_mode_name(bench_mode mode)
{
    static const char *const names[BENCH_MODES] = {"replay", "single", "transfer"};
    return names[mode];
}

static void note_peer(trial *t, const bench_party *party, const char *text)
{
    char name[NAME_BYTES], sizes[SIZES_BYTES], line[1024];
    bench_case_name(&t->what, name, sizeof name);
    bench_case_text(&t->what, sizes, sizeof sizes);
    snprintf(line, sizeof line, "%s has no time for %s %s: %.800s", party->peer->kind->name, name,
             sizes, text);
    t->session->note(t->session->user, line);
}

/* ---- Setting up ---- */

/* What empties the cache of a context: reading twice its size. */
static gable_status make_flush(trial *t, int index, gable_context *ctx)
{
    bench_roof *flush = calloc(1, sizeof *flush);
    if (flush == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a measurement");
    t->flush[index] = flush;
    return bench_roof_make(flush, ctx, BENCH_ROOF_READ, 2 * bench_cache_bytes(ctx), 1);
}

static gable_status add_peer(trial *t, int index)
{
    bench_peer *peer = &t->session->peers[index];
    bench_party *party = &t->parties[t->party_count];
    *party = (bench_party){.what = &t->what,
                           .ctx = peer->ctx,
                           .operands = &t->operands,
                           .peer = peer,
                           .flush = t->flush[GABLE_PARTY],
                           .sets = t->operands.sets,
                           .hot = t->hot};
    t->party_count++;
    if (!peer->kind->supports(peer, &t->what)) {
        party->out = true;
        return GABLE_OK;
    }
    if (peer->kind->load != NULL)
        return peer->kind->load(peer, &t->operands, &peer->ctx->message);
    if (!peer->own_context)
        return GABLE_OK;
    party->operands = t->peer_operands[index] = calloc(1, sizeof *party->operands);
    if (party->operands == NULL)
        return gbl_fail(&peer->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    TRY(bench_operands_make(party->operands, peer->ctx, &t->what, t->hot));
    party->sets = party->operands->sets;
    party->flush = NULL;
    if (t->hot || party->operands->covers_cache)
        return GABLE_OK;
    TRY(make_flush(t, FIRST_PEER + index, peer->ctx));
    party->flush = t->flush[FIRST_PEER + index];
    return GABLE_OK;
}

static gable_status set_up(trial *t)
{
    gable_context *ctx = t->session->ctx;
    bench_call call;
    double call_seconds;
    TRY(bench_operands_make(&t->operands, ctx, &t->what, t->hot));
    bench_operands_call(&t->operands, 0, &call);
    t->what.op->op->work(&call, &t->work);
    if (!t->hot && !t->operands.covers_cache)
        TRY(make_flush(t, GABLE_PARTY, ctx));
    if (!t->session->brief) {
        TRY(bench_roof_make(&t->roof, ctx, bench_op_roof(t->what.op),
                            bench_op_roof_bytes(t->what.op, &t->work), t->operands.sets));
        TRY(bench_roof_tune(&t->roof));
    }
    const bench_party common = {.what = &t->what,
                                .ctx = ctx,
                                .operands = &t->operands,
                                .flush = t->flush[GABLE_PARTY],
                                .sets = t->operands.sets,
                                .hot = t->hot};
    t->parties[GABLE_PARTY] = t->parties[ROOF_PARTY] = common;
    t->parties[ROOF_PARTY].roof = &t->roof;
    t->parties[ROOF_PARTY].sets = t->roof.sets;
    t->parties[ROOF_PARTY].out = t->session->brief;
    t->party_count = FIRST_PEER;
    TRY(bench_party_pilot(&t->parties[GABLE_PARTY], &call_seconds));
    const int64_t calls =
        bench_party_calls(&t->operands, t->hot, call_seconds,
                          t->session->brief ? BRIEF_SECONDS : REPLAY_SECONDS, MAX_CALLS);
    TRY(bench_party_begin(&t->parties[GABLE_PARTY], calls));
    if (!t->parties[ROOF_PARTY].out)
        TRY(bench_party_begin(&t->parties[ROOF_PARTY], calls));
    for (int i = 0; i < t->session->peer_count; i++) {
        bench_party *party = &t->parties[t->party_count];
        gable_status status = add_peer(t, i);
        if (status == GABLE_OK && !party->out)
            status = bench_party_begin(party, calls);
        if (status != GABLE_OK) {
            party->out = true;
            note_peer(t, party, party->ctx->message.text);
        }
    }
    return GABLE_OK;
}

static void tear_down(trial *t)
{
    for (int i = 0; i < t->party_count; i++) {
        bench_party_end(&t->parties[i]);
        if (t->parties[i].peer != NULL && t->parties[i].peer->kind->unload != NULL)
            t->parties[i].peer->kind->unload(t->parties[i].peer);
    }
    for (int i = 0; i < BENCH_MAX_PEERS; i++) {
        if (t->peer_operands[i] != NULL)
            bench_operands_free(t->peer_operands[i]);
        free(t->peer_operands[i]);
    }
    for (int i = 0; i < MAX_PARTIES; i++) {
        if (t->flush[i] != NULL)
            bench_roof_free(t->flush[i]);
        free(t->flush[i]);
    }
    bench_transfer_free(&t->transfer);
    if (!t->session->brief)
        bench_roof_free(&t->roof);
    bench_operands_free(&t->operands);
}

/* ---- Turns ---- */

/* One turn of every party. keep: its time counts. Every other round goes backwards: what a party
 * leaves in the clocks and in the temperature of a board at its power limit then affects all
 * alike. */
static gable_status take_turns(trial *t, bench_mode mode, bool backwards, bool keep)
{
    for (int i = 0; i < t->party_count; i++) {
        bench_party *party = &t->parties[backwards ? t->party_count - 1 - i : i];
        double seconds = 0;
        if (party->out || (mode == BENCH_REPLAY && bench_party_waits(party)))
            continue;
        const gable_status status = bench_party_turn(party, mode, t->turn++, &seconds);
        if (status != GABLE_OK && party->peer == NULL)
            return status;
        if (status != GABLE_OK) {
            party->out = true;
            note_peer(t, party, party->ctx->message.text);
        } else if (keep) {
            party->seconds[party->turns++] = seconds;
        }
    }
    return GABLE_OK;
}

/* A peer whose result is wrong is no peer. */
static void check_peers(trial *t)
{
    for (int i = FIRST_PEER; i < t->party_count; i++) {
        bench_party *party = &t->parties[i];
        double error = 0;
        if (party->out)
            continue;
        const gable_status status = bench_party_check(party, BENCH_SINGLE, &error);
        if (status == GABLE_OK && error <= 1)
            continue;
        char text[128];
        snprintf(text, sizeof text, "its result is wrong, %.3g times the error bound", error);
        party->out = true;
        note_peer(t, party, status == GABLE_OK ? text : party->ctx->message.text);
    }
}

/* Bytes in a second: what memory gave in this run, or is known to give. */
static double bandwidth(const trial *t)
{
    double median, least;
    if (t->session->brief)
        return t->session->bandwidth[bench_op_roof(t->what.op)];
    bench_party_summary(&t->parties[ROOF_PARTY], &median, &least);
    return (double)t->roof.bytes / median;
}

/* Seconds that the device's limits allow for the work: those of memory, and of products of matrices
 * also its multiply-adds, if their rate is known. */
static double roof_seconds(const trial *t)
{
    const double bytes = t->work.bytes_read + t->work.bytes_written;
    const double moving = bytes / bandwidth(t);
    const double *flops = t->session->flops;
    if (!bench_op_is_product(t->what.op) || flops == NULL || !(flops[t->what.dtype] > 0))
        return moving;
    return fmax(moving, t->work.flops / flops[t->what.dtype]);
}

static void tell_row(trial *t, bench_mode mode, const char *variant, double error)
{
    double median, least;
    bench_party_summary(&t->parties[GABLE_PARTY], &median, &least);
    const double bytes = t->work.bytes_read + t->work.bytes_written;
    bench_row row = {.what = t->what,
                     .variant = variant,
                     .mode = mode,
                     .hot = t->hot,
                     .calls = mode == BENCH_REPLAY ? t->parties[GABLE_PARTY].calls : 1,
                     .repeats = t->parties[GABLE_PARTY].turns,
                     .usec = 1e6 * median,
                     .usec_min = 1e6 * least,
                     .gbs = 1e-9 * bytes / median,
                     .gflops = 1e-9 * t->work.flops / median,
                     .roof = roof_seconds(t) / median,
                     .error = error};
    for (int i = FIRST_PEER; i < t->party_count; i++) {
        if (!t->parties[i].out)
            row.vs[i - FIRST_PEER] = bench_party_ratio(&t->parties[i], &t->parties[GABLE_PARTY]);
    }
    t->session->row(t->session->user, &row);
}

/* The rows of a case count alike; `part` is how much of the row in work is done. */
static void tell_progress(const trial *t, bench_mode mode, double part)
{
    const bench_session *session = t->session;
    const int cold_rows = session->brief      ? 1
                          : session->transfer ? 3
                                              : 2,
              rows = cold_rows + (session->hot ? 2 : 0), row = (t->hot ? cold_rows : 0) + (int)mode;
    char name[NAME_BYTES], sizes[SIZES_BYTES], text[192];
    bench_case_name(&t->what, name, sizeof name);
    bench_case_text(&t->what, sizes, sizeof sizes);
    snprintf(text, sizeof text, "%s %s, %s %s", name, sizes, bench_mode_name(mode),
             t->hot ? "hot" : "cold");
    session->progress(session->user, text, (row + (part < 1 ? part : 1)) / rows);
}

/* What rows with transfers need, once the others are done. */
static gable_status begin_transfers(trial *t)
{
    TRY(bench_transfer_make(&t->transfer, &t->operands));
    for (int i = 0; i < t->party_count; i++)
        t->parties[i].transfer = &t->transfer;
    return GABLE_OK;
}

/* Calls that wait for the host have no replays. */
static bench_mode first_mode(const trial *t)
{
    return bench_party_waits(&t->parties[GABLE_PARTY]) ? BENCH_SINGLE : BENCH_REPLAY;
}

static gable_status measure_mode(trial *t, bench_mode mode)
{
    bench_session *session = t->session;
    bench_call call;
    gbl_choice choice;
    bench_operands_call(&t->operands, 0, &call);
    TRY(gbl_op_choose(session->ctx, t->what.op->op, &call, &choice));
    for (int i = 0; i < t->party_count; i++)
        t->parties[i].turns = 0;
    TRY(take_turns(t, mode, false, false));
    const int least_turns = session->brief ? BRIEF_TURNS : MIN_TURNS;
    const double start = bench_host_seconds();
    for (int turns = 0; turns < BENCH_MAX_TURNS; turns++) {
        if (turns >= least_turns && bench_host_seconds() - start > session->seconds)
            break;
        if (session->stop(session->user))
            return GABLE_OK;
        tell_progress(t, mode, (bench_host_seconds() - start) / session->seconds);
        TRY(take_turns(t, mode, turns % 2 == 1, true));
    }
    double error = 0;
    TRY(bench_party_check(&t->parties[GABLE_PARTY], mode, &error));
    if (mode == first_mode(t))
        check_peers(t);
    tell_row(t, mode, choice.variant->name, error);
    return GABLE_OK;
}

static gable_status measure_at(bench_session *session, const bench_case *what, bool hot)
{
    trial *t = calloc(1, sizeof *t);
    if (t == NULL)
        return gbl_fail(&session->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    t->session = session;
    t->what = *what;
    t->hot = hot;
    tell_progress(t, BENCH_REPLAY, 0);
    gable_status status = set_up(t);
    const int first = (int)first_mode(t), last = session->brief ? first : BENCH_SINGLE;
    for (int mode = first; status == GABLE_OK && mode <= last; mode++)
        if (!session->stop(session->user))
            status = measure_mode(t, (bench_mode)mode);
    if (status == GABLE_OK && session->transfer && !hot && !session->stop(session->user)) {
        status = begin_transfers(t);
        if (status == GABLE_OK)
            status = measure_mode(t, BENCH_TRANSFER);
    }
    tear_down(t);
    free(t);
    return status;
}

gable_status bench_measure(bench_session *session, const bench_case *what)
{
    TRY(measure_at(session, what, false));
    return session->hot && !session->stop(session->user) ? measure_at(session, what, true)
                                                         : GABLE_OK;
}
