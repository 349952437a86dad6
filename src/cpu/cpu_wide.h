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
/* y := y + a x; y may be x. */
static inline void add_complex(int64_t n, T a, const T *x, T *y)
{
    const R *from = (const R *)x;
    R *to = (R *)y;
    const pack re = pack_of(a.re);
    pack cross = pack_of(a.im);
    int64_t i = 0;
    for (int k = 0; k < PACK; k += 2)
        cross[k] = -a.im;
    for (; i + PACK <= 2 * n; i += PACK) {
        const pack xs = pack_at(from + i);
        *(pack *)(to + i) = pack_at(to + i) + (re * xs + cross * pack_swapped(xs));
    }
    if (i < 2 * n) {
        const pack_tail tail = tail_of(2 * n - i);
        const pack xs = pack_part(tail, from + i);
        pack_put_part(tail, to + i, pack_part(tail, to + i) + (re * xs + cross * pack_swapped(xs)));
    }
}
#endif

#endif
