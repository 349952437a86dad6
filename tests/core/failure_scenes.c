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
static void pattern(scene_stage *s)
{
    for (int64_t i = 0; i < SCENE_BIG * 24; i++)
        s->host_big[i] = (char)(i * 131 >> 5);
}

static bool is_pattern(const scene_stage *s)
{
    for (int64_t i = 0; i < SCENE_BIG * 24; i++)
        if (s->host_big[i] != (char)(i * 131 >> 5))
            return false;
    return true;
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
    for (int64_t i = 0; i < SCENE_BIG * 24; i++) {
        const bool inside = i / 24 % LEADING < ROWS;
        if (s->host_big[i] != (inside ? (char)(i * 131 >> 5) : 0))
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
    {"copy", "gable_dcopy", NULL, call_copy, y_untouched, copy_right, false, false},
    {"axpy", "gable_daxpy", NULL, call_axpy, y_untouched, axpy_right, false, false},
    {"axpy_dev", "gable_daxpy_dev", prepare_alpha, call_axpy_dev, y_untouched, axpy_right, false,
     false},
    {"dot host", "gable_ddot", prepare_answer, call_dot_host, answer_untouched, dot_host_right,
     false, false},
    {"dot of nothing", "gable_ddot", prepare_answer, call_dot_none, answer_untouched,
     dot_none_right, false, false},
    {"dot device", "gable_ddot", NULL, call_dot_device, NULL, dot_device_right, false, false},
    {"nrm2 host", "gable_dnrm2", prepare_answer, call_nrm2_host, answer_untouched, nrm2_host_right,
     false, false},
    {"nrm2 device", "gable_dnrm2", NULL, call_nrm2_device, NULL, nrm2_device_right, false, false},
    {"alloc", "gable_alloc", NULL, call_alloc, alloc_untouched, alloc_right, false, false},
    {"free", "gable_free", prepare_free, call_free, NULL, NULL, false, false},
    {"set small", "gable_set_vector", NULL, call_set_small, NULL, copy_right, false, false},
    {"get small", "gable_get_vector", NULL, call_get_small, NULL, get_small_right, false, false},
    {"set big", "gable_set_vector", NULL, call_set_big, NULL, big_right, false, true},
    {"get big", "gable_get_vector", prepare_big, call_get_big, NULL, host_big_right, false, true},
    {"set matrix", "gable_set_matrix", NULL, call_set_matrix, NULL, matrix_right, false, true},
    {"get matrix", "gable_get_matrix", call_set_matrix, call_get_matrix, NULL, matrix_right, false,
     true},
    {"copy bytes", "gable_copy_bytes", NULL, call_copy_bytes, y_untouched, copy_right, false,
     false},
    {"fill bytes", "gable_fill_bytes", NULL, call_fill_bytes, y_untouched, fill_right, false,
     false},
    {"reserve", "gable_reserve", NULL, call_reserve, NULL, reserve_right, false, false},
    {"sync", "gable_sync", NULL, call_sync, NULL, NULL, false, false},
    {"wait", "gable_wait", NULL, call_wait, NULL, NULL, false, false},
    {"timer create", "gable_timer_create", NULL, call_timer_create, NULL, NULL, false, false},
    {"timer start", "gable_timer_start", call_timer_create, call_timer_start, NULL, NULL, false,
     false},
    {"timer stop", "gable_timer_stop", prepare_started, call_timer_stop, NULL, NULL, false, false},
    {"timer seconds", "gable_timer_seconds", prepare_stopped, call_timer_seconds, NULL,
     seconds_right, false, false},
    {"record begin", "gable_record_begin", NULL, call_record_begin, NULL, begin_right, false,
     false},
    {"record dot", "gable_ddot", scene_prepare_recording, call_dot_device,
     scene_recording_untouched, recorded_dot_right, false, false},
    {"record nrm2", "gable_dnrm2", scene_prepare_recording, call_nrm2_device,
     scene_recording_untouched, recorded_nrm2_right, false, false},
    {"record end", "gable_record_end", prepare_two_steps, call_record_end, end_untouched,
     replay_right, true, false},
    {"replay", "gable_replay", prepare_replay, call_replay, NULL, replay_right, false, false},
    {NULL, NULL, NULL, NULL, NULL, NULL, false, false},
};
