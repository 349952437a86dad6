#!/bin/sh
# alternative_test.sh: libgable_link as the libblas.so.3 of a system, chosen among Debian's alternatives.
# SPDX-License-Identifier: BSD-3-Clause
#
#   alternative_test.sh LIBBLAS LIBGABLE LIBGABLE_LINK BLAS_NAMES
#
# The alternatives are kept in private folders: nothing of the system changes, and no rights are needed. With priority 5 the library
# is never chosen by itself. Once chosen it has all names that OpenBLAS's libblas.so.3 has, sends products to the
# device, and passes all else on. Beside a preloaded libgable_link no call is decided twice.
. "$(dirname "$0")/foreign_test.sh"
library=$1 gable=$2 preloaded=$3 names=$4
openblas=
for candidate in /usr/lib/*/openblas-*/libblas.so.3; do
    [ -e "$candidate" ] && openblas=$candidate
done
PATH=$PATH:/usr/sbin
if ! command -v update-alternatives >/dev/null || ! command -v readelf >/dev/null || [ -z "$openblas" ]; then
    skip "update-alternatives, readelf or OpenBLAS is not installed" "dpkg, binutils, libopenblas0-pthread"
fi
export GABLE_DEVICE=cpu GABLE_TUNING=off
unset GABLE_LINK GABLE_LINK_LOG GABLE_LINK_ROUTINES GABLE_LINK_COUNTERS GABLE_LIBRARY LD_PRELOAD LD_LIBRARY_PATH 2>/dev/null

readelf -d "$library" >"$work/dynamic"
grep -q 'SONAME.*\[libblas\.so\.3\]' "$work/dynamic" || fail "its SONAME is not libblas.so.3"
grep -q 'NEEDED.*\[libopenblas\.so\.0\]' "$work/dynamic" || fail "it does not need OpenBLAS"
grep -q 'PATH' "$work/dynamic" && fail "it has a search path of its own"

# ---- the choice -------------------------------------------------------------------------------------
# The folders of a system with packages: libraries in lib/, the names that programs bind among them.
mkdir -p "$work/lib/gable" "$work/lib/openblas" "$work/alternatives" "$work/admin"
ln -s "$library" "$work/lib/gable/libblas.so.3"
ln -s "$openblas" "$work/lib/openblas/libblas.so.3"
ln -s "$gable" "$work/lib/libgable.so.0"
choose() {
    update-alternatives --quiet --altdir "$work/alternatives" --admindir "$work/admin" --log /dev/null "$@" ||
        fail "update-alternatives $*"
}
chosen() { readlink -f "$work/lib/libblas.so.3"; }
choose --install "$work/lib/libblas.so.3" libblas.so.3 "$work/lib/gable/libblas.so.3" 5
choose --install "$work/lib/libblas.so.3" libblas.so.3 "$work/lib/openblas/libblas.so.3" 100
[ "$(chosen)" = "$(readlink -f "$openblas")" ] || fail "$(chosen) was chosen without being asked for"
choose --set libblas.so.3 "$work/lib/gable/libblas.so.3"
[ "$(chosen)" = "$(readlink -f "$library")" ] || fail "$(chosen) was chosen"

# ---- names and calls --------------------------------------------------------------------------------
export LD_LIBRARY_PATH="$work/lib"
readelf --dyn-syms -W "$openblas" | awk '$4 == "FUNC" && $7 != "UND" { sub(/@.*/, "", $8); print $8 }' | sort -u >"$work/names"
[ "$(wc -l <"$work/names")" -ge 300 ] || fail "OpenBLAS has only $(wc -l <"$work/names") names"
GABLE_LINK=device GABLE_LINK_LOG=$work/log "$names" libblas.so.3 <"$work/names" >"$work/missing" ||
    fail "blas_names: missing are: $(head -n 20 "$work/missing" | tr '\n' ' ')"
grep -q '^dgemm_ m=40 n=40 k=40 next=libopenblas.* device ' "$work/log" || fail "the product: $(cat "$work/log")"
echo "$(wc -l <"$work/names") names of OpenBLAS's libblas.so.3"

# run LEVEL LOG VARIABLES...: a test program of BLAS on the chosen library, which must be content.
folder=
for candidate in "${GABLE_BLAS_TESTS:-}" /usr/lib/*/blas /usr/lib/blas; do
    [ -z "$folder" ] && [ -n "$candidate" ] && [ -x "$candidate/xblat3d" ] && folder=$candidate
done
run() {
    level=$1 log=$2
    shift 2
    (cd "$work" && rm -f dblat*.out && env GABLE_LINK=device GABLE_LINK_LOG="$log" "$@" "$folder/xblat${level}d" <"$folder/dblat$level.in" >out.txt 2>&1) ||
        fail "xblat${level}d: $(tail -n 5 "$work/out.txt")"
    if grep -E 'FAIL|FATAL|SUSPECT|HALF ACC' "$work/dblat$level.out" | grep -v 'STOP ON FAIL'; then fail "xblat${level}d is not content"; fi
    grep -q 'PASSED' "$work/dblat$level.out" || fail "xblat${level}d says nothing"
}
if [ -n "$folder" ]; then
    run 2 "$work/log2"
    [ ! -s "$work/log2" ] || fail "level 2: $(head -n 3 "$work/log2")"
    run 3 "$work/alone"
    run 3 "$work/both" LD_PRELOAD="$preloaded"
    alone=$(grep -c ' device ' "$work/alone") both=$(grep -c ' device ' "$work/both")
    echo "xblat3d: $alone products on the device"
    [ "$alone" -ge 5000 ] || fail "only $alone products went to the device"
    [ "$both" -eq "$alone" ] || fail "$both products beside a preloaded library, not $alone"
    [ "$(grep -c . "$work/both")" -eq "$(grep -c . "$work/alone")" ] || fail "beside a preloaded library calls are decided twice"
fi
# Debian's numpy opens its modules, and with them libblas.so.3, for themselves.
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    GABLE_LINK=device GABLE_LINK_LOG=$work/python /usr/bin/python3 -c 'import numpy as np
a = np.arange(1600.0).reshape(40, 40) % 7
assert (a @ (a + 1) == [[sum(x * (y + 1) for x, y in zip(r, c)) for c in a.T] for r in a]).all()' || fail "numpy's product"
    grep -q '^cblas_dgemm m=40 n=40 k=40 next=libopenblas.* device ' "$work/python" || fail "numpy: $(cat "$work/python")"
fi

unset LD_LIBRARY_PATH
choose --remove libblas.so.3 "$work/lib/gable/libblas.so.3"
[ "$(chosen)" = "$(readlink -f "$openblas")" ] || fail "$(chosen) is left"
echo "$failures failures"
[ $failures -eq 0 ]
