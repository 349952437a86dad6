/* matrix.c: sparse matrices: creation, what they hold, their end.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A matrix is made of compressed rows. Arrays on the host are checked and sorted there
 * (matrix_host.c) and copied. Arrays on the device are checked there and copied on it
 * (matrix_device.c); those that must be sorted, added up or counted from 0 take the way over the
 * host.
 */
#include <stdlib.h>
#include <string.h>
#include "core/extents.h"
#include "core/launch.h"
#include "core/observe.h"
#include "sparse/matrix/sparse_host.h"

/* ---- Memory ---- */

gable_status gbl_sparse_alloc(gable_context *ctx, int64_t count, size_t bytes, const void **array)
{
    void *fresh = NULL;
    const size_t least = count > 0 ? (size_t)count : 1; /* kernels may be given any array */
    *array = NULL;
    TRY(gable_alloc(ctx, least * bytes, &fresh));
    *array = fresh;
    return GABLE_OK;
}

/* Arrays start on lines of the cache that are aligned for any load. */
static size_t padded_bytes(const gbl_sparse_array_spec *array)
{
    const size_t line = 256, least = array->count > 0 ? (size_t)array->count : 1;
    return (least * array->bytes + line - 1) / line * line;
}

gable_status gbl_sparse_alloc_all(gable_context *ctx, const gbl_sparse_array_spec *arrays,
                                  int array_count, gbl_sparse_layout *layout)
{
    size_t bytes = 0;
    void *block = NULL;
    for (int i = 0; i < array_count; i++) {
        if (arrays[i].count > 0 && (size_t)arrays[i].count > SIZE_MAX / 16 / arrays[i].bytes)
            return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY,
                            "no device has %lld elements of %zu bytes", (long long)arrays[i].count,
                            arrays[i].bytes);
        bytes += padded_bytes(&arrays[i]);
    }
    TRY(gable_alloc(ctx, bytes, &block));
    layout->block = block;
    char *at = block;
    for (int i = 0; i < array_count; i++) {
        *arrays[i].array = at;
        at += padded_bytes(&arrays[i]);
    }
    return GABLE_OK;
}

gable_status gbl_sparse_free_arrays(gable_context *ctx, gbl_sparse_layout *layout)
{
    const void **const arrays[] = {&layout->start,       &layout->row,       &layout->column,
                                   &layout->value,       &layout->order,     &layout->rest_row,
                                   &layout->rest_column, &layout->rest_value};
    gable_status status = gable_free(ctx, layout->block);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        const gable_status freed =
            layout->block == NULL ? gable_free(ctx, (void *)(uintptr_t)*arrays[i]) : GABLE_OK;
        status = status == GABLE_OK ? freed : status;
        *arrays[i] = NULL;
    }
    layout->block = NULL;
    return status;
}

gable_status gbl_sparse_free(gable_context *ctx, gable_sparse *A)
{
    if (A == NULL)
        return GABLE_OK;
    const gable_status below = gbl_sparse_free(ctx, atomic_load(&A->transpose));
    const gable_status status = A->in_place ? GABLE_OK : gbl_sparse_free_arrays(ctx, &A->layout);
    gbl_object_remove(&A->object);
    pthread_mutex_destroy(&A->lock);
    free(A);
    return status == GABLE_OK ? below : status;
}

gable_status gbl_sparse_new(gable_context *ctx, const gbl_sparse_layout *layout, gable_sparse **A)
{
    void *room;
    TRY(gbl_sparse_room(ctx, 1, sizeof **A, &room));
    *A = room;
    gable_sparse *fresh = *A;
    memset(fresh, 0, sizeof *fresh);
    fresh->device = ctx->device;
    fresh->layout = *layout;
    pthread_mutex_init(&fresh->lock, NULL);
    fresh->object = (gbl_object){.kind = GBL_OBJECT_SPARSE, .self = fresh, .owner = ctx};
    gbl_object_add(&fresh->object);
    return GABLE_OK;
}

gable_status gbl_sparse_complete(gable_context *ctx, gable_sparse **A)
{
    const gable_status status = ctx->device->table->sync(ctx->queue, &ctx->message);
    if (status != GABLE_OK) {
        gbl_sparse_free(ctx, *A);
        *A = NULL;
    }
    return status;
}

gable_status gbl_sparse_check(gable_context *ctx, int number, const char *name,
                              const gable_sparse *A)
{
    CHECK_ARG(ctx, A != NULL, number, name, "is NULL; it must be a sparse matrix");
    CHECK_ARG(ctx, gbl_object_known(ctx, GBL_OBJECT_SPARSE, A), number, name,
              "is no sparse matrix: it was destroyed, or never made");
    CHECK_ARG(ctx, A->device == ctx->device, number, name, "is a matrix on %s, not on %s",
              A->device->info.name, ctx->device->info.name);
    return GABLE_OK;
}

