#!/bin/sh
# tool_explain_test.sh: predictions beside measurements, changed devices, and the model's error, on a device.
# SPDX-License-Identifier: BSD-3-Clause
#
#   GABLE_DEVICE=cpu tool_explain_test.sh GABLE JSON_LINES
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2

# ask ARGUMENTS...: `gable explain`, its values in $work/values.
ask() {
    "$gable" explain "$@" --json >"$work/out" 2>"$work/err" || fail "explain $*: exit code $?: $(cat "$work/err")"
    "$json_lines" <"$work/out" >"$work/values" || fail "explain $*: $(tail -n 1 "$work/values")"
}

# refused PIECE ARGUMENTS...: exit code 2, and a piece of the one sentence.
refused() {
    piece=$1
    shift
    "$gable" explain "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq 2 ] || fail "explain $*: exit code $got, must be 2"
    grep -qF -e "$piece" "$work/err" || fail "explain $*: does not say \"$piece\": $(cat "$work/err")"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "explain $*: more than one line"
}

needs_device "$gable" explain dot 100 --no-measure

# ---- wrong command lines --------------------------------------------------------------------------
refused 'needs an op and its sizes'
refused 'needs an op and its sizes' dot
refused 'did you mean ddot?' ddto 100
refused 'SIZES has "10,,20"' dot 10,,20
refused 'SIZES has "10x3"' dot 10x3
refused '--trans is for ops such as gemv' dot 10 --trans N
refused '--trans has "N,X"' dgemv 10 --trans N,X
refused '--trans has "NT"' dgemv 10 --trans NT
refused 'pairs, as in NN,TN' dgemm 10 --trans NTX
refused '--side is for ops such as symm' dgemm 10 --side L
refused '--side has "U"' dtrsm 10 --side U
refused 'gemm takes n or m x n x k' dgemm 10x20
refused '--prec has "q"' dot 10 --prec q
refused 'memory, cache, launch, latency, barrier, arithmetic, units, link' dot 10 --what-if speed=2x
refused 'sets memory to "fast"' dot 10 --what-if memory=fast
refused 'sets memory to "0"' dot 10 --what-if memory=0
refused 'name=value' dot 10 --what-if memory
refused 'leave one of them out' dot 10 --arch h200 --device cpu
refused '--arch is "90"' dot 10 --arch 90
refused 'add --no-measure' dot 10 --with-transfer
refused 'which has' dot 10 --variant frobnicate

