/* qr_parts.c: the six parts of tests of reflectors.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratios: qr_data.h. `exact` has reflectors that exchange rows, and integers elsewhere: results are
 * those of plain loops, bit for bit. A routine that reads reflectors finds NaN or a pattern in the
 * place of R.
 */
#include <stdlib.h>
#include "harness/qr_data.h"
#include "harness/qr_parts.h"
#include "lapack/lapack.h"

typedef struct qr_case {
    int64_t m, n, k; /* of A, which is turned for LQ; k: reflectors; C: columns n */
    gable_side side;
    bool adjoint;
    dense_place place;
    qr_kind kind;
    int scale;
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} qr_case;

typedef struct operands {
    dense A, tau, C;
    number *given, *got, *factors, *taus; /* m by n; F of the reference; its tau */
    number *other, *result;               /* C */
} operands;

static const qr_form *form_of(const routine *r)
{
    return r->parts->forms;
}

static void begin(routine *r, const qr_case *c, const char *more)
{
    r->cases++;
    test_case("%s %s variant=%s part=%s m=%lld n=%lld k=%lld side=%d adjoint=%d gap=%lld "
              "offset=%d kind=%d scale=%d fence=%d seed=%llu %s",
              form_of(r)->name, test_device(), r->choice, r->part, (long long)c->m, (long long)c->n,
              (long long)c->k, (int)c->side, c->adjoint, (long long)c->place.gap, c->place.offset,
              (int)c->kind, c->scale, (int)c->fence, (unsigned long long)c->seed, more);
}

/* ---- Matrices to and from the device ---- */

/* Element (i, j) of a matrix that may be stored turned. */
static int64_t place_of(const dense *d, bool turned, int64_t i, int64_t j)
{
    return turned ? j + i * d->ld : i + j * d->ld;
}

static void send(const routine *r, const dense *d, bool turned, int64_t i, int64_t j, number a,
                 int scale)
{
    a = turned ? number_conjugate(a) : a;
    number_put(r->dtype, &d->v, place_of(d, turned, i, j),
               (number){ldexp(a.re, scale), ldexp(a.im, scale)});
}

static number fetched(const routine *r, const dense *d, bool turned, int64_t i, int64_t j,
                      int scale)
{
    const number a = number_got(r->dtype, &d->v, place_of(d, turned, i, j));
    return (number){ldexp(a.re, -scale), ldexp(turned ? -a.im : a.im, -scale)};
}

static bool make(routine *r, dense *d, const qr_case *c, int64_t rows, int64_t columns)
{
    return dense_make(d, r->ctx, rows, columns, c->place, gbl_dtype_bytes(r->dtype), NULL, 0,
                      c->fill, c->fence);
}

/* C of apply is `order` by n from the left, n by `order` from the right. */
static int64_t c_rows(const qr_case *c)
{
    return c->side == GABLE_RIGHT ? c->n : c->m;
}

static int64_t c_columns(const qr_case *c)
{
    return c->side == GABLE_RIGHT ? c->m : c->n;
}

static bool build(routine *r, operands *o, const qr_case *c)
{
    const qr_form *f = form_of(r);
    const bool factor = f->factor != NULL, apply = f->apply != NULL;
    const int64_t columns = apply ? c->k : c->n, m = c->m, least = m < columns ? m : columns;
    memset(o, 0, sizeof *o);
    o->given = lapack_matrix(m, columns);
    o->got = lapack_matrix(m, columns);
    o->factors = lapack_matrix(m, columns);
    o->taus = lapack_matrix(least, 1);
    if (o->given == NULL || o->got == NULL || o->factors == NULL || o->taus == NULL ||
        !make(r, &o->A, c, f->rows ? columns : m, f->rows ? m : columns) ||
        !make(r, &o->tau, c, factor ? least : c->k, 1))
        return false;
    qr_matrix(r->dtype, c->kind, m, columns, c->seed, o->given);
    memcpy(o->factors, o->given, (size_t)(m * columns) * sizeof(number));
    qr_reference(m, factor ? columns : c->k, o->factors, o->taus);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < m; i++)
            if (factor) {
                send(r, &o->A, f->rows, i, j, o->given[i + j * m], c->scale);
            } else if (i > j && j < c->k) {
                number *v = &o->factors[i + j * m];
                *v = number_of(r->dtype, v->re, v->im);
                send(r, &o->A, f->rows, i, j, *v, 0);
            }
    for (int64_t j = 0; !factor && j < c->k; j++) {
        o->taus[j] = number_of(r->dtype, o->taus[j].re, o->taus[j].im);
        number_put(r->dtype, &o->tau.v, j, o->taus[j]);
    }
    if (apply) {
        o->other = lapack_matrix(c_rows(c), c_columns(c));
        o->result = lapack_matrix(c_rows(c), c_columns(c));
        if (o->other == NULL || o->result == NULL || !make(r, &o->C, c, c_rows(c), c_columns(c)))
            return false;
        for (int64_t e = 0; e < m * c->n; e++)
            o->other[e] = c->kind == QR_EXACT ? number_integer(r->dtype, c->seed + 9, e, 3)
                                              : number_random(r->dtype, c->seed + 9, e);
        for (int64_t j = 0; j < c_columns(c); j++)
            for (int64_t i = 0; i < c_rows(c); i++)
                send(r, &o->C, false, i, j, o->other[i + j * c_rows(c)], 0);
        if (!guarded_send(&o->C.v))
            return false;
    }
    return guarded_send(&o->A.v) && guarded_send(&o->tau.v);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->tau);
    dense_destroy(&o->C);
    free(o->given);
    free(o->got);
    free(o->factors);
    free(o->taus);
    free(o->other);
    free(o->result);
}

