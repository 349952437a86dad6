/* krylov_case.c: what the tests of BiCGStab and GMRES share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Solutions are checked by their residuals in wider arithmetic, iterations against a plain loop in
 * the same precision, but where the plain loop fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include "harness/left_out.h"
#include "sparse/market/generate.h"
#include "sparse/solver/krylov_case.h"

static double krylov_tolerance(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? 1e-4 : 1e-9;
}

model case_convection(int64_t nx, int64_t ny, double peclet, double spread, double shift)
{
    gbl_generated g;
    gbl_message message = {NULL, ""};
    if (gbl_generate_convection((gbl_grid){nx, ny, 1}, peclet, &g, &message) != GABLE_OK)
        abort();
    model m = {.rows = g.rows, .columns = g.columns, .entries = g.entries};
    m.start = g.start;
    m.column = g.column;
    m.value = calloc((size_t)g.entries + 1, sizeof *m.value);
    if (m.value == NULL)
        abort();
    for (int64_t i = 0; i < g.rows; i++)
        for (int64_t e = g.start[i]; e < g.start[i + 1]; e++) {
            const bool diagonal = g.column[e] == i;
            const double more = diagonal ? spread * (double)(i * 7 % 11) / 11 : 0;
            m.value[e] = (number){g.value[e] + more, diagonal ? shift : 0};
        }
    free(g.value);
    return m;
}

/* ---- One solve ---- */

/* Gives the iterations, -1: it failed. */
static int64_t solve(const krylov_test *t, system_case *c, gable_solver *solver,
                     const char *precond)
{
    gable_solve_info info;
    case_start(c, NULL);
    const int64_t iterations = case_run(c, solver, krylov_tolerance(c->dtype), precond, &info);
    CHECK(strcmp(info.method, t->method) == 0, "method %s", info.method);
    return iterations;
}

static void check_count(const krylov_test *t, int64_t iterations, int64_t plain)
{
    if (plain < 0 || iterations < 0)
        return;
    CHECK((double)iterations <= (1 + t->most) * (double)plain + 0.999,
          "%lld iterations, a plain loop takes %lld", (long long)iterations, (long long)plain);
}

static gable_solver *open_solver(const krylov_test *t, const system_case *c, const char *precond,
                                 const char *format)
{
    char options[256];
    gable_solver *solver = NULL;
    snprintf(options, sizeof options, "method=%s,precond=%s,format=%s,block=3,tolerance=%g",
             t->method, precond, format, krylov_tolerance(c->dtype));
    if (CHECK_OK(t->ctx, gable_solver_create(t->ctx, c->matrix, &solver)))
        CHECK_OK(t->ctx, gable_solver_set(solver, options));
    return solver;
}

static void one(const krylov_test *t, system_case *c, const char *precond, const char *format,
                int64_t plain)
{
    test_case("%c, n %lld, precond=%s, format=%s", gbl_dtype_letter(c->dtype), (long long)c->A.rows,
              precond, format);
    gable_solver *solver = open_solver(t, c, precond, format);
    if (solver == NULL)
        return;
    check_count(t, solve(t, c, solver, precond), plain);
    gable_solver_destroy(solver);
}

/* ---- Every format and preconditioner ---- */

#define SMALL_ORDER 33 /* under compute-sanitizer */

/* The side of a grid, and there. */
static int64_t side(int64_t usual, int64_t small)
{
    return test_small() ? small : usual;
}

static void settings(const krylov_test *t, gbl_dtype dtype)
{
    static const char *const preconds[] = {"none", "jacobi", "block"};
    static const char *const formats[] = {"csr", "ell", "sell", "coo", "hyb"};
    system_case c;
    const double shift = gbl_dtype_complex(dtype) ? 0.7 : 0;
    if (!case_open(t->ctx, dtype, case_convection(side(31, 7), side(23, 5), 3, 30, shift),
                   CASE_AS_IT_IS, dtype % 2, &c))
        return;
    const int64_t plain[3] = {t->plain(&c, false, krylov_tolerance(dtype), 1000),
                              t->plain(&c, true, krylov_tolerance(dtype), 1000), -1};
    CHECK(plain[0] > 0 && plain[1] > 0, "the plain loop takes %lld and %lld", (long long)plain[0],
          (long long)plain[1]);
    const bool is_host = strcmp(test_device(), "cpu") == 0;
    for (int p = 0; p < 3; p++)
        for (int k = 0; k < 5; k++) {
            /* Kernels compile slowly: each precision sees some of all but in check-all. */
            if (is_host || test_all() || (k + p + (int)dtype) % 5 == 0)
                one(t, &c, preconds[p], formats[k], plain[p]);
        }
    case_close(&c);
}

