/* host_leaf.c: a call on host memory that fits the device, in panels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Three queues: one brings operands, the context's own computes, one takes results back. While
 * panel j is computed, what panel j + 1 needs travels to the device and panel j - 1 back, and the
 * pages of a result that was never touched are made (core/populate.h):
 *
 *     upload      0   1   2   3
 *     compute         0   1   2   3
 *     download            0   1   2   3
 *
 * So there are two slots for a panel's inputs and three for its output. The host waits for the end
 * of a panel's computation before it asks for the result: until then nothing of the caller's memory
 * is written. Where a copy to the caller could fail half-way and the lost input could not be
 * recomputed, the panel goes through memory of our own first.
 */
#include <stdlib.h>
#include "core/populate.h"
#include "host/host_door.h"
#include "host/host_panel.h"

/* Panels large enough for the link and for kernels, and enough of them to overlap. */
#define PANEL_BYTES ((size_t)64 << 20)
#define OVERLAP_BYTES                                                                              \
    ((size_t)4 << 20) /* below, one panel: copies take about as long as launches */
#define FEWEST_PANELS 8
#define WIDTH_STEP    64
#define LEAST_WIDTH   16
#define GOOD_WIDTH    256 /* fewer columns do not fill a GPU, and their copies are short */
#define ALIGNMENT     256

typedef struct plan {
    const gbl_host_call *host;
    int64_t length, width, panels;
    int64_t ld[GBL_HOST_OPERANDS]; /* on the device */
    int slots[GBL_HOST_OPERANDS];  /* 0: it is there already, or the routine has none */
    size_t slot_bytes[GBL_HOST_OPERANDS], bytes;
    size_t at[GBL_HOST_OPERANDS]; /* in the buffer */
    size_t elem;
} plan;

/* ---- Plans ---- */

static int64_t rounded(int64_t value, int64_t step)
{
    return (value + step - 1) / step * step;
}

static bool is_away(const gbl_host_call *host, int operand)
{
    return gbl_host_has(host->kind, operand) && host->place[operand] != GBL_AT_DEVICE;
}

/* Sizes for panels of a width; false where they pass 63 bits. */
static bool measure(plan *made, int64_t width)
{
    static const int slots[] = {
        [GBL_ROLE_RESIDENT] = 1, [GBL_ROLE_PANEL] = 2, [GBL_ROLE_OUTPUT] = GBL_HOST_SLOTS};
    const gbl_host_call *host = made->host;
    double all = 0;
    made->width = width;
    made->bytes = 0;
    for (int i = 0; i < GBL_HOST_OPERANDS; i++) {
        made->slots[i] = is_away(host, i) ? slots[gbl_host_role_of(host, i)] : 0;
        if (made->slots[i] == 0)
            continue;
        gbl_host_block block = gbl_host_panel_block(host, i, 0, width);
        if (gbl_host_role_of(host, i) == GBL_ROLE_OUTPUT && gbl_host_is_triangle(host->kind))
            block.rows = host->call.n;
        made->ld[i] = rounded(block.rows, (int64_t)(128 / made->elem));
        all += (double)made->slots[i] * (double)made->ld[i] * (double)block.columns *
               (double)made->elem;
        if (all > 4e18)
            return false;
        const size_t bytes = (size_t)made->ld[i] * (size_t)block.columns * made->elem;
        made->slot_bytes[i] = (size_t)rounded((int64_t)bytes, ALIGNMENT);
        made->at[i] = made->bytes;
        made->bytes += (size_t)made->slots[i] * made->slot_bytes[i];
    }
    made->panels = (made->length + width - 1) / width;
    return true;
}

/* The width of panels where memory is no matter. */
static int64_t wanted_width(const plan *made)
{
    size_t largest = 0; /* bytes that travel with one column, or row, of the output */
    for (int i = 0; i < GBL_HOST_OPERANDS; i++) {
        if (gbl_host_role_of(made->host, i) <= GBL_ROLE_RESIDENT)
            continue;
        const gbl_host_block one = gbl_host_panel_block(made->host, i, 0, 1),
                             whole = gbl_host_whole(made->host, i);
        const int64_t across = one.rows == 1 ? whole.columns : whole.rows;
        const size_t bytes = (size_t)across * made->elem;
        largest = bytes > largest ? bytes : largest;
    }
    const double all = (double)largest * (double)made->length;
    if (all <= (double)OVERLAP_BYTES)
        return made->length;
    int64_t width = rounded(made->length / FEWEST_PANELS, WIDTH_STEP);
    const int64_t most = rounded((int64_t)(PANEL_BYTES / largest), WIDTH_STEP);
    width = width < most ? width : most;
    return width < WIDTH_STEP ? WIDTH_STEP : width;
}

