/* cpu_incomplete.c: the numbers of ILU(0) and IC(0).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Row after row (Saad, Iterative Methods for Sparse Linear Systems, 10.3): row i of A is spread
 * over a dense row; the rows of U before it are taken out of it, where it has entries; what is left
 * is row i of L, times D, and of D U. A pivot is lost where what was taken from it left rounding
 * errors alone.
 *
 * IC(0) has the lower triangle alone: the entry of column k is what is left of a_ik without the
 * products of rows i and k of L. Where that leaves no positive pivot the caller comes again with a
 * larger diagonal (Manteuffel, Math. Comp. 34, 1980).
 */
#include <math.h>
#include "cpu/cpu_incomplete.h"
#include "cpu/cpu_scalar.h"
#include "cpu/cpu_sparse_rows.h"

/* A pivot is lost at so much of the largest term. */
#define LOST (sizeof(R) == sizeof(float) ? 0x1p-20 : 0x1p-49)

INLINED int64_t place_of(const void *at, int64_t row, bool wide)
{
    return at != NULL ? index_at(at, row, wide) : row;
}

INLINED int64_t upper_place(const gbl_cpu_factor_args *f, int64_t row, bool wide)
{
    return f->upper_at != NULL ? index_at(f->upper_at, row, wide) : f->n - 1 - row;
}

static void fail(const gbl_cpu_factor_args *f, gbl_factor_fault fault, int64_t row)
{
    *f->result = (gbl_factor_result){fault, row};
}

/* The places of row i in `rows` take part, with 0. */
INLINED void open_row(const gbl_cpu_factor_args *f, const gbl_factor_rows *rows, int64_t place,
                      int64_t i, bool wide)
{
    T *w = f->work;
    const int64_t end = index_at(rows->start, place + 1, wide);
    for (int64_t e = index_at(rows->start, place, wide); e < end; e++) {
        const int64_t j = index_at(rows->column, e, wide);
        f->mark[j] = i;
        w[j] = one_or_zero(false);
    }
}

/* ---- ILU(0) ---- */

/* w := w - w_k times row k of U, where row i has entries; *largest is the size of the largest term
 * of the pivot so far. */
INLINED void take_out(const gbl_cpu_factor_args *f, int64_t k, int64_t i, R *largest, bool wide)
{
    T *w = f->work;
    const T taken = negative(w[k]), *value = f->upper.value;
    const int64_t place = upper_place(f, k, wide), end = index_at(f->upper.start, place + 1, wide);
    for (int64_t e = index_at(f->upper.start, place, wide); e < end; e++) {
        const int64_t j = index_at(f->upper.column, e, wide);
        if (f->mark[j] != i)
            continue;
        if (j == i) {
            T term;
            put_multiple(taken, value + e, &term);
            const R size = size_of(&term);
            *largest = size > *largest ? size : *largest;
        }
        add_multiple(taken, value + e, w + j);
    }
}

INLINED bool ilu_row(const gbl_cpu_factor_args *f, int64_t i, bool wide)
{
    T *w = f->work, *inverse = f->inverse;
    T *lower = (T *)(uintptr_t)f->lower.value, *upper = (T *)(uintptr_t)f->upper.value;
    const int64_t low = place_of(f->lower_at, i, wide), up = upper_place(f, i, wide);
    open_row(f, &f->lower, low, i, wide);
    open_row(f, &f->upper, up, i, wide);
    f->mark[i] = i; /* also where A has nothing there */
    w[i] = one_or_zero(false);
    int64_t end = index_at(f->start, i + 1, wide);
    for (int64_t e = index_at(f->start, i, wide); e < end; e++)
        w[index_at(f->column, e, wide)] = ((const T *)f->value)[e];
    R largest = size_of(w + i);
    end = index_at(f->lower.start, low + 1, wide);
    for (int64_t e = index_at(f->lower.start, low, wide); e < end; e++) {
        const int64_t k = index_at(f->lower.column, e, wide);
        take_out(f, k, i, &largest, wide);
        put_multiple(w[k], inverse + k, lower + e);
    }
    inverse[i] = reciprocal(w[i]);
    if (!isfinite((double)size_of(w + i))) {
        fail(f, GBL_FACTOR_NOT_FINITE, i);
        return false;
    }
    if (!((double)size_of(w + i) > LOST * (double)largest) ||
        !isfinite((double)size_of(inverse + i))) {
        fail(f, GBL_FACTOR_PIVOT, i);
        return false;
    }
    end = index_at(f->upper.start, up + 1, wide);
    for (int64_t e = index_at(f->upper.start, up, wide); e < end; e++)
        put_multiple(w[index_at(f->upper.column, e, wide)], inverse + i, upper + e);
    return true;
}

