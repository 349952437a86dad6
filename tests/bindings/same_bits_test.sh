#!/bin/sh
# same_bits_test.sh: scripts/same_bits.py: two processes with one library agree, a planted bit is seen.
# SPDX-License-Identifier: BSD-3-Clause
#
#   same_bits_test.sh PYTHON CC LIBRARY
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
python=${1:?use: same_bits_test.sh PYTHON CC LIBRARY} cc=$2 library=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "same_bits_test: $*"
    exit 1
}
"$python" -c 'import numpy' 2>/dev/null || {
    case ",${GABLE_REQUIRE:-}," in *,python,*) fail 'GABLE_REQUIRE names python, but numpy is missing' ;; esac
    echo 'skipped: numpy is missing'
    exit 77
}
compare() { "$python" "$tests/../../scripts/same_bits.py" "$@" >"$work/said" 2>&1; }

compare --calls 300 --order 60 "$library" "$library" || fail "one library differs from itself: $(cat "$work/said")"
grep -q '^300 calls on cpu: 2[0-9]* with the same bits, .* 0 left out, 0 different$' "$work/said" ||
    fail "most calls should be legal: $(cat "$work/said")"

"$cc" -shared -fPIC "$tests/planted_bits.c" -o "$work/planted.so" -Wl,--no-as-needed "$library" \
    -Wl,-rpath,"$(dirname "$library")" -ldl || fail 'planted_bits.c does not compile'
compare --calls 30 --only '^gable_[sd]axpy$' "$library" "$work/planted.so" &&
    fail "a planted bit is not seen: $(cat "$work/said")"
grep -q '^different: [0-9]* gable_daxpy(n=' "$work/said" || fail "the call is not named: $(cat "$work/said")"
grep -q 'gable_saxpy' "$work/said" && fail "a call that is right is named: $(cat "$work/said")"

compare --calls 3 --only '^gable_no_such$' "$library" "$library" && fail 'a pattern without routines is taken'
grep -q "no routine has '^gable_no_such\\$' in its name" "$work/said" || fail "$(cat "$work/said")"
