/* solver_case.h: systems for tests of solvers: matrices, right-hand sides, residuals in wider
 * arithmetic, a plain CG.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_SOLVER_CASE_H
#define TEST_SOLVER_CASE_H

#include "sparse/matrix/sparse_model.h"

/* A x = b on the host, and on the device. */
typedef struct system_case {
    gable_context *ctx;
    gbl_dtype dtype;
    model A; /* values as the precision holds them */
    number *b;
    gable_sparse *matrix;
    void *db, *dx;
    void *memory[2]; /* that they lie in */
} system_case;

/* The model's values rounded to the precision; of complex ones a Hermitian matrix stays so, and is
 * made truly complex: entry (i, j) is multiplied with u_i conj(u_j), |u| near 1, and both triangles
 * are made of the lower one. */
typedef enum case_kind { CASE_AS_IT_IS, CASE_HERMITIAN } case_kind;
/* Takes the model. b is random, x starts at 0. `offset`: so many elements behind an aligned address
 * x and b start. */
bool case_open(gable_context *ctx, gbl_dtype dtype, model A, case_kind kind, int offset,
               system_case *c);
void case_close(system_case *c);

/* A 2-D Laplacian of nx by ny points; row and column i are multiplied with a number from 1 to 1 +
 * spread, so that the diagonal varies. */
model case_laplacian(int64_t nx, int64_t ny, double spread);
/* n numbers on the diagonal, from low to high. */
model case_diagonal(int64_t n, double low, double high);
/* A file of the folder of matrices; false: it is not there (said and counted once). */
bool case_file(const char *name, model *A);

/* x := 0, or the vector. */
void case_start(system_case *c, const number *x);
void case_solution(const system_case *c, number *x);

/* |b - A x| in wide arithmetic over |b|; *rounding: how far a residual that is computed in the
 * precision may be from it, over |b|. */
double case_residual(const system_case *c, const number *x, double *rounding);

/* Solves with these options; the status must be good. */
gable_solve_info case_solve(system_case *c, const char *words);
/* Runs a solver from x as it is: it must solve, and what info says of residual and preconditioner
 * must be true. Gives the iterations, -1: it failed. */
int64_t case_run(system_case *c, gable_solver *solver, double tolerance, const char *precond,
                 gable_solve_info *info);
/* The outcome, and a piece of its sentence. */
void case_outcome_is(const gable_solve_info *info, gable_outcome wanted, const char *piece);
/* The residual of x must be what info says, and at most `most`. */
void case_residual_is(const system_case *c, const gable_solve_info *info, double most);

/* Plain CG in the same precision, with a plain diagonal preconditioner where `jacobi` says so:
 * iterations until the recursive residual is at the tolerance; -1: not within `limit`, or the true
 * residual is not at it then. */
int64_t case_plain_cg(const system_case *c, bool jacobi, double tolerance, int64_t limit);

#endif
