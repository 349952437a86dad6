/* arguments.c: the arguments of a call against the description of its op.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "core/arguments.h"

const char gbl_null_scalar[1];

/* ---- Looking into a description ---- */

bool gbl_call_empty(const gbl_op *op, const void *call)
{
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        if ((operand->kind == GBL_SIZE || operand->kind == GBL_ORDER ||
             operand->kind == GBL_BATCH) &&
            gbl_call_integer(call, operand->at) <= 0)
            return true;
    }
    return false;
}

int gbl_argument_number(const gbl_op *op, const void *call, uint16_t at)
{
    int number = 2;
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        if (gbl_call_switch(call, operand->absent))
            continue;
        if (operand->at == at)
            break;
        number++;
    }
    return number;
}

/* The operand whose stride, leading dimension or distance is at an offset. */
static const gbl_operand *owner_of(const gbl_op *op, const gbl_operand *step)
{
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        const uint16_t at = step->kind == GBL_APART ? operand->apart : operand->step;
        if (gbl_is_address(operand) && at == step->at)
            return operand;
    }
    return NULL;
}

size_t gbl_operand_element(const gbl_operand *operand, const void *call)
{
    return operand->element != NULL ? operand->element(call)
                                    : gbl_dtype_bytes(((const gbl_call *)call)->dtype);
}

bool gbl_operand_unread(const gbl_operand *operand, const void *call)
{
    return operand->factor != 0 &&
           gbl_scalar_zero(
               (const gbl_scalar *)(const void *)((const char *)call + operand->factor));
}

/* ---- One argument ---- */

gable_status gbl_scalar_check(gable_context *ctx, int number, const char *name, const void *device)
{
    CHECK_ARG(ctx, device != gbl_null_scalar, number, name, "is NULL; it must be device memory");
    return device != NULL ? gbl_check_address(ctx, number, name, device) : GABLE_OK;
}

static gable_status check_job(gable_context *ctx, const gbl_operand *operand, int number, int flag)
{
    static const char *const names[GBL_JOBS] = {"GABLE_NO_VECTORS",       "GABLE_VECTORS",
                                                "GABLE_IDENTITY_VECTORS", "GABLE_ALL_VECTORS",
                                                "GABLE_SOME_VECTORS",     "GABLE_OVERWRITE"};
    char legal[160] = "";
    if (gbl_is_legal_job(operand, flag))
        return GABLE_OK;
    for (int i = 0, left = operand->jobs; i < GBL_JOBS; i++) {
        if ((operand->jobs >> i & 1) == 0)
            continue;
        left &= ~(1 << i);
        const bool last = left == 0;
        const size_t used = strlen(legal);
        snprintf(legal + used, sizeof legal - used, "%s%s",
                 used == 0 ? ""
                 : last    ? " or "
                           : ", ",
                 names[i]);
    }
    CHECK_ARG(ctx, false, number, operand->name, "is %d; it must be %s", flag, legal);
    return GABLE_OK;
}

