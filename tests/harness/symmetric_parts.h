/* symmetric_parts.h: a case of symv or hemv: its operands, the call, the reference. For typed tests.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The triangle that is not stored is NaN, and so are imaginary parts of the diagonal of Hermitian matrices.
 * The reference is a plain loop in double-double.
 */
#ifndef TEST_SYMMETRIC_PARTS_H
#define TEST_SYMMETRIC_PARTS_H

#include <math.h>
#include <stdio.h>
#include "harness/matrix_data.h"
#include "harness/wide.h"
#include "harness/numbers.h"

/* What a case runs with. */
typedef struct symv_case {
    int64_t n, lda, incx, incy;
    int offset; /* elements that A is off its alignment */
    gable_uplo uplo;
    bool hermitian;
    uint64_t seed;
    T alpha, beta;
    bool random; /* not integers */
    bool on_device;
    guarded_fill fill;
    guarded_fence fence;
} symv_case;

/* ---- Operands ---- */

static void small_integer(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, integer_element(seed, i, 4));
}

static void any(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, random_element(seed, i));
}

/* Sums stay below 2^24: 1000 products of at most 2 * 16, times 3. */
static T integer_scalar(uint64_t seed)
{
    return make((double)(seed % 5) - 2, (double)(seed % 3) - 1);
}

static matrix_shape shape_of(const symv_case *c)
{
    return (matrix_shape){.trans = GABLE_NO_TRANS,
                          .m = c->n,
                          .n = c->n,
                          .lda = c->lda,
                          .incx = c->incx,
                          .incy = c->incy,
                          .offset = c->offset};
}

static bool is_stored(const symv_case *c, int64_t i, int64_t j)
{
    return c->uplo == GABLE_UPPER ? i <= j : i >= j;
}

static bool build(routine *r, matrix_operands *o, const symv_case *c)
{
    const matrix_shape s = shape_of(c);
    if (!matrix_build(r, o, &s, sizeof(T), c->random ? any : small_integer, c->seed, c->fill,
                      c->fence))
        return false;
    for (int64_t j = 0; j < c->n; j++) {
        for (int64_t i = 0; i < c->n; i++)
            if (!is_stored(c, i, j))
                memset(guarded_element(&o->A, i + j * c->lda), 0xff, sizeof(T));
        if (c->hermitian)
            put(&o->A, j + j * c->lda, make(real_part(get(&o->A, j + j * c->lda)), NAN));
    }
    put(&o->scalars, 0, c->alpha);
    put(&o->scalars, 1, c->beta);
    return guarded_send(&o->A) && guarded_send(&o->scalars);
}

static gbl_matrix_call call_of(const matrix_operands *o, const symv_case *c)
{
    T *const scalars = o->scalars.at;
    return (gbl_matrix_call){
        .dtype = DTYPE,
        .trans = GABLE_NO_TRANS,
        .uplo = c->uplo,
        .conj = c->hermitian,
        .m = c->n,
        .n = c->n,
        .alpha = {c->on_device ? scalars : NULL, real_part(c->alpha), imaginary_part(c->alpha)},
        .beta = {c->on_device ? scalars + 1 : NULL, real_part(c->beta), imaginary_part(c->beta)},
        .A = o->A.at,
        .lda = c->lda,
        .x = o->x.at,
        .incx = c->incx,
        .y = o->y.at,
        .incy = c->incy};
}

/* Which of the routines, and its scalars: addresses for the forms that take them from the device. */
typedef struct door {
    bool hermitian, dev;
    T alpha, beta;
    const T *alpha_at, *beta_at;
} door;

static gable_status symv(gable_context *ctx, const door *d, int uplo_number, int64_t n, const T *A,
                         int64_t lda, const T *x, int64_t incx, T *y, int64_t incy)
{
    const gable_uplo uplo = (gable_uplo)uplo_number;
#if COMPLEX
    if (d->hermitian)
        return d->dev
                   ? FN(hemv_dev)(ctx, uplo, n, d->alpha_at, A, lda, x, incx, d->beta_at, y, incy)
                   : FN(hemv)(ctx, uplo, n, d->alpha, A, lda, x, incx, d->beta, y, incy);
#endif
    return d->dev ? FN(symv_dev)(ctx, uplo, n, d->alpha_at, A, lda, x, incx, d->beta_at, y, incy)
                  : FN(symv)(ctx, uplo, n, d->alpha, A, lda, x, incx, d->beta, y, incy);
}

