/* cg_scalars.cl: the scalars of an iteration of CG by calls of BLAS
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * numbers are six elements: <p, q>, <r, r>, <r, z>; alpha, -alpha, beta. STATE_FIRST keeps <r, z>
 * of the iteration before. Once there is an outcome all three coefficients are 0: x and r stay as
 * they are. Geometry: one work-item. No barriers.
 */
#include "cg_scalars_args.h"
#include "solver_state.h"

#define CG_PQ    0
#define CG_RR    1
#define CG_RZ    2
#define CG_ALPHA 3
#define CG_BETA  5

KERNEL(cg_scalars, 1, 1, 1)
(GLOBAL f64 *RESTRICT state, GLOBAL T *RESTRICT numbers, cg_scalars_args a)
{
    BEGIN();
    const f64 rz = a.step == 1 ? state[STATE_FIRST] : T_real(numbers[CG_RZ], 0);
    f64 outcome = state[STATE_OUTCOME], alpha = 0, beta = 0;
    if (outcome == GOES_ON && a.step == 1) {
        const f64 pq = T_real(numbers[CG_PQ], 0);
        outcome = positive_outcome(pq);
        alpha = outcome == GOES_ON ? rz / pq : 0;
        if (!is_finite(alpha)) {
            outcome = OUTCOME_BREAKDOWN;
            alpha = 0;
        }
    } else if (outcome == GOES_ON) {
        const f64 rr = T_real(numbers[CG_RR], 0);
        if (a.step == 2) {
            const f64 ended = state[STATE_ITERATION] + 1;
            state[STATE_ITERATION] = ended;
            state[STATE_HISTORY + ((i32)(ended - 1) & (HISTORY - 1))] = rr;
            state[STATE_RR] = rr;
            outcome = state_outcome(rr, ended, state[STATE_TARGET], state[STATE_LIMIT]);
        }
        if (outcome == GOES_ON)
            outcome = positive_outcome(rz);
        if (outcome == GOES_ON && a.step == 2)
            beta = rz / state[STATE_FIRST];
        state[STATE_FIRST] = rz;
    }
    state[STATE_OUTCOME] = outcome;
    if (a.step == 1) {
        numbers[CG_ALPHA] = T_make(alpha, 0);
        numbers[CG_ALPHA + 1] = T_make(-alpha, 0);
    } else {
        numbers[CG_BETA] = T_make(beta, 0);
    }
}
