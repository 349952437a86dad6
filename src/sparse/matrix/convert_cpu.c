/* convert_cpu.c: on the cpu device, what the kernels that make and change sparse matrices do
 * elsewhere.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One loop per kernel of kernels/sparse_*.cl, with the same buffers. Threads have contiguous pieces
 * of the rows, as in products: who works on a page later also writes it first.
 */
#include "device/cpu_team.h"
#include "sparse/matrix/sparse_host.h"
#include "sparse/matrix/sparse_kernels.h"

typedef struct run {
    const gbl_sparse_form *form;
    const void *const *buffers;
    const sparse_convert_args *args;
} run;

static int64_t index_at(const run *r, int buffer, int64_t at)
{
    return gbl_index_get(r->buffers[buffer], r->form->index_bytes, at);
}

static void index_to(const run *r, int buffer, int64_t at, int64_t value)
{
    gbl_index_put((void *)(uintptr_t)r->buffers[buffer], r->form->index_bytes, at, value);
}

static void value_to(const run *r, int buffer, int64_t to, int from_buffer, int64_t from)
{
    gbl_value_move((void *)(uintptr_t)r->buffers[buffer], to, r->buffers[from_buffer], from,
                   gbl_dtype_bytes(r->form->dtype));
}

/* As sparse_place_at of kernels/sparse/sparse_place.h. */
typedef struct place {
    int64_t row, base, width;
} place;

static place place_at(const run *r, int slice, int order, int64_t i)
{
    const sparse_convert_args *a = r->args;
    place p = {i < a->rows ? i : -1, i, a->width};
    if (r->form->ordered && i < a->rows)
        p.row = index_at(r, order, i);
    if (r->form->sliced) {
        const int64_t s = i >> a->shift, from = index_at(r, slice, s);
        p.base = from + (i - (s << a->shift));
        p.width = (index_at(r, slice, s + 1) - from) >> a->shift;
    }
    return p;
}

/* start, column, value, slice, order -> column, value */
static void pack(void *job, int piece, int64_t begin, int64_t end)
{
    static const uint64_t zero[2] = {0, 0};
    const run *r = job;
    const size_t elem = gbl_dtype_bytes(r->form->dtype);
    (void)piece;
    for (int64_t i = begin; i < end; i++) {
        const place p = place_at(r, 3, 4, i);
        const int64_t from = p.row >= 0 ? index_at(r, 0, p.row) : 0,
                      count = p.row >= 0 ? index_at(r, 0, p.row + 1) - from : 0;
        for (int64_t j = 0; j < p.width; j++) {
            const int64_t to = p.base + j * r->args->step;
            if (j < count) {
                index_to(r, 5, to, index_at(r, 1, from + j));
                value_to(r, 6, to, 2, from + j);
            } else {
                index_to(r, 5, to, -1);
                gbl_value_move((void *)(uintptr_t)r->buffers[6], to, zero, 0, elem);
            }
        }
    }
}

/* start, column, value, rest_start -> row, column, value */
static void rest(void *job, int piece, int64_t begin, int64_t end)
{
    const run *r = job;
    (void)piece;
    for (int64_t i = begin; i < end; i++) {
        const int64_t last = index_at(r, 0, i + 1);
        int64_t to = index_at(r, 3, i);
        for (int64_t e = index_at(r, 0, i) + r->args->width; e < last; e++, to++) {
            index_to(r, 4, to, i);
            index_to(r, 5, to, index_at(r, 1, e));
            value_to(r, 6, to, 2, e);
        }
    }
}

/* column, slice, order -> lengths */
static void lengths(void *job, int piece, int64_t begin, int64_t end)
{
    const run *r = job;
    (void)piece;
    for (int64_t i = begin; i < end; i++) {
        const place p = place_at(r, 1, 2, i);
        int64_t count = 0;
        while (count < p.width && index_at(r, 0, p.base + count * r->args->step) >= 0)
            count++;
        index_to(r, 3, p.row, count);
    }
}

/* column, value, slice, order, rest_start, rest_column, rest_value, start -> column, value */
static void unpack(void *job, int piece, int64_t begin, int64_t end)
{
    const run *r = job;
    (void)piece;
    for (int64_t i = begin; i < end; i++) {
        const place p = place_at(r, 2, 3, i);
        const int64_t to = index_at(r, 7, p.row), count = index_at(r, 7, p.row + 1) - to,
                      near = count < p.width ? count : p.width;
        for (int64_t j = 0; j < near; j++) {
            index_to(r, 8, to + j, index_at(r, 0, p.base + j * r->args->step));
            value_to(r, 9, to + j, 1, p.base + j * r->args->step);
        }
        const int64_t from = r->form->rest ? index_at(r, 4, p.row) : 0;
        for (int64_t j = near; r->form->rest && j < count; j++) {
            index_to(r, 8, to + j, index_at(r, 5, from + j - near));
            value_to(r, 9, to + j, 6, from + j - near);
        }
    }
}

/* row -> start */
static void starts(void *job, int piece, int64_t begin, int64_t end)
{
    const run *r = job;
    (void)piece;
    for (int64_t e = begin; e < end; e++) {
        const int64_t before = e == 0 ? -1 : index_at(r, 0, e - 1),
                      here = e == r->args->entries ? r->args->rows : index_at(r, 0, e);
        for (int64_t i = before + 1; i <= here; i++)
            index_to(r, 1, i, e);
    }
}

void gbl_sparse_run_on_cpu(const gbl_sparse_form *form, int64_t items, const void *const *buffers,
                           const sparse_convert_args *args)
{
    static const gbl_cpu_piece_function loops[GBL_SPARSE_KERNELS] = {
        [GBL_SPARSE_PACK] = pack,     [GBL_SPARSE_REST] = rest,     [GBL_SPARSE_LENGTHS] = lengths,
        [GBL_SPARSE_UNPACK] = unpack, [GBL_SPARSE_STARTS] = starts,
    };
    run r = {form, buffers, args};
    const int64_t each = args->rows > 0 ? args->entries / args->rows + 1 : 1;
    gbl_cpu_share(items, form->index_bytes, 16 * each, loops[form->kernel], &r);
}
