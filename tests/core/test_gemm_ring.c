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

#define MOST   330                       /* rows and columns of a matrix, with padding */
#define BLOCK  ((size_t)2 * MOST * MOST) /* doubles */
#define STAYS  -4711.0
#define SHAPES 9
#define MORE   20 /* that a call tells where sizes are read from memory */

/* An element of d or z. */
typedef struct number {
    double re, im;
} number;

static gable_context *ctx;
static double *blocks[3], *expected, *scalars;
static int64_t *sizes;
static int reals; /* of an element: 1 in d, 2 in z */

/* Tunables, and sizes around the edges of their tiles. */
typedef struct shape {
    const char *choice;
    int rows, columns;
} shape;
static const shape shapes[SHAPES] = {
    {"gemm=ring:rows=128:columns=128:layers=1:cluster=1:stages=7:groups=1:skew=4:through=0", 128,
     128},
    {"gemm=ring:rows=128:columns=64:layers=2:cluster=1:stages=6:groups=1:skew=0:through=0", 128,
     64},
    {"gemm=ring:rows=32:columns=32:layers=4:cluster=1:stages=8:groups=1:skew=0:through=0", 32, 32},
    {"gemm=ring:rows=32:columns=32:layers=4:cluster=2:stages=8:groups=1:skew=0:through=0", 32, 32},
    {"gemm=ring:rows=128:columns=64:layers=1:cluster=1:stages=4:groups=2:skew=0:through=0", 128,
     64},
    {"gemm=ring:rows=128:columns=64:layers=1:cluster=1:stages=8:groups=1:skew=0:through=0", 128,
     64},
    {"gemm=ring:rows=128:columns=128:layers=1:cluster=1:stages=3:groups=1:skew=0:through=1", 128,
     128},
    {"gemm=ring:rows=128:columns=64:layers=1:cluster=0:stages=0:groups=1:skew=2:through=2", 128,
     64},
    {"gemm=ring:rows=128:columns=64:layers=1:cluster=1:stages=4:groups=1:skew=0:through=1", 128,
     64},
};
enum { LARGE, DOUBLE, SMALL, CLUSTER, PAIR, WIDE, KEPT, TWOFOLD, WIDE_KEPT };

typedef struct trial {
    int shape, trans_a, trans_b;
    int odd_a, odd_b, odd_c; /* leading dimensions, so that columns do not start on 16 bytes */
    int part, zeros, unit, twice;
    int m, n, k;
    number alpha, beta;
    int real_diagonal;
    int on_device; /* scalars and, with `sized`, m, n and k */
    int sized;
    int infinite; /* a factor beside a triangular one has Inf where it meets zeros */
} trial;

static double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)((int)(*state >> 20) % 9 - 4);
}

/* The doubles of element (row, column). */
static double *at(void *matrix, int64_t ld, int row, int column)
{
    return (double *)matrix + ((int64_t)row + column * ld) * reals;
}

static number get(void *matrix, int64_t ld, int row, int column)
{
    const double *from = at(matrix, ld, row, column);
    return (number){from[0], reals > 1 ? from[1] : 0};
}

static void set(void *matrix, int64_t ld, int row, int column, number value)
{
    double *to = at(matrix, ld, row, column);
    to[0] = value.re;
    if (reals > 1)
        to[1] = value.im;
}

