/* test_link_faults.c: a device that fails, runs out of memory or blocks at each step of a call; a
 * process with little of everything; and when a device is opened.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * $GABLE_LIBRARY is faulty_gable.c. Each case is a process of its own. Whatever fails, the product
 * is right, by the device or by the CPU library, and what lies around it is untouched.
 */
#define _GNU_SOURCE /* feenableexcept, RLIMIT_NPROC */
#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "harness/check.h"
#include "model/cpu_rates.h"

#define LD           35
#define N            30
#define GUARD        77777.0
#define STEPS        8 /* open, describe, open by name, three products, and two more */
#define LARGE        540
#define MOST_SECONDS 20          /* of a case that might hang */
#if defined(__SANITIZE_THREAD__) /* large products take minutes */
#define LOOPS_ARE_SLOW true
#else
#define LOOPS_ARE_SLOW false
#endif
#define CALLERS 4

extern atomic_long plain_blas_calls;
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *A, const int *lda, const double *B, const int *ldb,
            const double *beta, double *C, const int *ldc, size_t length_a, size_t length_b);

void dgesv_(const int *n, const int *nrhs, double *A, const int *lda, int *ipiv, double *B,
            const int *ldb, int *info);

void xerbla_(const char *name, const int *argument, size_t length);
void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name;
    (void)argument;
    (void)length;
}

static _Thread_local double A[LD * N], B[LD * N], C[LD * N], expected[LD * N];

static bool multiply(double beta)
{
    const int n = N, ld = LD;
    const double alpha = 2;
    for (int i = 0; i < LD * N; i++) {
        A[i] = i % 5 - 2;
        B[i] = i % 7 - 3;
        C[i] = expected[i] = i % LD < N ? i % 9 - 4 : GUARD;
    }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int l = 0; l < N; l++)
                sum += A[i + l * LD] * B[l + j * LD];
            expected[i + j * LD] = alpha * sum + beta * C[i + j * LD];
        }
    dgemm_("N", "N", &n, &n, &n, &alpha, A, &ld, B, &ld, &beta, C, &ld, 1, 1);
    return memcmp(C, expected, sizeof C) == 0;
}

static int device_products(void)
{
    void *const library = dlopen(FAULTY_GABLE, RTLD_NOW | RTLD_NOLOAD);
    const int *const count = library != NULL ? dlsym(library, "faulty_products") : NULL;
    return count != NULL ? *count : 0;
}

