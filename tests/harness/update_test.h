/* update_test.h: one case of a test of ger, syr, syr2, spr or spr2, which change a matrix in place.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A test describes its routines as update_forms; update_parts.h runs them. Typed: it comes last
 * among the includes.
 *
 * Of A only what the routine may touch holds numbers: the rest of a column and the other triangle
 * are filled as the surroundings are, and every byte of them must stay. In Hermitian forms the
 * imaginary parts of the diagonal are NaN before and 0 after.
 *
 * Bound, element by element: |error| <= (t + 3) u (|A_ij| + the sizes of the t products): alpha x_i
 * is rounded, then its product, then each sum, and one u covers the squares of u (Higham, Accuracy
 * and Stability, 3.1); for complex numbers times 2 sqrt 2 (3.6). It holds with and without fused
 * multiply-add. With small integers reference and result are exact.
 */
#ifndef TEST_UPDATE_TEST_H
#define TEST_UPDATE_TEST_H

#include <math.h>
#include <stdio.h>
#include "harness/matrix_data.h"
#include "harness/wide.h"
#include "harness/numbers.h"

/* The arguments of one call; a routine takes those that it has. */
typedef struct update_call {
    gable_uplo uplo;
    int64_t m, n;
    T alpha;
    const void *alpha_at; /* on the device, for the forms with _dev */
    const T *x, *y;
    int64_t incx, incy;
    T *A;
    int64_t lda;
} update_call;

typedef struct update_form {
    const char *name, *name_dev;
    bool triangle, conj, real_alpha;
    int terms;
    gable_status (*run)(gable_context *ctx, const update_call *c);
    gable_status (*run_dev)(gable_context *ctx, const update_call *c);
    bool packed; /* A is a packed triangle, and has no lda */
} update_form;

typedef struct update_case {
    matrix_shape s;
    gable_uplo uplo;
    uint64_t seed;
    T alpha;
    bool random; /* not integers */
    bool on_device;
    guarded_fill fill;
    guarded_fence fence;
} update_case;

static inline bool update_inside(const update_form *f, const update_case *c, int64_t i, int64_t j)
{
    if (i >= c->s.m || j >= c->s.n)
        return false;
    return !f->triangle || (c->uplo == GABLE_UPPER ? i <= j : i >= j);
}

/* The place of an element in A, for elements that are there. */
static inline int64_t update_place(const update_form *f, const update_case *c, int64_t i, int64_t j)
{
    if (!f->packed)
        return i + j * c->s.lda;
    return c->uplo == GABLE_UPPER ? i + j * (j + 1) / 2 : i + j * c->s.n - j * (j + 1) / 2;
}

/* From the element in one place to that in the next; the first is (0, 0). */
static inline void update_step(const update_form *f, const update_case *c, int64_t *i, int64_t *j)
{
    const bool upper = c->uplo == GABLE_UPPER;
    const int64_t end = !f->packed ? c->s.lda : upper ? *j + 1 : c->s.n;
    if (++*i == end) {
        ++*j;
        *i = f->packed && !upper ? *j : 0;
    }
}

static inline int64_t update_elements(const update_form *f, const matrix_shape *s)
{
    if (f->packed)
        return s->n * (s->n + 1) / 2;
    return s->m > 0 && s->n > 0 ? (s->n - 1) * s->lda + s->m : 0;
}

static inline double update_size(T t)
{
    return wide_size(real_part(t), imaginary_part(t));
}

/* ---- Operands ---- */

static inline T update_value(const update_case *c, uint64_t seed, int64_t i)
{
    return c->random ? random_element(seed, i) : integer_element(seed, i, 4);
}

static inline T update_alpha(const update_form *f, const update_case *c)
{
    return f->real_alpha ? make(real_part(c->alpha), 0) : c->alpha;
}

static inline bool update_send(matrix_operands *o)
{
    return guarded_send(&o->A) && guarded_send(&o->x) && guarded_send(&o->y) &&
           guarded_send(&o->scalars);
}

