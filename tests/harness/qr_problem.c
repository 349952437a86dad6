/* qr_problem.c: a case of the routines of qr_parts.h: made, run and judged.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "harness/qr_problem.h"
#include "lapack/lapack.h"

static int current; /* the form that a part runs with */

const qr_form *qr_form_of(const routine *r)
{
    return (const qr_form *)r->parts->forms + current;
}

void qr_each_form(routine *r, void (*part)(routine *r))
{
    for (current = 0; current < r->parts->form_count; current++)
        part(r);
    current = 0;
}

bool qr_is_applied(const routine *r)
{
    return qr_form_of(r)->apply != NULL || qr_form_of(r)->block != NULL;
}

bool qr_has_triangle(const routine *r)
{
    return qr_form_of(r)->triangle != NULL || qr_form_of(r)->block != NULL;
}

void qr_begin(routine *r, const qr_case *c, const char *more)
{
    r->cases++;
    test_case("%s %s variant=%s part=%s rows=%d m=%lld n=%lld k=%lld side=%d adjoint=%d gap=%lld "
              "offset=%d kind=%d scale=%d fence=%d seed=%llu %s",
              qr_form_of(r)->name, test_device(), r->choice, r->part, qr_form_of(r)->rows,
              (long long)c->m, (long long)c->n, (long long)c->k, (int)c->side, c->adjoint,
              (long long)c->place.gap, c->place.offset, (int)c->kind, c->scale, (int)c->fence,
              (unsigned long long)c->seed, more);
}

/* ---- Matrices to and from the device ---- */

/* Element (i, j) of a matrix that may be stored turned. */
static int64_t place_of(const dense *d, bool turned, int64_t i, int64_t j)
{
    return turned ? j + i * d->ld : i + j * d->ld;
}

void qr_send(const routine *r, const dense *d, bool turned, int64_t i, int64_t j, number a,
             int scale)
{
    a = turned ? number_conjugate(a) : a;
    number_put(r->dtype, &d->v, place_of(d, turned, i, j),
               (number){ldexp(a.re, scale), ldexp(a.im, scale)});
}

number qr_fetched(const routine *r, const dense *d, bool turned, int64_t i, int64_t j, int scale)
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

bool qr_build(routine *r, qr_operands *o, const qr_case *c)
{
    const qr_form *f = qr_form_of(r);
    const bool factor = f->factor != NULL, apply = qr_is_applied(r);
    const int64_t columns = apply || qr_has_triangle(r) ? c->k : c->n, m = c->m,
                  least = m < columns ? m : columns;
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
                qr_send(r, &o->A, f->rows, i, j, o->given[i + j * m], c->scale);
            } else if (i > j && j < c->k) {
                number *v = &o->factors[i + j * m];
                *v = number_of(r->dtype, v->re, v->im);
                qr_send(r, &o->A, f->rows, i, j, *v, 0);
            }
    for (int64_t j = 0; !factor && j < c->k; j++) {
        o->taus[j] = number_of(r->dtype, o->taus[j].re, o->taus[j].im);
        number_put(r->dtype, &o->tau.v, j, o->taus[j]);
    }
    if (qr_has_triangle(r)) {
        o->triangle = lapack_matrix(c->k, c->k);
        if (o->triangle == NULL || !make(r, &o->T, c, c->k, c->k))
            return false;
        qr_triangle(m, c->k, o->factors, o->taus, o->triangle);
        for (int64_t e = 0; e < c->k * c->k; e++)
            o->triangle[e] = number_of(r->dtype, o->triangle[e].re, o->triangle[e].im);
        if (f->block != NULL)
            lapack_put(r->dtype, &o->T, GABLE_UPPER, o->triangle, 0);
        if (!guarded_send(&o->T.v))
            return false;
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
                qr_send(r, &o->C, false, i, j, o->other[i + j * c_rows(c)], 0);
        if (!guarded_send(&o->C.v))
            return false;
    }
    return guarded_send(&o->A.v) && guarded_send(&o->tau.v);
}

void qr_destroy(qr_operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->tau);
    dense_destroy(&o->C);
    dense_destroy(&o->T);
    free(o->given);
    free(o->got);
    free(o->factors);
    free(o->taus);
    free(o->other);
    free(o->result);
    free(o->triangle);
}

