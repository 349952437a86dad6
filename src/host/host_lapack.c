/* host_lapack.c: routines of LAPACK on arrays in host memory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays travel to the device whole, the routine runs there, and its results travel into a shadow,
 * memory of our own. Once all of them are there they are copied to the caller, which cannot fail:
 * first the matrices and pivots, then info. So a call that fails has written nothing. On cpu a
 * routine works on copies of what it writes, for the same reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/arguments.h"
#include "core/copy_team.h"
#include "host/host_door.h"
#include "host/host_lapack.h"
#include "host/host_panel.h"
#include "lapack/lapack.h"
#include "model/predict.h"

#define MOST_ARRAYS 6
#define ALIGNMENT   256
#define PITCH       128 /* bytes: columns start on whole lines */
#define MOST_BYTES  4e18
#define APART_BITS  40 /* of pretended arrays: no two of them meet */

/* Measured as what is left of the times of n = 1024, 4096 and 8192 when flops are taken at the rate
 * of products (H200, d, 2026-11, docs/lapack.md): getrf and geqrf 1.9 us per column, potrf 0.36. */
#define PIVOT_COLUMN 1.9e-6
#define PLAIN_COLUMN 0.36e-6

/* ---- Routines ---- */

/* Whether A is the result: its vectors. */
static bool has_vectors(const gbl_product_call *call)
{
    return call->job == GABLE_VECTORS;
}

static bool is_overwritten(const gbl_product_call *call)
{
    return call->job == GABLE_OVERWRITE || call->job_b == GABLE_OVERWRITE;
}

static bool never(const gbl_product_call *call)
{
    (void)call;
    return false;
}

#define ROUTINE(stem, ...)                                                                         \
    {                                                                                              \
        .op = &gbl_##stem##_op, .run = gbl_##stem, __VA_ARGS__                                     \
    }
static const gbl_host_routine routines[] = {
    ROUTINE(getrf, .column = PIVOT_COLUMN),
    ROUTINE(getrs, .column = PLAIN_COLUMN),
    ROUTINE(gesv, .column = PIVOT_COLUMN, .solution = PRODUCT_AT(B)),
    ROUTINE(getri, .column = PLAIN_COLUMN, .solution = PRODUCT_AT(A)),
    ROUTINE(potrf, .column = PLAIN_COLUMN, .cholesky = true),
    ROUTINE(potrs, .column = PLAIN_COLUMN),
    ROUTINE(posv, .column = PLAIN_COLUMN, .solution = PRODUCT_AT(B), .cholesky = true),
    ROUTINE(potri, .column = PLAIN_COLUMN, .solution = PRODUCT_AT(A)),
    ROUTINE(trtrs, .column = PLAIN_COLUMN, .solution = PRODUCT_AT(B)),
    ROUTINE(trtri, .column = PLAIN_COLUMN, .solution = PRODUCT_AT(A)),
    ROUTINE(geqrf, .column = PIVOT_COLUMN),
    ROUTINE(gelqf, .column = PIVOT_COLUMN),
    ROUTINE(orgqr, .column = PLAIN_COLUMN),
    ROUTINE(orglq, .column = PLAIN_COLUMN),
    ROUTINE(ormqr, .column = PLAIN_COLUMN),
    ROUTINE(ormlq, .column = PLAIN_COLUMN),
    ROUTINE(gels, .column = PIVOT_COLUMN, .solution = PRODUCT_AT(B), .zeroed = PRODUCT_AT(B)),
    ROUTINE(syevd, .driver = has_vectors),
    ROUTINE(sygvd, .driver = has_vectors),
    ROUTINE(syevx, .driver = never),
    ROUTINE(gesdd, .driver = is_overwritten),
    ROUTINE(gesvd, .driver = is_overwritten),
};
#undef ROUTINE

const gbl_host_routine *gbl_host_routine_find(const char *stem)
{
    char real[16];
    const bool unitary = strncmp(stem, "un", 2) == 0, hermitian = strncmp(stem, "he", 2) == 0;
    if ((unitary || hermitian) && strlen(stem) < sizeof real) {
        snprintf(real, sizeof real, "%s%s", unitary ? "or" : "sy", stem + 2);
        stem = real;
    }
    for (size_t i = 0; i < sizeof routines / sizeof routines[0]; i++)
        if (strcmp(routines[i].op->stem, stem) == 0)
            return &routines[i];
    return NULL;
}

