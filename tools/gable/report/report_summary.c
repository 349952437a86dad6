/* report_summary.c: what was measured on a device, in figures: a line for each op and its flags.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "report.h"
#include "gable/plural.h"

/* The ratios to a peer of one group in one mode. */
typedef struct ratio {
    int count;
    double log_sum, worst;
    const report_row *worst_row;
} ratio;

static ratio ratio_of(const report *r, const report_group *group, int peer, bool single)
{
    ratio all = {.worst = INFINITY};
    for (long i = group->first; i < group->end; i++) {
        const report_row *row = &r->rows[i];
        if (row->single != single || row->hot || !(row->vs[peer] > 0))
            continue;
        all.count++;
        all.log_sum += log(row->vs[peer]);
        if (row->vs[peer] < all.worst) {
            all.worst = row->vs[peer];
            all.worst_row = row;
        }
    }
    return all;
}

static void put_ratio(report *r, double value)
{
    const char *class_name = value < 0.95 ? "num lo" : value > 1.05 ? "num hi" : "num";
    fprintf(r->html, "<td class=\"%s\">%.2f</td>", class_name, value);
}

static void put_case(report *r, const report_row *row)
{
    char text[80], size[32];
    if (row->on_axis)
        snprintf(text, sizeof text, "%c, n = %s", row->prec, report_size(row->x, size));
    else
        snprintf(text, sizeof text, "%c, %s", row->prec, row->shape);
    report_text(r, text);
}

/* "4 (128 ... 16384)" or how many shapes. */
static void put_sizes(report *r, const report_group *group)
{
    int sizes = 0, shapes = 0;
    double low = INFINITY, high = 0;
    for (long i = group->first; i < group->end; i++) {
        const report_row *row = &r->rows[i];
        bool before = !report_is_shown(row);
        for (long j = group->first; j < i && !before; j++)
            before =
                report_is_shown(&r->rows[j]) && r->rows[j].on_axis == row->on_axis &&
                (row->on_axis ? r->rows[j].x == row->x : strcmp(r->rows[j].shape, row->shape) == 0);
        if (before)
            continue;
        sizes += row->on_axis;
        shapes += !row->on_axis;
        if (row->on_axis) {
            low = fmin(low, row->x);
            high = fmax(high, row->x);
        }
    }
    char text[32];
    if (sizes == 1)
        fputs(report_size(low, text), r->html);
    else if (sizes > 1)
        fprintf(r->html, "%d: %s", sizes, report_size(low, text));
    if (sizes > 1)
        fprintf(r->html, " to %s", report_size(high, text));
    if (shapes > 0)
        fprintf(r->html, "%s%d shape%s", sizes > 0 ? ", " : "", shapes, shapes > 1 ? "s" : "");
}

/* Median and range of the percent of the roof. */
static void put_roof(report *r, const report_group *group)
{
    double *values = malloc((size_t)(group->end - group->first) * sizeof *values);
    const report_row *worst = NULL;
    long count = 0;
    for (long i = group->first; values != NULL && i < group->end; i++) {
        const report_row *row = &r->rows[i];
        if (!report_is_shown(row) || !(row->roof > 0))
            continue;
        values[count++] = 100 * row->roof;
        if (worst == NULL || row->roof < worst->roof)
            worst = row;
    }
    if (count == 0) {
        fputs("<td class=\"num\">-</td><td class=\"num\">-</td><td class=\"num\">-</td><td></td>",
              r->html);
    } else {
        const double median = report_median(values, count);
        fprintf(r->html,
                "<td class=\"num\">%.0f</td><td class=\"num\">%.0f</td><td class=\"num\">%.0f</td>"
                "<td class=\"at\">",
                median, values[count - 1], values[0]);
        put_case(r, worst);
        fputs("</td>", r->html);
    }
    r->out_of_memory = r->out_of_memory || values == NULL;
    free(values);
}

static void put_line(report *r, const report_group *group, unsigned peers)
{
    fputs("<tr><th scope=\"row\">", r->html);
    report_text(r, group->name);
    fputs("</th><td>", r->html);
    for (int i = 0; i < 4; i++)
        for (long row = group->first; row < group->end; row++)
            if (r->rows[row].prec == report_precs[i]) {
                fputc(report_precs[i], r->html);
                break;
            }
    fputs("</td><td>", r->html);
    put_sizes(r, group);
    fputs("</td>", r->html);
    put_roof(r, group);
    for (int p = 0; p < r->peer_count; p++) {
        if (!(peers >> p & 1))
            continue;
        const ratio replayed = ratio_of(r, group, p, false), alone = ratio_of(r, group, p, true);
        if (replayed.count > 0)
            put_ratio(r, exp(replayed.log_sum / replayed.count));
        else
            fputs("<td class=\"num\">-</td>", r->html);
        if (alone.count > 0)
            put_ratio(r, exp(alone.log_sum / alone.count));
        else
            fputs("<td class=\"num\">-</td>", r->html);
        if (replayed.count > 0) {
            put_ratio(r, replayed.worst);
            fputs("<td class=\"at\">", r->html);
            put_case(r, replayed.worst_row);
            fputs("</td>", r->html);
        } else {
            fputs("<td class=\"num\">-</td><td></td>", r->html);
        }
    }
    fputs("</tr>\n", r->html);
}

void report_summary(report *r, int device)
{
    report_group group = {.end = 0};
    unsigned peers = 0;
    fputs("<h3>Routines</h3>\n", r->html);
    if (r->devices[device].rows == 0) {
        report_nothing(r, "No routine was measured on this device yet. This does it:",
                       "gable bench copy axpy dot gemv --prec sdcz");
        return;
    }
    for (long i = 0; i < r->row_count; i++)
        for (int p = 0; p < r->peer_count; p++)
            if (r->rows[i].device == device && !r->rows[i].model_only && r->rows[i].vs[p] > 0)
                peers |= 1u << p;
    fputs(
        "<p>Percent of the roof: a plain copy, read or fill of as many bytes, in the same run. "
        "Beside "
        "other libraries: how many times faster Gable is, as the geometric mean over sizes and "
        "precisions; below 1 it is slower.</p>\n"
        "<div class=\"scroll\"><table><thead><tr><th rowspan=\"2\">routine</th><th "
        "rowspan=\"2\">in</th><th rowspan=\"2\">sizes</th><th colspan=\"4\" class=\"mid\">% of the "
        "roof</th>",
        r->html);
    for (int p = 0; p < r->peer_count; p++)
        if (peers >> p & 1) {
            fputs("<th colspan=\"4\" class=\"mid\">vs ", r->html);
            report_text(r, r->peers[p]);
            fputs("</th>", r->html);
        }
    fputs("</tr><tr><th class=\"num\">median</th><th class=\"num\">best</th><th "
          "class=\"num\">worst</th><th>at</th>",
          r->html);
    for (int p = 0; p < r->peer_count; p++)
        if (peers >> p & 1)
            fputs("<th class=\"num\">replayed</th><th class=\"num\">alone</th><th "
                  "class=\"num\">worst</th><th>at</th>",
                  r->html);
    fputs("</tr></thead><tbody>\n", r->html);
    while (report_next_group(r, device, &group))
        put_line(r, &group, peers);
    fputs("</tbody></table></div>\n", r->html);
    const int wrong = r->devices[device].wrong;
    if (wrong > 0)
        fprintf(r->html,
                "<p class=\"none\">%d row%s had results outside their error bounds and %s left "
                "out.</p>\n",
                wrong, PLURAL(wrong), wrong == 1 ? "is" : "are");
}
