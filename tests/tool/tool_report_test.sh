#!/bin/sh
# tool_report_test.sh: `gable report`: what the page says, exit codes, and that bench keeps its rows for it.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_report_test.sh GABLE SOURCE_FOLDER
#
# Without gnuplot only what needs no plots is tested, and the rest is a skip.
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
source=$2
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
XDG_DATA_HOME=$work/home
export XDG_DATA_HOME
# shellcheck source=tests/tool/report_data.sh
. "$source/tests/tool/report_data.sh"

# expect CODE PIECE ARGUMENTS...: the exit code and a piece of what is said, in one line if it failed.
expect() {
    code=$1 piece=$2
    shift 2
    "$gable" report "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" -eq "$code" ] || fail "report $*: exit code $got, must be $code: $(cat "$work/err")"
    cat "$work/out" "$work/err" | grep -qF -e "$piece" || fail "report $*: does not say \"$piece\": $(cat "$work/err")"
    [ "$code" -eq 0 ] || [ "$(wc -l <"$work/err")" -eq 1 ] || fail "report $*: must say one line"
}

# says PAGE TEXT...: each text is on the page.
says() {
    says_page=$1
    shift
    for text in "$@"; do
        tr '\n' ' ' <"$says_page" | grep -qF -e "$text" || fail "$says_page does not say: $text"
    done
}

# ---- nothing measured: the page says so, and how to measure; gnuplot is not needed ---------------------
expect 0 '0 rows of 0 devices' --out "$work/empty.html"
says "$work/empty.html" 'gable bench ' 'gable info --roofs' 'gable bench --model-error' 'gable tune all' \
    'gable study portability' '</html>'

# ---- wrong command lines and what cannot be read ------------------------------------------------------
expect 2 'no option --frobnicate' --frobnicate
expect 2 '--out needs a value' --out
expect 1 'cannot be read' --out "$work/no.html" "$work/missing"
expect 1 'nothing was measured on a device like "frob"' --out "$work/no.html" --device frob
[ ! -e "$work/no.html" ] || fail 'a page was written in spite of a failure'

# ---- bench keeps its rows, without forced and unwanted ones --------------------------------------------
"$gable" bench daxpy --size 1000,2000 --seconds 0.01 --device cpu >/dev/null || fail 'bench: exit code not 0'
"$gable" bench daxpy --size 2000,3000 --seconds 0.01 --device cpu --json >/dev/null || fail 'bench: exit code not 0'
"$gable" bench daxpy --size 4000 --seconds 0.01 --device cpu --no-save >/dev/null || fail 'bench --no-save: exit code not 0'
"$gable" bench daxpy --size 5000 --seconds 0.01 --device cpu --variant omp >/dev/null || fail 'bench --variant: exit code not 0'
rows=$(echo "$work"/home/gable/results/cpu-*/axpy.jsonl)
[ -f "$rows" ] || fail "bench kept no rows at $rows"
[ "$(grep -c '"date"' "$rows")" -eq 2 ] || fail "two runs must have left two lines of circumstances: $(cat "$rows")"
[ "$(grep -c '"op":"axpy"' "$rows")" -eq 8 ] || fail "two sizes in two modes, twice, must be 8 rows: $(cat "$rows")"
grep -qE '"n":(4000|5000)' "$rows" && fail 'rows were kept that must not be'
mkdir "$work/closed"
: >"$work/closed/gable"
XDG_DATA_HOME=$work/closed "$gable" bench daxpy --size 1000 --seconds 0.01 --device cpu >"$work/out" 2>"$work/err" ||
    fail 'bench: a data folder that cannot be written must be no error'
[ "$(grep -c 'not kept for' "$work/out")" -eq 1 ] || fail "bench does not say once that rows are not kept: $(cat "$work/out")"

# ---- without gnuplot: a sentence, and nothing half-written --------------------------------------------
mkdir "$work/bin"
echo before >"$work/old.html"
PATH=$work/bin "$gable" report --out "$work/old.html" 2>"$work/err"
got=$?
{ [ "$got" -eq 1 ] && grep -q 'need gnuplot, which is not installed' "$work/err"; } || fail "without gnuplot: $(cat "$work/err")"
[ "$(cat "$work/old.html")" = before ] || fail 'without gnuplot the old page is gone'

if ! command -v gnuplot >/dev/null; then
    [ "$failures" -eq 0 ] || exit 1
    case ",${GABLE_REQUIRE:-}," in
    *,gnuplot,*) exit 1 ;;
    esac
    echo 'no gnuplot here: the plots are not tested'
    exit 77
fi

