/* batch_data.h: operands of many products in one watched block each, and what the products must be.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Between columns, vectors and products there are gaps. The products of arrays of addresses lie in
 * another order and off each other's alignment. The reference is a plain loop in double-double.
 */
#ifndef TEST_BATCH_DATA_H
#define TEST_BATCH_DATA_H

#include <math.h>
#include <stdlib.h>
#include "harness/matrix_data.h"
#include "harness/wide.h"
#include "harness/numbers.h"

typedef struct batch_case {
    gable_trans trans;
    int64_t m, n, batch;
    int64_t below, between; /* elements behind each column, and behind the operands of a product */
    int64_t incx, incy;
    int offset; /* elements that A is off its alignment */
    bool pointers, same_a, same_x, backwards;
    uint64_t seed;
    T alpha, beta;
    bool random; /* not integers */
    bool on_device;
    guarded_fill fill;
    guarded_fence fence;
} batch_case;

/* Where one operand of the products lies in its block. */
typedef struct span {
    int64_t extent; /* elements of one product's operand, with its gaps */
    int64_t stride; /* 0: one for all */
} span;

typedef struct operands {
    guarded A, x, y, scalars;
    guarded addresses[3]; /* of A, x and y */
} operands;

static int64_t lda_of(const batch_case *c)
{
    return c->m + c->below;
}

static int64_t terms(const batch_case *c)
{
    return c->trans == GABLE_NO_TRANS ? c->n : c->m;
}

static int64_t outputs(const batch_case *c)
{
    return c->trans == GABLE_NO_TRANS ? c->m : c->n;
}

static int64_t apart(int64_t inc)
{
    return inc < 0 ? -inc : inc;
}

static span span_of(const batch_case *c, int which)
{
    const int64_t lengths[] = {(c->n - 1) * lda_of(c) + c->m, (terms(c) - 1) * apart(c->incx) + 1,
                               (outputs(c) - 1) * apart(c->incy) + 1};
    const bool same = which == 0 ? c->same_a : which == 1 && c->same_x;
    /* In arrays of addresses every third operand is one element further. */
    return (span){lengths[which], same ? 0 : lengths[which] + c->between + (c->pointers ? 1 : 0)};
}

/* Where the operand of product b starts: its lowest element, as BLAS points. */
static int64_t start(const batch_case *c, int which, int64_t b)
{
    const span s = span_of(c, which);
    if (c->pointers)
        return (c->batch - 1 - b) * s.stride + (s.stride > 0 && b % 3 == 1);
    return (which == 0 && c->backwards ? c->batch - 1 - b : b) * s.stride;
}

static int64_t element_a(const batch_case *c, int64_t b, int64_t i, int64_t j)
{
    return start(c, 0, b) + i + j * lda_of(c);
}

static int64_t element_x(const batch_case *c, int64_t b, int64_t i)
{
    return start(c, 1, b) + (c->incx < 0 ? i - terms(c) + 1 : i) * c->incx;
}

static int64_t element_y(const batch_case *c, int64_t b, int64_t i)
{
    return start(c, 2, b) + (c->incy < 0 ? i - outputs(c) + 1 : i) * c->incy;
}

static void put_any(const guarded *v, int64_t i, const batch_case *c, uint64_t more)
{
    put(v, i,
        c->random ? random_element(c->seed + more, i) : integer_element(c->seed + more, i, 4));
}

static bool make_block(routine *r, guarded *v, const batch_case *c, int which)
{
    const span s = span_of(c, which);
    const int64_t elements = (c->batch - 1) * s.stride + s.extent + (c->pointers ? 1 : 0);
    return guarded_make(v, r->ctx, elements, 1, sizeof(T),
                        which == 0 ? (size_t)c->offset * sizeof(T) : 0, c->fill, c->fence);
}

static bool make_addresses(routine *r, operands *o, const batch_case *c)
{
    guarded *const blocks[] = {&o->A, &o->x, &o->y};
    for (int which = 0; which < 3; which++) {
        guarded *list = &o->addresses[which];
        if (!guarded_make(list, r->ctx, c->batch, 1, sizeof(T *), 0, FILL_NAN, LOOSE))
            return false;
        for (int64_t b = 0; b < c->batch; b++) {
            T *const at = (T *)blocks[which]->at + start(c, which, b);
            memcpy(guarded_element(list, b), &at, sizeof at);
        }
        if (!guarded_send(list))
            return false;
    }
    return true;
}

static bool build(routine *r, operands *o, const batch_case *c)
{
    memset(o, 0, sizeof *o);
    if (!make_block(r, &o->A, c, 0) || !make_block(r, &o->x, c, 1) || !make_block(r, &o->y, c, 2) ||
        !guarded_make(&o->scalars, r->ctx, 2, 1, sizeof(T), 0, FILL_NAN, LOOSE))
        return false;
    for (int64_t b = 0; b < c->batch; b++) {
        for (int64_t j = 0; j < c->n && (b == 0 || !c->same_a); j++)
            for (int64_t i = 0; i < c->m; i++)
                put_any(&o->A, element_a(c, b, i, j), c, 0);
        for (int64_t i = 0; i < terms(c) && (b == 0 || !c->same_x); i++)
            put_any(&o->x, element_x(c, b, i), c, 1);
        for (int64_t i = 0; i < outputs(c); i++)
            put_any(&o->y, element_y(c, b, i), c, 2);
    }
    put(&o->scalars, 0, c->alpha);
    put(&o->scalars, 1, c->beta);
    return guarded_send(&o->A) && guarded_send(&o->x) && guarded_send(&o->y) &&
           guarded_send(&o->scalars) && (!c->pointers || make_addresses(r, o, c));
}

