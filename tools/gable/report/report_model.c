/* report_model.c: the model's errors: predicted beside measured times.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <string.h>
#include "report.h"
#include "gable/explain/model_error.h"
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
    return row->device == device && row->predicted > 0 && isfinite(row->predicted) &&
           row->usec > 0 && isfinite(row->usec);
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

/* One bar per 5 % between half of the measured time and twice of it. What lies beyond has a bar of
 * its own at each end, apart from the others, in another colour and with its count: a bar that
 * stood for an open range in the row of the others would hide how far off the worst predictions
 * are. */
static void put_histogram(report *r, int device)
{
    enum { BINS = 30 };
    const double first = -50, bin_width = 5, last = first + BINS * bin_width;
    int bins[BINS] = {0}, below = 0, above = 0;
    double highest = 0;
    for (long i = 0; i < r->row_count; i++) {
        const report_row *row = &r->rows[i];
        if (!is_predicted(row, device))
            continue;
        const double over = 100 * (row->predicted - row->usec) / row->usec;
        const double place = floor((over - first) / bin_width);
        if (place < 0)
            below++;
        else if (place >= BINS)
            above++;
        else
            bins[(int)place]++;
        highest = fmax(highest, over);
    }
    report_figure_begin(r, "plot", "How far off");
    if (below > 0)
        fprintf(r->html, " <span>%d row%s: less than half of the measured time</span>", below,
                PLURAL(below));
    if (above > 0)
        fprintf(r->html,
                " <span>%d row%s: twice the measured time or more, at most %.3g times</span>",
                above, PLURAL(above), 1 + highest / 100);
    report_figure_caption_end(r);
    report_plot(r, 0, 340, "Histogram of the model's errors in percent of the measured time");
    fputs("$h << EOD\n", r->script);
    for (int i = 0; i < BINS; i++)
        fprintf(r->script, "%.4g %d\n", first + (i + 0.5) * bin_width, bins[i]);
    fprintf(r->script, "EOD\n$beyond << EOD\n%.4g %d\n%.4g %d\nEOD\n", first - 4 * bin_width, below,
            last + 4 * bin_width, above);
    fprintf(r->script,
            "set xrange [%.4g:%.4g]\nset yrange [0:*]\nset offsets 0,0,graph 0.08,0\n"
            "set boxwidth %.4g\nset style fill solid 0.8 noborder\nset ylabel 'rows'\n"
            "set xtics ('below' %.4g, '-50' -50, '-25' -25, '0' 0, '25' 25, '50' 50, '75' 75, "
            "'100' 100, 'above' %.4g)\n"
            "set xlabel 'predicted over measured, %% too much'\n"
            "plot $h using 1:2 with boxes linecolor rgb '#010001' title 'rows', "
            "$beyond using 1:2 with boxes linecolor rgb '#010002' title 'rows beyond', "
            "$beyond using 1:($2 > 0 ? $2 : 1/0):(sprintf('%%d', $2)) with labels offset 0,0.6 "
            "textcolor rgb '#020002' notitle\n",
            first - 6 * bin_width, last + 6 * bin_width, 0.9 * bin_width, first - 4 * bin_width,
            last + 4 * bin_width);
    report_figure_end(r);
}

/* Median and 90th percentile of the errors of an op, or of all where it is NULL. */
static void put_line(report *r, int device, const char *op, const model_errors *errors)
{
    const report_row *worst = NULL;
    const model_error_summary summary = model_error_summarise(errors, op, NULL);
    char text[32];
    for (long i = 0; i < r->row_count; i++) {
        const report_row *row = &r->rows[i];
        if (!is_predicted(row, device) || (op != NULL && strcmp(row->op, op) != 0))
            continue;
        if (worst == NULL || error_of(row) > error_of(worst))
            worst = row;
    }
    if (worst == NULL)
        return;
    fputs(op == NULL ? "<tr class=\"sum\"><th scope=\"row\">" : "<tr><th scope=\"row\">", r->html);
    report_text(r, op != NULL ? op : "all");
    fprintf(r->html, "</th><td class=\"num\">%d</td>", summary.rows);
    fprintf(r->html, "<td class=\"num\">%s</td>", report_number(100 * summary.median, text));
    fprintf(r->html, "<td class=\"num\">%s</td>", report_number(100 * summary.p90, text));
    fprintf(r->html, "<td class=\"num\">%s</td><td class=\"at\">",
            report_number(error_of(worst), text));
    if (worst->on_axis)
        fprintf(r->html, "%c, n = %s, ", worst->prec, report_size(worst->x, text));
    else
        fprintf(r->html, "%c, ", worst->prec);
    report_text(r, worst->shape);
    fputs(worst->on_axis ? "" : ", ", r->html);
    fprintf(r->html, "%s</td></tr>\n", worst->single ? "alone" : "replayed");
}

/* The rows of a device as `gable bench --model-error` sums them up. */
static model_errors collect_errors(report *r, int device)
{
    model_errors errors = {0, 0, NULL};
    for (long i = 0; i < r->row_count; i++) {
        const report_row *row = &r->rows[i];
        if (is_predicted(row, device) &&
            !model_error_add(&errors, row->op, row->single ? "single" : "replay", row->predicted,
                             row->usec))
            r->out_of_memory = true;
    }
    return errors;
}

void report_model(report *r, int device)
{
    fputs("<h3>The model's errors</h3>\n", r->html);
    if (r->devices[device].predicted == 0) {
        report_nothing(r, "No prediction was compared with a measurement here yet. This does it:",
                       "gable bench --model-error");
        return;
    }
    model_errors errors = collect_errors(r, device);
    fputs("<div class=\"grid\">\n", r->html);
    put_scatter(r, device);
    put_histogram(r, device);
    fputs("</div>\n<div class=\"scroll\"><table><thead><tr><th>routine</th><th "
          "class=\"num\">rows</th><th class=\"num\">median error, %</th><th class=\"num\">90th "
          "percentile, %</th><th class=\"num\">worst, %</th><th>at</th></tr></thead><tbody>\n",
          r->html);
    put_line(r, device, NULL, &errors);
    /* Rows are sorted by op, those of the model's own files behind the others. */
    for (long i = 0; i < r->row_count; i++) {
        bool before = !is_predicted(&r->rows[i], device);
        for (long j = 0; j < i && !before; j++)
            before = is_predicted(&r->rows[j], device) && strcmp(r->rows[j].op, r->rows[i].op) == 0;
        if (!before)
            put_line(r, device, r->rows[i].op, &errors);
    }
    fputs("</tbody></table></div>\n", r->html);
    model_error_free(&errors);
}
