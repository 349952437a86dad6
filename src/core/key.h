/* key.h: the key of a choice: size classes, precision and flags of a call in 64 bits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls with equal keys get the same choice, and measurements are kept by key, so the layout is also a part
 * of the tuning database's format: bits are added, never moved. A size class is the rounded log2 of a size.
 * Vectors have one size (or two: length and number of vectors), matrices m, n and the batch.
 */
#ifndef GBL_KEY_H
#define GBL_KEY_H

#include <stdint.h>
#include "core/dtype.h"

/* Where things are. Sizes take 8 bits each, the precision 2, flags 1. */
enum {
    GBL_KEY_M = 0, /* the main size: n of vectors */
    GBL_KEY_DTYPE = 8,
    GBL_KEY_N = 16, /* of vectors: how many, where that is an argument */
    GBL_KEY_BATCH = 24,
    GBL_KEY_MATRIX = 32, /* set: the key is of a call with a matrix */
    /* Columns start at multiples of 128 bytes. For choices only: measurements serve both kinds. */
    GBL_KEY_WHOLE = 41,
};

/* Flags: of vectors whose stride is not 1; of matrices transposed, columns start alike, ... */
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
    FLAG(IN_PLACE, in_place, 40)
#define GBL_KEY_FLAG(NAME, word, bit) GBL_KEY_##NAME = (bit),
enum { GBL_KEY_VECTOR_FLAGS(GBL_KEY_FLAG) GBL_KEY_MATRIX_FLAGS(GBL_KEY_FLAG) GBL_KEY_FLAGS_END };
#undef GBL_KEY_FLAG

/* What measurements are kept by, and of it all bits that are no size: where they differ, calls are of
 * different kinds. */
#define GBL_KEY_KEPT_BITS (~((uint64_t)1 << GBL_KEY_WHOLE))
#define GBL_KEY_KIND_BITS (GBL_KEY_KEPT_BITS & ~((uint64_t)0xff | (uint64_t)0xffff << GBL_KEY_N))

/* floor(log2(1.5 size)): nearly the nearest power of two; 0 for sizes 0 and 1. */
static inline uint64_t gbl_size_class(int64_t size)
{
    uint64_t log2 = 0;
    for (uint64_t rest = (uint64_t)size + ((uint64_t)size >> 1); rest > 1; rest >>= 1)
        log2++;
    return log2;
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

/* A size class of a key: `where` is GBL_KEY_M, GBL_KEY_N or GBL_KEY_BATCH. */
static inline int gbl_key_size(uint64_t key, int where)
{
    return (int)(key >> where & 0xff);
}

static inline gbl_dtype gbl_key_dtype(uint64_t key)
{
    return (gbl_dtype)(key >> GBL_KEY_DTYPE & 3);
}

/* How far two size buckets are apart: factors of two over all sizes; -1: calls of different kinds. */
static inline int gbl_key_distance(uint64_t a, uint64_t b)
{
    static const int sizes[] = {GBL_KEY_M, GBL_KEY_N, GBL_KEY_BATCH};
    int distance = 0;
    if ((a ^ b) & GBL_KEY_KIND_BITS)
        return -1;
    for (int i = 0; i < 3; i++) {
        const int difference = gbl_key_size(a, sizes[i]) - gbl_key_size(b, sizes[i]);
        distance += difference < 0 ? -difference : difference;
    }
    return distance;
}

#endif