static number times(number a, number b)
{
    if (reals == 1)
        return (number){a.re * b.re, 0};
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static number plus(number a, number b)
{
    return (number){a.re + b.re, a.im + b.im};
}

static bool is_zero(number a)
{
    return a.re == 0 && a.im == 0;
}

/* A matrix of so many rows and columns, so many doubles behind the block's begin; `around` on all sides. */
static void *fill(double *block, int behind, int rows, int columns, int64_t ld, double around,
                  unsigned seed)
{
    for (size_t i = 0; i < BLOCK; i++)
        block[i] = around;
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            number value = {draw(&seed), 0};
            value.im = reals > 1 ? draw(&seed) : 0;
            set(block + behind, ld, i, j, value);
        }
    return block + behind;
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

/* Element of a factor: as stored (0), transposed (1) or conjugate, too (2). */
static number element(void *matrix, int64_t ld, int turned, int row, int column)
{
    number value = turned ? get(matrix, ld, column, row) : get(matrix, ld, row, column);
    if (turned == 2)
        value.im = -value.im;
    return value;
}

/* How the second product of `twice` takes a factor that the first has turned so. */
static int turned_back(int turned, int other)
{
    return turned ? 0 : other;
}

static number sum_of(const trial *t, const gbl_product_call *call, int i, int j)
{
    number sum = {0, 0};
    for (int p = 0; p < t->k; p++) {
        if (!counts(t, i, j, p))
            continue;
        number a = element(call->A, call->lda, t->trans_a, i, p),
               b = element(call->B, call->ldb, t->trans_b, p, j);
        if (t->unit && p == (t->zeros <= GBL_A_UPPER ? i : j))
            *(t->zeros <= GBL_A_UPPER ? &a : &b) = (number){1, 0};
        sum = plus(sum, times(a, b));
        if (t->twice)
            sum = plus(
                sum, times(element(call->B, call->ldb, turned_back(t->trans_b, t->trans_a), i, p),
                           element(call->A, call->lda, turned_back(t->trans_a, t->trans_b), p, j)));
    }
    return sum;
}

/* Beyond a triangle stands NaN; `infinite`: and Inf in the other factor where a stage has zeros of the triangle. */
static void spoil(const trial *t, gbl_product_call *call)
{
    const bool left = t->zeros <= GBL_A_UPPER;
    void *factor = left ? call->A : call->B;
    const int64_t ld = left ? call->lda : call->ldb;
    const bool turned = left ? t->trans_a : t->trans_b;
    for (int i = 0; i < t->k; i++)
        for (int p = 0; p < t->k; p++) {
            if (counts(t, i, i, p) && !(t->unit && i == p))
                continue;
            const int row = left ? i : p, column = left ? p : i;
            set(factor, ld, turned ? column : row, turned ? row : column, (number){NAN, NAN});
        }
    if (t->infinite)
        set(left ? call->B : call->A, left ? call->ldb : call->lda, 0, 0, (number){INFINITY, 0});
}

/* Of d, columns that do not start on 16 bytes have an odd leading dimension; z then starts at an odd double. */
static int64_t leading(int rows, int odd)
{
    return reals > 1 ? rows + 1 : rows + 2 + (rows + odd) % 2;
}

static int behind(int odd)
{
    return 2 + (reals > 1 && odd);
}

static number product_element(const trial *t, const gbl_product_call *call, int i, int j)
{
    const number old = get(call->C, call->ldc, i, j), none = {0, 0};
    number value = is_zero(t->alpha) ? none : times(t->alpha, sum_of(t, call, i, j));
    if (t->part != GBL_ALL && t->real_diagonal && i == j) {
        if (!is_zero(t->beta))
            value = plus(value, times(t->beta, (number){old.re, 0}));
        return (number){value.re, 0};
    }
    return is_zero(t->beta) ? value : plus(value, times(t->beta, old));
}

static gable_trans word(int turned)
{
    return turned == 2 ? GABLE_CONJ_TRANS : turned ? GABLE_TRANS : GABLE_NO_TRANS;
}

static void run(const trial *t)
{
    const int a_rows = t->trans_a ? t->k : t->m, a_columns = t->trans_a ? t->m : t->k,
              b_rows = t->trans_b ? t->n : t->k, b_columns = t->trans_b ? t->k : t->n;
    const int more = t->sized ? MORE : 0;
    gbl_product_call call = {.dtype = reals > 1 ? GBL_Z : GBL_D,
                             .trans = word(t->trans_a),
                             .trans_b = word(t->trans_b),
                             .diag = t->unit ? GABLE_UNIT : GABLE_NON_UNIT,
                             .conj = t->real_diagonal,
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
    call.A = fill(blocks[0], behind(t->odd_a), a_rows, a_columns, call.lda, NAN, seed);
    call.B = fill(blocks[1], behind(t->odd_b), b_rows, b_columns, call.ldb, NAN, seed + 1);
    call.C = fill(blocks[2], behind(t->odd_c), t->m, t->n, call.ldc, STAYS, seed + 2);
    if (t->zeros != GBL_NO_ZEROS)
        spoil(t, &call);
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < t->m; i++) {
            if (is_zero(t->beta) && t->part == GBL_ALL)
                set(call.C, call.ldc, i, j, (number){NAN, NAN});
            if (t->real_diagonal && i == j)
                set(call.C, call.ldc, i, j, (number){get(call.C, call.ldc, i, j).re, NAN});
        }
    memcpy(expected, blocks[2], BLOCK * sizeof *expected);
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < t->m; i++)
            if (t->part == GBL_ALL || (t->part == GBL_UPPER_ONLY ? i <= j : i >= j))
                set(expected + behind(t->odd_c), call.ldc, i, j, product_element(t, &call, i, j));
    memcpy(&scalars[0], &t->alpha, sizeof t->alpha);
    memcpy(&scalars[2], &t->beta, sizeof t->beta);
    call.alpha = (gbl_scalar){
        .re = t->alpha.re, .im = t->alpha.im, .device = t->on_device ? &scalars[0] : NULL};
    call.beta = (gbl_scalar){
        .re = t->beta.re, .im = t->beta.im, .device = t->on_device ? &scalars[2] : NULL};
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
    EXPECT_STATUS(ctx, GABLE_OK, gbl_gemm(ctx, "gable_gemm", &call));
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    int wrong = 0;
    size_t first = 0;
    for (size_t i = BLOCK; i-- > 0;)
        if (!(blocks[2][i] == expected[i] || (isnan(blocks[2][i]) && isnan(expected[i])))) {
            first = i;
            wrong++;
        }
    EXPECT(
        wrong == 0,
        "%c, %s, trans %d %d, odd %d %d %d, part %d, zeros %d, unit %d, twice %d, m %d, n %d, k "
        "%d, sized %d, infinite %d: %d wrong, the first at double %zu of C's block (ldc %d): %g, "
        "not %g",
        reals > 1 ? 'z' : 'd', shapes[t->shape].choice, t->trans_a, t->trans_b, t->odd_a, t->odd_b,
        t->odd_c, t->part, t->zeros, t->unit, t->twice, t->m, t->n, t->k, t->sized, t->infinite,
        wrong, first, (int)call.ldc, blocks[2][first], expected[first]);
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
        t.alpha = (number){i % 2 ? -2 : 1, reals > 1 ? i - 1 : 0};
        t.beta = i % 3 == 0 ? (number){0, 0} : (number){3, reals > 1 ? -1 : 0};
        t.on_device = i % 2;
        run(&t);
    }
}

