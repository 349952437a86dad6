/* test_solver.c: the solver's object: options, arguments, outcomes, monitor, operators and
 * preconditioners of the caller's.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include "sparse/solver/solver.h"
#include "sparse/solver/solver_case.h"

static gable_context *ctx;

/* ---- Options ---- */

static void options(void)
{
    static const char *const good[] = {
        "",
        "method=auto",
        "method=cg",
        "method=bicgstab",
        "method=gmres",
        "form=auto",
        "form=standard",
        "form=pipelined",
        "form=persistent",
        "precond=auto",
        "precond=none",
        "precond=jacobi",
        "precond=block",
        "block=1",
        "block=32",
        "tolerance=1e-3",
        "tolerance=0",
        "absolute=0.5",
        "iterations=1",
        "iterations=1e6",
        "restart=100",
        "batch=0",
        "batch=128",
        "format=auto",
        "format=keep",
        "format=csr",
        "format=coo",
        "format=ell",
        "format=sell",
        "format=hyb",
        "guess=x",
        "guess=zero",
        "answer=last",
        "answer=best",
        "method=cg,precond=jacobi,tolerance=1e-10",
        "block=8,",
    };
    static const char *const bad[][2] = {
        {"methods=cg", "methods"},
        {"method", "method"},
        {"method=", "method"},
        {"method=CG", "CG"},
        {"method=minres", "minres"},
        {"form=fast", "fast"},
        {"precond=ilu", "ilu"},
        {"block=0", "block=0"},
        {"block=33", "33"},
        {"block=2.5", "2.5"},
        {"block=x", "block=x"},
        {"tolerance=1", "tolerance=1"},
        {"tolerance=-1", "-1"},
        {"tolerance=nan", "nan"},
        {"tolerance=1e-3x", "1e-3x"},
        {"tolerance=", "tolerance"},
        {"absolute=-2", "-2"},
        {"absolute=inf", "inf"},
        {"iterations=0", "iterations"},
        {"iterations=1.5", "1.5"},
        {"restart=0", "restart"},
        {"restart=1001", "1001"},
        {"batch=129", "129"},
        {"batch=-1", "-1"},
        {"format=csc", "csc"},
        {"guess=1", "x or zero"},
        {"answer=first", "best or last"},
        {"block=8,,method=cg", "name=value"},
        {"block=8 ,method=cg", "8 "},
        {"block=8,method=x", "method=x"},
    };
    system_case c;
    gable_solver *solver = NULL;
    test_case("options");
    if (!case_open(ctx, GBL_D, case_laplacian(5, 4, 0), CASE_AS_IT_IS, 0, &c))
        return;
    if (CHECK_OK(ctx, gable_solver_create(ctx, c.matrix, &solver))) {
        for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
            CHECK_OK(ctx, gable_solver_set(solver, good[i]));
        CHECK(solver->options.block == 8 && solver->options.precond == GBL_PRECOND_JACOBI &&
                  solver->options.tolerance == 1e-10 && solver->options.restart == 100 &&
                  solver->options.iterations == 1000000 && solver->options.absolute == 0.5 &&
                  solver->options.format == GABLE_HYB && solver->options.batch == 128,
              "not all words have come through");
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            const gbl_solver_options before = solver->options;
            CHECK_REFUSED(ctx, gable_solver_set(solver, bad[i][0]), GABLE_BAD_ARGUMENT,
                          "gable_solver_set", "argument 2 (options)", bad[i][1]);
            CHECK(memcmp(&before, &solver->options, sizeof before) == 0,
                  "\"%s\" has changed something", bad[i][0]);
        }
        /* More columns than a device's kernels hold. */
        if (strcmp(test_device(), "cpu") == 0)
            CHECK_OK(ctx, gable_solver_set(solver, "restart=1000"));
        else
            CHECK_REFUSED(ctx, gable_solver_set(solver, "restart=257"), GABLE_BAD_ARGUMENT,
                          "gable_solver_set", "restart=257", "to 256");
        CHECK_REFUSED(ctx, gable_solver_set(solver, NULL), GABLE_BAD_ARGUMENT, "gable_solver_set",
                      "argument 2 (options)");
        CHECK(gable_solver_set(NULL, "") == GABLE_BAD_ARGUMENT, "no solver");
        gable_solver_destroy(solver);
    }
    case_close(&c);
}