static gable_status enqueue(routine *r, const operands *o, const qr_case *c)
{
    const qr_form *f = form_of(r);
    const int64_t m = f->rows ? c->n : c->m, n = f->rows ? c->m : c->n;
    if (f->factor != NULL)
        return f->factor(r->ctx, m, n, o->A.v.at, o->A.ld, o->tau.v.at);
    if (f->form != NULL)
        return f->form(r->ctx, m, n, c->k, o->A.v.at, o->A.ld, o->tau.v.at);
    /* Q of an LQ factorization is the conjugate transpose of what these reflectors make. */
    const gable_trans turn = gbl_adjoint(r->dtype);
    return f->apply(r->ctx, c->side, c->adjoint != f->rows ? turn : GABLE_NO_TRANS, c_rows(c),
                    c_columns(c), c->k, o->A.v.at, o->A.ld, o->tau.v.at, o->C.v.at, o->C.ld);
}

static bool run(routine *r, operands *o, const qr_case *c)
{
    return routine_ran(r, enqueue(r, o, c), NULL) && guarded_fetch(&o->A.v) &&
           guarded_fetch(&o->tau.v) && (form_of(r)->apply == NULL || guarded_fetch(&o->C.v));
}

/* ---- What must come out ---- */

static void same(int64_t count, const number *is, const number *want, const char *what)
{
    for (int64_t e = 0; e < count; e++)
        if (!(is[e].re == want[e].re && is[e].im == want[e].im)) {
            CHECK(false, "%s: number %lld is %g + %gi instead of %g + %gi", what, (long long)e,
                  is[e].re, is[e].im, want[e].re, want[e].im);
            return;
        }
}

/* Of one to three rows the few roundings of tau and of a product count in full. */
static void judge(routine *r, const qr_case *c, const char *what, double ratio)
{
    const double limit = c->m < 4 ? 3 * LAPACK_LIMIT : LAPACK_LIMIT;
    if (!(ratio <= limit))
        CHECK(false, "%s: the ratio is %g", what, ratio);
    routine_error(r, ratio, 1, limit);
}

/* Real diagonals with the signs of plain loops, where rounding does not decide them. */
static void judge_diagonal(routine *r, const operands *o, const qr_case *c)
{
    const double floor = 1e4 * (double)c->m * number_roundoff(r->dtype);
    const int64_t least = c->m < c->n ? c->m : c->n;
    for (int64_t j = 0; j < least; j++) {
        const number is = o->got[j + j * c->m], want = o->factors[j + j * c->m];
        if (c->kind == QR_RANDOM || c->kind == QR_IDENTITY || c->kind == QR_TRIANGLE)
            CHECK(is.im == 0, "R(%lld, %lld) is %g + %gi", (long long)j, (long long)j, is.re,
                  is.im);
        if (c->kind == QR_RANDOM && fabs(want.re) > floor)
            CHECK(is.re * want.re > 0, "R(%lld, %lld) is %g, and %g in plain loops", (long long)j,
                  (long long)j, is.re, want.re);
    }
}

