/* report_tuning.c: the tuner's gains: what a call took with its first choice, beside the last
 * winner.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The database keeps all its measurements; a winner stands at the end of each run of the tuner,
 * also where the choice stayed. Only a changed choice is a gain: its line has the time of the
 * choice before, from the runs in which the two took turns. Lines of older versions have not; there
 * two winners that differ are compared.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/json_line.h"
#include "gable/plural.h"
#include "report.h"

#define SHOWN     24 /* bars that a plot has room for */
#define ROW_PIXEL 19

typedef struct gain {
    char name[128], size[128], key[24], variant[24], params[96];
    char prec;
    int tried, wrong, changed; /* measurements; wrong ones; how often the choice changed */
    double last;               /* us of the last winner; 0: none yet */
    double ratio;              /* of all changes together */
} gain;

static bool is_true(const char *line, const char *name)
{
    const char *at = NULL;
    char member[48];
    while (gbl_json_next(line, "", &at, member, sizeof member))
        if (strcmp(member, name) == 0)
            return strncmp(at, "true", 4) == 0;
    return false;
}

static void text_of(const char *line, const char *path, char *text, size_t bytes)
{
    char whole[512];
    text[0] = '\0';
    if (gbl_json_text(line, path, whole, sizeof whole))
        snprintf(text, bytes, "%.*s", (int)bytes - 1, whole);
}

/* The sizes of a class, rounded log2: 2731-5461 for 12. */
static void class_text(double log2_size, char *text, size_t bytes)
{
    const double least = ceil(exp2(log2_size) / 1.5), most = ceil(exp2(log2_size + 1) / 1.5) - 1;
    if (most > least && log2_size > 0)
        snprintf(text, bytes, "%.0f-%.0f", least, most);
    else
        snprintf(text, bytes, "%.0f", log2_size > 0 ? least : 1);
}

/* "dgemv trans" and the flags. */
static void name_of(const char *line, char *name, size_t bytes)
{
    char op[24], prec[4], flags[64];
    text_of(line, "op", op, sizeof op);
    text_of(line, "prec", prec, sizeof prec);
    text_of(line, "flags", flags, sizeof flags);
    snprintf(name, bytes, "%s%s%s%s", prec, op, flags[0] != '\0' ? " " : "", flags);
}

/* "3000x3000": the size that was tuned or, where an older version did not write it, the sizes of
 * its class. */
static void size_of(const char *line, char *size, size_t bytes)
{
    static const char *const sizes[] = {"m", "n", "k", "batch"};
    text_of(line, "size", size, bytes);
    if (size[0] != '\0')
        return;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char text[48];
        double log2_size;
        const size_t used = strlen(size);
        if (!gbl_json_number(line, sizes[i], &log2_size))
            continue;
        class_text(log2_size, text, sizeof text);
        snprintf(size + used, bytes - used, "%s%s", used > 0 ? "x" : "", text);
    }
}

static gain *find_gain(gain *gains, long *count, const char *name, const char *key)
{
    for (long i = 0; i < *count; i++)
        if (strcmp(gains[i].name, name) == 0 && strcmp(gains[i].key, key) == 0)
            return &gains[i];
    gain *fresh = &gains[(*count)++];
    memset(fresh, 0, sizeof *fresh);
    snprintf(fresh->name, sizeof fresh->name, "%s", name);
    snprintf(fresh->key, sizeof fresh->key, "%s", key);
    return fresh;
}

static void take_winner(gain *of, const char *line, double usec)
{
    char variant[24], params[96];
    double old = 0;
    text_of(line, "variant", variant, sizeof variant);
    text_of(line, "params", params, sizeof params);
    const bool differs = strcmp(variant, of->variant) != 0 || strcmp(params, of->params) != 0;
    if (!gbl_json_number(line, "old_usec", &old) || !(old > 0))
        old = of->last > 0 && differs ? of->last : 0;
    if (old > 0) {
        of->ratio = (of->changed > 0 ? of->ratio : 1) * old / usec;
        of->changed++;
    }
    of->last = usec;
    snprintf(of->variant, sizeof of->variant, "%s", variant);
    snprintf(of->params, sizeof of->params, "%s", params);
    size_of(line, of->size, sizeof of->size);
}

static long read_gains(const report *r, int device, gain *gains)
{
    long count = 0;
    for (long i = 0; i < r->tuning.count; i++) {
        const char *line = r->tuning.line[i].text;
        char name[128], key[24];
        double usec = 0, error = 0;
        if (r->tuning.line[i].device != device || !gbl_json_number(line, "usec", &usec) ||
            !(usec > 0))
            continue;
        name_of(line, name, sizeof name);
        text_of(line, "key", key, sizeof key);
        gain *of = find_gain(gains, &count, name, key);
        of->tried++;
        of->prec = name[0];
        if (of->size[0] == '\0')
            size_of(line, of->size, sizeof of->size);
        if (gbl_json_number(line, "error", &error) && !(error <= 1)) {
            of->wrong++;
            continue;
        }
        if (!is_true(line, "winner"))
            continue;
        take_winner(of, line, usec);
    }
    return count;
}

/* Ordered by: what did not change stands behind what did. */
static double ratio(const gain *g)
{
    return g->changed > 0 ? g->ratio : g->last > 0 ? 1 : 0;
}

static int by_gain(const void *a, const void *b)
{
    const double first = ratio(a), second = ratio(b);
    return first != second ? (first < second) - (first > second)
                           : strcmp(((const gain *)a)->name, ((const gain *)b)->name);
}

