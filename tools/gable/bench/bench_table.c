/* bench_table.c: rows of `gable bench` for people: one device with all columns, or several side by
 * side.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <string.h>
#include "bench_output.h"
#include "core/math_mode.h"
#include "gable/command.h"
#include "gable/plural.h"

#define MIB          1048576.0
#define TITLE_COLUMN 10
/* 0.12 s, 10 TB/s and a thousandfold: what is wider widens its column. */
#define TIME_WIDTH  9
#define SPEED_WIDTH 7
#define RATIO_WIDTH 6

/* ---- What stands above the table ---- */

static void print_line(const char *title, const char *text)
{
    terminal_paragraph(0, title, TITLE_COLUMN, text);
}

static void print_device(const bench_session *session)
{
    gable_device_info info;
    char text[512];
    gable_context_describe(session->ctx, &info);
    snprintf(text, sizeof text, "%s %s, %d unit%s, %.0f MiB cache%s", info.name, info.title,
             info.units, PLURAL(info.units), (double)bench_cache_bytes(session->ctx) / MIB,
             info.cache_bytes > 0 ? "" : " (assumed)");
    print_line("device", text);
    snprintf(text, sizeof text, "%s%s%s", info.driver, info.compiler[0] ? "; kernels by " : "",
             info.compiler);
    print_line("driver", text);
}

static void print_peers(const bench_session *session)
{
    char text[512];
    for (int i = 0; i < session->peer_count; i++) {
        const bench_peer *peer = &session->peers[i];
        snprintf(text, sizeof text,
                 "its time over Gable's, the median of rounds, above 1 Gable is faster: %s%s",
                 peer->version, peer->own_context ? "; on host memory, the host's clock" : "");
        print_line(peer->kind->name, text);
    }
}

static void print_legend(const bench_output *output)
{
    const bool several = output->asked->device_count > 1;
    char data[BENCH_DATA_BYTES];
    bench_output_data(output->asked, data, sizeof data);
    print_line("data", data);
    const bool drawn = output->asked->drawn.random > 0;
    print_line("mode",
               drawn ? "replay: many calls recorded and replayed at once"
               : output->asked->with_transfer
                   ? "replay: many calls recorded and replayed at once; single: one call alone; "
                     "transfer: one call whose operands come from the host's memory and whose "
                     "result goes back, on the host's clock"
                   : "replay: many calls recorded and replayed at once; single: one call alone");
    print_line("temp", output->asked->hot
                           ? "cold: operands come from memory; hot: the same ones again and again"
                           : "cold: operands come from memory, not from the cache");
    print_line("us", "microseconds of one call: median of repeats on the device's clock");
    print_line("GB/s", "the least bytes that the routine must move, over its time");
    if (output->flops)
        print_line("GFLOP/s", "the least multiplications and additions of the routine, over its "
                              "time");
    if (!several) {
        print_line("% roof",
                   drawn ? "of what the known roofs of memory give to a copy, read or write of as "
                           "many bytes, and to products of matrices: what is slower counts"
                   : output->flops
                       ? "of what memory gives, in the same mode and in the same run, to a plain "
                         "copy, read or write of as many bytes; of products of matrices also of "
                         "the rate of fused multiply-adds that `gable info --roofs` shows, in "
                         "double of the matrix units: what is slower counts"
                       : "of what memory gives, in the same mode and in the same run, to a plain "
                         "copy, read or write of as many bytes");
        print_line("error", "over its bound; above 1 the row is FAILED");
        if (output->asked->drawn.regret)
            print_line("regret", "how much longer the choice took than the best of the first 5 "
                                 "choices, all timed here");
    }
    if (output->asked->model_error && !several)
        print_line("model us", "predicted by the model, and what it says holds the call back");
}

/* ---- Columns ---- */

typedef struct widths {
    int op, size, variant;
    bool several; /* ops of several vectors or of matrices are among them */
    bool flops;   /* products of matrices are */
} widths;

static int longer(int a, int b)
{
    return a > b ? a : b;
}

/* The widest texts of all cases to come. */
static bool measure_case(void *user, const bench_case *what)
{
    widths *widest = user;
    char text[TABLE_CELL_BYTES];
    bench_case_name(what, text, sizeof text);
    widest->op = longer(widest->op, (int)strlen(text));
    bench_case_size_text(what, text, sizeof text);
    widest->size = longer(widest->size, (int)strlen(text));
    widest->several =
        widest->several || bench_op_takes_columns(what->op) || bench_op_has_matrix(what->op);
    widest->flops = widest->flops || bench_op_is_product(what->op);
    for (int i = 0; i < what->op->op->variant_count; i++)
        if (!what->op->op->variants[i].vendor)
            widest->variant = longer(widest->variant, (int)strlen(what->op->op->variants[i].name));
    return true;
}

