/* incomplete.h: ILU(0) and IC(0) as preconditioners.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * M = L D U in the pattern of A and its diagonal (cpu/cpu_incomplete.h). Patterns, levels and
 * launches are made once per solver; other values of the matrix make other numbers in them. The
 * factorization is made on the host, whatever the device is.
 */
#ifndef GBL_INCOMPLETE_H
#define GBL_INCOMPLETE_H

#include "cpu/cpu_incomplete.h"
#include "sparse/solver/solver.h"

/* L or U. */
typedef struct gbl_factor_half {
    bool upper;
    int64_t entries, levels, phases;
    gbl_factor_rows host, device; /* the same on cpu */
    const void *at;               /* host: the place of each row; NULL: rows stand in their order */
    int64_t *level;               /* host: where levels start among places, levels + 1 */
    gbl_factor_phase *phase;      /* host; NULL: one thread solves row after row */
    void *device_level, *device_phase;
    int lanes;                     /* of a row; kernels only */
    gbl_kernel *wide, *thin, *all; /* one level; levels by one group; all in a cooperative launch */
    int64_t all_groups;
} gbl_factor_half;

struct gbl_factor {
    bool hermitian; /* IC(0) */
    int64_t n;
    int index_bytes;
    gbl_dtype dtype;
    gbl_factor_half lower, upper;
    void *inverse; /* of the pivots, on the host */
    void *device_inverse, *counter;
    double shift; /* IC(0) is of A + shift diag(A) */
    gbl_factor_result result;
};

/* incomplete_levels.c: levels of the rows of L and U, and how they are launched. `start` and
 * `column` are those of A in compressed rows; of IC(0) its lower triangle counts. */
gable_status gbl_factor_pattern(gable_solver *solver, struct gbl_factor *factor, const void *start,
                                const void *column);
/* incomplete_solve.c */
gable_status gbl_factor_kernels(gable_solver *solver, struct gbl_factor *factor);
/* Whether rows are ordered by levels, and phases are made: not where one thread of the cpu
 * solves. */
bool gbl_factor_by_levels(const gbl_device *device, const gbl_factor_half *half, int64_t n);
/* A level with more of entries and rows than that is shared out. */
int64_t gbl_factor_thin(const gbl_device *device, const gbl_factor_half *half);

#endif
