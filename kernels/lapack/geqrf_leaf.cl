/* geqrf_leaf.cl: A = Q R for at most NB columns of any number of rows, by one group
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Column by column: the reflector of the column (reflector.h), the products of its vector with all
 * other columns in one walk, those behind it updated. Products with the columns before it are what
 * T needs: Q = I - V T V^H. R takes the place of A's upper triangle, the vectors that of what lies
 * below. They also go to V with the ones of their diagonal, and with zeros above it and in `above`
 * rows on top, so that plain products can apply Q; T is stored with zeros below its diagonal.
 *
 * Geometry: one group of ITEMS work-items. Row i belongs to work-item i % ITEMS from the first
 * column to the last, and so does row i of T. Macros: ITEMS; NB; WIDE: columns that a walk takes at
 * once, divides NB. Barriers: all work-items walk over all columns.
 */
#if !defined(ITEMS) || !defined(NB) || !defined(WIDE)
#error "geqrf_leaf needs ITEMS, NB and WIDE"
#endif
#define WX ITEMS
#include "geqrf_args.h"
#include "reflector.h"
#include "lanes.h"

#define SHARES (ITEMS / WARP_SIZE) /* of a sum over the group */

/* The first of this work-item's rows from `row` on. */
DEVICE i64 row_from(i64 row)
{
    return row + (ITEM_X + ITEMS - row % ITEMS) % ITEMS;
}

/* This work-item's share of the squares below the diagonal of column j. */
DEVICE sum_t leaf_squares(GLOBAL const T *A, geqrf_args a, i64 j)
{
    sum_t s = {{0}};
    ROLLED
    for (i64 i = row_from(j + 1); i < a.m; i += ITEMS) {
        UNROLLED
        for (i32 part = 0; part < T_REALS; part++)
            s = norm_add(s, T_real(A[i + j * a.lda], part));
    }
    return s;
}

/* The zeros on top of V. */
DEVICE void leaf_clear(GLOBAL T *V, geqrf_args a)
{
    ROLLED
    for (i64 j = 0; j < a.n; j++) {
        ROLLED
        for (i64 i = ITEM_X; i < a.above + j; i += ITEMS)
            V[i + j * a.ldv] = T_make(0, 0);
    }
}

/* Column j becomes beta and v; V has a one in the place of beta. */
DEVICE void leaf_vector(GLOBAL T *A, GLOBAL T *V, geqrf_args a, i64 j, reflector h)
{
    ROLLED
    for (i64 i = row_from(j); i < a.m; i += ITEMS) {
        GLOBAL T *at = A + i + j * a.lda;
        const T v = i == j ? T_make(1, 0) : reflector_element(h, *at);
        *at = i == j ? T_make(h.beta, 0) : v;
        V[a.above + i + j * a.ldv] = v;
    }
}

/* shares := this work-item's part of v^H times columns [k, k + WIDE), added over lanes that run
 * together. */
DEVICE void leaf_products(GLOBAL const T *A, GLOBAL const T *V, geqrf_args a, i64 j, i64 k,
                          LOCAL_PTR T *shares)
{
    T sums[WIDE];
    UNROLLED
    for (i32 w = 0; w < WIDE; w++)
        sums[w] = T_make(0, 0);
    ROLLED
    for (i64 i = row_from(j); i < a.m; i += ITEMS) {
        const T v = T_conj(V[a.above + i + j * a.ldv]);
        UNROLLED
        for (i32 w = 0; w < WIDE; w++)
            if (k + w < a.n)
                sums[w] = T_fma(v, A[i + (k + w) * a.lda], sums[w]);
    }
#if WARP_SIZE > 1
    lanes_add(sums, WIDE, WARP_SIZE / 2, 1);
#endif
    if (ITEM_X % WARP_SIZE == 0) {
        UNROLLED
        for (i32 w = 0; w < WIDE; w++)
            shares[ITEM_X / WARP_SIZE * NB + k + w] = sums[w];
    }
}

/* Columns [k, k + WIDE), as far as they are behind j, minus v times their factors. */
DEVICE void leaf_update(GLOBAL T *A, GLOBAL const T *V, geqrf_args a, i64 j, i64 k, T tau,
                        LOCAL_PTR const T *products)
{
    T factor[WIDE];
    UNROLLED
    for (i32 w = 0; w < WIDE; w++)
        factor[w] = T_neg(T_mul(T_conj(tau), products[k + w]));
    ROLLED
    for (i64 i = row_from(j); i < a.m; i += ITEMS) {
        const T v = V[a.above + i + j * a.ldv];
        UNROLLED
        for (i32 w = 0; w < WIDE; w++)
            if (k + w < a.n && k + w > j) {
                GLOBAL T *at = A + i + (k + w) * a.lda;
                *at = T_fma(v, factor[w], *at);
            }
    }
}

/* Column j of T, of which columns before it are known: -tau T (V^H v), then tau. */
DEVICE void leaf_column(LOCAL_PTR T *t, geqrf_args a, i32 j, T tau, LOCAL_PTR const T *products)
{
    ROLLED
    for (i32 r = ITEM_X; r < a.n; r += ITEMS) {
        T sum = T_make(0, 0);
        ROLLED
        for (i32 c = r; c < j; c++)
            sum = T_fma(t[r + c * NB], T_conj(products[c]), sum);
        sum = T_neg(T_mul(tau, sum));
        if (r >= j)
            sum = r == j ? tau : T_make(0, 0);
        t[r + j * NB] = sum;
    }
}

KERNEL(geqrf_leaf, ITEMS, 1, 1)
(GLOBAL T *RESTRICT A, GLOBAL T *RESTRICT tau, GLOBAL T *RESTRICT V, GLOBAL T *RESTRICT out,
 geqrf_args a)
{
    LOCAL sum_t scratch[GROUP_SCRATCH];
    LOCAL T shares[SHARES * NB];
    LOCAL T products[NB];
    LOCAL T t[NB * NB];
    LOCAL reflector known[1];
    BEGIN();
    leaf_clear(V, a);
    ROLLED
    for (i32 j = 0; j < a.n; j++) {
        const sum_t squares = group_sum(leaf_squares(A, a, j), scratch);
        BARRIER(); /* the element on the diagonal is up to date */
        if (ITEM_X == 0) {
            known[0] = reflector_of(A[j + j * a.lda], squares);
            tau[j] = reflector_tau(known[0]);
        }
        BARRIER();
        const reflector h = known[0];
        leaf_vector(A, V, a, j, h);
        ROLLED
        for (i64 k = 0; k < a.n; k += WIDE)
            leaf_products(A, V, a, j, k, shares);
        BARRIER();
        ROLLED
        for (i32 k = ITEM_X; k < NB; k += ITEMS) {
            T sum = T_make(0, 0);
            ROLLED
            for (i32 s = 0; k < a.n && s < SHARES; s++)
                sum = T_add(sum, shares[s * NB + k]);
            products[k] = sum;
        }
        BARRIER();
        ROLLED
        for (i64 k = (j + 1) / WIDE * WIDE; k < a.n; k += WIDE)
            leaf_update(A, V, a, j, k, reflector_tau(h), products);
        leaf_column(t, a, j, reflector_tau(h), products);
    }
    ROLLED
    for (i32 j = 0; j < a.n; j++) {
        ROLLED
        for (i32 r = ITEM_X; r < a.n; r += ITEMS)
            out[r + j * a.ldt] = t[r + j * NB];
    }
}