static void add_peers(bench_output *output, const bench_session *session, const char *group)
{
    for (int i = 0; i < session->peer_count; i++) {
        const int column =
            table_add(&output->table, session->peers[i].kind->name, RATIO_WIDTH, false);
        snprintf(output->table.columns[column].group, TABLE_CELL_BYTES, "%s", group);
    }
}

/* The columns of one device, with its name above them. */
static void add_device(bench_output *output, int device)
{
    const gable_device_info *info = &output->sessions[device].ctx->device->info;
    table *t = &output->table;
    char title[TABLE_CELL_BYTES];
    const int first = table_add(t, "us", TIME_WIDTH, false);
    table_add(t, "GB/s", SPEED_WIDTH, false);
    if (output->flops)
        table_add(t, "GFLOP/s", SPEED_WIDTH, false);
    snprintf(title, sizeof title, "vs %s", output->sessions[0].ctx->device->info.name);
    if (device > 0)
        table_add(t, title, RATIO_WIDTH, false);
    for (int i = first; i < t->count; i++)
        snprintf(t->columns[i].group, TABLE_CELL_BYTES, "%s", info->name);
    add_peers(output, &output->sessions[device], info->name);
}

static void make_columns(bench_output *output, const widths *all)
{
    table *t = &output->table;
    const widths widest = *all;
    table_add(t, "op", widest.op, true);
    table_add(t, widest.several ? "size" : "n", widest.size, false);
    if (output->asked->drawn.random > 0) {
        table_add(t, "beta", 4, false);
        table_add(t, "offset", 6, false);
        table_add(t, "ld", 4, false);
    }
    if (output->asked->device_count == 1)
        table_add(t, "variant", widest.variant, true);
    table_add(t, "mode", output->asked->with_transfer ? 8 : 6, true);
    if (output->asked->hot)
        table_add(t, "temp", 4, true);
    if (output->asked->device_count > 1) {
        for (int i = 0; i < output->asked->device_count; i++)
            add_device(output, i);
        return;
    }
    table_add(t, "us", TIME_WIDTH, false);
    table_add(t, "GB/s", SPEED_WIDTH, false);
    if (output->flops)
        table_add(t, "GFLOP/s", SPEED_WIDTH, false);
    table_add(t, "% roof", 6, false);
    table_add(t, "error", 5, false);
    add_peers(output, &output->sessions[0], "");
    if (output->asked->drawn.regret)
        table_add(t, "regret", 6, false);
    if (output->asked->model_error) {
        table_add(t, "model us", TIME_WIDTH, false);
        table_add(t, "limiter", 10, true);
    }
}

void bench_table_devices(const bench_output *output)
{
    printf("gable %s\n", command_version());
    for (int i = 0; i < output->asked->device_count; i++)
        print_device(&output->sessions[i]);
}

void bench_table_peers(const bench_output *output)
{
    for (int i = 0; i < output->asked->device_count; i++)
        print_peers(&output->sessions[i]);
    if (output->asked->variant != NULL)
        print_line("variant", output->asked->variant);
    if (output->asked->cases.math != GABLE_MATH_PLAIN)
        print_line("math", gbl_math_name(output->asked->cases.math));
}

void bench_table_header(bench_output *output)
{
    char text[256];
    widths widest = {.op = 0};
    bench_request_each(output->asked, measure_case, &widest);
    output->flops = widest.flops;
    bench_table_devices(output);
    print_legend(output);
    if (output->asked->device_count > 1) {
        const char *first = output->sessions[0].ctx->device->info.name;
        snprintf(text, sizeof text, "the time of %s over the device's own, above 1 it is faster",
                 first);
        char title[48];
        snprintf(title, sizeof title, "vs %s", first);
        print_line(title, text);
    }
    bench_table_peers(output);
    make_columns(output, &widest);
    table_head(&output->table);
}

/* ---- Rows ---- */

/* Cells filled from left to right. */
typedef struct line {
    int used;
    table_cell cells[TABLE_MAX_COLUMNS];
} line;

static table_cell *next_cell(line *row)
{
    return &row->cells[row->used < TABLE_MAX_COLUMNS - 1 ? row->used++ : row->used];
}

static void put_text(line *row, const char *text)
{
    snprintf(next_cell(row)->text, TABLE_CELL_BYTES, "%s", text);
}

