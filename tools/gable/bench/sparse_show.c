/* sparse_show.c: rows of `gable bench` of sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "gable/json.h"
#include "sparse_show.h"

#define TITLE_COLUMN 10

/* The orthogonalisation alone: n x m, no matrix. */
static bool is_basis(const bench_sparse_row *row)
{
    return row->what.op == BENCH_SPARSE_ORTHOGONALISE;
}

static bool is_solver(const bench_sparse_row *row)
{
    return row->what.op != BENCH_SPARSE_MV && !is_basis(row);
}

static const char *format_name(const bench_sparse_row *row)
{
    return is_basis(row) ? "-" : bench_format_names[row->format];
}

static const char *trans_letter(const bench_sparse_row *row)
{
    return row->what.trans == GABLE_NO_TRANS ? "N" : row->what.trans == GABLE_TRANS ? "T" : "C";
}

/* "dspmv", "dcg" */
static void typed_name(const bench_sparse_row *row, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "%c%s", gbl_dtype_letter(row->what.dtype),
             bench_sparse_op_names[row->what.op]);
}

/* A file without its folders. */
static const char *short_name(const bench_sparse_matrix *matrix)
{
    const char *slash = strrchr(matrix->name, '/');
    return slash != NULL ? slash + 1 : matrix->name;
}

/* ---- JSON ---- */

static void write_args(const bench_sparse_row *row)
{
    if (is_basis(row)) {
        json_integer("n", row->what.matrix->rows);
        json_integer("k", row->what.matrix->columns);
        return;
    }
    json_text("matrix", short_name(row->what.matrix));
    json_text("format", format_name(row));
    if (is_solver(row))
        json_text("precond", row->precond);
    else
        json_text("trans", trans_letter(row));
    if (row->what.op == BENCH_SPARSE_CG)
        json_text("form", row->variant);
    if (row->what.op == BENCH_SPARSE_GMRES)
        json_integer("restart", row->what.restart);
    json_integer("m", row->what.matrix->rows);
    json_integer("n", row->what.matrix->columns);
    json_integer("entries", row->what.matrix->entries);
}

static void write_json(const bench_session *session, const void *given)
{
    const bench_sparse_row *row = given;
    const char letter[] = {gbl_dtype_letter(row->what.dtype), '\0'};
    char text[256];
    bench_device_text(session->ctx, text, sizeof text);
    json_open(NULL);
    json_text("op", bench_sparse_op_names[row->what.op]);
    json_text("prec", letter);
    json_open("args");
    write_args(row);
    json_close();
    json_text("device", text);
    json_text("variant", row->variant);
    json_text("mode", row->mode);
    json_text("temp", bench_temp_name(row->hot));
    json_number("usec", row->usec);
    json_number("usec_min", row->usec_min);
    json_number("gbs", row->gbs);
    json_number("gflops", row->gflops);
    json_number("roof", row->roof);
    json_number("error", row->error);
    json_open("vs");
    for (int i = 0; i < session->peer_count; i++)
        if (row->vs[i] > 0)
            json_number(session->peers[i].kind->name, row->vs[i]);
    json_close();
    json_close();
}

/* ---- CSV ---- */

static void put_csv_header(const bench_output *output)
{
    fputs("op,prec,name,matrix,format,trans,precond,m,n,entries,device,variant,mode,temp,usec,"
          "usec_min,gbs,gflops,roof,error",
          stdout);
    for (int i = 0; i < output->asked->peer_count; i++)
        printf(",%s", output->asked->peers[i]->name);
    putchar('\n');
    fflush(stdout);
}

static void put_number(double value)
{
    if (isfinite(value))
        printf(",%.6g", value);
    else
        putchar(',');
}

static double ratio_to(const bench_session *session, const bench_sparse_row *row,
                       const bench_peer_kind *kind)
{
    for (int i = 0; i < session->peer_count; i++)
        if (session->peers[i].kind == kind && row->vs[i] > 0)
            return row->vs[i];
    return NAN;
}

