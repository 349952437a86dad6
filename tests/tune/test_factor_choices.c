/* test_factor_choices.c: what factorizations ask to be chosen, on a pretended H200.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The solves and products of LU, Cholesky and QR by recursion are run at five orders, without the
 * panels. The first time they are chosen for; whoever factors again chooses nothing. Choices are
 * counted, and the time that they took is printed. And of two variants that are made of solves,
 * which are made of products, the quicker one is chosen. Times of factorizations with leaves of one
 * group that were measured are predicted, and leaves of many groups chosen where they pay. Whole
 * routines are in test_shared_choices.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "blas/level3/level3.h"
#include "core/choice_memo.h"
#include "core/context.h"
#include "gable/inspect/dry_device.h"
#include "harness/check.h"
#include "lapack/eigen.h"
#include "lapack/lapack.h"
#include "model/predict.h"
#include "pretended_h200.h"
#include "tune/choose.h"

#define PANEL 32 /* columns of a panel: they are the leaves of the recursion */

static gable_context *ctx;
static int calls;

/* Where a matrix is, or a block of it. */
typedef struct block {
    char *at;
    int64_t ld;
} block;

static block place(uintptr_t number, int64_t ld)
{
    return (block){(char *)(number << 40), ld};
}

static block part(block of, int64_t row, int64_t column)
{
    return (block){of.at + (row + column * of.ld) * 8, of.ld};
}

static void solve(gable_side side, gable_uplo uplo, gable_trans trans, int64_t m, int64_t n,
                  block A, block B)
{
    const gbl_product_call call = {.dtype = GBL_D,
                                   .side = side,
                                   .uplo = uplo,
                                   .trans = trans,
                                   .diag = GABLE_NON_UNIT,
                                   .m = m,
                                   .n = n,
                                   .A = A.at,
                                   .lda = A.ld,
                                   .B = B.at,
                                   .ldb = B.ld,
                                   .alpha = {.re = 1}};
    if (m == 0 || n == 0)
        return;
    calls++;
    CHECK_OK(ctx, gbl_op_run(ctx, &gbl_trsm_op, &call));
}

static void multiply(gable_trans trans_a, gable_trans trans_b, int64_t m, int64_t n, int64_t k,
                     block A, block B, block C)
{
    const gbl_product_call call = {.dtype = GBL_D,
                                   .trans = trans_a,
                                   .trans_b = trans_b,
                                   .m = m,
                                   .n = n,
                                   .k = k,
                                   .A = A.at,
                                   .lda = A.ld,
                                   .B = B.at,
                                   .ldb = B.ld,
                                   .C = C.at,
                                   .ldc = C.ld,
                                   .alpha = {.re = -1},
                                   .beta = {.re = 1}};
    if (m == 0 || n == 0 || k == 0)
        return;
    calls++;
    CHECK_OK(ctx, gbl_op_run(ctx, &gbl_gemm_op, &call));
}

static void update(int64_t n, int64_t k, block A, block C)
{
    const gbl_product_call call = {.dtype = GBL_D,
                                   .uplo = GABLE_LOWER,
                                   .trans = GABLE_NO_TRANS,
                                   .n = n,
                                   .m = n,
                                   .k = k,
                                   .A = A.at,
                                   .lda = A.ld,
                                   .C = C.at,
                                   .ldc = C.ld,
                                   .alpha = {.re = -1},
                                   .beta = {.re = 1}};
    calls++;
    CHECK_OK(ctx, gbl_op_run(ctx, &gbl_syrk_op, &call));
}

/* Left of the middle are whole panels. */
static int64_t half_of(int64_t n)
{
    const int64_t panels = (n + PANEL - 1) / PANEL;
    return (panels + 1) / 2 * PANEL;
}

static void lu(int64_t m, int64_t n, block A)
{
    if (n <= PANEL)
        return;
    const int64_t k = half_of(n);
    lu(m, k, A);
    solve(GABLE_LEFT, GABLE_LOWER, GABLE_NO_TRANS, k, n - k, A, part(A, 0, k));
    multiply(GABLE_NO_TRANS, GABLE_NO_TRANS, m - k, n - k, k, part(A, k, 0), part(A, 0, k),
             part(A, k, k));
    lu(m - k, n - k, part(A, k, k));
}

static void cholesky(int64_t n, block A)
{
    if (n <= PANEL)
        return;
    const int64_t k = half_of(n);
    cholesky(k, A);
    solve(GABLE_RIGHT, GABLE_LOWER, GABLE_TRANS, n - k, k, A, part(A, k, 0));
    update(n - k, k, part(A, k, 0), part(A, k, k));
    cholesky(n - k, part(A, k, k));
}

