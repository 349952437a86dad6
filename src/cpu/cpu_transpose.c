/* cpu_transpose.c: C := op(A) on the cpu, with OpenMP; also where C is A.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A thread owns columns of C, or rows of it where there are more, and takes them in bands
 * (cpu_turn.h). In place, a thread owns pairs of tiles that are each other's mirror image: both go
 * into buffers before either is written. A copy is memcpy, column by column.
 */
#include "cpu/cpu_turn.h"

typedef struct turn_job {
    const T *A; /* n by m */
    T *C;
    int64_t m, n, lda, ldc; /* m by n is C */
    bool conj, past;
} turn_job;

/* ---- to another place ---- */

/* Columns of C that are written side by side: as many as make long runs of X to read. Where columns
 * of C are whole pages apart, their lines meet in few sets of the caches, and fewer columns at a
 * time are faster. Two cores of a Neoverse V1, 2026-11, GB/s: d with 4096 rows 62 with 128 columns,
 * 40 with 512; with 4136 rows to the next column 61 with 128, 92 with 1024, 83 with 2048; s with
 * 4096 rows 43 with 64, 41 with 1024; with 4176 to the next column 60 with 64, 77 with 1024, 81
 * with 2048. */
#define PAGE_BYTES 4096
#define LONG_RUN   ((int64_t)(8192 / sizeof(T)))
#if defined(PREC_S)
#define SHORT_RUN 64
#else
#define SHORT_RUN 128
#endif

static int64_t band_of(const turn_job *job)
{
    return (size_t)job->ldc * sizeof(T) % PAGE_BYTES == 0 ? SHORT_RUN : LONG_RUN;
}

/* Rows [top, bottom) of columns [left, right) of C. */
static void turn_range(const turn_job *job, int64_t top, int64_t bottom, int64_t left,
                       int64_t right)
{
    const int64_t band = band_of(job);
    for (int64_t j = left; j < right; j += band)
        turn_block(job->A + j + top * job->lda, job->lda, bottom - top,
                   right - j < band ? right - j : band, job->conj, job->C + top + j * job->ldc,
                   job->ldc, job->past);
    turn_done();
}

static void turn_columns(void *given, int piece, int64_t begin, int64_t end)
{
    const turn_job *job = given;
    (void)piece;
    turn_range(job, 0, job->m, begin, end);
}

static void turn_rows(void *given, int piece, int64_t begin, int64_t end)
{
    const turn_job *job = given;
    (void)piece;
    turn_range(job, begin, end, 0, job->n);
}

static void turn(turn_job *job)
{
    const int64_t elem = (int64_t)sizeof(T);
    if (job->n >= job->m)
        gbl_cpu_share(job->n, elem, 2 * elem * job->m, turn_columns, job);
    else
        gbl_cpu_share(job->m, elem, 2 * elem * job->n, turn_rows, job);
}

/* ---- in place ---- */

/* Two tiles fit into the first-level cache. */
#define SIDE ((int64_t)(256 / sizeof(T)))

static int64_t side_at(int64_t n, int64_t i)
{
    return n - i < SIDE ? n - i : SIDE;
}

/* Row i of the lower triangle of tiles has i + 1 of them; pairs are numbered row by row. */
static void swap_pairs(void *given, int piece, int64_t begin, int64_t end)
{
    const turn_job *job = given;
    const int64_t ld = job->ldc;
    T lower[SIDE * SIDE], upper[SIDE * SIDE];
    int64_t row = 0, first = 0;
    (void)piece;
    while (first + row + 1 <= begin) {
        first += row + 1;
        row++;
    }
    for (int64_t pair = begin, column = begin - first; pair < end; pair++) {
        const int64_t i = row * SIDE, j = column * SIDE;
        const int64_t rows = side_at(job->n, i), columns = side_at(job->n, j);
        T *here = job->C + i + j * ld, *there = job->C + j + i * ld;
        turn_block(there, ld, rows, columns, job->conj, lower, SIDE, false);
        if (i != j)
            turn_block(here, ld, columns, rows, job->conj, upper, SIDE, false);
        for (int64_t q = 0; q < columns; q++)
            memcpy(here + q * ld, lower + q * SIDE, (size_t)rows * sizeof(T));
        for (int64_t q = 0; i != j && q < rows; q++)
            memcpy(there + q * ld, upper + q * SIDE, (size_t)columns * sizeof(T));
        if (++column > row) {
            row++;
            column = 0;
        }
    }
}

static void turn_in_place(turn_job *job)
{
    const int64_t tiles = (job->n + SIDE - 1) / SIDE, pairs = tiles * (tiles + 1) / 2;
    const int64_t bytes = 4 * SIDE * SIDE * (int64_t)sizeof(T);
    gbl_cpu_share(pairs, GBL_CPU_LINE, bytes, swap_pairs, job);
}

/* ---- a copy ---- */

static void copy_columns(void *given, int piece, int64_t begin, int64_t end)
{
    const turn_job *job = given;
    (void)piece;
    for (int64_t j = begin; j < end; j++)
        memcpy(job->C + j * job->ldc, job->A + j * job->lda, (size_t)job->m * sizeof(T));
}

static void copy_rows(void *given, int piece, int64_t begin, int64_t end)
{
    const turn_job *job = given;
    (void)piece;
    for (int64_t j = 0; j < job->n; j++)
        memcpy(job->C + begin + j * job->ldc, job->A + begin + j * job->lda,
               (size_t)(end - begin) * sizeof(T));
}

static void copy(turn_job *job)
{
    const int64_t elem = (int64_t)sizeof(T);
    if (job->lda == job->m && job->ldc == job->m) {
        job->m *= job->n;
        job->n = 1;
    }
    if (job->n >= omp_get_max_threads())
        gbl_cpu_share(job->n, GBL_CPU_LINE, 2 * elem * job->m, copy_columns, job);
    else
        gbl_cpu_share(job->m, elem, 2 * elem * job->n, copy_rows, job);
}

/* gbl_cpu_stranspose_omp gbl_cpu_dtranspose_omp gbl_cpu_ctranspose_omp gbl_cpu_ztranspose_omp */
GBL_CPU_TASK(PRIVATE(transpose_omp))
{
    const gbl_matrix_args *call = args;
    const bool turned = call->trans != GABLE_NO_TRANS;
    turn_job job = {.A = call->A,
                    .C = call->C,
                    .m = turned ? call->n : call->m,
                    .n = turned ? call->m : call->n,
                    .lda = call->lda,
                    .ldc = call->ldc,
                    .conj = call->trans == GABLE_CONJ_TRANS,
                    .past = turn_goes_past(call->m, call->n)};
    (void)queue, (void)stream, (void)message;
    if (job.m <= 0 || job.n <= 0)
        return GABLE_OK;
    if (!turned)
        copy(&job);
    else if (call->A == call->C)
        turn_in_place(&job);
    else
        turn(&job);
    return GABLE_OK;
}
