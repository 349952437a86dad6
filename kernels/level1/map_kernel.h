/* map_kernel.h: what follows KERNEL(...) in the files of maps: the arguments and the body.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The file has included map.h and defined map_element.
 */
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL T *RESTRICT x,
 GLOBAL T *RESTRICT y, GLOBAL T *RESTRICT w, map_args a)
{
    BEGIN();
    const map_scalars s = map_scalars_of(alpha_at, beta_at, a);
    if (!(MAP_SKIP(s)))
        map_walk(s, x, y, w, a.range);
}
