/* sparse_request.h: what the command line of `gable bench` asks for of sparse matrices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The words spmv, cg, bicgstab, gmres and gmres_orthogonalise. spmv is also a routine of packed
 * matrices: with --matrix, a word that ends in .mtx or another word of these it means the product
 * with a sparse matrix. sparse_mv always does.
 */
#ifndef TOOL_SPARSE_REQUEST_H
#define TOOL_SPARSE_REQUEST_H

#include "gable/case_request.h"
#include "sparse_system.h"

#define SPARSE_MAX_MATRICES 32
#define SPARSE_MAX_RESTART  1000

/* Words of options. */
#define SPARSE_FORMAT_WORDS  "auto, csr, coo, ell, sell, hyb"
#define SPARSE_PRECOND_WORDS "auto, none, jacobi, block, ilu0, ic0"
#define SPARSE_FORM_WORDS    "auto, standard, pipelined, persistent"
/* What holds without options, in a request before it is read: places in these words. */
#define SPARSE_RESTART 30
#define SPARSE_USUAL                                                                               \
    {                                                                                              \
        .format = {.count = 1}, .precond = {.count = 1, .place = {1}}, .form = {.count = 1},       \
        .restart = SPARSE_RESTART                                                                  \
    }

typedef struct sparse_request {
    bool asked; /* sparse matrices are meant */
    int op_count;
    bench_sparse_op ops[BENCH_SPARSE_OPS];
    const char *matrix; /* of --matrix, as typed */
    int matrix_count;
    char matrices[SPARSE_MAX_MATRICES][256];
    args_list format, precond, form; /* places in the words above */
    int64_t restart;
    unsigned dtypes;
    case_trans_list trans;
    bench_sizes sizes; /* of gmres_orthogonalise: n and m */
} sparse_request;

/* Whether the words are of sparse matrices. */
bool sparse_request_meant(const args_words *words, const sparse_request *request);
/* Completes what the options put into the two. Returns EXIT_DONE to go on, EXIT_USAGE after a
 * sentence. */
int sparse_request_read(const args_words *words, case_request *cases, sparse_request *request);
/* "spmv, cg, bicgstab, gmres, gmres_orthogonalise" */
extern const char sparse_request_names[];

/* Calls back with each case, in order of matrices, ops, precisions and options, until that says
 * false. `make`: matrices are made or read, one at a time; else they have only names. What
 * cannot be made goes to `fail`, and the next one follows. */
void sparse_request_each(const sparse_request *request, bool make,
                         bool (*take)(void *user, const bench_sparse_case *what),
                         void (*fail)(void *user, const char *why), void *user);

#endif
