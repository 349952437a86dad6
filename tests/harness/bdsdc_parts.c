/* bdsdc_parts.c: the six parts of the test of bdsdc.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include "harness/bdsdc_parts.h"
#include "harness/dense_data.h"
#include "harness/singular_data.h"
#include "lapack/lapack.h"

#define VALUES_LIMIT 30.0 /* singular_parts.c */

/* Diagonals of powers of two; random; zeros; the identity; all ones (no deflation: the values are
 * those of 1-2-1); equal diagonals, hardly coupled; even, geometric and clustered diagonals, hardly
 * coupled; entries e^x, x between 2 log ulp and -2 log ulp; random ones that get smaller and
 * smaller, or larger and larger. */
enum {
    KIND_EXACT,
    KIND_RANDOM,
    KIND_ZERO,
    KIND_IDENTITY,
    KIND_ONES,
    KIND_EQUAL,
    KIND_EVEN,
    KIND_GEOMETRIC,
    KIND_CLUSTERED,
    KIND_EXPONENTIAL,
    KIND_GRADED,
    KIND_GRADED_UP,
    KINDS
};

typedef struct bdsdc_case {
    int64_t n;
    bool lower, vectors, on_host;
    int kind, scale;
    dense_place place;
    guarded_fill fill;
    guarded_fence fence;
    uint64_t seed;
} bdsdc_case;

typedef struct operands {
    dense d, e, U, Vt;
    result_place info;
    number *B; /* n by n */
} operands;

typedef struct outcome {
    double *s;
    number *U, *Vt;
} outcome;

static const bdsdc_form *form_of(const routine *r)
{
    return r->parts->forms;
}

static void begin(routine *r, const bdsdc_case *c, const char *more)
{
    r->cases++;
    test_case("%s %s variant=%s part=%s n=%lld lower=%d vectors=%d gap=%lld offset=%d kind=%d "
              "scale=%d fence=%d seed=%llu %s",
              form_of(r)->name, test_device(), r->choice, r->part, (long long)c->n, c->lower,
              c->vectors, (long long)c->place.gap, c->place.offset, c->kind, c->scale,
              (int)c->fence, (unsigned long long)c->seed, more);
}

/* ---- A case ---- */

/* Element `at` of the diagonal (0, 2, ...) or beside it (1, 3, ...). */
static double element(const routine *r, const bdsdc_case *c, int64_t at)
{
    const double ulp = 2 * number_roundoff(r->dtype), x = data_double(c->seed, (uint64_t)at),
                 where = c->n > 1 ? (double)(at / 2) / (double)(c->n - 1) : 0;
    const uint64_t bits = data_bits(c->seed, (uint64_t)at);
    const bool beside = at % 2 == 1;
    switch (c->kind) {
    case KIND_EXACT:
        return beside || bits % 7 == 3 ? 0 : ldexp(bits % 2 == 0 ? 1 : -1, (int)(bits / 2 % 4));
    case KIND_RANDOM:
        return x;
    case KIND_ZERO:
        return 0;
    case KIND_IDENTITY:
        return beside ? 0 : 1;
    case KIND_ONES:
        return 1;
    case KIND_EQUAL:
        return beside ? 8 * ulp * x : 1;
    case KIND_EVEN:
        return beside ? ulp * x : 1 - where * (1 - ulp);
    case KIND_GEOMETRIC:
        return pow(ulp, where) * (beside ? x : 1);
    case KIND_CLUSTERED:
        return beside ? ulp * x : at == 0 ? 1 : ulp;
    case KIND_EXPONENTIAL:
        return exp(2 * log(ulp) * x);
    case KIND_GRADED:
        return exp2(-0.4 * (double)at) * (x + (x < 0 ? -0.5 : 0.5));
    default:
        return exp2(-0.4 * (double)(2 * c->n - at)) * (x + (x < 0 ? -0.5 : 0.5));
    }
}

