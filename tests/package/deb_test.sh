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

for package in libgable0 libgable-dev gable-tools libblas3-gable; do
    deb=$folder/${package}_${version}_$arch.deb
    [ -f "$deb" ] || fail "$deb is not there: run make deb"
    dpkg-deb -x "$deb" "$root"
done
deb=$folder/python3-gable-linalg_${version}_all.deb
[ -f "$deb" ] || fail "$deb is not there: run make deb"
dpkg-deb -x "$deb" "$root"
[ -f "$folder/gable_$version.dsc" ] || fail "the source package is not there"
# Only where PETSc was installed.
plugin=$folder/libgable-petsc3.18-real_${version}_$arch.deb
if [ -f "$plugin" ]; then
    dpkg-deb -x "$plugin" "$root"
    [ -e "$root/usr/lib/$triplet/gable/libgable_petsc.so" ] || fail "libgable_petsc.so is not in its package"
    case ", $(dpkg-deb -f "$plugin" Depends)," in
    *', libpetsc-real3.18,'*) ;;
    *) fail "the plugin does not depend on the PETSc that it was built for" ;;
    esac
fi

library=usr/lib/$triplet
for path in usr/bin/gable usr/share/man/man1/gable.1.gz usr/share/bash-completion/completions/gable \
    "$library/libgable.so.0" "$library/libgable.so" "$library/libgable.a" usr/include/gable/gable.h usr/include/gable/gable.f90 \
    "$library/gable/libgable_link.so" "$library/gable/libblas.so.3" "$library/pkgconfig/gable.pc" "$library/cmake/gable/gableConfig.cmake" \
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
# The alternative must not be without the library whose names it passes on.
depends=$(dpkg-deb -f "$folder/libblas3-gable_${version}_$arch.deb" Depends)
for package in libopenblas0 "libgable0 (= $version)"; do
    case ", $depends," in *", $package,"*) ;; *) fail "libblas3-gable does not depend on $package, but on $depends" ;; esac
done
dpkg-deb --ctrl-tarfile "$folder/libgable0_${version}_$arch.deb" | tar -xO ./symbols >"$work/symbols"
awk '{ print " " $NF "@Base " version }' "version=$version" "$work/exports" | sort >"$work/want"
grep '^ ' "$work/symbols" | sort | diff "$work/want" - ||
    fail "the symbols of the package (>) are not those of the library (<)"

# ---- the alternative, chosen below the scratch folder -------------------------------------------------
mkdir -p "$root/etc/alternatives" "$root/var/lib/dpkg/alternatives" "$root/var/log"
dpkg-deb -e "$folder/libblas3-gable_${version}_$arch.deb" "$work/control"
DPKG_ROOT=$root "$work/control/postinst" configure >"$work/alternatives" 2>&1 || fail "postinst: $(cat "$work/alternatives")"
query=$(update-alternatives --root "$root" --query "libblas.so.3-$triplet") || fail "there is no alternative"
printf '%s\n' "$query" | grep -qx "Alternative: /$library/gable/libblas.so.3" || fail "the alternative: $query"
printf '%s\n' "$query" | grep -qx 'Priority: 5' || fail "the priority: $query"
[ "$(readlink "$root/$library/libblas.so.3")" = "/etc/alternatives/libblas.so.3-$triplet" ] || fail "libblas.so.3 is no link"
DPKG_ROOT=$root "$work/control/prerm" remove >"$work/alternatives" 2>&1 || fail "prerm: $(cat "$work/alternatives")"
[ ! -h "$root/$library/libblas.so.3" ] || fail "libblas.so.3 stays when the package is removed"

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

# ---- the Python package ----------------------------------------------------------------------------
depends=$(dpkg-deb -f "$deb" Depends)
for package in "libgable0 (>= $version)" python3:any; do
    case ", $depends," in *", $package,"*) ;; *) fail "python3-gable-linalg does not depend on $package, but on $depends" ;; esac
done
said=$(cd "$work" && GABLE_DEVICE=cpu PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -S -c "import sys; sys.path.insert(0, '$root/usr/lib/python3/dist-packages')
import gable_linalg as gl
print((gl.array([1.0, 2.0]) @ gl.array([3.0, 4.0])).item(), gl.version())") || fail "the Python package does not work"
[ "$said" = "11.0 $version" ] || fail "the Python package says '$said'"
[ ! -e "$root/usr/lib/python3/dist-packages/gable_linalg/_lib" ] || fail "the Python package has a library of its own"
echo "deb_test: the packages of version $version work"
