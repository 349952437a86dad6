/* cpu_norm.c: norms of matrices on the cpu, with OpenMP: lange, lansy, lanhe, lantr.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix is read once, in slices that threads share: contiguous columns, a few columns in turn
 * where a triangle makes them unequal, or rows where columns are few or sums of rows are asked for.
 * Where a line (a column or row) is cut, each slice leaves its sums in `room`, and they are added
 * up in the order of slices. How many slices there are does not depend on the threads that happen
 * to be there. Moduli of complex numbers are roots of sums of squares, block by block; a block with
 * squares out of range is done again with hypot.
 */
#include "cpu/cpu_squares.h"

#define CHUNK 512 /* rows whose sums are kept in the first-level cache */

typedef struct norm_job {
    const gbl_cpu_norm_args *args;
    const gbl_product_args *call;
    bool by_rows; /* slices have rows, not columns */
    bool cut;     /* lines are cut: sums go to `room` */
    int64_t lines;
    R most[GBL_CPU_NORM_SLICES];
    partial squares[GBL_CPU_NORM_SLICES];
} norm_job;

/* ---- Moduli ---- */

#if COMPLEX
#if defined(PREC_C)
#define SQUARE_LOW  0x1p-100f
#define SQUARE_HIGH 0x1p120f
#define ROOT(x)     sqrtf(x)
#define MODULUS(x)  hypotf((x).re, (x).im)
#else
#define SQUARE_LOW  0x1p-960
#define SQUARE_HIGH 0x1p1000
#define ROOT(x)     sqrt(x)
#define MODULUS(x)  hypot((x).re, (x).im)
#endif

/* hypot of an infinity and a NaN is infinite. */
static R careful_size(T x)
{
    return x.re != x.re || x.im != x.im ? x.re + x.im : MODULUS(x);
}

/* Moduli of n elements. */
static void sizes_of(int64_t n, const T *restrict x, R *restrict sizes)
{
    R outside = 0;
#pragma omp simd reduction(+ : outside)
    for (int64_t i = 0; i < n; i++) {
        const R square = x[i].re * x[i].re + x[i].im * x[i].im;
        const bool zero = x[i].re == 0 && x[i].im == 0;
        outside += (square > SQUARE_LOW && square < SQUARE_HIGH) || zero ? 0 : 1;
        sizes[i] = ROOT(square);
    }
    if (outside > 0)
        for (int64_t i = 0; i < n; i++)
            sizes[i] = careful_size(x[i]);
}
#else
static R careful_size(T x)
{
    return (R)fabs(x);
}
#endif

static R larger(R a, R b)
{
    return b > a || b != b ? b : a;
}

/* The largest of n numbers. Comparisons lose NaN, so these are counted. */
static R most_of(int64_t n, const R *restrict x)
{
    R most = 0, nan = 0;
#pragma omp simd reduction(max : most) reduction(+ : nan)
    for (int64_t i = 0; i < n; i++) {
        const R size = (R)fabs(x[i]);
        most = size > most ? size : most;
        nan += size == size ? 0 : 1;
    }
    return nan > 0 ? (R)NAN : most;
}

static double sum_of(int64_t n, const R *restrict x)
{
    R sum[LANES] = {0};
    double all = 0;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
#pragma omp simd
        for (int k = 0; k < LANES; k++)
            sum[k] += (R)fabs(x[i + k]);
    }
    for (int k = 0; i < n; i++, k++)
        sum[k] += (R)fabs(x[i]);
    for (int k = 0; k < LANES; k++)
        all += (double)sum[k];
    return all;
}

/* The moduli of at most CHUNK elements: real ones as they are, with their signs. */
static const R *chunk_of(int64_t n, const T *x, R *buffer)
{
#if COMPLEX
    sizes_of(n, x, buffer);
    return buffer;
#else
    (void)n, (void)buffer;
    return x;
#endif
}

static R column_most(int64_t n, const T *x)
{
    R buffer[COMPLEX ? CHUNK : 1], most = 0;
    for (int64_t i = 0; i < n; i += CHUNK) {
        const int64_t count = n - i < CHUNK ? n - i : CHUNK;
        most = larger(most, most_of(count, chunk_of(count, x + i, buffer)));
    }
    return most;
}

static double column_sum(int64_t n, const T *x)
{
    R buffer[COMPLEX ? CHUNK : 1];
    double sum = 0;
    for (int64_t i = 0; i < n; i += CHUNK) {
        const int64_t count = n - i < CHUNK ? n - i : CHUNK;
        sum += sum_of(count, chunk_of(count, x + i, buffer));
    }
    return sum;
}

