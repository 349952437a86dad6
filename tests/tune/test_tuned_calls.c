/* test_tuned_calls.c: what is tuned is what programs call: the tuner's calls and those of the
 * public functions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Measurements are kept by the key of the call that was measured. The tuner makes its calls itself,
 * so each of them is compared with the one that the public function makes of the same arguments:
 * the same op, the same key, the same flags in profiles. An op that can be tuned and has no row
 * here is a failure.
 */
#include <stdlib.h>
#include <string.h>
#include "core/call_class.h"
#include "model/call_view.h"
#include "core/context.h"
#include "harness/check.h"
#include "operands.h"

typedef const gbl_vector_call vectors;
typedef const gbl_matrix_call matrix;
typedef const gbl_product_call product;
typedef gable_cdouble z;

/* ---- Public functions, one per row, with the arguments of the tuner's call ---- */

#define DOOR(name, kind, call)                                                                     \
    static gable_status name##_door(gable_context *ctx, const void *given)                         \
    {                                                                                              \
        kind *c = given;                                                                           \
        return call;                                                                               \
    }
#define X1 c->x, 1
#define Y1 c->y, 1

DOOR(copy, vectors, gable_dcopy(ctx, c->n, X1, Y1))
DOOR(swap, vectors, gable_dswap(ctx, c->n, X1, Y1))
DOOR(scal, vectors, gable_dscal(ctx, c->n, 2, X1))
DOOR(csscal, vectors, gable_csscal(ctx, c->n, 2, X1))
DOOR(zdscal, vectors, gable_zdscal(ctx, c->n, 2, X1))
DOOR(axpy, vectors, gable_daxpy(ctx, c->n, 2, X1, Y1))
DOOR(axpby, vectors, gable_daxpby(ctx, c->n, 2, X1, 3, Y1))
DOOR(waxpby, vectors, gable_dwaxpby(ctx, c->n, 2, X1, 3, Y1, c->w, 1))
DOOR(fill, vectors, gable_dfill(ctx, c->n, 2, X1))
DOOR(reciprocal, vectors, gable_dreciprocal(ctx, c->n, X1, Y1))
DOOR(random, vectors, gable_drandom(ctx, c->n, c->seed, c->first, 0, 1, X1))
DOOR(rot, vectors, gable_drot(ctx, c->n, X1, Y1, 0.6, 0.8))
DOOR(csrot, vectors, gable_csrot(ctx, c->n, X1, Y1, 0.6f, 0.8f))
DOOR(zdrot, vectors, gable_zdrot(ctx, c->n, X1, Y1, 0.6, 0.8))
DOOR(rotm, vectors, gable_drotm(ctx, c->n, X1, Y1, (const double[5]){-1, 1, 0, 0, 1}))
DOOR(dot, vectors, gable_ddot(ctx, c->n, X1, Y1, c->result))
DOOR(dotc, vectors, gable_zdotc(ctx, c->n, X1, Y1, c->result))
DOOR(dsdot, vectors, gable_dsdot(ctx, c->n, X1, Y1, c->result))
DOOR(sdsdot, vectors, gable_sdsdot(ctx, c->n, 2, X1, Y1, c->result))
DOOR(nrm2, vectors, gable_dnrm2(ctx, c->n, X1, c->result))
DOOR(asum, vectors, gable_dasum(ctx, c->n, X1, c->result))
DOOR(amax, vectors, gable_idamax(ctx, c->n, X1, c->result))
DOOR(mdot, vectors, gable_dmdot(ctx, c->n, c->count, c->x, c->ldx, Y1, c->result))
DOOR(mdotc, vectors, gable_zmdotc(ctx, c->n, c->count, c->x, c->ldx, Y1, c->result))
DOOR(mnrm2, vectors, gable_dmnrm2(ctx, c->n, c->count, c->x, c->ldx, c->result))
DOOR(maxpy, vectors, gable_dmaxpy(ctx, c->n, c->count, 2, c->values_at, c->x, c->ldx, Y1))

