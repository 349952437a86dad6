/* test_host.c: the standard door: every routine in all forms, on operands in host and device
 * memory, whole and in tiles; failures of the device at every step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs on $GABLE_DEVICE with few forms, so that few kernels are compiled, and on the device of
 * beside_device.h with all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "beside_device.h"
#include "core/context.h"
#include "core/expect.h"
#include "host/host_door.h"
#include "host_problem.h"
#include "model/cpu_rates.h"

static const char letters[] = "sdcz";
static const gable_trans transes[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};

/* Opens a context that may take so much memory ("" for all) and follows a policy. */
static gable_context *open_with(const char *device, const char *memory, const char *policy)
{
    gable_context *ctx = NULL;
    setenv("GABLE_HOST_MEMORY", memory, 1);
    setenv("GABLE_HOST", policy, 1);
    const gable_status status = gable_open(&ctx, device);
    EXPECT(status == GABLE_OK, "%s: %s", device, gable_message(ctx));
    return ctx;
}

/* The cpu was measured to be fast, so that calls which may use it do. */
static void set_fast_cpu(void)
{
    static char folder[] = "/tmp/gable-host-XXXXXX";
    if (strcmp(folder + strlen(folder) - 6, "XXXXXX") != 0)
        return;
    EXPECT(mkdtemp(folder) != NULL, "no folder");
    setenv("XDG_DATA_HOME", folder, 1);
    for (int dtype = GBL_S; dtype <= GBL_D; dtype++) {
        const gbl_cpu_sample fast = {.words = "fast",
                                     .tuned = true,
                                     .threads = 1,
                                     .routine = "gemm",
                                     .dtype = (gbl_dtype)dtype,
                                     .multiply_adds = 1,
                                     .flops = 1e15};
        EXPECT(gbl_cpu_rates_store(&fast, 1), "the rate is not stored");
    }
    gbl_cpu_rates_forget();
}

/* ---- One problem ---- */

/* Operand i is in the device's memory where bit i of `there` is set. */
static void *place(gable_context *ctx, const host_problem *p, int i, unsigned there)
{
    const host_matrix *M = &p->M[i];
    void *memory = NULL;
    if (M->bytes == 0)
        return NULL;
    if (there >> i & 1) {
        EXPECT(gable_alloc(ctx, M->bytes, &memory) == GABLE_OK, "%s", gable_message(ctx));
        EXPECT(gable_set_vector(ctx, (int64_t)M->bytes, 1, M->data, 1, memory, 1) == GABLE_OK, "%s",
               gable_message(ctx));
    } else {
        memory = malloc(M->bytes);
        memcpy(memory, M->data, M->bytes);
    }
    return memory;
}

/* What an operand holds; from malloc. */
static void *take_back(gable_context *ctx, const host_problem *p, int i, unsigned there, void *from)
{
    const host_matrix *M = &p->M[i];
    if (from == NULL || !(there >> i & 1))
        return from;
    void *memory = malloc(M->bytes);
    EXPECT(gable_get_vector(ctx, (int64_t)M->bytes, 1, from, 1, memory, 1) == GABLE_OK, "%s",
           gable_message(ctx));
    gable_free(ctx, from);
    return memory;
}

static const char *words(const host_problem *p, unsigned there)
{
    static char text[256];
    const host_args *a = &p->args;
    snprintf(text, sizeof text,
             "%c routine %d%s side %d uplo %d trans %d %d diag %d m %d n %d k %d beta %g there %u",
             p->letter, (int)a->routine, a->hermitian ? " hermitian" : "", (int)a->side,
             (int)a->uplo, (int)a->transa, (int)a->transb, (int)a->diag, (int)a->m, (int)a->n,
             (int)a->k, a->beta.re, there);
    return text;
}

static void try_places(gable_context *ctx, const host_problem *p, unsigned there)
{
    void *at[3];
    for (int i = 0; i < 3; i++)
        at[i] = place(ctx, p, i, there);
    const gable_status status = host_problem_call(ctx, p, at);
    EXPECT(status == GABLE_OK, "%s: %s", words(p, there), gable_message(ctx));
    for (int i = 0; i < 3; i++) {
        void *memory = take_back(ctx, p, i, there, at[i]);
        if (memory != NULL)
            EXPECT(host_problem_right(p, i, memory), "%s: operand %d is wrong", words(p, there), i);
        free(memory);
    }
}

