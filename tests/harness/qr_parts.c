/* qr_parts.c: the six parts of tests of reflectors.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "harness/qr_problem.h"
#include "lapack/lapack.h"

/* ---- Which cases ---- */

/* Around leaves of 8 to 32 columns and panels of 32 to 128; the last has rows for several groups.
 */
static const int64_t sizes[][2] = {{1, 1},   {1, 4},     {4, 1},     {2, 2},   {5, 3},   {3, 5},
                                   {8, 8},   {16, 9},    {17, 17},   {33, 16}, {20, 40}, {40, 33},
                                   {64, 65}, {100, 31},  {65, 63},   {200, 7}, {7, 150}, {129, 128},
                                   {90, 97}, {150, 131}, {131, 160}, {520, 10}};
static const int64_t few_sizes[][2] = {{40, 20}, {20, 36}, {70, 40}};
#define SIZES     ((int)(sizeof sizes / sizeof sizes[0]))
#define FEW_SIZES ((int)(sizeof few_sizes / sizeof few_sizes[0]))

static int size_count(const routine *r)
{
    return routine_slow_compiler(r) ? FEW_SIZES : SIZES;
}

/* Case i of a routine; of orgqr n <= m, of ormqr C has n columns and there are k reflectors. */
static qr_case plain(const routine *r, int i)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    const int64_t *size = slow ? few_sizes[i] : sizes[i];
    qr_case c = {
        .m = size[0],
        .n = size[1],
        .side = i % 2 == 0 ? GABLE_LEFT : GABLE_RIGHT,
        .adjoint = i / 2 % 2 == 1,
        .place = {.gap = gaps[i % 5], .offset = slow ? 0 : i % 3, .columns = slow ? ALIKE : AS_IS},
        .seed = 300 + (uint64_t)i};
    if (qr_form_of(r)->form != NULL && c.n > c.m) {
        c.n = size[0];
        c.m = size[1];
    }
    c.k = c.m < c.n ? c.m : c.n;
    if ((qr_is_applied(r) || qr_has_triangle(r)) && i % 3 == 1)
        c.k = c.m;
    if (qr_form_of(r)->form != NULL && i % 3 == 1)
        c.k = (c.k + 1) / 2;
    return c;
}

static bool has_sides(const routine *r)
{
    return qr_is_applied(r) && !routine_slow_compiler(r);
}

static void exact_part(routine *r)
{
    for (int i = 0; i < size_count(r); i++) {
        qr_case c = plain(r, i);
        c.kind = QR_EXACT;
        qr_check(r, &c, "");
    }
}

static void residual_part(routine *r)
{
    for (int i = 0; i < size_count(r); i++) {
        qr_case c = plain(r, i);
        const bool factor = qr_form_of(r)->factor != NULL;
        const int kinds = !factor ? 1 : c.m * c.n > 2500 && !r->all ? 2 : QR_KINDS - 1;
        for (int k = 0; k < kinds; k++) {
            c.kind = (qr_kind)(1 + (kinds == QR_KINDS - 1 ? k : (i + 3 * k) % (QR_KINDS - 1)));
            if (!factor)
                c.kind = QR_RANDOM;
            qr_check(r, &c, "");
        }
        for (int way = 0; has_sides(r) && way < 4 && c.m * c.n < 5000; way++) {
            c.side = way % 2 == 0 ? GABLE_LEFT : GABLE_RIGHT;
            c.adjoint = way / 2 == 1;
            c.k = c.m < c.n ? c.m : c.n;
            qr_check(r, &c, "all ways");
        }
        if (factor && i % 3 != 0)
            for (int far = -1; far <= 1; far += 2)
                for (int graded = 0; graded < 2; graded++) {
                    c.scale = lapack_far_scale(r->dtype, far);
                    c.kind = graded ? QR_GRADED : QR_RANDOM;
                    if (!graded || far > 0)
                        qr_check(r, &c, "far from 1");
                }
    }
}

/* ---- Edges ---- */

static void nothing(routine *r)
{
    const qr_form *f = qr_form_of(r);
    const qr_case c = {.m = 3, .n = 3, .k = 0, .side = GABLE_LEFT};
    gable_context *ctx = r->ctx;
    qr_begin(r, &c, "nothing to do");
    if (f->factor != NULL) {
        CHECK_OK(ctx, f->factor(ctx, 0, 3, NULL, 1, NULL));
        CHECK_OK(ctx, f->factor(ctx, 3, 0, NULL, 3, NULL));
    } else if (f->form != NULL) {
        CHECK_OK(ctx, f->form(ctx, 0, 0, 0, NULL, 1, NULL));
    } else if (f->triangle != NULL) {
        CHECK_OK(ctx, f->triangle(ctx, 3, 0, NULL, 3, NULL, NULL, 1));
        CHECK_OK(ctx, f->triangle(ctx, 0, 0, NULL, 1, NULL, NULL, 1));
    } else if (f->block != NULL) {
        CHECK_OK(ctx,
                 f->block(ctx, GABLE_LEFT, GABLE_NO_TRANS, 3, 0, 0, NULL, 3, NULL, 1, NULL, 3));
    } else {
        CHECK_OK(ctx, f->apply(ctx, GABLE_LEFT, GABLE_NO_TRANS, 3, 0, 0, NULL, 3, NULL, NULL, 3));
        CHECK_OK(ctx, f->apply(ctx, GABLE_LEFT, GABLE_NO_TRANS, 0, 3, 0, NULL, 1, NULL, NULL, 1));
    }
}