/* ---- Arrays of a call ---- */

/* The caller's runs are columns; numbers and info are one run. */
typedef struct array {
    const gbl_operand *operand;
    size_t run_bytes, pitch;
    size_t kept_bytes; /* of a run that are copied: all, but for parts of a result */
    int64_t runs;
    gbl_clip clip;             /* the triangle that is read or written */
    bool scratch;              /* the routine overwrites it with what nobody is to see */
    size_t there, there_pitch; /* in the buffer on the device */
    size_t shadow;             /* in the shadow, where runs follow one another */
} array;

typedef struct layout {
    array arrays[MOST_ARRAYS];
    int count;
    size_t device_bytes, shadow_bytes;
} layout;

static size_t rounded(size_t bytes, size_t step)
{
    return (bytes + step - 1) / step * step;
}

static bool is_read(const array *one)
{
    return (one->operand->access & GBL_READ) != 0;
}

static bool is_written(const array *one)
{
    return (one->operand->access & GBL_WRITE) != 0;
}

static bool is_delivered(const array *one)
{
    return is_written(one) && !one->scratch;
}

static array make_array(const gbl_operand *operand, const void *call)
{
    const size_t elem = gbl_operand_element(operand, call);
    const int64_t rows = operand->rows != NULL ? operand->rows(call) : 1;
    array made = {.operand = operand, .run_bytes = (size_t)rows * elem, .runs = rows > 0};
    made.pitch = made.there_pitch = made.kept_bytes = made.run_bytes;
    if (operand->kind != GBL_MATRIX)
        return made;
    made.runs = rows > 0 ? operand->columns(call) : 0;
    made.pitch = (size_t)gbl_call_integer(call, operand->step) * elem;
    made.there_pitch = rounded(made.run_bytes, PITCH);
    if (operand->shape != NULL)
        made.clip = gbl_host_clip_of(operand->shape(call), (int64_t)elem, 0);
    return made;
}

static gable_status lay_out(gable_context *ctx, const gbl_host_routine *routine,
                            const gbl_product_call *call, layout *made)
{
    const gbl_op *const op = routine->op;
    double all = 0;
    *made = (layout){.count = 0};
    for (int i = 0; i < op->operand_count; i++) {
        if (!gbl_is_address(&op->operands[i]))
            continue;
        array one = make_array(&op->operands[i], call);
        if (one.runs <= 0)
            continue;
        one.scratch =
            routine->driver != NULL && one.operand->at == PRODUCT_AT(A) && !routine->driver(call);
        all += (double)one.there_pitch * (double)one.runs;
        if (all > MOST_BYTES)
            return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "the arrays pass 62 bits");
        one.there = made->device_bytes;
        made->device_bytes += rounded(one.there_pitch * (size_t)one.runs, ALIGNMENT);
        one.shadow = made->shadow_bytes;
        if (is_written(&one))
            made->shadow_bytes += rounded(one.run_bytes * (size_t)one.runs, ALIGNMENT);
        made->arrays[made->count++] = one;
    }
    return GABLE_OK;
}

static void put_address(gbl_product_call *call, const array *one, char *address, size_t pitch)
{
    const size_t elem = gbl_operand_element(one->operand, call);
    memcpy((char *)call + one->operand->at, &address, sizeof address);
    if (one->operand->kind == GBL_MATRIX) {
        const int64_t ld = (int64_t)(pitch / elem);
        memcpy((char *)call + one->operand->step, &ld, sizeof ld);
    }
}

/* ---- How long it takes ---- */

/* The columns of A that take their turn. */
static double columns_of(const gbl_op *op, const void *call)
{
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *const A = &op->operands[i];
        if (A->kind == GBL_MATRIX && A->at == PRODUCT_AT(A)) {
            const int64_t rows = A->rows(call), columns = A->columns(call);
            return (double)(rows < columns ? rows : columns);
        }
    }
    return 0;
}

/* Flops at the rate of products, and what columns take beside that. */
static double computing_by_rate(const gbl_host_routine *routine, const gbl_product_call *call,
                                const gbl_roofs *device)
{
    gbl_work work;
    routine->op->work(call, &work);
    return gbl_host_product_seconds(&work, call->dtype, device) +
           columns_of(routine->op, call) * routine->column;
}

