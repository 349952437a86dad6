/* gemm_vector.c: the variant `vector` of gemm: C is a single row or column, and gemv computes it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A column of C is op(A) times a column of op(B). A row is transposed: op(B) is transposed once
 * more. The vector may stand along a row of its matrix, with gaps between its elements. gemv does
 * not conjugate a vector, nor a matrix that it does not turn: such complex products are for the
 * other variants.
 */
#include "blas/level3/composed.h"
#include "blas/gemm/gemm_composed.h"

/* The product as a call of gemv; false: it is none. */
static bool column_of(const gbl_product_call *call, gbl_matrix_call *product)
{
    if (call->n != 1 || (call->trans_b == GABLE_CONJ_TRANS && gbl_dtype_complex(call->dtype)))
        return false;
    *product = (gbl_matrix_call){.dtype = call->dtype,
                                 .trans = call->trans,
                                 .m = gbl_product_a_rows(call),
                                 .n = gbl_product_a_columns(call),
                                 .A = call->A,
                                 .lda = call->lda,
                                 .x = call->B,
                                 .incx = call->trans_b == GABLE_NO_TRANS ? 1 : call->ldb,
                                 .y = call->C,
                                 .incy = 1,
                                 .alpha = call->alpha,
                                 .beta = call->beta};
    return true;
}

static bool row_of(const gbl_product_call *call, gbl_matrix_call *product)
{
    if (call->m != 1 || ((call->trans == GABLE_CONJ_TRANS || call->trans_b == GABLE_CONJ_TRANS) &&
                         gbl_dtype_complex(call->dtype)))
        return false;
    *product =
        (gbl_matrix_call){.dtype = call->dtype,
                          .trans = call->trans_b == GABLE_NO_TRANS ? GABLE_TRANS : GABLE_NO_TRANS,
                          .m = gbl_product_b_rows(call),
                          .n = gbl_product_b_columns(call),
                          .A = call->B,
                          .lda = call->ldb,
                          .x = call->A,
                          .incx = call->trans == GABLE_NO_TRANS ? call->lda : 1,
                          .y = call->C,
                          .incy = call->ldc,
                          .alpha = call->alpha,
                          .beta = call->beta};
    return true;
}

static bool vector_of(const gbl_product_call *call, gbl_matrix_call *product)
{
    return column_of(call, product) || row_of(call, product);
}

/* Without terms gemv leaves y as it is, where a product scales C. */
bool gbl_gemm_vector_fits(const gbl_variant *self, const void *given, const gbl_device *device)
{
    const gbl_product_call *call = given;
    gbl_matrix_call product;
    (void)self;
    return (call->m == 1 || call->n == 1) && call->k > 0 && device->table->build != NULL &&
           device->props.is_gpu && gbl_gemm_whole(call) && call->reserved_units == 0 &&
           call->math == GABLE_MATH_PLAIN && !call->real_alpha && !call->real_beta &&
           vector_of(call, &product);
}

gable_status gbl_gemm_vector_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                 const gbl_params *params)
{
    gbl_matrix_call product;
    (void)params;
    if (!vector_of(given, &product))
        return gbl_fail(&ctx->message, GABLE_NOT_SUPPORTED, "gemm=%s is for a row or a column",
                        self->name);
    return gbl_gemv(ctx, "gemm", &product);
}

void gbl_gemm_vector_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *out)
{
    gbl_work work;
    (void)self, (void)params, (void)device;
    gbl_gemm_work(call, &work);
    gbl_composed_cost(&work, 1, out);
}

int gbl_gemm_vector_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts)
{
    gbl_matrix_call product;
    (void)self, (void)params, (void)device;
    return vector_of(call, &product) ? gbl_composed_call(parts, 0, &gbl_gemv_op, &product, 1) : 0;
}
