/* eigen_stage.c: eigenvalues and vectors of a tridiagonal matrix on the host.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `host_stage` waits for the device, fetches d, e and Z through pinned memory, computes by the
 * installed LAPACK, or by QL iteration without one, and sends the results back. It cannot be
 * recorded. `ql` is the iteration as a task of the cpu.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/host_cost.h"
#include "core/launch.h"
#include "core/prepare.h"
#include "cpu/cpu_eigen.h"
#include "device/cpu_lapack.h"
#include "lapack/eigen.h"

static bool is_stedc(const gbl_variant *self)
{
    return strcmp(self->detail, "stedc") == 0;
}

static gbl_eigen_routine routine_of(const gbl_product_call *call)
{
    return gbl_eigen_vectors(call) ? GBL_STEDC : GBL_STERF;
}

static void set_identity(const gbl_product_call *call)
{
    const size_t elem = gbl_dtype_bytes(call->dtype);
    const float narrow = 1;
    const double wide = 1;
    for (int64_t j = 0; j < call->n; j++) {
        memset(gbl_element(call->dtype, call->C, call->ldc, 0, j), 0, (size_t)call->n * elem);
        memcpy(gbl_element(call->dtype, call->C, call->ldc, j, j),
               gbl_dtype_real_bytes(call->dtype) == 4 ? (const void *)&narrow : (const void *)&wide,
               gbl_dtype_real_bytes(call->dtype));
    }
}

/* ---- QL ---- */

static gable_status ql_task(gbl_queue *queue, void *stream, const void *given, gbl_message *message)
{
    static const gbl_task_function tasks[4] = GBL_CPU_FOUR(tridiagonal_ql);
    const gbl_product_args *call = given;
    const bool vectors = gbl_eigen_vectors(call);
    const gbl_cpu_tridiagonal_args args = {.n = call->n,
                                           .d = call->d,
                                           .e = call->e,
                                           .Z = vectors ? call->C : NULL,
                                           .ldz = call->ldc,
                                           .info = call->info};
    if (!gbl_eigen_tridiagonal_finite(call))
        return GABLE_OK;
    if (call->job == GABLE_IDENTITY_VECTORS)
        set_identity(call);
    return tasks[call->dtype](queue, stream, &args, message);
}

bool gbl_eigen_ql_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->props.is_host;
}

gable_status gbl_eigen_ql_run(gable_context *ctx, const gbl_variant *self, const void *call,
                              const gbl_params *params)
{
    (void)self, (void)params;
    return gbl_task(ctx, "tridiagonal_ql", ql_task, call, sizeof(gbl_product_args));
}

/* About 1.7 steps per value; each turns n / 2 pairs of columns, which stay in a cache or do not. */
void gbl_eigen_ql_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost)
{
    const gbl_product_call *call = given;
    const gbl_host_walk walk = gbl_host_vectors();
    const double n = (double)call->n, turns = 0.85 * n * n;
    gbl_work least = {.bytes_read = 4 * n * (double)gbl_dtype_real_bytes(call->dtype),
                      .bytes_written = 2 * n * (double)gbl_dtype_real_bytes(call->dtype),
                      .flops = 60 * turns};
    (void)self, (void)params;
    if (gbl_eigen_vectors(call)) {
        const double moved = turns * n * (double)gbl_dtype_bytes(call->dtype);
        least.bytes_read += moved;
        least.bytes_written += moved;
        least.flops += gbl_lapack_flops(call, 2 * turns * n);
    }
    gbl_host_cost(&least, &walk, device, cost);
}

/* ---- On the host, for a device ---- */

bool gbl_eigen_host_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call;
    return device->table->build != NULL;
}

/* Pinned memory with info, d and e, and with Z; memory for the library. */
typedef struct stage {
    gable_context *ctx;
    const gbl_product_call *given;
    gbl_product_call here; /* with host memory */
    void *numbers, *vectors, *work;
    void *outcome; /* device memory */
} stage;

