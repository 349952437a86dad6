/* triangle_test.h: what the tests of trmv and trsv share: shapes, operands, and four of the six parts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Included once, by a typed test, which defines ROUTINE (trmv or trsv) before and
 * triangle_give and triangle_compare behind. In every case the triangle that must not be read, a unit diagonal and what
 * lies between columns is NaN, or in the guards a pattern.
 *
 * Off the diagonal elements are at most 2 / n, on it between 1 and 2, so that solutions do not grow.
 */
#ifndef TEST_TRIANGLE_TEST_H
#define TEST_TRIANGLE_TEST_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "blas/level2.h"
#include "harness/routine.h"
#include "harness/wide.h"
#include "harness/numbers.h"

/* FN of a name that is a macro. */
#define TYPED(f) FN(f)

#define MANY  300 /* rows from which a case is tried with one diagonal only */
#define WHOLE 16  /* elements after which columns stand as the first one does, in every precision */

typedef struct triangle_case {
    gable_uplo uplo;
    gable_trans trans;
    gable_diag diag;
    int64_t n, lda, incx;
    int offset; /* elements that A is off its alignment */
    uint64_t seed;
    bool random; /* not integers */
    guarded_fill fill;
    guarded_fence fence;
} triangle_case;

typedef struct triangle_operands {
    guarded A, x;
} triangle_operands;

/* A sum in wide arithmetic. */
typedef struct wide_number {
    wide re, im;
    double size; /* sum of the sizes of what was added */
} wide_number;

/* What a test makes of a case beyond A: x as the routine gets it. */
static void triangle_give(const triangle_operands *o, const triangle_case *c);
/* Every element of x as fetched against the reference. */
static void triangle_compare(routine *r, const triangle_operands *o, const triangle_case *c);

static double size_of(T t)
{
    return COMPLEX ? hypot(real_part(t), imaginary_part(t)) : fabs(real_part(t));
}

static void add_product(wide_number *sum, T a, T b)
{
    const double ar = real_part(a), ai = imaginary_part(a), br = real_part(b),
                 bi = imaginary_part(b);
    sum->re = wide_add_product(sum->re, ar, br);
    if (COMPLEX) {
        sum->re = wide_add_product(sum->re, -ai, bi);
        sum->im = wide_add_product(wide_add_product(sum->im, ar, bi), ai, br);
    }
    sum->size += size_of(a) * size_of(b);
}

/* ---- Elements ---- */

static bool is_read(const triangle_case *c, int64_t row, int64_t column)
{
    if (row == column)
        return c->diag == GABLE_NON_UNIT;
    return c->uplo == GABLE_UPPER ? row < column : row > column;
}

static T element_of(const triangle_case *c, int64_t row, int64_t column)
{
    const int64_t i = row + column * c->n;
    if (c->random) {
        const T t = random_element(c->seed, i);
        const double scale = row == column ? 1 : 2 / (double)c->n;
        const double more = row == column ? (real_part(t) < 0 ? -1 : 1) : 0;
        return make(real_part(t) * scale + more, imaginary_part(t) * scale);
    }
    if (row == column) { /* powers of two times a unit */
        static const double re[] = {1, -1, 2, -2, 0.5, 0, 0}, im[] = {0, 0, 0, 0, 0, 1, -2};
        const size_t which = (size_t)(data_bits(c->seed, (uint64_t)i) % (COMPLEX ? 7 : 5));
        return make(re[which], im[which]);
    }
    return integer_element(c->seed, i, 2);
}

/* Element (i, j) of op(A), from the image. */
static T op_element(const triangle_operands *o, const triangle_case *c, int64_t i, int64_t j)
{
    const int64_t row = c->trans == GABLE_NO_TRANS ? i : j,
                  column = c->trans == GABLE_NO_TRANS ? j : i;
    if (row == column && c->diag == GABLE_UNIT)
        return make(1, 0);
    if (!is_read(c, row, column))
        return make(0, 0);
    const T a = get(&o->A, row + column * c->lda);
    return c->trans == GABLE_CONJ_TRANS ? make(real_part(a), -imaginary_part(a)) : a;
}

