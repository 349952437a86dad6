#!/bin/sh
# demo_test.sh: what `make demo` shows ends with a report, with plots where gnuplot is installed.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tests/package/demo_test.sh BUILD_FOLDER
#
# The set-up for it asks for gnuplot. The demo itself runs with the build of BUILD_FOLDER, with short
# measurements and a data folder of its own.
set -eu
export LC_ALL=C
build=$(cd "${1:?use: demo_test.sh BUILD_FOLDER}" && pwd)
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "demo_test: $*"
    exit 1
}

# ---- the set-up, on a machine without gnuplot ------------------------------------------------------
mkdir "$work/bin" "$work/demo"
for tool in sh env sed cat cc cmake make uname ldconfig dirname id tail; do
    path=$(PATH="$PATH:/usr/sbin:/sbin" command -v "$tool") || continue
    ln -s "$path" "$work/bin/$tool"
done
wants_gnuplot() { # wants_gnuplot MODE
    PATH=$work/bin GABLE_INSTALL=no scripts/bootstrap.sh "$1" >"$work/said" 2>&1 || :
    grep -q 'gnuplot-nox' "$work/said"
}
wants_gnuplot demo || fail "the set-up for the demo does not ask for gnuplot: $(cat "$work/said")"
if wants_gnuplot build; then fail "a plain build asks for gnuplot"; fi

# ---- the demo --------------------------------------------------------------------------------------
ln -s "$build/gable" "$work/demo/gable"
# A small cache: operands that fill a large one take long to make.
GABLE_BENCH_CACHE=4194304 XDG_DATA_HOME=$work/data DEMO_SECONDS=0.01 DEMO_SIZES=3e5 DEMO_MATRIX_SIZES=300 scripts/demo.sh "$work/demo" >"$work/said" 2>&1 || {
    tail -n 20 "$work/said"
    fail "the demo failed"
}
if command -v gnuplot >/dev/null; then
    page=$(sed -n 's|^file://||p' "$work/said")
    [ -n "$page" ] || fail "the demo does not say where its report is"
    [ -s "$page" ] || fail "$page, which the demo names, is not there"
    for word in axpy gemv nrm2 '<svg'; do
        grep -q "$word" "$page" || fail "the report has no $word"
    done
else
    grep -q '^No report: .*gnuplot' "$work/said" || fail "the demo does not say that gnuplot is missing"
    echo "demo_test: the report was not looked at: gnuplot is not here"
    exit 77
fi
echo "demo_test: the demo ends with a report"
