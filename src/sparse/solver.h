/* solver.h: iterative solvers: the object, its options, what methods are given.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * solver.c checks, converts, prepares the preconditioner and calls the method's `solve`. A method enqueues batches of
 * iterations whose scalars stay in the device's memory (gbl_solver_state) and reads that state late (late_read.h): while
 * one batch runs the next is enqueued. An iteration whose state says `outcome` does nothing. When the recursive residual is
 * small enough the method returns to solver.c, which computes the true residual and either ends or goes on from there.
 */
#ifndef GBL_SOLVER_H
#define GBL_SOLVER_H

#include "device/solver_state.h"
#include "sparse/sparse_matrix.h"

typedef enum gbl_method_name {
    GBL_METHOD_AUTO,
    GBL_METHOD_CG,
    GBL_METHOD_BICGSTAB,
    GBL_METHOD_GMRES
} gbl_method_name;
typedef enum gbl_form { GBL_FORM_AUTO, GBL_STANDARD, GBL_PIPELINED, GBL_PERSISTENT } gbl_form;
typedef enum gbl_precond_name {
    GBL_PRECOND_AUTO,
    GBL_PRECOND_NONE,
    GBL_PRECOND_JACOBI,
    GBL_PRECOND_BLOCK,
    GBL_PRECOND_USER
} gbl_precond_name;

typedef struct gbl_solver_options {
    gbl_method_name method;
    gbl_form form;
    gbl_precond_name precond;
    int block;
    double tolerance, absolute; /* tolerance < 0: the precision's */
    int64_t iterations;         /* 0: by n */
    int64_t restart, batch;
    int format; /* a gable_format; -1: keep */
} gbl_solver_options;

struct gable_solver {
    gable_context *ctx;
    gbl_dtype dtype;
    int64_t n;
    gable_sparse *A;          /* the user's; NULL: an operator */
    gable_sparse *own;        /* a converted copy; NULL: A serves */
    gbl_sparse_layout layout; /* what the iteration multiplies with; format 0: an operator */
    gable_apply apply, precondition;
    void *apply_user, *precondition_user;
    gable_monitor monitor;
    void *monitor_user;
    gbl_solver_options options;
    /* precondition.c: of Jacobi n inverses of the diagonal; of block-Jacobi ceil(n / block) inverses of the blocks on the
     * diagonal, column-major, each block * block elements, the last filled up with the identity. NULL: none. */
    gbl_precond_name precond; /* in use, never AUTO */
    int block;
    void *inverse;
};

/* What a method works on. The vectors are the device's. */
typedef struct gbl_solve {
    gable_solver *solver;
    const void *b;
    void *x;
    void *r;               /* b - A x, true at the start of a round; the method changes it */
    double norm_b, norm_r; /* 2-norms, true */
    double target;         /* stop where the recursive |r| is at or below it */
    int64_t done;          /* iterations before this round */
    int64_t limit;         /* at most so many in all */
} gbl_solve;

/* How a round of a method ended. */
typedef struct gbl_round {
    gable_outcome outcome; /* GABLE_SOLVED: the recursive residual is at the target */
    int64_t iterations;    /* of this round */
    double recursive;      /* |r| */
    double bytes;          /* an iteration */
    const char *form;
} gbl_round;

/* A method: solver_cg.c, solver_bicgstab.c, solver_gmres.c. x is better or as before when it returns. It tells the monitor
 * through gbl_solver_tell. */
typedef gable_status (*gbl_method)(gbl_solve *solve, gbl_round *round);
gable_status gbl_solve_cg(gbl_solve *solve, gbl_round *round);
gable_status gbl_solve_bicgstab(gbl_solve *solve, gbl_round *round);
gable_status gbl_solve_gmres(gbl_solve *solve, gbl_round *round);

/* Iteration `iteration` (of the round, from 1) ended with |r| = residual. False: the monitor wants to stop. */
bool gbl_solver_tell(gbl_solve *solve, int64_t iteration, double residual);

/* y := A x; y := M^-1 x (a copy where there is no preconditioner). Enqueued. */
gable_status gbl_solver_apply(gable_solver *solver, const void *x, void *y);
gable_status gbl_solver_precondition(gable_solver *solver, const void *x, void *y);

/* precondition.c: makes `inverse` for solver->precond. A diagonal or block that has no inverse is replaced by ones. */
gable_status gbl_precondition_make(gable_solver *solver);
void gbl_precondition_free(gable_solver *solver);

/* ---- late_read.c: numbers that come back while the device goes on ---- */

typedef struct gbl_late_read {
    gable_context *ctx;
    void *slots[2]; /* pinned */
    gbl_mark *marks[2];
    size_t bytes;
    int next, waiting; /* the slot to use next; reads under way */
} gbl_late_read;
gable_status gbl_late_open(gable_context *ctx, size_t bytes, gbl_late_read *late);
/* Enqueues a read of `bytes` at address behind what is enqueued so far; at most two may be under way. */
gable_status gbl_late_ask(gbl_late_read *late, const void *address);
/* Waits for the oldest read; *values stays until the next but one ask. */
gable_status gbl_late_take(gbl_late_read *late, const void **values);
void gbl_late_close(gbl_late_read *late);

#endif
