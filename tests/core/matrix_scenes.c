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

const scene matrix_scenes[] = {
    {"gemv", "gable_dgemv", NULL, call_gemv, untouched, right, false, false},
    {NULL, NULL, NULL, NULL, NULL, NULL, false, false},
};
