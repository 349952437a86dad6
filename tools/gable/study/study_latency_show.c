/* study_latency_show.c: what the study of latency found: table, plots, lines of JSON.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <string.h>
#include "gable/json.h"
#include "study.h"
#include "study_latency.h"
#include "gable/table.h"
#include "text_plot.h"

#define REACHED 0.95 /* of the peak */

const char *const latency_tests[LATENCY_TESTS] = {"arithmetic", "memory"};
const double latency_amounts[LATENCY_TESTS] = {2, 8};
const char *const latency_units[LATENCY_TESTS] = {"GFLOP/s", "GB/s"};
static const char *const operations[LATENCY_TESTS] = {"multiply-adds", "loads"};

static bool is_measured(const latency_study *seen, int point, int test, int index)
{
    return seen->points[point].at[test][index].rate > 0;
}

bool latency_work_out(const latency_study *seen, int test, latency_result *result)
{
    memset(result, 0, sizeof *result);
    if (!is_measured(seen, 0, test, 0))
        return false;
    result->latency =
        (double)seen->points[0].items * seen->units / seen->points[0].at[test][0].rate;
    for (int i = 0; i < seen->point_count; i++)
        for (int k = 0; k < LATENCY_ILPS; k++)
            result->peak = fmax(result->peak, seen->points[i].at[test][k].rate);
    result->needed = result->latency * result->peak / seen->units;
    for (int k = 0; k < LATENCY_ILPS; k++)
        for (int i = seen->point_count - 1; i >= 0; i--)
            if (seen->points[i].at[test][k].rate >= REACHED * result->peak)
                result->needed_items[k] = seen->points[i].items;
    return true;
}

double latency_predict(const latency_study *seen, const latency_result *result, int point, int ilp)
{
    const double in_flight = (double)seen->points[point].items * seen->units * ilp;
    return fmin(result->peak, in_flight / result->latency);
}

static double occupancy_at(const latency_study *seen, int point)
{
    return (double)seen->points[point].items / seen->items_a_unit;
}

/* ---- Text ---- */

static void show_table(const latency_study *seen, int test, const latency_result *result)
{
    static table t;
    memset(&t, 0, sizeof t);
    table_add(&t, "items per unit", 14, false);
    table_add(&t, "occupancy", 9, false);
    for (int k = 0; k < LATENCY_ILPS; k++) {
        char title[16];
        snprintf(title, sizeof title, "%d", 1 << k);
        table_add(&t, title, 8, false);
        table_add(&t, "Little", 8, false);
    }
    table_head(&t);
    const double scale = 1e-9 * latency_amounts[test];
    for (int i = 0; i < seen->point_count; i++) {
        table_cell cells[2 + 2 * LATENCY_ILPS];
        bool any = false;
        memset(cells, 0, sizeof cells);
        snprintf(cells[0].text, sizeof cells[0].text, "%d", seen->points[i].items);
        snprintf(cells[1].text, sizeof cells[1].text, "%.3f", occupancy_at(seen, i));
        for (int k = 0; k < LATENCY_ILPS; k++) {
            if (!seen->points[i].at[test][k].known)
                continue;
            any = true;
            if (seen->points[i].at[test][k].does_not_fit) {
                snprintf(cells[2 + 2 * k].text, sizeof cells[0].text, "-");
                continue;
            }
            snprintf(cells[2 + 2 * k].text, sizeof cells[0].text, "%.1f",
                     scale * seen->points[i].at[test][k].rate);
            snprintf(cells[3 + 2 * k].text, sizeof cells[0].text, "%.1f",
                     scale * latency_predict(seen, result, i, 1 << k));
        }
        if (any)
            table_row(&t, cells, "");
    }
}

/* x and y have room for the points of a test; returns how many. */
static int curve(const latency_study *seen, const latency_result *result, int test, int index,
                 double *x, double *y)
{
    int count = 0;
    for (int i = 0; i < seen->point_count; i++) {
        if (!is_measured(seen, i, test, index))
            continue;
        x[count] = occupancy_at(seen, i);
        y[count++] = 100 * seen->points[i].at[test][index].rate / result->peak;
    }
    return count;
}

static void show_test(const latency_study *seen, int test)
{
    latency_result result;
    double x[LATENCY_ILPS][LATENCY_POINTS], y[LATENCY_ILPS][LATENCY_POINTS];
    text_curve curves[LATENCY_ILPS];
    if (!latency_work_out(seen, test, &result))
        return;
    printf("\n%s: %s with 1, 2, 4 and 8 independent %s per work-item, beside what Little's law "
           "predicts\n",
           latency_tests[test], latency_units[test], operations[test]);
    show_table(seen, test, &result);
    printf("\n");
    for (int k = 0; k < LATENCY_ILPS; k++)
        curves[k] = (text_curve){x[k], y[k], curve(seen, &result, test, k, x[k], y[k]),
                                 (char)('0' + (1 << k))};
    text_plot_curves(curves, LATENCY_ILPS, occupancy_at(seen, 0), 1,
                     "occupancy (1, 2, 4, 8: how many per work-item)", "% of the best rate");
    printf(
        "  latency %.1f ns, best rate %.1f %s: %.0f %s must be in flight on each of the %d units\n",
        1e9 * result.latency, 1e-9 * latency_amounts[test] * result.peak, latency_units[test],
        result.needed, operations[test], seen->units);
    for (int k = 0; k < LATENCY_ILPS; k++)
        if (result.needed_items[k] > 0)
            printf(
                "  with %d per work-item 95 %% of it are reached at %d items per unit, occupancy "
                "%.3f\n",
                1 << k, result.needed_items[k],
                (double)result.needed_items[k] / seen->items_a_unit);
}