# ---- predictions ----------------------------------------------------------------------------------
# Terms add up, the limiter is the largest, launch and latency counted together; a faster memory is never slower, a launch for nothing has no term.
cat >"$work/rows.awk" <<'EOF_AWK'
{ value[$1, $2] = $3; rest[$1, $2] = substr($0, length($1) + length($2) + 3); last = $1 }
function near(a, b) { return (a > b ? a - b : b - a) <= 1e-5 * (a > b ? a : b) + 1e-9 }
function check(row, at,    sum, most, i, name) {
    count = split("launch latency cache memory arithmetic matrix local tail link", name, " ")
    for (i = 1; i <= count; i++) {
        if (!((row, at "terms_usec." name[i]) in value))
            print "row " row " has no " at "terms_usec." name[i]
        sum += value[row, at "terms_usec." name[i]]
        if (value[row, at "terms_usec." name[i]] > most + 0)
            most = value[row, at "terms_usec." name[i]]
    }
    if (!(value[row, at "predicted_usec"] > 0) || !near(sum, value[row, at "predicted_usec"]))
        print "row " row ": the terms of " at " are " sum ", not " value[row, at "predicted_usec"]
    limiter = rest[row, at "limiter"]
    sub(/^host /, "", limiter)
    sub(/^local memory$/, "local", limiter)
    sub(/^matrix units$/, "matrix", limiter)
    holds = value[row, at "terms_usec." limiter]
    if (limiter == "launch" || limiter == "latency")
        holds = value[row, at "terms_usec.launch"] + value[row, at "terms_usec.latency"]
    if (holds < most && !near(holds, most))
        print "row " row ": the limiter " limiter " is not the largest term of " at
    if (!(value[row, at "fill"] > 0 && value[row, at "fill"] <= 1))
        print "row " row ": fill is " value[row, at "fill"]
}
END {
    for (row = 1; row <= last; row++) {
        check(row, "replay.")
        check(row, "single.")
        check(row, "replay.changed.")
        check(row, "single.changed.")
        if (value[row, "replay.changed.predicted_usec"] > 1.00001 * value[row, "replay.predicted_usec"])
            print "row " row ": it became slower"
        if (value[row, "advice.0.text"] == "" || value[row, "why"] == "")
            print "row " row " has no advice"
    }
    if (last != rows)
        print last " rows, must be " rows
}
EOF_AWK
ask gemm 60,300x20x700 --prec sd --trans NN,CT --no-measure --what-if memory=2x
awk -v rows=8 -f "$work/rows.awk" "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong")"
ask trsm 60,300x20 --prec z --side L,R --uplo L,U --no-measure --what-if memory=2x
awk -v rows=8 -f "$work/rows.awk" "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong")"
# Products in d have their terms on the matrix units of a GPU.
ask gemm 60,300x20x700 --prec sd --trans NN,CT --arch h200 --what-if memory=2x
awk -v rows=8 -f "$work/rows.awk" "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "products on an H200: $(cat "$work/wrong")"
grep -q '^5 replay.terms_usec.matrix [0-9.]*[1-9]' "$work/values" || fail "no matrix unit has a term: $(cat "$work/values")"
ask gemv 60,700,3000x20 --prec sd --trans N,T --no-measure --what-if memory=2x
awk -v rows=12 -f "$work/rows.awk" "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "memory=2x: $(cat "$work/wrong")"
for changes in memory=2x,latency=0.5x cache=2x arithmetic=2x units=2x launch=0,barrier=0 hot; do
    if [ "$changes" = hot ]; then set -- memory=2x --hot; else set -- "$changes"; fi
    # On more units symv has more groups, whose sums are added in the end: where the cache was measured on a busy machine that may
    # take longer. axpy adds nothing.
    if [ "$changes" = units=2x ]; then op=axpy; else op=symv; fi
    ask $op 130,900 --no-measure --what-if "$@"
    awk -v rows=2 -f "$work/rows.awk" "$work/values" >"$work/wrong"
    [ ! -s "$work/wrong" ] || fail "$changes: $(cat "$work/wrong")"
done
ask axpy 1000,1e6 --no-measure --what-if launch=0
for row in 1 2; do
    for mode in replay single; do
        grep -qx "$row $mode.changed.terms_usec.launch 0" "$work/values" || fail "launch=0 leaves a launch in $mode"
    done
done
ask dot 1e6 --no-measure --with-transfer --what-if link=2x
grep -q '^1 cost.link_bytes 1.6e+07$' "$work/values" || fail "--with-transfer moves no bytes over the link"
# A GPU that is not here.
ask dgemv 128,4096 --arch h200 --what-if memory=2x
awk -v rows=2 -f "$work/rows.awk" "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "h200: $(cat "$work/wrong")"
grep -q '^1 device .*H200$' "$work/values" || fail "--arch h200 is not named"
grep -q '^1 roofs built in$' "$work/values" || fail "--arch h200 has no roofs of its own"
grep -q '^2 kernels.0.name dgemv' "$work/values" || fail "--arch h200 launches no kernel: $(cat "$work/values")"
grep -q '^1 replay.usec ' "$work/values" && fail "a GPU that is not here was measured"
# Products there run on matrix units, which are a term, too.
ask dgemm 60,2048 --trans NN,CT --arch h200 --what-if memory=2x
awk -v rows=4 -f "$work/rows.awk" "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "h200, matrix units: $(cat "$work/wrong")"
grep -q '^2 replay.terms_usec.matrix [1-9]' "$work/values" || fail "dgemm on an H200 has no term of its matrix units"
# trmm takes a copy of B: 1024 x 1024 doubles.
ask dtrmm 1024 --arch h200
grep -Eq '^1 cost.workspace_bytes (8[.]?[0-9]*e[+]06|8388608)' "$work/values" || fail "dtrmm on an H200 takes no workspace: $(cat "$work/values")"

