/* reduced_q.c: the six parts of tests of the unitary matrices of reductions.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include "harness/reduced_problem.h"
#include "lapack/lapack.h"

/* ---- Which cases ---- */

/* Around leaves of 8 to 32 reflectors and blocks of 32 to 128. */
static const int64_t orders[] = {1, 2, 3, 4, 5, 20, 33, 34, 65, 129, 130, 150};
static const int64_t few_orders[] = {5, 40};
#define ORDERS     ((int)(sizeof orders / sizeof orders[0]))
#define FEW_ORDERS ((int)(sizeof few_orders / sizeof few_orders[0]))
#define WAYS       4

static int order_count(const routine *r)
{
    return routine_slow_compiler(r) ? FEW_ORDERS : ORDERS;
}

/* Case i of a routine. Flags: uplo or vect from the first bit of `way`, where the reflectors stand
 * from the second; side and adjoint go with both. */
static reduced_case plain(const routine *r, int i, int way)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16}, wides[] = {1, 7, 40, 18};
    const bool slow = routine_slow_compiler(r), forms = reduced_form_of(r)->forms;
    const int64_t order = slow ? few_orders[i] : orders[i], across = wides[(i + way) % 4];
    reduced_case c = {.vect = way % 2 == 0 ? GABLE_VECT_Q : GABLE_VECT_P,
                      .uplo = way % 2 == 0 ? GABLE_UPPER : GABLE_LOWER,
                      .side = (i + way) % 2 == 0 ? GABLE_LEFT : GABLE_RIGHT,
                      .adjoint = (i / 2 + way / 2) % 2 == 1,
                      .m = order,
                      .n = order,
                      .ilo = way < 2 ? 1 : order / 4 + 1,
                      .ihi = way % 2 == 0 ? order : order - order / 5,
                      .place = {.gap = gaps[(i + way) % 5],
                                .offset = slow ? 0 : (i + way) % 3,
                                .columns = slow ? ALIKE : AS_IS},
                      .seed = 500 + 8 * (uint64_t)i + (uint64_t)way};
    if (c.ihi < c.ilo)
        c.ihi = c.ilo;
    if (!forms && c.side == GABLE_LEFT)
        c.n = across;
    else if (!forms)
        c.m = across;
    c.k = way < 2 ? order + 3 : (order + 1) / 2;
    if (i % 3 == 2 && way == 3)
        c.k = order;
    if (forms && reduced_form_of(r)->kind == REDUCED_BR && way >= 2) {
        /* fewer columns than rows, or the other way round */
        const int64_t side = c.k < order ? c.k + (order - c.k) / 2 : order;
        if (c.vect == GABLE_VECT_Q)
            c.n = side;
        else
            c.m = side;
    }
    return c;
}

static void each_case(routine *r, bool exact, int step, int64_t most, guarded_way around,
                      const char *more)
{
    for (int i = 0; i < order_count(r); i += step)
        for (int way = 0; way < WAYS; way++) {
            reduced_case c = plain(r, i, way);
            c.exact = exact;
            c.fill = around.fill;
            c.fence = around.fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            if (c.m * c.n <= most)
                reduced_check(r, &c, more);
        }
}

static const guarded_way loose = {FILL_NAN, LOOSE};

void reduced_exact(routine *r)
{
    each_case(r, true, 1, INT64_MAX, loose, "");
}

void reduced_residual(routine *r)
{
    each_case(r, false, 1, INT64_MAX, loose, "");
    if (reduced_form_of(r)->forms || routine_slow_compiler(r))
        return;
    for (int i = 3; i < order_count(r); i += 2)
        for (int way = 0; way < 4 * WAYS; way++) {
            reduced_case c = plain(r, i, way % WAYS);
            const int64_t order = reduced_order(r, &c), across = c.side == GABLE_LEFT ? c.n : c.m;
            c.side = way / WAYS % 2 == 0 ? GABLE_LEFT : GABLE_RIGHT;
            c.adjoint = way / WAYS / 2 == 1;
            c.m = c.side == GABLE_LEFT ? order : across;
            c.n = c.side == GABLE_LEFT ? across : order;
            reduced_check(r, &c, "all ways");
        }
}

