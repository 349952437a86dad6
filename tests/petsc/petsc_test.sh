#!/bin/sh
# petsc_test.sh: PETSc programs with and without the plugin, on 1, 2 and 4 ranks.
# SPDX-License-Identifier: BSD-3-Clause
#
#   petsc_test.sh BUILD DEVICE
#
# Each program prints its iterations and the error of x against a solution that is known. The matrix types must take
# PETSc's iterations, the solver types 5 % of them or 1 more or less. Where mpirun is missing the status is 77.
set -eu
build=$1 device=$2
plugin=$build/libgable_petsc.so
export OMP_NUM_THREADS=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
command -v mpirun >/dev/null || {
    echo "skipped: mpirun is not installed (Debian: openmpi-bin)"
    case ",${GABLE_REQUIRE:-}," in
    *,petsc,*) exit 1 ;;
    esac
    exit 77
}
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
with="-dll_append $plugin -gable_device $device"
size=${GABLE_PETSC_SIZE:-30}

run() { # ranks, program, options
    ranks=$1 program=$2
    shift 2
    # shellcheck disable=SC2086 # one word or none
    if [ "$ranks" = 1 ]; then
        "$build/$program" "$@" >"$work/out" 2>&1
    else
        mpirun $(root) --oversubscribe -np "$ranks" "$build/$program" "$@" >"$work/out" 2>&1
    fi
}
root() { [ "$(id -u)" -ne 0 ] || echo --allow-run-as-root; }
word() { sed -n "s/^result.* $1 \([^ ]*\).*/\1/p" "$work/out"; }
iterations() { sed -n 's/^result \([0-9]*\) .*/\1/p' "$work/out"; }
# below A B: of two numbers; one that is missing or NaN is not below.
below() { awk -v a="${1:-nan}" -v b="$2" 'BEGIN { exit !(a ~ /^[0-9.e+-]+$/ && a + 0 <= b + 0) }'; }

# same RANKS TOLERANCE 'OPTIONS OF BOTH' 'PETSc ALONE' 'WITH THE PLUGIN': TOLERANCE of the iterations, in percent.
same() {
    # shellcheck disable=SC2086 # options are words
    run "$1" petsc_program -n "$size" $3 $4 || {
        fail "PETSc alone on $1 ranks, $3 $4: $(tail -n 1 "$work/out")"
        return
    }
    wanted=$(iterations)
    # shellcheck disable=SC2086
    run "$1" petsc_program -n "$size" $with $3 $5 || {
        fail "$1 ranks, $3 $5: $(grep -m 1 -A 1 -i 'error message' "$work/out" | tail -n 1)"
        return
    }
    got=$(iterations)
    awk -v a="$got" -v b="$wanted" -v t="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(b > 0 && d <= (t > 0 ? 1 : 0) + t * b / 100) }' ||
        fail "$1 ranks, $3 $5: $got iterations, PETSc takes $wanted"
    below "$(word error)" 1e-8 || fail "$1 ranks, $3 $5: x is off by $(word error)" # condition 1e3 times rtol 1e-10
    below "$(word products)" 1e-14 || fail "$1 ranks, $3 $5: products are off by $(word products)"
    [ "$(word reason)" -gt 0 ] || fail "$1 ranks, $3 $5: reason $(word reason)"
}

# ---- matrices: PETSc's solvers over them ----
for ranks in 1 2 4; do
    same $ranks 0 '-ksp_type cg -pc_type bjacobi' '' '-mat_type aijgable'
    same $ranks 0 '-ksp_type cg -pc_type bjacobi' '' '-mat_type aijgable -preallocated'
    same $ranks 0 '-ksp_type cg -pc_type bjacobi' '-sub_pc_type jacobi' '-sub_pc_type gable -mat_type aijgable'
    [ $ranks != 4 ] || continue
    same $ranks 0 '-ksp_type cg -pc_type jacobi -steps 3' '' '-mat_type mpiaijgable'
    same $ranks 0 '-ksp_type bcgs -case convection -pc_type jacobi' '-mat_type mpiaij' '-mat_type mpiaij -mat_seqaij_type seqaijgable'
    same $ranks 0 '-ksp_type cg -pc_type bjacobi' '' '-mat_seqaij_type seqaijgable -preallocated'
    same $ranks 0 '-ksp_type gmres -case convection -pc_type asm' '-sub_pc_type jacobi' '-sub_pc_type gable'
