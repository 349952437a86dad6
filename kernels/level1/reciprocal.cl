/* reciprocal.cl: y_i := 1 / x_i
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Complex numbers go Smith's way (prec.h), which overflows only beside the largest numbers: those
 * are a quarter of themselves meanwhile. An infinite part makes 0, also beside a NaN; 0 makes Inf +
 * NaN i, as in C. Geometry, tunables and macros: map.h.
 */
#define MAP_READS  1
#define MAP_WRITES 2
#include "map.h"

#if T_REALS > 1
#if PREC == 2
#define LARGE   0x1p126f
#define LARGEST 0x1.fffffep127f
#else
#define LARGE   0x1p1022
#define LARGEST 0x1.fffffffffffffp1023
#endif

DEVICE T reciprocal(T a)
{
    const R re = a.re < 0 ? -a.re : a.re, im = a.im < 0 ? -a.im : a.im;
    const R factor = re >= (R)LARGE || im >= (R)LARGE ? (R)0.25 : (R)1;
    if (re > (R)LARGEST || im > (R)LARGEST)
        return T_make(0, 0);
    if (T_is_zero(a))
        return T_make(1 / a.re, 0 / re);
    return T_scale(factor, T_reciprocal(T_scale(factor, a)));
}
#else
DEVICE T reciprocal(T a)
{
    return T_reciprocal(a);
}
#endif

DEVICE void map_element(map_scalars s, T *x, T *y, T *w)
{
    (void)s;
    (void)w;
    *y = reciprocal(*x);
}

KERNEL(reciprocal, WX, 1, 1)
#include "map_kernel.h"
