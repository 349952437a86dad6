/* symv_read_twice.cl: y := alpha A x + beta y, A symmetric or Hermitian, each group with whole
 * elements of y SPDX-License-Identifier: BSD-3-Clause
 *
 * A group has a strip of ROWS elements of y and reads all that they need: their rows of the stored
 * triangle up to the diagonal and, for the rest, their columns from the diagonal on. So every
 * element is read by two groups, once from memory and once from the cache, and nothing is handed
 * over between groups. All strips are as long as the matrix, so all groups have the same work. It
 * is for matrices that are small beside the cache, whose time is that of launches and hand-overs.
 *
 *     strip \  |\            lower triangle: the strip's rows end at the diagonal, its columns go
 *                            on below it
 *            - |--\          a chunk is CHUNK columns of the rows, or CHUNK rows of the columns:
 *                            LOADS loads of VEC
 *              |  |#\        elements per lane, all of them in flight, either way
 *
 * A team of TEAM lanes takes a chunk at a time; the TEAMS of a group take them in turn. Of the
 * strip's rows a lane has VEC, of its columns LOADS. Chunks at the diagonal or at an edge are
 * looked at element by element, those at the diagonal both ways; the others one way and as they
 * are.
 *
 * Geometry: a group of ITEMS work-items for each strip. Macros, all powers of two: ITEMS; TEAM
 * lanes; ROWS, at most TEAM; VEC rows per load and LOADS, both at most ROWS; ALIGN, the bytes each
 * load may count on; UPPER and HERMITIAN 0 or 1. Barriers: outside of all loops and tests.
 * Hand-overs between groups: none.
 */
#include "lanes.h"
#include "scalars.h"
#include "symv_args.h"
#include "tile.h"

#if !defined(ITEMS) || !defined(TEAM) || !defined(VEC) || !defined(ROWS) || !defined(LOADS) ||     \
    !defined(ALIGN) || !defined(UPPER) || !defined(HERMITIAN)
#error "symv_read_twice needs ITEMS, TEAM, VEC, ROWS, LOADS, ALIGN, UPPER and HERMITIAN"
#endif
#define TEAMS  (ITEMS / TEAM)
#define LANE   (ITEM_X % TEAM)
#define CHUNK  (TEAM * VEC * LOADS / ROWS)
#define ALONG  (ROWS / VEC)   /* lanes along the rows of the strip, */
#define ACROSS (TEAM / ALONG) /* and along the chunk's columns */
#define DOWN                                                                                       \
    (TEAM * LOADS /                                                                                \
     ROWS) /* lanes along the chunk's rows; the others have other columns of the strip */

/* What a lane works with. */
typedef struct twice_data {
    GLOBAL const T *A;
    GLOBAL const T *x;
    i64 lda, incx;
    i32 n;
    i32 strip; /* the first row */
} twice_data;

/* What a lane has summed of its rows and of its columns. */
typedef struct twice_sums {
    T rows[VEC], columns[LOADS];
} twice_sums;

/* Element i of x, or 0 where there is none. */
DEVICE T twice_x(twice_data d, i32 i, i32 some)
{
    T x = T_make(0, 0);
    if (!some || i < d.n)
        x = d.x[i * d.incx];
    return x;
}

/* The lane's rows of a column, from `first` on. Where only some of them are stored a vector is
 * loaded or not; what it brings from beside the triangle is not used. */
DEVICE TV twice_load(twice_data d, i32 column, i32 first, i32 some)
{
    GLOBAL const T *at = d.A + column * d.lda;
    const i32 last = first + VEC - 1, whole = column < d.n && last < d.n;
    TV t = TV_zero();
    if (!some || (whole && (UPPER ? first <= column : last >= column)))
        t = TV_load(at + first, 0);
    if (!some || whole)
        return t;
    UNROLLED
    for (i32 v = 0; v < VEC; v++) {
        const i32 row = first + v;
        if (column < d.n && row < d.n && (UPPER ? row <= column : row >= column))
            t.v[v] = at[row];
    }
    return t;
}

/* The rows of the strip times x, in the columns of a chunk; with the diagonal, whose elements of
 * Hermitian matrices are real. */
