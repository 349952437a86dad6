/* partial_blas.c: a BLAS that has four functions, for test_partial_blas.c.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * partial_blas_calls counts, so that the test sees who computed.
 */
int partial_blas_calls;

double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy)
{
    double sum = 0;
    partial_blas_calls++;
    for (int i = 0; i < n; i++)
        sum += x[(long)i * incx] * y[(long)i * incy];
    return sum;
}

/* One of the two that cdotu and cdotc need. */
void cblas_cdotu_sub(int n, const void *x, int incx, const void *y, int incy, void *result);
void cblas_cdotu_sub(int n, const void *x, int incx, const void *y, int incy, void *result)
{
    (void)n, (void)x, (void)incx, (void)y, (void)incy, (void)result;
    partial_blas_calls++;
}

void cblas_sscal(int n, float alpha, float *x, int incx);
void cblas_sscal(int n, float alpha, float *x, int incx)
{
    partial_blas_calls++;
    for (int i = 0; i < n; i++)
        x[(long)i * incx] *= alpha;
}

/* One of the two that syrk and herk need. */
void cblas_csyrk(int order, int uplo, int trans, int n, int k, const void *alpha, const void *A,
                 int lda, const void *beta, void *C, int ldc);
void cblas_csyrk(int order, int uplo, int trans, int n, int k, const void *alpha, const void *A,
                 int lda, const void *beta, void *C, int ldc)
{
    (void)order, (void)uplo, (void)trans, (void)n, (void)k, (void)alpha, (void)A, (void)lda;
    (void)beta, (void)C, (void)ldc;
    partial_blas_calls++;
}
