/* test_search.c: the tuner's search on made-up devices: cost surfaces with noise, and a clock of
 * their own.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing runs: a point's time is a formula, known exactly, so the regret (how much slower the
 * winner is than the best right point of the whole space) needs no measurement. The bound of 3 % is
 * the project's own.
 */
#include <math.h>
#include <stdlib.h>
#include "../core/expect.h"
#include "tune/search.h"

#define COMPILE_SECONDS 0.05 /* of the made-up clock, a point */
#define MOST_REGRET     0.03

enum { LOCAL, GROUPS, VEC, RANGE, UNROLL, PARAMS };
static const int32_t locals[] = {1, 32, 64, 128, 256, 512, 1024};
static const int32_t groups[] = {1, 2, 4, 6, 8, 12, 16, 32, 64};
static const int32_t vectors[] = {1, 2, 4, 8, 16};
static const int32_t ranges[] = {0, 1};
static const int32_t unrolls[] = {1, 2, 4, 8};
static const gbl_param space_of_all[PARAMS] = {
    {.name = "local", .values = locals, .count = 7, .fallback = 256},
    {.name = "groups", .values = groups, .count = 9, .fallback = 8},
    {.name = "vec", .values = vectors, .count = 5, .fallback = 2},
    {.name = "range", .values = ranges, .count = 2, .fallback = 0},
    {.name = "unroll", .values = unrolls, .count = 4, .fallback = 4}};

static bool fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self;
    (void)call;
    (void)device;
    return true;
}

static uint64_t key(const void *call)
{
    (void)call;
    return 20;
}

static const gbl_variant variants[] = {
    {.name = "slow", .deterministic = true, .fits = fits},
    {.name = "tuned", .deterministic = true, .fits = fits, .space = space_of_all, .space_count = 5},
    {.name = "loose", .deterministic = false, .fits = fits},
    {.name = "vendor", .deterministic = true, .vendor = true, .fits = fits},
};
static const gbl_op op = {.stem = "made_up", .key = key, .variants = variants, .variant_count = 4};
static const gbl_device device = {
    .props = {.is_gpu = false, .max_group = 1024, .simd = 1, .units = 4}};

/* ---- Surfaces: seconds of a call ---- */

typedef double (*surface)(const gbl_params *p);

static double lg(const gbl_params *p, int i)
{
    return log2((double)(p->value[i] > 0 ? p->value[i] : 1));
}

static double square(double x)
{
    return x * x;
}

/* One smooth valley. */
static double bowl(const gbl_params *p)
{
    return 1e-4 * (1 + 0.03 * square(lg(p, LOCAL) - 7) + 0.02 * square(lg(p, GROUPS) - 3) +
                   0.05 * square(lg(p, VEC) - 2) + 0.08 * p->value[RANGE] +
                   0.04 * square(lg(p, UNROLL) - 1));
}

/* Only products count: what one tunable loses another can make good. */
static double ridge(const gbl_params *p)
{
    const double flight = lg(p, LOCAL) + lg(p, VEC) + lg(p, UNROLL);
    return 1e-4 * (1 + 0.15 * fabs(flight - 11) + 0.1 * fabs(lg(p, GROUPS) - 2) +
                   0.06 * fabs(lg(p, VEC) - 3) + 0.05 * p->value[RANGE]);
}

/* Flat, but for cliffs: what spills, what leaves units idle, what has single loads. */
static double cliffs(const gbl_params *p)
{
    double t = 1;
    t *= lg(p, VEC) + lg(p, UNROLL) > 5 ? 3 : 1;
    t *= lg(p, LOCAL) < 5 ? 8 : 1;
    t *= lg(p, VEC) < 1 ? 1.3 : 1;
    t *= lg(p, GROUPS) < 2 ? 1.5 : 1;
    t *= p->value[LOCAL] == 512 && p->value[RANGE] == 1 ? 0.9 : 1;
    return 1e-4 * t;
}

/* As a CPU behaves: one work-item per group, wide vectors, few groups. */
static double host_like(const gbl_params *p)
{
    return 1e-4 * (1 + 2 * lg(p, LOCAL) + 0.2 * (4 - lg(p, VEC)) + 0.1 * fabs(lg(p, GROUPS) - 2) +
                   0.15 * (1 - p->value[RANGE]) + 0.02 * square(lg(p, UNROLL) - 1));
}

/* ---- A made-up rig ---- */

