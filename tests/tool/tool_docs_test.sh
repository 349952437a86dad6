#!/bin/sh
# tool_docs_test.sh: help, manual page, docs/command.md and the completion name the flags that exist.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_docs_test.sh GABLE SOURCE_FOLDER
#
# The command's own list (`gable help --list flags`, made from the tables of its parser) is compared
# with each text, subcommand by subcommand and in both directions. The manual page also has every
# subcommand in its synopsis and every environment variable that the sources name. docs/routines.md has
# the variants of each op's table.
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
source=$2
tab=$(printf '\t')

# same WHAT: the flags in $work/found are those in $work/known.
same() {
    sort -u "$work/found" >"$work/sorted"
    cmp -s "$work/sorted" "$work/known" || fail "$1 differs from the command (< there, > in the command): \
$(diff "$work/sorted" "$work/known" | grep '^[<>]' | tr '\n' ' ')"
}

flags_in() { grep -oE -e '--[a-z][a-z-]*' || :; }

"$gable" help --list commands >"$work/commands" || fail "help --list commands: exit code $?"
"$gable" help --list flags >"$work/flags" || fail "help --list flags: exit code $?"
[ "$(wc -l <"$work/commands")" -ge 5 ] || fail "too few subcommands: $(cat "$work/commands")"
grep -qv "^[a-z]*${tab}--[a-z-]*${tab}[A-Z]*\$" "$work/flags" && fail "a line of the list of flags is odd"

# The manual page as plain text: \- is -, font changes are gone.
sed 's/\\-/-/g; s/\\f[A-Z]//g' "$source/docs/gable.1" >"$work/man"
md=$source/docs/command.md

# ---- each subcommand ------------------------------------------------------------------------------
while read -r sub; do
    sed -n "s/^$sub$tab\(--[a-z-]*\)$tab.*/\1/p" "$work/flags" | sort -u >"$work/known"
    [ -s "$work/known" ] || fail "$sub has no flags"

    "$gable" "$sub" --help >"$work/help" || fail "$sub --help: exit code $?"
    sed -n 's/^  \(--[a-z-]*\).*/\1/p' "$work/help" >"$work/found"
    same "gable $sub --help"
    # Flags in its examples and its usage exist, and each example names the subcommand.
    sed -n '/^examples:/,$p' "$work/help" | flags_in | sort -u | while read -r flag; do
        grep -qx -e "$flag" "$work/known" || echo "$flag"
    done >"$work/odd"
    [ ! -s "$work/odd" ] || fail "gable $sub --help has examples with $(cat "$work/odd")"
    [ "$(sed -n '/^examples:/,$p' "$work/help" | grep -c "^  gable $sub")" -ge 2 ] ||
        fail "gable $sub --help has too few examples"

    awk -v s="$sub" '/^\.S[SH] / { inside = ($0 == ".SS gable " s) } inside' "$work/man" |
        grep -E '^\.(B|BI) ' | flags_in >"$work/found"
    same "docs/gable.1, section gable $sub,"
    awk -v s="$sub" '/^\.S[SH] / { inside = ($0 == ".SS gable " s) } inside' "$work/man" >"$work/section"
    # A value has the same name everywhere.
    grep "^$sub$tab" "$work/flags" | while IFS="$tab" read -r _ flag value; do
        [ -z "$value" ] || grep -qF -e "$flag \" $value\"" "$work/section" ||
            echo "docs/gable.1 lacks $flag $value of $sub"
        [ -z "$value" ] || grep -q -e "^    gable $sub .*$flag $value\]" "$md" ||
            echo "docs/command.md lacks $flag $value of $sub"
    done >"$work/odd"
    [ ! -s "$work/odd" ] || fail "$(cat "$work/odd")"

    # The synopsis of docs/command.md has every flag; its section mentions no other.
    echo --help >"$work/found"
    grep "^    gable $sub " "$md" | flags_in >>"$work/found"
    same "docs/command.md, the synopsis of gable $sub,"
    awk -v s="$sub" '/^## / { inside = ($0 == "## gable " s) } inside' "$md" >"$work/section"
    [ -s "$work/section" ] || fail "docs/command.md has no section gable $sub"
    flags_in <"$work/section" | sort -u | while read -r flag; do
        grep -qx -e "$flag" "$work/known" || echo "$flag"
    done >"$work/odd"
    [ ! -s "$work/odd" ] || fail "docs/command.md, section gable $sub, names $(cat "$work/odd")"
done <"$work/commands"

# ---- no flag and no subcommand anywhere that does not exist --------------------------------------------
cut -f 2 "$work/flags" | sort -u >"$work/known"
for text in "$work/man" "$md" "$source/tools/completion/gable.bash"; do
    flags_in <"$text" | sort -u | while read -r flag; do
        grep -qx -e "$flag" "$work/known" || echo "$flag"
    done >"$work/odd"
    [ ! -s "$work/odd" ] || fail "$text names flags that no subcommand has: $(tr '\n' ' ' <"$work/odd")"
done
sort "$work/commands" >"$work/known"
sed -n 's/^\.SS gable //p' "$work/man" >"$work/found"
same 'docs/gable.1, the list of subcommands,'
sed -n 's/^## gable //p' "$md" >"$work/found"
same 'docs/command.md, the list of subcommands,'
version=$("$gable" --version | cut -d ' ' -f 2)
grep -q "^\.TH GABLE 1 .*\"Gable $version\"" "$work/man" || fail "docs/gable.1 is not of version $version"

awk '/^\.SH / { inside = ($0 == ".SH SYNOPSIS") } inside' "$work/man" |
    sed -n 's/^gable \([a-z]*\) .*/\1/p' >"$work/found"
