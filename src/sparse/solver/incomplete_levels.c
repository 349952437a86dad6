/* incomplete_levels.c: the patterns of L and U of an incomplete factorization, rows by levels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A row's level is one more than the highest among the rows that it needs. Rows of a level need
 * nothing of each other: they are solved for at once, level after level (Anderson and Saad, 1989).
 * Neighbouring levels of few rows make one phase, which one group, or one thread, goes through.
 */
#include <stdlib.h>
#include "sparse/matrix/sparse_host.h"
#include "sparse/solver/incomplete.h"

/* What is made of A's pattern. */
typedef struct maker {
    gable_context *ctx;
    struct gbl_factor *factor;
    const void *start, *column;                                     /* of A */
    int64_t *lower_count, *upper_count, *lower_level, *upper_level; /* of rows */
    int64_t *next;
} maker;

static int64_t a_index(const maker *m, const void *indices, int64_t at)
{
    return gbl_index_get(indices, m->factor->index_bytes, at);
}

/* ---- Counts and levels of rows ---- */

static void raise(int64_t *level, int64_t least)
{
    if (*level < least)
        *level = least;
}

static void look_at_rows(const maker *m)
{
    const struct gbl_factor *f = m->factor;
    for (int64_t i = 0; i < f->n; i++) {
        const int64_t end = a_index(m, m->start, i + 1);
        for (int64_t e = a_index(m, m->start, i); e < end; e++) {
            const int64_t j = a_index(m, m->column, e);
            if (j < i) {
                m->lower_count[i]++;
                raise(&m->lower_level[i], m->lower_level[j] + 1);
                if (f->hermitian)
                    m->upper_count[j]++;
            } else if (j > i && !f->hermitian) {
                m->upper_count[i]++;
            }
        }
    }
    for (int64_t i = f->n - 1; i >= 0; i--) {
        const int64_t end = a_index(m, m->start, i + 1);
        for (int64_t e = a_index(m, m->start, i); e < end; e++) {
            const int64_t j = a_index(m, m->column, e);
            if (f->hermitian && j < i) /* row j of L^H needs i */
                raise(&m->upper_level[j], m->upper_level[i] + 1);
            else if (!f->hermitian && j > i)
                raise(&m->upper_level[i], m->upper_level[j] + 1);
        }
    }
}

/* ---- Orders and places ---- */

static gable_status make_levels(const maker *m, gbl_factor_half *half, const int64_t *count,
                                const int64_t *level)
{
    const int64_t n = m->factor->n;
    int64_t highest = -1;
    void *room;
    half->entries = 0;
    for (int64_t i = 0; i < n; i++) {
        half->entries += count[i];
        highest = level[i] > highest ? level[i] : highest;
    }
    half->levels = highest + 1;
    TRY(gbl_sparse_room(m->ctx, half->levels + 1, sizeof(int64_t), &room));
    half->level = room;
    for (int64_t l = 0; l <= half->levels; l++)
        half->level[l] = 0;
    for (int64_t i = 0; i < n; i++)
        half->level[level[i] + 1]++;
    for (int64_t l = 0; l < half->levels; l++)
        half->level[l + 1] += half->level[l];
    return GABLE_OK;
}

/* Rows by levels, within a level as the triangle is walked. */
static gable_status make_order(const maker *m, gbl_factor_half *half, const int64_t *level)
{
    const struct gbl_factor *f = m->factor;
    void *order, *at;
    TRY(gbl_sparse_room(m->ctx, f->n, (size_t)f->index_bytes, &order));
    half->host.order = order;
    TRY(gbl_sparse_room(m->ctx, f->n, (size_t)f->index_bytes, &at));
    half->at = at;
    for (int64_t l = 0; l < half->levels; l++)
        m->next[l] = half->level[l];
    for (int64_t k = 0; k < f->n; k++) {
        const int64_t i = half->upper ? f->n - 1 - k : k, place = m->next[level[i]]++;
        gbl_index_put(order, f->index_bytes, place, i);
        gbl_index_put(at, f->index_bytes, i, place);
    }
    return GABLE_OK;
}

static int64_t row_at(const maker *m, const gbl_factor_half *half, int64_t place)
{
    if (half->host.order != NULL)
        return a_index(m, half->host.order, place);
    return half->upper ? m->factor->n - 1 - place : place;
}

static int64_t place_of(const maker *m, const gbl_factor_half *half, int64_t row)
{
    if (half->at != NULL)
        return a_index(m, half->at, row);
    return half->upper ? m->factor->n - 1 - row : row;
}

