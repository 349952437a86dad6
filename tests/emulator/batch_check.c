/* batch_check.c: checks of gemv for many matrices. Compiled once per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * PRODUCTS products of n rows and `columns` columns lie in one block of A, one of x and one of y,
 * gaps between them. As arrays of addresses they come in another order, every third of them one
 * element further. References are plain loops over integers held in double: exact.
 */
#include "level1_vectors.h"

#define PRODUCTS 5

/* How the products of a check lie. */
typedef struct layout {
    const level1_case *c;
    gable_trans trans;
    bool pointers;
    int64_t lda, terms, outputs; /* of one product */
    int64_t stride[3];           /* of A, x and y */
} layout;

static int64_t rounded(int64_t elements)
{
    return (elements + 7) / 4 * 4; /* one to spare, and alike on 16 bytes */
}

static int64_t size_of(int64_t inc)
{
    return inc < 0 ? -inc : inc;
}

static layout layout_of(const level1_case *c, gable_trans trans, bool pointers)
{
    const bool plain = trans == GABLE_NO_TRANS;
    layout l = {.c = c, .trans = trans, .pointers = pointers};
    l.lda = c->apart ? c->n : rounded(c->n);
    l.terms = plain ? c->columns : c->n;
    l.outputs = plain ? c->n : c->columns;
    l.stride[0] = rounded((c->columns - 1) * l.lda + c->n) + c->apart;
    l.stride[1] = rounded((l.terms - 1) * size_of(c->incx) + 1);
    l.stride[2] = rounded((l.outputs - 1) * size_of(c->incy) + 1);
    return l;
}

/* The lowest element of an operand of product b. */
static int64_t start(const layout *l, int which, int64_t b)
{
    return l->pointers ? (PRODUCTS - 1 - b) * l->stride[which] + (b % 3 == 1)
                       : b * l->stride[which];
}

static int64_t entry(const layout *l, int64_t b, int64_t i, int64_t j)
{
    return start(l, 0, b) + i + j * l->lda;
}

/* Element i of a vector of n that lies `inc` apart from its lowest on. */
static int64_t element(int64_t first, int64_t n, int64_t inc, int64_t i)
{
    return first + (inc < 0 ? i - n + 1 : i) * inc;
}

static int64_t in_x(const layout *l, int64_t b, int64_t i)
{
    return element(start(l, 1, b), l->terms, l->c->incx, i);
}

static int64_t in_y(const layout *l, int64_t b, int64_t i)
{
    return element(start(l, 2, b), l->outputs, l->c->incy, i);
}

static void put(vector *v, int64_t i, unsigned seed)
{
    for (int part = 0; part < REALS; part++)
        v->host[place(v, i) + (size_t)part] = value(i, part, seed);
}

static void set_products(const layout *l, vector *A, vector *x, vector *y)
{
    for (int64_t b = 0; b < PRODUCTS; b++) {
        for (int64_t j = 0; j < l->c->columns; j++)
            for (int64_t i = 0; i < l->c->n; i++)
                put(A, entry(l, b, i, j), 17);
        for (int64_t i = 0; i < l->terms; i++)
            put(x, in_x(l, b, i), 18);
        for (int64_t i = 0; i < l->outputs; i++)
            put(y, in_y(l, b, i), 19);
    }
}

/* y := 2 op(A) x + 2 y: repeats do not take it back, and what is stored too much changes */
static void reference(const layout *l, const vector *A, const vector *x, vector *y)
{
    for (int64_t b = 0; b < PRODUCTS; b++) {
        for (int64_t i = 0; i < l->outputs; i++) {
            double re = 0, im = 0;
            for (int64_t k = 0; k < l->terms; k++) {
                const bool plain = l->trans == GABLE_NO_TRANS;
                const R *a = A->host + place(A, plain ? entry(l, b, i, k) : entry(l, b, k, i));
                const R *f = x->host + place(x, in_x(l, b, k));
                const double ai = l->trans == GABLE_CONJ_TRANS ? -a[REALS - 1] : a[REALS - 1];
                re += COMPLEX ? a[0] * f[0] - ai * f[REALS - 1] : a[0] * f[0];
                im += COMPLEX ? a[0] * f[REALS - 1] + ai * f[0] : 0;
            }
            R *to = y->host + place(y, in_y(l, b, i));
            to[0] = (R)(2 * (re + to[0]));
            if (COMPLEX)
                to[REALS - 1] = (R)(2 * (im + to[REALS - 1]));
        }
    }
}

static gable_status call_strided(gable_context *ctx, const layout *l, const vector *A,
                                 const vector *x, const vector *y)
{
    const level1_case *c = l->c;
    return FN(gemv_strided)(ctx, l->trans, c->n, c->columns, scalar(2, 0), A->at, l->lda,
                            l->stride[0], x->at, c->incx, l->stride[1], scalar(2, 0), y->at,
                            c->incy, l->stride[2], PRODUCTS);
}

static gable_status call_pointers(gable_context *ctx, const layout *l, const vector *A,
                                  const vector *x, const vector *y)
{
    const level1_case *c = l->c;
    const vector *const blocks[] = {A, x, y};
    T *lists[3][PRODUCTS];
    void *memory = NULL;
    gable_status status = gable_alloc(ctx, sizeof lists, &memory);
    for (int which = 0; which < 3; which++)
        for (int64_t b = 0; b < PRODUCTS; b++)
            lists[which][b] = blocks[which]->at + start(l, which, b);
    if (status == GABLE_OK)
        status = gable_set_vector(ctx, 3 * PRODUCTS, sizeof(T *), lists, 1, memory, 1);
    T **at = memory;
    if (status == GABLE_OK)
        status = FN(gemv_batched)(ctx, l->trans, c->n, c->columns, scalar(2, 0),
                                  (const T *const *)at, l->lda, (const T *const *)(at + PRODUCTS),
                                  c->incx, scalar(2, 0), at + 2 * PRODUCTS, c->incy, PRODUCTS);
    gable_free(ctx, memory);
    return status;
}

