/* geqrf_grid.cl: A = Q R for at most NB columns of any number of rows, by many groups
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One barrier of all groups per column. v = x / (alpha - beta) below the diagonal, so v^H a is
 * known from x^H a as soon as beta is: in one walk over its rows a group sums the products of
 * column j below the diagonal with all columns, itself among them, which gives its norm. It leaves
 * these sums, and row j its owner; barrier; every group adds the sums of all in the same order. So
 * every group knows the reflector, the products of its vector with the columns behind it, which
 * are updated in the next walk, and with earlier vectors, from which the first group makes T while
 * it waits at the next barrier. Sums have two places, taken in turn: who writes to one again has
 * passed the next barrier, and so have all who read it.
 *
 * x^H a squares the scale of A. Where the norm of x or a product is not safe, all groups see that
 * in the same sums, and all take two more walks: squares that cannot overflow or underflow
 * (reflector.h), then the products of v itself.
 *
 * KEPT: a work-item has one row and keeps it in registers from the first column to the last. Else
 * it has every so many rows and streams them: the update by a column and the sums for the next one
 * are one walk. Walks go down and up in turn: what the cache still has is met first. The column at
 * work is row[0]: rows turn by one element with each column, so that the registers of a loop over
 * columns are known; behind column NB - 1 stand the vectors before.
 *
 * V and T: geqrf_leaf.cl. `counter` is 0 before and after. Geometry: a cooperative launch of groups
 * of ITEMS work-items; KEPT: as many work-items as rows, or more; fewer than 2^32 rows. Macros:
 * ITEMS, at least NB; NB; KEPT. Barriers: all work-items reach all of them.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(KEPT)
#error "geqrf_grid needs ITEMS, NB and KEPT"
#endif
#define WX ITEMS
#include "geqrf_args.h"
#include "reflector.h"
#include "lanes.h"

#define SHARES  (ITEMS / WARP_SIZE)         /* of a sum over the group */
#define READERS (ITEMS < 256 ? ITEMS : 256) /* work-items that add what groups left */
#define CHUNK   (NB > WARP_SIZE ? NB : WARP_SIZE)
#define LOTS    (READERS / CHUNK)
/* Of lanes with the same columns those that run together add theirs by exchange. */
#define ALIKE (WARP_SIZE > NB ? WARP_SIZE / NB : 1)
#define EACH  (NB > WARP_SIZE ? NB / WARP_SIZE : 1) /* sums per lane at the end */
#define ROOM  (SHARES > LOTS ? SHARES : LOTS)

/* Sums of squares and products between these lost nothing that counts. */
#if PREC == 0 || PREC == 2
#define SAFE_FROM 0x1p-80f
#define SAFE_TO   0x1p120f
#else
#define SAFE_FROM 0x1p-800
#define SAFE_TO   0x1p1000
#endif

typedef struct exchange {
    GLOBAL T *sums; /* two places: NB of each group, then row j */
    GLOBAL f64 *squares;
    GLOBAL i32 *counter;
    i32 passed, place;
} exchange;

/* ---- Rows ---- */

/* row[c] is column (first + c) % NB. */
DEVICE void row_load(T *row, GLOBAL const T *A, geqrf_args a, i64 i, i32 first)
{
    UNROLLED
    for (i32 c = 0; c < NB; c++) {
        const i32 k = (first + c) % NB;
        row[c] = T_make(0, 0);
        if (i < a.m && k < a.n)
            row[c] = A[i + k * a.lda];
    }
}

/* Streamed rows: what column first - 1 changed. Kept ones: all of it. */
DEVICE void row_store(const T *row, GLOBAL T *A, GLOBAL T *V, geqrf_args a, i64 i, i32 first)
{
    UNROLLED
    for (i32 c = 0; c < NB; c++) {
        const i32 k = (first + c) % NB, is_vector = KEPT || c == NB - 1;
        if (i < a.m && k < a.n && (is_vector || (k >= first && i + 1 >= first)))
            A[i + k * a.lda] = row[c];
        if (i < a.m && k < a.n && is_vector)
            V[a.above + i + k * a.ldv] = i > k ? row[c] : T_make(i == k, 0);
    }
}

