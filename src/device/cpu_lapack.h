/* cpu_lapack.h: the LAPACK that is installed on this machine, found at run time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions with Fortran names (dpotrf_) and 32-bit integers, by stem and precision:
 * gbl_cpu_lapack_get()->potrf[GBL_D]. All arguments go by address. The lengths of character
 * arguments follow behind the others, as gfortran and its kin pass them; libraries that want none
 * do not look at them. Every function is optional. It is opened once, isolated from the program's
 * own LAPACK as the BLAS is, and stays for the life of the process. All functions are safe from
 * several threads.
 */
#ifndef GBL_CPU_LAPACK_H
#define GBL_CPU_LAPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "device/dtype.h"

/* Matrices, vectors and scalars are of the precision; work and tau too. Real ones (cfrom and cto of
 * lascl, d and e of sytrd, work of the norms) are of its real kind. */
typedef void gbl_lapack_factor(const char *uplo, const int *n, void *A, const int *lda, int *info,
                               size_t uplo_length); /* potrf, potri, lauum */
typedef void gbl_lapack_potrs(const char *uplo, const int *n, const int *nrhs, void *A,
                              const int *lda, void *B, const int *ldb, int *info,
                              size_t uplo_length); /* potrs, posv */
typedef void gbl_lapack_getrf(const int *m, const int *n, void *A, const int *lda, int *ipiv,
                              int *info);
typedef void gbl_lapack_getrs(const char *trans, const int *n, const int *nrhs, const void *A,
                              const int *lda, const int *ipiv, void *B, const int *ldb, int *info,
                              size_t trans_length);
typedef void gbl_lapack_gesv(const int *n, const int *nrhs, void *A, const int *lda, int *ipiv,
                             void *B, const int *ldb, int *info);
typedef void gbl_lapack_getri(const int *n, void *A, const int *lda, const int *ipiv, void *work,
                              const int *lwork, int *info);
typedef void gbl_lapack_geqrf(const int *m, const int *n, void *A, const int *lda, void *tau,
                              void *work, const int *lwork, int *info); /* geqrf, gelqf */
typedef void gbl_lapack_sytrd(const char *uplo, const int *n, void *A, const int *lda, void *d,
                              void *e, void *tau, void *work, const int *lwork, int *info,
                              size_t uplo_length); /* complex: hetrd */
typedef void gbl_lapack_gehrd(const int *n, const int *ilo, const int *ihi, void *A, const int *lda,
                              void *tau, void *work, const int *lwork, int *info);
typedef void gbl_lapack_orgqr(const int *m, const int *n, const int *k, void *A, const int *lda,
                              const void *tau, void *work, const int *lwork,
                              int *info); /* orgqr, orglq; complex: ungqr, unglq */
typedef void gbl_lapack_ormqr(const char *side, const char *trans, const int *m, const int *n,
                              const int *k, const void *A, const int *lda, const void *tau, void *C,
                              const int *ldc, void *work, const int *lwork, int *info,
                              size_t side_length,
                              size_t trans_length); /* ormqr, ormlq; complex: unmqr, unmlq */
typedef void gbl_lapack_gebrd(const int *m, const int *n, void *A, const int *lda, void *d, void *e,
                              void *tauq, void *taup, void *work, const int *lwork, int *info);
/* orgtr, orghr, orgbr; complex: ungtr ... */
typedef void gbl_lapack_orgtr(const char *uplo, const int *n, void *A, const int *lda,
                              const void *tau, void *work, const int *lwork, int *info,
                              size_t uplo_length);
typedef void gbl_lapack_orghr(const int *n, const int *ilo, const int *ihi, void *A, const int *lda,
                              const void *tau, void *work, const int *lwork, int *info);
typedef void gbl_lapack_orgbr(const char *vect, const int *m, const int *n, const int *k, void *A,
                              const int *lda, const void *tau, void *work, const int *lwork,
                              int *info, size_t vect_length);
/* ormtr, ormhr, ormbr; complex: unmtr ... */
typedef void gbl_lapack_ormtr(const char *side, const char *uplo, const char *trans, const int *m,
                              const int *n, const void *A, const int *lda, const void *tau, void *C,
                              const int *ldc, void *work, const int *lwork, int *info,
                              size_t side_length, size_t uplo_length, size_t trans_length);
