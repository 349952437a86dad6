#!/bin/sh
# package_test.sh: installs a build into a temporary prefix and uses it as a stranger would.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tests/package/package_test.sh BUILD_FOLDER
#
# A C program through pkg-config, C programs against both libraries and a C++17 program through
# find_package(gable), and a project that speaks only C++. Each runs a dot product on the cpu, those in C also a product
# of host matrices. The installed tree is moved before it is used, so that no path of the build can be left in it.
set -eu
build=$(cd "${1:?use: package_test.sh BUILD_FOLDER}" && pwd)
source=$(cd "$(dirname "$0")/stranger" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/moved

fail() {
    echo "package_test: $*"
    exit 1
}

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" || fail "cmake --install failed"
mv "$work/prefix" "$prefix"
(cd "$prefix" && find . ! -type d | sort)
[ -x "$prefix/bin/gable" ] || fail "bin/gable is not installed"
if grep -rlF -e "$work/prefix" -e "$build" --include='*.pc' --include='*.cmake' --include='*.h' "$prefix"
then
    fail "the files above name a folder of this machine"
fi

library=$(dirname "$(find "$prefix" -name 'libgable.so.0')")
for name in libgable.so libgable.so.0 libgable.a; do
    [ -e "$library/$name" ] || fail "$name is not installed"
done
# What the loader of the programs below will look for.
objdump -p "$library/libgable.so" | grep -q 'SONAME *libgable\.so\.0$' ||
    fail "the SONAME of libgable.so is not libgable.so.0"

# The package test must not pass by a library of the system.
run() { LD_LIBRARY_PATH=$library "$1" || fail "$2 failed"; }
warnings='-Wall -Wextra -Wpedantic -Werror'

if command -v pkg-config >/dev/null; then
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name gable.pc)")
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046,SC2086 # flags are split
    cc -std=c11 $warnings "$source/package_program.c" -o "$work/with_pkg_config" \
        $(pkg-config --cflags --libs gable) || fail "the C program does not compile with pkg-config"
    run "$work/with_pkg_config" 'the C program built with pkg-config'
    # The archive, with what gable.pc says it needs.
    # shellcheck disable=SC2046,SC2086
    cc -std=c11 $warnings "$source/package_program.c" -o "$work/with_archive" $(pkg-config --cflags gable) \
        $(pkg-config --static --libs gable | sed 's/-lgable/-l:libgable.a/') ||
        fail "the C program does not link with the archive and pkg-config --static"
    "$work/with_archive" || fail "the C program linked with the archive failed"
    # shellcheck disable=SC2046,SC2086
    if command -v c++ >/dev/null; then
        c++ -std=c++17 $warnings "$source/package_program.cpp" -o "$work/with_cxx" \
            $(pkg-config --cflags --libs gable) || fail "gable.h does not compile as C++17"
        run "$work/with_cxx" 'the C++17 program'
    else
        skips="a C++ compiler"
    fi
else
    skips="${skips:+$skips and }pkg-config"
fi

project() { # project NAME CMAKE_OPTIONS...
    project_name=$1
    shift
    cmake -S "$source" -B "$work/$project_name" "-DCMAKE_PREFIX_PATH=$prefix" "$@" \
        >"$work/$project_name.log" 2>&1 &&
        cmake --build "$work/$project_name" >>"$work/$project_name.log" 2>&1
}
project c_project -DPACKAGE_LANGUAGE=C || {
    tail -n 20 "$work/c_project.log"
    fail "find_package(gable) does not serve a C project"
}
"$work/c_project/use_shared" || fail "the C program with gable::gable failed"
"$work/c_project/use_static" || fail "the C program with gable::gable_static failed"
if command -v c++ >/dev/null; then
    project cxx_project -DPACKAGE_LANGUAGE=CXX || {
        tail -n 20 "$work/cxx_project.log"
        fail "find_package(gable) does not serve a C++ project"
    }
    "$work/cxx_project/use_shared" || fail "the C++ program with gable::gable failed"
fi
if project wrong_version -DPACKAGE_LANGUAGE=C -DPACKAGE_VERSION=99.0; then
    fail "find_package(gable 99.0) accepts this version"
fi
grep -q 'compatible' "$work/wrong_version.log" ||
    fail "find_package(gable 99.0) failed for another reason than the version"

if [ -n "${skips:-}" ]; then
    echo "the rest passed, but $skips is missing here"
    exit 77
fi
echo "package_test: all programs built and ran"
