/* test_host_driver.c: eigenvalues and singular values by the standard door on $GABLE_DEVICE, and
 * with failures at every step on the device of beside_device.h.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a driver does not name must be as it was, to the last bit.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "beside_device.h"
#include "core/expect.h"
#include "driver_problem.h"

#define N     DRIVER_MOST
#define S     0 /* letters */
#define D     1
#define Z     3
#define WRONG 6 /* the row of what is wrong */

typedef gable_status call_function(gable_context *ctx, const driver_args *a);
static const char letters[] = "sdcz";
static call_function *const calls[] = {driver_call_s, driver_call_d, driver_call_c, driver_call_z};

static driver_problem now, before;

static gable_status call(gable_context *ctx)
{
    driver_problem_load(&now);
    before = now;
    return calls[now.letter](ctx, &now.args);
}

static gable_context *open_with(const char *device, const char *memory, const char *policy)
{
    gable_context *ctx = NULL;
    setenv("GABLE_HOST_MEMORY", memory, 1);
    setenv("GABLE_HOST", policy, 1);
    const gable_status status = gable_open(&ctx, device);
    EXPECT(status == GABLE_OK, "%s: %s", device, gable_message(ctx));
    return ctx;
}

static void one_call(gable_context *ctx, int letter, driver_routine routine, int form)
{
    driver_problem_make(&now, letter, routine, form);
    const gable_status status = call(ctx);
    EXPECT(status == GABLE_OK && driver_problem_right(&now, &before), "%c routine %d form %d: %s",
           letters[letter], (int)routine, form, status == GABLE_OK ? "wrong" : gable_message(ctx));
}

static void every_routine(gable_context *ctx)
{
    for (int letter = 0; letter < 4; letter++)
        for (driver_routine routine = 0; routine < DRIVER_ROUTINES; routine++)
            for (int form = 0; form < driver_forms(routine); form++)
                one_call(ctx, letter, routine, form);
}

static void on_device(const char *device)
{
    gable_context *ctx = open_with(device, "", "");
    /* Kernels take long to compile there: those that tests of the routines have, too. */
    if (strncmp(device, "opencl", 6) != 0) {
        every_routine(ctx);
    } else {
        one_call(ctx, S, DRIVER_SYEVD, 0);
        one_call(ctx, S, DRIVER_SYEVX, 2);
        one_call(ctx, D, DRIVER_GESDD, 0);
    }
    EXPECT(strncmp(gable_last_device(ctx), device, 3) == 0, "ran on %s", gable_last_device(ctx));
    gable_close(ctx);
}

/* A matrix with a NaN, and a B that is not definite: info is LAPACK's, and nothing else is written.
 */
static void without_answer(gable_context *ctx)
{
    static const int bad[] = {-4, -5, -5, -4, -5};
    for (driver_routine routine = 0; routine < DRIVER_ROUTINES; routine++)
        for (int form = 0; form < driver_forms(routine); form++) {
            driver_problem_make(&now, form % 2 ? Z : D, routine, form);
            now.matrix.at[WRONG][WRONG].re = NAN;
            const gable_status status = call(ctx);
            EXPECT(status == GABLE_OK && now.info[0] == bad[routine] &&
                       driver_problem_untouched(&now, &before),
                   "routine %d form %d: info is %lld: %s", (int)routine, form,
                   (long long)now.info[0], gable_message(ctx));
        }
    driver_problem_make(&now, D, DRIVER_SYGVD, 0);
    now.second.at[WRONG][WRONG].re = -1;
    const gable_status status = call(ctx);
    EXPECT(status == GABLE_OK && now.info[0] == N + WRONG + 1 &&
               driver_problem_untouched(&now, &before),
           "info is %lld: %s", (long long)now.info[0], gable_message(ctx));
}

static void refuses(gable_context *ctx, const char *message)
{
    const gable_status status = driver_call_d(ctx, &now.args);
    EXPECT(status == GABLE_BAD_ARGUMENT && strstr(gable_message(ctx), message) != NULL, "%s",
           gable_message(ctx));
}

