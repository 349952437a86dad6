/* cpu_gebrd.c: the reduction to bidiagonal form on the cpu by one thread, in plain loops.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For recordings that are replayed inside an OpenMP region, where the installed LAPACK would start
 * threads of its own. Columns and rows in turn: the reflector of one is applied to all others.
 */
#include "cpu/cpu_vector.h"

static T conjugate(T a)
{
#if COMPLEX
    return (T){a.re, -a.im};
#else
    return a;
#endif
}

static T negative(T a)
{
#if COMPLEX
    return (T){-a.re, -a.im};
#else
    return -a;
#endif
}

static T zero(void)
{
#if COMPLEX
    return (T){0, 0};
#else
    return 0;
#endif
}

static R real_of(T a)
{
#if COMPLEX
    return a.re;
#else
    return a;
#endif
}

static T product(T a, T b)
{
    T c;
    put_multiple(a, &b, &c);
    return c;
}

/* The reflector of x, of which element 0 becomes 1; gives what stood for it: beta. */
static R make_reflector(int64_t count, T *x, T *tau)
{
    const gbl_cpu_larfg_args args = {.n = count, .alpha = x, .x = x + 1, .tau = tau};
    PRIVATE(larfg)(NULL, NULL, &args, NULL);
    const R beta = real_of(x[0]);
    x[0] = zero();
    *(R *)(void *)x = 1;
    return beta;
}

/* C := H^H C, C is m by n. */
static void from_left(int64_t m, int64_t n, const T *v, T tau, T *C, int64_t ldc)
{
    for (int64_t j = 0; j < n; j++) {
        T *column = C + j * ldc, sum = zero();
        for (int64_t i = 0; i < m; i++)
            add_multiple(conjugate(v[i]), &column[i], &sum);
        sum = negative(product(conjugate(tau), sum));
        for (int64_t i = 0; i < m; i++)
            add_multiple(sum, &v[i], &column[i]);
    }
}

/* C := C H */
static void from_right(int64_t m, int64_t n, const T *u, T tau, T *C, int64_t ldc)
{
    for (int64_t i = 0; i < m; i++) {
        T *row = C + i, sum = zero();
        for (int64_t j = 0; j < n; j++)
            add_multiple(row[j * ldc], &u[j], &sum);
        sum = negative(product(tau, sum));
        for (int64_t j = 0; j < n; j++) {
            const T times = conjugate(u[j]);
            add_multiple(sum, &times, &row[j * ldc]);
        }
    }
}

/* A matrix, what it is reduced to, and room for a row. */
typedef struct reduction {
    int64_t m, n, lda;
    T *A, *tauq, *taup, *row;
} reduction;

/* The column from (i, j) down, taken out of those behind it. */
static R reduce_column(const reduction *r, int64_t i, int64_t j)
{
    T *column = r->A + i + j * r->lda;
    const R beta = make_reflector(r->m - i, column, &r->tauq[j]);
    from_left(r->m - i, r->n - j - 1, column, r->tauq[j], column + r->lda, r->lda);
    *(R *)(void *)column = beta;
    return beta;
}

/* The row from (i, j) on, taken out of those below it. */
static R reduce_row(const reduction *r, int64_t i, int64_t j)
{
    T *first = r->A + i + j * r->lda;
    const int64_t count = r->n - j;
    for (int64_t k = 0; k < count; k++)
        r->row[k] = conjugate(first[k * r->lda]);
    const R beta = make_reflector(count, r->row, &r->taup[i]);
    from_right(r->m - i - 1, count, r->row, r->taup[i], first + 1, r->lda);
    for (int64_t k = 0; k < count; k++)
        first[k * r->lda] = conjugate(r->row[k]);
    first[0] = zero();
    *(R *)(void *)first = beta;
    return beta;
}

/* gbl_cpu_sgebrd_plain gbl_cpu_dgebrd_plain gbl_cpu_cgebrd_plain gbl_cpu_zgebrd_plain: B is room
 * for a row */
GBL_CPU_TASK(PRIVATE(gebrd_plain))
{
    const gbl_product_args *call = args;
    const reduction r = {.m = call->m,
                         .n = call->n,
                         .lda = call->lda,
                         .A = call->A,
                         .tauq = call->tau,
                         .taup = call->taup,
                         .row = call->B};
    R *d = call->d, *e = call->e;
    (void)queue, (void)stream, (void)message;
    for (int64_t i = 0; i < r.m && i < r.n; i++) {
        if (r.m >= r.n) {
            d[i] = reduce_column(&r, i, i);
            if (i + 1 < r.n)
                e[i] = reduce_row(&r, i, i + 1);
            else
                r.taup[i] = zero();
        } else {
            d[i] = reduce_row(&r, i, i);
            if (i + 1 < r.m)
                e[i] = reduce_column(&r, i + 1, i);
            else
                r.tauq[i] = zero();
        }
    }
    return GABLE_OK;
}
