/* failure_scenes.h: the public calls that test_failures.c makes fail, each on a small stage.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef FAILURE_SCENES_H
#define FAILURE_SCENES_H

#include <stdbool.h>
#include "gable/gable.h"

#define SCENE_N       100
#define SCENE_COLUMNS 10
#define SCENE_BIG     ((int64_t)3 << 17) /* 9 MB in pieces of 24 bytes: four stages full, or more */

/* What a scene plays with. x and y hold SCENE_N doubles on the device, big BIG pieces of 24 bytes.
 */
typedef struct scene_stage {
    gable_context *ctx, *other;
    double *x, *y, *result;
    char *big;
    char *host_big;
    void *extra; /* memory a scene took */
    double host[SCENE_N];
    double answer; /* results in host memory */
    double answers[SCENE_COLUMNS];
    int64_t position;
    gable_recording *recording;
    gable_timer *timer;
    double seconds;
    int64_t steps; /* of the recording, before the call */
    int play;      /* of op_scenes */
} scene_stage;

/* Values of x and y, and what the routines make of them. */
double scene_x(int64_t i);
double scene_y(int64_t i);
#define SCENE_UNTOUCHED (-7.5)

typedef struct scene {
    const char *name;
    const char *routine;                     /* that its messages must name */
    gable_status (*prepare)(scene_stage *s); /* NULL: nothing */
    gable_status (*call)(scene_stage *s);
    bool (*untouched)(scene_stage *s); /* after a failure; NULL: nothing to see */
    bool (*right)(scene_stage *s);     /* after a success; NULL: nothing to see */
    bool prepare_again;                /* a failed call ends what prepare began */
    bool
        /* launches that change the output: a device that fails between them leaves a trace */
        several;
    bool big; /* needs the big blocks */
    int play; /* of op_scenes */
} scene;

/* All end with a NULL name. */
extern const scene scenes[], vector_scenes[];

/* One for each op, in op_scenes.c; NULL: there are too many. First of all a variant is looked for
 * whose kernels the device of a stage has, which is set up without `prepare`; false: there is none.
 * Then the right results are made; false: they could not be. */
const scene *op_scenes(void);
bool op_scene_find(scene_stage *s);
bool op_scene_make(const scene *play);
bool op_scene_known(const scene *play, bool fence_device);
/* Whether all kernels of the op are those of others that it calls, or come beside such calls. */
bool op_scene_composed(const scene *play);

/* A recording with one step, y := x, to which calls are added; and that it still is that. */
gable_status scene_prepare_recording(scene_stage *s);
bool scene_recording_untouched(scene_stage *s);

#endif
