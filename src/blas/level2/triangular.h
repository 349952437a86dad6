/* triangular.h: what products and solves with triangular matrices share.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_TRIANGULAR_H
#define GBL_TRIANGULAR_H

#include "blas/level1/level1.h"
#include "blas/level2/level2.h"
#include "core/kernel.h"

static inline bool gbl_triangular_flags(const gbl_matrix_call *call)
{
    return gbl_uplo_legal(call->uplo) && gbl_trans_legal(call->trans) && gbl_diag_legal(call->diag);
}

/* However the triangle is stored. */
static inline bool gbl_triangular_plain(const gable_context *ctx, const void *given)
{
    const gbl_matrix_call *call = given;
    const int64_t rows = call->storage == GBL_PACKED ? 0 : call->m;
    return (call->storage == GBL_BAND ? gbl_band_plain(ctx, call, false, false)
                                      : gbl_matrix_plain(ctx, call, rows, false)) &&
           gbl_triangular_flags(call);
}

/* The arguments of a product or a solve, where the triangle is full, packed or a band. */
#define GBL_TRIANGULAR_FLAGS                                                                       \
    GBL_OPERAND_UPLO, GBL_OPERAND_TRANS, GBL_OPERAND_DIAG, GBL_OPERAND_ORDER
#define GBL_TRIANGULAR_FULL                                                                        \
    GBL_TRIANGULAR_FLAGS,                                                                          \
        GBL_OPERAND_A(GBL_READ, 0, gbl_matrix_n, gbl_matrix_n, gbl_matrix_triangle_unit, "n"),     \
        GBL_OPERAND_LINE_X(GBL_READ_WRITE, 0, gbl_matrix_n)
#define GBL_TRIANGULAR_PACKED                                                                      \
    GBL_TRIANGULAR_FLAGS, GBL_OPERAND_AP(GBL_READ, 0),                                             \
        GBL_OPERAND_LINE_X(GBL_READ_WRITE, 0, gbl_matrix_n), GBL_OPERAND_STORED(GBL_PACKED)
#define GBL_TRIANGULAR_BAND                                                                        \
    GBL_TRIANGULAR_FLAGS, GBL_OPERAND_K,                                                           \
        GBL_OPERAND_A(GBL_READ, 0, gbl_matrix_half, gbl_matrix_n, NULL, "k + 1"),                  \
        GBL_OPERAND_LINE_X(GBL_READ_WRITE, 0, gbl_matrix_n), GBL_OPERAND_STORED(GBL_BAND)

/* Elements of a triangle that are read, however it is stored. */
static inline double gbl_triangular_elements(const gbl_matrix_call *call)
{
    const double n = (double)call->n, most = n - 1;
    const double k = call->storage == GBL_BAND && (double)call->ku < most ? (double)call->ku : most;
    return n * (k + 1) - k * (k + 1) / 2 - (call->diag == GABLE_UNIT ? n : 0);
}

/* The least that a product or a solve must move and compute: the triangle once, x once each way. */
static inline void gbl_triangular_work(const void *given, gbl_work *least)
{
    const gbl_matrix_call *call = given;
    const double elem = (double)gbl_dtype_bytes(call->dtype), n = (double)call->n;
    const double triangle = gbl_triangular_elements(call);
    *least = (gbl_work){.bytes_read = elem * (triangle + n),
                        .bytes_written = elem * n,
                        .flops = (gbl_dtype_complex(call->dtype) ? 8 : 2) * triangle};
}

static inline bool gbl_triangular_transposed(const gbl_matrix_call *call)
{
    return call->trans != GABLE_NO_TRANS;
}

#endif
