/* gmres_step.h: what the kernels of GMRES share.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The basis V is made by classical Gram-Schmidt with a second projection that is delayed by one
 * step (Bielich, Langou, Thomas, Swirydowicz, Yamazaki, Boman: Low-synch Gram-Schmidt with delayed
 * reorthogonalization, 2022). At step k the columns below k are done. Column k is u, projected
 * once; column k + 1 is z = A M^-1 u.
 *     gmres_dots    s = V^H u, t = V^H z, u^H u, u^H z: V is read once
 *     gmres_column  beta^2 = u^H u - s^H s; the column before gets its last numbers; the next
 *                   column of H
 *     gmres_update  v = (u - V s) / beta, u := (z - V t - v (v^H z)) / beta: V is read once more
 * so that V is read twice per step where CGS2 reads it four times.
 */
#include "gmres_args.h"
#include "wide_complex.h"

DEVICE i32 gmres_stopped(GLOBAL const f64 *numbers)
{
    return numbers[STATE_OUTCOME] >= 0 || numbers[GMRES_END] != 0;
}

DEVICE W gmres_get(GLOBAL const f64 *numbers, i64 base, i64 i)
{
    return W_make(numbers[base + 2 * i], numbers[base + 2 * i + 1]);
}

DEVICE void gmres_set(GLOBAL f64 *numbers, i64 base, i64 i, W w)
{
    numbers[base + 2 * i] = w.re;
    numbers[base + 2 * i + 1] = w.im;
}