static void sizes(const krylov_test *t, gbl_dtype dtype)
{
    static const int64_t orders[] = {1, 2, 3, 29, 31, 33, 63, 65, 257, 1025};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        system_case c;
        if (test_small() && orders[i] > SMALL_ORDER)
            continue;
        if (!case_open(t->ctx, dtype, case_convection(orders[i], 1, 2, 3, 0), CASE_AS_IT_IS,
                       (int)(i % 4), &c))
            return;
        one(t, &c, "none", "csr", -1);
        case_close(&c);
    }
}

/* ---- Real matrices ---- */

#define SHORT_WORK 6e6 /* entries that a short solve reads */

static void files(const krylov_test *t)
{
    /* The last two take long, even plainly: only in check-all. */
    static const char *const names[] = {"sherman5.mtx", "watt_2.mtx", "west0479.mtx", "memplus.mtx",
                                        "olm1000.mtx"};
    const size_t count = test_all() ? 5 : 3;
    for (size_t i = 0; i < count; i++) {
        model A;
        system_case c;
        gable_solve_info info;
        gable_solver *solver;
        if (!case_file(names[i], &A))
            continue;
        if (!case_open(t->ctx, GBL_D, A, CASE_AS_IT_IS, 0, &c))
            return;
        test_case("%s", names[i]);
        const int64_t limit = 3000;
        const int64_t plain = t->plain(&c, true, krylov_tolerance(GBL_D), limit);
        /* Kernels are not optimised in the short suite (tests/CMakeLists.txt): long solves are for
         * check-all. */
        const double work = (double)(plain > 0 ? plain : limit) * (double)c.A.entries;
        if (work > SHORT_WORK && strncmp(test_device(), "opencl", 6) == 0 && !test_all()) {
            case_close(&c);
            continue;
        }
        if ((solver = open_solver(t, &c, "jacobi", "csr")) == NULL)
            continue;
        CHECK_OK(t->ctx, gable_solver_set(solver, "iterations=3750"));
        if (plain > 0) {
            check_count(t, solve(t, &c, solver, "jacobi"), plain);
        } else { /* whatever it comes to, info must be true, and x no worse than 0 */
            double rounding;
            number *x = malloc((size_t)(c.A.rows + 1) * sizeof *x);
            case_start(&c, NULL);
            CHECK_OK(t->ctx, gable_solver_solve(solver, c.db, c.dx, &info));
            case_solution(&c, x);
            const double residual = case_residual(&c, x, &rounding);
            CHECK(fabs(info.residual - residual) <= rounding, "info says %g, not %g", info.residual,
                  residual);
            CHECK(residual <= 1 + rounding, "residual %g", residual);
            CHECK((info.outcome == GABLE_SOLVED) == (info.residual <= krylov_tolerance(GBL_D)),
                  "outcome %d with residual %g", (int)info.outcome, info.residual);
            CHECK(info.iterations <= 3750, "%lld iterations", (long long)info.iterations);
            free(x);
        }
        gable_solver_destroy(solver);
        case_close(&c);
    }
}

/* ---- Functions of the user's ---- */

/* The matrix of a case as an operator; its diagonal's inverse as a preconditioner. */
typedef struct user {
    gable_sparse *A;
    gbl_dtype dtype;
    int64_t n;
    void *inverse; /* on the device */
    int calls;
} user;