/* to[i] += |x_i|; gives the sum of them. */
static double column_add(int64_t n, const T *x, R *to)
{
    R buffer[COMPLEX ? CHUNK : 1];
    double all = 0;
    for (int64_t i = 0; i < n; i += CHUNK) {
        const int64_t count = n - i < CHUNK ? n - i : CHUNK;
        const R *sizes = chunk_of(count, x + i, buffer);
        R sum = 0, *const sums = to + i;
#pragma omp simd reduction(+ : sum)
        for (int64_t k = 0; k < count; k++) {
            const R size = (R)fabs(sizes[k]);
            sums[k] += size;
            sum += size;
        }
        all += (double)sum;
    }
    return all;
}

/* ---- Slices ---- */

/* What slice number s has of rows, or of columns: without a triangle they lie together. */
static void range_of(const norm_job *job, int64_t count, int s, int64_t *begin, int64_t *end)
{
    const int64_t slices = job->args->slices, each = (count + slices - 1) / slices;
    *begin = each * s < count ? each * s : count;
    *end = *begin + each < count ? *begin + each : count;
}

#define TURN 16 /* columns of a triangle that a slice has in turn */

/* The next column of a slice behind j, or its first where j is -1. */
static int64_t next_column(const norm_job *job, int s, int64_t j)
{
    const int64_t n = job->call->n, slices = job->args->slices;
    if (job->by_rows)
        return j + 1;
    if (job->args->part == GABLE_GENERAL) {
        int64_t begin, end;
        range_of(job, n, s, &begin, &end);
        const int64_t next = j < 0 ? begin : j + 1;
        return next < end ? next : n;
    }
    if (j < 0)
        return TURN * s;
    return (j + 1) % TURN != 0 ? j + 1 : j + 1 + TURN * (slices - 1);
}

/* The rows of column j that are read, between those of the slice. */
static int64_t rows_of(const norm_job *job, int64_t j, int64_t begin, int64_t end, int64_t *first)
{
    const gbl_product_args *call = job->call;
    const int64_t skip = job->args->diagonal_apart; /* 1: without the diagonal */
    int64_t from = begin, to = end;
    if (job->args->part == GABLE_LOWER && j + skip > from)
        from = j + skip;
    if (job->args->part == GABLE_UPPER && j + 1 - skip < to)
        to = j + 1 - skip;
    to = to < call->m ? to : call->m;
    *first = from;
    return to > from ? to - from : 0;
}

static const T *element(const norm_job *job, int64_t i, int64_t j)
{
    return (const T *)job->call->A + i + j * job->call->lda;
}

/* An element of a diagonal that is looked at by itself. */
static T diagonal(const norm_job *job, int64_t j)
{
    T value = *element(job, j, j);
#if COMPLEX
    if (job->call->conj)
        value.im = 0;
#endif
    return value;
}

static void add_squares(partial *to, partial more, double times)
{
    to->big += times * more.big;
    to->medium += times * more.medium;
    to->small += times * more.small;
}

static R most_part(int64_t n, const T *x)
{
    return most_of(REALS * n, (const R *)(const void *)x);
}

static void most_slice(norm_job *job, int s, int64_t begin, int64_t end)
{
    const bool by_parts = job->call->by_parts;
    R most = 0;
    for (int64_t j = next_column(job, s, -1), first; j < job->call->n; j = next_column(job, s, j)) {
        const int64_t count = rows_of(job, j, begin, end, &first);
        const T *column = element(job, first, j);
        most = larger(most, by_parts ? most_part(count, column) : column_most(count, column));
        if (job->args->symmetric) {
            const T value = diagonal(job, j);
            most = larger(most, by_parts ? most_part(1, &value) : careful_size(value));
        }
    }
    job->most[s] = most;
}

static void squares_slice(norm_job *job, int s, int64_t begin, int64_t end)
{
    partial sum = {0, 0, 0, false};
    for (int64_t j = next_column(job, s, -1), first; j < job->call->n; j = next_column(job, s, j)) {
        const int64_t count = rows_of(job, j, begin, end, &first);
        if (count > 0)
            add_squares(&sum, sums_of(count, element(job, first, j), 1),
                        job->args->symmetric ? 2 : 1);
        if (job->args->symmetric) {
            const T value = diagonal(job, j);
            add_squares(&sum, sums_of(1, &value, 1), 1);
        }
    }
    job->squares[s] = sum;
}

