/* profile.c: starts and ends profiles; the hooks that see every call.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One lock guards all of it. A call pays for reading the clock twice, for its cell, and for a line
 * of the trace where there is one; test_profile measures it. As much as possible is done before the
 * clock starts or after it stops, so that the times are those of the calls.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/context.h"
#include "core/recording.h"
#include "device/environment.h"
#include "device/fork_guard.h"
#include "model/profile_state.h"

/* What a profile is asked for. */
typedef struct wanted {
    bool summary, timed;
    char path[1024]; /* of the trace; "": none */
} wanted;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Under the lock. */
static struct {
    bool active;
    unsigned run; /* how many were started */
    wanted what;
    gbl_trace *trace;
    int64_t start_ns;
    /* Calls under way in all contexts, since when there is one, and the time before in which there
     * was. */
    int inside;
    int64_t inside_since, covered_ns;
    int64_t opening_ns; /* contexts, and closing them */
    pid_t process;
    bool at_exit; /* the report at exit is registered */
    gbl_profile_state *states;
    int contexts;
} profile;

/* ---- States of contexts ---- */

static gbl_profile_state *state_of(gable_context *ctx)
{
    gbl_profile_state *state = ctx->observer;
    if (state == NULL) {
        state = calloc(1, sizeof *state);
        if (state == NULL)
            return NULL;
        state->ctx = ctx;
        state->number = ++profile.contexts;
        state->next = profile.states;
        profile.states = state;
        ctx->observer = state;
    }
    if (profile.what.timed && state->origin == NULL)
        gbl_marks_prepare(state);
    return state;
}

/* The times of a call are known. */
static void add_times(gbl_profile_state *state, const gbl_observed *call, int64_t start_ns,
                      int64_t device_ns)
{
    const int64_t host_ns = call->inside_ns;
    if (profile.what.timed) {
        if (device_ns < 0) {
            call->cell->untimed++;
        } else {
            const double seconds = 1e-9 * (double)device_ns;
            call->cell->timed.exclusive += seconds;
            if (!call->again)
                call->cell->timed.inclusive += seconds;
            if (call->parent != NULL)
                call->parent->timed.exclusive -= seconds;
        }
    }
    if (profile.trace != NULL)
        gbl_trace_add(profile.trace, &(gbl_trace_event){
                                         .cell = call->cell,
                                         .view = &call->view,
                                         .work = &call->work,
                                         .context = state->number,
                                         .depth = call->depth,
                                         .start_ns = start_ns - profile.start_ns,
                                         .length_ns = device_ns < 0 ? host_ns : device_ns,
                                         .host_ns = profile.what.timed ? host_ns : -1,
                                         .compile_ns = (int64_t)(1e9 * call->compiled.seconds),
                                     });
}

/* ---- One call ---- */

/* Whether a call is inside of another one of its kind, whose time has its own in it. */
static bool same_kind(const gbl_cell *outer, const gbl_cell *inner)
{
    return inner->key.op != NULL ? outer->key.op == inner->key.op : outer == inner;
}

/* Its place among the calls under way; the clock starts here. */
static void begin_call(gbl_profile_state *state, const gbl_observed *fresh)
{
    const int level = state->level++;
    if (level >= GBL_PROFILE_DEPTH)
        return;
    gbl_observed *call = &state->open[level];
    gbl_marks_return(state, call->from); /* of a call that never ended */
    *call = *fresh;
    call->depth = level;
    call->run = profile.run;
    for (int i = 0; i < level && fresh->cell != NULL; i++) {
        const gbl_observed *outer = &state->open[i];
        if (outer->cell == NULL || outer->run != profile.run)
            continue;
        call->parent = outer->cell;
        call->again = call->again || same_kind(outer->cell, fresh->cell);
    }
    if (profile.what.timed && state->origin != NULL)
        call->from = gbl_marks_set(state);
    call->compiled = gbl_kernels_compiled();
    call->start_ns = gbl_profile_now();
    if (level == 0 && profile.inside++ == 0)
        profile.inside_since = call->start_ns;
}

static gbl_compiled compiled_since(const gbl_compiled *before)
{
    const gbl_compiled now = gbl_kernels_compiled();
    return (gbl_compiled){now.count - before->count, now.seconds - before->seconds};
}

/* What a span has done is known at its end. */
static void look_at_span(const gbl_span *span, gbl_observed *call, gbl_cell *cell)
{
    call->work = (gbl_work){.bytes_read = span->bytes, .flops = span->flops};
    if (span->iterations > 0) {
        call->view.sizes = 1;
        call->view.size[0].name = "iterations";
        call->view.size[0].value = span->iterations;
    }
    if (cell->work.bytes_read > 0 || span->bytes == 0)
        return;
    cell->work = call->work;
    cell->walked = span->walked > 0 ? span->walked : span->bytes;
    cell->link = span->link;
}

