/* test_pipeline_batched.c: gemm_batched=pipeline (src/blas/batched/gemm_batched_pipeline.c) as
 * plain C, against plain loops.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Small integers: every order of sums gives the same bits. Around batch entries stand NaN, and in C
 * what must stay. Addresses of an array go backwards through a block, and each third batch entry
 * stands on 16 bytes, one element or one real behind. The fake device has four units: persistent
 * groups go from batch entry to batch entry.
 */
#include <math.h>
#include <stdlib.h>
#include "blas/level3/level3.h"
#include "core/context.h"
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"
#include "product_numbers.h"

#define BLOCK_BYTES  ((size_t)1 << 20)
#define STAYS        -4711.0
#define MOST_ENTRIES 16

enum { LEFT, RIGHT, RESULT }; /* operands */

/* Tunables, and the sides of their tiles: those of each precision, then others. */
enum { LARGE = 4, DOUBLE, PAIR, SHAPES };
static const struct {
    const char *choice;
    int rows, columns;
} shapes[SHAPES] = {
    {"gemm_batched=pipeline:rows=128:columns=32:split_k=8:cluster=0:stages=4:groups=1:stagger=0:"
     "staged_c=0",
     128, 32},
    {"gemm_batched=pipeline:rows=32:columns=32:split_k=4:cluster=1:stages=8:groups=1:stagger=0:"
     "staged_c=0",
     32, 32},
    {"gemm_batched=pipeline:rows=64:columns=32:split_k=8:cluster=0:stages=4:groups=1:stagger=0:"
     "staged_c=0",
     64, 32},
    {"gemm_batched=pipeline:rows=32:columns=32:split_k=4:cluster=0:stages=8:groups=1:stagger=0:"
     "staged_c=0",
     32, 32},
    {"gemm_batched=pipeline:rows=128:columns=128:split_k=1:cluster=0:stages=6:groups=1:stagger=4:"
     "staged_c=0",
     128, 128},
    {"gemm_batched=pipeline:rows=128:columns=64:split_k=2:cluster=0:stages=6:groups=1:stagger=0:"
     "staged_c=0",
     128, 64},
    {"gemm_batched=pipeline:rows=128:columns=128:split_k=1:cluster=0:stages=3:groups=2:stagger=0:"
     "staged_c=0",
     128, 128},
};

typedef struct trial {
    int prec, shape, trans[2]; /* 2: the conjugate transpose */
    int m, n, k, batch;
    int pointers;
    int odd;       /* bits of operands whose columns do not start on 16 bytes ... */
    int odd_apart; /* ... and whose batch entries do not, where elements are smaller */
    int shared;    /* bits: one A, one B for all batch entries */
    int backwards; /* bits of operands whose first batch entry is the last in memory */
    double alpha, beta;
    int on_device;
} trial;

/* An operand: where its batch entries are, in bytes of its block. */
typedef struct operand {
    int rows, columns;
    int64_t ld, apart; /* elements */
    int64_t at[MOST_ENTRIES];
} operand;

static gable_context *ctx;
static char *blocks[3], *expected, *scalars, *lists;

static int reals(const trial *t)
{
    return t->prec >= 2 ? 2 : 1;
}

static int64_t real_bytes(const trial *t)
{
    return t->prec % 2 ? 8 : 4;
}

static double get_real(const trial *t, const char *at)
{
    if (t->prec % 2)
        return *(const double *)(const void *)at;
    return (double)*(const float *)(const void *)at;
}

static void put_real(const trial *t, char *at, double x)
{
    if (t->prec % 2)
        *(double *)(void *)at = x;
    else
        *(float *)(void *)at = (float)x;
}

static int64_t place(const trial *t, const operand *o, int entry, int row, int column)
{
    return o->at[entry] + (row + column * o->ld) * reals(t) * real_bytes(t);
}

static number get(const trial *t, const char *at)
{
    return (number){get_real(t, at), reals(t) > 1 ? get_real(t, at + real_bytes(t)) : 0};
}

static void put(const trial *t, char *at, number x)
{
    put_real(t, at, x.re);
    if (reals(t) > 1)
        put_real(t, at + real_bytes(t), x.im);
}

