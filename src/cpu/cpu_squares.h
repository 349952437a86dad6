/* cpu_squares.h: sums of squares that neither overflow nor underflow, on the cpu: for nrm2 and for
 * norms of matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No overflow or underflow unless the norm itself does. A complex vector of n elements is a real
 * one of 2n.
 *
 * The idea is that of Blue (A portable Fortran program to find the Euclidean norm of a vector, ACM
 * TOMS 4, 1978) and Anderson (Algorithm 978: safe scaling in the level 1 BLAS, ACM TOMS 44, 2017):
 * three sums, of big, medium and small numbers, each with a scale fixed in advance, so that nothing
 * is divided. They sort number by number, which costs branches. Here a whole block is sorted by its
 * plain sum of squares S, and only a block outside [LOW, HIGH] is summed again, scaled and in
 * double, while it is in the first-level cache. With the precision's unit roundoff u:
 *
 * d, z (at most 2^10 numbers per block, u = 2^-53):
 * - medium, 2^-950 <= S <= 2^960. A square below the normal range loses at most 2^-1022 (flushed to
 *   zero; less with gradual underflow), a block at most 2^-1012 <= 2^-62 S < u S. Fewer than 2^63
 *   such blocks cannot overflow.
 * - small, S < 2^-950: every |x_i| < 2^-474. Times 2^600 the numbers lie in [2^-474, 2^126], their
 *   squares in [2^-948, 2^252]: exact range.
 * - big, S > 2^960, infinite or NaN. Times 2^-600 a number is below 2^424, so nothing overflows;
 *   what underflows is below 2^-1012 per block, against a sum above 2^-241.
 *
 * s, c (at most 2^11 numbers per block, u = 2^-24): the range of double holds every square of a
 * float (2^-298 to 2^256), so the scale is 1; medium is 2^-80 <= S <= 2^127, where a block loses at
 * most 2^11 2^-126 <= 2^-35 S < u S.
 *
 * NaN fails every comparison, lands in big and stays there; an infinity does the same.
 *
 * A thread walks the two halves of its piece side by side: one stream of addresses keeps too few
 * cache lines in flight (Neoverse V1, 2026-11: 26 GB/s per core with one, 33 with two, 33 with
 * four).
 */
#ifndef GBL_CPU_SQUARES_H
#define GBL_CPU_SQUARES_H

#include <math.h>
#include "cpu/cpu_vector.h"

#if defined(PREC_S) || defined(PREC_C)
#define LOW  0x1p-80
#define HIGH 0x1p127
#define UP   1.0
#define DOWN 1.0
#else
#define LOW  0x1p-950
#define HIGH 0x1p960
#define UP   0x1p600
#define DOWN 0x1p-600
#endif

#define HALF (BLOCK / 2) /* elements of a block from each half of the piece */

typedef struct partial {
    double big, medium, small; /* sums of (DOWN x)^2, x^2, (UP x)^2 */
    bool in_zeros;             /* the last block was all zero */
} partial;

#if TAILED
static inline pack pack_square_add(pack x, pack sum)
{
    return pack_multiply_add(x, x, sum);
}

/* The plain sum of squares of two stretches, na >= nb. */
static double sum_squares(int64_t na, const R *a, int64_t nb, const R *b)
{
    pack lane[4] = {{0}};
    int64_t i = 0;
    for (; i + 2 * PACK <= nb; i += 2 * PACK) {
        lane[0] = pack_square_add(pack_at(a + i), lane[0]);
        lane[1] = pack_square_add(pack_at(b + i), lane[1]);
        lane[2] = pack_square_add(pack_at(a + i + PACK), lane[2]);
        lane[3] = pack_square_add(pack_at(b + i + PACK), lane[3]);
    }
    for (int64_t j = i; j < na; j += PACK)
        lane[0] = pack_square_add(pack_part(tail_of(na - j), a + j), lane[0]);
    for (int64_t j = i; j < nb; j += PACK)
        lane[1] = pack_square_add(pack_part(tail_of(nb - j), b + j), lane[1]);
    return pack_sum((lane[0] + lane[1]) + (lane[2] + lane[3]));
}
#else
static double sum_squares(int64_t na, const R *restrict a, int64_t nb, const R *restrict b)
{
    enum { SUMS = LANES / 2 };
    R lane_a[SUMS] = {0}, lane_b[SUMS] = {0};
    int64_t i = 0;
    for (; i + SUMS <= nb; i += SUMS) {
#pragma omp simd
        for (int k = 0; k < SUMS; k++)
            lane_a[k] += a[i + k] * a[i + k];
#pragma omp simd
        for (int k = 0; k < SUMS; k++)
            lane_b[k] += b[i + k] * b[i + k];
    }
    for (int64_t j = i; j < na; j++)
        lane_a[(j - i) % SUMS] += a[j] * a[j];
    for (int64_t j = i; j < nb; j++)
        lane_b[j - i] += b[j] * b[j];
    double sum = 0;
    for (int k = 0; k < SUMS; k++)
        sum += (double)lane_a[k] + (double)lane_b[k];
    return sum;
}
#endif

