/* roofline.c: a device's ceilings as a drawing of letters.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Williams, Waterman, Patterson: Roofline (CACM 52(4), 2009). A slope is a bandwidth, a level a
 * rate of arithmetic; what a routine can reach stands on the lowest of the two above its flops per
 * byte. Both axes are logarithmic, so slopes are straight.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "roofline.h"

enum { COLUMNS = 64, ROWS = 18, MARGIN = 10, LINE_BYTES = MARGIN + COLUMNS + 4 };

static const double least_intensity = 1.0 / 16, most_intensity = 1024;

typedef struct canvas {
    double low, high; /* GFLOP/s of the last and the first row */
    char cell[ROWS][COLUMNS + 1];
} canvas;

static double intensity_of(int column)
{
    const double part = (double)column / (COLUMNS - 1);
    return least_intensity * pow(most_intensity / least_intensity, part);
}

static int row_of(const canvas *c, double gflops)
{
    const double part = log(gflops / c->low) / log(c->high / c->low);
    return (int)lround((1 - part) * (ROWS - 1));
}

static void put(canvas *c, int column, double gflops, char letter)
{
    const int row = row_of(c, gflops);
    if (row >= 0 && row < ROWS)
        c->cell[row][column] = letter;
}

/* A slope up to the highest level, and a level from the first slope on. */
static void draw_slope(canvas *c, double bytes_a_second, double peak, char letter)
{
    for (int i = 0; i < COLUMNS; i++) {
        const double reached = 1e-9 * bytes_a_second * intensity_of(i);
        if (reached <= peak)
            put(c, i, reached, letter);
    }
}

static void draw_level(canvas *c, double gflops, double steepest, char letter)
{
    for (int i = 0; i < COLUMNS; i++)
        if (1e-9 * steepest * intensity_of(i) >= gflops)
            put(c, i, gflops, letter);
}

static void print_axis(void)
{
    char line[LINE_BYTES];
    printf("%*s+", MARGIN, "");
    for (int i = 0; i < COLUMNS; i++)
        putchar('-');
    memset(line, ' ', sizeof line);
    int used = 0;
    for (double tick = least_intensity; tick <= most_intensity; tick *= 4) {
        const double part = log(tick / least_intensity) / log(most_intensity / least_intensity);
        const int column = MARGIN + 1 + (int)lround(part * (COLUMNS - 1));
        char text[16];
        const int length = tick < 1 ? snprintf(text, sizeof text, "1/%.0f", 1 / tick)
                                    : snprintf(text, sizeof text, "%.0f", tick);
        const int at = column + length < LINE_BYTES - 1 ? column : LINE_BYTES - 1 - length;
        memcpy(line + at, text, (size_t)length);
        used = at + length;
    }
    printf("\n%.*s\n%*s flops per byte\n", used, line, MARGIN + COLUMNS - 14, "");
}

void roofline_draw(const gbl_roofs *roofs)
{
    double peak = roofs->matrix_flops;
    for (int dtype = GBL_S; dtype <= GBL_D; dtype++)
        peak = roofs->flops[dtype] > peak ? roofs->flops[dtype] : peak;
    canvas c = {.high = 1e-9 * peak * 1.5, .low = 0.5e-9 * roofs->read * least_intensity};
    memset(c.cell, ' ', sizeof c.cell);
    draw_slope(&c, roofs->cache, 1e-9 * peak, 'c');
    draw_slope(&c, roofs->read, 1e-9 * peak, 'm');
    if (roofs->matrix_flops > 0)
        draw_level(&c, 1e-9 * roofs->matrix_flops, roofs->cache, 'X');
    draw_level(&c, 1e-9 * roofs->flops[GBL_S], roofs->cache, 'S');
    draw_level(&c, 1e-9 * roofs->flops[GBL_D], roofs->cache, 'D');

    printf("\n  GFLOP/s\n");
    for (int row = 0; row < ROWS; row++) {
        const double part = 1 - (double)row / (ROWS - 1);
        char label[MARGIN] = "";
        if (row % 4 == 0)
            snprintf(label, sizeof label, "%.3g", c.low * pow(c.high / c.low, part));
        int last = COLUMNS;
        while (last > 0 && c.cell[row][last - 1] == ' ')
            last--;
        printf("%*s |%.*s\n", MARGIN - 1, label, last, c.cell[row]);
    }
    print_axis();
    printf("  m memory, c cache, S single, D double%s\n",
           roofs->matrix_flops > 0 ? ", X matrix units in double" : "");
}
