/* test_gemm_pipeline.c: products by pipelines of stages (kernels/sm90/gemm_pipeline.cuh) as plain
 * C, against plain loops.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In double precision, real and complex: gemm_dmma.cu. What a trial checks: pipeline_check.h.
 */
#include <stdlib.h>
#include "pipeline_check.h"

#define MOST   330 /* rows and columns of a matrix, with padding */
#define SHAPES 10

static int reals; /* of an element: 1 in d, 2 in z */

/* Tunables, and sizes around the edges of their tiles. */
static const shape shapes[SHAPES] = {
    {"gemm=pipeline:rows=128:columns=128:split_k=1:cluster=1:stages=7:groups=1:stagger=4:staged_c="
     "0",
     128, 128},
    {"gemm=pipeline:rows=128:columns=64:split_k=2:cluster=1:stages=6:groups=1:stagger=0:staged_c=0",
     128, 64},
    {"gemm=pipeline:rows=32:columns=32:split_k=4:cluster=1:stages=8:groups=1:stagger=0:staged_c=0",
     32, 32},
    {"gemm=pipeline:rows=32:columns=32:split_k=4:cluster=2:stages=8:groups=1:stagger=0:staged_c=0",
     32, 32},
    {"gemm=pipeline:rows=128:columns=64:split_k=1:cluster=1:stages=4:groups=2:stagger=0:staged_c=0",
     128, 64},
    {"gemm=pipeline:rows=128:columns=64:split_k=1:cluster=1:stages=8:groups=1:stagger=0:staged_c=0",
     128, 64},
    {"gemm=pipeline:rows=128:columns=128:split_k=1:cluster=1:stages=3:groups=1:stagger=0:staged_c="
     "1",
     128, 128},
    {"gemm=pipeline:rows=128:columns=64:split_k=1:cluster=0:stages=0:groups=1:stagger=2:staged_c=2",
     128, 64},
    {"gemm=pipeline:rows=128:columns=64:split_k=1:cluster=1:stages=4:groups=1:stagger=0:staged_c=1",
     128, 64},
    {"gemm=pipeline:rows=64:columns=32:split_k=4:cluster=1:stages=8:groups=1:stagger=0:staged_c=0",
     64, 32},
};
enum { LARGE, DOUBLE, SMALL, CLUSTER, PAIR, WIDE, STAGED, TWOFOLD, WIDE_KEPT, LANES };

static void run(const trial *t)
{
    pipeline_check_run(t, reals > 1 ? GBL_Z : GBL_D, &shapes[t->shape]);
}

static void run_sizes(trial t, int many)
{
    pipeline_check_sizes(t, reals > 1 ? GBL_Z : GBL_D, &shapes[t.shape], many);
}

static void run_scaled(trial t)
{
    pipeline_check_scaled(t, reals > 1 ? GBL_Z : GBL_D, &shapes[t.shape]);
}

/* In z a transposed factor is conjugate in every second form. */
static trial transposed(int trans)
{
    return (trial){.trans_a = trans % 2 ? reals : 0,
                   .trans_b = trans / 2 ? 1 + (reals > 1 && trans == 2) : 0};
}

static void test_products(void)
{
    for (int trans = 0; trans < 4; trans++) {
        trial t = transposed(trans);
        const int all[] = {LARGE, DOUBLE, SMALL}, complex[] = {WIDE, SMALL};
        for (int i = reals - 1; i < 3; i++) {
            t.shape = reals > 1 ? complex[i - 1] : all[i];
            t.odd_a = t.odd_b = t.odd_c = 0;
            run_sizes(t, t.shape == SMALL ? 5 : 3);
            t.odd_a = t.odd_b = t.odd_c = 1;
            run_sizes(t, t.shape == SMALL ? 5 : 2);
        }
        t.odd_a = t.odd_b = t.odd_c = 0;
        t.shape = CLUSTER;
        run_sizes(t, 5);
        if (reals > 1)
            continue;
        t.shape = PAIR;
        run_sizes(t, 2);
        t.shape = SMALL;
        t.odd_a = 1;
        run_sizes(t, 1);
        t.odd_a = 0;
        t.odd_b = t.odd_c = 1;
        run_sizes(t, 1);
    }
}

/* More tiles than groups: all groups go on to a second one; nothing to add; C scaled only. */
static void test_edges(void)
{
    trial t = {.shape = SMALL, .m = 101, .n = 130, .k = 70, .alpha = {1, 0}, .beta = {1, 0}};
    run_scaled(t);
}

/* Units left free, all of them and more; the last shape is of clusters. */
static void test_leave(void)
{
    trial t = {.shape = SMALL, .m = 101, .n = 130, .k = 70, .alpha = {1, 0}, .beta = {1, 0}};
    for (t.reserved_units = 1; t.reserved_units <= 5; t.reserved_units += 2)
        run(&t);
    t.reserved_units = 2;
    t.shape = CLUSTER;
    run(&t);
}

