/* cpu_wide.h: packs of 32 and of 64 bytes, for the wider builds of the cpu's loops: AVX2, AVX-512.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included by cpu_vector.h only, which has the packs of 16 bytes and what all widths share. The
 * last numbers of a range, fewer than a pack has, are loaded and stored as a part of a pack: single
 * steps would take longer than all of a short range.
 */
#ifndef GBL_CPU_WIDE_H
#define GBL_CPU_WIDE_H

#include <immintrin.h>

#if GABLE_WIDE == 64 && (defined(PREC_S) || defined(PREC_C))
#define WORD(f)   _mm512_##f##_ps
#define SWAPPED   0xb1
#define pack_word __m512
#define tail_word __mmask16
#elif GABLE_WIDE == 64
#define WORD(f)   _mm512_##f##_pd
#define SWAPPED   0x55
#define pack_word __m512d
#define tail_word __mmask8
#elif defined(PREC_S) || defined(PREC_C)
#define WORD(f)   _mm256_##f##_ps
#define SWAPPED   0xb1
#define pack_word __m256
#define tail_word __m256i
#else
#define WORD(f)   _mm256_##f##_pd
#define SWAPPED   0x5
#define pack_word __m256d
#define tail_word __m256i
#endif

static inline pack pack_multiply_add(pack a, pack b, pack c)
{
    return (pack)WORD(fmadd)((pack_word)a, (pack_word)b, (pack_word)c);
}

/* Neighbours change places: re and im of complex numbers. */
static inline pack pack_swapped(pack a)
{
    return (pack)WORD(permute)((pack_word)a, SWAPPED);
}

/* The sums of its quarters, or halves, number by number. */
static inline pack_rest pack_folded(pack a)
{
#if GABLE_WIDE == 64
    typedef R half __attribute__((vector_size(32)));
    const half h =
        (half)_mm512_castpd512_pd256((__m512d)a) + (half)_mm512_extractf64x4_pd((__m512d)a, 1);
#else
    const pack h = a;
#endif
    return (pack_rest)_mm256_castpd256_pd128((__m256d)h) +
           (pack_rest)_mm256_extractf128_pd((__m256d)h, 1);
}

/* The larger of two numbers in each place; of b where that of a is NaN. */
static inline pack pack_larger(pack a, pack b)
{
    return (pack)WORD(max)((pack_word)a, (pack_word)b);
}

/* The larger numbers of its quarters, or halves, place by place. */
static inline pack_rest pack_largest(pack a)
{
#if GABLE_WIDE == 64
    const __m256d one = _mm512_castpd512_pd256((__m512d)a),
                  two = _mm512_extractf64x4_pd((__m512d)a, 1);
#else
    const __m256d one = (__m256d)a, two = one;
#endif
#if defined(PREC_S) || defined(PREC_C)
    const __m256 h = _mm256_max_ps((__m256)one, (__m256)two);
    return (pack_rest)_mm_max_ps(_mm256_castps256_ps128(h), _mm256_extractf128_ps(h, 1));
#else
    const __m256d h = _mm256_max_pd(one, two);
    return (pack_rest)_mm_max_pd(_mm256_castpd256_pd128(h), _mm256_extractf128_pd(h, 1));
#endif
}

/* A bit for each place where two packs have the same number. */
static inline unsigned pack_equal(pack a, pack b)
{
#if GABLE_WIDE == 64 && (defined(PREC_S) || defined(PREC_C))
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ);
#elif GABLE_WIDE == 64
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_EQ_OQ);
#elif defined(PREC_S) || defined(PREC_C)
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_EQ_OQ));
#else
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_EQ_OQ));
#endif
}

/* The first numbers of a pack: at least one, at most all. */
typedef struct pack_tail {
    tail_word mask;
} pack_tail;

#if GABLE_WIDE == 64
static inline pack_tail tail_of(int64_t count)
{
    return (pack_tail){(tail_word)(count < PACK ? (1u << count) - 1 : (1u << PACK) - 1)};
}

static inline pack pack_part(pack_tail tail, const R *x)
{
    return (pack)WORD(maskz_loadu)(tail.mask, x);
}

static inline void pack_put_part(pack_tail tail, R *to, pack a)
{
    WORD(mask_storeu)(to, tail.mask, (pack_word)a);
}
#else
static inline pack_tail tail_of(int64_t count)
{
#if defined(PREC_S) || defined(PREC_C)
    const __m256i places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return (pack_tail){
        _mm256_cmpgt_epi32(_mm256_set1_epi32(count < PACK ? (int)count : PACK), places)};
#else
    const __m256i places = _mm256_setr_epi64x(0, 1, 2, 3);
    return (pack_tail){_mm256_cmpgt_epi64(_mm256_set1_epi64x(count), places)};
#endif
}

