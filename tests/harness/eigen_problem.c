/* eigen_problem.c: one case of a test of eigenvalues: its matrices, its call, what came out.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a routine must not read is NaN or a pattern, also the imaginary parts of a Hermitian
 * diagonal. A case runs with vectors, which is judged by LAPACK's ratios, and without, which must
 * give the same values. Values alone of a tridiagonal matrix are judged by Sturm counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include "harness/eigen_problem.h"
#include "harness/far_dense.h"
#include "lapack/lapack.h"

/* LAPACK's own tests accept 60. Right code gives less than 1 or 2, so ratios above SHOWN are
 * printed. */
#define LIMIT 30.0
#define SHOWN 3.0
/* Values of two methods, over 2 u of the largest: LAPACK accepts as much. */
#define VALUES_SHOWN 20.0

const eigen_form *eigen_form_of(const routine *r)
{
    return r->parts->forms;
}

eigen_problem eigen_problem_of(const routine *r)
{
    return eigen_form_of(r)->problem;
}

bool eigen_has(const routine *r, const char *argument)
{
    return routine_argument(eigen_form_of(r)->arguments, argument) != 0;
}

bool eigen_is_tridiagonal(const routine *r)
{
    return eigen_problem_of(r) == EIGEN_VALUES || eigen_problem_of(r) == EIGEN_TRIDIAGONAL;
}

void eigen_begin(routine *r, const eigen_case *c, const char *more)
{
    r->cases++;
    test_case("%s %s variant=%s part=%s job=%d itype=%d range=%d uplo=%c n=%lld gap=%lld offset=%d "
              "kind=%d scale=%d fence=%d seed=%llu %s",
              eigen_form_of(r)->name, test_device(), r->choice, r->part, (int)c->job, c->itype,
              (int)c->range, c->uplo == GABLE_UPPER ? 'U' : 'L', (long long)c->n,
              (long long)c->place.gap, c->place.offset, (int)c->kind, c->scale, (int)c->fence,
              (unsigned long long)c->seed, more);
}

/* ---- A case ---- */

gbl_dtype eigen_real_of(const routine *r)
{
    return gbl_dtype_real_bytes(r->dtype) == 4 ? GBL_S : GBL_D;
}

/* A triangle; the imaginary part of a Hermitian diagonal is NaN where none is read. */
static void put_triangle(routine *r, dense *to, const number *from, const eigen_case *c,
                         bool spoils)
{
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->n; i++) {
            const number a = from[i + j * c->n];
            if (lapack_in(c->uplo, i, j))
                number_put(r->dtype, &to->v, i + j * to->ld,
                           (number){ldexp(a.re, spoils ? c->scale : 0),
                                    spoils && i == j ? NAN : ldexp(a.im, spoils ? c->scale : 0)});
        }
}

