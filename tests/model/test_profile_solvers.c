/* test_profile_solvers.c: profiles of sparse matrices and solvers: what is no op has its row, and
 * the rows account for the time.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness/check.h"
#include "model/profile_test.h"

enum { SIDE = 120, N = SIDE * SIDE };

static double inside; /* seconds in Gable's calls, by this program's clock */

/* A call that is timed and must be good. */
#define TIMED(ctx, call)                                                                           \
    do {                                                                                           \
        const double from_ = seconds_now();                                                        \
        const gable_status status_ = (call);                                                       \
        inside += seconds_now() - from_;                                                           \
        CHECK_OK(ctx, status_);                                                                    \
    } while (0)

static void spend(double seconds)
{
    for (const double end = seconds_now() + seconds; seconds_now() < end;)
        ;
}

/* ---- What the table says ---- */

/* The closing line. */
typedef struct account {
    double all, calls, user, outside;
} account;

static double number_before(const char *line, const char *words)
{
    const char *at = strstr(line, words);
    if (at == NULL)
        return -1;
    while (at > line && (at[-1] == ' ' || at[-1] == 's'))
        at--;
    while (at > line && strchr("0123456789.", at[-1]) != NULL)
        at--;
    return strtod(at, NULL);
}

static account read_account(void)
{
    account read = {-1, -1, -1, -1};
    const char *line = strstr(table, "In all ");
    CHECK(line != NULL, "no line says where the time went:\n%s", table);
    if (line == NULL)
        return read;
    read.all = strtod(line + strlen("In all "), NULL);
    const char *calls = strstr(line, "clock: ");
    read.calls = calls != NULL ? strtod(calls + strlen("clock: "), NULL) : -1;
    read.user = number_before(line, "in functions of the program's");
    const char *outside = strstr(line, " %) outside");
    while (outside != NULL && outside > line && *outside != '(')
        outside--;
    read.outside = outside != NULL ? number_before(line, outside) : -1;
    return read;
}

/* All rows, of whatever label: the sum of what they have for themselves, in seconds. */
static double sum_of_rows(int *rows)
{
    double sum = 0;
    *rows = 0;
    for (const char *line = table; line != NULL && *line != '\0';) {
        char text[512];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        for (const char *word = text; *word != '\0'; word++) {
            long long calls;
            double inclusive, exclusive;
            if (word == text || word[-1] != ' ' ||
                sscanf(word, "%lld %lf %lf", &calls, &inclusive, &exclusive) != 3)
                continue;
            sum += 1e-3 * exclusive;
            ++*rows;
            break;
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return sum;
}

/* A row with work: its bytes in the trace, a rate that goes with them, a percent of the roof. */
static void check_work(const char *label, int64_t calls, double bytes)
{
    const table_row row = row_of(label);
    const trace_sum sum = sum_of(label);
    CHECK(row.calls == calls && sum.events == calls, "%s: %lld calls, %lld events, not %lld", label,
          row.calls, (long long)sum.events, (long long)calls);
    CHECK(row.gbs > 0 && row.roof >= 0 && row.limiter[0] != '-', "%s has no rate or no roof:\n%s",
          label, table);
    const double rate = 1e-6 * sum.bytes / row.inclusive;
    CHECK(row.gbs > 0.94 * rate - 0.01 && row.gbs < 1.06 * rate + 0.01,
          "%s: %g GB/s in the table, %g by its bytes and time", label, row.gbs, rate);
    if (bytes > 0)
        CHECK(fabs(sum.bytes - bytes) <= 1e-6 * bytes, "%s: %.0f bytes, not %.0f", label, sum.bytes,
              bytes);
}

/* ---- A program ---- */

static void write_laplacian(const char *path)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL, "no file %s", path);
    if (file == NULL)
        return;
    fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", N, N,
            3 * N - 2 * SIDE);
    for (int i = 0; i < N; i++) {
        fprintf(file, "%d %d %d\n", i + 1, i + 1, 4 + i % 3);
        if (i % SIDE > 0)
            fprintf(file, "%d %d -1\n", i + 1, i);
        if (i >= SIDE)
            fprintf(file, "%d %d -1\n", i + 1, i + 1 - SIDE);
    }
    CHECK(fclose(file) == 0, "%s is not written", path);
}

