/* cpu_krylov.h: what the fused solvers of the cpu share: a team of threads, sweeps over rows, sums,
 * preconditioners.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All iterations of a task run in one team. A thread owns a range of rows: it updates the vectors
 * there and multiplies the matrix's rows there, and was the first to write its part of the work
 * memory.
 *
 * A sweep joins an update of vectors with the product that follows. Blocks of rows are updated one
 * after the other, and the rows behind are multiplied as soon as all they need of the vector is
 * new: as far behind as the matrix's bandwidth. There the updated vectors are still in the cache,
 * so they come from memory once per sweep. Rows next to other threads' wait for a barrier.
 *
 * Sums are added by blocks, then by threads in order. All threads add them up, so all know the
 * scalars.
 */
#ifndef GBL_CPU_KRYLOV_H
#define GBL_CPU_KRYLOV_H

#include <math.h>
#include "cpu/cpu_solver.h"
#include "cpu/cpu_sparse_rows.h"

#define MOST_TERMS (2 * GBL_CPU_MOST_BANDS)

/* Bytes of a vector per block of a sweep. Seven arrays pass by in turns, and in longer pieces the
 * hardware's prefetch loses them (CG by diagonals, d, 5 points, 1000 x 1000, two cores of a
 * Neoverse V1, 2026-11, other programs running, tiles of 16 registers: 2.2 ms with 4096, 1.6 with
 * 2048, 1.5 with 1024 and 512). */
#define SWEEP_BYTES 1024

/* Registers for sums of products by diagonals (the same with 1024 bytes: 1.36 ms with 4, 1.54 with
 * 16). */
#define BAND_PACKS 4

/* A diagonal: row i has the entry value[i], or its conjugate, in column i + shift. */
typedef struct band_term {
    const T *value;
    int64_t shift;
    bool conj;
} band_term;

/* What the threads of a task share. */
typedef struct krylov {
    const gbl_cpu_solve_args *args;
    int64_t n, align,
        block;     /* rows; boundaries between threads and blocks are multiples of align */
    int64_t lag;   /* rows between an update and its use */
    bool wide;     /* indices */
    int terms;     /* 0: the layout serves */
    int64_t reach; /* of terms */
    band_term term[MOST_TERMS];
    double *parts; /* sums of threads: two sets, used in turn */
    int part;      /* numbers per thread */
} krylov;

typedef struct member {
    const krylov *k;
    int thread, threads;
    int64_t begin, end; /* rows it owns */
    int set;            /* of parts, next */
} member;

/* Elements between two vectors of the work memory: vectors begin at cache lines, and not all at the
 * same place of a page. */
static inline int64_t vector_room(int64_t n)
{
    const int64_t line = GBL_CPU_LINE / (int64_t)sizeof(T);
    return (n + line - 1) / line * line + 3 * line;
}

/* Doubles behind the vectors and diagonals. Of gmres: sums of threads (two sets), what each thread
 * has for itself, and the cycle's triangle, rotations, right-hand side, coefficients and scales. */
static inline int64_t gmres_part(int64_t restart)
{
    return (2 * (restart + 2) + 7) / 8 * 8;
}

static inline int64_t gmres_own(int64_t restart)
{
    return 8 * (restart + 2);
}

static inline int64_t gmres_doubles(int64_t restart)
{
    return GBL_CPU_MAX_PIECES * (2 * gmres_part(restart) + gmres_own(restart)) +
           2 * (restart + 1) * (restart + 1) + 8 * (restart + 2);
}

#define FEW_SUMS 8 /* of the other methods */

/* ---- the team ---- */

static inline void meet(const member *m)
{
    if (m->threads > 1) {
#pragma omp barrier
    }
}

/* values := the sums of all threads' values, and a meeting. */
static inline void add_up(member *m, int count, double *values)
{
    if (m->threads == 1)
        return;
    const int part = m->k->part;
    double *parts = m->k->parts + (int64_t)m->set * m->threads * part;
    memcpy(parts + (int64_t)m->thread * part, values, (size_t)count * sizeof *values);
    m->set = !m->set;
    meet(m);
    for (int v = 0; v < count; v++) {
        double sum = parts[v];
        for (int t = 1; t < m->threads; t++)
            sum += parts[(int64_t)t * part + v];
        values[v] = sum;
    }
}

