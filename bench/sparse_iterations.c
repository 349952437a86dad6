/* sparse_iterations.c: turns of iterations of a solver.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "peers/sparse_peer.h"
#include "sparse_bench.h"
#include "sparse_reference.h"

#define FIRST_ITERATIONS 10 /* N1, but for gmres */
#define TURN_SECONDS     0.1
#define LEAST_ITERATIONS 10
#define MOST_ITERATIONS  2000
#define CHECKED          20 /* iterations of the solve that is checked */

static const char *const methods[BENCH_SPARSE_OPS] = {
    [BENCH_SPARSE_CG] = "cg", [BENCH_SPARSE_BICGSTAB] = "bicgstab", [BENCH_SPARSE_GMRES] = "gmres"};

/* Solves from x = 0 by so many iterations. */
static gable_status solve(bench_sparse_trial *t, int64_t iterations, double *seconds)
{
    gable_context *ctx = t->session->ctx;
    const bench_sparse_system *s = &t->system;
    char options[64];
    snprintf(options, sizeof options, "iterations=%lld", (long long)iterations);
    if (gable_solver_set(t->solver, options) != GABLE_OK)
        return GABLE_BAD_ARGUMENT;
    TRY(gable_fill_bytes(ctx, s->y[0], 0, (size_t)s->y_length * gbl_dtype_bytes(t->what->dtype)));
    TRY(gable_sync(ctx));
    const double start = bench_host_seconds();
    TRY(gable_solver_solve(t->solver, s->x[0], s->y[0], &t->info));
    *seconds = bench_host_seconds() - start;
    return GABLE_OK;
}

static gable_status make_solver(bench_sparse_trial *t)
{
    const bench_sparse_case *what = t->what;
    char options[256];
    TRY(gable_solver_create(t->session->ctx, t->system.A[0], &t->solver));
    snprintf(options, sizeof options, "method=%s,precond=%s,tolerance=0,format=%s%s%s,restart=%lld",
             methods[what->op], what->precond, what->format == GABLE_FORMAT_AUTO ? "auto" : "keep",
             what->op == BENCH_SPARSE_CG ? ",form=" : "",
             what->op == BENCH_SPARSE_CG ? what->form : "", (long long)what->restart);
    return gable_solver_set(t->solver, options);
}

/* N1 and N2: whole cycles of gmres, few enough that no solve ends early. */
static gable_status choose_iterations(bench_sparse_trial *t)
{
    const int64_t cycle = t->what->op == BENCH_SPARSE_GMRES ? t->what->restart : 1;
    double one, two;
    t->first = t->what->op == BENCH_SPARSE_GMRES ? cycle : FIRST_ITERATIONS;
    int64_t more = t->what->op == BENCH_SPARSE_GMRES ? cycle : 2 * FIRST_ITERATIONS;
    TRY(solve(t, t->first, &one)); /* compiles */
    TRY(solve(t, t->first, &one));
    TRY(solve(t, t->first + more, &two));
    const double each = fmax((two - one) / (double)more, 1e-7);
    more = (int64_t)fmin(fmax(TURN_SECONDS / each, LEAST_ITERATIONS), MOST_ITERATIONS);
    more = (more + cycle - 1) / cycle * cycle;
    for (;;) {
        TRY(solve(t, t->first + more, &two));
        if (t->info.iterations == t->first + more)
            break;
        /* It ended by itself: that many iterations are too many. */
        more = (t->info.iterations - t->first) / (2 * cycle) * cycle;
        if (more < 4 && more < cycle)
            return gbl_fail(&t->session->ctx->message, GABLE_NOT_SUPPORTED,
                            "a solve ends after %lld iterations, too few to time: %s",
                            (long long)t->info.iterations, t->info.text);
    }
    t->calls = more;
    return GABLE_OK;
}

/* The difference of two solves; what disturbs the shorter one can make it negative. */
static double difference(double longer, double shorter, int64_t iterations)
{
    return fmax(longer - shorter, 1e-9) / (double)iterations;
}

static gable_status one_turn(bench_sparse_trial *t, bench_sparse_party *party, double *seconds)
{
    gable_context *ctx = t->session->ctx;
    double shorter = 0, longer = 0;
    if (party == &t->parties[SPARSE_ROOF]) {
        TRY(bench_roof_run(&t->roof, 0)); /* warms up: an iteration follows another */
        TRY(gable_sync(ctx));
        TRY(gable_timer_start(party->timer));
        TRY(gable_replay(ctx, party->recording));
        TRY(gable_timer_stop(party->timer));
        TRY(gable_timer_seconds(party->timer, seconds));
        *seconds /= LEAST_ITERATIONS;
        return GABLE_OK;
    }
    if (party->peer != NULL) {
        const bench_sparse_peer *sparse = party->peer->kind->sparse;
        TRY(sparse->time(party->peer, t->first, &shorter, &t->why));
        TRY(sparse->time(party->peer, t->first + t->calls, &longer, &t->why));
    } else {
        TRY(solve(t, t->first, &shorter));
        TRY(solve(t, t->first + t->calls, &longer));
    }
    *seconds = difference(longer, shorter, t->calls);
    party->shorter = party->shorter > 0 ? fmin(party->shorter, shorter) : shorter;
    party->longer = party->longer > 0 ? fmin(party->longer, longer) : longer;
    return GABLE_OK;
}