/* The row turns by one element. Column j becomes beta and v; those behind it are updated. */
DEVICE void row_turn(T *row, i64 i, i32 j, reflector h, LOCAL_PTR const T *factor)
{
    T left = row[0], v = T_make(1, 0);
    if (i > j)
        left = v = reflector_element(h, left);
    else if (i == j)
        left = T_make(h.beta, 0);
    UNROLLED
    for (i32 c = 0; c + 1 < NB; c++)
        row[c] = i >= j && c < NB - 1 - j ? T_fma(v, factor[c + 1], row[c + 1]) : row[c + 1];
    row[NB - 1] = left;
}

DEVICE void row_add(T *sums, T x, const T *row)
{
    x = T_conj(x);
    UNROLLED
    for (i32 c = 0; c < NB; c++)
        sums[c] = T_fma(x, row[c], sums[c]);
}

/* ---- Sums of all groups ---- */

/* In pieces: others do something while the first work-item waits. All work-items must come. */
DEVICE void arrive(exchange *e)
{
    e->passed++;
    BARRIER();
    if (ITEM_X == 0)
        TICKET(e->counter);
}

DEVICE void await(const exchange *e)
{
    if (ITEM_X == 0)
        AWAIT(e->counter, e->passed * (i32)GROUPS_X);
    BARRIER();
}

/* Adds over lanes that run together: sums[k] of a lane becomes that of column lane EACH + k, or of
 * column lane / ALIKE. */
DEVICE void lanes_deal(T *sums)
{
#if WARP_SIZE > 1
    UNROLLED
    for (i32 distance = WARP_SIZE / 2; distance > 0; distance /= 2) {
        const i32 upper = (ITEM_X & distance) != 0, half = NB * distance / WARP_SIZE;
        if (half == 0)
            sums[0] = T_add(sums[0], T_shuffle_xor(sums[0], distance));
        UNROLLED
        for (i32 k = 0; k < NB / 2; k++)
            if (k < half) {
                const T given = upper ? sums[k] : sums[k + half],
                        own = upper ? sums[k + half] : sums[k];
                sums[k] = T_add(own, T_shuffle_xor(given, distance));
            }
    }
#else
    (void)sums;
#endif
}

/* The group's sums to their place. All work-items must come. */
DEVICE void leave_sums(T *sums, exchange *e, LOCAL_PTR T *shares)
{
    const i32 lane = ITEM_X % WARP_SIZE;
    lanes_deal(sums);
    if (lane % ALIKE == 0) {
        UNROLLED
        for (i32 k = 0; k < EACH; k++)
            shares[ITEM_X / WARP_SIZE * NB + lane / ALIKE * EACH + k] = sums[k];
    }
    BARRIER();
    if (ITEM_X < NB) {
        T sum = shares[ITEM_X];
        for (i32 s = 1; s < SHARES; s++)
            sum = T_add(sum, shares[s * NB + ITEM_X]);
        e->sums[(e->place * (GROUPS_X + 1) + GROUP_X) * NB + ITEM_X] = sum;
    }
}

