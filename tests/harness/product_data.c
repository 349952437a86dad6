/* product_data.c: one case of y := alpha op(A) x + beta y: its shape, operands, call and reference.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include "harness/product_test.h"

bool product_has(const product_form *f, const char *argument)
{
    return routine_argument(f->arguments, argument) > 0;
}

/* Where kernels compile slowly the symmetric form of z is left to $GABLE_TEST_ALL: c has it. */
const product_form *product_next(const routine *r, const product_form *last)
{
    const product_form *first = r->parts->forms;
    const bool only_last = routine_slow_compiler(r) && r->dtype == GBL_Z;
    const product_form *next = last != NULL ? last + 1
                               : only_last  ? first + r->parts->form_count - 1
                                            : first;
    return next - first < r->parts->form_count ? next : NULL;
}

int64_t product_x(const product_case *c)
{
    return c->trans == GABLE_NO_TRANS ? c->s.n : c->s.m;
}

int64_t product_y(const product_case *c)
{
    return c->trans == GABLE_NO_TRANS ? c->s.m : c->s.n;
}

/* ---- Shapes ---- */

static bool is_banded(const product_form *f)
{
    return f->how->storage == GBL_BAND;
}

/* Diagonals below and above the main one; some are more than the matrix has. */
static void give_band(const product_form *f, stored_shape *s, int which)
{
    static const int64_t bands[][2] = {{0, 0}, {1, 1},   {2, 0},  {0, 3},   {4, 2},
                                       {1, 7}, {16, 15}, {40, 1}, {20, 33}, {-1, -1}};
    const int64_t *band = bands[which % (int)(sizeof bands / sizeof bands[0])];
    if (!is_banded(f))
        return;
    s->kl = band[0] < 0 ? s->m + 1 : band[0];
    s->ku = f->how->triangle ? s->kl : band[1] < 0 ? s->n + 2 : band[1];
}

product_case product_sized(const routine *r, const product_form *f, product_case c, int64_t gap,
                           int which)
{
    matrix_shape m = {.trans = c.trans,
                      .m = c.s.m,
                      .n = c.s.n,
                      .lda = c.s.m + gap,
                      .incx = c.incx,
                      .incy = c.incy,
                      .offset = c.offset};
    m = matrix_of_run(r, m, which);
    c.s.m = f->how->triangle && m.n > m.m ? m.n : m.m;
    c.s.n = f->how->triangle ? c.s.m : m.n;
    if (f->how->triangle &&
        routine_slow_compiler(r)) /* each precision has one triangle of a form */
        c.s.uplo = (r->dtype == GBL_D) == f->conj ? GABLE_LOWER : GABLE_UPPER;
    c.trans = m.trans;
    c.incx = m.incx;
    c.incy = m.incy;
    c.offset = m.offset;
    c.s.lda = stored_lda(f->how, &c.s, gap,
                         matrix_takes_all(r) ? COLUMNS_AS_IS
                         : m.lda % 2 == 0    ? COLUMNS_ALIKE
                                             : COLUMNS_APART);
    return c;
}

/* Sizes of matrices with m rows and n columns: two permutations pair each number of rows with two
 * numbers of columns; then a tall, a wide and two large ones. */
static bool pair_of_sizes(int k, bool few, stored_shape *s)
{
    static const int64_t sizes[] = {1, 2, 3, 5, 16, 31, 64, 65, 129, 300};
    static const int64_t further[][2] = {{3000, 7}, {7, 3000}, {700, 500}, {700, 500}};
    static const int64_t some[][2] = {{1, 1}, {17, 9}, {65, 33}, {300, 200}, {900, 5}, {5, 900}};
    const int count = few ? 6 : 24;
    if (k >= count)
        return false;
    const bool paired = !few && k < 20;
    s->m = few ? some[k][0] : paired ? sizes[k % 10] : further[k - 20][0];
    s->n = few      ? some[k][1]
           : paired ? sizes[k < 10 ? (7 * k + 3) % 10 : (3 * k + 6) % 10]
                    : further[k - 20][1];
    return true;
}

