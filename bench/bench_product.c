/* bench_product.c: the error of what an op with two or three matrices gives, over its bound.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The output is read back as a whole, so that an element that was never written shows as the NaN
 * that was there. Each element that is recomputed costs as many products as the op has terms: of
 * large matrices a few rows and columns are, evenly spread, the first and the last among them. Of
 * trsm the residual counts, and of potrf.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench_check.h"
#include "bench_reference.h"

#define SAMPLED_MEMBERS 4 /* of many matrices that are too large each */

/* One matrix of many, or the only one. */
typedef struct member {
    const bench_operands *operands;
    int64_t index;
    const void *found; /* the output's buffer */
} member;

/* ---- Elements ---- */

static int64_t place(const member *m, bench_role role, int64_t i, int64_t j)
{
    const bench_shape *shape = &m->operands->shape[role];
    return m->operands->what.offset + m->index * shape->ld * shape->columns + i + j * shape->ld;
}

/* Element (i, j) of an input. */
static bench_element given(const member *m, bench_role role, int64_t i, int64_t j)
{
    const bench_operands *o = m->operands;
    return bench_get(o->host[role], place(m, role, i, j) % o->period, o->what.dtype);
}

static bench_element found(const member *m, int64_t i, int64_t j)
{
    const bench_case *what = &m->operands->what;
    return bench_get(m->found, place(m, bench_written(what->op), i, j), what->dtype);
}

/* Element (i, j) of op(A) or op(B). */
static bench_element turned(const member *m, bench_role role, gable_trans trans, int64_t i,
                            int64_t j)
{
    const bench_element e = trans == GABLE_NO_TRANS ? given(m, role, i, j) : given(m, role, j, i);
    return trans == GABLE_CONJ_TRANS ? bench_conjugate(e) : e;
}

/* Whether (i, j) is in the triangle that uplo names; T of larft has none and is an upper one. */
static bool in_triangle(const bench_case *what, int64_t i, int64_t j)
{
    return i == j || (i > j) == (what->uplo == GABLE_LOWER);
}

/* Element (i, j) of the matrix that one triangle of A stands for: symmetric, Hermitian, or op of a
 * triangle. */
static bench_element whole(const member *m, int64_t i, int64_t j)
{
    const bench_case *what = &m->operands->what;
    if (bench_op_is_triangular(what->op)) {
        const bool turn = what->trans != GABLE_NO_TRANS;
        if (i == j)
            return (bench_element){1, 0};
        if (!in_triangle(what, turn ? j : i, turn ? i : j))
            return (bench_element){0, 0};
        return turned(m, BENCH_A, what->trans, i, j);
    }
    const bool stored = in_triangle(what, i, j);
    const bench_element a = stored ? given(m, BENCH_A, i, j) : given(m, BENCH_A, j, i);
    if (!what->op->conj)
        return a;
    return i == j ? (bench_element){a.re, 0} : stored ? a : bench_conjugate(a);
}

/* ---- Products ---- */

/* Term l of element (i, j): the two factors. `second`: of the other of two products. */
static void term_of(const member *m, bool second, int64_t i, int64_t j, int64_t l,
                    bench_element *left, bench_element *right)
{
    const bench_case *what = &m->operands->what;
    const bool solved = what->op->formula == BENCH_TRSM;
    const bench_role first = second ? BENCH_B : BENCH_A;
    const bench_role other = what->op->formula == BENCH_SYRK || second ? BENCH_A : BENCH_B;
    switch (what->op->formula) {
    case BENCH_SYRK:
    case BENCH_SYR2K:
        *left = turned(m, first, what->trans, i, l);
        *right = turned(m, other, what->trans, j, l);
        if (what->op->conj)
            *right = bench_conjugate(*right);
        return;
    case BENCH_SYMM:
    case BENCH_TRMM:
    case BENCH_TRSM:
        if (what->side == GABLE_LEFT) {
            *left = whole(m, i, l);
            *right = solved ? found(m, l, j) : given(m, BENCH_B, l, j);
        } else {
            *left = solved ? found(m, i, l) : given(m, BENCH_B, i, l);
            *right = whole(m, l, j);
        }
        return;
    default: /* gemm, gemmt */
        *left = turned(m, BENCH_A, what->trans, i, l);
        *right = turned(m, BENCH_B, what->trans_b, l, j);
    }
}

