/* solver_state.h: the numbers that an iteration of a solver keeps in the device's memory, as
 * src/device/iteration_state.h names them, and the outcomes of include/gable/sparse.h.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define STATE_OUTCOME   0
#define STATE_ITERATION 1
#define STATE_RR        2
#define STATE_TARGET    3
#define STATE_LIMIT     4
#define STATE_FIRST     5
#define STATE_HISTORY   32
#define HISTORY         256

#define GOES_ON                 (-1)
#define OUTCOME_SOLVED          0
#define OUTCOME_ITERATION_LIMIT 1
#define OUTCOME_BREAKDOWN       3
#define OUTCOME_NOT_DEFINITE    4
#define OUTCOME_NOT_FINITE      5

/* Where CG predicts <r', M^-1 r'> as a difference that is below this part of <r, M^-1 r>, the
 * square root of eps, most of it may be rounding errors, and p made with it need not be a direction
 * that helps: it starts again as M^-1 r'. */
#define CG_LEAST_BETA (sizeof(R) == 4 ? 2.4e-4 : 1.5e-8)

/* NaN and Inf are not. */
DEVICE i32 is_finite(f64 a)
{
    return a - a == 0;
}

/* Whether a round ends behind an iteration. */
DEVICE f64 state_outcome(f64 rr, f64 iteration, f64 target, f64 limit)
{
    if (!is_finite(rr))
        return OUTCOME_NOT_FINITE;
    if (rr <= target)
        return OUTCOME_SOLVED;
    return iteration >= limit ? OUTCOME_ITERATION_LIMIT : GOES_ON;
}

/* What a number says that must be positive. */
DEVICE f64 positive_outcome(f64 a)
{
    if (!is_finite(a))
        return OUTCOME_NOT_FINITE;
    return a > 0 ? GOES_ON : OUTCOME_NOT_DEFINITE;
}