/* The innermost call under way has ended; span is NULL but for spans. */
static void end_call(gbl_profile_state *state, gable_status status, int64_t now,
                     const gbl_span *span)
{
    if (state->level == 0) /* it began before the profile */
        return;
    const int depth = --state->level;
    if (depth >= GBL_PROFILE_DEPTH)
        return;
    gbl_observed *call = &state->open[depth];
    gbl_cell *cell = call->cell;
    if (depth == 0 && profile.active && call->run == profile.run && --profile.inside == 0)
        profile.covered_ns += now - profile.inside_since;
    if (cell == NULL || !profile.active || call->run != profile.run) {
        gbl_marks_return(state, call->from);
        call->from = NULL;
        return;
    }
    const int64_t host_ns = now - call->start_ns;
    const double seconds = 1e-9 * (double)host_ns;
    if (depth > 0)
        state->open[depth - 1].inside_ns += host_ns;
    if (status != GABLE_OK) {
        cell->failed++;
        gbl_marks_return(state, call->from);
        call->from = NULL;
        return;
    }
    if (span != NULL)
        look_at_span(span, call, cell);
    cell->calls++;
    cell->bytes += call->work.bytes_read + call->work.bytes_written;
    cell->flops += call->work.flops;
    cell->host.exclusive += seconds - 1e-9 * (double)call->inside_ns;
    if (!call->again)
        cell->host.inclusive += seconds;

    gbl_observed ended = *call;
    call->from = NULL;
    ended.compiled = compiled_since(&call->compiled);
    cell->compiled += ended.compiled.count;
    cell->compile_seconds += ended.compiled.seconds;
    for (int i = 0; i < depth; i++) { /* not once more in the calls around it */
        state->open[i].compiled.count += ended.compiled.count;
        state->open[i].compiled.seconds += ended.compiled.seconds;
    }
    ended.cell = cell;
    ended.inside_ns = host_ns;
    if (ended.from != NULL) {
        ended.to = gbl_marks_set(state);
        gbl_marks_wait_for(state, &ended, add_times);
    } else {
        add_times(state, &ended, ended.start_ns, -1);
    }
}

static void look(const gbl_op *op, const void *call, gbl_observed *fresh)
{
    gbl_view_call(op, call, &fresh->view);
    if (op->work != NULL)
        op->work(call, &fresh->work);
}

static void observe(gable_context *ctx, const gbl_op *op, const void *call,
                    const gbl_choice *choice, bool begin, gable_status status)
{
    const int64_t now = begin ? 0 : gbl_profile_now();
    const bool recorded = ctx->recording != NULL;
    if (recorded && (begin || ctx->depth > 0 || status != GABLE_OK))
        return;
    if (!begin && !recorded) {
        pthread_mutex_lock(&lock);
        if (ctx->observer != NULL)
            end_call(ctx->observer, status, now, NULL);
        pthread_mutex_unlock(&lock);
        return;
    }

    gbl_observed fresh = {.depth = 0};
    look(op, call, &fresh);
    pthread_mutex_lock(&lock);
    gbl_profile_state *state = profile.active ? state_of(ctx) : NULL;
    if (state != NULL)
        fresh.cell = gbl_cell_of_call(ctx, op, call, choice, &fresh.view, &fresh.work);
    if (fresh.cell != NULL && recorded)
        gbl_note_call(ctx->recording, fresh.cell, &fresh.work);
    else if (state != NULL && !recorded)
        begin_call(state, &fresh);
    pthread_mutex_unlock(&lock);
}

/* ---- What is no op ---- */

/* The device is about to lose the context: what is known of it, or never will be. */
static void close_state(gable_context *ctx)
{
    gbl_profile_state *state = ctx->observer;
    if (state == NULL)
        return;
    gbl_marks_read(state, state->count, add_times);
    gbl_cells_predict(ctx->device);
    gbl_marks_free(state);
    for (gbl_profile_state **link = &profile.states; *link != NULL; link = &(*link)->next) {
        if (*link == state) {
            *link = state->next;
            break;
        }
    }
    free(state);
    ctx->observer = NULL;
}

