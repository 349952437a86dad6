/* test_roofs.c: roofs measured, stored, read back; where they come from; gable_calibrate.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "core/context.h"
#include "core/data_folder.h"
#include "core/kernel.h"
#include "harness/check.h"
#include "model/busy.h"
#include "model/roofs_private.h"

static char folder[] = "/tmp/gable-roofs-XXXXXX";
static char file[256];

static void write_file(const char *text, const char *mode)
{
    FILE *stream = fopen(file, mode);
    CHECK(stream != NULL, "%s cannot be opened", file);
    if (stream == NULL)
        return;
    fputs(text, stream);
    fclose(stream);
}

/* A device that no one has. */
static gbl_device known_device(const char *title, const char *arch, int units, double gib)
{
    gbl_device device = {.table = &gbl_cuda_table,
                         .props = {.is_gpu = true, .units = units, .fence_device = true}};
    snprintf(device.info.title, sizeof device.info.title, "%s", title);
    snprintf(device.info.arch, sizeof device.info.arch, "%s", arch);
    device.info.units = units;
    device.info.is_gpu = 1;
    device.info.memory_bytes = (uint64_t)(gib * 1073741824.0);
    device.props.memory_bytes = (size_t)device.info.memory_bytes;
    return device;
}

static void check_positive(const gbl_roofs *r)
{
    CHECK(r->copy > 0 && r->read > 0 && r->write > 0, "memory: %g %g %g", r->copy, r->read,
          r->write);
    CHECK(r->cache >= r->read, "cache %g, memory %g", r->cache, r->read);
    CHECK(r->unit > 0 && r->step >= 0, "unit %g, step %g", r->unit, r->step);
    CHECK(r->cache_bytes > 0, "cache of %g bytes", r->cache_bytes);
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
        CHECK(r->flops[dtype] > 0, "%c: %g flops", gbl_dtype_letter((gbl_dtype)dtype),
              r->flops[dtype]);
    CHECK(r->launch_replay > 0 && r->launch_single > 0, "launches: %g %g", r->launch_replay,
          r->launch_single);
    CHECK(r->latency > 0 && r->barrier >= 0, "latency %g, barrier %g", r->latency, r->barrier);
    CHECK(r->points > 0 && r->points <= GBL_ROOF_POINTS, "%d points", r->points);
    for (int i = 0; i < r->points; i++)
        CHECK(r->point_read[i] > 0 && (i == 0 || r->point_bytes[i] > r->point_bytes[i - 1]),
              "point %d: %g of %g bytes", i, r->point_read[i], r->point_bytes[i]);
}

static void classes(void)
{
    char text[256], other[256];
    test_case("device classes");
    gbl_device device = known_device("Some|\"GPU\\", "sm_99", 7, 15.8);
    gbl_device_class(&device, text, sizeof text);
    CHECK(strcmp(text, "cuda|Some  GPU |sm_99|7|16 GiB") == 0, "class %s", text);
    snprintf(device.info.driver, sizeof device.info.driver, "another");
    device.info.memory_bytes -= 100 << 20;
    gbl_device_class(&device, other, sizeof other);
    CHECK(strcmp(text, other) == 0, "another driver makes it %s", other);
    device.info.is_gpu = 0;
    gbl_device_class(&device, text, sizeof text);
    CHECK(strcmp(text, "cuda|Some  GPU |sm_99|7|") == 0, "of a CPU: %s", text);
}

static void sources(void)
{
    gbl_roofs roofs, built_in;
    char line[GBL_ROOFS_LINE_BYTES], name[256];
    test_case("guessed, built in, measured");
    gbl_device stranger = known_device("Stranger", "sm_99", 20, 8);
    gbl_roofs_forget();
    gbl_roofs_get(&stranger, &roofs);
    CHECK(roofs.source == GBL_ROOFS_GUESSED, "a stranger is %s",
          gbl_roofs_source_name(roofs.source));
    check_positive(&roofs);

    gbl_device h200 = known_device("NVIDIA H200", "sm_90a", 132, 139.8);
    gbl_roofs_get(&h200, &built_in);
    CHECK(built_in.source == GBL_ROOFS_BUILT_IN, "an H200 is %s",
          gbl_roofs_source_name(built_in.source));
    check_positive(&built_in);
    CHECK(built_in.read > 3e12 && built_in.read < 5e12, "an H200 reads %g", built_in.read);
    h200.info.units = h200.props.units = 16; /* a slice of one */
    gbl_roofs_get(&h200, &roofs);
    CHECK(roofs.source == GBL_ROOFS_GUESSED, "a slice of an H200 is %s",
          gbl_roofs_source_name(roofs.source));

    /* A stored line counts more than the table, the last one more than the first. */
    h200.info.units = h200.props.units = 132;
    gbl_device_class(&h200, name, sizeof name);
    built_in.read = 3.25e12;
    CHECK(gbl_roofs_write(&built_in, name, line, sizeof line), "no room for a line");
    write_file(line, "w");
    built_in.read = 3.5e12;
    CHECK(gbl_roofs_write(&built_in, name, line, sizeof line), "no room for a line");
    write_file(line, "a");
    gbl_roofs_get(&h200, &roofs);
    CHECK(roofs.source == GBL_ROOFS_BUILT_IN, "the file is read again without need");
    gbl_roofs_forget();
    gbl_roofs_get(&h200, &roofs);
    CHECK(roofs.source == GBL_ROOFS_MEASURED && roofs.read == 3.5e12, "%s, %g",
          gbl_roofs_source_name(roofs.source), roofs.read);
}