typedef void gbl_lapack_ormhr(const char *side, const char *trans, const int *m, const int *n,
                              const int *ilo, const int *ihi, const void *A, const int *lda,
                              const void *tau, void *C, const int *ldc, void *work,
                              const int *lwork, int *info, size_t side_length, size_t trans_length);
typedef void gbl_lapack_ormbr(const char *vect, const char *side, const char *trans, const int *m,
                              const int *n, const int *k, const void *A, const int *lda,
                              const void *tau, void *C, const int *ldc, void *work,
                              const int *lwork, int *info, size_t vect_length, size_t side_length,
                              size_t trans_length);
typedef void gbl_lapack_gels(const char *trans, const int *m, const int *n, const int *nrhs,
                             void *A, const int *lda, void *B, const int *ldb, void *work,
                             const int *lwork, int *info, size_t trans_length);
typedef void gbl_lapack_bdsdc(const char *uplo, const char *compq, const int *n, void *d, void *e,
                              void *U, const int *ldu, void *Vt, const int *ldvt, void *q, int *iq,
                              void *work, int *iwork, int *info, size_t uplo_length,
                              size_t compq_length); /* s and d only */
/* gesdd and gesvd: in c and z rwork stands behind lwork. Their types differ, so they are called
 * through gbl_lapack_gesdd and gbl_lapack_gesvd. */
typedef void gbl_lapack_singular(void);
typedef void gbl_lapack_trtri(const char *uplo, const char *diag, const int *n, void *A,
                              const int *lda, int *info, size_t uplo_length, size_t diag_length);
typedef void gbl_lapack_trtrs(const char *uplo, const char *trans, const char *diag, const int *n,
                              const int *nrhs, const void *A, const int *lda, void *B,
                              const int *ldb, int *info, size_t uplo_length, size_t trans_length,
                              size_t diag_length);
typedef void gbl_lapack_laswp(const int *n, void *A, const int *lda, const int *k1, const int *k2,
                              const int *ipiv, const int *incx);
typedef void gbl_lapack_lascl(const char *type, const int *kl, const int *ku, const void *cfrom,
                              const void *cto, const int *m, const int *n, void *A, const int *lda,
                              int *info, size_t type_length);
typedef void gbl_lapack_lacpy(const char *uplo, const int *m, const int *n, const void *A,
                              const int *lda, void *B, const int *ldb, size_t uplo_length);
typedef void gbl_lapack_laset(const char *uplo, const int *m, const int *n, const void *alpha,
                              const void *beta, void *A, const int *lda, size_t uplo_length);
typedef void gbl_lapack_larfg(const int *n, void *alpha, void *x, const int *incx, void *tau);
typedef void gbl_lapack_larft(const char *direct, const char *storev, const int *n, const int *k,
                              void *V, const int *ldv, const void *tau, void *T, const int *ldt,
                              size_t direct_length, size_t storev_length);
typedef void gbl_lapack_larfb(const char *side, const char *trans, const char *direct,
                              const char *storev, const int *m, const int *n, const int *k,
                              const void *V, const int *ldv, const void *T, const int *ldt, void *C,
                              const int *ldc, void *work, const int *ldwork, size_t side_length,
                              size_t trans_length, size_t direct_length, size_t storev_length);
/* Eigenvalues. lrwork and rwork are there in complex precisions only: two types each. */
typedef void gbl_lapack_sterf(const int *n, void *d, void *e, int *info);
typedef void gbl_lapack_stedc(const char *compz, const int *n, void *d, void *e, void *Z,
                              const int *ldz, void *work, const int *lwork, int *iwork,
                              const int *liwork, int *info, size_t compz_length);
typedef void gbl_lapack_complex_stedc(const char *compz, const int *n, void *d, void *e, void *Z,
                                      const int *ldz, void *work, const int *lwork, void *rwork,
                                      const int *lrwork, int *iwork, const int *liwork, int *info,
                                      size_t compz_length);
typedef void gbl_lapack_syevd(const char *jobz, const char *uplo, const int *n, void *A,
                              const int *lda, void *w, void *work, const int *lwork, int *iwork,
                              const int *liwork, int *info, size_t jobz_length, size_t uplo_length);
typedef void gbl_lapack_heevd(const char *jobz, const char *uplo, const int *n, void *A,
                              const int *lda, void *w, void *work, const int *lwork, void *rwork,
                              const int *lrwork, int *iwork, const int *liwork, int *info,
                              size_t jobz_length, size_t uplo_length);
