/* cpu_sparse_rows.h: sparse matrices on the cpu: products of some rows with a vector, and which
 * rows a thread owns.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The unit of work is a block of places: rows in the order in which the format keeps them, at most
 * PLACES. The sums of a block go to a buffer; what becomes of them there, scaled into y or
 * multiplied with other vectors while they are in the cache, is up to the caller. A row is always
 * added up in the order of its columns by one thread, so products do not depend on the number of
 * threads.
 *
 * Functions take `wide`, whether indices have 64 bits, as a constant: each is compiled for both
 * widths.
 */
#ifndef GBL_CPU_SPARSE_ROWS_H
#define GBL_CPU_SPARSE_ROWS_H

#include "cpu/cpu_gather.h"
#include "cpu/cpu_vector.h"
#include "device/sparse_args.h"
#include "gable/gable.h"

/* Places per block: buffers of a few vectors fit the first-level cache. */
#define PLACES ((int64_t)512)

INLINED int64_t index_at(const void *indices, int64_t i, bool wide)
{
    return wide ? ((const int64_t *)indices)[i] : ((const int32_t *)indices)[i];
}

/* sum += value x, with the value's conjugate where conj is set. */
INLINED void add_product(const T *value, const T *x, bool conj, T *sum)
{
#if COMPLEX
    const R re = value->re, im = conj ? -value->im : value->im;
    sum->re += re * x->re - im * x->im;
    sum->im += re * x->im + im * x->re;
#else
    (void)conj;
    *sum += *value * *x;
#endif
}

/* ---- which places a thread owns ---- */

/* A matrix is cut by units: entries and rows together, so that neither many short rows nor a few
 * long ones go to one thread. COO is cut by entries, ELL and HYB by rows. */
static inline int64_t units_of(const gbl_sparse_layout *A)
{
    switch (A->format) {
    case GABLE_CSR:
        return A->entries + A->rows;
    case GABLE_COO:
        return A->entries;
    case GABLE_SELL:
        return A->stored + A->slices * A->chunk;
    default:
        return A->rows;
    }
}

/* Units before starts[i], of CSR's rows and SELL's slices. */
INLINED int64_t units_before(const gbl_sparse_layout *A, int64_t i, bool wide)
{
    return index_at(A->start, i, wide) + i * (A->format == GABLE_SELL ? A->chunk : 1);
}

/* The first place at or behind a unit. */
INLINED int64_t place_of_unit(const gbl_sparse_layout *A, int64_t unit, bool wide)
{
    const bool sell = A->format == GABLE_SELL;
    if (A->format == GABLE_COO) {
        if (unit <= 0)
            return 0;
        if (unit >= A->entries)
            return A->rows;
        /* A row belongs to the thread that has its first entry. */
        return index_at(A->row, unit - 1, wide) + 1;
    }
    if (A->format != GABLE_CSR && !sell)
        return unit;
    int64_t low = 0, high = sell ? A->slices : A->rows;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (units_before(A, middle, wide) < unit)
            low = middle + 1;
        else
            high = middle;
    }
    return sell && low * A->chunk < A->rows ? low * A->chunk : sell ? A->rows : low;
}