/* The last good line stays the answer, whatever follows it. */
static void damaged(void)
{
    char line[GBL_ROOFS_LINE_BYTES], name[256], part[GBL_ROOFS_LINE_BYTES];
    gbl_roofs roofs;
    gbl_device device = known_device("NVIDIA H200", "sm_90a", 132, 139.8);
    gbl_device_class(&device, name, sizeof name);
    gbl_roofs_forget();
    gbl_roofs_get(&device, &roofs);
    roofs.read = 2.5e12;
    CHECK(gbl_roofs_write(&roofs, name, line, sizeof line), "no room for a line");
    CHECK(!gbl_roofs_write(&roofs, name, part, 100), "a line in 100 bytes");
    roofs.read = -1;
    char bad[GBL_ROOFS_LINE_BYTES];
    CHECK(gbl_roofs_write(&roofs, name, bad, sizeof bad), "no room for a line");
    const char *const tails[] = {"not JSON\n", "{\"device\":\"", bad, "\n\n", "{}\n"};
    for (size_t i = 0; i <= sizeof tails / sizeof tails[0]; i++) {
        test_case("damaged line %zu", i);
        write_file(line, "w");
        if (i < sizeof tails / sizeof tails[0]) {
            write_file(tails[i], "a");
        } else { /* cut short */
            snprintf(part, sizeof part, "%.200s", line);
            write_file(part, "a");
        }
        gbl_roofs_forget();
        gbl_roofs_get(&device, &roofs);
        CHECK(roofs.source == GBL_ROOFS_MEASURED && roofs.read == 2.5e12, "%s, read %g",
              gbl_roofs_source_name(roofs.source), roofs.read);
    }
    write_file(bad, "w");
    gbl_roofs_forget();
    gbl_roofs_get(&device, &roofs);
    CHECK(roofs.source == GBL_ROOFS_BUILT_IN, "bad lines alone give %s",
          gbl_roofs_source_name(roofs.source));
}

/* Lines that were written before there was a rate in TF32 are good. */
static void older_lines(void)
{
    char line[GBL_ROOFS_LINE_BYTES];
    gbl_roofs roofs, again;
    gbl_device device = known_device("NVIDIA H200", "sm_90a", 132, 139.8);
    test_case("a line without tf32_flops");
    remove(file);
    gbl_roofs_forget();
    gbl_roofs_get(&device, &roofs);
    roofs.tf32_flops = 4.5e14;
    CHECK(gbl_roofs_write(&roofs, "x", line, sizeof line), "no room for a line");
    CHECK(gbl_roofs_read(line, GBL_ROOFS_MEASURED, &again) && again.tf32_flops == 4.5e14,
          "%g is read back", again.tf32_flops);
    CHECK(gbl_roofs_product_flops(&again, GBL_S, GABLE_MATH_TF32X3) == 1.5e14 &&
              gbl_roofs_product_flops(&again, GBL_S, GABLE_MATH_PLAIN) == again.flops[GBL_S] &&
              gbl_roofs_product_flops(&again, GBL_C, GABLE_MATH_TF32X3) == again.flops[GBL_C] &&
              gbl_roofs_product_flops(&again, GBL_D, GABLE_MATH_TF32X3) == again.matrix_flops,
          "rates of products");
    char *at = strstr(line, ",\"tf32_flops\":");
    CHECK(at != NULL, "the line has no tf32_flops");
    if (at == NULL)
        return;
    char *behind = strchr(at + 1, ',');
    memmove(at, behind, strlen(behind) + 1);
    CHECK(gbl_roofs_read(line, GBL_ROOFS_MEASURED, &again) && again.tf32_flops == 0 &&
              again.launch_replay == roofs.launch_replay,
          "an older line is not read");
}

