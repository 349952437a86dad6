/* handover_bits.c: the routines whose groups hand over to each other, on random data. Compiled once
 * per precision.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers fill their mantissas, so that sums in another order have other bits.
 */
#include <stdlib.h>
#include <string.h>
#include "device/precision.h"
#include "gable/gable.h"
#include "handover_bits.h"

#if defined(PREC_S)
#define TYPED(name) name##_s
#elif defined(PREC_D)
#define TYPED(name) name##_d
#elif defined(PREC_C)
#define TYPED(name) name##_c
#else
#define TYPED(name) name##_z
#endif

#define N       45
#define LDA     48 /* columns start alike */
#define COLUMNS 6

#define REALS (COMPLEX ? 2 : 1)

typedef struct vector {
    R *host;
    size_t reals;
    int64_t n;
    T *at;
} vector;

static T scalar(R re, R im)
{
#if COMPLEX
    const T t = {re, im};
#else
    const T t = re;
    (void)im;
#endif
    return t;
}

static gable_status send(gable_context *ctx, const vector *v)
{
    return gable_set_vector(ctx, (int64_t)v->reals, sizeof(R), v->host, 1, v->at, 1);
}

static void drop(gable_context *ctx, vector *v)
{
    gable_free(ctx, v->at);
    free(v->host);
}

/* In (-1, 1). */
static R number(size_t i, unsigned seed)
{
    uint64_t h = (i + 1) * 0x9e3779b97f4a7c15u + seed * 0x85ebca6bu;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return (R)((double)(h >> 11) * 0x1p-52 - 1);
}

static bool make_random(gable_context *ctx, vector *v, int64_t n, R scale, unsigned seed)
{
    void *memory = NULL;
    v->n = n;
    v->reals = (size_t)n * REALS;
    v->host = malloc(v->reals * sizeof(R));
    if (v->host == NULL || gable_alloc(ctx, v->reals * sizeof(R), &memory) != GABLE_OK)
        return false;
    v->at = memory;
    for (size_t i = 0; i < v->reals; i++)
        v->host[i] = scale * number(i, seed);
    return send(ctx, v) == GABLE_OK;
}

/* What is on the device, and the end of its vectors. */
static gable_status take(gable_context *ctx, const vector *v, void *result, size_t *bytes)
{
    *bytes = v->reals * sizeof(R);
    return *bytes > HANDOVER_BYTES
               ? GABLE_BAD_ARGUMENT
               : gable_get_vector(ctx, (int64_t)v->reals, sizeof(R), v->at, 1, result, 1);
}

/* ---- reductions ---- */

static gable_status run_dot(gable_context *ctx, int form, void *result, size_t *bytes)
{
    const int64_t n = form == 0 ? 97 : 64;
    vector x = {.n = 0}, y = {.n = 0};
    gable_status status = GABLE_OUT_OF_MEMORY;
    if (make_random(ctx, &x, n, 1, 1) && make_random(ctx, &y, n, 1, 2)) {
        *bytes = sizeof(T);
#if COMPLEX
        status = FN(dotu)(ctx, n, x.at, 1, y.at, 1, result);
#else
        status = FN(dot)(ctx, n, x.at, 1, y.at, 1, result);
#endif
    }
    drop(ctx, &x);
    drop(ctx, &y);
    return status;
}

static gable_status run_norm(gable_context *ctx, int form, void *result, size_t *bytes, bool nrm2)
{
    const int64_t n = form == 0 ? 97 : 64;
    vector x = {.n = 0};
    gable_status status = GABLE_OUT_OF_MEMORY;
    if (make_random(ctx, &x, n, 1, 3)) {
        *bytes = sizeof(R);
        status = nrm2 ? FN_R(nrm2)(ctx, n, x.at, 1, result) : FN_R(asum)(ctx, n, x.at, 1, result);
    }
    drop(ctx, &x);
    return status;
}

static gable_status run_nrm2(gable_context *ctx, int form, void *result, size_t *bytes)
{
    return run_norm(ctx, form, result, bytes, true);
}

static gable_status run_asum(gable_context *ctx, int form, void *result, size_t *bytes)
{
    return run_norm(ctx, form, result, bytes, false);
}

static gable_status run_amax(gable_context *ctx, int form, void *result, size_t *bytes)
{
    vector x = {.n = 0};
    gable_status status = GABLE_OUT_OF_MEMORY;
    if (make_random(ctx, &x, 97, 1, 4 + (unsigned)form)) {
        *bytes = sizeof(int64_t);
        status = FN_I(amax)(ctx, 97, x.at, 1, result);
    }
    drop(ctx, &x);
    return status;
}

