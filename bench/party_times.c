/* party_times.c: what the turns of parties took.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "party.h"

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *values, int count)
{
    const int middle = count / 2;
    qsort(values, (size_t)count, sizeof *values, compare);
    return count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void bench_party_summary(const bench_party *party, double *median, double *least)
{
    double seconds[BENCH_MAX_TURNS];
    memcpy(seconds, party->seconds, (size_t)party->turns * sizeof *seconds);
    *median = median_of(seconds, party->turns);
    *least = seconds[0];
}

double bench_party_ratio(const bench_party *party, const bench_party *base)
{
    const int rounds = party->turns < base->turns ? party->turns : base->turns;
    double ratios[BENCH_MAX_TURNS];
    for (int i = 0; i < rounds; i++)
        ratios[i] = party->seconds[i] / base->seconds[i];
    return rounds > 0 ? median_of(ratios, rounds) : 0;
}
