/* reduced_problem.c: a case of the routines of reduced_q.h: made, run and judged.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "harness/reduced_problem.h"
#include "lapack/lapack.h"

const reduced_form *reduced_form_of(const routine *r)
{
    return r->parts->forms;
}

void reduced_begin(routine *r, const reduced_case *c, const char *more)
{
    r->cases++;
    test_case("%s %s variant=%s part=%s vect=%d side=%d uplo=%d adjoint=%d m=%lld n=%lld k=%lld "
              "ilo=%lld ihi=%lld gap=%lld offset=%d fence=%d seed=%llu %s",
              reduced_form_of(r)->name, test_device(), r->choice, r->part, (int)c->vect,
              (int)c->side, (int)c->uplo, c->adjoint, (long long)c->m, (long long)c->n,
              (long long)c->k, (long long)c->ilo, (long long)c->ihi, (long long)c->place.gap,
              c->place.offset, (int)c->fence, (unsigned long long)c->seed, more);
}

/* ---- Reflectors ---- */

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static bool is_p(const routine *r, const reduced_case *c)
{
    return reduced_form_of(r)->kind == REDUCED_BR && c->vect == GABLE_VECT_P;
}

static bool is_above(const routine *r, const reduced_case *c)
{
    return reduced_form_of(r)->kind == REDUCED_TR && c->uplo == GABLE_UPPER;
}

int64_t reduced_order(const routine *r, const reduced_case *c)
{
    if (!reduced_form_of(r)->forms)
        return c->side == GABLE_RIGHT ? c->n : c->m;
    return is_p(r, c) ? c->n : c->m;
}

/* How far the ones are from the diagonal; how many reflectors there are, the first of them, and
 * where their vectors end. */
typedef struct layout {
    int64_t beside, count, first, end, taus;
} layout;

static layout layout_of(const routine *r, const reduced_case *c)
{
    const int64_t order = reduced_order(r, c), less = order > 0 ? order - 1 : 0;
    if (reduced_form_of(r)->kind == REDUCED_TR)
        return (layout){1, less, 0, order, less};
    if (reduced_form_of(r)->kind == REDUCED_HR)
        return (layout){1, c->ihi > c->ilo ? c->ihi - c->ilo : 0, c->ilo - 1, c->ihi, less};
    const bool moved = c->vect == GABLE_VECT_P ? c->k >= order : c->k > order;
    return (layout){moved, moved ? less : c->k, 0, order, order < c->k ? order : c->k};
}

/* The vector of reflector j: the difference of two unit vectors, or random. As those of larfg it is
 * at most sqrt(2) long: its tail has a length of 1/2 to 1. */
static void make_vector(const routine *r, const reduced_case *c, const layout *l, int64_t order,
                        int64_t j, number *v, number *tau)
{
    const bool above = is_above(r, c), complex = gbl_dtype_complex(r->dtype);
    const int64_t one = l->first + j + (above ? 0 : l->beside), from = above ? 0 : one + 1,
                  to = above ? one : l->end, next = above ? one - 1 : one + 1;
    const double angle = complex ? 2 * data_double(c->seed + 5, (uint64_t)j) : 0,
                 length = 0.75 + 0.25 * data_double(c->seed + 6, (uint64_t)j);
    double tail = 0, squares = 1;
    v[one] = (number){1, 0};
    for (int64_t i = from; i < to; i++) {
        v[i] = c->exact ? (number){i == next ? -1 : 0, 0}
                        : number_random(r->dtype, c->seed, i + j * order);
        tail += v[i].re * v[i].re + v[i].im * v[i].im;
    }
    for (int64_t i = from; !c->exact && i < to; i++) {
        const double scale = length / sqrt(tail);
        v[i] = number_of(r->dtype, scale * v[i].re, scale * v[i].im);
        squares += v[i].re * v[i].re + v[i].im * v[i].im;
    }
    /* |tau|^2 v^H v = 2 Re(tau) makes it unitary. */
    *tau = c->exact ? (number){from < to && j % 5 != 3 ? 1 : 0, 0}
                    : number_of(r->dtype, (1 + cos(angle)) / squares, sin(angle) / squares);
}

