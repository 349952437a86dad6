/* cpu_potrf.c: a diagonal block of a Cholesky factorization on the cpu, by one thread.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As kernels/lapack/potrf_leaf.cl: the block is copied as L, U is L^H. Column by column: earlier
 * columns are taken out of it, then it is divided by the root of its pivot.
 */
#include <math.h>
#include "cpu/cpu_vector.h"

#define ROWS 64

static R real_of(const T *a)
{
#if COMPLEX
    return a->re;
#else
    return *a;
#endif
}

static T conjugate(T a)
{
#if COMPLEX
    a.im = -a.im;
#endif
    return a;
}

/* Where L(i, j) stands in A. */
static T *place(const gbl_cpu_potrf_args *call, int64_t i, int64_t j)
{
    return (T *)call->A + (call->uplo == GABLE_UPPER ? j + i * call->lda : i + j * call->lda);
}

static void load(const gbl_cpu_potrf_args *call, T (*L)[ROWS])
{
    const bool upper = call->uplo == GABLE_UPPER;
    for (int64_t j = 0; j < call->n; j++)
        for (int64_t i = j; i < call->n; i++)
            L[j][i] = upper ? conjugate(*place(call, i, j)) : *place(call, i, j);
}

static void store(const gbl_cpu_potrf_args *call, int64_t columns, T (*L)[ROWS])
{
    const bool upper = call->uplo == GABLE_UPPER;
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = j; i < call->n; i++)
            *place(call, i, j) = upper ? conjugate(L[j][i]) : L[j][i];
}

static void take_out(const T *restrict left, int64_t j, int64_t n, T *restrict column)
{
#if COMPLEX
    const T times = {-left[j].re, left[j].im};
#else
    const T times = -left[j];
#endif
    for (int64_t i = j; i < n; i++)
        add_multiple(times, left + i, column + i);
}

/* How many columns have positive pivots before the first that has not. */
static int64_t factor_columns(int64_t n, T (*L)[ROWS])
{
    for (int64_t j = 0; j < n; j++) {
        for (int64_t k = 0; k < j; k++)
            take_out(L[k], j, n, L[j]);
        const R pivot = real_of(&L[j][j]);
        if (!(pivot > 0))
            return j;
        const R root = (R)sqrt(pivot), inverse = 1 / root;
        R *const reals = (R *)(void *)L[j];
        for (int64_t i = REALS * (j + 1); i < REALS * n; i++)
            reals[i] *= inverse;
        memset(&L[j][j], 0, sizeof(T));
        reals[REALS * j] = root;
    }
    return n;
}

/* gbl_cpu_spotrf_leaf gbl_cpu_dpotrf_leaf gbl_cpu_cpotrf_leaf gbl_cpu_zpotrf_leaf */
GBL_CPU_TASK(PRIVATE(potrf_leaf))
{
    const gbl_cpu_potrf_args *call = args;
    T L[ROWS][ROWS];
    (void)queue, (void)stream, (void)message;
    if (call->before > 0 && *call->info != 0)
        return GABLE_OK;
    load(call, L);
    const int64_t done = factor_columns(call->n, L);
    store(call, done, L);
    if (done < call->n)
        *call->info = call->before + done + 1;
    else if (call->before == 0)
        *call->info = 0;
    return GABLE_OK;
}
