/* first.c: the dot product of two vectors on the best device of this machine.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <gable/gable.h>

int main(void)
{
    const int64_t n = 4;
    const double x[] = {1, 2, 3, 4}, y[] = {10, 20, 30, 40};
    double *dx = NULL, *dy = NULL, result = 0;
    gable_context *ctx;
    if (gable_open(&ctx, NULL) != GABLE_OK || gable_alloc(ctx, sizeof x, (void **)&dx) != GABLE_OK ||
        gable_alloc(ctx, sizeof y, (void **)&dy) != GABLE_OK ||
        gable_set_vector(ctx, n, sizeof *x, x, 1, dx, 1) != GABLE_OK ||
        gable_set_vector(ctx, n, sizeof *y, y, 1, dy, 1) != GABLE_OK ||
        gable_ddot(ctx, n, dx, 1, dy, 1, &result) != GABLE_OK)
        printf("%s\n", gable_message(ctx));
    else
        printf("dot = %g\n", result);
    gable_close(ctx);
    return result == 300 ? 0 : 1;
}
