/* test_pipeline_cost.c: the model's cost of products by pipelines of stages keeps order, on a
 * pretended H200.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Whatever the constants are, a product never costs less than its flops at the units' rate, more
 * terms, more tiles and a C that is read cost more, a triangle of C costs about half, and a
 * triangular factor something between half and all. What cannot be planned gets the nearest plan
 * that can. Times of forced shapes that were measured on an H200 are predicted, and where several
 * shapes were measured the fastest is chosen, or one within 5 % of it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/gemm/gemm_pipeline.h"
#include "gable/inspect/dry_device.h"
#include "harness/check.h"
#include "model/predict.h"
#include "model/roofs.h"
#include "tune/space.h"
#include "pretended_h200.h"
#include "tune/choose.h"
#include "tune/tune_line.h"

/* The numbers of tunables. */
#define CLUSTER  3
#define GROUPS   5
#define STAGGER  6
#define STAGED_C 7

static gable_context *ctx;
static gbl_roofs roofs;
static const gbl_variant *pipeline;

static gbl_product_call product(int64_t m, int64_t n, int64_t k)
{
    return (gbl_product_call){.dtype = GBL_D,
                              .trans = GABLE_NO_TRANS,
                              .trans_b = GABLE_NO_TRANS,
                              .m = m,
                              .n = n,
                              .k = k,
                              .A = (void *)((uintptr_t)1 << 40),
                              .lda = m,
                              .B = (void *)((uintptr_t)2 << 40),
                              .ldb = k,
                              .C = (void *)((uintptr_t)3 << 40),
                              .ldc = m,
                              .alpha = {.re = 1}};
}

static gbl_params shape(int32_t rows, int32_t columns, int32_t split_k, int32_t cluster,
                        int32_t groups)
{
    return (gbl_params){{rows, columns, split_k, cluster, 0, groups, 0, 0}};
}

static double seconds_of(const gbl_product_call *call, const gbl_params *params)
{
    const gbl_choice choice = {.variant = pipeline, .params = *params};
    const gbl_situation replayed = {.replayed = true};
    gbl_prediction p;
    gbl_predict_call(ctx->device, &gbl_gemm_op, call, &choice, &roofs, &replayed, &p);
    return p.seconds;
}

/* Every start, at sizes from one tile to many. */
static void check_roof(void)
{
    for (int i = 0; i < pipeline->start_count; i++) {
        double before = 0;
        for (int64_t n = 128; n <= 8192; n *= 2) {
            const gbl_product_call call = product(n, n, n);
            gbl_params params = pipeline->starts[i];
            gbl_pipeline_plan plan;
            gbl_work work;
            params.value[CLUSTER] = 1; /* else small products have larger clusters, which cost */
            test_case("start %d, n = %d", i, (int)n);
            if (!gbl_pipeline_plan_make(&call, &params, ctx->device, &plan))
                continue;
            const double seconds = seconds_of(&call, &params);
            gbl_gemm_work(&call, &work);
            CHECK(seconds > work.flops / gbl_roofs_matrix_flops(&roofs, GBL_D),
                  "%g us are above the roof", 1e6 * seconds);
            CHECK(seconds > before, "%g us, and %g us for half of n", 1e6 * seconds, 1e6 * before);
            before = seconds;
        }
    }
}

static void check_order(void)
{
    const gbl_params large = shape(128, 128, 1, 1, 1);
    gbl_product_call call = product(4096, 4096, 4096);
    const double plain = seconds_of(&call, &large);
    call.beta = (gbl_scalar){.re = 1};
    CHECK(seconds_of(&call, &large) >= plain, "reading C is for free");
    call = product(8192, 8192, 64);
    const double written = seconds_of(&call, &large);
    call.beta = (gbl_scalar){.re = 1};
    CHECK(seconds_of(&call, &large) > 1.2 * written,
          "reading C of an update of rank 64 is for free");

    call = product(4096, 4096, 4096);
    call.triangle_c = GBL_LOWER_ONLY;
    const double part = seconds_of(&call, &large) / plain;
    CHECK(part > 0.45 && part < 0.65, "a triangle of C takes %g of the time of all", part);
    call = product(4096, 4096, 4096);
    call.triangular = GBL_A_LOWER;
    const double triangular = seconds_of(&call, &large) / plain;
    CHECK(triangular > 0.45 && triangular < 0.75,
          "a triangular factor takes %g of the time of a full one", triangular);
    call = product(4096, 4096, 4096);
    call.lda++;
    call.ldb++;
    CHECK(seconds_of(&call, &large) > plain, "copies of elements are for free");
}

