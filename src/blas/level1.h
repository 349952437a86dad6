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

/* What the shared rows need to know of a routine: the `detail` of its variants. */
typedef struct gbl_vector_routine {
    const char *stem;
    void (*work)(const void *call, gbl_work *least);
    gbl_task_function omp[4], blas[4]; /* one a precision; NULL: the BLAS has it not, or wrong */
    bool forward_only; /* libraries do not take negative strides of x as BLAS's others do */
    /* Of reductions: the kernel that makes partial sums, the one that adds them in a second launch, the
     * bytes of a partial sum in each precision. */
    const char *first, *finish;
    size_t partial_bytes[4];
} gbl_vector_routine;

/* Key of a choice: the rounded log2 of n, the precision, which strides are not 1. */
uint64_t gbl_vector_key(const void *call);

/* Element 0 of a vector given as BLAS does: the far end for a negative stride. */
const void *gbl_first_element(const void *x, int64_t n, int64_t inc, gbl_dtype dtype);

/* Arguments n, x and, unless y_number is 0, y, whose numbers in messages are given. */
gable_status gbl_vector_check(gable_context *ctx, const gbl_vector_call *call, int x_number,
                              int y_number);

/* A routine with a result of `bytes`: runs the op and brings the result to where it belongs; 0 for
 * n = 0. `number` is the result's in messages. */
gable_status gbl_vector_result(gable_context *ctx, const gbl_op *op, const gbl_vector_call *call,
                               int number, size_t bytes);

/* Rows of the cpu: C with OpenMP, and the installed BLAS. */
bool gbl_vector_fits_omp(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_vector_run_omp(gable_context *ctx, const gbl_variant *self, const void *call,
                                const gbl_params *params);
bool gbl_vector_fits_blas(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_vector_run_blas(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);

/* Row of the vendor's library: fits where the device has one that knows the stem. */
bool gbl_vector_fits_vendor(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_vector_run_vendor(gable_context *ctx, const gbl_variant *self, const void *call,
                                   const gbl_params *params);

/* The cost of a row that moves no more than the work: the cpu's and the vendor's. */
void gbl_vector_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_cost *cost);

/* The three rows that every vector routine ends with. */
#define GBL_VECTOR_ROWS(routine)                                                                   \
    {"blas", true, false,  gbl_vector_fits_blas, gbl_vector_run_blas, gbl_vector_cost,             \
     NULL,   0,    routine},                                                                       \
        {"omp", true, false,  gbl_vector_fits_omp, gbl_vector_run_omp, gbl_vector_cost,            \
         NULL,  0,    routine},                                                                    \
    {                                                                                              \
        "vendor", true, true, gbl_vector_fits_vendor, gbl_vector_run_vendor, gbl_vector_cost,      \
            NULL, 0, routine                                                                       \
    }

#endif
