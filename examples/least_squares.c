/* least_squares.c: coefficients that fit measurements best, by products of matrices and triangular
 * solves.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * X minimises the distance of A X from B for each column of B. A's columns are orthogonal here, so
 * that A^T A is a diagonal matrix, which is also a triangular one: X = (A^T A)^-1 A^T B takes a
 * syrk, a gemm and a trsm. All three are enqueued at once; the host waits only for X.
 *
 * In the checkout, after `make`:
 *   cc examples/least_squares.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o least_squares && ./least_squares
 */
#include <stdio.h>
#include <stdlib.h>
#include <gable/gable.h>

#define M 4 /* measurements */
#define N 2 /* coefficients */
#define K 2 /* right-hand sides */

static void check(gable_context *ctx, gable_status status)
{
    if (status == GABLE_OK)
        return;
    fprintf(stderr, "%s: %s\n", gable_status_name(status), gable_message(ctx));
    gable_close(ctx);
    exit(1);
}

int main(void)
{
    /* Matrices are stored column by column. B is A times (3, 1) and A times (2, -1). */
    const double A[M * N] = {1, 1, 1, 1, -3, -1, 1, 3};
    const double B[M * K] = {0, 2, 4, 6, 5, 3, 1, -1};
    double X[N * K] = {0};
    double *memory = NULL;
    gable_context *ctx;
    const gable_status opened = gable_open(&ctx, NULL);
    check(ctx, opened);
    check(ctx,
          gable_alloc(ctx, (M * N + M * K + N * N + N * K) * sizeof *memory, (void **)&memory));
    double *dA = memory, *dB = dA + M * N, *dG = dB + M * K, *dX = dG + N * N;
    check(ctx, gable_set_matrix(ctx, M, N, sizeof *A, A, M, dA, M));
    check(ctx, gable_set_matrix(ctx, M, K, sizeof *B, B, M, dB, M));

    check(ctx, gable_dsyrk(ctx, GABLE_LOWER, GABLE_TRANS, N, M, 1, dA, M, 0, dG, N));
    check(ctx, gable_dgemm(ctx, GABLE_TRANS, GABLE_NO_TRANS, N, K, M, 1, dA, M, dB, M, 0, dX, N));
    check(ctx, gable_dtrsm(ctx, GABLE_LEFT, GABLE_LOWER, GABLE_NO_TRANS, GABLE_NON_UNIT, N, K, 1,
                           dG, N, dX, N));
    check(ctx, gable_get_matrix(ctx, N, K, sizeof *X, dX, N, X, N));

    printf("X = %g %g and %g %g\n", X[0], X[1], X[2], X[3]);
    check(ctx, gable_free(ctx, memory));
    gable_close(ctx);
    return X[0] == 3 && X[1] == 1 && X[2] == 2 && X[3] == -1 ? 0 : 1;
}
