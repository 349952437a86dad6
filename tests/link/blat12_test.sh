#!/bin/sh
# blat12_test.sh: the BLAS's own test programs of levels 1 and 2, which libgable_link must not change.
# SPDX-License-Identifier: BSD-3-Clause
#
#   blat12_test.sh LIBRARY
#
# The programs are Debian's libblas-test; $GABLE_BLAS_TESTS may name another folder. Those of CBLAS run on the reference library, on
# which alone they start. With the library preloaded results are the same bytes as without, whatever GABLE_LINK says.
. "$(dirname "$0")/foreign_test.sh"
library=$1
find_blas_tests xblat2d
cd "$work" || exit 1
programs=0

# results PROGRAM INPUT LIBRARIES: what it prints and writes.
results() {
    rm -f -- *.out *.OUT
    LD_LIBRARY_PATH=$3 "$folder/$1" <"$2" 2>&1 || echo "status $?"
    cat -- *.out *.OUT 2>/dev/null
}
run() {
    [ -x "$folder/$1" ] || return
    programs=$((programs + 1))
    results "$@" >"$work/alone.txt"
    grep -qiE 'pass' "$work/alone.txt" || fail "$1 does not run: $(head -n 3 "$work/alone.txt")"
    for mode in auto device; do
        GABLE_LINK=$mode LD_PRELOAD=$library results "$@" >"$work/linked.txt"
        cmp -s "$work/alone.txt" "$work/linked.txt" ||
            fail "$1, $mode: $(diff "$work/alone.txt" "$work/linked.txt" | head -n 10)"
    done
}
for letter in s d c z; do
    run "xblat1$letter" /dev/null ""
    run "xblat2$letter" "$folder/${letter}blat2.in" ""
    if [ -n "$reference" ]; then
        run "x${letter}cblat1" /dev/null "$reference"
        run "x${letter}cblat2" "$folder/${letter}in2" "$reference"
    fi
done
echo "$programs programs, $failures failures"
[ $failures -eq 0 ] && [ $programs -ge 8 ]
