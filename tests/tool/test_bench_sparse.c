/* test_bench_sparse.c: matrices by name, and the benchmark's checks of products and solutions with
 * sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of right matrices must be within their bound on cpu. Then one element of the result is
 * changed, or never written: the check must see it. Names, files and transposes are compared with
 * what is written out here.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/context.h"
#include "harness/check.h"
#include "sparse_reference.h"

static gable_context *ctx;

/* ---- Names ---- */

static void names(void)
{
    static const struct {
        const char *name;
        int64_t rows, entries; /* 0: it is no name */
    } wanted[] = {
        {"laplace5:3", 9, 33},
        {"laplace5:4x3", 12, 46},
        {"laplace7:3x2x2", 12, 52},
        {"laplace27:2", 8, 64},
        {"elasticity3:2", 24, 288},
        {"elasticity2:2x1x1", 4, 16},
        {"convection5:3", 9, 33},
        {"convection7:2", 8, 32},
        {"power:1e2", 100, -1},
        {"laplace5", 0, 0},
        {"laplace5:", 0, 0},
        {"laplace5:3x3x3", 0, 0},
        {"laplace5:0", 0, 0},
        {"laplace5:-1", 0, 0},
        {"laplace7:3x3", 0, 0},
        {"laplace9:3", 0, 0},
        {"elasticity:2", 0, 0},
        {"elasticity0:2", 0, 0},
        {"elasticity65:2", 0, 0},
        {"elasticity3x:2", 0, 0},
        {"power:10x10", 0, 0},
        {"laplace5:3,laplace5", 0, 0},
        {"", 0, 0},
        {".mtx", 0, 0},
        {"laplace5:3 ", 0, 0},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        bench_sparse_matrix m;
        gbl_message message = {NULL, ""};
        char text[512] = "";
        test_case("\"%s\"", wanted[i].name);
        const bool known = bench_sparse_name_check(wanted[i].name, text, sizeof text);
        CHECK(known == (wanted[i].rows > 0), "is %s: %s", known ? "taken" : "refused", text);
        CHECK(known || text[0] != '\0', "nothing says why");
        const gable_status status = bench_sparse_make(wanted[i].name, &m, &message);
        CHECK((status == GABLE_OK) == known, "status %d: %s", status, message.text);
        if (status != GABLE_OK)
            continue;
        CHECK(m.rows == wanted[i].rows && m.columns == wanted[i].rows, "%lld rows",
              (long long)m.rows);
        CHECK(wanted[i].entries < 0 || m.entries == wanted[i].entries, "%lld entries",
              (long long)m.entries);
        CHECK(m.start[0] == 0 && m.start[m.rows] == m.entries, "the starts are wrong");
        bench_sparse_free(&m);
    }
}

