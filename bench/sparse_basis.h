/* sparse_basis.h: the orthogonalisation of a cycle of GMRES, alone: m + 1 columns of n elements.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of sparse_system.h: a system of the op BENCH_SPARSE_ORTHOGONALISE has such a basis and no matrix. Columns are
 * uniform in [-1, 1]; a run orthogonalises what the run before left, which is the same work. Bytes are those of Gable's way,
 * which reads the basis twice per step: m^2 + 6 m + 1 columns. cuBLAS's CGS2 reads it four times.
 */
#ifndef BENCH_SPARSE_BASIS_H
#define BENCH_SPARSE_BASIS_H

#include "sparse/solver/gmres.h"
#include "sparse_system.h"

struct bench_sparse_basis {
    gbl_gmres cycle; /* V and its leading dimension */
    gbl_arena_mark mark;
};

gable_status bench_basis_make(bench_sparse_system *system);
void bench_basis_free(bench_sparse_system *system);
gable_status bench_basis_run(bench_sparse_system *system);
/* Fills V again. */
gable_status bench_basis_refill(bench_sparse_system *system);
/* The largest element of I - V^H V over (8 sqrt n + 8 m) u, of m columns: all pairs of columns, or some where that takes
 * more than BENCH_BASIS_TERMS products. */
#define BENCH_BASIS_TERMS 4e9
gable_status bench_basis_check(bench_sparse_system *system, double *error);

#endif
