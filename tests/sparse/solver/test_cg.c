/* test_cg.c: conjugate gradients: all forms, precisions, formats and preconditioners.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Solutions are checked by their residuals in wider arithmetic, iterations against a plain loop in
 * the same precision: within 5 % of it for the standard form, within 25 % for the pipelined one.
 */
#include <stdio.h>
#include <stdlib.h>
#include "core/allocations.h"
#include "core/context.h"
#include "cpu/cpu_solver.h"
#include "harness/left_out.h"
#include "sparse/solver/solver_case.h"

static gable_context *ctx;

typedef struct setting {
    const char *form, *precond, *format;
} setting;

static double tolerance_of(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? 1e-4 : 1e-9;
}

/* Gives the iterations, -1: it failed. */
static int64_t solve(system_case *c, gable_solver *solver, const setting *how)
{
    gable_solve_info info;
    const int64_t iterations = case_run(c, solver, tolerance_of(c->dtype), how->precond, &info);
    CHECK(strcmp(info.method, "cg") == 0 && strcmp(info.form, how->form) == 0, "%s, %s",
          info.method, info.form);
    return iterations;
}

static void check_count(int64_t iterations, int64_t plain, const char *form)
{
    const double most = strcmp(form, "standard") == 0 ? 0.05 : 0.25;
    if (plain < 0 || iterations < 0)
        return;
    CHECK(fabs((double)(iterations - plain)) <= most * (double)plain + 0.999,
          "%lld iterations, a plain loop takes %lld", (long long)iterations, (long long)plain);
}

static gable_solver *open_solver(const system_case *c, const setting *how)
{
    char options[256];
    gable_solver *solver = NULL;
    snprintf(options, sizeof options, "method=cg,form=%s,precond=%s,format=%s,block=3,tolerance=%g",
             how->form, how->precond, how->format, tolerance_of(c->dtype));
    if (CHECK_OK(ctx, gable_solver_create(ctx, c->matrix, &solver)))
        CHECK_OK(ctx, gable_solver_set(solver, options));
    return solver;
}

/* ---- Every precision, form, format and preconditioner ---- */

static void one(system_case *c, const setting *how, int64_t plain)
{
    test_case("%c, n %lld, form=%s, precond=%s, format=%s", gbl_dtype_letter(c->dtype),
              (long long)c->A.rows, how->form, how->precond, how->format);
    gable_solver *solver = open_solver(c, how);
    if (solver == NULL)
        return;
    case_start(c, NULL);
    check_count(solve(c, solver, how), plain, how->form);
    gable_solver_destroy(solver);
}

#define SMALL_ORDER                                                                                \
    64 /* under compute-sanitizer: a solve takes about as many iterations as its grid is long */

static void settings(gbl_dtype dtype)
{
    static const char *const forms[] = {"standard", "pipelined"};
    static const char *const preconds[] = {"none", "jacobi", "block"};
    static const char *const formats[] = {"csr", "ell", "sell", "coo", "hyb"};
    system_case c;
    const model A = test_small() ? case_laplacian(9, 7, 3) : case_laplacian(31, 23, 3);
    if (!case_open(ctx, dtype, A, CASE_HERMITIAN, dtype % 2, &c))
        return;
    const int64_t plain[2] = {case_plain_cg(&c, false, tolerance_of(dtype), 1000),
                              case_plain_cg(&c, true, tolerance_of(dtype), 1000)};
    CHECK(plain[0] > plain[1] && plain[1] > (test_small() ? 5 : 40),
          "the plain loop takes %lld and %lld", (long long)plain[0], (long long)plain[1]);
    const bool is_host = strcmp(test_device(), "cpu") == 0;
    for (int f = 0; f < 2; f++) {
        for (int p = 0; p < 3; p++) {
            for (int k = 0; k < 5; k++) {
                /* Kernels take three formats. Each precision sees all; not with each preconditioner
                 * but in check-all. */
                if (f == 1 && k > 2 && !is_host)
                    continue;
                if (!test_all() && !is_host && (k + p + (int)dtype) % 3 != 0)
                    continue;
                if (test_small() && f == 1 && p == 2 && k == 2)
                    /* rows of a small grid are sorted for sell, and blocks do not go with that */
                    continue;
                const setting how = {forms[f], preconds[p], formats[k]};
                one(&c, &how, p < 2 ? plain[p] : -1);
            }
        }
    }
    case_close(&c);
}

/* ---- In cooperative launches, where the device has them ---- */

static void persistent(gbl_dtype dtype)
{
    static const setting ways[] = {{"persistent", "none", "sell"},
                                   {"persistent", "jacobi", "ell"},
                                   {"persistent", "jacobi", "csr"}};
    static const int64_t orders[][2] = {{1, 1}, {33, 1}, {8, 5}, {97, 41}, {200, 151}};
    if (!ctx->device->props.cooperative || !ctx->device->props.is_gpu)
        return;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        system_case c;
        if (test_small() && orders[i][0] * orders[i][1] > SMALL_ORDER)
            continue;
        if (!case_open(ctx, dtype, case_laplacian(orders[i][0], orders[i][1], 1), CASE_HERMITIAN,
                       (int)(i % 4), &c))
            return;
        for (int k = 0; k < 3; k++)
            one(&c, &ways[k], case_plain_cg(&c, k > 0, tolerance_of(dtype), 20000));
        case_close(&c);
    }
}