static gable_status multiply(user *u, gable_context *ctx, gable_sparse *A, const void *x, void *y)
{
    switch (u->dtype) {
    case GBL_S:
        return gable_sparse_smv(ctx, GABLE_NO_TRANS, 1, A, x, 0, y);
    case GBL_D:
        return gable_sparse_dmv(ctx, GABLE_NO_TRANS, 1, A, x, 0, y);
    case GBL_C:
        return gable_sparse_cmv(ctx, GABLE_NO_TRANS, (gable_cfloat){1, 0}, A, x,
                                (gable_cfloat){0, 0}, y);
    default:
        return gable_sparse_zmv(ctx, GABLE_NO_TRANS, (gable_cdouble){1, 0}, A, x,
                                (gable_cdouble){0, 0}, y);
    }
}

static gable_status apply(void *given, gable_context *ctx, const void *x, void *y)
{
    user *u = given;
    u->calls++;
    return multiply(u, ctx, u->A, x, y);
}

/* A sparse matrix with the inverse diagonal of the case. */
static gable_sparse *inverse_of(const krylov_test *t, const system_case *c)
{
    model m = {.rows = c->A.rows, .columns = c->A.rows, .entries = c->A.rows};
    m.start = calloc((size_t)m.rows + 1, sizeof *m.start);
    m.column = calloc((size_t)m.rows + 1, sizeof *m.column);
    m.value = calloc((size_t)m.rows + 1, sizeof *m.value);
    for (int64_t i = 0; i < m.rows; i++) {
        m.start[i + 1] = i + 1;
        m.column[i] = i;
        for (int64_t e = c->A.start[i]; e < c->A.start[i + 1]; e++)
            if (c->A.column[e] == i) {
                const number d = c->A.value[e];
                const double square = d.re * d.re + d.im * d.im;
                m.value[i] = number_of(c->dtype, d.re / square, -d.im / square);
            }
    }
    gable_sparse *A = sparse_of(t->ctx, c->dtype, 32, &m);
    model_free(&m);
    return A;
}

static void callbacks(const krylov_test *t, gbl_dtype dtype)
{
    system_case c;
    const double shift = gbl_dtype_complex(dtype) ? 0.7 : 0;
    if (!case_open(t->ctx, dtype, case_convection(side(19, 6), side(17, 5), 3, 30, shift),
                   CASE_AS_IT_IS, 0, &c))
        return;
    const int64_t plain[2] = {t->plain(&c, false, krylov_tolerance(dtype), 1000),
                              t->plain(&c, true, krylov_tolerance(dtype), 1000)};
    gable_sparse *inverse = inverse_of(t, &c);
    for (int with_matrix = 0; with_matrix < 2; with_matrix++)
        for (int preconditioned = with_matrix; preconditioned < 2; preconditioned++) {
            user a = {.A = c.matrix, .dtype = dtype, .n = c.A.rows};
            user m = {.A = inverse, .dtype = dtype, .n = c.A.rows};
            gable_solver *solver = NULL;
            char options[128];
            test_case("%c, %s, %s", gbl_dtype_letter(dtype), with_matrix ? "matrix" : "operator",
                      preconditioned ? "preconditioned" : "plain");
            snprintf(options, sizeof options, "method=%s,tolerance=%g", t->method,
                     krylov_tolerance(dtype));
            if (with_matrix)
                CHECK_OK(t->ctx, gable_solver_create(t->ctx, c.matrix, &solver));
            else
                CHECK_OK(t->ctx, gable_solver_create_operator(t->ctx, gbl_dtype_letter(dtype),
                                                              c.A.rows, apply, &a, &solver));
            CHECK_OK(t->ctx, gable_solver_set(solver, options));
            if (preconditioned)
                CHECK_OK(t->ctx, gable_solver_precondition(solver, apply, &m));
            const int64_t count = solve(t, &c, solver, preconditioned ? "user" : "none");
            check_count(t, count, plain[preconditioned]);
            CHECK(with_matrix || a.calls > count, "%d calls of the operator", a.calls);
            CHECK(!preconditioned || m.calls >= count, "%d calls of the preconditioner", m.calls);
            gable_solver_destroy(solver);
        }
    CHECK_OK(t->ctx, gable_sparse_destroy(t->ctx, inverse));
    case_close(&c);
}

/* ---- Outcomes ---- */

