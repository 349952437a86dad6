/* test_draw.c: cases drawn at random are the same everywhere, within their range and log-uniform; a
 * sweep's means, percentiles and worst cases.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Draws are compared with a logarithm of the C library, and some of them with what was written down
 * once: another machine must draw the same. Counts of 4000 draws lie within 4 standard deviations
 * of what is expected, sqrt(n p (1 - p)).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/context.h"
#include "draw.h"
#include "gable/bench/sweep_summary.h"
#include "harness/check.h"
#include "operands.h"

#define DRAWS 4000

static const bench_op *op_of(const char *name)
{
    bench_wanted wanted = {.op = NULL};
    CHECK(bench_op_find(name, 1u << GBL_D, &wanted), "there is no op %s", name);
    return wanted.op;
}

/* ---- Sizes ---- */

static void test_sizes(void)
{
    const int64_t least = 64, most = 8192;
    int octaves[7] = {0};
    uint64_t bits = 1;
    test_case("sizes");
    CHECK(bench_draw_size(0, least, most) == least, "no bits draw %" PRId64,
          bench_draw_size(0, least, most));
    CHECK(bench_draw_size(UINT64_MAX, least, most) == most, "all bits draw %" PRId64,
          bench_draw_size(UINT64_MAX, least, most));
    CHECK(bench_draw_size(12345, 77, 77) == 77, "a range of one size draws another");
    for (int i = 0; i < DRAWS; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        const double part = (double)(bits >> 32) * 0x1p-32,
                     exact = (double)least * pow((double)(most + 1) / (double)least, part);
        const int64_t size = bench_draw_size(bits, least, most);
        CHECK(fabs((double)size - floor(exact)) <= 1, "%.17g of the range is %" PRId64 ", not %g",
              part, size, floor(exact));
        octaves[(int)fmin(6, log2((double)size / 64))]++;
    }
    const double share = DRAWS / 7.0, deviation = sqrt(share * (1 - 1 / 7.0));
    for (int i = 0; i < 7; i++)
        CHECK(fabs(octaves[i] - share) < 4 * deviation, "octave %d has %d of %d sizes", i,
              octaves[i], DRAWS);
}

/* ---- Cases ---- */

static void text_of(const bench_case *what, char text[160])
{
    char name[48], sizes[64];
    bench_case_name(what, name, sizeof name);
    bench_case_size_text(what, sizes, sizeof sizes);
    snprintf(text, 160, "%s %s beta %d offset %d ld %d", name, sizes, what->beta, (int)what->offset,
             (int)what->pad);
}

/* Written down once, on x86-64. */
static void test_known(void)
{
    static const struct {
        const char *op;
        gbl_dtype dtype;
        int number;
        const char *text;
    } known[] = {
#include "known_draws.inc"
    };
    const bench_draw draw = {.seed = 7};
    test_case("known draws");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        bench_case what;
        char text[160];
        int64_t again = 0;
        CHECK(bench_draw_case(&draw, op_of(known[i].op), known[i].dtype, known[i].number, &what,
                              &again),
              "no case of %s", known[i].op);
        text_of(&what, text);
        CHECK(strcmp(text, known[i].text) == 0, "draw %d of %s is %s, not %s", known[i].number,
              known[i].op, text, known[i].text);
    }
}

/* Every op of the benchmark can be drawn, and its matrices fit. */
static void test_all_ops(void)
{
    static const char *const names[] = {
        "dot",  "mdot",  "gemv",  "gemv_strided", "ger",  "symv", "trsv",         "gbmv",
        "tbmv", "spmv",  "gemm",  "gemmt",        "syrk", "symm", "gemm_strided", "trsm_batched",
        "geam", "getrf", "ormqr", "lange",        "gels", "orgbr"};
    const bench_draw draw = {.seed = 3, .most_bytes = (size_t)1 << 30};
    test_case("ops");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const bench_op *op = strcmp(names[i], "spmv") == 0 ? NULL : op_of(names[i]);
        for (int number = 0; op != NULL && number < 20; number++) {
            bench_case what;
            int64_t again = 0;
            CHECK(bench_draw_case(&draw, op, GBL_D, number, &what, &again), "no case of %s",
                  names[i]);
            CHECK(bench_set_bytes(&what) <= draw.most_bytes, "a case of %s is too large", names[i]);
        }
    }
}

