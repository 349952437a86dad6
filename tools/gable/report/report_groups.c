/* report_groups.c: the rows of `gable report` in order: the newest of each case, by op and flags.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "report.h"

const char report_precs[] = "sdcz";

static int sign(double a, double b)
{
    return (a > b) - (a < b);
}

/* Equal: two measurements of the same case. */
static int by_case(const report_row *a, const report_row *b)
{
    int order = (a->device > b->device) - (a->device < b->device);
    order = order != 0 ? order : (int)a->model_only - (int)b->model_only;
    order = order != 0 ? order : strcmp(a->op, b->op);
    order = order != 0 ? order : strcmp(a->flags, b->flags);
    order = order != 0 ? order : (int)b->on_axis - (int)a->on_axis;
    order = order != 0 ? order : report_prec_colour(a->prec) - report_prec_colour(b->prec);
    order = order != 0 ? order : sign(a->elements, b->elements);
    order = order != 0 ? order : strcmp(a->shape, b->shape);
    order = order != 0 ? order : (int)a->single - (int)b->single;
    return order != 0 ? order : (int)a->hot - (int)b->hot;
}

static int by_case_and_age(const void *first, const void *second)
{
    const report_row *a = first, *b = second;
    int order = by_case(a, b);
    order = order != 0 ? order : strcmp(a->date, b->date);
    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

void report_sort(report *r)
{
    long kept = 0;
    if (r->row_count > 0)
        qsort(r->rows, (size_t)r->row_count, sizeof *r->rows, by_case_and_age);
    for (long i = 0; i < r->row_count; i++) {
        if (i + 1 < r->row_count && by_case(&r->rows[i], &r->rows[i + 1]) == 0) {
            /* A newer one follows. What stood beside the older and not beside it is still known. */
            for (int p = 0; p < r->peer_count; p++)
                if (!(r->rows[i + 1].vs[p] > 0))
                    r->rows[i + 1].vs[p] = r->rows[i].vs[p];
            continue;
        }
        r->rows[kept] = r->rows[i];
        report_device *device = &r->devices[r->rows[kept].device];
        device->rows += !r->rows[kept].model_only;
        device->predicted += r->rows[kept].predicted > 0;
        kept++;
    }
    r->row_count = kept;
}

bool report_next_group(const report *r, int device, report_group *group)
{
    long i = group->end;
    while (i < r->row_count && (r->rows[i].device != device || r->rows[i].model_only))
        i++;
    if (i == r->row_count)
        return false;
    group->first = i;
    group->row = &r->rows[i];
    while (i < r->row_count && r->rows[i].device == device && !r->rows[i].model_only &&
           strcmp(r->rows[i].op, group->row->op) == 0 &&
           strcmp(r->rows[i].flags, group->row->flags) == 0)
        i++;
    group->end = i;
    snprintf(group->name, sizeof group->name, "%s%s%s", group->row->op,
             group->row->flags[0] != '\0' ? " " : "", group->row->flags);
    return true;
}

bool report_is_shown(const report_row *row)
{
    return !row->single && !row->hot && !row->model_only;
}

double report_memory_roof(const report *r, int device, bool *measured)
{
    const report_device *of = &r->devices[device];
    double best = 1e-9 * (of->copy > of->read ? of->copy : of->read);
    *measured = best > 0;
    for (long i = 0; !*measured && i < r->row_count; i++) {
        const report_row *row = &r->rows[i];
        /* Hot copies, and short ones, run in the cache. */
        if (row->device == device && !row->hot && !row->model_only &&
            strcmp(row->op, "copy") == 0 && row->elements >= 1e6 && row->gbs > best)
            best = row->gbs;
    }
    return best;
}

static int by_value(const void *a, const void *b)
{
    return sign(*(const double *)a, *(const double *)b);
}

double report_median(double *values, long count)
{
    if (count == 0)
        return NAN;
    qsort(values, (size_t)count, sizeof *values, by_value);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}