static gable_solve_info solve_with(const krylov_test *t, system_case *c, const char *words)
{
    gable_solve_info info = {.outcome = GABLE_STOPPED};
    char options[256];
    snprintf(options, sizeof options, "method=%s,%s", t->method, words);
    case_start(c, NULL);
    CHECK_OK(t->ctx, gable_sparse_solve(t->ctx, c->matrix, c->db, c->dx, options, &info));
    return info;
}

/* info's residual is true, and not above that of x = 0. */
static void info_is_true(const krylov_test *t, const system_case *c, const gable_solve_info *info)
{
    double rounding;
    number *x = malloc((size_t)(c->A.rows + 1) * sizeof *x);
    case_solution(c, x);
    const double residual = case_residual(c, x, &rounding);
    CHECK(fabs(info->residual - residual) <= rounding, "info says %g, not %g", info->residual,
          residual);
    CHECK(residual <= 1 + rounding, "residual %g", residual);
    free(x);
    (void)t;
}

static int stop_at_five(void *given, int64_t iteration, double residual)
{
    int64_t *last = given;
    CHECK(iteration == *last + 1, "iteration %lld follows %lld", (long long)iteration,
          (long long)*last);
    CHECK(residual > 0, "residual %g", residual);
    *last = iteration;
    return iteration == 5;
}

static void limit_and_monitor(const krylov_test *t, gbl_dtype dtype)
{
    system_case c;
    if (!case_open(t->ctx, dtype, case_convection(side(40, 12), side(30, 10), 1, 0, 0),
                   CASE_AS_IT_IS, 0, &c))
        return;
    test_case("%c, 7 iterations", gbl_dtype_letter(dtype));
    gable_solve_info info = solve_with(t, &c, "iterations=7,precond=none");
    CHECK(info.outcome == GABLE_ITERATION_LIMIT && info.iterations == 7, "outcome %d after %lld",
          (int)info.outcome, (long long)info.iterations);
    info_is_true(t, &c, &info);
    test_case("%c, the monitor stops", gbl_dtype_letter(dtype));
    gable_solver *solver = NULL;
    int64_t last = 0;
    CHECK_OK(t->ctx, gable_solver_create(t->ctx, c.matrix, &solver));
    CHECK_OK(t->ctx, gable_solver_set(solver, "batch=4,precond=none"));
    char options[32];
    snprintf(options, sizeof options, "method=%s", t->method);
    CHECK_OK(t->ctx, gable_solver_set(solver, options));
    CHECK_OK(t->ctx, gable_solver_monitor(solver, stop_at_five, &last));
    case_start(&c, NULL);
    CHECK_OK(t->ctx, gable_solver_solve(solver, c.db, c.dx, &info));
    CHECK(info.outcome == GABLE_STOPPED && last == 5, "outcome %d after %lld", (int)info.outcome,
          (long long)last);
    info_is_true(t, &c, &info);
    gable_solver_destroy(solver);
    case_close(&c);
}

