/* test_getrs.c: the six parts of getrs: op(A) X = B with the factors of A
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The factors are made by the reference (lu_data.h), rounded, so that a test of getrs needs no
 * getrf; the matrix they stand for is their product, rows exchanged back. Ratio: lu_data.h.
 */
#include <stdlib.h>
#include "harness/lu_data.h"
#include "lapack/lapack.h"
#include "harness/numbers.h"

typedef struct getrs_case {
    gable_trans trans;
    int64_t n, sides;
    dense_place place;
    bool exact;
    uint64_t seed;
    guarded_fill fill;
    guarded_fence fence;
} getrs_case;

typedef struct operands {
    dense A, B;
    guarded ipiv;
    number *matrix, *given, *solution;
} operands;

static const gable_trans turns[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};

static void begin(routine *r, const getrs_case *c, const char *more)
{
    r->cases++;
    test_case("getrs %c %s variant=%s part=%s trans=%d n=%lld nrhs=%lld gap=%lld offset=%d "
              "exact=%d fence=%d seed=%llu %s",
              r->letter, test_device(), r->choice, r->part, (int)c->trans, (long long)c->n,
              (long long)c->sides, (long long)c->place.gap, c->place.offset, (int)c->exact,
              (int)c->fence, (unsigned long long)c->seed, more);
}

/* Factors: random ones with a strong diagonal, or integers whose solves are exact: ones and twos on
 * the diagonal of U, and one number beside it in a row of L and U. */
static void make_factors(const getrs_case *c, number *F, int64_t *ipiv)
{
    const int64_t n = c->n;
    for (int64_t j = 0; j < n; j++) {
        ipiv[j] = j + 1 + (int64_t)((data_bits(c->seed + 3, (uint64_t)j) >> 9) % (uint64_t)(n - j));
        for (int64_t i = 0; i < n; i++) {
            const number any = number_random(DTYPE, c->seed, i + j * n);
            const bool beside = i == j + 1 || j == i + 1;
            F[i + j * n] = c->exact ? (number){i == j ? (double)(1 + i % 2) : beside, 0}
                           : i == j ? (number){2 + fabs(any.re), any.im}
                                    : (number){any.re / (double)n, any.im / (double)n};
            F[i + j * n] = number_of(DTYPE, F[i + j * n].re, F[i + j * n].im);
        }
    }
}

static void add_product(number *to, number a, number b)
{
    to->re += a.re * b.re - a.im * b.im;
    to->im += a.re * b.im + a.im * b.re;
}

/* A = P L U. */
static void multiply(const getrs_case *c, const number *F, const int64_t *ipiv, number *A)
{
    const int64_t n = c->n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t t = 0; t <= j; t++) {
            add_product(&A[t + j * n], (number){1, 0}, F[t + j * n]);
            for (int64_t i = t + 1; i < n; i++)
                add_product(&A[i + j * n], F[i + t * n], F[t + j * n]);
        }
    for (int64_t i = n - 1; i >= 0; i--)
        for (int64_t j = 0; j < n; j++) {
            const number kept = A[i + j * n];
            A[i + j * n] = A[ipiv[i] - 1 + j * n];
            A[ipiv[i] - 1 + j * n] = kept;
        }
}

/* B := op(A) X of integers, or random. */
static void make_sides(const getrs_case *c, const number *A, number *B)
{
    const int64_t n = c->n;
    for (int64_t s = 0; s < c->sides; s++)
        for (int64_t i = 0; i < n; i++) {
            if (!c->exact) {
                B[i + s * n] = number_random(DTYPE, c->seed + 1, i + s * n);
                continue;
            }
            for (int64_t j = 0; j < n; j++) {
                number a = c->trans == GABLE_NO_TRANS ? A[i + j * n] : A[j + i * n];
                if (c->trans == GABLE_CONJ_TRANS)
                    a = number_conjugate(a);
                add_product(&B[i + s * n], a, number_integer(DTYPE, c->seed + 2, j + s * n, 3));
            }
        }
}

static bool build(routine *r, operands *o, const getrs_case *c)
{
    const int64_t n = c->n;
    memset(o, 0, sizeof *o);
    number *F = lapack_matrix(n, n);
    int64_t *ipiv = calloc((size_t)n + 1, sizeof *ipiv);
    o->matrix = lapack_matrix(n, n);
    o->given = lapack_matrix(n, c->sides);
    o->solution = lapack_matrix(n, c->sides);
    bool made =
        F != NULL && ipiv != NULL && o->matrix != NULL && o->given != NULL && o->solution != NULL &&
        dense_make(&o->A, r->ctx, n, n, c->place, sizeof(T), NULL, 0, c->fill, c->fence) &&
        dense_make(&o->B, r->ctx, n, c->sides, c->place, sizeof(T), NULL, 0, c->fill, c->fence) &&
        guarded_make(&o->ipiv, r->ctx, n, 1, sizeof(int64_t), 0, FILL_PATTERN, c->fence);
    if (made) {
        make_factors(c, F, ipiv);
        multiply(c, F, ipiv, o->matrix);
        make_sides(c, o->matrix, o->given);
        lapack_put(DTYPE, &o->A, GABLE_GENERAL, F, 0);
        lapack_put(DTYPE, &o->B, GABLE_GENERAL, o->given, 0);
        for (int64_t i = 0; i < n; i++)
            memcpy(guarded_element(&o->ipiv, i), &ipiv[i], sizeof ipiv[i]);
        made = guarded_send(&o->A.v) && guarded_send(&o->B.v) && guarded_send(&o->ipiv);
    }
    free(F);
    free(ipiv);
    return made;
}

