/* cusolver_spectra.c: eigenvalues and singular values of cuSOLVER: syevd, syevdx, sygvd and gesvd.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gesvd is QR iteration, as LAPACK's, and takes m >= n. cuSOLVER has no gesdd: beside gesdd stands
 * its gesvd.
 */
#include "core/operand.h"
#include "lapack/lapack.h"
#include "peers/cusolver_private.h"

enum { VALUES_ONLY = 0, VALUES_AND_VECTORS = 1 };

/* Bounds of an interval are float or double, by value. */
typedef int syevx_room_narrow(cusolver_handle *handle, int job, int range, int fill, int n,
                              const void *A, int lda, float vl, float vu, int il, int iu,
                              int *found, const void *w, int *count);
typedef int syevx_room_wide(cusolver_handle *handle, int job, int range, int fill, int n,
                            const void *A, int lda, double vl, double vu, int il, int iu,
                            int *found, const void *w, int *count);
typedef int syevx_narrow(cusolver_handle *handle, int job, int range, int fill, int n, void *A,
                         int lda, float vl, float vu, int il, int iu, int *found, void *w,
                         void *work, int count, int *info);
typedef int syevx_wide(cusolver_handle *handle, int job, int range, int fill, int n, void *A,
                       int lda, double vl, double vu, int il, int iu, int *found, void *w,
                       void *work, int count, int *info);

/* By precision. */
static struct {
    union {
        syevx_room_narrow *narrow;
        syevx_room_wide *wide;
    } syevx_room[4];
    union {
        syevx_narrow *narrow;
        syevx_wide *wide;
    } syevx[4];
    int (*sygvd_room[4])(cusolver_handle *handle, int itype, int job, int fill, int n,
                         const void *A, int lda, const void *B, int ldb, const void *w, int *count);
    int (*sygvd[4])(cusolver_handle *handle, int itype, int job, int fill, int n, void *A, int lda,
                    void *B, int ldb, void *w, void *work, int count, int *info);
    int (*syevd_room[4])(cusolver_handle *handle, int job, int fill, int n, const void *A, int lda,
                         const void *w, int *count);
    int (*syevd[4])(cusolver_handle *handle, int job, int fill, int n, void *A, int lda, void *w,
                    void *work, int count, int *info);
    int (*gesvd_room[4])(cusolver_handle *handle, int m, int n, int *count);
    int (*gesvd[4])(cusolver_handle *handle, signed char jobu, signed char jobvt, int m, int n,
                    void *A, int lda, void *s, void *U, int ldu, void *Vt, int ldvt, void *work,
                    int count, void *rwork, int *info);
} api;

bool cusolver_spectra_load(void *library)
{
    return cusolver_load_four(library, "syevd", "heevd", "_bufferSize", api.syevd_room) &&
           cusolver_load_four(library, "syevd", "heevd", "", api.syevd) &&
           cusolver_load_four(library, "syevdx", "heevdx", "_bufferSize", api.syevx_room) &&
           cusolver_load_four(library, "syevdx", "heevdx", "", api.syevx) &&
           cusolver_load_four(library, "sygvd", "hegvd", "_bufferSize", api.sygvd_room) &&
           cusolver_load_four(library, "sygvd", "hegvd", "", api.sygvd) &&
           cusolver_load_four(library, "gesvd", NULL, "_bufferSize", api.gesvd_room) &&
           cusolver_load_four(library, "gesvd", NULL, "", api.gesvd);
}

static int job_of(const gbl_product_args *c)
{
    return c->job == GABLE_NO_VECTORS ? VALUES_ONLY : VALUES_AND_VECTORS;
}

static int fill_of(const gbl_product_args *c)
{
    return c->uplo == GABLE_UPPER ? FILL_UPPER : FILL_LOWER;
}

int cusolver_room_syevd(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.syevd_room[c->dtype](state->handle, job_of(c), fill_of(c), (int)c->n, c->A,
                                    (int)c->lda, c->d, count);
}

