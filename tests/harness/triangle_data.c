/* triangle_data.c: one case of a triangular product or solution: its operands, call and reference.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include "harness/matrix_data.h"
#include "harness/triangle_test.h"

const triangle_form *triangle_form_of(const routine *r)
{
    return r->parts->forms;
}

bool triangle_has(const routine *r, const char *argument)
{
    return routine_argument(triangle_form_of(r)->arguments, argument) > 0;
}

/* ---- Shapes ---- */

void triangle_fit(const routine *r, triangle_case *c, int64_t gap, int which)
{
    static const int64_t widths[] = {0, 1, 2, 3, 5, 7, 16, 31, 40, 64, -1};
    const stored *how = triangle_form_of(r)->how;
    const int64_t width = widths[which % (int)(sizeof widths / sizeof widths[0])];
    c->s.m = c->s.n;
    if (how->storage == GBL_BAND && c->s.kl == 0) /* some are more than the matrix has */
        c->s.kl = c->s.ku = width < 0 ? c->s.n + 2 : width;
    const matrix_shape given = {.trans = c->trans,
                                .m = c->s.n,
                                .n = c->s.n,
                                .lda = c->s.n + gap,
                                .incx = c->incx,
                                .incy = 1,
                                .offset = c->offset};
    const matrix_shape taken = matrix_of_slow_run(r, given);
    c->s.m = c->s.n = taken.n;
    c->trans = taken.trans;
    c->offset = taken.offset;
    if (routine_slow_compiler(r)) /* x is copied, which is a kernel for each kind of stride */
        c->incx = r->dtype != GBL_D || r->variant != NULL ? 1 : c->incx == 1 ? 2 : c->incx;
    c->s.lda = stored_lda(how, &c->s, gap,
                          !routine_slow_compiler(r) ? COLUMNS_AS_IS
                          : taken.lda % 2 == 0      ? COLUMNS_ALIKE
                                                    : COLUMNS_APART);
}

/* ---- Elements ---- */

static bool is_unit(const triangle_case *c, int64_t row, int64_t column)
{
    return row == column && c->diag == GABLE_UNIT;
}

bool triangle_reads(const routine *r, const triangle_case *c, int64_t row, int64_t column)
{
    return stored_has(triangle_form_of(r)->how, &c->s, row, column) && !is_unit(c, row, column);
}

bool triangle_lower(const triangle_case *c)
{
    return (c->s.uplo == GABLE_LOWER) == (c->trans == GABLE_NO_TRANS);
}

/* Numbers that a sum has at most. */
static int64_t longest(const routine *r, const triangle_case *c)
{
    const bool banded = triangle_form_of(r)->how->storage == GBL_BAND;
    return banded && c->s.kl + 1 < c->s.n ? c->s.kl + 1 : c->s.n;
}

static number drawn(const routine *r, const triangle_case *c, int64_t row, int64_t column)
{
    const int64_t i = row + column * c->s.n;
    if (c->random) {
        const number a = number_random(r->dtype, c->seed, i);
        const double scale = row == column ? 1 : 2 / (double)longest(r, c);
        const double more = row == column ? (a.re < 0 ? -1 : 1) : 0;
        return number_of(r->dtype, a.re * scale + more, a.im * scale);
    }
    if (row == column) { /* powers of two times a unit */
        static const number powers[] = {{1, 0},   {-1, 0}, {2, 0}, {-2, 0},
                                        {0.5, 0}, {0, 1},  {0, -2}};
        return powers[data_bits(c->seed, (uint64_t)i) % (gbl_dtype_complex(r->dtype) ? 7 : 5)];
    }
    return number_integer(r->dtype, c->seed, i, 2);
}

/* Element (i, j) of op(A), for elements inside the triangle. */
static number op_element(const routine *r, const triangle_case *c, int64_t i, int64_t j)
{
    const bool plain = c->trans == GABLE_NO_TRANS;
    if (is_unit(c, i, j))
        return (number){1, 0};
    const number a = plain ? drawn(r, c, i, j) : drawn(r, c, j, i);
    return c->trans == GABLE_CONJ_TRANS ? number_conjugate(a) : a;
}

