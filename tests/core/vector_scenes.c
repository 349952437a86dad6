/* vector_scenes.c: results and coefficients in host memory among the calls that test_failures.c
 * makes fail.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * mdot and maxpy see x as a matrix of 10 columns of 10; y's first ten numbers are their vector, and
 * those from the fiftieth on the coefficients.
 */
#include <string.h>
#include "core/context.h"
#include "failure_scenes.h"

#define ROWS         10
#define COLUMNS      SCENE_COLUMNS
#define COEFFICIENTS 50 /* where they start in y */
#define UNTOUCHED    SCENE_UNTOUCHED

/* y as the device has it. */
static bool get_y(scene_stage *s)
{
    return gable_get_vector(s->ctx, SCENE_N, sizeof(double), s->y, 1, s->host, 1) == GABLE_OK;
}

static bool y_untouched(scene_stage *s)
{
    bool same = get_y(s);
    for (int64_t i = 0; i < SCENE_N && same; i++)
        same = s->host[i] == scene_y(i);
    return same;
}

/* ---- amax ----------------------------------------------------------------------------------- */

static gable_status prepare_position(scene_stage *s)
{
    s->position = -1;
    return GABLE_OK;
}

static gable_status call_amax(scene_stage *s)
{
    return gable_idamax(s->ctx, SCENE_N, s->y, 1, &s->position);
}

static bool position_untouched(scene_stage *s)
{
    return s->position == -1;
}

static bool amax_right(scene_stage *s)
{
    return s->position == 5; /* y is 1, 2, 3, 4, 5, 1, ... */
}

/* ---- mdot ----------------------------------------------------------------------------------- */

/* A call before it has made the slot of host results, which is too small for ten numbers. */
static gable_status prepare_answers(scene_stage *s)
{
    for (int j = 0; j < COLUMNS; j++)
        s->answers[j] = UNTOUCHED;
    return gable_ddot(s->ctx, SCENE_N, s->x, 1, s->y, 1, &s->answer);
}

static gable_status call_mdot(scene_stage *s)
{
    return gable_dmdot(s->ctx, ROWS, COLUMNS, s->x, ROWS, s->y, 1, s->answers);
}

static bool answers_untouched(scene_stage *s)
{
    bool same = true;
    for (int j = 0; j < COLUMNS; j++)
        same = same && s->answers[j] == UNTOUCHED;
    return same;
}

static bool mdot_right(scene_stage *s)
{
    bool same = true;
    for (int j = 0; j < COLUMNS; j++) {
        double sum = 0;
        for (int i = 0; i < ROWS; i++)
            sum += scene_x(j * ROWS + i) * scene_y(i);
        same = same && s->answers[j] == sum;
    }
    return same;
}

/* ---- maxpy ---------------------------------------------------------------------------------- */

/* y's first numbers got `count` columns, with alpha = 2 and y's later numbers as coefficients. */
static bool maxpy_right_for(scene_stage *s, int count)
{
    bool same = get_y(s);
    for (int64_t i = 0; i < SCENE_N && same; i++) {
        double sum = scene_y(i);
        for (int64_t j = 0; i < ROWS && j < count; j++)
            sum += 2 * scene_y(COEFFICIENTS + j) * scene_x(j * ROWS + i);
        same = s->host[i] == sum;
    }
    return same;
}

static gable_status maxpy_host(scene_stage *s, int count)
{
    double a[COLUMNS];
    for (int j = 0; j < count; j++)
        a[j] = scene_y(COEFFICIENTS + j);
    return gable_dmaxpy(s->ctx, ROWS, count, 2, a, s->x, ROWS, s->y, 1);
}

static gable_status call_maxpy(scene_stage *s)
{
    return maxpy_host(s, 3);
}

static bool maxpy_right(scene_stage *s)
{
    return maxpy_right_for(s, 3);
}

/* Ten coefficients by value are two launches: of a call that fails neither may stay recorded. */
static gable_status call_maxpy_twice(scene_stage *s)
{
    return maxpy_host(s, COLUMNS);
}

static bool recorded_maxpy_right(scene_stage *s)
{
    double values[SCENE_N];
    for (int64_t i = 0; i < SCENE_N; i++)
        values[i] = scene_y(i);
    /* What was recorded first makes y a copy of x: the columns come on top of that. */
    if (gable_record_end(s->ctx, &s->recording) != GABLE_OK ||
        gable_replay(s->ctx, s->recording) != GABLE_OK || !get_y(s))
        return false;
    bool same = true;
    for (int64_t i = 0; i < SCENE_N && same; i++) {
        double sum = scene_x(i);
        for (int64_t j = 0; i < ROWS && j < COLUMNS; j++)
            sum += 2 * values[COEFFICIENTS + j] * scene_x(j * ROWS + i);
        same = s->host[i] == sum;
    }
    return same;
}

const scene vector_scenes[] = {
    {.name = "amax host",
     .routine = "gable_idamax",
     .prepare = prepare_position,
     .call = call_amax,
     .untouched = position_untouched,
     .right = amax_right},
    {.name = "mdot host",
     .routine = "gable_dmdot",
     .prepare = prepare_answers,
     .call = call_mdot,
     .untouched = answers_untouched,
     .right = mdot_right},
    {.name = "maxpy",
     .routine = "gable_dmaxpy",
     .call = call_maxpy,
     .untouched = y_untouched,
     .right = maxpy_right},
    {.name = "record maxpy",
     .routine = "gable_dmaxpy",
     .prepare = scene_prepare_recording,
     .call = call_maxpy_twice,
     .untouched = scene_recording_untouched,
     .right = recorded_maxpy_right},
    {.name = NULL},
};