static double in_user; /* seconds in functions that solvers call */

static int watch(void *user, int64_t iteration, double residual)
{
    (void)user, (void)iteration, (void)residual;
    spend(1e-3);
    in_user += 1e-3;
    return 0;
}

/* y := 3 x, and time of its own. */
static gable_status three(void *user, gable_context *ctx, const void *x, void *y)
{
    (void)user;
    spend(2e-3);
    in_user += 2e-3;
    TRY(gable_dcopy(ctx, N, x, 1, y, 1));
    return gable_dscal(ctx, N, 3, y, 1);
}

typedef struct program {
    gable_context *ctx;
    double *b, *x;
    double bytes[3]; /* of all iterations, by method */
    int64_t solves;
} program;

static void solve(program *p, gable_sparse *A, const char *words, double *bytes)
{
    gable_solver *solver = NULL;
    gable_solve_info info = {.iterations = 0};
    TIMED(p->ctx, gable_fill_bytes(p->ctx, p->x, 0, N * sizeof *p->x));
    TIMED(p->ctx, gable_solver_create(p->ctx, A, &solver));
    TIMED(p->ctx, gable_solver_set(solver, words));
    TIMED(p->ctx, gable_solver_solve(solver, p->b, p->x, &info));
    TIMED(p->ctx, gable_solver_destroy(solver));
    CHECK(info.outcome == GABLE_SOLVED && info.replacements == 0, "%s: %s", words, info.text);
    *bytes += (double)info.iterations * info.bytes;
    p->solves++;
}

/* Reads, converts, multiplies, solves; the program has time of its own between. */
static void run_program(program *p, const char *path, const char *copy)
{
    gable_context *ctx = p->ctx;
    gable_sparse *A = NULL, *B = NULL;
    gable_sparse_info about;
    TIMED(ctx, gable_alloc(ctx, N * sizeof(double), (void **)&p->b));
    TIMED(ctx, gable_alloc(ctx, N * sizeof(double), (void **)&p->x));
    TIMED(ctx, gable_dfill(ctx, N, 1, p->b, 1));
    TIMED(ctx, gable_sparse_read(ctx, path, 'd', &A));
    spend(0.02);
    TIMED(ctx, gable_sparse_describe(ctx, A, &about));
    TIMED(ctx, gable_sparse_convert(ctx, A, GABLE_ELL, 0, 0, &B));
    TIMED(ctx, gable_sparse_dmv(ctx, GABLE_TRANS, 1, B, p->b, 0, p->x));
    solve(p, A, "method=cg,precond=jacobi,format=keep,tolerance=1e-6", &p->bytes[0]);
    solve(p, B, "method=bicgstab,precond=none,format=csr,tolerance=1e-6", &p->bytes[1]);
    solve(p, A, "method=gmres,precond=block,format=keep,tolerance=1e-6", &p->bytes[2]);
    TIMED(ctx, gable_sparse_write(ctx, A, copy));
    TIMED(ctx, gable_sync(ctx));
    TIMED(ctx, gable_sparse_destroy(ctx, B));
    TIMED(ctx, gable_sparse_destroy(ctx, A));
}