/* Rows change places, some with another sign or phase: exactly unitary. */
static void put_unitary(routine *r, eigen_operands *o, const eigen_case *c)
{
    const int64_t n = c->n;
    for (int64_t j = 0; j < n; j++) {
        const int64_t i = n - 1 - j;
        const number one = {j % 3 == 1 ? -1 : 1, 0}, turned = {0, 1};
        o->Z_given[i + j * n] = gbl_dtype_complex(r->dtype) && j % 3 == 2 ? turned : one;
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            number_put(r->dtype, &o->Z.v, i + j * o->Z.ld, o->Z_given[i + j * n]);
}

bool eigen_needs_z(const routine *r)
{
    return eigen_problem_of(r) == EIGEN_TRIDIAGONAL || eigen_problem_of(r) == EIGEN_SOME;
}

static bool make_numbers(routine *r, eigen_operands *o, const eigen_case *c)
{
    const int64_t n = c->n;
    o->given = lapack_matrix(n, n);
    o->factor = lapack_matrix(n, n);
    o->square = lapack_matrix(n, n);
    o->Z_given = lapack_matrix(n, n);
    o->vectors = lapack_matrix(n, n);
    o->values = calloc((size_t)n + 1, sizeof *o->values);
    if (o->given == NULL || o->factor == NULL || o->square == NULL || o->Z_given == NULL ||
        o->vectors == NULL || o->values == NULL)
        return false;
    eigen_matrix(r->dtype, c->kind, eigen_is_tridiagonal(r), n, c->seed, o->given);
    eigen_factor(r->dtype, c->kind, c->uplo, n, c->seed + 7, o->factor);
    lapack_square(c->uplo, false, n, o->factor, o->square);
    for (int64_t i = 0; i < n * n; i++)
        o->square[i] = number_of(r->dtype, o->square[i].re, o->square[i].im);
    return true;
}

static bool make_dense(routine *r, eigen_operands *o, const eigen_case *c)
{
    const size_t elem = gbl_dtype_bytes(r->dtype), real = gbl_dtype_real_bytes(r->dtype);
    const int64_t n = c->n, a = eigen_is_tridiagonal(r) ? 0 : n, b = eigen_has(r, "B") ? n : 0,
                  z = eigen_needs_z(r) ? n : 0;
    gable_context *ctx = r->ctx;
    return dense_make(&o->A, ctx, a, a, c->place, elem, NULL, 0, c->fill, c->fence) &&
           dense_make(&o->B, ctx, b, b, c->place, elem, NULL, 0, c->fill, c->fence) &&
           dense_make(&o->w, ctx, eigen_problem_of(r) == EIGEN_FORM ? 0 : n, 1, c->place, real,
                      NULL, 0, c->fill, c->fence) &&
           dense_make(&o->e, ctx, eigen_is_tridiagonal(r) && n > 0 ? n - 1 : 0, 1, c->place, real,
                      NULL, 0, c->fill, c->fence) &&
           dense_make(&o->Z, ctx, z, z, c->place, elem, NULL, 0, c->fill, c->fence) &&
           dense_make(&o->failed, ctx, eigen_problem_of(r) == EIGEN_SOME ? n : 0, 1, c->place,
                      sizeof(int64_t), NULL, 0, c->fill, c->fence) &&
           result_make(&o->info, ctx, sizeof(int64_t), !c->on_device) &&
           result_make(&o->found, ctx, sizeof(int64_t), !c->on_device);
}

bool eigen_send(eigen_operands *o)
{
    return guarded_send(&o->A.v) && guarded_send(&o->B.v) && guarded_send(&o->w.v) &&
           guarded_send(&o->e.v) && guarded_send(&o->Z.v) && guarded_send(&o->failed.v);
}

bool eigen_build(routine *r, eigen_operands *o, const eigen_case *c)
{
    const int64_t n = c->n;
    memset(o, 0, sizeof *o);
    if (!make_numbers(r, o, c) || !make_dense(r, o, c))
        return false;
    if (eigen_is_tridiagonal(r)) {
        for (int64_t i = 0; i < n; i++) {
            number_put(eigen_real_of(r), &o->w.v, i,
                       (number){ldexp(o->given[i + i * n].re, c->scale), 0});
            if (i + 1 < n)
                number_put(eigen_real_of(r), &o->e.v, i,
                           (number){ldexp(o->given[i + 1 + i * n].re, c->scale), 0});
        }
        if (eigen_problem_of(r) == EIGEN_TRIDIAGONAL && c->job == GABLE_VECTORS)
            put_unitary(r, o, c);
    } else {
        put_triangle(r, &o->A, o->given, c, true);
    }
    if (eigen_has(r, "B"))
        put_triangle(r, &o->B, eigen_problem_of(r) == EIGEN_FORM ? o->factor : o->square, c, false);
    return eigen_send(o);
}

void eigen_destroy(eigen_operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->B);
    dense_destroy(&o->w);
    dense_destroy(&o->e);
    dense_destroy(&o->Z);
    dense_destroy(&o->failed);
    free(o->given);
    free(o->factor);
    free(o->square);
    free(o->Z_given);
    free(o->vectors);
    free(o->values);
}

eigen_call eigen_call_of(const eigen_operands *o, const eigen_case *c)
{
    return (eigen_call){.itype = c->itype,
                        .jobz = c->job,
                        .range = c->range,
                        .uplo = c->uplo,
                        .n = c->n,
                        .A = o->A.v.at,
                        .lda = o->A.ld,
                        .B = o->B.v.at,
                        .ldb = o->B.ld,
                        .vl = ldexp(c->vl, c->scale),
                        .vu = ldexp(c->vu, c->scale),
                        .il = c->il,
                        .iu = c->iu,
                        .m = o->found.at,
                        .w = o->w.v.at,
                        .e = o->e.v.at,
                        .Z = o->Z.v.at,
                        .ldz = o->Z.ld,
                        .ifail = o->failed.v.at,
                        .info = o->info.at};
}

