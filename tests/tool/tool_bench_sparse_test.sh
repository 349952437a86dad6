#!/bin/sh
# tool_bench_sparse_test.sh: `gable bench` of sparse matrices: names, rows in the agreed form, results right, peers.
# SPDX-License-Identifier: BSD-3-Clause
#
#   GABLE_DEVICE=cpu tool_bench_sparse_test.sh GABLE JSON_LINES
#
# Child programs that time other libraries are no part of the tests. Where they were built, one run has them; else a line
# says so.
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2

# expect CODE TEXT ARGUMENTS...: the exit code, and a sentence on the standard error
expect() {
    code=$1 text=$2
    shift 2
    "$gable" bench "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$code" ] || fail "gable bench $*: exit code $got, must be $code: $(cat "$work/err")"
    grep -qF -e "$text" "$work/err" || fail "gable bench $*: no \"$text\" in: $(cat "$work/err")"
}

needs_device "$gable" bench copy --size 1 --seconds 0.01

# ---- what is refused --------------------------------------------------------------------------------
expect 2 'there is no matrix "laplace9:3"' spmv --matrix laplace9:3
expect 2 'laplace5 takes: it takes 100 or 100x80' spmv --matrix laplace5:3x3x3
expect 2 'no size that power takes' cg --matrix power:10x10
expect 2 'there is no matrix ""' cg --matrix laplace5:10,
expect 2 '"dot" is no op of sparse matrices' dot --matrix laplace5:10
expect 2 'needs an op of sparse matrices' --matrix laplace5:10
expect 2 '--format has "csr,crs"' spmv --matrix laplace5:10 --format csr,crs
expect 2 '--precond has "ilu"' cg --precond ilu
expect 2 '--form has "fast"' cg --form fast
expect 2 '--form is for cg' bicgstab --form standard
expect 2 '--precond is for solvers' spmv --matrix laplace5:10 --precond jacobi
expect 2 '--trans is for spmv' cg --trans T
expect 2 '--trans has "X"' sparse_mv --trans X
expect 2 '--restart is "0"' gmres --restart 0
expect 2 '--size is for gmres_orthogonalise' cg --size 100
expect 2 'takes no matrix' gmres_orthogonalise --matrix laplace5:10
expect 2 '--hot is not for sparse matrices' cg --hot
expect 2 'are for sparse matrices' dot --format csr
expect 1 'nowhere.mtx' spmv "$work/nowhere.mtx" --seconds 0.01
expect 1 'has complex numbers; ask with --prec z' spmv --seconds 0.01 --matrix "$(
    printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 1 2\n2 2 3 4\n' >"$work/complex.mtx"
    echo "$work/complex.mtx"
)"
# Without a sparse matrix spmv is the routine of packed ones.
"$gable" bench spmv --prec d --size 30 --seconds 0.01 --json >"$work/out" 2>"$work/err" || fail "spmv: $(cat "$work/err")"
grep -q '"op":"spmv","prec":"d","args":{"uplo":"L","n":30}' "$work/out" || fail "spmv is not that of packed matrices"

