/* condensed_parts.c: the six parts of tests of reductions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a routine must not read is NaN or a pattern, also the imaginary parts of a Hermitian
 * diagonal and what lies below the diagonal outside of ilo ... ihi.
 */
#include <stdio.h>
#include <stdlib.h>
#include "harness/condensed_data.h"
#include "harness/condensed_parts.h"
#include "harness/far_dense.h"
#include "lapack/lapack.h"

/* LAPACK's own tests accept 60 and 20. Right code gives less than 1, so ratios above SHOWN are
 * printed. */
#define LIMIT 30.0
#define SHOWN 3.0

typedef struct condensed_case {
    gable_uplo uplo;
    int64_t n, begin, end; /* of gehrd: rows and columns that are reduced, from 0 */
    dense_place place;
    condensed_kind kind;
    int scale;
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} condensed_case;

typedef struct operands {
    dense A, d, e, tau;
    number *given, *form, *vectors, *factors; /* A; T or H; the vectors of Q; tau */
} operands;

static const condensed_form *form_of(const routine *r)
{
    return r->parts->forms;
}

static bool symmetric(const routine *r)
{
    return form_of(r)->symmetric;
}

static void begin(routine *r, const condensed_case *c, const char *more)
{
    r->cases++;
    test_case("%s %s variant=%s part=%s uplo=%c n=%lld begin=%lld end=%lld gap=%lld offset=%d "
              "kind=%d scale=%d fence=%d seed=%llu %s",
              form_of(r)->name, test_device(), r->choice, r->part,
              c->uplo == GABLE_UPPER ? 'U' : 'L', (long long)c->n, (long long)c->begin,
              (long long)c->end, (long long)c->place.gap, c->place.offset, (int)c->kind, c->scale,
              (int)c->fence, (unsigned long long)c->seed, more);
}

/* ---- A case ---- */

/* Whether the routine may read and write element (i, j). */
static bool belongs(const routine *r, const condensed_case *c, int64_t i, int64_t j)
{
    if (symmetric(r))
        return lapack_in(c->uplo, i, j);
    return i <= j || (j >= c->begin && i < c->end);
}

static gbl_dtype real_of(const routine *r)
{
    return gbl_dtype_real_bytes(r->dtype) == 4 ? GBL_S : GBL_D;
}

static void put_matrix(routine *r, operands *o, const condensed_case *c)
{
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->n; i++) {
            const number a = o->given[i + j * c->n];
            if (belongs(r, c, i, j))
                number_put(r->dtype, &o->A.v, i + j * o->A.ld,
                           (number){ldexp(a.re, c->scale),
                                    symmetric(r) && i == j ? NAN : ldexp(a.im, c->scale)});
        }
}

static bool build(routine *r, operands *o, const condensed_case *c)
{
    const size_t elem = gbl_dtype_bytes(r->dtype), real = gbl_dtype_real_bytes(r->dtype);
    const int64_t n = c->n, reals = symmetric(r) ? n : 0;
    memset(o, 0, sizeof *o);
    o->given = lapack_matrix(n, n);
    o->form = lapack_matrix(n, n);
    o->vectors = lapack_matrix(n, n);
    o->factors = lapack_matrix(n, 1);
    if (o->given == NULL || o->form == NULL || o->vectors == NULL || o->factors == NULL ||
        !dense_make(&o->A, r->ctx, n, n, c->place, elem, NULL, 0, c->fill, c->fence) ||
        !dense_make(&o->d, r->ctx, reals, 1, c->place, real, NULL, 0, c->fill, c->fence) ||
        !dense_make(&o->e, r->ctx, reals > 0 ? n - 1 : 0, 1, c->place, real, NULL, 0, c->fill,
                    c->fence) ||
        !dense_make(&o->tau, r->ctx, n - 1, 1, c->place, elem, NULL, 0, c->fill, c->fence))
        return false;
    condensed_matrix(r->dtype, c->kind, symmetric(r), n, c->begin, c->end, c->seed, o->given);
    put_matrix(r, o, c);
    return guarded_send(&o->A.v) && guarded_send(&o->d.v) && guarded_send(&o->e.v) &&
           guarded_send(&o->tau.v);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->d);
    dense_destroy(&o->e);
    dense_destroy(&o->tau);
    free(o->given);
    free(o->form);
    free(o->vectors);
    free(o->factors);
}

