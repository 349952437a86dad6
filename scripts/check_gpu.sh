#!/bin/sh
# check_gpu.sh: what `make check-gpu` does: the suite, the sanitizer and the benchmarks on each GPU.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/check_gpu.sh
#
# ONLY picks parts by name (default: all): `tests` the suite on CUDA devices, `opencl` the suite on
# the GPUs of OpenCL, `sanitizer` compute-sanitizer's memcheck and racecheck over the tests labelled
# `sanitize`, `bench` the benchmarks. OUT is the folder that takes results (default:
# bench/results-<date>): <device>/<op>.jsonl, written row by row as it is measured, so that a run
# that is cut short keeps what it had. BENCH_OPS (default: all that the command knows), BENCH_SIZES,
# BENCH_COLUMN_SIZES (of the ops on several vectors at once), BENCH_MATRIX_SIZES (of those on a matrix),
# BENCH_BATCH_SIZES (of those on many), BENCH_GEMM_SIZES, BENCH_PRODUCT_SIZES (of the other products of matrices),
# BENCH_PRODUCTS_SIZES (of many products) and BENCH_PEERS change what is measured. Of sparse matrices: BENCH_SPARSE (the ops,
# default: all of them), BENCH_SPARSE_MATRICES, BENCH_SPARSE_FORMATS, BENCH_CG_MATRICES, BENCH_KRYLOV_MATRICES (of bicgstab
# and gmres), BENCH_BASIS_SIZES (of gmres_orthogonalise) and BENCH_SPARSE_PEERS.
#
# It installs nothing and builds into build-gpu/. Each part says what it took. On 16 cores, `tests` may take 6 minutes per GPU,
# `opencl` 8 and both tools of `sanitizer` together 10 (docs/testing.md): a part that took longer is named, and fails nothing.
set -eu
cd "$(dirname "$0")/.."

only=${ONLY:-tests opencl sanitizer bench}
for name in $only; do
    case $name in
    tests | opencl | sanitizer | bench) ;;
    *)
        echo "check-gpu: unknown part '$name' in ONLY; the parts are tests opencl sanitizer bench" >&2
        exit 2
        ;;
    esac
done
chosen() { case " $only " in *" $1 "*) true ;; *) false ;; esac; }

# A quick look before anything is built: the files of NVIDIA's driver, and of other GPUs.
has_gpu() {
    for file in /dev/nvidia[0-9]* /dev/nvidiactl /dev/dxg /dev/kfd /dev/dri/renderD*; do
        [ -e "$file" ] && return 0
    done
    nvidia-smi -L >/dev/null 2>&1
}
if ! has_gpu; then
    echo "check-gpu: this machine has no GPU that its driver shows; \`make check\` tests the rest" >&2
    exit 1
fi

folder=build-gpu
. scripts/parts.sh

