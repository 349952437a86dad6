/* cg_persistent.cl: conjugate gradients in one cooperative launch: many iterations, two barriers
 * each.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A group owns `share` places of the order of rows. Its pieces of q = A p, of r and, as far as KEPT
 * says, of x stay in local memory; p alone is exchanged between groups. An iteration, after
 * Chronopoulos and Gear:
 *
 *   q = A p; partial sums of <p, q> and <q, M^-1 q>; barrier;
 *   every group adds all partial sums in the same order: alpha = <r, M^-1 r> / <p, q>,
 *   beta = (alpha^2 <q, M^-1 q> - <r, M^-1 r>) / <r, M^-1 r>;
 *   x += alpha p; r -= alpha q; p = M^-1 r + beta p; partial sums of <r, r> and <r, M^-1 r>;
 *   barrier.
 *
 * Hand-overs: p and the partial sums, each across one grid_barrier. Sums of r are read behind the
 * next barrier but one, when faster groups write new ones: so there are two places for them, taken
 * in turn.
 *
 * Work-items go on from one place to the next WX apart, so elements in local memory are each one
 * work-item's own.
 *
 * KEPT: 2 keeps q and r, 3 x as well. JACOBI: M is the diagonal of A, `inverse` its inverses; else
 * M = I.
 */
#define SUM_R    f64
#define SUM_N    2
#define SUM_MAIN 2
#include "reduce.h"
#include "grid_barrier.h"
#include "sparse_row.h"
#include "cg_persistent_args.h"
#include "solver_state.h"

#define STATE_RZ STATE_FIRST
#ifndef KEPT_ROOM /* the launch says how much */
#define KEPT_ROOM 1
#endif

#if JACOBI
#define PRECONDITIONED(t, row) T_mul(inverse[row], (t))
#else
#define PRECONDITIONED(t, row) (t)
#endif

DEVICE R real_product(T a, T b) /* Re(conj(a) b) */
{
#if T_REALS > 1
    return R_fma(a.re, b.re, a.im * b.im);
#else
    return a * b;
#endif
}

/* The sums over all groups: <p, q>, <q, M^-1 q>, <r, r>, <r, M^-1 r>. */
typedef struct cg_sums {
    f64 v[4];
} cg_sums;

/* The same in every work-item of every group: lanes that run together add in an order that their
 * number fixes. */
DEVICE cg_sums cg_all_groups(GLOBAL const volatile f64 *dots, GLOBAL const volatile f64 *norms,
                             LOCAL_PTR cg_sums *total)
{
    if (ITEM_X < WARP_SIZE) {
        cg_sums s = {{0}};
        for (i64 group = ITEM_X; group < GROUPS_X; group += WARP_SIZE) {
            s.v[0] += dots[group * 2];
            s.v[1] += dots[group * 2 + 1];
            s.v[2] += norms[group * 2];
            s.v[3] += norms[group * 2 + 1];
        }
#if WARP_SIZE > 1
        UNROLLED
        for (i32 distance = WARP_SIZE / 2; distance > 0; distance /= 2) {
            UNROLLED
            for (i32 k = 0; k < 4; k++)
                s.v[k] += SHUFFLE_XOR(s.v[k], distance);
        }
#endif
        if (ITEM_X == 0)
            total[0] = s;
    }
    BARRIER();
    return total[0];
}

/* This group's two sums, left where all groups find them behind a barrier. */
DEVICE void cg_leave(sum_t mine, GLOBAL f64 *partials, LOCAL_PTR sum_t *scratch)
{
    mine = group_sum(mine, scratch);
    if (ITEM_X == 0)
        sum_store(partials + GROUP_X * 2, mine);
}

