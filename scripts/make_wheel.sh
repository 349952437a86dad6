#!/bin/sh
# make_wheel.sh: what `make wheel` does: the Python package with build/libgable.so.0 inside.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/make_wheel.sh FOLDER
#
# The tag names the oldest glibc that the library runs with. libgable needs libgomp.so.1: the wheel
# carries a copy under that very name, which the package loads only where the loader finds none. So
# there are never two in one process by our doing; auditwheel, which would rename it, would make a
# second one beside the machine's.
set -eu
cd "$(dirname "$0")/.."
folder=${1:?use: make_wheel.sh FOLDER}
openmp=$(ldd build/libgable.so.0 | awk '$1 == "libgomp.so.1" { print $3 }')
[ -n "$openmp" ] || { echo 'make_wheel: build/libgable.so.0 finds no libgomp.so.1' >&2; exit 1; }
rm -rf "$folder"
python3 bindings/python/gable_build.py wheel "$folder" build/libgable.so.0 "$(readlink -f "$openmp")"
