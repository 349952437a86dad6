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
#include "scratch_folder.h"

enum { COPY = 1, AXPY = 2, DOT = 4, NRM2 = 8, ALL = 15 };

static const struct mutant {
    const char *name;
    int routines; /* that use the file */
    const char *file, *old, *new;
} mutants[] = {
    {"the last element is lost", ALL, "stream.h", "a.n - a.vectors * VEC : 0",
     "a.n - a.vectors * VEC - 1 : 0"},
    {"the head is taken for the tail", ALL, "stream.h", "e < a.head ? e : e + a.vectors * VEC",
     "e + a.vectors * VEC"},
    {"the head is done twice", ALL, "stream.h", "e < a.head ? e : e + a.vectors * VEC",
     "e < a.head ? e : e + a.vectors * VEC - 1"},
    {"a range runs past its end", ALL, "stream.h", "end < a.vectors ? end : a.vectors", "end"},
    {"a negative stride is taken for a positive", ALL, "stream.h", "t.v[0] = x[i * inc]",
     "t.v[0] = x[i * (inc < 0 ? -inc : inc)]"},
    {"strides of the output are ignored", COPY | AXPY, "stream.h", "y[i * inc] = t.v[0]",
     "y[i] = t.v[0]"},
    {"one element too many is stored", COPY, "copy.cl", "e < stream_edges(a.range)",
     "e <= stream_edges(a.range)"},
    {"the last vector is lost", COPY, "copy.cl", "for (; i < last; i += step)",
     "for (; i < last - 1; i += step)"},
    {"the second of the loads in flight is lost", COPY, "copy.cl", "i + u * step, t[u])",
     "i + u * step, t[0])"},
    {"alpha = 0 is not looked at", AXPY, "axpy.cl", "if (T_is_zero(alpha))", "if (0)"},
    {"alpha on the device is not read", AXPY, "axpy.cl", "a.alpha_on_device ? alpha_at[0] :", ""},
    {"vectors are added twice", AXPY, "axpy.cl", "i += UNROLL * step) {", "i += step) {"},
    {"x and y are exchanged at the edges", AXPY, "axpy.cl", "T_fma(alpha, x[at], y[at])",
     "T_fma(alpha, y[at], x[at])"},
    {"a complex product has a wrong sign", AXPY | DOT, "prec.h", "R_fma(-a.im, b.im, c.re)",
     "R_fma(a.im, b.im, c.re)"},
    {"the conjugate is forgotten", DOT, "dot.cl", "T_fma(T_conj(x), y, sum)", "T_fma(x, y, sum)"},
    {"the edges are not summed", DOT, "dot.cl", "sum.v[0] = dot_step(x[at], y[at], sum.v[0])",
     "(void)at"},
    {"one accumulator is dropped", DOT, "dot.cl", "mine.v[part] += T_real(sum.v[k], part)",
     "mine.v[part] = T_real(sum.v[k], part)"},
    {"the counter is not set back", DOT | NRM2, "reduce.h", "counter[0] = 0;", ";"},
    {"the partial sum of the last group is lost", DOT | NRM2, "reduce.h",
     "i64 i = LANE_X; i < count; i += WX", "i64 i = LANE_X; i < count - 1; i += WX"},
    {"all groups store one partial sum", DOT, "dot.cl",
     "sum_store(partials + GROUP_X * SUM_N, mine)", "sum_store(partials, mine)"},
    {"a barrier is missing", DOT | NRM2, "reduce.h", "scratch[LANE_X + rest]);\n        BARRIER();",
     "scratch[LANE_X + rest]);"},
    {"half of the group is not summed", DOT | NRM2, "reduce.h", "i32 rest = WX / 2; rest > 0",
     "i32 rest = WX / 2; rest > 1"},
    {"the second launch misses a partial sum", DOT, "dot_finish.cl", "a.partials)",
     "a.partials - 1)"},
    {"big values are not scaled", NRM2, "norm.h",
     "R_fma(size * NORM_BIG_SCALE, size * NORM_BIG_SCALE, s.v[NORM_BIG])",
     "R_fma(size, size, s.v[NORM_BIG])"},
    {"NaN is ignored", NRM2, "norm.h", "else /* NaN comes here */", "else if (size == size)"},
    {"every chunk is taken for safe", NRM2, "nrm2.cl",
     "lanes[0] > NORM_SAFE_FROM && lanes[0] < NORM_SAFE_TO", "lanes[0] == lanes[0]"},
    {"the rare path ignores strides", NRM2, "nrm2.cl", "STRIDED ? (i + u * step) * inc :", ""},
};
#define MUTANTS ((int)(sizeof mutants / sizeof mutants[0]))

/* How the checks run: between them the two passes have both precisions of a kind, groups of one and
 * of many work-items, both walks, and both forms of the reductions. */
static const struct pass {
    const level1_checks *checks;
    int reals; /* of an element */
    const char *reduce, *tunables;
} passes[] = {
    {&level1_d, 1, "one_pass", ":local=1:vec=4:unroll=2:range=1:groups=2"},
    {&level1_c, 2, "two_pass", ":local=64:vec=2:unroll=2:range=0:groups=2"},
};

