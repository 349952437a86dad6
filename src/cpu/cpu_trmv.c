/* cpu_trmv.c: x := op(A) x on the cpu, with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * By halves (cpu_triangle.h), in place: the half of x that the other one is added to comes first, then
 * the block between them, while the other half is still what it was, and that half last.
 */
#include "cpu/cpu_triangle.h"

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

/* gbl_cpu_strmv_omp gbl_cpu_dtrmv_omp gbl_cpu_ctrmv_omp gbl_cpu_ztrmv_omp */
GBL_CPU_TASK(PRIVATE(trmv_omp))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    const triangle t = triangle_of(call);
    return multiply(&t, 0, call->n, message);
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
