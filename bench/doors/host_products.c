/* host_products.c: products of host matrices: the standard door, cuBLASXt, NVBLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     host_products ORDER [gable|fresh|pinned|xt|xt-pinned|nvblas]...
 *
 * C := A B in double precision with square matrices of ordinary memory, of pinned memory, or with a
 * C that was never touched. One row of JSON per party, with the best and the median of a few calls,
 * the device being open and kernels compiled. cuBLASXt runs with four block sizes. NVBLAS
 * wants $NVBLAS_CONFIG_FILE, which names a CPU library: without it the process would crash, so it
 * is left out. $GABLE_DEVICE names the device; $GABLE_HOST_MEMORY limits what Gable takes of it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include "gable/gable.h"

#define CALLS 5

typedef struct problem {
    int64_t n;
    double *A, *B, *C;
} problem;

typedef int (*party_call)(const problem *with);

static double now(void)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

static size_t bytes_of(int64_t n)
{
    return (size_t)n * (size_t)n * sizeof(double);
}

/* Huge pages where they can be had, as numpy asks for them. */
static double *take(int64_t n)
{
    void *const memory =
        mmap(NULL, bytes_of(n), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "host_products: no memory for order %lld\n", (long long)n);
        exit(1);
    }
    madvise(memory, bytes_of(n), MADV_HUGEPAGE);
    return memory;
}

/* Whole numbers, so that sums are exact. */
static double value(int64_t i, int64_t j, int which)
{
    return (double)((3 * i + (5 + which) * j) % 7 - 3);
}

static void fill(const problem *p)
{
#pragma omp parallel for
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->n; i++) {
            p->A[i + j * p->n] = value(i, j, 0);
            p->B[i + j * p->n] = value(i, j, 1);
            p->C[i + j * p->n] = -1;
        }
}

/* A few elements of C, all over it. */
static int is_right(const problem *p)
{
    for (int64_t s = 0; s < 40; s++) {
        const int64_t i = (s * 7919 + p->n - 1) % p->n, j = (s * 104729 + p->n - 1) % p->n;
        double sum = 0;
        for (int64_t k = 0; k < p->n; k++)
            sum += value(i, k, 0) * value(k, j, 1);
        if (p->C[i + j * p->n] != sum)
            return 0;
    }
    return 1;
}

/* ---- Parties ---- */

static gable_context *ctx;

static int call_gable(const problem *p)
{
    const gable_status status = gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, p->n, p->n,
                                                 p->n, 1, p->A, p->n, p->B, p->n, 0, p->C, p->n);
    if (status != GABLE_OK)
        fprintf(stderr, "host_products: %s\n", gable_message(ctx));
    return status != GABLE_OK;
}

static struct {
    void *library, *handle;
    int (*create)(void **handle);
    int (*select)(void *handle, int count, int *devices);
    int (*set_block)(void *handle, int block);
    int (*dgemm)(void *handle, int transa, int transb, size_t m, size_t n, size_t k,
                 const double *alpha, const double *A, size_t lda, const double *B, size_t ldb,
                 const double *beta, double *C, size_t ldc);
} xt;

static int load(void *library, const char *name, void *slot)
{
    void *const found = library != NULL ? dlsym(library, name) : NULL;
    memcpy(slot, &found, sizeof found);
    return found != NULL;
}

static int open_xt(void)
{
    int device = 0;
    if (xt.handle != NULL)
        return 1;
    xt.library = dlopen("libcublas.so.13", RTLD_NOW | RTLD_LOCAL);
    if (xt.library == NULL)
        xt.library = dlopen("libcublas.so", RTLD_NOW | RTLD_LOCAL);
    return load(xt.library, "cublasXtCreate", &xt.create) &&
           load(xt.library, "cublasXtDeviceSelect", &xt.select) &&
           load(xt.library, "cublasXtSetBlockDim", &xt.set_block) &&
           load(xt.library, "cublasXtDgemm", &xt.dgemm) && xt.create(&xt.handle) == 0 &&
           xt.select(xt.handle, 1, &device) == 0;
}

static int call_xt(const problem *p)
{
    const double one = 1, zero = 0;
    const size_t n = (size_t)p->n;
    return xt.dgemm(xt.handle, 0, 0, n, n, n, &one, p->A, n, p->B, n, &zero, p->C, n);
}