static inline bool update_build(routine *r, matrix_operands *o, const update_form *f,
                                const update_case *c)
{
    const matrix_shape *s = &c->s;
    const int64_t elements = update_elements(f, s);
    memset(o, 0, sizeof *o);
    if (!guarded_make(&o->A, r->ctx, elements, 1, sizeof(T), (size_t)s->offset * sizeof(T), c->fill,
                      c->fence) ||
        !guarded_make(&o->x, r->ctx, s->m, s->incx, sizeof(T), 0, c->fill, c->fence) ||
        !guarded_make(&o->y, r->ctx, s->n, s->incy, sizeof(T), 0, c->fill, c->fence) ||
        !guarded_make(&o->scalars, r->ctx, 1, 1, sizeof(T), 0, FILL_NAN, LOOSE))
        return false;
    for (int64_t j = 0; j < s->n; j++) {
        for (int64_t i = 0; i < s->m; i++) {
            const int64_t place = update_place(f, c, i, j);
            const T a = update_value(c, c->seed, place);
            if (update_inside(f, c, i, j))
                put(&o->A, place, f->triangle && f->conj && i == j ? make(real_part(a), NAN) : a);
        }
    }
    for (int64_t i = 0; i < s->m; i++)
        if (s->incx != 0 || i == 0)
            put(&o->x, i, update_value(c, c->seed + 1, i));
    for (int64_t i = 0; i < s->n; i++)
        if (s->incy != 0 || i == 0)
            put(&o->y, i, update_value(c, c->seed + 2, i));
    const T alpha = update_alpha(f, c);
    memcpy(guarded_element(&o->scalars, 0), &alpha, f->real_alpha ? sizeof(R) : sizeof(T));
    return update_send(o);
}

static inline update_call update_arguments(const matrix_operands *o, const update_case *c)
{
    return (update_call){.uplo = c->uplo,
                         .m = c->s.m,
                         .n = c->s.n,
                         .alpha = c->alpha,
                         .alpha_at = o->scalars.at,
                         .x = o->x.at,
                         .incx = c->s.incx,
                         .y = o->y.at,
                         .incy = c->s.incy,
                         .A = o->A.at,
                         .lda = c->s.lda};
}

static inline gable_status update_enqueue(routine *r, const matrix_operands *o,
                                          const update_form *f, const update_case *c)
{
    const update_call call = update_arguments(o, c);
    return (c->on_device ? f->run_dev : f->run)(r->ctx, &call);
}

static inline bool update_run(routine *r, const matrix_operands *o, const update_form *f,
                              const update_case *c)
{
    const T alpha = update_alpha(f, c);
    const gbl_matrix_call call =
        TYPED_CALL(.uplo = c->uplo, .conj = f->conj, .real_scalars = f->real_alpha,
                   .storage = f->packed ? GBL_PACKED : GBL_FULL, .m = c->s.m, .n = c->s.n,
                   .alpha = {c->on_device ? o->scalars.at : NULL, real_part(alpha),
                             imaginary_part(alpha)},
                   .A = o->A.at, .lda = f->packed ? 0 : c->s.lda, .x = o->x.at, .incx = c->s.incx,
                   .y = o->y.at, .incy = c->s.incy);
    const bool nothing = !c->on_device && update_size(alpha) == 0;
    return routine_ran(r, update_enqueue(r, o, f, c), nothing ? NULL : &call);
}

/* ---- The reference ---- */

typedef struct update_sum {
    wide re, im;
    double size; /* sum of the sizes of what was added */
} update_sum;

static inline T update_conj(const update_form *f, T a)
{
    return f->conj ? make(real_part(a), -imaginary_part(a)) : a;
}

