/* cpu_dot.c: the dot products on the cpu, in C with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is summed in the working precision in LANES side-by-side sums; the sums of blocks and of
 * threads are added in double, in order. Each product passes through fewer than n additions, so the
 * error stays within (n + 2) u |x||y| (Higham, Accuracy and Stability, 3.1); in s and c it is that
 * of a single block whatever n is.
 */
#include <math.h>
#include "cpu/cpu_vector.h"

/* A sum under way; im stays 0 for real vectors. */
typedef struct partial {
    double re, im;
} partial;

typedef struct dot_job {
    gbl_vector_args call;
    partial parts[GBL_CPU_MAX_PIECES];
} dot_job;

#if COMPLEX
/* Products pair by pair, not as four separate sums: x_i y_i may be finite where the sums of its
 * terms are not. conj is a constant in each call, so the loop has no branch. */
static inline void add_pairs(int64_t n, const T *restrict x, const T *restrict y, bool conj,
                             partial *sum)
{
    enum { PAIRS = LANES / 2 };
    R re[PAIRS] = {0}, im[PAIRS] = {0};
    const R sign = conj ? -1 : 1;
    int64_t i = 0;
    for (; i + PAIRS <= n; i += PAIRS) {
        for (int k = 0; k < PAIRS; k++) {
            const T a = x[i + k], b = y[i + k];
            re[k] += a.re * b.re - sign * a.im * b.im;
            im[k] += a.re * b.im + sign * a.im * b.re;
        }
    }
    for (int k = 0; i < n; i++, k++) {
        const T a = x[i], b = y[i];
        re[k] += a.re * b.re - sign * a.im * b.im;
        im[k] += a.re * b.im + sign * a.im * b.re;
    }
    for (int k = 0; k < PAIRS; k++) {
        sum->re += re[k];
        sum->im += im[k];
    }
}
#if TAILED
/* The four sums after all, in packs: x_i times y_i and times y_i swapped give the terms of the real
 * and of the imaginary part, in turn. Where a sum is not finite the pairs decide. */
static inline void add_block(int64_t n, const T *x, const T *y, bool conj, partial *sum)
{
    enum { DEEP = 4 };
    const R *a = (const R *)x, *b = (const R *)y;
    pack same[DEEP] = {{0}}, cross[DEEP] = {{0}};
    int64_t i = 0;
    for (; i + DEEP * PACK <= 2 * n; i += DEEP * PACK) {
#pragma GCC unroll 4
        for (int d = 0; d < DEEP; d++) {
            const pack xs = pack_at(a + i + d * PACK), ys = pack_at(b + i + d * PACK);
            same[d] = pack_multiply_add(xs, ys, same[d]);
            cross[d] = pack_multiply_add(xs, pack_swapped(ys), cross[d]);
        }
    }
    for (; i < 2 * n; i += PACK) {
        const pack_tail tail = tail_of(2 * n - i);
        const pack xs = pack_part(tail, a + i), ys = pack_part(tail, b + i);
        same[0] = pack_multiply_add(xs, ys, same[0]);
        cross[0] = pack_multiply_add(xs, pack_swapped(ys), cross[0]);
    }
    const pack_rest s = pack_folded((same[0] + same[1]) + (same[2] + same[3]));
    const pack_rest c = pack_folded((cross[0] + cross[1]) + (cross[2] + cross[3]));
    double even = 0, odd = 0, left = 0, right = 0;
    for (int k = 0; k < (int)(16 / sizeof(R)); k += 2) {
        even += s[k];
        odd += s[k + 1];
        left += c[k];
        right += c[k + 1];
    }
    const partial all = {conj ? even + odd : even - odd, conj ? left - right : left + right};
    if (!isfinite(all.re) || !isfinite(all.im)) {
        add_pairs(n, x, y, conj, sum);
    } else {
        sum->re += all.re;
        sum->im += all.im;
    }
}
#else
#define add_block add_pairs
#endif
#elif TAILED
static inline void add_block(int64_t n, const T *x, const T *y, bool conj, partial *sum)
{
    enum { DEEP = 4 };
    pack lane[DEEP] = {{0}};
    int64_t i = 0;
    (void)conj;
    for (; i + DEEP * PACK <= n; i += DEEP * PACK)
#pragma GCC unroll 4
        for (int d = 0; d < DEEP; d++)
            lane[d] =
                pack_multiply_add(pack_at(x + i + d * PACK), pack_at(y + i + d * PACK), lane[d]);
    for (; i < n; i += PACK) {
        const pack_tail tail = tail_of(n - i);
        lane[0] = pack_multiply_add(pack_part(tail, x + i), pack_part(tail, y + i), lane[0]);
    }
    sum->re += pack_sum((lane[0] + lane[1]) + (lane[2] + lane[3]));
}
#else
static inline void add_block(int64_t n, const T *restrict x, const T *restrict y, bool conj,
                             partial *sum)
{
    (void)conj;
    R lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
#pragma omp simd
        for (int k = 0; k < LANES; k++)
            lane[k] += x[i + k] * y[i + k];
    }
    for (int k = 0; i < n; i++, k++)
        lane[k] += x[i] * y[i];
    for (int k = 0; k < LANES; k++)
        sum->re += lane[k];
}
#endif

