/* test_link_process.c: calls that go to a device from a process that forks, jumps and has threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * GABLE_LINK=device sends every call of plain_blas.c's names to $GABLE_DEVICE. Data are small
 * integers, so that all sums are exact and both sides give the same bits.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, feenableexcept */
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "harness/check.h"

#define N       40
#define LD      (N + 3)
#define GUARD   77777.0
#define THREADS 8

extern atomic_long plain_blas_calls;
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *A, const int *lda, const double *B, const int *ldb,
            const double *beta, double *C, const int *ldc, size_t length_a, size_t length_b);
void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *A, const int *lda, double *B,
            const int *ldb, size_t length_s, size_t length_u, size_t length_a, size_t length_d);

static jmp_buf after_error;
static bool jumps;
static int reported;

void xerbla_(const char *name, const int *argument, size_t length);
void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name;
    (void)length;
    reported = *argument;
    if (jumps)
        longjmp(after_error, 1);
}

typedef struct problem {
    double A[LD * N], B[LD * N], C[LD * N], expected[LD * N];
} problem;

static void fill(problem *made, int seed)
{
    for (int i = 0; i < LD * N; i++) {
        made->A[i] = (i * 7 + seed) % 5 - 2;
        made->B[i] = (i * 3 + seed) % 7 - 3;
        made->C[i] = i % LD < N ? (i + seed) % 9 - 4 : GUARD;
    }
    memcpy(made->expected, made->C, sizeof made->C);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int l = 0; l < N; l++)
                sum += made->A[i + l * LD] * made->B[l + j * LD];
            made->expected[i + j * LD] = 2 * sum + 3 * made->C[i + j * LD];
        }
}

static bool multiply(problem *made, int seed)
{
    const int n = N, ld = LD;
    const double alpha = 2, beta = 3;
    fill(made, seed);
    errno = 4711;
    dgemm_("N", "n", &n, &n, &n, &alpha, made->A, &ld, made->B, &ld, &beta, made->C, &ld, 1, 1);
    return errno == 4711 && memcmp(made->C, made->expected, sizeof made->C) == 0;
}

static void test_results(void)
{
    static problem made;
    const long before = plain_blas_calls;
    test_case("a product on the device");
    CHECK(multiply(&made, 1), "the result, a gap or errno is wrong");
    CHECK(plain_blas_calls == before, "the CPU library was called");

    test_case("a solve on the device");
    const int n = N, ld = LD;
    const double one = 1;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < LD; i++) {
            made.A[i + j * LD] = i == j ? 2 : i > j ? (i + j) % 3 - 1 : GUARD;
            made.B[i + j * LD] = i < N ? (i * j) % 5 - 2 : GUARD;
        }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < LD; i++) {
            double sum = i < N ? 0 : GUARD;
            for (int l = 0; l <= i && i < N; l++)
                sum += made.A[i + l * LD] * made.B[l + j * LD];
            made.C[i + j * LD] = sum;
        }
    dtrsm_("L", "L", "N", "N", &n, &n, &one, made.A, &ld, made.C, &ld, 1, 1, 1, 1);
    CHECK(memcmp(made.C, made.B, sizeof made.C) == 0, "the solution or a gap is wrong");
    CHECK(plain_blas_calls == before, "the CPU library was called");
}

static void test_dislikes(void)
{
    static problem made;
    const int n = N, ld = LD, bad = 3;
    const double alpha = 2, beta = 3;
    fill(&made, 5);
    test_case("a wrong leading dimension");
    dgemm_("N", "N", &n, &n, &n, &alpha, made.A, &bad, made.B, &ld, &beta, made.C, &ld, 1, 1);
    CHECK(reported == 8, "xerbla got %d", reported);
    test_case("jumps out of xerbla");
    jumps = true;
    for (volatile int i = 0; i < 1000; i++)
        if (setjmp(after_error) == 0)
            dgemm_("X", "N", &n, &n, &n, &alpha, made.A, &ld, made.B, &ld, &beta, made.C, &ld, 1,
                   1);
    jumps = false;
    CHECK(reported == 1, "xerbla got %d", reported);
    CHECK(multiply(&made, 2), "the door does not work afterwards");

    test_case("operands that overlap go on");
    const long before = plain_blas_calls;
    fill(&made, 3);
    dgemm_("N", "N", &n, &n, &n, &alpha, made.A, &ld, made.B, &ld, &beta, made.A + 1, &ld, 1, 1);
    CHECK(plain_blas_calls == before + 1, "the CPU library was not called");
    test_case("blocks of one matrix do not overlap");
    const int half = N / 2;
    dgemm_("N", "N", &half, &half, &half, &alpha, made.B, &ld, made.B + (ptrdiff_t)half * LD, &ld,
           &beta, made.B + half + (ptrdiff_t)half * LD, &ld, 1, 1);
    CHECK(plain_blas_calls == before + 1, "the CPU library was called");
}

