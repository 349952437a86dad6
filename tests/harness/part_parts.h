/* part_parts.h: what the tests of lacpy, laset and lascl share: routines on a matrix or a triangle.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A typed test says its stem (PART_STEM), what a scalar takes (PART_SCALAR_BYTES, 0: it has none)
 * and whether B is written for A (PART_COPIES), includes this file and defines the three functions
 * that are declared below. What is not read is NaN in all cases. What is not written keeps its
 * bits. Scalars come by value and from the device in turn.
 */
#ifndef TEST_PART_PARTS_H
#define TEST_PART_PARTS_H

#include "harness/lapack_data.h"
#include "lapack/lapack.h"
#include "harness/numbers.h"

typedef struct part_case {
    gable_uplo uplo;
    dense_shape s;  /* at[0] is A's place, at[1] B's */
    T alpha, beta;  /* of laset */
    R from, to;     /* of lascl */
    bool exact;     /* integers and powers of two */
    bool on_device; /* scalars */
    int scale;      /* of the elements */
    uint64_t seed;
    guarded_fill fill; /* of what is written */
    guarded_fence fence;
} part_case;

typedef struct part_operands {
    dense A, B;
    guarded scalars;
} part_operands;

/* Elements of A that are read, and scalars. */
static void part_elements(part_operands *o, const part_case *c);
static gable_status part_enqueue(routine *r, const part_operands *o, const part_case *c);
static void part_compare(routine *r, part_operands *o, const part_case *c);

static const gable_uplo part_uplos[] = {GABLE_GENERAL, GABLE_UPPER, GABLE_LOWER};

static dense *part_written(part_operands *o)
{
    return PART_COPIES ? &o->B : &o->A;
}

static void part_begin(routine *r, const part_case *c, const char *more)
{
    r->cases++;
    test_case("%s %c %s variant=%s part=%s uplo=%d m=%lld n=%lld gaps=%lld,%lld offsets=%d,%d "
              "from=%g to=%g fence=%d seed=%llu scalars %s %s",
              PART_STEM, r->letter, test_device(), r->choice, r->part, (int)c->uplo,
              (long long)c->s.m, (long long)c->s.n, (long long)c->s.at[0].gap,
              (long long)c->s.at[1].gap, c->s.at[0].offset, c->s.at[1].offset, (double)c->from,
              (double)c->to, (int)c->fence, (unsigned long long)c->seed,
              c->on_device ? "on device" : "by value", more);
}

static bool part_build(routine *r, part_operands *o, const part_case *c)
{
    memset(o, 0, sizeof *o);
    if (!dense_make(&o->A, r->ctx, c->s.m, c->s.n, c->s.at[0], sizeof(T), NULL, 0,
                    PART_COPIES ? FILL_NAN : c->fill, c->fence) ||
        (PART_COPIES && !dense_make(&o->B, r->ctx, c->s.m, c->s.n, c->s.at[1], sizeof(T), NULL, 0,
                                    c->fill, c->fence)) ||
        (PART_SCALAR_BYTES > 0 &&
         !guarded_make(&o->scalars, r->ctx, 2, 1, PART_SCALAR_BYTES, 0, FILL_NAN, LOOSE)))
        return false;
    part_elements(o, c);
    return guarded_send(&o->A.v) && (!PART_COPIES || guarded_send(&o->B.v)) &&
           (PART_SCALAR_BYTES == 0 || guarded_send(&o->scalars));
}

static void part_destroy(part_operands *o)
{
    dense_destroy(&o->A);
    if (PART_COPIES)
        dense_destroy(&o->B);
    if (PART_SCALAR_BYTES > 0)
        guarded_destroy(&o->scalars);
}

static bool part_fetch(part_operands *o)
{
    return guarded_fetch(&o->A.v) && (!PART_COPIES || guarded_fetch(&o->B.v));
}

