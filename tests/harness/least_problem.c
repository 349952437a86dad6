/* least_problem.c: a case of gels: made, run and judged.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include "harness/least_problem.h"
#include "lapack/lapack.h"

const least_form *least_form_of(const routine *r)
{
    return r->parts->forms;
}

void least_begin(routine *r, const least_case *c, const char *more)
{
    r->cases++;
    test_case("%s %s variant=%s part=%s m=%lld n=%lld nrhs=%lld turned=%d gap=%lld offset=%d "
              "kind=%d consistent=%d scales=%d,%d zero=%lld fence=%d seed=%llu %s",
              least_form_of(r)->name, test_device(), r->choice, r->part, (long long)c->m,
              (long long)c->n, (long long)c->nrhs, c->turned, (long long)c->place.gap,
              c->place.offset, (int)c->kind, c->consistent, c->scale_a, c->scale_b,
              (long long)c->zero, (int)c->fence, (unsigned long long)c->seed, more);
}

/* ---- The tall problem ---- */

static int64_t rows_of(const least_case *c)
{
    return c->m > c->n ? c->m : c->n;
}

int64_t least_columns(const least_case *c)
{
    return c->m > c->n ? c->n : c->m;
}

/* M^H X = B: the least norm. */
static bool is_least_norm(const least_case *c)
{
    return c->turned != (c->m < c->n);
}

static int64_t given_rows(const least_case *c)
{
    return is_least_norm(c) ? least_columns(c) : rows_of(c);
}

static int64_t solved_rows(const least_case *c)
{
    return is_least_norm(c) ? rows_of(c) : least_columns(c);
}

/* C := M X or M^H X. ldx and ldc: rows of X and C in memory. */
static void multiply(const least_case *c, bool adjoint, const number *M, const number *X,
                     int64_t ldx, number *C, int64_t ldc)
{
    const int64_t m = rows_of(c), n = least_columns(c), rows = adjoint ? n : m,
                  terms = adjoint ? m : n;
    for (int64_t s = 0; s < c->nrhs; s++)
        for (int64_t i = 0; i < rows; i++) {
            number sum = {0, 0};
            for (int64_t k = 0; k < terms; k++) {
                const number a = adjoint ? number_conjugate(M[k + i * m]) : M[i + k * m];
                const number x = X[k + s * ldx];
                sum.re += a.re * x.re - a.im * x.im;
                sum.im += a.re * x.im + a.im * x.re;
            }
            C[i + s * ldc] = sum;
        }
}

static bool is_zero_row(const least_case *c, const number *M, int64_t i)
{
    for (int64_t j = 0; j < least_columns(c); j++)
        if (number_size(M[i + j * rows_of(c)]) != 0)
            return false;
    return true;
}

/* M, X where the case is exact, and B. The solution with the least norm of an exact case is zero
 * where the rows of M are. */
static void make_numbers(routine *r, least_operands *o, const least_case *c)
{
    const int64_t m = rows_of(c), n = least_columns(c);
    const bool exact = c->kind == QR_EXACT;
    qr_matrix(r->dtype, c->kind, m, n, c->seed, o->matrix);
    for (int64_t i = 0; c->zero >= 0 && i < m; i++)
        o->matrix[i + c->zero * m] = (number){0, 0};
    for (int64_t s = 0; s < c->nrhs; s++)
        for (int64_t i = 0; i < solved_rows(c); i++) {
            const bool none = exact && is_least_norm(c) && is_zero_row(c, o->matrix, i);
            o->solution[i + s * m] = none    ? (number){0, 0}
                                     : exact ? number_integer(r->dtype, c->seed + 5, i + s * m, 2)
                                             : number_random(r->dtype, c->seed + 5, i + s * m);
        }
    if (exact || c->consistent)
        multiply(c, is_least_norm(c), o->matrix, o->solution, m, o->sides, m);
    else
        for (int64_t e = 0; e < m * c->nrhs; e++)
            o->sides[e] = number_random(r->dtype, c->seed + 6, e);
    for (int64_t e = 0; e < m * c->nrhs; e++)
        o->sides[e] = number_of(r->dtype, o->sides[e].re, o->sides[e].im);
}

/* ---- A case ---- */

static number scaled(number a, int scale)
{
    return (number){ldexp(a.re, scale), ldexp(a.im, scale)};
}

static void put(const routine *r, const least_case *c, const dense *A, const number *M)
{
    for (int64_t j = 0; j < least_columns(c); j++)
        for (int64_t i = 0; i < rows_of(c); i++) {
            const number a = scaled(M[i + j * rows_of(c)], c->scale_a);
            if (c->m < c->n)
                number_put(r->dtype, &A->v, j + i * A->ld, number_conjugate(a));
            else
                number_put(r->dtype, &A->v, i + j * A->ld, a);
        }
}

