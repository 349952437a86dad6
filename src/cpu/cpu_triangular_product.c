/* cpu_triangular_product.c: B := alpha op(A) B, alpha B op(A) (trmm) and their inverses (trsm) on
 * the cpu, with OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines of B, its columns where A is on the left and its rows otherwise, have nothing to do with
 * each other: each thread has some of them. A triangle is two triangles of half its size and a
 * square block between them. The halves are done by the same function, in the order that the data
 * flow asks for, and the block is a product (cpu_product.c). Triangles of at most LEAF rows are
 * done in place: several lines at a time are laid side by side, and each of their elements is a sum
 * of products or, in solves, that divided by the diagonal. So the bound of substitution holds
 * (Higham, Accuracy and Stability, 8.1), and no inverse is ever formed.
 */
#include <stdlib.h>
#include "cpu/cpu_product.h"

#define LEAF  32
#define PACKS 4              /* registers for one element of the lines that are done together */
#define LINES (PACKS * PACK) /* which are so many */

typedef struct triangular_job {
    factor_view A; /* the factor of a line: op(A) on the left, its transpose on the right */
    bool lower;    /* that factor is */
    bool unit, left, solves;
    int64_t order, lines; /* of A; columns or rows of B */
    T *B;
    int64_t ldb, next, line; /* elements from one of a line to the next, and from line to line */
    T alpha;
    int strips; /* lines are cut into so many */
    char *rooms;
    int64_t room_bytes;
} triangular_job;

static triangular_job triangular_job_of(const gbl_product_args *call, bool solves)
{
    const bool left = call->side == GABLE_LEFT;
    triangular_job job = {.A = view_of(call->A, call->lda, call->trans),
                          .unit = call->diag == GABLE_UNIT,
                          .left = left,
                          .solves = solves,
                          .order = left ? call->m : call->n,
                          .lines = left ? call->n : call->m,
                          .B = call->B,
                          .ldb = call->ldb,
                          .next = left ? 1 : call->ldb,
                          .line = left ? call->ldb : 1,
                          .alpha = read_scalar(&call->alpha)};
    if (!left)
        job.A.transposed = !job.A.transposed;
    job.lower = (call->uplo == GABLE_LOWER) != job.A.transposed;
    return job;
}

/* Lines [begin, end) of B. */
typedef struct strip {
    const triangular_job *job;
    int64_t begin, end;
    void *room;
} strip;

/* ---- leaves ---- */

/* A triangle on the diagonal, row by row, parts of complex numbers apart, and a few lines beside
 * it. */
typedef struct leaf {
    R a[REALS][LEAF][LEAF];
    R x[REALS][LEAF][LINES];
} leaf;

/* Solves take products out, so they have the triangle with its sign changed, but not its
 * diagonal. */
static void take_triangle(const triangular_job *job, int64_t first, int n, leaf *t)
{
    for (int i = 0; i < n; i++)
        for (int p = job->lower ? 0 : i; p < (job->lower ? i + 1 : n); p++) {
            T a = number(1);
            if (i != p || !job->unit)
                a = element_of(&job->A, first + i, first + p);
            if (i != p && job->solves)
                a = negative(a);
#if COMPLEX
            t->a[0][i][p] = a.re;
            t->a[1][i][p] = a.im;
#else
            t->a[0][i][p] = a;
#endif
        }
}

static void take_lines(const T *b, int64_t next, int64_t line, int n, int count, leaf *t)
{
    for (int i = 0; i < n; i++)
        for (int l = 0; l < LINES; l++) {
            const T value = l < count ? b[i * next + l * line] : number(0);
#if COMPLEX
            t->x[0][i][l] = value.re;
            t->x[1][i][l] = value.im;
#else
            t->x[0][i][l] = value;
#endif
        }
}

static T line_at(const leaf *t, int i, int l)
{
#if COMPLEX
    return (T){t->x[0][i][l], t->x[1][i][l]};
#else
    return t->x[0][i][l];
#endif
}

