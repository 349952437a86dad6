#!/bin/sh
# tool_bench_test.sh: the routines measured on a device: rows in the agreed form, results right.
# SPDX-License-Identifier: BSD-3-Clause
#
#   GABLE_DEVICE=cpu tool_bench_test.sh GABLE JSON_LINES KERNEL_FOLDER
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2
kernels=$3
# Beside another test the threads of OpenBLAS, which wait by giving their processor away, wait for that test: one is enough here.
[ "$device" != cpu ] || { OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 && export OMP_NUM_THREADS OPENBLAS_NUM_THREADS; }

needs_device "$gable" bench copy --size 1 --seconds 0.01

# ---- rows -----------------------------------------------------------------------------------------
# Every op in one of its precisions; which ops there are, the command tells. On cpu the precision changes from op to op. Elsewhere
# ops of matrices take the second one, because routines of LAPACK and products are made of the same kernels then.
case $device in
cpu) alike='^$' ;;
*) alike='^(gemm|syr2?k|her2?k|symm|hemm|trmm|trsm|la|po|trt|get|ges|geq|gel|or)' ;;
esac
stems=$("$gable" help --list stems | tr '\n' ' ')
"$gable" help --list ops | awk -v stems="$stems" -v alike="$alike" '
    BEGIN { count = split(stems, stem, " "); for (i = 1; i <= count; i++) is_stem[stem[i]] = 1 }
    $0 in is_stem { now = $0; order[++ops] = now; typed[now] = 0; next }
    { name[now, typed[now]++] = $0 }
    END {
        for (i = 1; i <= ops; i++)
            print (typed[order[i]] > 0 ? name[order[i], (order[i] ~ alike ? 1 : i) % typed[order[i]]] : order[i])
    }' >"$work/all"