/* ---- Creation ---- */

/* Sizes, and that all of them fit the indices. */
static gable_status check_sizes(gable_context *ctx, const gbl_sparse_source *source)
{
    const size_t elem = gbl_dtype_bytes(source->dtype);
    const struct {
        int64_t value;
        const char *name;
    } sizes[] = {
        {source->rows, "rows"}, {source->columns, "columns"}, {source->entries, "entries"}};
    for (int i = 0; i < 3; i++)
        CHECK_ARG(ctx, sizes[i].value >= 0, 2 + i, sizes[i].name, "is %lld; it must be at least 0",
                  (long long)sizes[i].value);
    for (int i = 0; i < 3; i++)
        TRY(gbl_count_check(ctx, 2 + i, sizes[i].name, sizes[i].value, i == 2 ? elem : 8));
    CHECK_ARG(ctx, source->rows < INT64_MAX / 8, 2, "rows",
              "is %lld; so many elements of 8 bytes and one more are more than 2^63 - 1 bytes",
              (long long)source->rows);
    CHECK_ARG(ctx, source->index_bits == 32 || source->index_bits == 64, 5, "index_bits",
              "is %d; it must be 32 or 64", source->index_bits);
    for (int i = 0; i < 3 && source->index_bits == 32; i++)
        CHECK_ARG(ctx, sizes[i].value < INT32_MAX, 2 + i, sizes[i].name,
                  "is %lld; indices of 32 bits count up to 2^31 - 2, larger ones need 64 bits",
                  (long long)sizes[i].value);
    return GABLE_OK;
}

/* Whether an array is on the device alone; GBL_AT_BOTH serves either way. */
static gable_status check_arrays(gable_context *ctx, const gbl_sparse_source *source,
                                 bool *on_device)
{
    const size_t index = (size_t)source->index_bits / 8;
    const struct {
        const void *address;
        const char *name;
        int64_t count;
        size_t bytes;
    } arrays[] = {{source->first, source->coordinates ? "row" : "start",
                   source->coordinates ? source->entries : source->rows + 1, index},
                  {source->column, "column", source->entries, index},
                  {source->values, "values", source->entries, gbl_dtype_bytes(source->dtype)}};
    bool host = false;
    *on_device = false;
    for (int i = 0; i < 3; i++) {
        if (arrays[i].count == 0)
            continue;
        CHECK_ARG(ctx, arrays[i].address != NULL, 6 + i, arrays[i].name, "is NULL");
        const gbl_where where = ctx->device->props.is_host
                                    ? GBL_AT_BOTH
                                    : ctx->device->table->where(ctx->device, arrays[i].address);
        *on_device |= where == GBL_AT_DEVICE;
        host |= where == GBL_AT_HOST;
        CHECK_ARG(ctx, !(*on_device && host), 6 + i, arrays[i].name,
                  "is memory of the %s, unlike the arrays before it; all must lie alike",
                  where == GBL_AT_DEVICE ? "device" : "host");
    }
    for (int i = 0; i < 3 && ctx->guarded; i++) {
        const gbl_extent operand =
            gbl_extent_vector(arrays[i].name, 6 + i, GBL_READ, arrays[i].address, arrays[i].count,
                              1, arrays[i].bytes);
        if (arrays[i].count > 0)
            TRY(gbl_extents_check(ctx, &operand, 1));
    }
    return GABLE_OK;
}

/* Host arrays to a fresh matrix. */
static gable_status upload(gable_context *ctx, const gbl_sparse_host *host,
                           gbl_sparse_layout *layout)
{
    const struct {
        const void *source, **target;
        int64_t count;
        size_t bytes;
    } arrays[] = {{host->start, &layout->start, host->rows + 1, (size_t)host->index_bytes},
                  {host->column, &layout->column, host->entries, (size_t)host->index_bytes},
                  {host->values, &layout->value, host->entries, gbl_dtype_bytes(host->dtype)}};
    *layout = (gbl_sparse_layout){.dtype = host->dtype,
                                  .format = GABLE_CSR,
                                  .index_bytes = (uint8_t)host->index_bytes,
                                  .rows = host->rows,
                                  .columns = host->columns,
                                  .entries = host->entries,
                                  .stored = host->entries,
                                  .longest = host->longest};
    gbl_sparse_array_spec specs[3];
    for (int i = 0; i < 3; i++)
        specs[i] = (gbl_sparse_array_spec){arrays[i].target, arrays[i].count, arrays[i].bytes};
    TRY(gbl_sparse_alloc_all(ctx, specs, 3, layout));
    for (int i = 0; i < 3; i++)
        TRY(gable_set_vector(ctx, arrays[i].count, arrays[i].bytes, arrays[i].source, 1,
                             (void *)(uintptr_t)*arrays[i].target, 1));
    return GABLE_OK;
}