static void judge_factors(routine *r, operands *o, const qr_case *c)
{
    const int64_t m = c->m, n = c->n, least = m < n ? m : n;
    number *tau = lapack_matrix(least, 1), *Q = lapack_matrix(m, least);
    for (int64_t j = 0; tau != NULL && j < least; j++)
        tau[j] = number_got(r->dtype, &o->tau.v, j);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            o->got[i + j * m] = fetched(r, &o->A, form_of(r)->rows, i, j, i <= j ? c->scale : 0);
    if (tau != NULL && Q != NULL) {
        const double residual = qr_residual_ratio(r->dtype, m, n, o->given, o->got, tau);
        for (int64_t j = 0; j < least; j++)
            Q[j + j * m].re = 1;
        qr_apply(m, least, least, o->got, tau, false, Q);
        const double orthogonality = qr_orthogonality_ratio(r->dtype, m, least, Q);
        /* Signs of zeros, and so of R, may be others than those of plain loops. */
        if (c->kind == QR_EXACT)
            CHECK(residual == 0 && orthogonality == 0, "the ratios are %g and %g instead of 0",
                  residual, orthogonality);
        judge(r, c, "residual", residual);
        judge(r, c, "orthogonality", orthogonality);
        judge_diagonal(r, o, c);
    }
    free(tau);
    free(Q);
    dense_gaps(&o->A, "A");
    dense_gaps(&o->tau, "tau");
}

static void judge_columns(routine *r, operands *o, const qr_case *c)
{
    const int64_t m = c->m, n = c->n;
    number *Q = lapack_matrix(m, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            o->got[i + j * m] = fetched(r, &o->A, form_of(r)->rows, i, j, 0);
    if (Q != NULL) {
        for (int64_t j = 0; j < n; j++)
            Q[j + j * m].re = 1;
        qr_apply(m, n, c->k, o->factors, o->taus, false, Q);
        if (c->kind == QR_EXACT) {
            same(m * n, o->got, Q, "Q");
        } else {
            judge(r, c, "Q",
                  qr_distance(m, n, o->got, Q) / ((double)m * number_roundoff(r->dtype)));
            judge(r, c, "orthogonality", qr_orthogonality_ratio(r->dtype, m, n, o->got));
        }
    }
    free(Q);
    dense_gaps(&o->A, "A");
    guarded_same(&o->tau.v, "tau");
}

static void judge_product(routine *r, operands *o, const qr_case *c)
{
    const int64_t rows = c_rows(c), columns = c_columns(c);
    number *want = lapack_matrix(c->m, c->n);
    if (want == NULL)
        return;
    /* C op(Q) = (op(Q)^H C^H)^H */
    if (c->side == GABLE_RIGHT)
        qr_turn(rows, columns, o->other, want);
    else
        memcpy(want, o->other, (size_t)(rows * columns) * sizeof *want);
    qr_apply(c->m, c->n, c->k, o->factors, o->taus,
             c->side == GABLE_RIGHT ? !c->adjoint : c->adjoint, want);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++) {
            const number a = fetched(r, &o->C, false, i, j, 0);
            if (c->side == GABLE_RIGHT)
                o->result[j + i * columns] = number_conjugate(a);
            else
                o->result[i + j * rows] = a;
        }
    if (c->kind == QR_EXACT)
        same(c->m * c->n, o->result, want, "C");
    else
        judge(r, c, "C",
              qr_distance(c->m, c->n, o->result, want) /
                  ((double)(c->m > c->n ? c->m : c->n) * lapack_norm1(c->m, c->n, want) *
                   number_roundoff(r->dtype)));
    free(want);
    guarded_same(&o->A.v, "A");
    guarded_same(&o->tau.v, "tau");
    dense_gaps(&o->C, "C");
}

static void compare(routine *r, operands *o, const qr_case *c)
{
    if (form_of(r)->factor != NULL)
        judge_factors(r, o, c);
    else if (form_of(r)->form != NULL)
        judge_columns(r, o, c);
    else
        judge_product(r, o, c);
}

static void check(routine *r, const qr_case *c, const char *more)
{
    operands o;
    begin(r, c, more);
    if (build(r, &o, c) && run(r, &o, c))
        compare(r, &o, c);
    destroy(&o);
}

/* ---- Which cases ---- */

/* Around leaves of 8 to 32 columns and panels of 32 to 128; the last has rows for several groups.
 */