static void destroy(operands *o)
{
    guarded *const all[] = {
        &o->A, &o->x, &o->y, &o->scalars, &o->addresses[0], &o->addresses[1], &o->addresses[2]};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        guarded_destroy(all[i]);
}

/* The call as its door fills it. */
static gbl_matrix_call call_of(const operands *o, const batch_case *c)
{
    T *const scalars = o->scalars.at;
    gbl_matrix_call call =
        TYPED_CALL(.trans = c->trans, .m = c->m, .n = c->n,
                   .alpha = {c->on_device ? scalars : NULL, real_part(c->alpha),
                             imaginary_part(c->alpha)},
                   .beta = {c->on_device ? scalars + 1 : NULL, real_part(c->beta),
                            imaginary_part(c->beta)},
                   .A = o->addresses[0].at, .lda = lda_of(c), .x = o->addresses[1].at,
                   .incx = c->incx, .y = o->addresses[2].at, .incy = c->incy, .batch = c->batch,
                   .pointers = c->pointers);
    if (!c->pointers) {
        call.A = (T *)o->A.at + start(c, 0, 0);
        call.x = o->x.at;
        call.y = o->y.at;
        call.stride_a = c->backwards ? -span_of(c, 0).stride : span_of(c, 0).stride;
        call.stride_x = span_of(c, 1).stride;
        call.stride_y = span_of(c, 2).stride;
    }
    return call;
}

/* ---- Reference ---- */

typedef struct wide_number {
    wide re, im;
    double size; /* sum of the sizes of what was added */
} wide_number;

static double size_of(T t)
{
    return wide_size(real_part(t), imaginary_part(t));
}

static void add_product(wide_number *sum, T a, T b)
{
    const double ar = real_part(a), ai = imaginary_part(a), br = real_part(b),
                 bi = imaginary_part(b);
    sum->re = wide_gather(sum->re, ar, br);
    if (COMPLEX) {
        sum->re = wide_gather(sum->re, -ai, bi);
        sum->im = wide_gather(wide_gather(sum->im, ar, bi), ai, br);
    }
    sum->size += COMPLEX ? size_of(a) * size_of(b) : fabs(ar * br);
}

/* Element i of alpha op(A) x + beta y of product b, from the images. */
static wide_number reference(const operands *o, const batch_case *c, int64_t b, int64_t i)
{
    wide_number sum = {{0, 0}, {0, 0}, 0}, y = sum;
    for (int64_t k = 0; k < terms(c); k++) {
        const bool plain = c->trans == GABLE_NO_TRANS;
        const T a = get(&o->A, plain ? element_a(c, b, i, k) : element_a(c, b, k, i));
        const double sign = c->trans == GABLE_CONJ_TRANS ? -1 : 1;
        add_product(&sum, make(real_part(a), sign * imaginary_part(a)),
                    get(&o->x, element_x(c, b, k)));
    }
    if (size_of(c->beta) != 0)
        add_product(&y, c->beta, get(&o->y, element_y(c, b, i)));
    const double ar = real_part(c->alpha), ai = imaginary_part(c->alpha);
    y.re = wide_gather(wide_gather(y.re, ar, sum.re.high), ar, sum.re.low);
    y.re = wide_gather(wide_gather(y.re, -ai, sum.im.high), -ai, sum.im.low);
    y.im = wide_gather(wide_gather(y.im, ar, sum.im.high), ar, sum.im.low);
    y.im = wide_gather(wide_gather(y.im, ai, sum.re.high), ai, sum.re.low);
    y.size += size_of(c->alpha) * sum.size;
    return y;
}

/* What lies between the elements of y is as it was. */
static void gaps_untouched(const operands *o, const batch_case *c)
{
    unsigned char *written = calloc((size_t)o->y.n, 1);
    CHECK(written != NULL, "no memory");
    if (written == NULL)
        return;
    for (int64_t b = 0; b < c->batch; b++)
        for (int64_t i = 0; i < outputs(c); i++)
            written[element_y(c, b, i)] = 1;
    bool same = true;
    for (int64_t e = 0; e < o->y.n && same; e++) {
        same = written[e] ||
               memcmp(guarded_result(&o->y, e), guarded_element(&o->y, e), sizeof(T)) == 0;
        CHECK(same, "element %lld of the block of y, which is in a gap, was written", (long long)e);
    }
    free(written);
    guarded_surroundings(&o->y, "y");
}

static void compare(routine *r, const operands *o, const batch_case *c)
{
    const double factor = c->random ? ((double)terms(c) + 2) * ROUNDOFF : 0;
    const long before = test_failures();
    for (int64_t b = 0; b < c->batch && test_failures() == before; b++) {
        for (int64_t i = 0; i < outputs(c); i++) {
            const wide_number want = reference(o, c, b, i);
            const T z = got(&o->y, element_y(c, b, i));
            routine_error(r,
                          wide_size(wide_distance(want.re, real_part(z)),
                                    wide_distance(want.im, imaginary_part(z))),
                          factor * want.size, LIMIT);
            if (test_failures() > before) {
                CHECK(false, "the wrong element is %lld of product %lld", (long long)i,
                      (long long)b);
                break;
            }
        }
    }
    gaps_untouched(o, c);
}

#endif
