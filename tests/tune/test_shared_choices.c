/* test_shared_choices.c: what routines of LAPACK choose for their calls, on a pretended H200.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They choose by rounded sizes, from few kernels. Choices and kernels are counted, and the time
 * that choices took is printed. A second round chooses and compiles nothing. The predicted time of
 * the calls is compared with that of free choices. Other calls are chosen for as before.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "blas/level3/level3.h"
#include "core/context.h"
#include "core/kernel.h"
#include "core/key.h"
#include "core/prepare.h"
#include "gable/inspect/dry_device.h"
#include "harness/check.h"
#include "lapack/lapack.h"
#include "model/predict.h"
#include "pretended_h200.h"
#include "tune/choose.h"

static gable_context *ctx;
static double spent; /* seconds */
static const int64_t orders[] = {512, 1024, 3001, 4096, 8192};
#define ORDERS (int)(sizeof orders / sizeof orders[0])

static void choose(gable_context *of, const gbl_question *question, gbl_choice *choice)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    gbl_tune_choose(of, question, choice);
    clock_gettime(CLOCK_MONOTONIC, &to);
    spent += (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* Addresses far apart, without memory. */
static void *place(uintptr_t number)
{
    return (void *)(number << 40);
}

/* ---- Routines ---- */

static gbl_product_call factored(int64_t m, int64_t n)
{
    return (gbl_product_call){.dtype = GBL_D,
                              .uplo = GABLE_LOWER,
                              .trans = GABLE_NO_TRANS,
                              .m = m,
                              .n = n,
                              .k = 1,
                              .A = place(1),
                              .lda = m,
                              .B = place(5),
                              .ldb = m,
                              .tau = place(2),
                              .ipiv = place(3),
                              .info = place(4),
                              .ilo = 1,
                              .ihi = n,
                              .d = place(6),
                              .e = place(7),
                              .taup = place(8)};
}

/* A first call may take 5 ms for its choices, of which one takes some 10 us; of vectors 1 us. */
static const struct {
    const gbl_op *op;
    unsigned choices;
    int kernels;
    int64_t largest; /* gebrd has thousands of calls */
} limits[] = {{&gbl_potrf_op, 60, 11, 8192},  {&gbl_getrf_op, 85, 15, 8192},
              {&gbl_geqrf_op, 140, 14, 8192}, {&gbl_gels_op, 250, 35, 8192},
              {&gbl_sytrd_op, 50, 8, 8192},   {&gbl_gehrd_op, 270, 30, 8192},
              {&gbl_gebrd_op, 2400, 30, 1024}};
#define LIMITS (int)(sizeof limits / sizeof limits[0])

/* Whole routines: few kernels, few choices. */
static void check_routines(void)
{
    for (int k = 0; k < LIMITS; k++) {
        for (int i = 0; i < ORDERS; i++) {
            const gbl_op *op = limits[k].op;
            const int64_t n = orders[i];
            const gbl_product_call call = factored(n, n);
            if (n > limits[k].largest)
                continue;
            test_case("%s of order %d", op->stem, (int)n);
            gbl_choices_forget(ctx);
            gbl_kernels_forget(ctx->device);
            const unsigned before = ctx->choices.made;
            const int kernels = dry_built();
            spent = 0;
            CHECK_OK(ctx, gbl_op_run(ctx, op, &call));
            const unsigned made = ctx->choices.made - before;
            const int built = dry_built() - kernels;
            printf("%s of order %4d: %d kernels, %u choices in %.2f ms\n", op->stem, (int)n, built,
                   made, 1e3 * spent);
            CHECK(built > 0 && built <= limits[k].kernels, "%d kernels", built);
            CHECK(made > 0 && made <= limits[k].choices, "%u choices", made);
        }
    }
}

/* A program that calls all of them in turn: in the second round nothing is chosen or compiled. */
static void check_routines_again(void)
{
    gbl_choices_forget(ctx);
    gbl_kernels_forget(ctx->device);
    for (int round = 0; round < 2; round++) {
        const unsigned made = ctx->choices.made;
        const int built = dry_built();
        for (int k = 0; k < LIMITS; k++) {
            for (int i = 0; i < ORDERS && orders[i] <= limits[k].largest; i++) {
                const gbl_product_call call = factored(orders[i], orders[i]);
                test_case("%s of order %d, round %d", limits[k].op->stem, (int)orders[i], round);
                CHECK_OK(ctx, gbl_op_run(ctx, limits[k].op, &call));
            }
        }
        CHECK(round == 0 || (ctx->choices.made == made && dry_built() == built),
              "the second round makes %u choices and %d kernels", ctx->choices.made - made,
              dry_built() - built);
    }
}

/* ---- What rounded sizes cost ---- */

static struct {
    gbl_roofs roofs;
    const gbl_op *outer;  /* the call that is looked at; NULL: none */
    double shared, alone; /* seconds of all calls, as they are chosen for and as they would be */
} lost;

/* Calls that a factorization makes, without what they call in turn. */
static void compare(gable_context *of, const gbl_op *op, const void *call, const gbl_choice *choice,
                    bool start, gable_status status)
{
    const gbl_situation within = {.replayed = true, .within = true}, alone = {.replayed = true};
    gbl_choice free_choice;
    gbl_prediction p;
    (void)status;
    if (op->rounded_parts || gbl_preparing(of) != NULL || (lost.outer != NULL && start))
        return;
    if (!start) {
        lost.outer = lost.outer == op ? NULL : lost.outer;
        return;
    }
    lost.outer = op;
    gbl_predict_call(of->device, op, call, choice, &lost.roofs, &within, &p);
    lost.shared += p.seconds;
    gbl_op_foresee(of->device, op, call, &free_choice);
    gbl_predict_call(of->device, op, call, &free_choice, &lost.roofs, &alone, &p);
    lost.alone += p.seconds;
}

/* By the model, at most 2 % of a whole factorization. */
static void check_loss(void)
{
    const gbl_situation replayed = {.replayed = true};
    gbl_roofs_get(ctx->device, &lost.roofs);
    for (int k = 0; k < LIMITS; k++) {
        const gbl_op *op = limits[k].op;
        for (int i = 0; i < ORDERS && op != &gbl_gebrd_op && op != &gbl_gels_op; i++) {
            for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
                gbl_product_call call = factored(orders[i], orders[i]);
                gbl_choice choice;
                gbl_prediction whole;
                call.dtype = (gbl_dtype)dtype;
                if (orders[i] > 4096 && dtype != GBL_D)
                    continue;
                test_case("%c%s of order %d, against free choices", "sdcz"[dtype], op -> stem,
                          (int)orders[i]);
                gbl_op_foresee(ctx->device, op, &call, &choice);
                gbl_predict_call(ctx->device, op, &call, &choice, &lost.roofs, &replayed, &whole);
                lost.shared = lost.alone = 0;
                gbl_install_observe(compare);
                CHECK_OK(ctx, gbl_op_run(ctx, op, &call));
                gbl_install_observe(NULL);
                const double loss = (lost.shared - lost.alone) / whole.seconds;
                CHECK(lost.alone > 0 && loss <= 0.02, "%.2f %% of %.3g ms are lost", 100 * loss,
                      1e3 * whole.seconds);
            }
        }
    }
}