static void look_at_event(const gbl_event *event, gbl_observed *fresh)
{
    const gbl_note *note = event->recording != NULL ? event->recording->note : NULL;
    if (event->kind != GBL_EVENT_REPLAY) {
        fresh->work.bytes_read = (double)event->bytes;
        if (event->kind == GBL_EVENT_COPY)
            fresh->work.bytes_written = (double)event->bytes;
        return;
    }
    int64_t calls = 0;
    for (int i = 0; note != NULL && i < note->count; i++)
        calls += note->parts[i].calls;
    fresh->work = fresh->cell->work;
    fresh->view.sizes = 1;
    fresh->view.size[0].name = "calls";
    fresh->view.size[0].value = calls;
}

/* An event while a recording is made: a part of it, or nothing that a profile knows. */
static void note_event(gable_context *ctx, const gbl_event *event)
{
    gbl_observed fresh = {.depth = 0};
    if (event->begin || event->status != GABLE_OK || event->span != NULL)
        return;
    fresh.cell = gbl_cell_of_event(ctx, event->kind, (double)event->bytes);
    if (fresh.cell == NULL)
        return;
    look_at_event(event, &fresh);
    gbl_note_call(ctx->recording, fresh.cell, &fresh.work);
}

static void begin_event(gable_context *ctx, const gbl_event *event)
{
    gbl_observed fresh = {.depth = 0};
    gbl_profile_state *state = state_of(ctx);
    if (state == NULL)
        return;
    if (event->span != NULL)
        fresh.cell = gbl_cell_of_span(ctx, event->span);
    else if (event->kind == GBL_EVENT_REPLAY)
        fresh.cell = gbl_cell_of_replay(ctx, event->recording);
    else
        fresh.cell = gbl_cell_of_event(ctx, event->kind, (double)event->bytes);
    if (fresh.cell != NULL && event->span == NULL)
        look_at_event(event, &fresh);
    begin_call(state, &fresh);
}

/* A context opened or closed in this time. Under the lock. */
static void add_opening(int64_t from_ns, int64_t to_ns)
{
    if (profile.active)
        profile.opening_ns += to_ns - (from_ns > profile.start_ns ? from_ns : profile.start_ns);
}

/* When the thread began to close a context. */
static _Thread_local int64_t closing_from;

static void observe_event(gable_context *ctx, const gbl_event *event)
{
    const int64_t now = event->begin ? 0 : gbl_profile_now();
    /* Replays inside of a call are its own way of launching: the time is the call's. */
    if (event->kind == GBL_EVENT_REPLAY && ctx->depth > 0)
        return;
    pthread_mutex_lock(&lock);
    if (event->kind == GBL_EVENT_CLOSED)
        add_opening(closing_from, now);
    else if (event->kind == GBL_EVENT_CLOSE && event->begin)
        closing_from = gbl_profile_now();
    else if (event->kind == GBL_EVENT_CLOSE)
        close_state(ctx);
    else if (ctx->recording != NULL && profile.active)
        note_event(ctx, event);
    else if (event->begin && profile.active)
        begin_event(ctx, event);
    else if (!event->begin && ctx->recording == NULL && ctx->observer != NULL)
        end_call(ctx->observer, event->status, now, event->span);
    pthread_mutex_unlock(&lock);
}

/* ---- Start and end ---- */

/* Reads "summary,run.json,times". Otherwise the sentence goes on where the name of the value
 * stands. */
static bool read_wanted(const char *text, wanted *what, char *why, size_t why_bytes)
{
    *what = (wanted){.path = ""};
    for (const char *word = text; *word != '\0';) {
        const size_t length = strcspn(word, ",");
        if (length == 7 && strncmp(word, "summary", 7) == 0)
            what->summary = true;
        else if (length == 5 && strncmp(word, "times", 5) == 0)
            what->timed = true;
        else if (length > 5 && length < sizeof what->path && what->path[0] == '\0' &&
                 strncmp(word + length - 5, ".json", 5) == 0)
            memcpy(what->path, word, length);
        else if (length > 0) {
            snprintf(why, why_bytes,
                     "has \"%.*s\"; it may hold summary, one file that ends in .json, and times, "
                     "separated by commas",
                     length < 200 ? (int)length : 200, word);
            return false;
        }
        word += length + (word[length] == ',');
    }
    if (!what->summary && what->path[0] == '\0') {
        snprintf(why, why_bytes,
                 "is \"%.200s\"; it must ask for a summary or name a file that ends in .json",
                 text);
        return false;
    }
    return true;
}

