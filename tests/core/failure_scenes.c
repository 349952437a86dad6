/* failure_scenes.c: the public calls that test_failures.c makes fail.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <string.h>
#include "core/context.h"
#include "core/recording.h"
#include "failure_scenes.h"

double scene_x(int64_t i)
{
    return (double)(i % 7 - 3);
}

double scene_y(int64_t i)
{
    return (double)(i % 5 + 1);
}

static double dot_of(void)
{
    double sum = 0;
    for (int64_t i = 0; i < SCENE_N; i++)
        sum += scene_x(i) * scene_y(i);
    return sum;
}

static double norm_of(void)
{
    double sum = 0;
    for (int64_t i = 0; i < SCENE_N; i++)
        sum += scene_x(i) * scene_x(i);
    return sqrt(sum);
}

static bool close_to(double got, double want)
{
    return fabs(got - want) <= 1e-14 * fabs(want);
}

/* y as the device has it must be a x + b y. */
static bool y_is(scene_stage *s, double a, double b)
{
    if (gable_get_vector(s->ctx, SCENE_N, sizeof(double), s->y, 1, s->host, 1) != GABLE_OK)
        return false;
    for (int64_t i = 0; i < SCENE_N; i++)
        if (!(s->host[i] == a * scene_x(i) + b * scene_y(i)))
            return false;
    return true;
}

static bool result_is(scene_stage *s, double want)
{
    double got = NAN;
    return gable_get_vector(s->ctx, 1, sizeof got, s->result, 1, &got, 1) == GABLE_OK &&
           close_to(got, want);
}

static bool y_untouched(scene_stage *s)
{
    return y_is(s, 0, 1);
}

/* ---- The routines --------------------------------------------------------------------------- */

static gable_status call_copy(scene_stage *s)
{
    return gable_dcopy(s->ctx, SCENE_N, s->x, 1, s->y, 1);
}

static bool copy_right(scene_stage *s)
{
    return y_is(s, 1, 0);
}

static gable_status call_axpy(scene_stage *s)
{
    return gable_daxpy(s->ctx, SCENE_N, 2, s->x, 1, s->y, 1);
}

static bool axpy_right(scene_stage *s)
{
    return y_is(s, 2, 1);
}

static gable_status prepare_alpha(scene_stage *s)
{
    const double alpha = 2;
    return gable_set_vector(s->ctx, 1, sizeof alpha, &alpha, 1, s->result, 1);
}

static gable_status call_axpy_dev(scene_stage *s)
{
    return gable_daxpy_dev(s->ctx, SCENE_N, s->result, s->x, 1, s->y, 1);
}

static gable_status prepare_answer(scene_stage *s)
{
    s->answer = SCENE_UNTOUCHED;
    return GABLE_OK;
}

static bool answer_untouched(scene_stage *s)
{
    return s->answer == SCENE_UNTOUCHED;
}

static gable_status call_dot_host(scene_stage *s)
{
    return gable_ddot(s->ctx, SCENE_N, s->x, 1, s->y, 1, &s->answer);
}

static bool dot_host_right(scene_stage *s)
{
    return s->answer == dot_of();
}

static gable_status call_dot_none(scene_stage *s)
{
    return gable_ddot(s->ctx, 0, NULL, 1, NULL, 1, &s->answer);
}

static bool dot_none_right(scene_stage *s)
{
    return s->answer == 0;
}

static gable_status call_dot_device(scene_stage *s)
{
    return gable_ddot(s->ctx, SCENE_N, s->x, 1, s->y, 1, s->result);
}

static bool dot_device_right(scene_stage *s)
{
    return result_is(s, dot_of());
}

static gable_status call_nrm2_host(scene_stage *s)
{
    return gable_dnrm2(s->ctx, SCENE_N, s->x, 1, &s->answer);
}

static bool nrm2_host_right(scene_stage *s)
{
    return close_to(s->answer, norm_of());
}

static gable_status call_nrm2_device(scene_stage *s)
{
    return gable_dnrm2(s->ctx, SCENE_N, s->x, 1, s->result);
}

static bool nrm2_device_right(scene_stage *s)
{
    return result_is(s, norm_of());
}

/* ---- Memory --------------------------------------------------------------------------------- */

static gable_status call_alloc(scene_stage *s)
{
    return gable_alloc(s->ctx, 4096, &s->extra);
}