static bool check_products(gable_context *ctx, const level1_case *c, level1_report *report,
                           gable_trans trans, bool pointers)
{
    const layout l = layout_of(c, trans, pointers);
    vector A = {.n = 0}, x = {.n = 0}, y = {.n = 0};
    const bool room = make(ctx, &A, PRODUCTS * l.stride[0], 1, c->shift_x, c->pad, (R)NAN) &&
                      make(ctx, &x, PRODUCTS * l.stride[1], 1, 0, c->pad, (R)NAN) &&
                      make(ctx, &y, PRODUCTS * l.stride[2], 1, 0, c->pad, GAP);
    bool good = room || say(report, "status", c, "no room: %.200s", gable_message(ctx));
    if (good) {
        set_products(&l, &A, &x, &y);
        good = status_ok(ctx, send(ctx, &A), c, report) &&
               status_ok(ctx, send(ctx, &x), c, report) && status_ok(ctx, send(ctx, &y), c, report);
        for (int turn = 0; good && turn < c->repeats; turn++) {
            good = status_ok(ctx,
                             pointers ? call_pointers(ctx, &l, &A, &x, &y)
                                      : call_strided(ctx, &l, &A, &x, &y),
                             c, report);
            reference(&l, &A, &x, &y);
        }
        good = good && compare(ctx, &y, c, "y", report) && compare(ctx, &A, c, "A", report) &&
               compare(ctx, &x, c, "x", report);
    }
    drop(ctx, &A);
    drop(ctx, &x);
    drop(ctx, &y);
    return good;
}

static bool check_strided_n(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_products(ctx, c, report, GABLE_NO_TRANS, false);
}

static bool check_strided_c(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_products(ctx, c, report, GABLE_CONJ_TRANS, false);
}

static bool check_batched_n(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_products(ctx, c, report, GABLE_NO_TRANS, true);
}

static bool check_batched_c(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_products(ctx, c, report, GABLE_CONJ_TRANS, true);
}

/* ---- Lists of cases, for the few kernels that kernels_c.cmake makes: every `repeats`-th of them
 * ---- */

static bool both_ways(gable_context *ctx, const level1_case *c, level1_report *report)
{
    return check_strided_n(ctx, c, report) && check_strided_c(ctx, c, report);
}

/* Whole tiles, and rests both ways in columns that do not start alike. */
static bool check_gpu_products(gable_context *ctx, const level1_case *every, level1_report *report)
{
    const level1_case whole = {.n = 8, .columns = 4, .incx = 1, .incy = -2, .repeats = 2};
    const level1_case odd = {
        .n = 7, .columns = 5, .incx = -2, .incy = 1, .apart = true, .pad = 3, .repeats = 1};
    (void)every;
    return both_ways(ctx, &whole, report) && check_batched_n(ctx, &whole, report) &&
           check_batched_c(ctx, &whole, report) && both_ways(ctx, &odd, report);
}

static bool check_cpu_products(gable_context *ctx, const level1_case *every, level1_report *report)
{
    static const int64_t sizes[][2] = {{1, 1}, {3, 2}, {2, 7}, {9, 5}, {12, 1}, {8, 4}};
    bool good = true;
    for (int i = 0; i < 6 && good; i += every->repeats) {
        level1_case c = {.n = sizes[i][0],
                         .columns = sizes[i][1],
                         .incx = 1,
                         .incy = i % 2 ? 3 : -2,
                         .repeats = 1 + i % 2};
        good = both_ways(ctx, &c, report) && check_batched_n(ctx, &c, report) &&
               check_batched_c(ctx, &c, report);
        c.incx = -2;
        c.shift_x = REALS; /* a head */
        good = good && check_strided_n(ctx, &c, report);
    }
    return good;
}

/* gemv by blocks: one row of them and two, with and without an edge, ragged the other way or
 * not. */
static bool check_blocks(gable_context *ctx, const level1_case *every, level1_report *report)
{
    static const int64_t sizes[][2] = {{8, 8}, {16, 4}, {5, 3}, {19, 21}, {8, 1}, {1, 9}};
    bool good = true;
    for (int i = 0; i < 6; i += every->repeats) {
        const level1_case c = {.n = sizes[i][0],
                               .columns = sizes[i][1],
                               .incx = i % 2 ? -2 : 1,
                               .incy = i % 3 ? 1 : 3,
                               .apart = i % 2,
                               .pad = i % 2 * 3,
                               .on_device = i % 2,
                               .repeats = 1};
        for (const level1_named *check = TYPED(level1_matrices); check->name != NULL; check++)
            if (strncmp(check->name, "gemv_", 5) == 0)
                good = good && check->function(ctx, &c, report);
    }
    return good;
}

const level1_named TYPED(level1_batches)[] = {
    {"gemv_strided_n", check_strided_n},
    {"gemv_strided_c", check_strided_c},
    {"gemv_batched_n", check_batched_n},
    {"gemv_batched_c", check_batched_c},
    {"gpu_products", check_gpu_products},
    {"cpu_products", check_cpu_products},
    {"blocks", check_blocks},
    {NULL, NULL},
};