/* Element i of op(A) v. */
static number_sum product(const routine *r, const triangle_case *c, const number *v, int64_t i)
{
    const int64_t near = longest(r, c) - 1, n = c->s.n;
    const int64_t first = !triangle_lower(c) ? i : i > near ? i - near : 0;
    const int64_t last = triangle_lower(c) ? i : i + near < n - 1 ? i + near : n - 1;
    number_sum sum = {{0, 0}, {0, 0}, 0};
    if (gbl_dtype_complex(r->dtype)) {
        for (int64_t j = first; j <= last; j++)
            number_add_product(&sum, op_element(r, c, i, j), v[j]);
    } else {
        for (int64_t j = first; j <= last; j++)
            number_add_real(&sum, op_element(r, c, i, j), v[j]);
    }
    return sum;
}

/* ---- Operands ---- */

/* What exact solutions are made of. */
static number solution(const routine *r, const triangle_case *c, int64_t i)
{
    return number_integer(r->dtype, c->seed + 1, i, 4);
}

/* x as the routine gets it. */
static bool give_x(const routine *r, const triangle_operands *o, const triangle_case *c)
{
    const int64_t n = c->s.n;
    if (c->random || !triangle_form_of(r)->solves) {
        for (int64_t i = 0; i < n; i++)
            number_put(r->dtype, &o->x, i,
                       c->random ? number_random(r->dtype, c->seed + 1, i) : solution(r, c, i));
        return true;
    }
    number *x = malloc((size_t)(n > 0 ? n : 1) * sizeof *x);
    CHECK(x != NULL, "no memory for %lld elements", (long long)n);
    for (int64_t i = 0; x != NULL && i < n; i++)
        x[i] = solution(r, c, i);
    for (int64_t i = 0; x != NULL && i < n; i++) {
        const number_sum b = product(r, c, x, i);
        number_put(r->dtype, &o->x, i, (number){b.re.high, b.im.high});
    }
    free(x);
    return x != NULL;
}

bool triangle_build(routine *r, triangle_operands *o, const triangle_case *c)
{
    const stored *how = triangle_form_of(r)->how;
    const stored_shape *s = &c->s;
    const size_t bytes = gbl_dtype_bytes(r->dtype);
    memset(o, 0, sizeof *o);
    if (!guarded_make(&o->A, r->ctx, how->elements(s), 1, bytes, (size_t)c->offset * bytes, c->fill,
                      c->fence) ||
        !guarded_make(&o->x, r->ctx, s->n, c->incx, bytes, 0, c->fill, c->fence))
        return false;
    if (o->A.n > 0)
        memset(guarded_element(&o->A, 0), 0xff, (size_t)o->A.n * bytes);
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = stored_first_row(how, s, j); i <= stored_last_row(how, s, j); i++)
            if (triangle_reads(r, c, i, j))
                number_put(r->dtype, &o->A, how->place(s, i, j), drawn(r, c, i, j));
    return give_x(r, o, c) && guarded_send(&o->A) && guarded_send(&o->x);
}

void triangle_destroy(triangle_operands *o)
{
    guarded_destroy(&o->A);
    guarded_destroy(&o->x);
}

/* ---- The call ---- */

triangle_call triangle_arguments_of(const triangle_operands *o, const triangle_case *c)
{
    return (triangle_call){.uplo = c->s.uplo,
                           .trans = c->trans,
                           .diag = c->diag,
                           .n = c->s.n,
                           .k = c->s.kl,
                           .A = o->A.at,
                           .lda = c->s.lda,
                           .x = o->x.at,
                           .incx = c->incx};
}

gable_status triangle_enqueue(routine *r, const triangle_operands *o, const triangle_case *c)
{
    const triangle_call call = triangle_arguments_of(o, c);
    return triangle_form_of(r)->run(r->ctx, &call);
}

