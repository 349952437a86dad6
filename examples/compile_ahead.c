/* compile_ahead.c: the kernels of a program are compiled before its first timed call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A step is what the program will do many times. Between gable_prepare_begin and gable_prepare_end
 * it runs nothing: the kernels that it needs are noted, then compiled side by side. The first real
 * step is then as fast as the others. On cpu there are no kernels to compile.
 *
 * In the checkout, after `make`:
 *   cc examples/compile_ahead.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o compile_ahead && ./compile_ahead
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <gable/gable.h>

enum { N = 200 };

static void check(gable_context *ctx, gable_status status)
{
    if (status == GABLE_OK)
        return;
    fprintf(stderr, "%s: %s\n", gable_status_name(status), gable_message(ctx));
    gable_close(ctx);
    exit(1);
}

/* y := A x, sum := x . y */
static void step(gable_context *ctx, const double *A, const double *x, double *y, double *sum)
{
    check(ctx, gable_dgemv(ctx, GABLE_NO_TRANS, N, N, 1.0, A, N, x, 1, 0.0, y, 1));
    check(ctx, gable_ddot(ctx, N, x, 1, y, 1, sum));
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void)
{
    static double ones[N * N];
    double *A = NULL, *x = NULL, *y = NULL, sum = 0;
    gable_context *ctx;
    const gable_status opened = gable_open(&ctx, NULL); /* $GABLE_DEVICE, else the best device */
    check(ctx, opened);
    check(ctx, gable_alloc(ctx, sizeof ones, (void **)&A));
    check(ctx, gable_alloc(ctx, N * sizeof *x, (void **)&x));
    check(ctx, gable_alloc(ctx, N * sizeof *y, (void **)&y));

    double from = seconds();
    check(ctx, gable_prepare_begin(ctx));
    step(ctx, A, x, y, &sum); /* nothing is read or written, sum neither */
    check(ctx, gable_prepare_end(ctx));
    const double prepared = seconds() - from;

    for (int i = 0; i < N * N; i++)
        ones[i] = 1;
    check(ctx, gable_set_matrix(ctx, N, N, sizeof *ones, ones, N, A, N));
    check(ctx, gable_set_vector(ctx, N, sizeof *ones, ones, 1, x, 1));
    from = seconds();
    step(ctx, A, x, y, &sum); /* waits for the sum */
    const double first = seconds() - from;
    printf("sum = %g\n", sum);
    printf("prepared in %.1f ms, the first step took %.1f ms\n", 1e3 * prepared, 1e3 * first);

    check(ctx, gable_free(ctx, A));
    check(ctx, gable_free(ctx, x));
    check(ctx, gable_free(ctx, y));
    gable_close(ctx);
    return sum == (double)N * N ? 0 : 1;
}
