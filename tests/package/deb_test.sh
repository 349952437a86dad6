#!/bin/sh
# deb_test.sh: the packages that `make deb` built, unpacked into a scratch folder and used.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tests/package/deb_test.sh [FOLDER_OF_PACKAGES]
#
# Files in place, dependencies, symbols; the command runs; an example of the package compiles with
# pkg-config and runs with the unpacked library. Nothing is installed on the system.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
folder=${1:-build-deb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

fail() {
    echo "deb_test: $*"
    exit 1
}
arch=$(dpkg --print-architecture)
triplet=$(dpkg-architecture -q DEB_HOST_MULTIARCH)
version=$(dpkg-parsechangelog -S Version)

for package in libgable0 libgable-dev gable-tools; do
    deb=$folder/${package}_${version}_$arch.deb
    [ -f "$deb" ] || fail "$deb is not there: run make deb"
    dpkg-deb -x "$deb" "$root"
done
[ -f "$folder/gable_$version.dsc" ] || fail "the source package is not there"

library=usr/lib/$triplet
for path in usr/bin/gable usr/share/man/man1/gable.1.gz usr/share/bash-completion/completions/gable \
    "$library/libgable.so.0" "$library/libgable.so" "$library/libgable.a" usr/include/gable/gable.h \
    "$library/pkgconfig/gable.pc" "$library/cmake/gable/gableConfig.cmake" \
    usr/share/doc/libgable-dev/examples/saxpy.c; do
    [ -e "$root/$path" ] || fail "$path is in no package"
done
[ ! -e "$root/usr/share/gable" ] || fail "the list for make uninstall was packaged"

# ---- dependencies and symbols ----------------------------------------------------------------------
scripts/check_library.sh needs "$root/$library" || fail "the library needs more than it may"
scripts/check_library.sh exports "$root/$library" >"$work/exports" || fail "foreign names are exported"
for package in libgable0 gable-tools; do
    depends=$(dpkg-deb -f "$folder/${package}_${version}_$arch.deb" Depends)
    echo "$package depends on $depends"
    foreign=$(printf '%s\n' "$depends" | tr ',' '\n' | sed 's/^ *//; s/ .*//' |
        grep -vxE 'libc6|libgomp1' || :)
    [ -z "$foreign" ] || fail "$package depends on $foreign"
done
dpkg-deb --ctrl-tarfile "$folder/libgable0_${version}_$arch.deb" | tar -xO ./symbols >"$work/symbols"
awk '{ print " " $NF "@Base " version }' "version=$version" "$work/exports" | sort >"$work/want"
grep '^ ' "$work/symbols" | sort | diff "$work/want" - ||
    fail "the symbols of the package (>) are not those of the library (<)"

# ---- the command and a program ---------------------------------------------------------------------
"$root/usr/bin/gable" info >"$work/info" || fail "gable info fails"
grep -qw cpu "$work/info" || fail "gable info does not list the cpu"

PKG_CONFIG_PATH=$root/$library/pkgconfig
LD_LIBRARY_PATH=$root/$library
export PKG_CONFIG_PATH LD_LIBRARY_PATH
[ "$(pkg-config --modversion gable)" = "$version" ] || fail "gable.pc has another version than the package"
# shellcheck disable=SC2046 # flags are split
cc -std=c11 "$root/usr/share/doc/libgable-dev/examples/saxpy.c" $(pkg-config --cflags --libs gable) \
    -o "$work/saxpy" || fail "the example does not compile with the package"
ldd "$work/saxpy" | grep -qF "$root/$library/libgable.so.0" || fail "the example does not use the package"
said=$(GABLE_DEVICE=cpu "$work/saxpy") || fail "the example fails"
[ "$said" = 'y = 12 24 36 48' ] || fail "the example says \"$said\""
echo "deb_test: the packages of version $version work"
