/* test_trsm_batched.c: the six parts of trsm for many batch entries, by strides and by arrays of
 * addresses
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound of the residual, element by element, for A on the left: |alpha B - op(A) X| <= (m + 4) u
 * (|op(A)| |X| +
 * |alpha| |B|), for complex numbers times up to 2 sqrt 2 (Higham, Accuracy and Stability, 8.5; one
 * rounding more for alpha B); on the right likewise. Integers over diagonals of powers of two are
 * exact. What of A is not used is NaN or a pattern.
 */
#include "harness/matrix_data.h"
#include "harness/trsm_batch_data.h"

static gable_status enqueue(routine *r, const operands *o, const batch_case *c)
{
    const gbl_product_call k = call_of(o, c);
    if (c->pointers && c->on_device)
        return FN(trsm_batched_dev)(r->ctx, k.side, k.uplo, k.trans, k.diag, k.m, k.n,
                                    o->scalars.at, k.A, k.lda, k.B, k.ldb, k.batch);
    if (c->pointers)
        return FN(trsm_batched)(r->ctx, k.side, k.uplo, k.trans, k.diag, k.m, k.n, c->alpha, k.A,
                                k.lda, k.B, k.ldb, k.batch);
    if (c->on_device)
        return FN(trsm_strided_dev)(r->ctx, k.side, k.uplo, k.trans, k.diag, k.m, k.n,
                                    o->scalars.at, k.A, k.lda, k.stride_a, k.B, k.ldb, k.stride_b,
                                    k.batch);
    return FN(trsm_strided)(r->ctx, k.side, k.uplo, k.trans, k.diag, k.m, k.n, c->alpha, k.A, k.lda,
                            k.stride_a, k.B, k.ldb, k.stride_b, k.batch);
}

static void begin(routine *r, const batch_case *c, const char *more)
{
    r->cases++;
    test_case("%s %c %s variant=%s part=%s %s side=%c uplo=%c trans=%c diag=%c m=%lld n=%lld "
              "batch=%lld below=%lld,%lld between=%lld,%lld offset=%d seed=%llu%s%s alpha=%g,%g %s "
              "fence=%d %s",
              r->op->stem, r->letter, test_device(), r->choice, r->part,
              c->pointers ? "pointers" : "strided", c->side == GABLE_LEFT ? 'L' : 'R',
              c->uplo == GABLE_UPPER ? 'U' : 'L', "NTC"[c->trans - GABLE_NO_TRANS],
              c -> diag == GABLE_UNIT ? 'U' : 'N', (long long)c->m, (long long)c->n,
              (long long)c->batch, (long long)c->below[0], (long long)c->below[1],
              (long long)c->between[0], (long long)c->between[1], c->offset,
              (unsigned long long)c->seed, c->same_a ? " one A" : "",
              c->backwards ? " backwards" : "", real_part(c->alpha), imaginary_part(c->alpha),
              c->on_device ? "on device" : "by value", (int)c->fence, more);
}

#define BATCH_CALL gbl_product_call
#define OUTPUT     B.block
#define ONE_SCALAR
#include "harness/batch_parts.h"

/* ---- Results ---- */

/* Element (i, j) of batch entry b: the solution itself, or its residual. */
static void compare_element(routine *r, const operands *o, const batch_case *c, int64_t b,
                            int64_t i, int64_t j)
{
    if (entry_size(c->alpha) == 0 || !c->random) {
        const T z = solved(o, c, b, i, j),
                want = entry_size(c->alpha) == 0 ? make(0, 0) : solution(o, c, b, i, j);
        routine_error(
            r, wide_size(real_part(z) - real_part(want), imaginary_part(z) - imaginary_part(want)),
            0, LIMIT);
        return;
    }
    entry_sum rest = {{0, 0}, {0, 0}, 0};
    const entry_sum sum = product(o, c, solved, b, i, j);
    entry_add(&rest, c->alpha, get(&o->B.block, entries_at(&o->B, b, i, j)));
    entry_add_scaled(&rest, make(-1, 0), &sum);
    routine_error(r, entry_distance(&rest, make(0, 0)),
                  ((double)order_of(c) + 4) * ROUNDOFF * rest.size, LIMIT);
}