/* ---- Sizes around tiles and vectors ---- */

static void sizes(gbl_dtype dtype)
{
    static const int64_t orders[] = {1, 2, 3, 31, 32, 33, 1023, 1025};
    const setting how[] = {{"pipelined", "none", "csr"}, {"pipelined", "block", "csr"}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        for (int k = 0; k < 2; k++) {
            system_case c;
            if (test_small() && orders[i] > SMALL_ORDER)
                continue;
            if (!case_open(ctx, dtype, case_laplacian(orders[i], 1, 3), CASE_HERMITIAN,
                           (int)(i % 4), &c))
                return;
            one(&c, &how[k], -1);
            case_close(&c);
        }
    }
}

/* ---- The shapes of a GPU, on a CPU behind OpenCL ---- */

/* Groups of many work-items that stride over tiles: what a GPU runs, but for lanes that run
 * together. */
static void as_gpu(void)
{
    static const setting ways[] = {{"pipelined", "none", "sell"},
                                   {"pipelined", "jacobi", "ell"},
                                   {"pipelined", "block", "csr"}};
    gbl_device *device = ctx->device;
    const gbl_props kept = device->props;
    if (kept.is_gpu || device->table->build == NULL)
        return;
    device->props.is_gpu = true;
    for (int i = 0; i < 3; i++) {
        system_case c;
        const gbl_dtype dtype = i == 1 ? GBL_C : GBL_D;
        if (!case_open(ctx, dtype, case_laplacian(67, 41, 1), CASE_HERMITIAN, i, &c))
            break;
        one(&c, &ways[i], -1);
        case_close(&c);
    }
    device->props = kept;
}

/* ---- Real matrices ---- */

