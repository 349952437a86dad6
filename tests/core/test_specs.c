/* test_specs.c: the kernels that a variant tells of a call are those that it runs the call with.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Random calls of every op run on pretended devices, on which every kernel can be built and nothing
 * runs. Kernels are forgotten before each call, so each kernel that is asked for is built, and
 * noted. Ops that a variant calls for a part of its work tell of their kernels themselves: theirs
 * are left out.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "core/kernel.h"
#include "gable/inspect/dry_device.h"
#include "gemm_ladder.h"
#include "harness/check.h"
#include "tune/call_maker.h"

#define MOST_BUILT 64
#define TEXT_BYTES 512

/* "ddot WX=256 ..." */
typedef struct built_kernel {
    char text[TEXT_BYTES];
} built_kernel;

/* Builders wait here for each other, where there must be several of them at once. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int awaited, here; /* nobody waits for 0 */
    bool alone;        /* somebody waited in vain */
} meeting = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void meet(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    pthread_mutex_lock(&meeting.lock);
    meeting.here++;
    pthread_cond_broadcast(&meeting.changed);
    while (meeting.here < meeting.awaited && !meeting.alone)
        meeting.alone = pthread_cond_timedwait(&meeting.changed, &meeting.lock, &until) != 0;
    pthread_mutex_unlock(&meeting.lock);
}

static built_kernel built[MOST_BUILT];
static int built_count, depth;
static const gbl_device_table *dry_table;

static void describe(const char *entry, const char *const *macros, built_kernel *kernel)
{
    int used = snprintf(kernel->text, TEXT_BYTES, "%s", entry);
    for (int i = 0; macros[i] != NULL && used < TEXT_BYTES; i++)
        used += snprintf(kernel->text + used, (size_t)(TEXT_BYTES - used), " %s", macros[i]);
}

static gable_status build(gbl_device *device, const char *source, const char *const *macros,
                          const char *entry, gbl_code **code, gbl_message *message)
{
    if (meeting.awaited > 0)
        meet();
    else if (depth == 1 && built_count < MOST_BUILT)
        describe(entry, macros, &built[built_count++]);
    return dry_table->build(device, source, macros, entry, code, message);
}

/* Ops within ops. */
static void observe(gable_context *ctx, const gbl_op *op, const void *call,
                    const gbl_choice *choice, bool begin, gable_status status)
{
    (void)ctx, (void)op, (void)call, (void)choice, (void)status;
    depth += begin ? 1 : -1;
}

/* ---- One call ---- */

static bool is_among(const built_kernel *one, const built_kernel *list, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(one->text, list[i].text) == 0)
            return true;
    return false;
}

static int told_of(const gbl_choice *choice, const void *call, const gbl_device *device,
                   built_kernel told[GBL_MAX_SPECS])
{
    gbl_kernel_spec specs[GBL_MAX_SPECS];
    const int count = choice->variant->specs(choice->variant, call, &choice->params, device, specs);
    CHECK(count >= 0 && count <= GBL_MAX_SPECS, "%s tells of %d kernels", choice->variant->name,
          count);
    for (int i = 0; i < count; i++) {
        gbl_macro_list macros;
        char entry[GBL_ENTRY_BYTES];
        gbl_kernel_macros(&specs[i], &macros);
        gbl_kernel_entry(&specs[i], entry);
        describe(entry, macros.list, &told[i]);
    }
    return count;
}

/* Runs a call. All kernels that were told of must be built; others only where the device refuses
 * groups, and then smaller ones are tried. Returns whether it could be compared. */
static bool compare(gable_context *ctx, const gbl_op *op, const gbl_choice *choice,
                    const void *call, bool refuses)
{
    built_kernel told[GBL_MAX_SPECS];
    if (gbl_force_choice(ctx, op, choice) != GABLE_OK)
        return false;
    gbl_kernels_forget(ctx->device);
    built_count = 0;
    const gable_status status = gbl_op_run(ctx, op, call);
    if (status == GABLE_NOT_SUPPORTED) /* a reduction whose lanes do not fit these tunables */
        return false;
    if (!CHECK_OK(ctx, status))
        return false;
    const int count = told_of(choice, call, ctx->device, told);
    for (int i = 0; i < count; i++)
        CHECK(is_among(&told[i], built, built_count), "%s=%s told of %s, and does not use it",
              op->stem, choice->variant->name, told[i].text);
    for (int i = 0; i < built_count && !refuses; i++)
        CHECK(is_among(&built[i], told, count), "%s=%s used %s, and did not tell of it", op->stem,
              choice->variant->name, built[i].text);
    return true;
}

/* ---- All of them ---- */

#define CALLS 200 /* of an op on a device */

/* Of them a variant sees so many. */
static int most_compared(void)
{
    return test_all() ? CALLS : test_small() ? 6 : 12;
}

