/* matrix_data.c: shapes and operands for tests of matrix-vector routines.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <string.h>
#include "harness/matrix_data.h"

#define MAX_SHAPES   128
#define FEW_ROWS     64 /* for which groups are laid out in another way, with forced tunables */
#define SMALL_ROWS   32 /* those whose groups have fewer lanes along columns */
#define MANY_COLUMNS 1000
/* elements after which columns stand as the first one does, in every precision */
#define WHOLE 16

int64_t matrix_x(const matrix_shape *s)
{
    return s->trans == GABLE_NO_TRANS ? s->n : s->m;
}

int64_t matrix_y(const matrix_shape *s)
{
    return s->trans == GABLE_NO_TRANS ? s->m : s->n;
}

/* ---- Shapes ---- */

static int64_t rounded(int64_t lda)
{
    return (lda + WHOLE - 1) / WHOLE * WHOLE;
}

/* Variants of their own serve these. */
static bool is_thin(const matrix_shape *s)
{
    return s->m >= 16 * s->n || s->n >= 16 * s->m;
}

bool matrix_takes_all(const routine *r)
{
    return r->all || r->device->props.is_host;
}

bool matrix_left_out(const routine *r)
{
    const bool fast = matrix_takes_all(r) || routine_compiles_fast(r);
    const bool out = r->variant != NULL && !fast && r->dtype != GBL_S;
    if (out)
        test_leave_out(NULL,
                       "%s %c %s of %s runs with GABLE_TEST_ALL=1 only: kernels compile slowly",
                       r->op->stem, r->letter, r->part, r->variant->name);
    return out;
}

/* The only form that a precision sees of each kernel, and together they see all: in s and c columns
 * stand alike on aligned addresses and x is contiguous, in d columns stand apart and x is strided,
 * in z they stand apart and x is contiguous. One column stands alike in any case, so there are two.
 * c sees T and C, z sees C. Forced variants see the form of s, with many rows: few have groups of
 * another layout, one for each power of two. Those run in s, and one row in all precisions. */
matrix_shape matrix_of_slow_run(const routine *r, matrix_shape s)
{
    const bool forced = r->variant != NULL;
    const bool apart = !forced && (r->dtype == GBL_D || r->dtype == GBL_Z);
    if (!routine_slow_compiler(r))
        return s;
    const bool small = r->dtype != GBL_S && s.m > 1 && s.m <= SMALL_ROWS;
    if (small || (forced && s.m <= FEW_ROWS)) {
        s.m += FEW_ROWS;
        s.lda += FEW_ROWS;
    }
    if (apart && s.n == 1)
        s.n = 2;
    s.lda = apart ? s.lda | 1 : rounded(s.lda);
    s.offset = apart ? s.offset : 0;
    if (s.trans == GABLE_NO_TRANS)
        return s;
    s.incx = r->dtype != GBL_D || forced ? 1 : s.incx == 1 ? 2 : s.incx;
    s.trans = forced ? GABLE_TRANS : r->dtype == GBL_Z ? GABLE_CONJ_TRANS : s.trans;
    return s;
}

/* On GPUs kinds of a plain product: columns that start alike, or not. Of a transposed one: all is
 * aligned and x contiguous; A is shifted and x strided; columns do not start alike. Only the first
 * is conjugated, and only the first is tried with forced variants, which get many rows (in s wide
 * matrices stay), and with thin matrices. */
matrix_shape matrix_of_run(const routine *r, matrix_shape s, int number)
{
    if (routine_slow_compiler(r))
        return matrix_of_slow_run(r, s);
    if (matrix_takes_all(r))
        return s;
    const bool first = r->variant != NULL || is_thin(&s);
    if (r->variant != NULL && s.m <= FEW_ROWS && (s.n < MANY_COLUMNS || r->dtype != GBL_S)) {
        s.m += FEW_ROWS;
        s.lda += FEW_ROWS;
    }
    if (s.trans == GABLE_NO_TRANS) {
        s.lda = first || number % 2 == 0 ? rounded(s.lda) : s.lda | 1;
        return s;
    }
    const int kind = first ? 0 : number % 3;
    s.lda = kind == 2 ? s.lda | 1 : rounded(s.lda);
    s.offset = kind == 1 ? s.offset : 0;
    s.incx = kind != 1 ? 1 : s.incx == 1 ? 2 : s.incx;
    if (kind != 0 || r->variant != NULL)
        s.trans = GABLE_TRANS;
    return s;
}