/* The first row of thread t: shares are even in entries. */
static inline int64_t first_row(const krylov *k, int t, int threads)
{
    if (t >= threads)
        return k->n;
    const gbl_sparse_layout *A = &k->args->A;
    int64_t row;
    if (k->terms > 0) {
        row = k->n / threads * t;
    } else {
        const int64_t unit = units_of(A) / threads * t;
        row = k->wide ? place_of_unit(A, unit, true) : place_of_unit(A, unit, false);
    }
    return row / k->align * k->align;
}

/* Runs `work` in a team, each thread with the rows it owns. per_row: bytes that an iteration moves
 * there. */
typedef struct team_job {
    krylov *k;
    void (*work)(member *m, void *method);
    void *method;
    int level; /* of parallel regions around the call */
} team_job;

static inline void team_piece(void *given, int piece, int64_t begin, int64_t end)
{
    const team_job *job = given;
    const krylov *k = job->k;
    const bool alone = omp_get_level() == job->level;
    (void)begin, (void)end; /* rows are shared out by entries instead */
    member m = {.k = k, .thread = piece, .threads = alone ? 1 : omp_get_num_threads()};
    m.begin = first_row(k, piece, m.threads);
    m.end = first_row(k, piece + 1, m.threads);
    job->work(&m, job->method);
}

static inline void run_team(krylov *k, void (*work)(member *m, void *method), void *method)
{
    team_job job = {k, work, method, omp_get_level()};
    const int64_t per_row = (int64_t)(k->args->bytes / (double)(k->n > 0 ? k->n : 1)) + 1;
    gbl_cpu_share(k->n, sizeof(T), per_row, team_piece, &job);
}

/* The end of the block that begins at i, of rows up to end. */
static inline int64_t block_end(const krylov *k, int64_t i, int64_t end)
{
    return end - i < k->block ? end : i + k->block;
}

/* ---- scalars ---- */

typedef struct number {
    double re, im;
} number;

static inline number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline number minus(number a, number b)
{
    return (number){a.re - b.re, a.im - b.im};
}

static inline double magnitude(number a)
{
    return a.im == 0 ? fabs(a.re) : hypot(a.re, a.im);
}

static inline number over(number a, number b)
{
    if (b.im == 0)
        return (number){a.re / b.re, a.im / b.re};
    const double size = magnitude(b);
    const number unit = {b.re / size, -b.im / size}, top = times(a, unit);
    return (number){top.re / size, top.im / size};
}

static inline T element_of(number a)
{
#if COMPLEX
    return (T){(R)a.re, (R)a.im};
#else
    return (T)a.re;
#endif
}

/* Also as an element. */
static inline bool is_finite(number a)
{
    return isfinite((R)a.re) && isfinite((R)a.im);
}

/* ---- sums of a block ---- */

/* The sum of a_i b_i over real numbers. */
static inline double dot_reals(int64_t count, const R *a, const R *b)
{
    enum { DEEP = 4 };
    pack lane[DEEP] = {{0}};
    int64_t i = 0;
    for (; i + DEEP * PACK <= count; i += DEEP * PACK)
        for (int d = 0; d < DEEP; d++)
            lane[d] += pack_at(a + i + d * PACK) * pack_at(b + i + d * PACK);
    double sum = pack_sum((lane[0] + lane[1]) + (lane[2] + lane[3]));
    for (; i < count; i++)
        sum += (double)a[i] * b[i];
    return sum;
}

/* sum += <a, b>, with the conjugate of a. */
static inline void add_dot(int64_t count, const T *a, const T *b, double *sum)
{
    sum[0] += dot_reals(REALS * count, (const R *)a, (const R *)b);
#if COMPLEX
    R lane[4] = {0};
    int64_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (int d = 0; d < 4; d++)
            lane[d] += a[i + d].re * b[i + d].im - a[i + d].im * b[i + d].re;
    double im = ((double)lane[0] + lane[1]) + ((double)lane[2] + lane[3]);
    for (; i < count; i++)
        im += (double)a[i].re * b[i].im - (double)a[i].im * b[i].re;
    sum[1] += im;
#else
    sum[1] += 0;
#endif
}

static inline double square_sum(int64_t count, const T *a)
{
    return dot_reals(REALS * count, (const R *)a, (const R *)a);
}

