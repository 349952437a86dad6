/* level3_reference.c: what routines on two or three matrices must give.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every routine here is a sum of one or two products alpha X Y of whole matrices, X and Y made of
 * the operands as they were: transposed, completed to symmetric ones, with ones on a unit diagonal.
 * Elements beyond a triangle are left out of the sums, so that NaN and Inf in the other factor do
 * not meet them. A solution is right if the product of the triangle with it gives alpha B.
 */
#include <stdlib.h>
#include "harness/level3_test.h"

/* A whole matrix by rows: element (i, j) is number j + i columns. */
typedef struct factor {
    int64_t rows, columns;
    double *re, *im, *size;
} factor;

typedef struct product {
    number scale;
    factor X, Y;
    bool X_lower, X_upper, Y_lower, Y_upper; /* triangles */
} product;

/* Row i of a product, element by element. */
typedef struct sums {
    double *re, *re_low, *im, *im_low, *size;
} sums;

typedef struct reference {
    product products[2];
    int count;
    bool complex, wide;
    bool lower, upper; /* only this triangle of the sum is asked for */
    sums row[2];
    double *memory;
} reference;

/* ---- Elements ---- */

static number stored(const routine *r, const level3_operands *o, const level3_case *c, int which,
                     int64_t i, int64_t j)
{
    return number_get(r->dtype, &o->M[which], i + j * c->ld[which]);
}

static number turned(const routine *r, const level3_operands *o, const level3_case *c, int which,
                     gable_trans trans, int64_t i, int64_t j)
{
    if (trans == GABLE_NO_TRANS)
        return stored(r, o, c, which, i, j);
    const number a = stored(r, o, c, which, j, i);
    return trans == GABLE_CONJ_TRANS ? number_conjugate(a) : a;
}

/* Element (i, j) of a symmetric or Hermitian matrix of which one triangle is stored. */
static number symmetric(const routine *r, const level3_operands *o, const level3_form *f,
                        const level3_case *c, int64_t i, int64_t j)
{
    const bool mirrored = !level3_used(f, c, MATRIX_A, i, j);
    number a = mirrored ? stored(r, o, c, MATRIX_A, j, i) : stored(r, o, c, MATRIX_A, i, j);
    if (f->conj && i == j)
        a.im = 0;
    return f->conj && mirrored ? number_conjugate(a) : a;
}

static bool is_lower(const level3_case *c)
{
    return (c->uplo == GABLE_LOWER) == (c->transa == GABLE_NO_TRANS);
}

/* Element (i, j) of a triangle; what is beyond it is 0. */
static number triangular(const routine *r, const level3_operands *o, const level3_case *c,
                         int64_t i, int64_t j)
{
    if (i == j && c->diag == GABLE_UNIT)
        return (number){1, 0};
    if (i != j && (i > j) != is_lower(c))
        return (number){0, 0};
    return turned(r, o, c, MATRIX_A, c->transa, i, j);
}

/* Whose elements a factor has. */
typedef enum source {
    OP_A,         /* op(A) */
    OP_B,         /* op(B) */
    OP_A_FLIPPED, /* its transpose, conjugated in Hermitian forms */
    OP_B_LIKE_A,  /* of two products, where one flag turns both */
    OP_B_FLIPPED,
    SYMMETRIC_A,
    TRIANGLE_A,
    WHOLE_B,
    RESULT, /* as fetched */
    SOLUTION
} source;

static number flipped(const routine *r, const level3_operands *o, const level3_form *f,
                      const level3_case *c, int which, int64_t i, int64_t j)
{
    const number a = turned(r, o, c, which, c->transa, j, i);
    return f->conj ? number_conjugate(a) : a;
}

