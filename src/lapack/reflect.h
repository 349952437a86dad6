/* reflect.h: blocks of Householder reflectors: H = H_1 H_2 ... H_k = I - V T V^H.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * V and T lie in the workspace as plain matrices: V with the ones of its diagonal and zeros above
 * it, T with zeros below its diagonal. So H is applied by three products.
 */
#ifndef GBL_REFLECT_H
#define GBL_REFLECT_H

#include "lapack/lapack.h"

typedef struct gbl_reflectors {
    gbl_dtype dtype;
    int64_t m, k; /* V is m by k, T k by k */
    void *V, *T;
    int64_t ldv, ldt;
} gbl_reflectors;

/* Reflectors [from, from + count) of a block, without the rows of V above them, which are zeros. */
gbl_reflectors gbl_reflectors_part(const gbl_reflectors *h, int64_t from, int64_t count);

/* Room for products with V: each k by n, or m by k from the right. */
typedef struct gbl_reflect_room {
    void *W, *X;
    int64_t ld;
} gbl_reflect_room;
gable_status gbl_reflect_take(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                              gbl_reflect_room *room);

/* C := op(H) C (side GABLE_LEFT), C has h->m rows and n columns; or C op(H) with n rows and h->m
 * columns. op(H) is H^H where `adjoint` is set. */
gable_status gbl_reflect(gable_context *ctx, const char *routine, gable_side side, bool adjoint,
                         const gbl_reflectors *h, int64_t n, void *C, int64_t ldc,
                         const gbl_reflect_room *room);

/* C := alpha op(A) op(B) + beta C */
gbl_product_call gbl_reflect_product(gbl_dtype dtype, bool turn_a, bool turn_b, int64_t m,
                                     int64_t n, int64_t k, double alpha, double beta);

/* The block T12 that joins two neighbours, V = (V1 V2): -T11 (V1^H V2) T22. `count` reflectors, of
 * which `half` are in the first one. */
gable_status gbl_reflect_join(gable_context *ctx, const char *routine, const gbl_reflectors *h,
                              int64_t half, const gbl_reflect_room *room);

/* Where a block is cut in two: behind a whole number of leaves. */
static inline int64_t gbl_reflect_half(int64_t count, int64_t leaf)
{
    const int64_t leaves = (count + leaf - 1) / leaf;
    return (leaves + 1) / 2 * leaf;
}

#endif
