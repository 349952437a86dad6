/* test_gesv.c: the six parts of gesv: A X = B
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratio: lu_data.h. A and ipiv are left as getrf leaves them, which test_getrf looks at: here they
 * must be the same bits. `exact` has matrices of lu_data.h whose factors are exact, and solutions
 * of small integers.
 */
#include <stdlib.h>
#include "harness/lu_data.h"
#include "lapack/lapack.h"
#include "harness/numbers.h"

typedef struct gesv_case {
    int64_t n, sides;
    dense_place place;
    lu_kind kind;
    uint64_t seed;
    bool on_host; /* info */
    guarded_fill fill;
    guarded_fence fence;
} gesv_case;

typedef struct operands {
    dense A, B, F; /* F: a copy of A for getrf */
    guarded ipiv, pivots;
    result_place info;
    number *matrix, *given, *solution;
} operands;

static void begin(routine *r, const gesv_case *c, const char *more)
{
    r->cases++;
    test_case("gesv %c %s variant=%s part=%s n=%lld nrhs=%lld gap=%lld offset=%d kind=%d fence=%d "
              "seed=%llu %s",
              r->letter, test_device(), r->choice, r->part, (long long)c->n, (long long)c->sides,
              (long long)c->place.gap, c->place.offset, (int)c->kind, (int)c->fence,
              (unsigned long long)c->seed, more);
}

/* B := A X of integers. */
static void make_sides(const gesv_case *c, const number *A, number *B)
{
    const int64_t n = c->n;
    for (int64_t s = 0; s < c->sides; s++)
        for (int64_t j = 0; j < n; j++) {
            const number x = number_integer(DTYPE, c->seed + 2, j + s * n, 2);
            for (int64_t i = 0; i < n; i++) {
                const number a = A[i + j * n];
                B[i + s * n].re += a.re * x.re - a.im * x.im;
                B[i + s * n].im += a.re * x.im + a.im * x.re;
            }
        }
}

static bool build(routine *r, operands *o, const gesv_case *c)
{
    const int64_t n = c->n;
    memset(o, 0, sizeof *o);
    o->matrix = lapack_matrix(n, n);
    o->given = lapack_matrix(n, c->sides);
    o->solution = lapack_matrix(n, c->sides);
    if (o->matrix == NULL || o->given == NULL || o->solution == NULL ||
        !dense_make(&o->A, r->ctx, n, n, c->place, sizeof(T), NULL, 0, c->fill, c->fence) ||
        !dense_make(&o->F, r->ctx, n, n, c->place, sizeof(T), NULL, 0, c->fill, c->fence) ||
        !dense_make(&o->B, r->ctx, n, c->sides, c->place, sizeof(T), NULL, 0, c->fill, c->fence) ||
        !guarded_make(&o->ipiv, r->ctx, n, 1, sizeof(int64_t), 0, FILL_PATTERN, c->fence) ||
        !guarded_make(&o->pivots, r->ctx, n, 1, sizeof(int64_t), 0, FILL_PATTERN, c->fence) ||
        !result_make(&o->info, r->ctx, sizeof(int64_t), c->on_host))
        return false;
    lu_matrix(DTYPE, c->kind, n, n, c->seed, o->matrix);
    if (c->kind == LU_EXACT)
        make_sides(c, o->matrix, o->given);
    for (int64_t i = 0; c->kind != LU_EXACT && i < n * c->sides; i++)
        o->given[i] = number_random(DTYPE, c->seed + 1, i);
    lapack_put(DTYPE, &o->A, GABLE_GENERAL, o->matrix, 0);
    lapack_put(DTYPE, &o->F, GABLE_GENERAL, o->matrix, 0);
    lapack_put(DTYPE, &o->B, GABLE_GENERAL, o->given, 0);
    return guarded_send(&o->A.v) && guarded_send(&o->F.v) && guarded_send(&o->B.v) &&
           guarded_send(&o->ipiv) && guarded_send(&o->pivots);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->B);
    dense_destroy(&o->F);
    guarded_destroy(&o->ipiv);
    guarded_destroy(&o->pivots);
    free(o->matrix);
    free(o->given);
    free(o->solution);
}

static gable_status enqueue(routine *r, const operands *o, const gesv_case *c)
{
    return FN(gesv)(r->ctx, c->n, c->sides, o->A.v.at, o->A.ld, o->ipiv.at, o->B.v.at, o->B.ld,
                    o->info.at);
}