/* A plain copy of as many bytes, several times in a row. */
static gable_status make_roof(bench_sparse_trial *t)
{
    gable_context *ctx = t->session->ctx;
    bench_sparse_party *party = &t->parties[SPARSE_ROOF];
    TRY(bench_roof_make(&t->roof, ctx, BENCH_ROOF_COPY, (size_t)t->info.bytes + 1, 1));
    TRY(bench_roof_tune(&t->roof));
    TRY(bench_roof_run(&t->roof, 0));
    TRY(gable_sync(ctx));
    TRY(gable_timer_create(ctx, &party->timer));
    TRY(gable_record_begin(ctx));
    for (int i = 0; i < LEAST_ITERATIONS; i++) {
        const gable_status status = bench_roof_run(&t->roof, 0);
        if (status != GABLE_OK) {
            gable_record_end(ctx, NULL);
            return status;
        }
    }
    return gable_record_end(ctx, &party->recording);
}

/* *wanted is the residual that peers should have. */
static gable_status check(bench_sparse_trial *t, int64_t iterations, double *wanted, double *error)
{
    const bool plain_known = t->what->op == BENCH_SPARSE_CG &&
                             strcmp(t->what->precond, "none") == 0 &&
                             !gbl_dtype_complex(t->what->dtype);
    double seconds, residual, plain = 0;
    TRY(solve(t, iterations, &seconds));
    TRY(bench_sparse_residual(&t->system, t->system.y[0], &residual));
    if (plain_known)
        TRY(bench_sparse_plain_cg(&t->system, iterations, &plain));
    *wanted = plain_known ? plain : residual;
    *error = bench_sparse_solve_error(t->what->dtype, residual, t->info.residual, plain);
    return GABLE_OK;
}

/* A peer has another residual after as many iterations: it does something else. */
static void check_peers(bench_sparse_trial *t, int64_t iterations, double wanted)
{
    gbl_message *message = &t->why;
    for (int i = SPARSE_PEERS; i < t->party_count; i++) {
        bench_sparse_party *party = &t->parties[i];
        double seconds, other = 0;
        char text[160];
        if (party->out)
            continue;
        const bench_sparse_peer *sparse = party->peer->kind->sparse;
        gable_status status = sparse->time(party->peer, iterations, &seconds, message);
        if (status == GABLE_OK)
            status = sparse->check(party->peer, &other, message);
        snprintf(text, sizeof text, "after %lld iterations its residual is %.6g, and must be %.6g",
                 (long long)iterations, other, wanted);
        if (status != GABLE_OK)
            bench_sparse_drop(t, party, NULL);
        else if (!(bench_sparse_peer_error(t->what->dtype, other, wanted) <= 1))
            bench_sparse_drop(t, party, text);
    }
}

/* The multiplications and additions of one iteration, in reals. */
static double flops_of(const bench_sparse_trial *t)
{
    const bench_sparse_matrix *m = t->what->matrix;
    const double entries = (double)m->entries, n = (double)m->rows;
    const double parts = gbl_dtype_complex(t->what->dtype) ? 4 : 1;
    switch (t->what->op) {
    case BENCH_SPARSE_BICGSTAB: /* two products, five dots, six updates */
        return parts * (4 * entries + 22 * n);
    case BENCH_SPARSE_GMRES: /* on average half of the restart's vectors, once each */
        return parts * (2 * entries + (2 * (double)(t->what->restart + 1) + 5) * n);
    default: /* a product, two dots, three updates */
        return parts * (2 * entries + 10 * n);
    }
}

/* Whether the method is meant for the matrix; else a note. */
static gable_status is_meant(bench_sparse_trial *t, bool *meant)
{
    gable_sparse_info info;
    char name[160], line[320];
    TRY(gable_sparse_describe(t->session->ctx, t->system.A[0], &info));
    const bool square = info.rows == info.columns;
    *meant = square && (t->what->op != BENCH_SPARSE_CG || info.hermitian);
    if (*meant)
        return GABLE_OK;
    bench_sparse_text(t->what, name, sizeof name);
    snprintf(line, sizeof line, "%s is left out: the matrix is not %s", name,
             !square                             ? "square"
             : gbl_dtype_complex(t->what->dtype) ? "Hermitian"
                                                 : "symmetric");
    t->session->note(t->session->user, line);
    return GABLE_OK;
}

gable_status bench_sparse_iterations(bench_sparse_trial *t)
{
    bench_sparse_row row = {.mode = "iteration"};
    bool whole, meant;
    double wanted = 0;
    TRY(is_meant(t, &meant));
    if (!meant)
        return GABLE_OK;
    TRY(make_solver(t));
    TRY(choose_iterations(t));
    TRY(make_roof(t));
    TRY(bench_sparse_turns(t, row.mode, one_turn, &whole));
    if (!whole)
        return GABLE_OK;
    const int64_t checked = t->first + t->calls < CHECKED ? t->first + t->calls : CHECKED;
    TRY(check(t, checked, &wanted, &row.error));
    check_peers(t, checked, wanted);
    t->system.format = t->info.format;
    snprintf(row.variant, sizeof row.variant, "%s", t->info.form);
    snprintf(row.precond, sizeof row.precond, "%s", t->info.precond);
    row.hot = t->info.bytes < (double)bench_cache_bytes(t->session->ctx);
    bench_sparse_tell(t, &row, t->info.bytes, flops_of(t));
    return GABLE_OK;
}
