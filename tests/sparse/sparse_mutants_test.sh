#!/bin/sh
# sparse_mutants_test.sh: the tests of sparse matrices must catch small wrong kernels.
# SPDX-License-Identifier: BSD-3-Clause
#
#   sparse_mutants_test.sh KERNELS_FOLDER TEST_FOLDER
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
    GABLE_KERNEL_DIR=$work/kernels "$tests/test_sparse_$1" >"$work/out" 2>&1
    code=$?
    if [ "$code" -eq 0 ]; then
        echo "FAILED: test_sparse_$1 passes with \"$4\" in place of \"$3\" in $2"
        failures=$((failures + 1))
    fi
}

for name in matrix convert; do
    GABLE_KERNEL_DIR=$kernels "$tests/test_sparse_$name" >"$work/out" 2>&1
    code=$?
    [ "$code" -ne 77 ] || {
        cat "$work/out"
        exit 77
    }
    [ "$code" -eq 0 ] || {
        tail -n 5 "$work/out"
        echo "FAILED: test_sparse_$name fails with the true kernels"
        exit 1
    }
done

mutant convert sparse_pack.cl '(sparse_index)-1' '(sparse_index)0'
mutant convert sparse_pack.cl 'place >= a.places' 'place >= a.rows'
mutant convert sparse_pack.cl 'column[from + j] :' 'column[from] :'
mutant convert sparse_rest.cl 'start[row] + a.width' 'start[row]'
mutant convert sparse_rest.cl '(sparse_index)row' '(sparse_index)(row + 1)'
mutant convert sparse_lengths.cl '>= 0' '> 0'
mutant convert sparse_unpack.cl 'rest_value[from + j - near]' 'rest_value[from]'
mutant convert sparse_unpack.cl 'count < p.width ? count : p.width' 'p.width'
mutant convert sparse_starts.cl 'i <= here' 'i < here'
mutant convert sparse_place.h 'p.row = order[place]' 'p.row = place'
mutant matrix sparse_starts.cl 'before + 1' 'here'
mutant matrix sparse_check_starts.cl 'to < from ||' ''
mutant matrix sparse_check_starts.cl '&& start[0] != 0' '&& 0'
mutant matrix sparse_check_rows.cl 'c >= a.columns' 'c > a.columns'
mutant matrix sparse_check_rows.cl 'c <= before' 'c < before'
mutant matrix sparse_check_entries.cl 'r >= a.rows' 'r > a.rows'
mutant matrix sparse_check_entries.cl 'c <= column[e - 1]' 'c < column[e - 1]'
mutant matrix sparse_look.cl '&& column[at] == i' ''
mutant matrix sparse_look.cl 'turned = im == -im2' 'turned = im == im2'
mutant matrix sparse_look.cl 'off > band' 'off < band'
mutant matrix sparse_look.cl '(here, 0) > 0' '(here, 0) >= 0'
mutant matrix sparse_look.cl 'e + 1) - 1' 'e)'

[ "$failures" -eq 0 ] || exit 1
echo "all mutants are caught"