static void destroy(operands *o)
{
    dense_destroy(&o->A);
    dense_destroy(&o->B);
    guarded_destroy(&o->ipiv);
    free(o->matrix);
    free(o->given);
    free(o->solution);
}

static gable_status enqueue(routine *r, const operands *o, const getrs_case *c)
{
    return FN(getrs)(r->ctx, c->trans, c->n, c->sides, o->A.v.at, o->A.ld, o->ipiv.at, o->B.v.at,
                     o->B.ld);
}

static bool fetch(operands *o)
{
    return guarded_fetch(&o->A.v) && guarded_fetch(&o->B.v) && guarded_fetch(&o->ipiv);
}

static bool run(routine *r, operands *o, const getrs_case *c)
{
    const gbl_product_call call = {.dtype = DTYPE,
                                   .trans = c->trans,
                                   .m = c->n,
                                   .n = c->sides,
                                   .A = o->A.v.at,
                                   .lda = o->A.ld,
                                   .ipiv = o->ipiv.at,
                                   .B = o->B.v.at,
                                   .ldb = o->B.ld};
    const bool nothing = c->n == 0 || c->sides == 0;
    return routine_ran(r, enqueue(r, o, c), nothing ? NULL : &call) && fetch(o);
}

static void compare(routine *r, operands *o, const getrs_case *c)
{
    lapack_get(DTYPE, &o->B, GABLE_GENERAL, o->solution, 0);
    if (c->exact) {
        for (int64_t i = 0; i < c->n * c->sides; i++) {
            const number want = number_integer(DTYPE, c->seed + 2, i, 3), is = o->solution[i];
            if (!HOLDS(is.re == want.re && is.im == want.im, "x %lld is %g + %gi, not %g + %gi",
                       (long long)i, is.re, is.im, want.re, want.im))
                break;
        }
    } else {
        routine_error(
            r, lu_solve_ratio(DTYPE, c->trans, c->n, c->sides, o->matrix, o->solution, o->given), 1,
            LU_SOLVE_LIMIT);
    }
    dense_gaps(&o->B, "B");
    guarded_same(&o->A.v, "A");
    guarded_same(&o->ipiv, "ipiv");
}

static void check(routine *r, const getrs_case *c, const char *more)
{
    operands o;
    begin(r, c, more);
    if (build(r, &o, c) && run(r, &o, c))
        compare(r, &o, c);
    destroy(&o);
}

/* ---- Which cases ---- */

static const int64_t shapes[][2] = {{1, 1},  {2, 3},   {5, 1},   {16, 17}, {33, 5},
                                    {64, 1}, {65, 33}, {100, 3}, {129, 9}, {200, 1}};
static const int64_t few_shapes[][2] = {{1, 1}, {17, 5}, {66, 3}};

static int shape_count(const routine *r)
{
    return routine_slow_compiler(r) ? (int)(sizeof few_shapes / sizeof few_shapes[0])
                                    : (int)(sizeof shapes / sizeof shapes[0]);
}

/* Where kernels compile slowly each precision has one way to turn A. */
static bool tried(const routine *r, int turn)
{
    return !routine_slow_compiler(r) || turn == (int)r->dtype % 3;
}

static getrs_case plain(const routine *r, int turn, int i)
{
    static const int64_t gaps[] = {0, 1, 3, 2, 16};
    const bool slow = routine_slow_compiler(r);
    return (getrs_case){
        .trans = turns[turn],
        .n = slow ? few_shapes[i][0] : shapes[i][0],
        .sides = slow ? few_shapes[i][1] : shapes[i][1],
        .place = {.gap = gaps[i % 5], .offset = slow ? 0 : i % 3, .columns = slow ? ALIKE : AS_IS},
        .seed = 60 + (uint64_t)i};
}

static void each(routine *r, bool is_exact, guarded_way way)
{
    for (int t = 0; t < 3; t++)
        for (int i = 0; tried(r, t) && i < shape_count(r); i++) {
            getrs_case c = plain(r, t, i);
            c.exact = is_exact;
            c.fill = way.fill;
            c.fence = way.fence;
            if (c.fence != LOOSE)
                c.place.offset = 0;
            /* Powers of two in longer chains leave the bits of a number. */
            if (!is_exact || c.n <= 20)
                check(r, &c, "");
        }
}

