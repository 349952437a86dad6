/* plane_check.c: checks of transpose and geam. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The result has n rows and `columns` columns (in place: n of each); matrices end with their last
 * element, between columns stand NaN, in the result a pattern. References are plain loops over
 * integers held in double: exact, with factors that give zeros one sign.
 */
#include "level1_vectors.h"

typedef struct number {
    double re, im;
} number;

static number load(const R *at, bool conj)
{
    const double im = COMPLEX ? (double)at[REALS - 1] : 0;
    return (number){(double)at[0], conj ? -im : im};
}

/* Longer than a column; all columns stand alike on 16 bytes, or (but for the widest type) do
 * not. */
static int64_t leading(const level1_case *c, int64_t rows)
{
    const int64_t step = 16 / (int64_t)sizeof(T);
    return (rows / step + 2) * step + c->apart;
}

/* Conjugates of zero would be zeros of another sign. */
static R part_value(int64_t i, int part, unsigned seed)
{
    const R v = value(i, part, seed);
    return part > 0 && v == 0 ? 5 : v;
}

/* A matrix; seed 0: NaN everywhere. */
static bool make_matrix(gable_context *ctx, vector *A, const level1_case *c, int64_t rows,
                        int64_t columns, R gap, unsigned seed)
{
    const int64_t ld = leading(c, rows);
    if (!make(ctx, A, rows > 0 && columns > 0 ? (columns - 1) * ld + rows : 0, 1, c->shift_x,
              c->pad, gap))
        return false;
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            for (int part = 0; part < REALS; part++)
                A->host[place(A, j * ld + i) + (size_t)part] =
                    seed > 0 ? part_value(j * 1000 + i, part, seed) : (R)NAN;
    return true;
}

/* The place of element (i, j) of op(A), whose A has `rows` rows. */
static const R *element(const level1_case *c, const vector *A, gable_trans trans, int64_t rows,
                        int64_t i, int64_t j)
{
    const int64_t ld = leading(c, rows);
    return A->host + place(A, trans == GABLE_NO_TRANS ? i + j * ld : j + i * ld);
}

static bool transpose_form(gable_context *ctx, const level1_case *c, level1_report *report,
                           gable_trans trans, bool in_place)
{
    const bool turned = trans != GABLE_NO_TRANS;
    const int64_t m = c->n, n = in_place ? c->n : c->columns, rows = turned ? n : m,
                  columns = turned ? m : n;
    vector A = {.n = 0}, B = {.n = 0};
    const bool room = make_matrix(ctx, &A, c, rows, columns, in_place ? GAP : (R)NAN, 17) &&
                      make_matrix(ctx, &B, c, m, n, GAP, 0);
    bool good = room || say(report, "status", c, "no room: %.200s", gable_message(ctx));
    if (good) {
        good = status_ok(ctx, send(ctx, &A), c, report) && status_ok(ctx, send(ctx, &B), c, report);
        T *target = in_place ? A.at : B.at;
        good = good && status_ok(ctx,
                                 FN(transpose)(ctx, trans, rows, columns, A.at, leading(c, rows),
                                               target, leading(c, m)),
                                 c, report);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++) {
                R *to = B.host + place(&B, j * leading(c, m) + i);
                const R *from = element(c, &A, trans, rows, i, j);
                to[0] = from[0];
                to[REALS - 1] =
                    COMPLEX && trans == GABLE_CONJ_TRANS ? -from[REALS - 1] : from[REALS - 1];
            }
        if (in_place)
            memcpy(A.host, B.host, A.reals * sizeof(R));
        good = good && (in_place || compare(ctx, &B, c, "B", report)) &&
               compare(ctx, &A, c, "A", report);
    }
    drop(ctx, &A);
    drop(ctx, &B);
    return good;
}

static bool check_transpose_n(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return transpose_form(ctx, c, report, GABLE_NO_TRANS, false);
}

static bool check_transpose_t(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return transpose_form(ctx, c, report, GABLE_CONJ_TRANS, false);
}

static bool check_in_place(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return transpose_form(ctx, c, report, GABLE_CONJ_TRANS, true);
}

/* Adds factor times a. */
static void add(number *sum, number factor, number a)
{
    sum->re += factor.re * a.re - factor.im * a.im;
    sum->im += factor.re * a.im + factor.im * a.re;
}

static bool is_zero(number a)
{
    return a.re == 0 && a.im == 0;
}