/* Choices of other calls are what they were, whatever ran before. */
static void check_others(void)
{
    gbl_choices_forget(ctx);
    for (int round = 0; round < 2; round++) {
        static gbl_choice first[6 * 6 * 4];
        int which = 0;
        for (int m = 0; m < 6; m++)
            for (int n = 0; n < 6; n++)
                for (int k = 0; k < 4; k++) {
                    const gbl_product_call call = {.dtype = GBL_D,
                                                   .trans = GABLE_NO_TRANS,
                                                   .trans_b = GABLE_NO_TRANS,
                                                   .m = 40 * (m + 1) * (m + 1),
                                                   .n = 32 << n,
                                                   .k = 32 << 2 * k,
                                                   .A = place(1),
                                                   .lda = 8192,
                                                   .B = place(2),
                                                   .ldb = 8192,
                                                   .C = place(3),
                                                   .ldc = 8192,
                                                   .alpha = {.re = -1},
                                                   .beta = {.re = 1}};
                    gbl_choice choice;
                    memset(&choice, 0, sizeof choice);
                    test_case("gemm %d x %d x %d, round %d", (int)call.m, (int)call.n, (int)call.k,
                              round);
                    CHECK_OK(ctx, gbl_op_choose(ctx, &gbl_gemm_op, &call, &choice));
                    if (round == 0)
                        first[which] = choice;
                    else
                        CHECK(choice.variant == first[which].variant &&
                                  memcmp(&choice.params, &first[which].params,
                                         sizeof choice.params) == 0,
                              "another choice after a factorization: %s", choice.variant->name);
                    which++;
                }
        gbl_choices_forget(ctx);
        const gbl_product_call call = factored(4096, 4096);
        CHECK_OK(ctx, gbl_op_run(ctx, &gbl_potrf_op, &call));
        CHECK_OK(ctx, gbl_op_run(ctx, &gbl_geqrf_op, &call));
    }
}

static void check_rounded_sizes(void)
{
    test_case("rounded sizes");
    for (int64_t size = 0; size < 70000; size++) {
        const int64_t rounded = gbl_rounded_size(size);
        CHECK(rounded >= size && 2 * rounded <= 3 * size + 16 &&
                  gbl_rounded_size(rounded) == rounded,
              "%d is rounded to %d", (int)size, (int)rounded);
        CHECK(size < 16 || (rounded % 16 == 0) == (size % 16 == 0), "%d is rounded to %d",
              (int)size, (int)rounded);
    }
    CHECK(gbl_rounded_size(INT64_MAX) == INT64_MAX, "the largest size is rounded");
}

int main(void)
{
    test_start("test_shared_choices");
    if (!CHECK_OK(ctx, dry_open(&ctx, "sm_90a")))
        return test_finish();
    pretend_h200(ctx->device);
    gbl_install_choose(choose);
    check_rounded_sizes();
    check_routines();
    check_routines_again();
    check_others();
    check_loss();
    dry_close(ctx);
    return test_finish();
}
