/* model_error.c: how far predictions are from measurements.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gable/json.h"
#include "model_error.h"

bool model_error_add(model_errors *errors, const char *op, const char *mode, double predicted,
                     double measured)
{
    if (!(measured > 0) || !isfinite(measured) || !isfinite(predicted))
        return false;
    if (errors->count == errors->room) {
        const int room = errors->room > 0 ? 2 * errors->room : 64;
        model_error_row *rows = realloc(errors->rows, (size_t)room * sizeof *rows);
        if (rows == NULL)
            return false;
        errors->rows = rows;
        errors->room = room;
    }
    errors->rows[errors->count++] =
        (model_error_row){op, mode, fabs(predicted - measured) / measured};
    return true;
}

void model_error_free(model_errors *errors)
{
    free(errors->rows);
    memset(errors, 0, sizeof *errors);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int count, double part)
{
    const double at = part * (count - 1);
    const int below = (int)at, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

static bool belongs(const model_error_row *row, const char *op, const char *mode)
{
    return (op == NULL || strcmp(row->op, op) == 0) &&
           (mode == NULL || strcmp(row->mode, mode) == 0);
}

model_error_summary model_error_summarise(const model_errors *errors, const char *op,
                                          const char *mode)
{
    model_error_summary summary = {0, 0, 0};
    double *sorted = errors->count > 0 ? malloc((size_t)errors->count * sizeof *sorted) : NULL;
    if (sorted == NULL)
        return summary;
    for (int i = 0; i < errors->count; i++)
        if (belongs(&errors->rows[i], op, mode))
            sorted[summary.rows++] = errors->rows[i].error;
    if (summary.rows > 0) {
        qsort(sorted, (size_t)summary.rows, sizeof *sorted, compare);
        summary.median = quantile(sorted, summary.rows, 0.5);
        summary.p90 = quantile(sorted, summary.rows, 0.9);
    }
    free(sorted);
    return summary;
}

const char *model_error_op(const model_errors *errors, int index)
{
    for (int i = 0; i < errors->count; i++) {
        bool first = true;
        for (int j = 0; j < i && first; j++)
            first = strcmp(errors->rows[j].op, errors->rows[i].op) != 0;
        if (first && index-- == 0)
            return errors->rows[i].op;
    }
    return NULL;
}

/* ---- Output ---- */

static const char *const modes[] = {"replay", "single"};

static void print_line(const char *name, const char *mode, const model_error_summary *summary)
{
    if (summary->rows > 0)
        printf("  %-14s %-7s %5d %8.1f %% %8.1f %%\n", name, mode, summary->rows,
               100 * summary->median, 100 * summary->p90);
}

static void print_modes(const model_errors *errors, const char *name, const char *op)
{
    for (int i = 0; i < 2; i++) {
        const model_error_summary summary = model_error_summarise(errors, op, modes[i]);
        print_line(name, modes[i], &summary);
    }
    const model_error_summary both = model_error_summarise(errors, op, NULL);
    print_line(name, "both", &both);
}

void model_error_print(const model_errors *errors)
{
    printf("the model's error, |predicted - measured| / measured\n");
    printf("  %-14s %-7s %5s %10s %10s\n", "op", "mode", "rows", "median", "90 in 100");
    const char *op;
    for (int i = 0; (op = model_error_op(errors, i)) != NULL; i++)
        print_modes(errors, op, op);
    print_modes(errors, "all", NULL);
}

static void write_summary(const char *name, const model_error_summary *summary)
{
    json_open(name);
    json_number("median", summary->median);
    json_number("p90", summary->p90);
    json_integer("rows", summary->rows);
    json_close();
}

void model_error_write(const model_errors *errors)
{
    const model_error_summary all = model_error_summarise(errors, NULL, NULL);
    const char *op;
    json_open(NULL);
    json_open("model_error");
    json_number("median", all.median);
    json_number("p90", all.p90);
    json_integer("rows", all.rows);
    for (int i = 0; i < 2; i++) {
        const model_error_summary summary = model_error_summarise(errors, NULL, modes[i]);
        write_summary(modes[i], &summary);
    }
    json_open("ops");
    for (int i = 0; (op = model_error_op(errors, i)) != NULL; i++) {
        const model_error_summary summary = model_error_summarise(errors, op, NULL);
        write_summary(op, &summary);
    }
    json_close();
    json_close();
    json_close();
}
