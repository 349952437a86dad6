/* principal_components.c: principal components of measurements: the eigenvectors of their
 * covariances.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Measurements of 6 numbers each lie near a plane: two hidden numbers and a little noise make all
 * six. The covariance matrix is a product of the centred measurements with themselves (syrk), and
 * its eigenvalues are the variances along its eigenvectors (syevd). Two of them are large: the
 * plane is found, and how much of all variance lies in it.
 *
 * In the checkout, after `make`:
 *   cc examples/principal_components.c -Iinclude -Lbuild -lgable -Wl,-rpath,$PWD/build -o principal_components && ./principal_components
 */
#include <stdio.h>
#include <stdlib.h>
#include <gable/gable.h>

#define COUNT   2000 /* measurements */
#define NUMBERS 6

static double data[COUNT * NUMBERS]; /* a column per number */

static void check(gable_context *ctx, gable_status status)
{
    if (status == GABLE_OK)
        return;
    fprintf(stderr, "%s: %s\n", gable_status_name(status), gable_message(ctx));
    gable_close(ctx);
    exit(1);
}

/* In (-1, 1), the same in each run. */
static double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

static void measure(void)
{
    static const double first[NUMBERS] = {1, 1, 1, 1, 1, 1},
                        second[NUMBERS] = {1, -1, 1, -1, 1, -1};
    unsigned state = 1;
    for (int i = 0; i < COUNT; i++) {
        const double a = 3 * draw(&state), b = draw(&state);
        for (int j = 0; j < NUMBERS; j++)
            data[i + j * COUNT] = 5 + j + a * first[j] + b * second[j] + 0.01 * draw(&state);
    }
    for (int j = 0; j < NUMBERS; j++) { /* the mean of each number is taken away */
        double sum = 0;
        for (int i = 0; i < COUNT; i++)
            sum += data[i + j * COUNT];
        for (int i = 0; i < COUNT; i++)
            data[i + j * COUNT] -= sum / COUNT;
    }
}

int main(void)
{
    double variances[NUMBERS], components[NUMBERS * NUMBERS], all = 0;
    double *X, *C, *w;
    gable_context *ctx;
    int64_t info;
    measure();
    const gable_status opened = gable_open(&ctx, NULL);
    check(ctx, opened);
    check(ctx, gable_alloc(ctx, sizeof data, (void **)&X));
    check(ctx, gable_alloc(ctx, sizeof components, (void **)&C));
    check(ctx, gable_alloc(ctx, sizeof variances, (void **)&w));
    check(ctx, gable_set_matrix(ctx, COUNT, NUMBERS, sizeof *data, data, COUNT, X, COUNT));

    /* C := X^T X / (COUNT - 1), of which one triangle is enough; then C becomes its vectors. */
    check(ctx, gable_dsyrk(ctx, GABLE_LOWER, GABLE_TRANS, NUMBERS, COUNT, 1.0 / (COUNT - 1), X,
                           COUNT, 0, C, NUMBERS));
    check(ctx, gable_dsyevd(ctx, GABLE_VECTORS, GABLE_LOWER, NUMBERS, C, NUMBERS, w, &info));
    check(ctx, gable_get_vector(ctx, NUMBERS, sizeof *variances, w, 1, variances, 1));
    check(ctx, gable_get_matrix(ctx, NUMBERS, NUMBERS, sizeof *components, C, NUMBERS, components,
                                NUMBERS));
    for (int j = 0; j < NUMBERS; j++)
        all += variances[j];
    for (int k = 1; k <= 2; k++) { /* values ascend: the last ones are the largest */
        const double *v = components + (NUMBERS - k) * NUMBERS;
        printf("component %d, %4.1f %% of the variance:", k, 100 * variances[NUMBERS - k] / all);
        for (int j = 0; j < NUMBERS; j++)
            printf(" %+.2f", v[0] < 0 ? -v[j] : v[j]);
        printf("\n");
    }
    const int found = info == 0 && variances[NUMBERS - 3] < 1e-3 * all;
    printf("the rest is noise: %s\n", found ? "yes" : "no");
    gable_free(ctx, X);
    gable_free(ctx, C);
    gable_free(ctx, w);
    gable_close(ctx);
    return !found;
}
