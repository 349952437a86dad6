/* test_outcome.c: what solvers say at the ends of the range of numbers, without a tolerance, of
 * skew and singular matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An outcome must be true of the x that the caller gets: residuals are computed here from that x. A
 * hint must not name what was just tried.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "sparse/solver/solver.h"
#include "sparse/solver/solver_case.h"

static gable_context *ctx;
static bool slow; /* PoCL compiles slowly */

static bool is_single(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4;
}

/* b := these numbers, on the host and on the device. */
static void set_b(system_case *c, const double *value)
{
    const size_t bytes = gbl_dtype_bytes(c->dtype);
    char *elements = calloc((size_t)c->A.rows + 1, bytes);
    for (int64_t i = 0; i < c->A.rows; i++) {
        element_put(c->dtype, elements, i, (number){value[i], 0});
        c->b[i] = element_get(c->dtype, elements, i);
    }
    CHECK_OK(ctx, gable_set_vector(ctx, c->A.rows, bytes, elements, 1, c->db, 1));
    free(elements);
}

/* |b - A x| / |b| of a diagonal matrix, where no square leaves the range: |b| and A are taken for
 * 1. */
static double residual_of(const system_case *c, const number *x, double size_b)
{
    double sum = 0, all = 0;
    for (int64_t i = 0; i < c->A.rows; i++) {
        const double b = c->b[i].re / size_b;
        const double r = b - x[i].re * c->A.value[i].re / size_b;
        sum += r * r;
        all += b * b;
    }
    return sqrt(sum / all);
}

/* ---- The ends of the range ---- */

typedef struct range_case {
    const char *what;
    double a[2], b[2], guess[2]; /* in single, in double precision */
    gable_outcome outcome;
    const char *said;
} range_case;

/* A is diagonal, from a to 2 a; b from b to 1.5 b. */
static const range_case ranges[] = {
    {"x too large", {1e-20, 1e-200}, {1e30, 1e200}, {0, 0}, GABLE_NOT_FINITE, "too large"},
    {"x too small", {1e10, 1e205}, {1e-32, 1e-115}, {0, 0}, GABLE_STAGNATED, "so small"},
    {"x of zeros", {1e20, 1e300}, {1e-32, 1e-115}, {0, 0}, GABLE_STAGNATED, "so small"},
    {"a large x", {1e-3, 1e-100}, {1e30, 1e200}, {0, 0}, GABLE_SOLVED, "solved"},
    {"a small x", {1e3, 1e100}, {1e-30, 1e-200}, {0, 0}, GABLE_SOLVED, "solved"},
    {"a b whose norm is too large", {1, 1}, {1.8e38, 1e308}, {0, 0}, GABLE_SOLVED, "solved"},
    {"a guess far from b", {1, 1}, {1e-30, 1e-200}, {1e30, 1e200}, GABLE_SOLVED, "solved"},
    {"a guess far from 1", {1e8, 1e200}, {1, 1}, {1e30, 1e150}, GABLE_SOLVED, "solved"},
};

static void range(gbl_dtype dtype, const range_case *r, const char *method)
{
    const int is_wide = !is_single(dtype);
    const double a = r->a[is_wide], b = r->b[is_wide], guess = r->guess[is_wide];
    enum { N = 60 };
    double value[N];
    number x[N + 1], start[N];
    char words[96];
    system_case c;
    test_case("%c, %s: %s", gbl_dtype_letter(dtype), method, r->what);
    if (!case_open(ctx, dtype, case_diagonal(N, a, 2 * a), CASE_AS_IT_IS, 0, &c))
        return;
    for (int i = 0; i < N; i++) {
        value[i] = b * (1 + 0.5 * ((i * 7) % 10) / 10);
        start[i] = (number){guess, 0};
    }
    set_b(&c, value);
    case_start(&c, start);
    snprintf(words, sizeof words, "method=%s,precond=jacobi,format=keep", method);
    const gable_solve_info info = case_solve(&c, words);
    case_outcome_is(&info, r->outcome, r->said);
    case_solution(&c, x);
    for (int i = 0; i < N; i++)
        if (!isfinite(x[i].re)) {
            CHECK(false, "x[%d] is %g", i, x[i].re);
            break;
        }
    const double residual = residual_of(&c, x, b);
    CHECK(r->outcome != GABLE_SOLVED || residual <= (is_wide ? 2e-8 : 2e-5), "residual %g",
          residual);
    CHECK(fabs(residual - info.residual) <= 1e-3 * residual + (is_wide ? 1e-14 : 1e-6),
          "the residual is %g, not %g", residual, info.residual);
    case_close(&c);
}

