#!/bin/sh
# check_layers_test.sh: scripts/check_layers.sh accepts a lawful tree and finds each planted offence.
# SPDX-License-Identifier: BSD-3-Clause
#
# Each case adds one file to a small lawful tree, or changes its map, and expects exactly one offence, at the planted line.
# shellcheck disable=SC2016 # backquotes are those of the map
set -eu
check=$(cd "$(dirname "$0")/.." && pwd)/scripts/check_layers.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cases=0 wrong=0

put() { # put FILE LINES...
    mkdir -p "$tree/$(dirname "$1")"
    file=$tree/$1
    shift
    printf '%s\n' "$@" >"$file"
}
lawful() {
    rm -rf "${tree:?}"/*
    put include/gable/gable.h '#include "gable/types.h"' '#include <stdint.h>' 'int printf(const char *);'
    put include/gable/types.h '/* a CUstream in a comment, which includes "nothing" */'
    put kernels/dialect.h '/* CL_DEVICE */'
    put kernels/dot_args.h '#include "dialect.h"'
    put kernels/level1/dot.cl '#include "dot_args.h"' 'KERNEL(dot, 1, 1, 1)' '{' '    BEGIN();' '}'
    put kernels/level1/map_kernel.h '(GLOBAL int *x)' '{' '    BEGIN();' '}'
    put kernels/level1/map.cl 'KERNEL(map, 1, 1, 1)' '#include "map_kernel.h"'
    put kernels/sm90/wide.cu '#include "dialect.h"'
    put src/device/device.h '#include "gable/types.h"'
    put src/device/cuda_api.h 'typedef struct CUctx_st *CUcontext;'
    put src/device/cuda.c '#include "device/cuda_api.h"' 'static CUcontext now;'
    put src/device/nvrtc.h 'int gbl_nvrtc;'
    put src/device/dtype.h 'int gbl_size;'
    put src/core/op.h 'int gbl_op;'
    put src/core/op.c '#include "device/dtype.h"' '#include "device/device.h"' \
        'int f(char *s) { return snprintf(s, 1, "exit(1) abort() cuInit clFinish"); } /* exit(1) */' \
        'int exit_code, my_printf(int); // puts("x")'
    put src/cpu/cpu_dot.c '#include "device/dtype.h"' '#include "device/device.h"'
    put src/tune/choose.h '#include "device/dtype.h"'
    put src/model/roof.h '#include "tune/choose.h"'
    put src/blas/level1/dot.c '#include "dot_args.h"' '#include "model/roof.h"' '#include <math.h>'
    put src/blas/dot.h '#include "gable/gable.h"'
    put src/lapack/getrf.c '#include "blas/dot.h"'
    put src/api/typed.c '#include "blas/dot.h"' '#include <gable/gable.h>'
    put tools/gable/command.h '#include "gable/gable.h"'
    put tools/gable/inspect.c '#include "device/nvrtc.h"' '#include "gable/command.h"' \
        '#include "peers/peer.h"' 'int g(void) { return printf("printing is fine here"); }'
    put bench/peers/peer.h '#include "device/device.h"'
    put bench/timing.c '#include "peers/peer.h"' '#include "device/dtype.h"'
    put tests/test_dot.c '#include "blas/dot.h"' '#include "device/cuda_api.h"'
    put bench/results/one/dot.jsonl x
    put bench/results/two/dot.jsonl x
    put tests/README.md x
    # Circles: one that is an exception, and one through an op, whose table names its variants.
    put src/core/context.c 'int gbl_open(void)' '{' '    return gbl_run();' '}'
    put src/core/launch.c 'int gbl_run(void)' '{' '    return gbl_open(); /* gbl_whole() */' '}'
    put src/blas/level3/mul.c 'const gbl_op gbl_mul_op = {gbl_mul_tile};' 'int gbl_mul(void)' '{' '}'
    put src/blas/level3/mul_tile.c 'int gbl_mul_tile(void)' '{' '    return gbl_mul() + gbl_mul_op;' '}'
    # Half of one.
    put src/blas/level3/half.c 'int gbl_whole(void);' 'int gbl_half(void)' '{' '    return gbl_whole();' '}'
    map
}
# The map names each file of src/ below its folder, a unit in one word.
map() {
    (cd "$tree" && find src -type f ! -name README.md) | sort | awk '
        { folder = $0; sub(/[^\/]*$/, "", folder); name = substr($0, length(folder) + 1) }
        folder != last { print "| **" substr(folder, 5) "** | x |" }
        { last = folder }
        name == "op.c" { print "| `op.c/.h` | x |"; next }
        name != "op.h" { print "| `" name "` | `not_a_file.c` |" }' >"$tree/src/README.md"
}
complain() {
    wrong=$((wrong + 1))
    echo "check_layers_test: $1"
    printf '%s\n' "$report" | sed 's/^/    /'
}