/* ---- IC(0) ---- */

/* a_ik without the products of rows i and k of L up to column k, which is row i of L D there. */
INLINED T left_of(const gbl_cpu_factor_args *f, int64_t i, int64_t k, bool wide)
{
    const T *w = f->work, *value = f->lower.value;
    const int64_t place = place_of(f->lower_at, k, wide);
    const int64_t end = index_at(f->lower.start, place + 1, wide);
    T left = w[k];
    for (int64_t e = index_at(f->lower.start, place, wide); e < end; e++) {
        const int64_t j = index_at(f->lower.column, e, wide);
        if (f->mark[j] == i)
            add_multiple(negative(conjugate(value[e])), w + j, &left);
    }
    return left;
}

INLINED bool ic_row(const gbl_cpu_factor_args *f, int64_t i, bool wide)
{
    T *w = f->work, *inverse = f->inverse, *lower = (T *)(uintptr_t)f->lower.value;
    const int64_t low = place_of(f->lower_at, i, wide);
    R diagonal = 0;
    open_row(f, &f->lower, low, i, wide);
    int64_t end = index_at(f->start, i + 1, wide);
    for (int64_t e = index_at(f->start, i, wide); e < end; e++) {
        const int64_t j = index_at(f->column, e, wide);
        if (j < i)
            w[j] = ((const T *)f->value)[e];
        else if (j == i)
            diagonal = real_part(((const T *)f->value)[e]);
    }
    const R whole = (R)(diagonal * (1 + f->shift));
    if (!isfinite((double)whole)) {
        fail(f, GBL_FACTOR_NOT_FINITE, i);
        return false;
    }
    if (!(whole > 0) || !isfinite((double)(1 / whole))) {
        fail(f, GBL_FACTOR_DIAGONAL, i);
        return false;
    }
    R pivot = whole;
    end = index_at(f->lower.start, low + 1, wide);
    for (int64_t e = index_at(f->lower.start, low, wide); e < end; e++) {
        const int64_t k = index_at(f->lower.column, e, wide);
        T product;
        w[k] = left_of(f, i, k, wide);
        put_multiple(inverse[k], w + k, lower + e);
        put_multiple(conjugate(lower[e]), w + k, &product);
        pivot -= real_part(product);
    }
    if (isnan(pivot) || pivot == -INFINITY) {
        fail(f, GBL_FACTOR_NOT_FINITE, i);
        return false;
    }
    if (!((double)pivot > LOST * (double)whole) || !isfinite((double)(1 / pivot))) {
        fail(f, GBL_FACTOR_PIVOT, i);
        return false;
    }
    inverse[i] = of_real(1 / pivot);
    return true;
}

/* U := L^H. Rows of L from the last to the first: then the columns of a row of U fall. */
INLINED void transpose_lower(const gbl_cpu_factor_args *f, bool wide)
{
    int64_t *next = f->mark;
    const T *lower = f->lower.value;
    T *upper = (T *)(uintptr_t)f->upper.value;
    for (int64_t k = 0; k < f->n; k++)
        next[k] = index_at(f->upper.start, upper_place(f, k, wide), wide);
    for (int64_t i = f->n - 1; i >= 0; i--) {
        const int64_t place = place_of(f->lower_at, i, wide);
        const int64_t end = index_at(f->lower.start, place + 1, wide);
        for (int64_t e = index_at(f->lower.start, place, wide); e < end; e++)
            upper[next[index_at(f->lower.column, e, wide)]++] = conjugate(lower[e]);
    }
}

/* ---- The task ---- */

INLINED void make(const gbl_cpu_factor_args *f, bool wide)
{
    bool good = true;
    for (int64_t i = 0; i < f->n; i++)
        f->mark[i] = -1;
    for (int64_t i = 0; i < f->n && good; i++)
        good = f->hermitian ? ic_row(f, i, wide) : ilu_row(f, i, wide);
    if (good && f->hermitian)
        transpose_lower(f, wide);
}

/* gbl_cpu_sfactor_make gbl_cpu_dfactor_make gbl_cpu_cfactor_make gbl_cpu_zfactor_make */
GBL_CPU_TASK(PRIVATE(factor_make))
{
    (void)queue, (void)stream, (void)message;
    const gbl_cpu_factor_args *f = args;
    *f->result = (gbl_factor_result){GBL_FACTOR_GOOD, 0};
    if (f->index_bytes == 8)
        make(f, true);
    else
        make(f, false);
    return GABLE_OK;
}
