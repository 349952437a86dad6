/* doctor_smoke.c: `gable doctor` computes something small on a device and checks it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * y := y + 2 x and then the sum of x_i y_i, with small integers: every order of summation gives the
 * same number, so any difference is a fault.
 */
#include <stdio.h>
#include <stdlib.h>
#include "doctor.h"
#include "gable/gable.h"
#include "gable/terminal.h"

#define LENGTH 1000

typedef struct trial {
    gable_context *ctx;
    double x[LENGTH], y[LENGTH], dot;
    void *dx, *dy;
} trial;

static gable_status compute(trial *t)
{
    gable_context *ctx = t->ctx;
    TRY(gable_alloc(ctx, sizeof t->x, &t->dx));
    TRY(gable_alloc(ctx, sizeof t->y, &t->dy));
    TRY(gable_set_vector(ctx, LENGTH, sizeof t->x[0], t->x, 1, t->dx, 1));
    TRY(gable_set_vector(ctx, LENGTH, sizeof t->y[0], t->y, 1, t->dy, 1));
    TRY(gable_daxpy(ctx, LENGTH, 2, t->dx, 1, t->dy, 1));
    TRY(gable_ddot(ctx, LENGTH, t->dx, 1, t->dy, 1, &t->dot));
    return gable_get_vector(ctx, LENGTH, sizeof t->y[0], t->dy, 1, t->y, 1);
}

/* "" when all is right. */
static void compare(const trial *t, char *text, size_t text_bytes)
{
    double sum = 0;
    text[0] = '\0';
    for (int i = 0; i < LENGTH; i++) {
        const double x = i % 7 - 3, y = i % 5 + 2 * x;
        sum += x * y;
        if (t->y[i] != y && text[0] == '\0')
            snprintf(text, text_bytes, "daxpy gave %g where %g belongs (element %d)", t->y[i], y,
                     i);
    }
    if (text[0] == '\0' && t->dot != sum)
        snprintf(text, text_bytes, "ddot gave %g where %g belongs", t->dot, sum);
}

/* done: the part of the devices that were tried before. */
static void try_device(const char *name, double done)
{
    char text[160], cure[160];
    trial *t = calloc(1, sizeof *t);
    if (t == NULL)
        return;
    for (int i = 0; i < LENGTH; i++) {
        t->x[i] = i % 7 - 3;
        t->y[i] = i % 5;
    }
    snprintf(text, sizeof text, "computing on %.100s", name);
    terminal_progress_now(text, done);
    snprintf(cure, sizeof cure, "GABLE_DEBUG=sync,log gable doctor --device %.64s", name);
    const double start = terminal_now();
    if (gable_open(&t->ctx, name) != GABLE_OK) {
        doctor_tell(DOCTOR_PROBLEM, "smoke test", "gable info", "%s: %s", name,
                    gable_message(t->ctx));
    } else if (compute(t) != GABLE_OK) {
        doctor_tell(DOCTOR_PROBLEM, "smoke test", cure, "%s: %s", name, gable_message(t->ctx));
    } else {
        compare(t, text, sizeof text);
        if (text[0] != '\0')
            doctor_tell(DOCTOR_PROBLEM, "smoke test", cure, "%s: %s", name, text);
        else
            doctor_tell(DOCTOR_OK, "smoke test", NULL,
                        "%s: daxpy and ddot are right, %.2f s with all that "
                        "a first call does",
                        name, terminal_now() - start);
    }
    if (t->ctx != NULL) {
        gable_free(t->ctx, t->dx);
        gable_free(t->ctx, t->dy);
    }
    gable_close(t->ctx);
    free(t);
}

void doctor_default_device(void)
{
    gable_context *ctx = NULL;
    gable_device_info info;
    const char *named = getenv("GABLE_DEVICE");
    const bool set = named != NULL && named[0] != '\0';
    if (gable_open(&ctx, NULL) == GABLE_OK && gable_context_describe(ctx, &info) == GABLE_OK)
        doctor_tell(DOCTOR_OK, "default device", NULL, "%s%s%s", info.name,
                    set ? ", by GABLE_DEVICE=" : "", set ? named : "");
    else
        doctor_tell(DOCTOR_PROBLEM, "default device", set ? "unset GABLE_DEVICE" : "gable info",
                    "%s", gable_message(ctx));
    gable_close(ctx);
}

void doctor_smoke(const char *device)
{
    gable_device_info info;
    int usable = 0, tried = 0;
    terminal_progress_start();
    if (device != NULL) {
        try_device(device, 0);
        return;
    }
    for (int i = 0; i < gable_device_count(); i++)
        usable += gable_device_describe(i, &info) == GABLE_OK && info.usable;
    for (int i = 0; i < gable_device_count(); i++)
        if (gable_device_describe(i, &info) == GABLE_OK && info.usable)
            try_device(info.name, (double)tried++ / usable);
}
