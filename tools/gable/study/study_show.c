/* study_show.c: the result of the study of portability as text and as lines of JSON.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "gable/json.h"
#include "study.h"
#include "gable/table.h"
#include "text_plot.h"

/* ---- Text ---- */

static void show_histogram(const study_op_result *result, int op)
{
    printf("\n%s: percent of peak (%.1f GB/s), %d of %d configurations", study_op_names[op],
           result->peak, result->rows, study_config_count());
    if (result->failed > 0)
        printf("; %d cannot run", result->failed);
    printf("\n");
    text_plot_histogram(result->histogram, STUDY_BINS);
}

static void show_scatter(const study *s, const study_result *result, int op, double *room)
{
    char title[64];
    double *y = room + study_config_count();
    const int count = study_pairs(s, STUDY_COPY, result, s, op, result, room, y);
    if (count == 0)
        return;
    printf("\n%s against copy, %d configurations", study_op_names[op], count);
    if (result->op[op].correlated)
        printf(": Spearman %.3f, Kendall %.3f", result->op[op].spearman, result->op[op].kendall);
    printf("\n");
    snprintf(title, sizeof title, "%s, %% of peak", study_op_names[op]);
    text_plot_scatter(room, y, count, "copy, % of peak", title);
}

static void put(table_cell *cell, const char *format, double value)
{
    cell->colour = PLAIN;
    snprintf(cell->text, sizeof cell->text, format, value);
}

static void show_table(const study_result *result)
{
    static table t;
    memset(&t, 0, sizeof t);
    table_add(&t, "op", 4, true);
    table_add(&t, "best", 42, true);
    table_add(&t, "GB/s", 7, false);
    table_add(&t, "% peak", 6, false);
    table_add(&t, "with copy's", 11, false);
    table_add(&t, "loss", 5, false);
    table_add(&t, "Spearman", 8, false);
    table_add(&t, "Kendall", 7, false);
    table_head(&t);
    for (int op = 0; op < STUDY_OPS; op++) {
        const study_op_result *of = &result->op[op];
        table_cell cells[8];
        memset(cells, 0, sizeof cells);
        if (of->best < 0)
            continue;
        char config[STUDY_CONFIG_BYTES];
        study_config_text(of->best, config);
        snprintf(cells[0].text, sizeof cells[0].text, "%s", study_op_names[op]);
        snprintf(cells[1].text, sizeof cells[1].text, "%.47s", config);
        put(&cells[2], "%.1f", of->best_gbs);
        put(&cells[3], "%.1f", 100 * of->best_gbs / of->peak);
        if (of->loss > 0) {
            put(&cells[4], "%.1f", of->copys_gbs);
            put(&cells[5], "%.3f", of->loss);
        }
        if (of->correlated) {
            put(&cells[6], "%.3f", of->spearman);
            put(&cells[7], "%.3f", of->kendall);
        }
        table_row(&t, cells, "");
    }
}

void study_show(const study *s, const study_result *result)
{
    double *room = malloc(2 * (size_t)study_config_count() * sizeof *room);
    bool whole = true;
    printf("portability on %s: %c, vectors of %lld elements, matrix of %lld rows and columns\n",
           s->device, gbl_dtype_letter(s->dtype), (long long)s->size,
           (long long)study_matrix_rows(s->size));
    for (int op = 0; op < STUDY_OPS; op++)
        if (result->op[op].rows > 0)
            show_histogram(&result->op[op], op);
    for (int op = STUDY_ADD; room != NULL && op < STUDY_OPS; op++)
        show_scatter(s, result, op, room);
    free(room);
    show_table(result);
    printf("\n");
    for (int op = 0; op < STUDY_OPS; op++) {
        const study_op_result *of = &result->op[op];
        const int all = study_config_count(), tried = of->rows + of->failed + of->wrong;
        whole = whole && tried == all;
        if (tried < all)
            printf("%s: %d of %d configurations were tried\n", study_op_names[op], tried, all);
    }
    if (!whole)
        printf(
            "the same command goes on with the rest; the best found so far may not be the best\n");
    if (result->copys_best >= 0 && result->loss_ops > 0) {
        char config[STUDY_CONFIG_BYTES];
        study_config_text(result->copys_best, config);
        printf(
            "with copy's best configuration (%s) for everything, %.3f times the time of each one's "
            "best is needed (geometric mean over %d ops)\n",
            config, result->loss, result->loss_ops);
    }
}

/* ---- Lines ---- */

static void write_summary(const study *s, const study_result *result, int op)
{
    const study_op_result *of = &result->op[op];
    const char prec[2] = {gbl_dtype_letter(s->dtype), '\0'};
    char config[STUDY_CONFIG_BYTES], histogram[STUDY_BINS * 8] = "";
    json_open(NULL);
    json_text("kind", "summary");
    json_text("op", study_op_names[op]);
    json_text("prec", prec);
    json_integer("size", s->size);
    json_integer("rows", of->rows);
    json_integer("of", study_config_count());
    json_number("peak_gbs", of->peak);
    study_config_text(of->best, config);
    json_text("best", config);
    json_number("best_gbs", of->best_gbs);
    json_number("best_percent", 100 * of->best_gbs / of->peak);
    json_number("median_percent", of->median_percent);
    if (of->loss > 0) {
        study_config_text(result->copys_best, config);
        json_text("with_copy", config);
        json_number("with_copy_gbs", of->copys_gbs);
        json_number("with_copy_percent", 100 * of->copys_gbs / of->peak);
        json_number("loss", of->loss);
    }
    if (of->correlated) {
        json_number("spearman", of->spearman);
        json_number("kendall", of->kendall);
    }
    for (int i = 0, used = 0; i < STUDY_BINS; i++)
        used += snprintf(histogram + used, sizeof histogram - (size_t)used, "%s%d",
                         i > 0 ? " " : "", of->histogram[i]);
    json_text("histogram", histogram);
    json_close();
}

char *study_summary_lines(const study *s, const study_result *result)
{
    const char prec[2] = {gbl_dtype_letter(s->dtype), '\0'};
    char config[STUDY_CONFIG_BYTES];
    study_line_begin();
    for (int op = 0; op < STUDY_OPS; op++)
        if (result->op[op].best >= 0)
            write_summary(s, result, op);
    if (result->copys_best >= 0) {
        study_config_text(result->copys_best, config);
        json_open(NULL);
        json_text("kind", "loss");
        json_text("prec", prec);
        json_integer("size", s->size);
        json_number("loss", result->loss);
        json_integer("ops", result->loss_ops);
        json_text("with_copy", config);
        json_close();
    }
    return study_line_end();
}
