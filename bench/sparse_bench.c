/* sparse_bench.c: measures a product with a sparse matrix, or an iteration of a solver: the parties
 * and their turns.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "peers/sparse_peer.h"
#include "sparse_bench.h"

void bench_sparse_text(const bench_sparse_case *what, char *text, size_t text_bytes)
{
    const bool plain = what->op == BENCH_SPARSE_ORTHOGONALISE;
    snprintf(text, text_bytes, "%c%s %.80s%s%s", gbl_dtype_letter(what->dtype),
             bench_sparse_op_names[what->op], what->matrix->name, plain ? "" : " ",
             plain ? "" : bench_format_names[what->format]);
}

void bench_sparse_drop(bench_sparse_trial *t, bench_sparse_party *party, const char *why)
{
    char name[160], line[1024];
    party->out = true;
    if (why == NULL)
        why = t->why.text[0] != '\0' ? t->why.text : t->session->ctx->message.text;
    bench_sparse_text(t->what, name, sizeof name);
    snprintf(line, sizeof line, "%s has no time for %s: %.700s", party->peer->kind->name, name,
             why);
    t->session->note(t->session->user, line);
    t->why.text[0] = '\0';
}

/* ---- Turns ---- */

static gable_status take_turns(bench_sparse_trial *t, bench_sparse_turn turn, bool keep)
{
    for (int i = 0; i < t->party_count; i++) {
        bench_sparse_party *party = &t->parties[i];
        double seconds = 0;
        if (party->out)
            continue;
        const gable_status status = turn(t, party, &seconds);
        if (status != GABLE_OK && party->peer == NULL)
            return status;
        if (status != GABLE_OK)
            bench_sparse_drop(t, party, NULL);
        else if (keep)
            party->seconds[party->turns++] = seconds;
    }
    t->turn++;
    return GABLE_OK;
}

gable_status bench_sparse_turns(bench_sparse_trial *t, const char *mode, bench_sparse_turn turn,
                                bool *whole)
{
    bench_session *session = t->session;
    char name[160], text[224];
    bench_sparse_text(t->what, name, sizeof name);
    snprintf(text, sizeof text, "%s, %s", name, mode);
    *whole = false;
    for (int i = 0; i < t->party_count; i++)
        t->parties[i].turns = 0;
    TRY(take_turns(t, turn, false));
    const double start = bench_host_seconds();
    for (int turns = 0; turns < SPARSE_MAX_TURNS; turns++) {
        const double passed = bench_host_seconds() - start;
        if (turns >= SPARSE_MIN_TURNS && passed > session->seconds)
            break;
        if (session->stop(session->user))
            return GABLE_OK;
        session->progress(session->user, text,
                          passed < session->seconds ? passed / session->seconds : 1);
        TRY(take_turns(t, turn, true));
    }
    *whole = true;
    return GABLE_OK;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_sparse_summary(const bench_sparse_trial *t, bench_sparse_party *party, double *median,
                          double *least)
{
    const int middle = party->turns / 2;
    qsort(party->seconds, (size_t)party->turns, sizeof party->seconds[0], compare);
    *least = party->seconds[0];
    *median = party->turns % 2 == 1 ? party->seconds[middle]
                                    : (party->seconds[middle - 1] + party->seconds[middle]) / 2;
    if (party->longer > party->shorter && party->shorter > 0)
        *least = fmin((party->longer - party->shorter) / (double)t->calls, *median);
}

void bench_sparse_tell(bench_sparse_trial *t, bench_sparse_row *row, double bytes, double flops)
{
    double median, least, roof, roof_least;
    bench_sparse_summary(t, &t->parties[SPARSE_GABLE], &median, &least);
    bench_sparse_summary(t, &t->parties[SPARSE_ROOF], &roof, &roof_least);
    row->what = *t->what;
    row->format = t->system.format;
    row->calls = t->calls;
    row->repeats = t->parties[SPARSE_GABLE].turns;
    row->usec = 1e6 * median;
    row->usec_min = 1e6 * least;
    row->gbs = 1e-9 * bytes / median;
    row->gflops = 1e-9 * flops / median;
    row->roof = bytes / ((double)t->roof.bytes / roof) / median;
    for (int i = SPARSE_PEERS; i < t->party_count; i++) {
        double peer_median, peer_least;
        if (t->parties[i].out)
            continue;
        bench_sparse_summary(t, &t->parties[i], &peer_median, &peer_least);
        row->vs[i - SPARSE_PEERS] = peer_median / median;
    }
    t->row(t->session->user, row);
}

/* ---- Parties ---- */

static const bench_sparse_peer *of_peer(const bench_peer *peer)
{
    return peer->kind->sparse;
}

static bool supports(const bench_peer *peer, const bench_sparse_case *what)
{
    return of_peer(peer) != NULL && of_peer(peer)->supports(peer, what);
}

static bool wants_csr(const bench_session *session, const bench_sparse_case *what)
{
    for (int i = 0; i < session->peer_count; i++)
        if (supports(&session->peers[i], what) && of_peer(&session->peers[i])->wants_csr)
            return true;
    return false;
}

/* Peers stand behind Gable and the roof, in the order of the session. */
static void add_peers(bench_sparse_trial *t)
{
    t->party_count = SPARSE_PEERS;
    for (int i = 0; i < t->session->peer_count; i++) {
        bench_sparse_party *party = &t->parties[t->party_count++];
        bench_peer *peer = &t->session->peers[i];
        party->peer = peer;
        party->out = !supports(peer, t->what);
        if (!party->out && of_peer(peer)->load(peer, &t->system, &t->why) != GABLE_OK)
            bench_sparse_drop(t, party, NULL);
    }
}

static void tear_down(bench_sparse_trial *t)
{
    for (int i = 0; i < t->party_count; i++) {
        bench_sparse_party *party = &t->parties[i];
        gable_timer_destroy(party->timer);
        gable_recording_destroy(party->recording);
        if (party->peer != NULL && supports(party->peer, t->what))
            of_peer(party->peer)->unload(party->peer);
    }
    gable_solver_destroy(t->solver);
    bench_roof_free(&t->flush);
    bench_roof_free(&t->roof);
    bench_sparse_system_free(&t->system);
}

gable_status bench_sparse_measure(bench_session *session, const bench_sparse_case *what,
                                  bench_sparse_teller row)
{
    bench_sparse_trial *t = calloc(1, sizeof *t);
    char name[160], line[1024];
    if (t == NULL)
        return gbl_fail(&session->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    t->session = session;
    t->what = what;
    t->row = row;
    bench_sparse_text(what, name, sizeof name);
    session->progress(session->user, name, 0);
    gable_status status =
        bench_sparse_system_make(&t->system, session->ctx, what, wants_csr(session, what));
    if (status == GABLE_NOT_SUPPORTED &&
        (what->format != GABLE_FORMAT_AUTO || what->op == BENCH_SPARSE_ORTHOGONALISE)) {
        snprintf(line, sizeof line, "%s is left out: %.700s", name, session->ctx->message.text);
        session->note(session->user, line);
        free(t);
        return GABLE_OK;
    }
    if (status == GABLE_OK) {
        add_peers(t);
        const bool solves = what->op != BENCH_SPARSE_MV && what->op != BENCH_SPARSE_ORTHOGONALISE;
        status = solves ? bench_sparse_iterations(t) : bench_sparse_products(t);
        /* What is freed must not hide why the measurement failed. */
        const gbl_message kept = session->ctx->message;
        tear_down(t);
        session->ctx->message = kept;
    }
    free(t);
    return status;
}
