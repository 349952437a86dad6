/* bench_output.c: rows of `gable bench` as a table or as JSON, remarks, and signs of life.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "bench_output.h"
#include "command.h"
#include "device/cpu_blas.h"
#include "json.h"

#define MIB              1048576.0
#define PATIENCE_SECONDS 2.0

static const char data_text[] = "uniform in [-1, 1], alpha = 0.6875 (+ 0.25i), unit strides";
static const char clock_text[] = "median of repeats on the device's clock, parties in turn";

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void device_text(const gable_context *ctx, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "%s %s", ctx->device->info.name, ctx->device->info.title);
}

/* ---- Headers ---- */

static void write_header(const bench_output *output)
{
    const bench_session *session = output->session;
    const gable_device_info *info = &session->ctx->device->info;
    char text[256], date[32];
    const time_t seconds = time(NULL);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    device_text(session->ctx, text, sizeof text);
    json_open(NULL);
    json_text("date", date);
    json_text("commit", command_commit());
    json_text("version", gable_version());
    json_text("device", text);
    json_text("driver", info->driver);
    json_text("compiler", info->compiler);
    json_open("libraries");
    if (session->ctx->device->props.is_host)
        json_text("blas", gbl_cpu_blas_name());
    for (int i = 0; i < session->peer_count; i++)
        json_text(session->peers[i].kind->name, session->peers[i].version);
    json_close();
    if (output->variant != NULL)
        json_text("variant", output->variant);
    json_text("data", data_text);
    json_text("timing", clock_text);
    json_close();
}

static void print_line(const char *title, const char *text)
{
    printf("%-9s %s\n", title, text);
}

static void print_header(const bench_output *output)
{
    const bench_session *session = output->session;
    const gable_device_info *info = &session->ctx->device->info;
    char text[512];
    snprintf(text, sizeof text, "%s %s, %d units, %.0f MiB cache%s", info->name, info->title,
             info->units, (double)bench_cache_bytes(session->ctx) / MIB,
             info->cache_bytes > 0 ? "" : " (assumed)");
    printf("gable %s\n", command_version());
    print_line("device", text);
    snprintf(text, sizeof text, "%s%s%s", info->driver, info->compiler[0] ? "; kernels by " : "",
             info->compiler);
    print_line("driver", text);
    print_line("data", data_text);
    print_line("time", "of one call in microseconds; median of repeats on the device's clock");
    print_line("mode", "replay: many calls recorded and replayed at once; single: one call alone");
    print_line("temp",
               "cold: operands rotate over twice the cache or more, or it is flushed first");
    if (session->hot)
        print_line("", "hot: the same operands again and again");
    print_line("GB/s", "the least bytes that the routine must move, over its time");
    print_line("% roof",
               "of what memory gives, in the same mode: to a plain copy of as many bytes");
    print_line("", "(copy, axpy) or to a kernel that only reads them (dot, nrm2)");
    print_line("error", "over its bound; above 1 the row is FAILED");
    for (int i = 0; i < session->peer_count; i++) {
        const bench_peer *peer = &session->peers[i];
        snprintf(text, sizeof text, "its time over Gable's, above 1 Gable is faster: %s%s",
                 peer->version, peer->own_context ? "; on host memory, the host's clock" : "");
        print_line(peer->kind->name, text);
    }
    if (output->variant != NULL)
        print_line("variant", output->variant);
}

static void print_columns(const bench_output *output)
{
    printf("\n%-7s %11s  %-9s %-6s %-4s %13s %9s %7s %7s", "op", "n", "variant", "mode", "temp",
           "time (us)", "GB/s", "% roof", "error");
    for (int i = 0; i < output->session->peer_count; i++)
        printf(" %9s", output->session->peers[i].kind->name);
    putchar('\n');
    fflush(stdout);
}

void bench_output_header(bench_output *output)
{
    output->started = now();
    if (output->json) {
        write_header(output);
        return;
    }
    print_header(output);
    print_columns(output);
}

/* ---- Rows ---- */

