#!/bin/sh
# tool_usage_test.sh: the command's exit codes, sentences, help and JSON.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_usage_test.sh GABLE JSON_LINES
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2
XDG_DATA_HOME=$work/home # rows are kept there, not in the user's own folder
export XDG_DATA_HOME

# expect CODE PIECE ARGUMENTS...: the exit code, and a piece of what is said; bad usage says one line.
expect() {
    code=$1
    piece=$2
    shift 2
    "$gable" "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$code" ] || fail "gable $*: exit code $got, must be $code: $(cat "$work/err")"
    cat "$work/out" "$work/err" | grep -qF -e "$piece" || fail "gable $*: does not say \"$piece\""
    if [ "$code" -eq 2 ] && [ "$#" -gt 0 ] && [ "$(wc -l <"$work/err")" -ne 1 ]; then
        fail "gable $*: a wrong command line must be answered by one line"
    fi
}

small='--size 100 --seconds 0.01 --device cpu'

# ---- wrong command lines: 2 -----------------------------------------------------------------------
expect 2 'usage:'
expect 2 'no subcommand "frobnicate"' frobnicate
expect 2 'no subcommand "frobnicate"' help frobnicate
expect 2 'no op "frobnicate"' bench frobnicate
expect 2 'no op "ddto"; did you mean ddot? `gable help --list ops` lists them' bench ddto
expect 2 'did you mean bench?' bnech
expect 2 'did you mean --size?' bench dot --sise 3
expect 2 'no option "--frobnicate"' --frobnicate
expect 2 '--list is "frobnicate"' help --list frobnicate
expect 2 'one subcommand' help bench info
expect 2 'needs an op' bench
expect 2 'no option --frobnicate' bench dot --frobnicate
expect 2 'no option --frobnicate' info --frobnicate
expect 2 'no option --frobnicate' inspect dot --frobnicate
for size in 0 -3 x 1.5 10,,20 '10,' 1e99 10x 10x0 ''; do
    expect 2 '--size' bench dot --size "$size"
done
expect 2 '--size has "10x3"' bench dot --size 10x3
expect 2 'take one' bench dot --json --csv
expect 2 '--color is "red"' bench dot --color red
expect 2 '--color is "red"' doctor --color red
expect 2 'takes no names' doctor cpu
expect 2 'single commas' bench dot --device cpu,
expect 2 'single commas' bench dot --device cpu,,opencl
expect 2 'cpu twice' bench dot --device cpu,cpu:0
expect 2 '--size needs a value' bench dot --size
expect 2 '--prec has "q"' bench dot --prec q
expect 2 'ask with --prec cz' bench dotc --prec sd
# --prec is for stems: a typed name that says something else is no such thing.
expect 2 '--prec is "s", but dgemv is of precision d' bench dgemv --prec s
expect 2 '--prec is "sd", but dgemv is of precision d' bench dgemv --prec sd
expect 2 '--prec is "s", but dgemv is of precision d' explain dgemv 100 --prec s
expect 2 '--prec is "s", but dgemv is of precision d' tune dgemv --prec s
# shellcheck disable=SC2086 # words
expect 0 'ddot' bench ddot --prec d $small
# shellcheck disable=SC2086
expect 0 'zdotc' bench dotc $small
expect 2 'it is not of dot' explain dot 100 --no-measure --device cpu --variant gemv=omp
expect 2 '--with-vendor' tune dot --variant vendor
# Words of the environment that mean nothing.
export GABLE_TUNING=of
expect 2 'GABLE_TUNING is "of"; it must be on or off' info
expect 2 'GABLE_TUNING is "of"' bench dot
unset GABLE_TUNING
expect 2 '--seconds is "0"' bench dot --seconds 0
expect 2 '--seconds is "a"' bench dot --seconds a
expect 2 'no peer "frobnicate"' bench dot --against frobnicate
expect 2 '--hot takes no value' bench dot --hot=1
# shellcheck disable=SC2086 # words
expect 2 'which has' bench dot --variant frobnicate $small
# shellcheck disable=SC2086
expect 2 'does not exist' bench dot --variant frobnicate=omp $small
expect 2 'no kernel "frobnicate"; `gable help --list kernels` lists them' inspect frobnicate
expect 2 'no kernel "gemv_m"; did you mean gemv_n? `gable help' inspect gemv_m
expect 2 'needs one kernel' inspect
expect 2 '--prec is "sd"' inspect dot --prec sd
expect 2 '--arch is "90"' inspect dot --arch 90
expect 2 '--set names "FROB"' inspect dot --set FROB=1
expect 2 '--set has' inspect dot --set WX
expect 2 'goes with --roofs' info --device cpu
expect 2 'takes no names' info dot