/* sum += <a, b>; returns <b, b>. */
static inline double add_dots(int64_t count, const T *a, const T *b, double *sum)
{
#if COMPLEX
    add_dot(count, a, b, sum);
    return square_sum(count, b);
#else
    enum { DEEP = 4 };
    pack product[DEEP] = {{0}}, square[DEEP] = {{0}};
    int64_t i = 0;
    for (; i + DEEP * PACK <= count; i += DEEP * PACK)
        for (int d = 0; d < DEEP; d++) {
            const pack here = pack_at(b + i + d * PACK);
            product[d] = pack_multiply_add(pack_at(a + i + d * PACK), here, product[d]);
            square[d] = pack_multiply_add(here, here, square[d]);
        }
    double squares = pack_sum((square[0] + square[1]) + (square[2] + square[3]));
    sum[0] += pack_sum((product[0] + product[1]) + (product[2] + product[3]));
    for (; i < count; i++) {
        sum[0] += (double)a[i] * b[i];
        squares += (double)b[i] * b[i];
    }
    return squares;
#endif
}

/* ---- preconditioners ---- */

/* z := M^-1 r for rows [begin, end); begin is a multiple of align. */
static inline void precondition(const krylov *k, int64_t begin, int64_t end, const T *r, T *z)
{
    const gbl_cpu_solve_args *args = k->args;
    const T *inverse = args->inverse;
    if (args->precond == GBL_CPU_PRECOND_NONE) {
        memcpy(z, r, (size_t)(end - begin) * sizeof(T));
    } else if (args->precond == GBL_CPU_PRECOND_JACOBI) {
        for (int64_t i = begin; i < end; i++)
            put_multiple(inverse[i], r + (i - begin), z + (i - begin));
    } else {
        const int64_t side = args->block;
        for (int64_t i = begin; i < end; i += side) {
            const T *B = inverse + i / side * side * side;
            const int64_t rows = end - i < side ? end - i : side;
            T sum[32];
            memset(sum, 0, sizeof sum);
            for (int64_t j = 0; j < rows; j++)
                for (int64_t l = 0; l < rows; l++)
                    add_multiple(r[i - begin + j], B + l + j * side, sum + l);
            memcpy(z + (i - begin), sum, (size_t)rows * sizeof(T));
        }
    }
}

static inline bool has_precond(const krylov *k)
{
    return k->args->precond != GBL_CPU_PRECOND_NONE;
}

/* ---- products by diagonals ---- */

/* Adds rows [begin, end) of one diagonal times x, as far as it goes. */
static inline void add_term(const krylov *k, const band_term *term, int64_t begin, int64_t end,
                            const T *x, T *sum)
{
    const int64_t from = -term->shift > begin ? -term->shift : begin;
    const int64_t to = k->n - term->shift < end ? k->n - term->shift : end;
    for (int64_t i = from; i < to; i++)
        add_product(term->value + i, x + i + term->shift, term->conj, sum + (i - begin));
}

#if COMPLEX
static inline void sum_bands(const krylov *k, int64_t begin, int64_t end, const T *x, T *sum)
{
    memset(sum, 0, (size_t)(end - begin) * sizeof(T));
    for (int t = 0; t < k->terms; t++)
        add_term(k, &k->term[t], begin, end, x, sum);
}
#else
/* The same for diagonals that have all of these rows. */
INLINED void sum_terms(int packs, int terms, const band_term *term, int64_t i, const T *x, T *sum)
{
    pack lane[BAND_PACKS] = {{0}};
    for (int t = 0; t < terms; t++) {
        const R *value = term[t].value + i, *at = x + i + term[t].shift;
#pragma GCC unroll 16
        for (int d = 0; d < packs; d++)
            lane[d] = pack_multiply_add(pack_at(value + d * PACK), pack_at(at + d * PACK), lane[d]);
    }
#pragma GCC unroll 16
    for (int d = 0; d < packs; d++)
        *(pack *)(sum + d * PACK) = lane[d];
}

