#!/bin/sh
# drivtst_test.sh: LAPACK's own tests of drivers of eigenvalues and singular values over libgable_link.
# SPDX-License-Identifier: BSD-3-Clause
#
# drivtst_test.sh LINK SIZES LETTER...: LINK is preloaded into xeigtsts, xeigtstd, xeigtstc, xeigtstz (Debian: liblapack-test), with
# inputs like LAPACK's sep.in, dsg.in and svd.in. Every call of a driver that Gable has goes to $GABLE_DEVICE, and wrong arguments must
# reach the program's own xerbla. SIZES are tiny, short or all. What LAPACK complains of must be what it complains of without Gable,
# but for results of other drivers whose matrices are random (types 13 to 15, results 71 and 125; see eigtst_test.sh).
#
# The rest of LAPACK and the BLAS below it are the reference (Debian: liblapack3, libblas3), as in eigtst_test.sh.
set -u
link=$1
sizes=$2
shift 2
# LAPACK's sep.in leaves out type 9.
symmetric="1 2 3 4 5 6 7 8 10 11 12 13 14 15 16 17 18"
pairs="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21"
general="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"
case $sizes in
    tiny)
        orders="2 20" rows="2 20 9" columns="2 9 20"
        symmetric="2 8" pairs="2 8" general="2 8"
        ;;
    short) orders="0 1 2 3 5 20" rows="0 1 2 3 10 16 10 30" columns="3 1 2 1 10 10 16 11" ;;
    all)
        orders="0 1 2 3 4 5 7 11 16 17 19 20" rows="0 0 1 1 2 3 3 10 16 31 32 34 66 40 64 65 130 20 130 97"
        columns="0 3 1 2 1 1 10 16 10 34 32 33 40 66 65 64 20 130 130 130"
        ;;
    *) echo "drivtst_test.sh: sizes are tiny, short or all, not '$sizes'" && exit 2 ;;
esac
# What has tests of its own.
others=-gemm,-gemmt,-gemmtr,-symm,-hemm,-syrk,-herk,-syr2k,-her2k,-trmm,-trsm,-getrf,-getrs,-gesv,-getri,-potrf,-potrs,-posv,-potri
others=$others,-trtrs,-trtri,-geqrf,-orgqr,-ungqr,-ormqr,-unmqr,-gelqf,-orglq,-unglq,-ormlq,-unmlq,-gels
folder=
for candidate in /usr/lib/*/lapack /usr/lib/lapack; do
    [ -x "$candidate/xeigtstd" ] && folder=$candidate
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
count() { echo $#; }
lines() { printf '%s\n' "$@"; }
# types NAME LIST MOST: the line of a path, and that of its types where these are not all
types() {
    # shellcheck disable=SC2086
    printf '%s %2d\n' "$1" "$(count $2)"
    # shellcheck disable=SC2086
    [ "$(count $2)" -eq "$3" ] || echo "$2"
}

# One set of block sizes: Gable has its own. With the tests of error exits.
# shellcheck disable=SC2086
input() {
    case $1 in
        sep) lines "SEP: by Gable" "$(count $orders)" "$orders" 1 20 2 1 50.0 F T T 1 && types SEP "$symmetric" 21 ;;
        pairs) lines "$2SG: by Gable" "$(count $orders)" "$orders" 1 20 2 1 50.0 T T T 1 && types "$2SG" "$pairs" 21 ;;
        svd)
            lines "SVD: by Gable" "$(count $rows)" "$rows" "$columns" 1 20 2 1 2 50.0 F T T 1
            types SVD "$general" 16
            ;;
    esac
}
# What must have been tested, and the drivers that must have been Gable's.
path() {
    case $1 in
        sep) echo "$2ST drivers" ;;
        pairs) echo "$2SG" ;;
        svd) echo "$2BD drivers" ;;
    esac
}
drivers() {
    case $1 in
        sep) echo "syev syevd syevr" ;;
        pairs) echo "sygvd" ;;
        svd) echo "gesdd gesvd" ;;
    esac
}

# run LETTER LIBRARY OUTPUT: the program with the input
run() {
    GABLE_LINK=device GABLE_LINK_LOG="$work/calls" GABLE_LINK_ROUTINES=$others LD_PRELOAD=$2 \
        LD_LIBRARY_PATH="$folder:${folder%/*}/blas${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
        "$folder/xeigtst$1" <"$work/input" >"$3" 2>"$work/errors"
}
# The lines that count failures are not the lines of failures.
complaints() {
    grep -Ei ' result |test\([0-9]+\)=|fail|\*\*\*|returned|invalid|unrecognized' "$1" |
        grep -Ev 'out of .* failed|, type=1[345], .* result +(71|125) is +[0-9][0-9][0-9]?\.[0-9]|of the error exits'
}

# Without an installed LAPACK cpu has no singular vectors.
inputs="sep pairs svd"
[ "${GABLE_LAPACK-}" = none ] && inputs="sep pairs"
sent=0
for letter in "$@"; do
    upper=$(printf %s "$letter" | tr sdcz SDCZ)
    for input in $inputs; do
        what="xeigtst$letter, $input"
        input "$input" "$upper" >"$work/input"
        rm -f "$work/calls"
        run "$letter" "$link" "$work/output"
        status=$?
        [ $status -eq 0 ] || fail "$what ends with status $status"
        grep -q 'End of tests' "$work/output" || fail "$what does not come to its end"
        grep -Eq "$(path "$input" "$upper"):? .*(passed the threshold|out of)" "$work/output" || fail "$what: nothing was tested"
        # Of pairs it has none.
        [ "$input" = pairs ] || grep -q 'passed the tests of the error exits' "$work/output" || fail "$what: error exits were not tested"
        grep 'failed the tests of the error exits' "$work/output" && fail "$what: error exits"
        if complaints "$work/output" >"$work/complaints"; then
            mv "$work/calls" "$work/kept"
            run "$letter" "" "$work/alone"
            mv "$work/kept" "$work/calls"
            if complaints "$work/alone" | cmp -s - "$work/complaints"; then
                echo "$what: LAPACK fails without Gable" && cat "$work/complaints"
            else
                cat "$work/complaints"
                fail "$what is not content"
            fi
        fi
        grep -E ' failed$|no device' "$work/calls" | head -n 5 | grep . && fail "$what: the device failed"
        for routine in $(drivers "$input"); do
            case $letter$routine in
                [cz]sy*) routine=he${routine#sy} ;;
            esac
            made=$(grep -c "^$letter${routine}_ .* device " "$work/calls")
            [ "$made" -gt 0 ] || fail "$letter$routine was not Gable's"
            echo "$letter$routine: $made calls"
            sent=$((sent + made))
        done
        if [ $failures -gt 0 ]; then
            tail -n 40 "$work/output"
            cat "$work/errors"
            exit 1
        fi
    done
done
echo "$sent calls of drivers were Gable's"
