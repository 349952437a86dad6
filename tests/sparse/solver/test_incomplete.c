/* test_incomplete.c: ILU(0) and IC(0): factors, their application, solves with them, what cannot be
 * factored.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * L D U must be A where A has entries, to rounding errors: that determines the factors. Each number
 * of M is a sum of at most `terms` products of three, each with a few roundings more, so the bound
 * is (terms + 10) u times the sum of the moduli (Higham, Accuracy and Stability, 9.3).
 */
#include <stdio.h>
#include <stdlib.h>
#include "harness/left_out.h"
#include "sparse/matrix/sparse_host.h"
#include "sparse/solver/incomplete.h"
#include "sparse/solver/solver_case.h"

static gable_context *ctx;

/* Where kernels compile slowly. */
static bool is_slow(void)
{
    return !test_all() && strncmp(test_device(), "opencl", 6) == 0;
}

static double tolerance_of(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? 1e-4 : 1e-9;
}

/* ---- Matrices ---- */

/* From lines of a dense matrix, where "." has no entry. */
static model of_text(int64_t n, const char *text)
{
    model m = {.rows = n,
               .columns = n,
               .start = calloc((size_t)n + 1, sizeof(int64_t)),
               .column = calloc((size_t)(n * n), sizeof(int64_t)),
               .value = calloc((size_t)(n * n), sizeof(number))};
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            while (*text == ' ')
                text++;
            char *end = NULL;
            const double value = *text == '.' ? 0 : strtod(text, &end);
            if (*text != '.') {
                m.column[m.entries] = j;
                m.value[m.entries++] = (number){value, 0};
            }
            text = *text == '.' ? text + 1 : end;
        }
        m.start[i + 1] = m.entries;
    }
    return m;
}

/* Neighbours above the diagonal count half. */
static model unsymmetric(int64_t nx, int64_t ny, double spread)
{
    model A = case_laplacian(nx, ny, spread);
    for (int64_t i = 0; i < A.rows; i++)
        for (int64_t e = A.start[i]; e < A.start[i + 1]; e++)
            if (A.column[e] > i)
                A.value[e].re *= 0.5;
    return A;
}

/* Two levels of n / 2 rows each: row i of the second half has entries in `each` columns of the
 * first half, and so have these rows in turn, but for every third entry. */
static model two_levels(int64_t n, int64_t each)
{
    const int64_t half = n / 2;
    model m = {.rows = n,
               .columns = n,
               .start = calloc((size_t)n + 1, sizeof(int64_t)),
               .column = calloc((size_t)(n * (each + 1)), sizeof(int64_t)),
               .value = calloc((size_t)(n * (each + 1)), sizeof(number))};
    for (int64_t i = 0; i < n; i++) {
        const bool second = i >= half;
        const int64_t from = i % half + each <= half ? i % half : half - each;
        for (int pass = 0; pass < 2; pass++) {
            if ((pass == 0) != second) { /* the diagonal, on its side of the others */
                m.column[m.entries] = i;
                m.value[m.entries++] = (number){(double)each + 1, 0};
                continue;
            }
            for (int64_t k = 0; k < each; k++) {
                if (!second && (i + k) % 3 == 0)
                    continue;
                m.column[m.entries] = (second ? 0 : half) + from + k;
                m.value[m.entries++] = (number){data_double(3, (uint64_t)(i * each + k)), 0};
            }
        }
        m.start[i + 1] = m.entries;
    }
    return m;
}

/* ---- Factors ---- */

/* Row i of L or U. */
typedef struct row {
    int64_t begin, end;
} row;

static row row_of(const struct gbl_factor *f, const gbl_factor_half *half, int64_t i)
{
    const int64_t place = half->at != NULL ? gbl_index_get(half->at, f->index_bytes, i)
                          : half->upper    ? f->n - 1 - i
                                           : i;
    return (row){gbl_index_get(half->host.start, f->index_bytes, place),
                 gbl_index_get(half->host.start, f->index_bytes, place + 1)};
}

static int64_t column_at(const struct gbl_factor *f, const gbl_factor_half *half, int64_t e)
{
    return gbl_index_get(half->host.column, f->index_bytes, e);
}

