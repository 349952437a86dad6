/* level2.h: the matrix-vector routines: their call, their ops and what their variants share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gbl_<stem> checks (only when it is the outermost call), returns quickly where nothing is to do and
 * runs the op. Pointers and strides of a call are as the caller of BLAS gave them.
 */
#ifndef GBL_LEVEL2_H
#define GBL_LEVEL2_H

#include "blas/host_cost.h"
#include "blas/level1.h"
#include "core/extents.h"
#include "device/matrix_args.h"

typedef gbl_matrix_args gbl_matrix_call;

#define GBL_MATRIX_STEMS(ROUTINE)                                                                  \
    ROUTINE(gemv)                                                                                  \
    ROUTINE(trmv)                                                                                  \
    ROUTINE(trsv)                                                                                  \
    ROUTINE(symv)                                                                                  \
    ROUTINE(ger) ROUTINE(syr) ROUTINE(syr2) ROUTINE(gemv_batched) ROUTINE(geam) ROUTINE(transpose)

/* gbl_gemv and gbl_gemv_op, and so on. */
#define GBL_MATRIX_DECLARE(stem)                                                                   \
    gable_status gbl_##stem(gable_context *ctx, const char *routine, const gbl_matrix_call *call); \
    extern const gbl_op gbl_##stem##_op;
GBL_MATRIX_STEMS(GBL_MATRIX_DECLARE)
extern const gbl_op gbl_gbmv_op, gbl_sbmv_op, gbl_tbmv_op; /* band matrices */

/* ---- level2.c: what the variants share ---- */

/* What the shared variants need to know of a routine: the `detail` of its variants. */
typedef struct gbl_matrix_routine {
    const char *stem;
    void (*work)(const void *call, gbl_work *least);
    gbl_task_function omp[4], blas[4];                  /* one per precision */
    bool one_scalar;                                    /* there is no beta */
    gbl_host_walk (*walk)(const gbl_matrix_call *call); /* on cpu; NULL: as if it were vectors */
} gbl_matrix_routine;

/* Key of a choice: the rounded log2 of m in bits 0 to 7 and of n in bits 16 to 23; between and above
 * them the precision, the flags, whether columns start alike. */
uint64_t gbl_matrix_key(const void *call);
/* call_class.c: what else decides it; `turned` is for ops whose C may be A. */
extern const gbl_call_family gbl_matrix_family, gbl_turned_family;

/* One argument each, by its number in messages; `rows` of ld_check is the name of the size it must reach. */
gable_status gbl_trans_check(gable_context *ctx, int number, const char *name, gable_trans trans);
gable_status gbl_uplo_check(gable_context *ctx, int number, gable_uplo uplo);
gable_status gbl_diag_check(gable_context *ctx, int number, gable_diag diag);
gable_status gbl_size_check(gable_context *ctx, int number, const char *name, int64_t size);
gable_status gbl_ld_check(gable_context *ctx, int number, const char *name, int64_t ld,
                          const char *rows, int64_t least);
/* Of calls that touch something: sizes m and n, by their numbers; the leading dimension of a matrix of m by
 * n; the stride of a vector. Whatever they make the operand reach over must fit 63 bits. */
gable_status gbl_reach_sizes(gable_context *ctx, const gbl_matrix_call *call, int m_number,
                             int n_number);
gable_status gbl_reach_ld(gable_context *ctx, const gbl_matrix_call *call, int number,
                          const char *name, const char *matrix, int64_t m, int64_t n, int64_t ld);
gable_status gbl_reach_inc(gable_context *ctx, const gbl_matrix_call *call, int number,
                           const char *name, const char *vector, int64_t n, int64_t inc);
/* The triangle that a call names, with its diagonal or without. */
gbl_shape gbl_triangle_shape(gable_uplo uplo, bool unit);

#define GBL_MODERATE                                                                               \
    ((int64_t)1 << 28) /* sizes and distances below it reach far less than 2^63 bytes */

/* What most calls are: on the host, of moderate size, with A, x and y (where the routine has one) in memory. Flags are
 * not looked at. Told by few comparisons; others go through the checks one by one. */
