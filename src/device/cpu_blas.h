/* cpu_blas.h: the BLAS that is installed on this machine, found at run time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Only functions with cblas_ names and int integers. The library is opened once, isolated from the
 * program's own BLAS, and stays for the life of the process. All functions are safe from several
 * threads.
 */
#ifndef GBL_CPU_BLAS_H
#define GBL_CPU_BLAS_H

#include <stdbool.h>
#include <stdint.h>
#include "device/dtype.h"

/* The functions in use, by their names without cblas_. Pointers follow BLAS: with a negative stride
 * they point at the low end of the vector. order is GBL_CPU_BLAS_COLUMNS; trans, uplo, diag
 * and side are gable_trans, gable_uplo, gable_diag and gable_side, whose numbers are CBLAS's. */
#define GBL_CPU_BLAS_COLUMNS 102 /* CblasColMajor */

/* Products with bands and packed triangles: scalars by value in s and d, by address in c and z. */
typedef void gbl_blas_sgbmv(int order, int trans, int m, int n, int kl, int ku, float alpha,
                            const void *A, int lda, const void *x, int incx, float beta, void *y,
                            int incy);
typedef void gbl_blas_dgbmv(int order, int trans, int m, int n, int kl, int ku, double alpha,
                            const void *A, int lda, const void *x, int incx, double beta, void *y,
                            int incy);
typedef void gbl_blas_zgbmv(int order, int trans, int m, int n, int kl, int ku, const void *alpha,
                            const void *A, int lda, const void *x, int incx, const void *beta,
                            void *y, int incy);
typedef void gbl_blas_ssbmv(int order, int uplo, int n, int k, float alpha, const void *A, int lda,
                            const void *x, int incx, float beta, void *y, int incy);
typedef void gbl_blas_dsbmv(int order, int uplo, int n, int k, double alpha, const void *A, int lda,
                            const void *x, int incx, double beta, void *y, int incy);
typedef void gbl_blas_zhbmv(int order, int uplo, int n, int k, const void *alpha, const void *A,
                            int lda, const void *x, int incx, const void *beta, void *y, int incy);
typedef void gbl_blas_sspmv(int order, int uplo, int n, float alpha, const void *A, const void *x,
                            int incx, float beta, void *y, int incy);
typedef void gbl_blas_dspmv(int order, int uplo, int n, double alpha, const void *A, const void *x,
                            int incx, double beta, void *y, int incy);
typedef void gbl_blas_zhpmv(int order, int uplo, int n, const void *alpha, const void *A,
                            const void *x, int incx, const void *beta, void *y, int incy);
/* Products and solves with triangles: full, bands, packed; alike in all precisions */
typedef void gbl_blas_trv(int order, int uplo, int trans, int diag, int n, const void *A, int lda,
                          void *x, int incx);
typedef void gbl_blas_tbv(int order, int uplo, int trans, int diag, int n, int k, const void *A,
                          int lda, void *x, int incx);
typedef void gbl_blas_tpv(int order, int uplo, int trans, int diag, int n, const void *A, void *x,
                          int incx);
/* Updates of packed triangles: alpha of hpr is real, that of hpr2 by address. */
typedef void gbl_blas_sspr(int order, int uplo, int n, float alpha, const void *x, int incx,
                           void *A);
typedef void gbl_blas_dspr(int order, int uplo, int n, double alpha, const void *x, int incx,
                           void *A);
typedef void gbl_blas_sspr2(int order, int uplo, int n, float alpha, const void *x, int incx,
                            const void *y, int incy, void *A);
typedef void gbl_blas_dspr2(int order, int uplo, int n, double alpha, const void *x, int incx,
                            const void *y, int incy, void *A);
typedef void gbl_blas_zhpr2(int order, int uplo, int n, const void *alpha, const void *x, int incx,
                            const void *y, int incy, void *A);

/* Products of matrices: so many integers, alpha, A, B, beta, C. symm has the integers of syr2k. */
typedef void gbl_blas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                            const void *A, int lda, const void *B, int ldb, float beta, void *C,
                            int ldc);
typedef void gbl_blas_dgemm(int order, int trans_a, int trans_b, int m, int n, int k, double alpha,
                            const void *A, int lda, const void *B, int ldb, double beta, void *C,
                            int ldc);
