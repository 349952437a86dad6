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

#define MAP(stem, dtypes, macro)                                                                   \
    {                                                                                              \
        &gbl_##stem##_op, "stream", #stem ".cl", STREAM, dtypes, 2, macro, true, -1, false         \
    }
#define SUM(stem, pass, one_pass, dtypes, vectors, macro)                                          \
    {                                                                                              \
        &gbl_##stem##_op, pass, #stem ".cl", STREAM, dtypes, vectors, macro, false, one_pass,      \
            false                                                                                  \
    }

#define GEMV(variant, file)                                                                        \
    {                                                                                              \
        &gbl_gemv_op, variant, file, MATRIX, ALL, 0, NULL, false, -1, false                        \
    }

#define MATRICES(stem, variant, file)                                                              \
    {                                                                                              \
        &gbl_##stem##_op, variant, file, PLANE, ALL, 0, NULL, false, -1, false                     \
    }

/* No op's, and no tunables: the copy is for form's sake. */
#define MEASURE(file, dtypes)                                                                      \
    {                                                                                              \
        &gbl_copy_op, "stream", file, ROOF, dtypes, 0, NULL, false, -1, false                      \
    }

#define RANK(stem)                                                                                 \
    {                                                                                              \
        &gbl_##stem##_op, "tile", #stem ".cl", UPDATE, ALL, 0, NULL, false, -1, false              \
    }

#define BATCH(variant, file)                                                                       \
    {                                                                                              \
        &gbl_gemv_batched_op, variant, file, BATCHED, ALL, 0, NULL, false, -1, false               \
    }

#define TRIANGULAR(stem, variant, file)                                                            \
    {                                                                                              \
        &gbl_##stem##_op, variant, file, TRIANGLE, ALL, 0, NULL, false, -1, false                  \
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
    {&gbl_dot_op, "two_pass", "dot_finish.cl", GROUP, ALL, 0, NULL, false, -1, false},
    SUM(dsdot, "one_pass", 1, SINGLE, 2, "WIDE_RESULT"),
    SUM(dsdot, "two_pass", 0, SINGLE, 2, "WIDE_RESULT"),
    {&gbl_dsdot_op, "two_pass", "dsdot_finish.cl", GROUP, SINGLE, 0, "WIDE_RESULT", false, -1,
     false},
    SUM(nrm2, "one_pass", 1, ALL, 1, NULL),
    SUM(nrm2, "two_pass", 0, ALL, 1, NULL),
    {&gbl_nrm2_op, "two_pass", "nrm2_finish.cl", GROUP, ALL, 0, NULL, false, -1, false},
    SUM(asum, "one_pass", 1, ALL, 1, NULL),
    SUM(asum, "two_pass", 0, ALL, 1, NULL),
    {&gbl_asum_op, "two_pass", "asum_finish.cl", GROUP, ALL, 0, NULL, false, -1, false},
    SUM(amax, "one_pass", 1, ALL, 1, NULL),
    SUM(amax, "two_pass", 0, ALL, 1, NULL),
    {&gbl_amax_op, "two_pass", "amax_finish.cl", GROUP, ALL, 0, NULL, false, -1, false},
    {&gbl_mdot_op, "one_pass", "mdot.cl", STREAM, ALL, 2, "CONJ", false, 1, true},
    {&gbl_mdot_op, "two_pass", "mdot.cl", STREAM, ALL, 2, "CONJ", false, 0, true},
    {&gbl_mdot_op, "two_pass", "mdot_finish.cl", GROUP, ALL, 0, NULL, false, -1, true},
    {&gbl_maxpy_op, "stream", "maxpy.cl", STREAM, ALL, 2, "ON_DEVICE", false, -1, true},
    {&gbl_random_op, "counter", "random.cl", GROUP, ALL, 0, NULL, false, -1, false},
    {&gbl_rotg_op, "one_item", "rotg.cl", ONE_ITEM, ALL, 0, NULL, false, -1, false},
    {&gbl_rotmg_op, "one_item", "rotmg.cl", ONE_ITEM, REAL, 0, NULL, false, -1, false},
    {&gbl_gemv_op, "blocks_n", "gemv_blocks_n.cl", BLOCKS, ALL, 0, NULL, false, -1, false},
    {&gbl_gemv_op, "blocks_t", "gemv_blocks_t.cl", BLOCKS, ALL, 0, NULL, false, -1, false},
    GEMV("split_n", "gemv_n.cl"),
    GEMV("tall_n", "gemv_n.cl"),
    GEMV("wide_n", "gemv_n.cl"),
    GEMV("split_t", "gemv_t.cl"),
    GEMV("tall_t", "gemv_t.cl"),
    GEMV("wide_t", "gemv_t.cl"),
    {&gbl_symv_op, "two_pass", "symv.cl", MIRRORED, ALL, 0, NULL, false, -1, false},
    {&gbl_symv_op, "two_pass", "symv_finish.cl", MIRRORED, ALL, 0, NULL, false, -1, false},
    {&gbl_symv_op, "twice", "symv_twice.cl", TWICE, ALL, 0, NULL, false, -1, false},
    BATCH("one_n", "gemv_batched_n.cl"),
    BATCH("one_t", "gemv_batched_t.cl"),
    BATCH("many_n", "gemv_batched_n.cl"),
    BATCH("many_t", "gemv_batched_t.cl"),
    RANK(ger),
    RANK(syr),
    RANK(syr2),
    TRIANGULAR(trmv, "blocks_n", "trmv_n.cl"),
    TRIANGULAR(trmv, "blocks_t", "trmv_t.cl"),
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
    {&gbl_copy_op, "stream", "read.cl", STREAM, 1u << GBL_D, 1, NULL, false, -1, false},
    MEASURE("sweep.cl", 1u << GBL_D),
    MEASURE("muladd.cl", REAL),
    MEASURE("arrive.cl", 1u << GBL_D),
    MEASURE("chase.cl", 1u << GBL_D),
    MEASURE("exchange.cl", SINGLE),
    MEASURE("dmma.cu", 1u << GBL_D),
};

#endif