/* By the model of what is chosen for arrays of the device's, laid out as they will be. */
static gable_status computing_by_model(gable_context *ctx, const gbl_host_routine *routine,
                                       const gbl_product_call *call, const gbl_roofs *device,
                                       double *seconds)
{
    gbl_product_call there = *call;
    gbl_choice choice = {.variant = NULL};
    gbl_prediction prediction;
    const gbl_situation situation = {.replayed = false};
    layout made;
    TRY(lay_out(ctx, routine, call, &made));
    for (int i = 0; i < made.count; i++)
        put_address(&there, &made.arrays[i], (char *)((uintptr_t)(i + 1) << APART_BITS),
                    made.arrays[i].there_pitch);
    TRY(gbl_op_choose(ctx, routine->op, &there, &choice));
    gbl_predict_call(ctx->device, routine->op, &there, &choice, device, &situation, &prediction);
    *seconds = prediction.seconds;
    return GABLE_OK;
}

/* What crosses the link: whole columns, also of triangles, and results that are delivered. */
static gable_status measure_transfers(gable_context *ctx, const gbl_host_routine *routine,
                                      const gbl_product_call *call, gbl_work *work)
{
    layout made;
    TRY(lay_out(ctx, routine, call, &made));
    work->bytes_read = work->bytes_written = 0;
    for (int i = 0; i < made.count; i++) {
        const array *const one = &made.arrays[i];
        const double bytes = (double)one->run_bytes * (double)one->runs;
        work->bytes_read += is_read(one) ? bytes : 0;
        work->bytes_written += is_delivered(one) ? bytes : 0;
    }
    return GABLE_OK;
}

/* With so many seconds on the device beside transfers. */
static gable_status times_with(gable_context *ctx, const gbl_host_routine *routine,
                               const gbl_product_call *call, double computing,
                               const gbl_roofs *device, const gbl_roofs *cpu, int copiers,
                               gbl_host_times *times)
{
    char stem[32]; /* of rates: values alone are found at another rate than vectors */
    gbl_work work;
    const bool values =
        call->job == GABLE_NO_VECTORS && (call->job_b == 0 || call->job_b == GABLE_NO_VECTORS);
    routine->op->work(call, &work);
    TRY(measure_transfers(ctx, routine, call, &work));
    snprintf(stem, sizeof stem, "%s%s", routine->op->stem, values ? "_values" : "");
    *times = gbl_host_predict_whole(stem, &work, call->dtype, computing, device, cpu, copiers);
    return GABLE_OK;
}

gable_status gbl_host_lapack_times(gable_context *ctx, const gbl_host_routine *routine,
                                   const gbl_product_call *call, const gbl_roofs *device,
                                   const gbl_roofs *cpu, int copiers, gbl_host_times *times)
{
    double computing;
    if (routine->driver == NULL)
        computing = computing_by_rate(routine, call, device);
    else
        TRY(computing_by_model(ctx, routine, call, device, &computing));
    return times_with(ctx, routine, call, computing, device, cpu, copiers, times);
}

/* ---- The shadow ---- */

static gable_status need_shadow(gbl_host_door *door, size_t bytes)
{
    if (door->shadow_bytes >= bytes)
        return GABLE_OK;
    free(door->shadow);
    door->shadow_bytes = 0;
    door->shadow = aligned_alloc(ALIGNMENT, bytes);
    if (door->shadow == NULL)
        return gbl_fail(&door->ctx->message, GABLE_OUT_OF_MEMORY,
                        "no %zu bytes of host memory for a copy of the results", bytes);
    door->shadow_bytes = bytes;
    return GABLE_OK;
}

/* Between the caller's array and its place in the shadow. */
static void copy_array(const gbl_host_door *door, const gbl_product_call *call, const array *one,
                       bool to_caller)
{
    char *const caller = gbl_call_address(call, one->operand->at);
    char *const shadow = (char *)door->shadow + one->shadow;
    const gbl_host_copy copy = {.target = to_caller ? caller : shadow,
                                .target_pitch = to_caller ? one->pitch : one->run_bytes,
                                .source = to_caller ? shadow : caller,
                                .source_pitch = to_caller ? one->run_bytes : one->pitch,
                                .run_bytes = one->kept_bytes,
                                .runs = one->runs,
                                .clip = one->clip};
    gbl_copy_team_run(&copy);
}