typedef void gbl_blas_zgemm(int order, int trans_a, int trans_b, int m, int n, int k,
                            const void *alpha, const void *A, int lda, const void *B, int ldb,
                            const void *beta, void *C, int ldc);
typedef void gbl_blas_ssyrk(int order, int uplo, int trans, int n, int k, float alpha,
                            const void *A, int lda, float beta, void *C, int ldc);
typedef void gbl_blas_dsyrk(int order, int uplo, int trans, int n, int k, double alpha,
                            const void *A, int lda, double beta, void *C, int ldc);
typedef void gbl_blas_zsyrk(int order, int uplo, int trans, int n, int k, const void *alpha,
                            const void *A, int lda, const void *beta, void *C, int ldc);
typedef void gbl_blas_ssyr2k(int order, int uplo, int trans, int n, int k, float alpha,
                             const void *A, int lda, const void *B, int ldb, float beta, void *C,
                             int ldc);
typedef void gbl_blas_dsyr2k(int order, int uplo, int trans, int n, int k, double alpha,
                             const void *A, int lda, const void *B, int ldb, double beta, void *C,
                             int ldc);
typedef void gbl_blas_zsyr2k(int order, int uplo, int trans, int n, int k, const void *alpha,
                             const void *A, int lda, const void *B, int ldb, const void *beta,
                             void *C, int ldc);
typedef void gbl_blas_cher2k(int order, int uplo, int trans, int n, int k, const void *alpha,
                             const void *A, int lda, const void *B, int ldb, float beta, void *C,
                             int ldc);
typedef void gbl_blas_zher2k(int order, int uplo, int trans, int n, int k, const void *alpha,
                             const void *A, int lda, const void *B, int ldb, double beta, void *C,
                             int ldc);
/* Products and solves with a triangle on one side */
typedef void gbl_blas_strm(int order, int side, int uplo, int trans, int diag, int m, int n,
                           float alpha, const void *A, int lda, void *B, int ldb);
typedef void gbl_blas_dtrm(int order, int side, int uplo, int trans, int diag, int m, int n,
                           double alpha, const void *A, int lda, void *B, int ldb);
typedef void gbl_blas_ztrm(int order, int side, int uplo, int trans, int diag, int m, int n,
                           const void *alpha, const void *A, int lda, void *B, int ldb);

