/* cpu_gather.c: rows of sparse matrices times a vector whose elements are gathered by the vector
 * unit (AVX-512).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Products with matrices that lie in the cache are held back by instructions, not by bytes: three
 * loads, a multiply-add and the loop per entry. A gather takes 8 doubles or 16 floats by one
 * instruction. Two cores of a Xeon (Sapphire Rapids), d, one thread, 2026-11, these loops alone in
 * a program of their own beside a plain loop, the best of 30 runs, other programs running, us of a
 * product, single loads -> gathers:
 *     compressed rows   Trefethen_2000 24.7 -> 16.1   bcsstk13 46 -> 31   7 points, 20^3 35 -> 22
 *                                                     1138_bus 2.7 -> 3.3
 *     SELL of 8 rows    Trefethen_2000 24.7 -> 11.4   bcsstk13 46 -> 27   7 points, 20^3 35 -> 18
 *                                                     1138_bus 2.7 -> 1.7
 * The gathers of AVX2 (4 doubles) gain nothing over single loads there.
 *
 * Compressed rows are taken four at a time: their sums, each spread over a register, are then added
 * up together. What a row has left behind whole registers is loaded under a mask, so short rows
 * cost no branch. The order in which a row is added up depends on its length alone.
 */
#include "cpu/cpu_sparse_rows.h"

#if GATHERS
#include <immintrin.h>

#define UNIT target("avx512f,avx512vl,avx512dq,bmi2,fma")
/* Inlined into functions for the same unit. */
#define GATHERED static inline __attribute__((always_inline, UNIT))

#if defined(PREC_D)
#define ROWS_BESIDE 8
#define ALL_BESIDE  0xff
typedef __m512d reals;
typedef __m256i columns;
typedef __mmask8 some;

GATHERED reals no_reals(void)
{
    return _mm512_setzero_pd();
}

GATHERED reals reals_at(some which, const R *x)
{
    return _mm512_maskz_loadu_pd(which, x);
}

GATHERED columns columns_at(some which, const int32_t *c)
{
    return _mm256_maskz_loadu_epi32(which, c);
}

GATHERED reals gathered(some which, columns at, const R *x)
{
    return _mm512_mask_i32gather_pd(no_reals(), which, at, x, 8);
}

GATHERED reals add_products(reals a, reals b, reals sum)
{
    return _mm512_fmadd_pd(a, b, sum);
}

GATHERED some not_negative(columns c)
{
    return (some)~_mm256_movepi32_mask(c);
}

/* Those of the columns that are first, first + 1 and so on. */
GATHERED some in_a_row(columns c, int32_t first)
{
    const columns counts = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpeq_epi32_mask(c, _mm256_add_epi32(_mm256_set1_epi32(first), counts));
}

GATHERED void put_some(some which, reals a, R *to)
{
    _mm512_mask_storeu_pd(to, which, a);
}

/* The sums of four registers. */
GATHERED void put_sums(const reals *a, R *to)
{
    __m256d half[4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
        half[r] = _mm256_add_pd(_mm512_castpd512_pd256(a[r]), _mm512_extractf64x4_pd(a[r], 1));
    const __m256d low = _mm256_hadd_pd(half[0], half[1]), high = _mm256_hadd_pd(half[2], half[3]);
    _mm256_storeu_pd(to, _mm256_add_pd(_mm256_permute2f128_pd(low, high, 0x20),
                                       _mm256_permute2f128_pd(low, high, 0x31)));
}
#else
#define ROWS_BESIDE 16
#define ALL_BESIDE  0xffff
typedef __m512 reals;
typedef __m512i columns;
typedef __mmask16 some;

GATHERED reals no_reals(void)
{
    return _mm512_setzero_ps();
}

GATHERED reals reals_at(some which, const R *x)
{
    return _mm512_maskz_loadu_ps(which, x);
}

GATHERED columns columns_at(some which, const int32_t *c)
{
    return _mm512_maskz_loadu_epi32(which, c);
}

GATHERED reals gathered(some which, columns at, const R *x)
{
    return _mm512_mask_i32gather_ps(no_reals(), which, at, x, 4);
}

GATHERED reals add_products(reals a, reals b, reals sum)
{
    return _mm512_fmadd_ps(a, b, sum);
}

GATHERED some not_negative(columns c)
{
    return (some)~_mm512_movepi32_mask(c);
}

GATHERED some in_a_row(columns c, int32_t first)
{
    const columns counts = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_cmpeq_epi32_mask(c, _mm512_add_epi32(_mm512_set1_epi32(first), counts));
}

GATHERED void put_some(some which, reals a, R *to)
{
    _mm512_mask_storeu_ps(to, which, a);
}

GATHERED void put_sums(const reals *a, R *to)
{
    __m256 half[4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; r++)
        half[r] = _mm256_add_ps(_mm512_castps512_ps256(a[r]), _mm512_extractf32x8_ps(a[r], 1));
    const __m256 pairs =
        _mm256_hadd_ps(_mm256_hadd_ps(half[0], half[1]), _mm256_hadd_ps(half[2], half[3]));
    _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(pairs), _mm256_extractf128_ps(pairs, 1)));
}
#endif

