/* cpu_factor_solve.c: y := M^-1 x of an incomplete factorization, on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a row waits for is the row just before it, in stencils and bands: its entry is the last of
 * the row, and the other ones are added up meanwhile. It is kept in a register, so that the chain
 * from row to row is a product and a difference.
 *
 * A row is added up in the same order by whichever thread has it: results do not depend on threads.
 */
#include "cpu/cpu_incomplete.h"
#include "cpu/cpu_sparse_rows.h"

typedef gbl_cpu_factor_solve_args solve_args;
typedef struct gbl_cpu_factor_half half;

/* from - value x */
INLINED T without(T from, T value, T x)
{
#if COMPLEX
    from.re -= value.re * x.re - value.im * x.im;
    from.im -= value.re * x.im + value.im * x.re;
    return from;
#else
    return from - value * x;
#endif
}

/* What row i has on the right: of L x, of U the row of D^-1 y that L left. */
INLINED T right_side(const solve_args *call, bool upper, int64_t i)
{
    T from = ((const T *)(upper ? call->y : call->x))[i];
    if (upper)
        put_multiple(((const T *)call->inverse)[i], &from, &from);
    return from;
}

/* Rows at places [begin, end), one after the other. */
INLINED void solve_places(const solve_args *call, const half *h, bool upper, int64_t begin,
                          int64_t end, bool wide)
{
    const T *value = h->rows.value;
    const void *column = h->rows.column;
    T *y = call->y, newest = {0};
    int64_t from = begin < end ? index_at(h->rows.start, begin, wide) : 0, newest_row = -1;
    for (int64_t p = begin; p < end; p++) {
        const int64_t to = index_at(h->rows.start, p + 1, wide);
        const int64_t i = h->rows.order != NULL ? index_at(h->rows.order, p, wide)
                          : upper               ? call->n - 1 - p
                                                : p;
        T rest = right_side(call, upper, i);
        for (int64_t e = from; e < to - 1; e++)
            rest = without(rest, value[e], y[index_at(column, e, wide)]);
        if (from < to) {
            const int64_t last = index_at(column, to - 1, wide);
            rest = without(rest, value[to - 1], last == newest_row ? newest : y[last]);
        }
        y[i] = newest = rest;
        newest_row = i;
        from = to;
    }
}

/* ---- A team ---- */

typedef struct job {
    const solve_args *call;
    int level; /* of parallel regions around the call */
} job;

static void meet(int threads)
{
    if (threads > 1) {
#pragma omp barrier
    }
}

INLINED void solve_half(const solve_args *call, const half *h, bool upper, int thread, int threads,
                        bool wide)
{
    if (h->phase == NULL) {
        if (thread == 0)
            solve_places(call, h, upper, 0, call->n, wide);
        meet(threads);
    }
    for (int64_t k = 0; k < h->phases; k++) {
        const gbl_factor_phase *phase = &h->phase[k];
        const int64_t begin = h->level[phase->first], end = h->level[phase->end];
        if (phase->wide) {
            const int64_t share = (end - begin + threads - 1) / threads;
            const int64_t first = begin + thread * share, last = first + share;
            if (first < end)
                solve_places(call, h, upper, first, last < end ? last : end, wide);
        } else if (thread == 0) {
            solve_places(call, h, upper, begin, end, wide);
        }
        meet(threads);
    }
}

INLINED void solve(const solve_args *call, int thread, int threads, bool wide)
{
    solve_half(call, &call->lower, false, thread, threads, wide);
    solve_half(call, &call->upper, true, thread, threads, wide);
}

static void solve_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const job *at = given;
    (void)begin, (void)end; /* levels are shared out instead */
    const int threads = omp_get_level() == at->level ? 1 : omp_get_num_threads();
    if (at->call->index_bytes == 8)
        solve(at->call, piece, threads, true);
    else
        solve(at->call, piece, threads, false);
}

/* gbl_cpu_sfactor_solve gbl_cpu_dfactor_solve gbl_cpu_cfactor_solve gbl_cpu_zfactor_solve */
GBL_CPU_TASK(PRIVATE(factor_solve))
{
    (void)queue, (void)stream, (void)message;
    const solve_args *call = args;
    job at = {call, omp_get_level()};
    if (call->lower.phase == NULL && call->upper.phase == NULL)
        solve_piece(&at, 0, 0, call->n);
    else
        gbl_cpu_share(call->n, sizeof(T), call->bytes / (call->n > 0 ? call->n : 1) + 1,
                      solve_piece, &at);
    return GABLE_OK;
}
