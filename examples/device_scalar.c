/* device_scalar.c: a dot product whose result stays on the device and scales the next call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The projection of w on the unit vector q is (q . w) q. gable_ddot writes q . w to device memory,
 * gable_daxpy_dev reads it there when it runs: both calls are enqueued at once, and the host waits
 * only for the vector that it wants to see. Such a pair can also be recorded (record_replay.c).
 *
 * In the checkout, after `make`:
 *   cc examples/device_scalar.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o device_scalar && ./device_scalar
 */
#include <stdio.h>
#include <stdlib.h>
#include <gable/gable.h>

#define N 4

/* Every function that can fail returns a status; the context keeps a sentence about the last. */
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
    const double q[N] = {0.5, 0.5, 0.5, 0.5}, w[N] = {1, 2, 3, 10}; /* q . w = 8 */
    double p[N] = {0};
    double *memory = NULL;
    gable_context *ctx;
    const gable_status opened = gable_open(&ctx, NULL); /* $GABLE_DEVICE, else the best device */
    check(ctx, opened);

    /* One piece of memory for three vectors and the scalar: pointer arithmetic works. */
    check(ctx, gable_alloc(ctx, (3 * N + 1) * sizeof *memory, (void **)&memory));
    double *dq = memory, *dw = dq + N, *dp = dw + N, *product = dp + N;
    check(ctx, gable_set_vector(ctx, N, sizeof *q, q, 1, dq, 1));
    check(ctx, gable_set_vector(ctx, N, sizeof *w, w, 1, dw, 1));
    check(ctx, gable_fill_bytes(ctx, dp, 0, N * sizeof *dp));

    check(ctx, gable_ddot(ctx, N, dq, 1, dw, 1, product));
    check(ctx, gable_daxpy_dev(ctx, N, product, dq, 1, dp, 1));
    check(ctx, gable_get_vector(ctx, N, sizeof *p, dp, 1, p, 1));

    printf("projection = %g %g %g %g\n", p[0], p[1], p[2], p[3]);
    check(ctx, gable_free(ctx, memory));
    gable_close(ctx);
    return p[0] == 4 && p[1] == 4 && p[2] == 4 && p[3] == 4 ? 0 : 1;
}
