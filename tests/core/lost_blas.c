/* lost_blas.c: a library like an OpenBLAS that does not know the CPU: it takes kernels for a
 * Prescott unless $OPENBLAS_CORETYPE named others when it was loaded.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>

const char *openblas_get_corename(void);
const char *openblas_get_config(void);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);

static char core[32] = "Prescott", config[64];

__attribute__((constructor)) static void choose(void)
{
    const char *wanted = getenv("OPENBLAS_CORETYPE");
    if (wanted != NULL && wanted[0] != '\0')
        snprintf(core, sizeof core, "%s", wanted);
    snprintf(config, sizeof config, "LostBLAS %s", core);
}

const char *openblas_get_corename(void)
{
    return core;
}

const char *openblas_get_config(void)
{
    return config;
}

double cblas_ddot(int n, const double *x, int incx, const double *y, int incy)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += x[i * incx] * y[i * incy];
    return sum;
}