/* C through local memory: its bytes go beside the steps, and cost nothing less than they do
 * alone. */
static void check_staged_c(void)
{
    gbl_product_call call = product(8192, 8192, 256);
    call.beta = (gbl_scalar){.re = 1};
    gbl_params params = shape(128, 128, 1, 1, 1);
    const double plain = seconds_of(&call, &params);
    params.value[STAGED_C] = 1;
    const double kept = seconds_of(&call, &params);
    call.k = 0;
    const double alone = seconds_of(&call, &params);
    CHECK(kept < plain && kept > alone, "%g us, %g us without buffers, %g us without terms",
          1e6 * kept, 1e6 * plain, 1e6 * alone);
    gbl_pipeline_plan plan;
    call.k = 256;
    CHECK(gbl_pipeline_plan_make(&call, &params, ctx->device, &plan) && plan.staged_c == 1 &&
              plan.local_bytes <= (int64_t)ctx->device->props.max_dynamic_local_bytes,
          "%d x %d with a buffer has %lld bytes", (int)plan.rows, (int)plan.columns,
          (long long)plan.local_bytes);
    call.ldc++;
    CHECK(!gbl_pipeline_plan_make(&call, &params, ctx->device, &plan),
          "TMA tiles of columns that do not start on 16 bytes");
    CHECK(gbl_pipeline_plan_nearest(&call, &params, ctx->device, &plan) && plan.staged_c == 0 &&
              plan.rows == 128 && plan.columns == 128,
          "the nearest is %d x %d with %d buffers", (int)plan.rows, (int)plan.columns,
          (int)plan.staged_c);
    /* A triangle has its part of the gain: tiles that its diagonal cuts have no buffers. */
    call = product(8192, 8192, 64);
    call.beta = (gbl_scalar){.re = 1};
    const double whole = seconds_of(&call, &params);
    call.triangle_c = GBL_LOWER_ONLY;
    const double triangle = seconds_of(&call, &params);
    CHECK(triangle > 0.5 * whole && triangle < 0.6 * whole,
          "a triangle takes %g of the time of all", triangle / whole);
    /* So have tiles whose columns end within 16 bytes: here all of them. */
    call = product(128, 65536, 256);
    call.beta = (gbl_scalar){.re = 1};
    const double lines = seconds_of(&call, &params);
    call.m--;
    CHECK(seconds_of(&call, &params) > lines, "127 rows take less than 128");
}

/* Buffers that the model gives a call. */
static int chosen_staged_c(const gbl_product_call *call)
{
    gbl_choice choice;
    gbl_op_foresee(ctx->device, &gbl_gemm_op, call, &choice);
    return choice.variant == pipeline ? choice.params.value[STAGED_C] : 0;
}

/* Only updates of low rank of large matrices have buffers. */
static void check_staged_c_chosen(void)
{
    static const int64_t terms[] = {32, 64, 128};
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        for (int i = 0; i < 3; i++) {
            gbl_product_call call = product(8192, 8192, terms[i]);
            call.dtype = (gbl_dtype)dtype;
            call.beta = (gbl_scalar){.re = 1};
            test_case("%c, %d terms", gbl_dtype_letter(call.dtype), (int)call.k);
            CHECK(chosen_staged_c(&call) > 0, "no buffers");
            call.triangle_c = GBL_LOWER_ONLY;
            CHECK((chosen_staged_c(&call) > 0) == (dtype != GBL_C), "buffers for a triangle");
            call.triangle_c = GBL_ALL;
            call.beta = (gbl_scalar){.re = 0};
            CHECK(dtype == GBL_D || chosen_staged_c(&call) == 0, "buffers for what is not read");
            call.beta = (gbl_scalar){.re = 1};
            call.k = 2048;
            CHECK(chosen_staged_c(&call) == 0, "buffers beside many steps");
        }
    }
}

