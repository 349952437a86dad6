/* rig.c: one case on one device, on which many choices are compiled, timed and checked.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A recording that is dropped compiles without running; its steps tell which choices are the same
 * work. A choice far slower than what is asked for is given up after one call, before anything is
 * recorded.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "core/context.h"
#include "core/recording.h"
#include "party.h"
#include "rig.h"
#include "rig_private.h"

/* By single calls, which cost up to three times those of a replay on a GPU. Choices of one case
 * share what the start of a replay adds, so that less is needed than where rows of a table are
 * compared. */
#define REPLAY_SECONDS 2e-3
#define MAX_CALLS      2048
#define MIN_RUNS       3
/* A single call that takes this many times as long as a replayed one may be given up at once. */
#define SINGLE_FACTOR  4
#define SINGLE_SECONDS 2e-5

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- Setting up ---- */

static gable_status set_up(bench_rig *rig)
{
    rig->operands = calloc(1, sizeof *rig->operands);
    if (rig->operands == NULL)
        return gbl_fail(&rig->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    TRY(bench_operands_make(rig->operands, rig->ctx, &rig->what, rig->hot));
    bench_operands_call(rig->operands, 0, &rig->call);
    TRY(gable_timer_create(rig->ctx, &rig->timer));
    if (rig->hot || rig->operands->covers_cache)
        return GABLE_OK;
    rig->flush = calloc(1, sizeof *rig->flush);
    if (rig->flush == NULL)
        return gbl_fail(&rig->ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    return bench_roof_make(rig->flush, rig->ctx, BENCH_ROOF_READ, 2 * bench_cache_bytes(rig->ctx),
                           1);
}

gable_status bench_rig_make(bench_rig **out, gable_context *ctx, const bench_case *what, bool hot)
{
    *out = NULL;
    bench_rig *rig = calloc(1, sizeof *rig);
    if (rig == NULL)
        return gbl_fail(&ctx->message, GABLE_OUT_OF_MEMORY, "no host memory");
    rig->ctx = ctx;
    rig->what = *what;
    rig->hot = hot;
    const gable_status status = set_up(rig);
    if (status == GABLE_OK)
        *out = rig;
    else
        bench_rig_free(rig);
    return status;
}

void bench_rig_free(bench_rig *rig)
{
    if (rig == NULL)
        return;
    gbl_force_choice(rig->ctx, rig->what.op->op, NULL);
    if (rig->timer != NULL)
        gable_timer_destroy(rig->timer);
    if (rig->flush != NULL)
        bench_roof_free(rig->flush);
    free(rig->flush);
    if (rig->operands != NULL)
        bench_operands_free(rig->operands);
    free(rig->operands);
    free(rig);
}

const bench_call *bench_rig_call(const bench_rig *rig)
{
    return &rig->call;
}

static gable_status force(bench_rig *rig, const gbl_choice *choice)
{
    return gbl_force_choice(rig->ctx, rig->what.op->op, choice);
}

static bench_party party_of(bench_rig *rig)
{
    const bench_party party = {.what = &rig->what,
                               .ctx = rig->ctx,
                               .operands = rig->operands,
                               .flush = rig->flush,
                               .sets = rig->operands->sets,
                               .hot = rig->hot};
    return party;
}

/* ---- Compiling ---- */

static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/* Buffers are left out: a recording has workspace of its own. */
static uint64_t print_of(const gable_recording *recording)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int64_t i = 0; i < recording->count; i++) {
        const gbl_step *step = &recording->steps[i];
        hash = mix(hash, &step->kind, sizeof step->kind);
        if (step->kind == GBL_STEP_LAUNCH) {
            const gbl_launch_spec *launch = &step->as.launch;
            hash = mix(hash, &launch->code->identity, sizeof launch->code->identity);
            hash = mix(hash, launch->groups, sizeof launch->groups);
            hash = mix(hash, launch->group, sizeof launch->group);
            hash = mix(hash, &launch->dynamic_local_bytes, sizeof launch->dynamic_local_bytes);
            hash = mix(hash, &launch->cluster, sizeof launch->cluster);
            hash = mix(hash, launch->args, launch->args_bytes);
        } else if (step->kind == GBL_STEP_TASK) {
            hash = mix(hash, &step->as.task.function, sizeof step->as.task.function);
            hash = mix(hash, step->as.task.args, step->as.task.args_bytes);
        }
    }
    return hash;
}

gable_status bench_rig_fingerprint(bench_rig *rig, const gbl_choice *choice, uint64_t *print)
{
    TRY(force(rig, choice));
    TRY(gable_record_begin(rig->ctx));
    gable_status status = bench_op_run(rig->what.op, rig->ctx, &rig->call);
    if (status == GABLE_OK)
        *print = print_of(rig->ctx->recording);
    /* Ending must not hide why the call failed. */
    const gable_status ended = status == GABLE_OK
                                   ? gable_record_end(rig->ctx, NULL)
                                   : (gable_recording_destroy(rig->ctx->recording), GABLE_OK);
    return status == GABLE_OK ? ended : status;
}