/* ---- Edges ---- */

static void nothing(routine *r)
{
    const bool forms = reduced_form_of(r)->forms;
    reduced_call none = {.vect = GABLE_VECT_Q,
                         .side = GABLE_LEFT,
                         .uplo = GABLE_LOWER,
                         .trans = GABLE_NO_TRANS,
                         .ilo = 1,
                         .lda = 3,
                         .ldc = 3};
    const reduced_case c = {.side = GABLE_LEFT};
    reduced_begin(r, &c, "nothing to do");
    CHECK_OK(r->ctx, reduced_form_of(r)->run(r->ctx, &none));
    if (forms)
        return;
    none.m = none.ihi = 3;
    CHECK_OK(r->ctx, reduced_form_of(r)->run(r->ctx, &none));
    none.m = 0;
    none.n = 3;
    none.ihi = 0;
    CHECK_OK(r->ctx, reduced_form_of(r)->run(r->ctx, &none));
}

/* No reflectors: gehrd of one column; k = 0; a matrix of order 1. */
static void no_reflectors(routine *r)
{
    reduced_case c = plain(r, 1, 1);
    c.exact = true;
    if (reduced_form_of(r)->kind == REDUCED_HR)
        c.ihi = c.ilo = reduced_order(r, &c);
    else if (reduced_form_of(r)->kind == REDUCED_BR)
        c.k = 0;
    else
        return;
    reduced_check(r, &c, "no reflectors");
}

/* A NaN or an infinity among the vectors hangs nothing, and no row or column of C that belongs to
 * no reflector changes. */
static void not_finite(routine *r)
{
    for (int how = 0; how < 2; how++) {
        reduced_case c = plain(r, 1, 0);
        reduced_operands o;
        reduced_begin(r, &c, how == 0 ? "NaN" : "Inf");
        if (reduced_build(r, &o, &c) && o.count > 0) {
            number_put(r->dtype, &o.tau.v, 0, (number){how == 0 ? NAN : INFINITY, 0});
            if (guarded_send(&o.tau.v) && reduced_run(r, &o, &c))
                dense_gaps(reduced_form_of(r)->forms ? &o.A : &o.C, "what was written");
        }
        reduced_destroy(&o);
    }
}

void reduced_edges(routine *r)
{
    nothing(r);
    no_reflectors(r);
    not_finite(r);
}

void reduced_guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w += routine_slow_compiler(r) ? 2 : 1)
        each_case(r, false, 2, 5000, guarded_ways[w], "");
}

/* ---- Arguments ---- */

static void refused(routine *r, const reduced_call *call, const char *argument, const char *value)
{
    char text[64];
    const int position = routine_argument(reduced_form_of(r)->arguments, argument);
    if (position == 0)
        return;
    snprintf(text, sizeof text, "argument %d (%s)", position, argument);
    CHECK_REFUSED(r->ctx, reduced_form_of(r)->run(r->ctx, call), GABLE_BAD_ARGUMENT,
                  reduced_form_of(r)->name, text, value);
}