static int64_t terms_of(const bench_case *what)
{
    switch (what->op->formula) {
    case BENCH_SYMM:
    case BENCH_TRMM:
    case BENCH_TRSM:
        return what->side == GABLE_LEFT ? what->m : what->n;
    case BENCH_SYR2K:
        return 2 * what->k;
    case BENCH_POTRF:
        return what->n;
    case BENCH_LACPY:
    case BENCH_LASET:
    case BENCH_LASCL:
        return 1;
    default:
        return what->k;
    }
}

/* The sum of one product, and how many of its terms are not 0. */
static bench_sums sum_of(const member *m, bool second, int64_t i, int64_t j, int64_t *added)
{
    const bench_case *what = &m->operands->what;
    const int64_t terms = terms_of(what) / (what->op->formula == BENCH_SYR2K ? 2 : 1);
    bench_sums s = {{{0, 0}, {0, 0}}, 0};
    for (int64_t l = 0; l < terms; l++) {
        bench_element left, right;
        term_of(m, second, i, j, l, &left, &right);
        if ((left.re == 0 && left.im == 0) || (right.re == 0 && right.im == 0))
            continue;
        bench_add_product(&s, left, right);
        ++*added;
    }
    return s;
}

static double relative_bound(const bench_case *what, int64_t added, double more)
{
    const double terms = (double)added;
    return (fmin(terms, 8 * sqrt(terms)) + more) * bench_unit_roundoff(what->dtype) *
           bench_complex_factor(what->dtype);
}

/* |alpha B - op(A) X| at (i, j). */
static double residual_error(const member *m, int64_t i, int64_t j, gbl_scalar alpha)
{
    const bench_case *what = &m->operands->what;
    const bench_element b = given(m, BENCH_B, i, j);
    int64_t added = 0;
    const bench_sums s = sum_of(m, false, i, j, &added);
    const wide_complex wanted =
        complex_multiply(wide_number(-alpha.re, -alpha.im), wide_number(b.re, b.im));
    const bench_expected left = {complex_add(s.sum, wanted),
                                 relative_bound(what, added, 3) * s.moduli};
    return bench_over_bound(left, (bench_element){0, 0});
}

/* With beta = 1: what C held, and the rounding of the sum. The diagonal of a Hermitian result
 * counts as real. */
static void add_before(const member *m, int64_t i, int64_t j, bench_expected *e)
{
    const bench_case *what = &m->operands->what;
    const bool symmetric = what->op->formula == BENCH_SYRK || what->op->formula == BENCH_SYR2K;
    bench_element before = given(m, BENCH_C, i, j);
    if (symmetric && what->op->conj && i == j)
        before.im = 0;
    e->value = complex_add(e->value, wide_number(before.re, before.im));
    e->bound += bench_unit_roundoff(what->dtype) * bench_complex_factor(what->dtype) *
                (hypot(before.re, before.im) + hypot(e->value.re.high, e->value.im.high));
}

/* |A - L L^H| or |A - U^H U| at (i, j), of which the sum has as many terms as the nearer edge is
 * away. */
static double factor_error(const member *m, int64_t i, int64_t j)
{
    const bench_case *what = &m->operands->what;
    const bool lower = what->uplo == GABLE_LOWER;
    const int64_t terms = (i < j ? i : j) + 1;
    bench_sums s = {{{0, 0}, {0, 0}}, 0};
    for (int64_t l = 0; l < terms; l++) {
        const bench_element left = lower ? found(m, i, l) : bench_conjugate(found(m, l, i)),
                            right = lower ? bench_conjugate(found(m, j, l)) : found(m, l, j);
        bench_add_product(&s, left, right);
    }
    const bench_element a = i == j ? (bench_element){1, 0} : given(m, BENCH_A, i, j);
    const bench_expected left = {complex_add(s.sum, wide_number(-a.re, -a.im)),
                                 relative_bound(what, terms, 3) * s.moduli};
    return bench_over_bound(left, (bench_element){0, 0});
}

