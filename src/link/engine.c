/* engine.c: libgable, opened at run time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls run by the standard door, which takes the program's own arrays: uploads, kernels and
 * downloads overlap, and what does not fit the device is tiled. The context is opened by the name
 * of its device, so that the standard door does not choose again, and leaves a call that the device
 * fails to the program's own library.
 *
 * The standard door writes the program's C by itself. A call that fails has written nothing: a
 * panel is delivered when the device has reported that it is computed, and where one was delivered
 * the call is completed, if need be by Gable's cpu, and succeeds. A device that does not answer is
 * given up by the standard door's own limit. No thread writes later; only a copy into memory that
 * the program has pinned is the device's own. On the cpu, whose products work on C itself, all that
 * does not hold: there the result is made in a copy. LAPACK's routines are delivered whole, on the
 * cpu as well; pivots and info follow here, in the program's integers.
 */
#include <dlfcn.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gable/prediction.h"
#include "link/engine.h"
#include "link/engine_typed.h"
#include "link/link_lapack.h"

/* The host link before a device is open: the best rate that was measured with staged copies (H200,
 * PCIe 5, November 2026), and the smallest time of a call. */
#define NOMINAL_LINK    47e9
#define NOMINAL_LATENCY 40e-6

/* What is used of libgable, by name. */
#define FUNCTIONS(X)                                                                               \
    X(open)                                                                                        \
    X(close)                                                                                       \
    X(message)                                                                                     \
    X(context_describe) X(sync) X(last_device) X(host_release) X(predict) X(host_recall)

#define MEMBER(name) __typeof__(&gable_##name) name;
static struct {
    void *handle;
    FUNCTIONS(MEMBER)
    gable_context *device, *cpu;
    bool device_is_cpu;
    void (*routine[GBL_LINK_ROUTINE_COUNT][GBL_DTYPES])(void);
} gable;
#undef MEMBER

/* ---- Opening ---- */

