/* ladder_show.c: the rungs of `gable bench gemm --ladder` as a table or as JSON.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "core/math_mode.h"
#include "gable/command.h"
#include "gable/case_json.h"
#include "gable/json.h"
#include "ladder.h"

#define TITLE_COLUMN 10

static void print_line(const char *title, const char *text)
{
    terminal_paragraph(0, title, TITLE_COLUMN, text);
}

static void print_legend(const bench_session *session, const bench_request *asked)
{
    gable_device_info info;
    char text[512];
    gable_context_describe(session->ctx, &info);
    printf("gable %s\n", command_version());
    snprintf(text, sizeof text, "%s %s; %s", info.name, info.title, info.driver);
    print_line("device", text);
    for (int i = 0; i < session->peer_count; i++)
        print_line(session->peers[i].kind->name, session->peers[i].version);
    print_line("rung", "a variant of gemm with its tunables, slowest idea first; read: one factor "
                       "is read as the naive kernels read it, and not multiplied; the last ones "
                       "of Gable's are what the library chooses, in s also with --math tf32x3");
    if (asked->with_transfer)
        print_line("transfer", "operands come from the host and C goes back, on the host's clock");
    print_line("model us", "predicted by the model, and what it says holds the rung back");
    print_line("us", "microseconds of one call, replayed, operands cold: median of repeats");
    print_line("GFLOP/s", "the least multiplications and additions, over the measured time");
    print_line("regs", "registers per work-item; local: bytes of local memory per group; occup.: "
                       "work-items that a multiprocessor holds, of those it could; - where the "
                       "compiler does not tell");
    print_line("% FMA",
               "multiply-adds, and instructions of matrix units, among the instructions of "
               "the kernel's text");
}

void ladder_show_header(bench_output *output)
{
    if (output->asked->form == BENCH_JSON) {
        bench_json_header(output, -1);
        return;
    }
    table *t = &output->table;
    print_legend(&output->sessions[0], output->asked);
    table_add(t, "op", 8, true);
    table_add(t, "size", 11, false);
    table_add(t, "rung", 26, true);
    table_add(t, "model us", 10, false);
    table_add(t, "us", 10, false);
    table_add(t, "GFLOP/s", 8, false);
    table_add(t, "regs", 4, false);
    table_add(t, "local", 6, false);
    table_add(t, "occup.", 6, false);
    table_add(t, "% FMA", 5, false);
    table_add(t, "limiter", 10, true);
    table_add(t, "error", 5, false);
    table_head(t);
}

/* ---- A row ---- */

static void put_text(table_cell *cell, const char *text)
{
    snprintf(cell->text, sizeof cell->text, "%.*s", (int)sizeof cell->text - 1, text);
}

/* A number, or a dash where it is not known. */
static void put_number(table_cell *cell, double value, int decimals)
{
    if (value < 0)
        put_text(cell, "-");
    else
        snprintf(cell->text, sizeof cell->text, "%.*f", decimals, value);
}

static bool is_checked(const ladder_row *row)
{
    return row->kind == LADDER_RUNG || row->kind == LADDER_CHOSEN;
}

static void show_table(bench_output *output, const ladder_row *row)
{
    table_cell cells[TABLE_MAX_COLUMNS];
    char text[LADDER_NAME_BYTES + 32];
    int at = 0;
    memset(cells, 0, sizeof cells);
    bench_case_name(&row->what, text, sizeof text);
    put_text(&cells[at++], text);
    bench_case_size_text(&row->what, text, sizeof text);
    put_text(&cells[at++], text);
    snprintf(text, sizeof text, "%s%s%s%s", row->name,
             row->kind == LADDER_CHOSEN ? " (chosen)" : "",
             row->what.math != GABLE_MATH_PLAIN ? ", tf32x3" : "",
             row->mode == BENCH_TRANSFER ? ", with transfer" : "");
    put_text(&cells[at++], text);
    put_number(&cells[at++], row->predicted_usec, 2);
    put_number(&cells[at++], row->usec, 2);
    if (row->kind == LADDER_READ)
        snprintf(cells[at++].text, TABLE_CELL_BYTES, "%.1f GB/s", row->gbs);
    else
        put_number(&cells[at++], row->gflops, row->gflops < 100 ? 2 : 0);
    put_number(&cells[at++], row->registers, 0);
    put_number(&cells[at++], row->local_bytes, 0);
    put_number(&cells[at++], row->occupancy < 0 ? -1 : 100 * row->occupancy, 0);
    put_number(&cells[at++], row->fma_share < 0 ? -1 : 100 * row->fma_share, 1);
    put_text(&cells[at++], row->limiter != NULL ? row->limiter : "-");
    put_number(&cells[at], is_checked(row) ? row->error : -1, 3);
    table_row(&output->table, cells, row->error <= 1 ? "" : "FAILED");
}

static void show_json(const bench_session *session, const ladder_row *row)
{
    static const char *const kinds[] = {"rung", "read", "chosen", "peer"};
    char text[256];
    json_open(NULL);
    json_case(&row->what);
    bench_device_text(session->ctx, text, sizeof text);
    json_text("device", text);
    json_text("kind", kinds[row->kind]);
    json_text("rung", row->name);
    if (row->variant != NULL)
        json_text("variant", row->variant);
    json_text("mode", bench_mode_name(row->mode));
    json_text("temp", bench_temp_name(false));
    if (row->what.math != GABLE_MATH_PLAIN)
        json_text("math", gbl_math_name(row->what.math));
    json_number("usec", row->usec);
    json_number("usec_min", row->usec_min);
    if (row->gflops >= 0)
        json_number("gflops", row->gflops);
    if (row->gbs >= 0)
        json_number("gbs", row->gbs);
    if (row->predicted_usec >= 0) {
        json_number("predicted_usec", row->predicted_usec);
        json_text("limiter", row->limiter);
    }
    if (row->registers >= 0)
        json_integer("registers", row->registers);
    if (row->local_bytes >= 0)
        json_integer("local_bytes", row->local_bytes);
    if (row->occupancy >= 0)
        json_number("occupancy", row->occupancy);
    if (row->fma_share >= 0)
        json_number("fma_share", row->fma_share);
    if (is_checked(row))
        json_number("error", row->error);
    json_close();
}

void ladder_show_row(bench_output *output, int device, const ladder_row *row)
{
    terminal_progress_erase();
    output->rows++;
    if (!(row->error <= 1)) /* NaN too */
        output->failed++;
    if (output->asked->form == BENCH_JSON)
        show_json(&output->sessions[device], row);
    else
        show_table(output, row);
}
