/* level3.h: the routines on two or three matrices: their call, their ops and what their variants
 * share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * gbl_<stem> checks (only when it is the outermost call), returns quickly where nothing is to do
 * and runs the op. Routines made of products call gbl_gemm with `triangle_c` and `triangular` set
 * (device/product_args.h).
 */
#ifndef GBL_LEVEL3_H
#define GBL_LEVEL3_H

#include "blas/level2/level2.h"
#include "device/product_args.h"

typedef gbl_product_args gbl_product_call;

/* gemm, which also looks at the math mode, and those that only check and run their op. */
#define GBL_PRODUCT_STEMS(ROUTINE) ROUTINE(gemm) GBL_PRODUCT_RUN_STEMS(ROUTINE)
#define GBL_PRODUCT_RUN_STEMS(ROUTINE)                                                             \
    ROUTINE(gemmt)                                                                                 \
    ROUTINE(syrk)                                                                                  \
    ROUTINE(syr2k)                                                                                 \
    ROUTINE(symm) ROUTINE(trmm) ROUTINE(trsm) ROUTINE(gemm_batched) ROUTINE(trsm_batched)

/* gbl_gemm and so on. */
#define GBL_PRODUCT_DECLARE(stem)                                                                  \
    gable_status gbl_##stem(gable_context *ctx, const char *routine, const gbl_product_call *call);
GBL_PRODUCT_STEMS(GBL_PRODUCT_DECLARE)
#define GBL_PRODUCT_DECLARE_OP(stem) extern const gbl_op gbl_##stem##_op;
GBL_PRODUCT_RUN_STEMS(GBL_PRODUCT_DECLARE_OP)
extern gbl_op gbl_gemm_op; /* gbl_op_extend may add to it */

/* What the shared variants need to know of a routine: the `detail` of its variants. */
typedef struct gbl_product_routine {
    const char *stem;
    void (*work)(const void *call, gbl_work *least);
    gbl_task_function omp[4], blas[4]; /* one per precision */
    bool one_scalar;                   /* there is no beta */
    bool vendor_lists;                 /* vendors take many matrices as arrays of addresses alone */
    bool vendor_reads_diagonal;        /* of a Hermitian C, imaginary parts as well */
} gbl_product_routine;

/* ---- Operands of descriptions ---- */

#define PRODUCT_AT(member) offsetof(gbl_product_call, member)
extern const gbl_call_layout gbl_product_layout;
/* What the ops of products have alike. */
#define GBL_PRODUCT_OP(stem_, operands_, variants_)                                                \
    .stem = stem_, .layout = &gbl_product_layout, GBL_OPERANDS(operands_), GBL_VARIANTS(variants_)

int64_t gbl_product_m(const void *call);
int64_t gbl_product_n(const void *call);
int64_t gbl_product_k(const void *call);
int64_t
gbl_product_order(const void *call); /* of the matrix on one side: m, or n where it is right */
/* Rows and columns of A as stored: op(A) is m by k; of B: op(B) is k by n. */
int64_t gbl_product_a_rows(const void *call);
int64_t gbl_product_a_columns(const void *call);
int64_t gbl_product_b_rows(const void *call);
int64_t gbl_product_b_columns(const void *call);
size_t gbl_product_alpha_element(const void *call); /* bytes of alpha, and of beta */
size_t gbl_product_beta_element(const void *call);
gbl_shape gbl_product_triangle(const void *call);      /* the one that uplo names, */
gbl_shape gbl_product_triangle_unit(const void *call); /* without its diagonal where diag says so */

#define GBL_PRODUCT_FLAG(name_, kind_, at_)                                                        \
    {                                                                                              \
        .name = name_, .kind = kind_, .at = PRODUCT_AT(at_)                                        \
    }