/* Element i of op(A) v. */
static wide_number product(const triangle_operands *o, const triangle_case *c, const T *v,
                           int64_t i)
{
    const bool lower = (c->uplo == GABLE_LOWER) == (c->trans == GABLE_NO_TRANS);
    wide_number sum = {{0, 0}, {0, 0}, 0};
    for (int64_t j = lower ? 0 : i; j < (lower ? i + 1 : c->n); j++)
        add_product(&sum, op_element(o, c, i, j), v[j]);
    return sum;
}

static bool build(routine *r, triangle_operands *o, const triangle_case *c)
{
    const int64_t elements = c->n > 0 ? (c->n - 1) * c->lda + c->n : 0;
    memset(o, 0, sizeof *o);
    if (!guarded_make(&o->A, r->ctx, elements, 1, sizeof(T), (size_t)c->offset * sizeof(T), c->fill,
                      c->fence) ||
        !guarded_make(&o->x, r->ctx, c->n, c->incx, sizeof(T), 0, c->fill, c->fence))
        return false;
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->n; i++)
            if (is_read(c, i, j))
                put(&o->A, i + j * c->lda, element_of(c, i, j));
    triangle_give(o, c);
    return guarded_send(&o->A) && guarded_send(&o->x);
}

static void destroy(triangle_operands *o)
{
    guarded_destroy(&o->A);
    guarded_destroy(&o->x);
}

static gbl_matrix_call call_of(const triangle_operands *o, const triangle_case *c)
{
    return (gbl_matrix_call){.dtype = DTYPE,
                             .uplo = c->uplo,
                             .trans = c->trans,
                             .diag = c->diag,
                             .m = c->n,
                             .n = c->n,
                             .A = o->A.at,
                             .lda = c->lda,
                             .x = o->x.at,
                             .incx = c->incx,
                             .incy = 1};
}

static gable_status enqueue(routine *r, const triangle_operands *o, const triangle_case *c)
{
    return TYPED(ROUTINE)(r->ctx, c->uplo, c->trans, c->diag, c->n, o->A.at, c->lda, o->x.at,
                          c->incx);
}

static bool run(routine *r, const triangle_operands *o, const triangle_case *c)
{
    const gbl_matrix_call call = call_of(o, c);
    return routine_ran(r, enqueue(r, o, c), c->n == 0 ? NULL : &call);
}

static void begin(routine *r, const triangle_case *c, const char *more)
{
    r->cases++;
    test_case("%s %c %s variant=%s part=%s uplo=%c trans=%c diag=%c n=%lld lda=%lld incx=%lld "
              "offset=%d seed=%llu fill=%d fence=%d %s",
              r->op->stem, r->letter, test_device(), r->choice, r->part,
              c->uplo == GABLE_UPPER ? 'U' : 'L', "NTC"[c->trans - GABLE_NO_TRANS],
              c -> diag == GABLE_UNIT ? 'U' : 'N', (long long)c->n, (long long)c->lda,
              (long long)c->incx, c->offset, (unsigned long long)c->seed, (int)c->fill,
              (int)c->fence, more);
}

static void check(routine *r, const triangle_case *c)
{
    triangle_operands o;
    begin(r, c, "");
    if (build(r, &o, c) && run(r, &o, c) && guarded_fetch(&o.x)) {
        triangle_compare(r, &o, c);
        guarded_surroundings(&o.x, "x");
        if (guarded_fetch(&o.A))
            guarded_same(&o.A, "A");
    }
    destroy(&o);
}

/* ---- Shapes: all flags for every size ---- */

typedef struct triangle_shape {
    int64_t n, gap, incx;
    int offset;
} triangle_shape;

/* Kernels differ by alignment, and a CPU device may take a second for each: there columns start alike,
 * but in s every third shape. Forced variants have aligned columns in any case. */
