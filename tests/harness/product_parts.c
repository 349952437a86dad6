/* product_parts.c: the six parts of routines y := alpha op(A) x + beta y.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "harness/product_test.h"

static number integer(const routine *r, double re, double im)
{
    return number_of(r->dtype, re, im);
}

/* Sums stay below 2^24: 3000 products of at most 2 * 16, times 3. */
static number integer_scalar(const routine *r, uint64_t seed)
{
    return integer(r, (double)(seed % 5) - 2, (double)(seed % 3) - 1);
}

/* ---- Exact, residual ---- */

void product_exact(routine *r)
{
    product_case c;
    if (matrix_left_out(r))
        return;
    for (const product_form *f = NULL; (f = product_next(r, f)) != NULL;) {
        for (int i = 0; (c = product_any(r, f, i, false)).s.n > 0; i++) {
            c.seed = 10 * (uint64_t)i;
            c.alpha = integer_scalar(r, (uint64_t)i);
            c.beta = integer_scalar(r, (uint64_t)i / 3 + 1);
            c.on_device = i % 5 % 2;
            product_check(r, f, &c);
        }
    }
}

void product_residual(routine *r)
{
    product_case c;
    for (const product_form *f = NULL; (f = product_next(r, f)) != NULL;) {
        for (int i = 0; (c = product_any(r, f, i, false)).s.n > 0; i++) {
            c.seed = 10000 + 10 * (uint64_t)i;
            c.alpha = number_random(r->dtype, 10003 + (uint64_t)i, 0);
            c.beta = number_random(r->dtype, 10004 + (uint64_t)i, 0);
            c.random = true;
            c.on_device = i % 5 % 2 == 0;
            product_check(r, f, &c);
        }
    }
}

/* ---- Edges ---- */

/* m = 0 or n = 0: y stays, whatever beta is, and no pointer is looked at. */
static void nothing(routine *r, const product_form *f, const product_case *given)
{
    product_case c = *given;
    matrix_operands o;
    c.fill = FILL_PATTERN;
    product_begin(r, f, &c, "m = 0 and n = 0");
    if (product_build(r, &o, f, &c)) {
        const bool square = !product_has(f, "m");
        const product_call good = product_arguments_of(&o, &c);
        product_call call = good;
        call.m = 0;
        if (!square)
            CHECK_OK(r->ctx, f->run(r->ctx, &call));
        call = good;
        call.n = 0;
        call.beta = integer(r, 0, 0);
        CHECK_OK(r->ctx, f->run(r->ctx, &call));
        call.alpha_at = call.beta_at = call.A = call.x = NULL;
        CHECK_OK(r->ctx, f->run_dev(r->ctx, &call));
        call.m = 0;
        call.y = NULL;
        call.incy = -1;
        CHECK_OK(r->ctx, f->run(r->ctx, &call));
        if (guarded_fetch(&o.y))
            guarded_same(&o.y, "y");
    }
    matrix_destroy(&o);
}

/* alpha = 0: A and x are NaN and do not matter; beta = 0: nor does y. */
static void not_read(routine *r, const product_form *f, const product_case *given, number alpha,
                     number beta, bool on_device)
{
    product_case c = *given;
    matrix_operands o;
    c.seed = 60;
    c.alpha = alpha;
    c.beta = beta;
    c.on_device = on_device;
    product_begin(r, f, &c, "what is not read is NaN");
    if (product_build(r, &o, f, &c)) {
        bool good = true; /* the images of A and x stay as the reference needs them */
        if (number_size(alpha) == 0)
            good = CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.A.memory, 0xff, o.A.bytes)) &&
                   CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.x.memory, 0xff, o.x.bytes));
        for (int64_t i = 0; number_size(beta) == 0 && i < product_y(&c); i++)
            memset(guarded_element(&o.y, i), 0xff, o.y.elem_bytes);
        if (good && guarded_send(&o.y) && product_run(r, &o, f, &c) && guarded_fetch(&o.y))
            product_compare(r, &o, f, &c);
    }
    matrix_destroy(&o);
}

