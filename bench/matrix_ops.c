/* matrix_ops.c: the ops with a matrix that can be measured: one descriptor each.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What writes one vector for a matrix that it reads is compared with reading, what changes or makes a
 * matrix against a copy.
 */
#include "bench_ops.h"

#define S_D  (1u << GBL_S | 1u << GBL_D)
#define C_Z  (1u << GBL_C | 1u << GBL_Z)
#define ALL  (S_D | C_Z)
#define X_Y  (BENCH_X | BENCH_Y)
#define FLIP (BENCH_UPLO | BENCH_TRANS)

/* A matrix times x gives y. */
#define PRODUCT(name_, op_, formula_, dtypes_, conj_, matrix_)                                     \
    {                                                                                              \
        .name = name_, .op = &gbl_##op_##_op, .formula = formula_, .dtypes = dtypes_,              \
        .conj = conj_, .matrix = matrix_, .reads = BENCH_A | BENCH_X, .writes = BENCH_Y,           \
        .roof = BENCH_ROOF_READ, .run_matrix = gbl_##op_                                           \
    }
/* A matrix is changed by vectors. */
#define UPDATE(name_, op_, formula_, dtypes_, conj_, matrix_, vectors_)                            \
    .name = name_, .op = &gbl_##op_##_op, .formula = formula_, .dtypes = dtypes_, .conj = conj_,   \
    .matrix = matrix_, .reads = BENCH_A | (vectors_), .writes = BENCH_A, .roof = BENCH_ROOF_COPY,  \
    .run_matrix = gbl_##op_
/* x is changed by a triangle. */
#define TRIANGLE(name_, op_, formula_, matrix_)                                                    \
    {                                                                                              \
        .name = name_, .op = &gbl_##op_##_op, .formula = formula_, .dtypes = ALL,                  \
        .matrix = FLIP | (matrix_), .reads = BENCH_A | BENCH_X, .writes = BENCH_X,                 \
        .roof = BENCH_ROOF_READ, .run_matrix = gbl_##op_                                           \
    }

const bench_op bench_matrix_ops[] = {
    PRODUCT("gemv", gemv, BENCH_GEMV, ALL, false, BENCH_TRANS),
    PRODUCT("gemv_strided", gemv_batched, BENCH_GEMV, ALL, false, BENCH_TRANS | BENCH_BATCH),
    PRODUCT("gemv_batched", gemv_batched, BENCH_GEMV, ALL, false,
            BENCH_TRANS | BENCH_BATCH | BENCH_POINTERS),
    PRODUCT("symv", symv, BENCH_SYMV, ALL, false, BENCH_UPLO),
    PRODUCT("hemv", symv, BENCH_SYMV, C_Z, true, BENCH_UPLO),
    {UPDATE("ger", ger, BENCH_GER, ALL, false, 0, X_Y), .complex_name = "geru"},
    {UPDATE("geru", ger, BENCH_GER, C_Z, false, 0, X_Y), .unlisted = true},
    {UPDATE("gerc", ger, BENCH_GER, C_Z, true, 0, X_Y)},
    {UPDATE("syr", syr, BENCH_SYR, ALL, false, BENCH_UPLO, BENCH_X)},
    {UPDATE("her", syr, BENCH_SYR, C_Z, true, BENCH_UPLO, BENCH_X), .real_scalars = true},
    {UPDATE("syr2", syr2, BENCH_SYR2, ALL, false, BENCH_UPLO, X_Y)},
    {UPDATE("her2", syr2, BENCH_SYR2, C_Z, true, BENCH_UPLO, X_Y)},
    TRIANGLE("trmv", trmv, BENCH_TRMV, 0),
    TRIANGLE("trsv", trsv, BENCH_TRSV, 0),
    PRODUCT("gbmv", gbmv, BENCH_GEMV, ALL, false, BENCH_TRANS | BENCH_BAND),
    PRODUCT("sbmv", sbmv, BENCH_SYMV, ALL, false, BENCH_UPLO | BENCH_BAND),
    PRODUCT("hbmv", sbmv, BENCH_SYMV, C_Z, true, BENCH_UPLO | BENCH_BAND),
    PRODUCT("spmv", spmv, BENCH_SYMV, ALL, false, BENCH_UPLO | BENCH_PACKED),
    PRODUCT("hpmv", spmv, BENCH_SYMV, C_Z, true, BENCH_UPLO | BENCH_PACKED),
    TRIANGLE("tbmv", tbmv, BENCH_TRMV, BENCH_BAND),
    TRIANGLE("tbsv", tbsv, BENCH_TRSV, BENCH_BAND),
    TRIANGLE("tpmv", tpmv, BENCH_TRMV, BENCH_PACKED),
    TRIANGLE("tpsv", tpsv, BENCH_TRSV, BENCH_PACKED),
    {.name = "transpose",
     .op = &gbl_transpose_op,
     .formula = BENCH_TRANSPOSE,
     .dtypes = ALL,
     .matrix = BENCH_TRANS | BENCH_TURNS,
     .reads = BENCH_A,
     .writes = BENCH_C,
     .roof = BENCH_ROOF_COPY,
     .run_matrix = gbl_transpose},
    {.name = "geam",
     .op = &gbl_geam_op,
     .formula = BENCH_GEAM,
     .dtypes = ALL,
     .matrix = BENCH_TRANS,
     .reads = BENCH_A | BENCH_B,
     .writes = BENCH_C,
     .roof = BENCH_ROOF_COPY,
     .run_matrix = gbl_geam},
};
const size_t bench_matrix_op_count = sizeof bench_matrix_ops / sizeof bench_matrix_ops[0];
