/* cpu_mdot.c: one vector with many on the cpu: mdot, inner products, and maxpy, many axpys into
 * one.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows go by in blocks. While a block of y is in the first-level cache, the same rows of all
 * columns pass by, a few columns at a time: their streams are read side by side, and y is loaded
 * once for all of them. Sums are as in cpu_dot.c; the inner loops are in cpu_columns.h.
 */

/* Rows per block: 2 KiB. Longer blocks are slower, because the hardware's prefetch of a column does
 * not find again where it was (mdot of 8 columns, d, n = 10^7, two cores of Neoverse V1, 2026-11:
 * 65 GB/s with 2 KiB, 45 with 8 KiB). 1 KiB of complex ones (z, n = 10^6: 48 GB/s, 37 with 2
 * KiB). */
#define ROWS ((int64_t)((COMPLEX ? 1024 : 2048) / sizeof(T)))

#include "cpu/cpu_columns.h"

/* Columns a pass of mdot: a bound for the sums on the stack. */
#define MOST 16

typedef struct mdot_job {
    gbl_vector_args call;
    int columns; /* of this pass */
    const T *X;
    partial parts[GBL_CPU_MAX_PIECES][MOST];
} mdot_job;

/* ---- mdot ---- */

static void mdot_piece(void *given, int piece, int64_t begin, int64_t end)
{
    mdot_job *job = given;
    const gbl_vector_args *call = &job->call;
    const int64_t incy = call->incy, ldx = call->ldx;
    block b;
    partial sum[MOST] = {{0, 0}};
    for (int64_t i = begin; i < end; i += ROWS) {
        const int64_t n = end - i < ROWS ? end - i : ROWS;
        const T *X = job->X + i;
        take_block(n, (const T *)call->y + i * incy, incy, call->conj, &b);
        add_products(job->columns, n, X, ldx, &b, sum);
    }
    memcpy(job->parts[piece], sum, sizeof sum);
}

/* gbl_cpu_smdot_omp gbl_cpu_dmdot_omp gbl_cpu_cmdot_omp gbl_cpu_zmdot_omp */
WIDE_TASK(PRIVATE(mdot_omp))
{
    (void)queue, (void)stream, (void)message;
    mdot_job job;
    job.call = *(const gbl_vector_args *)args;
    const gbl_vector_args *call = &job.call;
    for (int64_t first = 0; first < call->count; first += MOST) {
        job.columns = call->count - first < MOST ? (int)(call->count - first) : MOST;
        job.X = (const T *)call->x + first * call->ldx;
        const int64_t traffic = (job.columns + 1) * (int64_t)sizeof(T);
        const int pieces = gbl_cpu_share(call->n, sizeof(T), traffic, mdot_piece, &job);
        for (int c = 0; c < job.columns; c++) {
            partial sum = job.parts[0][c];
            for (int p = 1; p < pieces; p++) {
                sum.re += job.parts[p][c].re;
                sum.im += job.parts[p][c].im;
            }
#if COMPLEX
            const T value = {(R)sum.re, (R)sum.im};
#else
            const T value = (T)sum.re;
#endif
            memcpy((T *)call->result + first + c, &value, sizeof value);
        }
    }
    return GABLE_OK;
}

/* ---- maxpy ---- */

typedef struct maxpy_job {
    gbl_vector_args call;
    const gbl_scalar *values;
    T alpha;
} maxpy_job;

/* alpha a_j */
static T coefficient(const maxpy_job *job, int64_t j)
{
    const gbl_vector_args *call = &job->call;
    T value;
    if (call->values_at != NULL)
        memcpy(&value, (const T *)call->values_at + j, sizeof value);
    else
        value = read_scalar(&job->values[j]);
    put_multiple(job->alpha, &value, &value);
    return value;
}

/* All columns into a block of n rows. */
static void add_all(const maxpy_job *job, int64_t n, const T *X, const target *into)
{
    const int64_t ldx = job->call.ldx, count = job->call.count;
    for (int64_t j = 0; j < count; j += TOGETHER) {
        const int columns = count - j < TOGETHER ? (int)(count - j) : TOGETHER;
        const T *x = X + j * ldx;
        T a[TOGETHER];
        for (int c = 0; c < columns; c++)
            a[c] = coefficient(job, j + c);
        add_columns(columns, n, a, x, ldx, into);
    }
}

#if COMPLEX
static void add_block(const maxpy_job *job, int64_t n, const T *X, T *y, int64_t incy)
{
    R u[2 * ROWS], v[2 * ROWS];
    const target into = {u, v};
    memset(u, 0, (size_t)n * sizeof(T));
    memset(v, 0, (size_t)n * sizeof(T));
    add_all(job, n, X, &into);
    for (int64_t i = 0; i < n; i++) {
        y[i * incy].re += u[2 * i] - v[2 * i + 1];
        y[i * incy].im += u[2 * i + 1] + v[2 * i];
    }
}
#else
static void add_block(const maxpy_job *job, int64_t n, const T *X, T *y, int64_t incy)
{
    T buffer[ROWS];
    const target into = {incy == 1 ? y : buffer, NULL};
    packed(n, y, incy, buffer);
    add_all(job, n, X, &into);
    for (int64_t i = 0; incy != 1 && i < n; i++)
        y[i * incy] = buffer[i];
}
#endif

static void maxpy_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const maxpy_job *job = given;
    const int64_t incy = job->call.incy;
    for (int64_t i = begin; i < end; i += ROWS) {
        const int64_t n = end - i < ROWS ? end - i : ROWS;
        add_block(job, n, (const T *)job->call.x + i, (T *)job->call.y + i * incy, incy);
    }
}

/* gbl_cpu_smaxpy_omp gbl_cpu_dmaxpy_omp gbl_cpu_cmaxpy_omp gbl_cpu_zmaxpy_omp */
WIDE_TASK(PRIVATE(maxpy_omp))
{
    (void)queue, (void)stream, (void)message;
    maxpy_job job;
    job.call = *(const gbl_vector_args *)args;
    job.values = job.call.values_at == NULL ? ((const gbl_maxpy_args *)args)->values : NULL;
    const gbl_vector_args *call = &job.call;
    job.alpha = read_scalar(&call->alpha);
    if (call->n <= 0 || call->count <= 0 || is_zero(job.alpha))
        return GABLE_OK;
    const int64_t traffic = (call->count + 2) * (int64_t)sizeof(T);
    gbl_cpu_share(call->n, sizeof(T), traffic, maxpy_piece, &job);
    return GABLE_OK;
}
