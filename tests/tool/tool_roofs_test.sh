#!/bin/sh
# tool_roofs_test.sh: gable info --roofs on the cpu: the table, the drawing, the JSON, the file.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_roofs_test.sh GABLE JSON_LINES
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2

"$gable" info --roofs --device cpu >"$work/out" 2>"$work/err" ||
    fail "info --roofs: exit code $?: $(cat "$work/err")"
sed -n '/^roofs of cpu, measured/,$p' "$work/out" >"$work/roofs"
for word in 'of the processors, repeats differed by' 'kept in' 'memory copy' 'memory read' 'memory write' 'cache read' single double complex latency 'fork and join' \
    'in a recording' 'alone on an idle queue' 'GFLOP/s' 'flops per byte' 'class cpu|'; do
    grep -q "$word" "$work/roofs" || fail "the roofs lack \"$word\""
done
[ "$(grep -c '^  launch' "$work/roofs")" -eq 2 ] || fail "not two lines of launches"
grep -q '^ *|.*m' "$work/roofs" || fail "the drawing has no slope of memory"
grep -q '|.*DDDD' "$work/roofs" || fail "the drawing has no level of double"
grep -v 'class\|kept in' "$work/roofs" | awk 'length > 80' | grep . && fail "lines of more than 80 columns"
LC_ALL=C grep -q '[^ -~]' "$work/roofs" && fail "not plain ASCII"

"$gable" info --roofs --device cpu --json >"$work/json" || fail "info --roofs --json: exit code $?"
"$json_lines" <"$work/json" >"$work/values" || fail "--json: $(cat "$work/values")"
for name in copy_gbs read_gbs write_gbs cache_gbs cache_bytes unit_gbs gflops.s gflops.d gflops.c gflops.z \
    launch_replay_usec launch_single_usec latency_usec barrier_usec points.0.bytes points.0.read_gbs; do
    value=$(sed -n "s/^1 roofs\.$name //p" "$work/values")
    awk -v value="$value" 'BEGIN { exit !(value > 0) }' || fail "roofs.$name is \"$value\""
done
for name in link_to_device_gbs link_to_host_gbs link_latency_usec; do
    grep -q "^1 roofs\.$name 0\$" "$work/values" || fail "roofs.$name is not 0 on the cpu"
done
grep -q '^1 roofs.source measured$' "$work/values" || fail "the source is not named"
for name in busy unsteady; do
    value=$(sed -n "s/^1 roofs\.$name //p" "$work/values")
    awk -v value="$value" 'BEGIN { exit !(value != "" && value >= 0 && value <= 1) }' || fail "roofs.$name is \"$value\""
done
grep -q '^1 roofs.stored true$' "$work/values" || fail "the roofs are not said to be stored"

# Both measurements are kept, a line each.
"$json_lines" <"$work/data/gable/roofs.jsonl" >"$work/stored" || fail "roofs.jsonl: $(cat "$work/stored")"
grep -q '^2 device cpu|' "$work/stored" || fail "roofs.jsonl has no second line"

# A stored line with other figures: set READ COPY WRITE BUSY.
line=$(tail -n 1 "$work/data/gable/roofs.jsonl")
set_roofs() {
    echo "$line" | sed "s/\"read\":[^,]*/\"read\":$1/; s/\"copy\":[^,]*/\"copy\":$1/; s/\"write\":[^,]*/\"write\":$1/
        s/\"busy\":[^,]*/\"busy\":$2/; s/\"unsteady\":[^,]*/\"unsteady\":0/" >"$work/data/gable/roofs.jsonl"
}
read_of() { tail -n 1 "$work/data/gable/roofs.jsonl" | sed 's/.*"read":\([^,]*\),.*/\1/'; }

# What is better than the new measurement stays; --again gives it up.
set_roofs 9e15 0
"$gable" info --roofs --device cpu >"$work/out" || fail "info --roofs after a better one: exit code $?"
grep -q 'better figures' "$work/out" || fail "it is not said that an earlier measurement counts"
[ "$(read_of)" = 9000000000000000 ] || fail "the better figure is lost: $(read_of)"
"$gable" info --roofs --again --device cpu >"$work/out" || fail "info --roofs --again: exit code $?"
awk -v read="$(read_of)" 'BEGIN { exit !(read < 9e14) }' || fail "--again keeps $(read_of)"
"$gable" info --again 2>"$work/err"
[ $? -eq 2 ] || fail "--again without --roofs is taken"

