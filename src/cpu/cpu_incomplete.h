/* cpu_incomplete.h: incomplete factorizations in the pattern of the matrix, ILU(0) and IC(0): made
 * on the host for all devices, applied on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * M = L D U, L and U unit triangles whose entries are where the matrix has some, D the pivots. For
 * IC(0), U is L^H and D is real and positive.
 */
#ifndef GBL_CPU_INCOMPLETE_H
#define GBL_CPU_INCOMPLETE_H

#include "cpu/cpu_kernels.h"
#include "device/sparse_args.h"

/* Entries of L or U beside the diagonal. Rows stand in an order in which they may be solved for:
 * place p has row p of L or row n - 1 - p of U, or what `order` says. Columns of a row of L rise,
 * those of U fall: the unknown that was found last comes last. */
typedef struct gbl_factor_rows {
    const void *start, *column, *value, *order; /* indices of index_bytes */
} gbl_factor_rows;

typedef enum gbl_factor_fault {
    GBL_FACTOR_GOOD,
    GBL_FACTOR_PIVOT,    /* 0, or lost in rounding errors; of IC(0): not positive */
    GBL_FACTOR_DIAGONAL, /* of IC(0): an element of the diagonal of A is not positive */
    GBL_FACTOR_NOT_FINITE
} gbl_factor_fault;

typedef struct gbl_factor_result {
    gbl_factor_fault fault;
    int64_t row; /* of the fault, from 0 */
} gbl_factor_result;

/* The numbers of L, D and U from those of A; all arrays are the host's. */
typedef struct gbl_cpu_factor_args {
    int64_t n;
    int index_bytes;
    bool hermitian;             /* IC(0), of the lower triangle of A */
    double shift;               /* of IC(0): the diagonal is multiplied with 1 + shift */
    const void *start, *column; /* of A, compressed rows */
    const void *value;
    gbl_factor_rows lower, upper;    /* their values are written */
    const void *lower_at, *upper_at; /* the place of each row; NULL where there is no order */
    void *inverse;                   /* n: of the pivots */
    void *work;                      /* n elements */
    int64_t *mark;                   /* n */
    gbl_factor_result *result;
} gbl_cpu_factor_args;
GBL_CPU_TASKS(factor_make);

/* A run of levels: rows of a level need only those of levels before it. `wide`: one level, whose
 * rows are shared out; else levels [first, end), for which one thread, or one group, is enough. */
typedef struct gbl_factor_phase {
    int64_t wide, first, end;
} gbl_factor_phase;

/* y := M^-1 x. */
typedef struct gbl_cpu_factor_solve_args {
    int64_t n;
    int index_bytes;
    int64_t bytes; /* that it moves */
    struct gbl_cpu_factor_half {
        gbl_factor_rows rows;
        const int64_t *level;          /* where levels start among places */
        const gbl_factor_phase *phase; /* NULL: one thread solves */
        int64_t phases;
    } lower, upper;
    const void *inverse;
    const void *x;
    void *y;
} gbl_cpu_factor_solve_args;
GBL_CPU_TASKS(factor_solve);

#endif
