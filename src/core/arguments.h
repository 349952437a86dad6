/* arguments.h: the arguments of a call against the description of its op.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_ARGUMENTS_H
#define GBL_ARGUMENTS_H

#include "core/context.h"
#include "core/extents.h"
#include "core/op.h"

/* What a door puts in place of a device scalar that is NULL, so that the check can say so. */
extern const char gbl_null_scalar[];

/* Runs a call of the routine `name`: enters; checks, where it is the outermost call; does nothing
 * where nothing is to do; else runs the op. */
gable_status gbl_call_run(gable_context *ctx, const char *name, const gbl_op *op, const void *call);

/* For routines that do more. A call that is like one before whose checks passed, if that is known:
 * only the op's rules are left to check. Else NULL. And a call that was checked: it is run, and is
 * known from then on. */
const gbl_known_call *gbl_call_known(gable_context *ctx, const gbl_op *op, const void *call);
gable_status gbl_call_run_checked(gable_context *ctx, const gbl_op *op, const void *call);

/* Defines gbl_<stem> for a routine that needs nothing else. */
#define GBL_RUN_ROUTINE(stem, call_type)                                                           \
    gable_status gbl_##stem(gable_context *ctx, const char *name, const call_type *call)           \
    {                                                                                              \
        return gbl_call_run(ctx, name, &gbl_##stem##_op, call);                                    \
    }

/* The first wrong argument, in the order of the prototype, makes the message. Then the op's rules;
 * then, where the context is guarded, all operands against the allocations and each other. */
gable_status gbl_arguments_check(gable_context *ctx, const gbl_op *op, const void *call);
/* The same without the last part: for calls whose numbers are not in the device's memory. */
gable_status gbl_arguments_walk(gable_context *ctx, const gbl_op *op, const void *call);

/* Whether a size says that no operand is touched. */
bool gbl_call_empty(const gbl_op *op, const void *call);

/* The number of the argument that lies at an offset of the call, for messages. */
int gbl_argument_number(const gbl_op *op, const void *call, uint16_t at);

/* One scalar: device memory, if it is on the device. */
gable_status gbl_scalar_check(gable_context *ctx, int number, const char *name, const void *device);

/* Whether a scalar is 0 by value. */
static inline bool gbl_scalar_zero(const gbl_scalar *scalar)
{
    return scalar->device == NULL && scalar->re == 0 && scalar->im == 0;
}

/* Bytes of an operand's elements. */
size_t gbl_operand_element(const gbl_operand *operand, const void *call);

/* ---- batch_extents.c ---- */

/* Where an operand of a call reaches: of a batch the first batch entry. Its sizes, strides and
 * leading dimension are legal. */
gbl_extent gbl_operand_extent(const gbl_operand *operand, int number, const void *call);
/* Whether the operand's factor says that it is not read. */
bool gbl_operand_unread(const gbl_operand *operand, const void *call);
/* The offset of a call's batch, or 0. */
uint16_t gbl_batch_at(const gbl_op *op);

/* The operands of a batch against the allocations and each other. */
gable_status gbl_batch_guard(gable_context *ctx, const gbl_op *op, const void *call);

#endif
