/* known_calls.h: where the calls of a context are kept that are known (gbl_known_call in op.h).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A table by a hash of flags and sizes, a call in each place: a later call takes the place of an
 * earlier one. Looking there must take a few nanoseconds, for a call of level 1 may take ten: so
 * all of it is inlined, into core/op.c alone.
 */
#ifndef GBL_KNOWN_CALLS_H
#define GBL_KNOWN_CALLS_H

#include <string.h>
#include "core/op.h"

#define HOST_ALIGNMENT 16 /* of a matrix: a flag of its key */

static inline uintptr_t alignment_of(const gbl_call_layout *layout, const void *call)
{
    uintptr_t address = 0;
    if (layout->aligned_at > 0)
        memcpy(&address, (const char *)call + layout->aligned_at, sizeof address);
    return address % HOST_ALIGNMENT;
}

static inline uint64_t word_of(const void *call, size_t i)
{
    uint64_t word;
    memcpy(&word, (const char *)call + 8 * i, sizeof word);
    return word;
}

/* Word by word: loads of several words at once would wait for the stores of a door, which are of
 * single ones. */
static inline bool same_shape(const uint64_t *kept, const void *call, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (kept[i] != word_of(call, i))
            return false;
    return true;
}

static inline uint64_t flag_of(const void *call, size_t at)
{
    uint32_t flag;
    memcpy(&flag, (const char *)call + at, sizeof flag);
    return flag;
}

/* Where a call is kept, if it is: another may be there. Flags and first sizes tell calls apart well
 * enough: a sum of multiples, whose products do not wait for each other. */
static inline gbl_known_call *gbl_known_place(gbl_known_call *known, const gbl_op *op,
                                              const void *call)
{
    const size_t sizes = op->layout->sizes_at / 8;
    uint64_t hash = ((uintptr_t)op >> 4) * 0xc4ceb9fe1a85ec53u;
    hash += alignment_of(op->layout, call);
    hash += flag_of(call, 0) * 0x9e3779b97f4a7c15u + flag_of(call, 4) * 0xbf58476d1ce4e5b9u;
    if (sizes > 2) /* a matrix has more of them */
        hash += flag_of(call, 8) * 0x94d049bb133111ebu + flag_of(call, 12) * 0xd6e8feb86659fd93u +
                flag_of(call, 16) * 0xa0761d6478bd642fu + flag_of(call, 20) * 0xe7037ed1a0b428dbu;
    hash += word_of(call, sizes) * 0x8ebc6af09c88c6e3u +
            word_of(call, sizes + 1) * 0x589965cc75374cc3u +
            word_of(call, sizes + 2) * 0x1d8e4e27c47d124fu +
            word_of(call, sizes + 3) * 0xeb44accab455d165u;
    return &known[(hash ^ hash >> 29) >> 29 & (GBL_KNOWN_CALLS - 1)];
}

static inline bool gbl_known_holds(const gbl_known_call *place, const gbl_op *op, const void *call)
{
    return place->op == op && place->alignment == alignment_of(op->layout, call) &&
           same_shape(place->shape, call, op->layout->shape_bytes / 8);
}

/* Puts it there, unchecked; the choice is the caller's. */
static inline void gbl_known_put(gbl_known_call *place, const gbl_op *op, const void *call)
{
    memcpy(place->shape, call, op->layout->shape_bytes);
    place->alignment = alignment_of(op->layout, call);
    place->op = op;
    place->checked = false;
}

#endif