/* C := (I - V T V^T)^T C, W is k x n; and T of the whole by a product. */
static void qr(int64_t m, int64_t n, block A, block T, block W)
{
    if (n <= PANEL)
        return;
    const int64_t k = half_of(n);
    qr(m, k, A, T, W);
    multiply(GABLE_TRANS, GABLE_NO_TRANS, k, n - k, m, A, part(A, 0, k), W);
    multiply(GABLE_TRANS, GABLE_NO_TRANS, k, n - k, k, T, W, part(W, 0, n - k));
    multiply(GABLE_NO_TRANS, GABLE_NO_TRANS, m, n - k, k, A, W, part(A, 0, k));
    qr(m - k, n - k, part(A, k, k), part(T, k, k), W);
    multiply(GABLE_TRANS, GABLE_NO_TRANS, k, n - k, m - k, part(A, k, 0), part(A, k, k),
             part(T, 0, k));
}

static void factor(int which, int64_t n)
{
    const block A = place(1, n), T = place(2, n), W = place(3, n);
    if (which == 0)
        lu(n, n, A);
    else if (which == 1)
        cholesky(n, A);
    else
        qr(n, n, A, T, W);
}

/* ---- How many choices ---- */

static const char *const names[] = {"LU", "Cholesky", "QR"};
static const int64_t orders[] = {512, 1024, 3001, 4096, 8192};
#define ORDERS (int)(sizeof orders / sizeof orders[0])

static double spent; /* seconds */