static void outcomes(const krylov_test *t, gbl_dtype dtype)
{
    system_case c;
    limit_and_monitor(t, dtype);

    /* Zero rows: no x has a residual of 0. */
    model A = case_convection(9, 8, 1, 0, 0);
    for (int64_t e = A.start[5]; e < A.start[6]; e++)
        A.value[e] = (number){0, 0};
    if (case_open(t->ctx, dtype, A, CASE_AS_IT_IS, 0, &c)) {
        test_case("%c, a row of zeros", gbl_dtype_letter(dtype));
        const gable_solve_info info =
            solve_with(t, &c, test_small() ? "precond=none,iterations=40" : "precond=none");
        CHECK(info.outcome == GABLE_BREAKDOWN || info.outcome == GABLE_STAGNATED ||
                  info.outcome == GABLE_ITERATION_LIMIT,
              "outcome %d: %s", (int)info.outcome, info.text);
        info_is_true(t, &c, &info);
        case_close(&c);
    }
    A = case_convection(9, 8, 1, 0, 0);
    for (int64_t e = 0; e < A.entries; e++)
        A.value[e] = (number){0, 0};
    if (case_open(t->ctx, dtype, A, CASE_AS_IT_IS, 0, &c)) {
        test_case("%c, zeros", gbl_dtype_letter(dtype));
        const gable_solve_info info = solve_with(t, &c, "precond=none");
        CHECK(info.outcome == GABLE_BREAKDOWN, "outcome %d: %s", (int)info.outcome, info.text);
        info_is_true(t, &c, &info);
        case_close(&c);
    }
    A = case_convection(9, 8, 1, 0, 0);
    A.value[17].re = NAN;
    if (case_open(t->ctx, dtype, A, CASE_AS_IT_IS, 0, &c)) {
        test_case("%c, NaN", gbl_dtype_letter(dtype));
        const gable_solve_info info = solve_with(t, &c, "precond=none");
        CHECK(info.outcome == GABLE_NOT_FINITE, "outcome %d: %s", (int)info.outcome, info.text);
        case_close(&c);
    }
    /* The identity: one iteration, and nothing is left to divide by. */
    if (case_open(t->ctx, dtype, case_diagonal(50, 1, 1), CASE_AS_IT_IS, 0, &c)) {
        test_case("%c, the identity", gbl_dtype_letter(dtype));
        const gable_solve_info info = solve_with(t, &c, "precond=none");
        CHECK(info.outcome == GABLE_SOLVED && info.iterations == 1, "outcome %d after %lld: %s",
              (int)info.outcome, (long long)info.iterations, info.text);
        info_is_true(t, &c, &info);
        case_close(&c);
    }
    /* Less than rounding allows. */
    if (case_open(t->ctx, dtype, case_convection(side(20, 5), side(20, 5), 2, 0, 0), CASE_AS_IT_IS,
                  0, &c)) {
        test_case("%c, a tolerance of 0", gbl_dtype_letter(dtype));
        const gable_solve_info info = solve_with(t, &c, "precond=none,tolerance=0");
        CHECK(info.outcome != GABLE_NOT_FINITE, "outcome %d: %s", (int)info.outcome, info.text);
        CHECK(info.residual <= (gbl_dtype_real_bytes(dtype) == 4 ? 1e-4 : 1e-12), "residual %g",
              info.residual);
        info_is_true(t, &c, &info);
        case_close(&c);
    }
}

static void repeat(const krylov_test *t)
{
    system_case c;
    gable_solve_info info[2];
    test_case("the same bits");
    if (!case_open(t->ctx, GBL_D, case_convection(side(60, 8), side(50, 7), 2, 10, 0),
                   CASE_AS_IT_IS, 0, &c))
        return;
    const size_t bytes = (size_t)c.A.rows * sizeof(number);
    number *x[2] = {malloc(bytes), malloc(bytes)};
    for (int i = 0; i < 2; i++) {
        info[i] = solve_with(t, &c, "precond=jacobi,format=csr");
        case_solution(&c, x[i]);
    }
    CHECK(info[0].outcome == GABLE_SOLVED, "outcome %d", (int)info[0].outcome);
    CHECK(memcmp(x[0], x[1], bytes) == 0, "two solves differ");
    CHECK(info[0].iterations == info[1].iterations && info[0].residual == info[1].residual,
          "%lld and %lld iterations", (long long)info[0].iterations, (long long)info[1].iterations);
    free(x[0]);
    free(x[1]);
    case_close(&c);
}

/* ---- All ---- */

int krylov_all(const char *test, krylov_test t)
{
    test_start(test);
    t.ctx = test_open();
    /* Kernels compile slowly on PoCL: half of the precisions there but in check-all, one of them in
     * make check. */
    const bool slow = (strncmp(test_device(), "opencl", 6) == 0 && !test_all()) || test_small();
    const bool short_form = test_only("repeat");
    for (int dtype = 0; dtype < GBL_DTYPES && !short_form; dtype++) {
        const bool usual = dtype == GBL_D || dtype == GBL_C;
        if (slow && (!usual || test_precision_left_out(gbl_dtype_letter((gbl_dtype)dtype))))
            continue;
        settings(&t, (gbl_dtype)dtype);
        callbacks(&t, (gbl_dtype)dtype);
        if (usual || test_all()) {
            sizes(&t, (gbl_dtype)dtype);
            outcomes(&t, (gbl_dtype)dtype);
        }
    }
    if (!test_small() && !short_form)
        files(&t);
    repeat(&t);
    gable_close(t.ctx);
    return test_finish();
}
