/* level2.h: the matrix-vector routines: their call, their ops and what their variants share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gbl_<stem> checks (only when it is the outermost call), returns quickly where nothing is to do
 * and runs the op. Pointers and strides of a call are as the caller of BLAS gave them.
 */
#ifndef GBL_LEVEL2_H
#define GBL_LEVEL2_H

#include "blas/host_cost.h"
#include "blas/level1/level1.h"
#include "core/arguments.h"
#include "core/key.h"
#include "device/matrix_args.h"

typedef gbl_matrix_args gbl_matrix_call;

#define GBL_MATRIX_STEMS(ROUTINE)                                                                  \
    ROUTINE(gemv)                                                                                  \
    ROUTINE(trmv)                                                                                  \
    ROUTINE(trsv)                                                                                  \
    ROUTINE(symv)                                                                                  \
    ROUTINE(gbmv)                                                                                  \
    ROUTINE(sbmv)                                                                                  \
    ROUTINE(tbmv)                                                                                  \
    ROUTINE(tbsv)                                                                                  \
    ROUTINE(spmv)                                                                                  \
    ROUTINE(tpmv)                                                                                  \
    ROUTINE(tpsv)                                                                                  \
    ROUTINE(spr)                                                                                   \
    ROUTINE(spr2)                                                                                  \
    ROUTINE(ger) ROUTINE(syr) ROUTINE(syr2) ROUTINE(gemv_batched) ROUTINE(geam) ROUTINE(transpose)

/* gbl_gemv and gbl_gemv_op, and so on. */
#define GBL_MATRIX_DECLARE(stem)                                                                   \
    gable_status gbl_##stem(gable_context *ctx, const char *routine, const gbl_matrix_call *call); \
    extern const gbl_op gbl_##stem##_op;
GBL_MATRIX_STEMS(GBL_MATRIX_DECLARE)

/* ---- level2.c: what the variants share ---- */

/* What the shared variants need to know of a routine: the `detail` of its variants. */
typedef struct gbl_matrix_routine {
    const char *stem;
    void (*work)(const void *call, gbl_work *least);
    gbl_task_function omp[4], blas[4];                  /* one per precision */
    bool one_scalar;                                    /* there is no beta */
    gbl_host_walk (*walk)(const gbl_matrix_call *call); /* on cpu; NULL: as if it were vectors */
} gbl_matrix_routine;

/* ---- Operands of descriptions ---- */

#define MATRIX_AT(member) offsetof(gbl_matrix_call, member)
extern const gbl_call_layout gbl_matrix_layout;
/* What the ops of a matrix and vectors have alike. */
#define GBL_MATRIX_OP(stem_, operands_, variants_)                                                 \
    .stem = stem_, .layout = &gbl_matrix_layout, GBL_OPERANDS(operands_), GBL_VARIANTS(variants_)
/* Of ops whose C may be A, which decides, too: no shape says all. */
extern const gbl_call_layout gbl_turned_layout;

int64_t gbl_matrix_m(const void *call);
int64_t gbl_matrix_n(const void *call);
int64_t
gbl_matrix_inner(const void *call); /* what op(A) is multiplied with: n, or m where A is turned */
int64_t gbl_matrix_outer(const void *call);           /* what comes out: the other */
int64_t gbl_matrix_band(const void *call);            /* rows of a band: kl + ku + 1 */
int64_t gbl_matrix_half(const void *call);            /* of a triangle's band: k + 1 */
int64_t gbl_matrix_packed(const void *call);          /* elements of a packed triangle */
size_t gbl_matrix_scalar_element(const void *call);   /* bytes of alpha */
gbl_shape gbl_matrix_triangle(const void *call);      /* the one that uplo names, */
gbl_shape gbl_matrix_triangle_unit(const void *call); /* without its diagonal where diag says so */

#define GBL_OPERAND_TRANS                                                                          \
    {                                                                                              \
        .name = "trans", .kind = GBL_TRANS, .at = MATRIX_AT(trans)                                 \
    }
#define GBL_OPERAND_UPLO                                                                           \
    {                                                                                              \
        .name = "uplo", .kind = GBL_UPLO, .at = MATRIX_AT(uplo)                                    \
    }
#define GBL_OPERAND_DIAG                                                                           \
    {                                                                                              \
        .name = "diag", .kind = GBL_DIAG, .at = MATRIX_AT(diag)                                    \
    }
#define GBL_OPERAND_ROWS                                                                           \
    {                                                                                              \
        .name = "m", .kind = GBL_SIZE, .at = MATRIX_AT(m)                                          \
    }