static void choose(gable_context *of, const gbl_question *question, gbl_choice *choice)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    gbl_tune_choose(of, question, choice);
    clock_gettime(CLOCK_MONOTONIC, &to);
    spent += (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

static unsigned choices_for(int which, int64_t n)
{
    const unsigned before = ctx->choices.made;
    calls = 0;
    spent = 0;
    factor(which, n);
    return ctx->choices.made - before;
}

/* A first call may take 5 ms for its choices, of which one takes some 30 us. */
static void check_first(void)
{
    static const unsigned most[] = {160, 160, 360};
    for (int which = 0; which < 3; which++) {
        for (int i = 0; i < ORDERS; i++) {
            test_case("%s of order %d, the first call", names[which], (int)orders[i]);
            gbl_choices_forget(ctx);
            const unsigned made = choices_for(which, orders[i]);
            printf("%-8s of order %4d: %4d calls, %3u choices in %5.2f ms\n", names[which],
                   (int)orders[i], calls, made, 1e3 * spent);
            CHECK(made > 0 && made <= most[which], "%u choices for %d calls", made, calls);
        }
    }
}

/* A program that factors matrices of several orders in turn. */
static void check_again(void)
{
    gbl_choices_forget(ctx);
    for (int round = 0; round < 2; round++) {
        for (int which = 0; which < 3; which++) {
            for (int i = 0; i < ORDERS; i++) {
                test_case("%s of order %d, round %d", names[which], (int)orders[i], round);
                const unsigned made = choices_for(which, orders[i]);
                CHECK(round == 0 || made == 0, "%u of %d calls were chosen for again", made, calls);
            }
        }
    }
}

/* ---- The table of choices ---- */

static void check_table(void)
{
    static const gbl_op op = {.stem = "none"};
    gbl_choice_memo memo = {NULL, 0, 0};
    gbl_choice choice = {.variant = NULL};
    gbl_class of = {.op = &op};
    int wrong = 0;
    test_case("as many choices as are kept, and one more");
    CHECK(!gbl_memo_find(&memo, &of, &choice), "an empty table knows a choice");
    for (int i = 0; i < GBL_MOST_CHOICES; i++) {
        of.key = (uint64_t)i % 128;
        of.ranking = (uint64_t)i / 128 << 20;
        choice.params.value[0] = i;
        wrong += gbl_memo_find(&memo, &of, &choice);
        gbl_memo_put(&memo, &of, &choice);
    }
    CHECK(wrong == 0, "%d choices were known before they were made", wrong);
    for (int i = 0; i < GBL_MOST_CHOICES; i++) {
        of.key = (uint64_t)i % 128;
        of.ranking = (uint64_t)i / 128 << 20;
        wrong += !gbl_memo_find(&memo, &of, &choice) || choice.params.value[0] != i;
    }
    CHECK(wrong == 0, "%d of %d choices are not known", wrong, GBL_MOST_CHOICES);
    of.fitting = 1;
    CHECK(!gbl_memo_find(&memo, &of, &choice), "another class has this choice");
    choice.params.value[0] = -1;
    gbl_memo_put(&memo, &of, &choice);
    CHECK(memo.count == 1 && gbl_memo_find(&memo, &of, &choice) && choice.params.value[0] == -1,
          "of a table that was full, %d are left", (int)memo.count);
    gbl_memo_clear(&memo);
    CHECK(!gbl_memo_find(&memo, &of, &choice), "a cleared table knows a choice");
}

/* ---- Variants made of composed routines ---- */

static const gbl_op *called; /* by both variants */

static uint64_t key_of(const void *call)
{
    (void)call;
    return (uintptr_t)called;
}

static bool fits(const gbl_variant *self, const void *call, const gbl_device *device)
{
    (void)self, (void)call, (void)device;
    return true;
}

static void work(const void *call, gbl_work *least)
{
    (void)call;
    *least = (gbl_work){1e6, 1e6, 1e6};
}

static void cost(const gbl_variant *self, const void *call, const gbl_params *params,
                 const gbl_device *device, gbl_cost *out)
{
    (void)self, (void)call, (void)params, (void)device;
    *out = (gbl_cost){.memory_bytes = 2e6, .launches = 1};
}

static const int64_t quick_order = 64, slow_order = 4096;

static int parts_of(const gbl_variant *self, const void *call, const gbl_params *params,
                    const gbl_device *device, gbl_part_call *parts)
{
    const int64_t n = *(const int64_t *)self->detail;
    const gbl_product_call made = {.dtype = GBL_D,
                                   .side = GABLE_LEFT,
                                   .uplo = GABLE_LOWER,
                                   .trans = GABLE_NO_TRANS,
                                   .diag = GABLE_NON_UNIT,
                                   .m = n,
                                   .n = n,
                                   .k = n,
                                   .A = place(1, n).at,
                                   .lda = n,
                                   .B = place(2, n).at,
                                   .ldb = n,
                                   .C = place(3, n).at,
                                   .ldc = n,
                                   .alpha = {.re = 1}};
    (void)call, (void)params, (void)device;
    parts[0].op = called;
    parts[0].count = 1;
    memcpy(parts[0].call, &made, sizeof made);
    return 1;
}

static const gbl_variant variants[] = {
    {.name = "quick",
     .deterministic = true,
     .fits = fits,
     .cost = cost,
     .parts = parts_of,
     .detail = &quick_order},
    {.name = "slow",
     .deterministic = true,
     .fits = fits,
     .cost = cost,
     .parts = parts_of,
     .detail = &slow_order},
};
static const gbl_op made_op = {.stem = "made",
                               .layout = &gbl_product_layout,
                               .work = work,
                               .key = key_of,
                               .variants = variants,
                               .variant_count = 2};

static void check_levels(void)
{
    static const gbl_op *const ops[] = {&gbl_trsm_op, &gbl_syrk_op, &gbl_trmm_op, &gbl_gemm_op};
    const gbl_product_call call = {.dtype = GBL_D};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        gbl_choice choice;
        called = ops[i];
        test_case("two variants made of %s", called->stem);
        if (CHECK_OK(ctx, gbl_op_choose(ctx, &made_op, &call, &choice)))
            CHECK(choice.variant == &variants[0], "%s is chosen", choice.variant->name);
    }
}

/* ---- Workspace ---- */

