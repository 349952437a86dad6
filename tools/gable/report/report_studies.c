/* report_studies.c: the plots of `gable study`: portability of configurations, and latency.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * docs/studies.md has the members of the lines. The study of a file's last header counts; of
 * several rows of one op and configuration the last.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/json_line.h"
#include "report.h"
#include "gable/plural.h"

#define MAX_SETTINGS 8192
#define BINS         20

static const char *const ops[] = {"copy", "add", "dot", "gemv"};
enum { OPS = sizeof ops / sizeof ops[0] };

/* One configuration and the rate of each op with it; 0: none. */
typedef struct setting {
    long code;
    double gbs[OPS];
} setting;

static double number(const char *line, const char *name)
{
    double value;
    return gbl_json_number(line, name, &value) ? value : 0;
}

static bool has(const char *line, const char *name, const char *value)
{
    char text[64];
    return gbl_json_text(line, name, text, sizeof text) && strcmp(text, value) == 0;
}

/* The last header of a study on a device, or NULL. */
static const report_line *find_header(const report *r, int device, const char *study)
{
    const report_line *found = NULL;
    for (long i = 0; i < r->studies.count; i++) {
        const report_line *line = &r->studies.line[i];
        if (line->device == device && has(line->text, "kind", "header") &&
            has(line->text, "study", study))
            found = line;
    }
    return found;
}

/* ---- Portability ---- */

static int op_of(const char *line)
{
    for (int i = 0; i < OPS; i++)
        if (has(line, "op", ops[i]))
            return i;
    return -1;
}

/* Whether a line is of the study that its file's last header began. */
static bool belongs(const report_line *line, const report_line *header)
{
    char prec[8], wanted[8];
    return line->file == header->file && gbl_json_text(line->text, "prec", prec, sizeof prec) &&
           gbl_json_text(header->text, "prec", wanted, sizeof wanted) &&
           strcmp(prec, wanted) == 0 && number(line->text, "size") == number(header->text, "size");
}

static int by_code(const void *a, const void *b)
{
    const long first = ((const setting *)a)->code, second = ((const setting *)b)->code;
    return (first > second) - (first < second);
}

/* The settings of all rows, sorted, each once, then their rates in order of the file. */
static int read_settings(const report *r, const report_line *header, setting *settings)
{
    int count = 0, kept = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (long i = 0; i < r->studies.count; i++) {
            const report_line *line = &r->studies.line[i];
            const int op = op_of(line->text);
            const double gbs = number(line->text, "gbs");
            if (op < 0 || !(gbs > 0) || !belongs(line, header) ||
                (!has(line->text, "kind", "row") && !has(line->text, "kind", "again")))
                continue;
            const long code =
                (long)number(line->text, "local") * 1000000 +
                (long)number(line->text, "groups") * 10000 + (long)number(line->text, "vec") * 200 +
                (long)number(line->text, "range") * 100 + (long)number(line->text, "unroll");
            const setting wanted = {.code = code};
            if (pass == 0 && count < MAX_SETTINGS * OPS) {
                settings[count++] = wanted;
            } else if (pass == 1) {
                setting *found =
                    bsearch(&wanted, settings, (size_t)kept, sizeof *settings, by_code);
                if (found != NULL)
                    found->gbs[op] = gbs;
            }
        }
        if (pass == 0 && count > 0) {
            qsort(settings, (size_t)count, sizeof *settings, by_code);
            for (int i = 0; i < count; i++)
                if (i == 0 || settings[i].code != settings[kept - 1].code)
                    settings[kept++] = settings[i];
        }
    }
    return kept;
}

static void put_histogram(report *r, int op, const char *line)
{
    char text[256], *at = text;
    if (!gbl_json_text(line, "histogram", text, sizeof text))
        return;
    char title[64];
    snprintf(title, sizeof title, "%s: configurations by percent of peak", ops[op]);
    report_figure_begin(r, "plot", title);
    report_figure_caption_end(r);
    report_plot(r, 0, 0, "Histogram of the configurations of %s by percent of peak", ops[op]);
    fputs("$h << EOD\n", r->script);
    for (int i = 0; i < BINS; i++) {
        char *end;
        const double count = strtod(at, &end);
        fprintf(r->script, "%.1f %.0f\n", (i + 0.5) * 100 / BINS, end == at ? 0 : count);
        at = end;
    }
    fprintf(r->script,
            "EOD\nset xrange [0:100]\nset yrange [0:*]\nset boxwidth 4.4\n"
            "set style fill solid 0.85 noborder\nset xlabel '%% of peak'\n"
            "set ylabel 'configurations'\n"
            "plot $h using 1:2 with boxes linecolor rgb '#01000%d' title '%s'\n",
            op + 1, ops[op]);
    report_figure_end(r);
}

