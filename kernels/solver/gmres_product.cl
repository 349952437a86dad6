/* gmres_product.cl: z = A M^-1 u, columns `step` and `step` + 1 of V; M is the identity or diagonal
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A product that does nothing once GMRES has its outcome. Geometry: fused_rows.h. No barriers.
 */
#include "gmres_step.h"
#include "fused_rows.h"
#include "gmres_product_args.h"

KERNEL(gmres_product, WX, 1, 1)
(GLOBAL const sparse_index *RESTRICT start, GLOBAL const sparse_index *RESTRICT column,
 GLOBAL const T *RESTRICT value, GLOBAL const sparse_index *RESTRICT order,
 GLOBAL const T *RESTRICT inverse, GLOBAL const f64 *RESTRICT numbers, GLOBAL T *V,
 gmres_product_args a)
{
    BEGIN();
    if (gmres_stopped(numbers))
        return;
    GLOBAL T *u = V + a.step * a.ld;
    const fused_rows f = fused_rows_of(start, column, value, order, inverse, u, u, a.product);
    const i64 last = fused_last(a.product), step = fused_step();
    ROLLED
    for (i64 base = fused_first(a.product); base < last; base += step) {
        const i64 place = fused_place(base);
        const T z = fused_row(f, place);
        if (fused_mine(a.product, place))
            u[a.ld + fused_row_at(f, place)] = z;
    }
}
