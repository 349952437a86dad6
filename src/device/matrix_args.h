/* matrix_args.h: the operands of a matrix-vector routine: a call of blas/, and what tasks (C kernels of
 * the cpu, vendors' libraries) are given. SPDX-License-Identifier: BSD-3-Clause
 *
 * One struct serves all of level 2; members a routine does not have stay zero. Matrices are
 * column-major; vectors are as the caller of BLAS gave them.
 */
#ifndef GBL_MATRIX_ARGS_H
#define GBL_MATRIX_ARGS_H

#include <stdbool.h>
#include <stdint.h>
#include "core/dtype.h"
#include "gable/types.h"

typedef struct gbl_matrix_args {
    gbl_dtype dtype;
    gable_trans trans;
    gable_uplo uplo;
    gable_diag diag;
    int64_t m, n;
    gbl_scalar alpha, beta;
    void *A;
    int64_t lda;
    void *x;
    int64_t incx;
    void *y;
    int64_t incy;
} gbl_matrix_args;

#endif
