/* norm.h: sums of squares that neither overflow nor underflow. Shared by the nrm2 kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Single precision (s, c): squares of floats lie between 2^-298 and 2^256, so a sum of up to 2^63
 * of them in double can do neither. One accumulator.
 *
 * Double precision (d, z): values are taken in small chunks. If the plain sum of squares of a chunk
 * lies between 2^-1000 and 2^960 it is added as it is: nothing overflowed, and squares lost to
 * underflow are below 2^-1074 each, less than rounding. Otherwise each value of the chunk goes to
 * one of three accumulators (Blue, ACM TOMS 4, 1978; constants as in Anderson, ACM TOMS 44, 2017):
 * values above 2^486 are scaled by 2^-538 before squaring, values below 2^-511 by 2^537, the others
 * are squared as they are. Scaling by powers of two is exact. A norm with big values ignores the
 * small ones: they are below rounding.
 */
#define SUM_R f64
#if PREC == 0 || PREC == 2
#define SUM_N 1
#else
#define SUM_N 3
#endif
#define SUM_MAIN 1
#include "reduce.h"

#define NORM_MEDIUM 0
#define NORM_BIG    1
#define NORM_SMALL  2

#define NORM_SAFE_FROM 0x1p-1000
#define NORM_SAFE_TO   0x1p960

#define NORM_BIG_FROM    0x1p486
#define NORM_BIG_SCALE   0x1p-538
#define NORM_SMALL_TO    0x1p-511
#define NORM_SMALL_SCALE 0x1p537

/* Small values add up to less than n 2^-1022: beside a larger medium sum they are below rounding.
 */
#define NORM_SMALL_MATTERS_TO 0x1p-900

/* One value, whatever its size. */
DEVICE sum_t norm_add(sum_t s, R value)
{
#if SUM_N == 1
    const f64 wide = value;
    s.v[0] = R_fma(wide, wide, s.v[0]);
#else
    const f64 size = value < 0 ? -value : value;
    if (size > NORM_BIG_FROM)
        s.v[NORM_BIG] = R_fma(size * NORM_BIG_SCALE, size * NORM_BIG_SCALE, s.v[NORM_BIG]);
    else if (size < NORM_SMALL_TO)
        s.v[NORM_SMALL] = R_fma(size * NORM_SMALL_SCALE, size * NORM_SMALL_SCALE, s.v[NORM_SMALL]);
    else /* NaN comes here */
        s.v[NORM_MEDIUM] = R_fma(size, size, s.v[NORM_MEDIUM]);
#endif
    return s;
}

/* One square root for all cases keeps the code small. NaN in medium must stay. */
DEVICE R norm_result(sum_t s)
{
#if SUM_N == 1
    return (R)sqrt(s.v[0]);
#else
    f64 sum = s.v[NORM_MEDIUM], scale = 1;
    if (s.v[NORM_BIG] > 0) { /* medium is at most n 2^972: scaled it fits */
        sum = s.v[NORM_BIG] + (sum * NORM_BIG_SCALE) * NORM_BIG_SCALE;
        scale = 1 / NORM_BIG_SCALE;
    } else if (s.v[NORM_SMALL] > 0 && !(sum > NORM_SMALL_MATTERS_TO)) {
        sum = s.v[NORM_SMALL] + (sum * NORM_SMALL_SCALE) * NORM_SMALL_SCALE;
        scale = 1 / NORM_SMALL_SCALE;
    }
    return sqrt(sum) * scale;
#endif
}