/* trmm copies B, and its product may take more; a product alone that is not split takes none. */
static void check_workspace(void)
{
    const int64_t n = 2048, odd = 2049;
    const gbl_situation situation = {.replayed = true};
    gbl_product_call call = {.dtype = GBL_D,
                             .side = GABLE_LEFT,
                             .uplo = GABLE_LOWER,
                             .trans = GABLE_NO_TRANS,
                             .trans_b = GABLE_NO_TRANS,
                             .diag = GABLE_NON_UNIT,
                             .m = n,
                             .n = n,
                             .k = n,
                             .A = place(1, n).at,
                             .lda = n,
                             .B = place(2, n).at,
                             .ldb = n,
                             .C = place(3, n).at,
                             .ldc = n,
                             .alpha = {.re = 1}};
    gbl_choice choice;
    gbl_prediction p;
    gbl_roofs roofs;
    gbl_roofs_get(ctx->device, &roofs);
    test_case("workspace");
    gbl_op_foresee(ctx->device, &gbl_gemm_op, &call, &choice);
    gbl_predict_call(ctx->device, &gbl_gemm_op, &call, &choice, &roofs, &situation, &p);
    CHECK(p.workspace_bytes == 0, "a product by %s takes %g bytes", choice.variant->name,
          p.workspace_bytes);
    gbl_op_foresee(ctx->device, &gbl_trmm_op, &call, &choice);
    gbl_predict_call(ctx->device, &gbl_trmm_op, &call, &choice, &roofs, &situation, &p);
    const double copy = 8.0 * (double)n * (double)n;
    CHECK(p.workspace_bytes >= copy && p.workspace_bytes < 4 * copy, "trmm takes %g bytes",
          p.workspace_bytes);
    call.lda = call.ldb = call.ldc = odd;
    choice.variant = gbl_variant_find(&gbl_gemm_op, "aligned_copy");
    gbl_params_fallback(choice.variant, &choice.params);
    gbl_predict_call(ctx->device, &gbl_gemm_op, &call, &choice, &roofs, &situation, &p);
    CHECK(p.workspace_bytes == 2 * copy, "two aligned copies take %g bytes", p.workspace_bytes);
}

/* Replayed, d, in ms (H200, 2026-11). */
static const struct measured {
    const gbl_op *op;
    const char *variant;
    int64_t n;
    double ms;
} measured[] = {
    {&gbl_potrf_op, "columns", 1024, 0.437}, {&gbl_potrf_op, "columns", 4096, 2.43},
    {&gbl_potrf_op, "columns", 8192, 8.10},  {&gbl_potrf_op, "panels", 256, 0.081},
    {&gbl_potrf_op, "panels", 1024, 0.365},  {&gbl_potrf_op, "panels", 4096, 1.99},
    {&gbl_potrf_op, "panels", 8192, 6.73},   {&gbl_getrf_op, "columns", 1024, 3.15},
    {&gbl_getrf_op, "columns", 4096, 29.5},  {&gbl_getrf_op, "columns", 8192, 108},
    {&gbl_getrf_op, "columns", 3001, 17.1},  {&gbl_getrf_op, "grid", 1024, 3.58},
    {&gbl_getrf_op, "grid", 4096, 16.0},     {&gbl_getrf_op, "grid", 8192, 41.8},
    {&gbl_getrf_op, "cluster", 512, 0.883},  {&gbl_getrf_op, "cluster", 1024, 1.95},
    {&gbl_getrf_op, "cluster", 1500, 3.10},  {&gbl_getrf_op, "cluster", 4096, 10.2},
    {&gbl_getrf_op, "cluster", 6000, 18.3},  {&gbl_getrf_op, "cluster", 8192, 29.9},
    {&gbl_geqrf_op, "columns", 1024, 8.3},   {&gbl_geqrf_op, "columns", 4096, 72.4},
    {&gbl_geqrf_op, "columns", 8192, 259},   {&gbl_geqrf_op, "columns", 3001, 42.1},
    {&gbl_geqrf_op, "grid", 1024, 6.02},     {&gbl_geqrf_op, "grid", 4096, 27.3},
    {&gbl_geqrf_op, "grid", 8192, 67.9},     {&gbl_geqrf_op, "cluster", 512, 1.01},
    {&gbl_geqrf_op, "cluster", 1024, 2.19},  {&gbl_geqrf_op, "cluster", 1500, 3.44},
    {&gbl_geqrf_op, "cluster", 4096, 12.3},  {&gbl_geqrf_op, "cluster", 6000, 24.6},
    {&gbl_geqrf_op, "cluster", 8192, 41.8},  {&gbl_sytrd_op, "panels", 1024, 6.55},
    {&gbl_sytrd_op, "panels", 2048, 15.1},   {&gbl_sytrd_op, "panels", 4096, 44.7},
    {&gbl_sytrd_op, "panels", 8192, 240},    {&gbl_gehrd_op, "panels", 1024, 8.69},
    {&gbl_gehrd_op, "panels", 2048, 19.3},   {&gbl_gehrd_op, "panels", 4096, 71.8},
    {&gbl_gehrd_op, "panels", 8192, 451},    {&gbl_gebrd_op, "panels", 777, 7.77},
    {&gbl_gebrd_op, "panels", 1024, 7.72},   {&gbl_gebrd_op, "panels", 1500, 13.1},
    {&gbl_gebrd_op, "panels", 2048, 20.5},   {&gbl_gebrd_op, "panels", 3001, 65.7},
    {&gbl_gebrd_op, "panels", 4096, 77.0},   {&gbl_gebrd_op, "panels", 8192, 449},
};

