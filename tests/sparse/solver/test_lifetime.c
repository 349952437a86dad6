/* test_lifetime.c: sparse matrices, solvers, recordings and contexts in the wrong order, and shared
 * by threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The wrong order is a status. Nothing here may read freed memory (the sanitizers look), and
 * nothing may be lost: contexts say what they still hold.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "harness/check.h"

enum { N = 400, ENTRIES = 3 * N - 2 };

/* ---- A system ---- */

/* Tridiagonal: -1, 4, `above`. */
static gable_sparse *tridiagonal(gable_context *ctx, double above)
{
    static int32_t start[N + 1], column[ENTRIES];
    static double value[ENTRIES];
    gable_sparse *A = NULL;
    int count = 0;
    for (int i = 0; i < N; i++) {
        start[i] = count;
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++) {
            column[count] = j;
            value[count++] = j < i ? -1 : j > i ? above : 4;
        }
    }
    start[N] = count;
    CHECK_OK(ctx, gable_sparse_dcsr(ctx, N, N, count, 32, start, column, value, 0, &A));
    return A;
}

/* x = 1, 2, 1, 2, ..., and room for a vector. */
static void vectors(gable_context *ctx, double **x, double **y)
{
    double host[N];
    for (int i = 0; i < N; i++)
        host[i] = 1 + i % 2;
    CHECK_OK(ctx, gable_alloc(ctx, sizeof host, (void **)x));
    CHECK_OK(ctx, gable_alloc(ctx, sizeof host, (void **)y));
    CHECK_OK(ctx, gable_set_vector(ctx, N, sizeof(double), host, 1, *x, 1));
    CHECK_OK(ctx, gable_fill_bytes(ctx, *y, 0, sizeof host));
}

static void free_both(gable_context *ctx, double *x, double *y)
{
    CHECK_OK(ctx, gable_free(ctx, x));
    CHECK_OK(ctx, gable_free(ctx, y));
}

/* ---- What a solver keeps ---- */

static const gbl_device_table *true_table;
static int pinned, pinned_alive, marks, marks_alive;

static gable_status count_pinned(gbl_device *device, size_t bytes, void **address,
                                 gbl_message *message)
{
    pinned++, pinned_alive++;
    return true_table->pinned_alloc(device, bytes, address, message);
}

static void count_pinned_free(gbl_device *device, void *address)
{
    pinned_alive--;
    true_table->pinned_free(device, address);
}

static gable_status count_mark(gbl_queue *queue, gbl_mark **mark, gbl_message *message)
{
    marks++, marks_alive++;
    return true_table->mark_create(queue, mark, message);
}

static void count_mark_destroy(gbl_mark *mark)
{
    marks_alive--;
    true_table->mark_destroy(mark);
}

/* Graphs that launch their steps one by one, where the device has none. */
typedef struct plain_graph {
    gbl_queue *queue;
    const gbl_step *steps;
    int64_t count;
} plain_graph;
static int graphs, graphs_alive;

