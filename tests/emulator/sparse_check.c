/* sparse_check.c: small products with sparse matrices in every format, exact.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Layouts are made here, from the words of src/device/sparse_args.h, and arrays have no element too
 * many. The matrix has empty rows, a row that is nearly full, and a column without entries, in
 * which x is NaN; NaN also stands in Y where beta is 0, and in X where alpha is 0. Y has two
 * elements behind each column that must stay.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sparse_check.h"

/* The kernels of kernels_c.cmake are those of these ways. */
const sparse_way sparse_ways[] = {
    {"plain", GABLE_CSR, {4, 1, 1, 1, 1, 1, 1}, 1},
    {"lanes", GABLE_CSR, {8, 2, 2, 4, 1, 1, 1}, 1},
    {"lanes", GABLE_CSR, {8, 2, 2, 4, 1, 2, 1}, 3},
    {"staged", GABLE_CSR, {4, 2, 1, 1, 2, 1, 1}, 1},
    {"ell", GABLE_ELL, {4, 4, 2, 1, 1, 1, 1}, 1},
    {"sell", GABLE_SELL, {4, 4, 1, 1, 1, 1, 1}, 1},
    {"sell", GABLE_SELL, {4, 4, 1, 1, 1, 2, 1}, 3},
    {"coo", GABLE_COO, {4, 2, 1, 1, 1, 1, 1}, 2},
    {"hyb", GABLE_HYB, {4, 2, 1, 1, 1, 1, 1}, 1},
    {"single_item", GABLE_CSR, {1, 1, 1, 1, 1, 2, 256}, 3},
    {"single_item", GABLE_SELL, {1, 1, 1, 1, 1, 1, 256}, 1},
    {"coo_single_item", GABLE_COO, {1, 1, 1, 1, 1, 1, 256}, 1},
    {"merge", GABLE_CSR, {8, 1, 1, 1, 1, 1, 1}, 1},
    {"merge", GABLE_CSR, {4, 3, 1, 1, 1, 2, 1}, 3},
    {"staged", GABLE_CSR, {4, 2, 2, 1, 2, 1, 1}, 1},
};
const int sparse_way_count = (int)(sizeof sparse_ways / sizeof sparse_ways[0]);

enum {
    ROWS = 45,
    COLUMNS = 29,
    UNUSED = 7, /* a column without entries */
    LONG_ROW = 20,
    MOST = ROWS * COLUMNS,
    CHUNK = 8,
    STRIDE = 64,
    WIDTH = 3, /* of HYB */
    MOST_K = 3,
    GAP = 2,
    KEPT = 77
};

/* The matrix, in compressed rows, and the arrays of a format. */
typedef struct matrix {
    int64_t start[ROWS + 1], column[MOST];
    double re[MOST], im[MOST];
    int64_t entries;
} matrix;

static matrix make_matrix(void)
{
    static matrix m;
    m.entries = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        m.start[i] = m.entries;
        const int64_t length = i == LONG_ROW ? COLUMNS : i % 4 == 1 ? 0 : i % 7;
        for (int64_t j = 0, had = 0; j < COLUMNS && had < length; j++) {
            if (j == UNUSED || (i != LONG_ROW && (i + 3 * j) % 4 == 0))
                continue;
            m.column[m.entries] = j;
            m.re[m.entries] = (double)((i + 2 * j) % 7 - 3);
            m.im[m.entries++] = (double)((3 * i + j) % 5 - 2);
            had++;
        }
    }
    m.start[ROWS] = m.entries;
    return m;
}

static int64_t length_of(const matrix *m, int64_t i)
{
    return m->start[i + 1] - m->start[i];
}

/* Arrays on the host: indices as int64_t, values by the number of their entry; -1: what fills
 * up. */
typedef struct arrays {
    int64_t start[ROWS + 1], row[MOST], column[STRIDE * COLUMNS], order[ROWS],
        entry[STRIDE * COLUMNS];
    int64_t rest_row[MOST], rest_column[MOST], rest_entry[MOST];
    int64_t starts, stored, rest;
} arrays;