/* Whether the special number of spreads reaches element e of y. */
static bool reached(const product_form *f, const product_case *c, int64_t i, int64_t j, int64_t e)
{
    const bool plain = c->trans == GABLE_NO_TRANS;
    if (i < 0)
        return plain ? stored_inside(f->how, &c->s, e, j) : stored_inside(f->how, &c->s, j, e);
    return e == (plain ? i : j) || (f->how->triangle && e == j);
}

/* A NaN or Inf stored at (i, j) of A reaches its element of y, or both where A is symmetric, and no
 * other. In x (i < 0) it reaches all rows that have a coefficient for it. An Inf in x makes no NaN
 * of positive real numbers. */
static void spreads(routine *r, const product_form *f, const product_case *given, int64_t i,
                    int64_t j, double special)
{
    product_case c = *given;
    matrix_operands o;
    char more[96];
    c.seed = 70;
    c.alpha = integer(r, 2, 0);
    c.beta = integer(r, 1, 0);
    snprintf(more, sizeof more, "%g at row %lld, column %lld", special, (long long)i, (long long)j);
    product_begin(r, f, &c, more);
    if (product_build(r, &o, f, &c)) {
        const bool positive = i < 0 && !isnan(special) && !gbl_dtype_complex(r->dtype);
        for (int64_t e = 0; e < product_x(&c); e++) /* no zeros: some BLAS skip their columns */
            number_put(r->dtype, &o.x, e, integer(r, 1 + (double)(e % 3), 1));
        for (int64_t e = 0; i < 0 && e < c.s.m * c.s.n; e++)
            if (stored_has(f->how, &c.s, e % c.s.m, e / c.s.m))
                number_put(r->dtype, &o.A, f->how->place(&c.s, e % c.s.m, e / c.s.m),
                           integer(r, 1, 1));
        if (i < 0)
            number_put(r->dtype, &o.x, j, integer(r, special, 1));
        else
            number_put(r->dtype, &o.A, f->how->place(&c.s, i, j), integer(r, special, 1));
        if (guarded_send(&o.A) && guarded_send(&o.x) && product_run(r, &o, f, &c) &&
            guarded_fetch(&o.y)) {
            for (int64_t e = 0; e < product_y(&c); e++) {
                const number y = number_got(r->dtype, &o.y, e);
                const bool hit = reached(f, &c, i, j, e);
                CHECK(number_finite(y) != hit, "element %lld is %g", (long long)e, y.re);
                CHECK(!positive || !hit || y.re > 0, "element %lld is %g, not Inf", (long long)e,
                      y.re);
            }
            guarded_surroundings(&o.y, "y");
        }
    }
    matrix_destroy(&o);
}

/* The stored element of rank `rank` on a walk through the matrix. */
static void stored_element(const product_form *f, const stored_shape *s, int64_t rank, int64_t *i,
                           int64_t *j)
{
    for (int64_t e = rank * 7919 % (s->m * s->n);; e = (e + 1) % (s->m * s->n)) {
        *i = e % s->m;
        *j = e / s->m;
        if (stored_has(f->how, s, *i, *j))
            return;
    }
}

static void specials(routine *r, const product_form *f, const product_case *c)
{
    const int64_t least = c->s.m < c->s.n ? c->s.m : c->s.n, terms = product_x(c);
    int64_t i, j;
    for (int64_t e = 0; e < 5; e++) {
        stored_element(f, &c->s, e, &i, &j);
        spreads(r, f, c, i, j, e % 2 ? INFINITY : NAN);
        i = e * (least - 1) / 4;
        spreads(r, f, c, i, i, e % 2 ? NAN : INFINITY);
        spreads(r, f, c, -1, e * (terms - 1) / 4, e % 2 ? NAN : INFINITY);
    }
}