#define A_LD c->A, c->lda
DOOR(gemv, matrix, gable_dgemv(ctx, c->trans, c->m, c->n, 2, A_LD, X1, 0, Y1))
DOOR(gemv_strided, matrix,
     gable_dgemv_strided(ctx, c->trans, c->m, c->n, 2, A_LD, c->stride_a, X1, c->stride_x, 0, Y1,
                         c->stride_y, c->batch))
DOOR(gemv_batched, matrix,
     gable_dgemv_batched(ctx, c->trans, c->m, c->n, 2, A_LD, X1, 0, Y1, c->batch))
DOOR(symv, matrix, gable_dsymv(ctx, c->uplo, c->n, 2, A_LD, X1, 0, Y1))
DOOR(hemv, matrix, gable_zhemv(ctx, c->uplo, c->n, (z){2, 0}, A_LD, X1, (z){0, 0}, Y1))
DOOR(ger, matrix, gable_dger(ctx, c->m, c->n, 2, X1, Y1, (double *)c->A, c->lda))
DOOR(gerc, matrix, gable_zgerc(ctx, c->m, c->n, (z){2, 0}, X1, Y1, (z *)c->A, c->lda))
DOOR(syr, matrix, gable_dsyr(ctx, c->uplo, c->n, 2, X1, (double *)c->A, c->lda))
DOOR(her, matrix, gable_zher(ctx, c->uplo, c->n, 2, X1, (z *)c->A, c->lda))
DOOR(syr2, matrix, gable_dsyr2(ctx, c->uplo, c->n, 2, X1, Y1, (double *)c->A, c->lda))
DOOR(her2, matrix, gable_zher2(ctx, c->uplo, c->n, (z){2, 0}, X1, Y1, (z *)c->A, c->lda))
DOOR(trmv, matrix, gable_dtrmv(ctx, c->uplo, c->trans, c->diag, c->n, A_LD, (double *)c->x, 1))
DOOR(trsv, matrix, gable_dtrsv(ctx, c->uplo, c->trans, c->diag, c->n, A_LD, (double *)c->x, 1))
#define K c->ku
DOOR(gbmv, matrix, gable_dgbmv(ctx, c->trans, c->m, c->n, c->kl, K, 2, A_LD, X1, 0, Y1))
DOOR(sbmv, matrix, gable_dsbmv(ctx, c->uplo, c->n, K, 2, A_LD, X1, 0, Y1))
DOOR(hbmv, matrix, gable_zhbmv(ctx, c->uplo, c->n, K, (z){2, 0}, A_LD, X1, (z){0, 0}, Y1))
DOOR(spmv, matrix, gable_dspmv(ctx, c->uplo, c->n, 2, c->A, X1, 0, Y1))
DOOR(hpmv, matrix, gable_zhpmv(ctx, c->uplo, c->n, (z){2, 0}, c->A, X1, (z){0, 0}, Y1))
DOOR(tbmv, matrix, gable_dtbmv(ctx, c->uplo, c->trans, c->diag, c->n, K, A_LD, (double *)c->x, 1))
DOOR(tbsv, matrix, gable_dtbsv(ctx, c->uplo, c->trans, c->diag, c->n, K, A_LD, (double *)c->x, 1))
DOOR(tpmv, matrix, gable_dtpmv(ctx, c->uplo, c->trans, c->diag, c->n, c->A, (double *)c->x, 1))
DOOR(tpsv, matrix, gable_dtpsv(ctx, c->uplo, c->trans, c->diag, c->n, c->A, (double *)c->x, 1))
DOOR(spr, matrix, gable_dspr(ctx, c->uplo, c->n, 2, X1, c->A))
DOOR(hpr, matrix, gable_zhpr(ctx, c->uplo, c->n, 2, X1, c->A))
DOOR(spr2, matrix, gable_dspr2(ctx, c->uplo, c->n, 2, X1, Y1, c->A))
DOOR(hpr2, matrix, gable_zhpr2(ctx, c->uplo, c->n, (z){2, 0}, X1, Y1, c->A))
DOOR(transpose, matrix, gable_dtranspose(ctx, c->trans, c->m, c->n, A_LD, c->C, c->ldc))
DOOR(geam, matrix,
     gable_dgeam(ctx, c->trans, c->trans_b, c->m, c->n, 2, A_LD, 3, c->B, c->ldb, c->C, c->ldc))

