#!/bin/sh
# tool_solve_test.sh: systems in files, solved on a device; what is refused; what is written.
# SPDX-License-Identifier: BSD-3-Clause
#
#   GABLE_DEVICE=cpu tool_solve_test.sh GABLE JSON_LINES
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2

# run CODE ARGUMENTS...: `gable solve`, with this exit code; both streams are kept.
run() {
    code=$1
    shift
    "$gable" solve "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$code" ] || fail "solve $*: exit code $got, must be $code: $(cat "$work/err")"
}

# refused PIECE ARGUMENTS...: exit code 2, and a piece of the one sentence.
refused() {
    piece=$1
    shift
    run 2 "$@"
    grep -qF -e "$piece" "$work/err" || fail "solve $*: does not say \"$piece\": $(cat "$work/err")"
    [ "$(wc -l <"$work/err")" -eq 1 ] || fail "solve $*: more than one line: $(cat "$work/err")"
}

# failed PIECE ARGUMENTS...: the same with exit code 1.
failed() {
    piece=$1
    shift
    run 1 "$@"
    grep -qF -e "$piece" "$work/err" || fail "solve $*: does not say \"$piece\": $(cat "$work/err")"
}

says() {
    grep -qE -e "$1" "$work/out" || fail "$2 does not say \"$1\": $(cat "$work/out")"
}

# value NAME: of the JSON object.
value() {
    "$json_lines" <"$work/out" >"$work/values" || fail "no JSON: $(tail -n 1 "$work/values")"
    sed -n "s/^1[[:space:]]$1[[:space:]]*//p" "$work/values" | head -n 1
}

# ---- matrices: a Laplacian of order 200, one that is not symmetric, one that cannot be solved ----
awk 'BEGIN { n = 200; print "%%MatrixMarket matrix coordinate real symmetric"; print n, n, 2 * n - 1
    for (i = 1; i <= n; i++) { print i, i, 2 + i / n; if (i > 1) print i, i - 1, -1 } }' >"$work/sym.mtx"
awk 'BEGIN { n = 200; print "%%MatrixMarket matrix coordinate real general"; print n, n, 3 * n - 2
    for (i = 1; i <= n; i++) { print i, i, 3 + i / n; if (i > 1) print i, i - 1, -1.5; if (i < n) print i, i + 1, -0.5 } }' >"$work/gen.mtx"
awk 'BEGIN { n = 50; print "%%MatrixMarket matrix coordinate complex hermitian"; print n, n, 2 * n - 1
    for (i = 1; i <= n; i++) { print i, i, 4, 0; if (i > 1) print i, i - 1, 0.5, 1 } }' >"$work/herm.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n2 2 1\n' >"$work/singular.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n' >"$work/wide.mtx"
printf '%%%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n' >"$work/ones.mtx"
awk 'BEGIN { n = 200; print "%%MatrixMarket matrix array real general"; print n, 1
    for (i = 1; i <= n; i++) print i % 7 - 3 }' >"$work/b.mtx"

run 0 "$work/sym.mtx"
if [ "$got" -ne 0 ]; then
    case ",${GABLE_REQUIRE:-}," in
    *",${device#opencl:},"*)
        echo "FAILED: GABLE_REQUIRE names $device"
        exit 1
        ;;
    esac
    grep -q 'device' "$work/err" && exit 77
    exit 1
fi

# ---- what it says ----
says '^solved$' "a Laplacian"
says '^matrix .*sym.mtx: 200 x 200, 598 entries, symmetric' "a Laplacian"
says '^b +A times ones' "a Laplacian"
says '^method +cg: A is symmetric and its diagonal is positive' "a Laplacian"
says '^precond +jacobi: ' "a Laplacian"
says '^format +[A-Z]+: ' "a Laplacian"
says '^iterations +[0-9]+ of cg' "a Laplacian"
says '^time .*% of the' "a Laplacian"
[ ! -s "$work/err" ] || fail "something is on the standard error: $(cat "$work/err")"
run 0 "$work/gen.mtx" --plot
says '^method +bicgstab: A is not symmetric' "a matrix that is not symmetric"
says '^  1e-0[0-9] \|' "--plot"
run 0 "$work/herm.mtx"
says 'Hermitian' "a Hermitian matrix"
says '^method +cg: A is Hermitian' "a Hermitian matrix"

# ---- files: b read, x written, A x - b checked by awk ----
for prec in d s; do
    run 0 "$work/gen.mtx" "$work/b.mtx" --out "$work/x.mtx" --prec $prec --svg "$work/plot.svg"
    awk 'FNR == 1 { file++ } /^%/ { next } file == 1 && !head[1]++ { n = $1; next } file == 2 && !head[2]++ { next }
        file == 3 && !head[3]++ { next }
        file == 1 { b[++nb] = $1; norm += $1 * $1 } file == 2 { x[++nx] = $1 } file == 3 { r[$1] += $3 * x[$2] }
        END { for (i = 1; i <= n; i++) sum += (r[i] - b[i]) ^ 2
            exit !(nx == n && nb == n && sqrt(sum / norm) < 2e-5) }' "$work/b.mtx" "$work/x.mtx" "$work/gen.mtx" ||
        fail "x of --prec $prec does not solve the system"
    grep -q '<svg' "$work/plot.svg" && grep -q '</svg>' "$work/plot.svg" || fail "no picture"
done

