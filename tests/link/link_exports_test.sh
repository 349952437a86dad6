#!/bin/sh
# link_exports_test.sh: libgable_link exports the listed names, without versions, and nothing else.
# SPDX-License-Identifier: BSD-3-Clause
#
#   link_exports_test.sh LIBRARY SOURCE_FOLDER: the library, or the same as libblas.so.3, which needs OpenBLAS
set -eu
export LC_ALL=C
library=$1
list=$2/src/link/link_routines.h
command -v nm >/dev/null && command -v readelf >/dev/null || {
    echo "nm and readelf are not installed (Debian: binutils)"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# CBLAS has names of level 3, not of LAPACK.
sed -n -e 's/^#define GBL_LINK_\([A-Z0-9]*\)_ROUTINES(X).*/list \1/p' -e 's/^ *X(\([a-z0-9]*\), "\([sdcz]*\)").*/\1 \2/p' "$list" |
    while read -r stem letters; do
        [ "$stem" = list ] && kind=$letters && continue
        for letter in $(echo "$letters" | sed 's/./& /g'); do
            name=$letter$stem
            printf '%s\n' "${name}_" "${name}_64_" "scipy_${name}_" "scipy_${name}_64_"
            [ "$kind" = LAPACK ] || printf '%s\n' "cblas_$name" "cblas_${name}64_" "cblas_${name}_64" "scipy_cblas_$name" \
                "scipy_cblas_${name}64_"
        done
    done | sort >"$work/wanted"
[ "$(wc -l <"$work/wanted")" -ge 710 ] || fail "the list has only $(wc -l <"$work/wanted") names"
nm -D --defined-only "$library" | awk '{ print $NF }' | sort >"$work/found"
cmp -s "$work/wanted" "$work/found" || fail "exports differ (< wanted, > found): $(diff "$work/wanted" "$work/found" | head -n 20)"
readelf -V "$library" | grep -q 'gnu.version_d' && fail "the library has versions of its own"

# The documentation has each stem; of complex twins (ungqr, heevd) the real one.
grep '^\*\*Which names\.\*\*' -A 4 "$2/docs/doors.md" >"$work/names"
sed -n 's/^ *X(\([a-z0-9]*\), "[sdcz]*").*/\1/p' "$list" | grep -vE '^(un|heev|hegv)' |
    while read -r stem; do
        grep -qw "$stem" "$work/names" || echo "$stem"
    done >"$work/untold"
[ ! -s "$work/untold" ] || fail "docs/doors.md does not name $(tr '\n' ' ' <"$work/untold")"

readelf -d "$library" >"$work/dynamic"
sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' "$work/dynamic" >"$work/needed"
if ! grep -qE 'lib(asan|tsan|ubsan)' "$work/needed"; then
    # Old C libraries keep threads and the loader's interface apart.
    foreign=$(grep -vE '^(libc|libpthread|libdl|ld-linux.*)\.so' "$work/needed" || :)
    case $library in *libblas.so.3) foreign=$(printf '%s\n' "$foreign" | grep -vx 'libopenblas\.so\.0' || :) ;; esac
    [ -z "$foreign" ] || fail "it needs more than the C library: $foreign"
fi
grep -q 'TEXTREL' "$work/dynamic" && fail "it has relocations in its code"
readelf -lW "$library" | grep 'GNU_STACK' | grep -q 'RWE' && fail "its stack is executable"
echo "$(wc -l <"$work/found") names, needs: $(tr '\n' ' ' <"$work/needed")"
[ $failures -eq 0 ]
