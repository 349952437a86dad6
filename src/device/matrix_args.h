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
    gable_trans trans, trans_b; /* of A, and of B */
    gable_uplo uplo;
    gable_diag diag;
    bool conj;         /* hemv, her, her2: A is Hermitian; gerc: y is conjugated */
    bool real_scalars; /* her: alpha is real where A is complex */
    int64_t m, n;      /* square matrices: both are n */
    gbl_scalar alpha, beta;
    void *A;
    int64_t lda;
    void *B, *C; /* geam and transpose: what is read beside A, and what is written */
    int64_t ldb, ldc;
    void *x;
    int64_t incx;
    void *y;
    int64_t incy;
    /* Many products at once: `batch` of them, one call's elements apart; where `pointers` is set A, x and y
     * are arrays of `batch` addresses in the device's memory instead. */
    int64_t batch, stride_a, stride_x, stride_y;
    bool pointers;
} gbl_matrix_args;

#endif