static void fit_to_run(const routine *r, triangle_case *c, int number)
{
    const bool fast = r->all || r->device->props.is_host || r->device->props.is_gpu;
    if (fast || (r->variant == NULL && r->dtype == GBL_S && number % 3 == 2))
        return;
    c->lda = (c->lda + WHOLE - 1) / WHOLE * WHOLE;
    c->offset = 0;
    c->trans = c->trans == GABLE_CONJ_TRANS && r->variant != NULL ? GABLE_TRANS : c->trans;
}

static bool left_out(const routine *r)
{
    const bool fast = r->all || r->device->props.is_host || r->device->props.is_gpu;
    const bool out = r->variant != NULL && !fast && r->dtype != GBL_S;
    if (out)
        test_leave_out(NULL,
                       "%s %c %s of %s runs with GABLE_TEST_ALL=1 only: kernels compile slowly",
                       r->op->stem, r->letter, r->part, r->variant->name);
    return out;
}

static void check_flags(routine *r, const triangle_shape *s, int number, const triangle_case *like)
{
    static const gable_trans all[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    for (int flags = 0; flags < 12; flags++) {
        triangle_case c = *like;
        c.uplo = flags % 2 ? GABLE_UPPER : GABLE_LOWER;
        c.trans = all[flags / 2 % 3];
        c.diag = (flags / 6 + number) % 2 ? GABLE_UNIT : GABLE_NON_UNIT;
        c.n = s->n;
        c.lda = s->n + s->gap;
        c.incx = s->incx;
        c.offset = s->offset;
        c.seed += (uint64_t)(100 * number + flags);
        if (s->n >= MANY && flags >= 6)
            continue;
        fit_to_run(r, &c, number);
        check(r, &c);
    }
}

static const triangle_shape shapes[] = {
    {1, 0, 1, 0},   {2, 1, 2, 1},   {3, 0, -1, 0},   {5, 3, -3, 2},  {16, 0, 1, 0},  {31, 1, 1, 3},
    {32, 0, 2, 0},  {33, 3, 1, 1},  {63, 1, -1, 0},  {64, 0, 1, 0},  {65, 2, 1, 1},  {127, 0, 3, 2},
    {129, 3, 1, 0}, {200, 0, 1, 1}, {300, 1, -2, 3}, {516, 0, 1, 0}, {700, 4, 1, 1}, {701, 0, 1, 0},
};
#define SHAPES ((int)(sizeof shapes / sizeof shapes[0]))

static void exact(routine *r)
{
    if (left_out(r))
        return;
    for (int i = 0; i < SHAPES; i++)
        check_flags(r, &shapes[i], i, &(triangle_case){.seed = 1});
}

static void residual(routine *r)
{
    for (int i = 0; i < SHAPES; i++)
        check_flags(r, &shapes[i], i, &(triangle_case){.seed = 10000, .random = true});
}

static void guards(routine *r)
{
    static const triangle_shape few[] = {
        {1, 0, 1, 0}, {17, 2, 2, 1}, {65, 0, -1, 0}, {150, 3, 1, 0}};
    static const struct {
        guarded_fill fill;
        guarded_fence fence;
    } ways[] = {{FILL_PATTERN, LOOSE},
                {FILL_NAN, LOOSE},
                {FILL_PATTERN, TIGHT_BEHIND},
                {FILL_NAN, TIGHT_BEFORE}};
    for (int i = 0; i < (int)(sizeof few / sizeof few[0]); i++)
        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
            check_flags(
                r, &few[i], i,
                &(triangle_case){.seed = 200, .fill = ways[w].fill, .fence = ways[w].fence});
}

/* ---- Arguments ---- */

static gable_status given(gable_context *ctx, int uplo, int trans, int diag, int64_t n, const T *A,
                          int64_t lda, T *x, int64_t incx)
{
    return TYPED(ROUTINE)(ctx, (gable_uplo)uplo, (gable_trans)trans, (gable_diag)diag, n, A, lda, x,
                          incx);
}

static void illegal(routine *r, const triangle_operands *o)
{
    enum { L = GABLE_LOWER, N = GABLE_NO_TRANS, D = GABLE_NON_UNIT };
    const char *name = NAME(TYPED(ROUTINE));
    const T *A = o->A.at;
    T *x = o->x.at, outside[32];
    gable_context *ctx = r->ctx;
    memset(outside, 0, sizeof outside);
    CHECK_STATUS(NULL, given(NULL, L, N, D, 5, A, 5, x, 1), GABLE_BAD_ARGUMENT);
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
    REFUSED(given(ctx, 7, N, D, 5, A, 5, x, 1), "argument 2 (uplo)", "7", "GABLE_UPPER");
    REFUSED(given(ctx, N, N, D, 0, A, 5, x, 1), "argument 2 (uplo)");
    REFUSED(given(ctx, L, 114, D, 5, A, 5, x, 1), "argument 3 (trans)", "114");
    REFUSED(given(ctx, L, N, 0, 5, A, 5, x, 1), "argument 4 (diag)", "0", "GABLE_UNIT");
    REFUSED(given(ctx, L, N, D, -3, A, 5, x, 1), "argument 5 (n)", "-3");
    REFUSED(given(ctx, L, N, D, 5, NULL, 5, x, 1), "argument 6 (A)", "NULL");
    REFUSED(given(ctx, L, N, D, 5, A, 4, x, 1), "argument 7 (lda)", "4", "5");
    REFUSED(given(ctx, L, N, D, 0, A, 0, x, 1), "argument 7 (lda)", "0", "1");
    REFUSED(given(ctx, L, N, D, 5, A, -5, x, 1), "argument 7 (lda)", "-5");
    REFUSED(given(ctx, L, N, D, 5, A, 5, NULL, 1), "argument 8 (x)", "NULL");
    REFUSED(given(ctx, L, N, D, 5, A, 5, x, 0), "argument 9 (incx)", "0");
    REFUSED(given(ctx, L, N, D, 0, NULL, 1, NULL, 0), "argument 9 (incx)", "0");
    if (!r->device->props.is_host) {
        const char *device = r->device->info.name;
        REFUSED(given(ctx, L, N, D, 5, outside, 5, x, 1), "argument 6 (A)", device, "gable_alloc");
        REFUSED(given(ctx, L, N, D, 5, A, 5, outside, 1), "argument 8 (x)", device, "gable_alloc");
    }
#undef REFUSED
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
}

static void arguments(routine *r)
{
    const triangle_case c = {.uplo = GABLE_LOWER,
                             .trans = GABLE_NO_TRANS,
                             .diag = GABLE_NON_UNIT,
                             .n = 5,
                             .lda = 16,
                             .incx = 1,
                             .fill = FILL_PATTERN};
    triangle_operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        illegal(r, &o);
        if (guarded_fetch(&o.x) && guarded_fetch(&o.A)) {
            guarded_same(&o.x, "x");
            guarded_same(&o.A, "A");
        }
        run(r, &o, &c); /* the context works on */
    }
    destroy(&o);
}