#define B_LD c->B, c->ldb
#define C_LD c->C, c->ldc
DOOR(gemm, product,
     gable_dgemm(ctx, c->trans, c->trans_b, c->m, c->n, c->k, 2, A_LD, B_LD, 0, C_LD))
DOOR(gemm_strided, product,
     gable_dgemm_strided(ctx, c->trans, c->trans_b, c->m, c->n, c->k, 2, A_LD, c->stride_a, B_LD,
                         c->stride_b, 0, C_LD, c->stride_c, c->batch))
DOOR(gemm_batched, product,
     gable_dgemm_batched(ctx, c->trans, c->trans_b, c->m, c->n, c->k, 2, A_LD, B_LD, 0, C_LD,
                         c->batch))
DOOR(gemmt, product,
     gable_dgemmt(ctx, c->uplo, c->trans, c->trans_b, c->n, c->k, 2, A_LD, B_LD, 0, C_LD))
DOOR(syrk, product, gable_dsyrk(ctx, c->uplo, c->trans, c->n, c->k, 2, A_LD, 0, C_LD))
DOOR(herk, product, gable_zherk(ctx, c->uplo, c->trans, c->n, c->k, 2, A_LD, 0, C_LD))
DOOR(syr2k, product, gable_dsyr2k(ctx, c->uplo, c->trans, c->n, c->k, 2, A_LD, B_LD, 0, C_LD))
DOOR(her2k, product,
     gable_zher2k(ctx, c->uplo, c->trans, c->n, c->k, (z){2, 0}, A_LD, B_LD, 0, C_LD))
DOOR(symm, product, gable_dsymm(ctx, c->side, c->uplo, c->m, c->n, 2, A_LD, B_LD, 0, C_LD))
DOOR(hemm, product,
     gable_zhemm(ctx, c->side, c->uplo, c->m, c->n, (z){2, 0}, A_LD, B_LD, (z){0, 0}, C_LD))
#define FLAGS c->side, c->uplo, c->trans, c->diag
DOOR(trmm, product, gable_dtrmm(ctx, FLAGS, c->m, c->n, 2, A_LD, B_LD))
DOOR(trsm, product, gable_dtrsm(ctx, FLAGS, c->m, c->n, 2, A_LD, B_LD))
DOOR(trsm_strided, product,
     gable_dtrsm_strided(ctx, FLAGS, c->m, c->n, 2, A_LD, c->stride_a, B_LD, c->stride_b, c->batch))