static gable_status build_graph(gbl_queue *queue, const gbl_step *steps, int64_t count,
                                gbl_graph **graph, gbl_message *message)
{
    plain_graph *made = malloc(sizeof *made);
    if (made == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no memory for a graph");
    *made = (plain_graph){queue, steps, count};
    *graph = (gbl_graph *)(void *)made;
    graphs++, graphs_alive++;
    return GABLE_OK;
}

static gable_status run_graph(gbl_queue *queue, gbl_graph *graph, gbl_message *message)
{
    const plain_graph *made = (const plain_graph *)(const void *)graph;
    for (int64_t i = 0; i < made->count; i++) {
        const gbl_step *step = &made->steps[i];
        if (step->kind == GBL_STEP_LAUNCH)
            TRY(true_table->launch(queue, &step->as.launch, message));
        else if (step->kind == GBL_STEP_COPY)
            TRY(true_table->copy(queue, &step->as.copy, message));
        else if (step->kind == GBL_STEP_FILL)
            TRY(true_table->fill(queue, &step->as.fill, message));
        else
            TRY(true_table->task(queue, &step->as.task, message));
    }
    return GABLE_OK;
}

static void free_graph(gbl_graph *graph)
{
    graphs_alive--;
    free(graph);
}

/* Pinned memory and marks of the first solve serve the later ones, and go with the solver. On the
 * cpu there are none. */
static void kept(gable_context *ctx, const char *words, bool fused)
{
    const int records = fused && !ctx->device->props.is_host;
    gable_sparse *A = tridiagonal(ctx, -1);
    gable_solver *solver = NULL;
    gable_solve_info info;
    double *b, *x, *other;
    test_case("kept from solve to solve: %s", words);
    vectors(ctx, &b, &x);
    CHECK_OK(ctx, gable_alloc(ctx, N * sizeof(double), (void **)&other));
    CHECK_OK(ctx, gable_solver_create(ctx, A, &solver));
    CHECK_OK(ctx, gable_solver_set(solver, words));
    true_table = ctx->device->table;
    gbl_device_table counting = *true_table;
    counting.pinned_alloc = count_pinned;
    counting.pinned_free = count_pinned_free;
    counting.mark_create = count_mark;
    counting.mark_destroy = count_mark_destroy;
    if (!ctx->device->props.is_host) {
        counting.graph_build = build_graph;
        counting.graph_run = run_graph;
        counting.graph_free = free_graph;
    }
    ctx->device->table = &counting;
    graphs = graphs_alive = 0;
    pinned = pinned_alive = marks = marks_alive = 0;
    CHECK_OK(ctx, gable_solver_solve(solver, b, x, &info));
    const int first_pinned = pinned, first_marks = marks, first_alive = marks_alive;
    CHECK(ctx->device->props.is_host ? marks == 0 : first_pinned >= 2 && first_alive >= 2,
          "the first solve took %d pinned pieces and %d marks", pinned, marks);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(ctx, gable_fill_bytes(ctx, x, 0, N * sizeof(double)));
        CHECK_OK(ctx, gable_solver_solve(solver, b, x, &info));
        CHECK(info.outcome == GABLE_SOLVED, "solve %d: %s", i + 2, info.text);
    }
    CHECK(pinned == first_pinned && marks == first_marks && marks_alive == first_alive,
          "later solves took %d pinned pieces and %d marks", pinned - first_pinned,
          marks - first_marks);
    if (records > 0) {
        CHECK(graphs == 1 && graphs_alive == 1, "%d graphs were built, %d are kept", graphs,
              graphs_alive);
        CHECK_OK(ctx, gable_copy_bytes(ctx, other, b, N * sizeof(double)));
        CHECK_OK(ctx, gable_fill_bytes(ctx, b, 0, N * sizeof(double)));
        CHECK_OK(ctx, gable_solver_solve(solver, other, b, &info));
        CHECK(info.outcome == GABLE_SOLVED && graphs == 2 && graphs_alive == 1,
              "another x: %d graphs were built, %d are kept: %s", graphs, graphs_alive, info.text);
    }
    CHECK_OK(ctx, gable_solver_destroy(solver));
    CHECK(graphs_alive == 0, "%d graphs outlive the solver", graphs_alive);
    CHECK(marks_alive <= first_alive - (ctx->device->props.is_host ? 0 : 2) &&
              pinned_alive <= first_pinned - (ctx->device->props.is_host ? 0 : 2),
          "%d marks and %d pinned pieces outlive the solver", marks_alive, pinned_alive);
    ctx->device->table = true_table;
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));
    CHECK_OK(ctx, gable_free(ctx, other));
    free_both(ctx, b, x);
}

/* ---- Calls from inside a solve ---- */

typedef struct attempts {
    gable_context *ctx;
    gable_solver *solver;
    gable_sparse *A;
    double *b, *x;
    int made;
} attempts;

static gable_status no_change(void *user, gable_context *ctx, const void *x, void *y)
{
    (void)user;
    return gable_copy_bytes(ctx, y, x, N * sizeof(double));
}

