/* dense_solve.c: systems with a general matrix (gesv) and with a definite one (posv), and what
 * their info says.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A general system is solved by an LU factorization with pivots, a symmetric positive definite one
 * by Cholesky. Both leave the solution in b and the factors in A; the residual is computed from
 * copies. A matrix that cannot be solved is no failure of the call: info says what is wrong.
 *
 * In the checkout, after `make`:
 *   cc examples/dense_solve.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o dense_solve && ./dense_solve
 */
#include <stdio.h>
#include <stdlib.h>
#include <gable/gable.h>

#define N 100

typedef struct device_memory {
    double *A, *b;
    int64_t *ipiv;
} device_memory;

static double A[N * N], b[N];

static void check(gable_context *ctx, gable_status status)
{
    if (status == GABLE_OK)
        return;
    fprintf(stderr, "%s: %s\n", gable_status_name(status), gable_message(ctx));
    gable_close(ctx);
    exit(1);
}

static void send(gable_context *ctx, const device_memory *d)
{
    check(ctx, gable_set_matrix(ctx, N, N, sizeof *A, A, N, d->A, N));
    check(ctx, gable_set_vector(ctx, N, sizeof *b, b, 1, d->b, 1));
}

static double magnitude(double a)
{
    return a < 0 ? -a : a;
}

/* The largest element of b - A x; those of b are at most 7. */
static double residual(gable_context *ctx, const device_memory *d)
{
    double x[N], most = 0;
    check(ctx, gable_get_vector(ctx, N, sizeof *x, d->b, 1, x, 1));
    for (int i = 0; i < N; i++) {
        double sum = b[i];
        for (int j = 0; j < N; j++)
            sum -= A[i + j * N] * x[j];
        most = magnitude(sum) <= most ? most : magnitude(sum); /* a NaN stays */
    }
    return most;
}

static int report(const char *routine, double error)
{
    printf("%s: residual %.1e\n", routine, error);
    return error < 1e-10;
}

int main(void)
{
    device_memory d;
    gable_context *ctx;
    int64_t info;
    int good = 1;
    const gable_status opened = gable_open(&ctx, NULL);
    check(ctx, opened);
    check(ctx, gable_alloc(ctx, sizeof A, (void **)&d.A));
    check(ctx, gable_alloc(ctx, sizeof b, (void **)&d.b));
    check(ctx, gable_alloc(ctx, N * sizeof *d.ipiv, (void **)&d.ipiv));

    /* Not symmetric, and with zeros on its diagonal: it cannot be solved without exchanges. */
    for (int j = 0; j < N; j++) {
        b[j] = 1 + j % 7;
        for (int i = 0; i < N; i++)
            A[i + j * N] = i == j ? 0 : i == (j + 1) % N ? 4 : 1.0 / (1 + (3 * i + 5 * j) % 17);
    }
    send(ctx, &d);
    check(ctx, gable_dgesv(ctx, N, 1, d.A, N, d.ipiv, d.b, N, &info));
    good &= info == 0 && report("gesv", residual(ctx, &d));

    /* Symmetric, and definite because its diagonal outweighs the rest. */
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            A[i + j * N] = i == j ? 10 : 1.0 / (1 + (i - j) * (i - j));
    send(ctx, &d);
    check(ctx, gable_dposv(ctx, GABLE_LOWER, N, 1, d.A, N, d.b, N, &info));
    good &= info == 0 && report("posv", residual(ctx, &d));

    /* No longer definite. */
    A[N / 2 * (N + 1)] = -1;
    send(ctx, &d);
    check(ctx, gable_dposv(ctx, GABLE_LOWER, N, 1, d.A, N, d.b, N, &info));
    if (info > 0)
        printf("posv: the leading minor of order %lld is not positive\n", (long long)info);
    good &= info == N / 2 + 1;

    check(ctx, gable_free(ctx, d.A));
    check(ctx, gable_free(ctx, d.b));
    check(ctx, gable_free(ctx, d.ipiv));
    gable_close(ctx);
    return good ? 0 : 1;
}
