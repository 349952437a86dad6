/* planted_bits.c: a libgable of which one result differs in its last bit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It needs the true library, where all other names are found.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

typedef int daxpy(void *ctx, int64_t n, double alpha, const double *x, int64_t incx, double *y,
                  int64_t incy);

int gable_daxpy(void *ctx, int64_t n, double alpha, const double *x, int64_t incx, double *y,
                int64_t incy);
int gable_daxpy(void *ctx, int64_t n, double alpha, const double *x, int64_t incx, double *y,
                int64_t incy)
{
    union {
        void *address;
        daxpy *call;
    } next = {.address = dlsym(RTLD_NEXT, "gable_daxpy")};
    const int status = next.call(ctx, n, alpha, x, incx, y, incy);
    if (n > 0)
        *(uint64_t *)(void *)y ^= 1; /* on cpu the device's memory is the host's */
    return status;
}
