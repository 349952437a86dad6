/* engine.c: libgable, opened at run time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices go to the device by gable_set_matrix, the routine runs by its device name, and the
 * result comes back into a buffer of the door. Memory is asked for first.
 */
#include <dlfcn.h>
#include <fenv.h>
#include <stdio.h>
#include <string.h>
#include "gable/prediction.h"
#include "link/engine.h"
#include "link/engine_typed.h"

/* The host link before a device is open: the best rate that was measured with staged copies (H200,
 * PCIe 5, November 2026), and the smallest time of a call. */
#define NOMINAL_LINK    47e9
#define NOMINAL_LATENCY 40e-6

/* What is used of libgable, by name. */
#define FUNCTIONS(X)                                                                               \
    X(open)                                                                                        \
    X(close)                                                                                       \
    X(message)                                                                                     \
    X(context_describe) X(sync) X(alloc) X(free) X(set_matrix) X(get_matrix) X(predict)

#define MEMBER(name) __typeof__(&gable_##name) name;
static struct {
    void *handle;
    FUNCTIONS(MEMBER)
    gable_context *device, *cpu;
    int cpu_threads;
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

bool gbl_engine_open(bool gpu_only, char name[GBL_ENGINE_TEXT], char why[GBL_ENGINE_TEXT])
{
    gable_device_info info;
    if (!open_context(&gable.device, NULL, why))
        return false;
    if (gable.context_describe(gable.device, &info) != GABLE_OK) {
        snprintf(why, GBL_ENGINE_TEXT, "%s", gable.message(gable.device));
    } else if (gpu_only && !info.is_gpu) {
        snprintf(why, GBL_ENGINE_TEXT, "there is no GPU");
    } else {
        snprintf(name, GBL_ENGINE_TEXT, "%s, %s", info.name, info.title);
        return true;
    }
    gable.close(gable.device);
    gable.device = NULL;
    return false;
}

void gbl_engine_forget(void)
{
    gable.device = gable.cpu = NULL;
}

/* ---- Predictions ---- */

static double bytes_of(gbl_link_shape shape, gbl_dtype dtype)
{
    return (double)shape.rows * (double)shape.columns * (double)gbl_dtype_bytes(dtype);
}

static void name_of(const gbl_link_call *call, const char *stem, char name[32])
{
    snprintf(name, 32, "%c%s", gbl_dtype_letter(call->dtype), stem);
}

bool gbl_engine_predict(const gbl_link_call *call, double *cpu_seconds, int *threads,
                        double *device_seconds)
{
    const gbl_link_shapes shapes = gbl_link_shapes_of(call);
    const double bytes = bytes_of(shapes.a, call->dtype) + bytes_of(shapes.b, call->dtype) +
                         bytes_of(shapes.c, call->dtype) * (gbl_link_reads_c(call) ? 2 : 1);
    gable_device_info info;
    char name[32], why[GBL_ENGINE_TEXT];
    double link = 0;
    name_of(call, gbl_link_gable_stem(call->routine), name);
    if (!open_context(&gable.cpu, "cpu", why))
        return false;
    if (gable.cpu_threads == 0 && gable.context_describe(gable.cpu, &info) == GABLE_OK)
        gable.cpu_threads = info.units;
    *threads = gable.cpu_threads > 0 ? gable.cpu_threads : 1;
    const gable_side side = (gable_side)call->side;
    if (gable.predict(gable.cpu, name, side, call->m, call->n, call->k, cpu_seconds, &link) !=
        GABLE_OK)
        return false;
    *device_seconds = NOMINAL_LATENCY + bytes / NOMINAL_LINK;
    if (gable.device == NULL)
        return true;
    if (gable.predict(gable.device, name, side, call->m, call->n, call->k, device_seconds, &link) !=
        GABLE_OK)
        return false;
    *device_seconds += link;
    return true;
}

/* ---- Calls ---- */

static bool failed(gable_context *ctx, char why[GBL_ENGINE_TEXT])
{
    snprintf(why, GBL_ENGINE_TEXT, "%s", gable.message(ctx));
    return false;
}

static bool find_routine(const gbl_link_call *call, char why[GBL_ENGINE_TEXT])
{
    void (**const routine)(void) = &gable.routine[call->routine][call->dtype];
    char stem[32], name[48];
    name_of(call, gbl_link_gable_stem(call->routine), stem);
    snprintf(name, sizeof name, "gable_%s", stem);
    if (*routine != NULL || find(name, routine))
        return true;
    snprintf(why, GBL_ENGINE_TEXT, "libgable lacks %s", name);
    return false;
}

/* Room for a matrix, and the matrix itself where it is read. */
static bool put(gable_context *ctx, gbl_link_shape shape, const void *matrix, int64_t ld,
                size_t elem_bytes, bool room_only, void **copy)
{
    if (shape.rows == 0)
        return true;
    if (room_only)
        return gable.alloc(ctx, (size_t)shape.rows * (size_t)shape.columns * elem_bytes, copy) ==
               GABLE_OK;
    return gable.set_matrix(ctx, shape.rows, shape.columns, elem_bytes, matrix, ld, *copy,
                            shape.rows) == GABLE_OK;
}

static bool compute(gable_context *ctx, const gbl_link_call *call, void *const copies[3],
                    const gbl_link_shapes *shapes, char why[GBL_ENGINE_TEXT])
{
    static gbl_engine_function *const typed[] = {gbl_engine_s, gbl_engine_d, gbl_engine_c,
                                                 gbl_engine_z};
    gbl_link_call there = *call;
    there.A = copies[0];
    there.B = copies[1];
    there.C = copies[2];
    there.lda = shapes->a.rows;
    there.ldb = shapes->b.rows;
    there.ldc = shapes->c.rows;
    if (typed[call->dtype](gable.routine[call->routine][call->dtype], ctx, &there) != GABLE_OK)
        return failed(ctx, why);
    return true;
}

static bool run_on(gable_context *ctx, const gbl_link_call *call, void *result,
                   void (*waits)(void *user), void *user, void *copies[3],
                   char why[GBL_ENGINE_TEXT])
{
    const gbl_link_shapes shapes = gbl_link_shapes_of(call);
    const size_t bytes = gbl_dtype_bytes(call->dtype);
    for (int step = 0; step < 2; step++) {
        const bool room = step == 0;
        if (!put(ctx, shapes.a, call->A, call->lda, bytes, room, &copies[0]) ||
            !put(ctx, shapes.b, call->B, call->ldb, bytes, room, &copies[1]))
            return failed(ctx, why);
        if ((room || gbl_link_reads_c(call)) &&
            !put(ctx, shapes.c, call->C, call->ldc, bytes, room, &copies[2]))
            return failed(ctx, why);
    }
    waits(user);
    if (!compute(ctx, call, copies, &shapes, why))
        return false;
    if (gable.sync(ctx) != GABLE_OK ||
        gable.get_matrix(ctx, shapes.c.rows, shapes.c.columns, bytes, copies[2], shapes.c.rows,
                         result, shapes.c.rows) != GABLE_OK)
        return failed(ctx, why);
    return true;
}

bool gbl_engine_run(const gbl_link_call *call, bool cpu, void *result, void (*waits)(void *user),
                    void *user, bool *lost, char why[GBL_ENGINE_TEXT])
{
    void *copies[3] = {NULL, NULL, NULL};
    *lost = false;
    if (!find_routine(call, why) || (cpu && !open_context(&gable.cpu, "cpu", why)))
        return false;
    gable_context *const ctx = cpu ? gable.cpu : gable.device;
    const bool done = run_on(ctx, call, result, waits, user, copies, why);
    /* Out of memory leaves the device as it was. Of all else it must prove that it still works. */
    for (int i = 0; i < 3; i++)
        *lost = (copies[i] != NULL && gable.free(ctx, copies[i]) != GABLE_OK) || *lost;
    *lost = *lost || (!done && gable.sync(ctx) != GABLE_OK);
    return done;
}
