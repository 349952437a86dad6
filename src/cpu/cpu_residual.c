/* cpu_residual.c: r := b - A x on the cpu, and the square of its norm, in one pass.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows are multiplied as in cpu_sparse.c, block by block, and a block's part of r and of the sum
 * are made while its products are in the cache. Most solves start from x = 0: that is found out
 * first, and costs a pass over x instead of one over A.
 */
#include "cpu/cpu_solver.h"
#include "cpu/cpu_sparse_rows.h"

typedef struct residual_job {
    const gbl_cpu_residual_args *call;
    bool started[GBL_CPU_MAX_PIECES]; /* x is not 0 in the piece */
    double squares[GBL_CPU_MAX_PIECES];
} residual_job;

static void look_piece(void *given, int piece, int64_t begin, int64_t end)
{
    residual_job *job = given;
    const R *x = (const R *)job->call->x;
    bool started = false;
    for (int64_t i = REALS * begin; i < REALS * end && !started; i++)
        started = !(x[i] == 0);
    job->started[piece] = started;
}

/* r := b - sum for `count` rows side by side; returns the sum of squares. */
static double subtract(int64_t count, const T *b, const T *sum, T *r)
{
    R lane[4] = {0};
    const R *from = (const R *)b, *less = (const R *)sum;
    R *to = (R *)r;
    double square = 0;
    int64_t i = 0;
    for (; i + 4 <= REALS * count; i += 4)
        for (int l = 0; l < 4; l++) {
            const R left = from[i + l] - less[i + l];
            to[i + l] = left;
            lane[l] += left * left;
        }
    for (; i < REALS * count; i++) {
        to[i] = from[i] - less[i];
        square += (double)to[i] * to[i];
    }
    return square + (((double)lane[0] + lane[1]) + ((double)lane[2] + lane[3]));
}

INLINED double subtract_places(const gbl_cpu_residual_args *call, int64_t begin, int64_t end,
                               bool wide)
{
    const gbl_sparse_layout *A = &call->A;
    const T *b = call->b;
    T *r = call->r, sum[PLACES], here[PLACES];
    int64_t cursor = begin < end ? cursor_at(A, begin, wide) : 0;
    double square = 0;
    for (int64_t i = begin; i < end; i += PLACES) {
        const int64_t last = end - i < PLACES ? end : i + PLACES;
        sum_places(A, i, last, &cursor, call->x, false, wide, sum);
        if (A->order == NULL) {
            square += subtract(last - i, b + i, sum, r + i);
            continue;
        }
        for (int64_t l = i; l < last; l++)
            here[l - i] = b[index_at(A->order, l, wide)];
        square += subtract(last - i, here, sum, here);
        for (int64_t l = i; l < last; l++)
            r[index_at(A->order, l, wide)] = here[l - i];
    }
    return square;
}

static void subtract_piece(void *given, int piece, int64_t begin, int64_t end)
{
    residual_job *job = given;
    const gbl_sparse_layout *A = &job->call->A;
    const int64_t units = units_of(A);
    if (A->index_bytes == 8)
        job->squares[piece] =
            subtract_places(job->call, place_of_unit(A, begin, true),
                            end == units ? A->rows : place_of_unit(A, end, true), true);
    else
        job->squares[piece] =
            subtract_places(job->call, place_of_unit(A, begin, false),
                            end == units ? A->rows : place_of_unit(A, end, false), false);
}

/* r := b */
static void copy_piece(void *given, int piece, int64_t begin, int64_t end)
{
    static const T zeros[PLACES];
    residual_job *job = given;
    const T *b = job->call->b;
    T *r = job->call->r;
    job->squares[piece] = 0;
    for (int64_t i = begin; i < end; i += PLACES) {
        const int64_t count = end - i < PLACES ? end - i : PLACES;
        job->squares[piece] += subtract(count, b + i, zeros, r + i);
    }
}

/* gbl_cpu_sresidual gbl_cpu_dresidual gbl_cpu_cresidual gbl_cpu_zresidual */
GBL_CPU_TASK(PRIVATE(residual))
{
    (void)queue, (void)stream, (void)message;
    const gbl_cpu_residual_args *call = args;
    residual_job job;
    const int64_t rows = call->A.rows, units = units_of(&call->A);
    const int64_t each = (int64_t)sizeof(T);
    job.call = call;
    bool started = false;
    int pieces = gbl_cpu_share(rows, sizeof(T), each, look_piece, &job);
    for (int p = 0; p < pieces; p++)
        started = started || job.started[p];
    if (started && units > 0) {
        const int64_t stored = call->A.stored + call->A.rest;
        const int64_t bytes = stored * (each + call->A.index_bytes) + 3 * rows * each;
        pieces = gbl_cpu_share(units, GBL_CPU_LINE, bytes / units + 1, subtract_piece, &job);
    } else {
        pieces = gbl_cpu_share(rows, sizeof(T), 2 * each, copy_piece, &job);
    }
    *call->square = 0;
    for (int p = 0; p < pieces; p++)
        *call->square += job.squares[p];
    return GABLE_OK;
}
