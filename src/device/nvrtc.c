/* nvrtc.c: NVIDIA's run-time compiler: loading it, compiling, reading its report.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * NVRTC opens its library of built-ins by bare name and finds it only on the loader's path, not
 * beside itself. So the built-ins of the same version are opened here by full path first: the
 * loader then knows the name. Programs are free of headers, so no include folders are needed.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
#include "device/cuda_find.h"
#include "device/dynlib.h"
#include "device/fork_guard.h"
#include "device/nvrtc.h"

#define OLDEST_MAJOR   11
#define OLDEST_MINOR   2
#define MAX_OPTIONS    128
#define INVALID_OPTION 5

typedef struct nvrtc_program nvrtc_program;

static struct {
    int (*version)(int *major, int *minor);
    const char *(*error_text)(int result);
    int (*arch_count)(int *count);
    int (*archs)(int *list);
    int (*create)(nvrtc_program **program, const char *source, const char *name, int header_count,
                  const char *const *headers, const char *const *header_names);
    int (*destroy)(nvrtc_program **program);
    int (*compile)(nvrtc_program *program, int option_count, const char *const *options);
    int (*log_bytes)(nvrtc_program *program, size_t *bytes);
    int (*log)(nvrtc_program *program, char *text);
    int (*cubin_bytes)(nvrtc_program *program, size_t *bytes);
    int (*cubin)(nvrtc_program *program, char *image);
    int (*ptx_bytes)(nvrtc_program *program, size_t *bytes);
    int (*ptx)(nvrtc_program *program, char *text);
} api;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
GBL_FORK_GUARD(.lock = &lock)
static struct {
    bool tried;
    gable_status status;
    int major, minor;
    int prefer_major;
    char path[GBL_CUDA_PATH_BYTES];
    gbl_message why;
} kept = {.prefer_major = INT_MAX};

/* ---- loading ---- */

static bool load_symbols(void *library)
{
    const gbl_symbol symbols[] = {
        {.name = "nvrtcVersion", .slot = &api.version},
        {.name = "nvrtcGetErrorString", .slot = &api.error_text},
        {.name = "nvrtcGetNumSupportedArchs", .slot = &api.arch_count},
        {.name = "nvrtcGetSupportedArchs", .slot = &api.archs},
        {.name = "nvrtcCreateProgram", .slot = &api.create},
        {.name = "nvrtcDestroyProgram", .slot = &api.destroy},
        {.name = "nvrtcCompileProgram", .slot = &api.compile},
        {.name = "nvrtcGetProgramLogSize", .slot = &api.log_bytes},
        {.name = "nvrtcGetProgramLog", .slot = &api.log},
        {.name = "nvrtcGetCUBINSize", .slot = &api.cubin_bytes},
        {.name = "nvrtcGetCUBIN", .slot = &api.cubin},
        {.name = "nvrtcGetPTXSize", .slot = &api.ptx_bytes},
        {.name = "nvrtcGetPTX", .slot = &api.ptx},
    };
    return gbl_dynlib_load(library, symbols, sizeof symbols / sizeof symbols[0]) == NULL;
}

/* user: the newest major allowed. */
static bool judge_library(void *library, const char *path, void *user)
{
    int major = 0, minor = 0;
    (void)path;
    return load_symbols(library) && api.version(&major, &minor) == 0 &&
           (major > OLDEST_MAJOR || (major == OLDEST_MAJOR && minor >= OLDEST_MINOR)) &&
           major <= *(int *)user;
}

static void open_builtins(void)
{
    char file[GBL_CUDA_PATH_BYTES + 64];
    const char *slash = strrchr(kept.path, '/');
    if (slash == NULL)
        return;
    snprintf(file, sizeof file, "%.*s/libnvrtc-builtins.so.%d.%d", (int)(slash - kept.path),
             kept.path, kept.major, kept.minor);
    /* Kept open. Where it lies elsewhere, the loader may still find it by name. */
    gbl_dynlib_open(file, false, NULL);
}

static gable_status load_locked(gbl_message *message)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                        "libnvrtc.so", NULL};
    static const gbl_cuda_wanted wanted = {
        .title = "NVRTC (libnvrtc, 11.2 or newer)",
        .variable = "GABLE_NVRTC",
        .names = names,
        .pip_folder = "cuda_nvrtc",
        .cure = "install the CUDA toolkit's NVRTC, or `pip install nvidia-cuda-nvrtc` (-cu12 for a "
                "driver of CUDA 12), or set GABLE_NVRTC to the path of libnvrtc.so"};
    void *library;
    int newest = kept.prefer_major;
    gable_status status =
        gbl_cuda_find(&wanted, judge_library, &newest, &library, kept.path, message);
    if (status != GABLE_OK && newest != INT_MAX) {
        newest = INT_MAX;
        status = gbl_cuda_find(&wanted, judge_library, &newest, &library, kept.path, message);
    }
    if (status != GABLE_OK)
        return status;
    api.version(&kept.major, &kept.minor);
    open_builtins();
    return GABLE_OK;
}

