/* compile_jobs.c: many kernels through NVRTC at once, and what the compiler said of them kept on
 * disk.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "gable/gable.h"
#include "device/nvrtc.h"
#include "nvrtc/compile_jobs.h"

#define MOST_THREADS 64
#define PATH_BYTES   1024
#define KEY_BYTES    (COMPILE_SUBJECT_BYTES + 512)
#define SHARED_BYTES (48 << 10) /* of a kernel without dynamic shared memory */

/* ---- The key: what the compiler sees ---- */

uint64_t compile_hash(const char *text, uint64_t start)
{
    uint64_t hash = 0xcbf29ce484222325u ^ start;
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* NVRTC_CALLER is a hash of src/device/nvrtc.c, which has the options. */
void compile_subject(const compile_job *job, char text[COMPILE_SUBJECT_BYTES])
{
    int major = 0, minor = 0;
    gbl_message message = {NULL, ""};
    gbl_macro_list macros;
    gbl_nvrtc_version(&major, &minor, &message);
    gbl_kernel_macros(&job->spec, &macros);
    int used = snprintf(text, COMPILE_SUBJECT_BYTES, "%s NVRTC %d.%d %s %s %zu %016llx%016llx",
                        NVRTC_CALLER, major, minor, job->spec.file, job->arch, strlen(job->source),
                        (unsigned long long)compile_hash(job->source, 0),
                        (unsigned long long)compile_hash(job->source, 0x9e3779b97f4a7c15u));
    for (int i = 0; macros.list[i] != NULL && used < COMPILE_SUBJECT_BYTES; i++)
        used +=
            snprintf(text + used, (size_t)(COMPILE_SUBJECT_BYTES - used), " %s", macros.list[i]);
}

/* The subject, and the compiler's own file: its path, size and date. */
static void make_key(const compile_job *job, char key[KEY_BYTES])
{
    char subject[COMPILE_SUBJECT_BYTES];
    struct stat status = {0};
    if (stat(gbl_nvrtc_path(), &status) != 0)
        memset(&status, 0, sizeof status);
    compile_subject(job, subject);
    snprintf(key, KEY_BYTES, "%.400s %lld %lld %s", gbl_nvrtc_path(), (long long)status.st_size,
             (long long)status.st_mtime, subject);
}

static void path_of(const char *key, const char *folder, char *path, size_t bytes)
{
    snprintf(path, bytes, "%s/%016llx%016llx", folder, (unsigned long long)compile_hash(key, 0),
             (unsigned long long)compile_hash(key, 1));
}

void compile_report_path(const compile_job *job, const char *folder, char *path, size_t bytes)
{
    char key[KEY_BYTES];
    make_key(job, key);
    path_of(key, folder, path, bytes);
}

/* ---- Reports on disk: the key, the report, a hash of both ---- */

static char *read_report(const char *key, const char *folder)
{
    char path[PATH_BYTES], sum[24];
    char *text = NULL;
    bool good = false;
    struct stat status;
    path_of(key, folder, path, sizeof path);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return NULL;
    const size_t key_bytes = strlen(key), sum_bytes = 17; /* a newline before it */
    if (fstat(fileno(stream), &status) != 0 || status.st_size < 0 ||
        (size_t)status.st_size < key_bytes + 1 + sum_bytes)
        goto done;
    const size_t bytes = (size_t)status.st_size;
    text = malloc(bytes + 1);
    if (text == NULL || fread(text, 1, bytes, stream) != bytes)
        goto done;
    text[bytes] = '\0';
    if (strlen(text) != bytes || memcmp(text, key, key_bytes) != 0 || text[key_bytes] != '\n')
        goto done;
    char *end = text + bytes - sum_bytes, found[24];
    snprintf(found, sizeof found, "%s", end + 1);
    good = *end == '\n';
    *end = '\0';
    snprintf(sum, sizeof sum, "%016llx", (unsigned long long)compile_hash(text, 0));
    good = good && strcmp(sum, found) == 0;
    if (good)
        memmove(text, text + key_bytes + 1, strlen(text + key_bytes + 1) + 1);
done:
    fclose(stream);
    if (!good) {
        free(text);
        text = NULL;
    }
    return text;
}

/* A draft that is renamed: two runs side by side never see half a file. */
static void write_report(const char *key, const char *folder, const char *report)
{
    static atomic_uint serial;
    char path[PATH_BYTES], draft[PATH_BYTES + 64];
    const size_t bytes = strlen(key) + strlen(report) + 2;
    char *text = malloc(bytes);
    if (text == NULL)
        return;
    snprintf(text, bytes, "%s\n%s", key, report);
    path_of(key, folder, path, sizeof path);
    snprintf(draft, sizeof draft, "%s.%ld.%u", path, (long)getpid(), atomic_fetch_add(&serial, 1));
    FILE *stream = fopen(draft, "wbx");
    if (stream != NULL) {
        bool good =
            fprintf(stream, "%s\n%016llx", text, (unsigned long long)compile_hash(text, 0)) > 0;
        good = fclose(stream) == 0 && good;
        if (!good || rename(draft, path) != 0)
            unlink(draft);
    }
    free(text);
}

/* ---- Compiling and judging ---- */

/* Whether the compiler's report is that of a good kernel. */
static bool judge(compile_job *job, const char *report)
{
    gbl_nvrtc_resources resources = {-1, -1, -1, -1};
    char entry[GBL_ENTRY_BYTES];
    gbl_kernel_entry(&job->spec, entry);
    if (report == NULL || !gbl_nvrtc_read_resources(report, entry, &resources))
        snprintf(job->why, sizeof job->why, "the compiler's report does not name %s: %.900s", entry,
                 report != NULL ? report : "(none)");
    else if (resources.registers <= 0)
        snprintf(job->why, sizeof job->why, "%d registers", resources.registers);
    else if (resources.spill_bytes != 0)
        snprintf(job->why, sizeof job->why, "%d bytes are spilled, %d registers",
                 resources.spill_bytes, resources.registers);
    else if (strstr(report, "wgmma.mma_async instructions are serialized") != NULL)
        snprintf(job->why, sizeof job->why, "products of warpgroups wait for each other: %.900s",
                 report);
    else if (resources.local_bytes > SHARED_BYTES)
        snprintf(job->why, sizeof job->why, "%d bytes of shared memory", resources.local_bytes);
    else
        return true;
    return false;
}

static void do_job(compile_job *job, const char *folder)
{
    gbl_macro_list macros;
    gbl_nvrtc_product product = {NULL, 0, false, NULL, NULL};
    gbl_message message = {NULL, ""};
    char key[KEY_BYTES];
    make_key(job, key);
    char *report = folder != NULL ? read_report(key, folder) : NULL;
    job->why[0] = '\0';
    job->cached = report != NULL && judge(job, report);
    job->good = job->cached;
    free(report);
    if (job->cached)
        return;
    gbl_kernel_macros(&job->spec, &macros);
    const gable_status status =
        gbl_nvrtc_compile(job->source, macros.list, job->arch, true, &product, &message);
    if (status != GABLE_OK)
        snprintf(job->why, sizeof job->why, "%s: %.900s", gable_status_name(status), message.text);
    else if (product.image_bytes == 0 || product.is_ptx)
        snprintf(job->why, sizeof job->why, "no machine code");
    else
        job->good = judge(job, product.log);
    if (job->good && folder != NULL)
        write_report(key, folder, product.log);
    gbl_nvrtc_product_free(&product);
}

typedef struct work {
    compile_job *jobs;
    int count;
    const char *folder;
    atomic_int next;
} work;

static void *worker(void *data)
{
    work *w = data;
    for (int i; (i = atomic_fetch_add(&w->next, 1)) < w->count;)
        do_job(&w->jobs[i], w->folder);
    return NULL;
}

void compile_all(compile_job *jobs, int count, const char *folder)
{
    pthread_t threads[MOST_THREADS];
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int wanted = cores > MOST_THREADS ? MOST_THREADS : (int)cores;
    int started = 0;
    work w = {.jobs = jobs, .count = count, .folder = folder};
    atomic_init(&w.next, 0);
    if (folder != NULL)
        mkdir(folder, 0755);
    /* This thread is one of them, and the only one where none can be started. */
    while (started + 1 < wanted && pthread_create(&threads[started], NULL, worker, &w) == 0)
        started++;
    worker(&w);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
