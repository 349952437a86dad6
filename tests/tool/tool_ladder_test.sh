#!/bin/sh
# tool_ladder_test.sh: `gable bench gemm --ladder` on a device: every rung predicted, measured and right.
# SPDX-License-Identifier: BSD-3-Clause
#
#   GABLE_DEVICE=cpu tool_ladder_test.sh GABLE JSON_LINES
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2

needs_device "$gable" bench copy --size 1 --seconds 0.01

# ---- rows ----
"$gable" bench gemm --ladder --prec d --size 20x19x18 --seconds 0.01 --json >"$work/rows" 2>"$work/err" ||
    fail "bench gemm --ladder: exit code $?: $(cat "$work/err")"
"$json_lines" <"$work/rows" >"$work/values" || fail "bench gemm --ladder --json: $(tail -n 1 "$work/values")"
case $device in
cpu) rungs='omp' reads=0 ;;
*)
    rungs='uncoalesced naive tiled:tile=4 tiled:tile=8 tiled:tile=12 tiled:tile=16 tiled:tile=32
        unrolled:tile=16 unrolled:tile=32 outputs:tile=32:outputs=2 outputs:tile=32:outputs=4
        outputs:tile=32:outputs=8 volkov:rows=64'
    reads=2
    ;;
esac
for rung in $rungs; do
    grep -q "\"kind\":\"rung\",\"rung\":\"$rung\",\"variant\":\"${rung%%:*}\"" "$work/rows" ||
        fail "the ladder has no rung $rung"
done
[ "$(grep -c '"kind":"read"' "$work/rows")" -eq $reads ] || fail "the ladder has not $reads reads"
[ "$(grep -c '"kind":"chosen"' "$work/rows")" -eq 1 ] || fail "the ladder does not end with one choice"
awk '
    { value[$1, $2] = $3; last = $1 }
    END {
        for (row = 2; row <= last; row++) {
            kind = value[row, "kind"]
            if (!(value[row, "usec"] > 0))
                print "row " row " has no time"
            if (kind != "peer" && (!(value[row, "predicted_usec"] > 0) || value[row, "limiter"] == ""))
                print "row " row " has no prediction"
            if (kind != "read" && !(value[row, "gflops"] > 0))
                print "row " row " has no rate"
            if (kind == "read" && !(value[row, "gbs"] > 0))
                print "row " row " has no bytes per second"
            if ((kind == "rung" || kind == "chosen") &&
                (value[row, "error"] == "" || !(value[row, "error"] <= 1)))
                print "row " row " has error " value[row, "error"]
            if (value[row, "args.m"] != 20 || value[row, "args.n"] != 19 || value[row, "args.k"] != 18)
                print "row " row " has other sizes"
        }
    }' "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong")"
# Rungs are experiments: nothing is kept for the report.
[ ! -e "$work/data/gable/results" ] || [ -z "$(find "$work/data/gable/results" -name 'gemm*')" ] ||
    fail "rows of the ladder are kept"

# ---- the table and the picture ----
draw=$(dirname "$0")/../../scripts/draw_ladder.sh
"$draw" --table --prec d "$work/rows" >"$work/table" 2>"$work/err" || fail "draw_ladder.sh --table: $(cat "$work/err")"
[ "$(wc -l <"$work/table")" -eq "$(($(grep -c '"rung":' "$work/rows") + 2))" ] ||
    fail "draw_ladder.sh --table has $(wc -l <"$work/table") lines"
for rung in $rungs; do
    grep -qF "| \`$rung\` |" "$work/table" || fail "draw_ladder.sh --table has no rung $rung"
done
"$draw" --table --prec c "$work/rows" 2>"$work/err"
[ $? -eq 1 ] && grep -q 'has no rows of the ladder in c' "$work/err" || fail "draw_ladder.sh --prec c: $(cat "$work/err")"
if command -v gnuplot >/dev/null; then
    "$draw" --prec d "$work/rows" "$work/picture.svg" 2>"$work/err" || fail "draw_ladder.sh: $(cat "$work/err")"
    grep -q '<svg' "$work/picture.svg" || fail "draw_ladder.sh draws no SVG"
fi

# ---- sentences ----
# refused TEXT ARGUMENT...: exit code 2, and a sentence with the text.
refused() {
    text=$1
    shift
    "$gable" bench "$@" >"$work/out" 2>"$work/err"
    code=$?
    [ $code -eq 2 ] || fail "bench $*: exit code $code"
    grep -qF -- "$text" "$work/err" || fail "bench $*: $(cat "$work/err")"
}
if [ "$device" = cpu ]; then
    refused '--ladder is for transpose and for gemm, and "dot" is among' dot --ladder
    refused 'leave out --csv' gemm --ladder --csv
    refused 'leave out --hot' gemm --ladder --hot
    refused 'one device at a time' gemm --ladder --device cpu,opencl:pocl
    refused 'ask for one of them at a time' gemm transpose --ladder
    refused 'leave one of them out' gemm --ladder --variant naive
    "$gable" bench gemm --ladder --prec s --size 16 --seconds 0.01 --against openblas >"$work/out" 2>"$work/err" ||
        fail "the table: exit code $?: $(cat "$work/err")"
    for word in rung 'model us' GFLOP/s regs occup. '% FMA' limiter '(chosen)'; do
        grep -qF "$word" "$work/out" || fail "the table has no \"$word\""
    done
fi

[ $failures -eq 0 ] && echo "the ladder of gemm on $device is as it should be"
exit $((failures > 0))
