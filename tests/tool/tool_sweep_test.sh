#!/bin/sh
# tool_sweep_test.sh: `gable bench --random`: cases drawn at random, what they say, what choices lose.
# SPDX-License-Identifier: BSD-3-Clause
#
#   GABLE_DEVICE=cpu tool_sweep_test.sh GABLE JSON_LINES
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2

needs_device "$gable" bench copy --size 1 --seconds 0.01

# sweep OPTION...: a sweep of small cases.
sweep() { "$gable" bench "$@" --seconds 0.01 2>"$work/err"; }
# drawn FILE: what was drawn, without what was measured.
drawn() { sed -n 's/.*"arguments":"\([^"]*\)".*"vs".*/\1/p' "$1"; }

# ---- rows -----------------------------------------------------------------------------------------
# Kernels take long to compile on PoCL: few cases there. Of each op and precision the same number, in turn.
case $device in
cpu) ops='gemm syrk symm trsm gemv dot' precs=sd count=2 each=12 one=gemv cases=3 ;;
*) ops='dot nrm2' precs=d count=2 each=2 one=dot cases=1 ;;
esac
# shellcheck disable=SC2086 # words
sweep $ops --random $count --seed 7 --range 3:40 --prec $precs --json --against openblas,cublas,clblast >"$work/rows" ||
    fail "bench --random: exit code $?: $(cat "$work/err")"
"$json_lines" <"$work/rows" >"$work/problems" || fail "rows are no JSON: $(cat "$work/problems")"
[ "$(drawn "$work/rows" | wc -l)" -eq $((count * each)) ] || fail "not $((count * each)) rows: $(cat "$work/rows")"
grep -c '"mode":"replay","temp":"cold"' "$work/rows" | grep -qx $((count * each)) || fail "rows are not replayed and cold"
tail -n 1 "$work/rows" | grep -q "^{\"sweep\":{\"random\":$count,\"seed\":7,\"cases\":$((count * each)),\"rows\":$((count * each))," ||
    fail "no summary ends the rows: $(tail -n 1 "$work/rows")"
for member in '"against":"roof","routine":"all"' '"p5":' '"worst":\[{' '"late":0'; do
    tail -n 1 "$work/rows" | grep -q "$member" || fail "the summary has no $member: $(tail -n 1 "$work/rows")"
done
grep -rq '"arguments"' "$work/data" 2>/dev/null && fail "rows of a sweep were kept"

# ---- the same cases again -------------------------------------------------------------------------------
# shellcheck disable=SC2086 # words
sweep $ops --random $count --seed 7 --range 3:40 --prec $precs --json >"$work/again" || fail "the same again: exit code $?"
drawn "$work/rows" >"$work/first"
drawn "$work/again" >"$work/second"
cmp -s "$work/first" "$work/second" || fail "a seed draws other cases: $(diff "$work/first" "$work/second")"
# shellcheck disable=SC2086 # words
sweep $ops --random $count --seed 8 --range 3:40 --prec $precs --json >"$work/other"
drawn "$work/other" | cmp -s - "$work/first" && fail "another seed draws the same cases"

# ---- a row alone ----------------------------------------------------------------------------------------
# What is printed as arguments measures the same case.
awk '!seen[substr($1, 2)]++' "$work/first" >"$work/some"
while read -r arguments; do
    # shellcheck disable=SC2086 # words
    sweep $arguments --json >"$work/alone" || fail "$arguments: exit code $?: $(cat "$work/err")"
    args=$(grep -F "\"arguments\":\"$arguments\"" "$work/rows" | sed 's/.*\("args":{[^}]*}\).*/\1/' | head -n 1)
    grep -qF "$args" "$work/alone" || fail "$arguments alone is not $args: $(cat "$work/alone")"
done <"$work/some"

