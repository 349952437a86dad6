/* tile.h: vectors of VEC elements, as one load or as single elements.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * TV is what a lane has of a column. Its elements stand below each other, on an address that ALIGN
 * bytes divide, and are one load; or, where columns do not start alike, they are `apart`: as far as
 * there are lanes along the rows, so that loads of neighbours still make whole cache lines. At an
 * edge only some of them exist. Macros: VEC, ALIGN; X_ALIGN, where x is loaded in vectors too: the
 * same for XV, 0: its elements are apart.
 */
#if !defined(VEC) || !defined(ALIGN)
#error "vectors need VEC and ALIGN"
#endif

typedef struct ALIGNED(ALIGN) TV {
    T v[VEC];
} TV;

DEVICE TV TV_zero(void)
{
    TV t;
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        t.v[k] = T_make(0, 0);
    return t;
}

/* Vector i of those from `at` on. */
DEVICE TV TV_load(GLOBAL const T *at, i64 i)
{
    return ((GLOBAL const TV *)at)[i];
}

/* Elements first, first + apart ... from `at` on. */
DEVICE TV TV_load_spread(GLOBAL const T *at, i32 first, const i32 apart)
{
    TV t;
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        t.v[k] = at[first + k * apart];
    return t;
}

/* Element k is that of row + k * apart; those of rows outside of [from, end) are 0. */
DEVICE TV TV_load_some(GLOBAL const T *at, const i32 apart, i64 row, i64 from, i64 end)
{
    TV t;
    UNROLLED
    for (i32 k = 0; k < VEC; k++) {
        const i64 r = row + k * apart;
        t.v[k] = r >= from && r < end ? at[k * apart] : T_make(0, 0);
    }
    return t;
}

#ifdef X_ALIGN
#if X_ALIGN > 0
typedef struct ALIGNED(X_ALIGN) XV {
#else
typedef struct XV {
#endif
    T v[VEC];
} XV;

/* Elements first, first + 1 ... of x, whose elements are inc apart. */
DEVICE XV XV_load_spread(GLOBAL const T *x, i64 first, i64 inc)
{
    XV t;
    UNROLLED
    for (i32 k = 0; k < VEC; k++)
        t.v[k] = x[(first + k) * inc];
    return t;
}
#endif