/* ---- What was measured (H200, 2026-11: replayed, operands not in the cache) ---- */

typedef struct measurement {
    gbl_dtype dtype;
    const char *trans;
    int64_t m, n, k;
    int beta, offset;
    int32_t rows, columns, split_k, cluster, groups, staged_c;
    double usec;
} measurement;

static const measurement measured[] = {
    {GBL_D, "NN", 128, 128, 128, 0, 0, 32, 32, 4, 1, 1, 0, 2.94},
    {GBL_D, "NN", 128, 128, 128, 0, 0, 64, 32, 2, 1, 1, 0, 3.31},
    {GBL_D, "NN", 128, 128, 128, 0, 0, 32, 32, 4, 2, 1, 0, 3.67},
    {GBL_D, "NN", 128, 128, 128, 0, 0, 64, 32, 2, 2, 1, 0, 4.17},
    {GBL_D, "NN", 256, 256, 256, 0, 0, 32, 32, 4, 2, 1, 0, 4.42},
    {GBL_D, "NN", 256, 256, 256, 0, 0, 64, 32, 2, 1, 1, 0, 4.57},
    {GBL_D, "NN", 256, 256, 256, 0, 0, 32, 32, 4, 1, 1, 0, 4.68},
    {GBL_D, "NN", 256, 256, 256, 0, 0, 64, 32, 2, 2, 1, 0, 4.89},
    {GBL_D, "NN", 256, 256, 256, 0, 0, 32, 64, 1, 4, 2, 0, 5.17},
    {GBL_D, "NN", 512, 512, 512, 0, 0, 64, 32, 2, 1, 1, 0, 7.73},
    {GBL_D, "NN", 512, 512, 512, 0, 0, 64, 32, 2, 2, 1, 0, 12.37},
    {GBL_D, "NN", 512, 512, 512, 0, 0, 32, 32, 4, 1, 1, 0, 14.33},
    {GBL_D, "NN", 512, 512, 512, 0, 0, 32, 32, 4, 2, 1, 0, 22.06},
    {GBL_D, "NN", 1024, 1024, 1024, 0, 0, 128, 64, 2, 1, 1, 0, 38.87},
    {GBL_D, "TN", 1024, 1024, 1024, 0, 0, 128, 64, 2, 1, 1, 0, 39.14},
    {GBL_D, "NN", 2048, 2048, 2048, 0, 0, 128, 128, 1, 1, 1, 0, 290.0},
    {GBL_D, "TN", 2048, 2048, 2048, 0, 0, 128, 128, 1, 1, 1, 0, 293.6},
    {GBL_D, "NN", 4096, 4096, 4096, 0, 0, 128, 128, 1, 1, 1, 0, 2379},
    {GBL_D, "TN", 4096, 4096, 4096, 0, 0, 128, 128, 1, 1, 1, 0, 2424},
    {GBL_D, "NN", 8192, 8192, 8192, 0, 0, 128, 128, 1, 1, 1, 0, 19466},
    {GBL_D, "NN", 2047, 2047, 2047, 0, 0, 128, 128, 1, 1, 1, 0, 356.4},
    {GBL_D, "NN", 2047, 2047, 2047, 0, 0, 64, 64, 2, 1, 1, 0, 339.5},
    {GBL_D, "TT", 2047, 2047, 2047, 0, 0, 128, 128, 1, 1, 1, 0, 346.1},
    {GBL_D, "TT", 2047, 2047, 2047, 0, 0, 64, 64, 2, 1, 1, 0, 347.8},
    {GBL_D, "TN", 2047, 2047, 2047, 0, 0, 128, 128, 1, 1, 1, 0, 367.5},
    {GBL_D, "TN", 2047, 2047, 2047, 0, 0, 64, 64, 2, 1, 1, 0, 360.8},
    {GBL_D, "NN", 8192, 8192, 64, 1, 0, 128, 128, 1, 1, 1, 0, 330.8},
    {GBL_D, "NN", 8192, 8192, 64, 1, 0, 128, 64, 1, 1, 2, 0, 321.9},
    {GBL_D, "NN", 8192, 8192, 128, 1, 0, 128, 128, 1, 1, 1, 0, 439.7},
    {GBL_D, "NN", 8192, 8192, 128, 1, 0, 128, 64, 1, 1, 2, 0, 455.4},
    {GBL_D, "NN", 8192, 8192, 256, 1, 0, 128, 128, 1, 1, 1, 0, 742.4},
    {GBL_D, "NN", 8192, 8192, 256, 1, 0, 128, 64, 1, 1, 2, 0, 789.8},
    {GBL_D, "NN", 16384, 16384, 32, 1, 0, 128, 128, 1, 1, 1, 0, 1217},
    {GBL_D, "NN", 16384, 16384, 32, 1, 0, 128, 64, 1, 1, 2, 0, 1211},
    {GBL_S, "NN", 512, 512, 512, 0, 0, 128, 32, 8, 2, 1, 0, 12.16},
    {GBL_S, "NN", 1024, 1024, 1024, 0, 0, 128, 64, 4, 1, 1, 0, 52.99},
    {GBL_S, "TN", 1024, 1024, 1024, 0, 0, 128, 64, 4, 1, 1, 0, 59.95},
    {GBL_S, "NN", 2048, 2048, 2048, 0, 0, 128, 256, 1, 1, 1, 0, 338.7},
    {GBL_S, "TN", 2048, 2048, 2048, 0, 0, 128, 256, 1, 1, 1, 0, 353.0},
    {GBL_S, "NT", 4096, 4096, 4096, 0, 0, 128, 256, 1, 1, 1, 0, 2605},
    {GBL_S, "NN", 4096, 4096, 4096, 0, 0, 128, 256, 1, 1, 1, 0, 2686},
    {GBL_S, "TT", 4096, 4096, 4096, 0, 0, 128, 256, 1, 1, 1, 0, 2635},
    {GBL_S, "NN", 8192, 8192, 8192, 0, 0, 128, 256, 1, 1, 1, 0, 21290},
    {GBL_S, "NN", 2047, 2047, 2047, 0, 0, 128, 256, 1, 1, 1, 0, 395.9},
    {GBL_S, "NN", 2047, 2047, 2047, 0, 0, 256, 128, 1, 1, 1, 0, 386.2},
    {GBL_S, "NN", 2047, 2047, 2047, 0, 0, 128, 128, 2, 1, 1, 0, 424.0},
    {GBL_S, "TT", 2047, 2047, 2047, 0, 0, 128, 256, 1, 1, 1, 0, 385.7},
    {GBL_S, "TT", 2047, 2047, 2047, 0, 0, 256, 128, 1, 1, 1, 0, 396.0},
    {GBL_S, "TT", 2047, 2047, 2047, 0, 0, 128, 128, 2, 1, 1, 0, 423.0},
    {GBL_S, "TN", 2047, 2047, 2047, 0, 0, 128, 256, 1, 1, 1, 0, 406.5},
    {GBL_S, "TN", 2047, 2047, 2047, 0, 0, 256, 128, 1, 1, 1, 0, 405.1},
    {GBL_S, "TN", 2047, 2047, 2047, 0, 0, 128, 128, 2, 1, 1, 0, 454.2},
    {GBL_S, "NN", 8192, 8192, 64, 1, 0, 128, 128, 1, 1, 2, 0, 315.7},
    {GBL_S, "NN", 8192, 8192, 128, 1, 0, 128, 128, 1, 1, 2, 0, 479.4},
    {GBL_S, "NN", 8192, 8192, 256, 1, 0, 128, 256, 1, 1, 1, 0, 914.3},
    {GBL_S, "NN", 16384, 16384, 32, 1, 0, 256, 128, 1, 1, 1, 0, 840.1},
    {GBL_S, "NN", 16384, 16384, 32, 1, 0, 128, 128, 1, 1, 2, 0, 914.8},
    {GBL_S, "NN", 16384, 16384, 32, 1, 0, 128, 256, 1, 1, 1, 0, 1333},
    {GBL_C, "NN", 2048, 2048, 2048, 0, 0, 128, 128, 1, 1, 1, 0, 1447},
    {GBL_C, "TN", 4096, 4096, 4096, 0, 0, 128, 128, 1, 1, 1, 0, 11222},
    {GBL_C, "NN", 2047, 2047, 2047, 0, 0, 128, 128, 1, 1, 1, 0, 1374.0},
    {GBL_C, "NN", 2047, 2047, 2047, 0, 0, 128, 64, 2, 1, 1, 0, 1455.6},
    {GBL_C, "NN", 2047, 2047, 2047, 0, 0, 64, 64, 4, 1, 1, 0, 1502.1},
    {GBL_C, "TT", 2047, 2047, 2047, 0, 0, 128, 128, 1, 1, 1, 0, 1374.2},
    {GBL_C, "TT", 2047, 2047, 2047, 0, 0, 128, 64, 2, 1, 1, 0, 1510.0},
    {GBL_C, "TT", 2047, 2047, 2047, 0, 0, 64, 64, 4, 1, 1, 0, 1501.8},
    {GBL_C, "TN", 2047, 2047, 2047, 0, 0, 128, 128, 1, 1, 1, 0, 1403.4},
    {GBL_C, "TN", 2047, 2047, 2047, 0, 0, 128, 64, 2, 1, 1, 0, 1514.1},
    {GBL_C, "TN", 2047, 2047, 2047, 0, 0, 64, 64, 4, 1, 1, 0, 1496.9},
    {GBL_Z, "NN", 2048, 2048, 2048, 0, 0, 64, 64, 2, 1, 1, 0, 1147},
    {GBL_Z, "TN", 4096, 4096, 4096, 0, 0, 64, 64, 2, 1, 1, 0, 10319},
    {GBL_D, "NN", 8192, 8192, 64, 1, 0, 128, 128, 1, 1, 1, 1, 303},
    {GBL_D, "NN", 8192, 8192, 64, 1, 0, 128, 64, 1, 1, 1, 2, 300},
    {GBL_D, "NN", 8192, 8192, 64, 1, 0, 128, 64, 1, 1, 1, 1, 302},
    {GBL_D, "NN", 8192, 8192, 128, 1, 0, 128, 128, 1, 1, 1, 1, 384},
    {GBL_D, "NN", 8192, 8192, 128, 1, 0, 128, 64, 1, 1, 1, 2, 392},
    {GBL_D, "NN", 8192, 8192, 128, 1, 0, 128, 64, 1, 1, 1, 1, 377},
    {GBL_D, "NN", 8192, 8192, 256, 1, 0, 128, 128, 1, 1, 1, 1, 682},
    {GBL_D, "NN", 8192, 8192, 256, 1, 0, 128, 64, 1, 1, 1, 2, 721},
    {GBL_D, "NN", 8192, 8192, 256, 1, 0, 128, 64, 1, 1, 1, 1, 663},
    {GBL_D, "NN", 16384, 16384, 32, 1, 0, 128, 128, 1, 1, 1, 1, 1172},
    {GBL_D, "NN", 16384, 16384, 32, 1, 0, 128, 64, 1, 1, 1, 2, 1158},
    {GBL_S, "NN", 8192, 8192, 64, 1, 0, 256, 128, 1, 1, 1, 1, 224},
    {GBL_S, "NN", 8192, 8192, 128, 1, 0, 256, 128, 1, 1, 1, 1, 375},
    {GBL_S, "NN", 8192, 8192, 256, 1, 0, 256, 128, 1, 1, 1, 1, 707},
    {GBL_S, "NN", 16384, 16384, 32, 1, 0, 256, 128, 1, 1, 1, 1, 641},
};
#define MEASURED (sizeof measured / sizeof measured[0])

