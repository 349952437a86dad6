/* peer.h: another library that computes the same, behind one interface.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Two sorts. A peer with `run` enqueues its call on a context of Gable's, as a task that can be
 * recorded, and is then timed exactly like Gable. A peer with `load` and `time` keeps memory, queue
 * and clock of its own. Libraries are found at run time; a peer that is missing says why.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "operands.h"
#include "transfer.h"

typedef struct bench_peer bench_peer;

typedef struct bench_peer_kind {
    const char *name;  /* "openblas": for --against and for columns */
    const char *where; /* "the cpu": the devices it belongs beside, for notes */

    /* Whether its times belong beside those of this device. */
    bool (*suits)(const gable_context *ctx);
    /* Opens the library; peer->ctx is the benchmark's context and may be exchanged for one of the
     * peer's own. Fills peer->version. On failure the message says why, and what to do. */
    gable_status (*open)(bench_peer *peer, gbl_message *message);
    void (*close)(bench_peer *peer);
    bool (*supports)(const bench_peer *peer, const bench_case *what);
    /* How many threads of the host it takes from now on; 0: asks only. Returns how many it took
     * before. NULL: it has none, or cannot be told. */
    int (*threads)(int count);

    /* Enqueues or records one call on peer->ctx. NULL for the other sort. */
    gable_status (*run)(bench_peer *peer, const bench_op *op, const bench_call *call);

    bool waits; /* such a call waits for the host, so that it is timed alone and not recorded */
    bool narrow_pivots; /* it leaves pivots of 32 bits where Gable's have 64 */

    /* Copies of the operands, as many sets; unload frees them. */
    gable_status (*load)(bench_peer *peer, const bench_operands *operands, gbl_message *message);
    void (*unload)(bench_peer *peer);
    /* Seconds that `calls` calls take, the first on set `first`, waiting for the last. */
    gable_status (*time)(bench_peer *peer, int64_t first, int64_t calls, double *seconds,
                         gbl_message *message);
    /* Seconds of a call whose operands come from the host and whose result goes back there. */
    gable_status (*time_transfer)(bench_peer *peer, const bench_transfer *transfer, double *seconds,
                                  gbl_message *message);
    /* Restores set 0, makes the call once and lets bench_check read from it. */
    gable_status (*check)(bench_peer *peer, double *error, gbl_message *message);

    /* What it offers for sparse matrices (sparse_peer.h), or NULL. */
    const struct bench_sparse_peer *sparse;
} bench_peer_kind;

struct bench_peer {
    const bench_peer_kind *kind;
    gable_context *ctx;
    bool own_context; /* ctx is not the benchmark's: its operands are the peer's own */
    char version[160];
    void *state;
};

/* All peers, ended by NULL. */
extern const bench_peer_kind *const bench_peer_kinds[];
const bench_peer_kind *bench_peer_find(const char *name);

gable_status bench_peer_open(bench_peer *peer, const bench_peer_kind *kind, gable_context *ctx,
                             gbl_message *message);
void bench_peer_close(bench_peer *peer);

extern const bench_peer_kind bench_peer_openblas;
extern const bench_peer_kind bench_peer_cublas;
extern const bench_peer_kind bench_peer_cublas_dot; /* its orthogonalisation by dots and axpys */
extern const bench_peer_kind bench_peer_clblast;
extern const bench_peer_kind bench_peer_lapack;
extern const bench_peer_kind bench_peer_cusolver;
extern const bench_peer_kind bench_peer_cusparse;
extern const bench_peer_kind bench_peer_viennacl;
extern const bench_peer_kind bench_peer_eigen;
extern const bench_peer_kind bench_peer_petsc;

#endif
