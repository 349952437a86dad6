#!/bin/sh
# blat3_test.sh: the BLAS's own test programs of level 3 with libgable_link preloaded.
# SPDX-License-Identifier: BSD-3-Clause
#
#   blat3_test.sh LIBRARY MODE LETTER...
#
# The programs xblat3s and so on, and those of CBLAS, are Debian's libblas-test; $GABLE_BLAS_TESTS may name
# another folder. With MODE auto the results must be those without the library, byte by byte. With MODE device every
# call goes to $GABLE_DEVICE, and the programs must be content. Error exits go to the program's own
# xerbla. CBLAS's programs start on the reference library only.
. "$(dirname "$0")/foreign_test.sh"
library=$1
mode=$2
shift 2
find_blas_tests xblat3d
cd "$work" || exit 1

# run PROGRAM INPUT RESULT LIBRARIES: without and with the library; results of xblat3 are in a file, CBLAS's on the standard output.
run() {
    rm -f -- *.out *.OUT
    LD_LIBRARY_PATH=$4 "$folder/$1" <"$folder/$2" >"$work/alone.txt" 2>&1 || fail "$1 fails without the library"
    [ "$3" = - ] || cat "$3" >>"$work/alone.txt"
    rm -f -- *.out *.OUT log
    GABLE_LINK=$mode GABLE_LINK_LOG=$work/log LD_PRELOAD=$library LD_LIBRARY_PATH=$4 "$folder/$1" <"$folder/$2" >"$work/linked.txt" 2>&1
    status=$?
    [ "$3" = - ] || cat "$3" >>"$work/linked.txt"
    [ $status -eq 0 ] || fail "$1 ends with status $status"
    if [ "$mode" = auto ]; then
        cmp -s "$work/alone.txt" "$work/linked.txt" || fail "$1: results differ: $(diff "$work/alone.txt" "$work/linked.txt" | head -n 10)"
        return
    fi
    sent=$(grep -c ' device ' "$work/log" 2>/dev/null)
    kept=$(grep -c ' cpu ' "$work/log" 2>/dev/null)
    echo "$1: $sent calls on the device, $kept on the CPU"
    [ "$sent" -ge 5000 ] || fail "$1: only $sent calls went to the device"
    grep -E 'failed|no device' "$work/log" | head -n 5 >"$work/odd"
    [ ! -s "$work/odd" ] || fail "$1: $(cat "$work/odd")"
    # The computed ratios differ by rounding; all verdicts must be the same.
    grep -E 'PASSED|FAIL|ERROR|FATAL|SUSPECT|HALF' "$work/linked.txt" | sed 's/([^()]*CALLS)//; s/RATIO.*//' >"$work/verdicts"
    grep -E 'FAIL|FATAL|SUSPECT|HALF ACC' "$work/verdicts" | grep -v 'STOP ON FAIL' && fail "$1 is not content"
    grep -q 'PASSED' "$work/verdicts" || fail "$1 says nothing"
}

for letter in "$@"; do
    run "xblat3$letter" "${letter}blat3.in" "${letter}blat3.out" ""
    if [ -n "$reference" ] && [ -x "$folder/x${letter}cblat3" ]; then
        run "x${letter}cblat3" "${letter}in3" - "$reference"
    fi
done
echo "$mode: $failures failures"
[ $failures -eq 0 ]