static void put(arrays *a, const matrix *m, int64_t at, int64_t entry)
{
    a->entry[at] = entry;
    a->column[at] = entry < 0 ? -1 : m->column[entry];
}

/* The first `width` entries of each row; the rest goes one by one. */
static void fill_ell(const matrix *m, int64_t width, arrays *a)
{
    a->stored = STRIDE * width;
    for (int64_t j = 0; j < width; j++)
        for (int64_t i = 0; i < STRIDE; i++)
            put(a, m, i + j * STRIDE, i < ROWS && j < length_of(m, i) ? m->start[i] + j : -1);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t e = m->start[i] + width; e < m->start[i + 1]; e++) {
            a->rest_row[a->rest] = i;
            a->rest_column[a->rest] = m->column[e];
            a->rest_entry[a->rest++] = e;
        }
}

/* Slices, their rows turned around as an order. */
static void fill_sell(const matrix *m, arrays *a)
{
    a->starts = (ROWS + CHUNK - 1) / CHUNK + 1;
    for (int64_t i = 0; i < ROWS; i++)
        a->order[i] = ROWS - 1 - i;
    for (int64_t s = 0; s + 1 < a->starts; s++) {
        int64_t width = 0;
        a->start[s] = a->stored;
        for (int64_t l = 0; l < CHUNK && s * CHUNK + l < ROWS; l++)
            width = length_of(m, a->order[s * CHUNK + l]) > width
                        ? length_of(m, a->order[s * CHUNK + l])
                        : width;
        for (int64_t j = 0; j < width; j++)
            for (int64_t l = 0; l < CHUNK; l++) {
                const int64_t row = s * CHUNK + l < ROWS ? a->order[s * CHUNK + l] : -1;
                put(a, m, a->stored++, row >= 0 && j < length_of(m, row) ? m->start[row] + j : -1);
            }
    }
    a->start[a->starts - 1] = a->stored;
}

static void fill_entries(const matrix *m, arrays *a)
{
    a->stored = m->entries;
    a->starts = ROWS + 1;
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            a->row[e] = i;
            put(a, m, e, e);
        }
    memcpy(a->start, m->start, sizeof m->start);
}

/* ---- On the device ---- */

static bool send(gable_context *ctx, const void *near, int64_t count, size_t bytes,
                 const void **far)
{
    void *at = NULL;
    if (gable_alloc(ctx, (size_t)(count > 0 ? count : 1) * bytes, &at) != GABLE_OK)
        return false;
    *far = at;
    return gable_set_vector(ctx, count, bytes, near, 1, at, 1) == GABLE_OK;
}

static bool send_indices(gable_context *ctx, const int64_t *near, int64_t count, int bytes,
                         const void **far)
{
    static int32_t narrow[STRIDE * COLUMNS];
    for (int64_t i = 0; i < count; i++)
        narrow[i] = (int32_t)near[i];
    return send(ctx, bytes == 4 ? (const void *)narrow : near, count, (size_t)bytes, far);
}

/* Element i of a list of a precision. */
static void store(gbl_dtype dtype, void *list, int64_t i, double re, double im)
{
    const int64_t at = gbl_dtype_complex(dtype) ? 2 * i : i;
    for (int part = 0; part <= gbl_dtype_complex(dtype); part++) {
        if (gbl_dtype_real_bytes(dtype) == 4)
            ((float *)list)[at + part] = (float)(part ? im : re);
        else
            ((double *)list)[at + part] = part ? im : re;
    }
}

static double part_of(gbl_dtype dtype, const void *list, int64_t i, int part)
{
    const int64_t at = (gbl_dtype_complex(dtype) ? 2 * i : i) + part;
    return gbl_dtype_real_bytes(dtype) == 4 ? (double)((const float *)list)[at]
                                            : ((const double *)list)[at];
}

