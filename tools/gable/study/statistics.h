/* statistics.h: ranks, rank correlations, histograms and means of measurements.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Values are finite. Equal values share a rank (the mean of the places they take), so that ties
 * neither help nor hurt a correlation.
 */
#ifndef TOOL_STATISTICS_H
#define TOOL_STATISTICS_H

#include <stdbool.h>

/* Rank correlations in [-1, 1]. false: fewer than two pairs, values that are all equal, or no
 * memory. */
bool statistics_spearman(const double *x, const double *y, int count, double *rho);
/* Kendall's tau-b. */
bool statistics_kendall(const double *x, const double *y, int count, double *tau);

/* The middle, or the mean of the two in the middle; 0 for none. Does not change the order. */
double statistics_median(const double *values, int count);

/* The value below which that part of the values lies, in [0, 1]: between two of them in proportion;
 * 0 for none. 0 is the least, 1 the largest. Does not change the order. */
double statistics_percentile(const double *values, int count, double part);

/* The exponential of the mean logarithm of positive values; 1 for none. */
double statistics_geometric_mean(const double *values, int count);

/* Counts of values in `bins` equal parts of [0, top]; what is outside counts in the first and the
 * last. */
void statistics_histogram(const double *values, int count, double top, int *counts, int bins);

#endif
