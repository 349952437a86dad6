#!/bin/sh
# make_deb.sh: what `make deb` does: set-up, the Debian packages into build-deb/, lintian.
# SPDX-License-Identifier: BSD-3-Clause
#
# The source and binary packages are made of a copy of the tree: what git knows and what is new and not
# ignored, or, without git, everything but build folders. The tests are left out (`make check` is for
# them); DEB_BUILD_OPTIONS= make deb runs them too. A warning of lintian is a failure. Where debhelper
# or lintian cannot be had, the status is 77 and the last line says so.
set -eu
cd "$(dirname "$0")/.."
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

scripts/bootstrap.sh deb
for tool in dpkg-buildpackage:dpkg-dev dh:debhelper lintian:lintian; do
    command -v "${tool%:*}" >/dev/null || {
        echo "make deb needs ${tool%:*}, which is not installed (Debian: ${tool#*:})" >&2
        exit 77
    }
done

version=$(dpkg-parsechangelog -S Version)
folder=build-deb
copy=$folder/gable-$version
rm -rf "$folder"
mkdir -p "$copy"

# A list with zeros between names; a file that git knows may be gone.
tree_files() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -z --cached --others --exclude-standard
    else
        find . \( -path ./.git -o -path ./build -o -path './build-*' \) -prune -o -type f -print0
    fi
}
tree_files | tar -c --null -T - 2>"$folder/copy.log" | tar -x -C "$copy"

: "${DEB_BUILD_OPTIONS=nocheck parallel=$(nproc 2>/dev/null || echo 2)}"
case $DEB_BUILD_OPTIONS in *nocheck*) DEB_BUILD_PROFILES="${DEB_BUILD_PROFILES:-} nocheck" ;; esac
# The plugin for PETSc is a package where PETSc 3.18 with real scalars is installed.
if dpkg -s libpetsc-real3.18-dev >/dev/null 2>&1 && dpkg -s libopenmpi-dev >/dev/null 2>&1; then
    DEB_BUILD_PROFILES="${DEB_BUILD_PROFILES:-} pkg.gable.petsc"
fi
export DEB_BUILD_OPTIONS DEB_BUILD_PROFILES="${DEB_BUILD_PROFILES:-}"
log=$folder/build.log
echo "building in $copy; the output is in $log"
if ! (cd "$copy" && dpkg-buildpackage -us -uc) >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    echo "make deb: dpkg-buildpackage failed; its whole output is in $log" >&2
    exit 1
fi

# Built as root, it is checked as root: lintian wants to hear that this is meant.
root_option=''
if [ "$(id -u)" -eq 0 ]; then root_option=--allow-root; fi
# shellcheck disable=SC2086 # one word or none
lintian $root_option --fail-on error,warning "$folder"/gable_*.changes || {
    echo "make deb: lintian finds fault with the packages in $folder; see above" >&2
    exit 1
}
rm -rf "$copy"
ls "$folder"/*.deb "$folder"/*.dsc
