/* cpu_asum.c: the sum of |re| + |im| on the cpu, in C with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A complex vector of n elements is a real one of 2n. Sums as in cpu_dot.c: a block in the working
 * precision in side-by-side sums, blocks and threads in double, in order. All terms are positive,
 * so a block overflows only where the result does. The two halves of a piece are walked side by
 * side for the reason given in cpu_nrm2.c.
 */
#include <math.h>
#include "cpu/cpu_vector.h"

#define HALF (BLOCK / 2) /* elements of a block from each half of the piece */

typedef struct asum_job {
    gbl_vector_args call;
    double parts[GBL_CPU_MAX_PIECES];
} asum_job;

/* The sum of magnitudes of two stretches, na >= nb. */
#if TAILED
static double sum_magnitudes(int64_t na, const R *a, int64_t nb, const R *b)
{
    pack lane[4] = {{0}};
    int64_t i = 0;
    for (; i + 2 * PACK <= nb; i += 2 * PACK) {
        lane[0] += pack_magnitude(pack_at(a + i));
        lane[1] += pack_magnitude(pack_at(b + i));
        lane[2] += pack_magnitude(pack_at(a + i + PACK));
        lane[3] += pack_magnitude(pack_at(b + i + PACK));
    }
    for (int64_t j = i; j < na; j += PACK)
        lane[0] += pack_magnitude(pack_part(tail_of(na - j), a + j));
    for (int64_t j = i; j < nb; j += PACK)
        lane[1] += pack_magnitude(pack_part(tail_of(nb - j), b + j));
    return pack_sum((lane[0] + lane[1]) + (lane[2] + lane[3]));
}
#else
static double sum_magnitudes(int64_t na, const R *restrict a, int64_t nb, const R *restrict b)
{
    enum { SUMS = LANES / 2 };
    R lane_a[SUMS] = {0}, lane_b[SUMS] = {0};
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
        lane_a[(j - i) % SUMS] += (R)fabs(a[j]);
    for (int64_t j = i; j < nb; j++)
        lane_b[j - i] += (R)fabs(b[j]);
    double sum = 0;
    for (int k = 0; k < SUMS; k++)
        sum += (double)lane_a[k] + (double)lane_b[k];
    return sum;
}
#endif

static void asum_piece(void *job, int piece, int64_t begin, int64_t end)
{
    const gbl_vector_args *call = &((asum_job *)job)->call;
    const int64_t incx = call->incx, b_length = (end - begin) / 2;
    const int64_t a_length = end - begin - b_length; /* the same, or one more */
    const T *a = (const T *)call->x + begin * incx, *b = a + a_length * incx;
    T a_buffer[HALF], b_buffer[HALF];
    double sum = 0;
    for (int64_t i = 0; i < a_length; i += HALF) {
        const int64_t na = a_length - i < HALF ? a_length - i : HALF;
        const int64_t nb = b_length - i < HALF ? b_length - i : HALF;
        const T *a_block = packed(na, a + i * incx, incx, a_buffer);
        const T *b_block = packed(nb, b + i * incx, incx, b_buffer);
        sum += sum_magnitudes(na * REALS, (const R *)a_block, nb * REALS, (const R *)b_block);
    }
    ((asum_job *)job)->parts[piece] = sum;
}

#define SMALL 16 /* elements; more of them are worth copies and packs */

static double shared_sum(const gbl_vector_args *given)
{
    asum_job job;
    job.call = *given;
    walk_upward(&job.call);
    const int pieces = gbl_cpu_share(given->n, sizeof(T), sizeof(T), asum_piece, &job);
    double sum = 0;
    for (int p = 0; p < pieces; p++)
        sum += job.parts[p];
    return sum;
}

/* gbl_cpu_sasum_omp gbl_cpu_dasum_omp gbl_cpu_casum_omp gbl_cpu_zasum_omp */
WIDE_TASK(PRIVATE(asum_omp))
{
    (void)queue, (void)stream, (void)message;
    const gbl_vector_args *call = args;
    double sum = 0;
    for (int64_t i = 0; call->n <= SMALL && i < call->n; i++) {
        const R *x = (const R *)((const T *)call->x + i * call->incx);
        sum += fabs((double)x[0]);
        if (COMPLEX)
            sum += fabs((double)x[REALS - 1]);
    }
    if (call->n > SMALL)
        sum = shared_sum(call);
    const R value = (R)sum;
    memcpy(call->result, &value, sizeof value);
    return GABLE_OK;
}

#if !defined(GABLE_WIDE)
/* gbl_cpu_sasum_blas gbl_cpu_dasum_blas gbl_cpu_casum_blas gbl_cpu_zasum_blas. Libraries return 0
 * for negative strides, so the vector is given from its low end. */
GBL_CPU_TASK(PRIVATE(asum_blas))
{
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(asum_omp)(queue, stream, args, message);
    gbl_vector_args call = *(const gbl_vector_args *)args;
    walk_upward(&call);
    const R value = blas->BLAS(asum)((int)call.n, call.x, (int)call.incx);
    memcpy(call.result, &value, sizeof value);
    return GABLE_OK;
}
#endif