#define D_A (double *)c->A
DOOR(lacpy, product, gable_dlacpy(ctx, c->uplo, c->m, c->n, A_LD, B_LD))
DOOR(laset, product, gable_dlaset(ctx, c->uplo, c->m, c->n, 2, 2, D_A, c->lda))
DOOR(lascl, product, gable_dlascl(ctx, GABLE_GENERAL, 3, 2, c->m, c->n, D_A, c->lda))
DOOR(lange, product, gable_dlange(ctx, c->norm, c->m, c->n, A_LD, c->C))
DOOR(lansy, product, gable_dlansy(ctx, c->norm, c->uplo, c->n, A_LD, c->C))
DOOR(lanhe, product, gable_zlanhe(ctx, c->norm, c->uplo, c->n, A_LD, c->C))
DOOR(lantr, product, gable_dlantr(ctx, c->norm, c->uplo, c->diag, c->m, c->n, A_LD, c->C))
DOOR(potrf, product, gable_dpotrf(ctx, c->uplo, c->n, D_A, c->lda, c->info))
DOOR(potrs, product, gable_dpotrs(ctx, c->uplo, c->m, c->n, A_LD, B_LD))
DOOR(posv, product, gable_dposv(ctx, c->uplo, c->m, c->n, D_A, c->lda, B_LD, c->info))
DOOR(potri, product, gable_dpotri(ctx, c->uplo, c->n, D_A, c->lda, c->info))
DOOR(trtrs, product, gable_dtrtrs(ctx, c->uplo, c->trans, c->diag, c->m, c->n, A_LD, B_LD, c->info))
DOOR(trtri, product, gable_dtrtri(ctx, c->uplo, c->diag, c->n, D_A, c->lda, c->info))
DOOR(lauum, product, gable_dlauum(ctx, c->uplo, c->n, D_A, c->lda))
DOOR(laswp, product, gable_dlaswp(ctx, c->n, D_A, c->lda, 1, c->m, c->ipiv, 1))
DOOR(getrf, product, gable_dgetrf(ctx, c->m, c->n, D_A, c->lda, c->ipiv, c->info))
DOOR(getrs, product, gable_dgetrs(ctx, c->trans, c->m, c->n, A_LD, c->ipiv, B_LD))
DOOR(gesv, product, gable_dgesv(ctx, c->m, c->n, D_A, c->lda, c->ipiv, B_LD, c->info))
DOOR(getri, product, gable_dgetri(ctx, c->n, D_A, c->lda, c->ipiv, c->info))
DOOR(sytrd, product, gable_dsytrd(ctx, c->uplo, c->n, D_A, c->lda, c->d, c->e, c->tau))
DOOR(syevx, product,
     gable_dsyevx(ctx, c->job, c->range, c->uplo, c->n, D_A, c->lda, 0, 0, c->ilo, c->ihi, 0,
                  c->found, c->d, c->C, c->ldc, c->ipiv, c->info))
DOOR(sygvd, product,
     gable_dsygvd(ctx, c->k, c->job, c->uplo, c->n, D_A, c->lda, c->B, c->ldb, c->d, c->info))
DOOR(syevd, product, gable_dsyevd(ctx, c->job, c->uplo, c->n, D_A, c->lda, c->d, c->info))
DOOR(gesdd, product,
     gable_dgesdd(ctx, c->job, c->m, c->n, D_A, c->lda, c->d, c->B, c->ldb, c->C, c->ldc, c->info))
DOOR(gesvd, product,
     gable_dgesvd(ctx, c->job, c->job_b, c->m, c->n, D_A, c->lda, c->d, c->B, c->ldb, c->C, c->ldc,
                  c->info))
DOOR(bdsdc, product,
     gable_dbdsdc(ctx, c->uplo, c->job, c->n, c->d, c->e, c->B, c->ldb, c->C, c->ldc, c->info))
DOOR(gehrd, product, gable_dgehrd(ctx, c->n, 1, c->n, D_A, c->lda, c->tau))
DOOR(geqrf, product, gable_dgeqrf(ctx, c->m, c->n, D_A, c->lda, c->tau))
DOOR(ormqr, product,
     gable_dormqr(ctx, c->side, c->trans, c->m, c->n, c->k, A_LD, c->tau, c->C, c->ldc))
DOOR(orgqr, product, gable_dorgqr(ctx, c->m, c->n, c->k, D_A, c->lda, c->tau))
DOOR(gelqf, product, gable_dgelqf(ctx, c->m, c->n, D_A, c->lda, c->tau))
DOOR(ormlq, product,
     gable_dormlq(ctx, c->side, c->trans, c->m, c->n, c->k, A_LD, c->tau, c->C, c->ldc))
DOOR(orglq, product, gable_dorglq(ctx, c->m, c->n, c->k, D_A, c->lda, c->tau))
DOOR(gels, product, gable_dgels(ctx, c->trans, c->m, c->n, c->k, D_A, c->lda, B_LD, c->info))
DOOR(larfg, product, gable_dlarfg(ctx, c->m, D_A, B_LD, c->tau))
DOOR(larft, product,
     gable_dlarft(ctx, GABLE_FORWARD, GABLE_COLUMNWISE, c->m, c->k, A_LD, c->tau, B_LD))
