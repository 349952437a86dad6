/* study_plot.c: the plots of studies, by gnuplot where it is installed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A script has its data in it and stays beside the picture: it can be changed and run again.
 */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "core/data_folder.h"
#include "study.h"

extern char **environ;

bool study_plot_begin(study_plot *plot, const char *base, int columns, int rows)
{
    const int length = snprintf(plot->script_path, sizeof plot->script_path, "%s.gp", base);
    snprintf(plot->svg_path, sizeof plot->svg_path, "%s.svg", base);
    plot->script = NULL;
    if (length >= STUDY_PATH_BYTES - 1 || strchr(base, '\'') != NULL ||
        strchr(base, '\n') != NULL || !gbl_data_make_folders(plot->script_path))
        return false;
    plot->script = fopen(plot->script_path, "w");
    if (plot->script == NULL)
        return false;
    fprintf(plot->script,
            "set terminal svg size %d,%d font 'sans-serif,13' background '#ffffff'\n"
            "set output '%s'\n"
            "set style line 1 lc rgb '#2a6fb0' pt 7 ps 0.25\n"
            "set style fill solid 0.8 noborder\n"
            "set grid lc rgb '#dddddd' lt 1\n"
            "set multiplot layout %d,%d\n",
            420 * columns, 340 * rows, plot->svg_path, rows, columns);
    return true;
}

static bool run_gnuplot(const char *script, int *failure)
{
    char program[] = "gnuplot", path[STUDY_PATH_BYTES];
    char *argv[] = {program, path, NULL};
    pid_t child;
    int outcome = 0;
    snprintf(path, sizeof path, "%s", script);
    *failure = posix_spawnp(&child, program, NULL, NULL, argv, environ);
    if (*failure != 0)
        return false;
    while (waitpid(child, &outcome, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0;
}

void study_plot_end(study_plot *plot, char *sentence, size_t sentence_bytes)
{
    int failure = 0;
    fputs("unset multiplot\n", plot->script);
    if (fclose(plot->script) != 0)
        snprintf(sentence, sentence_bytes, "%s cannot be written", plot->script_path);
    else if (run_gnuplot(plot->script_path, &failure))
        snprintf(sentence, sentence_bytes, "plots are in %s", plot->svg_path);
    else if (failure == ENOENT)
        snprintf(sentence, sentence_bytes,
                 "gnuplot is not installed: there is no picture, but its script is %s",
                 plot->script_path);
    else
        snprintf(sentence, sentence_bytes, "gnuplot could not draw %s", plot->script_path);
}

/* ---- Portability ---- */

static void write_data(FILE *out, const study *s, const study_result *result)
{
    for (int op = 0; op < STUDY_OPS; op++) {
        fprintf(out, "$histogram_%s << END\n", study_op_names[op]);
        for (int i = 0; i < STUDY_BINS; i++)
            fprintf(out, "%g %d\n", (i + 0.5) * 100 / STUDY_BINS, result->op[op].histogram[i]);
        fputs("END\n", out);
    }
    double *room = malloc(2 * (size_t)study_config_count() * sizeof *room);
    for (int op = STUDY_ADD; room != NULL && op < STUDY_OPS; op++) {
        double *y = room + study_config_count();
        const int count = study_pairs(s, STUDY_COPY, result, s, op, result, room, y);
        fprintf(out, "$scatter_%s << END\n", study_op_names[op]);
        for (int i = 0; i < count; i++)
            fprintf(out, "%.2f %.2f\n", room[i], y[i]);
        fputs("END\n", out);
    }
    free(room);
}

void study_plot_portability(const study *s, const study_result *result, char *sentence,
                            size_t sentence_bytes)
{
    char base[STUDY_PATH_BYTES];
    study_plot plot;
    snprintf(base, sizeof base, "%.*s", (int)(strlen(s->path) - strlen(".jsonl")), s->path);
    if (!study_plot_begin(&plot, base, STUDY_OPS, 2)) {
        snprintf(sentence, sentence_bytes, "%s.gp cannot be written: there is no picture", base);
        return;
    }
    write_data(plot.script, s, result);
    fputs("set xrange [0:100]\nset yrange [0:*]\nset xlabel '% of peak'\nset ylabel "
          "'configurations'\n",
          plot.script);
    for (int op = 0; op < STUDY_OPS; op++)
        fprintf(plot.script,
                "set title '%s'\nplot $histogram_%s using 1:2 with boxes ls 1 notitle\n",
                study_op_names[op], study_op_names[op]);
    fputs("set yrange [0:100]\nset xlabel 'copy, % of peak'\nset multiplot next\n", plot.script);
    for (int op = STUDY_ADD; op < STUDY_OPS; op++)
        if (result->op[op].correlated)
            fprintf(plot.script,
                    "set title '%s against copy, Spearman %.3f'\nset ylabel '%s, %% of peak'\n"
                    "plot $scatter_%s using 1:2 with points ls 1 notitle\n",
                    study_op_names[op], result->op[op].spearman, study_op_names[op],
                    study_op_names[op]);
    study_plot_end(&plot, sentence, sentence_bytes);
}