KERNEL(cg_persistent, WX, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const sparse_index *RESTRICT order,
 GLOBAL const T *RESTRICT inverse, GLOBAL T *x, GLOBAL T *r, GLOBAL T *p, GLOBAL f64 *partials,
 GLOBAL i32 *counter, GLOBAL f64 *state, cg_persistent_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL cg_sums total;
    LOCAL_ROOM(T, kept,
               KEPT_ROOM); /* q, r and, with KEPT 3, x of this group: `share` elements each */
    LOCAL_PTR T *my_q = kept, *my_r = kept + a.share;
#if KEPT > 2
    LOCAL_PTR T *my_x = kept + 2 * a.share;
#endif
    GLOBAL f64 *dots = partials, *norms = partials + GROUPS_X * 2;
    const i64 begin = GROUP_X * a.share,
              end = begin + a.share < a.matrix.rows ? begin + a.share : a.matrix.rows;
    i32 passed = 0;
    BEGIN();
    if (state[STATE_OUTCOME] >= 0)
        return;
    const sparse_rows m = sparse_rows_of(start, column, value, order, a.matrix);
    const i64 done_before = (i64)state[STATE_ITERATION], limit = (i64)state[STATE_LIMIT];
    const i64 most = limit - done_before < a.iterations ? limit - done_before : a.iterations;
    const f64 target = state[STATE_TARGET];
    const i32 first = done_before == 0;

    /* What this group keeps; p of the first iteration; the sums of r. */
    const sum_t sum_zero = {{0}};
    sum_t mine = sum_zero;
    for (i64 place = begin + ITEM_X; place < end; place += WX) {
        const i64 row = sparse_row_at(m, place);
        const T residual = r[row];
        my_r[place - begin] = residual;
#if KEPT > 2
        my_x[place - begin] = x[row];
#endif
        if (first) {
            const T z = PRECONDITIONED(residual, row);
            p[row] = z;
            mine.v[0] += (f64)real_product(residual, residual);
            mine.v[1] += (f64)real_product(residual, z);
        }
    }
    if (first)
        cg_leave(mine, norms, scratch);
    else if (ITEM_X == 0) {
        norms[GROUP_X * 2] = GROUP_X == 0 ? state[STATE_RR] : 0;
        norms[GROUP_X * 2 + 1] = GROUP_X == 0 ? state[STATE_RZ] : 0;
    }
    grid_barrier(counter, &passed);

    i64 done = 0; /* in this launch */
    f64 outcome = GOES_ON;
    cg_sums s;
    for (;;) {
        const i32 turn = (i32)(done % 2);
        if (done < most) {
            mine = sum_zero;
            for (i64 place = begin + ITEM_X; place < end; place += WX) {
                const i64 row = sparse_row_at(m, place);
                const T q = sparse_row(m, place, p), direction = p[row];
                my_q[place - begin] = q;
                mine.v[0] += (f64)real_product(direction, q);
                mine.v[1] += (f64)real_product(q, PRECONDITIONED(q, row));
            }
            cg_leave(mine, dots, scratch);
            grid_barrier(counter, &passed);
        }
        s = cg_all_groups(dots, norms + turn * GROUPS_X * 2, &total);
        if (GROUP_X == 0 && ITEM_X == 0 && done > 0)
            state[STATE_HISTORY + (done_before + done - 1) % HISTORY] = s.v[2];
        outcome = state_outcome(s.v[2], (f64)(done_before + done), target, (f64)limit);
        if (outcome != GOES_ON || done == most)
            break;
        outcome = positive_outcome(s.v[0]);
        if (outcome == GOES_ON)
            outcome = positive_outcome(s.v[3]);
        if (outcome != GOES_ON)
            break;
        const f64 alpha = s.v[3] / s.v[0], fresh = alpha * alpha * s.v[1] - s.v[3];
        const R step = (R)alpha, turned = (R)(fresh > CG_LEAST_BETA * s.v[3] ? fresh / s.v[3] : 0);
        mine = sum_zero;
        for (i64 place = begin + ITEM_X; place < end; place += WX) {
            const i64 row = sparse_row_at(m, place), at = place - begin;
            const T direction = p[row];
            const T residual = T_fma_real(-step, my_q[at], my_r[at]);
            const T z = PRECONDITIONED(residual, row);
#if KEPT > 2
            my_x[at] = T_fma_real(step, direction, my_x[at]);
#else
            x[row] = T_fma_real(step, direction, x[row]);
#endif
            my_r[at] = residual;
            p[row] = T_fma_real(turned, direction, z);
            mine.v[0] += (f64)real_product(residual, residual);
            mine.v[1] += (f64)real_product(residual, z);
        }
        done++;
        cg_leave(mine, norms + (done % 2) * GROUPS_X * 2, scratch);
        grid_barrier(counter, &passed);
    }

    for (i64 place = begin + ITEM_X; place < end; place += WX) {
        const i64 row = sparse_row_at(m, place);
        r[row] = my_r[place - begin];
#if KEPT > 2
        x[row] = my_x[place - begin];
#endif
    }
    if (GROUP_X == 0 && ITEM_X == 0) {
        state[STATE_OUTCOME] = outcome;
        state[STATE_ITERATION] = (f64)(done_before + done);
        state[STATE_RR] = s.v[2];
        state[STATE_RZ] = s.v[3];
    }
}