/* As `gable bench` makes it: an offset shifts matrices and makes columns longer. */
static gbl_product_call measured_call(const measurement *of)
{
    gbl_product_call call = product(of->m, of->n, of->k);
    const uintptr_t shift = (uintptr_t)of->offset * gbl_dtype_bytes(of->dtype);
    call.dtype = of->dtype;
    call.trans = of->trans[0] == 'T' ? GABLE_TRANS : GABLE_NO_TRANS;
    call.trans_b = of->trans[1] == 'T' ? GABLE_TRANS : GABLE_NO_TRANS;
    call.lda = (of->trans[0] == 'T' ? of->k : of->m) + of->offset;
    call.ldb = (of->trans[1] == 'T' ? of->n : of->k) + of->offset;
    call.ldc = of->m + of->offset;
    call.A = (void *)((uintptr_t)call.A + shift);
    call.B = (void *)((uintptr_t)call.B + shift);
    call.C = (void *)((uintptr_t)call.C + shift);
    call.beta = (gbl_scalar){.re = of->beta};
    return call;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check_predicted(void)
{
    double errors[MEASURED];
    for (size_t i = 0; i < MEASURED; i++) {
        const measurement *of = &measured[i];
        const gbl_product_call call = measured_call(of);
        gbl_params params = shape(of->rows, of->columns, of->split_k, of->cluster, of->groups);
        gbl_pipeline_plan plan;
        params.value[STAGED_C] = of->staged_c;
        /* With tiles that leave room for it, half of the work-items were behind the others. */
        params.value[STAGGER] =
            of->staged_c > 0 && of->columns == 64 ? (of->staged_c > 1 ? 2 : 4) : 0;
        test_case("%s %dx%dx%d by %dx%d, %d buffers", of->trans, (int)of->m, (int)of->n, (int)of->k,
                  (int)of->rows, (int)of->columns, (int)of->staged_c);
        CHECK(gbl_pipeline_plan_make(&call, &params, ctx->device, &plan), "there is no such plan");
        const double usec = 1e6 * seconds_of(&call, &params);
        errors[i] = fabs(usec - of->usec) / of->usec;
        CHECK(errors[i] < 0.25, "%g us are predicted, %g us were measured", usec, of->usec);
    }
    qsort(errors, MEASURED, sizeof errors[0], by_size);
    test_case("all measurements");
    CHECK(errors[MEASURED / 2] < 0.05, "predictions are off by %g in the median",
          errors[MEASURED / 2]);
    CHECK(errors[MEASURED * 9 / 10] < 0.15, "one in ten is off by %g", errors[MEASURED * 9 / 10]);
}

/* Of the same call? */
static bool alike(const measurement *a, const measurement *b)
{
    return a->dtype == b->dtype && strcmp(a->trans, b->trans) == 0 && a->m == b->m &&
           a->n == b->n && a->k == b->k && a->beta == b->beta && a->offset == b->offset;
}

static bool has_plan(const measurement *of, const gbl_pipeline_plan *plan)
{
    return of->rows == plan->rows && of->columns == plan->columns && of->split_k == plan->split_k &&
           of->cluster == plan->cluster && of->groups == plan->resident &&
           of->staged_c == plan->staged_c;
}

/* Calls for which tunables that nobody measured are predicted to be faster. */
static bool is_open(const measurement *of)
{
    return of->dtype == GBL_S && of->m == 1024 && of->trans[0] == 'T';
}

static void check_choices(void)
{
    for (size_t i = 0; i < MEASURED; i++) {
        const measurement *of = &measured[i];
        const gbl_product_call call = measured_call(of);
        double best = of->usec, chosen = 0;
        gbl_choice choice = {.variant = NULL};
        gbl_question question;
        gbl_pipeline_plan plan;
        if (is_open(of))
            continue;
        test_case("%s %dx%dx%d, precision %d", of->trans, (int)of->m, (int)of->n, (int)of->k,
                  (int)of->dtype);
        /* Tunables, as if pipelines were forced: other variants may be better still. */
        gbl_question_make(ctx->device, &gbl_gemm_op, &call, pipeline, &question);
        gbl_tune_foresee(ctx->device, &question, &choice);
        CHECK(gbl_pipeline_plan_nearest(&call, &choice.params, ctx->device, &plan),
              "nothing can run");
        for (size_t j = 0; j < MEASURED; j++) {
            if (!alike(of, &measured[j]))
                continue;
            best = fmin(best, measured[j].usec);
            if (has_plan(&measured[j], &plan))
                chosen = measured[j].usec;
        }
        CHECK(chosen > 0 && chosen <= 1.05 * best,
              "%d x %d in %d slices, cluster %d, %d per unit, %d buffers: measured %g us, the best "
              "%g us",
              (int)plan.rows, (int)plan.columns, (int)plan.split_k, (int)plan.cluster,
              (int)plan.resident, (int)plan.staged_c, chosen, best);
    }
}

/* Tiles of a triangular factor: no group has much more than its share where groups have few of
 * them. */
static void check_ramp(void)
{
    gbl_product_call call = product(2048, 2048, 2048);
    const gbl_params large = shape(128, 128, 1, 1, 1);
    const double whole = seconds_of(&call, &large);
    call.triangular = GBL_A_LOWER;
    const double part = seconds_of(&call, &large) / whole;
    test_case("a triangular factor of order 2048");
    CHECK(part < 0.62, "takes %g of the time of a full one", part);
}

/* Tunables that do not go together, or not with the call, become others that do. */
static void check_nearest(void)
{
    static const int32_t groups[] = {1, 2};
    gbl_product_call call = product(512, 512, 512);
    const gbl_params none = shape(32, 32, 1, 1, 1);
    gbl_pipeline_plan plan;
    CHECK(!gbl_pipeline_plan_make(&call, &none, ctx->device, &plan),
          "32 x 32 in one slice is planned");
    CHECK(gbl_pipeline_plan_nearest(&call, &none, ctx->device, &plan) && plan.rows == 32 &&
              plan.columns == 32 && plan.split_k > 1,
          "the nearest to 32 x 32 in one slice is %d x %d in %d", (int)plan.rows, (int)plan.columns,
          (int)plan.split_k);
    /* All tunables of the space in all precisions that there are, by TMA tiles and by elements. */
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        for (int p = 0; gbl_pipeline_core_of((gbl_dtype)dtype) != NULL && p < 2; p++) {
            call = product(512, 512, 512);
            call.dtype = (gbl_dtype)dtype;
            call.lda += p;
            for (int i = 0; i < pipeline->start_count; i++) {
                for (int g = 0; g < 2; g++) {
                    gbl_params params = pipeline->starts[i];
                    params.value[GROUPS] = groups[g];
                    test_case("start %d, groups=%d, lda %d", i, (int)groups[g], (int)call.lda);
                    CHECK(gbl_pipeline_plan_nearest(&call, &params, ctx->device, &plan),
                          "nothing near can run");
                }
            }
        }
    }
}

