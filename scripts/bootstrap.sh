#!/bin/sh
# bootstrap.sh: installs the packages that the build or the checks miss on Debian and Ubuntu.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/bootstrap.sh build      what `make` needs, and what its devices and benchmarks use
#   scripts/bootstrap.sh demo       that, and what `make demo` needs
#   scripts/bootstrap.sh check      that, and what `make check` needs
#   scripts/bootstrap.sh check-deep that, and what `make check-deep` needs
#   scripts/bootstrap.sh check-all  that, and what `make check-all` needs
#   scripts/bootstrap.sh deb        what `make` and `make deb` need
#   scripts/bootstrap.sh peers      what `make` and `make peers` need: ViennaCL, Eigen and PETSc, beside which benchmarks of sparse
#                                   matrices are timed
#
# It looks for the things themselves (a compiler, a library, a header), not for packages, so that
# what came another way counts too. Only when something is missing does it ask apt, as root or
# through sudo. Where it cannot install, it names the packages; it fails only if the build cannot
# work without them. GABLE_INSTALL=no keeps it from installing anything.
set -eu
cd "$(dirname "$0")/.."

mode=${1:-build}
case $mode in
build | demo | check | check-deep | check-all | deb | peers) ;;
*)
    echo "bootstrap: unknown mode '$mode'; use: scripts/bootstrap.sh build|demo|check|check-deep|check-all|deb|peers" >&2
    exit 2
    ;;
esac

# Shared libraries known to the loader; ldconfig is often outside a user's PATH.
libraries=$(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null || true)

has() { command -v "$1" >/dev/null 2>&1; }
has_library() { case $libraries in *"$1"*) true ;; *) false ;; esac; }

# A C compiler that finds the headers of the C library and of OpenMP.
has_openmp() {
    has "$1" && printf '#include <omp.h>\n#include <stdio.h>\n' |
        "$1" -fopenmp -E -x c - >/dev/null 2>&1
}
has_cxx() {
    has c++ && printf '#include <cstdio>\n' | c++ -E -x c++ - >/dev/null 2>&1
}
has_cmake() {
    has cmake || return 1
    cmake_version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
    [ "${cmake_version% *}" -gt 3 ] ||
        { [ "${cmake_version% *}" -eq 3 ] && [ "${cmake_version#* }" -ge 20 ]; }
}
has_pocl() {
    for icd in "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*pocl*.icd; do
        [ -e "$icd" ] && return 0
    done
    return 1
}
has_format() {
    has clang-format-14 && return 0
    has clang-format || return 1
    case $(clang-format --version) in *"version 14."*) true ;; *) false ;; esac
}
has_viennacl() {
    has c++ && printf '#include <viennacl/version.hpp>\n' | c++ -E -x c++ - >/dev/null 2>&1
}
has_eigen() { [ -e /usr/include/eigen3/Eigen/SparseCore ] || [ -e /usr/local/include/eigen3/Eigen/SparseCore ]; }
has_opencl_headers() {
    has_library 'libOpenCL.so (' && has cc && printf '#include <CL/cl.h>\n' | cc -E -x c - >/dev/null 2>&1
}
has_petsc() { has pkg-config && pkg-config --exists PETSc; }
has_locales() { PATH="$PATH:/usr/sbin" has localedef && [ -e /usr/share/i18n/locales/de_DE ]; }
has_reference_lapack() { ls /usr/lib/*/lapack/liblapack.so.3 2>/dev/null | grep -q . && ls /usr/lib/*/blas/libblas.so.3 2>/dev/null | grep -q .; }
has_lapack_tests() { ls /usr/lib/*/lapack/xlintstd /usr/lib/lapack/xlintstd 2>/dev/null | grep -q .; }
has_blas_tests() { ls /usr/lib/*/blas/xblat3d /usr/lib/blas/xblat3d 2>/dev/null | grep -q .; }
has_python() { has python3 && python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))'; }
has_numpy() { for python in python3 /usr/bin/python3; do has $python && $python -c 'import numpy' 2>/dev/null && return 0; done; return 1; }
has_scipy() { [ -x /usr/bin/python3 ] && /usr/bin/python3 -c 'import pytest, hypothesis, scipy.linalg' 2>/dev/null; }
has_chromium() { has chromium || has chromium-browser || has google-chrome; }
# For what only Debian's own tools look at: they count packages.
has_package() {
    case $(dpkg-query -W -f='${Status}' "$1" 2>/dev/null) in *' installed') true ;; *) false ;; esac
}

# want TEST PACKAGES WHAT: notes the packages if the test fails. need: the build cannot do without.
required='' optional='' lacking=''
want() {
    if ! $1; then
        optional="$optional $2"
        lacking="$lacking
  $3: $2"
    fi
}
need() {
    if ! $1; then
        required="$required $2"
        lacking="$lacking
  $3 (required): $2"
    fi
}

