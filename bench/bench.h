/* bench.h: measures one routine at one size, beside its peers and its roof.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Parties are Gable, each peer and the roof. They take turns in rounds (A B C, C B A, A B C ...),
 * so that drift of clocks and temperature hits all alike; the median and the best of the turns
 * count, and of a peer the median over the rounds of its time over Gable's. Two modes:
 * `replay`, many calls recorded and replayed with one launch, time over calls; `single`, one call
 * on an idle queue. A third one, `transfer`, of products of matrices: operands come from the host's
 * memory and the result goes back, on the host's clock. Other times come from gable_timer: the
 * device's clock. Every row is checked in the same run.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "bench_mode.h"
#include "operands.h"
#include "peers/peer.h"
#include "roof.h"

#define BENCH_MAX_PEERS 10

const char *bench_mode_name(bench_mode mode); /* "replay", "single", "transfer" */

/* One measured row. */
typedef struct bench_row {
    bench_case what;
    const char *variant;
    bench_mode mode;
    bool hot;
    int64_t calls; /* in one replay */
    int repeats;
    double usec, usec_min, gbs, gflops;
    double roof;                /* fraction of the speed that the device's limits allow */
    double error;               /* over its bound; NaN: the result was */
    double vs[BENCH_MAX_PEERS]; /* the peer's time over Gable's in a round, the median; 0: none */
    double predicted_usec;      /* by the model, where somebody asked it; else 0 */
    const char *limiter;        /* beside it: "memory" */
    /* Of a case that was drawn: by how much of the time of the best of the first choices the
     * choice was slower, and that best one; NULL: nobody looked. */
    double regret;
    const char *better;
} bench_row;

typedef struct bench_session {
    gable_context *ctx;
    double seconds; /* of turns per row */
    bool hot;       /* hot rows too */
    bool transfer;  /* rows with transfers too: of products of matrices */
    /* One cold row of replays per case, of a few short turns, and no roof beside it: for sweeps.
     * Bytes in a second by bench_roof_kind stand for that roof. */
    bool brief;
    double bandwidth[BENCH_ROOF_KINDS];
    const double *
        /* that a product can have in a second, per dtype (gbl_roofs_product_flops); or NULL */
        flops;
    int peer_count;
    bench_peer peers[BENCH_MAX_PEERS];
    /* What to do with a row, a remark (one sentence) and a sign of life, which comes at each turn:
     * what is measured, and the part of the case that is done, in [0, 1]. */
    void (*row)(void *user, const bench_row *row);
    void (*note)(void *user, const char *text);
    void (*progress)(void *user, const char *text, double done);
    bool (*stop)(void *user); /* asked between turns */
    void *user;
} bench_session;

/* Measures one case: two rows, four with hot, one more with transfer; one where it is brief.
 * Stopped: GABLE_OK without the
 * rows that were not ready. A failure of Gable's is returned with the context's message; a peer's
 * becomes a note. */
gable_status bench_measure(bench_session *session, const bench_case *what);

#endif
