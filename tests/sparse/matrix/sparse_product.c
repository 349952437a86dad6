/* sparse_product.c: products with sparse matrices against a reference in wider arithmetic.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "sparse/matrix/sparse_product.h"

model model_transposed(const model *m, bool conj)
{
    model t = {.rows = m->columns, .columns = m->rows, .entries = m->entries};
    t.start = calloc((size_t)t.rows + 2, sizeof *t.start);
    t.column = calloc((size_t)t.entries + 1, sizeof *t.column);
    t.value = calloc((size_t)t.entries + 1, sizeof *t.value);
    for (int64_t e = 0; e < m->entries; e++)
        t.start[m->column[e] + 2]++;
    for (int64_t i = 1; i <= t.rows; i++)
        t.start[i + 1] += t.start[i];
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            const int64_t at = t.start[m->column[e] + 1]++;
            t.column[at] = i;
            t.value[at] = conj ? number_conjugate(m->value[e]) : m->value[e];
        }
    return t;
}

void model_randomise(model *m, gbl_dtype dtype, uint64_t seed)
{
    for (int64_t e = 0; e < m->entries; e++)
        m->value[e] = number_random(dtype, seed, e);
}

/* The operands of a case. */
typedef struct operands {
    guarded x, y, scalars;
    int64_t ldx, ldy;
} operands;

static bool *used_columns(const model *m)
{
    bool *used = calloc((size_t)m->columns + 1, sizeof *used);
    for (int64_t e = 0; e < m->entries; e++)
        used[m->column[e]] = true;
    return used;
}

static bool is_zero(number a)
{
    return a.re == 0 && a.im == 0;
}

/* X and Y as vectors of whole columns with gaps between: gaps hold what surrounds them. */
static bool make_operands(gable_context *ctx, const model *m, const product_case *of, operands *o)
{
    const size_t elem = gbl_dtype_bytes(of->dtype);
    bool *used = used_columns(m);
    const number nothing = {NAN, NAN};
    o->ldx = m->columns + of->more_x;
    o->ldy = m->rows + of->more_y;
    const int64_t x_count = of->k > 0 ? (of->k - 1) * o->ldx + m->columns : 0,
                  y_count = of->k > 0 ? (of->k - 1) * o->ldy + m->rows : 0;
    bool made = guarded_make(&o->x, ctx, x_count, 1, elem, 0, of->around.fill, of->around.fence);
    made = guarded_make(&o->y, ctx, y_count, 1, elem, 0, of->around.fill, of->around.fence) && made;
    made = guarded_make(&o->scalars, ctx, 2, 1, elem, 0, FILL_PATTERN, LOOSE) && made;
    for (int64_t j = 0; made && j < of->k; j++) {
        for (int64_t i = 0; i < m->columns; i++) {
            const bool bad = of->x_unread || (of->columns_nan && !used[i]);
            number_put(of->dtype, &o->x, i + j * o->ldx,
                       bad ? nothing : number_random(of->dtype, of->seed, i + j * m->columns));
        }
        for (int64_t i = m->columns; i < o->ldx && j + 1 < of->k; i++)
            number_put(of->dtype, &o->x, i + j * o->ldx, nothing);
        for (int64_t i = 0; i < m->rows; i++)
            number_put(of->dtype, &o->y, i + j * o->ldy,
                       is_zero(of->beta) ? nothing
                                         : number_random(of->dtype, of->seed + 1, i + j * m->rows));
        for (int64_t i = m->rows; i < o->ldy && j + 1 < of->k; i++)
            number_put(of->dtype, &o->y, i + j * o->ldy, (number){77, 0});
    }
    if (made) {
        number_put(of->dtype, &o->scalars, 0, of->alpha);
        number_put(of->dtype, &o->scalars, 1, of->beta);
        made = guarded_send(&o->x) && guarded_send(&o->y) && guarded_send(&o->scalars);
    }
    free(used);
    return made;
}

static gbl_scalar scalar_of(const product_case *of, const operands *o, number value, int place)
{
    const char *at = (const char *)o->scalars.at + (size_t)place * gbl_dtype_bytes(of->dtype);
    return of->on_device ? (gbl_scalar){.device = at}
                         : (gbl_scalar){.re = value.re, .im = value.im};
}

