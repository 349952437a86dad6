/* stedc_divide_engine.h: what divide and conquer of tridiagonal and of bidiagonal matrices share:
 * workspace, kernels, and the launches of a level that know nothing of either: private to its
 * files.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_STEDC_DIVIDE_ENGINE_H
#define GBL_STEDC_DIVIDE_ENGINE_H

#include "blas/kernel_plan.h"
#include "core/launch.h"
#include "lapack/stedc_divide_plan.h"
#include "stedc_args.h"

/* Vectors of a number per place. Singular vectors have the rotations of V and then those of U, and
 * behind the sines a scale per merge; lengths of right vectors are theirs alone. */
enum {
    DIAGONAL,
    BESIDE,
    SORTED,
    Z_VECTOR,
    POLES,
    FORMER_WEIGHTS,
    NEW_WEIGHTS,
    COSINES,
    SINES,
    LENGTHS,
    REAL_VECTORS
};
/* Vectors of places; the last of them has two. */
enum { FROM, NEXT, LINKED, TO_UPPER, TO_LOWER, INDEX, ROWS, PLACE_VECTORS };

typedef struct gbl_dividing {
    gable_context *ctx;
    const char *routine;
    int64_t n; /* places */
    gbl_divide_plan plan;
    gbl_dtype real;
    gbl_kernel *kernels[GBL_DIVIDE_STEPS];
    void *reals[REAL_VECTORS], *places[PLACE_VECTORS], *back;
    int64_t *sizes, *state, *trouble;
    /* Vectors in another order, those of the secular equation. */
    void *W, *S;
    int64_t ldw;
    int64_t ldq; /* of the vectors */
} gbl_dividing;

/* Kernels and workspace, beside that of the vectors: ctx, routine, n, plan and real are there. */
gable_status gbl_divide_prepare(gbl_dividing *s);

gable_status gbl_divide_launch(const gbl_dividing *s, gbl_divide_step which, const stedc_args *args,
                               int64_t groups, int64_t merges, const void *const *buffers,
                               int count);
#define GBL_DIVIDE_LAUNCH(s, which, args, groups, merges, ...)                                     \
    gbl_divide_launch((s), (which), (args), (groups), (merges),                                    \
                      (const void *const[]){__VA_ARGS__},                                          \
                      (int)(sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *)))

stedc_args gbl_divide_args(const gbl_dividing *s, int level);
/* Groups of GBL_DIVIDE_COPIED columns each that cover matrices of a level; args->across of them lie
 * along a column. */
int64_t gbl_divide_cover(const gbl_dividing *s, gbl_divide_step which, int level, stedc_args *args);

/* The values in order, and z of vectors Q. */
gable_status gbl_divide_sort(const gbl_dividing *s, int level, int64_t mode, const void *Q);
/* Q to W, with the rotations from `cosines` and `sines` on. */
gable_status gbl_divide_gather(const gbl_dividing *s, int level, const void *Q, const void *cosines,
                               const void *sines);
/* New values, the differences of the secular equation in S, and new weights. `scales` are as
 * stedc_secular.cl has them. */
gable_status gbl_divide_secular(const gbl_dividing *s, int level, const void *scales);
/* Q := W S. */
gable_status gbl_divide_multiply(const gbl_dividing *s, int level, void *Q);
/* Columns from matrix to matrix (stedc_columns.cl); d, e and info are those of its last mode. */
gable_status gbl_divide_columns(const gbl_dividing *s, int level, const stedc_args *args,
                                const void *source, void *target, const void *d, const void *e,
                                const void *info);
/* The deflated ones, W to Q. */
gable_status gbl_divide_bring_back(const gbl_dividing *s, int level, void *Q);

#endif