static const int64_t sizes[][2] = {{1, 1},   {1, 4},     {4, 1},     {2, 2},   {5, 3},   {3, 5},
                                   {8, 8},   {16, 9},    {17, 17},   {33, 16}, {20, 40}, {40, 33},
                                   {64, 65}, {100, 31},  {65, 63},   {200, 7}, {7, 150}, {129, 128},
                                   {90, 97}, {150, 131}, {131, 160}, {520, 10}};
static const int64_t few_sizes[][2] = {{40, 20}, {20, 36}, {70, 40}};
#define SIZES     ((int)(sizeof sizes / sizeof sizes[0]))
#define FEW_SIZES ((int)(sizeof few_sizes / sizeof few_sizes[0]))

static int size_count(const routine *r)
{
    return routine_slow_compiler(r) ? FEW_SIZES : SIZES;
}

/* Case i of a routine; of orgqr n <= m, of ormqr C has n columns and there are k reflectors. */
static qr_case plain(const routine *r, int i)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    const int64_t *size = slow ? few_sizes[i] : sizes[i];
    qr_case c = {
        .m = size[0],
        .n = size[1],
        .side = i % 2 == 0 ? GABLE_LEFT : GABLE_RIGHT,
        .adjoint = i / 2 % 2 == 1,
        .place = {.gap = gaps[i % 5], .offset = slow ? 0 : i % 3, .columns = slow ? ALIKE : AS_IS},
        .seed = 300 + (uint64_t)i};
    if (form_of(r)->form != NULL && c.n > c.m) {
        c.n = size[0];
        c.m = size[1];
    }
    c.k = c.m < c.n ? c.m : c.n;
    if (form_of(r)->apply != NULL && i % 3 == 1)
        c.k = c.m;
    if (form_of(r)->form != NULL && i % 3 == 1)
        c.k = (c.k + 1) / 2;
    return c;
}

static bool has_sides(const routine *r)
{
    return form_of(r)->apply != NULL && !routine_slow_compiler(r);
}

void qr_exact(routine *r)
{
    for (int i = 0; i < size_count(r); i++) {
        qr_case c = plain(r, i);
        c.kind = QR_EXACT;
        check(r, &c, "");
    }
}

void qr_residual(routine *r)
{
    for (int i = 0; i < size_count(r); i++) {
        qr_case c = plain(r, i);
        const bool factor = form_of(r)->factor != NULL;
        const int kinds = !factor ? 1 : c.m * c.n > 2500 && !r->all ? 2 : QR_KINDS - 1;
        for (int k = 0; k < kinds; k++) {
            c.kind = (qr_kind)(1 + (kinds == QR_KINDS - 1 ? k : (i + 3 * k) % (QR_KINDS - 1)));
            if (!factor)
                c.kind = QR_RANDOM;
            check(r, &c, "");
        }
        for (int way = 0; has_sides(r) && way < 4 && c.m * c.n < 5000; way++) {
            c.side = way % 2 == 0 ? GABLE_LEFT : GABLE_RIGHT;
            c.adjoint = way / 2 == 1;
            c.k = c.m < c.n ? c.m : c.n;
            check(r, &c, "all ways");
        }
        if (factor && i % 3 != 0)
            for (int far = -1; far <= 1; far += 2)
                for (int graded = 0; graded < 2; graded++) {
                    c.scale = lapack_far_scale(r->dtype, far);
                    c.kind = graded ? QR_GRADED : QR_RANDOM;
                    if (!graded || far > 0)
                        check(r, &c, "far from 1");
                }
    }
}

/* ---- Edges ---- */

static void nothing(routine *r)
{
    const qr_form *f = form_of(r);
    const qr_case c = {.m = 3, .n = 3, .k = 0, .side = GABLE_LEFT};
    gable_context *ctx = r->ctx;
    begin(r, &c, "nothing to do");
    if (f->factor != NULL) {
        CHECK_OK(ctx, f->factor(ctx, 0, 3, NULL, 1, NULL));
        CHECK_OK(ctx, f->factor(ctx, 3, 0, NULL, 3, NULL));
    } else if (f->form != NULL) {
        CHECK_OK(ctx, f->form(ctx, 0, 0, 0, NULL, 1, NULL));
    } else {
        CHECK_OK(ctx, f->apply(ctx, GABLE_LEFT, GABLE_NO_TRANS, 3, 0, 0, NULL, 3, NULL, NULL, 3));
        CHECK_OK(ctx, f->apply(ctx, GABLE_LEFT, GABLE_NO_TRANS, 0, 3, 0, NULL, 1, NULL, NULL, 1));
    }
}