static void try_args(gable_context *ctx, char letter, const host_args *args, unsigned seed,
                     unsigned first, unsigned step)
{
    host_problem p;
    host_problem_make(&p, letter, args, (int)(seed % 3), seed);
    for (unsigned there = first; there < 8; there += step)
        try_places(ctx, &p, there);
    host_problem_free(&p);
}

/* ---- All forms ---- */

/* Whether the routine takes the flags; those that it has not are the first of each kind. */
static bool is_legal(char letter, const host_args *a)
{
    const bool complex = letter == 'c' || letter == 'z';
    const bool update = a->routine == HOST_SYRK || a->routine == HOST_SYR2K,
               triangular = a->routine == HOST_TRMM || a->routine == HOST_TRSM,
               product = a->routine == HOST_GEMM || a->routine == HOST_GEMMT,
               symmetric = a->routine == HOST_SYMM;
    if ((a->uplo != GABLE_UPPER && a->routine == HOST_GEMM) ||
        (a->side != GABLE_LEFT && !triangular && !symmetric) ||
        (a->diag != GABLE_NON_UNIT && !triangular) || (a->transa != GABLE_NO_TRANS && symmetric) ||
        (a->transb != GABLE_NO_TRANS && !product))
        return false;
    if (a->hermitian && (!complex || !(update || symmetric)))
        return false;
    return !update || !complex || a->transa != (a->hermitian ? GABLE_TRANS : GABLE_CONJ_TRANS);
}

/* Flags number i; false past the last. */
static bool flags(int i, host_args *a)
{
    a->uplo = i % 2 ? GABLE_LOWER : GABLE_UPPER;
    a->side = i / 2 % 2 ? GABLE_RIGHT : GABLE_LEFT;
    a->diag = i / 4 % 2 ? GABLE_UNIT : GABLE_NON_UNIT;
    a->transa = transes[i / 8 % 3];
    a->transb = transes[i / 24 % 3];
    a->hermitian = i / 72;
    return i < 144;
}

static void scalars(host_args *a, char letter, int which)
{
    const bool complex = letter == 'c' || letter == 'z', real = a->hermitian;
    a->alpha = (gable_cdouble){which % 2 ? -2 : 1, 0};
    a->beta = (gable_cdouble){which % 3 == 0 ? 0 : which % 3 == 1 ? 1 : -1, 0};
    if (a->routine == HOST_TRSM)
        a->alpha.re = which % 2 ? 2 : 1;
    else if (complex && !(real && a->routine == HOST_SYRK))
        a->alpha.im = 1;
    if (complex && !real && which % 3 == 2)
        a->beta.im = 2;
}

static void every_form(gable_context *ctx, const int64_t size[3], unsigned step, int every)
{
    int which = 0;
    for (host_routine routine = HOST_GEMM; routine < HOST_ROUTINES; routine++) {
        host_args a = {.routine = routine, .m = size[0], .n = size[1], .k = size[2]};
        for (int i = 0; flags(i, &a); i++)
            for (int l = 0; l < 4; l++) {
                if (!is_legal(letters[l], &a) || (i + l) % every != 0)
                    continue;
                which++;
                scalars(&a, letters[l], which);
                try_args(ctx, letters[l], &a, (unsigned)(1 + which), (unsigned)which % step, step);
            }
    }
}

static void all_beside(void)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {5, 7, 3}, {40, 33, 61}, {90, 21, 35}};
    static const char *const memories[] = {"", "64K"};
    const bool all = getenv("GABLE_TEST_ALL") != NULL; /* make check-all */
    beside_install();
    for (int i = 0; i < 4; i++)
        for (int memory = 0; memory < 2; memory++) {
            gable_context *ctx = open_with("beside", memories[memory], "");
            /* All forms of one size in tiles; of the others a fifth. */
            every_form(ctx, sizes[i], 3, all || (i == 2 && memory == 1) ? 1 : 5);
            EXPECT(strcmp(gable_last_device(ctx), "beside:0") == 0, "ran on %s",
                   gable_last_device(ctx));
            gable_close(ctx);
        }
    beside_remove();
}

