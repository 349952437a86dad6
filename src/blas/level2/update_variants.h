/* update_variants.h: what ger, syr, syr2, spr and spr2 share: plan, run and cost of their kernels,
 * and their variants.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They differ in whether A is a matrix, one triangle or a packed one, and in one or two products
 * that are added. The calls of syr and spr have no y; here they are given x.
 */
#ifndef GBL_UPDATE_VARIANTS_H
#define GBL_UPDATE_VARIANTS_H

#include "blas/level2/level2.h"
#include "core/kernel.h"

/* The `detail` of the variants: what the variants of level 2 read, and what the kernel's variant
 * does. */
typedef struct gbl_rank_update {
    gbl_matrix_routine routine;     /* first: variants of level 2 see only this */
    const char *file;               /* the kernel's */
    bool triangle;                  /* only one triangle of A is read and written */
    int terms;                      /* products that are added: 1 or 2 */
    bool complex_blas_is_hermitian; /* of complex matrices the BLAS has the Hermitian form only, */
    bool vendor_is_hermitian;       /* and the vendor's library, too */
} gbl_rank_update;

#define GBL_RANK_PARAMS 5
extern const gbl_param gbl_rank_space[GBL_RANK_PARAMS];

bool gbl_rank_fits(const gbl_variant *self, const void *call, const gbl_device *device);
GBL_DECLARE_KERNEL_VARIANT(gbl_rank)
bool gbl_rank_fits_blas(const gbl_variant *self, const void *call, const gbl_device *device);
bool gbl_rank_fits_vendor(const gbl_variant *self, const void *call, const gbl_device *device);

/* alpha is 0, and the host knows: nothing is to do. */
bool gbl_rank_nothing(const void *call);

/* The work of ger; of syr and spr; of syr2 and spr2. */
void gbl_rank_work_whole(const void *call, gbl_work *least);
void gbl_rank_work_one(const void *call, gbl_work *least);
void gbl_rank_work_two(const void *call, gbl_work *least);
/* How the cpu walks over a triangle that is not packed. */
gbl_host_walk gbl_rank_walk(const gbl_matrix_call *call);
/* Plain calls on a triangle: with x; with x and y. */
bool gbl_rank_plain_x(const gable_context *ctx, const void *call);
bool gbl_rank_plain_xy(const gable_context *ctx, const void *call);

/* alpha where her and hpr have a real one. */
#define GBL_OPERAND_MAYBE_REAL_ALPHA                                                               \
    {                                                                                              \
        .name = "alpha", .kind = GBL_SCALAR, .access = GBL_READ, .at = MATRIX_AT(alpha),           \
        .element = gbl_matrix_scalar_element                                                       \
    }
/* The arguments in front of A: of syr and spr; of syr2 and spr2. */
#define GBL_RANK_ONE_OPERANDS                                                                      \
    GBL_OPERAND_UPLO, GBL_OPERAND_ORDER, GBL_OPERAND_MAYBE_REAL_ALPHA,                             \
        GBL_OPERAND_LINE_X(GBL_READ, 0, gbl_matrix_n)
#define GBL_RANK_TWO_OPERANDS                                                                      \
    GBL_OPERAND_UPLO, GBL_OPERAND_ORDER, GBL_OPERAND_FACTOR("alpha", alpha),                       \
        GBL_OPERAND_LINE_X(GBL_READ, 0, gbl_matrix_n),                                             \
        GBL_OPERAND_LINE_Y(GBL_READ, 0, gbl_matrix_n)

/* The variants of these routines: the kernels', those of the cpu in their order, the vendor's. The
 * last that fits is taken. */
#define GBL_RANK_TILE_VARIANT(update, kernel)                                                      \
    GBL_VARIANT("tile", .fits = gbl_rank_fits, .run = gbl_rank_run, .cost = gbl_rank_cost,         \
                .space = gbl_rank_space, .space_count = GBL_RANK_PARAMS, .legal = gbl_rank_legal,  \
                .detail = update, .kernels = kernel, .specs = gbl_rank_specs)
#define GBL_RANK_BLAS_VARIANT(update)                                                              \
    GBL_VARIANT("blas", .fits = gbl_rank_fits_blas, .run = gbl_matrix_run_blas,                    \
                .cost = gbl_matrix_cost, .detail = update)
#define GBL_RANK_VENDOR_VARIANT(update)                                                            \
    GBL_VARIANT("vendor", .vendor = true, .fits = gbl_rank_fits_vendor,                            \
                .run = gbl_matrix_run_vendor, .cost = gbl_matrix_cost, .detail = update)

/* Of a whole matrix the installed BLAS is as fast as OpenMP. Of triangles OpenMP is faster: on two
 * cores of a Neoverse V1, 2026-11, s and d, n = 512 to 4096, 1.1 to 1.8 (syr) and 1.2 to 2.3 times
 * (syr2) as fast as OpenBLAS 0.3.21. */
#define GBL_RANK_VARIANTS(update, kernel)                                                          \
    GBL_RANK_TILE_VARIANT(update, kernel), GBL_MATRIX_OMP_VARIANT(update),                         \
        GBL_RANK_BLAS_VARIANT(update), GBL_RANK_VENDOR_VARIANT(update)
#define GBL_RANK_TRIANGLE_VARIANTS(update, kernel)                                                 \
    GBL_RANK_TILE_VARIANT(update, kernel), GBL_RANK_BLAS_VARIANT(update),                          \
        GBL_MATRIX_OMP_VARIANT(update), GBL_RANK_VENDOR_VARIANT(update)

#endif