typedef struct rig {
    surface truth;
    double noise; /* relative */
    double (*model)(struct rig *rig, const gbl_choice *choice);
    bool (*wrong)(const gbl_choice *choice);
    bool (*fails)(const gbl_choice *choice);
    double clock;
    uint64_t random;
    int timings, checks, told_wrong, told, compiled, stop_after;
    bool lost;
} rig;

static double uniform(rig *r)
{
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(r->random >> 11) / 9007199254740992.0;
}

static double true_seconds(const rig *r, const gbl_choice *choice)
{
    return choice->variant == &variants[0] ? 5e-4 : r->truth(&choice->params);
}

/* One-sided, as disturbances are, and now and then large. */
static double measured_seconds(rig *r, const gbl_choice *choice)
{
    const double slow = uniform(r) < 0.02 ? 1.2 : 1;
    return true_seconds(r, choice) * slow * (1 + r->noise * (uniform(r) - 0.5));
}

static void compile(void *user, const gbl_choice *choices, int count, gbl_search_compiled *results)
{
    rig *r = user;
    r->clock += COMPILE_SECONDS * count;
    r->compiled += count;
    for (int i = 0; i < count; i++)
        results[i] = (gbl_search_compiled){true, r->fails == NULL || !r->fails(&choices[i]), 0};
}

static gable_status time_it(void *user, const gbl_choice *choice, double seconds, double give_up,
                            gbl_search_timing *timing)
{
    rig *r = user;
    r->timings++;
    if (r->lost)
        return GABLE_DEVICE_LOST;
    *timing = (gbl_search_timing){measured_seconds(r, choice), 0, 9, false};
    timing->spread = r->noise / 4 * timing->seconds;
    timing->given_up = give_up > 0 && timing->seconds > give_up;
    r->clock += timing->given_up ? 0.002 : seconds;
    return GABLE_OK;
}

static gable_status check(void *user, const gbl_choice *choice, double *error)
{
    rig *r = user;
    r->checks++;
    r->clock += 0.001;
    *error = r->wrong != NULL && r->wrong(choice) ? NAN : 0.1;
    return GABLE_OK;
}

static gable_status duel(void *user, const gbl_choice *a, const gbl_choice *b, int rounds,
                         gbl_search_timing *of_a, gbl_search_timing *of_b)
{
    rig *r = user;
    double sum_a = 0, sum_b = 0;
    for (int i = 0; i < rounds; i++) {
        sum_a += measured_seconds(r, a);
        sum_b += measured_seconds(r, b);
    }
    *of_a = (gbl_search_timing){sum_a / rounds, r->noise / 8 * sum_a / rounds, rounds, false};
    *of_b = (gbl_search_timing){sum_b / rounds, r->noise / 8 * sum_b / rounds, rounds, false};
    return GABLE_OK;
}

static double predict(void *user, const gbl_choice *choice)
{
    rig *r = user;
    return r->model(r, choice);
}

static void measured(void *user, const gbl_choice *choice, const gbl_search_timing *timing,
                     double error)
{
    rig *r = user;
    (void)choice;
    (void)timing;
    r->told++;
    r->told_wrong += error > 1;
}

static void progress(void *user)
{
    (void)user;
}

static double clock_of(void *user)
{
    return ((rig *)user)->clock;
}

static bool stop(void *user)
{
    const rig *r = user;
    return r->stop_after > 0 && r->timings >= r->stop_after;
}

static double good_model(rig *r, const gbl_choice *choice)
{
    return choice->variant == &variants[0] ? 5e-4 : pow(r->truth(&choice->params), 0.5) * 1e-2;
}

static double no_model(rig *r, const gbl_choice *choice)
{
    (void)r;
    (void)choice;
    return 1;
}

static double bad_model(rig *r, const gbl_choice *choice)
{
    return 1e-9 / true_seconds(r, choice);
}

/* ---- Running ---- */

static const gbl_choice current_choice = {.variant = &variants[1], .params = {{256, 8, 2, 0, 4}}};

static gbl_search_task task_of(rig *r, const gbl_space *space)
{
    return (gbl_search_task){.op = &op,
                             .device = &device,
                             .space = space,
                             .current = current_choice,
                             .batch = 16,
                             .seconds = 0.02,
                             .duel_rounds = 20,
                             .user = r,
                             .compile = compile,
                             .time = time_it,
                             .check = check,
                             .duel = duel,
                             .predict = predict,
                             .measured = measured,
                             .progress = progress,
                             .now = clock_of,
                             .stop = stop};
}