#define GBL_PRODUCT_TRANS_A GBL_PRODUCT_FLAG("transa", GBL_TRANS, trans)
#define GBL_PRODUCT_TRANS_B GBL_PRODUCT_FLAG("transb", GBL_TRANS, trans_b)
#define GBL_PRODUCT_TRANS   GBL_PRODUCT_FLAG("trans", GBL_TRANS, trans)
#define GBL_PRODUCT_UPLO    GBL_PRODUCT_FLAG("uplo", GBL_UPLO, uplo)
#define GBL_PRODUCT_DIAG    GBL_PRODUCT_FLAG("diag", GBL_DIAG, diag)
#define GBL_PRODUCT_SIDE    GBL_PRODUCT_FLAG("side", GBL_SIDE, side)
#define GBL_PRODUCT_ROWS    GBL_PRODUCT_FLAG("m", GBL_SIZE, m)
#define GBL_PRODUCT_COLUMNS GBL_PRODUCT_FLAG("n", GBL_SIZE, n)
#define GBL_PRODUCT_TERMS   GBL_PRODUCT_FLAG("k", GBL_WIDTH, k) /* k = 0: C is scaled by beta */
/* herk and its like are told apart from syrk. */
#define GBL_PRODUCT_CONJ                                                                           \
    {                                                                                              \
        .kind = GBL_SWITCH, .at = PRODUCT_AT(conj), .key = GBL_KEY_CONJ, .complex = true           \
    }
#define GBL_PRODUCT_BATCH GBL_PRODUCT_FLAG("batch", GBL_BATCH, batch)
#define GBL_PRODUCT_ORDER                                                                          \
    {                                                                                              \
        .name = "n", .kind = GBL_ORDER, .at = PRODUCT_AT(n), .step = PRODUCT_AT(m)                 \
    }
#define GBL_PRODUCT_FACTOR(name_, at_)                                                             \
    {                                                                                              \
        .name = #at_, .kind = GBL_SCALAR, .access = GBL_READ, .at = PRODUCT_AT(at_),               \
        .element = gbl_product_##at_##_element                                                     \
    }
#define GBL_PRODUCT_ALPHA GBL_PRODUCT_FACTOR("alpha", alpha)
#define GBL_PRODUCT_BETA  GBL_PRODUCT_FACTOR("beta", beta)
/* A matrix and its leading dimension. `factor_`: the offset of the scalar where it is not read if
 * that is 0, or 0. */
#define GBL_PRODUCT_MATRIX(name_, ld_name, ld_, access_, factor_, rows_, columns_, shape_, least_) \
    {.name = #name_,                                                                               \
     .kind = GBL_MATRIX,                                                                           \
     .access = access_,                                                                            \
     .at = PRODUCT_AT(name_),                                                                      \
     .step = PRODUCT_AT(ld_),                                                                      \
     .factor = factor_,                                                                            \
     .rows = rows_,                                                                                \
     .columns = columns_,                                                                          \
     .shape = shape_},                                                                             \
    {                                                                                              \
        .name = ld_name, .kind = GBL_LD, .at = PRODUCT_AT(ld_), .least = least_                    \
    }
/* The first arguments of gemm, alone and in batches. */
#define GBL_GEMM_FIRST_OPERANDS                                                                    \
    GBL_PRODUCT_TRANS_A, GBL_PRODUCT_TRANS_B, GBL_PRODUCT_ROWS, GBL_PRODUCT_COLUMNS,               \
        GBL_PRODUCT_TERMS, GBL_PRODUCT_ALPHA
/* The factors A and B as they are stored, and the triangle of C. */
#define GBL_PRODUCT_A                                                                              \
    GBL_PRODUCT_MATRIX(A, "lda", lda, GBL_READ, PRODUCT_AT(alpha), gbl_product_a_rows,             \
                       gbl_product_a_columns, NULL, "rows of A")
#define GBL_PRODUCT_B                                                                              \
    GBL_PRODUCT_MATRIX(B, "ldb", ldb, GBL_READ, PRODUCT_AT(alpha), gbl_product_b_rows,             \
                       gbl_product_b_columns, NULL, "rows of B")
#define GBL_PRODUCT_C                                                                              \
    GBL_PRODUCT_MATRIX(C, "ldc", ldc, GBL_READ_WRITE, 0, gbl_product_m, gbl_product_n, NULL, "m")
#define GBL_PRODUCT_TRIANGLE_C                                                                     \
    GBL_PRODUCT_MATRIX(C, "ldc", ldc, GBL_READ_WRITE, 0, gbl_product_n, gbl_product_n,             \
                       gbl_product_triangle, "n")