/* ---- Tolerances of 0 ---- */

/* Iterations that go on as long as they can end with a solution that rounding does not let become
 * better. */
static void no_tolerance(gbl_dtype dtype, const char *words)
{
    char more[160];
    system_case c;
    test_case("%c, tolerance=0, %s", gbl_dtype_letter(dtype), words);
    if (!case_open(ctx, dtype, case_laplacian(14, 11, 0), CASE_HERMITIAN, 0, &c))
        return;
    snprintf(more, sizeof more, "%s,tolerance=0,format=keep", words);
    const gable_solve_info info = case_solve(&c, more);
    CHECK(info.outcome == GABLE_STAGNATED, "outcome %d: %s", (int)info.outcome, info.text);
    CHECK(strstr(info.text, "larger tolerance") != NULL, "\"%s\"", info.text);
    case_residual_is(&c, &info, is_single(dtype) ? 2e-6 : 4e-15);
    case_close(&c);

    test_case("%c, tolerance=0, a diagonal of ones, %s", gbl_dtype_letter(dtype), words);
    if (!case_open(ctx, dtype, case_diagonal(30, 1, 1), CASE_AS_IT_IS, 0, &c))
        return;
    const gable_solve_info exact = case_solve(&c, more);
    case_outcome_is(&exact, GABLE_SOLVED, "solved");
    CHECK(exact.residual == 0, "the residual is %g", exact.residual);
    case_close(&c);
}

/* ---- Skew-symmetric matrices ---- */

/* Numbers above the diagonal, their negatives below it, `density` of them. */
static model skew(int64_t n, double density, uint64_t seed)
{
    model m = {.rows = n, .columns = n};
    m.start = calloc((size_t)n + 1, sizeof *m.start);
    m.column = calloc((size_t)(n * n), sizeof *m.column);
    m.value = calloc((size_t)(n * n), sizeof *m.value);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            const uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
            const bool next = high == low + 1;
            const double drawn = data_double(seed, low * (uint64_t)n + high);
            if (i == j ||
                (!next && fabs(data_double(seed + 1, low * (uint64_t)n + high)) > density))
                continue;
            m.column[m.entries] = j;
            m.value[m.entries++] = (number){i < j ? drawn : -drawn, 0};
        }
        m.start[i + 1] = m.entries;
    }
    return m;
}

static void skew_matrices(gbl_dtype dtype, int64_t n, const char *words)
{
    char more[128];
    for (uint64_t seed = 1; seed <= (slow ? 2 : 6); seed++) {
        system_case c;
        test_case("%c, skew-symmetric, order %lld, %s, seed %d", gbl_dtype_letter(dtype),
                  (long long)n, words, (int)seed);
        if (!case_open(ctx, dtype, skew(n, 0.2, seed), CASE_AS_IT_IS, 0, &c))
            return;
        snprintf(more, sizeof more, "method=bicgstab,%s", words);
        gable_solve_info info = case_solve(&c, more);
        case_outcome_is(&info, GABLE_BREAKDOWN, "try method=gmres");
        case_residual_is(&c, &info, 1);
        case_start(&c, NULL);
        snprintf(more, sizeof more, "method=gmres,%s,restart=200", words);
        info = case_solve(&c, more);
        case_outcome_is(&info, GABLE_SOLVED, "solved");
        case_close(&c);
    }
}

/* ---- Singular matrices, and hints ---- */

/* A matrix that is not symmetric, of which a row or a column is 0. */
static void singular(gbl_dtype dtype, bool row, const char *method)
{
    char words[96], said[64];
    system_case c;
    model A = case_laplacian(9, 8, 1);
    for (int64_t i = 0; i < A.rows; i++)
        for (int64_t e = A.start[i]; e < A.start[i + 1]; e++) {
            A.value[e].re *= A.column[e] > i ? 0.5 : 1;
            if ((row ? i : A.column[e]) == 30)
                A.value[e] = (number){0, 0};
        }
    test_case("%c, %s: %s 30 is 0", gbl_dtype_letter(dtype), method, row ? "row" : "column");
    if (!case_open(ctx, dtype, A, CASE_AS_IT_IS, 0, &c))
        return;
    snprintf(words, sizeof words, "method=%s,format=keep", method);
    snprintf(said, sizeof said, "its %s 31 (counted from 1) is 0", row ? "row" : "column");
    const gable_solve_info info = case_solve(&c, words);
    CHECK(info.outcome != GABLE_SOLVED, "solved");
    CHECK(strstr(info.text, said) != NULL && strstr(info.text, "singular") != NULL, "\"%s\"",
          info.text);
    CHECK(strstr(info.text, "try") == NULL, "\"%s\"", info.text);
    case_residual_is(&c, &info, 1);
    case_close(&c);
}