static int no_monitor(void *user, int64_t iteration, double residual)
{
    (void)user, (void)iteration, (void)residual;
    return 0;
}

/* All that would change the running solver, or take away what it uses. */
static void attempt(attempts *a)
{
    gable_context *ctx = a->ctx;
    gable_solve_info info;
    if (a->made++ > 0)
        return;
    CHECK_REFUSED(ctx, gable_solver_set(a->solver, "method=gmres,precond=none,format=coo"),
                  GABLE_BAD_ARGUMENT, "gable_solver_set", "argument 1 (solver)", "is solving");
    CHECK_REFUSED(ctx, gable_solver_precondition(a->solver, NULL, NULL), GABLE_BAD_ARGUMENT,
                  "gable_solver_precondition", "is solving");
    CHECK_REFUSED(ctx, gable_solver_precondition(a->solver, no_change, NULL), GABLE_BAD_ARGUMENT,
                  "gable_solver_precondition", "is solving");
    CHECK_REFUSED(ctx, gable_solver_monitor(a->solver, no_monitor, NULL), GABLE_BAD_ARGUMENT,
                  "gable_solver_monitor", "is solving");
    CHECK_REFUSED(ctx, gable_solver_solve(a->solver, a->b, a->x, &info), GABLE_BAD_ARGUMENT,
                  "gable_solver_solve", "is solving");
    CHECK_REFUSED(ctx, gable_solver_destroy(a->solver), GABLE_BAD_ARGUMENT, "gable_solver_destroy",
                  "is solving");
    if (a->A != NULL)
        CHECK_REFUSED(ctx, gable_sparse_destroy(ctx, a->A), GABLE_BAD_ARGUMENT,
                      "gable_sparse_destroy", "argument 2 (A)", "1 solver;");
    gable_close(ctx);
    CHECK(strstr(gable_message(ctx), "gable_close: a solver of the context is solving") != NULL,
          "gable_close inside of a solve says: %s", gable_message(ctx));
    CHECK_OK(ctx, gable_record_begin(ctx)); /* left open */
}

static int attempt_in_monitor(void *user, int64_t iteration, double residual)
{
    (void)iteration, (void)residual;
    attempt(user);
    return 0;
}

static gable_status attempt_in_precondition(void *user, gable_context *ctx, const void *x, void *y)
{
    TRY(no_change(NULL, ctx, x, y));
    attempts *a = user;
    if (a->made == 0) {
        attempt(a);
        CHECK_OK(ctx, gable_record_end(ctx, NULL));
    }
    return GABLE_OK;
}

static void inside(gable_context *ctx, const char *words)
{
    double *b, *x;
    gable_solve_info plain, info;
    attempts a = {.ctx = ctx, .A = tridiagonal(ctx, -1)};
    vectors(ctx, &b, &x);
    a.b = b;
    a.x = x;
    test_case("calls from a monitor, %s", words);
    CHECK_OK(ctx, gable_solver_create(ctx, a.A, &a.solver));
    CHECK_OK(ctx, gable_solver_set(a.solver, words));
    CHECK_OK(ctx, gable_solver_solve(a.solver, b, x, &plain));
    CHECK_OK(ctx, gable_fill_bytes(ctx, x, 0, N * sizeof *x));
    CHECK_OK(ctx, gable_solver_monitor(a.solver, attempt_in_monitor, &a));
    CHECK_OK(ctx, gable_solver_solve(a.solver, b, x, &info));
    CHECK(a.made == info.iterations && info.outcome == GABLE_SOLVED &&
              info.iterations == plain.iterations && info.residual == plain.residual,
          "%d calls, %lld iterations to %g; without them %lld to %g: %s", a.made,
          (long long)info.iterations, info.residual, (long long)plain.iterations, plain.residual,
          info.text);

    test_case("calls from a preconditioner, %s", words);
    a.made = 0;
    CHECK_OK(ctx, gable_solver_monitor(a.solver, NULL, NULL));
    CHECK_OK(ctx, gable_solver_precondition(a.solver, attempt_in_precondition, &a));
    CHECK_OK(ctx, gable_fill_bytes(ctx, x, 0, N * sizeof *x));
    CHECK_OK(ctx, gable_solver_set(a.solver, "form=auto"));
    CHECK_OK(ctx, gable_solver_solve(a.solver, b, x, &info));
    CHECK(a.made > 0 && info.outcome == GABLE_SOLVED, "%d calls: %s", a.made, info.text);

    /* Behind the solve all of it is legal again. */
    CHECK_OK(ctx, gable_solver_set(a.solver, "precond=jacobi"));
    CHECK_OK(ctx, gable_solver_destroy(a.solver));
    CHECK_OK(ctx, gable_sparse_destroy(ctx, a.A));
    free_both(ctx, b, x);
}