# all_of NAME PATTERN ROWS OPTION...: the ops whose typed names match (all others for a pattern behind "not "), each
# with ROWS rows. The rows come into a file of the set of groups $set.
groups=0
all_of() {
    groups=$((groups + 1))
    to=$work/group_$set$groups name=$1 pattern=${2#not } rows=$3 way=-E
    [ "$pattern" = "$2" ] || way=-vE
    shift 3
    grep $way "$pattern" "$work/all" >"$to.ops"
    ops=$(wc -l <"$to.ops")
    [ "$ops" -ge 1 ] || echo "the command has no op of $name"
    # shellcheck disable=SC2046 # words
    "$gable" bench $(cat "$to.ops") "$@" --seconds 0.01 --json >"$to.rows" 2>"$to.err" ||
        echo "bench of $name: exit code $?: $(cat "$to.err")"
    [ "$(wc -l <"$to.rows")" -eq $((rows * ops + 1)) ] ||
        echo "bench of $name has $(wc -l <"$to.rows") lines for $ops ops"
}
# Elsewhere than on cpu one triangle is enough: the references are the same, and each further kernel has to be compiled.
case $device in
cpu) sides=L,U hands=L,R ways=N,T pairs=NT,CN norms=M,1,I,F vects=Q,P shift='--offset 1' shapes=60x33,33x60x3 one=4 two=8 four=8 ;;
*) sides=U hands=R ways=T pairs=CN norms=1 vects=P shift='' shapes=60x33 one=2 two=2 four=2 ;;
esac
measure_vectors() {
    all_of 'vectors' 'not ^[sdcz](ge|sy|he|tr|[gsht]b|[sht]p|la|po|or|un|bd)' 2 --size 50000
}
measure_matrices() {
    all_of 'triangles' '^[sdcz](symv|hemv|syr2?|her2?)$' $one --size 300 --uplo $sides
    all_of 'triangles that may be transposed' '^[sdcz]tr[sm]v$' $two --size 300 --uplo $sides --trans $ways
    all_of 'packed matrices' '^[sdcz][sh]pmv$' $one --size 300 --uplo $sides --offset 1
    all_of 'packed updates' '^[sdcz][sh]pr2?$' $one --size 300 --uplo $sides --offset 1
    all_of 'packed triangles' '^[sdcz]tp[sm]v$' $two --size 300 --uplo $sides --trans $ways
}
measure_bands() {
    all_of 'symmetric bands' '^[sdcz][sh]bmv$' $one --size 300x7 --uplo $sides --offset 1
    all_of 'triangular bands' '^[sdcz]tb[sm]v$' $two --size 300x7 --uplo $sides --trans $ways
    all_of 'updates' '^[sdcz]ger' 2 --size 301x70 --offset 1
    all_of 'transposition' '^[sdcz](transpose|geam)$' 6 --size 301x70 --trans N,T,C
    all_of 'many matrices' '^[sdcz]gemv_' 4 --size 16x12x200
    all_of 'many products' '^[sdcz](gemm|trsm)_' 2 --size 9x40 --trans T
    all_of 'copies and fills' '^[sdcz]la(cpy|set|scl|swp)$' 2 --size 301x70
    all_of 'norms' '^[sdcz]lan(ge|tr)$' $four --size 301x70 --norm $norms
    # shellcheck disable=SC2086 # words
    all_of 'norms of triangles' '^[sdcz]lan(sy|he)$' $four --size 70 --norm $norms $shift
}
# shellcheck disable=SC2086 # words
measure_products() {
    all_of 'products' '^[sdcz]gemmt?$' $one --size 60 --trans $pairs --offset 1
    all_of 'symmetric updates' '^[sdcz](sy|he)r2?k$' $two --size 60x33 --uplo $sides --trans $ways
    all_of 'symmetric products' '^[sdcz](sy|he)mm$' $two --size 60x33 --uplo $sides --side $hands $shift
    all_of 'triangular products' '^[sdcz]tr[sm]m$' $two --size 60x33 --uplo $sides --side $hands --trans T
    all_of 'triangles in place' '^[sdcz](potrf|potri|trtri|lauum)$' $one --size 60 --uplo $sides
    all_of 'solves of definite systems' '^[sdcz]po(trs|sv)$' $one --size 60x33 --uplo $sides
    all_of 'solves with triangles' '^[sdcz]trtrs$' $two --size 60x33 --uplo $sides --trans $ways
}
# shellcheck disable=SC2086 # words
measure_factors() {
    all_of 'factorizations' '^[sdcz]ge(trf|qrf|lqf|sv)$' 2 --size 60x33 $shift
    all_of 'solves with factors' '^[sdcz]getrs$' $one --size 60x33 --trans $ways
    all_of 'inverses' '^[sdcz]getri$' 2 --size 60 $shift
    all_of 'least squares' '^[sdcz]gels$' $two --size $shapes --trans $ways
    all_of 'columns of Q' '^[sdcz](or|un)gqr$' 2 --size 60x33
    all_of 'rows of Q' '^[sdcz](or|un)glq$' 2 --size 33x60
    all_of 'products with Q' '^[sdcz](or|un)m[ql][rq]$' $two --size 60x33x20 --side $hands --trans $ways
    all_of 'reflectors' '^[sdcz]larfg$' 2 --size 3000
    all_of 'triangles of reflectors' '^[sdcz]larft$' 2 --size 60x33
    all_of 'blocks of reflectors' '^[sdcz]larfb$' $two --size 60x33x20 --side $hands --trans $ways
}
# shellcheck disable=SC2086 # words
measure_reductions() {
    all_of 'tridiagonal form' '^[sdcz](sy|he)trd$' $one --size 60 --uplo $sides
    all_of 'Hessenberg form' '^[sdcz]gehrd$' 2 --size 60
    all_of 'bidiagonal form' '^[sdcz]gebrd$' 2 --size 60x33 --offset 1
    all_of 'eigenvalues' '^[sdcz](sy|he)evd(_values)?$' $one --size 60 --uplo $sides
    all_of 'singular values' '^[sdcz]ges[dv]d(_values)?$' 2 --size 60x33 $shift
    all_of 'bidiagonal singular values' '^[sd]bdsdc(_values)?$' $one --size 60 --uplo $sides
    all_of 'Q of tridiagonal form' '^[sdcz](or|un)gtr$' $one --size 60 --uplo $sides
    all_of 'Q of Hessenberg form' '^[sdcz](or|un)ghr$' 2 --size 60
    all_of 'Q and P of bidiagonal form' '^[sdcz](or|un)gbr$' $one --size 60 --vect $vects
    all_of 'products with Q of reductions' '^[sdcz](or|un)m[th]r$' $two --size 60x33 --side $hands --trans $ways
    all_of 'products with Q of bidiagonal form' '^[sdcz](or|un)mbr$' $two --size 60x33x20 --side $hands --trans $ways
}
# On GPUs, where most of the time is the compiler's, the sets run side by side. Groups of one set share kernels and run one after the
# other, so that each kernel is compiled once.
measure_all() {
    for set in vectors matrices bands products factors reductions; do
        case $device in
        cuda* | opencl:[0-9]*) "measure_$set" >"$work/$set.failed" & ;;
        *) "measure_$set" >"$work/$set.failed" ;;
        esac
    done
    wait
    for set in vectors matrices bands products factors reductions; do
        [ ! -s "$work/$set.failed" ] || fail "$(cat "$work/$set.failed")"
    done
    for file in "$work"/group_*.rows; do
        [ -s "$work/rows" ] && sed 1d "$file" >>"$work/rows" || cp "$file" "$work/rows"
    done
    # Rank-k updates with C read, odd leading dimensions, and zeros: of each kind one case beside peers.
    "$gable" bench csyr2k zherk --size 60x9 --trans N --beta 1 --ld 1 --seconds 0.01 --against openblas,cublas,clblast --json \
        >"$work/more" 2>"$work/err" || fail "bench --beta 1 --ld 1: exit code $?: $(cat "$work/err")"
    sed 1d "$work/more" >>"$work/rows"
    "$gable" bench dgemm --size 70x50x9 --trans NN --beta 1 --seconds 0.01 --against openblas,cublas,clblast --json \
        >"$work/more" 2>"$work/err" || fail "bench --beta 1: exit code $?: $(cat "$work/err")"
    sed 1d "$work/more" >>"$work/rows"
    "$gable" bench dgemm --size 60 --trans NN --data zeros --seconds 0.01 --json >"$work/more" 2>"$work/err" ||
        fail "bench --data zeros: exit code $?: $(cat "$work/err")"
    [ "$(grep -c '"data":"zeros"' "$work/more")" -eq 2 ] || fail "rows of zeros are not marked: $(cat "$work/more")"
    grep -q '"error":0,' "$work/more" || fail "a product of zeros is not zero: $(cat "$work/more")"
    grep -rq '"data":"zeros"' "$work/data" && fail "rows of zeros were kept"
    "$gable" bench dgemm --size 60 --trans NN --data zeros --seconds 0.01 --csv 2>"$work/err" >"$work/more"
    [ "$(grep -c 'cold,zeros,' "$work/more")" -eq 2 ] || fail "CSV rows of zeros are not marked: $(cat "$work/more")"
    # A permission that most devices ignore; rows say that it was there.
    "$gable" bench sgemm --size 60 --trans NN --math tf32x3 --seconds 0.01 --json >"$work/more" 2>"$work/err" ||
        fail "bench --math tf32x3: exit code $?: $(cat "$work/err")"
    [ "$(grep -c '"math":"tf32x3"' "$work/more")" -eq 2 ] || fail "rows of tf32x3 are not marked: $(cat "$work/more")"
    GABLE_MATH=tf32x3 "$gable" bench sgemm --size 60 --trans NN --seconds 0.01 --csv 2>"$work/err" >"$work/more"
    [ "$(grep -c 'cold,tf32x3,' "$work/more")" -eq 2 ] || fail "CSV rows of tf32x3 are not marked: $(cat "$work/more")"
    for wrong in 'gemm --beta 2:--beta is "2"' 'trsm --beta 1:--beta is for products that add' 'gemm --data ones:--data is "ones"' \
        'dot --data zeros:--data is for products' 'gemm --ladder --data zeros:--ladder takes random data' \
        'gemm --math fast:--math is "fast"' 'dot --math tf32x3:--math is for products' 'gemm --ld -1:--ld is "-1"' 'dot --ld 1:--ld is for ops with matrices'; do
        # shellcheck disable=SC2086 # words
        "$gable" bench ${wrong%%:*} --size 10 2>"$work/err"
        [ $? -eq 2 ] && grep -qF -- "${wrong#*:}" "$work/err" || fail "${wrong%%:*}: $(cat "$work/err")"
    done
    # Larger ones, of which some elements are checked, beside peers, and with transfers.
    "$gable" bench dgemm --size 301x170x190,1 --trans NT --seconds 0.01 --with-transfer \
        --against openblas,cublas,clblast --json >"$work/more" 2>"$work/err" ||
        fail "bench dgemm: exit code $?: $(cat "$work/err")"
    [ "$(grep -c '"mode":"transfer"' "$work/more")" -eq 2 ] || fail "no rows with transfers in: $(cat "$work/more")"
    sed 1d "$work/more" >>"$work/rows"
    "$gable" bench gemm --size 10x20 2>"$work/err"
    [ $? -eq 2 ] && grep -q 'gemm takes n or m x n x k$' "$work/err" || fail "gemm 10x20: $(cat "$work/err")"
    for wrong in 'orgqr --size 10x20:orgqr takes m x n or m x n x k, and n must not be more than m' \
        'orglq --size 20x10:orglq takes m x n or m x n x k, and m must not be more than n' \
        'ormqr --size 10x20x11:ormqr of 11 reflectors: k is at most 10 at that size' \
        'getrf --size 3x3x3:getrf takes n or m x n'; do
        # shellcheck disable=SC2086 # words
        "$gable" bench ${wrong%%:*} 2>"$work/err"
        [ $? -eq 2 ] && grep -qF -- "${wrong#*:}" "$work/err" || fail "${wrong%%:*}: $(cat "$work/err")"
    done
    "$gable" bench gemm_strided --size 4x4x9 2>"$work/err"
    [ $? -eq 2 ] && grep -q 'gemm_strided takes n, n x batch or m x n x k x batch$' "$work/err" ||
        fail "gemm_strided 4x4x9: $(cat "$work/err")"
    "$gable" bench gemv --size 10 --trans NT 2>"$work/err"
    [ $? -eq 2 ] && grep -q 'pairs are for gemm and gemmt' "$work/err" || fail "gemv --trans NT: $(cat "$work/err")"
    "$gable" bench gemm --size 10 --side R 2>"$work/err"
    [ $? -eq 2 ] && grep -q '^gable bench: --side is for ops such as symm' "$work/err" || fail "gemm --side R: $(cat "$work/err")"
    "$gable" bench dot --size 10 --with-transfer 2>"$work/err"
    [ $? -eq 2 ] && grep -q '^gable bench: --with-transfer is for products' "$work/err" || fail "dot --with-transfer: $(cat "$work/err")"
    # A matrix: four precisions, three ways to take it, two modes, elsewhere than on cpu two, two and two; square ones of one
    # element and more.
    case $device in
    cpu) letters=sdcz ways=N,T,C lines=25 ;;
    *) letters=sz ways=N,C lines=9 ;;
    esac
    "$gable" bench gemv --prec $letters --trans $ways --size 1000x30 --seconds 0.01 \
        --against openblas,cublas,clblast --json >"$work/more" 2>"$work/err" ||
        fail "bench gemv: exit code $?: $(cat "$work/err")"
    [ "$(wc -l <"$work/more")" -eq $lines ] || fail "bench gemv has $(wc -l <"$work/more") lines, must have $lines"
    sed 1d "$work/more" >>"$work/rows"
    "$gable" bench dgemv --size 1,60 --seconds 0.01 --json >"$work/more" 2>"$work/err" ||
        fail "bench dgemv: exit code $?: $(cat "$work/err")"
    sed 1d "$work/more" >>"$work/rows"
    "$gable" bench transpose --ladder --prec s --size 100 --seconds 0.01 --json >"$work/more" 2>"$work/err" ||
        fail "bench transpose --ladder: exit code $?: $(cat "$work/err")"
    sed 1d "$work/more" >>"$work/rows"
    case $device in
    cpu) rungs=omp ;;
    *) rungs='naive coalesced padded tiles' ;;
    esac
    for rung in $rungs; do
        grep -q "\"variant\":\"$rung\"" "$work/more" || fail "the ladder has no rung $rung"
    done
    "$gable" bench dgbmv dtbmv --size 60,5x9 --seconds 0.01 --json >"$work/more" 2>"$work/err" ||
        fail "bench of bands: exit code $?: $(cat "$work/err")"
    sed 1d "$work/more" >>"$work/rows"
    for args in '"trans":"T","m":60,"n":60,"kl":16,"ku":16' '"uplo":"L","trans":"N","n":5,"k":9' \
        '"beta":1,"uplo":"L","trans":"N","n":60,"k":9,"ld":1' '"beta":1,"trans":"NN","m":70,"n":50,"k":9' \
        '"trans":"NT","m":301,"n":170,"k":190' '"trans":"CN","m":60,"n":60,"k":60,"offset":1' \
        '"trans":"N","m":60,"n":60' '"trans":"T","m":1,"n":1' '"trans":"C","m":1000,"n":30'; do
        grep -qF "\"args\":{$args}" "$work/rows" || fail "bench has no row of $args"
    done
    "$gable" bench gemv --trans N,X --size 10 2>"$work/err"
    [ $? -eq 2 ] && grep -q '^gable bench: --trans has "N,X"' "$work/err" || fail "--trans N,X: $(cat "$work/err")"
    "$gable" bench dot --trans N --size 10 2>"$work/err"
    [ $? -eq 2 ] && grep -q '^gable bench: --trans is for ops such as gemv' "$work/err" || fail "dot --trans N: $(cat "$work/err")"
    # Beside peers, in and out of the cache: two routines in two precisions, two modes, two temperatures.
    "$gable" bench axpy dot --prec sz --size 100000 --hot --seconds 0.01 --against openblas,cublas,clblast \
        --json >"$work/more" 2>"$work/err" || fail "bench --hot: exit code $?: $(cat "$work/err")"
    [ "$(wc -l <"$work/more")" -eq 17 ] || fail "bench --hot has $(wc -l <"$work/more") lines, must have 17"
    sed 1d "$work/more" >>"$work/rows"
    # One element, and more than one period of the data.
    "$gable" bench copy axpy dot nrm2 --prec d --size 1,2000003 --seconds 0.01 --json >"$work/more" 2>"$work/err" ||
        fail "bench at 1 and 2000003: exit code $?: $(cat "$work/err")"
    sed 1d "$work/more" >>"$work/rows"
}
# PoCL compiles a kernel in seconds: few ops, unless everything is asked for. Its kernels are right by their own tests.
case $device,${GABLE_TEST_ALL:-} in
opencl:pocl,)
    "$gable" bench saxpy cdotc --size 50000 --seconds 0.01 --json >"$work/rows" 2>"$work/err" ||
        fail "bench of vectors: exit code $?: $(cat "$work/err")"
    "$gable" bench dgemv --trans N --size 1000x30 --offset 1 --hot --seconds 0.01 --against openblas,clblast --json \
        >"$work/more" 2>"$work/err" || fail "bench dgemv: exit code $?: $(cat "$work/err")"
    sed 1d "$work/more" >>"$work/rows"
    [ "$(wc -l <"$work/rows")" -eq 9 ] || fail "bench has $(wc -l <"$work/rows") lines, must have 9"
    ;;
