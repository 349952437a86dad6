/* cpu_family.c: the kind of this CPU and of its BLAS, as far as choices between variants depend on
 * them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A BLAS is known by its speed, not by its name: a plain dot product, whose additions wait for each
 * other, takes about four cycles per element. So does the reference BLAS; a BLAS that was written
 * for the CPU takes a tenth of that. Some 20 us, once.
 */
#include <pthread.h>
#include <stdbool.h>
#include <time.h>
#include "device/cpu_blas.h"
#include "device/cpu_family.h"

#define LENGTH 1024
#define ROUNDS 9   /* the best of them counts: other programs may run */
#define FASTER 2.5 /* times: between 1 and 10 */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool tuned;

static double seconds_now(void)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

static double plain_dot(const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < LENGTH; i++)
        sum += x[i] * y[i];
    return sum;
}

static void time_blas(void)
{
    static double x[LENGTH], y[LENGTH];
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    double plain = 1, library = 1;
    volatile double sum = 0;
    if (blas == NULL || blas->ddot == NULL)
        return;
    for (int i = 0; i < LENGTH; i++)
        x[i] = y[i] = 1;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = seconds_now();
        sum += plain_dot(x, y);
        const double middle = seconds_now();
        sum += blas->ddot(LENGTH, x, 1, y, 1);
        const double end = seconds_now();
        plain = middle - start < plain ? middle - start : plain;
        library = end - middle < library ? end - middle : library;
    }
    tuned = sum > 0 && library * FASTER < plain;
}

const char *gbl_family_of(const gbl_device *device)
{
    if (!device->props.is_host)
        return device->props.family;
    pthread_once(&once, time_blas);
    if (!tuned)
        return "cpu-alone";
#if defined(__x86_64__)
    return device->props.units > 1 ? "cpu-x86-threads" : "cpu-x86";
#else
    return "cpu";
#endif
}
