#!/bin/sh
# tune_grid.sh: tunes classes of products over a grid of sizes within a time, for the lines that the library carries.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/tune_grid.sh [--seconds N] [--each N] [--device D] [--ops 'gemm syrk ...'] [--precs sdcz]
#                        [--sizes 'A B ...'] [--gable FILE] [--dry-run] FOLDER
#
# Classes are op, precision, flags, sizes by quarter octaves, and whether columns start at multiples of 16 bytes: odd
# sizes are tuned beside multiples of 16. Squares come first, then thin and long products, then batches, so that a short
# run has what is called most. Each class has the --each seconds (default 6) of one `gable tune`, and a database of its own
# in FOLDER/classes: the tuner keeps measurements by octaves, and must not mix up two sizes of one octave. What FOLDER has
# already is not measured again, so the same command goes on where it was stopped; no class is begun that would
# pass --seconds (default 1500), if it took as long as the longest before it. Take the winners over with
#
#   build/test_builtin --merge sm_90 src/tune/builtin/sm_90.jsonl FOLDER/winners.jsonl
set -u
seconds=1500 each=6 device=cuda:0 ops='gemm syrk syr2k symm gemm_strided' precs=sdcz gable=build/gable dry=
sizes='128 152 180 215 256 304 362 431 512 609 724 861 1024 1218 1448 1722 2048 2435 2896 3444 4096'
while [ $# -gt 1 ]; do
    case $1 in
    --seconds) seconds=$2 ;;
    --each) each=$2 ;;
    --device) device=$2 ;;
    --ops) ops=$2 ;;
    --precs) precs=$2 ;;
    --sizes) sizes=$2 ;;
    --gable) gable=$2 ;;
    --dry-run)
        dry=1
        shift
        continue
        ;;
    *)
        echo "tune_grid.sh: no option $1" >&2
        exit 2
        ;;
    esac
    shift 2
done
folder=${1:-}
case $folder in
'' | -*)
    echo "usage: tune_grid.sh [--seconds N] [--each N] [--device D] [--ops LIST] [--precs LETTERS] [--sizes LIST] [--gable FILE] [--dry-run] FOLDER" >&2
    exit 2
    ;;
esac

# The classes in their order: a number to sort by, op, precision, size, transpositions.
list() {
    awk -v ops="$ops" -v precs="$precs" -v sizes="$sizes" '
        function whole(size) { return size < 16 ? size : int((size + 8) / 16) * 16 }
        function odd(size) { return size % 2 == 1 ? size : size + 1 }
        function add(rank, op, prec, size, flags) { print rank, op, prec, size, flags }
        function shape(op, m, n, k) {
            if (op ~ /^gemm/) return m "x" n "x" k
            return op == "symm" ? m "x" n : n "x" k
        }
        # All flags of a shape, aligned and not; of a batch its number is last.
        function each(rank, op, prec, m, n, k, many,    i, flags, count) {
            count = op ~ /^gemm/ ? split("NN TN NT TT", flags, " ") : op == "symm" ? split("-", flags, " ") : split("N T", flags, " ")
            for (i = 1; i <= count; i++) {
                add(rank + (i > 2), op, prec, shape(op, whole(m), whole(n), whole(k)) many, flags[i])
                add(rank + (i > 2), op, prec, shape(op, odd(m), odd(n), odd(k)) many, flags[i])
            }
        }
        BEGIN {
            op_count = split(ops, op, " "); size_count = split(sizes, size, " ")
            for (o = 1; o <= op_count; o++)
                for (p = 1; p <= length(precs); p++)
                    for (s = 1; s <= size_count; s++) {
                        n = size[s]; letter = substr(precs, p, 1); even = s % 2 == 1
                        if (op[o] ~ /_strided$|_batched$/) {
                            if (n <= 256) each(3, op[o], letter, n / 8, n / 8, n / 8, "x4000")
                            continue
                        }
                        # Every second size first; gemm before what is made of it.
                        each((even ? 0 : 4) + (op[o] == "gemm" ? 0 : 2), op[o], letter, n, n, n, "")
                        if (op[o] != "gemm" || !even)
                            continue
                        each(8, op[o], letter, n, n, 64, "")
                        each(8, op[o], letter, 64, 64, 32 * n, "")
                        each(10, op[o], letter, 8 * n, 64, n, "")
                        each(10, op[o], letter, n, 4 * n, n, "")
                    }
        }' | sort -s -n -k 1,1 | awk '!seen[$2, $3, $4, $5]++'
}

now() { date +%s; }
mkdir -p "$folder/classes" || exit 1
start=$(now) done=0 before=0 late=0 failed=0 longest=$each
list >"$folder/list" || exit 1
all=$(wc -l <"$folder/list")
if [ -n "$dry" ]; then
    cut -d ' ' -f 2- "$folder/list"
    exit 0
fi
stopped=
trap 'stopped=1' INT TERM
while read -r _ op prec size flags; do
    class=$op-$prec-$size-$flags
    place=$folder/classes/$class
    [ -z "$stopped" ] || break
    if [ -s "$place.jsonl" ]; then
        before=$((before + 1))
        continue
    fi
    if [ $(($(now) - start + longest)) -gt "$seconds" ]; then
        late=$((late + 1))
        continue
    fi
    began=$(now)
    set -- "$op" --prec "$prec" --size "$size"
    [ "$flags" = - ] || set -- "$@" --trans "$flags"
    mkdir -p "$place.data/gable"
    # The roofs are known once for all.
    [ ! -f "$folder/roofs.jsonl" ] || cp "$folder/roofs.jsonl" "$place.data/gable/roofs.jsonl"
    if XDG_DATA_HOME=$place.data "$gable" tune "$@" --device "$device" --budget "${each}s" --json \
        >"$place.out" 2>"$place.err" </dev/null && [ -s "$place.data/gable/tuning.jsonl" ]; then
        grep '"winner":true' "$place.data/gable/tuning.jsonl" | tail -n 1 >"$place.jsonl"
        [ -f "$folder/roofs.jsonl" ] || cp "$place.data/gable/roofs.jsonl" "$folder/roofs.jsonl" 2>/dev/null
        done=$((done + 1))
        rm -rf "$place.data" "$place.err"
    else
        failed=$((failed + 1))
        echo "tune_grid.sh: $class: $(tail -n 1 "$place.err")" >&2
        rm -rf "$place.data"
    fi
    took=$(($(now) - began))
    [ "$took" -le "$longest" ] || longest=$took
    printf '\r%d of %d classes, %d s ' $((before + done + failed)) "$all" $(($(now) - start)) >&2
done <"$folder/list"
cat "$folder"/classes/*.jsonl >"$folder/winners.jsonl" 2>/dev/null
printf '\n' >&2
echo "$done classes tuned, $before known before, $failed failed, $late left for want of time; winners in $folder/winners.jsonl"
[ -z "$stopped" ] || exit 130
[ "$failed" -eq 0 ]