gable_status eigen_enqueue(routine *r, const eigen_operands *o, const eigen_case *c)
{
    const eigen_call call = eigen_call_of(o, c);
    return eigen_form_of(r)->run(r->ctx, &call);
}

/* Takes the results: their places are gone then. */
bool eigen_fetch(routine *r, eigen_operands *o, const eigen_case *c)
{
    if (!guarded_fetch(&o->A.v) || !guarded_fetch(&o->B.v) || !guarded_fetch(&o->w.v) ||
        !guarded_fetch(&o->e.v) || !guarded_fetch(&o->Z.v) || !guarded_fetch(&o->failed.v))
        return false;
    o->outcome = 0;
    o->count = c->n;
    return (eigen_has(r, "info") ? result_take(&o->info, &o->outcome)
                                 : result_untouched(&o->info)) &&
           (eigen_has(r, "m") ? result_take(&o->found, &o->count) : result_untouched(&o->found));
}

/* ---- What came out ---- */

bool eigen_with_vectors(const eigen_case *c)
{
    return c->job != GABLE_NO_VECTORS;
}

static void judge_from(routine *r, const eigen_case *c, const char *what, double ratio,
                       double shown)
{
    if (ratio > shown)
        printf("%s n=%lld kind=%d scale=%d: %s %g\n", eigen_form_of(r)->name, (long long)c->n,
               (int)c->kind, c->scale, what, ratio);
    routine_error(r, ratio, 1, LIMIT);
}

static void judge(routine *r, const eigen_case *c, const char *what, double ratio)
{
    judge_from(r, c, what, ratio, SHOWN);
}

static void take(routine *r, eigen_operands *o, const eigen_case *c)
{
    const int64_t n = c->n;
    const dense *from = eigen_needs_z(r) ? &o->Z : &o->A;
    for (int64_t i = 0; i < o->count && eigen_problem_of(r) != EIGEN_FORM; i++)
        o->values[i] = ldexp(number_got(eigen_real_of(r), &o->w.v, i).re, -c->scale);
    for (int64_t j = 0; j < o->count && eigen_with_vectors(c); j++)
        for (int64_t i = 0; i < n; i++)
            o->vectors[i + j * n] = number_got(r->dtype, &from->v, i + j * from->ld);
}

/* The other triangle of what only a triangle of was for the routine, and gaps. */
void eigen_untouched(eigen_operands *o, const eigen_case *c, bool whole)
{
    for (int64_t j = 0; j < o->A.columns && !whole; j++)
        for (int64_t i = 0; i < o->A.rows; i++) {
            const int64_t at = i + j * o->A.ld;
            if (!lapack_in(c->uplo, i, j) &&
                memcmp(guarded_element(&o->A.v, at), guarded_result(&o->A.v, at),
                       o->A.v.elem_bytes) != 0) {
                CHECK(false, "A(%lld, %lld) was changed", (long long)i, (long long)j);
                return;
            }
        }
    dense_gaps(&o->A, "A");
    if (o->B.rows > 0)
        lapack_untouched(&o->B, c->uplo, "B");
    dense_gaps(&o->w, "w");
    dense_gaps(&o->e, "e");
    dense_gaps(&o->Z, "Z");
    dense_gaps(&o->failed, "ifail");
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A diagonal of integers, and B one of powers of two: values are exact. */
static void compare_exact(routine *r, eigen_operands *o, const eigen_case *c)
{
    const int64_t n = c->n;
    double *want = calloc((size_t)n + 1, sizeof *want);
    for (int64_t i = 0; want != NULL && i < n; i++) {
        const double b = o->square[i + i * n].re, a = o->given[i + i * n].re;
        want[i] = eigen_problem_of(r) != EIGEN_GENERAL ? a : c->itype == 1 ? a / b : a * b;
    }
    if (want != NULL) {
        qsort(want, (size_t)n, sizeof *want, ascending);
        for (int64_t i = 0; i < n; i++)
            CHECK(o->values[i] == want[i], "value %lld is %.17g instead of %.17g", (long long)i,
                  o->values[i], want[i]);
    }
    free(want);
}

/* X Z = Y Z W. */
static void judge_general(routine *r, const eigen_operands *o, const eigen_case *c)
{
    const int64_t n = c->n;
    number *product = lapack_matrix(n, n);
    if (product == NULL)
        return;
    lapack_multiply(GABLE_NO_TRANS, n, n, c->itype == 2 ? o->given : o->square,
                    c->itype == 2 ? o->square : o->given, product);
    const number *X = c->itype == 1 ? o->given : product;
    judge(
        r, c, "residual",
        eigen_residual(r->dtype, n, n, X, c->itype == 1 ? o->square : NULL, o->vectors, o->values));
    if (c->itype != 3)
        judge(r, c, "orthogonality", eigen_orthogonality(r->dtype, n, n, o->square, o->vectors));
    free(product);
}

/* A' with F A' F^H = A, or F^H A F, as sygst has them. */
static void judge_form(routine *r, eigen_operands *o, const eigen_case *c)
{
    const int64_t n = c->n;
    const bool lower = c->uplo == GABLE_LOWER, inner = c->itype == 1;
    number *got = lapack_matrix(n, n), *half = lapack_matrix(n, n), *turned = lapack_matrix(n, n),
           *whole = lapack_matrix(n, n);
    if (got != NULL && half != NULL && turned != NULL && whole != NULL) {
        lapack_get(r->dtype, &o->A, c->uplo, got, c->scale);
        for (int64_t i = 0; i < n; i++)
            CHECK(got[i + i * n].im == 0, "A(%lld, %lld) is not real", (long long)i, (long long)i);
        lapack_complete(c->uplo, n, got);
        /* X B X^H: X = L or U^H around the result, L^H or U around A. */
        const gable_trans trans = inner == lower ? GABLE_NO_TRANS : GABLE_CONJ_TRANS;
        lapack_multiply(trans, n, n, o->factor, inner ? got : o->given, half);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++)
                turned[i + j * n] = number_conjugate(half[j + i * n]);
        lapack_multiply(trans, n, n, o->factor, turned, whole);
        judge(r, c, "distance",
              eigen_distance(r->dtype, n, inner ? o->given : whole, inner ? whole : got));
        if (c->kind == EIGEN_EXACT)
            CHECK(eigen_distance(r->dtype, n, inner ? o->given : whole, inner ? whole : got) == 0,
                  "it is not exact");
    }
    free(got);
    free(half);
    free(turned);
    free(whole);
}