/* The hint says what the method needs of the matrix, and the precision of its entries. */
static void unsuited(void)
{
    system_case c;
    model A = case_laplacian(9, 8, 1);
    test_case("cg with a matrix that is not symmetric");
    for (int64_t i = 0; i < A.rows; i++)
        for (int64_t e = A.start[i]; e < A.start[i + 1]; e++)
            A.value[e].re *= A.column[e] > i ? -3 : 1;
    if (!case_open(ctx, GBL_D, A, CASE_AS_IT_IS, 0, &c))
        return;
    gable_solve_info info = case_solve(&c, "method=cg,format=keep");
    CHECK(info.outcome != GABLE_SOLVED, "solved");
    CHECK(strstr(info.text, "not Hermitian") != NULL && strstr(info.text, "method=bicgstab"),
          "\"%s\"", info.text);
    case_close(&c);
    for (int k = 0; k < 2; k++) {
        A = case_laplacian(9, 8, 0);
        for (int64_t e = 0; e < A.entries; e++)
            A.value[e].re *= k == 0 ? 0x1p600 : 0x1p-600;
        test_case("a matrix whose squares leave the range, %d", k);
        if (!case_open(ctx, GBL_D, A, CASE_AS_IT_IS, 0, &c))
            return;
        info = case_solve(&c, "method=gmres,precond=none,format=keep");
        CHECK(info.outcome != GABLE_SOLVED && strstr(info.text, "precond=jacobi") != NULL &&
                  strstr(info.text, "far from 1") != NULL,
              "%d: \"%s\"", (int)info.outcome, info.text);
        for (int method = 0; method < (slow ? 1 : 4); method++) {
            static const char *const words[] = {"method=cg,format=keep", "format=keep",
                                                "method=bicgstab,format=keep",
                                                "method=gmres,format=keep"};
            case_start(&c, NULL);
            info = case_solve(&c, words[method]);
            case_outcome_is(&info, GABLE_SOLVED, "solved");
        }
        case_close(&c);
    }
}

/* A column that is 0: no residual sees what becomes of its element of x. */
static void unseen(const char *words, double size_a, double size_b)
{
    double value[31];
    system_case c;
    test_case("a diagonal with a 0, %s, sizes %g and %g", words, size_a, size_b);
    model A = case_diagonal(31, -size_a, size_a);
    if (!case_open(ctx, GBL_D, A, CASE_AS_IT_IS, 0, &c))
        return;
    for (int i = 0; i < 31; i++)
        value[i] = size_b * (1 + i % 5);
    set_b(&c, value);
    case_solve(&c, words);
    number x[32];
    case_solution(&c, x);
    for (int i = 0; i < 31; i++)
        CHECK(isfinite(x[i].re), "x[%d] is %g", i, x[i].re);
    case_close(&c);
}

/* A shift: no method gets on before it has seen all places. The hint names none that gave up. */
static void hints(void)
{
    const bool few = strcmp(test_device(), "cpu") != 0; /* there restart is at most 256 */
    system_case c;
    test_case("a shift, method=auto");
    model A = case_diagonal(few ? 110 : 400, 1, 1);
    for (int64_t i = 0; i < A.rows; i++)
        A.column[i] = (i + 1) % A.rows;
    if (!case_open(ctx, GBL_D, A, CASE_AS_IT_IS, 0, &c))
        return;
    gable_solve_info info = case_solve(&c, "format=keep");
    CHECK(info.outcome != GABLE_SOLVED, "solved");
    CHECK(strstr(info.text, "gmres went on") != NULL, "\"%s\"", info.text);
    CHECK(strstr(info.text, "method=") == NULL, "\"%s\"", info.text);
    const char *const restart =
        few ? "restart=110" : "restart=400"; /* the order, and that solves it */
    CHECK(strstr(info.text, restart) != NULL && strstr(info.text, "jacobi") == NULL, "\"%s\"",
          info.text);
    case_start(&c, NULL);
    info = case_solve(&c, restart);
    case_outcome_is(&info, GABLE_SOLVED, "solved");
    if (few) {
        case_close(&c);
        return;
    }
    case_start(&c, NULL);
    info = case_solve(&c, "method=gmres,format=keep");
    CHECK(strstr(info.text, "method=bicgstab") != NULL, "\"%s\"", info.text);
    case_start(&c, NULL);
    info = case_solve(&c, "method=gmres,format=keep,precond=block,block=32,restart=390");
    CHECK(strstr(info.text, "block=") == NULL && strstr(info.text, "restart=390") == NULL, "\"%s\"",
          info.text);
    case_close(&c);
}

