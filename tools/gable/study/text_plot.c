/* text_plot.c: plots of letters.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "text_plot.h"

#define WIDTH  60
#define HEIGHT 20
#define BAR    50

void text_plot_histogram(const int *counts, int bins)
{
    int most = 1;
    for (int i = 0; i < bins; i++)
        most = counts[i] > most ? counts[i] : most;
    for (int i = 0; i < bins; i++) {
        char bar[BAR + 1];
        /* A bin that is not empty is seen. */
        const int length = counts[i] > 0 ? 1 + (int)((double)counts[i] / most * (BAR - 1)) : 0;
        memset(bar, '#', (size_t)length);
        bar[length] = '\0';
        printf("  %3.0f-%3.0f %%  %5d  %s\n", 100.0 * i / bins, 100.0 * (i + 1) / bins, counts[i],
               bar);
    }
}

/* The row or column of a percentage. */
static int cell(double percent, int cells)
{
    const int at = (int)(percent / 100 * cells);
    return at < 0 ? 0 : at >= cells ? cells - 1 : at;
}

static void print_grid(char grid[HEIGHT][WIDTH], const char *y_title)
{
    printf("  %s\n", y_title);
    for (int row = HEIGHT - 1; row >= 0; row--) {
        if ((row + 1) % (HEIGHT / 4) == 0)
            printf("  %3d |", 100 * (row + 1) / HEIGHT);
        else
            printf("      |");
        int length = WIDTH;
        while (length > 0 && grid[row][length - 1] == ' ')
            length--;
        printf("%.*s\n", length, grid[row]);
    }
    printf("    0 +");
    for (int i = 0; i < WIDTH; i++)
        putchar('-');
    putchar('\n');
}

void text_plot_scatter(const double *x, const double *y, int count, const char *x_title,
                       const char *y_title)
{
    static const char signs[] = " .:*#@"; /* 0, 1, 2-3, 4-7, 8-15, 16 and more */
    static int hits[HEIGHT][WIDTH];
    char grid[HEIGHT][WIDTH];
    memset(hits, 0, sizeof hits);
    for (int i = 0; i < count; i++)
        hits[cell(y[i], HEIGHT)][cell(x[i], WIDTH)]++;
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++) {
            int weight = 0;
            for (int hit = hits[row][column]; hit > 0 && weight < 5; hit /= 2)
                weight++;
            grid[row][column] = signs[weight];
        }
    }
    print_grid(grid, y_title);
    printf("       0%*s\n       %s\n", WIDTH - 1, "100", x_title);
}

void text_plot_curves(const text_curve *curves, int count, double least_x, double most_x,
                      const char *x_title, const char *y_title)
{
    char grid[HEIGHT][WIDTH];
    memset(grid, ' ', sizeof grid);
    const double width = log(most_x / least_x);
    for (int c = 0; c < count; c++) {
        for (int i = 0; i < curves[c].points; i++) {
            const double along = width > 0 ? log(curves[c].x[i] / least_x) / width : 0;
            grid[cell(curves[c].y[i], HEIGHT)][cell(100 * along, WIDTH)] = curves[c].mark;
        }
    }
    print_grid(grid, y_title);
    char left[32], right[32];
    snprintf(left, sizeof left, "%.3g", least_x);
    snprintf(right, sizeof right, "%.3g", most_x);
    printf("       %s%*s\n       %s\n", left, WIDTH - (int)strlen(left), right, x_title);
}
