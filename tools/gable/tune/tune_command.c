/* tune_command.c: `gable tune`: each case in turn within its share of the budget, and the table at
 * the end.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gable/command.h"
#include "gable/interrupt.h"
#include "core/context.h"
#include "gable/case_json.h"
#include "gable/json.h"
#include "gable/roofs_wanted.h"
#include "gable/table.h"
#include "gable/terminal.h"
#include "tune/database.h"
#include "tune_case.h"
#include "gable/plural.h"

/* Seconds of budget: with less, measuring the roofs would take longer than their better order
 * saves. */
#define LEAST_FOR_ROOFS 30

typedef struct tune_run {
    tune_request asked;
    tune_session session;
    double deadline;
    int cases, done;            /* cases in all, and finished */
    int name_width, size_width; /* of the longest texts of all cases */
    table rows;
    bool head_shown;
    int changed, wrong, failed, late; /* late: not begun, as the budget was spent */
    int waiting;                      /* calls that wait for the host: replays time choices */
    int code;
} tune_run;

enum { NAME, SIZE, OLD, OLD_USEC, NEW, NEW_USEC, GAIN, TRIED, WRONG, FAILED, LAST_FIXED };

static void tell_progress(void *user, const char *text, double done)
{
    const tune_run *run = user;
    char line[256];
    snprintf(line, sizeof line, "%d of %d: %.200s", run->done + 1, run->cases, text);
    terminal_progress(line, (run->done + done) / run->cases);
}

/* ---- Output ---- */

static void show_head(tune_run *run)
{
    table *t = &run->rows;
    if (run->head_shown)
        return;
    run->head_shown = true;
    table_add(t, "routine", run->name_width, true);
    table_add(t, "size", run->size_width, true);
    table_add(t, run->asked.dry_run ? "choice" : "old choice", 26, true);
    if (run->asked.dry_run) {
        table_add(t, "choices", 8, false);
        table_add(t, "combinations", 12, false);
    } else {
        table_add(t, "us", 9, false);
        table_add(t, "new choice", 26, true);
        table_add(t, "us", 9, false);
        table_add(t, "gain", 6, false);
        table_add(t, "tried/of", 9, false);
        table_add(t, "wrong", 5, false);
        table_add(t, "failed", 6, false);
        if (run->asked.with_vendor)
            table_add(t, "vendor us", 9, false);
        if (run->asked.regret)
            table_add(t, "regret", 6, false);
    }
    table_head(t);
}

static int tried(const tune_outcome *outcome)
{
    const gbl_search_counts *counts = &outcome->counts;
    return counts->timed + counts->before + counts->same + counts->failed + counts->wrong;
}

static double gain(const tune_outcome *outcome)
{
    return outcome->new_usec > 0 && outcome->old_usec > 0 ? outcome->old_usec / outcome->new_usec
                                                          : NAN;
}

static void put_number(table_cell *cell, const char *format, double value)
{
    if (value > 0 && isfinite(value))
        snprintf(cell->text, sizeof cell->text, format, value);
    else
        snprintf(cell->text, sizeof cell->text, "-");
}

static void show_row(tune_run *run, const tune_outcome *outcome)
{
    table_cell cells[TABLE_MAX_COLUMNS] = {{.text = ""}};
    int last = LAST_FIXED;
    show_head(run);
    bench_case_name(&outcome->what, cells[NAME].text, TABLE_CELL_BYTES);
    bench_case_size_text(&outcome->what, cells[SIZE].text, TABLE_CELL_BYTES);
    tune_choice_short(&outcome->old_choice, cells[OLD].text, TABLE_CELL_BYTES);
    if (run->asked.dry_run) {
        snprintf(cells[OLD + 1].text, TABLE_CELL_BYTES, "%d", outcome->counts.of);
        snprintf(cells[OLD + 2].text, TABLE_CELL_BYTES, "%lld", (long long)outcome->combinations);
        table_row(&run->rows, cells, "");
        return;
    }
    put_number(&cells[OLD_USEC], "%.4g", outcome->old_usec);
    if (outcome->changed)
        tune_choice_short(&outcome->new_choice, cells[NEW].text, TABLE_CELL_BYTES);
    else
        snprintf(cells[NEW].text, TABLE_CELL_BYTES, outcome->stopped ? "stopped" : "stays");
    put_number(&cells[NEW_USEC], "%.4g", outcome->new_usec);
    put_number(&cells[GAIN], "%.2f", gain(outcome));
    cells[GAIN].colour = outcome->changed ? GREEN : PLAIN;
    snprintf(cells[TRIED].text, TABLE_CELL_BYTES, "%d/%d", tried(outcome), outcome->counts.of);
    snprintf(cells[WRONG].text, TABLE_CELL_BYTES, "%d", outcome->counts.wrong);
    cells[WRONG].colour = outcome->counts.wrong > 0 ? RED : PLAIN;
    snprintf(cells[FAILED].text, TABLE_CELL_BYTES, "%d", outcome->counts.failed);
    if (run->asked.with_vendor)
        put_number(&cells[last++], "%.4g", outcome->vendor_usec);
    if (run->asked.regret && isfinite(outcome->regret))
        snprintf(cells[last].text, TABLE_CELL_BYTES, "%.1f%%", 100 * outcome->regret);
    table_row(&run->rows, cells, "");
}