gable_status bench_rig_compile(bench_rig *rig, const gbl_choice *choice)
{
    uint64_t print;
    return bench_rig_fingerprint(rig, choice, &print);
}

/* ---- Timing ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void summarise(bench_party *party, bench_timing *timing)
{
    double deviations[BENCH_MAX_TURNS];
    bench_party_summary(party, &timing->seconds, &timing->least);
    for (int i = 0; i < party->turns; i++)
        deviations[i] = fabs(party->seconds[i] - timing->seconds);
    timing->spread = median_of(deviations, party->turns);
    timing->runs = party->turns;
}

/* One call after a first one that loads or, on some devices, compiles. */
static gable_status time_single(bench_rig *rig, bench_party *party, double *seconds)
{
    TRY(bench_party_call(party, party->sets - 1));
    TRY(gable_sync(rig->ctx));
    TRY(gable_timer_start(rig->timer));
    TRY(bench_party_call(party, 0));
    TRY(gable_timer_stop(rig->timer));
    return gable_timer_seconds(rig->timer, seconds);
}

static gable_status turn(bench_rig *rig, const gbl_choice *choice, bench_party *party,
                         double *seconds)
{
    TRY(force(rig, choice)); /* cpu wakes its threads with a call before the turn */
    return bench_party_turn(party, BENCH_REPLAY, 0, seconds);
}

static gable_status keep_turn(bench_rig *rig, const gbl_choice *choice, bench_party *party)
{
    double seconds = 0;
    TRY(turn(rig, choice, party, &seconds));
    party->seconds[party->turns++] = seconds;
    return GABLE_OK;
}

/* Records, and runs a first turn, which is not counted unless it is given up. */
static gable_status begin(bench_rig *rig, const gbl_choice *choice, double give_up_after,
                          bench_party *party, bool *given_up)
{
    double single = 0, first = 0;
    TRY(force(rig, choice));
    TRY(time_single(rig, party, &single));
    *given_up = give_up_after > 0 && single > SINGLE_FACTOR * give_up_after + SINGLE_SECONDS;
    if (*given_up) {
        party->seconds[0] = single;
        return GABLE_OK;
    }
    TRY(bench_party_begin(
        party, bench_party_calls(rig->operands, rig->hot, single, REPLAY_SECONDS, MAX_CALLS)));
    TRY(turn(rig, choice, party, &first));
    /* One slow turn may be another program's fault; two are not. */
    if (give_up_after > 0 && first > give_up_after) {
        TRY(keep_turn(rig, choice, party));
        *given_up = party->seconds[0] > give_up_after;
    }
    return GABLE_OK;
}

gable_status bench_rig_time(bench_rig *rig, const gbl_choice *choice, double seconds,
                            double give_up_after, bench_timing *timing)
{
    bench_party party = party_of(rig);
    bool given_up = false;
    memset(timing, 0, sizeof *timing);
    gable_status status = begin(rig, choice, give_up_after, &party, &given_up);
    const double start = now();
    while (status == GABLE_OK && !given_up && party.turns < BENCH_MAX_TURNS &&
           (party.turns < MIN_RUNS || now() - start < seconds))
        status = keep_turn(rig, choice, &party);
    if (status == GABLE_OK && party.turns > 0)
        summarise(&party, timing);
    else if (status == GABLE_OK)
        timing->seconds = timing->least = party.seconds[0];
    bench_party_end(&party);
    return status;
}

gable_status bench_rig_duel(bench_rig *rig, const gbl_choice *a, const gbl_choice *b, int rounds,
                            bench_timing *of_a, bench_timing *of_b)
{
    bench_party first = party_of(rig), second = party_of(rig);
    bool given_up;
    rounds = rounds < BENCH_MAX_TURNS ? rounds : BENCH_MAX_TURNS;
    gable_status status = begin(rig, a, 0, &first, &given_up);
    if (status == GABLE_OK)
        status = begin(rig, b, 0, &second, &given_up);
    /* They take turns in coming first, so that what one leaves in the cache or in the clocks
     * affects both alike. */
    for (int i = 0; status == GABLE_OK && i < rounds; i++) {
        const bool turned = i % 2 == 1;
        status = keep_turn(rig, turned ? b : a, turned ? &second : &first);
        if (status == GABLE_OK)
            status = keep_turn(rig, turned ? a : b, turned ? &first : &second);
    }
    if (status == GABLE_OK) {
        summarise(&first, of_a);
        summarise(&second, of_b);
    }
    bench_party_end(&first);
    bench_party_end(&second);
    return status;
}

gable_status bench_rig_check(bench_rig *rig, const gbl_choice *choice, double *error)
{
    bench_party party = party_of(rig);
    TRY(force(rig, choice));
    TRY(bench_party_check(&party, BENCH_SINGLE, error));
    /* A wrong choice may have left what slows down the right ones: NaN, or numbers without end. */
    for (int64_t set = 0; !(*error <= 1) && set < rig->operands->sets; set++)
        TRY(bench_operands_restore(rig->operands, set));
    return GABLE_OK;
}