static void (*nvblas_dgemm)(const char *transa, const char *transb, const int *m, const int *n,
                            const int *k, const double *alpha, const double *A, const int *lda,
                            const double *B, const int *ldb, const double *beta, double *C,
                            const int *ldc, size_t length_a, size_t length_b);

static int open_nvblas(void)
{
    if (getenv("NVBLAS_CONFIG_FILE") == NULL)
        return 0;
    void *library = dlopen("libnvblas.so.13", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        library = dlopen("libnvblas.so", RTLD_NOW | RTLD_LOCAL);
    return load(library, "dgemm_", &nvblas_dgemm);
}

static int call_nvblas(const problem *p)
{
    const double one = 1, zero = 0;
    const int n = (int)p->n;
    nvblas_dgemm("N", "N", &n, &n, &n, &one, p->A, &n, p->B, &n, &zero, p->C, &n, 1, 1);
    return 0;
}

/* ---- Times ---- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* After one call that does not count. fresh: C is new memory each time. */
static int measure(const char *name, int block, party_call call, problem *p, int fresh)
{
    double times[CALLS];
    if (call(p) != 0)
        return 1;
    for (int i = 0; i < CALLS; i++) {
        if (fresh) {
            munmap(p->C, bytes_of(p->n));
            p->C = take(p->n);
        }
        const double from = now();
        if (call(p) != 0)
            return 1;
        times[i] = now() - from;
    }
    qsort(times, CALLS, sizeof times[0], by_size);
    printf("{\"party\":\"%s\",\"n\":%lld,\"block\":%d,\"ms_min\":%.3f,\"ms\":%.3f,\"right\":%s}\n",
           name, (long long)p->n, block, 1e3 * times[0], 1e3 * times[CALLS / 2],
           is_right(p) ? "true" : "false");
    fflush(stdout);
    return 0;
}

static void measure_xt(const char *name, problem *p)
{
    if (!open_xt()) {
        fprintf(stderr, "host_products: cuBLASXt is not found\n");
        return;
    }
    for (int block = 1024; block <= 8192 && block <= p->n; block *= 2)
        if (xt.set_block(xt.handle, block) == 0)
            measure(name, block, call_xt, p, 0);
}

static void set_pinned(problem *p, int pinned)
{
    double *const all[] = {p->A, p->B, p->C};
    for (int i = 0; i < 3; i++)
        if (pinned)
            gable_host_pin(ctx, all[i], bytes_of(p->n));
        else
            gable_host_unpin(ctx, all[i]);
}

static void run_party(const char *party, problem *p)
{
    const int pinned = strstr(party, "pinned") != NULL;
    if (pinned)
        set_pinned(p, 1);
    if (strcmp(party, "gable") == 0 || strcmp(party, "pinned") == 0)
        measure(party, 0, call_gable, p, 0);
    else if (strcmp(party, "fresh") == 0)
        measure(party, 0, call_gable, p, 1);
    else if (strncmp(party, "xt", 2) == 0)
        measure_xt(party, p);
    else if (strcmp(party, "nvblas") == 0 && open_nvblas())
        measure(party, 0, call_nvblas, p, 0);
    else
        fprintf(stderr, "host_products: %s is not found\n", party);
    if (pinned)
        set_pinned(p, 0);
}

int main(int argc, char **argv)
{
    problem p = {.n = argc > 1 ? strtoll(argv[1], NULL, 10) : 0};
    if (p.n < 1 || p.n > 65536) {
        fputs("usage: host_products ORDER [gable|fresh|pinned|xt|xt-pinned|nvblas]...\n", stderr);
        return 2;
    }
    setenv("GABLE_HOST", "device", 0);
    if (gable_open(&ctx, NULL) != GABLE_OK) {
        fprintf(stderr, "host_products: %s\n", gable_message(ctx));
        return 1;
    }
    p.A = take(p.n);
    p.B = take(p.n);
    p.C = take(p.n);
    fill(&p);
    for (int i = 2; i < argc; i++)
        run_party(argv[i], &p);
    gable_close(ctx);
    return 0;
}
