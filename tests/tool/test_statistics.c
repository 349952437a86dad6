/* test_statistics.c: rank correlations with and without ties, medians, means and histograms.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The expected values are worked out by hand from the definitions, in the comments beside them.
 */
#include <math.h>
#include <stdio.h>
#include "gable/study/statistics.h"

static int failures;

static void near(const char *what, double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12)) {
        printf("FAILED: %s is %.15g, must be %.15g\n", what, got, wanted);
        failures++;
    }
}

static void is_true(const char *what, bool condition)
{
    if (!condition) {
        printf("FAILED: %s\n", what);
        failures++;
    }
}

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static void test_order(void)
{
    /* Only the order counts: the squares are ranked as the numbers are. */
    const double x[] = {3, 1, 4, 1.5, 9, 2}, same[] = {9, 1, 16, 2.25, 81, 4},
                 turned[] = {-3, -1, -4, -1.5, -9, -2};
    double rho = 0, tau = 0;
    is_true("six pairs are correlated", statistics_spearman(x, same, COUNT(x), &rho) &&
                                            statistics_kendall(x, same, COUNT(x), &tau));
    near("rho of the same order", rho, 1);
    near("tau of the same order", tau, 1);
    statistics_spearman(x, turned, COUNT(x), &rho);
    statistics_kendall(x, turned, COUNT(x), &tau);
    near("rho of the opposite order", rho, -1);
    near("tau of the opposite order", tau, -1);
}

static void test_exchange(void)
{
    /* One exchange of neighbours among four: sum of d^2 = 2, rho = 1 - 6 * 2 / (4 * 15) = 0.8; five
     * pairs agree and one does not: tau = 4 / 6. */
    const double x[] = {1, 2, 3, 4}, y[] = {1, 3, 2, 4};
    double rho = 0, tau = 0;
    statistics_spearman(x, y, COUNT(x), &rho);
    statistics_kendall(x, y, COUNT(x), &tau);
    near("rho of an exchange", rho, 0.8);
    near("tau of an exchange", tau, 4.0 / 6);
}

static void test_percentiles(void)
{
    /* Sorted 1 2 4 8: a quarter lies at place 0.75, between 1 and 2; 0.95 at 2.85. */
    const double x[] = {8, 1, 4, 2};
    near("the least", statistics_percentile(x, COUNT(x), 0), 1);
    near("a quarter", statistics_percentile(x, COUNT(x), 0.25), 1.75);
    near("the middle", statistics_percentile(x, COUNT(x), 0.5), 3);
    near("0.95", statistics_percentile(x, COUNT(x), 0.95), 4 + 0.85 * 4);
    near("the largest", statistics_percentile(x, COUNT(x), 1), 8);
    near("of one", statistics_percentile(x, 1, 0.05), 8);
    near("of none", statistics_percentile(x, 0, 0.05), 0);
}

static void test_ties(void)
{
    /* Ranks of x: 0.5 0.5 2 3, of y: 0 1 2.5 2.5; the mean is 1.5. Products: 1.5 + 0.5 + 0.5 + 1.5
     * = 4, squares 1 + 1 + 0.25 + 2.25 = 4.5 in both: rho = 4 / 4.5. Pairs: 4 agree, none
     * disagrees, 5 of 6 are untied in x and 5 in y: tau-b = 4 / 5. */
    const double x[] = {7, 7, 8, 9}, y[] = {10, 20, 30, 30};
    double rho = 0, tau = 0;
    statistics_spearman(x, y, COUNT(x), &rho);
    statistics_kendall(x, y, COUNT(x), &tau);
    near("rho with ties", rho, 4 / 4.5);
    near("tau with ties", tau, 4.0 / 5);
}

static void test_nothing(void)
{
    const double x[] = {1, 2, 3}, flat[] = {5, 5, 5};
    double value = 42;
    is_true("one pair has no rho", !statistics_spearman(x, x, 1, &value));
    is_true("one pair has no tau", !statistics_kendall(x, x, 1, &value));
    is_true("no pair has no tau", !statistics_kendall(x, x, 0, &value));
    is_true("equal values have no rho", !statistics_spearman(x, flat, 3, &value));
    is_true("equal values have no tau", !statistics_kendall(flat, x, 3, &value));
    near("a correlation that is none", value, 42);
}

static void test_means(void)
{
    const double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, factors[] = {1, 2, 4};
    near("the median of three", statistics_median(odd, 3), 3);
    near("the median of four", statistics_median(even, 4), 2.5);
    near("the order after a median", odd[0], 5);
    near("the median of nothing", statistics_median(odd, 0), 0);
    near("the geometric mean", statistics_geometric_mean(factors, 3), 2);
    near("the geometric mean of nothing", statistics_geometric_mean(factors, 0), 1);
}

static void test_histogram(void)
{
    const double values[] = {0, 4.9, 5, 50, 99.9, 100, 130, -1};
    int counts[10];
    statistics_histogram(values, COUNT(values), 100, counts, 10);
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += counts[i];
    is_true("every value is in one bin", sum == COUNT(values));
    /* 0, 4.9, 5 and -1 in the first; 50 in the sixth; 99.9, 100 and 130 in the last. */
    is_true("the first bin", counts[0] == 4);
    is_true("the sixth bin", counts[5] == 1);
    is_true("the last bin", counts[9] == 3);
}

int main(void)
{
    test_order();
    test_exchange();
    test_percentiles();
    test_ties();
    test_nothing();
    test_means();
    test_histogram();
    if (failures == 0)
        printf("statistics: all right\n");
    return failures == 0 ? 0 : 1;
}