/* A plan within the budget; false where there is none with panels of a useful width. */
static bool make_plan(const gbl_host_door *door, const gbl_host_call *host, plan *made)
{
    *made = (plan){
        .host = host, .length = gbl_host_length(host), .elem = gbl_dtype_bytes(host->call.dtype)};
    const int64_t least = made->length < LEAST_WIDTH ? made->length : LEAST_WIDTH;
    int64_t width = wanted_width(made);
    width = width < made->length ? width : made->length;
    for (;;) {
        if (measure(made, width) && made->bytes <= door->budget)
            return true;
        if (width <= least)
            return false;
        width = width > 2 * WIDTH_STEP ? rounded(width / 2, WIDTH_STEP) : width / 2;
        width = width > least ? width : least;
    }
}

bool gbl_host_leaf_fits(const gbl_host_door *door, const gbl_host_call *host)
{
    plan made;
    return make_plan(door, host, &made);
}

bool gbl_host_leaf_fits_well(const gbl_host_door *door, const gbl_host_call *host)
{
    plan made;
    return make_plan(door, host, &made) && (made.width >= GOOD_WIDTH || made.width == made.length);
}

/* ---- Queues, marks, memory ---- */

static const gbl_device_table *table_of(const gbl_host_door *door)
{
    return door->ctx->device->table;
}

gable_status gbl_host_leaf_open(gbl_host_door *door)
{
    gable_context *ctx = door->ctx;
    const gbl_device_table *table = table_of(door);
    gbl_stager *const stagers[] = {&door->up, &door->down};
    for (int i = 0; i < 2; i++)
        if (stagers[i]->queue == NULL)
            TRY(table->queue_open(ctx->device, &stagers[i]->queue, &ctx->message));
    door->up.owns_gaps = door->down.owns_gaps = true;
    door->up.loan = door->down.loan = &ctx->loan;
    door->up.watched = door->down.watched = &ctx->loan;
    for (int i = 0; i < GBL_HOST_SLOTS; i++)
        if (door->computed[i] == NULL)
            TRY(table->mark_create(ctx->queue, &door->computed[i], &ctx->message));
    gbl_queue *const queues[] = {ctx->queue, door->up.queue, door->down.queue};
    for (int i = 0; i < 3; i++)
        if (door->ends[i] == NULL)
            TRY(table->mark_create(queues[i], &door->ends[i], &ctx->message));
    return GABLE_OK;
}

void gbl_host_leaf_close(gbl_host_door *door)
{
    const gbl_device_table *table = table_of(door);
    gbl_stager *const stagers[] = {&door->up, &door->down};
    for (int i = 0; i < GBL_HOST_SLOTS; i++)
        if (door->computed[i] != NULL)
            table->mark_destroy(door->computed[i]);
    for (int i = 0; i < 3; i++)
        if (door->ends[i] != NULL)
            table->mark_destroy(door->ends[i]);
    for (int i = 0; i < 2; i++)
        if (stagers[i]->queue != NULL) {
            gbl_stager_free(stagers[i]);
            table->queue_close(stagers[i]->queue);
        }
    if (door->buffer != NULL)
        table->free(door->ctx->device, door->buffer, NULL);
}

gable_status gbl_host_leaf_release(gbl_host_door *door)
{
    gable_context *ctx = door->ctx;
    if (door->buffer != NULL)
        TRY(table_of(door)->free(ctx->device, door->buffer, &ctx->message));
    door->buffer = NULL;
    door->buffer_bytes = 0;
    return GABLE_OK;
}

gable_status gbl_host_need_buffer(gbl_host_door *door, size_t bytes)
{
    gable_context *ctx = door->ctx;
    if (door->buffer_bytes >= bytes && door->buffer_bytes <= door->budget)
        return GABLE_OK;
    TRY(gbl_host_leaf_release(door));
    if (bytes == 0)
        return GABLE_OK;
    TRY(gbl_arena_alloc(&ctx->own_arena, ctx->device, bytes, &door->buffer, &ctx->message));
    door->buffer_bytes = bytes;
    return GABLE_OK;
}