DEVICE twice_sums twice_rows(twice_sums sums, twice_data d, i32 chunk, i32 some)
{
    const i32 first = d.strip + LANE % ALONG * VEC, beside = chunk + LANE / ALONG;
    TV t[LOADS];
    T x[LOADS];
    UNROLLED
    for (i32 u = 0; u < LOADS; u++) {
        t[u] = twice_load(d, beside + u * ACROSS, first, some);
        x[u] = twice_x(d, beside + u * ACROSS, some);
    }
    UNROLLED
    for (i32 u = 0; u < LOADS; u++) {
        const i32 column = beside + u * ACROSS;
        UNROLLED
        for (i32 v = 0; v < VEC; v++) {
            const i32 row = first + v;
            const i32 has = !some || (UPPER ? row <= column : row >= column);
            const i32 real = some && HERMITIAN && row == column;
            const T a = real ? T_make(T_real(t[u].v[v], 0), 0) : t[u].v[v];
            const T sum = T_fma(a, x[u], sums.rows[v]);
            sums.rows[v] = has ? sum : sums.rows[v];
        }
    }
    return sums;
}

/* The columns of the strip, as the rows that they stand for, times x, in the rows of a chunk;
 * without the diagonal. */
DEVICE twice_sums twice_columns(twice_sums sums, twice_data d, i32 chunk, i32 some)
{
    const i32 first = chunk + LANE % DOWN * VEC, mine = d.strip + LANE / DOWN * LOADS;
    TV t[LOADS];
    T x[VEC];
    UNROLLED
    for (i32 u = 0; u < LOADS; u++)
        t[u] = twice_load(d, mine + u, first, some);
    UNROLLED
    for (i32 v = 0; v < VEC; v++)
        x[v] = twice_x(d, first + v, some);
    UNROLLED
    for (i32 u = 0; u < LOADS; u++) {
        UNROLLED
        for (i32 v = 0; v < VEC; v++) {
            const i32 row = first + v, column = mine + u;
            const i32 has = !some || (UPPER ? row < column : row > column);
            const T a = HERMITIAN ? T_conj(t[u].v[v]) : t[u].v[v];
            const T sum = T_fma(a, x[v], sums.columns[u]);
            sums.columns[u] = has ? sum : sums.columns[u];
        }
    }
    return sums;
}

DEVICE twice_sums twice_chunk(twice_sums sums, twice_data d, i32 chunk)
{
    const i32 before = chunk + CHUNK <= d.strip, behind = chunk >= d.strip + ROWS;
    const i32 inside = chunk + CHUNK <= d.n && d.strip + ROWS <= d.n;
    if (inside && (UPPER ? behind : before))
        return twice_rows(sums, d, chunk, 0);
    if (inside && (UPPER ? before : behind))
        return twice_columns(sums, d, chunk, 0);
    if (UPPER ? !before : !behind)
        sums = twice_rows(sums, d, chunk, 1);
    if (UPPER ? !behind : !before)
        sums = twice_columns(sums, d, chunk, 1);
    return sums;
}

/* ---- the sums of a group ---- */

#if WARP_SIZE > 1 && TEAM == WARP_SIZE
#define PARTS   (2 * TEAMS)
#define SCRATCH (PARTS * ROWS)

/* Leaves PARTS sums of each element in local memory: a team's of rows, and of columns. Columns: at
 * each step a lane hands half of its sums to its partner and takes the partner's share of the
 * others, until one is left; that one is added over the lanes that have it. */
