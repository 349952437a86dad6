/* plain_blas.c: a CPU library for tests of libgable_link: dgemm_ and dtrsm_ in plain loops.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It counts its calls, and reports a wrong argument to the program's xerbla_, as the reference
 * does.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

atomic_long plain_blas_calls;

extern void xerbla_(const char *name, const int *argument, size_t length);

int idamax_(const int *n, const double *x, const int *incx)
{
    int largest = *n > 0;
    for (int i = 1; i < *n; i++)
        if (x[i * *incx] > x[(largest - 1) * *incx])
            largest = i + 1;
    return largest;
}

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *A, const int *lda, const double *B, const int *ldb,
            const double *beta, double *C, const int *ldc, size_t length_a, size_t length_b)
{
    const bool a_turned = (*transa | 32) == 't', b_turned = (*transb | 32) == 't';
    const int wrong = !a_turned && (*transa | 32) != 'n'        ? 1
                      : !b_turned && (*transb | 32) != 'n'      ? 2
                      : *m < 0                                  ? 3
                      : *lda < (a_turned ? *k : *m) || *lda < 1 ? 8
                                                                : 0;
    (void)length_a;
    (void)length_b;
    plain_blas_calls++;
    if (wrong != 0) {
        xerbla_("DGEMM ", &wrong, 6);
        return;
    }
    for (int64_t j = 0; j < *n; j++)
        for (int64_t i = 0; i < *m; i++) {
            double sum = 0;
            for (int64_t l = 0; l < *k; l++)
                sum += (a_turned ? A[l + i * *lda] : A[i + l * *lda]) *
                       (b_turned ? B[j + l * *ldb] : B[l + j * *ldb]);
            C[i + j * *ldc] = *alpha * sum + (*beta != 0 ? *beta * C[i + j * *ldc] : 0);
        }
}

void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *A, const int *lda, double *B,
            const int *ldb, size_t length_s, size_t length_u, size_t length_a, size_t length_d)
{
    (void)side, (void)uplo, (void)transa, (void)diag; /* lower, from the left */
    (void)length_s, (void)length_u, (void)length_a, (void)length_d;
    plain_blas_calls++;
    for (int64_t j = 0; j < *n; j++)
        for (int64_t i = 0; i < *m; i++) {
            double sum = *alpha * B[i + j * *ldb];
            for (int64_t l = 0; l < i; l++)
                sum -= A[i + l * *lda] * B[l + j * *ldb];
            B[i + j * *ldb] = sum / A[i + i * *lda];
        }
}
