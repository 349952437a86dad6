#!/bin/sh
# snippets_test.sh: the code on docs/from-blas.md compiles and runs; its table has every routine.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tests/package/snippets_test.sh BUILD_FOLDER
set -eu
export LC_ALL=C
build=$(cd "${1:?use: snippets_test.sh BUILD_FOLDER}" && pwd)
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=docs/from-blas.md

fail() {
    echo "snippets_test: $*"
    exit 1
}

# ---- names: every routine is in the table, and no name is invented -------------------------------
scripts/check_library.sh exports "$build" >"$work/said"
grep -oE 'gable_[a-z0-9_]+' "$work/said" | sort -u >"$work/exports"
grep -oE 'gable_[a-z0-9_]*[a-z0-9]' $page | sort -u >"$work/named"
grep -oE '^GABLE_API .*|^ *(struct|enum|typedef) .*|} gable_[a-z_]*;' include/gable/*.h | grep -oE 'gable_[a-z0-9_]+' |
    sort -u - "$work/exports" >"$work/known"
comm -23 "$work/named" "$work/known" >"$work/odd"
[ ! -s "$work/odd" ] || fail "$page names what does not exist: $(tr '\n' ' ' <"$work/odd")"
# A routine in double stands for its four names, one in double complex for two.
grep -vE '_dev$' "$work/exports" | while read -r name; do
    case $name in
    gable_i[sc]amax | gable_sc* | gable_csscal | gable_csrot) continue ;; # in single, by two letters
    esac
    rest=${name#gable_}
    case $rest in
    host_[sc]*)
        if grep -qx "gable_host_d${rest#host_?}" "$work/exports" || grep -qx "gable_host_z${rest#host_?}" "$work/exports"; then continue; fi ;;
    host_z*) if grep -qx "gable_host_d${rest#host_?}" "$work/exports"; then continue; fi ;;
    sparse_[scz]*) if grep -qx "gable_sparse_d${rest#sparse_?}" "$work/exports"; then continue; fi ;;
    s* | c*) if grep -qx "gable_d${rest#?}" "$work/exports" || grep -qx "gable_z${rest#?}" "$work/exports"; then continue; fi ;;
    z*) if grep -qx "gable_d${rest#?}" "$work/exports"; then continue; fi ;;
    esac
    echo "$name"
done | sort >"$work/wanted"
# What is no routine has the other pages.
grep -oE 'gable_(status_name|status_text|device_[a-z]+|context_[a-z]+|version|message|open|close|sync|wait|[gs]et_[a-z]+|calibrate|reserve|alloc|free|copy_bytes|fill_bytes|timer_[a-z]+|record_[a-z]+|recording_[a-z]+|replay|profile_[a-z]+|host_pin|host_unpin|host_recall|host_release|last_device)' \
    "$work/wanted" | sort -u >"$work/plain"
comm -23 "$work/wanted" "$work/plain" | comm -23 - "$work/named" >"$work/missing"
[ ! -s "$work/missing" ] || fail "$page lacks $(tr '\n' ' ' <"$work/missing")"
[ "$(comm -23 "$work/wanted" "$work/plain" | wc -l)" -ge 40 ] || fail "too few routines were looked for"

# ---- code ----------------------------------------------------------------------------------------
awk -v folder="$work" '
    /^```c$/ { file = folder "/snippet_" ++count ".c"; next }
    /^```cpp$/ { file = folder "/snippet_" ++count ".cpp"; next }
    /^```$/ { file = ""; next }
    file { print >file }' $page
warnings='-Wall -Wextra -Wpedantic -Wshadow -Werror'
for file in "$work"/snippet_*.c; do
    # shellcheck disable=SC2086 # flags are split
    cc -std=c11 $warnings -Iinclude -c "$file" -o "${file%.c}_c.o" || fail "$(sed -n 3p "$file"): does not compile"
done
command -v c++ >/dev/null || {
    echo "the code in C compiles, but a C++ compiler is missing here"
    exit 77
}
for file in "$work"/snippet_*.cpp; do
    # shellcheck disable=SC2086
    c++ -std=c++17 $warnings -Iinclude -c "$file" -o "${file%.cpp}_cpp.o" || fail "$(sed -n 5p "$file"): does not compile"
done
c++ -std=c++17 -Wall -Wextra -Werror -Iinclude tests/package/snippets_program.cpp "$work"/snippet_*.o -L"$build" -lgable \
    -Wl,-rpath,"$build" -o "$work/program" || fail "the functions of $page do not link with the program that calls them"
"$work/program" || fail "see above"
echo "snippets_test: $(find "$work" -name '*.o' | wc -l) pieces of code, $(wc -l <"$work/named") names"