/* total: the sums of all groups; top: row j. All work-items must come. */
DEVICE void take_sums(exchange *e, LOCAL_PTR T *shares, LOCAL_PTR T *total, LOCAL_PTR T *top)
{
    GLOBAL const T *const place = e->sums + e->place * (GROUPS_X + 1) * NB;
    e->place ^= 1;
    if (ITEM_X < NB)
        top[ITEM_X] = place[GROUPS_X * NB + ITEM_X];
    if (ITEM_X < READERS) {
        T sum[1];
        sum[0] = T_make(0, 0);
        for (i64 g = ITEM_X / NB; g < GROUPS_X; g += READERS / NB)
            sum[0] = T_add(sum[0], place[g * NB + ITEM_X % NB]);
#if WARP_SIZE > NB
        lanes_add(sum, 1, WARP_SIZE / 2, NB);
#endif
        if (ITEM_X % CHUNK < NB)
            shares[ITEM_X / CHUNK * NB + ITEM_X % NB] = sum[0];
    }
    BARRIER();
    if (ITEM_X < NB) {
        T sum = shares[ITEM_X];
        for (i32 s = 1; s < LOTS; s++)
            sum = T_add(sum, shares[s * NB + ITEM_X]);
        total[ITEM_X] = sum;
    }
    BARRIER();
}

/* Whether the sums tell the norm of x and its products. */
DEVICE i32 are_safe(LOCAL_PTR const T *total)
{
    i32 safe = T_real(total[0], 0) >= SAFE_FROM;
    ROLLED
    for (i32 c = 0; c < NB; c++)
        safe = safe && T_size(total[c]) <= SAFE_TO;
    return safe;
}

/* What follows from the products p = v^H a of column j with all others: factors of the columns
 * behind it; what T needs of the vectors before it. */
DEVICE void use_product(T p, i32 j, T tau, LOCAL_PTR T *factor, LOCAL_PTR T *products)
{
    if (ITEM_X < NB - j)
        factor[ITEM_X] = T_neg(T_mul(T_conj(tau), p));
    else
        products[ITEM_X + j - NB] = p;
}

/* Column j of T, of which columns before it are known: geqrf_leaf.cl. */
DEVICE void t_column(LOCAL_PTR T *t, i32 j, T tau, LOCAL_PTR const T *products)
{
    ROLLED
    for (i32 r = ITEMS - 1 - ITEM_X; r < NB; r += ITEMS) {
        T sum = T_make(0, 0);
        for (i32 c = r; c < j; c++)
            sum = T_fma(t[r + c * NB], T_conj(products[c]), sum);
        sum = T_neg(T_mul(tau, sum));
        if (r >= j)
            sum = r == j ? tau : T_make(0, 0);
        t[r + j * NB] = sum;
    }
}

/* ---- The kernel ---- */