*) measure_all ;;
esac
"$json_lines" <"$work/rows" >"$work/values" || fail "bench --json: $(tail -n 1 "$work/values")"
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
            sub(/ args\.n /, " n ", text) # others depend on the op
            gsub(/ args\.[a-z_0-9]*/, "", text)
            sub(/ n /, " args.n ", text)
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

# ---- the table, and a peer that is missing ------------------------------------------------------------
case $device in
cuda*) peer=clblast ;;
*) peer=cublas ;;
esac
"$gable" bench ddot --size 1000 --seconds 0.01 --against $peer >"$work/table" || fail "the table: exit code $?"
grep -q "^note *$peer is not shown" "$work/table" || fail "a missing peer gets no note"
grep -q '^op  *n  *variant  *mode  *us  *GB/s  *% roof  *error$' "$work/table" || fail "no titles in: $(cat "$work/table")"
grep -q '^ddot  *1000  *[a-z_]*  *replay  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*$' "$work/table" ||
    fail "no row in: $(cat "$work/table")"
grep -q '^all 2 rows are within their error bounds$' "$work/table" || fail "no summary"

# ---- a wrong kernel fails the row ---------------------------------------------------------------------
case $device in
cpu) ;;
*)
    cp -R "$kernels" "$work/kernels"
    sed 's/R_fma(a, b, c)/R_fma(a, a, c)/' "$kernels/prec.h" >"$work/kernels/prec.h"
    cmp -s "$kernels/prec.h" "$work/kernels/prec.h" && fail "prec.h is no longer as this test knows it"
    GABLE_KERNEL_DIR=$work/kernels "$gable" bench daxpy sdot dgemv --size 1000 --seconds 0.01 >"$work/table"
    got=$?
    [ "$got" -eq 1 ] || fail "wrong kernels: exit code $got, must be 1"
    for op in daxpy sdot 'dgemv N' 'dgemv T'; do
        grep -q "^$op .*  FAILED\$" "$work/table" || fail "a wrong $op is not marked: $(cat "$work/table")"
    done
    grep -q '^8 of 8 rows FAILED' "$work/table" || fail "wrong kernels are not counted"
    ;;
esac

[ "$failures" -eq 0 ] || exit 1
