/* cpu_sparse.c: Y := alpha A X + beta Y on the cpu, for sparse A in any format and one or several
 * columns.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads own rows, about as many entries each. A block of rows is multiplied with all columns of X
 * before the next one: its entries come from memory once.
 */
#include "cpu/cpu_sparse.h"
#include "cpu/cpu_sparse_rows.h"

typedef struct sparse_job {
    const gbl_sparse_args *call;
    T alpha, beta;
} sparse_job;

static bool is_one(T a)
{
#if COMPLEX
    return a.re == 1 && a.im == 0;
#else
    return a == 1;
#endif
}

/* y := alpha sum + beta y at the rows of places [begin, end). */
INLINED void put_places(const sparse_job *job, int64_t begin, int64_t end, bool wide,
                        const T *restrict sum, T *restrict y)
{
    const void *order = job->call->A.order;
    const int64_t count = end - begin;
    const bool fresh = is_zero(job->beta);
    if (order == NULL && fresh) {
        for (int64_t i = 0; i < count; i++)
            put_multiple(job->alpha, sum + i, y + begin + i);
    } else if (order == NULL) {
        for (int64_t i = 0; i < count; i++)
            put_combination(job->alpha, sum + i, job->beta, y + begin + i, y + begin + i);
    } else {
        for (int64_t i = 0; i < count; i++) {
            T *to = y + index_at(order, begin + i, wide);
            if (fresh)
                put_multiple(job->alpha, sum + i, to);
            else
                put_combination(job->alpha, sum + i, job->beta, to, to);
        }
    }
}

/* Rows at places [begin, end), in blocks. */
INLINED void multiply_places(const sparse_job *job, int64_t begin, int64_t end, bool wide)
{
    const gbl_sparse_args *call = job->call;
    const bool direct = is_one(job->alpha) && is_zero(job->beta) && call->A.order == NULL;
    T sum[PLACES];
    int64_t cursor = begin < end ? cursor_at(&call->A, begin, wide) : 0;
    for (int64_t i = begin; i < end; i += PLACES) {
        const int64_t last = end - i < PLACES ? end : i + PLACES, here = cursor;
        for (int64_t c = 0; c < call->k; c++) {
            cursor = here;
            const T *x = (const T *)call->x + c * call->ldx;
            T *y = (T *)call->y + c * call->ldy;
            sum_places(&call->A, i, last, &cursor, x, call->conj, wide, direct ? y + i : sum);
            if (!direct)
                put_places(job, i, last, wide, sum, y);
        }
    }
}

static void multiply_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const sparse_job *job = given;
    const gbl_sparse_layout *A = &job->call->A;
    const int64_t units = units_of(A);
    if (A->index_bytes == 8)
        multiply_places(job, place_of_unit(A, begin, true),
                        end == units ? A->rows : place_of_unit(A, end, true), true);
    else
        multiply_places(job, place_of_unit(A, begin, false),
                        end == units ? A->rows : place_of_unit(A, end, false), false);
}

/* Y := beta Y */
static void scale_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const sparse_job *job = given;
    const T zero = {0};
    for (int64_t c = 0; c < job->call->k; c++) {
        T *y = (T *)job->call->y + c * job->call->ldy;
        for (int64_t i = begin; i < end; i++) {
            if (is_zero(job->beta))
                y[i] = zero;
            else
                put_multiple(job->beta, y + i, y + i);
        }
    }
}

/* gbl_cpu_ssparse_mv gbl_cpu_dsparse_mv gbl_cpu_csparse_mv gbl_cpu_zsparse_mv */
GBL_CPU_TASK(PRIVATE(sparse_mv))
{
    (void)queue, (void)stream, (void)message;
    const gbl_sparse_args *call = args;
    sparse_job job = {call, read_scalar(&call->alpha), read_scalar(&call->beta)};
    if (call->A.rows <= 0 || call->k <= 0)
        return GABLE_OK;
    const int64_t units = units_of(&call->A);
    if (is_zero(job.alpha) || units == 0) {
        gbl_cpu_share(call->A.rows, sizeof(T), 2 * call->k * (int64_t)sizeof(T), scale_piece, &job);
        return GABLE_OK;
    }
    const int64_t stored = call->A.stored + call->A.rest;
    const int64_t bytes = stored * (int64_t)(sizeof(T) + call->A.index_bytes) +
                          2 * call->k * call->A.rows * (int64_t)sizeof(T);
    gbl_cpu_share(units, GBL_CPU_LINE, bytes / units + 1, multiply_piece, &job);
    return GABLE_OK;
}