gable_status gbl_sparse_from_host(gable_context *ctx, const gbl_sparse_host *host, gable_sparse **A)
{
    gbl_sparse_layout layout;
    gable_status status = upload(ctx, host, &layout);
    if (status == GABLE_OK)
        status = gbl_sparse_new(ctx, &layout, A);
    if (status != GABLE_OK)
        gbl_sparse_free_arrays(ctx, &layout);
    return status;
}

/* A matrix whose arrays are the caller's. */
static gable_status create_in_place(gable_context *ctx, const gbl_sparse_host *host,
                                    gable_sparse **A)
{
    const gbl_sparse_layout layout = {.dtype = host->dtype,
                                      .format = GABLE_CSR,
                                      .index_bytes = (uint8_t)host->index_bytes,
                                      .rows = host->rows,
                                      .columns = host->columns,
                                      .entries = host->entries,
                                      .stored = host->entries,
                                      .longest = host->longest,
                                      .start = host->start,
                                      .column = host->column,
                                      .value = host->values};
    TRY(gbl_sparse_new(ctx, &layout, A));
    (*A)->in_place = true;
    return GABLE_OK;
}

static gable_status create_from_host(gable_context *ctx, const gbl_sparse_source *source,
                                     gable_sparse **A)
{
    gbl_sparse_host host;
    TRY(gbl_sparse_host_make(ctx, source, &host));
    const bool in_place = (source->flags & GABLE_SPARSE_IN_PLACE) != 0 && !source->coordinates &&
                          ctx->device->props.is_host && host.values == source->values &&
                          host.column == source->column && source->entries > 0;
    const gable_status status =
        in_place ? create_in_place(ctx, &host, A) : gbl_sparse_from_host(ctx, &host, A);
    gbl_sparse_host_free(&host);
    return status == GABLE_OK ? gbl_sparse_complete(ctx, A) : status;
}

/* Arrays on the device. Those that are copied as they lie were waited for when the findings about
 * them came back. */
static gable_status create_from_device(gable_context *ctx, const gbl_sparse_source *source,
                                       gable_sparse **A)
{
    TRY(gbl_sparse_from_device(ctx, source, A));
    if (*A != NULL)
        return GABLE_OK;
    const size_t index = (size_t)source->index_bits / 8, elem = gbl_dtype_bytes(source->dtype);
    const int64_t firsts = source->coordinates ? source->entries : source->rows + 1;
    gbl_sparse_source near = *source;
    void *rooms[3] = {NULL, NULL, NULL};
    gable_status status = gbl_sparse_room(ctx, firsts, index, &rooms[0]);
    if (status == GABLE_OK)
        status = gbl_sparse_room(ctx, source->entries, index, &rooms[1]);
    if (status == GABLE_OK)
        status = gbl_sparse_room(ctx, source->entries, elem, &rooms[2]);
    if (status == GABLE_OK)
        status = gable_get_vector(ctx, firsts, index, source->first, 1, rooms[0], 1);
    if (status == GABLE_OK)
        status = gable_get_vector(ctx, source->entries, index, source->column, 1, rooms[1], 1);
    if (status == GABLE_OK)
        status = gable_get_vector(ctx, source->entries, elem, source->values, 1, rooms[2], 1);
    near.first = rooms[0];
    near.column = rooms[1];
    near.values = rooms[2];
    if (status == GABLE_OK)
        status = create_from_host(ctx, &near, A);
    for (int i = 0; i < 3; i++)
        free(rooms[i]);
    return status;
}