static condensed_call call_of(const operands *o, const condensed_case *c)
{
    return (condensed_call){.uplo = c->uplo,
                            .n = c->n,
                            .ilo = c->begin + 1,
                            .ihi = c->end,
                            .A = o->A.v.at,
                            .lda = o->A.ld,
                            .d = o->d.v.at,
                            .e = o->e.v.at,
                            .tau = o->tau.v.at};
}

static gable_status enqueue(routine *r, const operands *o, const condensed_case *c)
{
    const condensed_call call = call_of(o, c);
    return form_of(r)->run(r->ctx, &call);
}

static bool fetch(operands *o)
{
    return guarded_fetch(&o->A.v) && guarded_fetch(&o->d.v) && guarded_fetch(&o->e.v) &&
           guarded_fetch(&o->tau.v);
}

/* ---- What came out ---- */

static number got(const routine *r, const operands *o, int64_t i, int64_t j, int scale)
{
    const number a = number_got(r->dtype, &o->A.v, i + j * o->A.ld);
    return (number){ldexp(a.re, -scale), ldexp(a.im, -scale)};
}

/* T from d and e, which also stand in A. */
static void take_tridiagonal(routine *r, operands *o, const condensed_case *c)
{
    const int64_t n = c->n;
    const bool lower = c->uplo == GABLE_LOWER;
    bool same = true;
    for (int64_t i = 0; i < n; i++) {
        const double d = ldexp(number_got(real_of(r), &o->d.v, i).re, -c->scale);
        const number diagonal = got(r, o, i, i, c->scale);
        o->form[i + i * n].re = d;
        same = same && diagonal.re == d && diagonal.im == 0;
        if (i + 1 < n) {
            const double e = ldexp(number_got(real_of(r), &o->e.v, i).re, -c->scale);
            const number beside = got(r, o, lower ? i + 1 : i, lower ? i : i + 1, c->scale);
            o->form[i + 1 + i * n].re = o->form[i + (i + 1) * n].re = e;
            same = same && beside.re == e && beside.im == 0;
        }
    }
    CHECK(same, "A does not hold d and e");
    for (int64_t i = 0; i + 1 < n; i++) {
        number *v = o->vectors + i * n;
        v[lower ? i + 1 : i].re = 1;
        for (int64_t k = lower ? i + 2 : 0; k < (lower ? n : i); k++)
            v[k] = got(r, o, k, lower ? i : i + 1, 0);
    }
}

static void take_hessenberg(routine *r, operands *o, const condensed_case *c)
{
    const int64_t n = c->n;
    for (int64_t j = 0; j < n; j++) {
        const bool reduced = j >= c->begin && j + 1 < c->end;
        for (int64_t i = 0; i < n && i <= (reduced ? j + 1 : j); i++)
            o->form[i + j * n] = got(r, o, i, j, c->scale);
        if (reduced) {
            o->vectors[j + 1 + j * n].re = 1;
            for (int64_t i = j + 2; i < c->end; i++)
                o->vectors[i + j * n] = got(r, o, i, j, 0);
            CHECK(o->form[j + 1 + j * n].im == 0, "H(%lld, %lld) is not real", (long long)j + 1,
                  (long long)j);
        } else if (j + 1 < n) {
            const number tau = number_got(r->dtype, &o->tau.v, j);
            CHECK(tau.re == 0 && tau.im == 0, "tau(%lld) is not 0", (long long)j);
        }
    }
}

static void judge(routine *r, const condensed_case *c, const char *what, double ratio)
{
    if (c->kind == CONDENSED_EXACT)
        CHECK(ratio == 0, "%s: the ratio is %g instead of 0", what, ratio);
    if (ratio > SHOWN)
        printf("%s n=%lld kind=%d scale=%d: %s %g\n", form_of(r)->name, (long long)c->n,
               (int)c->kind, c->scale, what, ratio);
    routine_error(r, ratio, 1, LIMIT);
}

static void check_untouched(routine *r, operands *o, const condensed_case *c)
{
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t i = 0; i < c->n; i++) {
            const int64_t at = i + j * o->A.ld;
            if (!belongs(r, c, i, j) &&
                memcmp(guarded_element(&o->A.v, at), guarded_result(&o->A.v, at),
                       o->A.v.elem_bytes) != 0) {
                CHECK(false, "(%lld, %lld) was changed", (long long)i, (long long)j);
                return;
            }
        }
    dense_gaps(&o->A, "A");
    dense_gaps(&o->d, "d");
    dense_gaps(&o->e, "e");
    dense_gaps(&o->tau, "tau");
}