static gable_status load(gbl_message *message)
{
    pthread_mutex_lock(&lock);
    if (!kept.tried) {
        kept.status = load_locked(&kept.why);
        kept.tried = true;
    }
    pthread_mutex_unlock(&lock);
    if (kept.status != GABLE_OK)
        return gbl_fail(message, kept.status, "%s", kept.why.text);
    return GABLE_OK;
}

void gbl_nvrtc_prefer_major(int major)
{
    pthread_mutex_lock(&lock);
    kept.prefer_major = major;
    pthread_mutex_unlock(&lock);
}

gable_status gbl_nvrtc_version(int *major, int *minor, gbl_message *message)
{
    *major = *minor = 0;
    TRY(load(message));
    *major = kept.major;
    *minor = kept.minor;
    return GABLE_OK;
}

const char *gbl_nvrtc_path(void)
{
    pthread_mutex_lock(&lock);
    const bool there = kept.tried && kept.status == GABLE_OK;
    pthread_mutex_unlock(&lock);
    return there ? kept.path : "";
}

/* ---- architectures ---- */

/* Whether NVRTC takes an architecture: it refuses an unknown one before it reads the program. */
static bool knows(const char *arch)
{
    nvrtc_program *program;
    char option[64];
    const char *const options[] = {option};
    if (api.create(&program, "", "probe.cu", 0, NULL, NULL) != 0)
        return false;
    snprintf(option, sizeof option, "--gpu-architecture=%s", arch);
    const int result = api.compile(program, 1, options);
    api.destroy(&program);
    return result == 0;
}