static gable_status check_flag(gable_context *ctx, const gbl_operand *operand, int number, int flag)
{
    switch (operand->kind) {
    case GBL_TRANS:
        CHECK_ARG(ctx, flag == GABLE_NO_TRANS || flag == GABLE_TRANS || flag == GABLE_CONJ_TRANS,
                  number, operand->name,
                  "is %d; it must be GABLE_NO_TRANS, GABLE_TRANS or GABLE_CONJ_TRANS", flag);
        break;
    case GBL_UPLO:
        CHECK_ARG(ctx,
                  flag == GABLE_UPPER || flag == GABLE_LOWER ||
                      (operand->optional && flag == GABLE_GENERAL),
                  number, operand->name, "is %d; it must be GABLE_UPPER%s GABLE_LOWER%s", flag,
                  operand->optional ? "," : " or", operand->optional ? " or GABLE_GENERAL" : "");
        break;
    case GBL_SIDE:
        CHECK_ARG(ctx, flag == GABLE_LEFT || flag == GABLE_RIGHT, number, operand->name,
                  "is %d; it must be GABLE_LEFT or GABLE_RIGHT", flag);
        break;
    case GBL_NORM:
        CHECK_ARG(ctx,
                  flag == GABLE_MAX_NORM || flag == GABLE_ONE_NORM || flag == GABLE_INF_NORM ||
                      flag == GABLE_FROBENIUS_NORM,
                  number, operand->name,
                  "is %d; it must be GABLE_MAX_NORM, GABLE_ONE_NORM, GABLE_INF_NORM "
                  "or GABLE_FROBENIUS_NORM",
                  flag);
        break;
    case GBL_VECT:
        CHECK_ARG(ctx, flag == GABLE_VECT_Q || flag == GABLE_VECT_P, number, operand->name,
                  "is %d; it must be GABLE_VECT_Q or GABLE_VECT_P", flag);
        break;
    case GBL_JOB:
        return check_job(ctx, operand, number, flag);
    case GBL_RANGE:
        CHECK_ARG(
            ctx,
            flag == GABLE_RANGE_ALL || flag == GABLE_RANGE_VALUES || flag == GABLE_RANGE_INDICES,
            number, operand->name,
            "is %d; it must be GABLE_RANGE_ALL, GABLE_RANGE_VALUES or GABLE_RANGE_INDICES", flag);
        break;
    default:
        CHECK_ARG(ctx, flag == GABLE_NON_UNIT || flag == GABLE_UNIT, number, operand->name,
                  "is %d; it must be GABLE_NON_UNIT or GABLE_UNIT", flag);
    }
    return GABLE_OK;
}

static gable_status check_size(gable_context *ctx, const gbl_operand *operand, int number,
                               const void *call, bool empty)
{
    const int64_t size = gbl_call_integer(call, operand->at);
    size_t elem = gbl_operand_element(operand, call);
    if (operand->kind == GBL_BATCH && elem < sizeof(void *))
        elem = sizeof(void *);
    CHECK_ARG(ctx, size >= 0, number, operand->name, "is %lld; it must be at least 0",
              (long long)size);
    return empty ? GABLE_OK : gbl_count_check(ctx, number, operand->name, size, elem);
}

static gable_status check_address(gable_context *ctx, const gbl_op *op, const gbl_operand *operand,
                                  int number, const void *call)
{
    if (operand->optional && gbl_operand_unread(operand, call))
        return GABLE_OK;
    /* A factor without terms has no elements, and perhaps no memory; nor has tau without
     * reflectors. */
    if (operand->kind == GBL_MATRIX && (operand->rows(call) <= 0 || operand->columns(call) <= 0))
        return GABLE_OK;
    if (operand->kind == GBL_NUMBERS && operand->rows(call) <= 0)
        return GABLE_OK;
    if (operand->kind == GBL_NUMBERS) {
        /* So many elements come of a size: it is to blame. */
        const int64_t count = operand->rows(call);
        for (int i = 0; i < op->operand_count; i++)
            if (op->operands[i].kind == GBL_ORDER)
                TRY(gbl_pitch_check(ctx, gbl_argument_number(op, call, op->operands[i].at),
                                    op->operands[i].name, operand->name, 1,
                                    gbl_call_integer(call, op->operands[i].at), count,
                                    gbl_operand_element(operand, call)));
    }
    return gbl_check_address(ctx, number, operand->name, gbl_call_address(call, operand->at));
}

static gable_status check_ld(gable_context *ctx, const gbl_op *op, const gbl_operand *operand,
                             int number, const void *call, bool empty)
{
    const gbl_operand *matrix = owner_of(op, operand);
    const int64_t ld = gbl_call_integer(call, operand->at), rows = matrix->rows(call),
                  least = rows > 1 ? rows : 1;
    CHECK_ARG(ctx, ld >= least, number, operand->name,
              "is %lld; it must be at least max(1, %s), which is %lld", (long long)ld,
              operand->least, (long long)least);
    if (empty || (matrix->optional && gbl_operand_unread(matrix, call)))
        return GABLE_OK;
    return gbl_pitch_check(ctx, number, operand->name, matrix->name, matrix->columns(call), ld,
                           rows, gbl_operand_element(matrix, call));
}

static gable_status check_inc(gable_context *ctx, const gbl_op *op, const gbl_operand *operand,
                              int number, const void *call, bool empty)
{
    const gbl_operand *vector = owner_of(op, operand);
    const int64_t inc = gbl_call_integer(call, operand->at);
    CHECK_ARG(ctx, (vector->access & GBL_WRITE) == 0 || inc != 0, number, operand->name,
              "is 0; the stride of an output must not be");
    return empty ? GABLE_OK
                 : gbl_pitch_check(ctx, number, operand->name, vector->name, vector->rows(call),
                                   inc, 1, gbl_operand_element(vector, call));
}

