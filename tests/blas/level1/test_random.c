/* test_random.c: the six parts of random: x_i uniform in [low, high), from a seed and a position
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every number is known in advance, on every device, bit for bit: `exact` compares with a Philox of
 * the test's own, which is held to the known answers of its authors. `residual` asks the numbers
 * themselves: mean, variance, correlation of neighbours, and the frequencies of the leading and of
 * the last six bits, each within 5 standard deviations of what uniform numbers give. Seeds are
 * fixed, so the outcome is too.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "harness/philox.h"
#include "harness/routine.h"
#include "harness/numbers.h"

typedef struct stream {
    uint64_t seed, first;
    R low, high;
} stream;

/* Real number r of a seed, in [0, 1). */
static double uniform(uint64_t seed, uint64_t r)
{
    if (sizeof(R) == 4)
        return (double)(philox_block(seed, r / 4).word[r % 4] >> 8) * 0x1p-24;
    const philox_words w = philox_block(seed, r / 2);
    const uint64_t bits = (uint64_t)w.word[2 * (r % 2)] << 32 | w.word[2 * (r % 2) + 1];
    return (double)(bits >> 11) * 0x1p-53;
}

static R real_number(const stream *t, uint64_t r)
{
    const R width = t->high - t->low, u = (R)uniform(t->seed, r);
    return sizeof(R) == 4 ? (R)fmaf((float)u, (float)width, (float)t->low)
                          : (R)fma(u, width, t->low);
}

static T number(const stream *t, int64_t i)
{
    const uint64_t r = (t->first + (uint64_t)i) * REALS;
    return make(real_number(t, r), COMPLEX ? real_number(t, r + 1) : 0);
}

static bool run(routine *r, const guarded *x, const stream *t)
{
    const gbl_vector_call call =
        TYPED_CALL(.n = x->n, .alpha = {NULL, t->low, 0}, .beta = {NULL, t->high - t->low, 0},
                   .x = x->at, .incx = x->inc, .seed = t->seed, .first = t->first);
    return routine_ran(r,
                       FN(random)(r->ctx, x->n, t->seed, t->first, t->low, t->high, x->at, x->inc),
                       x->n > 0 ? &call : NULL);
}

static void exact_case(routine *r, const shape *s, const stream *t, guarded_fill fill,
                       guarded_fence fence)
{
    guarded x;
    char more[128];
    snprintf(more, sizeof more, "first=%llu low=%g high=%g fence=%d", (unsigned long long)t->first,
             t->low, t->high, (int)fence);
    routine_case(r, s, t->seed, more);
    if (guarded_make(&x, r->ctx, s->n, s->incx, sizeof(T), (size_t)s->offx * sizeof(R), fill,
                     fence) &&
        guarded_send(&x) && run(r, &x, t)) {
        for (int64_t i = 0; i < s->n; i++)
            put(&x, i, number(t, i));
        if (guarded_fetch(&x))
            guarded_same(&x, "x");
    }
    guarded_destroy(&x);
}

/* Streams that every kernel must get right: short seeds and long, places behind 2^32 and before the
 * end of all. Number i may use the words of a block in any place. */
static stream some_stream(int i)
{
    static const uint64_t seeds[] = {0, 1, 42, 0xffffffffu, 0x123456789abcdef0u, UINT64_MAX};
    static const uint64_t firsts[] = {
        0, 1, 2, 3, 5, 1023, (uint64_t)1 << 32, ((uint64_t)1 << 35) + 3, UINT64_MAX / 3};
    static const R ends[][2] = {{0, 1}, {-1, 1}, {2, 3}, {-7, -5}, {0, (R)0.1}};
    const int end = i % 5;
    return (stream){seeds[i % 6], firsts[i % 9], ends[end][0], ends[end][1]};
}

static void exact(routine *r)
{
    int count;
    const shape *shapes = routine_shapes(r, 1, &count);
    for (int i = 0; i < count; i++) {
        const stream t = some_stream(i);
        if (shapes[i].incx != 0)
            exact_case(r, &shapes[i], &t, FILL_NAN, LOOSE);
    }
}

/* ---- Statistics ---- */

#define DRAWN 200000 /* numbers per stream: a bin of 64 holds about 3000 of them */