# ---- gnuplot that fails, or draws too little ------------------------------------------------------------
printf '#!/bin/sh\necho "it is broken" >&2\nexit 3\n' >"$work/bin/gnuplot"
chmod +x "$work/bin/gnuplot"
PATH=$work/bin:$PATH expect 1 'gnuplot failed: it is broken' --out "$work/old.html"
printf '#!/bin/sh\ncat >/dev/null\n' >"$work/bin/gnuplot"
PATH=$work/bin:$PATH expect 1 'too few pictures' --out "$work/old.html"
[ "$(cat "$work/old.html")" = before ] || fail 'after a failure the old page is gone'
expect 1 'cannot be written' --out "$work/no/such/folder/page.html"
if [ -w /dev/full ]; then
    expect 1 'No space left' --out /dev/full
    [ -c /dev/full ] || fail '/dev/full is no device any more'
fi
ln -s page-behind.html "$work/link.html"
expect 0 'rows of' --out "$work/link.html"
[ -L "$work/link.html" ] || fail 'a link was replaced'
grep -q '</html>' "$work/page-behind.html" || fail 'the file behind a link was not written'
[ -z "$(find "$work" -name '*.part')" ] || fail 'a part of a page was left behind'

# ---- rows of bench make a page ----------------------------------------------------------------------------
expect 0 '6 rows of 1 device' -o "$work/cpu.html"
says "$work/cpu.html" '<b>6</b>' 'gable info --roofs' 'gable tune all' 'Studies vary kernels'

# ---- everything, with figures that can be worked out by hand -----------------------------------------------
rm -r "${work:?}/home"
make_report_data "$work/home/gable"
expect 0 '5 rows of 1 device' --out "$work/page.html" --title 'A & <b>'
page=$work/page.html
says "$page" '<title>A &amp; &lt;b&gt;</title>' 'Test GPU<small>cuda</small>' 'driver 2' 'Peer 1.0' \
    '2026-01-01 to 2026-01-03' '3.00&times;' '5: 1000 to 10M' 's 20 TFLOP/s' 'memory 1.1 TB/s' '1 row had results outside' \
    '1 line that could not be read was skipped' \
    '<th scope="row">all</th><td class="num">10</td><td class="num">55.0</td><td class="num">91.0</td><td class="num">100</td>' \
    '1 row: twice the measured time or more, at most 2 times' \
    '3 calls were tuned. In 2 of them the choice changed, which made them 2.45 times as fast' \
    '<th scope="row">ddot 699051-1398101</th><td class="num">2</td><td class="num">0</td><td class="num">10.0</td><td class="num">10.0</td><td class="num">stays</td>' \
    '<th scope="row">daxpy 3000</th><td class="num">1</td><td class="num">0</td><td class="num">20.0</td><td class="num">10.0</td><td class="num">2.00</td>' \
    '<th scope="row">dgemv aligned 2731-5461x2731-5461</th><td class="num">4</td><td class="num">1</td><td class="num">30.0</td><td class="num">10.0</td><td class="num">3.00</td>' \
    '<b>1.25 times</b>' '40 of 40' 'Latency 321 ns'
for anchor in roofline routines curves model tuning studies; do
    says "$page" "<section id=\"cuda-test-gpu-$anchor\">" "<a href=\"#cuda-test-gpu-$anchor\">"
done
tr '\n' ' ' <"$page" | grep -qF 'Peer 1.0 (' && fail 'the page names where a library lies'
# Roofline twice (wide and narrow), one curve, two of the model, one of the tuner, 4 + 3 of portability, 2 of latency.
pictures=$(grep -c '<svg role="img"' "$page")
[ "$pictures" -eq 15 ] || fail "the page has $pictures plots, must have 15"
[ "$(grep -c '</svg>' "$page")" -eq $((pictures + 1)) ] || fail 'pictures that do not end'
grep -qE 'rgb\(|"black"|gnuplot_plot' "$page" && fail 'colours or names of gnuplot are left'
grep -qE '<script|https?://[^w]|@import|url\(' "$page" && fail 'the page needs more than itself'
ids=$(grep -oE ' id="[^"]*"' "$page" | sort | uniq -d)
[ -z "$ids" ] || fail "identities that occur twice: $ids"
# Elements are closed in order.
awk '{ text = text $0 "\n" } END {
    gsub(/<style>[^<]*<\/style>/, "", text)
    while (match(text, /<\/?[a-zA-Z][^>]*>/)) {
        tag = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        name = tag
        gsub(/^<\/?|[ \/>\n\t].*$|>$/, "", name)
        if (tag ~ /\/>$/ || name == "meta" || name == "input")
            continue
        if (tag !~ /^<\//)
            open[++depth] = name
        else if (depth == 0 || open[depth--] != name) {
            print "</" name "> closes nothing"
            exit
        }
    }
    if (depth > 0)
        print "<" open[depth] "> is not closed"
}' "$page" >"$work/odd"
[ ! -s "$work/odd" ] || fail "$(cat "$work/odd")"