static void compare(routine *r, operands *o, const condensed_case *c)
{
    for (int64_t i = 0; i + 1 < c->n; i++)
        o->factors[i] = number_got(r->dtype, &o->tau.v, i);
    if (symmetric(r))
        take_tridiagonal(r, o, c);
    else
        take_hessenberg(r, o, c);
    const condensed_q q = {.n = c->n,
                           .count = c->n - 1,
                           .V = o->vectors,
                           .tau = o->factors,
                           .forward = !symmetric(r) || c->uplo == GABLE_LOWER};
    judge(r, c, "residual", condensed_residual(r->dtype, &q, o->given, o->form));
    judge(r, c, "orthogonality", condensed_orthogonality(r->dtype, &q));
    check_untouched(r, o, c);
}

/* A column by calls is made of a dozen kernels. Where they take a second each, s alone has them;
 * the other precisions have the variant that is chosen. */
static bool left_out(const routine *r)
{
    return routine_slow_compiler(r) && r->dtype != GBL_S && strcmp(r->choice, "default") != 0;
}

/* `panels` of gehrd is forced, and nothing is there to reduce: it does not fit. */
static bool too_few(const routine *r, int64_t order)
{
    return !symmetric(r) && order < 2 && strstr(r->choice, "panels") != NULL;
}

static void check(routine *r, const condensed_case *c, const char *more)
{
    operands o;
    if (left_out(r) || too_few(r, c->end - c->begin))
        return;
    begin(r, c, more);
    if (build(r, &o, c) && routine_ran(r, enqueue(r, &o, c), NULL) && fetch(&o))
        compare(r, &o, c);
    destroy(&o);
}

/* ---- Which cases ---- */

/* Around panels of 16 and 32 columns. */
static const int64_t sizes[] = {1, 2, 3, 4, 5, 15, 16, 17, 20, 31, 32, 33, 65, 98};
static const int64_t few_sizes[] = {3, 35, 66};
#define SIZES     ((int)(sizeof sizes / sizeof sizes[0]))
#define FEW_SIZES ((int)(sizeof few_sizes / sizeof few_sizes[0]))

static int size_count(const routine *r)
{
    return routine_slow_compiler(r) ? FEW_SIZES : SIZES;
}

static bool has_triangles(const routine *r)
{
    return symmetric(r) && !routine_slow_compiler(r);
}

/* Case i: the whole matrix, or of gehrd every third time a part of it. Where kernels compile slowly
 * each precision has one triangle. */
static condensed_case plain(const routine *r, int i)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    const int64_t n = slow ? few_sizes[i] : sizes[i];
    condensed_case c = {
        .uplo = (slow ? (int)r->dtype : i) % 2 == 0 ? GABLE_LOWER : GABLE_UPPER,
        .n = n,
        .end = n,
        .place = {.gap = gaps[i % 5], .offset = slow ? 0 : i % 3, .columns = slow ? ALIKE : AS_IS},
        .kind = CONDENSED_RANDOM,
        .seed = 500 + (uint64_t)i};
    if (!symmetric(r) && i % 3 == 2) {
        c.begin = n / 5;
        c.end = n - n / 7;
    }
    return c;
}

static gable_uplo other(gable_uplo uplo)
{
    return uplo == GABLE_LOWER ? GABLE_UPPER : GABLE_LOWER;
}

void condensed_exact(routine *r)
{
    if (left_out(r))
        test_leave_out(NULL, "%s runs with GABLE_TEST_ALL=1 only: kernels compile slowly",
                       form_of(r)->name);
    for (int i = 0; i < size_count(r); i++) {
        condensed_case c = plain(r, i);
        c.kind = CONDENSED_EXACT;
        check(r, &c, "");
        c.uplo = other(c.uplo);
        if (has_triangles(r))
            check(r, &c, "the other triangle");
    }
}