/* A NaN or an infinity spoils its column and those behind it, and hangs nothing. */
static void not_finite(routine *r)
{
    for (int i = 0; i < size_count(r); i++)
        for (int how = 0; how < 2; how++) {
            qr_case c = plain(r, i);
            const int64_t bad = c.n / 2 < c.m ? c.n / 2 : c.m - 1;
            operands o;
            if (form_of(r)->factor == NULL || c.m * c.n > 5000)
                continue;
            c.kind = QR_RANDOM;
            begin(r, &c, how == 0 ? "NaN" : "Inf");
            if (build(r, &o, &c)) {
                send(r, &o.A, form_of(r)->rows, c.m - 1, bad,
                     (number){how == 0 ? NAN : INFINITY, 0}, 0);
                if (guarded_send(&o.A.v) && run(r, &o, &c))
                    for (int64_t j = 0; j < bad; j++)
                        for (int64_t l = 0; l < c.m; l++)
                            CHECK(number_finite(fetched(r, &o.A, form_of(r)->rows, l, j, 0)),
                                  "(%lld, %lld) is not finite", (long long)l, (long long)j);
            }
            destroy(&o);
        }
}

/* No reflectors: op(Q) C is C, and the columns of Q are those of the identity. */
static void no_reflectors(routine *r)
{
    qr_case c = plain(r, 2);
    c.k = 0;
    c.kind = QR_EXACT;
    if (form_of(r)->factor == NULL)
        check(r, &c, "no reflectors");
}

void qr_edges(routine *r)
{
    nothing(r);
    not_finite(r);
    no_reflectors(r);
}

void qr_guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w++)
        for (int i = w % 2; i < size_count(r); i += 2) {
            qr_case c = plain(r, i);
            c.kind = QR_RANDOM;
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            if (c.m * c.n <= 5000)
                check(r, &c, "");
        }
}

/* ---- Arguments ---- */

void qr_arguments(routine *r)
{
    const qr_form *f = form_of(r);
    const qr_case c = {.m = 5, .n = 5, .k = 5, .side = GABLE_LEFT, .kind = QR_EXACT};
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        qr_refused(r, f, o.A.v.at, o.tau.v.at, o.C.v.at);
        if (guarded_fetch(&o.A.v))
            guarded_same(&o.A.v, "A");
        if (f->apply != NULL && guarded_fetch(&o.C.v))
            guarded_same(&o.C.v, "C");
    }
    destroy(&o);
    check(r, &c, "the context works on");
}

/* ---- Repeat ---- */

static bool same_bytes(const dense *a, const dense *b)
{
    return memcmp(a->v.got, b->v.got, a->v.bytes) == 0;
}

/* Alone and recorded; a second replay starts anew. */
void qr_repeat(routine *r)
{
    const bool apply = form_of(r)->apply != NULL;
    for (int i = 0; i < size_count(r); i += 2) {
        qr_case c = plain(r, i);
        operands first, second;
        gable_recording *recording = NULL;
        c.kind = QR_RANDOM;
        begin(r, &c, "recorded");
        memset(&second, 0, sizeof second);
        if (build(r, &first, &c) && run(r, &first, &c) && build(r, &second, &c)) {
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, enqueue(r, &second, &c));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            for (int round = 0; recording != NULL && round < 2; round++)
                if (guarded_send(&second.A.v) && (!apply || guarded_send(&second.C.v)) &&
                    CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                    guarded_fetch(&second.A.v) && guarded_fetch(&second.tau.v) &&
                    (!apply || guarded_fetch(&second.C.v)))
                    CHECK(same_bytes(&first.A, &second.A) && same_bytes(&first.tau, &second.tau) &&
                              (!apply || same_bytes(&first.C, &second.C)),
                          "the replay gave other bits");
            gable_recording_destroy(recording);
        }
        destroy(&first);
        destroy(&second);
    }
}

const void *qr_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[6]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    const bool apply = form_of(r)->apply != NULL;
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .side = GABLE_LEFT,
                              .trans = GABLE_NO_TRANS,
                              .m = 200,
                              .n = 200,
                              .k = 200,
                              .A = memory,
                              .lda = 208,
                              .tau = memory + 2,
                              .C = apply ? memory + 4 : NULL,
                              .ldc = apply ? 208 : 0};
    return &call;
}
