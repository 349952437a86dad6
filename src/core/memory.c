/* memory.c: device memory, and data on its way between host and device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every transfer is a number of runs of bytes with a pitch on each side; a vector with a stride is
 * runs of one element, a matrix runs of one column, and what is contiguous on both sides is one
 * run. Where pinned memory pays (CUDA), pageable host memory travels through pinned buffers
 * (staging.c).
 */
#include <stdlib.h>
#include "core/allocations.h"
#include "core/context.h"
#include "core/launch.h"
#include "core/observe.h"
#include "core/extents.h"
#include "core/staging.h"

/* H200, 2026-11: at this size stages are 1.5 times as fast as the driver's own way with pageable
 * memory (one packing thread). Smaller ones were not compared. */
#define STAGE_FROM ((size_t)256 << 10)

/* Device memory, and its place in the table of allocations. */
static gable_status alloc_listed(gable_context *ctx, size_t bytes, void **address)
{
    gbl_device *device = ctx->device;
    TRY(gbl_arena_alloc(&ctx->own_arena, device, bytes, address, &ctx->message));
    const gable_status status = gbl_allocations_add(device, *address, bytes, ctx, &ctx->message);
    if (status != GABLE_OK)
        device->table->free(device, *address, NULL);
    return status;
}

/* Inside of other calls memory is a part of them. */
static const gbl_span alloc_span = {.kind = GBL_EVENT_WORK, .name = "gable_alloc"},
                      free_span = {.kind = GBL_EVENT_WORK, .name = "gable_free"};

static bool begin_memory(gable_context *ctx, const gbl_span *span)
{
    const bool told = ctx->depth == 0;
    if (told)
        gbl_span_begin(ctx, span);
    return told;
}

static gable_status end_memory(gable_context *ctx, const gbl_span *span, bool told,
                               gable_status status)
{
    return told ? gbl_span_end(ctx, span, status) : status;
}

gable_status gable_alloc(gable_context *ctx, size_t bytes, void **address)
{
    TRY(gbl_enter(ctx, "gable_alloc"));
    CHECK_ARG(ctx, address != NULL, 3, "address", "is NULL");
    TRY(gbl_check_not_recording(ctx, "an allocation"));
    void *fresh = NULL;
    if (bytes > 0) {
        const bool told = begin_memory(ctx, &alloc_span);
        TRY(end_memory(ctx, &alloc_span, told, alloc_listed(ctx, bytes, &fresh)));
    }
    *address = fresh;
    return GABLE_OK;
}

static gable_status free_listed(gable_context *ctx, const gbl_allocation *allocation)
{
    TRY(ctx->device->table->sync(ctx->queue, &ctx->message));
    if (ctx->debug_check) {
        gbl_allocations_hold(allocation, ctx);
        return GABLE_OK;
    }
    TRY(ctx->device->table->free(ctx->device, allocation->start, &ctx->message));
    gbl_allocations_remove(allocation);
    return GABLE_OK;
}

gable_status gable_free(gable_context *ctx, void *address)
{
    TRY(gbl_enter(ctx, "gable_free"));
    if (address == NULL)
        return GABLE_OK;
    TRY(gbl_check_not_recording(ctx, "gable_free"));
    TRY(gbl_check_address(ctx, 2, "address", address));
    gbl_allocation allocation;
    const gbl_known known = gbl_allocations_find(address, &allocation);
    CHECK_ARG(ctx, known != GBL_FREED, 2, "address", "is %p, which was freed before", address);
    CHECK_ARG(ctx,
              known == GBL_LIVE && allocation.start == address && allocation.device == ctx->device,
              2, "address",
              "is %p, which is not the start of an allocation on %s; free what gable_alloc gave, "
              "once",
              address, ctx->device->info.name);
    const bool told = begin_memory(ctx, &free_span);
    return end_memory(ctx, &free_span, told, free_listed(ctx, &allocation));
}

/* ---- Transfers ---- */