static void compare(routine *r, eigen_operands *o, const eigen_case *c)
{
    CHECK(o->outcome == 0, "info is %lld", (long long)o->outcome);
    take(r, o, c);
    eigen_untouched(o, c,
                    eigen_with_vectors(c) && (eigen_problem_of(r) == EIGEN_STANDARD ||
                                              eigen_problem_of(r) == EIGEN_GENERAL));
    if (eigen_problem_of(r) == EIGEN_FORM) {
        judge_form(r, o, c);
        return;
    }
    for (int64_t i = 1; i < o->count; i++)
        CHECK(o->values[i - 1] <= o->values[i], "values %lld and %lld do not ascend",
              (long long)i - 1, (long long)i);
    if (c->kind == EIGEN_EXACT && o->count == c->n)
        compare_exact(r, o, c);
    if (eigen_is_tridiagonal(r))
        judge(r, c, "values", eigen_sturm(r->dtype, c->n, o->given, o->values));
    if (!eigen_with_vectors(c))
        return;
    if (eigen_problem_of(r) == EIGEN_GENERAL) {
        judge_general(r, o, c);
        return;
    }
    if (eigen_problem_of(r) == EIGEN_TRIDIAGONAL && c->job == GABLE_VECTORS)
        eigen_similar(c->n, o->Z_given, o->given);
    judge(r, c, "residual",
          eigen_residual(r->dtype, c->n, o->count, o->given, NULL, o->vectors, o->values));
    judge(r, c, "orthogonality", eigen_orthogonality(r->dtype, c->n, o->count, NULL, o->vectors));
}

/* Values of another run: the same up to `ulp` of the largest. */
static void compare_values(routine *r, const eigen_case *c, const double *all, int64_t n,
                           const eigen_operands *o, int64_t first)
{
    double most = 0, apart = 0;
    for (int64_t i = 0; i < n; i++)
        most = fabs(all[i]) > most ? fabs(all[i]) : most;
    for (int64_t i = 0; i < o->count; i++) {
        const double difference = fabs(o->values[i] - all[first + i]);
        apart = difference > apart || difference != difference ? difference : apart;
    }
    judge_from(r, c, "values of the other run",
               most > 0 ? apart / most / (2 * number_roundoff(r->dtype)) : apart, VALUES_SHOWN);
}