static bool multiply(gable_context *ctx, gable_sparse *A, const product_case *of, operands *o)
{
    const gbl_sparse_product product = {.trans = of->trans,
                                        .several = of->several || of->k != 1,
                                        .k = of->k,
                                        .ldx = o->ldx > 0 ? o->ldx : 1,
                                        .ldy = o->ldy > 0 ? o->ldy : 1,
                                        .A = A,
                                        .x = o->x.at,
                                        .y = o->y.at,
                                        .alpha = scalar_of(of, o, of->alpha, 0),
                                        .beta = scalar_of(of, o, of->beta, 1)};
    return CHECK_OK(ctx, gbl_sparse_multiply(ctx, "sparse_product", of->dtype, &product)) &&
           guarded_fetch(&o->y);
}

/* One element: (len + 2) roundings of the sum and its factor, two of what was there. */
static void check_element(const model *m, const product_case *of, const operands *o, int64_t i,
                          int64_t j)
{
    number_sum sum = {{0, 0}, {0, 0}, 0}, total = {{0, 0}, {0, 0}, 0};
    for (int64_t e = m->start[i]; e < m->start[i + 1] && !is_zero(of->alpha); e++)
        number_add_product(&sum, m->value[e],
                           number_get(of->dtype, &o->x, m->column[e] + j * o->ldx));
    number_add_scaled(&total, of->alpha, &sum);
    const double products = total.size;
    if (!is_zero(of->beta))
        number_add_product(&total, of->beta, number_get(of->dtype, &o->y, i + j * o->ldy));
    const double length = (double)(m->start[i + 1] - m->start[i]), u = number_roundoff(of->dtype),
                 limit = number_limit(of->dtype),
                 least = gbl_dtype_real_bytes(of->dtype) == 4 ? 0x1p-140 : 0x1p-1060,
                 bound =
                     u * limit * ((length + 2) * products + 3 * (total.size - products)) + least;
    const number got = number_got(of->dtype, &o->y, i + j * o->ldy);
    const double error = number_distance(&total, got);
    if (!(error <= bound))
        CHECK(false, "row %lld, column %lld: %.17g%+.17gi is off by %g, the bound is %g",
              (long long)i, (long long)j, got.re, got.im, error, bound);
}

/* Gaps between the columns of Y are as they were. */
static void check_gaps(const model *m, const product_case *of, const operands *o)
{
    for (int64_t j = 0; j + 1 < of->k; j++)
        for (int64_t i = m->rows; i < o->ldy; i++)
            if (number_got(of->dtype, &o->y, i + j * o->ldy).re != 77)
                CHECK(false, "row %lld of column %lld, which is no row, was written", (long long)i,
                      (long long)j);
}

void product_check(gable_context *ctx, gable_sparse *A, const model *stored, const product_case *of)
{
    operands o;
    model turned = {0};
    const model *m = stored;
    if (of->trans != GABLE_NO_TRANS) {
        turned = model_transposed(stored, of->trans == GABLE_CONJ_TRANS);
        m = &turned;
    }
    if (make_operands(ctx, m, of, &o) && multiply(ctx, A, of, &o)) {
        const long before = test_failures();
        for (int64_t j = 0; j < of->k && test_failures() == before; j++)
            for (int64_t i = 0; i < m->rows && test_failures() == before; i++)
                check_element(m, of, &o, i, j);
        check_gaps(m, of, &o);
        unsigned char *first = malloc(o.y.bytes + 1);
        memcpy(first, o.y.got, o.y.bytes);
        if (guarded_send(&o.y) && multiply(ctx, A, of, &o))
            CHECK(memcmp(first, o.y.got, o.y.bytes) == 0, "the same call gave other bits");
        guarded_surroundings(&o.y, "y");
        free(first);
        if (guarded_fetch(&o.x))
            guarded_same(&o.x, "x");
        if (guarded_fetch(&o.scalars))
            guarded_same(&o.scalars, "alpha and beta");
    }
    guarded_destroy(&o.x);
    guarded_destroy(&o.y);
    guarded_destroy(&o.scalars);
    if (m != stored)
        model_free(&turned);
}
