/* test_laswp.c: the six parts of laswp: exchanges of rows
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bits are kept, so every part compares them: with a copy in which one pair of rows after the other
 * is exchanged. Rows behind k2 are there for pivots that point below.
 */
#include <stdlib.h>
#include "harness/lapack_data.h"
#include "lapack/lapack.h"
#include "harness/numbers.h"

/* Pivots below their rows, as those of getrf; anywhere; the rows themselves; all the same row. */
typedef enum pivots { PIVOTS_BELOW, PIVOTS_ANY, PIVOTS_NONE, PIVOTS_ONE, PIVOTS_KINDS } pivots;

typedef struct laswp_case {
    int64_t m, n, k1, k2, incx;
    dense_place place;
    pivots kind;
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} laswp_case;

typedef struct operands {
    dense A;
    guarded ipiv;
    T *want; /* m by n */
} operands;

static void begin(routine *r, const laswp_case *c, const char *more)
{
    r->cases++;
    test_case("laswp %c %s variant=%s part=%s m=%lld n=%lld k1=%lld k2=%lld incx=%lld gap=%lld "
              "offset=%d kind=%d fence=%d seed=%llu %s",
              r->letter, test_device(), r->choice, r->part, (long long)c->m, (long long)c->n,
              (long long)c->k1, (long long)c->k2, (long long)c->incx, (long long)c->place.gap,
              c->place.offset, (int)c->kind, (int)c->fence, (unsigned long long)c->seed, more);
}

static int64_t distance(const laswp_case *c)
{
    return c->incx < 0 ? -c->incx : c->incx;
}

/* Where in ipiv the pivot of row i stands, both from 0. */
static int64_t pivot_place(const laswp_case *c, int64_t i)
{
    return c->k1 - 1 + (i - (c->k1 - 1)) * distance(c);
}

static int64_t pivot_of(const laswp_case *c, int64_t i)
{
    const uint64_t bits = data_bits(c->seed, (uint64_t)i) >> 8;
    switch (c->kind) {
    case PIVOTS_BELOW:
        return i + (int64_t)(bits % (uint64_t)(c->m - i)) + 1;
    case PIVOTS_ANY:
        return (int64_t)(bits % (uint64_t)c->m) + 1;
    case PIVOTS_ONE:
        return c->m / 2 + 1;
    default:
        return i + 1;
    }
}

static void element(const guarded *v, int64_t i, uint64_t seed)
{
    put(v, i, random_element(seed, i));
}

static bool build(routine *r, operands *o, const laswp_case *c)
{
    const int64_t count = c->k2 >= c->k1 ? pivot_place(c, c->k2 - 1) + 1 : 1;
    memset(o, 0, sizeof *o);
    o->want = calloc((size_t)(c->m * c->n + 1), sizeof *o->want);
    CHECK(o->want != NULL, "no memory");
    if (o->want == NULL ||
        !dense_make(&o->A, r->ctx, c->m, c->n, c->place, sizeof(T), element, c->seed, c->fill,
                    c->fence) ||
        !guarded_make(&o->ipiv, r->ctx, count, 1, sizeof(int64_t), 0, FILL_PATTERN, c->fence))
        return false;
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++)
            o->want[i + j * c->m] = get(&o->A.v, i + j * o->A.ld);
    /* Numbers between the pivots are no rows. */
    for (int64_t i = 0; i < count; i++)
        memcpy(guarded_element(&o->ipiv, i), &(int64_t){-5}, sizeof(int64_t));
    for (int64_t i = c->k1 - 1; i < c->k2; i++)
        memcpy(guarded_element(&o->ipiv, pivot_place(c, i)), &(int64_t){pivot_of(c, i)},
               sizeof(int64_t));
    for (int64_t t = 0; c->incx != 0 && t <= c->k2 - c->k1; t++) {
        const int64_t one = c->incx > 0 ? c->k1 - 1 + t : c->k2 - 1 - t,
                      other = pivot_of(c, one) - 1;
        for (int64_t j = 0; j < c->n; j++) {
            T *const column = o->want + j * c->m;
            const T kept = column[one];
            column[one] = column[other];
            column[other] = kept;
        }
    }
    return guarded_send(&o->A.v) && guarded_send(&o->ipiv);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    guarded_destroy(&o->ipiv);
    free(o->want);
}

static gable_status enqueue(routine *r, const operands *o, const laswp_case *c)
{
    return FN(laswp)(r->ctx, c->n, o->A.v.at, o->A.ld, c->k1, c->k2, o->ipiv.at, c->incx);
}