bool least_build(routine *r, least_operands *o, const least_case *c)
{
    const size_t elem = gbl_dtype_bytes(r->dtype);
    const int64_t m = rows_of(c), n = least_columns(c);
    memset(o, 0, sizeof *o);
    o->matrix = lapack_matrix(m, n);
    o->solution = lapack_matrix(m, c->nrhs);
    o->sides = lapack_matrix(m, c->nrhs);
    o->got = lapack_matrix(m, c->nrhs);
    if (o->matrix == NULL || o->solution == NULL || o->sides == NULL || o->got == NULL ||
        !result_make(&o->info, r->ctx, sizeof(int64_t), c->on_host) ||
        !dense_make(&o->A, r->ctx, c->m, c->n, c->place, elem, NULL, 0, c->fill, c->fence) ||
        !dense_make(&o->F, r->ctx, c->m, c->n, c->place, elem, NULL, 0, c->fill, c->fence) ||
        !dense_make(&o->tau, r->ctx, n, 1, c->place, elem, NULL, 0, c->fill, c->fence) ||
        !dense_make(&o->B, r->ctx, m, c->nrhs, c->place, elem, NULL, 0, c->fill, c->fence))
        return false;
    make_numbers(r, o, c);
    put(r, c, &o->A, o->matrix);
    put(r, c, &o->F, o->matrix);
    for (int64_t s = 0; s < c->nrhs; s++)
        for (int64_t i = 0; i < given_rows(c); i++)
            number_put(r->dtype, &o->B.v, i + s * o->B.ld, scaled(o->sides[i + s * m], c->scale_b));
    return guarded_send(&o->A.v) && guarded_send(&o->F.v) && guarded_send(&o->tau.v) &&
           guarded_send(&o->B.v);
}

void least_destroy(least_operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->F);
    dense_destroy(&o->tau);
    dense_destroy(&o->B);
    free(o->matrix);
    free(o->solution);
    free(o->sides);
    free(o->got);
}

gable_trans least_trans(const routine *r, const least_case *c)
{
    return c->turned ? gbl_adjoint(r->dtype) : GABLE_NO_TRANS;
}

gable_status least_enqueue(routine *r, const least_operands *o, const least_case *c)
{
    return least_form_of(r)->run(r->ctx, least_trans(r, c), c->m, c->n, c->nrhs, o->A.v.at, o->A.ld,
                                 o->B.v.at, o->B.ld, o->info.at);
}

bool least_fetch(least_operands *o)
{
    return guarded_fetch(&o->A.v) && guarded_fetch(&o->B.v);
}

static gbl_product_call call_of(const routine *r, const least_operands *o, const least_case *c)
{
    return (gbl_product_call){.dtype = r->dtype,
                              .trans = least_trans(r, c),
                              .m = c->m,
                              .n = c->n,
                              .k = c->nrhs,
                              .A = o->A.v.at,
                              .lda = o->A.ld,
                              .B = o->B.v.at,
                              .ldb = o->B.ld,
                              .info = o->info.at};
}

void least_info(least_operands *o, int64_t want)
{
    int64_t info = -7;
    if (result_take(&o->info, &info))
        CHECK(info == want, "info is %lld instead of %lld", (long long)info, (long long)want);
}

bool least_run(routine *r, least_operands *o, const least_case *c)
{
    const gbl_product_call call = call_of(r, o, c);
    if (!routine_ran(r, least_enqueue(r, o, c), &call))
        return false;
    least_info(o, c->zero + 1);
    return least_fetch(o);
}

/* ---- What came out ---- */

/* Of one to three rows the few roundings of tau, of a reciprocal and of products count in full. */
static void judge(routine *r, const least_case *c, const char *what, double error, double bound)
{
    const double ratio = error / (bound * number_roundoff(r->dtype)),
                 limit = rows_of(c) < 4 ? 3 * LAPACK_LIMIT : LAPACK_LIMIT;
    if (!(ratio <= limit) && bound > 0)
        CHECK(false, "%s: the ratio is %g", what, ratio);
    routine_error(r, error, bound * number_roundoff(r->dtype), limit);
}

static double norm2(int64_t count, const number *x)
{
    double norm = 0;
    for (int64_t i = 0; i < count; i++)
        norm = hypot(norm, hypot(x[i].re, x[i].im));
    return norm;
}

static double norm_of_op(const least_case *c, const number *M)
{
    const int64_t m = rows_of(c), n = least_columns(c);
    double most = lapack_norm1(m, n, M);
    if (is_least_norm(c)) {
        number *turned = lapack_matrix(n, m);
        if (turned == NULL)
            return 0;
        qr_turn(m, n, M, turned);
        most = lapack_norm1(n, m, turned);
        free(turned);
    }
    return most;
}

