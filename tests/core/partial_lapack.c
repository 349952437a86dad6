/* partial_lapack.c: a LAPACK that has two functions, for test_cpu_lapack.c.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With WIDE its integers have 64 bits, as those of libraries that Gable refuses.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifdef WIDE
typedef int64_t integer;
#else
typedef int integer;
#endif

int partial_lapack_calls;

void dpotrf_(const char *uplo, const integer *n, double *A, const integer *lda, integer *info,
             size_t uplo_length);
void dlaset_(const char *uplo, const integer *m, const integer *n, const double *alpha,
             const double *beta, double *A, const integer *lda, size_t uplo_length);

/* The lower triangle, column by column. */
void dpotrf_(const char *uplo, const integer *n, double *A, const integer *lda, integer *info,
             size_t uplo_length)
{
    const integer ld = *lda;
    partial_lapack_calls++;
    *info = *uplo == 'L' && uplo_length == 1 ? 0 : -1;
    for (integer j = 0; *info == 0 && j < *n; j++) {
        for (integer i = j; i < *n; i++)
            for (integer k = 0; k < j; k++)
                A[i + j * ld] -= A[i + k * ld] * A[j + k * ld];
        if (!(A[j + j * ld] > 0)) {
            *info = j + 1;
            return;
        }
        A[j + j * ld] = sqrt(A[j + j * ld]);
        for (integer i = j + 1; i < *n; i++)
            A[i + j * ld] /= A[j + j * ld];
    }
}

void dlaset_(const char *uplo, const integer *m, const integer *n, const double *alpha,
             const double *beta, double *A, const integer *lda, size_t uplo_length)
{
    (void)uplo, (void)uplo_length;
    for (integer j = 0; j < *n; j++)
        for (integer i = 0; i < *m; i++)
            A[i + j * *lda] = i == j ? *beta : *alpha;
}
