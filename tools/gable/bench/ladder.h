/* ladder.h: `gable bench gemm --ladder`: a product by each rung of the ladder, predicted and
 * measured.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The rungs are variants of gemm with fixed tunables, from the worst to the one that the library
 * chooses. Beside them stand reads of one factor, and other libraries. ladder.c measures,
 * ladder_show.c prints.
 */
#ifndef TOOL_LADDER_H
#define TOOL_LADDER_H

#include "bench_output.h"
#include "model/roofs.h"

#define LADDER_NAME_BYTES 112

typedef enum ladder_kind {
    LADDER_RUNG,   /* a variant of Gable's */
    LADDER_READ,   /* one factor, read and not multiplied */
    LADDER_CHOSEN, /* what the library takes by itself */
    LADDER_PEER
} ladder_kind;

/* What was found out about a rung. Numbers that are not known are negative, texts NULL. */
typedef struct ladder_row {
    ladder_kind kind;
    char name[LADDER_NAME_BYTES]; /* "tiled:tile=16", "read, uncoalesced", "openblas, 1 thread" */
    const char *variant;          /* of Gable's */
    bench_case what;
    bench_mode mode;
    double usec, usec_min, gflops, gbs;
    double predicted_usec;
    const char *limiter;
    int registers, local_bytes; /* of the kernel that most of the work is in */
    double occupancy;           /* of the work-items that a multiprocessor holds */
    double fma_share;           /* of the instructions in the program text */
    double error; /* over its bound; 0 of reads and peers, which are checked elsewhere */
} ladder_row;

/* Climbs: tells `row` of each rung. Stopped between rungs: GABLE_OK. Peers of the session are timed
 * beside the last, and with transfers where it says so. */
gable_status ladder_climb(bench_session *session, const gbl_roofs *roofs, const bench_case *what,
                          void (*row)(void *user, const ladder_row *row), void *user);

/* ladder_show.c: the table's head or the JSON line of circumstances; one row. */
void ladder_show_header(bench_output *output);
void ladder_show_row(bench_output *output, int device, const ladder_row *row);

#endif
