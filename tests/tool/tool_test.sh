# tool_test.sh: what the tests of the command share. They read it: . "$(dirname "$0")/tool_test.sh"
# SPDX-License-Identifier: BSD-3-Clause
#
# $work is a folder that is gone when the test ends. Rows and roofs are kept there, not in the user's own folder.
# shellcheck shell=sh disable=SC2034 # the tests use what is set here
set -u
device=${GABLE_DEVICE:-cpu}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
XDG_DATA_HOME=$work/data
export XDG_DATA_HOME
# The cpu's roofs, as tool_kept_roofs_test.sh has measured them, for tests that need some.
if [ -f "${GABLE_TEST_ROOFS:-}/roofs.jsonl" ]; then
    mkdir -p "$work/data/gable"
    cp "$GABLE_TEST_ROOFS"/*.jsonl "$work/data/gable"
fi
# Operands that fill the cache of a large processor take long to make, and tests do not look at their times.
case $device in
cpu | opencl:pocl)
    GABLE_BENCH_CACHE=1048576
    export GABLE_BENCH_CACHE
    ;;
esac
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# needs_device COMMAND...: a command that must run on $device. Where there is no such device the test is left out, or
# fails if GABLE_REQUIRE names it.
needs_device() {
    "$@" >"$work/out" 2>"$work/err" && return
    cat "$work/err"
    case ",${GABLE_REQUIRE:-}," in
    *",${device#opencl:},"*)
        echo "FAILED: GABLE_REQUIRE names $device"
        exit 1
        ;;
    esac
    grep -q 'device' "$work/err" && exit 77
    exit 1
}