bool triangle_run(routine *r, const triangle_operands *o, const triangle_case *c)
{
    const gbl_matrix_call call = {.dtype = r->dtype,
                                  .uplo = c->s.uplo,
                                  .trans = c->trans,
                                  .diag = c->diag,
                                  .storage = (uint8_t)triangle_form_of(r)->how->storage,
                                  .m = c->s.n,
                                  .n = c->s.n,
                                  .kl = c->s.kl,
                                  .ku = c->s.ku,
                                  .A = o->A.at,
                                  .lda = c->s.lda,
                                  .x = o->x.at,
                                  .incx = c->incx,
                                  .incy = 1};
    return routine_ran(r, triangle_enqueue(r, o, c), c->s.n == 0 ? NULL : &call);
}

/* ---- Reference ---- */

/* Product: v is what x was, and x must be op(A) v. Solution: v is x, and op(A) v must be what x
 * was. */
static void compare_sums(routine *r, const triangle_operands *o, const triangle_case *c, number *v)
{
    const bool solves = triangle_form_of(r)->solves;
    const double terms = solves ? (double)c->s.n + 4 : (double)longest(r, c) + 2;
    const double factor = c->random ? terms * number_roundoff(r->dtype) : 0;
    for (int64_t i = 0; i < c->s.n; i++)
        v[i] = solves ? number_got(r->dtype, &o->x, i) : number_get(r->dtype, &o->x, i);
    for (int64_t i = 0; i < c->s.n; i++) {
        const number_sum sum = product(r, c, v, i);
        const number is = solves ? number_get(r->dtype, &o->x, i) : number_got(r->dtype, &o->x, i);
        const long before = test_failures();
        routine_error(r, number_distance(&sum, is), factor * sum.size, number_limit(r->dtype));
        if (test_failures() > before) {
            CHECK(false, "the wrong element is %lld", (long long)i);
            break;
        }
    }
}

static void compare_solution(routine *r, const triangle_operands *o, const triangle_case *c)
{
    for (int64_t i = 0; i < c->s.n; i++) {
        const number want = solution(r, c, i), is = number_got(r->dtype, &o->x, i);
        const long before = test_failures();
        routine_error(r, wide_size(is.re - want.re, is.im - want.im), 0, 1);
        if (test_failures() > before) {
            CHECK(false, "the wrong element is %lld: %g and not %g", (long long)i, is.re, want.re);
            break;
        }
    }
}

void triangle_compare(routine *r, const triangle_operands *o, const triangle_case *c)
{
    if (triangle_form_of(r)->solves && !c->random) {
        compare_solution(r, o, c);
        return;
    }
    number *v = malloc((size_t)(c->s.n > 0 ? c->s.n : 1) * sizeof *v);
    CHECK(v != NULL, "no memory for %lld elements", (long long)c->s.n);
    if (v != NULL)
        compare_sums(r, o, c, v);
    free(v);
}

/* ---- A case ---- */

void triangle_begin(routine *r, const triangle_case *c, const char *more)
{
    const stored_shape *s = &c->s;
    r->cases++;
    test_case("%s %c %s variant=%s part=%s uplo=%c trans=%c diag=%c n=%lld k=%lld lda=%lld "
              "incx=%lld offset=%d seed=%llu fill=%d fence=%d %s",
              r->op->stem, r->letter, test_device(), r->choice, r->part,
              s->uplo == GABLE_UPPER ? 'U' : 'L', "NTC"[c->trans - GABLE_NO_TRANS],
              c -> diag == GABLE_UNIT ? 'U' : 'N', (long long)s->n, (long long)s->kl,
              (long long)s->lda, (long long)c->incx, c->offset, (unsigned long long)c->seed,
              (int)c->fill, (int)c->fence, more);
}

void triangle_check(routine *r, const triangle_case *c)
{
    triangle_operands o;
    triangle_begin(r, c, "");
    if (triangle_build(r, &o, c) && triangle_run(r, &o, c) && guarded_fetch(&o.x)) {
        triangle_compare(r, &o, c);
        guarded_surroundings(&o.x, "x");
        if (guarded_fetch(&o.A))
            guarded_same(&o.A, "A");
    }
    triangle_destroy(&o);
}
