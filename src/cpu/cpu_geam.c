/* cpu_geam.c: C := alpha op(A) + beta op(B) on the cpu, with OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * C is made in runs of a column. An operand that is not transposed is read where it stands, beside C; one
 * that is comes in tiles (cpu_turn.h), whose columns then are such runs. So one loop adds them all.
 * An operand whose factor is zero is not there.
 */
#include "cpu/cpu_turn.h"

/* A tile of C where something is turned: a cache line of so many columns, as in cpu_transpose.c. */
#define RUN  LINE
#define BAND 64

/* Rows a run where nothing is. */
#define LONG_RUN ((int64_t)(32768 / sizeof(T)))

typedef struct operand {
    const T *at; /* NULL: the factor is zero */
    int64_t ld;
    bool turned, conj;
    T factor;
} operand;

typedef struct geam_job {
    operand a, b;
    T *C;
    int64_t m, n, ldc;
} geam_job;

/* C := alpha x + beta y; x or y NULL: the factor is zero. */
static void combine(T alpha, const T *x, T beta, const T *y, int64_t n, T *c)
{
    if (x != NULL && y != NULL) {
        for (int64_t i = 0; i < n; i++)
            put_combination(alpha, x + i, beta, y + i, c + i);
    } else if (x != NULL) {
        for (int64_t i = 0; i < n; i++)
            put_multiple(alpha, x + i, c + i);
    } else if (y != NULL) {
        for (int64_t i = 0; i < n; i++)
            put_multiple(beta, y + i, c + i);
    } else {
        memset(c, 0, (size_t)n * sizeof(T));
    }
}

/* An operand's share in the tile of C at (i, j): a turned one is brought. */
static void bring(const operand *o, int64_t i, int64_t j, int64_t rows, int64_t columns, T *tile)
{
    if (o->at != NULL && o->turned)
        turn_block(o->at + j + i * o->ld, o->ld, rows, columns, o->conj, tile, RUN, false);
}

/* Column q of it. */
static const T *run_of(const operand *o, int64_t i, int64_t j, int64_t q, const T *tile)
{
    if (o->at == NULL)
        return NULL;
    return o->turned ? tile + q * RUN : o->at + i + (j + q) * o->ld;
}

/* Rows [top, bottom) of columns [left, right) of C. */
static void add_range(const geam_job *job, int64_t top, int64_t bottom, int64_t left, int64_t right)
{
    const bool tiled = job->a.turned || job->b.turned;
    const int64_t run = tiled ? RUN : LONG_RUN, band = tiled ? BAND : 1;
    T a[RUN * BAND], b[RUN * BAND];
    for (int64_t j = left; j < right; j += band) {
        const int64_t columns = right - j < band ? right - j : band;
        for (int64_t i = top; i < bottom; i += run) {
            const int64_t rows = bottom - i < run ? bottom - i : run;
            bring(&job->a, i, j, rows, columns, a);
            bring(&job->b, i, j, rows, columns, b);
            for (int64_t q = 0; q < columns; q++)
                combine(job->a.factor, run_of(&job->a, i, j, q, a), job->b.factor,
                        run_of(&job->b, i, j, q, b), rows, job->C + i + (j + q) * job->ldc);
        }
    }
}

static void add_columns(void *given, int piece, int64_t begin, int64_t end)
{
    const geam_job *job = given;
    (void)piece;
    add_range(job, 0, job->m, begin, end);
}

static void add_rows(void *given, int piece, int64_t begin, int64_t end)
{
    const geam_job *job = given;
    (void)piece;
    add_range(job, begin, end, 0, job->n);
}

static operand operand_of(const void *at, int64_t ld, gable_trans trans, const gbl_scalar *scalar)
{
    const T value = read_scalar(scalar);
    if (is_zero(value))
        return (operand){.factor = value};
    return (operand){at, ld, trans != GABLE_NO_TRANS, trans == GABLE_CONJ_TRANS, value};
}

static bool is_one_column(const operand *o, int64_t m)
{
    return o->at == NULL || (!o->turned && o->ld == m);
}

/* gbl_cpu_sgeam_omp gbl_cpu_dgeam_omp gbl_cpu_cgeam_omp gbl_cpu_zgeam_omp */
GBL_CPU_TASK(PRIVATE(geam_omp))
{
    const gbl_matrix_args *call = args;
    const int64_t elem = (int64_t)sizeof(T);
    geam_job job = {.a = operand_of(call->A, call->lda, call->trans, &call->alpha),
                    .b = operand_of(call->B, call->ldb, call->trans_b, &call->beta),
                    .C = call->C,
                    .m = call->m,
                    .n = call->n,
                    .ldc = call->ldc};
    (void)queue, (void)stream, (void)message;
    if (job.m <= 0 || job.n <= 0)
        return GABLE_OK;
    if (job.ldc == job.m && is_one_column(&job.a, job.m) && is_one_column(&job.b, job.m)) {
        job.m *= job.n;
        job.n = 1;
    }
    if (job.n >= job.m)
        gbl_cpu_share(job.n, elem, 3 * elem * job.m, add_columns, &job);
    else
        gbl_cpu_share(job.m, elem, 3 * elem * job.n, add_rows, &job);
    return GABLE_OK;
}