static gable_status make_starts(const maker *m, gbl_factor_half *half, const int64_t *count)
{
    const struct gbl_factor *f = m->factor;
    void *start, *column, *value;
    TRY(gbl_sparse_room(m->ctx, f->n + 1, (size_t)f->index_bytes, &start));
    half->host.start = start;
    TRY(gbl_sparse_room(m->ctx, half->entries, (size_t)f->index_bytes, &column));
    half->host.column = column;
    TRY(gbl_sparse_room(m->ctx, half->entries, gbl_dtype_bytes(f->dtype), &value));
    half->host.value = value;
    int64_t at = 0;
    for (int64_t p = 0; p < f->n; p++) {
        gbl_index_put(start, f->index_bytes, p, at);
        at += count[row_at(m, half, p)];
    }
    gbl_index_put(start, f->index_bytes, f->n, at);
    return GABLE_OK;
}

/* Columns of L rise, those of U fall: rows of A are walked from the last to the first for U = L^H,
 * whose row j has an entry for each row i > j with an entry (i, j). */
static void fill_columns(const maker *m)
{
    const struct gbl_factor *f = m->factor;
    const gbl_factor_half *lower = &f->lower, *upper = &f->upper;
    void *low = (void *)(uintptr_t)lower->host.column, *up = (void *)(uintptr_t)upper->host.column;
    const int bytes = f->index_bytes;
    for (int64_t i = 0; i < f->n; i++)
        m->next[i] = a_index(m, upper->host.start, place_of(m, upper, i));
    for (int64_t i = f->n - 1; i >= 0; i--) {
        const int64_t begin = a_index(m, m->start, i), end = a_index(m, m->start, i + 1);
        int64_t at = a_index(m, lower->host.start, place_of(m, lower, i));
        for (int64_t e = begin; e < end; e++) {
            const int64_t j = a_index(m, m->column, e);
            if (j >= i)
                break;
            gbl_index_put(low, bytes, at++, j);
            if (f->hermitian)
                gbl_index_put(up, bytes, m->next[j]++, i);
        }
        for (int64_t e = end - 1; e >= begin && !f->hermitian; e--) {
            const int64_t j = a_index(m, m->column, e);
            if (j <= i)
                break;
            gbl_index_put(up, bytes, m->next[i]++, j);
        }
    }
}

/* ---- Phases ---- */

/* Entries and rows of a level. */
static int64_t work_of(const maker *m, const gbl_factor_half *half, int64_t l)
{
    const int64_t begin = half->level[l], end = half->level[l + 1];
    return a_index(m, half->host.start, end) - a_index(m, half->host.start, begin) + end - begin;
}

static gable_status make_phases(const maker *m, gbl_factor_half *half)
{
    const int64_t thin = gbl_factor_thin(m->ctx->device, half);
    void *room;
    TRY(gbl_sparse_room(m->ctx, half->levels, sizeof(gbl_factor_phase), &room));
    half->phase = room;
    for (int64_t l = 0; l < half->levels; l++) {
        const bool wide = work_of(m, half, l) > thin;
        if (!wide && half->phases > 0 && !half->phase[half->phases - 1].wide)
            half->phase[half->phases - 1].end = l + 1;
        else
            half->phase[half->phases++] = (gbl_factor_phase){wide, l, l + 1};
    }
    return GABLE_OK;
}

/* ---- Together ---- */

static gable_status make_half(const maker *m, gbl_factor_half *half, const int64_t *count,
                              const int64_t *level)
{
    TRY(make_levels(m, half, count, level));
    const bool by_levels = gbl_factor_by_levels(m->ctx->device, half, m->factor->n);
    if (by_levels)
        TRY(make_order(m, half, level));
    TRY(make_starts(m, half, count));
    return by_levels ? make_phases(m, half) : GABLE_OK;
}

gable_status gbl_factor_pattern(gable_solver *solver, struct gbl_factor *factor, const void *start,
                                const void *column)
{
    const int64_t n = factor->n;
    maker m = {.ctx = solver->ctx, .factor = factor, .start = start, .column = column};
    int64_t *room = calloc((size_t)n * 5 + 1, sizeof *room);
    if (room == NULL)
        return gbl_fail(&solver->ctx->message, GABLE_OUT_OF_MEMORY,
                        "no host memory for an incomplete factorization");
    m.lower_count = room;
    m.upper_count = room + n;
    m.lower_level = room + 2 * n;
    m.upper_level = room + 3 * n;
    m.next = room + 4 * n;
    factor->upper.upper = true;
    look_at_rows(&m);
    gable_status status = make_half(&m, &factor->lower, m.lower_count, m.lower_level);
    if (status == GABLE_OK)
        status = make_half(&m, &factor->upper, m.upper_count, m.upper_level);
    if (status == GABLE_OK)
        fill_columns(&m);
    free(room);
    return status;
}
