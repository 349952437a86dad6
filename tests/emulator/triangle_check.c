/* triangle_check.c: checks of trmv and trsv. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A is n by n, checked lower and upper, with its own diagonal and with ones. What must not be read
 * is NaN: the other triangle, a unit diagonal, what stands between columns. References are plain
 * loops over integers held in double. The diagonal is powers of two, so that solutions are exact:
 * right-hand sides are made of integers, and these must come back.
 */
#include "level1_vectors.h"

typedef struct number {
    double re, im;
} number;

typedef struct form {
    bool solve, upper, unit;
    gable_trans trans;
} form;

static number load(const R *at)
{
    return (number){(double)at[0], COMPLEX ? (double)at[REALS - 1] : 0};
}

static void store(R *at, number value)
{
    at[0] = (R)value.re;
    if (COMPLEX)
        at[REALS - 1] = (R)value.im;
}

/* Longer than a column; all columns stand alike on 16 bytes, or (but for the widest type) do
 * not. */
static int64_t leading(const level1_case *c)
{
    const int64_t step = 16 / (int64_t)sizeof(T);
    return (c->n / step + 2) * step + c->apart;
}

static bool make_triangle(gable_context *ctx, vector *A, const level1_case *c, const form *f)
{
    const int64_t lda = leading(c);
    if (!make(ctx, A, c->n > 0 ? (c->n - 1) * lda + c->n : 0, 1, c->shift_x, c->pad, (R)NAN))
        return false;
    for (int64_t j = 0; j < c->n; j++) {
        for (int64_t i = 0; i < c->n; i++) {
            R *at = A->host + place(A, j * lda + i);
            if (f->upper ? i < j : i > j)
                store(at, (number){(double)value(j * 1000 + i, 0, 21),
                                   COMPLEX ? (double)value(j * 1000 + i, 1, 21) : 0});
            else if (i == j && !f->unit) /* one of 2, -2, -1/2, and for complex numbers 2 i */
                store(at, COMPLEX && i % 4 == 3 ? (number){0, 2}
                                                : (number){i % 3 == 0   ? 2
                                                           : i % 3 == 1 ? -2
                                                                        : -0.5,
                                                           0});
            else
                store(at, (number){NAN, NAN});
        }
    }
    return true;
}

/* to := op(A) from */
static void multiply(const level1_case *c, const form *f, const vector *A, const vector *from,
                     vector *to)
{
    for (int64_t i = 0; i < c->n; i++) {
        number sum = {0, 0};
        for (int64_t j = 0; j < c->n; j++) {
            const int64_t row = f->trans == GABLE_NO_TRANS ? i : j,
                          column = f->trans == GABLE_NO_TRANS ? j : i;
            const number x = load(from->host + place(from, j));
            number a = {1, 0};
            if (f->upper ? row > column : row < column)
                continue;
            if (row != column || !f->unit)
                a = load(A->host + place(A, column * leading(c) + row));
            a.im = f->trans == GABLE_CONJ_TRANS ? -a.im : a.im;
            sum.re += a.re * x.re - a.im * x.im;
            sum.im += a.re * x.im + a.im * x.re;
        }
        store(to->host + place(to, i), sum);
    }
}

/* x before the call and after it are a vector and its product with op(A), or the other way
 * round. */
static bool check_form(gable_context *ctx, const level1_case *c, level1_report *report,
                       const form *f)
{
    const gable_uplo uplo = f->upper ? GABLE_UPPER : GABLE_LOWER;
    const gable_diag diag = f->unit ? GABLE_UNIT : GABLE_NON_UNIT;
    vector A = {.n = 0}, x = {.n = 0}, product = {.n = 0};
    const bool room = make_triangle(ctx, &A, c, f) &&
                      make(ctx, &x, c->n, c->incx, 0, c->pad, GAP) &&
                      make(ctx, &product, c->n, c->incx, 0, c->pad, GAP);
    bool good = room || say(report, "status", c, "no room: %.200s", gable_message(ctx));
    if (good) {
        set_values(&x, 22);
        for (size_t i = 0; i < x.reals; i++) /* a zero of a solution may be -0 */
            x.host[i] = x.host[i] == 0 ? 5 : x.host[i];
        multiply(c, f, &A, &x, &product);
        for (size_t i = 0; f->solve && i < x.reals; i++) {
            const R known = x.host[i];
            x.host[i] = product.host[i];
            product.host[i] = known;
        }
        good = status_ok(ctx, send(ctx, &A), c, report);
    }
    for (int turn = 0; good && turn < c->repeats; turn++) {
        const gable_status status =
            send(ctx, &x) != GABLE_OK ? GABLE_DEVICE_FAILED
            : f->solve ? FN(trsv)(ctx, uplo, f->trans, diag, c->n, A.at, leading(c), x.at, c->incx)
                       : FN(trmv)(ctx, uplo, f->trans, diag, c->n, A.at, leading(c), x.at, c->incx);
        good = status_ok(ctx, status, c, report);
    }
    if (good) { /* the device's x beside the host's image of what it must be */
        R *const given = x.host;
        x.host = product.host;
        good = compare(ctx, &x, c, f->solve ? "solution" : "product", report) &&
               compare(ctx, &A, c, "A", report);
        x.host = given;
    }
    drop(ctx, &A);
    drop(ctx, &x);
    drop(ctx, &product);
    return good;
}

static bool check_forms(gable_context *ctx, const level1_case *c, level1_report *report, bool solve,
                        gable_trans trans)
{
    bool good = true;
    for (int i = 0; i < 4 && good; i++)
        good = check_form(ctx, c, report, &(form){solve, i % 2, i / 2, trans});
    return good;
}

static bool check_trmv_n(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_forms(ctx, c, report, false, GABLE_NO_TRANS);
}

static bool check_trmv_c(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_forms(ctx, c, report, false, GABLE_CONJ_TRANS);
}

static bool check_trsv_n(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_forms(ctx, c, report, true, GABLE_NO_TRANS);
}

static bool check_trsv_c(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_forms(ctx, c, report, true, GABLE_CONJ_TRANS);
}

const level1_named TYPED(level1_triangles)[] = {
    {"trmv_n", check_trmv_n},
    {"trmv_c", check_trmv_c},
    {"trsv_n", check_trsv_n},
    {"trsv_c", check_trsv_c},
    {NULL, NULL},
};