void latency_show(const latency_study *seen)
{
    printf("latency on %s %s: %d units, %d work-items fit on each%s\n", seen->device->info.name,
           seen->device->info.title, seen->units, seen->items_a_unit,
           seen->items_known ? "" : " (assumed)");
    for (int test = 0; test < LATENCY_TESTS; test++)
        show_test(seen, test);
}

/* ---- Lines ---- */

static void write_rows(const latency_study *seen, int test, const latency_result *result)
{
    const double scale = 1e-9 * latency_amounts[test];
    for (int i = 0; i < seen->point_count; i++) {
        const latency_point *point = &seen->points[i];
        for (int k = 0; k < LATENCY_ILPS; k++) {
            if (!is_measured(seen, i, test, k))
                continue;
            json_open(NULL);
            json_text("kind", "row");
            json_text("test", latency_tests[test]);
            json_integer("ilp", 1 << k);
            json_integer("group", point->group);
            json_integer("groups", point->groups);
            json_integer("items", point->items);
            json_number("occupancy", occupancy_at(seen, i));
            json_number("usec", 1e6 * point->at[test][k].seconds);
            json_number("rate", scale * point->at[test][k].rate);
            json_text("in", latency_units[test]);
            json_number("predicted", scale * latency_predict(seen, result, i, 1 << k));
            json_number("percent", 100 * point->at[test][k].rate / result->peak);
            json_close();
        }
    }
}

static void write_summary(int test, const latency_result *result)
{
    json_open(NULL);
    json_text("kind", "summary");
    json_text("test", latency_tests[test]);
    json_number("latency_ns", 1e9 * result->latency);
    json_number("peak", 1e-9 * latency_amounts[test] * result->peak);
    json_text("in", latency_units[test]);
    json_number("needed", result->needed);
    for (int k = 0; k < LATENCY_ILPS; k++) {
        char name[32];
        snprintf(name, sizeof name, "needed_items_%d", 1 << k);
        if (result->needed_items[k] > 0)
            json_integer(name, result->needed_items[k]);
    }
    json_close();
}

char *latency_lines(const latency_study *seen)
{
    latency_result result;
    study_line_begin();
    json_open(NULL);
    study_write_circumstances("latency", seen->device);
    json_integer("units", seen->units);
    json_integer("items_a_unit", seen->items_a_unit);
    json_bool("items_known", seen->items_known);
    json_close();
    for (int test = 0; test < LATENCY_TESTS; test++) {
        if (!latency_work_out(seen, test, &result))
            continue;
        write_rows(seen, test, &result);
        write_summary(test, &result);
    }
    return study_line_end();
}

/* ---- Pictures ---- */

static void plot_test(FILE *out, const latency_study *seen, int test)
{
    latency_result result;
    if (!latency_work_out(seen, test, &result))
        return;
    for (int k = 0; k < LATENCY_ILPS; k++) {
        fprintf(out, "$%s_%d << END\n", latency_tests[test], 1 << k);
        for (int i = 0; i < seen->point_count; i++)
            if (is_measured(seen, i, test, k))
                fprintf(out, "%g %g %g\n", occupancy_at(seen, i),
                        1e-9 * latency_amounts[test] * seen->points[i].at[test][k].rate,
                        1e-9 * latency_amounts[test] * latency_predict(seen, &result, i, 1 << k));
        fputs("END\n", out);
    }
    fprintf(out, "set title '%s'\nset ylabel '%s'\nplot", latency_tests[test], latency_units[test]);
    for (int k = 0; k < LATENCY_ILPS; k++)
        fprintf(out,
                "%s $%s_%d using 1:2 with linespoints lc %d pt 7 ps 0.5 title '%d per work-item', "
                "$%s_%d using 1:3 with lines lc %d dt 3 notitle",
                k > 0 ? "," : "", latency_tests[test], 1 << k, k + 1, 1 << k, latency_tests[test],
                1 << k, k + 1);
    fputs("\n", out);
}

void latency_plot(const latency_study *seen, const char *base, char *sentence,
                  size_t sentence_bytes)
{
    study_plot plot;
    if (!study_plot_begin(&plot, base, LATENCY_TESTS, 1)) {
        snprintf(sentence, sentence_bytes, "%s.gp cannot be written: there is no picture", base);
        return;
    }
    fputs("set logscale x 2\nset xlabel 'occupancy; dotted: Little''s law'\nset yrange [0:*]\n"
          "set xrange [1.0/70:1.1]\nset xtics ('1/64' 1.0/64, '1/32' 1.0/32, '1/16' 1.0/16, '1/8' "
          "0.125, "
          "'1/4' 0.25, '1/2' 0.5, '1' 1)\nset key below\n",
          plot.script);
    for (int test = 0; test < LATENCY_TESTS; test++)
        plot_test(plot.script, seen, test);
    study_plot_end(&plot, sentence, sentence_bytes);
}