static bool send_values(gable_context *ctx, const matrix *m, const int64_t *entry, int64_t count,
                        gbl_dtype dtype, const void **far)
{
    static double near[2 * STRIDE * COLUMNS];
    for (int64_t i = 0; i < count; i++)
        store(dtype, near, i, entry[i] < 0 ? 0 : m->re[entry[i]],
              entry[i] < 0 ? 0 : m->im[entry[i]]);
    return send(ctx, near, count, gbl_dtype_bytes(dtype), far);
}

static bool make_layout(gable_context *ctx, const matrix *m, gable_format format, gbl_dtype dtype,
                        int bytes, gbl_sparse_layout *A)
{
    static arrays a;
    memset(&a, 0, sizeof a);
    *A = (gbl_sparse_layout){.dtype = dtype,
                             .format = (uint8_t)format,
                             .index_bytes = (uint8_t)bytes,
                             .rows = ROWS,
                             .columns = COLUMNS,
                             .entries = m->entries,
                             .longest = length_of(m, LONG_ROW)};
    if (format == GABLE_ELL || format == GABLE_HYB) {
        A->width = format == GABLE_ELL ? A->longest : WIDTH;
        A->stride = STRIDE;
        fill_ell(m, A->width, &a);
    } else if (format == GABLE_SELL) {
        A->chunk = CHUNK;
        A->sigma = ROWS;
        fill_sell(m, &a);
        A->slices = a.starts - 1;
    } else {
        fill_entries(m, &a);
    }
    A->stored = a.stored;
    A->rest = a.rest;
    bool good = send_indices(ctx, a.column, a.stored, bytes, &A->column) &&
                send_values(ctx, m, a.entry, a.stored, dtype, &A->value);
    if (format == GABLE_CSR || format == GABLE_SELL)
        good = good && send_indices(ctx, a.start, a.starts, bytes, &A->start);
    if (format == GABLE_SELL)
        good = good && send_indices(ctx, a.order, ROWS, bytes, &A->order);
    if (format == GABLE_COO)
        good = good && send_indices(ctx, a.row, a.stored, bytes, &A->row);
    if (format == GABLE_HYB)
        good = good && send_indices(ctx, a.rest_row, a.rest, bytes, &A->rest_row) &&
               send_indices(ctx, a.rest_column, a.rest, bytes, &A->rest_column) &&
               send_values(ctx, m, a.rest_entry, a.rest, dtype, &A->rest_value);
    return good;
}

static void free_layout(gable_context *ctx, const gbl_sparse_layout *A)
{
    const void *const all[] = {A->start, A->row,      A->column,      A->value,
                               A->order, A->rest_row, A->rest_column, A->rest_value};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        gable_free(ctx, (void *)(uintptr_t)all[i]);
}

/* ---- One product ---- */

static double x_part(int64_t i, int64_t j, int part)
{
    return (double)((i + 2 * j + 3 * part) % 5 - 2);
}

/* What row i of column j must be. */
static void expected(const matrix *m, const gbl_sparse_args *call, int64_t i, int64_t j, double *re,
                     double *im)
{
    const bool complex = gbl_dtype_complex(call->dtype);
    double sum_re = 0, sum_im = 0;
    for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
        const double x_re = x_part(m->column[e], j, 0),
                     x_im = complex ? x_part(m->column[e], j, 1) : 0;
        const double v_im = !complex ? 0 : call->conj ? -m->im[e] : m->im[e];
        sum_re += m->re[e] * x_re - v_im * x_im;
        sum_im += m->re[e] * x_im + v_im * x_re;
    }
    *re = call->alpha.re * sum_re - call->alpha.im * sum_im + call->beta.re * (double)(i + j);
    *im = call->alpha.re * sum_im + call->alpha.im * sum_re;
}

