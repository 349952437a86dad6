/* solver_batches.c: iterations enqueued in batches, their state read late.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * While the device works on one batch the next one is enqueued; only then the host waits for the
 * state behind the first. So the device never waits for the host, and goes on for at most two
 * batches after an outcome, whose iterations do nothing. On the cpu tasks run at once, and one
 * batch at a time is enqueued.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "sparse/solver/solver.h"

#define BATCH      16
#define HOST_BATCH 32

int64_t gbl_batches_size(const gable_solver *solver)
{
    const int64_t suits = solver->ctx->device->props.is_host ? HOST_BATCH : BATCH;
    const int64_t wanted = solver->options.batch > 0 ? solver->options.batch : suits;
    const int64_t even = (wanted + 1) / 2 * 2;
    return even < GBL_HISTORY / 2 ? even : GBL_HISTORY / 2;
}

gable_status gbl_batches_begin(gbl_solve *solve, double *state, const double *own, int count)
{
    gable_context *ctx = solve->solver->ctx;
    double first[GBL_STATE_HISTORY] = {0};
    first[GBL_STATE_OUTCOME] = -1;
    first[GBL_STATE_RR] = solve->norm_r * solve->norm_r;
    first[GBL_STATE_TARGET] = solve->target * solve->target;
    first[GBL_STATE_LIMIT] = (double)(solve->limit - solve->done);
    if (count < 0 || count > GBL_STATE_HISTORY - GBL_STATE_FIRST)
        return gbl_fail(&ctx->message, GABLE_INTERNAL, "%d numbers in the state of a solver",
                        count);
    for (int i = 0; i < count; i++)
        first[GBL_STATE_FIRST + i] = own[i];
    if (ctx->device->props.is_host) {
        memcpy(state, first, sizeof first);
        return GABLE_OK;
    }
    return gable_set_vector(ctx, GBL_STATE_HISTORY, sizeof(double), first, 1, state, 1);
}

/* Iterations that the monitor has not heard of; false: it wants to stop. */
static bool tell(const gbl_batches *batches, const double *state, int64_t *told)
{
    const int64_t ended = (int64_t)state[GBL_STATE_ITERATION];
    bool go_on = true;
    while (*told < ended && go_on) {
        const double rr = state[GBL_STATE_HISTORY + *told % GBL_HISTORY];
        ++*told;
        go_on = gbl_solver_tell(batches->solve, *told, sqrt(rr));
    }
    return go_on;
}

void gbl_batches_forget(gable_solver *solver)
{
    gable_recording_destroy(solver->kept.recording);
    free(solver->kept.method);
    solver->kept = (gbl_kept_batch){0};
}

/* Whether the batch that is kept is what would be recorded now. */
static bool is_kept(const gbl_batches *batches)
{
    const gbl_kept_batch *kept = &batches->solve->solver->kept;
    return kept->recording != NULL && kept->enqueue == batches->enqueue &&
           kept->batch == batches->batch && kept->x == batches->solve->x &&
           kept->r == batches->solve->r && kept->method_bytes == batches->method_bytes &&
           memcmp(kept->method, batches->method, kept->method_bytes) == 0;
}

/* Takes a recording that was just made, and the method as it was before; without memory it serves
 * this round alone. */
static bool keep(const gbl_batches *batches, void *method, gable_recording *recording)
{
    gable_solver *solver = batches->solve->solver;
    if (method == NULL)
        return false;
    solver->kept = (gbl_kept_batch){.recording = recording,
                                    .enqueue = batches->enqueue,
                                    .batch = batches->batch,
                                    .x = batches->solve->x,
                                    .r = batches->solve->r,
                                    .method = method,
                                    .method_bytes = batches->method_bytes};
    return true;
}