# expect FILE:LINE RULE: the check names FILE:LINE and the RULE, and nothing else.
expect() {
    cases=$((cases + 1))
    status=0
    report=$("$check" "$tree" 2>&1) || status=$?
    case $report in
    "$1: "*"$2"*) [ "$status" -eq 1 ] || complain "$1: the status is $status, not 1" ;;
    *) complain "$1: '$2' was not reported" ;;
    esac
    [ "$(printf '%s\n' "$report" | grep -c '^[a-z].*:[0-9]*: ')" -eq 1 ] ||
        complain "$1: not exactly one offence"
}
# plant FILE:LINE RULE TEXT...: TEXT becomes FILE.
plant() {
    where=$1 rule=$2
    shift 2
    lawful
    put "${where%:*}" "$@"
    map
    expect "$where" "$rule"
}
# plant_map FILE:LINE RULE SCRIPT: sed's SCRIPT changes the map.
plant_map() {
    lawful
    sed "$3" "$tree/src/README.md" >"$tree/map"
    mv "$tree/map" "$tree/src/README.md"
    expect "$1" "$2"
}

lawful
status=0
report=$("$check" "$tree" 2>&1) || status=$?
[ "$status$report" = 0 ] || complain "the lawful tree was refused"

# Layers.
plant src/device/up.c:1 'must not include "core/op.h"' '#include "core/op.h"'
plant src/core/up.c:2 'must not include "tune/choose.h"' '' '#include "tune/choose.h"'
plant src/core/up.c:1 'must not include "blas/dot.h"' '  #  include "blas/dot.h" /* first */'
plant src/cpu/up.c:1 'must not include "core/op.h"' '#include "core/op.h"'
plant src/tune/up.c:1 'must not include "blas/dot.h"' '#include "blas/dot.h"'
plant src/blas/up.c:1 'must not include "host/stage.h"' '#include "host/stage.h"'
plant src/blas/up.c:1 'must not include "sparse/market/market.h"' '#include "sparse/market/market.h"'
plant src/host/up.c:1 'must not include "api/' '#include "api/door.h"'
plant src/extra/new.c:1 'is no layer' '#include "device/dtype.h"'
plant src/blas/away.c:1 'include paths start at' '#include "../device/dtype.h"'
plant src/blas/lost.c:1 'is found under no folder' '#include "nowhere.h"'
plant src/blas/lost.c:1 'is found under no folder' '#include "bench/timing.h"'
plant include/gable/more.h:1 'include/ includes only itself' '#include "device/dtype.h"'
plant kernels/level1/axpy.cl:1 'nothing outside itself' '#include "device/dtype.h"'
plant kernels/level1/axpy.cl:1 'nothing outside itself' '#include <stdint.h>'
plant tools/gable/bench.c:1 'doors by the public headers' '#include "api/doors.h"'
plant bench/rows.c:1 'doors by the public headers' '#include "link/names.h"'
# Vendors.
plant src/core/vendor.c:1 'only src/device knows a vendor' '#include "device/cuda_api.h"'
plant tools/gable/vendor.c:1 'only src/device knows a vendor' '#include "device/opencl_api.h"'
plant bench/vendor.c:1 'only src/device knows a vendor' '#include "device/nvrtc.h"'
plant src/device/vendor.c:1 'header of a vendor' '#include <CL/cl.h>'
plant tests/vendor.c:1 'header of a vendor' '#include <cuda_runtime.h>'
plant src/core/vendor.c:1 'names of CUDA or OpenCL' 'static CUstream s;'
plant src/core/vendor.c:2 'names of CUDA or OpenCL' '/*' '*/ int n = sizeof(cl_mem);'
plant src/blas/vendor.c:1 'names of CUDA or OpenCL' 'int f(void) { return cublasDdot(); }'
# Kernels wait for earlier launches.
plant kernels/late.cl:1 'lacks BEGIN()' 'KERNEL(late, 1, 1, 1)' '{' '    /* BEGIN(); */' '}'
plant kernels/late.cl:1 'lacks BEGIN()' '    KERNEL(op, 1, 1, 1)' '{}' 'KERNEL(b, 1, 1, 1)' '{ BEGIN(); }'
plant kernels/late_kernel.h:1 'lacks BEGIN()' '(GLOBAL int *x)' '{' '}'
# Printing and ending.
plant src/core/loud.c:1 'process: printf' 'int f(void) { return printf("x"); }'
plant src/core/loud.c:1 'process: fprintf' 'int f(void) { return "a\"b" && fprintf (stderr, "x"); }'
plant src/device/loud.c:3 'process: perror' '/* puts("x")' 'exit(1) */' 'void f(void) { perror("x"); }'
plant src/core/ends.c:1 'process: abort' 'void f(void) { (void)0;abort(); }'
plant src/core/ends.c:1 'process: exit' 'void f(void) {exit(1); }'
# Names, size, notes.
plant tests/dot.c:1 'the file name is taken by src/blas/level1/dot.c' 'int x;'
plant tools/gable/types.h:1 'the file name is taken by include/gable/types.h' 'int x;'
plant src/core/note.c:2 'notes of work left over' 'int x;' "/* TO""DO: finish */"
plant tests/note.sh:1 'notes of work left over' "# FIX""ME"
plant kernels/note.h:1 'notes of work left over' "/* X""XX */"
# shellcheck disable=SC2046 # 601 words are 601 lines
plant src/core/long.c:601 'past 600 lines' $(seq -f 'x%.0f;' 601)