/* ---- Arguments ---- */

static gable_status do_nothing(void *user, gable_context *queue, const void *x, void *y)
{
    (void)user, (void)queue, (void)x, (void)y;
    return GABLE_OK;
}

static void arguments(void)
{
    system_case c;
    gable_solver *solver = NULL;
    gable_solve_info info;
    test_case("arguments");
    if (!case_open(ctx, GBL_D, case_laplacian(5, 4, 0), CASE_AS_IT_IS, 0, &c))
        return;
    model oblong_model = model_random(3, 5, 0.9, 0, 1);
    gable_sparse *oblong = sparse_of(ctx, GBL_D, 32, &oblong_model);
    CHECK_REFUSED(ctx, gable_solver_create(ctx, oblong, &solver), GABLE_BAD_ARGUMENT,
                  "gable_solver_create", "argument 2 (A)", "3 x 5", "square");
    CHECK_REFUSED(ctx, gable_solver_create(ctx, NULL, &solver), GABLE_BAD_ARGUMENT,
                  "gable_solver_create", "argument 2 (A)");
    CHECK_REFUSED(ctx, gable_solver_create(ctx, c.matrix, NULL), GABLE_BAD_ARGUMENT,
                  "gable_solver_create", "argument 3 (solver)");
    CHECK_REFUSED(ctx, gable_solver_create_operator(ctx, 'x', 3, do_nothing, NULL, &solver),
                  GABLE_BAD_ARGUMENT, "gable_solver_create_operator", "argument 2 (precision)");
    CHECK_REFUSED(ctx, gable_solver_create_operator(ctx, 'd', -1, do_nothing, NULL, &solver),
                  GABLE_BAD_ARGUMENT, "gable_solver_create_operator", "argument 3 (n)", "-1");
    CHECK_REFUSED(ctx, gable_solver_create_operator(ctx, 'd', 3, NULL, NULL, &solver),
                  GABLE_BAD_ARGUMENT, "gable_solver_create_operator", "argument 4 (apply)");
    CHECK(gable_solver_solve(NULL, c.db, c.dx, &info) == GABLE_BAD_ARGUMENT, "no solver");
    if (CHECK_OK(ctx, gable_solver_create(ctx, c.matrix, &solver))) {
        CHECK_REFUSED(ctx, gable_solver_solve(solver, NULL, c.dx, &info), GABLE_BAD_ARGUMENT,
                      "gable_solver_solve", "argument 2 (b)");
        CHECK_REFUSED(ctx, gable_solver_solve(solver, c.db, NULL, &info), GABLE_BAD_ARGUMENT,
                      "gable_solver_solve", "argument 3 (x)");
        CHECK_REFUSED(ctx, gable_solver_solve(solver, c.db, c.db, &info), GABLE_BAD_ARGUMENT,
                      "gable_solver_solve", "argument 3 (x)", "overlaps");
        CHECK_OK(ctx, gable_record_begin(ctx));
        CHECK_REFUSED(ctx, gable_solver_solve(solver, c.db, c.dx, &info), GABLE_NOT_RECORDABLE,
                      "gable_solver_solve", "recording");
        CHECK_OK(ctx, gable_record_end(ctx, NULL));
        gable_solver_destroy(solver);
    }
    gable_solver_destroy(NULL);
    CHECK_OK(ctx, gable_sparse_destroy(ctx, oblong));
    model_free(&oblong_model);
    case_close(&c);
}

/* ---- Outcomes ---- */

static void set_b(system_case *c, int64_t i, double value)
{
    char element[16];
    const size_t bytes = gbl_dtype_bytes(c->dtype);
    element_put(c->dtype, element, 0, (number){value, 0});
    CHECK_OK(ctx,
             gable_set_vector(ctx, 1, bytes, element, 1, (char *)c->db + (size_t)i * bytes, 1));
}