typedef struct gbl_cpu_blas {
    void (*scopy)(int n, const float *x, int incx, float *y, int incy);
    void (*dcopy)(int n, const double *x, int incx, double *y, int incy);
    void (*ccopy)(int n, const void *x, int incx, void *y, int incy);
    void (*zcopy)(int n, const void *x, int incx, void *y, int incy);
    void (*saxpy)(int n, float alpha, const float *x, int incx, float *y, int incy);
    void (*daxpy)(int n, double alpha, const double *x, int incx, double *y, int incy);
    void (*caxpy)(int n, const void *alpha, const void *x, int incx, void *y, int incy);
    void (*zaxpy)(int n, const void *alpha, const void *x, int incx, void *y, int incy);
    float (*sdot)(int n, const float *x, int incx, const float *y, int incy);
    double (*ddot)(int n, const double *x, int incx, const double *y, int incy);
    void (*cdotu)(int n, const void *x, int incx, const void *y, int incy, void *result);
    void (*zdotu)(int n, const void *x, int incx, const void *y, int incy, void *result);
    void (*cdotc)(int n, const void *x, int incx, const void *y, int incy, void *result);
    void (*zdotc)(int n, const void *x, int incx, const void *y, int incy, void *result);
    float (*snrm2)(int n, const float *x, int incx);
    double (*dnrm2)(int n, const double *x, int incx);
    float (*cnrm2)(int n, const void *x, int incx);  /* scnrm2 */
    double (*znrm2)(int n, const void *x, int incx); /* dznrm2 */
    void (*sswap)(int n, float *x, int incx, float *y, int incy);
    void (*dswap)(int n, double *x, int incx, double *y, int incy);
    void (*cswap)(int n, void *x, int incx, void *y, int incy);
    void (*zswap)(int n, void *x, int incx, void *y, int incy);
    void (*sscal)(int n, float alpha, float *x, int incx);
    void (*dscal)(int n, double alpha, double *x, int incx);
    void (*cscal)(int n, const void *alpha, void *x, int incx);
    void (*zscal)(int n, const void *alpha, void *x, int incx);
    void (*cscal_real)(int n, float alpha, void *x, int incx);  /* csscal */
    void (*zscal_real)(int n, double alpha, void *x, int incx); /* zdscal */
    float (*sasum)(int n, const float *x, int incx);
    double (*dasum)(int n, const double *x, int incx);
    float (*casum)(int n, const void *x, int incx);  /* scasum */
    double (*zasum)(int n, const void *x, int incx); /* dzasum */
    void (*srot)(int n, float *x, int incx, float *y, int incy, float c, float s);
    void (*drot)(int n, double *x, int incx, double *y, int incy, double c, double s);
    void (*srotm)(int n, float *x, int incx, float *y, int incy, const float *param);
    void (*drotm)(int n, double *x, int incx, double *y, int incy, const double *param);
    double (*dsdot)(int n, const float *x, int incx, const float *y, int incy);
    void (*sgemv)(int order, int trans, int m, int n, float alpha, const float *A, int lda,
                  const float *x, int incx, float beta, float *y, int incy);
    void (*dgemv)(int order, int trans, int m, int n, double alpha, const double *A, int lda,
                  const double *x, int incx, double beta, double *y, int incy);
    void (*cgemv)(int order, int trans, int m, int n, const void *alpha, const void *A, int lda,
                  const void *x, int incx, const void *beta, void *y, int incy);
    void (*zgemv)(int order, int trans, int m, int n, const void *alpha, const void *A, int lda,
                  const void *x, int incx, const void *beta, void *y, int incy);
    void (*ssymv)(int order, int uplo, int n, float alpha, const float *A, int lda, const float *x,
                  int incx, float beta, float *y, int incy);
    void (*dsymv)(int order, int uplo, int n, double alpha, const double *A, int lda,
                  const double *x, int incx, double beta, double *y, int incy);
    void (*chemv)(int order, int uplo, int n, const void *alpha, const void *A, int lda,
                  const void *x, int incx, const void *beta, void *y, int incy);
    void (*zhemv)(int order, int uplo, int n, const void *alpha, const void *A, int lda,
                  const void *x, int incx, const void *beta, void *y, int incy);
    void (*sger)(int order, int m, int n, float alpha, const float *x, int incx, const float *y,
                 int incy, float *A, int lda);
    void (*dger)(int order, int m, int n, double alpha, const double *x, int incx, const double *y,
                 int incy, double *A, int lda);
    void (*cgeru)(int order, int m, int n, const void *alpha, const void *x, int incx,
                  const void *y, int incy, void *A, int lda);
    void (*zgeru)(int order, int m, int n, const void *alpha, const void *x, int incx,
                  const void *y, int incy, void *A, int lda);
    void (*cgerc)(int order, int m, int n, const void *alpha, const void *x, int incx,
                  const void *y, int incy, void *A, int lda);
    void (*zgerc)(int order, int m, int n, const void *alpha, const void *x, int incx,
                  const void *y, int incy, void *A, int lda);
    void (*ssyr)(int order, int uplo, int n, float alpha, const float *x, int incx, float *A,
                 int lda);
    void (*dsyr)(int order, int uplo, int n, double alpha, const double *x, int incx, double *A,
                 int lda);
    void (*cher)(int order, int uplo, int n, float alpha, const void *x, int incx, void *A,
                 int lda);
    void (*zher)(int order, int uplo, int n, double alpha, const void *x, int incx, void *A,
                 int lda);
    void (*ssyr2)(int order, int uplo, int n, float alpha, const float *x, int incx, const float *y,
                  int incy, float *A, int lda);
    void (*dsyr2)(int order, int uplo, int n, double alpha, const double *x, int incx,
                  const double *y, int incy, double *A, int lda);
    void (*cher2)(int order, int uplo, int n, const void *alpha, const void *x, int incx,
                  const void *y, int incy, void *A, int lda);
    void (*zher2)(int order, int uplo, int n, const void *alpha, const void *x, int incx,
                  const void *y, int incy, void *A, int lda);
    gbl_blas_trv *strmv, *dtrmv, *ctrmv, *ztrmv, *strsv, *dtrsv, *ctrsv, *ztrsv;
    gbl_blas_sgbmv *sgbmv;
    gbl_blas_dgbmv *dgbmv;
    gbl_blas_zgbmv *cgbmv, *zgbmv;
    gbl_blas_ssbmv *ssbmv;
    gbl_blas_dsbmv *dsbmv;
    gbl_blas_zhbmv *chbmv, *zhbmv;
    gbl_blas_sspmv *sspmv;
    gbl_blas_dspmv *dspmv;
    gbl_blas_zhpmv *chpmv, *zhpmv;
    gbl_blas_tbv *stbmv, *dtbmv, *ctbmv, *ztbmv, *stbsv, *dtbsv, *ctbsv, *ztbsv;
    gbl_blas_tpv *stpmv, *dtpmv, *ctpmv, *ztpmv, *stpsv, *dtpsv, *ctpsv, *ztpsv;
    gbl_blas_sspr *sspr, *chpr;
    gbl_blas_dspr *dspr, *zhpr;
    gbl_blas_sspr2 *sspr2;
    gbl_blas_dspr2 *dspr2;
    gbl_blas_zhpr2 *chpr2, *zhpr2;
    gbl_blas_sgemm *sgemm;
    gbl_blas_dgemm *dgemm;
    gbl_blas_zgemm *cgemm, *zgemm;
    gbl_blas_ssyrk *ssyrk, *cherk;
    gbl_blas_dsyrk *dsyrk, *zherk;
    gbl_blas_zsyrk *csyrk, *zsyrk;
    gbl_blas_ssyr2k *ssyr2k, *ssymm;
    gbl_blas_dsyr2k *dsyr2k, *dsymm;
    gbl_blas_zsyr2k *csyr2k, *zsyr2k, *csymm, *zsymm, *chemm, *zhemm;
    gbl_blas_cher2k *cher2k;
    gbl_blas_zher2k *zher2k;
    gbl_blas_strm *strmm, *strsm;
    gbl_blas_dtrm *dtrmm, *dtrsm;
    gbl_blas_ztrm *ctrmm, *ztrmm, *ctrsm, *ztrsm;
} gbl_cpu_blas;