static void json_choice(const char *name, const gbl_choice *choice, double usec)
{
    char text[256];
    tune_choice_text(choice, text, sizeof text);
    json_open(name);
    json_text("choice", text);
    if (usec > 0)
        json_number("usec", usec);
    json_close();
}

static void json_row(const tune_run *run, const tune_outcome *outcome)
{
    const gbl_device *device = run->session.ctx->device;
    char text[256];
    snprintf(text, sizeof text, "%s %s", device->info.name, device->info.title);
    json_open(NULL);
    json_case(&outcome->what);
    json_text("device", text);
    json_number("roofs_disturbed", gbl_roofs_disturbed(&run->session.roofs));
    json_choice("old", &outcome->old_choice, outcome->old_usec);
    json_integer("combinations", outcome->combinations);
    json_integer("of", outcome->counts.of);
    if (!run->asked.dry_run) {
        json_choice("new", &outcome->new_choice, outcome->new_usec);
        json_bool("changed", outcome->changed);
        json_number("gain", gain(outcome));
        json_integer("timed", outcome->counts.timed);
        json_integer("before", outcome->counts.before);
        json_integer("same", outcome->counts.same);
        json_integer("failed", outcome->counts.failed);
        json_integer("wrong", outcome->counts.wrong);
        json_text("ended", outcome->stopped    ? "stopped"
                           : outcome->complete ? "complete"
                                               : "budget");
        json_number("seconds", outcome->seconds);
        if (outcome->vendor_usec > 0) {
            json_open("vendor");
            json_number("usec", outcome->vendor_usec);
            json_number("error", outcome->vendor_error);
            json_close();
        }
        if (isfinite(outcome->regret))
            json_number("regret", outcome->regret);
    }
    json_close();
}

static void show(tune_run *run, const tune_outcome *outcome)
{
    terminal_progress_erase();
    if (run->asked.json)
        json_row(run, outcome);
    else
        show_row(run, outcome);
    if (outcome->wrong[0] != '\0')
        args_fail(&tune_args,
                  "%d choice%s of %s gave a wrong result and will not be chosen, the first is %s; "
                  "please report it",
                  outcome->counts.wrong, outcome->counts.wrong == 1 ? "" : "s",
                  outcome->what.op->op->stem, outcome->wrong);
}

/* ---- Cases ---- */