/* What counts when a device is measured a second time. */
static void better(void)
{
    gbl_device device = known_device("NVIDIA H200", "sm_90a", 132, 139.8);
    gbl_roofs quiet, now;
    char text[GBL_ROOFS_TEXT_BYTES];
    test_case("which measurement counts");
    device.props.cache_bytes = (size_t)60 << 20;
    remove(file);
    gbl_roofs_forget();
    gbl_roofs_get(&device, &quiet);
    quiet.source = GBL_ROOFS_MEASURED;
    quiet.busy = 0.01;
    quiet.unsteady = 0.02;
    CHECK(gbl_roofs_disturbed(&quiet) == 0.02, "disturbed by %g", gbl_roofs_disturbed(&quiet));
    gbl_roofs slow = quiet; /* all rates a quarter, launches three times as long */
    slow.busy = 0.6;
    slow.copy /= 4, slow.read /= 4, slow.write /= 4, slow.cache /= 4;
    for (int i = 0; i < slow.points; i++)
        slow.point_read[i] /= 4;
    slow.launch_replay *= 3;

    now = quiet;
    CHECK(gbl_roofs_better(&device.props, &slow, &now) && memcmp(&now, &quiet, sizeof now) == 0,
          "what was measured on a busy machine stays");
    now = slow;
    CHECK(!gbl_roofs_better(&device.props, &quiet, &now), "a busy machine's figures count");
    CHECK(now.read == quiet.read && now.copy == quiet.copy && now.write == quiet.write &&
              now.launch_replay == quiet.launch_replay && now.busy == quiet.busy &&
              now.cache == quiet.cache && now.point_read[3] == quiet.point_read[3],
          "read %g, launch %g, busy %g, cache %g", now.read, now.launch_replay, now.busy,
          now.cache);
    now = slow;
    now.launch_replay = quiet.launch_replay / 2;
    now.barrier = 0;
    CHECK(!gbl_roofs_better(&device.props, &quiet, &now) &&
              now.launch_replay == quiet.launch_replay / 2 && now.barrier == 0,
          "a better figure is lost: launch %g", now.launch_replay);
    now = slow;
    now.busy = quiet.busy; /* neighbours that nobody sees */
    CHECK(!gbl_roofs_better(&device.props, &quiet, &now) && now.read == quiet.read,
          "a quarter of the bandwidth replaces the whole");
    now = quiet;
    now.read *= 0.97;
    CHECK(gbl_roofs_better(&device.props, &quiet, &now) && now.read == 0.97 * quiet.read,
          "the newer of two that are alike does not count: %g", now.read);
    gbl_roofs older = slow; /* by a version that did not look */
    older.busy = older.unsteady = -1;
    CHECK(gbl_roofs_disturbed(&older) == 1, "disturbed by %g", gbl_roofs_disturbed(&older));
    now = slow;
    CHECK(gbl_roofs_better(&device.props, &older, &now), "a line that says nothing stays");
    gbl_roofs_circumstances(&quiet, text);
    CHECK(strstr(text, "1 %") != NULL && strstr(text, "2 %") != NULL, "%s", text);
}

/* The stored line of a device as it would be on a machine so many times as fast. */
static void store_times(const gbl_device *device, const gbl_roofs *as, double times, double busy)
{
    char name[256], line[GBL_ROOFS_LINE_BYTES];
    gbl_roofs roofs = *as;
    roofs.read *= times, roofs.copy *= times, roofs.write *= times;
    roofs.busy = busy;
    roofs.unsteady = 0;
    gbl_device_class(device, name, sizeof name);
    CHECK(gbl_roofs_write(&roofs, name, line, sizeof line), "no room for a line");
    write_file(line, "w");
    gbl_roofs_forget();
}

