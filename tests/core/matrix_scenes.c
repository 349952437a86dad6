/* matrix_scenes.c: gemv among the calls that test_failures.c makes fail.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A is x, as a matrix of 10 by 10; y's first ten numbers are y, those from the fiftieth on the other vector.
 */
#include "failure_scenes.h"

#define ROWS  10
#define OTHER 50 /* where the vector starts in y */

static bool y_is(scene_stage *s, double alpha)
{
    if (gable_get_vector(s->ctx, SCENE_N, sizeof(double), s->y, 1, s->host, 1) != GABLE_OK)
        return false;
    bool same = true;
    for (int64_t i = 0; i < SCENE_N && same; i++) {
        double sum = 0;
        for (int64_t j = 0; i < ROWS && j < ROWS; j++)
            sum += scene_x(j * ROWS + i) * scene_y(OTHER + j);
        same = s->host[i] == alpha * sum + scene_y(i);
    }
    return same;
}

static gable_status call_gemv(scene_stage *s)
{
    return gable_dgemv(s->ctx, GABLE_NO_TRANS, ROWS, ROWS, 2, s->x, ROWS, s->y + OTHER, 1, 1, s->y,
                       1);
}

static bool untouched(scene_stage *s)
{
    return y_is(s, 0);
}

static bool right(scene_stage *s)
{
    return y_is(s, 2);
}

/* symv: the lower triangle of the same matrix, and the same vectors. */
static bool mirrored_is(scene_stage *s, double alpha)
{
    if (gable_get_vector(s->ctx, SCENE_N, sizeof(double), s->y, 1, s->host, 1) != GABLE_OK)
        return false;
    bool same = true;
    for (int64_t i = 0; i < SCENE_N && same; i++) {
        double sum = 0;
        for (int64_t j = 0; i < ROWS && j < ROWS; j++)
            sum += scene_x(j < i ? j * ROWS + i : i * ROWS + j) * scene_y(OTHER + j);
        same = s->host[i] == alpha * sum + scene_y(i);
    }
    return same;
}

static gable_status call_symv(scene_stage *s)
{
    return gable_dsymv(s->ctx, GABLE_LOWER, ROWS, 2, s->x, ROWS, s->y + OTHER, 1, 1, s->y, 1);
}

static bool mirrored_untouched(scene_stage *s)
{
    return mirrored_is(s, 0);
}

static bool mirrored_right(scene_stage *s)
{
    return mirrored_is(s, 2);
}

/* ger: the matrix is y, its vectors are x from the start and from OTHER on. */
static bool matrix_is(scene_stage *s, double alpha)
{
    if (gable_get_vector(s->ctx, SCENE_N, sizeof(double), s->y, 1, s->host, 1) != GABLE_OK)
        return false;
    bool same = true;
    for (int64_t i = 0; i < ROWS * ROWS && same; i++)
        same = s->host[i] == scene_y(i) + alpha * scene_x(i % ROWS) * scene_x(OTHER + i / ROWS);
    return same;
}

static gable_status call_ger(scene_stage *s)
{
    return gable_dger(s->ctx, ROWS, ROWS, 2, s->x, 1, s->x + OTHER, 1, s->y, ROWS);
}

static bool matrix_untouched(scene_stage *s)
{
    return matrix_is(s, 0);
}

static bool matrix_right(scene_stage *s)
{
    return matrix_is(s, 2);
}

/* Two products of 4 by 3: the matrices are x, two of whose columns each are left out. */
static bool products_are(scene_stage *s, double alpha)
{
    if (gable_get_vector(s->ctx, SCENE_N, sizeof(double), s->y, 1, s->host, 1) != GABLE_OK)
        return false;
    bool same = true;
    for (int64_t i = 0; i < SCENE_N && same; i++) {
        double sum = 0;
        for (int64_t j = 0; i < 8 && j < 3; j++)
            sum += scene_x(i / 4 * 5 * ROWS + j * ROWS + i % 4) * scene_y(OTHER + i / 4 * ROWS + j);
        same = s->host[i] == alpha * sum + scene_y(i);
    }
    return same;
}

static gable_status call_strided(scene_stage *s)
{
    return gable_dgemv_strided(s->ctx, GABLE_NO_TRANS, 4, 3, 2, s->x, ROWS, 5 * ROWS, s->y + OTHER,
                               1, ROWS, 1, s->y, 1, 4, 2);
}

static bool products_untouched(scene_stage *s)
{
    return products_are(s, 0);
}

static bool products_right(scene_stage *s)
{
    return products_are(s, 2);
}

/* trmv: the matrix is x, of which the lower triangle counts, the vector is y. */
static bool product_is(scene_stage *s, bool done)
{
    if (gable_get_vector(s->ctx, SCENE_N, sizeof(double), s->y, 1, s->host, 1) != GABLE_OK)
        return false;
    bool same = true;
    for (int64_t i = 0; i < SCENE_N && same; i++) {
        double sum = 0;
        for (int64_t j = 0; i < ROWS && j <= i; j++)
            sum += scene_x(j * ROWS + i) * scene_y(j);
        same = s->host[i] == (done && i < ROWS ? sum : scene_y(i));
    }
    return same;
}

static gable_status call_trmv(scene_stage *s)
{
    return gable_dtrmv(s->ctx, GABLE_LOWER, GABLE_NO_TRANS, GABLE_NON_UNIT, ROWS, s->x, ROWS, s->y,
                       1);
}

static bool vector_untouched(scene_stage *s)
{
    return product_is(s, false);
}

static bool product_right(scene_stage *s)
{
    return product_is(s, true);
}

/* geam: y, as a matrix of 10 by 10, becomes twice the transpose of x. */
static bool sum_is(scene_stage *s, bool made)
{
    if (gable_get_vector(s->ctx, SCENE_N, sizeof(double), s->y, 1, s->host, 1) != GABLE_OK)
        return false;
    bool same = true;
    for (int64_t i = 0; i < ROWS * ROWS && same; i++)
        same = s->host[i] == (made ? 2 * scene_x(i % ROWS * ROWS + i / ROWS) : scene_y(i));
    return same;
}

static gable_status call_geam(scene_stage *s)
{
    return gable_dgeam(s->ctx, GABLE_TRANS, GABLE_NO_TRANS, ROWS, ROWS, 2, s->x, ROWS, 0, NULL,
                       ROWS, s->y, ROWS);
}

static bool sum_untouched(scene_stage *s)
{
    return sum_is(s, false);
}

static bool sum_right(scene_stage *s)
{
    return sum_is(s, true);
}

const scene matrix_scenes[] = {
    {.name = "gemv",
     .routine = "gable_dgemv",
     .call = call_gemv,
     .untouched = untouched,
     .right = right},
    {.name = "symv",
     .routine = "gable_dsymv",
     .call = call_symv,
     .untouched = mirrored_untouched,
     .right = mirrored_right},
    {.name = "ger",
     .routine = "gable_dger",
     .call = call_ger,
     .untouched = matrix_untouched,
     .right = matrix_right},
    {.name = "gemv_strided",
     .routine = "gable_dgemv_strided",
     .call = call_strided,
     .untouched = products_untouched,
     .right = products_right},
    {.name = "trmv",
     .routine = "gable_dtrmv",
     .call = call_trmv,
     .untouched = vector_untouched,
     .right = product_right},
    {.name = "geam",
     .routine = "gable_dgeam",
     .call = call_geam,
     .untouched = sum_untouched,
     .right = sum_right},
    {.name = NULL},
};
