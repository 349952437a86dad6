/* test_mutants.c: the checks of the routines must catch small wrong kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each mutant is kernels/ with one text replaced in one file, in a folder that GABLE_KERNEL_DIR
 * names, compiled and run by PoCL. The true kernels must pass every check, and each mutant must
 * fail one: a check that lets a mutant pass is broken. A text that is not found exactly once fails
 * too: then the kernel has changed and the mutant must follow.
 */
#include <stdlib.h>
#include "core/context.h"
#include "core/kernel.h"
#include "expect.h"
#include "level1_check.h"
#include "mutant_folder.h"

/* How the checks of the four run: between them the two passes have both precisions of a kind,
 * groups of one and of many work-items, both walks, and both forms of the reductions. */
static const struct pass {
    const level1_checks *checks;
    int reals; /* of an element */
    const char *reduce, *tunables;
} passes[] = {
    {.checks = &level1_d,
     .reals = 1,
     .reduce = "one_pass",
     .tunables = ":local=1:vec=4:unroll=2:range=1:groups=2"},
    {.checks = &level1_c,
     .reals = 2,
     .reduce = "two_pass",
     .tunables = ":local=64:vec=2:unroll=2:range=0:groups=2"},
};

/* How the others run: one precision and variant each, which keeps the kernels to compile few. Walks
 * and strides are those of the four. */
