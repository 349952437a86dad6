/* host_lapack.h: routines of LAPACK on arrays in host memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One way for all of them: the description of an op says which of its operands are arrays, which
 * elements of them a call reads and writes, and how large they are.
 */
#ifndef GBL_HOST_LAPACK_H
#define GBL_HOST_LAPACK_H

#include "core/op.h"
#include "host/host_model.h"

typedef struct gbl_host_routine {
    const gbl_op *op;
    gable_status (*run)(gable_context *ctx, const char *name, const gbl_product_call *call);
    /* Offset in the call of the array that LAPACK leaves as it was where info is not 0: the
     * right-hand sides of a solver, the matrix that has no inverse. 0: none. */
    uint16_t solution;
    uint16_t zeroed; /* that of the array that becomes zeros where A has no elements; 0: none */
    bool cholesky;   /* the columns of L, or rows of U, before column info are the factor's */
    /* Seconds that a device spends on a column of A whatever its rate is: its pivot, its root. */
    double column;
    /* Of a driver of eigenvalues or singular values: whether A is among its results. Else it is
     * left as it was; so is everything where info is not 0. Its time is the model's. */
    bool (*driver)(const gbl_product_call *call);
} gbl_host_routine;

/* The routine by the stem of its op, or by LAPACK's complex name, such as "ungqr" or "heevd". NULL:
 * it has no host names. */
const gbl_host_routine *gbl_host_routine_find(const char *stem);

/* How long a call should take on both sides: from roofs alone, and of drivers by what the context
 * chooses for it. */
gable_status gbl_host_lapack_times(gable_context *ctx, const gbl_host_routine *routine,
                                   const gbl_product_call *call, const gbl_roofs *device,
                                   const gbl_roofs *cpu, int copiers, gbl_host_times *times);

/* Checks a call of the op, runs it where it is faster and returns when the results are there. */
gable_status gbl_host_lapack(gable_context *ctx, const char *name, const gbl_op *op,
                             const gbl_product_call *call);

#endif
