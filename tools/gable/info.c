/* info.c: `gable info`: devices, libraries, caches, and on request the measured roofs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "bench.h"
#include "core/context.h"
#include "core/disk_cache.h"
#include "device/cpu_blas.h"
#include "device/cublas.h"
#include "device/nvrtc.h"
#include "args.h"
#include "command.h"
#include "json.h"
#include "terminal.h"

static bool asked_json, asked_roofs;
static const char *asked_device;

static const args_option options[] = {
    {"--roofs", NULL,
     "also measures what a device can do: bandwidth of a large copy and\n"
     "read, and the cost of a launch (some seconds)",
     NULL, &asked_roofs},
    {"--device", "D", "the device for --roofs: cpu, cuda:0, opencl:0, opencl:pocl ...",
     &asked_device, NULL},
    {"--json", NULL, "one JSON object on one line", NULL, &asked_json},
};
const args_command info_args = {
    "info",
    "devices, the libraries that were found, where caches live",
    "[options]",
    "Shows the devices of this machine, usable or not and why, the libraries that were\n"
    "found and where compiled kernels are kept.",
    options,
    sizeof options / sizeof options[0],
    "  gable info\n"
    "  gable info --roofs --device cpu\n",
};

#define GIB 1073741824.0
#define MIB 1048576.0

/* ---- Devices ---- */

static void print_device(const gable_device_info *info)
{
    printf("  %-10s ", info->name);
    if (!info->usable) {
        printf("not usable: %s%s%s\n", strcmp(info->title, "(none)") == 0 ? "" : info->title,
               strcmp(info->title, "(none)") == 0 ? "" : ": ", info->reason);
        return;
    }
    printf("%s: %d units, %.1f GiB memory, ", info->title, info->units,
           (double)info->memory_bytes / GIB);
    if (info->cache_bytes > 0)
        printf("%.0f MiB cache", (double)info->cache_bytes / MIB);
    else
        printf("cache unknown");
    printf("%s%s\n  %-10s %s%s%s\n", info->arch[0] ? ", " : "", info->arch, "", info->driver,
           info->compiler[0] ? "; kernels by " : "", info->compiler);
}

static void write_device(const gable_device_info *info)
{
    json_open(NULL);
    json_text("name", info->name);
    json_text("title", info->title);
    json_bool("usable", info->usable != 0);
    if (info->reason[0] != '\0')
        json_text("reason", info->reason);
    json_text("driver", info->driver);
    json_text("compiler", info->compiler);
    json_text("arch", info->arch);
    json_bool("gpu", info->is_gpu != 0);
    json_integer("units", info->units);
    json_integer("memory_bytes", (int64_t)info->memory_bytes);
    json_integer("cache_bytes", (int64_t)info->cache_bytes);
    json_close();
}

static void show_devices(void)
{
    if (asked_json)
        json_open_list("devices");
    else
        printf("devices\n");
    for (int i = 0; i < gable_device_count(); i++) {
        gable_device_info info;
        if (gable_device_describe(i, &info) != GABLE_OK)
            continue;
        if (asked_json)
            write_device(&info);
        else
            print_device(&info);
    }
    if (asked_json)
        json_close();
}

/* ---- Libraries and caches ---- */

static void show_library(const char *key, const char *title, const char *text)
{
    if (asked_json)
        json_text(key, text);
    else
        printf("  %-12s %s\n", title, text);
}

/* The drivers of the devices of one kind, each once. */
static void drivers_of(const char *kind, char *text, size_t text_bytes)
{
    text[0] = '\0';
    for (int i = 0; i < gable_device_count(); i++) {
        gable_device_info info;
        const size_t used = strlen(text), length = strlen(kind);
        if (gable_device_describe(i, &info) != GABLE_OK || strncmp(info.name, kind, length) != 0)
            continue;
        if (info.driver[0] != '\0' && strstr(text, info.driver) == NULL)
            snprintf(text + used, text_bytes - used, "%s%s", used > 0 ? "; " : "", info.driver);
    }
    if (text[0] == '\0')
        snprintf(text, text_bytes, "not found; the list of devices says why");
}

