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
#define APART_BITS   40   /* of pretended operands: no two of them meet */

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
    const char *said = getenv("GABLE_BENCH_CACHE");
    const long long bytes = said != NULL ? strtoll(said, NULL, 10) : 0;
    if (bytes > 0)
        return (size_t)bytes;
    const size_t known = ctx->device->props.cache_bytes;
    return known > 0 ? known : BENCH_NO_CACHE;
}

size_t bench_set_bytes(const bench_case *what)
{
    bench_shape shapes[BENCH_ROLES];
    int64_t elements = 0;
    bench_case_shapes(what, shapes);
    for (int role = BENCH_A; role < BENCH_VALUES; role++)
        elements += shapes[role].length;
    return (size_t)elements * gbl_dtype_bytes(what->dtype) +
           (size_t)(shapes[BENCH_D].length + shapes[BENCH_E].length) *
               bench_element_bytes(what, BENCH_D);
}

size_t bench_element_bytes(const bench_case *what, bench_role role)
{
    if (role == BENCH_IPIV)
        return sizeof(int64_t);
    return role == BENCH_D || role == BENCH_E ? gbl_dtype_real_bytes(what->dtype)
                                              : gbl_dtype_bytes(what->dtype);
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
    const bench_shape *shape = &operands->shape[BENCH_X];
    const int64_t length = shape->length / shape->columns;
    const size_t elem = gbl_dtype_bytes(operands->what.dtype), column_bytes = (size_t)length * elem;
    for (int64_t j = 0; j < shape->columns; j++) {
        char *column = (char *)x + (size_t)j * column_bytes;
        const char *host = (char *)operands->host[BENCH_X] +
                           (size_t)(j % operands->columns * operands->period) * elem;
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

/* Where one j of the diagonal stands; of many triangles theirs follow one another. */
static int64_t place_of_one(const bench_operands *operands, int64_t j)
{
    const bench_shape *shape = &operands->shape[BENCH_A];
    const int64_t order = bench_triangle_order(&operands->what);
    if (operands->storage == GBL_PACKED)
        return bench_matrix_index(operands, BENCH_A, j, j);
    return operands->what.offset + j / order * shape->ld * shape->columns +
           j % order * (shape->ld + 1);
}

/* A packed triangle or many triangles with ones on the diagonal, which stand at no constant
 * distance: piece by piece. */
static gable_status upload_pieces(const bench_operands *operands, void *matrix)
{
    const bench_case *what = &operands->what;
    const int64_t elem = (int64_t)gbl_dtype_bytes(what->dtype);
    const int64_t length = operands->shape[BENCH_A].length, most = operands->period;
    const int64_t ones = bench_triangle_order(what) * what->batch;
    char *piece = malloc((size_t)(most * elem));
    gable_status status = GABLE_OK;
    int64_t j = 0;
    if (piece == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    for (int64_t done = 0; status == GABLE_OK && done < length; done += most) {
        const int64_t count = length - done < most ? length - done : most;
        memcpy(piece, operands->host[BENCH_A], (size_t)(count * elem));
        for (; j < ones; j++) {
            const int64_t at = place_of_one(operands, j) - done;
            if (at >= count)
                break;
            put_one(piece, at, what->dtype);
        }
        status = gable_set_vector(operands->ctx, count, (size_t)elem, piece, 1,
                                  (char *)matrix + done * elem, 1);
    }
    free(piece);
    return status;
}

/* Ones on the diagonal of a triangle or of its band. */
static gable_status upload_diagonal(const bench_operands *operands, bench_role role, void *matrix)
{
    const bench_case *what = &operands->what;
    const size_t elem = gbl_dtype_bytes(what->dtype);
    const int64_t first = bench_matrix_index(operands, role, 0, 0);
    const int64_t apart = bench_matrix_index(operands, role, 1, 1) - first;
    const int64_t order = bench_triangle_order(what);
    char *ones = malloc((size_t)order * elem);
    if (ones == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    for (int64_t i = 0; i < order; i++)
        put_one(ones, i, what->dtype);
    const gable_status status = gable_set_vector(operands->ctx, order, elem, ones, 1,
                                                 (char *)matrix + (size_t)first * elem, apart);
    free(ones);
    return status;
}

/* The host's data, and ones on the diagonal of a triangle that is multiplied or solved with. */
static gable_status upload_operand(const bench_operands *operands, bench_role role, int64_t set)
{
    const bench_case *what = &operands->what;
    void *address = operands->at[role][set];
    const bool triangle = bench_has_ones(what->op, role);
    const bool pieces = triangle && (operands->storage == GBL_PACKED || what->batch > 1);
    if (role == BENCH_VALUES)
        return gable_set_vector(operands->ctx, what->k, gbl_dtype_bytes(what->dtype),
                                operands->host[role], 1, address, 1);
    if (role == BENCH_TAU || role == BENCH_IPIV)
        return gable_set_vector(operands->ctx, operands->shape[role].length,
                                bench_element_bytes(what, role), operands->host[role], 1, address,
                                1);
    if (role == BENCH_X)
        TRY(upload_columns(operands, address));
    else if (pieces)
        TRY(upload_pieces(operands, address));
    else
        TRY(upload(operands, operands->host[role], address, operands->shape[role].length));
    if (triangle && !pieces)
        TRY(upload_diagonal(operands, role, address));
    return role == BENCH_X && what->op->formula == BENCH_AMAX ? upload_peak(operands, address)
                                                              : GABLE_OK;
}

static size_t operand_bytes(const bench_operands *operands, bench_role role)
{
    return role == BENCH_RESULT
               ? bench_result_bytes(&operands->what)
               : (size_t)operands->shape[role].length * bench_element_bytes(&operands->what, role);
}

static char *past(void *start, int64_t elements, gbl_dtype dtype)
{
    return (char *)start + elements * (int64_t)gbl_dtype_bytes(dtype);
}

/* Where an operand starts: matrices off their alignment, if that is asked for. */
static char *start_of(const bench_operands *operands, bench_role role, int64_t set)
{
    return past(operands->at[role][set], role <= BENCH_C ? operands->what.offset : 0,
                operands->what.dtype);
}

static bool is_listed(const bench_operands *operands, bench_role role)
{
    const gbl_operand *operand = operands->operand[role];
    return operand != NULL && gbl_call_switch(&operands->call, operand->listed);
}

/* The arrays of addresses that an op of many matrices takes, one behind the other. */
static gable_status upload_addresses(bench_operands *operands, int64_t set)
{
    const bench_case *what = &operands->what;
    const int64_t batch = what->batch;
    int64_t count = 0;
    void **addresses = malloc(BENCH_ROLES * (size_t)batch * sizeof *addresses);
    if (addresses == NULL)
        return gbl_fail(&operands->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    for (int role = BENCH_A; role < BENCH_ROLES; role++) {
        const bench_shape *shape = &operands->shape[role];
        if (!is_listed(operands, (bench_role)role))
            continue;
        for (int64_t b = 0; b < batch; b++)
            addresses[count++] = past(start_of(operands, (bench_role)role, set),
                                      b * shape->ld * shape->columns, what->dtype);
    }
    gable_status status = bench_pool_take(&operands->pool, (size_t)count * sizeof *addresses,
                                          &operands->addresses[set]);
    if (status == GABLE_OK)
        status = gable_set_vector(operands->ctx, count, sizeof *addresses, addresses, 1,
                                  operands->addresses[set], 1);
    free(addresses);
    return status;
}

/* What is only written gets its memory here, not in the first call that is timed. */
static gable_status make_set(bench_operands *operands, int64_t set)
{
    for (int role = BENCH_A; role < BENCH_ROLES; role++) {
        const size_t bytes = operand_bytes(operands, (bench_role)role);
        void **address = &operands->at[role][set];
        if (bytes == 0)
            continue;
        TRY(bench_pool_take(&operands->pool, bytes, address));
        if (operands->host[role] != NULL)
            TRY(upload_operand(operands, (bench_role)role, set));
        else
            TRY(gable_fill_bytes(operands->ctx, *address, POISON, bytes));
    }
    return operands->what.op->pointers ? upload_addresses(operands, set) : GABLE_OK;
}

/* What is known of a case without memory. */
static void describe(bench_operands *operands, const bench_case *what)
{
    memset(operands, 0, sizeof *operands);
    operands->what = *what;
    operands->storage = bench_op_storage(what->op);
    bench_case_call(what, &operands->call);
    bench_case_shapes(what, operands->shape);
    for (int role = BENCH_A; role < BENCH_ROLES; role++)
        operands->operand[role] = bench_operand(what->op, (bench_role)role);
}

void bench_operands_pretend(bench_operands *operands, const bench_case *what)
{
    describe(operands, what);
    operands->sets = 1;
    for (int role = BENCH_A; role < BENCH_ROLES; role++)
        if (operands->operand[role] != NULL)
            operands->at[role][0] = (void *)((uintptr_t)(role + 1) << APART_BITS);
    operands->addresses[0] = (void *)((uintptr_t)(BENCH_ROLES + 1) << APART_BITS);
}

gable_status bench_operands_make(bench_operands *operands, gable_context *ctx,
                                 const bench_case *what, bool hot)
{
    const size_t set_bytes = bench_set_bytes(what);
    const size_t limit = (size_t)(MEMORY_SHARE * (double)ctx->device->props.memory_bytes);
    const bool columns = bench_op_takes_columns(what->op);
    const int64_t period = columns ? BENCH_COLUMNS_PERIOD : BENCH_PERIOD;
    describe(operands, what);
    operands->ctx = operands->pool.ctx = ctx;
    int64_t longest = bench_op_has_matrix(what->op) ? operands->shape[BENCH_A].length : what->n;
    if (operands->shape[BENCH_B].length > longest)
        longest = operands->shape[BENCH_B].length;
    if (operands->shape[BENCH_D].length > longest)
        longest = operands->shape[BENCH_D].length;
    operands->period = longest < period ? longest : period;
    operands->columns = what->k < BENCH_COLUMNS ? what->k : BENCH_COLUMNS;
    TRY(bench_data_make(operands));

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
    for (int role = BENCH_A; role < BENCH_ROLES; role++) {
        free(operands->host[role]);
        operands->host[role] = NULL;
    }
}

void bench_operands_call(const bench_operands *operands, int64_t set, bench_call *call)
{
    const bench_case *what = &operands->what;
    void **addresses = operands->addresses[set];
    *call = operands->call;
    for (int role = BENCH_A; role < BENCH_ROLES; role++) {
        if (operands->at[role][set] == NULL)
            continue;
        void *address = start_of(operands, (bench_role)role, set);
        if (is_listed(operands, (bench_role)role)) {
            address = addresses;
            addresses += what->batch;
        }
        memcpy((char *)call + operands->operand[role]->at, &address, sizeof address);
    }
    if (what->op->formula == BENCH_SYEVX) /* m stands behind info */
        call->product.found = call->product.info + 1;
}

gable_status bench_operands_restore(bench_operands *operands, int64_t set)
{
    /* The info of some peers has 32 bits: they leave the upper half as it is. */
    static const int64_t poisoned_info = 0xffffffff;
    for (int role = BENCH_A; role < BENCH_ROLES; role++) {
        if (!bench_writes(operands->what.op, (bench_role)role) ||
            operand_bytes(operands, (bench_role)role) == 0)
            continue;
        if (operands->host[role] != NULL)
            TRY(upload_operand(operands, (bench_role)role, set));
        else if (role == BENCH_RESULT && bench_op_result(operands->what.op) == BENCH_INFO)
            TRY(gable_set_vector(operands->ctx, 1, sizeof poisoned_info, &poisoned_info, 1,
                                 operands->at[role][set], 1));
        else
            TRY(gable_fill_bytes(operands->ctx, operands->at[role][set], POISON,
                                 operand_bytes(operands, (bench_role)role)));
    }
    return GABLE_OK;
}