done
same 1 0 '-ksp_type cg -pc_type jacobi' '' '-mat_type aijgable -mat_gable_format ell'
same 1 0 '-ksp_type cg -pc_type jacobi' '' '-pc_type gable'

# ---- whole solves ----
plain='-ksp_norm_type unpreconditioned'
for pc in none jacobi icc gamg; do
    same 1 5 "-pc_type $pc -steps 2" "-ksp_type cg $plain" '-ksp_type gablecg'
done
same 1 5 '-pc_type jacobi -case neumann' "-ksp_type cg $plain" '-ksp_type gablecg'
same 1 5 '-pc_type gamg -case neumann' "-ksp_type cg $plain" '-ksp_type gablecg'
same 1 5 '-pc_type bjacobi -pc_bjacobi_local_blocks 90 -sub_pc_type lu' "-ksp_type cg $plain" '-ksp_type gablecg'
same 1 5 '-pc_type jacobi -ksp_initial_guess_nonzero' "-ksp_type cg $plain" '-ksp_type gablecg -mat_type aijgable'
same 1 5 '-pc_type jacobi -case convection -steps 2' '-ksp_type bcgs -ksp_pc_side right' '-ksp_type gablebcgs'
same 1 5 '-pc_type ilu -case convection' '-ksp_type bcgs -ksp_pc_side right' '-ksp_type gablebcgs'
same 1 5 '-pc_type none -case convection -ksp_gmres_restart 10' '-ksp_type gmres -ksp_pc_side right' '-ksp_type gablegmres'
same 1 5 '-pc_type ilu -case convection' '-ksp_type gmres -ksp_pc_side right' '-ksp_type gablegmres'

# ---- whose factors ----
whose() { # who, options
    who=$1
    shift
    # shellcheck disable=SC2086
    run 1 petsc_program -n "$size" $with "$@" -ksp_view || fail "$*: $(tail -n 1 "$work/out")"
    grep -q "Gable: .* preconditioner .*($who)" "$work/out" || fail "$*: the factors are not $who"
}
whose 'factored by Gable' -ksp_type gablecg -pc_type icc
whose 'factored by Gable' -ksp_type gablegmres -pc_type ilu -case convection
whose 'factored by Gable' -ksp_type gablebcgs -pc_type gable -pc_gable_options precond=ilu0 -case convection
whose "PETSc's PC, called back" -ksp_type gablecg -pc_type icc -pc_factor_levels 1
whose "PETSc's PC, called back" -ksp_type gablegmres -pc_type ilu -pc_factor_mat_ordering_type rcm
whose "PETSc's PC, called back" -ksp_type gablegmres -pc_type ilu -pc_factor_shift_type nonzero
same 1 0 '-ksp_type gmres -case convection' '-pc_type ilu' '-pc_type gable -pc_gable_options precond=ilu0'
same 2 0 '-ksp_type gmres -case convection -pc_type bjacobi' '-sub_pc_type ilu' '-sub_pc_type gable -sub_pc_gable_options precond=ilu0'
same 2 0 '-ksp_type cg -pc_type bjacobi' '-sub_pc_type icc' '-sub_pc_type gable -sub_pc_gable_options precond=ic0'

# ---- made once for each matrix ----
made() { # how often, what, options
    times=$1 what=$2
    shift 2
    GABLE_PROFILE=summary run 1 petsc_program -n "$size" $with "$@" || fail "$*: $(tail -n 1 "$work/out")"
    got=$(awk -v w="$what" '$1 == w { print $2 }' "$work/out")
    [ "$got" = "$times" ] || fail "$*: $what was run ${got:-0} times, not $times"
}
made 2 dilu0_factor -ksp_type gablegmres -pc_type ilu -case convection -steps 2 -again 3
made 2 dic0_factor -ksp_type gablecg -pc_type jacobi -ksp_gable_options precond=ic0 -steps 2 -again 3
made 2 dblock_inverse -ksp_type gablecg -pc_type jacobi -ksp_gable_options precond=block,block=8 -steps 2 -again 3
made 2 djacobi_inverse -ksp_type gablecg -pc_type jacobi -steps 2 -again 3
made 2 dilu0_factor -ksp_type gmres -pc_type gable -pc_gable_options precond=ilu0 -case convection -steps 2 -again 3

