/* naive_blas.c: a BLAS whose products take long, for test_slow_blas.c.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Three plain loops, along rows. dgemm does not read C where beta is 0, as BLAS says; sgemm does,
 * as some libraries do. The last beta and the calls are told, so that the test sees who computed,
 * and what was asked for.
 */
int naive_blas_calls;
double naive_blas_beta;

#define TRANS 112

double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[(long)i * incx] * y[(long)i * incy];
    return sum;
}

#define GEMM(name, T, READS_C)                                                                     \
    void name(int order, int trans_a, int trans_b, int m, int n, int k, T alpha, const T *A,       \
              int lda, const T *B, int ldb, T beta, T *C, int ldc);                                \
    void name(int order, int trans_a, int trans_b, int m, int n, int k, T alpha, const T *A,       \
              int lda, const T *B, int ldb, T beta, T *C, int ldc)                                 \
    {                                                                                              \
        (void)order;                                                                               \
        naive_blas_calls++;                                                                        \
        naive_blas_beta = beta;                                                                    \
        for (int i = 0; i < m; i++)                                                                \
            for (int j = 0; j < n; j++) {                                                          \
                volatile T sum = 0; /* one addition after the other, through memory */             \
                for (int p = 0; p < k; p++)                                                        \
                    sum = sum + A[trans_a == TRANS ? p + (long)i * lda : i + (long)p * lda] *      \
                                    B[trans_b == TRANS ? j + (long)p * ldb : p + (long)j * ldb];   \
                T *const c = C + i + (long)j * ldc;                                                \
                *c = alpha * sum + ((READS_C) || beta != 0 ? beta * *c : 0);                       \
            }                                                                                      \
    }
GEMM(cblas_sgemm, float, 1)
GEMM(cblas_dgemm, double, 0)
