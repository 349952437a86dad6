/* cpu_layouts.h: sparse matrices in all formats, as the cpu's tasks take them, and a plain product.
 * Typed; comes last.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Formats are written down here anew, from src/device/sparse_args.h, and not by the library. The
 * plain product is in wider arithmetic and reads compressed rows.
 */
#ifndef TEST_CPU_LAYOUTS_H
#define TEST_CPU_LAYOUTS_H

#include <stdlib.h>
#include "device/sparse_args.h"
#include "harness/check.h"
#include "harness/wide.h"
#include "sparse/market/generate.h"
#include "harness/numbers.h"

/* Compressed rows with 64-bit indices: what all formats are made from. */
typedef struct rows {
    int64_t n, columns, entries;
    int64_t *start, *column;
    T *value;
} rows;

static inline void *memory(size_t bytes)
{
    void *given = malloc(bytes > 0 ? bytes : 1);
    if (given == NULL)
        test_skip(NULL, "no memory for %zu bytes", bytes);
    return given;
}

static inline void free_rows(rows *A)
{
    free(A->start);
    free(A->column);
    free(A->value);
}

/* Takes the generated matrix over. Complex values get phases: entry (i, j) that of i over that of
 * j, so that a symmetric matrix becomes a Hermitian one, exactly, with the same eigenvalues. */
static inline rows rows_of(gbl_generated *G)
{
    rows A = {G->rows, G->columns, G->entries, G->start, G->column, NULL};
    A.value = memory((size_t)G->entries * sizeof(T));
    for (int64_t i = 0; i < A.n; i++)
        for (int64_t e = A.start[i]; e < A.start[i + 1]; e++) {
            const double angle = (double)(i % 7 - A.column[e] % 7);
            A.value[e] = COMPLEX ? make(G->value[e] * cos(angle), G->value[e] * sin(angle))
                                 : make(G->value[e], 0);
        }
    free(G->value);
    return A;
}

/* The same with rows and columns in another order: nothing of its band is left. */
static inline rows shuffled(const rows *A)
{
    const int64_t n = A->n;
    int64_t *to = memory((size_t)n * sizeof *to), *from = memory((size_t)n * sizeof *from);
    for (int64_t i = 0; i < n; i++)
        to[i] = i;
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = (int64_t)(data_bits(7, (uint64_t)i) % (uint64_t)(i + 1)), old = to[i];
        to[i] = to[j];
        to[j] = old;
    }
    for (int64_t i = 0; i < n; i++)
        from[to[i]] = i;
    rows B = {n,
              n,
              A->entries,
              memory((size_t)(n + 1) * 8),
              memory((size_t)A->entries * 8),
              memory((size_t)A->entries * sizeof(T))};
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) {
        B.start[i] = at;
        for (int64_t e = A->start[from[i]]; e < A->start[from[i] + 1]; e++, at++) {
            int64_t place = at;
            for (; place > B.start[i] && B.column[place - 1] > to[A->column[e]]; place--) {
                B.column[place] = B.column[place - 1];
                B.value[place] = B.value[place - 1];
            }
            B.column[place] = to[A->column[e]];
            B.value[place] = A->value[e];
        }
    }
    B.start[n] = at;
    free(to);
    free(from);
    return B;
}

/* ---- formats ---- */

/* Owns the arrays of the layout. */
typedef struct formatted {
    gbl_sparse_layout layout;
    void *arrays[8];
    int count;
} formatted;

static inline void *keep(formatted *f, size_t bytes)
{
    return f->arrays[f->count++] = memory(bytes);
}

static inline void free_formatted(formatted *f)
{
    for (int a = 0; a < f->count; a++)
        free(f->arrays[a]);
}

/* Indices of the layout's width, all -1. */
static inline void *keep_indices(formatted *f, int64_t count)
{
    const size_t bytes = (size_t)count * f->layout.index_bytes;
    return memset(keep(f, bytes), 0xff, bytes);
}

static inline T *keep_values(formatted *f, int64_t count)
{
    return memset(keep(f, (size_t)count * sizeof(T)), 0, (size_t)count * sizeof(T));
}

static inline void set_index(const formatted *f, void *indices, int64_t i, int64_t value)
{
    if (f->layout.index_bytes == 8)
        ((int64_t *)indices)[i] = value;
    else
        ((int32_t *)indices)[i] = (int32_t)value;
}

static inline int64_t length_of(const rows *A, int64_t i)
{
    return i < A->n ? A->start[i + 1] - A->start[i] : 0;
}

/* ELL's entries, of HYB also the rest. */
static inline void format_ell(formatted *f, const rows *A, int64_t width)
{
    gbl_sparse_layout *L = &f->layout;
    L->width = width;
    L->stride = (A->n + 31) / 32 * 32;
    L->stored = L->width * L->stride;
    for (int64_t i = 0; i < A->n; i++)
        L->rest += length_of(A, i) > width ? length_of(A, i) - width : 0;
    void *column = keep_indices(f, L->stored), *rest_row = keep_indices(f, L->rest);
    void *rest_column = keep_indices(f, L->rest);
    T *value = keep_values(f, L->stored), *rest_value = keep_values(f, L->rest);
    int64_t rest = 0;
    for (int64_t i = 0; i < A->n; i++)
        for (int64_t j = 0; j < length_of(A, i); j++) {
            const int64_t e = A->start[i] + j;
            if (j < width) {
                set_index(f, column, i + j * L->stride, A->column[e]);
                value[i + j * L->stride] = A->value[e];
            } else {
                set_index(f, rest_row, rest, i);
                set_index(f, rest_column, rest, A->column[e]);
                rest_value[rest++] = A->value[e];
            }
        }
    L->column = column;
    L->value = value;
    L->rest_row = rest_row;
    L->rest_column = rest_column;
    L->rest_value = rest_value;
}