/* Larger than the smallest memory in every direction, and wide panels. */
static void large_beside(void)
{
    static const int64_t sizes[][3] = {
        {110, 130, 120}, {200, 30, 24}, {20, 260, 25}, {24, 30, 500}};
    beside_install();
    for (int i = 0; i < 4; i++) {
        gable_context *ctx = open_with("beside", "64K", "");
        every_form(ctx, sizes[i], 7, 7);
        gable_close(ctx);
    }
    beside_remove();
}

static void on_device(void)
{
    const char *device = getenv("GABLE_DEVICE");
    if (device == NULL || device[0] == '\0')
        device = "cpu";
    const bool few = strncmp(device, "opencl", 6) == 0;
    static const char *const memories[] = {"", "64K"};
    for (int memory = 0; memory < 2; memory++) {
        gable_context *ctx = open_with(device, memories[memory], "");
        host_args a = {.routine = HOST_GEMM,
                       .side = GABLE_LEFT,
                       .uplo = GABLE_LOWER,
                       .transa = GABLE_NO_TRANS,
                       .transb = GABLE_TRANS,
                       .diag = GABLE_NON_UNIT,
                       .m = 130,
                       .n = 150,
                       .k = 90};
        for (; a.routine < HOST_ROUTINES; a.routine++) {
            scalars(&a, 'd', 2 + (int)a.routine);
            try_args(ctx, 'd', &a, 3, memory, 7);
        }
        if (!few)
            every_form(ctx, (const int64_t[]){40, 33, 61}, 7, 1);
        gable_close(ctx);
    }
}

/* ---- Failures ---- */

/* The problems that fail: results that are recomputed, completed by columns, and copied first. */
static int failing_problems(host_args problems[8])
{
    const host_args base = {.routine = HOST_GEMM,
                            .side = GABLE_LEFT,
                            .uplo = GABLE_LOWER,
                            .transa = GABLE_NO_TRANS,
                            .transb = GABLE_NO_TRANS,
                            .diag = GABLE_NON_UNIT,
                            .m = 40,
                            .n = 300,
                            .k = 40,
                            .alpha = {1, 0}};
    int count = 0;
    for (int beta = 0; beta < 2; beta++) {
        problems[count] = base;
        problems[count++].beta.re = beta;
        problems[count] = base; /* rows in panels */
        problems[count].m = 300;
        problems[count].n = 40;
        problems[count++].beta.re = beta;
    }
    problems[count] = base;
    problems[count].routine = HOST_SYRK;
    problems[count].n = 110;
    problems[count++].beta.re = 1;
    problems[count] = base;
    problems[count++].routine = HOST_TRSM;
    problems[count] = base;
    problems[count].routine = HOST_TRSM;
    problems[count].side = GABLE_RIGHT;
    problems[count].m = 300;
    problems[count++].n = 40;
    problems[count] = base;
    problems[count].routine = HOST_TRMM;
    problems[count].m = 150; /* A does not fit */
    problems[count++].n = 60;
    return count;
}

/* Right, or untouched with a status. */
static void judge(gable_context *ctx, const host_problem *p, const char *what, int nth)
{
    void *at[3];
    for (int i = 0; i < 3; i++)
        at[i] = place(ctx, p, i, 0);
    const gable_status status = host_problem_call(ctx, p, at);
    for (int i = 0; i < 3; i++)
        if (at[i] != NULL)
            EXPECT(status == GABLE_OK ? host_problem_right(p, i, at[i])
                                      : host_problem_untouched(p, i, at[i]),
                   "%s: %s %d gives status %d, and operand %d is %s", words(p, 0), what, nth,
                   (int)status, i, status == GABLE_OK ? "wrong" : "touched");
    for (int i = 0; i < 3; i++)
        free(at[i]);
}

/* What is made once needs a fresh context for each failure. */
static bool made_once(beside_kind kind)
{
    return kind == BESIDE_QUEUE || kind == BESIDE_ALLOC || kind == BESIDE_PINNED ||
           kind == BESIDE_MARK_CREATE;
}