static number value_at(const struct gbl_factor *f, const gbl_factor_half *half, int64_t e)
{
    return element_get(f->dtype, half->host.value, e);
}

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static number inverse_of(number a)
{
    const double size = a.re * a.re + a.im * a.im;
    return (number){a.re / size, -a.im / size};
}

/* sum[j] += factor times row k of U, with its 1. */
static void add_row(const struct gbl_factor *f, int64_t k, number factor, number_sum *sum)
{
    const row u = row_of(f, &f->upper, k);
    number_add_product(&sum[k], factor, (number){1, 0});
    for (int64_t e = u.begin; e < u.end; e++)
        number_add_product(&sum[column_at(f, &f->upper, e)], factor, value_at(f, &f->upper, e));
}

static void clear_row(const struct gbl_factor *f, int64_t k, number_sum *sum)
{
    const row u = row_of(f, &f->upper, k);
    sum[k] = (number_sum){.size = 0};
    for (int64_t e = u.begin; e < u.end; e++)
        sum[column_at(f, &f->upper, e)] = (number_sum){.size = 0};
}

/* The worst of |L D U - A| over its bound, in the places of A. Those of IC(0) above the diagonal
 * follow from those below, for A is Hermitian. */
static double distance(const struct gbl_factor *f, const model *A)
{
    double worst = 0;
    number_sum *sum = calloc((size_t)A->rows, sizeof *sum);
    for (int64_t i = 0; i < A->rows; i++) {
        const row l = row_of(f, &f->lower, i);
        for (int64_t e = l.begin; e < l.end; e++) {
            const int64_t k = column_at(f, &f->lower, e);
            add_row(
                f, k,
                times(value_at(f, &f->lower, e), inverse_of(element_get(f->dtype, f->inverse, k))),
                sum);
        }
        add_row(f, i, inverse_of(element_get(f->dtype, f->inverse, i)), sum);
        const double units =
            ((double)(l.end - l.begin) + 11) * number_roundoff(f->dtype) * number_limit(f->dtype);
        for (int64_t e = A->start[i]; e < A->start[i + 1]; e++) {
            number a = A->value[e];
            if (A->column[e] == i)
                a.re *= 1 + f->shift;
            const number_sum *here = &sum[A->column[e]];
            const double off = number_distance(here, a);
            const double bound = units * (here->size + number_size(a));
            if (!(off <= worst * bound)) /* so that NaN counts */
                worst = off / bound;
        }
        for (int64_t e = l.begin; e < l.end; e++)
            clear_row(f, column_at(f, &f->lower, e), sum);
        clear_row(f, i, sum);
    }
    free(sum);
    return worst;
}

/* |x - L D U y| over its bound. */
static double applied(const struct gbl_factor *f, const number *x, const number *y)
{
    double worst = 0;
    number *v = calloc((size_t)f->n, sizeof *v);
    double *size = calloc((size_t)f->n, sizeof *size);
    int64_t longest = 0;
    for (int64_t i = 0; i < f->n; i++) {
        const row u = row_of(f, &f->upper, i);
        const number d = inverse_of(element_get(f->dtype, f->inverse, i));
        number_sum sum = {.size = 0};
        number_add_product(&sum, y[i], (number){1, 0});
        for (int64_t e = u.begin; e < u.end; e++)
            number_add_product(&sum, value_at(f, &f->upper, e), y[column_at(f, &f->upper, e)]);
        v[i] = times(d, (number){sum.re.high + sum.re.low, sum.im.high + sum.im.low});
        size[i] = number_size(d) * sum.size;
        longest = u.end - u.begin > longest ? u.end - u.begin : longest;
    }
    for (int64_t i = 0; i < f->n; i++) {
        const row l = row_of(f, &f->lower, i);
        number_sum sum = {.size = 0};
        double sizes = size[i];
        number_add_product(&sum, v[i], (number){1, 0});
        for (int64_t e = l.begin; e < l.end; e++) {
            const int64_t k = column_at(f, &f->lower, e);
            number_add_product(&sum, value_at(f, &f->lower, e), v[k]);
            sizes += number_size(value_at(f, &f->lower, e)) * size[k];
        }
        const double bound = (double)(longest + l.end - l.begin + 12) * number_roundoff(f->dtype) *
                             number_limit(f->dtype) * sizes;
        const double off = number_distance(&sum, x[i]);
        if (!(off <= worst * bound))
            worst = off / bound;
    }
    free(v);
    free(size);
    return worst;
}

