#!/bin/sh
# debian_test.sh: debian/ agrees with the project: versions, names, and who packages which file.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tests/package/debian_test.sh BUILD_FOLDER
#
# Needs none of Debian's tools. The version of the project, of gable.h, of the changelog and of the
# symbols are one. Every file that is installed is claimed by exactly one line of the .install files
# and not-installed, and no line claims nothing.
set -eu
export LC_ALL=C
build=$(cd "${1:?use: debian_test.sh BUILD_FOLDER}" && pwd)
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DESTDIR

failed=0
fault() {
    echo "debian_test: $*"
    failed=1
}

# ---- versions and names --------------------------------------------------------------------------
version=$(sed -n 's/^project(gable VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ -n "$version" ] || fault "CMakeLists.txt: no line project(gable VERSION ...)"
same() { # same WHERE FOUND
    [ "$2" = "$version" ] || fault "$1 has version '$2', CMakeLists.txt has '$version'"
}
same include/gable/gable.h "$(awk '
    /#define GABLE_VERSION_(MAJOR|MINOR|PATCH)/ { text = text dot $3; dot = "." }
    END { print text }' include/gable/gable.h)"
same debian/changelog "$(sed -n '1s/^gable (\([^)-]*\)[^)]*) .*/\1/p' debian/changelog)"

library=libgable${version%%.*}
same "debian/$library.symbols" \
    "$(sed -n 's/^ (regex)"^gable_\[a-z0-9_\]+@Base\$" //p' "debian/$library.symbols")"
grep -q "^libgable\.so\.${version%%.*} $library " "debian/$library.symbols" ||
    fault "debian/$library.symbols does not start with libgable.so.${version%%.*} $library"
for package in "$library" libgable-dev libblas3-gable gable-tools; do
    grep -qx "Package: $package" debian/control || fault "debian/control has no package $package"
    [ -f "debian/$package.install" ] || fault "debian/$package.install is not there"
done

# ---- files -----------------------------------------------------------------------------------------
# Debian's folder of libraries is lib/TRIPLET, that of this build may be lib or lib64.
cmake --install "$build" --prefix "$work/usr" >"$work/install.log" 2>&1 || {
    cat "$work/install.log"
    fault "cmake --install failed"
}
libraries=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$build/CMakeCache.txt")
(cd "$work" && find usr ! -type d | sed "s|^usr/$libraries/|usr/lib/triplet/|" | sort) >"$work/files"
[ -s "$work/files" ] || fault "nothing is installed"

# The PETSc plugin is built, and packaged, only where PETSc's headers are found.
[ -e "$build/libgable_petsc.so" ] && packages='debian/*.install' ||
    packages=$(ls debian/*.install | grep -v '^debian/libgable-petsc')
# shellcheck disable=SC2086 # a pattern, or several files
cat $packages debian/not-installed | sed '/^#/d; /^$/d' >"$work/patterns"
while IFS= read -r file; do
    claims=0
    while IFS= read -r pattern; do
        # shellcheck disable=SC2254 # these are patterns
        case $file in
        $pattern | $pattern/*)
            claims=$((claims + 1))
            echo "$pattern" >>"$work/used"
            ;;
        esac
    done <"$work/patterns"
    [ "$claims" -eq 1 ] || fault "$file is claimed by $claims lines of debian/*.install and not-installed"
done <"$work/files"
while IFS= read -r pattern; do
    grep -qxF "$pattern" "$work/used" || fault "'$pattern' in debian/ claims no file that is installed"
done <"$work/patterns"

for list in debian/*.docs debian/*.examples; do
    while IFS= read -r pattern; do
        # shellcheck disable=SC2086 # a pattern
        ls -d $pattern >/dev/null 2>&1 || fault "$list: '$pattern' is not there"
    done <"$list"
done

[ "$failed" -eq 0 ] || exit 1
echo "debian_test: version $version, $(wc -l <"$work/files" | tr -d ' ') files, each in one package"
