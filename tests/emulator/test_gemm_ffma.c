/* test_gemm_ffma.c: products by pipelines in single precision (kernels/sm90/gemm_ffma.cu) as plain
 * C, against plain loops.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Real and complex. What a trial checks: pipeline_check.h.
 */
#include <stdlib.h>
#include "pipeline_check.h"

#define MOST 560 /* rows and columns of a matrix, with padding */

/* Tunables, and the sides of their tiles, in s and in c. */
enum { LARGE, MIDDLE, SMALL, PAIR, STAGED, TWOFOLD, LANES, SHAPES };
static const shape shapes[2][SHAPES] = {
    {{"gemm=pipeline:rows=128:columns=256:split_k=1:cluster=1:stages=4:groups=1:stagger=0:staged_c="
      "0",
      128, 256},
     {"gemm=pipeline:rows=128:columns=64:split_k=4:cluster=1:stages=3:groups=1:stagger=0:staged_c="
      "0",
      128, 64},
     {"gemm=pipeline:rows=128:columns=32:split_k=8:cluster=2:stages=4:groups=1:stagger=0:staged_c="
      "0",
      128, 32},
     {"gemm=pipeline:rows=128:columns=128:split_k=1:cluster=1:stages=3:groups=2:stagger=0:staged_c="
      "0",
      128, 128},
     {"gemm=pipeline:rows=256:columns=128:split_k=1:cluster=1:stages=2:groups=1:stagger=0:staged_c="
      "1",
      256, 128},
     {"gemm=pipeline:rows=128:columns=128:split_k=1:cluster=0:stages=0:groups=1:stagger=0:staged_c="
      "2",
      128, 128},
     {"gemm=pipeline:rows=128:columns=64:split_k=4:cluster=1:stages=4:groups=1:stagger=0:staged_c="
      "0",
      128, 64}},
    {{"gemm=pipeline:rows=128:columns=128:split_k=1:cluster=1:stages=4:groups=1:stagger=0:staged_c="
      "0",
      128, 128},
     {"gemm=pipeline:rows=64:columns=128:split_k=2:cluster=1:stages=3:groups=1:stagger=0:staged_c="
      "0",
      64, 128},
     {"gemm=pipeline:rows=64:columns=32:split_k=8:cluster=2:stages=4:groups=1:stagger=0:staged_c=0",
      64, 32},
     {"gemm=pipeline:rows=128:columns=64:split_k=1:cluster=1:stages=3:groups=2:stagger=0:staged_c="
      "0",
      128, 64},
     {"gemm=pipeline:rows=128:columns=128:split_k=1:cluster=1:stages=3:groups=1:stagger=0:staged_c="
      "1",
      128, 128},
     {"gemm=pipeline:rows=128:columns=64:split_k=1:cluster=1:stages=4:groups=1:stagger=0:staged_c="
      "2",
      128, 64}},
};

static void run(const trial *t)
{
    pipeline_check_run(t, t->complex ? GBL_C : GBL_S, &shapes[t->complex][t->shape]);
}

static void run_sizes(trial t, int many)
{
    pipeline_check_sizes(t, t.complex ? GBL_C : GBL_S, &shapes[t.complex][t.shape], many);
}

static void run_scaled(trial t)
{
    pipeline_check_scaled(t, t.complex ? GBL_C : GBL_S, &shapes[t.complex][t.shape]);
}

static void test_products(int complex)
{
    const int other = complex ? 2 : 1;
    for (int trans = 0; trans < 4; trans++) {
        trial t = {.complex = complex, .trans_a = trans % 2 ? other : 0, .trans_b = trans / 2};
        for (t.shape = LARGE; t.shape <= SMALL; t.shape++) {
            t.odd_a = t.odd_b = t.odd_c = 0;
            run_sizes(t, t.shape == LARGE ? 3 : 5);
            t.odd_a = t.odd_b = t.odd_c = 1;
            run_sizes(t, t.shape == LARGE ? 1 : 2);
        }
        t.odd_a = t.odd_b = t.odd_c = 0;
        t.shape = PAIR;
        run_sizes(t, 2);
    }
}

/* More tiles than groups: all groups go on to a second one; nothing to add; C scaled only. */
static void test_edges(int complex)
{
    trial t = {.complex = complex, .shape = MIDDLE, .m = 300, .n = 260, .k = 70};
    t.alpha.re = t.beta.re = 1;
    run_scaled(t);
}

/* Units left free, all of them and more. */
static void test_leave(int complex)
{
    trial t = {.complex = complex, .shape = MIDDLE, .m = 300, .n = 260, .k = 70};
    t.alpha.re = t.beta.re = 1;
    for (t.reserved_units = 1; t.reserved_units <= 5; t.reserved_units += 2)
        run(&t);
}