static inline pack pack_part(pack_tail tail, const R *x)
{
    return (pack)WORD(maskload)(x, tail.mask);
}

static inline void pack_put_part(pack_tail tail, R *to, pack a)
{
    WORD(maskstore)(to, tail.mask, (pack_word)a);
}
#endif

/* Numbers [begin, end) of a pack; there may be none. */
static inline pack_tail tail_between(int64_t begin, int64_t end)
{
    const int64_t from = begin < 0 ? 0 : begin < PACK ? begin : PACK;
    const int64_t to = end < 0 ? 0 : end < PACK ? end : PACK;
#if GABLE_WIDE == 64
    return (pack_tail){(tail_word)(((1u << to) - 1) & ~((1u << from) - 1))};
#else
    return (pack_tail){_mm256_andnot_si256(tail_of(from).mask, tail_of(to).mask)};
#endif
}

/* a where the tail has a place, else b. */
static inline pack pack_chosen(pack_tail tail, pack a, pack b)
{
#if GABLE_WIDE == 64
    return (pack)WORD(mask_mov)((pack_word)b, tail.mask, (pack_word)a);
#else
    return (pack)WORD(blendv)((pack_word)b, (pack_word)a, (pack_word)tail.mask);
#endif
}

/* A whole pack where tail is NULL. */
static inline pack pack_some(const pack_tail *tail, const R *x)
{
    return tail == NULL ? pack_at(x) : pack_part(*tail, x);
}

static inline void pack_put_some(const pack_tail *tail, R *to, pack a)
{
    if (tail == NULL)
        *(pack *)to = a;
    else
        pack_put_part(*tail, to, a);
}

#if COMPLEX
/* A complex factor: what numbers are multiplied with, and what their neighbours are. */
typedef struct pack_factor {
    pack re, cross;
} pack_factor;

static inline pack_factor pack_factor_of(T a)
{
    const pack_word zero = (pack_word)(pack){0};
    return (pack_factor){pack_of(a.re), (pack)WORD(fmaddsub)(zero, zero, (pack_word)pack_of(a.im))};
}

/* f x + y */
static inline pack pack_complex_add(const pack_factor *f, pack x, pack y)
{
    return pack_multiply_add(f->cross, pack_swapped(x), pack_multiply_add(f->re, x, y));
}

/* f x */
static inline pack pack_complex(const pack_factor *f, pack x)
{
    return pack_multiply_add(f->re, x, f->cross * pack_swapped(x));
}

/* u + i v, of u and v that are sums of real numbers times complex ones. */
static inline pack pack_joined(pack u, pack v)
{
    const pack one = pack_of(1);
    return (pack)WORD(fmaddsub)((pack_word)one, (pack_word)u, (pack_word)pack_swapped(v));
}

/* y := y + a x; y may be x. */
static inline void add_complex(int64_t n, T a, const T *x, T *y)
{
    const R *from = (const R *)x;
    R *to = (R *)y;
    const pack_factor f = pack_factor_of(a);
    int64_t i = 0;
    for (; i + 2 * PACK <= 2 * n; i += 2 * PACK) {
        const pack one = pack_complex_add(&f, pack_at(from + i), pack_at(to + i));
        const pack two = pack_complex_add(&f, pack_at(from + i + PACK), pack_at(to + i + PACK));
        *(pack *)(to + i) = one;
        *(pack *)(to + i + PACK) = two;
    }
    for (; i < 2 * n; i += PACK) {
        const pack_tail tail = tail_of(2 * n - i);
        pack_put_part(tail, to + i,
                      pack_complex_add(&f, pack_part(tail, from + i), pack_part(tail, to + i)));
    }
}

/* y := alpha x + beta y, without reading y where beta is 0; x and y are apart. */
static inline void put_combinations(int64_t n, T alpha, const T *x, T beta, T *y)
{
    const R *from = (const R *)x;
    R *to = (R *)y;
    const pack_factor a = pack_factor_of(alpha), b = pack_factor_of(beta);
    const bool reads = !(beta.re == 0 && beta.im == 0);
    for (int64_t i = 0; i < 2 * n; i += PACK) {
        const pack_tail tail = tail_of(2 * n - i);
        pack sum = pack_complex(&a, pack_part(tail, from + i));
        if (reads)
            sum = pack_complex_add(&b, pack_part(tail, to + i), sum);
        pack_put_part(tail, to + i, sum);
    }
}

