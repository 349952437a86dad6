#!/bin/sh
# demo.sh: what `make demo` does: set-up, build, the devices, a one-minute benchmark and a report.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/demo.sh            sets up and builds into build/ first
#   scripts/demo.sh FOLDER     shows what the build in FOLDER can do
#
# The benchmark runs on the best device, beside the peers that are found. The report is a page in the build
# folder, of everything measured so far. DEMO_SECONDS is the time for each measurement (default 0.5),
# DEMO_SIZES and DEMO_MATRIX_SIZES say what is measured.
set -eu
cd "$(dirname "$0")/.."
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
show() { # show COMMAND...: prints it as one can type it, then runs it
    say "$*"
    "$@"
}

folder=${1:-build}
if [ $# -eq 0 ]; then
    scripts/bootstrap.sh demo

    say 'Building into build/'
    mkdir -p build
    log=build/demo-build.log
    if ! { cmake --preset release && cmake --build build --parallel "$(nproc 2>/dev/null || echo 2)"; } \
        >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        echo "demo: the build failed; its whole output is in $log" >&2
        exit 1
    fi
    echo 'build/gable, build/libgable.so'
fi

show "$folder/gable" info --roofs
bench() { # bench SIZES OP...
    sizes=$1
    shift
    show "$folder/gable" bench "$@" --size "$sizes" --against openblas,cublas,clblast --seconds "${DEMO_SECONDS:-0.5}"
}
bench "${DEMO_SIZES:-1000,100000,10000000}" copy axpy dot nrm2
bench "${DEMO_MATRIX_SIZES:-500,3000}" gemv
if command -v gnuplot >/dev/null; then
    show "$folder/gable" report --out "$folder/report.html"
    say 'What was measured, as one page with plots: open it in a browser.'
    echo "file://$(cd "$folder" && pwd)/report.html"
else
    say "No report: its plots need gnuplot. Install it, then: $folder/gable report --out $folder/report.html"
fi
say "Next: make check runs the tests; $folder/gable help lists the commands."