static void show_libraries(void)
{
    char text[2048];
    gbl_message why = {NULL, ""};
    int major, minor;
    if (asked_json)
        json_open("libraries");
    else
        printf("\nlibraries\n");
    drivers_of("cuda", text, sizeof text);
    show_library("cuda", "CUDA driver", text);
    if (gbl_nvrtc_version(&major, &minor, &why) == GABLE_OK)
        snprintf(text, sizeof text, "%d.%d (%s)", major, minor, gbl_nvrtc_path());
    else
        snprintf(text, sizeof text, "not found: %.1900s", why.text);
    show_library("nvrtc", "NVRTC", text);
    if (gbl_cublas_describe(text, sizeof text, &why) != GABLE_OK)
        snprintf(text, sizeof text, "not found: %.1900s", why.text);
    show_library("cublas", "cuBLAS", strncmp(text, "cuBLAS ", 7) == 0 ? text + 7 : text);
    drivers_of("opencl", text, sizeof text);
    show_library("opencl", "OpenCL", text);
    if (gbl_cpu_blas_get() != NULL)
        snprintf(text, sizeof text, "%s", gbl_cpu_blas_name());
    else
        snprintf(text, sizeof text, "not found: %.1900s", gbl_cpu_blas_reason());
    show_library("blas", "BLAS", text);
    if (asked_json)
        json_close();
}

static void show_cache(void)
{
    char folder[1024], path[2048];
    int files = 0;
    long long bytes = 0;
    if (!gbl_disk_cache_folder(folder, sizeof folder)) {
        if (!asked_json)
            printf("\ncaches\n  kernels      none: neither XDG_CACHE_HOME nor HOME is set\n");
        return;
    }
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
        struct stat about;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) {
            files++;
            bytes += (long long)about.st_size;
        }
    }
    if (stream != NULL)
        closedir(stream);
    if (!asked_json) {
        printf("\ncaches\n  %-12s %s (%d files, %.1f of at most %.0f MiB)\n", "kernels", folder,
               files, (double)bytes / MIB, (double)GBL_DISK_CACHE_LIMIT / MIB);
        return;
    }
    json_open("kernel_cache");
    json_text("folder", folder);
    json_integer("files", files);
    json_integer("bytes", bytes);
    json_integer("limit_bytes", GBL_DISK_CACHE_LIMIT);
    json_close();
}

/* ---- Roofs ---- */

static int show_roofs(void)
{
    gable_context *ctx = NULL;
    bench_roofs roofs;
    fflush(stdout);
    gable_status status = gable_open(&ctx, asked_device);
    if (status == GABLE_OK) {
        terminal_progress_start();
        status = bench_measure_roofs(ctx, &roofs, terminal_progress_now);
        terminal_progress_erase();
    }
    if (status != GABLE_OK) {
        if (asked_json)
            json_close();
        args_fail(&info_args, "%s", gable_message(ctx));
        gable_close(ctx);
        return EXIT_FAILED;
    }
    if (asked_json) {
        json_open("roofs");
        json_text("device", ctx->device->info.name);
        json_number("copy_gbs", 1e-9 * roofs.copy_bytes_a_second);
        json_number("read_gbs", 1e-9 * roofs.read_bytes_a_second);
        json_integer("working_bytes", (int64_t)roofs.working_bytes);
        json_number("launch_replay_usec", 1e6 * roofs.replay_seconds);
        json_number("launch_single_usec", 1e6 * roofs.single_seconds);
        json_close();
    } else {
        printf("\nroofs of %s, measured now with random data\n", ctx->device->info.name);
        printf("  copy   %10.1f GB/s   read plus written, %.0f MiB moved by each copy\n",
               1e-9 * roofs.copy_bytes_a_second, (double)roofs.working_bytes / MIB);
        printf("  read   %10.1f GB/s   %.0f MiB read by each run\n",
               1e-9 * roofs.read_bytes_a_second, (double)roofs.working_bytes / MIB);
        printf("  launch %10.2f us     smallest call in a recording\n", 1e6 * roofs.replay_seconds);
        printf("  launch %10.2f us     smallest call alone on an idle queue\n",
               1e6 * roofs.single_seconds);
    }
    gable_close(ctx);
    return EXIT_DONE;
}

int info_command(int argc, char **argv)
{
    args_words words;
    const int parsed = args_parse(&info_args, argc, argv, &words);
    if (parsed != EXIT_DONE)
        return parsed < 0 ? EXIT_DONE : parsed;
    if (words.count > 0)
        return args_refuse(&info_args, "takes no names, but got \"%s\"", words.word[0]);
    if (asked_device != NULL && !asked_roofs)
        return args_refuse(&info_args, "--device goes with --roofs");

    if (asked_json) {
        json_open(NULL);
        json_text("version", gable_version());
        json_text("commit", command_commit());
    } else {
        printf("gable %s\n\n", command_version());
    }
    show_devices();
    show_libraries();
    show_cache();
    const int code = asked_roofs ? show_roofs() : EXIT_DONE;
    if (asked_json && code == EXIT_DONE)
        json_close();
    return code;
}
