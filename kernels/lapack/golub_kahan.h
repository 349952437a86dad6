/* golub_kahan.h: how many singular values of a bidiagonal matrix are below a number.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix of order 2n with zeros on its diagonal and d_1, e_1, d_2, e_2, ..., d_n beside it has
 * the eigenvalues s_i and -s_i (Golub and Kahan, 1965). Those below x > 0 are the negative pivots
 * q_1 = -x, q_(j+1) = -x - b_j^2 / q_j: Sturm's count. No sum of two numbers of unlike size is made
 * of the entries alone, so that each value is found to a few roundings of itself (Demmel and Kahan,
 * 1990). A reciprocal is quicker than a quotient. A pivot near 0 becomes positive: a value that is
 * x is not below it. Comparisons with a NaN are false, so the loop ends whatever the numbers are.
 */
#if PREC % 2 == 0
#define LEAST_PIVOT 0x1p-126f
#else
#define LEAST_PIVOT 0x1p-1022
#endif

DEVICE R next_pivot(R q, R b, R x)
{
    const R next = -x - b * (b * ((R)1 / q));
    return next > -LEAST_PIVOT && next < LEAST_PIVOT ? (R)LEAST_PIVOT : next;
}

/* Of n values; d and e are multiplied by `scale`. */
DEVICE i64 values_below(GLOBAL const R *RESTRICT d, GLOBAL const R *RESTRICT e, i64 n, R scale, R x)
{
    R q = -x;
    i64 count = 1 - n;
    ROLLED
    for (i64 j = 0; j < n; j++) {
        q = next_pivot(q, scale * d[j], x);
        count += q < 0;
        if (j + 1 < n) {
            q = next_pivot(q, scale * e[j], x);
            count += q < 0;
        }
    }
    return count;
}