static number element(const routine *r, const level3_operands *o, const level3_form *f,
                      const level3_case *c, source of, int64_t i, int64_t j)
{
    switch (of) {
    case OP_A:
        return turned(r, o, c, MATRIX_A, c->transa, i, j);
    case OP_B:
        return turned(r, o, c, MATRIX_B, c->transb, i, j);
    case OP_A_FLIPPED:
        return flipped(r, o, f, c, MATRIX_A, i, j);
    case OP_B_LIKE_A:
        return turned(r, o, c, MATRIX_B, c->transa, i, j);
    case OP_B_FLIPPED:
        return flipped(r, o, f, c, MATRIX_B, i, j);
    case SYMMETRIC_A:
        return symmetric(r, o, f, c, i, j);
    case TRIANGLE_A:
        return triangular(r, o, c, i, j);
    case WHOLE_B:
        return stored(r, o, c, MATRIX_B, i, j);
    case SOLUTION:
        return level3_solution(r, c, i, j);
    case RESULT:
        break;
    }
    return number_got(r->dtype, &o->M[MATRIX_B], i + j * c->ld[MATRIX_B]);
}

static bool fill(const routine *r, const level3_operands *o, const level3_form *f,
                 const level3_case *c, source of, int64_t rows, int64_t columns, factor *made)
{
    const size_t count = (size_t)(rows * columns);
    made->rows = rows;
    made->columns = columns;
    made->re = malloc((3 * count + 1) * sizeof *made->re);
    if (made->re == NULL)
        return false;
    made->im = made->re + count;
    made->size = made->im + count;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++) {
            const number a = element(r, o, f, c, of, i, j);
            made->re[j + i * columns] = a.re;
            made->im[j + i * columns] = a.im;
            made->size[j + i * columns] = number_size(a);
        }
    }
    return true;
}

/* ---- Products ---- */

/* alpha X Y, X m by k, Y k by n. */
static bool add_product(reference *ref, const routine *r, const level3_operands *o,
                        const level3_form *f, const level3_case *c, number scale, source x,
                        source y, int64_t k)
{
    product *p = &ref->products[ref->count++];
    const bool lower = is_lower(c);
    p->scale = scale;
    p->X_lower = x == TRIANGLE_A && lower;
    p->X_upper = x == TRIANGLE_A && !lower;
    p->Y_lower = y == TRIANGLE_A && lower;
    p->Y_upper = y == TRIANGLE_A && !lower;
    return fill(r, o, f, c, x, c->m, k, &p->X) && fill(r, o, f, c, y, k, c->n, &p->Y);
}

static void release(reference *ref)
{
    for (int i = 0; i < 2; i++) {
        free(ref->products[i].X.re);
        free(ref->products[i].Y.re);
    }
    free(ref->memory);
}

static bool add_products(reference *ref, const routine *r, const level3_operands *o,
                         const level3_form *f, const level3_case *c, source solution)
{
    const number one = {1, 0},
                 other = f->conj ? number_conjugate(c->alpha) : c->alpha; /* of her2k */
    const bool left = c->side == GABLE_LEFT;
    const int64_t order = level3_order(c);
    switch (f->kind) {
    case LEVEL3_PRODUCT:
    case LEVEL3_PART:
        return add_product(ref, r, o, f, c, c->alpha, OP_A, OP_B, c->k);
    case LEVEL3_SELF:
        return add_product(ref, r, o, f, c, c->alpha, OP_A, OP_A_FLIPPED, c->k);
    case LEVEL3_PAIR:
        return add_product(ref, r, o, f, c, c->alpha, OP_A, OP_B_FLIPPED, c->k) &&
               add_product(ref, r, o, f, c, other, OP_B_LIKE_A, OP_A_FLIPPED, c->k);
    case LEVEL3_SYMMETRIC:
        return left ? add_product(ref, r, o, f, c, c->alpha, SYMMETRIC_A, WHOLE_B, order)
                    : add_product(ref, r, o, f, c, c->alpha, WHOLE_B, SYMMETRIC_A, order);
    case LEVEL3_TRIANGLE:
        return left ? add_product(ref, r, o, f, c, c->alpha, TRIANGLE_A, WHOLE_B, order)
                    : add_product(ref, r, o, f, c, c->alpha, WHOLE_B, TRIANGLE_A, order);
    case LEVEL3_SOLUTION:
        break;
    }
    return left ? add_product(ref, r, o, f, c, one, TRIANGLE_A, solution, order)
                : add_product(ref, r, o, f, c, one, solution, TRIANGLE_A, order);
}

