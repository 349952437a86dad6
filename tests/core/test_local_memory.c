/* test_local_memory.c: no plan asks for more local memory than its device gives a group.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every variant of every op runs calls in the forms of its description (call_forms.h) on pretended
 * devices of 32 and 48 KiB, with its fallback tunables, the least and the largest of each, the
 * model's starts and the built-in lines. Nothing is compiled: a kernel's own arrays are read from
 * its text (declared_local.h), what is asked for at a launch comes with it. Only tunables that the
 * op calls illegal for a call may ask for more. Kernels of solvers, of conversions and of roofs are
 * looked at as listed.
 */
#include <stdio.h>
#include <stdlib.h>
#include "core/kernel_args.h"
#include "blas/level1/level1.h"
#include "declared_local.h"
#include "expect.h"
#include "gable/inspect/call_forms.h"
#include "gable/inspect/dry_device.h"
#include "gemm_ladder.h"
#include "nvrtc/roof_specs.h"
#include "gmres_args.h"
#include "sparse/solver/gmres.h"
#include "sparse/matrix/sparse_specs.h"
#include "tune/builtin.h"

#define MOST_SETS   96   /* of tunables */
#define MANY_FORMS  20   /* that a variant runs with its fallback tunables */
#define OTHER_FORMS 4    /* and with others */
#define HOP         7919 /* from one form to the next: a prime, so that all digits change */

typedef struct pretended {
    const char *name;
    gbl_props props;
    int64_t
        taken; /* bytes that the compiler adds: 16 on an H200 through NVIDIA's OpenCL (2026-11) */
    bool cuda;
} pretended;

#define GPU                                                                                        \
    .is_gpu = true, .fence_device = true, .units = 132, .simd = 32, .max_group = 1024,             \
    .cache_bytes = 50 << 20
static const pretended devices[] = {
    {.name = "an OpenCL GPU of 48 KiB", .props = {GPU, .max_local_bytes = 48 << 10}, .taken = 16},
    {.name = "an OpenCL GPU of 32 KiB", .props = {GPU, .max_local_bytes = 32 << 10}, .taken = 16},
    {.name = "an OpenCL GPU of 32 KiB without fences",
     .props =
         {.is_gpu = true, .units = 8, .simd = 64, .max_group = 256, .max_local_bytes = 32 << 10},
     .taken = 16},
    {.name = "an OpenCL CPU of 32 KiB",
     .props = {.fence_device = true,
               .units = 8,
               .simd = 1,
               .max_group = 4096,
               .max_local_bytes = 32 << 10},
     .taken = 16},
    {.name = "a CUDA GPU of 48 KiB",
     .props = {GPU, .max_local_bytes = 48 << 10, .max_dynamic_local_bytes = 48 << 10},
     .cuda = true},
    {.name = "a CUDA GPU of 227 KiB",
     .props = {GPU, .max_local_bytes = 48 << 10, .max_dynamic_local_bytes = 227 << 10,
               .max_cluster = 16, .max_tensor_maps = GBL_MAX_MAPS},
     .cuda = true},
};
#define DEVICES ((int)(sizeof devices / sizeof devices[0]))

static const pretended *now; /* the device of the run */
static int64_t asked;        /* the most that a launch of the call asked for beyond the limit */
static char asker[GBL_ENTRY_BYTES];
static bool told; /* of this variant in this precision */
static long launches, kernels;

/* ---- The device ---- */

