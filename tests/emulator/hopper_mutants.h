/* hopper_mutants.h: the lists of mutants that pipeline_mutants.cmake and getrf_kernels.cmake make.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef HOPPER_MUTANTS_H
#define HOPPER_MUTANTS_H

/* Mutant i of a list has the number i + 1. */
typedef struct hopper_mutant {
    const char *name; /* NULL ends the list */
    const char
        *caught; /* "result", or "race" where only the thread sanitizer sees it for certain */
} hopper_mutant;

extern const hopper_mutant
    pipeline_mutants[]; /* of gemm_dmma.cu and gemm_ffma.cu: test_pipeline_mutants.c */
extern const hopper_mutant tf32_mutants[]; /* of gemm_tf32.cu: test_gemm_tf32.c */
extern const hopper_mutant lu_mutants[];   /* of getrf_cluster.cu: test_getrf_cluster.c */
extern const hopper_mutant qr_mutants[];   /* of geqrf_cluster.cu: test_geqrf_cluster.c */

#endif
