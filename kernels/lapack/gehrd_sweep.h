/* gehrd_sweep.h: the product of what is left of a matrix with a vector, in a panel of its reduction
 * to Hessenberg form.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included by gehrd_panel.cl, which says what is what.
 */
/* A lane's piece of the sweep: so many columns, and the element LANE % COLUMNS of x along them. */
typedef struct tile {
    T v[COLUMNS][DEEP];
} tile;

/* A task of the sweep: a block of rows, and the columns of a part, as rows of v: [from, to). */
typedef struct task {
    i32 block, part;
    i32 from, to;
} task;

DEVICE task task_of(panel s, i32 number)
{
    const i32 n = (i32)s.a.n;
    task d;
    d.part = s.parts > 1 ? number / s.blocks : 0;
    d.block = number - d.part * s.blocks;
    d.from = d.part * s.each;
    d.to = d.from + s.each < n ? d.from + s.each : n;
    return d;
}

/* The first one of a group; without columns where there is none. */
DEVICE task first_task(panel s)
{
    const i32 has = (i32)GROUP_X < s.blocks * s.parts;
    task d = task_of(s, has ? (i32)GROUP_X : 0);
    if (!has)
        d.to = d.from;
    return d;
}

/* A team's pieces of a task: down the columns, or up for every other p, so that what the cache
 * still has of the sweep before is met first. */
DEVICE team_pieces task_pieces(task d, const i32 slots, i32 p)
{
    const i32 columns = d.to - d.from - TEAM * COLUMNS;
    return team_pieces_of(columns > 0 ? (columns - 1) / (TEAMS * COLUMNS) + 1 : 0, slots, p % 2);
}
DEVICE i32 piece_column(task d, i32 k)
{
    return d.from + (TEAM + k * TEAMS) * COLUMNS;
}

/* Rows of a block, columns from `column` on, as rows of v: those before p are done with. */
DEVICE void tile_load(panel s, i32 p, task d, i32 column, tile *t)
{
    const i64 first = (i64)d.block * TALL + LANE;
    GLOBAL const T *const corner = s.A + first + (column + 1) * s.a.lda;
    const i32 some = (i64)(d.block + 1) * TALL > s.a.n || column + COLUMNS > d.to || column < p;
    if (some) {
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            UNROLLED
            for (i32 k = 0; k < DEEP; k++) {
                t->v[c][k] = T_make(0, 0);
                if (column + c >= p && column + c < d.to && first + k * LANES < s.a.n)
                    t->v[c][k] = corner[c * s.a.lda + k * LANES];
            }
        }
    } else {
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            UNROLLED
            for (i32 k = 0; k < DEEP; k++)
                t->v[c][k] = corner[c * s.a.lda + k * LANES];
        }
    }
}

/* Keeps pieces of this team's first task. They are there behind COPIES_WAIT(0). */
DEVICE void pieces_keep(panel s, task d, team_pieces w, LOCAL_PTR T *kept)
{
    ROLLED
    for (i32 slot = 0; slot < w.kept; slot++) {
        const i32 column = piece_column(d, piece_of(w, slot));
        const i64 first = (i64)d.block * TALL + LANE;
        GLOBAL const T *const corner = s.A + first + (column + 1) * s.a.lda;
        UNROLLED
        for (i32 c = 0; c < COLUMNS; c++) {
            UNROLLED
            for (i32 k = 0; k < DEEP; k++)
                if (column + c < d.to && first + k * LANES < s.a.n)
                    element_ahead(slot_at(kept, slot, c, k), corner + c * s.a.lda + k * LANES);
                else
                    *slot_at(kept, slot, c, k) = T_make(0, 0);
        }
    }
    COPIES_END();
}

/* What a team has asked for before it sweeps over a task. */
typedef struct begun {
    tile next; /* the first piece that is loaded */
    i32 k;     /* its number */
    T along;   /* element LANE % COLUMNS of b along it */
} begun;

/* The first piece; it does not depend on v. */
DEVICE void sweep_begin(panel s, i32 p, task d, team_pieces w, begun *g)
{
    g->k = piece_loaded(w, piece_first(w));
    if (is_piece(w, g->k))
        tile_load(s, p, d, piece_column(d, g->k), &g->next);
}

