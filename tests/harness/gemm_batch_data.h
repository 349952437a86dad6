/* gemm_batch_data.h: one case of many products of two matrices: its operands, its call, what it is
 * compared with.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_GEMM_BATCH_DATA_H
#define TEST_GEMM_BATCH_DATA_H

#include "blas/level3/level3.h"
#include "harness/batch_entry_data.h"

typedef struct batch_case {
    gable_trans transa, transb;
    int64_t m, n, k, batch;
    int64_t below[3],
        between[3]; /* of A, B and C: elements behind each column, behind each batch entry */
    int offset;     /* elements that A is off its alignment; B and C half as many */
    bool pointers, same_a, same_b, backwards;
    uint64_t seed;
    T alpha, beta;
    bool random; /* not integers */
    bool on_device;
    guarded_fill fill;
    guarded_fence fence;
} batch_case;

typedef struct operands {
    entries A, B, C;
    guarded scalars;
} operands;

static entries operand_of(const batch_case *c, int which)
{
    const bool turned = which == 0   ? c->transa != GABLE_NO_TRANS
                        : which == 1 ? c->transb != GABLE_NO_TRANS
                                     : false;
    const int64_t rows = which == 1 ? c->k : c->m, columns = which == 0 ? c->k : c->n;
    entries v = {.rows = turned ? columns : rows, .columns = turned ? rows : columns};
    v.ld = v.rows + c->below[which];
    v.batch = c->batch;
    v.between = c->between[which];
    v.offset = which == 0 ? c->offset : c->offset / 2;
    v.pointers = c->pointers;
    v.same = which == 0 ? c->same_a : which == 1 && c->same_b;
    v.backwards = c->backwards && which == 0;
    return v;
}

static bool build(routine *r, operands *o, const batch_case *c)
{
    entries *const all[] = {&o->A, &o->B, &o->C};
    memset(o, 0, sizeof *o);
    for (int which = 0; which < 3; which++) {
        entries *v = all[which];
        *v = operand_of(c, which);
        if (!entries_make(r, v, c->fill, c->fence))
            return false;
        for (int64_t b = 0; b < (v->same ? 1 : c->batch); b++)
            for (int64_t j = 0; j < v->columns; j++)
                for (int64_t i = 0; i < v->rows; i++) {
                    const int64_t e = entries_at(v, b, i, j);
                    const uint64_t seed = c->seed + (uint64_t)which;
                    put(&v->block, e,
                        c->random ? random_element(seed, e) : integer_element(seed, e, 4));
                }
        if (!guarded_send(&v->block))
            return false;
    }
    if (!guarded_make(&o->scalars, r->ctx, 2, 1, sizeof(T), 0, FILL_NAN, LOOSE))
        return false;
    put(&o->scalars, 0, c->alpha);
    put(&o->scalars, 1, c->beta);
    return guarded_send(&o->scalars);
}

static void destroy(operands *o)
{
    entries_destroy(&o->A);
    entries_destroy(&o->B);
    entries_destroy(&o->C);
    guarded_destroy(&o->scalars);
}

/* The call as its door fills it. */
static gbl_product_call call_of(const operands *o, const batch_case *c)
{
    T *const scalars = o->scalars.at;
    return (gbl_product_call)TYPED_CALL(
            .trans = c->transa, .trans_b = c->transb, .m = c->m, .n = c->n, .k = c->k,
            .alpha = {c->on_device ? scalars : NULL, real_part(c->alpha), imaginary_part(c->alpha)},
            .beta = {c->on_device ? scalars + 1 : NULL, real_part(c->beta),
                     imaginary_part(c->beta)},
            .A = entries_address(&o->A), .lda = o->A.ld, .stride_a = entries_stride(&o->A),
            .B = entries_address(&o->B), .ldb = o->B.ld, .stride_b = entries_stride(&o->B),
            .C = entries_address(&o->C), .ldc = o->C.ld, .stride_c = entries_stride(&o->C),
            .batch = c->batch, .pointers = c->pointers);
}

/* ---- Reference ---- */

static T factor(const entries *v, gable_trans trans, int64_t b, int64_t i, int64_t j)
{
    const T t =
        get(&v->block, trans == GABLE_NO_TRANS ? entries_at(v, b, i, j) : entries_at(v, b, j, i));
    return trans == GABLE_CONJ_TRANS ? entry_conjugate(t) : t;
}

/* Element (i, j) of alpha op(A) op(B) + beta C of batch entry b, from the images. */
static entry_sum reference(const operands *o, const batch_case *c, int64_t b, int64_t i, int64_t j)
{
    entry_sum sum = {{0, 0}, {0, 0}, 0}, all = sum;
    for (int64_t p = 0; p < c->k && entry_size(c->alpha) != 0; p++)
        entry_add(&sum, factor(&o->A, c->transa, b, i, p), factor(&o->B, c->transb, b, p, j));
    if (entry_size(c->beta) != 0)
        entry_add(&all, c->beta, get(&o->C.block, entries_at(&o->C, b, i, j)));
    if (entry_size(c->alpha) != 0)
        entry_add_scaled(&all, c->alpha, &sum);
    return all;
}

#endif
