#!/bin/sh
# python_calls_test.sh: every routine of gl.blas beside the same call in C: the same bits.
# SPDX-License-Identifier: BSD-3-Clause
#
#   python_calls_test.sh PYTHON CC LIBGABLE
#
# A call with two arguments exchanged must be seen.
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
python=${1:?use: python_calls_test.sh PYTHON CC LIBGABLE} cc=$2 libgable=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "python_calls_test: $*"
    exit 1
}
compare() { # compare FOLDER: with the calls in C that stand there
    "$cc" -std=c11 -Wall -Wextra -Werror -shared -fPIC -I"$1" -I"$tests/../../include" "$tests/python_calls.c" "$libgable" \
        -Wl,-rpath,"$(dirname "$libgable")" -o "$1/libcalls.so" || fail "the calls in C do not compile"
    GABLE_CALLS=$1/libcalls.so "$python" "$tests/python/run.py" test_calls
}
mkdir "$work/true" "$work/wrong"
"$python" "$tests/make_calls.py" "$work/true" || fail "make_calls.py failed"
status=0
compare "$work/true" || status=$?
[ $status -eq 0 ] || exit $status

sed 's/gable_dger(ctx, (int64_t)6, (int64_t)5/gable_dger(ctx, (int64_t)5, (int64_t)6/' \
    "$work/true/calls_made.h" >"$work/wrong/calls_made.h"
! cmp -s "$work/true/calls_made.h" "$work/wrong/calls_made.h" || fail "gable_dger is not called as expected"
! compare "$work/wrong" >"$work/said" 2>&1 || fail "exchanged arguments were not seen"
grep -q "^AssertionError: Lists differ: \['gable_dger, arrays', 'gable_dger, addresses'\] != \[\]$" "$work/said" ||
    fail "said of exchanged arguments: $(cat "$work/said")"