#if TAILED && defined(PREC_Z)
/* A block of elements with gaps: each is a pair of numbers that is loaded at once, so a copy would
 * gain nothing. */
static inline void add_apart(int64_t n, const T *x, int64_t incx, const T *y, int64_t incy,
                             bool conj, partial *sum)
{
    enum { DEEP = 4 };
    __m128d same[DEEP], cross[DEEP];
    for (int d = 0; d < DEEP; d++)
        same[d] = cross[d] = _mm_setzero_pd();
    const T *a = x, *b = y;
    for (int64_t i = 0; i < n; i += DEEP) {
#pragma GCC unroll 4
        for (int d = 0; d < DEEP; d++, a += incx, b += incy) {
            if (i + d >= n)
                break;
            const __m128d xs = _mm_loadu_pd(&a->re), ys = _mm_loadu_pd(&b->re);
            same[d] = _mm_fmadd_pd(xs, ys, same[d]);
            cross[d] = _mm_fmadd_pd(xs, _mm_permute_pd(ys, 1), cross[d]);
        }
    }
    const __m128d s = (same[0] + same[1]) + (same[2] + same[3]);
    const __m128d c = (cross[0] + cross[1]) + (cross[2] + cross[3]);
    const partial all = {conj ? s[0] + s[1] : s[0] - s[1], conj ? c[0] - c[1] : c[0] + c[1]};
    if (isfinite(all.re) && isfinite(all.im)) {
        sum->re += all.re;
        sum->im += all.im;
        return;
    }
    for (int64_t i = 0; i < n; i++) /* pairs decide */
        add_pairs(1, x + i * incx, y + i * incy, conj, sum);
}
#define GAPS 1
#else
#define GAPS                                    0
#define add_apart(n, x, incx, y, incy, conj, s) ((void)0)
#endif

static void dot_piece(void *job, int piece, int64_t begin, int64_t end)
{
    const gbl_vector_args *call = &((dot_job *)job)->call;
    const int64_t incx = call->incx, incy = call->incy;
    const T *x = call->x, *y = call->y;
    T x_buffer[BLOCK], y_buffer[BLOCK];
    partial sum = {0, 0};
    for (int64_t i = begin; i < end; i += BLOCK) {
        const int64_t n = end - i < BLOCK ? end - i : BLOCK;
        if (GAPS && (incx != 1 || incy != 1)) {
            add_apart(n, x + i * incx, incx, y + i * incy, incy, call->conj, &sum);
            continue;
        }
        const T *x_block = packed(n, x + i * incx, incx, x_buffer);
        const T *y_block = packed(n, y + i * incy, incy, y_buffer);
        if (call->conj)
            add_block(n, x_block, y_block, true, &sum);
        else
            add_block(n, x_block, y_block, false, &sum);
    }
    ((dot_job *)job)->parts[piece] = sum;
}

