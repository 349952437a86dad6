/* test_precondition.c: operators and preconditioners of the caller's, Jacobi and block-Jacobi, what
 * solvers choose by themselves.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include "sparse/solver/solver.h"
#include "sparse/solver/solver_case.h"

static gable_context *ctx;

/* ---- Operators and preconditioners of the caller's ---- */

typedef struct callback {
    system_case *c;
    int64_t calls, fail_at;
} callback;

static gable_status apply(void *user, gable_context *queue, const void *x, void *y)
{
    callback *back = user;
    if (++back->calls == back->fail_at)
        return GABLE_OUT_OF_MEMORY;
    switch (back->c->dtype) {
    case GBL_S:
        return gable_sparse_smv(queue, GABLE_NO_TRANS, 1, back->c->matrix, x, 0, y);
    case GBL_D:
        return gable_sparse_dmv(queue, GABLE_NO_TRANS, 1, back->c->matrix, x, 0, y);
    case GBL_C:
        return gable_sparse_cmv(queue, GABLE_NO_TRANS, (gable_cfloat){1, 0}, back->c->matrix, x,
                                (gable_cfloat){0, 0}, y);
    default:
        return gable_sparse_zmv(queue, GABLE_NO_TRANS, (gable_cdouble){1, 0}, back->c->matrix, x,
                                (gable_cdouble){0, 0}, y);
    }
}

/* y := x / 4, or -x / 4 where it is to be indefinite */
static gable_status scale(void *user, gable_context *queue, const void *x, void *y)
{
    const callback *back = user;
    const double by = back->fail_at < 0 ? -0.25 : 0.25;
    const int64_t n = back->c->A.rows;
    switch (back->c->dtype) {
    case GBL_S:
        return gable_saxpby(queue, n, (float)by, x, 1, 0, y, 1);
    case GBL_D:
        return gable_daxpby(queue, n, by, x, 1, 0, y, 1);
    case GBL_C:
        return gable_caxpby(queue, n, (gable_cfloat){(float)by, 0}, x, 1, (gable_cfloat){0, 0}, y,
                            1);
    default:
        return gable_zaxpby(queue, n, (gable_cdouble){by, 0}, x, 1, (gable_cdouble){0, 0}, y, 1);
    }
}

static void callbacks(gbl_dtype dtype)
{
    static const char letters[] = "sdcz";
    const double tolerance = gbl_dtype_real_bytes(dtype) == 4 ? 1e-5 : 1e-8;
    system_case c;
    gable_solver *solver = NULL;
    gable_solve_info info;
    test_case("%c: operator and preconditioner of the caller's", gbl_dtype_letter(dtype));
    if (!case_open(ctx, dtype, case_laplacian(20, 15, 3), CASE_HERMITIAN, 0, &c))
        return;
    const int64_t plain = case_plain_cg(&c, false, tolerance, 1000);
    callback product = {.c = &c}, half = {.c = &c};
    if (CHECK_OK(ctx, gable_solver_create_operator(ctx, letters[dtype], c.A.rows, apply, &product,
                                                   &solver))) {
        CHECK_OK(ctx, gable_solver_set(solver, "method=cg"));
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        case_outcome_is(&info, GABLE_SOLVED, "solved");
        case_residual_is(&c, &info, tolerance);
        CHECK(product.calls >= info.iterations, "%lld calls", (long long)product.calls);
        CHECK(plain < 0 || llabs(info.iterations - plain) <= plain / 20 + 1,
              "%lld iterations, a plain loop takes %lld", (long long)info.iterations,
              (long long)plain);
        CHECK(strcmp(info.precond, "none") == 0 && strcmp(info.form, "standard") == 0, "%s, %s",
              info.precond, info.form);
        CHECK_OK(ctx, gable_solver_precondition(solver, scale, &half));
        case_start(&c, NULL);
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        case_outcome_is(&info, GABLE_SOLVED, "solved");
        case_residual_is(&c, &info, tolerance);
        CHECK(strcmp(info.precond, "user") == 0, "%s", info.precond);
        half.fail_at = -1;
        case_start(&c, NULL);
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        case_outcome_is(&info, GABLE_NOT_DEFINITE, "preconditioner");
        CHECK_OK(ctx, gable_solver_precondition(solver, NULL, NULL));
        product.fail_at = product.calls + 5;
        CHECK_STATUS(ctx, gable_solver_solve(solver, c.db, c.dx, &info), GABLE_OUT_OF_MEMORY);
        CHECK_OK(ctx, gable_solver_set(solver, "precond=jacobi"));
        CHECK_REFUSED(ctx, gable_solver_solve(solver, c.db, c.dx, &info), GABLE_NOT_SUPPORTED,
                      "gable_solver_solve", "precond=jacobi", "operator");
        CHECK_OK(ctx, gable_solver_set(solver, "precond=none,form=pipelined"));
        CHECK_REFUSED(ctx, gable_solver_solve(solver, c.db, c.dx, &info), GABLE_NOT_SUPPORTED,
                      "gable_solver_solve", "form=pipelined");
        gable_solver_destroy(solver);
    }
    case_close(&c);
}

