/* cpu_sparse.c: Y := alpha A X + beta Y on the cpu, for sparse A in any format and one or several
 * columns.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads own rows, about as many entries each. A block of rows is multiplied with all columns of X
 * before the next one: its entries come from memory once.
 *
 * Very long rows of CSR are shared. They are cut where entries have numbers that are multiples of
 * CELL, each thread adds up the parts that begin within its entries, and the parts of a row are
 * added in their order behind all of that. So the cuts and the result do not depend on how many
 * threads there are.
 */
#include <stdlib.h>
#include "cpu/cpu_sparse.h"
#include "cpu/cpu_sparse_rows.h"

/* A row this long takes one core some 50 us (a Xeon, 2026-11): as much as ten forks. */
#define LONG_ROW ((int64_t)65536)
#define CELL     ((int64_t)16384)

/* What a cell has of long rows: a part of one that began before it, and of one that begins in it.
 */
typedef struct sparse_cell {
    int64_t begins; /* the row that begins here; -1: none */
    int64_t end;    /* of that row: behind its last entry */
} sparse_cell;

typedef struct sparse_job {
    const gbl_sparse_args *call;
    T alpha, beta;
    sparse_cell *cells; /* NULL: there are no long rows */
    T *parts;           /* of each cell k sums of either kind */
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

INLINED bool is_long(const gbl_sparse_layout *A, int64_t i, bool wide)
{
    return index_at(A->start, i + 1, wide) - index_at(A->start, i, wide) >= LONG_ROW;
}

/* The part of a row in a cell: entries [begin, end). */
INLINED void sum_part(const sparse_job *job, int64_t begin, int64_t end, bool wide, T *parts)
{
    const gbl_sparse_args *call = job->call;
    const int64_t far[2] = {begin, end};
    const int32_t near[2] = {(int32_t)begin, (int32_t)end};
    gbl_sparse_layout part = call->A;
    part.start = wide ? (const void *)far : (const void *)near;
    part.rows = 1;
    part.entries = end - begin;
    for (int64_t c = 0; c < call->k; c++)
        sum_csr(&part, 0, 1, (const T *)call->x + c * call->ldx, call->conj, wide, parts + c);
}

/* The parts of long rows that begin within units [begin, end). */
INLINED void multiply_long(const sparse_job *job, int64_t begin, int64_t end, bool wide)
{
    const gbl_sparse_layout *A = &job->call->A;
    const int64_t k = job->call->k, first = place_of_unit(A, begin, wide);
    for (int64_t i = first > 0 ? first - 1 : 0; i < A->rows && units_before(A, i, wide) < end;
         i++) {
        const int64_t from = index_at(A->start, i, wide), to = index_at(A->start, i + 1, wide);
        if (to - from < LONG_ROW)
            continue;
        for (int64_t at = from; at < to; at = (at / CELL + 1) * CELL) {
            const int64_t cell = at / CELL, next = (cell + 1) * CELL;
            if (at + i < begin || at + i >= end)
                continue;
            T *const parts = job->parts + (2 * cell + (at == from)) * k;
            if (at == from) {
                job->cells[cell].begins = i;
                job->cells[cell].end = to;
            }
            sum_part(job, at, next < to ? next : to, wide, parts);
        }
    }
}

/* Adds up the parts of each long row. */
static void finish_long(const sparse_job *job, int64_t cells)
{
    const gbl_sparse_args *call = job->call;
    const int64_t k = call->k;
    for (int64_t cell = 0; cell < cells; cell++) {
        const int64_t row = job->cells[cell].begins;
        for (int64_t c = 0; row >= 0 && c < k; c++) {
            T *const y = (T *)call->y + c * call->ldy + row;
            T sum = job->parts[(2 * cell + 1) * k + c];
            for (int64_t next = cell + 1; next * CELL < job->cells[cell].end; next++) {
                const T *part = job->parts + 2 * next * k + c;
#if COMPLEX
                sum.re += part->re;
                sum.im += part->im;
#else
                sum += *part;
#endif
            }
            if (is_zero(job->beta))
                put_multiple(job->alpha, &sum, y);
            else
                put_combination(job->alpha, &sum, job->beta, y, y);
        }
    }
}

/* The row behind the block that begins at i: before a long row, which is not in it. */
INLINED int64_t end_of_block(const sparse_job *job, int64_t i, int64_t end, bool wide)
{
    int64_t last = end - i < PLACES ? end : i + PLACES;
    if (job->cells == NULL)
        return last;
    for (int64_t r = i; r < last; r++)
        if (is_long(&job->call->A, r, wide))
            return r;
    return last;
}

/* Rows at places [begin, end), in blocks. */
INLINED void multiply_places(const sparse_job *job, int64_t begin, int64_t end, bool wide)
{
    const gbl_sparse_args *call = job->call;
    const bool direct = is_one(job->alpha) && is_zero(job->beta) && call->A.order == NULL;
    T sum[PLACES];
    int64_t cursor = begin < end ? cursor_at(&call->A, begin, wide) : 0, last;
    for (int64_t i = begin; i < end; i = last) {
        const int64_t here = cursor;
        last = end_of_block(job, i, end, wide);
        if (last == i) { /* a long row: multiply_long */
            last++;
            continue;
        }
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
    if (job->cells != NULL && A->index_bytes == 8)
        multiply_long(job, begin, end, true);
    else if (job->cells != NULL)
        multiply_long(job, begin, end, false);
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

/* Room for the parts of long rows, where there are some. */
static gable_status take_cells(sparse_job *job, int64_t cells, gbl_message *message)
{
    const size_t k = (size_t)job->call->k;
    job->cells = malloc((size_t)cells * sizeof *job->cells);
    job->parts = malloc(2 * (size_t)cells * k * sizeof *job->parts);
    if (job->cells == NULL || job->parts == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY,
                        "no host memory for the sums of %lld parts of long rows", (long long)cells);
    for (int64_t cell = 0; cell < cells; cell++)
        job->cells[cell].begins = -1;
    return GABLE_OK;
}

/* gbl_cpu_ssparse_mv gbl_cpu_dsparse_mv gbl_cpu_csparse_mv gbl_cpu_zsparse_mv */
GBL_CPU_TASK(PRIVATE(sparse_mv))
{
    (void)queue, (void)stream;
    const gbl_sparse_args *call = args;
    const int64_t cells = call->A.entries / CELL + 1;
    gable_status status = GABLE_OK;
    sparse_job job = {call, read_scalar(&call->alpha), read_scalar(&call->beta), NULL, NULL};
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
    if (call->A.format == GABLE_CSR && call->A.longest >= LONG_ROW)
        status = take_cells(&job, cells, message);
    if (status == GABLE_OK) {
        gbl_cpu_share(units, GBL_CPU_LINE, bytes / units + 1, multiply_piece, &job);
        if (job.cells != NULL)
            finish_long(&job, cells);
    }
    free(job.cells);
    free(job.parts);
    return status;
}