static void *multiply_often(void *user)
{
    problem *const made = malloc(sizeof *made);
    intptr_t wrong = made == NULL;
    for (int i = 0; i < 20 && made != NULL; i++)
        wrong += !multiply(made, i + (int)(intptr_t)user);
    free(made);
    return (void *)wrong;
}

static void test_threads(void)
{
    pthread_t threads[THREADS];
    test_case("eight threads");
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, multiply_often, (void *)i) == 0, "no thread");
    for (int i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        pthread_join(threads[i], &wrong);
        CHECK(wrong == NULL, "%d products were wrong", (int)(intptr_t)wrong);
    }
}

/* ---- Pages that the program guards, as collectors of garbage do ---- */

static problem *guarded;
static atomic_int page_faults;

static void unguard(int signal, siginfo_t *fault, void *unused)
{
    (void)signal;
    (void)unused;
    const uintptr_t at = (uintptr_t)fault->si_addr, from = (uintptr_t)guarded;
    if (at < from || at >= from + sizeof *guarded ||
        mprotect(guarded, sizeof *guarded, PROT_READ | PROT_WRITE) != 0)
        _exit(9);
    page_faults++;
}

static void test_guarded_pages(void)
{
    const int n = N, ld = LD;
    const double alpha = 2, beta = 3;
    const struct sigaction handler = {.sa_sigaction = unguard, .sa_flags = SA_SIGINFO};
    struct sigaction before;
    test_case("a result on guarded pages");
    guarded =
        mmap(NULL, sizeof *guarded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(guarded != MAP_FAILED, "no memory");
    if (guarded == MAP_FAILED)
        return;
    fill(guarded, 8);
    sigaction(SIGSEGV, &handler, &before);
    mprotect(guarded, sizeof *guarded, PROT_READ);
    dgemm_("N", "n", &n, &n, &n, &alpha, guarded->A, &ld, guarded->B, &ld, &beta, guarded->C, &ld,
           1, 1);
    sigaction(SIGSEGV, &before, NULL);
    CHECK(page_faults == 1, "%d faults", (int)page_faults);
    CHECK(memcmp(guarded->C, guarded->expected, sizeof guarded->C) == 0, "the result is wrong");
    munmap(guarded, sizeof *guarded);
}

/* The child's product must be right, whoever computes it. */
static void test_fork(const char *when)
{
    static problem made;
    test_case("fork %s", when);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(multiply(&made, 11) && multiply(&made, 12) ? 0 : 1);
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child, "no child");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %d", status);
    CHECK(multiply(&made, 13), "the parent's product is wrong");
}

/* Before the device is open: its thread begins with what the program has. NaN between the columns
 * is no number of the product. */
static int multiply_with_traps(void)
{
    static problem made;
    const int n = N, ld = LD;
    const double alpha = 2, beta = 3;
    fill(&made, 4);
    for (int i = 0; i < LD * N; i++)
        if (i % LD >= N)
            made.A[i] = made.B[i] = NAN;
    feclearexcept(FE_ALL_EXCEPT);
    const int traps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
    if (feenableexcept(traps) == -1)
        return 0; /* this CPU cannot trap */
    dgemm_("N", "N", &n, &n, &n, &alpha, made.A, &ld, made.B, &ld, &beta, made.C, &ld, 1, 1);
    if (fegetexcept() != traps || fetestexcept(FE_ALL_EXCEPT) != 0)
        return 2;
    return memcmp(made.C, made.expected, sizeof made.C) != 0;
}

/* Neither a cache nor a place for measurements, and no memory may be locked. */
static int multiply_in_poverty(void)
{
    static problem made;
    const struct rlimit none = {.rlim_cur = 0};
    setenv("XDG_CACHE_HOME", "/proc/no-such-folder", 1);
    setenv("XDG_DATA_HOME", "/proc/no-such-folder", 1);
    return setrlimit(RLIMIT_MEMLOCK, &none) != 0 || !multiply(&made, 6);
}

static void test_child(const char *what, int (*body)(void))
{
    int status = -1;
    test_case("%s", what);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(body());
    CHECK(child > 0 && waitpid(child, &status, 0) == child, "no child");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %d", status);
}

int main(void)
{
    test_start("test_link_process");
    setenv("GABLE_LINK", "device", 1);
    test_child("floating-point traps", multiply_with_traps);
    test_child("no cache, no locked memory", multiply_in_poverty);
    test_fork("before the device is open");
    test_results();
    test_dislikes();
    test_threads();
    test_guarded_pages();
    test_fork("after the device was opened");
    return test_finish();
}