static void outcomes(gbl_dtype dtype, const char *form)
{
    char words[128];
    system_case c;
    gable_solve_info info;
    const bool narrow = gbl_dtype_real_bytes(dtype) == 4;
    const char *base = words;
    snprintf(words, sizeof words, "method=cg,form=%s,precond=none,format=keep", form);

    test_case("%c, form=%s: indefinite", gbl_dtype_letter(dtype), form);
    if (!case_open(ctx, dtype, case_diagonal(50, -2, 3), CASE_AS_IT_IS, 0, &c))
        return;
    info = case_solve(&c, base);
    case_outcome_is(&info, GABLE_NOT_DEFINITE, "method=bicgstab or gmres");
    case_residual_is(&c, &info, 1);
    case_close(&c);

    test_case("%c, form=%s: limit", gbl_dtype_letter(dtype), form);
    if (!case_open(ctx, dtype, case_laplacian(16, 13, 0), CASE_HERMITIAN, 0, &c))
        return;
    char more[192];
    snprintf(more, sizeof more, "%s,iterations=7", words);
    info = case_solve(&c, more);
    case_outcome_is(&info, GABLE_ITERATION_LIMIT, "iterations=");
    CHECK(info.iterations == 7, "%lld iterations", (long long)info.iterations);
    case_residual_is(&c, &info, 1);

    test_case("%c, form=%s: a tolerance that cannot be reached", gbl_dtype_letter(dtype), form);
    case_start(&c, NULL);
    snprintf(more, sizeof more, "%s,tolerance=%s", words, narrow ? "1e-12" : "1e-22");
    info = case_solve(&c, more);
    case_outcome_is(&info, GABLE_STAGNATED, "tolerance");
    CHECK(info.replacements > 0, "the residual was never replaced");
    case_residual_is(&c, &info, narrow ? 1e-5 : 1e-13);

    test_case("%c, form=%s: absolute tolerance", gbl_dtype_letter(dtype), form);
    case_start(&c, NULL);
    snprintf(more, sizeof more, "%s,tolerance=0,absolute=1", words);
    info = case_solve(&c, more);
    case_outcome_is(&info, GABLE_SOLVED, "solved");
    case_residual_is(&c, &info, 1 / info.norm_b);

    test_case("%c, form=%s: solved at the start", gbl_dtype_letter(dtype), form);
    info = case_solve(&c, more);
    case_outcome_is(&info, GABLE_SOLVED, "solved");
    CHECK(info.iterations == 0, "%lld iterations", (long long)info.iterations);

    test_case("%c, form=%s: NaN and Inf in b and x", gbl_dtype_letter(dtype), form);
    for (int k = 0; k < 2; k++) {
        set_b(&c, 5, k == 0 ? NAN : INFINITY);
        info = case_solve(&c, base);
        case_outcome_is(&info, GABLE_NOT_FINITE, "NaN or Inf");
    }
    set_b(&c, 5, c.b[5].re);
    number *x = calloc((size_t)c.A.rows, sizeof *x);
    x[3].re = NAN;
    case_start(&c, x);
    free(x);
    info = case_solve(&c, base);
    case_outcome_is(&info, GABLE_NOT_FINITE, "NaN or Inf");
    case_close(&c);
}

static void bad_entries(gbl_dtype dtype)
{
    static const double entries[] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++) {
        system_case c;
        model A = case_laplacian(20, 10, 0);
        A.value[A.entries / 2].re = entries[k];
        test_case("%c: %g in A", gbl_dtype_letter(dtype), entries[k]);
        if (!case_open(ctx, dtype, A, CASE_AS_IT_IS, 0, &c))
            return;
        number *x = calloc((size_t)c.A.rows, sizeof *x);
        for (int64_t i = 0; i < c.A.rows; i++)
            x[i].re = 0.5; /* x = 0 would meet the entry only as a product */
        case_start(&c, x);
        const gable_solve_info info = case_solve(&c, "method=cg,precond=none,format=keep");
        case_outcome_is(&info, GABLE_NOT_FINITE, "NaN or Inf");
        free(x);
        case_close(&c);
    }
}

