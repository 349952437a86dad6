/* sparse_system.h: a sparse matrix and its vectors on a device, in several sets, for benchmarks.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Products rotate over as many sets as hold twice the last-level cache beside the one in use;
 * solvers have one. Vectors are uniform in [-1, 1]. Three signs of four are positive in x of
 * products, so that sums do not cancel, and one of two in b of systems.
 */
#ifndef BENCH_SPARSE_SYSTEM_H
#define BENCH_SPARSE_SYSTEM_H

#include "operands.h"
#include "gable/gable.h"
#include "sparse_named.h"

#define BENCH_SPARSE_SETS 64

typedef enum bench_sparse_op {
    BENCH_SPARSE_MV,
    BENCH_SPARSE_CG,
    BENCH_SPARSE_BICGSTAB,
    BENCH_SPARSE_GMRES,
    BENCH_SPARSE_ORTHOGONALISE, /* sparse_basis.h: the matrix is a shape alone, n x m */
    BENCH_SPARSE_OPS
} bench_sparse_op;
extern const char *const bench_sparse_op_names[BENCH_SPARSE_OPS]; /* "spmv", "cg" ... */

extern const char *const bench_format_names[6]; /* by gable_format: "auto", "csr" ... */

/* What is measured. */
typedef struct bench_sparse_case {
    bench_sparse_op op;
    gbl_dtype dtype;
    const bench_sparse_matrix *matrix;
    gable_format format; /* AUTO: the library's choice */
    gable_trans trans;   /* of products */
    const char *precond; /* of solvers: "none", "jacobi" ... */
    const char *form;    /* of cg: "auto", "standard" ... */
    int64_t restart;     /* of gmres */
} bench_sparse_case;

typedef struct bench_sparse_system {
    gable_context *ctx;
    const bench_sparse_case *what;
    int64_t sets;
    bool covers_cache;   /* the sets alone keep the operands cold */
    gable_format format; /* of A, never AUTO */
    gable_sparse
        *csr[BENCH_SPARSE_SETS]; /* for peers, in compressed rows; NULL beyond what they need */
    gable_sparse *A[BENCH_SPARSE_SETS]; /* in the format; may be csr itself */
    void *x[BENCH_SPARSE_SETS], *y[BENCH_SPARSE_SETS];
    int64_t x_length, y_length;
    double *host;                     /* x as doubles, two where complex: already rounded */
    double bytes;                     /* of one product */
    struct bench_sparse_basis *basis; /* of the orthogonalisation alone */
} bench_sparse_system;

/* keep_csr: peers want compressed rows beside another format. Where the matrix cannot have the
 * format: GABLE_NOT_SUPPORTED. */
gable_status bench_sparse_system_make(bench_sparse_system *system, gable_context *ctx,
                                      const bench_sparse_case *what, bool keep_csr);
void bench_sparse_system_free(bench_sparse_system *system);

/* y := op(A) x of a set, or the orthogonalisation, enqueued or recorded. */
gable_status bench_sparse_multiply(bench_sparse_system *system, int64_t set);

/* The variant that the library takes for it. */
const char *bench_sparse_variant(bench_sparse_system *system);

/* Fills y of a set with NaN, or the basis with what is to be orthogonalised. */
gable_status bench_sparse_poison(bench_sparse_system *system, int64_t set);

#endif
