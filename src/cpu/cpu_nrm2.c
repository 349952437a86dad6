/* cpu_nrm2.c: the Euclidean norm on the cpu, in C with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One pass over memory, no overflow or underflow unless the norm itself does. A complex vector of n
 * elements is a real one of 2n.
 *
 * s and c: squares are added in double, whose range holds them all (2^-298 to 2^256).
 *
 * d and z: the idea of Blue (A portable Fortran program to find the Euclidean norm of a vector, ACM
 * TOMS 4, 1978) and Anderson (Algorithm 978: safe scaling in the level 1 BLAS, ACM TOMS 44, 2017):
 * three sums, of big, medium and small numbers, each with a scale fixed in advance, so that nothing
 * is divided. They sort number by number, which costs branches; here a whole block is sorted by its
 * plain sum of squares S, and only a block outside [LOW, HIGH] is summed again, scaled, while it is
 * in the first-level cache. With B <= 1024 numbers a block and u = 2^-53:
 *
 *   medium  2^-950 <= S <= 2^960. A square below the normal range loses at most 2^-1022 (flushed to
 *           zero; less with gradual underflow), a block at most 2^-1012 <= 2^-62 S < u S. Fewer than
 *           2^63 such blocks cannot overflow.
 *   small   S < 2^-950: every |x_i| < 2^-474. Times 2^600 the numbers lie in [2^-474, 2^126], their
 *           squares in [2^-948, 2^252]: exact range. All zeros come here too.
 *   big     S > 2^960, infinite or NaN. Times 2^-600 a number is below 2^424, so nothing overflows;
 *           what underflows is below 2^-1012 a block, against a sum above 2^-241.
 *
 * NaN fails every comparison, lands in big and stays there; an infinity does the same.
 */
#include <math.h>
#include "cpu/cpu_vector.h"

/* Real numbers an element has. */
#define REALS (COMPLEX ? 2 : 1)

#if defined(PREC_S) || defined(PREC_C)
typedef struct partial {
    double medium;
} partial;
#else
typedef struct partial {
    double big, medium, small;
} partial;
#endif

/* scale is a constant in each call; 1 costs nothing. */
static inline double sum_squares(int64_t n, const R *restrict x, double scale)
{
    enum { SUMS = 16 }; /* double, so as many as LANES is in d */
    double lane[SUMS] = {0};
    int64_t i = 0;
    for (; i + SUMS <= n; i += SUMS) {
        for (int k = 0; k < SUMS; k++) {
            const double value = x[i + k] * scale;
            lane[k] += value * value;
        }
    }
    for (int k = 0; i < n; i++, k++) {
        const double value = x[i] * scale;
        lane[k] += value * value;
    }
    double sum = 0;
    for (int k = 0; k < SUMS; k++)
        sum += lane[k];
    return sum;
}

#if defined(PREC_S) || defined(PREC_C)
static void add_block(int64_t n, const R *x, partial *sum)
{
    sum->medium += sum_squares(n, x, 1);
}

static void add_partial(partial *sum, partial other)
{
    sum->medium += other.medium;
}

static R norm(partial sum)
{
    return (R)sqrt(sum.medium);
}
#else
#define LOW  0x1p-950
#define HIGH 0x1p960
#define UP   0x1p600
#define DOWN 0x1p-600

static void add_block(int64_t n, const R *x, partial *sum)
{
    const double squares = sum_squares(n, x, 1);
    if (!(squares <= HIGH))
        sum->big += sum_squares(n, x, DOWN);
    else if (squares < LOW)
        sum->small += sum_squares(n, x, UP);
    else
        sum->medium += squares;
}

static void add_partial(partial *sum, partial other)
{
    sum->big += other.big;
    sum->medium += other.medium;
    sum->small += other.small;
}

/* Beside a big block (above 2^960) all small ones (2^63 blocks below 2^-950) are beneath rounding;
 * beside a medium one what small loses to underflow (2^-1074) is. */
static R norm(partial sum)
{
    if (sum.big != 0)
        return sqrt(sum.big + sum.medium * DOWN * DOWN) * UP;
    if (sum.medium != 0)
        return sqrt(sum.medium + sum.small * DOWN * DOWN);
    return sqrt(sum.small) * DOWN;
}
#endif

typedef struct nrm2_job {
    gbl_cpu_nrm2_args call;
    partial parts[GBL_CPU_MAX_PIECES];
} nrm2_job;

static void nrm2_piece(void *job, int piece, int64_t begin, int64_t end)
{
    const gbl_cpu_nrm2_args *call = &((nrm2_job *)job)->call;
    const T *x = call->x;
    T buffer[BLOCK];
    partial sum = {0};
    for (int64_t i = begin; i < end; i += BLOCK) {
        const int64_t n = end - i < BLOCK ? end - i : BLOCK;
        const T *block = packed(n, x + i * call->incx, call->incx, buffer);
        add_block(n * REALS, (const R *)block, &sum);
    }
    ((nrm2_job *)job)->parts[piece] = sum;
}

/* gbl_cpu_snrm2_omp gbl_cpu_dnrm2_omp gbl_cpu_cnrm2_omp gbl_cpu_znrm2_omp */
GBL_CPU_TASK(PRIVATE(nrm2_omp))
{
    (void)queue, (void)stream, (void)message;
    nrm2_job job;
    job.call = *(const gbl_cpu_nrm2_args *)args;
    gbl_cpu_nrm2_args *call = &job.call;
    if (call->n > 0 && call->incx < 0) {
        call->x = (const T *)call->x + low_end(call->n, call->incx);
        call->incx = -call->incx;
    }
    const int pieces = gbl_cpu_share(call->n, sizeof(T), sizeof(T), nrm2_piece, &job);
    partial sum = job.parts[0];
    for (int p = 1; p < pieces; p++)
        add_partial(&sum, job.parts[p]);
    const R value = norm(sum);
    memcpy(call->result, &value, sizeof value);
    return GABLE_OK;
}

/* gbl_cpu_snrm2_blas gbl_cpu_dnrm2_blas gbl_cpu_cnrm2_blas gbl_cpu_znrm2_blas. Libraries differ over
 * negative strides, so the vector is given from its low end. */
GBL_CPU_TASK(PRIVATE(nrm2_blas))
{
    const gbl_cpu_nrm2_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(nrm2_omp)(queue, stream, args, message);
    const int64_t n = call->n, incx = call->incx;
    const T *x = (const T *)call->x + low_end(n, incx);
    const R value = blas->BLAS(nrm2)((int)n, x, (int)(incx < 0 ? -incx : incx));
    memcpy(call->result, &value, sizeof value);
    return GABLE_OK;
}
