#!/bin/sh
# solver_mutants_test.sh: the tests of CG and of preconditioners must catch small wrong kernels.
# SPDX-License-Identifier: BSD-3-Clause
#
#   solver_mutants_test.sh KERNELS_FOLDER TEST_FOLDER
. "$(dirname "$0")/../kernel_mutants.sh"
true_kernels solver precondition incomplete

mutant solver cg_vectors.cl 'alpha * alpha * qq - rz' 'alpha * alpha * qq'
mutant solver cg_vectors.cl '(-alpha, q, *r)' '(alpha, q, *r)'
mutant solver cg_vectors.cl 'a.range.vectors * VEC + ITEM_X' 'a.range.vectors * VEC + 1 + ITEM_X'
mutant solver cg_vectors.cl 'positive_outcome(pq)' 'GOES_ON'
mutant solver cg_product.cl 'dot_real(d.p[row], sum, *pq)' 'dot_real(sum, sum, *pq)'
mutant solver cg.h 'R_fma(a.im, b.im, sum)' 'sum'
mutant solver cg_scalars.cl 'rz / state[STATE_FIRST]' 'rz'
mutant solver cg_scalars.cl 'T_make(-alpha, 0)' 'T_make(alpha, 0)'
mutant solver solver_state.h 'iteration >= limit' 'iteration > limit'
mutant precondition block_gather.cl 'to[inside * BLOCK]' 'to[inside]'
mutant precondition block_gather.cl 'inside * (BLOCK + 1)' 'inside'
mutant precondition block_inverse.cl 'T_mul(T_neg(inverse)' 'T_mul((inverse)'
mutant precondition block_inverse.cl 'finite_element(inverse) ? inverse : T_make(1, 0)' 'inverse'
mutant precondition block_apply.cl 'mine[j * BLOCK]' 'mine[j]'
mutant precondition cg.h 'mine[j * BLOCK]' 'mine[j]'
mutant incomplete level_solve.cl 'T_mul(t->inverse[row], t->y[row])' 't->y[row]'
mutant incomplete level_solve.cl 'T_fma_real(-1, sum, right)' 'T_fma_real(1, sum, right)'
mutant incomplete level_solve.cl 'level[a.first + 1], last' 'level[a.first + 1] - 1, last'
mutant incomplete level_solve.cl 'start[place] + lane' 'start[place] + lane + 1'

[ "$failures" -eq 0 ] || exit 1
echo "all mutants are caught"