DOOR(larfb, product,
     gable_dlarfb(ctx, c->side, c->trans, GABLE_FORWARD, GABLE_COLUMNWISE, c->m, c->n, c->k, A_LD,
                  B_LD, c->C, c->ldc))
DOOR(gebrd, product, gable_dgebrd(ctx, c->m, c->n, D_A, c->lda, c->d, c->e, c->tau, c->taup))
DOOR(orgtr, product, gable_dorgtr(ctx, c->uplo, c->n, D_A, c->lda, c->tau))
DOOR(orghr, product, gable_dorghr(ctx, c->n, 1, c->n, D_A, c->lda, c->tau))
DOOR(orgbr, product, gable_dorgbr(ctx, c->vect, c->m, c->n, c->k, D_A, c->lda, c->tau))
DOOR(ormtr, product,
     gable_dormtr(ctx, c->side, c->uplo, c->trans, c->m, c->n, A_LD, c->tau, c->C, c->ldc))
DOOR(ormhr, product,
     gable_dormhr(ctx, c->side, c->trans, c->m, c->n, c->ilo, c->ihi, A_LD, c->tau, c->C, c->ldc))
DOOR(ormbr, product,
     gable_dormbr(ctx, c->vect, c->side, c->trans, c->m, c->n, c->k, A_LD, c->tau, c->C, c->ldc))
DOOR(trsm_batched, product, gable_dtrsm_batched(ctx, FLAGS, c->m, c->n, 2, A_LD, B_LD, c->batch))

