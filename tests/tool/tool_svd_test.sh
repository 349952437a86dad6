#!/bin/sh
# tool_svd_test.sh: singular values of matrices in files; what is refused; what is written.
# SPDX-License-Identifier: BSD-3-Clause
#
#   GABLE_DEVICE=cpu tool_svd_test.sh GABLE JSON_LINES STUBBORN_LAPACK
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2

# run CODE ARGUMENTS...: `gable svd`, with this exit code; both streams are kept.
run() {
    code=$1
    shift
    "$gable" svd "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$code" ] || fail "svd $*: exit code $got, must be $code: $(cat "$work/err")"
}

# refused CODE PIECE ARGUMENTS...: this exit code, and a piece of the one sentence.
refused() {
    wanted=$1
    piece=$2
    shift 2
    run "$wanted" "$@"
    grep -qF -e "$piece" "$work/err" || fail "svd $*: does not say \"$piece\": $(cat "$work/err")"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "svd $*: more than one line: $(cat "$work/err")"
}

says() {
    grep -qE -e "$1" "$work/out" || fail "svd does not say \"$1\": $(cat "$work/out")"
}

# has MEMBER: of the JSON object, as in "rank":50
has() {
    grep -qE -e "$1[,}]" "$work/out" || fail "svd has no $1: $(cat "$work/out")"
}

# good: all three ratios are numbers from 0 to 30.
good() {
    for name in residual orthogonality_u orthogonality_v; do
        grep -oE "\"$name\":[^,}]*" "$work/out" | cut -d : -f 2 |
            awk '{ count++; bad += !($1 ~ /^[0-9]/ && $1 >= 0 && $1 < 30) } END { exit !(count == 1 && !bad) }' ||
            fail "$name is not small: $(cat "$work/out")"
    done
}

# ---- differences of neighbours, whose values are known: tall, wide and complex; of rank 1; what is refused ----
n=50
differences() {
    echo "%%MatrixMarket matrix coordinate $1 general"
    awk -v n=$n -v turn="$2" -v value="$3" -v other="$4" 'BEGIN { print turn ? n " " n + 1 : n + 1 " " n, 2 * n
        for (i = 1; i <= n; i++) { print i, i, value; print turn ? i " " i + 1 : i + 1 " " i, other } }'
}
differences real 0 1 -1 >"$work/tall.mtx"
differences real 1 1 -1 >"$work/wide.mtx"
differences complex 1 '0 1' '0 -1' >"$work/complex.mtx"
printf '%%%%MatrixMarket matrix array real general\n3 2\n1\n2\n2\n2\n4\n4\n' >"$work/one.mtx"
printf '%%%%MatrixMarket matrix array real general\n2 1\n0\n0\n' >"$work/zeros.mtx"
printf '%%%%MatrixMarket matrix array real general\n1 2\n1\nnan\n' >"$work/nan.mtx"
printf '%%%%MatrixMarket matrix array real general\n0 2\n' >"$work/rows.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n2 0 0\n' >"$work/columns.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n1000000 1000000 1\n1 1 1\n' >"$work/large.mtx"

# known LIMIT FROM TO: the values in the JSON object are 2 cos(k pi / (2 (n + 1))), k = FROM ... TO.
known() {
    grep -oE '"values":\[[^]]*\]' "$work/out" | tr -d '"values:[]' | tr ',' '\n' | awk -v n=$n -v from="$2" -v to="$3" -v limit="$1" '
        { k = from + NR - 1; want = 2 * cos(k * atan2(0, -1) / 2 / (n + 1)); off = $1 - want; if (off < 0) off = -off
          if (!(off < limit)) { print "value " k " is " $1 " instead of " want; bad = 1 } }
        END { if (NR != to - from + 1) { print NR " values"; bad = 1 } exit bad }' >"$work/odd" ||
        fail "$(cat "$work/odd")"
}

# columns FILE ROWS COLUMNS: a Matrix Market array of that shape whose columns have length 1.
columns() {
    [ "$(grep -v '^%' "$1" | head -n 1)" = "$2 $3" ] || fail "$1: $(head -n 3 "$1")"
    grep -v '^%' "$1" | awk -v rows="$2" 'NR > 1 { sum += $1 * $1 + (NF > 1 ? $2 * $2 : 0) }
        NR > 1 && (NR - 1) % rows == 0 { if (sum < 0.999 || sum > 1.001) bad = 1; sum = 0 } END { exit bad }' ||
        fail "$1: a column has another length than 1"
}

