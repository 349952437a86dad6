/* test_gemm_batched.c: the six parts of gemm for many batch entries, by strides and by arrays of
 * addresses
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: |error| <= (k + 2) u (|alpha| |op(A)| |op(B)| + |beta| |C|), for
 * complex numbers times up to 2 sqrt 2, as for gemm (Higham, Accuracy and Stability, 3.5 and 3.6);
 * small integers are exact.
 */
#include "harness/matrix_data.h"
#include "harness/gemm_batch_data.h"

static gable_status enqueue(routine *r, const operands *o, const batch_case *c)
{
    const gbl_product_call k = call_of(o, c);
    const T *scalars = o->scalars.at;
    if (c->pointers && c->on_device)
        return FN(gemm_batched_dev)(r->ctx, k.trans, k.trans_b, k.m, k.n, k.k, scalars, k.A, k.lda,
                                    k.B, k.ldb, scalars + 1, k.C, k.ldc, k.batch);
    if (c->pointers)
        return FN(gemm_batched)(r->ctx, k.trans, k.trans_b, k.m, k.n, k.k, c->alpha, k.A, k.lda,
                                k.B, k.ldb, c->beta, k.C, k.ldc, k.batch);
    if (c->on_device)
        return FN(gemm_strided_dev)(r->ctx, k.trans, k.trans_b, k.m, k.n, k.k, scalars, k.A, k.lda,
                                    k.stride_a, k.B, k.ldb, k.stride_b, scalars + 1, k.C, k.ldc,
                                    k.stride_c, k.batch);
    return FN(gemm_strided)(r->ctx, k.trans, k.trans_b, k.m, k.n, k.k, c->alpha, k.A, k.lda,
                            k.stride_a, k.B, k.ldb, k.stride_b, c->beta, k.C, k.ldc, k.stride_c,
                            k.batch);
}

static char letter_of(gable_trans trans)
{
    return "NTC"[trans - GABLE_NO_TRANS];
}

static void begin(routine *r, const batch_case *c, const char *more)
{
    r->cases++;
    test_case("%s %c %s variant=%s part=%s %s trans=%c%c m=%lld n=%lld k=%lld batch=%lld "
              "below=%lld,%lld,%lld between=%lld,%lld,%lld offset=%d seed=%llu%s%s%s alpha=%g,%g "
              "beta=%g,%g scalars %s fence=%d %s",
              r->op->stem, r->letter, test_device(), r->choice, r->part,
              c->pointers ? "pointers" : "strided", letter_of(c->transa), letter_of(c->transb),
              (long long)c->m, (long long)c->n, (long long)c->k, (long long)c->batch,
              (long long)c->below[0], (long long)c->below[1], (long long)c->below[2],
              (long long)c->between[0], (long long)c->between[1], (long long)c->between[2],
              c->offset, (unsigned long long)c->seed, c->same_a ? " one A" : "",
              c->same_b ? " one B" : "", c->backwards ? " backwards" : "", real_part(c->alpha),
              imaginary_part(c->alpha), real_part(c->beta), imaginary_part(c->beta),
              c->on_device ? "on device" : "by value", (int)c->fence, more);
}

#define BATCH_CALL gbl_product_call
#define OUTPUT     C.block
#include "harness/batch_parts.h"

static void compare(routine *r, const operands *o, const batch_case *c)
{
    const double bound = c->random ? ((double)c->k + 2) * ROUNDOFF : 0;
    const long before = test_failures();
    for (int64_t b = 0; b < c->batch && test_failures() == before; b++)
        for (int64_t j = 0; j < c->n && test_failures() == before; j++)
            for (int64_t i = 0; i < c->m && test_failures() == before; i++) {
                const entry_sum want = reference(o, c, b, i, j);
                const T z = got(&o->C.block, entries_at(&o->C, b, i, j));
                routine_error(r, entry_distance(&want, z), bound * want.size, LIMIT);
                if (test_failures() > before)
                    CHECK(false, "the wrong element is (%lld, %lld) of batch entry %lld",
                          (long long)i, (long long)j, (long long)b);
            }
    entries_gaps(&o->C, "C");
}

static void check(routine *r, const batch_case *c)
{
    operands o;
    begin(r, c, "");
    if (build(r, &o, c) && run(r, &o, c) && guarded_fetch(&o.C.block) &&
        guarded_fetch(&o.A.block) && guarded_fetch(&o.B.block)) {
        compare(r, &o, c);
        guarded_same(&o.A.block, "A");
        guarded_same(&o.B.block, "B");
    }
    destroy(&o);
}

/* ---- Cases ---- */