static bool alloc_right(scene_stage *s)
{
    return s->extra != NULL && gable_fill_bytes(s->ctx, s->extra, 1, 4096) == GABLE_OK;
}

static bool alloc_untouched(scene_stage *s)
{
    return s->extra == NULL;
}

static gable_status prepare_free(scene_stage *s)
{
    return gable_alloc(s->ctx, 4096, &s->extra);
}

static gable_status call_free(scene_stage *s)
{
    const gable_status status = gable_free(s->ctx, s->extra);
    if (status == GABLE_OK)
        s->extra = NULL;
    return status;
}

static gable_status call_set_small(scene_stage *s)
{
    double values[SCENE_N];
    for (int64_t i = 0; i < SCENE_N; i++)
        values[i] = scene_x(i);
    return gable_set_vector(s->ctx, SCENE_N, sizeof(double), values, 1, s->y, 1);
}

static gable_status call_get_small(scene_stage *s)
{
    return gable_get_vector(s->ctx, SCENE_N, sizeof(double), s->y, 1, s->host, 1);
}

static bool get_small_right(scene_stage *s)
{
    for (int64_t i = 0; i < SCENE_N; i++)
        if (s->host[i] != scene_y(i))
            return false;
    return true;
}

/* The big block on the host is a pattern; on the way there and back it must stay one. */
static const char *pattern_bytes(void)
{
    static char bytes[SCENE_BIG * 24];
    for (int64_t i = bytes[32] == 0 ? 0 : SCENE_BIG * 24; i < SCENE_BIG * 24; i++)
        bytes[i] = (char)(i * 131 >> 5);
    return bytes;
}

static void pattern(scene_stage *s)
{
    memcpy(s->host_big, pattern_bytes(), SCENE_BIG * 24);
}

static bool is_pattern(const scene_stage *s)
{
    return memcmp(s->host_big, pattern_bytes(), SCENE_BIG * 24) == 0;
}

static gable_status call_set_big(scene_stage *s)
{
    pattern(s);
    const gable_status status = gable_set_vector(s->ctx, SCENE_BIG, 24, s->host_big, 1, s->big, 1);
    memset(s->host_big, 0, (size_t)SCENE_BIG * 24); /* it may be reused when set_ returns */
    return status;
}

static bool big_right(scene_stage *s)
{
    return gable_get_vector(s->ctx, SCENE_BIG, 24, s->big, 1, s->host_big, 1) == GABLE_OK &&
           is_pattern(s);
}

static gable_status prepare_big(scene_stage *s)
{
    return call_set_big(s);
}

static gable_status call_get_big(scene_stage *s)
{
    return gable_get_vector(s->ctx, SCENE_BIG, 24, s->big, 1, s->host_big, 1);
}

static bool host_big_right(scene_stage *s)
{
    return is_pattern(s);
}

/* A matrix of 24-byte elements, 1000 rows in columns of 1024, on both sides. */
#define ROWS    1000
#define LEADING 1024
#define COLUMNS (SCENE_BIG / LEADING)

static gable_status call_set_matrix(scene_stage *s)
{
    pattern(s);
    return gable_set_matrix(s->ctx, ROWS, COLUMNS, 24, s->host_big, LEADING, s->big, LEADING);
}

static bool matrix_right(scene_stage *s)
{
    memset(s->host_big, 0, (size_t)SCENE_BIG * 24);
    if (gable_get_matrix(s->ctx, ROWS, COLUMNS, 24, s->big, LEADING, s->host_big, LEADING) !=
        GABLE_OK)
        return false;
    for (int64_t j = 0; j < COLUMNS; j++) {
        const char *const column = s->host_big + j * LEADING * 24;
        if (memcmp(column, pattern_bytes() + j * LEADING * 24, ROWS * 24) != 0)
            return false;
        for (int64_t i = ROWS * 24; i < LEADING * 24; i++)
            if (column[i] != 0)
                return false;
    }
    return true;
}

static gable_status call_get_matrix(scene_stage *s)
{
    return gable_get_matrix(s->ctx, ROWS, COLUMNS, 24, s->big, LEADING, s->host_big, LEADING);
}

static gable_status call_copy_bytes(scene_stage *s)
{
    return gable_copy_bytes(s->ctx, s->y, s->x, SCENE_N * sizeof(double));
}

static gable_status call_fill_bytes(scene_stage *s)
{
    return gable_fill_bytes(s->ctx, s->y, 0, SCENE_N * sizeof(double));
}