/* Adds a(i, p) times x(p) to the sums for p in [from, to). */
INLINED void add_terms(const leaf *t, int i, int from, int to, pack sum[REALS][PACKS])
{
    for (int p = from; p < to; p++) {
        const pack re = pack_of(t->a[0][i][p]);
#if COMPLEX
        const pack im = pack_of(t->a[1][i][p]), minus = pack_of(-t->a[1][i][p]);
#endif
#pragma GCC unroll 4
        for (int q = 0; q < PACKS; q++) {
            const pack x = pack_at(t->x[0][p] + q * PACK);
            sum[0][q] = pack_multiply_add(re, x, sum[0][q]);
#if COMPLEX
            const pack y = pack_at(t->x[1][p] + q * PACK);
            sum[0][q] = pack_multiply_add(minus, y, sum[0][q]);
            sum[1][q] = pack_multiply_add(re, y, sum[1][q]);
            sum[1][q] = pack_multiply_add(im, x, sum[1][q]);
#endif
        }
    }
}

INLINED void put_sums(leaf *t, int i, pack sum[REALS][PACKS])
{
#pragma GCC unroll 2
    for (int c = 0; c < REALS; c++)
#pragma GCC unroll 4
        for (int q = 0; q < PACKS; q++)
            *(pack *)(t->x[c][i] + q * PACK) = sum[c][q];
}

/* Elements that still have their old values give the new ones: from the end of a lower triangle
 * upwards. */
static void multiply_leaf(const triangular_job *job, int n, leaf *t)
{
    for (int step = 0; step < n; step++) {
        const int i = job->lower ? n - 1 - step : step;
        pack sum[REALS][PACKS] = {{{0}}};
        add_terms(t, i, job->lower ? 0 : i, job->lower ? i + 1 : n, sum);
        put_sums(t, i, sum);
    }
}

static void solve_leaf(const triangular_job *job, int n, leaf *t)
{
    for (int step = 0; step < n; step++) {
        const int i = job->lower ? step : n - 1 - step;
        pack sum[REALS][PACKS];
#pragma GCC unroll 2
        for (int c = 0; c < REALS; c++)
#pragma GCC unroll 4
            for (int q = 0; q < PACKS; q++)
                sum[c][q] = pack_at(t->x[c][i] + q * PACK);
        add_terms(t, i, job->lower ? 0 : i + 1, job->lower ? i : n, sum);
        put_sums(t, i, sum);
        for (int l = 0; !job->unit && l < LINES; l++) {
#if COMPLEX
            const T x = quotient(line_at(t, i, l), (T){t->a[0][i][i], t->a[1][i][i]});
            t->x[0][i][l] = x.re;
            t->x[1][i][l] = x.im;
#else
            t->x[0][i][l] /= t->a[0][i][i];
#endif
        }
    }
}

static void do_leaf(const strip *s, int64_t first, int n)
{
    const triangular_job *job = s->job;
    leaf t;
    take_triangle(job, first, n, &t);
    for (int64_t l = s->begin; l < s->end; l += LINES) {
        T *const b = job->B + l * job->line + first * job->next;
        const int count = s->end - l < LINES ? (int)(s->end - l) : LINES;
        take_lines(b, job->next, job->line, n, count, &t);
        if (job->solves)
            solve_leaf(job, n, &t);
        else
            multiply_leaf(job, n, &t);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < count; k++) {
                const T x = line_at(&t, i, k);
                if (job->solves)
                    b[i * job->next + k * job->line] = x;
                else
                    put_multiple(job->alpha, &x, b + i * job->next + k * job->line);
            }
    }
}

/* ---- halves ---- */

/* Elements [to, to + rows) of the lines get alpha times the block of A beside elements [from, from
 * + terms). */
static void add_block(const strip *s, int64_t to, int64_t rows, int64_t from, int64_t terms)
{
    const triangular_job *job = s->job;
    factor_view block = job->A;
    block.at = place_of(&job->A, to, from);
    const factor_view lines = {.at = job->B + s->begin * job->line + from * job->next,
                               .ld = job->ldb};
    product_job p = {.a = block,
                     .b = lines,
                     .m = rows,
                     .n = s->end - s->begin,
                     .k = terms,
                     .C = job->B + s->begin * job->line + to * job->next,
                     .ldc = job->ldb,
                     .alpha = job->solves ? number(-1) : job->alpha,
                     .beta = number(1)};
    if (!job->left) {
        block.transposed = !block.transposed;
        p.a = lines;
        p.b = block;
        p.m = s->end - s->begin;
        p.n = rows;
    }
    PRIVATE(product_within)(&p, s->room);
}

