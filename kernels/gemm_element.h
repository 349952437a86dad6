/* gemm_element.h: single elements of op(A) and op(B), for kernels of whole products.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Macros: gemm.h; PART and ZEROS must be 0.
 */
#include "gemm.h"

#if PART != 0 || ZEROS != 0
#error "this kernel is for whole products: PART and ZEROS must be 0"
#endif

/* op(A)(i, p) */
DEVICE T gemm_element_a(GLOBAL const T *A, i64 lda, i64 i, i64 p)
{
    return gemm_a(TRANS_A ? A[p + i * lda] : A[i + p * lda]);
}

/* op(B)(p, j) */
DEVICE T gemm_element_b(GLOBAL const T *B, i64 ldb, i64 p, i64 j)
{
    return gemm_b(TRANS_B ? B[j + p * ldb] : B[p + j * ldb]);
}
