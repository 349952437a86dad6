/* stedc_deflate.cl: which eigenvalues of a merge stay as they are, and the order of the others
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of diag(d) + rho z z^T, d ascending, with tol = 8 u max(|d|, |z|) as LAPACK's laed2 has it:
 * - where rho |z_i| <= tol, d_i is an eigenvalue;
 * - of neighbours p, i that are left, a rotation that makes z_p zero makes an element
 *   (d_i - d_p) c s outside of the diagonal: where that is at most tol it is dropped, and d_p, as
 *   the rotation changed it, is an eigenvalue.
 * What is left, k of them, goes into the secular equation: `poles` and `weights`. Their vectors
 * have rows in the upper part, in the lower part, or, after a rotation of one of each, in both.
 * Products with either part are made of the columns that have rows there, in ascending order:
 * at most as many as the part has, because each vector with rows in both takes the place of one of
 * each. Row r of the upper part's factor, and row r of the lower part's one behind the upper
 * part's most, belong to secular equation's vector number index[r].
 *
 * The scan is sequential: the first work-item does it, from chunks that all bring to local memory.
 * For place i of the sorted order it leaves
 *     next      the place that it is rotated with, by `cosines` and `sines`; -1: none
 *     linked    whether another one is rotated with it before
 *     to_upper, to_lower   the column of the reordered vectors that takes its rows; -1: none.
 *               Deflated columns go to the end, in both halves.
 *
 * Geometry: one group of ITEMS work-items, a power of two, per merge. Macros: ITEMS; CHUNK. All
 * arrays begin at the matrix's first row. Barriers: all work-items reach them.
 */
#if !defined(ITEMS) || !defined(CHUNK)
#error "stedc_deflate needs ITEMS and CHUNK"
#endif
#include "stedc.h"
#include "stedc_deflation.h"

KERNEL(stedc_deflate, ITEMS, 1, 1)
(GLOBAL const R *sorted, GLOBAL const R *z, GLOBAL const i32 *from, GLOBAL const R *beside,
 GLOBAL R *diagonal, GLOBAL R *poles, GLOBAL R *weights, GLOBAL R *cosines, GLOBAL R *sines,
 GLOBAL i32 *next, GLOBAL i32 *linked, GLOBAL i32 *to_upper, GLOBAL i32 *to_lower,
 GLOBAL i32 *index, GLOBAL i32 *rows, GLOBAL i64 *sizes, stedc_args a)
{
    LOCAL R values[CHUNK];
    LOCAL R elements[CHUNK];
    LOCAL i32 kinds[CHUNK];
    LOCAL R room[ITEMS];
    BEGIN();
    GLOBAL i32 *const row_upper = rows;
    GLOBAL i32 *const row_lower = rows + a.n;
    deflation f;
    f.s = span_of_merge(a, GROUP_X);
    f.rho = 2 * fabs(beside[f.s.middle - 1]);
    f.tol = 8 * UNIT * larger(largest_of(sorted, f.s, room), largest_of(z, f.s, room));
    f.place = -1;
    f.pole = f.weight = 0;
    f.kind = 0;
    f.kept = f.upper = f.lower = f.gone = 0;
    const i32 upper_rows = (i32)(f.s.middle - f.s.first);
    ROLLED
    for (i64 start = f.s.first; start < f.s.last; start += CHUNK) {
        const i32 count = (i32)(f.s.last - start < CHUNK ? f.s.last - start : CHUNK);
        BARRIER(); /* the chunk before may still be read */
        ROLLED
        for (i32 i = ITEM_X; i < count; i += ITEMS) {
            values[i] = sorted[start + i];
            elements[i] = z[start + i];
            kinds[i] = from[start + i] < upper_rows ? IN_UPPER : IN_LOWER;
        }
        BARRIER();
        ROLLED
        for (i32 i = 0; i < count && ITEM_X == 0; i++) {
            const i64 at = start + i;
            const R d = values[i], z_i = elements[i];
            next[at] = -1;
            linked[at] = 0;
            if (f.rho * fabs(z_i) <= f.tol) {
                deflate(&f, at, d, diagonal, to_upper, to_lower);
                continue;
            }
            R pole = d, weight = z_i;
            i32 kind = kinds[i];
            if (f.place >= 0) {
                const R apart = d - f.pole, squares = z_i * z_i + f.weight * f.weight;
                if (fabs(apart * z_i * f.weight) <= f.tol * squares) {
                    weight = sqrt(squares);
                    const R c = z_i / weight, s = -f.weight / weight;
                    next[f.place] = (i32)(at - f.s.first);
                    linked[at] = 1;
                    cosines[f.place] = c;
                    sines[f.place] = s;
                    deflate(&f, f.place, f.pole * c * c + d * s * s, diagonal, to_upper, to_lower);
                    pole = f.pole * s * s + d * c * c;
                    kind |= f.kind;
                } else {
                    keep(&f, poles, weights, to_upper, to_lower, index, row_upper, row_lower);
                }
            }
            f.place = at;
            f.pole = pole;
            f.weight = weight;
            f.kind = kind;
        }
    }
    if (ITEM_X == 0) {
        if (f.place >= 0)
            keep(&f, poles, weights, to_upper, to_lower, index, row_upper, row_lower);
        GLOBAL i64 *const mine = sizes + STEDC_SIZES * GROUP_X;
        mine[0] = f.s.middle - f.s.first;
        mine[1] = mine[4] = f.kept;
        mine[2] = f.upper;
        mine[3] = f.s.last - f.s.middle;
        mine[5] = f.lower;
    }
}