static gable_status run_mdot(gable_context *ctx, int form, void *result, size_t *bytes)
{
    const int64_t columns = form == 0 ? 3 : COLUMNS; /* one batch, and two */
    vector X = {.n = 0}, y = {.n = 0}, sums = {.n = 0};
    gable_status status = GABLE_OUT_OF_MEMORY;
    if (make_random(ctx, &X, COLUMNS * LDA, 1, 5) && make_random(ctx, &y, LDA, 1, 6) &&
        make_random(ctx, &sums, columns, 1, 7)) {
#if COMPLEX
        status = FN(mdotu)(ctx, LDA, columns, X.at, LDA, y.at, 1, sums.at);
#else
        status = FN(mdot)(ctx, LDA, columns, X.at, LDA, y.at, 1, sums.at);
#endif
        if (status == GABLE_OK)
            status = take(ctx, &sums, result, bytes);
    }
    drop(ctx, &X);
    drop(ctx, &y);
    drop(ctx, &sums);
    return status;
}

/* ---- matrices ---- */

static gable_status run_product(gable_context *ctx, int form, int64_t rows, int64_t columns,
                                void *result, size_t *bytes, bool mirrored)
{
    const gable_uplo uplo = form == 0 ? GABLE_UPPER : GABLE_LOWER;
    const gable_trans trans = form == 0 ? GABLE_NO_TRANS : GABLE_TRANS;
    const T alpha = scalar((R)0.7, (R)0.3), beta = scalar((R)-0.6, (R)0.2);
    vector A = {.n = 0}, x = {.n = 0}, y = {.n = 0};
    gable_status status = GABLE_OUT_OF_MEMORY;
    if (make_random(ctx, &A, N * LDA, 1, 8) && make_random(ctx, &x, N, 1, 9) &&
        make_random(ctx, &y, N, 1, 10)) {
        if (!mirrored)
            status = FN(gemv)(ctx, trans, rows, columns, alpha, A.at, LDA, x.at, 1, beta, y.at, 1);
#if COMPLEX
        else
            status = FN(hemv)(ctx, uplo, N, alpha, A.at, LDA, x.at, 1, beta, y.at, 1);
#else
        else
            status = FN(symv)(ctx, uplo, N, alpha, A.at, LDA, x.at, 1, beta, y.at, 1);
#endif
        if (status == GABLE_OK)
            status = take(ctx, &y, result, bytes);
    }
    drop(ctx, &A);
    drop(ctx, &x);
    drop(ctx, &y);
    return status;
}

static gable_status run_gemv_n(gable_context *ctx, int form, void *result, size_t *bytes)
{
    return run_product(ctx, 0, form == 0 ? N : 40, form == 0 ? N : 20, result, bytes, false);
}

static gable_status run_gemv_t(gable_context *ctx, int form, void *result, size_t *bytes)
{
    return run_product(ctx, 1, form == 0 ? N : 40, form == 0 ? N : 20, result, bytes, false);
}

static gable_status run_symv(gable_context *ctx, int form, void *result, size_t *bytes)
{
    return run_product(ctx, form, N, N, result, bytes, true);
}

/* Upper and lower, as it is and conjugated: two go from the first row to the last, two back. */
static gable_status run_trsv(gable_context *ctx, int form, void *result, size_t *bytes)
{
    const gable_uplo uplo = form % 2 ? GABLE_UPPER : GABLE_LOWER;
    const gable_trans trans = form / 2 ? GABLE_CONJ_TRANS : GABLE_NO_TRANS;
    vector A = {.n = 0}, x = {.n = 0};
    gable_status status = GABLE_OUT_OF_MEMORY;
    if (make_random(ctx, &A, N * LDA, (R)0.1, 11) && make_random(ctx, &x, N, 1, 12)) {
        for (int64_t i = 0; i < N; i++)
            A.host[(i * LDA + i) * REALS] += 2;
        status = send(ctx, &A);
        if (status == GABLE_OK)
            status = FN(trsv)(ctx, uplo, trans, GABLE_NON_UNIT, N, A.at, LDA, x.at, 1);
        if (status == GABLE_OK)
            status = take(ctx, &x, result, bytes);
    }
    drop(ctx, &A);
    drop(ctx, &x);
    return status;
}

const handover_routine TYPED(handover)[] = {
    {"trsv", 4, run_trsv},     {"symv_read_twice", 2, run_symv},
    {"dot", 2, run_dot},       {"nrm2", 2, run_nrm2},
    {"asum", 2, run_asum},     {"amax", 2, run_amax},
    {"mdot", 2, run_mdot},     {"gemv_n", 2, run_gemv_n},
    {"gemv_t", 2, run_gemv_t}, {NULL, 0, NULL},
};