/* ---- Preconditioners ---- */

/* A matrix of its blocks alone is solved by block-Jacobi at once; one without inverses counts as
 * the identity. */
static void blocks(gbl_dtype dtype, int size)
{
    char words[128];
    const double tolerance = gbl_dtype_real_bytes(dtype) == 4 ? 1e-5 : 1e-8;
    const int64_t n = 5 * size + (size > 1 ? size - 1 : 0);
    model A = case_laplacian(n, 1, 1);
    int64_t kept = 0, from = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t to = A.start[i + 1];
        for (int64_t e = from; e < to; e++) {
            if (A.column[e] / size == i / size) {
                A.column[kept] = A.column[e];
                A.value[kept++] = A.value[e];
            }
        }
        from = to;
        A.start[i + 1] = kept;
    }
    A.entries = kept;
    system_case c;
    test_case("%c: blocks of %d rows", gbl_dtype_letter(dtype), size);
    if (!case_open(ctx, dtype, A, CASE_HERMITIAN, 0, &c))
        return;
    static const char *const forms[] = {"standard", "pipelined"};
    for (int f = 0; f < 2; f++) {
        snprintf(words, sizeof words, "method=cg,form=%s,precond=block,block=%d,format=csr",
                 forms[f], size);
        case_start(&c, NULL);
        const gable_solve_info info = case_solve(&c, words);
        case_outcome_is(&info, GABLE_SOLVED, "solved");
        case_residual_is(&c, &info, tolerance);
        CHECK(info.iterations <= 2, "form=%s takes %lld iterations", forms[f],
              (long long)info.iterations);
    }
    case_close(&c);
}

/* Zeros on the diagonal: their inverses are 1. The matrix [0 1; 1 0] twice, and 4: only the last
 * has an inverse. */
static void singular(void)
{
    system_case c;
    gable_solver *solver = NULL;
    model A = case_diagonal(3, 4, 4);
    A.value[1].re = 0;
    test_case("a diagonal with a zero");
    if (!case_open(ctx, GBL_D, A, CASE_AS_IT_IS, 0, &c))
        return;
    if (CHECK_OK(ctx, gable_solver_create(ctx, c.matrix, &solver))) {
        gable_solve_info info;
        double inverse[3] = {0};
        CHECK_OK(ctx, gable_solver_set(solver, "method=cg,precond=jacobi,format=keep"));
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info));
        CHECK_OK(ctx, gable_get_vector(ctx, 3, sizeof(double), solver->inverse, 1, inverse, 1));
        CHECK(inverse[0] == 0.25 && inverse[1] == 1 && inverse[2] == 0.25, "%g %g %g", inverse[0],
              inverse[1], inverse[2]);
        CHECK(info.outcome != GABLE_SOLVED, "a singular system was solved");
        gable_solver_destroy(solver);
    }
    case_close(&c);
}

/* gable_solver_apply: y is M^-1 x of what the options say; new values of the matrix make another
 * M. */
