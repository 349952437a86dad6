/* qr_arguments.c: what the routines of qr_parts.h refuse.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "device/dtype.h"
#include "harness/qr_parts.h"

#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, f->name, __VA_ARGS__)

static void refused_factor(routine *r, const qr_form *f, void *A, void *tau)
{
    gable_context *ctx = r->ctx;
    CHECK_STATUS(NULL, f->factor(NULL, 5, 5, A, 5, tau), GABLE_BAD_ARGUMENT);
    REFUSED(f->factor(ctx, -1, 5, A, 5, tau), "argument 2 (m)", "-1");
    REFUSED(f->factor(ctx, 5, -2, A, 5, tau), "argument 3 (n)", "-2");
    REFUSED(f->factor(ctx, 5, 5, NULL, 5, tau), "argument 4 (A)", "NULL");
    REFUSED(f->factor(ctx, 5, 5, A, 4, tau), "argument 5 (lda)", "4", "5");
    REFUSED(f->factor(ctx, 5, 5, A, 5, NULL), "argument 6 (tau)", "NULL");
}

static void refused_form(routine *r, const qr_form *f, void *A, void *tau)
{
    gable_context *ctx = r->ctx;
    CHECK_STATUS(NULL, f->form(NULL, 5, 5, 5, A, 5, tau), GABLE_BAD_ARGUMENT);
    REFUSED(f->form(ctx, -1, 5, 5, A, 5, tau), "argument 2 (m)", "-1");
    REFUSED(f->form(ctx, 5, -1, 5, A, 5, tau), "argument 3 (n)", "-1");
    REFUSED(f->form(ctx, 4, f->rows ? 3 : 5, 3, A, 5, tau), "argument 3 (n)", "4");
    REFUSED(f->form(ctx, 5, 5, -1, A, 5, tau), "argument 4 (k)", "-1");
    REFUSED(f->form(ctx, 5, 5, 6, A, 5, tau), "argument 4 (k)", "6", "5");
    REFUSED(f->form(ctx, 5, 5, 5, NULL, 5, tau), "argument 5 (A)", "NULL");
    REFUSED(f->form(ctx, 5, 5, 5, A, 4, tau), "argument 6 (lda)", "4", "5");
    REFUSED(f->form(ctx, 5, 5, 5, A, 5, NULL), "argument 7 (tau)", "NULL");
}

static void refused_apply(routine *r, const qr_form *f, void *A, void *tau, void *C)
{
    gable_context *ctx = r->ctx;
    const gable_side left = GABLE_LEFT;
    const gable_trans no = GABLE_NO_TRANS;
    CHECK_STATUS(NULL, f->apply(NULL, left, no, 5, 5, 5, A, 5, tau, C, 5), GABLE_BAD_ARGUMENT);
    REFUSED(f->apply(ctx, (gable_side)3, no, 5, 5, 5, A, 5, tau, C, 5), "argument 2 (side)", "3");
    REFUSED(f->apply(ctx, left, (gable_trans)3, 5, 5, 5, A, 5, tau, C, 5), "argument 3 (trans)",
            "3");
    if (gbl_dtype_complex(r->dtype))
        REFUSED(f->apply(ctx, left, GABLE_TRANS, 5, 5, 5, A, 5, tau, C, 5), "argument 3 (trans)",
                "GABLE_TRANS");
    REFUSED(f->apply(ctx, left, no, -1, 5, 5, A, 5, tau, C, 5), "argument 4 (m)", "-1");
    REFUSED(f->apply(ctx, left, no, 5, -1, 5, A, 5, tau, C, 5), "argument 5 (n)", "-1");
    REFUSED(f->apply(ctx, left, no, 5, 5, -1, A, 5, tau, C, 5), "argument 6 (k)", "-1");
    REFUSED(f->apply(ctx, left, no, 4, 5, 5, A, 5, tau, C, 5), "argument 6 (k)", "5", "4");
    REFUSED(f->apply(ctx, GABLE_RIGHT, no, 5, 4, 5, A, 5, tau, C, 5), "argument 6 (k)", "5", "4");
    REFUSED(f->apply(ctx, left, no, 5, 5, 5, NULL, 5, tau, C, 5), "argument 7 (A)", "NULL");
    REFUSED(f->apply(ctx, left, no, 5, 5, 5, A, 4, tau, C, 5), "argument 8 (lda)", "4", "5");
    REFUSED(f->apply(ctx, left, no, 5, 5, 5, A, 5, NULL, C, 5), "argument 9 (tau)", "NULL");
    REFUSED(f->apply(ctx, left, no, 5, 5, 5, A, 5, tau, NULL, 5), "argument 10 (C)", "NULL");
    REFUSED(f->apply(ctx, left, no, 5, 5, 5, A, 5, tau, C, 4), "argument 11 (ldc)", "4", "5");
}

void qr_refused(routine *r, const qr_form *f, void *A, void *tau, void *T, void *C)
{
    if (f->refused != NULL)
        f->refused(r, f->name, A, tau, T, C);
    else if (f->factor != NULL)
        refused_factor(r, f, A, tau);
    else if (f->form != NULL)
        refused_form(r, f, A, tau);
    else
        refused_apply(r, f, A, tau, C);
}