static void exact(routine *r)
{
    each(r, true, guarded_ways[0]);
}

static void residual(routine *r)
{
    each(r, false, guarded_ways[0]);
}

static void edges(routine *r)
{
    static const int64_t empty[][2] = {{0, 0}, {0, 4}, {4, 0}};
    for (int i = 0; i < 3; i++) {
        const getrs_case c = {.trans = turns[i], .n = empty[i][0], .sides = empty[i][1]};
        check(r, &c, "nothing to do");
    }
}

static void guards(routine *r)
{
    for (int w = 1; w < GUARDED_WAYS; w++)
        each(r, false, guarded_ways[w]);
}

static void arguments(routine *r)
{
    const getrs_case c = {.trans = GABLE_NO_TRANS, .n = 5, .sides = 2, .seed = 4};
    gable_context *ctx = r->ctx;
    operands o;
    begin(r, &c, "illegal arguments");
    if (build(r, &o, &c)) {
        const T *A = o.A.v.at;
        T *B = o.B.v.at;
        const int64_t *ipiv = o.ipiv.at;
        const char *name = NAME(FN(getrs));
        const gable_trans N = GABLE_NO_TRANS;
#define REFUSED(call, ...) CHECK_REFUSED(ctx, call, GABLE_BAD_ARGUMENT, name, __VA_ARGS__)
        CHECK_STATUS(NULL, FN(getrs)(NULL, N, 5, 2, A, 5, ipiv, B, 5), GABLE_BAD_ARGUMENT);
        REFUSED(FN(getrs)(ctx, (gable_trans)7, 5, 2, A, 5, ipiv, B, 5), "argument 2 (trans)", "7");
        REFUSED(FN(getrs)(ctx, N, -1, 2, A, 5, ipiv, B, 5), "argument 3 (n)", "-1");
        REFUSED(FN(getrs)(ctx, N, 5, -1, A, 5, ipiv, B, 5), "argument 4 (nrhs)", "-1");
        REFUSED(FN(getrs)(ctx, N, 5, 2, NULL, 5, ipiv, B, 5), "argument 5 (A)", "NULL");
        REFUSED(FN(getrs)(ctx, N, 5, 2, A, 4, ipiv, B, 5), "argument 6 (lda)", "4", "5");
        REFUSED(FN(getrs)(ctx, N, 5, 2, A, 5, NULL, B, 5), "argument 7 (ipiv)", "NULL");
        REFUSED(FN(getrs)(ctx, N, 5, 2, A, 5, ipiv, NULL, 5), "argument 8 (B)", "NULL");
        REFUSED(FN(getrs)(ctx, N, 5, 2, A, 5, ipiv, B, 4), "argument 9 (ldb)", "4", "5");
#undef REFUSED
        if (fetch(&o))
            guarded_same(&o.B.v, "B");
    }
    destroy(&o);
    check(r, &c, "the context works on");
}

static void repeat(routine *r)
{
    for (int t = 0; t < 3; t++)
        for (int i = 1; tried(r, t) && i < shape_count(r); i += 2) {
            const getrs_case c = plain(r, t, i);
            operands o;
            gable_recording *recording = NULL;
            begin(r, &c, "recorded");
            if (build(r, &o, &c) && run(r, &o, &c)) {
                unsigned char *first = malloc(o.B.v.bytes);
                if (first != NULL)
                    memcpy(first, o.B.v.got, o.B.v.bytes);
                CHECK_OK(r->ctx, gable_record_begin(r->ctx));
                CHECK_OK(r->ctx, enqueue(r, &o, &c));
                CHECK_OK(r->ctx, gable_record_end(r->ctx, &recording));
                for (int round = 0; first != NULL && recording != NULL && round < 2; round++)
                    if (guarded_send(&o.B.v) && CHECK_OK(r->ctx, gable_replay(r->ctx, recording)) &&
                        fetch(&o))
                        CHECK(memcmp(first, o.B.v.got, o.B.v.bytes) == 0,
                              "the replay gave other bits");
                gable_recording_destroy(recording);
                free(first);
            }
            destroy(&o);
        }
}

static const void *probe(const routine *r, int i)
{
    static _Alignas(16) double memory[8]; /* addresses are looked at, nothing is read */
    static gbl_product_call call;
    if (i >= 1)
        return NULL;
    call = (gbl_product_call){.dtype = r->dtype,
                              .trans = GABLE_NO_TRANS,
                              .m = 100,
                              .n = 10,
                              .A = memory,
                              .lda = 104,
                              .ipiv = (int64_t *)(void *)(memory + 4),
                              .B = memory + 2,
                              .ldb = 104};
    return &call;
}

const routine_parts PARTS = {.stem = "getrs",
                             .letter = LETTER,
                             .dtype = DTYPE,
                             .run = {exact, residual, edges, guards, arguments, repeat},
                             .probe = probe};
