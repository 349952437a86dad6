/* bdsdc_deflate.cl: which singular values of a merge stay as they are, and the order of the others
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of M = (z above diag(0, d)), d ascending (bdsdc_sort.cl), scaled by a power of two that brings
 * the largest of d and the two elements of the row between the parts near 1, with tol = 8 u times
 * that:
 * - the null vectors of both parts are rotated so that one of them has all of z, which becomes the
 *   weight of pole 0, tol at least; the other one is the null vector of the merge. V alone turns.
 * - where |z_i| <= tol, d_i is a singular value;
 * - of neighbours p, i that are left, a rotation of both sides that makes z_p zero makes an
 *   element (d_i - d_p) c s outside of the diagonal: where that is at most tol it is dropped, and
 *   d_p, as the rotation changed it, is a singular value;
 * - a pole that is left is tol / 2 at least, so that pole 0 is apart from it.
 * What is left goes into the secular equation, and columns into the order of the products, as in
 * stedc_deflate.cl; those of pole 0 have rows in both parts. Rotations of V stand in the first a.n
 * `cosines` and `sines`, those of U behind them, and then in `sines` a number per merge that takes
 * its scale back.
 *
 * Geometry: one group of ITEMS work-items, a power of two, per merge; the first one scans. Macros:
 * ITEMS; CHUNK. All arrays begin at the matrix's first row. Barriers: all work-items reach them.
 */
#if !defined(ITEMS) || !defined(CHUNK)
#error "bdsdc_deflate needs ITEMS and CHUNK"
#endif
#include "bdsdc_divide_args.h"
#include "stedc.h"
#include "stedc_deflation.h"

#if PREC == 0
#define MOST_EXPONENT 126
#else
#define MOST_EXPONENT 1022
#endif

KERNEL(bdsdc_deflate, ITEMS, 1, 1)
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
    GLOBAL R *const left_cosines = cosines + a.n;
    GLOBAL R *const left_sines = sines + a.n;
    GLOBAL R *const scales = sines + 2 * a.n;
    deflation f;
    f.s = span_of_merge(a, GROUP_X);
    const R between = larger(fabs(diagonal[f.s.middle - 1]), fabs(beside[f.s.middle - 1]));
    const R most = larger(largest_of(sorted, f.s, room), between);
    R scale = 1;
    if (most > 0) {
        const i32 exponent = -ilogb(most);
        scale = ldexp((R)1, exponent > MOST_EXPONENT ? MOST_EXPONENT : exponent);
    }
    const R back = most > 0 ? 1 / scale : (R)0; /* values of zeros are zeros */
    f.rho = 1;
    f.tol = 8 * UNIT * larger(scale * most, 1);
    f.place = -1;
    f.pole = f.weight = 0;
    f.kind = 0;
    f.kept = f.upper = f.lower = f.gone = 1; /* pole 0, and the null vector */
    const i32 upper_rows = (i32)(f.s.middle - f.s.first);
    const i64 null_place = f.s.last - 1;
    ROLLED
    for (i64 start = f.s.first + 1; start < null_place; start += CHUNK) {
        const i32 count = (i32)(null_place - start < CHUNK ? null_place - start : CHUNK);
        BARRIER(); /* the chunk before may still be read */
        ROLLED
        for (i32 i = ITEM_X; i < count; i += ITEMS) {
            values[i] = scale * sorted[start + i];
            elements[i] = scale * z[start + i];
            kinds[i] = from[start + i] < upper_rows ? IN_UPPER : IN_LOWER;
        }
        BARRIER();
        ROLLED
        for (i32 i = 0; i < count && ITEM_X == 0; i++) {
            const i64 at = start + i;
            const R d = values[i], z_i = elements[i];
            next[at] = -1;
            linked[at] = 0;
            if (fabs(z_i) <= f.tol) {
                deflate(&f, at, back * d, diagonal, to_upper, to_lower);
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
                    cosines[f.place] = left_cosines[f.place] = c;
                    sines[f.place] = left_sines[f.place] = s;
                    deflate(&f, f.place, back * (f.pole * c * c + d * s * s), diagonal, to_upper,
                            to_lower);
                    pole = f.pole * s * s + d * c * c;
                    kind |= f.kind;
                } else {
                    f.pole = larger(f.pole, f.tol / 2);
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
        f.pole = larger(f.pole, f.tol / 2);
        if (f.place >= 0)
            keep(&f, poles, weights, to_upper, to_lower, index, row_upper, row_lower);
        const R own = scale * z[f.s.first], other = scale * z[null_place];
        R c = 1, s = 0, size = length_of(own, other);
        if (size <= f.tol) {
            size = f.tol;
        } else {
            c = own / size;
            s = other / size;
        }
        scales[GROUP_X] = back;
        next[null_place] = 0;
        linked[null_place] = 0;
        cosines[null_place] = c;
        sines[null_place] = -s;
        left_cosines[null_place] = 1;
        left_sines[null_place] = 0;
        to_upper[null_place] = to_lower[null_place] = (i32)(null_place - f.s.first);
        next[f.s.first] = -1;
        linked[f.s.first] = 1;
        poles[f.s.first] = 0;
        weights[f.s.first] = size;
        to_upper[f.s.first] = to_lower[f.s.first] = row_upper[f.s.first] = 0;
        row_lower[f.s.first] = upper_rows;
        index[f.s.first] = index[f.s.middle] = 0;
        GLOBAL i64 *const mine = sizes + STEDC_SIZES * GROUP_X;
        mine[0] = f.s.middle - f.s.first;
        mine[1] = mine[4] = f.kept;
        mine[2] = f.upper;
        mine[3] = f.s.last - f.s.middle;
        mine[5] = f.lower;
    }
}
