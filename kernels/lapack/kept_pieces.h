/* kept_pieces.h: pieces of a matrix that stay in local memory while a panel is reduced.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every column of a panel reads the same matrix, which the panel does not change. So a team of
 * lanes keeps up to SLOTS of its pieces, COLUMNS columns of LANES * DEEP rows each, and loads the
 * others anew. Of the first 2 `mixed` pieces it keeps every other one, so that memory is busy while
 * local memory is read; behind them all are kept, or none. A lane reads what it copied itself.
 */
#define PIECE (COLUMNS * DEEP) /* elements of a lane */

/* The pieces of a team: number 0 first, or last where they go up. */
typedef struct team_pieces {
    i32 own, kept, mixed, up;
} team_pieces;

DEVICE team_pieces team_pieces_of(i32 own, const i32 slots, i32 up)
{
    team_pieces w;
    w.own = own;
    w.kept = own < slots ? own : slots;
    w.mixed = w.kept < own - w.kept ? w.kept : own - w.kept;
    w.up = up;
    return w;
}

/* Going through them. */
DEVICE i32 piece_first(team_pieces w)
{
    return w.up ? w.own - 1 : 0;
}
DEVICE i32 piece_next(team_pieces w, i32 k)
{
    return w.up ? k - 1 : k + 1;
}
DEVICE i32 is_piece(team_pieces w, i32 k)
{
    return k >= 0 && k < w.own;
}

/* The slot of piece k, or -1; and the piece of a slot. */
DEVICE i32 slot_of(team_pieces w, i32 k)
{
    if (k < 2 * w.mixed)
        return k % 2 == 0 ? k / 2 : -1;
    return w.kept > w.mixed ? k - w.mixed : -1;
}
DEVICE i32 piece_of(team_pieces w, i32 slot)
{
    return slot < w.mixed ? 2 * slot : slot + w.mixed;
}

/* The first piece from k on that is not kept; there may be none. */
DEVICE i32 piece_loaded(team_pieces w, i32 k)
{
    ROLLED
    while (is_piece(w, k) && slot_of(w, k) >= 0)
        k = piece_next(w, k);
    return k;
}

/* Element k of column c of a slot. */
DEVICE LOCAL_PTR T *slot_at(LOCAL_PTR T *kept, i32 slot, const i32 c, const i32 k)
{
    return kept + (slot * PIECE + c * DEEP + k) * ITEMS + ITEM_X;
}

/* Copies an element; complex ones may start between two multiples of their size. */
DEVICE void element_ahead(LOCAL_PTR T *to, GLOBAL const T *from)
{
    UNROLLED
    for (i32 part = 0; part < T_REALS; part++)
        COPY_AHEAD((LOCAL_PTR R *)to + part, (GLOBAL const R *)from + part);
}

/* Column c of a slot. */
DEVICE void slot_column(LOCAL_PTR T *kept, i32 slot, const i32 c, T *a)
{
    UNROLLED
    for (i32 k = 0; k < DEEP; k++)
        a[k] = *slot_at(kept, slot, c, k);
}

/* The pieces that a group keeps, and for each team the elements of a vector along them. */
typedef struct kept_pieces {
    LOCAL_PTR T *pieces, *along;
} kept_pieces;

/* Element LANE % COLUMNS along a slot. */
DEVICE LOCAL_PTR T *kept_along(kept_pieces kept, i32 slot)
{
    return kept.along + (TEAM * SLOTS + slot) * COLUMNS + LANE % COLUMNS;
}