# NVIDIA's OpenCL is often there without being registered; the loader then needs a file that names it.
# Copies of the registered ones stand beside it, so that nothing is hidden.
register_nvidia_opencl() {
    [ -z "${OCL_ICD_VENDORS:-}" ] || return 0
    if grep -qs nvidia /etc/OpenCL/vendors/*.icd; then return 0; fi
    for library in $(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null |
        sed -n 's/.*=> \(.*libnvidia-opencl\.so\.1\)$/\1/p') \
        /usr/local/nvidia/lib64/libnvidia-opencl.so.1 /usr/lib/*/libnvidia-opencl.so.1; do
        if [ -e "$library" ]; then
            OCL_ICD_VENDORS=$PWD/$folder/vendors
            export OCL_ICD_VENDORS
            mkdir -p "$OCL_ICD_VENDORS"
            cp /etc/OpenCL/vendors/*.icd "$OCL_ICD_VENDORS" 2>/dev/null || :
            echo "$library" >"$OCL_ICD_VENDORS/nvidia.icd"
            return 0
        fi
    done
}
register_nvidia_opencl

configure() { cmake --preset release -B "$folder" "$@"; }
build() { # the test programs only where a part runs them
    targets='all tests'
    if [ "$only" = bench ]; then targets=all; fi
    # shellcheck disable=SC2086 # one word or two
    configure '-DCMAKE_CROSSCOMPILING_EMULATOR=' && cmake --build "$folder" --parallel "$jobs" --target $targets &&
        cc -std=c11 -Iinclude scripts/list_gpus.c -o "$folder/list_gpus" -L"$folder" -lgable \
            -Wl,-rpath,"$PWD/$folder"
}
part 'build' build || {
    summary || exit 1
}

gpus=$("$folder/list_gpus" 2>"$logs/unusable.log" | tee "$logs/gpus.log" | cut -f1)
if [ -z "$gpus" ]; then
    echo "check-gpu: no GPU can be used:" >&2
    sed 's/^/    /' "$logs/unusable.log" >&2
    exit 1
fi
sed 's/^/check-gpu: found /' "$logs/gpus.log"

# Registers the tests for one device, optionally behind a command such as compute-sanitizer.
# GABLE_TEST_DEVICES and the emulator change only how tests are started: nothing is built again.
aim_tests() { # aim_tests DEVICE COMMAND
    configure "-DGABLE_TEST_DEVICES=$1" "-DCMAKE_CROSSCOMPILING_EMULATOR=$2" >"$logs/configure.log" 2>&1 ||
        { tail -n 20 "$logs/configure.log"; return 1; }
    grep -rqsF "GABLE_DEVICE=$1" "$folder/tests/CTestTestfile.cmake" || {
        echo "no test is registered with GABLE_DEVICE=$1"
        return 1
    }
}
# They share one GPU; most of their time is compilation. Side by side a test has a process for each precision.
most_at_once=$((jobs < 14 ? jobs : 14))
side_at_once=$((most_at_once < 4 ? most_at_once : (most_at_once + 1) / 2))
tests_at_once=$most_at_once

# within SECONDS WHAT STARTED: says it where a part took longer.
within() {
    took=$(($(date +%s) - $3))
    if [ "$took" -gt "$1" ]; then
        echo "check-gpu: over budget: $2 took $took s and may take $1"
    else
        echo "check-gpu: $2 took $took s of $1"
    fi
}
refuse() {
    cat "$1"
    return 1
}
suite_on() { # suite_on NAME DEVICE COMMAND CTEST_OPTIONS...
    suite_name=$1 suite_device=$2 suite_command=$3
    shift 3
    if aim_tests "$suite_device" "$suite_command" >"$logs/aim.log"; then
        suite "$suite_name" "$folder" -R '@' -LE '^long$' -j "$tests_at_once" "$@"
    else
        part "$suite_name" refuse "$logs/aim.log" || :
    fi
}

# As a CMake list, for the tool memcheck or racecheck. Errors of the API are not reported: the tests ask
# for more memory than there is, on purpose, and look at the status themselves.
sanitizer_command() {
    case $1 in
    memcheck) sanitizer_options=';--report-api-errors;no' ;;
    *) sanitizer_options= ;;
    esac
    echo "$sanitizer;--tool;$1$sanitizer_options;--error-exitcode;99;--require-cuda-init;no"
}
sanitizer=$(command -v compute-sanitizer || :)
for candidate in /usr/local/cuda*/bin/compute-sanitizer; do
    if [ -z "$sanitizer" ] && [ -x "$candidate" ]; then sanitizer=$candidate; fi
done
no_sanitizer() {
    echo "compute-sanitizer is not installed (it comes with the CUDA toolkit)"
    return 77
}

bench_ops() { "$folder/gable" help --list stems; }
bench_op() { # bench_op DEVICE OP: rows go to the file as they come, and to the log
    case $2 in
    mdot* | maxpy) bench_sizes=${BENCH_COLUMN_SIZES:-1000x8,1000000x8,1000000x50,10000000x50} ;;
    gemm_* | trsm_*) bench_sizes=${BENCH_PRODUCTS_SIZES:-4x100000,8x100000,16x100000,32x10000} ;;
    gemm) bench_sizes=${BENCH_GEMM_SIZES:-128,256,512,1024,2048,4096,8192,16384x32x16384} ;;
    gemmt | sy*k | he*k | symm | hemm | trmm | trsm) bench_sizes=${BENCH_PRODUCT_SIZES:-512,1024,2048,4096} ;;
    gemv_*) bench_sizes=${BENCH_BATCH_SIZES:-8x8x1000000,32x32x100000} ;;
    gemv | symv | hemv | ger* | syr* | her* | tr* | geam) bench_sizes=${BENCH_MATRIX_SIZES:-1024,4096,8192} ;;
    *) bench_sizes=${BENCH_SIZES:-1000,100000,10000000,100000000} ;;
    esac
    "$folder/gable" bench "$2" --device "$1" --prec sdcz --size "$bench_sizes" \
        --against "${BENCH_PEERS:-cublas,clblast}" --json >"$out/$device_folder/$2.jsonl" &&
        [ -s "$out/$device_folder/$2.jsonl" ] && cat "$out/$device_folder/$2.jsonl"
}