static void fail_problem(const host_problem *p, beside_kind kind, bool always)
{
    char what[32];
    snprintf(what, sizeof what, "kind %d%s", (int)kind, always ? " always" : "");
    bool fired = true;
    gable_context *ctx = open_with("beside", "64K", "device");
    for (int nth = 1; fired && nth < 400; nth++) {
        beside_fail(kind, nth, always);
        judge(ctx, p, what, nth);
        fired = beside_fired();
        beside_fail(kind, 0, false);
        if (!made_once(kind))
            continue;
        judge(ctx, p, "after a failure", nth);
        gable_close(ctx);
        ctx = open_with("beside", "64K", "device");
    }
    gable_close(ctx);
    EXPECT(!fired, "%s: there is no end of failures of %s", words(p, 0), what);
}

static void failures(void)
{
    host_args problems[8];
    const int count = failing_problems(problems);
    beside_install();
    for (int i = 0; i < count; i++) {
        host_problem p;
        host_problem_make(&p, i % 2 ? 'z' : 'd', &problems[i], 1, 17);
        for (beside_kind kind = BESIDE_QUEUE; kind < BESIDE_KINDS; kind++)
            for (int always = 0; always < 2; always++)
                fail_problem(&p, kind, always);
        host_problem_free(&p);
    }
    beside_remove();
}

/* A device that does not answer: the context gives it up after one wait. */
__attribute__((unused)) static void hangs(void)
{
    host_args problems[8];
    const int count = failing_problems(problems);
    beside_install();
    for (int i = 0; i < count; i++)
        for (int nth = 1; nth < 8; nth++) {
            host_problem p;
            host_problem_make(&p, 'd', &problems[i], 0, 5);
            gable_context *ctx = open_with("beside", "64K", "device");
            beside_hang(nth);
            judge(ctx, &p, "wait", nth);
            beside_hang(0);
            judge(ctx, &p, "after a wait", nth);
            gable_close(ctx);
            host_problem_free(&p);
        }
    beside_remove();
}

/* ---- The rest of the interface ---- */

static void refusals(const char *device)
{
    double A[4] = {1, 2, 3, 4}, C[4] = {7, 7, 7, 7};
    gable_context *ctx = open_with(device, "", "");
    EXPECT(gable_last_device(ctx)[0] == '\0', "%s", gable_last_device(ctx));
    gable_status status =
        gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 2, 2, 2, 1, A, 1, A, 2, 0, C, 2);
    EXPECT(status == GABLE_BAD_ARGUMENT &&
               strstr(gable_message(ctx), "gable_host_dgemm: argument 9 (lda) is 1") != NULL,
           "%s", gable_message(ctx));
    status =
        gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 2, 2, 2, 1, NULL, 2, A, 2, 0, C, 2);
    EXPECT(status == GABLE_BAD_ARGUMENT &&
               strstr(gable_message(ctx), "argument 8 (A) is NULL") != NULL,
           "%s", gable_message(ctx));
    EXPECT(gable_host_dgemm(NULL, GABLE_NO_TRANS, GABLE_NO_TRANS, 2, 2, 2, 1, A, 2, A, 2, 0, C,
                            2) == GABLE_BAD_ARGUMENT,
           "no context");
    gable_record_begin(ctx);
    status = gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 2, 2, 2, 1, A, 2, A, 2, 0, C, 2);
    EXPECT(status == GABLE_NOT_RECORDABLE, "%s", gable_message(ctx));
    gable_record_end(ctx, NULL);
    EXPECT(C[0] == 7 && C[3] == 7, "the output was touched");
    /* Nothing to do: nothing is touched. alpha = 0: A is not read. */
    status = gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 0, 2, 2, 1, A, 2, A, 2, 0, C, 2);
    EXPECT(status == GABLE_OK && C[0] == 7, "%s", gable_message(ctx));
    status =
        gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 2, 2, 2, 0, A, 2, A, 2, -1, C, 2);
    EXPECT(status == GABLE_OK && C[0] == -7 && C[3] == -7, "%g", C[0]);
    status = gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 2, 2, 0, 1, A, 2, A, 2, 0, C, 2);
    EXPECT(status == GABLE_OK && C[0] == 0 && C[3] == 0, "%g", C[0]);
    gable_close(ctx);
    static const char *const wrong[][2] = {{"", "never"}, {"12Q", ""}, {"100", ""}, {"-1", ""}};
    for (int i = 0; i < 4; i++) {
        ctx = open_with(device, wrong[i][0], wrong[i][1]);
        status =
            gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 2, 2, 2, 1, A, 2, A, 2, 0, C, 2);
        EXPECT(status == GABLE_BAD_ARGUMENT && strstr(gable_message(ctx), "GABLE_HOST") != NULL,
               "%s", gable_message(ctx));
        gable_close(ctx);
    }
}

