/* memory.c: device memory, and data on its way between host and device.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every transfer is a number of runs of bytes with a pitch on each side; a vector with a stride is
 * runs of one element, a matrix runs of one column, and what is contiguous on both sides is one
 * run. Where pinned memory pays (CUDA), pageable host memory travels through two pinned stages in
 * turn, so that packing and the wire overlap.
 */
#include <omp.h>
#include <string.h>
#include "core/context.h"
#include "core/launch.h"
#include "core/observe.h"
#include "device/cpu_team.h"

/* H200, 2026-11: at this size stages are 1.5 times as fast as the driver's own way with pageable
 * memory (one packing thread). Smaller ones were not compared. */
#define STAGE_FROM ((size_t)256 << 10)

#define PACK_BYTES   ((int64_t)128 << 10) /* what a thread packs at a time */
#define PACK_THREADS 8

gable_status gable_alloc(gable_context *ctx, size_t bytes, void **address)
{
    TRY(gbl_enter(ctx, "gable_alloc"));
    CHECK_ARG(ctx, address != NULL, 3, "address", "is NULL");
    TRY(gbl_check_not_recording(ctx, "an allocation"));
    void *fresh = NULL;
    if (bytes > 0)
        TRY(ctx->device->table->alloc(ctx->device, bytes, &fresh, &ctx->message));
    *address = fresh;
    return GABLE_OK;
}

gable_status gable_free(gable_context *ctx, void *address)
{
    TRY(gbl_enter(ctx, "gable_free"));
    if (address == NULL)
        return GABLE_OK;
    TRY(gbl_check_not_recording(ctx, "gable_free"));
    TRY(gbl_check_address(ctx, 2, "address", address));
    TRY(ctx->device->table->sync(ctx->queue, &ctx->message));
    return ctx->device->table->free(ctx->device, address, &ctx->message);
}

/* ---- Stages ---- */

void gbl_stages_free(gable_context *ctx)
{
    for (int i = 0; i < GBL_STAGES; i++) {
        if (ctx->stages[i].mark != NULL)
            ctx->device->table->mark_destroy(ctx->stages[i].mark);
        if (ctx->stages[i].buffer != NULL)
            ctx->device->table->pinned_free(ctx->device, ctx->stages[i].buffer);
        ctx->stages[i] = (gbl_stage){NULL, NULL, false};
    }
}

/* A stage whose last copy is done. */
static gable_status stage_ready(gable_context *ctx, gbl_stage *stage)
{
    const gbl_device_table *table = ctx->device->table;
    if (stage->buffer == NULL)
        TRY(table->pinned_alloc(ctx->device, GBL_STAGE_BYTES, &stage->buffer, &ctx->message));
    if (stage->mark == NULL)
        TRY(table->mark_create(ctx->queue, &stage->mark, &ctx->message));
    if (stage->busy)
        TRY(table->mark_wait(stage->mark, &ctx->message));
    stage->busy = false;
    return GABLE_OK;
}

/* Packs or unpacks a stage, on several threads: one core moves 8 to 10 GB/s, the wire takes 55
 * (H200, 2026-11). Inside a caller's OpenMP region it is serial. */
static void copy_runs(char *target, size_t target_pitch, const char *source, size_t source_pitch,
                      size_t run_bytes, int64_t runs)
{
    const int most = gbl_cpu_is_serial() ? 1 : omp_get_max_threads();
    const int threads = most < PACK_THREADS ? most : PACK_THREADS;
    if (runs == 1 || (target_pitch == run_bytes && source_pitch == run_bytes)) {
        const int64_t bytes = (int64_t)run_bytes * runs;
        const int64_t parts = (bytes + PACK_BYTES - 1) / PACK_BYTES;
#pragma omp parallel for schedule(static) num_threads(threads) if (parts > 1 && !omp_in_parallel())
        for (int64_t i = 0; i < parts; i++) {
            const int64_t from = i * PACK_BYTES;
            const int64_t size = bytes - from < PACK_BYTES ? bytes - from : PACK_BYTES;
            memcpy(target + from, source + from, (size_t)size);
        }
        return;
    }
#pragma omp parallel for schedule(static)                                                          \
    num_threads(threads) if ((int64_t)run_bytes * runs > PACK_BYTES && !omp_in_parallel())
    for (int64_t i = 0; i < runs; i++)
        memcpy(target + (size_t)i * target_pitch, source + (size_t)i * source_pitch, run_bytes);
}

