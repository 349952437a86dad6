/* peers.c: the list of peers.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>
#include "peers/peer.h"

const bench_peer_kind *const bench_peer_kinds[] = {&bench_peer_openblas,
                                                   &bench_peer_cublas,
                                                   &bench_peer_clblast,
                                                   &bench_peer_cusparse,
                                                   &bench_peer_viennacl,
                                                   &bench_peer_eigen,
                                                   &bench_peer_petsc,
                                                   &bench_peer_cublas_dot,
                                                   &bench_peer_lapack,
                                                   &bench_peer_cusolver,
                                                   NULL};

const bench_peer_kind *bench_peer_find(const char *name)
{
    for (const bench_peer_kind *const *kind = bench_peer_kinds; *kind != NULL; kind++)
        if (strcmp((*kind)->name, name) == 0)
            return *kind;
    return NULL;
}

gable_status bench_peer_open(bench_peer *peer, const bench_peer_kind *kind, gable_context *ctx,
                             gbl_message *message)
{
    memset(peer, 0, sizeof *peer);
    peer->kind = kind;
    peer->ctx = ctx;
    return kind->open(peer, message);
}

void bench_peer_close(bench_peer *peer)
{
    peer->kind->close(peer);
}