static double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)((int)(*state >> 20) % 7 - 3);
}

/* Columns and batch entries that start on 16 bytes, or do not; with all elements of one block
 * between them. */
static operand lay_out(const trial *t, int which, int rows, int columns)
{
    const int64_t elem = reals(t) * real_bytes(t), each = 16 / elem;
    const bool odd = t->odd >> which & 1, apart = t->odd_apart >> which & 1;
    operand o = {.rows = rows, .columns = columns};
    o.ld = (rows + each) / each * each + (odd && each > 1);
    o.apart = (o.ld * columns + each) / each * each + (apart && each > 1);
    if (which != RESULT && (t->shared >> which & 1))
        o.apart = 0;
    if (t->batch == 1 && !t->pointers)
        o.apart = 1; /* nobody uses it */
    /* Complex elements that do not even start on their own size. */
    int64_t first = 32 + (odd && reals(t) > 1 ? real_bytes(t) : 0);
    if (t->backwards >> which & 1) {
        first += (t->batch - 1) * o.apart * elem;
        o.apart = -o.apart;
    }
    const int64_t between = (o.ld * columns + each) / each * each * elem + 16;
    for (int b = 0; b < t->batch; b++) {
        o.at[b] = first + b * o.apart * elem;
        if (t->pointers) {
            o.at[b] = 32 + (t->batch - 1 - b) * between;
            o.at[b] += b % 3 == 1 ? elem : b % 3 == 2 ? real_bytes(t) : 0;
        }
    }
    return o;
}

static void fill(const trial *t, const operand *o, char *block, double around, unsigned seed)
{
    for (size_t i = 0; i < BLOCK_BYTES; i += (size_t)real_bytes(t))
        put_real(t, block + i, around);
    for (int b = 0; b < t->batch; b++)
        for (int j = 0; j < o->columns; j++)
            for (int i = 0; i < o->rows; i++) {
                const int64_t at = place(t, o, b, i, j);
                number x = {draw(&seed), 0};
                x.im = reals(t) > 1 ? draw(&seed) : 0;
                if ((size_t)at + 16 > BLOCK_BYTES)
                    abort();
                put(t, block + at, x);
            }
}

static number element(const trial *t, const operand *o, int which, int b, int row, int column)
{
    const int transposed = t->trans[which];
    const number x = get(t, blocks[which] + (transposed ? place(t, o, b, column, row)
                                                        : place(t, o, b, row, column)));
    return transposed == 2 ? conjugate(x) : x;
}

static void expect_entry(const trial *t, const operand *o, int b)
{
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < t->m; i++) {
            char *c = expected + place(t, &o[RESULT], b, i, j);
            const number old = get(t, c);
            number sum = {0, 0};
            for (int p = 0; p < t->k && t->alpha != 0; p++)
                sum = plus(sum, times(element(t, &o[LEFT], LEFT, b, i, p),
                                      element(t, &o[RIGHT], RIGHT, b, p, j)));
            const number value = {t->alpha * sum.re + (t->beta == 0 ? 0 : t->beta * old.re),
                                  t->alpha * sum.im + (t->beta == 0 ? 0 : t->beta * old.im)};
            put(t, c, value);
        }
}

static gable_trans word(int transposed)
{
    return transposed == 2 ? GABLE_CONJ_TRANS : transposed ? GABLE_TRANS : GABLE_NO_TRANS;
}

/* The first argument of an operand. Without terms its array has no addresses. */
static void *given(const trial *t, const operand *o, int which)
{
    if (!t->pointers)
        return blocks[which] + o->at[0];
    void **list = (void **)(void *)lists + which * MOST_ENTRIES;
    for (int b = 0; b < t->batch; b++)
        list[b] = which != RESULT && (t->alpha == 0 || t->k == 0) ? NULL : blocks[which] + o->at[b];
    return list;
}

