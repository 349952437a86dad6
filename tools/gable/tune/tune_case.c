/* tune_case.c: one case of `gable tune`: its space, the search on a rig, the database.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels compiled here are candidates: not stored on disk, and forgotten when there are many. The
 * winner is asked for once more at the end, which stores it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/call_class.h"
#include "core/context.h"
#include "core/kernel.h"
#include "core/key.h"
#include "model/predict.h"
#include "rig.h"
#include "gable/terminal.h"
#include "tune/choose.h"
#include "tune/database.h"
#include "tune/tune_line.h"
#include "tune_case.h"

#define MOST_BATCH      64
#define LAZY_BATCH      4   /* where a compiler works at the first launch */
#define MOST_CANDIDATES 256 /* modules in memory */
#define GPU_SECONDS     0.015
#define HOST_SECONDS    0.03
#define DUEL_ROUNDS     15
#define FINISH_SHARE    0.1 /* of the budget, for the play-off and the duel ... */
#define FINISH_LEAST    0.6 /* ... but at least so many seconds, or half of a smaller budget */
#define PENDING         32  /* measurements that are written together, or after ... */
#define PENDING_SECONDS 1.0
#define MOST_STARTS     6 /* from the database */

typedef struct case_run {
    tune_session *session;
    const bench_case *what;
    const gbl_op *op;
    const void *call;
    gbl_device *device;
    bench_rig *rig;
    gbl_space space;
    gbl_search *search;
    tune_outcome *outcome;
    double started, seconds;
    gbl_entry pending[PENDING];
    int pending_count;
    double written;
    gable_status status; /* of writing */
} case_run;

/* ---- Texts ---- */

void tune_choice_text(const gbl_choice *choice, char *text, size_t text_bytes)
{
    if (choice->variant == NULL) {
        snprintf(text, text_bytes, "none");
        return;
    }
    size_t used = (size_t)snprintf(text, text_bytes, "%s", choice->variant->name);
    for (int i = 0; i < choice->variant->space_count && used < text_bytes; i++)
        used += (size_t)snprintf(text + used, text_bytes - used, ":%s=%d",
                                 choice->variant->space[i].name, (int)choice->params.value[i]);
}

void tune_choice_short(const gbl_choice *choice, char *text, size_t text_bytes)
{
    if (choice->variant == NULL) {
        snprintf(text, text_bytes, "-");
        return;
    }
    size_t used = (size_t)snprintf(text, text_bytes, "%s", choice->variant->name);
    for (int i = 0; i < choice->variant->space_count && used < text_bytes; i++)
        used += (size_t)snprintf(text + used, text_bytes - used, "%c%d", i == 0 ? ' ' : ',',
                                 (int)choice->params.value[i]);
}

/* ---- What the search calls ---- */

static gable_status write_pending(case_run *run)
{
    if (run->pending_count > 0 && run->status == GABLE_OK) {
        gbl_message *message = &run->session->ctx->message;
        message->routine = NULL; /* none of the library's functions failed */
        run->status = gbl_database_add(run->pending, run->pending_count, message);
    }
    run->pending_count = 0;
    run->written = terminal_now();
    return run->status;
}

static void keep(case_run *run, const gbl_choice *choice, const gbl_search_timing *timing,
                 double error, bool winner)
{
    gbl_entry *entry = &run->pending[run->pending_count++];
    gbl_entry_make(run->device, run->op, choice, run->call, entry);
    entry->usec = 1e6 * timing->seconds;
    entry->spread = 1e6 * timing->spread;
    entry->error = error;
    entry->runs = timing->runs;
    entry->winner = winner;
    entry->old_usec = winner && run->outcome->changed ? run->outcome->old_usec : 0;
    bench_case_size_text(run->what, entry->size, sizeof entry->size);
    if (run->pending_count == PENDING || terminal_now() - run->written > PENDING_SECONDS)
        write_pending(run);
}

static void on_measured(void *user, const gbl_choice *choice, const gbl_search_timing *timing,
                        double error)
{
    case_run *run = user;
    keep(run, choice, timing, error, false);
    if (error > 1 && run->outcome->wrong[0] == '\0')
        tune_choice_text(choice, run->outcome->wrong, sizeof run->outcome->wrong);
}

static bool on_stop(void *user)
{
    const case_run *run = user;
    return run->status != GABLE_OK || run->session->stop(run->session->user);
}

static double on_now(void *user)
{
    (void)user;
    return terminal_now();
}

