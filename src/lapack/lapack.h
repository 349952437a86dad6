/* lapack.h: LAPACK's routines: their ops and what they share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A routine is an op like those of BLAS: description, work, variants. Its calls are
 * gbl_product_call, as those of level 3. A variant that is made of other routines calls gbl_<stem>
 * of them, which checks nothing there, and runs on every device: what is not made of others, a
 * leaf, is a kernel where the device runs kernels and a task on cpu. Nothing in it waits for the
 * host: what a later step must know of an earlier one lies in the device's memory.
 */
#ifndef GBL_LAPACK_H
#define GBL_LAPACK_H

#include "blas/level3/composed.h"

#define GBL_PART_STEMS(ROUTINE)     ROUTINE(lacpy) ROUTINE(laset) ROUTINE(lascl)
#define GBL_NORM_STEMS(ROUTINE)     ROUTINE(lange) ROUTINE(lansy) ROUTINE(lantr)
#define GBL_CHOLESKY_STEMS(ROUTINE) ROUTINE(potrf) ROUTINE(potrs) ROUTINE(posv) ROUTINE(potri)
#define GBL_TRIANGLE_STEMS(ROUTINE) ROUTINE(trtrs) ROUTINE(trtri) ROUTINE(lauum)
#define GBL_LU_STEMS(ROUTINE)                                                                      \
    ROUTINE(laswp) ROUTINE(getrf) ROUTINE(getrs) ROUTINE(gesv) ROUTINE(getri)
#define GBL_QR_STEMS(ROUTINE)         ROUTINE(geqrf) ROUTINE(ormqr) ROUTINE(orgqr)
#define GBL_LQ_STEMS(ROUTINE)         ROUTINE(gelqf) ROUTINE(ormlq) ROUTINE(orglq)
#define GBL_LEAST_STEMS(ROUTINE)      ROUTINE(gels)
#define GBL_REFLECT_STEMS(ROUTINE)    ROUTINE(larfg) ROUTINE(larft) ROUTINE(larfb)
#define GBL_BIDIAGONAL_STEMS(ROUTINE) ROUTINE(gebrd)
#define GBL_SINGULAR_STEMS(ROUTINE)   ROUTINE(bdsdc) ROUTINE(gesdd) ROUTINE(gesvd)
#define GBL_REDUCTION_Q_STEMS(ROUTINE)                                                             \
    ROUTINE(orgtr) ROUTINE(orghr) ROUTINE(orgbr) ROUTINE(ormtr) ROUTINE(ormhr) ROUTINE(ormbr)
#define GBL_REDUCTION_STEMS(ROUTINE)                                                               \
    ROUTINE(sytrd)                                                                                 \
    ROUTINE(gehrd)
#define GBL_EIGEN_STEMS(ROUTINE)                                                                   \
    ROUTINE(sterf) ROUTINE(stedc) ROUTINE(syevd) ROUTINE(sygst) ROUTINE(sygvd) ROUTINE(syevx)
#define GBL_LAPACK_STEMS(ROUTINE)                                                                  \
    GBL_PART_STEMS(ROUTINE)                                                                        \
    GBL_NORM_STEMS(ROUTINE)                                                                        \
    GBL_CHOLESKY_STEMS(ROUTINE)                                                                    \
    GBL_TRIANGLE_STEMS(ROUTINE)                                                                    \
    GBL_LU_STEMS(ROUTINE)                                                                          \
    GBL_QR_STEMS(ROUTINE)                                                                          \
    GBL_LQ_STEMS(ROUTINE)                                                                          \
    GBL_LEAST_STEMS(ROUTINE)                                                                       \
    GBL_REFLECT_STEMS(ROUTINE)                                                                     \
    GBL_REDUCTION_STEMS(ROUTINE)                                                                   \
    GBL_BIDIAGONAL_STEMS(ROUTINE)                                                                  \
    GBL_REDUCTION_Q_STEMS(ROUTINE)                                                                 \
    GBL_EIGEN_STEMS(ROUTINE)                                                                       \
    GBL_SINGULAR_STEMS(ROUTINE)

/* gbl_potrf and gbl_potrf_op, and so on. */
#define GBL_LAPACK_DECLARE(stem)                                                                   \
    gable_status gbl_##stem(gable_context *ctx, const char *routine,                               \
                            const gbl_product_call *call);                                         \
    extern const gbl_op gbl_##stem##_op;
GBL_LAPACK_STEMS(GBL_LAPACK_DECLARE)

/* ---- Operands of descriptions ---- */

/* uplo where it may be GABLE_GENERAL. */
#define GBL_LAPACK_PART                                                                            \
    {                                                                                              \
        .name = "uplo", .kind = GBL_UPLO, .at = PRODUCT_AT(uplo), .optional = true                 \
    }
#define GBL_LAPACK_INFO                                                                            \
    {                                                                                              \
        .name = "info", .kind = GBL_RESULT, .access = GBL_WRITE, .at = PRODUCT_AT(info),           \
        .element = gbl_info_element                                                                \
    }
/* Factors of so many reflectors. */
#define GBL_LAPACK_TAU(access_, rows_)                                                             \
    {                                                                                              \
        .name = "tau", .kind = GBL_NUMBERS, .access = access_, .at = PRODUCT_AT(tau),              \
        .rows = rows_                                                                              \
    }
/* Real numbers of a reduction, such as diagonals; they are written. */
#define GBL_LAPACK_REALS(name_, at_, rows_)                                                        \
    {                                                                                              \
        .name = name_, .kind = GBL_NUMBERS, .access = GBL_WRITE, .at = PRODUCT_AT(at_),            \
        .rows = rows_, .element = gbl_real_element                                                 \
    }
size_t gbl_info_element(const void *call);

/* ---- lapack.c ---- */

/* Runs a call of a routine with `info`: as gbl_call_run, and brings info to where it belongs. Info
 * is 0 where nothing is to do. Within another routine info is in the device's memory already. */
gable_status gbl_info_run(gable_context *ctx, const char *name, const gbl_op *op,
                          const gbl_product_call *call);

/* Every device: what is made of other routines runs where they do. */
bool gbl_lapack_fits(const gbl_variant *self, const void *call, const gbl_device *device);

/* Element (i, j) of a matrix. */
static inline void *gbl_element(gbl_dtype dtype, const void *matrix, int64_t ld, int64_t i,
                                int64_t j)
{
    return (char *)(uintptr_t)matrix + (i + j * ld) * (int64_t)gbl_dtype_bytes(dtype);
}

/* The transpose that turns a factor of a symmetric or Hermitian matrix into the other one. */
static inline gable_trans gbl_adjoint(gbl_dtype dtype)
{
    return gbl_dtype_complex(dtype) ? GABLE_CONJ_TRANS : GABLE_TRANS;
}

/* Flops of a real multiply-add count 2, of a complex one 8: what a count of multiply-adds comes
 * to. */
static inline double gbl_lapack_flops(const gbl_product_call *call, double multiply_adds)
{
    return gbl_product_flops(call->dtype) * multiply_adds;
}

#endif
