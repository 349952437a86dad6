/* cpu_trsv.c: x := op(A)^-1 x on the cpu, with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Substitution by panels of columns, with gemv's loops and threads for what is outside the triangle on the
 * diagonal: each column is read from end to end, after its part of x was solved for or, where A is
 * transposed, before. The triangle on the diagonal by halves (cpu_triangle.h): solve with the half that needs nothing
 * else, take its part out of the other, solve with that. Every x_i is b_i minus a sum of products, divided
 * by the diagonal, so the bound of substitution holds (Higham, Accuracy and Stability, 8.1: any order of the sums).
 */
#include <math.h>
#include "cpu/cpu_triangle.h"

/* Columns of a panel for each thread. */
#define PANEL 64

/* x / a */
static inline T divided(T x, T a)
{
#if defined(PREC_C) /* in double nothing can overflow */
    const double size = (double)a.re * a.re + (double)a.im * a.im;
    return (T){(R)(((double)x.re * a.re + (double)x.im * a.im) / size),
               (R)(((double)x.im * a.re - (double)x.re * a.im) / size)};
#elif COMPLEX /* Smith's way: the quotient of the parts of a is at most 1 */
    const bool turned = fabs(a.re) < fabs(a.im);
    const R large = turned ? a.im : a.re, small = turned ? a.re : a.im;
    const R ratio = small / large, size = large + small * ratio;
    return turned ? (T){(x.re * ratio + x.im) / size, (x.im * ratio - x.re) / size}
                  : (T){(x.re + x.im * ratio) / size, (x.im - x.re * ratio) / size};
#else
    return x / a;
#endif
}

static inline T negative(T a)
{
#if COMPLEX
    return (T){-a.re, -a.im};
#else
    return -a;
#endif
}

/* Column after column of A: x_j is known, and is taken out of what is left. */
static void solve_leaf_plain(const triangle *t, int64_t first, int n, T *x)
{
    const T *A = t->A + first + first * t->lda;
    for (int step = 0; step < n; step++) {
        const int j = t->upper ? n - 1 - step : step;
        const T *column = A + j * t->lda;
        if (!t->unit)
            x[j] = divided(x[j], column[j]);
        const T taken = negative(x[j]);
        for (int i = t->upper ? 0 : j + 1; i < (t->upper ? j : n); i++)
            add_multiple(taken, column + i, x + i);
    }
}

/* Column j of A has the coefficients of x_j's own equation. */
static void solve_leaf_transposed(const triangle *t, int64_t first, int n, T *x)
{
    for (int step = 0; step < n; step++) {
        const int j = t->upper ? step : n - 1 - step;
        T sum = x[j];
        for (int i = t->upper ? 0 : j + 1; i < (t->upper ? j : n); i++)
            add_multiple(negative(stored(t, first + i, first + j)), x + i, &sum);
        x[j] = t->unit ? sum : divided(sum, stored(t, first + j, first + j));
    }
}

static gable_status solve(const triangle *t, int64_t first, int64_t n, gbl_message *message)
{
    if (n <= LEAF) {
        T x[LEAF];
        for (int64_t i = 0; i < n; i++)
            x[i] = t->x[(first + i) * t->incx];
        if (t->transposed)
            solve_leaf_transposed(t, first, (int)n, x);
        else
            solve_leaf_plain(t, first, (int)n, x);
        for (int64_t i = 0; i < n; i++)
            t->x[(first + i) * t->incx] = x[i];
        return GABLE_OK;
    }
    const int64_t half = first_half(n), middle = first + half;
    if (t->upper == t->transposed) { /* op(A) is lower triangular */
        TRY(solve(t, first, half, message));
        TRY(add_block(t, first, middle, first + n, -1, message));
        return solve(t, middle, n - half, message);
    }
    TRY(solve(t, middle, n - half, message));
    TRY(add_block(t, first, middle, first + n, -1, message));
    return solve(t, first, half, message);
}

/* Asks for the triangle on the diagonal: its columns are too short for the hardware to see them coming. */
static void fetch(const triangle *t, int64_t first, int64_t n)
{
    const int64_t line = GBL_CPU_LINE / (int64_t)sizeof(T);
    for (int64_t j = first; j < first + n; j++) {
        const T *column = t->A + j * t->lda;
        const int64_t last = t->upper ? j : first + n - 1;
        for (int64_t i = t->upper ? first : j; i < last; i += line)
            __builtin_prefetch(column + i);
        __builtin_prefetch(column + last);
    }
}

/* Panel [first, first + n) of `all` columns. */
static gable_status solve_panel(const triangle *t, int64_t first, int64_t n, int64_t all,
                                gbl_message *message)
{
    const bool lower = t->upper == t->transposed; /* op(A) is */
    if (t->transposed && lower)
        TRY(add_block(t, 0, first, first + n, -1, message));
    else if (t->transposed)
        TRY(add_block(t, first, first + n, all, -1, message));
    fetch(t, first, n);
    TRY(solve(t, first, n, message));
    if (t->transposed)
        return GABLE_OK;
    return lower ? add_block(t, first, first + n, all, -1, message)
                 : add_block(t, 0, first, first + n, -1, message);
}

/* gbl_cpu_strsv_omp gbl_cpu_dtrsv_omp gbl_cpu_ctrsv_omp gbl_cpu_ztrsv_omp */
GBL_CPU_TASK(PRIVATE(trsv_omp))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    const triangle t = triangle_of(call);
    const int threads = omp_in_parallel() ? 1 : omp_get_max_threads();
    const int64_t n = call->n, panel = PANEL * (int64_t)threads, panels = (n + panel - 1) / panel;
    for (int64_t p = 0; p < panels; p++) {
        const int64_t first = (t.upper == t.transposed ? p : panels - 1 - p) * panel;
        TRY(solve_panel(&t, first, n - first < panel ? n - first : panel, n, message));
    }
    return GABLE_OK;
}

/* gbl_cpu_strsv_blas gbl_cpu_dtrsv_blas gbl_cpu_ctrsv_blas gbl_cpu_ztrsv_blas */
GBL_CPU_TASK(PRIVATE(trsv_blas))
{
    const gbl_matrix_args *call = args;
    const gbl_cpu_blas *blas = gbl_cpu_blas_get();
    if (blas == NULL)
        return no_blas(message);
    if (omp_in_parallel())
        return PRIVATE(trsv_omp)(queue, stream, args, message);
    const int trans = !COMPLEX && call->trans == GABLE_CONJ_TRANS ? GABLE_TRANS : (int)call->trans;
    blas->BLAS(trsv)(GBL_CPU_BLAS_COLUMNS, (int)call->uplo, trans, (int)call->diag, (int)call->n,
                     call->A, (int)call->lda, call->x, (int)call->incx);
    return GABLE_OK;
}
