#!/bin/sh
# draw_picture.sh: draws README's picture from the committed results, with gnuplot.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/draw_picture.sh [FILE]      the default is docs/h200-matrices.svg
#
# Three panels, in double: dgemv N, dgemv T and dsymv on an H200. Each shows the rate of Gable, that of
# cuBLAS in the same run, and the roof: what a kernel that only reads reached with as many bytes. A test
# draws it again and compares.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
out=${1:-docs/h200-matrices.svg}
results=bench/results/h200
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# rates FILE PATTERN: order, Gable's rate, cuBLAS's, the roof's, all in TB/s; replayed, square matrices.
rates() {
    awk -v pattern="$2" '
        function number(name,    text) {
            if (!match($0, "\"" name "\":[-+.0-9e]+")) return 0
            text = substr($0, RSTART, RLENGTH)
            sub(/.*:/, "", text)
            return text + 0
        }
        index($0, pattern) && /"prec":"d"/ && /"mode":"replay"/ && /"temp":"cold"/ {
            m = number("m")
            n = number("n")
            gbs = number("gbs")
            if ((m == 0 || m == n) && number("cublas") > 0)
                print n, gbs / 1000, gbs / 1000 / number("cublas"), gbs / 1000 / number("roof")
        }' "$results/$1" | sort -n
}
rates gemv.jsonl '"trans":"N"' >"$work/gemv_n"
rates gemv.jsonl '"trans":"T"' >"$work/gemv_t"
rates symv.jsonl '"uplo":"L"' >"$work/symv"
for name in gemv_n gemv_t symv; do
    [ "$(wc -l <"$work/$name")" -ge 8 ] || {
        echo "draw_picture: $results has too few rows for $name" >&2
        exit 1
    }
done

# Two runs give the same file.
gnuplot >"$work/picture.svg" <<END
set terminal svg size 960,330 font 'sans-serif,13' background rgb '#ffffff' name 'gable' linewidth 1
set multiplot layout 1,3 margins 0.065,0.985,0.17,0.86 spacing 0.045
set logscale x 2
set xtics (128, 512, 2048, 8192) font ',11'
set ytics 1 font ',11'
set format x '%.0f'
set grid ytics lc rgb '#e4e4e0' lt 1
set border 3 lc rgb '#8b9099'
set tics nomirror textcolor rgb '#1b1e23'
set xrange [110:18800]
set yrange [0:5]
set xlabel 'n' offset 0,0.4
set key left top samplen 2 font ',12'
roof = "with lines lc rgb '#8b9099' dt (6,4) lw 1.6 title 'roof'"
cublas = "with linespoints lc rgb '#d56a0b' lw 1.8 pt 6 ps 0.5 title 'cuBLAS'"
gable = "with linespoints lc rgb '#2463c4' lw 2.4 pt 7 ps 0.5 title 'Gable'"
set ylabel 'TB/s' offset 1.5,0
set title 'dgemv: y := A x'
plot '$work/gemv_n' using 1:4 @roof, '' using 1:3 @cublas, '' using 1:2 @gable
unset ylabel
set title 'dgemv: y := A^{T} x'
plot '$work/gemv_t' using 1:4 @roof, '' using 1:3 @cublas, '' using 1:2 @gable
set title 'dsymv: y := A x, one triangle stored'
plot '$work/symv' using 1:4 @roof, '' using 1:3 @cublas, '' using 1:2 @gable
END
[ -s "$work/picture.svg" ]
cp "$work/picture.svg" "$out"
