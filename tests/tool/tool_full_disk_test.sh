#!/bin/sh
# tool_full_disk_test.sh: what cannot be written is told, and the exit code says so.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_full_disk_test.sh GABLE
#
# /dev/full stands for a full disk where the standard output goes; a limit of the size of files where the command
# opens them itself.
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
unset GABLE_DEVICE GABLE_VARIANT GABLE_TUNING

# ---- the standard output ---------------------------------------------------------------------------------
if [ ! -c /dev/full ]; then
    echo 'no /dev/full here'
    exit 77
fi
cannot_print() {
    "$gable" "$@" >/dev/full 2>"$work/err"
    got=$?
    [ "$got" -eq 1 ] || fail "$* > /dev/full: exit code $got, must be 1"
    [ "$(grep -c 'the output could not be written' "$work/err")" -eq 1 ] || fail "$* > /dev/full says: $(cat "$work/err")"
}
cannot_print --version
cannot_print --help
cannot_print help bench
cannot_print help --list ops
cannot_print info
cannot_print info --json
cannot_print bench dot --prec d --size 1000 --device cpu --seconds 0.01 --no-save
cannot_print bench dot --prec d --size 1000 --device cpu --seconds 0.01 --no-save --json
cannot_print bench dot --prec d --size 1000 --device cpu --seconds 0.01 --no-save --csv
cannot_print explain dot 1000 --device cpu --no-measure
cannot_print doctor --device cpu
cannot_print report --out "$work/page.html"
cannot_print tune dot --prec d --size 1000 --device cpu --dry-run
# A wrong command line stays one.
"$gable" frobnicate >/dev/full 2>"$work/err"
[ $? -eq 2 ] || fail "a wrong command line with a full disk is no usage error"
# What says nothing cannot fail to say it.
"$gable" --version >"$work/out" || fail "--version: exit code $?"

# ---- files: the command is the last of a pipe, so that its own output is not cut ---------------------------
limited() {
    (
        trap '' XFSZ
        ulimit -f 0
        "$gable" "$@" 2>&1
        echo "exit code $?"
    ) | cat >"$work/out"
}
limited tune dot --prec d --size 1000 --device cpu --budget 1s
grep -q 'tuning.jsonl cannot be written: File too large' "$work/out" || fail "tune does not say what it could not write: $(cat "$work/out")"
grep -q 'gable_[a-z_]*:' "$work/out" && fail "tune blames a function: $(cat "$work/out")"
grep -q '^exit code 1$' "$work/out" || fail "tune without room: $(cat "$work/out")"
grep -q '1 failed' "$work/out" || fail "tune does not count the case as failed: $(cat "$work/out")"
limited info --roofs --device cpu
grep -q 'kept in' "$work/out" && fail "info --roofs claims to have kept the roofs"
grep -q '^exit code 1$' "$work/out" || fail "info --roofs without room: $(tail -n 1 "$work/out")"
limited bench dot --prec d --size 1000 --device cpu --seconds 0.01
grep -q 'rows are not kept' "$work/out" || fail "bench does not say that rows are not kept"
grep -q '^exit code 0$' "$work/out" || fail "bench without room to keep rows: $(tail -n 1 "$work/out")"
limited report --out "$work/page.html"
grep -q 'cannot be written' "$work/out" || fail "report: $(cat "$work/out")"
grep -q '^exit code 1$' "$work/out" || fail "report without room: $(cat "$work/out")"

# ---- nothing measured is nothing praised -------------------------------------------------------------------
"$gable" bench dot --prec d --size 1e14 --device cpu --no-save >"$work/out" 2>"$work/err"
[ $? -eq 1 ] || fail "bench without memory: not exit code 1"
grep -q 'all 0 rows' "$work/out" && fail "0 rows are praised"
grep -q 'nothing was measured' "$work/out" || fail "bench does not say that nothing was measured: $(cat "$work/out")"

[ "$failures" -eq 0 ] || exit 1
