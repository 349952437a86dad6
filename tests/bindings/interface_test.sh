#!/bin/sh
# interface_test.sh: the list of the public interface says what the compiler and the library say.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: interface_test.sh SOURCE PYTHON CC LIBRARY      (PYTHON may be empty: skipped)
#
# - The functions of the list are those that libgable.so exports.
# - Declarations, numbers, offsets and sizes made from the list agree with the headers: the compiler
#   is shown both.
# - A header with something that bindings/interface.py does not know stops it.
set -eu
source=$1 python=$2 cc=$3 library=$4
list=$source/bindings/interface.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "interface_test: $*" >&2
    exit 1
}
if [ -z "$python" ]; then
    case ",${GABLE_REQUIRE:-}," in *,python,*) fail 'GABLE_REQUIRE names python, which is not installed' ;; esac
    echo 'skipped: Python 3.9 or newer is not installed'
    exit 77
fi

"$python" "$list" --names | sort >"$work/listed"
[ "$(uniq -d "$work/listed" | wc -l)" -eq 0 ] || fail "a name is listed twice: $(uniq -d "$work/listed")"
nm -D --defined-only "$library" | awk '$3 ~ /^gable_/ { sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"
[ "$(wc -l <"$work/exported")" -gt 700 ] || fail "$library exports $(wc -l <"$work/exported") functions only"
diff "$work/listed" "$work/exported" >"$work/difference" ||
    fail "listed (<) and exported (>) functions differ:
$(cat "$work/difference")"

"$python" "$list" --json >"$work/list.json"
"$python" - "$work/list.json" >"$work/again.c" <<'PROGRAM'
import json
import sys

with open(sys.argv[1]) as file:
    listed = json.load(file)


def prototype(entry, name):
    arguments = ", ".join("%s a%d" % (a["type"], i) for i, a in enumerate(entry["arguments"]))
    return "%s %s(%s);" % (entry["returns"], name, arguments or "void")


print('#include <stddef.h>\n#include "gable/gable.h"\n#include "gable/prediction.h"\n'
      '#include "gable/dlpack.h"')
for function in listed["functions"]:
    print(prototype(function, function["name"]))
for constant in listed["constants"]:
    kind = {"int": "", "unsigned": "", "pointer": "(uintptr_t)"}[constant["type"]]
    if not kind:
        print('_Static_assert(%s == %d, "");' % (constant["name"], constant["value"]))
for enum in listed["enums"]:
    # Together they are the whole enum: a switch without `default` warns of one that is missing.
    print("int switch_%s(%s value);" % (enum["name"], enum["name"]))
    print("int switch_%s(%s value)\n{\n    switch (value) {" % (enum["name"], enum["name"]))
    for constant in enum["constants"]:
        print("    case %s: return %d;" % (constant["name"], constant["value"]))
    print("    }\n    return -1;\n}")
    for constant in enum["constants"]:
        print('_Static_assert(%s == %d, "");' % (constant["name"], constant["value"]))
for struct in listed["structs"]:
    if struct["opaque"]:
        continue
    name = struct["name"]
    print("struct again_%s {" % name)
    for field in struct["fields"]:
        print("    %s %s%s;" % (field["type"], field["name"],
                               "[%d]" % field["count"] if field["count"] else ""))
    print("};")
    print('_Static_assert(sizeof(struct again_%s) == sizeof(%s), "%s");' % (name, name, name))
    for field in struct["fields"]:
        print('_Static_assert(offsetof(struct again_%s, %s) == offsetof(%s, %s), "");'
              % (name, field["name"], name, field["name"]))
        print('_Static_assert(_Generic(&((%s *)0)->%s, __typeof__(&((struct again_%s *)0)->%s) : 1,'
              ' default : 0), "");' % (name, field["name"], name, field["name"]))
for callback in listed["callbacks"]:
    print(prototype(callback, "as_" + callback["name"]))
    print("extern %s also_%s;" % (callback["name"], callback["name"]))
    print("%s also_%s = as_%s;" % (callback["name"], callback["name"], callback["name"]))
PROGRAM
"$cc" -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I"$source/include" "$work/again.c" ||
    fail "the list does not agree with the headers"
# The same with an argument changed is refused: the comparison can fail.
sed 's/^gable_status gable_dgemm(gable_context \* a0, gable_trans a1/gable_status gable_dgemm(gable_context * a0, int64_t a1/' \
    "$work/again.c" >"$work/wrong.c"
cmp -s "$work/again.c" "$work/wrong.c" && fail "gable_dgemm is not declared as expected"
"$cc" -std=gnu11 -fsyntax-only -I"$source/include" "$work/wrong.c" 2>"$work/log" &&
    fail "a wrong declaration was not seen"

# What the script does not understand stops it, with the place or the name in its message.
refused() {
    rm -rf "$work/include"
    mkdir "$work/include"
    cp -R "$source/include/gable" "$work/include/"
    printf '%s\n' "$2" >>"$work/include/gable/$1"
    ! "$python" "$list" --names "$work/include" >"$work/log" 2>&1 || fail "accepted in $1: $2"
    grep -q "$3" "$work/log" || fail "'$2' gives '$(cat "$work/log")'"
}
refused prediction.h 'GABLE_API gable_status gable_more(gable_context *ctx, long many);' 'gable_more: argument many'
refused prediction.h 'GABLE_API float gable_more(gable_context *ctx);' "returns 'float'"
refused types.h 'typedef union gable_more { int a; } gable_more;' 'types.h: typedef union gable_more'
refused types.h '#if GABLE_MORE > 1' 'types.h.*#if GABLE_MORE > 1'
refused typed_level3.h 'GABLE_API gable_status GABLE_FN(more)(gable_context *ctx, GABLE_T **A);' 'gable_smore: argument A'
refused more.h '' 'headers that nothing includes: gable/more.h'

# A binding that lacks a function, or has one that is none, is told so.
! grep -v '^gable_dgemm$' "$work/listed" | "$python" "$list" --bound fortran 2>"$work/log" || fail 'a gap was not seen'
grep -q 'fortran lacks gable_dgemm,' "$work/log" || fail "said of a gap: $(cat "$work/log")"
! { cat "$work/listed"; echo gable_more; } | "$python" "$list" --bound python 2>"$work/log" || fail 'a stranger was not seen'
grep -q 'python has gable_more, which is no public function' "$work/log" || fail "said: $(cat "$work/log")"