/* Measured again: what other programs spoiled goes, what was better stays unless it is given up. */
static void measured_again(gable_context *ctx)
{
    gbl_roofs first, roofs, kept;
    gbl_roofs_outcome outcome;
    struct stat before, after;
    test_case("measured again on %s", ctx->device->info.name);
    gbl_roofs_get(ctx->device, &first);
    store_times(ctx->device, &first, 0.01, 1);
    CHECK(stat(file, &before) == 0, "no file");
    CHECK_OK(ctx, gable_calibrate(ctx));
    CHECK(stat(file, &after) == 0 && after.st_size > before.st_size, "nothing was stored");
    gbl_roofs_forget();
    gbl_roofs_get(ctx->device, &kept);
    CHECK(kept.read > 0.05 * first.read && kept.busy < 1, "read stays at %g, busy at %g", kept.read,
          kept.busy);
    if (!ctx->device->props.is_host)
        return; /* it measures for seconds: once is enough */
    store_times(ctx->device, &first, 100, 0);
    CHECK_OK(ctx, gbl_roofs_measure(ctx, false, &roofs, &outcome, NULL));
    CHECK(!outcome.whole && outcome.stored && roofs.read == 100 * first.read &&
              outcome.fresh.read < 20 * first.read,
          "read is %g, measured %g", roofs.read, outcome.fresh.read);
    CHECK_OK(ctx, gbl_roofs_measure(ctx, true, &roofs, &outcome, NULL));
    gbl_roofs_forget();
    gbl_roofs_get(ctx->device, &kept);
    CHECK(outcome.whole && kept.read == outcome.fresh.read && kept.read < 20 * first.read,
          "what was given up stays: read is %g", kept.read);
}

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Time of this process is not that of others; time of a child is. */
static void busy(void)
{
    const gbl_busy start = {.now = 10, .own = 1, .all = 4, .these = 1};
    gbl_busy end = {.now = 20,
                    .own = 6,
                    .all = 4,
                    .these = 1,
                    .all_busy = 600,
                    .all_ticks = 4000,
                    .these_busy = 550,
                    .these_ticks = 1000};
    test_case("how busy the processors are");
    CHECK(fabs(gbl_busy_between(&start, &end) - 0.05) < 1e-12, "of its own processor: %g",
          gbl_busy_between(&start, &end));
    end.all_busy = 2500;
    CHECK(fabs(gbl_busy_between(&start, &end) - 0.5) < 1e-12, "of all: %g",
          gbl_busy_between(&start, &end));
    end.all = 5;
    CHECK(gbl_busy_between(&start, &end) == -1, "processors that came and went");

    gbl_busy before, after;
    gbl_busy_look(&before);
    const pid_t child = fork();
    if (child == 0) {
        while (cpu_seconds() < 0.4)
            continue;
        _exit(0);
    }
    waitpid(child, NULL, 0);
    gbl_busy_look(&after);
    const double others = gbl_busy_between(&before, &after);
    if (others < 0) {
        test_leave_out(NULL, "the system does not tell how busy processors are");
        return;
    }
    const double least = 0.2 / (after.now - before.now) / after.all;
    CHECK(others > least && others <= 1, "a child's 0.4 s on %d processors are %g, least %g",
          after.all, others, least);
}

static double last_done;
static int steps;

static void progress(const char *text, double done)
{
    CHECK(text[0] != '\0' && done >= last_done && done < 1, "\"%s\" at %g after %g", text, done,
          last_done);
    last_done = done;
    steps++;
}

static void measured(gable_context *ctx)
{
    const gbl_props *props = &ctx->device->props;
    gbl_roofs first, again;
    test_case("measured on %s", ctx->device->info.name);
    remove(file);
    gbl_roofs_forget();
    memset(&first, 0, sizeof first);
    memset(&again, 0, sizeof again);
    if (!CHECK_OK(ctx, gbl_roofs_measure(ctx, true, &first, NULL, progress)))
        return;
    CHECK(steps > 3, "progress is told %d times", steps);
    CHECK(first.source == GBL_ROOFS_MEASURED, "source %d", (int)first.source);
    check_positive(&first);
    double fastest = 0;
    for (int i = 0; i < first.points; i++)
        fastest = first.point_read[i] > fastest ? first.point_read[i] : fastest;
    CHECK(fastest >= 0.8 * first.read, "no set is read faster than %g, memory at %g", fastest,
          first.read);
    CHECK(first.flops[GBL_C] == first.flops[GBL_S], "c %g, s %g", first.flops[GBL_C],
          first.flops[GBL_S]);
    CHECK(first.latency < 1e-4, "a load takes %g s", first.latency);
    if (props->is_host)
        CHECK(first.link_to_device == 0 && first.link_to_host == 0 && first.link_latency == 0,
              "the cpu has a link: %g", first.link_to_device);
    else
        CHECK(first.link_to_device > 0 && first.link_to_host > 0 && first.link_latency > 0,
              "no link: %g %g %g", first.link_to_device, first.link_to_host, first.link_latency);
    if (!props->fence_device && !props->is_host)
        CHECK(first.barrier == 0, "groups that cannot hand over do in %g s", first.barrier);

    /* Kept by the process, and by the file for another. */
    gbl_roofs_get(ctx->device, &again);
    CHECK(memcmp(&first, &again, sizeof first) == 0, "what was measured is not kept");
    gbl_roofs_forget();
    memset(&again, 0, sizeof again);
    gbl_roofs_get(ctx->device, &again);
    CHECK(memcmp(&first, &again, sizeof first) == 0, "what was stored is read as something else");
}

