/* trsm_batch_data.h: one case of many triangular solves: its operands, its call, what it is
 * compared with.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_TRSM_BATCH_DATA_H
#define TEST_TRSM_BATCH_DATA_H

#include "blas/level3/level3.h"
#include "harness/batch_entry_data.h"

typedef struct batch_case {
    gable_side side;
    gable_uplo uplo;
    gable_trans trans;
    gable_diag diag;
    int64_t m, n, batch;
    int64_t below[2],
        between[2]; /* of A and B: elements behind each column, behind each batch entry */
    int offset;     /* elements that A is off its alignment */
    bool pointers, same_a, backwards;
    uint64_t seed;
    T alpha;
    bool random; /* not integers */
    bool on_device;
    guarded_fill fill;
    guarded_fence fence;
} batch_case;

typedef struct operands {
    entries A, B;
    guarded scalars;
} operands;

static int64_t order_of(const batch_case *c)
{
    return c->side == GABLE_LEFT ? c->m : c->n;
}

/* ---- Operands ---- */

static bool is_read(const batch_case *c, int64_t i, int64_t j)
{
    return i == j ? c->diag == GABLE_NON_UNIT : (i < j) == (c->uplo == GABLE_UPPER);
}

/* Element e of the triangle. */
static T drawn(const batch_case *c, int64_t e, bool on_diagonal)
{
    static const double powers[] = {1, -1, 2, -2, 0.5};
    if (c->random) {
        const T t = random_element(c->seed, e);
        const double scale = on_diagonal ? 1 : 2 / (double)order_of(c), more = !on_diagonal ? 0
                                                                               : real_part(t) < 0
                                                                                   ? -1
                                                                                   : 1;
        return make(real_part(t) * scale + more, imaginary_part(t) * scale);
    }
    return on_diagonal ? make(powers[data_bits(c->seed, (uint64_t)e) % 5], 0)
                       : integer_element(c->seed, e, 2);
}

/* Element (i, j) of op(A), from the image; 0 beyond its triangle. */
static T op_element(const operands *o, const batch_case *c, int64_t b, int64_t i, int64_t j)
{
    const bool plain = c->trans == GABLE_NO_TRANS;
    const int64_t row = plain ? i : j, column = plain ? j : i;
    if (!is_read(c, row, column))
        return make(i == j, 0);
    const T t = get(&o->A.block, entries_at(&o->A, b, row, column));
    return c->trans == GABLE_CONJ_TRANS ? entry_conjugate(t) : t;
}

typedef T (*entry_function)(const operands *o, const batch_case *c, int64_t b, int64_t i,
                            int64_t j);

/* Element (i, j) of op(A) X or X op(A). */
static entry_sum product(const operands *o, const batch_case *c, entry_function x, int64_t b,
                         int64_t i, int64_t j)
{
    entry_sum sum = {{0, 0}, {0, 0}, 0};
    for (int64_t p = 0; p < order_of(c); p++) {
        if (c->side == GABLE_LEFT)
            entry_add(&sum, op_element(o, c, b, i, p), x(o, c, b, p, j));
        else
            entry_add(&sum, x(o, c, b, i, p), op_element(o, c, b, p, j));
    }
    return sum;
}

/* What exact solutions are made of. */
static T solution(const operands *o, const batch_case *c, int64_t b, int64_t i, int64_t j)
{
    return integer_element(c->seed + 1, entries_at(&o->B, b, i, j), 4);
}

static T solved(const operands *o, const batch_case *c, int64_t b, int64_t i, int64_t j)
{
    (void)c;
    return got(&o->B.block, entries_at(&o->B, b, i, j));
}

/* B as the routine gets it: for exact cases the product over alpha, which is a power of two. */
static T given_b(const operands *o, const batch_case *c, int64_t b, int64_t i, int64_t j)
{
    if (c->random)
        return random_element(c->seed + 1, entries_at(&o->B, b, i, j));
    const entry_sum sum = product(o, c, solution, b, i, j);
    const double over = real_part(c->alpha) == 0 ? 1 : real_part(c->alpha);
    return make(sum.re.high / over, sum.im.high / over);
}

static bool build(routine *r, operands *o, const batch_case *c)
{
    const int64_t order = order_of(c);
    memset(o, 0, sizeof *o);
    o->A = (entries){.rows = order,
                     .columns = order,
                     .ld = order + c->below[0],
                     .batch = c->batch,
                     .between = c->between[0],
                     .offset = c->offset,
                     .pointers = c->pointers,
                     .same = c->same_a,
                     .backwards = c->backwards};
    o->B = (entries){.rows = c->m,
                     .columns = c->n,
                     .ld = c->m + c->below[1],
                     .batch = c->batch,
                     .between = c->between[1],
                     .pointers = c->pointers};
    if (!entries_make(r, &o->A, c->fill, c->fence) || !entries_make(r, &o->B, c->fill, c->fence) ||
        !guarded_make(&o->scalars, r->ctx, 1, 1, sizeof(T), 0, FILL_NAN, LOOSE))
        return false;
    for (int64_t b = 0; b < (c->same_a ? 1 : c->batch); b++)
        for (int64_t j = 0; j < order; j++)
            for (int64_t i = 0; i < order; i++)
                if (is_read(c, i, j)) {
                    const int64_t e = entries_at(&o->A, b, i, j);
                    put(&o->A.block, e, drawn(c, e, i == j));
                }
    for (int64_t b = 0; b < c->batch; b++)
        for (int64_t j = 0; j < c->n; j++)
            for (int64_t i = 0; i < c->m; i++)
                put(&o->B.block, entries_at(&o->B, b, i, j), given_b(o, c, b, i, j));
    put(&o->scalars, 0, c->alpha);
    return guarded_send(&o->A.block) && guarded_send(&o->B.block) && guarded_send(&o->scalars);
}

static void destroy(operands *o)
{
    entries_destroy(&o->A);
    entries_destroy(&o->B);
    guarded_destroy(&o->scalars);
}

/* ---- Calls ---- */

static gbl_product_call call_of(const operands *o, const batch_case *c)
{
    return (gbl_product_call)TYPED_CALL(.side = c->side, .uplo = c->uplo, .trans = c->trans,
                                        .diag = c->diag, .m = c->m, .n = c->n,
                                        .alpha = {c->on_device ? o->scalars.at : NULL,
                                                  real_part(c->alpha), imaginary_part(c->alpha)},
                                        .A = entries_address(&o->A), .lda = o->A.ld,
                                        .stride_a = entries_stride(&o->A),
                                        .B = entries_address(&o->B), .ldb = o->B.ld,
                                        .stride_b = entries_stride(&o->B), .batch = c->batch,
                                        .pointers = c->pointers);
}

#endif
