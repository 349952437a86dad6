# foreign_test.sh: what the tests with programs of others share. They read it: . "$(dirname "$0")/foreign_test.sh"
# SPDX-License-Identifier: BSD-3-Clause
#
# $work is a folder that is gone when the test ends. Libraries run on one thread.
# shellcheck shell=sh disable=SC2034 # the tests use what is set here
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

# skip WHAT: what is missing, and Debian's package.
skip() {
    echo "$1 (Debian: $2)"
    exit 77
}

# find_blas_tests PROGRAM: $folder has the BLAS's test programs, $reference the reference library, on which alone those of CBLAS start.
# $GABLE_BLAS_TESTS may name another folder.
find_blas_tests() {
    folder="" reference=""
    for candidate in "${GABLE_BLAS_TESTS:-}" /usr/lib/*/blas /usr/lib/blas; do
        [ -z "$folder" ] && [ -n "$candidate" ] && [ -x "$candidate/$1" ] && folder=$candidate
        [ -e "$candidate/libblas.so.3" ] && reference=$candidate
    done
    [ -n "$folder" ] || skip "the BLAS's test programs are not installed" libblas-test
}

# find_python MODULES PACKAGES: $python has them: that of $GABLE_PYTHON, of the distribution, or the first one in the path.
find_python() {
    python=
    for candidate in "${GABLE_PYTHON:-}" /usr/bin/python3 python3; do
        [ -z "$python" ] && [ -n "$candidate" ] && "$candidate" -c "import $1" 2>/dev/null && python=$candidate
    done
    [ -n "$python" ] || skip "Python's $1 is not installed" "$2"
}