/* ---- Files ---- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0, "%s is not written", path);
}

static bool is_made(const char *name, bench_sparse_matrix *m)
{
    gbl_message message = {NULL, ""};
    const gable_status status = bench_sparse_make(name, m, &message);
    CHECK(status == GABLE_OK, "%s", message.text);
    return status == GABLE_OK;
}

static void files(void)
{
    char folder[] = "/tmp/gable-test-XXXXXX", path[64];
    bench_sparse_matrix m;
    gbl_message message = {NULL, ""};
    test_case("a file");
    const bool made = mkdtemp(folder) != NULL;
    CHECK(made, "no folder");
    if (!made)
        return;
    snprintf(path, sizeof path, "%s/A.mtx", folder);
    /* Symmetric, not sorted, one entry twice. */
    write_file(path, "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n"
                     "3 1 2\n1 1 4\n3 3 1\n2 2 8\n3 1 0.5\n");
    if (is_made(path, &m)) {
        static const int64_t start[] = {0, 2, 3, 5}, column[] = {0, 2, 1, 0, 2};
        static const double value[] = {4, 2.5, 8, 2.5, 1};
        CHECK(m.entries == 5 && memcmp(m.start, start, sizeof start) == 0 &&
                  memcmp(m.column, column, sizeof column) == 0 &&
                  memcmp(m.value, value, sizeof value) == 0,
              "it is read as another matrix");
        bench_sparse_free(&m);
    }
    write_file(path, "%%MatrixMarket matrix coordinate complex general\n2 3 3\n"
                     "1 3 1 2\n2 1 3 -4\n1 1 5 0\n");
    if (is_made(path, &m)) {
        static const int64_t start[] = {0, 2, 2, 3}, column[] = {0, 1, 0};
        static const double value[] = {5, 0, 3, 4, 1, -2}; /* conjugated */
        bench_sparse_matrix t;
        test_case("a transpose");
        CHECK(m.complex_values && m.rows == 2 && m.columns == 3, "its shape is wrong");
        const gable_status status = bench_sparse_transpose(&m, true, &t, &message);
        CHECK(status == GABLE_OK, "%s", message.text);
        if (status == GABLE_OK) {
            CHECK(t.rows == 3 && t.columns == 2 && memcmp(t.start, start, sizeof start) == 0 &&
                      memcmp(t.column, column, sizeof column) == 0,
                  "its places are wrong");
            for (int i = 0; i < 6; i++)
                CHECK(t.value[i] == value[i], "number %d is %g", i, t.value[i]);
            bench_sparse_free(&t);
        }
        bench_sparse_free(&m);
    }
    test_case("files that are no sparse matrices");
    write_file(path, "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n");
    CHECK(bench_sparse_make(path, &m, &message) == GABLE_NOT_SUPPORTED, "an array is taken");
    write_file(path, "%%MatrixMarket matrix coordinate real general\n2 2 0\n");
    CHECK(bench_sparse_make(path, &m, &message) == GABLE_NOT_SUPPORTED, "an empty one is taken");
    unlink(path);
    CHECK(bench_sparse_make(path, &m, &message) != GABLE_OK, "a file that is not there is taken");
    rmdir(folder);
}

/* ---- Checks ---- */

static void change(const bench_sparse_system *s, int64_t at, double factor)
{
    const gbl_dtype dtype = s->what->dtype;
    const size_t elem = gbl_dtype_bytes(dtype);
    char bytes[16];
    CHECK_OK(ctx, gable_get_vector(ctx, 1, elem, (char *)s->y[0] + (size_t)at * elem, 1, bytes, 1));
    if (gbl_dtype_real_bytes(dtype) == 4) {
        float number;
        memcpy(&number, bytes, sizeof number);
        number *= (float)factor;
        memcpy(bytes, &number, sizeof number);
    } else {
        double number;
        memcpy(&number, bytes, sizeof number);
        number *= factor;
        memcpy(bytes, &number, sizeof number);
    }
    CHECK_OK(ctx, gable_set_vector(ctx, 1, elem, bytes, 1, (char *)s->y[0] + (size_t)at * elem, 1));
}

static void product(const bench_sparse_matrix *m, gbl_dtype dtype, gable_trans trans)
{
    static const gable_format formats[] = {GABLE_CSR, GABLE_COO, GABLE_ELL, GABLE_SELL, GABLE_HYB};
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        const bench_sparse_case what = {.op = BENCH_SPARSE_MV,
                                        .dtype = dtype,
                                        .matrix = m,
                                        .format = formats[f],
                                        .trans = trans,
                                        .precond = "none"};
        bench_sparse_system s;
        double error = -1;
        test_case("%c %s %s trans %d", "sdcz"[dtype], m -> name, bench_format_names[formats[f]],
                  (int)trans);
        const gable_status status = bench_sparse_system_make(&s, ctx, &what, false);
        CHECK_OK(ctx, status);
        if (status != GABLE_OK)
            continue;
        CHECK_OK(ctx, bench_sparse_poison(&s, 0));
        CHECK_OK(ctx, bench_sparse_check(&s, 0, &error));
        CHECK(isnan(error), "what was never written has error %g", error);
        CHECK_OK(ctx, bench_sparse_multiply(&s, 0));
        CHECK_OK(ctx, bench_sparse_check(&s, 0, &error));
        CHECK(error <= 1, "a right product has error %g", error);
        const int64_t places[] = {0, s.y_length / 2, s.y_length - 1};
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            change(&s, places[i], 1.001);
            CHECK_OK(ctx, bench_sparse_check(&s, 0, &error));
            CHECK(error > 1, "element %lld is wrong, and the error is %g", (long long)places[i],
                  error);
            CHECK_OK(ctx, bench_sparse_multiply(&s, 0));
        }
        bench_sparse_system_free(&s);
    }
}