/* Each queue for itself: the wait has the limit of the call. */
gable_status gbl_host_drain(gbl_host_door *door)
{
    const gbl_device_table *table = table_of(door);
    gbl_queue *const queues[] = {door->ctx->queue, door->up.queue, door->down.queue};
    gable_status status = GABLE_OK;
    for (int i = 0; i < 3 && status != GABLE_DEVICE_LOST; i++) {
        if (queues[i] == NULL)
            continue;
        if (door->ends[i] == NULL || table->mark_set(door->ends[i], NULL) != GABLE_OK)
            table->sync(queues[i], NULL);
        else
            status = gbl_stage_wait(&door->down, door->ends[i], NULL);
    }
    door->ctx->abandoned = status == GABLE_DEVICE_LOST;
    return status;
}

/* ---- Panels on their way ---- */

static char *slot_of(const gbl_host_door *door, const plan *made, int operand, int64_t panel)
{
    return (char *)door->buffer + made->at[operand] +
           (size_t)(panel % made->slots[operand]) * made->slot_bytes[operand];
}

static gbl_host_block block_of(const plan *made, int operand, int64_t panel)
{
    const int64_t begin = panel * made->width, end = begin + made->width;
    return gbl_host_panel_block(made->host, operand, begin,
                                end < made->length ? end : made->length);
}

static void *caller_of(const plan *made, int operand, const gbl_host_block *block)
{
    const int64_t ld = gbl_host_ld(made->host, operand);
    return (char *)gbl_host_address(made->host, operand) +
           (block->row + block->column * ld) * (int64_t)made->elem;
}

static gable_status upload(gbl_host_door *door, const plan *made, int operand, int64_t panel)
{
    const gbl_host_block block = block_of(made, operand, panel);
    const gbl_clip clip = gbl_host_clip(made->host, operand, &block);
    const gbl_copy_spec spec = {.direction = GBL_TO_DEVICE,
                                .target = slot_of(door, made, operand, panel),
                                .target_pitch = (size_t)made->ld[operand] * made->elem,
                                .source = caller_of(made, operand, &block),
                                .source_pitch =
                                    (size_t)gbl_host_ld(made->host, operand) * made->elem,
                                .run_bytes = (size_t)block.rows * made->elem,
                                .runs = block.columns};
    if (block.rows == 0 || block.columns == 0)
        return GABLE_OK;
    if (made->host->place[operand] == GBL_AT_BOTH && clip.keep == GBL_KEEP_ALL)
        return table_of(door)->copy(door->up.queue, &spec, &door->ctx->message);
    return gbl_stage_set(&door->up, &spec, &clip, &door->ctx->message);
}

/* Whether the routine reads what its output holds. */
static bool reads_output(const gbl_host_call *host)
{
    return gbl_host_output(host->kind) == GBL_HOST_B || !gbl_scalar_zero(&host->call.beta);
}

static gable_status upload_panel(gbl_host_door *door, const plan *made, int64_t panel)
{
    for (int i = 0; i < GBL_HOST_OPERANDS; i++) {
        const gbl_host_role role = gbl_host_role_of(made->host, i);
        if (made->slots[i] > 0 &&
            (role == GBL_ROLE_PANEL || (role == GBL_ROLE_OUTPUT && reads_output(made->host))))
            TRY(upload(door, made, i, panel));
    }
    return GABLE_OK;
}

static gable_status upload_resident(gbl_host_door *door, const plan *made)
{
    for (int i = 0; i < GBL_HOST_OPERANDS; i++)
        if (made->slots[i] > 0 && gbl_host_role_of(made->host, i) == GBL_ROLE_RESIDENT)
            TRY(upload(door, made, i, 0));
    return GABLE_OK;
}

