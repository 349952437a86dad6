/* report_roofline.c: every measured op beside what memory and arithmetic allow.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A point is the best row of an op with its flags in one precision; its arithmetic intensity is
 * flops over the fewest bytes any method must move. The plot's place on the canvas is fixed, so
 * that labels can be laid out here: points that lie on one another share a label, and a label
 * without a free place is left out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "report.h"
#include "gable/plural.h"

#define MAX_POINTS   512
#define LETTER_WIDTH 6.6 /* pixels of the labels' font, on average */
#define LABEL_HEIGHT 13.0
#define NAMES        2 /* in a label */

typedef struct point {
    double x, y;
    char prec;
    const char *op;
    double px, py; /* pixels */
} point;

typedef struct box {
    double left, top, right, bottom;
} box;

/* The canvas, and what it shows. */
typedef struct canvas {
    double width, height, left, right, top, bottom; /* pixels */
    double x0, x1, y0, y1;
    double slopes[2]; /* of the lines that labels keep off; 0: none */
} canvas;

static double pixel_x(const canvas *c, double x)
{
    return c->left + (c->right - c->left) * log(x / c->x0) / log(c->x1 / c->x0);
}

static double pixel_y(const canvas *c, double y)
{
    return c->bottom - (c->bottom - c->top) * log(y / c->y0) / log(c->y1 / c->y0);
}

static int find_points(const report *r, int device, point *points)
{
    report_group group = {.end = 0};
    int count = 0;
    while (report_next_group(r, device, &group)) {
        for (int i = 0; i < 4; i++) {
            const report_row *best = NULL;
            for (long at = group.first; at < group.end; at++) {
                const report_row *row = &r->rows[at];
                if (row->prec == report_precs[i] && report_is_shown(row) && row->gflops > 0 &&
                    row->gbs > 0 && (best == NULL || row->gflops > best->gflops))
                    best = row;
            }
            if (best != NULL && count < MAX_POINTS)
                points[count++] =
                    (point){best->gflops / best->gbs, best->gflops, best->prec, best->op, 0, 0};
        }
    }
    return count;
}

/* ---- Labels ---- */

