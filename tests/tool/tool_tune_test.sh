#!/bin/sh
# tool_tune_test.sh: `gable tune`: the database grows, a second run goes on, choices follow, Ctrl-C keeps lines.
# SPDX-License-Identifier: BSD-3-Clause
#
#   GABLE_DEVICE=cpu tool_tune_test.sh GABLE JSON_LINES
#
# Sizes and budgets are tiny: what is looked at is what was written, not how fast anything is. On devices
# with kernels, whose compilers take their time, only the first part runs.
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2
source=$3
export XDG_DATA_HOME="$work/data" XDG_CACHE_HOME="$work/cache" XDG_DATA_DIRS="$work/none"
unset GABLE_VARIANT GABLE_TUNING
mkdir -p "$XDG_DATA_HOME" "$XDG_CACHE_HOME"
file=$XDG_DATA_HOME/gable/tuning.jsonl

lines() {
    if [ -f "$1" ]; then wc -l <"$1"; else echo 0; fi
}

# value PATH: of the JSON lines in $work/json, the first.
value() {
    awk -v path="$1" '$2 == path { sub(/^[^ ]* [^ ]* /, ""); print; exit }' "$work/json"
}

# tune ARGUMENTS...: rows as JSON values in $work/json.
tune() {
    "$gable" tune "$@" --json >"$work/out" 2>"$work/err" || return $?
    "$json_lines" <"$work/out" >"$work/json" || fail "tune $*: $(cat "$work/json")"
}

needs_device "$gable" tune axpy --size 1000 --dry-run
[ -f "$file" ] && fail "a dry run wrote $file"
# Products: sizes of each kind, pairs, sides; without --size thin ones among them.
"$gable" tune dgemm --size 64,64x8x32 --trans NT --dry-run >"$work/out" || fail "tune gemm --dry-run: exit code $?"
grep -q '^dgemm NT  *64x8x32 ' "$work/out" || fail "no dgemm NT of 64x8x32 in: $(cat "$work/out")"
"$gable" tune dtrsm dgemm_strided --side R --dry-run >"$work/out" || fail "tune trsm --dry-run: exit code $?"
for row in '^dtrsm R L T  *4096x64 ' '^dgemm_strided NN  *16x16x16x100000 '; do
    grep -q "$row" "$work/out" || fail "no row $row in: $(cat "$work/out")"
done
grep -q ' 4096x64x4096 ' "$work/out" && fail "trsm takes a size of gemm"

# ---- a first run, and a second that goes on -------------------------------------------------------
tune daxpy --size 1000 --budget 1s || fail "tune daxpy: exit code $?: $(cat "$work/err")"
first=$(lines "$file")
timed=$(value timed)
[ "$first" -ge 2 ] || fail "the database has $first lines after a first run"
[ "$timed" -ge 1 ] || fail "nothing was timed"
[ "$(value before)" -eq 0 ] || fail "a first run found $(value before) measurements"
[ "$(value wrong)" -eq 0 ] || fail "$(value wrong) wrong results"
"$json_lines" <"$file" >"$work/values" || fail "the database is no JSON: $(cat "$work/values")"
[ "$(grep -c ' winner true$' "$work/values")" -eq 1 ] || fail "there is not one winner"
case $device in
cpu) ;;
*) grep -q ' kernel ""' "$work/values" && fail "an entry of $device has no kernel's hash" ;;
esac

