/* singular_problem.c: a case of the tests of gesdd and gesvd: made, run and judged.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include "harness/far_dense.h"
#include "harness/qr_problem.h"
#include "harness/singular_problem.h"

/* Values with and without vectors come from two methods, each right to some ulp of the largest;
 * LAPACK accepts 50. */
#define VALUES_LIMIT 30.0

const singular_form *singular_form_of(const routine *r)
{
    return r->parts->forms;
}

int64_t singular_least(const singular_case *c)
{
    return c->m < c->n ? c->m : c->n;
}

/* What a call of either computes on each side. */
static void sides_of(const routine *r, const singular_case *c, gable_job *u, gable_job *vt)
{
    *u = c->u;
    *vt = singular_form_of(r)->two_jobs ? c->vt : c->u;
    if (!singular_form_of(r)->two_jobs && c->u == GABLE_OVERWRITE)
        *(c->m >= c->n ? vt : u) = GABLE_ALL_VECTORS;
}

static bool is_kept(gable_job job)
{
    return job == GABLE_ALL_VECTORS || job == GABLE_SOME_VECTORS;
}

void singular_begin(routine *r, const singular_case *c, const char *more)
{
    static const char letters[] = "NVIASO";
    r->cases++;
    test_case("%s %s variant=%s part=%s jobs=%c%c m=%lld n=%lld gap=%lld offset=%d kind=%d "
              "scale=%d fence=%d seed=%llu %s",
              singular_form_of(r)->name, test_device(), r->choice, r->part,
              letters[c->u - GABLE_NO_VECTORS],
              singular_form_of(r)->two_jobs ? letters[c->vt - GABLE_NO_VECTORS] : '-',
              (long long)c->m, (long long)c->n, (long long)c->place.gap, c->place.offset,
              (int)c->kind, c->scale, (int)c->fence, (unsigned long long)c->seed, more);
}

/* ---- A case ---- */

static bool make(routine *r, dense *v, const singular_case *c, int64_t rows, int64_t columns,
                 size_t bytes)
{
    return dense_make(v, r->ctx, rows, columns, c->place, bytes, NULL, 0, c->fill, c->fence);
}

bool singular_build(routine *r, singular_operands *o, const singular_case *c)
{
    const size_t elem = gbl_dtype_bytes(r->dtype), real = gbl_dtype_real_bytes(r->dtype);
    gable_job u, vt;
    sides_of(r, c, &u, &vt);
    memset(o, 0, sizeof *o);
    o->given = lapack_matrix(c->m, c->n);
    if (o->given == NULL || !result_make(&o->info, r->ctx, sizeof(int64_t), c->on_host) ||
        !make(r, &o->A, c, c->m, c->n, elem) || !make(r, &o->s, c, singular_least(c), 1, real))
        return false;
    if (is_kept(u) &&
        !make(r, &o->U, c, c->m, u == GABLE_ALL_VECTORS ? c->m : singular_least(c), elem))
        return false;
    if (is_kept(vt) &&
        !make(r, &o->Vt, c, vt == GABLE_ALL_VECTORS ? c->n : singular_least(c), c->n, elem))
        return false;
    singular_matrix(r->dtype, c->kind, c->m, c->n, c->seed, o->given);
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++)
            qr_send(r, &o->A, false, i, j, o->given[i + j * c->m], c->scale);
    /* numbers that became subnormal were rounded */
    for (int64_t j = 0; j < c->n && c->scale < 0; j++)
        for (int64_t i = 0; i < c->m; i++) {
            const number a = number_get(r->dtype, &o->A.v, i + j * o->A.ld);
            o->given[i + j * c->m] = (number){ldexp(a.re, -c->scale), ldexp(a.im, -c->scale)};
        }
    return guarded_send(&o->A.v) && guarded_send(&o->s.v) &&
           (!is_kept(u) || guarded_send(&o->U.v)) && (!is_kept(vt) || guarded_send(&o->Vt.v));
}

void singular_destroy(singular_operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->s);
    dense_destroy(&o->U);
    dense_destroy(&o->Vt);
    free(o->given);
}

