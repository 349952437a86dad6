/* cpu_mdot.c: one vector with many on the cpu: mdot, inner products, and maxpy, many axpys into one.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows go by in blocks. While a block of y is in the first-level cache, the same rows of all columns
 * pass by, a few columns at a time: their streams are read side by side, and y is loaded once for all
 * of them. Sums are as in cpu_dot.c.
 *
 * Complex columns are read as real numbers, re and im in turn, and the pairs are sorted out in y, once
 * a block for all columns: mdot multiplies a column with two arrays made of y; maxpy adds up the real
 * and the imaginary parts of the coefficients times the columns and puts them together at the end.
 */
#include <math.h>
#include "cpu/cpu_vector.h"

/* Rows a block: 2 KiB. Longer blocks are slower, because the hardware's prefetch of a column does not
 * find again where it was (mdot of 8 columns, d, n = 10^7, two cores of Neoverse V1, 2026-11: 65 GB/s
 * with 2 KiB, 45 with 8 KiB). */
#define ROWS ((int64_t)(2048 / sizeof(T)))

/* Columns a pass of mdot: a bound for the sums on the stack. */
#define MOST 16

/* Columns that mdot reads side by side: their sums take 8 vector registers, half of what x86-64 has. */
#define SIDE (COMPLEX ? 2 : 4)

/* A sum under way; im stays 0 for real vectors. */
typedef struct partial {
    double re, im;
} partial;

typedef struct mdot_job {
    gbl_vector_args call;
    int columns; /* of this pass */
    const T *X;
    partial parts[GBL_CPU_MAX_PIECES][MOST];
} mdot_job;

/* ---- mdot ---- */

#if COMPLEX
/* A block of y, ready to be multiplied with columns of real numbers: (re, -im) gives the terms of the
 * real part, (im, re) those of the imaginary one; other signs for conj(x). */
typedef struct block {
    R to_re[2 * ROWS], to_im[2 * ROWS];
} block;

static void take_block(int64_t n, const T *given, int64_t incy, bool conj, block *b)
{
    T buffer[ROWS];
    const T *y = packed(n, given, incy, buffer);
    const R sign = conj ? -1 : 1;
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        b->to_re[2 * i] = y[i].re;
        b->to_re[2 * i + 1] = -sign * y[i].im;
    }
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        b->to_im[2 * i] = y[i].im;
        b->to_im[2 * i + 1] = sign * y[i].re;
    }
}

/* Pair by pair, as cpu_dot.c does: x_i y_i may be finite where the sums of its terms are not. */
static partial careful_sum(int64_t n, const T *x, const block *b)
{
    partial sum = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        sum.re += x[i].re * b->to_re[2 * i] + x[i].im * b->to_re[2 * i + 1];
        sum.im += x[i].re * b->to_im[2 * i] + x[i].im * b->to_im[2 * i + 1];
    }
    return sum;
}

/* Adds the products of `columns` columns, a constant in each call, with a block of n rows. */
INLINED void add_columns(int columns, int64_t n, const T *X, int64_t ldx, const block *b,
                         partial *sum)
{
    enum { DEEP = 2, STEP = DEEP * PACK };
    pack re[SIDE][DEEP] = {{{0}}}, im[SIDE][DEEP] = {{{0}}};
    int64_t i = 0;
    for (; i + STEP <= 2 * n; i += STEP) {
        for (int c = 0; c < columns; c++) {
            for (int d = 0; d < DEEP; d++) {
                const int64_t at = i + d * PACK;
                const pack x = pack_at((const R *)(X + c * ldx) + at);
                re[c][d] += x * pack_at(b->to_re + at);
                im[c][d] += x * pack_at(b->to_im + at);
            }
        }
    }
    for (int c = 0; c < columns; c++) {
        const R *x = (const R *)(X + c * ldx);
        partial total = {0, 0};
        for (int64_t j = i; j < 2 * n; j++) {
            total.re += x[j] * b->to_re[j];
            total.im += x[j] * b->to_im[j];
        }
        for (int d = 0; d < DEEP; d++) {
            for (int k = 0; k < PACK; k++) {
                total.re += re[c][d][k];
                total.im += im[c][d][k];
            }
        }
        if (!isfinite(total.re) || !isfinite(total.im))
            total = careful_sum(n, X + c * ldx, b);
        sum[c].re += total.re;
        sum[c].im += total.im;
    }
}
#else
typedef struct block {
    const T *y;
    T buffer[ROWS];
} block;

static void take_block(int64_t n, const T *y, int64_t incy, bool conj, block *b)
{
    (void)conj;
    b->y = packed(n, y, incy, b->buffer);
}

INLINED void add_columns(int columns, int64_t n, const T *X, int64_t ldx, const block *b,
                         partial *sum)
{
    enum { DEEP = 2, STEP = DEEP * PACK };
    pack lane[SIDE][DEEP] = {{{0}}};
    int64_t i = 0;
    for (; i + STEP <= n; i += STEP)
        for (int c = 0; c < columns; c++)
            for (int d = 0; d < DEEP; d++)
                lane[c][d] += pack_at(X + c * ldx + i + d * PACK) * pack_at(b->y + i + d * PACK);
    for (int c = 0; c < columns; c++) {
        double total = 0;
        for (int64_t j = i; j < n; j++)
            total += X[c * ldx + j] * b->y[j];
        for (int d = 0; d < DEEP; d++)
            for (int k = 0; k < PACK; k++)
                total += lane[c][d][k];
        sum[c].re += total;
    }
}
#endif

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
        int c = 0;
        take_block(n, (const T *)call->y + i * incy, incy, call->conj, &b);
        for (; c + SIDE <= job->columns; c += SIDE)
            add_columns(SIDE, n, X + c * ldx, ldx, &b, sum + c);
        if (!COMPLEX && job->columns - c == 3)
            add_columns(3, n, X + c * ldx, ldx, &b, sum + c);
        else if (!COMPLEX && job->columns - c == 2)
            add_columns(2, n, X + c * ldx, ldx, &b, sum + c);
        else if (job->columns - c == 1)
            add_columns(1, n, X + c * ldx, ldx, &b, sum + c);
    }
    memcpy(job->parts[piece], sum, sizeof sum);
}