/* The numbers of a stream from the device, as reals. */
static bool drawn(routine *r, const stream *t, R *reals)
{
    const shape s = {DRAWN / REALS, 1, 1, 0, 0};
    guarded x;
    routine_case(r, &s, t->seed, "drawn");
    const bool good = guarded_make(&x, r->ctx, s.n, 1, sizeof(T), 0, FILL_NAN, LOOSE) &&
                      guarded_send(&x) && run(r, &x, t) && guarded_fetch(&x);
    if (good)
        memcpy(reals, guarded_result(&x, 0), DRAWN * sizeof(R));
    guarded_destroy(&x);
    return good;
}

/* Numbers in [0, 1): their moments and the frequencies of their bits. */
static void statistics(routine *r, const R *u)
{
    const double n = DRAWN;
    const int bits = sizeof(R) == 4 ? 24 : 53;
    double sum = 0, squares = 0, neighbours = 0;
    long leading[64] = {0}, last[64] = {0};
    for (int i = 0; i < DRAWN; i++) {
        const double v = u[i] - 0.5;
        CHECK(u[i] >= 0 && u[i] < 1, "number %d is %g", i, u[i]);
        sum += v;
        squares += v * v;
        neighbours += i > 0 ? v * (u[i - 1] - 0.5) : 0;
        const uint64_t whole = (uint64_t)ldexp(u[i], bits);
        leading[whole >> (bits - 6) & 63]++;
        last[whole & 63]++;
    }
    /* Variances of v, v^2 and v v' for uniform v: 1/12, 1/180, 1/144. */
    routine_error(r, fabs(sum / n), 5 * sqrt(1 / (12 * n)), 1);
    routine_error(r, fabs(squares / n - 1.0 / 12), 5 * sqrt(1 / (180 * n)), 1);
    routine_error(r, fabs(neighbours / n), 5 * sqrt(1 / (144 * n)), 1);
    for (int which = 0; which < 2; which++) {
        double chi = 0;
        for (int b = 0; b < 64; b++) {
            const double off = (double)(which ? last : leading)[b] - n / 64;
            chi += off * off / (n / 64);
        }
        routine_error(r, fabs(chi - 63), 5 * sqrt(2 * 63), 1);
    }
}

/* Of two streams no more numbers are equal at one place than chance gives, and their product has
 * the mean of independent numbers. */
static void unrelated(routine *r, const R *a, const R *b)
{
    double product = 0;
    int same = 0;
    for (int i = 0; i < DRAWN; i++) {
        product += (a[i] - 0.5) * (b[i] - 0.5);
        same += a[i] == b[i];
    }
    CHECK(same <= 5, "%d numbers of two streams are equal", same);
    routine_error(r, fabs(product / DRAWN), 5 * sqrt(1.0 / (144.0 * DRAWN)), 1);
}

static void residual(routine *r)
{
    static const stream streams[] = {
        {1, 0, 0, 1}, {2, 0, 0, 1}, {(uint64_t)1 << 32, 0, 0, 1}, {1, (uint64_t)1 << 40, 0, 1}};
    enum { STREAMS = sizeof streams / sizeof streams[0] };
    R *reals = malloc(STREAMS * DRAWN * sizeof *reals);
    bool good = reals != NULL;
    CHECK(good, "no memory for %d numbers", STREAMS * DRAWN);
    for (int i = 0; good && i < STREAMS; i++) {
        good = drawn(r, &streams[i], reals + i * DRAWN);
        if (good)
            statistics(r, reals + i * DRAWN);
        for (int k = 0; good && k < i; k++)
            unrelated(r, reals + i * DRAWN, reals + k * DRAWN);
    }
    free(reals);
}

/* ---- Edges ---- */

/* The reference itself, against the known answers of Philox's authors. */
static void known_answers(routine *r)
{
    static const struct {
        philox_words counter;
        uint64_t key;
        philox_words answer;
    } known[] = {
        {{{0, 0, 0, 0}}, 0, {{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}}},
        {{{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu}},
         UINT64_MAX,
         {{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}}},
        {{{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}},
         0x299f31d0a4093822u,
         {{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}}},
    };
    const shape none = {0, 1, 1, 0, 0};
    routine_case(r, &none, 0, "known answers");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const philox_words found = philox(known[i].counter, known[i].key);
        CHECK(memcmp(&found, &known[i].answer, sizeof found) == 0,
              "the reference gives %08x first, not %08x", (unsigned)found.word[0],
              (unsigned)known[i].answer.word[0]);
    }
}