static gable_status compute(gbl_host_door *door, const plan *made, int64_t panel)
{
    const int64_t begin = panel * made->width, end = begin + made->width;
    gbl_host_call there = *made->host, calls[GBL_HOST_PANEL_CALLS];
    for (int i = 0; i < GBL_HOST_OPERANDS; i++) {
        if (made->slots[i] == 0)
            continue;
        const gbl_host_block block = block_of(made, i, panel);
        const int64_t before = (block.row + block.column * made->ld[i]) * (int64_t)made->elem;
        gbl_host_put(&there, i, slot_of(door, made, i, panel) - before, made->ld[i]);
    }
    const int count =
        gbl_host_panel_calls(&there, begin, end < made->length ? end : made->length, calls);
    for (int i = 0; i < count; i++)
        TRY(gbl_host_call_run(door->ctx, door->name, &calls[i]));
    return table_of(door)->mark_set(door->computed[panel % GBL_HOST_SLOTS], &door->ctx->message);
}

/* ---- Results ---- */

/* Whether a panel that is delivered in part can be completed: computed once more from its inputs,
 * or column by column. */
static bool can_go_on(const plan *made)
{
    const gbl_host_call *host = made->host;
    if (gbl_host_output(host->kind) == GBL_HOST_C && gbl_scalar_zero(&host->call.beta))
        return true;
    const int output = gbl_host_output(host->kind);
    return !gbl_host_by_rows(host) && (size_t)made->ld[output] * made->elem <= GBL_STAGE_BYTES;
}

static gable_status download_by_shadow(gbl_host_door *door, const gbl_copy_spec *spec,
                                       const gbl_clip *clip)
{
    gable_context *ctx = door->ctx;
    void *shadow = malloc(spec->run_bytes * (size_t)spec->runs);
    if (shadow == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY,
                        "no %zu bytes of host memory for a panel of the result",
                        spec->run_bytes * (size_t)spec->runs);
    gbl_copy_spec first = *spec;
    first.target = shadow;
    first.target_pitch = spec->run_bytes;
    door->down.binds = false;
    gable_status status = gbl_stage_get(&door->down, &first, NULL, &ctx->message);
    if (status == GABLE_OK) {
        const gbl_host_copy second = {.target = spec->target,
                                      .target_pitch = spec->target_pitch,
                                      .source = shadow,
                                      .source_pitch = spec->run_bytes,
                                      .run_bytes = spec->run_bytes,
                                      .runs = spec->runs,
                                      .clip = *clip};
        if (!(door->updates ? gbl_loan_bind : gbl_loan_begin)(door->down.loan)) {
            status = gbl_fail(&ctx->message, GABLE_DEVICE_LOST, "%s", GBL_LOAN_OVER);
        } else {
            door->committed = door->committed || !door->shadowed;
            gbl_copy_team_run(&second);
            gbl_loan_end(door->down.loan);
        }
    } else {
        door->down.delivered = 0;
    }
    free(shadow);
    return status;
}

/* The device writes into the caller's memory by itself: only where the panel can be computed
 * again. */
static gable_status download_at_once(gbl_host_door *door, const gbl_copy_spec *spec)
{
    const gbl_device_table *table = table_of(door);
    if (!gbl_loan_bind(door->down.loan))
        return gbl_fail(&door->ctx->message, GABLE_DEVICE_LOST, "%s", GBL_LOAN_OVER);
    door->committed = door->committed || !door->shadowed;
    TRY(table->copy(door->down.queue, spec, &door->ctx->message));
    TRY(table->mark_set(door->ends[2], &door->ctx->message));
    return gbl_stage_wait(&door->down, door->ends[2], &door->ctx->message);
}

/* The copy of a panel of the result to the caller. */
static gbl_copy_spec result_spec(const gbl_host_door *door, const plan *made, int64_t panel,
                                 gbl_clip *clip)
{
    const int output = gbl_host_output(made->host->kind);
    const gbl_host_block block = block_of(made, output, panel);
    *clip = gbl_host_clip(made->host, output, &block);
    return (gbl_copy_spec){.direction = GBL_TO_HOST,
                           .target = caller_of(made, output, &block),
                           .target_pitch = (size_t)gbl_host_ld(made->host, output) * made->elem,
                           .source = slot_of(door, made, output, panel),
                           .source_pitch = (size_t)made->ld[output] * made->elem,
                           .run_bytes = (size_t)block.rows * made->elem,
                           .runs = block.columns};
}

/* How results reach the caller. */
typedef enum delivery { BY_SHADOW, AT_ONCE, STAGED } delivery;