/* Horizontal bars from 1 on, the largest gain on top. */
static void put_bars(report *r, const gain *gains, long count)
{
    const int shown = count < SHOWN ? (int)count : SHOWN;
    const double most = ratio(&gains[0]);
    report_figure_begin(r, "plot medium",
                        "Time with the choice before over that with the choice now");
    report_figure_caption_end(r);
    report_plot(r, 540, 66 + ROW_PIXEL * shown,
                "The tuner's gains: bars for %d call%s, up to %.2f times", shown, PLURAL(shown),
                most);
    fprintf(r->script,
            "set yrange [%d.5:-0.5]\nset xrange [%.6g:%.6g]\nset xtics %.6g\nset ytics (",
            shown - 1, 1.0, 1.02 * most, report_tick_step(1.02 * most - 1));
    for (int i = 0; i < shown; i++) {
        fputs(i > 0 ? ", " : "", r->script);
        char label[260];
        snprintf(label, sizeof label, "%s %s", gains[i].name, gains[i].size);
        report_label(r, label);
        fprintf(r->script, " %d", i);
    }
    fputs(")\nset xlabel 'times faster'\nunset grid\nset grid xtics linetype 1 linecolor rgb "
          "'#020001'\nset style fill solid 0.85 noborder\n",
          r->script);
    fputs("$g << EOD\n", r->script);
    for (int i = 0; i < shown; i++)
        fprintf(r->script, "%d %.6g\n", i, fmax(1, ratio(&gains[i])));
    fputs("EOD\nplot $g using ((1+$2)/2):1:(1):2:($1-0.36):($1+0.36) with boxxyerror linecolor rgb "
          "'#010001' title 'gain'\n",
          r->script);
    report_figure_end(r);
}

static void put_table(report *r, const gain *gains, long count)
{
    char text[32];
    fprintf(
        r->html,
        "<details%s><summary>All tuned calls: %ld</summary>\n<div class=\"scroll\"><table>"
        "<thead><tr><th>call</th><th class=\"num\">measured</th><th class=\"num\">wrong</th><th "
        "class=\"num\">before, us</th><th class=\"num\">now, us</th><th "
        "class=\"num\">gain</th><th>winner</th></tr></thead><tbody>\n",
        count <= 12 ? " open" : "", count);
    for (long i = 0; i < count; i++) {
        const gain *g = &gains[i];
        fputs("<tr><th scope=\"row\">", r->html);
        report_text(r, g->name);
        fputs(" ", r->html);
        report_text(r, g->size);
        fprintf(r->html, "</th><td class=\"num\">%d</td><td class=\"num\">%d</td>", g->tried,
                g->wrong);
        if (g->last > 0) {
            fprintf(r->html, "<td class=\"num\">%s</td>", report_number(ratio(g) * g->last, text));
            fprintf(r->html, "<td class=\"num\">%s</td>", report_number(g->last, text));
            if (g->changed > 0)
                fprintf(r->html, "<td class=\"num\">%.2f</td><td class=\"at\">", g->ratio);
            else
                fputs("<td class=\"num\">stays</td><td class=\"at\">", r->html);
            report_text(r, g->variant);
            fputs(g->params[0] != '\0' ? ": " : "", r->html);
            report_text(r, g->params);
            fputs("</td></tr>\n", r->html);
        } else {
            fputs("<td class=\"num\">-</td><td class=\"num\">-</td><td "
                  "class=\"num\">-</td><td></td></tr>\n",
                  r->html);
        }
    }
    fputs("</tbody></table></div></details>\n", r->html);
}

/* How many calls were tuned, in how many the choice changed, and what that gave. */
static void put_sentence(report *r, long won, long changed, double log_sum)
{
    fprintf(r->html, "<p>%ld call%s tuned. ", won, won == 1 ? " was" : "s were");
    if (changed == 0)
        fputs("The choice stayed in all of them.</p>\n", r->html);
    else
        fprintf(r->html,
                "In %ld of them the choice changed, which made %s %.2f times as fast%s; each new "
                "choice beat the one before it by more than noise, in turn.</p>\n",
                changed, changed == 1 ? "it" : "them", exp(log_sum / (double)changed),
                changed == 1 ? "" : ", by the geometric mean");
}

void report_tuning(report *r, int device)
{
    gain *gains = r->tuning.count > 0 ? malloc((size_t)r->tuning.count * sizeof *gains) : NULL;
    long count = gains != NULL ? read_gains(r, device, gains) : 0, won = 0, changed = 0;
    double log_sum = 0;
    r->out_of_memory = r->out_of_memory || (gains == NULL && r->tuning.count > 0);
    fputs("<h3>The tuner's gains</h3>\n", r->html);
    for (long i = 0; i < count; i++)
        if (gains[i].last > 0) {
            won++;
            changed += gains[i].changed > 0;
            log_sum += log(ratio(&gains[i]));
        }
    if (won == 0) {
        report_nothing(r, "Nothing was tuned on this device yet. This does it:", "gable tune all");
    } else {
        qsort(gains, (size_t)count, sizeof *gains, by_gain);
        put_sentence(r, won, changed, log_sum);
        long gained = 0;
        while (gained < won && ratio(&gains[gained]) > 1.005)
            gained++;
        if (gained > 0)
            put_bars(r, gains, gained);
        put_table(r, gains, count);
    }
    free(gains);
}
