/* cooperative.h: a word for kernels whose groups meet within a launch.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Such launches are CUDA's alone. It stands apart from dialect.h, so that other kernels keep their
 * texts, by which measurements know them.
 */
#ifndef GABLE_COOPERATIVE_WORDS
#define GABLE_COOPERATIVE_WORDS

#ifndef GABLE_DIALECT
/* TICKET without a ticket. */
DEVICE void ARRIVE(i32 *p)
{
    asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(p) : "memory");
}
#endif

#endif