/* b = 0: the solution is 0, whatever x was. n = 0: nothing to do. */
static void zero(gbl_dtype dtype)
{
    system_case c;
    test_case("%c: b = 0", gbl_dtype_letter(dtype));
    if (!case_open(ctx, dtype, case_laplacian(6, 5, 0), CASE_AS_IT_IS, 0, &c))
        return;
    number *x = calloc((size_t)c.A.rows, sizeof *x);
    for (int64_t i = 0; i < c.A.rows; i++) {
        x[i].re = NAN;
        set_b(&c, i, 0);
    }
    case_start(&c, x);
    const gable_solve_info info = case_solve(&c, "method=cg,precond=none,format=keep");
    case_outcome_is(&info, GABLE_SOLVED, "solved");
    CHECK(info.residual == 0 && info.iterations == 0, "residual %g", info.residual);
    case_solution(&c, x);
    for (int64_t i = 0; i < c.A.rows; i++)
        CHECK(x[i].re == 0 && x[i].im == 0, "x[%lld] is %g", (long long)i, x[i].re);
    free(x);
    case_close(&c);
}

static void empty(void)
{
    system_case c;
    test_case("no unknowns");
    if (!case_open(ctx, GBL_D, case_diagonal(0, 1, 1), CASE_AS_IT_IS, 0, &c))
        return;
    gable_solve_info info = {.outcome = GABLE_STOPPED};
    CHECK_OK(ctx, gable_sparse_solve(ctx, c.matrix, NULL, NULL, NULL, &info));
    case_outcome_is(&info, GABLE_SOLVED, "solved");
    CHECK(info.iterations == 0 && info.residual == 0, "%lld iterations",
          (long long)info.iterations);
    case_close(&c);
}

/* As many iterations as a plain loop, but for a quarter. */
static void counts(gbl_dtype dtype)
{
    const double tolerance = gbl_dtype_real_bytes(dtype) == 4 ? 1e-5 : 1e-8;
    system_case c;
    test_case("%c: iterations of the pipelined form", gbl_dtype_letter(dtype));
    if (!case_open(ctx, dtype, case_laplacian(16, 13, 0), CASE_HERMITIAN, 0, &c))
        return;
    const int64_t plain = case_plain_cg(&c, false, tolerance, 1000);
    const gable_solve_info info =
        case_solve(&c, "method=cg,form=pipelined,precond=none,format=keep");
    case_outcome_is(&info, GABLE_SOLVED, "solved");
    CHECK(plain > 20 && fabs((double)(info.iterations - plain)) <= 0.25 * (double)plain,
          "%lld iterations, a plain loop takes %lld", (long long)info.iterations, (long long)plain);
    CHECK(info.replacements == 0, "%lld replacements", (long long)info.replacements);
    case_close(&c);
}

/* Squares of these leave the range of numbers: the iteration must be that of a |b| near 1. */
static void far_away(gbl_dtype dtype, const char *form)
{
    const bool narrow = gbl_dtype_real_bytes(dtype) == 4;
    const double sizes[] = {1, narrow ? 0x1p90 : 0x1p600, narrow ? 0x1p-90 : 0x1p-600};
    int64_t iterations[3] = {0};
    char words[128];
    snprintf(words, sizeof words, "method=cg,form=%s,precond=none,format=keep", form);
    for (int k = 0; k < 3; k++) {
        system_case c;
        test_case("%c, form=%s: b of size %g", gbl_dtype_letter(dtype), form, sizes[k]);
        if (!case_open(ctx, dtype, case_laplacian(12, 11, 0), CASE_AS_IT_IS, 0, &c))
            return;
        for (int64_t i = 0; i < c.A.rows; i++) {
            c.b[i] = (number){c.b[i].re * sizes[k], 0};
            set_b(&c, i, c.b[i].re);
        }
        const gable_solve_info info = case_solve(&c, words);
        case_outcome_is(&info, GABLE_SOLVED, "solved");
        iterations[k] = info.iterations;
        /* Residuals of the scaled system, for squares of these leave the range, too. */
        number *x = malloc((size_t)(c.A.rows + 1) * sizeof *x);
        case_solution(&c, x);
        for (int64_t i = 0; i < c.A.rows; i++) {
            x[i].re /= sizes[k];
            c.b[i].re /= sizes[k];
        }
        double rounding;
        const double residual = case_residual(&c, x, &rounding);
        CHECK(residual <= (narrow ? 1e-5 : 1e-8) + rounding, "residual %g", residual);
        free(x);
        case_close(&c);
    }
    CHECK(iterations[0] == iterations[1] && iterations[0] == iterations[2],
          "%lld, %lld and %lld iterations", (long long)iterations[0], (long long)iterations[1],
          (long long)iterations[2]);
}