/* Makes the factorization by an application, and looks at both. */
static void check_factors(system_case *c, gable_solver *solver)
{
    number *y = calloc((size_t)c->A.rows, sizeof *y);
    if (CHECK_OK(ctx, gable_solver_apply(solver, c->db, c->dx))) {
        const struct gbl_factor *f = solver->factor;
        case_solution(c, y);
        const double factors = distance(f, &c->A), application = applied(f, c->b, y);
        CHECK(factors <= 1, "L D U is off by %g bounds", factors);
        CHECK(application <= 1, "M y is off by %g bounds", application);
    }
    free(y);
}

static gable_solver *open_solver(const system_case *c, const char *words)
{
    gable_solver *solver = NULL;
    if (CHECK_OK(ctx, gable_solver_create(ctx, c->matrix, &solver)))
        CHECK_OK(ctx, gable_solver_set(solver, words));
    return solver;
}

static void factors(gbl_dtype dtype, const char *precond, model A, case_kind kind, const char *what)
{
    char words[64];
    system_case c;
    test_case("%c: %s of %s", gbl_dtype_letter(dtype), precond, what);
    if (!case_open(ctx, dtype, A, kind, 0, &c))
        return;
    snprintf(words, sizeof words, "method=cg,format=keep,precond=%s", precond);
    gable_solver *solver = open_solver(&c, words);
    if (solver != NULL)
        check_factors(&c, solver);
    gable_solver_destroy(solver);
    case_close(&c);
}

static void all_factors(gbl_dtype dtype)
{
    static const char *const small[] = {
        "4 1 . . 2  . 3 1 . .  1 . 5 . 1  . 2 . 4 .  1 . . 1 6", /* an unsymmetric pattern */
        "2 1 . . .  1 . 1 . .  . 1 3 1 .  . . 1 . 1  . . . 2 5", /* no diagonal in rows 2 and 4 */
    };
    for (int k = 0; k < 2; k++)
        factors(dtype, "ilu0", of_text(5, small[k]), CASE_AS_IT_IS, "5 rows");
    factors(dtype, "ilu0", of_text(1, "3"), CASE_AS_IT_IS, "1 row");
    factors(dtype, "ic0", of_text(1, "3"), CASE_AS_IT_IS, "1 row");
    factors(dtype, "ilu0", unsymmetric(23, 17, 2), CASE_AS_IT_IS, "391 rows");
    factors(dtype, "ic0", case_laplacian(23, 17, 2), CASE_HERMITIAN, "391 rows");
    factors(dtype, "ic0", case_laplacian(97, 1, 2), CASE_HERMITIAN, "three diagonals");
    factors(dtype, "ilu0", case_diagonal(1000, 1, 3), CASE_AS_IT_IS, "a diagonal");
}

/* Where teams and launches share out a level. */
static void wide_levels(gbl_dtype dtype)
{
    factors(dtype, "ilu0", two_levels(test_small() ? 3000 : 30001, 4), CASE_AS_IT_IS, "two levels");
}

/* Other formats, indices of 64 bits. */
static void layouts(void)
{
    static const gable_format formats[] = {GABLE_SELL, GABLE_COO};
    system_case c;
    if (!case_open(ctx, GBL_D, unsymmetric(20, 9, 1), CASE_AS_IT_IS, 0, &c))
        return;
    for (int k = is_slow() ? 1 : 0; k < 3; k++) {
        gable_sparse *before = c.matrix, *other = NULL;
        gable_solver *solver = NULL;
        test_case("layout %d", k);
        if (k < 2)
            CHECK_OK(ctx, gable_sparse_convert(ctx, before, formats[k], 0, 0, &other));
        else
            other = sparse_of(ctx, GBL_D, 64, &c.A);
        c.matrix = other;
        if (other != NULL)
            solver = open_solver(&c, "method=cg,precond=ilu0,format=keep");
        if (solver != NULL)
            check_factors(&c, solver);
        gable_solver_destroy(solver);
        c.matrix = before;
        CHECK_OK(ctx, gable_sparse_destroy(ctx, other));
    }
    case_close(&c);
}