static bool fill_right(scene_stage *s)
{
    return y_is(s, 0, 0);
}

static gable_status call_reserve(scene_stage *s)
{
    return gable_reserve(s->ctx, (size_t)5 << 20);
}

static bool reserve_right(scene_stage *s)
{
    return s->ctx->own_arena.count > 0 &&
           s->ctx->own_arena.chunks[s->ctx->own_arena.count - 1].bytes >= (size_t)5 << 20;
}

static gable_status call_sync(scene_stage *s)
{
    return gable_sync(s->ctx);
}

static gable_status call_wait(scene_stage *s)
{
    return gable_wait(s->ctx, s->other);
}

/* ---- Timers --------------------------------------------------------------------------------- */

static gable_status call_timer_create(scene_stage *s)
{
    return gable_timer_create(s->ctx, &s->timer);
}

static gable_status call_timer_start(scene_stage *s)
{
    return gable_timer_start(s->timer);
}

static gable_status call_timer_stop(scene_stage *s)
{
    return gable_timer_stop(s->timer);
}

static gable_status prepare_started(scene_stage *s)
{
    TRY(gable_timer_create(s->ctx, &s->timer));
    return gable_timer_start(s->timer);
}

static gable_status prepare_stopped(scene_stage *s)
{
    TRY(prepare_started(s));
    return gable_timer_stop(s->timer);
}

static gable_status call_timer_seconds(scene_stage *s)
{
    return gable_timer_seconds(s->timer, &s->seconds);
}

static bool seconds_right(scene_stage *s)
{
    return s->seconds == 0.5; /* the fake clock ticks at each mark */
}

/* ---- Recordings ----------------------------------------------------------------------------- */

static gable_status call_record_begin(scene_stage *s)
{
    return gable_record_begin(s->ctx);
}

static bool begin_right(scene_stage *s)
{
    return s->ctx->recording != NULL && gable_record_end(s->ctx, NULL) == GABLE_OK;
}

gable_status scene_prepare_recording(scene_stage *s)
{
    TRY(gable_record_begin(s->ctx));
    TRY(call_copy(s));
    s->steps = gbl_recording_position(s->ctx);
    return GABLE_OK;
}

bool scene_recording_untouched(scene_stage *s)
{
    return s->steps == 1 && gbl_recording_position(s->ctx) == s->steps &&
           s->ctx->arena == &s->ctx->recording->arena && s->ctx->recording->arena.used == 0;
}

/* Ends, replays, and looks at what the copy and the reduction after it made. */
static bool recorded_right(scene_stage *s, double (*want)(void))
{
    double sum = 0;
    for (int64_t i = 0; i < SCENE_N; i++)
        sum += scene_x(i) * scene_x(i);
    return gable_record_end(s->ctx, &s->recording) == GABLE_OK &&
           gable_replay(s->ctx, s->recording) == GABLE_OK && y_is(s, 1, 0) &&
           result_is(s, want != NULL ? want() : sum);
}

/* y is a copy of x by then. */
static bool recorded_dot_right(scene_stage *s)
{
    return recorded_right(s, NULL);
}

static bool recorded_nrm2_right(scene_stage *s)
{
    return recorded_right(s, norm_of);
}

static gable_status prepare_two_steps(scene_stage *s)
{
    TRY(scene_prepare_recording(s));
    return call_dot_device(s);
}

static gable_status call_record_end(scene_stage *s)
{
    return gable_record_end(s->ctx, &s->recording);
}

static bool end_untouched(scene_stage *s)
{
    return s->recording == NULL && s->ctx->recording == NULL && s->ctx->recordings == NULL &&
           s->ctx->arena == &s->ctx->own_arena;
}

static gable_status call_replay(scene_stage *s)
{
    return gable_replay(s->ctx, s->recording);
}

static gable_status prepare_replay(scene_stage *s)
{
    TRY(prepare_two_steps(s));
    return call_record_end(s);
}

static bool replay_right(scene_stage *s)
{
    return gable_replay(s->ctx, s->recording) == GABLE_OK && y_is(s, 1, 0) &&
           result_is(s, norm_of() * norm_of());
}

