#!/bin/sh
# tool_study_test.sh: the studies: comparison of stored results, and short ones on a device.
# SPDX-License-Identifier: BSD-3-Clause
#
#   GABLE_DEVICE=opencl:pocl tool_study_test.sh GABLE JSON_LINES KERNEL_FOLDER
#
# On cpu, which has no kernels: two files written by hand, whose correlation and losses are known, and wrong
# command lines.
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2
kernels=$3

# ---- on cpu ------------------------------------------------------------------------------------------
# row OP LOCAL GBS: a line of a study in d with vectors of 1000 elements.
row() {
    echo "{\"kind\":\"row\",\"op\":\"$1\",\"prec\":\"d\",\"size\":1000,\"local\":$2,\"groups\":1,\"vec\":1,\"range\":0,\"unroll\":1,\"usec\":1,\"usec_min\":1,\"gbs\":$3,\"runs\":3}"
}
header() {
    echo "{\"kind\":\"header\",\"study\":\"portability\",\"device\":\"$1\",\"prec\":\"d\",\"size\":1000,\"roof_copy_gbs\":100,\"roof_read_gbs\":100}"
}

by_hand() {
    mkdir "$work/hand"
    {
        header 'cuda:0 First'
        row copy 32 10
        row copy 64 20
        row copy 128 30
        row copy 256 40
        row dot 32 10
        row dot 64 5
        echo 'this line is damaged'
        # Another size is another study.
        row copy 256 99 | sed 's/"size":1000/"size":2000/'
        row copy 512 50
    } >"$work/hand/portability-cuda-first.jsonl"
    {
        header 'opencl:0 Second'
        row copy 32 10
        row copy 64 30
        row copy 128 20
        row copy 256 25
        row copy 256 40
        row dot 32 8
        row dot 64 16
        printf '{"kind":"row","op":"copy","prec":"d","si' # cut short
    } >"$work/hand/portability-opencl-second.jsonl"
    "$gable" study portability --devices cuda,opencl-second --out "$work/hand" --json >"$work/lines" 2>"$work/err" ||
        fail "--devices: exit code $?: $(cat "$work/err")"
    "$json_lines" <"$work/lines" >"$work/values" || fail "--devices --json: $(tail -n 1 "$work/values")"
    # copy: 10 20 30 40 beside 10 30 20 40: one exchange of neighbours, both best at 256.
    # dot: 10 5 beside 8 16: opposite; First's best (32) is half as fast as the best of Second, and the other way round.
    # Over both: sqrt(1 * 2).
    awk '
        function check(line, path, wanted) {
            value = seen[line, path]
            if (value == "" || value - wanted > 1e-4 || wanted - value > 1e-4)
                print "line " line " has " path " " value ", must be " wanted
        }
        { seen[$1, $2] = $3 }
        END {
            check(1, "configurations", 4); check(1, "spearman", 0.8); check(1, "kendall", 4 / 6)
            check(1, "loss_on_b", 1); check(1, "loss_on_a", 1)
            check(2, "configurations", 2); check(2, "spearman", -1); check(2, "kendall", -1)
            check(2, "loss_on_b", 2); check(2, "loss_on_a", 2)
            check(3, "ops", 2); check(3, "loss_on_b", sqrt(2)); check(3, "loss_on_a", sqrt(2))
            if (seen[1, "best_on_a"] != "local=256:groups=1:vec=1:range=0:unroll=1")
                print "the best on the first is " seen[1, "best_on_a"]
        }' "$work/values" >"$work/wrong"
    [ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong")"
    "$gable" study portability --devices cuda,opencl --out "$work/hand" >"$work/out" || fail "--devices as text: exit code $?"
    grep -q '^copy: 4 configurations on both: Spearman 0.800, Kendall 0.667$' "$work/out" || fail "no correlation in: $(cat "$work/out")"
    grep -q '1\.414 times' "$work/out" || fail "no loss in: $(cat "$work/out")"
}

# refused CODE PIECE ARGUMENTS...
refused() {
    code=$1 piece=$2
    shift 2
    "$gable" study "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$code" ] || fail "study $*: exit code $got, must be $code: $(cat "$work/err")"
    grep -qF -e "$piece" "$work/err" || fail "study $*: does not say \"$piece\" but $(cat "$work/err")"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "study $*: must be answered by one line"
}

if [ "${device%%:*}" = cpu ]; then
    by_hand
    cp "$work/hand/portability-cuda-first.jsonl" "$work/hand/portability-cuda-first-not.jsonl"
    "$gable" study portability --devices cuda-first,opencl --out "$work/hand" >"$work/out" || fail "a whole name: exit code $?"
    refused 1 'begins the names of several devices' portability --devices cuda,opencl --out "$work/hand"
    refused 1 'has no file portability-sparc' portability --devices sparc,opencl --out "$work/hand"
    refused 2 '--devices is "cuda"' portability --devices cuda
    refused 2 'goes with --out' portability --devices a,b --budget 3s
    refused 2 'needs a study'
    refused 2 'did you mean latency?' latncy
    refused 2 'takes one study' latency portability
    refused 2 '--budget is "soon"' latency --budget soon
    refused 2 '--budget is "0s"' latency --budget 0s
    refused 2 'go with portability' latency --size 100
    refused 2 '--prec is "q"' portability --prec q
    refused 2 '--size is "1x2"' portability --size 1x2
    refused 1 'has no kernels' portability --device cpu
    refused 1 'has no kernels' latency --device cpu
    [ "$failures" -eq 0 ] || exit 1
    exit 0
fi