static void run_operator(program *p)
{
    gable_solver *solver = NULL;
    gable_solve_info info;
    TIMED(p->ctx, gable_fill_bytes(p->ctx, p->x, 0, N * sizeof *p->x));
    TIMED(p->ctx, gable_solver_create_operator(p->ctx, 'd', N, three, NULL, &solver));
    TIMED(p->ctx, gable_solver_set(solver, "method=cg"));
    TIMED(p->ctx, gable_solver_monitor(solver, watch, NULL));
    TIMED(p->ctx, gable_solver_solve(solver, p->b, p->x, &info));
    TIMED(p->ctx, gable_solver_destroy(solver));
    CHECK(info.outcome == GABLE_SOLVED, "%s", info.text);
}

/* The rows have at least 95 % of the time that this program saw in its calls, and no more than
 * it. */
static void check_account(bool times, double wall)
{
    int rows;
    const account a = read_account();
    const double sum = sum_of_rows(&rows);
    CHECK(rows > 3, "%d rows are found:\n%s", rows, table);
    CHECK(a.calls >= 0.95 * inside && a.calls <= 1.001 * inside + 1e-3,
          "%g s in calls by the table, %g by the clock around them:\n%s", a.calls, inside, table);
    CHECK(a.all >= a.calls && a.all <= wall + 1e-3, "%g s in all, %g by the clock", a.all, wall);
    CHECK(fabs(a.all - a.calls - a.outside) < 2e-3, "%g s are %g in calls and %g outside", a.all,
          a.calls, a.outside);
    if (!times) /* each row is rounded to a microsecond */
        CHECK(fabs(sum - a.calls) < 0.002 * a.calls + 1e-6 * rows + 1e-3,
              "the rows add up to %g s, the calls took %g:\n%s", sum, a.calls, table);
}

static void free_both(program *p)
{
    TIMED(p->ctx, gable_free(p->ctx, p->b));
    TIMED(p->ctx, gable_free(p->ctx, p->x));
}

/* Another process may take the processor between a clock of this program and its call: then it is
 * tried again, three times in all. */
static bool is_whole(int attempt)
{
    return attempt == 2 || read_account().calls >= 0.95 * inside;
}

static void account_of(gable_context *ctx, bool times)
{
    char path[SCRATCH_BYTES + 32], copy[SCRATCH_BYTES + 32];
    program p = {.ctx = ctx};
    test_case("a program that solves%s", times ? ", device times" : "");
    snprintf(path, sizeof path, "%s/laplacian.mtx", folder);
    snprintf(copy, sizeof copy, "%s/copy.mtx", folder);
    write_laplacian(path);
    double wall = 0;
    for (int attempt = 0; attempt < 3; attempt++) {
        p = (program){.ctx = ctx};
        inside = in_user = 0;
        const double from = seconds_now();
        profile_start(ctx, times);
        run_program(&p, path, copy);
        spend(0.03);
        profile_stop(ctx);
        wall = seconds_now() - from;
        if (is_whole(attempt))
            break;
        free_both(&p);
    }
    check_account(times, wall);
    CHECK(read_account().outside >= 0.05, "0.05 s of the program's own are %g",
          read_account().outside);

    check_work("dcg", 1, p.bytes[0]);
    check_work("dbicgstab", 1, p.bytes[1]);
    check_work("dgmres", 1, p.bytes[2]);
    check_work("sparse_read", 1, 0);
    check_work("sparse_write", 1, 0);
    check_work("sparse_statistics", 1, 0);
    check_work("sparse_convert", 2, 0); /* and one that BiCGStab asked for */
    check_work("sparse_transpose", 1, 0);
    check_work("djacobi_inverse", 1, 0);
    check_work("dblock_inverse", 1, 0);
    CHECK(row_of("solver_solve").calls == 3, "not three solves:\n%s", table);
    CHECK(row_of("dcg").gflops > 0, "CG has no flops:\n%s", table);
    /* What is inside of a solve is not the solve's own. */
    const table_row all = row_of("solver_solve");
    CHECK(all.exclusive <= all.inclusive - row_of("dcg").inclusive, "dcg is not inside:\n%s",
          table);

    test_case("functions of the program's%s", times ? ", device times" : "");
    for (int attempt = 0; attempt < 3; attempt++) {
        inside = in_user = 0;
        const double from = seconds_now();
        profile_start(ctx, times);
        run_operator(&p);
        profile_stop(ctx);
        wall = seconds_now() - from;
        if (is_whole(attempt))
            break;
    }
    check_account(times, wall);
    CHECK(read_account().user >= 0.9 * in_user && read_account().user <= inside,
          "%g s of %g in functions of the program's", read_account().user, in_user);
    CHECK(row_of("monitor").calls > 0 && row_of("operator").calls > 0, "no rows of them:\n%s",
          table);
    CHECK(times || row_of("operator").inclusive >= 2 * (double)row_of("operator").calls,
          "operators took 2 ms each:\n%s", table);
    free_both(&p);
}

