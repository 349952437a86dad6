/* cpu_bands.c: sparse matrices by diagonals, for the solvers of the cpu; what a solver needs of
 * memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A stencil's matrix has its entries on a few diagonals. Stored by them it needs no indices and is
 * read by vectors. The copy is made at the start of a round and costs about as much as a few
 * products; an iteration then moves 8 instead of 12 bytes per entry in double, and half of that
 * where the matrix is Hermitian, because the lower half was read a bandwidth earlier as the upper
 * one and is still in the cache.
 */
#include "cpu/cpu_krylov.h"

/* Walks the entries of rows [begin, end), row by row in rising columns. */
typedef void (*entry_function)(void *given, int64_t row, int64_t column, const T *value);

INLINED void walk_strided(const gbl_sparse_layout *A, int64_t row, int64_t at, int64_t end,
                          int64_t step, bool wide, entry_function see, void *given)
{
    for (; at < end; at += step) {
        const int64_t c = index_at(A->column, at, wide);
        if (c >= 0)
            see(given, row, c, (const T *)A->value + at);
    }
}

INLINED void walk_coo(const void *rows, const void *columns, const T *values, int64_t entries,
                      int64_t *next, int64_t row, bool wide, entry_function see, void *given)
{
    for (; *next < entries && index_at(rows, *next, wide) == row; ++*next)
        see(given, row, index_at(columns, *next, wide), values + *next);
}

INLINED void walk_wide(const gbl_sparse_layout *A, int64_t begin, int64_t end, bool wide,
                       entry_function see, void *given)
{
    int64_t next = begin < end ? cursor_at(A, begin, wide) : 0;
    for (int64_t i = begin; i < end; i++) {
        if (A->format == GABLE_CSR) {
            walk_strided(A, i, index_at(A->start, i, wide), index_at(A->start, i + 1, wide), 1,
                         wide, see, given);
        } else if (A->format == GABLE_SELL) {
            const int64_t slice = i / A->chunk;
            const int64_t row = A->order != NULL ? index_at(A->order, i, wide) : i;
            walk_strided(A, row, index_at(A->start, slice, wide) + i % A->chunk,
                         index_at(A->start, slice + 1, wide), A->chunk, wide, see, given);
        } else if (A->format == GABLE_COO) {
            walk_coo(A->row, A->column, A->value, A->entries, &next, i, wide, see, given);
        } else {
            walk_strided(A, i, i, i + A->width * A->stride, A->stride, wide, see, given);
            walk_coo(A->rest_row, A->rest_column, A->rest_value, A->rest, &next, i, wide, see,
                     given);
        }
    }
}

INLINED void walk(const gbl_sparse_layout *A, int64_t begin, int64_t end, entry_function see,
                  void *given)
{
    if (A->index_bytes == 8)
        walk_wide(A, begin, end, true, see, given);
    else
        walk_wide(A, begin, end, false, see, given);
}

/* ---- finding diagonals ---- */

/* The diagonals that a thread's rows have entries on. */
typedef struct found {
    int count; /* more than GBL_CPU_MOST_BANDS: too many */
    int last;  /* where the last entry's is */
    int64_t row, bandwidth;
    int64_t offset[GBL_CPU_MOST_BANDS]; /* rising */
} found;

typedef struct find_job {
    const gbl_sparse_layout *A;
    found pieces[GBL_CPU_MAX_PIECES];
} find_job;

static void insert_offset(found *f, int64_t offset)
{
    int at = 0;
    while (at < f->count && f->offset[at] < offset)
        at++;
    f->last = at;
    if (at < f->count && f->offset[at] == offset)
        return;
    if (f->count >= GBL_CPU_MOST_BANDS) {
        f->count = GBL_CPU_MOST_BANDS + 1;
        return;
    }
    memmove(f->offset + at + 1, f->offset + at, (size_t)(f->count - at) * sizeof f->offset[0]);
    f->offset[at] = offset;
    f->count++;
}

/* The next entry of a row is mostly on the next diagonal, the first one on the first. */
static inline void see_offset(void *given, int64_t row, int64_t column, const T *value)
{
    (void)value;
    found *f = given;
    const int64_t offset = column - row, distance = offset < 0 ? -offset : offset;
    if (distance > f->bandwidth)
        f->bandwidth = distance;
    if (f->count > GBL_CPU_MOST_BANDS)
        return;
    const int guess = row == f->row ? f->last + 1 : 0;
    f->row = row;
    if (guess < f->count && f->offset[guess] == offset)
        f->last = guess;
    else
        insert_offset(f, offset);
}

static void find_piece(void *given, int piece, int64_t begin, int64_t end)
{
    find_job *job = given;
    found *f = &job->pieces[piece];
    *f = (found){.row = -1};
    walk(job->A, begin, end, see_offset, f);
}

/* Bytes that a product reads of the matrix as it is. */
static double layout_bytes(const gbl_sparse_layout *A)
{
    const double index = A->index_bytes, entry = sizeof(T) + index;
    double bytes = (double)A->stored * entry + (double)A->rest * (entry + index);
    if (A->format == GABLE_COO)
        bytes += (double)A->entries * index;
    if (A->format == GABLE_CSR)
        bytes += (double)A->rows * index;
    return bytes;
}

/* Decides whether diagonals are worth it, and returns the bytes of the matrix that a product reads
 * then. */
