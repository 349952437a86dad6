/* info.c: `gable info`: devices, libraries, caches, and on request the measured roofs.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "core/context.h"
#include "core/disk_cache.h"
#include "device/cpu_blas.h"
#include "device/cpu_lapack.h"
#include "device/cublas.h"
#include "device/nvrtc.h"
#include "gable/args.h"
#include "gable/command.h"
#include "info_roofs.h"
#include "info_tuning.h"
#include "gable/json.h"
#include "gable/plural.h"

static bool asked_json, asked_roofs, asked_again;
static const char *asked_device;

static const args_option options[] = {
    {.name = "--roofs",
     .help = "also measures what a device can do, stores it and shows it:\n"
             "bandwidth of memory and cache, arithmetic, launches, hand-overs, the\n"
             "host link, and a roofline (some seconds)",
     .flag = &asked_roofs},
    {.name = "--again",
     .help = "with --roofs: what was measured before no longer counts. Without it the\n"
             "better figures of both count where the machine is busier now",
     .flag = &asked_again,
     .with = "--roofs"},
    {.name = "--device",
     .value = "D",
     .help = "the device for --roofs: cpu, cuda:0, opencl:0, opencl:pocl ...",
     .text = &asked_device,
     .with = "--roofs"},
    {.name = "--json", .help = "one JSON object on one line", .flag = &asked_json},
};
const args_command info_args = {
    .name = "info",
    .summary = "devices, the libraries that were found, where caches live",
    .usage = "[options]",
    .about = "Shows the devices of this machine, usable or not and why, the libraries that were\n"
             "found, where compiled kernels are kept and what choices are based on: the tuning\n"
             "database and the built-in table.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable info\n"
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
    printf("%s: %d unit%s, %.1f GiB memory, ", info->title, info->units, PLURAL(info->units),
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
    if (gbl_cpu_lapack_get() != NULL)
        snprintf(text, sizeof text, "%s", gbl_cpu_lapack_name());
    else
        snprintf(text, sizeof text, "not found: %.1900s", gbl_cpu_lapack_reason());
    show_library("lapack", "LAPACK", strncmp(text, "LAPACK ", 7) == 0 ? text + 7 : text);
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
    char why[GBL_TRUST_BYTES];
    const bool used = gbl_disk_cache_usable(why);
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
        printf("\ncaches\n  %-12s %s (%d file%s, %.1f of at most %.0f MiB)\n", "kernels", folder,
               files, PLURAL(files), (double)bytes / MIB, (double)GBL_DISK_CACHE_LIMIT / MIB);
        if (!used)
            printf("  %-12s not used: %s\n", "", why);
        return;
    }
    json_open("kernel_cache");
    json_text("folder", folder);
    json_integer("files", files);
    json_integer("bytes", bytes);
    json_integer("limit_bytes", GBL_DISK_CACHE_LIMIT);
    if (!used)
        json_text("not_used", why);
    json_close();
}

int info_command(int argc, char **argv)
{
    args_words words;
    const int parsed = args_parse(&info_args, argc, argv, &words);
    if (parsed != EXIT_DONE)
        return parsed < 0 ? EXIT_DONE : parsed;
    if (words.count > 0)
        return args_refuse(&info_args, "takes no names, but got \"%s\"", words.word[0]);

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
    info_tuning(asked_json, asked_device);
    const int code =
        asked_roofs ? info_roofs(&info_args, asked_device, asked_again, asked_json) : EXIT_DONE;
    if (asked_json && code == EXIT_DONE)
        json_close();
    return code;
}
