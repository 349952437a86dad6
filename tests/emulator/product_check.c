/* product_check.c: checks of products of two matrices, and of routines with kernels of their own
 * that are made of them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled once per precision, which has the forms that kernels_c.cmake makes kernels for: pairs of
 * transposes, a triangle of C, a triangular factor. Between columns, beyond triangles and on unit
 * diagonals stand NaN, and in C what must stay. References are plain loops over small integers held
 * in double: exact.
 */
#include "level1_vectors.h"
#include "blas/level3/level3.h"
#include "product_numbers.h"

/* A form of gemm. */
typedef struct form {
    gable_trans trans_a, trans_b;
    gbl_triangle_c triangle_c;
    bool conj; /* the diagonal of C becomes real */
    gbl_triangular triangular;
    gable_diag diag;
} form;

#define N GABLE_NO_TRANS
#define C GABLE_CONJ_TRANS
static const form forms[] = {
#if defined(PREC_S)
    {N, N, GBL_ALL, false, GBL_NOT_TRIANGULAR, 0},
    {GABLE_TRANS, N, GBL_ALL, false, GBL_A_LOWER, GABLE_NON_UNIT},
#elif defined(PREC_D)
    {N, C, GBL_ALL, false, GBL_NOT_TRIANGULAR, 0},
    {N, GABLE_TRANS, GBL_UPPER_ONLY, false, GBL_NOT_TRIANGULAR, 0},
    {N, N, GBL_ALL, false, GBL_B_UPPER, GABLE_UNIT},
#elif defined(PREC_C)
    {C, N, GBL_ALL, false, GBL_NOT_TRIANGULAR, 0},
    {N, C, GBL_LOWER_ONLY, true, GBL_NOT_TRIANGULAR, 0},
    {N, N, GBL_ALL, false, GBL_NOT_TRIANGULAR, 0},
#else
    {C, GABLE_TRANS, GBL_ALL, false, GBL_NOT_TRIANGULAR, 0},
    {N, N, GBL_ALL, false, GBL_A_UPPER, GABLE_UNIT},
    {N, N, GBL_ALL, false, GBL_B_LOWER, GABLE_NON_UNIT},
    {C, N, GBL_UPPER_ONLY, true, GBL_NOT_TRIANGULAR, 0},
#endif
};
#undef N
#undef C
/* How symm and trsm are called: another way in each precision. */
#define RIGHT     (DTYPE % 2 == 1)
#define UPPER     (DTYPE == GBL_D || DTYPE == GBL_C)
#define HERMITIAN COMPLEX
static const gable_trans solve_trans[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS,
                                          GABLE_NO_TRANS};

/* A column-major matrix in a block. */
typedef struct matrix {
    vector v;
    int64_t rows, columns, ld;
} matrix;

typedef struct operands {
    matrix A, B, C;
    vector scalars;
    number alpha, beta;
} operands;

/* ---- Numbers ---- */

static R *at(const matrix *m, int64_t i, int64_t j)
{
    return m->v.host + place(&m->v, i + j * m->ld);
}

static number get(const matrix *m, int64_t i, int64_t j)
{
    const R *value = at(m, i, j);
    return (number){(double)value[0], COMPLEX ? (double)value[REALS - 1] : 0};
}

static void store(R *to, number value)
{
    to[0] = (R)value.re;
    if (COMPLEX)
        to[REALS - 1] = (R)value.im;
}

static void put(const matrix *m, int64_t i, int64_t j, number value)
{
    store(at(m, i, j), value);
}

/* ---- Matrices ---- */

static bool make_matrix(gable_context *ctx, const level1_case *c, matrix *m, int64_t rows,
                        int64_t columns, int64_t gap, R fill)
{
    m->rows = rows;
    m->columns = columns;
    m->ld = (rows + gap) | 1; /* columns do not start alike: kernels have one form for all sizes */
    const int64_t elements = rows > 0 && columns > 0 ? (columns - 1) * m->ld + rows : 0;
    return make(ctx, &m->v, elements, 1, c->shift_x, c->pad, fill);
}

static number drawn(int64_t i, int64_t j, unsigned seed)
{
    return (number){(double)value(j * 1000 + i, 0, seed),
                    COMPLEX ? (double)value(j * 1000 + i, 1, seed) : 0};
}

static bool make_scalars(gable_context *ctx, operands *o)
{
    if (!make(ctx, &o->scalars, 2, 1, 0, 0, 0))
        return false;
    store(o->scalars.host + place(&o->scalars, 0), o->alpha);
    store(o->scalars.host + place(&o->scalars, 1), o->beta);
    return true;
}