/* A vector made in pieces has the bits of one made at once. */
static void pieces(routine *r, const stream *t, int64_t incx)
{
    static const int64_t cuts[] = {0, 1, 2, 5, 8, 63, 64, 200, 777, 1000};
    const shape s = {1000, incx, 1, 0, 0};
    guarded x;
    routine_case(r, &s, t->seed, "in pieces");
    if (guarded_make(&x, r->ctx, s.n, incx, sizeof(T), 0, FILL_PATTERN, LOOSE) &&
        guarded_send(&x)) {
        bool good = true;
        for (size_t c = 0; good && c + 1 < sizeof cuts / sizeof cuts[0]; c++) {
            const int64_t n = cuts[c + 1] - cuts[c];
            /* BLAS's pointer of a piece: its low end. */
            const int64_t start = incx < 0 ? (cuts[c + 1] - s.n) * incx : cuts[c] * incx;
            guarded piece = x;
            stream part = *t;
            piece.n = n;
            piece.at = (T *)x.at + start;
            part.first += (uint64_t)cuts[c];
            good = run(r, &piece, &part);
        }
        for (int64_t i = 0; good && i < s.n; i++)
            put(&x, i, number(t, i));
        if (good && guarded_fetch(&x))
            guarded_same(&x, "x");
    }
    guarded_destroy(&x);
}

/* All numbers lie in [low, high], also where width and sum are rounded. */
static void within(routine *r, R low, R high)
{
    const stream t = {77, 5, low, high};
    const shape s = {4001, 1, 1, 0, 0};
    guarded x;
    char more[96];
    snprintf(more, sizeof more, "within %.17g and %.17g", low, high);
    routine_case(r, &s, t.seed, more);
    if (guarded_make(&x, r->ctx, s.n, 1, sizeof(T), 0, FILL_NAN, LOOSE) && guarded_send(&x) &&
        run(r, &x, &t) && guarded_fetch(&x)) {
        for (int64_t i = 0; i < s.n; i++) {
            const T v = got(&x, i), wanted = number(&t, i);
            CHECK(real_part(v) >= low && real_part(v) <= high, "element %lld is %.17g",
                  (long long)i, real_part(v));
            CHECK(!COMPLEX || (imaginary_part(v) >= low && imaginary_part(v) <= high),
                  "the imaginary part of element %lld is %.17g", (long long)i, imaginary_part(v));
            CHECK(memcmp(&v, &wanted, sizeof v) == 0, "element %lld is %.17g, not %.17g",
                  (long long)i, real_part(v), real_part(wanted));
        }
    }
    guarded_destroy(&x);
}

/* Elements more than 2^31 apart. */
static void far_apart(routine *r)
{
    const int64_t inc = ((int64_t)1 << 30) + 7;
    const size_t bytes = (2 * (size_t)inc + 1) * sizeof(T);
    const bool host = r->device->props.is_host;
    const stream t = {9, 4, 0, 1};
    if (!routine_far(r, bytes))
        return;
    for (int sign = -1; sign <= 1; sign += 2) {
        const shape s = {3, sign * inc, 1, 0, 0};
        T *memory = far_reserve(r->ctx, host, bytes), found[3];
        routine_case(r, &s, t.seed, "far apart");
        if (memory == NULL) {
            test_leave_out(NULL, "no address space of %zu bytes for strides past 2^31", bytes);
            return;
        }
        const guarded x = {.ctx = r->ctx, .n = 3, .inc = s.incx, .at = memory};
        if (run(r, &x, &t)) {
            CHECK_OK(r->ctx, gable_get_vector(r->ctx, 3, sizeof(T), memory, inc, found, 1));
            for (int i = 0; i < 3; i++) {
                const T wanted = number(&t, sign < 0 ? 2 - i : i);
                CHECK(memcmp(&found[i], &wanted, sizeof wanted) == 0, "element %d is %g, not %g", i,
                      real_part(found[i]), real_part(wanted));
            }
        }
        far_release(r->ctx, host, memory, bytes);
    }
}

