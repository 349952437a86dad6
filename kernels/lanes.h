/* lanes.h: elements handed between lanes that run together, and sums over them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where lanes do not run together (WARP_SIZE is 1) there is nothing here: sums go through local
 * memory.
 */
#if WARP_SIZE > 1
/* That of the lane whose number differs in the bits of `mask`. */
DEVICE T T_shuffle_xor(T a, i32 mask)
{
    const R re = SHUFFLE_XOR(T_real(a, 0), mask);
    return T_make(re, T_REALS > 1 ? SHUFFLE_XOR(T_real(a, 1), mask) : 0);
}

/* That of one lane. */
DEVICE T T_shuffle(T a, i32 lane)
{
    const R re = SHUFFLE(T_real(a, 0), lane);
    return T_make(re, T_REALS > 1 ? SHUFFLE(T_real(a, 1), lane) : 0);
}

/* Adds `count` sums over the lanes whose numbers differ in the bits from `near` to `far`; all of
 * them get the totals. The three are constants. */
DEVICE void lanes_add(T *sums, const i32 count, const i32 far, const i32 near)
{
    UNROLLED
    for (i32 distance = far; distance >= near; distance /= 2) {
        UNROLLED
        for (i32 k = 0; k < count; k++)
            sums[k] = T_add(sums[k], T_shuffle_xor(sums[k], distance));
    }
}
#endif
