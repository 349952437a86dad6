/* report_curves.c: bandwidth, of products of matrices flops, against size: one plot for each op and
 * its flags, beside the peers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A peer's bandwidth is that of the row over how much faster Gable is. Sizes that are one number
 * (vectors, square matrices) make a logarithmic axis; other shapes stand side by side, by name.
 */
#include <math.h>
#include <string.h>
#include "report.h"

#define MAX_SHAPES 48

typedef struct curve {
    long first, end; /* rows of the group on the axis, or the others */
    bool on_axis;
    int shapes;
    const char *shape[MAX_SHAPES];
} curve;

static int place_of(const curve *c, const char *shape)
{
    for (int i = 0; i < c->shapes; i++)
        if (strcmp(c->shape[i], shape) == 0)
            return i;
    return -1;
}

/* GB/s, or GFLOP/s of a product of matrices. */
static double rate_of(const report_row *row)
{
    return row->by_flops ? row->gflops : row->gbs;
}

static void find_shapes(const report *r, curve *c)
{
    for (long i = c->first; i < c->end; i++)
        if (report_is_shown(&r->rows[i]) && place_of(c, r->rows[i].shape) < 0 &&
            c->shapes < MAX_SHAPES)
            c->shape[c->shapes++] = r->rows[i].shape;
}

/* One series as inline data: of a precision, by Gable (peer -1) or a peer. Returns its points. */
static int put_series(report *r, const curve *c, char prec, int peer, const char *name)
{
    int points = 0;
    fprintf(r->script, "$%s << EOD\n", name);
    for (long i = c->first; i < c->end; i++) {
        const report_row *row = &r->rows[i];
        const int place = c->on_axis ? 0 : place_of(c, row->shape);
        if (row->prec != prec || !report_is_shown(row) || !(rate_of(row) > 0) || place < 0 ||
            (peer >= 0 && !(row->vs[peer] > 0)))
            continue;
        /* Precisions beside one another. */
        const double aside = 0.13 * (report_prec_colour(prec) - 2.5);
        fprintf(r->script, "%.8g %.6g\n", c->on_axis ? row->x : place + aside,
                peer < 0 ? rate_of(row) : rate_of(row) / row->vs[peer]);
        points++;
    }
    fputs("EOD\n", r->script);
    return points;
}

static double largest(const report *r, const curve *c, int peer_count)
{
    double most = 0;
    for (long i = c->first; i < c->end; i++) {
        const report_row *row = &r->rows[i];
        if (!report_is_shown(row))
            continue;
        most = fmax(most, rate_of(row));
        for (int p = 0; p < peer_count; p++)
            if (row->vs[p] > 0)
                most = fmax(most, rate_of(row) / row->vs[p]);
    }
    return most;
}

/* Ticks at the sizes themselves where they are few and far between. */
static void put_size_ticks(report *r, const curve *c, double low, double high)
{
    enum { MOST = 6 };
    double sizes[MOST], last = 0;
    char text[32];
    int count = 0;
    for (double next = low; count < MOST && next < INFINITY;) {
        sizes[count++] = next;
        last = next;
        next = INFINITY;
        for (long i = c->first; i < c->end; i++)
            if (report_is_shown(&r->rows[i]) && r->rows[i].x > last)
                next = fmin(next, r->rows[i].x);
    }
    bool apart = last == high;
    for (int i = 1; i < count; i++)
        apart = apart && log(sizes[i] / sizes[i - 1]) > 0.12 * log(high / low);
    if (!apart) {
        report_log_ticks(r, "x", low / 1.4, high * 1.4, 6);
        return;
    }
    fputs("set xtics (", r->script);
    for (int i = 0; i < count; i++)
        fprintf(r->script, "%s'%s' %.17g", i > 0 ? ", " : "", report_size(sizes[i], text),
                sizes[i]);
    fputs(")\n", r->script);
}

static void put_line(report *r, double at, const char *label)
{
    if (at > 0)
        fprintf(r->script,
                "set arrow from graph 0, first %.6g to graph 1, first %.6g nohead dashtype 3 "
                "linewidth 1.5 linecolor rgb '#020002'\n"
                "set label '%s' at graph 0.015, first %.6g offset 0,0.55 font ',11' textcolor "
                "rgb '#020002'\n",
                at, at, label, at);
}

/* Axes, ranges and the lines of the roofs: of memory, or of multiply-adds in single and double. */
static void put_frame(report *r, const curve *c, double most, int device, unsigned precs)
{
    bool measured;
    const bool by_flops = r->rows[c->first].by_flops;
    const double memory = by_flops ? 0 : report_memory_roof(r, device, &measured);
    const double *flops = r->devices[device].flops;
    const double single = by_flops && precs & 5 ? 1e-9 * flops[0] : 0,
                 wide = by_flops && precs & 10 ? 1e-9 * flops[1] : 0;
    const double top = 1.12 * fmax(most, fmax(memory, fmax(single, wide)));
    fprintf(r->script, "set ylabel '%s'\nset yrange [0:%.6g]\nset ytics %.6g\n",
            by_flops ? "GFLOP/s" : "GB/s", top > 0 ? top : 1, report_tick_step(top > 0 ? top : 1));
    if (c->on_axis) {
        double low = INFINITY, high = 0;
        for (long i = c->first; i < c->end; i++) {
            if (!report_is_shown(&r->rows[i]))
                continue;
            low = fmin(low, r->rows[i].x);
            high = fmax(high, r->rows[i].x);
        }
        fprintf(r->script, "set xlabel 'n'\nset logscale x\nset xrange [%.6g:%.6g]\n", low / 1.4,
                high * 1.4);
        put_size_ticks(r, c, low, high);
    } else {
        fprintf(r->script, "set xrange [-0.6:%.1f]\nset xtics (", c->shapes - 0.4);
        for (int i = 0; i < c->shapes; i++) {
            fputs(i > 0 ? ", " : "", r->script);
            report_label(r, c->shape[i]);
            fprintf(r->script, " %d", i);
        }
        fprintf(r->script, ")%s\n", c->shapes > 2 ? " rotate by -28" : "");
    }
    put_line(r, memory, "memory");
    put_line(r, single, "multiply-adds in single");
    put_line(r, wide, "multiply-adds in double");
}

