/* statistics.c: ranks, rank correlations, histograms and means of measurements.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "statistics.h"

typedef struct place {
    double value;
    int index;
} place;

static int compare_places(const void *a, const void *b)
{
    const double x = ((const place *)a)->value, y = ((const place *)b)->value;
    return (x > y) - (x < y);
}

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool find_ranks(const double *values, int count, double *ranks)
{
    place *places = malloc((size_t)count * sizeof *places);
    if (places == NULL)
        return false;
    for (int i = 0; i < count; i++)
        places[i] = (place){values[i], i};
    qsort(places, (size_t)count, sizeof *places, compare_places);
    for (int i = 0; i < count;) {
        int end = i + 1;
        while (end < count && !(places[end].value > places[i].value))
            end++;
        for (int j = i; j < end; j++)
            ranks[places[j].index] = 0.5 * (i + end - 1);
        i = end;
    }
    free(places);
    return true;
}

/* Spearman's rho is Pearson's correlation of the ranks. Half the sum of ranks is exact in
 * double. */
bool statistics_spearman(const double *x, const double *y, int count, double *rho)
{
    if (count < 2)
        return false;
    double *ranks = malloc(2 * (size_t)count * sizeof *ranks);
    bool good = ranks != NULL && find_ranks(x, count, ranks) && find_ranks(y, count, ranks + count);
    double xx = 0, yy = 0, xy = 0;
    const double mean = 0.5 * (count - 1);
    for (int i = 0; good && i < count; i++) {
        const double a = ranks[i] - mean, b = ranks[count + i] - mean;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    free(ranks);
    good = good && xx > 0 && yy > 0;
    if (good)
        *rho = fmax(-1, fmin(1, xy / sqrt(xx * yy)));
    return good;
}

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

/* By pairs: a study has a few thousand points. */
bool statistics_kendall(const double *x, const double *y, int count, double *tau)
{
    double both = 0, x_pairs = 0, y_pairs = 0; /* agreeing less disagreeing; pairs without ties */
    for (int i = 1; i < count; i++) {
        for (int j = 0; j < i; j++) {
            const int a = sign(x[i] - x[j]), b = sign(y[i] - y[j]);
            both += a * b;
            x_pairs += a != 0;
            y_pairs += b != 0;
        }
    }
    if (!(x_pairs > 0 && y_pairs > 0))
        return false;
    *tau = fmax(-1, fmin(1, both / sqrt(x_pairs * y_pairs)));
    return true;
}

double statistics_median(const double *values, int count)
{
    double *sorted = count > 0 ? malloc((size_t)count * sizeof *sorted) : NULL;
    if (sorted == NULL)
        return 0;
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_values);
    const int middle = count / 2;
    const double median =
        count % 2 == 1 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
    free(sorted);
    return median;
}

double statistics_percentile(const double *values, int count, double part)
{
    double *sorted = count > 0 ? malloc((size_t)count * sizeof *sorted) : NULL;
    if (sorted == NULL)
        return 0;
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_values);
    const double where = part * (count - 1);
    const int below = (int)where, above = below + 1 < count ? below + 1 : below;
    const double value = sorted[below] + (where - below) * (sorted[above] - sorted[below]);
    free(sorted);
    return value;
}

double statistics_geometric_mean(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += log(values[i]);
    return count > 0 ? exp(sum / count) : 1;
}

void statistics_histogram(const double *values, int count, double top, int *counts, int bins)
{
    memset(counts, 0, (size_t)bins * sizeof *counts);
    for (int i = 0; i < count; i++) {
        const double at = values[i] / top * bins;
        const int bin = !(at > 0) ? 0 : at >= bins ? bins - 1 : (int)at;
        counts[bin]++;
    }
}
