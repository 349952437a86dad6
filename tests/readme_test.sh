#!/bin/sh
# readme_test.sh: README.md's program, commands, picture and the model's error are as it says.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tests/readme_test.sh BUILD_FOLDER
#
# The program is examples/first.c. The commands that compile it are run as printed: one in a folder that
# has the checkout's include/, examples/ and build/, the other beside an installation. The picture is drawn
# again from the committed results, where the gnuplot that drew it is here.
set -eu
export LC_ALL=C
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "readme_test: $*"
    exit 1
}
skips=''

# ---- the program -----------------------------------------------------------------------------------
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$work/first.c"
diff -u examples/first.c "$work/first.c" || fail "README.md prints another program than examples/first.c"
cc -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude -c "$work/first.c" -o "$work/first.o" ||
    fail "the program does not compile without warnings"

# try FOLDER COMMAND: in FOLDER it says what it should.
try() {
    (cd "$1" && eval "$2") >"$work/said" 2>&1 || {
        cat "$work/said"
        fail "this command of README.md fails: $2"
    }
    [ "$(cat "$work/said")" = 'dot = 300' ] || fail "\"$2\" says \"$(cat "$work/said")\", not \"dot = 300\""
}
command_with() { # command_with WORD: the one line of README.md that compiles with it
    sed -n 's/^    \(cc .*\)/\1/p' README.md | grep -F -e "$1" >"$work/command" || :
    [ "$(wc -l <"$work/command")" -eq 1 ] || fail "README.md does not have one command with $1"
    cat "$work/command"
}
mkdir "$work/checkout" "$work/elsewhere"
ln -s "$root/include" "$root/examples" "$work/checkout"
ln -s "$build" "$work/checkout/build"
command=$(command_with -Iinclude)
try "$work/checkout" "$command"

if command -v pkg-config >/dev/null; then
    cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" || fail "cmake --install failed"
    cp examples/first.c "$work/elsewhere"
    PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name gable.pc)")
    LD_LIBRARY_PATH=$(dirname "$(find "$work/prefix" -name libgable.so)")
    export PKG_CONFIG_PATH LD_LIBRARY_PATH
    command=$(command_with pkg-config)
    try "$work/elsewhere" "$command"
    unset LD_LIBRARY_PATH
else
    skips="$skips; pkg-config is missing here"
fi

# ---- what it names is there --------------------------------------------------------------------------
grep -oE '`(docs|examples|src|kernels|bench)/[A-Za-z0-9_./-]*`|\(docs/[a-z0-9.-]*\)' README.md | tr -d '`()' |
    while read -r path; do
        [ -e "$path" ] || echo "$path"
    done >"$work/missing"
[ ! -s "$work/missing" ] || fail "README.md names what is not there: $(tr '\n' ' ' <"$work/missing")"
for target in $(grep -oE '^    make [a-z][a-z-]*|`make [a-z][a-z-]*' README.md | sed 's/.*make //' | sort -u); do
    grep -q "^$target:" Makefile || fail "README.md names make $target, which the Makefile does not have"
done

# ---- the model's error ----------------------------------------------------------------------------
said=$(awk '
    function number(name,    text) {
        if (!match($0, "\"" name "\":[-+.0-9e]+")) return -1
        text = substr($0, RSTART, RLENGTH)
        sub(/.*:/, "", text)
        return text + 0
    }
    number("predicted_usec") >= 0 {
        error = (number("predicted_usec") - number("usec")) / number("usec")
        print error < 0 ? -error : error
    }' bench/results/h200/model-error.jsonl | sort -g | awk '
    { errors[NR] = $1; near += $1 <= 0.25 }
    END {
        median = (errors[int((NR + 1) / 2)] + errors[int(NR / 2) + 1]) / 2
        printf "off by %.1f %% in the median, and by less than 25 %% for %.0f %% of %d measurements",
            100 * median, 100 * near / NR, NR
    }')
tr '\n' ' ' <README.md | grep -qF "$said" || fail "README.md does not say what the results say: $said"

# ---- the picture -----------------------------------------------------------------------------------
picture=docs/h200-matrices.svg
drawn_by=$(sed -n 's|^<desc>Produced by GNUPLOT \(.*\) patchlevel \([0-9]*\).*|gnuplot \1 patchlevel \2|p' $picture)
if [ -n "$drawn_by" ] && [ "$(gnuplot --version 2>/dev/null)" = "$drawn_by" ]; then
    scripts/draw_picture.sh "$work/picture.svg" || fail "scripts/draw_picture.sh fails"
    cmp "$work/picture.svg" $picture || fail "$picture is not what scripts/draw_picture.sh draws"
    if [ -e docs/gemm-ladder.svg ]; then
        scripts/draw_ladder.sh bench/results/h200/gemm-ladder.jsonl "$work/ladder.svg" ||
            fail "scripts/draw_ladder.sh fails"
        cmp "$work/ladder.svg" docs/gemm-ladder.svg ||
            fail "docs/gemm-ladder.svg is not what scripts/draw_ladder.sh draws"
    fi
else
    skips="$skips; the picture was drawn by $drawn_by, which is not here"
fi

[ -z "$skips" ] || {
    echo "the rest passed$skips"
    exit 77
}
echo "README.md's program, commands, picture and figures are as it says"
