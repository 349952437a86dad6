/* spectrum.c: eigenvalues and singular values on the command line and on the terminal.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gable/dense/spectrum.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SHOWN_AT_ENDS 8  /* values, first and last */
#define BINS          16 /* of the plots */
#define BIN_WIDTH     50

bool spectrum_read_range(const char *text, void *to, char *why, size_t why_bytes)
{
    spectrum_range *range = to;
    char *end;
    *range = (spectrum_range){.given = true, .from = -INFINITY, .to = INFINITY};
    if (text[0] != ':') {
        range->from = strtod(text, &end);
        if (end == text)
            end = NULL;
    } else {
        end = (char *)(uintptr_t)text;
    }
    if (end != NULL && *end == ':') {
        const char *rest = end + 1;
        if (*rest != '\0')
            range->to = strtod(rest, &end);
        else
            end++;
        if (*end == '\0' && range->from < range->to)
            return true;
    }
    snprintf(why, why_bytes,
             "has \"%s\"; it takes LO:HI, such as 0:1, :0 or 2.5:, with LO below HI", text);
    return false;
}

void spectrum_values(gbl_dtype dtype, const double *values, int64_t count, int64_t first)
{
    for (int64_t i = 0; i < count; i++) {
        if (count > 2 * SHOWN_AT_ENDS && i == SHOWN_AT_ENDS) {
            printf("         ...\n");
            i = count - SHOWN_AT_ENDS;
        }
        printf("%12lld  %.*g\n", (long long)(first + i), gbl_dtype_real_bytes(dtype) == 4 ? 8 : 16,
               values[i]);
    }
}

static void show_bar(const char *title, int64_t count, int64_t most)
{
    const int length = (int)((count * BIN_WIDTH + most - 1) / most);
    printf("%12s  %-*.*s %lld\n", title, BIN_WIDTH, length,
           "##################################################", (long long)count);
}

static int bin_of(double place, double width)
{
    const int bin = width > 0 ? (int)(place / width) : 0;
    return bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
}

static int64_t largest_of(const int64_t *counts, int64_t least)
{
    for (int b = 0; b < BINS; b++)
        least = counts[b] > least ? counts[b] : least;
    return least;
}

void spectrum_plot(const double *values, int64_t count)
{
    int64_t counts[BINS] = {0};
    const double least = count > 0 ? values[0] : 0, last = count > 0 ? values[count - 1] : 0,
                 width = (last - least) / BINS;
    char title[32];
    if (count == 0 || !(last - least < INFINITY))
        return;
    for (int64_t i = 0; i < count; i++)
        counts[bin_of(values[i] - least, width)]++;
    printf("spectrum, values from\n");
    for (int b = 0; b < (width > 0 ? BINS : 1); b++) {
        snprintf(title, sizeof title, "%.4g", least + b * width);
        show_bar(title, counts[b], largest_of(counts, 1));
    }
}

void spectrum_plot_quotients(const double *values, int64_t count, double zero)
{
    int64_t counts[BINS] = {0}, above = 0;
    char title[32];
    if (count == 0 || !(values[0] < INFINITY))
        return;
    while (above < count && values[above] > zero)
        above++;
    const double least = above > 0 ? log(values[above - 1]) : 0,
                 width = above > 0 ? (log(values[0]) - least) / BINS : 0;
    for (int64_t i = 0; i < above; i++)
        counts[bin_of(log(values[i]) - least, width)]++;
    const int64_t most = largest_of(counts, count > above ? count - above : 1);
    printf("spectrum, values from\n");
    for (int b = width > 0 ? BINS - 1 : 0; above > 0 && b >= 0; b--) {
        snprintf(title, sizeof title, "%.4g", b > 0 ? exp(least + b * width) : values[above - 1]);
        show_bar(title, counts[b], most);
    }
    if (above < count)
        show_bar("0", count - above, most);
}
