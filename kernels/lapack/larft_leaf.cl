/* larft_leaf.cl: T of each NB reflectors, from the products G = V^H V and tau
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * H_1 H_2 ... = I - V T V^H: column j of T is -tau_j T g, g the products of earlier vectors with
 * vector j, and tau_j on the diagonal. Each block of NB by NB on T's diagonal is made for itself,
 * with zeros below its diagonal; the rest of T is not written. Geometry: group b makes block b, of
 * ITEMS work-items, of which each has its rows. Macros: ITEMS; NB. Barriers: one, before the first
 * column.
 */
#if !defined(ITEMS) || !defined(NB)
#error "larft_leaf needs ITEMS and NB"
#endif
#include "larft_args.h"

KERNEL(larft_leaf, ITEMS, 1, 1)
(GLOBAL const T *RESTRICT G, GLOBAL const T *RESTRICT tau, GLOBAL T *RESTRICT out, larft_args a)
{
    LOCAL T g[NB * NB];
    LOCAL T t[NB * NB];
    const i64 first = GROUP_X * NB;
    const i32 count = (i32)(a.k - first < NB ? a.k - first : NB);
    BEGIN();
    ROLLED
    for (i32 e = ITEM_X; e < NB * NB; e += ITEMS) {
        const i32 i = e % NB, j = e / NB;
        T value = T_make(0, 0);
        if (i < j && j < count)
            value = G[first + i + (first + j) * a.ldg];
        if (i == j && j < count)
            value = tau[first + j];
        g[e] = value;
    }
    BARRIER();
    ROLLED
    for (i32 r = ITEM_X; r < count; r += ITEMS) {
        ROLLED
        for (i32 j = 0; j < count; j++) {
            T sum = T_make(0, 0);
            ROLLED
            for (i32 c = r; c < j; c++)
                sum = T_fma(t[r + c * NB], g[c + j * NB], sum);
            sum = T_neg(T_mul(g[j + j * NB], sum));
            if (r >= j)
                sum = r == j ? g[j + j * NB] : T_make(0, 0);
            t[r + j * NB] = sum;
            out[first + r + (first + j) * a.ldt] = sum;
        }
    }
}
