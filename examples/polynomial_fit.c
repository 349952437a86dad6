/* polynomial_fit.c: a polynomial through noisy measurements by least squares, and a plot of it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * M measurements of a cubic, each off by a little noise from a fixed generator. Row i of A has the
 * powers of x_i. gels gives the coefficients that minimise the sum of squares; the rows behind them
 * have the norm of what is left. With the name of a file the program also draws measurements and
 * curve there, as SVG, which browsers show: ./polynomial_fit fit.svg
 *
 * In the checkout, after `make`:
 *   cc examples/polynomial_fit.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o polynomial_fit && ./polynomial_fit
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <gable/gable.h>

#define M 200 /* measurements */
#define N 4   /* coefficients */

static const double truth[N] = {1, -2, 0, 3};

static void check(gable_context *ctx, gable_status status)
{
    if (status == GABLE_OK)
        return;
    fprintf(stderr, "%s: %s\n", gable_status_name(status), gable_message(ctx));
    gable_close(ctx);
    exit(1);
}

/* Evenly distributed between -1 and 1, the same numbers in each run. */
static double noise(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-52 - 1;
}

static double polynomial(const double *c, double x)
{
    return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
}

/* The plane x from -1 to 1, y from -3 to 3, as 600 by 400 points of a picture. */
static double across(double x)
{
    return 300 + 290 * x;
}

static double down(double y)
{
    return 200 - 65 * y;
}

static int draw(const char *name, const double *x, const double *y, const double *c)
{
    FILE *file = fopen(name, "w");
    if (file == NULL) {
        perror(name);
        return 1;
    }
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 600 400\">\n"
                  "<rect width=\"600\" height=\"400\" fill=\"white\"/>\n"
                  "<path d=\"M10 200H590M300 5V395\" stroke=\"silver\"/>\n"
                  "<g fill=\"steelblue\">\n");
    for (int i = 0; i < M; i++)
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n", across(x[i]), down(y[i]));
    fprintf(file, "</g>\n<polyline fill=\"none\" stroke=\"firebrick\" points=\"");
    for (int i = 0; i <= 100; i++) {
        const double at = i / 50.0 - 1;
        fprintf(file, "%.1f,%.1f ", across(at), down(polynomial(c, at)));
    }
    fprintf(file, "\"/>\n</svg>\n");
    return fclose(file) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    double A[M * N], x[M], y[M], c[N], norm;
    for (int i = 0; i < M; i++) {
        x[i] = 2.0 * i / (M - 1) - 1;
        y[i] = polynomial(truth, x[i]) + 0.2 * noise();
        for (int j = 0; j < N; j++) /* columns, one behind the other */
            A[i + j * M] = j == 0 ? 1 : A[i + (j - 1) * M] * x[i];
    }

    double *dA = NULL, *dB = NULL;
    int64_t info;
    gable_context *ctx;
    const gable_status opened = gable_open(&ctx, NULL);
    check(ctx, opened);
    check(ctx, gable_alloc(ctx, sizeof A, (void **)&dA));
    check(ctx, gable_alloc(ctx, sizeof y, (void **)&dB));
    check(ctx, gable_set_matrix(ctx, M, N, sizeof *A, A, M, dA, M));
    check(ctx, gable_set_vector(ctx, M, sizeof *y, y, 1, dB, 1));
    check(ctx, gable_dgels(ctx, GABLE_NO_TRANS, M, N, 1, dA, M, dB, M, &info));
    check(ctx, gable_get_vector(ctx, N, sizeof *c, dB, 1, c, 1));
    check(ctx, gable_dnrm2(ctx, M - N, dB + N, 1, &norm));
    check(ctx, gable_free(ctx, dA));
    check(ctx, gable_free(ctx, dB));
    gable_close(ctx);
    if (info > 0) {
        fprintf(stderr, "column %lld of A is a combination of those before it\n", (long long)info);
        return 1;
    }

    printf("y = %.2f %+.2f x %+.2f x^2 %+.2f x^3, residual %.2f\n", c[0], c[1], c[2], c[3], norm);
    if (argc > 1 && draw(argv[1], x, y, c) != 0)
        return 1;
    for (int j = 0; j < N; j++)
        if (!(c[j] - truth[j] < 0.2 && truth[j] - c[j] < 0.2))
            return 1;
    return 0;
}
