/* search.c: looks for the fastest choice of a space, within a budget of time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The model's times are compared in steps of 2 %: within a step the order is that of a hash, so
 * that a batch shows different corners of a space in which many points should be equally fast. A
 * time that only just makes a point the best may be luck; the play-off at the end times the best
 * few again, and only those times count for the decision.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tune/search.h"

#define GIVE_UP          1.3 /* times the best: a slower point is not timed to the end */
#define BEST_FEW         3   /* points that are refined at a time */
#define PLAY_OFF         5   /* points that are timed again at the end, if within ... */
#define PLAY_OFF_GAP     1.08
#define PLAY_OFF_SECONDS 3.0  /* times the seconds of a point */
#define MODEL_STEP       1.02 /* predictions within this factor are equal */
#define SPREAD_SHARE     4    /* one point of so many in a batch is taken from anywhere */
#define PAIRS_EVERY      2    /* batches */
#define LEAST_GAIN       0.03
#define CHEAP_CHECK      0.05 /* seconds: above it only points near the best are checked */
#define CHECKED_GAP      1.10

typedef struct state {
    gbl_search_state is;
    gbl_search_timing timing;
    double error; /* NaN: not checked */
    bool refined; /* its neighbours were tried */
} state;

struct gbl_search {
    gbl_search_task task;
    state *states;
    int *order; /* points in the model's order */
    int next;   /* of the order */
    int *starts, start_count;
    uint64_t *prints; /* of what was timed */
    int print_count;
    int best; /* the fastest that is right, or -1 */
    uint64_t random;
    double check_seconds; /* what the last check took */
    double
        /* what one of the last points took, compiled, timed and checked; 0: not known */
        point_seconds;
    bool spent; /* there was no time for a further point */
    gable_status status;
};

/* ---- Order ---- */

