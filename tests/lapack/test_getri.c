/* test_getri.c: the six parts of getri: A^-1 from the factors of A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Factors are made here, so that the test needs no getrf; the matrix they stand for is P L U.
 * Ratio: norm1(X A - I) / (n norm1(A) norm1(X) u), as LAPACK's own. In `exact` L and U have
 * integers only between their first and second halves, and ones and twos on the diagonal: then
 * every sum in the inverse is exact, and so is the residual, which must be 0.
 */
#include <stdlib.h>
#include "harness/lu_data.h"
#include "lapack/lapack.h"
#include "harness/numbers.h"

typedef struct getri_case {
    int64_t n;
    dense_place place;
    bool exact, on_host;
    int64_t zero; /* the element of U's diagonal that is 0, or -1 */
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} getri_case;

typedef struct operands {
    dense A;
    guarded ipiv;
    result_place info;
    number *matrix; /* P L U */
} operands;

static void begin(routine *r, const getri_case *c, const char *more)
{
    r->cases++;
    test_case(
        "getri %c %s variant=%s part=%s n=%lld gap=%lld offset=%d exact=%d zero=%lld fence=%d "
        "seed=%llu info on %s %s",
        r->letter, test_device(), r->choice, r->part, (long long)c->n, (long long)c->place.gap,
        c->place.offset, (int)c->exact, (long long)c->zero, (int)c->fence,
        (unsigned long long)c->seed, c->on_host ? "host" : "device", more);
}

static number factor_element(const getri_case *c, int64_t i, int64_t j)
{
    const number any = number_random(DTYPE, c->seed, i + j * c->n);
    const int64_t half = c->n / 2;
    if (i == j && i == c->zero)
        return (number){0, 0};
    if (c->exact && i == j)
        return (number){(double)(1 + i % 2), 0};
    if (c->exact)
        return (i < half) != (j < half) ? number_integer(DTYPE, c->seed, i + j * c->n, 3)
                                        : (number){0, 0};
    return i == j ? number_of(DTYPE, 2 + fabs(any.re), any.im)
                  : number_of(DTYPE, any.re / (double)c->n, any.im / (double)c->n);
}

/* Any row from the diagonal on may be the pivot. */
static int64_t pivot(const getri_case *c, int64_t j)
{
    return j + 1 + (int64_t)((data_bits(c->seed + 3, (uint64_t)j) >> 9) % (uint64_t)(c->n - j));
}

static void add_product(number *to, number a, number b)
{
    to->re += a.re * b.re - a.im * b.im;
    to->im += a.re * b.im + a.im * b.re;
}

/* A := P L U; F are the factors. */
static void multiply(const getri_case *c, const number *F, number *A)
{
    const int64_t n = c->n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t t = 0; t <= j; t++) {
            add_product(&A[t + j * n], (number){1, 0}, F[t + j * n]);
            for (int64_t i = t + 1; i < n; i++)
                add_product(&A[i + j * n], F[i + t * n], F[t + j * n]);
        }
    for (int64_t i = n - 1; i >= 0; i--)
        for (int64_t j = 0, p = pivot(c, i) - 1; j < n; j++) {
            const number kept = A[i + j * n];
            A[i + j * n] = A[p + j * n];
            A[p + j * n] = kept;
        }
}

static bool build(routine *r, operands *o, const getri_case *c)
{
    const int64_t n = c->n;
    memset(o, 0, sizeof *o);
    number *F = lapack_matrix(n, n);
    o->matrix = lapack_matrix(n, n);
    bool made = F != NULL && o->matrix != NULL &&
                dense_make(&o->A, r->ctx, n, n, c->place, sizeof(T), NULL, 0, c->fill, c->fence) &&
                guarded_make(&o->ipiv, r->ctx, n, 1, sizeof(int64_t), 0, FILL_PATTERN, c->fence) &&
                result_make(&o->info, r->ctx, sizeof(int64_t), c->on_host);
    if (made) {
        for (int64_t j = 0; j < n; j++) {
            const int64_t row = pivot(c, j);
            memcpy(guarded_element(&o->ipiv, j), &row, sizeof row);
            for (int64_t i = 0; i < n; i++)
                F[i + j * n] = factor_element(c, i, j);
        }
        multiply(c, F, o->matrix);
        lapack_put(DTYPE, &o->A, GABLE_GENERAL, F, 0);
        made = guarded_send(&o->A.v) && guarded_send(&o->ipiv);
    }
    free(F);
    return made;
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    guarded_destroy(&o->ipiv);
    guarded_destroy(&o->info.device);
    free(o->matrix);
}

