#!/bin/sh
# calls_test.sh: every typed routine, called from C and from Fortran with the same arguments: same bits.
# SPDX-License-Identifier: BSD-3-Clause
#
#   calls_test.sh BUILD_FOLDER PYTHON CC       behind `fortran_test.sh build`, whose module it uses
#
# A call with two arguments exchanged must be seen.
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?use: calls_test.sh BUILD_FOLDER PYTHON CC}" && pwd)
python=$2 cc=$3
module=$build/fortran-tests/plain
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "calls_test: $*"
    exit 1
}
if [ -z "$python" ] || [ ! -e "$module/gable.o" ]; then
    case ",${GABLE_REQUIRE:-}," in *,fortran,*) fail 'GABLE_REQUIRE names fortran, but the module is missing' ;; esac
    echo 'skipped: there is no Fortran module'
    exit 77
fi

"$python" "$tests/make_calls.py" "$work" || fail "make_calls.py failed"
"$cc" -std=c11 -Wall -Wextra -Werror -I"$work" -I"$tests/../../include" -c "$tests/test_calls.c" -o "$work/test_calls.o" ||
    fail "the calls in C do not compile"
made() { # made PROGRAM CALLS
    gfortran -Wall -Werror -I"$module" -J"$work" "$tests/call_fortran.f90" "$2" "$work/test_calls.o" "$module/gable.o" \
        -L"$build" -lgable -Wl,-rpath,"$build" -o "$work/$1" || fail "the calls in Fortran do not compile"
}
made test_calls "$work/calls_made.f90"
"$work/test_calls" || fail "the calls differ"

sed 's/call gable_dger(ctx, 6_c_int64_t, 5_c_int64_t/call gable_dger(ctx, 5_c_int64_t, 6_c_int64_t/' \
    "$work/calls_made.f90" >"$work/wrong.f90"
! cmp -s "$work/calls_made.f90" "$work/wrong.f90" || fail "gable_dger is not called as expected"
made wrong "$work/wrong.f90"
! "$work/wrong" >"$work/said" || fail "exchanged arguments were not seen"
[ "$(grep -c '^FAILED: gable_dger, call [0-9]*, form 1: status 0 and 0, other bits$' "$work/said")" -eq 1 ] ||
    fail "said of exchanged arguments: $(cat "$work/said")"
