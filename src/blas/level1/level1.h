/* level1.h: the vector routines: their call, their ops and what their variants share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gbl_<stem> checks (only when it is the outermost call), returns quickly where nothing is to do
 * and runs the op. Pointers and strides of a call are as the caller of BLAS gave them.
 */
#ifndef GBL_LEVEL1_H
#define GBL_LEVEL1_H

#include "core/arguments.h"
#include "device/vector_args.h"

typedef gbl_vector_args gbl_vector_call;

/* Routines that need nothing but the checks and a run of their op; those whose result goes to the
 * host or the device; and those that do more. */
#define GBL_VECTOR_RUN_STEMS(ROUTINE)                                                              \
    ROUTINE(copy)                                                                                  \
    ROUTINE(swap)                                                                                  \
    ROUTINE(scal)                                                                                  \
    ROUTINE(fill)                                                                                  \
    ROUTINE(reciprocal)                                                                            \
    ROUTINE(axpy)                                                                                  \
    ROUTINE(axpby)                                                                                 \
    ROUTINE(waxpby)                                                                                \
    ROUTINE(rot)                                                                                   \
    ROUTINE(rotm)                                                                                  \
    ROUTINE(rotg)                                                                                  \
    ROUTINE(rotmg)
#define GBL_VECTOR_RESULT_STEMS(ROUTINE)                                                           \
    ROUTINE(dot)                                                                                   \
    ROUTINE(nrm2)                                                                                  \
    ROUTINE(asum)                                                                                  \
    ROUTINE(amax)
#define GBL_VECTOR_OWN_STEMS(ROUTINE)                                                              \
    ROUTINE(random)                                                                                \
    ROUTINE(dsdot)                                                                                 \
    ROUTINE(mdot)                                                                                  \
    ROUTINE(mnrm2)                                                                                 \
    ROUTINE(maxpy)
#define GBL_VECTOR_STEMS(ROUTINE)                                                                  \
    GBL_VECTOR_RUN_STEMS(ROUTINE)                                                                  \
    GBL_VECTOR_RESULT_STEMS(ROUTINE)                                                               \
    GBL_VECTOR_OWN_STEMS(ROUTINE)

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

/* ---- level1.c: what the variants share ---- */

/* ---- Operands of descriptions ---- */

#define VECTOR_AT(member) offsetof(gbl_vector_call, member)
extern const gbl_call_layout gbl_vector_layout;

int64_t gbl_vector_rows(const void *call);     /* n */
size_t gbl_real_element(const void *call);     /* bytes: of the real type, */
size_t gbl_scalar_element(const void *call);   /* of alpha and beta, */
size_t gbl_position_element(const void *call); /* of a position */

/* What the ops of vectors have alike. */
#define GBL_VECTOR_OP(stem_, operands_, variants_)                                                 \
    .stem = stem_, .layout = &gbl_vector_layout, GBL_OPERANDS(operands_),                          \
    .alignment = gbl_stream_alignment, GBL_VARIANTS(variants_)

#define GBL_OPERAND_N                                                                              \
    {                                                                                              \
        .name = "n", .kind = GBL_SIZE, .at = VECTOR_AT(n)                                          \
    }
/* Each with its stride. Outputs may be inputs, element by element. */
#define GBL_OPERAND_VECTOR(name_, at_, inc_name, inc_, access_, factor_)                           \
    {.name = name_,                                                                                \
     .kind = GBL_VECTOR,                                                                           \
     .access = access_,                                                                            \
     .at = at_,                                                                                    \
     .step = inc_,                                                                                 \
     .factor = factor_,                                                                            \
     .rows = gbl_vector_rows,                                                                      \
     .in_place = true},                                                                            \
    {                                                                                              \
        .name = inc_name, .kind = GBL_INC, .at = inc_                                              \
    }
#define GBL_OPERAND_X(access_)                                                                     \
    GBL_OPERAND_VECTOR("x", VECTOR_AT(x), "incx", VECTOR_AT(incx), access_, 0)
#define GBL_OPERAND_Y(access_)                                                                     \
    GBL_OPERAND_VECTOR("y", VECTOR_AT(y), "incy", VECTOR_AT(incy), access_, 0)
