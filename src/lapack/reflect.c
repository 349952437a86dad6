/* reflect.c: blocks of Householder reflectors, applied and joined by products.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/launch.h"
#include "lapack/reflect.h"

gbl_reflectors gbl_reflectors_part(const gbl_reflectors *h, int64_t from, int64_t count)
{
    gbl_reflectors part = *h;
    part.m -= from;
    part.k = count;
    part.V = gbl_element(h->dtype, h->V, h->ldv, from, from);
    part.T = gbl_element(h->dtype, h->T, h->ldt, from, from);
    return part;
}

gable_status gbl_reflect_take(gable_context *ctx, gbl_dtype dtype, int64_t rows, int64_t columns,
                              gbl_reflect_room *room)
{
    TRY(gbl_composed_room(ctx, dtype, rows, columns, &room->W, &room->ld));
    return gbl_composed_room(ctx, dtype, rows, columns, &room->X, &room->ld);
}

gbl_product_call gbl_reflect_product(gbl_dtype dtype, bool turn_a, bool turn_b, int64_t m,
                                     int64_t n, int64_t k, double alpha, double beta)
{
    return (gbl_product_call){.dtype = dtype,
                              .trans = turn_a ? gbl_adjoint(dtype) : GABLE_NO_TRANS,
                              .trans_b = turn_b ? gbl_adjoint(dtype) : GABLE_NO_TRANS,
                              .m = m,
                              .n = n,
                              .k = k,
                              .alpha = {.re = alpha},
                              .beta = {.re = beta}};
}

static gable_status multiply(gable_context *ctx, const char *routine, gbl_product_call product,
                             const void *A, int64_t lda, const void *B, int64_t ldb, void *C,
                             int64_t ldc)
{
    product.A = (void *)(uintptr_t)A;
    product.lda = lda;
    product.B = (void *)(uintptr_t)B;
    product.ldb = ldb;
    product.C = C;
    product.ldc = ldc;
    return gbl_gemm(ctx, routine, &product);
}

gable_status gbl_reflect(gable_context *ctx, const char *routine, gable_side side, bool adjoint,
                         const gbl_reflectors *h, int64_t n, void *C, int64_t ldc,
                         const gbl_reflect_room *room)
{
    const gbl_dtype t = h->dtype;
    const int64_t m = h->m, k = h->k;
    if (n == 0 || k == 0)
        return GABLE_OK;
    if (side == GABLE_LEFT) {
        TRY(multiply(ctx, routine, gbl_reflect_product(t, true, false, k, n, m, 1, 0), h->V, h->ldv,
                     C, ldc, room->W, room->ld));
        TRY(multiply(ctx, routine, gbl_reflect_product(t, adjoint, false, k, n, k, 1, 0), h->T,
                     h->ldt, room->W, room->ld, room->X, room->ld));
        return multiply(ctx, routine, gbl_reflect_product(t, false, false, m, n, k, -1, 1), h->V,
                        h->ldv, room->X, room->ld, C, ldc);
    }
    TRY(multiply(ctx, routine, gbl_reflect_product(t, false, false, n, k, m, 1, 0), C, ldc, h->V,
                 h->ldv, room->W, room->ld));
    TRY(multiply(ctx, routine, gbl_reflect_product(t, false, adjoint, n, k, k, 1, 0), room->W,
                 room->ld, h->T, h->ldt, room->X, room->ld));
    return multiply(ctx, routine, gbl_reflect_product(t, false, true, n, m, k, -1, 1), room->X,
                    room->ld, h->V, h->ldv, C, ldc);
}

gable_status gbl_reflect_join(gable_context *ctx, const char *routine, const gbl_reflectors *h,
                              int64_t half, const gbl_reflect_room *room)
{
    const gbl_dtype t = h->dtype;
    const int64_t rest = h->k - half, rows = h->m - half;
    const void *below = gbl_element(t, h->V, h->ldv, half, 0),
               *right = gbl_element(t, h->V, h->ldv, half, half);
    TRY(multiply(ctx, routine, gbl_reflect_product(t, true, false, half, rest, rows, 1, 0), below,
                 h->ldv, right, h->ldv, room->W, room->ld));
    TRY(multiply(ctx, routine, gbl_reflect_product(t, false, false, half, rest, half, 1, 0), h->T,
                 h->ldt, room->W, room->ld, room->X, room->ld));
    return multiply(ctx, routine, gbl_reflect_product(t, false, false, half, rest, rest, -1, 0),
                    room->X, room->ld, gbl_element(t, h->T, h->ldt, half, half), h->ldt,
                    gbl_element(t, h->T, h->ldt, 0, half), h->ldt);
}