static delivery delivery_of(const plan *made)
{
    const int output = gbl_host_output(made->host->kind);
    if (!can_go_on(made))
        return BY_SHADOW;
    return made->host->place[output] == GBL_AT_BOTH && !reads_output(made->host) &&
                   !gbl_host_is_triangle(made->host->kind)
               ? AT_ONCE
               : STAGED;
}

/* Lets the first parts of a panel come into the pinned buffers, once it is computed. */
static gable_status ask_for(gbl_host_door *door, const plan *made, int64_t panel,
                            gbl_stage_fetch *fetch)
{
    gbl_clip clip;
    const gbl_copy_spec spec = result_spec(door, made, panel, &clip);
    if (delivery_of(made) != STAGED)
        return GABLE_OK;
    return gbl_stage_get_begin(&door->down, fetch, &spec, &door->ctx->message);
}

static gable_status download(gbl_host_door *door, const plan *made, int64_t panel,
                             gbl_stage_fetch *fetch)
{
    gbl_clip clip;
    const gbl_copy_spec spec = result_spec(door, made, panel, &clip);
    const delivery how = delivery_of(made);
    door->down.delivered = 0;
    TRY(gbl_stage_wait(&door->down, door->computed[panel % GBL_HOST_SLOTS], &door->ctx->message));
    if (how == BY_SHADOW)
        return download_by_shadow(door, &spec, &clip);
    if (how == AT_ONCE)
        return download_at_once(door, &spec);
    door->down.binds = door->updates && !door->shadowed;
    const gable_status status =
        gbl_stage_get_finish(&door->down, fetch, &clip, &door->ctx->message);
    if (door->down.touched && !door->shadowed)
        door->committed = true;
    return status;
}

/* ---- The call ---- */

/* The pages of the output, where nothing of it is read: they may not be there yet. */
static void make_pages(const plan *made, gbl_populate *pages)
{
    const int output = gbl_host_output(made->host->kind);
    const gbl_host_block whole = gbl_host_whole(made->host, output);
    const size_t pitch = (size_t)gbl_host_ld(made->host, output) * made->elem,
                 run = (size_t)whole.rows * made->elem;
    const bool wanted = !reads_output(made->host) && made->host->place[output] == GBL_AT_HOST &&
                        pitch < 2 * run; /* else most of it are gaps */
    gbl_populate_begin(pages, gbl_host_address(made->host, output),
                       wanted ? pitch * (size_t)(whole.columns - 1) + run : 0);
}

/* *done: panels that are delivered. Slots of the output are free again when the host has taken what
 * was in them, three panels before. */
static gable_status run_panels(gbl_host_door *door, const plan *made, int64_t *done)
{
    const gbl_device_table *table = table_of(door);
    gbl_message *message = &door->ctx->message;
    gbl_queue *const queue = door->ctx->queue, *const up = door->up.queue,
                     *const down = door->down.queue;
    gbl_stage_fetch fetch = {.sent = 0};
    *done = 0;
    door->up.streams = door->down.streams = made->panels > 1;
    TRY(gbl_host_need_buffer(door, made->bytes));
    TRY(table->wait(up, queue, message));
    TRY(upload_resident(door, made));
    TRY(upload_panel(door, made, 0));
    for (int64_t panel = 0; panel <= made->panels; panel++) {
        const bool computes = panel < made->panels;
        TRY(table->wait(down, queue, message)); /* the panel before is computed, */
        TRY(table->wait(up, queue, message));   /* so that slots of inputs are free, */
        TRY(table->wait(queue, up, message));   /* and this one's inputs are there */
        if (computes)
            TRY(compute(door, made, panel));
        if (panel > 0)
            TRY(ask_for(door, made, panel - 1, &fetch));
        if (panel + 1 < made->panels)
            TRY(upload_panel(door, made, panel + 1));
        if (panel > 0) {
            TRY(download(door, made, panel - 1, &fetch));
            ++*done;
            door->down.delivered = 0; /* of the next panel nothing yet */
        }
    }
    return GABLE_OK;
}

/* The cpu computes what the device did not deliver. */
static gable_status finish(gbl_host_door *door, const plan *made, int64_t done)
{
    gbl_host_call calls[GBL_HOST_PANEL_CALLS];
    int64_t begin = done * made->width;
    if (!gbl_host_by_rows(made->host))
        begin += door->down.delivered;
    if (begin >= made->length)
        return GABLE_OK;
    const int count = gbl_host_panel_calls(made->host, begin, made->length, calls);
    for (int i = 0; i < count; i++)
        TRY(gbl_host_run_cpu(door, &calls[i]));
    return GABLE_OK;
}

