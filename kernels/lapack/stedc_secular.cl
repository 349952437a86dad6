/* stedc_secular.cl: the roots of 1 / rho + sum of w_i^2 / (d_i - x) = 0, and all d_i - x
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One team per root. Root j stands between d_j and d_(j+1), the last one behind the last pole, at
 * most rho sum w_i^2 away. It is kept as the nearer of the two poles and an offset tau, so that
 * every d_i - x = (d_i - pole) - tau has a small relative error, however close x is to a pole.
 *
 * Both sums, over the poles up to j and over those behind, are interpolated by rational functions
 * with poles at d_j and d_(j+1) (of the last root: the last two): their zero is the next tau. They
 * have the derivatives of both sums (the middle way), or the true weight at the pole where tau
 * counts from and the derivative of all of f (the fixed weight); where f does not become ten times
 * smaller the other one is taken next (R.-C. Li, LAPACK Working Note 89). tau stays between bounds
 * whose f differ in sign: where interpolation leaves them, does not shrink them, or has had its
 * RATIONAL_STEPS, they are bisected, by their geometric mean where they are far from each other,
 * so that BISECTIONS steps end anywhere. A root is found where |f| is within the error of its own
 * sums, or where tau has no neighbour left to go to.
 *
 * f is monotonic between poles; that it is not a number does not happen to finite matrices: then
 * the pole itself is the root, and `trouble` tells the merge, as info of stedc does.
 *
 * SQUARES: singular values. They are the roots s of 1 + sum of w_i^2 / (d_i^2 - s^2) = 0, with d_0
 * = 0. tau is then an offset from the pole to s, and d_i^2 - s^2 = (d_i - pole - tau) (d_i + pole
 * + tau); the interpolation is that in x = s^2, whose step becomes one of s. Numbers are
 * multiplied by a power of two, `unit`, that brings the poles beside the root near 1, so that
 * squares of theirs have a place in the range of float. `scales` has a number per merge by which
 * values are multiplied in the end; elsewhere the elements beside the diagonal, which rho comes
 * from.
 *
 * The differences of root j are column j of the merge's block of S, in the rows that
 * stedc_deflate.cl gave its vectors. Geometry: groups of ITEMS work-items along x, with one team
 * of WARP_SIZE work-items per root; merges along y. Macros: ITEMS, SQUARES. No barriers; the lanes
 * of a team take the same way, because their sums have the same bits.
 */
#if !defined(ITEMS) || !defined(SQUARES)
#error "stedc_secular needs ITEMS and SQUARES"
#endif
#include "stedc.h"
#include "lanes.h"

#define RATIONAL_STEPS 30
#define BISECTIONS     120
#define TEAMS          (ITEMS / WARP_SIZE)

/* The poles and weights of a merge, and the root that is looked for. */
typedef struct secular {
    GLOBAL const R *d;
    GLOBAL const R *w;
    i32 count, root, lane;
    i32 is_last;
    i32 left, right; /* the two poles of the interpolation */
    i32 origin;      /* tau counts from pole number origin */
    R pole;
    R inverse_rho;
#if SQUARES
    R unit;
#endif
} secular;

/* f at tau: both sums and their derivatives. */
typedef struct secular_value {
    R psi, dpsi, phi, dphi;
    R f, df;
    R error; /* that f may have */
} secular_value;

#if SQUARES
DEVICE R difference(secular q, i32 i, R tau)
{
    return (q.unit * (q.d[i] - q.pole) - tau) * (q.unit * (q.d[i] + q.pole) + tau);
}

DEVICE R weight_of(secular q, i32 i)
{
    return q.unit * q.w[i];
}

/* How fast x grows with tau. */
DEVICE R slope_of(secular q, R tau)
{
    return 2 * (q.unit * q.pole + tau);
}

/* The step of tau, from `tau` on, that is a step of x. */
DEVICE R step_of(secular q, R tau, R step)
{
    const R root = q.unit * q.pole + tau, square = root * root + step;
    return step / (root + sqrt(larger(square, 0)));
}

/* From one pole to another: of tau, and of x. */
DEVICE R reach_of(secular q, i32 from, i32 to)
{
    return q.unit * (q.d[to] - q.d[from]);
}

DEVICE R gap_of(secular q, i32 from, i32 to)
{
    return reach_of(q, from, to) * (q.unit * (q.d[to] + q.d[from]));
}
#else
DEVICE R difference(secular q, i32 i, R tau)
{
    return q.d[i] - q.pole - tau;
}