# ---- beside measurements ----------------------------------------------------------------------------
ask dgemv 150 --seconds 0.01 --hot
for name in replay.usec single.usec replay.model_error replay.roof error; do
    grep -q "^1 $name [0-9]" "$work/values" || fail "explain has no $name: $(cat "$work/values")"
done
grep -q '^1 roofs measured$' "$work/values" || fail "the roofs were not measured"
grep -q '^1 temp hot$' "$work/values" || fail "--hot is not told"
"$gable" explain dot 30000 --seconds 0.01 --what-if memory=2x >"$work/out" || fail "the text: exit code $?"
for word in variant work 'it moves' groups launch latency memory predicted measured unexplained 'of roof' \
    limiter why 'do' 'what if'; do
    grep -q "^ *\(% \)\?$word" "$work/out" || fail "the text has no line of $word: $(cat "$work/out")"
done

# ---- the model's error ------------------------------------------------------------------------------
"$gable" bench dot axpy --prec d --size 5000,30000 --seconds 0.01 --model-error --json >"$work/out" 2>"$work/err" ||
    fail "--model-error: exit code $?: $(cat "$work/err")"
"$json_lines" <"$work/out" >"$work/values" || fail "--model-error: $(tail -n 1 "$work/values")"
# The medians and the 90th percentiles again from the rows.
awk '
    $2 == "usec" { usec[$1] = $3; rows++ }
    $2 == "predicted_usec" { error[$1] = ($3 > usec[$1] ? $3 - usec[$1] : usec[$1] - $3) / usec[$1] }
    $2 == "limiter" { limiters++ }
    $2 == "model_error.median" { median = $3 }
    $2 == "model_error.p90" { p90 = $3 }
    $2 == "model_error.rows" { told = $3 }
    $2 == "model_error.ops.dot.rows" || $2 == "model_error.ops.axpy.rows" { of_ops += $3 }
    function at(part,    place, below) {
        place = part * (rows - 1)
        below = int(place)
        return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below])
    }
    END {
        for (i in error)
            list[n++] = error[i]
        for (i = 0; i < n; i++) {
            place = 0
            for (j = 0; j < n; j++)
                place += list[j] < list[i] || (list[j] == list[i] && j < i)
            sorted[place] = list[i]
        }
        sorted[n] = sorted[n - 1]
        if (rows != 8 || told != 8 || of_ops != 8 || limiters != 8)
            print rows " rows, " told " told, " of_ops " by op, " limiters " limiters"
        if ((at(0.5) - median) ^ 2 > 1e-8 * median ^ 2 || (at(0.9) - p90) ^ 2 > 1e-8 * p90 ^ 2)
            print "median " median " must be " at(0.5) ", p90 " p90 " must be " at(0.9)
    }' "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "--model-error: $(cat "$work/wrong")"
[ "$(tail -n 1 "$work/out" | cut -c 1-16)" = '{"model_error":{' ] || fail "the last line is no model_error"
# The other forms are the same on every device.
if [ "$device" = cpu ]; then
    "$gable" bench ddot --size 5000 --seconds 0.01 --model-error >"$work/out" || fail "--model-error, table: exit code $?"
    grep -q 'model us  *limiter' "$work/out" || fail "the table has no predictions: $(cat "$work/out")"
    grep -q '^  all  *both  *2 ' "$work/out" || fail "the table has no summary: $(cat "$work/out")"
    "$gable" bench ddot --size 5000 --seconds 0.01 --model-error --csv >"$work/out" 2>"$work/err" ||
        fail "--model-error, CSV: exit code $?"
    [ "$(sed 1q "$work/out" | tr ',' '\n' | grep -c -x -e predicted_usec -e limiter)" -eq 2 ] || fail "CSV has no predictions"
fi