singular_call singular_call_of(const singular_operands *o, const singular_case *c)
{
    return (singular_call){.jobu = c->u,
                           .jobvt = c->vt,
                           .m = c->m,
                           .n = c->n,
                           .A = o->A.v.at,
                           .lda = o->A.ld,
                           .s = o->s.v.at,
                           .U = o->U.v.at,
                           .ldu = o->U.v.at != NULL ? o->U.ld : 1,
                           .Vt = o->Vt.v.at,
                           .ldvt = o->Vt.v.at != NULL ? o->Vt.ld : 1,
                           .info = o->info.at};
}

bool singular_fetch(singular_operands *o)
{
    return guarded_fetch(&o->A.v) && guarded_fetch(&o->s.v) &&
           (o->U.v.at == NULL || guarded_fetch(&o->U.v)) &&
           (o->Vt.v.at == NULL || guarded_fetch(&o->Vt.v));
}

bool singular_enqueue(routine *r, singular_operands *o, const singular_case *c)
{
    far_dense far;
    if (c->far && !far_dense_begin(r, &o->A, &far))
        return false;
    const singular_call call = singular_call_of(o, c);
    const bool ran = routine_ran(r, singular_form_of(r)->run(r->ctx, &call), NULL);
    if (c->far)
        far_dense_end(r, &o->A, &far);
    return ran;
}

void singular_info(singular_operands *o, int64_t want)
{
    int64_t info = -77;
    if (result_take(&o->info, &info))
        CHECK(info == want, "info is %lld instead of %lld", (long long)info, (long long)want);
}

bool singular_run(routine *r, singular_operands *o, const singular_case *c)
{
    if (!singular_enqueue(r, o, c)) {
        result_untouched(&o->info);
        return false;
    }
    singular_info(o, 0);
    return singular_fetch(o);
}

void singular_gaps(const singular_operands *o)
{
    dense_gaps(&o->A, "A");
    dense_gaps(&o->s, "s");
    if (o->U.v.at != NULL)
        dense_gaps(&o->U, "U");
    if (o->Vt.v.at != NULL)
        dense_gaps(&o->Vt, "Vt");
}

/* ---- What came out ---- */

void singular_drop(singular_outcome *got)
{
    free(got->s);
    free(got->U);
    free(got->V);
    free(got->Vt);
}

static number *taken(const routine *r, const dense *from, int64_t m, int64_t n)
{
    number *X = lapack_matrix(m, n);
    for (int64_t j = 0; X != NULL && j < n; j++)
        for (int64_t i = 0; i < m; i++)
            X[i + j * m] = number_got(r->dtype, &from->v, i + j * from->ld);
    return X;
}

bool singular_take(const routine *r, const singular_operands *o, const singular_case *c,
                   singular_outcome *got)
{
    const gbl_dtype real = gbl_dtype_real_bytes(r->dtype) == 4 ? GBL_S : GBL_D;
    const int64_t k = singular_least(c);
    gable_job u, vt;
    sides_of(r, c, &u, &vt);
    memset(got, 0, sizeof *got);
    got->left = u == GABLE_NO_VECTORS ? 0 : u == GABLE_ALL_VECTORS ? c->m : k;
    got->right = vt == GABLE_NO_VECTORS ? 0 : vt == GABLE_ALL_VECTORS ? c->n : k;
    got->s = calloc((size_t)k, sizeof *got->s);
    if (got->s == NULL)
        return false;
    for (int64_t i = 0; i < k; i++)
        got->s[i] = ldexp(number_got(real, &o->s.v, i).re, -c->scale);
    if (got->left > 0)
        got->U = taken(r, u == GABLE_OVERWRITE ? &o->A : &o->U, c->m, got->left);
    if (got->right > 0) {
        got->Vt = taken(r, vt == GABLE_OVERWRITE ? &o->A : &o->Vt, got->right, c->n);
        got->V = lapack_matrix(c->n, got->right);
        if (got->V != NULL && got->Vt != NULL)
            qr_turn(got->right, c->n, got->Vt, got->V);
    }
    return (got->left == 0 || got->U != NULL) &&
           (got->right == 0 || (got->V != NULL && got->Vt != NULL));
}

