#!/bin/sh
# tool_doctor_test.sh: `gable doctor` names what is wrong and the command that fixes it.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_doctor_test.sh GABLE JSON_LINES CRASHING_LIBRARY SLOW_BLAS
#
# Faults are provoked: files of OpenCL's vendors, the folder of compiled kernels, the BLAS. What the
# machine itself lacks is not judged, except that exit code and text agree.
# shellcheck source=tests/tool/tool_test.sh
. "$(dirname "$0")/tool_test.sh"
gable=$1
json_lines=$2
crashing=$3
slow=$4
unset GABLE_DEVICE GABLE_BLAS GABLE_VARIANT OCL_ICD_VENDORS OPENCL_VENDOR_PATH OCL_ICD_FILENAMES
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
mkdir "$work/cache" "$work/none"

# doctor ARGUMENTS: its words on one line in $work/text, its findings in $work/out; the exit code and
# what it counts must agree with them. Wrapped lines are joined, so that sentences can be looked for.
doctor() {
    "$gable" doctor "$@" >"$work/out" 2>"$work/err"
    code=$?
    [ ! -s "$work/err" ] || fail "doctor $*: says on the standard error: $(cat "$work/err")"
    tr '\n' ' ' <"$work/out" | tr -s ' ' >"$work/text"
    problems=$(grep -c '^problem ' "$work/out")
    if [ "$problems" -eq 0 ]; then
        [ "$code" -eq 0 ] || fail "doctor $*: exit code $code without a problem"
        grep -q '^nothing is wrong, ' "$work/out" || fail "doctor $*: no last line"
    else
        [ "$code" -eq 1 ] || fail "doctor $*: exit code $code with a problem"
        grep -Eq "^$problems problems?, " "$work/out" || fail "doctor $*: no last line"
    fi
}

says() { grep -qF -e "$1" "$work/text" || fail "$2: does not say \"$1\" but: $(cat "$work/text")"; }
never_says() { if grep -qF -e "$1" "$work/text"; then fail "$2: says \"$1\""; fi; }

# ---- as the machine is ------------------------------------------------------------------------------
doctor --device cpu
for check in 'CUDA driver' NVRTC cuBLAS BLAS 'kernel cache' permissions 'default device' 'smoke test'; do
    grep -Eq "^(ok|note|problem) +($check|cuda:0)" "$work/out" || fail "doctor does not check $check"
done
says "$work/cache/gable/kernels will be made when it is needed" 'an empty cache folder'
[ ! -e "$work/cache/gable" ] || fail "doctor leaves the folder it tried to make"
says 'cpu: daxpy and ddot are right' 'the smoke test'
own=$problems
if [ -e "$(dirname "$gable")/libgable_petsc.so" ]; then
    says 'libgable_petsc.so -ksp_type gablecg' 'the plugin for PETSc'
fi

