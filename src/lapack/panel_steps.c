/* panel_steps.c: the products with vectors that panels of reductions are made of.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/launch.h"
#include "lapack/panel_steps.h"
#include "lapack/turned.h"

gable_status gbl_steps_begin(gable_context *ctx, const char *routine, gbl_dtype dtype,
                             gbl_steps *steps)
{
    const size_t elem = gbl_dtype_bytes(dtype);
    *steps = (gbl_steps){.ctx = ctx, .routine = routine, .dtype = dtype};
    TRY(gbl_arena_take(ctx->arena, ctx->device, 2 * elem, &steps->constants, &ctx->message));
    TRY(gbl_fill_bytes(ctx, steps->constants, 0, elem));
    const gbl_vector_call one = {.dtype = dtype,
                                 .n = 1,
                                 .alpha = {.re = 1},
                                 .x = (char *)steps->constants + elem,
                                 .incx = 1};
    return gbl_fill(ctx, routine, &one);
}

gbl_matrix_call gbl_step_call(gbl_dtype dtype, bool adjoint, int64_t m, int64_t n)
{
    return (gbl_matrix_call){.dtype = dtype,
                             .trans = adjoint ? gbl_adjoint(dtype) : GABLE_NO_TRANS,
                             .m = m,
                             .n = n,
                             .lda = gbl_composed_ld(dtype, m),
                             .incx = 1,
                             .incy = 1,
                             .alpha = {.re = 1}};
}

gbl_matrix_call gbl_step_symmetric_call(gbl_dtype dtype, gable_uplo uplo, int64_t n)
{
    gbl_matrix_call call = gbl_step_call(dtype, false, n, n);
    call.trans = (gable_trans)0;
    call.uplo = uplo;
    call.conj = gbl_dtype_complex(dtype);
    return call;
}

static void fill_call(const gbl_steps *steps, const gbl_step_product *product,
                      gbl_matrix_call *call)
{
    const void *const constant =
        (const char *)steps->constants + (product->add ? gbl_dtype_bytes(steps->dtype) : 0);
    call->alpha = product->alpha;
    call->beta = product->alpha.device != NULL ? gbl_step_at(constant)
                                               : gbl_step_value(product->add ? 1 : 0);
    call->A = (void *)(uintptr_t)product->A;
    call->lda = product->lda;
    call->x = (void *)(uintptr_t)product->x;
    call->incx = product->incx;
    call->y = product->y;
}

gable_status gbl_step_multiply(const gbl_steps *steps, const gbl_step_product *product)
{
    gbl_matrix_call call = gbl_step_call(steps->dtype, product->adjoint, product->m, product->n);
    fill_call(steps, product, &call);
    return gbl_gemv(steps->ctx, steps->routine, &call);
}

gable_status gbl_step_symmetric(const gbl_steps *steps, gable_uplo uplo,
                                const gbl_step_product *product)
{
    gbl_matrix_call call = gbl_step_symmetric_call(steps->dtype, uplo, product->n);
    fill_call(steps, product, &call);
    return gbl_symv(steps->ctx, steps->routine, &call);
}

gable_status gbl_step_row(const gbl_steps *steps, int64_t count, const void *row, int64_t ld,
                          void *room, const void **x, int64_t *incx)
{
    *x = row;
    *incx = ld;
    if (!gbl_dtype_complex(steps->dtype))
        return GABLE_OK;
    *x = room;
    *incx = 1;
    return gbl_turned(steps->ctx, steps->routine, steps->dtype, 1, count, row, ld, room, count);
}

gable_status gbl_step_reflector(const gbl_steps *steps, int64_t n, void *alpha, void *x, void *tau)
{
    const gbl_product_call call = {
        .dtype = steps->dtype, .m = n, .A = alpha, .B = x, .ldb = 1, .tau = tau};
    return gbl_larfg(steps->ctx, steps->routine, &call);
}

gable_status gbl_step_real_parts(const gbl_steps *steps, int64_t count, const void *from,
                                 int64_t from_apart, void *to, int64_t to_apart)
{
    const bool complex = gbl_dtype_complex(steps->dtype);
    const int64_t reals = complex ? 2 : 1;
    const gbl_vector_call call = {.dtype = gbl_dtype_real_bytes(steps->dtype) == 4 ? GBL_S : GBL_D,
                                  .n = count,
                                  .x = (void *)(uintptr_t)from,
                                  .incx = from_apart > 0 ? reals * from_apart : 1,
                                  .y = to,
                                  .incy = to_apart > 0 ? reals * to_apart : 1};
    return count > 0 ? gbl_copy(steps->ctx, steps->routine, &call) : GABLE_OK;
}
