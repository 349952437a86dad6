/* kernel_uses.h: every kernel file, and how it is launched: the table of test_nvrtc.c.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_KERNEL_USES_H
#define TEST_KERNEL_USES_H

#include "blas/columns.h"
#include "blas/gemv_batched_plan.h"
#include "blas/level2.h"

#define SINGLE (1u << GBL_S)
#define REAL   (1u << GBL_S | 1u << GBL_D)
#define ALL    (REAL | 1u << GBL_C | 1u << GBL_Z)

/* What the macros of a kernel say. */
enum kind {
    STREAM,   /* those of stream.h */
    GROUP,    /* only the group size, as finishing kernels */
    ONE_ITEM, /* nothing: one work-item */
    MATRIX,   /* those of gemv.h */
    TRIANGLE, /* those of trmv and trsv, as they plan them */
    BAND,     /* those of products with bands, as they plan them */
    MIRRORED, /* those of symv.cl, or of symv_finish.cl */
    TWICE,    /* those of symv_twice.cl, as it plans them */
    BATCHED,  /* those of gemv_batched.h */
    BLOCKS,   /* those of gemv_blocks.h */
    UPDATE,   /* those of rank_update.h */
    PLANE,    /* those that plane_specs.h knows */
    ROOF,     /* those that roof_specs.h knows */
};

/* How a kernel file is launched. */
typedef struct kernel_use {
    const gbl_op *op; /* whose tunables it takes, */
    const char *variant;
    const char *file;
    enum kind kind;
    unsigned dtypes;   /* bits */
    int vectors;       /* of STREAM */
    const char *macro; /* one that is 0 or 1, or NULL */
    bool only_complex; /* it is 1 in complex precisions only, and left out where it would be 0 */
    int one_pass;      /* that macro's value, or -1: it has none */
    bool batch;        /* has the macro BATCH */
} kernel_use;

#define MAP(stem, dtypes_, macro_)                                                                 \
    {                                                                                              \
        .op = &gbl_##stem##_op, .variant = "stream", .file = #stem ".cl", .kind = STREAM,          \
        .dtypes = dtypes_, .vectors = 2, .macro = macro_, .only_complex = true, .one_pass = -1     \
    }
#define SUM(stem, pass, one_pass_, dtypes_, vectors_, macro_)                                      \
    {                                                                                              \
        .op = &gbl_##stem##_op, .variant = pass, .file = #stem ".cl", .kind = STREAM,              \
        .dtypes = dtypes_, .vectors = vectors_, .macro = macro_, .one_pass = one_pass_             \
    }

#define GEMV(variant_, file_)                                                                      \
    {                                                                                              \
        .op = &gbl_gemv_op, .variant = variant_, .file = file_, .kind = MATRIX, .dtypes = ALL,     \
        .one_pass = -1                                                                             \
    }

#define MATRICES(stem, variant_, file_)                                                            \
    {                                                                                              \
        .op = &gbl_##stem##_op, .variant = variant_, .file = file_, .kind = PLANE, .dtypes = ALL,  \
        .one_pass = -1                                                                             \
    }

/* No op's, and no tunables: the copy is for form's sake. */
#define MEASURE(file_, dtypes_)                                                                    \
    {                                                                                              \
        .op = &gbl_copy_op, .variant = "stream", .file = file_, .kind = ROOF, .dtypes = dtypes_,   \
        .one_pass = -1                                                                             \
    }

#define RANK(stem)                                                                                 \
    {                                                                                              \
        .op = &gbl_##stem##_op, .variant = "tile", .file = #stem ".cl", .kind = UPDATE,            \
        .dtypes = ALL, .one_pass = -1                                                              \
    }

#define BATCH(variant_, file_)                                                                     \
    {                                                                                              \
        .op = &gbl_gemv_batched_op, .variant = variant_, .file = file_, .kind = BATCHED,           \
        .dtypes = ALL, .one_pass = -1                                                              \
    }

#define TRIANGULAR(stem, variant_, file_)                                                          \
    {                                                                                              \
        .op = &gbl_##stem##_op, .variant = variant_, .file = file_, .kind = TRIANGLE,              \
        .dtypes = ALL, .one_pass = -1                                                              \
    }