/* ---- The first guess ---- */

static void no_guess(gbl_dtype dtype)
{
    system_case c;
    test_case("%c, guess=zero", gbl_dtype_letter(dtype));
    if (!case_open(ctx, dtype, case_laplacian(12, 11, 0), CASE_HERMITIAN, 0, &c))
        return;
    const gable_solve_info plain = case_solve(&c, "method=cg,format=keep");
    number *x = calloc((size_t)c.A.rows, sizeof *x);
    for (int64_t i = 0; i < c.A.rows; i++)
        x[i].re = NAN;
    case_start(&c, x);
    gable_solve_info info = case_solve(&c, "method=cg,format=keep,guess=zero");
    case_outcome_is(&info, GABLE_SOLVED, "solved");
    CHECK(info.iterations == plain.iterations, "%lld iterations, not %lld",
          (long long)info.iterations, (long long)plain.iterations);
    case_residual_is(&c, &info, is_single(dtype) ? 1e-5 : 1e-8);
    info = case_solve(&c, "method=cg,format=keep,guess=zero,guess=x");
    case_outcome_is(&info, GABLE_SOLVED, "solved");
    CHECK(info.iterations == 0, "%lld iterations", (long long)info.iterations);
    free(x);
    case_close(&c);
}

int main(void)
{
    static const char *const methods[] = {"cg", "bicgstab", "gmres"};
    test_start("test_outcome");
    ctx = test_open();
    slow = strncmp(test_device(), "opencl", 6) == 0 && !test_all();
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        for (int k = 0; k < (slow ? 1 : 3); k++) {
            range(GBL_S, &ranges[i], methods[k]);
            range(GBL_D, &ranges[i], methods[k]);
            if (!slow && k == 0)
                range(GBL_Z, &ranges[i], methods[k]);
        }
    for (int dtype = 0; dtype < (slow ? 1 : GBL_DTYPES); dtype++) {
        no_tolerance((gbl_dtype)dtype, "method=cg,precond=none,form=pipelined");
        no_tolerance((gbl_dtype)dtype, "method=cg,precond=jacobi,form=pipelined");
        no_tolerance((gbl_dtype)dtype, "method=cg,precond=none,form=standard");
        no_tolerance((gbl_dtype)dtype, "method=bicgstab,precond=none");
        no_tolerance((gbl_dtype)dtype, "method=gmres,precond=none");
        no_guess((gbl_dtype)dtype);
    }
    singular(GBL_D, false, "auto");
    singular(GBL_S, true, "auto");
    skew_matrices(GBL_S, 90, "precond=none");
    if (!slow) {
        singular(GBL_C, true, "auto");
        singular(GBL_D, true, "gmres");
        singular(GBL_D, true, "bicgstab");
        skew_matrices(GBL_D, 2, "precond=none");
        skew_matrices(GBL_D, 90, "precond=none");
        skew_matrices(GBL_D, 90, "precond=none,format=coo");
    }
    unsuited();
    for (int k = 0; k < 3; k++) {
        const double size_a[] = {1, 1e-130, 1e20}, size_b[] = {1, 1e170, 1e250};
        unseen("method=bicgstab,format=keep", size_a[k], size_b[k]);
        if (slow)
            continue;
        unseen("method=bicgstab,precond=block,tolerance=0,format=keep", size_a[k], size_b[k]);
        unseen("method=gmres,format=keep", size_a[k], size_b[k]);
    }
    hints();
    gable_close(ctx);
    return test_finish();
}