/* Near the roots of overflow and underflow. */
static void far_from_one(routine *r, condensed_case c)
{
    const int exponent = gbl_dtype_real_bytes(r->dtype) == 4 ? 62 : 510;
    for (int far = -1; far <= 1; far += 2) {
        c.scale = far * exponent;
        c.kind = CONDENSED_RANDOM;
        check(r, &c, "far from 1");
        c.kind = CONDENSED_GRADED;
        check(r, &c, "far from 1");
    }
}

void condensed_ratios(routine *r)
{
    for (int i = 0; i < size_count(r); i++) {
        condensed_case c = plain(r, i);
        const int step = c.n > 40 && !r->all ? 3 : 1;
        for (int kind = CONDENSED_RANDOM; kind < CONDENSED_KINDS; kind += step) {
            c.kind = (condensed_kind)kind;
            check(r, &c, "");
            c.uplo = other(c.uplo);
            if (has_triangles(r))
                check(r, &c, "the other triangle");
        }
        if (c.n <= 40 || r->all)
            far_from_one(r, c);
    }
}

/* A NaN or an infinity ends, and stays in its triangle. */
static void not_finite(routine *r)
{
    for (int i = 0; i < size_count(r); i++)
        for (int how = 0; how < 2; how++) {
            condensed_case c = plain(r, i);
            const int64_t row = c.uplo == GABLE_LOWER ? c.n - 1 : 0, column = c.n - 1 - row;
            operands o;
            if (c.n > 40 || left_out(r) || too_few(r, c.end - c.begin))
                continue;
            begin(r, &c, how == 0 ? "NaN" : "Inf");
            if (build(r, &o, &c)) {
                number_put(r->dtype, &o.A.v, row + column * o.A.ld,
                           (number){how == 0 ? NAN : INFINITY, 0});
                if (guarded_send(&o.A.v) && routine_ran(r, enqueue(r, &o, &c), NULL) && fetch(&o))
                    check_untouched(r, &o, &c);
            }
            destroy(&o);
        }
}

/* Of one row and column there is no e and no tau. */
static void alone(routine *r)
{
    condensed_case c = plain(r, 0);
    operands o;
    c.n = c.end = 1;
    c.begin = 0;
    begin(r, &c, "no reflectors");
    if (left_out(r) || too_few(r, 1))
        return;
    if (build(r, &o, &c)) {
        condensed_call call = call_of(&o, &c);
        call.e = call.tau = NULL;
        CHECK_OK(r->ctx, form_of(r)->run(r->ctx, &call));
        if (fetch(&o))
            compare(r, &o, &c);
    }
    destroy(&o);
}

/* Columns so far apart that offsets pass 2^31 elements, with a panel and what stands behind it. */
static void far_apart(routine *r)
{
    for (int i = 0; i < (symmetric(r) ? 2 : 1) && !left_out(r); i++) {
        condensed_case c = {.uplo = i == 0 ? GABLE_LOWER : GABLE_UPPER,
                            .n = FAR_COLUMNS + 2,
                            .end = FAR_COLUMNS + 2,
                            .kind = CONDENSED_RANDOM,
                            .seed = 590};
        operands o;
        far_dense far;
        begin(r, &c, "far apart");
        if (build(r, &o, &c) && far_dense_begin(r, &o.A, &far)) {
            const bool ran = routine_ran(r, enqueue(r, &o, &c), NULL);
            far_dense_end(r, &o.A, &far);
            if (ran && fetch(&o))
                compare(r, &o, &c);
        }
        destroy(&o);
    }
}

void condensed_edges(routine *r)
{
    const condensed_case c = {.n = 0, .uplo = GABLE_LOWER};
    const condensed_call nothing = {.uplo = GABLE_UPPER, .ilo = 1, .lda = 1};
    begin(r, &c, "nothing to do");
    CHECK_OK(r->ctx, form_of(r)->run(r->ctx, &nothing));
    alone(r);
    not_finite(r);
    far_apart(r);
    for (int way = 0; !symmetric(r) && way < 3; way++) {
        condensed_case part = plain(r, 1);
        part.n = routine_slow_compiler(r) ? 35 : 37;
        part.begin = way == 0 ? 7 : way == 1 ? 12 : 0;
        part.end = way == 0 ? 8 : way == 1 ? 14 : 30;
        check(r, &part, "few rows and columns");
    }
}