/* Real matrices: those that have no factorization say so. */
static void files(void)
{
    static const struct {
        const char *name;
        bool hermitian, factored;
    } list[] = {{"1138_bus.mtx", true, true},   {"bcsstk13.mtx", true, true},
                {"sherman5.mtx", false, true},  {"watt_2.mtx", false, true},
                {"olm1000.mtx", false, true},   {"memplus.mtx", false, true},
                {"west0479.mtx", false, false}, {"Trefethen_2000.mtx", true, true}};
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        model A;
        system_case c;
        test_case("%s", list[k].name);
        if (!case_file(list[k].name, &A) || !case_open(ctx, GBL_D, A, CASE_AS_IT_IS, 0, &c))
            continue;
        gable_solver *solver =
            open_solver(&c, list[k].hermitian ? "method=cg,format=keep,precond=ic0"
                                              : "method=cg,format=keep,precond=ilu0");
        if (solver != NULL && list[k].factored)
            check_factors(&c, solver);
        else if (solver != NULL)
            CHECK_REFUSED(ctx, gable_solver_apply(solver, c.db, c.dx), GABLE_NOT_SUPPORTED,
                          "gable_solver_apply", "pivot of ilu0 in row");
        gable_solver_destroy(solver);
        case_close(&c);
    }
}

/* ---- Solves ---- */

static int64_t iterations(system_case *c, const char *method, const char *precond, bool *exact)
{
    char words[160];
    gable_solve_info info;
    snprintf(words, sizeof words, "method=%s,form=standard,format=keep,precond=%s,tolerance=%g",
             method, precond, tolerance_of(c->dtype));
    gable_solver *solver = open_solver(c, words);
    case_start(c, NULL);
    const int64_t count =
        solver != NULL ? case_run(c, solver, tolerance_of(c->dtype), precond, &info) : -1;
    CHECK(strcmp(info.method, method) == 0, "%s", info.method);
    *exact = count >= 0 && count <= 2;
    gable_solver_destroy(solver);
    return count;
}

static void solves(gbl_dtype dtype)
{
    static const struct {
        const char *method, *precond;
    } ways[] = {{"cg", "ic0"}, {"cg", "ilu0"}, {"bicgstab", "ilu0"}, {"gmres", "ilu0"}};
    for (int k = 0; k < 4; k++) {
        const bool cg = k < 2;
        system_case c;
        bool exact;
        test_case("%c: %s with %s", gbl_dtype_letter(dtype), ways[k].method, ways[k].precond);
        model A = cg ? case_laplacian(30, 20, 3) : unsymmetric(30, 20, 3);
        if (!case_open(ctx, dtype, A, cg ? CASE_HERMITIAN : CASE_AS_IT_IS, 0, &c))
            return;
        /* Real precisions have the kernels of CG and BiCGStab, complex ones those of GMRES, without
         * Jacobi. */
        const bool alone = k == 3 && is_slow();
        if (is_slow() && (gbl_dtype_complex(dtype) ? k < 3 : k == 3))
            continue;
        const int64_t jacobi = alone ? 0 : iterations(&c, ways[k].method, "jacobi", &exact);
        const int64_t factored = iterations(&c, ways[k].method, ways[k].precond, &exact);
        CHECK(factored > 0 && (alone || 3 * factored <= 2 * jacobi),
              "%lld iterations, with jacobi %lld", (long long)factored, (long long)jacobi);
        case_close(&c);

        test_case("%c: %s with %s, three diagonals", gbl_dtype_letter(dtype), ways[k].method,
                  ways[k].precond);
        A = cg ? case_laplacian(300, 1, 1) : unsymmetric(300, 1, 1);
        if (!case_open(ctx, dtype, A, cg ? CASE_HERMITIAN : CASE_AS_IT_IS, 0, &c))
            return;
        iterations(&c, ways[k].method, ways[k].precond, &exact); /* M is A */
        CHECK(exact, "not at once");
        case_close(&c);
    }
}