gable_status gbl_sparse_create(gable_context *ctx, const char *routine,
                               const gbl_sparse_source *source, gable_sparse **A)
{
    bool on_device;
    TRY(gbl_enter(ctx, routine));
    TRY(check_sizes(ctx, source));
    TRY(check_arrays(ctx, source, &on_device));
    CHECK_ARG(
        ctx,
        (source->flags & ~(GABLE_SPARSE_SUM | GABLE_SPARSE_ONE_BASED | GABLE_SPARSE_IN_PLACE)) == 0,
        9, "flags",
        "is %u; it may hold GABLE_SPARSE_SUM, GABLE_SPARSE_ONE_BASED "
        "and GABLE_SPARSE_IN_PLACE",
        source->flags);
    CHECK_ARG(ctx, A != NULL, 10, "A", "is NULL");
    TRY(gbl_check_not_recording(ctx, "the creation of a matrix"));

    /* The arrays are read and written once. */
    const double entry = (double)source->index_bits / 8 + (double)gbl_dtype_bytes(source->dtype);
    gbl_span span = {.kind = GBL_EVENT_WORK,
                     .name = routine,
                     .bytes = 2 * entry * (double)source->entries,
                     .link = !on_device};
    span.class = gbl_span_class(span.bytes);
    gbl_span_begin(ctx, &span);
    gable_sparse *fresh = NULL;
    ctx->depth++;
    /* The host may look at managed memory: what was enqueued is waited for. */
    gable_status status =
        on_device ? GABLE_OK : ctx->device->table->sync(ctx->queue, &ctx->message);
    if (status == GABLE_OK)
        status = on_device ? create_from_device(ctx, source, &fresh)
                           : create_from_host(ctx, source, &fresh);
    ctx->depth--;
    if (status == GABLE_OK)
        *A = fresh;
    return gbl_span_end(ctx, &span, status);
}

/* ---- What a matrix holds ---- */

/* Indices of the device, widened on the host. */
static gable_status get_indices(gable_context *ctx, const void *array, int bytes, int64_t count,
                                int64_t *indices)
{
    TRY(gable_get_vector(ctx, count, (size_t)bytes, array, 1, indices, 1));
    for (int64_t i = count - 1; i >= 0 && bytes == 4; i--) {
        int32_t index;
        memcpy(&index, (const char *)indices + 4 * i, 4);
        indices[i] = index;
    }
    return GABLE_OK;
}

static gable_status get_rows(gable_context *ctx, const gbl_sparse_layout *A, int64_t *start,
                             int64_t *column, void *values)
{
    if (start != NULL)
        TRY(get_indices(ctx, A->start, A->index_bytes, A->rows + 1, start));
    if (column != NULL)
        TRY(get_indices(ctx, A->column, A->index_bytes, A->entries, column));
    if (values != NULL)
        TRY(gable_get_vector(ctx, A->entries, gbl_dtype_bytes(A->dtype), A->value, 1, values, 1));
    return GABLE_OK;
}

gable_status gbl_sparse_get(gable_context *ctx, const char *routine, gable_sparse *A,
                            gbl_dtype dtype, int64_t *start, int64_t *column, void *values)
{
    TRY(gbl_enter(ctx, routine));
    TRY(gbl_sparse_check(ctx, 2, "A", A));
    CHECK_ARG(ctx, A->layout.dtype == dtype, 2, "A", "has the precision %c; the routine's is %c",
              gbl_dtype_letter(A->layout.dtype), gbl_dtype_letter(dtype));
    TRY(gbl_check_not_recording(ctx, "a transfer between host and device"));
    const double bytes = 2 * (double)gbl_sparse_memory(&A->layout);
    const gbl_span span = {.kind = GBL_EVENT_WORK,
                           .name = routine,
                           .class = gbl_span_class(bytes),
                           .bytes = bytes,
                           .link = true};
    gbl_sparse_layout rows;
    bool borrowed;
    gbl_span_begin(ctx, &span);
    ctx->depth++;
    gable_status status = gbl_sparse_rows_of(ctx, A, &rows, &borrowed);
    if (status == GABLE_OK) {
        status = get_rows(ctx, &rows, start, column, values);
        if (!borrowed)
            gbl_sparse_free_arrays(ctx, &rows);
    }
    ctx->depth--;
    return gbl_span_end(ctx, &span, status);
}

gable_status gbl_sparse_destroy(gable_context *ctx, gable_sparse *A)
{
    /* Programs tend to close first and destroy behind it: a closed context must not be read. */
    if (!gbl_object_alive(GBL_OBJECT_CONTEXT, ctx))
        return GABLE_BAD_ARGUMENT;
    TRY(gbl_enter(ctx, "gable_sparse_destroy"));
    if (A == NULL)
        return GABLE_OK;
    TRY(gbl_sparse_check(ctx, 2, "A", A));
    const int solvers = atomic_load(&A->solvers);
    CHECK_ARG(ctx, solvers == 0, 2, "A", "is used by %d solver%s; gable_solver_destroy comes first",
              solvers, solvers == 1 ? "" : "s");
    TRY(gbl_check_not_recording(ctx, "gable_sparse_destroy"));
    const gbl_span span = {.kind = GBL_EVENT_WORK, .name = "gable_sparse_destroy"};
    gbl_span_begin(ctx, &span);
    ctx->depth++;
    const gable_status status = gbl_sparse_free(ctx, A);
    ctx->depth--;
    return gbl_span_end(ctx, &span, status);
}