/* How often flags, offsets and distances come up. */
static void test_shares(void)
{
    const bench_draw draw = {.seed = 11, .least = 64, .most = 8192};
    const bench_op *gemm = op_of("gemm");
    int pairs[3][3] = {{0}}, whole = 0, beta = 0, off = 0, apart = 0, alike = 0;
    int64_t again = 0;
    test_case("shares");
    for (int i = 0; i < DRAWS; i++) {
        bench_case what, other;
        bench_draw_case(&draw, gemm, GBL_D, i, &what, &again);
        bench_draw_case(&draw, gemm, GBL_S, i, &other, &again);
        pairs[what.trans - GABLE_NO_TRANS][what.trans_b - GABLE_NO_TRANS]++;
        whole += what.m % 32 == 0 && what.n % 32 == 0 && what.k % 32 == 0;
        beta += what.beta;
        off += what.offset > 0;
        apart += what.pad > 0;
        alike += what.trans == other.trans && what.trans_b == other.trans_b;
        CHECK(what.m >= 64 && what.m <= 8192 && what.n >= 64 && what.n <= 8192 && what.k >= 64 &&
                  what.k <= 8192,
              "draw %d is out of its range", i);
    }
    const struct {
        const char *what;
        int count;
        double share;
    } counts[] = {{"NN", pairs[0][0], 0.25}, {"TT", pairs[1][1], 0.25},
                  {"TN", pairs[1][0], 0.25}, {"multiples of 32", whole, 0.25},
                  {"beta 1", beta, 0.5},     {"off their alignment", off, 0.25},
                  {"apart", apart, 0.5},     {"as in another precision", alike, 0.25}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const double share = counts[i].share, deviation = sqrt(DRAWS * share * (1 - share));
        CHECK(fabs(counts[i].count - DRAWS * share) < 4 * deviation, "%d of %d are %s",
              counts[i].count, DRAWS, counts[i].what);
    }
    CHECK(pairs[2][0] + pairs[2][1] + pairs[2][2] + pairs[0][2] + pairs[1][2] == 0,
          "real matrices were conjugated");
}

/* Flags that are asked for change no sizes, and another memory only what does not fit it. */
static void test_same(void)
{
    const bench_draw all = {.seed = 5},
                     turned = {.seed = 5,
                               .trans = {{GABLE_TRANS, GABLE_NO_TRANS}},
                               .trans_count = 1},
                     small = {.seed = 5, .most_bytes = (size_t)64 << 20};
    const bench_op *gemm = op_of("gemm");
    int changed = 0;
    int64_t again = 0, none = 0;
    test_case("same draws");
    for (int i = 0; i < 200; i++) {
        bench_case a, b, c;
        CHECK(bench_draw_case(&all, gemm, GBL_Z, i, &a, &none) &&
                  bench_draw_case(&turned, gemm, GBL_Z, i, &b, &none) &&
                  bench_draw_case(&small, gemm, GBL_Z, i, &c, &again),
              "no case");
        CHECK(a.m == b.m && a.n == b.n && a.k == b.k && b.trans == GABLE_TRANS &&
                  b.trans_b == GABLE_NO_TRANS,
              "draw %d has other sizes with --trans", i);
        const bool fits = bench_set_bytes(&a) <= small.most_bytes;
        char text[160], other[160];
        text_of(&a, text);
        text_of(&c, other);
        CHECK(fits == (strcmp(text, other) == 0), "draw %d is %s: fits %d, and %s in small memory",
              i, text, fits, other);
        changed += !fits;
    }
    CHECK(none == 0 && again >= changed && changed > 0, "%d draws changed, %d drawn again", changed,
          (int)again);
    const bench_draw none_fits = {.seed = 5, .least = 8192, .most = 8192, .most_bytes = 1 << 20};
    bench_case what;
    CHECK(!bench_draw_case(&none_fits, gemm, GBL_D, 0, &what, &again), "8192 fits into 1 MiB");
}

/* ---- What a sweep says ---- */

