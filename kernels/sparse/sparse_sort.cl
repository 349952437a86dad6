/* sparse_sort.cl: the order of rows of SELL: within each window the longest first, equals as they
 * stand
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group sorts a window of a.width rows by a bitonic network in local memory. A row's key is its
 * length and, below it, how far it stands before the end of the largest window: no two are alike,
 * and a window has only one order. What fills the window up is smaller than any row.
 * Geometry: groups of ITEMS work-items; one group per window.
 * Macros: ITEMS, INDEX_BITS, WINDOW: a power of two, at least a.width and twice ITEMS.
 * Barriers: all work-items reach them.
 */
#include "sparse_index.h"
#include "sparse_convert_args.h"

#if !defined(ITEMS) || !defined(WINDOW)
#error "sparse_sort needs ITEMS and WINDOW"
#endif

KERNEL(sparse_sort, ITEMS, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL sparse_index *RESTRICT order,
 sparse_convert_args a)
{
    LOCAL i64 key[WINDOW];
    BEGIN();
    const i64 base = GROUP_X * a.width;
    const i32 count = (i32)(a.rows - base < a.width ? a.rows - base : a.width);
    ROLLED
    for (i32 i = ITEM_X; i < WINDOW; i += ITEMS)
        key[i] =
            i < count ? ((i64)start[base + i + 1] - start[base + i]) * WINDOW + WINDOW - 1 - i : -1;
    BARRIER();
    ROLLED
    for (i32 run = 2; run <= WINDOW; run *= 2) {
        ROLLED
        for (i32 apart = run / 2; apart > 0; apart /= 2) {
            ROLLED
            for (i32 i = ITEM_X; i < WINDOW / 2; i += ITEMS) {
                const i32 low = 2 * i - (i & (apart - 1)), high = low + apart;
                const i64 a_key = key[low], b_key = key[high];
                const i32 falls = (low & run) == 0, rises = a_key < b_key;
                if (falls == rises) {
                    key[low] = b_key;
                    key[high] = a_key;
                }
            }
            BARRIER();
        }
    }
    ROLLED
    for (i32 i = ITEM_X; i < count; i += ITEMS)
        order[base + i] = (sparse_index)(base + (WINDOW - 1 - (i32)(key[i] & (WINDOW - 1))));
}
