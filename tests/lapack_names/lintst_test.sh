#!/bin/sh
# lintst_test.sh: LAPACK's own test programs with Gable's routines under LAPACK's names.
# SPDX-License-Identifier: BSD-3-Clause
#
# lintst_test.sh LIBRARY LETTER...: LIBRARY is preloaded into xlintsts, xlintstd, xlintstc, xlintstz
# (Debian: liblapack-test), which test all that their input names. Every path of $paths must pass,
# and every routine of $routines must have been Gable's. Sizes lie around the edges of blocks; the
# programs take up to 132.
set -u
library=$1
shift
paths="PO"
routines="potrf"
folder=
for candidate in /usr/lib/*/lapack /usr/lib/lapack; do
    [ -x "$candidate/xlintstd" ] && folder=$candidate
done
if [ -z "$folder" ]; then
    echo "LAPACK's test programs are not installed (Debian: liblapack-test)"
    exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

for letter in "$@"; do
    upper=$(printf %s "$letter" | tr sdcz SDCZ)
    {
        echo "Routines of LAPACK by Gable"
        echo "7"
        echo "0 1 2 16 33 64 130"
        echo "12"
        echo "0 1 2 5 16 17 32 63 64 65 100 130"
        echo "2"
        echo "1 15"
        echo "2"
        echo "1 20"
        echo "1 1"
        echo "1"
        echo "50"
        echo "30.0"
        echo "T"
        echo "T"
        echo "F"
        for path in $paths; do
            case $path in
                PO) echo "${upper}PO   9" ;;
            esac
        done
    } >"$work/input"
    GABLE_NAMES_LOG="$work/log" LD_PRELOAD=$library "$folder/xlintst$letter" <"$work/input" >"$work/output" 2>"$work/errors"
    status=$?
    [ $status -eq 0 ] || fail "xlintst$letter ends with status $status"
    grep -q 'End of tests' "$work/output" || fail "xlintst$letter does not come to its end"
    if grep -Ei 'fail|\*\*\*|error|not tested' "$work/output"; then
        fail "xlintst$letter is not content"
    fi
    for path in $paths; do
        grep -q "All tests for $upper$path routines passed" "$work/output" || fail "$upper$path routines did not pass"
    done
    for routine in $routines; do
        calls=$(sed -n "s/^gable_$letter$routine //p" "$work/log" 2>/dev/null)
        [ "${calls:-0}" -gt 0 ] || fail "$letter$routine was not Gable's"
        echo "$letter$routine: ${calls:-0} calls"
    done
    if [ $failures -gt 0 ]; then
        tail -n 40 "$work/output"
        cat "$work/errors"
        exit 1
    fi
    grep 'All tests' "$work/output"
done