static bool build(routine *r, operands *o, const bdsdc_case *c)
{
    const size_t elem = gbl_dtype_bytes(r->dtype);
    const int64_t n = c->n;
    memset(o, 0, sizeof *o);
    o->B = lapack_matrix(n, n);
    if (o->B == NULL || !result_make(&o->info, r->ctx, sizeof(int64_t), c->on_host) ||
        !dense_make(&o->d, r->ctx, n, 1, c->place, elem, NULL, 0, c->fill, c->fence) ||
        !dense_make(&o->e, r->ctx, n - 1, 1, c->place, elem, NULL, 0, c->fill, c->fence))
        return false;
    if (c->vectors &&
        (!dense_make(&o->U, r->ctx, n, n, c->place, elem, NULL, 0, c->fill, c->fence) ||
         !dense_make(&o->Vt, r->ctx, n, n, c->place, elem, NULL, 0, c->fill, c->fence)))
        return false;
    for (int64_t at = 0; at < 2 * n - 1; at++) {
        const int64_t i = at / 2, row = at % 2 == 1 && c->lower ? i + 1 : i,
                      column = at % 2 == 1 && !c->lower ? i + 1 : i;
        const dense *to = at % 2 == 1 ? &o->e : &o->d;
        number_put(r->dtype, &to->v, i, (number){ldexp(element(r, c, at), c->scale), 0});
        o->B[row + column * n].re = ldexp(number_get(r->dtype, &to->v, i).re, -c->scale);
    }
    return guarded_send(&o->d.v) && guarded_send(&o->e.v) &&
           (!c->vectors || (guarded_send(&o->U.v) && guarded_send(&o->Vt.v)));
}

static void destroy(operands *o)
{
    dense_destroy(&o->d);
    dense_destroy(&o->e);
    dense_destroy(&o->U);
    dense_destroy(&o->Vt);
    free(o->B);
}

static bdsdc_call call_of(const operands *o, const bdsdc_case *c)
{
    return (bdsdc_call){.uplo = c->lower ? GABLE_LOWER : GABLE_UPPER,
                        .compq = c->vectors ? GABLE_IDENTITY_VECTORS : GABLE_NO_VECTORS,
                        .n = c->n,
                        .d = o->d.v.at,
                        .e = o->e.v.at,
                        .U = o->U.v.at,
                        .ldu = c->vectors ? o->U.ld : 1,
                        .Vt = o->Vt.v.at,
                        .ldvt = c->vectors ? o->Vt.ld : 1,
                        .info = o->info.at};
}

static bool fetch(operands *o, const bdsdc_case *c)
{
    return guarded_fetch(&o->d.v) && guarded_fetch(&o->e.v) &&
           (!c->vectors || (guarded_fetch(&o->U.v) && guarded_fetch(&o->Vt.v)));
}

static bool run(routine *r, operands *o, const bdsdc_case *c, int64_t want)
{
    const bdsdc_call call = call_of(o, c);
    const gbl_product_call asked = {
        .dtype = r->dtype, .job = call.compq, .m = c->n, .n = c->n, .d = call.d};
    int64_t info = -77;
    if (!routine_ran(r, form_of(r)->run(r->ctx, &call), &asked)) {
        result_untouched(&o->info);
        return false;
    }
    if (result_take(&o->info, &info))
        CHECK(info == want, "info is %lld instead of %lld", (long long)info, (long long)want);
    return fetch(o, c);
}

static void gaps(const operands *o, const bdsdc_case *c)
{
    dense_gaps(&o->d, "d");
    dense_gaps(&o->e, "e");
    if (c->vectors) {
        dense_gaps(&o->U, "U");
        dense_gaps(&o->Vt, "Vt");
    }
}

static void drop(outcome *got)
{
    free(got->s);
    free(got->U);
    free(got->Vt);
}

static bool take(const routine *r, const operands *o, const bdsdc_case *c, outcome *got)
{
    const int64_t n = c->n;
    memset(got, 0, sizeof *got);
    got->s = calloc((size_t)n, sizeof *got->s);
    if (got->s == NULL)
        return false;
    for (int64_t i = 0; i < n; i++)
        got->s[i] = ldexp(number_got(r->dtype, &o->d.v, i).re, -c->scale);
    if (!c->vectors)
        return true;
    got->U = lapack_matrix(n, n);
    got->Vt = lapack_matrix(n, n);
    for (int64_t j = 0; j < n && got->U != NULL && got->Vt != NULL; j++)
        for (int64_t i = 0; i < n; i++) {
            got->U[i + j * n] = number_got(r->dtype, &o->U.v, i + j * o->U.ld);
            got->Vt[i + j * n] = number_got(r->dtype, &o->Vt.v, i + j * o->Vt.ld);
        }
    return got->U != NULL && got->Vt != NULL;
}

