/* host_call.h: a routine of level 3 whose operands are in host or device memory.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_HOST_CALL_H
#define GBL_HOST_CALL_H

#include "blas/level3/level3.h"

typedef enum gbl_host_kind {
    GBL_HOST_GEMM,
    GBL_HOST_GEMMT,
    GBL_HOST_SYRK,
    GBL_HOST_SYR2K,
    GBL_HOST_SYMM,
    GBL_HOST_TRMM,
    GBL_HOST_TRSM
} gbl_host_kind;

/* Operands by their number. */
enum { GBL_HOST_A, GBL_HOST_B, GBL_HOST_C, GBL_HOST_OPERANDS };

/* conj of the call tells herk from syrk, as everywhere. */
typedef struct gbl_host_call {
    gbl_host_kind kind;
    gbl_product_call call;
    gbl_where place[GBL_HOST_OPERANDS]; /* GBL_AT_BOTH: host memory that the device reaches */
} gbl_host_call;

/* A block of an operand as it is stored. */
typedef struct gbl_host_block {
    int64_t row, rows, column, columns;
} gbl_host_block;

/* The op of a kind. */
const gbl_op *gbl_host_op(gbl_host_kind kind);
/* Runs a call on memory that the context's device addresses, unchecked. */
gable_status gbl_host_call_run(gable_context *ctx, const char *name, const gbl_host_call *host);

/* Which operand is written: B of trmm and trsm, else C. */
int gbl_host_output(gbl_host_kind kind);
/* Whether the routine has the operand; its rows and columns as stored. */
bool gbl_host_has(gbl_host_kind kind, int operand);
gbl_host_block gbl_host_whole(const gbl_host_call *host, int operand);
/* Which elements of it are read or written. */
gbl_shape gbl_host_shape(const gbl_host_call *host, int operand);
/* Whether one triangle of C is computed. */
bool gbl_host_is_triangle(gbl_host_kind kind);

void *gbl_host_address(const gbl_host_call *host, int operand);
int64_t gbl_host_ld(const gbl_host_call *host, int operand);
void gbl_host_put(gbl_host_call *host, int operand, void *address, int64_t ld);

/* A block op(X)[row.., column..] of an operand begins here; its rows and columns change places
 * where X is transposed. */
void *gbl_host_at(const gbl_host_call *host, int operand, int64_t row, int64_t column);

/* gemm with the scalars of a call: alpha, beta. Operands are put in later. */
gbl_host_call gbl_host_product(const gbl_host_call *host, gable_trans transa, gable_trans transb,
                               int64_t m, int64_t n, int64_t k);

/* The least bytes that cross the link, and the flops. */
void gbl_host_work(const gbl_host_call *host, gbl_work *work);

#endif