static void run(const trial *t)
{
    const unsigned seed = (unsigned)(t->m * 31 + t->n * 7 + t->k);
    operand o[3];
    o[LEFT] = lay_out(t, LEFT, t->trans[LEFT] ? t->k : t->m, t->trans[LEFT] ? t->m : t->k);
    o[RIGHT] = lay_out(t, RIGHT, t->trans[RIGHT] ? t->n : t->k, t->trans[RIGHT] ? t->k : t->n);
    o[RESULT] = lay_out(t, RESULT, t->m, t->n);
    for (int which = LEFT; which <= RESULT; which++)
        fill(t, &o[which], blocks[which], which == RESULT ? STAYS : NAN, seed + (unsigned)which);
    for (int b = 0; b < t->batch && t->beta == 0; b++)
        for (int j = 0; j < t->n; j++)
            for (int i = 0; i < t->m; i++)
                put(t, blocks[RESULT] + place(t, &o[RESULT], b, i, j), (number){NAN, NAN});
    memcpy(expected, blocks[RESULT], BLOCK_BYTES);
    for (int b = 0; b < t->batch; b++)
        expect_entry(t, o, b);
    put(t, scalars, (number){t->alpha, 0});
    put(t, scalars + 16, (number){t->beta, 0});
    const gbl_product_call call = {
        .dtype = (gbl_dtype)t->prec,
        .trans = word(t->trans[LEFT]),
        .trans_b = word(t->trans[RIGHT]),
        .pointers = t->pointers,
        .m = t->m,
        .n = t->n,
        .k = t->k,
        .lda = o[LEFT].ld,
        .ldb = o[RIGHT].ld,
        .ldc = o[RESULT].ld,
        .batch = t->batch,
        .stride_a = t->pointers ? 0 : o[LEFT].apart,
        .stride_b = t->pointers ? 0 : o[RIGHT].apart,
        .stride_c = t->pointers ? 0 : o[RESULT].apart,
        .A = given(t, &o[LEFT], LEFT),
        .B = given(t, &o[RIGHT], RIGHT),
        .C = given(t, &o[RESULT], RESULT),
        .alpha = {.re = t->on_device ? 9 : t->alpha, .device = t->on_device ? scalars : NULL},
        .beta = {.re = t->on_device ? 9 : t->beta, .device = t->on_device ? scalars + 16 : NULL}};
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, shapes[t->shape].choice));
    EXPECT_STATUS(ctx, GABLE_OK, gbl_gemm_batched(ctx, "gable_gemm_batched", &call));
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    int wrong = 0;
    size_t first = 0;
    for (size_t i = BLOCK_BYTES; i > 0; i -= (size_t)real_bytes(t)) {
        const size_t at = i - (size_t)real_bytes(t);
        const double is = get_real(t, blocks[RESULT] + at), wanted = get_real(t, expected + at);
        if (!(is == wanted || (isnan(is) && isnan(wanted)))) {
            first = at;
            wrong++;
        }
    }
    EXPECT(wrong == 0,
           "%c, %s, trans %d %d, %s, odd %d, batch entries odd %d, shared %d, backwards %d, m %d, "
           "n %d, "
           "k %d, batch %d, "
           "alpha %g, beta %g: %d wrong, the first at byte %zu of C's block: %g, not %g",
           "sdcz"[t->prec], shapes[t->shape].choice, t->trans[LEFT], t->trans[RIGHT],
           t->pointers ? "addresses" : "strides", t->odd, t->odd_apart, t->shared, t->backwards,
           t->m, t->n, t->k, t->batch, t->alpha, t->beta, wrong, first,
           get_real(t, blocks[RESULT] + first), get_real(t, expected + first));
}

/* Sizes number first .. last: those that cut tiles and panels, some that cut none, with more tiles
 * than groups; a single batch entry; few terms. */
static void run_sizes(trial t, int first, int last)
{
    const int rows = shapes[t.shape].rows, columns = shapes[t.shape].columns;
    const struct {
        int m, n, k, batch;
        double alpha, beta;
    } sizes[] = {{rows + 1, columns - 1, 33, 3, 2, 0},
                 {rows, 2 * columns, 40, 5, 1, 1},
                 {1, 1, 1, 1, -1, 3},
                 {rows - 1, 2 * columns + 1, 5, 5, 1, -2}};
    for (int i = first; i <= last; i++) {
        t.m = sizes[i].m;
        t.n = sizes[i].n;
        t.k = sizes[i].k;
        t.batch = sizes[i].batch;
        t.alpha = sizes[i].alpha;
        t.beta = sizes[i].beta;
        t.on_device = i % 2;
        run(&t);
    }
}

