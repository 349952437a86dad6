/* gemm.h: what the kernels for products of two matrices share: C := alpha op(A) op(B) + beta C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Macros: TRANS_A, TRANS_B: 0 as stored, 1 the transpose, 2 the conjugate transpose. PART: the elements of C that are
 * computed: 0 all, 1 the upper triangle, 2 the lower one. REAL_DIAGONAL: 1: imaginary parts of C's diagonal are not
 * read and become 0. ZEROS: a factor is triangular: 0 none, op(A) 1 lower, 2 upper, op(B) 3 lower, 4 upper; what
 * stands beyond its triangle is not used, and UNIT says that its diagonal is ones. TWICE, where it is given, 1: the terms
 * of A and B are followed by those of B and A, which are stored alike: syr2k. SIZES, where it is given, 1: m, n and k are
 * read from memory, and the arguments hold what they are at most.
 */
#include "gemm_args.h"
#include "scalars.h"

#if !defined(TRANS_A) || !defined(TRANS_B) || !defined(PART) || !defined(REAL_DIAGONAL) ||         \
    !defined(ZEROS) || !defined(UNIT)
#error "products need TRANS_A, TRANS_B, PART, REAL_DIAGONAL, ZEROS and UNIT"
#endif

#ifndef TWICE
#define TWICE 0
#endif
#ifndef SIZES
#define SIZES 0
#endif

/* Whether the terms that count end with the diagonal; else they begin with it. */
#if ZEROS == 1 || ZEROS == 4
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
    return PART == 0 || (PART == 1 ? i <= j : i >= j);
}

/* Whether term p of element (i, j) counts. */
DEVICE i32 gemm_counts(i64 i, i64 j, i64 p)
{
    const i64 on = ZEROS <= 2 ? i : j; /* the diagonal of the triangular factor */
    return ZEROS == 0 ? 1 : UP_TO ? p <= on : p >= on;
}

/* Whether the triangular factor is 1 there. */
DEVICE i32 gemm_is_unit(i64 i, i64 j, i64 p)
{
    (void)i, (void)j, (void)p;
#if UNIT && ZEROS != 0
    return p == (ZEROS <= 2 ? i : j);
#else
    return 0;
#endif
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
