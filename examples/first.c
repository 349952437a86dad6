/* first.c: the dot product of two vectors on the best device of this machine.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In the checkout, after `make`:
 *   cc examples/first.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o first && ./first
 */
#include <stdio.h>
#include <gable/gable.h>

int main(void)
{
    const double x[] = {1, 2, 3, 4}, y[] = {10, 20, 30, 40};
    double *dx = NULL, *dy = NULL, result = 0;
    gable_context *ctx;
    if (gable_open(&ctx, NULL) || gable_alloc(ctx, sizeof x, (void **)&dx) ||
        gable_alloc(ctx, sizeof y, (void **)&dy) ||
        gable_set_vector(ctx, 4, sizeof *x, x, 1, dx, 1) ||
        gable_set_vector(ctx, 4, sizeof *y, y, 1, dy, 1) ||
        gable_ddot(ctx, 4, dx, 1, dy, 1, &result))
        printf("%s\n", gable_message(ctx)); /* a sentence: what, which argument, which rule */
    else
        printf("dot = %g\n", result);
    gable_free(ctx, dx);
    gable_free(ctx, dy);
    gable_close(ctx);
    return result == 300 ? 0 : 1;
}