static void products(void)
{
    static const char *const of[] = {"laplace5:21x13", "convection7:7x5x3", "power:500"};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        bench_sparse_matrix m;
        if (!is_made(of[i], &m))
            continue;
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
            product(&m, (gbl_dtype)dtype, GABLE_NO_TRANS);
            product(&m, (gbl_dtype)dtype, GABLE_TRANS);
        }
        product(&m, GBL_Z, GABLE_CONJ_TRANS);
        bench_sparse_free(&m);
    }
}

/* The residual of x = 0 is 1; that of plain CG falls; what a solver claims is compared. */
static void solutions(void)
{
    bench_sparse_matrix m;
    double residual = 0, plain = 0;
    test_case("solutions");
    if (!is_made("laplace5:20", &m))
        return;
    const bench_sparse_case what = {
        .op = BENCH_SPARSE_CG, .dtype = GBL_D, .matrix = &m, .precond = "none", .form = "auto"};
    bench_sparse_system s;
    const gable_status status = bench_sparse_system_make(&s, ctx, &what, false);
    CHECK_OK(ctx, status);
    if (status == GABLE_OK) {
        gable_solve_info info;
        CHECK_OK(ctx, gable_fill_bytes(ctx, s.y[0], 0, (size_t)s.y_length * sizeof(double)));
        CHECK_OK(ctx, bench_sparse_residual(&s, s.y[0], &residual));
        CHECK(fabs(residual - 1) < 1e-14, "x = 0 has residual %g", residual);
        CHECK_OK(ctx,
                 gable_sparse_solve(ctx, s.A[0], s.x[0], s.y[0],
                                    "method=cg,precond=none,tolerance=0,iterations=20", &info));
        CHECK_OK(ctx, bench_sparse_residual(&s, s.y[0], &residual));
        CHECK_OK(ctx, bench_sparse_plain_cg(&s, 20, &plain));
        const double error = bench_sparse_solve_error(GBL_D, residual, info.residual, plain);
        CHECK(error <= 1, "%g claimed, %g found, %g by a plain loop", info.residual, residual,
              plain);
        CHECK(bench_sparse_solve_error(GBL_D, residual, 0.9 * residual, plain) > 1,
              "a claim is believed");
        CHECK(bench_sparse_solve_error(GBL_D, residual, residual, 3 * residual) > 1,
              "another number of iterations is not seen");
        CHECK(bench_sparse_solve_error(GBL_D, 1.5, 1.5, 0) > 1, "a residual that grew is taken");
        CHECK(isnan(bench_sparse_solve_error(GBL_D, NAN, NAN, plain)), "NaN is taken");
        CHECK(bench_sparse_solve_error(GBL_D, 1, 1, 4) <= 1, "the best iterate is refused");
        CHECK(bench_sparse_solve_error(GBL_D, 1e-16, 3e-16, 1e-14) <= 1, "rounding is refused");
        CHECK(bench_sparse_peer_error(GBL_D, 4.01, 4) <= 1, "a peer's residual is refused");
        CHECK(!(bench_sparse_peer_error(GBL_D, 4.1, 4) <= 1), "a peer's residual is taken");
        CHECK(!(bench_sparse_peer_error(GBL_D, NAN, 4) <= 1), "NaN of a peer is taken");
        bench_sparse_system_free(&s);
    }
    bench_sparse_free(&m);
}

int main(void)
{
    if (gable_open(&ctx, "cpu") != GABLE_OK) {
        puts(gable_message(ctx));
        return 1;
    }
    names();
    files();
    products();
    solutions();
    gable_close(ctx);
    return test_finish();
}