/* Rounded so that the next array starts on a cache line. */
static size_t line(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static gable_status copy(const stage *s, gbl_direction direction, void *device, void *host,
                         size_t run, size_t device_pitch, int64_t runs)
{
    const bool down = direction == GBL_TO_HOST;
    const gbl_copy_spec spec = {.direction = direction,
                                .target = down ? host : device,
                                .target_pitch = down ? run : device_pitch,
                                .source = down ? device : host,
                                .source_pitch = down ? device_pitch : run,
                                .run_bytes = run,
                                .runs = runs};
    return run == 0 || runs == 0
               ? GABLE_OK
               : s->ctx->device->table->copy(s->ctx->queue, &spec, &s->ctx->message);
}

static gable_status copy_vectors(const stage *s, gbl_direction direction)
{
    const gbl_product_call *given = s->given;
    const size_t elem = gbl_dtype_bytes(given->dtype);
    return copy(s, direction, given->C, s->here.C, (size_t)given->n * elem,
                (size_t)given->ldc * elem, given->n);
}

/* d and e are here. Numbers that a device which only pretends to copy left as they were are not
 * finite: then nothing is computed. */
static gable_status fetch_numbers(stage *s)
{
    const gbl_product_call *given = s->given;
    const gbl_device_table *table = s->ctx->device->table;
    const size_t real = gbl_dtype_real_bytes(given->dtype), n = (size_t)given->n;
    TRY(table->pinned_alloc(s->ctx->device, 64 + 2 * line(n * real), &s->numbers,
                            &s->ctx->message));
    s->here = *given;
    s->here.info = s->numbers;
    s->here.d = (char *)s->numbers + 64;
    s->here.e = (char *)s->here.d + line(n * real);
    memset(s->here.d, 0xff, real);
    TRY(copy(s, GBL_TO_HOST, given->d, s->here.d, n * real, n * real, 1));
    if (n > 1)
        TRY(copy(s, GBL_TO_HOST, given->e, s->here.e, (n - 1) * real, (n - 1) * real, 1));
    return gbl_wait_queue(s->ctx);
}

static gable_status fetch_vectors(stage *s)
{
    const gbl_device_table *table = s->ctx->device->table;
    const size_t n = (size_t)s->given->n;
    TRY(table->pinned_alloc(s->ctx->device, n * n * gbl_dtype_bytes(s->given->dtype), &s->vectors,
                            &s->ctx->message));
    s->here.C = s->vectors;
    s->here.ldc = s->given->n;
    if (s->given->job == GABLE_IDENTITY_VECTORS)
        return GABLE_OK;
    TRY(copy_vectors(s, GBL_TO_HOST));
    return gbl_wait_queue(s->ctx);
}

static gable_status compute(stage *s)
{
    const gbl_eigen_routine which = routine_of(&s->here);
    gbl_eigen_room room;
    if (!gbl_eigen_library_fits(which, &s->here))
        return ql_task(NULL, NULL, &s->here, &s->ctx->message);
    gbl_eigen_library_room(which, &s->here, &room);
    s->work = malloc(line(room.work_bytes) + line(room.rwork_bytes) + room.iwork_bytes + 64);
    if (s->work == NULL)
        return gbl_fail(&s->ctx->message, GABLE_OUT_OF_MEMORY,
                        "no host memory for the tridiagonal stage");
    room.work = s->work;
    room.rwork = (char *)room.work + line(room.work_bytes);
    room.iwork = (int *)(void *)((char *)room.rwork + line(room.rwork_bytes));
    gbl_eigen_library_run(which, &s->here, &room);
    return GABLE_OK;
}

/* Z becomes NaN, on the device: bytes of ones, without a kernel that might have to be compiled. */
static gable_status spoil(const stage *s)
{
    const gbl_product_call *given = s->given;
    const size_t column = (size_t)given->n * gbl_dtype_bytes(given->dtype);
    if (given->ldc == given->n)
        return gbl_fill_bytes(s->ctx, given->C, 0xff, column * (size_t)given->n);
    for (int64_t j = 0; j < given->n; j++)
        TRY(gbl_fill_bytes(s->ctx, gbl_element(given->dtype, given->C, given->ldc, 0, j), 0xff,
                           column));
    return GABLE_OK;
}

static gable_status stage_all(stage *s)
{
    const gbl_product_call *given = s->given;
    const bool vectors = gbl_eigen_vectors(given);
    const size_t bytes = (size_t)given->n * gbl_dtype_real_bytes(given->dtype);
    TRY(fetch_numbers(s));
    s->here.job = vectors ? GABLE_NO_VECTORS : given->job; /* as long as there is no Z here */
    const bool finite = gbl_eigen_tridiagonal_finite(&s->here);
    s->here.job = given->job;
    if (finite) {
        if (vectors)
            TRY(fetch_vectors(s));
        gbl_loan_host_begin(&s->ctx->loan);
        const gable_status computed = compute(s);
        gbl_loan_host_end(&s->ctx->loan);
        TRY(computed);
    }
    TRY(copy(s, GBL_TO_DEVICE, given->d, s->here.d, bytes, bytes, 1));
    if (finite && vectors)
        TRY(copy_vectors(s, GBL_TO_DEVICE));
    TRY(copy(s, GBL_TO_DEVICE, s->outcome, s->here.info, sizeof *s->here.info, sizeof *s->here.info,
             1));
    if (!finite && vectors)
        TRY(spoil(s));
    return gbl_wait_queue(s->ctx);
}

gable_status gbl_eigen_stage_run(gable_context *ctx, const gbl_variant *self, const void *given,
                                 const gbl_params *params)
{
    stage s = {.ctx = ctx, .given = given};
    (void)params;
    if (gbl_preparing(ctx) == NULL)
        TRY(gbl_check_not_recording(
            ctx, is_stedc(self) ? "variant host_stage of stedc, which waits for the host,"
                                : "variant host_stage of sterf, which waits for the host,"));
    TRY(gbl_arena_take(ctx->arena, ctx->device, sizeof(int64_t), &s.outcome, &ctx->message));
    const gable_status status = gbl_preparing(ctx) == NULL ? stage_all(&s) : GABLE_OK;
    free(s.work);
    if (gbl_is_left(ctx, status))
        return status;
    if (s.vectors != NULL)
        ctx->device->table->pinned_free(ctx->device, s.vectors);
    if (s.numbers != NULL)
        ctx->device->table->pinned_free(ctx->device, s.numbers);
    /* Info may be memory that kernels alone reach. */
    return status == GABLE_OK ? gbl_eigen_outcome(ctx, given, s.outcome) : status;
}

int gbl_eigen_stage_specs(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, gbl_kernel_spec *specs)
{
    (void)self, (void)params;
    return gbl_eigen_outcome_specs(((const gbl_product_call *)given)->dtype, device, false, specs);
}

/* What one core does: LAPACK's stedc keeps several busy in its products, and spends half of its
 * time beside them. */
#define CORE_FLOPS 2e9
#define LINK_BYTES 10e9

/* The host's time as bytes that memory could have moved meanwhile. */
void gbl_eigen_stage_cost(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, gbl_cost *cost)
{
    const gbl_product_call *call = given;
    const double n = (double)call->n, elem = (double)gbl_dtype_bytes(call->dtype);
    const bool vectors = gbl_eigen_vectors(call);
    gbl_work least;
    (void)self, (void)params, (void)device;
    gbl_stedc_op.work(call, &least);
    const double seconds = (30 * n * n + (vectors ? 4.0 / 3 * n * n * n / 4 : 0)) / CORE_FLOPS +
                           (vectors ? 2 * n * n * elem : 3 * n * elem) / LINK_BYTES;
    *cost = (gbl_cost){.memory_bytes = least.bytes_read + least.bytes_written,
                       .written_bytes = least.bytes_written,
                       .missed_bytes = seconds * 1e12,
                       .flops = least.flops,
                       .launches = 4,
                       .groups = 1,
                       .group_items = 1,
                       .bytes_in_flight = 64};
}

/* The stage, and the kernel that writes info. */
int gbl_eigen_stage_parts(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, gbl_part_call *parts)
{
    const gbl_cost last = {.memory_bytes = 16,
                           .written_bytes = 8,
                           .launches = 1,
                           .groups = 1,
                           .group_items = 1,
                           .bytes_in_flight = 8};
    gbl_cost host;
    gbl_eigen_stage_cost(self, given, params, device, &host);
    return gbl_composed_kernel(parts, gbl_composed_kernel(parts, 0, &host, 1), &last, 1);
}

void gbl_eigen_stage_tell(const gbl_variant *self, const void *given, const gbl_params *params,
                          const gbl_device *device, char *text, size_t text_bytes)
{
    const gbl_product_call *call = given;
    (void)self, (void)params, (void)device;
    snprintf(text, text_bytes,
             "waits for the device and computes on the host, by %s; it cannot be recorded",
             gbl_eigen_library_fits(routine_of(call), call) ? gbl_cpu_lapack_name()
                                                            : "QL iteration");
}