# Circles of files.
plant src/blas/level3/again.c:3 'circle: src/blas/level3/' 'int gbl_whole(void)' '{' '    return gbl_half();' '}'
plant src/blas/again.c:5 'circle: src/blas/' 'const int gbl_whole[2][3] = {1};' '/* gbl_half() */' \
    'static int use(void)' '{' '    return gbl_half();' '}'
plant src/blas/level3/again.c:2 'circle: src/blas/level3/' 'int gbl_whole(int a,' '    int b) { return gbl_half(); }'

# The map. Its first rows are those of api/, with one file, and of blas/.
plant_map src/api/typed.c:1 'stands in no line of src/README.md' '2d'
plant_map src/README.md:3 'src/api/typed.c stands in line 2, too' '2p'
plant_map src/README.md:2 'there is no file src/api/typed/typed.c' '2s/typed.c/typed.c` `typed\/typed.c/'
plant_map src/README.md:3 'there is no file src/api/lost.c' '2a | `lost.c` | x |'
plant_map src/core/op.h:1 'stands in no line of src/README.md' 's/`op.c\/.h`/`op.c`/'
plant_map src/blas/dot.h:1 'stands in no line of src/README.md' '/`dot.h`/d'
# A file in another room than the map says, and no map.
lawful
sed 's/^| \*\*blas\/level1\/\*\*.*//' "$tree/src/README.md" >"$tree/map"
mv "$tree/map" "$tree/src/README.md"
report=$("$check" "$tree" 2>&1) && complain "a room without its row was accepted"
case $report in
*'there is no file src/blas/dot.c'*) ;;
*) complain "a file is found without its room" ;;
esac
lawful
rm "$tree/src/README.md"
expect src/README.md:1 'the map of src/ is missing'

# Exactly 600 lines are lawful, and a folder without src/ is a mistake of the caller.
lawful
# shellcheck disable=SC2046
put src/core/long.c $(seq -f 'x%.0f;' 600)
map
report=$("$check" "$tree" 2>&1) || complain "600 lines were refused"
status=0
report=$("$check" "$tree/include" 2>&1) || status=$?
[ "$status" -eq 2 ] || complain "a folder without src/ gave the status $status, not 2"

echo "check_layers_test: $cases planted offences, $wrong wrong answers"
[ "$wrong" -eq 0 ]