/* Piece after piece of a transfer, each of which fits a stage: whole runs, or a part of one. */
typedef struct piece {
    int64_t run, runs;
    size_t offset, bytes; /* within each run */
} piece;

static bool next_piece(const gbl_copy_spec *spec, piece *p)
{
    if (p->bytes == 0) { /* the first */
        p->run = 0;
        p->offset = 0;
    } else if (p->offset + p->bytes < spec->run_bytes) {
        p->offset += p->bytes;
    } else {
        p->run += p->runs;
        p->offset = 0;
    }
    if (p->run >= spec->runs)
        return false;
    if (spec->run_bytes >= GBL_STAGE_BYTES) {
        p->runs = 1;
        p->bytes = spec->run_bytes - p->offset;
        p->bytes = p->bytes < GBL_STAGE_BYTES ? p->bytes : GBL_STAGE_BYTES;
    } else {
        p->bytes = spec->run_bytes;
        p->runs = (int64_t)(GBL_STAGE_BYTES / spec->run_bytes);
        p->runs = p->runs < spec->runs - p->run ? p->runs : spec->runs - p->run;
    }
    return true;
}

/* Enqueues the copy of a piece and marks its end. Without the mark the stage must not be used again
 * while the copy may still run, so a failing mark waits. */
static gable_status send(gable_context *ctx, gbl_stage *stage, const gbl_copy_spec *part)
{
    TRY(ctx->device->table->copy(ctx->queue, part, &ctx->message));
    const gable_status status = ctx->device->table->mark_set(stage->mark, &ctx->message);
    if (status != GABLE_OK)
        ctx->device->table->sync(ctx->queue, NULL);
    else
        stage->busy = true;
    return status;
}

static gable_status staged_set(gable_context *ctx, const gbl_copy_spec *spec)
{
    int turn = 0;
    for (piece p = {0, 0, 0, 0}; next_piece(spec, &p); turn = (turn + 1) % GBL_STAGES) {
        gbl_stage *stage = &ctx->stages[turn];
        TRY(stage_ready(ctx, stage));
        copy_runs(stage->buffer, p.bytes,
                  (const char *)spec->source + (size_t)p.run * spec->source_pitch + p.offset,
                  spec->source_pitch, p.bytes, p.runs);
        const gbl_copy_spec part = {.direction = GBL_TO_DEVICE,
                                    .target = (char *)spec->target +
                                              (size_t)p.run * spec->target_pitch + p.offset,
                                    .target_pitch = spec->target_pitch,
                                    .source = stage->buffer,
                                    .source_pitch = p.bytes,
                                    .run_bytes = p.bytes,
                                    .runs = p.runs};
        TRY(send(ctx, stage, &part));
    }
    return GABLE_OK;
}

/* Waits for a stage and unpacks it. */
static gable_status unpack(gable_context *ctx, const gbl_copy_spec *spec, gbl_stage *stage,
                           const piece *p)
{
    TRY(stage_ready(ctx, stage));
    copy_runs((char *)spec->target + (size_t)p->run * spec->target_pitch + p->offset,
              spec->target_pitch, stage->buffer, p->bytes, p->bytes, p->runs);
    return GABLE_OK;
}