static bool find(const char *name, void *function)
{
    void *const address = dlsym(gable.handle, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static bool find_functions(char why[GBL_ENGINE_TEXT])
{
#define FIND(name)                                                                                 \
    if (!find("gable_" #name, &gable.name)) {                                                      \
        snprintf(why, GBL_ENGINE_TEXT, "libgable lacks gable_%s", #name);                          \
        return false;                                                                              \
    }
    FUNCTIONS(FIND)
#undef FIND
    return true;
}

/* A file in the folder of this library. */
static void *open_beside(const char *name)
{
    Dl_info own;
    char path[4096];
    const char *slash = NULL;
    void *self = NULL;
    bool (*const function)(const char *, char *) = gbl_engine_load;
    memcpy(&self, &function, sizeof self);
    if (dladdr(self, &own) != 0 && own.dli_fname != NULL)
        slash = strrchr(own.dli_fname, '/');
    if (slash == NULL ||
        (size_t)snprintf(path, sizeof path, "%.*s/%s", (int)(slash - own.dli_fname), own.dli_fname,
                         name) >= sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

bool gbl_engine_load(const char *path, char why[GBL_ENGINE_TEXT])
{
    if (gable.handle != NULL)
        return true;
    void *handle = NULL;
    if (path != NULL && path[0] != '\0') {
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    } else {
        handle = open_beside("libgable.so.0");
        handle = handle != NULL ? handle : open_beside("../libgable.so.0");
        handle = handle != NULL ? handle : dlopen("libgable.so.0", RTLD_NOW | RTLD_LOCAL);
    }
    if (handle == NULL) {
        const char *const error = dlerror();
        snprintf(why, GBL_ENGINE_TEXT, "libgable cannot be opened: %s", error != NULL ? error : "");
        return false;
    }
    gable.handle = handle;
    /* The program may trap on floating-point exceptions: this thread, which inherited that, does
     * not. */
    int (*set_environment)(const fenv_t *) = NULL;
    if (find("fesetenv", &set_environment))
        set_environment(FE_DFL_ENV);
    if (find_functions(why))
        return true;
    gable.handle = NULL;
    return false;
}

static bool open_context(gable_context **ctx, const char *device, char why[GBL_ENGINE_TEXT])
{
    if (*ctx != NULL)
        return true;
    if (gable.open(ctx, device) == GABLE_OK)
        return true;
    snprintf(why, GBL_ENGINE_TEXT, "%s", *ctx != NULL ? gable.message(*ctx) : "no memory");
    gable.close(*ctx);
    *ctx = NULL;
    return false;
}

/* The same device once more, by its name: both contexts share it. */
static bool open_by_name(const char *name, char why[GBL_ENGINE_TEXT])
{
    gable_context *named = NULL;
    if (!open_context(&named, name, why))
        return false;
    gable.close(gable.device);
    gable.device = named;
    return true;
}

bool gbl_engine_open(bool gpu_only, char name[GBL_ENGINE_TEXT], char why[GBL_ENGINE_TEXT])
{
    gable_device_info info;
    if (!open_context(&gable.device, NULL, why))
        return false;
    if (gable.context_describe(gable.device, &info) != GABLE_OK) {
        snprintf(why, GBL_ENGINE_TEXT, "%s", gable.message(gable.device));
    } else if (gpu_only && !info.is_gpu) {
        snprintf(why, GBL_ENGINE_TEXT, "there is no GPU");
    } else if (open_by_name(info.name, why)) {
        snprintf(name, GBL_ENGINE_TEXT, "%s, %s", info.name, info.title);
        gable.device_is_cpu = strcmp(info.name, "cpu") == 0;
        return true;
    }
    gable.close(gable.device);
    gable.device = NULL;
    return false;
}

void gbl_engine_rest(bool device)
{
    if (gable.cpu != NULL)
        gable.host_release(gable.cpu);
    if (device && gable.device != NULL)
        gable.host_release(gable.device);
}

void gbl_engine_forget(void)
{
    gable.device = gable.cpu = NULL;
}

/* ---- Predictions ---- */

static void name_of(const gbl_link_call *call, const char *stem, char name[32])
{
    snprintf(name, 32, "%c%s", gbl_dtype_letter(call->dtype), stem);
}

/* The time of the standard door. */
static bool host_seconds(gable_context *ctx, const gbl_link_call *call, double *seconds)
{
    char name[32];
    name_of(call, gbl_link_gable_stem(call->routine), name);
    const bool reads =
        gbl_link_is_driver(call->routine) ? gbl_link_wants_vectors(call) : gbl_link_reads_c(call);
    return gable.predict(ctx, name, (gable_side)call->side, call->m, call->n, call->k, reads, NULL,
                         seconds) == GABLE_OK;
}

bool gbl_engine_predict(const gbl_link_call *call, double *device_seconds)
{
    *device_seconds = NOMINAL_LATENCY + (double)gbl_link_bytes(call) / NOMINAL_LINK;
    return gable.device == NULL || host_seconds(gable.device, call, device_seconds);
}

/* ---- Calls ---- */

static bool find_routine(const gbl_link_call *call, char why[GBL_ENGINE_TEXT])
{
    void (**const routine)(void) = &gable.routine[call->routine][call->dtype];
    char stem[32], name[48];
    name_of(call, gbl_link_gable_stem(call->routine), stem);
    snprintf(name, sizeof name, "gable_host_%s", stem);
    if (*routine != NULL || find(name, routine))
        return true;
    snprintf(why, GBL_ENGINE_TEXT, "libgable lacks %s", name);
    return false;
}

static bool run_on(gable_context *ctx, const gbl_link_call *call, char why[GBL_ENGINE_TEXT])
{
    static gbl_engine_function *const typed[] = {gbl_engine_s, gbl_engine_d, gbl_engine_c,
                                                 gbl_engine_z};
    if (typed[call->dtype](gable.routine[call->routine][call->dtype], ctx, call) == GABLE_OK)
        return true;
    snprintf(why, GBL_ENGINE_TEXT, "%s", gable.message(ctx));
    return false;
}

/* Of vectors that stand in one piece, from row 1 to n: where LAPACK tells that. */
static void put_support(const gbl_link_call *call)
{
    const bool all = call->range != GABLE_RANGE_VALUES && call->k == call->n;
    for (int64_t i = 0; all && call->job == GABLE_VECTORS && i < call->n; i++) {
        gbl_link_put_integer(call->support, call->wide, 2 * i, 1);
        gbl_link_put_integer(call->support, call->wide, 2 * i + 1, call->n);
    }
}

static void put_integers(const gbl_link_call *call, const gbl_engine_integers *integers)
{
    const int64_t count = gbl_link_pivot_count(call);
    for (int64_t i = 0; gbl_link_pivots_of(call->routine) == GBL_LINK_WRITES && i < count; i++)
        gbl_link_put_integer(call->ipiv, call->wide, i, integers->numbers[i]);
    if (call->found != NULL && integers->info == 0) {
        put_support(call);
        gbl_link_put_integer(call->found, call->wide, 0, integers->found);
    }
    gbl_link_put_integer(call->info, call->wide, 0, integers->info);
}

static bool run_lapack(gable_context *ctx, const gbl_link_call *call, char why[GBL_ENGINE_TEXT])
{
    static gbl_engine_lapack_function *const typed[] = {gbl_engine_lapack_s, gbl_engine_lapack_d,
                                                        gbl_engine_lapack_c, gbl_engine_lapack_z};
    const int64_t pivots = gbl_link_pivot_count(call),
                  count = call->found != NULL ? call->k : pivots;
    gbl_engine_integers integers = {.numbers = calloc((size_t)count + 1, sizeof(int64_t))};
    if (integers.numbers == NULL) {
        snprintf(why, GBL_ENGINE_TEXT, "no host memory for %lld numbers", (long long)count);
        return false;
    }
    for (int64_t i = 0; gbl_link_pivots_of(call->routine) == GBL_LINK_READS && i < pivots; i++)
        integers.numbers[i] = gbl_link_integer_at(call->ipiv, call->wide, i);
    bool done = typed[call->dtype](gable.routine[call->routine][call->dtype], ctx, call,
                                   &integers) == GABLE_OK;
    if (!done)
        snprintf(why, GBL_ENGINE_TEXT, "%s", gable.message(ctx));
    /* A driver that fails has written nothing: the next library says what LAPACK says. */
    if (done && integers.info != 0 && gbl_link_is_driver(call->routine) && ctx == gable.device) {
        snprintf(why, GBL_ENGINE_TEXT, "info is %lld", (long long)integers.info);
        done = false;
    }
    if (done)
        put_integers(call, &integers);
    free(integers.numbers);
    return done;
}

/* Between C and its copy without gaps: what the routine may write. */
static void copy_result(const gbl_link_call *call, char *copy, bool back)
{
    const bool triangle = gbl_link_has_triangle(call);
    const size_t bytes = gbl_dtype_bytes(call->dtype);
    for (int64_t j = 0; j < call->n; j++) {
        const int64_t from = triangle && call->uplo == GABLE_LOWER ? j : 0;
        const int64_t to = triangle && call->uplo == GABLE_UPPER ? j + 1 : call->m;
        char *const here = (char *)call->C + (size_t)(j * call->ldc + from) * bytes;
        char *const there = copy + (size_t)(j * call->m + from) * bytes;
        memcpy(back ? here : there, back ? there : here, (size_t)(to - from) * bytes);
    }
}

static bool run_on_copy(gable_context *ctx, const gbl_link_call *call, char why[GBL_ENGINE_TEXT])
{
    gbl_link_call there = *call;
    const size_t bytes = (size_t)call->m * (size_t)call->n * gbl_dtype_bytes(call->dtype);
    char *const copy = malloc(bytes);
    if (copy == NULL) {
        snprintf(why, GBL_ENGINE_TEXT, "no %zu bytes of host memory for the result", bytes);
        return false;
    }
    there.C = copy;
    there.ldc = call->m;
    if (gbl_link_reads_c(call))
        copy_result(call, copy, false);
    const bool done = run_on(ctx, &there, why);
    if (done)
        copy_result(call, copy, true);
    free(copy);
    return done;
}

bool gbl_engine_recall(void)
{
    /* The cpu has no driver that blocks, and works on the program's memory itself. */
    return gable.device != NULL && !gable.device_is_cpu && gable.host_recall(gable.device) != 0;
}

bool gbl_engine_run(const gbl_link_call *call, bool cpu, bool *doubtful, char why[GBL_ENGINE_TEXT])
{
    *doubtful = false;
    /* A device that fails half-way leaves the rest to Gable's cpu: it must be there. */
    if (!find_routine(call, why) || !open_context(&gable.cpu, "cpu", why))
        return false;
    const bool lapack = gbl_link_is_lapack(call->routine);
    if (cpu || gable.device_is_cpu)
        return (lapack ? run_lapack : run_on_copy)(cpu ? gable.cpu : gable.device, call, why);
    const bool done = (lapack ? run_lapack : run_on)(gable.device, call, why);
    *doubtful = !done || strstr(gable.last_device(gable.device), ", then cpu") != NULL;
    return done;
}

bool gbl_engine_probe(char why[GBL_ENGINE_TEXT])
{
    if (gable.sync(gable.device) == GABLE_OK)
        return true;
    if (why[0] == '\0')
        snprintf(why, GBL_ENGINE_TEXT, "%s", gable.message(gable.device));
    return false;
}