void condensed_guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w++)
        for (int i = w % 2; i < size_count(r); i += 2) {
            condensed_case c = plain(r, i);
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            if (c.n < 50)
                check(r, &c, "");
        }
    /* From order 33 on OpenBLAS 0.3.21 reads up to a column past the end of a Hermitian matrix. */
    for (int k = 0; k < 2 * GUARDED_WAYS && r->device->props.is_host; k++) {
        condensed_case c = {.uplo = k % 2 == 0 ? GABLE_LOWER : GABLE_UPPER,
                            .n = 63,
                            .end = 63,
                            .kind = CONDENSED_RANDOM,
                            .seed = 580,
                            .fill = guarded_ways[k / 2].fill,
                            .fence = guarded_ways[k / 2].fence};
        check(r, &c, "");
    }
}

/* ---- Arguments ---- */

static void refused(routine *r, const condensed_call *call, const char *argument, const char *value)
{
    char text[64];
    const int position = routine_argument(form_of(r)->arguments, argument);
    if (position == 0)
        return;
    snprintf(text, sizeof text, "argument %d (%s)", position, argument);
    CHECK_REFUSED(r->ctx, form_of(r)->run(r->ctx, call), GABLE_BAD_ARGUMENT, form_of(r)->name, text,
                  value);
}

void condensed_arguments(routine *r)
{
    condensed_case c = {.uplo = GABLE_LOWER, .n = 5, .end = 5, .kind = CONDENSED_EXACT};
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        const condensed_call good = call_of(&o, &c);
        CHECK_STATUS(NULL, form_of(r)->run(NULL, &good), GABLE_BAD_ARGUMENT);
#define REFUSED(argument, value, text)                                                             \
    do {                                                                                           \
        condensed_call bad = good;                                                                 \
        bad.argument = value;                                                                      \
        refused(r, &bad, #argument, text);                                                         \
    } while (0)
        REFUSED(uplo, (gable_uplo)7, "7");
        REFUSED(uplo, GABLE_GENERAL, "124");
        REFUSED(n, -1, "-1");
        REFUSED(ilo, 0, "0");
        REFUSED(ilo, 6, "6");
        REFUSED(ihi, 0, "0");
        REFUSED(ihi, 6, "6");
        REFUSED(A, NULL, "NULL");
        REFUSED(lda, 4, "4");
        REFUSED(d, NULL, "NULL");
        REFUSED(e, NULL, "NULL");
        REFUSED(tau, NULL, "NULL");
#undef REFUSED
        if (fetch(&o)) {
            guarded_same(&o.A.v, "A");
            guarded_same(&o.d.v, "d");
            guarded_same(&o.e.v, "e");
            guarded_same(&o.tau.v, "tau");
        }
    }
    destroy(&o);
    if (routine_slow_compiler(r))
        c = plain(r, 0);
    check(r, &c, "the context works on");
}

/* ---- Repeat ---- */

static bool same_bytes(const dense *a, const dense *b)
{
    return memcmp(a->v.got, b->v.got, a->v.bytes) == 0;
}

/* Alone, and recorded; a second replay starts anew. */
void condensed_repeat(routine *r)
{
    for (int i = routine_slow_compiler(r) ? 1 : 2; !left_out(r) && i < size_count(r); i += 3) {
        const condensed_case c = plain(r, i);
        operands first, second;
        gable_recording *recording = NULL;
        begin(r, &c, "recorded");
        memset(&second, 0, sizeof second);
        if (build(r, &first, &c) && routine_ran(r, enqueue(r, &first, &c), NULL) && fetch(&first) &&
            build(r, &second, &c)) {
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, enqueue(r, &second, &c));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            for (int round = 0; recording != NULL && round < 2; round++)
                if (guarded_send(&second.A.v) &&
                    CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && fetch(&second))
                    CHECK(same_bytes(&first.A, &second.A) && same_bytes(&first.d, &second.d) &&
                              same_bytes(&first.e, &second.e) &&
                              same_bytes(&first.tau, &second.tau),
                          "the replay gave other bits");
            gable_recording_destroy(recording);
        }
        destroy(&first);
        destroy(&second);
    }
}

const void *condensed_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[8]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){
        .dtype = r->dtype, .m = 200, .n = 200, .A = memory, .lda = 208, .tau = memory + 2};
    if (symmetric(r)) {
        call.uplo = GABLE_LOWER;
        call.d = memory + 4;
        call.e = memory + 6;
    } else {
        call.ilo = 1;
        call.ihi = 200;
    }
    return &call;
}