static void edges(routine *r)
{
    static const uint64_t firsts[] = {0,
                                      3,
                                      ((uint64_t)1 << 32) - 7,
                                      ((uint64_t)1 << 34) - 9, /* the block passes 2^32: float */
                                      ((uint64_t)1 << 33) - 9, /* and double */
                                      ((uint64_t)1 << 63) - 5,
                                      UINT64_MAX - 6};
    const shape none = {0, 1, 1, 0, 0};
    known_answers(r);
    routine_case(r, &none, 0, "NULL pointers");
    CHECK_OK(r->ctx, FN(random)(r->ctx, 0, 1, 2, 0, 1, NULL, 1));
    for (int64_t inc = -1; inc <= 2; inc++) {
        const shape single = {1, inc != 0 ? inc : 5, 1, 1, 0};
        const stream t = {3, 8, -1, 1};
        exact_case(r, &single, &t, FILL_PATTERN, LOOSE);
    }
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        const stream t = {0x0123456789abcdefu + i, firsts[i], -1, 1};
        const shape plain = {1000, 1, 1, 0, 0}, shifted = {1000, 1, 1, 1, 0},
                    back = {37, -2, 1, 0, 0};
        exact_case(r, &plain, &t, FILL_NAN, LOOSE);
        exact_case(r, &shifted, &t, FILL_NAN, LOOSE);
        exact_case(r, &back, &t, FILL_NAN, LOOSE);
        pieces(r, &t, 1);
        pieces(r, &t, i % 2 ? -3 : 2);
    }
    within(r, 0, 0);
    within(r, 5, 5);
    within(r, (R)-0.1, (R)-0.1);
    within(r, (R)-0.1, (R)0.3);
    within(r, 1, (R)(1 + 4 * ROUNDOFF)); /* two numbers apart: half of them round up to high */
    within(r, 0, (R)(7 * REAL_DENORM));
    within(r, -REAL_MAX / 2, REAL_MAX / 2);
    within(r, REAL_MAX / 2, REAL_MAX);
    far_apart(r);
}

/* ---- Guards, arguments, repeat ---- */

static void guards(routine *r)
{
    int count;
    const shape *shapes = routine_few_shapes(r, 1, &count);
    for (int i = 0; i < count; i++) {
        const stream t = some_stream(i);
        exact_case(r, &shapes[i], &t, FILL_PATTERN, LOOSE);
        exact_case(r, &shapes[i], &t, FILL_NAN, LOOSE);
        exact_case(r, &shapes[i], &t, FILL_PATTERN, TIGHT_BEHIND);
        exact_case(r, &shapes[i], &t, FILL_PATTERN, TIGHT_BEFORE);
    }
}

