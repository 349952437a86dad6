/* cpu_geam.c: C := alpha op(A) + beta op(B) on the cpu, with OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * C is made in runs of a column. An operand that is not transposed is read where it stands, beside
 * C. One that is becomes C first (cpu_turn.h); where both are, or C is the other operand, it comes
 * in tiles, whose columns then are such runs. So one loop adds them all. An operand whose factor is
 * zero is not there.
 */
#include "cpu/cpu_turn.h"

/* A tile of C where something is turned: a cache line of so many columns, as in cpu_transpose.c. */
#define RUN  LINE
#define BAND 64

/* Columns of C that are turned before the other operand is added: runs of A as long as in
 * cpu_transpose.c. C is then read once more; but whoever reads the other operand tile by tile reads
 * a cache line here and one there (two cores of a Neoverse V1, 2026-11, n = 10000, GB/s: s 47 and
 * 34, d 49 and 34). Parts of these columns that stay in a cache did not pay: their runs are too
 * short (20 to 35). */
#define TURNED_COLUMNS ((int64_t)(8192 / sizeof(T)))

/* Rows per run where nothing is. */
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

/* The same where one operand is turned: into C itself first. */
static void add_turned(const geam_job *job, int64_t top, int64_t bottom, int64_t left,
                       int64_t right)
{
    const operand *t = job->a.turned ? &job->a : &job->b, *o = job->a.turned ? &job->b : &job->a;
    for (int64_t j = left; j < right; j += TURNED_COLUMNS) {
        const int64_t end = right - j < TURNED_COLUMNS ? right : j + TURNED_COLUMNS;
        turn_block(t->at + j + top * t->ld, t->ld, bottom - top, end - j, t->conj,
                   job->C + top + j * job->ldc, job->ldc, false);
        for (int64_t q = j; q < end; q++) {
            T *c = job->C + top + q * job->ldc;
            combine(t->factor, c, o->factor, o->at == NULL ? NULL : o->at + top + q * o->ld,
                    bottom - top, c);
        }
    }
}

/* C may be an operand that is not turned. */
static void add_part(const geam_job *job, int64_t top, int64_t bottom, int64_t left, int64_t right)
{
    const bool one = job->a.turned != job->b.turned;
    if (one && job->a.at != job->C && job->b.at != job->C)
        add_turned(job, top, bottom, left, right);
    else
        add_range(job, top, bottom, left, right);
}

static void add_columns(void *given, int piece, int64_t begin, int64_t end)
{
    const geam_job *job = given;
    (void)piece;
    add_part(job, 0, job->m, begin, end);
}

static void add_rows(void *given, int piece, int64_t begin, int64_t end)
{
    const geam_job *job = given;
    (void)piece;
    add_part(job, begin, end, 0, job->n);
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
