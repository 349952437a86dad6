/* guarded.h: vectors in device memory whose surroundings are watched.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A guarded vector is an allocation with bytes before, between (for strides) and behind its
 * elements that no routine may change, or let matter. `image` is what the allocation should hold; a
 * test writes elements into it, sends it, runs, and asks whether the surroundings are as they were.
 *
 * Fills: NaN (all bits set: a NaN in every precision) or a pattern that depends on the place.
 * Tight vectors have no bytes around them: on the host they lie against pages that cannot be
 * touched, so that reading one byte too much ends the test; on devices the allocation just holds
 * them.
 */
#ifndef TEST_GUARDED_H
#define TEST_GUARDED_H

#include <stdbool.h>
#include "gable/gable.h"

typedef enum guarded_fill { FILL_NAN, FILL_PATTERN } guarded_fill;
typedef enum guarded_fence { LOOSE, TIGHT_BEHIND, TIGHT_BEFORE } guarded_fence;

/* The ways in which the guards part of a test surrounds its operands. */
typedef struct guarded_way {
    guarded_fill fill;
    guarded_fence fence;
} guarded_way;
#define GUARDED_WAYS 4
extern const guarded_way guarded_ways[GUARDED_WAYS];

typedef struct guarded {
    gable_context *ctx;
    int64_t n, inc;
    size_t elem_bytes;
    size_t bytes;         /* of image */
    size_t first;         /* where element 0 starts in the image */
    unsigned char *image; /* what should be there */
    unsigned char *got;   /* what was there at the last fetch */
    unsigned char *memory;
    void *at; /* what a routine takes: BLAS's pointer, the low end for negative strides */
    void *mapped;
    size_t mapped_bytes;
} guarded;

/* The pointer stands offset_bytes past an address that is a multiple of 256 (loose vectors only).
 * false: no memory, which is counted as a failure. Destroy it in this case, too. */
bool guarded_make(guarded *v, gable_context *ctx, int64_t n, int64_t inc, size_t elem_bytes,
                  size_t offset_bytes, guarded_fill fill, guarded_fence fence);
void guarded_destroy(guarded *v);

/* Element i in the image, and as fetched. */
static inline size_t guarded_place(const guarded *v, int64_t i)
{
    return (size_t)((int64_t)v->first + i * v->inc * (int64_t)v->elem_bytes);
}

static inline void *guarded_element(const guarded *v, int64_t i)
{
    return v->image + guarded_place(v, i);
}

static inline const void *guarded_result(const guarded *v, int64_t i)
{
    return v->got + guarded_place(v, i);
}

/* The image to the device; the device's memory to `got`. */
bool guarded_send(guarded *v);
bool guarded_fetch(guarded *v);

/* After a fetch: all is as the image says; what is no element is. Differences are failures. */
bool guarded_same(const guarded *v, const char *name);
bool guarded_surroundings(const guarded *v, const char *name);

/* A result's place: in host or in device memory, bytes around it watched. */
typedef struct result_place {
    guarded device;
    unsigned char host[192];
    void *at; /* what a routine takes */
    size_t bytes;
    bool on_host;
} result_place;
bool result_make(result_place *place, gable_context *ctx, size_t bytes, bool on_host);
/* Copies the result out, checks what is around it, frees. */
bool result_take(result_place *place, void *value);
/* The same, where the place must not have been touched at all. */
bool result_untouched(result_place *place);

/* bytes of address space that are only there where they are touched, for strides past 2^31; NULL:
 * not to be had. On devices real memory. */
void *far_reserve(gable_context *ctx, bool is_host, size_t bytes);
void far_release(gable_context *ctx, bool is_host, void *address, size_t bytes);

#endif