static void refusals(gable_context *ctx)
{
    driver_problem_make(&now, D, DRIVER_SYEVX, 4);
    before = now;
    now.args.found = NULL;
    refuses(ctx, "gable_host_dsyevx: argument 13 (m) is NULL");
    now.args.found = now.found;
    now.args.info = NULL;
    refuses(ctx, "argument 18 (info) is NULL");
    now.args.info = now.info;
    now.args.last = N + 1;
    refuses(ctx, "argument 11 (iu)");
    driver_problem_make(&now, D, DRIVER_GESVD, 4);
    before = now;
    now.args.job_b = GABLE_OVERWRITE;
    refuses(ctx, "gable_host_dgesvd: argument 3 (jobvt)");
    now.args.job_b = GABLE_SOME_VECTORS;
    now.args.ldvt = 1;
    refuses(ctx, "(ldvt)");
    EXPECT(driver_problem_untouched(&now, &before), "a call that was refused wrote");
    now.args.ldvt = DRIVER_LD;
    now.args.n = 0;
    const gable_status status = driver_call_d(ctx, &now.args);
    EXPECT(status == GABLE_OK && now.info[0] == 0 && driver_problem_untouched(&now, &before),
           "n = 0: info is %lld", (long long)now.info[0]);
    driver_problem_make(&now, D, DRIVER_SYEVX, 0);
    now.args.n = 0;
    EXPECT(driver_call_d(ctx, &now.args) == GABLE_OK && now.info[0] == 0 && now.found[0] == 0,
           "n = 0: %lld values", (long long)now.found[0]);
}

/* ---- Failures ---- */

/* Each operation in turn, in a context that has made its queues and in one that has not. */
static void fail_each(beside_kind kind)
{
    bool fired = true;
    gable_context *ctx = open_with("beside", "", "device");
    for (int nth = 1; fired && nth < 400; nth++) {
        beside_fail(kind, nth, false);
        const gable_status status = call(ctx);
        EXPECT(status == GABLE_OK ? driver_problem_right(&now, &before)
                                  : driver_problem_untouched(&now, &before) && now.info[0] == -7,
               "routine %d: operation %d of kind %d fails with status %d, and the arrays are %s",
               (int)now.args.routine, nth, (int)kind, (int)status,
               status == GABLE_OK ? "wrong" : "touched");
        fired = beside_fired();
        beside_fail(kind, 0, false);
        if (kind == BESIDE_COPY || kind == BESIDE_TASK || kind == BESIDE_MARK_WAIT)
            continue;
        gable_close(ctx);
        ctx = open_with("beside", "", "device");
    }
    EXPECT(!fired, "there is no end of failures");
    gable_close(ctx);
}

static void failures(void)
{
    for (driver_routine routine = 0; routine < DRIVER_ROUTINES; routine++)
        for (beside_kind kind = BESIDE_QUEUE; kind < BESIDE_KINDS; kind++) {
            driver_problem_make(&now, routine % 2 ? Z : D, routine, 4 % driver_forms(routine));
            fail_each(kind);
        }
}

/* Small matrices, and those that do not fit, are for the cpu where it may be used. */
static void choices(void)
{
    driver_problem_make(&now, D, DRIVER_GESDD, 0);
    gable_context *ctx = open_with("beside", "", "auto");
    EXPECT(call(ctx) == GABLE_OK && driver_problem_right(&now, &before), "%s", gable_message(ctx));
    EXPECT(strcmp(gable_last_device(ctx), "cpu") == 0, "ran on %s", gable_last_device(ctx));
    gable_close(ctx);
    const size_t large = 120; /* 115200 bytes */
    double *const A = calloc(large * large, sizeof *A), *const w = calloc(large, sizeof *w);
    int64_t info = -7;
    ctx = open_with("beside", "64K", "device");
    EXPECT(gable_host_dsyevd(ctx, GABLE_NO_VECTORS, GABLE_LOWER, (int64_t)large, A, (int64_t)large,
                             w, &info) == GABLE_OUT_OF_MEMORY &&
               info == -7,
           "%s", gable_message(ctx));
    gable_close(ctx);
    free(w);
    free(A);
}

int main(void)
{
    const char *device = getenv("GABLE_DEVICE");
    device = device != NULL && device[0] != '\0' ? device : "cpu";
    on_device(device);
    if (strncmp(device, "opencl", 6) != 0) {
        beside_install();
        gable_context *ctx = open_with("beside", "", "");
        every_routine(ctx);
        without_answer(ctx);
        refusals(ctx);
        gable_close(ctx);
        choices();
        failures();
        beside_remove();
    }
    return expect_summary("test_host_driver");
}