static gable_status check_apart(gable_context *ctx, const gbl_op *op, const gbl_operand *operand,
                                int number, const void *call, bool empty)
{
    const gbl_operand *of = owner_of(op, operand);
    const int64_t stride = gbl_call_integer(call, operand->at),
                  batch = gbl_call_integer(call, gbl_batch_at(op));
    CHECK_ARG(ctx, (of->access & GBL_WRITE) == 0 || stride != 0 || batch <= 1, number,
              operand->name, "is 0; with a batch of %lld every batch entry needs %s of its own",
              (long long)batch, of->name);
    if (empty)
        return GABLE_OK;
    gbl_operand whole = *of;
    whole.factor = 0;
    const gbl_extent one = gbl_operand_extent(&whole, number, call);
    return gbl_pitch_check(ctx, number, operand->name, of->name, batch, stride,
                           (int64_t)(one.after / one.elem_bytes), one.elem_bytes);
}

static gable_status check_one(gable_context *ctx, const gbl_op *op, const gbl_operand *operand,
                              int number, const void *call, bool empty)
{
    switch (operand->kind) {
    case GBL_TRANS:
    case GBL_UPLO:
    case GBL_DIAG:
    case GBL_SIDE:
    case GBL_NORM:
    case GBL_VECT:
    case GBL_JOB:
    case GBL_RANGE:
        return check_flag(ctx, operand, number, gbl_call_flag(call, operand->at));
    case GBL_SIZE:
    case GBL_ORDER:
    case GBL_WIDTH:
    case GBL_BATCH:
        return check_size(ctx, operand, number, call, empty);
    case GBL_SCALAR:
        return empty ? GABLE_OK
                     : gbl_scalar_check(ctx, number, operand->name,
                                        gbl_call_address(call, operand->at));
    case GBL_VECTOR:
    case GBL_MATRIX:
    case GBL_NUMBERS:
        return empty ? GABLE_OK : check_address(ctx, op, operand, number, call);
    case GBL_LD:
        return check_ld(ctx, op, operand, number, call, empty);
    case GBL_INC:
        return check_inc(ctx, op, operand, number, call, empty);
    case GBL_APART:
        return check_apart(ctx, op, operand, number, call, empty);
    case GBL_RESULT: /* where it is written to is asked for when there is a result */
    case GBL_ANY:
    case GBL_SWITCH:
    case GBL_MARK:
    case GBL_CONSTANT:
    case GBL_SAME:
        break;
    }
    return GABLE_OK;
}

/* ---- All of them ---- */

gbl_extent gbl_operand_extent(const gbl_operand *operand, int number, const void *call)
{
    const void *address = gbl_call_address(call, operand->at);
    const size_t elem = gbl_operand_element(operand, call);
    const gbl_access access = operand->access;
    const bool unread = gbl_operand_unread(operand, call);
    const int64_t rows = operand->rows != NULL ? operand->rows(call) : 1;
    gbl_extent extent;
    if (operand->kind == GBL_MATRIX) {
        const int64_t ld = gbl_call_integer(call, operand->step);
        const gbl_shape shape = operand->shape != NULL ? operand->shape(call) : GBL_WHOLE;
        const int64_t columns = unread ? 0 : operand->columns(call);
        extent = shape == GBL_WHOLE ? gbl_extent_matrix(operand->name, number, access, address,
                                                        rows, columns, ld, elem)
                                    : gbl_extent_triangle(operand->name, number, access, address,
                                                          columns, ld, elem, shape);
    } else {
        const int64_t inc = operand->kind == GBL_VECTOR ? gbl_call_integer(call, operand->step) : 1;
        const bool there = operand->kind != GBL_SCALAR || address != NULL;
        extent = gbl_extent_vector(operand->name, number, access, address,
                                   unread || !there ? 0 : rows, inc, elem);
    }
    extent.in_place = operand->in_place;
    return extent;
}

static bool has_extent(const gbl_operand *operand)
{
    return gbl_is_address(operand) || operand->kind == GBL_SCALAR;
}