DEVICE void twice_put(twice_sums sums, LOCAL_PTR T *scratch)
{
    LOCAL_PTR T *of_rows = scratch + ITEM_X / TEAM * (2 * ROWS), *of_columns = of_rows + ROWS;
    i32 distance = DOWN / 2;
    lanes_add(sums.rows, VEC, TEAM / 2, ALONG);
    UNROLLED
    for (i32 half = LOADS / 2; half > 0; half /= 2) {
        const i32 upper = (LANE & distance) != 0;
        UNROLLED
        for (i32 c = 0; c < LOADS / 2; c++) {
            if (c < half) {
                const T kept = upper ? sums.columns[c + half] : sums.columns[c];
                const T given = upper ? sums.columns[c] : sums.columns[c + half];
                sums.columns[c] = T_add(kept, T_shuffle_xor(given, distance));
            }
        }
        distance /= 2;
    }
    lanes_add(sums.columns, 1, distance, 1);
    if (LANE < ALONG) {
        UNROLLED
        for (i32 v = 0; v < VEC; v++)
            of_rows[LANE * VEC + v] = sums.rows[v];
    }
    if (LANE % (TEAM / ROWS) == 0) /* DOWN / LOADS lanes have the same one */
        of_columns[LANE / (TEAM / ROWS)] = sums.columns[0];
    BARRIER();
}
#else
#define PARTS   (ITEMS / ROWS)
#define SCRATCH (ITEMS * (VEC + LOADS))

/* The same without exchanges: lane h * ROWS + r adds the h-th share of what all lanes have of
 * element r. */
DEVICE void twice_put(twice_sums sums, LOCAL_PTR T *scratch)
{
    LOCAL_PTR T *of_columns = scratch + ITEMS * VEC;
    const i32 r = ITEM_X % ROWS, share = ITEM_X / ROWS;
    T sum = T_make(0, 0);
    UNROLLED
    for (i32 v = 0; v < VEC; v++)
        scratch[v * ITEMS + ITEM_X] = sums.rows[v];
    UNROLLED
    for (i32 u = 0; u < LOADS; u++)
        of_columns[u * ITEMS + ITEM_X] = sums.columns[u];
    BARRIER();
    ROLLED
    for (i32 p = share * VEC; p < (share + 1) * VEC; p++) {
        const i32 lane = p / ACROSS * TEAM + p % ACROSS * ALONG + r / VEC;
        sum = T_add(sum, scratch[r % VEC * ITEMS + lane]);
    }
    ROLLED
    for (i32 p = share * LOADS; p < (share + 1) * LOADS; p++) {
        const i32 lane = p / DOWN * TEAM + r / LOADS * DOWN + p % DOWN;
        sum = T_add(sum, of_columns[r % LOADS * ITEMS + lane]);
    }
    BARRIER(); /* scratch has been read */
    scratch[ITEM_X] = sum;
    BARRIER();
}
#endif

DEVICE twice_sums twice_nothing(void)
{
    twice_sums sums;
    UNROLLED
    for (i32 v = 0; v < VEC; v++)
        sums.rows[v] = T_make(0, 0);
    UNROLLED
    for (i32 u = 0; u < LOADS; u++)
        sums.columns[u] = T_make(0, 0);
    return sums;
}

KERNEL(symv_read_twice, ITEMS, 1, (ITEMS < 512 ? 512 / ITEMS : 1))
(GLOBAL const R *RESTRICT alpha_at, GLOBAL const R *RESTRICT beta_at, GLOBAL const T *RESTRICT A,
 GLOBAL const T *RESTRICT x, GLOBAL T *RESTRICT y, symv_read_twice_args a)
{
    LOCAL T scratch[SCRATCH];
    BEGIN();
    const T alpha = alpha_of(alpha_at, a.scalars), beta = beta_of(beta_at, a.scalars);
    twice_sums sums = twice_nothing();
    twice_data d;
    d.A = A;
    d.x = x;
    d.lda = a.lda;
    d.incx = a.incx;
    d.n = (i32)a.n;
    d.strip = (i32)GROUP_X * ROWS;
    if (!T_is_zero(alpha)) {
        ROLLED
        for (i32 chunk = ITEM_X / TEAM * CHUNK; chunk < d.n; chunk += TEAMS * CHUNK)
            sums = twice_chunk(sums, d, chunk);
    }
    twice_put(sums, scratch);
    const i32 i = d.strip + ITEM_X;
    if (ITEM_X < ROWS && i < d.n) {
        GLOBAL T *to = y + i * a.incy;
        T sum = scratch[ITEM_X];
        UNROLLED
        for (i32 part = 1; part < PARTS; part++)
            sum = T_add(sum, scratch[part * ROWS + ITEM_X]);
        scaled_store(to, alpha, sum, beta);
    }
}
