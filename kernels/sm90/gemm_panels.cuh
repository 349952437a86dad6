/* gemm_panels.cuh: which operands of a ring's stages are in panels, and who brings them there.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of gemm_ring.cuh. A kernel that says TURNS 1 before wants all operands in panels. What the copy engine brings
 * along the terms is turned then (gemm_turn.cuh) by producers that have nothing else to do, and elements are put there in
 * panels. Where a step may come either way nothing is turned.
 */
#define ALL_ELEMENTS (!BOXED(HOW_A) && !BOXED(HOW_B) && !ZEROS && !SIZES)
#ifndef TURNS
#define TURNS 0
#endif
#define TURNED   (TURNS && (ALL_ELEMENTS || !SOME_ELEMENTS))
#define A_PANELS (A_ALONG || TURNED)
#define B_PANELS (B_ALONG || TURNED)
#define TURNING  (TURNED && !ALL_ELEMENTS && (!A_ALONG || !B_ALONG))
#define TURNERS  3 /* bundles */
/* Producers that walk through the loop; where every instruction counts, none that only looks on. */
#define WALKERS (SOME_ELEMENTS ? PRODUCERS : TURNS ? 1 : 32)