static void columns_slice(norm_job *job, int s, int64_t begin, int64_t end)
{
    R most = 0, *const room = (R *)job->args->room + s * job->lines;
    for (int64_t j = next_column(job, s, -1), first; j < job->call->n; j = next_column(job, s, j)) {
        const int64_t count = rows_of(job, j, begin, end, &first);
        const double sum = column_sum(count, element(job, first, j));
        if (job->cut)
            room[j] = (R)sum;
        else
            most = larger(most, (R)(sum + (j < job->args->ones ? 1 : 0)));
    }
    job->most[s] = most;
}

static void rows_slice(norm_job *job, int s, int64_t begin, int64_t end)
{
    R most = 0, sums[CHUNK], *const room = (R *)job->args->room + s * job->lines;
    for (int64_t i = begin; i < end; i += CHUNK) {
        const int64_t behind = i + CHUNK < end ? i + CHUNK : end;
        memset(sums, 0, sizeof sums);
        for (int64_t j = next_column(job, s, -1), first; j < job->call->n;
             j = next_column(job, s, j)) {
            const int64_t count = rows_of(job, j, i, behind, &first);
            if (count > 0)
                column_add(count, element(job, first, j), sums + (first - i));
        }
        for (int64_t k = i; k < behind; k++) {
            if (job->cut)
                room[k] = sums[k - i];
            else
                most = larger(most, sums[k - i] + (k < job->args->ones ? 1 : 0));
        }
    }
    job->most[s] = most;
}

/* Each element counts for its row and for that of its mirror image. */
static void both_slice(norm_job *job, int s)
{
    R *const room = (R *)job->args->room + s * job->lines;
    memset(room, 0, (size_t)job->lines * sizeof *room);
    for (int64_t j = next_column(job, s, -1), first; j < job->call->n; j = next_column(job, s, j)) {
        const int64_t count = rows_of(job, j, 0, job->call->m, &first);
        room[j] += (R)(column_add(count, element(job, first, j), room + first) +
                       (double)careful_size(diagonal(job, j)));
    }
}

static void norm_slices(void *given, int piece, int64_t from, int64_t to)
{
    norm_job *job = given;
    (void)piece;
    for (int s = (int)from; s < (int)to; s++) {
        int64_t begin = 0, end = job->call->m;
        if (job->by_rows)
            range_of(job, job->call->m, s, &begin, &end);
        if (job->call->norm == GABLE_MAX_NORM)
            most_slice(job, s, begin, end);
        else if (job->call->norm == GABLE_FROBENIUS_NORM)
            squares_slice(job, s, begin, end);
        else if (job->args->symmetric)
            both_slice(job, s);
        else if (job->call->norm == GABLE_ONE_NORM)
            columns_slice(job, s, begin, end);
        else
            rows_slice(job, s, begin, end);
    }
}

/* ---- All of them ---- */

static R most_line(const norm_job *job)
{
    const R *room = job->args->room;
    R most = 0;
    for (int64_t k = 0; k < job->lines; k++) {
        double sum = k < job->args->ones ? 1 : 0;
        for (int s = 0; s < (int)job->args->slices; s++)
            sum += (double)room[s * job->lines + k];
        most = larger(most, (R)sum);
    }
    return most;
}

/* gbl_cpu_snorm_omp gbl_cpu_dnorm_omp gbl_cpu_cnorm_omp gbl_cpu_znorm_omp */
WIDE_TASK(PRIVATE(norm_omp))
{
    norm_job job = {.args = args};
    (void)queue, (void)stream, (void)message;
    job.call = &job.args->call;
    const bool sums = job.call->norm == GABLE_ONE_NORM || job.call->norm == GABLE_INF_NORM,
               rows = job.call->norm == GABLE_INF_NORM && !job.args->symmetric;
    const int64_t slices = job.args->slices, bytes = job.call->m * job.call->n * (int64_t)sizeof(T);
    job.lines = rows ? job.call->m : job.call->n;
    job.by_rows = job.args->by_rows;
    job.cut = sums && rows != job.by_rows;
    gbl_cpu_share(slices, GBL_CPU_LINE, bytes / slices, norm_slices, &job);
    R value = sums && (job.cut || job.args->symmetric) ? most_line(&job) : job.most[0];
    if (job.call->norm == GABLE_FROBENIUS_NORM) {
        partial all = {0, (double)job.args->ones, 0, false};
        for (int s = 0; s < (int)slices; s++)
            add_squares(&all, job.squares[s], 1);
        value = norm(all);
    } else if (!job.cut && !(sums && job.args->symmetric)) {
        for (int s = 1; s < (int)slices; s++)
            value = larger(value, job.most[s]);
        if (job.call->norm == GABLE_MAX_NORM && job.args->ones > 0)
            value = larger(1, value);
    }
    memcpy(job.call->C, &value, sizeof value);
    return GABLE_OK;
}
