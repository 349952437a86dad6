/* described_call.h: a small legal call of any op, made from its description.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All addresses lie in one piece of memory, which the caller provides. The data are small whole
 * numbers, those of matrices and triangles 1 and -1: products and solves with them are exact. Calls
 * are in double precision where the op has it, else in single.
 */
#ifndef DESCRIBED_CALL_H
#define DESCRIBED_CALL_H

#include "blas/level1/level1.h"
#include "blas/level3/level3.h"

#define DESCRIBED_SIZE     10 /* rows, columns, orders */
#define DESCRIBED_WIDTH    2
#define DESCRIBED_BATCH    2
#define DESCRIBED_OPERANDS 32

typedef struct described_call {
    const gbl_op *op;
    _Alignas(16) unsigned char call[GBL_MAX_CALL_BYTES];
    size_t bytes; /* of the memory */
    struct {
        size_t offset;
        int64_t count; /* 0: it has no memory */
    } place[DESCRIBED_OPERANDS];
} described_call;

/* Flags of a call, where the op has them. */
typedef struct described_flags {
    gable_trans trans; /* of the first matrix; others are taken as they are */
    gable_diag diag;
} described_flags;

/* The call with all but addresses. */
void described_make(const gbl_op *op, described_flags flags, described_call *made);
/* Addresses in memory of made->bytes bytes. */
void described_place(described_call *made, void *memory);
/* What that memory holds before the call; `image` is memory of the host. */
void described_fill(const described_call *made, void *image);

/* Element i of a piece of memory that was filled for the call. */
double described_get(const described_call *made, const void *image, size_t i);

#endif
