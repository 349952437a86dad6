/* text_plot.h: plots of letters, for terminals and for files of text.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_TEXT_PLOT_H
#define TOOL_TEXT_PLOT_H

/* Bars of counts over equal parts of 0 to 100 percent. */
void text_plot_histogram(const int *counts, int bins);

/* Points (x, y), both in percent from 0 to 100; denser places have heavier signs. */
void text_plot_scatter(const double *x, const double *y, int count, const char *x_title,
                       const char *y_title);

/* Curves over a logarithmic x: curve c has points[c] of them and is drawn with the sign marks[c]. y
 * is in percent from 0 to 100. Where curves meet, the later is seen. */
typedef struct text_curve {
    const double *x, *y;
    int points;
    char mark;
} text_curve;
void text_plot_curves(const text_curve *curves, int count, double least_x, double most_x,
                      const char *x_title, const char *y_title);

#endif