static bool run(routine *r, operands *o, const laswp_case *c)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .m = c->k2,
                                   .n = c->n,
                                   .k = c->k1,
                                   .lda = o->A.ld,
                                   .stride_b = c->incx,
                                   .A = o->A.v.at,
                                   .ipiv = o->ipiv.at};
    const bool nothing = c->n == 0 || c->k2 < c->k1 || c->incx == 0;
    return routine_ran(r, enqueue(r, o, c), nothing ? NULL : &call) && guarded_fetch(&o->A.v) &&
           guarded_fetch(&o->ipiv);
}

static void compare(operands *o, const laswp_case *c)
{
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++) {
            const T is = got(&o->A.v, i + j * o->A.ld);
            if (memcmp(&is, &o->want[i + j * c->m], sizeof is) != 0) {
                CHECK(false, "(%lld, %lld) is %g instead of %g", (long long)i, (long long)j,
                      real_part(is), real_part(o->want[i + j * c->m]));
                return;
            }
        }
    dense_gaps(&o->A, "A");
    guarded_same(&o->ipiv, "ipiv");
}

static void check(routine *r, const laswp_case *c, const char *more)
{
    operands o;
    begin(r, c, more);
    if (build(r, &o, c) && run(r, &o, c))
        compare(&o, c);
    destroy(&o);
}

/* ---- Which cases ---- */

/* Around 8 to 64 exchanges at a time and the columns of a tile; more rows than are exchanged. */
static const struct {
    int64_t m, n, k1, k2;
} shapes[] = {
    {1, 1, 1, 1},     {2, 1, 1, 2},     {3, 5, 1, 2},      {9, 3, 2, 8},     {16, 15, 1, 16},
    {33, 17, 1, 32},  {40, 16, 9, 33},  {64, 31, 1, 64},   {65, 33, 1, 65},  {100, 1, 1, 63},
    {130, 2, 33, 97}, {129, 65, 1, 48}, {200, 40, 1, 129}, {31, 200, 2, 31}, {300, 7, 100, 300},
};
#define SHAPES ((int)(sizeof shapes / sizeof shapes[0]))

static laswp_case shaped(int i, int64_t incx, pivots kind)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    return (laswp_case){.m = shapes[i].m,
                        .n = shapes[i].n,
                        .k1 = shapes[i].k1,
                        .k2 = shapes[i].k2,
                        .incx = incx,
                        .place = {.gap = gaps[i % 5], .offset = i % 3},
                        .kind = kind,
                        .seed = 40 + (uint64_t)i};
}

static void exact(routine *r)
{
    static const int64_t strides[] = {1, -1, 2, -3};
    for (int i = 0; i < SHAPES; i++)
        for (int s = 0; s < 4; s++)
            for (int kind = 0; kind < PIVOTS_KINDS; kind++) {
                const laswp_case c = shaped(i, strides[s], (pivots)kind);
                check(r, &c, "");
            }
}

/* Forward and backward again: A as it was. */
static void residual(routine *r)
{
    for (int i = 0; i < SHAPES; i++) {
        laswp_case c = shaped(i, 1, PIVOTS_ANY);
        operands o;
        begin(r, &c, "there and back");
        if (build(r, &o, &c) && run(r, &o, &c)) {
            c.incx = -1;
            if (run(r, &o, &c))
                guarded_same(&o.A.v, "A");
        }
        destroy(&o);
    }
}

/* Columns that are more than 2^31 bytes, and elements, apart. */
static void far_apart(routine *r)
{
    const bool host = r->device->props.is_host;
    const int64_t ld = ((int64_t)1 << 30) + 7;
    const size_t bytes = (size_t)(2 * ld + 5) * sizeof(T);
    const laswp_case c = {
        .m = 5, .n = 3, .k1 = 1, .k2 = 5, .incx = 1, .kind = PIVOTS_BELOW, .seed = 3};
    operands o;
    if (!routine_far(r, bytes))
        return;
    begin(r, &c, "far apart");
    T *memory = far_reserve(r->ctx, host, bytes);
    if (memory == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    if (build(r, &o, &c)) {
        for (int64_t j = 0; j < c.n; j++)
            CHECK_OK(r->ctx,
                     gable_set_vector(r->ctx, c.m, sizeof(T), guarded_element(&o.A.v, j * o.A.ld),
                                      1, memory + j * ld, 1));
        CHECK_OK(r->ctx, FN(laswp)(r->ctx, c.n, memory, ld, c.k1, c.k2, o.ipiv.at, c.incx));
        if (guarded_fetch(&o.A.v) && guarded_fetch(&o.ipiv)) {
            for (int64_t j = 0; j < c.n; j++)
                CHECK_OK(r->ctx,
                         gable_get_vector(r->ctx, c.m, sizeof(T), memory + j * ld, 1,
                                          o.A.v.got + guarded_place(&o.A.v, j * o.A.ld), 1));
            compare(&o, &c);
        }
    }
    destroy(&o);
    far_release(r->ctx, host, memory, bytes);
}

static void edges(routine *r)
{
    static const struct {
        int64_t n, k1, k2, incx;
    } nothing[] = {{0, 1, 5, 1}, {4, 1, 0, 1}, {4, 4, 3, 1}, {4, 5, 2, -1}, {4, 1, 5, 0}};
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        const laswp_case c = {.m = 6,
                              .n = nothing[i].n,
                              .k1 = nothing[i].k1,
                              .k2 = nothing[i].k2,
                              .incx = nothing[i].incx,
                              .kind = PIVOTS_ONE,
                              .seed = 9};
        check(r, &c, "nothing to do");
    }
    far_apart(r);
}