gable_status qr_enqueue(routine *r, const qr_operands *o, const qr_case *c)
{
    const qr_form *f = qr_form_of(r);
    const int64_t m = f->rows ? c->n : c->m, n = f->rows ? c->m : c->n;
    if (f->factor != NULL)
        return f->factor(r->ctx, m, n, o->A.v.at, o->A.ld, o->tau.v.at);
    if (f->form != NULL)
        return f->form(r->ctx, m, n, c->k, o->A.v.at, o->A.ld, o->tau.v.at);
    if (f->triangle != NULL)
        return f->triangle(r->ctx, c->m, c->k, o->A.v.at, o->A.ld, o->tau.v.at, o->T.v.at, o->T.ld);
    const gable_trans turn = gbl_adjoint(r->dtype);
    if (f->block != NULL)
        return f->block(r->ctx, c->side, c->adjoint ? turn : GABLE_NO_TRANS, c_rows(c),
                        c_columns(c), c->k, o->A.v.at, o->A.ld, o->T.v.at, o->T.ld, o->C.v.at,
                        o->C.ld);
    /* Q of an LQ factorization is the conjugate transpose of what these reflectors make. */
    return f->apply(r->ctx, c->side, c->adjoint != f->rows ? turn : GABLE_NO_TRANS, c_rows(c),
                    c_columns(c), c->k, o->A.v.at, o->A.ld, o->tau.v.at, o->C.v.at, o->C.ld);
}

bool qr_run(routine *r, qr_operands *o, const qr_case *c)
{
    return routine_ran(r, qr_enqueue(r, o, c), NULL) && guarded_fetch(&o->A.v) &&
           guarded_fetch(&o->tau.v) && (!qr_is_applied(r) || guarded_fetch(&o->C.v)) &&
           (!qr_has_triangle(r) || guarded_fetch(&o->T.v));
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
static void judge_diagonal(routine *r, const qr_operands *o, const qr_case *c)
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

static void judge_factors(routine *r, qr_operands *o, const qr_case *c)
{
    const int64_t m = c->m, n = c->n, least = m < n ? m : n;
    number *tau = lapack_matrix(least, 1), *Q = lapack_matrix(m, least);
    for (int64_t j = 0; tau != NULL && j < least; j++)
        tau[j] = number_got(r->dtype, &o->tau.v, j);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            o->got[i + j * m] =
                qr_fetched(r, &o->A, qr_form_of(r)->rows, i, j, i <= j ? c->scale : 0);
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

static void judge_columns(routine *r, qr_operands *o, const qr_case *c)
{
    const int64_t m = c->m, n = c->n;
    number *Q = lapack_matrix(m, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            o->got[i + j * m] = qr_fetched(r, &o->A, qr_form_of(r)->rows, i, j, 0);
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

static void judge_product(routine *r, qr_operands *o, const qr_case *c)
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
            const number a = qr_fetched(r, &o->C, false, i, j, 0);
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
    if (qr_has_triangle(r))
        guarded_same(&o->T.v, "T");
    dense_gaps(&o->C, "C");
}

static void judge_triangle(routine *r, qr_operands *o, const qr_case *c)
{
    const int64_t k = c->k;
    number *is = lapack_matrix(k, k);
    if (is == NULL)
        return;
    lapack_get(r->dtype, &o->T, GABLE_UPPER, is, 0);
    /* One real row: tau and T are 0. */
    const double distance = qr_distance(k, k, is, o->triangle),
                 bound = (double)c->m * lapack_norm1(k, k, o->triangle) * number_roundoff(r->dtype);
    if (c->kind == QR_EXACT)
        same(k * k, is, o->triangle, "T");
    else
        judge(r, c, "T", bound > 0 ? distance / bound : distance);
    free(is);
    guarded_same(&o->A.v, "A");
    guarded_same(&o->tau.v, "tau");
    lapack_untouched(&o->T, GABLE_UPPER, "T");
}

static void compare(routine *r, qr_operands *o, const qr_case *c)
{
    if (qr_form_of(r)->factor != NULL)
        judge_factors(r, o, c);
    else if (qr_form_of(r)->form != NULL)
        judge_columns(r, o, c);
    else if (qr_form_of(r)->triangle != NULL)
        judge_triangle(r, o, c);
    else
        judge_product(r, o, c);
}

void qr_check(routine *r, const qr_case *c, const char *more)
{
    qr_operands o;
    qr_begin(r, c, more);
    if (qr_build(r, &o, c) && qr_run(r, &o, c))
        compare(r, &o, c);
    qr_destroy(&o);
}
