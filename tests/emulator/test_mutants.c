/* test_mutants.c: the tests of routines must catch small wrong kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each mutant is kernels/ with one text replaced in one file, in a folder that GABLE_KERNEL_DIR
 * names. The programs of tests/blas run it on the emulated device, in one precision and one
 * variant. With the true kernels they must pass, with each mutant one must fail: a test that lets a
 * mutant pass is broken. A text that is not found exactly once fails too: then the kernel has
 * changed and the mutant must follow.
 *
 * An argument is the list: vectors, matrices, products or divide, a second one the name of a
 * mutant, or a number: of N mutants in a row one is run, the first. Without them all are run.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include "expect.h"
#include "mutant_folder.h"

/* How a program runs. Between them the two plans of a routine have both precisions of a kind,
 * groups of one and of many work-items, both walks, and both forms of the reductions. The others
 * have one precision and variant each, which keeps the kernels to compile few. */
static const struct plan {
    uint64_t routine;
    const char *stem, *letters;
    const char *variant; /* NULL: there is nothing to choose */
    bool small;          /* the first shapes of products are enough */
} plans[] = {
    {COPY, "copy", "d", "copy=stream:local=1:vec=4:unroll=2:range=1:groups=2", false},
    {COPY, "copy", "c", "copy=stream:local=64:vec=2:unroll=2:range=0:groups=2", false},
    {AXPY, "axpy", "d", "axpy=stream:local=1:vec=4:unroll=2:range=1:groups=2", false},
    {AXPY, "axpy", "c", "axpy=stream:local=64:vec=2:unroll=2:range=0:groups=2", false},
    {DOT, "dot", "d", "dot=one_pass:local=1:vec=4:unroll=2:range=1:groups=2", false},
    {DOT, "dot", "c", "dot=two_pass:local=64:vec=2:unroll=2:range=0:groups=2", false},
    {NRM2, "nrm2", "d", "nrm2=one_pass:local=1:vec=4:unroll=2:range=1:groups=2", false},
    {NRM2, "nrm2", "c", "nrm2=two_pass:local=64:vec=2:unroll=2:range=0:groups=2", false},
    {SWAP, "swap", "d", "swap=stream:local=1:vec=4:unroll=2:range=1:groups=2", false},
    {SCAL, "scal", "c", "scal=stream:local=1:vec=2:unroll=2:range=1:groups=2", false},
    {SCAL, "scal", "c", "scal=stream", false}, /* real alpha */
    {FILL, "fill", "z", "fill=stream:local=1:vec=1:unroll=2:range=1:groups=2", false},
    {AXPBY, "axpby", "d", "axpby=stream:local=1:vec=2:unroll=2:range=0:groups=2", false},
    {WAXPBY, "waxpby", "c", "waxpby=stream:local=1:vec=2:unroll=2:range=1:groups=2", false},
    {ROT, "rot", "z", "rot=stream:local=1:vec=2:unroll=1:range=1:groups=2", false},
    {ROT, "rot", "z", "rot=stream", false}, /* real s */
    {ROTM, "rotm", "s", "rotm=stream:local=1:vec=4:unroll=1:range=1:groups=2", false},
    {ASUM, "asum", "c", "asum=two_pass:local=1:vec=2:unroll=2:range=1:groups=2", false},
    {AMAX, "amax", "d", "amax=one_pass:local=32:vec=2:unroll=2:range=1:groups=2", false},
    {DSDOT, "dsdot", "s", "dsdot=one_pass:local=1:vec=4:unroll=2:range=1:groups=2", false},
    {MDOT, "mdot", "d", "mdot=two_pass:local=1:vec=2:unroll=2:range=1:groups=4:batch=3", false},
    {MDOTC, "mdot", "c", "mdot=one_pass:local=1:vec=2:unroll=1:range=1:groups=4:batch=3", false},
    {MAXPY, "maxpy", "c", "maxpy=stream:local=1:vec=2:unroll=2:range=1:groups=2:batch=3", false},
    {RANDOM, "random", "d", "random=counter:local=1:groups=4", false},
    {ROTG, "rotg", "c", NULL, false},
    {ROTMG, "rotmg", "d", NULL, false},
    {GEMV_N, "gemv", "d", "gemv=split_n:items=1:wx=1:vec=2:unroll=2:batch=1:groups=2:split=1",
     true},
    {GEMV_C, "gemv", "c", "gemv=split_t:items=1:wx=1:vec=2:unroll=2:batch=2:groups=2:split=1",
     true},
    {GEMV_C, "gemv", "c", NULL, true}, /* conjugated */
    {SYMV, "symv", "d", "symv=two_pass:items=1:wx=1:vec=2:deep=2:columns=2:groups=4:helpers=1",
     true},
    {HEMV, "symv", "c", "symv=two_pass:items=1:wx=1:vec=2:deep=4:columns=4:groups=4:helpers=1",
     true},
    {GERC, "ger", "c", "ger=tile:items=1:wx=1:vec=2:unroll=2:columns=2", true},
    {HER2, "syr2", "c", "syr2=tile:items=1:wx=1:vec=2:unroll=2:columns=8", true},
    {HPR, "spr", "c", "spr=tile:items=1:wx=1:vec=2:unroll=2:columns=8", true},
    {RECIPROCAL, "reciprocal", "d", "reciprocal=stream:local=1:vec=2:unroll=2:range=1:groups=2",
     true},
    {STRIDED_N, "gemv_batched", "d",
     "gemv_batched=one_n:items=1:lanes=1:wx=1:vec=2:unroll=2:columns=1:groups=2", true},
    {BATCHED_C, "gemv_batched", "c",
     "gemv_batched=one_t:items=1:lanes=1:wx=1:vec=2:unroll=1:columns=2:groups=2", true},
    {BLOCKS_N, "gemv", "d", "gemv=blocks_n:block=8:thread_y=1:elements_per_thread=2", true},
    {TRMV_N, "trmv", "d", "trmv=blocks_n:items=1:wx=1:vec=2:unroll=2:batch=1:blocks=2", true},
    {TRMV_C, "trmv", "c", "trmv=blocks_t:items=1:wx=1:vec=2:unroll=2:batch=2:blocks=1", true},
    {TRSV_C, "trsv", "c", "trsv=steps:items=1:rows=64", true},
    {TRANSPOSE_T, "transpose", "d", "transpose=tiles:items=1:tile=8:vec=2:groups=1:strip=4", true},
    {TRANSPOSE_N, "transpose", "c", "transpose=stream:items=1:wx=1:vec=2:unroll=2:groups=2", true},
    {IN_PLACE, "transpose", "c", "transpose=in_place:items=1:tile=16:vec=2:groups=0:strip=0", true},
    {GEAM_T, "geam", "d", "geam=tiles:items=1:tile=8:vec=2:groups=0:strip=4", true},
    {BANDS, "gbmv", "c", "gbmv=single_item:rows=16", true},
    {BANDS, "tbmv", "c", "tbmv=single_item:rows=16", true},
    {BANDS, "sbmv", "c", "sbmv=single_item:rows=16", true},
    {LANGE, "lange", "c", "lange=tiles:items=32:columns=2:groups=2", true},
    {LANHE, "lansy", "c", "lansy=tiles:items=32:columns=2:groups=2", true},
    {LANTR, "lantr", "d", "lantr=tiles:items=32:columns=2:groups=2", true},
    {GEMM, "gemm", "c", "gemm=naive:items=16", true},
    {GEMM, "syrk", "c", "syrk=product,gemm=naive:items=16", true},
    {GEMM_TRIANGULAR, "trmm", "z", "trmm=product,gemm=naive:items=16", true},
    {TILE, "gemm", "c", "gemm=tile:wx=8:wy=4:tm=2:tn=2:terms=8:stages=0:groups=1:split=2", false},
    {TILE_TRIANGULAR, "trmm", "z",
     "trmm=product,gemm=tile:wx=8:wy=4:tm=2:tn=2:terms=8:stages=0:groups=1:split=1", true},
    {SYMM, "symm", "c", "symm=expanded:items=32,gemm=naive:items=16", true},
    {TRSM, "trsm", "c", "trsm=halves:items=8:rows=16:slab=8:step=2,gemm=naive:items=16", true},
    {TRSM_STRIPS, "trsm", "c", "trsm=strips:rows=32:slab=8:each=4:step=4", true},
    {SYTRD, "sytrd", "c", "sytrd=phases:block=16", true},
    {GEHRD, "gehrd", "z", "gehrd=phases:block=16", true},
    {DIVIDE, "divide", "d", "16:128", true},
    {DIVIDE_SINGULAR, "divide_singular", "d", "8:128", true},
    {STEIN, "stein", "d", NULL, true},
    {STERF, "sterf", "d", "sterf=bisection", false},
};
#define PLANS ((int)(sizeof plans / sizeof plans[0]))