static bool one_size(int k, bool few, stored_shape *s)
{
    static const int64_t sizes[] = {1,  2,  3,  4,   5,   8,   15,  16,  17, 31,
                                    32, 33, 64, 100, 127, 129, 300, 511, 700};
    static const int some[] = {0, 4, 9, 13, 16};
    if (k >= (int)(few ? sizeof some / sizeof some[0] : sizeof sizes / sizeof sizes[0]))
        return false;
    s->m = s->n = sizes[few ? some[k] : k];
    return true;
}

/* Bands are narrow, so these take little memory. */
static bool long_band(int k, stored_shape *s)
{
    static const stored_shape bands[] = {{.m = 5000, .n = 5000, .kl = 3, .ku = 4},
                                         {.m = 2500, .n = 2400, .kl = 100, .ku = 70},
                                         {.m = 20000, .n = 20001, .kl = 0, .ku = 1}};
    if (k >= (int)(sizeof bands / sizeof bands[0]))
        return false;
    *s = bands[k];
    return true;
}

/* Large matrices are served by further kernels, which $GABLE_TEST_ALL compiles where that takes
 * long. */
#define LARGE 500
static bool too_large(const routine *r, const stored_shape *s)
{
    return routine_slow_compiler(r) && (s->m >= LARGE || s->n >= LARGE);
}