static gbl_product_call factored(int64_t m, int64_t n)
{
    return (gbl_product_call){.dtype = GBL_D,
                              .uplo = GABLE_LOWER,
                              .m = m,
                              .n = n,
                              .A = place(1, m).at,
                              .lda = m,
                              .tau = place(2, m).at,
                              .ipiv = (int64_t *)(void *)place(3, m).at,
                              .info = (int64_t *)(void *)place(4, m).at};
}

static void check_measured(void)
{
    const gbl_situation situation = {.replayed = true};
    gbl_roofs roofs;
    gbl_roofs_get(ctx->device, &roofs);
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        const struct measured *row = &measured[i];
        const gbl_product_call call = factored(row->n, row->n);
        gbl_choice choice = {.variant = gbl_variant_find(row->op, row->variant)};
        gbl_prediction p;
        test_case("%s of order %d by %s", row->op->stem, (int)row->n, row->variant);
        gbl_params_fallback(choice.variant, &choice.params);
        gbl_predict_call(ctx->device, row->op, &call, &choice, &roofs, &situation, &p);
        CHECK(p.seconds > 0.85e-3 * row->ms && p.seconds < 1.15e-3 * row->ms,
              "%.3g ms are predicted, %.3g were measured", 1e3 * p.seconds, row->ms);
    }
}

static void check_leaves(void)
{
    static const struct {
        const gbl_op *op;
        int64_t m, n;
        const char *variant;
    } wanted[] = {{&gbl_getrf_op, 64, 64, "cluster"},     {&gbl_getrf_op, 1024, 1024, "cluster"},
                  {&gbl_getrf_op, 8192, 8192, "cluster"}, {&gbl_getrf_op, 20000, 512, "grid"},
                  {&gbl_geqrf_op, 1024, 1024, "cluster"}, {&gbl_geqrf_op, 20000, 32, "grid"},
                  {&gbl_geqrf_op, 8192, 8192, "cluster"}, {&gbl_geqrf_op, 1048576, 64, "tall"},
                  {&gbl_potrf_op, 1024, 1024, "panels"},  {&gbl_sytrd_op, 2048, 2048, "panels"},
                  {&gbl_gehrd_op, 2048, 2048, "panels"}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const gbl_product_call call = factored(wanted[i].m, wanted[i].n);
        gbl_choice choice;
        test_case("%s of %lld by %lld", wanted[i].op->stem, (long long)wanted[i].m,
                  (long long)wanted[i].n);
        gbl_op_foresee(ctx->device, wanted[i].op, &call, &choice);
        CHECK(strcmp(choice.variant->name, wanted[i].variant) == 0, "%s is chosen, not %s",
              choice.variant->name, wanted[i].variant);
    }
}

/* Few eigenvectors by inverse iteration, many by divide and conquer; of an interval nobody knows
 * how many there are. */
static void check_eigenvectors(void)
{
    static const struct {
        int64_t n, count; /* count 0: of an interval */
        const char *variant;
    } wanted[] = {{4096, 10, "inverse"},
                  {4096, 0, "reduce"},
                  {4096, 4096, "reduce"},
                  {16384, 1638, "inverse"}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        gbl_product_call call = factored(wanted[i].n, wanted[i].n);
        gbl_choice choice;
        call.job = GABLE_VECTORS;
        call.range = wanted[i].count > 0 ? GABLE_RANGE_INDICES : GABLE_RANGE_VALUES;
        call.ilo = 1;
        call.ihi = wanted[i].count;
        call.C = place(5, wanted[i].n).at;
        call.ldc = wanted[i].n;
        call.d = place(6, wanted[i].n).at;
        gbl_syevx_complete(&call);
        test_case("syevx, %lld of %lld vectors", (long long)wanted[i].count,
                  (long long)wanted[i].n);
        gbl_op_foresee(ctx->device, &gbl_syevx_op, &call, &choice);
        CHECK(strcmp(choice.variant->name, wanted[i].variant) == 0, "%s is chosen, not %s",
              choice.variant->name, wanted[i].variant);
    }
}

int main(void)
{
    test_start("test_factor_choices");
    if (!CHECK_OK(ctx, dry_open(&ctx, "sm_90a")))
        return test_finish();
    gbl_install_choose(choose);
    check_first();
    check_again();
    check_table();
    check_levels();
    check_workspace();
    pretend_h200(ctx->device);
    check_measured();
    check_leaves();
    check_eigenvectors();
    dry_close(ctx);
    return test_finish();
}