int cusolver_call_syevd(cusolver_state *state, const gbl_product_args *c)
{
    return api.syevd[c->dtype](state->handle, job_of(c), fill_of(c), (int)c->n, c->A, (int)c->lda,
                               c->d, state->work, state->count, cusolver_info(state, c));
}

static int range_of(const gbl_product_args *c)
{
    return c->range == GABLE_RANGE_INDICES ? 1002 : c->range == GABLE_RANGE_VALUES ? 1003 : 1001;
}

int cusolver_room_syevx(cusolver_state *state, const gbl_product_args *c, int *count)
{
    const double from = c->alpha.re, to = c->beta.re;
    const int il = (int)c->ilo, iu = (int)c->ihi;
    if (gbl_dtype_real_bytes(c->dtype) == 4)
        return api.syevx_room[c->dtype].narrow(state->handle, job_of(c), range_of(c), fill_of(c),
                                               (int)c->n, c->A, (int)c->lda, (float)from, (float)to,
                                               il, iu, &state->found, c->d, count);
    return api.syevx_room[c->dtype].wide(state->handle, job_of(c), range_of(c), fill_of(c),
                                         (int)c->n, c->A, (int)c->lda, from, to, il, iu,
                                         &state->found, c->d, count);
}

int cusolver_call_syevx(cusolver_state *state, const gbl_product_args *c)
{
    const double from = c->alpha.re, to = c->beta.re;
    const int il = (int)c->ilo, iu = (int)c->ihi;
    if (gbl_dtype_real_bytes(c->dtype) == 4)
        return api.syevx[c->dtype].narrow(state->handle, job_of(c), range_of(c), fill_of(c),
                                          (int)c->n, c->A, (int)c->lda, (float)from, (float)to, il,
                                          iu, &state->found, c->d, state->work, state->count,
                                          cusolver_info(state, c));
    return api.syevx[c->dtype].wide(state->handle, job_of(c), range_of(c), fill_of(c), (int)c->n,
                                    c->A, (int)c->lda, from, to, il, iu, &state->found, c->d,
                                    state->work, state->count, cusolver_info(state, c));
}

/* syevdx leaves the vectors in A: to where syevx has them. A tenth of the columns is little beside
 * the rest. */
gable_status cusolver_copy_vectors(bench_peer *peer, const gbl_product_args *call)
{
    const gbl_product_call copy = {.dtype = call->dtype,
                                   .uplo = GABLE_GENERAL,
                                   .m = call->n,
                                   .n = call->ihi - call->ilo + 1,
                                   .A = call->A,
                                   .lda = call->lda,
                                   .B = call->C,
                                   .ldb = call->ldc};
    return gbl_lacpy(peer->ctx, "cusolver", &copy);
}

int cusolver_room_sygvd(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.sygvd_room[c->dtype](state->handle, (int)c->k, job_of(c), fill_of(c), (int)c->n,
                                    c->A, (int)c->lda, c->B, (int)c->ldb, c->d, count);
}

int cusolver_call_sygvd(cusolver_state *state, const gbl_product_args *c)
{
    return api.sygvd[c->dtype](state->handle, (int)c->k, job_of(c), fill_of(c), (int)c->n, c->A,
                               (int)c->lda, c->B, (int)c->ldb, c->d, state->work, state->count,
                               cusolver_info(state, c));
}

int cusolver_room_gesvd(cusolver_state *state, const gbl_product_args *c, int *count)
{
    return api.gesvd_room[c->dtype](state->handle, (int)c->m, (int)c->n, count);
}

/* Both sides alike; without vectors U and Vt have leading dimensions all the same. */
int cusolver_call_gesvd(cusolver_state *state, const gbl_product_args *c)
{
    const signed char job = (signed char)gbl_job_letter((int)c->job);
    const int ldu = (int)(c->ldb > c->m ? c->ldb : c->m),
              ldvt = (int)(c->ldc > c->n ? c->ldc : c->n);
    return api.gesvd[c->dtype](state->handle, job, job, (int)c->m, (int)c->n, c->A, (int)c->lda,
                               c->d, c->B, ldu, c->C, ldvt, state->work, state->count, NULL,
                               cusolver_info(state, c));
}