static bool send_all(gable_context *ctx, const level1_case *c, const operands *o,
                     level1_report *report)
{
    return status_ok(ctx, send(ctx, &o->A.v), c, report) &&
           status_ok(ctx, send(ctx, &o->B.v), c, report) &&
           (o->C.v.host == NULL || status_ok(ctx, send(ctx, &o->C.v), c, report)) &&
           status_ok(ctx, send(ctx, &o->scalars), c, report);
}

static void drop_all(gable_context *ctx, operands *o)
{
    drop(ctx, &o->A.v);
    drop(ctx, &o->B.v);
    drop(ctx, &o->C.v);
    drop(ctx, &o->scalars);
}

static void forget(matrix *m)
{
    for (size_t i = 0; i < m->v.reals; i++)
        m->v.host[i] = (R)NAN;
}

/* ---- gemm ---- */

/* Whether the triangular factor is 1 in term p. */
static bool is_unit(const form *f, bool of_b, int64_t line, int64_t p)
{
    const bool b = f->triangular == GBL_B_LOWER || f->triangular == GBL_B_UPPER;
    return f->triangular != GBL_NOT_TRIANGULAR && f->diag == GABLE_UNIT && b == of_b && line == p;
}

static number element(const matrix *m, gable_trans trans, int64_t i, int64_t j)
{
    if (trans == GABLE_NO_TRANS)
        return get(m, i, j);
    return trans == GABLE_CONJ_TRANS ? conjugate(get(m, j, i)) : get(m, j, i);
}

static number product(const form *f, const operands *o, int64_t i, int64_t j, int64_t k)
{
    number sum = {0, 0};
    for (int64_t p = 0; !is_zero(o->alpha) && p < k; p++) {
        const number one = {1, 0};
        if (!term_counts(f->triangular, i, j, p))
            continue;
        sum = plus(sum, times(is_unit(f, false, i, p) ? one : element(&o->A, f->trans_a, i, p),
                              is_unit(f, true, j, p) ? one : element(&o->B, f->trans_b, p, j)));
    }
    return times(o->alpha, sum);
}

/* C as it must be after the call. */
static void gemm_reference(const form *f, operands *o, int64_t k)
{
    for (int64_t j = 0; j < o->C.columns; j++) {
        for (int64_t i = 0; i < o->C.rows; i++) {
            const bool real = f->conj && i == j;
            if (!part_wanted(f->triangle_c, i, j))
                continue;
            number sum = product(f, o, i, j, k);
            if (!is_zero(o->beta)) {
                number old = get(&o->C, i, j);
                old.im = real ? 0 : old.im;
                sum = plus(sum, times(o->beta, old));
            }
            sum.im = real ? 0 : sum.im;
            put(&o->C, i, j, sum);
        }
    }
}

/* Everything that a factor holds, and NaN where it is not used. */
static void fill_factor(const form *f, bool of_b, matrix *m, unsigned seed)
{
    const gable_trans trans = of_b ? f->trans_b : f->trans_a;
    for (int64_t j = 0; j < m->columns; j++) {
        for (int64_t i = 0; i < m->rows; i++) {
            const int64_t row = trans == GABLE_NO_TRANS ? i : j, column = i + j - row;
            const bool triangle = of_b ? f->triangular >= GBL_B_LOWER : zeros_left(f->triangular);
            const bool used = of_b ? term_counts(f->triangular, 0, column, row)
                                   : term_counts(f->triangular, row, 0, column);
            if (!triangle || (used && !is_unit(f, of_b, of_b ? column : row, of_b ? row : column)))
                put(m, i, j, drawn(i, j, seed));
        }
    }
}

static bool make_gemm(gable_context *ctx, const level1_case *c, const form *f, operands *o,
                      int64_t m, int64_t n, int64_t k)
{
    const bool a = f->trans_a == GABLE_NO_TRANS, b = f->trans_b == GABLE_NO_TRANS;
    if (!make_matrix(ctx, c, &o->A, a ? m : k, a ? k : m, 3, (R)NAN) ||
        !make_matrix(ctx, c, &o->B, b ? k : n, b ? n : k, 2, (R)NAN) ||
        !make_matrix(ctx, c, &o->C, m, n, 1, GAP) || !make_scalars(ctx, o))
        return false;
    fill_factor(f, false, &o->A, 21);
    fill_factor(f, true, &o->B, 22);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < m; i++) {
            number old = drawn(i, j, 23);
            old.im = f->conj && i == j ? NAN : old.im;
            if (part_wanted(f->triangle_c, i, j))
                put(&o->C, i, j, is_zero(o->beta) ? (number){NAN, NAN} : old);
        }
    }
    if (is_zero(o->alpha)) {
        forget(&o->A);
        forget(&o->B);
    }
    return true;
}

