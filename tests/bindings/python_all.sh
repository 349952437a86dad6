#!/bin/sh
# python_all.sh: the Python package with what pip has: numpy 1.26 and 2, scipy with its tests, mypy; the wheel.
# SPDX-License-Identifier: BSD-3-Clause
#
#   python_all.sh SOURCE PYTHON LIBRARY
#
# For `make check-all`: environments of their own, filled from PyPI. Without a network or pip it is
# skipped (77). With each numpy: the tests of the package, examples in docstrings, scipy's tests of
# its iterative solvers on those of gl.sparse; mypy in strict mode; JAX and, where pip has a build of
# it for CPUs, PyTorch: tensors in both directions.
set -eu
source=$1 python=$2 library=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "python_all: $*"
    exit 1
}
unset PYTHONPATH GABLE_LIBRARY
export GABLE_DEVICE=cpu GABLE_TUNING=off PYTHONDONTWRITEBYTECODE=1
"$python" -c 'import venv, ensurepip' 2>/dev/null || {
    echo "skipped: $python has no venv or ensurepip (Debian: python3-venv)"
    exit 77
}
# environment NAME PACKAGES...: with the wheel of the package, too.
"$python" "$source/bindings/python/gable_build.py" wheel "$work" "$library" >"$work/wheel"
environment() {
    name=$1
    shift
    "$python" -m venv "$work/$name" >"$work/log" 2>&1 || fail "venv: $(tail -n 3 "$work/log")"
    if ! "$work/$name/bin/pip" install -q --disable-pip-version-check "$@" >"$work/log" 2>&1; then
        echo "skipped: pip cannot fetch $*: $(tail -n 1 "$work/log")"
        exit 77
    fi
    "$work/$name/bin/pip" install -q --no-index --no-deps "$(cat "$work/wheel")" >"$work/log" 2>&1 ||
        fail "the wheel cannot be installed: $(tail -n 3 "$work/log")"
}
tests=$source/tests/bindings/python
suite() {
    (cd "$work" && "$work/$1/bin/python" "$tests/run.py" doctest) || fail "$1: docstrings"
    (cd "$work" && "$work/$1/bin/python" "$tests/run.py" test_array test_routines test_lifetimes test_sparse) || fail "$1: tests"
}
environment older 'numpy==1.26.*' 'scipy==1.13.*' mypy
suite older
(cd "$source/bindings/python" && "$work/older/bin/mypy" --cache-dir "$work/mypy") || fail 'mypy'
# A program that uses the installed types, and one whose every line of blas is wrong.
typed() { (cd "$work" && older/bin/mypy --strict --cache-dir "$work/mypy" "$tests/$1"); }
typed typed_use.py || fail 'a right program is refused by mypy'
wrong=$(grep -c 'gl\.blas' "$tests/typed_wrong.py")
refused=$(typed typed_wrong.py | sed -n 's/^[^:]*typed_wrong.py:\([0-9]*\): error.*/\1/p' | sort -u | wc -l)
[ "$refused" -eq "$wrong" ] || fail "mypy refuses $refused of $wrong wrong lines"
environment newer 'numpy>=2' 'scipy>=1.14' pytest jax
suite newer
(cd "$work" && "$work/newer/bin/python" "$tests/scipy_solvers.py") || fail "scipy's tests of iterative solvers"
"$work/newer/bin/pip" install -q --disable-pip-version-check torch --index-url https://download.pytorch.org/whl/cpu >"$work/log" 2>&1 ||
    echo 'python_all: without PyTorch, which cannot be fetched'
(cd "$work" && "$work/newer/bin/python" "$tests/others.py") || fail 'JAX and PyTorch'
