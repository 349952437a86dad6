/* sparse_multiply.c: the way into a product with a sparse matrix: its arguments, its transpose, its
 * call.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/arguments.h"
#include "core/extents.h"
#include "core/recording.h"
#include "sparse/matrix/sparse_host.h"

/* Numbers of the arguments: of mv, and of mm, which has k and leading dimensions. */
typedef struct numbers {
    int trans, k, alpha, A, x, ldx, beta, y, ldy;
    const char *x_name, *y_name;
} numbers;
static const numbers of_mv = {
    .trans = 2, .alpha = 3, .A = 4, .x = 5, .beta = 6, .y = 7, .x_name = "x", .y_name = "y"};
static const numbers of_mm = {.trans = 2,
                              .k = 3,
                              .alpha = 4,
                              .A = 5,
                              .x = 6,
                              .ldx = 7,
                              .beta = 8,
                              .y = 9,
                              .ldy = 10,
                              .x_name = "X",
                              .y_name = "Y"};

static bool transposed(const gbl_sparse_product *product)
{
    return product->trans != GABLE_NO_TRANS;
}

/* Rows of X and of Y. */
static int64_t inner(const gbl_sparse_product *product)
{
    return transposed(product) ? product->A->layout.rows : product->A->layout.columns;
}

static int64_t outer(const gbl_sparse_product *product)
{
    return transposed(product) ? product->A->layout.columns : product->A->layout.rows;
}

/* Columns of both. */
static int64_t columns(const gbl_sparse_product *product)
{
    return product->several ? product->k : 1;
}

static gable_status check_ld(gable_context *ctx, int number, const char *name, const char *what,
                             int64_t ld, int64_t least, int64_t k, size_t elem)
{
    CHECK_ARG(ctx, ld >= (least > 1 ? least : 1), number, name,
              "is %lld; it must be at least max(1, %lld), the rows of %s", (long long)ld,
              (long long)least, what);
    return gbl_pitch_check(ctx, number, name, what, k, ld, least, elem);
}

static gable_status check_scalar(gable_context *ctx, int number, const char *name,
                                 const gbl_scalar *scalar)
{
    return scalar->device != NULL ? gbl_scalar_check(ctx, number, name, scalar->device) : GABLE_OK;
}

/* X and Y, and device scalars, against allocations and each other. */
static gable_status check_memory(gable_context *ctx, const numbers *at, gbl_dtype dtype,
                                 const gbl_sparse_product *p, bool reads)
{
    const size_t elem = gbl_dtype_bytes(dtype);
    gbl_extent extents[4];
    int count = 0;
    if (reads)
        extents[count++] = gbl_extent_matrix(at->x_name, at->x, GBL_READ, p->x, inner(p),
                                             columns(p), at->ldx ? p->ldx : inner(p), elem);
    extents[count++] =
        gbl_extent_matrix(at->y_name, at->y, gbl_scalar_zero(&p->beta) ? GBL_WRITE : GBL_READ_WRITE,
                          p->y, outer(p), columns(p), at->ldy ? p->ldy : outer(p), elem);
    if (p->alpha.device != NULL)
        extents[count++] = gbl_extent_scalar("alpha", at->alpha, &p->alpha, elem);
    if (p->beta.device != NULL)
        extents[count++] = gbl_extent_scalar("beta", at->beta, &p->beta, elem);
    return gbl_extents_check(ctx, extents, count);
}

/* The first wrong argument, in the order of the prototype. */
static gable_status check(gable_context *ctx, const numbers *at, gbl_dtype dtype,
                          const gbl_sparse_product *p)
{
    const size_t elem = gbl_dtype_bytes(dtype);
    CHECK_ARG(ctx,
              p->trans == GABLE_NO_TRANS || p->trans == GABLE_TRANS || p->trans == GABLE_CONJ_TRANS,
              at->trans, "trans",
              "is %d; it must be GABLE_NO_TRANS, GABLE_TRANS or GABLE_CONJ_TRANS", (int)p->trans);
    if (at->k > 0)
        CHECK_ARG(ctx, p->k >= 0, at->k, "k", "is %lld; it must be at least 0", (long long)p->k);
    TRY(check_scalar(ctx, at->alpha, "alpha", &p->alpha));
    TRY(gbl_sparse_check(ctx, at->A, "A", p->A));
    CHECK_ARG(ctx, p->A->layout.dtype == dtype, at->A, "A",
              "is a matrix of precision %c; the routine's is %c",
              gbl_dtype_letter(p->A->layout.dtype), gbl_dtype_letter(dtype));
    const bool empty = outer(p) == 0 || columns(p) == 0;
    const bool reads = !gbl_scalar_zero(&p->alpha) && inner(p) > 0 && !empty;
    if (reads)
        TRY(gbl_check_address(ctx, at->x, at->x_name, p->x));
    if (at->ldx > 0)
        TRY(check_ld(ctx, at->ldx, "ldx", at->x_name, p->ldx, inner(p), p->k, elem));
    TRY(check_scalar(ctx, at->beta, "beta", &p->beta));
    if (!empty)
        TRY(gbl_check_address(ctx, at->y, at->y_name, p->y));
    if (at->ldy > 0)
        TRY(check_ld(ctx, at->ldy, "ldy", at->y_name, p->ldy, outer(p), p->k, elem));
    return ctx->guarded && !empty ? check_memory(ctx, at, dtype, p, reads) : GABLE_OK;
}

gable_status gbl_sparse_multiply(gable_context *ctx, const char *routine, gbl_dtype dtype,
                                 const gbl_sparse_product *p)
{
    TRY(gbl_enter(ctx, routine));
    if (ctx->depth == 0)
        TRY(check(ctx, p->several ? &of_mm : &of_mv, dtype, p));
    if (outer(p) == 0 || columns(p) == 0)
        return GABLE_OK;
    gable_sparse *A = p->A;
    if (transposed(p))
        TRY(gbl_sparse_transpose(ctx, p->A, &A));
    if (ctx->recording != NULL)
        TRY(gbl_recording_needs_matrix(ctx, A->layout.value));
    const gbl_sparse_args call = {.dtype = dtype,
                                  .conj = p->trans == GABLE_CONJ_TRANS && gbl_dtype_complex(dtype),
                                  .k = columns(p),

                                  .ldx = p->several ? p->ldx : inner(p),
                                  .ldy = p->several ? p->ldy : outer(p),
                                  .A = A->layout,
                                  .x = p->x,
                                  .y = p->y,
                                  .alpha = p->alpha,
                                  .beta = p->beta};
    return gbl_op_run(ctx, columns(p) == 1 ? &gbl_sparse_mv_op : &gbl_sparse_mm_op, &call);
}
