/* party.h: whoever takes part in a measurement: Gable, a peer or the roof.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef BENCH_PARTY_H
#define BENCH_PARTY_H

#include "bench_mode.h"
#include "peers/peer.h"
#include "roof.h"
#include "transfer.h"

#define BENCH_MAX_TURNS 400

typedef struct bench_party {
    const bench_case *what;
    gable_context *ctx; /* whose queue and clock it uses; also a peer's with a clock of its own */
    bench_operands *operands;       /* of Gable and of peers that run on a context */
    bench_peer *peer;               /* NULL: Gable or the roof */
    bench_roof *roof;               /* NULL: Gable or a peer */
    bench_roof *flush;              /* run before each turn to empty the cache; NULL: not needed */
    const bench_transfer *transfer; /* for turns of that mode, else NULL */
    gable_timer *timer;
    gable_recording *recording;
    int64_t calls; /* in the recording */
    int64_t sets;
    bool hot;
    bool waits; /* its calls cannot be recorded */
    bool out;   /* failed: takes no further part */
    int turns;
    double seconds[BENCH_MAX_TURNS]; /* of one call, a turn each, in the order of the rounds */
} bench_party;

/* Records `calls` calls, unless they wait for the host, and takes a timer. calls_own_clock peers
 * need neither. */
gable_status bench_party_begin(bench_party *party, int64_t calls);
void bench_party_end(bench_party *party);

/* Whether its calls wait for the host: then it has no turns in replays. */
bool bench_party_waits(const bench_party *party);

/* Enqueues one call of Gable, of a peer with `run` or of the roof. */
gable_status bench_party_call(bench_party *party, int64_t set);

/* One turn; single calls take the set given. The seconds are those of one call. */
gable_status bench_party_turn(bench_party *party, bench_mode mode, int64_t set, double *seconds);

/* Seconds of one call after a first one, from a few: to decide how many to record. */
gable_status bench_party_pilot(bench_party *party, double *seconds);

/* How many calls a replay of about replay_seconds has, `most` before rounding. Cold sets must not
 * come again before twice the cache went by: whole rounds over them, or, where they do not fill the
 * cache and it is flushed, at most one round. Slow calls do not make a whole round. */
int64_t bench_party_calls(const bench_operands *operands, bool hot, double call_seconds,
                          double replay_seconds, int64_t most);

/* The error of the party over its bound, in a fresh run: of the recording or of a single call. */
gable_status bench_party_check(bench_party *party, bench_mode mode, double *error);

/* Median and least of the turns. */
void bench_party_summary(const bench_party *party, double *median, double *least);

/* The time of a party over that of another one: the median over the rounds, in each of which both
 * had a turn. */
double bench_party_ratio(const bench_party *party, const bench_party *base);

#endif
