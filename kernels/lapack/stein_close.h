/* stein_close.h: what the kernels of inverse iteration share: which eigenvalues are close.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix is that of sturm_begin.cl, near 1 in norm; eigenvalues are those of the given one,
 * ascending, which are numbers[STURM_BACK] times as large.
 */
#include "stein_args.h"
#include "sturm_args.h"

/* Vectors of eigenvalues closer than TIGHT norm1(T) are made orthogonal in each step, one after the
 * other. What is left of others in each other is less than a few u / TIGHT, whose square is
 * nothing: those that are only close are made orthogonal at the end, all side by side. */
#if PREC == 0 || PREC == 2
#define TWICE_ROUNDOFF ((R)0x1p-23)
#define TIGHT          ((R)0x1p-11)
#else
#define TWICE_ROUNDOFF ((R)0x1p-52)
#define TIGHT          ((R)0x1p-26)
#endif

/* norm1(T); 1 of zeros. */
DEVICE R stein_norm(GLOBAL const R *numbers)
{
    const R norm = numbers[STURM_MOST] / 2;
    return norm > TWICE_ROUNDOFF * TWICE_ROUNDOFF ? norm : (R)1;
}

/* Eigenvalues are close within norm1(T) / 1000, as in LAPACK's stein, of small matrices within
 * norm1(T) / n: what is left of other vectors is a few u norm1(T) over the distance, and n u may
 * be. */
DEVICE R stein_close(GLOBAL const R *numbers, i64 n)
{
    return stein_norm(numbers) / (R)(n < 1000 ? n : 1000);
}

DEVICE i32 stein_finite(GLOBAL const R *numbers)
{
    return numbers[STURM_BACK] - numbers[STURM_BACK] == 0;
}

/* The first eigenvalue that is not more than `most` below that of place j. */
DEVICE i64 first_within(GLOBAL const R *values, R back, i64 j, R most)
{
    const R least = values[j] / back - most;
    i64 from = 0, to = j;
    ROLLED
    while (from < to) {
        const i64 middle = from + (to - from) / 2;
        if (values[middle] / back < least)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Whether more than `most` is between eigenvalue j and the one before it. */
DEVICE i32 is_apart(GLOBAL const R *values, R back, i64 j, R most)
{
    return values[j - 1] / back < values[j] / back - most;
}

/* A number between -1 and 1 that i, j and the step decide. */
DEVICE R stein_random(i64 i, i64 j, i64 step)
{
    u32 h = (u32)i * 0x9e3779b1u + (u32)j * 0x85ebca77u + (u32)step * 0xc2b2ae3du + 1;
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return (R)(i32)(h ^ (h >> 16)) * (R)0x1p-31;
}