/* What info says in the shadow; 0 of routines that have none. */
static int64_t outcome(const gbl_host_door *door, const layout *made)
{
    int64_t info = 0;
    for (int i = 0; i < made->count; i++)
        if (made->arrays[i].operand->at == PRODUCT_AT(info))
            memcpy(&info, (char *)door->shadow + made->arrays[i].shadow, sizeof info);
    return info;
}

/* Of a Cholesky factor that ends before column `end`: those columns of L, or rows of U. What lies
 * behind them may be anything, and is left as it was. */
static void deliver_leading(const gbl_host_door *door, const gbl_product_call *call,
                            const array *one, int64_t end)
{
    array leading = *one;
    if (call->uplo == GABLE_LOWER)
        leading.runs = end;
    else
        leading.kept_bytes = (size_t)end * gbl_dtype_bytes(call->dtype);
    copy_array(door, call, &leading, true);
}

/* Of syevx what was found: its values, and columns of vectors. */
static void deliver_found(const gbl_host_door *door, const gbl_product_call *call,
                          const layout *made, const array *one)
{
    array found = *one;
    int64_t count = 0;
    for (int i = 0; i < made->count; i++)
        if (made->arrays[i].operand->at == PRODUCT_AT(found))
            memcpy(&count, (char *)door->shadow + made->arrays[i].shadow, sizeof count);
    if (one->operand->kind == GBL_MATRIX)
        found.runs = count < one->runs ? count : one->runs;
    else if (one->operand->kind == GBL_NUMBERS)
        found.kept_bytes = (size_t)count * gbl_operand_element(one->operand, call);
    copy_array(door, call, &found, true);
}

/* In the order of the prototype: info is last. */
static void deliver(const gbl_host_door *door, const gbl_host_routine *routine,
                    const gbl_product_call *call, const layout *made)
{
    const int64_t info = outcome(door, made);
    for (int i = 0; i < made->count; i++) {
        const array *one = &made->arrays[i];
        const bool fails = info != 0 && one->operand->at != PRODUCT_AT(info) &&
                           (routine->driver != NULL || one->operand->at == routine->solution);
        if (!is_delivered(one) || fails)
            continue;
        if (call->found != NULL)
            deliver_found(door, call, made, one);
        else if (info != 0 && routine->cholesky && one->operand->at == PRODUCT_AT(A))
            deliver_leading(door, call, one, info - 1);
        else
            copy_array(door, call, one, true);
    }
}

/* ---- On cpu ---- */

static gable_status run_unchecked(gable_context *ctx, const gbl_host_routine *routine,
                                  const char *name, const gbl_product_call *call)
{
    ctx->depth++; /* the outer call was checked, and info is where the routine may write it */
    const gable_status status = routine->run(ctx, name, call);
    ctx->depth--;
    return status;
}

static gable_status run_here(gable_context *cpu, gbl_host_door *door,
                             const gbl_host_routine *routine, const gbl_product_call *call,
                             const layout *made)
{
    gbl_product_call there = *call;
    if (!gbl_loan_bind(&door->ctx->loan))
        return gbl_fail(&door->ctx->message, GABLE_DEVICE_LOST, "%s", GBL_LOAN_OVER);
    TRY(need_shadow(door, made->shadow_bytes));
    for (int i = 0; i < made->count; i++) {
        const array *one = &made->arrays[i];
        if (!is_written(one))
            continue;
        put_address(&there, one, (char *)door->shadow + one->shadow, one->run_bytes);
        if (is_read(one))
            copy_array(door, call, one, false);
    }
    cpu->message.routine = door->name;
    const gable_status status = run_unchecked(cpu, routine, door->name, &there);
    if (status != GABLE_OK && cpu != door->ctx)
        return gbl_fail(&door->ctx->message, status, "on cpu: %s", gable_message(cpu));
    if (status == GABLE_OK)
        deliver(door, routine, call, made);
    return status;
}

/* ---- On the device ---- */