/* NULL when no BLAS was found. A function that the library lacks is NULL. */
const gbl_cpu_blas *gbl_cpu_blas_get(void);

/* The open library, which may have more than a BLAS; NULL when none was found. It is not closed. */
void *gbl_cpu_blas_library(void);

/* Fills the table from an open library; says how many functions it lacks, which are NULL then. */
int gbl_cpu_blas_load(void *library, gbl_cpu_blas *functions);

/* Whether it has all functions of a routine: "dot", 'c' are cdotu and cdotc. */
bool gbl_cpu_blas_has(const char *stem, char precision);

/* What was found: its configuration where it tells one, else its file; "no BLAS found" without. */
const char *gbl_cpu_blas_name(void);

/* How many threads it takes from now on; 0: asks only. Returns how many it took before; 0 where it
 * has no function that says so, as the reference, or there is none. */
int gbl_cpu_blas_threads(int count);

/* Why there is none, and what to do; "" when there is one. */
const char *gbl_cpu_blas_reason(void);

/* Whether a BLAS call on vectors of n elements is legal and means what Gable means: there is a
 * BLAS, n, both strides and the vectors' lengths fit its int, no stride is 0 (libraries differ
 * there), and the caller is not inside an OpenMP region, where a BLAS would start threads of its
 * own. For one vector give incy = 1. */
bool gbl_cpu_blas_fits(int64_t n, int64_t incx, int64_t incy);

/* Whether vectors of a precision go through the BLAS at all. On x86-64 complex ones do not: there
 * OpenBLAS 0.3.21 loads past the ends of operands (gemv, hemv, dot, triangles), adds elements
 * behind the end (scasum) and is wrong where axpy's x is its y. */
#if defined(__x86_64__)
#define GBL_CPU_X86 true
#else
#define GBL_CPU_X86 false
#endif
static inline bool gbl_cpu_blas_trusted(gbl_dtype dtype)
{
    return !(GBL_CPU_X86 && gbl_dtype_complex(dtype));
}

#endif
