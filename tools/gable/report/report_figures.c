/* report_figures.c: figures of the page: their frame, their legend, the first commands of their
 * plots.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts come out of files that anyone may have written. In the page markup is escaped; of what goes
 * to gnuplot only harmless letters remain, so that no text can end its quotes.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "report.h"

#define GRID_WIDTH  420
#define GRID_HEIGHT 290

void report_text(report *r, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '&')
            fputs("&amp;", r->html);
        else if (*text == '<')
            fputs("&lt;", r->html);
        else if (*text == '>')
            fputs("&gt;", r->html);
        else if (*text == '"')
            fputs("&quot;", r->html);
        else if ((unsigned char)*text >= ' ')
            fputc(*text, r->html);
    }
}

void report_label(report *r, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  " _.,:;=()+%/*<>-";
    fputc('\'', r->script);
    for (; *text != '\0'; text++)
        fputc(strchr(letters, *text) != NULL ? *text : '?', r->script);
    fputc('\'', r->script);
}

int report_prec_colour(char prec)
{
    const char *at = strchr(report_precs, prec);
    return at != NULL ? (int)(at - report_precs) + 1 : 5;
}

void report_plot(report *r, int width, int height, const char *alt, ...)
{
    char text[512];
    va_list list;
    va_start(list, alt);
    vsnprintf(text, sizeof text, alt, list);
    va_end(list);
    if (r->plots == r->alt_room) {
        const int room = r->alt_room > 0 ? 2 * r->alt_room : 64;
        char **more = realloc(r->alts, (size_t)room * sizeof *more);
        if (more == NULL) {
            r->out_of_memory = true;
            return;
        }
        r->alts = more;
        r->alt_room = room;
    }
    r->alts[r->plots] = strdup(text);
    r->out_of_memory = r->out_of_memory || r->alts[r->plots] == NULL;
    r->plots++;
    fputc(REPORT_MARK, r->html);
    /* Colours are stand-ins: report_gnuplot.c gives those of the page for them. */
    fprintf(r->script,
            "reset\n"
            "set terminal svg size %d,%d dynamic noenhanced font 'inherit,13' linewidth 1\n"
            "set output\n"
            "unset key\n"
            "set border 3 linecolor rgb '#020000'\n"
            "set tics nomirror out scale 0.6 textcolor rgb '#020002'\n"
            "set grid linetype 1 linecolor rgb '#020001' linewidth 1\n"
            "set rmargin 2\nset tmargin 0.7\n"
            "set xlabel offset 0,0.5 textcolor rgb '#020002'\n"
            "set ylabel offset 0.9,0 textcolor rgb '#020002'\n",
            width > 0 ? width : GRID_WIDTH, height > 0 ? height : GRID_HEIGHT);
}

void report_figure_begin(report *r, const char *class_name, const char *title)
{
    fprintf(r->html, "<figure class=\"%s\">\n<figcaption><b>", class_name);
    report_text(r, title);
    fputs("</b>", r->html);
}

void report_key(report *r, const char *class_name, const char *text)
{
    fprintf(r->html, " <span class=\"key %s\">", class_name);
    report_text(r, text);
    fputs("</span>", r->html);
}

void report_figure_caption_end(report *r)
{
    fputs("</figcaption>\n", r->html);
}

void report_figure_end(report *r)
{
    fputs("</figure>\n", r->html);
}

void report_nothing(report *r, const char *what, const char *command)
{
    fputs("<p class=\"none\">", r->html);
    report_text(r, what);
    fputs(" <code>", r->html);
    report_text(r, command);
    fputs("</code></p>\n", r->html);
}

const char *report_size(double size, char text[32])
{
    if (size >= 1e5 && fmod(size, 1e5) == 0)
        snprintf(text, 32, size >= 1e6 ? "%gM" : "%gk", size / (size >= 1e6 ? 1e6 : 1e3));
    else
        snprintf(text, 32, "%.0f", size);
    return text;
}

const char *report_number(double value, char text[32])
{
    if (!isfinite(value))
        snprintf(text, 32, "-");
    else if (fabs(value) >= 100)
        snprintf(text, 32, "%.0f", value);
    else
        snprintf(text, 32, "%.*f", fabs(value) >= 10 ? 1 : fabs(value) >= 0.1 ? 2 : 4, value);
    return text;
}

void report_log_ticks(report *r, const char *axis, double low, double high, int most)
{
    static const double steps[] = {1, 2, 5};
    const double decades = log10(high / low);
    const bool between = 3 * decades <= most;
    const int every = decades <= most ? 1 : (int)ceil(decades / most);
    const char *comma = "";
    char text[32];
    fprintf(r->script, "set %stics (", axis);
    for (int exponent = (int)floor(log10(low)); exponent <= log10(high); exponent++)
        for (int i = 0; i < (between ? 3 : 1); i++) {
            const double at = steps[i] * pow(10, exponent);
            if (at < low || at > high || exponent % every != 0)
                continue;
            if (at >= 1e5)
                report_size(at, text);
            else
                snprintf(text, sizeof text, "%g", at);
            fprintf(r->script, "%s'%s' %g", comma, text, at);
            comma = ", ";
        }
    fputs(")\n", r->script);
}

double report_tick_step(double range)
{
    const double ten = pow(10, floor(log10(range / 4)));
    return range / 4 >= 5 * ten ? 5 * ten : range / 4 >= 2 * ten ? 2 * ten : ten;
}
