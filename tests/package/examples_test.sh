#!/bin/sh
# examples_test.sh: each example compiles as its README prints it, runs, and says what is right.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tests/package/examples_test.sh BUILD_FOLDER
#
# Each example is compiled by the command in its first comment, in a folder like the checkout. The build is
# installed into a temporary prefix and moved: there each is compiled by one line with pkg-config, then all
# of them by examples/Makefile and examples/CMakeLists.txt. They run on the device of $GABLE_DEVICE, as
# CTest sets it. How they are built is the same on every device: on PoCL, which takes long to start and to compile, each is built
# by its first comment and runs once. Without a CUDA device cuda_stream.c must say so and exit with 0.
set -eu
export LC_ALL=C
build=$(cd "${1:?use: examples_test.sh BUILD_FOLDER}" && pwd)
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR

fail() {
    echo "examples_test: $*"
    exit 1
}

# What NAME must say, as one extended regular expression for all its lines, joined by " / ".
no_cuda='This example needs a CUDA device: gable_open: .+'
expected() {
    case $1 in
    first) echo 'dot = 300' ;;
    saxpy) echo 'y = 12 24 36 48' ;;
    device_scalar) echo 'projection = 4 4 4 4' ;;
    least_squares) echo 'X = 3 1 and 2 -1' ;;
    dense_solve)
        size='[0-9]\.[0-9]e-1[0-9]'
        echo "gesv: residual $size / posv: residual $size /" \
            'posv: the leading minor of order 51 is not positive'
        ;;
    principal_components)
        numbers='( [+-]0\.4[01]){6}'
        echo "component 1, 90\.0 % of the variance:$numbers / component 2, 10\.0 % of the variance:$numbers /" \
            'the rest is noise: yes'
        ;;
    polynomial_fit) echo 'y = 0\.99 -1\.99 x \+0\.01 x\^2 \+2\.98 x\^3, residual 1\.54' ;;
    sparse_solve) echo 'cg: x is ones: yes' ;;
    record_replay)
        number='[0-9]+\.[0-9]+'
        echo "y = 32000 in all elements: yes / a step of 16 calls: $number us called," \
            "$number us replayed, $number times as fast"
        ;;
    compile_ahead)
        echo 'sum = 40000 / prepared in [0-9]+\.[0-9] ms, the first step took [0-9]+\.[0-9] ms'
        ;;
    host_gemm)
        echo 'C = 1000 in all elements: yes / 500 x 500 on [a-z0-9:]+: [0-9]+\.[0-9]+ ms, [0-9]+\.[0-9] GFLOP/s'
        ;;
    cuda_stream)
        case ${GABLE_DEVICE:-} in
        cuda*) echo 'y = 12 24 36 48' ;;
        *) echo "(y = 12 24 36 48|$no_cuda)" ;;
        esac
        ;;
    fortran_device) echo 'y = 12 24 36 48, x \. y = 360 / GABLE_BAD_ARGUMENT: gable_daxpy: argument 2 \(n\) is -1; .+' ;;
    fortran_host) echo 'C is A B: T / x is ones: T' ;;
    fortran_solver)
        echo 'cg with a matrix: x is ones: T, the monitor saw all iterations: T / cg with a procedure: x is ones: T'
        ;;
    fortran_recording) echo 'largest eigenvalue = 3\.000000 / 60 steps: [0-9]+\.[0-9] us' ;;
    raii) echo 'y = 12 24 36 48, x \. y = 360 / caught: gable_daxpy: argument 2 \(n\) is -1; .+' ;;
    *) fail "examples/$1 is new: say in this test what it must print" ;;
    esac
}

# run FOLDER NAME: the program exits with 0 and says what it must. With a device that is not there it
# must exit with 1 and say so; cuda_stream.c opens the device of its own.
run() {
    said=$("$1/$2" 2>&1) || fail "$1/$2 exits with $?: $said"
    line=$(printf '%s\n' "$said" | awk 'NR > 1 { printf " / " } { printf "%s", $0 }')
    want=$(expected "$2") || {
        echo "$want"
        exit 1
    }
    printf '%s\n' "$line" | grep -qxE "$want" || fail "$2 says \"$line\", not \"$want\""
    if [ "$2" = polynomial_fit ]; then
        "$1/$2" "$work/fit.svg" >"$work/fit.log" || fail "$2 does not draw"
        [ "$(grep -c '<circle' "$work/fit.svg")" -eq 200 ] || fail "the plot of $2 lacks measurements"
        [ "$(tail -n 1 "$work/fit.svg")" = '</svg>' ] || fail "the plot of $2 does not end"
    fi
    [ "$2" != cuda_stream ] || return 0
    status=0
    said=$(GABLE_DEVICE=nowhere "$1/$2" 2>&1) || status=$?
    [ "$status" -eq 1 ] || fail "$2 exits with $status, not 1, on a device that is not there"
    case $said in
    *'there is no device "nowhere"'*) ;;
    *) fail "$2 does not say what is wrong with the device: $said" ;;
    esac
}

# What the build and this machine have of Fortran: a compiler, and the module.
missing=''
if [ ! -e "$build/fortran/gable.f90" ]; then
    missing='Python, which makes the Fortran module'
