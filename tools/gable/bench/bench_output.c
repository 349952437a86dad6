/* bench_output.c: rows of `gable bench`, handed to the form asked for; the summary.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "bench_output.h"
#include "gable/json.h"
#include "gable/plural.h"

const char *bench_temp_name(bool hot)
{
    return hot ? "hot" : "cold";
}

void bench_device_text(const gable_context *ctx, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "%s %s", ctx->device->info.name, ctx->device->info.title);
}

void bench_output_header(bench_output *output)
{
    switch (output->asked->form) {
    case BENCH_TABLE:
        bench_table_header(output);
        break;
    case BENCH_JSON:
        bench_json_header(output, -1);
        break;
    case BENCH_CSV:
        bench_csv_header(output);
        break;
    }
}

static void row_text(const bench_row *row, char *text, size_t text_bytes)
{
    char name[32], sizes[64];
    bench_case_name(&row->what, name, sizeof name);
    bench_case_text(&row->what, sizes, sizeof sizes);
    snprintf(text, text_bytes, "%s %s %s", name, sizes, bench_temp_name(row->hot));
}

/* Of a case that was drawn: what its row says for the sweep. Without memory it says nothing. */
static void add_drawn(bench_output *output, const bench_session *session, const bench_row *row)
{
    char routine[SWEEP_NAME_BYTES], text[SWEEP_CASE_BYTES];
    bench_op_typed_name(row->what.op, row->what.dtype, routine, sizeof routine);
    sweep_arguments(&row->what, text, sizeof text);
    for (int i = 0; i < session->peer_count; i++)
        sweep_add(&output->values, session->peers[i].kind->name, routine, text, row->vs[i]);
    sweep_add(&output->values, "roof", routine, text, row->roof);
    if (row->better != NULL)
        sweep_add_regret(&output->values, routine, text, row->regret, row->better);
}

static void add_peers(bench_output *output, const bench_session *session, const bench_row *row)
{
    char name[RATIOS_TEXT_BYTES], text[RATIOS_TEXT_BYTES];
    row_text(row, text, sizeof text);
    for (int i = 0; i < session->peer_count; i++) {
        const char *peer = session->peers[i].kind->name;
        if (output->asked->device_count > 1)
            snprintf(name, sizeof name, "%s on %s", peer, session->ctx->device->info.name);
        else
            snprintf(name, sizeof name, "%s", peer);
        ratios_add(&output->ratios, name, bench_mode_name(row->mode), row->vs[i], text);
    }
}

void bench_output_row(bench_output *output, int device, const bench_row *row)
{
    const bench_session *session = &output->sessions[device];
    if (output->asked->form != BENCH_TABLE || output->asked->device_count == 1)
        terminal_progress_erase();
    output->rows++;
    if (!(row->error <= 1)) /* NaN too */
        output->failed++;
    if (session->brief && row->error <= 1)
        add_drawn(output, session, row);
    else
        add_peers(output, session, row);
    if (row->predicted_usec > 0 && row->mode != BENCH_TRANSFER)
        model_error_add(&output->errors, row->what.op->name, bench_mode_name(row->mode),
                        row->predicted_usec, row->usec);
    bench_save_row(output, device, row);
    if (output->asked->form == BENCH_JSON)
        bench_json_row(session, row);
    else if (output->asked->form == BENCH_CSV)
        bench_csv_row(output, session, row);
    else if (output->asked->device_count == 1)
        bench_table_row(output, row);
    output->held[device][row->mode == BENCH_TRANSFER ? BENCH_CASE_ROWS - 1
                                                     : 2 * row->hot + (row->mode == BENCH_SINGLE)] =
        *row;
}

/* How the devices stand beside the first. */
static void add_devices(bench_output *output)
{
    char name[RATIOS_TEXT_BYTES], text[RATIOS_TEXT_BYTES];
    for (int device = 1; device < output->asked->device_count; device++) {
        snprintf(name, sizeof name, "%s vs %s", output->sessions[device].ctx->device->info.name,
                 output->sessions[0].ctx->device->info.name);
        for (int i = 0; i < BENCH_CASE_ROWS; i++) {
            const bench_row *row = &output->held[device][i], *base = &output->held[0][i];
            if (!(row->usec > 0) || !(base->usec > 0))
                continue;
            row_text(row, text, sizeof text);
            ratios_add(&output->ratios, name, bench_mode_name(row->mode), base->usec / row->usec,
                       text);
        }
    }
}

void bench_output_case_end(bench_output *output)
{
    if (output->asked->device_count > 1) {
        terminal_progress_erase();
        add_devices(output);
        if (output->asked->form == BENCH_TABLE)
            bench_table_side_by_side(output);
    }
    memset(output->held, 0, sizeof output->held);
}