static bool overlaps(const box *a, const box *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

/* Whether the line y = slope x passes through a box. It rises: a box is above or below it as a
 * whole if its corners at the upper left and the lower right are. */
static bool is_crossed(const canvas *c, const box *b, double slope)
{
    if (!(slope > 0))
        return false;
    const double log_x = log(c->x1 / c->x0) / (c->right - c->left);
    const double at_left = pixel_y(c, slope * c->x0 * exp((b->left - c->left) * log_x));
    const double at_right = pixel_y(c, slope * c->x0 * exp((b->right - c->left) * log_x));
    return at_left > b->top - 1 && at_right < b->bottom + 1;
}

static bool is_free(const canvas *c, const box *wanted, const box *taken, int count)
{
    if (wanted->left < c->left + 2 || wanted->right > c->right || wanted->top < c->top ||
        wanted->bottom > c->bottom - 2)
        return false;
    if (is_crossed(c, wanted, c->slopes[0]) || is_crossed(c, wanted, c->slopes[1]))
        return false;
    for (int i = 0; i < count; i++)
        if (overlaps(wanted, &taken[i]))
            return false;
    return true;
}

/* The names of the points that lie where points[first] does, in one precision; they are done
 * then. */
static void join_names(const point *points, int count, int first, bool *done, char *text,
                       size_t bytes)
{
    int names = 0, more = 0;
    text[0] = '\0';
    for (int i = first; i < count; i++) {
        if (done[i] || points[i].prec != points[first].prec ||
            fabs(points[i].px - points[first].px) > 6 || fabs(points[i].py - points[first].py) > 7)
            continue;
        done[i] = true;
        bool there = false;
        for (int j = first; j < i && !there; j++)
            there = done[j] && strcmp(points[j].op, points[i].op) == 0 &&
                    points[j].prec == points[first].prec;
        const size_t used = strlen(text);
        if (there)
            continue;
        if (names < NAMES)
            snprintf(text + used, bytes - used, "%s%s", names++ > 0 ? ", " : "", points[i].op);
        else
            more++;
    }
    const size_t used = strlen(text);
    if (more > 0)
        snprintf(text + used, bytes - used, " +%d", more);
}

/* Labels of one precision beside what is taken already; returns what is taken then. */
static int put_labels(report *r, const canvas *c, const point *points, int count, char prec,
                      box *taken, int boxes)
{
    bool done[MAX_POINTS] = {false};
    for (int i = 0; i < count; i++) {
        char text[96];
        if (done[i] || points[i].prec != prec)
            continue;
        join_names(points, count, i, done, text, sizeof text);
        const double width = LETTER_WIDTH * (double)strlen(text), x = points[i].px,
                     y = points[i].py;
        /* Below to the right first: the roof is above. */
        const double places[][2] = {{x + 7, y + 2},          {x + 7, y - LABEL_HEIGHT / 2},
                                    {x - width / 2, y + 6},  {x + 7, y + 12},
                                    {x - width - 7, y - 6},  {x - width - 7, y - 16},
                                    {x - width / 2, y - 19}, {x + 7, y + 24},
                                    {x + 7, y + 36},         {x - width - 7, y + 6}};
        for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
            const box wanted = {places[p][0], places[p][1], places[p][0] + width,
                                places[p][1] + LABEL_HEIGHT};
            if (!is_free(c, &wanted, taken, boxes))
                continue;
            fputs("set label ", r->script);
            report_label(r, text);
            fprintf(r->script, " at screen %.4f,%.4f left font ',11' textcolor rgb '#01000%d'\n",
                    wanted.left / c->width, 1 - (wanted.top + LABEL_HEIGHT / 2) / c->height,
                    report_prec_colour(prec));
            taken[boxes] = wanted;
            taken[boxes++].right += LETTER_WIDTH; /* a gap to the next */
            break;
        }
    }
    return boxes;
}

/* ---- Ceilings ---- */

static void rate_text(double giga, const char *unit, char *text, size_t bytes)
{
    if (giga >= 1000)
        snprintf(text, bytes, "%.*f T%s", giga >= 10000 ? 0 : 1, giga / 1000, unit);
    else
        snprintf(text, bytes, "%.*f G%s", giga >= 10 ? 0 : 1, giga, unit);
}

/* A label along the line y = slope x, ending shortly before the line bends or leaves the canvas:
 * points are further down. */
static void put_slope_label(report *r, const canvas *c, const char *what, double slope,
                            double highest)
{
    char rate[32], text[64];
    const double per_decade = (c->right - c->left) / log10(c->x1 / c->x0);
    const double angle =
        180 / acos(-1) * atan((c->bottom - c->top) / log10(c->y1 / c->y0) / per_decade);
    const double end = fmin(c->x1, (highest > 0 ? highest : c->y1) / slope);
    const double x = end * pow(10, -16 / per_decade);
    rate_text(slope, "B/s", rate, sizeof rate);
    snprintf(text, sizeof text, "%s %s", what, rate);
    fputs("set label ", r->script);
    report_label(r, text);
    fprintf(r->script,
            " at %.6g,%.6g right rotate by %.1f offset 0,0.6 font ',11' textcolor rgb '#020002'\n",
            x, slope * x, angle);
}

static void put_flat_label(report *r, const canvas *c, const char *what, double giga)
{
    char rate[32], text[64];
    rate_text(giga, "FLOP/s", rate, sizeof rate);
    snprintf(text, sizeof text, "%s %s", what, rate);
    fputs("set label ", r->script);
    report_label(r, text);
    fprintf(r->script, " at %.6g,%.6g right offset -0.5,0.55 font ',11' textcolor rgb '#020002'\n",
            c->x1, giga);
}

