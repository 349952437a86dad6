/* cpu_trmv.c: x := op(A) x on the cpu, with OpenMP and through the installed BLAS.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A thread owns columns of A with an equal part of the triangle. Where A is transposed, each gives
 * an element of x: its product with a copy of x. Where it is not, a thread has sums of its own for
 * all of x, which are then added in order of threads.
 *
 * Columns go side by side from where all of them are in the triangle. They are neighbours, unlike
 * in cpu_gemv.c: cpu_columns.h says why.
 */
#include <stdlib.h>
#include "cpu/cpu_columns.h"
#include "cpu/cpu_triangle.h"

typedef struct trmv_job {
    triangle t;
    int64_t n;
    beside x;     /* the copy of x */
    const T *old; /* and as it was */
    left_sums left;
} trmv_job;

/* ---- columns ---- */

/* Columns [j, j + count), a constant in each call, are added to sums. */
INLINED void add_some(int count, const trmv_job *job, int64_t j, const target *into)
{
    const triangle *t = &job->t;
    const int64_t from = t->upper ? 0 : j + count, to = t->upper ? j : job->n;
    const T *A = column_at(&t->A, j) + from;
    T f[SIDE_EDGE]; /* a copy that no sum can be an alias of */
    for (int c = 0; c < count; c++)
        f[c] = job->old[j + c];
    const target below = {into->u + REALS * from, COMPLEX ? into->v + REALS * from : NULL};
    add_bent(count, to - from, f, A, apart_at(&t->A, j), t->A.bend, &below);
    for (int c = 0; c < count; c++) {
        const int64_t first = t->upper ? j : j + c, last = t->upper ? j + c : j + count - 1;
        for (int64_t i = first; i <= last; i++) {
            const T a = entry(t, i, j + c);
#if COMPLEX
            into->u[2 * i] += a.re * f[c].re;
            into->u[2 * i + 1] += a.im * f[c].re;
            into->v[2 * i] += a.re * f[c].im;
            into->v[2 * i + 1] += a.im * f[c].im;
#else
            into->u[i] += a * f[c];
#endif
        }
    }
}

/* The same columns give elements of the product with the transpose. */
INLINED void multiply_some(int count, const trmv_job *job, int64_t j)
{
    const triangle *t = &job->t;
    const int64_t from = t->upper ? 0 : j + count, to = t->upper ? j : job->n;
    const T *A = column_at(&t->A, j) + from;
    const beside x = beside_from(&job->x, from);
    partial sum[SIDE_EDGE] = {{0, 0}};
    multiply_bent(count, to - from, A, apart_at(&t->A, j), t->A.bend, &x, sum);
    for (int c = 0; c < count; c++) {
        const int64_t first = t->upper ? j : j + c, last = t->upper ? j + c : j + count - 1;
#if COMPLEX
        T total = {(R)sum[c].re, (R)sum[c].im};
#else
        T total = (R)sum[c].re;
#endif
        for (int64_t i = first; i <= last; i++)
            add_multiple(entry(t, i, j + c), job->old + i, &total);
        t->x[(j + c) * t->incx] = total;
    }
}

/* The column before which are `part` of n equal parts of the triangle. */
static int64_t column_of(const trmv_job *job, int64_t part)
{
    const int64_t n = job->n;
    const double left = (double)(job->t.upper ? part : n - part) / (double)n;
    const int64_t column = (int64_t)((double)n * sqrt(left));
    if (part == 0 || part == n)
        return part;
    return (job->t.upper ? column : n - column) / SIDE_EDGE * SIDE_EDGE;
}

/* ---- pieces ---- */

/* Parts [begin, end) of the triangle. */
static void triangle_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const trmv_job *job = given;
    const int64_t first = column_of(job, begin), last = column_of(job, end);
    R *u = job->t.transposed ? NULL : job->left.parts + piece * job->left.part;
    const target into = {u, COMPLEX && u != NULL ? u + job->left.to_v : NULL};
    if (u != NULL)
        memset(u, 0, (size_t)job->left.part * sizeof(R));
    int64_t j = first;
    for (; j + SIDE_EDGE <= last; j += SIDE_EDGE) {
        if (job->t.transposed)
            multiply_some(SIDE_EDGE, job, j);
        else
            add_some(SIDE_EDGE, job, j, &into);
    }
    for (; j < last; j++) {
        if (job->t.transposed)
            multiply_some(1, job, j);
        else
            add_some(1, job, j, &into);
    }
}

