/* explain_sparse.c: `gable explain spmv A.mtx`: the format of a sparse matrix, and what its product
 * takes in each.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The prediction needs the lengths of rows only: nothing is sent to the device for it, which may be
 * a pretended one. Formats that would be many times as large as compressed rows are predicted, not
 * measured.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "advice.h"
#include "explain_sparse.h"
#include "gable/command.h"
#include "gable/interrupt.h"
#include "gable/json.h"
#include "gable/table.h"
#include "gable/terminal.h"
#include "sparse/matrix/sparse_matrix.h"
#include "sparse_bench.h"

#define MOST_TIMES 4 /* the bytes of compressed rows: larger formats are not measured */

/* What is known of one format. */
typedef struct format_row {
    gbl_format_foreseen foreseen;
    double measured, gbs, roof; /* 0: not measured */
    char variant[32];
} format_row;

typedef struct sparse_explanation {
    const explain_request *asked;
    const gbl_roofs *roofs;
    bench_sparse_matrix matrix;
    gable_sparse described; /* without arrays */
    gbl_dtype dtype;
    gable_format chosen, measuring;
    char why[256];
    format_row rows[GABLE_HYB + 1];
    double error;
} sparse_explanation;

static sparse_explanation *current; /* the rows of the benchmark go here */

/* Lengths of rows, and how far entries are from the diagonal. */
static void describe(sparse_explanation *e, gbl_device *device)
{
    const bench_sparse_matrix *m = &e->matrix;
    gbl_sparse_lengths *of = &e->described.lengths;
    int64_t *const bandwidth = &e->described.statistics.bandwidth;
    double squares = 0;
    memset(&e->described, 0, sizeof e->described);
    of->mean = m->rows > 0 ? (double)m->entries / (double)m->rows : 0;
    of->shortest = m->rows > 0 ? m->columns : 0;
    for (int64_t i = 0; i < m->rows; i++) {
        const int64_t length = m->start[i + 1] - m->start[i];
        of->shortest = length < of->shortest ? length : of->shortest;
        of->longest = length > of->longest ? length : of->longest;
        squares += ((double)length - of->mean) * ((double)length - of->mean);
        for (int64_t k = m->start[i]; k < m->start[i + 1]; k++) {
            const int64_t away = m->column[k] < i ? i - m->column[k] : m->column[k] - i;
            *bandwidth = away > *bandwidth ? away : *bandwidth;
        }
    }
    of->deviation = m->rows > 0 ? sqrt(squares / (double)m->rows) : 0;
    const bool wide = m->rows >= INT32_MAX || m->columns >= INT32_MAX || m->entries >= INT32_MAX;
    e->described.device = device;
    e->described.known = e->described.measured = true;
    e->described.layout = (gbl_sparse_layout){.dtype = e->dtype,
                                              .format = GABLE_CSR,
                                              .index_bytes = wide ? 8 : 4,
                                              .rows = m->rows,
                                              .columns = m->columns,
                                              .entries = m->entries,
                                              .stored = m->entries,
                                              .longest = of->longest};
}

static void take_row(void *user, const bench_sparse_row *row)
{
    (void)user;
    format_row *to = &current->rows[current->measuring];
    if (!(row->error <= current->error)) /* NaN too */
        current->error = row->error;
    if (strcmp(row->mode, "replay") != 0 && to->measured > 0)
        return;
    to->measured = 1e-6 * row->usec;
    to->gbs = row->gbs;
    to->roof = row->roof;
    snprintf(to->variant, sizeof to->variant, "%s", row->variant);
}

/* Whether a format is multiplied by the variant that was asked for; without one all are. */
static bool wanted(const sparse_explanation *e, const gable_context *ctx, gable_format format)
{
    const char *name = e->asked->variant;
    const gbl_sparse_args call = {.dtype = e->dtype, .k = 1, .A = {.format = (uint8_t)format}};
    if (name == NULL)
        return true;
    const char *equals = strchr(name, '=');
    if (equals != NULL && strcspn(name, ":") > (size_t)(equals - name))
        name = equals + 1;
    const size_t length = strcspn(name, ":");
    for (int i = 0; i < gbl_sparse_mv_op.variant_count; i++) {
        const gbl_variant *variant = &gbl_sparse_mv_op.variants[i];
        if (strlen(variant->name) == length && strncmp(variant->name, name, length) == 0)
            return variant->fits(variant, &call, ctx->device);
    }
    return false;
}

static int measure(sparse_explanation *e, bench_session *session)
{
    current = e;
    for (gable_format format = GABLE_CSR; format <= GABLE_HYB && !interrupt_asked; format++) {
        const bench_sparse_case what = {.op = BENCH_SPARSE_MV,
                                        .dtype = e->dtype,
                                        .matrix = &e->matrix,
                                        .format = format,
                                        .trans = GABLE_NO_TRANS};
        if (!wanted(e, session->ctx, format) ||
            e->rows[format].foreseen.bytes > MOST_TIMES * e->rows[GABLE_CSR].foreseen.bytes)
            continue;
        e->measuring = format;
        terminal_progress_start();
        const gable_status status = bench_sparse_measure(session, &what, take_row);
        terminal_progress_erase();
        if (status != GABLE_OK)
            return args_fail(&explain_args, "spmv %s in %s: %s", e->matrix.name,
                             gbl_format_name(format), gable_message(session->ctx));
    }
    return EXIT_DONE;
}

/* Part of the roof: as measured, else of the prediction. */
static double roof_of(const sparse_explanation *e, const format_row *row)
{
    if (row->measured > 0)
        return row->roof;
    return e->roofs->read > 0 && row->foreseen.seconds > 0
               ? row->foreseen.bytes / e->roofs->read / row->foreseen.seconds
               : 0;
}

