# kernel_mutants.sh: what the tests of mutants of sparse kernels share; to be read by them.
# SPDX-License-Identifier: BSD-3-Clause
#
# Each mutant is kernels/ with one text replaced in one file. The true kernels must pass, each mutant must fail, and the text
# must be found exactly once: otherwise the kernel has changed and the mutant must follow. $1 is the folder of kernels, $2
# that of the tests.
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
    where=$(cd "$kernels" && find . -name "$2")
    OLD=$3 NEW=$4 awk '{ at = index($0, ENVIRON["OLD"])
        if (at) { found++; $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"])) }
        print } END { exit found != 1 }' "$kernels/$where" >"$work/kernels/$where" || {
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

# true_kernels TEST...
true_kernels() {
    for name in "$@"; do
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
}
