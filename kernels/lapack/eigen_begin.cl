/* eigen_begin.cl: the power of two that brings a symmetric matrix into the range where it is safe
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `most` is the largest real or imaginary part in the matrix. Safe is from the root of the least
 * normal number over 2 u to its reciprocal, as LAPACK's syevd has it. The factor is 1 within, and
 * for zeros; NaN where there is a NaN or an infinity, which so reaches all that is computed.
 * Geometry: one group, of which one work-item works. No barriers.
 */
#if !defined(ITEMS)
#error "eigen_begin needs ITEMS"
#endif
#include "eigen_args.h"

#if PREC == 0 || PREC == 2
#define SAFE_FROM 0x1p-51
#define SAFE_TO   0x1p51
#else
#define SAFE_FROM 0x1p-485
#define SAFE_TO   0x1p485
#endif

KERNEL(eigen_begin, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT most, GLOBAL R *RESTRICT numbers, eigen_begin_args a)
{
    BEGIN();
    if (ITEM_X == 0) {
        const f64 size = most[0];
        f64 factor = 1;
        (void)a;
        if (size > 0 && size - size == 0) { /* at most 590 steps; powers of two are exact */
            ROLLED
            while (size * factor < SAFE_FROM)
                factor *= 2;
            ROLLED
            while (size * factor > SAFE_TO)
                factor *= 0.5;
        } else if (!(size == 0)) {
            factor = size - size; /* NaN */
        }
        numbers[EIGEN_FROM] = (R)1;
        numbers[EIGEN_TO] = (R)factor;
        numbers[EIGEN_BACK] = (R)(1 / factor);
    }
}