/* A context that opens and closes within a profile is none of the program's own time. */
static void opening(gable_context *ctx)
{
    test_case("contexts that open and close");
    for (int attempt = 0; attempt < 3; attempt++) {
        double *x = NULL;
        profile_start(ctx, false);
        CHECK_OK(ctx, gable_alloc(ctx, N * sizeof *x, (void **)&x));
        const double from = seconds_now();
        for (int i = 0; i < 20; i++)
            gable_close(test_open());
        inside = seconds_now() - from;
        CHECK_OK(ctx, gable_free(ctx, x));
        profile_stop(ctx);
        const char *line = strstr(table, " opening and closing contexts");
        const char *start = line;
        while (start != NULL && start > table && start[-1] != ';')
            start--;
        const double told = line != NULL ? strtod(start, NULL) : -1;
        if (told < 0.9 * inside - 2e-3 && attempt < 2)
            continue;
        CHECK(told >= 0.9 * inside - 2e-3 && told <= inside + 1e-3,
              "%g s of opening and closing, %g by the clock:\n%s", told, inside, table);
        break;
    }
}

/* ---- Threads ---- */

static void *one_program(void *given)
{
    program *p = given;
    double *x = p->x;
    for (int i = 0; i < 200; i++)
        p->solves += gable_dscal(p->ctx, N, 1, x, 1) == GABLE_OK;
    p->solves += gable_sync(p->ctx) == GABLE_OK;
    return NULL;
}

/* Calls at the same time are time once. */
static void threads(void)
{
    enum { THREADS = 3 };
    program p[THREADS];
    pthread_t thread[THREADS];
    test_case("calls at the same time");
    for (int i = 0; i < THREADS; i++) {
        p[i] = (program){.ctx = test_open()};
        CHECK_OK(p[i].ctx, gable_alloc(p[i].ctx, N * sizeof(double), (void **)&p[i].x));
        CHECK_OK(p[i].ctx, gable_dfill(p[i].ctx, N, 1, p[i].x, 1));
    }
    profile_start(p[0].ctx, false);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&thread[i], NULL, one_program, &p[i]) == 0, "no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    profile_stop(p[0].ctx);
    const account a = read_account();
    CHECK(a.calls > 0 && a.calls <= a.all, "%g s in calls of %g", a.calls, a.all);
    CHECK(row_of("dscal").calls == THREADS * 200, "%lld calls", row_of("dscal").calls);
    for (int i = 0; i < THREADS; i++) {
        CHECK(p[i].solves == 201, "calls of thread %d failed", i);
        CHECK_OK(p[i].ctx, gable_free(p[i].ctx, p[i].x));
        gable_close(p[i].ctx);
    }
}

int main(void)
{
    unsetenv("GABLE_VARIANT");
    unsetenv("GABLE_DEBUG");
    unsetenv("GABLE_PROFILE");
    test_start("test_profile_solvers");
    profile_folder_make();
    gable_context *ctx = test_open();
    account_of(ctx, false);
    account_of(ctx, true);
    opening(ctx);
    gable_close(ctx);
    threads();
    profile_folder_remove();
    return test_finish();
}