/* A device whose kernels take fewer work-items per group than the device says, as NVIDIA's OpenCL:
 * a GPU to the library, PoCL in truth, which refuses larger groups by the kernel's limit. */
enum { KERNEL_LIMIT = 128 };

static gable_status build_limited(gbl_device *device, const char *source, const char *const *macros,
                                  const char *entry, gbl_code **code, gbl_message *message)
{
    TRY(gbl_opencl_table.build(device, source, macros, entry, code, message));
    if ((*code)->max_group > KERNEL_LIMIT)
        (*code)->max_group = KERNEL_LIMIT;
    return GABLE_OK;
}

static void limited(gable_context *ctx)
{
    gbl_device_table table = gbl_opencl_table;
    const gbl_props props = ctx->device->props;
    test_case("kernels that take %d work-items", KERNEL_LIMIT);
    if (ctx->device->table != &gbl_opencl_table || props.max_group < 1024) {
        test_leave_out(NULL, "%s is no OpenCL device with groups of 1024", ctx->device->info.name);
        return;
    }
    gbl_kernels_forget(ctx->device);
    table.build = build_limited;
    ctx->device->table = &table;
    ctx->device->props.is_gpu = true;
    ctx->device->props.disk_cache = false;
    CHECK_OK(ctx, gbl_roofs_launch_all(ctx));
    CHECK_OK(ctx, gable_sync(ctx));
    gbl_kernels_forget(ctx->device);
    ctx->device->table = &gbl_opencl_table;
    ctx->device->props = props;
}

static void calibrate(gable_context *ctx)
{
    struct stat before, after;
    char nowhere[300];
    gbl_roofs roofs;
    test_case("gable_calibrate");
    CHECK_STATUS(NULL, gable_calibrate(NULL), GABLE_BAD_ARGUMENT);
    CHECK_OK(ctx, gable_record_begin(ctx));
    CHECK(stat(file, &before) == 0, "no file");
    CHECK_REFUSED(ctx, gable_calibrate(ctx), GABLE_NOT_RECORDABLE, "gable_calibrate", "measure");
    CHECK_OK(ctx, gable_record_end(ctx, NULL));
    CHECK(stat(file, &after) == 0 && after.st_size == before.st_size, "a refused call stored");
    if (!ctx->device->props.is_host)
        return; /* it measures for seconds: once is enough */
    /* A folder that cannot be made is no error. */
    snprintf(nowhere, sizeof nowhere, "%s/gable/roofs.jsonl", folder);
    setenv("XDG_DATA_HOME", nowhere, 1);
    gbl_roofs_forget();
    CHECK_OK(ctx, gable_calibrate(ctx));
    gbl_roofs_get(ctx->device, &roofs);
    CHECK(roofs.source == GBL_ROOFS_MEASURED, "forgotten: %s", gbl_roofs_source_name(roofs.source));
    setenv("XDG_DATA_HOME", folder, 1);
}

int main(void)
{
    char path[512];
    test_start("test_roofs");
    if (mkdtemp(folder) == NULL)
        test_skip(NULL, "no folder %s can be made", folder);
    setenv("XDG_DATA_HOME", folder, 1);
    snprintf(file, sizeof file, "%s/gable/roofs.jsonl", folder);
    CHECK(gbl_data_path("roofs.jsonl", path, sizeof path) && strcmp(path, file) == 0, "%s", path);
    CHECK(gbl_data_make_folders(file), "no folders for %s", file);
    gable_context *ctx = test_open();
    classes();
    sources();
    damaged();
    older_lines();
    better();
    busy();
    measured(ctx);
    measured_again(ctx);
    calibrate(ctx);
    limited(ctx);
    gable_close(ctx);
    remove(file);
    snprintf(path, sizeof path, "%s/gable", folder);
    rmdir(path);
    rmdir(folder);
    return test_finish();
}
