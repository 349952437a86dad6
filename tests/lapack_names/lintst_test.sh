#!/bin/sh
# lintst_test.sh: LAPACK's own test programs with Gable's routines under LAPACK's names.
# SPDX-License-Identifier: BSD-3-Clause
#
# lintst_test.sh LINK SIZES LETTER...: the programs are xlintsts, xlintstd, xlintstc, xlintstz
# (Debian: liblapack-test). LINK, libgable_link, is preloaded: every call goes to $GABLE_DEVICE, and
# wrong arguments must reach the program's own xerbla. Every path must pass, and every routine must
# have been Gable's. SIZES are tiny, short or all: they lie around the edges of blocks; the programs
# take up to 132. Drivers do not run with tiny ones.
#
# The rest of LAPACK and the BLAS below it are the reference (Debian: liblapack3, libblas3). In
# OpenBLAS 0.3.21 on AVX-512 ssymv reads memory that an earlier call left behind: where Gable's cpu
# computed NaN behind a pivot of zero by the same library, test matrices made later are NaN.
set -u
link=$1
sizes=$2
shift 2
case $sizes in
    tiny) rows="0 33" columns="5 33" sides="2" blocks="20" drivers=F ;;
    short) rows="0 1 2 17 66" columns="0 1 5 33 66" sides="1 2" blocks="20" drivers=T ;;
    all) rows="0 1 2 16 33 64 130" columns="0 1 2 5 16 17 32 63 64 65 100 130" sides="1 15" blocks="1 20" drivers=T ;;
    *) echo "lintst_test.sh: sizes are tiny, short or all, not '$sizes'" && exit 2 ;;
esac
paths="GE PO TR QR LQ"
routines="getrf getrs getri potrf potrs potri trtri trtrs geqrf gelqf ormqr orgqr ormlq orglq"
if [ $drivers = T ]; then
    paths="$paths LS"
    routines="$routines gesv posv gels"
fi
# Products and triangular solves inside of LAPACK and of the tests have tests of their own.
level3=-gemm,-gemmt,-gemmtr,-symm,-hemm,-syrk,-herk,-syr2k,-her2k,-trmm,-trsm
count() { echo $#; }
folder=
for candidate in /usr/lib/*/lapack /usr/lib/lapack; do
    [ -x "$candidate/xlintstd" ] && folder=$candidate
done
if [ -z "$folder" ]; then
    echo "LAPACK's test programs are not installed (Debian: liblapack-test)"
    exit 77
fi
if ! [ -e "$folder/liblapack.so.3" ] || ! [ -e "${folder%/*}/blas/libblas.so.3" ]; then
    echo "the reference LAPACK or BLAS is not installed (Debian: liblapack3, libblas3)"
    exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# input LETTER
input() {
    echo "Routines of LAPACK by Gable"
    for list in "$rows" "$columns" "$sides" "$blocks"; do
        # shellcheck disable=SC2086
        count $list
        echo "$list"
    done
    echo "$blocks" | sed 's/[0-9][0-9]*/1/g'
    printf '%s\n' 1 50 30.0 T $drivers T
    for path in $paths; do
        case $path in
            GE) types=11 ;;
            PO) types=9 ;;
            TR) types=10 ;; # those behind are for latrs and latrs3, in LAPACK 3.11 with a fault of its own
            QR | LQ) types=8 ;;
            LS) types=6 ;;
        esac
        printf '%s%s  %2d\n' "$1" "$path" "$types"
        [ "$path" = TR ] && echo "1 2 3 4 5 6 7 8 9 10"
    done
}

# run LETTER: all paths must pass.
run() {
    upper=$(printf %s "$1" | tr sdcz SDCZ)
    input "$upper" >"$work/input"
    rm -f "$work/calls"
    GABLE_LINK=device GABLE_LINK_LOG="$work/calls" GABLE_LINK_ROUTINES=$level3 LD_PRELOAD=$link \
        LD_LIBRARY_PATH="$folder:${folder%/*}/blas${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
        "$folder/xlintst$1" <"$work/input" >"$work/output" 2>"$work/errors"
    status=$?
    [ $status -eq 0 ] || fail "xlintst$1 ends with status $status"
    grep -q 'End of tests' "$work/output" || fail "xlintst$1 does not come to its end"
    [ $drivers = F ] && sed -i '/driver routines were not tested/d' "$work/output"
    if grep -v 'passed the tests of the error exits' "$work/output" | grep -Ei 'fail|\*\*\*|error|not tested'; then
        fail "xlintst$1 is not content"
    fi
    for path in $paths; do
        kind=routines
        [ "$path" = LS ] && kind='drivers '
        grep -q "All tests for $upper$path $kind passed" "$work/output" || fail "$upper$path $kind did not pass"
        grep -q "$upper$path routines passed the tests of the error exits" "$work/output" ||
            fail "$upper$path: error exits were not tested"
    done
}

# gable_calls NAME COUNT
gable_calls() {
    [ "${2:-0}" -gt 0 ] || fail "$1 was not Gable's"
    echo "$1: ${2:-0} calls"
}

finish() {
    if [ $failures -gt 0 ]; then
        tail -n 40 "$work/output"
        cat "$work/errors"
        exit 1
    fi
    grep 'All tests' "$work/output"
}

for letter in "$@"; do
    run "$letter"
    if grep -E ' failed$|no device' "$work/calls" | head -n 5 | grep .; then
        fail "the device failed"
    fi
    for routine in $routines; do
        case $letter$routine in
            [cz]or*) routine=un${routine#or} ;;
        esac
        gable_calls "$letter$routine" "$(grep -c "^$letter${routine}_ .* device " "$work/calls")"
    done
    finish
done