static void put_scatter(report *r, int op, const setting *settings, int count, const double *peak)
{
    char title[64];
    int points = 0;
    for (int i = 0; i < count; i++)
        points += settings[i].gbs[0] > 0 && settings[i].gbs[op] > 0;
    if (points == 0 || !(peak[0] > 0) || !(peak[op] > 0))
        return;
    snprintf(title, sizeof title, "%s against copy", ops[op]);
    report_figure_begin(r, "plot", title);
    report_figure_caption_end(r);
    report_plot(r, 0, 0, "Scatter of %s against copy: percent of peak, %d configuration%s", ops[op],
                points, PLURAL(points));
    fputs("$s << EOD\n", r->script);
    for (int i = 0; i < count; i++)
        if (settings[i].gbs[0] > 0 && settings[i].gbs[op] > 0)
            fprintf(r->script, "%.4g %.4g\n", 100 * settings[i].gbs[0] / peak[0],
                    100 * settings[i].gbs[op] / peak[op]);
    fprintf(r->script,
            "EOD\nset xrange [0:103]\nset yrange [0:103]\nset xlabel 'copy, %% of peak'\n"
            "set ylabel '%s, %% of peak'\n"
            "plot x with lines dashtype 3 linecolor rgb '#020002' title 'alike', $s using 1:2 with "
            "points pointtype 7 pointsize 0.22 linecolor rgb '#01000%d' title '%s'\n",
            ops[op], op + 1, ops[op]);
    report_figure_end(r);
}

static void put_percent(report *r, double value)
{
    fprintf(r->html, value > 0 ? "<td class=\"num\">%.0f</td>" : "<td class=\"num\">-</td>", value);
}

static void put_portability(report *r, const report_line *header)
{
    const report_line *summary[OPS] = {NULL}, *loss = NULL;
    double peak[OPS] = {0};
    char text[128];
    for (long i = 0; i < r->studies.count; i++) {
        const report_line *line = &r->studies.line[i];
        const int op = op_of(line->text);
        if (!belongs(line, header))
            continue;
        if (op >= 0 && has(line->text, "kind", "summary"))
            summary[op] = line;
        if (has(line->text, "kind", "loss"))
            loss = line;
    }
    fputs("<h4>Portability: does tuning copy tune them all?</h4>\n<p>", r->html);
    if (loss != NULL)
        fprintf(
            r->html,
            "With copy's best configuration for everything, the work takes <b>%.2f times</b> as "
            "long as with each op's own. ",
            number(loss->text, "loss"));
    if (gbl_json_text(header->text, "date", text, sizeof text)) {
        fputs("Measured ", r->html);
        report_text(r, text);
        fprintf(r->html, ", %.0f elements.", number(header->text, "size"));
    }
    fputs("</p>\n<div class=\"scroll\"><table><thead><tr><th>op</th><th "
          "class=\"num\">configurations</th><th class=\"num\">best, % of peak</th><th "
          "class=\"num\">median</th><th class=\"num\">with copy's best</th><th "
          "class=\"num\">loss</th><th class=\"num\">Spearman</th><th class=\"num\">Kendall</th><th>"
          "best configuration</th></tr></thead><tbody>\n",
          r->html);
    for (int op = 0; op < OPS; op++) {
        if (summary[op] == NULL)
            continue;
        const char *line = summary[op]->text;
        double value;
        peak[op] = number(line, "peak_gbs");
        fprintf(r->html, "<tr><th scope=\"row\">%s</th><td class=\"num\">%.0f of %.0f</td>",
                ops[op], number(line, "rows"), number(line, "of"));
        put_percent(r, number(line, "best_percent"));
        put_percent(r, number(line, "median_percent"));
        put_percent(r, number(line, "with_copy_percent"));
        fprintf(r->html, "<td class=\"num\">%.2f</td>", number(line, "loss"));
        static const char *const ranks[] = {"spearman", "kendall"};
        for (int i = 0; i < 2; i++)
            if (gbl_json_number(line, ranks[i], &value))
                fprintf(r->html, "<td class=\"num\">%.2f</td>", value);
            else
                fputs("<td class=\"num\">-</td>", r->html);
        fputs("<td class=\"at\">", r->html);
        if (gbl_json_text(line, "best", text, sizeof text))
            report_text(r, text);
        fputs("</td></tr>\n", r->html);
    }
    fputs("</tbody></table></div>\n<div class=\"grid\">\n", r->html);
    setting *settings = calloc(MAX_SETTINGS * OPS, sizeof *settings);
    r->out_of_memory = r->out_of_memory || settings == NULL;
    const int count = settings != NULL ? read_settings(r, header, settings) : 0;
    for (int op = 0; op < OPS; op++)
        if (summary[op] != NULL)
            put_histogram(r, op, summary[op]->text);
    fputs("</div>\n<div class=\"grid\">\n", r->html);
    for (int op = 1; op < OPS; op++)
        put_scatter(r, op, settings, count, peak);
    fputs("</div>\n", r->html);
    free(settings);
}