static gable_status enqueue(routine *r, const operands *o, const getri_case *c)
{
    return FN(getri)(r->ctx, c->n, o->A.v.at, o->A.ld, o->ipiv.at, o->info.at);
}

static bool fetch(operands *o)
{
    return guarded_fetch(&o->A.v) && guarded_fetch(&o->ipiv);
}

static void check_info(operands *o, const getri_case *c)
{
    int64_t info = -7;
    CHECK(result_take(&o->info, &info), "info was not written alone");
    CHECK(info == c->zero + 1, "info is %lld, not %lld", (long long)info, (long long)(c->zero + 1));
}

/* norm1(X A - I) / (n norm1(A) norm1(X) u). */
static double ratio(const getri_case *c, const number *A, const number *X)
{
    const int64_t n = c->n;
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        number *column = lapack_matrix(n, 1);
        for (int64_t t = 0; column != NULL && t < n; t++)
            for (int64_t i = 0; i < n; i++)
                add_product(&column[i], X[i + t * n], A[t + j * n]);
        for (int64_t i = 0; column != NULL && i < n; i++)
            sum += wide_size(column[i].re - (i == j), column[i].im);
        free(column);
        most = sum > most || sum != sum ? sum : most;
    }
    return most / ((double)n * lapack_norm1(n, n, A) * lapack_norm1(n, n, X) * ROUNDOFF);
}

static void compare(routine *r, operands *o, const getri_case *c)
{
    number *X = lapack_matrix(c->n, c->n);
    if (X != NULL && c->zero < 0) {
        lapack_get(DTYPE, &o->A, GABLE_GENERAL, X, 0);
        routine_error(r, ratio(c, o->matrix, X), c->exact ? 0 : 1, LAPACK_LIMIT);
    }
    free(X);
    dense_gaps(&o->A, "A");
    guarded_same(&o->ipiv, "ipiv");
}

static gbl_product_call product_of(const operands *o, const getri_case *c)
{
    return (gbl_product_call){.dtype = DTYPE,
                              .m = c->n,
                              .n = c->n,
                              .A = o->A.v.at,
                              .lda = o->A.ld,
                              .ipiv = o->ipiv.at,
                              .info = o->info.at};
}

static bool run(routine *r, operands *o, const getri_case *c)
{
    const gbl_product_call call = product_of(o, c);
    if (!routine_ran(r, enqueue(r, o, c), &call))
        return false;
    check_info(o, c);
    return fetch(o);
}

static void check(routine *r, const getri_case *c, const char *more)
{
    operands o;
    begin(r, c, more);
    if (build(r, &o, c) && run(r, &o, c))
        compare(r, &o, c);
    destroy(&o);
}

/* ---- The parts ---- */

static const int64_t sizes[] = {1, 2, 3, 5, 31, 33, 64, 65, 100, 127, 129, 200, 257};
static const int64_t few_sizes[] = {66, 150};

static int size_count(const routine *r)
{
    return routine_slow_compiler(r) ? 2 : (int)(sizeof sizes / sizeof sizes[0]);
}

static getri_case plain(const routine *r, int i)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    return (getri_case){
        .n = slow ? few_sizes[i] : sizes[i],
        .place = {.gap = gaps[i % 5], .offset = slow ? 0 : i % 3, .columns = slow ? ALIKE : AS_IS},
        .zero = -1,
        .seed = 70 + (uint64_t)i,
        .on_host = i % 2 == 0};
}

static void exact(routine *r)
{
    for (int i = 0; i < size_count(r); i++) {
        getri_case c = plain(r, i);
        c.exact = true;
        check(r, &c, "");
    }
}

static void residual(routine *r)
{
    for (int i = 0; i < size_count(r); i++) {
        const getri_case c = plain(r, i);
        check(r, &c, "");
    }
}