static void on_progress(void *user)
{
    const case_run *run = user;
    gbl_search_counts counts;
    gbl_choice best;
    char name[64], sizes[64], text[192];
    gbl_search_count(run->search, &counts);
    const double seconds = gbl_search_best(run->search, &best);
    bench_case_name(run->what, name, sizeof name);
    bench_case_size_text(run->what, sizes, sizeof sizes);
    snprintf(text, sizeof text, "%s %s: %d of %d tried, best %.4g us", name, sizes,
             counts.timed + counts.same + counts.failed + counts.wrong + counts.before, counts.of,
             1e6 * seconds);
    const double part = isfinite(run->seconds)
                            ? (terminal_now() - run->started) / run->seconds
                            : (double)(counts.timed + counts.same + counts.failed) / counts.of;
    run->session->progress(run->session->user, text, part < 1 ? part : 1);
}

static void on_compile(void *user, const gbl_choice *choices, int count,
                       gbl_search_compiled *results)
{
    case_run *run = user;
    bench_compiled *compiled = calloc((size_t)count, sizeof *compiled);
    on_progress(run);
    if (gbl_kernels_candidates(run->device) > MOST_CANDIDATES)
        gbl_kernels_forget_candidates(run->device);
    if (compiled != NULL)
        bench_rig_compile_many(run->rig, choices, count, 0, on_stop, run, compiled);
    for (int i = 0; i < count; i++)
        results[i] = (gbl_search_compiled){
            .reached = compiled != NULL && compiled[i].reached,
            .ok = compiled != NULL && compiled[i].status == GABLE_OK,
            .print = compiled != NULL ? compiled[i].print | 1 : 0,
        };
    free(compiled);
}

static gbl_search_timing search_timing(const bench_timing *timing, double give_up_after)
{
    return (gbl_search_timing){.seconds = timing->seconds,
                               .spread = timing->spread,
                               .runs = timing->runs,
                               .given_up = timing->runs == 0 ||
                                           (give_up_after > 0 && timing->seconds > give_up_after)};
}

static gable_status on_time(void *user, const gbl_choice *choice, double seconds,
                            double give_up_after, gbl_search_timing *timing)
{
    case_run *run = user;
    bench_timing measured;
    TRY(bench_rig_time(run->rig, choice, seconds, give_up_after, &measured));
    *timing = search_timing(&measured, give_up_after);
    return GABLE_OK;
}

static gable_status on_check(void *user, const gbl_choice *choice, double *error)
{
    return bench_rig_check(((case_run *)user)->rig, choice, error);
}

static gable_status on_duel(void *user, const gbl_choice *a, const gbl_choice *b, int rounds,
                            gbl_search_timing *of_a, gbl_search_timing *of_b)
{
    bench_timing first, second;
    TRY(bench_rig_duel(((case_run *)user)->rig, a, b, rounds, &first, &second));
    *of_a = search_timing(&first, 0);
    *of_b = search_timing(&second, 0);
    return GABLE_OK;
}

static double on_predict(void *user, const gbl_choice *choice)
{
    const case_run *run = user;
    const gbl_situation situation = {.replayed = true};
    gbl_prediction prediction;
    gbl_predict_call(run->device, run->op, run->call, choice, &run->session->roofs, &situation,
                     &prediction);
    return prediction.seconds;
}

/* ---- Where to start ---- */

/* Entries of the database that help: those of this bucket and kernel were measured already; winners
 * of older kernels and of sizes nearby are places to start. */
typedef struct history {
    case_run *run;
    uint64_t key;
    gbl_dtype dtype;
    int starts;
    struct known {
        gbl_choice choice;
        double seconds, error;
        bool before;
    } * list;
    int count, capacity;
} history;

static bool remember(history *h, const gbl_entry *entry, const gbl_variant *variant, bool before)
{
    if (h->count == h->capacity) {
        const int capacity = h->capacity > 0 ? 2 * h->capacity : 64;
        struct known *list = realloc(h->list, (size_t)capacity * sizeof *list);
        if (list == NULL)
            return false;
        h->list = list;
        h->capacity = capacity;
    }
    h->list[h->count++] = (struct known){
        {.variant = variant, .params = entry->params}, 1e-6 * entry->usec, entry->error, before};
    return true;
}

static bool visit(void *user, const gbl_entry *entry)
{
    history *h = user;
    const gbl_variant *variant = gbl_variant_find(h->run->op, entry->variant);
    const int distance = gbl_key_distance(h->key, entry->key);
    if (variant == NULL || entry->dtype != h->dtype || distance < 0 || distance > GBL_NEAR_DISTANCE)
        return true;
    if (distance == 0 && gbl_entry_current(entry))
        return h->run->session->asked->again || remember(h, entry, variant, true);
    if (entry->winner && entry->error <= 1 && h->starts < MOST_STARTS) {
        h->starts++;
        return remember(h, entry, variant, false);
    }
    return true;
}

