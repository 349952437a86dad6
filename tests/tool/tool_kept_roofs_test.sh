#!/bin/sh
# tool_kept_roofs_test.sh: roofs of the cpu are measured once: the next command takes them from the file. So do other
# tests of the command, from the folder that is named here.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_kept_roofs_test.sh GABLE FOLDER
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
folder=$2
device=cpu
kept=$work/data/gable/roofs.jsonl

rm -rf "$folder"
"$gable" explain dgemm 60 --seconds 0.01 --device cpu >"$work/out" 2>&1 || fail "explain: exit code $?: $(cat "$work/out")"
[ "$(wc -l <"$kept")" -eq 1 ] || fail "there is no line of roofs"
# On a machine that was busy a command measures again when it is less so. Here nobody looks at their values.
sed 's/"busy":[^,]*/"busy":0/; s/"unsteady":[^,]*/"unsteady":0/' "$kept" >"$work/quiet" && mv "$work/quiet" "$kept"
"$gable" bench dgemm --size 60 --seconds 0.01 --device cpu >"$work/out" 2>&1 || fail "bench: exit code $?: $(cat "$work/out")"
[ "$(wc -l <"$kept")" -eq 1 ] || fail "roofs were measured again: $(cat "$kept")"

[ "$failures" -eq 0 ] || exit 1
mkdir -p "$folder" && cp "$work"/data/gable/*.jsonl "$folder"
