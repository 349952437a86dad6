/* gemm_panels.cuh: which operands of a ring's stages are in panels, and who brings them there.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of gemm_ring.cuh. A kernel that says TURNS 1 before wants all operands in panels. What the copy engine brings
 * along the terms is turned then (gemm_turn.cuh) by producers that have nothing else to do, and elements are put there in
 * panels. Where a step may come either way, or 16 bytes at a time (BATCH 2), nothing is turned.
 */
#define ALL_ELEMENTS (!BOXED(HOW_A) && !BOXED(HOW_B) && !ZEROS && !SIZES)
#ifndef TURNS
#define TURNS 0
#endif
#define TURNED   (TURNS && BATCH != 2 && (ALL_ELEMENTS || !SOME_ELEMENTS))
#define A_PANELS (A_ALONG || TURNED)
#define B_PANELS (B_ALONG || TURNED)
#define TURNING  (TURNED && !ALL_ELEMENTS && (!A_ALONG || !B_ALONG))
#define TURNERS  (THROUGH ? 2 : 3) /* bundles; the last one has another task (gemm_through.cuh) */
/* Boxes of a step, and producers that work: one asks for one or two; where there are more, a bundle's lanes ask for one
 * each. A bundle whose lanes go their own ways costs 4 % (H200, dgemm at 4096, 2026-11), and more where every instruction
 * counts. */
#define BOX_COUNT                                                                                  \
    ((HOW_A == 3 || !A_ALONG ? 1 : ROWS / TERMS) + (HOW_B == 3 || !B_ALONG ? 1 : COLUMNS / TERMS))
#define WORKING (SOME_ELEMENTS ? PRODUCERS : BOX_COUNT > 2 && !TURNS ? 32 : 1)

/* Registers of a producer and of a computing work-item; 0: as launched. */
#if COMPUTERS == 256 && MIN_GROUPS == 1 && BATCH == 2 && PREC == 2 && LAYERS == 1
#define FEWER 88 /* all ways to copy an element */
#define MORE  208
#elif COMPUTERS == 256 && MIN_GROUPS == 1 && TURNS
#define FEWER (SOME_ELEMENTS ? 72 : 56)
#define MORE  (SOME_ELEMENTS ? 216 : 224)
#elif COMPUTERS == 256 && THROUGH
#define FEWER 40
#define MORE  232
#elif COMPUTERS == 256 && MIN_GROUPS == 1 && !SOME_ELEMENTS && !PART &&                            \
    (LAYERS * CLUSTER == 1 || BATCH)
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
#elif COMPUTERS == 128 && MIN_GROUPS == 2 && TURNING
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