static void put_ceilings(report *r, const canvas *c, const report_device *device, double memory)
{
    const double cache = 1e-9 * device->cache;
    const double flops[2] = {1e-9 * device->flops[0], 1e-9 * device->flops[1]};
    const double highest = fmax(flops[0], flops[1]);
    fprintf(r->script, "memory(x) = %.6g * x\ncache(x) = %.6g * x\n", memory, cache);
    fprintf(r->script, "top(x, rate) = rate > 0 && x > rate ? rate : x\n");
    put_slope_label(r, c, "memory", memory, highest);
    if (cache > 1.25 * memory)
        put_slope_label(r, c, "cache", cache, highest);
    fputs("plot ", r->script);
    if (cache > 1.25 * memory) {
        fprintf(r->script,
                "top(cache(x), %.6g) with lines linewidth 1.2 dashtype 3 linecolor rgb '#020002' "
                "title 'cache', ",
                highest);
    }
    for (int i = 0; i < 2; i++)
        if (flops[i] > 0)
            fprintf(r->script,
                    "top(memory(x), %.6g) with lines linewidth 1.5 linecolor rgb '#01000%d' title "
                    "'roof, %c', ",
                    flops[i], i + 1, report_precs[i]);
    fprintf(r->script,
            "(memory(x) > %.6g ? NaN : memory(x)) with lines linewidth 2 linecolor rgb '#020002' "
            "title 'memory', ",
            highest > 0 ? highest : 1e300);
}

static void put_plot(report *r, int device, point *points, int count, double memory, bool narrow)
{
    const report_device *of = &r->devices[device];
    const double flops = 1e-9 * fmax(of->flops[0], of->flops[1]);
    static box taken[2 * MAX_POINTS];
    canvas c = {.width = narrow ? 420 : 900, .height = narrow ? 440 : 480};
    c.left = 74;
    c.right = c.width - 14;
    c.top = 12;
    c.bottom = c.height - 60;
    c.x0 = c.y0 = INFINITY;
    c.x1 = c.y1 = 0;
    unsigned precs = 0;
    for (int i = 0; i < count; i++) {
        c.x0 = fmin(c.x0, points[i].x / 2);
        c.x1 = fmax(c.x1, points[i].x * 4);
        c.y0 = fmin(c.y0, points[i].y / 2);
        c.y1 = fmax(c.y1, points[i].y * 3);
        precs |= 1u << (report_prec_colour(points[i].prec) - 1);
    }
    if (flops > 0) {
        c.x1 = fmax(c.x1, 4 * flops / memory);
        c.y1 = fmax(c.y1, 2 * flops);
        if (of->flops[0] > 0 && of->flops[1] > 0)
            c.y0 = fmin(c.y0, 0.5e-9 * fmin(of->flops[0], of->flops[1]));
    }
    for (int i = 0; i < count; i++) {
        points[i].px = pixel_x(&c, points[i].x);
        points[i].py = pixel_y(&c, points[i].y);
    }
    report_plot(
        r, (int)c.width, (int)c.height,
        "Roofline of %s: %d point%s, GFLOP/s against flops per byte, below the lines of memory "
        "and arithmetic",
        of->title, count, PLURAL(count));
    fprintf(r->script,
            "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset tmargin at screen %.4f\n"
            "set bmargin at screen %.4f\nset logscale xy\nset xrange [%.6g:%.6g]\n"
            "set yrange [%.6g:%.6g]\nset format '%%g'\nset samples 400\n"
            "set xlabel 'arithmetic intensity in flop/byte'\nset ylabel 'GFLOP/s'\n",
            c.left / c.width, c.right / c.width, 1 - c.top / c.height, 1 - c.bottom / c.height,
            c.x0, c.x1, c.y0, c.y1);
    report_log_ticks(r, "x", c.x0, c.x1, narrow ? 6 : 12);
    report_log_ticks(r, "y", c.y0, c.y1, 12);
    /* The two lines, the points, then labels: d first, the others where there is room. */
    c.slopes[0] = memory;
    c.slopes[1] = 1e-9 * of->cache;
    int boxes = 0;
    for (int i = 0; i < count; i++)
        taken[boxes++] =
            (box){points[i].px - 4, points[i].py - 4, points[i].px + 4, points[i].py + 4};
    for (const char *prec = "dszc"; *prec != '\0'; prec++)
        boxes = put_labels(r, &c, points, count, *prec, taken, boxes);
    if (flops > 0) {
        put_flat_label(r, &c, "s", 1e-9 * of->flops[0]);
        if (of->flops[1] > 0 && of->flops[1] < 0.9 * of->flops[0])
            put_flat_label(r, &c, "d", 1e-9 * of->flops[1]);
    }
    for (int i = 0; i < 4; i++) {
        fprintf(r->script, "$p%d << EOD\n", i);
        for (int p = 0; p < count; p++)
            if (points[p].prec == report_precs[i])
                fprintf(r->script, "%.6g %.6g\n", points[p].x, points[p].y);
        fputs("EOD\n", r->script);
    }
    put_ceilings(r, &c, of, memory);
    const char *comma = "";
    for (int i = 0; i < 4; i++)
        if (precs >> i & 1) {
            fprintf(r->script,
                    "%s$p%d using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb "
                    "'#01000%d' title '%c'",
                    comma, i, i + 1, report_precs[i]);
            comma = ", ";
        }
    fputc('\n', r->script);
}

