/* gemm_plain.h: for kernels of the ladder, which take C := alpha A B + beta C and nothing else.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Macros: gemm.h; all of them are 0.
 */
#include "gemm.h"

#if TRANS_A != 0 || TRANS_B != 0 || TRIANGLE_C != 0 || REAL_DIAGONAL != 0 || TRIANGULAR != 0 ||    \
    UNIT != 0
#error                                                                                             \
    "this kernel takes plain products: TRANS_A, TRANS_B, TRIANGLE_C, REAL_DIAGONAL, TRIANGULAR, UNIT are 0"
#endif