#define GBL_OPERAND_COLUMNS                                                                        \
    {                                                                                              \
        .name = "n", .kind = GBL_SIZE, .at = MATRIX_AT(n)                                          \
    }
#define GBL_OPERAND_ORDER                                                                          \
    {                                                                                              \
        .name = "n", .kind = GBL_ORDER, .at = MATRIX_AT(n), .step = MATRIX_AT(m)                   \
    }
#define GBL_OPERAND_FACTOR(name_, at_)                                                             \
    {                                                                                              \
        .name = name_, .kind = GBL_SCALAR, .access = GBL_READ, .at = MATRIX_AT(at_)                \
    }
/* A and its leading dimension; x, y and their strides. `factor_`: where that scalar is 0 it is not
 * read. */
#define GBL_OPERAND_A(access_, factor_, rows_, columns_, shape_, least_)                           \
    {.name = "A",                                                                                  \
     .kind = GBL_MATRIX,                                                                           \
     .access = access_,                                                                            \
     .at = MATRIX_AT(A),                                                                           \
     .step = MATRIX_AT(lda),                                                                       \
     .factor = factor_,                                                                            \
     .rows = rows_,                                                                                \
     .columns = columns_,                                                                          \
     .shape = shape_},                                                                             \
    {                                                                                              \
        .name = "lda", .kind = GBL_LD, .at = MATRIX_AT(lda), .least = least_                       \
    }
#define GBL_OPERAND_LINE(name_, at_, inc_name, inc_, access_, factor_, rows_)                      \
    {.name = name_,                                                                                \
     .kind = GBL_VECTOR,                                                                           \
     .access = access_,                                                                            \
     .at = MATRIX_AT(at_),                                                                         \
     .step = MATRIX_AT(inc_),                                                                      \
     .factor = factor_,                                                                            \
     .rows = rows_},                                                                               \
    {                                                                                              \
        .name = inc_name, .kind = GBL_INC, .at = MATRIX_AT(inc_)                                   \
    }
#define GBL_OPERAND_LINE_X(access_, factor_, rows_)                                                \
    GBL_OPERAND_LINE("x", x, "incx", incx, access_, factor_, rows_)
#define GBL_OPERAND_LINE_Y(access_, factor_, rows_)                                                \
    GBL_OPERAND_LINE("y", y, "incy", incy, access_, factor_, rows_)
/* hemv and its like are told apart from symv. */
/* Of bands: how many diagonals there are beside the main one, on either side or on one. */
#define GBL_OPERAND_KL                                                                             \
    {                                                                                              \
        .name = "kl", .kind = GBL_WIDTH, .at = MATRIX_AT(kl)                                       \
    }
#define GBL_OPERAND_KU                                                                             \
    {                                                                                              \
        .name = "ku", .kind = GBL_WIDTH, .at = MATRIX_AT(ku)                                       \
    }
#define GBL_OPERAND_K                                                                              \
    {                                                                                              \
        .name = "k", .kind = GBL_WIDTH, .at = MATRIX_AT(ku), .step = MATRIX_AT(kl)                 \
    }
/* A packed triangle. */
#define GBL_OPERAND_AP(access_, factor_)                                                           \
    {                                                                                              \
        .name = "AP", .kind = GBL_NUMBERS, .access = access_, .at = MATRIX_AT(A),                  \
        .factor = factor_, .rows = gbl_matrix_packed                                               \
    }
#define GBL_OPERAND_CONJ                                                                           \
    {                                                                                              \
        .kind = GBL_SWITCH, .at = MATRIX_AT(conj), .key = GBL_KEY_CONJ, .complex = true            \
    }
/* How the op's matrices are stored. */
#define GBL_OPERAND_STORED(storage_)                                                               \
    {                                                                                              \
        .kind = GBL_CONSTANT, .at = MATRIX_AT(storage), .value = storage_                          \
    }

#define GBL_MODERATE                                                                               \
    ((int64_t)1 << 28) /* sizes and distances below it reach far less than 2^63 bytes */

/* What most calls are: on the host, of moderate size, with A, x and y (where the routine has one)
 * in memory; `rows` of A are stored. Flags are not looked at. Told by few comparisons; others go
 * through the checks one by one. */
