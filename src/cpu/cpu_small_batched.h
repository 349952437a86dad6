/* cpu_small_batched.h: many products and solves of a few rows on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CPU_SMALL_BATCHED_H
#define GBL_CPU_SMALL_BATCHED_H

#include "cpu/cpu_product.h"
#include "device/matrix_args.h"

/* gbl_cpu_ssmall_gemm gbl_cpu_dsmall_gemm gbl_cpu_csmall_gemm gbl_cpu_zsmall_gemm: all entries of a
 * batch of products; false: they are not small, and nothing was done. */
bool PRIVATE(small_gemm)(const gbl_product_args *call);

/* gbl_cpu_ssmall_gemv gbl_cpu_dsmall_gemv gbl_cpu_csmall_gemv gbl_cpu_zsmall_gemv: the same of
 * products with vectors */
bool PRIVATE(small_gemv)(const gbl_matrix_args *call);

/* gbl_cpu_ssmall_trsm gbl_cpu_dsmall_trsm gbl_cpu_csmall_trsm gbl_cpu_zsmall_trsm: the same of
 * solves */
bool PRIVATE(small_trsm)(const gbl_product_args *call);

#endif
