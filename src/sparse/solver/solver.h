/* solver.h: iterative solvers: the object, its options, what methods are given.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * solver.c checks, converts, prepares the preconditioner and calls the method's `solve`. A method
 * enqueues batches of iterations whose scalars stay in the device's memory (GBL_STATE_*) and reads
 * that state late (solver_batches.c): while one batch runs the next is enqueued. An iteration whose
 * state says `outcome` does nothing. When the recursive residual is small enough the method returns
 * to solver.c, which computes the true residual and either ends or goes on from there.
 */
#ifndef GBL_SOLVER_H
#define GBL_SOLVER_H

#include "blas/level1/level1.h"
#include "core/kernel.h"
#include "device/iteration_state.h"
#include "sparse/matrix/sparse_matrix.h"

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
    GBL_PRECOND_ILU0,
    GBL_PRECOND_IC0,
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
    int64_t repeats; /* products that are foreseen; 0: the matrix's, or REPEATS */
    int format;      /* a gable_format; -1: keep */
    bool zero_guess; /* x is not read */
    bool last;       /* the caller gets the last x, not the best */
} gbl_solver_options;

/* late_read.c: numbers on their way back from the device. */
typedef struct gbl_late_read {
    gable_context *ctx;
    void *slots[2]; /* pinned */
    gbl_mark *marks[2];
    size_t bytes;
    int next, waiting; /* the slot to use next; reads under way */
} gbl_late_read;

/* solver_batches.c: a recorded batch, and all that decided what was recorded. */
typedef struct gbl_kept_batch {
    gable_recording *recording; /* NULL: none */
    gable_status (*enqueue)(void *method, int64_t iterations);
    int64_t batch;
    const void *x, *r;
    void *method; /* a copy, from malloc */
    size_t method_bytes;
} gbl_kept_batch;

struct gable_solver {
    gbl_object object;
    gable_context *ctx; /* NULL: it closed, and nothing can be done but to destroy the solver */
    bool solving;       /* monitor, operator and preconditioner may not change it */
    gbl_dtype dtype;
    int64_t n;
    gable_sparse *A;          /* the user's; NULL: an operator */
    gable_sparse *own;        /* a converted copy; NULL: A serves */
    gbl_sparse_layout layout; /* what the iteration multiplies with; format 0: an operator */
    bool long_rows;           /* of it: kernels that also multiply would wait for the longest */
    char format_text[112];    /* what the format cost, for the next text; "": nothing to say */
    gable_apply apply, precondition;
    void *apply_user, *precondition_user;
    gable_monitor monitor;
    void *monitor_user;
    gbl_solver_options options;
    /* precondition.c: of Jacobi n inverses of the diagonal; of block-Jacobi ceil(n / block)
     * inverses of the blocks on the diagonal, column-major, each block * block elements, the last
     * filled up with the identity. NULL: none. */
    gbl_precond_name precond; /* in use, never AUTO */
    int block;
    void *inverse;
    struct gbl_factor *factor;       /* incomplete.c: of ILU(0) and IC(0); NULL: none */
    struct gbl_host_plan *host_plan; /* solver_cg_host.c: kept while prepared; NULL: none yet */
    bool prepared;                   /* own, layout, precond and inverse are as the options say */
    unsigned version;                /* of A's values that they were made of */
    gbl_method_name method;          /* in use, never AUTO */
    gbl_kept_batch kept;             /* while prepared */
    gbl_late_read late; /* kept from solve to solve; ctx NULL: no solve has read late yet */
};

/* What a method works on. The vectors are the device's. */
typedef struct gbl_solve {
    gable_solver *solver;
    const void *b;
    void *x;
    void *r;               /* b - A x, true at the start of a round; the method changes it */
    double norm_b, norm_r; /* 2-norms, true */
    double first_r;        /* norm_r of the first guess */
    bool from_zero;        /* that is 0, in place of a guess that was of no use */
    double wanted;         /* solved where the true |r| is at or below it */
    double target;         /* of a round: stop where the recursive |r| is at or below it */
    int64_t done;          /* iterations before this round */
    int64_t limit;         /* at most so many in all */
} gbl_solve;

/* What the text says beside the outcome. */
typedef struct gbl_solve_story {
    gable_outcome switched; /* what `from` found before GMRES took over, else GABLE_SOLVED */
    gbl_method_name from;
    enum {
        GBL_STORY_PLAIN,
        GBL_STORY_B,      /* NaN or Inf in b */
        GBL_STORY_START,  /* NaN or Inf in the first residual */
        GBL_STORY_LARGE,  /* the solution is too large for the precision */
        GBL_STORY_SMALL,  /* so small that its digits are lost */
        GBL_STORY_FACTOR, /* the incomplete factorization met no pivot */
        /* the matrix is so large or small that squares of products leave the range */
        GBL_STORY_RANGE
    } what;
    /* What a look at the matrix found, each counted from 1, 0: nothing. */
    int64_t zero_row, zero_column;
    int64_t bad_row, bad_column; /* of the first entry that is NaN or Inf */
    bool not_hermitian;          /* and the method is CG */
} gbl_solve_story;

