/* cpu_dsdot.c: dot products of single-precision vectors in double on the cpu: dsdot and sdsdot.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of floats are exact in double, and so is nearly every sum: the error is that of n
 * additions in double. sdsdot adds its alpha in double too and rounds once. There is one precision
 * only, so this file is empty in the others.
 */
#include "cpu/cpu_vector.h"

#if defined(PREC_S)

typedef struct dsdot_job {
    gbl_vector_args call;
    double parts[GBL_CPU_MAX_PIECES];
} dsdot_job;

#if PACK_BYTES == 64
#define DOUBLES 8
typedef __m512d doubles;

static inline doubles doubles_at(const float *x, int64_t count)
{
    return _mm512_cvtps_pd(_mm256_maskz_loadu_ps((__mmask8)((1u << count) - 1), x));
}

/* The sum plus x y of as many: products are exact, so in one rounding they are what they were. */
static inline doubles doubles_add(const float *x, const float *y, doubles sum)
{
    return _mm512_fmadd_pd(_mm512_cvtps_pd(_mm256_loadu_ps(x)), _mm512_cvtps_pd(_mm256_loadu_ps(y)),
                           sum);
}
#elif PACK_BYTES == 32
#define DOUBLES 4
typedef __m256d doubles;

static inline doubles doubles_at(const float *x, int64_t count)
{
    const __m128i tail = _mm_cmpgt_epi32(_mm_set1_epi32((int)count), _mm_setr_epi32(0, 1, 2, 3));
    return _mm256_cvtps_pd(_mm_maskload_ps(x, tail));
}

static inline doubles doubles_add(const float *x, const float *y, doubles sum)
{
    return _mm256_fmadd_pd(_mm256_cvtps_pd(_mm_loadu_ps(x)), _mm256_cvtps_pd(_mm_loadu_ps(y)), sum);
}
#endif

#if TAILED
static double sum_block(int64_t n, const float *x, const float *y)
{
    enum { DEEP = 4 };
    doubles lane[DEEP] = {{0}};
    double sum = 0;
    int64_t i = 0;
    for (; i + DEEP * DOUBLES <= n; i += DEEP * DOUBLES)
#pragma GCC unroll 4
        for (int d = 0; d < DEEP; d++)
            lane[d] = doubles_add(x + i + d * DOUBLES, y + i + d * DOUBLES, lane[d]);
    for (; i < n; i += DOUBLES) {
        const int64_t count = n - i < DOUBLES ? n - i : DOUBLES;
        lane[0] += doubles_at(x + i, count) * doubles_at(y + i, count);
    }
    lane[0] += lane[1];
    lane[2] += lane[3];
    lane[0] += lane[2];
    for (int k = 0; k < DOUBLES; k++)
        sum += lane[0][k];
    return sum;
}
#else
static double sum_block(int64_t n, const float *restrict x, const float *restrict y)
{
    enum { SUMS = 16 };
    double lane[SUMS] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + SUMS <= n; i += SUMS) {
#pragma omp simd
        for (int k = 0; k < SUMS; k++)
            lane[k] += (double)x[i + k] * (double)y[i + k];
    }
    for (int k = 0; i < n; i++, k++)
        lane[k] += (double)x[i] * (double)y[i];
    for (int k = 0; k < SUMS; k++)
        sum += lane[k];
    return sum;
}
#endif

static void dsdot_piece(void *job, int piece, int64_t begin, int64_t end)
{
    const gbl_vector_args *call = &((dsdot_job *)job)->call;
    const int64_t incx = call->incx, incy = call->incy;
    const float *x = call->x, *y = call->y;
    float x_buffer[BLOCK], y_buffer[BLOCK];
    double sum = 0;
    for (int64_t i = begin; i < end; i += BLOCK) {
        const int64_t n = end - i < BLOCK ? end - i : BLOCK;
        const float *x_block = packed(n, x + i * incx, incx, x_buffer);
        const float *y_block = packed(n, y + i * incy, incy, y_buffer);
        sum += sum_block(n, x_block, y_block);
    }
    ((dsdot_job *)job)->parts[piece] = sum;
}

#define SMALL 16 /* elements; more of them are worth copies and packs */

static double shared_sum(const gbl_vector_args *given)
{
    dsdot_job job;
    job.call = *given;
    walk_forward(&job.call);
    const int pieces = gbl_cpu_share(given->n, sizeof(T), 2 * sizeof(T), dsdot_piece, &job);
    double sum = 0;
    for (int p = 0; p < pieces; p++)
        sum += job.parts[p];
    return sum;
}

WIDE_TASK(gbl_cpu_dsdot_omp)
{
    (void)queue, (void)stream, (void)message;
    const gbl_vector_args *call = args;
    const float *x = call->x, *y = call->y;
    double sum = 0;
    for (int64_t i = 0; call->n <= SMALL && i < call->n; i++)
        sum += (double)x[i * call->incx] * (double)y[i * call->incy];
    if (call->n > SMALL)
        sum = shared_sum(call);
    if (call->wide_result) {
        memcpy(call->result, &sum, sizeof sum);
    } else {
        const float value = (float)(read_real(&call->alpha) + sum);
        memcpy(call->result, &value, sizeof value);
    }
    return GABLE_OK;
}

#if !defined(GABLE_WIDE)
GBL_CPU_TASK(gbl_cpu_dsdot_blas)
{
    const gbl_vector_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return gbl_cpu_dsdot_omp(queue, stream, args, message);
    const int64_t n = call->n, incx = call->incx, incy = call->incy;
    const float *x = (const float *)call->x + low_end(n, incx);
    const float *y = (const float *)call->y + low_end(n, incy);
    /* sdsdot is made of dsdot, so that alpha is added in double whatever the library does. */
    const double sum = blas->dsdot((int)n, x, (int)incx, y, (int)incy);
    if (call->wide_result) {
        memcpy(call->result, &sum, sizeof sum);
    } else {
        const float value = (float)(read_real(&call->alpha) + sum);
        memcpy(call->result, &value, sizeof value);
    }
    return GABLE_OK;
}

#endif
#endif
