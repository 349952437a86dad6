#!/bin/sh
# check.sh: what `make check` does: set-up, builds, tests and the checks of the tree.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/check.sh          everything but the tests labelled `long`
#   scripts/check.sh --all    those too, the tests labelled `tsan` under the thread sanitizer, and the
#                             Debian packages
#
# The release build in build/ runs the whole suite; clang compiles the tree into build-clang/; the
# tests labelled `sanitize` run again in build-asan/ (address and undefined-behaviour sanitizers).
# GABLE_REQUIRE names what tests must not skip: PoCL, locales, and NVRTC where a libnvrtc is found; a
# value set by the caller stays.
set -eu
cd "$(dirname "$0")/.."

case ${1-} in
'') without_long='-LE ^long$' needs=check tests=tests short=ON ;;
--all) without_long='' needs=check-all tests=long_tests short=OFF ;;
*)
    echo "check: unknown option '$1'; use: scripts/check.sh [--all]" >&2
    exit 2
    ;;
esac

scripts/bootstrap.sh $needs

folder=build
. scripts/parts.sh

has_nvrtc() {
    [ -z "${GABLE_NVRTC:-}" ] || return 0
    case $(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null) in *libnvrtc.so.*) return 0 ;; esac
    for library in /usr/local/cuda*/lib64/libnvrtc.so.* /usr/local/cuda*/targets/*/lib/libnvrtc.so.*; do
        [ -e "$library" ] && return 0
    done
    return 1
}
if [ -z "${GABLE_REQUIRE+set}" ]; then
    GABLE_REQUIRE=pocl,locale
    if has_nvrtc; then GABLE_REQUIRE=$GABLE_REQUIRE,nvrtc; fi
fi
export GABLE_REQUIRE
echo "check: what tests must not skip: ${GABLE_REQUIRE:-none}"

# build PRESET FOLDER COMPILER OPTIONS...: a folder that was configured before keeps its compiler. Under sanitizers no test
# runs the command.
build() {
    build_preset=$1 build_folder=$2 build_compiler=$3
    shift 3
    if [ ! -f "$build_folder/CMakeCache.txt" ] && command -v "$build_compiler" >/dev/null; then
        set -- "-DCMAKE_C_COMPILER=$build_compiler" "$@"
    fi
    cmake --preset "$build_preset" -B "$build_folder" -DGABLE_WERROR=ON "$@" &&
        case $build_preset in
        release) cmake --build "$build_folder" --parallel "$jobs" --target all "$tests" ;;
        *) cmake --build "$build_folder" --parallel "$jobs" --target "$tests" ;;
        esac
}
build_with_clang() {
    if ! command -v clang >/dev/null ||
        ! printf '#include <omp.h>\n' | clang -fopenmp -E -x c - >/dev/null 2>&1; then
        echo "no clang with OpenMP here (Debian: clang libomp-dev)"
        return 77
    fi
    build release build-clang clang -DGABLE_WARNINGS_ONLY=ON
}
build_packages() {
    scripts/make_deb.sh && tests/package/deb_test.sh build-deb
}

# ---- the parts -----------------------------------------------------------------------------------
# shellcheck disable=SC2086 # without_long is two words or none
ran_tests=no
if part 'build with gcc' build release build gcc; then
    ran_tests=yes
    suite 'tests' build -j 2 $without_long
    part 'libgable.so needs the C library and OpenMP only' scripts/check_library.sh needs build || :
    part 'libgable.so exports gable_ names only' scripts/check_library.sh exports build || :
    part 'package: pkg-config, CMake, C++17' tests/package/package_test.sh build || :
    part "README's program" tests/readme_test.sh build || :
fi
part 'layers' scripts/check_layers.sh || :
part 'layer check finds planted offences' tests/check_layers_test.sh || :
part 'format' scripts/check_format.sh || :
part 'build with clang' build_with_clang || :

sanitizers_need_fixed_addresses
# Quoted for the sanitizer's own reader: the path may hold spaces.
# shellcheck disable=SC2089,SC2090
LSAN_OPTIONS="suppressions='$PWD/scripts/lsan.supp':print_suppressions=0"
UBSAN_OPTIONS=print_stacktrace=1
# shellcheck disable=SC2090
export LSAN_OPTIONS UBSAN_OPTIONS
# The text of the library is the same for all precisions: two of them, of both sizes, will do but for --all.
if [ -n "$without_long" ]; then
    GABLE_TEST_PRECISIONS=sz
    export GABLE_TEST_PRECISIONS
fi
# shellcheck disable=SC2086
if part 'build with address and ub sanitizers' build asan build-asan gcc -DGABLE_TESTS_SHORT=$short; then
    suite 'tests under address and ub sanitizers' build-asan -j 2 -L '^sanitize$' $without_long
fi
if [ -z "$without_long" ]; then
    if part 'build with the thread sanitizer' build tsan build-tsan gcc; then
        suite 'tests under the thread sanitizer' build-tsan -j 2 -L '^tsan$'
    fi
    part 'Debian packages, checked by lintian' build_packages || :
fi
if [ $ran_tests = yes ]; then
    echo 'check: tests over their budget (docs/testing.md); this fails nothing:'
    scripts/over_budget.sh build/logs/tests.log build/test-budgets.txt | sed 's/^/    /'
fi
summary
