#!/bin/sh
# draw_ladder.sh: draws the ladder of gemm from the committed results, or writes it as a table.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/draw_ladder.sh [--prec s] [RESULTS [PICTURE]]   draws with gnuplot; the defaults are
#                                       bench/results/h200/gemm-ladder.jsonl and docs/gemm-ladder.svg
#   scripts/draw_ladder.sh --table [--prec s] [RESULTS]     prints rows of a table in Markdown
#
# RESULTS is what `gable bench gemm --ladder --json` printed. One precision is shown, and of several sizes
# the last. Each rung has two bars: what the model predicted and what was measured, in GFLOP/s. Libraries
# and rows with transfer were not predicted.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
table=''
prec=s
while [ $# -gt 0 ]; do
    case $1 in
    --table) table=yes ;;
    --prec)
        [ $# -ge 2 ] || {
            echo "draw_ladder: --prec needs a letter: s, d, c or z" >&2
            exit 2
        }
        prec=$2
        shift
        ;;
    -*)
        echo "draw_ladder: unknown option '$1'; there are --table and --prec" >&2
        exit 2
        ;;
    *) break ;;
    esac
    shift
done
results=${1:-bench/results/h200/gemm-ladder.jsonl}
picture=${2:-docs/gemm-ladder.svg}
[ -r "$results" ] || {
    echo "draw_ladder: $results cannot be read; \`gable bench gemm --ladder --json\` writes such a file" >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Of the last size: kind, name, mode, usec, gflops, gbs, predicted usec, limiter, registers, local bytes, occupancy,
# share of multiply-adds; separated by tabs, - where there is nothing.
awk -v prec="$prec" '
    function member(name,    text) {
        if (!match($0, "\"" name "\":(\"[^\"]*\"|[-+.0-9e]+)")) return "-"
        text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
        gsub(/"/, "", text)
        return text
    }
    member("prec") == prec && /"rung":/ {
        size = member("m") "x" member("n") "x" member("k")
        if (size != last) count = 0
        last = size
        row[count++] = member("kind") "\t" member("rung") "\t" member("mode") "\t" member("usec") "\t" \
            member("gflops") "\t" member("gbs") "\t" member("predicted_usec") "\t" member("limiter") "\t" \
            member("registers") "\t" member("local_bytes") "\t" member("occupancy") "\t" member("fma_share")
    }
    END { for (i = 0; i < count; i++) print row[i] }' "$results" >"$work/rows"
[ -s "$work/rows" ] || {
    echo "draw_ladder: $results has no rows of the ladder in $prec" >&2
    exit 1
}

if [ -n "$table" ]; then
    awk -F '\t' '
        function number(text, factor, form) { return text == "-" ? "" : sprintf(form, text * factor) }
        BEGIN {
            print "| rung | predicted us | measured us | GFLOP/s | registers | local bytes | occupancy | FMA | limiter |"
            print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
        }
        {
            name = $1 == "read" || $1 == "peer" ? $2 : "`" $2 "`"
            if ($1 == "chosen") name = name " (chosen)"
            if ($3 == "transfer") name = name ", with transfer"
            rate = $1 == "read" ? number($6, 1, "%.0f GB/s") : number($5, 1, $5 < 100 ? "%.1f" : "%.0f")
            printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name, number($7, 1, "%.0f"), number($4, 1, "%.0f"),
                rate, number($9, 1, "%d"), number($10, 1, "%d"), number($11, 100, "%.0f %%"),
                number($12, 100, "%.1f %%"), $8 == "-" ? "" : $8
        }' "$work/rows"
    exit 0
fi

# Bars, longest name first in the margin: name, measured, predicted in GFLOP/s.
awk -F '\t' '$1 != "read" && $3 != "transfer" {
        name = $2
        sub(/outputs:tile=32:outputs=/, "outputs, ", name)
        sub(/:tile=/, ", ", name)
        sub(/:.*/, "", name)
        if ($1 == "chosen") name = "Gable: " name
        printf "\"%s\"\t%s\t%s\n", name, $5, $7 == "-" ? 0 : $5 * $4 / $7
    }' "$work/rows" >"$work/bars"
bars=$(wc -l <"$work/bars")
# Two runs give the same file.
gnuplot >"$work/picture.svg" <<END
set terminal svg size 960,420 font 'sans-serif,13' background rgb '#ffffff' name 'gable' linewidth 1
set margins 9, 12, 8, 2
set style data histogram
set style histogram clustered gap 1
set style fill solid 1 border -1
set boxwidth 0.9
set logscale y 10
set grid ytics lc rgb '#e4e4e0' lt 1
set border 3 lc rgb '#8b9099'
set tics nomirror textcolor rgb '#1b1e23'
set xtics rotate by -40 font ',11'
set ytics font ',11'
set xrange [-0.7:$bars-0.3]
set ylabel 'GFLOP/s'
set key left top font ',12'
set datafile separator '\t'
plot '$work/bars' using (column(3) > 0 ? column(3) : NaN):xtic(1) lc rgb '#c9ccd1' title 'predicted', \
    '' using 2 lc rgb '#2463c4' title 'measured'
END
[ -s "$work/picture.svg" ]
cp "$work/picture.svg" "$picture"