static gable_status move_staged(gable_context *ctx, const gbl_copy_spec *spec)
{
    if (ctx->stager == NULL)
        ctx->stager = calloc(1, sizeof *ctx->stager);
    if (ctx->stager == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory for a transfer");
    ctx->stager->queue = ctx->queue;
    ctx->stager->limit = ctx->limit;
    ctx->stager->watched = &ctx->loan;
    return (spec->direction == GBL_TO_DEVICE ? gbl_stage_set : gbl_stage_get)(ctx->stager, spec,
                                                                              NULL, &ctx->message);
}

static gable_status move(gable_context *ctx, const gbl_copy_spec *given)
{
    gbl_copy_spec spec = *given;
    if (spec.runs == 1 ||
        (spec.target_pitch == spec.run_bytes && spec.source_pitch == spec.run_bytes)) {
        spec.run_bytes *= (size_t)spec.runs;
        spec.runs = 1;
        spec.target_pitch = spec.source_pitch = spec.run_bytes;
    }
    const void *host = spec.direction == GBL_TO_DEVICE ? spec.source : spec.target;
    const bool staged = ctx->device->props.pinned_is_address &&
                        spec.run_bytes * (size_t)spec.runs >= STAGE_FROM &&
                        ctx->device->table->where(ctx->device, host) == GBL_AT_HOST;
    if (staged)
        return move_staged(ctx, &spec);
    TRY(ctx->device->table->copy(ctx->queue, &spec, &ctx->message));
    return gbl_wait_queue(ctx);
}

gable_status gbl_transfer(gable_context *ctx, const gbl_copy_spec *spec)
{
    if (spec->runs == 0 || spec->run_bytes == 0)
        return GABLE_OK;
    gbl_event event = {.kind = spec->direction == GBL_TO_DEVICE ? GBL_EVENT_SET : GBL_EVENT_GET,
                       .begin = true,
                       .bytes = spec->run_bytes * (size_t)spec->runs};
    gbl_tell(ctx, &event);
    event.begin = false;
    event.status = move(ctx, spec);
    gbl_tell(ctx, &event);
    return event.status;
}

/* One side of a transfer, by the number of its pointer: `runs` runs of `run` elements. */
typedef struct side {
    const char *name, *pitch_name;
    const void *address;
    int64_t pitch;
    bool on_device;
} side;

static gable_status check_side(gable_context *ctx, const side *given, int number, int64_t runs,
                               int64_t run, int64_t least, const char *rule, size_t elem_bytes)
{
    const bool empty = runs == 0 || run == 0;
    if (!empty && !given->on_device)
        CHECK_ARG(ctx, given->address != NULL, number, given->name, "is NULL");
    if (!empty && given->on_device)
        TRY(gbl_check_address(ctx, number, given->name, given->address));
    CHECK_ARG(ctx, given->pitch >= least, number + 1, given->pitch_name,
              "is %lld; it must be at least %s%lld", (long long)given->pitch, rule,
              (long long)least);
    return gbl_pitch_check(ctx, number + 1, given->pitch_name, given->name, runs, given->pitch, run,
                           elem_bytes);
}

static gable_status check_elem(gable_context *ctx, int number, size_t elem_bytes)
{
    CHECK_ARG(ctx, elem_bytes <= (size_t)INT64_MAX, number, "elem_bytes",
              "is %zu; it must be at most 2^63 - 1", elem_bytes);
    return GABLE_OK;
}

/* Source and target, of which one is host memory, against the allocations. */
static gable_status guard_sides(gable_context *ctx, const side sides[2], int number, int64_t runs,
                                int64_t run, size_t elem_bytes)
{
    gbl_extent operands[2];
    for (int i = 0; i < 2; i++)
        operands[i] =
            gbl_extent_matrix(sides[i].name, number + 2 * i, i == 0 ? GBL_READ : GBL_WRITE,
                              sides[i].address, run, runs, sides[i].pitch, elem_bytes);
    return gbl_extents_check(ctx, operands, 2);
}

/* The checks of the vector pair; numbers are those of the prototype. */
static gable_status check_vector(gable_context *ctx, int64_t n, size_t elem_bytes,
                                 const side sides[2])
{
    CHECK_ARG(ctx, n >= 0, 2, "n", "is %lld; it must be at least 0", (long long)n);
    CHECK_ARG(ctx, elem_bytes > 0, 3, "elem_bytes", "is 0; it must be at least 1");
    if (n > 0)
        TRY(check_elem(ctx, 3, elem_bytes));
    TRY(gbl_count_check(ctx, 2, "n", n, elem_bytes));
    TRY(check_side(ctx, &sides[0], 4, n, 1, 1, "", elem_bytes));
    TRY(check_side(ctx, &sides[1], 6, n, 1, 1, "", elem_bytes));
    if (ctx->guarded && n > 0)
        TRY(guard_sides(ctx, sides, 4, n, 1, elem_bytes));
    return gbl_check_not_recording(ctx, "a transfer between host and device");
}

gable_status gable_set_vector(gable_context *ctx, int64_t n, size_t elem_bytes, const void *x,
                              int64_t incx, void *dx, int64_t incdx)
{
    TRY(gbl_enter(ctx, "gable_set_vector"));
    const side sides[2] = {{"x", "incx", x, incx, false}, {"dx", "incdx", dx, incdx, true}};
    TRY(check_vector(ctx, n, elem_bytes, sides));
    const gbl_copy_spec spec = {.direction = GBL_TO_DEVICE,
                                .target = dx,
                                .target_pitch = (size_t)incdx * elem_bytes,
                                .source = x,
                                .source_pitch = (size_t)incx * elem_bytes,
                                .run_bytes = elem_bytes,
                                .runs = n};
    return gbl_transfer(ctx, &spec);
}

gable_status gable_get_vector(gable_context *ctx, int64_t n, size_t elem_bytes, const void *dx,
                              int64_t incdx, void *x, int64_t incx)
{
    TRY(gbl_enter(ctx, "gable_get_vector"));
    const side sides[2] = {{"dx", "incdx", dx, incdx, true}, {"x", "incx", x, incx, false}};
    TRY(check_vector(ctx, n, elem_bytes, sides));
    const gbl_copy_spec spec = {.direction = GBL_TO_HOST,
                                .target = x,
                                .target_pitch = (size_t)incx * elem_bytes,
                                .source = dx,
                                .source_pitch = (size_t)incdx * elem_bytes,
                                .run_bytes = elem_bytes,
                                .runs = n};
    return gbl_transfer(ctx, &spec);
}

/* The checks of the matrix pair. */
static gable_status check_matrix(gable_context *ctx, int64_t m, int64_t n, size_t elem_bytes,
                                 const side sides[2])
{
    const int64_t least = m > 1 ? m : 1;
    const bool empty = m == 0 || n == 0;
    CHECK_ARG(ctx, m >= 0, 2, "m", "is %lld; it must be at least 0", (long long)m);
    CHECK_ARG(ctx, n >= 0, 3, "n", "is %lld; it must be at least 0", (long long)n);
    CHECK_ARG(ctx, elem_bytes > 0, 4, "elem_bytes", "is 0; it must be at least 1");
    if (!empty) {
        TRY(check_elem(ctx, 4, elem_bytes));
        TRY(gbl_count_check(ctx, 2, "m", m, elem_bytes));
        TRY(gbl_count_check(ctx, 3, "n", n, elem_bytes));
    }
    TRY(check_side(ctx, &sides[0], 5, n, m, least, "max(1, m) = ", elem_bytes));
    TRY(check_side(ctx, &sides[1], 7, n, m, least, "max(1, m) = ", elem_bytes));
    if (ctx->guarded && !empty)
        TRY(guard_sides(ctx, sides, 5, n, m, elem_bytes));
    return gbl_check_not_recording(ctx, "a transfer between host and device");
}

gable_status gable_set_matrix(gable_context *ctx, int64_t m, int64_t n, size_t elem_bytes,
                              const void *A, int64_t lda, void *dA, int64_t ldda)
{
    TRY(gbl_enter(ctx, "gable_set_matrix"));
    const side sides[2] = {{"A", "lda", A, lda, false}, {"dA", "ldda", dA, ldda, true}};
    TRY(check_matrix(ctx, m, n, elem_bytes, sides));
    const gbl_copy_spec spec = {.direction = GBL_TO_DEVICE,
                                .target = dA,
                                .target_pitch = (size_t)ldda * elem_bytes,
                                .source = A,
                                .source_pitch = (size_t)lda * elem_bytes,
                                .run_bytes = (size_t)m * elem_bytes,
                                .runs = n};
    return gbl_transfer(ctx, &spec);
}

gable_status gable_get_matrix(gable_context *ctx, int64_t m, int64_t n, size_t elem_bytes,
                              const void *dA, int64_t ldda, void *A, int64_t lda)
{
    TRY(gbl_enter(ctx, "gable_get_matrix"));
    const side sides[2] = {{"dA", "ldda", dA, ldda, true}, {"A", "lda", A, lda, false}};
    TRY(check_matrix(ctx, m, n, elem_bytes, sides));
    const gbl_copy_spec spec = {.direction = GBL_TO_HOST,
                                .target = A,
                                .target_pitch = (size_t)lda * elem_bytes,
                                .source = dA,
                                .source_pitch = (size_t)ldda * elem_bytes,
                                .run_bytes = (size_t)m * elem_bytes,
                                .runs = n};
    return gbl_transfer(ctx, &spec);
}

static gable_status check_bytes(gable_context *ctx, int number, size_t bytes)
{
    CHECK_ARG(ctx, bytes <= (size_t)INT64_MAX, number, "bytes",
              "is %zu; it must be at most 2^63 - 1", bytes);
    return GABLE_OK;
}

gable_status gable_copy_bytes(gable_context *ctx, void *destination, const void *source,
                              size_t bytes)
{
    TRY(gbl_enter(ctx, "gable_copy_bytes"));
    if (bytes == 0)
        return GABLE_OK;
    TRY(gbl_check_address(ctx, 2, "destination", destination));
    TRY(gbl_check_address(ctx, 3, "source", source));
    TRY(check_bytes(ctx, 4, bytes));
    if (ctx->guarded) {
        const int64_t count = (int64_t)bytes;
        const gbl_extent operands[2] = {
            gbl_extent_vector("destination", 2, GBL_WRITE, destination, count, 1, 1),
            gbl_extent_vector("source", 3, GBL_READ, source, count, 1, 1)};
        TRY(gbl_extents_check(ctx, operands, 2));
    }
    gbl_event event = {.kind = GBL_EVENT_COPY, .begin = true, .bytes = bytes};
    gbl_tell(ctx, &event);
    event.begin = false;
    event.status = gbl_copy_on_device(ctx, destination, source, bytes);
    gbl_tell(ctx, &event);
    return event.status;
}

gable_status gable_fill_bytes(gable_context *ctx, void *address, unsigned char value, size_t bytes)
{
    TRY(gbl_enter(ctx, "gable_fill_bytes"));
    if (bytes == 0)
        return GABLE_OK;
    TRY(gbl_check_address(ctx, 2, "address", address));
    TRY(check_bytes(ctx, 4, bytes));
    if (ctx->guarded) {
        const gbl_extent operand =
            gbl_extent_vector("address", 2, GBL_WRITE, address, (int64_t)bytes, 1, 1);
        TRY(gbl_extents_check(ctx, &operand, 1));
    }
    gbl_event event = {.kind = GBL_EVENT_FILL, .begin = true, .bytes = bytes};
    gbl_tell(ctx, &event);
    event.begin = false;
    event.status = gbl_fill_bytes(ctx, address, value, bytes);
    gbl_tell(ctx, &event);
    return event.status;
}
