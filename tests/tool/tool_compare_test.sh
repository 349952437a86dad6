#!/bin/sh
# tool_compare_test.sh: scripts/compare_gemv.sh on cpu: one reduction over several kernels of gemv.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_compare_test.sh GABLE JSON_LINES
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2
compare=$(dirname "$0")/../../scripts/compare_gemv.sh

GABLE=$gable SIZES=20,36 SECONDS_EACH=0.01 "$compare" measure cpu "$work/rows" 2>"$work/err" || fail "measure: $(cat "$work/err")"
"$json_lines" <"$work/rows" >"$work/values" || fail "rows are not JSON: $(tail -n 1 "$work/values")"
for op in gebrd gehrd; do
    for kernel in blas omp chosen; do
        for n in 20 36; do
            found=$(grep -c "\"op\":\"$op\".*\"n\":$n.*\"variant\":\"columns\",\"gemv\":\"$kernel\"" "$work/rows")
            [ "$found" -eq 2 ] || fail "$found rows, not 2, of $op over $kernel with n = $n"
        done
    done
done
"$compare" table "$work/rows" >"$work/table" || fail "table: status $?"
[ "$(grep -cE '^\| dge[bh]rd \| (20|36) \|( [0-9.]+ \([0-9.]+\) \|){3}$' "$work/table")" -eq 4 ] || fail "the table is $(cat "$work/table")"
if command -v gnuplot >/dev/null; then
    "$compare" draw "$work/rows" "$work/picture" || fail "draw: status $?"
    [ "$(grep -c '<title>.*\(blas\|omp\|chosen\)</title>' "$work/picture")" -eq 6 ] || fail 'the picture has not six lines'
fi

# Lists are parsed to their end.
"$gable" bench gehrd --size 20 --device cpu --variant 'gehrd=columns,gemv=omp|nosuch' >"$work/out" 2>"$work/err"
[ $? -eq 2 ] || fail 'a list with an unknown variant is taken'
grep -q 'asks for variant "nosuch" of gemv' "$work/err" || fail "the message is $(cat "$work/err")"
"$compare" measure gpu >/dev/null 2>&1
[ $? -eq 2 ] || fail 'a device of another kind is taken'
"$compare" table "$work/nothing" 2>/dev/null && fail 'a table of no file is made'
echo '{"op":"gehrd"}' >"$work/other"
"$compare" table "$work/other" 2>/dev/null && fail 'a table of no comparison is made'
exit $((failures > 0))
