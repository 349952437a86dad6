#!/bin/sh
# tool_output_test.sh: the forms of `gable bench`: CSV, devices side by side, colours, progress.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_output_test.sh GABLE JSON_LINES
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2
escape=$(printf '\033')
unset NO_COLOR GABLE_DEVICE

bench() { "$gable" bench "$@" --seconds 0.01; }

# ---- CSV --------------------------------------------------------------------------------------------
bench dot zdotc mdot --prec d --size 100 --device cpu --against openblas,cublas --csv >"$work/csv" 2>"$work/err" ||
    fail "--csv: exit code $?: $(cat "$work/err")"
[ "$(head -n 1 "$work/csv")" = \
    'op,prec,name,n,conj,k,device,variant,mode,temp,usec,usec_min,gbs,gflops,roof,error,openblas,cublas' ] ||
    fail "--csv begins with $(head -n 1 "$work/csv")"
[ "$(wc -l <"$work/csv")" -eq 7 ] || fail "--csv has $(wc -l <"$work/csv") lines, must have 7"
# Fields, with quoted commas taken as one: as many in every row as there are names.
awk '
    { gsub(/"[^"]*"/, "q"); fields = split($0, field, ",") }
    NR == 1 { count = fields; for (i = 1; i <= count; i++) at[field[i]] = i; next }
    fields != count { print "row " NR " has " fields " fields, not " count }
    field[at["usec"]] !~ /^[0-9.e+-]+$/ || field[at["error"]] !~ /^[0-9.e+-]+$/ { print "row " NR " has no numbers" }
    field[at["name"]] == "zdotc" && field[at["conj"]] != "x" { print "zdotc is not conjugated" }
    field[at["name"]] == "ddot" && field[at["conj"]] field[at["k"]] != "" { print "ddot has more than n" }
    field[at["cublas"]] != "" { print "cublas has a time on the cpu" }
' "$work/csv" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "--csv: $(cat "$work/wrong")"

# ---- several devices ----------------------------------------------------------------------------------
# PoCL where it is, beside the cpu.
if "$gable" info --json | "$json_lines" | grep -qi 'title.*pthread\|driver.*portable computing'; then
    other=$("$gable" info --json | "$json_lines" |
        awk '$2 ~ /\.name$/ { name = $3 } $2 ~ /\.driver$/ && /Portable Computing/ && !seen++ { print name }')
    bench dot copy --prec d --size 100 --device cpu,opencl:pocl --against openblas,clblast >"$work/table" 2>"$work/err" ||
        fail "two devices: exit code $?: $(cat "$work/err")"
    grep -Eq "^ *-+ cpu  *-+ $other\$" "$work/table" || fail "no line of devices in: $(cat "$work/table")"
    grep -Eq '^op  *n  *mode  *us  *GB/s +(openblas +)?us  *GB/s  *vs cpu( +clblast)?$' "$work/table" ||
        fail "no titles in: $(cat "$work/table")"
    [ "$(grep -Ec '^(ddot|dcopy)  *100  *(replay|single)( +[0-9.-]+){5,7}$' "$work/table")" -eq 4 ] ||
        fail "two devices do not make four rows: $(cat "$work/table")"
    # The ratio is that of the two times, as far as its digits go.
    awk '$3 == "replay" || $3 == "single" {
        us = 0
        for (i = 4; i <= NF; i++) { if (titles[i] == "us") us = us > 0 ? us / $i : $i; if (titles[i] == "vs") shown = $i }
        if (us - shown > 0.01 * us + 0.03 || shown - us > 0.01 * us + 0.03) print $1, $3, "shows", shown, "for", us
    }
    $1 == "op" { n = 0; for (i = 1; i <= NF; i++) if (!($i == "cpu" && $(i - 1) == "vs")) titles[++n] = $i }' \
        "$work/table" >"$work/wrong"
    [ ! -s "$work/wrong" ] || fail "ratios: $(cat "$work/wrong")"
    for mode in replay single; do
        grep -Eq "^$other vs cpu +$mode  geometric mean [0-9.]+ over 2 rows, worst [0-9.]+ \(d(dot|copy) n = 100 cold\)\$" \
            "$work/table" || fail "no summary of the devices in: $(cat "$work/table")"
    done
    grep -q '^all 8 rows are within their error bounds$' "$work/table" || fail "two devices do not count 8 rows"

    bench ddot --size 100 --device cpu,opencl:pocl --json >"$work/rows" 2>"$work/err" || fail "two devices --json"
    "$json_lines" <"$work/rows" >"$work/values" || fail "two devices --json: $(tail -n 1 "$work/values")"
    [ "$(grep -c '^[2-5] device cpu ' "$work/values")" -eq 2 ] || fail "--json has not two rows of the cpu"
    [ "$(grep -c "^[2-5] device $other " "$work/values")" -eq 2 ] || fail "--json has not two rows of $other"
    grep -q "^1 device cpu .*; $other " "$work/values" || fail "the first object does not name both devices"