static bool prepare(reference *ref, const routine *r, const level3_operands *o,
                    const level3_form *f, const level3_case *c, source solution)
{
    const size_t n = (size_t)c->n;
    const bool one_triangle = f->kind >= LEVEL3_PART && f->kind <= LEVEL3_PAIR;
    *ref = (reference){.complex = gbl_dtype_complex(r->dtype),
                       .wide = c->random && gbl_dtype_real_bytes(r->dtype) == 8,
                       .lower = one_triangle && c->uplo == GABLE_LOWER,
                       .upper = one_triangle && c->uplo == GABLE_UPPER,
                       .memory = malloc((10 * n + 1) * sizeof(double))};
    bool good = ref->memory != NULL && add_products(ref, r, o, f, c, solution);
    for (int i = 0; good && i < 2; i++) {
        double *at = ref->memory + 5 * (size_t)i * n;
        ref->row[i] = (sums){at, at + n, at + 2 * n, at + 3 * n, at + 4 * n};
    }
    CHECK(good, "no memory for the reference");
    return good;
}

/* ---- Sums ---- */

static void add_plain(const sums *s, number a, const double *re, const double *im, int64_t first,
                      int64_t last, bool complex)
{
    double *const out = s->re, *const out_im = s->im;
    for (int64_t j = first; j <= last; j++)
        out[j] += a.re * re[j];
    for (int64_t j = first; complex && j <= last; j++) {
        out[j] -= a.im * im[j];
        out_im[j] += a.re * im[j] + a.im * re[j];
    }
}

static void gather(double *high, double *low, double a, const double *b, int64_t first,
                   int64_t last)
{
    for (int64_t j = first; j <= last; j++) {
        const wide s = wide_gather((wide){high[j], low[j]}, a, b[j]);
        high[j] = s.high;
        low[j] = s.low;
    }
}

static void add_wide(const sums *s, number a, const double *re, const double *im, int64_t first,
                     int64_t last, bool complex)
{
    gather(s->re, s->re_low, a.re, re, first, last);
    if (complex) {
        gather(s->re, s->re_low, -a.im, im, first, last);
        gather(s->im, s->im_low, a.re, im, first, last);
        gather(s->im, s->im_low, a.im, re, first, last);
    }
}

/* Row i of X Y. */
static void row_of(const reference *ref, int which, int64_t i)
{
    const product *p = &ref->products[which];
    const sums *s = &ref->row[which];
    const int64_t k = p->X.columns, n = p->Y.columns;
    const int64_t begin = ref->upper ? i : 0, end = ref->lower ? i : n - 1;
    memset(s->re, 0, 5 * (size_t)n * sizeof *s->re);
    for (int64_t t = p->X_upper ? i : 0; t < (p->X_lower ? i + 1 : k); t++) {
        const number a = {p->X.re[t + i * k], p->X.im[t + i * k]};
        const double size = p->X.size[t + i * k];
        const double *re = p->Y.re + t * n, *im = p->Y.im + t * n, *sizes = p->Y.size + t * n;
        const int64_t first = p->Y_upper ? t : begin, last = p->Y_lower ? t : end;
        if (ref->wide)
            add_wide(s, a, re, im, first, last, ref->complex);
        else
            add_plain(s, a, re, im, first, last, ref->complex);
        for (int64_t j = first; j <= last; j++)
            s->size[j] += size * sizes[j];
    }
}

/* Element j of the rows that were made last: the products, scaled and added. */
static number_sum total(const reference *ref, int64_t j)
{
    number_sum sum = {{0, 0}, {0, 0}, 0};
    for (int q = 0; q < ref->count; q++) {
        const sums *s = &ref->row[q];
        const number_sum part = {{s->re[j], s->re_low[j]}, {s->im[j], s->im_low[j]}, s->size[j]};
        number_add_scaled(&sum, ref->products[q].scale, &part);
    }
    return sum;
}

