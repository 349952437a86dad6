/* test_larfg.c: the six parts of larfg: the reflector of alpha and x
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Reflector by reflector it factors matrices as geqrf does: larfb applies each to the columns
 * behind it, with tau as its T. So ratios and cases are those of geqrf (qr_parts.h), far from 1
 * too. What is larfg's own are strides, one element, and none.
 */
#include <stdlib.h>
#include "harness/numbers.h"
#include "harness/qr_data.h"
#include "harness/qr_parts.h"

static gable_status factor(gable_context *ctx, int64_t m, int64_t n, void *given, int64_t lda,
                           void *factors)
{
    const gable_trans turn = COMPLEX ? GABLE_CONJ_TRANS : GABLE_TRANS;
    T *A = given, *tau = factors;
    gable_status status = GABLE_OK;
    for (int64_t j = 0; status == GABLE_OK && j < m && j < n; j++) {
        T *at = A + j + j * lda;
        status = FN(larfg)(ctx, m - j, at, at + 1, 1, tau + j);
        if (status == GABLE_OK && j + 1 < n)
            status = FN(larfb)(ctx, GABLE_LEFT, turn, GABLE_FORWARD, GABLE_COLUMNWISE, m - j,
                               n - j - 1, 1, at, lda, tau + j, 1, at + lda, lda);
    }
    return status;
}

/* ---- Strides ---- */

/* The ratios of a QR factorization of one column. `power`: what all numbers are multiplied by is
 * 2^power. */
static void strided(routine *r, int64_t n, int64_t incx, int power)
{
    number *x = lapack_matrix(n, 1), *F = lapack_matrix(n, 1), *Q = lapack_matrix(n, 1), tau;
    guarded v = {0}, alpha = {0}, factor_of = {0};
    r->cases++;
    test_case("%s %s variant=%s part=%s n=%lld incx=%lld power=%d", NAME(FN(larfg)), test_device(),
              r->choice, r->part, (long long)n, (long long)incx, power);
    const bool made = guarded_make(&v, r->ctx, n - 1, incx, sizeof(T), 0, FILL_NAN, LOOSE) &&
                      guarded_make(&alpha, r->ctx, 1, 1, sizeof(T), 0, FILL_NAN, LOOSE) &&
                      guarded_make(&factor_of, r->ctx, 1, 1, sizeof(T), 0, FILL_NAN, LOOSE);
    for (int64_t i = 0; made && i < n; i++) {
        x[i] = number_random(DTYPE, 70 + (uint64_t)n, i);
        number_put(DTYPE, i == 0 ? &alpha : &v, i == 0 ? 0 : i - 1,
                   (number){ldexp(x[i].re, power), ldexp(x[i].im, power)});
    }
    if (made && guarded_send(&v) && guarded_send(&alpha) && guarded_send(&factor_of) &&
        CHECK_OK(r->ctx, FN(larfg)(r->ctx, n, alpha.at, n > 1 ? v.at : NULL, incx, factor_of.at)) &&
        guarded_fetch(&v) && guarded_fetch(&alpha) && guarded_fetch(&factor_of)) {
        for (int64_t i = 1; i < n; i++)
            F[i] = number_got(DTYPE, &v, i - 1);
        F[0] = number_got(DTYPE, &alpha, 0);
        F[0] = (number){ldexp(F[0].re, -power), ldexp(F[0].im, -power)};
        tau = number_got(DTYPE, &factor_of, 0);
        Q[0].re = 1;
        qr_apply(n, 1, 1, F, &tau, false, Q);
        const double limit = n < 4 ? 3 * LAPACK_LIMIT : LAPACK_LIMIT;
        routine_error(r, qr_residual_ratio(DTYPE, n, 1, x, F, &tau), 1, limit);
        routine_error(r, qr_orthogonality_ratio(DTYPE, n, 1, Q), 1, limit);
        guarded_surroundings(&v, "x");
        guarded_surroundings(&alpha, "alpha");
        guarded_surroundings(&factor_of, "tau");
    }
    guarded_destroy(&v);
    guarded_destroy(&alpha);
    guarded_destroy(&factor_of);
    free(x);
    free(F);
    free(Q);
}

/* Of no elements there is no reflector: tau is 0. */
static void none(routine *r)
{
    guarded tau = {0};
    r->cases++;
    test_case("%s %s n=0", NAME(FN(larfg)), test_device());
    if (guarded_make(&tau, r->ctx, 1, 1, sizeof(T), 0, FILL_NAN, LOOSE) && guarded_send(&tau) &&
        CHECK_OK(r->ctx, FN(larfg)(r->ctx, 0, NULL, NULL, 1, tau.at)) && guarded_fetch(&tau)) {
        const number is = number_got(DTYPE, &tau, 0);
        CHECK(is.re == 0 && is.im == 0, "tau is %g + %gi", is.re, is.im);
    }
    guarded_destroy(&tau);
}

static void edges(routine *r)
{
    static const int64_t sizes[] = {1, 2, 3, 17, 100, 1500}, strides[] = {1, 2, 7};
    qr_edges(r);
    none(r);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            for (int far = -1; far <= 1; far++)
                strided(r, sizes[i], strides[k], lapack_far_scale(DTYPE, far));
}

static void refused(routine *r, const char *name, void *A, void *tau, void *triangle, void *C)
{
    gable_context *ctx = r->ctx;
    T *x = (T *)A + 1;
    (void)triangle, (void)C;
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
    CHECK_STATUS(NULL, FN(larfg)(NULL, 5, A, x, 1, tau), GABLE_BAD_ARGUMENT);
    REFUSED(FN(larfg)(ctx, -1, A, x, 1, tau), "argument 2 (n)", "-1");
    REFUSED(FN(larfg)(ctx, 5, NULL, x, 1, tau), "argument 3 (alpha)", "NULL");
    REFUSED(FN(larfg)(ctx, 5, A, NULL, 1, tau), "argument 4 (x)", "NULL");
    REFUSED(FN(larfg)(ctx, 5, A, x, 0, tau), "argument 5 (incx)", "0");
    REFUSED(FN(larfg)(ctx, 5, A, x, 1, NULL), "argument 6 (tau)", "NULL");
    REFUSED(FN(larfg)(ctx, 0, NULL, NULL, 1, NULL), "argument 6 (tau)", "NULL");
#undef REFUSED
}

static const qr_form form = {.name = NAME(FN(larfg)), .factor = factor, .refused = refused};

const routine_parts PARTS = {
    .stem = "larfg",
    .letter = LETTER,
    .dtype = DTYPE,
    .run = {qr_exact, qr_residual, edges, qr_guards, qr_arguments, qr_repeat},
    .probe = qr_probe,
    .forms = &form,
    .form_count = 1};