static void compare(routine *r, const operands *o, const batch_case *c)
{
    const long before = test_failures();
    for (int64_t b = 0; b < c->batch && test_failures() == before; b++)
        for (int64_t j = 0; j < c->n && test_failures() == before; j++)
            for (int64_t i = 0; i < c->m && test_failures() == before; i++) {
                compare_element(r, o, c, b, i, j);
                if (test_failures() > before)
                    CHECK(false, "the wrong element is (%lld, %lld) of batch entry %lld",
                          (long long)i, (long long)j, (long long)b);
            }
    entries_gaps(&o->B, "B");
}

static void check(routine *r, const batch_case *c)
{
    operands o;
    begin(r, c, "");
    if (build(r, &o, c) && run(r, &o, c) && guarded_fetch(&o.B.block) &&
        guarded_fetch(&o.A.block)) {
        compare(r, &o, c);
        guarded_same(&o.A.block, "A");
    }
    destroy(&o);
}

/* ---- Cases ---- */

static const gable_trans transposes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};

/* All sides, triangles and transposes; orders around the blocks. A CPU behind OpenCL takes half a
 * second for each form, so a precision sees few of them there. */
static int make_cases(const routine *r, batch_case *list)
{
    static const struct {
        int64_t m, n, batch;
    } sizes[] = {{4, 4, 70},  {8, 8, 33},  {16, 16, 9}, {32, 32, 5}, {5, 7, 50},  {7, 5, 13},
                 {1, 1, 300}, {33, 20, 3}, {20, 33, 3}, {64, 9, 2},  {9, 64, 2},  {3, 130, 3},
                 {130, 3, 2}, {31, 1, 40}, {1, 31, 40}, {17, 65, 2}, {65, 17, 2}, {2, 3, 500}};
    static const int64_t gaps[] = {0, 1, 4, 3};
    const bool slow = routine_slow_compiler(r);
    int made = 0;
    for (int i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++) {
        for (int t = 0; t < 4; t++) {
            const int kind = (i + t) % 4;
            batch_case c = {.side = (i + t) % 2 ? GABLE_RIGHT : GABLE_LEFT,
                            .uplo = t / 2 ? GABLE_LOWER : GABLE_UPPER,
                            .trans = transposes[(t + i / 2) % 3],
                            .diag = (t + i / 3) % 3 == 1 ? GABLE_UNIT : GABLE_NON_UNIT,
                            .m = sizes[i].m,
                            .n = sizes[i].n,
                            .batch = sizes[i].batch,
                            .below = {gaps[i % 4], gaps[kind]},
                            .between = {gaps[(i + 1) % 4], gaps[(kind + 1) % 4]},
                            .offset = i % 3,
                            .pointers = kind == 3,
                            .same_a = i % 5 == 4,
                            .backwards = i % 6 == 2};
            /* A GPU has each size with two sets of flags, forced variants with one. */
            if (routine_short_gpu(r) && (t + i + (int)r->dtype) % (r->variant != NULL ? 4 : 2) != 0)
                continue;
            if (slow) {
                const bool first = r->dtype == GBL_S || r->dtype == GBL_Z;
                if (i % 3 == 2)
                    continue;
                c.pointers = first;
                if (c.trans == GABLE_CONJ_TRANS && r->dtype != GBL_C)
                    c.trans = GABLE_TRANS;
            }
            list[made++] = c;
        }
    }
    return made;
}

/* A CPU behind OpenCL sees arrays of addresses in s and z, strides in d and c. */
static bool addressed(const routine *r, bool wanted)
{
    return routine_slow_compiler(r) ? r->dtype == GBL_S || r->dtype == GBL_Z : wanted;
}

