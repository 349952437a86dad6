/* test_gemm_ring.c: products by rings of stages (kernels/sm90/gemm_ring.cuh) as plain C, against plain loops.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Small integers: every order of sums gives the same bits. Around matrices stand NaN, and in C what must stay. The fake
 * device has four units: persistent groups go from tile to tile.
 */
#include <math.h>
#include <stdlib.h>
#include "blas/level3.h"
#include "core/context.h"
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"

#define MOST   330 /* rows and columns of a matrix, with padding */
#define BLOCK  ((size_t)MOST * MOST)
#define STAYS  -4711.0
#define SHAPES 5
#define MORE   20 /* that a call tells where sizes are read from memory */

static gable_context *ctx;
static double *blocks[3], *expected, *scalars;
static int64_t *sizes;

/* Tunables, and sizes around the edges of their tiles. */
typedef struct shape {
    const char *choice;
    int rows, columns;
} shape;
static const shape shapes[SHAPES] = {
    {"gemm=ring:rows=128:columns=128:layers=1:cluster=1:stages=7:groups=1:skew=4", 128, 128},
    {"gemm=ring:rows=128:columns=64:layers=2:cluster=1:stages=6:groups=1:skew=0", 128, 64},
    {"gemm=ring:rows=32:columns=32:layers=4:cluster=1:stages=8:groups=1:skew=0", 32, 32},
    {"gemm=ring:rows=32:columns=32:layers=4:cluster=2:stages=8:groups=1:skew=0", 32, 32},
    {"gemm=ring:rows=128:columns=64:layers=1:cluster=1:stages=4:groups=2:skew=0", 128, 64},
};
enum { LARGE, DOUBLE, SMALL, CLUSTER, PAIR };

typedef struct trial {
    int shape, trans_a, trans_b;
    int odd_a, odd_b, odd_c; /* leading dimensions, so that columns do not start on 16 bytes */
    int part, zeros, unit, twice;
    int m, n, k;
    double alpha, beta;
    int on_device; /* scalars and, with `sized`, m, n and k */
    int sized;
    int infinite; /* a factor beside a triangular one has Inf where it meets zeros */
} trial;

static double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)((int)(*state >> 20) % 9 - 4);
}

/* A matrix of so many rows and columns, its first element 16 bytes behind the block's begin; NaN around. */
static double *fill(double *block, int rows, int columns, int ld, double around, unsigned seed)
{
    for (size_t i = 0; i < BLOCK; i++)
        block[i] = around;
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            block[2 + i + (size_t)j * (size_t)ld] = draw(&seed);
    return block + 2;
}

static bool counts(const trial *t, int i, int j, int p)
{
    switch (t->zeros) {
    case GBL_A_LOWER:
        return p <= i;
    case GBL_A_UPPER:
        return p >= i;
    case GBL_B_LOWER:
        return p >= j;
    case GBL_B_UPPER:
        return p <= j;
    default:
        return true;
    }
}

static double element(const double *at, int ld, bool turned, int row, int column)
{
    return turned ? at[column + (size_t)row * (size_t)ld] : at[row + (size_t)column * (size_t)ld];
}

static double sum_of(const trial *t, const gbl_product_call *call, int i, int j)
{
    double sum = 0;
    for (int p = 0; p < t->k; p++) {
        if (!counts(t, i, j, p))
            continue;
        double a = element(call->A, (int)call->lda, t->trans_a, i, p),
               b = element(call->B, (int)call->ldb, t->trans_b, p, j);
        if (t->unit && p == (t->zeros <= GBL_A_UPPER ? i : j))
            *(t->zeros <= GBL_A_UPPER ? &a : &b) = 1;
        sum += a * b;
        if (t->twice)
            sum += element(call->B, (int)call->ldb, !t->trans_b, i, p) *
                   element(call->A, (int)call->lda, !t->trans_a, p, j);
    }
    return sum;
}

/* Beyond a triangle stands NaN; `infinite`: and Inf in the other factor where a stage has zeros of the triangle. */
static void spoil(const trial *t, gbl_product_call *call)
{
    double *factor = t->zeros <= GBL_A_UPPER ? call->A : call->B;
    const int ld = (int)(t->zeros <= GBL_A_UPPER ? call->lda : call->ldb);
    const bool turned = t->zeros <= GBL_A_UPPER ? t->trans_a : t->trans_b;
    for (int i = 0; i < t->k; i++)
        for (int p = 0; p < t->k; p++) {
            const bool left = t->zeros <= GBL_A_UPPER;
            if (counts(t, i, i, p) && !(t->unit && i == p))
                continue;
            const int row = left ? i : p, column = left ? p : i;
            factor[turned ? column + (size_t)row * (size_t)ld : row + (size_t)column * (size_t)ld] =
                NAN;
        }
    if (t->infinite) {
        double *other = t->zeros <= GBL_A_UPPER ? call->B : call->A;
        other[0] = INFINITY;
    }
}