static void test_triangles(void)
{
    for (int triangle_c = GBL_UPPER_ONLY; triangle_c <= GBL_LOWER_ONLY; triangle_c++) {
        trial t = {.shape = reals > 1 ? WIDE : LARGE,
                   .trans_b = reals,
                   .triangle_c = triangle_c,
                   .real_diagonal = reals > 1,
                   .alpha = {2, 0},
                   .beta = {1, 0},
                   .k = 20};
        t.m = t.n = reals > 1 ? 150 : 257;
        run(&t);
        if (reals > 1)
            continue;
        t.shape = DOUBLE;
        t.two_products = 1;
        t.beta.re = 0;
        run(&t);
        t.m = t.n = 130;
        t.k = 33;
        run(&t);
        t.m = t.n = 320; /* whole panels, and tiles that follow one another */
        t.k = 64;
        t.beta.re = 1;
        t.shape = LARGE;
        run(&t);
        t.shape = PAIR;
        run(&t);
        t.beta.re = 0;
        t.m = t.n = 130;
        t.k = 33;
        t.shape = SMALL;
        t.trans_a = 1;
        t.trans_b = 0;
        run(&t);
    }
}

static void test_zeros(void)
{
    for (int triangular = GBL_A_LOWER; triangular <= GBL_B_UPPER; triangular++) {
        const bool left = triangular <= GBL_A_UPPER;
        trial t = {.shape = reals > 1 ? WIDE : LARGE,
                   .triangular = triangular,
                   .alpha = {1, 0},
                   .beta = {2, 0}};
        t.k = 150;
        t.m = left ? t.k : 40;
        t.n = left ? 40 : t.k;
        run(&t);
        t.infinite = 1;
        run(&t);
        if (reals > 1)
            continue;
        t.infinite = 0;
        t.unit = 1;
        t.shape = DOUBLE;
        t.trans_a = t.trans_b = 1;
        run(&t);
        t.infinite = 1;
        run(&t);
        t.shape = SMALL;
        t.trans_a = 0;
        t.odd_a = t.odd_b = t.odd_c = 1;
        t.k = 71;
        t.m = left ? t.k : 40;
        t.n = left ? 40 : t.k;
        run(&t);
        t.infinite = 0;
        run(&t);
    }
}

static void test_sizes(void)
{
    trial t = {
        .shape = LARGE, .sized = 1, .m = 129, .n = 65, .k = 37, .alpha = {1, 0}, .beta = {2, 0}};
    run(&t);
    t.shape = SMALL;
    t.trans_a = 1;
    run(&t);
    t.k = 0;
    run(&t);
}

/* Tiles of C through local memory, one buffer and two. */
static void test_staged_c(void)
{
    for (int trans = 0; trans < 4; trans++) {
        trial t = transposed(trans);
        t.shape = reals > 1 ? WIDE_KEPT : STAGED;
        run_sizes(t, 4);
        if (reals > 1)
            continue;
        t.shape = TWOFOLD;
        run_sizes(t, 5);
        t.m = 320; /* 15 tiles for four groups, whole panels */
        t.n = 304;
        t.k = 64;
        t.alpha = (number){2, 0};
        t.beta = (number){trans % 2, 0};
        t.on_device = trans / 2;
        run(&t);
    }
    trial t = {.shape = reals > 1 ? WIDE_KEPT : TWOFOLD, .m = 300, .n = 150, .k = 40};
    t.alpha = (number){1, 0};
    t.beta = (number){-2, 0};
    run_scaled(t);
    for (int triangle_c = GBL_UPPER_ONLY; triangle_c <= GBL_LOWER_ONLY; triangle_c++) {
        t = (trial){.shape = reals > 1 ? WIDE_KEPT : STAGED,
                    .trans_b = reals,
                    .triangle_c = triangle_c,
                    .real_diagonal = reals > 1,
                    .alpha = {2, 0},
                    .beta = {1, 0},
                    .k = 20};
        t.m = t.n = reals > 1 ? 150 : 257;
        run(&t);
        if (reals > 1)
            continue;
        t.shape = TWOFOLD;
        t.two_products = 1;
        run(&t);
        t.m = t.n = 320;
        t.beta.re = 0;
        run(&t);
    }
}

/* GABLE_DEBUG=lanes asks for kernels in which all lanes arrive: of these shapes there are no others
 * here. */
static bool test_lanes(void)
{
    setenv("GABLE_DEBUG", "lanes", 1);
    const bool open = pipeline_check_open((size_t)16 * MOST * MOST);
    unsetenv("GABLE_DEBUG");
    if (open) {
        trial t = {.odd_a = 1, .odd_b = 1, .odd_c = 1, .shape = LANES};
        run_sizes(t, 2);
        pipeline_check_end();
    }
    return open;
}

int main(void)
{
    if (!test_lanes() || !pipeline_check_open((size_t)16 * MOST * MOST))
        return pipeline_check_close("test_gemm_pipeline");
    for (reals = 1; reals <= 2; reals++) {
        test_products();
        test_edges();
        test_leave();
        test_triangles();
        test_zeros();
        test_staged_c();
    }
    reals = 1;
    test_sizes();
    return pipeline_check_close("test_gemm_pipeline");
}