static void put_curve(report *r, int device, const report_group *group, curve *c)
{
    static const char *const dash[] = {"2", "3", "4", "5"};
    static const int shape[] = {6, 4, 8, 12};
    char name[24], title[128], command[4096];
    int peers_seen = 0;
    size_t used = 0;
    unsigned precs = 0;
    if (!c->on_axis)
        find_shapes(r, c);
    snprintf(title, sizeof title, "%s%s", group->name, c->on_axis ? "" : ", by shape");
    report_figure_begin(r, "plot", title);
    for (int p = -1; p < r->peer_count; p++)
        for (int i = 0; i < 4; i++)
            for (long row = c->first; row < c->end; row++)
                if (r->rows[row].prec == report_precs[i] && report_is_shown(&r->rows[row])) {
                    precs |= 1u << i;
                    if (p >= 0 && r->rows[row].vs[p] > 0)
                        peers_seen |= 1 << p;
                }
    for (int i = 0; i < 4; i++) {
        char key[8] = {'s', (char)('1' + i), '\0'}, letter[2] = {report_precs[i], '\0'};
        if (precs >> i & 1)
            report_key(r, key, letter);
    }
    for (int p = 0, seen = 0; p < r->peer_count; p++)
        if (peers_seen >> p & 1)
            report_key(r, !c->on_axis ? "ring" : seen++ == 0 ? "dash" : "dots", r->peers[p]);
    report_figure_caption_end(r);
    report_plot(r, 0, 0, "%s: %s against the size, in each precision, beside other libraries",
                group->name, r->rows[c->first].by_flops ? "GFLOP/s" : "bandwidth in GB/s");
    put_frame(r, c, largest(r, c, r->peer_count), device, precs);
    /* Peers first, Gable over them. */
    command[0] = '\0';
    for (int p = r->peer_count - 1; p >= -1; p--) {
        int which = 0;
        for (int q = 0; q < p; q++)
            which += peers_seen >> q & 1;
        for (int i = 0; i < 4; i++) {
            snprintf(name, sizeof name, "d%d_%d", p + 1, i);
            if (put_series(r, c, report_precs[i], p, name) == 0)
                continue;
            const char *lines = c->on_axis ? "linespoints" : "points";
            if (p < 0)
                used += (size_t)snprintf(command + used, sizeof command - used,
                                         "%s$%s using 1:2 with %s pointtype 7 pointsize %s "
                                         "linewidth 2 linecolor rgb '#01000%d' title '%c'",
                                         used > 0 ? ", " : "", name, lines,
                                         c->on_axis ? "0.45" : "0.8", i + 1, report_precs[i]);
            else
                used += (size_t)snprintf(command + used, sizeof command - used,
                                         "%s$%s using 1:2 with %s pointtype %d pointsize %s "
                                         "linewidth 1.3 dashtype %s linecolor rgb '#01000%d' title "
                                         "'%c, the other library'",
                                         used > 0 ? ", " : "", name, lines, shape[which % 4],
                                         c->on_axis ? "0.4" : "0.8", dash[which % 4], i + 1,
                                         report_precs[i]);
        }
    }
    fprintf(r->script, "plot %s\n", used > 0 ? command : "0 notitle");
    report_figure_end(r);
}

void report_curves(report *r, int device)
{
    report_group group = {.end = 0};
    fputs("<h3>Bandwidth against size</h3>\n", r->html);
    if (r->devices[device].rows == 0) {
        report_nothing(r, "No routine was measured on this device yet. This does it:",
                       "gable bench copy axpy dot gemv --prec sdcz");
        return;
    }
    fputs("<p>Calls replayed from a recording, operands from memory. Solid lines and filled points "
          "are "
          "Gable, dashed lines and rings the other library in the same run. The dotted line is the "
          "memory's roof. Products of matrices show GFLOP/s, and the rate of multiply-adds.</p>\n"
          "<div class=\"grid\">\n",
          r->html);
    while (report_next_group(r, device, &group)) {
        curve axis = {.first = group.first, .on_axis = true}, others = {.end = group.end};
        int shown = 0, shown_others = 0;
        for (axis.end = group.first; axis.end < group.end && r->rows[axis.end].on_axis; axis.end++)
            shown += report_is_shown(&r->rows[axis.end]);
        others.first = axis.end;
        for (long i = others.first; i < others.end; i++)
            shown_others += report_is_shown(&r->rows[i]);
        if (shown > 0)
            put_curve(r, device, &group, &axis);
        if (shown_others > 0)
            put_curve(r, device, &group, &others);
    }
    fputs("</div>\n", r->html);
}
