/* dry_run.c: finds a call that a kernel is for, on a pretended GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing here knows a kernel or an op. Ops whose variants name the file are tried, that of the
 * kernel's name first, with calls from the plainest (long vectors, a large square matrix, all
 * aligned) to the rarer (call_forms.h). A variant tells which kernels it would run a call with.
 * Variants that are for CPUs are asked last. Kernels that measure the device belong to no op: these
 * are launched. Those of sparse matrices and solvers are listed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/roofs.h"
#include "dry_run.h"
#include "line_read.h"
#include "roof.h"
#include "sparse/matrix/sparse_specs.h"

#define ROOF_BYTES ((size_t)1 << 30)

/* ---- Calls of ops ---- */

/* Whether a variant compiles a file. */
static bool names(const gbl_variant *variant, const char *file)
{
    const size_t length = strlen(file);
    for (const char *at = variant->kernels; at != NULL; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, file, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

static void copy_spec(const gbl_kernel_spec *spec, dry_kernel *kernel)
{
    memset(kernel, 0, sizeof *kernel);
    gbl_kernel_entry(spec, kernel->entry);
    kernel->macro_count = spec->macro_count;
    for (int i = 0; i < spec->macro_count; i++) {
        snprintf(kernel->names[i], DRY_NAME_BYTES, "%s", spec->macros[i].name);
        kernel->values[i] = spec->macros[i].value;
    }
}

/* Whether the call, run as chosen, needs the kernel; then it is in *found. */
static bool needs(const gbl_device *device, const char *file, dry_found *found)
{
    const gbl_choice *choice = &found->choice;
    gbl_kernel_spec specs[GBL_MAX_SPECS];
    const int count =
        choice->variant->specs(choice->variant, &found->call, &choice->params, device, specs);
    for (int i = 0; i < count; i++) {
        if (strcmp(specs[i].file, file) != 0)
            continue;
        copy_spec(&specs[i], &found->kernel);
        return true;
    }
    return false;
}

/* All calls of an op, with the choice that the context makes now. */
static bool search_calls(gable_context *ctx, const char *file, gbl_dtype dtype, dry_found *found)
{
    const int forms = form_count(found->op, dtype);
    for (int number = 0; number < forms; number++) {
        form_make(found->op, dtype, number, &found->call);
        if (gbl_op_choose(ctx, found->op, &found->call, &found->choice) == GABLE_OK &&
            names(found->choice.variant, file) && needs(ctx->device, file, found))
            return true;
    }
    return false;
}

/* Variants that are for CPUs only, untuned. Their kernels compile for GPUs all the same. */
static bool search_cpu(const gable_context *ctx, const char *file, gbl_dtype dtype,
                       dry_found *found)
{
    gbl_device cpu = *ctx->device;
    cpu.props.is_gpu = cpu.props.fence_device = false;
    cpu.props.simd = 1;
    const int forms = form_count(found->op, dtype);
    for (int i = 0; i < found->op->variant_count; i++) {
        const gbl_variant *variant = found->choice.variant = &found->op->variants[i];
        gbl_params_fallback(variant, &found->choice.params);
        for (int number = 0; names(variant, file) && number < forms; number++) {
            form_make(found->op, dtype, number, &found->call);
            if (variant->fits(variant, &found->call, &cpu) && needs(&cpu, file, found))
                return true;
        }
    }
    return false;
}

static bool search_op(gable_context *ctx, const char *file, gbl_dtype dtype, dry_found *found)
{
    const gbl_op *op = found->op;
    bool named = false;
    for (int i = 0; i < op->variant_count; i++)
        named = named || names(&op->variants[i], file);
    if (!named || !gbl_op_has(op, dtype))
        return false;
    const gbl_choices before = ctx->choices; /* of GABLE_VARIANT */
    bool done = search_calls(ctx, file, dtype, found);
    for (int i = 0; !done && i < op->variant_count; i++) {
        if (!names(&op->variants[i], file))
            continue;
        ctx->choices.forced[0] = (gbl_forced){.op = op, .variant = &op->variants[i]};
        ctx->choices.forced_count = 1;
        done = search_calls(ctx, file, dtype, found);
    }
    ctx->choices = before;
    return done || search_cpu(ctx, file, dtype, found);
}

/* ---- Kernels of no op ---- */

/* The kernels that measure: the roof of the benchmarks, which is of doubles, their reads of
 * matrices, and those of the model. */
static bool search_roof(gable_context *ctx, const char *file, gbl_dtype dtype, dry_found *found)
{
    static bench_roof roof;
    char entry[GBL_ENTRY_BYTES];
    gbl_kernel_entry(&(gbl_kernel_spec){.file = file, .dtype = dtype}, entry);
    memset(found, 0, sizeof *found);
    dry_watch(entry, &found->kernel);
    if (dtype == GBL_D && bench_roof_make(&roof, ctx, BENCH_ROOF_READ, ROOF_BYTES, 1) == GABLE_OK) {
        bench_roof_run(&roof, 0);
        bench_roof_free(&roof);
    }
    if (found->kernel.entry[0] == '\0')
        bench_line_read_launch(ctx, dtype, false);
    if (found->kernel.entry[0] == '\0')
        gbl_roofs_launch_all(ctx);
    dry_watch(NULL, NULL);
    return found->kernel.entry[0] != '\0';
}

/* Those that make sparse matrices and solve with them are listed. */
static bool search_sparse(const char *file, gbl_dtype dtype, dry_found *found)
{
    const int count = gbl_sparse_specs(dtype, NULL);
    gbl_kernel_spec *list = calloc((size_t)count + 1, sizeof *list);
    bool done = false;
    memset(found, 0, sizeof *found);
    if (list != NULL)
        gbl_sparse_specs(dtype, list);
    for (int i = 0; list != NULL && !done && i < count; i++) {
        done = strcmp(list[i].file, file) == 0;
        if (done)
            copy_spec(&list[i], &found->kernel);
    }
    free(list);
    return done;
}

/* ---- All of them ---- */

/* Letters of a kernel's name that are an op's stem: 3 of "dot_finish" for dot; 0: it is
 * another's. */
static size_t likeness(const char *stem, const gbl_op *op)
{
    const size_t length = strlen(op->stem);
    const bool same = strncmp(op->stem, stem, length) == 0;
    return same && (stem[length] == '\0' || stem[length] == '_') ? length : 0;
}

bool dry_run_find(gable_context *ctx, const char *file, gbl_dtype dtype, dry_found *found)
{
    const gbl_op *const *ops = gbl_op_list();
    bool tried[GBL_MAX_OPS] = {false};
    char stem[GBL_ENTRY_BYTES];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(file, "."), file);
    memset(found, 0, sizeof *found);
    for (;;) {
        int best = -1;
        for (int i = 0; ops[i] != NULL; i++)
            if (!tried[i] && (best < 0 || likeness(stem, ops[i]) > likeness(stem, ops[best])))
                best = i;
        if (best < 0)
            return search_sparse(file, dtype, found) || search_roof(ctx, file, dtype, found);
        tried[best] = true;
        found->op = ops[best];
        if (search_op(ctx, file, dtype, found))
            return true;
    }
}

bool dry_run_again(gable_context *ctx, const gbl_params *params, dry_found *found)
{
    dry_found other = *found;
    gbl_kernel_spec specs[GBL_MAX_SPECS];
    if (found->op == NULL)
        return false;
    other.choice.params = *params;
    const gbl_variant *variant = other.choice.variant;
    const int count = variant->specs(variant, &other.call, params, ctx->device, specs);
    for (int i = 0; i < count; i++) {
        char entry[GBL_ENTRY_BYTES];
        gbl_kernel_entry(&specs[i], entry);
        if (strcmp(entry, found->kernel.entry) != 0)
            continue;
        copy_spec(&specs[i], &other.kernel);
        *found = other;
        return true;
    }
    return false;
}