/* Runs a case in a child; gives its exit code, or -1. */
static int run_case(int (*body)(int), int argument)
{
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(body(argument));
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

/* 0 where all three products are right; else 1. */
static int products(int unused)
{
    (void)unused;
    const bool first = multiply(3), second = multiply(0), third = multiply(3);
    return !(first && second && third && device_products() + plain_blas_calls >= 3);
}

static int sound(int unused)
{
    (void)unused;
    return !(multiply(3) && multiply(0) && device_products() == 2 && plain_blas_calls == 0);
}

static void test_steps(const char *kind)
{
    setenv("GABLE_LINK", "device", 1);
    setenv("FAULT_KIND", kind, 1);
    for (int at = 1; at <= STEPS; at++) {
        char number[16];
        snprintf(number, sizeof number, "%d", at);
        setenv("FAULT_AT", number, 1);
        test_case("%s at step %d", kind, at);
        const int code = run_case(products, 0);
        CHECK(code == 0, "the child ended with %d", code);
    }
    unsetenv("FAULT_AT");
    test_case("no fault");
    CHECK(run_case(sound, 0) == 0, "products did not go to the device, or are wrong");
}

/* The first product is completed by the cpu; the device is not asked again. */
static int completed(int unused)
{
    (void)unused;
    return !(multiply(3) && multiply(3) && multiply(0) && device_products() == 1 &&
             plain_blas_calls == 2);
}

static void test_late(void)
{
    setenv("FAULT_KIND", "late", 1);
    setenv("FAULT_AT", "4", 1);
    test_case("a device that fails after a part was delivered");
    CHECK(run_case(completed, 0) == 0, "a product is wrong, or the device was asked again");
    unsetenv("FAULT_AT");
    unsetenv("FAULT_KIND");
}

/* ---- A driver that does not return ---- */

static void *multiply_twice(void *unused)
{
    (void)unused;
    return (void *)(intptr_t)(multiply(3) && multiply(0));
}

/* The first of four callers waits in vain, those behind it no longer than it does. The process ends
 * as it always does, though a thread is still in the driver. */
static int blocked(int unused)
{
    pthread_t threads[CALLERS];
    bool right = products(unused) == 0;
    for (int i = 0; i < CALLERS; i++)
        right = pthread_create(&threads[i], NULL, multiply_twice, NULL) == 0 && right;
    for (int i = 0; i < CALLERS; i++) {
        void *answer = NULL;
        right = pthread_join(threads[i], &answer) == 0 && answer != NULL && right;
    }
    exit(!right);
}

static void test_blocked(void)
{
    setenv("GABLE_LINK", "device", 1);
    setenv("FAULT_KIND", "blocks", 1);
    setenv("GABLE_LINK_LIMIT", "20", 1);
    for (int at = 1; at <= STEPS; at++) {
        char number[16];
        snprintf(number, sizeof number, "%d", at);
        setenv("FAULT_AT", number, 1);
        test_case("a driver that blocks at step %d", at);
        const int code = run_case(blocked, 0);
        CHECK(code == 0, "the child ended with %d", code);
    }
    unsetenv("GABLE_LINK_LIMIT");
    unsetenv("FAULT_AT");
    unsetenv("FAULT_KIND");
}

/* After a failure the device is asked whether it still works. It does not answer: the caller has
 * its result by then, and nobody waits longer than the limit. */
static int doubted(int late)
{
    alarm(MOST_SECONDS);
    const bool first = multiply(3) && device_products() == late;
    exit(!(first && multiply(3) && multiply(0) && plain_blas_calls == 3 - late));
}

static void test_doubted(void)
{
    setenv("GABLE_LINK", "device", 1);
    setenv("GABLE_LINK_LIMIT", "20", 1);
    setenv("FAULT_AT", "4", 1);
    for (int late = 0; late < 2; late++) {
        setenv("FAULT_KIND", late ? "late doubt" : "doubt", 1);
        test_case("a device that does not say whether it works%s", late ? ", late" : "");
        const int code = run_case(doubted, late);
        CHECK(code == 0, "the child ended with %d", code);
    }
    unsetenv("GABLE_LINK_LIMIT");
    unsetenv("FAULT_AT");
    unsetenv("FAULT_KIND");
}

/* The driver blocks when it gets memory back, between two calls: they, a child and the end of the
 * process do without. */
static int rested(int unused)
{
    (void)unused;
    alarm(MOST_SECONDS);
    const bool first = multiply(3) && device_products() == 1;
    void *const library = dlopen(FAULTY_GABLE, RTLD_NOW | RTLD_NOLOAD);
    atomic_bool *const resting = library != NULL ? dlsym(library, "faulty_resting") : NULL;
    if (resting == NULL)
        return 2;
    while (!atomic_load(resting))
        sched_yield();
    const int child = run_case(products, 0);
    exit(!(first && child == 0 && multiply(3) && multiply(0) && plain_blas_calls == 2));
}

static void test_rested(void)
{
    setenv("GABLE_LINK", "device", 1);
    setenv("GABLE_LINK_LIMIT", "20", 1);
    setenv("GABLE_LINK_REST", "1", 1);
    setenv("FAULT_KIND", "rests", 1);
    test_case("a driver that blocks between calls");
    const int code = run_case(rested, 0);
    CHECK(code == 0, "the child ended with %d", code);
    unsetenv("GABLE_LINK_REST");
    unsetenv("GABLE_LINK_LIMIT");
    unsetenv("FAULT_KIND");
}

/* ---- A process with little of everything ---- */

static const struct {
    const char *name;
    int resource;
    long bytes; /* beside what it has already */
} limits[] = {
    {"no threads", RLIMIT_NPROC, 0},
    {"no files", RLIMIT_NOFILE, 0},
    {"no locked memory", RLIMIT_MEMLOCK, 0},
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* which need much of it */
    {"no address space", RLIMIT_AS, 1 << 16},
    {"address space for a library, not for a stack", RLIMIT_AS, 4 << 20},
    {"address space for a stack, not for a heap", RLIMIT_AS, 10 << 20},
#endif
};

static long address_space(void)
{
    long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    if (file != NULL && fscanf(file, "%ld", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static int limited(int which)
{
    const rlim_t most = limits[which].resource == RLIMIT_AS
                            ? (rlim_t)(address_space() + limits[which].bytes)
                            : (rlim_t)limits[which].bytes;
    const struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
    /* The number of threads does not limit root. */
    if (limits[which].resource == RLIMIT_NPROC && geteuid() == 0 && setuid(65534) != 0)
        return 0;
    return setrlimit(limits[which].resource, &limit) != 0 ? 2 : products(0);
}

static void test_limits(void)
{
    setenv("GABLE_LINK", "device", 1);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        test_case("%s", limits[i].name);
        const int code = run_case(limited, (int)i);
        CHECK(code == 0, "the child ended with %d", code);
    }
}

/* ---- Decisions ---- */

/* How many of so many large products go to the device. */
static int large_products(int count)
{
    const int n = LARGE;
    const double one = 1, zero = 0;
    double *const a = calloc((size_t)n * (size_t)n * 2, sizeof *a), *const c = a + n * n;
    if (a == NULL)
        return 100;
    a[0] = 3;
    for (int i = 0; i < count; i++)
        dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n, 1, 1);
    const int code = c[0] == 9 && c[1] == 0 ? device_products() : 100;
    free(a);
    return code;
}

/* In a program that traps on floating-point exceptions, as Fortran's may: predictions do not. */
static int trapped_products(int count)
{
    const int traps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT;
    feclearexcept(FE_ALL_EXCEPT);
    if (feenableexcept(traps) == -1)
        return large_products(count); /* this CPU cannot trap */
    const int code = large_products(count);
    return fegetexcept() == traps && fetestexcept(FE_ALL_EXCEPT) == 0 ? code : 101;
}

/* Plain libraries were measured: a product of LARGE takes so many seconds. */
static void set_cpu_time(double seconds)
{
    const double work = (double)LARGE * LARGE * LARGE;
    const gbl_cpu_sample sample = {.words = "another",
                                   .threads = 1,
                                   .routine = "gemm",
                                   .dtype = GBL_D,
                                   .multiply_adds = work,
                                   .flops = 2 * work / seconds};
    CHECK(gbl_cpu_rates_store(&sample, 1), "the rate is not stored");
}

static void test_decisions(void)
{
    char folder[] = "/tmp/gable-link-XXXXXX", path[64];
    CHECK(mkdtemp(folder) != NULL, "no folder");
    setenv("XDG_DATA_HOME", folder, 1);
    setenv("GABLE_LINK", "auto", 1);
    test_case("a call that pays alone");
    set_cpu_time(1);
    int code = run_case(large_products, 2);
    CHECK(code == 2, "%d of 2 products went to the device", code);
    test_case("calls that pay together: 97 ms each, against 300");
    set_cpu_time(0.095); /* the class of this size is judged by its middle, 544 */
    code = run_case(large_products, 5);
    CHECK(code == 2, "%d of 5 products went to the device", code);
    test_case("the same in a process that traps on floating-point exceptions");
    code = run_case(trapped_products, 5);
    CHECK(code == 2, "%d of 5 products went to the device", code);
    test_case("a CPU that is as fast");
    set_cpu_time(1e-3);
    code = run_case(large_products, 1);
    CHECK(code == 0, "%d products went to the device", code);
    snprintf(path, sizeof path, "%s/gable/cpu_rates.jsonl", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/gable", folder);
    rmdir(path);
    rmdir(folder);
}

/* ---- Rates ---- */

/* A system, with a column of zeros where it is singular. The process ends as programs do. */
static int solve(int singular)
{
    const int n = LARGE, one = 1;
    int *const ipiv = calloc((size_t)n, sizeof *ipiv), info = -7;
    double *const a = calloc((size_t)n * (size_t)(n + 1), sizeof *a);
    if (a == NULL || ipiv == NULL)
        return 1;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            a[i + j * n] = j > 0 || !singular ? (i == j) + 1e-3 * (i * 7 % 11) : 0;
    dgesv_(&n, &one, a, &n, ipiv, a + n * n, &n, &info);
    free(a);
    free(ipiv);
    exit(info != singular);
}

static bool has_rate(const char *path)
{
    char line[1024];
    bool found = false;
    FILE *const file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        found = found || strstr(line, "\"gesv\"") != NULL;
    if (file != NULL)
        fclose(file);
    return found;
}

static void test_rates(void)
{
    char folder[] = "/tmp/gable-link-XXXXXX", path[64];
    CHECK(mkdtemp(folder) != NULL, "no folder");
    setenv("XDG_DATA_HOME", folder, 1);
    setenv("GABLE_LINK", "cpu", 1);
    snprintf(path, sizeof path, "%s/gable/cpu_rates.jsonl", folder);
    test_case("the rate of a system that is singular");
    CHECK(run_case(solve, 1) == 0 && !has_rate(path), "it was kept");
    test_case("the rate of a system");
    CHECK(run_case(solve, 0) == 0 && has_rate(path), "it was not kept");
    unlink(path);
    snprintf(path, sizeof path, "%s/gable", folder);
    rmdir(path);
    rmdir(folder);
}

int main(void)
{
    test_start("test_link_faults");
    setenv("GABLE_LIBRARY", FAULTY_GABLE, 1);
    test_steps("memory");
    test_steps("lost");
    test_late();
    test_blocked();
    test_doubted();
    test_rested();
    test_limits();
    if (!LOOPS_ARE_SLOW) {
        test_decisions();
        test_rates();
    }
    return test_finish();
}