static inline bool gbl_matrix_plain(const gable_context *ctx, const gbl_matrix_call *call,
                                    int64_t rows, bool has_y)
{
    return ctx->device->props.is_host && !ctx->guarded && call->m > 0 && call->n > 0 &&
           rows <= call->lda && call->lda < GBL_MODERATE && call->n < GBL_MODERATE &&
           call->A != NULL && call->x != NULL && call->incx != 0 && call->incx > -GBL_MODERATE &&
           call->incx < GBL_MODERATE && call->alpha.device != gbl_null_scalar &&
           call->beta.device != gbl_null_scalar &&
           (!has_y || (call->y != NULL && call->incy != 0 && call->incy > -GBL_MODERATE &&
                       call->incy < GBL_MODERATE));
}
/* The same of a band, and of a triangle's band. */
static inline bool gbl_band_plain(const gable_context *ctx, const gbl_matrix_call *call, bool whole,
                                  bool has_y)
{
    return call->m < GBL_MODERATE && call->kl >= 0 && call->kl < GBL_MODERATE && call->ku >= 0 &&
           call->ku < GBL_MODERATE &&
           gbl_matrix_plain(ctx, call, (whole ? call->kl : 0) + call->ku + 1, has_y);
}
static inline bool gbl_trans_legal(gable_trans trans)
{
    return trans == GABLE_NO_TRANS || trans == GABLE_TRANS || trans == GABLE_CONJ_TRANS;
}
static inline bool gbl_diag_legal(gable_diag diag)
{
    return diag == GABLE_NON_UNIT || diag == GABLE_UNIT;
}
static inline bool gbl_uplo_legal(gable_uplo uplo)
{
    return uplo == GABLE_UPPER || uplo == GABLE_LOWER;
}

/* The least that a product with a symmetric matrix must move and compute, of which a triangle is
 * stored. */
void gbl_symmetric_work(const void *call, gbl_work *least);

/* Walks of the cpu over the columns of a matrix, `forks` times, and of a triangle. */
gbl_host_walk gbl_host_columns(const gbl_matrix_call *call, double forks);
gbl_host_walk gbl_host_triangle(const gbl_matrix_call *call, double forks);
/* And where a matrix of so many elements is turned into C. */
gbl_host_walk gbl_host_turn(const gbl_matrix_call *call, double elements);

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
/* The same of products with symmetric matrices: libraries have those that are real or Hermitian
 * only. */
bool gbl_symmetric_fits_blas(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_symmetric_fits_vendor(const gbl_variant *self, const void *call, const gbl_device *device);
void gbl_matrix_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                     const gbl_device *device, gbl_cost *cost);

/* The variant of the vendor's library, and the three variants that most matrix routines end with.
 * OpenMP comes behind the BLAS, so it is taken: on two cores of a Neoverse V1 (2026-11, s and d,
 * 512 to 4096 rows) gemv, symv, syr, syr2 and triangles are 1.1 to 2.9 times as fast as OpenBLAS
 * 0.3.21; ger is as fast there. */
#define GBL_MATRIX_VENDOR_VARIANT(routine)                                                         \
    GBL_VARIANT("vendor", .vendor = true, .fits = gbl_matrix_fits_vendor,                          \
                .run = gbl_matrix_run_vendor, .cost = gbl_matrix_cost, .detail = routine)
#define GBL_MATRIX_BLAS_VARIANT(routine)                                                           \
    GBL_VARIANT("blas", .fits = gbl_matrix_fits_blas, .run = gbl_matrix_run_blas,                  \
                .cost = gbl_matrix_cost, .detail = routine)
#define GBL_MATRIX_OMP_VARIANT(routine)                                                            \
    GBL_VARIANT("omp", .fits = gbl_matrix_fits_omp, .run = gbl_matrix_run_omp,                     \
                .cost = gbl_matrix_cost, .detail = routine)
#define GBL_SYMMETRIC_VARIANTS(routine)                                                            \
    GBL_VARIANT("blas", .fits = gbl_symmetric_fits_blas, .run = gbl_matrix_run_blas,               \
                .cost = gbl_matrix_cost, .detail = routine),                                       \
        GBL_MATRIX_OMP_VARIANT(routine),                                                           \
        GBL_VARIANT("vendor", .vendor = true, .fits = gbl_symmetric_fits_vendor,                   \
                    .run = gbl_matrix_run_vendor, .cost = gbl_matrix_cost, .detail = routine)
#define GBL_MATRIX_VARIANTS(routine)                                                               \
    GBL_MATRIX_BLAS_VARIANT(routine), GBL_MATRIX_OMP_VARIANT(routine),                             \
        GBL_MATRIX_VENDOR_VARIANT(routine)

#endif
