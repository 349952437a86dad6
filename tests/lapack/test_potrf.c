/* test_potrf.c: the six parts of potrf: A = L L^H or U^H U
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ratio: lapack_data.h. `exact` factors products of integer factors with powers of two on their
 * diagonals: every quotient and every sum is exact. In all cases the other triangle, what lies
 * between columns and imaginary parts of the diagonal are NaN or a pattern.
 */
#include <stdlib.h>
#include "harness/lapack_data.h"
#include "lapack/lapack.h"
#include "harness/numbers.h"

typedef enum spoil { SPOIL_NOTHING, SPOIL_ZERO, SPOIL_MINUS, SPOIL_NAN, SPOIL_NAN_BELOW } spoil;

typedef struct potrf_case {
    gable_uplo uplo;
    int64_t n;
    dense_place place;
    definite_kind kind;
    int scale;
    uint64_t seed;
    bool on_host; /* info */
    guarded_fill fill;
    guarded_fence fence;
    spoil how; /* the column `at` is made so that the minor of order at + 1 is not positive */
    int64_t at;
} potrf_case;

typedef struct operands {
    dense A;
    result_place info;
    number *given, *factor, *want; /* A, what came out as L, the exact L */
} operands;

static void begin(routine *r, const potrf_case *c, const char *more)
{
    r->cases++;
    test_case("potrf %c %s variant=%s part=%s uplo=%c n=%lld gap=%lld offset=%d kind=%d scale=%d "
              "spoil=%d at=%lld fence=%d seed=%llu %s",
              r->letter, test_device(), r->choice, r->part, c->uplo == GABLE_UPPER ? 'U' : 'L',
              (long long)c->n, (long long)c->place.gap, c->place.offset, (int)c->kind, c->scale,
              (int)c->how, (long long)c->at, (int)c->fence, (unsigned long long)c->seed, more);
}

/* Row and column `at` become zeros, or the diagonal element becomes negative or NaN; or the one
 * below it becomes NaN, which the next pivot meets. */
static void spoil_matrix(const potrf_case *c, number *A)
{
    const int64_t n = c->n, p = c->at;
    for (int64_t i = 0; c->how == SPOIL_ZERO && i < n; i++)
        A[i + p * n] = A[p + i * n] = (number){0, 0};
    if (c->how == SPOIL_MINUS)
        A[p + p * n].re = -1;
    if (c->how == SPOIL_NAN)
        A[p + p * n].re = NAN;
    if (c->how == SPOIL_NAN_BELOW)
        A[p + 1 + p * n].re = A[p + (p + 1) * n].re = NAN;
}

static int64_t wanted_info(const potrf_case *c)
{
    return c->how == SPOIL_NOTHING ? 0 : c->how == SPOIL_NAN_BELOW ? c->at + 2 : c->at + 1;
}

static bool build(routine *r, operands *o, const potrf_case *c)
{
    memset(o, 0, sizeof *o);
    o->given = lapack_matrix(c->n, c->n);
    o->factor = lapack_matrix(c->n, c->n);
    o->want = lapack_matrix(c->n, c->n);
    if (o->given == NULL || o->factor == NULL || o->want == NULL ||
        !result_make(&o->info, r->ctx, sizeof(int64_t), c->on_host) ||
        !dense_make(&o->A, r->ctx, c->n, c->n, c->place, sizeof(T), NULL, 0, c->fill, c->fence))
        return false;
    lapack_definite(DTYPE, c->kind, c->n, c->seed, o->given, o->want);
    spoil_matrix(c, o->given);
    lapack_put(DTYPE, &o->A, c->uplo, o->given, c->scale);
    for (int64_t j = 0; COMPLEX && j < c->n; j++)
        put(&o->A.v, j + j * o->A.ld,
            make(real_part(get(&o->A.v, j + j * o->A.ld)), c->fill == FILL_NAN ? NAN : 7));
    return guarded_send(&o->A.v);
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    free(o->given);
    free(o->factor);
    free(o->want);
}

static gable_status enqueue(routine *r, const operands *o, const potrf_case *c)
{
    return FN(potrf)(r->ctx, c->uplo, c->n, o->A.v.at, o->A.ld, o->info.at);
}