product_case product_any(const routine *r, const product_form *f, int i, bool few)
{
    static const gable_trans all[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    static const int64_t gaps[] = {0, 1, 3, 4}, strides[] = {1, 2, -1, -3};
    const int flags = product_has(f, "trans") ? 3 : 2, k = i / flags;
    const bool square = !product_has(f, "m");
    const int listed = square ? (few ? 5 : 19) : (few ? 6 : 24);
    product_case c = {.trans = GABLE_NO_TRANS,
                      .incx = strides[k % 4],
                      .incy = strides[k / 2 % 4],
                      .offset = k / 3 % 4};
    if (!(square ? one_size(k, few, &c.s) : pair_of_sizes(k, few, &c.s))) {
        if (few || !is_banded(f) || !long_band(k - listed, &c.s))
            return (product_case){.s = {.n = 0}};
        if (f->how->triangle) {
            c.s.m = c.s.n;
            c.s.ku = c.s.kl;
        }
    } else {
        give_band(f, &c.s, k);
    }
    if (too_large(r, &c.s)) {
        c.s.m = c.s.m >= LARGE ? LARGE / 2 + c.s.m % 16 : c.s.m;
        c.s.n = c.s.n >= LARGE ? LARGE / 2 + c.s.n % 16 : c.s.n;
        c.s.n = square ? c.s.m : c.s.n;
    }
    if (product_has(f, "trans"))
        c.trans = all[i % 3];
    if (f->how->triangle)
        c.s.uplo = i % 2 ? GABLE_UPPER : GABLE_LOWER;
    return product_sized(r, f, c, gaps[k % 4], k);
}

/* ---- Operands ---- */

static number drawn(const routine *r, const product_case *c, uint64_t seed, int64_t i)
{
    return c->random ? number_random(r->dtype, seed, i) : number_integer(r->dtype, seed, i, 4);
}

/* Element (i, j) of the whole matrix: that of the stored triangle, or its mirror image. */
static number whole(const routine *r, const product_form *f, const product_case *c, int64_t i,
                    int64_t j)
{
    const bool mirrored = !stored_side(f->how, &c->s, i, j);
    if (!stored_inside(f->how, &c->s, i, j))
        return (number){0, 0};
    number a = drawn(r, c, c->seed, mirrored ? j + i * c->s.m : i + j * c->s.m);
    if (f->conj && i == j)
        a.im = 0;
    return f->conj && mirrored ? number_conjugate(a) : a;
}

bool product_build(routine *r, matrix_operands *o, const product_form *f, const product_case *c)
{
    const stored_shape *s = &c->s;
    const size_t bytes = gbl_dtype_bytes(r->dtype);
    memset(o, 0, sizeof *o);
    if (!guarded_make(&o->A, r->ctx, f->how->elements(s), 1, bytes, (size_t)c->offset * bytes,
                      c->fill, c->fence) ||
        !guarded_make(&o->x, r->ctx, product_x(c), c->incx, bytes, 0, c->fill, c->fence) ||
        !guarded_make(&o->y, r->ctx, product_y(c), c->incy, bytes, 0, c->fill, c->fence) ||
        !guarded_make(&o->scalars, r->ctx, 2, 1, bytes, 0, FILL_NAN, LOOSE))
        return false;
    if (o->A.n > 0)
        memset(guarded_element(&o->A, 0), 0xff, (size_t)o->A.n * bytes);
    for (int64_t j = 0; j < s->n; j++) {
        for (int64_t i = stored_first_row(f->how, s, j); i <= stored_last_row(f->how, s, j); i++) {
            if (!stored_has(f->how, s, i, j))
                continue;
            number a = whole(r, f, c, i, j);
            a.im = f->conj && i == j ? NAN : a.im;
            number_put(r->dtype, &o->A, f->how->place(s, i, j), a);
        }
    }
    for (int64_t i = 0; i < (c->incx == 0 ? 1 : product_x(c)); i++)
        number_put(r->dtype, &o->x, i, drawn(r, c, c->seed + 1, i));
    for (int64_t i = 0; i < product_y(c); i++)
        number_put(r->dtype, &o->y, i, drawn(r, c, c->seed + 2, i));
    number_put(r->dtype, &o->scalars, 0, c->alpha);
    number_put(r->dtype, &o->scalars, 1, c->beta);
    return guarded_send(&o->A) && guarded_send(&o->x) && guarded_send(&o->y) &&
           guarded_send(&o->scalars);
}

/* ---- The call ---- */

product_call product_arguments_of(const matrix_operands *o, const product_case *c)
{
    const size_t bytes = o->scalars.elem_bytes;
    return (product_call){.trans = c->trans,
                          .uplo = c->s.uplo,
                          .m = c->s.m,
                          .n = c->s.n,
                          .kl = c->s.kl,
                          .ku = c->s.ku,
                          .alpha = c->alpha,
                          .beta = c->beta,
                          .alpha_at = o->scalars.at,
                          .beta_at = (const char *)o->scalars.at + bytes,
                          .A = o->A.at,
                          .lda = c->s.lda,
                          .x = o->x.at,
                          .incx = c->incx,
                          .y = o->y.at,
                          .incy = c->incy};
}

gable_status product_enqueue(routine *r, const matrix_operands *o, const product_form *f,
                             const product_case *c)
{
    const product_call call = product_arguments_of(o, c);
    return c->on_device ? f->run_dev(r->ctx, &call) : f->run(r->ctx, &call);
}

bool product_run(routine *r, const matrix_operands *o, const product_form *f, const product_case *c)
{
    const product_call k = product_arguments_of(o, c);
    const gbl_matrix_call call = {
        .dtype = r->dtype,
        .trans = c->trans,
        .uplo = c->s.uplo,
        .conj = f->conj,
        .storage = (uint8_t)f->how->storage,
        .m = k.m,
        .n = k.n,
        .kl = k.kl,
        .ku = k.ku,
        .alpha = {c->on_device ? k.alpha_at : NULL, c->alpha.re, c->alpha.im},
        .beta = {c->on_device ? k.beta_at : NULL, c->beta.re, c->beta.im},
        .A = o->A.at,
        .lda = k.lda,
        .x = o->x.at,
        .incx = k.incx,
        .y = k.y,
        .incy = k.incy};
    return routine_ran(r, product_enqueue(r, o, f, c), c->s.m == 0 || c->s.n == 0 ? NULL : &call);
}

/* ---- Reference ---- */

/* Element i of alpha op(A) x + beta y, with x as given and y from its image. */
static number_sum reference(const routine *r, const matrix_operands *o, const product_form *f,
                            const product_case *c, const number *x, int64_t i)
{
    const bool plain = c->trans == GABLE_NO_TRANS, complex = gbl_dtype_complex(r->dtype);
    const int64_t first =
        plain ? stored_first_column(f->how, &c->s, i) : stored_first_row(f->how, &c->s, i);
    const int64_t last =
        plain ? stored_last_column(f->how, &c->s, i) : stored_last_row(f->how, &c->s, i);
    number_sum sum = {{0, 0}, {0, 0}, 0}, y = sum;
    for (int64_t k = first; k <= last; k++) {
        const number a = plain ? whole(r, f, c, i, k) : whole(r, f, c, k, i);
        if (complex)
            number_add_product(&sum, c->trans == GABLE_CONJ_TRANS ? number_conjugate(a) : a, x[k]);
        else
            number_add_real(&sum, a, x[k]);
    }
    if (c->beta.re != 0 || c->beta.im != 0)
        number_add_product(&y, c->beta, number_get(r->dtype, &o->y, i));
    number_add_scaled(&y, c->alpha, &sum);
    return y;
}

void product_compare(routine *r, matrix_operands *o, const product_form *f, const product_case *c)
{
    const int64_t terms = product_x(c);
    const double factor = c->random ? ((double)terms + 2) * number_roundoff(r->dtype) : 0;
    number *x = malloc((size_t)(terms > 0 ? terms : 1) * sizeof *x);
    CHECK(x != NULL, "no memory for %lld elements", (long long)terms);
    for (int64_t k = 0; x != NULL && k < terms; k++)
        x[k] = number_get(r->dtype, &o->x, k);
    for (int64_t i = 0; x != NULL && i < product_y(c); i++) {
        const number_sum want = reference(r, o, f, c, x, i);
        const long before = test_failures();
        routine_error(r, number_distance(&want, number_got(r->dtype, &o->y, i)), factor * want.size,
                      number_limit(r->dtype));
        if (test_failures() > before) {
            CHECK(false, "the wrong element is %lld", (long long)i);
            break;
        }
    }
    free(x);
    guarded_surroundings(&o->y, "y");
}

/* ---- A case ---- */

void product_begin(routine *r, const product_form *f, const product_case *c, const char *more)
{
    const stored_shape *s = &c->s;
    r->cases++;
    test_case(
        "%s %c %s variant=%s part=%s trans=%c uplo=%c m=%lld n=%lld kl=%lld ku=%lld lda=%lld "
        "incx=%lld incy=%lld offset=%d seed=%llu alpha=%g,%g beta=%g,%g scalars %s fence=%d %s",
        f->name, r->letter, test_device(), r->choice, r->part, "NTC"[c->trans - GABLE_NO_TRANS],
        s -> uplo == GABLE_UPPER ? 'U' : 'L', (long long)s->m, (long long)s->n, (long long)s->kl,
        (long long)s->ku, (long long)s->lda, (long long)c->incx, (long long)c->incy, c->offset,
        (unsigned long long)c->seed, c->alpha.re, c->alpha.im, c->beta.re, c->beta.im,
        c->on_device ? "on device" : "by value", (int)c->fence, more);
}

void product_check(routine *r, const product_form *f, const product_case *c)
{
    matrix_operands o;
    product_begin(r, f, c, "");
    if (product_build(r, &o, f, c) && product_run(r, &o, f, c)) {
        if (guarded_fetch(&o.y))
            product_compare(r, &o, f, c);
        matrix_unchanged(&o);
    }
    matrix_destroy(&o);
}