static void test_triangles(int complex)
{
    for (int triangle_c = GBL_UPPER_ONLY; triangle_c <= GBL_LOWER_ONLY; triangle_c++) {
        trial t = {.complex = complex,
                   .trans_b = 1,
                   .triangle_c = triangle_c,
                   .alpha = {2, 0},
                   .beta = {1, 0},
                   .k = 40};
        t.m = t.n = 257;
        run(&t);
        t.shape = MIDDLE;
        t.two_products = 1;
        t.beta.re = 0;
        run(&t);
        t.m = t.n = 130;
        t.k = 33;
        run(&t);
        t.trans_a = 1;
        t.trans_b = 0;
        run(&t);
    }
    trial t = {.complex = complex, .shape = MIDDLE, .trans_b = 2, .triangle_c = GBL_LOWER_ONLY};
    t.real_diagonal = 1;
    t.m = t.n = 140;
    t.k = 20;
    t.alpha.re = 2;
    t.beta.re = 3;
    if (complex)
        run(&t);
}

static void test_zeros(int complex)
{
    for (int triangular = GBL_A_LOWER; triangular <= GBL_B_UPPER; triangular++) {
        const bool left = triangular <= GBL_A_UPPER;
        trial t = {.complex = complex,
                   .triangular = triangular,
                   .alpha = {1, 0},
                   .beta = {2, 0},
                   .k = 150};
        t.m = left ? t.k : 40;
        t.n = left ? 40 : t.k;
        for (int unit = 0; unit < 2; unit++) {
            t.unit = unit;
            t.shape = unit ? SMALL : LARGE; /* plans refuse MIDDLE in s */
            t.trans_a = t.trans_b = unit;
            t.infinite = 0;
            run(&t);
            t.infinite = !complex;
            if (t.infinite)
                run(&t);
        }
    }
}

/* Tiles of C through local memory, one buffer and two. */
static void test_staged_c(int complex)
{
    for (int trans = 0; trans < 4; trans++) {
        if (complex && trans % 2) /* A is stored along its rows there */
            continue;
        trial t = {.complex = complex, .trans_a = trans % 2, .trans_b = trans / 2};
        t.shape = STAGED;
        run_sizes(t, 2);
        t.shape = TWOFOLD;
        run_sizes(t, 5);
        t.m = 320; /* more tiles than two for each group, whole panels */
        t.n = complex ? 304 : 512;
        t.k = 64;
        t.alpha = (number){2, 0};
        t.beta = (number){trans % 2, 0};
        t.on_device = trans / 2;
        run(&t);
    }
    trial t = {.complex = complex, .shape = TWOFOLD, .m = 300, .n = 410, .k = 40};
    t.alpha.re = 1;
    t.beta.re = -2;
    run_scaled(t);
    for (int triangle_c = GBL_UPPER_ONLY; triangle_c <= GBL_LOWER_ONLY; triangle_c++) {
        t = (trial){
            .complex = complex, .shape = STAGED, .trans_b = 1, .triangle_c = triangle_c, .k = 40};
        t.alpha.re = 2;
        t.beta.re = 1;
        t.m = t.n = complex ? 257 : 400;
        run(&t);
        t.shape = TWOFOLD;
        t.two_products = 1;
        run(&t);
    }
    if (complex) {
        t.two_products = 0;
        t.trans_b = 2;
        t.real_diagonal = 1;
    } else {
        t.trans_a = 1;
        t.trans_b = 0;
        t.beta.re = 0;
    }
    run(&t);
}

/* GABLE_DEBUG=lanes asks for kernels in which all lanes arrive: of these shapes there are no others
 * here. */
static bool test_lanes(void)
{
    setenv("GABLE_DEBUG", "lanes", 1);
    const bool open = pipeline_check_open((size_t)8 * MOST * MOST);
    unsetenv("GABLE_DEBUG");
    if (open) {
        trial t = {.trans_a = 1, .shape = LANES}; /* stages are transposed */
        run_sizes(t, 2);
        pipeline_check_end();
    }
    return open;
}

int main(void)
{
    if (!test_lanes() || !pipeline_check_open((size_t)8 * MOST * MOST))
        return pipeline_check_close("test_gemm_ffma");
    for (int complex = 0; complex < 2; complex++) {
        test_products(complex);
        test_edges(complex);
        test_leave(complex);
        test_triangles(complex);
        test_zeros(complex);
        test_staged_c(complex);
        trial t = {.complex = complex, .shape = MIDDLE, .sized = 1, .m = 129, .n = 65, .k = 37};
        t.alpha.re = 1;
        t.beta.re = 2;
        run(&t);
        t.k = 0;
        run(&t);
    }
    return pipeline_check_close("test_gemm_ffma");
}
