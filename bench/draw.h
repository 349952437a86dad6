/* draw.h: cases drawn at random: the same ones from a seed on every machine.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The case with a number depends on the seed, the op, the precision and the number alone. Only
 * whole numbers are computed with, so that no two machines round differently. Sizes are log-uniform
 * in a range; half of the cases keep them as drawn, a quarter rounds all of them to multiples of 4,
 * a quarter to multiples of 32. Flags are drawn from those asked for. One matrix in four starts off
 * its alignment, by up to 7 elements; every second one has columns that are further apart than they
 * are long, half of those by up to 63 elements and half by 32 to 128 (of many matrices in one call
 * by up to 8). A case whose matrices do not fit, or that the op does not take, is drawn again under
 * the same number.
 */
#ifndef BENCH_DRAW_H
#define BENCH_DRAW_H

#include "bench_ops.h"

#define BENCH_DRAW_TRANS 12

/* What cases are drawn from. Without flags of a kind all of them are. */
typedef struct bench_draw {
    uint64_t seed;
    int64_t least, most; /* of sizes; 0: what is usual for the op */
    struct {
        gable_trans a, b;
    } trans[BENCH_DRAW_TRANS];
    int trans_count;
    gable_uplo uplo[2];
    int uplo_count;
    gable_side side[2];
    int side_count;
    int math;
    bool zeros;
    size_t most_bytes; /* of the matrices of a case; 0: any number, but 256 MiB of many matrices */
} bench_draw;

/* The case with this number. *again counts draws that did not fit. false: none was found that the
 * op takes and that fits. */
bool bench_draw_case(const bench_draw *draw, const bench_op *op, gbl_dtype dtype, int64_t number,
                     bench_case *what, int64_t *again);

/* A whole number from `least` to `most`, each of the octaves between them as likely as the others,
 * by 64 random bits. 1 <= least <= most < 2^31. */
int64_t bench_draw_size(uint64_t bits, int64_t least, int64_t most);

#endif
