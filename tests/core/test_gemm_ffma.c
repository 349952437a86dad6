/* test_gemm_ffma.c: products by rings in single precision (kernels/sm90/gemm_ffma.cu) as plain C, against plain loops.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Small integers: every order of sums gives the same bits. Around matrices stand NaN, and in C what must stay. The fake
 * device has four units: persistent groups go from tile to tile.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "blas/level3.h"
#include "core/context.h"
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"
#include <complex.h>
#undef complex

#define MOST  560 /* rows and columns of a matrix, with padding */
#define BLOCK ((size_t)MOST * MOST)
#define STAYS -4711.0f
#define AHEAD 4  /* reals before a matrix: 16 bytes */
#define MORE  20 /* that a call tells where sizes are read from memory */

static gable_context *ctx;
static float *blocks[3], *expected, *scalars;
static int64_t *sizes;

/* Tunables, and the sides of their tiles, in s and in c. */
typedef struct shape {
    const char *choice;
    int rows, columns;
} shape;
enum { LARGE, MIDDLE, SMALL, PAIR, KEPT, TWOFOLD, SHAPES };
static const shape shapes[2][SHAPES] = {
    {{"gemm=ring:rows=128:columns=256:layers=1:cluster=1:stages=4:groups=1:skew=0:through=0", 128,
      256},
     {"gemm=ring:rows=128:columns=64:layers=4:cluster=1:stages=3:groups=1:skew=0:through=0", 128,
      64},
     {"gemm=ring:rows=128:columns=32:layers=8:cluster=2:stages=4:groups=1:skew=0:through=0", 128,
      32},
     {"gemm=ring:rows=128:columns=128:layers=1:cluster=1:stages=3:groups=2:skew=0:through=0", 128,
      128},
     {"gemm=ring:rows=128:columns=256:layers=1:cluster=1:stages=2:groups=1:skew=0:through=1", 128,
      256},
     {"gemm=ring:rows=128:columns=128:layers=1:cluster=0:stages=0:groups=1:skew=0:through=2", 128,
      128}},
    {{"gemm=ring:rows=128:columns=128:layers=1:cluster=1:stages=4:groups=1:skew=0:through=0", 128,
      128},
     {"gemm=ring:rows=64:columns=128:layers=2:cluster=1:stages=3:groups=1:skew=0:through=0", 64,
      128},
     {"gemm=ring:rows=64:columns=32:layers=8:cluster=2:stages=4:groups=1:skew=0:through=0", 64, 32},
     {"gemm=ring:rows=128:columns=64:layers=1:cluster=1:stages=3:groups=2:skew=0:through=0", 128,
      64},
     {"gemm=ring:rows=128:columns=128:layers=1:cluster=1:stages=3:groups=1:skew=0:through=1", 128,
      128},
     {"gemm=ring:rows=128:columns=64:layers=1:cluster=1:stages=4:groups=1:skew=0:through=2", 128,
      64}},
};

typedef struct trial {
    int complex, shape;
    int trans_a, trans_b; /* 2: the conjugate transpose */
    int odd;              /* leading dimensions, so that columns do not start on 16 bytes */
    int part, zeros, unit, twice, real_diagonal;
    int m, n, k;
    float _Complex alpha, beta;
    int on_device, sized, infinite;
} trial;

static float draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)((int)(*state >> 20) % 7 - 3);
}

static int reals(const trial *t)
{
    return t->complex ? 2 : 1;
}

/* Element (row, column) of what is stored from `at` on. */
static float *place(const trial *t, const void *at, int64_t ld, int row, int column)
{
    return (float *)(uintptr_t)at + (row + (size_t)column * (size_t)ld) * (size_t)reals(t);
}

/* CMPLXF, which not every C library gives every compiler. */
static float _Complex number(float re, float im)
{
    const float parts[2] = {re, im};
    float _Complex value;
    memcpy(&value, parts, sizeof value);
    return value;
}

static float _Complex get(const trial *t, const float *at)
{
    return number(at[0], t->complex ? at[1] : 0);
}

static void put(const trial *t, float *at, float _Complex value)
{
    at[0] = crealf(value);
    if (t->complex)
        at[1] = cimagf(value);
}

static void *fill(const trial *t, float *block, int rows, int columns, int64_t ld, float around,
                  unsigned seed)
{
    for (size_t i = 0; i < 2 * BLOCK; i++)
        block[i] = around;
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows * reals(t); i++)
            place(t, block + AHEAD, ld, 0, j)[i] = draw(&seed);
    return block + AHEAD;
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