/* Columns more than 2^31 elements apart. */
static void far_apart(routine *r, const product_form *f, const product_case *given)
{
    product_case small = *given, c;
    far_memory room;
    if (f->how->least_lda == NULL)
        return;
    small.s.m = small.s.n = 3;
    small.s.kl = small.s.ku = f->how->storage == GBL_BAND ? 1 : 0;
    small.incx = small.incy = 1;
    small.offset = 0;
    const int64_t rows = small.s.lda = f->how->least_lda(&small.s);
    c = small;
    c.s.lda = ((int64_t)1 << 30) + 7;
    const size_t bytes = (size_t)f->how->elements(&c.s) * gbl_dtype_bytes(r->dtype);
    if (!far_take(r, 1, bytes, &room))
        return;
    matrix_operands o;
    char *A = room.at[0];
    product_begin(r, f, &c, "far apart");
    if (product_build(r, &o, f, &small)) {
        void *const near = o.A.at;
        for (int64_t j = 0; j < 3; j++)
            CHECK_OK(r->ctx,
                     gable_set_vector(r->ctx, rows, o.A.elem_bytes, guarded_element(&o.A, rows * j),
                                      1, A + (size_t)(j * c.s.lda) * o.A.elem_bytes, 1));
        o.A.at = A;
        if (product_run(r, &o, f, &c) && guarded_fetch(&o.y))
            product_compare(r, &o, f, &small);
        o.A.at = near;
    }
    matrix_destroy(&o);
    far_give(r, &room);
}

/* All edges for one way to turn A, or one triangle. */
static void edges_of(routine *r, const product_form *f, product_case flags)
{
    const number zero = integer(r, 0, 0), minus_zero = integer(r, -0.0, 0), one = integer(r, 1, 0),
                 two = integer(r, 2, 0);
    const bool square = !product_has(f, "m"), banded = f->how->storage == GBL_BAND;
    product_case plain = flags, odd = flags;
    plain.s.m = 37;
    plain.s.n = square ? 37 : 21;
    odd.s.m = square ? 70 : 9;
    odd.s.n = 70;
    plain.incx = plain.incy = odd.incx = 1;
    odd.incy = -1;
    odd.offset = 1;
    if (banded) {
        plain.s.kl = plain.s.ku = 6;
        odd.s.kl = 2;
        odd.s.ku = f->how->triangle ? 2 : 11;
    }
    plain = product_sized(r, f, plain, 11, 0);
    odd = product_sized(r, f, odd, 1, 1);
    nothing(r, f, &plain);
    for (int device = 0; device < 2; device++) {
        not_read(r, f, &plain, zero, two, device);
        not_read(r, f, &plain, minus_zero, one, device);
        not_read(r, f, &plain, zero, zero, device);
        not_read(r, f, &plain, two, zero, device);
        not_read(r, f, &odd, one, minus_zero, device);
    }
    specials(r, f, &plain);
    specials(r, f, &odd);
    product_case same = plain;
    /* A kernel for strided x more, where only contiguous ones are compiled. */
    if (!routine_slow_compiler(r) || same.trans == GABLE_NO_TRANS)
        same.incx = 0;
    same.alpha = two;
    same.beta = one;
    product_check(r, f, &same);
    far_apart(r, f, &plain);
}

void product_edges(routine *r)
{
    static const gable_trans all[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    if (matrix_left_out(r))
        return;
    for (const product_form *f = NULL; (f = product_next(r, f)) != NULL;) {
        for (int t = 0; t < (product_has(f, "trans") ? 3 : 1); t++)
            for (int upper = 0; upper < (f->how->triangle ? 2 : 1); upper++)
                edges_of(r, f,
                         (product_case){.trans = all[t],
                                        .s = {.uplo = !f->how->triangle ? (gable_uplo)0
                                                      : upper           ? GABLE_UPPER
                                                                        : GABLE_LOWER}});
    }
}

/* ---- Guards ---- */

void product_guards(routine *r)
{
    product_case c;
    for (const product_form *f = NULL; (f = product_next(r, f)) != NULL;) {
        for (int i = 0; (c = product_any(r, f, i, true)).s.n > 0; i++) {
            for (int w = 0; w < GUARDED_WAYS; w++) {
                c.seed = 200;
                c.alpha = integer(r, 3, -1);
                c.beta = integer(r, -2, 1);
                c.on_device = w % 2;
                c.fill = guarded_ways[w].fill;
                c.fence = guarded_ways[w].fence;
                product_check(r, f, &c);
            }
        }
    }
}

/* ---- Repeat ---- */

/* The call recorded, with its scalars on the device, which are right only when it is replayed. */
static bool replayed(routine *r, matrix_operands *o, const product_form *f, const product_case *c)
{
    gable_recording *recording = NULL;
    product_case from_device = *c;
    from_device.on_device = true;
    if (!product_build(r, o, f, &from_device))
        return false;
    CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o->scalars.memory, 0xff, o->scalars.bytes));
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, product_enqueue(r, o, f, &from_device));
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    const bool good = recording != NULL && guarded_send(&o->scalars) &&
                      CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && guarded_fetch(&o->y);
    gable_recording_destroy(recording);
    return good;
}