static int of_run(const routine *r, const matrix_shape *list, int count, matrix_shape *out)
{
    static const gable_trans all[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    int made = 0;
    for (int i = 0; i < count; i++) {
        for (int t = 0; t < 3 && made < MAX_SHAPES; t++) {
            matrix_shape s = list[i];
            s.trans = all[t];
            out[made++] = matrix_of_run(r, s, i);
        }
    }
    return made;
}

/* A quarter of each long side, where there are many elements. */
static void make_small(matrix_shape *s)
{
    if (s->m * s->n > 10000) {
        const int64_t apart = s->lda - s->m;
        s->m = s->m < 64 ? s->m : (s->m + 3) / 4;
        s->n = s->n < 64 ? s->n : (s->n + 3) / 4;
        s->lda = s->m + apart;
    }
}

const matrix_shape *matrix_shapes(const routine *r, int *count)
{
    static const int64_t sizes[] = {1, 2, 3, 5, 16, 31, 64, 65, 129, 300};
    static const int64_t gaps[] = {0, 1, 3}, strides[] = {1, 2, -1, -3};
    static matrix_shape list[MAX_SHAPES];
    matrix_shape plain[32];
    int made = 0;
    /* Two permutations pair each number of rows with two numbers of columns. */
    for (int i = 0; i < 20; i++, made++) {
        const int64_t m = sizes[i % 10], n = sizes[i < 10 ? (7 * i + 3) % 10 : (3 * i + 6) % 10];
        plain[made] = (matrix_shape){.m = m,
                                     .n = n,
                                     .lda = m + gaps[i % 3],
                                     .incx = strides[i % 4],
                                     .incy = strides[(i / 2) % 4],
                                     .offset = (i / 3) % 4};
    }
    plain[made++] = (matrix_shape){.m = 3000, .n = 7, .lda = 3000, .incx = 1, .incy = 1};
    plain[made++] = (matrix_shape){.m = 7, .n = 3000, .lda = 8, .incx = 1, .incy = 2};
    plain[made++] = (matrix_shape){.m = 700, .n = 500, .lda = 701, .incx = 1, .incy = 1};
    plain[made++] =
        (matrix_shape){.m = 700, .n = 500, .lda = 704, .incx = -1, .incy = 1, .offset = 1};
    for (int i = 0; i < made && test_small(); i++)
        make_small(&plain[i]);
    *count = of_run(r, plain, made, list);
    return list;
}

const matrix_shape *matrix_few_shapes(const routine *r, int *count)
{
    static const matrix_shape few[] = {
        {.m = 1, .n = 1, .lda = 1, .incx = 1, .incy = 1},
        {.m = 17, .n = 9, .lda = 19, .incx = 2, .incy = -1, .offset = 1},
        {.m = 65, .n = 33, .lda = 65, .incx = 1, .incy = 1},
        {.m = 300, .n = 200, .lda = 303, .incx = 1, .incy = 3},
        {.m = 900, .n = 5, .lda = 900, .incx = 1, .incy = 1},
        {.m = 5, .n = 900, .lda = 5, .incx = -3, .incy = 1},
    };
    static matrix_shape list[MAX_SHAPES];
    matrix_shape plain[sizeof few / sizeof few[0]];
    for (size_t i = 0; i < sizeof few / sizeof few[0]; i++) {
        plain[i] = few[i];
        if (test_small())
            make_small(&plain[i]);
    }
    *count = of_run(r, plain, sizeof few / sizeof few[0], list);
    return list;
}

const void *matrix_probe(const routine *r, int i)
{
    static const int64_t sizes[][2] = {{200, 200}, {200, 4}, {4, 200}};
    static _Alignas(16) double memory[2]; /* addresses are looked at, nothing is read */
    static gbl_matrix_call call;
    if (i >= 6)
        return NULL;
    call = (gbl_matrix_call){.dtype = r->dtype,
                             .trans = i < 3 ? GABLE_NO_TRANS : GABLE_TRANS,
                             .m = sizes[i % 3][0],
                             .n = sizes[i % 3][1],
                             .alpha = {NULL, 2, 0},
                             .beta = {NULL, 3, 0},
                             .A = memory,
                             .lda = 208,
                             .x = memory,
                             .incx = 1,
                             .y = memory,
                             .incy = 1};
    return &call;
}

void matrix_case(routine *r, const matrix_shape *s, uint64_t seed, const char *more)
{
    r->cases++;
    test_case("%s %c %s variant=%s part=%s trans=%c m=%lld n=%lld lda=%lld incx=%lld incy=%lld "
              "offset=%d seed=%llu %s",
              r->op->stem, r->letter, test_device(), r->choice, r->part,
              "NTC"[s->trans - GABLE_NO_TRANS], (long long)s -> m, (long long)s -> n,
              (long long)s -> lda, (long long)s -> incx, (long long)s -> incy, s -> offset,
              (unsigned long long)seed, more);
}

/* ---- Operands ---- */

bool matrix_build(routine *r, matrix_operands *o, const matrix_shape *s, size_t elem_bytes,
                  matrix_element element, uint64_t seed, guarded_fill fill, guarded_fence fence)
{
    const int64_t elements = s->m > 0 && s->n > 0 ? (s->n - 1) * s->lda + s->m : 0;
    const size_t offset_bytes = (size_t)s->offset * elem_bytes;
    memset(o, 0, sizeof *o);
    if (!guarded_make(&o->A, r->ctx, elements, 1, elem_bytes, offset_bytes, fill, fence) ||
        !guarded_make(&o->x, r->ctx, matrix_x(s), s->incx, elem_bytes, 0, fill, fence) ||
        !guarded_make(&o->y, r->ctx, matrix_y(s), s->incy, elem_bytes, 0, fill, fence) ||
        !guarded_make(&o->scalars, r->ctx, 2, 1, elem_bytes, 0, FILL_NAN, LOOSE))
        return false;
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t i = 0; i < s->m; i++)
            element(&o->A, i + j * s->lda, seed);
    for (int64_t i = 0; i < matrix_x(s); i++)
        if (s->incx != 0 || i == 0)
            element(&o->x, i, seed + 1);
    for (int64_t i = 0; i < matrix_y(s); i++)
        element(&o->y, i, seed + 2);
    return guarded_send(&o->A) && guarded_send(&o->x) && guarded_send(&o->y);
}

void matrix_destroy(matrix_operands *o)
{
    guarded_destroy(&o->A);
    guarded_destroy(&o->x);
    guarded_destroy(&o->y);
    guarded_destroy(&o->scalars);
}

void matrix_unchanged(matrix_operands *o)
{
    if (guarded_fetch(&o->A) && guarded_fetch(&o->x)) {
        guarded_same(&o->A, "A");
        guarded_same(&o->x, "x");
    }
}