/* The fastest right point, by the formula. */
static double least_seconds(const rig *r, const gbl_space *space)
{
    double least = INFINITY;
    for (int i = 0; i < space->count; i++) {
        const gbl_choice *choice = &space->points[i].choice;
        if ((r->wrong != NULL && r->wrong(choice)) || (r->fails != NULL && r->fails(choice)))
            continue;
        least = fmin(least, true_seconds(r, choice));
    }
    return least;
}

static void make_space(gbl_space *space)
{
    EXPECT(gbl_space_make(space, &op, NULL, &device, NULL), "no space");
}

/* Searches for some seconds of the made-up clock; returns the regret of the winner. */
static double regret_of(rig *r, double seconds, gbl_search_result *result,
                        gbl_search_counts *counts)
{
    gbl_space space;
    make_space(&space);
    const gbl_search_task task = task_of(r, &space);
    gbl_search *search = gbl_search_make(&task);
    EXPECT(search != NULL, "no search");
    const gable_status status = gbl_search_run(search, r->clock + seconds);
    EXPECT(status == GABLE_OK, "the search gave %s", gable_status_name(status));
    EXPECT(gbl_search_finish(search, result) == GABLE_OK, "it did not finish");
    gbl_search_count(search, counts);
    const double regret = true_seconds(r, &result->winner) / least_seconds(r, &space) - 1;
    gbl_search_free(search);
    gbl_space_free(&space);
    return regret;
}

/* ---- Tests ---- */

static void test_regret(void)
{
    static const struct {
        const char *name;
        surface truth;
    } surfaces[] = {{"bowl", bowl}, {"ridge", ridge}, {"cliffs", cliffs}, {"host", host_like}};
    static const struct {
        const char *name;
        double (*model)(rig *r, const gbl_choice *choice);
    } models[] = {{"good", good_model}, {"none", no_model}, {"bad", bad_model}};
    for (int s = 0; s < 4; s++)
        for (int m = 0; m < 3; m++)
            for (uint64_t seed = 1; seed <= 5; seed++) {
                rig r = {.truth = surfaces[s].truth,
                         .noise = 0.02,
                         .model = models[m].model,
                         .random = seed};
                gbl_search_result result;
                gbl_search_counts counts;
                const double regret = regret_of(&r, 30, &result, &counts);
                EXPECT(regret <= MOST_REGRET,
                       "%s, model %s, seed %d: regret %.1f %% after %d of %d", surfaces[s].name,
                       models[m].name, (int)seed, 100 * regret, counts.timed, counts.of);
                EXPECT(counts.of == 2521 && counts.timed < counts.of / 4, "%d of %d were timed",
                       counts.timed, counts.of);
                EXPECT(r.told == counts.timed, "told of %d, timed %d", r.told, counts.timed);
            }
}

static bool wide_is_wrong(const gbl_choice *choice)
{
    return choice->params.value[VEC] >= 4;
}

static void test_wrong(void)
{
    rig r = {.truth = host_like,
             .noise = 0.02,
             .model = good_model,
             .wrong = wide_is_wrong,
             .random = 7};
    gbl_search_result result;
    gbl_search_counts counts;
    const double regret = regret_of(&r, 30, &result, &counts);
    EXPECT(!wide_is_wrong(&result.winner), "a wrong choice won");
    EXPECT(regret <= MOST_REGRET, "regret %.1f %% among the right ones", 100 * regret);
    EXPECT(counts.wrong > 0 && r.told_wrong == counts.wrong, "%d wrong, told of %d", counts.wrong,
           r.told_wrong);

    /* The choice in use is wrong: anything right takes its place, however slow. */
    rig all = {.truth = bowl, .noise = 0, .model = good_model, .random = 8};
    all.wrong = wide_is_wrong;
    gbl_space space;
    make_space(&space);
    gbl_search_task task = task_of(&all, &space);
    task.current.params = (gbl_params){{128, 8, 4, 0, 2}};
    gbl_search *search = gbl_search_make(&task);
    gbl_search_run(search, 5);
    EXPECT(gbl_search_finish(search, &result) == GABLE_OK && result.changed &&
               !wide_is_wrong(&result.winner),
           "a wrong choice stayed in use");
    gbl_search_free(search);
    gbl_space_free(&space);
}

static bool large_fails(const gbl_choice *choice)
{
    return choice->params.value[LOCAL] >= 128;
}