/* ---- Exact solutions ---- */

number level3_solution(const routine *r, const level3_case *c, int64_t i, int64_t j)
{
    return number_integer(r->dtype, c->seed + 1, i + j * c->m, 2);
}

bool level3_put_right_side(const routine *r, level3_operands *o, const level3_form *f,
                           const level3_case *c)
{
    reference ref;
    const double square = c->alpha.re * c->alpha.re + c->alpha.im * c->alpha.im;
    const bool good = prepare(&ref, r, o, f, c, SOLUTION);
    for (int64_t i = 0; good && i < c->m; i++) {
        row_of(&ref, 0, i);
        for (int64_t j = 0; j < c->n; j++) {
            const double re = ref.row[0].re[j], im = ref.row[0].im[j];
            /* alpha is a power of two times a unit, or 0: then B does not matter. */
            const number b = square == 0 ? (number){re, im}
                                         : (number){(re * c->alpha.re + im * c->alpha.im) / square,
                                                    (im * c->alpha.re - re * c->alpha.im) / square};
            number_put(r->dtype, &o->M[MATRIX_B], i + j * c->ld[MATRIX_B], b);
        }
    }
    release(&ref);
    return good;
}

static number result(const routine *r, const level3_operands *o, const level3_form *f,
                     const level3_case *c, int64_t i, int64_t j)
{
    const int w = level3_output(f);
    return number_got(r->dtype, &o->M[w], i + j * c->ld[w]);
}

/* false: an element is wrong. */
static bool compare_solution(routine *r, const level3_operands *o, const level3_form *f,
                             const level3_case *c, int64_t i, int64_t j)
{
    const bool zero = number_size(c->alpha) == 0;
    const number want = zero ? (number){0, 0} : level3_solution(r, c, i, j),
                 is = result(r, o, f, c, i, j);
    const long before = test_failures();
    routine_error(r, wide_size(is.re - want.re, is.im - want.im), 0, 1);
    if (test_failures() > before)
        CHECK(false, "the wrong element is (%lld, %lld): %g%+gi and not %g%+gi", (long long)i,
              (long long)j, is.re, is.im, want.re, want.im);
    return test_failures() == before;
}

/* ---- Comparison ---- */

/* What the element must be, or of a solution alpha B: `sum` is the product, to which beta C is
 * added here. */
static number_sum wanted(const routine *r, const level3_operands *o, const level3_form *f,
                         const level3_case *c, number_sum sum, int64_t i, int64_t j)
{
    if (level3_solves(f)) {
        const number minus = {-c->alpha.re, -c->alpha.im};
        number_add_product(&sum, minus, stored(r, o, c, MATRIX_B, i, j));
    } else if (f->kind < LEVEL3_TRIANGLE && (c->beta.re != 0 || c->beta.im != 0)) {
        number old = stored(r, o, c, MATRIX_C, i, j);
        if (f->conj && f->kind != LEVEL3_SYMMETRIC && i == j)
            old.im = 0;
        number_add_product(&sum, c->beta, old);
    }
    return sum;
}

static bool compare_element(routine *r, const level3_operands *o, const level3_form *f,
                            const level3_case *c, const reference *ref, int64_t i, int64_t j)
{
    const double terms = (double)level3_terms(f, c) + (level3_solves(f) ? 3 : 2);
    const double times = c->random ? terms * number_roundoff(r->dtype) : 0;
    const number is = level3_solves(f) ? (number){0, 0} : result(r, o, f, c, i, j);
    const number_sum want = wanted(r, o, f, c, total(ref, j), i, j);
    const long before = test_failures();
    routine_error(r, number_distance(&want, is), times * want.size, number_limit(r->dtype));
    if (f->conj && f->kind != LEVEL3_SYMMETRIC && i == j)
        CHECK(is.im == 0, "the imaginary part of a diagonal element is %g", is.im);
    if (test_failures() > before)
        CHECK(false, "the wrong element is (%lld, %lld): %g%+gi and not %g%+gi", (long long)i,
              (long long)j, is.re, is.im, want.re.high, want.im.high);
    return test_failures() == before;
}

