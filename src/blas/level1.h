/* level1.h: the vector routines: their call, their ops and what their variants share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gbl_<stem> checks (only when it is the outermost call), returns quickly where nothing is to do and
 * runs the op. Pointers and strides of a call are as the caller of BLAS gave them.
 */
#ifndef GBL_LEVEL1_H
#define GBL_LEVEL1_H

#include "core/extents.h"
#include "device/vector_args.h"

typedef gbl_vector_args gbl_vector_call;

#define GBL_VECTOR_STEMS(ROUTINE)                                                                  \
    ROUTINE(copy)                                                                                  \
    ROUTINE(swap)                                                                                  \
    ROUTINE(scal)                                                                                  \
    ROUTINE(fill)                                                                                  \
    ROUTINE(axpy)                                                                                  \
    ROUTINE(axpby)                                                                                 \
    ROUTINE(waxpby)                                                                                \
    ROUTINE(rot)                                                                                   \
    ROUTINE(rotm)                                                                                  \
    ROUTINE(rotg)                                                                                  \
    ROUTINE(rotmg)                                                                                 \
    ROUTINE(random)                                                                                \
    ROUTINE(dot)                                                                                   \
    ROUTINE(dsdot)                                                                                 \
    ROUTINE(nrm2)                                                                                  \
    ROUTINE(asum)                                                                                  \
    ROUTINE(amax)                                                                                  \
    ROUTINE(mdot)                                                                                  \
    ROUTINE(maxpy)

/* gbl_copy and gbl_copy_op, and so on. */
#define GBL_VECTOR_DECLARE(stem)                                                                   \
    gable_status gbl_##stem(gable_context *ctx, const char *routine, const gbl_vector_call *call); \
    extern const gbl_op gbl_##stem##_op;
GBL_VECTOR_STEMS(GBL_VECTOR_DECLARE)

/* Where the call's few numbers are in host memory: the param of rotm, the coefficients of maxpy. */
gable_status gbl_rotm_host(gable_context *ctx, const char *routine, const gbl_vector_call *call,
                           const void *param);
gable_status gbl_maxpy_host(gable_context *ctx, const char *routine, const gbl_vector_call *call,
                            const void *coefficients);
/* With all operands in host memory: computed at once, nothing is enqueued. */
gable_status gbl_rotg_host(gable_context *ctx, const char *routine, const gbl_vector_call *call);
gable_status gbl_rotmg_host(gable_context *ctx, const char *routine, const gbl_vector_call *call);

/* What a door puts in place of a device scalar that is NULL, so that the check can say so. */
extern const char gbl_null_scalar[];

/* ---- level1.c: what the variants share ---- */

/* The numbers of arguments in messages; 0: there is none. A stride is the argument behind its vector,
 * and the stride of an output must not be 0. */
typedef struct gbl_vector_numbers {
    int x, y, w, alpha, beta, result;
    bool writes_x, writes_y;
    const char *alpha_name, *beta_name; /* unless "alpha" and "beta" */
    int alpha_count;                    /* numbers at alpha.device: rotm's param; 0 is 1 */
    bool alpha_real;                    /* and they are real also beside complex vectors: rot's c */
} gbl_vector_numbers;

/* What the shared variants need to know of a routine: the `detail` of its variants. */
typedef struct gbl_vector_routine {
    const char *stem;
    gbl_vector_numbers numbers;
    void (*work)(const void *call, gbl_work *least);
    gbl_task_function omp[4],
        blas[4];        /* one per precision; NULL: the BLAS does not have it, or has it wrong */
    bool forward_only;  /* libraries do not take negative strides of x as BLAS's others do */
    const char *kernel; /* the file; of reductions: the one that makes partial sums */
    /* Of reductions: the kernel that adds those in a second launch, bytes of one in each precision. */
    const char *finish;
    size_t partial_bytes[4];
    bool adds_alpha; /* to the sum: sdsdot */
} gbl_vector_routine;

/* Key of a choice: the rounded log2 of n, the precision, which strides are not 1. */
uint64_t gbl_vector_key(const void *call);
/* call_class.c: what else decides it. */
extern const gbl_call_family gbl_vector_family;

/* Element 0 of a vector given as BLAS does: the far end for a negative stride. */
void *gbl_first_element(void *x, int64_t n, int64_t inc, gbl_dtype dtype);

/* Argument n and all that have numbers, in the order of the prototype. */
gable_status gbl_vector_check(gable_context *ctx, const gbl_vector_call *call,
                              const gbl_vector_numbers *numbers);
/* All operands against the allocations, where the context is guarded: the result's bytes, or 0 without. */
gable_status gbl_vector_guard(gable_context *ctx, const gbl_vector_call *call,
                              const gbl_vector_numbers *numbers, size_t result_bytes);
/* One scalar: device memory, if it is on the device. */
gable_status gbl_scalar_check(gable_context *ctx, int number, const char *name, const void *device);

/* A routine whose outputs are vectors: enters, checks, does nothing for n = 0, runs the op. */
gable_status gbl_vector_run(gable_context *ctx, const char *name, const gbl_op *op,
                            const gbl_vector_numbers *numbers, const gbl_vector_call *call);

/* A routine with a result of `bytes`: enters, checks, runs the op and brings the result to where it
 * belongs; 0 for n = 0. */
gable_status gbl_vector_result(gable_context *ctx, const char *name, const gbl_op *op,
                               const gbl_vector_numbers *numbers, const gbl_vector_call *call,
                               size_t bytes);

/* The work of reading and writing so many vectors, with the flops of an element in real and in complex
 * arithmetic. */
gbl_work gbl_vector_work(const gbl_vector_call *call, double reads, double writes,
                         double real_flops, double complex_flops);

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

/* The cost of a variant that moves no more than the work: the cpu's and the vendor's. */
void gbl_vector_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_cost *cost);

/* The three variants that most vector routines end with. */
#define GBL_VECTOR_VARIANTS(routine)                                                               \
    {.name = "blas",                                                                               \
     .deterministic = true,                                                                        \
     .fits = gbl_vector_fits_blas,                                                                 \
     .run = gbl_vector_run_blas,                                                                   \
     .cost = gbl_vector_cost,                                                                      \
     .detail = routine},                                                                           \
        {.name = "omp",                                                                            \
         .deterministic = true,                                                                    \
         .fits = gbl_vector_fits_omp,                                                              \
         .run = gbl_vector_run_omp,                                                                \
         .cost = gbl_vector_cost,                                                                  \
         .detail = routine},                                                                       \
    {                                                                                              \
        .name = "vendor", .deterministic = true, .vendor = true, .fits = gbl_vector_fits_vendor,   \
        .run = gbl_vector_run_vendor, .cost = gbl_vector_cost, .detail = routine                   \
    }

#endif