static const struct door {
    const char *name; /* of the op, as the tuner lists it */
    const char *typed;
    gable_status (*run)(gable_context *ctx, const void *call);
} doors[] = {
    {.name = "copy", .typed = "dcopy", .run = copy_door},
    {.name = "swap", .typed = "dswap", .run = swap_door},
    {.name = "scal", .typed = "dscal", .run = scal_door},
    {.name = "csscal", .typed = "csscal", .run = csscal_door},
    {.name = "zdscal", .typed = "zdscal", .run = zdscal_door},
    {.name = "axpy", .typed = "daxpy", .run = axpy_door},
    {.name = "axpby", .typed = "daxpby", .run = axpby_door},
    {.name = "waxpby", .typed = "dwaxpby", .run = waxpby_door},
    {.name = "fill", .typed = "dfill", .run = fill_door},
    {.name = "reciprocal", .typed = "dreciprocal", .run = reciprocal_door},
    {.name = "random", .typed = "drandom", .run = random_door},
    {.name = "rot", .typed = "drot", .run = rot_door},
    {.name = "csrot", .typed = "csrot", .run = csrot_door},
    {.name = "zdrot", .typed = "zdrot", .run = zdrot_door},
    {.name = "rotm", .typed = "drotm", .run = rotm_door},
    {.name = "dot", .typed = "ddot", .run = dot_door},
    {.name = "dotc", .typed = "zdotc", .run = dotc_door},
    {.name = "dsdot", .typed = "dsdot", .run = dsdot_door},
    {.name = "sdsdot", .typed = "sdsdot", .run = sdsdot_door},
    {.name = "nrm2", .typed = "dnrm2", .run = nrm2_door},
    {.name = "asum", .typed = "dasum", .run = asum_door},
    {.name = "amax", .typed = "idamax", .run = amax_door},
    {.name = "mdot", .typed = "dmdot", .run = mdot_door},
    {.name = "mdotc", .typed = "zmdotc", .run = mdotc_door},
    {.name = "mnrm2", .typed = "dmnrm2", .run = mnrm2_door},
    {.name = "maxpy", .typed = "dmaxpy", .run = maxpy_door},
    {.name = "gemv", .typed = "dgemv", .run = gemv_door},
    {.name = "gemv_strided", .typed = "dgemv_strided", .run = gemv_strided_door},
    {.name = "gemv_batched", .typed = "dgemv_batched", .run = gemv_batched_door},
    {.name = "symv", .typed = "dsymv", .run = symv_door},
    {.name = "hemv", .typed = "zhemv", .run = hemv_door},
    {.name = "ger", .typed = "dger", .run = ger_door},
    {.name = "gerc", .typed = "zgerc", .run = gerc_door},
    {.name = "syr", .typed = "dsyr", .run = syr_door},
    {.name = "her", .typed = "zher", .run = her_door},
    {.name = "syr2", .typed = "dsyr2", .run = syr2_door},
    {.name = "her2", .typed = "zher2", .run = her2_door},
    {.name = "trmv", .typed = "dtrmv", .run = trmv_door},
    {.name = "trsv", .typed = "dtrsv", .run = trsv_door},
    {.name = "gbmv", .typed = "dgbmv", .run = gbmv_door},
    {.name = "sbmv", .typed = "dsbmv", .run = sbmv_door},
    {.name = "hbmv", .typed = "zhbmv", .run = hbmv_door},
    {.name = "spmv", .typed = "dspmv", .run = spmv_door},
    {.name = "hpmv", .typed = "zhpmv", .run = hpmv_door},
    {.name = "tbmv", .typed = "dtbmv", .run = tbmv_door},
    {.name = "tbsv", .typed = "dtbsv", .run = tbsv_door},
    {.name = "tpmv", .typed = "dtpmv", .run = tpmv_door},
    {.name = "tpsv", .typed = "dtpsv", .run = tpsv_door},
    {.name = "spr", .typed = "dspr", .run = spr_door},
    {.name = "hpr", .typed = "zhpr", .run = hpr_door},
    {.name = "spr2", .typed = "dspr2", .run = spr2_door},
    {.name = "hpr2", .typed = "zhpr2", .run = hpr2_door},
    {.name = "transpose", .typed = "dtranspose", .run = transpose_door},
    {.name = "geam", .typed = "dgeam", .run = geam_door},
    {.name = "gemm", .typed = "dgemm", .run = gemm_door},
    {.name = "gemm_strided", .typed = "dgemm_strided", .run = gemm_strided_door},
    {.name = "gemm_batched", .typed = "dgemm_batched", .run = gemm_batched_door},
    {.name = "gemmt", .typed = "dgemmt", .run = gemmt_door},
    {.name = "syrk", .typed = "dsyrk", .run = syrk_door},
    {.name = "herk", .typed = "zherk", .run = herk_door},
    {.name = "syr2k", .typed = "dsyr2k", .run = syr2k_door},
    {.name = "her2k", .typed = "zher2k", .run = her2k_door},
    {.name = "symm", .typed = "dsymm", .run = symm_door},
    {.name = "hemm", .typed = "zhemm", .run = hemm_door},
    {.name = "trmm", .typed = "dtrmm", .run = trmm_door},
    {.name = "trsm", .typed = "dtrsm", .run = trsm_door},
    {.name = "trsm_strided", .typed = "dtrsm_strided", .run = trsm_strided_door},
    {.name = "trsm_batched", .typed = "dtrsm_batched", .run = trsm_batched_door},
    {.name = "lacpy", .typed = "dlacpy", .run = lacpy_door},
    {.name = "laset", .typed = "dlaset", .run = laset_door},
    {.name = "lascl", .typed = "dlascl", .run = lascl_door},
    {.name = "lange", .typed = "dlange", .run = lange_door},
    {.name = "lansy", .typed = "dlansy", .run = lansy_door},
    {.name = "lanhe", .typed = "zlanhe", .run = lanhe_door},
    {.name = "lantr", .typed = "dlantr", .run = lantr_door},
    {.name = "potrf", .typed = "dpotrf", .run = potrf_door},
    {.name = "potrs", .typed = "dpotrs", .run = potrs_door},
    {.name = "posv", .typed = "dposv", .run = posv_door},
    {.name = "potri", .typed = "dpotri", .run = potri_door},
    {.name = "trtrs", .typed = "dtrtrs", .run = trtrs_door},
    {.name = "trtri", .typed = "dtrtri", .run = trtri_door},
    {.name = "lauum", .typed = "dlauum", .run = lauum_door},
    {.name = "laswp", .typed = "dlaswp", .run = laswp_door},
    {.name = "getrf", .typed = "dgetrf", .run = getrf_door},
    {.name = "getrs", .typed = "dgetrs", .run = getrs_door},
    {.name = "gesv", .typed = "dgesv", .run = gesv_door},
    {.name = "getri", .typed = "dgetri", .run = getri_door},
    {.name = "geqrf", .typed = "dgeqrf", .run = geqrf_door},
    {.name = "sytrd", .typed = "dsytrd", .run = sytrd_door},
    {.name = "syevd", .typed = "dsyevd", .run = syevd_door},
    {.name = "syevx", .typed = "dsyevx", .run = syevx_door},
    {.name = "syevx_values", .typed = "dsyevx_values", .run = syevx_door},
    {.name = "sygvd", .typed = "dsygvd", .run = sygvd_door},
    {.name = "syevd_values", .typed = "dsyevd_values", .run = syevd_door},
    {.name = "gesdd", .typed = "dgesdd", .run = gesdd_door},
    {.name = "gesdd_values", .typed = "dgesdd_values", .run = gesdd_door},
    {.name = "gesvd", .typed = "dgesvd", .run = gesvd_door},
    {.name = "gesvd_values", .typed = "dgesvd_values", .run = gesvd_door},
    {.name = "bdsdc", .typed = "dbdsdc", .run = bdsdc_door},
    {.name = "bdsdc_values", .typed = "dbdsdc_values", .run = bdsdc_door},
    {.name = "gehrd", .typed = "dgehrd", .run = gehrd_door},
    {.name = "ormqr", .typed = "dormqr", .run = ormqr_door},
    {.name = "orgqr", .typed = "dorgqr", .run = orgqr_door},
    {.name = "gelqf", .typed = "dgelqf", .run = gelqf_door},
    {.name = "ormlq", .typed = "dormlq", .run = ormlq_door},
    {.name = "orglq", .typed = "dorglq", .run = orglq_door},
    {.name = "gels", .typed = "dgels", .run = gels_door},
    {.name = "larfg", .typed = "dlarfg", .run = larfg_door},
    {.name = "larft", .typed = "dlarft", .run = larft_door},
    {.name = "larfb", .typed = "dlarfb", .run = larfb_door},
    {.name = "gebrd", .typed = "dgebrd", .run = gebrd_door},
    {.name = "orgtr", .typed = "dorgtr", .run = orgtr_door},
    {.name = "orghr", .typed = "dorghr", .run = orghr_door},
    {.name = "orgbr", .typed = "dorgbr", .run = orgbr_door},
    {.name = "ormtr", .typed = "dormtr", .run = ormtr_door},
    {.name = "ormhr", .typed = "dormhr", .run = ormhr_door},
    {.name = "ormbr", .typed = "dormbr", .run = ormbr_door},
};

