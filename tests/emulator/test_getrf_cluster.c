/* test_getrf_cluster.c: columns of an LU factorization by clusters of groups, against one group.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Factors, pivots and info must have the bits that getrf_group.cl gives, in all precisions, with
 * ties, zeros and numbers that are not finite. Mutants of getrf_kernels.cmake must be seen. With a
 * number as its argument it runs that mutant only, 0 for none, in few groups: test_hopper_races
 * runs it so under the thread sanitizer.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "core/kernel_args.h"
#include "expect.h"
#include "fake_device.h"
#include "getrf_args.h"
#include "hopper_mutants.h"

#define MOST_BYTES  ((size_t)4 << 20)
#define MOST_FIBERS 392 /* of the thread sanitizer */
#define MARGIN      256 /* bytes before A: mutants take a row -1 from a room that nobody filled */
#define PATTERN     -77.0
#define BEFORE      5 /* columns that were factored before, where there are any */
#define ROUNDS      4

typedef enum kind {
    RANDOM,
    TIES,     /* -1, 0 and 1 */
    CLOSE,    /* sizes differ in their last bits only */
    ZEROS,    /* of either sign */
    NO_RANK,  /* every third column is zero */
    TINY,     /* and large: quotients are scaled */
    SOME_NAN, /* in every 7th place, the first among them */
    SOME_INF,
    ALL_NAN,
    KINDS
} kind;

typedef struct leaf {
    int prec, items, columns, mutant;
} leaf;

typedef struct factors {
    char *block, *A; /* A lies in its block */
    int64_t *ipiv, *state, *info;
} factors;

static gable_context *ctx;
static factors is, want;
static unsigned chance = 1;

static double draw(void)
{
    chance = chance * 1664525u + 1013904223u;
    return (double)(chance >> 8) / (1 << 23) - 1;
}

static int value_of(const char *macros, const char *name, int otherwise)
{
    char key[32];
    snprintf(key, sizeof key, "%s=", name);
    for (const char *at = macros; (at = strstr(at, key)) != NULL; at++)
        if (at == macros || at[-1] == ' ')
            return atoi(at + strlen(key));
    return otherwise;
}

static leaf leaf_of(const fake_kernel *kernel)
{
    return (leaf){.prec = value_of(kernel->macros, "PREC", -1),
                  .items = value_of(kernel->macros, "ITEMS", -1),
                  .columns = value_of(kernel->macros, "NB", -1),
                  .mutant = value_of(kernel->macros, "MUTANT", 0)};
}

static const fake_kernel *one_group(const leaf *l)
{
    for (const fake_kernel *kernel = fake_kernels; kernel->stem != NULL; kernel++) {
        const leaf other = leaf_of(kernel);
        if (strcmp(kernel->stem, "getrf_group") == 0 && other.prec == l->prec &&
            other.columns == l->columns)
            return kernel;
    }
    return NULL;
}

static int reals_of(const leaf *l)
{
    return 1 + l->prec / 2;
}

static void put_real(const leaf *l, char *A, int64_t at, double x)
{
    if (l->prec % 2)
        memcpy(A + at * 8, &x, 8);
    else
        memcpy(A + at * 4, &(float){(float)x}, 4);
}

static double get_real(const leaf *l, const char *A, int64_t at)
{
    double x;
    float y;
    memcpy(&x, A + at * 8 * (l->prec % 2), 8);
    memcpy(&y, A + at * 4, 4);
    return l->prec % 2 ? x : (double)y;
}

static double number(kind k, const leaf *l, int64_t i, int64_t j)
{
    const double x = draw(), last = l->prec % 2 ? 0x1p-50 : 0x1p-22;
    switch (k) {
    case TIES:
        return x < -0.3 ? -1 : x < 0.3 ? 0 : 1;
    case CLOSE:
        return (x < 0 ? -1 : 1) + last * floor(4 * draw());
    case ZEROS:
        return x < 0 ? -0.0 : 0.0;
    case NO_RANK:
        return j % 3 == 1 ? x < 0 ? -0.0 : 0.0 : x;
    case TINY:
        return ldexp(x, (l->prec % 2 ? 1000 : 118) * (i % 3 == 0 && j == 0 ? 1 : -1));
    case SOME_NAN:
        return (i + j * 3) % 7 == 0 ? NAN : x;
    case SOME_INF:
        return (i + j * 3) % 7 == 3 ? -INFINITY : x;
    case ALL_NAN:
        return NAN;
    default:
        return x;
    }
}

static void launch(const fake_kernel *kernel, const factors *f, int cluster, const getrf_args *args)
{
    const gbl_launch_spec spec = {.name = kernel->stem,
                                  .groups = {cluster, 1},
                                  .group = {kernel->work_items, 1},
                                  .dynamic_local_bytes = 64 * 1024,
                                  .cluster = cluster,
                                  .buffer_count = kernel->buffers,
                                  .buffers = {f->A, f->ipiv, f->state, f->info},
                                  .args = args,
                                  .args_bytes = sizeof *args};
    fake_run(kernel, &spec);
}

/* The same bits, or both no number. */
static bool same(const leaf *l, int64_t at)
{
    const double x = get_real(l, is.A, at), y = get_real(l, want.A, at);
    return (isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y));
}

