/* band_check.c: checks of gbmv, tbmv, sbmv and hbmv. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A has n columns; `columns` of a case is k, the number of diagonals beside the main one. gbmv has
 * k below it and, for k > 1, one more above it, and m differs from n. What must not be used is NaN:
 * places of the band that lie outside of the matrix, what stands between columns, a unit diagonal,
 * imaginary parts of a Hermitian one. References are plain loops over integers held in double:
 * exact.
 */
#include "blas/level2/level2.h"
#include "core/context.h"
#include "core/op.h"
#include "level1_vectors.h"

typedef struct number {
    double re, im;
} number;

/* One call: which, its shape, and alpha and beta. */
typedef struct form {
    enum { GENERAL, TRIANGULAR, MIRRORED } kind;
    gable_trans trans;
    bool upper, unit, conj; /* conj: Hermitian */
    int64_t m, n, kl, ku, lda;
    number alpha, beta;
} form;

static number times(number a, number b)
{
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static bool is_zero(number a)
{
    return a.re == 0 && a.im == 0;
}

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

static bool in_band(const form *f, int64_t i, int64_t j)
{
    return i - j <= f->kl && j - i <= f->ku;
}

static int64_t stored_at(const form *f, int64_t i, int64_t j)
{
    return f->ku + i - j + j * f->lda;
}

static bool make_band(gable_context *ctx, vector *A, const level1_case *c, const form *f)
{
    if (!make(ctx, A, (f->n - 1) * f->lda + f->kl + f->ku + 1, 1, c->shift_x, c->pad, (R)NAN))
        return false;
    for (int64_t j = 0; j < f->n; j++) {
        for (int64_t i = 0; i < f->m; i++) {
            for (int part = 0; part < REALS; part++) {
                const bool is =
                    in_band(f, i, j) && !(i == j && (f->unit || (f->conj && part == 1)));
                if (is)
                    A->host[place(A, stored_at(f, i, j)) + (size_t)part] =
                        value(j * 1000 + i, part, 31);
            }
        }
    }
    return true;
}

/* Element (i, j) of the whole matrix. */
static number element(const form *f, const vector *A, int64_t i, int64_t j)
{
    const bool turned = f->kind == MIRRORED && !in_band(f, i, j);
    const int64_t row = turned ? j : i, column = turned ? i : j;
    number a = {0, 0};
    if (!in_band(f, row, column))
        return a;
    if (f->unit && i == j)
        return (number){1, 0};
    a = load(A->host + place(A, stored_at(f, row, column)));
    if (f->conj)
        a.im = i == j ? 0 : turned ? -a.im : a.im;
    return a;
}

/* y as it must be after the call. */
static void reference(const form *f, const vector *A, const vector *x, vector *y)
{
    const bool plain = f->trans == GABLE_NO_TRANS;
    for (int64_t i = 0; i < y->n; i++) {
        number sum = {0, 0};
        for (int64_t k = 0; k < x->n && !is_zero(f->alpha); k++) {
            number a = element(f, A, plain ? i : k, plain ? k : i);
            a.im = f->trans == GABLE_CONJ_TRANS ? -a.im : a.im;
            const number term = times(a, load(x->host + place(x, k)));
            sum.re += term.re;
            sum.im += term.im;
        }
        const number product = times(f->alpha, sum);
        R *to = y->host + place(y, i);
        const number kept = is_zero(f->beta) ? f->beta : times(f->beta, load(to));
        store(to, (number){product.re + kept.re, product.im + kept.im});
    }
}

/* Where the scalars are: `scalars` is device memory, or NULL. */
static gable_status call(gable_context *ctx, const form *f, const vector *A, const vector *x,
                         const vector *y, const T *scalars)
{
    static const gbl_op *const ops[] = {&gbl_gbmv_op, &gbl_tbmv_op, &gbl_sbmv_op};
    gbl_matrix_call given;
    memset(&given, 0, sizeof given);
    given.dtype = DTYPE;
    given.trans = f->trans;
    given.uplo = f->upper ? GABLE_UPPER : GABLE_LOWER;
    given.diag = f->unit ? GABLE_UNIT : GABLE_NON_UNIT;
    given.conj = f->conj;
    given.storage = GBL_BAND;
    given.m = f->m;
    given.n = f->n;
    given.kl = f->kind == GENERAL ? f->kl : f->kl + f->ku;
    given.ku = f->kind == GENERAL ? f->ku : f->kl + f->ku;
    given.lda = f->lda;
    given.A = A->at;
    given.x = x->at;
    given.incx = x->inc;
    if (f->kind != TRIANGULAR) {
        given.y = y->at;
        given.incy = y->inc;
        given.alpha = (gbl_scalar){.device = scalars, .re = f->alpha.re, .im = f->alpha.im};
        given.beta = (gbl_scalar){
            .device = scalars != NULL ? scalars + 1 : NULL, .re = f->beta.re, .im = f->beta.im};
    }
    const gable_status status = gbl_enter(ctx, "band_check");
    return status == GABLE_OK ? gbl_op_run(ctx, ops[f->kind], &given) : status;
}

/* A is read, x is read, y is changed; of a triangular matrix x is. */
static bool check_form(gable_context *ctx, const level1_case *c, level1_report *report,
                       const form *f)
{
    const bool plain = f->trans == GABLE_NO_TRANS, in_place = f->kind == TRIANGULAR;
    vector A = {.n = 0}, x = {.n = 0}, y = {.n = 0}, pair = {.n = 0};
    const bool room =
        make_band(ctx, &A, c, f) &&
        make(ctx, &x, plain ? f->n : f->m, c->incx, 0, c->pad, in_place ? GAP : (R)NAN) &&
        make(ctx, &y, plain ? f->m : f->n, in_place ? c->incx : c->incy, 0, c->pad, GAP) &&
        make(ctx, &pair, 2, 1, 0, 0, 0);
    bool good = room || say(report, "status", c, "no room: %.200s", gable_message(ctx));
    if (good) {
        set_values(&x, 32);
        set_values(&y, 33);
        for (int64_t i = 0; i < y.n && is_zero(f->beta); i++)
            for (int part = 0; part < REALS; part++)
                y.host[place(&y, i) + (size_t)part] = (R)NAN;
        store(pair.host + place(&pair, 0), f->alpha);
        store(pair.host + place(&pair, 1), f->beta);
        good =
            status_ok(ctx, send(ctx, &A), c, report) && status_ok(ctx, send(ctx, &pair), c, report);
    }
    for (int turn = 0; good && turn < c->repeats; turn++) {
        const gable_status status = send(ctx, &x) != GABLE_OK || send(ctx, &y) != GABLE_OK
                                        ? GABLE_DEVICE_FAILED
                                        : call(ctx, f, &A, &x, &y, c->on_device ? pair.at : NULL);
        good = status_ok(ctx, status, c, report);
    }
    if (good) {
        reference(f, &A, &x, &y);
        if (in_place) { /* the device's x beside the host's image of the result */
            R *const old = x.host;
            x.host = y.host;
            y.host = old;
        }
        good = compare(ctx, in_place ? &x : &y, c, "result", report) &&
               compare(ctx, &A, c, "A", report) && (in_place || compare(ctx, &x, c, "x", report));
    }
    drop(ctx, &A);
    drop(ctx, &x);
    drop(ctx, &y);
    drop(ctx, &pair);
    return good;
}

/* The leading dimension of a band of that width. band_flat.cl takes those that are no multiples of
 * 4, and little wider. */
static int64_t leading(const level1_case *c, int64_t width)
{
    if (!c->flat)
        return width + (c->apart ? 2 : 0);
    const int64_t lda = width + (c->apart && width > 4);
    return lda % 4 == 0 ? lda + 1 : lda;
}

static bool check_general(gable_context *ctx, const level1_case *c, level1_report *report,
                          gable_trans trans)
{
    static const number scalars[][2] = {{{2, 1}, {0, 0}}, {{-1, 2}, {3, -1}}, {{0, 0}, {2, 0}}};
    /* m - n; groups of band_flat.cl may lie outside of the matrix */
    const int64_t more[] = {c->flat ? -(c->n / 2) : 0, c->flat ? 40 : 4, -2};
    const int64_t k = c->columns, above = k > 1 ? k + 1 : k;
    bool good = true;
    for (int i = 0; i < 3 && good; i++) {
        form f = {.kind = GENERAL,
                  .trans = trans,
                  .m = c->n + more[i],
                  .n = c->n,
                  .kl = k,
                  .ku = above,
                  .lda = leading(c, k + above + 1),
                  .alpha = scalars[i][0],
                  .beta = scalars[i][1]};
        if (!COMPLEX)
            f.alpha.im = f.beta.im = 0;
        good = check_form(ctx, c, report, &f);
    }
    return good;
}

/* One half of a matrix, lower and upper. */
static bool check_half(gable_context *ctx, const level1_case *c, level1_report *report, int kind,
                       gable_trans trans, bool conj)
{
    bool good = true;
    for (int i = 0; i < 4 && good; i++) {
        const bool upper = i % 2 == 1;
        form f = {.kind = kind,
                  .trans = trans,
                  .upper = upper,
                  .unit = kind == TRIANGULAR,
                  .conj = conj,
                  .m = c->n,
                  .n = c->n,
                  .kl = upper ? 0 : c->columns,
                  .ku = upper ? c->columns : 0,
                  .lda = leading(c, c->columns + 1),
                  .alpha = {kind == TRIANGULAR ? 1 : 2, kind != TRIANGULAR && COMPLEX ? -1 : 0},
                  .beta = {kind == TRIANGULAR || i < 2 ? 0 : 3, 0}};
        good = check_form(ctx, c, report, &f);
    }
    return good;
}

typedef bool (*shape_check)(gable_context *ctx, const level1_case *c, level1_report *report);

/* Sizes around those of tiles and blocks; with strides, shifts and gaps. Every so many of them, as
 * `repeats` of the given case says. */
static bool check_sizes(gable_context *ctx, const level1_case *given, level1_report *report,
                        shape_check check)
{
    static const int64_t sizes[] = {12, 16, 20, 21, 28, 29, 33, 40};
    bool good = true;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += (size_t)given->repeats) {
        for (int way = 0; way < 3 && good; way++) {
            const level1_case c = {.n = sizes[i],
                                   .columns = way,
                                   .incx = way == 1 ? -2 : 1,
                                   .incy = way == 2 ? 3 : 1,
                                   .apart = way == 2,
                                   .shift_x = way == 1 ? REALS : 0,
                                   .pad = way == 1 ? 4 : 0,
                                   .on_device = (i + (size_t)way) % 2,
                                   .repeats = 1 + (way == 0)};
            good = check(ctx, &c, report);
        }
    }
    return good;
}