/* A forced variant fits it where it fits the case: some are with vectors only. */
static gbl_product_call call_like(const routine *r, const eigen_case *c)
{
    gbl_product_call call = *(const gbl_product_call *)eigen_probe(r, 0);
    call.m = call.n = c->n;
    if (call.job != 0)
        call.job = c->job;
    return call;
}

bool eigen_ran(routine *r, eigen_operands *o, const eigen_case *c)
{
    const gbl_product_call like = call_like(r, c);
    return routine_ran(r, eigen_enqueue(r, o, c), &like);
}

/* Its matrices are far apart while it runs; the call waits for info. */
static bool enqueue_far(routine *r, eigen_operands *o, const eigen_case *c)
{
    dense *const matrices[] = {&o->A, &o->B, &o->Z};
    far_dense far[3];
    bool is_far[3] = {false}, ready = true;
    for (int i = 0; i < 3 && c->far; i++) {
        is_far[i] = ready && matrices[i]->columns > 0;
        if (is_far[i])
            ready = is_far[i] = far_dense_begin(r, matrices[i], &far[i]);
    }
    const bool ran = ready && eigen_ran(r, o, c);
    for (int i = 0; i < 3; i++)
        if (is_far[i])
            far_dense_end(r, matrices[i], &far[i]);
    return ran;
}

static bool run_case(routine *r, eigen_operands *o, const eigen_case *c, const char *more)
{
    eigen_begin(r, c, more);
    if (!eigen_build(r, o, c) || !enqueue_far(r, o, c) || !eigen_fetch(r, o, c))
        return false;
    compare(r, o, c);
    return true;
}

/* Part of the values, against all of them. */
static void check_some(routine *r, const eigen_case *of, const double *all)
{
    const int64_t n = of->n;
    eigen_case c = *of;
    eigen_operands o;
    c.range = GABLE_RANGE_INDICES;
    c.il = n / 3 + 1;
    c.iu = n - n / 4;
    for (int way = 0; way < 2; way++) {
        c.job = way == 0 ? GABLE_VECTORS : GABLE_NO_VECTORS;
        if (run_case(r, &o, &c, "by numbers")) {
            CHECK(o.count == c.iu - c.il + 1, "m is %lld", (long long)o.count);
            compare_values(r, &c, all, n, &o, c.il - 1);
        }
        eigen_destroy(&o);
    }
    if (strstr(r->choice, "syevx=inverse") != NULL) /* the host must know how many there are */
        return;
    /* Bounds in the middle of a wide gap: which values lie between is beyond doubt. */
    int64_t from = 0, to = n;
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fabs(all[i]) > most ? fabs(all[i]) : most;
    const double apart = 200 * (double)n * number_roundoff(r->dtype) * most;
    while (from < n && (from == 0 || all[from] - all[from - 1] <= apart))
        from++;
    while (to > from && (to == n || all[to] - all[to - 1] <= apart))
        to--;
    c.range = GABLE_RANGE_VALUES;
    c.vl = from < n ? (all[from - 1] + all[from]) / 2 : all[0] - 1;
    c.vu = from < to && to < n ? (all[to - 1] + all[to]) / 2 : all[n - 1] + 1;
    if (from >= n)
        from = 0;
    if (!(from < to && to < n))
        to = n;
    for (int way = 0; way < 2; way++) {
        c.job = way == 0 ? GABLE_NO_VECTORS : GABLE_VECTORS;
        if (run_case(r, &o, &c, "by values")) {
            CHECK(o.count == to - from, "m is %lld instead of %lld", (long long)o.count,
                  (long long)(to - from));
            if (o.count == to - from)
                compare_values(r, &c, all, n, &o, from);
        }
        eigen_destroy(&o);
    }
}

/* With vectors and without. */
void eigen_check(routine *r, const eigen_case *given, const char *more)
{
    eigen_case c = *given;
    eigen_operands o, alone;
    if (eigen_problem_of(r) == EIGEN_FORM || eigen_problem_of(r) == EIGEN_VALUES) {
        c.job = GABLE_NO_VECTORS;
        run_case(r, &o, &c, more);
        eigen_destroy(&o);
        return;
    }
    if (run_case(r, &o, &c, more)) {
        eigen_case without = c;
        without.job = GABLE_NO_VECTORS;
        if (run_case(r, &alone, &without, more))
            compare_values(r, &without, o.values, c.n, &alone, 0);
        eigen_destroy(&alone);
        if (eigen_problem_of(r) == EIGEN_SOME && c.n > 3)
            check_some(r, &c, o.values);
    }
    eigen_destroy(&o);
}
