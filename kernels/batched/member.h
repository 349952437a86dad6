/* member.h: where the operands of a member of a batch start.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Macro: POINTERS: 0: members stand a stride apart; 1: the operand is an array of addresses, one per member.
 */
#ifndef POINTERS
#error "batches need POINTERS"
#endif

DEVICE GLOBAL T *member_start(GLOBAL const T *base, i64 member, i64 stride)
{
#if POINTERS
    (void)stride;
    return (GLOBAL T *)((GLOBAL const u64 *)base)[member];
#else
    return (GLOBAL T *)base + member * stride;
#endif
}