/* sum := rows [begin, end) times x. Near the first and the last row some diagonals end. */
static inline void sum_bands(const krylov *k, int64_t begin, int64_t end, const T *x, T *sum)
{
    const band_term *term = k->term;
    band_term whole[MOST_TERMS];
    int terms = k->terms;
    if (begin < k->reach || end + k->reach > k->n) {
        terms = 0;
        for (int t = 0; t < k->terms; t++)
            if (begin + term[t].shift >= 0 && end + term[t].shift <= k->n)
                whole[terms++] = term[t];
        term = whole;
    }
    int64_t i = begin;
    for (; i + BAND_PACKS * PACK <= end; i += BAND_PACKS * PACK)
        sum_terms(BAND_PACKS, terms, term, i, x, sum + (i - begin));
    for (; i + PACK <= end; i += PACK)
        sum_terms(1, terms, term, i, x, sum + (i - begin));
    for (; i < end; i++) {
        R total = 0;
        for (int t = 0; t < terms; t++)
            total = multiply_add_real(term[t].value[i], x[i + term[t].shift], total);
        sum[i - begin] = total;
    }
    for (int t = 0; terms < k->terms && t < k->terms; t++)
        if (begin + k->term[t].shift < 0 || end + k->term[t].shift > k->n)
            add_term(k, &k->term[t], begin, end, x, sum);
}
#endif

/* ---- sweeps ---- */

/* One sweep of a method: `update` makes rows [begin, end) of x and of other vectors; `use` is given
 * the products of rows with x: rows from begin on, or those that `order` has at places from begin
 * on. */
typedef struct sweep {
    const T *x;
    T *product; /* where products go, if not NULL and rows are in order; else `use` puts them */
    void (*update)(const member *m, void *method, int64_t begin, int64_t end);
    void (*use)(const member *m, void *method, int64_t begin, int64_t end, const T *sum);
} sweep;

INLINED void multiply_range(const member *m, const sweep *s, void *method, int64_t begin,
                            int64_t end, bool wide)
{
    const krylov *k = m->k;
    const gbl_sparse_layout *A = &k->args->A;
    T sum[PLACES];
    int64_t cursor = begin < end ? cursor_at(A, begin, wide) : 0;
    for (int64_t i = begin; i < end; i += k->block) {
        const int64_t last = block_end(k, i, end);
        T *to = s->product != NULL && A->order == NULL ? s->product + i : sum;
        sum_places(A, i, last, &cursor, s->x, false, wide, to);
        s->use(m, method, i, last, to);
    }
}

static inline void multiply_rows(const member *m, const sweep *s, void *method, int64_t begin,
                                 int64_t end)
{
    const krylov *k = m->k;
    if (k->terms > 0) {
        T sum[PLACES];
        for (int64_t i = begin; i < end; i += k->block) {
            const int64_t last = block_end(k, i, end);
            T *to = s->product != NULL ? s->product + i : sum;
            sum_bands(k, i, last, s->x, to);
            s->use(m, method, i, last, to);
        }
    } else if (k->wide) {
        multiply_range(m, s, method, begin, end, true);
    } else {
        multiply_range(m, s, method, begin, end, false);
    }
}

/* Updates and multiplies all rows that the thread owns. Threads meet once, between the two; the
 * caller lets them meet again before x changes. */
static inline void run_sweep(const member *m, const sweep *s, void *method)
{
    const krylov *k = m->k;
    const int64_t begin = m->begin, end = m->end, lag = k->lag, step = k->block;
    int64_t done = begin == 0 ? 0 : begin + lag < end ? begin + lag : end;
    const int64_t first = done;
    for (int64_t i = begin; i < end; i += step) {
        const int64_t last = block_end(k, i, end);
        s->update(m, method, i, last);
        while (done + step + lag <= last) {
            multiply_rows(m, s, method, done, done + step);
            done += step;
        }
    }
    if (end == k->n && done < end && first < end) {
        multiply_rows(m, s, method, done, end);
        done = end;
    }
    meet(m);
    multiply_rows(m, s, method, begin, first);
    multiply_rows(m, s, method, done, end);
}

/* ---- rows out of order ---- */

/* The rows that products of places belong to; NULL: the places. */
static inline const void *order_of(const krylov *k)
{
    return k->terms > 0 ? NULL : k->args->A.order;
}

static inline int64_t row_at(const krylov *k, const void *order, int64_t place)
{
    return k->wide ? index_at(order, place, true) : index_at(order, place, false);
}