/* Narrow bands, which are one chunk of band_tile.cl, and wider ones. Real matrices are symmetric,
 * complex ones Hermitian. */
static bool check_shapes(gable_context *ctx, const level1_case *given, level1_report *report)
{
    static const int64_t general[] = {1, 5}, triangular[] = {2, 9}, mirrored[] = {1, 8};
    level1_case c = *given;
    bool good = true;
    for (int wide = 0; wide < 2 && good; wide++) {
        c.columns = general[wide];
        good = check_general(ctx, &c, report, GABLE_NO_TRANS) &&
               check_general(ctx, &c, report, GABLE_CONJ_TRANS);
        c.columns = triangular[wide];
        good = good && check_half(ctx, &c, report, TRIANGULAR, GABLE_NO_TRANS, false) &&
               check_half(ctx, &c, report, TRIANGULAR, GABLE_CONJ_TRANS, false);
        c.columns = mirrored[wide];
        good = good && check_half(ctx, &c, report, MIRRORED, GABLE_NO_TRANS, COMPLEX);
    }
    return good;
}

/* Bands that are read into registers, of symmetric matrices once. */
static bool check_wide_shapes(gable_context *ctx, const level1_case *given, level1_report *report)
{
    level1_case c = *given;
    c.columns = 9 + given->columns;
    return check_general(ctx, &c, report, GABLE_NO_TRANS) &&
           check_general(ctx, &c, report, GABLE_CONJ_TRANS) &&
           check_half(ctx, &c, report, TRIANGULAR, GABLE_NO_TRANS, false) &&
           check_half(ctx, &c, report, TRIANGULAR, GABLE_CONJ_TRANS, false) &&
           check_half(ctx, &c, report, MIRRORED, GABLE_NO_TRANS, COMPLEX);
}