static double choose_bands(gbl_cpu_solve_args *args, const found *f)
{
    const gbl_sparse_layout *A = &args->A;
    const double as_it_is = layout_bytes(A);
    args->bands = (gbl_cpu_bands){0};
    if (f->count == 0 || f->count > GBL_CPU_MOST_BANDS)
        return as_it_is;
    int upper = 0;
    bool mirrored = args->method == GBL_CPU_CG;
    for (int t = 0; t < f->count; t++) {
        upper += f->offset[t] >= 0;
        mirrored = mirrored && f->offset[t] == -f->offset[f->count - 1 - t];
    }
    const double rows = (double)A->rows * sizeof(T);
    const double by_bands = rows * (mirrored ? upper : f->count);
    /* Twice the memory of the matrix is enough. */
    if (by_bands >= as_it_is || rows * f->count > 2 * as_it_is)
        return as_it_is;
    args->bands.count = f->count;
    args->bands.hermitian = mirrored;
    memcpy(args->bands.offset, f->offset, (size_t)f->count * sizeof f->offset[0]);
    return by_bands;
}

/* gbl_cpu_ssolve_plan gbl_cpu_dsolve_plan gbl_cpu_csolve_plan gbl_cpu_zsolve_plan */
void PRIVATE(solve_plan)(gbl_cpu_solve_args *args)
{
    const int64_t n = args->A.rows, m = args->restart > 0 ? args->restart : 1;
    find_job job = {.A = &args->A};
    const int64_t per_row = n > 0 ? (int64_t)(layout_bytes(&args->A) / (double)n) + 1 : 1;
    const int pieces = gbl_cpu_share(n, sizeof(T), per_row, find_piece, &job);
    found all = job.pieces[0];
    for (int p = 1; p < pieces; p++) {
        const found *f = &job.pieces[p];
        all.bandwidth = f->bandwidth > all.bandwidth ? f->bandwidth : all.bandwidth;
        all.count = f->count > GBL_CPU_MOST_BANDS ? f->count : all.count;
        for (int t = 0; t < f->count && all.count <= GBL_CPU_MOST_BANDS; t++)
            insert_offset(&all, f->offset[t]);
    }
    args->bandwidth = all.bandwidth;
    const double matrix = choose_bands(args, &all), vector = (double)n * sizeof(T);
    const bool precond = args->precond != GBL_CPU_PRECOND_NONE;
    const double inverse = args->precond == GBL_CPU_PRECOND_BLOCK ? args->block * vector
                           : precond                              ? vector
                                                                  : 0;
    int64_t vectors = 0, doubles = 2 * GBL_CPU_MAX_PIECES * FEW_SUMS;
    if (args->method == GBL_CPU_CG) {
        /* p and q; x moves every second time. */
        vectors = 2;
        args->bytes =
            matrix + (precond && args->precond == GBL_CPU_PRECOND_BLOCK ? 8 : 7) * vector + inverse;
    } else if (args->method == GBL_CPU_BICGSTAB) {
        vectors = precond ? 6 : 4;
        args->bytes = 2 * matrix + (precond ? 18 : 14) * vector + 2 * inverse;
    } else {
        vectors = m + 1 + (precond ? 1 : 0);
        doubles = gmres_doubles(m);
        args->bytes = matrix + ((double)m + 5) * vector + inverse;
    }
    const int64_t room = vector_room(n);
    args->bands_bytes = (size_t)args->bands.count * (size_t)room * sizeof(T);
    args->work_bytes =
        (size_t)vectors * (size_t)room * sizeof(T) + args->bands_bytes + (size_t)doubles * 8;
}

/* ---- filling ---- */

typedef struct fill_job {
    const gbl_cpu_bands *bands;
    T *values;
    int64_t room, row;
    int next;
} fill_job;

static inline void see_value(void *given, int64_t row, int64_t column, const T *value)
{
    fill_job *job = given;
    if (row != job->row)
        job->next = 0;
    job->row = row;
    while (job->bands->offset[job->next] != column - row)
        job->next++;
    job->values[job->next * job->room + row] = *value;
}

void PRIVATE(bands_fill)(const krylov *k, int64_t begin, int64_t end, T *bands)
{
    const int64_t room = vector_room(k->n);
    fill_job job = {&k->args->bands, bands, room, -1, 0};
    for (int t = 0; t < k->args->bands.count; t++)
        memset(bands + t * room + begin, 0, (size_t)(end - begin) * sizeof(T));
    walk(&k->args->A, begin, end, see_value, &job);
}

bool PRIVATE(bands_hermitian)(const krylov *k, int64_t begin, int64_t end, const T *bands)
{
    const gbl_cpu_bands *b = &k->args->bands;
    const int64_t room = vector_room(k->n);
    for (int t = 0; t < b->count; t++) {
        const int64_t shift = b->offset[t];
        if (shift < 0)
            continue;
        const T *upper = bands + t * room, *lower = bands + (b->count - 1 - t) * room + shift;
        const int64_t last = k->n - shift < end ? k->n - shift : end;
        bool same = true;
        for (int64_t i = begin; i < last; i++) {
#if COMPLEX
            same = same && upper[i].re == lower[i].re && upper[i].im == -lower[i].im;
#else
            same = same && upper[i] == lower[i];
#endif
        }
        if (!same)
            return false;
    }
    return true;
}

void PRIVATE(bands_terms)(krylov *k, const T *bands, bool hermitian)
{
    const gbl_cpu_bands *b = &k->args->bands;
    const int64_t room = vector_room(k->n);
    k->terms = b->count;
    k->reach = k->args->bandwidth;
    for (int t = 0; t < b->count; t++) {
        const int64_t shift = b->offset[t];
        k->term[t] = (band_term){bands + t * room, shift, false};
        /* Entry (i, i - s) is the conjugate of (i - s, i), which is entry i - s of the upper
         * diagonal. */
        if (hermitian && shift < 0)
            k->term[t] = (band_term){bands + (b->count - 1 - t) * room + shift, shift, true};
    }
}
