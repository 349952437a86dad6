/* gmres.h: GMRES on devices with kernels: the basis of a cycle, and the few numbers of it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * kernels/solver/gmres_step.h explains the algorithm. Step k turns column k of V, projected once,
 * into a basis vector, and column k + 1, which is A M^-1 times column k before the step, into the
 * next one, projected once. All is enqueued; nothing waits. solver_gmres.c makes solves of these
 * steps.
 *
 * For benchmarks of the orthogonalisation alone: open, fill V with vectors (column by column, ld
 * apart), then gbl_gmres_orthogonalise, as often as wanted: also within a recording. V may keep
 * what the run before left.
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

/* Its kernels. _LAST: at the end of a cycle. GBL_GMRES_CORRECT and the two behind it: x := x + V y,
 * x := x + inverse V y (a diagonal), x := V y. */
typedef enum gbl_gmres_kernel {
    GBL_GMRES_DOTS,
    GBL_GMRES_DOTS_LAST,
    GBL_GMRES_COLUMN,
    GBL_GMRES_COLUMN_LAST,
    GBL_GMRES_UPDATE,
    GBL_GMRES_SOLVE,
    GBL_GMRES_CORRECT,
    GBL_GMRES_CORRECT_DIAGONAL,
    GBL_GMRES_CORRECT_NOTHING,
    GBL_GMRES_KERNELS
} gbl_gmres_kernel;

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
    gbl_kernel *kernels[GBL_GMRES_KERNELS]; /* those of the correction when they are needed */
} gbl_gmres;

int64_t gbl_gmres_most(void);

/* Takes memory from the arena, which the caller releases, and gets the kernels. The device has
 * kernels. */
gable_status gbl_gmres_open(gable_context *ctx, gbl_dtype dtype, int64_t n, int64_t m,
                            gbl_gmres *cycle);
/* Step k of [0, m), behind the product into column k + 1. */
gable_status gbl_gmres_step(const gbl_gmres *cycle, int64_t k);
/* The last column's numbers, behind step m - 1; then the coefficients of the solution in the
 * basis. */
gable_status gbl_gmres_end(const gbl_gmres *cycle);
gable_status gbl_gmres_solve(const gbl_gmres *cycle);
/* By one of the three kernels of the correction. */
gable_status gbl_gmres_correct(gbl_gmres *cycle, gbl_gmres_kernel how, const void *inverse,
                               void *x);
/* All steps of a cycle on the vectors that V has, without products. */
gable_status gbl_gmres_orthogonalise(const gbl_gmres *cycle);

/* How the kernels of a cycle are launched on a device, and one of them: for open, and for those who
 * compile all. */
void gbl_gmres_shape(const gbl_device *device, gbl_dtype dtype, int64_t n, int64_t m,
                     gbl_gmres *cycle);
void gbl_gmres_spec(const gbl_gmres *cycle, gbl_gmres_kernel which, gbl_kernel_spec *spec);

/* Column k of V. */
void *gbl_gmres_column(const gbl_gmres *cycle, int64_t k);

#endif
