#!/bin/sh
# check_format.sh: are the sources formatted by .clang-format? With --write, formats them.
# SPDX-License-Identifier: BSD-3-Clause
#
# Versions of clang-format disagree about details, so only version 14 judges; without it the check
# is skipped (status 77).
set -eu
cd "$(dirname "$0")/.."

case ${1-} in
'') options='--dry-run -Werror' ;;
--write) options=-i ;;
*)
    echo "check_format.sh: unknown option '$1'; use --write or nothing" >&2
    exit 2
    ;;
esac

formatter=''
for candidate in clang-format-14 clang-format; do
    case $("$candidate" --version 2>/dev/null || :) in
    *'version 14.'*)
        formatter=$candidate
        break
        ;;
    esac
done
if [ -z "$formatter" ]; then
    echo "clang-format 14 is not installed (Debian: clang-format-14)"
    exit 77
fi

set --
for folder in src include kernels tools bench tests examples scripts bindings; do
    if [ -d "$folder" ]; then set -- "$@" "$folder"; fi
done
# Comments keep to 100 columns as code does. Texts in quotes, commands to copy and measured lines may be longer.
if [ "$options" != -i ]; then
    wide=$(find "$@" -type f \
        \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.cl' -o -name '*.cu' -o -name '*.cuh' \) \
        ! -path src/model/roofs_builtin.c -exec awk '
        length($0) > 100 && !/^ *"/ && !/^ \* +(cc|c\+\+) / { print FILENAME ":" FNR ": wider than 100 columns" }' {} +)
    [ -z "$wide" ] || {
        echo "$wide"
        exit 1
    }
fi
# shellcheck disable=SC2086 # options is one word or two
find "$@" -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.cl' -o -name '*.cu' -o -name '*.cuh' \) \
    -exec "$formatter" $options {} +