gable_status gbl_nvrtc_target(int major, int minor, char *arch, gbl_message *message)
{
    const int device = 10 * major + minor;
    int count = 0, best = 0, oldest = INT_MAX;
    TRY(load(message));
    if (api.arch_count(&count) != 0 || count <= 0)
        return gbl_fail(message, GABLE_NO_DEVICE, "NVRTC %d.%d names no architectures (%s)",
                        kept.major, kept.minor, kept.path);
    int *list = calloc((size_t)count, sizeof *list);
    if (list == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory");
    api.archs(list);
    for (int i = 0; i < count; i++) {
        if (list[i] <= device && list[i] > best)
            best = list[i];
        if (list[i] < oldest)
            oldest = list[i];
    }
    free(list);
    if (best == 0)
        return gbl_fail(
            message, GABLE_NO_DEVICE,
            "the GPU has compute capability %d.%d and NVRTC %d.%d compiles for %d.%d and "
            "newer; set GABLE_NVRTC to the path of an older libnvrtc",
            major, minor, kept.major, kept.minor, oldest / 10, oldest % 10);
    if (best != device) {
        snprintf(arch, GBL_NVRTC_ARCH_BYTES, "compute_%d", best);
        return GABLE_OK;
    }
    /* From 9.0 on the full instruction set (wgmma, setmaxnreg) belongs to the "a" architectures.
     * NVRTC 12.0 and newer have one for each of 9.0 to 12.x they list; elsewhere it is tried, which
     * takes 24 ms in a process that has not compiled yet (NVRTC 13.0, 2-core aarch64, 2026-11). */
    bool full = false;
    if (major >= 9) {
        snprintf(arch, GBL_NVRTC_ARCH_BYTES, "compute_%da", device);
        full = (kept.major >= 12 && major <= 12) || knows(arch);
    }
    snprintf(arch, GBL_NVRTC_ARCH_BYTES, full ? "sm_%da" : "sm_%d", device);
    return GABLE_OK;
}

int gbl_nvrtc_arch_number(const char *arch)
{
    const char *number = strchr(arch, '_');
    return number != NULL ? (int)strtol(number + 1, NULL, 10) : 0;
}

/* ---- compiling ---- */

/* Gets one of a program's texts or images; NULL when it is empty or memory is gone. */
static char *fetch(nvrtc_program *program, int (*size)(nvrtc_program *, size_t *),
                   int (*get)(nvrtc_program *, char *), size_t *bytes)
{
    *bytes = 0;
    if (size(program, bytes) != 0 || *bytes == 0)
        return NULL;
    char *data = malloc(*bytes + 1);
    if (data == NULL)
        return NULL;
    if (get(program, data) != 0) {
        free(data);
        return NULL;
    }
    data[*bytes] = '\0';
    return data;
}

/* The options: fixed ones, then -D for each macro, whose texts lie in one block from malloc. */
static gable_status make_options(const char *const *macros, const char *arch, bool details,
                                 const char **options, int *count, char **block,
                                 gbl_message *message)
{
    static const char *const fixed[] = {"--std=c++17", "--fmad=true", "-DNDEBUG"};
    int used = 0, macro_count = 0;
    size_t bytes = strlen("--gpu-architecture=") + strlen(arch) + 1;
    for (; macros != NULL && macros[macro_count] != NULL; macro_count++)
        bytes += strlen(macros[macro_count]) + 3;
    if (macro_count > MAX_OPTIONS - 8)
        return gbl_fail(message, GABLE_INTERNAL, "a kernel has %d macros; at most %d are allowed",
                        macro_count, MAX_OPTIONS - 8);
    *block = malloc(bytes);
    if (*block == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory to compile a kernel");
    char *next = *block;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        options[used++] = fixed[i];
    if (details)
        options[used++] = "--ptxas-options=-v";
    options[used++] = next;
    next += sprintf(next, "--gpu-architecture=%s", arch) + 1;
    for (int i = 0; i < macro_count; i++) {
        options[used++] = next;
        next += sprintf(next, "-D%s", macros[i]) + 1;
    }
    *count = used;
    return GABLE_OK;
}

static gable_status collect(nvrtc_program *program, const char *arch, bool details,
                            gbl_nvrtc_product *product, gbl_message *message)
{
    size_t bytes;
    product->is_ptx = strncmp(arch, "compute_", 8) == 0;
    product->image = product->is_ptx
                         ? fetch(program, api.ptx_bytes, api.ptx, &product->image_bytes)
                         : fetch(program, api.cubin_bytes, api.cubin, &product->image_bytes);
    if (product->image == NULL)
        return gbl_fail(
            message, GABLE_COMPILE_FAILED,
            "NVRTC %d.%d compiled for %s but gave no code (or host memory is exhausted)",
            kept.major, kept.minor, arch);
    if (details) {
        product->ptx = fetch(program, api.ptx_bytes, api.ptx, &bytes);
        product->log = fetch(program, api.log_bytes, api.log, &bytes);
    }
    return GABLE_OK;
}

static gable_status fail_compile(nvrtc_program *program, int result, const char *arch,
                                 gbl_message *message)
{
    size_t bytes;
    char *log = fetch(program, api.log_bytes, api.log, &bytes);
    if (result == INVALID_OPTION)
        gbl_fail(message, GABLE_COMPILE_FAILED,
                 "NVRTC %d.%d (%s) refuses an option; does it know the architecture %s?%s%s",
                 kept.major, kept.minor, kept.path, arch, log != NULL ? "\n" : "",
                 log != NULL ? log : "");
    else
        gbl_fail(message, GABLE_COMPILE_FAILED, "NVRTC %d.%d, for %s: %s\n%s", kept.major,
                 kept.minor, arch, api.error_text(result),
                 log != NULL ? log : "the compiler gives no log");
    free(log);
    return GABLE_COMPILE_FAILED;
}

gable_status gbl_nvrtc_compile(const char *source, const char *const *macros, const char *arch,
                               bool details, gbl_nvrtc_product *product, gbl_message *message)
{
    nvrtc_program *program = NULL;
    const char *options[MAX_OPTIONS];
    char *block = NULL;
    int count = 0;
    memset(product, 0, sizeof *product);
    TRY(load(message));
    gable_status status = make_options(macros, arch, details, options, &count, &block, message);
    if (status != GABLE_OK)
        goto done;
    int result = api.create(&program, source, "kernel.cu", 0, NULL, NULL);
    if (result != 0) {
        status = gbl_fail(message, GABLE_COMPILE_FAILED, "NVRTC %d.%d: %s", kept.major, kept.minor,
                          api.error_text(result));
        goto done;
    }
    result = api.compile(program, count, options);
    status = result == 0 ? collect(program, arch, details, product, message)
                         : fail_compile(program, result, arch, message);
done:
    if (program != NULL)
        api.destroy(&program);
    free(block);
    if (status != GABLE_OK)
        gbl_nvrtc_product_free(product);
    return status;
}

void gbl_nvrtc_product_free(gbl_nvrtc_product *product)
{
    free(product->image);
    free(product->ptx);
    free(product->log);
    memset(product, 0, sizeof *product);
}

/* ---- ptxas's report ---- */

/* The number before `unit` in [text, end), or -1. */
static int number_before(const char *text, const char *end, const char *unit)
{
    const char *at = strstr(text, unit);
    if (at == NULL || at >= end)
        return -1;
    while (at > text && (at[-1] < '0' || at[-1] > '9'))
        at--;
    while (at > text && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return (int)strtol(at, NULL, 10);
}

bool gbl_nvrtc_read_resources(const char *log, const char *entry, gbl_nvrtc_resources *resources)
{
    static const char heading[] = "Compiling entry function '";
    *resources = (gbl_nvrtc_resources){-1, -1, -1, -1};
    const size_t length = strlen(entry);
    const char *at = log != NULL ? strstr(log, heading) : NULL;
    while (at != NULL) {
        at += sizeof heading - 1;
        const char *next = strstr(at, heading);
        if (strncmp(at, entry, length) == 0 && at[length] == '\'') {
            const char *end = next != NULL ? next : at + strlen(at);
            const int stores = number_before(at, end, " bytes spill stores");
            const int loads = number_before(at, end, " bytes spill loads");
            const int local = number_before(at, end, " bytes smem");
            resources->registers = number_before(at, end, " registers");
            resources->spill_bytes = stores < 0 || loads < 0 ? -1 : stores + loads;
            resources->stack_bytes = number_before(at, end, " bytes stack frame");
            /* ptxas leaves out what is zero. */
            resources->local_bytes = local < 0 && resources->registers >= 0 ? 0 : local;
            return true;
        }
        at = next;
    }
    return false;
}
