#!/bin/sh
# readme_test.sh: the program in README.md is examples/first.c, compiles as printed and runs.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tests/readme_test.sh BUILD_FOLDER
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$work/first.c"
diff -u examples/first.c "$work/first.c" || {
    echo "README.md prints another program than examples/first.c"
    exit 1
}
cc -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude "$work/first.c" -o "$work/first" -L"$build" -lgable \
    -Wl,-rpath,"$build"
said=$("$work/first")
[ "$said" = 'dot = 300' ] || {
    echo "the program says \"$said\", not \"dot = 300\""
    exit 1
}
echo "README.md's program compiles as printed and says \"$said\""