static void write_row(const bench_output *output, const bench_row *row)
{
    const char letter[] = {gbl_dtype_letter(row->what.dtype), '\0'};
    char text[256];
    device_text(output->session->ctx, text, sizeof text);
    json_open(NULL);
    json_text("op", row->what.op->op->stem);
    json_text("prec", letter);
    json_open("args");
    if (row->what.op->conj)
        json_text("conj", "x");
    json_integer("n", row->what.n);
    json_close();
    json_text("device", text);
    json_text("variant", row->variant);
    json_text("mode", row->mode == BENCH_REPLAY ? "replay" : "single");
    json_text("temp", row->hot ? "hot" : "cold");
    json_number("usec", row->usec);
    json_number("usec_min", row->usec_min);
    json_number("gbs", row->gbs);
    json_number("gflops", row->gflops);
    json_number("roof", row->roof);
    json_number("error", row->error);
    json_open("vs");
    for (int i = 0; i < output->session->peer_count; i++)
        if (row->vs[i] > 0)
            json_number(output->session->peers[i].kind->name, row->vs[i]);
    json_close();
    json_close();
}

static void print_row(const bench_output *output, const bench_row *row, const char *typed)
{
    printf("%-7s %11" PRId64 "  %-9s %-6s %-4s %13.2f %9.2f %7.1f %7.3f", typed, row->what.n,
           row->variant, row->mode == BENCH_REPLAY ? "replay" : "single", row->hot ? "hot" : "cold",
           row->usec, row->gbs, 100 * row->roof, row->error);
    for (int i = 0; i < output->session->peer_count; i++) {
        if (row->vs[i] > 0)
            printf(" %9.2f", row->vs[i]);
        else
            printf(" %9s", "-");
    }
    puts(row->error <= 1 ? "" : "  FAILED");
    fflush(stdout);
}

void bench_output_row(bench_output *output, const bench_row *row)
{
    char typed[32];
    bench_op_typed_name(row->what.op, row->what.dtype, typed, sizeof typed);
    bench_output_clear(output);
    if (output->json)
        write_row(output, row);
    else
        print_row(output, row, typed);
    output->rows++;
    if (!(row->error <= 1)) /* NaN too */
        output->failed++;
    for (int i = 0; i < output->session->peer_count; i++) {
        if (!(row->vs[i] > 0))
            continue;
        output->ratios[i].log_sum += log(row->vs[i]);
        if (output->ratios[i].count++ == 0 || row->vs[i] < output->ratios[i].worst) {
            output->ratios[i].worst = row->vs[i];
            snprintf(output->ratios[i].worst_row, sizeof output->ratios[i].worst_row,
                     "%s n = %" PRId64 " %s %s", typed, row->what.n,
                     row->mode == BENCH_REPLAY ? "replay" : "single", row->hot ? "hot" : "cold");
        }
    }
}

void bench_output_summary(bench_output *output)
{
    bench_output_clear(output);
    if (output->json)
        return;
    putchar('\n');
    for (int i = 0; i < output->session->peer_count; i++) {
        if (output->ratios[i].count == 0)
            continue;
        printf("%-9s geometric mean %.2f over %d rows, worst %.2f (%s)\n",
               output->session->peers[i].kind->name,
               exp(output->ratios[i].log_sum / output->ratios[i].count), output->ratios[i].count,
               output->ratios[i].worst, output->ratios[i].worst_row);
    }
    if (output->failed > 0)
        printf("%d of %d rows FAILED: their results are outside the error bound\n", output->failed,
               output->rows);
    else
        printf("all %d rows are within their error bounds\n", output->rows);
    fflush(stdout);
}

/* ---- The terminal ---- */

void bench_output_clear(bench_output *output)
{
    if (output->shown_width > 0)
        fprintf(stderr, "\r%*s\r", output->shown_width, "");
    output->shown_width = 0;
    fflush(stderr);
}

void bench_output_note(bench_output *output, const char *text)
{
    bench_output_clear(output);
    fflush(stdout);
    fprintf(output->json ? stderr : stdout, "%s%s\n", output->json ? "gable bench: " : "note      ",
            text);
}

void bench_output_progress(bench_output *output, const char *text)
{
    if (!isatty(STDERR_FILENO) || now() - output->started < PATIENCE_SECONDS)
        return;
    bench_output_clear(output);
    output->shown_width = fprintf(stderr, "  measuring %s ...", text);
    fflush(stderr);
}
