/* test_lascl.c: the six parts of lascl: A := (cto / cfrom) A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bound, element by element: 4 u |a cto / cfrom|: a quotient and up to three products; 0 where all
 * are powers of two. Scalars come by value and from the device in turn. What is not changed of A is
 * NaN or a pattern and must stay.
 */
#include <math.h>
#include "harness/lapack_data.h"
#include "lapack/lapack.h"
#include "harness/numbers.h"

typedef struct lascl_case {
    gable_uplo uplo;
    int64_t m, n;
    dense_place place;
    R from, to;
    bool exact, on_device;
    int scale; /* of the elements */
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} lascl_case;

typedef struct operands {
    dense A;
    guarded scalars;
} operands;

static const gable_uplo parts[] = {GABLE_GENERAL, GABLE_UPPER, GABLE_LOWER};

static void begin(routine *r, const lascl_case *c, const char *more)
{
    r->cases++;
    test_case(
        "lascl %c %s variant=%s part=%s uplo=%d m=%lld n=%lld gap=%lld from=%g to=%g fence=%d "
        "scalars %s %s",
        r->letter, test_device(), r->choice, r->part, (int)c->uplo, (long long)c->m,
        (long long)c->n, (long long)c->place.gap, (double)c->from, (double)c->to, (int)c->fence,
        c->on_device ? "on device" : "by value", more);
}

static bool build(routine *r, operands *o, const lascl_case *c)
{
    memset(o, 0, sizeof *o);
    if (!dense_make(&o->A, r->ctx, c->m, c->n, c->place, sizeof(T), NULL, 0, c->fill, c->fence) ||
        !guarded_make(&o->scalars, r->ctx, 2, 1, sizeof(R), 0, FILL_NAN, LOOSE))
        return false;
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++) {
            const T a = c->exact ? integer_element(c->seed, i + j * c->m, 9)
                                 : random_element(c->seed, i + j * c->m);
            if (lapack_in(c->uplo, i, j))
                put(&o->A.v, i + j * o->A.ld,
                    make(ldexp(real_part(a), c->scale), ldexp(imaginary_part(a), c->scale)));
        }
    memcpy(guarded_element(&o->scalars, 0), &c->from, sizeof(R));
    memcpy(guarded_element(&o->scalars, 1), &c->to, sizeof(R));
    return guarded_send(&o->A.v) && guarded_send(&o->scalars);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    guarded_destroy(&o->scalars);
}

static gable_status enqueue(routine *r, const operands *o, const lascl_case *c)
{
    const R *at = o->scalars.at;
    return c->on_device
               ? FN(lascl_dev)(r->ctx, c->uplo, at, at + 1, c->m, c->n, o->A.v.at, o->A.ld)
               : FN(lascl)(r->ctx, c->uplo, c->from, c->to, c->m, c->n, o->A.v.at, o->A.ld);
}

static bool run(routine *r, operands *o, const lascl_case *c)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .uplo = c->uplo,
                                   .m = c->m,
                                   .n = c->n,
                                   .alpha = {.re = 1},
                                   .beta = {.re = 1},
                                   .A = o->A.v.at,
                                   .lda = o->A.ld};
    return routine_ran(r, enqueue(r, o, c), &call) && guarded_fetch(&o->A.v);
}

/* a to / from, in an order that stays in range. */
static double wanted(double a, const lascl_case *c)
{
    int ea, ef, et;
    const double fa = frexp(a, &ea), ff = frexp((double)c->from, &ef),
                 ft = frexp((double)c->to, &et);
    return ldexp(fa * ft / ff, ea + et - ef);
}

static void compare(routine *r, operands *o, const lascl_case *c)
{
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->m; i++) {
            const int64_t at = i + j * o->A.ld;
            if (!lapack_in(c->uplo, i, j))
                continue;
            const T a = get(&o->A.v, at), is = got(&o->A.v, at);
            const double re = wanted(real_part(a), c), im = wanted(imaginary_part(a), c),
                         error = wide_size(real_part(is) - re, imaginary_part(is) - im);
            const long before = test_failures();
            routine_error(r, error, c->exact ? 0 : 4 * ROUNDOFF * wide_size(re, im), 1);
            if (test_failures() > before)
                return;
        }
    lapack_untouched(&o->A, c->uplo, "A");
}

static void check(routine *r, const lascl_case *c)
{
    operands o;
    begin(r, c, "");
    if (build(r, &o, c) && run(r, &o, c))
        compare(r, &o, c);
    destroy(&o);
}

static void all_parts(routine *r, lascl_case c)
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
        all_parts(r, (lascl_case){.m = shapes[i].m,
                                  .n = shapes[i].n,
                                  .place = shapes[i].at[0],
                                  .from = i % 2 == 0 ? 4 : -2,
                                  .to = i % 3 == 0 ? 32 : 1,
                                  .exact = true,
                                  .seed = (uint64_t)i,
                                  .fill = i % 2 == 0 ? FILL_PATTERN : FILL_NAN});
}

