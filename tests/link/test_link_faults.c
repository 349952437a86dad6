/* test_link_faults.c: a device that fails or runs out of memory at each step of a call; and when
 * a device is opened.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * $GABLE_LIBRARY is faulty_gable.c. Each case is a process of its own. Whatever fails, the product
 * is right, by the device or by the CPU library, and what lies around it is untouched.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "harness/check.h"

#define LD    35
#define N     30
#define GUARD 77777.0
#define STEPS 8 /* open, describe, open by name, three products, and two more */
#define LARGE 540

extern atomic_long plain_blas_calls;
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *A, const int *lda, const double *B, const int *ldb,
            const double *beta, double *C, const int *ldc, size_t length_a, size_t length_b);

void xerbla_(const char *name, const int *argument, size_t length);
void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name;
    (void)argument;
    (void)length;
}

static double A[LD * N], B[LD * N], C[LD * N], expected[LD * N];

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

/* A plain library on one thread is taken for ten times slower than Gable's cpu. */
static void test_decisions(void)
{
    setenv("GABLE_LINK", "auto", 1);
    test_case("a call that pays alone");
    setenv("PREDICTED_CPU", "100000", 1);
    int code = run_case(large_products, 2);
    CHECK(code == 2, "%d of 2 products went to the device", code);
    test_case("calls that pay together: 99 ms each, against 300");
    setenv("PREDICTED_CPU", "10000", 1);
    code = run_case(large_products, 5);
    CHECK(code == 2, "%d of 5 products went to the device", code);
    test_case("a CPU that is as fast");
    setenv("PREDICTED_CPU", "100", 1);
    code = run_case(large_products, 1);
    CHECK(code == 0, "%d products went to the device", code);
}

int main(void)
{
    test_start("test_link_faults");
    setenv("GABLE_LIBRARY", FAULTY_GABLE, 1);
    test_steps("memory");
    test_steps("lost");
    test_late();
    test_decisions();
    return test_finish();
}
