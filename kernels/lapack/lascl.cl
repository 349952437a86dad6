/* lascl.cl: A := (to / from) A, the whole matrix or one triangle, without overflow on the way
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * alpha is `from` and beta is `to`, both real. The quotient may be out of range where its products
 * with elements are not: then elements are multiplied by the least normal number, or its
 * reciprocal, until the rest of the quotient is in range. Geometry: any multiple of `strips` groups
 * of ITEMS work-items. Macros: part.h. No barriers.
 */
#include "scalars.h"
#include "part.h"

#if PREC == 0 || PREC == 2
#define LEAST ((R)1.17549435e-38f)
#else
#define LEAST ((R)2.2250738585072014e-308)
#endif

DEVICE R magnitude(R a)
{
    return a < 0 ? -a : a;
}

/* The next factor; *from = 0 says that it is the last. */
DEVICE R next_factor(R *from, R *to)
{
    const R f = *from, t = *to, smaller = f * LEAST, larger = t / (1 / LEAST);
    if (smaller != f && larger != t && t != 0 && magnitude(smaller) > magnitude(t)) {
        *from = smaller;
        return LEAST;
    }
    if (smaller != f && larger != t && magnitude(larger) > magnitude(f)) {
        *to = larger;
        return 1 / LEAST;
    }
    *from = 0;
    return smaller != f && larger == t ? t : t / f;
}

DEVICE void scale_columns(GLOBAL T *RESTRICT A, part_args a, R factor, i64 i, i64 j)
{
    T held[COLUMNS];
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++) {
        held[c] = T_make(0, 0);
        if (part_has(a, i, j + c))
            held[c] = A[i + (j + c) * a.lda];
    }
    UNROLLED
    for (i32 c = 0; c < COLUMNS; c++)
        if (part_has(a, i, j + c))
            A[i + (j + c) * a.lda] = T_scale(factor, held[c]);
}

KERNEL(lascl, ITEMS, 1, 1)
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL T *RESTRICT A,
 part_args a)
{
    BEGIN();
    R from = a.scalars.alpha_on_device ? alpha_at[0] : (R)a.scalars.alpha_re;
    R to = a.scalars.beta_on_device ? beta_at[0] : (R)a.scalars.beta_re;
    i32 more = 1;
    ROLLED
    while (more) {
        const R factor = next_factor(&from, &to);
        more = from != 0;
        PART_TILES(a, i, j)
        scale_columns(A, a, factor, i + ITEM_X, j);
    }
}
