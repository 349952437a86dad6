/* test_laset.c: the six parts of laset: beta on the diagonal, alpha elsewhere or in one triangle
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills are exact. What is not written of A keeps its bits. Scalars come by value and from the
 * device in turn.
 */
#include "harness/lapack_data.h"
#include "lapack/lapack.h"
#include "harness/numbers.h"

typedef struct laset_case {
    gable_uplo uplo;
    int64_t m, n;
    dense_place place;
    T alpha, beta;
    bool on_device;
    guarded_fill fill;
    guarded_fence fence;
} laset_case;

typedef struct operands {
    dense A;
    guarded scalars;
} operands;

static const gable_uplo parts[] = {GABLE_GENERAL, GABLE_UPPER, GABLE_LOWER};

static void begin(routine *r, const laset_case *c, const char *more)
{
    r->cases++;
    test_case("laset %c %s variant=%s part=%s uplo=%d m=%lld n=%lld gap=%lld offset=%d fence=%d "
              "scalars %s %s",
              r->letter, test_device(), r->choice, r->part, (int)c->uplo, (long long)c->m,
              (long long)c->n, (long long)c->place.gap, c->place.offset, (int)c->fence,
              c->on_device ? "on device" : "by value", more);
}

static bool build(routine *r, operands *o, const laset_case *c)
{
    memset(o, 0, sizeof *o);
    if (!dense_make(&o->A, r->ctx, c->m, c->n, c->place, sizeof(T), NULL, 0, c->fill, c->fence) ||
        !guarded_make(&o->scalars, r->ctx, 2, 1, sizeof(T), 0, FILL_NAN, LOOSE))
        return false;
    put(&o->scalars, 0, c->alpha);
    put(&o->scalars, 1, c->beta);
    return guarded_send(&o->A.v) && guarded_send(&o->scalars);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    guarded_destroy(&o->scalars);
}

static gable_status enqueue(routine *r, const operands *o, const laset_case *c)
{
    const T *scalars = o->scalars.at;
    return c->on_device
               ? FN(laset_dev)(r->ctx, c->uplo, c->m, c->n, scalars, scalars + 1, o->A.v.at,
                               o->A.ld)
               : FN(laset)(r->ctx, c->uplo, c->m, c->n, c->alpha, c->beta, o->A.v.at, o->A.ld);
}

static bool run(routine *r, operands *o, const laset_case *c)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .uplo = c->uplo,
                                   .m = c->m,
                                   .n = c->n,
                                   .alpha = {.re = 1},
                                   .beta = {.re = 1},
                                   .A = o->A.v.at,
                                   .lda = o->A.ld};
    return routine_ran(r, enqueue(r, o, c), c->m == 0 || c->n == 0 ? NULL : &call) &&
           guarded_fetch(&o->A.v);
}

static void compare(operands *o, const laset_case *c)
{
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++) {
            const T want = i == j ? c->beta : c->alpha, is = got(&o->A.v, i + j * o->A.ld);
            if (lapack_in(c->uplo, i, j) && memcmp(&want, &is, sizeof is) != 0) {
                CHECK(false, "(%lld, %lld) is %g", (long long)i, (long long)j, real_part(is));
                return;
            }
        }
    lapack_untouched(&o->A, c->uplo, "A");
}

static void check(routine *r, const laset_case *c)
{
    operands o;
    begin(r, c, "");
    if (build(r, &o, c) && run(r, &o, c))
        compare(&o, c);
    destroy(&o);
}

static void all_parts(routine *r, laset_case c)
{
    for (int p = 0; p < 3; p++) {
        c.uplo = parts[p];
        c.on_device = (p + c.m) % 2 == 1;
        check(r, &c);
    }
}

static void exact(routine *r)
{
    int count;
    const dense_shape *shapes = dense_shapes(r, &count);
    for (int i = 0; i < count; i++)
        all_parts(r, (laset_case){.m = shapes[i].m,
                                  .n = shapes[i].n,
                                  .place = shapes[i].at[0],
                                  .alpha = integer_element(5, i, 9),
                                  .beta = integer_element(6, i, 9),
                                  .fill = i % 2 == 0 ? FILL_PATTERN : FILL_NAN});
}

/* Nothing is rounded. */
static void residual(routine *r)
{
    const T odd[] = {random_element(3, 1), make(NAN, 0), make(-INFINITY, 1), make(-0.0, 0.0)};
    for (int i = 0; i < 4; i++)
        all_parts(r, (laset_case){.m = 33, .n = 40, .alpha = odd[i], .beta = odd[(i + 1) % 4]});
}

