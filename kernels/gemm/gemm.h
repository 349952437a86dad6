/* gemm.h: what the kernels for products of two matrices share: C := alpha op(A) op(B) + beta C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Macros: TRANS_A, TRANS_B: 0 as stored, 1 the transpose, 2 the conjugate transpose. TRIANGLE_C:
 * the elements of C that are computed: 0 all, 1 the upper triangle, 2 the lower one. REAL_DIAGONAL:
 * 1: imaginary parts of C's diagonal are not read and become 0. TRIANGULAR: a factor is triangular:
 * 0 none, op(A) 1 lower, 2 upper, op(B) 3 lower, 4 upper; what stands beyond its triangle is not
 * used, and UNIT says that its diagonal is ones. TWO_PRODUCTS, where it is given, 1: the terms of A
 * and B are followed by those of B and A, which are stored alike: syr2k. SIZES, where it is given,
 * 1: m, n and k are read from memory, and the arguments hold what they are at most.
 */
#include "gemm_args.h"
#include "scalars.h"

#if !defined(TRANS_A) || !defined(TRANS_B) || !defined(TRIANGLE_C) || !defined(REAL_DIAGONAL) ||   \
    !defined(TRIANGULAR) || !defined(UNIT)
#error "products need TRANS_A, TRANS_B, TRIANGLE_C, REAL_DIAGONAL, TRIANGULAR and UNIT"
#endif

#ifndef TWO_PRODUCTS
#define TWO_PRODUCTS 0
#endif
#ifndef SIZES
#define SIZES 0
#endif

/* Whether the terms that count end with the diagonal; else they begin with it. */
#if TRIANGULAR == 1 || TRIANGULAR == 4
#define UP_TO 1
#else
#define UP_TO 0
#endif

DEVICE T gemm_alpha(GLOBAL const R *at, gemm_args a)
{
    return scalar_of(at, a.scalars.alpha_on_device, a.scalars.alpha_re, a.scalars.alpha_im,
                     (i32)a.alpha_reals);
}

DEVICE T gemm_beta(GLOBAL const R *at, gemm_args a)
{
    return scalar_of(at, a.scalars.beta_on_device, a.scalars.beta_re, a.scalars.beta_im,
                     (i32)a.beta_reals);
}

/* The arguments with m, n and k from memory. */
DEVICE gemm_args gemm_sized(gemm_args a, GLOBAL const i64 *sizes)
{
    a.m = sizes[0];
    a.n = sizes[1];
    a.k = sizes[2];
    return a;
}

/* The product with its factors exchanged. */
DEVICE gemm_args gemm_exchanged(gemm_args a)
{
    const i64 lda = a.lda;
    a.lda = a.ldb;
    a.ldb = lda;
    return a;
}

/* Elements of op(A) and op(B), of stored ones. */
DEVICE T gemm_a(T stored)
{
    return TRANS_A == 2 ? T_conj(stored) : stored;
}

DEVICE T gemm_b(T stored)
{
    return TRANS_B == 2 ? T_conj(stored) : stored;
}

/* Whether element (i, j) of C is computed. */
DEVICE i32 gemm_wanted(i64 i, i64 j)
{
    return TRIANGLE_C == 0 || (TRIANGLE_C == 1 ? i <= j : i >= j);
}

/* Whether term p of element (i, j) counts. */
DEVICE i32 gemm_counts(i64 i, i64 j, i64 p)
{
    const i64 on = TRIANGULAR <= 2 ? i : j; /* the diagonal of the triangular factor */
    return TRIANGULAR == 0 ? 1 : UP_TO ? p <= on : p >= on;
}

/* Whether the triangular factor is 1 there. */
DEVICE i32 gemm_is_unit(i64 i, i64 j, i64 p)
{
    (void)i, (void)j, (void)p;
#if UNIT && TRIANGULAR != 0
    return p == (TRIANGULAR <= 2 ? i : j);
#else
    return 0;
#endif
}

/* alpha sum + beta old; on a real diagonal what is imaginary does not count. */
DEVICE T gemm_scaled(T alpha, T sum, T beta, T old, i32 on_diagonal)
{
#if REAL_DIAGONAL && T_REALS > 1
    if (on_diagonal) {
        old = T_make(T_real(old, 0), 0);
        return T_make(T_real(scaled_sum(alpha, sum, beta, old), 0), 0);
    }
#else
    (void)on_diagonal;
#endif
    return scaled_sum(alpha, sum, beta, old);
}

/* C(i, j) := alpha sum + beta C(i, j) */
DEVICE void gemm_store(GLOBAL T *c, T alpha, T sum, T beta, i32 on_diagonal)
{
#if REAL_DIAGONAL && T_REALS > 1
    if (on_diagonal) {
        T old = T_make(0, 0);
        if (!T_is_zero(beta))
            old = T_make(T_real(*c, 0), 0);
        *c = T_make(T_real(scaled_sum(alpha, sum, beta, old), 0), 0);
        return;
    }
#else
    (void)on_diagonal;
#endif
    scaled_store(c, alpha, sum, beta);
}