static gable_status build(gbl_device *device, const char *source, const char *const *macros,
                          const char *entry, gbl_code **code, gbl_message *message)
{
    char why[DECLARED_WHY_BYTES];
    const int64_t bytes = declared_local(source, macros, now->cuda, why);
    if (bytes < 0)
        return gbl_fail(message, GABLE_COMPILE_FAILED, "%s: %s", entry, why);
    *code = calloc(1, sizeof **code);
    if (*code == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory for %s", entry);
    **code = (gbl_code){.device = device,
                        .registers = -1,
                        .spill_bytes = -1,
                        .local_bytes = (int)(bytes + now->taken),
                        .max_group = device->props.max_group};
    kernels++;
    return GABLE_OK;
}

static void unload(gbl_code *code)
{
    free(code);
}

static void look(const char *name, int64_t fixed, int64_t more)
{
    const gbl_props *props = &now->props;
    const int64_t over = fixed - (int64_t)props->max_local_bytes,
                  all_over =
                      fixed + more -
                      (int64_t)(props->max_dynamic_local_bytes > 0 ? props->max_dynamic_local_bytes
                                                                   : props->max_local_bytes),
                  most = over > all_over ? over : all_over;
    if (most > asked) {
        asked = most;
        snprintf(asker, sizeof asker, "%s", name);
    }
}

static gable_status launch(gbl_queue *queue, const gbl_launch_spec *spec, gbl_message *message)
{
    (void)queue, (void)message;
    look(spec->name, spec->code->local_bytes, (int64_t)spec->dynamic_local_bytes);
    launches++;
    return GABLE_OK;
}

static gable_context *open_pretended(const pretended *device)
{
    static gbl_device_table table;
    gable_context *ctx = NULL;
    now = device;
    if (dry_open(&ctx, device->props.max_tensor_maps > 0 ? "sm_90a" : "sm_75") != GABLE_OK) {
        EXPECT(false, "%s does not open: %s", device->name, gable_message(ctx));
        return ctx;
    }
    const gbl_props dry = ctx->device->props;
    table = *ctx->device->table;
    table.build = build;
    table.unload = unload;
    table.launch = launch;
    ctx->device->table = &table;
    ctx->device->props = device->props;
    ctx->device->props.memory_bytes = dry.memory_bytes;
    snprintf(ctx->device->props.family, sizeof dry.family, "%s",
             !device->cuda ? "opencl" : dry.family);
    if (!device->cuda)
        ctx->device->info.arch[0] = '\0';
    return ctx;
}

/* ---- Tunables ---- */

static int add_set(gbl_params *list, int count, const gbl_params *params)
{
    for (int i = 0; i < count; i++)
        if (memcmp(&list[i], params, sizeof *params) == 0)
            return count;
    if (count < MOST_SETS)
        list[count] = *params;
    return count < MOST_SETS ? count + 1 : count;
}

static int sets_of(const gbl_op *op, const gbl_variant *variant, gbl_dtype dtype,
                   gbl_params list[MOST_SETS])
{
    gbl_params fallback, least, most;
    int count = 0, lines;
    gbl_params_fallback(variant, &fallback);
    least = most = fallback;
    count = add_set(list, count, &fallback);
    for (int p = 0; p < variant->space_count; p++) {
        const gbl_param *param = &variant->space[p];
        gbl_params one = fallback;
        least.value[p] = one.value[p] = param->values[0];
        count = add_set(list, count, &one);
        most.value[p] = one.value[p] = param->values[param->count - 1];
        count = add_set(list, count, &one);
    }
    count = add_set(list, count, &least);
    count = add_set(list, count, &most);
    for (int i = 0; i < variant->start_count; i++)
        count = add_set(list, count, &variant->starts[i]);
    const gbl_builtin *builtin = gbl_builtins(op, &lines);
    for (int i = 0; i < lines; i++)
        if (builtin[i].variant == variant && builtin[i].dtype == dtype)
            count = add_set(list, count, &builtin[i].params);
    return count;
}

/* ---- Ops ---- */

/* What a variant calls runs in the first way that fits: it is looked at by itself. */
static void choose(gable_context *ctx, const gbl_question *question, gbl_choice *choice)
{
    const gbl_op *op = question->of.op;
    for (int i = 0; i < op->variant_count; i++) {
        const gbl_variant *variant = &op->variants[i];
        if (variant->vendor || !variant->fits(variant, question->call, ctx->device))
            continue;
        choice->variant = variant;
        gbl_params_fallback(variant, &choice->params);
        return;
    }
}

static void run_form(gable_context *ctx, const gbl_op *op, const gbl_variant *variant,
                     gbl_dtype dtype, int number, const gbl_params *params)
{
    static const gbl_scalar values[GBL_VECTOR_VALUES];
    form_call call;
    uint64_t plan;
    form_make(op, dtype, number, &call);
    if (strcmp(op->stem, "maxpy") == 0) /* the host reads those that are given by value */
        ((gbl_vector_call *)(void *)call.bytes)->values = values;
    if (!variant->fits(variant, &call, ctx->device))
        return;
    asked = 0;
    ctx->choices.forced[0] =
        (gbl_forced){.op = op, .variant = variant, .params = *params, .set = ~0u};
    ctx->choices.forced_count = 1;
    const gable_status status = gbl_op_run(ctx, op, &call);
    const bool legal =
        variant->legal == NULL || variant->legal(variant, &call, params, ctx->device, &plan);
    EXPECT(status == GABLE_OK || !legal || told, "%s: %s=%s in %c, form %d: %s", now->name,
           op->stem, variant->name, "sdcz"[dtype], number, gable_message(ctx));
    if (asked == 0 || !legal || told)
        return;
    told = true; /* one line is enough */
    char text[256] = "";
    for (int p = 0; p < variant->space_count; p++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ":%s=%d", variant->space[p].name,
                 (int)params->value[p]);
    EXPECT(false, "%s: %s=%s%s in %c, form %d: %s asks for %lld bytes of local memory too many",
           now->name, op->stem, variant->name, text, "sdcz"[dtype], number, asker,
           (long long)asked);
}

static void run_variant(gable_context *ctx, const gbl_op *op, const gbl_variant *variant)
{
    gbl_params sets[MOST_SETS];
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        if (!gbl_op_has(op, (gbl_dtype)dtype))
            continue;
        const int count = sets_of(op, variant, (gbl_dtype)dtype, sets);
        const int forms = form_count(op, (gbl_dtype)dtype);
        told = false;
        /* Of other tunables s and z are enough: the least and the most bytes. */
        for (int set = 0; set < (dtype == GBL_D || dtype == GBL_C ? 1 : count); set++) {
            const int most = set == 0 ? MANY_FORMS : OTHER_FORMS;
            for (int i = 0; i < forms && i < most; i++)
                run_form(ctx, op, variant, (gbl_dtype)dtype,
                         forms <= most ? i : (int)((int64_t)i * HOP % forms), &sets[set]);
        }
    }
}