static void do_triangle(const strip *s, int64_t first, int64_t n)
{
    if (n <= LEAF) {
        do_leaf(s, first, (int)n);
        return;
    }
    const int64_t half = (n / 2 + LEAF - 1) / LEAF * LEAF, middle = first + half, rest = n - half;
    if (s->job->lower == s->job->solves) {
        do_triangle(s, first, half);
        if (s->job->solves)
            add_block(s, middle, rest, first, half);
        else
            add_block(s, first, half, middle, rest);
        do_triangle(s, middle, rest);
    } else {
        do_triangle(s, middle, rest);
        if (s->job->solves)
            add_block(s, first, half, middle, rest);
        else
            add_block(s, middle, rest, first, half);
        do_triangle(s, first, half);
    }
}

/* ---- lines ---- */

static void clear_lines(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const triangular_job *job = given;
    const int64_t m = job->left ? job->order : job->lines;
    for (int64_t j = begin; j < end; j++)
        memset(job->B + j * job->ldb, 0, (size_t)m * sizeof(T));
}

static void scale_lines(const strip *s)
{
    const triangular_job *job = s->job;
    const int64_t row = job->left ? 0 : s->begin, end_row = job->left ? job->order : s->end,
                  column = job->left ? s->begin : 0, end_column = job->left ? s->end : job->order;
    for (int64_t j = column; j < end_column; j++)
        for (int64_t i = row; i < end_row; i++)
            put_multiple(job->alpha, job->B + i + j * job->ldb, job->B + i + j * job->ldb);
}

static int64_t strip_begin(const triangular_job *job, int64_t t)
{
    const int64_t groups = (job->lines + LINES - 1) / LINES;
    const int64_t lines = (groups * t / job->strips) * LINES;
    return lines < job->lines ? lines : job->lines;
}

static void do_strips(void *given, int piece, int64_t begin, int64_t end)
{
    const triangular_job *job = given;
    for (int64_t t = begin; t < end; t++) {
        const strip s = {.job = job,
                         .begin = strip_begin(job, t),
                         .end = strip_begin(job, t + 1),
                         .room = job->rooms == NULL ? NULL : job->rooms + piece * job->room_bytes};
        if (s.begin >= s.end)
            continue;
        if (job->solves && !is_one(job->alpha))
            scale_lines(&s);
        do_triangle(&s, 0, job->order);
    }
}

static gable_status run(triangular_job *job, gbl_message *message)
{
    if (job->order <= 0 || job->lines <= 0)
        return GABLE_OK;
    if (is_zero(job->alpha)) {
        const int64_t m = job->left ? job->order : job->lines;
        gbl_cpu_share(job->left ? job->lines : job->order, GBL_CPU_LINE,
                      (m < 1 << 20 ? m : 1 << 20) * (int64_t)sizeof(T), clear_lines, job);
        return GABLE_OK;
    }
    const double order = (double)job->order;
    const int64_t groups = (job->lines + LINES - 1) / LINES;
    job->strips = PRIVATE(product_threads)(order * order / 2 * (double)job->lines);
    if (groups < job->strips)
        job->strips = (int)groups;
    if (job->order > LEAF) {
        const int64_t wide = (groups / job->strips + 1) * LINES;
        job->room_bytes = PRIVATE(product_room)(job->left ? job->order : wide,
                                                job->left ? wide : job->order, job->order);
        job->rooms = aligned_alloc(GBL_CPU_LINE, (size_t)(job->room_bytes * job->strips));
        if (job->rooms == NULL)
            return gbl_fail(message, GABLE_OUT_OF_MEMORY,
                            "no host memory for the panels of a product");
    }
    gbl_cpu_share(job->strips, GBL_CPU_LINE, (int64_t)1 << 20, do_strips, job);
    free(job->rooms);
    return GABLE_OK;
}

/* gbl_cpu_strmm_omp gbl_cpu_dtrmm_omp gbl_cpu_ctrmm_omp gbl_cpu_ztrmm_omp */
GBL_CPU_TASK(PRIVATE(trmm_omp))
{
    (void)queue, (void)stream;
    triangular_job job = triangular_job_of(args, false);
    return run(&job, message);
}

/* gbl_cpu_strsm_omp gbl_cpu_dtrsm_omp gbl_cpu_ctrsm_omp gbl_cpu_ztrsm_omp */
GBL_CPU_TASK(PRIVATE(trsm_omp))
{
    (void)queue, (void)stream;
    triangular_job job = triangular_job_of(args, true);
    return run(&job, message);
}
