/* cpu_trmv.c: x := op(A) x on the cpu, with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * By halves (cpu_triangle.h), in place: the half of x that the other one is added to comes first, then
 * the block between them, while the other half is still what it was, and that half last. Where threads pay,
 * each has a range of x that covers an equal part of the triangle: its own triangle by halves, and the
 * block beside it with a copy of x.
 */
#include <math.h>
#include <stdlib.h>
#include "cpu/cpu_triangle.h"

/* Bytes of the triangle from which threads pay. */
#define SHARED_BYTES 131072

/* Column after column of A, those first whose element of x the other columns do not need any more. */
static void multiply_leaf_plain(const triangle *t, int64_t first, int n, T *x)
{
    const T *A = t->A + first + first * t->lda;
    for (int step = 0; step < n; step++) {
        const int j = t->upper ? step : n - 1 - step;
        const T *column = A + j * t->lda, old = x[j];
        for (int i = t->upper ? 0 : j + 1; i < (t->upper ? j : n); i++)
            add_multiple(old, column + i, x + i);
        if (!t->unit)
            put_multiple(old, column + j, x + j);
    }
}

static void multiply_leaf_transposed(const triangle *t, int64_t first, int n, T *x)
{
    for (int step = 0; step < n; step++) {
        const int j = t->upper ? n - 1 - step : step;
        T sum = x[j];
        if (!t->unit)
            put_multiple(stored(t, first + j, first + j), x + j, &sum);
        for (int i = t->upper ? 0 : j + 1; i < (t->upper ? j : n); i++)
            add_multiple(stored(t, first + i, first + j), x + i, &sum);
        x[j] = sum;
    }
}

static gable_status multiply(const triangle *t, int64_t first, int64_t n, gbl_message *message)
{
    if (n <= LEAF) {
        T x[LEAF];
        for (int64_t i = 0; i < n; i++)
            x[i] = t->x[(first + i) * t->incx];
        if (t->transposed)
            multiply_leaf_transposed(t, first, (int)n, x);
        else
            multiply_leaf_plain(t, first, (int)n, x);
        for (int64_t i = 0; i < n; i++)
            t->x[(first + i) * t->incx] = x[i];
        return GABLE_OK;
    }
    const int64_t half = first_half(n), middle = first + half;
    if (t->upper == t->transposed) { /* op(A) is lower triangular */
        TRY(multiply(t, middle, n - half, message));
        TRY(add_block(t, first, middle, first + n, 1, message));
        return multiply(t, first, half, message);
    }
    TRY(multiply(t, first, half, message));
    TRY(add_block(t, first, middle, first + n, 1, message));
    return multiply(t, middle, n - half, message);
}

typedef struct trmv_job {
    triangle t;
    const T *old; /* x before */
    int64_t n;
    int failed; /* a piece had no memory */
} trmv_job;

/* The row at which `part` of the n equal parts of the triangle are behind, counted from its corner. */
static int64_t row_of(int64_t part, int64_t n)
{
    const int64_t row = (int64_t)((double)n * sqrt((double)part / (double)n));
    return part == n ? n : row / LEAF * LEAF;
}

/* Equal parts [begin, end) of the triangle. */
static void own_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    trmv_job *job = given;
    const triangle *t = &job->t;
    const bool lower = t->upper == t->transposed;
    const int64_t n = job->n, first = lower ? row_of(begin, n) : n - row_of(end, n),
                  last = lower ? row_of(end, n) : n - row_of(begin, n);
    const int64_t others = lower ? first : n - last, from = lower ? 0 : last;
    if (first >= last)
        return;
    const gable_status own = multiply(t, first, last - first, NULL);
    const gbl_matrix_args beside = {
        .dtype = DTYPE,
        .trans = t->conj         ? GABLE_CONJ_TRANS
                 : t->transposed ? GABLE_TRANS
                                 : GABLE_NO_TRANS,
        .m = t->transposed ? others : last - first,
        .n = t->transposed ? last - first : others,
        .alpha = {.re = 1},
        .beta = {.re = 1},
        .A = (T *)(uintptr_t)(t->A +
                              (t->transposed ? from + first * t->lda : first + from * t->lda)),
        .lda = t->lda,
        .x = (T *)(uintptr_t)(job->old + from),
        .incx = 1,
        .y = piece_of_x(t, first, last - first),
        .incy = t->incx};
    if (own != GABLE_OK || PRIVATE(gemv_omp)(NULL, NULL, &beside, NULL) != GABLE_OK) {
#pragma omp atomic write
        job->failed = 1;
    }
}

/* gbl_cpu_strmv_omp gbl_cpu_dtrmv_omp gbl_cpu_ctrmv_omp gbl_cpu_ztrmv_omp */
GBL_CPU_TASK(PRIVATE(trmv_omp))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    const int64_t n = call->n, traffic = (n + 1) / 2 * (int64_t)sizeof(T);
    trmv_job job = {.t = triangle_of(call), .n = n};
    if (n * traffic < SHARED_BYTES || omp_get_max_threads() == 1 || omp_in_parallel())
        return multiply(&job.t, 0, n, message);
    T *old = malloc((size_t)n * sizeof(T));
    if (old == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for a copy of %lld elements",
                        (long long)n);
    for (int64_t i = 0; i < n; i++)
        old[i] = job.t.x[i * job.t.incx];
    job.old = old;
    gbl_cpu_share(n, (int64_t)sizeof(T), traffic, own_piece, &job);
    free(old);
    return job.failed ? gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for partial sums")
                      : GABLE_OK;
}

/* gbl_cpu_strmv_blas gbl_cpu_dtrmv_blas gbl_cpu_ctrmv_blas gbl_cpu_ztrmv_blas */
GBL_CPU_TASK(PRIVATE(trmv_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(trmv_omp)(queue, stream, args, message);
    const int trans = !COMPLEX && call->trans == GABLE_CONJ_TRANS ? GABLE_TRANS : (int)call->trans;
    blas->BLAS(trmv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans, (int)call->diag, (int)call->n,
                     call->A, (int)call->lda, call->x, (int)call->incx);
    return GABLE_OK;
}