#define MOST_EXTENTS 16

static gable_status guard(gable_context *ctx, const gbl_op *op, const void *call)
{
    gbl_extent extents[MOST_EXTENTS];
    int count = 0, number = 2;
    if (gbl_batch_at(op) != 0)
        return gbl_batch_guard(ctx, op, call);
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        if (gbl_call_switch(call, operand->absent))
            continue;
        if (has_extent(operand) && count < MOST_EXTENTS)
            extents[count++] = gbl_operand_extent(operand, number, call);
        number++;
    }
    return gbl_extents_check(ctx, extents, count);
}

gable_status gbl_arguments_walk(gable_context *ctx, const gbl_op *op, const void *call)
{
    const bool empty = gbl_call_empty(op, call);
    int number = 2;
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        if (!gbl_is_argument(operand))
            break;
        if (gbl_call_switch(call, operand->absent))
            continue;
        TRY(check_one(ctx, op, operand, number++, call, empty));
    }
    return op->rules != NULL ? op->rules(ctx, call) : GABLE_OK;
}

static bool is_idle(const gbl_op *op, const void *call)
{
    return op->idle != NULL && op->idle(call);
}

gable_status gbl_arguments_check(gable_context *ctx, const gbl_op *op, const void *call)
{
    TRY(gbl_arguments_walk(ctx, op, call));
    if (!ctx->guarded || gbl_call_empty(op, call) || is_idle(op, call))
        return GABLE_OK;
    return guard(ctx, op, call);
}

/* ---- Calls that are known ---- */

static bool are_there(const gbl_known_call *known, const void *call)
{
    bool there = true;
    for (int i = 0; i < known->operand_count; i++)
        there =
            there && gbl_call_address(call, known->operands[i].at) != known->operands[i].missing;
    return there;
}

/* What a legal call says of others with its shape. Where an operand is not read its factor decides
 * what is checked, and an operand that may be NULL is for the checks: such calls say nothing. */
static gbl_known_call learn(const gbl_op *op, const void *call)
{
    gbl_known_call learned = {.checked = true};
    for (int i = 0; i < op->operand_count && gbl_is_argument(&op->operands[i]); i++) {
        const gbl_operand *operand = &op->operands[i];
        const bool scalar = operand->kind == GBL_SCALAR;
        if ((!scalar && !gbl_is_address(operand)) || operand->kind == GBL_RESULT ||
            gbl_call_switch(call, operand->absent))
            continue;
        if (learned.operand_count == GBL_KNOWN_OPERANDS ||
            (operand->optional && gbl_operand_unread(operand, call)))
            return (gbl_known_call){.checked = false};
        learned.operands[learned.operand_count].at = operand->at;
        learned.operands[learned.operand_count++].missing = scalar ? gbl_null_scalar : NULL;
    }
    learned.checked = are_there(&learned, call);
    return learned;
}

gable_status gbl_call_run_checked(gable_context *ctx, const gbl_op *op, const void *call)
{
    const gbl_known_call learned = learn(op, call);
    return gbl_op_run_learning(ctx, op, call, &learned);
}

const gbl_known_call *gbl_call_known(gable_context *ctx, const gbl_op *op, const void *call)
{
    const gbl_known_call *known = gbl_op_known(ctx, op, call);
    return known != NULL && known->checked && are_there(known, call) ? known : NULL;
}

gable_status gbl_call_run(gable_context *ctx, const char *name, const gbl_op *op, const void *call)
{
    TRY(gbl_enter(ctx, name));
    const gbl_known_call *known = gbl_call_known(ctx, op, call);
    if (known != NULL) {
        if (op->rules != NULL && ctx->depth == 0)
            TRY(op->rules(ctx, call));
        return is_idle(op, call) ? GABLE_OK : gbl_op_run_known(ctx, known, call);
    }
    if (op->plain == NULL || !op->plain(ctx, call)) {
        if (ctx->depth == 0)
            TRY(gbl_arguments_check(ctx, op, call));
        if (gbl_call_empty(op, call))
            return GABLE_OK;
    }
    if (is_idle(op, call))
        return GABLE_OK;
    return ctx->depth == 0 ? gbl_call_run_checked(ctx, op, call) : gbl_op_run(ctx, op, call);
}