# ---- a broken OpenCL vendor file ----------------------------------------------------------------------
if grep -q '^ok  *OpenCL loader' "$work/out"; then
    mkdir "$work/vendors"
    echo 'libfrobnicate.so.7' >"$work/vendors/broken.icd"
    printf '  \n' >"$work/vendors/empty.icd"
    echo 'not looked at' >"$work/vendors/readme.txt"
    for icd in /etc/OpenCL/vendors/*.icd; do
        [ ! -e "$icd" ] || cp "$icd" "$work/vendors/good.icd"
    done
    OCL_ICD_VENDORS=$work/vendors
    export OCL_ICD_VENDORS
    doctor --device cpu
    [ "$problems" -ge 2 ] || fail "two broken vendor files give $problems problems"
    says "$work/vendors/broken.icd names libfrobnicate.so.7, which cannot be loaded" 'a broken .icd'
    says "fix it: rm $work/vendors/broken.icd" 'a broken .icd'
    says "$work/vendors/empty.icd is empty" 'an empty .icd'
    never_says 'readme.txt' 'a file that is no .icd'
    [ ! -e "$work/vendors/good.icd" ] || says "$work/vendors/good.icd names" 'a good .icd beside them'

    # One file by its own path; a library named by the variable itself.
    OCL_ICD_VENDORS=$work/vendors/broken.icd doctor --device cpu
    says 'broken.icd names libfrobnicate.so.7, which cannot' 'OCL_ICD_VENDORS naming a file'
    OCL_ICD_VENDORS=libfrobnicate.so.7 doctor --device cpu
    says 'unset OCL_ICD_VENDORS' 'OCL_ICD_VENDORS naming a library'

    # A library that kills whoever loads it is named, and the rest is still checked.
    OCL_ICD_VENDORS=$work/crash
    mkdir "$work/crash"
    echo "$crashing" >"$work/crash/killer.icd"
    doctor
    [ "$code" -eq 1 ] || fail "a crashing vendor: exit code $code"
    says "killer.icd names $crashing, which crashes when it is loaded (signal 9)" 'a crashing vendor'
    says 'cpu: daxpy and ddot are right' 'a crashing vendor'
    OCL_ICD_VENDORS=$work/none
    doctor --device cpu
    [ "$problems" -le "$own" ] || fail "no vendor at all is a problem: $(cat "$work/out")"
    says 'apt-get install pocl-opencl-icd' 'no vendor at all'
else
    echo "vendor files were not checked: there is no OpenCL loader"
    OCL_ICD_VENDORS=$work/none
    export OCL_ICD_VENDORS
fi
# From here on without OpenCL: PoCL has problems of its own with such folders.

# ---- a cache that cannot be written; root could write anywhere but below a file ---------------------------
: >"$work/file"
XDG_CACHE_HOME=$work/file doctor --device cpu
[ "$code" -eq 1 ] || fail "a cache below a file: exit code $code"
says "$work/file/gable/kernels cannot be made: $work/file is a file, not a folder" 'a cache below a file'
says 'fix it: export XDG_CACHE_HOME=' 'a cache below a file'
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$work/closed"
    chmod a-w "$work/closed"
    XDG_CACHE_HOME=$work/closed doctor --device cpu
    says "fix it: chmod u+rwx $work/closed" 'a cache without permission'
    chmod u+w "$work/closed"
fi
mkdir -p "$work/cache/gable/kernels"
echo 'no kernel' >"$work/cache/gable/kernels/0123"
doctor --device cpu
says '1 file in it cannot be used' 'a bad file in the cache'
says "fix it: rm $work/cache/gable/kernels/0123" 'a bad file in the cache'
rm "$work/cache/gable/kernels/0123"
doctor --device cpu
says "$work/cache/gable/kernels can be written; 0 kernels" 'a fixed cache'

# ---- no BLAS ----------------------------------------------------------------------------------------
GABLE_BLAS=/nowhere/libblas.so doctor --device cpu
[ "$code" -eq 1 ] || fail "no BLAS: exit code $code"
says 'GABLE_BLAS is "/nowhere/libblas.so"' 'no BLAS'
says 'fix it: unset GABLE_BLAS' 'no BLAS'

# ---- a slow BLAS --------------------------------------------------------------------------------------
GABLE_BLAS=$slow doctor --device cpu
says 'is slow: a product of order 40 takes it' 'a slow BLAS'
says 'fix it: unset GABLE_BLAS' 'a slow BLAS'
GABLE_BLAS=$slow "$gable" explain dgemm 64 --device cpu --no-measure | tr -s '\n ' ' ' >"$work/text"
says 'variant omp_first' 'explain with a slow BLAS'
says 'plan own code, as it is faster than the BLAS' 'explain with a slow BLAS'

# ---- a device that is not there; wrong default ---------------------------------------------------------
doctor --device frobnicate
[ "$code" -eq 1 ] || fail "no such device: exit code $code"
says 'there is no device "frobnicate"' 'no such device'
GABLE_DEVICE=frobnicate doctor --device cpu
says 'fix it: unset GABLE_DEVICE' 'a wrong GABLE_DEVICE'

# ---- JSON --------------------------------------------------------------------------------------------
GABLE_BLAS=/nowhere "$gable" doctor --device cpu --json >"$work/json"
[ $? -eq 1 ] || fail "doctor --json does not fail without a BLAS"
"$json_lines" <"$work/json" >"$work/values" || fail "doctor --json: $(cat "$work/values")"
grep -q '^1 checks\.[0-9]*\.check BLAS$' "$work/values" || fail "doctor --json has no check of BLAS"
grep -q '^1 checks\.[0-9]*\.mend unset GABLE_BLAS$' "$work/values" || fail "doctor --json has no mend"
grep -Eq '^1 problems [1-9]' "$work/values" || fail "doctor --json counts no problem"
"$gable" doctor --device cpu --color always | grep -q "$(printf '\033')\[3[123]m" || fail "--color always has no colours"
"$gable" doctor --device cpu | grep -q "$(printf '\033')" && fail "colours without a terminal"

[ "$failures" -eq 0 ] || exit 1