static gbl_copy_spec spec_of(const gbl_host_door *door, const array *one, bool to_device,
                             char *host, size_t host_pitch)
{
    char *const there = (char *)door->buffer + one->there;
    return (gbl_copy_spec){.direction = to_device ? GBL_TO_DEVICE : GBL_TO_HOST,
                           .target = to_device ? there : host,
                           .target_pitch = to_device ? one->there_pitch : host_pitch,
                           .source = to_device ? host : there,
                           .source_pitch = to_device ? host_pitch : one->there_pitch,
                           .run_bytes = one->run_bytes,
                           .runs = one->runs};
}

static gable_status upload(gbl_host_door *door, const gbl_product_call *call, const array *one)
{
    const gbl_copy_spec spec =
        spec_of(door, one, true, gbl_call_address(call, one->operand->at), one->pitch);
    return gbl_stage_set(&door->up, &spec, &one->clip, &door->ctx->message);
}

static gable_status download(gbl_host_door *door, const array *one)
{
    const gbl_copy_spec spec =
        spec_of(door, one, false, (char *)door->shadow + one->shadow, one->run_bytes);
    return gbl_stage_get(&door->down, &spec, &one->clip, &door->ctx->message);
}

/* Up to the results in the shadow. */
static gable_status compute_there(gbl_host_door *door, const gbl_host_routine *routine,
                                  const gbl_product_call *call, const layout *made)
{
    gable_context *const ctx = door->ctx;
    const gbl_device_table *const table = ctx->device->table;
    gbl_product_call there = *call;
    TRY(need_shadow(door, made->shadow_bytes));
    TRY(gbl_host_leaf_open(door));
    TRY(gbl_host_need_buffer(door, made->device_bytes));
    TRY(table->wait(door->up.queue, ctx->queue, &ctx->message));
    for (int i = 0; i < made->count; i++) {
        const array *one = &made->arrays[i];
        put_address(&there, one, (char *)door->buffer + one->there, one->there_pitch);
        if (is_read(one))
            TRY(upload(door, call, one));
    }
    TRY(table->wait(ctx->queue, door->up.queue, &ctx->message));
    TRY(run_unchecked(ctx, routine, door->name, &there));
    TRY(table->mark_set(door->computed[0], &ctx->message));
    TRY(gbl_stage_wait(&door->down, door->computed[0], &ctx->message));
    for (int i = 0; i < made->count; i++)
        if (is_delivered(&made->arrays[i]))
            TRY(download(door, &made->arrays[i]));
    return GABLE_OK;
}

static gable_status run_there(gbl_host_door *door, const gbl_host_routine *routine,
                              const gbl_product_call *call, const layout *made)
{
    gable_context *const ctx = door->ctx;
    door->budget = door->memory_bytes;
    if (made->device_bytes > door->budget)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY,
                        "the arrays take %zu bytes of the device's memory; %zu may be used",
                        made->device_bytes, door->budget);
    gable_status status = compute_there(door, routine, call, made);
    if (status == GABLE_OK && !gbl_loan_bind(&ctx->loan))
        status = gbl_fail(&ctx->message, GABLE_DEVICE_LOST, "%s", GBL_LOAN_OVER);
    if (status == GABLE_OK)
        deliver(door, routine, call, made);
    else if (status == GABLE_DEVICE_LOST)
        ctx->abandoned = true;
    else
        gbl_host_drain(door); /* what failed half-way may have left work behind */
    return status;
}

/* ---- The way in ---- */

/* Arrays of the device are for the routine without host_ in its name. */
static gable_status check_places(gable_context *ctx, const gbl_op *op, const gbl_product_call *call,
                                 const layout *made)
{
    if (ctx->abandoned || gbl_host_reaches_all(ctx))
        return GABLE_OK;
    for (int i = 0; i < made->count; i++) {
        const gbl_operand *const operand = made->arrays[i].operand;
        const void *const address = gbl_call_address(call, operand->at);
        CHECK_ARG(ctx, ctx->device->table->where(ctx->device, address) != GBL_AT_DEVICE,
                  gbl_argument_number(op, call, operand->at), operand->name,
                  "is device memory; it must be host memory");
    }
    return GABLE_OK;
}