static bool geam_form(gable_context *ctx, const level1_case *c, level1_report *report,
                      gable_trans ta, gable_trans tb, number alpha, number beta)
{
    const int64_t m = c->n, n = c->columns;
    const int64_t rows_a = ta == GABLE_NO_TRANS ? m : n, rows_b = tb == GABLE_NO_TRANS ? m : n;
    const T a = scalar((R)alpha.re, (R)alpha.im), b = scalar((R)beta.re, (R)beta.im);
    vector A = {.n = 0}, B = {.n = 0}, C = {.n = 0}, scalars = {.n = 0};
    const bool room =
        make_matrix(ctx, &A, c, rows_a, m + n - rows_a, (R)NAN, is_zero(alpha) ? 0 : 18) &&
        make_matrix(ctx, &B, c, rows_b, m + n - rows_b, (R)NAN, is_zero(beta) ? 0 : 19) &&
        make_matrix(ctx, &C, c, m, n, GAP, 0) && make(ctx, &scalars, 2, 1, 0, 0, 0);
    bool good = room || say(report, "status", c, "no room: %.200s", gable_message(ctx));
    if (good) {
        memcpy(scalars.host + place(&scalars, 0), &a, sizeof a);
        memcpy(scalars.host + place(&scalars, 1), &b, sizeof b);
        good = status_ok(ctx, send(ctx, &A), c, report) &&
               status_ok(ctx, send(ctx, &B), c, report) &&
               status_ok(ctx, send(ctx, &C), c, report) &&
               status_ok(ctx, send(ctx, &scalars), c, report);
        const int64_t lda = leading(c, rows_a), ldb = leading(c, rows_b), ldc = leading(c, m);
        good = good &&
               status_ok(ctx,
                         c->on_device
                             ? FN(geam_dev)(ctx, ta, tb, m, n, scalars.at, A.at, lda,
                                            scalars.at + 1, B.at, ldb, C.at, ldc)
                             : FN(geam)(ctx, ta, tb, m, n, a, A.at, lda, b, B.at, ldb, C.at, ldc),
                         c, report);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++) {
                number sum = {0, 0};
                if (!is_zero(alpha))
                    add(&sum, alpha,
                        load(element(c, &A, ta, rows_a, i, j), ta == GABLE_CONJ_TRANS));
                if (!is_zero(beta))
                    add(&sum, beta, load(element(c, &B, tb, rows_b, i, j), tb == GABLE_CONJ_TRANS));
                R *to = C.host + place(&C, j * ldc + i);
                to[0] = (R)sum.re;
                if (COMPLEX)
                    to[REALS - 1] = (R)sum.im;
            }
        good = good && compare(ctx, &C, c, "C", report) && compare(ctx, &A, c, "A", report) &&
               compare(ctx, &B, c, "B", report);
    }
    drop(ctx, &A);
    drop(ctx, &B);
    drop(ctx, &C);
    drop(ctx, &scalars);
    return good;
}

/* Zeros of sums and products are +0: the second part of a complex number is not zero. */
static bool geam_forms(gable_context *ctx, const level1_case *c, level1_report *report,
                       gable_trans ta, gable_trans tb)
{
    static const number factors[][2] = {{{2, 0}, {1, 0}}, {{1, 0}, {0, 0}}, {{0, 0}, {2, 0}}};
    bool good = true;
    for (int i = 0; i < 3 && good; i++)
        good = geam_form(ctx, c, report, ta, tb, factors[i][0], factors[i][1]);
    return good;
}

static bool check_geam_n(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return geam_forms(ctx, c, report, GABLE_NO_TRANS, GABLE_NO_TRANS);
}

/* One of the two transposed, conjugated. */
static bool check_geam_t(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return geam_forms(ctx, c, report, GABLE_NO_TRANS, GABLE_CONJ_TRANS);
}

static bool check_geam_tt(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return geam_forms(ctx, c, report, GABLE_TRANS, GABLE_CONJ_TRANS);
}

static bool check_every(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_transpose_n(ctx, c, report) && check_transpose_t(ctx, c, report) &&
           check_in_place(ctx, c, report) && check_geam_n(ctx, c, report) &&
           check_geam_t(ctx, c, report) && check_geam_tt(ctx, c, report);
}

/* What kernels_c.cmake has the kernels for: tiles with rests both ways, fewer of them than groups
 * and more, a head; in s columns that do not start alike; in d and c the ladder. Every so many-th
 * case. */
static bool check_planes(gable_context *ctx, const level1_case *every, level1_report *report)
{
    static const int64_t sizes[][2] = {{8, 8}, {9, 2}, {16, 5}, {17, 16}, {7, 33}, {40, 21}};
    static const char *const rungs[] = {"transpose=naive:items=32", "transpose=coalesced:items=32",
                                        "transpose=padded:items=32"};
    bool good = true;
    for (int i = 0; i < 6 && good; i += every->repeats) {
        for (int form = 0; form < (DTYPE == GBL_S ? 3 : 2) && good; form++) {
            const level1_case c = {.n = sizes[i][0],
                                   .columns = sizes[i][1],
                                   .apart = form == 2,
                                   .shift_x = form == 1 ? REALS : 0,
                                   .pad = form == 1 ? 4 : 0,
                                   .on_device = i % 2,
                                   .repeats = 1};
            good = check_every(ctx, &c, report);
        }
    }
    for (int rung = 0; rung < 3 && good && (DTYPE == GBL_D || DTYPE == GBL_C); rung++) {
        const level1_case c = {.n = 37, .columns = 35, .pad = 2, .repeats = 1};
        if (rung == (COMPLEX ? 1 : 2))
            continue; /* not made */
        good = status_ok(ctx, gable_set_variant(ctx, rungs[rung]), &c, report) &&
               check_transpose_t(ctx, &c, report);
        good = status_ok(ctx, gable_set_variant(ctx, "transpose="), &c, report) && good;
    }
    return good;
}

const level1_named TYPED(level1_planes)[] = {
    {"transpose_n", check_transpose_n},
    {"transpose_t", check_transpose_t},
    {"transpose_in_place", check_in_place},
    {"geam_n", check_geam_n},
    {"geam_t", check_geam_t},
    {"geam_tt", check_geam_tt},
    {"planes", check_planes},
    {NULL, NULL},
};
