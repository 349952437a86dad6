/* rotmg.cl: the modified rotation that makes (sqrt(d1) x1, sqrt(d2) y1) into (r, 0)
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * From and to device memory; param is what rotm takes. d1 and d2 are kept between 2^-24 and 2^24 by
 * moving powers of 4096 into H. Real precisions only. Geometry: one work-item. No barriers.
 */
#include "rotmg_args.h"

#define ROTMG_STEP      4096
#define ROTMG_TOO_LARGE ((R)16777216)
#define ROTMG_TOO_SMALL ((R)0x1p-24)
#define ROTMG_MOST_STEPS                                                                           \
    100 /* more than the range of double needs; an infinite d never gets there */

typedef struct rotmg_state {
    R d1, d2, x1;
    R flag, h11, h21, h12, h22;
} rotmg_state;

DEVICE rotmg_state rotmg_zero(void)
{
    rotmg_state s;
    s.d1 = s.d2 = s.x1 = 0;
    s.flag = -1;
    s.h11 = s.h21 = s.h12 = s.h22 = 0;
    return s;
}

/* Scaling needs all of H: writes out the elements that the flag implies. */
DEVICE rotmg_state rotmg_whole(rotmg_state s)
{
    if (s.flag == 0)
        s.h11 = s.h22 = 1;
    if (s.flag == 1) {
        s.h21 = -1;
        s.h12 = 1;
    }
    s.flag = -1;
    return s;
}

DEVICE i32 rotmg_out_of_range(R d)
{
    const R size = d < 0 ? -d : d;
    return d != 0 && (size <= ROTMG_TOO_SMALL || size >= ROTMG_TOO_LARGE);
}

DEVICE rotmg_state rotmg_scaled(rotmg_state s)
{
    for (i32 step = 0; rotmg_out_of_range(s.d1) && step < ROTMG_MOST_STEPS; step++) {
        const R up = s.d1 <= ROTMG_TOO_SMALL ? ROTMG_STEP : (R)1 / ROTMG_STEP;
        s = rotmg_whole(s);
        s.d1 = s.d1 * up * up;
        s.x1 /= up;
        s.h11 /= up;
        s.h12 /= up;
    }
    for (i32 step = 0; rotmg_out_of_range(s.d2) && step < ROTMG_MOST_STEPS; step++) {
        const R size = s.d2 < 0 ? -s.d2 : s.d2;
        const R up = size <= ROTMG_TOO_SMALL ? ROTMG_STEP : (R)1 / ROTMG_STEP;
        s = rotmg_whole(s);
        s.d2 = s.d2 * up * up;
        s.h21 /= up;
        s.h22 /= up;
    }
    return s;
}

/* y1 d2 is not 0, d1 is not negative. */
DEVICE rotmg_state rotmg_made(R d1, R d2, R x1, R y1)
{
    const R p2 = d2 * y1, p1 = d1 * x1, q2 = p2 * y1, q1 = p1 * x1;
    rotmg_state s = rotmg_zero();
    if ((q1 < 0 ? -q1 : q1) > (q2 < 0 ? -q2 : q2)) {
        s.h21 = -y1 / x1;
        s.h12 = p2 / p1;
        const R u = 1 - s.h12 * s.h21;
        if (!(u > 0)) /* only by rounding, or for a d2 below 0 */
            return rotmg_zero();
        s.flag = 0;
        s.d1 = d1 / u;
        s.d2 = d2 / u;
        s.x1 = x1 * u;
    } else if (q2 < 0) {
        return s;
    } else {
        s.h11 = p1 / p2;
        s.h22 = x1 / y1;
        const R u = 1 + s.h11 * s.h22;
        s.flag = 1;
        s.d1 = d2 / u;
        s.d2 = d1 / u;
        s.x1 = y1 * u;
    }
    return rotmg_scaled(s);
}

KERNEL(rotmg, 1, 1, 1)
(GLOBAL R *RESTRICT d1_at, GLOBAL R *RESTRICT d2_at, GLOBAL R *RESTRICT x1_at,
 GLOBAL const R *RESTRICT y1_at, GLOBAL R *RESTRICT param, rotmg_args a)
{
    BEGIN();
    const R d1 = d1_at[0], d2 = d2_at[0], x1 = x1_at[0];
    const R y1 = a.y1_on_device ? y1_at[0] : (R)a.y1;
    if (d1 >= 0 && d2 * y1 == 0) {
        param[0] = -2;
        return;
    }
    const rotmg_state s = d1 < 0 ? rotmg_zero() : rotmg_made(d1, d2, x1, y1);
    d1_at[0] = s.d1;
    d2_at[0] = s.d2;
    x1_at[0] = s.x1;
    param[0] = s.flag;
    if (s.flag != 0) {
        param[1] = s.h11;
        param[4] = s.h22;
    }
    if (s.flag != 1) {
        param[2] = s.h21;
        param[3] = s.h12;
    }
}