/* Nothing to do, the first zero of U, offsets past 2^31. */
static void edges(routine *r)
{
    static const int64_t at[] = {0, 1, 40, 65};
    getri_case c = plain(r, 0);
    operands o;
    begin(r, &c, "n = 0");
    if (build(r, &o, &c)) {
        CHECK_OK(r->ctx, FN(getri)(r->ctx, 0, NULL, 1, NULL, o.info.at));
        check_info(&o, &c);
        if (fetch(&o))
            guarded_same(&o.A.v, "A");
    }
    destroy(&o);
    c.n = 66;
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        c.zero = at[i];
        check(r, &c, "singular");
    }
    const int64_t ld = ((int64_t)1 << 30) + 7;
    const size_t bytes = (size_t)(2 * ld + 3) * sizeof(T);
    far_memory memory;
    c = (getri_case){.n = 3, .exact = true, .zero = -1, .on_host = true, .seed = 5};
    begin(r, &c, "far apart");
    if (!routine_far(r, bytes) || !far_take(r, 1, bytes, &memory))
        return;
    if (build(r, &o, &c)) {
        T *const A = memory.at[0];
        for (int64_t j = 0; j < 3; j++)
            CHECK_OK(r->ctx,
                     gable_set_vector(r->ctx, 3, sizeof(T), guarded_element(&o.A.v, j * o.A.ld), 1,
                                      A + j * ld, 1));
        CHECK_OK(r->ctx, FN(getri)(r->ctx, 3, A, ld, o.ipiv.at, o.info.at));
        check_info(&o, &c);
        if (fetch(&o)) {
            for (int64_t j = 0; j < 3; j++)
                CHECK_OK(r->ctx,
                         gable_get_vector(r->ctx, 3, sizeof(T), A + j * ld, 1,
                                          o.A.v.got + guarded_place(&o.A.v, j * o.A.ld), 1));
            compare(r, &o, &c);
        }
    }
    destroy(&o);
    far_give(r, &memory);
}

static void guards(routine *r)
{
    for (int w = 0; w < GUARDED_WAYS; w++)
        for (int i = w % 2; i < size_count(r); i += 2) {
            getri_case c = plain(r, i);
            c.fill = guarded_ways[w].fill;
            c.fence = guarded_ways[w].fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            check(r, &c, "");
        }
}

static void arguments(routine *r)
{
    getri_case c = plain(r, 0);
    gable_context *ctx = r->ctx;
    operands o;
    c.n = routine_slow_compiler(r) ? 66 : 5;
    c.on_host = true;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        T *A = o.A.v.at;
        int64_t *ipiv = o.ipiv.at, *info = o.info.at;
        const int64_t n = c.n, ld = o.A.ld;
        const char *name = NAME(FN(getri));
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
        CHECK_STATUS(NULL, FN(getri)(NULL, n, A, ld, ipiv, info), GABLE_BAD_ARGUMENT);
        REFUSED(FN(getri)(ctx, -1, A, ld, ipiv, info), "argument 2 (n)", "-1");
        REFUSED(FN(getri)(ctx, n, NULL, ld, ipiv, info), "argument 3 (A)", "NULL");
        REFUSED(FN(getri)(ctx, n, A, 4, ipiv, info), "argument 4 (lda)", "4");
        REFUSED(FN(getri)(ctx, n, A, ld, NULL, info), "argument 5 (ipiv)", "NULL");
        REFUSED(FN(getri)(ctx, n, A, ld, ipiv, NULL), "argument 6 (info)", "NULL");
#undef REFUSED
        result_untouched(&o.info);
        if (fetch(&o))
            guarded_same(&o.A.v, "A");
    }
    destroy(&o);
    check(r, &c, "the context works on");
}

/* Alone with info on the host, and recorded with info on the device: the same bits. */
static void repeat(routine *r)
{
    for (int i = 1; i < size_count(r); i += 3) {
        getri_case c = plain(r, i);
        operands first, second;
        gable_recording *recording = NULL;
        memset(&second, 0, sizeof second);
        c.on_host = true;
        begin(r, &c, "recorded");
        if (build(r, &first, &c) && run(r, &first, &c)) {
            c.on_host = false;
            if (build(r, &second, &c)) {
                CHECK_OK(r->ctx, gable_record_begin(r->ctx));
                CHECK_OK(r->ctx, enqueue(r, &second, &c));
                CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
                if (recording != NULL && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                    fetch(&second))
                    CHECK(memcmp(first.A.v.got, second.A.v.got, first.A.v.bytes) == 0,
                          "the replay gave other bits");
                check_info(&second, &c);
                gable_recording_destroy(recording);
            }
        }
        destroy(&first);
        destroy(&second);
    }
}

static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[6]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .m = 200,
                              .n = 200,
                              .A = memory,
                              .lda = 208,
                              .ipiv = (int64_t *)(void *)(memory + 2),
                              .info = (int64_t *)(void *)(memory + 4)};
    return &call;
}

const routine_parts PARTS = {.stem = "getri",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {exact, residual, edges, guards, arguments, repeat},
                             .probe = probe};