#define GBL_OPERAND_W GBL_OPERAND_VECTOR("w", VECTOR_AT(w), "incw", VECTOR_AT(incw), GBL_WRITE, 0)
/* x where it is read only if alpha is not 0, and y if beta is not. */
#define GBL_OPERAND_TIMES_ALPHA                                                                    \
    GBL_OPERAND_VECTOR("x", VECTOR_AT(x), "incx", VECTOR_AT(incx), GBL_READ, VECTOR_AT(alpha))
#define GBL_OPERAND_TIMES_BETA                                                                     \
    GBL_OPERAND_VECTOR("y", VECTOR_AT(y), "incy", VECTOR_AT(incy), GBL_READ, VECTOR_AT(beta))
#define GBL_OPERAND_ALPHA                                                                          \
    {                                                                                              \
        .name = "alpha", .kind = GBL_SCALAR, .access = GBL_READ, .at = VECTOR_AT(alpha),           \
        .element = gbl_scalar_element                                                              \
    }
#define GBL_OPERAND_BETA                                                                           \
    {                                                                                              \
        .name = "beta", .kind = GBL_SCALAR, .access = GBL_READ, .at = VECTOR_AT(beta),             \
        .element = gbl_scalar_element                                                              \
    }
#define GBL_OPERAND_RESULT(element_)                                                               \
    {                                                                                              \
        .name = "result", .kind = GBL_RESULT, .access = GBL_WRITE, .at = VECTOR_AT(result),        \
        .element = element_                                                                        \
    }

/* Legal calls of moderate size on the host with x, with x and y, with all three: most calls are
 * such. */
bool gbl_plain_x(const gable_context *ctx, const void *call);
bool gbl_plain_xy(const gable_context *ctx, const void *call);
bool gbl_plain_xyw(const gable_context *ctx, const void *call);

/* What the shared variants need to know of a routine: the `detail` of its variants. */
typedef struct gbl_vector_routine {
    const char *stem;
    void (*work)(const void *call, gbl_work *least);
    gbl_task_function omp[4],
        blas[4];       /* one per precision; NULL: the BLAS does not have it, or has it wrong */
    bool forward_only; /* libraries do not take negative strides of x as BLAS's others do */
    bool contiguous_complex; /* strided complex vectors are not for the BLAS */
    bool not_x86[4];         /* precisions in which OpenBLAS 0.3.21 is wrong on x86-64 */
    const char *kernel;      /* the file; of reductions: the one that makes partial sums */
    /* Of reductions: the kernel that adds those in a second launch, bytes of one in each
     * precision. */
    const char *finish;
    size_t partial_bytes[4];
    bool adds_alpha; /* to the sum: sdsdot */
} gbl_vector_routine;

/* Element 0 of a vector given as BLAS does: the far end for a negative stride. */
void *gbl_first_element(void *x, int64_t n, int64_t inc, gbl_dtype dtype);

/* A routine with a result: enters, checks, runs the op and brings the result to where it belongs; 0
 * for n = 0. */
gable_status gbl_vector_result(gable_context *ctx, const char *name, const gbl_op *op,
                               const gbl_vector_call *call);

/* The work of reading and writing so many vectors, with the flops of an element in real and in
 * complex arithmetic. */
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

#define GBL_VECTOR_OMP_VARIANT(routine)                                                            \
    GBL_VARIANT("omp", .fits = gbl_vector_fits_omp, .run = gbl_vector_run_omp,                     \
                .cost = gbl_vector_cost, .detail = routine)
/* The three variants that most vector routines end with. */
#define GBL_VECTOR_VARIANTS(routine)                                                               \
    GBL_VARIANT("blas", .fits = gbl_vector_fits_blas, .run = gbl_vector_run_blas,                  \
                .cost = gbl_vector_cost, .detail = routine),                                       \
        GBL_VECTOR_OMP_VARIANT(routine),                                                           \
        GBL_VARIANT("vendor", .vendor = true, .fits = gbl_vector_fits_vendor,                      \
                    .run = gbl_vector_run_vendor, .cost = gbl_vector_cost, .detail = routine)

#endif