gable_status gbl_host_leaf_run(gbl_host_door *door, const gbl_host_call *host)
{
    plan made;
    int64_t done = 0;
    if (!make_plan(door, host, &made))
        return gbl_fail(&door->ctx->message, GABLE_OUT_OF_MEMORY,
                        "%zu bytes of the device's memory are too few for the call; raise "
                        "GABLE_HOST_MEMORY",
                        door->budget);
    door->down.delivered = 0;
    gbl_populate pages;
    make_pages(&made, &pages);
    const gable_status status = run_panels(door, &made, &done);
    gbl_populate_end(&pages);
    if (status == GABLE_OK)
        return GABLE_OK;
    door->failed = true;
    if (status == GABLE_DEVICE_LOST)
        door->ctx->abandoned = true;
    else
        gbl_host_drain(door);
    return door->committed ? finish(door, &made, done) : status;
}

/* ---- Output in the device's memory ---- */

static bool plan_in_place(const gbl_host_door *door, const gbl_host_call *host, plan *made)
{
    *made = (plan){.host = host, .length = 1, .elem = gbl_dtype_bytes(host->call.dtype)};
    double all = 0;
    for (int i = 0; i < GBL_HOST_OPERANDS; i++) {
        const gbl_host_block whole = gbl_host_whole(host, i);
        made->slots[i] = is_away(host, i);
        if (made->slots[i] == 0)
            continue;
        made->ld[i] = rounded(whole.rows, (int64_t)(128 / made->elem));
        all += (double)made->ld[i] * (double)whole.columns * (double)made->elem;
        if (all > (double)door->budget)
            return false;
        made->at[i] = made->bytes;
        made->slot_bytes[i] =
            (size_t)rounded(made->ld[i] * whole.columns * (int64_t)made->elem, ALIGNMENT);
        made->bytes += made->slot_bytes[i];
    }
    return made->bytes <= door->budget;
}

bool gbl_host_leaf_in_place_fits(const gbl_host_door *door, const gbl_host_call *host)
{
    plan made;
    return plan_in_place(door, host, &made);
}

static gable_status run_in_place(gbl_host_door *door, const plan *made)
{
    const gbl_device_table *table = table_of(door);
    gable_context *ctx = door->ctx;
    gbl_host_call there = *made->host;
    TRY(gbl_host_need_buffer(door, made->bytes));
    TRY(table->wait(door->up.queue, ctx->queue, &ctx->message));
    for (int i = 0; i < GBL_HOST_OPERANDS; i++) {
        if (made->slots[i] == 0)
            continue;
        const gbl_host_block whole = gbl_host_whole(made->host, i);
        const gbl_clip clip = gbl_host_clip(made->host, i, &whole);
        const gbl_copy_spec spec = {.direction = GBL_TO_DEVICE,
                                    .target = slot_of(door, made, i, 0),
                                    .target_pitch = (size_t)made->ld[i] * made->elem,
                                    .source = gbl_host_address(made->host, i),
                                    .source_pitch = (size_t)gbl_host_ld(made->host, i) * made->elem,
                                    .run_bytes = (size_t)whole.rows * made->elem,
                                    .runs = whole.columns};
        if (whole.rows > 0 && whole.columns > 0)
            TRY(gbl_stage_set(&door->up, &spec, &clip, &ctx->message));
        gbl_host_put(&there, i, spec.target, made->ld[i]);
    }
    TRY(table->wait(ctx->queue, door->up.queue, &ctx->message));
    TRY(gbl_host_call_run(ctx, door->name, &there));
    TRY(table->mark_set(door->computed[0], &ctx->message));
    return gbl_stage_wait(&door->down, door->computed[0], &ctx->message);
}

gable_status gbl_host_leaf_in_place(gbl_host_door *door, const gbl_host_call *host)
{
    plan made;
    plan_in_place(door, host, &made);
    const gable_status status = run_in_place(door, &made);
    if (status == GABLE_DEVICE_LOST)
        door->ctx->abandoned = true;
    else if (status != GABLE_OK)
        gbl_host_drain(door);
    return status;
}