/* From a good guess an indefinite matrix leads away: the guess comes back. */
static void best(void)
{
    system_case c;
    test_case("the best iterate is kept");
    if (!case_open(ctx, GBL_D, case_diagonal(40, -1, 1.5), CASE_AS_IT_IS, 0, &c))
        return;
    number *x = calloc((size_t)c.A.rows, sizeof *x);
    for (int64_t i = 0; i < c.A.rows; i++)
        x[i].re = c.b[i].re / c.A.value[i].re * (1 + (i % 2 == 0 ? 1e-6 : -1e-6));
    case_start(&c, x);
    double rounding;
    const double before = case_residual(&c, x, &rounding);
    const gable_solve_info info =
        case_solve(&c, "method=cg,precond=none,format=keep,tolerance=1e-12");
    CHECK(info.outcome != GABLE_SOLVED, "solved");
    case_residual_is(&c, &info, before);
    case_start(&c, x);
    const gable_solve_info last = case_solve(
        &c, "method=cg,precond=none,format=keep,tolerance=1e-12,iterations=2,answer=last");
    CHECK(last.residual > before && isfinite(last.residual), "answer=last leaves %g, the guess %g",
          last.residual, before);
    case_residual_is(&c, &last, 1);
    free(x);
    case_close(&c);
}

/* ---- The monitor ---- */

typedef struct watch {
    int64_t next, stop_at;
    double last;
    bool ordered;
} watch;

static int look(void *user, int64_t iteration, double residual)
{
    watch *w = user;
    w->ordered = w->ordered && iteration == w->next && residual >= 0;
    w->next = iteration + 1;
    w->last = residual;
    return iteration == w->stop_at;
}

static void monitor(const char *form)
{
    system_case c;
    gable_solver *solver = NULL;
    gable_solve_info info;
    char words[128];
    test_case("monitor, form=%s", form);
    if (!case_open(ctx, GBL_D, case_laplacian(16, 13, 0), CASE_HERMITIAN, 0, &c))
        return;
    snprintf(words, sizeof words, "method=cg,form=%s,precond=none,format=keep,batch=10", form);
    if (CHECK_OK(ctx, gable_solver_create(ctx, c.matrix, &solver))) {
        watch all = {.next = 1, .ordered = true};
        CHECK_OK(ctx, gable_solver_set(solver, words));
        CHECK_OK(ctx, gable_solver_monitor(solver, look, &all));
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        CHECK(all.ordered && all.next == info.iterations + 1, "it heard of %lld of %lld",
              (long long)all.next - 1, (long long)info.iterations);
        CHECK(all.last == info.recursive, "the last is %g, not %g", all.last, info.recursive);
        watch some = {.next = 1, .ordered = true, .stop_at = 15};
        case_start(&c, NULL);
        CHECK_OK(ctx, gable_solver_monitor(solver, look, &some));
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        case_outcome_is(&info, GABLE_STOPPED, "monitor");
        CHECK(some.ordered && some.next == 16, "it heard of %lld", (long long)some.next - 1);
        CHECK(info.iterations >= 15 && info.iterations <= 40, "%lld iterations",
              (long long)info.iterations);
        case_residual_is(&c, &info, 1);
        CHECK_OK(ctx, gable_solver_monitor(solver, NULL, NULL));
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        case_outcome_is(&info, GABLE_SOLVED, "solved");
        gable_solver_destroy(solver);
    }
    case_close(&c);
}

/* A row and a column that are full: with products by calls, which divide long rows, and with
 * others. The same bits each time. */