/* Ends the profile and reports; false: why tells what became of the file. Under the lock. */
static bool finish(char *why, size_t why_bytes)
{
    bool written = true;
    gbl_install_observe(NULL);
    const int64_t now = gbl_profile_now();
    for (gbl_profile_state *state = profile.states; state != NULL; state = state->next)
        gbl_marks_read(state, state->count, add_times);
    if (profile.inside > 0)
        profile.covered_ns += now - profile.inside_since;
    profile.active = false;
    if (profile.what.summary) {
        gbl_cells_predict(NULL);
        char *text =
            gbl_summary_text(&(gbl_summary_head){.seconds = 1e-9 * (double)(now - profile.start_ns),
                                                 .timed = profile.what.timed,
                                                 .calls = 1e-9 * (double)profile.covered_ns,
                                                 .opening = 1e-9 * (double)profile.opening_ns});
        gbl_profile_say(text != NULL ? text : "gable profile: no host memory for the table\n");
        free(text);
    }
    if (profile.trace != NULL && !gbl_trace_close(profile.trace)) {
        snprintf(why, why_bytes, "the profile's file %s could not be written: %s",
                 profile.what.path, strerror(errno));
        written = false;
    }
    profile.trace = NULL;
    return written;
}

static void say_sentence(const char *before, const char *why, const char *behind)
{
    char line[2048];
    snprintf(line, sizeof line, "gable: %s%s%s\n", before, why, behind);
    gbl_profile_say(line);
}

/* The program ends, with contexts open or not. A child of fork leaves the report to its parent. */
static void at_exit(void)
{
    char why[1536];
    pthread_mutex_lock(&lock);
    if (profile.active && profile.process == getpid() && !finish(why, sizeof why))
        say_sentence("", why, "");
    pthread_mutex_unlock(&lock);
}

/* A child of fork has no profile: the trace is a file that its parent writes. */
static void leave_to_parent(void)
{
    profile.active = false;
    profile.trace = NULL;
    gbl_install_observe(NULL);
}
GBL_FORK_GUARD(.lock = &lock, .child = leave_to_parent)

/* Under the lock. */
static bool start(const wanted *what, char *why, size_t why_bytes)
{
    if (profile.active) {
        snprintf(why, why_bytes, "cannot be: a profile is running already");
        return false;
    }
    if (what->path[0] != '\0' && (profile.trace = gbl_trace_open(what->path)) == NULL) {
        snprintf(why, why_bytes, "names the file %s, which cannot be written: %s", what->path,
                 strerror(errno));
        return false;
    }
    profile.active = true;
    profile.run++;
    profile.what = *what;
    profile.process = getpid();
    gbl_cells_zero();
    profile.inside = 0;
    profile.covered_ns = profile.opening_ns = 0;
    for (gbl_profile_state *state = profile.states; state != NULL; state = state->next)
        state->level = 0; /* what is under way is not counted */
    if (!profile.at_exit)
        profile.at_exit = atexit(at_exit) == 0;
    profile.start_ns = gbl_profile_now();
    gbl_install_events(observe_event);
    gbl_install_observe(observe);
    return true;
}

/* Starts a profile at the time at which the first context began to open. Under the lock. */
static void read_environment(int64_t from_ns)
{
    const char *text = gbl_getenv_path("GABLE_PROFILE");
    wanted what;
    char why[1536];
    if (text == NULL || text[0] == '\0')
        return;
    if (!read_wanted(text, &what, why, sizeof why) || !start(&what, why, sizeof why))
        say_sentence("GABLE_PROFILE ", why, "; there is no profile");
    else
        profile.start_ns = from_ns;
}

void gbl_profile_opened(int64_t from_ns)
{
    static bool asked;
    pthread_mutex_lock(&lock);
    if (!asked)
        read_environment(from_ns);
    asked = true;
    add_opening(from_ns, gbl_profile_now());
    pthread_mutex_unlock(&lock);
}

gable_status gable_profile_start(gable_context *ctx, const char *text)
{
    TRY(gbl_enter(ctx, "gable_profile_start"));
    CHECK_ARG(ctx, text != NULL, 2, "what", "is NULL");
    wanted what;
    char why[1536];
    pthread_mutex_lock(&lock);
    const bool started = read_wanted(text, &what, why, sizeof why) && start(&what, why, sizeof why);
    pthread_mutex_unlock(&lock);
    return started ? GABLE_OK : gbl_fail_argument(ctx, 2, "what", "%s", why);
}

gable_status gable_profile_stop(gable_context *ctx)
{
    TRY(gbl_enter(ctx, "gable_profile_stop"));
    char why[1536] = "no profile is running; gable_profile_start starts one";
    pthread_mutex_lock(&lock);
    const bool ended = profile.active && finish(why, sizeof why);
    pthread_mutex_unlock(&lock);
    return ended ? GABLE_OK : gbl_fail(&ctx->message, GABLE_BAD_ARGUMENT, "%s", why);
}
