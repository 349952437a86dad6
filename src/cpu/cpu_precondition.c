/* cpu_precondition.c: the inverses of the blocks on the diagonal, and products with them, on the
 * cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks are inverted by Gauss-Jordan elimination with row pivoting, as
 * kernels/solver/block_inverse.cl does.
 */
#include <math.h>
#include "cpu/cpu_precondition.h"
#include "cpu/cpu_scalar.h"
#include "cpu/cpu_sparse_rows.h"

/* ---- Blocks of the matrix ---- */

INLINED void gather_row(const gbl_cpu_block_args *call, int64_t place, bool wide)
{
    const gbl_sparse_layout *A = &call->A;
    const int64_t row = A->order != NULL ? index_at(A->order, place, wide) : place;
    const int64_t size = call->block, block = row / size;
    T *to = (T *)call->inverse + block * size * size + row % size;
    int64_t from = place, step = A->stride, count = A->width;
    if (A->format == GABLE_CSR) {
        from = index_at(A->start, place, wide);
        step = 1;
        count = index_at(A->start, place + 1, wide) - from;
    } else if (A->format == GABLE_SELL) {
        const int64_t slice = place / A->chunk, start = index_at(A->start, slice, wide);
        from = start + place % A->chunk;
        step = A->chunk;
        count = (index_at(A->start, slice + 1, wide) - start) / A->chunk;
    }
    if (A->format == GABLE_CSR && size == 1) {
        /* Jacobi: columns of a row are sorted. */
        int64_t low = from, high = from + count;
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (index_at(A->column, middle, wide) < row)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < from + count && index_at(A->column, low, wide) == row)
            *to = ((const T *)A->value)[low];
        return;
    }
    for (int64_t k = 0; k < count; k++) {
        const int64_t at = from + k * step;
        const int64_t inside = index_at(A->column, at, wide) - block * size;
        if (inside >= 0 && inside < size)
            to[inside * size] = ((const T *)A->value)[at];
    }
}

static void gather_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_cpu_block_args *call = given;
    for (int64_t place = begin; place < end; place++) {
        if (call->A.index_bytes == 8)
            gather_row(call, place, true);
        else
            gather_row(call, place, false);
    }
}

/* ---- Arithmetic ---- */

static void exchange(T *x, T *y)
{
    const T kept = *x;
    *x = *y;
    *y = kept;
}

/* ---- One block ---- */

static int pivot_row(const T *block, int size, int k)
{
    int best = k;
    for (int i = k + 1; i < size; i++)
        if (size_of(block + k * size + i) > size_of(block + k * size + best))
            best = i;
    return best;
}

static void eliminate(T *block, int size, int k)
{
    T left[GBL_CPU_MOST_BLOCK];
    const T inverse = reciprocal(block[k * size + k]);
    for (int i = 0; i < size; i++)
        put_multiple(negative(inverse), block + k * size + i, left + i);
    for (int j = 0; j < size; j++) {
        const T here = block[j * size + k];
        for (int i = 0; i < size && j != k; i++)
            if (i != k)
                add_multiple(left[i], &here, block + j * size + i);
    }
    for (int i = 0; i < size; i++) {
        put_multiple(inverse, block + i * size + k, block + i * size + k);
        block[k * size + i] = left[i];
    }
    block[k * size + k] = inverse;
}

static void invert(T *block, int size)
{
    int pivot[GBL_CPU_MOST_BLOCK];
    for (int k = 0; k < size; k++) {
        pivot[k] = pivot_row(block, size, k);
        for (int j = 0; j < size && pivot[k] != k; j++)
            exchange(block + j * size + k, block + j * size + pivot[k]);
        eliminate(block, size, k);
    }
    for (int k = size - 1; k >= 0; k--)
        for (int i = 0; i < size && pivot[k] != k; i++)
            exchange(block + k * size + i, block + pivot[k] * size + i);
    bool good = true;
    for (int e = 0; e < size * size; e++)
        good = good && isfinite((double)size_of(block + e));
    for (int e = 0; e < size * size && !good; e++)
        block[e] = one_or_zero(e % size == e / size);
}

static void invert_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_cpu_block_args *call = given;
    const int size = call->block;
    for (int64_t b = begin; size == 1 && b < end; b++) {
        T *one = (T *)call->inverse + b;
        *one = reciprocal(*one);
        if (!isfinite((double)size_of(one)))
            *one = one_or_zero(true);
    }
    for (int64_t b = begin; size > 1 && b < end; b++)
        invert((T *)call->inverse + b * size * size, size);
}

/* gbl_cpu_sblock_inverse gbl_cpu_dblock_inverse gbl_cpu_cblock_inverse gbl_cpu_zblock_inverse */
GBL_CPU_TASK(PRIVATE(block_inverse))
{
    (void)queue, (void)stream, (void)message;
    gbl_cpu_block_args call = *(const gbl_cpu_block_args *)args;
    const int64_t size = call.block, blocks = (call.n + size - 1) / size;
    memset(call.inverse, 0, (size_t)(blocks * size * size) * sizeof(T));
    const int64_t bytes = (call.A.stored / (call.n > 0 ? call.n : 1) + 1) * (int64_t)sizeof(T);
    gbl_cpu_share(call.n, sizeof(T), bytes, gather_piece, &call);
    for (int64_t row = call.n; row < blocks * size; row++)
        ((T *)call.inverse)[(blocks - 1) * size * size + row % size * (size + 1)] =
            one_or_zero(true);
    gbl_cpu_share(blocks, sizeof(T) * size * size, 2 * size * size * (int64_t)sizeof(T),
                  invert_piece, &call);
    return GABLE_OK;
}

/* ---- y := M^-1 x ---- */

static void apply_piece(void *given, int piece, int64_t begin, int64_t end)
{
    (void)piece;
    const gbl_cpu_block_args *call = given;
    const int size = call->block;
    const T *x = call->x;
    T *y = call->y;
    for (int64_t b = begin; b < end; b++) {
        const T *block = (const T *)call->inverse + b * size * size;
        const int64_t first = b * size;
        const int rows = call->n - first < size ? (int)(call->n - first) : size;
        for (int i = 0; i < rows; i++) {
            T sum = {0};
            for (int j = 0; j < rows; j++)
                add_multiple(block[j * size + i], x + first + j, &sum);
            y[first + i] = sum;
        }
    }
}

/* gbl_cpu_sblock_apply gbl_cpu_dblock_apply gbl_cpu_cblock_apply gbl_cpu_zblock_apply */
GBL_CPU_TASK(PRIVATE(block_apply))
{
    (void)queue, (void)stream, (void)message;
    gbl_cpu_block_args call = *(const gbl_cpu_block_args *)args;
    const int64_t size = call.block, blocks = (call.n + size - 1) / size;
    gbl_cpu_share(blocks, size * (int64_t)sizeof(T), (size + 2) * size * (int64_t)sizeof(T),
                  apply_piece, &call);
    return GABLE_OK;
}
