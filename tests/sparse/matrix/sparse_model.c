/* sparse_model.c: sparse matrices as tests know them.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "sparse/matrix/sparse_model.h"

/* ---- Models ---- */

static model model_room(int64_t rows, int64_t columns, int64_t most)
{
    model m = {.rows = rows, .columns = columns};
    m.start = calloc((size_t)rows + 1, sizeof *m.start);
    m.column = calloc((size_t)most + 1, sizeof *m.column);
    m.value = calloc((size_t)most + 1, sizeof *m.value);
    if (m.start == NULL || m.column == NULL || m.value == NULL)
        abort();
    return m;
}

/* Never 0, so that nothing looks like a place that fills up. */
static number value_at(uint64_t seed, int64_t e)
{
    const double re = data_integer(seed, 2 * (uint64_t)e, 9),
                 im = data_integer(seed, 2 * (uint64_t)e + 1, 9);
    return (number){re == 0 ? 10 : re, im};
}

model model_random(int64_t rows, int64_t columns, double density, int gap, uint64_t seed)
{
    model m = model_room(rows, columns, rows * columns);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns && (gap == 0 || i % gap != 0); j++)
            if ((data_double(seed, (uint64_t)(i * columns + j)) + 1) / 2 < density) {
                m.column[m.entries] = j;
                m.value[m.entries] = value_at(seed + 1, m.entries);
                m.entries++;
            }
        m.start[i + 1] = m.entries;
    }
    return m;
}

model model_ragged(int64_t rows, int64_t columns, int64_t most, int64_t full, uint64_t seed)
{
    model m = model_room(rows, columns, rows * most + columns);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t length = i == full ? columns : i % most + 1, step = columns / length;
        for (int64_t k = 0; k < length; k++) {
            m.column[m.entries] = k * step + (i == full ? 0 : i % step);
            m.value[m.entries] = value_at(seed, m.entries);
            m.entries++;
        }
        m.start[i + 1] = m.entries;
    }
    return m;
}

void model_free(model *m)
{
    free(m->start);
    free(m->column);
    free(m->value);
    *m = (model){.rows = 0};
}

/* ---- Elements ---- */

void element_put(gbl_dtype dtype, void *values, int64_t at, number value)
{
    switch (dtype) {
    case GBL_S:
        ((float *)values)[at] = (float)value.re;
        break;
    case GBL_D:
        ((double *)values)[at] = value.re;
        break;
    case GBL_C:
        ((gable_cfloat *)values)[at] = (gable_cfloat){(float)value.re, (float)value.im};
        break;
    default:
        ((gable_cdouble *)values)[at] = (gable_cdouble){value.re, value.im};
    }
}

number element_get(gbl_dtype dtype, const void *values, int64_t at)
{
    switch (dtype) {
    case GBL_S:
        return (number){((const float *)values)[at], 0};
    case GBL_D:
        return (number){((const double *)values)[at], 0};
    case GBL_C:
        return (number){((const gable_cfloat *)values)[at].re,
                        ((const gable_cfloat *)values)[at].im};
    default:
        return (number){((const gable_cdouble *)values)[at].re,
                        ((const gable_cdouble *)values)[at].im};
    }
}

/* ---- Arrays of a call ---- */

static void index_put(void *indices, int bits, int64_t at, int64_t value)
{
    if (bits == 32)
        ((int32_t *)indices)[at] = (int32_t)value;
    else
        ((int64_t *)indices)[at] = value;
}

/* Host memory, moved to the device where it is wanted there. */
static bool move(gable_context *ctx, bool on_device, int64_t count, size_t bytes, void **array)
{
    void *far = NULL;
    if (!on_device)
        return true;
    const bool good = CHECK_OK(ctx, gable_alloc(ctx, ((size_t)count + 1) * bytes, &far)) &&
                      CHECK_OK(ctx, gable_set_vector(ctx, count, bytes, *array, 1, far, 1));
    free(*array);
    *array = far;
    return good;
}

/* Where entry e of [from, to) comes to stand: a step that has no divisor in common with the length
 * goes round. */
static int64_t shuffled(int64_t e, int64_t from, int64_t to)
{
    const int64_t length = to - from;
    int64_t step = length / 2 + 1;
    for (int64_t a = step, b = length; b != 0 && step > 1;) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
        if (b == 0 && a != 1) {
            step--;
            a = step;
            b = length;
        }
    }
    return from + (length - 1 - e + from) * step % length;
}

bool arrays_make(gable_context *ctx, gbl_dtype dtype, const model *m, const way *how, arrays *a)
{
    const size_t index = (size_t)how->bits / 8, elem = gbl_dtype_bytes(dtype);
    const int64_t firsts = how->coordinates ? m->entries : m->rows + 1;
    *a = (arrays){.ctx = ctx, .on_device = how->on_device, .entries = m->entries};
    a->first = calloc((size_t)firsts + 1, index);
    a->column = calloc((size_t)m->entries + 1, index);
    a->values = calloc((size_t)m->entries + 1, elem);
    for (int64_t i = 0; i <= m->rows && !how->coordinates; i++)
        index_put(a->first, how->bits, i, m->start[i] + how->base);
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            const int64_t at = !how->shuffled     ? e
                               : how->coordinates ? shuffled(e, 0, m->entries)
                                                  : shuffled(e, m->start[i], m->start[i + 1]);
            if (how->coordinates)
                index_put(a->first, how->bits, at, i + how->base);
            index_put(a->column, how->bits, at, m->column[e] + how->base);
            element_put(dtype, a->values, at, m->value[e]);
        }
    return move(ctx, how->on_device, firsts, index, &a->first) &&
           move(ctx, how->on_device, m->entries, index, &a->column) &&
           move(ctx, how->on_device, m->entries, elem, &a->values);
}

