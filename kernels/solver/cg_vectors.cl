/* cg_vectors.cl: x += alpha p, r -= alpha q, p = M^-1 r + beta p; partial sums <r, r>, <r, M^-1 r>
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first kernel of an iteration (cg.h): each vector is read and written once, x, r, p, q read,
 * x, r, p written. The first loads are under way while the group looks at the state and adds the
 * partial sums of the kernels before. Once there is an outcome nothing is done. Geometry: any
 * number of groups of WX work-items. Macros: cg.h; VEC, ALIGN: elements per load and the alignment
 * of r, p, q;
 * X_ALIGN: that of x; AHEAD 1: the next loads are under way while these are worked on. Barriers:
 * all work-items reach those of group_sum and the one behind the decision, which is the same for
 * all; of block-Jacobi two per tile.
 */
#include "cg.h"

#if !defined(VEC) || !defined(ALIGN) || !defined(X_ALIGN) || !defined(AHEAD)
#error "cg_vectors needs VEC, ALIGN, X_ALIGN and AHEAD"
#endif
#include "tile.h"

typedef struct cg_data {
    GLOBAL const T *inverse;
    GLOBAL T *x;
    GLOBAL T *r;
    GLOBAL T *p;
    GLOBAL const T *q;
    i64 n;
    i32 start;
} cg_data;

typedef struct cg_sums {
    R rr[VEC], rz[VEC];
} cg_sums;

/* This work-item's share of the sums before. */
DEVICE sum_t cg_share(GLOBAL const R *sums, GLOBAL const R *products, cg_vectors_args a)
{
    sum_t s = {{0}};
    ROLLED
    for (i64 i = ITEM_X; i < a.sums; i += WX) {
        s.v[0] += sums[i * CG_SUMS];
        s.v[1] += sums[i * CG_SUMS + 1];
    }
    ROLLED
    for (i64 i = ITEM_X; i < a.products; i += WX) {
        s.v[2] += products[i * CG_SUMS];
        s.v[3] += products[i * CG_SUMS + 1];
    }
    return s;
}

/* alpha, beta, and whether the iteration takes place; group 0 writes down what comes next. */
DEVICE void cg_decide(GLOBAL f64 *state, sum_t sum, LOCAL_PTR f64 *factors)
{
    const f64 rr = sum.v[0], rz = PRECOND ? sum.v[1] : sum.v[0], pq = sum.v[2], qq = sum.v[3];
    const f64 updates = state[CG_UPDATES];
    f64 outcome = GOES_ON, alpha = 0, beta = 0;
    if (updates > 0)
        outcome = state_outcome(rr, updates, state[STATE_TARGET], state[STATE_LIMIT]);
    if (outcome == GOES_ON)
        outcome = positive_outcome(rz);
    if (outcome == GOES_ON)
        outcome = positive_outcome(pq);
    if (outcome == GOES_ON) {
        alpha = rz / pq;
        beta = (alpha * alpha * qq - rz) / rz;
        beta = beta > CG_LEAST_BETA ? beta : 0;
        if (!is_finite((R)alpha) || !is_finite((R)beta))
            outcome = OUTCOME_BREAKDOWN;
    }
    factors[0] = alpha;
    factors[1] = beta;
    factors[2] = outcome;
    if (GROUP_X != 0)
        return;
    state[CG_NEXT] = outcome;
    state[CG_NEXT_UPDATES] = outcome == GOES_ON ? updates + 1 : updates;
    state[STATE_ITERATION] = updates;
    if (updates > 0) {
        state[STATE_RR] = rr;
        state[STATE_HISTORY + ((i32)(updates - 1) & (HISTORY - 1))] = rr;
    }
}

/* One element; z is M^-1 of the new r. */
DEVICE void cg_element(R alpha, R beta, T m, T *x, T *r, T *p, T q, R *rr, R *rz)
{
    *x = T_fma_real(alpha, *p, *x);
    *r = T_fma_real(-alpha, q, *r);
    *rr = dot_real(*r, *r, *rr);
#if PRECOND == 1
    const T z = T_mul(m, *r);
    *rz = dot_real(*r, z, *rz);
#else
    (void)m;
    (void)rz;
    const T z = *r;
#endif
    *p = T_fma_real(beta, *p, z);
}

#if PRECOND != 2
typedef struct cg_set {
    XV x;
    TV r, p, q, m;
} cg_set;

DEVICE cg_set cg_load(cg_data d, i64 i)
{
    cg_set s;
    s.r = TV_load(d.r, i);
    s.p = s.q = TV_zero();
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        s.x.v[k] = T_make(0, 0);
    if (!d.start) {
        s.p = TV_load(d.p, i);
        s.q = TV_load(d.q, i);
        s.x = ((GLOBAL const XV *)d.x)[i];
    }
#if PRECOND == 1
    s.m = TV_load(d.inverse, i);
#else
    s.m = s.r;
#endif
    return s;
}

DEVICE void cg_work(cg_data d, i64 i, cg_set s, R alpha, R beta, cg_sums *sums)
{
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        cg_element(alpha, beta, s.m.v[k], &s.x.v[k], &s.r.v[k], &s.p.v[k], s.q.v[k], &sums->rr[k],
                   &sums->rz[k]);
    if (!d.start) {
        ((GLOBAL XV *)d.x)[i] = s.x;
        ((GLOBAL TV *)d.r)[i] = s.r;
    }
    ((GLOBAL TV *)d.p)[i] = s.p;
}

