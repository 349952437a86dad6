/* norm_size.h: the modulus of an element, and the largest of several. Shared by the norms.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * NaN is larger than any number, so that it stays.
 */
#if T_REALS > 1 && BY_PARTS
DEVICE R norm_size(T value)
{
    const R re = value.re < 0 ? -value.re : value.re, im = value.im < 0 ? -value.im : value.im;
    return im > re || im != im ? im : re;
}
#elif T_REALS > 1
/* Squares between NORM_LOW and NORM_HIGH lost nothing that counts. Beyond them elements are scaled
 * by a power of two. */
#if PREC == 2
#define NORM_LOW  ((R)0x1p-100)
#define NORM_HIGH ((R)0x1p120)
#define NORM_UP   ((R)0x1p100)
#define NORM_DOWN ((R)0x1p-70)
#else
#define NORM_LOW  0x1p-960
#define NORM_HIGH 0x1p1000
#define NORM_UP   0x1p600
#define NORM_DOWN 0x1p-600
#endif

DEVICE R norm_size(T value)
{
    const R square = R_fma(value.re, value.re, value.im * value.im);
    if (square > NORM_LOW && square < NORM_HIGH)
        return (R)sqrt(square);
    const R scale = square <= NORM_LOW ? NORM_UP : NORM_DOWN;
    const R re = value.re * scale, im = value.im * scale;
    return (R)sqrt(R_fma(re, re, im * im)) / scale;
}
#else
DEVICE R norm_size(T value)
{
    return value < 0 ? -value : value;
}
#endif

DEVICE R norm_larger(R a, R b)
{
    return b > a || b != b ? b : a;
}

/* The largest of the group, valid in work-item 0. All work-items must come. */
DEVICE R norm_group_most(R mine, LOCAL_PTR R *scratch)
{
    scratch[ITEM_X] = mine;
    for (i32 apart = WX / 2; apart > 0; apart /= 2) {
        BARRIER();
        if (ITEM_X < apart)
            scratch[ITEM_X] = norm_larger(scratch[ITEM_X], scratch[ITEM_X + apart]);
    }
    return scratch[ITEM_X];
}