/* ---- Repeat ---- */

/* The call recorded with x as it is not yet, and replayed twice: counters are as they were. */
static bool replayed(routine *r, triangle_operands *o, const triangle_case *c)
{
    gable_recording *recording = NULL;
    if (!build(r, o, c))
        return false;
    CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o->x.memory, 0, o->x.bytes));
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    CHECK_OK(r->ctx, enqueue(r, o, c));
    CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
    const bool good = recording != NULL && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                      guarded_send(&o->x) && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                      guarded_fetch(&o->x);
    gable_recording_destroy(recording);
    return good;
}

static void same_bits(routine *r, const triangle_case *c)
{
    triangle_operands first, second;
    begin(r, c, "twice");
    if (build(r, &first, c) && run(r, &first, c) && guarded_fetch(&first.x)) {
        if (build(r, &second, c) && run(r, &second, c) && guarded_fetch(&second.x))
            CHECK(memcmp(first.x.got, second.x.got, first.x.bytes) == 0,
                  "the same call gave other bits");
        destroy(&second);
        if (replayed(r, &second, c))
            CHECK(memcmp(first.x.got, second.x.got, first.x.bytes) == 0,
                  "the replay gave other bits");
        destroy(&second);
    }
    destroy(&first);
}

static void repeat(routine *r)
{
    static const triangle_shape few[] = {{17, 2, 1, 0}, {130, 0, -1, 0}, {600, 8, 1, 0}};
    for (int i = 0; i < 3 * 6; i++) {
        const triangle_shape *s = &few[i / 6];
        triangle_case c = {.uplo = i % 2 ? GABLE_UPPER : GABLE_LOWER,
                           .trans = i % 6 < 2   ? GABLE_NO_TRANS
                                    : i % 6 < 4 ? GABLE_TRANS
                                                : GABLE_CONJ_TRANS,
                           .diag = GABLE_NON_UNIT,
                           .n = s->n,
                           .lda = s->n + s->gap,
                           .incx = s->incx,
                           .seed = 400,
                           .random = true};
        fit_to_run(r, &c, 0);
        same_bits(r, &c);
    }
    /* All variants keep the bound. Not where kernels take long to compile: there `exact` runs them. */
    const gbl_variant *forced = r->variant;
    const bool fast = r->all || r->device->props.is_host || r->device->props.is_gpu;
    for (int v = 0; fast && forced == NULL && v < r->op->variant_count; v++) {
        if (!routine_variant_fits(r, &r->op->variants[v]) ||
            !routine_force(r, &r->op->variants[v], ""))
            continue;
        for (int i = 0; i < 3; i++)
            check_flags(r, &few[i], i, &(triangle_case){.seed = 500, .random = true});
        routine_unforce(r);
    }
}