#define weight_of(q, i)       ((q).w[i])
#define slope_of(q, tau)      1
#define step_of(q, tau, step) (step)
#define reach_of(q, from, to) ((q).d[to] - (q).d[from])
#define gap_of(q, from, to)   reach_of(q, from, to)
#endif

/* Adds the terms of poles [from, end) of this lane. */
DEVICE void add_terms(secular q, i32 from, i32 end, R tau, R *sum, R *derivative)
{
    ROLLED
    for (i32 i = from + q.lane; i < end; i += WARP_SIZE) {
        const R w = weight_of(q, i), quotient = w / difference(q, i, tau);
        *sum = R_fma(w, quotient, *sum);
        *derivative = R_fma(quotient, quotient, *derivative);
    }
}

DEVICE secular_value value_at(secular q, R tau)
{
    R sums[4] = {0, 0, 0, 0};
    secular_value v;
    add_terms(q, 0, q.root + 1, tau, &sums[0], &sums[1]);
    add_terms(q, q.root + 1, q.count, tau, &sums[2], &sums[3]);
#if WARP_SIZE > 1
    lanes_add(sums, 4, WARP_SIZE / 2, 1);
#endif
    v.psi = sums[0];
    v.dpsi = sums[1];
    v.phi = sums[2];
    v.dphi = sums[3];
    v.f = q.inverse_rho + v.psi + v.phi;
    v.df = v.dpsi + v.dphi;
    v.error = UNIT * (8 * (v.phi - v.psi) + q.inverse_rho + fabs(tau) * slope_of(q, tau) * v.df);
    return v;
}

/* A zero of c x^2 - a x + b, the one that a rational function with two poles has between them, or
 * for the last root behind both. */
DEVICE R zero_of(R a, R b, R c, i32 is_last)
{
    const R discriminant = a * a - 4 * b * c, root = sqrt(fabs(discriminant));
    if (is_last)
        return a >= 0 ? (a + root) / (2 * c) : 2 * b / (a - root);
    return a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
}

/* How far the zero of the interpolation is from tau, as a step of x. */
DEVICE R rational_step(secular q, secular_value v, R tau, i32 fixed_weight)
{
    const R left = difference(q, q.left, tau), right = difference(q, q.right, tau);
    const R a = (left + right) * v.f - left * right * v.df, b = left * right * v.f;
    R c;
    if (q.is_last || (fixed_weight && q.origin == q.right)) {
        const R quotient = weight_of(q, q.right) / right;
        c = v.f - left * v.df - (right - left) * quotient * quotient;
    } else if (fixed_weight) {
        const R quotient = weight_of(q, q.left) / left;
        c = v.f - right * v.df - (left - right) * quotient * quotient;
    } else {
        c = v.f - left * v.dpsi - right * v.dphi;
    }
    R step = q.is_last ? zero_of(a, b, fabs(c), 1) : zero_of(a, b, c, 0);
    if (!(v.f * step < 0)) /* f grows with tau */
        step = -v.f / v.df;
    return step;
}

/* Between two bounds of one sign, or 0 and another. */
DEVICE R middle_of(R low, R high)
{
    const R near = fabs(low) < fabs(high) ? low : high, far = near == low ? high : low;
    if (near == 0)
        return far / 1024;
    if (fabs(far) > 4 * fabs(near))
        return copysign(sqrt(fabs(near)) * sqrt(fabs(far)), far);
    return low + (high - low) / 2;
}

/* Where tau starts: the zero of f with all but the nearest two poles' terms as they are at `tau`,
 * the middle of the interval. Both poles are given relative to the origin. */
DEVICE R first_guess(secular q, secular_value v, R tau)
{
    const R w_left = weight_of(q, q.left) * weight_of(q, q.left),
            w_right = weight_of(q, q.right) * weight_of(q, q.right);
    const R gap = gap_of(q, q.left, q.right);
    const R at_left = difference(q, q.left, tau), at_right = difference(q, q.right, tau);
    const R rest = v.f - w_left / at_left - w_right / at_right;
    if (q.origin == q.left)
        return step_of(q, 0, zero_of(R_fma(rest, gap, w_left + w_right), w_left * gap, rest, 0));
    /* from the right pole: rest t^2 - a t + b = 0 */
    return step_of(q, 0, zero_of(w_left + w_right - rest * gap, -w_right * gap, rest, 1));
}

/* The sum of squares of all weights. */
DEVICE R squares_of(secular q)
{
    R sum[1] = {0};
    ROLLED
    for (i32 i = q.lane; i < q.count; i += WARP_SIZE)
        sum[0] = R_fma(weight_of(q, i), weight_of(q, i), sum[0]);
#if WARP_SIZE > 1
    lanes_add(sum, 1, WARP_SIZE / 2, 1);
#endif
    return sum[0];
}