static void store(void *result, partial sum)
{
#if COMPLEX
    const T value = {(R)sum.re, (R)sum.im};
#else
    const T value = (T)sum.re;
#endif
    memcpy(result, &value, sizeof value);
}

/* Elements for one thread, at most: next to each other, and with gaps, where copies and packs take
 * longer than sums one by one. */
#define FEW       ((int64_t)(1024 / sizeof(T)))
#define FEW_APART 40

/* Of few elements, wherever they lie. */
static partial small_sum(const gbl_vector_args *call)
{
    enum { SUMS = 4 };
    const int64_t incx = call->incx, incy = call->incy;
    const T *x = call->x, *y = call->y;
    partial sums[SUMS] = {{0, 0}};
    for (int64_t i = 0; i < call->n; i += SUMS) {
#pragma GCC unroll 4
        for (int k = 0; k < SUMS; k++) {
            if (i + k >= call->n)
                break;
            const T *a = x + (i + k) * incx, *b = y + (i + k) * incy;
#if COMPLEX
            const double re = a->re, im = call->conj ? -a->im : a->im;
            sums[k].re += re * b->re - im * b->im;
            sums[k].im += re * b->im + im * b->re;
#else
            sums[k].re += (double)*a * (double)*b;
#endif
        }
    }
    return (partial){(sums[0].re + sums[1].re) + (sums[2].re + sums[3].re),
                     (sums[0].im + sums[1].im) + (sums[2].im + sums[3].im)};
}

/* gbl_cpu_sdot_omp gbl_cpu_ddot_omp gbl_cpu_cdot_omp gbl_cpu_zdot_omp */
WIDE_TASK(PRIVATE(dot_omp))
{
    (void)queue, (void)stream, (void)message;
    const gbl_vector_args *given = args;
    if (TAILED && given->incx == 1 && given->incy == 1 && given->n > 0 && given->n <= FEW) {
        partial sum = {0, 0};
        if (given->conj)
            add_block(given->n, given->x, given->y, true, &sum);
        else
            add_block(given->n, given->x, given->y, false, &sum);
        store(given->result, sum);
        return GABLE_OK;
    }
    if (given->n <= FEW_APART) {
        store(given->result, small_sum(given));
        return GABLE_OK;
    }
    dot_job job;
    job.call = *(const gbl_vector_args *)args;
    gbl_vector_args *call = &job.call;
    walk_forward(call);
    const int pieces = gbl_cpu_share(call->n, sizeof(T), 2 * sizeof(T), dot_piece, &job);
    partial sum = job.parts[0];
    for (int p = 1; p < pieces; p++) {
        sum.re += job.parts[p].re;
        sum.im += job.parts[p].im;
    }
    store(call->result, sum);
    return GABLE_OK;
}

#if !defined(GABLE_WIDE)
/* gbl_cpu_sdot_blas gbl_cpu_ddot_blas gbl_cpu_cdot_blas gbl_cpu_zdot_blas */
GBL_CPU_TASK(PRIVATE(dot_blas))
{
    const gbl_vector_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(dot_omp)(queue, stream, args, message);
    const int64_t n = call->n, incx = call->incx, incy = call->incy;
    const T *x = (const T *)call->x + low_end(n, incx), *y = (const T *)call->y + low_end(n, incy);
    T value;
#if COMPLEX
    (call->conj ? blas->BLAS(dotc) : blas->BLAS(dotu))((int)n, x, (int)incx, y, (int)incy, &value);
#else
    value = blas->BLAS(dot)((int)n, x, (int)incx, y, (int)incy);
#endif
    memcpy(call->result, &value, sizeof value);
    return GABLE_OK;
}
#endif