/* ---- What cannot be factored ---- */

typedef struct hopeless {
    const char *precond, *text;
    int64_t n;
    gable_outcome outcome;
    const char *piece, *refused;
} hopeless;

static void refuse(const hopeless *it)
{
    char words[80];
    system_case c;
    gable_solve_info info;
    test_case("%s of %s", it->precond, it->text);
    if (!case_open(ctx, GBL_D, of_text(it->n, it->text), CASE_AS_IT_IS, 0, &c))
        return;
    snprintf(words, sizeof words, "method=cg,form=standard,format=keep,precond=%s", it->precond);
    gable_solver *solver = open_solver(&c, words);
    if (solver != NULL) {
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        case_outcome_is(&info, it->outcome, it->piece);
        CHECK(info.iterations == 0 && (info.residual == 1 || it->outcome == GABLE_NOT_FINITE),
              "%lld iterations, residual %g", (long long)info.iterations, info.residual);
        CHECK_REFUSED(ctx, gable_solver_apply(solver, c.db, c.dx), GABLE_NOT_SUPPORTED,
                      "gable_solver_apply", it->refused);
        CHECK_OK(ctx, gable_solver_set(solver, "precond=none,iterations=2"));
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        CHECK(info.iterations > 0 || it->outcome != GABLE_BREAKDOWN,
              "nothing was tried without it");
        gable_solver_destroy(solver);
    }
    case_close(&c);
}

static void refused(void)
{
    static const hopeless list[] = {
        {"ilu0", "1 1 .  1 1 1  . 1 4", 3, GABLE_BREAKDOWN, "pivot of ilu0 in row 2",
         "pivot of ilu0 in row 2"},
        {"ilu0", "0 1  1 1", 2, GABLE_BREAKDOWN, "pivot of ilu0 in row 1", "row 1"},
        {"ilu0", "1 . .  . . .  . . 1", 3, GABLE_BREAKDOWN, "its row 2 (counted from 1) is 0",
         "row 2"},
        {"ilu0", "0.1 0.3  0.3 0.9", 2, GABLE_BREAKDOWN, "nearly 0", "row 2"}, /* 0.9 - 3 * 0.3 */
        {"ilu0", "1 2 .  2 nan 1  . 1 4", 3, GABLE_NOT_FINITE, "row 2", "NaN or Inf in row 2"},
        {"ic0", "1 . .  . -2 .  . . 1", 3, GABLE_NOT_DEFINITE, "positive diagonal", "row 2"},
        {"ic0", "1 2 .  2 inf 1  . 1 4", 3, GABLE_NOT_FINITE, "row 2", "NaN or Inf in row 2"},
    };
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++)
        refuse(&list[k]);
}

/* Kershaw's matrix: positive definite, but the last pivot of IC(0) is -5 (J. Comp. Phys. 26,
 * 1978). */
static void shifted(void)
{
    system_case c;
    gable_solve_info info;
    test_case("a shift");
    model A = of_text(4, "3 -2 . 2  -2 3 -2 .  . -2 3 -2  2 . -2 3");
    if (!case_open(ctx, GBL_D, A, CASE_AS_IT_IS, 0, &c))
        return;
    gable_solver *solver = open_solver(&c, "method=cg,format=keep,precond=ic0");
    if (solver != NULL) {
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        case_outcome_is(&info, GABLE_SOLVED, "ic0 is of A + ");
        case_residual_is(&c, &info, 1e-8);
        CHECK(solver->factor->shift >= 0.001 && solver->factor->shift <= 1, "shift %g",
              solver->factor->shift);
        check_factors(&c, solver);
        gable_solver_destroy(solver);
    }
    case_close(&c);
}

static gable_status nothing(void *user, gable_context *queue, const void *x, void *y)
{
    (void)user, (void)queue, (void)x, (void)y;
    return GABLE_OK;
}