/* The first of `entries` sorted rows that is at least `row`. */
INLINED int64_t first_entry(const void *rows, int64_t entries, int64_t row, bool wide)
{
    int64_t low = 0, high = entries;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (index_at(rows, middle, wide) < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- sums of a block ---- */

#if !COMPLEX
/* a b + c, rounded as pack_multiply_add does it, so that a row's sum does not depend on how it is
 * added up. */
INLINED R multiply_add_real(R a, R b, R c)
{
#if defined(__aarch64__)
    return sizeof(R) == sizeof(float) ? (R)__builtin_fmaf((float)a, (float)b, (float)c)
                                      : (R)__builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}
#endif

/* `count` entries, a constant in each call, of one row side by side. */
INLINED void add_entries(int count, const T *value, const void *column, int64_t at, const T *x,
                         bool conj, bool wide, T *sum)
{
#pragma GCC unroll 8
    for (int e = 0; e < count; e++) {
        const int64_t c = index_at(column, at + e, wide);
#if COMPLEX
        add_product(value + at + e, x + c, conj, sum);
#else
        (void)conj;
        *sum = multiply_add_real(value[at + e], x[c], *sum);
#endif
    }
}

/* Bytes between what is read and what is asked for. The hardware's prefetch alone does not keep up
 * with two arrays (SELL of 8 rows, d, two cores of a Neoverse V1, 2026-11, other programs running:
 * 44 GB/s with 512, 47 with 1024, 41 with 2048). */
#define AHEAD 1024

INLINED void load_ahead(const T *value, const void *column, int64_t at, bool wide)
{
    __builtin_prefetch((const char *)(value + at) + AHEAD);
    __builtin_prefetch((const char *)column + at * (wide ? 8 : 4) + AHEAD / 2);
}

/* Rows from i on, as long as they have `length` entries, a constant in each call. Returns the row
 * behind them. */
INLINED int64_t sum_alike(int length, const gbl_sparse_layout *A, int64_t i, int64_t end,
                          const T *x, bool conj, bool wide, T *sum)
{
    const T *value = A->value;
    const void *column = A->column, *start = A->start;
    int64_t at = index_at(start, i, wide), next = index_at(start, i + 1, wide);
    do {
        T total = {0};
        load_ahead(value, column, at, wide);
        add_entries(length, value, column, at, x, conj, wide, &total);
        *sum++ = total;
        at = next;
        if (++i == end)
            break;
        next = index_at(start, i + 1, wide);
    } while (next - at == length);
    return i;
}

/* One row of any length: two sums, since additions to one would wait for each other. */
INLINED void sum_row(const gbl_sparse_layout *A, int64_t i, const T *x, bool conj, bool wide,
                     T *sum)
{
    T even = {0}, odd = {0};
    int64_t at = index_at(A->start, i, wide);
    const int64_t next = index_at(A->start, i + 1, wide);
    load_ahead(A->value, A->column, at, wide);
    for (; next - at >= 2; at += 2) {
        add_entries(1, A->value, A->column, at, x, conj, wide, &even);
        add_entries(1, A->value, A->column, at + 1, x, conj, wide, &odd);
    }
    if (at < next)
        add_entries(1, A->value, A->column, at, x, conj, wide, &even);
#if COMPLEX
    *sum = (T){even.re + odd.re, even.im + odd.im};
#else
    *sum = even + odd;
#endif
}

/* Whether the vector unit gathers this matrix's x. */
static inline bool is_gathered(bool wide)
{
    return GATHERS && !wide && gbl_cpu_gathers();
}

/* Entries per row from which a gather per row is faster than single loads (a Xeon, Sapphire Rapids,
 * d, 2026-11, us of a product: 3 points 1.6 and 1.0, 5 points 31 and 29, 6.3 entries 14.0 and 14.8,
 * 7 points 25 and 31). */
#define GATHERED_FROM 6

/* Lengths that most rows of stencils have get loops of their own. Where rows are of all lengths the
 * jumps to these would be foreseen too rarely (1138_bus, the same Xeon: 3.5 us without them, 4.2
 * with). */
#define LONGEST_ALIKE 7
INLINED void sum_csr(const gbl_sparse_layout *A, int64_t begin, int64_t end, const T *x, bool conj,
                     bool wide, T *sum)
{
#if GATHERS
    if (is_gathered(wide) && A->entries >= GATHERED_FROM * A->rows) {
        PRIVATE(gather_csr)(A, begin, end, x, sum);
        return;
    }
#endif
    if (A->longest > LONGEST_ALIKE) {
        for (int64_t i = begin; i < end; i++)
            sum_row(A, i, x, conj, wide, sum + (i - begin));
        return;
    }
    for (int64_t i = begin; i < end;) {
        T *to = sum + (i - begin);
        switch (index_at(A->start, i + 1, wide) - index_at(A->start, i, wide)) {
        case 3:
            i = sum_alike(3, A, i, end, x, conj, wide, to);
            break;
        case 5:
            i = sum_alike(5, A, i, end, x, conj, wide, to);
            break;
        case 7:
            i = sum_alike(7, A, i, end, x, conj, wide, to);
            break;
        default:
            sum_row(A, i, x, conj, wide, to);
            i++;
        }
    }
}

/* ---- rows side by side: ELL and slices of SELL ---- */

#if !COMPLEX
/* Registers that the sums of a tile take. The widest tile is half of what there is, and for doubles
 * on aarch64 a slice of 32 rows, which is then read in the order in which it lies in memory. */
#if defined(__aarch64__)
#define TILE_PACKS (32 / PACK)
#else
#define TILE_PACKS 8
#endif
typedef int32_t index_pack __attribute__((vector_size(16), aligned(4), may_alias));
typedef int64_t wide_index_pack __attribute__((vector_size(16), aligned(8), may_alias));

/* Whether `count` indices from `at` on count upwards one by one: then x lies side by side, too.
 * That is so in most rows of a stencil, and is found out faster than elements of x are gathered. */
INLINED bool is_run(int count, const void *indices, int64_t at, bool wide)
{
    wide_index_pack apart = {0, 0};
    if (wide) {
        const int64_t *c = (const int64_t *)indices + at;
        const wide_index_pack first = {c[0], c[0]};
        wide_index_pack wanted = first + (wide_index_pack){0, 1};
#pragma GCC unroll 16
        for (int l = 0; l < count; l += 2) {
            apart |= *(const wide_index_pack *)(c + l) ^ wanted;
            wanted += 2;
        }
        return (apart[0] | apart[1]) == 0 && c[0] >= 0;
    }
    const int32_t *c = (const int32_t *)indices + at;
    const index_pack first = {c[0], c[0], c[0], c[0]};
    index_pack wanted = first + (index_pack){0, 1, 2, 3}, differs = {0, 0, 0, 0};
#pragma GCC unroll 16
    for (int l = 0; l < count; l += 4) {
        differs |= *(const index_pack *)(c + l) ^ wanted;
        wanted += 4;
    }
    apart = (wide_index_pack)differs;
    return (apart[0] | apart[1]) == 0 && c[0] >= 0;
}

/* x at `count` columns, 0 where a place only fills up. Where lines of a grid end only a few rows
 * are out of step, so most still come by fours. Not a function of its own to the compilers: a call
 * would empty the registers of sum_tile. */
INLINED void gather(int count, const void *column, int64_t at, const T *x, bool wide, T *to)
{
    enum { SOME = 4 };
#pragma GCC unroll 1
    for (int l = 0; l < count; l += SOME) {
        if (is_run(SOME, column, at + l, wide)) {
            const T *from = x + index_at(column, at + l, wide);
            for (int d = 0; d < SOME; d += PACK)
                *(pack *)(to + l + d) = pack_at(from + d);
        } else {
            for (int d = 0; d < SOME; d++) {
                const int64_t c = index_at(column, at + l + d, wide);
                to[l + d] = c >= 0 ? x[c] : 0;
            }
        }
    }
}

/* Sums of rows side by side, as many as `packs` registers hold: entry j of row l is at + j step +
 * l. Places that only fill up count as 0 times 0. */
INLINED void sum_tile(int packs, const T *value, const void *column, int64_t at, int64_t end,
                      int64_t step, const T *x, bool wide, T *sum)
{
    pack lane[TILE_PACKS] = {{0}};
    T gathered[TILE_PACKS * PACK];
    for (; at < end; at += step) {
        const T *from = gathered;
        load_ahead(value, column, at, wide);
        if (is_run(packs * PACK, column, at, wide))
            from = x + index_at(column, at, wide);
        else
            gather(packs * PACK, column, at, x, wide, gathered);
#pragma GCC unroll 16
        for (int d = 0; d < packs; d++)
            lane[d] = pack_multiply_add(pack_at(value + at + d * PACK), pack_at(from + d * PACK),
                                        lane[d]);
    }
#pragma GCC unroll 16
    for (int d = 0; d < packs; d++)
        *(pack *)(sum + d * PACK) = lane[d];
}

/* As many tiles as there are rows for, from row l on; returns the row behind them. */
INLINED int64_t sum_tiles(int packs, int64_t l, int64_t count, const T *value, const void *column,
                          int64_t at, int64_t end, int64_t step, const T *x, bool wide, T *sum)
{
    for (; l + packs * PACK <= count; l += packs * PACK)
        sum_tile(packs, value, column, at + l, end, step, x, wide, sum + l);
    return l;
}
#endif

/* Sums of `count` rows side by side. */
INLINED void sum_beside(int64_t count, const T *value, const void *column, int64_t at, int64_t end,
                        int64_t step, const T *x, bool conj, bool wide, T *sum)
{
    int64_t l = 0;
#if !COMPLEX
    l = sum_tiles(TILE_PACKS, l, count, value, column, at, end, step, x, wide, sum);
    l = sum_tiles(4, l, count, value, column, at, end, step, x, wide, sum);
#endif
    for (; l < count; l++) {
        T total = {0};
        for (int64_t e = at + l; e < end; e += step) {
            const int64_t c = index_at(column, e, wide);
#if COMPLEX
            if (c >= 0)
                add_product(value + e, x + c, conj, &total);
#else
            (void)conj;
            total = multiply_add_real(value[e], c >= 0 ? x[c] : 0, total);
#endif
        }
        sum[l] = total;
    }
}

INLINED void sum_ell(const gbl_sparse_layout *A, int64_t begin, int64_t end, const T *x, bool conj,
                     bool wide, T *sum)
{
#if GATHERS
    if (is_gathered(wide)) {
        PRIVATE(gather_ell)(A, begin, end, x, sum);
        return;
    }
#endif
    /* The end lies behind the last entry of these rows and before what would follow it. */
    sum_beside(end - begin, A->value, A->column, begin, A->width * A->stride, A->stride, x, conj,
               wide, sum);
}

INLINED void sum_sell(const gbl_sparse_layout *A, int64_t begin, int64_t end, const T *x, bool conj,
                      bool wide, T *sum)
{
#if GATHERS
    if (is_gathered(wide)) {
        PRIVATE(gather_sell)(A, begin, end, x, sum);
        return;
    }
#endif
    for (int64_t i = begin; i < end;) {
        const int64_t slice = i / A->chunk, first = slice * A->chunk;
        const int64_t last = first + A->chunk < end ? first + A->chunk : end;
        sum_beside(last - i, A->value, A->column, index_at(A->start, slice, wide) + (i - first),
                   index_at(A->start, slice + 1, wide), A->chunk, x, conj, wide, sum + (i - begin));
        i = last;
    }
}

/* Entries with rows in [begin, end), the first of which is *next, are added to sum. */
INLINED void add_coo(const void *rows, const void *columns, const T *values, int64_t entries,
                     int64_t *next, int64_t begin, int64_t end, const T *x, bool conj, bool wide,
                     T *sum)
{
    int64_t at = *next;
    for (; at < entries && index_at(rows, at, wide) < end; at++)
        add_product(values + at, x + index_at(columns, at, wide), conj,
                    sum + (index_at(rows, at, wide) - begin));
    *next = at;
}

/* Where the next entry of COO, or of HYB's rest, is: for blocks that follow one another. */
INLINED int64_t cursor_at(const gbl_sparse_layout *A, int64_t begin, bool wide)
{
    if (A->format == GABLE_COO)
        return first_entry(A->row, A->entries, begin, wide);
    return A->format == GABLE_HYB ? first_entry(A->rest_row, A->rest, begin, wide) : 0;
}

/* sum := the products of the rows at places [begin, end), at most PLACES, with x. */
INLINED void sum_places(const gbl_sparse_layout *A, int64_t begin, int64_t end, int64_t *cursor,
                        const T *x, bool conj, bool wide, T *sum)
{
    switch (A->format) {
    case GABLE_CSR:
        sum_csr(A, begin, end, x, conj, wide, sum);
        break;
    case GABLE_COO:
        memset(sum, 0, (size_t)(end - begin) * sizeof(T));
        add_coo(A->row, A->column, A->value, A->entries, cursor, begin, end, x, conj, wide, sum);
        break;
    case GABLE_SELL:
        sum_sell(A, begin, end, x, conj, wide, sum);
        break;
    default:
        sum_ell(A, begin, end, x, conj, wide, sum);
        if (A->rest > 0)
            add_coo(A->rest_row, A->rest_column, A->rest_value, A->rest, cursor, begin, end, x,
                    conj, wide, sum);
    }
}

#endif
