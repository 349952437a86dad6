/* sparse_products.c: turns of products with a sparse matrix.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include "peers/sparse_peer.h"
#include "sparse/matrix/sparse_matrix.h"
#include "sparse_bench.h"
#include "sparse_reference.h"

#define REPLAY_SECONDS 6e-3 /* as bench.c */
#define MAX_CALLS      1024
#define PILOT_CALLS    4
#define ROOF_BYTES     2e9
/* of what peers tell of their results: a norm, in single precision too */
#define NORM_BOUND 1e-3

static gable_status enqueue(bench_sparse_trial *t, const bench_sparse_party *party, int64_t call)
{
    const int64_t set = call % t->system.sets;
    if (party == &t->parties[SPARSE_ROOF])
        return bench_roof_run(&t->roof, call % t->roof.sets);
    if (party->peer != NULL)
        return party->peer->kind->sparse->multiply(party->peer, set);
    return bench_sparse_multiply(&t->system, set);
}

static bool has_own_clock(const bench_sparse_party *party)
{
    return party->peer != NULL && party->peer->kind->sparse->multiply == NULL;
}

/* ---- Setting up ---- */

static gable_status record(bench_sparse_trial *t, bench_sparse_party *party)
{
    gable_context *ctx = t->session->ctx;
    TRY(enqueue(t, party, 0)); /* compiles, and makes a transpose */
    TRY(gable_sync(ctx));
    TRY(gable_timer_create(ctx, &party->timer));
    TRY(gable_record_begin(ctx));
    for (int64_t i = 0; i < t->calls; i++) {
        const gable_status status = enqueue(t, party, i);
        if (status != GABLE_OK) {
            gable_record_end(ctx, NULL);
            return status;
        }
    }
    return gable_record_end(ctx, &party->recording);
}

/* Every set once before, so that transposes are there. */
static gable_status pilot(bench_sparse_trial *t, double *seconds)
{
    gable_context *ctx = t->session->ctx;
    for (int64_t i = 0; i < t->system.sets; i++)
        TRY(bench_sparse_multiply(&t->system, i));
    TRY(gable_sync(ctx));
    const double start = bench_host_seconds();
    for (int64_t i = 0; i < PILOT_CALLS; i++)
        TRY(bench_sparse_multiply(&t->system, i % t->system.sets));
    TRY(gable_sync(ctx));
    *seconds = (bench_host_seconds() - start) / PILOT_CALLS;
    return GABLE_OK;
}

/* A read of gigabytes needs no memory for all of them to be at memory's speed. */
static size_t roof_bytes(const bench_sparse_trial *t)
{
    const double most = fmax(4 * (double)bench_cache_bytes(t->session->ctx), ROOF_BYTES);
    return (size_t)fmin(t->system.bytes, most);
}

static gable_status set_up(bench_sparse_trial *t)
{
    gable_context *ctx = t->session->ctx;
    const int64_t sets = t->system.sets;
    double seconds;
    TRY(pilot(t, &seconds));
    const int64_t calls = (int64_t)(REPLAY_SECONDS / (seconds + 1e-9)) + 1;
    t->calls = calls < MAX_CALLS ? calls : MAX_CALLS;
    if (t->system.covers_cache) {
        t->calls = (t->calls + sets - 1) / sets * sets;
    } else { /* the cache is emptied before each turn, and no set comes twice */
        t->calls = t->calls < sets ? t->calls : sets;
        TRY(bench_roof_make(&t->flush, ctx, BENCH_ROOF_READ, 2 * bench_cache_bytes(ctx), 1));
    }
    TRY(bench_roof_make(&t->roof, ctx, BENCH_ROOF_READ, roof_bytes(t), sets));
    TRY(bench_roof_tune(&t->roof));
    for (int i = 0; i < t->party_count; i++) {
        bench_sparse_party *party = &t->parties[i];
        if (party->out || has_own_clock(party))
            continue;
        const gable_status status = record(t, party);
        if (status != GABLE_OK && party->peer == NULL)
            return status;
        if (status != GABLE_OK)
            bench_sparse_drop(t, party, NULL);
    }
    return GABLE_OK;
}

/* ---- Turns ---- */

/* A child's own clock; an untimed call wakes its threads. */
static gable_status own_turn(bench_sparse_trial *t, bench_peer *peer, double *seconds)
{
    const bench_sparse_peer *sparse = peer->kind->sparse;
    gbl_message *message = &t->why;
    const int64_t count = t->replay ? t->calls : 1;
    TRY(sparse->time(peer, 1, seconds, message));
    if (t->flush.bytes > 0)
        TRY(bench_roof_run(&t->flush, 0));
    TRY(gable_sync(t->session->ctx));
    TRY(sparse->time(peer, count, seconds, message));
    *seconds /= (double)count;
    return GABLE_OK;
}