static void put_number(line *row, double value, int decimals)
{
    snprintf(next_cell(row)->text, TABLE_CELL_BYTES, "%.*f", decimals, value);
}

static void put_ratio(line *row, double ratio)
{
    table_cell *cell = next_cell(row);
    if (!(ratio > 0)) {
        snprintf(cell->text, sizeof cell->text, "-");
        return;
    }
    snprintf(cell->text, sizeof cell->text, "%.2f", ratio);
    cell->colour = ratio < RATIO_POOR ? RED : ratio > RATIO_GOOD ? GREEN : PLAIN;
}

static void put_regret(line *row, const bench_row *measured)
{
    table_cell *cell = next_cell(row);
    if (measured->better == NULL) {
        snprintf(cell->text, sizeof cell->text, "-");
        return;
    }
    snprintf(cell->text, sizeof cell->text, "%.1f%%", 100 * measured->regret);
    cell->colour = measured->regret > SWEEP_POOR_REGRET ? RED : PLAIN;
}

static void put_error(line *row, double error)
{
    table_cell *cell = next_cell(row);
    snprintf(cell->text, sizeof cell->text, fabs(error) < 100 ? "%.3f" : "%.3g", error);
    cell->colour = error <= 1 ? PLAIN : RED;
}

static void put_case(line *row, const bench_output *output, const bench_row *measured)
{
    char text[TABLE_CELL_BYTES];
    bench_case_name(&measured->what, text, sizeof text);
    put_text(row, text);
    bench_case_size_text(&measured->what, text, sizeof text);
    put_text(row, text);
    if (output->asked->drawn.random > 0) {
        put_number(row, measured->what.beta, 0);
        put_number(row, (double)measured->what.offset, 0);
        put_number(row, (double)measured->what.pad, 0);
    }
    if (output->asked->device_count == 1)
        put_text(row, measured->variant);
    put_text(row, bench_mode_name(measured->mode));
    if (output->asked->hot)
        put_text(row, bench_temp_name(measured->hot));
}

static void put_peers(line *row, const bench_session *session, const bench_row *measured)
{
    for (int i = 0; i < session->peer_count; i++)
        put_ratio(row, measured->vs[i]);
}

void bench_table_row(bench_output *output, const bench_row *measured)
{
    line row = {.used = 0};
    put_case(&row, output, measured);
    put_number(&row, measured->usec, 2);
    put_number(&row, measured->gbs, 2);
    if (output->flops)
        put_number(&row, measured->gflops, 2);
    put_number(&row, 100 * measured->roof, 1);
    put_error(&row, measured->error);
    put_peers(&row, &output->sessions[0], measured);
    if (output->asked->drawn.regret)
        put_regret(&row, measured);
    if (output->asked->model_error) {
        put_number(&row, measured->predicted_usec, 2);
        put_text(&row, measured->limiter != NULL ? measured->limiter : "-");
    }
    table_row(&output->table, row.cells, measured->error <= 1 ? "" : "FAILED");
}

static void put_device(line *row, const bench_output *output, int device, int index)
{
    const bench_row *measured = &output->held[device][index], *base = &output->held[0][index];
    if (measured->usec > 0) {
        put_number(row, measured->usec, 2);
        put_number(row, measured->gbs, 2);
        if (output->flops)
            put_number(row, measured->gflops, 2);
    } else {
        for (int i = 0; i < (output->flops ? 3 : 2); i++)
            put_text(row, "-");
    }
    if (device > 0)
        put_ratio(row, measured->usec > 0 ? base->usec / measured->usec : 0);
    put_peers(row, &output->sessions[device], measured);
}

void bench_table_side_by_side(bench_output *output)
{
    for (int index = 0; index < BENCH_CASE_ROWS; index++) {
        const bench_row *any = NULL;
        line row = {.used = 0};
        char failed[256] = "";
        for (int device = 0; device < output->asked->device_count; device++) {
            const bench_row *measured = &output->held[device][index];
            if (!(measured->usec > 0))
                continue;
            any = any != NULL ? any : measured;
            const size_t used = strlen(failed);
            if (!(measured->error <= 1))
                snprintf(failed + used, sizeof failed - used, "%s%s",
                         used > 0 ? ", " : "FAILED on ",
                         output->sessions[device].ctx->device->info.name);
        }
        if (any == NULL)
            continue;
        put_case(&row, output, any);
        for (int device = 0; device < output->asked->device_count; device++)
            put_device(&row, output, device, index);
        table_row(&output->table, row.cells, failed);
    }
}