static void long_rows(const char *method, const char *form)
{
    enum { ORDER = 400 };
    model m = {.rows = ORDER, .columns = ORDER, .entries = 3 * ORDER - 2};
    m.start = malloc((ORDER + 1) * sizeof *m.start);
    m.column = malloc((size_t)m.entries * sizeof *m.column);
    m.value = malloc((size_t)m.entries * sizeof *m.value);
    int64_t e = 0;
    for (int64_t i = 0; i < ORDER; i++) {
        m.start[i] = e;
        for (int64_t j = 0; j < ORDER; j += i == 0 || j > 0 ? 1 : i) {
            if (i > 0 && j > i)
                break;
            if (i > 0 && j > 0 && j != i)
                continue;
            m.column[e] = j;
            m.value[e++] = (number){i == j ? (i == 0 ? ORDER : 4) : 1, 0};
        }
    }
    m.start[ORDER] = e;
    m.entries = e;
    system_case c;
    char words[96];
    if (!case_open(ctx, GBL_D, m, CASE_AS_IT_IS, 0, &c))
        return;
    const bool kernels = ctx->device->table->build != NULL;
    snprintf(words, sizeof words, "method=%s,form=%s,format=csr,precond=jacobi", method, form);
    test_case("long rows, %s", words);
    if (kernels)
        CHECK_OK(ctx, gable_set_variant(ctx, "sparse_mv=merge"));
    number first[ORDER], x[ORDER];
    for (int turn = 0; turn < 2; turn++) {
        case_start(&c, NULL);
        const gable_solve_info info = case_solve(&c, words);
        case_outcome_is(&info, GABLE_SOLVED, "solved");
        case_residual_is(&c, &info, 1e-8);
        CHECK(strcmp(form, "standard") != 0 || strcmp(method, "cg") != 0 ||
                  strcmp(info.form, "standard") == 0,
              "form %s", info.form);
        case_solution(&c, turn == 0 ? first : x);
    }
    CHECK(memcmp(first, x, sizeof x) == 0, "another solution the second time");
    CHECK_OK(ctx, gable_set_variant(ctx, NULL));
    case_close(&c);
}

/* What the choice of the format cost is told once. */
static void format_cost(void)
{
    gable_solver *solver = NULL;
    gable_solve_info info;
    system_case c;
    test_case("what the format cost");
    if (!case_open(ctx, GBL_D, case_laplacian(12, 11, 0.5), CASE_AS_IT_IS, 0, &c))
        return;
    if (CHECK_OK(ctx, gable_solver_create(ctx, c.matrix, &solver))) {
        const bool chooses = !ctx->device->props.is_host;
        CHECK_OK(ctx, gable_solver_set(solver, "repeats=1"));
        for (int turn = 0; turn < 3; turn++) {
            case_start(&c, NULL);
            if (turn == 2)
                CHECK_OK(ctx, gable_solver_set(solver, "repeats=1000000000"));
            CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
            CHECK((strstr(info.text, "choice") != NULL) == (chooses && turn != 1), "turn %d: %s",
                  turn, info.text);
            CHECK(turn == 2 || info.format == GABLE_CSR, "turn %d: one product repays %d", turn,
                  (int)info.format);
        }
        CHECK_REFUSED(ctx, gable_solver_set(solver, "repeats=many"), GABLE_BAD_ARGUMENT,
                      "gable_solver_set", "repeats=many", "whole number");
        CHECK_OK(ctx, gable_solver_destroy(solver));
    }
    case_close(&c);
}

int main(void)
{
    test_start("test_solver");
    ctx = test_open();
    options();
    arguments();
    for (int dtype = 0; dtype < GBL_DTYPES; dtype++) {
        outcomes((gbl_dtype)dtype, "standard");
        outcomes((gbl_dtype)dtype, "pipelined");
        zero((gbl_dtype)dtype);
        counts((gbl_dtype)dtype);
    }
    empty();
    far_away(GBL_S, "standard");
    far_away(GBL_S, "pipelined");
    far_away(GBL_D, "pipelined");
    bad_entries(GBL_S);
    bad_entries(GBL_Z);
    best();
    monitor("standard");
    monitor("pipelined");
    static const char *const methods[] = {"cg", "bicgstab", "gmres"};
    for (int i = 0; i < 3; i++) {
        long_rows(methods[i], "standard");
        long_rows(methods[i], "auto");
    }
    format_cost();
    gable_close(ctx);
    return test_finish();
}