/* ---- Latency ---- */

static void put_latency_plot(report *r, const report_line *header, const char *test,
                             const char *unit, const report_line *summary)
{
    static const int ilp[] = {1, 2, 4, 8};
    unsigned seen = 0;
    char title[96];
    snprintf(title, sizeof title, "%s: rate against occupancy", test);
    report_figure_begin(r, "plot", title);
    for (int i = 0; i < 4; i++) {
        const char key[] = {'s', (char)('1' + i), '\0'};
        char text[24];
        snprintf(text, sizeof text, i == 0 ? "%d in flight" : "%d", ilp[i]);
        report_key(r, key, text);
    }
    report_key(r, "dash", "by Little's law");
    report_figure_caption_end(r);
    report_plot(r, 0, 320,
                "%s: rate in %s against occupancy with 1, 2, 4 and 8 independent operations per "
                "work-item, measured and predicted",
                test, unit);
    for (int i = 0; i < 4; i++) {
        fprintf(r->script, "$l%d << EOD\n", i);
        for (long at = 0; at < r->studies.count; at++) {
            const report_line *line = &r->studies.line[at];
            const double occupancy = number(line->text, "occupancy"),
                         rate = number(line->text, "rate");
            if (line > header && line->file == header->file && has(line->text, "kind", "row") &&
                has(line->text, "test", test) && number(line->text, "ilp") == ilp[i] &&
                occupancy > 0 && rate > 0) {
                fprintf(r->script, "%.6g %.6g %.6g\n", occupancy, rate,
                        number(line->text, "predicted"));
                seen |= 1u << i;
            }
        }
        fputs("EOD\n", r->script);
    }
    fputs("set logscale x 2\nset xrange [0.0142:1.1]\nset xlabel 'occupancy'\nset format x "
          "'%g'\nset yrange [0:*]\nset "
          "ylabel ",
          r->script);
    report_label(r, unit);
    fputs("\nset xtics ('1/64' 0.015625, '1/16' 0.0625, '1/4' 0.25, '1' 1)\nplot ", r->script);
    const char *comma = "";
    for (int i = 0; i < 4; i++) {
        if (!(seen >> i & 1))
            continue;
        fprintf(r->script,
                "%s$l%d using 1:3 smooth unique with lines dashtype 2 linewidth 1.2 linecolor rgb "
                "'#01000%d' title '%d, predicted', $l%d using 1:2 smooth unique with linespoints "
                "pointtype 7 pointsize 0.4 linewidth 2 linecolor rgb '#01000%d' title '%d per "
                "work-item'",
                comma, i, i + 1, ilp[i], i, i + 1, ilp[i]);
        comma = ", ";
    }
    fputs(seen == 0 ? "0 notitle" : "", r->script);
    fputc('\n', r->script);
    if (summary != NULL) {
        char rate[32];
        fprintf(r->html, "<p class=\"note\">Latency %.0f ns, peak %s ",
                number(summary->text, "latency_ns"),
                report_number(number(summary->text, "peak"), rate));
        report_text(r, unit);
        fprintf(r->html, "; %.0f independent operations in flight per unit are needed.</p>\n",
                number(summary->text, "needed"));
    }
    report_figure_end(r);
}

static void put_latency(report *r, const report_line *header)
{
    static const char *const tests[] = {"arithmetic", "memory"};
    fputs("<h4>Latency: how much parallelism hides it?</h4>\n<div class=\"grid\">\n", r->html);
    for (int i = 0; i < 2; i++) {
        const report_line *summary = NULL;
        char unit[16] = "";
        for (long at = 0; at < r->studies.count; at++) {
            const report_line *line = &r->studies.line[at];
            if (line <= header || line->file != header->file || !has(line->text, "test", tests[i]))
                continue;
            if (unit[0] == '\0')
                gbl_json_text(line->text, "in", unit, sizeof unit);
            if (has(line->text, "kind", "summary"))
                summary = line;
        }
        if (unit[0] != '\0')
            put_latency_plot(r, header, tests[i], unit, summary);
    }
    fputs("</div>\n", r->html);
}

void report_studies(report *r, int device)
{
    const report_line *portability = find_header(r, device, "portability");
    const report_line *latency = find_header(r, device, "latency");
    fputs("<h3>Studies</h3>\n", r->html);
    if (strcmp(r->devices[device].kind, "cpu") == 0 && portability == NULL && latency == NULL) {
        fputs("<p class=\"none\">Studies vary kernels; this device runs compiled C instead.</p>\n",
              r->html);
        return;
    }
    if (portability != NULL)
        put_portability(r, portability);
    else
        report_nothing(r, "Configurations were not compared on this device yet. This does it:",
                       "gable study portability");
    if (latency != NULL)
        put_latency(r, latency);
    else
        report_nothing(
            r, "Latency was not studied on this device yet. This does it:", "gable study latency");
}