void reduced_arguments(routine *r)
{
    const reduced_case c = {.vect = GABLE_VECT_Q,
                            .side = GABLE_LEFT,
                            .uplo = GABLE_LOWER,
                            .m = 5,
                            .n = 5,
                            .k = 5,
                            .ilo = 1,
                            .ihi = 5,
                            .exact = true,
                            .seed = 77};
    reduced_operands o;
    reduced_begin(r, &c, "illegal arguments");
    if (reduced_build(r, &o, &c)) {
        const reduced_call good = reduced_call_of(r, &o, &c);
        CHECK_STATUS(NULL, reduced_form_of(r)->run(NULL, &good), GABLE_BAD_ARGUMENT);
#define REFUSED(argument, value, text)                                                             \
    do {                                                                                           \
        reduced_call bad = good;                                                                   \
        bad.argument = value;                                                                      \
        refused(r, &bad, #argument, text);                                                         \
    } while (0)
        REFUSED(vect, (gable_vect)3, "3");
        REFUSED(side, (gable_side)4, "4");
        REFUSED(uplo, (gable_uplo)7, "7");
        REFUSED(uplo, GABLE_GENERAL, "124");
        REFUSED(trans, (gable_trans)9, "9");
        if (gbl_dtype_complex(r->dtype))
            REFUSED(trans, GABLE_TRANS, "GABLE_TRANS");
        REFUSED(m, -1, "-1");
        REFUSED(n, -2, "-2");
        REFUSED(k, -3, "-3");
        REFUSED(ilo, 0, "0");
        REFUSED(ilo, 6, "6");
        REFUSED(ihi, 0, "0");
        REFUSED(ihi, 6, "6");
        REFUSED(A, NULL, "NULL");
        REFUSED(lda, 4, "4");
        REFUSED(tau, NULL, "NULL");
        REFUSED(C, NULL, "NULL");
        REFUSED(ldc, 4, "4");
        if (reduced_form_of(r)->forms && reduced_form_of(r)->kind == REDUCED_BR) {
            REFUSED(n, 6, "6");
            REFUSED(n, 4, "4");
            reduced_call rows = good;
            rows.vect = GABLE_VECT_P;
            rows.n = 4;
            refused(r, &rows, "n", "4");
            rows.n = 5;
            rows.m = 4;
            refused(r, &rows, "n", "5");
        }
#undef REFUSED
        if (guarded_fetch(&o.A.v))
            guarded_same(&o.A.v, "A");
        if (!reduced_form_of(r)->forms && guarded_fetch(&o.C.v))
            guarded_same(&o.C.v, "C");
    }
    reduced_destroy(&o);
    reduced_check(r, &c, "the context works on");
}

/* ---- Repeat ---- */

static bool same_bytes(const dense *a, const dense *b)
{
    return memcmp(a->v.got, b->v.got, a->v.bytes) == 0;
}

/* Alone and recorded; a second replay starts anew. */
void reduced_repeat(routine *r)
{
    const bool forms = reduced_form_of(r)->forms;
    for (int i = 0; i < order_count(r); i += 2) {
        const reduced_case c = plain(r, i, i / 2 % WAYS);
        reduced_operands first, second;
        gable_recording *recording = NULL;
        reduced_begin(r, &c, "recorded");
        memset(&second, 0, sizeof second);
        if (reduced_build(r, &first, &c) && reduced_run(r, &first, &c) &&
            reduced_build(r, &second, &c)) {
            const reduced_call call = reduced_call_of(r, &second, &c);
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, reduced_form_of(r)->run(r->ctx, &call));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            for (int round = 0; recording != NULL && round < 2; round++)
                if (guarded_send(&second.A.v) && (forms || guarded_send(&second.C.v)) &&
                    CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                    guarded_fetch(&second.A.v) && (forms || guarded_fetch(&second.C.v)))
                    CHECK(forms ? same_bytes(&first.A, &second.A) : same_bytes(&first.C, &second.C),
                          "the replay gave other bits");
            gable_recording_destroy(recording);
        }
        reduced_destroy(&first);
        reduced_destroy(&second);
    }
}

const void *reduced_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[8]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    const bool forms = reduced_form_of(r)->forms, tr = reduced_form_of(r)->kind == REDUCED_TR,
               br = reduced_form_of(r)->kind == REDUCED_BR;
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .side = forms ? 0 : GABLE_LEFT,
                              .trans = forms ? 0 : GABLE_NO_TRANS,
                              .m = 200,
                              .n = 200,
                              .k = br ? 200 : 0,
                              .A = memory,
                              .lda = 208,
                              .tau = memory + 2,
                              .C = forms ? NULL : memory + 4,
                              .ldc = forms ? 0 : 208};
    if (tr)
        call.uplo = GABLE_LOWER;
    else if (br)
        call.vect = GABLE_VECT_Q;
    else {
        call.ilo = 1;
        call.ihi = 200;
    }
    return &call;
}