/* Ops that only move data have no place in the plot; they are named. */
static void put_movers(report *r, int device)
{
    report_group group = {.end = 0};
    const char *last = "";
    int count = 0;
    while (report_next_group(r, device, &group)) {
        bool computes = false;
        for (long i = group.first; i < group.end; i++)
            computes = computes || r->rows[i].gflops > 0;
        if (computes || strcmp(group.row->op, last) == 0)
            continue;
        fputs(count++ > 0 ? ", " : "Without arithmetic, and so only in the table and the curves: ",
              r->html);
        report_text(r, group.row->op);
        last = group.row->op;
    }
    if (count > 0)
        fputs(". ", r->html);
}

void report_roofline(report *r, int device)
{
    const report_device *of = &r->devices[device];
    bool measured;
    const double memory = report_memory_roof(r, device, &measured);
    point *points = malloc(MAX_POINTS * sizeof *points);
    const int count = points != NULL ? find_points(r, device, points) : 0;
    r->out_of_memory = r->out_of_memory || points == NULL;
    fputs("<h3>Roofline</h3>\n", r->html);
    if (count == 0 || !(memory > 0)) {
        report_nothing(r,
                       count == 0
                           ? "No routine that computes was measured yet. This does it:"
                           : "The roofs of this device are not known yet. This measures them:",
                       count == 0 ? "gable bench axpy dot gemv" : "gable info --roofs");
        free(points);
        return;
    }
    report_figure_begin(r, "plot large", "The best row of each routine");
    for (int i = 0; i < 4; i++) {
        const char key[] = {'s', (char)('1' + i), '\0'}, letter[] = {report_precs[i], '\0'};
        for (int p = 0; p < count; p++)
            if (points[p].prec == report_precs[i]) {
                report_key(r, key, letter);
                break;
            }
    }
    report_figure_caption_end(r);
    fputs("<div class=\"wide\">", r->html);
    put_plot(r, device, points, count, memory, false);
    fputs("</div><div class=\"narrow\">", r->html);
    put_plot(r, device, points, count, memory, true);
    fputs("</div>\n", r->html);
    report_figure_end(r);
    fputs("<p class=\"note\">", r->html);
    put_movers(r, device);
    if (!measured)
        fputs("The roof of memory is the best measured copy; <code>gable info --roofs</code> "
              "measures "
              "the others.",
              r->html);
    else if (of->flops[0] <= 0)
        fputs("The rate of arithmetic was not measured.", r->html);
    if (measured && of->circumstances[0] != '\0') {
        fputs(" While the roofs were measured: ", r->html);
        report_text(r, of->circumstances);
        fputs(".", r->html);
    }
    fputs("</p>\n", r->html);
    free(points);
}