static void put_csv_row(const bench_output *output, const bench_session *session,
                        const bench_sparse_row *row)
{
    char typed[32], text[256];
    typed_name(row, typed, sizeof typed);
    bench_device_text(session->ctx, text, sizeof text);
    printf("%s,%c,%s", bench_sparse_op_names[row->what.op], gbl_dtype_letter(row->what.dtype),
           typed);
    putchar(',');
    bench_csv_field(short_name(row->what.matrix));
    printf(",%s,%s,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",", format_name(row),
           is_solver(row) || is_basis(row) ? "" : trans_letter(row), row->precond,
           row->what.matrix->rows, row->what.matrix->columns, row->what.matrix->entries);
    bench_csv_field(text);
    printf(",%s,%s,%s", row->variant, row->mode, bench_temp_name(row->hot));
    const double numbers[] = {row->usec,   row->usec_min, row->gbs,
                              row->gflops, row->roof,     row->error};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        put_number(numbers[i]);
    for (int i = 0; i < output->asked->peer_count; i++)
        put_number(ratio_to(session, row, output->asked->peers[i]));
    putchar('\n');
    fflush(stdout);
}

/* ---- The table ---- */

static void print_line(const char *title, const char *text)
{
    terminal_paragraph(0, title, TITLE_COLUMN, text);
}

static void print_legend(void)
{
    print_line("data", BENCH_SPARSE_DATA_TEXT);
    print_line("mode", "replay: many products recorded and replayed at once; single: one product "
                       "alone, both on the device's clock; iteration: the difference of a long and "
                       "a short solve, over that of their iterations, on the host's clock");
    print_line("us", "microseconds of one product or one iteration: median of repeats");
    print_line("GB/s", "the bytes of the format, x and y once; of an iteration what its form must "
                       "move; over the time");
    print_line("% roof", "of a plain read of as many bytes, of iterations of a plain copy, in the "
                         "same run");
    print_line("error", "over its bound; above 1 the row is FAILED");
}

static void add_peers(bench_output *output, const bench_session *session)
{
    for (int i = 0; i < session->peer_count; i++)
        table_add(&output->table, session->peers[i].kind->name, 6, false);
}

typedef struct widths {
    int op, matrix;
} widths;

/* The widest texts of all rows to come. */
static bool widen(void *user, const bench_sparse_case *what)
{
    widths *w = user;
    const int op = (int)strlen(bench_sparse_op_names[what->op]) + 1;
    const int matrix = (int)strlen(short_name(what->matrix));
    w->op = op > w->op ? op : w->op;
    w->matrix = matrix > w->matrix ? matrix : w->matrix;
    return true;
}

static void put_table_header(bench_output *output)
{
    table *t = &output->table;
    bench_table_devices(output);
    print_legend();
    bench_table_peers(output);
    widths w = {.op = 5, .matrix = 6};
    sparse_request_each(&output->asked->sparse, false, widen, NULL, &w);
    if (output->asked->device_count > 1)
        table_add(t, "device", 8, true);
    table_add(t, "op", w.op, true);
    table_add(t, "matrix", w.matrix < TABLE_CELL_BYTES ? w.matrix : TABLE_CELL_BYTES - 1, true);
    table_add(t, "format", 6, true);
    table_add(t, "variant", 9, true);
    table_add(t, "mode", 9, true);
    table_add(t, "us", 9, false);
    table_add(t, "GB/s", 7, false);
    table_add(t, "% roof", 6, false);
    table_add(t, "error", 5, false);
    if (output->asked->device_count == 1)
        add_peers(output, &output->sessions[0]);
    table_head(t);
}

