/* mutants.h: small wrong kernels, which test_mutants.c makes and the checks must catch.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MUTANTS_H
#define MUTANTS_H

#include <stdint.h>

/* Routines, as bits: the first four are checked in two passes, the others in a plan of their
 * own. */
#define COPY            (UINT64_C(1) << 0)
#define AXPY            (UINT64_C(1) << 1)
#define DOT             (UINT64_C(1) << 2)
#define NRM2            (UINT64_C(1) << 3)
#define FOUR            (COPY | AXPY | DOT | NRM2)
#define SWAP            (UINT64_C(1) << 4)
#define SCAL            (UINT64_C(1) << 5)
#define FILL            (UINT64_C(1) << 6)
#define AXPBY           (UINT64_C(1) << 7)
#define WAXPBY          (UINT64_C(1) << 8)
#define ROT             (UINT64_C(1) << 9)
#define ROTM            (UINT64_C(1) << 10)
#define ASUM            (UINT64_C(1) << 11)
#define AMAX            (UINT64_C(1) << 12)
#define DSDOT           (UINT64_C(1) << 13)
#define MDOT            (UINT64_C(1) << 14)
#define MDOTC           (UINT64_C(1) << 15)
#define MAXPY           (UINT64_C(1) << 16)
#define RANDOM          (UINT64_C(1) << 17)
#define ROTG            (UINT64_C(1) << 18)
#define ROTMG           (UINT64_C(1) << 19)
#define GEMV_N          (UINT64_C(1) << 20)
#define GEMV_C          (UINT64_C(1) << 21)
#define GERC            (UINT64_C(1) << 22)
#define HER2            (UINT64_C(1) << 23)
#define SYMV            (UINT64_C(1) << 24)
#define HEMV            (UINT64_C(1) << 25)
#define STRIDED_N       (UINT64_C(1) << 26)
#define BATCHED_C       (UINT64_C(1) << 27)
#define BLOCKS_N        (UINT64_C(1) << 28)
#define TRMV_N          (UINT64_C(1) << 29)
#define TRMV_C          (UINT64_C(1) << 30)
#define TRSV_C          (UINT64_C(1) << 31)
#define TRANSPOSE_T     (UINT64_C(1) << 32)
#define TRANSPOSE_N     (UINT64_C(1) << 33)
#define IN_PLACE        (UINT64_C(1) << 34)
#define GEAM_T          (UINT64_C(1) << 35)
#define BANDS           (UINT64_C(1) << 36) /* gbmv, tbmv and hbmv */
#define GEMM            (UINT64_C(1) << 37)
#define GEMM_TRIANGULAR (UINT64_C(1) << 38) /* the same with triangular factors */
#define SYMM            (UINT64_C(1) << 39)
#define TRSM            (UINT64_C(1) << 40)
#define TILE            (UINT64_C(1) << 41) /* gemm by tiles */
#define TILE_TRIANGULAR (UINT64_C(1) << 42)
#define TRSM_STRIPS     (UINT64_C(1) << 43) /* trsm by strips */
#define RECIPROCAL      (UINT64_C(1) << 44)
#define HPR             (UINT64_C(1) << 45)
#define SYTRD           (UINT64_C(1) << 46) /* sytrd by phases */
#define GEHRD           (UINT64_C(1) << 47) /* gehrd by phases */
#define LANGE           (UINT64_C(1) << 48)
#define LANHE           (UINT64_C(1) << 49)
#define LANTR           (UINT64_C(1) << 50)
#define DIVIDE          (UINT64_C(1) << 51) /* divide and conquer, small leaves */
#define STERF           (UINT64_C(1) << 52) /* by bisection */
#define DIVIDE_SINGULAR (UINT64_C(1) << 53) /* the same of bidiagonal matrices */
#define STEIN           (UINT64_C(1) << 54) /* inverse iteration */
#define ALL             (~UINT64_C(0))

/* kernels/ with one text replaced in one file. */
typedef struct mutant {
    const char *name;
    uint64_t routines; /* that are checked; they use the file */
    const char *file, *old, *new;
} mutant;

/* The last of a list has no name. */
extern const mutant vector_mutants[], matrix_mutants[], product_mutants[], divide_mutants[];

#endif