/* ---- Functions of the caller's that fail ---- */

static gable_status refuse(void *user, gable_context *ctx, const void *x, void *y)
{
    (void)ctx, (void)x, (void)y;
    return *(const gable_status *)user;
}

/* A call inside it fails, and it says so. */
static gable_status fail_inside(void *user, gable_context *ctx, const void *x, void *y)
{
    (void)user;
    return gable_dcopy(ctx, -5, x, 1, y, 1);
}

static gable_status leave_recording(void *user, gable_context *ctx, const void *x, void *y)
{
    (void)user, (void)x, (void)y;
    return gable_record_begin(ctx);
}

static void failing(gable_context *ctx, const char *method)
{
    double *b, *x;
    char words[64];
    gable_solver *solver = NULL;
    gable_status gives = GABLE_NOT_SUPPORTED;
    vectors(ctx, &b, &x);
    snprintf(words, sizeof words, "method=%s", method);
    test_case("operators that fail, %s", words);
    CHECK_OK(ctx, gable_solver_create_operator(ctx, 'd', N, refuse, &gives, &solver));
    CHECK_OK(ctx, gable_solver_set(solver, words));
    CHECK_REFUSED(ctx, gable_solver_solve(solver, b, x, NULL), GABLE_NOT_SUPPORTED,
                  "gable_solver_solve", method, "operator", "GABLE_NOT_SUPPORTED",
                  "cannot do that");
    CHECK_OK(ctx, gable_solver_destroy(solver));

    CHECK_OK(ctx, gable_solver_create_operator(ctx, 'd', N, fail_inside, NULL, &solver));
    CHECK_OK(ctx, gable_solver_set(solver, words));
    CHECK_REFUSED(ctx, gable_solver_solve(solver, b, x, NULL), GABLE_BAD_ARGUMENT,
                  "gable_solver_solve", method, "operator", "GABLE_BAD_ARGUMENT",
                  "gable_dcopy: argument 2 (n)", "-5");
    CHECK_OK(ctx, gable_solver_destroy(solver));

    CHECK_OK(ctx, gable_solver_create_operator(ctx, 'd', N, leave_recording, NULL, &solver));
    CHECK_OK(ctx, gable_solver_set(solver, words));
    CHECK_REFUSED(ctx, gable_solver_solve(solver, b, x, NULL), GABLE_NOT_RECORDABLE,
                  "gable_solver_solve", method, "operator", "recording");
    CHECK_OK(ctx, gable_solver_destroy(solver));

    CHECK_OK(ctx, gable_solver_create_operator(ctx, 'd', N, no_change, NULL, &solver));
    CHECK_OK(ctx, gable_solver_set(solver, words));
    CHECK_OK(ctx, gable_solver_precondition(solver, refuse, &gives));
    CHECK_REFUSED(ctx, gable_solver_solve(solver, b, x, NULL), GABLE_NOT_SUPPORTED,
                  "gable_solver_solve", method, "preconditioner", "GABLE_NOT_SUPPORTED");
    CHECK_OK(ctx, gable_solver_destroy(solver));
    free_both(ctx, b, x);
}

/* ---- Destroyed before what uses it ---- */