/* The same of one stretch, scaled and in double. */
static double sum_scaled(int64_t n, const R *restrict x, double scale)
{
    enum { SUMS = 16 };
    double lane[SUMS] = {0};
    int64_t i = 0;
    for (; i + SUMS <= n; i += SUMS) {
#pragma omp simd
        for (int k = 0; k < SUMS; k++)
            lane[k] += (x[i + k] * scale) * (x[i + k] * scale);
    }
    for (int k = 0; i < n; i++, k++)
        lane[k] += (x[i] * scale) * (x[i] * scale);
    double sum = 0;
    for (int k = 0; k < SUMS; k++)
        sum += lane[k];
    return sum;
}

/* Whether two stretches, na >= nb, are all zero. Adding magnitudes cannot underflow. */
static bool all_zero(int64_t na, const R *restrict a, int64_t nb, const R *restrict b)
{
    enum { SUMS = LANES / 2 };
    R lane_a[SUMS] = {0}, lane_b[SUMS] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + SUMS <= nb; i += SUMS) {
#pragma omp simd
        for (int k = 0; k < SUMS; k++)
            lane_a[k] += (R)fabs(a[i + k]);
#pragma omp simd
        for (int k = 0; k < SUMS; k++)
            lane_b[k] += (R)fabs(b[i + k]);
    }
    for (int64_t j = i; j < na; j++)
        sum += (R)fabs(a[j]);
    for (int64_t j = i; j < nb; j++)
        sum += (R)fabs(b[j]);
    for (int k = 0; k < SUMS; k++)
        sum += lane_a[k] + lane_b[k];
    return sum == 0;
}

/* A block after one of zeros is first asked whether it is zero too, so that long stretches of zeros
 * take one look per block and not two sums. */
static inline void add_block(int64_t na, const R *a, int64_t nb, const R *b, partial *sum)
{
    if (sum->in_zeros && all_zero(na, a, nb, b))
        return;
    sum->in_zeros = false;
    const double squares = sum_squares(na, a, nb, b);
    if (!(squares <= HIGH)) {
        sum->big += sum_scaled(na, a, DOWN) + sum_scaled(nb, b, DOWN);
    } else if (squares < LOW) {
        const double scaled = sum_scaled(na, a, UP) + sum_scaled(nb, b, UP);
        sum->small += scaled;
        sum->in_zeros = scaled == 0;
    } else {
        sum->medium += squares;
    }
}

/* Beside a big block all small ones, fewer than 2^63, are beneath rounding; beside a medium one
 * what they lose to underflow is (2^-1074). */
static inline R norm(partial sum)
{
    if (sum.big != 0)
        return (R)(sqrt(sum.big + sum.medium * DOWN * DOWN) * UP);
    if (sum.medium != 0)
        return (R)sqrt(sum.medium + sum.small * DOWN * DOWN);
    return (R)(sqrt(sum.small) * DOWN);
}

/* The sums of one stretch of a vector. */
static inline partial sums_of(int64_t n, const T *x, int64_t incx)
{
    const int64_t b_length = n / 2, a_length = n - b_length; /* the same, or one more */
    const T *a = x, *b = a + a_length * incx;
    T a_buffer[HALF], b_buffer[HALF];
    partial sum = {0, 0, 0, false};
    for (int64_t i = 0; i < a_length; i += HALF) {
        const int64_t na = a_length - i < HALF ? a_length - i : HALF;
        const int64_t nb = b_length - i < HALF ? b_length - i : HALF;
        const T *a_block = packed(na, a + i * incx, incx, a_buffer);
        const T *b_block = packed(nb, b + i * incx, incx, b_buffer);
        add_block(na * REALS, (const R *)a_block, nb * REALS, (const R *)b_block, &sum);
    }
    return sum;
}

#endif