static void arguments(routine *r)
{
    static const char name[] = NAME(FN(random));
    const shape s = {5, 1, 1, 0, 0};
    const R nan = (R)NAN, infinite = (R)INFINITY;
    gable_context *ctx = r->ctx;
    guarded g;
    T outside[5];
    memset(outside, 0, sizeof outside);
    routine_case(r, &s, 0, "");
    if (guarded_make(&g, ctx, 5, 1, sizeof(T), 0, FILL_PATTERN, LOOSE) && guarded_send(&g)) {
        T *x = g.at;
        CHECK_STATUS(NULL, FN(random)(NULL, 5, 1, 0, 0, 1, x, 1), GABLE_BAD_ARGUMENT);
        CHECK_REFUSED(ctx, FN(random)(ctx, -3, 1, 0, 0, 1, x, 1), GABLE_BAD_ARGUMENT, name,
                      "argument 2 (n)", "-3");
        CHECK_REFUSED(ctx, FN(random)(ctx, 5, 1, 0, nan, 1, x, 1), GABLE_BAD_ARGUMENT, name,
                      "argument 5 (low)", "nan");
        CHECK_REFUSED(ctx, FN(random)(ctx, 5, 1, 0, -infinite, 1, x, 1), GABLE_BAD_ARGUMENT, name,
                      "argument 5 (low)", "inf");
        CHECK_REFUSED(ctx, FN(random)(ctx, 5, 1, 0, 0, nan, x, 1), GABLE_BAD_ARGUMENT, name,
                      "argument 6 (high)", "nan");
        CHECK_REFUSED(ctx, FN(random)(ctx, 5, 1, 0, 0, infinite, x, 1), GABLE_BAD_ARGUMENT, name,
                      "argument 6 (high)", "inf");
        CHECK_REFUSED(ctx, FN(random)(ctx, 5, 1, 0, 3, 2, x, 1), GABLE_BAD_ARGUMENT, name,
                      "argument 6 (high)", "2", "3");
        CHECK_REFUSED(ctx, FN(random)(ctx, 5, 1, 0, -REAL_MAX, REAL_MAX, x, 1), GABLE_BAD_ARGUMENT,
                      name, "argument 6 (high)", "difference"); /* too wide for the format */
        CHECK_REFUSED(ctx, FN(random)(ctx, 5, 1, 0, 0, 1, NULL, 1), GABLE_BAD_ARGUMENT, name,
                      "argument 7 (x)", "NULL");
        CHECK_REFUSED(ctx, FN(random)(ctx, 5, 1, 0, 0, 1, x, 0), GABLE_BAD_ARGUMENT, name,
                      "argument 8 (incx)", "0");
        CHECK_REFUSED(ctx, FN(random)(ctx, -3, 1, 0, nan, 1, NULL, 0), GABLE_BAD_ARGUMENT, name,
                      "argument 2 (n)", "-3");
        if (!r->device->props.is_host)
            CHECK_REFUSED(ctx, FN(random)(ctx, 5, 1, 0, 0, 1, outside, 1), GABLE_BAD_ARGUMENT, name,
                          "argument 7 (x)", r->device->info.name, "gable_alloc");
        for (size_t i = 0; i < sizeof outside; i++)
            CHECK(((unsigned char *)outside)[i] == 0, "host memory was written");
        if (guarded_fetch(&g))
            guarded_same(&g, "x");
        CHECK_OK(ctx, FN(random)(ctx, 5, 1, 0, 0, 1, x, 1)); /* the context works on */
    }
    guarded_destroy(&g);
}

/* A recording makes the numbers at each replay, whatever was there. */
static void replayed(routine *r, const shape *s, const stream *t)
{
    guarded x;
    gable_recording *recording = NULL;
    routine_case(r, s, t->seed, "replayed");
    if (guarded_make(&x, r->ctx, s->n, s->incx, sizeof(T), (size_t)s->offx * sizeof(R), FILL_NAN,
                     LOOSE)) {
        CHECK_OK(r->ctx, gable_record_begin(r->ctx));
        CHECK_OK(r->ctx,
                 FN(random)(r->ctx, s->n, t->seed, t->first, t->low, t->high, x.at, s->incx));
        CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
        for (int i = 0; recording != NULL && i < 2; i++)
            if (guarded_send(&x))
                CHECK_OK(r->ctx, gable_replay(r->ctx, recording));
        for (int64_t i = 0; i < s->n; i++)
            put(&x, i, number(t, i));
        if (guarded_fetch(&x))
            guarded_same(&x, "x");
        gable_recording_destroy(recording);
    }
    guarded_destroy(&x);
}

/* Bits cannot differ between two calls or two variants where both are those of the reference. */
static void repeat(routine *r)
{
    int count;
    const shape *shapes = routine_few_shapes(r, 1, &count);
    for (int i = 0; i < count; i++) {
        const stream t = some_stream(i + 3);
        exact_case(r, &shapes[i], &t, FILL_NAN, LOOSE);
        exact_case(r, &shapes[i], &t, FILL_NAN, LOOSE);
        replayed(r, &shapes[i], &t);
    }
    for (int v = 0; routine_next_variant(r, &v);) {
        for (int i = 0; i < count; i++) {
            const stream t = some_stream(i + 5);
            exact_case(r, &shapes[i], &t, FILL_NAN, LOOSE);
        }
    }
}

const routine_parts PARTS =
    TEST_PARTS("random", .run = {exact, residual, edges, guards, arguments, repeat});