static void destroyed(gable_context *ctx)
{
    double *x, *y;
    gable_solver *first = NULL, *second = NULL;
    gable_sparse *A = tridiagonal(ctx, -1), *B = NULL;
    gable_sparse_info about;
    gable_solve_info info;
    vectors(ctx, &x, &y);
    test_case("a matrix that solvers use");
    CHECK_OK(ctx, gable_solver_create(ctx, A, &first));
    CHECK_OK(ctx, gable_solver_create(ctx, A, &second));
    CHECK_REFUSED(ctx, gable_sparse_destroy(ctx, A), GABLE_BAD_ARGUMENT, "gable_sparse_destroy",
                  "argument 2 (A)", "2 solvers");
    CHECK_OK(ctx, gable_solver_solve(first, x, y, &info));
    CHECK(info.outcome == GABLE_SOLVED, "%s", info.text);
    CHECK_OK(ctx, gable_solver_destroy(first));
    CHECK_STATUS(NULL, gable_solver_destroy(first), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_solver_solve(first, x, y, &info), GABLE_BAD_ARGUMENT);
    CHECK_REFUSED(ctx, gable_sparse_destroy(ctx, A), GABLE_BAD_ARGUMENT, "gable_sparse_destroy",
                  "1 solver;");
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_REFUSED(ctx, gable_solver_destroy(second), GABLE_NOT_RECORDABLE, "gable_solver_destroy",
                  "recording");
    CHECK_OK(ctx, gable_record_end(ctx, NULL));
    CHECK_OK(ctx, gable_solver_destroy(second));
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A));

    test_case("a matrix that was destroyed");
    CHECK_REFUSED(ctx, gable_sparse_destroy(ctx, A), GABLE_BAD_ARGUMENT, "gable_sparse_destroy",
                  "argument 2 (A)", "destroyed");
    CHECK_REFUSED(ctx, gable_sparse_dmv(ctx, GABLE_NO_TRANS, 1, A, x, 0, y), GABLE_BAD_ARGUMENT,
                  "gable_sparse_dmv", "argument 4 (A)", "destroyed");
    CHECK_REFUSED(ctx, gable_sparse_describe(ctx, A, &about), GABLE_BAD_ARGUMENT,
                  "gable_sparse_describe", "argument 2 (A)", "destroyed");
    CHECK_REFUSED(ctx, gable_sparse_convert(ctx, A, GABLE_ELL, 0, 0, &B), GABLE_BAD_ARGUMENT,
                  "gable_sparse_convert", "argument 2 (A)", "destroyed");
    CHECK_REFUSED(ctx, gable_solver_create(ctx, A, &first), GABLE_BAD_ARGUMENT,
                  "gable_solver_create", "argument 2 (A)", "destroyed");
    free_both(ctx, x, y);
}

static void closed(void)
{
    double *x, *y;
    gable_context *ctx = test_open(), *other = test_open();
    gable_solver *solver = NULL, *unused = NULL, *elsewhere = NULL;
    gable_solve_info info;
    test_case("a context that closes before its solvers and matrices");
    gable_sparse *A = tridiagonal(ctx, -1);
    vectors(other, &x, &y);
    CHECK_OK(ctx, gable_solver_create(ctx, A, &solver));
    CHECK_OK(ctx, gable_solver_create(ctx, A, &unused));
    CHECK_OK(other, gable_solver_create(other, A, &elsewhere));
    CHECK_OK(ctx, gable_solver_set(solver, "format=ell,precond=jacobi"));
    CHECK_OK(ctx, gable_solver_solve(solver, x, y, &info));
    CHECK_OK(ctx, gable_record_begin(ctx)); /* and in the middle of a recording */
    gable_close(ctx);
    gable_close(ctx);
    CHECK_STATUS(NULL, gable_sparse_destroy(ctx, A), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_solver_set(solver, "method=cg"), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_solver_monitor(solver, no_monitor, NULL), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_solver_precondition(solver, NULL, NULL), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_solver_solve(solver, x, y, &info), GABLE_BAD_ARGUMENT);
    CHECK_STATUS(NULL, gable_solver_destroy(solver), GABLE_OK);
    CHECK_STATUS(NULL, gable_solver_destroy(solver), GABLE_BAD_ARGUMENT);

    /* The matrix lives on; solvers of the closed context no longer keep it. */
    CHECK_OK(other, gable_sparse_dmv(other, GABLE_TRANS, 1, A, x, 0, y));
    CHECK_REFUSED(other, gable_sparse_destroy(other, A), GABLE_BAD_ARGUMENT, "gable_sparse_destroy",
                  "1 solver;");
    CHECK_OK(other, gable_solver_destroy(elsewhere));
    CHECK_OK(other, gable_sparse_destroy(other, A));
    CHECK_STATUS(NULL, gable_solver_destroy(unused), GABLE_OK);
    free_both(other, x, y);
    gable_close(other);
}

