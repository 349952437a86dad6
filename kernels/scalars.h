/* scalars.h: alpha and beta, by value or from the device's memory, and what they do to a sum.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "scalars_args.h"

/* A scalar of `reals` numbers: 1 where it is real beside complex elements. */
DEVICE T scalar_of(GLOBAL const R *at, i64 on_device, f64 re, f64 im, i32 reals)
{
    if (!on_device)
        return T_make(re, im);
    return T_make(at[0], reals > 1 ? at[1] : 0);
}

DEVICE T alpha_of(GLOBAL const R *at, scalars_args a)
{
    return a.alpha_on_device ? T_make(at[0], at[T_REALS - 1]) : T_make(a.alpha_re, a.alpha_im);
}

DEVICE T beta_of(GLOBAL const R *at, scalars_args a)
{
    return a.beta_on_device ? T_make(at[0], at[T_REALS - 1]) : T_make(a.beta_re, a.beta_im);
}

/* alpha sum + beta old; beta = 0: old may be anything */
DEVICE T scaled_sum(T alpha, T sum, T beta, T old)
{
    return T_is_zero(beta) ? T_mul(alpha, sum) : T_fma(alpha, sum, T_mul(beta, old));
}

/* *y := alpha sum + beta *y; beta = 0: *y is not read */
DEVICE void scaled_store(GLOBAL T *y, T alpha, T sum, T beta)
{
    *y = T_is_zero(beta) ? T_mul(alpha, sum) : T_fma(alpha, sum, T_mul(beta, *y));
}