/* Elements that are lda apart. */
static inline pack pack_apart(const T *A, int64_t lda)
{
    enum { COUNT = PACK / 2 };
#if defined(PREC_C)
    double a[8] = {0}; /* pairs of floats */
#pragma GCC unroll 8
    for (int k = 0; k < COUNT; k++)
        memcpy(&a[k], A + k * lda, sizeof a[k]);
#if GABLE_WIDE == 64
    return (pack)_mm512_setr_pd(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
#else
    return (pack)_mm256_setr_pd(a[0], a[1], a[2], a[3]);
#endif
#else
    __m128d a[4];
#pragma GCC unroll 4
    for (int k = 0; k < COUNT; k++)
        a[k] = _mm_loadu_pd((const R *)(A + k * lda));
    const __m256d low = _mm256_insertf128_pd(_mm256_castpd128_pd256(a[0]), a[1], 1);
#if GABLE_WIDE == 64
    const __m256d high = _mm256_insertf128_pd(_mm256_castpd128_pd256(a[2]), a[3], 1);
    return (pack)_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
#else
    return (pack)low;
#endif
#endif
}

/* The sums of all numbers of a, and of all of b. */
static inline pack_rest pack_sums(pack a, pack b)
{
#if defined(PREC_C)
    const pack halves = (pack)WORD(shuffle)((pack_word)a, (pack_word)b, 0x88) +
                        (pack)WORD(shuffle)((pack_word)a, (pack_word)b, 0xdd);
    const pack_rest rest = pack_folded(halves);
    return (pack_rest)_mm_shuffle_ps((__m128)rest, (__m128)rest, 0x88) +
           (pack_rest)_mm_shuffle_ps((__m128)rest, (__m128)rest, 0xdd);
#else
    return pack_folded((pack)WORD(unpacklo)((pack_word)a, (pack_word)b) +
                       (pack)WORD(unpackhi)((pack_word)a, (pack_word)b));
#endif
}

#if GABLE_WIDE == 64
/* The sums of all numbers of a[0], of b[0], of a[1] ... b[3], in this order. */
static inline __m512d sums_of_four(const pack *a, const pack *b)
{
#if defined(PREC_C)
    __m512 v[4];
#pragma GCC unroll 4
    for (int c = 0; c < 4; c++)
        v[c] = _mm512_add_ps(_mm512_shuffle_ps((__m512)a[c], (__m512)b[c], 0x88),
                             _mm512_shuffle_ps((__m512)a[c], (__m512)b[c], 0xdd));
    const __m512 first =
        _mm512_add_ps(_mm512_shuffle_ps(v[0], v[1], 0x88), _mm512_shuffle_ps(v[0], v[1], 0xdd));
    const __m512 last =
        _mm512_add_ps(_mm512_shuffle_ps(v[2], v[3], 0x88), _mm512_shuffle_ps(v[2], v[3], 0xdd));
    const __m512 halves = _mm512_add_ps(_mm512_shuffle_f32x4(first, last, 0x44),
                                        _mm512_shuffle_f32x4(first, last, 0xee));
    const __m512 sums = _mm512_add_ps(_mm512_shuffle_f32x4(halves, halves, 0x08),
                                      _mm512_shuffle_f32x4(halves, halves, 0x0d));
    return _mm512_cvtps_pd(_mm512_castps512_ps256(sums));
#else
    __m512d v[4];
#pragma GCC unroll 4
    for (int c = 0; c < 4; c++)
        v[c] = _mm512_add_pd(_mm512_unpacklo_pd((__m512d)a[c], (__m512d)b[c]),
                             _mm512_unpackhi_pd((__m512d)a[c], (__m512d)b[c]));
    const __m512d first = _mm512_add_pd(_mm512_shuffle_f64x2(v[0], v[1], 0x44),
                                        _mm512_shuffle_f64x2(v[0], v[1], 0xee));
    const __m512d last = _mm512_add_pd(_mm512_shuffle_f64x2(v[2], v[3], 0x44),
                                       _mm512_shuffle_f64x2(v[2], v[3], 0xee));
    return _mm512_add_pd(_mm512_shuffle_f64x2(first, last, 0x88),
                         _mm512_shuffle_f64x2(first, last, 0xdd));
#endif
}
#endif
#endif

#endif