static int leading(int rows, int odd)
{
    return rows + 2 + (rows + odd) % 2;
}

static void run(const trial *t)
{
    const int a_rows = t->trans_a ? t->k : t->m, a_columns = t->trans_a ? t->m : t->k,
              b_rows = t->trans_b ? t->n : t->k, b_columns = t->trans_b ? t->k : t->n;
    const int more = t->sized ? MORE : 0;
    gbl_product_call call = {.dtype = GBL_D,
                             .trans = t->trans_a ? GABLE_TRANS : GABLE_NO_TRANS,
                             .trans_b = t->trans_b ? GABLE_TRANS : GABLE_NO_TRANS,
                             .diag = t->unit ? GABLE_UNIT : GABLE_NON_UNIT,
                             .part = (uint8_t)t->part,
                             .zeros = (uint8_t)t->zeros,
                             .twice = (uint8_t)t->twice,
                             .m = t->m,
                             .n = t->n,
                             .k = t->k,
                             .lda = leading(a_rows + more, t->odd_a),
                             .ldb = leading(b_rows + more, t->odd_b),
                             .ldc = leading(t->m + more, t->odd_c)};
    const unsigned seed = (unsigned)(t->m * 31 + t->n * 7 + t->k);
    call.A = fill(blocks[0], a_rows, a_columns, (int)call.lda, NAN, seed);
    call.B = fill(blocks[1], b_rows, b_columns, (int)call.ldb, NAN, seed + 1);
    call.C = fill(blocks[2], t->m, t->n, (int)call.ldc, STAYS, seed + 2);
    if (t->zeros != GBL_NO_ZEROS)
        spoil(t, &call);
    double *C = call.C;
    if (t->beta == 0 && t->part == GBL_ALL)
        for (int j = 0; j < t->n; j++)
            for (int i = 0; i < t->m; i++)
                C[i + (size_t)j * (size_t)call.ldc] = NAN;
    memcpy(expected, blocks[2], BLOCK * sizeof *expected);
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < t->m; i++) {
            if ((t->part == GBL_UPPER_ONLY && i > j) || (t->part == GBL_LOWER_ONLY && i < j))
                continue;
            double *c = &expected[2 + i + (size_t)j * (size_t)call.ldc];
            *c = (t->alpha == 0 ? 0 : t->alpha * sum_of(t, &call, i, j)) +
                 (t->beta == 0 ? 0 : t->beta * *c);
        }
    scalars[0] = t->alpha;
    scalars[1] = t->beta;
    call.alpha = (gbl_scalar){.re = t->alpha, .device = t->on_device ? &scalars[0] : NULL};
    call.beta = (gbl_scalar){.re = t->beta, .device = t->on_device ? &scalars[1] : NULL};
    if (t->sized) { /* the call tells more than there is */
        sizes[0] = t->m;
        sizes[1] = t->n;
        sizes[2] = t->k;
        call.sizes = sizes;
        call.m += MORE;
        call.n += MORE / 2;
        call.k += MORE / 2 + 1;
    }
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, shapes[t->shape].choice));
    EXPECT_STATUS(ctx, GABLE_OK, gbl_gemm(ctx, "gable_dgemm", &call));
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    int wrong = 0, first = -1;
    for (size_t i = 0; i < BLOCK; i++)
        if (!(blocks[2][i] == expected[i] || (isnan(blocks[2][i]) && isnan(expected[i])))) {
            first = first < 0 ? (int)i : first;
            wrong++;
        }
    EXPECT(wrong == 0,
           "%s, trans %d %d, odd %d %d %d, part %d, zeros %d, unit %d, twice %d, m %d, n %d, k %d, "
           "sized %d, infinite %d: %d wrong, the first at (%d, %d): %g, not %g",
           shapes[t->shape].choice, t->trans_a, t->trans_b, t->odd_a, t->odd_b, t->odd_c, t->part,
           t->zeros, t->unit, t->twice, t->m, t->n, t->k, t->sized, t->infinite, wrong,
           first < 0 ? 0 : (first - 2) % (int)call.ldc, first < 0 ? 0 : (first - 2) / (int)call.ldc,
           first < 0 ? 0 : blocks[2][first], first < 0 ? 0 : expected[first]);
}

