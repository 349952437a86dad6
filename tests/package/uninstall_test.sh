#!/bin/sh
# uninstall_test.sh: `make uninstall` removes what an installation put there, and nothing else.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tests/package/uninstall_test.sh BUILD_FOLDER
#
# Trees are compared by their lists of files and folders before the installation and after `make
# uninstall`: a fresh prefix, one with files and folders of others, one below DESTDIR, and one that
# holds a file of an earlier version.
set -eu
export LC_ALL=C
build=$(cd "${1:?use: uninstall_test.sh BUILD_FOLDER}" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR PREFIX

fail() {
    echo "uninstall_test: $*"
    exit 1
}
install_to() { # install_to PREFIX [DESTDIR]
    DESTDIR=${2:-} cmake --install "$build" --prefix "$1" >"$work/install.log" 2>&1 || {
        cat "$work/install.log"
        fail "cmake --install --prefix $1 failed"
    }
}
uninstall() { # uninstall VARIABLE=VALUE...
    make -s -C "$root" uninstall "$@" >"$work/said" 2>&1
}
uninstall_from() {
    uninstall "$@" || {
        cat "$work/said"
        fail "make uninstall $* failed"
    }
}
tree() { (cd "$1" && find . | sort); }
same() { # same BEFORE AFTER WHAT
    diff "$1" "$2" || fail "$3: the tree differs from before (> is left over, < is lost)"
}

# ---- a fresh prefix: the list is complete, and nothing is left ---------------------------------
install_to "$work/fresh"
list=share/gable/installed-files
(cd "$work/fresh" && find . ! -type d ! -path "./$list" | sed 's|^\./|file |' | sort) >"$work/there"
grep '^file ' "$work/fresh/$list" | diff "$work/there" - ||
    fail "$list (>) and the files that are there (<) differ"
install_to "$work/other" # the build folder's own manifest is now that of another prefix
uninstall_from "PREFIX=$work/fresh"
[ ! -e "$work/fresh" ] || {
    find "$work/fresh"
    fail "the fresh prefix is not gone"
}
while read -r _ path; do
    grep -qxF "removed $work/fresh/$path" "$work/said" || fail "it does not say that it removed $path"
done <"$work/there"
[ -x "$work/other/bin/gable" ] || fail "the installation in another prefix is damaged"

# ---- files and folders of others -----------------------------------------------------------------
mkdir -p "$work/shared/bin" "$work/shared/lib/pkgconfig" "$work/shared/include/gable"
echo mine >"$work/shared/bin/mine"
echo mine >"$work/shared/include/gable/mine.h"
tree "$work/shared" >"$work/before"
install_to "$work/shared"
echo later >"$work/shared/share/gable/later"
install_to "$work/shared" # twice: folders of the first are still ours
uninstall_from "PREFIX=$work/shared"
grep -q "^kept $work/shared/share/gable/: " "$work/said" ||
    fail "it does not say that it kept a folder that is not empty"
rm "$work/shared/share/gable/later"
rmdir "$work/shared/share/gable" "$work/shared/share"
tree "$work/shared" >"$work/after"
same "$work/before" "$work/after" 'a prefix with files of others'

# ---- a prefix named from where one stands; the list must not know where that is -----------------
(cd "$work" && install_to named)
if grep -F "$work" "$work/named/$list"; then fail "the list names a folder of this machine"; fi
mv "$work/named" "$work/renamed"
uninstall_from "PREFIX=$work/renamed"
[ ! -e "$work/renamed" ] || fail "the moved prefix is not gone"

# ---- below DESTDIR, with a file of an earlier version --------------------------------------------
mkdir -p "$work/stage/opt"
tree "$work/stage" >"$work/before"
install_to /opt/gable "$work/stage"
echo old >"$work/stage/opt/gable/include/gable/old.h"
echo 'file include/gable/old.h' >>"$work/stage/opt/gable/$list"
install_to /opt/gable "$work/stage"
uninstall_from "DESTDIR=$work/stage" PREFIX=/opt/gable
tree "$work/stage" >"$work/after"
same "$work/before" "$work/after" 'a prefix below DESTDIR'

# ---- refusals ------------------------------------------------------------------------------------
if uninstall "PREFIX=$work/fresh"; then fail "it succeeds where nothing is installed"; fi
grep -q "Gable is not installed below $work/fresh" "$work/said" ||
    fail "no clear sentence where nothing is installed: $(cat "$work/said")"
echo precious >"$work/precious"
echo 'file ../precious' >>"$work/other/$list"
if uninstall "PREFIX=$work/other"; then fail "it takes a list that leaves the prefix"; fi
grep -q "entry with '\.\.'" "$work/said" || fail "no clear sentence about '..': $(cat "$work/said")"
[ -e "$work/precious" ] || fail "a file outside the prefix was removed"
echo "uninstall_test: all trees as they were"
