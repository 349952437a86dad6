#!/bin/sh
# lintst_test.sh: LAPACK's own test programs with Gable's routines under LAPACK's names.
# SPDX-License-Identifier: BSD-3-Clause
#
# lintst_test.sh LIBRARY SIZES LETTER...: LIBRARY is preloaded into xlintsts, xlintstd, xlintstc,
# xlintstz (Debian: liblapack-test), which test all that their input names. Every path of $paths
# must pass, and every routine of $routines must have been Gable's. SIZES are tiny, short or all:
# they lie around the edges of blocks; the programs take up to 132. Drivers do not run with tiny ones.
set -u
library=$1
sizes=$2
shift 2
paths="GE PO TR QR LQ"
routines="getrf getrs getri potrf potrs potri trtri trtrs geqrf gelqf ormqr orgqr ormlq orglq"
case $sizes in
    tiny) rows="0 33" columns="5 33" sides="2" blocks="20" drivers=F ;;
    short) rows="0 1 2 17 66" columns="0 1 5 33 66" sides="1 2" blocks="20" drivers=T ;;
    all) rows="0 1 2 16 33 64 130" columns="0 1 2 5 16 17 32 63 64 65 100 130" sides="1 15" blocks="1 20" drivers=T ;;
    *) echo "lintst_test.sh: sizes are tiny, short or all, not '$sizes'" && exit 2 ;;
esac
[ $drivers = T ] && paths="$paths LS" routines="$routines gesv gels"
count() { echo $#; }
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
        for list in "$rows" "$columns" "$sides" "$blocks"; do
            # shellcheck disable=SC2086
            count $list
            echo "$list"
        done
        echo "$blocks" | sed 's/[0-9][0-9]*/1/g'
        echo "1"
        echo "50"
        echo "30.0"
        echo "T"
        echo "$drivers"
        echo "F"
        for path in $paths; do
            case $path in
                GE) types=11 ;;
                PO) types=9 ;;
                TR) types=10 ;; # those behind are for latrs and latrs3, in LAPACK 3.11 with a fault of its own
                QR | LQ) types=8 ;;
                LS) types=6 ;;
            esac
            printf '%s%s  %2d\n' "$upper" "$path" "$types"
            [ "$path" = TR ] && echo "1 2 3 4 5 6 7 8 9 10"
        done
    } >"$work/input"
    GABLE_NAMES_LOG="$work/log" LD_PRELOAD=$library "$folder/xlintst$letter" <"$work/input" >"$work/output" 2>"$work/errors"
    status=$?
    [ $status -eq 0 ] || fail "xlintst$letter ends with status $status"
    grep -q 'End of tests' "$work/output" || fail "xlintst$letter does not come to its end"
    [ $drivers = F ] && sed -i '/driver routines were not tested/d' "$work/output"
    if grep -Ei 'fail|\*\*\*|error|not tested' "$work/output"; then
        fail "xlintst$letter is not content"
    fi
    for path in $paths; do
        kind=routines
        [ "$path" = LS ] && kind='drivers '
        grep -q "All tests for $upper$path $kind passed" "$work/output" || fail "$upper$path $kind did not pass"
    done
    for routine in $routines; do
        case $letter$routine in
            [cz]or*) routine=un${routine#or} ;;
        esac
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