static void files(void)
{
    static const char *const names[] = {"1138_bus.mtx", "Trefethen_2000.mtx", "bcsstk13.mtx"};
    const setting how[] = {{"standard", "jacobi", "csr"}, {"pipelined", "jacobi", "csr"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        model A;
        system_case c;
        if (!case_file(names[i], &A))
            continue;
        if (!case_open(ctx, GBL_D, A, CASE_AS_IT_IS, 0, &c))
            return;
        const int64_t plain = case_plain_cg(&c, true, tolerance_of(GBL_D), 20000);
        const bool is_host = strcmp(test_device(), "cpu") == 0;
        for (int k = 0; k < 2; k++) {
            /* Kernels are not optimised in the short suite (tests/CMakeLists.txt): long solves are
             * for check-all. */
            const double work = (double)plain * (double)c.A.entries;
            if (work > (k == 0 ? 1e6 : 3e7) && !is_host && !test_all())
                continue;
            test_case("%s, form=%s", names[i], how[k].form);
            gable_solver *solver = open_solver(&c, &how[k]);
            if (solver == NULL)
                continue;
            case_start(&c, NULL);
            check_count(solve(&c, solver, &how[k]), plain, how[k].form);
            gable_solver_destroy(solver);
        }
        case_close(&c);
    }
}

/* ---- The same bits again ---- */

static void repeat(const char *form)
{
    system_case c;
    gable_solve_info info[2];
    const setting how = {form, "jacobi", "csr"};
    test_case("the same bits, form=%s", form);
    const model A = test_small() ? case_laplacian(8, 7, 2) : case_laplacian(60, 50, 2);
    if (!case_open(ctx, GBL_D, A, CASE_HERMITIAN, 0, &c))
        return;
    const size_t bytes = (size_t)c.A.rows * sizeof(number);
    number *x[2] = {malloc(bytes), malloc(bytes)};
    for (int i = 0; i < 2; i++) {
        gable_solver *solver = open_solver(&c, &how);
        if (solver == NULL)
            continue;
        case_start(&c, NULL);
        CHECK_OK(ctx, gable_solver_solve(solver, c.db, c.dx, &info[i]));
        case_solution(&c, x[i]);
        gable_solver_destroy(solver);
    }
    CHECK(memcmp(x[0], x[1], bytes) == 0, "two solves differ");
    CHECK(info[0].iterations == info[1].iterations && info[0].residual == info[1].residual,
          "%lld and %lld iterations", (long long)info[0].iterations, (long long)info[1].iterations);
    free(x[0]);
    free(x[1]);
    case_close(&c);
}

/* ---- What a solve costs beside its iterations, on cpu ---- */

/* Allocations of the process so far. */
static uint64_t allocations(void)
{
    gbl_allocation found = {.serial = 0};
    void *probe = NULL;
    CHECK_OK(ctx, gable_alloc(ctx, 64, &probe));
    gbl_allocations_find(probe, &found);
    CHECK_OK(ctx, gable_free(ctx, probe));
    return found.serial;
}

/* Of one solve: allocations, and the solution. */
static int64_t allocations_of(system_case *c, gable_solver *solver, gable_solve_info *info,
                              number *x)
{
    case_start(c, NULL);
    const uint64_t before = allocations();
    CHECK_OK(ctx, gable_solver_solve(solver, c->db, c->dx, info));
    const int64_t count = (int64_t)(allocations() - before) - 1;
    case_solution(c, x);
    return count;
}

/* A short solve makes the inverses of the diagonal and no copy of the matrix; a long one its
 * diagonals, too; a second one makes nothing, and has the same bits. */
static void set_up(void)
{
    static const char *const options[] = {"method=cg,precond=jacobi,iterations=8",
                                          "method=cg,precond=jacobi,iterations=60"};
    system_case c;
    if (!ctx->device->props.is_host ||
        !case_open(ctx, GBL_D, case_laplacian(90, 90, 2), CASE_HERMITIAN, 0, &c))
        return;
    const size_t bytes = (size_t)c.A.rows * sizeof(number);
    number *x[2] = {malloc(bytes), malloc(bytes)};
    for (int i = 0; i < 2; i++) {
        gable_solver *solver;
        gable_solve_info info;
        test_case("allocations of a solve, %s", options[i]);
        CHECK_OK(ctx, gable_solver_create(ctx, c.matrix, &solver));
        CHECK_OK(ctx, gable_solver_set(solver, options[i]));
        const int64_t first = allocations_of(&c, solver, &info, x[0]);
        CHECK(first == 1 + i, "the first solve made %lld allocations, not %d", (long long)first,
              1 + i);
        CHECK(info.format == GABLE_CSR, "the matrix was converted to format %d", (int)info.format);
        const int64_t second = allocations_of(&c, solver, &info, x[1]);
        CHECK(second == 0, "the second solve made %lld allocations", (long long)second);
        CHECK(memcmp(x[0], x[1], bytes) == 0, "the second solve has other bits");
        gable_solver_destroy(solver);
    }
    free(x[0]);
    free(x[1]);
    case_close(&c);
}

/* From x = 0 the matrix, which is not there, is not read. */
static void zero_guess(void)
{
    enum { ROWS = 1000 };
    static double b[ROWS], x[ROWS], r[ROWS];
    double square = 0, sum = 0;
    const gbl_cpu_residual_args args = {.A = {.dtype = GBL_D,
                                              .format = GABLE_CSR,
                                              .index_bytes = 4,
                                              .rows = ROWS,
                                              .columns = ROWS,
                                              .entries = 5 * ROWS,
                                              .stored = 5 * ROWS,
                                              .longest = 5},
                                        .b = b,
                                        .x = x,
                                        .r = r,
                                        .square = &square};
    test_case("the residual of x = 0");
    for (int i = 0; i < ROWS; i++) {
        b[i] = i % 7 - 3;
        sum += b[i] * b[i];
    }
    CHECK(gbl_cpu_dresidual(NULL, NULL, &args, NULL) == GABLE_OK, "status");
    CHECK(memcmp(b, r, sizeof b) == 0, "r is not b");
    CHECK(square == sum, "the square of its norm is %g, not %g", square, sum);
}

static void repeats(void)
{
    repeat("standard");
    repeat("pipelined");
    if (ctx->device->props.cooperative && ctx->device->props.is_gpu)
        repeat("persistent");
}

static bool left_out(gbl_dtype dtype)
{
    return test_precision_left_out(gbl_dtype_letter(dtype));
}

static void all(void)
{
    /* Kernels compile slowly on PoCL: half of the precisions there but in check-all, one of them in
     * make check. */
    const bool slow = (strncmp(test_device(), "opencl", 6) == 0 && !test_all()) || test_small();
    for (int dtype = 0; dtype < GBL_DTYPES; dtype++)
        if ((!slow || dtype == GBL_D || dtype == GBL_C) && !left_out((gbl_dtype)dtype))
            settings((gbl_dtype)dtype);
    for (int dtype = 0; dtype < GBL_DTYPES; dtype++)
        if ((dtype == GBL_D || dtype == GBL_C || test_all()) && !left_out((gbl_dtype)dtype))
            sizes((gbl_dtype)dtype);
    for (int dtype = 0; dtype < GBL_DTYPES; dtype++)
        if (!test_small() || dtype == GBL_D || dtype == GBL_C)
            persistent((gbl_dtype)dtype);
    as_gpu();
    if (!test_small())
        files();
    repeats();
    set_up();
    zero_guess();
}

int main(void)
{
    test_start("test_cg");
    ctx = test_open();
    if (test_only("repeat"))
        repeats();
    else
        all();
    gable_close(ctx);
    return test_finish();
}