look() {
    required='' optional='' lacking=''
    need 'has_openmp cc' 'gcc libc6-dev' 'a C compiler with OpenMP'
    need has_cmake cmake 'CMake 3.20 or newer'
    need 'has make' make make
    want 'has_library libopenblas.so.0' libopenblas0-pthread 'OpenBLAS, for the cpu device'
    want 'has_library libOpenCL.so.1' ocl-icd-libopencl1 'the OpenCL loader'
    want has_pocl pocl-opencl-icd 'PoCL, an OpenCL device on the CPU'
    want 'has_library libclblast.so.1' libclblast1 'CLBlast, a peer in benchmarks'
    case $mode in
    demo | check | check-deep | check-all)
        want 'has gnuplot' gnuplot-nox 'gnuplot, for the plots of reports and studies'
        ;;
    esac
    case $mode in
    check | check-deep | check-all)
        want has_cxx g++ 'a C++ compiler, for the header check'
        want has_format clang-format-14 'clang-format 14, for the format check'
        want 'has pkg-config' pkg-config 'pkg-config, for the package test'
        want has_python python3 'Python 3.9 or newer, for the bindings'
        want has_numpy python3-numpy 'numpy, for the tests of the Python package'
        want 'has gfortran' gfortran 'a Fortran compiler, for the Fortran module'
        want has_locales locales 'descriptions of locales, for the test of numbers'
        want has_lapack_tests liblapack-test "LAPACK's own test programs"
        want has_blas_tests libblas-test "the BLAS's own test programs"
        want has_reference_lapack 'liblapack3 libblas3' "the reference LAPACK, for LAPACK's tests of eigenvalues"
        [ "$mode" = check ] || want 'has_openmp clang' 'clang libomp-dev' 'clang with OpenMP, for its warnings'
        if [ "$mode" = check-all ]; then
            want has_chromium chromium 'Chromium, which looks at the page of a report'
            want has_scipy 'python3-scipy python3-pytest python3-hypothesis' 'numpy and scipy with their tests, for the link door'
            want 'has octave-cli' octave "Octave, for the link door"
            want 'has Rscript' r-base-core "R, for the link door"
            want has_petsc libpetsc-real-dev 'PETSc, for the plugin'
            want 'has mpirun' openmpi-bin 'mpirun, which starts PETSc on several ranks'
        fi
        ;;
    deb)
        want 'has_package build-essential' build-essential 'the tools every Debian package is built with'
        want 'has_package cmake' cmake 'CMake as a package'
        want 'has_package debhelper' debhelper 'debhelper, which debian/rules calls'
        want 'has_package dh-python' dh-python 'dh-python, for the Python package'
        want 'has_package python3' python3 'Python, which makes the Fortran module'
        want 'has_package gfortran' gfortran 'a Fortran compiler, for its tests'
        want 'has lintian' lintian 'lintian, which checks the packages'
        ;;
    peers)
        want has_cxx g++ 'a C++ compiler, for ViennaCL and Eigen'
        want has_eigen libeigen3-dev 'Eigen, a peer in benchmarks of sparse matrices'
        want has_viennacl libviennacl-dev 'ViennaCL, a peer in benchmarks of sparse matrices'
        want has_opencl_headers 'opencl-headers ocl-icd-opencl-dev' "OpenCL's headers, for ViennaCL"
        want 'has pkg-config' pkg-config 'pkg-config, which finds PETSc'
        want has_petsc libpetsc-real-dev 'PETSc, a peer in benchmarks of sparse matrices'
        want 'has mpirun' openmpi-bin 'mpirun, which starts PETSc'
        ;;
    esac
}

look
[ -n "$lacking" ] || exit 0

# ---- install -------------------------------------------------------------------------------------
# What dpkg has already is not asked for again: a test that still fails has another reason.
missing_packages() {
    for package in "$@"; do
        has_package "$package" || echo "$package"
    done
}
available_packages() {
    for package in "$@"; do
        case $(LC_ALL=C apt-cache policy "$package" 2>/dev/null) in
        '' | *'Candidate: (none)'*) ;;
        *) echo "$package" ;;
        esac
    done
}
# How to become root: nothing, sudo, or not at all.
find_rights() {
    if [ "$(id -u)" -eq 0 ]; then
        rights=''
    elif has sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
        rights=sudo
    else
        return 1
    fi
}
# Waits for another apt to finish; leaves services alone (needrestart on Ubuntu would restart them).
apt_get() {
    # shellcheck disable=SC2086 # rights is one word or none
    $rights env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l \
        apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" >>"$log" 2>&1 </dev/null
}
show_log() {
    echo "bootstrap: apt-get $1 failed; its last lines:" >&2
    tail -n 5 "$log" | sed 's/^/    /' >&2
}
# shellcheck disable=SC2086,SC2046 # lists of package names are split on purpose
install_missing() {
    wanted=$(missing_packages $required $optional)
    [ -n "$wanted" ] || return 0
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    echo "bootstrap: installing with apt-get:" $wanted
    apt_get update || show_log update
    wanted=$(available_packages $wanted)
    if [ -n "$wanted" ] && ! apt_get install --no-install-recommends $wanted; then
        show_log install
        # One package that cannot be had must not keep the required ones away.
        wanted=$(available_packages $(missing_packages $required))
        [ -z "$wanted" ] || apt_get install --no-install-recommends $wanted || show_log install
    fi
    libraries=$(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null || true)
    look
}

if [ "${GABLE_INSTALL:-yes}" = no ]; then
    why='GABLE_INSTALL=no forbids to install'
elif ! has apt-get || ! has dpkg-query; then
    why='this system has no apt-get'
elif ! find_rights; then
    why='installing needs root or sudo'
else
    why='apt-get did not provide them, or they do not work as installed'
    install_missing
fi
[ -n "$lacking" ] || exit 0

# ---- what could not be had -----------------------------------------------------------------------
{
    echo "bootstrap: missing ($why); by the names of Debian's packages:${lacking}"
    # shellcheck disable=SC2086 # one line of names
    echo "bootstrap: to install them:" sudo apt-get install --no-install-recommends $required $optional
    if [ -n "$required" ]; then
        echo "bootstrap: Gable cannot be built without the required ones; install them and try again"
        exit 1
    fi
    echo "bootstrap: going on without them; what needs them is left out or reported"
} >&2