static float _Complex element(const trial *t, const void *at, int64_t ld, int trans, int row,
                              int column)
{
    const float _Complex e =
        get(t, trans ? place(t, at, ld, column, row) : place(t, at, ld, row, column));
    return trans == 2 ? conjf(e) : e;
}

static float _Complex sum_of(const trial *t, const gbl_product_call *call, int i, int j)
{
    float re = 0, im = 0; /* products of complex numbers as the kernel has them: no rule for Inf */
    for (int p = 0; p < t->k; p++) {
        if (!counts(t, i, j, p))
            continue;
        float _Complex a = element(t, call->A, call->lda, t->trans_a, i, p),
                       b = element(t, call->B, call->ldb, t->trans_b, p, j);
        if (t->unit && p == (t->zeros <= GBL_A_UPPER ? i : j))
            *(t->zeros <= GBL_A_UPPER ? &a : &b) = 1;
        for (int half = 0; half <= t->twice; half++) {
            if (half) {
                a = element(t, call->B, call->ldb, !t->trans_b, i, p);
                b = element(t, call->A, call->lda, !t->trans_a, p, j);
            }
            re += crealf(a) * crealf(b) - cimagf(a) * cimagf(b);
            im += crealf(a) * cimagf(b) + cimagf(a) * crealf(b);
        }
    }
    return number(re, im);
}

/* Beyond a triangle stands NaN; `infinite`: and Inf in the other factor where a stage has zeros of the triangle. */
static void spoil(const trial *t, gbl_product_call *call)
{
    const bool left = t->zeros <= GBL_A_UPPER;
    const int turned = left ? t->trans_a : t->trans_b;
    for (int i = 0; i < t->k; i++)
        for (int p = 0; p < t->k; p++) {
            if (counts(t, i, i, p) && !(t->unit && i == p))
                continue;
            const int row = left ? i : p, column = left ? p : i;
            put(t,
                place(t, left ? call->A : call->B, left ? call->lda : call->ldb,
                      turned ? column : row, turned ? row : column),
                number(NAN, NAN));
        }
    if (t->infinite)
        *(float *)(left ? call->B : call->A) = INFINITY;
}

static int64_t leading(const trial *t, int rows)
{
    const int each = 4 / reals(t);
    return (rows + each) / each * each + (t->odd ? 1 : 0);
}

static bool same(float x, float y)
{
    return x == y || (isnan(x) && isnan(y));
}

