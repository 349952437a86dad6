/* sparse_bench.h: measures a product with a sparse matrix, or an iteration of a solver, beside
 * peers and the roof.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Products are timed as all routines are (bench.h): modes replay and single, cold, beside a plain
 * read of as many bytes. The bytes are those of the format: its arrays, x once and y once.
 *
 * An iteration is timed as the difference of two solves, over the difference of their iterations:
 * (T(N2) - T(N1)) / (N2 - N1), with tolerance 0, on the host's clock. What a solve does before and
 * after its iterations drops out. Peers are timed in the same way, in turn. The bytes are those
 * that gable_solve_info tells, and the roof is a plain copy of as many.
 */
#ifndef BENCH_SPARSE_BENCH_H
#define BENCH_SPARSE_BENCH_H

#include "bench.h"
#include "sparse_system.h"

typedef struct bench_sparse_row {
    bench_sparse_case what;
    gable_format format; /* in use, never AUTO */
    char variant[32];    /* of products the variant, of solvers the form */
    char precond[16];    /* of solvers, in use */
    const char *mode;    /* "replay", "single", "iteration" */
    bool hot;            /* what an iteration touches fits into the cache */
    int64_t calls;       /* in one replay, or N2 - N1 */
    int repeats;
    double usec, usec_min, gbs, gflops, roof, error;
    double vs[BENCH_MAX_PEERS]; /* as in bench_row */
} bench_sparse_row;

/* Measures one case and calls `row` for each row. A failure of Gable's is returned with the
 * context's message; a peer's becomes a note. A format that the matrix cannot have is a note too,
 * and no failure. */
typedef void (*bench_sparse_teller)(void *user, const bench_sparse_row *row);
gable_status bench_sparse_measure(bench_session *session, const bench_sparse_case *what,
                                  bench_sparse_teller row);

/* ---- For sparse_bench.c, sparse_products.c and sparse_iterations.c ---- */

#define SPARSE_MIN_TURNS 7
#define SPARSE_MAX_TURNS 200

typedef struct bench_sparse_party {
    bench_peer *peer; /* NULL: Gable or the roof */
    bool out;         /* failed: takes no further part */
    gable_recording *recording;
    gable_timer *timer;
    int turns;
    double seconds[SPARSE_MAX_TURNS]; /* of one call or iteration */
    double shorter, longer;           /* the least of solves, 0 before the first */
} bench_sparse_party;

#define SPARSE_GABLE   0
#define SPARSE_ROOF    1
#define SPARSE_PEERS   2
#define SPARSE_PARTIES (SPARSE_PEERS + BENCH_MAX_PEERS)

typedef struct bench_sparse_trial {
    bench_session *session;
    const bench_sparse_case *what;
    bench_sparse_teller row;
    bench_sparse_system system;
    bench_sparse_party parties[SPARSE_PARTIES];
    int party_count;
    bench_roof roof, flush;
    int64_t calls; /* in a replay, or N2 - N1 */
    int64_t first; /* N1 */
    int64_t turn;
    bool replay; /* the mode of the turns of products */
    gable_solver *solver;
    gable_solve_info info;
    gbl_message
        why; /* of peers: what they say of a failure, where it is not in the context's message */
    double norm; /* |op(A) x|, once a peer was compared with it; else 0 */
} bench_sparse_trial;

/* One turn of a party: seconds of one call or iteration. */
typedef gable_status (*bench_sparse_turn)(bench_sparse_trial *trial, bench_sparse_party *party,
                                          double *seconds);

/* Turns of all parties for the session's seconds. false in *whole: stopped. */
gable_status bench_sparse_turns(bench_sparse_trial *trial, const char *mode, bench_sparse_turn turn,
                                bool *whole);
/* Median and least. Of iterations the least is the difference of the least times of both solves: a
 * turn whose short solve was disturbed has too small a difference. It is no more than the
 * median. */
void bench_sparse_summary(const bench_sparse_trial *trial, bench_sparse_party *party,
                          double *median, double *least);
/* A peer is out, because of a sentence; NULL: what it said itself. */
void bench_sparse_drop(bench_sparse_trial *trial, bench_sparse_party *party, const char *why);
/* Fills times, rates and ratios from the parties, and tells the row. */
void bench_sparse_tell(bench_sparse_trial *trial, bench_sparse_row *row, double bytes,
                       double flops);
/* "dspmv laplace5:1000 csr": for notes and progress. */
void bench_sparse_text(const bench_sparse_case *what, char *text, size_t text_bytes);

gable_status bench_sparse_products(bench_sparse_trial *trial);
gable_status bench_sparse_iterations(bench_sparse_trial *trial);

#endif
