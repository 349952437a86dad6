/* laset.cl: A := beta on the diagonal, alpha elsewhere: the whole matrix or one triangle
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Geometry: any multiple of `strips` groups of ITEMS work-items. Macros: part.h. No barriers.
 */
#include "scalars.h"
#include "part.h"

DEVICE void set_columns(GLOBAL T *RESTRICT A, part_args a, T alpha, T beta, i64 i, i64 j)
{
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        if (part_has(a, i, j + c))
            A[i + (j + c) * a.lda] = i == j + c ? beta : alpha;
}

KERNEL(laset, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL T *RESTRICT A,
 part_args a)
{
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    PART_TILES(a, i, j)
    set_columns(A, a, alpha, beta, i + ITEM_X, j);
}