static bool run(routine *r, operands *o, const potrf_case *c)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .uplo = c->uplo,
                                   .m = c->n,
                                   .n = c->n,
                                   .A = o->A.v.at,
                                   .lda = o->A.ld,
                                   .info = o->info.at};
    int64_t info = -7;
    const bool ran = routine_ran(r, enqueue(r, o, c), c->n == 0 ? NULL : &call);
    if (!ran || !result_take(&o->info, &info))
        return false;
    CHECK(info == wanted_info(c), "info is %lld instead of %lld", (long long)info,
          (long long)wanted_info(c));
    return guarded_fetch(&o->A.v);
}

/* What was fetched, as L. */
static void take_factor(operands *o, const potrf_case *c)
{
    const int64_t n = c->n;
    lapack_get(DTYPE, &o->A, c->uplo, o->factor, c->scale / 2);
    for (int64_t j = 0; c->uplo == GABLE_UPPER && j < n; j++)
        for (int64_t i = j; i < n; i++)
            o->factor[i + j * n] = number_conjugate(o->factor[j + i * n]);
}

static void compare(routine *r, operands *o, const potrf_case *c)
{
    const int64_t n = c->n, info = wanted_info(c), columns = info > 0 ? info - 1 : n;
    take_factor(o, c);
    for (int64_t j = 0; j < columns; j++)
        CHECK(o->factor[j + j * n].re > 0 && o->factor[j + j * n].im == 0,
              "element %lld of the diagonal is %g + %gi", (long long)j, o->factor[j + j * n].re,
              o->factor[j + j * n].im);
    if (c->how == SPOIL_NOTHING && c->kind == DEFINITE_INTEGER) {
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = j; i < n; i++) {
                const number is = o->factor[i + j * n], want = o->want[i + j * n];
                if (!(is.re == want.re && is.im == want.im)) {
                    CHECK(false, "L(%lld, %lld) is %g + %gi instead of %g + %gi", (long long)i,
                          (long long)j, is.re, is.im, want.re, want.im);
                    return;
                }
            }
    } else if (c->how != SPOIL_NAN && c->how != SPOIL_NAN_BELOW) {
        routine_error(r, lapack_cholesky_ratio(DTYPE, n, columns, o->given, o->factor), 1,
                      LAPACK_LIMIT);
    } else {
        /* The columns before are finite; the norm of A is not. */
        for (int64_t j = 0; j < columns; j++)
            for (int64_t i = j; i < n; i++)
                CHECK(number_finite(o->factor[i + j * n]) || i == c->at + 1,
                      "L(%lld, %lld) is not finite", (long long)i, (long long)j);
    }
    lapack_untouched(&o->A, c->uplo, "A");
}

static void check(routine *r, const potrf_case *c, const char *more)
{
    operands o;
    begin(r, c, more);
    if (build(r, &o, c) && run(r, &o, c))
        compare(r, &o, c);
    destroy(&o);
}

/* ---- Which cases ---- */

/* Around leaves of 16 to 128 rows. Where kernels compile slowly: one kind of leaf, and one triangle
 * a precision. */
static const int64_t sizes[] = {1, 2, 3, 5, 16, 17, 20, 33, 63, 64, 65, 127, 128, 129, 193, 257};
static const int64_t few_sizes[] = {66, 131};

static int size_count(const routine *r)
{
    return routine_slow_compiler(r) ? (int)(sizeof few_sizes / sizeof few_sizes[0])
                                    : (int)(sizeof sizes / sizeof sizes[0]);
}

static int64_t size_of(const routine *r, int i)
{
    return routine_slow_compiler(r) ? few_sizes[i] : sizes[i];
}

static const gable_uplo triangles[] = {GABLE_LOWER, GABLE_UPPER};

static bool tried(const routine *r, int triangle)
{
    return !routine_slow_compiler(r) || triangle == (int)r->dtype % 2;
}

static potrf_case plain(const routine *r, int triangle, int i)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    return (potrf_case){
        .uplo = triangles[triangle],
        .n = size_of(r, i),
        .place = {.gap = gaps[i % 5], .offset = slow ? 0 : i % 3, .columns = slow ? ALIKE : AS_IS},
        .seed = 100 + (uint64_t)i,
        .on_host = i % 2 == 0};
}

static void exact(routine *r)
{
    for (int t = 0; t < 2; t++)
        for (int i = 0; tried(r, t) && i < size_count(r); i++) {
            potrf_case c = plain(r, t, i);
            c.kind = DEFINITE_INTEGER;
            check(r, &c, "");
        }
}

