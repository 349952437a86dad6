/* bench_request.h: what the command line of `gable bench` asks for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_BENCH_REQUEST_H
#define TOOL_BENCH_REQUEST_H

#include "gable/case_words.h"
#include "bench.h"
#include "sparse_request.h"

#define BENCH_MAX_DEVICES 8
#define BENCH_MAX_LETTERS 3 /* of a flag */

typedef enum bench_form { BENCH_TABLE, BENCH_JSON, BENCH_CSV } bench_form;

typedef struct bench_request {
    int op_count;
    bench_wanted ops[ARGS_MAX_WORDS];
    bench_sizes sizes[CASE_KINDS]; /* alike with --size */
    int trans_count;               /* 0: those that are usual for each op */
    case_trans trans[CASE_MAX_TRANS];
    int uplo_count;
    gable_uplo uplo[BENCH_MAX_LETTERS];
    int side_count;
    gable_side side[BENCH_MAX_LETTERS];
    int64_t offset; /* of matrices */
    int64_t pad;    /* further elements of lda */
    int beta;       /* of products */
    bool zeros;     /* data are zeros */
    int math;       /* of products: a gable_math */
    bool ladder;    /* each way of transposing in turn */
    int device_count;
    char devices[BENCH_MAX_DEVICES][64]; /* "" stands for the default */
    int peer_count;
    const bench_peer_kind *peers[BENCH_MAX_PEERS];
    const char *variant; /* NULL: none is forced */
    double seconds;
    bool hot;
    bool with_transfer; /* rows with operands that come from the host and go back */
    bool model_error;   /* predictions beside the times */
    bool save;          /* rows go to the data folder too */
    bench_form form;
    sparse_request sparse; /* asked: of sparse matrices alone; ops and sizes above are empty */
} bench_request;

/* Reads argv. Returns EXIT_DONE to go on, EXIT_USAGE after a sentence, -1 when help was given. */
int bench_request_read(int argc, char **argv, bench_request *asked);

/* Calls back with each case in order of ops, precisions, sides, triangles, transpositions and sizes, until that
 * says false. */
void bench_request_each(const bench_request *asked,
                        bool (*take)(void *user, const bench_case *what), void *user);

#endif
