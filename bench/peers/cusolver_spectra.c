/* cusolver_spectra.c: eigenvalues and singular values of cuSOLVER: syevd and gesvd.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gesvd is QR iteration, as LAPACK's, and takes m >= n. cuSOLVER has no gesdd: beside gesdd stands
 * its gesvd.
 */
#include "core/operand.h"
#include "peers/cusolver_private.h"

enum { VALUES_ONLY = 0, VALUES_AND_VECTORS = 1 };

/* By precision. */
static struct {
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
