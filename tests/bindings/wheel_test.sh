#!/bin/sh
# wheel_test.sh: the wheel, and the package installed without one, in environments of their own.
# SPDX-License-Identifier: BSD-3-Clause
#
#   wheel_test.sh SOURCE PYTHON LIBRARY
#
# Without pip: a wheel is an archive whose files go into site-packages, and its RECORD says what they
# must be. With pip, `pip install SOURCE/bindings/python` without a network is tried, too.
set -eu
source=$1 python=$2 library=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "wheel_test: $*"
    exit 1
}
unset PYTHONPATH GABLE_LIBRARY
export GABLE_DEVICE=cpu
program='
import gable_linalg as gl
from gable_linalg import _library
import sys
x = gl.linalg.solve(gl.array([[2.0, 0.0], [0.0, 4.0]]), gl.array([2.0, 2.0]))
print(_library.CDLL._name, x.tolist(), "y := alpha x + y" in gl.blas.daxpy.__doc__)
'
# use FOLDER LIBRARY: the package in a folder computes, with that library.
use() {
    said=$(cd "$work" && "$python" -S -c "import sys; sys.path.insert(0, '$1')$program") || fail "the package in $1 does not work"
    [ "$said" = "$2 [1.0, 0.5] True" ] || fail "the package in $1 says '$said'"
}

mkdir "$work/wheel"
"$python" "$source/bindings/python/gable_build.py" wheel "$work/wheel" "$library" >"$work/name"
wheel=$(cat "$work/name")
case $wheel in
"$work"/wheel/gable_linalg-*-py3-none-manylinux_2_[0-9]*_"$(uname -m)".whl) ;;
*) fail "the wheel is called $wheel" ;;
esac
"$python" - "$wheel" "$work/site" <<'PROGRAM' || fail 'the wheel does not agree with its RECORD'
import base64, hashlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = wheel.namelist()
    record = next(name for name in names if name.endswith("/RECORD"))
    seen = set()
    for line in wheel.read(record).decode().splitlines():
        path, digest, size = line.rsplit(",", 2)
        seen.add(path)
        if path == record:
            continue
        data = wheel.read(path)
        assert len(data) == int(size), path
        made = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert digest == "sha256=" + made, path
    assert seen == set(names), seen ^ set(names)
    wheel.extractall(sys.argv[2])
PROGRAM
use "$work/site" "$work/site/gable_linalg/_lib/libgable.so.0"
[ -e "$work/site/gable_linalg/py.typed" ] || fail 'py.typed is missing'
# The types of blas: every routine, with the arguments that it takes.
(cd "$work" && GABLE_LIBRARY=$library PYTHONPATH=$work/site "$python" -S - "$work/site/gable_linalg/blas.pyi") <<'PROGRAM' || fail 'blas.pyi'
import ast, sys
from gable_linalg import blas
found = {}
with open(sys.argv[1]) as file:
    for node in ast.parse(file.read()).body:
        if isinstance(node, ast.FunctionDef) and node.name != "__dir__":
            found.setdefault(node.name, []).append([a.arg for a in node.args.posonlyargs])
assert sorted(found) == blas.ROUTINES, set(found) ^ set(blas.ROUTINES)
for name, forms in found.items():
    arguments = getattr(blas, name).arguments
    names = [a["name"] for a in arguments]
    assert forms[-1] == names, (name, forms, names)
    if len(forms) > 1: # without the results at the end
        assert forms[0] == names[:len(forms[0])], (name, forms)
        assert all(a["kind"] == "result" for a in arguments[len(forms[0]):]), (name, forms)
assert len(found["ddot"]) == 2 and len(found["daxpy"]) == 1
PROGRAM
"$python" "$source/bindings/python/gable_build.py" wheel "$work/again" "$library" >/dev/null
cmp "$wheel" "$work/again/$(basename "$wheel")" || fail 'the same sources make another wheel'

# A prefix: the package, and the library beside it.
mkdir -p "$work/prefix/lib"
cp -L "$library" "$work/prefix/lib/libgable.so.0"
"$python" "$source/bindings/python/gable_build.py" install "$work/prefix/lib/python3.x/site-packages"
use "$work/prefix/lib/python3.x/site-packages" "$work/prefix/lib/libgable.so.0"

# pip, where there is one: no index, nothing to fetch.
if "$python" -c 'import pip, venv, ensurepip' 2>/dev/null; then
    "$python" -m venv "$work/venv" >"$work/log" 2>&1 || fail "no environment: $(tail -n 3 "$work/log")"
    GABLE_LIBRARY=$library "$work/venv/bin/python" -m pip install --no-index --disable-pip-version-check --no-cache-dir \
        "$source/bindings/python" >"$work/log" 2>&1 || fail "pip: $(tail -n 5 "$work/log")"
    said=$(cd "$work" && "$work/venv/bin/python" -c "$program") || fail 'the package that pip installed does not work'
    case $said in "$work"/venv/*"/gable_linalg/_lib/libgable.so.0 [1.0, 0.5] True") ;; *) fail "it says '$said'" ;; esac
    [ -z "$(ls "$work/venv/bin" | grep -i gable)" ] || fail 'the package installs a command'
else
    echo 'wheel_test: without pip, which is not installed'
fi
echo 'wheel_test: the wheel and the installed package work'