static void arguments(void)
{
    system_case c;
    gable_solver *solver = NULL;
    gable_solve_info info;
    test_case("options");
    if (!case_open(ctx, GBL_D, case_laplacian(5, 5, 1), CASE_AS_IT_IS, 0, &c))
        return;
    solver = open_solver(&c, "method=cg,format=keep,precond=ic0,form=pipelined");
    CHECK_REFUSED(ctx, gable_solver_solve(solver, c.db, c.dx, &info), GABLE_NOT_SUPPORTED,
                  "gable_solver_solve", "form=pipelined");
    CHECK_REFUSED(ctx, gable_solver_set(solver, "precond=ilu"), GABLE_BAD_ARGUMENT,
                  "gable_solver_set", "ilu0 or ic0");
    gable_solver_destroy(solver);
    if (CHECK_OK(ctx, gable_solver_create_operator(ctx, 'd', 25, nothing, NULL, &solver))) {
        CHECK_OK(ctx, gable_solver_set(solver, "precond=ilu0"));
        CHECK_REFUSED(ctx, gable_solver_solve(solver, c.db, c.dx, &info), GABLE_NOT_SUPPORTED,
                      "gable_solver_solve", "precond=ilu0", "operator");
        gable_solver_destroy(solver);
    }
    case_close(&c);
}

/* ---- Other values, and the same bits again ---- */

static void set_values(system_case *c, double factor)
{
    double *values = calloc((size_t)c->A.entries + 1, sizeof *values);
    for (int64_t i = 0; i < c->A.rows; i++)
        for (int64_t e = c->A.start[i]; e < c->A.start[i + 1]; e++) {
            c->A.value[e].re *= c->A.column[e] == i ? factor : 1;
            values[e] = c->A.value[e].re;
        }
    CHECK_OK(ctx, gable_sparse_dset_values(ctx, c->matrix, values));
    free(values);
}

static void renewed(const char *precond)
{
    char words[80];
    system_case c;
    gable_solve_info info;
    test_case("%s of other values", precond);
    if (!case_open(ctx, GBL_D, case_laplacian(12, 11, 1), CASE_AS_IT_IS, 0, &c))
        return;
    snprintf(words, sizeof words, "method=cg,format=keep,precond=%s", precond);
    gable_solver *solver = open_solver(&c, words);
    if (solver != NULL) {
        check_factors(&c, solver);
        const void *pattern = solver->factor->lower.host.column;
        set_values(&c, 1.5);
        check_factors(&c, solver);
        CHECK(solver->factor->lower.host.column == pattern, "another pattern was made");
        set_values(&c, -1); /* a diagonal that IC(0) cannot have */
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        if (strcmp(precond, "ic0") == 0)
            case_outcome_is(&info, GABLE_NOT_DEFINITE, "row 1 ");
        set_values(&c, -1);
        case_start(&c, NULL);
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        case_outcome_is(&info, GABLE_SOLVED, "solved");
        check_factors(&c, solver);
        gable_solver_destroy(solver);
    }
    case_close(&c);
}

static void repeat(void)
{
    enum { N = 600 };
    static number first[N], second[N];
    system_case c;
    test_case("the same bits");
    if (!case_open(ctx, GBL_D, unsymmetric(30, 20, 2), CASE_AS_IT_IS, 0, &c))
        return;
    for (int turn = 0; turn < 2; turn++) {
        gable_solver *solver = open_solver(&c, "method=bicgstab,format=keep,precond=ilu0");
        gable_solve_info info;
        case_start(&c, NULL);
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        case_solution(&c, turn == 0 ? first : second);
        gable_solver_destroy(solver);
    }
    CHECK(memcmp(first, second, sizeof first) == 0, "other bits");
    case_close(&c);
}

int main(void)
{
    test_start("test_incomplete");
    ctx = test_open();
    for (int dtype = 0; dtype < GBL_DTYPES; dtype++) {
        if (test_precision_left_out(gbl_dtype_letter((gbl_dtype)dtype)))
            continue;
        if (!test_only("repeat")) {
            all_factors((gbl_dtype)dtype);
            wide_levels((gbl_dtype)dtype);
        }
        solves((gbl_dtype)dtype);
    }
    const bool others = !test_precision_left_out('d');
    if (!test_only("repeat") && others) {
        layouts();
        files();
        refused();
        shifted();
        arguments();
        renewed("ilu0");
        renewed("ic0");
    }
    if (others)
        repeat();
    gable_close(ctx);
    return test_finish();
}