static const gable_trans transposes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};

#define GPU_SIZES 2

/* Batch entries without gaps, aligned or not; with gaps; as addresses. A CPU behind OpenCL takes
 * half a second for each form, for tiles five, so a precision sees two of them there, with forced
 * variants one. */
static int make_cases(const routine *r, batch_case *list)
{
    static const struct {
        int64_t m, n, k, batch;
    } sizes[] = {{4, 4, 4, 70},     {8, 8, 8, 33},   {16, 16, 16, 9}, {32, 32, 32, 5},
                 {5, 7, 3, 50},     {3, 3, 3, 130},  {1, 1, 1, 300},  {2, 3, 31, 20},
                 {17, 9, 13, 7},    {31, 29, 23, 3}, {33, 20, 40, 3}, {64, 48, 64, 2},
                 {7, 130, 5, 3},    {1, 5, 2, 1000}, {24, 24, 24, 5}, {6, 6, 6, 37},
                 {100, 3, 70, 2},   {12, 2, 20, 11}, {30, 1, 32, 6},  {9, 27, 18, 4},
                 {150, 131, 70, 3}, {64, 256, 33, 4}}; /* the last two for the tiles of GPUs */
    static const int64_t gaps[] = {0, 1, 4, 3};
    const bool slow = routine_slow_compiler(r);
    int made = 0;
    const int count =
        (int)(sizeof sizes / sizeof sizes[0]) - (r->device->props.is_gpu ? 0 : GPU_SIZES);
    for (int i = 0; i < count; i++) {
        for (int t = 0; t < 3; t++) {
            const int kind = (i + t) % 4;
            batch_case c = {.transa = transposes[t],
                            .transb = transposes[(t + i / 3) % 3],
                            .m = sizes[i].m,
                            .n = sizes[i].n,
                            .k = sizes[i].k,
                            .batch = sizes[i].batch,
                            .offset = kind == 1 ? 1 + i % 3 : 0,
                            .pointers = kind == 3,
                            .same_a = i % 5 == 4,
                            .same_b = i % 7 == 5,
                            .backwards = i % 6 == 2};
            for (int which = 0; which < 3 && kind >= 2; which++) {
                c.below[which] = gaps[(i + which) % 4];
                c.between[which] = gaps[(i + t + which) % 4];
            }
            /* A GPU has each size with one set of flags, forced variants half of the sizes. */
            if (routine_short_gpu(r) &&
                (t != (i + (int)r->dtype) % 3 ||
                 (r->variant != NULL && i % 2 == 1 && i < count - GPU_SIZES)))
                continue;
            if (slow) {
                const bool first = r->dtype == GBL_S || r->dtype == GBL_Z;
                if (t == 2 || i % 3 == 2 || (r->variant != NULL && t == 1))
                    continue;
                c.transa = t == 0 ? GABLE_NO_TRANS : first ? GABLE_CONJ_TRANS : GABLE_TRANS;
                c.transb = (t == 0) == first ? GABLE_NO_TRANS : GABLE_CONJ_TRANS;
                c.pointers = (t == 0) == first;
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

/* A case for the parts that need few: 40 batch entries, C 12 by 10, 7 terms. */
static batch_case plain_case(const routine *r, int t, bool pointers)
{
    const bool slow = routine_slow_compiler(r);
    return (batch_case){.transa = transposes[t],
                        .transb = transposes[slow ? 2 * t % 3 : (t + 1) % 3],
                        .m = 12,
                        .n = 10,
                        .k = 7,
                        .batch = 40,
                        .below = {1, 2, 3},
                        .between = {3, 2, 1},
                        .pointers = pointers,
                        .seed = 50};
}

/* Nothing to do: C stays, and no pointer is looked at. */
static void nothing(routine *r)
{
    batch_case c = plain_case(r, 0, false);
    const gable_trans N = GABLE_NO_TRANS;
    const T two = make(2, 0), one = make(1, 0), zero = make(0, 0);
    operands o;
    begin(r, &c, "m = 0, n = 0, batch = 0; alpha = 0 and beta = 1");
    if (build(r, &o, &c)) {
        gable_context *ctx = r->ctx;
        const T *A = o.A.block.at, *B = o.B.block.at;
        T *C = o.C.block.at;
        CHECK_OK(ctx, FN(gemm_strided)(ctx, N, N, 0, 4, 3, two, A, 5, 9, B, 5, 9, two, C, 5, 9, 3));
        CHECK_OK(ctx, FN(gemm_strided)(ctx, N, N, 5, 0, 3, two, A, 5, 9, B, 5, 9, two, C, 5, 9, 3));
        CHECK_OK(ctx, FN(gemm_strided)(ctx, N, N, 5, 4, 3, two, A, 5, 9, B, 5, 9, two, C, 5, 9, 0));
        CHECK_OK(ctx,
                 FN(gemm_strided)(ctx, N, N, 5, 4, 3, zero, A, 5, 9, B, 5, 9, one, C, 5, 30, 3));
        CHECK_OK(ctx, FN(gemm_batched)(ctx, N, N, 5, 4, 3, two, NULL, 5, NULL, 5, two, NULL, 5, 0));
        CHECK_OK(ctx, FN(gemm_batched_dev)(ctx, N, N, 0, 4, 3, NULL, NULL, 5, NULL, 5, NULL, NULL,
                                           5, 7));
        CHECK_OK(ctx, FN(gemm_strided_dev)(ctx, N, N, 5, 0, 3, NULL, NULL, 5, 1, NULL, 5, 1, NULL,
                                           NULL, 5, 1, 2));
        if (guarded_fetch(&o.C.block))
            guarded_same(&o.C.block, "C");
    }
    destroy(&o);
}

/* alpha = 0 or k = 0: A and B are NaN and do not matter; beta = 0: nor does C. */
static void not_read(routine *r, batch_case c, T alpha, T beta)
{
    operands o;
    c.alpha = alpha;
    c.beta = beta;
    begin(r, &c, "what is not read is NaN");
    if (build(r, &o, &c)) {
        bool good = true; /* the images of A and B stay as the reference needs them */
        if (entry_size(alpha) == 0)
            good =
                CHECK_OK(r->ctx,
                         gable_fill_bytes(r->ctx, o.A.block.memory, 0xff, o.A.block.bytes)) &&
                CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.B.block.memory, 0xff, o.B.block.bytes));
        for (int64_t b = 0; entry_size(beta) == 0 && b < c.batch; b++)
            for (int64_t j = 0; j < c.n; j++)
                for (int64_t i = 0; i < c.m; i++)
                    memset(guarded_element(&o.C.block, entries_at(&o.C, b, i, j)), 0xff, sizeof(T));
        if (good && guarded_send(&o.C.block) && run(r, &o, &c) && guarded_fetch(&o.C.block))
            compare(r, &o, &c);
    }
    destroy(&o);
}

/* A NaN at (i, p) of op(A) of one batch entry reaches row i of its C and nothing else. */
static void spreads(routine *r, batch_case c, int64_t entry, int64_t i, int64_t p)
{
    operands o;
    c.alpha = make(2, 0);
    c.beta = make(1, 0);
    begin(r, &c, "a NaN in one batch entry");
    if (build(r, &o, &c)) {
        const bool plain = c.transa == GABLE_NO_TRANS;
        put(&o.A.block, plain ? entries_at(&o.A, entry, i, p) : entries_at(&o.A, entry, p, i),
            make(NAN, 1));
        if (guarded_send(&o.A.block) && run(r, &o, &c) && guarded_fetch(&o.C.block)) {
            for (int64_t b = 0; b < c.batch; b++)
                for (int64_t j = 0; j < c.n; j++)
                    for (int64_t row = 0; row < c.m; row++) {
                        const T z = got(&o.C.block, entries_at(&o.C, b, row, j));
                        CHECK(isnan(real_part(z)) == (b == entry && row == i),
                              "element (%lld, %lld) of batch entry %lld is %g", (long long)row,
                              (long long)j, (long long)b, real_part(z));
                    }
            entries_gaps(&o.C, "C");
        }
    }
    destroy(&o);
}

/* Batch entries more than 2^31 elements apart. */
static void far_apart(routine *r)
{
    const int64_t stride = ((int64_t)1 << 31) + 5;
    batch_case c = {.transa = GABLE_NO_TRANS,
                    .transb = GABLE_NO_TRANS,
                    .m = 3,
                    .n = 4,
                    .k = 2,
                    .batch = 2,
                    .alpha = make(2, 0),
                    .beta = make(1, 0)};
    const size_t bytes = ((size_t)stride + 6) * sizeof(T);
    far_memory room;
    operands o;
    if (!far_take(r, 1, bytes, &room))
        return;
    T *A = room.at[0];
    begin(r, &c, "far apart");
    if (build(r, &o, &c)) {
        for (int64_t b = 0; b < 2; b++)
            CHECK_OK(r->ctx, gable_set_vector(r->ctx, 6, sizeof(T),
                                              guarded_element(&o.A.block, entries_start(&o.A, b)),
                                              1, A + b * stride, 1));
        gbl_product_call call = call_of(&o, &c);
        call.A = A;
        call.stride_a = stride;
        const gable_status status =
            FN(gemm_strided)(r->ctx, c.transa, c.transb, 3, 4, 2, c.alpha, A, 3, stride, call.B,
                             call.ldb, call.stride_b, c.beta, call.C, call.ldc, call.stride_c, 2);
        if (routine_ran(r, status, &call) && guarded_fetch(&o.C.block))
            compare(r, &o, &c);
    }
    destroy(&o);
    far_give(r, &room);
}

static void edges(routine *r)
{
    const T zero = make(0, 0), minus_zero = make(-0.0, 0), one = make(1, 0), two = make(2, 0);
    if (matrix_left_out(r))
        return;
    nothing(r);
    for (int t = 0; t < (routine_slow_compiler(r) || routine_short_gpu(r) ? 1 : 3); t++) {
        for (int way = 0; way < 4; way++) {
            batch_case c = plain_case(r, t, addressed(r, way % 2));
            c.on_device = way / 2;
            not_read(r, c, zero, two);
            not_read(r, c, minus_zero, one);
            not_read(r, c, zero, zero);
            not_read(r, c, two, zero);
            not_read(r, c, one, minus_zero);
            c.k = 0;
            c.alpha = c.beta = two;
            c.below[0] = c.below[1] = 12;
            check(r, &c);
        }
        batch_case c = plain_case(r, t, addressed(r, false));
        spreads(r, c, 0, 0, 0);
        spreads(r, c, 39, 11, 6);
        spreads(r, c, 17, 3, 5);
    }
    far_apart(r);
    /* More batch entries than a launch has groups along one direction. Groups of pipelines go on
     * from entry to entry, each of which takes the emulated device a millisecond. */
    const bool few = strcmp(r->device->table->kind, "emulated") == 0 && r->variant != NULL &&
                     strcmp(r->variant->name, "pipeline") == 0;
    batch_case c = {.transa = GABLE_NO_TRANS,
                    .transb = GABLE_NO_TRANS,
                    .m = 2,
                    .n = 1,
                    .k = 1,
                    .batch = few ? 6601 : 66001,
                    .alpha = two,
                    .beta = one,
                    .same_b = true};
    check(r, &c);
}

/* ---- Arguments ---- */

typedef struct given {
    bool dev;
    const T *alpha, *beta; /* of the form with scalars on the device */
    const void *A, *B;
    void *C;
    int transa, transb;
    int64_t m, n, k, lda, ldb, ldc, stride_c, batch;
} given;

static gable_status strided(gable_context *ctx, const given *g)
{
    const T two = make(2, 0);
    const gable_trans a = (gable_trans)g->transa, b = (gable_trans)g->transb;
    return g->dev
               ? FN(gemm_strided_dev)(ctx, a, b, g->m, g->n, g->k, g->alpha, g->A, g->lda, 15, g->B,
                                      g->ldb, 12, g->beta, g->C, g->ldc, g->stride_c, g->batch)
               : FN(gemm_strided)(ctx, a, b, g->m, g->n, g->k, two, g->A, g->lda, 15, g->B, g->ldb,
                                  12, two, g->C, g->ldc, g->stride_c, g->batch);
}

static gable_status batched(gable_context *ctx, const given *g)
{
    const T two = make(2, 0);
    const gable_trans a = (gable_trans)g->transa, b = (gable_trans)g->transb;
    return g->dev ? FN(gemm_batched_dev)(ctx, a, b, g->m, g->n, g->k, g->alpha, g->A, g->lda, g->B,
                                         g->ldb, g->beta, g->C, g->ldc, g->batch)
                  : FN(gemm_batched)(ctx, a, b, g->m, g->n, g->k, two, g->A, g->lda, g->B, g->ldb,
                                     two, g->C, g->ldc, g->batch);
}

/* The call with one thing changed is refused. */
#define REFUSED(change, ...)                                                                       \
    do {                                                                                           \
        given g = *good;                                                                           \
        change;                                                                                    \
        CHECK_REFUSED(ctx, way(ctx, &g), GABLE_BAD_ARGUMENT, name, __VA_ARGS__);                   \
    } while (0)

/* Both forms; with strides the numbers of arguments behind A's are one, two and three larger. */
static void illegal(routine *r, const given *good, bool by_stride)
{
    gable_status (*const way)(gable_context *, const given *) = by_stride ? strided : batched;
    const char *name = by_stride
                           ? (good->dev ? NAME(FN(gemm_strided_dev)) : NAME(FN(gemm_strided)))
                           : (good->dev ? NAME(FN(gemm_batched_dev)) : NAME(FN(gemm_batched)));
    gable_context *ctx = r->ctx;
    _Alignas(16) T outside[64];
    memset(outside, 0, sizeof outside);
    CHECK_STATUS(NULL, way(NULL, good), GABLE_BAD_ARGUMENT);
    REFUSED(g.transa = 7, "argument 2 (transa)", "7");
    REFUSED(g.transb = 114, "argument 3 (transb)", "114");
    REFUSED(g.m = -3, "argument 4 (m)", "-3");
    REFUSED(g.n = -2, "argument 5 (n)", "-2");
    REFUSED(g.k = -1, "argument 6 (k)", "-1");
    REFUSED(g.A = NULL, "argument 8 (A)", "NULL");
    REFUSED(g.lda = 4, "argument 9 (lda)", "4", "5");
    REFUSED(g.B = NULL, by_stride ? "argument 11 (B)" : "argument 10 (B)", "NULL");
    REFUSED(g.ldb = 2, by_stride ? "argument 12 (ldb)" : "argument 11 (ldb)", "2", "3");
    REFUSED(g.C = NULL, by_stride ? "argument 15 (C)" : "argument 13 (C)", "NULL");
    REFUSED(g.ldc = 4, by_stride ? "argument 16 (ldc)" : "argument 14 (ldc)", "4", "5");
    REFUSED(g.batch = -7, by_stride ? "argument 18 (batch)" : "argument 15 (batch)", "-7");
    if (by_stride)
        REFUSED(g.stride_c = 0, "argument 17 (stride_c)", "0", "3");
    if (good->dev) {
        REFUSED(g.alpha = NULL, "argument 7 (alpha)", "NULL");
        REFUSED(g.beta = NULL, by_stride ? "argument 14 (beta)" : "argument 12 (beta)", "NULL");
    }
    if (!r->device->props.is_host) {
        const char *device = r->device->info.name;
        REFUSED(g.A = outside, "argument 8 (A)", device);
        REFUSED(g.B = outside, by_stride ? "argument 11 (B)" : "argument 10 (B)", device);
        REFUSED(g.C = outside, by_stride ? "argument 15 (C)" : "argument 13 (C)", device);
    }
    for (size_t i = 0; i < sizeof outside; i++)
        CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
}
#undef REFUSED

static void arguments(routine *r)
{
    batch_case c = plain_case(r, 0, true);
    c.alpha = c.beta = make(2, 0);
    c.fill = FILL_PATTERN;
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        for (int dev = 0; dev < 2; dev++) {
            const T *scalars = o.scalars.at;
            given g = {.dev = dev,
                       .alpha = scalars,
                       .beta = scalars + 1,
                       .A = o.A.block.at,
                       .B = o.B.block.at,
                       .C = o.C.block.at,
                       .transa = GABLE_NO_TRANS,
                       .transb = GABLE_NO_TRANS,
                       .m = 5,
                       .n = 4,
                       .k = 3,
                       .lda = 5,
                       .ldb = 3,
                       .ldc = 5,
                       .stride_c = 20,
                       .batch = 3};
            illegal(r, &g, true);
            g.A = o.A.addresses.at;
            g.B = o.B.addresses.at;
            g.C = o.C.addresses.at;
            illegal(r, &g, false);
        }
        if (guarded_fetch(&o.C.block))
            guarded_same(&o.C.block, "C");
        c.pointers = o.A.pointers = o.B.pointers = o.C.pointers = addressed(r, true);
        run(r, &o, &c); /* the context works on */
    }
    destroy(&o);
}

/* Small batch entries and larger ones. */
static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[2]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    static const int64_t sizes[] = {16, 64};
    if (i >= 2)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .trans = GABLE_NO_TRANS,
                              .trans_b = GABLE_NO_TRANS,
                              .m = sizes[i],
                              .n = sizes[i],
                              .k = sizes[i],
                              .alpha = {NULL, 2, 0},
                              .beta = {NULL, 3, 0},
                              .A = memory,
                              .lda = sizes[i],
                              .B = memory,
                              .ldb = sizes[i],
                              .C = memory,
                              .ldc = sizes[i],
                              .batch = 1000,
                              .stride_a = sizes[i] * sizes[i],
                              .stride_b = sizes[i] * sizes[i],
                              .stride_c = sizes[i] * sizes[i]};
    return &call;
}

const routine_parts PARTS = TEST_PARTS(
    "gemm_batched", .run = {exact, residual, edges, guards, arguments, repeat}, .probe = probe);
