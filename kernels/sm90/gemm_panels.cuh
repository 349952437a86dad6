/* gemm_panels.cuh: which operands of a stage are in panels, and who brings them there
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of gemm_pipeline.cuh. A kernel that defines TRANSPOSES 1 before wants all operands in
 * panels. Then producers that have nothing else to do transpose what TMA brings along the terms
 * (gemm_transpose.cuh), and elements are put into panels at once. Where a step may come either way,
 * or 16 bytes at a time (BATCH 2), nothing is transposed.
 */
#define ALL_ELEMENTS (!BY_TMA(LOAD_MODE_A) && !BY_TMA(LOAD_MODE_B) && !TRIANGULAR && !SIZES)
#ifndef TRANSPOSES
#define TRANSPOSES 0
#endif
#define TRANSPOSED  (TRANSPOSES && BATCH != 2 && (ALL_ELEMENTS || !SOME_ELEMENTS))
#define A_PANELS    (A_ALONG || TRANSPOSED)
#define B_PANELS    (B_ALONG || TRANSPOSED)
#define TRANSPOSING (TRANSPOSED && !ALL_ELEMENTS && (!A_ALONG || !B_ALONG))
#define TRANSPOSERS                                                                                \
    (STAGED_C ? 2 : 3) /* warps; the last one has another task (gemm_staged_c.cuh) */
/* TMA tiles of a step, and producers that work: one asks for one or two; where there are more, a
 * warp's lanes ask for one each. A warp whose lanes go their own ways costs 4 % (H200, dgemm at
 * 4096, 2026-11), and more where every instruction counts. */
#define TMA_LOADS                                                                                  \
    ((LOAD_MODE_A == 3 || !A_ALONG ? 1 : ROWS / TERMS) +                                           \
     (LOAD_MODE_B == 3 || !B_ALONG ? 1 : COLUMNS / TERMS))
#define WORKING (SOME_ELEMENTS ? PRODUCERS : TMA_LOADS > 2 && !TRANSPOSES ? 32 : 1)

/* Registers of a producer and of a computing work-item; 0: as launched. */
#if COMPUTERS == 256 && MIN_GROUPS == 1 && BATCH == 2 && PREC == 2 && SPLIT_K == 1
#define FEWER 88 /* all ways to copy an element */
#define MORE  208
#elif COMPUTERS == 256 && MIN_GROUPS == 1 && TRANSPOSES
#define FEWER (SOME_ELEMENTS ? 72 : 56)
#define MORE  (SOME_ELEMENTS ? 216 : 224)
#elif COMPUTERS == 256 && STAGED_C
#define FEWER 40
#define MORE  232
#elif COMPUTERS == 256 && MIN_GROUPS == 1 && !SOME_ELEMENTS && !TRIANGLE_C &&                      \
    (SPLIT_K * CLUSTER == 1 || BATCH)
#define FEWER 24
#define MORE  240
#elif COMPUTERS == 256 && MIN_GROUPS == 1 && SOME_ELEMENTS && CLUSTER > 1
#define FEWER 72
#define MORE  216
#elif COMPUTERS == 256 && MIN_GROUPS == 1 && PREC == 2 && !SOME_ELEMENTS && CLUSTER == 1
#define FEWER 24
#define MORE  240
#elif COMPUTERS == 256 && MIN_GROUPS == 1
#define FEWER 40
#define MORE  232
#elif COMPUTERS == 128 && MIN_GROUPS == 2 && TRANSPOSING
#define FEWER 56
#define MORE  200
#elif COMPUTERS == 128 && MIN_GROUPS == 2 && BATCH && PREC == 2
#define FEWER 40
#define MORE  216
#elif COMPUTERS == 128 && MIN_GROUPS == 2
#define FEWER 24 /* without elements: their producers need more */
#define MORE  232
#else
#define FEWER 0
#endif