KERNEL(geqrf_grid, ITEMS, 1, 1)
(GLOBAL T *A, GLOBAL T *RESTRICT tau, GLOBAL T *V, GLOBAL T *RESTRICT out, GLOBAL T *sums_of_groups,
 GLOBAL f64 *squares_of_groups, GLOBAL i32 *counter, geqrf_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL T shares[ROOM * NB];
    LOCAL T total[NB];
    LOCAL T top[NB];
    LOCAL T factor[NB];
    LOCAL T products[NB];
    LOCAL T t[NB * NB];
    LOCAL reflector known[1];
    LOCAL i32 safe[1];
    BEGIN();
    const i64 own = GROUP_X * ITEMS + ITEM_X, all = GROUPS_X * ITEMS;
    const i32 rows = KEPT || own >= a.m ? 1 : (i32)((a.m - own + all - 1) / all);
    exchange e;
    e.sums = sums_of_groups;
    e.squares = squares_of_groups;
    e.counter = counter;
    e.passed = e.place = 0;
    reflector h;
    T row[NB];
    for (i64 i = own; i < a.above; i += all) {
        ROLLED
        for (i64 k = 0; k < a.n; k++)
            V[i + k * a.ldv] = T_make(0, 0);
    }
    if (KEPT)
        row_load(row, A, a, own, 0);
    ROLLED
    for (i32 j = 0; j <= a.n; j++) {
        T sums[NB];
        UNROLLED
        for (i32 c = 0; c < NB; c++)
            sums[c] = T_make(0, 0);
        ROLLED
        for (i32 r = 0; r < rows; r++) {
            const i64 i = own + (i64)((u32)(j % 2 ? rows - 1 - r : r) * (u32)all);
            if (!KEPT)
                row_load(row, A, a, i, j > 0 ? j - 1 : 0);
            if (j > 0)
                row_turn(row, i, j - 1, h, factor);
            if (!KEPT && j > 0)
                row_store(row, A, V, a, i, j);
            if (i > j && i < a.m && j < a.n)
                row_add(sums, row[0], row);
            if (i == j) {
                UNROLLED
                for (i32 c = 0; c < NB; c++)
                    e.sums[(e.place * (GROUPS_X + 1) + GROUPS_X) * NB + c] = row[c];
            }
        }
        if (j == a.n)
            break;
        leave_sums(sums, &e, shares);
        arrive(&e);
        if (GROUP_X == 0 && j > 0)
            t_column(t, j - 1, reflector_tau(h), products);
        await(&e);
        take_sums(&e, shares, total, top);
        if (ITEM_X == ITEMS - 1)
            safe[0] = are_safe(total);
        if (ITEM_X < NB) {
            sum_t squares = {{0}};
            squares.v[0] = T_real(total[0], 0);
            h = reflector_of(top[0], squares);
            const T scale = T_make(h.scale_re * h.up, -h.scale_im * h.up);
            use_product(T_fma(scale, total[ITEM_X], top[ITEM_X]), j, reflector_tau(h), factor,
                        products);
            if (ITEM_X == 0)
                known[0] = h;
        }
        BARRIER();
        if (!safe[0]) {
            sum_t s = {{0}};
            ROLLED
            for (i32 r = 0; r < rows; r++) {
                const i64 i = own + r * all;
                if (!KEPT)
                    row_load(row, A, a, i, j);
                UNROLLED
                for (i32 part = 0; i > j && i < a.m && part < T_REALS; part++)
                    s = norm_add(s, T_real(row[0], part));
            }
            s = group_sum(s, scratch);
            if (ITEM_X == 0)
                sum_store(e.squares + GROUP_X * SUM_N, s);
            arrive(&e);
            await(&e);
            s = group_sum(partials_share(e.squares, GROUPS_X), scratch);
            if (ITEM_X == 0)
                known[0] = reflector_of(top[0], s);
            BARRIER();
            h = known[0];
            UNROLLED
            for (i32 c = 0; c < NB; c++)
                sums[c] = T_make(0, 0);
            ROLLED
            for (i32 r = 0; r < rows; r++) {
                const i64 i = own + r * all;
                if (!KEPT)
                    row_load(row, A, a, i, j);
                if (i > j && i < a.m)
                    row_add(sums, reflector_element(h, row[0]), row);
                if (i == j) {
                    UNROLLED
                    for (i32 c = 0; c < NB; c++)
                        e.sums[(e.place * (GROUPS_X + 1) + GROUPS_X) * NB + c] = row[c];
                }
            }
            leave_sums(sums, &e, shares);
            arrive(&e);
            await(&e);
            take_sums(&e, shares, total, top);
            if (ITEM_X < NB)
                use_product(T_add(total[ITEM_X], top[ITEM_X]), j, reflector_tau(h), factor,
                            products);
            BARRIER();
        }
        h = known[0];
        if (own == 0)
            tau[j] = reflector_tau(h);
    }
    if (KEPT)
        row_store(row, A, V, a, own, (i32)a.n);
    if (GROUP_X == 0) {
        t_column(t, (i32)a.n - 1, reflector_tau(h), products);
        BARRIER();
        ROLLED
        for (i32 i = ITEM_X; i < NB * NB; i += ITEMS)
            if (i % NB < a.n && i / NB < a.n)
                out[i % NB + i / NB * a.ldt] = t[i];
    }
    if (ITEM_X == 0 && TICKET(e.counter) == (e.passed + 1) * (i32)GROUPS_X - 1)
        e.counter[0] = 0;
}
