/* eigen.h: eigenvalues of symmetric matrices: what sterf, stedc, syevd, sygst, sygvd and syevx
 * share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A driver is a reduction to a tridiagonal matrix, the eigenvalues of that (sterf, or stedc with
 * vectors) and the back-transformation: variant `reduce`, made of other ops, on every device. On
 * cpu `lapack` is the driver of the installed LAPACK. Calls are gbl_product_call: `job` is jobz or
 * compz, `d` the values, `e` the numbers beside a diagonal, `C` with ldc the vectors of stedc and
 * syevx, `k` itype, `range`, `ilo` and `ihi`, `alpha`, `beta` and `abstol` those of syevx, `found`
 * its m and `ipiv` its ifail.
 */
#ifndef GBL_EIGEN_H
#define GBL_EIGEN_H

#include "core/kernel.h"
#include "lapack/lapack.h"

/* The real kind of a precision: s or d. */
static inline gbl_dtype gbl_eigen_real(gbl_dtype dtype)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? GBL_S : GBL_D;
}

static inline bool gbl_eigen_vectors(const gbl_product_call *call)
{
    return call->job != GABLE_NO_VECTORS && call->job != 0;
}

/* ---- Operands ---- */

#define GBL_EIGEN_JOB(name_, jobs_)                                                                \
    {                                                                                              \
        .name = name_, .kind = GBL_JOB, .at = PRODUCT_AT(job), .jobs = jobs_                       \
    }
#define GBL_EIGEN_JOBZ                                                                             \
    GBL_EIGEN_JOB("jobz", GBL_JOB_BIT(GABLE_NO_VECTORS) | GBL_JOB_BIT(GABLE_VECTORS))
/* Real numbers that are read and written. */
#define GBL_EIGEN_REALS(name_, at_, rows_)                                                         \
    {                                                                                              \
        .name = name_, .kind = GBL_NUMBERS, .access = GBL_READ_WRITE, .at = PRODUCT_AT(at_),       \
        .rows = rows_, .element = gbl_real_element                                                 \
    }
#define GBL_EIGEN_Z(access_, columns_)                                                             \
    {.name = "Z",                                                                                  \
     .kind = GBL_MATRIX,                                                                           \
     .access = access_,                                                                            \
     .at = PRODUCT_AT(C),                                                                          \
     .step = PRODUCT_AT(ldc),                                                                      \
     .rows = gbl_eigen_vector_rows,                                                                \
     .columns = columns_},                                                                         \
    {                                                                                              \
        .name = "ldz", .kind = GBL_LD, .at = PRODUCT_AT(ldc), .least = "n"                         \
    }
/* A of a driver: its triangle, and with vectors all of it is written. */
#define GBL_EIGEN_A                                                                                \
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,             \
                       gbl_eigen_shape, "n")
gbl_shape gbl_eigen_shape(const void *call);
#define GBL_EIGEN_ITYPE                                                                            \
    {                                                                                              \
        .name = "itype", .kind = GBL_ANY, .at = PRODUCT_AT(k)                                      \
    }
/* n, or 0 where no vectors are wanted; n - 1. */
int64_t gbl_eigen_vector_rows(const void *call);
int64_t gbl_eigen_beside(const void *call);
/* itype is 1, 2 or 3. Calls that were made from a description alone have 0: 1. */
gable_status gbl_eigen_itype_rules(gable_context *ctx, const void *call);
static inline int gbl_eigen_itype(const gbl_product_call *call)
{
    return call->k == 0 ? 1 : (int)call->k;
}

/* LAPACK's numbers of arguments, for info below 0. */
enum {
    GBL_STERF_D = 2,
    GBL_STEDC_D = 3,
    GBL_SYEVD_A = 4,
    GBL_SYGVD_A = 5,
    GBL_SYGVD_B = 7,
    GBL_SYEVX_A = 5
};
/* That of d: sterf has no job. */
static inline int64_t gbl_eigen_number(const gbl_product_call *call)
{
    return call->job == 0 ? GBL_STERF_D : GBL_STEDC_D;
}

/* Sets a call's `share`, which those that do not come through gbl_syevx need. */
void gbl_syevx_complete(gbl_product_call *call);

/* ---- eigen_steps.c: the small steps around a reduction ---- */

/* Where the numbers of gbl_eigen_begin stand, which are real. */
enum { GBL_EIGEN_FROM, GBL_EIGEN_TO, GBL_EIGEN_BACK, GBL_EIGEN_NUMBERS };
enum { GBL_EIGEN_BEGIN, GBL_EIGEN_END, GBL_EIGEN_PICK, GBL_EIGEN_KERNELS };

