/* sparse_peer.h: what a peer offers for sparse matrices, beside peer.h.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A peer with `multiply` enqueues products on a context of Gable's, as tasks that can be recorded,
 * and is timed exactly like Gable. All else is timed by the peer itself.
 */
#ifndef BENCH_SPARSE_PEER_H
#define BENCH_SPARSE_PEER_H

#include "peers/peer.h"
#include "sparse_system.h"

typedef struct bench_sparse_peer {
    bool (*supports)(const bench_peer *peer, const bench_sparse_case *what);
    bool wants_csr; /* needs system->csr */
    /* Takes in a system, which stays where it is until unload. */
    gable_status (*load)(bench_peer *peer, const bench_sparse_system *system, gbl_message *message);
    void (*unload)(bench_peer *peer);
    /* Enqueues or records y := op(A) x of a set, or is NULL. */
    gable_status (*multiply)(bench_peer *peer, int64_t set);
    /* Seconds of `count` products, or of as many iterations from x = 0, to the end of the last. */
    gable_status (*time)(bench_peer *peer, int64_t count, double *seconds, gbl_message *message);
    /* Of what `time` made last: |y|, or |b - A x| / |b|. */
    gable_status (*check)(bench_peer *peer, double *number, gbl_message *message);
} bench_sparse_peer;

/* cublas_basis.c: the orthogonalisation alone, for both peers of cuBLAS. */
extern const bench_sparse_peer bench_cublas_basis;

#endif