/* The elements of a at the rows of places [begin, end): a itself, or the buffer. */
static inline const T *at_places(const krylov *k, int64_t begin, int64_t end, const T *a, T *buffer)
{
    const void *order = order_of(k);
    if (order == NULL)
        return a + begin;
    for (int64_t i = begin; i < end; i++)
        buffer[i - begin] = a[row_at(k, order, i)];
    return buffer;
}

/* Puts the products of places [begin, end) where their rows are, if they are not there already. */
static inline void put_rows(const krylov *k, int64_t begin, int64_t end, const T *sum, T *to)
{
    const void *order = order_of(k);
    if (sum == to + begin)
        return;
    if (order == NULL) {
        memcpy(to + begin, sum, (size_t)(end - begin) * sizeof(T));
        return;
    }
    for (int64_t i = begin; i < end; i++)
        to[row_at(k, order, i)] = sum[i - begin];
}

/* ---- setting up ---- */

/* The team's rules for one task, without its diagonals. parts has room for 2 sets of
 * GBL_CPU_MAX_PIECES. */
static inline krylov krylov_of(const gbl_cpu_solve_args *args)
{
    krylov k = {.args = args, .n = args->A.rows, .wide = args->A.index_bytes == 8};
    k.align = args->precond == GBL_CPU_PRECOND_BLOCK ? args->block : 1;
    while (k.align < GBL_CPU_LINE / (int64_t)sizeof(T))
        k.align *= 2;
    k.block = SWEEP_BYTES / (int64_t)sizeof(T) / k.align * k.align;
    k.block = k.block < k.align ? k.align : k.block;
    k.lag = (args->bandwidth + k.align - 1) / k.align * k.align;
    /* Rows out of order, or a wide band: nothing is multiplied before all is updated. */
    if (args->A.order != NULL)
        k.lag = (k.n + k.align - 1) / k.align * k.align;
    return k;
}

/* cpu_bands.c. Fills rows [begin, end) of the diagonals from the layout. With an order, places: all
 * threads together fill all rows. */
void PRIVATE(bands_fill)(const krylov *k, int64_t begin, int64_t end, T *bands);
/* Whether rows [begin, end) of the upper diagonals mirror the lower ones. */
bool PRIVATE(bands_hermitian)(const krylov *k, int64_t begin, int64_t end, const T *bands);
/* k's terms: all diagonals, or the upper half and its mirror image. */
void PRIVATE(bands_terms)(krylov *k, const T *bands, bool hermitian);

/* The start of a round, in a team of its own: the diagonals. Says whether they are Hermitian. */
typedef struct bands_job {
    T *bands;
    bool hermitian;
} bands_job;

static inline void fill_bands(member *m, void *given)
{
    bands_job *job = given;
    double bad = 0;
    const krylov *k = m->k;
    if (k->args->A.order != NULL && m->thread == 0) {
        PRIVATE(bands_fill)(k, 0, k->n, job->bands);
    } else if (k->args->A.order == NULL) {
        PRIVATE(bands_fill)(k, m->begin, m->end, job->bands);
    }
    meet(m);
    if (k->args->bands.hermitian)
        bad = !PRIVATE(bands_hermitian)(k, m->begin, m->end, job->bands);
    add_up(m, 1, &bad);
    if (m->thread == 0)
        job->hermitian = k->args->bands.hermitian && bad == 0;
}

enum { BANDS_FULL = 1, BANDS_HERMITIAN };

/* Sets k's diagonals, which lie at `bands` or where they are kept, and says in *kept whether the
 * upper half serves. */
static inline void set_bands(krylov *k, T *bands, bool fresh, double *kept)
{
    const gbl_cpu_solve_args *args = k->args;
    if (args->bands.count == 0)
        return;
    if (args->bands_at != NULL) {
        bands = args->bands_at;
        fresh = *args->bands_kept == 0;
        *kept = *args->bands_kept == BANDS_HERMITIAN;
    }
    if (fresh) {
        bands_job job = {.bands = bands};
        run_team(k, fill_bands, &job);
        *kept = job.hermitian;
        if (args->bands_at != NULL)
            *args->bands_kept = job.hermitian ? BANDS_HERMITIAN : BANDS_FULL;
    }
    PRIVATE(bands_terms)(k, bands, *kept != 0);
    /* Diagonals are in the order of rows, whatever the layout is. */
    k->lag = (k->args->bandwidth + k->align - 1) / k->align * k->align;
}

#endif