void level3_compare(routine *r, const level3_operands *o, const level3_form *f,
                    const level3_case *c)
{
    reference ref = {.count = 0};
    const bool exact = level3_solves(f) && !c->random;
    bool good = exact || prepare(&ref, r, o, f, c, RESULT);
    for (int64_t i = 0; good && i < c->m; i++) {
        for (int q = 0; q < ref.count; q++)
            row_of(&ref, q, i);
        for (int64_t j = 0; good && j < c->n; j++)
            if (level3_used(f, c, level3_output(f), i, j))
                good = exact ? compare_solution(r, o, f, c, i, j)
                             : compare_element(r, o, f, c, &ref, i, j);
    }
    release(&ref);
}

/* ---- NaN and Inf ---- */

/* Whether elements of X in op(A) X = B are finite: column by column, or row by row where A is on
 * the right, and then of the transposed system. */
static void solved_finite(const routine *r, const level3_operands *o, const level3_case *c,
                          int64_t line, bool *finite)
{
    const bool left = c->side == GABLE_LEFT, forward = is_lower(c) == left;
    const int64_t order = level3_order(c);
    for (int64_t s = 0; s < order; s++) {
        const int64_t i = forward ? s : order - 1 - s;
        const number pivot = triangular(r, o, c, i, i);
        finite[i] = number_finite(stored(r, o, c, MATRIX_B, left ? i : line, left ? line : i)) &&
                    number_finite(pivot) && number_size(pivot) != 0;
        for (int64_t t = 0; t < s; t++) {
            const int64_t p = forward ? t : order - 1 - t;
            finite[i] = finite[i] && finite[p] &&
                        number_finite(left ? triangular(r, o, c, i, p) : triangular(r, o, c, p, i));
        }
    }
}

static void compare_finite_solution(routine *r, const level3_operands *o, const level3_form *f,
                                    const level3_case *c)
{
    const bool left = c->side == GABLE_LEFT;
    const int64_t order = level3_order(c), lines = left ? c->n : c->m;
    bool *finite = calloc((size_t)order + 1, sizeof *finite);
    CHECK(finite != NULL, "no memory for %lld elements", (long long)order);
    for (int64_t line = 0; finite != NULL && line < lines; line++) {
        solved_finite(r, o, c, line, finite);
        for (int64_t e = 0; e < order; e++) {
            const int64_t i = left ? e : line, j = left ? line : e;
            const number is = result(r, o, f, c, i, j);
            CHECK(number_finite(is) == finite[e], "element (%lld, %lld) is %g", (long long)i,
                  (long long)j, is.re);
        }
    }
    free(finite);
}

void level3_compare_finite(routine *r, const level3_operands *o, const level3_form *f,
                           const level3_case *c)
{
    reference ref = {.count = 0};
    if (level3_solves(f)) {
        compare_finite_solution(r, o, f, c);
        return;
    }
    const bool good = prepare(&ref, r, o, f, c, RESULT);
    for (int64_t i = 0; good && i < c->m; i++) {
        for (int q = 0; q < ref.count; q++)
            row_of(&ref, q, i);
        for (int64_t j = 0; j < c->n; j++) {
            if (!level3_used(f, c, level3_output(f), i, j))
                continue;
            const number is = result(r, o, f, c, i, j);
            number want = {0, 0};
            for (int q = 0; q < ref.count; q++) { /* scaled by 0 or added to others, not by it */
                want.re += ref.row[q].re[j];
                want.im += ref.row[q].im[j];
            }
            CHECK(number_finite(is) == number_finite(want), "element (%lld, %lld) is %g%+gi",
                  (long long)i, (long long)j, is.re, is.im);
            CHECK(ref.complex || isnan(is.re) == isnan(want.re) || (r->math && isinf(want.re)),
                  "element (%lld, %lld) is %g, where %g times alpha is right", (long long)i,
                  (long long)j, is.re, want.re);
        }
    }
    release(&ref);
}