/* gbl_cpu_smdot_omp gbl_cpu_dmdot_omp gbl_cpu_cmdot_omp gbl_cpu_zmdot_omp */
GBL_CPU_TASK(PRIVATE(mdot_omp))
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

/* Columns that maxpy reads side by side. */
#define TOGETHER 4

typedef struct maxpy_job {
    gbl_vector_args call;
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
        value = read_scalar(&call->values[j]);
    put_multiple(job->alpha, &value, &value);
    return value;
}

/* What the terms of a block of rows are added to: y itself, or, for complex vectors, two arrays of
 * real numbers: the real (u) and the imaginary parts (v) of the coefficients times the columns. */
typedef struct target {
    R *u, *v;
} target;

#if COMPLEX
/* a b + c, in one rounding where that is one instruction: complex products take twice as many
 * operations a byte as real ones. */
static inline R multiply_add(R a, R b, R c)
{
#if defined(__aarch64__) || defined(__FMA__)
    return sizeof(R) == sizeof(float) ? (R)fmaf((float)a, (float)b, (float)c) : (R)fma(a, b, c);
#else
    return a * b + c;
#endif
}

INLINED void add_terms(int columns, int64_t n, const T *a, const T *X, int64_t ldx,
                       const target *into)
{
    R *restrict u = into->u, *restrict v = into->v;
    const R *x0 = (const R *)X, *x1 = (const R *)(X + (columns > 1 ? ldx : 0));
    const R *x2 = (const R *)(X + (columns > 2 ? 2 * ldx : 0));
    const R *x3 = (const R *)(X + (columns > 3 ? 3 * ldx : 0));
    for (int64_t i = 0; i < 2 * n; i++) {
        R re = multiply_add(a[0].re, x0[i], u[i]), im = multiply_add(a[0].im, x0[i], v[i]);
        if (columns > 1) {
            re = multiply_add(a[1].re, x1[i], re);
            im = multiply_add(a[1].im, x1[i], im);
        }
        if (columns > 2) {
            re = multiply_add(a[2].re, x2[i], re);
            im = multiply_add(a[2].im, x2[i], im);
        }
        if (columns > 3) {
            re = multiply_add(a[3].re, x3[i], re);
            im = multiply_add(a[3].im, x3[i], im);
        }
        u[i] = re;
        v[i] = im;
    }
}
#else
/* Column after column, so that the bits are those of that many axpys. */
INLINED void add_terms(int columns, int64_t n, const T *a, const T *X, int64_t ldx,
                       const target *into)
{
    R *restrict u = into->u;
    const R *x0 = X, *x1 = X + (columns > 1 ? ldx : 0);
    const R *x2 = X + (columns > 2 ? 2 * ldx : 0), *x3 = X + (columns > 3 ? 3 * ldx : 0);
    for (int64_t i = 0; i < n; i++) {
        R sum = u[i] + a[0] * x0[i];
        if (columns > 1)
            sum += a[1] * x1[i];
        if (columns > 2)
            sum += a[2] * x2[i];
        if (columns > 3)
            sum += a[3] * x3[i];
        u[i] = sum;
    }
}
#endif

/* All columns into a block of n rows. The number of columns is a constant in each call of add_terms,
 * so that its loop has no branch. */
static void add_all(const maxpy_job *job, int64_t n, const T *X, const target *into)
{
    const int64_t ldx = job->call.ldx, count = job->call.count;
    for (int64_t j = 0; j < count; j += TOGETHER) {
        const int columns = count - j < TOGETHER ? (int)(count - j) : TOGETHER;
        const T *x = X + j * ldx;
        T a[TOGETHER];
        for (int c = 0; c < columns; c++)
            a[c] = coefficient(job, j + c);
        if (columns == TOGETHER)
            add_terms(TOGETHER, n, a, x, ldx, into);
        else if (columns == 3)
            add_terms(3, n, a, x, ldx, into);
        else if (columns == 2)
            add_terms(2, n, a, x, ldx, into);
        else
            add_terms(1, n, a, x, ldx, into);
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
GBL_CPU_TASK(PRIVATE(maxpy_omp))
{
    (void)queue, (void)stream, (void)message;
    maxpy_job job;
    job.call = *(const gbl_vector_args *)args;
    const gbl_vector_args *call = &job.call;
    job.alpha = read_scalar(&call->alpha);
    if (call->n <= 0 || call->count <= 0 || is_zero(job.alpha))
        return GABLE_OK;
    const int64_t traffic = (call->count + 2) * (int64_t)sizeof(T);
    gbl_cpu_share(call->n, sizeof(T), traffic, maxpy_piece, &job);
    return GABLE_OK;
}