static gable_status staged_get(gable_context *ctx, const gbl_copy_spec *spec)
{
    piece waiting[GBL_STAGES] = {{0, 0, 0, 0}};
    int turn = 0;
    int64_t sent = 0, done = 0;
    for (piece p = {0, 0, 0, 0}; next_piece(spec, &p); turn = (turn + 1) % GBL_STAGES) {
        gbl_stage *stage = &ctx->stages[turn];
        if (sent - done == GBL_STAGES) {
            TRY(unpack(ctx, spec, stage, &waiting[turn]));
            done++;
        }
        TRY(stage_ready(ctx, stage));
        const gbl_copy_spec part = {.direction = GBL_TO_HOST,
                                    .target = stage->buffer,
                                    .target_pitch = p.bytes,
                                    .source = (const char *)spec->source +
                                              (size_t)p.run * spec->source_pitch + p.offset,
                                    .source_pitch = spec->source_pitch,
                                    .run_bytes = p.bytes,
                                    .runs = p.runs};
        TRY(send(ctx, stage, &part));
        waiting[turn] = p;
        sent++;
    }
    for (; done < sent; done++) {
        const int oldest = (int)(done % GBL_STAGES);
        TRY(unpack(ctx, spec, &ctx->stages[oldest], &waiting[oldest]));
    }
    return GABLE_OK;
}

/* ---- Transfers ---- */

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
        return spec.direction == GBL_TO_DEVICE ? staged_set(ctx, &spec) : staged_get(ctx, &spec);
    TRY(ctx->device->table->copy(ctx->queue, &spec, &ctx->message));
    return ctx->device->table->sync(ctx->queue, &ctx->message);
}

static gable_status transfer(gable_context *ctx, const gbl_copy_spec *spec)
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

/* The checks of the vector pair; numbers are those of the prototype. */
static gable_status check_vector(gable_context *ctx, int64_t n, size_t elem_bytes,
                                 const void *first, const char *first_name, int64_t first_inc,
                                 const char *first_inc_name, const void *second,
                                 const char *second_name, int64_t second_inc,
                                 const char *second_inc_name, bool to_device)
{
    CHECK_ARG(ctx, n >= 0, 2, "n", "is %lld; it must be at least 0", (long long)n);
    CHECK_ARG(ctx, elem_bytes > 0, 3, "elem_bytes", "is 0; it must be at least 1");
    if (n > 0 && to_device)
        CHECK_ARG(ctx, first != NULL, 4, first_name, "is NULL");
    if (n > 0 && !to_device)
        TRY(gbl_check_address(ctx, 4, first_name, first));
    CHECK_ARG(ctx, first_inc >= 1, 5, first_inc_name, "is %lld; it must be at least 1",
              (long long)first_inc);
    if (n > 0 && to_device)
        TRY(gbl_check_address(ctx, 6, second_name, second));
    if (n > 0 && !to_device)
        CHECK_ARG(ctx, second != NULL, 6, second_name, "is NULL");
    CHECK_ARG(ctx, second_inc >= 1, 7, second_inc_name, "is %lld; it must be at least 1",
              (long long)second_inc);
    return gbl_check_not_recording(ctx, "a transfer between host and device");
}

gable_status gable_set_vector(gable_context *ctx, int64_t n, size_t elem_bytes, const void *x,
                              int64_t incx, void *dx, int64_t incdx)
{
    TRY(gbl_enter(ctx, "gable_set_vector"));
    TRY(check_vector(ctx, n, elem_bytes, x, "x", incx, "incx", dx, "dx", incdx, "incdx", true));
    const gbl_copy_spec spec = {.direction = GBL_TO_DEVICE,
                                .target = dx,
                                .target_pitch = (size_t)incdx * elem_bytes,
                                .source = x,
                                .source_pitch = (size_t)incx * elem_bytes,
                                .run_bytes = elem_bytes,
                                .runs = n};
    return transfer(ctx, &spec);
}

gable_status gable_get_vector(gable_context *ctx, int64_t n, size_t elem_bytes, const void *dx,
                              int64_t incdx, void *x, int64_t incx)
{
    TRY(gbl_enter(ctx, "gable_get_vector"));
    TRY(check_vector(ctx, n, elem_bytes, dx, "dx", incdx, "incdx", x, "x", incx, "incx", false));
    const gbl_copy_spec spec = {.direction = GBL_TO_HOST,
                                .target = x,
                                .target_pitch = (size_t)incx * elem_bytes,
                                .source = dx,
                                .source_pitch = (size_t)incdx * elem_bytes,
                                .run_bytes = elem_bytes,
                                .runs = n};
    return transfer(ctx, &spec);
}