static bool is_pipeline(void *user, const gbl_variant *variant)
{
    (void)user;
    return variant == pipeline;
}

/* All that is legal in d and z: slices have stages of their own, two at least. Others waited for
 * each other for ever. */
static void check_slices(void)
{
    const gbl_space_filter filter = {.variant = is_pipeline};
    int made = 0;
    for (int i = 0; i < 4; i++) {
        gbl_product_call call = product(512, 512, 512);
        gbl_space space;
        call.dtype = i < 2 ? GBL_D : GBL_Z;
        call.lda += i % 2;
        const bool room = gbl_space_make(&space, &gbl_gemm_op, &call, ctx->device, &filter);
        CHECK(room, "no memory");
        for (int point = 0; room && point < space.count; point++) {
            gbl_pipeline_plan plan;
            CHECK(gbl_pipeline_plan_make(&call, &space.points[point].choice.params, ctx->device,
                                         &plan),
                  "a legal point has no plan");
            made += plan.split_k > 1;
            test_case("%c, %d x %d in %d, %d stages", gbl_dtype_letter(call.dtype), (int)plan.rows,
                      (int)plan.columns, (int)plan.split_k, (int)plan.stages);
            CHECK(plan.stages % plan.split_k == 0 && plan.stages >= 2 * plan.split_k,
                  "slices have no stages of their own");
        }
        gbl_space_free(&space);
    }
    CHECK(made > 20, "%d plans in slices", made);
}