static void add_history(case_run *run)
{
    history h = {.run = run,
                 .key = gbl_call_key(run->op, run->call),
                 .dtype = ((const gbl_call *)run->call)->dtype};
    gbl_database_visit(run->op, run->device, visit, &h);
    for (int i = 0; i < h.count; i++) {
        if (h.list[i].before)
            gbl_search_before(run->search, &h.list[i].choice, h.list[i].seconds, h.list[i].error);
        else
            gbl_search_start(run->search, &h.list[i].choice);
    }
    free(h.list);
}

/* Variants that are there to compare with only by name. */
static bool takes(void *user, const gbl_variant *variant)
{
    const char *asked = ((const case_run *)user)->session->asked->variant;
    if (asked != NULL)
        return !variant->vendor && strcmp(variant->name, asked) == 0;
    return variant->deterministic && !variant->vendor && !variant->rung;
}

/* "items=256,wx=32": whether a choice has these values, of the tunables that its variant has. */
static bool holds(void *user, const gbl_choice *choice)
{
    const char *at = ((const case_run *)user)->session->asked->fixed;
    while (at != NULL && *at != '\0') {
        const size_t name = strcspn(at, "=");
        char *end;
        const long value = strtol(at + name + 1, &end, 10);
        for (int i = 0; i < choice->variant->space_count; i++)
            if (strlen(choice->variant->space[i].name) == name &&
                memcmp(choice->variant->space[i].name, at, name) == 0 &&
                choice->params.value[i] != value)
                return false;
        at = *end == ',' ? end + 1 : NULL;
    }
    return true;
}

static bool make_space(case_run *run)
{
    const gbl_space_filter filter = {takes, holds, run};
    return gbl_space_make(&run->space, run->op, run->call, run->device, &filter);
}

/* Each variant as the choice would take it, and untuned. */
static void add_variants(case_run *run)
{
    for (int i = 0; i < run->op->variant_count; i++) {
        gbl_choice choice = {.variant = &run->op->variants[i]};
        if (!takes(run, choice.variant) ||
            !choice.variant->fits(choice.variant, run->call, run->device))
            continue;
        gbl_params_fallback(choice.variant, &choice.params);
        const gbl_choice untuned = choice;
        gbl_match match;
        gbl_tune_choose_why(run->session->ctx, run->op, run->call, &choice, &match);
        gbl_search_start(run->search, &choice);
        gbl_search_start(run->search, &untuned);
    }
}

/* ---- The case ---- */

static int batch_of(const gbl_device *device)
{
    const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (!device->props.image_at_build || cores < 2)
        return LAZY_BATCH;
    return 2 * cores < MOST_BATCH ? 2 * cores : MOST_BATCH;
}

static gable_status make_search(case_run *run)
{
    gbl_message *message = &run->session->ctx->message;
    if (!make_space(run))
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the space");
    run->outcome->combinations = run->space.all;
    if (run->space.count == 0)
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "no variant to tune fits on %s",
                        run->device->info.name);
    const gbl_search_task task = {
        .op = run->op,
        .call = run->call,
        .device = run->device,
        .space = &run->space,
        .current = run->outcome->old_choice,
        .batch = batch_of(run->device),
        .seconds = run->device->props.is_gpu ? GPU_SECONDS : HOST_SECONDS,
        .duel_rounds = DUEL_ROUNDS,
        .user = run,
        .compile = on_compile,
        .time = on_time,
        .check = on_check,
        .duel = on_duel,
        .predict = on_predict,
        .measured = on_measured,
        .progress = on_progress,
        .now = on_now,
        .stop = on_stop,
    };
    run->search = gbl_search_make(&task);
    if (run->search == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for the search");
    return GABLE_OK;
}

static gable_status finish(case_run *run, gbl_search_result *result)
{
    TRY(gbl_search_finish(run->search, result));
    tune_outcome *outcome = run->outcome;
    outcome->new_choice = result->winner;
    outcome->new_usec = 1e6 * result->of_winner.seconds;
    outcome->old_usec = 1e6 * result->of_current.seconds;
    outcome->changed = result->changed;
    outcome->complete = result->complete;
    return GABLE_OK;
}

/* The rest of the space, or as much of it as there is time until Ctrl-C, and how much slower than
 * its best the search's best is. */
static gable_status find_regret(case_run *run, gbl_search_result *result)
{
    const gbl_choice found = result->best;
    gbl_search_timing of_found, of_best;
    run->seconds = INFINITY;
    TRY(gbl_search_run(run->search, INFINITY));
    TRY(finish(run, result));
    run->outcome->regret = 0;
    if (found.variant == result->best.variant &&
        memcmp(&found.params, &result->best.params, sizeof found.params) == 0)
        return GABLE_OK;
    TRY(on_duel(run, &found, &result->best, 2 * DUEL_ROUNDS, &of_found, &of_best));
    run->outcome->regret = fmax(0, of_found.seconds / of_best.seconds - 1);
    return GABLE_OK;
}