static void put_table_row(bench_output *output, const bench_session *session,
                          const bench_sparse_row *row)
{
    table_cell cells[TABLE_MAX_COLUMNS] = {{.text = ""}};
    int used = 0;
    char typed[32];
    typed_name(row, typed, sizeof typed);
    if (output->asked->device_count > 1)
        snprintf(cells[used++].text, TABLE_CELL_BYTES, "%s", session->ctx->device->info.name);
    if (is_solver(row) && strcmp(row->precond, "none") != 0)
        snprintf(cells[used++].text, TABLE_CELL_BYTES, "%s %s", typed, row->precond);
    else if (row->what.op == BENCH_SPARSE_MV && row->what.trans != GABLE_NO_TRANS)
        snprintf(cells[used++].text, TABLE_CELL_BYTES, "%s %s", typed, trans_letter(row));
    else
        snprintf(cells[used++].text, TABLE_CELL_BYTES, "%s", typed);
    snprintf(cells[used++].text, TABLE_CELL_BYTES, "%.47s", short_name(row->what.matrix));
    snprintf(cells[used++].text, TABLE_CELL_BYTES, "%s", format_name(row));
    snprintf(cells[used++].text, TABLE_CELL_BYTES, "%s", row->variant);
    snprintf(cells[used++].text, TABLE_CELL_BYTES, "%s", row->mode);
    snprintf(cells[used++].text, TABLE_CELL_BYTES, "%.2f", row->usec);
    snprintf(cells[used++].text, TABLE_CELL_BYTES, "%.2f", row->gbs);
    snprintf(cells[used++].text, TABLE_CELL_BYTES, "%.1f", 100 * row->roof);
    snprintf(cells[used].text, TABLE_CELL_BYTES, fabs(row->error) < 100 ? "%.3f" : "%.3g",
             row->error);
    cells[used++].colour = row->error <= 1 ? PLAIN : RED;
    for (int i = 0; output->asked->device_count == 1 && i < session->peer_count; i++) {
        const double ratio = row->vs[i];
        if (ratio > 0)
            snprintf(cells[used].text, TABLE_CELL_BYTES, "%.2f", ratio);
        else
            snprintf(cells[used].text, TABLE_CELL_BYTES, "-");
        cells[used++].colour = !(ratio > 0)         ? PLAIN
                               : ratio < RATIO_POOR ? RED
                               : ratio > RATIO_GOOD ? GREEN
                                                    : PLAIN;
    }
    table_row(&output->table, cells, row->error <= 1 ? "" : "FAILED");
}

/* ---- All forms ---- */

void sparse_show_header(bench_output *output)
{
    switch (output->asked->form) {
    case BENCH_TABLE:
        put_table_header(output);
        break;
    case BENCH_JSON:
        bench_json_header(output, -1);
        break;
    case BENCH_CSV:
        put_csv_header(output);
        break;
    }
}

static void add_ratios(bench_output *output, const bench_session *session,
                       const bench_sparse_row *row)
{
    char typed[32], text[RATIOS_TEXT_BYTES], name[RATIOS_TEXT_BYTES];
    typed_name(row, typed, sizeof typed);
    snprintf(text, sizeof text, "%s %.60s %s", typed, short_name(row->what.matrix),
             format_name(row));
    for (int i = 0; i < session->peer_count; i++) {
        snprintf(name, sizeof name, "%s%s%s", session->peers[i].kind->name,
                 output->asked->device_count > 1 ? " on " : "",
                 output->asked->device_count > 1 ? session->ctx->device->info.name : "");
        ratios_add(&output->ratios, name, row->mode, row->vs[i], text);
    }
}

void sparse_show_row(bench_output *output, int device, const bench_sparse_row *row)
{
    static const char *const stems[BENCH_SPARSE_OPS] = {"sparse_mv", "cg", "bicgstab", "gmres",
                                                        "gmres_orthogonalise"};
    const bench_session *session = &output->sessions[device];
    terminal_progress_erase();
    output->rows++;
    if (!(row->error <= 1)) /* NaN too */
        output->failed++;
    else
        bench_save_line(output, device, stems[row->what.op], write_json, row);
    add_ratios(output, session, row);
    switch (output->asked->form) {
    case BENCH_TABLE:
        put_table_row(output, session, row);
        break;
    case BENCH_JSON:
        write_json(session, row);
        break;
    case BENCH_CSV:
        put_csv_row(output, session, row);
        break;
    }
}
