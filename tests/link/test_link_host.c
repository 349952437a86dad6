/* test_link_host.c: the link door over the standard door, on a device that fails at each step of
 * it, or does not answer.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * $GABLE_LIBRARY is beside_gable.c. Each case is a process of its own. The device has so little
 * memory that calls are tiled and delivered in panels. All values are whole numbers: whatever
 * fails, the results are right to the last bit, by the device or by the CPU library, and what lies
 * around them is untouched.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../host/beside_device.h"
#include "harness/check.h"

#define N      150
#define LD     (N + 7)
#define GUARD  77777.0
#define ROUNDS 3 /* calls of a case */

enum { FIRED = 0, NOT_FIRED = 3, WRONG = 4, ELSEWHERE = 5 };

extern atomic_long plain_blas_calls;
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *A, const int *lda, const double *B, const int *ldb,
            const double *beta, double *C, const int *ldc, size_t length_a, size_t length_b);
void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *A, const int *lda, double *B,
            const int *ldb, size_t length_s, size_t length_u, size_t length_a, size_t length_d);

void xerbla_(const char *name, const int *argument, size_t length);
void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name;
    (void)argument;
    (void)length;
}

static double A[LD * N], B[LD * N], C[LD * N], expected[LD * N];

static void fill(void)
{
    for (int i = 0; i < LD * N; i++) {
        A[i] = i % 5 - 2;
        B[i] = i % 7 - 3;
        C[i] = expected[i] = i % LD < N ? i % 9 - 4 : GUARD;
    }
}

static bool multiply(double beta)
{
    const int n = N, ld = LD;
    const double alpha = 2;
    fill();
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

/* A has ones on the diagonal, below it, and in the first column, so that numbers stay small. */
static bool solve(void)
{
    const int n = N, ld = LD;
    const double alpha = 2;
    fill();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            A[i + j * LD] = i == j || i == j + 1 || (j == 0 && i > 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double *const x = expected + j * LD;
            x[i] = alpha * x[i] - (i > 0 ? x[0] : 0) - (i > 1 ? x[i - 1] : 0);
        }
    dtrsm_("L", "L", "N", "N", &n, &n, &alpha, A, &ld, C, &ld, 1, 1, 1, 1);
    return memcmp(C, expected, sizeof C) == 0;
}

static bool has_fired(void)
{
    bool (*fired)(void) = NULL;
    void *const library = dlopen(BESIDE_GABLE, RTLD_NOW | RTLD_NOLOAD);
    void *const found = library != NULL ? dlsym(library, "beside_gable_fired") : NULL;
    memcpy(&fired, &found, sizeof fired);
    return fired != NULL && fired();
}

/* The call of each number in a child; the first of them is number `first`. */
static int run_case(int first)
{
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < ROUNDS; i++) {
            const int which = (first + i) % ROUNDS;
            if (!(which == 0 ? multiply(3) : which == 1 ? solve() : multiply(0)))
                _exit(WRONG);
        }
        _exit(has_fired() ? FIRED : plain_blas_calls > 0 ? ELSEWHERE : NOT_FIRED);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : -1;
}

static void set_number(const char *variable, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(variable, text, 1);
}

/* Until no operation of the kind is left. */
static int fail_each(int kind, bool always)
{
    int fired = 0;
    set_number("BESIDE_KIND", kind);
    set_number("BESIDE_ALWAYS", always);
    for (int at = 1;; at += 1 + at / 2) {
        set_number("BESIDE_AT", at);
        test_case("operation %d of kind %d fails%s", at, kind, always ? ", and all after it" : "");
        const int code = run_case(at);
        CHECK(code == FIRED || code == NOT_FIRED, "the child ended with %d", code);
        if (code != FIRED)
            break;
        fired++;
    }
    unsetenv("BESIDE_AT");
    return fired;
}

int main(void)
{
    test_start("test_link_host");
    setenv("GABLE_LIBRARY", BESIDE_GABLE, 1);
    setenv("GABLE_LINK", "device", 1);
    setenv("GABLE_DEVICE", "beside", 1);
    setenv("GABLE_HOST_MEMORY", "64K", 1);
    setenv("GABLE_TUNING", "off", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    test_case("no fault");
    const int code = run_case(0);
    CHECK(code == NOT_FIRED, "the child ended with %d", code);
    for (int kind = 0; kind < BESIDE_KINDS; kind++)
        for (int always = 0; always < 2; always++) {
            const int fired = fail_each(kind, always);
            CHECK(fired > 0, "no operation of kind %d failed", kind);
        }
    for (int at = 1; at < 60; at += 1 + at / 2) {
        set_number("BESIDE_HANG", at);
        test_case("no answer from wait %d on", at);
        const int hung = run_case(at);
        CHECK(hung == ELSEWHERE, "the child ended with %d", hung);
    }
    return test_finish();
}
