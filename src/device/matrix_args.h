/* matrix_args.h: the operands of a matrix-vector routine: a call of blas/, and what tasks (C
 * kernels of
 * the cpu, vendors' libraries) are given. SPDX-License-Identifier: BSD-3-Clause
 *
 * One struct serves all of level 2; members a routine does not have stay zero. Matrices are
 * column-major; vectors are as the caller of BLAS gave them.
 */
#ifndef GBL_MATRIX_ARGS_H
#define GBL_MATRIX_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "device/dtype.h"
#include "gable/types.h"

/* How A is stored: column by column, lda apart; the band or the triangle alone, as BLAS stores
 * them. */
typedef enum gbl_storage { GBL_FULL, GBL_BAND, GBL_PACKED } gbl_storage;

typedef struct gbl_matrix_args {
    /* The shape of a call, without gaps: core/op.c compares it as bytes. */
    gbl_dtype dtype;
    gable_trans trans, trans_b; /* of A, and of B */
    gable_uplo uplo;
    gable_diag diag;
    bool conj;         /* hemv, her, her2: A is Hermitian; gerc: y is conjugated */
    bool real_scalars; /* her: alpha is real where A is complex */
    bool pointers;     /* A, x and y are arrays of `batch` addresses in the device's memory */
    uint8_t storage;   /* a gbl_storage */
    int64_t m, n;      /* square matrices: both are n */
    int64_t kl, ku;    /* band: diagonals below and above the main one; else both are k */
    int64_t lda, ldb, ldc;
    int64_t incx, incy;
    /* Many products at once: `batch` of them, one call's elements apart unless `pointers` is
     * set. */
    int64_t batch, stride_a, stride_x, stride_y;
    /* Its operands. */
    void *A;
    void *B, *C; /* geam and transpose: what is read beside A, and what is written */
    void *x, *y;
    gbl_scalar alpha, beta;
} gbl_matrix_args;

#define GBL_MATRIX_SHAPE_BYTES offsetof(gbl_matrix_args, A)

#endif
