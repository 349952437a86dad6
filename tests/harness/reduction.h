/* reduction.h: what tests of reductions share: one or two vectors in, one number out.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A test describes its reduction: how elements are made, which function is called, what is right.
 * The parts here run it over all shapes, with the result in host and device memory in turn; what is
 * special about a routine (its edges) stays in its own file.
 */
#ifndef TEST_REDUCTION_H
#define TEST_REDUCTION_H

#include "harness/routine.h"

typedef struct reduction {
    const char *name; /* "gable_dasum": what messages start with */
    int vectors;      /* 1: x, 2: x and y */
    size_t elem_bytes, real_bytes, result_bytes;
    int x_number, y_number, result_number; /* in messages */
    gbl_vector_call call; /* dtype, flags and scalars; operands are filled in for each call */

    /* Calls the routine with the operands of a call. */
    gable_status (*run)(gable_context *ctx, const gbl_vector_call *call);
    /* Puts element i into a vector: integers whose sums are exact in every order, or anything. */
    void (*put_integer)(const guarded *v, int64_t i, uint64_t seed);
    void (*put_random)(const guarded *v, int64_t i, uint64_t seed);
    /* Checks the value of such vectors; y is NULL where there is one vector only. */
    void (*check_exact)(routine *r, const guarded *x, const guarded *y, const void *value);
    void (*check_bound)(routine *r, const guarded *x, const guarded *y, const void *value);
} reduction;

typedef struct reduction_vectors {
    guarded x, y;
} reduction_vectors;

typedef enum reduction_data { INTEGERS, RANDOM } reduction_data;

/* Vectors of a shape, filled and sent; destroy them in any case. */
bool reduction_build(routine *r, const reduction *d, reduction_vectors *v, const shape *s,
                     uint64_t seed, reduction_data data, guarded_fill fill, guarded_fence fence);
void reduction_destroy(reduction_vectors *v);

/* The value of the vectors as they are, with what is around the result checked. */
bool reduction_run(routine *r, const reduction *d, const reduction_vectors *v, bool on_host,
                   void *value);

/* One case of each kind. */
void reduction_exact_case(routine *r, const reduction *d, const shape *s, uint64_t seed,
                          bool on_host, guarded_fill fill, guarded_fence fence);
void reduction_random_case(routine *r, const reduction *d, const shape *s, uint64_t seed,
                           bool on_host);

/* n = 0: the result is `wanted` and the vectors are not looked at; then n = 1 with every kind of
 * stride. */
void reduction_small(routine *r, const reduction *d, const void *wanted);

/* Three elements of x and of y (NULL for one vector) more than 2^31 apart, with x backwards and,
 * for one vector, forwards. */
void reduction_far(routine *r, const reduction *d, const void *x, const void *y,
                   const void *wanted_backwards, const void *wanted_forwards);

/* n = 2^31 + 5 times the same element, with GABLE_TEST_ALL only: a stride of 0 needs no memory. */
void reduction_many(routine *r, const reduction *d, const void *x, const void *y,
                    const void *wanted);

/* The parts. */
void reduction_exact(routine *r, const reduction *d);
void reduction_residual(routine *r, const reduction *d);
void reduction_guards(routine *r, const reduction *d);
void reduction_arguments(routine *r, const reduction *d);
void reduction_repeat(routine *r, const reduction *d);

#endif
