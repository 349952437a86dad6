/* key.h: what a call is chosen by: the key that measurements are kept by, and ranks of sizes and
 * addresses.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Measurements are kept by key, so its layout is a part of the tuning database's format: bits are
 * added, never moved. A size class is the rounded log2 of a size. Vectors have one size (or two:
 * length and number of vectors), matrices m, n, k and the batch. What else decides a choice (finer
 * sizes, alignment, unit strides, factors that are 0) stands in a second word, the ranking of a
 * call, which is not kept.
 */
#ifndef GBL_KEY_H
#define GBL_KEY_H

#include <stdint.h>
#include "device/dtype.h"

/* Where things are. Sizes take 8 bits each, the precision 2, flags 1. */
enum {
    GBL_KEY_M = 0, /* the main size: n of vectors */
    GBL_KEY_DTYPE = 8,
    GBL_KEY_N = 16, /* of vectors: how many, where that is an argument */
    GBL_KEY_BATCH = 24,
    GBL_KEY_MATRIX = 32, /* set: the key is of a call with a matrix */
    GBL_KEY_K =
        48, /* of products of two matrices: what is summed over; of sparse ones: places of a row */
    /* Of sparse matrices: the format (3 bits), indices of 64 bits, how much longer the longest row
     * is than the mean (4 bits). */
    GBL_KEY_FORMAT = 33,
    GBL_KEY_WIDE = 36,
    GBL_KEY_LONGEST = 42,
};

/* Flags: of vectors whose stride is not 1; of matrices transposed, columns start alike, ... The
 * number of a gable_job takes three of them (operand.h). */
#define GBL_KEY_VECTOR_FLAGS(FLAG)                                                                 \
    FLAG(INCX, incx, 10)                                                                           \
    FLAG(INCY, incy, 11)                                                                           \
    FLAG(INCW, incw, 12)
#define GBL_KEY_MATRIX_FLAGS(FLAG)                                                                 \
    FLAG(TRANS, trans, 10)                                                                         \
    FLAG(ALIGNED, aligned, 11)                                                                     \
    FLAG(LOWER, lower, 12)                                                                         \
    FLAG(CONJ, conj, 13)                                                                           \
    FLAG(TRANS_B, trans_b, 14)                                                                     \
    FLAG(POINTERS, pointers, 15)                                                                   \
    FLAG(MATH, math, 37)                                                                           \
    FLAG(IN_PLACE, in_place, 40)                                                                   \
    FLAG(RIGHT, right, 41)                                                                         \
    FLAG(ONE_NORM, one_norm, 46)                                                                   \
    FLAG(INF_NORM, inf_norm, 47)                                                                   \
    FLAG(FROBENIUS_NORM, frobenius_norm, 56)                                                       \
    FLAG(RANGE_VALUES, range_values, 38)                                                           \
    FLAG(RANGE_INDICES, range_indices, 39)                                                         \
    FLAG(JOB, job_1, 57)                                                                           \
    FLAG(JOB_2, job_2, 58)                                                                         \
    FLAG(JOB_4, job_4, 59)                                                                         \
    FLAG(JOB_B, job_b_1, 60)                                                                       \
    FLAG(JOB_B_2, job_b_2, 61)                                                                     \
    FLAG(JOB_B_4, job_b_4, 62)
#define GBL_KEY_FLAG(NAME, word, bit) GBL_KEY_##NAME = (bit),
enum { GBL_KEY_VECTOR_FLAGS(GBL_KEY_FLAG) GBL_KEY_MATRIX_FLAGS(GBL_KEY_FLAG) GBL_KEY_FLAGS_END };
#undef GBL_KEY_FLAG

/* All bits that are no size: where they differ, calls are of different kinds. */
#define GBL_KEY_KIND_BITS                                                                          \
    (~((uint64_t)0xff | (uint64_t)0xffff << GBL_KEY_N | (uint64_t)0xff << GBL_KEY_K))

/* floor(log2(number)); 0 for 0. */
static inline uint64_t gbl_log2(uint64_t number)
{
    return 63 - (uint64_t)__builtin_clzll(number | 1);
}

/* floor(log2(1.5 size)): nearly the nearest power of two; 0 for sizes 0 and 1. */
static inline uint64_t gbl_size_class(int64_t size)
{
    return gbl_log2((uint64_t)size + ((uint64_t)size >> 1));
}

static inline uint64_t gbl_key_sizes(gbl_dtype dtype, int64_t m, int64_t n, int64_t batch)
{
    return gbl_size_class(m) << GBL_KEY_M | (uint64_t)dtype << GBL_KEY_DTYPE |
           gbl_size_class(n) << GBL_KEY_N | gbl_size_class(batch) << GBL_KEY_BATCH;
}

static inline uint64_t gbl_key_flag(bool set, int bit)
{
    return (uint64_t)set << bit;
}

/* A size class of a key: `where` is GBL_KEY_M, GBL_KEY_N, GBL_KEY_K or GBL_KEY_BATCH. */
static inline int gbl_key_size(uint64_t key, int where)
{
    return (int)(key >> where & 0xff);
}

