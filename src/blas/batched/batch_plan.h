/* batch_plan.h: what the variants of many products at once share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_BATCH_PLAN_H
#define GBL_BATCH_PLAN_H

#include "blas/gemm/gemm_plan.h"
#include "gemm_batched_args.h"

/* The variants that batches end with: no BLAS has them. */
#define GBL_BATCH_VARIANTS(routine)                                                                \
    GBL_PRODUCT_OMP_VARIANT(routine),                                                              \
        GBL_VARIANT("vendor", .vendor = true, .fits = gbl_product_fits_vendor,                     \
                    .run = gbl_product_run_vendor, .cost = gbl_product_cost, .detail = routine)

/* The work of all batch entries. */
void gbl_gemm_batched_work(const void *call, gbl_work *least);
/* Arguments but `sets` and `row_blocks`; k is 0 where A and B are not read. */
gemm_batched_args gbl_gemm_batched_args(const gbl_product_call *call);
/* TRANS_A, TRANS_B and POINTERS. */
void gbl_gemm_batched_macros(const gbl_product_call *call, gbl_kernel_spec *spec);
/* How many times as long tiles in registers take for entries of a batch as for one product, with so
 * many work-items per group; 1 for one product. */
double gbl_gemm_batched_slower(const gbl_product_call *call, int32_t group_items);

#endif