# ---- what cannot be done: 1 -----------------------------------------------------------------------
expect 1 'no device "frobnicate"' bench dot --device frobnicate
expect 1 'cpu:7' bench dot --device cpu:7
expect 1 'no device "frobnicate"' bench dot --device cpu,frobnicate
[ ! -s "$work/out" ] || fail "something is measured though a device is missing: $(cat "$work/out")"
expect 1 'no device "frobnicate"' info --roofs --device frobnicate
GABLE_NVRTC=/nowhere/libnvrtc.so
export GABLE_NVRTC
expect 1 'GABLE_NVRTC' inspect dot --arch sm_80
unset GABLE_NVRTC

# ---- help; tool_docs_test.sh compares the flags ------------------------------------------------------
expect 0 'gable bench' help
for sub in $("$gable" help --list commands); do
    grep -q "^  gable $sub  *[a-z]" "$work/out" || fail "help does not list $sub"
    expect 0 'examples:' "$sub" --help
    cp "$work/out" "$work/direct"
    expect 0 'examples:' help "$sub"
    cmp -s "$work/out" "$work/direct" || fail "help $sub and $sub --help differ"
    [ "$(awk 'length > 100' "$work/out" | wc -l)" -eq 0 ] || fail "help $sub has long lines"
    "$gable" help >"$work/out"
done
expect 0 'gable bench' --help
expect 0 'gable 0.' --version
for list in flags words ops peers devices variants kernels; do
    expect 0 '' help --list $list
    [ "$(sort "$work/out" | uniq -d | wc -l)" -eq 0 ] || fail "help --list $list repeats names"
    [ -s "$work/out" ] || fail "help --list $list is empty"
done

# ---- info -----------------------------------------------------------------------------------------
expect 0 'NVRTC' info
for word in devices cpu libraries BLAS OpenCL caches kernels; do
    grep -qw "$word" "$work/out" || fail "info does not show $word"
done
"$gable" info --json >"$work/info.json" || fail "info --json: exit code $?"
"$json_lines" <"$work/info.json" >"$work/info" || fail "info --json: $(cat "$work/info")"
grep -q '^1 devices.*name cpu$' "$work/info" || fail "info --json has no device cpu"
grep -q '^1 libraries.blas ' "$work/info" || fail "info --json has no libraries.blas"

# The tuning database: a measurement of dot on the cpu, as an older kernel's for copy, damage, an unknown op.
mkdir -p "$work/data/gable"
tuning_info() { XDG_DATA_HOME="$work/data" XDG_DATA_DIRS=/nonexistent "$gable" info "$@"; }
tuning_info --json | "$json_lines" >"$work/info"
grep -q '^1 tuning.entries 0$' "$work/info" || fail "info --json has entries in no database"
grep -q '^1 tuning.built_in.[0-9]* sm_90$' "$work/info" || fail "info --json has no built-in families"
class=$(GABLE_DEVICE=cpu tuning_info --json | "$json_lines" | sed -n 's/^1 tuning.device_class //p')
[ -n "$class" ] || fail "info --json has no device class"
line() { # OP VARIANT KERNEL
    printf '{"op":"%s","prec":"d","variant":"%s","params":"","key":"0x114","usec":9,"error":0.1,"kernel":"%s","device":"%s"}\n' \
        "$1" "$2" "$3" "$class"
}
{
    line dot omp ''
    line dot omp ''
    line copy omp 0123456789abcdef
    line later omp ''
    echo damage
    line dot omp '' | cut -c 1-60
} >"$work/data/gable/tuning.jsonl"
GABLE_DEVICE=cpu tuning_info --json | "$json_lines" >"$work/info"
for wanted in 'entries 3' 'old_entries 1' 'bad_lines 2' 'unknown 1'; do
    grep -q "^1 tuning.$wanted\$" "$work/info" || fail "info --json: not $wanted: $(grep tuning "$work/info")"
done
GABLE_DEVICE=cpu tuning_info >"$work/out"
grep -Eq '^  cpu  *exact size buckets: dot 1$' "$work/out" || fail "info does not show the buckets: $(cat "$work/out")"
grep -q '2 damaged lines' "$work/out" || fail "info does not count damaged lines"

# ---- Ctrl-C: the rows so far, and 130 -------------------------------------------------------------
"$gable" bench copy axpy dot nrm2 --prec sdcz --size 1000 --seconds 20 --device cpu --json \
    >"$work/rows" 2>"$work/err" &
sleep 2
kill -INT $! 2>/dev/null
wait $!
got=$?
# A shell may start background jobs with the signal ignored; the command still takes it.
[ "$got" -eq 130 ] || fail "Ctrl-C: exit code $got, must be 130"
"$json_lines" <"$work/rows" >/dev/null || fail "Ctrl-C leaves a torn row"

[ "$failures" -eq 0 ] || exit 1
