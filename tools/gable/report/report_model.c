/* report_model.c: the model's errors: predicted beside measured times.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "report.h"
#include "gable/plural.h"

/* As src/model/predict.h names them; a colour each. */
static const char *const limiters[] = {"launch",     "latency", "cache",    "memory",
                                       "arithmetic", "tail",    "host link"};
enum { LIMITERS = sizeof limiters / sizeof limiters[0] };

static int limiter_of(const report_row *row)
{
    for (int i = 0; i < LIMITERS; i++)
        if (strcmp(row->limiter, limiters[i]) == 0)
            return i;
    return LIMITERS;
}

static bool is_predicted(const report_row *row, int device)
{
    return row->device == device && row->predicted > 0 && row->usec > 0;
}

static double error_of(const report_row *row)
{
    return 100 * fabs(row->predicted - row->usec) / row->usec;
}

static void put_scatter(report *r, int device)
{
    double low = INFINITY, high = 0;
    unsigned seen = 0;
    for (long i = 0; i < r->row_count; i++) {
        const report_row *row = &r->rows[i];
        if (!is_predicted(row, device))
            continue;
        low = fmin(low, fmin(row->usec, row->predicted));
        high = fmax(high, fmax(row->usec, row->predicted));
        seen |= 1u << limiter_of(row);
    }
    report_figure_begin(r, "plot", "Predicted against measured, by limiter");
    for (int i = 0; i <= LIMITERS; i++) {
        const char key[] = {'s', (char)('1' + i), '\0'};
        if (seen >> i & 1)
            report_key(r, key, i < LIMITERS ? limiters[i] : "not named");
    }
    report_figure_caption_end(r);
    report_plot(r, 0, 340, "Predicted against measured times of %d row%s",
                r->devices[device].predicted, PLURAL(r->devices[device].predicted));
    fprintf(r->script,
            "set logscale xy\nset xlabel 'measured in us'\n"
            "set ylabel 'predicted in us'\nset xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n",
            low / 1.5, high * 1.5, low / 1.5, high * 1.5);
    report_log_ticks(r, "x", low / 1.5, high * 1.5, 6);
    report_log_ticks(r, "y", low / 1.5, high * 1.5, 8);
    for (int i = 0; i <= LIMITERS; i++) {
        if (!(seen >> i & 1))
            continue;
        fprintf(r->script, "$m%d << EOD\n", i);
        for (long at = 0; at < r->row_count; at++)
            if (is_predicted(&r->rows[at], device) && limiter_of(&r->rows[at]) == i)
                fprintf(r->script, "%.6g %.6g\n", r->rows[at].usec, r->rows[at].predicted);
        fputs("EOD\n", r->script);
    }
    fputs(
        "plot x with lines linewidth 1.5 linecolor rgb '#020002' title 'right', x*1.25 with lines "
        "dashtype 3 linecolor rgb '#020002' title '25 % over', x/1.25 with lines dashtype 3 "
        "linecolor rgb '#020002' title '25 % under'",
        r->script);
    for (int i = 0; i <= LIMITERS; i++)
        if (seen >> i & 1)
            fprintf(r->script,
                    ", $m%d using 1:2 with points pointtype 7 pointsize 0.4 linecolor rgb "
                    "'#01000%d' title '%s'",
                    i, i + 1, i < LIMITERS ? limiters[i] : "not named");
    fputc('\n', r->script);
    report_figure_end(r);
}