static gable_status one_turn(bench_sparse_trial *t, bench_sparse_party *party, double *seconds)
{
    gable_context *ctx = t->session->ctx;
    if (has_own_clock(party))
        return own_turn(t, party->peer, seconds);
    if (ctx->device->props.is_host) /* wakes the threads, on operands that come last */
        TRY(enqueue(t, party, t->replay ? t->calls - 1 : t->turn + t->system.sets - 1));
    if (t->flush.bytes > 0)
        TRY(bench_roof_run(&t->flush, 0));
    TRY(gable_sync(ctx));
    TRY(gable_timer_start(party->timer));
    if (t->replay)
        TRY(gable_replay(ctx, party->recording));
    else
        TRY(enqueue(t, party, t->turn));
    TRY(gable_timer_stop(party->timer));
    TRY(gable_timer_seconds(party->timer, seconds));
    *seconds /= (double)(t->replay ? t->calls : 1);
    return GABLE_OK;
}

/* ---- Checks ---- */

/* The first and the last set after a fresh run of a party. */
static gable_status check_party(bench_sparse_trial *t, bench_sparse_party *party, double *error)
{
    const int64_t last = (t->calls < t->system.sets ? t->calls : t->system.sets) - 1;
    double other;
    TRY(bench_sparse_poison(&t->system, 0));
    TRY(bench_sparse_poison(&t->system, last));
    if (t->replay)
        TRY(gable_replay(t->session->ctx, party->recording));
    else
        TRY(enqueue(t, party, 0));
    TRY(bench_sparse_check(&t->system, 0, error));
    if (t->replay && last > 0) {
        TRY(bench_sparse_check(&t->system, last, &other));
        if (!(other <= *error)) /* NaN too */
            *error = other;
    }
    return GABLE_OK;
}

/* A peer with a clock of its own tells the norm of its result. */
static gable_status check_norm(bench_sparse_trial *t, bench_peer *peer, double *error)
{
    double norm;
    if (t->norm == 0)
        TRY(bench_sparse_norm(&t->system, &t->norm));
    TRY(peer->kind->sparse->check(peer, &norm, &t->why));
    *error = fabs(norm - t->norm) / (NORM_BOUND * t->norm);
    return GABLE_OK;
}

/* A peer whose result is wrong is no peer. */
static void check_peers(bench_sparse_trial *t)
{
    for (int i = SPARSE_PEERS; i < t->party_count; i++) {
        bench_sparse_party *party = &t->parties[i];
        double error = 0;
        char text[128];
        if (party->out)
            continue;
        const gable_status status = has_own_clock(party) ? check_norm(t, party->peer, &error)
                                                         : check_party(t, party, &error);
        snprintf(text, sizeof text, "its result is wrong, %.3g times the error bound", error);
        if (status != GABLE_OK)
            bench_sparse_drop(t, party, NULL);
        else if (!(error <= 1))
            bench_sparse_drop(t, party, text);
    }
}

/* The multiplications and additions, in reals; of the orthogonalisation those of CGS2. */
static double flops_of(const bench_sparse_trial *t)
{
    const bench_sparse_matrix *m = t->what->matrix;
    const double parts = gbl_dtype_complex(t->what->dtype) ? 4 : 1;
    const double columns = (double)m->columns;
    if (t->what->op == BENCH_SPARSE_ORTHOGONALISE)
        return parts * (double)m->rows * (4 * columns * (columns + 1) + 3 * columns);
    return 2 * parts * (double)m->entries;
}

gable_status bench_sparse_products(bench_sparse_trial *t)
{
    static const bench_mode modes[] = {BENCH_REPLAY, BENCH_SINGLE};
    TRY(set_up(t));
    for (int i = 0; i < 2; i++) {
        bench_sparse_row row = {.mode = bench_mode_name(modes[i])};
        bool whole;
        t->replay = modes[i] == BENCH_REPLAY;
        TRY(bench_sparse_turns(t, row.mode, one_turn, &whole));
        if (!whole)
            return GABLE_OK;
        TRY(check_party(t, &t->parties[SPARSE_GABLE], &row.error));
        if (t->replay)
            check_peers(t);
        snprintf(row.variant, sizeof row.variant, "%s", bench_sparse_variant(&t->system));
        bench_sparse_tell(t, &row, t->system.bytes, flops_of(t));
    }
    return GABLE_OK;
}
