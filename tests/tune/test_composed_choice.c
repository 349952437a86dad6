/* test_composed_choice.c: variants that call other ops are ranked by the sum of their parts; costs
 * are made up.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/call_class.h"
#include "tune_scene.h"

#define N (1 << 20)

/* ---- Costs ---- */

static double kernel_bytes[2]; /* of a kernel of each of the two variants */
static double kernel_count[2]; /* how often it runs; 0: the variant has no kernel of its own */
static double part_count[2];   /* calls of the op `part` */
static double part_bytes[2];   /* of its variants; 0: nothing is known */
static double plain_bytes;     /* of a variant that calls nothing */
static int asked;              /* how often parts were asked for */

static void made_work(const void *call, gbl_work *work)
{
    (void)call;
    *work = (gbl_work){1e9, 0, 0};
}

static bool made_fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call, (void)device;
    return true;
}

/* All groups busy and enough on its way: time goes with the bytes. */
static gbl_cost cost_of(double bytes, const gbl_device *device)
{
    return (gbl_cost){.memory_bytes = bytes,
                      .launches = 1,
                      .groups = 1000 * device->props.units,
                      .group_items = bytes > 0 ? 256 : 0,
                      .bytes_in_flight = 1e6};
}

static void part_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                      const gbl_device *device, gbl_cost *cost)
{
    (void)call, (void)params;
    *cost = cost_of(part_bytes[*(const int *)self->detail], device);
}

static void plain_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost)
{
    (void)self, (void)call, (void)params;
    *cost = cost_of(plain_bytes, device);
}

/* What they come to, without the groups. */
static void whole_cost(const gbl_variant *self, const void *call, const gbl_params *params,
                       const gbl_device *device, gbl_cost *cost)
{
    (void)self, (void)call, (void)params, (void)device;
    *cost = (gbl_cost){.memory_bytes = 1e9, .launches = 2};
}

/* ---- Ops ---- */

static uint64_t key_of(const void *call)
{
    return gbl_call_key(&gbl_copy_op, call);
}

static const int which[] = {0, 1};
#define MADE(name_, cost_, which_)                                                                 \
    .name = name_, .deterministic = true, .fits = made_fits, .cost = cost_, .detail = &which[which_]

static const gbl_variant part_variants[] = {{MADE("slow", part_cost, 0)},
                                            {MADE("quick", part_cost, 1)}};
static const gbl_op part_op = {.stem = "part",
                               .layout = &gbl_vector_layout,
                               .work = made_work,
                               .key = key_of,
                               .variants = part_variants,
                               .variant_count = 2};

static int parts_of(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const int i = *(const int *)self->detail;
    int count = 0;
    (void)params;
    asked++;
    if (kernel_count[i] > 0) {
        parts[count].op = NULL;
        parts[count].count = kernel_count[i];
        parts[count++].cost = cost_of(kernel_bytes[i], device);
    }
    if (part_count[i] > 0) {
        parts[count].op = &part_op;
        parts[count].count = part_count[i];
        memcpy(parts[count++].call, call, sizeof(gbl_vector_call));
    }
    return count;
}

static const gbl_variant whole_variants[] = {
    {MADE("plain", plain_cost, 0)},
    {MADE("first", whole_cost, 0), .parts = parts_of},
    {MADE("last", whole_cost, 1), .parts = parts_of},
};
static const gbl_op whole_op = {.stem = "whole",
                                .layout = &gbl_vector_layout,
                                .work = made_work,
                                .key = key_of,
                                .variants = whole_variants,
                                .variant_count = 3};
static const gbl_op alone_op = {.stem = "alone",
                                .layout = &gbl_vector_layout,
                                .work = made_work,
                                .key = key_of,
                                .variants = &whole_variants[2],
                                .variant_count = 1};

/* ---- Tests ---- */

static void expect(gable_context *ctx, const char *variant, const char *what)
{
    const gbl_vector_call call = scene_vectors(N);
    gbl_choice choice = {.variant = NULL, .params = {{0}}};
    gbl_match match;
    gbl_tune_choose_why(ctx, &whole_op, &call, &choice, &match);
    CHECK(match == GBL_MATCH_MODEL && choice.variant != NULL &&
              strcmp(choice.variant->name, variant) == 0,
          "%s: %s, expected %s", what, choice.variant != NULL ? choice.variant->name : "none",
          variant);
}

static void test_kernels(gable_context *ctx)
{
    test_case("parts that are kernels");
    plain_bytes = 1e12;
    kernel_bytes[0] = kernel_bytes[1] = 1e9;
    kernel_count[0] = 10;
    kernel_count[1] = 20;
    expect(ctx, "first", "half as many launches");
    kernel_count[0] = 19;
    expect(ctx, "last", "5 % fewer launches");
    kernel_count[0] = 30;
    expect(ctx, "last", "more launches");
    plain_bytes = 1e10;
    expect(ctx, "plain", "a variant that calls nothing and is twice as fast");
    kernel_bytes[1] = 0;
    expect(ctx, "last", "a kernel of which nothing is known");
    kernel_bytes[1] = 1e9;
    plain_bytes = 1e12;
}

/* Of parts that are calls the fastest variant counts. */
static void test_calls(gable_context *ctx)
{
    test_case("parts that are calls");
    part_count[0] = 5;
    part_bytes[0] = 1e9;
    part_bytes[1] = 9e9;
    kernel_count[0] = 10;
    kernel_count[1] = 20;
    expect(ctx, "first", "ten launches and five calls like them, against twenty launches");
    part_count[0] = 15;
    expect(ctx, "last", "ten launches and fifteen calls, against twenty launches");
    part_count[0] = 5;
    part_bytes[0] = 9e9;
    expect(ctx, "last", "ten launches and five calls that are all slow, against twenty launches");
    part_bytes[0] = 1e9;
    part_bytes[1] = 0;
    expect(ctx, "last", "calls of which nothing is known");
    part_count[0] = 0;
    part_bytes[1] = 9e9;
}

/* Where there is nothing to choose nobody asks. */
static void test_alone(gable_context *ctx)
{
    const gbl_vector_call call = scene_vectors(N);
    gbl_choice choice = {.variant = NULL, .params = {{0}}};
    gbl_match match;
    test_case("one variant alone");
    asked = 0;
    gbl_tune_choose_why(ctx, &alone_op, &call, &choice, &match);
    CHECK(choice.variant == alone_op.variants && asked == 0, "its parts were asked for %d times",
          asked);
}

int main(void)
{
    test_start("test_composed_choice");
    scene_start();
    scene_fresh();
    gable_context *ctx = scene_context(&scene_gpu);
    test_kernels(ctx);
    test_calls(ctx);
    test_alone(ctx);
    free(ctx);
    scene_end();
    return test_finish();
}
