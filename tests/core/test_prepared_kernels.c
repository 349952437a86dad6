/* test_prepared_kernels.c: kernels of calls are compiled before any of them runs, and all of them.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Random calls of every op on a pretended GPU, on which every kernel can be built and nothing runs.
 * Builds and launches are counted: after a preparation a call builds nothing, during one nothing is
 * launched. Where the compiled kernels refuse large groups, the kernels that calls take instead are
 * prepared, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/kernel_list.h"
#include "core/prepare.h"
#include "gable/inspect/dry_device.h"
#include "harness/check.h"
#include "tune/call_maker.h"

#define CALLS 20 /* of an op */

static const gbl_device_table *dry_table;
static atomic_int built, built_late, launched;
static atomic_int failing; /* the build of this number fails; 0: none */
static int most_items;     /* that built kernels run in; 0: any */

static gable_status build(gbl_device *device, const char *source, const char *const *macros,
                          const char *entry, gbl_code **code, gbl_message *message)
{
    const int number = atomic_fetch_add(&built, 1) + 1;
    if (atomic_load(&launched) > 0)
        atomic_fetch_add(&built_late, 1);
    if (number == atomic_load(&failing))
        return gbl_fail(message, GABLE_COMPILE_FAILED, "the log of %s", entry);
    const gable_status status = dry_table->build(device, source, macros, entry, code, message);
    if (status == GABLE_OK && most_items > 0 && (*code)->max_group > most_items)
        (*code)->max_group = most_items;
    return status;
}

static gable_status launch(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message)
{
    atomic_fetch_add(&launched, 1);
    return dry_table->launch(queue, spec, message);
}

static void forget(gable_context *ctx)
{
    gbl_choices_forget(ctx);
    gbl_kernels_forget(ctx->device);
    built = built_late = launched = 0;
}

/* ---- Prepared calls ---- */

static void prepare_op(gable_context *ctx, const gbl_op *op, int *prepared)
{
    uint64_t state = 7;
    for (int i = 0; i < CALLS; i++) {
        any_call call;
        random_call(&state, op, &call);
        complete_call(&state, op, &call);
        forget(ctx);
        if (!CHECK_OK(ctx, gable_prepare_begin(ctx)))
            return;
        gable_status status = gbl_op_run(ctx, op, &call);
        const gable_status end = gable_prepare_end(ctx);
        if (end == GABLE_NOT_SUPPORTED && most_items == 32) /* a kernel has no groups so small */
            status = end;
        else
            CHECK_OK(ctx, end);
        CHECK(launched == 0, "%d launches while calls were prepared", launched);
        if (status == GABLE_NOT_SUPPORTED || !CHECK_OK(ctx, status))
            continue;
        const int before = built;
        CHECK_OK(ctx, gbl_op_run(ctx, op, &call));
        CHECK(built == before, "%d kernels were prepared, and %d more compiled", before,
              built - before);
        *prepared += before;
    }
}

static void prepare_all(gable_context *ctx)
{
    static const int limits[] = {0, 512, 256, 32};
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        int prepared = 0;
        most_items = limits[k];
        for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++) {
            test_case("%s, kernels run in groups of %d at most (0: any)", (*op)->stem, most_items);
            prepare_op(ctx, *op, &prepared);
        }
        CHECK(prepared > 0, "no kernel was prepared");
    }
    most_items = 0;
}

/* ---- Composed routines ---- */

/* Unprepared: all kernels of the parts are there before the first launch. */
static void composed_first(gable_context *ctx)
{
    int several = 0;
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++) {
        uint64_t state = 3;
        for (int i = 0; i < CALLS; i++) {
            any_call call;
            gbl_choice choice;
            random_call(&state, *op, &call);
            complete_call(&state, *op, &call);
            test_case("call %d of %s", i, (*op)->stem);
            if (gbl_op_choose(ctx, *op, &call, &choice) != GABLE_OK ||
                choice.variant->parts == NULL)
                continue;
            forget(ctx);
            const gable_status status = gbl_op_run(ctx, *op, &call);
            if (status == GABLE_NOT_SUPPORTED || !CHECK_OK(ctx, status))
                continue;
            CHECK(built_late == 0, "%s: %d of %d kernels were compiled after the first launch",
                  choice.variant->name, built_late, built);
            several += built > 1;
        }
    }
    CHECK(several > 0, "no composed call has several kernels");
}

/* ---- Failures ---- */

static void failures(gable_context *ctx)
{
    double *x = NULL, *y = NULL, sum = -1;
    CHECK_OK(ctx, gable_alloc(ctx, 8000, (void **)&x));
    CHECK_OK(ctx, gable_alloc(ctx, 8000, (void **)&y));
    test_case("a kernel that is not compiled");
    forget(ctx);
    CHECK_OK(ctx, gable_prepare_begin(ctx));
    CHECK_OK(ctx, gable_ddot(ctx, 1000, x, 1, y, 1, &sum));
    CHECK_OK(ctx, gable_daxpy(ctx, 1000, 2, x, 1, y, 1));
    CHECK_OK(ctx, gable_dscal(ctx, 1000, 2, x, 1));
    CHECK(built == 0, "%d kernels were compiled before the end", built);
    failing = 2;
    CHECK_REFUSED(ctx, gable_prepare_end(ctx), GABLE_COMPILE_FAILED, "gable_prepare_end",
                  "the log of d");
    failing = 0;
    CHECK(built == 3, "%d kernels were tried", built);
    CHECK(sum == -1, "a result was written: %g", sum);
    CHECK_REFUSED(ctx, gable_prepare_end(ctx), GABLE_BAD_ARGUMENT, "gable_prepare_end",
                  "gable_prepare_begin");
    CHECK_OK(ctx, gable_daxpy(ctx, 1000, 2, x, 1, y, 1));
    CHECK_OK(ctx, gable_dscal(ctx, 1000, 2, x, 1));
    CHECK_OK(ctx, gable_ddot(ctx, 1000, x, 1, y, 1, x));
    CHECK(built == 4, "%d kernels were compiled: one failed, three are there", built);

    test_case("the first failure in the list is told");
    forget(ctx);
    gbl_kernel_spec specs[3];
    const gbl_kernel_spec *list[3];
    static const char *const files[] = {"dot.cl", "no-such.cl", "no-such-either.cl"};
    for (int i = 0; i < 3; i++) {
        memset(&specs[i], 0, sizeof specs[i]);
        specs[i].file = files[i];
        specs[i].dtype = GBL_D;
        list[i] = &specs[i];
    }
    gbl_message message = {"test", ""};
    CHECK(gbl_kernels_compile(ctx->device, list, 3, &message) != GABLE_OK &&
              strstr(message.text, "no-such.cl") != NULL,
          "the message is \"%s\"", message.text);
    CHECK(gbl_kernels_compile(ctx->device, list, 0, &message) == GABLE_OK, "nothing fails");
}

int main(void)
{
    gable_context *ctx = NULL;
    test_start("test_prepared_kernels");
    if (!CHECK_OK(ctx, dry_open(&ctx, "sm_90a")))
        return test_finish();
    gbl_device *device = ctx->device;
    dry_table = device->table;
    gbl_device_table watched = *dry_table;
    watched.build = build;
    watched.launch = launch;
    device->table = &watched;
    device->props.image_at_build = true;
    prepare_all(ctx);
    composed_first(ctx);
    failures(ctx);
    test_case("a context that is closed while calls are prepared");
    CHECK_OK(ctx, gable_prepare_begin(ctx));
    device->table = dry_table;
    dry_close(ctx);
    return test_finish();
}
