/* bench_request.h: what the command line of `gable bench` asks for.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_BENCH_REQUEST_H
#define TOOL_BENCH_REQUEST_H

#include "gable/case_request.h"
#include "bench.h"
#include "sparse_request.h"
#include "sweep.h"

#define BENCH_MAX_DEVICES 8

typedef enum bench_form { BENCH_TABLE, BENCH_JSON, BENCH_CSV } bench_form;

typedef struct bench_request {
    case_request cases; /* of sparse matrices: without ops */
    bool ladder;        /* each way of transposing in turn */
    sweep drawn;        /* cases drawn at random instead of those of sizes */
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
    sparse_request sparse; /* asked: of sparse matrices alone */
} bench_request;

/* Reads argv. Returns EXIT_DONE to go on, EXIT_USAGE after a sentence, -1 when help was given. */
int bench_request_read(int argc, char **argv, bench_request *asked);

/* Calls back with each case, in the order in which they are measured, until that says false. */
void bench_request_each(const bench_request *asked,
                        bool (*take)(void *user, const bench_case *what), void *user);

/* Whether it is for the ladder of gemm (ladder.h); that of transpose is rows like others. */
bool bench_request_climbs(const bench_request *asked);

#endif