else
    echo "devices side by side were not checked: PoCL is not here"
    case ",${GABLE_REQUIRE:-}," in *,pocl,*) fail "GABLE_REQUIRE names pocl" ;; esac
fi

# ---- the summary of a peer ------------------------------------------------------------------------------
if bench ddot saxpy --size 100,200 --device cpu --against openblas >"$work/table" && grep -q '^op .* openblas$' "$work/table"; then
    # The geometric mean of the column is what the summary says.
    awk '$1 == "ddot" || $1 == "saxpy" { log_sum[$4] += log($NF); if (!(least[$4] <= $NF) || !n[$4]) least[$4] = $NF; n[$4]++ }
        $1 == "openblas" && $3 == "geometric" {
            mean = exp(log_sum[$2] / n[$2]); seen++
            if ($5 - mean > 0.02 || mean - $5 > 0.02) print $2 " says " $5 ", the rows " mean
            if ($7 != n[$2] || $10 != least[$2]) print $2 " says " $7 " rows, worst " $10 ", not " n[$2] ", " least[$2]
        }
        END { if (seen != 2) print "there are " seen + 0 " lines of summary, not 2" }' "$work/table" >"$work/wrong"
    [ ! -s "$work/wrong" ] || fail "the summary: $(cat "$work/wrong") in $(cat "$work/table")"
else
    echo "the summary of a peer was not checked: there is no OpenBLAS"
fi

# ---- colours ------------------------------------------------------------------------------------------
bench ddot --size 100 --device cpu >"$work/table"
grep -q "$escape" "$work/table" && fail "colours without a terminal"
bench ddot --size 100 --device cpu --color always >"$work/table"
grep -q "$escape" "$work/table" || fail "--color always has no colours"

# ---- a terminal: colours, progress after two seconds, erased at the end ------------------------------------
# script of util-linux makes one; $1 is what runs there. With all of the cache a measurement takes long enough to tell of it.
on_terminal() { script -qec "stty cols 80; $1" /dev/null </dev/null >"$work/screen" 2>/dev/null; }
if command -v script >/dev/null && on_terminal 'test -t 1 && test -t 2 && echo terminal' &&
    grep -q terminal "$work/screen"; then
    TERM=xterm
    export TERM
    on_terminal "env -u GABLE_BENCH_CACHE '$gable' bench ddot --size 100 --seconds 1.2 --device cpu"
    grep -q "$escape\[1m" "$work/screen" || fail "no colours on a terminal"
    grep -Eq '[0-9]+ %, [0-9]+ s left: ddot n = 100, single cold' "$work/screen" || fail "no progress on a terminal"
    # What a screen shows in the end: each line as its last carriage return leaves it.
    tr -d '\000' <"$work/screen" | sed "s/\r\$//; s/.*\r//" >"$work/seen"
    grep -q ' left: ' "$work/seen" && fail "progress is not erased: $(cat "$work/seen")"
    [ "$(sed "s/$escape\[[0-9]*m//g" "$work/seen" | awk 'length > 80' | wc -l)" -eq 0 ] ||
        fail "lines are longer than the terminal: $(cat "$work/seen")"
    NO_COLOR=1 on_terminal "'$gable' bench ddot --size 100 --seconds 0.01 --device cpu"
    grep -q "$escape" "$work/screen" && fail "NO_COLOR is not respected"
    grep -q ' left: ' "$work/screen" && fail "progress for something short"
    on_terminal "env -u GABLE_BENCH_CACHE '$gable' bench ddot --size 100 --seconds 1.2 --device cpu 2>'$work/err' >/dev/null"
    [ ! -s "$work/err" ] || fail "progress without a terminal: $(cat "$work/err")"
else
    echo "terminals were not checked: there is no script(1)"
fi

[ "$failures" -eq 0 ] || exit 1