static inline bool gbl_matrix_plain(const gable_context *ctx, const gbl_matrix_call *call,
                                    bool has_y)
{
    return ctx->device->props.is_host && !ctx->guarded && call->m > 0 && call->n > 0 &&
           call->m <= call->lda && call->lda < GBL_MODERATE && call->n < GBL_MODERATE &&
           call->A != NULL && call->x != NULL && call->incx != 0 && call->incx > -GBL_MODERATE &&
           call->incx < GBL_MODERATE && call->alpha.device != gbl_null_scalar &&
           call->beta.device != gbl_null_scalar &&
           (!has_y || (call->y != NULL && call->incy != 0 && call->incy > -GBL_MODERATE &&
                       call->incy < GBL_MODERATE));
}
static inline bool gbl_trans_legal(gable_trans trans)
{
    return trans == GABLE_NO_TRANS || trans == GABLE_TRANS || trans == GABLE_CONJ_TRANS;
}
static inline bool gbl_uplo_legal(gable_uplo uplo)
{
    return uplo == GABLE_UPPER || uplo == GABLE_LOWER;
}

/* Walks of the cpu over the columns of a matrix, `forks` times, and of a triangle. */
gbl_host_walk gbl_host_columns(const gbl_matrix_call *call, double forks);
gbl_host_walk gbl_host_triangle(const gbl_matrix_call *call, double forks);
/* And where a matrix of so many elements is turned into C. */
gbl_host_walk gbl_host_turn(const gbl_matrix_call *call, double elements);

/* The widest alignment at most `align` bytes that every column of a matrix reaches after *head rows; that of
 * single elements, and 0 rows, where columns start differently. */
int32_t gbl_column_alignment(int32_t align, const void *A, int64_t lda, int64_t columns,
                             gbl_dtype dtype, int64_t *head);

/* Rows of the cpu: C with OpenMP, and the installed BLAS; and of the vendor's library. */
bool gbl_matrix_fits_omp(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_matrix_run_omp(gable_context *ctx, const gbl_variant *self, const void *call,
                                const gbl_params *params);
bool gbl_matrix_fits_blas(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_matrix_run_blas(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
bool gbl_matrix_fits_vendor(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_matrix_run_vendor(gable_context *ctx, const gbl_variant *self, const void *call,
                                   const gbl_params *params);
void gbl_matrix_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_cost *cost);

/* The variant of the vendor's library, and the three variants that most matrix routines end with. OpenMP comes behind the
 * BLAS, so it is taken: on two cores of a Neoverse V1 (2026-11, s and d, 512 to 4096 rows) gemv, symv, syr, syr2,
 * trmv and trsv are 1.1 to 2.9 times as fast as OpenBLAS 0.3.21; ger is as fast there. */
#define GBL_MATRIX_VENDOR_VARIANT(routine)                                                         \
    {                                                                                              \
        .name = "vendor", .deterministic = true, .vendor = true, .fits = gbl_matrix_fits_vendor,   \
        .run = gbl_matrix_run_vendor, .cost = gbl_matrix_cost, .detail = routine                   \
    }
#define GBL_MATRIX_BLAS_VARIANT(routine)                                                           \
    {                                                                                              \
        .name = "blas", .deterministic = true, .fits = gbl_matrix_fits_blas,                       \
        .run = gbl_matrix_run_blas, .cost = gbl_matrix_cost, .detail = routine                     \
    }
#define GBL_MATRIX_OMP_VARIANT(routine)                                                            \
    {                                                                                              \
        .name = "omp", .deterministic = true, .fits = gbl_matrix_fits_omp,                         \
        .run = gbl_matrix_run_omp, .cost = gbl_matrix_cost, .detail = routine                      \
    }
#define GBL_MATRIX_VARIANTS(routine)                                                               \
    GBL_MATRIX_BLAS_VARIANT(routine), GBL_MATRIX_OMP_VARIANT(routine),                             \
        GBL_MATRIX_VENDOR_VARIANT(routine)

#endif