# ---- JSON ----
for method in cg bicgstab gmres; do
    run 0 "$work/sym.mtx" --method $method --tolerance 1e-6 --format keep --json
    [ "$(value method)" = $method ] || fail "--method $method: the method is $(value method)"
    [ "$(value outcome)" = solved ] || fail "--method $method: the outcome is $(value outcome)"
    [ "$(value format)" = CSR ] || fail "--format keep: the format is $(value format)"
    awk -v r="$(value residual)" -v e="$(value x_error)" 'BEGIN { exit !(r > 0 && r <= 1e-6 && e < 1e-3) }' ||
        fail "--method $method: residual $(value residual), error $(value x_error)"
done
run 0 "$work/sym.mtx" --precond none --form standard --format ell --json
[ "$(value precond)" = none ] && [ "$(value form)" = standard ] && [ "$(value format)" = ELL ] ||
    fail "precond $(value precond), form $(value form), format $(value format)"
run 0 "$work/sym.mtx" --precond block --block 5 --json
[ "$(value precond)" = block ] || fail "--precond block: $(value precond)"
run 0 "$work/sym.mtx" --precond ic0 --json
[ "$(value precond)" = ic0 ] && [ "$(value form)" = standard ] || fail "--precond ic0: $(value precond), $(value form)"

# ---- solved before the first iteration ----
printf '%%%%MatrixMarket matrix array real general\n200 1\n' >"$work/zeros.mtx"
awk 'BEGIN { for (i = 1; i <= 200; i++) print 0 }' >>"$work/zeros.mtx"
run 0 "$work/sym.mtx" "$work/zeros.mtx"
says '^iterations +0 of cg, preconditioner ' "a b of zeros"

# ---- packed files, a mark of UTF-8 ----
gzip -c "$work/sym.mtx" >"$work/packed.mtx.gz"
failed 'packed.mtx.gz is compressed by gzip' "$work/packed.mtx.gz"
grep -q gunzip "$work/err" || fail "a packed file: $(cat "$work/err")"
{ printf '\357\273\277'; cat "$work/sym.mtx"; } >"$work/marked.mtx"
run 0 "$work/marked.mtx"
says '200 x 200, 598 entries, symmetric' "a file with a byte order mark"

# ---- not solved ----
run 1 "$work/sym.mtx" --iterations 3
says '^hint .*--iterations' "an iteration limit"
says '^iteration limit$' "an iteration limit"
run 1 "$work/singular.mtx" "$work/ones.mtx"
says '^hint .*not solved: the matrix is singular, as its row 3' "a singular matrix"
grep -q -e '--' "$work/out" && fail "a singular matrix gets hints: $(cat "$work/out")"

# ---- files that are no plain ones, links, folders that are not there ----
if [ -w /dev/full ]; then
    failed 'No space left' "$work/sym.mtx" --out /dev/full
    failed 'No space left' "$work/sym.mtx" --svg /dev/full
    [ -c /dev/full ] || fail "/dev/full is no device any more"
fi
echo old >"$work/kept.mtx"
chmod 640 "$work/kept.mtx"
ln -s kept.mtx "$work/link.mtx"
ln -s sub/fresh.svg "$work/link.svg"
mkdir "$work/sub"
run 0 "$work/sym.mtx" --out "$work/link.mtx" --svg "$work/link.svg"
[ -L "$work/link.mtx" ] && [ -L "$work/link.svg" ] || fail "a link was replaced"
grep -q MatrixMarket "$work/kept.mtx" || fail "the file behind a link was not written"
grep -q '<svg' "$work/sub/fresh.svg" || fail "the file that a link pointed to was not made"
[ "$(stat -c %a "$work/kept.mtx")" = 640 ] || fail "the file has other permissions: $(stat -c %a "$work/kept.mtx")"
"$gable" solve "$work/sym.mtx" --out /dev/stdout >"$work/both" 2>"$work/err" || fail "--out /dev/stdout: $(cat "$work/err")"
grep -q '^solved$' "$work/both" && grep -q '%%MatrixMarket' "$work/both" || fail "--out /dev/stdout: $(head -n 5 "$work/both")"
for option in --out --svg; do
    failed 'No such file or directory' "$work/sym.mtx" $option "$work/no/where.mtx"
    [ ! -s "$work/out" ] || fail "$option: there was work before the file was opened: $(cat "$work/out")"
done
failed 'none.mtx' "$work/none.mtx" --out "$work/left.mtx"
[ -z "$(ls "$work" | grep draft)" ] && [ ! -e "$work/left.mtx" ] || fail "drafts are left: $(ls "$work")"

# ---- what cannot be done ----
refused 'needs a matrix'
refused 'got "c" too' "$work/sym.mtx" "$work/b.mtx" c
refused 'method' "$work/sym.mtx" --method jacobi
refused 'tolerance' "$work/sym.mtx" --tolerance x
refused '--prec is "q"' "$work/sym.mtx" --prec q
refused 'no option --speed' "$work/sym.mtx" --speed
refused 'comma' "$work/sym.mtx" --method cg,form=standard
refused '--color is "blue"' "$work/sym.mtx" --color blue
failed 'none.mtx' "$work/none.mtx"
failed 'square' "$work/wide.mtx"
failed 'has 3 elements' "$work/sym.mtx" "$work/ones.mtx"
failed 'one column' "$work/sym.mtx" "$work/gen.mtx"
failed 'where.mtx' "$work/sym.mtx" --out "$work/no/where.mtx"
failed 'where.svg' "$work/sym.mtx" --svg "$work/no/where.svg"
"$gable" solve "$work/sym.mtx" --device nowhere:7 >"$work/out" 2>"$work/err"
[ $? -eq 1 ] || fail "--device nowhere:7: the exit code must be 1"

[ "$failures" -eq 0 ] || exit 1
echo "gable solve on $device: all good"