typedef void gbl_lapack_sygst(const int *itype, const char *uplo, const int *n, void *A,
                              const int *lda, const void *B, const int *ldb, int *info,
                              size_t uplo_length);
typedef void gbl_lapack_sygvd(const int *itype, const char *jobz, const char *uplo, const int *n,
                              void *A, const int *lda, void *B, const int *ldb, void *w, void *work,
                              const int *lwork, int *iwork, const int *liwork, int *info,
                              size_t jobz_length, size_t uplo_length);
typedef void gbl_lapack_hegvd(const int *itype, const char *jobz, const char *uplo, const int *n,
                              void *A, const int *lda, void *B, const int *ldb, void *w, void *work,
                              const int *lwork, void *rwork, const int *lrwork, int *iwork,
                              const int *liwork, int *info, size_t jobz_length, size_t uplo_length);
typedef void gbl_lapack_syevx(const char *jobz, const char *range, const char *uplo, const int *n,
                              void *A, const int *lda, const void *vl, const void *vu,
                              const int *il, const int *iu, const void *abstol, int *m, void *w,
                              void *Z, const int *ldz, void *work, const int *lwork, int *iwork,
                              int *ifail, int *info, size_t jobz_length, size_t range_length,
                              size_t uplo_length);
typedef void gbl_lapack_heevx(const char *jobz, const char *range, const char *uplo, const int *n,
                              void *A, const int *lda, const void *vl, const void *vu,
                              const int *il, const int *iu, const void *abstol, int *m, void *w,
                              void *Z, const int *ldz, void *work, const int *lwork, void *rwork,
                              int *iwork, int *ifail, int *info, size_t jobz_length,
                              size_t range_length, size_t uplo_length);
typedef union gbl_lapack_stedc_any {
    gbl_lapack_stedc *real;
    gbl_lapack_complex_stedc *complex;
} gbl_lapack_stedc_any;
typedef union gbl_lapack_syevd_any {
    gbl_lapack_syevd *real;
    gbl_lapack_heevd *complex;
} gbl_lapack_syevd_any;
typedef union gbl_lapack_sygvd_any {
    gbl_lapack_sygvd *real;
    gbl_lapack_hegvd *complex;
} gbl_lapack_sygvd_any;
typedef union gbl_lapack_syevx_any {
    gbl_lapack_syevx *real;
    gbl_lapack_heevx *complex;
} gbl_lapack_syevx_any;
/* Norms give a number of the real kind, so their types differ: gbl_lapack_lange and its kin call
 * them. */
typedef void gbl_lapack_norm(void);

typedef struct gbl_cpu_lapack {
    gbl_lapack_factor *potrf[GBL_DTYPES], *potri[GBL_DTYPES], *lauum[GBL_DTYPES];
    gbl_lapack_potrs *potrs[GBL_DTYPES], *posv[GBL_DTYPES];
    gbl_lapack_getrf *getrf[GBL_DTYPES];
    gbl_lapack_getrs *getrs[GBL_DTYPES];
    gbl_lapack_gesv *gesv[GBL_DTYPES];
    gbl_lapack_getri *getri[GBL_DTYPES];
    gbl_lapack_geqrf *geqrf[GBL_DTYPES], *gelqf[GBL_DTYPES];
    gbl_lapack_orgqr *orgqr[GBL_DTYPES], *orglq[GBL_DTYPES];
    gbl_lapack_ormqr *ormqr[GBL_DTYPES], *ormlq[GBL_DTYPES];
    gbl_lapack_gebrd *gebrd[GBL_DTYPES];
    gbl_lapack_orgtr *orgtr[GBL_DTYPES];
    gbl_lapack_orghr *orghr[GBL_DTYPES];
    gbl_lapack_orgbr *orgbr[GBL_DTYPES];
    gbl_lapack_ormtr *ormtr[GBL_DTYPES];
    gbl_lapack_ormhr *ormhr[GBL_DTYPES];
    gbl_lapack_ormbr *ormbr[GBL_DTYPES];
    gbl_lapack_gels *gels[GBL_DTYPES];
    gbl_lapack_bdsdc *bdsdc[GBL_DTYPES]; /* NULL in c and z */
    gbl_lapack_singular *gesdd[GBL_DTYPES], *gesvd[GBL_DTYPES];
    gbl_lapack_sytrd *sytrd[GBL_DTYPES];
    gbl_lapack_gehrd *gehrd[GBL_DTYPES];
    gbl_lapack_trtri *trtri[GBL_DTYPES];
    gbl_lapack_trtrs *trtrs[GBL_DTYPES];
    gbl_lapack_laswp *laswp[GBL_DTYPES];
    gbl_lapack_norm *lange[GBL_DTYPES], *lansy[GBL_DTYPES], *lanhe[GBL_DTYPES], *lantr[GBL_DTYPES];
    gbl_lapack_lascl *lascl[GBL_DTYPES];
    gbl_lapack_lacpy *lacpy[GBL_DTYPES];
    gbl_lapack_laset *laset[GBL_DTYPES];
    gbl_lapack_larfg *larfg[GBL_DTYPES];
    gbl_lapack_larft *larft[GBL_DTYPES];
    gbl_lapack_larfb *larfb[GBL_DTYPES];
    gbl_lapack_sterf *sterf[GBL_DTYPES]; /* NULL in c and z */
    gbl_lapack_stedc_any stedc[GBL_DTYPES];
    gbl_lapack_syevd_any syevd[GBL_DTYPES]; /* complex: heevd, hegst, ... */
    gbl_lapack_sygst *sygst[GBL_DTYPES];
    gbl_lapack_sygvd_any sygvd[GBL_DTYPES];
    gbl_lapack_syevx_any syevx[GBL_DTYPES];
} gbl_cpu_lapack;