/* A case for the parts that need few: 40 batch entries of 12 by 10. */
static batch_case plain_case(const routine *r, int t, bool pointers)
{
    const bool slow = routine_slow_compiler(r);
    return (batch_case){.side = t % 2 ? GABLE_RIGHT : GABLE_LEFT,
                        .uplo = t / 2 ? GABLE_LOWER : GABLE_UPPER,
                        .trans = slow ? GABLE_NO_TRANS : transposes[t % 3],
                        .diag = GABLE_NON_UNIT,
                        .m = 12,
                        .n = 10,
                        .batch = 40,
                        .below = {1, 2},
                        .between = {3, 2},
                        .pointers = pointers,
                        .alpha = make(2, 0),
                        .seed = 50};
}

/* Nothing to do: B stays, and no pointer is looked at. */
static void nothing(routine *r)
{
    batch_case c = plain_case(r, 0, false);
    const gable_side side = GABLE_LEFT;
    const gable_uplo uplo = GABLE_UPPER;
    const gable_trans N = GABLE_NO_TRANS;
    const gable_diag diag = GABLE_UNIT;
    const T two = make(2, 0);
    operands o;
    begin(r, &c, "m = 0, n = 0 and batch = 0");
    if (build(r, &o, &c)) {
        gable_context *ctx = r->ctx;
        const T *A = o.A.block.at;
        T *B = o.B.block.at;
        CHECK_OK(ctx, FN(trsm_strided)(ctx, side, uplo, N, diag, 0, 4, two, A, 5, 9, B, 5, 9, 3));
        CHECK_OK(ctx, FN(trsm_strided)(ctx, side, uplo, N, diag, 5, 0, two, A, 5, 9, B, 5, 9, 3));
        CHECK_OK(ctx, FN(trsm_strided)(ctx, side, uplo, N, diag, 5, 4, two, A, 5, 9, B, 5, 9, 0));
        CHECK_OK(ctx, FN(trsm_batched)(ctx, side, uplo, N, diag, 5, 4, two, NULL, 5, NULL, 5, 0));
        CHECK_OK(ctx,
                 FN(trsm_batched_dev)(ctx, side, uplo, N, diag, 0, 4, NULL, NULL, 5, NULL, 5, 7));
        CHECK_OK(ctx, FN(trsm_strided_dev)(ctx, side, uplo, N, diag, 5, 0, NULL, NULL, 5, 1, NULL,
                                           5, 1, 2));
        if (guarded_fetch(&o.B.block))
            guarded_same(&o.B.block, "B");
    }
    destroy(&o);
}

/* alpha = 0: A and B are NaN, and B becomes 0. */
static void not_read(routine *r, batch_case c, T alpha)
{
    operands o;
    c.alpha = alpha;
    begin(r, &c, "what is not read is NaN");
    if (build(r, &o, &c)) {
        for (int64_t b = 0; b < c.batch; b++)
            for (int64_t j = 0; j < c.n; j++)
                for (int64_t i = 0; i < c.m; i++)
                    put(&o.B.block, entries_at(&o.B, b, i, j), make(NAN, NAN));
        if (CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.A.block.memory, 0xff, o.A.block.bytes)) &&
            guarded_send(&o.B.block) && run(r, &o, &c) && guarded_fetch(&o.B.block))
            compare(r, &o, &c);
    }
    destroy(&o);
}

/* A NaN in one right-hand side reaches no other, and no entry that is solved before it. */
static void spreads(routine *r, batch_case c, int64_t batch_entry, int64_t i, int64_t j)
{
    operands o;
    begin(r, &c, "a NaN in one right-hand side");
    if (build(r, &o, &c)) {
        const bool left = c.side == GABLE_LEFT,
                   lower = (c.uplo == GABLE_LOWER) == (c.trans == GABLE_NO_TRANS),
                   down = left == lower; /* the first entry is solved first */
        put(&o.B.block, entries_at(&o.B, batch_entry, i, j), make(NAN, 1));
        if (guarded_send(&o.B.block) && run(r, &o, &c) && guarded_fetch(&o.B.block)) {
            for (int64_t b = 0; b < c.batch; b++)
                for (int64_t column = 0; column < c.n; column++)
                    for (int64_t row = 0; row < c.m; row++) {
                        const int64_t entry = left ? row : column, from = left ? i : j;
                        const bool mine = b == batch_entry && (left ? column == j : row == i),
                                   before = down ? entry < from : entry > from;
                        const T z = solved(&o, &c, b, row, column);
                        if (!mine || before)
                            CHECK(isfinite(real_part(z)) && isfinite(imaginary_part(z)),
                                  "element (%lld, %lld) of batch entry %lld is %g", (long long)row,
                                  (long long)column, (long long)b, real_part(z));
                        else if (entry == from)
                            CHECK(isnan(real_part(z)), "the NaN is gone");
                    }
            entries_gaps(&o.B, "B");
        }
    }
    destroy(&o);
}

