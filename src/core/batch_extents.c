/* batch_extents.c: the operands of many calls at once against the allocations and each other.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Strides say how far all entries of a batch reach. What arrays of addresses point to is in device
 * memory: it is followed under GABLE_DEBUG=check alone.
 */
#include "core/arguments.h"

#define MOST_OPERANDS 8

/* The operands with memory behind them, of the first batch entry. */
typedef struct members {
    gbl_extent scalars[MOST_OPERANDS], first[MOST_OPERANDS];
    int64_t apart[MOST_OPERANDS];
    int scalar_count, count;
    int64_t batch;
    bool listed;
} members;

uint16_t gbl_batch_at(const gbl_op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i].kind == GBL_BATCH)
            return op->operands[i].at;
    return 0;
}

static members members_of(const gbl_op *op, const void *call)
{
    members all = {.batch = gbl_call_integer(call, gbl_batch_at(op))};
    int number = 2;
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *operand = &op->operands[i];
        if (gbl_call_switch(call, operand->absent))
            continue;
        if (operand->kind == GBL_SCALAR) {
            all.scalars[all.scalar_count++] = gbl_operand_extent(operand, number, call);
        } else if (gbl_is_address(operand) && !gbl_operand_unread(operand, call)) {
            all.listed = gbl_call_switch(call, operand->listed);
            all.apart[all.count] = all.listed ? 0 : gbl_call_integer(call, operand->apart);
            all.first[all.count++] = gbl_operand_extent(operand, number, call);
        }
        number++;
    }
    return all;
}

/* A stride that is not used may be anything. */
static int64_t stride_of(const members *all, int operand)
{
    return all->batch == 1 ? 0 : all->apart[operand];
}

/* Output `out` of batch entry b beside operand `other` of batch entries [0, most) that reach so
 * far. */
static gable_status check_overlap(gable_context *ctx, const members *all, int out, int64_t b,
                                  int other, int64_t most)
{
    const int64_t elem = (int64_t)all->first[out].elem_bytes;
    const int64_t stride = stride_of(all, other);
    const int64_t step = (stride < 0 ? -stride : stride) * elem;
    gbl_extent ours = all->first[out], theirs = all->first[other];
    ours.address = (const char *)ours.address + b * stride_of(all, out) * elem;
    /* Bytes from the first of theirs to ours: each next one is a step nearer, in the direction of
     * the stride. */
    const int64_t apart = (int64_t)((uintptr_t)ours.address - (uintptr_t)theirs.address);
    const int64_t low = stride < 0 ? -apart - (int64_t)ours.after : apart - (int64_t)theirs.after;
    const int64_t high = stride < 0 ? -apart + (int64_t)theirs.after : apart + (int64_t)ours.after;
    int64_t from = step > 0 && low > 0 ? low / step : 0;
    const int64_t to = step > 0 && high / step < most ? high / step + 1 : most;
    for (; from < to && high > 0; from++) {
        theirs.address = (const char *)all->first[other].address + from * stride * elem;
        if ((other == out && from == b) || !gbl_extents_meet(&ours, &theirs))
            continue;
        return gbl_fail_argument(ctx, ours.number, ours.name,
                                 "is written and overlaps argument %d (%s): %s of batch entry %lld "
                                 "and %s of batch entry %lld",
                                 theirs.number, theirs.name, ours.name, (long long)b, theirs.name,
                                 (long long)from);
    }
    return GABLE_OK;
}

/* Output `out` beside operand `other`, of all batch entries. Pairs of batch entries that lie
 * equally far apart are checked once: with a stride of 0 all batch entries of an operand are one,
 * and with equal strides the difference of two numbers decides. */
static gable_status check_overlaps(gable_context *ctx, const members *all, int out, int other)
{
    const int64_t ours = stride_of(all, out), theirs = stride_of(all, other);
    gbl_extent whole[2] = {all->first[out], all->first[other]};
    gbl_extent_repeat(&whole[0], all->batch, ours);
    gbl_extent_repeat(&whole[1], all->batch, theirs);
    if (other != out && !gbl_reaches_meet(&whole[0], &whole[1]))
        return GABLE_OK;
    const int64_t few = other == out ? 2 : 1; /* so that one of another number is among them */
    for (int64_t b = 0; b < all->batch && (ours != 0 || b < 1); b++) {
        const int64_t most = theirs == 0 || (ours == theirs && b > 0) ? few : all->batch;
        TRY(check_overlap(ctx, all, out, b, other, most < all->batch ? most : all->batch));
    }
    return GABLE_OK;
}

/* What arrays of addresses hold: read from the device, for which the call waits. */
static gable_status guard_addresses(gable_context *ctx, const members *all)
{
    enum { AT_ONCE = 64 };
    for (int64_t b = 0; b < all->batch; b += AT_ONCE) {
        const int64_t left = all->batch - b, some = left < AT_ONCE ? left : AT_ONCE;
        void *addresses[MOST_OPERANDS][AT_ONCE] = {{NULL}};
        for (int i = 0; i < all->count; i++)
            TRY(gbl_read_scalar(ctx, (void *const *)all->first[i].address + b,
                                (size_t)some * sizeof(void *), addresses[i]));
        for (int64_t j = 0; j < some; j++) {
            gbl_extent own[MOST_OPERANDS];
            for (int i = 0; i < all->count; i++) {
                own[i] = all->first[i];
                own[i].address = addresses[i][j];
                TRY(gbl_check_address(ctx, own[i].number, own[i].name, own[i].address));
            }
            TRY(gbl_extents_check(ctx, own, all->count));
        }
    }
    return GABLE_OK;
}

gable_status gbl_batch_guard(gable_context *ctx, const gbl_op *op, const void *call)
{
    const members all = members_of(op, call);
    gbl_extent reached[2 * MOST_OPERANDS];
    int count = 0;
    for (int i = 0; i < all.scalar_count; i++)
        reached[count++] = all.scalars[i];
    for (int i = 0; i < all.count; i++) {
        gbl_extent one = all.first[i];
        if (all.listed)
            one = gbl_extent_vector(one.name, one.number, GBL_READ, one.address, all.batch, 1,
                                    sizeof(void *));
        else
            gbl_extent_repeat(&one, all.batch, all.apart[i]);
        reached[count++] = one;
    }
    TRY(gbl_extents_check(ctx, reached, count));
    if (!ctx->debug_check)
        return GABLE_OK;
    if (all.listed)
        return ctx->recording == NULL ? guard_addresses(ctx, &all) : GABLE_OK;
    for (int out = 0; out < all.count; out++)
        for (int i = 0; i < all.count && (all.first[out].access & GBL_WRITE) != 0; i++)
            TRY(check_overlaps(ctx, &all, out, i));
    return GABLE_OK;
}