void arrays_free(arrays *a)
{
    void *const all[] = {a->first, a->column, a->values};
    for (int i = 0; i < 3; i++)
        if (a->on_device)
            CHECK_OK(a->ctx, gable_free(a->ctx, all[i]));
        else
            free(all[i]);
}

/* ---- Calls by precision ---- */

gable_status sparse_csr(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                        int64_t entries, int bits, const void *start, const void *column,
                        const void *values, unsigned flags, gable_sparse **A)
{
    switch (dtype) {
    case GBL_S:
        return gable_sparse_scsr(ctx, rows, columns, entries, bits, start, column, values, flags,
                                 A);
    case GBL_D:
        return gable_sparse_dcsr(ctx, rows, columns, entries, bits, start, column, values, flags,
                                 A);
    case GBL_C:
        return gable_sparse_ccsr(ctx, rows, columns, entries, bits, start, column, values, flags,
                                 A);
    default:
        return gable_sparse_zcsr(ctx, rows, columns, entries, bits, start, column, values, flags,
                                 A);
    }
}

gable_status sparse_coo(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                        int64_t entries, int bits, const void *row, const void *column,
                        const void *values, unsigned flags, gable_sparse **A)
{
    switch (dtype) {
    case GBL_S:
        return gable_sparse_scoo(ctx, rows, columns, entries, bits, row, column, values, flags, A);
    case GBL_D:
        return gable_sparse_dcoo(ctx, rows, columns, entries, bits, row, column, values, flags, A);
    case GBL_C:
        return gable_sparse_ccoo(ctx, rows, columns, entries, bits, row, column, values, flags, A);
    default:
        return gable_sparse_zcoo(ctx, rows, columns, entries, bits, row, column, values, flags, A);
    }
}

gable_status sparse_get(gable_context *ctx, gbl_dtype dtype, gable_sparse *A, int64_t *start,
                        int64_t *column, void *values)
{
    switch (dtype) {
    case GBL_S:
        return gable_sparse_sget(ctx, A, start, column, values);
    case GBL_D:
        return gable_sparse_dget(ctx, A, start, column, values);
    case GBL_C:
        return gable_sparse_cget(ctx, A, start, column, values);
    default:
        return gable_sparse_zget(ctx, A, start, column, values);
    }
}

gable_sparse *sparse_of(gable_context *ctx, gbl_dtype dtype, int bits, const model *m)
{
    const way plain = {.bits = bits};
    gable_sparse *A = NULL;
    arrays a;
    if (arrays_make(ctx, dtype, m, &plain, &a))
        CHECK_OK(ctx, sparse_csr(ctx, dtype, m->rows, m->columns, m->entries, bits, a.first,
                                 a.column, a.values, 0, &A));
    arrays_free(&a);
    return A;
}

/* ---- Comparison ---- */

void check_same(gable_context *ctx, gbl_dtype dtype, gable_sparse *A, const model *m)
{
    const size_t elem = gbl_dtype_bytes(dtype);
    gable_sparse_info info = {.precision = 0};
    CHECK_OK(ctx, gable_sparse_describe(ctx, A, &info));
    CHECK(info.precision == gbl_dtype_letter(dtype) && info.rows == m->rows &&
              info.columns == m->columns && info.entries == m->entries,
          "%c, %lld x %lld, %lld entries", info.precision, (long long)info.rows,
          (long long)info.columns, (long long)info.entries);
    if (info.entries != m->entries || info.rows != m->rows)
        return;
    int64_t *start = malloc(((size_t)m->rows + 1) * sizeof *start),
            *column = malloc(((size_t)m->entries + 1) * sizeof *column);
    void *values = malloc(((size_t)m->entries + 1) * elem),
         *wanted = malloc(((size_t)m->entries + 1) * elem);
    memset(values, 0xff, ((size_t)m->entries + 1) * elem);
    for (int64_t e = 0; e < m->entries; e++)
        element_put(dtype, wanted, e, m->value[e]);
    if (CHECK_OK(ctx, sparse_get(ctx, dtype, A, start, column, values))) {
        CHECK(memcmp(start, m->start, ((size_t)m->rows + 1) * sizeof *start) == 0,
              "starts of rows differ");
        CHECK(memcmp(column, m->column, (size_t)m->entries * sizeof *column) == 0,
              "columns differ");
        CHECK(memcmp(values, wanted, (size_t)m->entries * elem) == 0, "values differ");
    }
    free(start);
    free(column);
    free(values);
    free(wanted);
}