DEVICE T along_load(panel s, task d, team_pieces w, i32 k)
{
    const i32 at = piece_column(d, k) + LANE % COLUMNS;
    return is_piece(w, k) && at < d.to ? s.column[at] : T_make(0, 0);
}

/* The elements of b, which do not depend on the reflector. Those along kept pieces are there behind
 * COPIES_WAIT(0) and a barrier. */
DEVICE void sweep_along(panel s, task d, team_pieces w, kept_pieces kept, begun *g)
{
    g->along = along_load(s, d, w, g->k);
    UNROLLED
    for (i32 slot = 0; slot < SLOTS; slot++)
        if (slot < w.kept && LANE < COLUMNS) {
            const i32 at = piece_column(d, piece_of(w, slot)) + LANE;
            COPY_AHEAD(kept_along(kept, slot), s.column + (at < d.to ? at : d.from));
        }
    COPIES_END();
}

/* Element c of v, from that of b. */
DEVICE T vector_of(reflector h, T x, i64 c, i32 p)
{
    const T v = reflector_element(h, x);
    return c < p ? T_make(0, 0) : c == p ? T_make(1, 0) : v;
}

/* Adds a column, times the element of v along it. */
DEVICE void column_add(const T *a, T along, T *rows)
{
    UNROLLED
    for (i32 k = 0; k < DEEP; k++)
        rows[k] = T_fma(a[k], along, rows[k]);
}

/* The sums of A v over this group's tasks; d is the first, w has its pieces. Nobody reads room any
 * more. All work-items must come. */
DEVICE void sweep(panel s, reflector h, i32 p, task d, team_pieces w, begun *g, kept_pieces kept,
                  LOCAL_PTR T *room)
{
    ROLLED
    for (i32 number = (i32)GROUP_X; number < s.blocks * s.parts; number += (i32)GROUPS_X) {
        T rows[DEEP];
        UNROLLED
        for (i32 k = 0; k < DEEP; k++)
            rows[k] = T_make(0, 0);
        if (number != (i32)GROUP_X) {
            BARRIER(); /* room may still be read */
            d = task_of(s, number);
            w = task_pieces(d, 0, p);
            sweep_begin(s, p, d, w, g);
            g->along = along_load(s, d, w, g->k);
        }
        ROLLED
        for (i32 piece = piece_first(w); is_piece(w, piece); piece = piece_next(w, piece)) {
            const i32 slot = SLOTS > 0 ? slot_of(w, piece) : -1,
                      mine = piece_column(d, piece) + LANE % COLUMNS;
            if (slot >= 0) {
                const T b = *kept_along(kept, slot),
                        x = mine < d.to ? vector_of(h, b, mine, p) : T_make(0, 0);
                UNROLLED
                for (i32 c = 0; c < COLUMNS; c++) {
                    T a[DEEP];
                    slot_column(kept.pieces, slot, c, a);
                    column_add(a, T_shuffle(x, c), rows);
                }
                continue;
            }
            const tile now = g->next;
            const T x = mine < d.to ? vector_of(h, g->along, mine, p) : T_make(0, 0);
            g->k = piece_loaded(w, piece_next(w, piece));
            if (is_piece(w, g->k))
                tile_load(s, p, d, piece_column(d, g->k), &g->next);
            g->along = along_load(s, d, w, g->k);
            UNROLLED
            for (i32 c = 0; c < COLUMNS; c++)
                column_add(now.v[c], T_shuffle(x, c), rows);
        }
        UNROLLED
        for (i32 k = 0; k < DEEP; k++)
            room[TEAM * TALL + k * LANES + LANE] = rows[k];
        BARRIER();
        ROLLED
        for (i32 row = ITEM_X; row < TALL; row += ITEMS) {
            T sum = room[row];
            UNROLLED
            for (i32 team = 1; team < TEAMS; team++)
                sum = T_add(sum, room[team * TALL + row]);
            if ((i64)d.block * TALL + row < s.a.n)
                s.swept[d.part * s.a.n + (i64)d.block * TALL + row] = sum;
        }
    }
}