static gable_status time_vendor(case_run *run)
{
    for (int i = 0; i < run->op->variant_count; i++) {
        gbl_choice choice = {.variant = &run->op->variants[i]};
        bench_timing timing;
        if (!choice.variant->vendor ||
            !choice.variant->fits(choice.variant, run->call, run->device))
            continue;
        TRY(bench_rig_time(run->rig, &choice, 10 * GPU_SECONDS, 0, &timing));
        TRY(bench_rig_check(run->rig, &choice, &run->outcome->vendor_error));
        run->outcome->vendor_usec = 1e6 * timing.seconds;
    }
    return GABLE_OK;
}

static gable_status search(case_run *run)
{
    const tune_request *asked = run->session->asked;
    gbl_search_result result;
    TRY(make_search(run));
    add_history(run);
    add_variants(run);
    const double end = fmax(FINISH_SHARE * run->seconds, fmin(FINISH_LEAST, run->seconds / 2));
    TRY(gbl_search_run(run->search, run->started + run->seconds - end));
    run->outcome->stopped = on_stop(run);
    if (run->outcome->stopped)
        return write_pending(run);
    const gable_status status = finish(run, &result);
    if (status == GABLE_NOT_SUPPORTED)
        return gbl_fail(&run->session->ctx->message, status,
                        "no choice could be timed with a right result");
    TRY(status);
    if (asked->regret)
        TRY(find_regret(run, &result));
    keep(run, &result.winner, &result.of_winner, result.error, true);
    TRY(write_pending(run));
    return asked->with_vendor ? time_vendor(run) : GABLE_OK;
}

/* What is launched from now on is on disk. */
static gable_status keep_winner(case_run *run)
{
    gbl_kernels_try(false);
    const gbl_choice *winner = &run->outcome->new_choice;
    const gable_status status = winner->variant != NULL && !run->outcome->stopped
                                    ? bench_rig_compile(run->rig, winner)
                                    : GABLE_OK;
    gbl_kernels_forget_candidates(run->device);
    return status;
}

gable_status tune_case_run(tune_session *session, const bench_case *what, double seconds,
                           tune_outcome *outcome)
{
    gable_context *ctx = session->ctx;
    case_run *run = calloc(1, sizeof *run);
    if (run == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    memset(outcome, 0, sizeof *outcome);
    outcome->what = *what;
    outcome->regret = NAN;
    *run = (case_run){.session = session,
                      .what = what,
                      .op = what->op->op,
                      .device = ctx->device,
                      .outcome = outcome,
                      .started = terminal_now(),
                      .written = terminal_now(),
                      .seconds = seconds};
    gable_status status = bench_rig_make(&run->rig, ctx, what, false);
    if (status == GABLE_OK) {
        run->call = bench_rig_call(run->rig);
        status = gbl_op_choose(ctx, run->op, run->call, &outcome->old_choice);
        outcome->new_choice = outcome->old_choice;
    }
    if (status == GABLE_OK) {
        gbl_kernels_try(true);
        status = search(run);
        write_pending(run);
        const gable_status kept = keep_winner(run);
        if (kept == GABLE_NOT_RECORDABLE) /* why nothing could be timed */
            status = kept;
        status = status != GABLE_OK ? status : run->status != GABLE_OK ? run->status : kept;
    }
    if (run->search != NULL)
        gbl_search_count(run->search, &outcome->counts);
    outcome->seconds = terminal_now() - run->started;
    gbl_search_free(run->search);
    gbl_space_free(&run->space);
    bench_rig_free(run->rig);
    free(run);
    return status;
}

gable_status tune_case_describe(tune_session *session, const bench_case *what,
                                tune_outcome *outcome)
{
    static bench_operands operands;
    bench_call call;
    bench_operands_pretend(&operands, what);
    bench_operands_call(&operands, 0, &call);
    memset(outcome, 0, sizeof *outcome);
    outcome->what = *what;
    outcome->regret = NAN;
    case_run run = {
        .session = session, .op = what->op->op, .call = &call, .device = session->ctx->device};
    TRY(gbl_op_choose(session->ctx, run.op, &call, &outcome->old_choice));
    if (!make_space(&run))
        return gbl_fail(&session->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    outcome->combinations = run.space.all;
    outcome->counts.of = run.space.count;
    gbl_space_free(&run.space);
    return GABLE_OK;
}
