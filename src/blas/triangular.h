/* triangular.h: what trmv and trsv share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_TRIANGULAR_H
#define GBL_TRIANGULAR_H

#include "blas/level1.h"
#include "blas/level2.h"
#include "core/kernel.h"

static inline gable_status gbl_triangular_guard(gable_context *ctx, const gbl_matrix_call *call)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const gbl_operand operands[] = {
        gbl_operand_triangle("A", 6, GBL_READ, call->A, call->n, call->lda, elem,
                             gbl_triangle_shape(call->uplo, call->diag == GABLE_UNIT)),
        gbl_operand_vector("x", 8, GBL_READ_WRITE, call->x, call->n, call->incx, elem)};
    return gbl_operands_check(ctx, operands, 2);
}

/* Their arguments, which are the same. */
static inline gable_status gbl_triangular_check(gable_context *ctx, const gbl_matrix_call *call)
{
    if (gbl_matrix_plain(ctx, call, false) && gbl_uplo_legal(call->uplo) &&
        gbl_trans_legal(call->trans) && (call->diag == GABLE_NON_UNIT || call->diag == GABLE_UNIT))
        return GABLE_OK;
    TRY(gbl_uplo_check(ctx, 2, call->uplo));
    TRY(gbl_trans_check(ctx, 3, "trans", call->trans));
    TRY(gbl_diag_check(ctx, 4, call->diag));
    TRY(gbl_size_check(ctx, 5, "n", call->n));
    if (call->n > 0) {
        TRY(gbl_reach_sizes(ctx, call, 5, 5));
        TRY(gbl_check_address(ctx, 6, "A", call->A));
    }
    TRY(gbl_ld_check(ctx, 7, "lda", call->lda, "n", call->n));
    if (call->n > 0) {
        TRY(gbl_reach_ld(ctx, call, 7, "lda", "A", call->n, call->n, call->lda));
        TRY(gbl_check_address(ctx, 8, "x", call->x));
    }
    CHECK_ARG(ctx, call->incx != 0, 9, "incx", "is 0; the stride of an output must not be");
    if (call->n > 0)
        TRY(gbl_reach_inc(ctx, call, 9, "incx", "x", call->n, call->incx));
    return ctx->guarded && call->n > 0 ? gbl_triangular_guard(ctx, call) : GABLE_OK;
}

/* The least that a product or a solve must move and compute: the triangle once, x once each way. */
static inline void gbl_triangular_work(const void *given, gbl_work *least)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)call->n;
    const double triangle = call->diag == GABLE_UNIT ? n * (n - 1) / 2 : n * (n + 1) / 2;
    *least = (gbl_work){.bytes_read = elem * (triangle + n),
                        .bytes_written = elem * n,
                        .flops = (gbl_dtype_complex(call->dtype) ? 8 : 2) * triangle};
}

static inline bool gbl_triangular_transposed(const gbl_matrix_call *call)
{
    return call->trans != GABLE_NO_TRANS;
}

/* The kernels that a call would run: of trmv, of trsv's progress and of its steps. */
void gbl_trmv_kernel(const gbl_matrix_call *call, const gbl_params *params,
                     const gbl_device *device, gbl_kernel_spec *spec);
void gbl_trsv_kernel(const gbl_matrix_call *call, const gbl_params *params,
                     const gbl_device *device, gbl_kernel_spec *spec);
void gbl_trsv_block_kernel(const gbl_matrix_call *call, const gbl_params *params,
                           gbl_kernel_spec *spec);

#endif
