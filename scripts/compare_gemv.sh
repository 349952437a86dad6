#!/bin/sh
# compare_gemv.sh: one reduction over several kernels of gemv: measures, writes a table, draws.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/compare_gemv.sh measure DEVICE [FILE]    measures; FILE or - is where rows go
#   scripts/compare_gemv.sh table FILE               prints a table in Markdown
#   scripts/compare_gemv.sh draw FILE PICTURE        draws with gnuplot
#
# The comparison of the paper that gemv's `blocks` come from (figures 6 and 7): gebrd and gehrd as
# calls of gemv (variant `columns`), where gemv is forced to one kernel and then to another:
#   cuda      blocks (blocks_n|blocks_t), split (split_n|split_t), the vendor's, the library's choice
#   opencl    the same without the vendor's
#   cpu       the installed BLAS, own code (omp_short|omp), the library's choice
# $SIZES, $PRECS, $SECONDS_EACH and $GABLE (the command) replace the defaults below. A row is one of
# `gable bench --json` with one more member, "gemv"; of each mode, replayed and alone, there is one.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
usage() {
    sed -n 's/^#   \(scripts.*\)/\1/p' "$0" >&2
    exit 2
}
[ $# -ge 2 ] || usage
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gable=${GABLE:-build/gable}

measure() {
    case $1 in
    cuda*) kernels='blocks=blocks_n|blocks_t split=split_n|split_t vendor=vendor chosen=' sizes=512,1024,2048,4096 ;;
    opencl*) kernels='blocks=blocks_n|blocks_t split=split_n|split_t chosen=' sizes=64,128,256 ;;
    cpu*) kernels='blas=blas omp=omp_short|omp chosen=' sizes=128,256,512,1024 ;;
    *)
        echo "compare_gemv: the device is cuda, opencl or cpu, with a number or a name behind it, not '$1'" >&2
        exit 2
        ;;
    esac
    : >"$work/all"
    for op in gebrd gehrd; do
        for kernel in $kernels; do
            forced=$op=columns
            [ -z "${kernel#*=}" ] || forced="$forced,gemv=${kernel#*=}"
            "$gable" bench $op --prec "${PRECS:-d}" --size "${SIZES:-$sizes}" --device "$1" --variant "$forced" \
                --seconds "${SECONDS_EACH:-0.1}" --no-save --json >"$work/rows" || {
                echo "compare_gemv: $op over gemv's ${kernel%%=*} cannot be measured on $1" >&2
                exit 1
            }
            [ -s "$work/all" ] || sed -n '1s/"variant":"[^"]*"/"variant":"columns, gemv forced"/p' "$work/rows" >"$work/all"
            sed "1d; s/\"variant\":\"columns\"/&,\"gemv\":\"${kernel%%=*}\"/" "$work/rows" >>"$work/all"
        done
    done
    cat "$work/all"
}

# op, prec, n, gemv, mode, ms, GFLOP/s; separated by tabs, in the order of the file
columns() {
    [ -r "$1" ] || {
        echo "compare_gemv: $1 cannot be read; \`scripts/compare_gemv.sh measure\` writes such a file" >&2
        exit 1
    }
    awk '
        function member(name,    text) {
            if (!match($0, "\"" name "\":(\"[^\"]*\"|[-+.0-9e]+)")) return "-"
            text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
            gsub(/"/, "", text)
            return text
        }
        /"gemv":/ {
            print member("op") "\t" member("prec") "\t" member("n") "\t" member("gemv") "\t" member("mode") "\t" \
                member("usec") / 1000 "\t" member("gflops")
        }' "$1" >"$work/columns"
    [ -s "$work/columns" ] || {
        echo "compare_gemv: $1 has no rows of a comparison" >&2
        exit 1
    }
}

# Milliseconds, replayed and alone in brackets; one column per kernel of gemv.
table() {
    columns "$1"
    awk -F '\t' '
        !($4 in seen) { seen[$4] = 1; kernel[kernels++] = $4 }
        { line = $1 "\t" $2 "\t" $3; time[line, $4, $5] = $6 }
        !(line in known) { known[line] = 1; order[lines++] = line }
        function ms(value) { return value == "" ? "" : sprintf(value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value) }
        END {
            printf "| | n |"
            for (k = 0; k < kernels; k++) printf " %s |", kernel[k]
            printf "\n| --- | --- |"
            for (k = 0; k < kernels; k++) printf " --- |"
            for (i = 0; i < lines; i++) {
                split(order[i], part, "\t")
                printf "\n| %s%s | %s |", part[2], part[1], part[3]
                for (k = 0; k < kernels; k++)
                    printf " %s (%s) |", ms(time[order[i], kernel[k], "replay"]), ms(time[order[i], kernel[k], "single"])
            }
            print ""
        }' "$work/columns"
}

# Two panels as the paper has them, gebrd and gehrd: GFLOP/s over n, replayed, in the first precision
# of the file.
draw() {
    columns "$1"
    prec=$(head -n 1 "$work/columns" | cut -f 2)
    plots=''
    for op in gebrd gehrd; do
        lines='' number=0
        for kernel in $(cut -f 4 "$work/columns" | awk '!seen[$0]++'); do
            awk -F '\t' -v op=$op -v prec="$prec" -v kernel="$kernel" \
                '$1 == op && $2 == prec && $4 == kernel && $5 == "replay" { print $3, $7 }' "$work/columns" |
                sort -n >"$work/$op-$kernel"
            [ -s "$work/$op-$kernel" ] || continue
            number=$((number + 1))
            color=$(echo '#8b9099 #2463c4 #c4572b #3d8a4e' | cut -d ' ' -f $number)
            lines="$lines${lines:+, }'$work/$op-$kernel' with linespoints pt 7 ps 0.6 lw 1.8 lc rgb '$color' title '$kernel'"
        done
        plots="$plots
set title '$prec$op'
plot $lines"
    done
    # Two runs give the same file.
    gnuplot >"$work/picture.svg" <<END
set terminal svg size 960,360 font 'sans-serif,13' background rgb '#ffffff' name 'gable' linewidth 1
set multiplot layout 1,2 margins 0.07,0.985,0.15,0.9 spacing 0.07
set grid ytics lc rgb '#e4e4e0' lt 1
set border 3 lc rgb '#8b9099'
set tics nomirror textcolor rgb '#1b1e23' font ',11'
set xlabel 'n' offset 0,0.4
set ylabel 'GFLOP/s'
set yrange [0:*]
set key left top samplen 2 font ',12'
$plots
unset multiplot
END
    [ -s "$work/picture.svg" ]
    cp "$work/picture.svg" "$2"
}

case $1 in
measure)
    measure "$2" >"$work/measured"
    if [ "${3:--}" = - ]; then cat "$work/measured"; else cp "$work/measured" "$3"; fi
    ;;
table) table "$2" ;;
draw)
    [ $# -eq 3 ] || usage
    draw "$2" "$3"
    ;;
*) usage ;;
esac
