/* bench_rows.c: rows of `gable bench` for programs: one JSON object per line, or CSV.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * CSV is that of RFC 4180 but for its line ends, which are single: a field with a comma, a quote or
 * a line end is quoted, and quotes in it are doubled.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "bench_output.h"
#include "gable/command.h"
#include "core/math_mode.h"
#include "device/cpu_blas.h"
#include "gable/case_json.h"
#include "gable/json.h"

#define JOINED_BYTES 2048

/* ---- JSON ---- */

/* What the devices say, separated by "; "; alike texts once. */
static void join(char *joined, const char *text)
{
    const size_t used = strlen(joined);
    if (strstr(joined, text) == NULL)
        snprintf(joined + used, JOINED_BYTES - used, "%s%s", used > 0 ? "; " : "", text);
}

static void write_libraries(const bench_output *output, int device)
{
    bool blas = false;
    json_open("libraries");
    for (int i = 0; i < output->asked->device_count; i++)
        if (device < 0 || device == i)
            blas = blas || output->sessions[i].ctx->device->props.is_host;
    if (blas)
        json_text("blas", gbl_cpu_blas_name());
    for (int p = 0; p < output->asked->peer_count; p++) {
        const char *version = NULL;
        for (int i = 0; i < output->asked->device_count; i++)
            for (int q = 0; q < output->sessions[i].peer_count; q++)
                if ((device < 0 || device == i) &&
                    output->sessions[i].peers[q].kind == output->asked->peers[p])
                    version = output->sessions[i].peers[q].version;
        if (version != NULL)
            json_text(output->asked->peers[p]->name, version);
    }
    json_close();
}

void bench_json_header(const bench_output *output, int device)
{
    char devices[JOINED_BYTES] = "", drivers[JOINED_BYTES] = "", compilers[JOINED_BYTES] = "";
    char text[256], date[32], data[BENCH_DATA_BYTES];
    const time_t seconds = time(NULL);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    for (int i = 0; i < output->asked->device_count; i++) {
        const gable_context *ctx = output->sessions[i].ctx;
        if (device >= 0 && device != i)
            continue;
        bench_device_text(ctx, text, sizeof text);
        join(devices, text);
        gable_device_info info;
        gable_context_describe(ctx, &info);
        join(drivers, info.driver);
        join(compilers, info.compiler);
    }
    json_open(NULL);
    json_text("date", date);
    json_text("commit", command_commit());
    json_text("version", gable_version());
    json_text("device", devices);
    json_text("driver", drivers);
    json_text("compiler", compilers);
    write_libraries(output, device);
    if (output->asked->variant != NULL)
        json_text("variant", output->asked->variant);
    const bool sparse = output->asked->sparse.asked;
    bench_output_data(output->asked, data, sizeof data);
    json_text("data", sparse ? BENCH_SPARSE_DATA_TEXT : data);
    json_text("timing", sparse ? BENCH_SPARSE_CLOCK_TEXT : BENCH_CLOCK_TEXT);
    json_close();
}

void bench_json_row(const bench_session *session, const bench_row *row)
{
    char text[256];
    bench_device_text(session->ctx, text, sizeof text);
    json_open(NULL);
    json_case(&row->what);
    json_text("device", text);
    json_text("variant", row->variant);
    json_text("mode", bench_mode_name(row->mode));
    json_text("temp", bench_temp_name(row->hot));
    if (row->what.zeros)
        json_text("data", "zeros");
    if (row->what.math != GABLE_MATH_PLAIN)
        json_text("math", gbl_math_name(row->what.math));
    json_number("usec", row->usec);
    json_number("usec_min", row->usec_min);
    json_number("gbs", row->gbs);
    json_number("gflops", row->gflops);
    json_number("roof", row->roof);
    json_number("error", row->error);
    if (row->predicted_usec > 0) {
        json_number("predicted_usec", row->predicted_usec);
        json_text("limiter", row->limiter);
    }
    if (session->brief) {
        sweep_arguments(&row->what, text, sizeof text);
        json_text("arguments", text);
    }
    if (row->better != NULL) {
        json_number("regret", row->regret);
        json_text("better", row->better);
    }
    json_open("vs");
    for (int i = 0; i < session->peer_count; i++)
        if (row->vs[i] > 0)
            json_number(session->peers[i].kind->name, row->vs[i]);
    json_close();
    json_close();
}

/* ---- CSV ---- */