static void near(const char *what, double got, double wanted)
{
    CHECK(fabs(got - wanted) <= 1e-12 * fabs(wanted), "%s is %.17g, must be %.17g", what, got,
          wanted);
}

static void test_summary(void)
{
    sweep_values values = {NULL, 0, 0};
    const sweep_value *worst[SWEEP_WORST];
    char text[16];
    test_case("summary");
    /* 1/2, 1 and 2: mean 1; positions 0 to 2, so that the 5th percentile is at 0.1. */
    sweep_add(&values, "cublas", "sgemm", "a", 1);
    sweep_add(&values, "cublas", "sgemm", "b", 0.5);
    sweep_add(&values, "cublas", "sgemm", "c", 2);
    sweep_add(&values, "cublas", "dgemm", "d", 8);
    CHECK(sweep_add(&values, "cublas", "dgemm", "none", 0) &&
              sweep_add(&values, "cublas", "dgemm", "none", NAN),
          "no ratio is not left out quietly");
    CHECK(values.count == 4, "%d values", values.count);
    sweep_figures figures = sweep_figure(&values, "cublas", "sgemm");
    CHECK(figures.rows == 3, "%d rows", figures.rows);
    near("the mean", figures.mean, 1);
    near("the 5th percentile", figures.percentile, 0.55);
    near("the worst", figures.worst, 0.5);
    figures = sweep_figure(&values, "cublas", NULL);
    near("the mean of all", figures.mean, pow(8, 0.25));
    CHECK(sweep_figure(&values, "roof", NULL).rows == 0, "the roof has rows");
    /* Regrets: the mean is arithmetic, 95 of 100 lie below 0.1 + 0.9 * 0.2. */
    sweep_add_regret(&values, "sgemm", "a", 0, "x");
    sweep_add_regret(&values, "sgemm", "b", 0.3, "y");
    sweep_add_regret(&values, "sgemm", "c", 0.1, "z");
    sweep_add_regret(&values, "sgemm", "none", NAN, "z");
    figures = sweep_figure(&values, "regret", "sgemm");
    near("the mean regret", figures.mean, 0.4 / 3);
    near("the 95th percentile", figures.percentile, 0.1 + 0.9 * 0.2);
    near("the worst regret", figures.worst, 0.3);
    CHECK(sweep_worst(&values, "regret", worst) == 3 && strcmp(worst[0]->better, "y") == 0 &&
              strcmp(worst[2]->better, "x") == 0,
          "regrets are not sorted");
    for (int i = 0; i < 40; i++) {
        snprintf(text, sizeof text, "%d", i * 7 % 40);
        sweep_add(&values, "roof", "sgemm", text, 1 + i * 7 % 40);
    }
    CHECK(sweep_worst(&values, "roof", worst) == SWEEP_WORST, "not ten");
    for (int i = 0; i < SWEEP_WORST; i++)
        CHECK(worst[i]->value == 1 + i, "worst %d is %g", i, worst[i]->value);
    sweep_values_free(&values);
}

/* `test_draw --write`: the lines of known_draws.inc. */
static void write_known(void)
{
    static const char *const names[] = {"gemm", "syrk", "symm", "gemm_strided", "gemv", "dot"};
    const bench_draw draw = {.seed = 7};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (int number = 0; number < 4; number++) {
            const gbl_dtype dtype = (gbl_dtype)number;
            bench_case what;
            char text[160];
            int64_t again = 0;
            bench_draw_case(&draw, op_of(names[i]), dtype, number, &what, &again);
            text_of(&what, text);
            printf("{\"%s\", GBL_%c, %d, \"%s\"},\n", names[i], "SDCZ"[dtype], number, text);
        }
}

int main(int count, char **words)
{
    gable_context *ctx = NULL;
    test_start("test_draw");
    CHECK_OK(ctx, gable_open(&ctx, "cpu")); /* the names of ops come with it */
    if (count > 1 && strcmp(words[1], "--write") == 0) {
        write_known();
    } else {
        test_sizes();
        test_known();
        test_all_ops();
        test_shares();
        test_same();
        test_summary();
    }
    gable_close(ctx);
    return test_finish();
}