/* ---- Recordings ---- */

/* One that uses A, destroyed by another context of the device. */
static void stale(const char *debug, gable_trans trans, gable_format format)
{
    double *x, *y;
    gable_recording *recording = NULL, *plain = NULL;
    setenv("GABLE_DEBUG", debug, 1);
    gable_context *ctx = test_open(), *other = test_open();
    unsetenv("GABLE_DEBUG");
    test_case("a replay behind gable_sparse_destroy, GABLE_DEBUG=%s, %s, format %d", debug,
              trans == GABLE_TRANS ? "transposed" : "as it is", (int)format);
    gable_sparse *A = tridiagonal(ctx, 2), *B = NULL;
    CHECK_OK(ctx, gable_sparse_convert(ctx, A, format, 0, 0, &B));
    vectors(ctx, &x, &y);
    if (trans == GABLE_TRANS)
        CHECK_OK(ctx, gable_sparse_dmv(ctx, trans, 1, B, x, 0, y)); /* makes the transpose */
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_sparse_dmv(ctx, trans, 1, B, x, 0, y));
    CHECK_OK(ctx, gable_record_end(ctx, &recording));
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK_OK(ctx, gable_dscal(ctx, N, 2, y, 1));
    CHECK_OK(ctx, gable_record_end(ctx, &plain));
    CHECK_OK(ctx, gable_sparse_destroy(ctx, A)); /* not this one */
    CHECK_OK(ctx, gable_replay(ctx, recording));
    CHECK_OK(ctx, gable_sync(ctx));
    CHECK_OK(other, gable_sparse_destroy(other, B));
    for (int i = 0; i < 2; i++)
        CHECK_REFUSED(ctx, gable_replay(ctx, recording), GABLE_BAD_ARGUMENT, "gable_replay",
                      "argument 2 (recording)", "sparse matrix", "gable_sparse_destroy");
    CHECK_OK(ctx, gable_replay(ctx, plain));
    gable_recording_destroy(recording);
    CHECK_REFUSED(ctx, gable_replay(ctx, recording), GABLE_BAD_ARGUMENT, "gable_replay",
                  "argument 2 (recording)", "destroyed");
    gable_recording_destroy(recording); /* nothing happens */
    free_both(ctx, x, y);
    gable_close(ctx); /* `plain` goes with it */
    CHECK_REFUSED(other, gable_replay(other, plain), GABLE_BAD_ARGUMENT, "gable_replay",
                  "argument 2 (recording)", "context closed");
    gable_recording_destroy(plain);
    gable_close(other);
}

/* ---- Threads ---- */

enum { THREADS = 4, ROUNDS = 6 };

typedef struct share {
    pthread_t thread;
    gable_context *ctx;
    gable_sparse *A;
    pthread_barrier_t *all;
    double *x, *y, y_host[N];
    gable_sparse_info about;
    gable_solve_info info;
    gable_status status[4];
} share;

static void *use(void *given)
{
    share *s = given;
    pthread_barrier_wait(s->all);
    s->status[0] = gable_sparse_dmv(s->ctx, GABLE_TRANS, 1, s->A, s->x, 0, s->y);
    if (s->status[0] == GABLE_OK)
        s->status[0] = gable_get_vector(s->ctx, N, sizeof(double), s->y, 1, s->y_host, 1);
    gable_format format;
    s->status[3] = gable_sparse_choose(s->ctx, s->A, &format, NULL, 0);
    s->status[1] = gable_sparse_describe(s->ctx, s->A, &s->about);
    s->status[2] = gable_sparse_solve(s->ctx, s->A, s->x, s->y, NULL, &s->info);
    return NULL;
}