void bench_csv_field(const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text != '\0'; text++)
        printf(*text == '"' ? "\"\"" : "%c", *text);
    putchar('"');
}

/* What is no number, such as a wrong result's error, is an empty field. */
static void put_number(double value)
{
    if (isfinite(value))
        printf(",%.6g", value);
    else
        putchar(',');
}

/* The names of arguments that occur in any case of the request: a column each. */
typedef struct arg_names {
    int count;
    const char *name[2 * BENCH_MAX_ARGS];
} arg_names;

static bool add_arg_names(void *user, const bench_case *what)
{
    arg_names *names = user;
    bench_arg args[BENCH_MAX_ARGS];
    const int count = bench_case_args(what, args);
    for (int i = 0; i < count; i++) {
        bool there = names->count == 2 * BENCH_MAX_ARGS;
        for (int j = 0; j < names->count; j++)
            there = there || strcmp(names->name[j], args[i].name) == 0;
        if (!there)
            names->name[names->count++] = args[i].name;
    }
    return true;
}

static void find_arg_names(const bench_output *output, arg_names *names)
{
    names->count = 0;
    bench_request_each(output->asked, add_arg_names, names);
}

void bench_csv_header(const bench_output *output)
{
    arg_names names;
    find_arg_names(output, &names);
    fputs("op,prec,name", stdout);
    for (int i = 0; i < names.count; i++)
        printf(",%s", names.name[i]);
    printf(",device,variant,mode,temp%s%s,usec,usec_min,gbs,gflops,roof,error",
           output->asked->cases.zeros ? ",data" : "",
           output->asked->cases.math != GABLE_MATH_PLAIN ? ",math" : "");
    if (output->asked->model_error)
        fputs(",predicted_usec,limiter", stdout);
    if (output->asked->drawn.regret)
        fputs(",regret,better", stdout);
    for (int i = 0; i < output->asked->peer_count; i++)
        printf(",%s", output->asked->peers[i]->name);
    putchar('\n');
    fflush(stdout);
}

/* An argument that the case does not have is an empty field. */
static void put_args(const bench_output *output, const bench_case *what)
{
    arg_names names;
    bench_arg args[BENCH_MAX_ARGS];
    const int count = bench_case_args(what, args);
    find_arg_names(output, &names);
    for (int i = 0; i < names.count; i++) {
        putchar(',');
        for (int j = 0; j < count; j++) {
            if (strcmp(args[j].name, names.name[i]) != 0)
                continue;
            if (args[j].text != NULL)
                bench_csv_field(args[j].text);
            else
                printf("%" PRId64, args[j].number);
        }
    }
}

static double ratio_to(const bench_session *session, const bench_row *row,
                       const bench_peer_kind *kind)
{
    for (int i = 0; i < session->peer_count; i++)
        if (session->peers[i].kind == kind && row->vs[i] > 0)
            return row->vs[i];
    return NAN;
}

void bench_csv_row(const bench_output *output, const bench_session *session, const bench_row *row)
{
    char typed[32], text[256];
    bench_op_typed_name(row->what.op, row->what.dtype, typed, sizeof typed);
    bench_device_text(session->ctx, text, sizeof text);
    printf("%s,%c,%s", row->what.op->op->stem, gbl_dtype_letter(row->what.dtype), typed);
    put_args(output, &row->what);
    putchar(',');
    bench_csv_field(text);
    putchar(',');
    bench_csv_field(row->variant);
    printf(",%s,%s%s", bench_mode_name(row->mode), bench_temp_name(row->hot),
           row->what.zeros ? ",zeros" : "");
    if (row->what.math != GABLE_MATH_PLAIN)
        printf(",%s", gbl_math_name(row->what.math));
    const double numbers[] = {row->usec,   row->usec_min, row->gbs,
                              row->gflops, row->roof,     row->error};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        put_number(numbers[i]);
    if (output->asked->model_error) {
        put_number(row->predicted_usec);
        printf(",%s", row->limiter != NULL ? row->limiter : "");
    }
    if (output->asked->drawn.regret) {
        put_number(row->better != NULL ? row->regret : NAN);
        putchar(',');
        bench_csv_field(row->better != NULL ? row->better : "");
    }
    for (int i = 0; i < output->asked->peer_count; i++)
        put_number(ratio_to(session, row, output->asked->peers[i]));
    putchar('\n');
    fflush(stdout);
}