static void run(const trial *t)
{
    static const gable_trans trans[] = {GABLE_NO_TRANS, GABLE_TRANS, GABLE_CONJ_TRANS};
    const int a_rows = t->trans_a ? t->k : t->m, a_columns = t->trans_a ? t->m : t->k,
              b_rows = t->trans_b ? t->n : t->k, b_columns = t->trans_b ? t->k : t->n;
    const int more = t->sized ? MORE : 0;
    gbl_product_call call = {.dtype = t->complex ? GBL_C : GBL_S,
                             .trans = trans[t->trans_a],
                             .trans_b = trans[t->trans_b],
                             .diag = t->unit ? GABLE_UNIT : GABLE_NON_UNIT,
                             .conj = t->real_diagonal,
                             .part = (uint8_t)t->part,
                             .zeros = (uint8_t)t->zeros,
                             .twice = (uint8_t)t->twice,
                             .m = t->m,
                             .n = t->n,
                             .k = t->k,
                             .lda = leading(t, a_rows + more),
                             .ldb = leading(t, b_rows + more),
                             .ldc = leading(t, t->m + more)};
    const unsigned seed = (unsigned)(t->m * 31 + t->n * 7 + t->k);
    call.A = fill(t, blocks[0], a_rows, a_columns, call.lda, NAN, seed);
    call.B = fill(t, blocks[1], b_rows, b_columns, call.ldb, NAN, seed + 1);
    call.C = fill(t, blocks[2], t->m, t->n, call.ldc, STAYS, seed + 2);
    if (t->zeros != GBL_NO_ZEROS)
        spoil(t, &call);
    if (t->beta == 0 && t->part == GBL_ALL)
        for (int j = 0; j < t->n; j++)
            for (int i = 0; i < t->m; i++)
                put(t, place(t, call.C, call.ldc, i, j), number(NAN, NAN));
    memcpy(expected, blocks[2], 2 * BLOCK * sizeof *expected);
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < t->m; i++) {
            if ((t->part == GBL_UPPER_ONLY && i > j) || (t->part == GBL_LOWER_ONLY && i < j))
                continue;
            float *c = place(t, expected + AHEAD, call.ldc, i, j);
            float _Complex old = get(t, c);
            if (t->real_diagonal && i == j)
                old = crealf(old);
            const float _Complex sum = t->alpha == 0 ? 0 : sum_of(t, &call, i, j);
            float _Complex value = 0;
            if (t->infinite && cimagf(t->alpha) == 0) /* Inf times a real number */
                value = number(crealf(t->alpha) * crealf(sum), crealf(t->alpha) * cimagf(sum));
            else if (t->alpha != 0)
                value = t->alpha * sum;
            if (t->beta != 0)
                value = number(crealf(value), cimagf(value)) + t->beta * old;
            put(t, c, t->real_diagonal && i == j ? crealf(value) : value);
        }
    put(t, scalars, t->alpha);
    put(t, scalars + 4, t->beta);
    call.alpha = (gbl_scalar){
        .re = crealf(t->alpha), .im = cimagf(t->alpha), .device = t->on_device ? scalars : NULL};
    call.beta = (gbl_scalar){
        .re = crealf(t->beta), .im = cimagf(t->beta), .device = t->on_device ? scalars + 4 : NULL};
    if (t->sized) { /* the call tells more than there is */
        sizes[0] = t->m;
        sizes[1] = t->n;
        sizes[2] = t->k;
        call.sizes = sizes;
        call.m += MORE;
        call.n += MORE / 2;
        call.k += MORE / 2 + 1;
    }
    const shape *s = &shapes[t->complex][t->shape];
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, s->choice));
    EXPECT_STATUS(ctx, GABLE_OK, gbl_gemm(ctx, t->complex ? "gable_cgemm" : "gable_sgemm", &call));
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    int wrong = 0;
    size_t first = 0;
    for (size_t i = 0; i < 2 * BLOCK; i++)
        if (!same(blocks[2][i], expected[i])) {
            first = wrong == 0 ? i : first;
            wrong++;
        }
    EXPECT(wrong == 0,
           "%s, complex %d, trans %d %d, odd %d, part %d, zeros %d, unit %d, twice %d, m %d, n %d, "
           "k %d, sized %d, infinite %d: %d wrong, the first at real %zu (ldc %d): %g, not %g",
           s->choice, t->complex, t->trans_a, t->trans_b, t->odd, t->part, t->zeros, t->unit,
           t->twice, t->m, t->n, t->k, t->sized, t->infinite, wrong, first - AHEAD, (int)call.ldc,
           (double)blocks[2][first], (double)expected[first]);
}

/* Sizes around the edges of tiles; scalars on both sides. */
static void run_sizes(trial t, int many)
{
    const shape *s = &shapes[t.complex][t.shape];
    const int m[] = {s->rows + 1, s->rows, 1, 2 * s->rows + 1, s->rows - 1},
              n[] = {s->columns - 1, s->columns, 1, s->columns + 3, 2 * s->columns + 1},
              k[] = {65, 160, 5, 33, 1};
    for (int i = 0; i < many; i++) {
        t.m = m[i];
        t.n = n[i];
        t.k = k[i];
        t.alpha = i % 2 ? -2 : 1;
        t.beta = i % 3 == 0 ? 0 : 3;
        if (t.complex && i % 3)
            t.alpha += number(0, 1), t.beta -= number(0, 2);
        t.on_device = i % 2;
        run(&t);
    }
}

static void test_products(int complex)
{
    const int other = complex ? 2 : 1;
    for (int trans = 0; trans < 4; trans++) {
        trial t = {.complex = complex, .trans_a = trans % 2 ? other : 0, .trans_b = trans / 2};
        for (t.shape = LARGE; t.shape <= SMALL; t.shape++) {
            t.odd = 0;
            run_sizes(t, t.shape == LARGE ? 3 : 5);
            t.odd = 1;
            run_sizes(t, t.shape == LARGE ? 1 : 2);
        }
        t.odd = 0;
        t.shape = PAIR;
        run_sizes(t, 2);
    }
}