static gbl_product_call part_call(gbl_dtype dtype, gable_uplo uplo, int64_t m, int64_t n, void *A,
                                  int64_t lda, void *B, int64_t ldb)
{
    const double one = PART_SCALAR_BYTES > 0 ? 1 : 0;
    return (gbl_product_call){.dtype = dtype,
                              .uplo = uplo,
                              .m = m,
                              .n = n,
                              .alpha = {.re = one},
                              .beta = {.re = one},
                              .A = A,
                              .lda = lda,
                              .B = PART_COPIES ? B : NULL,
                              .ldb = PART_COPIES ? ldb : 0};
}

static bool part_run(routine *r, part_operands *o, const part_case *c)
{
    const gbl_product_call call =
        part_call(DTYPE, c->uplo, c->s.m, c->s.n, o->A.v.at, o->A.ld, o->B.v.at, o->B.ld);
    return routine_ran(r, part_enqueue(r, o, c), &call) && part_fetch(o);
}

static void part_check(routine *r, const part_case *c)
{
    part_operands o;
    part_begin(r, c, "");
    if (part_build(r, &o, c) && part_run(r, &o, c))
        part_compare(r, &o, c);
    part_destroy(&o);
}

static void part_check_all(routine *r, part_case c)
{
    for (int p = 0; p < 3; p++) {
        c.uplo = part_uplos[p];
        c.on_device = PART_SCALAR_BYTES > 0 && (p + c.s.m) % 2 == 1;
        part_check(r, &c);
    }
}

static void part_guards(routine *r, part_case c)
{
    int count;
    const dense_shape *shapes = dense_few_shapes(r, &count);
    for (int i = 0; i < count; i++)
        for (int w = 0; w < GUARDED_WAYS; w++) {
            c.s = shapes[i];
            c.seed = 30 + (uint64_t)i;
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.s.at[0].offset = c.s.at[1].offset = 0;
            part_check_all(r, c);
        }
}

/* Recorded with scalars on the device that are right only when it is replayed. */
static void part_repeat(routine *r, part_case c)
{
    part_operands o;
    gable_recording *recording = NULL;
    c.uplo = GABLE_UPPER;
    c.s = (dense_shape){.m = 70, .n = 50};
    c.on_device = PART_SCALAR_BYTES > 0;
    part_begin(r, &c, "recorded");
    if (part_build(r, &o, &c)) {
        if (c.on_device)
            CHECK_OK(r->ctx, gable_fill_bytes(r->ctx, o.scalars.memory, 0xff, o.scalars.bytes));
        CHECK_OK(r->ctx, gable_record_begin(r->ctx));
        CHECK_OK(r->ctx, part_enqueue(r, &o, &c));
        CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
        if (recording != NULL && (!c.on_device || guarded_send(&o.scalars)) &&
            CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && part_fetch(&o))
            part_compare(r, &o, &c);
        gable_recording_destroy(recording);
    }
    part_destroy(&o);
}

/* A matrix of order 3 with so many elements from column to column that offsets pass 2^31. */
#define PART_FAR_LD (((int64_t)1 << 30) + 7)
static bool part_far(routine *r, const part_case *c, far_memory *memory)
{
    const size_t bytes = (size_t)(2 * PART_FAR_LD + 3) * sizeof(T);
    if (!routine_far(r, bytes))
        return false;
    part_begin(r, c, "far apart");
    return far_take(r, 1, bytes, memory);
}

static const void *part_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[4]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 3)
        return NULL;
    call = part_call(r->dtype, part_uplos[i], 200, 200, memory, 208, memory + 2, 208);
    return &call;
}

/* Illegal calls, of which each begins with the context; then nothing was written. */
#define PART_REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
static void part_end_refused(routine *r, part_operands *o, const part_case *c)
{
    if (guarded_fetch(&part_written(o)->v))
        guarded_same(&part_written(o)->v, PART_COPIES ? "B" : "A");
    part_destroy(o);
    part_check(r, c);
}

#endif