static void write_json(const sparse_explanation *e)
{
    for (gable_format format = GABLE_CSR; format <= GABLE_HYB; format++) {
        const format_row *row = &e->rows[format];
        json_open(NULL);
        json_text("op", "spmv");
        json_text("matrix", e->matrix.name);
        json_text("prec", (char[]){gbl_dtype_letter(e->dtype), '\0'});
        json_text("format", gbl_format_name(format));
        json_bool("chosen", format == e->chosen);
        json_number("bytes", row->foreseen.bytes);
        json_number("usec_predicted", 1e6 * row->foreseen.seconds);
        if (row->measured > 0) {
            json_text("variant", row->variant);
            json_number("usec", 1e6 * row->measured);
            json_number("gbs", row->gbs);
        }
        json_number("roof", roof_of(e, row));
        if (format == e->chosen)
            json_text("why", e->why);
        json_close();
    }
}

static void print_matrix(const sparse_explanation *e)
{
    char text[512];
    const gbl_sparse_lengths *of = &e->described.lengths;
    snprintf(text, sizeof text,
             "%s: %lld by %lld, %lld entries in %s, indices of %d bits; rows have %lld to %lld "
             "entries, %.4g on average, with a deviation of %.3g; entries are up to %lld from the "
             "diagonal",
             e->matrix.name, (long long)e->matrix.rows, (long long)e->matrix.columns,
             (long long)e->matrix.entries,
             (const char *[]){"single", "double", "single complex", "double complex"}[e->dtype],
             8 * e->described.layout.index_bytes, (long long)of->shortest, (long long)of->longest,
             of->mean, of->deviation, (long long)e->described.statistics.bandwidth);
    terminal_paragraph(0, "matrix", 8, text);
    terminal_paragraph(0, "format", 8, e->why);
}

static void print_formats(const sparse_explanation *e)
{
    table t = {.count = 0};
    table_add(&t, "format", 6, true);
    table_add(&t, "bytes", 9, false);
    table_add(&t, "predicted", 10, false);
    table_add(&t, "measured", 10, false);
    table_add(&t, "of roof", 7, false);
    table_add(&t, "variant", 8, true);
    table_head(&t);
    for (gable_format format = GABLE_CSR; format <= GABLE_HYB; format++) {
        const format_row *row = &e->rows[format];
        table_cell cells[6] = {{.text = ""}};
        snprintf(cells[0].text, sizeof cells[0].text, "%s%s", gbl_format_name(format),
                 format == e->chosen ? " *" : "");
        cells[0].colour = format == e->chosen ? BOLD : PLAIN;
        advice_amount_text(row->foreseen.bytes, "B", cells[1].text, sizeof cells[1].text);
        advice_time_text(row->foreseen.seconds, cells[2].text, sizeof cells[2].text);
        if (row->measured > 0)
            advice_time_text(row->measured, cells[3].text, sizeof cells[3].text);
        else
            snprintf(cells[3].text, sizeof cells[3].text, "-");
        snprintf(cells[4].text, sizeof cells[4].text, "%.0f %%", 100 * roof_of(e, row));
        snprintf(cells[5].text, sizeof cells[5].text, "%s", row->variant);
        table_row(&t, cells, "");
    }
    printf(
        "\n* is what gable_sparse_convert takes for GABLE_FORMAT_AUTO. The bytes are those of the "
        "format, x once and y once.\n");
}

static int explain_one(bench_session *session, sparse_explanation *e)
{
    gbl_format_foreseen list[GABLE_HYB + 1];
    gable_context *ctx = session->ctx;
    describe(e, ctx->device);
    if (gbl_sparse_foresee(ctx, &e->described, e->roofs, list) != GABLE_OK)
        return args_fail(&explain_args, "%s", gable_message(ctx));
    e->chosen = gbl_sparse_pick(&e->described, list, 0, e->why, sizeof e->why);
    for (int format = 0; format <= GABLE_HYB; format++)
        e->rows[format] = (format_row){.foreseen = list[format]};
    int code = EXIT_DONE;
    if (e->asked->measure)
        code = measure(e, session);
    if (code != EXIT_DONE || interrupt_asked)
        return code;
    if (e->asked->json) {
        write_json(e);
    } else {
        print_matrix(e);
        print_formats(e);
    }
    if (e->asked->measure && !(e->error <= 1))
        return args_fail(&explain_args, "the result is wrong, %.3g times its error bound",
                         e->error);
    return EXIT_DONE;
}

int explain_sparse(bench_session *session, const explain_request *asked, const gbl_roofs *roofs)
{
    static sparse_explanation e;
    gbl_message message = {NULL, ""};
    int code = EXIT_DONE;
    e.asked = asked;
    e.roofs = roofs;
    if (bench_sparse_make(asked->matrix, &e.matrix, &message) != GABLE_OK)
        return args_fail(&explain_args, "%s", message.text);
    unsigned dtypes = asked->cases.dtypes;
    if (dtypes == 0)
        dtypes = 1u << (e.matrix.complex_values ? GBL_Z : GBL_D);
    for (int dtype = GBL_S; dtype <= GBL_Z && code == EXIT_DONE && !interrupt_asked; dtype++) {
        if (!(dtypes >> dtype & 1))
            continue;
        e.dtype = (gbl_dtype)dtype;
        e.error = 0;
        code = e.matrix.complex_values && !gbl_dtype_complex(e.dtype)
                   ? args_refuse(&explain_args, "%s has complex values; ask with --prec z or c",
                                 asked->matrix)
                   : explain_one(session, &e);
    }
    bench_sparse_free(&e.matrix);
    return code;
}