static void applied(void)
{
    enum { N = 6 };
    const double ones[N] = {1, 1, 1, 1, 1, 1};
    double y[N], given[N] = {2, 4, 8, 16, 32, 64};
    system_case c;
    gable_solver *solver = NULL;
    test_case("a preconditioner on its own");
    if (!case_open(ctx, GBL_D, case_diagonal(N, 1, 2), CASE_AS_IT_IS, 0, &c))
        return;
    if (CHECK_OK(ctx, gable_solver_create(ctx, c.matrix, &solver))) {
        const char *name = "gable_solver_apply";
        CHECK_OK(ctx, gable_set_vector(ctx, N, sizeof(double), ones, 1, c.db, 1));
        CHECK_OK(ctx, gable_solver_set(solver, "method=cg,precond=jacobi"));
        for (int turn = 0; turn < 3; turn++) {
            CHECK_OK(ctx, gable_sparse_dset_values(ctx, c.matrix, given));
            CHECK_OK(ctx, gable_solver_apply(solver, c.db, c.dx));
            CHECK_OK(ctx, gable_get_vector(ctx, N, sizeof(double), c.dx, 1, y, 1));
            for (int i = 0; i < N; i++) /* powers of two: exact */
                CHECK(y[i] == 1 / given[i], "turn %d: element %d is %g, not %g", turn, i, y[i],
                      1 / given[i]);
            for (int i = 0; i < N; i++)
                given[i] *= -4;
        }
        CHECK_OK(ctx, gable_solver_set(solver, "precond=none"));
        CHECK_OK(ctx, gable_solver_apply(solver, c.db, c.dx));
        CHECK_OK(ctx, gable_get_vector(ctx, N, sizeof(double), c.dx, 1, y, 1));
        CHECK(y[0] == 1 && y[N - 1] == 1, "precond=none: %g, %g", y[0], y[N - 1]);
        CHECK_REFUSED(ctx, gable_solver_apply(solver, NULL, c.dx), GABLE_BAD_ARGUMENT, name,
                      "argument 2 (x)", "NULL");
        CHECK_REFUSED(ctx, gable_solver_apply(solver, c.dx, c.dx), GABLE_BAD_ARGUMENT, name,
                      "argument 3 (y)", "overlaps x");
        CHECK(gable_solver_apply(NULL, c.db, c.dx) == GABLE_BAD_ARGUMENT, "no solver");
        CHECK_OK(ctx, gable_record_begin(ctx));
        CHECK_REFUSED(ctx, gable_solver_apply(solver, c.db, c.dx), GABLE_NOT_RECORDABLE, name,
                      "recording");
        CHECK_OK(ctx, gable_record_end(ctx, NULL));
        gable_solver_destroy(solver);
    }
    case_close(&c);
}

/* auto: Jacobi where the diagonal varies, else none; CG for what is Hermitian with a positive
 * diagonal. */
static void choices(void)
{
    static const struct {
        double spread;
        const char *precond;
    } cases[] = {{0, "none"}, {1, "jacobi"}};
    for (int i = 0; i < 2; i++) {
        system_case c;
        test_case("choices, spread %g", cases[i].spread);
        if (!case_open(ctx, GBL_D, case_laplacian(30, 20, cases[i].spread), CASE_AS_IT_IS, 0, &c))
            return;
        const gable_solve_info info = case_solve(&c, NULL);
        case_outcome_is(&info, GABLE_SOLVED, "solved");
        case_residual_is(&c, &info, 1e-8);
        CHECK(strcmp(info.method, "cg") == 0 && strcmp(info.precond, cases[i].precond) == 0,
              "%s with %s", info.method, info.precond);
        case_close(&c);
    }
}

/* auto: an indefinite matrix with a positive diagonal makes CG give up and GMRES go on; what is not
 * symmetric goes to BiCGStab. */
static void switches(void)
{
    system_case c;
    test_case("CG gives up, GMRES goes on");
    model A =
        case_laplacian(24, 1, 0); /* neighbours -1: eigenvalues below 0 where the diagonal is 1 */
    for (int64_t e = 0; e < A.entries; e++)
        if (A.value[e].re > 0)
            A.value[e].re = 1;
    if (!case_open(ctx, GBL_D, A, CASE_AS_IT_IS, 0, &c))
        return;
    gable_solve_info info = case_solve(&c, NULL);
    case_outcome_is(&info, GABLE_SOLVED, "not positive definite, gmres went on");
    CHECK(strcmp(info.method, "gmres") == 0, "%s", info.method);
    case_residual_is(&c, &info, 1e-8);
    case_close(&c);

    test_case("not symmetric");
    A = case_laplacian(20, 10, 0);
    for (int64_t i = 0; i < A.rows; i++)
        for (int64_t e = A.start[i]; e < A.start[i + 1]; e++)
            if (A.column[e] > i)
                A.value[e].re *= 0.5;
    if (!case_open(ctx, GBL_D, A, CASE_AS_IT_IS, 0, &c))
        return;
    info = case_solve(&c, NULL);
    case_outcome_is(&info, GABLE_SOLVED, "solved");
    CHECK(strcmp(info.method, "bicgstab") == 0, "%s", info.method);
    case_residual_is(&c, &info, 1e-8);
    case_close(&c);
}

int main(void)
{
    static const int block_sizes[] = {1, 2, 5, 32};
    test_start("test_precondition");
    ctx = test_open();
    const bool short_form = test_only("repeat"); /* the kernels of blocks */
    for (int dtype = 0; dtype < GBL_DTYPES && !short_form; dtype++)
        callbacks((gbl_dtype)dtype);
    for (size_t i = short_form ? 2 : 0; i < sizeof block_sizes / sizeof block_sizes[0]; i++)
        blocks(i % 2 == 0 ? GBL_D : GBL_C, block_sizes[i]);
    if (!short_form) {
        singular();
        applied();
        choices();
        switches();
    }
    gable_close(ctx);
    return test_finish();
}
