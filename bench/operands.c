/* operands.c: the vectors and matrices that a benchmark runs on.
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

int64_t bench_length(const bench_case *what, unsigned which)
{
    const bench_op *op = what->op;
    if (!((op->reads | op->writes) & which))
        return 0;
    if (which & (BENCH_A | BENCH_B | BENCH_C)) {
        const bench_shape shape = bench_matrix_shape(what, which);
        return what->offset + shape.ld * shape.columns * what->batch;
    }
    if (!bench_op_has_matrix(op))
        return what->n;
    /* x runs along the columns and y along the rows, but for ger, and where A is transposed. */
    const bool turned = (what->trans != GABLE_NO_TRANS) != (op->formula == BENCH_GER);
    return ((which == BENCH_X) != turned ? what->n : what->m) * what->batch;
}

size_t bench_set_bytes(const bench_case *what)
{
    static const unsigned all[] = {BENCH_A, BENCH_B, BENCH_C, BENCH_Y, BENCH_W};
    int64_t elements = what->k * bench_length(what, BENCH_X);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        elements += bench_length(what, all[i]);
    return (size_t)elements * gbl_dtype_bytes(what->dtype);
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

/* ---- Sets ---- */

/* Uploads one period, then doubles it on the device until `length` elements are there. */
static gable_status upload(const bench_operands *operands, const void *host, void *device,
                           int64_t length)
{
    const size_t elem = gbl_dtype_bytes(operands->what.dtype), total = (size_t)length * elem;
    const int64_t first = length < operands->period ? length : operands->period;
    TRY(gable_set_vector(operands->ctx, first, elem, host, 1, device, 1));
    for (size_t done = (size_t)first * elem; done < total; done *= 2) {
        const size_t more = done < total - done ? done : total - done;
        TRY(gable_copy_bytes(operands->ctx, (char *)device + done, device, more));
    }
    return GABLE_OK;
}

/* The columns of x; those past the host's are copies on the device. */
static gable_status upload_columns(const bench_operands *operands, void *x)
{
    const bench_case *what = &operands->what;
    const int64_t length = bench_length(what, BENCH_X);
    const size_t elem = gbl_dtype_bytes(what->dtype), column_bytes = (size_t)length * elem;
    for (int64_t j = 0; j < what->k; j++) {
        char *column = (char *)x + (size_t)j * column_bytes;
        const char *host =
            (char *)operands->host_x + (size_t)(j % operands->columns * operands->period) * elem;
        if (j < operands->columns)
            TRY(upload(operands, host, column, length));
        else
            TRY(gable_copy_bytes(operands->ctx, column,
                                 column - (size_t)operands->columns * column_bytes, column_bytes));
    }
    return GABLE_OK;
}

static gable_status upload_peak(const bench_operands *operands, void *x)
{
    double value[2];
    const size_t elem = gbl_dtype_bytes(operands->what.dtype);
    const int64_t at = bench_peak(&operands->what, value);
    return gable_set_vector(operands->ctx, 1, elem, value, 1, (char *)x + (size_t)at * elem, 1);
}

/* Memory for an operand, if the op has it. */
static gable_status take(bench_operands *operands, unsigned which, int64_t columns, void **address)
{
    const int64_t elements = columns * bench_length(&operands->what, which);
    return elements > 0
               ? bench_pool_take(&operands->pool,
                                 (size_t)elements * gbl_dtype_bytes(operands->what.dtype), address)
               : GABLE_OK;
}

static void put_one(void *vector, int64_t i, gbl_dtype dtype)
{
    const int64_t reals = gbl_dtype_complex(dtype) ? 2 : 1;
    for (int64_t part = 0; part < reals; part++) {
        if (gbl_dtype_real_bytes(dtype) == 4)
            ((float *)vector)[i * reals + part] = part == 0;
        else
            ((double *)vector)[i * reals + part] = part == 0;
    }
}

/* A packed triangle with ones on its diagonal, which stand at no constant distance: piece by piece. */
static gable_status upload_packed(const bench_operands *operands, const char *host, void *matrix)
{
    const bench_case *what = &operands->what;
    const bench_shape shape = bench_matrix_shape(what, BENCH_A);
    const int64_t elem = (int64_t)gbl_dtype_bytes(what->dtype), length = shape.ld + what->offset;
    char *piece = malloc((size_t)(operands->period * elem));
    gable_status status = GABLE_OK;
    int64_t j = 0;
    if (piece == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    for (int64_t done = 0; status == GABLE_OK && done < length; done += operands->period) {
        const int64_t rest = length - done,
                      count = rest < operands->period ? rest : operands->period;
        memcpy(piece, host, (size_t)(count * elem));
        for (int64_t at; j < what->n && (at = bench_matrix_index(what, shape, j, j)) < done + count;
             j++)
            put_one(piece, at - done, what->dtype);
        status = gable_set_vector(operands->ctx, count, (size_t)elem, piece, 1,
                                  (char *)matrix + done * elem, 1);
    }
    free(piece);
    return status;
}

/* The host's data, and ones on the diagonal of a triangle that is multiplied or solved with. */
static gable_status upload_matrix(const bench_operands *operands, unsigned which, const void *host,
                                  void *matrix)
{
    const bench_case *what = &operands->what;
    const size_t elem = gbl_dtype_bytes(what->dtype);
    const bool triangle = what->op->formula == BENCH_TRMV || what->op->formula == BENCH_TRSV;
    if (triangle && what->op->matrix & BENCH_PACKED)
        return upload_packed(operands, host, matrix);
    TRY(upload(operands, host, matrix, bench_length(what, which)));
    if (!triangle)
        return GABLE_OK;
    char *ones = malloc((size_t)what->n * elem);
    if (ones == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    for (int64_t i = 0; i < what->n; i++)
        put_one(ones, i, what->dtype);
    const bench_shape shape = bench_matrix_shape(what, which);
    const int64_t first = bench_matrix_index(what, shape, 0, 0);
    const int64_t apart = shape.ld + (what->op->matrix & BENCH_BAND ? 0 : 1);
    const gable_status status = gable_set_vector(operands->ctx, what->n, elem, ones, 1,
                                                 (char *)matrix + (size_t)first * elem, apart);
    free(ones);
    return status;
}

static char *past(void *start, int64_t elements, gbl_dtype dtype)
{
    return (char *)start + elements * (int64_t)gbl_dtype_bytes(dtype);
}

/* The arrays of addresses that an op of many matrices takes: A, x, y, one behind the other. */
static gable_status upload_addresses(bench_operands *operands, int64_t set)
{
    const bench_case *what = &operands->what;
    const bench_shape shape = bench_matrix_shape(what, BENCH_A);
    const int64_t batch = what->batch, x = bench_length(what, BENCH_X) / batch,
                  y = bench_length(what, BENCH_Y) / batch;
    const size_t count = 3 * (size_t)batch;
    void **addresses = malloc(count * sizeof *addresses);
    if (addresses == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    for (int64_t b = 0; b < batch; b++) {
        addresses[b] =
            past(operands->A[set], what->offset + b * shape.ld * shape.columns, what->dtype);
        addresses[batch + b] = past(operands->x[set], b * x, what->dtype);
        addresses[2 * batch + b] = past(operands->y[set], b * y, what->dtype);
    }
    gable_status status =
        bench_pool_take(&operands->pool, count * sizeof *addresses, &operands->addresses[set]);
    if (status == GABLE_OK)
        status = gable_set_vector(operands->ctx, (int64_t)count, sizeof *addresses, addresses, 1,
                                  operands->addresses[set], 1);
    free(addresses);
    return status;
}

static gable_status make_set(bench_operands *operands, int64_t set)
{
    const bench_case *what = &operands->what;
    TRY(take(operands, BENCH_A, 1, &operands->A[set]));
    TRY(take(operands, BENCH_B, 1, &operands->B[set]));
    TRY(take(operands, BENCH_C, 1, &operands->C[set]));
    TRY(take(operands, BENCH_X, what->k, &operands->x[set]));
    TRY(take(operands, BENCH_Y, 1, &operands->y[set]));
    TRY(take(operands, BENCH_W, 1, &operands->w[set]));
    if (what->op->result != BENCH_NO_RESULT)
        TRY(bench_pool_take(&operands->pool, bench_result_bytes(what), &operands->result[set]));
    if (operands->host_A != NULL)
        TRY(upload_matrix(operands, BENCH_A, operands->host_A, operands->A[set]));
    if (operands->host_B != NULL)
        TRY(upload_matrix(operands, BENCH_B, operands->host_B, operands->B[set]));
    if (what->op->matrix & BENCH_POINTERS)
        TRY(upload_addresses(operands, set));
    if (operands->host_x != NULL)
        TRY(upload_columns(operands, operands->x[set]));
    if (what->op->formula == BENCH_AMAX)
        TRY(upload_peak(operands, operands->x[set]));
    if (operands->host_y != NULL)
        TRY(upload(operands, operands->host_y, operands->y[set], bench_length(what, BENCH_Y)));
    /* What is only written gets its memory here, not in the first call that is timed. */
    return (what->op->reads & what->op->writes) == 0 ? bench_operands_restore(operands, set)
                                                     : GABLE_OK;
}

static gable_status make_coefficients(bench_operands *operands)
{
    const bench_case *what = &operands->what;
    const size_t elem = gbl_dtype_bytes(what->dtype);
    if (operands->host_coefficients == NULL)
        return GABLE_OK;
    TRY(bench_pool_take(&operands->pool, (size_t)what->k * elem, &operands->coefficients));
    return gable_set_vector(operands->ctx, what->k, elem, operands->host_coefficients, 1,
                            operands->coefficients, 1);
}

gable_status bench_operands_make(bench_operands *operands, gable_context *ctx,
                                 const bench_case *what, bool hot)
{
    const size_t set_bytes = bench_set_bytes(what);
    const size_t limit = (size_t)(MEMORY_SHARE * (double)ctx->device->props.memory_bytes);
    const int64_t period = what->op->takes_k ? BENCH_COLUMNS_PERIOD : BENCH_PERIOD;
    memset(operands, 0, sizeof *operands);
    operands->what = *what;
    operands->ctx = operands->pool.ctx = ctx;
    const int64_t longest = bench_op_has_matrix(what->op) ? bench_length(what, BENCH_A) : what->n;
    operands->period = longest < period ? longest : period;
    operands->columns = what->k < BENCH_COLUMNS ? what->k : BENCH_COLUMNS;
    TRY(bench_data_make(operands));
    TRY(make_coefficients(operands));

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
    free(operands->host_coefficients);
    free(operands->host_A);
    free(operands->host_B);
    operands->host_x = operands->host_y = operands->host_coefficients = NULL;
    operands->host_A = operands->host_B = NULL;
}

/* As the public function makes it: a flag that it does not have stays 0. The tuning database is kept by keys of
 * such calls, so a stray flag would hide what was measured from the programs it was measured for. */
static void make_matrix_call(const bench_operands *operands, int64_t set, gbl_matrix_call *call)
{
    const bench_case *what = &operands->what;
    const unsigned flags = what->op->matrix;
    const bench_shape shape = bench_matrix_shape(what, BENCH_A);
    const int64_t batch = what->batch;
    *call = (gbl_matrix_call){.dtype = what->dtype,
                              .conj = what->op->conj,
                              .real_scalars = what->op->real_scalars,
                              .m = what->m,
                              .n = what->n,
                              .A = past(operands->A[set], what->offset, what->dtype),
                              .lda = shape.ld,
                              .x = operands->x[set],
                              .incx = 1,
                              .y = operands->y[set],
                              .incy = 1};
    if (flags & BENCH_TRANS)
        call->trans = what->trans;
    if (flags & BENCH_UPLO)
        call->uplo = what->uplo;
    if ((flags & BENCH_UPLO) && (flags & BENCH_TRANS))
        call->diag = GABLE_NON_UNIT;
    if (flags & BENCH_BAND) {
        call->storage = GBL_BAND;
        call->kl = call->ku = what->width;
    }
    if (flags & BENCH_PACKED) {
        call->storage = GBL_PACKED;
        call->lda = 0;
    }
    if (operands->B[set] != NULL) {
        call->trans_b = GABLE_NO_TRANS;
        call->B = past(operands->B[set], what->offset, what->dtype);
        call->ldb = bench_matrix_shape(what, BENCH_B).ld;
    }
    if (operands->C[set] != NULL) {
        call->C = past(operands->C[set], what->offset, what->dtype);
        call->ldc = bench_matrix_shape(what, BENCH_C).ld;
    }
    if (flags & BENCH_BATCH) {
        call->batch = batch;
        call->stride_a = shape.ld * shape.columns;
        call->stride_x = bench_length(what, BENCH_X) / batch;
        call->stride_y = bench_length(what, BENCH_Y) / batch;
    }
    if (flags & BENCH_POINTERS) {
        void **addresses = operands->addresses[set];
        call->pointers = true;
        call->A = addresses;
        call->x = addresses + batch;
        call->y = addresses + 2 * batch;
    }
    bench_scalars(what, &call->alpha, &call->beta);
}

static void make_vector_call(const bench_operands *operands, int64_t set, gbl_vector_call *call)
{
    const bench_case *what = &operands->what;
    const bench_op *op = what->op;
    const unsigned vectors = op->reads | op->writes;
    memset(call, 0, sizeof *call);
    call->dtype = what->dtype;
    call->conj = op->conj;
    call->real_scalars = op->real_scalars;
    call->wide_result = op->result == BENCH_DOUBLE;
    call->n = what->n;
    bench_scalars(what, &call->alpha, &call->beta);
    call->x = operands->x[set];
    call->y = operands->y[set];
    call->w = operands->w[set];
    call->result = operands->result[set];
    call->incx = 1;
    call->incy = vectors & BENCH_Y ? 1 : 0;
    call->incw = vectors & BENCH_W ? 1 : 0;
    if (op->takes_k) {
        call->count = what->k;
        call->ldx = what->n;
        call->values_at = operands->coefficients;
    }
    if (op->formula == BENCH_RANDOM) {
        call->seed = BENCH_SEED;
        call->first = BENCH_FIRST;
    }
}

void bench_operands_call(const bench_operands *operands, int64_t set, bench_call *call)
{
    if (bench_op_has_matrix(operands->what.op))
        make_matrix_call(operands, set, &call->matrix);
    else
        make_vector_call(operands, set, &call->vector);
}

static gable_status restore_operand(const bench_operands *operands, unsigned which,
                                    const void *host, void *vector)
{
    const bench_op *op = operands->what.op;
    const int64_t length = bench_length(&operands->what, which);
    if (!(op->writes & which))
        return GABLE_OK;
    if (op->reads & which)
        return which == BENCH_A ? upload_matrix(operands, which, host, vector)
                                : upload(operands, host, vector, length);
    return gable_fill_bytes(operands->ctx, vector, POISON,
                            (size_t)length * gbl_dtype_bytes(operands->what.dtype));
}

gable_status bench_operands_restore(bench_operands *operands, int64_t set)
{
    const bench_case *what = &operands->what;
    if (what->op->result != BENCH_NO_RESULT)
        TRY(gable_fill_bytes(operands->ctx, operands->result[set], POISON,
                             bench_result_bytes(what)));
    TRY(restore_operand(operands, BENCH_A, operands->host_A, operands->A[set]));
    TRY(restore_operand(operands, BENCH_C, NULL, operands->C[set]));
    TRY(restore_operand(operands, BENCH_X, operands->host_x, operands->x[set]));
    TRY(restore_operand(operands, BENCH_Y, operands->host_y, operands->y[set]));
    return restore_operand(operands, BENCH_W, NULL, operands->w[set]);
}