static void residual(routine *r)
{
    for (int t = 0; t < 2; t++)
        for (int i = 0; tried(r, t) && i < size_count(r); i++) {
            potrf_case c = plain(r, t, i);
            const int rounds = c.n > 65 && !r->all ? 1 : DEFINITE_KINDS - 1;
            for (int k = 0; k < rounds; k++) {
                c.kind = (definite_kind)(1 + (i + k + t) % (DEFINITE_KINDS - 1));
                check(r, &c, "");
            }
            if (i % 4 == 1) {
                c.kind = DEFINITE_EVEN;
                for (int far = -1; far <= 1; far += 2) {
                    c.scale = lapack_far_scale(DTYPE, far);
                    check(r, &c, "");
                }
            }
        }
}

/* ---- Edges ---- */

static void nothing(routine *r)
{
    const potrf_case c = {.uplo = GABLE_LOWER, .n = 0, .on_host = true};
    operands o;
    begin(r, &c, "n = 0");
    if (build(r, &o, &c)) {
        int64_t info = -7;
        CHECK_OK(r->ctx, FN(potrf)(r->ctx, GABLE_LOWER, 0, NULL, 1, o.info.at));
        if (result_take(&o.info, &info))
            CHECK(info == 0, "info is %lld", (long long)info);
    }
    destroy(&o);
}

/* The first minor that is not positive, in every block and at its edges. */
static void not_definite(routine *r, int triangle)
{
    static const int64_t orders[][2] = {{1, 0},     {5, 2},     {5, 4},     {64, 0},    {64, 63},
                                        {65, 64},   {100, 30},  {130, 63},  {130, 64},  {130, 127},
                                        {130, 128}, {130, 129}, {257, 100}, {257, 200}, {257, 256}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (int how = SPOIL_ZERO; how <= SPOIL_NAN_BELOW; how++) {
            potrf_case c = plain(r, triangle, (int)i % size_count(r));
            c.n = orders[i][0];
            c.at = orders[i][1];
            c.how = (spoil)how;
            c.kind = DEFINITE_EVEN;
            if (routine_slow_compiler(r) && c.n != 100 && (c.n != 130 || c.at != 128))
                continue;
            if (c.n > 200 && !r->all && how != SPOIL_ZERO + (int)i % 4)
                continue;
            if (how == SPOIL_NAN_BELOW && c.at + 1 >= c.n)
                continue;
            check(r, &c, "not definite");
        }
}

/* Columns that are more than 2^31 bytes, and elements, apart. */
static void far_apart(routine *r, int triangle)
{
    const bool host = r->device->props.is_host;
    const int64_t ld = ((int64_t)1 << 30) + 7;
    const size_t bytes = (size_t)(2 * ld + 3) * sizeof(T);
    potrf_case c = {.uplo = triangles[triangle], .n = 3, .kind = DEFINITE_INTEGER, .seed = 5};
    operands o;
    int64_t info = -7;
    if (!routine_far(r, bytes))
        return;
    begin(r, &c, "far apart");
    T *memory = far_reserve(r->ctx, host, bytes);
    if (memory == NULL) {
        test_leave_out(NULL, "no address space of %zu bytes for offsets past 2^31", bytes);
        return;
    }
    if (build(r, &o, &c)) {
        for (int64_t j = 0; j < 3; j++)
            CHECK_OK(r->ctx,
                     gable_set_vector(r->ctx, 3, sizeof(T), guarded_element(&o.A.v, j * o.A.ld), 1,
                                      memory + j * ld, 1));
        CHECK_OK(r->ctx, FN(potrf)(r->ctx, c.uplo, 3, memory, ld, o.info.at));
        if (result_take(&o.info, &info) && guarded_fetch(&o.A.v)) {
            CHECK(info == 0, "info is %lld", (long long)info);
            for (int64_t j = 0; j < 3; j++)
                CHECK_OK(r->ctx,
                         gable_get_vector(r->ctx, 3, sizeof(T), memory + j * ld, 1,
                                          o.A.v.got + guarded_place(&o.A.v, j * o.A.ld), 1));
            compare(r, &o, &c);
        }
    }
    destroy(&o);
    far_release(r->ctx, host, memory, bytes);
}

static void edges(routine *r)
{
    nothing(r);
    for (int t = 0; t < 2; t++) {
        if (!tried(r, t))
            continue;
        not_definite(r, t);
        far_apart(r, t);
    }
}

/* ---- Guards, arguments, repeat ---- */

static void guards(routine *r)
{
    for (int t = 0; t < 2; t++)
        for (int w = 0; tried(r, t) && w < GUARDED_WAYS; w++)
            for (int i = w % 2; i < size_count(r); i += 2) {
                potrf_case c = plain(r, t, i);
                c.kind = DEFINITE_EVEN;
                c.fill = guarded_ways[w].fill;
                c.fence = guarded_ways[w].fence;
                if (c.fence != LOOSE)
                    c.place.offset = 0;
                if (c.n <= 200)
                    check(r, &c, "");
            }
}

static void arguments(routine *r)
{
    const potrf_case c = {.uplo = GABLE_LOWER, .n = 5, .kind = DEFINITE_INTEGER, .on_host = true};
    gable_context *ctx = r->ctx;
    operands o;
    T outside[25];
    memset(outside, 0, sizeof outside);
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        T *A = o.A.v.at;
        int64_t *info = o.info.at;
        const char *name = NAME(FN(potrf));
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
        CHECK_STATUS(NULL, FN(potrf)(NULL, GABLE_LOWER, 5, A, 5, info), GABLE_BAD_ARGUMENT);
        REFUSED(FN(potrf)(ctx, (gable_uplo)7, 5, A, 5, info), "argument 2 (uplo)", "7");
        REFUSED(FN(potrf)(ctx, GABLE_GENERAL, 5, A, 5, info), "argument 2 (uplo)", "124");
        REFUSED(FN(potrf)(ctx, GABLE_LOWER, -1, A, 5, info), "argument 3 (n)", "-1");
        REFUSED(FN(potrf)(ctx, GABLE_LOWER, 5, NULL, 5, info), "argument 4 (A)", "NULL");
        REFUSED(FN(potrf)(ctx, GABLE_LOWER, 5, A, 4, info), "argument 5 (lda)", "4", "5");
        REFUSED(FN(potrf)(ctx, GABLE_LOWER, 0, A, 0, info), "argument 5 (lda)", "0", "1");
        REFUSED(FN(potrf)(ctx, GABLE_LOWER, 5, A, 5, NULL), "argument 6 (info)", "NULL");
        REFUSED(FN(potrf)(ctx, GABLE_LOWER, 0, A, 1, NULL), "argument 6 (info)", "NULL");
        if (!r->device->props.is_host)
            REFUSED(FN(potrf)(ctx, GABLE_LOWER, 5, outside, 5, info), "argument 4 (A)",
                    r->device->info.name);
#undef REFUSED
        result_untouched(&o.info);
        if (guarded_fetch(&o.A.v))
            guarded_same(&o.A.v, "A");
    }
    destroy(&o);
    check(r, &c, "the context works on");
}