/* Longer rows first among each `sigma`; sigma 1: no order. */
static inline void format_sell(formatted *f, const rows *A, int64_t chunk, int64_t sigma)
{
    gbl_sparse_layout *L = &f->layout;
    L->chunk = chunk;
    L->sigma = sigma;
    L->slices = (A->n + chunk - 1) / chunk;
    int64_t *order = memory((size_t)(A->n + 1) * sizeof *order);
    for (int64_t i = 0; i < A->n; i++) {
        int64_t at = i;
        for (; at % sigma != 0 && length_of(A, order[at - 1]) < length_of(A, i); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    void *start = keep_indices(f, L->slices + 1);
    for (int64_t s = 0; s < L->slices; s++) {
        int64_t longest = 0;
        for (int64_t i = s * chunk; i < (s + 1) * chunk && i < A->n; i++)
            longest = length_of(A, order[i]) > longest ? length_of(A, order[i]) : longest;
        set_index(f, start, s, L->stored);
        L->stored += longest * chunk;
    }
    set_index(f, start, L->slices, L->stored);
    void *column = keep_indices(f, L->stored), *kept = keep_indices(f, A->n);
    T *value = keep_values(f, L->stored);
    for (int64_t i = 0; i < A->n; i++) {
        const int64_t s = i / chunk;
        const int64_t base = L->index_bytes == 8 ? ((int64_t *)start)[s] : ((int32_t *)start)[s];
        for (int64_t j = 0; j < length_of(A, order[i]); j++) {
            set_index(f, column, base + i % chunk + j * chunk, A->column[A->start[order[i]] + j]);
            value[base + i % chunk + j * chunk] = A->value[A->start[order[i]] + j];
        }
        set_index(f, kept, i, order[i]);
    }
    free(order);
    L->start = start;
    L->column = column;
    L->value = value;
    L->order = sigma > 1 ? kept : NULL;
}

static inline void format_entries(formatted *f, const rows *A)
{
    gbl_sparse_layout *L = &f->layout;
    void *start = keep_indices(f, A->n + 1), *column = keep_indices(f, A->entries);
    void *row = keep_indices(f, A->entries);
    T *value = keep_values(f, A->entries);
    for (int64_t i = 0; i <= A->n; i++)
        set_index(f, start, i, A->start[i]);
    for (int64_t i = 0; i < A->n; i++)
        for (int64_t e = A->start[i]; e < A->start[i + 1]; e++) {
            set_index(f, row, e, i);
            set_index(f, column, e, A->column[e]);
            value[e] = A->value[e];
        }
    L->stored = A->entries;
    L->start = L->format == GABLE_CSR ? start : NULL;
    L->row = L->format == GABLE_COO ? row : NULL;
    L->column = column;
    L->value = value;
}

/* The ways that tests go through; SELL in three. */
typedef struct way {
    gable_format format;
    int64_t chunk, sigma;
} way;
static const way ways[] = {{GABLE_CSR, 0, 0},   {GABLE_COO, 0, 0},  {GABLE_ELL, 0, 0},
                           {GABLE_HYB, 0, 0},   {GABLE_SELL, 4, 1}, {GABLE_SELL, 32, 1},
                           {GABLE_SELL, 8, 64}, {GABLE_SELL, 7, 21}};
enum { WAYS = sizeof ways / sizeof ways[0] };

static inline formatted format_rows(const rows *A, way w, int index_bytes)
{
    formatted f = {.layout = {.dtype = DTYPE,
                              .format = (uint8_t)w.format,
                              .index_bytes = (uint8_t)index_bytes,
                              .rows = A->n,
                              .columns = A->columns,
                              .entries = A->entries}};
    int64_t longest = 0;
    for (int64_t i = 0; i < A->n; i++)
        longest = length_of(A, i) > longest ? length_of(A, i) : longest;
    f.layout.longest = longest;
    if (w.format == GABLE_SELL)
        format_sell(&f, A, w.chunk, w.sigma);
    else if (w.format == GABLE_ELL)
        format_ell(&f, A, longest);
    else if (w.format == GABLE_HYB)
        format_ell(&f, A, (longest + 1) / 2);
    else
        format_entries(&f, A);
    return f;
}

/* ---- a plain product ---- */

typedef struct wide_pair {
    wide re, im;
} wide_pair;

/* Row i of A, or of its conjugate, times x; size receives the sum of sizes. */
static inline wide_pair row_times(const rows *A, int64_t i, bool conj, const T *x, double *size)
{
    wide_pair sum = {{0, 0}, {0, 0}};
    *size = 0;
    for (int64_t e = A->start[i]; e < A->start[i + 1]; e++) {
        const T v = A->value[e], u = x[A->column[e]];
        const double a = real_part(v), b = conj ? -imaginary_part(v) : imaginary_part(v);
        const double c = real_part(u), d = imaginary_part(u);
        sum.re = wide_add_product(wide_add_product(sum.re, a, c), -b, d);
        sum.im = wide_add_product(wide_add_product(sum.im, a, d), b, c);
        *size += wide_size(a, b) * wide_size(c, d);
    }
    return sum;
}

/* |b - A x| */
static inline double true_residual(const rows *A, const T *b, const T *x)
{
    double sum = 0, size;
    for (int64_t i = 0; i < A->n; i++) {
        const wide_pair p = row_times(A, i, false, x, &size);
        const double re = wide_add(p.re, -real_part(b[i])).high;
        const double im = wide_add(p.im, -imaginary_part(b[i])).high;
        sum += re * re + im * im;
    }
    return sqrt(sum);
}

#endif
