#!/bin/sh
# tool_eig_test.sh: eigenvalues of matrices in files; what is refused; what is written.
# SPDX-License-Identifier: BSD-3-Clause
#
#   GABLE_DEVICE=cpu tool_eig_test.sh GABLE JSON_LINES STUBBORN_LAPACK
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2

# run CODE ARGUMENTS...: `gable eig`, with this exit code; both streams are kept.
run() {
    code=$1
    shift
    "$gable" eig "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$code" ] || fail "eig $*: exit code $got, must be $code: $(cat "$work/err")"
}

# refused CODE PIECE ARGUMENTS...: this exit code, and a piece of the one sentence.
refused() {
    wanted=$1
    piece=$2
    shift 2
    run "$wanted" "$@"
    grep -qF -e "$piece" "$work/err" || fail "eig $*: does not say \"$piece\": $(cat "$work/err")"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "eig $*: more than one line: $(cat "$work/err")"
}

says() {
    grep -qE -e "$1" "$work/out" || fail "eig does not say \"$1\": $(cat "$work/out")"
}

# small NAME: a member of the JSON object is a number from 0 to 30.
small() {
    grep -oE "\"$1\":[^,}]*" "$work/out" | cut -d : -f 2 | awk '{ exit !($1 >= 0 && $1 < 30) }' ||
        fail "$1 is not small: $(cat "$work/out")"
}

# ---- matrices: 2 beside -1, whose values are known; a Hermitian one; what is refused ----
n=50
awk -v n=$n 'BEGIN { print "%%MatrixMarket matrix coordinate real symmetric"; print n, n, 2 * n - 1
    for (i = 1; i <= n; i++) { print i, i, 2; if (i > 1) print i, i - 1, -1 } }' >"$work/sym.mtx"
printf '%%%%MatrixMarket matrix array complex general\n2 2\n2 0\n0 -1\n0 1\n2 0\n' >"$work/herm.mtx"
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n' >"$work/odd.mtx"
printf '%%%%MatrixMarket matrix array real general\n1 2\n1\n2\n' >"$work/wide.mtx"
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\nnan\nnan\n4\n' >"$work/nan.mtx"

# known PRECISION FROM TO: the values in the JSON object are 2 - 2 cos(k pi / (n + 1)), k = FROM ... TO.
known() {
    grep -oE '"values":\[[^]]*\]' "$work/out" | tr -d '"values:[]' | tr ',' '\n' | awk -v n=$n -v from="$2" -v to="$3" -v limit="$1" '
        { k = from + NR - 1; want = 2 - 2 * cos(k * atan2(0, -1) / (n + 1)); off = $1 - want; if (off < 0) off = -off
          if (!(off < limit)) { print "value " k " is " $1 " instead of " want; bad = 1 } }
        END { if (NR != to - from + 1) { print NR " values"; bad = 1 } exit bad }' >"$work/odd" ||
        fail "$(cat "$work/odd")"
}

run 0 "$work/sym.mtx" --json
"$json_lines" <"$work/out" >"$work/values" || fail "no JSON: $(tail -n 1 "$work/values")"
known 1e-12 1 $n
run 0 "$work/sym.mtx" --prec s --json
known 1e-4 1 $n
run 0 "$work/sym.mtx" --k 3 --json --vectors "$work/Z.mtx"
known 1e-12 48 50
small residual
small orthogonality
[ "$(sed -n '/^%/d; p' "$work/Z.mtx" | head -n 1)" = "50 3" ] || fail "the vectors: $(head -n 3 "$work/Z.mtx")"
run 0 "$work/sym.mtx" --range :1 --json
known 1e-12 1 17
run 0 "$work/sym.mtx" --range 1.0001:3 --json
known 1e-12 18 34
run 0 "$work/sym.mtx" --range 7: --json
grep -q '"count":0' "$work/out" || fail "values above 7: $(cat "$work/out")"
# Bounds that are one number in single precision.
run 0 "$work/sym.mtx" --prec s --range 0.1:0.10000000001 --json
grep -q '"count":0' "$work/out" || fail "values between neighbours: $(cat "$work/out")"
run 0 "$work/sym.mtx" --plot
says '^50|^ *50 '
says 'spectrum'
says '##'
run 0 "$work/herm.mtx" --vectors "$work/Z.mtx"
says '^ *1  1$|^ *1  1\.0000|^ *1  0\.99999'
says 'norm\(Z\^H Z - I\)'
grep -q complex "$work/Z.mtx" || fail "the vectors are not complex"

refused 1 'is not symmetric: elements (2, 1) and (1, 2)' "$work/odd.mtx"
refused 1 'is 1 x 2' "$work/wide.mtx"
refused 1 'NaN' "$work/nan.mtx"
refused 1 'complex' "$work/herm.mtx" --prec d
refused 1 'nothing.mtx' "$work/nothing.mtx"
refused 1 'cannot be written' "$work/sym.mtx" --vectors "$work/no/Z.mtx"
refused 2 'needs a matrix'
refused 2 'LO:HI' "$work/sym.mtx" --range 3
refused 2 'LO:HI' "$work/sym.mtx" --range 3:1
refused 2 'two ways' "$work/sym.mtx" --range 1:3 --k 2
refused 2 '--k' "$work/sym.mtx" --k 0

# ---- what does not converge is told: with a LAPACK that fails ----
if [ "$device" = cpu ]; then
    GABLE_LAPACK=$3
    GABLE_VARIANT=syevd=lapack
    export GABLE_LAPACK GABLE_VARIANT
    rm -f "$work/Z.mtx"
    refused 1 "not all eigenvalues converged; LAPACK's info is 2" "$work/sym.mtx"
    refused 1 "not all eigenvalues and vectors converged; LAPACK's info is 106" "$work/sym.mtx" --vectors "$work/Z.mtx"
    [ ! -e "$work/Z.mtx" ] || fail "vectors that did not converge were written"
fi
echo "tool_eig_test.sh: done"
