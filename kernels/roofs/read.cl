/* read.cl: reads x and keeps nothing: the roof of reductions
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads as dot does, folds all bits with exclusive-or so that no load can be dropped, and writes
 * one word per work-item. Used to measure what memory gives to a kernel that only reads; PREC is 1
 * (8 bytes). Geometry: any number of groups of WX work-items. Macros: stream.h. No barriers.
 */
#include "stream.h"

typedef union read_bits {
    T value;
    i64 bits;
} read_bits;

DEVICE i64 read_fold(TV t, i64 fold)
{
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        read_bits b;
        b.value = t.v[k];
        fold ^= b.bits;
    }
    return fold;
}

KERNEL(read, WX, 1, 1)(GLOBAL const T *RESTRICT x, GLOBAL i64 *RESTRICT out, stream_args a)
{
    BEGIN();
    const i64 last = stream_last(a), step = stream_step();
    i64 fold = 0;
    i64 i = stream_first(a);
    ROLLED
    for (; i + (UNROLL - 1) * step < last; i += UNROLL * step) {
        TV t[UNROLL];
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            t[u] = stream_load(x, 1, i + u * step);
        UNROLLED
        for (i32 u = 0; u < UNROLL; u++)
            fold = read_fold(t[u], fold);
    }
    ROLLED
    for (; i < last; i += step)
        fold = read_fold(stream_load(x, 1, i), fold);
    out[GROUP_X * WX + ITEM_X] = fold;
}
