/* dialect_wgmma.h: the words of kernels/sm90/wgmma.cuh for plain C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * fake_wgmma.c runs them. Products are made when their warpgroup waits for them, not before: who
 * writes to their operands earlier, or frees the lines, gets wrong sums. Operands lose their last
 * 13 bits, sums are truncated after each 8 terms.
 */
#ifndef DIALECT_WGMMA_H
#define DIALECT_WGMMA_H

#include <string.h>
#include "dialect_hopper.h"

/* Asks for D := A B [+ D], 64 x columns, by the 128 lanes of a warpgroup together. */
void wgmma_ask(i32 columns, float *d, const u32 *a, u64 lines, i32 add);
void PRODUCTS_BEGIN(void);
void PRODUCTS_END(void);
void PRODUCTS_WAIT(void);

#define MULTIPLY_64X64X8(d, a, lines, add)  wgmma_ask(64, d, a, lines, add)
#define MULTIPLY_64X128X8(d, a, lines, add) wgmma_ask(128, d, a, lines, add)
#define MULTIPLY_64X192X8(d, a, lines, add) wgmma_ask(192, d, a, lines, add)
#define KEEP_SUM(d)                         (void)(d)
#define KEEP_WORD(a)                        (void)(a)

#define LINES_AT(at)    lines_word(at)
#define WHOLE_PLACE(at) (((at) + 1023u) & ~1023u)

DEVICE u32 AS_WORD(float x)
{
    u32 word;
    memcpy(&word, &x, sizeof word);
    return word;
}
DEVICE float AS_FLOAT(u32 word)
{
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}
DEVICE void LOAD_1S(float *v, PLACE at)
{
    *v = *(const float *)hopper_at(at, 4, 4);
}
DEVICE void LOAD_2S(float *v, PLACE at)
{
    const float *from = hopper_at(at, 8, 8);
    v[0] = from[0];
    v[1] = from[1];
}

#endif