/* Alone with info on the host, and recorded with info on the device. A replay of a second one
 * starts anew. */
static void same_bits(routine *r, const potrf_case *given)
{
    potrf_case c = *given;
    operands first, second;
    gable_recording *recording = NULL;
    begin(r, &c, "recorded");
    memset(&second, 0, sizeof second);
    c.on_host = true;
    if (build(r, &first, &c) && run(r, &first, &c)) {
        c.on_host = false;
        if (build(r, &second, &c)) {
            int64_t info = -7;
            CHECK_OK(r->ctx, gable_record_begin(r->ctx));
            CHECK_OK(r->ctx, enqueue(r, &second, &c));
            CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
            for (int round = 0; recording != NULL && round < 2; round++)
                if (guarded_send(&second.A.v) &&
                    CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) && guarded_fetch(&second.A.v))
                    CHECK(memcmp(first.A.v.got, second.A.v.got, first.A.v.bytes) == 0,
                          "the replay gave other bits");
            gable_recording_destroy(recording);
            if (result_take(&second.info, &info))
                CHECK(info == wanted_info(&c), "info is %lld", (long long)info);
        }
    }
    destroy(&first);
    destroy(&second);
}

static void repeat(routine *r)
{
    for (int t = 0; t < 2; t++)
        for (int i = 0; tried(r, t) && i < size_count(r); i += 2) {
            potrf_case c = plain(r, t, i);
            c.kind = DEFINITE_EVEN;
            same_bits(r, &c);
            if (i % 4 == 2) {
                c.how = SPOIL_ZERO;
                c.at = c.n / 2;
                same_bits(r, &c);
            }
        }
}

static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[4]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 2)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .uplo = triangles[i],
                              .m = 200,
                              .n = 200,
                              .A = memory,
                              .lda = 208,
                              .info = (int64_t *)(void *)(memory + 2)};
    return &call;
}

const routine_parts PARTS = {.stem = "potrf",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {exact, residual, edges, guards, arguments, repeat},
                             .probe = probe};