static void test_failures(void)
{
    rig r = {.truth = bowl, .noise = 0.02, .model = good_model, .fails = large_fails, .random = 3};
    gbl_search_result result;
    gbl_search_counts counts;
    const double regret = regret_of(&r, 30, &result, &counts);
    EXPECT(!large_fails(&result.winner) && regret <= MOST_REGRET, "regret %.1f %%", 100 * regret);
    EXPECT(counts.failed > 0, "none failed");

    gbl_space space;
    make_space(&space);
    r = (rig){.truth = bowl, .model = good_model, .lost = true, .random = 3};
    const gbl_search_task task = task_of(&r, &space);
    gbl_search *search = gbl_search_make(&task);
    EXPECT(gbl_search_run(search, 5) == GABLE_DEVICE_LOST && r.timings == 1,
           "a lost device was asked %d times", r.timings);
    EXPECT(gbl_search_finish(search, &result) == GABLE_DEVICE_LOST, "it went on");
    gbl_search_free(search);
    gbl_space_free(&space);
}

static void test_budget(void)
{
    gbl_search_result result;
    gbl_search_counts counts;
    rig r = {.truth = ridge, .noise = 0.02, .model = good_model, .random = 5};
    regret_of(&r, 10, &result, &counts);
    EXPECT(r.clock < 12, "a budget of 10 s took %.1f", r.clock);
    EXPECT(!result.complete && counts.timed > 20, "%d timed", counts.timed);

    /* No time at all: the choice in use is timed and stays. */
    r = (rig){.truth = ridge, .noise = 0.02, .model = good_model, .random = 5};
    regret_of(&r, 0, &result, &counts);
    EXPECT(counts.timed == 1 && !result.changed && result.of_current.seconds > 0, "%d timed",
           counts.timed);

    /* All the time there is. */
    r = (rig){.truth = ridge, .model = bad_model, .random = 5};
    const double regret = regret_of(&r, INFINITY, &result, &counts);
    EXPECT(result.complete && counts.timed == counts.of && regret == 0, "regret %.1f %%, %d of %d",
           100 * regret, counts.timed, counts.of);
    EXPECT(r.compiled == counts.of, "%d were compiled", r.compiled);

    /* Stopped. */
    r = (rig){.truth = ridge, .model = good_model, .random = 5, .stop_after = 30};
    regret_of(&r, INFINITY, &result, &counts);
    EXPECT(result.stopped && counts.timed == 30, "%d were timed", counts.timed);
}

static void test_incumbent(void)
{
    gbl_search_result result;
    gbl_search_counts counts;
    rig r = {.truth = bowl, .noise = 0.01, .model = good_model, .random = 11};
    gbl_space space;
    make_space(&space);
    gbl_search_task task = task_of(&r, &space);

    /* 2 % off the best is not enough to change. */
    task.current.params = (gbl_params){{128, 16, 4, 0, 2}};
    gbl_search *search = gbl_search_make(&task);
    gbl_search_run(search, 10);
    EXPECT(gbl_search_finish(search, &result) == GABLE_OK && !result.changed &&
               result.winner.params.value[GROUPS] == 16,
           "a gain of 2 %% was enough");
    gbl_search_free(search);

    /* The same holds for a choice outside of the space; a slower one is replaced. */
    task.current.params = (gbl_params){{128, 10, 4, 0, 2}};
    search = gbl_search_make(&task);
    gbl_search_run(search, r.clock + 10);
    EXPECT(gbl_search_finish(search, &result) == GABLE_OK && !result.changed &&
               result.winner.params.value[GROUPS] == 10 && result.error <= 1,
           "an equal choice took its place");
    gbl_search_free(search);
    task.current.params = (gbl_params){{100, 100, 4, 0, 2}};
    search = gbl_search_make(&task);
    gbl_search_run(search, r.clock + 10);
    EXPECT(gbl_search_finish(search, &result) == GABLE_OK && result.changed, "it stayed");
    gbl_search_free(search);

    const gbl_search_timing a = {0.95, 0, 9, false}, b = {1, 0, 9, false},
                            loose = {1, 0.03, 9, false}, near = {0.98, 0, 9, false};
    EXPECT(gbl_search_beats(&a, &b) && !gbl_search_beats(&b, &a), "5 %% without noise");
    EXPECT(!gbl_search_beats(&a, &loose), "5 %% with a spread of 3");
    EXPECT(!gbl_search_beats(&near, &b), "2 %%");

    /* Places to start are tried first. */
    r.timings = 0;
    r.stop_after = 2;
    search = gbl_search_make(&task);
    const gbl_choice start = {.variant = &variants[1], .params = {{64, 1, 1, 1, 1}}},
                     other = {.variant = &variants[0], .params = {{0}}};
    gbl_search_start(search, &start);
    gbl_search_start(search, &other);
    gbl_search_run(search, INFINITY);
    gbl_search_count(search, &counts);
    gbl_choice best;
    const double seconds = gbl_search_best(search, &best);
    EXPECT(counts.timed == 2 && fabs(seconds / bowl(&start.params) - 1) < 0.3, "%d, %g s",
           counts.timed, seconds);
    gbl_search_free(search);
    gbl_space_free(&space);
}