# bench_sparse DEVICE OP: likewise for sparse matrices. The file is named by the stem.
bench_sparse() {
    case $2 in
    sparse_mv) set -- "$@" --matrix "${BENCH_SPARSE_MATRICES:-laplace5:3000x3000,laplace7:256,laplace27:160,power:1e6}" \
        --format "${BENCH_SPARSE_FORMATS:-auto,csr,sell}" ;;
    cg) set -- "$@" --matrix "${BENCH_CG_MATRICES:-laplace5:256,laplace5:1024,laplace5:3000,laplace7:256}" \
        --form auto,standard,pipelined ;;
    gmres_orthogonalise) set -- "$@" --size "${BENCH_BASIS_SIZES:-1e6x30,1e7x30}" ;;
    *) set -- "$@" --matrix "${BENCH_KRYLOV_MATRICES:-laplace5:1024,convection7:100}" ;;
    esac
    sparse_device=$1 sparse_op=$2
    shift 2
    "$folder/gable" bench "$sparse_op" --device "$sparse_device" --prec d "$@" \
        --against "${BENCH_SPARSE_PEERS:-cusparse,cublas,cublas_dot,viennacl}" --json \
        >"$out/$device_folder/$sparse_op.jsonl" &&
        [ -s "$out/$device_folder/$sparse_op.jsonl" ] && cat "$out/$device_folder/$sparse_op.jsonl"
}

# ---- the parts -----------------------------------------------------------------------------------
for gpu in $gpus; do
    case $gpu in
    cuda:*) kind=tests ;;
    *) kind=opencl ;;
    esac
    if chosen "$kind"; then
        # Compilers work on one core per process: tests of routines have one for each precision.
        GABLE_TEST_SIDE_BY_SIDE=1
        export GABLE_TEST_SIDE_BY_SIDE
        tests_at_once=$side_at_once
        part_began=$(date +%s)
        suite_on "tests on $gpu" "$gpu" ''
        if [ "$kind" = tests ]; then within 360 "tests on $gpu" "$part_began"; else within 480 "tests on $gpu" "$part_began"; fi
        tests_at_once=$most_at_once
        unset GABLE_TEST_SIDE_BY_SIDE
    fi
done
if chosen sanitizer; then
    if [ -z "$sanitizer" ]; then
        part 'compute-sanitizer' no_sanitizer || :
    else
        for gpu in $gpus; do
            case $gpu in cuda:*) ;; *) continue ;; esac
            part_began=$(date +%s)
            GABLE_TEST_SMALL=1 # solvers have small systems
            export GABLE_TEST_SMALL
            # One part of each routine's test: a kernel runs many times slower under these tools.
            # racecheck takes the tests that launch kernels in new ways; recordings only repeat them. It
            # follows signals only where every lane arrives.
            for tool in memcheck:guards:sanitize racecheck:repeat:race; do
                tool_name=${tool%%:*} tool_rest=${tool#*:}
                GABLE_TEST_PART=${tool_rest%:*}
                export GABLE_TEST_PART
                if [ "$tool_name" = racecheck ]; then export GABLE_DEBUG=lanes; fi
                suite_on "$tool_name on $gpu" "$gpu" "$(sanitizer_command "$tool_name")" -L "^${tool_rest#*:}\$"
                unset GABLE_TEST_PART GABLE_DEBUG
            done
            unset GABLE_TEST_SMALL
            within 600 "sanitizers on $gpu" "$part_began"
        done
    fi
fi
if chosen bench; then
    out=${OUT:-bench/results-$(date +%Y-%m-%d)}
    ops=${BENCH_OPS:-$(bench_ops)}
    if [ -z "$ops" ]; then
        echo "check-gpu: \`gable bench\` does not tell its ops; name them in BENCH_OPS" >&2
        exit 1
    fi
    for gpu in $gpus; do
        device_folder=$(grep "^$gpu	" "$logs/gpus.log" | head -n 1 | tr 'A-Z\t' 'a-z-' | tr -cs 'a-z0-9\n' '-' |
            sed 's/-*$//')
        mkdir -p "$out/$device_folder"
        for op in $ops; do
            part "bench $op on $gpu" bench_op "$gpu" "$op" || :
        done
        for op in ${BENCH_SPARSE-sparse_mv cg bicgstab gmres gmres_orthogonalise}; do
            part "bench $op on $gpu" bench_sparse "$gpu" "$op" || :
        done
    done
    echo "check-gpu: results are in $out"
fi
summary