static gable_status check_results(gable_context *ctx, const gbl_op *op,
                                  const gbl_product_call *call)
{
    for (int i = 0; i < op->operand_count; i++) {
        const gbl_operand *const result = &op->operands[i];
        if (result->kind == GBL_RESULT)
            CHECK_ARG(ctx, gbl_call_address(call, result->at) != NULL,
                      gbl_argument_number(op, call, result->at), result->name, "is NULL");
    }
    return GABLE_OK;
}

/* Seconds on the device; *pays: it is worth going there. Where transfers alone take too long the
 * model is not asked, which takes longer than a small call. */
static gable_status predict(gbl_host_door *door, const gbl_host_routine *routine,
                            const gbl_product_call *call, double *seconds, bool *pays)
{
    const int copiers = gbl_copy_team_size();
    gbl_roofs device, cpu;
    gbl_roofs_get(door->ctx->device, &device);
    cpu = device;
    if (door->may_use_cpu && gbl_host_open_cpu(door) == GABLE_OK)
        gbl_roofs_get(door->cpu->device, &cpu);
    gbl_host_times times;
    TRY(times_with(door->ctx, routine, call, 0, &device, &cpu, copiers, &times));
    *pays = !door->may_use_cpu || gbl_host_pays(&times);
    if (*pays) {
        TRY(gbl_host_lapack_times(door->ctx, routine, call, &device, &cpu, copiers, &times));
        *pays = !door->may_use_cpu || gbl_host_pays(&times);
    }
    *seconds = times.device;
    return GABLE_OK;
}

static gable_status run_chosen(gbl_host_door *door, const gbl_host_routine *routine,
                               const gbl_product_call *call, const layout *made)
{
    gable_context *const ctx = door->ctx;
    bool pays = false;
    if (!ctx->abandoned) {
        double seconds = 0;
        const gable_status told = predict(door, routine, call, &seconds, &pays);
        if (told != GABLE_OK && !door->may_use_cpu)
            return told;
        gbl_host_limit(door, seconds);
        if (told == GABLE_OK && pays) {
            snprintf(door->last, sizeof door->last, "%s", ctx->device->info.name);
            const gable_status status = run_there(door, routine, call, made);
            if (status == GABLE_OK || !door->may_use_cpu)
                return status;
        }
    }
    snprintf(door->last, sizeof door->last, "cpu");
    TRY(gbl_host_open_cpu(door));
    return run_here(door->cpu, door, routine, call, made);
}

/* Zeros for a matrix of the caller. */
static void clear_array(const gbl_op *op, const gbl_product_call *call, uint16_t at)
{
    for (int i = 0; at != 0 && i < op->operand_count; i++) {
        if (op->operands[i].at != at || !gbl_is_address(&op->operands[i]))
            continue;
        const array one = make_array(&op->operands[i], call);
        for (int64_t run = 0; run < one.runs; run++)
            memset((char *)gbl_call_address(call, at) + (size_t)run * one.pitch, 0, one.run_bytes);
    }
}

gable_status gbl_host_lapack(gable_context *ctx, const char *name, const gbl_op *op,
                             const gbl_product_call *call)
{
    const gbl_host_routine *const routine = gbl_host_routine_find(op->stem);
    layout made;
    if (ctx == NULL)
        return GABLE_BAD_ARGUMENT;
    TRY(gbl_host_check(ctx, name, op, call));
    TRY(check_results(ctx, op, call));
    TRY(gbl_host_open_door(ctx));
    if (gbl_call_empty(op, call)) {
        clear_array(op, call, routine->zeroed);
        if (call->found != NULL)
            *call->found = 0;
        if (call->info != NULL)
            *call->info = 0;
        return GABLE_OK;
    }
    TRY(lay_out(ctx, routine, call, &made));
    TRY(check_places(ctx, op, call, &made));
    gbl_host_door *const door = ctx->host;
    door->name = name;
    if (!gbl_loan_start(&ctx->loan))
        return gbl_fail(&ctx->message, GABLE_DEVICE_LOST, "%s", GBL_LOAN_OVER);
    if (!gbl_host_reaches_all(ctx)) {
        const gable_status status = run_chosen(door, routine, call, &made);
        ctx->limit = 0;
        gbl_loan_bind(&ctx->loan);
        return status;
    }
    snprintf(door->last, sizeof door->last, "%s", ctx->device->info.name);
    return run_here(ctx, door, routine, call, &made);
}
