/* info_roofs.c: measures and shows what a device can do.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/context.h"
#include "core/data_folder.h"
#include "model/roofs.h"
#include "gable/command.h"
#include "info_roofs.h"
#include "gable/json.h"
#include "gable/plural.h"
#include "roofline.h"
#include "gable/terminal.h"

#define MIB 1048576.0

static const char *const precision_names[] = {"single", "double", "complex", "double complex"};

/* ---- As text ---- */

static void print_rate(const char *name, double bytes_a_second, const char *what)
{
    printf("  %-15s %9.1f GB/s     %s\n", name, 1e-9 * bytes_a_second, what);
}

static void print_time(const char *name, double seconds, const char *what)
{
    if (seconds < 1e-6)
        printf("  %-15s %9.1f ns       %s\n", name, 1e9 * seconds, what);
    else
        printf("  %-15s %9.2f us       %s\n", name, 1e6 * seconds, what);
}

static void bytes_text(double bytes, char *text, size_t text_bytes)
{
    if (bytes < MIB)
        snprintf(text, text_bytes, "%.0f KiB", bytes / 1024);
    else
        snprintf(text, text_bytes, "%.4g MiB", bytes / MIB);
}

/* Four points per line. */
static void print_points(const gbl_roofs *roofs)
{
    printf("\n  reads of a set over and over, GB/s\n");
    for (int i = 0; i < roofs->points; i++) {
        char size[32];
        bytes_text(roofs->point_bytes[i], size, sizeof size);
        printf("%s%9s %-8.4g%s", i % 4 == 0 ? "  " : "", size, 1e-9 * roofs->point_read[i],
               i % 4 == 3 || i + 1 == roofs->points ? "\n" : "");
    }
}

/* How the machine was, and which figures count therefore. */
static void print_circumstances(const gbl_roofs_outcome *outcome)
{
    char how[GBL_ROOFS_TEXT_BYTES];
    printf("  %s\n", gbl_roofs_circumstances(&outcome->fresh, how));
    if (!outcome->whole)
        printf("  an earlier measurement was faster or less disturbed: the better figures of\n"
               "  both count and are shown (--again: only the new ones)\n");
    else if (gbl_roofs_disturbed(&outcome->fresh) > GBL_ROOFS_BUSY)
        printf("  on a quiet machine the figures will be better\n");
}

/* What a library says of itself may be long: in lines of at most 80 columns. */
static void print_library(const char *words)
{
    int column = printf("  products by");
    while (*words != '\0') {
        const int length = (int)strcspn(words, " ");
        if (column + 1 + length > 80)
            column = printf("\n   ") - 1;
        column += printf(" %.*s", length, words);
        words += length;
        words += strspn(words, " ");
    }
    printf("\n");
}

/* Products by the installed BLAS. */
static void print_products(const gbl_roofs_outcome *outcome)
{
    if (outcome->product_count > 0) {
        printf("\n");
        print_library(outcome->products[0].words);
    }
    for (int i = 0; i < outcome->product_count; i++) {
        const gbl_cpu_sample *const at = &outcome->products[i];
        printf("  %cgemm n = %-4.0f %11.1f GFLOP/s  %d thread%s\n", gbl_dtype_letter(at->dtype),
               cbrt(at->multiply_adds), 1e-9 * at->flops, at->threads, PLURAL(at->threads));
    }
}

static void print_stored(const gbl_roofs_outcome *outcome)
{
    char path[1024];
    if (outcome->stored && gbl_data_path("roofs.jsonl", path, sizeof path))
        printf("\n  kept in %s\n", path);
}

static void print_roofs(const gbl_device *device, const gbl_roofs *roofs,
                        const gbl_roofs_outcome *outcome)
{
    const gbl_props *props = &device->props;
    char text[64], class[256];
    gbl_device_class(device, class, sizeof class);
    printf("\nroofs of %s, %s now with random data\n  class %s\n", device->info.name,
           gbl_roofs_source_name(roofs->source), class);
    print_circumstances(outcome);
    print_rate("memory copy", roofs->copy, "read plus written");
    print_rate("memory read", roofs->read, "");
    print_rate("memory write", roofs->write, "");
    print_rate("one unit", roofs->unit, "a read by one multiprocessor or core");
    bytes_text(roofs->cache_bytes, text, sizeof text);
    printf("  %-15s %9.1f GB/s     sets up to %s\n", "cache read", 1e-9 * roofs->cache, text);
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
        printf("  %-15s %9.1f GFLOP/s  %s\n", precision_names[dtype], 1e-9 * roofs->flops[dtype],
               dtype < GBL_C ? "multiply-adds, two flops each" : "those of the real type");
    if (roofs->matrix_flops > 0)
        printf("  %-15s %9.1f GFLOP/s  in double\n", "matrix units", 1e-9 * roofs->matrix_flops);
    if (roofs->tf32_flops > 0)
        printf("  %-15s %9.1f GFLOP/s  in TF32; a third of it under GABLE_MATH_TF32X3\n",
               "matrix units", 1e-9 * roofs->tf32_flops);
    print_time("launch", roofs->launch_replay, "the smallest, in a recording");
    print_time("launch", roofs->launch_single, "the smallest, alone on an idle queue");
    print_time("latency", roofs->latency, "a load that waits for the one before");
    if (props->is_host)
        print_time("fork and join", roofs->barrier, "of all threads");
    else if (roofs->barrier > 0)
        print_time("hand-over", roofs->barrier, "between groups of a launch");
    else
        printf("  %-15s %9s          %s\n", "hand-over", "-",
               props->fence_device ? "too short to be measured"
                                   : "groups of this device cannot hand over");
    if (roofs->step > 0)
        print_time("step", roofs->step, "an exchange between work-items of a group");
    if (roofs->link_to_device > 0) {
        print_rate("link to device", roofs->link_to_device, "from pinned host memory");
        print_rate("link to host", roofs->link_to_host, "");
        print_time("link latency", roofs->link_latency, "8 bytes read back, with the wait");
    }
    print_products(outcome);
    print_points(roofs);
    roofline_draw(roofs);
    print_stored(outcome);
}

