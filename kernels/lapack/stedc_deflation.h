/* stedc_deflation.h: what a scan for deflation leaves for each place of the sorted order.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The scan is one work-item's. ITEMS work-items of the group are a power of two.
 */
#define IN_UPPER 1
#define IN_LOWER 2

typedef struct deflation {
    merge_span s;
    R rho, tol;
    /* The place whose neighbour is looked for; -1: none. Its numbers, as rotations left them. */
    i64 place;
    R pole, weight;
    i32 kind;
    /* How many there are: of the secular equation, those with rows in the upper and the lower part,
     * and deflated ones. */
    i64 kept, upper, lower, gone;
} deflation;

/* The largest modulus of a vector's elements. All work-items must come. */
DEVICE R largest_of(GLOBAL const R *x, merge_span s, LOCAL_PTR R *room)
{
    R most = 0;
    ROLLED
    for (i64 i = s.first + ITEM_X; i < s.last; i += ITEMS)
        most = larger(most, fabs(x[i]));
    BARRIER(); /* room may still be read */
    room[ITEM_X] = most;
    for (i32 apart = ITEMS / 2; apart > 0; apart /= 2) {
        BARRIER();
        if (ITEM_X < apart)
            room[ITEM_X] = larger(room[ITEM_X], room[ITEM_X + apart]);
    }
    BARRIER();
    return room[0];
}

/* Place i stays an eigenvalue. */
DEVICE void deflate(deflation *f, i64 i, R value, GLOBAL R *diagonal, GLOBAL i32 *to_upper,
                    GLOBAL i32 *to_lower)
{
    const i64 column = f->s.last - f->s.first - 1 - f->gone++;
    diagonal[f->s.first + column] = value;
    to_upper[i] = to_lower[i] = (i32)column;
}

/* The place that waits for a neighbour goes into the secular equation. */
DEVICE void keep(deflation *f, GLOBAL R *poles, GLOBAL R *weights, GLOBAL i32 *to_upper,
                 GLOBAL i32 *to_lower, GLOBAL i32 *index, GLOBAL i32 *row_upper,
                 GLOBAL i32 *row_lower)
{
    const i64 at = f->s.first + f->kept;
    const i32 upper = (f->kind & IN_UPPER) != 0 ? (i32)f->upper : -1,
              lower = (f->kind & IN_LOWER) != 0 ? (i32)f->lower : -1,
              behind = (i32)(f->s.middle - f->s.first);
    poles[at] = f->pole;
    weights[at] = f->weight;
    to_upper[f->place] = upper;
    to_lower[f->place] = lower;
    row_upper[at] = upper;
    row_lower[at] = lower < 0 ? -1 : behind + lower;
    if (upper >= 0)
        index[f->s.first + upper] = (i32)f->kept;
    if (lower >= 0)
        index[f->s.middle + lower] = (i32)f->kept;
    f->upper += upper >= 0;
    f->lower += lower >= 0;
    f->kept++;
}