static inline gbl_dtype gbl_key_dtype(uint64_t key)
{
    return (gbl_dtype)(key >> GBL_KEY_DTYPE & 3);
}

/* How far two size buckets are apart: factors of two over all sizes; -1: calls of different
 * kinds. */
static inline int gbl_key_distance(uint64_t a, uint64_t b)
{
    static const int sizes[] = {GBL_KEY_M, GBL_KEY_N, GBL_KEY_K, GBL_KEY_BATCH};
    int distance = 0;
    if ((a ^ b) & GBL_KEY_KIND_BITS)
        return -1;
    for (int i = 0; i < 4; i++) {
        const int difference = gbl_key_size(a, sizes[i]) - gbl_key_size(b, sizes[i]);
        distance += difference < 0 ? -difference : difference;
    }
    return distance;
}

/* ---- Ranks ---- */

/* The rank of a size is the eighth of an octave that it is in: 8 bits. Within a size class the best
 * tunables change. On a pretended sm_80 25 of 10000 random calls lost more than 10 % with quarters,
 * 12 with eighths (predicted). */
#define GBL_RANK_STEPS 8
#define GBL_LAST_RANK  255 /* 2^31.9 and more: nothing changes there any more */

static inline uint64_t gbl_size_rank(int64_t size)
{
    if (size < 2 * GBL_RANK_STEPS) /* each of the first sizes has a rank of its own */
        return size > 0 ? (uint64_t)size : 0;
    const uint64_t below = (uint64_t)size - 1, log2 = gbl_log2(below),
                   step = (UINT64_C(1) << log2) / GBL_RANK_STEPS;
    const uint64_t rank = log2 * GBL_RANK_STEPS + below / step + 1 - GBL_RANK_STEPS;
    return rank < GBL_LAST_RANK ? rank : GBL_LAST_RANK;
}

/* The size that stands for all of a rank: the largest, so that what takes it whole takes them all.
 * Powers of two are such sizes. */
static inline int64_t gbl_rank_size(uint64_t rank)
{
    if (rank < 2 * GBL_RANK_STEPS)
        return (int64_t)rank;
    const uint64_t log2 = rank / GBL_RANK_STEPS;
    return (int64_t)((UINT64_C(1) << log2) / GBL_RANK_STEPS *
                     (GBL_RANK_STEPS + rank % GBL_RANK_STEPS));
}

/* What blocks, tiles and loads of several elements leave over: 0 to 3 for sizes that are multiples
 * of 1, 4, 16 and
 * 64. 2 bits. */
static inline uint64_t gbl_round_rank(int64_t size)
{
    return (uint64_t)(size % 4 == 0) + (size % 16 == 0) + (size % 64 == 0);
}

/* The size that stands for all of a rank with this roundness. */
static inline int64_t gbl_class_size(uint64_t rank, uint64_t round)
{
    const int64_t size = gbl_rank_size(rank), step = INT64_C(1) << 2 * round;
    if (size < 16)
        return size;
    if (round == 0)
        return (size - 1) | 1;
    const int64_t whole = size / step * step;
    return gbl_round_rank(whole) > round ? whole - step : whole;
}

/* ---- Rounded sizes ---- */

/* Calls that factorizations make are chosen for by sizes that are rounded up: multiples of 16 to
 * half octaves, others from 64 on to quarters of an octave, less one (with halves they lost up to
 * 2.6 % of a factorization by the model, with quarters 1.8). Below 16 sizes become powers of
 * two. */
#define GBL_ROUNDED_STEP (GBL_RANK_STEPS / 2)

static inline int64_t gbl_rounded_size(int64_t size)
{
    const bool whole = size % 16 == 0;
    const uint64_t step = whole || size < 64 ? GBL_ROUNDED_STEP : GBL_ROUNDED_STEP / 2;
    if (size <= 2)
        return size;
    if (size < 2 * GBL_RANK_STEPS)
        return (int64_t)1 << (gbl_log2((uint64_t)size - 1) + 1);
    const uint64_t rank = (gbl_size_rank(size) + step - 1) / step * step;
    const int64_t up = rank < GBL_LAST_RANK ? gbl_rank_size(rank) : size;
    return up - (!whole && up > size);
}

/* How an address or a distance in bytes is aligned: 0 to 3 for 4, 8, 16 and 128 bytes and more. 2
 * bits. */
static inline uint64_t gbl_alignment_rank(uint64_t bytes)
{
    return (uint64_t)(bytes % 8 == 0) + (bytes % 16 == 0) + (bytes % 128 == 0);
}

/* A number of bytes from `least` on with just that alignment, a multiple of `elem` where that can
 * be. */
static inline uint64_t gbl_rank_bytes(uint64_t rank, uint64_t least, uint64_t elem)
{
    const uint64_t align = rank == 3 ? 128 : UINT64_C(4) << rank,
                   step = align > elem ? align : elem;
    uint64_t bytes = (least + step - 1) / step * step;
    while (gbl_alignment_rank(bytes) > rank && step == align)
        bytes += step;
    return bytes;
}

#endif
