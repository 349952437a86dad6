/* call_view.c: the flags and sizes of a call, for profiles.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/call_view.h"
#include "blas/level1.h"
#include "blas/level2.h"

#define IS_OP(stem) || op == &gbl_##stem##_op

static void add_size(gbl_call_view *view, const char *name, int64_t value)
{
    view->size[view->sizes].name = name;
    view->size[view->sizes++].value = value;
}

static char trans_letter(gable_trans trans)
{
    return trans == GABLE_NO_TRANS ? 'N' : trans == GABLE_TRANS ? 'T' : 'C';
}

static void view_vectors(const gbl_vector_call *call, gbl_call_view *view)
{
    view->call_bytes = sizeof *call;
    add_size(view, "n", call->n);
    if (call->count > 0)
        add_size(view, "k", call->count);
}

/* Flags that a routine does not have are 0. */
static void view_matrix(const gbl_matrix_call *call, gbl_call_view *view)
{
    char *flag = view->flags;
    view->call_bytes = sizeof *call;
    if (call->uplo != 0)
        *flag++ = call->uplo == GABLE_LOWER ? 'L' : 'U';
    if (call->trans != 0)
        *flag++ = trans_letter(call->trans);
    if (call->trans_b != 0)
        *flag++ = trans_letter(call->trans_b);
    if (call->diag != 0)
        *flag++ = call->diag == GABLE_UNIT ? 'U' : 'N';
    add_size(view, "m", call->m);
    add_size(view, "n", call->n);
    add_size(view, "lda", call->lda);
    if (call->batch > 0)
        add_size(view, "batch", call->batch);
}

void gbl_view_call(const gbl_op *op, const void *call, gbl_call_view *view)
{
    if (false GBL_MATRIX_STEMS(IS_OP))
        view_matrix(call, view);
    else if (false GBL_VECTOR_STEMS(IS_OP))
        view_vectors(call, view);
}
