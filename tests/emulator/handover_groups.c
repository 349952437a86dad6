/* handover_groups.c: groups that run side by side, under the thread sanitizer: the program that
 * test_handover.c runs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Random data, whose bits must be those that the true kernel gives with groups one after another,
 * each with two to six groups at the same time. That those are right is for the tests of routines
 * on the emulated device. An argument is the number of a mutant (handover.cmake): then only the
 * routines of its kernel run, with the mutant in the place of the kernel. The status is 0 if all is
 * well, 1 if a result is wrong, FAKE_HANGS if a launch does not end, and what the sanitizer says
 * otherwise.
 */
#include <stdlib.h>
#include "blas/level1/columns.h"
#include "blas/level2/level2.h"
#include "core/context.h"
#include "core/kernel.h"
#include "expect.h"
#include "fake_device.h"
#include "fake_groups.h"
#include "handover_bits.h"
#include "handover_lu.h"
#include "handover_qr.h"
#include "handover_gebrd.h"
#include "handover_gehrd.h"
#include "handover_sytrd.h"

#define ROUNDS 8 /* of random data, each with an order of its own */

/* The settings of handover.cmake: work-items of reductions, vec, unroll, range; of gemv items, wx
 * of gemv_n and of gemv_t, vec, unroll. In the second lanes run together. */
static const struct setting {
    int32_t stream[4];
    int32_t matrix[5];
} settings[] = {{{4, 2, 2, 0}, {4, 2, 2, 2, 2}}, {{8, 1, 1, 1}, {8, 2, 8, 1, 1}}};
#define SETTINGS ((int)(sizeof settings / sizeof settings[0]))
#define BATCH    3

static const struct setting *chosen;
static const char *only; /* the stem of the mutant's kernel; NULL: all */

/* ---- Tunables ------------------------------------------------------------------------------- */

static void set(gbl_choice *choice, const char *name, int32_t value)
{
    const int index = gbl_param_index(choice->variant, name);
    if (EXPECT(index >= 0, "%s has no tunable %s", choice->variant->name, name))
        choice->params.value[index] = value;
}

static void choose_variant(const gbl_op *op, const char *name, gbl_choice *choice)
{
    choice->variant = NULL;
    for (int i = 0; i < op->variant_count; i++)
        if (strcmp(op->variants[i].name, name) == 0)
            choice->variant = &op->variants[i];
    if (!EXPECT(choice->variant != NULL, "%s has no variant %s", op->stem, name))
        choice->variant = &op->variants[0];
    gbl_params_fallback(choice->variant, &choice->params);
}

static void choose_gemv(const gbl_op *op, bool plain, gbl_choice *choice)
{
    const int32_t *values = chosen->matrix;
    choose_variant(op, plain ? "split_n" : "split_t", choice);
    set(choice, "items", values[0]);
    set(choice, "wx", plain ? values[1] : values[2]);
    set(choice, "vec", values[3]);
    set(choice, "unroll", values[4]);
    if (!plain)
        set(choice, "batch", 2);
    set(choice, "groups", 2);
    set(choice, "split", 1);
}

static void choose_symv(const gbl_op *op, int dtype, gbl_choice *choice)
{
    static const int32_t values[][5] = {
        [GBL_D] = {8, 4, 4, 2, 2}, [GBL_S] = {8, 4, 4, 2, 4}, [GBL_C] = {8, 4, 2, 2, 2}};
    choose_variant(op, "read_twice", choice);
    memcpy(choice->params.value, values[dtype], sizeof values[0]);
}

static void choose_trsv(const gbl_op *op, bool plain, gbl_choice *choice)
{
    const int32_t values[] = {8, 8, 4, plain ? 2 : 4, 2, 4, 2}; /* 6 groups at most */
    choose_variant(op, plain ? "progress_n" : "progress_t", choice);
    memcpy(choice->params.value, values, sizeof values);
}

static void choose(gable_context *ctx, const gbl_question *question, gbl_choice *choice)
{
    const gbl_op *op = question->of.op;
    const gbl_matrix_call *call = question->call;
    (void)ctx;
    if (strcmp(op->stem, "gemv") == 0) {
        choose_gemv(op, call->trans == GABLE_NO_TRANS, choice);
    } else if (op == &gbl_symv_op) {
        choose_symv(op, call->dtype, choice);
    } else if (op == &gbl_trsv_op) {
        choose_trsv(op, call->trans == GABLE_NO_TRANS, choice);
    } else {
        choose_variant(op, "one_pass", choice);
        choice->params.value[STREAM_LOCAL] = chosen->stream[0];
        choice->params.value[STREAM_VEC] = chosen->stream[1];
        choice->params.value[STREAM_UNROLL] = chosen->stream[2];
        choice->params.value[STREAM_RANGE] = chosen->stream[3];
        choice->params.value[STREAM_GROUPS] = 2; /* of 3 units: 6 groups at most */
        if (strcmp(op->stem, "mdot") == 0)
            choice->params.value[COLUMNS_BATCH] = BATCH;
    }
}

/* ---- Checks --------------------------------------------------------------------------------- */

/* Two, three, four or six. */
static void vary(int round)
{
    static const int counts[] = {3, 2, 6, 4};
    fake_at_once(counts[round % 4]);
    fake_shuffle((unsigned)round * 2 + 1);
}

/* Whether handover.cmake makes a kernel in a precision for the setting, and a mutant does not ask
 * for another one. trsv and symv_read_twice have one setting per precision. */
