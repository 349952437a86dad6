/* cpu_solver.h: iterative solvers on the cpu, as tasks: many iterations each, inside one team of
 * threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A round: fill a gbl_cpu_solve_args, call gbl_cpu_?solve_plan once, take work_bytes of memory as
 * `work`, set the state's OUTCOME to -1 and ITERATION to 0, then run the method's task until
 * OUTCOME is not -1. Each task does at most `iterations` of them. All that goes on lies in x, r,
 * work and state, so nothing else may change these meanwhile. The next round, from a new r, sets
 * OUTCOME and ITERATION again; plan and work may stay while matrix and method do.
 *
 * Tasks of the cpu run at once: the state can be read when a task has returned.
 */
#ifndef GBL_CPU_SOLVER_H
#define GBL_CPU_SOLVER_H

#include "cpu/cpu_kernels.h"
#include "device/iteration_state.h"
#include "device/sparse_args.h"

typedef enum gbl_cpu_method { GBL_CPU_CG, GBL_CPU_BICGSTAB, GBL_CPU_GMRES } gbl_cpu_method;
typedef enum gbl_cpu_precond {
    GBL_CPU_PRECOND_NONE,
    GBL_CPU_PRECOND_JACOBI,
    GBL_CPU_PRECOND_BLOCK
} gbl_cpu_precond;

#define GBL_CPU_MOST_BANDS 64

/* Whether, and how, the iteration keeps the matrix by diagonals: for matrices whose entries lie on
 * a few of them, which is what stencils give, it has no indices to read. Of a Hermitian matrix, for
 * CG, it keeps the upper half only. */
typedef struct gbl_cpu_bands {
    int count;                          /* 0: the layout serves as it is */
    bool hermitian;                     /* offsets are >= 0, the others follow */
    int64_t offset[GBL_CPU_MOST_BANDS]; /* column - row, rising */
} gbl_cpu_bands;

typedef struct gbl_cpu_solve_args {
    /* Given. */
    gbl_cpu_method method;
    gbl_cpu_precond precond;
    int block;           /* rows of a block of block-Jacobi */
    gbl_sparse_layout A; /* square, of any format */
    const void *inverse; /* as gable_solver has it; NULL without a preconditioner */
    const void *b;
    void *x; /* gmres: moves at the ends of cycles only, and at the end of the last task (`last`) */
    void *r; /* b - A x at the start of a round; recursive then */
    double target;      /* of |r| */
    int64_t iterations; /* of this task, at most */
    int64_t restart;    /* of gmres */
    bool last;          /* gmres: end the cycle at the end of this task, however long it is */
    double *state;      /* GBL_STATE_COUNT */
    void *work;         /* work_bytes, aligned to 64; its contents need no preparation */
    /* cg: bands_bytes of memory for the diagonals, which stay there from round to round; NULL: they
     * are in `work`, and are filled in every round. *bands_kept is 0 before the first; then it says
     * what they are. */
    void *bands_at;
    int *bands_kept;
    bool
        /* cg: the first iterations of a round, without a plan: the layout as it is, no sweeps */
        early;
    /* Made by the plan. */
    size_t work_bytes;
    size_t bands_bytes; /* of those, for diagonals */
    double bytes;       /* that an iteration moves at least; of gmres: the mean over a full cycle */
    int64_t bandwidth;  /* the largest |row - column| */
    gbl_cpu_bands bands;
} gbl_cpu_solve_args;

/* Looks at the matrix once and fills the last members. Needs method, precond, block, A and
 * restart. */
void gbl_cpu_ssolve_plan(gbl_cpu_solve_args *args);
void gbl_cpu_dsolve_plan(gbl_cpu_solve_args *args);
void gbl_cpu_csolve_plan(gbl_cpu_solve_args *args);
void gbl_cpu_zsolve_plan(gbl_cpu_solve_args *args);

/* r := b - A x and the square of its norm, which may leave the range. Where x is all zeros r is b,
 * and A is not read. Sums are added as in the solvers. */
typedef struct gbl_cpu_residual_args {
    gbl_sparse_layout A;
    const void *b, *x;
    void *r;
    double *square;
} gbl_cpu_residual_args;
GBL_CPU_TASKS(residual);

/* Bytes of work memory that cg needs beside bands_bytes, which needs no look at the matrix. */
size_t gbl_cpu_scg_work(int64_t n);
size_t gbl_cpu_dcg_work(int64_t n);
size_t gbl_cpu_ccg_work(int64_t n);
size_t gbl_cpu_zcg_work(int64_t n);

/* Outcomes beside GABLE_SOLVED (the recursive |r| is at the target): GABLE_NOT_DEFINITE (cg),
 * GABLE_BREAKDOWN (the others), GABLE_NOT_FINITE. GABLE_ITERATION_LIMIT and GABLE_STAGNATED are the
 * caller's to find. x is as the state says when a task returns, but for gmres within a cycle.
 * Results depend on the number of threads. */
GBL_CPU_TASKS(cg);
GBL_CPU_TASKS(bicgstab);
GBL_CPU_TASKS(gmres);

#endif