static gable_status enqueue(routine *r, const matrix_operands *o, const symv_case *c)
{
    const T *scalars = o->scalars.at;
    const door d = {c->hermitian, c->on_device, c->alpha, c->beta, scalars, scalars + 1};
    return symv(r->ctx, &d, (int)c->uplo, c->n, o->A.at, c->lda, o->x.at, c->incx, o->y.at,
                c->incy);
}

static bool run(routine *r, const matrix_operands *o, const symv_case *c)
{
    const gbl_matrix_call call = call_of(o, c);
    return routine_ran(r, enqueue(r, o, c), c->n == 0 ? NULL : &call);
}

/* ---- Reference ---- */

typedef struct wide_number {
    wide re, im;
    double size; /* sum of the sizes of what was added */
} wide_number;

static double size_of(T t)
{
    return hypot(real_part(t), imaginary_part(t));
}

static void add_product(wide_number *sum, T a, T b)
{
    const double ar = real_part(a), ai = imaginary_part(a), br = real_part(b),
                 bi = imaginary_part(b);
    sum->re = wide_add_product(sum->re, ar, br);
    if (COMPLEX) {
        sum->re = wide_add_product(sum->re, -ai, bi);
        sum->im = wide_add_product(wide_add_product(sum->im, ar, bi), ai, br);
    }
    sum->size += COMPLEX ? size_of(a) * size_of(b) : fabs(ar * br);
}

/* Element (i, j) of the whole matrix. */
static T element(const matrix_operands *o, const symv_case *c, int64_t i, int64_t j)
{
    const bool stored = is_stored(c, i, j);
    const T a = get(&o->A, stored ? i + j * c->lda : j + i * c->lda);
    if (!c->hermitian)
        return a;
    return make(real_part(a), i == j ? 0 : stored ? imaginary_part(a) : -imaginary_part(a));
}

/* Element i of alpha A x + beta y, from the images. */
static wide_number reference(const matrix_operands *o, const symv_case *c, int64_t i)
{
    wide_number sum = {{0, 0}, {0, 0}, 0}, y = sum;
    for (int64_t k = 0; k < c->n; k++)
        add_product(&sum, element(o, c, i, k), get(&o->x, k));
    if (size_of(c->beta) != 0)
        add_product(&y, c->beta, get(&o->y, i));
    const double ar = real_part(c->alpha), ai = imaginary_part(c->alpha);
    y.re = wide_add_product(wide_add_product(y.re, ar, sum.re.high), ar, sum.re.low);
    y.re = wide_add_product(wide_add_product(y.re, -ai, sum.im.high), -ai, sum.im.low);
    y.im = wide_add_product(wide_add_product(y.im, ar, sum.im.high), ar, sum.im.low);
    y.im = wide_add_product(wide_add_product(y.im, ai, sum.re.high), ai, sum.re.low);
    y.size += size_of(c->alpha) * sum.size;
    return y;
}

/* Every element of y as fetched against the reference, and what is around it. */
static void compare(routine *r, matrix_operands *o, const symv_case *c)
{
    const double factor = c->random ? ((double)c->n + 2) * ROUNDOFF : 0;
    for (int64_t i = 0; i < c->n; i++) {
        const wide_number want = reference(o, c, i);
        const T z = got(&o->y, i);
        const double error =
            hypot(wide_distance(want.re, real_part(z)), wide_distance(want.im, imaginary_part(z)));
        const long before = test_failures();
        routine_error(r, error, factor * want.size, LIMIT);
        if (test_failures() > before) {
            CHECK(false, "the wrong element is %lld", (long long)i);
            break;
        }
    }
    guarded_surroundings(&o->y, "y");
}

static void begin(routine *r, const symv_case *c, const char *more)
{
    const matrix_shape s = shape_of(c);
    char text[192];
    snprintf(text, sizeof text, "%s uplo=%c alpha=%g,%g beta=%g,%g scalars %s fence=%d%s%s",
             c->hermitian ? "hemv" : "symv", c->uplo == GABLE_UPPER ? 'U' : 'L',
             real_part(c->alpha), imaginary_part(c->alpha), real_part(c->beta),
             imaginary_part(c->beta), c->on_device ? "on device" : "by value", (int)c->fence,
             more[0] ? " " : "", more);
    matrix_case(r, &s, c->seed, text);
}

static void check(routine *r, const symv_case *c)
{
    matrix_operands o;
    begin(r, c, "");
    if (build(r, &o, c) && run(r, &o, c)) {
        if (guarded_fetch(&o.y))
            compare(r, &o, c);
        matrix_unchanged(&o);
    }
    matrix_destroy(&o);
}

#endif