static void same_bits(routine *r, const product_form *f, const product_case *c)
{
    matrix_operands first, second;
    product_begin(r, f, c, "twice");
    if (product_build(r, &first, f, c) && product_run(r, &first, f, c) && guarded_fetch(&first.y)) {
        if (product_build(r, &second, f, c) && product_run(r, &second, f, c) &&
            guarded_fetch(&second.y))
            CHECK(memcmp(first.y.got, second.y.got, first.y.bytes) == 0,
                  "the same call gave other bits");
        matrix_destroy(&second);
        if (replayed(r, &second, f, c))
            CHECK(memcmp(first.y.got, second.y.got, first.y.bytes) == 0,
                  "the replay with scalars on the device gave other bits");
        matrix_destroy(&second);
    }
    matrix_destroy(&first);
}

static product_case random_case(const routine *r, const product_form *f, int i)
{
    product_case c = product_any(r, f, i, true);
    c.seed = 400;
    c.alpha = number_of(r->dtype, 0.7, -0.3);
    c.beta = number_of(r->dtype, -0.6, 0.2);
    c.random = true;
    return c;
}

/* All variants agree within the bound. Not where kernels take long to compile: there `exact` runs
 * them. */
static void other_variants(routine *r)
{
    product_case c;
    for (int v = 0; routine_next_variant(r, &v);) {
        for (const product_form *f = NULL; (f = product_next(r, f)) != NULL;) {
            for (int i = 0; (c = random_case(r, f, i)).s.n > 0; i++) {
                c.on_device = i % 2;
                product_check(r, f, &c);
            }
        }
    }
}

void product_repeat(routine *r)
{
    product_case c;
    for (const product_form *f = NULL; (f = product_next(r, f)) != NULL;)
        for (int i = 0; (c = random_case(r, f, i)).s.n > 0; i++)
            same_bits(r, f, &c);
    if (!routine_slow_compiler(r) && r->variant == NULL)
        other_variants(r);
}

/* ---- Probe ---- */

/* Squares, and tall and wide matrices where there are such; plain and transposed, of each form. */
const void *product_probe(const routine *r, int i)
{
    static const int64_t sizes[][2] = {{200, 200}, {200, 4}, {4, 200}};
    static _Alignas(16) double memory[2]; /* addresses are looked at, nothing is read */
    static gbl_matrix_call call;
    if (i >= 6 * r->parts->form_count)
        return NULL;
    const product_form *f = (const product_form *)r->parts->forms + i / 6;
    const bool square = !product_has(f, "m"), turned = product_has(f, "trans");
    stored_shape s = {.m = square ? 200 : sizes[i % 3][0], .n = square ? 200 : sizes[i % 3][1]};
    s.kl = s.ku = f->how->storage == GBL_BAND ? 5 : 0;
    call = (gbl_matrix_call){.dtype = r->dtype,
                             .trans = turned && i % 6 >= 3 ? GABLE_TRANS : GABLE_NO_TRANS,
                             .uplo = !f->how->triangle ? (gable_uplo)0
                                     : i % 6 >= 3      ? GABLE_UPPER
                                                       : GABLE_LOWER,
                             .conj = f->conj,
                             .storage = (uint8_t)f->how->storage,
                             .m = s.m,
                             .n = s.n,
                             .kl = s.kl,
                             .ku = s.ku,
                             .alpha = {NULL, 2, 0},
                             .beta = {NULL, 3, 0},
                             .A = memory,
                             .lda = stored_lda(f->how, &s, 0, COLUMNS_ALIKE),
                             .x = memory,
                             .incx = 1,
                             .y = memory,
                             .incy = 1};
    return &call;
}