/* The triangle of A is multiplied by a power of two that brings it into the range where its
 * reduction is safe, usually by 1; by NaN if it is not finite. */
gable_status gbl_eigen_begin(gable_context *ctx, const char *name, const gbl_product_call *call,
                             void **numbers);
/* Its values back, and info: that of the stage; `number`, LAPACK's of A, less than 0 where A was
 * not finite; n + *before where that is not 0 (NULL: there is no step before). numbers: NULL where
 * nothing was scaled. */
gable_status gbl_eigen_end(gable_context *ctx, const gbl_product_call *call, void *numbers,
                           int64_t number, const int64_t *stage, const int64_t *before);
/* Info alone, of sterf and stedc. */
gable_status gbl_eigen_outcome(gable_context *ctx, const gbl_product_call *call,
                               const int64_t *stage);
/* The kernel of it, or with a step before of gbl_eigen_end without numbers. */
int gbl_eigen_outcome_specs(gbl_dtype dtype, const gbl_device *device, bool has_before,
                            gbl_kernel_spec *specs);
typedef struct gbl_eigen_pick {
    void *all;     /* n values, ascending */
    void *vectors; /* of values from `first` on; NULL: none */
    int64_t ldv, first, count;
    const int64_t *stage; /* outcome of the tridiagonal stage */
} gbl_eigen_pick;
/* What syevx was asked for, out of all that there is. */
gable_status gbl_eigen_picked(gable_context *ctx, const gbl_product_call *call,
                              const gbl_eigen_pick *pick);
int gbl_eigen_specs(gbl_dtype dtype, const gbl_device *device, bool picks, gbl_kernel_spec *specs);
/* Parts of the model: those around a reduction. */
int gbl_eigen_parts(const gbl_product_call *call, gbl_part_call *parts, int count);

/* ---- eigen_stage.c: the tridiagonal stage on the host ---- */

/* `host_stage`, whose detail is the stem: sterf or stedc. */
gable_status gbl_eigen_stage_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
void gbl_eigen_stage_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost);
int gbl_eigen_stage_specs(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs);
int gbl_eigen_stage_parts(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts);
void gbl_eigen_stage_tell(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, char *text, size_t text_bytes);
bool gbl_eigen_host_fits(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_eigen_ql_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_eigen_ql_run(gable_context *ctx, const gbl_variant *self, const void *call,
                              const gbl_params *params);
void gbl_eigen_ql_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost);
#define GBL_EIGEN_QL_VARIANT                                                                       \
    GBL_VARIANT("ql", .fits = gbl_eigen_ql_fits, .run = gbl_eigen_ql_run, .cost = gbl_eigen_ql_cost)

/* ---- installed_eigen.c: through the LAPACK that is installed ---- */

typedef enum gbl_eigen_routine {
    GBL_STERF,
    GBL_STEDC,
    GBL_SYEVD,
    GBL_SYGST,
    GBL_SYGVD,
    GBL_SYEVX,
    GBL_EIGEN_ROUTINES
} gbl_eigen_routine;

/* The library's workspace for a call. */
typedef struct gbl_eigen_room {
    int lwork, lrwork, liwork;
    size_t work_bytes, rwork_bytes, iwork_bytes;
    void *work, *rwork;
    int *iwork;
} gbl_eigen_room;

/* Whether the library has the routine and every integer of the call and its workspace fits its
 * int. */
bool gbl_eigen_library_fits(gbl_eigen_routine which, const gbl_product_call *call);
/* How much workspace it wants; then the call with host memory. Info is in *call->info. */
void gbl_eigen_library_room(gbl_eigen_routine which, const gbl_product_call *call,
                            gbl_eigen_room *room);
void gbl_eigen_library_run(gbl_eigen_routine which, const gbl_product_call *call,
                           const gbl_eigen_room *room);
/* Whether d and e are finite; if not d becomes NaN, Z too, and info is less than 0. */
bool gbl_eigen_tridiagonal_finite(const gbl_product_call *call);

/* The variant `lapack`, on cpu: its detail is the routine's number. */
extern const gbl_eigen_routine gbl_eigen_routines[GBL_EIGEN_ROUTINES];
bool gbl_eigen_installed_fits(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_eigen_installed_run(gable_context *ctx, const gbl_variant *self, const void *call,
                                     const gbl_params *params);
void gbl_eigen_installed_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                              const gbl_device *device, gbl_cost *cost);
#define GBL_EIGEN_LAPACK_VARIANT(which)                                                            \
    GBL_VARIANT("lapack", .fits = gbl_eigen_installed_fits, .run = gbl_eigen_installed_run,        \
                .cost = gbl_eigen_installed_cost, .detail = &gbl_eigen_routines[which])

#endif
