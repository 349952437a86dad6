/* extents.h: how far operands reach in memory: that it fits 63 bits, and lies in what was
 * allocated.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The extent of an operand is a number of runs of bytes, a pitch apart: a vector is runs of one
 * element, a matrix runs of one column. Every routine checks that the whole fits 63 bits; behind
 * that check plans, kernels and loops may compute with offsets as they like.
 *
 * Where a context is `guarded`, operands are also compared with the table of allocations: always on
 * devices whose kernels end the process when they leave their memory, and everywhere under
 * GABLE_DEBUG=check. That also finds freed memory and, under GABLE_DEBUG=check, outputs that
 * overlap other operands. Memory that gable_alloc did not give is accepted: it may be the caller's.
 */
#ifndef GBL_EXTENTS_H
#define GBL_EXTENTS_H

#include "core/context.h"
#include "core/operand.h"

/* ---- 63 bits ---- */

bool gbl_extent_fits_exactly(int64_t runs, int64_t pitch, int64_t run, size_t elem_bytes);

/* Whether `runs` runs of `run` elements, `pitch` elements apart in either direction, reach over at
 * most 2^63 - 1 bytes. Sizes are not negative. */
static inline bool gbl_extent_fits(int64_t runs, int64_t pitch, int64_t run, size_t elem_bytes)
{
    /* Below these sizes it is at most 2^29 * 2^28 * 16 = 2^61. */
    const uint64_t near = (uint64_t)1 << 28;
    if (((uint64_t)runs | (uint64_t)run | ((uint64_t)pitch + near)) < 2 * near && elem_bytes <= 16)
        return true;
    return gbl_extent_fits_exactly(runs, pitch, run, elem_bytes);
}

gable_status gbl_extent_fail(gable_context *ctx, int number, const char *name, int64_t value,
                             const char *what, int64_t runs, int64_t run, size_t elem_bytes);

/* A size: so many elements. */
static inline gable_status gbl_count_check(gable_context *ctx, int number, const char *name,
                                           int64_t count, size_t elem_bytes)
{
    if (gbl_extent_fits(1, 0, count, elem_bytes))
        return GABLE_OK;
    return gbl_fail_argument(ctx, number, name,
                             "is %lld; so many elements of %zu bytes are more than 2^63 - 1 bytes",
                             (long long)count, elem_bytes);
}

/* A stride, leading dimension or batch stride, by its number and name, of the operand `what`. */
static inline gable_status gbl_pitch_check(gable_context *ctx, int number, const char *name,
                                           const char *what, int64_t runs, int64_t pitch,
                                           int64_t run, size_t elem_bytes)
{
    if (gbl_extent_fits(runs, pitch, run, elem_bytes))
        return GABLE_OK;
    return gbl_extent_fail(ctx, number, name, pitch, what, runs, run, elem_bytes);
}

/* ---- Operands against allocations ---- */

typedef struct gbl_extent {
    const char *name;
    int number; /* of the argument */
    gbl_access access;
    const void *address;
    size_t before, after; /* bytes: in front of the address, and from it on */
    /* For overlaps: the runs, in bytes, that start at the address. 0 runs: only where it reaches is
     * known. */
    int64_t runs, pitch, run;
    size_t elem_bytes;
    gbl_shape shape;
    bool backwards; /* a vector whose first element is at the far end */
    bool in_place;  /* of outputs: may be the same elements as another operand, one by one */
} gbl_extent;

/* Vectors are as in BLAS: the address is the lowest one for either sign of inc. Extents fit 63
 * bits. */
gbl_extent gbl_extent_vector(const char *name, int number, gbl_access access, const void *x,
                             int64_t n, int64_t inc, size_t elem_bytes);
gbl_extent gbl_extent_matrix(const char *name, int number, gbl_access access, const void *A,
                             int64_t m, int64_t n, int64_t ld, size_t elem_bytes);
/* A number that may be on the device; one by value has no extent. */
gbl_extent gbl_extent_scalar(const char *name, int number, const gbl_scalar *scalar, size_t bytes);
/* A triangle of n by n. */
gbl_extent gbl_extent_triangle(const char *name, int number, gbl_access access, const void *A,
                               int64_t n, int64_t ld, size_t elem_bytes, gbl_shape shape);
/* `batch` of them, `stride` elements apart in either direction. */
void gbl_extent_repeat(gbl_extent *operand, int64_t batch, int64_t stride);

/* Refuses operands that leave the allocation they point into or whose memory was freed, and under
 * GABLE_DEBUG=check outputs that overlap another operand. A recording in progress remembers the
 * allocations. Called where ctx->guarded. */
gable_status gbl_extents_check(gable_context *ctx, const gbl_extent *operands, int count);
/* The second part of it, alone. */
gable_status gbl_extents_overlap(gable_context *ctx, const gbl_extent *operands, int count);

/* Whether two operands have a byte in common; whether the memory from their first to their last
 * bytes does. */
bool gbl_reaches_meet(const gbl_extent *a, const gbl_extent *b);
bool gbl_extents_meet(const gbl_extent *a, const gbl_extent *b);

#endif
