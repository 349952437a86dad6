/* laswp.cl: exchanges row `first + i` with row ipiv[first + i inc] - 1, one i after the other
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * NB exchanges at a time become one permutation of at most 2 NB rows. Every group finds it for
 * itself: an entry is a row that may move, and which row comes there is found by following the
 * exchanges back from the last one. Then a row is read and written once: a work-item holds its
 * elements of HELD columns in registers while the others read theirs. Columns belong to one group
 * each, so groups need not wait for each other. Geometry: any number of groups of ITEMS work-items.
 * Macros: ITEMS; NB; HELD. Barriers: all work-items reach all of them.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(HELD)
#error "laswp needs ITEMS, NB and HELD"
#endif
#include "laswp_args.h"

#define ENTRIES (2 * NB)
#define DOWN    (ITEMS < ENTRIES ? ITEMS : ENTRIES) /* work-items side by side along a column */
#define OVER    (ITEMS / DOWN)                      /* columns side by side */
#define EACH    (ENTRIES / DOWN)                    /* entries per work-item */
#define TILE    (OVER * HELD)                       /* columns that a group has at once */

/* The row of exchange number t. */
DEVICE i64 row_at(laswp_args a, i64 t)
{
    return a.first + (a.backward ? a.count - 1 - t : t);
}

/* Whether entry e is a row of its own: a row in its order, or a pivot that is no such row and that
 * no exchange before had. */
DEVICE i32 is_entry(laswp_args a, LOCAL_PTR const i64 *pivot, i64 done, i32 count, i32 e)
{
    if (e < NB)
        return e < count;
    if (e - NB >= count)
        return 0;
    const i64 row = pivot[e - NB], one = row_at(a, done), other = row_at(a, done + count - 1);
    i32 own = row < (one < other ? one : other) || row > (one < other ? other : one);
    for (i32 t = 0; t < e - NB; t++)
        own = own && pivot[t] != row;
    return own;
}

/* The entries of exchanges [done, done + count): where rows go to, -1 where none does, and where
 * they come from. */
DEVICE void find_moves(laswp_args a, LOCAL_PTR const i64 *pivot, i64 done, i32 count,
                       LOCAL_PTR i64 *to, LOCAL_PTR i64 *from)
{
    for (i32 e = ITEM_X; e < ENTRIES; e += ITEMS) {
        i64 row = -1, at = -1;
        if (is_entry(a, pivot, done, count, e)) {
            row = e < NB ? row_at(a, done + e) : pivot[e - NB];
            at = row;
            ROLLED
            for (i32 t = count - 1; t >= 0; t--) {
                const i64 one = row_at(a, done + t), other = pivot[t];
                at = at == one ? other : at == other ? one : at;
            }
        }
        to[e] = at == row ? -1 : row;
        from[e] = at;
    }
}

DEVICE i64 column_at(laswp_args a, i64 j)
{
    return (j < a.skip ? j : j + a.width) * a.lda;
}

DEVICE void move_rows(GLOBAL T *A, laswp_args a, i64 j, LOCAL_PTR const i64 *to,
                      LOCAL_PTR const i64 *from)
{
    T held[EACH][HELD];
    UNROLLED
    for (i32 k = 0; k < EACH; k++) {
        const i32 e = ITEM_X % DOWN + k * DOWN;
        const i64 row = from[e];
        UNROLLED
        for (i32 h = 0; h < HELD; h++)
            if (to[e] >= 0 && j + h * OVER < a.n)
                held[k][h] = A[row + column_at(a, j + h * OVER)];
    }
    BARRIER(); /* all have read */
    UNROLLED
    for (i32 k = 0; k < EACH; k++) {
        const i32 e = ITEM_X % DOWN + k * DOWN;
        const i64 row = to[e];
        UNROLLED
        for (i32 h = 0; h < HELD; h++)
            if (row >= 0 && j + h * OVER < a.n)
                A[row + column_at(a, j + h * OVER)] = held[k][h];
    }
}

KERNEL(laswp, ITEMS, 1, 1)
(GLOBAL T *RESTRICT A, GLOBAL const i64 *RESTRICT ipiv, laswp_args a)
{
    LOCAL i64 pivot[NB];
    LOCAL i64 to[ENTRIES];
    LOCAL i64 from[ENTRIES];
    BEGIN();
    ROLLED
    for (i64 done = 0; done < a.count; done += NB) {
        const i32 count = (i32)(a.count - done < NB ? a.count - done : NB);
        BARRIER(); /* the moves before are made, and their list is not needed any more */
        for (i32 t = ITEM_X; t < count; t += ITEMS)
            pivot[t] = ipiv[a.first + (row_at(a, done + t) - a.first) * a.inc] - 1;
        BARRIER();
        find_moves(a, pivot, done, count, to, from);
        BARRIER();
        ROLLED
        for (i64 j = GROUP_X * TILE; j < a.n; j += GROUPS_X * TILE)
            move_rows(A, a, j + ITEM_X / DOWN, to, from);
    }
}
