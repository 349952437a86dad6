/* saxpy.c: y := 2 x + y in single precision; main has twenty lines. Says "y = 12 24 36 48".
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In the checkout, after `make`:
 *   cc examples/saxpy.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o saxpy && ./saxpy
 */
#include <stdio.h>
#include <gable/gable.h>

int main(void)
{
    float x[] = {1, 2, 3, 4}, y[] = {10, 20, 30, 40}, *dx = NULL, *dy = NULL;
    gable_context *ctx;
    int failed = gable_open(&ctx, NULL) || gable_alloc(ctx, sizeof x, (void **)&dx) ||
                 gable_alloc(ctx, sizeof y, (void **)&dy) ||
                 gable_set_vector(ctx, 4, sizeof *x, x, 1, dx, 1) ||
                 gable_set_vector(ctx, 4, sizeof *y, y, 1, dy, 1) ||
                 gable_saxpy(ctx, 4, 2.0F, dx, 1, dy, 1) ||
                 gable_get_vector(ctx, 4, sizeof *y, dy, 1, y, 1);
    if (failed)
        fprintf(stderr, "%s\n", gable_message(ctx));
    else
        printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);
    gable_free(ctx, dx);
    gable_free(ctx, dy);
    gable_close(ctx);
    return failed || y[3] != 48;
}
