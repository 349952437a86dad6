#!/bin/sh
# fortran_test.sh: the Fortran module compiles under the flags that programs use, and does what it should.
# SPDX-License-Identifier: BSD-3-Clause
#
#   fortran_test.sh build BUILD_FOLDER     compiles the module and test_gable.f90
#   fortran_test.sh run BUILD_FOLDER       runs them on $GABLE_DEVICE; on PoCL the first
#
# Plainly and with integers of 64 bits, with -fcheck=all and warnings as errors; as Fortran 2018 the compiler only looks at
# both, as that changes no code. Where flang is found it looks at the module, too. The module must be made by the build: the target gable_fortran.
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${2:?use: fortran_test.sh build|run BUILD_FOLDER}" && pwd)
folder=$build/fortran-tests
module=$build/fortran/gable.f90

fail() {
    echo "fortran_test: $*"
    exit 1
}
missing=''
if [ ! -e "$module" ]; then
    missing='Python, which makes the Fortran module'
elif ! command -v gfortran >/dev/null; then
    missing=gfortran
fi
if [ -n "$missing" ]; then
    case ",${GABLE_REQUIRE:-}," in *,fortran,*) fail "GABLE_REQUIRE names fortran, but $missing is missing" ;; esac
    echo "skipped: $missing is missing here"
    exit 77
fi

case $1 in
build)
    [ "$(awk 'length > 132' "$module" | wc -l)" -eq 0 ] || fail "the module has lines over 132 columns"
    mkdir -p "$folder/f2018"
    gfortran -std=f2018 -Wall -Wextra -Werror -J"$folder/f2018" -fsyntax-only "$module" "$tests/test_gable.f90" ||
        fail "not Fortran 2018"
    for kind in plain wide; do
        mkdir -p "$folder/$kind"
        set -- -fcheck=all -Wall -Wextra -Werror -J"$folder/$kind"
        if [ $kind = wide ]; then set -- -fdefault-integer-8 "$@"; fi
        gfortran "$@" -c "$module" -o "$folder/$kind/gable.o" || fail "the module does not compile ($kind)"
        gfortran "$@" "$tests/test_gable.f90" "$folder/$kind/gable.o" -L"$build" -lgable -Wl,-rpath,"$build" \
            -o "$folder/$kind/test_gable" || fail "test_gable.f90 does not compile ($kind)"
    done
    # The first program of the manual.
    sed -n '/^    program first$/,/^    end program first$/s/^    //p' "$tests/../../docs/fortran.md" >"$folder/first.f90"
    grep -q gable_host_gemm "$folder/first.f90" || fail "docs/fortran.md has no program"
    gfortran -I"$folder/plain" "$folder/first.f90" "$folder/plain/gable.o" -L"$build" -lgable -Wl,-rpath,"$build" \
        -o "$folder/first" || fail "the program of docs/fortran.md does not compile"
    for flang in flang flang-new flang-22 flang-new-22 flang-new-19; do
        command -v $flang >/dev/null || continue
        mkdir -p "$folder/flang"
        (cd "$folder/flang" && $flang -fsyntax-only "$module") || fail "$flang does not take the module"
        break
    done
    ;;
run)
    kinds='plain wide'
    case ${GABLE_DEVICE:-} in opencl:pocl) kinds=plain ;; esac
    [ "$kinds" = plain ] || "$folder/first" >"$folder/said" || fail "the program of docs/fortran.md fails: $(cat "$folder/said")"
    for kind in $kinds; do
        program=$folder/$kind/test_gable
        work=$(mktemp -d)
        "$program" "$work" || fail "$program $work failed"
        rm -rf "$work"
        # A call that fails, and whose status nobody asked for, ends the program with its message.
        ! "$program" fail >"$folder/$kind/said" 2>&1 || fail "$program fail ended well"
        grep -q 'gable_daxpy: argument 2 (n) is -1' "$folder/$kind/said" || fail "$program fail says $(cat "$folder/$kind/said")"
        ! grep -q 'went on' "$folder/$kind/said" || fail "$program went on after a failure"
    done
    ;;
*) fail "unknown word '$1'" ;;
esac
