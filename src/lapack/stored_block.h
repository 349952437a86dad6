/* stored_block.h: how a caller of larft and larfb stores a block of reflectors.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * V has k vectors of `order` numbers, as columns or, conjugated, as rows; what their ones and zeros
 * take the place of is not read. In the call stride_a and stride_b are `direct` and `storev`, as
 * distances from GABLE_FORWARD and GABLE_COLUMNWISE.
 */
#ifndef GBL_STORED_BLOCK_H
#define GBL_STORED_BLOCK_H

#include "lapack/turned.h"

#define GBL_STORED_DIRECT                                                                          \
    {                                                                                              \
        .name = "direct", .kind = GBL_ANY, .at = PRODUCT_AT(stride_a)                              \
    }
#define GBL_STORED_STOREV                                                                          \
    {                                                                                              \
        .name = "storev", .kind = GBL_ANY, .at = PRODUCT_AT(stride_b)                              \
    }

static inline bool gbl_stored_rows(const gbl_product_call *call)
{
    return call->stride_b == GABLE_ROWWISE - GABLE_COLUMNWISE;
}

/* `direct` and `storev`, of which the first is argument `number`; k is argument `k_number`. */
static inline gable_status gbl_stored_rules(gable_context *ctx, const gbl_product_call *call,
                                            int number, int k_number, int64_t order)
{
    CHECK_ARG(ctx, call->stride_a == 0, number, "direct", "is %lld; it must be GABLE_FORWARD",
              (long long)call->stride_a + GABLE_FORWARD);
    CHECK_ARG(ctx, call->stride_b == 0 || gbl_stored_rows(call), number + 1, "storev",
              "is %lld; it must be GABLE_COLUMNWISE or GABLE_ROWWISE",
              (long long)call->stride_b + GABLE_COLUMNWISE);
    CHECK_ARG(ctx, call->k <= order, k_number, "k", "is %lld, more than the %lld rows of H",
              (long long)call->k, (long long)order);
    return GABLE_OK;
}

/* The upper triangle of T, from one matrix to another. */
static inline gbl_product_call gbl_stored_triangle(const gbl_product_call *call, const void *from,
                                                   int64_t ld_from, void *to, int64_t ld_to)
{
    return (gbl_product_call){.dtype = call->dtype,
                              .uplo = GABLE_UPPER,
                              .m = call->k,
                              .n = call->k,
                              .A = (void *)(uintptr_t)from,
                              .lda = ld_from,
                              .B = to,
                              .ldb = ld_to};
}

#endif
