/* cpu_sparse_rows.h: sparse matrices on the cpu: products of some rows with a vector, and which rows a thread owns.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The unit of work is a block of places: rows in the order in which the format keeps them, at most PLACES. The sums of a
 * block go to a buffer; what becomes of them there, scaled into y or multiplied with other vectors while they are in the
 * cache, is up to the caller. A row is always added up in the order of its columns by one thread, so products do not
 * depend on the number of threads.
 *
 * Functions take `wide`, whether indices have 64 bits, as a constant: each is compiled for both widths.
 */
#ifndef GBL_CPU_SPARSE_ROWS_H
#define GBL_CPU_SPARSE_ROWS_H

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

/* A matrix is cut by units: entries and rows together, so that neither many short rows nor a few long ones go to one
 * thread. COO is cut by entries, ELL and HYB by rows. */
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

INLINED void sum_csr(const gbl_sparse_layout *A, int64_t begin, int64_t end, const T *x, bool conj,
                     bool wide, T *sum)
{
    const T *value = A->value;
    int64_t at = index_at(A->start, begin, wide);
    for (int64_t i = begin; i < end; i++) {
        const int64_t next = index_at(A->start, i + 1, wide);
        T total = {0};
        for (; at < next; at++)
            add_product(value + at, x + index_at(A->column, at, wide), conj, &total);
        sum[i - begin] = total;
    }
}

/* Column j of a part of ELL or of a slice: `count` entries side by side. */
INLINED void add_beside(int64_t count, const T *value, const void *column, int64_t at, const T *x,
                        bool conj, bool wide, T *sum)
{
    for (int64_t l = 0; l < count; l++) {
        const int64_t c = index_at(column, at + l, wide);
        if (c >= 0)
            add_product(value + at + l, x + c, conj, sum + l);
    }
}

INLINED void sum_ell(const gbl_sparse_layout *A, int64_t begin, int64_t end, const T *x, bool conj,
                     bool wide, T *sum)
{
    memset(sum, 0, (size_t)(end - begin) * sizeof(T));
    for (int64_t j = 0; j < A->width; j++)
        add_beside(end - begin, A->value, A->column, begin + j * A->stride, x, conj, wide, sum);
}

INLINED void sum_sell(const gbl_sparse_layout *A, int64_t begin, int64_t end, const T *x, bool conj,
                      bool wide, T *sum)
{
    memset(sum, 0, (size_t)(end - begin) * sizeof(T));
    for (int64_t i = begin; i < end;) {
        const int64_t slice = i / A->chunk, first = slice * A->chunk;
        const int64_t last = first + A->chunk < end ? first + A->chunk : end;
        const int64_t from = index_at(A->start, slice, wide) + (i - first);
        const int64_t to = index_at(A->start, slice + 1, wide);
        for (int64_t at = from; at < to; at += A->chunk)
            add_beside(last - i, A->value, A->column, at, x, conj, wide, sum + (i - begin));
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