static bool fetch(operands *o)
{
    return guarded_fetch(&o->A.v) && guarded_fetch(&o->B.v) && guarded_fetch(&o->ipiv);
}

/* The info of getrf; -1: it did not run. */
static int64_t factor(routine *r, operands *o, const gesv_case *c)
{
    int64_t info = -1;
    CHECK_OK(r->ctx, FN(getrf)(r->ctx, c->n, c->n, o->F.v.at, o->F.ld, o->pivots.at, &info));
    return guarded_fetch(&o->F.v) && guarded_fetch(&o->pivots) ? info : -1;
}

static void compare(routine *r, operands *o, const gesv_case *c, int64_t info)
{
    CHECK(info == factor(r, o, c), "info is %lld", (long long)info);
    CHECK(memcmp(o->A.v.got, o->F.v.got, o->A.v.bytes) == 0 &&
              memcmp(o->ipiv.got, o->pivots.got, o->ipiv.bytes) == 0,
          "A and ipiv are not what getrf leaves");
    lapack_get(DTYPE, &o->B, GABLE_GENERAL, o->solution, 0);
    if (info == 0 && c->kind != LU_EXACT)
        routine_error(
            r,
            lu_solve_ratio(DTYPE, GABLE_NO_TRANS, c->n, c->sides, o->matrix, o->solution, o->given),
            1, LU_SOLVE_LIMIT);
    for (int64_t i = 0; info == 0 && c->kind == LU_EXACT && i < c->n * c->sides; i++) {
        const number want = number_integer(DTYPE, c->seed + 2, i, 2), is = o->solution[i];
        if (!HOLDS(is.re == want.re && is.im == want.im, "x %lld is %g + %gi, not %g + %gi",
                   (long long)i, is.re, is.im, want.re, want.im))
            break;
    }
    dense_gaps(&o->B, "B");
}

static void check(routine *r, const gesv_case *c, const char *more)
{
    operands o;
    begin(r, c, more);
    if (build(r, &o, c)) {
        const gbl_product_call call = {.dtype = DTYPE,
                                       .m = c->n,
                                       .n = c->sides,
                                       .A = o.A.v.at,
                                       .lda = o.A.ld,
                                       .ipiv = o.ipiv.at,
                                       .B = o.B.v.at,
                                       .ldb = o.B.ld,
                                       .info = o.info.at};
        int64_t info = -7;
        if (routine_ran(r, enqueue(r, &o, c), c->n == 0 ? NULL : &call) &&
            result_take(&o.info, &info) && fetch(&o))
            compare(r, &o, c, info);
    }
    destroy(&o);
}

/* ---- Which cases ---- */

static const int64_t shapes[][2] = {{1, 1},  {2, 3},   {5, 0},   {16, 17}, {33, 5},
                                    {64, 1}, {65, 33}, {100, 3}, {129, 9}};
static const int64_t few_shapes[][2] = {{1, 1}, {17, 5}, {66, 3}};

static int shape_count(const routine *r)
{
    return routine_slow_compiler(r) ? (int)(sizeof few_shapes / sizeof few_shapes[0])
                                    : (int)(sizeof shapes / sizeof shapes[0]);
}

static gesv_case plain(const routine *r, int i)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    return (gesv_case){
        .n = slow ? few_shapes[i][0] : shapes[i][0],
        .sides = slow ? few_shapes[i][1] : shapes[i][1],
        .place = {.gap = gaps[i % 5], .offset = slow ? 0 : i % 3, .columns = slow ? ALIKE : AS_IS},
        .kind = LU_RANDOM,
        .seed = 70 + (uint64_t)i,
        .on_host = i % 2 == 0};
}

static void exact(routine *r)
{
    for (int i = 0; i < shape_count(r); i++) {
        gesv_case c = plain(r, i);
        c.kind = LU_EXACT;
        check(r, &c, "");
    }
}

static void residual(routine *r)
{
    for (int i = 0; i < shape_count(r); i++)
        for (int kind = LU_RANDOM; kind < LU_KINDS; kind++) {
            gesv_case c = plain(r, i);
            c.kind = (lu_kind)kind;
            /* Solutions of triangular random matrices, and factors of Wilkinson's, grow as powers
             * of 2. */
            if (((kind == LU_UPPER || kind == LU_LOWER) && c.n > 17) ||
                (kind == LU_GROWTH && c.n > 5))
                continue;
            check(r, &c, "");
        }
}