/* Sizes around the edges of tiles; scalars on both sides. */
static void run_sizes(trial t, int many)
{
    const shape *s = &shapes[t.shape];
    const int m[] = {s->rows + 1, s->rows, 1, 2 * s->rows + 1, s->rows - 1},
              n[] = {s->columns - 1, s->columns, 1, s->columns + 3, 2 * s->columns + 1},
              k[] = {33, 128, 5, 17, 1};
    for (int i = 0; i < many; i++) {
        t.m = m[i];
        t.n = n[i];
        t.k = k[i];
        t.alpha = i % 2 ? -2 : 1;
        t.beta = i % 3 == 0 ? 0 : 3;
        t.on_device = i % 2;
        run(&t);
    }
}

static void test_products(void)
{
    for (int trans = 0; trans < 4; trans++) {
        trial t = {.trans_a = trans % 2, .trans_b = trans / 2};
        for (t.shape = LARGE; t.shape <= SMALL; t.shape++) {
            t.odd_a = t.odd_b = t.odd_c = 0;
            run_sizes(t, t.shape == SMALL ? 5 : 3);
            t.odd_a = t.odd_b = t.odd_c = 1;
            run_sizes(t, t.shape == SMALL ? 5 : 2);
        }
        t.odd_a = t.odd_b = t.odd_c = 0;
        t.shape = CLUSTER;
        run_sizes(t, 5);
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
    trial t = {.shape = SMALL, .m = 101, .n = 130, .k = 70, .alpha = 1, .beta = 1};
    run(&t);
    t.alpha = 0;
    run(&t);
    t.on_device = 1;
    run(&t);
    t.alpha = 2;
    t.k = 0;
    t.beta = -1;
    run(&t);
}

static void test_triangles(void)
{
    for (int part = GBL_UPPER_ONLY; part <= GBL_LOWER_ONLY; part++) {
        trial t = {.shape = LARGE, .trans_b = 1, .part = part, .alpha = 2, .beta = 1, .k = 20};
        t.m = t.n = 257;
        run(&t);
        t.shape = DOUBLE;
        t.twice = 1;
        t.beta = 0;
        run(&t);
        t.m = t.n = 130;
        t.k = 33;
        run(&t);
        t.shape = SMALL;
        t.trans_a = 1;
        t.trans_b = 0;
        run(&t);
    }
}

static void test_zeros(void)
{
    for (int zeros = GBL_A_LOWER; zeros <= GBL_B_UPPER; zeros++) {
        const bool left = zeros <= GBL_A_UPPER;
        trial t = {.shape = LARGE, .zeros = zeros, .alpha = 1, .beta = 2};
        t.k = 150;
        t.m = left ? t.k : 40;
        t.n = left ? 40 : t.k;
        run(&t);
        t.infinite = 1;
        run(&t);
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
    trial t = {.shape = LARGE, .sized = 1, .m = 129, .n = 65, .k = 37, .alpha = 1, .beta = 2};
    run(&t);
    t.shape = SMALL;
    t.trans_a = 1;
    run(&t);
    t.k = 0;
    run(&t);
}

int main(void)
{
    const fake_settings settings = {.hopper = true, .is_gpu = true};
    fake_install(&settings);
    bool ready = gable_open(&ctx, "fake") == GABLE_OK;
    for (int i = 0; i < 3 && ready; i++)
        ready = gable_alloc(ctx, BLOCK * sizeof **blocks, (void **)&blocks[i]) == GABLE_OK;
    ready = ready && gable_alloc(ctx, 16, (void **)&scalars) == GABLE_OK &&
            gable_alloc(ctx, 24, (void **)&sizes) == GABLE_OK;
    expected = malloc(BLOCK * sizeof *expected);
    if (!ready || expected == NULL) {
        EXPECT(false, "%s", gable_message(ctx));
        return expect_summary("test_gemm_ring");
    }
    test_products();
    test_edges();
    test_triangles();
    test_zeros();
    test_sizes();
    EXPECT(fake_faults() == 0, "%s", fake_first_fault());
    free(expected);
    for (int i = 0; i < 3; i++)
        gable_free(ctx, blocks[i]);
    gable_free(ctx, scalars);
    gable_free(ctx, sizes);
    gable_close(ctx);
    fake_remove();
    return expect_summary("test_gemm_ring");
}
