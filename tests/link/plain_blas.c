/* plain_blas.c: a CPU library for tests of libgable_link: dgemm_, dtrsm_, dgesv_ and dpotrf_ in
 * plain loops, and dsyevd_ of diagonal matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It counts its calls, and reports a wrong argument to the program's xerbla_, as the reference
 * does.
 */
#include <math.h>
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

/* Exchanges rows a and b of the columns. */
static void exchange(double *X, int64_t ld, int64_t columns, int64_t a, int64_t b)
{
    for (int64_t j = 0; j < columns; j++) {
        const double kept = X[a + j * ld];
        X[a + j * ld] = X[b + j * ld];
        X[b + j * ld] = kept;
    }
}

void dgesv_(const int *order, const int *nrhs, double *A, const int *lda, int *ipiv, double *B,
            const int *ldb, int *info)
{
    const int64_t n = *order, ld = *lda;
    *info = 0;
    plain_blas_calls++;
    for (int64_t j = 0; j < n; j++) {
        int64_t pivot = j;
        for (int64_t i = j; i < n; i++)
            if (fabs(A[i + j * ld]) > fabs(A[pivot + j * ld]))
                pivot = i;
        ipiv[j] = (int)pivot + 1;
        exchange(A, ld, n, j, pivot);
        if (A[j + j * ld] == 0) {
            *info = *info == 0 ? (int)j + 1 : *info;
            continue;
        }
        for (int64_t i = j + 1; i < n; i++) {
            A[i + j * ld] /= A[j + j * ld];
            for (int64_t l = j + 1; l < n; l++)
                A[i + l * ld] -= A[i + j * ld] * A[j + l * ld];
        }
    }
    for (int64_t j = 0; *info == 0 && j < n; j++)
        exchange(B, *ldb, *nrhs, j, ipiv[j] - 1);
    for (int64_t c = 0; *info == 0 && c < *nrhs; c++) {
        double *const x = B + c * *ldb;
        for (int64_t i = 0; i < n; i++)
            for (int64_t l = 0; l < i; l++)
                x[i] -= A[i + l * ld] * x[l];
        for (int64_t i = n - 1; i >= 0; i--) {
            for (int64_t l = i + 1; l < n; l++)
                x[i] -= A[i + l * ld] * x[l];
            x[i] /= A[i + i * ld];
        }
    }
}

void dpotrf_(const char *uplo, const int *order, double *A, const int *lda, int *info,
             size_t length_u)
{
    const int64_t n = *order, ld = *lda;
    (void)uplo, (void)length_u; /* lower */
    *info = 0;
    plain_blas_calls++;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t l = 0; l < j; l++)
            for (int64_t i = j; i < n; i++)
                A[i + j * ld] -= A[i + l * ld] * A[j + l * ld];
        if (!(A[j + j * ld] > 0)) {
            *info = (int)j + 1;
            return;
        }
        A[j + j * ld] = sqrt(A[j + j * ld]);
        for (int64_t i = j + 1; i < n; i++)
            A[i + j * ld] /= A[j + j * ld];
    }
}

/* Sorts the diagonal, and the unit vectors with it. A NaN is wrong. */
void dsyevd_(const char *jobz, const char *uplo, const int *order, double *A, const int *lda,
             double *w, double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t length_j, size_t length_u)
{
    const int64_t n = *order, ld = *lda;
    (void)jobz, (void)uplo, (void)liwork, (void)length_j, (void)length_u; /* vectors */
    work[0] = 4321;
    iwork[0] = 321;
    *info = 0;
    if (*lwork == -1)
        return;
    plain_blas_calls++;
    for (int64_t i = 0; i < n; i++)
        if (isnan(A[i + i * ld])) {
            *info = -4;
            return;
        }
    for (int64_t i = 0; i < n; i++)
        w[i] = A[i + i * ld];
    for (int64_t i = 0; i < n; i++) {
        int64_t below = 0;
        for (int64_t k = 0; k < n; k++)
            below += w[k] < w[i];
        for (int64_t k = 0; k < n; k++)
            A[k + below * ld] = k == i;
    }
    for (int64_t i = 1; i < n; i++)
        for (int64_t k = i; k > 0 && w[k] < w[k - 1]; k--) {
            const double kept = w[k];
            w[k] = w[k - 1];
            w[k - 1] = kept;
        }
}