static void judge(routine *r, const bdsdc_case *c, const char *what, double ratio)
{
    const double limit = c->n < 4 ? 3 * LAPACK_LIMIT : LAPACK_LIMIT;
    if (c->kind == KIND_EXACT && c->n <= 20)
        CHECK(ratio == 0, "%s: the ratio is %g instead of 0", what, ratio);
    if (!(ratio <= limit))
        CHECK(false, "%s: the ratio is %g", what, ratio);
    routine_error(r, ratio, 1, limit);
}

/* Each value by itself; those of bisection are right to some roundings of their own. */
static void count_values(const routine *r, const operands *o, const bdsdc_case *c, const double *s)
{
    const int64_t n = c->n, beside = c->lower ? 1 : n;
    const bool bisected = r->variant != NULL && strcmp(r->variant->name, "bisection") == 0;
    const double ulp = 2 * number_roundoff(r->dtype), own = (double)(4 * n + 10) * ulp;
    double *d = calloc((size_t)(2 * n), sizeof *d);
    if (d == NULL)
        return;
    for (int64_t i = 0; i < n; i++) {
        d[i] = o->B[i + i * n].re;
        d[n + i] = i + 1 < n ? o->B[i + i * n + beside].re : 0;
    }
    const int64_t wrong = singular_counted(n, d, d + n, s, bisected ? own : 0,
                                           bisected ? 0 : VALUES_LIMIT * ulp * s[0]);
    CHECK(wrong == n, "value %lld of %lld, %g, is wrong", (long long)wrong, (long long)n,
          s[wrong < n ? wrong : 0]);
    free(d);
}

static bool get(routine *r, const bdsdc_case *c, const char *more, outcome *got)
{
    operands o;
    const int64_t n = c->n;
    begin(r, c, more);
    memset(got, 0, sizeof *got);
    const bool right = build(r, &o, c) && run(r, &o, c, 0) && take(r, &o, c, got);
    if (right) {
        number *V = lapack_matrix(n, n);
        CHECK(singular_descending(n, got->s), "the values do not descend, or one is negative");
        if (c->kind != KIND_EXACT && c->scale >= 0)
            count_values(r, &o, c, got->s);
        if (c->vectors && V != NULL) {
            qr_turn(n, n, got->Vt, V);
            judge(r, c, "orthogonality of U", singular_orthogonality(r->dtype, n, n, got->U));
            judge(r, c, "orthogonality of V", singular_orthogonality(r->dtype, n, n, V));
            judge(r, c, "residual",
                  singular_residual(r->dtype, n, n, o.B, n, got->U, n, got->s, got->Vt, n));
        }
        gaps(&o, c);
        free(V);
    }
    destroy(&o);
    return right;
}

/* With and without vectors. */
static void check(routine *r, bdsdc_case c, const char *more)
{
    outcome with, without;
    c.vectors = true;
    const bool first = get(r, &c, more, &with);
    c.vectors = false;
    if (get(r, &c, more, &without) && first) {
        const double ratio = singular_distance(r->dtype, c.n, with.s, without.s);
        CHECK(ratio <= VALUES_LIMIT, "values with and without vectors: the ratio is %g", ratio);
    }
    drop(&with);
    drop(&without);
}

/* ---- Which cases ---- */

/* Around LAPACK's leaves of 25, twice and four times. */
static const int64_t sizes[] = {1, 2, 3, 5, 20, 25, 26, 51, 90};
#define SIZES ((int)(sizeof sizes / sizeof sizes[0]))