/* Runs a program; what it says goes to the file `log`. */
static int run_plan(const struct plan *plan, const char *log)
{
    char command[2 * SCRATCH_BYTES];
    snprintf(command, sizeof command,
             "GABLE_TEST_SMALL=%d '" TEST_FOLDER "/test_%s' %s all %s >'%s' 2>&1", plan->small,
             plan->stem, plan->letters, plan->variant != NULL ? plan->variant : "", log);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The first line of a log that tells of a failure. */
static void first_failure(const char *log, char line[256])
{
    FILE *stream = fopen(log, "r");
    snprintf(line, 256, "nothing is said");
    char next[256];
    while (stream != NULL && fgets(next, sizeof next, stream) != NULL) {
        if (strncmp(next, "FAILED", 6) == 0 || strncmp(next, "CRASHED", 7) == 0) {
            snprintf(line, 256, "%.*s", (int)strcspn(next, "\n"), next);
            break;
        }
    }
    if (stream != NULL)
        fclose(stream);
}

static void check_true_kernels(uint64_t routines, const char *log)
{
    for (int i = 0; i < PLANS; i++) {
        if ((routines & plans[i].routine) == 0)
            continue;
        char line[256] = "";
        const int status = run_plan(&plans[i], log);
        if (status != 0)
            first_failure(log, line);
        EXPECT(status == 0, "the true kernels fail test_%s %s all %s: %s", plans[i].stem,
               plans[i].letters, plans[i].variant, line);
    }
}

static void check_mutant(const char *folder, const char *log, const mutant *m)
{
    if (!make_folder(folder, m))
        return;
    const struct plan *by = NULL;
    for (int i = 0; i < PLANS && by == NULL; i++)
        if ((m->routines & plans[i].routine) != 0 && run_plan(&plans[i], log) != 0)
            by = &plans[i];
    char line[256] = "";
    if (by != NULL)
        first_failure(log, line);
    EXPECT(by != NULL, "no test catches \"%s\" (%s)", m->name, m->file);
    EXPECT(strstr(line, "GABLE_COMPILE_FAILED") == NULL, "\"%s\" does not run: %s", m->name, line);
    printf("%-44s %-14s caught by %s %s: %.60s\n", m->name, m->file, by != NULL ? by->stem : "none",
           by != NULL ? by->letters : "", line);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    static const struct list {
        const char *name;
        const mutant *mutants;
    } lists[] = {{"vectors", vector_mutants},
                 {"matrices", matrix_mutants},
                 {"products", product_mutants},
                 {"divide", divide_mutants}};
    const int every = count < 3 ? 1 : atoi(arguments[2]); /* 0: a name */
    char folder[SCRATCH_BYTES], kernels[SCRATCH_BYTES + 16], log[SCRATCH_BYTES + 16];
    if (!scratch_make(folder)) {
        perror("test_mutants: no scratch folder");
        return 1;
    }
    snprintf(kernels, sizeof kernels, "%s/kernels", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    mkdir(kernels, 0700);
    setenv("GABLE_DEVICE", "emulated:1", 1);
    setenv("GABLE_TUNING", "off", 1);
    setenv("GABLE_KERNEL_DIR", kernels, 1);
    setenv("XDG_CACHE_HOME", folder, 1); /* nobody asks for these kernels again */
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (count > 1 && strcmp(arguments[1], lists[i].name) != 0)
            continue;
        const int step = every > 0 ? every : 1;
        uint64_t routines = 0;
        int mutants = 0;
        while (lists[i].mutants[mutants].name != NULL)
            mutants++;
        for (int at = 0; at < mutants; at += step)
            routines |= lists[i].mutants[at].routines;
        unsetenv("GABLE_TEST_STOP");
        if (every > 0 && make_folder(kernels, NULL))
            check_true_kernels(routines, log);
        setenv("GABLE_TEST_STOP", "1", 1);
        for (int at = 0; at < mutants; at += step)
            if (every > 0 || strcmp(arguments[2], lists[i].mutants[at].name) == 0)
                check_mutant(kernels, log, &lists[i].mutants[at]);
    }
    scratch_clear(folder, false);
    return expect_summary("test_mutants");
}