static void edges(routine *r)
{
    gable_context *ctx = r->ctx;
    const T one = make(1, 0);
    laset_case c = {.uplo = GABLE_LOWER, .m = 1, .n = 1, .alpha = one, .beta = make(2, 0)};
    begin(r, &c, "m = 0 and n = 0");
    for (int p = 0; p < 3; p++) {
        CHECK_OK(ctx, FN(laset)(ctx, parts[p], 0, 4, one, one, NULL, 1));
        CHECK_OK(ctx, FN(laset)(ctx, parts[p], 4, 0, one, one, NULL, 4));
        CHECK_OK(ctx, FN(laset_dev)(ctx, parts[p], 4, 0, NULL, NULL, NULL, 4));
    }
    check(r, &c);
    const int64_t ld = ((int64_t)1 << 30) + 7;
    const size_t bytes = (size_t)(2 * ld + 3) * sizeof(T);
    const bool host = r->device->props.is_host;
    if (!routine_far(r, bytes))
        return;
    T *memory = far_reserve(ctx, host, bytes);
    begin(r, &c, "far apart");
    if (memory == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    T corner = make(0, 0);
    CHECK_OK(ctx, FN(laset)(ctx, GABLE_GENERAL, 3, 3, one, make(2, 0), memory, ld));
    CHECK_OK(ctx, gable_get_vector(ctx, 1, sizeof(T), memory + 2 + 2 * ld, 1, &corner, 1));
    CHECK(real_part(corner) == 2, "the last element is %g", real_part(corner));
    CHECK_OK(ctx, gable_get_vector(ctx, 1, sizeof(T), memory + 1 + 2 * ld, 1, &corner, 1));
    CHECK(real_part(corner) == 1, "the one above it is %g", real_part(corner));
    far_release(ctx, host, memory, bytes);
}

static void guards(routine *r)
{
    int count;
    const dense_shape *shapes = dense_few_shapes(r, &count);
    for (int i = 0; i < count; i++)
        for (int w = 0; w < GUARDED_WAYS; w++) {
            laset_case c = {.m = shapes[i].m,
                            .n = shapes[i].n,
                            .place = shapes[i].at[0],
                            .alpha = make(3, 1),
                            .beta = make(-2, 5),
                            .fill = guarded_ways[w].fill,
                            .fence = guarded_ways[w].fence};
            if (c.fence != LOOSE)
                c.place.offset = 0;
            all_parts(r, c);
        }
}

static void arguments(routine *r)
{
    const laset_case c = {
        .uplo = GABLE_GENERAL, .m = 5, .n = 4, .beta = make(1, 0), .fill = FILL_PATTERN};
    gable_context *ctx = r->ctx;
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        T *A = o.A.v.at;
        const T one = make(1, 0), *at = o.scalars.at;
        const char *name = NAME(FN(laset));
        const gable_uplo G = GABLE_GENERAL;
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
        CHECK_STATUS(NULL, FN(laset)(NULL, G, 5, 4, one, one, A, 5), GABLE_BAD_ARGUMENT);
        REFUSED(FN(laset)(ctx, (gable_uplo)0, 5, 4, one, one, A, 5), "argument 2 (uplo)", "0");
        REFUSED(FN(laset)(ctx, G, -5, 4, one, one, A, 5), "argument 3 (m)", "-5");
        REFUSED(FN(laset)(ctx, G, 5, -4, one, one, A, 5), "argument 4 (n)", "-4");
        REFUSED(FN(laset)(ctx, G, 5, 4, one, one, NULL, 5), "argument 7 (A)", "NULL");
        REFUSED(FN(laset)(ctx, G, 5, 4, one, one, A, 4), "argument 8 (lda)", "4", "5");
        name = NAME(FN(laset_dev));
        REFUSED(FN(laset_dev)(ctx, G, 5, 4, NULL, at, A, 5), "argument 5 (alpha)", "NULL");
        REFUSED(FN(laset_dev)(ctx, G, 5, 4, at, NULL, A, 5), "argument 6 (beta)", "NULL");
#undef REFUSED
        if (guarded_fetch(&o.A.v))
            guarded_same(&o.A.v, "A");
    }
    destroy(&o);
    check(r, &c);
}

/* Recorded with scalars on the device that are right only when it is replayed. */
static void repeat(routine *r)
{
    const laset_case c = {.uplo = GABLE_UPPER,
                          .m = 70,
                          .n = 50,
                          .alpha = make(3, 4),
                          .beta = make(5, 6),
                          .on_device = true};
    operands o;
    gable_recording *recording = NULL;
    begin(r, &c, "recorded");
    if (build(r, &o, &c)) {
        CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.scalars.memory, 0xff, o.scalars.bytes));
        CHECK_OK(r->ctx, gable_record_begin(r->ctx));
        CHECK_OK(r->ctx, enqueue(r, &o, &c));
        CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
        if (recording != NULL && guarded_send(&o.scalars) &&
            CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && guarded_fetch(&o.A.v))
            compare(&o, &c);
        gable_recording_destroy(recording);
    }
    destroy(&o);
}

static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[4]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 3)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .uplo = parts[i],
                              .m = 200,
                              .n = 200,
                              .alpha = {.re = 1},
                              .A = memory,
                              .lda = 208};
    return &call;
}

const routine_parts PARTS = {.stem = "laset",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {exact, residual, edges, guards, arguments, repeat},
                             .probe = probe};
