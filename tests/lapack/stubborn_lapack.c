/* stubborn_lapack.c: a LAPACK whose eigenvalues and singular values do not converge.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Its routines tell what they want of work arrays and fail, as the real ones would: sterf leaves
 * two elements beside the diagonal, the others rows 2 to 4; gesdd tells 1. A matrix B with a first
 * element that is not positive is not definite, to sygvd. Otherwise Gable's own code serves.
 */
#include <math.h>
#include <stddef.h>

#define PART(n) (2 * ((n) + 1) + 4)

/* By dpotrf_ Gable knows a LAPACK. */
void dpotrf_(const char *uplo, const int *n, double *A, const int *lda, int *info, size_t length);
void dsterf_(const int *n, double *d, double *e, int *info);
void dstedc_(const char *compz, const int *n, double *d, double *e, double *Z, const int *ldz,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t length);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *A, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t length_j, size_t length_u);
void dsygvd_(const int *itype, const char *jobz, const char *uplo, const int *n, double *A,
             const int *lda, double *B, const int *ldb, double *w, double *work, const int *lwork,
             int *iwork, const int *liwork, int *info, size_t length_j, size_t length_u);
void dgesdd_(const char *jobz, const int *m, const int *n, double *A, const int *lda, double *s,
             double *U, const int *ldu, double *Vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t length);

static int is_question(const int *lwork, double *work, int *iwork, int *info)
{
    if (*lwork >= 0)
        return 0;
    work[0] = 64;
    if (iwork != NULL)
        iwork[0] = 64;
    *info = 0;
    return 1;
}

/* Column by column, of either triangle. */
void dpotrf_(const char *uplo, const int *n, double *A, const int *lda, int *info, size_t length)
{
    const int lower = *uplo == 'L', down = lower ? 1 : *lda, over = lower ? *lda : 1;
    (void)length;
    for (int j = 0; j < *n; j++)
        for (int i = j; i < *n; i++) {
            double sum = A[i * down + j * over];
            for (int k = 0; k < j; k++)
                sum -= A[i * down + k * over] * A[j * down + k * over];
            if (i == j && !(sum > 0)) {
                *info = j + 1;
                return;
            }
            A[i * down + j * over] = i == j ? sqrt(sum) : sum / A[j * down + j * over];
        }
    *info = 0;
}

void dsterf_(const int *n, double *d, double *e, int *info)
{
    (void)n, (void)d, (void)e;
    *info = 2;
}

void dstedc_(const char *compz, const int *n, double *d, double *e, double *Z, const int *ldz,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t length)
{
    (void)compz, (void)d, (void)e, (void)Z, (void)ldz, (void)liwork, (void)length;
    if (!is_question(lwork, work, iwork, info))
        *info = PART(*n);
}

void dsyevd_(const char *jobz, const char *uplo, const int *n, double *A, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t length_j, size_t length_u)
{
    (void)uplo, (void)A, (void)lda, (void)w, (void)liwork, (void)length_j, (void)length_u;
    if (!is_question(lwork, work, iwork, info))
        *info = *jobz == 'V' ? PART(*n) : 2;
}

void dsygvd_(const int *itype, const char *jobz, const char *uplo, const int *n, double *A,
             const int *lda, double *B, const int *ldb, double *w, double *work, const int *lwork,
             int *iwork, const int *liwork, int *info, size_t length_j, size_t length_u)
{
    (void)itype, (void)jobz, (void)uplo, (void)A, (void)lda, (void)ldb, (void)w, (void)liwork;
    (void)length_j, (void)length_u;
    if (!is_question(lwork, work, iwork, info))
        *info = B[0] > 0 ? PART(*n) : *n + 1;
}

void dgesdd_(const char *jobz, const int *m, const int *n, double *A, const int *lda, double *s,
             double *U, const int *ldu, double *Vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t length)
{
    (void)jobz, (void)m, (void)n, (void)A, (void)lda, (void)s, (void)U, (void)ldu, (void)Vt;
    (void)ldvt, (void)length;
    if (!is_question(lwork, work, NULL, info))
        *info = iwork != NULL ? 1 : 0;
}