/* Pinned operands travel without a detour; small calls run on the cpu where that is allowed. */
static void pins_and_choices(void)
{
    beside_install();
    host_args a = {.routine = HOST_GEMM,
                   .transa = GABLE_NO_TRANS,
                   .transb = GABLE_TRANS,
                   .m = 60,
                   .n = 200,
                   .k = 50,
                   .alpha = {1, 0}};
    for (int beta = 0; beta < 2; beta++) {
        host_problem p;
        a.beta.re = beta;
        host_problem_make(&p, 'd', &a, 2, 9);
        gable_context *ctx = open_with("beside", "64K", "");
        void *at[3];
        for (int i = 0; i < 3; i++)
            at[i] = place(ctx, &p, i, 0);
        for (int i = 0; i < 3; i++) {
            EXPECT(gable_host_pin(ctx, at[i], p.M[i].bytes) == GABLE_OK, "%s", gable_message(ctx));
            memcpy(at[2], p.M[2].data, p.M[2].bytes);
            EXPECT(host_problem_call(ctx, &p, at) == GABLE_OK && host_problem_right(&p, 2, at[2]),
                   "operand %d pinned: %s", i, gable_message(ctx));
            EXPECT(gable_host_unpin(ctx, at[i]) == GABLE_OK, "%s", gable_message(ctx));
        }
        EXPECT(gable_host_unpin(ctx, at[0]) != GABLE_OK, "unpinned twice");
        EXPECT(gable_host_release(ctx) == GABLE_OK && ctx->host->buffer == NULL, "memory is kept");
        memcpy(at[2], p.M[2].data, p.M[2].bytes);
        EXPECT(host_problem_call(ctx, &p, at) == GABLE_OK && host_problem_right(&p, 2, at[2]),
               "after a release: %s", gable_message(ctx));
        EXPECT(gable_host_pin(ctx, NULL, 8) == GABLE_BAD_ARGUMENT, "pinned NULL");
        gable_close(ctx);
        set_fast_cpu();
        ctx = open_with("beside", "", "auto");
        memcpy(at[2], p.M[2].data, p.M[2].bytes);
        EXPECT(host_problem_call(ctx, &p, at) == GABLE_OK && host_problem_right(&p, 2, at[2]), "%s",
               gable_message(ctx));
        EXPECT(strcmp(gable_last_device(ctx), "cpu") == 0, "ran on %s", gable_last_device(ctx));
        gable_close(ctx);
        for (int i = 0; i < 3; i++)
            free(at[i]);
        host_problem_free(&p);
    }
    beside_remove();
}

/* Nothing is taken back but from a call that is under way: test_link_host has drivers that block.
 */
static void recalls(const char *device)
{
    double A[4] = {1, 2, 3, 4}, C[4] = {7, 7, 7, 7};
    EXPECT(gable_host_recall(NULL) == 0, "no context");
    gable_context *ctx = open_with(device, "", "device");
    for (int i = 0; i < 2; i++) {
        EXPECT(gable_host_recall(ctx) == 0 && gable_host_recall(ctx) == 0, "on %s", device);
        const gable_status status =
            gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 2, 2, 2, 1, A, 2, A, 2, 0, C, 2);
        EXPECT(status == GABLE_OK && C[0] == 7 && C[3] == 22, "%s", gable_message(ctx));
    }
    gable_close(ctx);
}

int main(void)
{
    const char *device = getenv("GABLE_DEVICE");
    on_device();
    refusals(device != NULL && device[0] != '\0' ? device : "cpu");
    if (device == NULL || strncmp(device, "opencl", 6) != 0) {
        pins_and_choices();
        recalls("cpu");
        beside_install();
        recalls("beside");
        beside_remove();
#if !defined(__SANITIZE_ADDRESS__) /* memory stays with a device that does not answer */
        hangs();
#endif
        failures();
        large_beside();
        all_beside();
    }
    return expect_summary("test_host");
}
