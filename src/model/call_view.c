/* call_view.c: the flags and sizes of a call, for profiles.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "model/call_view.h"

static char letter_of(gbl_kind kind, int flag)
{
    switch (kind) {
    case GBL_TRANS:
        return flag == GABLE_NO_TRANS ? 'N' : flag == GABLE_TRANS ? 'T' : 'C';
    case GBL_UPLO:
        return flag == GABLE_LOWER ? 'L' : 'U';
    case GBL_SIDE:
        return flag == GABLE_RIGHT ? 'R' : 'L';
    case GBL_NORM:
        return flag == GABLE_ONE_NORM   ? '1'
               : flag == GABLE_INF_NORM ? 'I'
               : flag == GABLE_MAX_NORM ? 'M'
                                        : 'F';
    case GBL_VECT:
        return flag == GABLE_VECT_P ? 'P' : 'Q';
    case GBL_JOB:
        return gbl_job_letter(flag);
    case GBL_RANGE:
        return flag == GABLE_RANGE_VALUES ? 'V' : flag == GABLE_RANGE_INDICES ? 'I' : 'A';
    default:
        return flag == GABLE_UNIT ? 'U' : 'N';
    }
}

static void add_size(gbl_call_view *view, const gbl_operand *operand, const void *call)
{
    if (view->sizes == GBL_VIEW_SIZES)
        return;
    view->size[view->sizes].name = operand->name;
    view->size[view->sizes++].value = gbl_call_integer(call, operand->at);
}

void gbl_view_call(const gbl_op *op, const void *call, gbl_call_view *view)
{
    const gbl_operand *ld = NULL;
    int flags = 0;
    view->call_bytes = op->layout != NULL ? op->layout->call_bytes : 0;
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        switch (operand->kind) {
        case GBL_TRANS:
        case GBL_UPLO:
        case GBL_DIAG:
        case GBL_SIDE:
        case GBL_NORM:
        case GBL_VECT:
        case GBL_JOB:
        case GBL_RANGE:
            if (flags < GBL_VIEW_FLAGS - 1)
                view->flags[flags++] = letter_of(operand->kind, gbl_call_flag(call, operand->at));
            break;
        case GBL_SIZE:
        case GBL_ORDER:
        case GBL_WIDTH:
        case GBL_BATCH:
            add_size(view, operand, call);
            break;
        case GBL_LD:
            ld = ld != NULL ? ld : operand;
            break;
        default:
            break;
        }
    }
    if (ld != NULL)
        add_size(view, ld, call);
}
