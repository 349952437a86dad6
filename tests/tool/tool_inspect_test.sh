#!/bin/sh
# tool_inspect_test.sh: every kernel inspected for two architectures and in all its precisions, and what
# is said of it.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_inspect_test.sh GABLE JSON_LINES
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2
sources=$(dirname "$0")/../../kernels
export XDG_CACHE_HOME="$work/cache"
unset GABLE_VARIANT

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

kernels=$("$gable" help --list kernels)
[ "$(echo "$kernels" | wc -l)" -gt 50 ] || fail "too few kernels are listed: $kernels"
# test_nvrtc compiles all of them for both architectures and in all precisions; here it is what inspect says, of one in five.
architectures=sm_90a
[ -z "${GABLE_TEST_ALL:-}" ] || architectures='sm_80 sm_90a'
number=0
for kernel in $kernels; do
    number=$((number + 1))
    [ -n "${GABLE_TEST_ALL:-}" ] || [ $((number % 5)) -eq 0 ] || continue
    for arch in $architectures; do
        "$gable" inspect "$kernel" --arch $arch --json >"$work/json" 2>"$work/err" ||
            fail "inspect $kernel --arch $arch: $(cat "$work/err")"
        "$json_lines" <"$work/json" >"$work/values" || fail "$kernel: $(cat "$work/values")"
        grep -q '^1 spill_bytes 0$' "$work/values" || fail "$kernel spills on $arch"
        grep -Eq '^1 registers [1-9][0-9]*$' "$work/values" || fail "$kernel: no registers"
        grep -Eq '^1 ptx.total [1-9][0-9]*$' "$work/values" || fail "$kernel: no PTX mix"
    done
done

# Every kernel file, in every precision that it exists in; in others inspect says which it has.
precisions_of() {
    case $1 in
    read | sweep | chase | arrive | dmma) echo d ;;
    gemm_dmma) echo d z ;;
    gemm_ffma) echo s c ;;
    gemm_tf32 | tf32) echo s ;;
    muladd) echo s d ;;
    dsdot | dsdot_finish | exchange) echo s ;;
    rotm | rotmg) echo s d ;;
    *) echo s d c z ;;
    esac
}
for file in "$sources"/*/*.cl "$sources"/sm90/*.cu; do
    [ -e "$file" ] || continue
    kernel=$(basename "$file")
    kernel=${kernel%.*}
    case ${GABLE_TEST_ALL:+all}$kernel in
    all* | copy | dsdot | exchange | gemv_n | read | rotm | symv_read_twice) ;;
    *) continue ;;
    esac
    for prec in s d c z; do
        "$gable" inspect "$kernel" --arch sm_90a --prec $prec --json >"$work/json" 2>"$work/err"
        code=$?
        case " $(precisions_of "$kernel") " in
        *" $prec "*)
            [ $code -eq 0 ] || fail "inspect $kernel --prec $prec: $(cat "$work/err")"
            "$json_lines" <"$work/json" >"$work/values" || fail "$kernel: $(cat "$work/values")"
            grep -q "^1 kernel $prec$kernel\$" "$work/values" ||
                fail "inspect $kernel --prec $prec shows another kernel"
            grep -Eq '^1 registers [1-9][0-9]*$' "$work/values" || fail "$prec$kernel: no registers"
            ;;
        *)
            [ $code -eq 2 ] || fail "inspect $kernel --prec $prec ends with $code"
            grep -q "the kernel $kernel exists only in" "$work/err" ||
                fail "inspect $kernel --prec $prec says: $(cat "$work/err")"
            ;;
        esac
    done
done

# The macros are those of a call: a kernel has no others, and GABLE_VARIANT counts as it does there.
"$gable" inspect dot_finish --json | "$json_lines" >"$work/values"
grep -q '^1 macros.WX ' "$work/values" || fail "dot_finish has no WX"
grep -q '^1 macros.VEC ' "$work/values" && fail "dot_finish has VEC, which its calls do not give it"
"$gable" inspect dot --json | "$json_lines" | grep -q '^1 macros.ONE_PASS 1$' ||
    fail "dot is not inspected as it is launched by default"
GABLE_VARIANT=dot=two_pass "$gable" inspect dot --json | "$json_lines" |
    grep -q '^1 macros.ONE_PASS 0$' || fail "inspect dot does not heed GABLE_VARIANT"
[ ! -e "$XDG_CACHE_HOME/gable" ] || fail "inspect wrote to the cache of kernels"

# What --set says of tunables is planned with; other macros and values are taken as they are.
"$gable" inspect copy --prec s --set VEC=1 --json | "$json_lines" | grep -q '^1 macros.ALIGN 4$' ||
    fail "VEC=1 leaves the alignment of wider vectors"
"$gable" inspect dot --prec z --set CONJ=1,WX=96 --json | "$json_lines" >"$work/values"
grep -q '^1 macros.CONJ 1$' "$work/values" || fail "a macro that is no tunable cannot be set"
grep -q '^1 macros.WX 96$' "$work/values" || fail "a group that is not in the table cannot be set"

# Wider vectors make wider loads.
"$gable" inspect copy --prec s --set VEC=1 --json | "$json_lines" >"$work/narrow"
"$gable" inspect copy --prec s --set VEC=4 --json | "$json_lines" >"$work/wide"
grep -q 'global load, 4 bytes' "$work/narrow" || fail "VEC=1 has no 4-byte loads"
grep -q 'global load, 16 bytes' "$work/wide" || fail "VEC=4 has no 16-byte loads"
grep -q '^1 macros.VEC 4$' "$work/wide" || fail "--set is not shown"
"$gable" inspect dot --ptx | grep -q '\.entry ddot' || fail "--ptx prints no kernel"

[ "$failures" -eq 0 ] || exit 1
