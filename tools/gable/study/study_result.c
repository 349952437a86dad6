/* study_result.c: what the rows of a study say: peaks, correlations, and what is lost.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "statistics.h"
#include "study.h"

bool study_row_counts(const study_row *row)
{
    return row->known && !row->failed && row->error <= 1;
}

int study_next_best(const study *s, int op, const int *found, int count)
{
    int best = -1;
    for (int i = 0; i < study_config_count(); i++) {
        const study_row *row = &s->rows[op][i];
        bool taken = !study_row_counts(row) || (best >= 0 && row->gbs <= s->rows[op][best].gbs);
        for (int j = 0; j < count && !taken; j++)
            taken = found[j] == i;
        best = taken ? best : i;
    }
    return best;
}

int study_best(const study *s, int op)
{
    int best = s->reference[op];
    double ratio = 1;
    if (best < 0)
        return study_next_best(s, op, NULL, 0);
    for (int i = 0; i < study_config_count(); i++) {
        const study_row *row = &s->rows[op][i];
        if (study_row_counts(row) && row->ratio > ratio) {
            best = i;
            ratio = row->ratio;
        }
    }
    return best;
}

static void find_peak(const study *s, int op, study_op_result *result)
{
    const bool reads = op == STUDY_DOT || op == STUDY_GEMV;
    result->peak = reads ? s->roof_read : s->roof_copy;
    for (int i = 0; i < study_config_count(); i++) {
        const study_row *row = &s->rows[op][i];
        result->failed += row->known && row->failed;
        result->wrong += row->known && !row->failed && !(row->error <= 1);
        if (!study_row_counts(row))
            continue;
        result->rows++;
        result->peak = row->gbs > result->peak ? row->gbs : result->peak;
    }
}

/* What is lost with copy's best configuration: by the times taken in turn, where there are such. */
static void find_loss(const study *s, int op, int copys, study_op_result *result)
{
    result->best = study_best(s, op);
    if (result->best < 0)
        return;
    result->best_gbs = s->rows[op][result->best].gbs;
    if (op == STUDY_COPY) {
        result->loss = 1;
        result->copys_gbs = result->best_gbs;
        return;
    }
    if (copys < 0 || !study_row_counts(&s->rows[op][copys]))
        return;
    if (s->reference[op] == copys) {
        const double ratio = s->rows[op][result->best].ratio;
        result->loss = result->best != copys && ratio > 1 ? ratio : 1;
        result->copys_gbs = result->best_gbs / result->loss;
    } else {
        result->copys_gbs = s->rows[op][copys].gbs;
        result->loss =
            result->best_gbs > result->copys_gbs ? result->best_gbs / result->copys_gbs : 1;
    }
}

int study_pairs(const study *s, int op, const study_result *of_s, const study *t, int other,
                const study_result *of_t, double *x, double *y)
{
    int count = 0;
    for (int i = 0; i < study_config_count(); i++) {
        const study_row *a = &s->rows[op][i], *b = &t->rows[other][i];
        if (!study_row_counts(a) || !study_row_counts(b))
            continue;
        x[count] = 100 * a->gbs / of_s->op[op].peak;
        y[count++] = 100 * b->gbs / of_t->op[other].peak;
    }
    return count;
}

static void correlate(const study *s, int op, study_result *result, double *room)
{
    study_op_result *of = &result->op[op];
    double *y = room + study_config_count();
    int count = study_pairs(s, op, result, s, op, result, room, y);
    of->median_percent = statistics_median(y, count);
    statistics_histogram(y, count, 100, of->histogram, STUDY_BINS);
    if (op == STUDY_COPY)
        return;
    count = study_pairs(s, STUDY_COPY, result, s, op, result, room, y);
    of->correlated = statistics_spearman(room, y, count, &of->spearman) &&
                     statistics_kendall(room, y, count, &of->kendall);
}

bool study_work_out(const study *s, study_result *result)
{
    double *room = malloc(2 * (size_t)study_config_count() * sizeof *room);
    double losses[STUDY_OPS];
    memset(result, 0, sizeof *result);
    if (room == NULL)
        return false;
    result->copys_best = study_best(s, STUDY_COPY);
    for (int op = 0; op < STUDY_OPS; op++) {
        find_peak(s, op, &result->op[op]);
        find_loss(s, op, result->copys_best, &result->op[op]);
        if (result->op[op].loss > 0)
            losses[result->loss_ops++] = result->op[op].loss;
    }
    for (int op = 0; op < STUDY_OPS; op++)
        correlate(s, op, result, room);
    result->loss = statistics_geometric_mean(losses, result->loss_ops);
    free(room);
    return true;
}