static gbl_scalar scalar_of(const operands *o, const level1_case *c, int which)
{
    const number value = which == 0 ? o->alpha : o->beta;
    return (gbl_scalar){
        .device = c->on_device ? o->scalars.at + which : NULL, .re = value.re, .im = value.im};
}

static bool check_gemm_form(gable_context *ctx, const level1_case *c, level1_report *report,
                            const form *f, const int64_t size[3], number alpha, number beta)
{
    const bool square_a = zeros_left(f->triangular);
    const int64_t n = size[1], m = f->triangle_c != GBL_ALL ? n : size[0],
                  k = square_a                              ? m
                      : f->triangular != GBL_NOT_TRIANGULAR ? n
                                                            : size[2];
    operands o = {.alpha = alpha, .beta = beta};
    bool good = make_gemm(ctx, c, f, &o, m, n, k) || say(report, "status", c, "no room");
    const gbl_product_call call = {.dtype = DTYPE,
                                   .trans = f->trans_a,
                                   .trans_b = f->trans_b,
                                   .diag = f->diag,
                                   .conj = f->conj,
                                   .triangle_c = (uint8_t)f->triangle_c,
                                   .triangular = (uint8_t)f->triangular,
                                   .m = m,
                                   .n = n,
                                   .k = k,
                                   .lda = o.A.ld,
                                   .ldb = o.B.ld,
                                   .ldc = o.C.ld,
                                   .A = o.A.v.at,
                                   .B = o.B.v.at,
                                   .C = o.C.v.at,
                                   .alpha = scalar_of(&o, c, 0),
                                   .beta = scalar_of(&o, c, 1)};
    good = good && send_all(ctx, c, &o, report);
    for (int turn = 0; good && turn < c->repeats; turn++) {
        good = status_ok(ctx, gbl_gemm(ctx, "product", &call), c, report);
        gemm_reference(f, &o, k);
    }
    good = good && compare(ctx, &o.C.v, c, "C", report) && compare(ctx, &o.A.v, c, "A", report) &&
           compare(ctx, &o.B.v, c, "B", report);
    drop_all(ctx, &o);
    return good;
}

/* Zeros of sums are +0 with these factors; |beta| = 1 keeps them small however often a call is
 * repeated. */
static const struct {
    number alpha, beta;
} factors[] = {{{2, COMPLEX ? 1 : 0}, {-1, 0}}, {{2, 0}, {0, 0}}, {{0, 0}, {1, 0}}};

static bool check_forms(gable_context *ctx, const level1_case *given, level1_report *report,
                        size_t first, size_t count)
{
    static const int64_t sizes[][3] = {{1, 1, 1},  {5, 4, 3},   {9, 7, 8},    {17, 5, 9},
                                       {8, 8, 8},  {3, 10, 17}, {4, 6, 0},    {16, 17, 1},
                                       {33, 3, 2}, {2, 34, 5},  {20, 19, 18}, {6, 5, 65}};
    bool good = true;
    for (size_t s = 0; good && s < sizeof sizes / sizeof sizes[0]; s++) {
        if (sizes[s][2] == 0 && given->pad == 0)
            continue; /* an empty block has no address */
        for (size_t i = first; good && i < first + count; i++) {
            for (size_t w = 0; good && w < 3; w++) {
                level1_case c = *given;
                c.n = sizes[s][0];
                c.columns = sizes[s][1];
                c.on_device = (s + i + w) % 2 != 0;
                good = check_gemm_form(ctx, &c, report, &forms[i], sizes[s], factors[w].alpha,
                                       factors[w].beta);
            }
        }
    }
    return good;
}

static bool check_gemm(gable_context *ctx, const level1_case *given, level1_report *report)
{
    return check_forms(ctx, given, report, 0, sizeof forms / sizeof forms[0]);
}

/* Its second form alone, for mutants of kernels that compile slowly. */
static bool check_gemm_one(gable_context *ctx, const level1_case *given, level1_report *report)
{
    return check_forms(ctx, given, report, 1, 1);
}

