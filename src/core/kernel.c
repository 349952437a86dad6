/* kernel.c: kernels compiled at run time, kept in memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One process-wide table under a lock. Compilation happens outside the lock, so that threads
 * compile different kernels side by side. A thread that asks for a kernel another thread is
 * compiling waits for it. A thread that only notes (kernel_list.h) gets a stand-in for a kernel
 * that is not there.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "core/disk_cache.h"
#include "core/kernel.h"
#include "core/kernel_list.h"
#include "device/fork_guard.h"

#define BUCKETS 256

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t settled = PTHREAD_COND_INITIALIZER; /* a kernel is ready, or failed */
static gbl_kernel *buckets[BUCKETS];
static atomic_bool trying;
static _Thread_local gbl_compiled compiled;
static _Thread_local gbl_kernel_list *noting;

/* Nobody who waited for a kernel is in the child. */
static void forget_waiting(void)
{
    settled = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
}
GBL_FORK_GUARD(.lock = &lock, .child = forget_waiting)

static unsigned hash_of(const gbl_device *device, const gbl_kernel_spec *spec)
{
    /* Names are constants of the caller: their addresses are enough to spread. */
    uint64_t hash = (uintptr_t)device ^ ((uintptr_t)spec->file << 7) ^ (uint64_t)spec->dtype;
    for (int i = 0; i < spec->macro_count; i++)
        hash = (hash ^ (uint64_t)(uint32_t)spec->macros[i].value) * 0x9e3779b97f4a7c15u;
    return (unsigned)(hash >> 40) % BUCKETS;
}

bool gbl_kernel_same(const gbl_kernel_spec *a, const gbl_kernel_spec *b)
{
    if (a->dtype != b->dtype || a->macro_count != b->macro_count || strcmp(a->file, b->file) != 0)
        return false;
    for (int i = 0; i < b->macro_count; i++)
        if (a->macros[i].value != b->macros[i].value ||
            strcmp(a->macros[i].name, b->macros[i].name) != 0)
            return false;
    return true;
}

static gbl_kernel *find(unsigned bucket, const gbl_device *device, const gbl_kernel_spec *spec)
{
    gbl_kernel *kernel = buckets[bucket];
    while (kernel != NULL && !(kernel->device == device && gbl_kernel_same(&kernel->spec, spec)))
        kernel = kernel->next;
    return kernel;
}

void gbl_kernel_macros(const gbl_kernel_spec *spec, gbl_macro_list *macros)
{
    snprintf(macros->text[0], sizeof macros->text[0], "PREC=%d", (int)spec->dtype);
    macros->list[0] = macros->text[0];
    const int count = spec->macro_count < GBL_MAX_MACROS ? spec->macro_count : GBL_MAX_MACROS;
    for (int i = 0; i < count; i++) {
        snprintf(macros->text[i + 1], sizeof macros->text[0], "%s=%d", spec->macros[i].name,
                 (int)spec->macros[i].value);
        macros->list[i + 1] = macros->text[i + 1];
    }
    macros->list[count + 1] = NULL;
}

void gbl_kernel_entry(const gbl_kernel_spec *spec, char entry[GBL_ENTRY_BYTES])
{
    const char *dot = strrchr(spec->file, '.');
    const int stem = dot != NULL ? (int)(dot - spec->file) : (int)strlen(spec->file);
    snprintf(entry, GBL_ENTRY_BYTES, "%c%.*s", gbl_dtype_letter(spec->dtype), stem, spec->file);
}

/* All an image depends on, as one text: build key, entry, macros, source. From malloc. */
static char *key_text(const gbl_device *device, const char *entry, const gbl_macro_list *macros,
                      const char *source)
{
    size_t bytes = strlen(device->props.build_key) + strlen(entry) + strlen(source) + 8;
    for (int i = 0; macros->list[i] != NULL; i++)
        bytes += strlen(macros->list[i]) + 1;
    char *key = malloc(bytes);
    if (key == NULL)
        return NULL;
    int used = sprintf(key, "%s\n%s\n", device->props.build_key, entry);
    for (int i = 0; macros->list[i] != NULL; i++)
        used += sprintf(key + used, "%s\n", macros->list[i]);
    strcpy(key + used, source);
    return key;
}

