/* operands.c: the vectors that a benchmark runs on.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "operands.h"

#define ALIGNMENT   ((size_t)256)
#define CHUNK_BYTES ((size_t)64 << 20)
/* Of the device's memory, for one party's operands; there are at most four parties at a time. */
#define MEMORY_SHARE 0.2
#define POISON       0xff /* NaN in every precision */

/* ---- Memory ---- */

gable_status bench_pool_take(bench_pool *pool, size_t bytes, void **address)
{
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > pool->free_bytes) {
        const size_t chunk = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        void *fresh = NULL;
        if (pool->count == (int)(sizeof pool->chunks / sizeof pool->chunks[0]))
            return gbl_fail(&pool->ctx->message, GABLE_INTERNAL,
                            "the operands are in too many pieces");
        TRY(gable_alloc(pool->ctx, chunk, &fresh));
        pool->chunks[pool->count++] = fresh;
        pool->next = fresh;
        pool->free_bytes = chunk;
    }
    *address = pool->next;
    pool->next += bytes;
    pool->free_bytes -= bytes;
    return GABLE_OK;
}

void bench_pool_free(bench_pool *pool)
{
    for (int i = 0; i < pool->count; i++)
        gable_free(pool->ctx, pool->chunks[i]);
    pool->count = 0;
    pool->free_bytes = 0;
}

size_t bench_cache_bytes(const gable_context *ctx)
{
    const size_t known = ctx->device->props.cache_bytes;
    return known > 0 ? known : BENCH_NO_CACHE;
}

size_t bench_set_bytes(const bench_case *what)
{
    return (size_t)what->n * gbl_dtype_bytes(what->dtype) * (what->op->has_y ? 2 : 1);
}

int64_t bench_sets_wanted(const gable_context *ctx, size_t set_bytes, size_t limit_bytes)
{
    int64_t sets = 1 + (int64_t)((2 * bench_cache_bytes(ctx) + set_bytes - 1) / set_bytes);
    if ((double)sets * (double)set_bytes > (double)limit_bytes)
        sets = (int64_t)(limit_bytes / set_bytes);
    if (sets > BENCH_MAX_SETS)
        sets = BENCH_MAX_SETS;
    return sets > 1 ? sets : 1;
}

/* ---- Data ---- */

/* splitmix64: the state is a counter, so that equal seeds give equal data everywhere. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In (-1, 1), never 0, exact in single precision where that is asked for. */
static double next_value(uint64_t *state, bool single)
{
    const uint64_t bits = next_random(state);
    const double magnitude =
        single ? ((double)(bits >> 41) + 0.5) * 0x1p-23 : ((double)(bits >> 12) + 0.5) * 0x1p-52;
    return bits & 1 ? -magnitude : magnitude;
}

static void put(void *vector, int64_t index, bool single, double value)
{
    if (single)
        ((float *)vector)[index] = (float)value;
    else
        ((double *)vector)[index] = value;
}

static void make_data(bench_operands *operands)
{
    const gbl_dtype dtype = operands->what.dtype;
    const bool single = gbl_dtype_real_bytes(dtype) == 4;
    const int parts = gbl_dtype_complex(dtype) ? 2 : 1;
    uint64_t state = 20261115;
    for (int64_t i = 0; i < operands->period * parts; i++) {
        const double x = next_value(&state, single);
        put(operands->host_x, i, single, x);
        if (operands->host_y == NULL)
            continue;
        double y = next_value(&state, single);
        const bool agree = next_random(&state) % 4 != 0;
        /* The product of imaginary parts counts negative unless x is conjugated. */
        const bool negative = parts == 2 && i % 2 == 1 && !operands->what.op->conj;
        if ((x * y > 0) != (agree != negative))
            y = -y;
        put(operands->host_y, i, single, y);
    }
}

/* Uploads one period, then doubles it on the device. */
static gable_status upload(const bench_operands *operands, const void *host, void *device)
{
    const size_t elem = gbl_dtype_bytes(operands->what.dtype);
    const size_t total = (size_t)operands->what.n * elem;
    TRY(gable_set_vector(operands->ctx, operands->period, elem, host, 1, device, 1));
    for (size_t done = (size_t)operands->period * elem; done < total; done *= 2) {
        const size_t more = done < total - done ? done : total - done;
        TRY(gable_copy_bytes(operands->ctx, (char *)device + done, device, more));
    }
    return GABLE_OK;
}