static bool check_bands(gable_context *ctx, const level1_case *given, level1_report *report)
{
    return check_sizes(ctx, given, report, check_shapes);
}

static bool check_wide(gable_context *ctx, const level1_case *given, level1_report *report)
{
    return check_sizes(ctx, given, report, check_wide_shapes);
}

/* One group of band_flat.cl and several, of 32 rows where bands are narrow. The widest bands of a
 * size have about as many diagonals as a group has rows, which are fewer in double precision. */
static bool check_flat(gable_context *ctx, const level1_case *given, level1_report *report)
{
    static const int64_t sizes[] = {12, 32, 33, 64, 71, 100};
    static const int64_t general[][6] = {{0, 1, 2, 3, 7, 8}, {0, 1, 2, 5, 15, 16}};
    static const int64_t half[][6] = {{0, 2, 5, 14, 15, 16}, {0, 2, 5, 30, 32, 33}};
    const int single = sizeof(R) == 4;
    bool good = true;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t b = i % (size_t)given->repeats; b < 6 && good; b += (size_t)given->repeats) {
            const size_t way = (i + b) % 4;
            level1_case c = {.n = sizes[i],
                             .columns = general[single][b],
                             .incx = way == 1 ? -2 : 1,
                             .incy = way == 2 ? 3 : 1,
                             .apart = (i + b / 2) % 2,
                             .flat = true,
                             .shift_x = (int)way * REALS,
                             .pad = way == 1 ? 4 : 0,
                             .on_device = i % 2,
                             .repeats = 1 + (way == 0)};
            if (2 * c.columns + 2 < c.n - 2)
                good = check_general(ctx, &c, report, GABLE_NO_TRANS) &&
                       check_general(ctx, &c, report, GABLE_CONJ_TRANS);
            c.columns = half[single][b];
            if (c.columns < c.n)
                good = good && check_half(ctx, &c, report, TRIANGULAR, GABLE_NO_TRANS, false) &&
                       check_half(ctx, &c, report, TRIANGULAR, GABLE_CONJ_TRANS, false) &&
                       check_half(ctx, &c, report, MIRRORED, GABLE_NO_TRANS, COMPLEX);
        }
    }
    return good;
}

const level1_named TYPED(level1_bands)[] = {
    {"bands", check_bands},
    {"wide", check_wide},
    {"flat", check_flat},
    {NULL, NULL},
};
