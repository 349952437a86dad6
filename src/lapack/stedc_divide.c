/* stedc_divide.c: eigenvalues and eigenvectors of a symmetric tridiagonal matrix by divide and
 * conquer, on devices with kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix is cut into 2^levels leaves of nearly the same size, at places that n alone decides
 * (stedc_begin.cl). Leaves are solved by QL, all at once. A level merges all pairs of parts side by
 * side: its kernels have the merges along y. Per level they
 *     sort      order the eigenvalues, and make the vector z
 *     deflate   find what stays as it is, and the order of the rest
 *     gather    bring the eigenvectors into that order, Q to W
 *     secular   find the new eigenvalues
 *     weights, vectors   make the eigenvectors S of the diagonal matrix with its update
 *     product   Q := W S, for the rows of each part
 *     columns   bring the deflated columns back, W to Q
 * The last step sorts.
 *
 * How much is left after deflation only the device knows: launches have groups for all, and those
 * that have nothing to do leave. Products of large merges are gbl_gemm's, which reads its sizes
 * from the device's memory too.
 */
#include "lapack/stedc_divide_engine.h"

/* Eigenvectors are Q: Z, or workspace where Z is multiplied by them. */
typedef struct solving {
    gbl_dividing e;
    const gbl_divide_call *call;
    void *Q;
} solving;

static gable_status take_vectors(solving *s)
{
    const int64_t n = s->call->n;
    s->Q = s->call->Z;
    s->e.ldq = s->call->ldz * (gbl_dtype_complex(s->call->dtype) ? 2 : 1);
    return s->call->update ? gbl_composed_room(s->e.ctx, s->e.real, n, n, &s->Q, &s->e.ldq)
                           : GABLE_OK;
}

static gable_status solve_leaves(const solving *s)
{
    const gbl_dividing *e = &s->e;
    const stedc_args args = gbl_divide_args(e, e->plan.levels);
    const void *beside = s->call->n > 1 ? s->call->e : s->call->d;
    TRY(GBL_DIVIDE_LAUNCH(e, GBL_DIVIDE_BEGIN, &args, 1, 1, s->call->d, beside, e->reals[DIAGONAL],
                          e->reals[BESIDE], e->back, e->state, e->trouble));
    return GBL_DIVIDE_LAUNCH(e, GBL_DIVIDE_LEAF, &args, (int64_t)1 << e->plan.levels, 1,
                             e->reals[DIAGONAL], e->reals[BESIDE], s->Q, e->trouble);
}

static gable_status deflate(const gbl_dividing *e, int level)
{
    const stedc_args args = gbl_divide_args(e, level);
    return GBL_DIVIDE_LAUNCH(e, GBL_DIVIDE_DEFLATE, &args, (int64_t)1 << level, 1, e->reals[SORTED],
                             e->reals[Z_VECTOR], e->places[FROM], e->reals[BESIDE],
                             e->reals[DIAGONAL], e->reals[POLES], e->reals[FORMER_WEIGHTS],
                             e->reals[COSINES], e->reals[SINES], e->places[NEXT], e->places[LINKED],
                             e->places[TO_UPPER], e->places[TO_LOWER], e->places[INDEX],
                             e->places[ROWS], e->sizes);
}

/* The eigenvectors of the diagonal matrices with their updates. */
static gable_status solve_secular(const gbl_dividing *e, int level)
{
    const stedc_args args = gbl_divide_args(e, level);
    TRY(gbl_divide_secular(e, level, e->reals[BESIDE]));
    return GBL_DIVIDE_LAUNCH(e, GBL_DIVIDE_VECTORS, &args, gbl_divide_rows(e->n, level),
                             (int64_t)1 << level, e->sizes, e->places[INDEX], e->places[ROWS],
                             e->reals[NEW_WEIGHTS], e->S);
}

static gable_status merge_level(const solving *s, int level)
{
    const gbl_dividing *e = &s->e;
    TRY(gbl_divide_sort(e, level, STEDC_TO_MERGE, s->Q));
    TRY(deflate(e, level));
    TRY(gbl_divide_gather(e, level, s->Q, e->reals[COSINES], e->reals[SINES]));
    TRY(solve_secular(e, level));
    TRY(gbl_divide_multiply(e, level, s->Q));
    return gbl_divide_bring_back(e, level, s->Q);
}

static gable_status copy_columns(const solving *s, int64_t mode, const void *source, void *target,
                                 int64_t ld_target, int64_t reals)
{
    stedc_args args = gbl_divide_args(&s->e, 0);
    args.mode = mode;
    args.reals = reals;
    args.ldq = ld_target;
    if (source == s->Q)
        args.ldw = s->e.ldq;
    return gbl_divide_columns(&s->e, 0, &args, source, target, s->call->d,
                              s->call->n > 1 ? s->call->e : s->call->d, s->call->info);
}

/* Columns in the order of the eigenvalues, and all results to where they belong. */
static gable_status finish(const solving *s)
{
    const gbl_divide_call *call = s->call;
    const gbl_dividing *e = &s->e;
    TRY(gbl_divide_sort(e, 0, STEDC_TO_END, s->Q));
    TRY(copy_columns(s, STEDC_SORTED, s->Q, e->W, e->ldw, 1));
    if (!call->update)
        return copy_columns(s, STEDC_LAST, e->W, call->Z, e->ldq,
                            gbl_dtype_complex(call->dtype) ? 2 : 1);
    TRY(copy_columns(s, STEDC_LAST, e->W, s->Q, e->ldq, 1));
    gbl_product_call product = gbl_divide_update(call);
    product.B = s->Q;
    product.ldb = e->ldq;
    product.C = e->W;
    product.ldc = product.m > call->n ? 2 * e->ldw : e->ldw;
    const gbl_product_call copy = gbl_divide_copy(&product);
    TRY(gbl_gemm(e->ctx, e->routine, &product));
    return gbl_lacpy(e->ctx, e->routine, &copy);
}

gable_status gbl_divide(gable_context *ctx, const char *routine, const gbl_divide_call *call,
                        const gbl_params *params)
{
    solving s = {.e = {.ctx = ctx,
                       .routine = routine,
                       .n = call->n,
                       .plan = gbl_divide_make_plan(call, params, ctx->device),
                       .real = gbl_divide_real(call->dtype)},
                 .call = call};
    TRY(gbl_divide_prepare(&s.e));
    TRY(take_vectors(&s));
    TRY(solve_leaves(&s));
    for (int level = s.e.plan.levels - 1; level >= 0; level--)
        TRY(merge_level(&s, level));
    return finish(&s);
}
