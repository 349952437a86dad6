/* bdsdc_divide.c: singular values and vectors of a bidiagonal matrix by divide and conquer, as a
 * variant of bdsdc
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An upper bidiagonal matrix gets a column of zeros, so that n + 1 places are cut into parts of one
 * kind (bdsdc_divide_args.h). Per level, merges of all pairs of parts side by side:
 *     sort      order the values, and make the row z
 *     deflate   find what stays as it is, and the order of the rest
 *     secular, weights   find the new values
 *     gather    bring the right vectors into that order, V to W
 *     vectors   make the right vectors S of the merge's matrix
 *     product   V := W S, for the rows of each part
 *     columns   bring the deflated columns back, W to V
 * and vectors, gather, product and columns once more for U, from the same S. A lower bidiagonal
 * matrix is the transpose of an upper one: its U is that one's V.
 */
#include "lapack/bdsdc_divide.h"
#include <string.h>
#include "lapack/stedc_divide_engine.h"

#include "bdsdc_divide_args.h"

typedef struct solving {
    gbl_dividing e;
    const gbl_product_call *call;
    void *U, *V;
} solving;

static gbl_divide_call divide_of(const gbl_product_call *call)
{
    return (gbl_divide_call){.dtype = call->dtype, .n = call->n + 1, .squares = true};
}

/* ---- Launches ---- */

static gable_status take_vectors(solving *s)
{
    gbl_dividing *e = &s->e;
    TRY(gbl_composed_room(e->ctx, e->real, e->n, 2 * e->n, &s->U, &e->ldq));
    s->V = gbl_element(e->real, s->U, e->ldq, 0, e->n);
    return GABLE_OK;
}

/* The scaled matrix has no cuts yet: its element of the column of zeros is the last one of e. */
static gable_status solve_leaves(const solving *s)
{
    const gbl_dividing *e = &s->e;
    const void *beside = s->call->n > 1 ? s->call->e : s->call->d;
    const stedc_args leaves = gbl_divide_args(e, e->plan.levels);
    stedc_args whole = gbl_divide_args(e, 0);
    whole.n = s->call->n;
    TRY(GBL_DIVIDE_LAUNCH(e, GBL_DIVIDE_BEGIN, &whole, 1, 1, s->call->d, beside, e->reals[DIAGONAL],
                          e->reals[BESIDE], e->back, e->state, e->trouble));
    return GBL_DIVIDE_LAUNCH(e, GBL_DIVIDE_LEAF, &leaves, (int64_t)1 << e->plan.levels, 1,
                             e->reals[DIAGONAL], e->reals[BESIDE], s->U, s->V, e->trouble);
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

/* The vectors on one side, Q, times those of the merges' matrices. */
static gable_status turn_vectors(const solving *s, int level, int64_t mode, void *Q)
{
    const gbl_dividing *e = &s->e;
    const int64_t side = mode == BDSDC_LEFT ? 1 : 0;
    stedc_args args = gbl_divide_args(e, level);
    args.mode = mode;
    TRY(GBL_DIVIDE_LAUNCH(e, GBL_DIVIDE_VECTORS, &args, gbl_divide_rows(e->n, level),
                          (int64_t)1 << level, e->sizes, e->places[INDEX], e->places[ROWS],
                          e->reals[POLES], e->reals[NEW_WEIGHTS], e->reals[LENGTHS], e->S));
    TRY(gbl_divide_gather(e, level, Q, gbl_element(e->real, e->reals[COSINES], e->n, 0, side),
                          gbl_element(e->real, e->reals[SINES], e->n, 0, side)));
    TRY(gbl_divide_multiply(e, level, Q));
    return gbl_divide_bring_back(e, level, Q);
}

static gable_status merge_level(const solving *s, int level)
{
    const gbl_dividing *e = &s->e;
    const void *scales = gbl_element(e->real, e->reals[SINES], e->n, 0, 2);
    TRY(gbl_divide_sort(e, level, STEDC_TO_MERGE, s->V));
    TRY(deflate(e, level));
    TRY(gbl_divide_secular(e, level, scales));
    TRY(turn_vectors(s, level, BDSDC_RIGHT, s->V));
    return turn_vectors(s, level, BDSDC_LEFT, s->U);
}

static gable_status put_vectors(const solving *s, int64_t mode, const void *source, void *target,
                                int64_t ld_target)
{
    const gbl_dividing *e = &s->e;
    stedc_args args = gbl_divide_args(e, 0);
    args.mode = mode;
    args.ldw = e->ldq;
    args.ldq = ld_target;
    args.across = gbl_parts(s->call->n, GBL_DIVIDE_SIDE);
    return GBL_DIVIDE_LAUNCH(e, GBL_DIVIDE_END, &args, args.across * args.across, 1, source, target,
                             e->places[FROM], e->reals[SORTED], e->back, e->state, e->trouble,
                             s->call->d, s->call->info);
}

static gable_status finish(const solving *s)
{
    const gbl_product_call *call = s->call;
    const bool lower = call->uplo == GABLE_LOWER;
    TRY(gbl_divide_sort(&s->e, 0, STEDC_TO_END, s->V));
    TRY(put_vectors(s, BDSDC_AS_IS, lower ? s->V : s->U, call->B, call->ldb));
    return put_vectors(s, BDSDC_TRANSPOSED, lower ? s->U : s->V, call->C, call->ldc);
}

/* ---- The variant ---- */

bool gbl_bdsdc_divide_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    const gbl_divide_call divide = divide_of(call);
    (void)self;
    return call->job == GABLE_IDENTITY_VECTORS && gbl_divide_fits(&divide, device);
}