/* For programs: a last object, or a remark beside CSV. */
static void tell_errors(const bench_output *output)
{
    const model_error_summary all = model_error_summarise(&output->errors, NULL, NULL);
    char text[128];
    snprintf(text, sizeof text, "the model's error: median %.1f %%, 90 in 100 %.1f %%, %d row%s",
             100 * all.median, 100 * all.p90, all.rows, PLURAL(all.rows));
    if (output->asked->form == BENCH_JSON)
        model_error_write(&output->errors);
    else
        bench_output_note(output, text);
}

/* What was drawn and what of it was left out. */
static void tell_drawn(const bench_output *output)
{
    const sweep *drawn = &output->asked->drawn;
    char text[160];
    if (output->asked->form == BENCH_JSON) {
        json_open(NULL);
        json_open("sweep");
        json_integer("random", drawn->random);
        json_integer("seed", drawn->seed);
        json_integer("cases", drawn->count);
        json_integer("rows", output->rows);
        json_integer("again", drawn->again);
        json_integer("late", output->late);
        sweep_write(&output->values);
        json_close();
        json_close();
    }
    snprintf(text, sizeof text, "%lld draw%s did not fit into memory and %s drawn again",
             (long long)drawn->again, PLURAL(drawn->again), drawn->again == 1 ? "was" : "were");
    if (drawn->again > 0)
        bench_output_note(output, text);
    snprintf(text, sizeof text,
             "the budget was spent before %d further case%s; a larger --budget reaches %s",
             output->late, PLURAL(output->late), output->late == 1 ? "it" : "them");
    if (output->late > 0)
        bench_output_note(output, text);
}

void bench_output_summary(bench_output *output)
{
    char text[128];
    const bool drawn = output->asked->drawn.random > 0;
    terminal_progress_erase();
    if (output->asked->form != BENCH_TABLE) {
        if (drawn)
            tell_drawn(output);
        if (output->asked->model_error)
            tell_errors(output);
        return;
    }
    putchar('\n');
    if (drawn) {
        sweep_print(&output->values);
        putchar('\n');
        tell_drawn(output);
    } else {
        ratios_print(&output->ratios);
    }
    if (output->asked->model_error)
        model_error_print(&output->errors);
    if (output->failed > 0)
        snprintf(text, sizeof text, "%d of %d row%s FAILED: %s outside the error bound",
                 output->failed, output->rows, PLURAL(output->rows),
                 output->failed == 1 ? "its result is" : "their results are");
    else if (output->rows == 0)
        snprintf(text, sizeof text, "nothing was measured");
    else
        snprintf(text, sizeof text, "%s%d row%s within %s", output->rows == 1 ? "" : "all ",
                 output->rows, output->rows == 1 ? " is" : "s are",
                 output->rows == 1 ? "its error bound" : "their error bounds");
    terminal_put(output->failed > 0 || output->rows == 0 ? RED : PLAIN, text);
    putchar('\n');
    fflush(stdout);
}

void bench_output_note(const bench_output *output, const char *text)
{
    terminal_progress_erase();
    fflush(stdout);
    if (output->asked->form == BENCH_TABLE)
        terminal_paragraph(0, "note", 10, text);
    else
        fprintf(stderr, "gable bench: %s\n", text);
}

void bench_output_data(const bench_request *asked, char *text, size_t text_bytes)
{
    const case_request *cases = &asked->cases;
    if (asked->drawn.random > 0) {
        snprintf(text, text_bytes,
                 "%s; sizes, flags, beta (0 or 1), offsets and leading dimensions of matrices "
                 "drawn from seed %lld",
                 cases->zeros ? "zeros" : "uniform in [-1, 1], scalars exact in each precision",
                 (long long)asked->drawn.seed);
        return;
    }
    const bool moved = cases->offset > 0 || cases->pad > 0;
    char where[160] = "lda = m";
    if (moved)
        snprintf(where, sizeof where, "lda = m + %lld, %lld elements off their alignment",
                 (long long)(cases->offset + cases->pad), (long long)cases->offset);
    if (cases->zeros)
        snprintf(text, text_bytes,
                 "zeros: the clock of a board that is at its power limit with other data stays "
                 "up, so that ratios are ratios of cycles; times are not those of real data, and "
                 "rows are not kept; matrices with %s, products with beta = %d",
                 where, cases->beta);
    else
        snprintf(text, text_bytes,
                 "uniform in [-1, 1], scalars exact in each precision, unit strides; matrices with "
                 "%s, products with beta = %d, triangles with ones on the diagonal",
                 where, cases->beta);
}