/* sum + a x y */
static inline void update_add(update_sum *sum, T a, T x, T y)
{
    const double xr = real_part(x), xi = imaginary_part(x), yr = real_part(y),
                 yi = imaginary_part(y), ar = real_part(a), ai = imaginary_part(a);
    wide re = {0, 0}, im = {0, 0};
    re = wide_gather(re, xr, yr);
    if (COMPLEX) {
        re = wide_gather(re, -xi, yi);
        im = wide_gather(wide_gather(im, xr, yi), xi, yr);
        sum->re = wide_gather(wide_gather(sum->re, -ai, im.high), -ai, im.low);
        sum->im = wide_gather(wide_gather(sum->im, ar, im.high), ar, im.low);
        sum->im = wide_gather(wide_gather(sum->im, ai, re.high), ai, re.low);
    }
    sum->re = wide_gather(wide_gather(sum->re, ar, re.high), ar, re.low);
    sum->size += update_size(a) * update_size(x) * update_size(y);
}

/* What element (i, j) becomes that was `a`. */
static inline update_sum update_expected(const matrix_operands *o, const update_form *f,
                                         const update_case *c, int64_t i, int64_t j, T a)
{
    const bool real = f->triangle && f->conj && i == j;
    const guarded *second = f->triangle && f->terms == 1 ? &o->x : &o->y;
    const T alpha = update_alpha(f, c);
    update_sum sum = {{real_part(a), 0}, {real ? 0 : imaginary_part(a), 0}, 0};
    sum.size = wide_size(sum.re.high, sum.im.high);
    update_add(&sum, alpha, get(&o->x, i), update_conj(f, get(second, j)));
    if (f->terms > 1)
        update_add(&sum, update_conj(f, alpha), get(&o->y, i), update_conj(f, get(&o->x, j)));
    if (real)
        sum.im = (wide){0, 0};
    return sum;
}

static inline update_sum update_reference(const matrix_operands *o, const update_form *f,
                                          const update_case *c, int64_t i, int64_t j)
{
    return update_expected(o, f, c, i, j, get(&o->A, update_place(f, c, i, j)));
}

/* All of A as fetched: the elements of the update against the reference, the others against what
 * was sent. */
static inline void update_compare(routine *r, matrix_operands *o, const update_form *f,
                                  const update_case *c)
{
    const double factor = c->random ? (f->terms + 3) * ROUNDOFF : 0;
    const long before = test_failures();
    for (int64_t e = 0, i = 0, j = 0; e < o->A.n && test_failures() == before; e++) {
        const T z = got(&o->A, e);
        if (update_inside(f, c, i, j)) {
            const update_sum want = update_reference(o, f, c, i, j);
            const double error = wide_size(wide_distance(want.re, real_part(z)),
                                           wide_distance(want.im, imaginary_part(z)));
            routine_error(r, error, factor * want.size, LIMIT);
            if (f->triangle && f->conj && i == j)
                CHECK(imaginary_part(z) == 0, "the diagonal is not real");
        } else {
            CHECK(memcmp(guarded_element(&o->A, e), guarded_result(&o->A, e), sizeof(T)) == 0,
                  "what is no part of the update was changed");
        }
        if (test_failures() > before)
            CHECK(false, "the wrong element is in row %lld, column %lld", (long long)i,
                  (long long)j);
        update_step(f, c, &i, &j);
    }
    guarded_surroundings(&o->A, "A");
}

static inline void update_unchanged(matrix_operands *o)
{
    if (guarded_fetch(&o->x) && guarded_fetch(&o->y)) {
        guarded_same(&o->x, "x");
        guarded_same(&o->y, "y");
    }
}

static inline void update_begin(routine *r, const update_form *f, const update_case *c,
                                const char *more)
{
    char text[192];
    snprintf(text, sizeof text, "%s uplo=%c alpha=%g,%g %s fence=%d%s%s", f->name,
             c->uplo == GABLE_UPPER ? 'U' : 'L', real_part(c->alpha), imaginary_part(c->alpha),
             c->on_device ? "on device" : "by value", (int)c->fence, more[0] ? " " : "", more);
    matrix_case(r, &c->s, c->seed, text);
}

static inline void update_check(routine *r, const update_form *f, const update_case *c)
{
    matrix_operands o;
    update_begin(r, f, c, "");
    if (update_build(r, &o, f, c) && update_run(r, &o, f, c)) {
        if (guarded_fetch(&o.A))
            update_compare(r, &o, f, c);
        update_unchanged(&o);
    }
    matrix_destroy(&o);
}

#endif