/* A NaN or an infinity spoils its column and those behind it, and hangs nothing. */
static void not_finite(routine *r)
{
    for (int i = 0; i < size_count(r); i++)
        for (int how = 0; how < 2; how++) {
            qr_case c = plain(r, i);
            const int64_t bad = c.n / 2 < c.m ? c.n / 2 : c.m - 1;
            qr_operands o;
            if (qr_form_of(r)->factor == NULL || c.m * c.n > 5000)
                continue;
            c.kind = QR_RANDOM;
            qr_begin(r, &c, how == 0 ? "NaN" : "Inf");
            if (qr_build(r, &o, &c)) {
                qr_send(r, &o.A, qr_form_of(r)->rows, c.m - 1, bad,
                        (number){how == 0 ? NAN : INFINITY, 0}, 0);
                if (guarded_send(&o.A.v) && qr_run(r, &o, &c))
                    for (int64_t j = 0; j < bad; j++)
                        for (int64_t l = 0; l < c.m; l++)
                            CHECK(number_finite(qr_fetched(r, &o.A, qr_form_of(r)->rows, l, j, 0)),
                                  "(%lld, %lld) is not finite", (long long)l, (long long)j);
            }
            qr_destroy(&o);
        }
}

/* No reflectors: op(Q) C is C, and the columns of Q are those of the identity. */
static void no_reflectors(routine *r)
{
    qr_case c = plain(r, 2);
    c.k = 0;
    c.kind = QR_EXACT;
    if (qr_form_of(r)->factor == NULL && qr_form_of(r)->triangle == NULL)
        qr_check(r, &c, "no reflectors");
}

static void edges_part(routine *r)
{
    nothing(r);
    not_finite(r);
    no_reflectors(r);
}

static void guards_part(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w++)
        for (int i = w % 2; i < size_count(r); i += 2) {
            qr_case c = plain(r, i);
            c.kind = QR_RANDOM;
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            if (c.m * c.n <= 5000)
                qr_check(r, &c, "");
        }
}

/* ---- Arguments ---- */

static void arguments_part(routine *r)
{
    const qr_form *f = qr_form_of(r);
    const qr_case c = {.m = 5, .n = 5, .k = 5, .side = GABLE_LEFT, .kind = QR_EXACT};
    qr_operands o;
    qr_begin(r, &c, "illegal arguments");
    if (qr_build(r, &o, &c)) {
        qr_refused(r, f, o.A.v.at, o.tau.v.at, o.T.v.at, o.C.v.at);
        if (guarded_fetch(&o.A.v))
            guarded_same(&o.A.v, "A");
        if (qr_is_applied(r) && guarded_fetch(&o.C.v))
            guarded_same(&o.C.v, "C");
    }
    qr_destroy(&o);
    qr_check(r, &c, "the context works on");
}

/* ---- Repeat ---- */

static bool same_bytes(const dense *a, const dense *b)
{
    return memcmp(a->v.got, b->v.got, a->v.bytes) == 0;
}

/* Alone and recorded; a second replay starts anew. */
static void repeat_part(routine *r)
{
    const bool apply = qr_is_applied(r), triangle = qr_form_of(r)->triangle != NULL;
    for (int i = 0; i < size_count(r); i += 2) {
        qr_case c = plain(r, i);
        qr_operands first, second;
        gable_recording *recording = NULL;
        c.kind = QR_RANDOM;
        qr_begin(r, &c, "recorded");
        memset(&second, 0, sizeof second);
        if (qr_build(r, &first, &c) && qr_run(r, &first, &c) && qr_build(r, &second, &c)) {
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, qr_enqueue(r, &second, &c));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            for (int round = 0; recording != NULL && round < 2; round++)
                if (guarded_send(&second.A.v) && (!apply || guarded_send(&second.C.v)) &&
                    CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                    guarded_fetch(&second.A.v) && guarded_fetch(&second.tau.v) &&
                    (!triangle || guarded_fetch(&second.T.v)) &&
                    (!apply || guarded_fetch(&second.C.v)))
                    CHECK(same_bytes(&first.A, &second.A) && same_bytes(&first.tau, &second.tau) &&
                              (!apply || same_bytes(&first.C, &second.C)) &&
                              (!triangle || same_bytes(&first.T, &second.T)),
                          "the replay gave other bits");
            gable_recording_destroy(recording);
        }
        qr_destroy(&first);
        qr_destroy(&second);
    }
}

void qr_exact(routine *r)
{
    qr_each_form(r, exact_part);
}

void qr_residual(routine *r)
{
    qr_each_form(r, residual_part);
}

void qr_edges(routine *r)
{
    qr_each_form(r, edges_part);
}

void qr_guards(routine *r)
{
    qr_each_form(r, guards_part);
}

void qr_arguments(routine *r)
{
    qr_each_form(r, arguments_part);
}

void qr_repeat(routine *r)
{
    qr_each_form(r, repeat_part);
}

const void *qr_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[8]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    const bool apply = qr_is_applied(r), triangle = qr_has_triangle(r);
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .side = GABLE_LEFT,
                              .trans = GABLE_NO_TRANS,
                              .m = 200,
                              .n = 200,
                              .k = 200,
                              .A = memory,
                              .lda = 208,
                              .tau = memory + 2,
                              .B = triangle ? memory + 6 : NULL,
                              .ldb = triangle ? 208 : 0,
                              .C = apply ? memory + 4 : NULL,
                              .ldc = apply ? 208 : 0};
    return &call;
}