/* C := H C or H^H C with reflector j. */
static void reflect(const reduced_operands *o, int64_t j, bool adjoint, int64_t columns, number *C)
{
    const number *v = o->V + j * o->order;
    const number tau = adjoint ? number_conjugate(o->factors[j]) : o->factors[j];
    for (int64_t q = 0; q < columns; q++) {
        number *const column = C + q * o->order, sum = {0, 0};
        for (int64_t i = 0; i < o->order; i++) {
            const number a = times(number_conjugate(v[i]), column[i]);
            sum = (number){sum.re + a.re, sum.im + a.im};
        }
        sum = times(tau, sum);
        for (int64_t i = 0; i < o->order; i++) {
            const number a = times(v[i], sum);
            column[i] = (number){column[i].re - a.re, column[i].im - a.im};
        }
    }
}

/* C := Q C or Q^H C. Q is H_1 H_2 ..., of the upper triangle H_k ... H_1. */
static void multiply(const reduced_operands *o, bool above, bool adjoint, int64_t columns,
                     number *C)
{
    for (int64_t i = 0; i < o->count; i++)
        reflect(o, adjoint != above ? i : o->count - 1 - i, adjoint, columns, C);
}

/* ---- A case ---- */

static bool make(routine *r, dense *d, const reduced_case *c, int64_t rows, int64_t columns)
{
    return dense_make(d, r->ctx, rows, columns, c->place, gbl_dtype_bytes(r->dtype), NULL, 0,
                      c->fill, c->fence);
}

bool reduced_build(routine *r, reduced_operands *o, const reduced_case *c)
{
    const layout l = layout_of(r, c);
    const bool forms = reduced_form_of(r)->forms, turned = is_p(r, c), above = is_above(r, c);
    const int64_t order = reduced_order(r, c), most = order > 0 ? order : 1;
    memset(o, 0, sizeof *o);
    o->order = order;
    o->count = l.count;
    o->taus = l.taus;
    o->V = lapack_matrix(most, l.count + 1);
    o->factors = lapack_matrix(l.count + 1, 1);
    int64_t rows = order, columns = order;
    if (reduced_form_of(r)->kind == REDUCED_BR) {
        rows = forms ? c->m : turned ? l.taus : order;
        columns = forms ? c->n : turned ? order : l.taus;
    }
    if (o->V == NULL || o->factors == NULL || !make(r, &o->A, c, rows, columns) ||
        !make(r, &o->tau, c, l.taus, 1))
        return false;
    for (int64_t j = 0; j < l.count; j++) {
        number *const v = o->V + j * order;
        const int64_t line = l.first + j + (above ? 1 : 0),
                      one = l.first + j + (above ? 0 : l.beside);
        make_vector(r, c, &l, order, j, v, &o->factors[j]);
        for (int64_t i = above ? 0 : one + 1; i < (above ? one : l.end); i++)
            number_put(r->dtype, &o->A.v, turned ? line + i * o->A.ld : i + line * o->A.ld,
                       turned ? number_conjugate(v[i]) : v[i]);
        number_put(r->dtype, &o->tau.v, l.first + j, o->factors[j]);
    }
    if (!forms) {
        if (!make(r, &o->C, c, c->m, c->n))
            return false;
        for (int64_t j = 0; j < c->n; j++)
            for (int64_t i = 0; i < c->m; i++)
                number_put(r->dtype, &o->C.v, i + j * o->C.ld,
                           c->exact ? number_integer(r->dtype, c->seed + 9, i + j * c->m, 3)
                                    : number_random(r->dtype, c->seed + 9, i + j * c->m));
        if (!guarded_send(&o->C.v))
            return false;
    }
    return guarded_send(&o->A.v) && guarded_send(&o->tau.v);
}

void reduced_destroy(reduced_operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->tau);
    dense_destroy(&o->C);
    free(o->V);
    free(o->factors);
}

reduced_call reduced_call_of(const routine *r, const reduced_operands *o, const reduced_case *c)
{
    return (reduced_call){.vect = c->vect,
                          .side = c->side,
                          .uplo = c->uplo,
                          .trans = c->adjoint ? gbl_adjoint(r->dtype) : GABLE_NO_TRANS,
                          .m = c->m,
                          .n = c->n,
                          .k = c->k,
                          .ilo = c->ilo,
                          .ihi = c->ihi,
                          .A = o->A.v.at,
                          .lda = o->A.ld,
                          .tau = o->tau.v.at,
                          .C = o->C.v.at,
                          .ldc = o->C.ld};
}