typedef struct ranked {
    double step;
    uint64_t hash;
    int point;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static bool make_order(gbl_search *search)
{
    const gbl_search_task *task = &search->task;
    const int count = task->space->count;
    ranked *list = calloc((size_t)count + 1, sizeof *list);
    if (list == NULL)
        return false;
    for (int i = 0; i < count; i++) {
        const double seconds =
            task->predict != NULL ? task->predict(task->user, &task->space->points[i].choice) : 1;
        const double step = seconds > 0 && isfinite(seconds) ? log(seconds) / log(MODEL_STEP) : 0;
        list[i] = (ranked){floor(step), gbl_plan_hash(&i, sizeof i) * 0x9e3779b97f4a7c15u, i};
    }
    qsort(list, (size_t)count, sizeof *list, compare_ranked);
    for (int i = 0; i < count; i++)
        search->order[i] = list[i].point;
    free(list);
    return true;
}

/* ---- Making ---- */

gbl_search *gbl_search_make(const gbl_search_task *task)
{
    const size_t count = (size_t)task->space->count + 1;
    gbl_search *search = calloc(1, sizeof *search);
    if (search == NULL)
        return NULL;
    search->task = *task;
    search->best = -1;
    search->random = 0x2545f4914f6cdd1du;
    search->states = calloc(count, sizeof *search->states);
    search->order = calloc(count, sizeof *search->order);
    search->starts = calloc(count, sizeof *search->starts);
    search->prints = calloc(count, sizeof *search->prints);
    if (search->states == NULL || search->order == NULL || search->starts == NULL ||
        search->prints == NULL || !make_order(search)) {
        gbl_search_free(search);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        search->states[i].error = NAN;
    gbl_search_start(search, &task->current);
    return search;
}

void gbl_search_free(gbl_search *search)
{
    if (search == NULL)
        return;
    free(search->states);
    free(search->order);
    free(search->starts);
    free(search->prints);
    free(search);
}

static int point_of(const gbl_search *search, const gbl_choice *choice)
{
    const gbl_search_task *task = &search->task;
    return choice->variant != NULL ? gbl_space_find(task->space, choice, task->call, task->device)
                                   : -1;
}

void gbl_search_start(gbl_search *search, const gbl_choice *choice)
{
    const int point = point_of(search, choice);
    bool there = point < 0;
    for (int i = 0; i < search->start_count; i++)
        there = there || search->starts[i] == point;
    if (!there)
        search->starts[search->start_count++] = point;
}

void gbl_search_before(gbl_search *search, const gbl_choice *choice, double seconds, double error)
{
    const int point = point_of(search, choice);
    if (point < 0 || search->states[point].is == GBL_SEARCH_TIMED)
        return;
    search->states[point].is = GBL_SEARCH_BEFORE;
    search->states[point].timing = (gbl_search_timing){.seconds = seconds};
    search->states[point].error = error;
}

/* ---- One point ---- */

static bool is_over(const gbl_search *search, double until)
{
    const gbl_search_task *task = &search->task;
    return search->status != GABLE_OK || search->spent || task->stop(task->user) ||
           task->now(task->user) >= until;
}

/* Failures of one point are its own; a lost device is the end. */
static bool worked(gbl_search *search, state *s, gable_status status)
{
    if (status == GABLE_DEVICE_LOST)
        search->status = status;
    if (status != GABLE_OK)
        s->is = GBL_SEARCH_FAILED;
    return status == GABLE_OK;
}

static double best_seconds(const gbl_search *search)
{
    return search->best >= 0 ? search->states[search->best].timing.seconds : INFINITY;
}

/* Checks a point unless that was done; false: it is wrong or failed. */
static bool check_point(gbl_search *search, int point)
{
    const gbl_search_task *task = &search->task;
    state *s = &search->states[point];
    if (!isnan(s->error))
        return s->error <= 1;
    const double start = task->now(task->user);
    if (!worked(search, s, task->check(task->user, &task->space->points[point].choice, &s->error)))
        return false;
    search->check_seconds = task->now(task->user) - start;
    if (s->error <= 1)
        return true;
    s->error = isnan(s->error) ? INFINITY : s->error;
    s->is = GBL_SEARCH_WRONG;
    return false;
}

static void time_point(gbl_search *search, int point)
{
    const gbl_search_task *task = &search->task;
    const gbl_choice *choice = &task->space->points[point].choice;
    state *s = &search->states[point];
    const double best = best_seconds(search);
    const double give_up = isfinite(best) ? GIVE_UP * best : 0;
    s->error = NAN;
    if (!worked(search, s, task->time(task->user, choice, task->seconds, give_up, &s->timing)))
        return;
    s->is = GBL_SEARCH_TIMED;
    const bool near = s->timing.seconds < CHECKED_GAP * best;
    if (near || search->check_seconds < CHEAP_CHECK)
        check_point(search, point);
    if (s->is == GBL_SEARCH_TIMED && !s->timing.given_up && s->timing.seconds < best)
        search->best = point;
    if (s->is != GBL_SEARCH_FAILED && task->measured != NULL)
        task->measured(task->user, choice, &s->timing, s->error);
}

/* ---- Many points ---- */

/* Whether the same work was timed already; if not, it is remembered. */
static bool seen(gbl_search *search, uint64_t print)
{
    for (int i = 0; print != 0 && i < search->print_count; i++)
        if (search->prints[i] == print)
            return true;
    search->prints[search->print_count++] = print;
    return false;
}

/* Compiles up to a batch of points, then times them one after the other. */
static gable_status try_batch(gbl_search *search, const int *points, int count, double until)
{
    const gbl_search_task *task = &search->task;
    gbl_choice *choices = calloc((size_t)count + 1, sizeof *choices);
    gbl_search_compiled *compiled = calloc((size_t)count + 1, sizeof *compiled);
    if (choices == NULL || compiled == NULL) {
        free(choices);
        free(compiled);
        return GABLE_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        choices[i] = task->space->points[points[i]].choice;
        compiled[i].reached = compiled[i].ok = true;
    }
    const double start = task->now(task->user);
    int tried = 0;
    if (task->compile != NULL)
        task->compile(task->user, choices, count, compiled);
    for (int i = 0; i < count && !is_over(search, until); i++) {
        tried++;
        if (!compiled[i].reached)
            continue;
        if (!compiled[i].ok)
            search->states[points[i]].is = GBL_SEARCH_FAILED;
        else if (seen(search, compiled[i].print))
            search->states[points[i]].is = GBL_SEARCH_SAME;
        else
            time_point(search, points[i]);
        task->progress(task->user);
    }
    if (tried > 0) {
        const double each = (task->now(task->user) - start) / tried;
        search->point_seconds =
            search->point_seconds > 0 ? (search->point_seconds + each) / 2 : each;
    }
    free(choices);
    free(compiled);
    return search->status;
}

/* How many of `count` points there is time for, by what the last points took: compilers are slow,
 * and what they begin they end. None: the search is over. */
static int affordable(gbl_search *search, int count, double until)
{
    const double left = until - search->task.now(search->task.user);
    if (!isfinite(until) || !(search->point_seconds > 0))
        return count;
    search->spent = left < search->point_seconds;
    return left < count * search->point_seconds ? (int)(left / search->point_seconds) : count;
}

/* All of a list that are new, batch after batch. */
static gable_status try_points(gbl_search *search, const int *points, int count, double until)
{
    int *batch = malloc(sizeof *batch * (size_t)search->task.batch);
    if (batch == NULL)
        return GABLE_OUT_OF_MEMORY;
    gable_status status = GABLE_OK;
    int used = 0;
    for (int i = 0; i <= count && status == GABLE_OK && !is_over(search, until); i++) {
        if (i < count && search->states[points[i]].is == GBL_SEARCH_NEW)
            batch[used++] = points[i];
        if (used == search->task.batch || (i == count && used > 0)) {
            used = affordable(search, used, until);
            if (used > 0)
                status = try_batch(search, batch, used, until);
            used = 0;
        }
    }
    free(batch);
    return status;
}

/* ---- Refining ---- */

/* The fastest points so far that are right, as far as is known. */
static int best_few(const gbl_search *search, int *list, int most)
{
    int count = 0;
    for (int i = 0; i < search->task.space->count; i++) {
        const state *s = &search->states[i];
        if (s->is != GBL_SEARCH_TIMED || s->timing.given_up || s->error > 1)
            continue;
        int at = count < most ? count++ : most;
        if (at == most && s->timing.seconds >= search->states[list[most - 1]].timing.seconds)
            continue;
        at = at == most ? most - 1 : at;
        for (; at > 0 && search->states[list[at - 1]].timing.seconds > s->timing.seconds; at--)
            list[at] = list[at - 1];
        list[at] = i;
    }
    return count;
}

static int neighbours(const gbl_search *search, int point, int *list)
{
    const gbl_search_task *task = &search->task;
    return gbl_space_neighbours(task->space, point, task->call, task->device, list);
}

/* The neighbours of the best few, as long as the best becomes better or one of them is new. */
static gable_status refine(gbl_search *search, double until)
{
    int few[BEST_FEW], around[2 * GBL_MAX_PARAMS];
    bool news = true;
    while (news && !is_over(search, until)) {
        const int count = best_few(search, few, BEST_FEW);
        news = false;
        for (int i = 0; i < count; i++) {
            state *s = &search->states[few[i]];
            if (s->refined)
                continue;
            s->refined = news = true;
            const int best = search->best;
            TRY(try_points(search, around, neighbours(search, few[i], around), until));
            if (search->best != best)
                break; /* go on from there */
        }
    }
    return GABLE_OK;
}

/* Two tunables at a time, around the best. */
static gable_status refine_pairs(gbl_search *search, double until)
{
    int around[2 * GBL_MAX_PARAMS], further[2 * GBL_MAX_PARAMS];
    for (int best = -1; best != search->best && search->best >= 0 && !is_over(search, until);) {
        best = search->best;
        const int count = neighbours(search, best, around);
        for (int i = 0; i < count && search->best == best && !is_over(search, until); i++)
            TRY(try_points(search, further, neighbours(search, around[i], further), until));
        TRY(refine(search, until));
    }
    return GABLE_OK;
}

/* ---- The whole ---- */

static bool is_new(const gbl_search *search, int point)
{
    return search->states[point].is == GBL_SEARCH_NEW;
}

/* The next points of the model's order, and some from anywhere behind them. */
static int next_batch(gbl_search *search, int *batch)
{
    const int all = search->task.space->count;
    int used = 0;
    while (used < search->task.batch && search->next < all) {
        const int left = all - search->next;
        int at = search->next;
        if (used % SPREAD_SHARE == SPREAD_SHARE - 1) {
            search->random ^= search->random << 13;
            search->random ^= search->random >> 7;
            search->random ^= search->random << 17;
            at += (int)(search->random % (uint64_t)left);
        }
        const int point = search->order[at];
        search->order[at] = search->order[search->next];
        search->order[search->next++] = point;
        if (is_new(search, point))
            batch[used++] = point;
    }
    return used;
}

/* Of what was measured before, the fastest are places to start, and timed again. */
static void start_from_before(gbl_search *search)
{
    for (int k = 0; k < BEST_FEW; k++) {
        int found = -1;
        for (int i = 0; i < search->task.space->count; i++) {
            const state *s = &search->states[i];
            if (s->is == GBL_SEARCH_BEFORE && s->error <= 1 &&
                (found < 0 || s->timing.seconds < search->states[found].timing.seconds))
                found = i;
        }
        if (found < 0)
            return;
        search->states[found].is = GBL_SEARCH_NEW;
        gbl_search_start(search, &search->task.space->points[found].choice);
    }
}

/* The places to start. The first of them is the choice in use, and comes whatever the clock says;
 * so do the others until one of them is right. It also tells how long a point takes. */
static gable_status try_starts(gbl_search *search, double until)
{
    start_from_before(search);
    for (int i = 0; i < search->start_count; i++)
        if (search->states[search->starts[i]].is == GBL_SEARCH_BEFORE)
            search->states[search->starts[i]].is = GBL_SEARCH_NEW;
    int next = 0;
    while (next < search->start_count && search->best < 0 && !is_over(search, INFINITY))
        TRY(try_points(search, &search->starts[next++], 1, INFINITY));
    return try_points(search, search->starts + next, search->start_count - next, until);
}

gable_status gbl_search_run(gbl_search *search, double until)
{
    int *batch = malloc(sizeof *batch * (size_t)search->task.batch);
    if (batch == NULL)
        return GABLE_OUT_OF_MEMORY;
    gable_status status = search->status;
    search->spent = false;
    if (status == GABLE_OK && search->best < 0)
        status = try_starts(search, until);
    if (status == GABLE_OK)
        status = refine(search, until);
    search->next = 0;
    for (int round = 0; status == GABLE_OK && !is_over(search, until); round++) {
        const int used = next_batch(search, batch);
        if (used == 0)
            break;
        status = try_points(search, batch, used, until);
        if (status == GABLE_OK)
            status = refine(search, until);
        if (status == GABLE_OK && round % PAIRS_EVERY == PAIRS_EVERY - 1)
            status = refine_pairs(search, until);
    }
    free(batch);
    return status;
}

/* ---- The end ---- */

bool gbl_search_beats(const gbl_search_timing *a, const gbl_search_timing *b)
{
    const double spread = a->spread > b->spread ? a->spread : b->spread;
    const double least = LEAST_GAIN * b->seconds;
    return b->seconds - a->seconds > (2 * spread > least ? 2 * spread : least);
}

/* The best few once more; the fastest by these times is the best. */
static gable_status play_off(gbl_search *search, gbl_search_timing *of_best)
{
    const gbl_search_task *task = &search->task;
    int few[PLAY_OFF], best = -1;
    const int count = best_few(search, few, PLAY_OFF);
    const double limit = PLAY_OFF_GAP * best_seconds(search);
    for (int i = 0; i < count && search->status == GABLE_OK; i++) {
        state *s = &search->states[few[i]];
        gbl_search_timing again;
        if (s->timing.seconds > limit || !check_point(search, few[i]))
            continue;
        if (!worked(search, s,
                    task->time(task->user, &task->space->points[few[i]].choice,
                               PLAY_OFF_SECONDS * task->seconds, 0, &again)))
            continue;
        if (best < 0 || again.seconds < of_best->seconds) {
            best = few[i];
            *of_best = again;
        }
    }
    if (best >= 0)
        search->best = best;
    return search->status;
}

/* The error of the choice in use, which may be outside of the space; above 1 also where it cannot
 * run. */
static double error_of_current(gbl_search *search, int point)
{
    const gbl_search_task *task = &search->task;
    double error = NAN;
    if (point >= 0 && search->states[point].is == GBL_SEARCH_FAILED)
        return INFINITY;
    if (point >= 0 && !isnan(search->states[point].error))
        return search->states[point].error;
    const gable_status status = task->check(task->user, &task->current, &error);
    if (status == GABLE_DEVICE_LOST)
        search->status = status;
    return status == GABLE_OK && error <= 1 ? error : INFINITY;
}

/* Whether the best takes the place of the choice in use. */
static gable_status decide(gbl_search *search, gbl_search_result *result)
{
    const gbl_search_task *task = &search->task;
    const int current = point_of(search, &task->current);
    if (task->current.variant == NULL)
        return GABLE_OK;
    if (current == search->best) {
        result->winner = task->current;
        result->of_current = result->of_winner;
        result->changed = false;
        return GABLE_OK;
    }
    const double error = error_of_current(search, current);
    TRY(search->status);
    if (error > 1)
        return GABLE_OK;
    TRY(task->duel(task->user, &result->best, &task->current, task->duel_rounds, &result->of_best,
                   &result->of_current));
    result->of_winner = result->of_best;
    if (!gbl_search_beats(&result->of_best, &result->of_current)) {
        result->winner = task->current;
        result->of_winner = result->of_current;
        result->error = error;
        result->changed = false;
    }
    return GABLE_OK;
}

gable_status gbl_search_finish(gbl_search *search, gbl_search_result *result)
{
    const gbl_search_task *task = &search->task;
    gbl_search_counts counts;
    memset(result, 0, sizeof *result);
    result->stopped = task->stop(task->user);
    gbl_search_count(search, &counts);
    result->complete = counts.timed + counts.before + counts.same + counts.failed + counts.wrong ==
                       task->space->count;
    TRY(search->status);
    if (search->best < 0)
        return GABLE_NOT_SUPPORTED;
    result->of_best = search->states[search->best].timing;
    TRY(play_off(search, &result->of_best));
    result->best = result->winner = task->space->points[search->best].choice;
    result->of_winner = result->of_best;
    result->error = search->states[search->best].error;
    result->changed = true;
    return decide(search, result);
}

void gbl_search_count(const gbl_search *search, gbl_search_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    counts->of = search->task.space->count;
    for (int i = 0; i < counts->of; i++) {
        const gbl_search_state is = search->states[i].is;
        counts->timed += is == GBL_SEARCH_TIMED;
        counts->before += is == GBL_SEARCH_BEFORE;
        counts->same += is == GBL_SEARCH_SAME;
        counts->failed += is == GBL_SEARCH_FAILED;
        counts->wrong += is == GBL_SEARCH_WRONG;
    }
}

double gbl_search_best(const gbl_search *search, gbl_choice *choice)
{
    if (search->best < 0)
        return 0;
    *choice = search->task.space->points[search->best].choice;
    return search->states[search->best].timing.seconds;
}
