/* band.h: what the kernels for products with band matrices share: sides, the diagonal, the store of
 * a result.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One kernel serves general, triangular and symmetric bands. Macros: SIDES: 1 sums along rows (A
 * x), 2 along columns (A' x), 3 both: the band is the stored half of a symmetric matrix, and the
 * sum along a column leaves the diagonal out. CONJ 0 or 1: sums along columns take conjugates.
 * DIAGONAL: 0 as stored, 1 ones that are not read, 2 its real part. SCALED: 0 y is the sum, 1 y :=
 * alpha sum + beta y.
 */
#include "band_args.h"

#if !defined(SIDES) || !defined(CONJ) || !defined(DIAGONAL) || !defined(SCALED)
#error "band kernels need SIDES, CONJ, DIAGONAL and SCALED"
#endif
#define ALONG_ROWS    (SIDES & 1)
#define ALONG_COLUMNS (SIDES & 2)

DEVICE T band_alpha(GLOBAL const R *at, band_args a)
{
    return a.alpha_on_device ? T_make(at[0], at[T_REALS - 1]) : T_make(a.alpha_re, a.alpha_im);
}

DEVICE T band_beta(GLOBAL const R *at, band_args a)
{
    return a.beta_on_device ? T_make(at[0], at[T_REALS - 1]) : T_make(a.beta_re, a.beta_im);
}

DEVICE void band_store(GLOBAL T *y, i64 i, T alpha, T sum, T beta)
{
#if SCALED
    y[i] = T_is_zero(beta) ? T_mul(alpha, sum) : T_fma(alpha, sum, T_mul(beta, y[i]));
#else
    (void)alpha;
    (void)beta;
    y[i] = sum;
#endif
}

DEVICE T band_add(T a, T b)
{
    return T_fma_real(1, a, b);
}

/* The next step of a sum along a row, or along a column. */
DEVICE T band_step(T a, T x, T sum, i32 along_column)
{
    return T_fma(CONJ && along_column ? T_conj(a) : a, x, sum);
}

/* An element of the diagonal, of the stored one. */
DEVICE T band_diagonal(T stored)
{
#if DIAGONAL == 1
    (void)stored;
    return T_make(1, 0);
#elif DIAGONAL == 2
    return T_make(T_real(stored, 0), 0);
#else
    return stored;
#endif
}

/* The places of the band that sums along columns take: [first, end). */
DEVICE i64 band_first_place(band_args a)
{
    return SIDES == 3 && a.ku == 0 ? 1 : 0;
}

DEVICE i64 band_end_place(band_args a)
{
    return a.kl + a.ku + (SIDES == 3 && a.ku > 0 ? 0 : 1);
}

DEVICE i64 band_least(i64 a, i64 b)
{
    return a < b ? a : b;
}

DEVICE i64 band_most(i64 a, i64 b)
{
    return a > b ? a : b;
}