bool reduced_run(routine *r, reduced_operands *o, const reduced_case *c)
{
    const reduced_call call = reduced_call_of(r, o, c);
    return routine_ran(r, reduced_form_of(r)->run(r->ctx, &call), NULL) && guarded_fetch(&o->A.v) &&
           guarded_fetch(&o->tau.v) && (reduced_form_of(r)->forms || guarded_fetch(&o->C.v));
}

/* ---- What must come out ---- */

static void judge(routine *r, const reduced_operands *o, const char *what, double ratio)
{
    /* Of one to three rows the few roundings of tau and of a product count in full. */
    const double limit = o->order < 4 ? 3 * LAPACK_LIMIT : LAPACK_LIMIT;
    if (!(ratio <= limit))
        CHECK(false, "%s: the ratio is %g", what, ratio);
    routine_error(r, ratio, 1, limit);
}

static void same(int64_t count, const number *is, const number *want, const char *what)
{
    for (int64_t e = 0; e < count; e++)
        if (!(is[e].re == want[e].re && is[e].im == want[e].im)) {
            CHECK(false, "%s: number %lld is %g + %gi instead of %g + %gi", what, (long long)e,
                  is[e].re, is[e].im, want[e].re, want[e].im);
            return;
        }
}

/* The formed columns, of P as well: A has the rows of P^H. */
static void judge_formed(routine *r, reduced_operands *o, const reduced_case *c)
{
    const bool turned = is_p(r, c);
    const int64_t order = o->order, columns = turned ? c->m : c->n;
    number *want = lapack_matrix(order, columns), *is = lapack_matrix(order, columns);
    if (want != NULL && is != NULL) {
        for (int64_t j = 0; j < columns; j++) {
            want[j + j * order].re = 1;
            for (int64_t i = 0; i < order; i++) {
                const number a =
                    number_got(r->dtype, &o->A.v, turned ? j + i * o->A.ld : i + j * o->A.ld);
                is[i + j * order] = turned ? number_conjugate(a) : a;
            }
        }
        multiply(o, is_above(r, c), false, columns, want);
        if (c->exact) {
            same(order * columns, is, want, "Q");
        } else {
            judge(r, o, "Q",
                  qr_distance(order, columns, is, want) /
                      ((double)order * number_roundoff(r->dtype)));
            /* over n ulp, ulp = 2 u, as LAPACK's tests of eigenproblems have it */
            judge(r, o, "orthogonality", qr_orthogonality_ratio(r->dtype, order, columns, is) / 2);
        }
    }
    free(want);
    free(is);
    dense_gaps(&o->A, "A");
    guarded_same(&o->tau.v, "tau");
}

static void judge_product(routine *r, reduced_operands *o, const reduced_case *c)
{
    const bool right = c->side == GABLE_RIGHT;
    const int64_t order = o->order, across = right ? c->m : c->n;
    number *want = lapack_matrix(order, across), *is = lapack_matrix(order, across);
    if (want != NULL && is != NULL) {
        /* C op(Q) = (op(Q)^H C^H)^H */
        for (int64_t j = 0; j < across; j++)
            for (int64_t i = 0; i < order; i++) {
                const int64_t at = right ? j + i * o->C.ld : i + j * o->C.ld;
                const number a = number_get(r->dtype, &o->C.v, at),
                             b = number_got(r->dtype, &o->C.v, at);
                want[i + j * order] = right ? number_conjugate(a) : a;
                is[i + j * order] = right ? number_conjugate(b) : b;
            }
        multiply(o, is_above(r, c), c->adjoint != right, across, want);
        const double norm = lapack_norm1(order, across, want);
        if (c->exact)
            same(order * across, is, want, "C");
        else
            judge(
                r, o, "C",
                qr_distance(order, across, is, want) /
                    ((double)(order > across ? order : across) * norm * number_roundoff(r->dtype)));
    }
    free(want);
    free(is);
    guarded_same(&o->A.v, "A");
    guarded_same(&o->tau.v, "tau");
    dense_gaps(&o->C, "C");
}

void reduced_check(routine *r, const reduced_case *c, const char *more)
{
    reduced_operands o;
    reduced_begin(r, c, more);
    if (reduced_build(r, &o, c) && reduced_run(r, &o, c)) {
        if (reduced_form_of(r)->forms)
            judge_formed(r, &o, c);
        else
            judge_product(r, &o, c);
    }
    reduced_destroy(&o);
}