static void save(gbl_kernel *kernel)
{
    void *image = NULL;
    size_t bytes = 0;
    if (kernel->device->table->image(kernel->code, &image, &bytes, NULL) == GABLE_OK)
        gbl_disk_cache_store(kernel->cache_key, image, bytes);
    free(image);
    free(kernel->cache_key);
    kernel->cache_key = NULL;
}

static void save_when_complete(gbl_kernel *kernel)
{
    if (kernel->device->props.image_at_build)
        save(kernel);
    else
        atomic_store(&kernel->unsaved, true);
}

static uint64_t mix(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static uint64_t identity_of(const gbl_kernel_spec *spec)
{
    uint64_t hash = mix(0xcbf29ce484222325u ^ (uint64_t)spec->dtype, spec->file);
    for (int i = 0; i < spec->macro_count; i++)
        hash = (mix(hash, spec->macros[i].name) ^ (uint64_t)(uint32_t)spec->macros[i].value) *
               0x9e3779b97f4a7c15u;
    return hash;
}

/* A candidate that is asked for after the trying is one no longer. Under the lock. */
static bool adopt(gbl_kernel *kernel)
{
    const bool adopted = kernel->candidate && !atomic_load(&trying);
    if (adopted)
        kernel->candidate = false;
    return adopted && kernel->cache_key != NULL;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* From disk, else from the compiler. */
static gable_status obtain(gbl_kernel *kernel, gbl_message *message)
{
    gbl_device *device = kernel->device;
    gbl_macro_list macros;
    char *source = NULL, *key = NULL;
    void *image = NULL;
    size_t bytes = 0;
    gable_status status = gbl_kernel_source(kernel->spec.file, &source, message);
    if (status != GABLE_OK)
        goto done;
    gbl_kernel_macros(&kernel->spec, &macros);
    if (device->props.disk_cache) {
        /* Without memory for the key the kernel is compiled and not kept on disk. */
        key = key_text(device, kernel->entry, &macros, source);
        if (key != NULL && gbl_disk_cache_load(key, &image, &bytes) &&
            device->table->load(device, image, bytes, kernel->entry, &kernel->code, NULL) ==
                GABLE_OK)
            goto done;
    }
    const double from = seconds_now();
    status =
        device->table->build(device, source, macros.list, kernel->entry, &kernel->code, message);
    compiled.count++;
    compiled.seconds += seconds_now() - from;
    if (status == GABLE_OK)
        kernel->candidate = atomic_load(&trying);
    if (status == GABLE_OK && key != NULL) {
        kernel->cache_key = key;
        key = NULL;
        if (!kernel->candidate)
            save_when_complete(kernel);
    }
done:
    if (status == GABLE_OK)
        kernel->code->identity = identity_of(&kernel->spec);
    free(image);
    free(key);
    free(source);
    return status;
}

/* A kernel that is not ready yet, in the table, so that others wait for it. Under the lock. */
static gbl_kernel *reserve(unsigned bucket, gbl_device *device, const gbl_kernel_spec *spec)
{
    gbl_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL)
        return NULL;
    kernel->device = device;
    kernel->spec = *spec;
    gbl_kernel_entry(spec, kernel->entry);
    kernel->next = buckets[bucket];
    buckets[bucket] = kernel;
    return kernel;
}

/* Under the lock. */
static void drop(unsigned bucket, gbl_kernel *kernel)
{
    gbl_kernel **link = &buckets[bucket];
    while (*link != kernel)
        link = &(*link)->next;
    *link = kernel->next;
    free(kernel);
}

/* What is too long would be cut off without a word, and compiled as something else. */
static gable_status check_limits(const gbl_kernel_spec *spec, gbl_message *message)
{
    enum { VALUE_BYTES = 13 }; /* "=-2147483648" and the end */
    if (spec->macro_count < 0 || spec->macro_count > GBL_MAX_MACROS)
        return gbl_fail(message, GABLE_INTERNAL, "the kernel %s has %d macros, of at most %d",
                        spec->file, spec->macro_count, GBL_MAX_MACROS);
    if (strlen(spec->file) + 2 > GBL_ENTRY_BYTES)
        return gbl_fail(message, GABLE_INTERNAL, "the kernel's name %s has more than %d letters",
                        spec->file, GBL_ENTRY_BYTES - 2);
    for (int i = 0; i < spec->macro_count; i++)
        if (strlen(spec->macros[i].name) + VALUE_BYTES > GBL_MACRO_BYTES)
            return gbl_fail(message, GABLE_INTERNAL,
                            "the macro's name %s of %s has more than %d letters",
                            spec->macros[i].name, spec->file, GBL_MACRO_BYTES - VALUE_BYTES);
    return GABLE_OK;
}

gable_status gbl_kernel_get(gbl_device *device, const gbl_kernel_spec *spec, gbl_kernel **out,
                            gbl_message *message)
{
    TRY(check_limits(spec, message));
    const unsigned bucket = hash_of(device, spec);
    pthread_mutex_lock(&lock);
    gbl_kernel *kernel = find(bucket, device, spec);
    while (kernel != NULL && !kernel->ready) {
        pthread_cond_wait(&settled, &lock);
        kernel = find(bucket, device, spec);
    }
    const bool there = kernel != NULL, adopted = there && adopt(kernel);
    if (!there && noting == NULL)
        kernel = reserve(bucket, device, spec);
    pthread_mutex_unlock(&lock);
    if (!there && noting != NULL)
        return gbl_kernel_list_add(noting, device, spec, out, message);
    if (kernel == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the kernel %s",
                        spec->file);
    *out = kernel;
    if (adopted)
        save_when_complete(kernel);
    if (there)
        return GABLE_OK;

    const gable_status status = obtain(kernel, message);
    pthread_mutex_lock(&lock);
    if (status == GABLE_OK)
        kernel->ready = true;
    else
        drop(bucket, kernel);
    pthread_cond_broadcast(&settled);
    pthread_mutex_unlock(&lock);
    return status;
}

gbl_kernel_list *gbl_kernels_note(gbl_kernel_list *list)
{
    gbl_kernel_list *before = noting;
    noting = list;
    return before;
}

/* ---- Several at once ---- */

gbl_compiled gbl_kernels_compiled(void)
{
    return compiled;
}

static bool is_there(const gbl_device *device, const gbl_kernel_spec *spec)
{
    pthread_mutex_lock(&lock);
    const bool there = find(hash_of(device, spec), device, spec) != NULL;
    pthread_mutex_unlock(&lock);
    return there;
}

/* Kernels that several threads compile: each takes the next one. */
typedef struct compile_list {
    gbl_device *device;
    const gbl_kernel_spec *const *specs;
    int count;
    atomic_int next, compiled;
    pthread_mutex_t lock; /* of what follows */
    int failed;           /* the first of those that failed; count: none */
    gable_status status;
    gbl_message why;
} compile_list;

static void note_failure(compile_list *list, int which, gable_status status, const char *why)
{
    pthread_mutex_lock(&list->lock);
    if (which < list->failed) {
        list->failed = which;
        list->status = status;
        snprintf(list->why.text, sizeof list->why.text, "%s", why);
    }
    pthread_mutex_unlock(&list->lock);
}

/* Some compilers make machine code only at the first launch, or when they are asked for it. */
static void complete(gbl_kernel *kernel)
{
    void *image = NULL;
    size_t bytes = 0;
    if (!kernel->device->props.image_at_build && kernel->device->table->image != NULL)
        kernel->device->table->image(kernel->code, &image, &bytes, NULL);
    free(image);
}

static void *compile_some(void *given)
{
    compile_list *list = given;
    const int before = compiled.count;
    for (int i; (i = atomic_fetch_add(&list->next, 1)) < list->count;) {
        gbl_kernel *kernel;
        gbl_message message = {NULL, ""};
        const gable_status status = gbl_kernel_get(list->device, list->specs[i], &kernel, &message);
        if (status != GABLE_OK)
            note_failure(list, i, status, message.text);
        else
            complete(kernel);
    }
    atomic_fetch_add(&list->compiled, compiled.count - before);
    return NULL;
}

gable_status gbl_kernels_compile(gbl_device *device, const gbl_kernel_spec *const *specs, int count,
                                 gbl_message *message)
{
    compile_list list = {.device = device, .specs = specs, .count = count, .failed = count};
    pthread_t threads[GBL_MOST_COMPILERS];
    int running = 0;
    const gbl_compiled before = compiled;
    const double from = seconds_now();
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    gbl_kernel_list *const outer = gbl_kernels_note(NULL);
    pthread_mutex_init(&list.lock, NULL);
    while (device->props.image_at_build && running + 1 < count && running + 1 < cores &&
           running < GBL_MOST_COMPILERS &&
           pthread_create(&threads[running], NULL, compile_some, &list) == 0)
        running++;
    compile_some(&list);
    for (int i = 0; i < running; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&list.lock);
    gbl_kernels_note(outer);
    compiled.count = before.count + atomic_load(&list.compiled);
    compiled.seconds = before.seconds;
    if (compiled.count > before.count)
        compiled.seconds += seconds_now() - from;
    return list.failed == count ? GABLE_OK : gbl_fail(message, list.status, "%s", list.why.text);
}

void gbl_kernels_prepare(gbl_device *device, const gbl_kernel_spec *specs, int count)
{
    const gbl_kernel_spec *missing[GBL_MOST_COMPILERS];
    int missing_count = 0;
    for (int i = 0; i < count && missing_count < GBL_MOST_COMPILERS; i++)
        if (!is_there(device, &specs[i]))
            missing[missing_count++] = &specs[i];
    if (missing_count > 1 && device->props.image_at_build)
        gbl_kernels_compile(device, missing, missing_count, NULL);
}

bool gbl_kernel_takes(const gbl_kernel *kernel, int items)
{
    const int most = kernel->code->max_group; /* 0: not known */
    return items <= 1 || most <= 0 || items <= most;
}

void gbl_kernel_launched(gbl_kernel *kernel)
{
    if (atomic_load_explicit(&kernel->unsaved, memory_order_relaxed) &&
        atomic_exchange(&kernel->unsaved, false))
        save(kernel);
}

/* Forgets those of a device, all for NULL; only candidates where it is asked for. */
static void forget(const gbl_device *device, bool candidates_only)
{
    pthread_mutex_lock(&lock);
    for (int b = 0; b < BUCKETS; b++) {
        for (gbl_kernel **link = &buckets[b]; *link != NULL;) {
            gbl_kernel *kernel = *link;
            if (!kernel->ready || (device != NULL && kernel->device != device) ||
                (candidates_only && !kernel->candidate)) {
                link = &kernel->next;
                continue;
            }
            *link = kernel->next;
            kernel->device->table->unload(kernel->code);
            free(kernel->cache_key);
            free(kernel);
        }
    }
    pthread_mutex_unlock(&lock);
}

void gbl_kernels_forget(gbl_device *device)
{
    forget(device, false);
}

/* ---- Candidates ---- */

void gbl_kernels_try(bool on)
{
    atomic_store(&trying, on);
}

int gbl_kernels_candidates(const gbl_device *device)
{
    int count = 0;
    pthread_mutex_lock(&lock);
    for (int b = 0; b < BUCKETS; b++)
        for (const gbl_kernel *kernel = buckets[b]; kernel != NULL; kernel = kernel->next)
            count += kernel->ready && kernel->candidate && kernel->device == device;
    pthread_mutex_unlock(&lock);
    return count;
}

void gbl_kernels_forget_candidates(gbl_device *device)
{
    forget(device, true);
}