static void put_histogram(report *r, int device)
{
    enum { BINS = 20 };
    const double bin_width = 5;
    int bins[BINS + 1] = {0};
    for (long i = 0; i < r->row_count; i++) {
        const report_row *row = &r->rows[i];
        if (!is_predicted(row, device))
            continue;
        const double over = 100 * (row->predicted - row->usec) / row->usec;
        const double place = floor(over / bin_width) + BINS / 2.0;
        bins[place < 0 ? 0 : place >= BINS ? BINS : (int)place]++;
    }
    report_figure_begin(r, "plot", "How far off");
    report_figure_caption_end(r);
    report_plot(r, 0, 340, "Histogram of the model's errors in percent of the measured time");
    fputs("$h << EOD\n", r->script);
    for (int i = 0; i <= BINS; i++)
        fprintf(r->script, "%.4g %d\n", (i - BINS / 2.0 + 0.5) * bin_width, bins[i]);
    fprintf(r->script,
            "EOD\nset xrange [%.4g:%.4g]\nset yrange [0:*]\nset boxwidth %.4g\n"
            "set style fill solid 0.8 noborder\nset ylabel 'rows'\nset xtics 25\n"
            "set xlabel 'predicted over measured, %% too much'\n"
            "plot $h using 1:2 with boxes linecolor rgb '#010001' title 'rows'\n",
            -BINS / 2.0 * bin_width, (BINS / 2.0 + 1) * bin_width, 0.9 * bin_width);
    report_figure_end(r);
}

/* Median and 90th percentile of the errors of an op, or of all where it is NULL. */
static void put_line(report *r, int device, const char *op, double *errors)
{
    const report_row *worst = NULL;
    char text[32];
    long count = 0;
    for (long i = 0; i < r->row_count; i++) {
        const report_row *row = &r->rows[i];
        if (!is_predicted(row, device) || (op != NULL && strcmp(row->op, op) != 0))
            continue;
        errors[count++] = error_of(row);
        if (worst == NULL || error_of(row) > error_of(worst))
            worst = row;
    }
    if (count == 0)
        return;
    fputs(op == NULL ? "<tr class=\"sum\"><th scope=\"row\">" : "<tr><th scope=\"row\">", r->html);
    report_text(r, op != NULL ? op : "all");
    fprintf(r->html, "</th><td class=\"num\">%ld</td>", count);
    fprintf(r->html, "<td class=\"num\">%s</td>",
            report_number(report_median(errors, count), text));
    const long ninth = (long)ceil(0.9 * (double)count) - 1; /* sorted by the median */
    fprintf(r->html, "<td class=\"num\">%s</td>", report_number(errors[ninth], text));
    fprintf(r->html, "<td class=\"num\">%s</td><td class=\"at\">",
            report_number(errors[count - 1], text));
    if (worst->on_axis)
        fprintf(r->html, "%c, n = %s, ", worst->prec, report_size(worst->x, text));
    else
        fprintf(r->html, "%c, ", worst->prec);
    report_text(r, worst->shape);
    fputs(worst->on_axis ? "" : ", ", r->html);
    fprintf(r->html, "%s</td></tr>\n", worst->single ? "alone" : "replayed");
}

void report_model(report *r, int device)
{
    fputs("<h3>The model's errors</h3>\n", r->html);
    if (r->devices[device].predicted == 0) {
        report_nothing(r, "No prediction was compared with a measurement here yet. This does it:",
                       "gable bench --model-error");
        return;
    }
    double *errors = malloc((size_t)r->row_count * sizeof *errors);
    if (errors == NULL) {
        r->out_of_memory = true;
        return;
    }
    fputs("<div class=\"grid\">\n", r->html);
    put_scatter(r, device);
    put_histogram(r, device);
    fputs("</div>\n<div class=\"scroll\"><table><thead><tr><th>routine</th><th "
          "class=\"num\">rows</th><th class=\"num\">median error, %</th><th class=\"num\">90th "
          "percentile, %</th><th class=\"num\">worst, %</th><th>at</th></tr></thead><tbody>\n",
          r->html);
    put_line(r, device, NULL, errors);
    /* Rows are sorted by op, those of the model's own files behind the others. */
    for (long i = 0; i < r->row_count; i++) {
        bool before = !is_predicted(&r->rows[i], device);
        for (long j = 0; j < i && !before; j++)
            before = is_predicted(&r->rows[j], device) && strcmp(r->rows[j].op, r->rows[i].op) == 0;
        if (!before)
            put_line(r, device, r->rows[i].op, errors);
    }
    fputs("</tbody></table></div>\n", r->html);
    free(errors);
}