static const struct plan {
    uint64_t routine;
    const char *name; /* of the check */
    const level1_checks *checks;
    int reals;
    const char *variant; /* NULL: there is nothing to choose */
} plans[] = {
    {.routine = SWAP,
     .name = "swap",
     .checks = &level1_d,
     .reals = 1,
     .variant = "swap=stream:local=1:vec=4:unroll=2:range=1:groups=2"},
    {.routine = SCAL,
     .name = "scal",
     .checks = &level1_c,
     .reals = 2,
     .variant = "scal=stream:local=1:vec=2:unroll=2:range=1:groups=2"},
    {.routine = FILL,
     .name = "fill",
     .checks = &level1_z,
     .reals = 2,
     .variant = "fill=stream:local=1:vec=1:unroll=2:range=1:groups=2"},
    {.routine = AXPBY,
     .name = "axpby",
     .checks = &level1_d,
     .reals = 1,
     .variant = "axpby=stream:local=1:vec=2:unroll=2:range=0:groups=2"},
    {.routine = WAXPBY,
     .name = "waxpby",
     .checks = &level1_c,
     .reals = 2,
     .variant = "waxpby=stream:local=1:vec=2:unroll=2:range=1:groups=2"},
    {.routine = ROT,
     .name = "rot",
     .checks = &level1_z,
     .reals = 2,
     .variant = "rot=stream:local=1:vec=2:unroll=1:range=1:groups=2"},
    {.routine = ROTM,
     .name = "rotm",
     .checks = &level1_s,
     .reals = 1,
     .variant = "rotm=stream:local=1:vec=4:unroll=1:range=1:groups=2"},
    {.routine = ASUM,
     .name = "asum",
     .checks = &level1_c,
     .reals = 2,
     .variant = "asum=two_pass:local=1:vec=2:unroll=2:range=1:groups=2"},
    {.routine = AMAX,
     .name = "amax",
     .checks = &level1_d,
     .reals = 1,
     .variant = "amax=one_pass:local=32:vec=2:unroll=2:range=1:groups=2"},
    {.routine = DSDOT,
     .name = "dsdot",
     .checks = &level1_s,
     .reals = 1,
     .variant = "dsdot=one_pass:local=1:vec=4:unroll=2:range=1:groups=2"},
    {.routine = MDOT,
     .name = "mdot",
     .checks = &level1_d,
     .reals = 1,
     .variant = "mdot=two_pass:local=1:vec=2:unroll=2:range=1:groups=4:batch=3"},
    {.routine = MDOTC,
     .name = "mdotc",
     .checks = &level1_c,
     .reals = 2,
     .variant = "mdot=one_pass:local=1:vec=2:unroll=1:range=1:groups=4:batch=3"},
    {.routine = MAXPY,
     .name = "maxpy",
     .checks = &level1_c,
     .reals = 2,
     .variant = "maxpy=stream:local=1:vec=2:unroll=2:range=1:groups=2:batch=3"},
    {.routine = RANDOM,
     .name = "random",
     .checks = &level1_d,
     .reals = 1,
     .variant = "random=counter:local=1:groups=4"},
    {.routine = ROTG, .name = "rotg", .checks = &level1_c, .reals = 2},
    {.routine = ROTMG, .name = "rotmg", .checks = &level1_d, .reals = 1},
    {.routine = GEMV_N,
     .name = "gemv_n",
     .checks = &level1_d,
     .reals = 1,
     .variant = "gemv=split_n:items=1:wx=1:vec=2:unroll=2:batch=1:groups=2:split=1"},
    {.routine = GEMV_C,
     .name = "gemv_c",
     .checks = &level1_c,
     .reals = 2,
     .variant = "gemv=split_t:items=1:wx=1:vec=2:unroll=2:batch=2:groups=2:split=1"},
    {.routine = SYMV,
     .name = "symv",
     .checks = &level1_d,
     .reals = 1,
     .variant = "symv=two_pass:items=1:wx=1:vec=2:deep=2:columns=2:groups=4:helpers=1"},
    {.routine = HEMV,
     .name = "hemv",
     .checks = &level1_c,
     .reals = 2,
     .variant = "symv=two_pass:items=1:wx=1:vec=2:deep=4:columns=4:groups=4:helpers=1"},
    {.routine = GERC,
     .name = "gerc",
     .checks = &level1_c,
     .reals = 2,
     .variant = "ger=tile:items=1:wx=1:vec=2:unroll=2:columns=2"},
    {.routine = HER2,
     .name = "her2",
     .checks = &level1_c,
     .reals = 2,
     .variant = "syr2=tile:items=1:wx=1:vec=2:unroll=2:columns=8"},
    {.routine = HPR,
     .name = "hpr",
     .checks = &level1_c,
     .reals = 2,
     .variant = "spr=tile:items=1:wx=1:vec=2:unroll=2:columns=8"},
    {.routine = RECIPROCAL,
     .name = "reciprocal",
     .checks = &level1_d,
     .reals = 1,
     .variant = "reciprocal=stream:local=1:vec=2:unroll=2:range=1:groups=2"},
    {.routine = STRIDED_N,
     .name = "gemv_strided_n",
     .checks = &level1_d,
     .reals = 1,
     .variant = "gemv_batched=one_n:items=1:lanes=1:wx=1:vec=2:unroll=2:columns=1:groups=2"},
    {.routine = BATCHED_C,
     .name = "gemv_batched_c",
     .checks = &level1_c,
     .reals = 2,
     .variant = "gemv_batched=one_t:items=1:lanes=1:wx=1:vec=2:unroll=1:columns=2:groups=2"},
    {.routine = BLOCKS_N,
     .name = "gemv_n",
     .checks = &level1_d,
     .reals = 1,
     .variant = "gemv=blocks_n:block=8:thread_y=1:elements_per_thread=2"},
    {.routine = TRMV_N,
     .name = "trmv_n",
     .checks = &level1_d,
     .reals = 1,
     .variant = "trmv=blocks_n:items=1:wx=1:vec=2:unroll=2:batch=1:blocks=2"},
    {.routine = TRMV_C,
     .name = "trmv_c",
     .checks = &level1_c,
     .reals = 2,
     .variant = "trmv=blocks_t:items=1:wx=1:vec=2:unroll=2:batch=2:blocks=1"},
    {.routine = TRSV_C,
     .name = "trsv_c",
     .checks = &level1_c,
     .reals = 2,
     .variant = "trsv=steps:items=1:rows=64"},
    {.routine = TRANSPOSE_T,
     .name = "transpose_t",
     .checks = &level1_d,
     .reals = 1,
     .variant = "transpose=tiles:items=1:tile=8:vec=2:groups=1:strip=4"},
    {.routine = TRANSPOSE_N,
     .name = "transpose_n",
     .checks = &level1_c,
     .reals = 2,
     .variant = "transpose=stream:items=1:wx=1:vec=2:unroll=2:groups=2"},
    {.routine = IN_PLACE,
     .name = "transpose_in_place",
     .checks = &level1_c,
     .reals = 2,
     .variant = "transpose=in_place:items=1:tile=16:vec=2:groups=0:strip=0"},
    {.routine = GEAM_T,
     .name = "geam_tt",
     .checks = &level1_d,
     .reals = 1,
     .variant = "geam=tiles:items=1:tile=8:vec=2:groups=0:strip=4"},
    {.routine = BANDS,
     .name = "bands",
     .checks = &level1_c,
     .reals = 2,
     .variant = "gbmv=single_item:rows=16,tbmv=single_item:rows=16,sbmv=single_item:rows=16"},
    {.routine = GEMM,
     .name = "gemm",
     .checks = &level1_c,
     .reals = 2,
     .variant = "gemm=naive:items=16"},
    {.routine = GEMM_TRIANGULAR,
     .name = "gemm",
     .checks = &level1_z,
     .reals = 2,
     .variant = "gemm=naive:items=16"},
    {.routine = TILE,
     .name = "gemm_one",
     .checks = &level1_c,
     .reals = 2,
     .variant = "gemm=tile:wx=8:wy=4:tm=2:tn=2:terms=8:stages=0:groups=1:split=2"},
    {.routine = TILE_TRIANGULAR,
     .name = "gemm_one",
     .checks = &level1_z,
     .reals = 2,
     .variant = "gemm=tile:wx=8:wy=4:tm=2:tn=2:terms=8:stages=0:groups=1:split=1"},
    {.routine = SYMM,
     .name = "symm",
     .checks = &level1_c,
     .reals = 2,
     .variant = "symm=expanded:items=32,gemm=naive:items=16"},
    {.routine = TRSM,
     .name = "trsm",
     .checks = &level1_c,
     .reals = 2,
     .variant = "trsm=halves:items=8:rows=16:slab=8:step=2,gemm=naive:items=16"},
    {.routine = TRSM_STRIPS,
     .name = "trsm",
     .checks = &level1_c,
     .reals = 2,
     .variant = "trsm=strips:rows=32:slab=8:each=4:step=4"},
};
#define PLANS ((int)(sizeof plans / sizeof plans[0]))