static gable_status record(const gbl_batches *batches, gable_recording **recording)
{
    gable_context *ctx = batches->solve->solver->ctx;
    *recording = NULL;
    if (!batches->record || ctx->device->table->graph_build == NULL || ctx->debug_sync)
        return GABLE_OK;
    /* Batches are recorded where one alone does not reach the limit: short solves take their
     * launches one by one. */
    if (batches->solve->limit - batches->solve->done <= batches->batch)
        return GABLE_OK;
    TRY(gable_record_begin(ctx));
    const gable_status status = batches->enqueue(batches->method, batches->batch);
    if (status == GABLE_OK)
        return gable_record_end(ctx, recording);
    gable_record_end(ctx, NULL);
    return status;
}

/* The recording of a batch, NULL: there is none; *kept: the solver has it, else the round frees
 * it. */
static gable_status get_recording(const gbl_batches *batches, gable_recording **recording,
                                  bool *kept)
{
    gable_solver *solver = batches->solve->solver;
    const size_t bytes = batches->method_bytes;
    *kept = bytes > 0 && is_kept(batches);
    if (*kept) {
        *recording = solver->kept.recording;
        return GABLE_OK;
    }
    gbl_batches_forget(solver);
    void *before = bytes > 0 ? malloc(bytes) : NULL;
    if (before != NULL)
        memcpy(before, batches->method, bytes);
    const gable_status status = record(batches, recording);
    *kept = *recording != NULL && keep(batches, before, *recording);
    if (!*kept)
        free(before);
    return status;
}

/* One batch and the read of its state. */
static gable_status advance(const gbl_batches *batches, gable_recording *recording,
                            gbl_late_read *late)
{
    gable_context *ctx = batches->solve->solver->ctx;
    if (recording != NULL)
        TRY(gable_replay(ctx, recording));
    else
        TRY(batches->enqueue(batches->method, batches->batch));
    return gbl_late_ask(late, batches->state);
}

static void end_round(const double *state, bool stopped, gbl_round *round)
{
    round->outcome = stopped ? GABLE_STOPPED : (gable_outcome)state[GBL_STATE_OUTCOME];
    round->iterations = (int64_t)state[GBL_STATE_ITERATION];
    round->recursive = sqrt(state[GBL_STATE_RR]);
}

/* On the cpu a task has run when it was enqueued, and its state lies there. */
static gable_status run_at_once(const gbl_batches *batches, gbl_round *round)
{
    int64_t told = 0;
    bool stopped = false;
    while (!stopped && !(batches->state[GBL_STATE_OUTCOME] >= 0)) {
        TRY(batches->enqueue(batches->method, batches->batch));
        stopped = !tell(batches, batches->state, &told);
    }
    end_round(batches->state, stopped, round);
    return GABLE_OK;
}

static gable_status run(const gbl_batches *batches, gable_recording *recording, gbl_late_read *late,
                        gbl_round *round)
{
    enum { AHEAD = 2 };
    int64_t told = 0;
    bool ended = false, stopped = false;
    const double *state = NULL;
    while (!ended || late->waiting > 0) {
        while (!ended && late->waiting < AHEAD)
            TRY(advance(batches, recording, late));
        const void *values;
        TRY(gbl_late_take(late, &values));
        state = values;
        if (!stopped)
            stopped = !tell(batches, state, &told);
        ended = stopped || state[GBL_STATE_OUTCOME] >= 0;
    }
    end_round(state, stopped, round);
    return GABLE_OK;
}

gable_status gbl_batches_run(const gbl_batches *batches, gbl_round *round)
{
    gable_context *ctx = batches->solve->solver->ctx;
    gbl_late_read *late;
    gable_recording *recording;
    if (ctx->device->props.is_host)
        return run_at_once(batches, round);
    TRY(gbl_late_get(batches->solve->solver, GBL_STATE_COUNT * sizeof(double), &late));
    bool kept;
    gable_status status = get_recording(batches, &recording, &kept);
    if (status == GABLE_OK)
        status = run(batches, recording, late, round);
    gbl_late_rest(late);
    if (!kept)
        gable_recording_destroy(recording);
    return status;
}