static bdsdc_case plain(const routine *r, int i)
{
    static const int64_t spaces[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    return (bdsdc_case){.n = sizes[i],
                        .lower = i % 2 == 1,
                        .on_host = i % 3 != 0,
                        .kind = KIND_RANDOM,
                        .place = {.gap = spaces[i % 5], .offset = slow ? 0 : i % 3},
                        .seed = 300 + (uint64_t)i};
}

void bdsdc_exact(routine *r)
{
    for (int i = 0; i < SIZES; i++)
        for (int lower = 0; lower < 2; lower++) {
            bdsdc_case c = plain(r, i);
            c.lower = lower == 1;
            c.kind = KIND_EXACT;
            check(r, c, "");
        }
}

void bdsdc_residuals(routine *r)
{
    const bool narrow = gbl_dtype_real_bytes(r->dtype) == 4;
    const int scales[] = {narrow ? 120 : 1010, narrow ? -126 : -1022, narrow ? 60 : 500,
                          narrow ? -60 : -500};
    for (int i = 0; i < SIZES; i++)
        for (int kind = KIND_RANDOM; kind < KINDS; kind++) {
            bdsdc_case c = plain(r, i);
            c.kind = kind;
            c.lower = (i + kind) % 2 == 1;
            check(r, c, "");
            if (kind != KIND_EXPONENTIAL) {
                c.scale = scales[(i + kind) % 4];
                check(r, c, "far from 1");
            }
        }
}

static bool all_nan(int64_t count, const number *x)
{
    bool right = true;
    for (int64_t i = 0; i < count; i++)
        right = right && isnan(x[i].re);
    return right;
}

static void not_finite(routine *r)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < SIZES; i++)
        for (int k = 0; k < 4; k++) {
            bdsdc_case c = plain(r, i);
            operands o;
            outcome got = {0};
            const bool beside = k % 2 == 1 && c.n > 1;
            c.vectors = k / 2 == 1;
            begin(r, &c, "not finite");
            if (build(r, &o, &c)) {
                number_put(r->dtype, beside ? &o.e.v : &o.d.v, (c.n - 1) / 2,
                           (number){bad[(i + k) % 3], 0});
                if (guarded_send(&o.d.v) && guarded_send(&o.e.v) && run(r, &o, &c, -4) &&
                    take(r, &o, &c, &got)) {
                    bool values = true;
                    for (int64_t j = 0; j < c.n; j++)
                        values = values && isnan(got.s[j]);
                    CHECK(values, "a value is not NaN");
                    CHECK(!c.vectors || (all_nan(c.n * c.n, got.U) && all_nan(c.n * c.n, got.Vt)),
                          "a number of U or Vt is not NaN");
                    gaps(&o, &c);
                }
            }
            drop(&got);
            destroy(&o);
        }
}

void bdsdc_edges(routine *r)
{
    const bdsdc_case none = {.n = 0};
    operands o;
    memset(&o, 0, sizeof o);
    begin(r, &none, "nothing to do");
    if (result_make(&o.info, r->ctx, sizeof(int64_t), true)) {
        const bdsdc_call call = {
            .uplo = GABLE_UPPER, .compq = GABLE_NO_VECTORS, .ldu = 1, .ldvt = 1, .info = o.info.at};
        int64_t info = -77;
        CHECK_OK(r->ctx, form_of(r)->run(r->ctx, &call));
        if (result_take(&o.info, &info))
            CHECK(info == 0, "info is %lld", (long long)info);
    }
    not_finite(r);
}

void bdsdc_guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w++)
        for (int i = w % 2; i < SIZES; i += 2) {
            bdsdc_case c = plain(r, i);
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            check(r, c, "");
        }
}

static void refused(routine *r, const bdsdc_call *call, const char *argument, const char *value)
{
    char text[64];
    snprintf(text, sizeof text, "argument %d (%s)",
             routine_argument(form_of(r)->arguments, argument), argument);
    CHECK_REFUSED(r->ctx, form_of(r)->run(r->ctx, call), GABLE_BAD_ARGUMENT, form_of(r)->name, text,
                  value);
}

void bdsdc_arguments(routine *r)
{
    const bdsdc_case c = {.n = 5, .vectors = true, .on_host = true, .kind = KIND_RANDOM};
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        const bdsdc_call good = call_of(&o, &c);
        CHECK_STATUS(NULL, form_of(r)->run(NULL, &good), GABLE_BAD_ARGUMENT);
#define REFUSED(argument, value, text)                                                             \
    do {                                                                                           \
        bdsdc_call bad = good;                                                                     \
        bad.argument = value;                                                                      \
        refused(r, &bad, #argument, text);                                                         \
    } while (0)
        REFUSED(uplo, (gable_uplo)7, "7");
        REFUSED(compq, (gable_job)7, "7");
        REFUSED(compq, GABLE_VECTORS, "GABLE_IDENTITY_VECTORS");
        REFUSED(n, -1, "-1");
        REFUSED(d, NULL, "NULL");
        REFUSED(e, NULL, "NULL");
        REFUSED(U, NULL, "NULL");
        REFUSED(ldu, 4, "4");
        REFUSED(Vt, NULL, "NULL");
        REFUSED(ldvt, 4, "4");
        REFUSED(info, NULL, "NULL");
#undef REFUSED
        result_untouched(&o.info);
        if (fetch(&o, &c)) {
            guarded_same(&o.d.v, "d");
            guarded_same(&o.e.v, "e");
            guarded_same(&o.U.v, "U");
            guarded_same(&o.Vt.v, "Vt");
        }
    }
    destroy(&o);
    check(r, c, "the context works on");
}

