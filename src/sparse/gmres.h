/* gmres.h: GMRES on devices with kernels: the basis of a cycle, and the few numbers of it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * kernels/gmres.h explains the algorithm. Step k turns column k of V, projected once, into a basis vector, and column
 * k + 1, which is A M^-1 times column k before the step, into the next one, projected once. All is enqueued; nothing
 * waits. solver_gmres.c makes solves of these steps.
 *
 * For benchmarks of the orthogonalisation alone: open, fill V with vectors (column by column, ld apart), then
 * gbl_gmres_orthogonalise, as often as wanted: also within a recording. V may keep what the run before left.
 *     const gbl_arena_mark mark = gbl_arena_mark_get(ctx->arena);
 *     gbl_gmres cycle;
 *     gbl_gmres_open(ctx, GBL_D, n, 30, &cycle);
 *     ... cycle.V ...
 *     gbl_gmres_orthogonalise(&cycle);
 *     gbl_arena_release(ctx->arena, mark);
 */
#ifndef GBL_GMRES_H
#define GBL_GMRES_H

#include "core/context.h"
#include "core/kernel.h"
#include "device/dtype.h"

typedef struct gbl_gmres {
    gable_context *ctx;
    gbl_dtype dtype;
    int64_t n, m;    /* rows; steps of a cycle, at most gbl_gmres_most() */
    int64_t ld;      /* of V, a multiple of 64; rows past n are zero */
    void *V;         /* m + 1 columns */
    double *numbers; /* the state of the iteration, then H, rotations and the like */
    double *partials;
    int local, vec, unroll, batch, block;
    int column_local; /* work-items of the kernels for the few numbers */
    int64_t groups;
    gbl_kernel *dots[2], *column[2], *update, *solve; /* [1]: the end of a cycle */
} gbl_gmres;

int64_t gbl_gmres_most(void);

/* Takes memory from the arena, which the caller releases, and gets the kernels. The device has kernels. */
gable_status gbl_gmres_open(gable_context *ctx, gbl_dtype dtype, int64_t n, int64_t m,
                            gbl_gmres *cycle);
/* Step k of [0, m), behind the product into column k + 1. */
gable_status gbl_gmres_step(const gbl_gmres *cycle, int64_t k);
/* The last column's numbers, behind step m - 1; then the coefficients of the solution in the basis. */
gable_status gbl_gmres_end(const gbl_gmres *cycle);
gable_status gbl_gmres_solve(const gbl_gmres *cycle);
/* x := x + V y, x := x + inverse V y (a diagonal), or x := V y: precond is 0, 1 or 2. */
gable_status gbl_gmres_correct(const gbl_gmres *cycle, int precond, const void *inverse, void *x);
/* All steps of a cycle on the vectors that V has, without products. */
gable_status gbl_gmres_orthogonalise(const gbl_gmres *cycle);

/* Column k of V. */
void *gbl_gmres_column(const gbl_gmres *cycle, int64_t k);

#endif
