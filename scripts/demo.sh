#!/bin/sh
# demo.sh: what `make demo` does: set-up, build, the devices, and a one-minute benchmark.
# SPDX-License-Identifier: BSD-3-Clause
#
# The benchmark runs on the best device and beside the peers that are found.
set -eu
cd "$(dirname "$0")/.."
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

scripts/bootstrap.sh build

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

say 'build/gable info'
build/gable info

set -- bench copy axpy dot nrm2 --size 1000,100000,10000000 --against openblas,cublas,clblast
say "build/gable $*"
build/gable "$@"

say 'Next: make check runs the tests; build/gable help lists the commands.'