static void edges(routine *r)
{
    if (matrix_left_out(r))
        return;
    nothing(r);
    for (int t = 0; t < (routine_slow_compiler(r) ? 1 : routine_short_gpu(r) ? 2 : 4); t++) {
        for (int way = 0; way < 4; way++) {
            batch_case c = plain_case(r, t, addressed(r, way % 2));
            c.on_device = way / 2;
            not_read(r, c, make(0, 0));
            not_read(r, c, make(-0.0, 0));
            c.alpha = make(1, 0);
            check(r, &c);
        }
        batch_case c = plain_case(r, t, addressed(r, false));
        spreads(r, c, 0, 0, 0);
        spreads(r, c, 39, 11, 9);
        spreads(r, c, 17, 3, 5);
    }
    /* More batch entries than a launch has groups along one direction. */
    batch_case c = plain_case(r, 0, false);
    c.m = 2;
    c.n = 1;
    c.batch = 66001;
    c.same_a = true;
    check(r, &c);
}

/* ---- Arguments ---- */

typedef struct given {
    bool dev;
    const T *alpha; /* of the form with alpha on the device */
    const void *A;
    void *B;
    int side, uplo, trans, diag;
    int64_t m, n, lda, ldb, stride_b, batch;
} given;

static gable_status strided(gable_context *ctx, const given *g)
{
    const T two = make(2, 0);
    const gable_side side = (gable_side)g->side;
    const gable_uplo uplo = (gable_uplo)g->uplo;
    const gable_trans trans = (gable_trans)g->trans;
    const gable_diag diag = (gable_diag)g->diag;
    return g->dev ? FN(trsm_strided_dev)(ctx, side, uplo, trans, diag, g->m, g->n, g->alpha, g->A,
                                         g->lda, 25, g->B, g->ldb, g->stride_b, g->batch)
                  : FN(trsm_strided)(ctx, side, uplo, trans, diag, g->m, g->n, two, g->A, g->lda,
                                     25, g->B, g->ldb, g->stride_b, g->batch);
}

static gable_status batched(gable_context *ctx, const given *g)
{
    const T two = make(2, 0);
    const gable_side side = (gable_side)g->side;
    const gable_uplo uplo = (gable_uplo)g->uplo;
    const gable_trans trans = (gable_trans)g->trans;
    const gable_diag diag = (gable_diag)g->diag;
    return g->dev ? FN(trsm_batched_dev)(ctx, side, uplo, trans, diag, g->m, g->n, g->alpha, g->A,
                                         g->lda, g->B, g->ldb, g->batch)
                  : FN(trsm_batched)(ctx, side, uplo, trans, diag, g->m, g->n, two, g->A, g->lda,
                                     g->B, g->ldb, g->batch);
}

/* The call with one thing changed is refused. */
#define REFUSED(change, ...)                                                                       \
    do {                                                                                           \
        given g = *good;                                                                           \
        change;                                                                                    \
        CHECK_REFUSED(ctx, way(ctx, &g), GABLE_BAD_ARGUMENT, name, __VA_ARGS__);                   \
    } while (0)

