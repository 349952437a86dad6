#!/bin/sh
# tool_roofs_test.sh: gable info --roofs on the cpu: the table, the drawing, the JSON, the file.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_roofs_test.sh GABLE JSON_LINES
set -u
gable=$1
json_lines=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME="$work/data"
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

"$gable" info --roofs --device cpu >"$work/out" 2>"$work/err" ||
    fail "info --roofs: exit code $?: $(cat "$work/err")"
sed -n '/^roofs of cpu, measured/,$p' "$work/out" >"$work/roofs"
for word in 'memory copy' 'memory read' 'memory write' 'cache read' single double complex latency 'fork and join' \
    'in a recording' 'alone on an idle queue' 'GFLOP/s' 'flops a byte' 'class cpu|'; do
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

# Both measurements are kept, a line each.
"$json_lines" <"$work/data/gable/roofs.jsonl" >"$work/stored" || fail "roofs.jsonl: $(cat "$work/stored")"
grep -q '^2 device cpu|' "$work/stored" || fail "roofs.jsonl has no second line"

[ "$failures" -eq 0 ] || exit 1