static void guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w++)
        for (int i = 0; i < SHAPES; i++) {
            laswp_case c = shaped(i, i % 2 == 0 ? 1 : -2, PIVOTS_BELOW);
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            check(r, &c, "");
        }
}

static void arguments(routine *r)
{
    const laswp_case c = {
        .m = 5, .n = 4, .k1 = 1, .k2 = 5, .incx = 1, .kind = PIVOTS_BELOW, .seed = 6};
    gable_context *ctx = r->ctx;
    operands o;
    T outside[20];
    int64_t elsewhere[5] = {1, 2, 3, 4, 5};
    memset(outside, 0, sizeof outside);
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        T *A = o.A.v.at;
        const int64_t *ipiv = o.ipiv.at;
        const char *name = NAME(FN(laswp));
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
        CHECK_STATUS(NULL, FN(laswp)(NULL, 4, A, 5, 1, 5, ipiv, 1), GABLE_BAD_ARGUMENT);
        REFUSED(FN(laswp)(ctx, -1, A, 5, 1, 5, ipiv, 1), "argument 2 (n)", "-1");
        REFUSED(FN(laswp)(ctx, 4, NULL, 5, 1, 5, ipiv, 1), "argument 3 (A)", "NULL");
        REFUSED(FN(laswp)(ctx, 4, A, 4, 1, 5, ipiv, 1), "argument 4 (lda)", "4", "5");
        REFUSED(FN(laswp)(ctx, 4, A, 5, 0, 5, ipiv, 1), "argument 5 (k1)", "0", "1");
        REFUSED(FN(laswp)(ctx, 4, A, 5, 1, -2, ipiv, 1), "argument 6 (k2)", "-2");
        REFUSED(FN(laswp)(ctx, 4, A, 5, 1, 5, NULL, 1), "argument 7 (ipiv)", "NULL");
        REFUSED(FN(laswp)(ctx, 4, A, 5, 1, 5, ipiv, INT64_MAX), "argument 8 (incx)");
        REFUSED(FN(laswp)(ctx, 4, A, 5, 1, 5, ipiv, INT64_MIN), "argument 8 (incx)");
        if (!r->device->props.is_host) {
            REFUSED(FN(laswp)(ctx, 4, outside, 5, 1, 5, ipiv, 1), "argument 3 (A)",
                    r->device->info.name);
            REFUSED(FN(laswp)(ctx, 4, A, 5, 1, 5, elsewhere, 1), "argument 7 (ipiv)",
                    r->device->info.name);
        }
#undef REFUSED
        if (guarded_fetch(&o.A.v))
            guarded_same(&o.A.v, "A");
    }
    destroy(&o);
    check(r, &c, "the context works on");
}

/* A recording exchanges as the call does. */
static void repeat(routine *r)
{
    for (int i = 3; i < SHAPES; i += 3) {
        const laswp_case c = shaped(i, 1, PIVOTS_BELOW);
        operands o;
        gable_recording *recording = NULL;
        begin(r, &c, "recorded");
        if (build(r, &o, &c)) {
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, enqueue(r, &o, &c));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            for (int round = 0; recording != NULL && round < 2; round++)
                if (guarded_send(&o.A.v) && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                    guarded_fetch(&o.A.v) && guarded_fetch(&o.ipiv) && round == 1)
                    compare(&o, &c);
            gable_recording_destroy(recording);
        }
        destroy(&o);
    }
}

static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[4]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .m = 100,
                              .n = 100,
                              .k = 1,
                              .lda = 200,
                              .stride_b = 1,
                              .A = memory,
                              .ipiv = (int64_t *)(void *)(memory + 2)};
    return &call;
}

const routine_parts PARTS = {.stem = "laswp",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {exact, residual, edges, guards, arguments, repeat},
                             .probe = probe};
