#!/bin/sh
# uninstall.sh: what `make uninstall` does: removes what `make install` put below a prefix.
# SPDX-License-Identifier: BSD-3-Clause
#
#   [DESTDIR=FOLDER] scripts/uninstall.sh PREFIX
#
# The installation left a list, share/gable/installed-files (cmake/installed_files.cmake), so that
# neither the build folder nor the version that was installed is needed. Files on the list go, then the
# folders that the installation had made, as far as they are empty. All else stays.
set -eu
export LC_ALL=C
prefix=${1:?use: uninstall.sh PREFIX}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
root=${DESTDIR:-}${prefix%/}
list=$root/share/gable/installed-files

[ -f "$list" ] || {
    echo "uninstall: Gable is not installed below $root: $list is not there;" \
        "name the prefix it was installed to: make uninstall PREFIX=..." >&2
    exit 1
}

# The place of an entry. Entries name no parent folder, whoever wrote the list.
place() {
    case /$1/ in
    */../*)
        echo "uninstall: $list has an entry with '..' ($1); nothing more was removed" >&2
        exit 1
        ;;
    esac
    case $1 in
    /*) printf %s "${DESTDIR:-}$1" ;;
    .) printf %s "$root" ;;
    *) printf %s "$root/$1" ;;
    esac
}
entries() { sed -n "s/^$1 //p" "$list" | sort -r; }

files=$(entries file)
folders=$(entries folder)
count=0
remove_file() {
    if [ -e "$1" ] || [ -L "$1" ]; then
        rm -f -- "$1" || exit 1
        echo "removed $1"
        count=$((count + 1))
    fi
}
# The list goes last: after a failure halfway the rest can still be removed.
while IFS= read -r entry; do
    [ -n "$entry" ] || continue
    path=$(place "$entry") || exit 1
    [ "$path" = "$list" ] || remove_file "$path"
done <<EOF
$files
EOF
rm -f -- "$list"
echo "removed $list"

# Deepest first, by the reverse order of the names; the prefix itself ('.') sorts before all of them.
while IFS= read -r entry; do
    [ -n "$entry" ] || continue
    path=$(place "$entry") || exit 1
    [ -d "$path" ] || continue
    if rmdir -- "$path" 2>/dev/null; then
        echo "removed $path/"
    else
        echo "kept $path/: it is not empty"
    fi
done <<EOF
$folders
EOF
echo "uninstall: removed $count files and the list of them from $root"