/* ---- The op that a public function runs ---- */

static struct {
    int count, inside;
    const gbl_op *op;
    uint64_t key;
    gbl_call_view view;
} asked;

static void listen(gable_context *ctx, const gbl_op *op, const void *call, const gbl_choice *choice,
                   bool begin, gable_status status)
{
    (void)ctx;
    (void)choice;
    (void)status;
    /* Routines that are made of others run those inside. */
    asked.inside += begin ? 1 : -1;
    if (!begin || asked.inside > 1)
        return;
    asked.count++;
    asked.op = op;
    asked.key = gbl_call_key(op, call);
    memset(&asked.view, 0, sizeof asked.view);
    gbl_view_call(op, call, &asked.view);
}

/* ---- Cases ---- */

static void check_case(const struct door *door, const bench_case *what)
{
    gable_context *ctx = NULL; /* a new one remembers no choices */
    static bench_operands operands;
    bench_call call;
    gbl_call_view view = {.sizes = 0};
    char name[64];
    bench_case_name(what, name, sizeof name);
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    memset(&operands, 0, sizeof operands);
    CHECK_OK(ctx, bench_operands_make(&operands, ctx, what, true));
    bench_operands_call(&operands, 0, &call);
    gbl_install_observe(listen);
    asked.count = 0;
    CHECK_OK(ctx, door->run(ctx, &call));
    CHECK_OK(ctx, gable_sync(ctx));
    const gbl_op *op = what->op->op;
    gbl_view_call(op, &call, &view);
    CHECK(asked.count == 1 && asked.op == op, "%s: %d ops were run, of %s", name, asked.count,
          asked.count > 0 ? asked.op->stem : "nothing");
    CHECK(asked.count != 1 || asked.key == gbl_call_key(op, &call),
          "%s: the tuner keeps it under the key %#llx, programs ask for %#llx", name,
          (unsigned long long)gbl_call_key(op, &call), (unsigned long long)asked.key);
    CHECK(strcmp(view.flags, asked.view.flags) == 0, "%s: flags \"%s\" and \"%s\"", name,
          view.flags, asked.view.flags);
    bench_operands_free(&operands);
    gable_close(ctx);
}