const scene scenes[] = {
    {.name = "copy",
     .routine = "gable_dcopy",
     .call = call_copy,
     .untouched = y_untouched,
     .right = copy_right},
    {.name = "axpy",
     .routine = "gable_daxpy",
     .call = call_axpy,
     .untouched = y_untouched,
     .right = axpy_right},
    {.name = "axpy_dev",
     .routine = "gable_daxpy_dev",
     .prepare = prepare_alpha,
     .call = call_axpy_dev,
     .untouched = y_untouched,
     .right = axpy_right},
    {.name = "dot host",
     .routine = "gable_ddot",
     .prepare = prepare_answer,
     .call = call_dot_host,
     .untouched = answer_untouched,
     .right = dot_host_right},
    {.name = "dot of nothing",
     .routine = "gable_ddot",
     .prepare = prepare_answer,
     .call = call_dot_none,
     .untouched = answer_untouched,
     .right = dot_none_right},
    {.name = "dot device",
     .routine = "gable_ddot",
     .call = call_dot_device,
     .right = dot_device_right},
    {.name = "nrm2 host",
     .routine = "gable_dnrm2",
     .prepare = prepare_answer,
     .call = call_nrm2_host,
     .untouched = answer_untouched,
     .right = nrm2_host_right},
    {.name = "nrm2 device",
     .routine = "gable_dnrm2",
     .call = call_nrm2_device,
     .right = nrm2_device_right},
    {.name = "alloc",
     .routine = "gable_alloc",
     .call = call_alloc,
     .untouched = alloc_untouched,
     .right = alloc_right},
    {.name = "free", .routine = "gable_free", .prepare = prepare_free, .call = call_free},
    {.name = "set small",
     .routine = "gable_set_vector",
     .call = call_set_small,
     .right = copy_right},
    {.name = "get small",
     .routine = "gable_get_vector",
     .call = call_get_small,
     .right = get_small_right},
    {.name = "set big",
     .routine = "gable_set_vector",
     .call = call_set_big,
     .right = big_right,
     .big = true},
    {.name = "get big",
     .routine = "gable_get_vector",
     .prepare = prepare_big,
     .call = call_get_big,
     .right = host_big_right,
     .big = true},
    {.name = "set matrix",
     .routine = "gable_set_matrix",
     .call = call_set_matrix,
     .right = matrix_right,
     .big = true},
    {.name = "get matrix",
     .routine = "gable_get_matrix",
     .prepare = call_set_matrix,
     .call = call_get_matrix,
     .right = matrix_right,
     .big = true},
    {.name = "copy bytes",
     .routine = "gable_copy_bytes",
     .call = call_copy_bytes,
     .untouched = y_untouched,
     .right = copy_right},
    {.name = "fill bytes",
     .routine = "gable_fill_bytes",
     .call = call_fill_bytes,
     .untouched = y_untouched,
     .right = fill_right},
    {.name = "reserve", .routine = "gable_reserve", .call = call_reserve, .right = reserve_right},
    {.name = "sync", .routine = "gable_sync", .call = call_sync},
    {.name = "wait", .routine = "gable_wait", .call = call_wait},
    {.name = "timer create", .routine = "gable_timer_create", .call = call_timer_create},
    {.name = "timer start",
     .routine = "gable_timer_start",
     .prepare = call_timer_create,
     .call = call_timer_start},
    {.name = "timer stop",
     .routine = "gable_timer_stop",
     .prepare = prepare_started,
     .call = call_timer_stop},
    {.name = "timer seconds",
     .routine = "gable_timer_seconds",
     .prepare = prepare_stopped,
     .call = call_timer_seconds,
     .right = seconds_right},
    {.name = "record begin",
     .routine = "gable_record_begin",
     .call = call_record_begin,
     .right = begin_right},
    {.name = "record dot",
     .routine = "gable_ddot",
     .prepare = scene_prepare_recording,
     .call = call_dot_device,
     .untouched = scene_recording_untouched,
     .right = recorded_dot_right},
    {.name = "record nrm2",
     .routine = "gable_dnrm2",
     .prepare = scene_prepare_recording,
     .call = call_nrm2_device,
     .untouched = scene_recording_untouched,
     .right = recorded_nrm2_right},
    {.name = "record end",
     .routine = "gable_record_end",
     .prepare = prepare_two_steps,
     .call = call_record_end,
     .untouched = end_untouched,
     .right = replay_right,
     .prepare_again = true},
    {.name = "replay",
     .routine = "gable_replay",
     .prepare = prepare_replay,
     .call = call_replay,
     .right = replay_right},
    {.name = NULL},
};