# ---- rows --------------------------------------------------------------------------------------------
# A file with rows of several lengths, symmetric.
{
    echo '%%MatrixMarket matrix coordinate real symmetric'
    awk 'BEGIN {
        print 60, 60, 119 + 20
        for (i = 1; i <= 60; i++) print i, i, 40 + i
        for (i = 2; i <= 60; i++) print i, i - 1, -1
        for (i = 11; i <= 30; i++) print 60, i, -0.5
    }'
} >"$work/A.mtx"
# run ROWS ARGUMENTS...: adds the rows to $work/rows
run() {
    rows=$1
    shift
    "$gable" bench "$@" --seconds 0.01 --json >"$work/more" 2>"$work/err" ||
        fail "gable bench $*: exit code $?: $(cat "$work/err")"
    [ "$(wc -l <"$work/more")" -eq $((rows + 1)) ] ||
        fail "gable bench $* has $(wc -l <"$work/more") lines, must have $((rows + 1)): $(cat "$work/err")"
    [ -s "$work/rows" ] && sed 1d "$work/more" >>"$work/rows" || cp "$work/more" "$work/rows"
}
case $device in
cpu) every=csr,coo,ell,sell,hyb precs=sdcz formats=5 count=4 ;;
*) every=csr,sell precs=c formats=2 count=1 ;; # each further kernel has to be compiled
esac
# The form of CG that is chosen for small systems: of few long launches where a GPU has them.
case $device in
cuda*) chosen=persistent ;;
*) chosen=pipelined ;;
esac
run $((2 * formats * count)) spmv --matrix laplace5:20x15 --format $every --prec $precs
run 4 spmv "$work/A.mtx" --trans N,T
run 4 cg --matrix laplace5:40,"$work/A.mtx" --format csr,sell
run 2 cg --matrix laplace7:12 --form standard,pipelined
run 1 cg --matrix elasticity3:6 --precond jacobi
run 1 bicgstab --matrix convection7:12
run 1 gmres --matrix convection5:40 --restart 5
"$json_lines" <"$work/rows" >"$work/values" || fail "bench --json: $(tail -n 1 "$work/values")"
awk -v names='op prec args device variant mode temp usec usec_min gbs gflops roof error vs' '
    $1 == 1 { next }
    { seen[$1] = seen[$1] " " $2; value[$1, $2] = $3; last = $1 > last ? $1 : last }
    END {
        for (row = 2; row <= last; row++) {
            text = seen[row]
            gsub(/ args\.[a-z_]*/, " args", text)
            gsub(/( args)+/, " args", text)
            gsub(/ vs\.[a-z_]*/, " vs", text)
            gsub(/( vs)+/, " vs", text)
            if (text != " " names)
                print "row " row " has the members" text
            if (value[row, "args.matrix"] == "" || value[row, "args.format"] == "" || !(value[row, "args.n"] > 0) ||
                !(value[row, "args.entries"] > 0))
                print "row " row " does not tell its matrix"
            if (!(value[row, "error"] <= 1) || value[row, "error"] == "null")
                print "row " row " has error " value[row, "error"]
            if (!(value[row, "usec"] > 0) || !(value[row, "usec_min"] > 0) ||
                value[row, "usec_min"] > value[row, "usec"] * 1.0001 || !(value[row, "roof"] > 0))
                print "row " row " has times " value[row, "usec"] ", " value[row, "usec_min"]
        }
    }' "$work/values" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong")"
for args in '"matrix":"laplace5:20x15","format":"sell","trans":"N","m":300,"n":300,"entries":1430' \
    "\"matrix\":\"A.mtx\",\"format\":\"csr\",\"precond\":\"none\",\"form\":\"$chosen\",\"m\":60,\"n\":60,\"entries\":218" \
    "\"precond\":\"jacobi\",\"form\":\"$chosen\",\"m\":648"; do
    grep -qF "$args" "$work/rows" || fail "no row has $args"