/* How a round of a method ended. */
typedef struct gbl_round {
    gable_outcome outcome; /* GABLE_SOLVED: the recursive residual is at the target */
    int64_t iterations;    /* of this round */
    double recursive;      /* |r| */
    double bytes;          /* an iteration */
    const char *form;
} gbl_round;

/* A method: solver_cg.c, solver_bicgstab.c, solver_gmres.c; solver_methods.c lists them. It tells
 * the monitor through gbl_solver_tell. Its calls of ops are not checked: solver.c has raised
 * ctx->depth. */
typedef gable_status (*gbl_method)(gbl_solve *solve, gbl_round *round);
gable_status gbl_solve_cg(gbl_solve *solve, gbl_round *round);
gable_status gbl_solve_bicgstab(gbl_solve *solve, gbl_round *round);
gable_status gbl_solve_gmres(gbl_solve *solve, gbl_round *round);
/* By its name; NULL: this build has none. */
gbl_method gbl_solver_method(gbl_method_name name);

/* A way to run the iteration of CG: solver_methods.c lists them, the one that is preferred
 * first. */
typedef struct gbl_cg_form {
    gbl_form form;
    const char *name;
    bool (*fits)(const gable_solver *solver);
    gbl_method solve;
} gbl_cg_form;
const gbl_cg_form *gbl_cg_forms(int *count);
bool gbl_cg_standard_fits(const gable_solver *solver);
gable_status gbl_solve_cg_standard(gbl_solve *solve, gbl_round *round);
bool gbl_cg_pipelined_fits(const gable_solver *solver);
gable_status gbl_solve_cg_pipelined(gbl_solve *solve, gbl_round *round);
bool gbl_cg_host_fits(const gable_solver *solver);
gable_status gbl_solve_cg_host(gbl_solve *solve, gbl_round *round);
/* Forgets what CG on the cpu keeps from solve to solve. */
void gbl_host_plan_free(gable_solver *solver);
/* r := b - A x and its norm by one task. *done stays false where that cannot be: not on the cpu, an
 * operator, a norm whose square leaves the range. */
gable_status gbl_host_residual(gbl_solve *solve, bool *done);
/* r := b - r, where r is A x. */
gbl_vector_call gbl_residual_call(const gbl_solve *solve);
bool gbl_cg_persistent_fits(const gable_solver *solver);
gable_status gbl_solve_cg_persistent(gbl_solve *solve, gbl_round *round);

/* Iteration `iteration` (of the round, from 1) ended with |r| = residual. False: the monitor wants
 * to stop. */
bool gbl_solver_tell(gbl_solve *solve, int64_t iteration, double residual);

/* ---- solver.c, for solver_range.c ---- */

/* |x|, computed; to := from; a vector of the arena's; r := b - A x and its norm. */
gable_status gbl_solver_norm(gable_solver *solver, const void *x, double *norm);
gable_status gbl_solver_copy(gable_solver *solver, const void *from, void *to);
gable_status gbl_solver_take(gable_solver *solver, void **address);
gable_status gbl_solver_residual(gbl_solve *solve);
/* Rounds for a b whose norm is known and not far from 1, multiplied with the factor. */
gable_status gbl_solve_near(gbl_solve *solve, double factor, gable_solve_info *info,
                            gbl_solve_story *story);
/* solver_range.c: a solve of a prepared solver, for any b. */
gable_status gbl_solve_prepared(gbl_solve *solve, gable_solve_info *info, gbl_solve_story *story);
/* Sizes above it, or below its inverse, are far from 1: products of a few of them leave the
 * range. */
double gbl_far_from_1(const gable_solver *solver);

/* ---- What methods call ---- */

/* y := A x; y := M^-1 x (a copy where there is no preconditioner). Enqueued. */
gable_status gbl_solver_apply(gable_solver *solver, const void *x, void *y);
gable_status gbl_solver_precondition(gable_solver *solver, const void *x, void *y);

/* precondition.c: makes `inverse` for solver->precond. A diagonal or block that has no inverse is
 * replaced by ones. */
gable_status gbl_precondition_make(gable_solver *solver);
/* y := M^-1 x for the Jacobi ones */
gable_status gbl_precondition_apply(gable_solver *solver, const void *x, void *y);
void gbl_precondition_free(gable_solver *solver);
/* Whether it is a diagonal or blocks, which kernels and tasks of methods apply themselves, or
 * none; else it is a call. */
static inline bool gbl_precondition_inside(const gable_solver *solver)
{
    return solver->precond <= GBL_PRECOND_BLOCK;
}

/* incomplete.c: ILU(0) or IC(0), as solver->precond says, from the matrix; where solver->factor is
 * there, other numbers in it. What it could not make it says in gbl_factor_failed. */