#define BANDED(stem, variant_, file_)                                                              \
    {                                                                                              \
        .op = &gbl_##stem##_op, .variant = variant_, .file = file_, .kind = BAND, .dtypes = ALL,   \
        .one_pass = -1                                                                             \
    }

static const kernel_use uses[] = {
    MAP(copy, ALL, NULL),
    MAP(swap, ALL, NULL),
    MAP(scal, ALL, "REAL_SCALARS"),
    MAP(fill, ALL, NULL),
    MAP(axpy, ALL, NULL),
    MAP(axpby, ALL, NULL),
    MAP(waxpby, ALL, NULL),
    MAP(rot, ALL, "REAL_SCALARS"),
    MAP(rotm, REAL, NULL),
    SUM(dot, "one_pass", 1, ALL, 2, "CONJ"),
    SUM(dot, "two_pass", 0, ALL, 2, "CONJ"),
    {.op = &gbl_dot_op,
     .variant = "two_pass",
     .file = "dot_finish.cl",
     .kind = GROUP,
     .dtypes = ALL,
     .one_pass = -1},
    SUM(dsdot, "one_pass", 1, SINGLE, 2, "WIDE_RESULT"),
    SUM(dsdot, "two_pass", 0, SINGLE, 2, "WIDE_RESULT"),
    {.op = &gbl_dsdot_op,
     .variant = "two_pass",
     .file = "dsdot_finish.cl",
     .kind = GROUP,
     .dtypes = SINGLE,
     .macro = "WIDE_RESULT",
     .one_pass = -1},
    SUM(nrm2, "one_pass", 1, ALL, 1, NULL),
    SUM(nrm2, "two_pass", 0, ALL, 1, NULL),
    {.op = &gbl_nrm2_op,
     .variant = "two_pass",
     .file = "nrm2_finish.cl",
     .kind = GROUP,
     .dtypes = ALL,
     .one_pass = -1},
    SUM(asum, "one_pass", 1, ALL, 1, NULL),
    SUM(asum, "two_pass", 0, ALL, 1, NULL),
    {.op = &gbl_asum_op,
     .variant = "two_pass",
     .file = "asum_finish.cl",
     .kind = GROUP,
     .dtypes = ALL,
     .one_pass = -1},
    SUM(amax, "one_pass", 1, ALL, 1, NULL),
    SUM(amax, "two_pass", 0, ALL, 1, NULL),
    {.op = &gbl_amax_op,
     .variant = "two_pass",
     .file = "amax_finish.cl",
     .kind = GROUP,
     .dtypes = ALL,
     .one_pass = -1},
    {.op = &gbl_mdot_op,
     .variant = "one_pass",
     .file = "mdot.cl",
     .kind = STREAM,
     .dtypes = ALL,
     .vectors = 2,
     .macro = "CONJ",
     .one_pass = 1,
     .batch = true},
    {.op = &gbl_mdot_op,
     .variant = "two_pass",
     .file = "mdot.cl",
     .kind = STREAM,
     .dtypes = ALL,
     .vectors = 2,
     .macro = "CONJ",
     .one_pass = 0,
     .batch = true},
    {.op = &gbl_mdot_op,
     .variant = "two_pass",
     .file = "mdot_finish.cl",
     .kind = GROUP,
     .dtypes = ALL,
     .one_pass = -1,
     .batch = true},
    {.op = &gbl_maxpy_op,
     .variant = "stream",
     .file = "maxpy.cl",
     .kind = STREAM,
     .dtypes = ALL,
     .vectors = 2,
     .macro = "ON_DEVICE",
     .one_pass = -1,
     .batch = true},
    {.op = &gbl_random_op,
     .variant = "counter",
     .file = "random.cl",
     .kind = GROUP,
     .dtypes = ALL,
     .one_pass = -1},
    {.op = &gbl_rotg_op,
     .variant = "one_item",
     .file = "rotg.cl",
     .kind = ONE_ITEM,
     .dtypes = ALL,
     .one_pass = -1},
    {.op = &gbl_rotmg_op,
     .variant = "one_item",
     .file = "rotmg.cl",
     .kind = ONE_ITEM,
     .dtypes = REAL,
     .one_pass = -1},
    {.op = &gbl_gemv_op,
     .variant = "blocks_n",
     .file = "gemv_blocks_n.cl",
     .kind = BLOCKS,
     .dtypes = ALL,
     .one_pass = -1},
    {.op = &gbl_gemv_op,
     .variant = "blocks_t",
     .file = "gemv_blocks_t.cl",
     .kind = BLOCKS,
     .dtypes = ALL,
     .one_pass = -1},
    GEMV("split_n", "gemv_n.cl"),
    GEMV("tall_n", "gemv_n.cl"),
    GEMV("wide_n", "gemv_n.cl"),
    GEMV("split_t", "gemv_t.cl"),
    GEMV("tall_t", "gemv_t.cl"),
    GEMV("wide_t", "gemv_t.cl"),
    {.op = &gbl_symv_op,
     .variant = "two_pass",
     .file = "symv.cl",
     .kind = MIRRORED,
     .dtypes = ALL,
     .one_pass = -1},
    {.op = &gbl_symv_op,
     .variant = "two_pass",
     .file = "symv_finish.cl",
     .kind = MIRRORED,
     .dtypes = ALL,
     .one_pass = -1},
    {.op = &gbl_symv_op,
     .variant = "twice",
     .file = "symv_twice.cl",
     .kind = TWICE,
     .dtypes = ALL,
     .one_pass = -1},
    BATCH("one_n", "gemv_batched_n.cl"),
    BATCH("one_t", "gemv_batched_t.cl"),
    BATCH("many_n", "gemv_batched_n.cl"),
    BATCH("many_t", "gemv_batched_t.cl"),
    RANK(ger),
    RANK(syr),
    RANK(syr2),
    TRIANGULAR(trmv, "blocks_n", "trmv_n.cl"),
    TRIANGULAR(trmv, "blocks_t", "trmv_t.cl"),
    BANDED(gbmv, "tile", "band_tile.cl"),
    BANDED(tbmv, "tile", "band_tile.cl"),
    BANDED(sbmv, "tile", "band_tile.cl"),
    BANDED(tbmv, "tile", "band_save.cl"),
    BANDED(gbmv, "walk", "band_walk.cl"),
    BANDED(sbmv, "walk", "band_walk.cl"),
    BANDED(gbmv, "wide_n", "band_n.cl"),
    BANDED(tbmv, "wide_n", "band_n.cl"),
    BANDED(gbmv, "wide_t", "band_t.cl"),
    BANDED(tbmv, "wide_t", "band_t.cl"),
    BANDED(sbmv, "once", "sbmv.cl"),
    BANDED(sbmv, "once", "sbmv_finish.cl"),
    TRIANGULAR(trsv, "steps", "trsv_block.cl"),
    TRIANGULAR(trsv, "progress_n", "trsv.cl"),
    TRIANGULAR(trsv, "progress_t", "trsv.cl"),
    MATRICES(transpose, "naive", "transpose_naive.cl"),
    MATRICES(transpose, "padded", "transpose_local.cl"),
    MATRICES(transpose, "tiles", "transpose_t.cl"),
    MATRICES(transpose, "in_place", "transpose_in_place.cl"),
    MATRICES(transpose, "stream", "transpose_n.cl"),
    MATRICES(geam, "tiles", "geam_t.cl"),
    MATRICES(geam, "stream", "geam_n.cl"),
    {.op = &gbl_copy_op,
     .variant = "stream",
     .file = "read.cl",
     .kind = STREAM,
     .dtypes = 1u << GBL_D,
     .vectors = 1,
     .one_pass = -1},
    MEASURE("sweep.cl", 1u << GBL_D),
    MEASURE("muladd.cl", REAL),
    MEASURE("arrive.cl", 1u << GBL_D),
    MEASURE("chase.cl", 1u << GBL_D),
    MEASURE("exchange.cl", SINGLE),
    MEASURE("dmma.cu", 1u << GBL_D),
};

#endif
