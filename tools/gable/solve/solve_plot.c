/* solve_plot.c: the residuals of `gable solve` as a plot of letters, or as an SVG.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "solve.h"

#define COLUMNS    64
#define MOST_LINES 16

/* Exponents of ten between which all residuals are. */
static bool decades(const solve_history *history, int *top, int *bottom)
{
    double most = 0, least = INFINITY;
    for (int64_t i = 0; i < history->count; i++) {
        const double r = history->residual[i];
        if (!(r > 0) || !isfinite(r))
            continue;
        most = r > most ? r : most;
        least = r < least ? r : least;
    }
    if (!(most > 0))
        return false;
    if (history->tolerance > 0 && history->tolerance < least)
        least = history->tolerance;
    *top = (int)ceil(log10(most));
    *bottom = (int)floor(log10(least));
    *top += *top == *bottom;
    return true;
}

void solve_plot_text(const solve_history *history)
{
    int top, bottom;
    if (!decades(history, &top, &bottom)) {
        puts("\nno residual to plot");
        return;
    }
    const int step = (top - bottom + MOST_LINES - 1) / MOST_LINES,
              lines = (top - bottom) / step + 1;
    char grid[MOST_LINES + 2][COLUMNS + 1];
    for (int i = 0; i < lines; i++) {
        memset(grid[i], ' ', COLUMNS);
        grid[i][COLUMNS] = '\0';
    }
    const double wanted = history->tolerance > 0 ? log10(history->tolerance) : top;
    const int at = (int)lround((top - wanted) / step);
    if (history->tolerance > 0 && at >= 0 && at < lines)
        memset(grid[at], '-', COLUMNS);
    for (int64_t i = 0; i < history->count; i++) {
        const double r = history->residual[i];
        if (!(r > 0) || !isfinite(r))
            continue;
        const int column = history->count > 1
                               ? (int)((double)i * (COLUMNS - 1) / (double)(history->count - 1))
                               : 0;
        const int line = (int)lround((top - log10(r)) / step);
        grid[line < lines ? line : lines - 1][column] = '*';
    }
    printf("\n|b - A x| / |b|\n");
    for (int i = 0; i < lines; i++)
        printf("  1e%+03d |%s\n", top - i * step, grid[i]);
    printf("        +");
    for (int i = 0; i < COLUMNS; i++)
        putchar('-');
    printf("\n         1%*lld iterations\n", COLUMNS - 1, (long long)history->count);
}

/* ---- SVG ---- */

enum { WIDTH = 720, HEIGHT = 420, LEFT = 64, RIGHT = 16, ABOVE = 40, BELOW = 48, POINTS = 1000 };

static void write_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '<' || *text == '&' || *text == '>')
            fprintf(out, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;");
        else
            fputc(*text, out);
}

bool solve_plot_svg(const solve_history *history, const char *title, gbl_draft *draft)
{
    int top = 0, bottom = -1;
    const int again = dup(draft->file); /* the stream closes its own */
    FILE *out = again >= 0 ? fdopen(again, "w") : NULL;
    if (out == NULL) {
        gbl_draft_drop(draft);
        return false;
    }
    decades(history, &top, &bottom);
    const double wide = WIDTH - LEFT - RIGHT, high = HEIGHT - ABOVE - BELOW,
                 each = high / (top - bottom);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"13\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n<text x=\"%d\" y=\"24\">",
            WIDTH, HEIGHT, LEFT);
    write_escaped(out, title);
    fputs("</text>\n", out);
    const int step = (top - bottom + MOST_LINES - 1) / MOST_LINES;
    for (int d = top; d >= bottom; d -= step > 0 ? step : 1) {
        const int y = (int)lround(ABOVE + (top - d) * each);
        fprintf(out,
                "<path d=\"M%d %dH%d\" stroke=\"#dddddd\"/><text x=\"%d\" y=\"%d\" "
                "text-anchor=\"end\">1e%d</text>\n",
                LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4, d);
    }
    if (history->tolerance > 0)
        fprintf(out, "<path d=\"M%d %dH%d\" stroke=\"#b03030\" stroke-dasharray=\"4 4\"/>\n", LEFT,
                (int)lround(ABOVE + (top - log10(history->tolerance)) * each), WIDTH - RIGHT);
    fputs("<path fill=\"none\" stroke=\"#2a6fb0\" stroke-width=\"1.5\" d=\"", out);
    const int64_t skip = history->count / POINTS + 1;
    char move = 'M';
    for (int64_t i = 0; i < history->count; i += skip) {
        const double r = history->residual[i];
        if (!(r > 0) || !isfinite(r)) {
            move = 'M';
            continue;
        }
        /* tenths of a pixel as whole numbers: a locale may have no point */
        const int x = (int)lround(
            10 *
            (LEFT + (history->count > 1 ? wide * (double)i / (double)(history->count - 1) : 0)));
        const int y = (int)lround(10 * (ABOVE + (top - log10(r)) * each));
        fprintf(out, "%c%d.%d %d.%d", move, x / 10, x % 10, y / 10, y % 10);
        move = 'L';
    }
    fprintf(out,
            "\"/>\n<text x=\"%d\" y=\"%d\">1</text><text x=\"%d\" y=\"%d\" "
            "text-anchor=\"end\">%lld iterations</text>\n</svg>\n",
            LEFT, HEIGHT - BELOW + 20, WIDTH - RIGHT, HEIGHT - BELOW + 20,
            (long long)history->count);
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return gbl_draft_keep(draft);
    const int why = errno;
    gbl_draft_drop(draft);
    errno = why;
    return false;
}