/* The quotient is in range, or only its products with elements are. */
static void residual(routine *r)
{
    const int far = gbl_dtype_real_bytes(DTYPE) == 4 ? 100 : 900;
    const R large = (R)ldexp(1.3, far), small = (R)ldexp(1.7, -far);
    all_parts(r, (lascl_case){.m = 40, .n = 30, .from = 3, .to = 7, .seed = 5});
    all_parts(r, (lascl_case){.m = 33, .n = 50, .from = large, .to = 5, .seed = 6});
    all_parts(r,
              (lascl_case){.m = 33, .n = 50, .from = large, .to = small, .scale = far, .seed = 7});
    all_parts(r,
              (lascl_case){.m = 33, .n = 50, .from = small, .to = large, .scale = -far, .seed = 8});
    all_parts(r, (lascl_case){.m = 33, .n = 50, .from = 3, .to = 0, .exact = true, .seed = 9});
}

static void edges(routine *r)
{
    gable_context *ctx = r->ctx;
    lascl_case c = {.uplo = GABLE_LOWER, .m = 1, .n = 1, .from = 1, .to = 2, .exact = true};
    const int64_t ld = ((int64_t)1 << 30) + 7;
    const size_t bytes = (size_t)(2 * ld + 3) * sizeof(T);
    const bool host = r->device->props.is_host;
    T corner = make(3, 0);
    begin(r, &c, "m = 0 and n = 0");
    for (int p = 0; p < 3; p++) {
        CHECK_OK(ctx, FN(lascl)(ctx, parts[p], 1, 2, 0, 4, NULL, 1));
        CHECK_OK(ctx, FN(lascl)(ctx, parts[p], 1, 2, 4, 0, NULL, 4));
        CHECK_OK(ctx, FN(lascl_dev)(ctx, parts[p], NULL, NULL, 4, 0, NULL, 4));
    }
    check(r, &c);
    if (!routine_far(r, bytes))
        return;
    T *memory = far_reserve(ctx, host, bytes);
    begin(r, &c, "far apart");
    if (memory == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    CHECK_OK(ctx, gable_set_vector(ctx, 1, sizeof(T), &corner, 1, memory + 2 + 2 * ld, 1));
    CHECK_OK(ctx, FN(lascl)(ctx, GABLE_LOWER, 1, 2, 3, 3, memory, ld));
    CHECK_OK(ctx, gable_get_vector(ctx, 1, sizeof(T), memory + 2 + 2 * ld, 1, &corner, 1));
    CHECK(real_part(corner) == 6, "the last element is %g", real_part(corner));
    far_release(ctx, host, memory, bytes);
}

static void guards(routine *r)
{
    int count;
    const dense_shape *shapes = dense_few_shapes(r, &count);
    for (int i = 0; i < count; i++)
        for (int w = 0; w < GUARDED_WAYS; w++) {
            lascl_case c = {.m = shapes[i].m,
                            .n = shapes[i].n,
                            .place = shapes[i].at[0],
                            .from = 2,
                            .to = 16,
                            .exact = true,
                            .fill = guarded_ways[w].fill,
                            .fence = guarded_ways[w].fence};
            if (c.fence != LOOSE)
                c.place.offset = 0;
            all_parts(r, c);
        }
}

static void arguments(routine *r)
{
    const lascl_case c = {.uplo = GABLE_GENERAL, .m = 5, .n = 4, .from = 1, .to = 2, .exact = true};
    gable_context *ctx = r->ctx;
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        T *A = o.A.v.at;
        const R *at = o.scalars.at;
        const char *name = NAME(FN(lascl));
        const gable_uplo G = GABLE_GENERAL;
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
        CHECK_STATUS(NULL, FN(lascl)(NULL, G, 1, 2, 5, 4, A, 5), GABLE_BAD_ARGUMENT);
        REFUSED(FN(lascl)(ctx, (gable_uplo)0, 1, 2, 5, 4, A, 5), "argument 2 (uplo)", "0");
        REFUSED(FN(lascl)(ctx, G, 0, 2, 5, 4, A, 5), "argument 3 (cfrom)", "0");
        REFUSED(FN(lascl)(ctx, G, (R)NAN, 2, 5, 4, A, 5), "argument 3 (cfrom)");
        REFUSED(FN(lascl)(ctx, G, 1, (R)NAN, 5, 4, A, 5), "argument 4 (cto)");
        REFUSED(FN(lascl)(ctx, G, 1, 2, -5, 4, A, 5), "argument 5 (m)", "-5");
        REFUSED(FN(lascl)(ctx, G, 1, 2, 5, -4, A, 5), "argument 6 (n)", "-4");
        REFUSED(FN(lascl)(ctx, G, 1, 2, 5, 4, NULL, 5), "argument 7 (A)", "NULL");
        REFUSED(FN(lascl)(ctx, G, 1, 2, 5, 4, A, 4), "argument 8 (lda)", "4", "5");
        name = NAME(FN(lascl_dev));
        REFUSED(FN(lascl_dev)(ctx, G, NULL, at, 5, 4, A, 5), "argument 3 (cfrom)", "NULL");
        REFUSED(FN(lascl_dev)(ctx, G, at, NULL, 5, 4, A, 5), "argument 4 (cto)", "NULL");
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
    const lascl_case c = {.uplo = GABLE_UPPER,
                          .m = 70,
                          .n = 50,
                          .from = 2,
                          .to = 8,
                          .exact = true,
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
            compare(r, &o, &c);
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
                              .beta = {.re = 2},
                              .A = memory,
                              .lda = 208};
    return &call;
}

const routine_parts PARTS = {.stem = "lascl",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {exact, residual, edges, guards, arguments, repeat},
                             .probe = probe};