done
grep -q '"op":"gmres".*"restart":5,.*"mode":"iteration"' "$work/rows" || fail "no iteration of gmres"
for file in sparse_mv cg bicgstab gmres; do
    ls "$work"/data/gable/results/*/$file.jsonl >"$work/out" 2>&1 || fail "rows of $file are not kept"
done
# The page of measurements shows them: the matrix in the place of a size.
if command -v gnuplot >/dev/null; then
    "$gable" report -o "$work/page.html" >"$work/out" 2>&1 || fail "report: exit code $?: $(cat "$work/out")"
    for text in 'spmv csr N' "cg csr $chosen"; do
        grep -qF "$text" "$work/page.html" || fail "the page has no $text"
    done
else
    case ",${GABLE_REQUIRE:-}," in
    *,gnuplot,*) fail 'GABLE_REQUIRE names gnuplot, which is not installed' ;;
    *) echo 'left out: no gnuplot here, so the page of these rows is not looked at' ;;
    esac
fi
# auto: a format of its own choice.
run 2 spmv --matrix laplace7:10
grep -q '"matrix":"laplace7:10","format":"\(csr\|ell\|sell\)"' "$work/more" || fail "auto: $(cat "$work/more")"

# ---- notes, the table, CSV ---------------------------------------------------------------------------
"$gable" bench cg spmv --matrix convection5:20 --seconds 0.01 --against clblast,openblas >"$work/table" ||
    fail "the table: exit code $?"
grep -q '^note *dcg convection5:20 auto is left out: the matrix is not symmetric$' "$work/table" ||
    fail "cg of a matrix that is not symmetric: $(cat "$work/table")"
grep -q '^note *.* is not shown: it \(has no sparse matrices\|belongs beside .*\)$' "$work/table" ||
    fail "no note of a peer without them: $(cat "$work/table")"
grep -q '^op  *matrix  *format  *variant  *mode  *us  *GB/s  *% roof  *error' "$work/table" ||
    fail "no titles in: $(cat "$work/table")"
grep -q '^dspmv  *convection5:20  *[a-z]*  *[a-z_]*  *replay  *[0-9.]*' "$work/table" || fail "no row in: $(cat "$work/table")"
"$gable" bench spmv --matrix laplace5:9 --seconds 0.01 --csv >"$work/out" || fail "--csv: exit code $?"
awk -F, '{ if (NF != 20) exit 1 } END { if (NR != 3) exit 1 }' "$work/out" || fail "--csv: $(cat "$work/out")"
"$gable" bench dot --size 1000 --seconds 0.01 --against petsc >"$work/table" 2>&1 || fail "dot --against petsc: $?"
grep -q 'petsc is not shown: it is for sparse matrices alone' "$work/table" || fail "petsc beside dot: $(cat "$work/table")"
case $device in
cpu) ;;
*)
    "$gable" bench gmres_orthogonalise --size 5000x6 --seconds 0.01 --json >"$work/out" || fail "orthogonalise: $?"
    grep -q '"op":"gmres_orthogonalise".*"args":{"n":5000,"k":6}' "$work/out" || fail "$(cat "$work/out")"
    ;;
esac

# ---- peers that are child programs --------------------------------------------------------------------
GABLE_PEERS=$work "$gable" bench cg --matrix laplace5:20 --seconds 0.01 --against viennacl,petsc >"$work/table" 2>&1 ||
    fail "peers that are missing: exit code $?"
case $device in
cuda*) ;;
*)
    grep -q 'viennacl is not shown: its program gable_peer_viennacl' "$work/table" ||
        fail "a missing program gets no note: $(cat "$work/table")"
    ;;
esac
# A program that keeps the protocol, and one that breaks it. The command asks `cg N` and then the residual.
case $device in
cpu)
    cat >"$work/gable_peer_viennacl" <<'PEER'
#!/bin/sh
echo 'ready a library of this test'
[ "$1" != --version ] || exit 0
while read -r word count; do
    case $word in
    cg) echo "ok 0.00$count" ;;
    *) echo 'ok 123' ;;
    esac
done
PEER
    chmod +x "$work/gable_peer_viennacl"
    GABLE_PEERS=$work "$gable" bench cg --matrix laplace5:20 --seconds 0.01 --against viennacl >"$work/table" 2>&1 ||
        fail "a wrong peer: exit code $?"
    tr '\n' ' ' <"$work/table" | tr -s ' ' | grep -q 'iterations its residual is 123, and must be' ||
        fail "a wrong residual is taken: $(cat "$work/table")"
    printf '#!/bin/sh\necho ready a library\n' >"$work/gable_peer_viennacl"
    GABLE_PEERS=$work "$gable" bench cg --matrix laplace5:20 --seconds 0.01 --against viennacl >"$work/table" 2>&1 ||
        fail "a peer that ends: exit code $?"
    grep -q 'its program ended' "$work/table" || fail "a peer that ends: $(cat "$work/table")"
    ;;
esac
folder=$(dirname "$gable")
case $device in
cpu) built=gable_peer_viennacl ;;
*) built=gable_peer_viennacl_opencl ;;
esac
if [ -x "$folder/$built" ]; then
    "$gable" bench cg spmv --matrix laplace5:60 --seconds 0.05 --against viennacl,petsc --json >"$work/out" 2>"$work/err" ||
        fail "peers: exit code $?: $(cat "$work/err")"
    case $device in
    cuda*) ;;
    *) [ "$(grep -c '"viennacl":' "$work/out")" -ge 3 ] || fail "peers: $(cat "$work/out" "$work/err")" ;;
    esac
else
    echo "left out: $built is not built (make peers), so ViennaCL and PETSc are not beside the rows"
fi

[ "$failures" -eq 0 ] || exit 1
