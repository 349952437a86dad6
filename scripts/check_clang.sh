#!/bin/sh
# check_clang.sh: clang's warnings on every source, without code.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/check_clang.sh FOLDER
#
# Configures FOLDER with clang and lets it read each source as the list of commands says, by
# -fsyntax-only: a third of the time that compiling takes. Typed sources are read in d and c, a few
# forms of the emulated kernels stand for all (GABLE_WARNINGS_ONLY). The tables of embedded texts are
# not there: they are numbers. Exit 77: there is no clang with OpenMP.
set -eu
cd "$(dirname "$0")/.."
folder=${1:?use: scripts/check_clang.sh FOLDER}
if ! command -v clang >/dev/null || ! printf '#include <omp.h>\n' | clang -fopenmp -E -x c - >/dev/null 2>&1; then
    echo "no clang with OpenMP here (Debian: clang libomp-dev)"
    exit 77
fi
cmake --preset release -B "$folder" -DCMAKE_C_COMPILER=clang -DGABLE_WERROR=ON -DGABLE_WARNINGS_ONLY=ON

# One command per line: without what it writes, and without options of gcc that clang does not know.
sed -n 's/^ *"command": "\(.*\)",\{0,1\}$/\1/p' "$folder/compile_commands.json" |
    sed -e 's/\\\\/\\/g' -e 's/\\"/"/g' -e 's/ -o [^ ]* -c / -fsyntax-only /' |
    grep -v '/generated/' | sort -u >"$folder/clang-commands"
count=$(wc -l <"$folder/clang-commands")
[ "$count" -gt 500 ] || {
    echo "only $count sources are in $folder/compile_commands.json"
    exit 1
}
# Each command runs in the folder that CMake would run it in; a failing one is told by its output.
cd "$folder"
status=0
tr '\n' '\0' <clang-commands |
    xargs -0 -n 1 -P "${JOBS:-$(nproc 2>/dev/null || echo 2)}" sh -c 'eval "$1" || { echo "failed: $1"; exit 1; }' sh || status=1
echo "$count sources read"
exit $status