static bool compare(const matrix *m, const gbl_sparse_args *call, const void *y, char why[256])
{
    const int parts = 1 + gbl_dtype_complex(call->dtype);
    for (int64_t j = 0; j < call->k; j++)
        for (int64_t i = 0; i < call->ldy; i++) {
            double want[2] = {KEPT, 0};
            if (i < ROWS)
                expected(m, call, i, j, &want[0], &want[1]);
            for (int part = 0; part < parts; part++) {
                const double got = part_of(call->dtype, y, i + j * call->ldy, part);
                if (!(got == want[part])) {
                    snprintf(why, 256, "row %lld of column %lld is %g, not %g (alpha %g, beta %g)",
                             (long long)i, (long long)j, got, want[part], call->alpha.re,
                             call->beta.re);
                    return false;
                }
            }
        }
    return true;
}

static bool multiply(gable_context *ctx, const matrix *m, const gbl_op *op, gbl_sparse_args *call,
                     char why[256])
{
    static double near_x[2 * MOST_K * COLUMNS], near_y[2 * MOST_K * (ROWS + GAP)];
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const bool reads = call->alpha.re != 0;
    const void *x = NULL, *y = NULL;
    for (int64_t j = 0; j < call->k; j++) {
        for (int64_t i = 0; i < COLUMNS; i++)
            store(call->dtype, near_x, i + j * call->ldx,
                  reads && i != UNUSED ? x_part(i, j, 0) : NAN, x_part(i, j, 1));
        for (int64_t i = 0; i < call->ldy; i++)
            store(call->dtype, near_y, i + j * call->ldy,
                  i >= ROWS            ? KEPT
                  : call->beta.re == 0 ? NAN
                                       : (double)(i + j),
                  0);
    }
    bool good = send(ctx, near_x, call->k * call->ldx, elem, &x) &&
                send(ctx, near_y, call->k * call->ldy, elem, &y);
    call->x = x;
    call->y = (void *)(uintptr_t)y;
    good = good && gbl_op_run(ctx, op, call) == GABLE_OK &&
           gable_get_vector(ctx, call->k * call->ldy, elem, y, 1, near_y, 1) == GABLE_OK;
    if (!good)
        snprintf(why, 256, "status: %.200s", gable_message(ctx));
    good = good && compare(m, call, near_y, why);
    gable_free(ctx, (void *)(uintptr_t)x);
    gable_free(ctx, (void *)(uintptr_t)y);
    return good;
}

bool sparse_check(gable_context *ctx, const sparse_way *way, gbl_dtype dtype, int index_bytes,
                  char why[256])
{
    static const double factors[][2] = {{2, 0}, {1, 3}, {0, 2}, {-1, 1}};
    const gbl_op *op = way->k == 1 ? &gbl_sparse_mv_op : &gbl_sparse_mm_op;
    const matrix m = make_matrix();
    gbl_choice choice = {.variant = NULL};
    gbl_sparse_args call = {.dtype = dtype,
                            .conj = gbl_dtype_complex(dtype),
                            .k = way->k,
                            .ldx = COLUMNS,
                            .ldy = ROWS + GAP};
    for (int i = 0; i < op->variant_count; i++)
        if (strcmp(op->variants[i].name, way->variant) == 0)
            choice.variant = &op->variants[i];
    memcpy(choice.params.value, way->values, sizeof way->values);
    if (choice.variant == NULL || gbl_force_choice(ctx, op, &choice) != GABLE_OK) {
        snprintf(why, 256, "status: there is no variant %s", way->variant);
        return false;
    }
    bool good = make_layout(ctx, &m, way->format, dtype, index_bytes, &call.A);
    if (!good)
        snprintf(why, 256, "status: %.200s", gable_message(ctx));
    for (size_t i = 0; good && i < sizeof factors / sizeof factors[0]; i++) {
        call.alpha = (gbl_scalar){.re = factors[i][0], .im = gbl_dtype_complex(dtype) ? 1 : 0};
        call.alpha.im *= factors[i][0] != 0;
        call.beta = (gbl_scalar){.re = factors[i][1]};
        good = multiply(ctx, &m, op, &call, why);
    }
    free_layout(ctx, &call.A);
    gbl_force_choice(ctx, op, NULL);
    return good;
}