gable_status bench_fill_random(gable_context *ctx, void *address, size_t bytes)
{
    enum { WORDS = 65537 };
    double *words = malloc(WORDS * sizeof *words);
    if (words == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for random data");
    uint64_t state = 1;
    for (int i = 0; i < WORDS; i++)
        words[i] = next_value(&state, false);
    size_t done = bytes < WORDS * sizeof *words ? bytes : WORDS * sizeof *words;
    gable_status status = gable_set_vector(ctx, (int64_t)done, 1, words, 1, address, 1);
    while (status == GABLE_OK && done < bytes) {
        const size_t more = done < bytes - done ? done : bytes - done;
        status = gable_copy_bytes(ctx, (char *)address + done, address, more);
        done += more;
    }
    free(words);
    return status;
}

/* ---- Sets ---- */

static gable_status make_set(bench_operands *operands, int64_t set)
{
    const bench_case *what = &operands->what;
    const size_t bytes = (size_t)what->n * gbl_dtype_bytes(what->dtype);
    TRY(bench_pool_take(&operands->pool, bytes, &operands->x[set]));
    if (what->op->has_y)
        TRY(bench_pool_take(&operands->pool, bytes, &operands->y[set]));
    if (what->op->has_result)
        TRY(bench_pool_take(&operands->pool, 16, &operands->result[set]));
    TRY(upload(operands, operands->host_x, operands->x[set]));
    return what->op->has_y ? upload(operands, operands->host_y, operands->y[set]) : GABLE_OK;
}

gable_status bench_operands_make(bench_operands *operands, gable_context *ctx,
                                 const bench_case *what, bool hot)
{
    const size_t elem = gbl_dtype_bytes(what->dtype), set_bytes = bench_set_bytes(what);
    const size_t limit = (size_t)(MEMORY_SHARE * (double)ctx->device->props.memory_bytes);
    memset(operands, 0, sizeof *operands);
    operands->what = *what;
    operands->ctx = operands->pool.ctx = ctx;
    operands->period = what->n < BENCH_PERIOD ? what->n : BENCH_PERIOD;
    operands->host_x = malloc((size_t)operands->period * elem);
    operands->host_y = what->op->has_y ? malloc((size_t)operands->period * elem) : NULL;
    if (operands->host_x == NULL || (what->op->has_y && operands->host_y == NULL))
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for random data");
    make_data(operands);

    const int64_t wanted = hot ? 1 : bench_sets_wanted(ctx, set_bytes, limit);
    for (; operands->sets < wanted; operands->sets++) {
        const gable_status status = make_set(operands, operands->sets);
        if (status == GABLE_OUT_OF_MEMORY && operands->sets > 0)
            break;
        TRY(status);
    }
    operands->covers_cache =
        (double)operands->sets * (double)set_bytes >= 2.0 * (double)bench_cache_bytes(ctx);
    return gable_sync(ctx);
}

void bench_operands_free(bench_operands *operands)
{
    bench_pool_free(&operands->pool);
    free(operands->host_x);
    free(operands->host_y);
    operands->host_x = operands->host_y = NULL;
}

void bench_operands_call(const bench_operands *operands, int64_t set, gbl_vector_call *call)
{
    const bench_op *op = operands->what.op;
    memset(call, 0, sizeof *call);
    call->dtype = operands->what.dtype;
    call->conj = op->conj;
    call->n = operands->what.n;
    if (op->has_alpha)
        call->alpha = (gbl_scalar){.re = BENCH_ALPHA_RE,
                                   .im = gbl_dtype_complex(call->dtype) ? BENCH_ALPHA_IM : 0};
    call->x = operands->x[set];
    call->y = operands->y[set];
    call->result = operands->result[set];
    call->incx = 1;
    call->incy = op->has_y ? 1 : 0;
}

gable_status bench_operands_restore(bench_operands *operands, int64_t set)
{
    const bench_case *what = &operands->what;
    if (what->op->has_result)
        TRY(gable_fill_bytes(operands->ctx, operands->result[set], POISON, 16));
    if (!what->op->writes_y)
        return GABLE_OK;
    if (what->op->has_alpha)
        return upload(operands, operands->host_y, operands->y[set]);
    return gable_fill_bytes(operands->ctx, operands->y[set], POISON,
                            (size_t)what->n * gbl_dtype_bytes(what->dtype));
}