/* The elements behind the last vector, by group 0. */
DEVICE void cg_edge(cg_data d, i64 i, R alpha, R beta, cg_sums *sums)
{
    const T zero = T_make(0, 0);
    T x = d.start ? zero : d.x[i], r = d.r[i], p = d.start ? zero : d.p[i];
    cg_element(alpha, beta, PRECOND ? d.inverse[i] : zero, &x, &r, &p, d.start ? zero : d.q[i],
               &sums->rr[0], &sums->rz[0]);
    if (!d.start) {
        d.x[i] = x;
        d.r[i] = r;
    }
    d.p[i] = p;
}
#else
/* A tile of whole blocks: its new r goes through local memory. All work-items must come. */
DEVICE void cg_tile(cg_data d, i64 first, R alpha, R beta, LOCAL_PTR T *tile, cg_sums *sums)
{
    ROLLED
    for (i32 i = ITEM_X; i < TILE; i += WX) {
        const i64 at = first + i;
        T r = T_make(0, 0);
        if (at < d.n) {
            r = d.r[at];
            if (!d.start) {
                r = T_fma_real(-alpha, d.q[at], r);
                d.x[at] = T_fma_real(alpha, d.p[at], d.x[at]);
                d.r[at] = r;
            }
        }
        tile[i] = r;
    }
    BARRIER();
    ROLLED
    for (i32 i = ITEM_X; i < TILE; i += WX) {
        const i64 at = first + i;
        if (at < d.n) {
            const T z = cg_block_row(d.inverse, tile, first, i, d.n);
            sums->rr[0] = dot_real(tile[i], tile[i], sums->rr[0]);
            sums->rz[0] = dot_real(tile[i], z, sums->rz[0]);
            d.p[at] = d.start ? z : T_fma_real(beta, d.p[at], z);
        }
    }
    BARRIER();
}
#endif

KERNEL(cg_vectors, WX, 1, 1)
(GLOBAL f64 *RESTRICT state, GLOBAL const R *RESTRICT sums, GLOBAL const R *RESTRICT products,
 GLOBAL R *RESTRICT partials, GLOBAL const T *RESTRICT inverse, GLOBAL T *RESTRICT x,
 GLOBAL T *RESTRICT r, GLOBAL T *RESTRICT p, GLOBAL const T *RESTRICT q, cg_vectors_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL f64 factors[3];
#if PRECOND == 2
    LOCAL T tile[TILE];
#endif
    BEGIN();
    const f64 ended = state[STATE_OUTCOME];
    cg_data d;
    d.inverse = inverse;
    d.x = x;
    d.r = r;
    d.p = p;
    d.q = q;
    d.n = a.range.n;
    d.start = (i32)a.start;
#if PRECOND == 2
    i64 i = RANGE ? GROUP_X * a.range.per_group : GROUP_X;
    const i64 step = RANGE ? 1 : GROUPS_X;
#else
    i64 i = RANGE ? GROUP_X * a.range.per_group + ITEM_X : GROUP_X * WX + ITEM_X;
    const i64 step = RANGE ? WX : GROUPS_X * WX;
#endif
    i64 last = a.range.vectors;
    if (RANGE && (GROUP_X + 1) * a.range.per_group < last)
        last = (GROUP_X + 1) * a.range.per_group;
#if PRECOND != 2 && AHEAD
    cg_set ahead;
    if (i < last)
        ahead = cg_load(d, i);
#endif
    const sum_t share = cg_share(sums, products, a);
    if (ended != GOES_ON)
        return;
    const sum_t before = group_sum(share, scratch);
    if (ITEM_X == 0) {
        if (a.start) {
            factors[0] = factors[1] = 0;
            factors[2] = GOES_ON;
        } else {
            cg_decide(state, before, factors);
        }
    }
    BARRIER();
    if (factors[2] != GOES_ON)
        return;
    const R alpha = (R)factors[0], beta = (R)factors[1];
    cg_sums mine;
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        mine.rr[k] = mine.rz[k] = 0;
#if PRECOND == 2
    ROLLED
    for (; i < last; i += step)
        cg_tile(d, i * TILE, alpha, beta, tile, &mine);
#else
    ROLLED
    for (; i < last; i += step) {
#if AHEAD
        const cg_set now = ahead;
        if (i + step < last)
            ahead = cg_load(d, i + step);
#else
        const cg_set now = cg_load(d, i);
#endif
        cg_work(d, i, now, alpha, beta, &mine);
    }
    if (GROUP_X == 0)
        for (i64 e = a.range.vectors * VEC + ITEM_X; e < d.n; e += WX)
            cg_edge(d, e, alpha, beta, &mine);
#endif
    UNROLLED
    for (i32 k = 1; k < VEC; k++) {
        mine.rr[0] += mine.rr[k];
        mine.rz[0] += mine.rz[k];
    }
    cg_store_sums(mine.rr[0], mine.rz[0], partials, scratch);
}