static void edges(routine *r)
{
    const gesv_case none = {.n = 0, .sides = 3, .kind = LU_RANDOM, .on_host = true};
    check(r, &none, "nothing to do");
    for (int i = 0; i < shape_count(r); i++)
        for (int kind = LU_ZERO_FIRST; kind < LU_ALL_KINDS; kind++) {
            gesv_case c = plain(r, i);
            c.kind = (lu_kind)kind;
            check(r, &c, "singular");
        }
}

static void guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w++)
        for (int i = 0; i < shape_count(r); i++) {
            gesv_case c = plain(r, i);
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            check(r, &c, "");
        }
}

static void arguments(routine *r)
{
    const gesv_case c = {.n = 5, .sides = 2, .kind = LU_RANDOM, .seed = 4, .on_host = true};
    gable_context *ctx = r->ctx;
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        T *A = o.A.v.at, *B = o.B.v.at;
        int64_t *ipiv = o.ipiv.at, *info = o.info.at;
        const char *name = NAME(FN(gesv));
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
        CHECK_STATUS(NULL, FN(gesv)(NULL, 5, 2, A, 5, ipiv, B, 5, info), GABLE_BAD_ARGUMENT);
        REFUSED(FN(gesv)(ctx, -1, 2, A, 5, ipiv, B, 5, info), "argument 2 (n)", "-1");
        REFUSED(FN(gesv)(ctx, 5, -1, A, 5, ipiv, B, 5, info), "argument 3 (nrhs)", "-1");
        REFUSED(FN(gesv)(ctx, 5, 2, NULL, 5, ipiv, B, 5, info), "argument 4 (A)", "NULL");
        REFUSED(FN(gesv)(ctx, 5, 2, A, 4, ipiv, B, 5, info), "argument 5 (lda)", "4", "5");
        REFUSED(FN(gesv)(ctx, 5, 2, A, 5, NULL, B, 5, info), "argument 6 (ipiv)", "NULL");
        REFUSED(FN(gesv)(ctx, 5, 2, A, 5, ipiv, NULL, 5, info), "argument 7 (B)", "NULL");
        REFUSED(FN(gesv)(ctx, 5, 2, A, 5, ipiv, B, 4, info), "argument 8 (ldb)", "4", "5");
        REFUSED(FN(gesv)(ctx, 5, 2, A, 5, ipiv, B, 5, NULL), "argument 9 (info)", "NULL");
#undef REFUSED
        result_untouched(&o.info);
        if (fetch(&o)) {
            guarded_same(&o.A.v, "A");
            guarded_same(&o.B.v, "B");
        }
    }
    destroy(&o);
    check(r, &c, "the context works on");
}

static void repeat(routine *r)
{
    for (int i = 0; i < shape_count(r); i += 2) {
        gesv_case c = plain(r, i);
        operands o;
        gable_recording *recording = NULL;
        c.on_host = false;
        begin(r, &c, "recorded");
        if (build(r, &o, &c) && CHECK_OK(r->ctx, enqueue(r, &o, &c)) && fetch(&o)) {
            unsigned char *first = malloc(o.B.v.bytes);
            int64_t info = -7;
            if (first != NULL)
                memcpy(first, o.B.v.got, o.B.v.bytes);
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, enqueue(r, &o, &c));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            for (int round = 0; first != NULL && recording != NULL && round < 2; round++)
                if (guarded_send(&o.A.v) && guarded_send(&o.B.v) &&
                    CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && fetch(&o))
                    CHECK(memcmp(first, o.B.v.got, o.B.v.bytes) == 0, "the replay gave other bits");
            gable_recording_destroy(recording);
            if (result_take(&o.info, &info))
                CHECK(info == 0, "info is %lld", (long long)info);
            free(first);
        }
        destroy(&o);
    }
}

static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[8]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .m = 100,
                              .n = 10,
                              .A = memory,
                              .lda = 104,
                              .ipiv = (int64_t *)(void *)(memory + 4),
                              .B = memory + 2,
                              .ldb = 104,
                              .info = (int64_t *)(void *)(memory + 6)};
    return &call;
}

const routine_parts PARTS = {.stem = "gesv",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {exact, residual, edges, guards, arguments, repeat},
                             .probe = probe};