gable_status gbl_bdsdc_divide_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                  const gbl_params *params)
{
    const gbl_product_call *call = given;
    const gbl_divide_call divide = divide_of(call);
    solving s = {.e = {.ctx = ctx,
                       .routine = "bdsdc",
                       .n = divide.n,
                       .plan = gbl_divide_make_plan(&divide, params, ctx->device),
                       .real = call->dtype},
                 .call = call};
    (void)self;
    TRY(gbl_divide_prepare(&s.e));
    TRY(take_vectors(&s));
    TRY(solve_leaves(&s));
    for (int level = s.e.plan.levels - 1; level >= 0; level--)
        TRY(merge_level(&s, level));
    return finish(&s);
}

/* The products are half of the flops of full ones. */
void gbl_bdsdc_divide_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, gbl_cost *out)
{
    const gbl_divide_call call = divide_of(given);
    const double n = (double)call.n, elem = (double)gbl_dtype_bytes(call.dtype);
    const gbl_work all = {.bytes_read = 28 * elem * n * n,
                          .bytes_written = 14 * elem * n * n,
                          .flops = 30 * n * n + 8.0 / 3 * n * n * n};
    (void)self;
    gbl_composed_cost(&all, gbl_divide_launches(&call, params, device), out);
    out->written_bytes = all.bytes_written;
    out->workspace_bytes = gbl_divide_bytes(&call, params);
}

int gbl_bdsdc_divide_parts(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, gbl_part_call *parts)
{
    const gbl_divide_call call = divide_of(given);
    (void)self;
    return gbl_divide_parts(&call, params, device, parts, 0);
}

int gbl_bdsdc_divide_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                           const gbl_device *device, gbl_kernel_spec *specs)
{
    const gbl_divide_call call = divide_of(given);
    (void)self;
    return gbl_divide_specs(&call, params, device, specs);
}

/* Elsewhere than on GPUs gemm is not called. */
bool gbl_bdsdc_divide_legal(const gbl_variant *self, const void *given, const gbl_params *params,
                            const gbl_device *device, uint64_t *hash)
{
    gbl_divide_plan plan;
    (void)self;
    memset(&plan, 0, sizeof plan);
    plan.leaf = params->value[0];
    plan.gemm = device->props.is_gpu ? params->value[1] : 0;
    *hash = gbl_plan_hash(&plan, sizeof plan);
    return ((const gbl_product_call *)given)->n > 0;
}
