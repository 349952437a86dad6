/* hostile_ops.c: calls of every op with arguments that no caller means, made from its description.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every argument in turn takes what it must not be: integers up to the ends of int64_t, also in
 * pairs, flags that do not exist, NULL. The straight-line test of an op must not let it pass, and
 * the walk over its arguments must refuse it. Which number it has in the message the tests of the
 * routines say.
 */
#include <stdint.h>
#include <string.h>
#include "harness/check.h"
#include "harness/described_call.h"
#include "hostile_ops.h"

#define BIT(i) ((int64_t)1 << (i))

static bool has_result(const gbl_op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i].kind == GBL_RESULT)
            return true;
    return false;
}

/* Results are brought home by other functions: only the arguments of such calls are looked at. */
static gable_status run(gable_context *ctx, const described_call *made)
{
    if (!has_result(made->op))
        return gbl_call_run(ctx, "call", made->op, made->call);
    const gable_status status = gbl_enter(ctx, "call");
    return status == GABLE_OK ? gbl_arguments_check(ctx, made->op, made->call) : status;
}

static void must_refuse(gable_context *ctx, const described_call *made, const char *name)
{
    test_case("%s with a hostile %s", made->op->stem, name);
    CHECK(made->op->plain == NULL || !made->op->plain(ctx, made->call),
          "the straight-line test lets it pass");
    const gable_status status = run(ctx, made);
    CHECK(status == GABLE_BAD_ARGUMENT, "%s: %s", gable_status_name(status), gable_message(ctx));
    CHECK(strncmp(gable_message(ctx), "call: argument ", 15) == 0, "no argument is named: %s",
          gable_message(ctx));
}

static void set(described_call *made, const gbl_operand *operand, const void *value, size_t bytes)
{
    memcpy(made->call + operand->at, value, bytes);
    /* Both places of an order or of a width. */
    if ((operand->kind == GBL_ORDER || operand->kind == GBL_WIDTH) && operand->step != 0)
        memcpy(made->call + operand->step, value, bytes);
}

static void refuse_bytes(gable_context *ctx, const described_call *made, const gbl_operand *operand,
                         const void *value, size_t bytes)
{
    described_call other = *made;
    set(&other, operand, value, bytes);
    must_refuse(ctx, &other, operand->name);
}

static bool is_integer(const gbl_operand *operand)
{
    switch (operand->kind) {
    case GBL_SIZE:
    case GBL_ORDER:
    case GBL_WIDTH:
    case GBL_BATCH:
    case GBL_LD:
    case GBL_INC:
    case GBL_APART:
        return true;
    default:
        return false;
    }
}

/* They leave 63 bits behind with any count above 1; alone, and with one of the integers behind. */
static void refuse_integers(gable_context *ctx, const described_call *made,
                            const gbl_operand *operand)
{
    static const int64_t values[] = {INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1,
                                     BIT(62),   -BIT(62),  BIT(62) + 5};
    enum { VALUES = sizeof values / sizeof values[0] };
    const gbl_operand *end = made->op->operands + made->op->operand_count;
    const int64_t nothing = 0;
    for (int i = 0; i < VALUES; i++) {
        described_call other = *made;
        set(&other, operand, &values[i], sizeof values[i]);
        must_refuse(ctx, &other, operand->name);
        for (const gbl_operand *more = operand + 1; more < end; more++)
            if (is_integer(more))
                refuse_bytes(ctx, &other, more, &values[(5 * i + (more - operand)) % VALUES],
                             sizeof values[i]);
    }
    if (operand->kind == GBL_LD)
        refuse_bytes(ctx, made, operand, &nothing, sizeof nothing);
}

static void refuse_operand(gable_context *ctx, const described_call *made,
                           const gbl_operand *operand)
{
    static const int flags[] = {0,   -1,  1,   110, 114, 120, 123, 130,       133,      140,
                                143, 172, 176, 300, 307, 310, 314, INT32_MAX, INT32_MIN};
    void *const none = NULL;
    if (is_integer(operand))
        refuse_integers(ctx, made, operand);
    switch (operand->kind) {
    case GBL_TRANS:
    case GBL_UPLO:
    case GBL_DIAG:
    case GBL_SIDE:
    case GBL_NORM:
    case GBL_VECT:
    case GBL_JOB:
    case GBL_RANGE:
        for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
            refuse_bytes(ctx, made, operand, &flags[i], sizeof flags[i]);
        break;
    case GBL_VECTOR:
    case GBL_MATRIX:
    case GBL_NUMBERS:
        refuse_bytes(ctx, made, operand, &none, sizeof none);
        break;
    default:
        break;
    }
}

static void hostile_op(gable_context *ctx, const gbl_op *op)
{
    static const described_flags flags = {GABLE_NO_TRANS, GABLE_NON_UNIT};
    described_call made;
    _Alignas(64) char before[8192], now[sizeof before];
    void *memory = NULL;
    described_make(op, flags, &made);
    test_case("%s", op->stem);
    CHECK(made.bytes <= sizeof before, "it takes %zu bytes", made.bytes);
    if (made.bytes > sizeof before)
        return;
    described_fill(&made, before);
    CHECK_OK(ctx, gable_alloc(ctx, made.bytes, &memory));
    CHECK_OK(ctx, gable_set_vector(ctx, (int64_t)made.bytes, 1, before, 1, memory, 1));
    described_place(&made, memory);
    for (int i = 0; i < op->operand_count; i++)
        refuse_operand(ctx, &made, &op->operands[i]);
    CHECK_OK(ctx, gable_get_vector(ctx, (int64_t)made.bytes, 1, memory, 1, now, 1));
    CHECK(memcmp(now, before, made.bytes) == 0, "%s wrote though it refused", op->stem);
    test_case("%s as it should be", op->stem);
    CHECK_OK(ctx, run(ctx, &made));
    CHECK_OK(ctx, gable_sync(ctx));
    CHECK_OK(ctx, gable_free(ctx, memory));
}

void hostile_ops(gable_context *ctx)
{
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++)
        if (gbl_op_described(*op)) /* others have tests of their own */
            hostile_op(ctx, *op);
}