/* What lacpy and laset write: nothing is rounded. */
static double copy_error(const member *m, int64_t i, int64_t j, gbl_scalar alpha, gbl_scalar beta)
{
    const gbl_scalar set = i == j ? beta : alpha;
    const bench_element is = found(m, i, j), want = m->operands->what.op->formula == BENCH_LACPY
                                                        ? given(m, BENCH_A, i, j)
                                                        : (bench_element){set.re, set.im};
    return is.re == want.re && is.im == want.im ? 0 : 2;
}

/* What lascl makes of an element: a quotient and a product are rounded. */
static double scale_error(const member *m, int64_t i, int64_t j, gbl_scalar from, gbl_scalar to)
{
    const bench_case *what = &m->operands->what;
    const bench_element a = given(m, BENCH_A, i, j);
    const bench_expected e = {
        complex_multiply(wide_number(to.re / from.re, 0), wide_number(a.re, a.im)),
        3 * bench_unit_roundoff(what->dtype) * fabs(to.re / from.re) * hypot(a.re, a.im)};
    return bench_over_bound(e, found(m, i, j));
}

static double element_error(const member *m, int64_t i, int64_t j)
{
    const bench_case *what = &m->operands->what;
    gbl_scalar alpha, beta;
    bench_scalars(what, &alpha, &beta);
    if (what->op->formula == BENCH_POTRF)
        return factor_error(m, i, j);
    if (what->op->formula == BENCH_LACPY || what->op->formula == BENCH_LASET)
        return copy_error(m, i, j, alpha, beta);
    if (what->op->formula == BENCH_LASCL)
        return scale_error(m, i, j, alpha, beta);
    if (what->op->formula == BENCH_TRSM)
        return residual_error(m, i, j, alpha);
    int64_t added = 0;
    bench_sums s = sum_of(m, false, i, j, &added);
    bench_expected e = {complex_multiply(wide_number(alpha.re, alpha.im), s.sum), s.moduli};
    if (what->op->formula == BENCH_SYR2K) {
        s = sum_of(m, true, i, j, &added);
        const double im = what->op->conj ? -alpha.im : alpha.im;
        e.value = complex_add(e.value, complex_multiply(wide_number(alpha.re, im), s.sum));
        e.bound += s.moduli;
    }
    e.bound *= hypot(alpha.re, alpha.im) * relative_bound(what, added, 2);
    if (what->beta != 0)
        add_before(m, i, j, &e);
    return bench_over_bound(e, found(m, i, j));
}

/* ---- Which elements ---- */

static bool writes_triangle(const bench_op *op)
{
    return op->formula == BENCH_GEMMT || op->formula == BENCH_SYRK || op->formula == BENCH_SYR2K ||
           op->formula == BENCH_LARFT || (op->formula >= BENCH_POTRF && op->formula <= BENCH_LAUUM);
}