/* The same, of many batch entries: a stride apart, or at the addresses of an array. */
#define GBL_PRODUCT_ENTRIES(name_, ld_name, ld_, stride_name, stride_, access_, factor_, rows_,    \
                            columns_, shape_, least_)                                              \
    {.name = #name_,                                                                               \
     .kind = GBL_MATRIX,                                                                           \
     .access = access_,                                                                            \
     .at = PRODUCT_AT(name_),                                                                      \
     .step = PRODUCT_AT(ld_),                                                                      \
     .apart = PRODUCT_AT(stride_),                                                                 \
     .factor = factor_,                                                                            \
     .listed = PRODUCT_AT(pointers),                                                               \
     .rows = rows_,                                                                                \
     .columns = columns_,                                                                          \
     .shape = shape_},                                                                             \
        {.name = ld_name, .kind = GBL_LD, .at = PRODUCT_AT(ld_), .least = least_},                 \
    {                                                                                              \
        .name = stride_name, .kind = GBL_APART, .at = PRODUCT_AT(stride_),                         \
        .absent = PRODUCT_AT(pointers)                                                             \
    }
#define GBL_PRODUCT_POINTERS                                                                       \
    {                                                                                              \
        .kind = GBL_SWITCH, .at = PRODUCT_AT(pointers), .key = GBL_KEY_POINTERS                    \
    }

/* ---- level3.c: what the variants share ---- */

/* The multiply-adds of a product as flops: 2 of reals, 8 of complex numbers. */
double gbl_product_flops(gbl_dtype dtype);
/* The elements of C that a call computes. */
double gbl_product_outputs(const gbl_product_call *call);
/* Work of gemm, also with `triangle_c` and `triangular`. */
void gbl_gemm_work(const void *call, gbl_work *least);
/* alpha = 0 or no terms, and beta = 1: nothing changes. */
bool gbl_product_idle(const void *call);
/* alpha = 0 and beta = 1: nothing changes whatever k is. */
bool gbl_product_unchanged(const void *call);

bool gbl_product_fits_omp(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_product_run_omp(gable_context *ctx, const gbl_variant *self, const void *call,
                                 const gbl_params *params);
/* The same code where it is faster than the installed BLAS. */
bool gbl_product_fits_first(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_product_fits_blas(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_product_run_blas(gable_context *ctx, const gbl_variant *self, const void *call,
                                  const gbl_params *params);
bool gbl_product_fits_vendor(const gbl_variant *self, const void *call, const gbl_device *device);
gable_status gbl_product_run_vendor(gable_context *ctx, const gbl_variant *self, const void *call,
                                    const gbl_params *params);
/* How fast the installed BLAS is beside own code. */
void gbl_product_tell_omp(const gbl_variant *self, const void *call, const gbl_params *params,
                          const gbl_device *device, char *text, size_t text_bytes);
void gbl_product_tell_blas(const gbl_variant *self, const void *call, const gbl_params *params,
                           const gbl_device *device, char *text, size_t text_bytes);
void gbl_product_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                      const gbl_device *device, gbl_cost *cost);

#define GBL_PRODUCT_OMP_VARIANT(routine)                                                           \
    GBL_VARIANT("omp", .fits = gbl_product_fits_omp, .run = gbl_product_run_omp,                   \
                .cost = gbl_product_cost, .detail = routine)
/* The variants that products end with: C with OpenMP, the installed BLAS, which is taken where
 * there is one, C with OpenMP again for calls that it is faster for, and the vendor's library. */
#define GBL_PRODUCT_VARIANTS(routine)                                                              \
    GBL_PRODUCT_OMP_VARIANT(routine),                                                              \
        GBL_VARIANT("blas", .fits = gbl_product_fits_blas, .run = gbl_product_run_blas,            \
                    .cost = gbl_product_cost, .detail = routine, .tell = gbl_product_tell_blas),   \
        GBL_VARIANT("omp_first", .fits = gbl_product_fits_first, .run = gbl_product_run_omp,       \
                    .cost = gbl_product_cost, .detail = routine, .tell = gbl_product_tell_omp),    \
        GBL_VARIANT("vendor", .vendor = true, .fits = gbl_product_fits_vendor,                     \
                    .run = gbl_product_run_vendor, .cost = gbl_product_cost, .detail = routine)

#endif