static int longer(int width, const char *text)
{
    return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static bool count_case(void *user, const bench_case *what)
{
    tune_run *run = user;
    char text[TABLE_CELL_BYTES];
    bench_case_name(what, text, sizeof text);
    run->name_width = longer(run->name_width, text);
    bench_case_size_text(what, text, sizeof text);
    run->size_width = longer(run->size_width, text);
    run->cases++;
    return true;
}

/* What is left of the budget is shared by the cases that are left. */
static bool tune_one(void *user, const bench_case *what)
{
    tune_run *run = user;
    tune_outcome outcome;
    const double share = (run->deadline - terminal_now()) / (run->cases - run->done);
    if (!run->asked.dry_run && run->done > 0 && share <= 0) {
        run->late++;
        return true;
    }
    const gable_status status =
        run->asked.dry_run ? tune_case_describe(&run->session, what, &outcome)
                           : tune_case_run(&run->session, what, share > 0 ? share : 0, &outcome);
    run->done++;
    if (status == GABLE_OK) {
        run->changed += outcome.changed;
        run->wrong += outcome.counts.wrong;
        show(run, &outcome);
        return !interrupt_asked;
    }
    terminal_progress_erase();
    char name[64], sizes[64];
    bench_case_name(what, name, sizeof name);
    bench_case_text(what, sizes, sizeof sizes);
    if (status == GABLE_NOT_RECORDABLE) {
        fprintf(stderr, "gable tune: %s %s: left out: %s\n", name, sizes,
                gable_message(run->session.ctx));
        run->waiting++;
        return !interrupt_asked;
    }
    run->code = args_fail(&tune_args, "%s %s: %s", name, sizes, gable_message(run->session.ctx));
    run->failed++;
    return !interrupt_asked && status != GABLE_DEVICE_LOST;
}

/* The model orders what is tried: it should know this device. */
static void need_roofs(tune_run *run)
{
    gable_context *ctx = run->session.ctx;
    if (run->asked.dry_run || run->asked.budget < LEAST_FOR_ROOFS) {
        gbl_roofs_get(ctx->device, &run->session.roofs);
        return;
    }
    if (roofs_wanted(ctx, &run->session.roofs, terminal_progress_now) != GABLE_OK) {
        gbl_roofs_get(ctx->device, &run->session.roofs);
        fprintf(stderr, "gable tune: the roofs were not measured, so the order is a guess: %s\n",
                gable_message(ctx));
    }
    terminal_progress_erase();
}

static void tell_roofs(const tune_run *run)
{
    char text[256];
    roofs_wanted_text(&run->session.roofs, text, sizeof text);
    if (!run->asked.json)
        terminal_paragraph(0, "roofs", 8, text);
}

static int tune_all(tune_run *run)
{
    run->name_width = 9;
    run->size_width = 8;
    case_request_each(&run->asked.cases, count_case, run);
    terminal_progress_start();
    run->deadline = terminal_now() + run->asked.budget;
    need_roofs(run);
    tell_roofs(run);
    case_request_each(&run->asked.cases, tune_one, run);
    terminal_progress_erase();
    if (interrupt_asked) {
        args_fail(&tune_args, run->failed > 0
                                  ? "stopped; of the cases that failed nothing may be kept"
                                  : "stopped; what was measured is kept, and the same "
                                    "command again goes on from there");
        return EXIT_STOPPED;
    }
    if (!run->asked.dry_run && !run->asked.json) {
        printf("\n%d of %d case%s: a new choice", run->changed, run->done, PLURAL(run->done));
        if (run->failed > 0)
            printf("; %d failed", run->failed);
        if (run->waiting > 0)
            printf("; %d left out", run->waiting);
        putchar('\n');
    }
    if (run->late > 0)
        fprintf(stderr,
                "gable tune: the budget was spent before %d further case%s; a larger "
                "--budget reaches %s\n",
                run->late, PLURAL(run->late), run->late == 1 ? "it" : "them");
    return run->wrong > 0 ? EXIT_FAILED : run->code;
}

/* ---- Files ---- */

static int import_file(const char *path)
{
    gbl_message why = {NULL, ""};
    int64_t lines = 0, bad = 0;
    if (gbl_database_import(path, &lines, &bad, &why) != GABLE_OK)
        return args_fail(&tune_args, "%s", why.text);
    fprintf(stderr, "gable tune: %lld measurement%s taken over from %s, %lld line%s skipped\n",
            (long long)lines, PLURAL(lines), path, (long long)bad, PLURAL(bad));
    return EXIT_DONE;
}

static int export_file(const char *path, const gbl_device *device)
{
    gbl_message why = {NULL, ""};
    int64_t lines = 0;
    if (gbl_database_export(path, device, &lines, &why) != GABLE_OK)
        return args_fail(&tune_args, "%s", why.text);
    fprintf(stderr, "gable tune: %lld measurement%s written to %s\n", (long long)lines,
            PLURAL(lines), path);
    return EXIT_DONE;
}

static int check_database(void)
{
    gbl_database_state state;
    gbl_database_describe(&state);
    if (state.path[0] == '\0')
        return args_fail(&tune_args,
                         "has no place for its measurements; set HOME or XDG_DATA_HOME");
    if (!state.writable)
        return args_fail(&tune_args,
                         "cannot write to %s, where measurements are kept; set XDG_DATA_HOME to a "
                         "folder that can be written",
                         state.path);
    return EXIT_DONE;
}

int tune_command(int argc, char **argv)
{
    static tune_run run;
    int code = tune_request_read(argc, argv, &run.asked);
    if (code != EXIT_DONE)
        return code < 0 ? EXIT_DONE : code;
    if (gable_open(&run.session.ctx, run.asked.device) != GABLE_OK)
        code = args_fail(&tune_args, "%s", gable_message(run.session.ctx));
    if (code == EXIT_DONE && !run.asked.dry_run)
        code = check_database();
    if (code == EXIT_DONE && run.asked.import_path != NULL)
        code = import_file(run.asked.import_path);
    if (code == EXIT_DONE && run.asked.cases.op_count > 0) {
        run.session.asked = &run.asked;
        run.session.progress = tell_progress;
        run.session.stop = interrupt_stops;
        run.session.user = &run;
        interrupt_watch();
        code = tune_all(&run);
    }
    if (run.asked.export_path != NULL && (code == EXIT_DONE || code == EXIT_STOPPED)) {
        const int exported = export_file(run.asked.export_path, run.session.ctx->device);
        code = exported != EXIT_DONE ? exported : code;
    }
    gable_close(run.session.ctx);
    return code;
}