/* ---- As JSON ---- */

static void write_roofs(const gbl_device *device, const gbl_roofs *roofs,
                        const gbl_roofs_outcome *outcome)
{
    char text[256];
    json_open("roofs");
    json_text("device", device->info.name);
    gbl_device_class(device, text, sizeof text);
    json_text("class", text);
    json_text("source", gbl_roofs_source_name(roofs->source));
    json_number("busy", outcome->fresh.busy >= 0 ? outcome->fresh.busy : NAN);
    json_number("unsteady", outcome->fresh.unsteady >= 0 ? outcome->fresh.unsteady : NAN);
    json_bool("whole", outcome->whole);
    json_bool("stored", outcome->stored);
    json_number("copy_gbs", 1e-9 * roofs->copy);
    json_number("read_gbs", 1e-9 * roofs->read);
    json_number("write_gbs", 1e-9 * roofs->write);
    json_number("cache_gbs", 1e-9 * roofs->cache);
    json_integer("cache_bytes", (int64_t)roofs->cache_bytes);
    json_number("unit_gbs", 1e-9 * roofs->unit);
    json_open("gflops");
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        const char name[] = {gbl_dtype_letter((gbl_dtype)dtype), '\0'};
        json_number(name, 1e-9 * roofs->flops[dtype]);
    }
    json_close();
    json_number("matrix_gflops", 1e-9 * roofs->matrix_flops);
    json_number("tf32_gflops", 1e-9 * roofs->tf32_flops);
    json_number("launch_replay_usec", 1e6 * roofs->launch_replay);
    json_number("launch_single_usec", 1e6 * roofs->launch_single);
    json_number("latency_usec", 1e6 * roofs->latency);
    json_number("barrier_usec", 1e6 * roofs->barrier);
    json_number("step_usec", 1e6 * roofs->step);
    json_number("link_to_device_gbs", 1e-9 * roofs->link_to_device);
    json_number("link_to_host_gbs", 1e-9 * roofs->link_to_host);
    json_number("link_latency_usec", 1e6 * roofs->link_latency);
    json_open_list("products");
    for (int i = 0; i < outcome->product_count; i++) {
        const gbl_cpu_sample *const at = &outcome->products[i];
        const char prec[] = {gbl_dtype_letter(at->dtype), '\0'};
        json_open(NULL);
        json_text("library", at->words);
        json_integer("threads", at->threads);
        json_text("prec", prec);
        json_integer("n", llround(cbrt(at->multiply_adds)));
        json_number("gflops", 1e-9 * at->flops);
        json_close();
    }
    json_close();
    json_open_list("points");
    for (int i = 0; i < roofs->points; i++) {
        json_open(NULL);
        json_integer("bytes", (int64_t)roofs->point_bytes[i]);
        json_number("read_gbs", 1e-9 * roofs->point_read[i]);
        json_close();
    }
    json_close();
    json_close();
}

int info_roofs(const args_command *command, const char *device, bool again, bool as_json)
{
    static gbl_roofs_outcome outcome;
    gable_context *ctx = NULL;
    gbl_roofs roofs;
    fflush(stdout);
    gable_status status = gable_open(&ctx, device);
    if (status == GABLE_OK) {
        terminal_progress_start();
        status = gbl_roofs_measure(ctx, again, &roofs, &outcome, terminal_progress_now);
        terminal_progress_erase();
    }
    if (status != GABLE_OK) {
        if (as_json)
            json_close();
        args_fail(command, "%s", gable_message(ctx));
        gable_close(ctx);
        return EXIT_FAILED;
    }
    if (as_json)
        write_roofs(ctx->device, &roofs, &outcome);
    else
        print_roofs(ctx->device, &roofs, &outcome);
    gable_close(ctx);
    if (outcome.stored)
        return EXIT_DONE;
    if (as_json)
        json_close();
    return args_fail(command, "the roofs are not kept: %s", outcome.unstored);
}
