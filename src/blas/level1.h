/* level1.h: the vector routines: their call, their ops and what their rows share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One call struct serves all of level 1; members a routine does not have stay zero. Pointers and
 * strides are as the caller of BLAS gave them. gbl_<stem> checks (only when it is the outermost
 * call), returns quickly where nothing is to do and runs the op.
 */
#ifndef GBL_LEVEL1_H
#define GBL_LEVEL1_H

#include "core/context.h"

typedef struct gbl_vector_call {
    gbl_dtype dtype;
    bool conj; /* of x */
    int64_t n;
    gbl_scalar alpha;
    const void *x;
    int64_t incx;
    void *y; /* NULL where the routine has one vector only */
    int64_t incy;
    void *result;
} gbl_vector_call;

gable_status gbl_copy(gable_context *ctx, const char *routine, const gbl_vector_call *call);
gable_status gbl_axpy(gable_context *ctx, const char *routine, const gbl_vector_call *call);
gable_status gbl_dot(gable_context *ctx, const char *routine, const gbl_vector_call *call);
gable_status gbl_nrm2(gable_context *ctx, const char *routine, const gbl_vector_call *call);

extern const gbl_op gbl_copy_op;
extern const gbl_op gbl_axpy_op;
extern const gbl_op gbl_dot_op;
extern const gbl_op gbl_nrm2_op;

/* ---- level1.c: what the rows share ---- */

/* Key of a choice: the rounded log2 of n, the precision, which strides are not 1. */
uint64_t gbl_vector_key(const void *call);

/* Element 0 of a vector given as BLAS does: the far end for a negative stride. */
const void *gbl_first_element(const void *x, int64_t n, int64_t inc, gbl_dtype dtype);

/* Rows of the cpu: C with OpenMP, and the installed BLAS. tasks has one function a precision. */
bool gbl_vector_fits_omp(const void *call, const gbl_device *device);
bool gbl_vector_fits_blas(const void *call, const gbl_device *device);
gable_status gbl_vector_run_task(gable_context *ctx, const gbl_vector_call *call, const char *name,
                                 const gbl_task_function tasks[4]);

/* Row of the vendor's library: fits where the device has one that knows the stem. */
bool gbl_vector_fits_vendor(const gbl_vector_call *call, const gbl_device *device,
                            const char *stem);
gable_status gbl_vector_run_vendor(gable_context *ctx, const gbl_vector_call *call,
                                   const char *stem);

/* The cost of a row that moves no more than the work: the cpu's and the vendor's. */
void gbl_vector_cost(const gbl_work *least, const gbl_device *device, gbl_cost *cost);

#endif
