#!/bin/sh
# run_test.sh: `gable run`: the table, reasons, exit codes, signals, processes that fork or leave by _exit.
# SPDX-License-Identifier: BSD-3-Clause
#
#   run_test.sh GABLE LINK_USER
set -u
gable=$1
user=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
export GABLE_DEVICE=cpu GABLE_TUNING=off
unset GABLE_LINK GABLE_LINK_LOG GABLE_LINK_ROUTINES LD_PRELOAD 2>/dev/null

# run STATUS ARGUMENTS...: the command's output is in $work/out and $work/err.
run() {
    wanted=$1
    shift
    "$gable" run "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq "$wanted" ] || fail "gable run $*: status $status, not $wanted: $(cat "$work/err")"
}
says() { grep -qE -e "$1" "$work/err" || fail "no \"$1\" in: $(cat "$work/err")"; }

"$gable" run --help | grep -q "LAPACK's routines for linear systems" || fail "the help names no routine of LAPACK"
run 5 -- "$user" 10 7 exit
says 'dgemm +7 +7 +0 +0'
says 'all 7 calls were small'
says 'integers of 32 bits, 1 thread'
run 6 -- "$user" 10 3 _exit
says 'dgemm +3 +3'
run 0 -- "$user" 10 4 fork
says 'dgemm +8 +8'
says '2 processes made calls'
run 0 --link device -- "$user" 30 4 nothing
says 'dgemm +4 +0 +0 +4'
says 'device: cpu'
says 'saved: not known'
run 0 --link device -- "$user" 30 4 fork
says 'dgemm +8 +0 +4 +4'
run 0 --link cpu --log "$work/log" -- "$user" 100 2 nothing
says 'dgemm +2 +0 +2 +0'
says 'the settings forbid it'
[ "$(grep -c '^dgemm_ m=100 n=100 k=100 next=libplain_blas.so cpu ' "$work/log")" -eq 2 ] || fail "the log: $(cat "$work/log")"
run 0 -- "$user" 100 2 nothing
says 'do not pay for opening a device'
says '100 x 100 x 100'
# A product of 10 ms and more leaves its rate for the next run.
XDG_DATA_HOME=$work/data
export XDG_DATA_HOME
run 0 --link cpu -- "$user" 400 2 nothing
grep -qE '"library":"[^"]*libplain_blas.so","kind":"plain","threads":1,"routine":"gemm","prec":"d","multiply_adds":64000000,' \
    "$work/data/gable/cpu_rates.jsonl" || fail "rates: $(cat "$work/data/gable/cpu_rates.jsonl")"
run 0 --link cpu -- "$user" 100 2 nothing
[ "$(wc -l <"$work/data/gable/cpu_rates.jsonl")" -eq 1 ] || fail "a short product left a rate"
GABLE_LINK_ROUTINES=-trsm,-gemm
export GABLE_LINK_ROUTINES
run 0 --link device -- "$user" 30 4 nothing
says 'dgemm +4 +0 +4 +0'
unset GABLE_LINK_ROUTINES
run 0 -- "$user" 10 0 nothing
says 'had loaded libplain_blas.so|no BLAS routine'
run 0 -- true
says 'no BLAS library was seen'
run 127 -- "$work/no-such-program"
run 2 -- 
run 2 "$user"
run 0 --quiet -- "$user" 10 7 nothing
[ ! -s "$work/err" ] || fail "--quiet prints $(cat "$work/err")"

# A program that a signal ends: so does the command.
sh -c '"$1" run -- "$2" 10 7 signal; echo "status $?"' sh "$gable" "$user" >"$work/out" 2>"$work/err"
grep -q '^status 137$' "$work/out" || fail "after SIGKILL: $(cat "$work/out")"
says 'dgemm +7 +7'

# Where there is no shared memory the counters are in another folder.
# shellcheck disable=SC2016 # read by the inner shell
if unshare -rm sh -c 'mount -t tmpfs -o ro none /dev/shm' 2>/dev/null; then
    unshare -rm sh -c 'mount -t tmpfs -o ro none /dev/shm && exec "$@"' sh "$gable" run -- "$user" 10 7 nothing 2>"$work/err" ||
        fail "without /dev/shm: $(cat "$work/err")"
    says 'dgemm +7 +7'
fi

# Nothing stays behind.
# shellcheck disable=SC2016 # the program's shell reads it
run 0 -- sh -c 'ls "$GABLE_LINK_COUNTERS"'
[ -n "$(cat "$work/out")" ] || fail "the program does not see the file of counters"
[ ! -e "$(cat "$work/out")" ] || fail "the file of counters stays"

# A static program says so, where the C library can be linked so.
if command -v cc >/dev/null && printf 'int main(void) { return 0; }\n' | cc -static -x c - -o "$work/static" 2>/dev/null; then
    run 0 -- "$work/static"
    says 'linked statically'
fi
echo "$failures failures"
[ $failures -eq 0 ]