/* More tiles than groups: all groups go on to a second one; nothing to add; C scaled only. */
static void test_edges(int complex)
{
    trial t = {.complex = complex, .shape = MIDDLE, .m = 300, .n = 260, .k = 70};
    t.alpha = t.beta = 1;
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

static void test_triangles(int complex)
{
    for (int part = GBL_UPPER_ONLY; part <= GBL_LOWER_ONLY; part++) {
        trial t = {.complex = complex, .trans_b = 1, .part = part, .alpha = 2, .beta = 1, .k = 40};
        t.m = t.n = 257;
        run(&t);
        t.shape = MIDDLE;
        t.twice = 1;
        t.beta = 0;
        run(&t);
        t.m = t.n = 130;
        t.k = 33;
        run(&t);
        t.trans_a = 1;
        t.trans_b = 0;
        run(&t);
    }
    trial t = {.complex = complex, .shape = MIDDLE, .trans_b = 2, .part = GBL_LOWER_ONLY};
    t.real_diagonal = 1;
    t.m = t.n = 140;
    t.k = 20;
    t.alpha = 2;
    t.beta = 3;
    if (complex)
        run(&t);
}

static void test_zeros(int complex)
{
    for (int zeros = GBL_A_LOWER; zeros <= GBL_B_UPPER; zeros++) {
        const bool left = zeros <= GBL_A_UPPER;
        trial t = {.complex = complex, .zeros = zeros, .alpha = 1, .beta = 2, .k = 150};
        t.m = left ? t.k : 40;
        t.n = left ? 40 : t.k;
        for (int unit = 0; unit < 2; unit++) {
            t.unit = unit;
            t.shape = unit ? MIDDLE : LARGE;
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
static void test_through(int complex)
{
    for (int trans = 0; trans < 4; trans++) {
        if (complex && trans % 2) /* A is stored along its rows there */
            continue;
        trial t = {.complex = complex, .trans_a = trans % 2, .trans_b = trans / 2};
        t.shape = KEPT;
        run_sizes(t, 2);
        t.shape = TWOFOLD;
        run_sizes(t, 5);
        t.m = 320; /* more tiles than two for each group, whole panels */
        t.n = complex ? 304 : 512;
        t.k = 64;
        t.alpha = 2;
        t.beta = (float)(trans % 2);
        t.on_device = trans / 2;
        run(&t);
    }
    trial t = {.complex = complex, .shape = TWOFOLD, .m = 300, .n = 410, .k = 40};
    t.alpha = 1;
    t.beta = -2;
    run(&t);
    t.alpha = 0; /* C scaled only */
    run(&t);
    t.on_device = 1;
    t.beta = 0;
    run(&t);
    t.alpha = 2;
    t.k = 0;
    t.beta = -1;
    run(&t);
    for (int part = GBL_UPPER_ONLY; part <= GBL_LOWER_ONLY; part++) {
        t = (trial){.complex = complex, .shape = KEPT, .trans_b = 1, .part = part, .k = 40};
        t.alpha = 2;
        t.beta = 1;
        t.m = t.n = complex ? 257 : 400;
        run(&t);
        t.shape = TWOFOLD;
        t.twice = 1;
        run(&t);
    }
    if (complex) {
        t.twice = 0;
        t.trans_b = 2;
        t.real_diagonal = 1;
    } else {
        t.trans_a = 1;
        t.trans_b = 0;
        t.beta = 0;
    }
    run(&t);
}

int main(void)
{
    const fake_settings settings = {.hopper = true, .is_gpu = true};
    fake_install(&settings);
    bool ready = gable_open(&ctx, "fake") == GABLE_OK;
    for (int i = 0; i < 3 && ready; i++)
        ready = gable_alloc(ctx, 2 * BLOCK * sizeof **blocks, (void **)&blocks[i]) == GABLE_OK;
    ready = ready && gable_alloc(ctx, 32, (void **)&scalars) == GABLE_OK &&
            gable_alloc(ctx, 24, (void **)&sizes) == GABLE_OK;
    expected = malloc(2 * BLOCK * sizeof *expected);
    if (!ready || expected == NULL) {
        EXPECT(false, "%s", gable_message(ctx));
        return expect_summary("test_gemm_ffma");
    }
    for (int complex = 0; complex < 2; complex++) {
        test_products(complex);
        test_edges(complex);
        test_triangles(complex);
        test_zeros(complex);
        test_through(complex);
        trial t = {.complex = complex, .shape = MIDDLE, .sized = 1, .m = 129, .n = 65, .k = 37};
        t.alpha = 1;
        t.beta = 2;
        run(&t);
        t.k = 0;
        run(&t);
    }
    EXPECT(fake_faults() == 0, "%s", fake_first_fault());
    free(expected);
    for (int i = 0; i < 3; i++)
        gable_free(ctx, blocks[i]);
    gable_free(ctx, scalars);
    gable_free(ctx, sizes);
    gable_close(ctx);
    fake_remove();
    return expect_summary("test_gemm_ffma");
}