elif ! command -v gfortran >/dev/null; then
    missing=gfortran
fi
case "${missing:+missing},${GABLE_REQUIRE:-}," in
missing,*fortran,*) fail "GABLE_REQUIRE names fortran, but $missing is missing" ;;
esac

# ---- as the first comment of each says, in the checkout ---------------------------------------------
mkdir "$work/checkout"
ln -s "$examples" "$examples/../include" "$work/checkout"
ln -s "$build" "$work/checkout/build"
for file in "$examples"/*.c "$examples"/*.cpp; do
    name=${file##*/}
    name=${name%.*}
    said=$(sed -n "s|^ \*   \(c.* -o $name\) && \./$name\$|\1|p" "$file")
    [ -n "$said" ] || fail "$file does not say how it is built in the checkout"
    command -v "${said%% *}" >/dev/null || continue
    (cd "$work/checkout" && eval "$said") || fail "this command of $file fails: $said"
    run "$work/checkout" "$name"
done

if [ -z "$missing" ]; then
    module='gfortran -c build/fortran/gable.f90'
    (cd "$work/checkout" && $module) || fail "the Fortran module does not compile"
    for file in "$examples"/*.f90; do
        name=$(basename "$file" .f90)
        grep -qxF "!   $module" "$file" || fail "$file does not say how the module is built"
        said=$(sed -n "s|^!   \(gfortran .* -o $name\) && \./$name\$|\1|p" "$file")
        [ -n "$said" ] || fail "$file does not say how it is built in the checkout"
        (cd "$work/checkout" && eval "$said") || fail "this command of $file fails: $said"
        run "$work/checkout" "$name"
    done
fi

skip() {
    echo "the other examples passed, but $1 is missing here"
    exit 77
}
case ${GABLE_DEVICE:-} in
opencl:pocl)
    [ -z "$missing" ] || skip "$missing"
    echo "examples_test: the examples as their first comments say on $GABLE_DEVICE"
    exit 0
    ;;
esac

command -v pkg-config >/dev/null || {
    echo "pkg-config is missing here"
    exit 77
}
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" 2>&1 || fail "cmake --install failed"
mv "$work/prefix" "$work/moved"
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name gable.pc)")
LD_LIBRARY_PATH=$(dirname "$(find "$work/moved" -name libgable.so.0)")
export PKG_CONFIG_PATH LD_LIBRARY_PATH

# ---- one line each, with warnings as errors --------------------------------------------------------
cd "$examples"
mkdir "$work/alone"
warnings='-Wall -Wextra -Wpedantic -Wshadow -Werror'
for file in *.c; do
    # shellcheck disable=SC2046,SC2086 # flags are split
    cc -std=c11 $warnings -Wstrict-prototypes "$file" $(pkg-config --cflags --libs gable) \
        -o "$work/alone/${file%.c}" || fail "$file does not compile"
    run "$work/alone" "${file%.c}"
    grep -q "^| \`$file\` |" README.md || fail "examples/README.md has no line for $file"
done
command -v c++ >/dev/null || {
    skip 'a C++ compiler'
}
for file in *.cpp; do
    # shellcheck disable=SC2046,SC2086
    c++ -std=c++17 $warnings "$file" $(pkg-config --cflags --libs gable) \
        -o "$work/alone/${file%.cpp}" || fail "$file does not compile"
    run "$work/alone" "${file%.cpp}"
    grep -q "^| \`$file\` |" README.md || fail "examples/README.md has no line for $file"
done
[ -z "$missing" ] || skip "$missing"
# One line does for Fortran, too.
# shellcheck disable=SC2046
gfortran -J"$work" $(pkg-config --variable=fortran gable) fortran_host.f90 $(pkg-config --libs gable) -o "$work/alone/fortran_host" ||
    fail "fortran_host.f90 does not compile with the installed module"
run "$work/alone" fortran_host
for file in *.f90; do
    grep -q "^| \`$file\` |" README.md || fail "examples/README.md has no line for $file"
    [ -e "$work/alone/${file%.f90}" ] || cp "$work/checkout/${file%.f90}" "$work/alone/"
done

# ---- all of them by make and by CMake --------------------------------------------------------------
make -s run "BUILD=$work/made" FFLAGS=-O0 >"$work/make.log" 2>&1 || {
    cat "$work/make.log"
    fail "make -C examples run failed"
}
{ cmake -S . -B "$work/cmake" "-DCMAKE_PREFIX_PATH=$work/moved" && cmake --build "$work/cmake"; } \
    >"$work/cmake.log" 2>&1 || {
    cat "$work/cmake.log"
    fail "examples/CMakeLists.txt does not build"
}
count=0
for program in "$work"/alone/*; do
    name=${program##*/}
    count=$((count + 1))
    [ -x "$work/made/$name" ] || fail "examples/Makefile does not build $name"
    [ -x "$work/cmake/$name" ] || fail "examples/CMakeLists.txt does not build $name"
    run "$work/cmake" "$name"
done
echo "examples_test: $count examples on ${GABLE_DEVICE:-the best device}"