/* In z a turned factor is conjugate in every second form. */
static trial turned(int trans)
{
    return (trial){.trans_a = trans % 2 ? reals : 0,
                   .trans_b = trans / 2 ? 1 + (reals > 1 && trans == 2) : 0};
}

static void test_products(void)
{
    for (int trans = 0; trans < 4; trans++) {
        trial t = turned(trans);
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
    run(&t);
    t.alpha.re = 0;
    run(&t);
    t.on_device = 1;
    run(&t);
    t.alpha.re = 2;
    t.k = 0;
    t.beta.re = -1;
    run(&t);
}

static void test_triangles(void)
{
    for (int part = GBL_UPPER_ONLY; part <= GBL_LOWER_ONLY; part++) {
        trial t = {.shape = reals > 1 ? WIDE : LARGE,
                   .trans_b = reals,
                   .part = part,
                   .real_diagonal = reals > 1,
                   .alpha = {2, 0},
                   .beta = {1, 0},
                   .k = 20};
        t.m = t.n = reals > 1 ? 150 : 257;
        run(&t);
        if (reals > 1)
            continue;
        t.shape = DOUBLE;
        t.twice = 1;
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
    for (int zeros = GBL_A_LOWER; zeros <= GBL_B_UPPER; zeros++) {
        const bool left = zeros <= GBL_A_UPPER;
        trial t = {
            .shape = reals > 1 ? WIDE : LARGE, .zeros = zeros, .alpha = {1, 0}, .beta = {2, 0}};
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
static void test_through(void)
{
    for (int trans = 0; trans < 4; trans++) {
        trial t = turned(trans);
        t.shape = reals > 1 ? WIDE_KEPT : KEPT;
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
    run(&t);
    t.alpha.re = 0; /* C scaled only */
    run(&t);
    t.on_device = 1;
    run(&t);
    t.beta.re = 0;
    run(&t);
    t.alpha.re = 2;
    t.k = 0;
    t.beta.re = -1;
    run(&t);
    for (int part = GBL_UPPER_ONLY; part <= GBL_LOWER_ONLY; part++) {
        t = (trial){.shape = reals > 1 ? WIDE_KEPT : KEPT,
                    .trans_b = reals,
                    .part = part,
                    .real_diagonal = reals > 1,
                    .alpha = {2, 0},
                    .beta = {1, 0},
                    .k = 20};
        t.m = t.n = reals > 1 ? 150 : 257;
        run(&t);
        if (reals > 1)
            continue;
        t.shape = TWOFOLD;
        t.twice = 1;
        run(&t);
        t.m = t.n = 320;
        t.beta.re = 0;
        run(&t);
    }
}

int main(void)
{
    const fake_settings settings = {.hopper = true, .is_gpu = true};
    fake_install(&settings);
    bool ready = gable_open(&ctx, "fake") == GABLE_OK;
    for (int i = 0; i < 3 && ready; i++)
        ready = gable_alloc(ctx, BLOCK * sizeof **blocks, (void **)&blocks[i]) == GABLE_OK;
    ready = ready && gable_alloc(ctx, 32, (void **)&scalars) == GABLE_OK &&
            gable_alloc(ctx, 24, (void **)&sizes) == GABLE_OK;
    expected = malloc(BLOCK * sizeof *expected);
    if (!ready || expected == NULL) {
        EXPECT(false, "%s", gable_message(ctx));
        return expect_summary("test_gemm_ring");
    }
    for (reals = 1; reals <= 2; reals++) {
        test_products();
        test_edges();
        test_triangles();
        test_zeros();
        test_through();
    }
    reals = 1;
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