/* X minus its part in the range of M, by a QR factorization in doubles. */
static void judge_norm(routine *r, const least_operands *o, const least_case *c)
{
    const int64_t m = rows_of(c), n = least_columns(c);
    number *F = lapack_matrix(m, n), *tau = lapack_matrix(n, 1), *X = lapack_matrix(m, c->nrhs);
    if (F != NULL && tau != NULL && X != NULL) {
        memcpy(F, o->matrix, (size_t)(m * n) * sizeof *F);
        memcpy(X, o->got, (size_t)(m * c->nrhs) * sizeof *X);
        qr_reference(m, n, F, tau);
        qr_apply(m, c->nrhs, n, F, tau, true, X);
        for (int64_t s = 0; s < c->nrhs; s++)
            for (int64_t i = 0; i < n; i++)
                X[i + s * m] = (number){0, 0};
        judge(r, c, "least norm", lapack_norm1(m, c->nrhs, X),
              (double)m * lapack_norm1(m, c->nrhs, o->got));
    }
    free(F);
    free(tau);
    free(X);
}

/* The rows behind X have the norm of the residual. */
static void judge_rows_behind(routine *r, const least_operands *o, const least_case *c,
                              const number *R)
{
    const int64_t m = rows_of(c), n = least_columns(c);
    for (int64_t s = 0; s < c->nrhs && m > n; s++)
        judge(r, c, "rows behind X", fabs(norm2(m - n, o->got + n + s * m) - norm2(m, R + s * m)),
              (double)m * norm2(m, o->sides + s * m));
}

static void judge_solution(routine *r, const least_operands *o, const least_case *c)
{
    const int64_t m = rows_of(c), n = least_columns(c), nrhs = c->nrhs;
    const bool least_norm = is_least_norm(c);
    const double norm = norm_of_op(c, o->matrix);
    number *R = lapack_matrix(m, nrhs), *N = lapack_matrix(m, nrhs), *X = lapack_matrix(m, nrhs);
    if (R != NULL && N != NULL && X != NULL) {
        for (int64_t s = 0; s < nrhs; s++)
            memcpy(X + s * m, o->got + s * m, (size_t)solved_rows(c) * sizeof *X);
        multiply(c, least_norm, o->matrix, X, m, R, m);
        for (int64_t s = 0; s < nrhs; s++)
            for (int64_t i = 0; i < given_rows(c); i++) {
                const number b = o->sides[i + s * m];
                R[i + s * m].re -= b.re;
                R[i + s * m].im -= b.im;
            }
        if (least_norm || c->consistent || m == n)
            judge(r, c, "residual", lapack_norm1(m, nrhs, R),
                  (double)m * norm * lapack_norm1(m, nrhs, X));
        if (least_norm) {
            judge_norm(r, o, c);
        } else {
            const int64_t most = nrhs > m ? nrhs : m;
            multiply(c, true, o->matrix, R, m, N, m);
            if (c->kind ==
                QR_RANDOM) /* the graded ones are ill-conditioned: B is small beside A X */
                judge(r, c, "normal equations", lapack_norm1(n, nrhs, N),
                      (double)most * norm * lapack_norm1(m, nrhs, o->sides));
            judge_rows_behind(r, o, c, R);
        }
    }
    free(R);
    free(N);
    free(X);
}

/* What geqrf or gelqf leaves of A, where A was not scaled. */
static void judge_factors(routine *r, least_operands *o, const least_case *c)
{
    CHECK_OK(r->ctx, least_form_of(r)->factor(r->ctx, c->m, c->n, o->F.v.at, o->F.ld, o->tau.v.at));
    if (guarded_fetch(&o->F.v))
        CHECK(memcmp(o->A.v.got, o->F.v.got, o->A.v.bytes) == 0,
              "A is not what a factorization leaves");
}

void least_compare(routine *r, least_operands *o, const least_case *c)
{
    const int64_t m = rows_of(c);
    for (int64_t s = 0; s < c->nrhs; s++)
        for (int64_t i = 0; i < m; i++)
            o->got[i + s * m] = scaled(number_got(r->dtype, &o->B.v, i + s * o->B.ld),
                                       i < solved_rows(c) ? c->scale_a - c->scale_b : -c->scale_b);
    if (c->kind == QR_ZERO || c->kind == QR_EXACT) {
        const number nothing = {0, 0};
        for (int64_t e = 0; e < m * c->nrhs; e++) {
            const number want =
                c->kind == QR_EXACT && e % m < solved_rows(c) ? o->solution[e] : nothing;
            if (!(o->got[e].re == want.re && o->got[e].im == want.im)) {
                CHECK(false, "number %lld of B is %g + %gi instead of %g + %gi", (long long)e,
                      o->got[e].re, o->got[e].im, want.re, want.im);
                break;
            }
        }
    } else if (c->zero < 0) {
        judge_solution(r, o, c);
    }
    if (c->scale_a == 0)
        judge_factors(r, o, c);
    dense_gaps(&o->A, "A");
    dense_gaps(&o->B, "B");
}

void least_check(routine *r, const least_case *c, const char *more)
{
    least_operands o;
    least_begin(r, c, more);
    if (least_build(r, &o, c) && least_run(r, &o, c))
        least_compare(r, &o, c);
    least_destroy(&o);
}