static bool wanted(const char *stem, char letter)
{
    const bool first = chosen == settings;
    if (only != NULL && strcmp(only, stem) != 0)
        return false;
    if (strcmp(stem, "trsv") == 0)
        return first;
    if (strcmp(stem, "symv_read_twice") == 0)
        return first && letter != 'z';
    return (letter == 's' || letter == 'z') && (first || strcmp(stem, "mdot") != 0);
}

/* A mutant is caught by its first wrong result. */
static void note(bool good)
{
    if (!good && fake_mutant > 0)
        exit(expect_summary("handover_groups"));
}

/* The kernels of a mutant from now on; 0: the true ones. */
static void take_kernels(gable_context *ctx, int mutant)
{
    if (fake_mutant != mutant)
        gbl_kernels_forget(ctx->device);
    fake_mutant = mutant;
}

static void check_bits(gable_context *ctx, const handover_routine *routine, char letter, int form)
{
    unsigned char plain[HANDOVER_BYTES], beside[HANDOVER_BYTES];
    size_t bytes = 0, also = 0;
    const int mutant = fake_mutant;
    fake_at_once(1);
    take_kernels(ctx, 0);
    EXPECT_STATUS(ctx, GABLE_OK, routine->run(ctx, form, plain, &bytes));
    take_kernels(ctx, mutant);
    for (int round = 0; round < ROUNDS; round++) {
        const int other =
            (form + 1) % routine->forms; /* words that it leaves are wrong ones here */
        vary(round);
        EXPECT_STATUS(ctx, GABLE_OK, routine->run(ctx, other, beside, &also));
        EXPECT_STATUS(ctx, GABLE_OK, routine->run(ctx, form, beside, &also));
        note(EXPECT(bytes > 0 && also == bytes && memcmp(plain, beside, bytes) == 0,
                    "%c %s form %d: groups side by side gave other bits in round %d", letter,
                    routine->stem, form, round));
    }
}

static void check_lu(bool good, const char *what)
{
    note(EXPECT(good, "getrf_grid: %s", what));
}

static void check_qr(bool good, const char *what)
{
    note(EXPECT(good, "geqrf_grid: %s", what));
}

static void check_sytrd(bool good, const char *what)
{
    note(EXPECT(good, "sytrd_panel: %s", what));
}

static void check_gehrd(bool good, const char *what)
{
    note(EXPECT(good, "gehrd_panel: %s", what));
}

static void check_gebrd(bool good, const char *what)
{
    note(EXPECT(good, "gebrd_panel: %s", what));
}

/* ---- The program ---------------------------------------------------------------------------- */

/* The stem of a mutant's kernel. */
static const char *stem_of(int mutant)
{
    char word[32];
    snprintf(word, sizeof word, " MUTANT=%d", mutant);
    for (const fake_kernel *kernel = fake_kernels; kernel->stem != NULL; kernel++) {
        const size_t length = strlen(kernel->macros), ends = strlen(word);
        if (length > ends && strcmp(kernel->macros + length - ends, word) == 0)
            return kernel->stem;
    }
    return NULL;
}

static void run_checks(void)
{
    static const handover_routine *const bits[] = {handover_s, handover_d, handover_c, handover_z};
    const fake_settings device = {.fence_device = true, .deferred = true, .is_gpu = true};
    gable_context *ctx = NULL;
    fake_install(&device);
    EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "fake"));
    gbl_install_choose(choose);
    for (int s = 0; s < SETTINGS && ctx != NULL; s++) {
        chosen = &settings[s];
        gbl_choices_clear(ctx);
        for (int p = 0; p < 4; p++) {
            for (const handover_routine *routine = bits[p]; routine->stem != NULL; routine++)
                for (int form = 0; form < routine->forms; form++)
                    if (wanted(routine->stem, "sdcz"[p]))
                        check_bits(ctx, routine, "sdcz"[p], form);
        }
    }
    if (ctx != NULL && (only == NULL || strcmp(only, "getrf_grid") == 0))
        handover_lu(ctx, check_lu);
    if (ctx != NULL && (only == NULL || strcmp(only, "geqrf_grid") == 0))
        handover_qr(ctx, check_qr);
    if (ctx != NULL && (only == NULL || strcmp(only, "sytrd_panel") == 0))
        handover_sytrd(ctx, check_sytrd);
    if (ctx != NULL && (only == NULL || strcmp(only, "gehrd_panel") == 0))
        handover_gehrd(ctx, check_gehrd);
    if (ctx != NULL && (only == NULL || strcmp(only, "gebrd_panel") == 0))
        handover_gebrd(ctx, check_gebrd);
    gable_close(ctx);
    EXPECT(fake_faults() == 0, "%d faults, the first: %s", fake_faults(), fake_first_fault());
    fake_remove();
}

int main(int count, char **arguments)
{
    if (count > 1) {
        fake_mutant = atoi(arguments[1]);
        only = stem_of(fake_mutant);
        fake_patience(2);
        if (only == NULL) {
            fprintf(stderr, "there is no mutant %s\n", arguments[1]);
            return 2;
        }
    }
    run_checks();
    const fake_turns all = fake_turns_so_far();
    printf("%ld launches with groups side by side, %ld words between groups, %ld turns; one after "
           "another it "
           "would be %ld\n",
           all.launches, all.words, all.turns, all.fewest);
    if (fake_mutant == 0)
        EXPECT(all.turns > 2 * all.fewest, "groups did not run at the same time");
    return expect_summary("handover_groups");
}