/* Number s of `count` that are evenly spread over `size`. */
static int64_t spread(int64_t s, int64_t count, int64_t size)
{
    return count > 1 ? (int64_t)((double)s * (double)(size - 1) / (double)(count - 1)) : 0;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The worst of one matrix: of all its elements, or of some rows in some columns. Rows of every
 * other column lie between those of its neighbours. */
static double member_error(const member *m, bool all)
{
    const bench_case *what = &m->operands->what;
    const bench_shape shape = m->operands->shape[bench_written(what->op)];
    const int64_t rows = all ? shape.rows : least(shape.rows, BENCH_SAMPLES);
    const int64_t columns = all ? shape.columns : least(shape.columns, BENCH_PRODUCT_COLUMNS);
    double worst = 0;
    int64_t nans = 0;
#pragma omp parallel for reduction(max : worst) reduction(+ : nans)
    for (int64_t s = 0; s < rows * columns; s++) {
        const int64_t column = s / rows, j = spread(column, columns, shape.columns);
        const int64_t between = column % 2 == 1 ? shape.rows / rows / 2 : 0;
        const int64_t i = least(spread(s % rows, rows, shape.rows) + between, shape.rows - 1);
        if (writes_triangle(what->op) && !in_triangle(what, i, j))
            continue;
        const double error = element_error(m, i, j);
        nans += isnan(error) != 0;
        worst = error > worst ? error : worst;
    }
    return nans > 0 ? (double)NAN : worst;
}

/* The bytes that an element outside the triangle must still have: those of the data, or those they
 * all had. */
static const char *bytes_before(const member *m, const char *beside, int64_t i, int64_t j)
{
    const bench_operands *o = m->operands;
    const bench_role role = bench_written(o->what.op);
    if (o->host[role] == NULL)
        return beside;
    return (const char *)o->host[role] +
           (size_t)(place(m, role, i, j) % o->period) * gbl_dtype_bytes(o->what.dtype);
}

/* Whether every element was written that should be, and no other: those keep their bytes. */
static bool is_written_right(const member *m)
{
    const bench_case *what = &m->operands->what;
    const bench_role role = bench_written(what->op);
    const bench_shape shape = m->operands->shape[role];
    const size_t elem = gbl_dtype_bytes(what->dtype);
    const bool lower = what->uplo == GABLE_LOWER, part = writes_triangle(what->op);
    const char *beside =
        (const char *)m->found +
        (size_t)place(m, role, lower ? 0 : shape.rows - 1, lower ? shape.columns - 1 : 0) * elem;
    int64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong) if (what->batch == 1)
    for (int64_t j = 0; j < shape.columns; j++)
        for (int64_t i = 0; i < shape.rows; i++) {
            const bench_element e = found(m, i, j);
            if (!part || in_triangle(what, i, j))
                wrong += isnan(e.re) || isnan(e.im);
            else
                wrong += memcmp((const char *)m->found + (size_t)place(m, role, i, j) * elem,
                                bytes_before(m, beside, i, j), elem) != 0;
        }
    return wrong == 0;
}

bool bench_written_right(const bench_operands *operands, const void *output)
{
    const member m = {operands, 0, output};
    return is_written_right(&m);
}

static double worst_of_all(const bench_operands *operands, const void *output)
{
    const bench_case *what = &operands->what;
    const bench_shape shape = operands->shape[bench_written(what->op)];
    const double products = (double)shape.rows * (double)shape.columns * (double)terms_of(what);
    const bool all = products <= (double)BENCH_PRODUCT_TERMS;
    const int64_t most = all ? (int64_t)((double)BENCH_PRODUCT_TERMS / products) : SAMPLED_MEMBERS;
    const int64_t checked = least(what->batch, most < 2 ? 2 : most);
    double worst = 0;
    int64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong) if (what->batch > 1)
    for (int64_t b = 0; b < what->batch; b++) {
        const member m = {operands, b, output};
        wrong += !is_written_right(&m);
    }
    if (wrong > 0)
        return (double)NAN;
    for (int64_t s = 0; s < checked; s++) {
        const member m = {operands, spread(s, checked, what->batch), output};
        const double error = member_error(&m, all);
        worst = error <= worst ? worst : error; /* NaN too */
        if (isnan(worst))
            break;
    }
    return worst;
}

/* One matrix that is compared element by element. */
static gable_status check_output(const bench_operands *operands, bench_reader reader, void *user,
                                 double *error)
{
    const bench_role which = bench_written(operands->what.op);
    const int64_t length = operands->shape[which].length;
    void *output = malloc((size_t)length * gbl_dtype_bytes(operands->what.dtype));
    if (output == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a check");
    const gable_status status = reader(user, which, 0, length, output);
    if (status == GABLE_OK)
        *error = worst_of_all(operands, output);
    free(output);
    return status;
}

gable_status bench_check_product(const bench_operands *operands, bench_reader reader, void *user,
                                 double *error)
{
    const bench_op *op = operands->what.op;
    if (bench_op_is_norm(op))
        return bench_check_norm(operands, reader, user, error);
    TRY(bench_op_has_ratio(op) ? bench_check_factor(operands, reader, user, error)
                               : check_output(operands, reader, user, error));
    if (bench_op_result(op) == BENCH_INFO) {
        int64_t info = -1;
        TRY(reader(user, BENCH_RESULT, 0, 1, &info));
        if (info != 0) /* no matrix here is singular */
            *error = (double)NAN;
    }
    return GABLE_OK;
}