# Rates above 1.2 times a roof are told of, and who is busy is said.
set_roofs 1e8 0.05
"$gable" explain dot 1e6 --device cpu --seconds 0.02 >"$work/out" || fail "explain: exit code $?"
tr -s '\n ' '  ' <"$work/out" | grep -q 'times as fast as its roof.*info --roofs --again' || fail "explain does not tell of a roof that is too low"
tr -s '\n ' '  ' <"$work/out" | grep -q 'other programs took 5 %' || fail "explain does not say how busy the machine was"
"$gable" explain dot 1e6 --device cpu --seconds 0.02 --json | "$json_lines" >"$work/values"
grep -q '^1 above_roof The call is' "$work/values" || fail "explain --json lacks above_roof"
grep -q '^1 roofs_disturbed 0.05$' "$work/values" || fail "explain --json lacks roofs_disturbed"
# What is four times as large as the cache does not fit into it, however fast the roofs say that it is read again.
cache=$("$gable" info --json | "$json_lines" | sed -n 's/^1 devices\.[0-9]*\.name cpu$/&/; /name cpu$/,/cache_bytes/s/.*cache_bytes //p' | head -n 1)
"$gable" explain dot $((cache / 4)) --device cpu --no-measure >"$work/out" || fail "explain: exit code $?"
grep -q 'fit into the' "$work/out" && fail "operands of four caches fit into the cache"
"$gable" explain dot $((cache / 64)) --device cpu --no-measure >"$work/out" || fail "explain: exit code $?"
grep -q 'fit into the' "$work/out" || fail "operands of a quarter of the cache do not fit into it: $(cat "$work/out")"
# The model does not rank the variants of the cpu.
grep -q "model's choice" "$work/out" && fail "the model is said to choose on the cpu"
"$gable" explain ddot 1e6 --device cpu --no-measure --json | "$json_lines" | grep -q '^1 choice order$' || fail "explain --json: the choice is not by order"
"$gable" bench dot --size 1e6 --device cpu --seconds 0.02 >"$work/out" || fail "bench: exit code $?"
tr -s '\n ' '  ' <"$work/out" | grep -q 'of cpu are above 1.2 times the kept roof' || fail "bench does not tell of a roof that is too low"
"$gable" tune dot --prec d --size 1e4 --device cpu --budget 1s >"$work/out" || fail "tune: exit code $?"
grep -q '^roofs .*other programs took 5 %' "$work/out" || fail "tune does not say how busy the machine was"
"$gable" report --out "$work/page.html" >"$work/out" 2>&1 || fail "report: $(cat "$work/out")"
tr -s '\n ' '  ' <"$work/page.html" | grep -q 'other programs took 5 %' || fail "the report does not say how busy the machine was"
set_roofs 9e15 0
"$gable" bench dot --size 1e6 --device cpu --seconds 0.02 --no-save >"$work/out" || fail "bench: exit code $?"
grep -q 'the kept roof' "$work/out" && fail "bench tells of a roof that is not exceeded"

# A full disk (no file may grow): what is not kept is not said to be.
rm -f "$work/data/gable/roofs.jsonl"
(
    trap '' XFSZ
    ulimit -f 0
    "$gable" info --roofs --device cpu 2>&1
    echo "exit code $?"
) | cat >"$work/out"
grep -q '^exit code 1$' "$work/out" || fail "roofs that are not kept are no failure"
grep -q 'kept in' "$work/out" && fail "roofs are said to be kept on a full disk"
grep -q 'the roofs are not kept: .*: File too large' "$work/out" || fail "the reason is not told: $(cat "$work/out")"
# Nor into a device that anybody may write.
ln -sf /dev/full "$work/data/gable/roofs.jsonl"
"$gable" info --roofs --device cpu >"$work/out" 2>"$work/err"
[ $? -eq 1 ] || fail "roofs that are not kept are no failure"
grep -q 'the roofs are not kept: .*: Permission denied' "$work/err" || fail "the reason is not told: $(cat "$work/err")"
"$gable" info --roofs --device cpu --json >"$work/json" 2>/dev/null
"$json_lines" <"$work/json" >"$work/values" || fail "--json on a full disk: $(cat "$work/values")"
grep -q '^1 roofs.stored false$' "$work/values" || fail "--json says that they are stored"

[ "$failures" -eq 0 ] || exit 1