/* ---- Edges that both have ---- */

/* n = 0: no pointer is looked at. */
static void nothing(routine *r)
{
    const triangle_case c = {.uplo = GABLE_LOWER, .trans = GABLE_NO_TRANS, .diag = GABLE_UNIT};
    begin(r, &c, "n = 0");
    CHECK_OK(r->ctx, TYPED(ROUTINE)(r->ctx, c.uplo, c.trans, c.diag, 0, NULL, 1, NULL, -1));
}

static bool finite_number(T t)
{
    return isfinite(real_part(t)) && isfinite(imaginary_part(t));
}

/* Columns more than 2^31 elements apart. */
static void far_apart(routine *r, gable_uplo uplo, gable_trans trans)
{
    const triangle_case c = {.uplo = uplo,
                             .trans = trans,
                             .diag = GABLE_NON_UNIT,
                             .n = 4,
                             .lda = ((int64_t)1 << 30) + 7,
                             .incx = 1,
                             .seed = 80};
    triangle_case small = c;
    small.lda = 4;
    const size_t bytes = (3 * (size_t)c.lda + 4) * sizeof(T);
    const bool host = r->device->props.is_host;
    if (!routine_far(r, bytes))
        return;
    triangle_operands o;
    T *A = far_reserve(r->ctx, host, bytes);
    begin(r, &c, "far apart");
    if (A == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    if (build(r, &o, &small)) {
        void *const near = o.A.at;
        for (int64_t j = 0; j < 4; j++)
            CHECK_OK(r->ctx, gable_set_vector(r->ctx, 4, sizeof(T), guarded_element(&o.A, 4 * j), 1,
                                              A + j * c.lda, 1));
        o.A.at = A;
        if (run(r, &o, &c) && guarded_fetch(&o.x))
            triangle_compare(r, &o, &small);
        o.A.at = near;
    }
    destroy(&o);
    far_release(r->ctx, host, A, bytes);
}

/* The calls that meet every kind of variant. */
static const void *triangle_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[2]; /* addresses are looked at, nothing is read */
    static gbl_matrix_call call;
    if (i >= 2)
        return NULL;
    call = (gbl_matrix_call){.dtype = r->dtype,
                             .uplo = GABLE_LOWER,
                             .trans = i == 0 ? GABLE_NO_TRANS : GABLE_TRANS,
                             .diag = GABLE_NON_UNIT,
                             .m = 200,
                             .n = 200,
                             .A = memory,
                             .lda = 208,
                             .x = memory,
                             .incx = 1,
                             .incy = 1};
    return &call;
}

#endif
