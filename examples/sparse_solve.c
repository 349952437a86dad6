/* sparse_solve.c: a sparse matrix made from its entries, and a system with it solved in one call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A is the second difference on N points, the simplest model of a rod held at both ends. b = A
 * times ones, so that x must come out as ones. The solver looks at A, finds it symmetric, and takes
 * conjugate gradients.
 *
 * In the checkout, after `make`:
 *   cc examples/sparse_solve.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o sparse_solve && ./sparse_solve
 */
#include <stdio.h>
#include <stdlib.h>
#include <gable/gable.h>

#define N 100

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
    int32_t row[3 * N], column[3 * N];
    double value[3 * N], ones[N], x[N];
    int64_t entries = 0;
    for (int i = 0; i < N; i++) {
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++) {
            row[entries] = i;
            column[entries] = j;
            value[entries++] = i == j ? 2 : -1;
        }
        ones[i] = 1;
    }

    gable_context *ctx;
    gable_sparse *A;
    gable_solve_info info;
    double *db, *dx;
    const gable_status opened = gable_open(&ctx, NULL);
    check(ctx, opened);
    check(ctx, gable_sparse_dcoo(ctx, N, N, entries, 32, row, column, value, 0, &A));
    check(ctx, gable_alloc(ctx, N * sizeof *db, (void **)&db));
    check(ctx, gable_alloc(ctx, N * sizeof *dx, (void **)&dx));
    check(ctx, gable_set_vector(ctx, N, sizeof *ones, ones, 1, dx, 1));
    check(ctx, gable_sparse_dmv(ctx, GABLE_NO_TRANS, 1, A, dx, 0, db)); /* b := A ones */
    check(ctx, gable_fill_bytes(ctx, dx, 0, N * sizeof *dx));           /* the first guess */

    check(ctx, gable_sparse_solve(ctx, A, db, dx, "tolerance=1e-10", &info));
    check(ctx, gable_get_vector(ctx, N, sizeof *x, dx, 1, x, 1));
    double error = 0;
    for (int i = 0; i < N; i++) {
        const double off = x[i] > 1 ? x[i] - 1 : 1 - x[i];
        error = off < error ? error : off;
    }
    const int good = info.outcome == GABLE_SOLVED && error < 1e-6;
    printf("%s: x is ones: %s\n", info.method, good ? "yes" : info.text);

    check(ctx, gable_free(ctx, db));
    check(ctx, gable_free(ctx, dx));
    check(ctx, gable_sparse_destroy(ctx, A));
    gable_close(ctx);
    return good ? 0 : 1;
}
