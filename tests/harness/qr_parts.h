/* qr_parts.h: the six parts of tests of reflectors: geqrf, ormqr, orgqr and their twins of LQ;
 * larft and larfb.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once. A typed test gives its call and the names in `forms` of its routine_parts. LQ is
 * QR of the conjugate transpose: matrices are made and judged as for QR, and stored turned.
 */
#ifndef TEST_QR_PARTS_H
#define TEST_QR_PARTS_H

#include "harness/routine.h"

typedef struct qr_form {
    const char *name;
    bool rows; /* LQ */
    /* One of them. */
    gable_status (*factor)(gable_context *ctx, int64_t m, int64_t n, void *A, int64_t lda,
                           void *tau);
    gable_status (*apply)(gable_context *ctx, gable_side side, gable_trans trans, int64_t m,
                          int64_t n, int64_t k, const void *A, int64_t lda, const void *tau,
                          void *C, int64_t ldc);
    gable_status (*form)(gable_context *ctx, int64_t m, int64_t n, int64_t k, void *A, int64_t lda,
                         const void *tau);
    /* larft and larfb, forward; columnwise, or rowwise where `rows` is set. */
    gable_status (*triangle)(gable_context *ctx, int64_t n, int64_t k, const void *V, int64_t ldv,
                             const void *tau, void *t, int64_t ldt);
    gable_status (*block)(gable_context *ctx, gable_side side, gable_trans trans, int64_t m,
                          int64_t n, int64_t k, const void *V, int64_t ldv, const void *t,
                          int64_t ldt, void *C, int64_t ldc);
    /* Calls that each have one wrong argument, with 5 by 5 matrices; NULL: those of qr_refused. */
    void (*refused)(routine *r, const char *name, void *A, void *tau, void *t, void *C);
} qr_form;

void qr_exact(routine *r);
void qr_residual(routine *r);
void qr_edges(routine *r);
void qr_guards(routine *r);
void qr_arguments(routine *r);
void qr_repeat(routine *r);
void qr_refused(routine *r, const qr_form *f, void *A, void *tau, void *t, void *C);
const void *qr_probe(const routine *r, int i);

#define QR_PARTS(stem_, forms_)                                                                    \
    const routine_parts PARTS = {                                                                  \
        .stem = stem_,                                                                             \
        .letter = LETTER,                                                                          \
        .dtype = DTYPE,                                                                            \
        .run = {qr_exact, qr_residual, qr_edges, qr_guards, qr_arguments, qr_repeat},              \
        .probe = qr_probe,                                                                         \
        .forms = forms_,                                                                           \
        .form_count = (int)(sizeof(forms_) / sizeof(forms_)[0])}

#endif