/* ---- Kernels of no op ---- */

static void look_at(gable_context *ctx, const gbl_kernel_spec *spec)
{
    gbl_kernel *kernel;
    if (strstr(spec->file, ".cu") != NULL && now->props.max_tensor_maps == 0)
        return;
    asked = 0;
    if (!EXPECT(gbl_kernel_get(ctx->device, spec, &kernel, &ctx->message) == GABLE_OK, "%s: %s",
                spec->file, gable_message(ctx)))
        return;
    look(spec->file, kernel->code->local_bytes, 0);
    EXPECT(asked == 0, "%s: %s in %c asks for %lld bytes of local memory too many", now->name,
           spec->file, "sdcz"[spec->dtype], (long long)asked);
}

/* Those of GMRES are planned for the device. */
static void look_at_gmres(gable_context *ctx, gbl_dtype dtype)
{
    static const int64_t cycles[] = {30, GMRES_MOST};
    for (int i = 0; i < 2; i++) {
        gbl_gmres cycle;
        gbl_gmres_shape(ctx->device, dtype, 1000000, cycles[i], &cycle);
        for (int which = 0; which < GBL_GMRES_KERNELS; which++) {
            gbl_kernel_spec spec;
            gbl_gmres_spec(&cycle, (gbl_gmres_kernel)which, &spec);
            look_at(ctx, &spec);
        }
    }
}

static void look_at_others(gable_context *ctx)
{
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        gbl_kernel_spec roofs[ROOF_SPECS];
        int count = roof_specs((gbl_dtype)dtype, roofs);
        for (int i = 0; i < count; i++)
            look_at(ctx, &roofs[i]);
        count = gbl_sparse_specs((gbl_dtype)dtype, NULL);
        gbl_kernel_spec *specs = calloc((size_t)count, sizeof *specs);
        EXPECT(specs != NULL, "no memory");
        if (specs == NULL)
            return;
        gbl_sparse_specs((gbl_dtype)dtype, specs);
        for (int i = 0; i < count; i++)
            if (now->cuda || strncmp(specs[i].file, "gmres_", 6) != 0)
                look_at(ctx, &specs[i]);
        free(specs);
        look_at_gmres(ctx, (gbl_dtype)dtype);
    }
}

/* make check has every other device, make check-deep the rest ("more"). */
int main(int argc, char **argv)
{
    const bool more = argc > 1 && strcmp(argv[1], "more") == 0;
    EXPECT(gemm_ladder_add(), "the rungs of gemm are not added");
    for (int i = more ? 0 : 1; i < DEVICES; i += 2) {
        gable_context *ctx = open_pretended(&devices[i]);
        if (ctx == NULL || ctx->device == NULL)
            continue;
        gbl_install_choose(choose);
        launches = kernels = 0;
        for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++)
            for (int v = 0; v < (*op)->variant_count; v++)
                if ((*op)->variants[v].specs != NULL)
                    run_variant(ctx, *op, &(*op)->variants[v]);
        ctx->choices.forced_count = 0;
        look_at_others(ctx);
        printf("%s: %ld kernels, %ld launches\n", now->name, kernels, launches);
        EXPECT(launches > 1000, "%s: %ld launches are too few", now->name, launches);
        dry_close(ctx);
    }
    return expect_summary("test_local_memory");
}