static bool run(gable_context *ctx, level1_function function, const level1_case *c,
                level1_report *report)
{
    return function == NULL || function(ctx, c, report);
}

/* All checks of some routines, in both passes; false at the first that fails. */
static bool check_all(gable_context *ctx, int routines, level1_report *report)
{
    /* Pads are longer than any vector: what a mutant reads or writes outside stays in its block. */
    static const int64_t sizes[] = {1, 62, 603}; /* vectors of 4 and 2: a head and a tail */
    bool good = true;
    for (int p = 0; p < 2 && good; p++) {
        const level1_checks *checks = passes[p].checks;
        char choice[512];
        snprintf(choice, sizeof choice, "copy=stream%s,axpy=stream%s,dot=%s%s,nrm2=%s%s",
                 passes[p].tunables, passes[p].tunables, passes[p].reduce, passes[p].tunables,
                 passes[p].reduce, passes[p].tunables);
        if (gable_set_variant(ctx, choice) != GABLE_OK) {
            report->check = "status";
            snprintf(report->why, sizeof report->why, "%.300s", gable_message(ctx));
            return false;
        }
        for (int i = 0; i < 3 * 2 && good; i++) {
            const bool strided = i >= 3;
            const level1_case c = {.n = sizes[i % 3],
                                   .incx = strided ? -2 : 1,
                                   .incy = strided ? 3 : 1,
                                   .shift_x = strided ? 0 : passes[p].reals,
                                   .shift_y = strided ? 0 : passes[p].reals,
                                   .pad = 2000,
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

/* ---- Making mutants ------------------------------------------------------------------------- */

static char *slurp(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return NULL;
    char *text = calloc(1, 1 << 18);
    if (text != NULL && fread(text, 1, (1 << 18) - 1, stream) == 0)
        text[0] = '\0';
    fclose(stream);
    return text;
}

/* Copies the kernels to `folder`; with a mutant, changed. */
static bool make_folder(const char *folder, const struct mutant *mutant)
{
    char command[2 * SCRATCH_BYTES], path[2 * SCRATCH_BYTES];
    scratch_clear(folder, true);
    snprintf(command, sizeof command, "cp " GABLE_SOURCE_DIR "/kernels/*.* '%s'", folder);
    if (system(command) != 0)
        return EXPECT(false, "the kernels cannot be copied");
    if (mutant == NULL)
        return true;
    snprintf(path, sizeof path, "%s/%s", folder, mutant->file);
    char *text = slurp(path);
    char *at = text != NULL ? strstr(text, mutant->old) : NULL;
    const bool once = at != NULL && strstr(at + 1, mutant->old) == NULL;
    EXPECT(once, "\"%s\": %s does not hold this exactly once, let the mutant follow: %s",
           mutant->name, mutant->file, mutant->old);
    FILE *stream = once ? fopen(path, "wb") : NULL;
    if (stream != NULL) {
        fwrite(text, 1, (size_t)(at - text), stream);
        fputs(mutant->new, stream);
        fputs(at + strlen(mutant->old), stream);
        fclose(stream);
    }
    free(text);
    return stream != NULL;
}

static bool required(const char *part)
{
    const char *list = getenv("GABLE_REQUIRE");
    return list != NULL && strstr(list, part) != NULL;
}

int main(void)
{
    gable_context *ctx = NULL;
    char folder[SCRATCH_BYTES];
    level1_report report = {"", ""};
    unsetenv("GABLE_VARIANT");
    unsetenv("GABLE_KERNEL_DIR");
    if (gable_open(&ctx, "opencl:pocl") != GABLE_OK) {
        printf("%s: %s\n", required("pocl") ? "PoCL is required" : "skipped", gable_message(ctx));
        gable_close(ctx);
        return required("pocl") ? 1 : EXPECT_SKIPPED;
    }
    if (!scratch_make(folder)) {
        perror("test_mutants: no scratch folder");
        return 1;
    }
    if (make_folder(folder, NULL)) {
        setenv("GABLE_KERNEL_DIR", folder, 1);
        EXPECT(check_all(ctx, ALL, &report), "the true kernels fail %s: %s", report.check,
               report.why);
    }
    for (int i = 0; i < MUTANTS; i++) {
        if (!make_folder(folder, &mutants[i]))
            continue;
        /* A context of its own: a mutant may leave counters and workspace spoilt. */
        gbl_kernels_forget(ctx->device);
        gable_close(ctx);
        EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "opencl:pocl"));
        report.check = "no check";
        const bool caught = !check_all(ctx, mutants[i].routines, &report);
        EXPECT(caught, "no check catches \"%s\" (%s)", mutants[i].name, mutants[i].file);
        EXPECT(!caught || strcmp(report.check, "status") != 0, "\"%s\" does not run: %s",
               mutants[i].name, report.why);
        printf("%-44s %-14s caught by %s\n", mutants[i].name, mutants[i].file,
               caught ? report.check : "no check");
        fflush(stdout);
    }
    gbl_kernels_forget(ctx->device);
    gable_close(ctx);
    scratch_clear(folder, false);
    return expect_summary("test_mutants");
}