/* ---- symm: a triangle that is completed first ---- */

static bool stored(int64_t i, int64_t j)
{
    return UPPER ? i <= j : i >= j;
}

static number symmetric(const matrix *A, int64_t i, int64_t j)
{
    number a = stored(i, j) ? get(A, i, j) : get(A, j, i);
    a.im = i == j && HERMITIAN ? 0 : a.im;
    return HERMITIAN && !stored(i, j) ? conjugate(a) : a;
}

static gable_status call_symm(gable_context *ctx, const operands *o, const level1_case *c)
{
    const gable_side side = RIGHT ? GABLE_RIGHT : GABLE_LEFT;
    const gable_uplo uplo = UPPER ? GABLE_UPPER : GABLE_LOWER;
    const T *alpha = o->scalars.at, *beta = o->scalars.at + 1;
    const int64_t m = o->C.rows, n = o->C.columns;
#if HERMITIAN
    return c->on_device ? FN(hemm_dev)(ctx, side, uplo, m, n, alpha, o->A.v.at, o->A.ld, o->B.v.at,
                                       o->B.ld, beta, o->C.v.at, o->C.ld)
                        : FN(hemm)(ctx, side, uplo, m, n, scalar((R)o->alpha.re, (R)o->alpha.im),
                                   o->A.v.at, o->A.ld, o->B.v.at, o->B.ld,
                                   scalar((R)o->beta.re, (R)o->beta.im), o->C.v.at, o->C.ld);
#else
    return c->on_device
               ? FN(symm_dev)(ctx, side, uplo, m, n, alpha, o->A.v.at, o->A.ld, o->B.v.at, o->B.ld,
                              beta, o->C.v.at, o->C.ld)
               : FN(symm)(ctx, side, uplo, m, n, scalar((R)o->alpha.re, 0), o->A.v.at, o->A.ld,
                          o->B.v.at, o->B.ld, scalar((R)o->beta.re, 0), o->C.v.at, o->C.ld);
#endif
}

static void symm_reference(operands *o)
{
    for (int64_t j = 0; j < o->C.columns; j++) {
        for (int64_t i = 0; i < o->C.rows; i++) {
            number sum = {0, 0};
            for (int64_t p = 0; p < o->A.rows; p++)
                sum = plus(sum, RIGHT ? times(get(&o->B, i, p), symmetric(&o->A, p, j))
                                      : times(symmetric(&o->A, i, p), get(&o->B, p, j)));
            put(&o->C, i, j, plus(times(o->alpha, sum), times(o->beta, get(&o->C, i, j))));
        }
    }
}

static bool check_symm_size(gable_context *ctx, const level1_case *c, level1_report *report)
{
    operands o = {.alpha = factors[0].alpha, .beta = factors[0].beta};
    const int64_t order = RIGHT ? c->columns : c->n;
    bool good = (make_matrix(ctx, c, &o.A, order, order, 1, (R)NAN) &&
                 make_matrix(ctx, c, &o.B, c->n, c->columns, 2, (R)NAN) &&
                 make_matrix(ctx, c, &o.C, c->n, c->columns, 1, GAP) && make_scalars(ctx, &o)) ||
                say(report, "status", c, "no room");
    for (int64_t e = 0; good && e < order * order; e++) {
        number a = drawn(e % order, e / order, 24);
        a.im = HERMITIAN && e % order == e / order ? NAN : a.im;
        if (stored(e % order, e / order))
            put(&o.A, e % order, e / order, a);
    }
    for (int64_t e = 0; good && e < c->n * c->columns; e++) {
        put(&o.B, e % c->n, e / c->n, drawn(e % c->n, e / c->n, 25));
        put(&o.C, e % c->n, e / c->n, drawn(e % c->n, e / c->n, 26));
    }
    good = good && send_all(ctx, c, &o, report) && status_ok(ctx, call_symm(ctx, &o, c), c, report);
    if (good)
        symm_reference(&o);
    good = good && compare(ctx, &o.C.v, c, "C", report) && compare(ctx, &o.A.v, c, "A", report);
    drop_all(ctx, &o);
    return good;
}

static bool check_symm(gable_context *ctx, const level1_case *given, level1_report *report)
{
    static const int64_t sizes[][2] = {{1, 1}, {5, 3}, {31, 32}, {33, 34}, {70, 65}};
    bool good = true;
    for (size_t s = 0; good && s < sizeof sizes / sizeof sizes[0]; s++) {
        level1_case c = *given;
        c.n = sizes[s][0];
        c.columns = sizes[s][1];
        c.on_device = s % 2 != 0;
        good = check_symm_size(ctx, &c, report);
    }
    return good;
}