/* Elements [begin, end) of x from the sums of all pieces. */
static void put_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const trmv_job *job = given;
    for (int64_t from = begin; from < end; from += BLOCK) {
        const int64_t count = end - from < BLOCK ? end - from : BLOCK;
        R sum[REALS * BLOCK];
        add_left(&job->left, from, count, sum);
        for (int64_t i = 0; i < count; i++)
            job->t.x[(from + i) * job->t.incx] = ((const T *)sum)[i];
    }
}

#if COMPLEX
/* Of few rows, and k diagonals beside the main one. */
static void multiply_small(const triangle *t, int64_t n, int64_t k)
{
    T old[SMALL_TRIANGLE], sums[SMALL_TRIANGLE];
    for (int64_t i = 0; i < n; i++) {
        old[i] = t->x[i * t->incx];
        sums[i] = (T){0, 0};
    }
    for (int64_t j = 0; j < n; j++) {
        const T *A = column_at(&t->A, j), f = old[j];
        const int64_t first = !t->upper ? j + 1
                              : j > k   ? j - k
                                        : 0,
                      end = t->upper    ? j
                            : n - j > k ? j + k + 1
                                        : n;
        const R sign = t->conj ? -1 : 1;
        T sum = {0, 0};
        add_multiple(entry(t, j, j), &f, &sum);
        for (int64_t i = first; t->transposed && i < end; i++) {
            sum.re += A[i].re * old[i].re - sign * A[i].im * old[i].im;
            sum.im += A[i].re * old[i].im + sign * A[i].im * old[i].re;
        }
        for (int64_t i = first; !t->transposed && i < end; i++)
            add_multiple(A[i], &f, &sums[i]);
        sums[j].re += sum.re;
        sums[j].im += sum.im;
    }
    for (int64_t i = 0; i < n; i++)
        t->x[i * t->incx] = sums[i];
}
#endif

/* ---- tasks ---- */

/* gbl_cpu_strmv_omp gbl_cpu_dtrmv_omp gbl_cpu_ctrmv_omp gbl_cpu_ztrmv_omp */
WIDE_TASK(PRIVATE(trmv_omp))
{
    (void)queue, (void)stream;
    const gbl_matrix_args *call = args;
    const int64_t n = call->n, line = GBL_CPU_LINE / (int64_t)sizeof(R);
    const int64_t array = (REALS * n + 2 * line - 1) / line * line;
    const int threads = omp_in_parallel() ? 1 : omp_get_max_threads();
    const int64_t most = threads < GBL_CPU_MAX_PIECES ? threads : GBL_CPU_MAX_PIECES;
    trmv_job job = {.t = triangle_of(call),
                    .n = n,
                    .left = {.part = REALS * array, .to_v = COMPLEX ? array : 0}};
    if (n <= 0)
        return GABLE_OK;
#if COMPLEX
    if (n <= SMALL_TRIANGLE) {
        multiply_small(&job.t, n, call->storage == GBL_BAND ? call->ku : n);
        return GABLE_OK;
    }
#endif
    /* Of x, and where A is transposed of x laid out, or else of sums. */
    const int64_t room = job.t.transposed ? ROOM * n : most * job.left.part;
    const size_t bytes = (size_t)(array + room) * sizeof(R);
    R few[FEW_REALS], *memory = bytes <= sizeof few ? few : malloc(bytes);
    if (memory == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for sums of %zu bytes",
                        bytes);
    T *old = (T *)memory;
    for (int64_t i = 0; i < n; i++)
        old[i] = job.t.x[i * job.t.incx];
    job.old = old;
    job.left.parts = memory + array;
    if (job.t.transposed)
        job.x = lay_out(n, old, 1, job.t.conj, memory + array);
    job.left.pieces = gbl_cpu_share(n, (int64_t)sizeof(T), (n + 1) / 2 * (int64_t)sizeof(T),
                                    triangle_piece, &job);
    if (!job.t.transposed)
        gbl_cpu_share(n, sizeof(T), (job.left.pieces * REALS + 1) * (int64_t)sizeof(T), put_piece,
                      &job);
    if (memory != few)
        free(memory);
    return GABLE_OK;
}

/* gbl_cpu_stpmv_omp gbl_cpu_dtpmv_omp gbl_cpu_ctpmv_omp gbl_cpu_ztpmv_omp */
WIDE_TASK(PRIVATE(tpmv_omp))
{
    return PRIVATE(trmv_omp)(queue, stream, args, message);
}

#if !defined(GABLE_WIDE)
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
#endif
