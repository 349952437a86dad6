/* profile_marks.c: device times of calls, by marks that are read late.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <time.h>
#include "core/context.h"
#include "model/profile_state.h"

int64_t gbl_profile_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void gbl_marks_prepare(gbl_profile_state *state)
{
    if (state->waiting == NULL)
        state->waiting = malloc(GBL_PROFILE_WAITING * sizeof *state->waiting);
    if (state->waiting == NULL)
        return;
    state->origin = gbl_marks_set(state);
    if (state->origin == NULL)
        return;
    state->ctx->device->table->mark_wait(state->origin, NULL);
    state->origin_ns = gbl_profile_now();
}

gbl_mark *gbl_marks_set(gbl_profile_state *state)
{
    const gbl_device_table *table = state->ctx->device->table;
    gbl_mark *mark = NULL;
    if (state->spare_count > 0)
        mark = state->spare[--state->spare_count];
    else if (table->mark_create == NULL || /* a pretended device */
             table->mark_create(state->ctx->queue, &mark, NULL) != GABLE_OK)
        return NULL;
    if (table->mark_set(mark, NULL) == GABLE_OK)
        return mark;
    gbl_marks_return(state, mark);
    return NULL;
}

void gbl_marks_return(gbl_profile_state *state, gbl_mark *mark)
{
    if (mark == NULL)
        return;
    if (state->spare_count < GBL_PROFILE_MARKS)
        state->spare[state->spare_count++] = mark;
    else
        state->ctx->device->table->mark_destroy(mark);
}

void gbl_marks_wait_for(gbl_profile_state *state, const gbl_observed *call,
                        gbl_known_function known)
{
    if (state->count == GBL_PROFILE_WAITING)
        gbl_marks_read(state, GBL_PROFILE_WAITING / 2, known);
    state->waiting[(state->first + state->count++) % GBL_PROFILE_WAITING] = *call;
}

/* One call; a mark after which all later ones lie becomes the origin, since a device may give long
 * times with few digits. */
static void read_one(gbl_profile_state *state, gbl_observed *call, bool is_last,
                     gbl_known_function known)
{
    const gbl_device_table *table = state->ctx->device->table;
    double start = 0, length = 0;
    if (call->to == NULL ||
        table->mark_seconds(state->origin, call->from, &start, NULL) != GABLE_OK ||
        table->mark_seconds(call->from, call->to, &length, NULL) != GABLE_OK) {
        known(state, call, call->start_ns, -1);
    } else {
        const int64_t start_ns = state->origin_ns + (int64_t)(1e9 * start);
        const int64_t length_ns = length > 0 ? (int64_t)(1e9 * length + 0.5) : 0;
        known(state, call, start_ns, length_ns);
        if (is_last && call->depth == 0) {
            gbl_mark *old = state->origin;
            state->origin = call->to;
            state->origin_ns = start_ns + length_ns;
            call->to = old;
        }
    }
    gbl_marks_return(state, call->from);
    gbl_marks_return(state, call->to);
}

void gbl_marks_read(gbl_profile_state *state, int count, gbl_known_function known)
{
    for (count = count < state->count ? count : state->count; count > 0; count--) {
        gbl_observed *call = &state->waiting[state->first];
        read_one(state, call, count == 1, known);
        state->first = (state->first + 1) % GBL_PROFILE_WAITING;
        state->count--;
    }
}

void gbl_marks_free(gbl_profile_state *state)
{
    const gbl_device_table *table = state->ctx->device->table;
    for (int i = 0; i < GBL_PROFILE_DEPTH; i++)
        gbl_marks_return(state, state->open[i].from);
    gbl_marks_return(state, state->origin);
    for (int i = 0; i < state->spare_count; i++)
        table->mark_destroy(state->spare[i]);
    free(state->waiting);
}