# ---- a later run without a peer does not take the peer away; a page of calls whose choice stayed has no gain ----
mkdir "$work/later"
cp -r "$work/home/gable/results" "$work/later"
later=$work/later/results/cuda-test-gpu/axpy.jsonl
earlier=$work/home/gable/results/cuda-test-gpu/axpy.jsonl
sed -n '1s/2026-01-01/2026-01-09/p' "$earlier" >>"$later"
sed -n '2p' "$earlier" | sed 's/"vs":{[^}]*}/"vs":{}/; s/"usec":1,/"usec":0.5,/' >>"$later"
grep '"dot"' "$work/home/gable/tuning.jsonl" >"$work/later/tuning.jsonl"
XDG_DATA_HOME=$work/nowhere expect 0 '5 rows of 1 device' --out "$work/later.html" "$work/later"
says "$work/later.html" '3.00&times;' '1 call was tuned. The choice stayed in all of them.'

# ---- products of matrices: squares make one curve in GFLOP/s, other shapes another; transfers are left out -----
mkdir "$work/products"
product() { # product MODE GFLOPS ARGS
    printf '{"op":"gemm","prec":"d","args":{"trans":"NT",%s},"device":"cuda:0 P","variant":"tile","mode":"%s","temp":"cold","usec":9,"gbs":5,"gflops":%s,"roof":0.5,"error":0.1,"vs":{}}\n' \
        "$3" "$1" "$2"
}
{
    printf '{"date":"2026-01-01T00:00:00Z","device":"cuda:0 P"}\n'
    product replay 700 '"m":512,"n":512,"k":512'
    product replay 800 '"m":1024,"n":1024,"k":1024'
    product replay 900 '"m":4096,"n":32,"k":1024'
    product transfer 1 '"m":1024,"n":1024,"k":1024'
} >"$work/products/gemm.jsonl"
XDG_DATA_HOME=$work/nowhere expect 0 '3 rows of 1 device' --out "$work/products.html" "$work/products"
says "$work/products.html" 'gemm NT: GFLOP/s against the size' 'gemm NT, by shape' '4096x32x1024'
grep -q 'k=1024' "$work/products.html" && fail 'the terms of a product are taken for a flag'

# ---- other folders, chosen devices; names in files cannot reach gnuplot or the page -------------------------
expect 0 'of 1 device,' --out "$work/both.html" "$source/bench/results" --device neo
expect 0 "of $(ls "$source/bench/results" | wc -l) devices" --out "$work/both.html" "$source/bench/results"
says "$work/both.html" 'NVIDIA H200' 'Arm Neoverse V1' 'gemv N' 'trsv L T'
mkdir "$work/evil"
printf '%s\n' '{"date":"2026-01-01T00:00:00Z","device":"cuda:0 E<script>alert(1)</script>"}' \
    "{\"op\":\"a'; system('touch \$PWNED')\",\"prec\":\"d\",\"args\":{\"m\":3,\"n\":4,\"f\":\"x' b\"},\"device\":\"cuda:0 E<script>alert(1)</script>\",\"variant\":\"v\",\"mode\":\"replay\",\"temp\":\"cold\",\"usec\":1,\"gbs\":5,\"gflops\":5,\"roof\":1,\"error\":0,\"vs\":{\"p<i>\":2}}" \
    "{\"op\":\"copy\",\"prec\":\"d\",\"args\":{\"n\":4000000},\"device\":\"cuda:0 E<script>alert(1)</script>\",\"variant\":\"v\",\"mode\":\"replay\",\"temp\":\"cold\",\"usec\":1,\"gbs\":5,\"gflops\":0,\"roof\":1,\"error\":0,\"vs\":{}}" \
    >"$work/evil/rows.jsonl"
PWNED=$work/pwned expect 0 'of 1 device' --out "$work/evil.html" "$work/evil" --device script
[ ! -e "$work/pwned" ] || fail 'a name in a file became a command'
grep -qE '<script|<i>' "$work/evil.html" && fail 'a name in a file became markup'

# ---- rows that no device gives cannot spoil the page ------------------------------------------------------------
for odd in '"args":{"n":0},"usec":1,"gbs":1,"gflops":1' '"args":{"n":5},"usec":1,"gbs":1e300,"gflops":1e-300' \
    '"args":{},"usec":1' '"args":{"m":7},"usec":1e-300,"gbs":-1,"gflops":-1,"predicted_usec":1e300'; do
    printf '{"op":"axpy","prec":"d","device":"cuda:0 Odd","roof":-1,"error":0,%s}\n' "$odd"
done >"$work/odd.jsonl"
expect 0 'of 1 device' --out "$work/odd.html" "$work/odd.jsonl" --device odd

[ "$failures" -eq 0 ] || exit 1
