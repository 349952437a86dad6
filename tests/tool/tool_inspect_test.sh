#!/bin/sh
# tool_inspect_test.sh: every kernel inspected for two architectures, and what is said of it.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_inspect_test.sh GABLE JSON_LINES
set -u
gable=$1
json_lines=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

if ! "$gable" inspect copy --arch sm_90a >"$work/out" 2>"$work/err"; then
    cat "$work/err"
    case ",${GABLE_REQUIRE:-}," in
    *,nvrtc,*) exit 1 ;;
    esac
    grep -q 'NVRTC' "$work/err" && exit 77
    exit 1
fi
for word in kernel macros registers shared spills stack occupancy PTX SASS; do
    grep -q "^$word" "$work/out" || fail "inspect does not show $word"
done

kernels=$("$gable" inspect frobnicate 2>&1 | sed 's/.*kernels are //; s/,//g')
for kernel in $kernels; do
    for arch in sm_80 sm_90a; do
        "$gable" inspect "$kernel" --arch $arch --json >"$work/json" 2>"$work/err" ||
            fail "inspect $kernel --arch $arch: $(cat "$work/err")"
        "$json_lines" <"$work/json" >"$work/values" || fail "$kernel: $(cat "$work/values")"
        grep -q '^1 spill_bytes 0$' "$work/values" || fail "$kernel spills on $arch"
        grep -Eq '^1 registers [1-9][0-9]*$' "$work/values" || fail "$kernel: no registers"
        grep -Eq '^1 ptx.total [1-9][0-9]*$' "$work/values" || fail "$kernel: no PTX mix"
    done
done

# Wider vectors make wider loads.
"$gable" inspect copy --prec s --set VEC=1 --json | "$json_lines" >"$work/narrow"
"$gable" inspect copy --prec s --set VEC=4 --json | "$json_lines" >"$work/wide"
grep -q 'global load, 4 bytes' "$work/narrow" || fail "VEC=1 has no 4-byte loads"
grep -q 'global load, 16 bytes' "$work/wide" || fail "VEC=4 has no 16-byte loads"
grep -q '^1 macros.VEC 4$' "$work/wide" || fail "--set is not shown"
"$gable" inspect dot --ptx | grep -q '\.entry ddot' || fail "--ptx prints no kernel"

[ "$failures" -eq 0 ] || exit 1