same 'docs/gable.1, the synopsis,'

# ---- environment variables: those that the sources read -------------------------------------------------
awk '/^\.SH / { inside = ($0 == ".SH ENVIRONMENT") } inside' "$work/man" | grep '^\.BR* ' |
    grep -oE '(GABLE|XDG)_[A-Z_]+' | sort -u >"$work/found"
# A status without a name is no variable, nor are the words of gable_job; gnuplot is started without the folder of settings.
grep -rhoE '"(GABLE|XDG)_[A-Z_]+"' "$source/src" "$source/tools" "$source/bench" --include='*.[ch]' | tr -d '"' |
    grep -vxE 'GABLE_UNKNOWN_STATUS|XDG_CONFIG_HOME|GABLE_([A-Z]*_)?VECTORS|GABLE_OVERWRITE' | sort -u >"$work/known"
same 'docs/gable.1, section ENVIRONMENT,'

# ---- docs/routines.md: the variants of each op ----------------------------------------------------------
# Entries of shared tables that fit no call: no BLAS has axpby, waxpby, fill and reciprocal as Gable means them, amax of
# the installed BLAS is not used, and cuBLAS has no dsdot.
cat >"$work/never" <<'END'
amax=blas
axpby=blas
axpby=vendor
dsdot=vendor
fill=blas
fill=vendor
reciprocal=blas
reciprocal=vendor
waxpby=blas
waxpby=vendor
END
"$gable" help --list variants | grep -vxF -f "$work/never" | sort -u >"$work/known"
# These have no row in `gable bench`: the command does not know their variants.
sed -n 's/^| \([a-z0-9_]*\)[a-z0-9_, ]* | `gable_.* | \([^|]*\) |$/\1:\2/p' "$source/docs/routines.md" |
    grep -vE '^(rotg|rotmg|sterf|stedc|sygst):' | sed 's/([^)]*)//g; s/,/ /g' | while IFS=: read -r op variants; do
    for variant in $variants; do echo "$op=$variant"; done
done >"$work/found"
same 'docs/routines.md, the column of variants,'

# ---- samples of output that need no device: `$ gable explain ... --arch` and what is shown below it ------------
# Each line that is shown is printed, in that order; lines may be left out. Registers come from NVIDIA's compiler.
empty=$work/empty
mkdir "$empty"
explain() { XDG_DATA_HOME=$empty GABLE_TUNING=on "$gable" explain "$@" --color never; }
if explain daxpy 1000 --arch h200 | grep -q ' registers'; then
    for text in "$source"/docs/*.md; do
        rm -f "$work"/sample.*
        awk -v work="$work" '
            /^    \$ gable explain .*--arch/ { name = work "/sample." ++count; print substr($0, 21) >name; inside = 1; next }
            inside && /^[^ ]/ { inside = 0 }
            inside && NF { sub(/^    /, ""); print >name }' "$text"
        for sample in "$work"/sample.*; do
            [ -f "$sample" ] || continue
            arguments=$(head -n 1 "$sample")
            # shellcheck disable=SC2086 # words of a command
            explain $arguments >"$work/printed" || fail "$text: gable explain $arguments: exit code $?"
            awk 'NR == FNR { if (FNR > 1) shown[++count] = $0; next }
                 { sub(/ +$/, "") } $0 == shown[at + 1] { at++ }
                 END { if (at < count) print shown[at + 1] }' "$sample" "$work/printed" >"$work/odd"
            [ ! -s "$work/odd" ] || fail "$text: gable explain $arguments does not print: $(cat "$work/odd")"
        done
    done
    # docs/gemm.md, the table of what the model says: some rungs, the time and the limiter in s.
    for rung in naive tiled:tile=16 outputs:tile=32:outputs=8 volkov; do
        wanted=$(explain sgemm 4096 --arch h200 --variant gemm=$rung --json |
            sed -n 's/.*"replay":{"predicted_usec":\([0-9.]*\),"limiter":"\([a-z ]*\)".*/\1 \2/p' |
            awk '{ us = $1; $1 = ""; printf "%.0f | %.1f |%s |", us, 137438.953472 / us, $0 }')
        grep -qF "| \`$rung\` | $wanted" "$source/docs/gemm.md" || fail "docs/gemm.md has another line than \`$rung\` | $wanted"
    done
else
    echo "samples of gable explain were not checked: NVRTC is not here"
fi

# ---- the manual page is well formed -----------------------------------------------------------------
checked=
if command -v mandoc >/dev/null; then
    checked="$checked mandoc"
    mandoc -Tlint -Wwarning "$source/docs/gable.1" >"$work/lint" 2>&1 || fail "mandoc: $(cat "$work/lint")"
fi
if command -v groff >/dev/null; then
    checked="$checked groff"
    groff -man -ww -z "$source/docs/gable.1" >"$work/lint" 2>&1
    [ ! -s "$work/lint" ] || fail "groff: $(cat "$work/lint")"
fi
if command -v man >/dev/null && man -l --warnings -Tutf8 -Z "$source/docs/gable.1" >"$work/out" 2>"$work/lint" &&
    [ -s "$work/out" ]; then
    checked="$checked man"
    [ ! -s "$work/lint" ] || fail "man: $(cat "$work/lint")"
fi
[ -n "$checked" ] || echo "the form of docs/gable.1 was not checked: neither mandoc, groff nor man is here"

# ---- the completion ---------------------------------------------------------------------------------
if command -v bash >/dev/null; then
    bash "$source/tests/tool/completion_test.bash" "$gable" "$source/tools/completion/gable.bash" ||
        fail "the completion"
else
    echo "the completion was not checked: bash is not here"
fi

[ "$failures" -eq 0 ] || exit 1