/* The root as an offset from its origin. *good: f was a number everywhere. */
DEVICE R root_of(secular *q, i32 *good)
{
    R low = 0, high;
    *good = 1;
    if (q->count == 1)
        return step_of(*q, 0, weight_of(*q, 0) * weight_of(*q, 0) / q->inverse_rho);
    if (q->is_last) {
        high = squares_of(*q) / q->inverse_rho;
        high = step_of(*q, 0, high);
    } else {
        high = reach_of(*q, q->left, q->right) / 2;
    }
    /* The half of the interval, and with it the nearer pole. */
    R tau = q->is_last ? high / 2 : high;
    secular_value v = value_at(*q, tau);
    if (q->is_last) {
        if (v.f < 0)
            low = tau;
        else
            high = tau;
        tau = first_guess(*q, v, tau);
    } else if (v.f >= 0) {
        tau = first_guess(*q, v, tau);
    } else {
        q->origin = q->right;
        q->pole = q->d[q->right];
        low = -high;
        high = 0;
        tau = first_guess(*q, v, low);
    }
    if (!(tau > low && tau < high))
        tau = middle_of(low, high);
    R before = 0, width = high - low;
    i32 fixed_weight = 1;
    ROLLED
    for (i32 step = 0; step < RATIONAL_STEPS + BISECTIONS; step++) {
        v = value_at(*q, tau);
        if (v.f != v.f) {
            *good = 0;
            return 0;
        }
        if (fabs(v.f) <= v.error)
            break;
        if (v.f < 0)
            low = tau;
        else
            high = tau;
        R now = tau + step_of(*q, tau, rational_step(*q, v, tau, fixed_weight));
        if (step > 0 && fabs(v.f) > fabs(before) / 10)
            fixed_weight = !fixed_weight;
        before = v.f;
        /* Every fourth step the bounds must have come closer. */
        i32 bisect = step >= RATIONAL_STEPS || !(now > low && now < high);
        if (step % 4 == 3) {
            bisect |= high - low > width / 2;
            width = high - low;
        }
        if (bisect)
            now = middle_of(low, high);
        if (!(now > low && now < high))
            break; /* no number is left between them */
        if (now == tau)
            break;
        tau = now;
    }
    return tau;
}

KERNEL(stedc_secular, ITEMS, 1, 1)
(GLOBAL const R *poles, GLOBAL const R *weights, GLOBAL const R *scales, GLOBAL const i64 *sizes,
 GLOBAL const i32 *rows, GLOBAL R *diagonal, GLOBAL R *S, GLOBAL i64 *trouble, stedc_args a)
{
    BEGIN();
    const merge_span s = span_of_merge(a, GROUP_Y);
    const i32 count = (i32)sizes[STEDC_SIZES * GROUP_Y + 1],
              root = (i32)GROUP_X * TEAMS + ITEM_X / WARP_SIZE;
    if (root >= count)
        return;
    i32 good;
    secular q;
    q.d = poles + s.first;
    q.w = weights + s.first;
    q.count = count;
    q.root = root;
    q.lane = ITEM_X % WARP_SIZE;
    q.is_last = root + 1 == count;
    q.left = q.is_last && count > 1 ? root - 1 : root;
    q.right = q.is_last ? root : root + 1;
    q.origin = root;
    q.pole = q.d[root];
#if SQUARES
    q.inverse_rho = 1;
    q.unit = count > 1 ? ldexp((R)1, -ilogb(q.d[q.right])) : (R)1;
    const R back = scales[GROUP_Y], tau = root_of(&q, &good) / q.unit;
    q.unit = 1;
#else
    q.inverse_rho = 1 / (2 * fabs(scales[s.middle - 1]));
    const R back = 1, tau = root_of(&q, &good);
#endif
    GLOBAL R *const column = S + s.first + (s.first + root) * a.lds;
    GLOBAL const i32 *const upper = rows + s.first;
    GLOBAL const i32 *const lower = rows + a.n + s.first;
    ROLLED
    for (i32 i = q.lane; i < count; i += WARP_SIZE) {
        const R delta = difference(q, i, tau);
        if (upper[i] >= 0)
            column[upper[i]] = delta;
        if (lower[i] >= 0)
            column[lower[i]] = delta;
    }
    if (q.lane == 0) {
        diagonal[s.first + root] = (q.pole + tau) * back;
        if (!good)
            trouble[s.first + root] = (s.first + 1) * (a.n + 1) + s.last;
    }
}