# ---- people -----------------------------------------------------------------------------------------------
sweep d$one --random $cases --range 3:40 --regret >"$work/table" || fail "--regret: exit code $?: $(cat "$work/err")"
grep -Eq '^op  *(size|n)  *beta  *offset  *ld  *variant .* regret$' "$work/table" || fail "no titles in: $(cat "$work/table")"
[ "$(grep -c "^d$one .*%\$" "$work/table")" -eq $cases ] || fail "not $cases rows with a regret: $(cat "$work/table")"
for against in roof regret; do
    grep -q "^  $against  *d$one  *$cases " "$work/table" || fail "no $against of $cases rows in: $(cat "$work/table")"
done
grep -q "^the $cases worst beside the roof, as gable bench takes them\$" "$work/table" || fail "no worst cases"
[ "$failures" -eq 0 ] || exit 1
[ "$device" = cpu ] || exit 0
grep -q '^all 3 rows are within their error bounds$' "$work/table" || fail "no last line"
sweep dgemv --random 2 --range 3:40 --regret --csv >"$work/csv" || fail "--csv: exit code $?"
head -n 1 "$work/csv" | grep -q ',regret,better$' || fail "titles of CSV: $(head -n 1 "$work/csv")"
[ "$(wc -l <"$work/csv")" -eq 3 ] || fail "CSV has $(wc -l <"$work/csv") lines"

# ---- a budget, Ctrl-C -----------------------------------------------------------------------------------
sweep dgemv --random 100000 --range 3:40 --budget 0.5 --json >"$work/rows" || fail "--budget: exit code $?"
grep -q 'the budget was spent before [0-9]* further cases' "$work/err" || fail "a spent budget is not told: $(cat "$work/err")"
rows=$(drawn "$work/rows" | wc -l)
[ "$rows" -ge 1 ] && [ "$rows" -lt 100000 ] || fail "$rows rows in half a second"
tail -n 1 "$work/rows" | grep -q "\"rows\":$rows,\"again\":0,\"late\":$((100000 - rows))," || fail "$rows rows, and: $(tail -n 1 "$work/rows")"
# Two rows after its first line a signal comes; a shell may start background jobs with it ignored, and the command still takes it.
mkfifo "$work/pipe"
"$gable" bench dgemv --random 100000 --range 3:40 --seconds 0.01 --json >"$work/pipe" 2>"$work/err" &
run=$!
lines=0
last=
while read -r line; do
    last=$line
    lines=$((lines + 1))
    [ $lines -eq 3 ] && kill -INT $run
done <"$work/pipe"
wait $run
got=$?
[ $got -eq 130 ] || fail "Ctrl-C: exit code $got: $(cat "$work/err")"
printf '%s' "$last" | grep -q '"figures":\[{"against":"roof"' || fail "after Ctrl-C nothing is said of what was measured: $last"

# ---- what does not go together ------------------------------------------------------------------------
for wrong in '--random 0:--random is "0"' '--random 5 --size 7:leave out --size' '--random 5 --range 7:--range is "7"' \
    '--random 5 --range 9!8:--range is "9:8"' '--seed 4:--random' '--random 5 --beta 1:do not go together' \
    '--random 5 --hot:do not go together' '--random 5 --regret --variant blas:take one of them' \
    '--random 5 --device cpu,opencl!pocl:one device at a time'; do
    options=$(printf '%s' "${wrong%%:*}" | tr '!' ':')
    # shellcheck disable=SC2086 # words
    sweep gemm $options >"$work/table"
    got=$?
    [ $got -eq 2 ] && grep -qF -- "${wrong#*:}" "$work/err" || fail "$options: exit code $got: $(cat "$work/err")"
done
sweep gemm --random 1 --range 1e6:1e6 >"$work/table"
got=$?
[ $got -eq 1 ] && grep -q 'no gemm of sizes in that range fits' "$work/err" || fail "no memory: exit code $got: $(cat "$work/err")"

[ "$failures" -eq 0 ] || exit 1