/* The first who ask for a transpose, for lengths of rows and for statistics do it all at once: one
 * of each is made. */
static void threads(void)
{
    static share shares[THREADS];
    gable_context *contexts[THREADS];
    pthread_barrier_t all;
    test_case("%d threads share a matrix", THREADS);
    for (int i = 0; i < THREADS; i++)
        contexts[i] = test_open();
    for (int round = 0; round < ROUNDS; round++) {
        gable_sparse *A = tridiagonal(contexts[0], 2);
        CHECK(pthread_barrier_init(&all, NULL, THREADS) == 0, "no barrier");
        for (int i = 0; i < THREADS; i++) {
            shares[i] = (share){.ctx = contexts[i], .A = A, .all = &all};
            vectors(contexts[i], &shares[i].x, &shares[i].y);
            CHECK_OK(contexts[i], gable_sync(contexts[i]));
        }
        for (int i = 0; i < THREADS; i++)
            CHECK(pthread_create(&shares[i].thread, NULL, use, &shares[i]) == 0, "no thread %d", i);
        for (int i = 0; i < THREADS; i++)
            pthread_join(shares[i].thread, NULL);
        pthread_barrier_destroy(&all);
        for (int i = 0; i < THREADS; i++) {
            const share *s = &shares[i];
            for (int k = 0; k < 4; k++)
                CHECK(s->status[k] == GABLE_OK, "thread %d, call %d: %s", i, k,
                      gable_message(s->ctx));
            /* A^T: 2 below the diagonal, -1 above; x = 1, 2, 1, 2, ... */
            CHECK(s->y_host[0] == 4 - 2 && s->y_host[1] == 2 + 8 - 1,
                  "thread %d: the product starts with %g, %g", i, s->y_host[0], s->y_host[1]);
            CHECK(s->about.entries == ENTRIES && s->about.bandwidth == 1 && !s->about.symmetric &&
                      s->about.longest == 3,
                  "thread %d: statistics of another matrix", i);
            CHECK(s->info.outcome == GABLE_SOLVED, "thread %d: %s", i, s->info.text);
        }
        CHECK_OK(contexts[1], gable_sparse_destroy(contexts[1], A));
        for (int i = 0; i < THREADS; i++)
            free_both(contexts[i], shares[i].x, shares[i].y);
    }
    for (int i = 0; i < THREADS; i++) {
        gable_workspace_info held = {.allocated = 1};
        CHECK_OK(contexts[i], gable_workspace(contexts[i], &held));
        CHECK(held.allocated == 0, "%llu bytes of context %d were lost",
              (unsigned long long)held.allocated, i);
        gable_close(contexts[i]);
    }
}

int main(void)
{
    unsetenv("GABLE_DEBUG");
    test_start("test_lifetime");
    gable_context *ctx = test_open();
    inside(ctx, "method=cg");
    inside(ctx, "method=cg,form=standard");
    inside(ctx, "method=bicgstab");
    inside(ctx, "method=gmres");
    kept(ctx, "method=cg,form=pipelined,batch=2", true);
    kept(ctx, "method=bicgstab,batch=2", true);
    kept(ctx, "method=cg,form=standard,batch=2", false);
    kept(ctx, "method=gmres", false);
    failing(ctx, "cg");
    failing(ctx, "bicgstab");
    failing(ctx, "gmres");
    destroyed(ctx);
    gable_close(ctx);
    closed();
    for (int i = 0; i < 2; i++) {
        const char *debug = i == 0 ? "" : "check";
        stale(debug, GABLE_NO_TRANS, GABLE_CSR);
        stale(debug, GABLE_TRANS, GABLE_CSR);
        stale(debug, GABLE_NO_TRANS, GABLE_SELL);
    }
    threads();
    return test_finish();
}