/* Few roundings count in full where there are few rows. Correct code gives less than 1. */
static void judge(routine *r, const singular_case *c, const char *what, double ratio)
{
    const double limit = c->m + c->n < 8 ? 3 * LAPACK_LIMIT : LAPACK_LIMIT;
    if (c->kind == SINGULAR_EXACT && singular_least(c) <= 20)
        CHECK(ratio == 0, "%s: the ratio is %g instead of 0", what, ratio);
    if (!(ratio <= limit))
        CHECK(false, "%s: the ratio is %g", what, ratio);
    routine_error(r, ratio, 1, limit);
}

static void judge_all(routine *r, const singular_operands *o, const singular_case *c,
                      const singular_outcome *got)
{
    const gbl_dtype t = r->dtype;
    const int64_t k = singular_least(c), m = c->m, n = c->n;
    CHECK(singular_descending(k, got->s), "the values do not descend, or one is negative");
    if (got->U != NULL)
        judge(r, c, "orthogonality of U", singular_orthogonality(t, m, got->left, got->U));
    if (got->V != NULL)
        judge(r, c, "orthogonality of V", singular_orthogonality(t, n, got->right, got->V));
    if (got->U != NULL && got->V != NULL)
        judge(r, c, "residual",
              singular_residual(t, m, n, o->given, k, got->U, m, got->s, got->Vt, got->right));
    else if (got->U != NULL)
        judge(r, c, "residual of U", singular_one_side(t, m, n, o->given, k, got->U, m, got->s));
    else if (got->V != NULL) {
        number *turned = lapack_matrix(n, m);
        if (turned != NULL) {
            qr_turn(m, n, o->given, turned);
            judge(r, c, "residual of V", singular_one_side(t, n, m, turned, k, got->V, n, got->s));
        }
        free(turned);
    }
}

void singular_check(routine *r, const singular_case *c, const char *more)
{
    singular_operands o;
    singular_outcome got = {0};
    singular_begin(r, c, more);
    if (singular_build(r, &o, c) && singular_run(r, &o, c) && singular_take(r, &o, c, &got)) {
        judge_all(r, &o, c, &got);
        singular_gaps(&o);
    }
    singular_drop(&got);
    singular_destroy(&o);
}

static bool get(routine *r, const singular_case *c, const char *more, singular_outcome *got)
{
    singular_operands o;
    memset(got, 0, sizeof *got);
    singular_begin(r, c, more);
    const bool right =
        singular_build(r, &o, c) && singular_run(r, &o, c) && singular_take(r, &o, c, got);
    singular_destroy(&o);
    return right;
}

/* Values alone against those with vectors. */
void singular_compare_values(routine *r, singular_case c)
{
    singular_outcome with, without;
    c.u = c.vt = GABLE_SOME_VECTORS;
    const bool first = get(r, &c, "values with vectors", &with);
    c.u = c.vt = GABLE_NO_VECTORS;
    if (get(r, &c, "values without vectors", &without) && first) {
        const double ratio = singular_distance(r->dtype, singular_least(&c), with.s, without.s);
        CHECK(singular_descending(singular_least(&c), without.s),
              "the values do not descend, or one is negative");
        CHECK(ratio <= VALUES_LIMIT, "values with and without vectors: the ratio is %g", ratio);
    }
    singular_drop(&with);
    singular_drop(&without);
}

/* Partial vectors against the first of all of them, where values are well apart. */
void singular_compare_vectors(routine *r, singular_case c)
{
    const int64_t k = singular_least(&c);
    singular_outcome all, some;
    c.kind = SINGULAR_EVEN;
    c.u = c.vt = GABLE_ALL_VECTORS;
    const bool first = get(r, &c, "all vectors", &all);
    c.u = c.vt = GABLE_SOME_VECTORS;
    if (get(r, &c, "some vectors", &some) && first) {
        const double left = singular_columns_apart(r->dtype, c.m, k, all.U, some.U),
                     right = singular_columns_apart(r->dtype, c.n, k, all.V, some.V), limit = 30;
        CHECK(left <= limit && right <= limit, "partial vectors: the ratios are %g and %g", left,
              right);
    }
    singular_drop(&all);
    singular_drop(&some);
}