/* The tunables of a variant: half of them any that it may have. */
static void random_params(uint64_t *state, const gbl_variant *variant, gbl_params *params)
{
    gbl_params_fallback(variant, params);
    for (int i = 0; i < variant->space_count; i++)
        if (random_below(state, 2) == 0)
            params->value[i] =
                variant->space[i].values[random_below(state, variant->space[i].count)];
}

static void compare_op(gable_context *ctx, const gbl_op *op, bool refuses, int *compared)
{
    const int most = most_compared();
    int here[GBL_MAX_VARIANTS] = {0};
    uint64_t state = 2026;
    CHECK_OK(ctx, gbl_force(ctx, NULL)); /* what was forced of an op before might be called here */
    for (int i = 0; i < CALLS; i++) {
        any_call call;
        random_call(&state, op, &call);
        complete_call(&state, op, &call);
        for (int k = 0; k < op->variant_count; k++) {
            gbl_choice choice = {.variant = &op->variants[k]};
            uint64_t plan;
            random_params(&state, choice.variant, &choice.params);
            if (here[k] < most && choice.variant->specs != NULL &&
                choice.variant->fits(choice.variant, &call, ctx->device) &&
                (choice.variant->legal == NULL ||
                 choice.variant->legal(choice.variant, &call, &choice.params, ctx->device, &plan)))
                here[k] += compare(ctx, op, &choice, &call, refuses);
        }
    }
    for (int k = 0; k < op->variant_count; k++)
        compared[k] += here[k];
}

/* ---- A first call ---- */

/* Several kernels of a call that is not known yet are compiled at once. */
static void compile_together(gable_context *ctx)
{
    int several = 0;
    ctx->device->props.image_at_build = true;
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++) {
        uint64_t state = 14;
        any_call call;
        gbl_choice choice;
        built_kernel told[GBL_MAX_SPECS];
        random_call(&state, *op, &call);
        complete_call(&state, *op, &call);
        gbl_choices_forget(ctx);
        test_case("the first call of %s", (*op)->stem);
        if (!CHECK_OK(ctx, gbl_op_choose(ctx, *op, &call, &choice)) ||
            choice.variant->specs == NULL || told_of(&choice, &call, ctx->device, told) < 2)
            continue;
        several++;
        gbl_choices_forget(ctx);
        gbl_kernels_forget(ctx->device);
        meeting.here = 0;
        meeting.awaited = 2;
        CHECK_OK(ctx, gbl_op_run(ctx, *op, &call));
        meeting.awaited = 0;
        CHECK(!meeting.alone, "its kernels are compiled one after the other");
    }
    CHECK(several > 0, "no call has several kernels");
}

/* A pretended GPU; one that refuses groups of more than 64; and a CPU. */
static const struct {
    const char *name;
    bool is_gpu, fence_device;
    int simd, max_group;
} devices[] = {{"a GPU", true, true, 32, 1024},
               {"a GPU with small groups", true, true, 32, 64},
               {"a CPU", false, false, 1, 1024}};
#define DEVICES ((int)(sizeof devices / sizeof devices[0]))

int main(void)
{
    gable_context *ctx = NULL;
    static int compared[GBL_MAX_OPS][GBL_MAX_VARIANTS];
    test_start("test_specs");
    CHECK(gemm_ladder_add(), "the rungs of gemm are not added");
    if (!CHECK_OK(ctx, dry_open(&ctx, "sm_90a")))
        return test_finish();
    const gbl_op *const *ops = gbl_op_list();
    gbl_device *device = ctx->device;
    dry_table = device->table;
    gbl_device_table watched = *dry_table;
    watched.build = build;
    device->table = &watched;
    gbl_install_observe(observe);
    for (int d = 0; d < DEVICES; d++) {
        device->props.is_gpu = devices[d].is_gpu;
        device->props.fence_device = devices[d].fence_device;
        device->props.simd = devices[d].simd;
        device->props.max_group = devices[d].max_group;
        for (int i = 0; ops[i] != NULL; i++) {
            test_case("%s on %s", ops[i]->stem, devices[d].name);
            compare_op(ctx, ops[i], devices[d].max_group < 1024, compared[i]);
        }
    }
    CHECK_OK(ctx, gbl_force(ctx, NULL));
    if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
        compile_together(ctx);
    for (int i = 0; ops[i] != NULL; i++)
        for (int k = 0; k < ops[i]->variant_count; k++) {
            const gbl_variant *variant = &ops[i]->variants[k];
            test_case("%s=%s", ops[i]->stem, variant->name);
            CHECK((variant->kernels == NULL) == (variant->specs == NULL),
                  "`kernels` and `specs` belong together");
            CHECK(variant->specs == NULL || compared[i][k] > 0, "no call of %d fits",
                  DEVICES * CALLS);
        }
    gbl_install_observe(NULL);
    device->table = dry_table;
    dry_close(ctx);
    return test_finish();
}
