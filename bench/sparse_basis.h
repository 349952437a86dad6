/* sparse_basis.h: the orthogonalisation of a cycle of GMRES, alone: m + 1 columns of n elements.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A system (sparse_system.h) of the op BENCH_SPARSE_ORTHOGONALISE has such a basis and no matrix.
 * Columns are uniform in [-1, 1]; a run orthogonalises what the run before left, which is the same
 * work. Bytes are those of Gable's way, which reads the basis twice per step: m^2 + 6 m + 1
 * columns. cuBLAS's CGS2 reads it four times.
 */
#ifndef BENCH_SPARSE_BASIS_H
#define BENCH_SPARSE_BASIS_H

#include "operands.h"
#include "sparse/solver/gmres.h"

typedef struct bench_sparse_basis {
    gbl_gmres cycle; /* V and its leading dimension */
    gbl_arena_mark mark;
} bench_sparse_basis;

/* Of m columns of n elements; *bytes are those of one run. What was made before a failure is
 * freed like the rest. */
gable_status bench_basis_make(gable_context *ctx, gbl_dtype dtype, int64_t n, int64_t m,
                              bench_sparse_basis **basis, double *bytes);
void bench_basis_free(bench_sparse_basis *basis); /* or NULL */
gable_status bench_basis_run(bench_sparse_basis *basis);
/* Fills V again. */
gable_status bench_basis_refill(bench_sparse_basis *basis);
/* The largest element of I - V^H V over (8 sqrt n + 8 m) u, of m columns: all pairs of columns,
 * or some where that takes more than BENCH_BASIS_TERMS products. */
#define BENCH_BASIS_TERMS 4e9
gable_status bench_basis_check(bench_sparse_basis *basis, double *error);

/* The next number of [-1, 1], the same on every machine; sign_bits is 1 for as many negative as
 * positive ones, 3 for one negative number of four. */
double bench_sparse_number(uint64_t *state, uint64_t sign_bits);

#endif
