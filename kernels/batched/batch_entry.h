/* batch_entry.h: where the operands of an entry of a batch start.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Macro: POINTERS: 0: batch entries stand a stride apart; 1: the operand is an array of addresses,
 * one per batch entry.
 */
#ifndef POINTERS
#error "batches need POINTERS"
#endif

DEVICE GLOBAL T *entry_start(GLOBAL const T *base, i64 entry, i64 stride)
{
#if POINTERS
    (void)stride;
    return (GLOBAL T *)((GLOBAL const u64 *)base)[entry];
#else
    return (GLOBAL T *)base + entry * stride;
#endif
}
