#!/bin/sh
# solver_mutants_test.sh: the tests of CG and of preconditioners must catch small wrong kernels.
# SPDX-License-Identifier: BSD-3-Clause
#
#   solver_mutants_test.sh KERNELS_FOLDER TEST_FOLDER
#
# Each mutant is kernels/ with one text replaced in one file. The true kernels must pass, each mutant must fail, and the text
# must be found exactly once: otherwise the kernel has changed and the mutant must follow.
set -u
kernels=$1
tests=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# mutant TEST FILE OLD NEW
mutant() {
    rm -rf "$work/kernels"
    cp -r "$kernels" "$work/kernels" && chmod -R u+w "$work/kernels"
    OLD=$3 NEW=$4 awk '{ at = index($0, ENVIRON["OLD"])
        if (at) { found++; $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"])) }
        print } END { exit found != 1 }' "$kernels/$2" >"$work/kernels/$2" || {
        echo "FAILED: $2 does not have \"$3\" in one line"
        failures=$((failures + 1))
        return
    }
    GABLE_KERNEL_DIR=$work/kernels "$tests/test_$1" >"$work/out" 2>&1
    code=$?
    if [ "$code" -eq 0 ]; then
        echo "FAILED: test_$1 passes with \"$4\" in place of \"$3\" in $2"
        failures=$((failures + 1))
    fi
}

for name in solver precondition; do
    GABLE_KERNEL_DIR=$kernels "$tests/test_$name" >"$work/out" 2>&1
    code=$?
    [ "$code" -ne 77 ] || {
        cat "$work/out"
        exit 77
    }
    [ "$code" -eq 0 ] || {
        tail -n 5 "$work/out"
        echo "FAILED: test_$name fails with the true kernels"
        exit 1
    }
done

mutant solver cg_vectors.cl 'alpha * alpha * qq - rz' 'alpha * alpha * qq'
mutant solver cg_vectors.cl '(-alpha, q, *r)' '(alpha, q, *r)'
mutant solver cg_vectors.cl 'a.range.vectors * VEC + LANE_X' 'a.range.vectors * VEC + 1 + LANE_X'
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

[ "$failures" -eq 0 ] || exit 1
echo "all mutants are caught"
