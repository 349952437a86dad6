#!/bin/sh
# check.sh: what `make check`, `make check-deep` and `make check-all` do.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/check.sh          what a change needs: the release build in build/, the tests of units, interface and
#                             command, every routine on cpu and on PoCL, packages, layers and format
#   scripts/check.sh --deep   what takes long: clang's warnings, the tests labelled `sanitize` in build-asan/ (address
#                             and undefined-behaviour sanitizers), mutants, hand-overs, the emulated kernels for
#                             sm_90a, all forms of kernels through NVRTC
#   scripts/check.sh --all    both, the tests labelled `long`, everything under the sanitizers, threads in build-tsan/,
#                             the Debian packages
#
# GABLE_REQUIRE names what tests must not skip: PoCL, locales, Python, Fortran, and NVRTC where a libnvrtc is found; a
# value set by the caller stays.
set -eu
cd "$(dirname "$0")/.."

case ${1-} in
'') plain=yes deep=no all=no needs=check tests=tests leave='-LE ^(long|deep)$' ;;
--deep) plain=no deep=yes all=no needs=check-deep tests=deep_tests leave='-LE ^long$' ;;
--all) plain=yes deep=yes all=yes needs=check-all tests=long_tests leave='' ;;
*)
    echo "check: unknown option '$1'; use: scripts/check.sh [--deep | --all]" >&2
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
    GABLE_REQUIRE=pocl,locale,python,fortran
    if [ $all = yes ]; then GABLE_REQUIRE=$GABLE_REQUIRE,petsc; fi
    if has_nvrtc; then GABLE_REQUIRE=$GABLE_REQUIRE,nvrtc; fi
fi
export GABLE_REQUIRE
echo "check: what tests must not skip: ${GABLE_REQUIRE:-none}"

# build FOLDER PRESET "TARGETS" OPTIONS...: with gcc; a folder that was configured before keeps its compiler.
build() {
    build_folder=$1 build_preset=$2 build_targets=$3
    shift 3
    if [ ! -f "$build_folder/CMakeCache.txt" ] && command -v gcc >/dev/null; then
        set -- -DCMAKE_C_COMPILER=gcc "$@"
    fi
    # shellcheck disable=SC2086 # several targets
    cmake --preset "$build_preset" -B "$build_folder" -DGABLE_WERROR=ON "$@" &&
        cmake --build "$build_folder" --parallel "$jobs" --target $build_targets
}
build_packages() {
    scripts/make_deb.sh && tests/package/deb_test.sh build-deb
}

# ---- the release build and its tests ---------------------------------------------------------------
ran_tests=no
if part 'build with gcc' build build release "all $tests"; then
    # shellcheck disable=SC2086 # leave is two words or none
    if [ $plain = yes ]; then
        ran_tests=yes
        suite 'tests' build -j 2 $leave
        part 'libgable.so needs the C library and OpenMP only' scripts/check_library.sh needs build || :
        part 'libgable.so exports gable_ names only' scripts/check_library.sh exports build || :
        part 'package: pkg-config, CMake, C++17' tests/package/package_test.sh build || :
        part "README's program" tests/readme_test.sh build || :
    else
        suite 'mutants, hand-overs, emulated kernels, NVRTC' build -j 2 -L '^deep$' $leave
    fi
fi
if [ $plain = yes ]; then
    part 'layers' scripts/check_layers.sh || :
    part 'layer check finds planted offences' tests/check_layers_test.sh || :
    part 'format' scripts/check_format.sh || :
fi

# ---- another compiler, and the sanitizers ----------------------------------------------------------
if [ $deep = yes ]; then
    part "clang's warnings" scripts/check_clang.sh build-clang || :
    sanitizers_need_fixed_addresses
    # Quoted for the sanitizer's own reader: the path may hold spaces.
    # shellcheck disable=SC2089,SC2090
    LSAN_OPTIONS="suppressions='$PWD/scripts/lsan.supp':print_suppressions=0"
    UBSAN_OPTIONS=print_stacktrace=1
    # shellcheck disable=SC2090
    export LSAN_OPTIONS UBSAN_OPTIONS
    # The text of the library is the same for all precisions: two of them, of both sizes, will do but for --all.
    if [ $all = yes ]; then
        asan_tests=long_tests short=OFF
    else
        asan_tests=tests short=ON
        GABLE_TEST_PRECISIONS=sz
        export GABLE_TEST_PRECISIONS
    fi
    # shellcheck disable=SC2086 # two words or none
    if part 'build with address and ub sanitizers' build build-asan asan $asan_tests -DGABLE_TESTS_SHORT=$short; then
        suite 'tests under address and ub sanitizers' build-asan -j 2 -L '^sanitize$' $leave
    fi
fi
if [ $all = yes ]; then
    if part 'build with the thread sanitizer' build build-tsan tsan long_tests; then
        suite 'tests under the thread sanitizer' build-tsan -j 2 -L '^tsan$'
    fi
    part 'Debian packages, checked by lintian' build_packages || :
fi
if [ $ran_tests = yes ]; then
    echo 'check: tests over their budget (docs/testing.md); this fails nothing:'
    scripts/over_budget.sh build/logs/tests.log build/test-budgets.txt | sed 's/^/    /'
fi
summary