/* The number of wrong elements, with faults. `failed`: what earlier columns left as info. */
static int run(const fake_kernel *kernel, const leaf *l, kind k, int cluster, int64_t m, int64_t n,
               int64_t before, int64_t failed)
{
    const int64_t lda = m + 3, reals = lda * (n + 1) * reals_of(l);
    const getrf_args args = {.m = m, .n = n, .lda = lda, .before = before};
    const int faults = fake_faults();
    int wrong = 0;
    if ((size_t)reals * 8 + MARGIN > MOST_BYTES)
        abort();
    for (int64_t at = 0; at < reals; at++) {
        const int64_t i = at / reals_of(l) % lda, j = at / reals_of(l) / lda;
        const double x = i < m && j < n ? number(k, l, i, j) : PATTERN;
        put_real(l, is.A, at, x);
        put_real(l, want.A, at, x);
    }
    for (int64_t i = 0; i < n + 1; i++)
        is.ipiv[i] = want.ipiv[i] = -7;
    *is.state = *want.state = before > 0 ? failed : -3;
    *is.info = *want.info = before > 0 ? failed : -3;
    launch(kernel, &is, cluster, &args);
    launch(one_group(l), &want, 1, &args);
    for (int64_t at = 0; at < reals; at++)
        wrong += !same(l, at);
    for (int64_t i = 0; i < n + 1; i++)
        wrong += is.ipiv[i] != want.ipiv[i];
    wrong += *is.state != *want.state || *is.info != *want.info;
    return wrong + fake_faults() - faults;
}

/* Rows and columns around the edges of clusters and leaves. */
static int run_cases(const fake_kernel *kernel, const leaf *l, int most_cluster, bool few)
{
    const int64_t nb = l->columns;
    int wrong = 0;
    for (int cluster = 1; cluster <= most_cluster; cluster *= 2) {
        const int64_t full = (int64_t)l->items * cluster;
        const int64_t shapes[][2] = {{full, nb},    {full - 1, nb - 1}, {full / 2 + 1, nb},
                                     {full - 5, 3}, {nb / 2 + 1, nb},   {1, 2},
                                     {full, 1}};
        for (int s = 0; s < (int)(sizeof shapes / sizeof shapes[0]); s++)
            for (int k = 0; k < KINDS; k++) {
                /* Wide clusters take long: every kind once, at another shape each. */
                if ((few || cluster > 2) && k % 7 != s)
                    continue;
                const int64_t before = (s + k) % 2 * BEFORE, failed = (s + k) % 4 == 3 ? 2 : 0;
                const int errors =
                    run(kernel, l, (kind)k, cluster, shapes[s][0], shapes[s][1], before, failed);
                wrong += errors;
                if (l->mutant == 0)
                    EXPECT(errors == 0, "%s: kind %d, %d groups, m %lld n %lld: %d wrong; %s",
                           kernel->macros, k, cluster, (long long)shapes[s][0],
                           (long long)shapes[s][1], errors, fake_first_fault());
                else if (errors > 0)
                    return wrong;
            }
    }
    return wrong;
}

static void run_kernel(const fake_kernel *kernel, int only)
{
    const leaf l = leaf_of(kernel);
    int wrong = 0;
    if (only >= 0) {
        if (l.mutant == only && l.items * 2 <= MOST_FIBERS)
            run_cases(kernel, &l, l.items * 4 <= MOST_FIBERS ? 4 : 2, true);
        return;
    }
    if (l.mutant == 0) {
        run_cases(kernel, &l, l.items <= 32 ? 16 : 4, false);
        return;
    }
    if (strcmp(lu_mutants[l.mutant - 1].caught, "result") != 0)
        return;
    /* Some are seen only if lanes come in a certain order, which is another in each launch. */
    for (int round = 0; round < ROUNDS && wrong == 0; round++)
        wrong = run_cases(kernel, &l, 4, false);
    EXPECT(wrong > 0, "mutant \"%s\" is not seen", lu_mutants[l.mutant - 1].name);
}

static bool take(factors *f)
{
    const bool taken = gable_alloc(ctx, MOST_BYTES, (void **)&f->block) == GABLE_OK;
    f->A = taken ? f->block + MARGIN : NULL;
    return taken && gable_alloc(ctx, 64 * sizeof *f->ipiv, (void **)&f->ipiv) == GABLE_OK &&
           gable_alloc(ctx, sizeof *f->state, (void **)&f->state) == GABLE_OK &&
           gable_alloc(ctx, sizeof *f->info, (void **)&f->info) == GABLE_OK;
}

static void give_back(const factors *f)
{
    gable_free(ctx, f->block);
    gable_free(ctx, f->ipiv);
    gable_free(ctx, f->state);
    gable_free(ctx, f->info);
}

int main(int count, char **arguments)
{
    const fake_settings settings = {.hopper = true, .is_gpu = true};
    const int only = count > 1 ? atoi(arguments[1]) : -1;
    fake_install(&settings);
    if (gable_open(&ctx, "fake") != GABLE_OK || !take(&is) || !take(&want)) {
        EXPECT(false, "%s", gable_message(ctx));
        return expect_summary("test_getrf_cluster");
    }
    for (const fake_kernel *kernel = fake_kernels; kernel->stem != NULL; kernel++)
        if (strcmp(kernel->stem, "getrf_cluster") == 0)
            run_kernel(kernel, only);
    give_back(&is);
    give_back(&want);
    gable_close(ctx);
    fake_remove();
    return expect_summary("test_getrf_cluster");
}
