/* cg_product.cl: q = A p, and partial sums <p, q>, <q, M^-1 q>
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The second kernel of an iteration (cg.h), for CSR, ELL and SELL. Group 0 makes the state of what
 * cg_vectors wrote down. Once there is an outcome nothing else is done. Geometry: any number of
 * groups of WX work-items, LANES of them per row (CSR, where lanes run together), else one. A group
 * has tiles of TILE places: WX / LANES of them, but of block-Jacobi whole blocks, and there places
 * are rows. WALK 1, for CPUs: one work-item per group, which sums BESIDE places side by side, as
 * they lie in memory (1 of CSR; CHUNK of SELL is a multiple). Macros: cg.h, sparse_row.h; TILE;
 * BESIDE missing: WALK 0. Barriers: of block-Jacobi two per tile; all work-items reach them.
 */
#ifndef LANES
#define LANES 1
#endif
#include "cg.h"
#include "sparse_row.h"

#if !defined(TILE)
#error "cg_product needs TILE"
#endif
#ifdef BESIDE
#define WALK 1
#if !RANGE || WX != 1 || PRECOND == 2 || (FORMAT == 1 && BESIDE != 1)
#error "BESIDE needs RANGE, one work-item, no blocks, and is 1 of CSR"
#endif
#else
#define WALK 0
#endif
#define AT_ONCE (WX / LANES)                     /* rows */
#define PASSES  ((TILE + AT_ONCE - 1) / AT_ONCE) /* over a tile */

typedef struct cg_operands {
    sparse_rows m;
    GLOBAL const T *inverse;
    GLOBAL const T *p;
    GLOBAL T *q;
    i64 last; /* place behind those of the group */
} cg_operands;

/* The row at a place; a place that is not there gives 0. */
DEVICE T cg_row(cg_operands d, i64 place)
{
#if LANES > 1
    return sparse_row_by_lanes(d.m, place < d.last ? place : d.m.a.rows, d.p);
#else
    return place < d.last ? sparse_row(d.m, place, d.p) : T_make(0, 0);
#endif
}

/* q at the row of a place, and its share of the sums. */
DEVICE void cg_take(cg_operands d, i64 place, T sum, R *pq, R *qq)
{
    const i64 row = sparse_row_at(d.m, place);
    d.q[row] = sum;
    *pq = dot_real(d.p[row], sum, *pq);
#if PRECOND == 0
    *qq = dot_real(sum, sum, *qq);
#elif PRECOND == 1
    *qq = dot_real(sum, T_mul(d.inverse[row], sum), *qq);
#else
    (void)qq;
#endif
}

#if WALK
/* `rows` places, BESIDE at most, as they lie in memory; BESIDE, where `whole` says so. */
DEVICE void cg_walk(cg_operands d, i64 from, i32 rows, const i32 whole, R *pq, R *qq)
{
    T sums[BESIDE];
#if FORMAT == 1
    sums[0] = sparse_row(d.m, from, d.p);
#else
    const sparse_span span = sparse_row_span(d.m, from);
    UNROLLED
    for (i32 l = 0; l < BESIDE; l++)
        sums[l] = T_make(0, 0);
    ROLLED
    for (sparse_index j = 0; j < span.count; j++) {
        const i64 at = span.at + j * sparse_step(d.m);
        UNROLLED
        for (i32 l = 0; l < BESIDE; l++) {
            if (whole || l < rows) {
                const sparse_index c = d.m.column[at + l];
                if (c >= 0)
                    sums[l] = T_fma(d.m.value[at + l], d.p[c], sums[l]);
            }
        }
    }
#endif
    UNROLLED
    for (i32 l = 0; l < BESIDE; l++)
        if (whole || l < rows)
            cg_take(d, from + l, sums[l], &pq[l], &qq[l]);
}
#endif

KERNEL(cg_product, WX, 1, 1)
(GLOBAL f64 *RESTRICT state, GLOBAL const sparse_index *RESTRICT start,
 GLOBAL const sparse_index *RESTRICT column, GLOBAL const T *RESTRICT value,
 GLOBAL const sparse_index *RESTRICT order, GLOBAL const T *RESTRICT inverse,
 GLOBAL const T *RESTRICT p, GLOBAL T *RESTRICT q, GLOBAL R *RESTRICT partials, cg_product_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
#if PRECOND == 2
    LOCAL T tile[TILE];
#endif
    BEGIN();
    const f64 outcome = state[CG_NEXT];
    if (GROUP_X == 0 && ITEM_X == 0) {
        state[STATE_OUTCOME] = outcome;
        state[CG_UPDATES] = state[CG_NEXT_UPDATES];
    }
    if (outcome != GOES_ON)
        return;
    cg_operands d;
    d.m = sparse_rows_of(start, column, value, order, a.matrix);
    d.inverse = inverse;
    d.p = p;
    d.q = q;
    d.last = a.matrix.rows;
    i64 first = GROUP_X * TILE;
    if (RANGE) {
        first = GROUP_X * a.per_group;
        d.last = first + a.per_group < d.last ? first + a.per_group : d.last;
    }
#if WALK
    R pqs[BESIDE], qqs[BESIDE], pq = 0, qq = 0;
    UNROLLED
    for (i32 l = 0; l < BESIDE; l++)
        pqs[l] = qqs[l] = 0;
    ROLLED
    for (; first + BESIDE <= d.last; first += BESIDE)
        cg_walk(d, first, BESIDE, 1, pqs, qqs);
    if (first < d.last)
        cg_walk(d, first, (i32)(d.last - first), 0, pqs, qqs);
    UNROLLED
    for (i32 l = 0; l < BESIDE; l++) {
        pq += pqs[l];
        qq += qqs[l];
    }
#else
    const i64 step = RANGE ? TILE : GROUPS_X * TILE;
    const i32 counts = ITEM_X % LANES == 0;
    R pq = 0, qq = 0;
    ROLLED
    for (; first < d.last; first += step) {
        ROLLED
        for (i32 pass = 0; pass < PASSES; pass++) {
            const i32 i = pass * AT_ONCE + ITEM_X / LANES;
            const i32 there = counts && i < TILE && first + i < d.last;
            const T sum = cg_row(d, i < TILE ? first + i : d.last);
            if (there)
                cg_take(d, first + i, sum, &pq, &qq);
#if PRECOND == 2
            if (counts && i < TILE)
                tile[i] = sum;
#endif
        }
#if PRECOND == 2
        BARRIER();
        ROLLED
        for (i32 i = ITEM_X; i < TILE; i += WX)
            if (first + i < d.last)
                qq = dot_real(tile[i], cg_block_row(inverse, tile, first, i, a.matrix.rows), qq);
        BARRIER();
#endif
    }
#endif
    cg_store_sums(pq, qq, partials, scratch);
}
