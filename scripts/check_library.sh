#!/bin/sh
# check_library.sh: what the shared library asks of a system and what it shows to programs.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/check_library.sh needs BUILD      only the C library, libm and the OpenMP runtime
#   scripts/check_library.sh exports BUILD    every symbol starts with gable_
set -eu
export LC_ALL=C
library=${2:?use: check_library.sh needs|exports BUILD_FOLDER}/libgable.so
[ -e "$library" ] || {
    echo "$library is not there: build first"
    exit 1
}

case $1 in
needs)
    list=$(ldd "$library")
    # libpthread, libdl and librt are parts of the C library that old versions keep apart.
    foreign=$(printf '%s\n' "$list" | awk '{
        name = $1
        sub(/.*\//, "", name)
        if (name !~ /^(linux-vdso|linux-gate|ld-linux[^.]*|ld64|libc|libm|libpthread|libdl|librt|libgomp|libomp)\.so/)
            print
    }')
    what='needs more than the C library and OpenMP'
    ;;
exports)
    list=$(nm -D --defined-only "$library")
    foreign=$(printf '%s\n' "$list" | awk '$NF !~ /^gable_/')
    what='exports names that do not start with gable_'
    ;;
*)
    echo "check_library.sh: unknown check '$1'; use needs or exports"
    exit 2
    ;;
esac
printf '%s\n' "$list"
[ -n "$list" ] || {
    echo "$library: nothing to check: the list is empty"
    exit 1
}
[ -z "$foreign" ] || {
    echo "$library $what:"
    printf '%s\n' "$foreign"
    exit 1
}