static void illegal(routine *r, const given *good, bool by_stride)
{
    gable_status (*const way)(gable_context *, const given *) = by_stride ? strided : batched;
    const char *name = by_stride
                           ? (good->dev ? NAME(FN(trsm_strided_dev)) : NAME(FN(trsm_strided)))
                           : (good->dev ? NAME(FN(trsm_batched_dev)) : NAME(FN(trsm_batched)));
    gable_context *ctx = r->ctx;
    _Alignas(16) T outside[128];
    memset(outside, 0, sizeof outside);
    CHECK_STATUS(NULL, way(NULL, good), GABLE_BAD_ARGUMENT);
    REFUSED(g.side = 7, "argument 2 (side)", "7");
    REFUSED(g.uplo = 8, "argument 3 (uplo)", "8");
    REFUSED(g.trans = 9, "argument 4 (trans)", "9");
    REFUSED(g.diag = 10, "argument 5 (diag)", "10");
    REFUSED(g.m = -3, "argument 6 (m)", "-3");
    REFUSED(g.n = -2, "argument 7 (n)", "-2");
    REFUSED(g.A = NULL, "argument 9 (A)", "NULL");
    REFUSED(g.lda = 4, "argument 10 (lda)", "4", "5");
    REFUSED(g.side = GABLE_RIGHT; g.lda = 3, "argument 10 (lda)", "3", "4");
    REFUSED(g.B = NULL, by_stride ? "argument 12 (B)" : "argument 11 (B)", "NULL");
    REFUSED(g.ldb = 4, by_stride ? "argument 13 (ldb)" : "argument 12 (ldb)", "4", "5");
    REFUSED(g.batch = -7, by_stride ? "argument 15 (batch)" : "argument 13 (batch)", "-7");
    if (by_stride)
        REFUSED(g.stride_b = 0, "argument 14 (stride_b)", "0", "3");
    if (good->dev)
        REFUSED(g.alpha = NULL, "argument 8 (alpha)", "NULL");
    if (!r->device->props.is_host) {
        const char *device = r->device->info.name;
        REFUSED(g.A = outside, "argument 9 (A)", device);
        REFUSED(g.B = outside, by_stride ? "argument 12 (B)" : "argument 11 (B)", device);
    }
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
}
#undef REFUSED

static void arguments(routine *r)
{
    batch_case c = plain_case(r, 0, true);
    c.fill = FILL_PATTERN;
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        for (int dev = 0; dev < 2; dev++) {
            given g = {.dev = dev,
                       .alpha = o.scalars.at,
                       .A = o.A.block.at,
                       .B = o.B.block.at,
                       .side = GABLE_LEFT,
                       .uplo = GABLE_UPPER,
                       .trans = GABLE_NO_TRANS,
                       .diag = GABLE_NON_UNIT,
                       .m = 5,
                       .n = 4,
                       .lda = 5,
                       .ldb = 5,
                       .stride_b = 20,
                       .batch = 3};
            illegal(r, &g, true);
            g.A = o.A.addresses.at;
            g.B = o.B.addresses.at;
            illegal(r, &g, false);
        }
        if (guarded_fetch(&o.B.block))
            guarded_same(&o.B.block, "B");
        c.pointers = o.A.pointers = o.B.pointers = addressed(r, true);
        run(r, &o, &c); /* the context works on */
    }
    destroy(&o);
}

/* Small batch entries and larger ones. */
static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[2]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    static const int64_t sizes[] = {16, 128};
    if (i >= 2)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .side = GABLE_LEFT,
                              .uplo = GABLE_LOWER,
                              .trans = GABLE_NO_TRANS,
                              .diag = GABLE_NON_UNIT,
                              .m = sizes[i],
                              .n = sizes[i],
                              .alpha = {NULL, 2, 0},
                              .A = memory,
                              .lda = sizes[i],
                              .B = memory,
                              .ldb = sizes[i],
                              .batch = 1000,
                              .stride_a = sizes[i] * sizes[i],
                              .stride_b = sizes[i] * sizes[i]};
    return &call;
}

const routine_parts PARTS = TEST_PARTS(
    "trsm_batched", .run = {exact, residual, edges, guards, arguments, repeat}, .probe = probe);