# On devices with kernels, more measurements of slow choices: they must not be made again, but for the
# fastest three, where a search starts. They differ in `vec` and `unroll`, because at this size many
# numbers of groups are one and the same plan on a large GPU.
more=0
if [ "$device" != cpu ]; then
    for tunables in 1,1 1,2 1,4 1,8 2,1 2,2 2,4 2,8; do
        grep '"winner":true' "$file" | sed "s/local=[0-9]*/local=32/; s/vec=[0-9]*/vec=${tunables%,*}/
            s/unroll=[0-9]*/unroll=${tunables#*,}/
            s/\"usec\":[0-9.e+-]*/\"usec\":1e6/; s/\"winner\":true/\"winner\":false/"
    done >"$work/more.jsonl"
    "$gable" tune --import "$work/more.jsonl" 2>"$work/err" || fail "--import: exit code $?: $(cat "$work/err")"
    more=1
fi
first=$(lines "$file")
tune daxpy --size 1000 --budget 1s || fail "tune daxpy again: exit code $?: $(cat "$work/err")"
[ "$(value before)" -ge $more ] || fail "a second run does not know of the first"
[ "$(lines "$file")" -gt "$first" ] || fail "a second run wrote nothing"
tune daxpy --size 1000 --budget 0.5s --again || fail "tune --again: exit code $?: $(cat "$work/err")"
[ "$(value before)" -eq 0 ] || fail "--again left out $(value before) measurements"

if [ "$device" != cpu ]; then
    [ "$failures" -eq 0 ] || exit 1
    exit 0
fi

# ---- what was measured is what is chosen ----------------------------------------------------------
tune ddot --size 5000 --budget 1s || fail "tune ddot: exit code $?: $(cat "$work/err")"
chosen=$(value new.choice)
tune ddot --size 5000 --dry-run || fail "a dry run: exit code $?"
[ "$(value old.choice)" = "$chosen" ] || fail "$chosen won, $(value old.choice) is chosen"
if [ "$(value of)" -ge 2 ]; then
    other=omp
    [ "$chosen" = omp ] && other=blas
    grep '"op":"dot"' "$file" | grep '"winner":true' | tail -n 1 |
        sed "s/\"variant\":\"[a-z]*\"/\"variant\":\"$other\"/; s/\"usec\":[0-9.e+-]*/\"usec\":0.001/" >"$work/other.jsonl"
    "$gable" tune --import "$work/other.jsonl" 2>"$work/err" || fail "--import: exit code $?: $(cat "$work/err")"
    grep -q '1 measurement' "$work/err" || fail "--import says: $(cat "$work/err")"
    tune ddot --size 5000 --dry-run
    [ "$(value old.choice)" = "$other" ] || fail "after an import $(value old.choice) is chosen, not $other"
fi
tune ddot --size 5000 --budget 1s --variant omp || fail "--variant: exit code $?: $(cat "$work/err")"
[ "$(value of)" -eq 1 ] || fail "--variant omp leaves $(value of) choices"
tune dcopy --size 5000 --budget 1s --regret || fail "--regret: exit code $?: $(cat "$work/err")"
[ -n "$(value regret)" ] || fail "--regret says nothing"
tune dscal --size 2000 --exhaustive || fail "--exhaustive: exit code $?: $(cat "$work/err")"
[ "$(value ended)" = complete ] || fail "--exhaustive ended by $(value ended)"
"$gable" tune sgemv --size 60 --trans T --budget 1s >"$work/out" 2>"$work/err" ||
    fail "a table: exit code $?: $(cat "$work/err")"
grep -q '^sgemv T  *60x60 ' "$work/out" || fail "the table lacks its row: $(cat "$work/out")"

# ---- files ----------------------------------------------------------------------------------------
"$gable" tune --export "$work/all.jsonl" 2>"$work/err" || fail "--export: exit code $?: $(cat "$work/err")"
[ "$(lines "$work/all.jsonl")" -eq "$(lines "$file")" ] ||
    fail "exported $(lines "$work/all.jsonl") of $(lines "$file") lines"
XDG_DATA_HOME="$work/fresh" "$gable" tune --import "$work/all.jsonl" 2>"$work/err" ||
    fail "--import into an empty folder: exit code $?: $(cat "$work/err")"
[ "$(lines "$work/fresh/gable/tuning.jsonl")" -ge 5 ] ||
    fail "$(lines "$work/fresh/gable/tuning.jsonl") lines were imported"
"$gable" tune --import "$work/nothing" 2>/dev/null
[ $? -eq 1 ] || fail "a file that is not there was imported"

# ---- a grid of classes ----------------------------------------------------------------------------
# Eight classes of one size: each is tuned once, and the second run knows them all.
grid() { sh "$source/scripts/tune_grid.sh" --seconds 60 --each 1 --device cpu --ops gemm --precs s --sizes 24 --gable "$gable" "$@" 2>"$work/err"; }
grid --dry-run "$work/grid" >"$work/classes" || fail "tune_grid.sh --dry-run: exit code $?: $(cat "$work/err")"
squares=$(grep -c '^gemm s 2[0-9]*x2[0-9]*x2[0-9]* [NT][NT]$\|^gemm s 32x32x32 ' "$work/classes")
[ "$squares" -eq 8 ] || fail "$squares squares of eight: $(cat "$work/classes")"
[ "$(sort -u "$work/classes" | wc -l)" -eq "$(wc -l <"$work/classes")" ] || fail "classes occur twice: $(cat "$work/classes")"
head -n 2 "$work/classes" >"$work/few"
(
    # Two of them are enough: the rest is there already.
    mkdir -p "$work/grid/classes"
    sed 1,2d "$work/classes" | while read -r op prec size flags; do echo '{}' >"$work/grid/classes/$op-$prec-$size-$flags.jsonl"; done
)
grid "$work/grid" >"$work/out" || fail "tune_grid.sh: exit code $?: $(cat "$work/err")"
grep -q '^2 classes tuned, [1-9][0-9]* known before, 0 failed, 0 left' "$work/out" || fail "tune_grid.sh says: $(cat "$work/out")"
while read -r op prec size flags; do
    grep -q "\"op\":\"$op\",\"prec\":\"$prec\".*\"winner\":true.*\"size\":\"$size\"" "$work/grid/winners.jsonl" || fail "no winner of $op $size"
done <"$work/few"
grid "$work/grid" >"$work/out"
grep -q '^0 classes tuned' "$work/out" || fail "a second run of tune_grid.sh says: $(cat "$work/out")"
grid --nothing "$work/grid" 2>/dev/null >"$work/out"
[ $? -eq 2 ] || fail "tune_grid.sh takes any option"

# ---- Ctrl-C ---------------------------------------------------------------------------------------
before=$(lines "$file")
"$gable" tune all --prec sd --size 3000 --budget 10m >"$work/out" 2>"$work/err" &
tuner=$!
tries=0
while [ "$(lines "$file")" -eq "$before" ] && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -INT $tuner 2>/dev/null
wait $tuner
code=$?
[ "$(lines "$file")" -gt "$before" ] || fail "nothing was kept at a stop"
# In the background a shell may leave SIGINT ignored; the tuner sets its own handler.
[ $code -eq 130 ] || fail "a stop gave exit code $code: $(cat "$work/err")"
grep -q 'same command again' "$work/err" || fail "a stop does not say how to go on: $(cat "$work/err")"
"$json_lines" <"$file" >"$work/values" || fail "after a stop the database is no JSON: $(cat "$work/values")"

# ---- usage ----------------------------------------------------------------------------------------
refused() {
    "$gable" tune "$@" >"$work/out" 2>"$work/err"
    code=$?
    [ $code -eq 2 ] || fail "tune $*: exit code $code, not 2"
    [ -s "$work/err" ] || fail "tune $* is refused without a word"
}
refused
refused nosuch
refused sparse_mv
grep -q 'is of sparse matrices, whose products are not tuned' "$work/err" || fail "tune sparse_mv: $(cat "$work/err")"
refused cg
refused axpy --budget soon
refused axpy --budget 0
refused axpy --size 0
refused axpy --size 10x10x10
refused axpy --trans T
refused axpy --uplo L
refused gemv --trans X
refused axpy --prec q
refused axpy --variant nosuch
refused axpy --set nosuch=1
refused axpy --set local
refused axpy --set local=3
refused axpy --regret --exhaustive
refused axpy --colour never
"$gable" tune axpy --size 10 --device cuda:99 >/dev/null 2>&1
[ $? -eq 1 ] || fail "a device that is not there: exit code is not 1"
XDG_DATA_HOME=/proc/none "$gable" tune axpy --size 10 >/dev/null 2>"$work/err"
[ $? -eq 1 ] || fail "a folder that cannot be written: exit code is not 1"
grep -q 'XDG_DATA_HOME' "$work/err" || fail "it does not say what to do: $(cat "$work/err")"

[ "$failures" -eq 0 ] || exit 1
exit 0