/* The first `count` of a register's. */
GATHERED some first_ones(int64_t count)
{
    return (some)_bzhi_u32(ALL_BESIDE, (unsigned)count);
}

/* ---- compressed rows ---- */

GATHERED reals sum_entries(const R *value, const int32_t *column, int64_t at, int64_t next,
                           const R *x)
{
    reals sum = no_reals();
    for (; at + ROWS_BESIDE < next; at += ROWS_BESIDE) {
        load_ahead(value, column, at, false);
        sum = add_products(reals_at(ALL_BESIDE, value + at),
                           gathered(ALL_BESIDE, columns_at(ALL_BESIDE, column + at), x), sum);
    }
    load_ahead(value, column, at, false);
    const some rest = first_ones(next - at);
    return add_products(reals_at(rest, value + at),
                        gathered(rest, columns_at(rest, column + at), x), sum);
}

__attribute__((UNIT)) void PRIVATE(gather_csr)(const gbl_sparse_layout *A, int64_t begin,
                                               int64_t end, const T *x, T *sum)
{
    enum { ROWS = 4 };
    const int32_t *start = A->start, *column = A->column;
    const R *value = A->value;
    reals row[ROWS];
    int64_t i = begin;
    for (; i + ROWS <= end; i += ROWS) {
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++)
            row[r] = sum_entries(value, column, start[i + r], start[i + r + 1], x);
        put_sums(row, sum + (i - begin));
    }
    if (i == end)
        return;
    R last[ROWS];
    for (int r = 0; r < ROWS; r++)
        row[r] = i + r < end ? sum_entries(value, column, start[i + r], start[i + r + 1], x)
                             : no_reals();
    put_sums(row, last);
    memcpy(sum + (i - begin), last, (size_t)(end - i) * sizeof(R));
}

/* ---- rows side by side ---- */

/* One register of rows, or the first ones of it. */
GATHERED void sum_rows(some rows, const R *value, const int32_t *column, int64_t at, int64_t end,
                       int64_t step, const R *x, R *sum)
{
    reals total = no_reals();
    for (; at < end; at += step) {
        const columns here = columns_at(rows, column + at);
        const int32_t first = column[at];
        load_ahead(value, column, at, false);
        const reals from = first >= 0 && (in_a_row(here, first) & rows) == rows
                               ? reals_at(rows, x + first)
                               : gathered(rows & not_negative(here), here, x);
        total = add_products(reals_at(rows, value + at), from, total);
    }
    put_some(rows, total, sum);
}

/* `count` rows: entry j of row l is at + j step + l, up to `end`. */
GATHERED void sum_side_by_side(const gbl_sparse_layout *A, int64_t count, int64_t at, int64_t end,
                               int64_t step, const R *x, R *sum)
{
    int64_t l = 0;
    for (; l + ROWS_BESIDE <= count; l += ROWS_BESIDE)
        sum_rows(ALL_BESIDE, A->value, A->column, at + l, end, step, x, sum + l);
    if (l < count)
        sum_rows(first_ones(count - l), A->value, A->column, at + l, end, step, x, sum + l);
}

__attribute__((UNIT)) void PRIVATE(gather_ell)(const gbl_sparse_layout *A, int64_t begin,
                                               int64_t end, const T *x, T *sum)
{
    sum_side_by_side(A, end - begin, begin, A->width * A->stride, A->stride, x, sum);
}

__attribute__((UNIT)) void PRIVATE(gather_sell)(const gbl_sparse_layout *A, int64_t begin,
                                                int64_t end, const T *x, T *sum)
{
    const int32_t *start = A->start;
    int64_t slice = begin / A->chunk, first = slice * A->chunk;
    for (int64_t i = begin; i < end; slice++) {
        const int64_t last = first + A->chunk < end ? first + A->chunk : end;
        sum_side_by_side(A, last - i, start[slice] + (i - first), start[slice + 1], A->chunk, x,
                         sum + (i - begin));
        first = i = last;
    }
}
#endif
