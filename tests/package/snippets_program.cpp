/* snippets_program.cpp: calls the functions that docs/from-blas.md shows, on the cpu, and looks at
 * the numbers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * snippets_test.sh links it with the code of that page.
 */
#include <complex>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <gable/gable.h>

extern "C" {
gable_status step(gable_context *ctx, int64_t m, int64_t n, double alpha, const double *A,
                  int64_t lda, const double *x, double beta, double *y, double *d);
gable_status project(gable_context *ctx, int64_t n, const double *x, double *y, double *factor);
gable_status between(gable_context *ctx, void *stream, int64_t n, const float *x, float *y);
gable_status row_major_gemv(gable_context *ctx, int64_t m, int64_t n, const double *A, int64_t ld,
                            const double *x, double *y);
gable_status row_major_gemm(gable_context *ctx, int64_t m, int64_t n, int64_t k, const double *A,
                            const double *B, double *C);
gable_status scale_c(gable_context *ctx, int64_t n, gable_cdouble alpha, gable_cdouble *x);
}
std::complex<double> dotc(gable_context *ctx, const std::vector<std::complex<double>> &x,
                          const std::vector<std::complex<double>> &y);
gable_status scale(gable_context *ctx, std::int64_t n, std::complex<double> alpha,
                   std::complex<double> *x);

static int failures;

static void expect(bool good, const char *what)
{
    if (!good) {
        std::printf("%s of docs/from-blas.md does not do what it says\n", what);
        failures++;
    }
}

int main()
{
    gable_context *ctx = nullptr;
    if (gable_open(&ctx, "cpu") != GABLE_OK) {
        std::printf("%s\n", gable_message(ctx));
        gable_close(ctx);
        return 1;
    }
    /* A = (1 2; 3 4; 5 6), by columns and by rows. */
    const double columns[] = {1, 3, 5, 2, 4, 6}, rows[] = {1, 2, 3, 4, 5, 6}, x[] = {1, 10};
    double y[] = {1, 1, 1}, d = 0;
    expect(step(ctx, 3, 2, 1, columns, 3, x, 2, y, &d) == GABLE_OK && gable_sync(ctx) == GABLE_OK &&
               d == 101 && y[0] == 23 && y[1] == 45 && y[2] == 67,
           "step");
    expect(row_major_gemv(ctx, 3, 2, rows, 2, x, y) == GABLE_OK && gable_sync(ctx) == GABLE_OK &&
               y[0] == 21 && y[1] == 43 && y[2] == 65,
           "row_major_gemv");
    /* (1 2 3; 4 5 6) times A by rows is (22 28; 49 64). */
    double product[] = {0, 0, 0, 0};
    expect(row_major_gemm(ctx, 2, 2, 3, rows, rows, product) == GABLE_OK && product[0] == 22 &&
               product[1] == 28 && product[2] == 49 && product[3] == 64,
           "row_major_gemm");

    const double unit[] = {0, 1};
    double other[] = {3, 4}, factor = 0;
    expect(project(ctx, 2, unit, other, &factor) == GABLE_OK && gable_sync(ctx) == GABLE_OK &&
               other[0] == 3 && other[1] == 0,
           "project");

    const float u[] = {1, 2};
    float v[] = {10, 20};
    const gable_status streamed = between(ctx, nullptr, 2, u, v); /* the cpu has no streams */
    expect(streamed == GABLE_NOT_SUPPORTED ||
               (gable_sync(ctx) == GABLE_OK && v[0] == 12 && v[1] == 24),
           "between");

    std::vector<std::complex<double>> p = {{1, 2}, {0, 1}};
    expect(dotc(ctx, p, p) == std::complex<double>(6, 0), "dotc");
    expect(scale(ctx, 2, {0, 1}, p.data()) == GABLE_OK && gable_sync(ctx) == GABLE_OK &&
               p[0] == std::complex<double>(-2, 1),
           "scale");
    /* A double complex and a struct of two doubles are passed alike on the platforms Gable
     * knows. */
    gable_cdouble q = {1, 2};
    expect(scale_c(ctx, 1, gable_cdouble{0, 1}, &q) == GABLE_OK && gable_sync(ctx) == GABLE_OK &&
               q.re == -2 && q.im == 1,
           "scale_c");
    gable_close(ctx);
    return failures == 0 ? 0 : 1;
}
