/* wide_dot.h: the sums of dsdot and sdsdot, and what becomes of them. PREC is 0.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * WIDE_RESULT 1: result is a double, the sum. 0: result is a float, alpha plus the sum, rounded
 * once.
 */
#define SUM_R    f64
#define SUM_N    1
#define SUM_MAIN 1

DEVICE void wide_store(GLOBAL R *result, f64 sum, GLOBAL const R *alpha_at, reduce_args a)
{
#if WIDE_RESULT
    (void)alpha_at;
    (void)a;
    ((GLOBAL f64 *)result)[0] = sum;
#else
    const f64 alpha = a.alpha_on_device ? (f64)alpha_at[0] : a.alpha;
    result[0] = (R)(alpha + sum);
#endif
}