/* Kernels that compilers spill are not planned: whoever asks for them gets the same tile in fewer
 * groups or other slices. */
static void check_registers(void)
{
    static const struct {
        gbl_dtype dtype;
        const char *trans;
        int triangular, triangle_c;
        int64_t odd;
        int32_t rows, columns, split_k, cluster, groups;
    } spilled[] = {
        {GBL_S, "TT", GBL_B_LOWER, GBL_ALL, 0, 128, 128, 2, 2, 1},
        {GBL_S, "TT", GBL_A_UPPER, GBL_ALL, 0, 128, 64, 4, 1, 1},
        {GBL_S, "NN", GBL_A_LOWER, GBL_ALL, 0, 128, 64, 4, 2, 1},
        {GBL_S, "TT", GBL_NOT_TRIANGULAR, GBL_ALL, 1, 128, 64, 4, 2, 1},
        {GBL_C, "NT", GBL_NOT_TRIANGULAR, GBL_ALL, 1, 128, 64, 2, 8, 1},
        {GBL_C, "TT", GBL_NOT_TRIANGULAR, GBL_ALL, 1, 64, 64, 4, 2, 1},
        {GBL_C, "TT", GBL_NOT_TRIANGULAR, GBL_LOWER_ONLY, 0, 128, 64, 1, 1, 2},
    };
    for (size_t i = 0; i < sizeof spilled / sizeof spilled[0]; i++) {
        gbl_product_call call = product(256, 256, 256);
        gbl_params params = shape(spilled[i].rows, spilled[i].columns, spilled[i].split_k,
                                  spilled[i].cluster, spilled[i].groups);
        gbl_pipeline_plan plan;
        uint64_t hash;
        call.dtype = spilled[i].dtype;
        call.trans = spilled[i].trans[0] == 'T' ? GABLE_TRANS : GABLE_NO_TRANS;
        call.trans_b = spilled[i].trans[1] == 'T' ? GABLE_TRANS : GABLE_NO_TRANS;
        call.triangular = (uint8_t)spilled[i].triangular;
        call.triangle_c = (uint8_t)spilled[i].triangle_c;
        call.ldb += spilled[i].odd;
        test_case("spilled %d", (int)i);
        CHECK(!gbl_pipeline_plan_make(&call, &params, ctx->device, &plan), "it is planned");
        CHECK(!pipeline->legal(pipeline, &call, &params, ctx->device, &hash), "it is tried");
        CHECK(gbl_pipeline_plan_nearest(&call, &params, ctx->device, &plan) &&
                  plan.rows == params.value[0],
              "the nearest has %d rows", (int)plan.rows);
        /* A cluster that the plan itself decides on is none that spills. */
        params.value[CLUSTER] = 0;
        CHECK(!gbl_pipeline_plan_make(&call, &params, ctx->device, &plan) || plan.cluster == 1,
              "a cluster of %d", (int)plan.cluster);
    }
    /* TMA tiles leave registers enough for clusters, and so do eight slices. */
    gbl_product_call call = product(128, 64, 4096);
    gbl_params params = shape(64, 64, 4, 8, 1);
    gbl_pipeline_plan plan;
    call.dtype = GBL_C;
    CHECK(gbl_pipeline_plan_make(&call, &params, ctx->device, &plan) && plan.cluster == 8,
          "no cluster in c");
    call.lda++;
    params = shape(64, 32, 8, 2, 1);
    CHECK(gbl_pipeline_plan_make(&call, &params, ctx->device, &plan) && plan.cluster == 2,
          "no cluster of eight slices in c");
}

int main(void)
{
    test_start("test_pipeline_cost");
    if (dry_open(&ctx, "sm_90a") != GABLE_OK) {
        CHECK(false, "the pretended device does not open: %s", gable_message(ctx));
        return test_finish();
    }
    pretend_h200(ctx->device);
    pipeline = gbl_variant_find(&gbl_gemm_op, "pipeline");
    CHECK(pipeline != NULL, "gemm has no variant pipeline");
    gbl_roofs_get(ctx->device, &roofs);
    if (pipeline != NULL) {
        check_roof();
        check_order();
        check_staged_c();
        check_ramp();
        check_nearest();
        check_slices();
        check_registers();
        CHECK(roofs.source == GBL_ROOFS_BUILT_IN, "roofs are %s",
              gbl_roofs_source_name(roofs.source));
        check_predicted();
        check_choices();
        check_staged_c_chosen();
    }
    dry_close(ctx);
    return test_finish();
}