static void check_door(const struct door *door, bench_wanted wanted)
{
    static const gable_trans trans[] = {GABLE_NO_TRANS, GABLE_TRANS};
    static const gable_uplo uplo[] = {GABLE_LOWER, GABLE_UPPER};
    static const gable_side side[] = {GABLE_LEFT, GABLE_RIGHT};
    int dtype = 0;
    while (!(wanted.dtypes >> dtype & 1))
        dtype++;
    static const gable_norm norm[] = {GABLE_MAX_NORM, GABLE_ONE_NORM, GABLE_INF_NORM,
                                      GABLE_FROBENIUS_NORM};
    for (int i = 0; i < 4; i++) {
        const bench_flags flags = {.trans = trans[i % 2],
                                   .trans_b = trans[i / 2],
                                   .uplo = uplo[i / 2],
                                   .side = side[i % 2],
                                   .norm = norm[i],
                                   .vect = i / 2 == 0 ? GABLE_VECT_Q : GABLE_VECT_P};
        const bench_size size = {1, {40}};
        bench_case what;
        char text[200];
        const bool made =
            bench_case_make(wanted.op, (gbl_dtype)dtype, &flags, &size, &what, text, sizeof text);
        CHECK(made, "%s: %s", door->name, made ? "" : text);
        if (made)
            check_case(door, &what);
    }
}

int main(void)
{
    char names[2000];
    int rows = 0;
    setenv("GABLE_TUNING", "off", 1);
    unsetenv("GABLE_VARIANT");
    bench_op_names(names, sizeof names);
    for (char *name = strtok(names, ", "); name != NULL; name = strtok(NULL, ", ")) {
        size_t i = 0;
        bench_wanted wanted;
        test_case("%s", name);
        while (i < sizeof doors / sizeof doors[0] && strcmp(doors[i].name, name) != 0)
            i++;
        CHECK(i < sizeof doors / sizeof doors[0], "%s can be tuned, but no row here calls it",
              name);
        if (i == sizeof doors / sizeof doors[0])
            continue;
        const bool known = bench_op_find(doors[i].typed, 0, &wanted);
        CHECK(known, "%s is not found", doors[i].typed);
        if (known)
            check_door(&doors[i], wanted);
        rows++;
    }
    CHECK(rows == (int)(sizeof doors / sizeof doors[0]), "%d ops, %d rows", rows,
          (int)(sizeof doors / sizeof doors[0]));
    return test_finish();
}
