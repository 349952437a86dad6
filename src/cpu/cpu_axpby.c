/* cpu_axpby.c: y := alpha x + beta y and w := alpha x + beta y on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * axpby is waxpby with w = y. A vector whose scalar is 0 is not read, so there are three loops:
 * both terms, one term, none. w may be x or y itself, so nothing here promises separate memory
 * (restrict); see cpu_axpy.c.
 */
#include "cpu/cpu_vector.h"

/* w := alpha x + beta y. With one scalar 0, x and alpha are the term that is left and y is NULL;
 * with both 0, x is NULL too. */
typedef struct axpby_job {
    int64_t n;
    T alpha, beta;
    const T *x, *y;
    T *w;
    int64_t incx, incy, incw;
} axpby_job;

INLINED void two_terms(int64_t n, T alpha, const T *x, T beta, const T *y, T *w)
{
    int64_t i = 0;
#if GROUPED
    const factor a = factor_of(alpha), b = factor_of(beta);
    for (; i + GROUP <= n; i += GROUP) {
        R first[2 * GROUP], second[2 * GROUP], *to = (R *)(w + i);
        group_times(&a, x + i, first);
        group_times(&b, y + i, second);
        for (int k = 0; k < 2 * GROUP; k++)
            to[k] = first[k] + second[k];
    }
#endif
#pragma omp simd
    for (int64_t j = i; j < n; j++)
        put_combination(alpha, x + j, beta, y + j, w + j);
}

static void one_term(int64_t n, T alpha, const T *x, T *w)
{
    int64_t i = 0;
#if GROUPED
    const factor a = factor_of(alpha);
    for (; i + GROUP <= n; i += GROUP) {
        R term[2 * GROUP];
        group_times(&a, x + i, term);
        memcpy(w + i, term, sizeof term);
    }
#endif
#pragma omp simd
    for (int64_t j = i; j < n; j++)
        put_multiple(alpha, x + j, w + j);
}

static void axpby_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const axpby_job *job = given;
    const int64_t n = end - begin, incx = job->incx, incy = job->incy, incw = job->incw;
    const T *x = job->x != NULL ? job->x + begin * incx : NULL;
    const T *y = job->y != NULL ? job->y + begin * incy : NULL;
    const T alpha = job->alpha, beta = job->beta;
    T *w = job->w + begin * incw;
    if (y == w && incx == 1 && incw == 1 && incy == 1) {
        two_terms(n, alpha, x, beta, w, w); /* clang takes a scalar loop unless it knows this */
    } else if (y != NULL && incx == 1 && incy == 1 && incw == 1) {
        two_terms(n, alpha, x, beta, y, w);
    } else if (y != NULL) {
        for (int64_t i = 0; i < n; i++)
            put_combination(alpha, x + i * incx, beta, y + i * incy, w + i * incw);
    } else if (x != NULL && incx == 1 && incw == 1) {
        one_term(n, alpha, x, w);
    } else if (x != NULL) {
        for (int64_t i = 0; i < n; i++)
            put_multiple(alpha, x + i * incx, w + i * incw);
    } else if (incw == 1) {
        memset(w, 0, (size_t)n * sizeof(T)); /* all bits 0 is the number 0 */
    } else {
        const T zero = {0};
        for (int64_t i = 0; i < n; i++)
            w[i * incw] = zero;
    }
}

/* The vectors that are read and w, all from their low ends where their strides are one negative
 * number: the same elements meet, and stride -1 becomes contiguous. */
static void walk_all_forward(axpby_job *job)
{
    const int64_t inc = job->incw;
    if (inc >= 0 || (job->x != NULL && job->incx != inc) || (job->y != NULL && job->incy != inc))
        return;
    const int64_t end = low_end(job->n, inc);
    job->x = job->x != NULL ? job->x + end : NULL;
    job->y = job->y != NULL ? job->y + end : NULL;
    job->w += end;
    job->incx = job->incy = job->incw = job->n > 1 ? -inc : 1;
}

static void combine(const gbl_vector_args *call, T *w, int64_t incw)
{
    axpby_job job = {.n = call->n,
                     .alpha = read_scalar(&call->alpha),
                     .beta = read_scalar(&call->beta),
                     .x = call->x,
                     .incx = call->incx,
                     .y = call->y,
                     .incy = call->incy,
                     .w = w,
                     .incw = incw};
    if (is_zero(job.beta))
        job.y = NULL;
    if (is_zero(job.alpha)) {
        job.x = job.y;
        job.incx = job.incy;
        job.alpha = job.beta;
        job.y = NULL;
    }
    if (job.n <= 0)
        return;
    walk_all_forward(&job);
    const int64_t vectors = 1 + (job.x != NULL) + (job.y != NULL);
    gbl_cpu_share(job.n, sizeof(T), vectors * (int64_t)sizeof(T), axpby_piece, &job);
}

/* gbl_cpu_saxpby_omp gbl_cpu_daxpby_omp gbl_cpu_caxpby_omp gbl_cpu_zaxpby_omp */
WIDE_TASK(PRIVATE(axpby_omp))
{
    (void)queue, (void)stream, (void)message;
    const gbl_vector_args *call = args;
    combine(call, call->y, call->incy);
    return GABLE_OK;
}

/* gbl_cpu_swaxpby_omp gbl_cpu_dwaxpby_omp gbl_cpu_cwaxpby_omp gbl_cpu_zwaxpby_omp */
WIDE_TASK(PRIVATE(waxpby_omp))
{
    (void)queue, (void)stream, (void)message;
    const gbl_vector_args *call = args;
    combine(call, call->w, call->incw);
    return GABLE_OK;
}