/* Pads are longer than any vector: what a mutant reads or writes outside stays in its block. */
#define PAD 2000
static const int64_t sizes[] = {1, 62, 603}; /* vectors of 4 and 2: a head and a tail */

static bool run(gable_context *ctx, level1_function function, const level1_case *c,
                level1_report *report)
{
    return function == NULL || function(ctx, c, report);
}

static bool choose(gable_context *ctx, const char *choice, level1_report *report)
{
    if (choice == NULL || gable_set_variant(ctx, choice) == GABLE_OK)
        return true;
    report->check = "status";
    snprintf(report->why, sizeof report->why, "%.300s", gable_message(ctx));
    return false;
}

/* All checks of the four, or of some, in both passes; false at the first that fails. */
static bool check_four(gable_context *ctx, uint64_t routines, level1_report *report)
{
    bool good = true;
    for (int p = 0; p < 2 && good; p++) {
        const level1_checks *checks = passes[p].checks;
        char choice[512];
        snprintf(choice, sizeof choice, "copy=stream%s,axpy=stream%s,dot=%s%s,nrm2=%s%s",
                 passes[p].tunables, passes[p].tunables, passes[p].reduce, passes[p].tunables,
                 passes[p].reduce, passes[p].tunables);
        good = choose(ctx, choice, report);
        for (int i = 0; i < 3 * 2 && good; i++) {
            const bool strided = i >= 3;
            const level1_case c = {.n = sizes[i % 3],
                                   .incx = strided ? -2 : 1,
                                   .incy = strided ? 3 : 1,
                                   .shift_x = strided ? 0 : passes[p].reals,
                                   .shift_y = strided ? 0 : passes[p].reals,
                                   .pad = PAD,
                                   .on_device = i % 2,
                                   .repeats = 2};
            if (routines & COPY)
                good = good && run(ctx, checks->copy, &c, report);
            if (routines & AXPY)
                good = good && run(ctx, checks->axpy, &c, report) &&
                       run(ctx, checks->axpy_dev, &c, report) &&
                       run(ctx, checks->alpha_zero, &c, report);
            level1_case often = c;
            often.repeats = i == 1 ? 2 * GBL_COUNTERS + 2 : 2;
            if (routines & DOT)
                good = good && run(ctx, checks->dot, &often, report) &&
                       run(ctx, checks->dotc, &c, report);
            if (routines & NRM2)
                good = good && run(ctx, checks->nrm2, &often, report) &&
                       run(ctx, checks->norm_range, &c, report);
        }
    }
    return good;
}