static void test_forms(int prec)
{
    const int other = prec >= 2 ? 2 : 1;
    for (int trans = 0; trans < 4; trans++) {
        trial t = {.prec = prec, .shape = prec, .trans = {trans % 2 ? other : 0, trans / 2}};
        run_sizes(t, 0, trans == 0 ? 3 : 1);
        t.pointers = 1;
        run_sizes(t, 0, trans == 0 ? 3 : 1);
        t.pointers = 0;
        t.odd = t.odd_apart = 7;
        run_sizes(t, 0, 0);
    }
}

/* One factor for all batch entries, by TMA tiles and by elements; batch entries that go backwards;
 * columns on 16 bytes, but batch entries not. */
static void test_strides(int prec)
{
    trial shared = {.prec = prec, .shape = prec};
    for (shared.shared = 1; shared.shared <= 2; shared.shared++)
        run_sizes(shared, 1, 1);
    run_sizes(shared, 0, 1);
    shared.odd = shared.odd_apart = 7;
    run_sizes(shared, 0, 0);
    trial t = {.prec = prec, .shape = prec, .backwards = 1};
    run_sizes(t, 1, 1);
    t.backwards = 7;
    run_sizes(t, 0, 0);
    t.backwards = 6;
    run_sizes(t, 1, 1);
    t.odd = t.odd_apart = 7;
    run_sizes(t, 0, 0);
    trial apart = {.prec = prec, .shape = prec, .m = 33, .n = 40, .k = 20, .batch = 4, .alpha = 1};
    apart.odd = prec >= 2 ? 2 : 0;
    apart.odd_apart = prec >= 2 ? 0 : 2;
    run(&apart);
}

/* No terms: factors are not followed, though there are arrays for them. */
static void test_edges(int prec)
{
    for (int pointers = 0; pointers < 2; pointers++) {
        trial t = {.prec = prec, .shape = prec, .pointers = pointers};
        t.m = 35;
        t.n = 37;
        t.k = 19;
        t.batch = 6;
        t.beta = pointers ? 0 : 2;
        t.on_device = pointers;
        run(&t);
        t.alpha = 1;
        t.k = 0;
        t.beta = -1;
        run(&t);
    }
}

static void test_shapes(void)
{
    for (int shape = LARGE; shape <= DOUBLE; shape++) {
        trial t = {.prec = GBL_D, .shape = shape, .m = 131, .n = 70, .k = 100, .batch = 3};
        t.alpha = t.beta = 1;
        run(&t);
        t.pointers = 1;
        run(&t);
    }
    trial t = {.prec = GBL_S, .shape = PAIR, .m = 131, .n = 130, .k = 70, .batch = 3, .alpha = 1};
    run(&t);
}

int main(void)
{
    const fake_settings settings = {.hopper = true, .is_gpu = true};
    fake_install(&settings);
    bool ready = gable_open(&ctx, "fake") == GABLE_OK;
    for (int i = 0; i < 3 && ready; i++)
        ready = gable_alloc(ctx, BLOCK_BYTES, (void **)&blocks[i]) == GABLE_OK;
    ready = ready && gable_alloc(ctx, 32, (void **)&scalars) == GABLE_OK &&
            gable_alloc(ctx, 3 * MOST_ENTRIES * sizeof(void *), (void **)&lists) == GABLE_OK;
    expected = malloc(BLOCK_BYTES);
    if (!ready || expected == NULL) {
        EXPECT(false, "%s", gable_message(ctx));
        return expect_summary("test_pipeline_batched");
    }
    for (int prec = GBL_S; prec <= GBL_Z; prec++) {
        test_forms(prec);
        test_strides(prec);
        test_edges(prec);
    }
    test_shapes();
    EXPECT(fake_faults() == 0, "%s", fake_first_fault());
    free(expected);
    for (int i = 0; i < 3; i++)
        gable_free(ctx, blocks[i]);
    gable_free(ctx, scalars);
    gable_free(ctx, lists);
    gable_close(ctx);
    fake_remove();
    return expect_summary("test_pipeline_batched");
}
