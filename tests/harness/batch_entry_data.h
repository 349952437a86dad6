/* batch_entry_data.h: one operand of a batch of matrices in a watched block, by strides or by an
 * array of addresses.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Between columns and batch entries there are gaps. The batch entries of an array of addresses lie
 * in another order and off each other's alignment. What a test does not put into the block is as
 * `fill` says: NaN, or a pattern. Typed: it comes behind harness/numbers.h.
 */
#ifndef TEST_BATCH_ENTRY_DATA_H
#define TEST_BATCH_ENTRY_DATA_H

#include <stdlib.h>
#include "harness/number.h"
#include "harness/routine.h"
#include "harness/wide.h"
#include "harness/numbers.h"

typedef struct entries {
    int64_t rows, columns, ld, batch;
    int64_t between; /* elements behind each batch entry */
    int offset;      /* elements that the first is off its alignment */
    bool pointers, same, backwards;
    /* Made: */
    int64_t stride;
    guarded block, addresses;
} entries;

static inline int64_t entries_start(const entries *v, int64_t b)
{
    if (v->pointers)
        return (v->batch - 1 - b) * v->stride + (v->stride > 0 && b % 3 == 1);
    return (v->backwards ? v->batch - 1 - b : b) * v->stride;
}

static inline int64_t entries_at(const entries *v, int64_t b, int64_t i, int64_t j)
{
    return entries_start(v, b) + i + j * v->ld;
}

/* The block, unsent, and the array of addresses. Destroy them in any case. */
static inline bool entries_make(routine *r, entries *v, guarded_fill fill, guarded_fence fence)
{
    const bool some =
        v->rows > 0 && v->columns > 0; /* else a batch entry is one element, which nobody uses */
    const int64_t extent = some ? (v->columns - 1) * v->ld + v->rows : 1;
    /* In arrays of addresses every third batch entry is one element further. */
    v->stride = v->same ? 0 : extent + v->between + v->pointers;
    if (!guarded_make(&v->block, r->ctx, (v->batch - 1) * v->stride + extent + v->pointers, 1,
                      sizeof(T), (size_t)v->offset * sizeof(T), fill, fence) ||
        !guarded_make(&v->addresses, r->ctx, v->batch, 1, sizeof(T *), 0, FILL_NAN, LOOSE))
        return false;
    for (int64_t b = 0; b < v->batch; b++) {
        T *const at = (T *)v->block.at + entries_start(v, b);
        memcpy(guarded_element(&v->addresses, b), &at, sizeof at);
    }
    return guarded_send(&v->addresses);
}

static inline void entries_destroy(entries *v)
{
    guarded_destroy(&v->block);
    guarded_destroy(&v->addresses);
}

/* What a routine takes. */
static inline void *entries_address(const entries *v)
{
    return v->pointers ? v->addresses.at : (T *)v->block.at + entries_start(v, 0);
}

static inline int64_t entries_stride(const entries *v)
{
    return v->pointers ? 0 : v->backwards ? -v->stride : v->stride;
}

/* After a fetch: what lies between the elements is as it was. */
static inline void entries_gaps(const entries *v, const char *name)
{
    unsigned char *written = calloc((size_t)v->block.n, 1);
    CHECK(written != NULL, "no memory");
    if (written == NULL)
        return;
    for (int64_t b = 0; b < v->batch; b++)
        for (int64_t j = 0; j < v->columns; j++)
            for (int64_t i = 0; i < v->rows; i++)
                written[entries_at(v, b, i, j)] = 1;
    bool same = true;
    for (int64_t e = 0; e < v->block.n && same; e++) {
        same = written[e] ||
               memcmp(guarded_result(&v->block, e), guarded_element(&v->block, e), sizeof(T)) == 0;
        CHECK(same, "element %lld of the block of %s, which is in a gap, was written", (long long)e,
              name);
    }
    free(written);
    guarded_surroundings(&v->block, name);
}

static inline double entry_size(T t)
{
    return wide_size(real_part(t), imaginary_part(t));
}

static inline T entry_conjugate(T t)
{
    return make(real_part(t), -imaginary_part(t));
}

/* A sum in double-double, and the sizes of what was added. */
typedef struct entry_sum {
    wide re, im;
    double size;
} entry_sum;

static inline void entry_add(entry_sum *sum, T a, T b)
{
    const double ar = real_part(a), ai = imaginary_part(a), br = real_part(b),
                 bi = imaginary_part(b);
    sum->re = wide_gather(sum->re, ar, br);
    if (COMPLEX) {
        sum->re = wide_gather(sum->re, -ai, bi);
        sum->im = wide_gather(wide_gather(sum->im, ar, bi), ai, br);
    }
    sum->size += COMPLEX ? entry_size(a) * entry_size(b) : fabs(ar * br);
}

/* sum + factor * more */
static inline void entry_add_scaled(entry_sum *sum, T factor, const entry_sum *more)
{
    const double fr = real_part(factor), fi = imaginary_part(factor);
    sum->re = wide_gather(wide_gather(sum->re, fr, more->re.high), fr, more->re.low);
    sum->re = wide_gather(wide_gather(sum->re, -fi, more->im.high), -fi, more->im.low);
    sum->im = wide_gather(wide_gather(sum->im, fr, more->im.high), fr, more->im.low);
    sum->im = wide_gather(wide_gather(sum->im, fi, more->re.high), fi, more->re.low);
    sum->size += entry_size(factor) * more->size;
}

static inline double entry_distance(const entry_sum *sum, T t)
{
    return wide_size(wide_distance(sum->re, real_part(t)),
                     wide_distance(sum->im, imaginary_part(t)));
}

#endif