/* The checks of the matrix pair. */
static gable_status check_matrix(gable_context *ctx, int64_t m, int64_t n, size_t elem_bytes,
                                 const void *first, const char *first_name, int64_t first_ld,
                                 const char *first_ld_name, const void *second,
                                 const char *second_name, int64_t second_ld,
                                 const char *second_ld_name, bool to_device)
{
    const int64_t least = m > 1 ? m : 1;
    CHECK_ARG(ctx, m >= 0, 2, "m", "is %lld; it must be at least 0", (long long)m);
    CHECK_ARG(ctx, n >= 0, 3, "n", "is %lld; it must be at least 0", (long long)n);
    CHECK_ARG(ctx, elem_bytes > 0, 4, "elem_bytes", "is 0; it must be at least 1");
    const bool empty = m == 0 || n == 0;
    if (!empty && to_device)
        CHECK_ARG(ctx, first != NULL, 5, first_name, "is NULL");
    if (!empty && !to_device)
        TRY(gbl_check_address(ctx, 5, first_name, first));
    CHECK_ARG(ctx, first_ld >= least, 6, first_ld_name,
              "is %lld; it must be at least max(1, m) = %lld", (long long)first_ld,
              (long long)least);
    if (!empty && to_device)
        TRY(gbl_check_address(ctx, 7, second_name, second));
    if (!empty && !to_device)
        CHECK_ARG(ctx, second != NULL, 7, second_name, "is NULL");
    CHECK_ARG(ctx, second_ld >= least, 8, second_ld_name,
              "is %lld; it must be at least max(1, m) = %lld", (long long)second_ld,
              (long long)least);
    return gbl_check_not_recording(ctx, "a transfer between host and device");
}

gable_status gable_set_matrix(gable_context *ctx, int64_t m, int64_t n, size_t elem_bytes,
                              const void *A, int64_t lda, void *dA, int64_t ldda)
{
    TRY(gbl_enter(ctx, "gable_set_matrix"));
    TRY(check_matrix(ctx, m, n, elem_bytes, A, "A", lda, "lda", dA, "dA", ldda, "ldda", true));
    const gbl_copy_spec spec = {.direction = GBL_TO_DEVICE,
                                .target = dA,
                                .target_pitch = (size_t)ldda * elem_bytes,
                                .source = A,
                                .source_pitch = (size_t)lda * elem_bytes,
                                .run_bytes = (size_t)m * elem_bytes,
                                .runs = n};
    return transfer(ctx, &spec);
}

gable_status gable_get_matrix(gable_context *ctx, int64_t m, int64_t n, size_t elem_bytes,
                              const void *dA, int64_t ldda, void *A, int64_t lda)
{
    TRY(gbl_enter(ctx, "gable_get_matrix"));
    TRY(check_matrix(ctx, m, n, elem_bytes, dA, "dA", ldda, "ldda", A, "A", lda, "lda", false));
    const gbl_copy_spec spec = {.direction = GBL_TO_HOST,
                                .target = A,
                                .target_pitch = (size_t)lda * elem_bytes,
                                .source = dA,
                                .source_pitch = (size_t)ldda * elem_bytes,
                                .run_bytes = (size_t)m * elem_bytes,
                                .runs = n};
    return transfer(ctx, &spec);
}

gable_status gable_copy_bytes(gable_context *ctx, void *destination, const void *source,
                              size_t bytes)
{
    TRY(gbl_enter(ctx, "gable_copy_bytes"));
    if (bytes == 0)
        return GABLE_OK;
    TRY(gbl_check_address(ctx, 2, "destination", destination));
    TRY(gbl_check_address(ctx, 3, "source", source));
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
    gbl_event event = {.kind = GBL_EVENT_FILL, .begin = true, .bytes = bytes};
    gbl_tell(ctx, &event);
    event.begin = false;
    event.status = gbl_fill_bytes(ctx, address, value, bytes);
    gbl_tell(ctx, &event);
    return event.status;
}