gable_status gbl_factor_make(gable_solver *solver);
void gbl_factor_free(gable_solver *solver);
/* incomplete_solve.c: y := M^-1 x with one that was made */
gable_status gbl_factor_solve(gable_solver *solver, const void *x, void *y);
bool gbl_factor_failed(const gable_solver *solver);
gable_outcome gbl_factor_outcome(const gable_solver *solver); /* of a solve with one that failed */
/* What went wrong; else what is to be told of it behind an outcome, "": nothing. */
void gbl_factor_text(const gable_solver *solver, char *text, size_t bytes);
/* Of one application; 0 where there is no factorization. */
double gbl_factor_bytes(const gable_solver *solver);
double gbl_factor_flops(const gable_solver *solver);
/* Their kernels; gives the work-items of a group. */
typedef enum gbl_block_kernel {
    GBL_BLOCK_GATHER,
    GBL_BLOCK_INVERSE,
    GBL_BLOCK_APPLY
} gbl_block_kernel;
int32_t gbl_block_spec(gbl_block_kernel kernel, const gbl_sparse_layout *layout, int block,
                       gbl_kernel_spec *spec);
/* The macros of kernels/sparse/sparse_row.h for a layout. */
void gbl_sparse_row_macros(const gbl_sparse_layout *layout, int32_t unroll, gbl_kernel_spec *spec);

/* What public functions that change or use a solver start with: that it is alive, that its context
 * is, that it is not solving. Without a context there is a status and no message. */
gable_status gbl_solver_enter(gable_solver *solver, const char *routine);
/* solver_apply.c: the vectors of a call, one that is read and one that is written; `what` cannot be
 * recorded. */
gable_status gbl_solver_check_vectors(gable_solver *solver, const char *what, const char *b_name,
                                      const void *b, const char *x_name, void *x);

/* solver_prepare.c: the format, the preconditioner and the method, as the options and the matrix
 * ask for. */
gable_status gbl_solver_prepare(gable_solver *solver);
void gbl_solver_unprepare(gable_solver *solver);
/* solver_diagnose.c: what is wrong with the matrix of a system that was not solved. Finds nothing
 * where it cannot look. */
void gbl_solver_diagnose(gable_solver *solver, gbl_solve_story *story);
/* solver_text.c: the outcome as a sentence. */
void gbl_solver_text(const gable_solver *solver, const gbl_solve_story *story,
                     gable_solve_info *info);
/* cg_specs.c, krylov_specs.c, incomplete_solve.c: forms of the kernels of methods and of
 * preconditioners (sparse_specs.h). */
int gbl_cg_specs(gbl_dtype dtype, gbl_kernel_spec *specs);
int gbl_cg_persistent_specs(gbl_dtype dtype, gbl_kernel_spec *specs);
int gbl_krylov_specs(gbl_dtype dtype, gbl_kernel_spec *specs);
int gbl_factor_specs(gbl_dtype dtype, gbl_kernel_spec *specs);
/* solver_options.c */
void gbl_solver_options_default(gbl_solver_options *options);
/* The largest restart of GMRES on the context's device. */
int64_t gbl_solver_most_restart(const gable_context *ctx);

/* ---- late_read.c: numbers that come back while the device goes on ---- */

/* That of a solver, with room for `bytes` each; none is under way. Pinned memory and marks are made
 * once: again only where `bytes` differs. */
gable_status gbl_late_get(gable_solver *solver, size_t bytes, gbl_late_read **late);
/* Enqueues a read of `bytes` at address behind what is enqueued so far; at most two may be under
 * way. */
gable_status gbl_late_ask(gbl_late_read *late, const void *address);
/* Waits for the oldest read; *values stays until the next but one ask. */
gable_status gbl_late_take(gbl_late_read *late, const void **values);
/* At the end of a round: waits for what is under way, as after an error. */
void gbl_late_rest(gbl_late_read *late);
/* Frees all; the solver's context is still open. */
void gbl_late_close(gbl_late_read *late);

/* ---- solver_batches.c: iterations enqueued in batches, their state read late ---- */

typedef struct gbl_batches {
    gbl_solve *solve;
    double *state; /* on the device */
    int64_t batch; /* iterations; GBL_HISTORY / 2 at most */
    bool record;   /* a batch calls nothing of the user's: it may be recorded and replayed */
    gable_status (*enqueue)(void *method, int64_t iterations);
    void *method;
    /* Of *method, where a batch is launches alone, which they, x and r decide: its recording serves
     * later rounds and solves that have the same. 0: ops are called, whose choices may change, and
     * each round has its own. */
    size_t method_bytes;
} gbl_batches;
/* State before the first iteration: goes on, with target and limit of the round. `own` are the
 * numbers from GBL_STATE_FIRST on, so many. Returns when the host's memory is free again. */
gable_status gbl_batches_begin(gbl_solve *solve, double *state, const double *own, int count);
/* Batches until the state has an outcome or the monitor wants to stop. Waits. Fills outcome,
 * iterations, recursive. */
gable_status gbl_batches_run(const gbl_batches *batches, gbl_round *round);
/* Drops the batch that a solver keeps. */
void gbl_batches_forget(gable_solver *solver);
/* Iterations of a batch: what the options say, else what suits the device; even. */
int64_t gbl_batches_size(const gable_solver *solver);

#endif