/* ---- trsm: blocks of a triangle that are solved ---- */

/* No zeros, whose sign a solution may change. */
static number solution(int64_t i, int64_t j)
{
    const number x = drawn(i, j, 28);
    return (number){x.re == 0 ? 3 : x.re, COMPLEX ? (x.im == 0 ? -3 : x.im) : 0};
}

static bool op_lower(void)
{
    return !UPPER == (solve_trans[DTYPE] == GABLE_NO_TRANS);
}

/* Powers of two on the diagonal, and small integers off it where rows and columns are of two kinds:
 * all is exact. */
static number triangle_element(int64_t i, int64_t j)
{
    if (i == j)
        return (number){i % 3 == 0 ? 2 : i % 3 == 1 ? -1 : 0.5, 0};
    const bool plain = solve_trans[DTYPE] == GABLE_NO_TRANS;
    const int64_t row = plain ? i : j, column = i + j - row;
    return row % 2 == 1 && column % 2 == 0 ? drawn(i, j, 27) : (number){0, 0};
}

static number op_element(const matrix *A, int64_t i, int64_t j)
{
    if (i != j && (i > j) != op_lower())
        return (number){0, 0};
    return element(A, solve_trans[DTYPE], i, j);
}

static bool check_trsm_size(gable_context *ctx, const level1_case *c, level1_report *report)
{
    operands o = {.alpha = {2, 0}};
    const int64_t order = RIGHT ? c->columns : c->n, m = c->n, n = c->columns;
    bool good = (make_matrix(ctx, c, &o.A, order, order, 1, (R)NAN) &&
                 make_matrix(ctx, c, &o.B, m, n, 2, GAP) && make_scalars(ctx, &o)) ||
                say(report, "status", c, "no room");
    for (int64_t e = 0; good && e < order * order; e++)
        if (stored(e % order, e / order))
            put(&o.A, e % order, e / order, triangle_element(e % order, e / order));
    for (int64_t e = 0; good && e < m * n; e++) { /* op(A) X over alpha */
        const int64_t i = e % m, j = e / m;
        number sum = {0, 0};
        for (int64_t p = 0; p < order; p++)
            sum = plus(sum, RIGHT ? times(solution(i, p), op_element(&o.A, p, j))
                                  : times(op_element(&o.A, i, p), solution(p, j)));
        put(&o.B, i, j, (number){sum.re / 2, sum.im / 2});
    }
    const gable_side side = RIGHT ? GABLE_RIGHT : GABLE_LEFT;
    const gable_uplo uplo = UPPER ? GABLE_UPPER : GABLE_LOWER;
    good = good && send_all(ctx, c, &o, report) &&
           status_ok(ctx,
                     c->on_device
                         ? FN(trsm_dev)(ctx, side, uplo, solve_trans[DTYPE], GABLE_NON_UNIT, m, n,
                                        o.scalars.at, o.A.v.at, o.A.ld, o.B.v.at, o.B.ld)
                         : FN(trsm)(ctx, side, uplo, solve_trans[DTYPE], GABLE_NON_UNIT, m, n,
                                    scalar(2, 0), o.A.v.at, o.A.ld, o.B.v.at, o.B.ld),
                     c, report);
    for (int64_t e = 0; good && e < m * n; e++)
        put(&o.B, e % m, e / m, solution(e % m, e / m));
    good = good && compare(ctx, &o.B.v, c, "B", report) && compare(ctx, &o.A.v, c, "A", report);
    drop_all(ctx, &o);
    return good;
}

static bool check_trsm(gable_context *ctx, const level1_case *given, level1_report *report)
{
    static const int64_t sizes[][2] = {{1, 1}, {2, 9}, {7, 4}, {15, 16}, {16, 15}, {20, 23}};
    bool good = true;
    for (size_t s = 0; good && s < sizeof sizes / sizeof sizes[0]; s++) {
        level1_case c = *given;
        c.n = sizes[s][0];
        c.columns = sizes[s][1];
        c.on_device = s % 2 != 0;
        good = check_trsm_size(ctx, &c, report);
    }
    return good;
}

const level1_named TYPED(level1_products)[] = {
    {"gemm", check_gemm}, {"gemm_one", check_gemm_one}, {"symm", check_symm}, {"trsm", check_trsm},
    {NULL, NULL},
};