/* ---- Repeat ---- */

static bool same_bytes(const dense *a, const dense *b)
{
    return a->v.at == NULL || memcmp(a->v.got, b->v.got, a->v.bytes) == 0;
}

static void compare_bits(const operands *a, const operands *b, const char *what)
{
    CHECK(same_bytes(&a->d, &b->d) && same_bytes(&a->U, &b->U) && same_bytes(&a->Vt, &b->Vt),
          "%s gave other bits", what);
}

/* A recording refuses what the host computes, says so, and goes on. Beside a device with kernels
 * that is `host_stage`, which must be forced. */
static bool record(routine *r, const operands *o, const bdsdc_case *c, gable_recording **recording)
{
    const bdsdc_call call = call_of(o, c);
    CHECK_OK(r->ctx, gable_record_begin(r->ctx));
    const gable_status status = form_of(r)->run(r->ctx, &call);
    if (status == GABLE_NOT_RECORDABLE)
        CHECK(strstr(gable_message(r->ctx), "waits") != NULL &&
                  (strstr(r->choice, "host_stage") != NULL || r->ctx->device->table->build == NULL),
              "%s: the message is %s", r->choice, gable_message(r->ctx));
    else
        CHECK_OK(r->ctx, status);
    CHECK_OK(r->ctx, gable_record_end(r->ctx, recording));
    return status == GABLE_OK;
}

static void same_bits(routine *r, bdsdc_case c)
{
    operands first, second;
    gable_recording *recording = NULL;
    int64_t info = -77;
    memset(&second, 0, sizeof second);
    c.on_host = true;
    begin(r, &c, "recorded");
    if (build(r, &first, &c) && run(r, &first, &c, 0)) {
        c.on_host = false;
        if (build(r, &second, &c)) {
            if (record(r, &second, &c, &recording)) {
                for (int round = 0; recording != NULL && round < 2; round++)
                    if (guarded_send(&second.d.v) && guarded_send(&second.e.v) &&
                        CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && fetch(&second, &c))
                        compare_bits(&first, &second, "the replay");
                gable_recording_destroy(recording);
                if (result_take(&second.info, &info))
                    CHECK(info == 0, "info is %lld", (long long)info);
            } else {
                gable_recording_destroy(recording);
                if (guarded_send(&second.d.v) && guarded_send(&second.e.v) &&
                    run(r, &second, &c, 0))
                    compare_bits(&first, &second, "the second call");
            }
        }
    }
    destroy(&first);
    destroy(&second);
}

void bdsdc_repeat(routine *r)
{
    for (int next = 0; routine_next_variant(r, &next);)
        for (int i = 0; i < SIZES; i++) {
            const int kinds[] = {KIND_RANDOM, KIND_CLUSTERED, KIND_EXPONENTIAL, KIND_ONES};
            bdsdc_case c = plain(r, i);
            for (int k = 0; k < 4; k++) {
                c.kind = kinds[k];
                check(r, c, "each variant");
            }
            same_bits(r, c);
        }
    for (int i = 0; i < SIZES; i++) {
        bdsdc_case c = plain(r, i);
        for (int vectors = 0; vectors < 2; vectors++) {
            c.vectors = vectors == 1;
            same_bits(r, c);
        }
    }
}

/* With vectors, then without. */
const void *bdsdc_probe(const routine *r, int i)
{
    static _Alignas(16) double memory[10]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 2)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .uplo = GABLE_UPPER,
                              .job = i == 0 ? GABLE_IDENTITY_VECTORS : GABLE_NO_VECTORS,
                              .m = 200,
                              .n = 200,
                              .d = memory,
                              .e = memory + 2,
                              .B = memory + 4,
                              .ldb = 208,
                              .C = memory + 6,
                              .ldc = 208,
                              .info = (int64_t *)(void *)(memory + 8)};
    return &call;
}