/* NULL when no LAPACK was found. A function that the library lacks is NULL. */
const gbl_cpu_lapack *gbl_cpu_lapack_get(void);

/* Fills the table from an open library; says how many functions it lacks, which are NULL then. */
int gbl_cpu_lapack_load(void *library, gbl_cpu_lapack *functions);

/* Whether it has the function: "potrf", GBL_D is dpotrf; "orgqr", GBL_Z is zungqr. */
bool gbl_cpu_lapack_has(const char *stem, gbl_dtype dtype);

/* What was found, with its version: "LAPACK 3.9.0 of the BLAS"; "no LAPACK found" without. */
const char *gbl_cpu_lapack_name(void);

/* Why there is none, and what to do; "" when there is one. */
const char *gbl_cpu_lapack_reason(void);

/* Whether a call of LAPACK is legal and means what Gable means: the function is there, every
 * integer of the call fits its int and is not negative, and the caller is not inside an OpenMP
 * region, where a BLAS would start threads of its own. */
bool gbl_cpu_lapack_fits(const char *stem, gbl_dtype dtype, const int64_t *integers, int count);
#define GBL_LAPACK_FITS(stem, dtype, ...)                                                          \
    gbl_cpu_lapack_fits(stem, dtype, (const int64_t[]){__VA_ARGS__},                               \
                        (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))

/* Characters of arguments: "N", "T" and "C"; "U" and "L"; "N" and "U"; "L" and "R". The numbers are
 * gable_trans and so on. */
const char *gbl_lapack_trans(int trans);
const char *gbl_lapack_uplo(int uplo);
const char *gbl_lapack_diag(int diag);
const char *gbl_lapack_side(int side);

/* Singular values and vectors, of functions that are there; letters are LAPACK's. */
typedef struct gbl_lapack_svd {
    char jobu, jobvt; /* gesdd: jobu is jobz */
    int m, n, lda, ldu, ldvt;
    void *A, *s, *U, *Vt;
    void *work, *rwork; /* rwork: c and z */
    int lwork;
    int *iwork; /* gesdd */
} gbl_lapack_svd;
/* Their info. */
int gbl_lapack_gesdd(gbl_dtype dtype, const gbl_lapack_svd *svd);
int gbl_lapack_gesvd(gbl_dtype dtype, const gbl_lapack_svd *svd);

/* Norms, of functions that are there. work: as LAPACK asks for it. */
double gbl_lapack_lange(gbl_dtype dtype, char norm, int m, int n, const void *A, int lda,
                        void *work);
/* hermitian: lanhe in c and z. */
double gbl_lapack_lansy(gbl_dtype dtype, bool hermitian, char norm, const char *uplo, int n,
                        const void *A, int lda, void *work);
double gbl_lapack_lantr(gbl_dtype dtype, char norm, const char *uplo, const char *diag, int m,
                        int n, const void *A, int lda, void *work);

#endif
