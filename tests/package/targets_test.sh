#!/bin/sh
# targets_test.sh: a plain build makes the library and the command only; `tests`, `deep_tests` and `long_tests` make the rest.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tests/package/targets_test.sh BUILD_FOLDER
#
# It reads the rules that CMake wrote; nothing is built. Every program that CTest starts out of the build
# folder is made by one of them; what `tests` leaves out is of tests labelled `deep` or `long`, what `deep_tests` leaves out of those
# labelled `long`.
set -eu
export LC_ALL=C
build=$(cd "${1:?use: targets_test.sh BUILD_FOLDER}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "targets_test: $*"
    exit 1
}
rules=$build/CMakeFiles/Makefile2
[ -f "$rules" ] || {
    echo "the build folder has no Makefile: another generator was chosen"
    exit 77
}
# targets_of RULE: the names of all targets that it makes, by way of others too.
targets_of() {
    awk -v start="$1" '
        /^[^ ]+: [^ ]+\/all$/ { needs[substr($1, 1, length($1) - 1)] = needs[substr($1, 1, length($1) - 1)] " " $2 }
        END {
            seen[start] = 1
            queue[last = 1] = start
            for (i = 1; i <= last; i++) {
                count = split(needs[queue[i]], next_ones)
                for (j = 1; j <= count; j++)
                    if (!(next_ones[j] in seen)) {
                        seen[next_ones[j]] = 1
                        queue[++last] = next_ones[j]
                    }
            }
            for (rule in seen)
                if (match(rule, /CMakeFiles\/[^\/]+\.dir\/all$/))
                    print substr(rule, RSTART + 11, RLENGTH - 19)
        }' "$rules" | sort -u
}

targets_of all >"$work/all"
targets_of tests/CMakeFiles/tests.dir/all >"$work/tests"
for target in gable_shared gable_static gable_tool; do
    grep -qx "$target" "$work/all" || fail "a plain build does not make $target"
done
odd=$(grep -v '^gable_' "$work/all" || :)
[ -z "$odd" ] || fail "a plain build also makes $(echo "$odd" | tr '\n' ' ')"

targets_of tests/CMakeFiles/long_tests.dir/all >"$work/long"
grep -v '^long_tests$' "$work/long" | sort -u "$work/all" - >"$work/made"
# The files of the command and of some libraries are named otherwise than their targets.
find "$build/tests" -name CTestTestfile.cmake -exec grep -h '^add_test' {} + | tr '"' '\n' |
    sed -n "s|^$build/\([A-Za-z0-9_/.]*\)\$|\1|p" |
    sed 's|.*/||; s|^lib\(.*\)\.so$|\1|; s|^gable$|gable_tool|; s|^libblas\.so\.3$|gable_blas|; s|^libgable\.so\..*|gable_shared|' | sort -u >"$work/programs"
[ "$(wc -l <"$work/programs")" -ge 40 ] || fail "CTest starts only $(wc -l <"$work/programs") programs of this build"
comm -23 "$work/programs" "$work/made" >"$work/missing"
[ ! -s "$work/missing" ] || fail "no target makes $(tr '\n' ' ' <"$work/missing")"
# A program that a suite's target does not make must have no test that the suite runs.
leaves_out() { # leaves_out TARGET LABELS
    targets_of "tests/CMakeFiles/$1.dir/all" | sort -u "$work/all" - | comm -23 "$work/programs" - >"$work/late"
    while read -r program; do
        find "$build/tests" -name CTestTestfile.cmake -exec grep -Eh "^set_tests_properties\\((\\[=\\[)?$program(_[a-z]+)?(\\]=\\])? " {} + |
            grep -Eq "LABELS \"([^\"]*;)?($2)(;[^\"]*)?\"" || fail "$1 does not make $program, which is not a $2 test"
    done <"$work/late"
}
leaves_out tests 'deep|long'
leaves_out deep_tests long
echo "targets_test: $(wc -l <"$work/all") targets in a plain build, $(wc -l <"$work/tests") in tests"