# ---- on a device with kernels --------------------------------------------------------------------------------------
tiny="--device $device --size 20000"
needs_device "$gable" bench copy --size 1 --seconds 0.01 --device "$device"

# Stopped by Ctrl-C after some rows: they are kept.
# shellcheck disable=SC2086 # words
"$gable" study portability $tiny --budget 10m >"$work/out" 2>"$work/err" &
child=$!
waited=0
until [ "$(cat "$work"/data/gable/studies/portability-*.jsonl 2>/dev/null | grep -c '"kind":"row"')" -ge 5 ] ||
    [ "$waited" -ge 120 ] || ! kill -0 "$child" 2>/dev/null; do
    sleep 0.5
    waited=$((waited + 1))
done
kill -INT "$child"
wait "$child"
got=$?
[ "$got" -eq 130 ] || fail "Ctrl-C: exit code $got, must be 130: $(cat "$work/err")"
file=$(echo "$work"/data/gable/studies/portability-*.jsonl)
[ -f "$file" ] || fail "there is no file of the study"
before=$(grep -c '"kind":"row"' "$file")

# The same command goes on: no row twice, one header, a summary of each op.
# shellcheck disable=SC2086
"$gable" study portability $tiny --budget 1s --json >"$work/lines" 2>"$work/err" || fail "study: exit code $?: $(cat "$work/err")"
after=$(grep -c '"kind":"row"' "$file")
[ "$after" -gt "$before" ] || fail "the second run has $after rows, the first had $before"
[ "$(grep -c '"kind":"header"' "$file")" -eq 1 ] || fail "the study has several headers"
"$json_lines" <"$file" >"$work/values" || fail "the file: $(tail -n 1 "$work/values")"
grep '"kind":"row"' "$file" | sed 's/,"usec.*//; s/,"failed.*//' | sort | uniq -d >"$work/twice"
[ ! -s "$work/twice" ] || fail "measured twice: $(cat "$work/twice")"
"$json_lines" <"$work/lines" >"$work/values" || fail "--json: $(tail -n 1 "$work/values")"
awk -v counted="$after" '
    $2 == "op" { ops = ops " " $3 }
    $2 == "rows" { rows += $3 }
    $2 == "of" && $3 < 1900 { print "only " $3 " configurations exist" }
    ($2 == "spearman" || $2 == "kendall") && !($3 >= -1 && $3 <= 1) { print $2 " is " $3 }
    $2 ~ /_percent$/ && !($3 > 0 && $3 <= 100.001) { print $2 " is " $3 }
    $2 == "loss" && !($3 >= 1) { print "the loss is " $3 }
    $2 == "loss" { losses++ }
    $2 == "histogram" { for (i = 3; i <= NF; i++) { bin = $i; gsub(/"/, "", bin); bins += bin; } }
    END {
        if (ops != " copy add dot gemv")
            print "summaries are of" ops
        if (rows != counted || bins != counted)
            print "summaries have " rows " rows, histograms " bins ", the file " counted
        if (losses != 5)
            print losses " losses, must be one per op and one of all"
    }' "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong")"
grep '"op":"dot"' "$file" | grep -q '"error":' || fail "dot was not checked"
if command -v gnuplot >/dev/null; then
    grep -q '</svg>' "${file%.jsonl}.svg" || fail "no picture beside $file"
fi

# Wrong kernels: told, not chosen, exit code 1.
cp -R "$kernels" "$work/kernels"
sed 's/R_fma(a, b, c)/R_fma(a, a, c)/' "$kernels/prec.h" >"$work/kernels/prec.h"
cmp -s "$kernels/prec.h" "$work/kernels/prec.h" && fail "prec.h is no longer as this test knows it"
# shellcheck disable=SC2086
GABLE_KERNEL_DIR=$work/kernels "$gable" study portability $tiny --budget 0.1s --out "$work/mutants" >"$work/out" 2>"$work/err"
got=$?
[ "$got" -eq 1 ] || fail "wrong kernels: exit code $got, must be 1"
grep '"op":"dot"' "$work"/mutants/*.jsonl | grep -q '"kind":"summary"' && fail "a wrong dot has a best configuration"
grep -q 'had wrong results, first add with' "$work/err" || fail "wrong kernels are not told: $(cat "$work/err")"

# Latency: as much as fits a second, but never less than the lowest point of each test.
"$gable" study latency --device "$device" --budget 1s --json >"$work/lines" 2>"$work/err" || fail "latency: exit code $?: $(cat "$work/err")"
"$json_lines" <"$work/lines" >"$work/values" || fail "latency --json: $(tail -n 1 "$work/values")"
cmp -s "$work/lines" "$work"/data/gable/studies/latency-*.jsonl || fail "the file of latency is not what was printed"
awk '
    $2 == "test" { test[$1] = $3 }
    $2 == "kind" { kind[$1] = $3 }
    ($2 == "rate" || $2 == "predicted" || $2 == "latency_ns" || $2 == "needed") && !($3 > 0) { print $2 " is " $3 }
    ($2 == "percent") && !($3 > 0 && $3 <= 100.001) { print $2 " is " $3 }
    ($2 == "occupancy") && !($3 >= 1 / 64 && $3 <= 1) { print $2 " is " $3 }
    END {
        for (line in test)
            count[test[line], kind[line]]++
        split("arithmetic memory", tests, " ")
        for (i in tests)
            if (count[tests[i], "row"] < 1 || count[tests[i], "summary"] != 1)
                print tests[i] " has " count[tests[i], "row"] " rows and " count[tests[i], "summary"] " summaries"
    }' "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong")"

[ "$failures" -eq 0 ] || exit 1