run 0 "$work/tall.mtx" --json
"$json_lines" <"$work/out" >"$work/values" || fail "no JSON: $(tail -n 1 "$work/values")"
known 1e-12 1 $n
has '"rank":50'
has '"first":1'
run 0 "$work/wide.mtx" --prec s --json
known 1e-4 1 $n
run 0 "$work/tall.mtx" --vectors "$work/Z.mtx" --k 3 --json
known 1e-12 1 3
good
columns "$work/Z-U.mtx" 51 3
columns "$work/Z-V.mtx" 50 3
# A v = s u: of the largest value, with the signs that both files have.
awk -v n=$n 'FNR == NR { if (!/^%/ && u++ > 0) left[u - 1] = $1; next } !/^%/ && v++ > 0 { right[v - 1] = $1 }
    END { s = 2 * cos(atan2(0, -1) / 2 / (n + 1)); for (i = 1; i <= n + 1; i++) {
        off = (i <= n ? right[i] : 0) - (i > 1 ? right[i - 1] : 0) - s * left[i]; if (off > 1e-12 || off < -1e-12) exit 1 } }' \
    "$work/Z-U.mtx" "$work/Z-V.mtx" || fail "A v is not s u"
run 0 "$work/complex.mtx" --range 1:1.9 --json --vectors "$work/vectors"
good
known 1e-12 11 33
has '"first":11'
columns "$work/vectors-U" 50 23
columns "$work/vectors-V" 51 23
grep -q complex "$work/vectors-V" || fail "the vectors are not complex"
run 0 "$work/tall.mtx" --range 7: --json
has '"count":0'
run 0 "$work/tall.mtx" --tolerance 0.5 --json
has '"rank":33'
run 0 "$work/wide.mtx" --plot
says '^ *50  '
says '^rank 50 of 50: values above 1\.1e-14 of the largest \(max\(m, n\) 2u\)$'
says '^condition 32\.[45]'
says '^ *1\.8[0-9]*  ##'
run 0 "$work/one.mtx" --vectors "$work/one.mtx"
says '^ *1  6\.70820'
says '^rank 1 of 2'
says 'norm\(A - U S V\^H\)'
says "^U is in $work/one-U.mtx, V in $work/one-V.mtx\$"
[ "$(grep -c . "$work/one.mtx")" -eq 8 ] || fail "the matrix was written to"
run 0 "$work/zeros.mtx" --plot
says '^rank 0 of 1'
says '^condition: none'

refused 1 'NaN' "$work/nan.mtx"
refused 1 'NaN' "$work/nan.mtx" --json --vectors "$work/none.mtx"
[ ! -e "$work/none-U.mtx" ] || fail "vectors of NaN were written"
refused 1 'has no rows' "$work/rows.mtx"
refused 1 'has no columns' "$work/columns.mtx"
refused 1 'GB of host memory' "$work/large.mtx"
refused 1 'complex' "$work/complex.mtx" --prec d
refused 1 'nothing.mtx' "$work/nothing.mtx"
refused 1 'cannot be written' "$work/tall.mtx" --vectors "$work/no/Z.mtx"
refused 1 'no plain file' "$work/tall.mtx" --vectors /dev/null
refused 2 'needs a matrix'
refused 2 'takes one matrix' "$work/tall.mtx" "$work/wide.mtx"
refused 2 'LO:HI' "$work/tall.mtx" --range 3
refused 2 'two ways' "$work/tall.mtx" --range 1:3 --k 2
refused 2 '--k' "$work/tall.mtx" --k 0
refused 2 '--tolerance' "$work/tall.mtx" --tolerance 2

# ---- what does not converge is told: with a LAPACK that fails ----
if [ "$device" = cpu ]; then
    GABLE_LAPACK=$3
    GABLE_VARIANT=gesdd=lapack
    export GABLE_LAPACK GABLE_VARIANT
    refused 1 "not all singular values converged; LAPACK's info is 1" "$work/tall.mtx"
    refused 1 "not all singular values converged; LAPACK's info is 1" "$work/tall.mtx" --vectors "$work/none.mtx"
    [ ! -e "$work/none-U.mtx" ] || fail "vectors that did not converge were written"
fi
echo "tool_svd_test.sh: done"