# ---- far from the roof there is always something to do, near it nothing; on a GPU that is not here ----
# Of the model alone, so that only its sign is looked at: a part of the roof below 0.7 is far.
if [ "$device" = cpu ]; then
    for case in 'sgemm 777' 'sgemm 1500' 'sgemm 333' 'cgemm 777' 'dgemm 64x64x100000' 'dsyrk 1000' 'dgemm 4096' 'dgemv 8192' 'daxpy 1e8'; do
        # shellcheck disable=SC2086 # words
        "$gable" explain $case --arch h200 --no-measure --json >"$work/out" 2>"$work/err" || fail "$case: exit code $?: $(cat "$work/err")"
        "$json_lines" <"$work/out" >"$work/values" || fail "$case: $(tail -n 1 "$work/values")"
        awk -v case="$case" '
            $2 == "replay.roof" { far[$1] = $3 < 0.7 }
            $2 == "gap" { gap[$1] = 1 }
            $2 ~ /^advice\.[0-9]*\.do$/ { nothing[$1] += $3 == "nothing"; count[$1]++ }
            END {
                for (row in far) {
                    rows++
                    if (far[row] != (row in gap))
                        print case (far[row] ? " is far from the roof, and no gap is told" : " is near the roof, and a gap is told")
                    if (far[row] ? nothing[row] > 0 || count[row] == 0 : nothing[row] != 1 || count[row] != 1)
                        print case (far[row] ? " is far from" : " is near") " the roof, and the advice is wrong"
                }
                if (rows == 0)
                    print case " has no rows"
            }' "$work/values" >"$work/wrong"
        [ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong"): $(cat "$work/out")"
    done
    "$gable" explain sgemm 777 --trans N --arch h200 --no-measure >"$work/out" || fail "sgemm 777: exit code $?"
    tr -s ' \n' ' ' <"$work/out" | grep -q 'gable tune sgemm --size 777x777x777 --trans NN' || fail "sgemm 777 is not to be tuned: $(cat "$work/out")"
    grep -q 'Nothing: the call runs' "$work/out" && fail "sgemm 777 has nothing to do: $(cat "$work/out")"
fi

# ---- sparse matrices: the formats, which one is chosen, and why ----
cat >"$work/arrow.mtx" <<'MTX'
%%MatrixMarket matrix coordinate real general
4 4 10
1 1 4
1 2 1
1 3 1
1 4 1
2 1 1
2 2 4
3 1 1
3 3 4
4 1 1
4 4 4
MTX
"$gable" explain spmv "$work/arrow.mtx" --seconds 0.01 --json >"$work/out" || fail "spmv arrow.mtx: exit code $?"
for format in CSR COO ELL SELL HYB; do
    grep -q "\"format\":\"$format\".*\"usec_predicted\":[0-9]" "$work/out" || fail "spmv: no prediction for $format"
done
[ "$(grep -c '"chosen":true' "$work/out")" -eq 1 ] || fail "spmv: not one format is chosen: $(cat "$work/out")"
grep -q '"chosen":true.*"why":"[A-Z]*: rows have 2 to 4 entries' "$work/out" || fail "spmv: no reason: $(cat "$work/out")"
"$gable" explain spmv laplace5:40 --seconds 0.01 --json >"$work/out" || fail "spmv laplace5:40: exit code $?"
[ "$(grep -c '"usec":[0-9].*"roof":[0-9]' "$work/out")" -eq 5 ] || fail "spmv: not all were measured: $(cat "$work/out")"
"$gable" explain spmv laplace5:3000 --arch h200 >"$work/out" || fail "spmv --arch: exit code $?"
grep -q '^ELL \*' "$work/out" || fail "spmv --arch h200: ELL is not chosen: $(cat "$work/out")"
"$gable" explain spmv "$work/none.mtx" >"$work/out" 2>"$work/err" && fail "spmv none.mtx: exit code 0"
grep -q 'none.mtx' "$work/err" || fail "spmv none.mtx: $(cat "$work/err")"
"$gable" explain spmv laplace5:30 --uplo L >"$work/out" 2>"$work/err"
[ $? -eq 2 ] || fail "spmv laplace5:30 --uplo L: not refused"
"$gable" explain spmv 100 --no-measure >"$work/out" || fail "spmv 100: exit code $?" # packed matrices
grep -q 'spmv' "$work/out" || fail "spmv 100: $(cat "$work/out")"

[ "$failures" -eq 0 ] || exit 1
