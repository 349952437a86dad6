#!/bin/sh
# tool_bench_test.sh: the four routines measured on a device: rows in the agreed form, results right.
# SPDX-License-Identifier: BSD-3-Clause
#
#   GABLE_DEVICE=cpu tool_bench_test.sh GABLE JSON_LINES KERNEL_FOLDER
set -u
gable=$1
json_lines=$2
kernels=$3
device=${GABLE_DEVICE:-cpu}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

if ! "$gable" bench copy --size 1 --seconds 0.01 >"$work/out" 2>"$work/err"; then
    cat "$work/err"
    case ",${GABLE_REQUIRE:-}," in
    *",${device#opencl:},"*)
        echo "FAILED: GABLE_REQUIRE names $device"
        exit 1
        ;;
    esac
    grep -q 'device' "$work/err" && exit 77
    exit 1
fi

# ---- rows -----------------------------------------------------------------------------------------
"$gable" bench copy axpy dot nrm2 zdotc --prec sdcz --size 1000,100000 --hot --seconds 0.01 \
    --against openblas,cublas,clblast --json >"$work/rows" 2>"$work/err"
got=$?
[ "$got" -eq 0 ] || fail "bench: exit code $got: $(cat "$work/err")"
"$json_lines" <"$work/rows" >"$work/values" || fail "bench --json: $(tail -n 1 "$work/values")"
# 4 routines in 4 precisions and zdotc, 2 sizes, 2 modes, 2 temperatures; one line before them.
[ "$(wc -l <"$work/rows")" -eq 137 ] || fail "bench has $(wc -l <"$work/rows") lines, must have 137"
awk -v names='op prec args.n device variant mode temp usec usec_min gbs gflops roof error vs' '
    $1 == 1 { first[$2] = 1; next }
    { seen[$1] = seen[$1] " " $2; value[$1, $2] = $3; last = $1 > last ? $1 : last }
    END {
        count = split("date commit version device driver", need, " ")
        for (i = 1; i <= count; i++)
            if (!(need[i] in first))
                print "the first line has no " need[i]
        for (row = 2; row <= last; row++) {
            text = seen[row]
            gsub(/ args\.conj/, "", text)
            gsub(/ vs\.[a-z]*/, " vs", text)
            gsub(/( vs)+/, " vs", text)
            if (text != " " names)
                print "row " row " has the members" text
            if (!(value[row, "error"] <= 1) || value[row, "error"] == "null")
                print "row " row " has error " value[row, "error"]
            if (!(value[row, "usec"] > 0) || !(value[row, "usec_min"] > 0) ||
                value[row, "usec_min"] > value[row, "usec"] * 1.0001 || !(value[row, "roof"] > 0))
                print "row " row " has times " value[row, "usec"] ", " value[row, "usec_min"]
        }
    }' "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong")"

# ---- one element, and more than one period of the data ----------------------------------------------
"$gable" bench copy axpy dot nrm2 --size 1,2000003 --seconds 0.01 --json >"$work/rows" 2>"$work/err" ||
    fail "bench at 1 and 2000003: exit code $?: $(cat "$work/err")"

# ---- the table ------------------------------------------------------------------------------------
"$gable" bench ddot --size 1000 --seconds 0.01 >"$work/table" || fail "the table: exit code $?"
grep -q '^ddot  *1000  *[a-z_]*  *replay cold ' "$work/table" || fail "no row in: $(cat "$work/table")"
grep -q '^all 2 rows are within their error bounds$' "$work/table" || fail "no summary"

# ---- a peer that is missing is a note ---------------------------------------------------------------
case $device in
cuda*) peer=clblast ;;
*) peer=cublas ;;
esac
"$gable" bench sdot --size 1000 --seconds 0.01 --against $peer >"$work/table" ||
    fail "a missing peer: exit code $?"
grep -q "^note *$peer is not shown" "$work/table" || fail "a missing peer gets no note"

# ---- a wrong kernel fails the row ---------------------------------------------------------------------
case $device in
cpu) ;;
*)
    cp -R "$kernels" "$work/kernels"
    sed 's/R_fma(a, b, c)/R_fma(a, a, c)/' "$kernels/prec.h" >"$work/kernels/prec.h"
    cmp -s "$kernels/prec.h" "$work/kernels/prec.h" && fail "prec.h is no longer as this test knows it"
    for op in daxpy sdot; do
        GABLE_KERNEL_DIR=$work/kernels "$gable" bench $op --size 1000 --seconds 0.01 >"$work/table"
        got=$?
        [ "$got" -eq 1 ] || fail "a wrong $op: exit code $got, must be 1"
        grep -q 'FAILED$' "$work/table" || fail "a wrong $op is not marked: $(cat "$work/table")"
    done
    ;;
esac

[ "$failures" -eq 0 ] || exit 1