/* What an earlier search measured is not timed again, but its best are, and the result is no
 * worse. */
static void test_resume(void)
{
    gbl_space space;
    gbl_search_result result;
    gbl_search_counts counts;
    make_space(&space);
    rig r = {.truth = bowl, .noise = 0.02, .model = no_model, .random = 13};
    const gbl_search_task task = task_of(&r, &space);
    gbl_search *search = gbl_search_make(&task);
    for (int i = 0; i < space.count; i++)
        if (i % 10 != 0)
            gbl_search_before(search, &space.points[i].choice,
                              true_seconds(&r, &space.points[i].choice), 0.1);
    gbl_search_run(search, INFINITY);
    EXPECT(gbl_search_finish(search, &result) == GABLE_OK, "it did not finish");
    gbl_search_count(search, &counts);
    const double regret = true_seconds(&r, &result.winner) / least_seconds(&r, &space) - 1;
    EXPECT(counts.timed <= space.count / 10 + 8, "%d were timed again",
           counts.timed - space.count / 10);
    EXPECT(regret <= MOST_REGRET && result.complete, "regret %.1f %%", 100 * regret);
    gbl_search_free(search);
    gbl_space_free(&space);
}

/* Points that launch the same work are timed once. */
static void compile_alike(void *user, const gbl_choice *choices, int count,
                          gbl_search_compiled *results)
{
    compile(user, choices, count, results);
    for (int i = 0; i < count; i++)
        results[i].print = 1 + (uint64_t)choices[i].params.value[LOCAL] * 100 +
                           (uint64_t)choices[i].params.value[VEC];
}

static void test_same(void)
{
    gbl_space space;
    gbl_search_counts counts;
    make_space(&space);
    rig r = {.truth = bowl, .model = no_model, .random = 17};
    gbl_search_task task = task_of(&r, &space);
    task.compile = compile_alike;
    gbl_search *search = gbl_search_make(&task);
    gbl_search_run(search, INFINITY);
    gbl_search_count(search, &counts);
    EXPECT(counts.timed == 7 * 5 + 1 && counts.same == counts.of - counts.timed,
           "%d timed, %d the same", counts.timed, counts.same);
    gbl_search_free(search);
    gbl_space_free(&space);
}

/* A compiler that takes seconds per point: nothing is begun that cannot end within the budget. */
static void compile_slowly(void *user, const gbl_choice *choices, int count,
                           gbl_search_compiled *results)
{
    compile(user, choices, count, results);
    ((rig *)user)->clock += 3.0 * count;
}

static void test_slow_compiler(void)
{
    static const struct {
        double budget;
        int timed;
    } cases[] = {{0, 1}, {4, 1}, {10, 3}, {31, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gbl_space space;
        gbl_search_counts counts;
        make_space(&space);
        rig r = {.truth = bowl, .model = good_model, .random = 23};
        gbl_search_task task = task_of(&r, &space);
        task.compile = compile_slowly;
        gbl_search *search = gbl_search_make(&task);
        gbl_search_start(search, &space.points[3].choice);
        gbl_search_start(search, &space.points[5].choice);
        EXPECT(gbl_search_run(search, cases[i].budget) == GABLE_OK, "the search failed");
        gbl_search_count(search, &counts);
        EXPECT(counts.timed == cases[i].timed, "%d points in %g s, not %d", counts.timed,
               cases[i].budget, cases[i].timed);
        EXPECT(r.clock <= cases[i].budget || counts.timed == 1, "a budget of %g s took %g",
               cases[i].budget, r.clock);
        /* It goes on where it is given more time. */
        const double before = r.clock;
        gbl_search_run(search, before + 7);
        EXPECT(r.clock > before && r.clock <= before + 7, "7 s more took %g", r.clock - before);
        gbl_search_free(search);
        gbl_space_free(&space);
    }
}

int main(void)
{
    test_slow_compiler();
    test_regret();
    test_wrong();
    test_failures();
    test_budget();
    test_incumbent();
    test_resume();
    test_same();
    return expect_summary("test_search");
}