static level1_function find_check(const level1_checks *checks, const char *name)
{
    const level1_named *const lists[] = {checks->maps,     checks->folds,    checks->columns,
                                         checks->numbers,  checks->matrices, checks->updates,
                                         checks->mirrored, checks->batches,  checks->triangles,
                                         checks->planes,   checks->bands,    checks->products};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const level1_named *check = lists[i]; check->name != NULL; check++)
            if (strcmp(check->name, name) == 0)
                return check->function;
    return NULL;
}

/* Aligned vectors with a head; five columns are a batch of three and one of two. */
static bool check_plan(gable_context *ctx, const struct plan *plan, level1_report *report)
{
    const level1_function function = find_check(plan->checks, plan->name);
    /* Nothing that an earlier plan forced stays in force. */
    bool good = function != NULL && gable_set_variant(ctx, NULL) == GABLE_OK &&
                choose(ctx, plan->variant, report);
    EXPECT(function != NULL, "there is no check named %s", plan->name);
    for (int i = 0; i < 3 && good; i++) {
        const level1_case c = {
            .n = sizes[i],
            .incx = 1,
            .incy = 1,
            .incw = 1,
            .columns = 5,
            .shift_x = plan->reals,
            .shift_y = plan->reals,
            .pad = PAD,
            .on_device = i % 2,
            .repeats = i == 2 && plan->routine & (AMAX | GEMV_C) ? GBL_COUNTERS + 2 : 2};
        good = function(ctx, &c, report);
    }
    return good;
}

static bool check_all(gable_context *ctx, uint64_t routines, level1_report *report)
{
    bool good = (routines & FOUR) == 0 || check_four(ctx, routines, report);
    for (int i = 0; i < PLANS && good; i++)
        good = (routines & plans[i].routine) == 0 || check_plan(ctx, &plans[i], report);
    return good;
}

/* A context of its own: a mutant may leave counters and workspace spoilt. */
static void check_mutant(gable_context **ctx, const char *folder, const mutant *m)
{
    level1_report report = {"no check", ""};
    if (!make_folder(folder, m))
        return;
    gbl_kernels_forget((*ctx)->device);
    gable_close(*ctx);
    EXPECT_STATUS(*ctx, GABLE_OK, gable_open(ctx, "opencl:pocl"));
    const bool caught = !check_all(*ctx, m->routines, &report);
    EXPECT(caught, "no check catches \"%s\" (%s)", m->name, m->file);
    EXPECT(!caught || strcmp(report.check, "status") != 0, "\"%s\" does not run: %s", m->name,
           report.why);
    printf("%-44s %-14s caught by %s\n", m->name, m->file, report.check);
    fflush(stdout);
}

int main(void)
{
    gable_context *ctx = NULL;
    char folder[SCRATCH_BYTES];
    level1_report report = {"", ""};
    const int missing = mutants_open("test_mutants", &ctx, folder);
    if (missing != 0)
        return missing;
    if (make_folder(folder, NULL)) {
        setenv("GABLE_KERNEL_DIR", folder, 1);
        EXPECT(check_all(ctx, ALL, &report), "the true kernels fail %s: %s", report.check,
               report.why);
    }
    for (const mutant *m = vector_mutants; m->name != NULL; m++)
        check_mutant(&ctx, folder, m);
    for (const mutant *m = matrix_mutants; m->name != NULL; m++)
        check_mutant(&ctx, folder, m);
    for (const mutant *m = product_mutants; m->name != NULL; m++)
        check_mutant(&ctx, folder, m);
    gbl_kernels_forget(ctx->device);
    gable_close(ctx);
    scratch_clear(folder, false);
    return expect_summary("test_mutants");
}