# ---- by the environment alone ----
if PETSC_OPTIONS="$with -ksp_type gablecg -pc_type jacobi" run 1 petsc_program -n "$size" &&
    PETSC_OPTIONS="$with -ksp_type gablecg -pc_type jacobi -ksp_view -log_view -mat_type aijgable" run 1 petsc_program -n "$size"; then
    grep -q 'Gable: cg.*on .*format' "$work/out" || fail "-ksp_view says nothing of Gable"
    grep -q 'Gable: .*, format .*bytes' "$work/out" || fail "the view of the matrix says nothing of Gable"
    grep -q '^GableSolve ' "$work/out" || fail "-log_view has no event GableSolve"
else
    fail "PETSC_OPTIONS: $(tail -n 1 "$work/out")"
fi
if PETSC_OPTIONS="$with -malloc_dump -ksp_type gablecg -pc_type icc -steps 2 -mat_type aijgable" run 1 petsc_program -n "$size"; then
    [ "$(wc -l <"$work/out")" = 1 ] || fail "-malloc_dump: $(sed -n 2p "$work/out")"
else
    fail "-malloc_dump: $(tail -n 1 "$work/out")"
fi

# ---- what is refused, by PETSc's errors ----
refuses() { # ranks, a piece of the sentence, options
    ranks=$1 piece=$2
    shift 2
    # shellcheck disable=SC2086
    if run "$ranks" petsc_program -n 10 -dll_append "$plugin" "$@"; then
        fail "not refused: $*"
    elif ! grep -q -e "$piece" "$work/out"; then
        fail "$*: no word of '$piece'"
    elif grep -q -i 'segmentation' "$work/out"; then
        fail "$*: it crashed"
    fi
}
refuses 2 'solves on one rank, and these are 2' -gable_device "$device" -ksp_type gablecg
refuses 2 'bjacobi -sub_pc_type gable' -gable_device "$device" -ksp_type cg -pc_type gable
refuses 1 'does not support norm type PRECONDITIONED' -gable_device "$device" -ksp_type gablecg -ksp_norm_type preconditioned
refuses 1 'unknown word' -gable_device "$device" -ksp_type gablecg -ksp_gable_options pre=ilu
refuses 1 'must be auto, csr' -gable_device "$device" -mat_type aijgable -mat_gable_format foo
refuses 1 'cannot open the device' -gable_device opencl:nowhere -ksp_type gablecg

# ---- another PETSc than the plugin was built for ----
cat >"$work/other.c" <<'C'
#include <stdio.h>
#include <string.h>
int PetscGetVersion(char *text, size_t bytes) { return snprintf(text, bytes, "Petsc Release Version 3.99.0"), 0; }
C
cat >"$work/wide.c" <<'C'
#include <string.h>
/* Scalars are PETSC_COMPLEX (2) there, indices PETSC_INT (16). */
int PetscDataTypeFromString(const char *name, int *type, int *found) { *found = 1; *type = strcmp(name, "int") == 0 ? 16 : 2; return 0; }
C
for kind in other wide; do
    "${CC:-cc}" -shared -fPIC -o "$work/$kind.so" "$work/$kind.c"
done
export LD_PRELOAD="$work/other.so"
refuses 1 'cannot serve PETSc 3.99'
export LD_PRELOAD="$work/wide.so"
refuses 1 'this PETSc has complex scalars'
unset LD_PRELOAD

# ---- objects ----
objects() { # ranks, program
    # shellcheck disable=SC2086
    run "$1" "$2" $with -file "$work/matrix" || {
        fail "$2 on $1 ranks:"
        grep -m 5 -e FAILED -e 'ERROR: [A-Z]' -e 'free()' "$work/out" || tail -n 3 "$work/out"
    }
}
for program in petsc_matrices petsc_solves petsc_failures; do
    objects 1 $program
done
for ranks in 1 2 4; do
    objects $ranks petsc_ranks
done
if ldd "$plugin" | grep -q -e libpetsc -e libmpi; then
    fail "the plugin needs a PETSc or an MPI of its own"
fi
if command -v readelf >/dev/null && ! readelf -d "$plugin" | grep -q NODELETE; then
    fail "PetscFinalize unloads the plugin: each PetscInitialize then leaves tables of libgable behind"
fi
echo "petsc_test.sh: $failures failures on $device"
[ "$failures" -eq 0 ]
