/* sweep.h: `gable bench --random`: many cases drawn at random, and what they say of the choices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Cases come in the order of their numbers, each number with all ops and precisions, so that a
 * sweep that ends early has seen all of them. Their kernels are compiled side by side, those of
 * SWEEP_TOGETHER cases at a time, before these are measured.
 */
#ifndef TOOL_SWEEP_H
#define TOOL_SWEEP_H

#include "bench.h"
#include "gable/case_request.h"

#define SWEEP_MOST       100000
#define SWEEP_TOGETHER   32
#define SWEEP_CHOICES    5 /* of each case that --regret times */
#define SWEEP_TEXT_BYTES 192

typedef struct sweep {
    int64_t random;      /* cases for each op and precision; 0: none are drawn */
    int64_t seed;        /* of the draws */
    int64_t least, most; /* of sizes; 0: what is usual for each op */
    double budget;       /* seconds of it all; 0: as long as it takes */
    bool regret;
    bench_case *cases; /* those that were drawn; from malloc */
    int count;
    int64_t again; /* draws that did not fit */
} sweep;

/* "64:8192" */
bool sweep_read_range(const char *text, void *drawn, char *why, size_t why_bytes);

/* Draws the cases of a request, none of which has matrices of more than 4 GiB, or of more than a
 * fifth of the device's memory. GABLE_NOT_SUPPORTED: of an op no case fits. */
gable_status sweep_draw(sweep *drawn, const case_request *asked, gable_context *ctx);
void sweep_free(sweep *drawn);

/* "dgemm --size 777x333x1500 --trans NT --beta 1 --offset 1 --ld 3": what `gable bench` takes to
 * measure the case alone. */
void sweep_arguments(const bench_case *what, char *text, size_t text_bytes);

/* Compiles what the cases need side by side, with `regret` also what their first choices need. What
 * fails here fails again, with a message, when it is measured. */
void sweep_prepare(gable_context *ctx, const bench_case *cases, int count, bool regret);

/* Times the first choices of a case for `seconds` each. row->regret: how much longer the choice in
 * use takes than the best of them whose result is right; row->better: that one, in a text that
 * stays until the next call. */
gable_status sweep_regret(bench_session *session, bench_row *row);

#endif
