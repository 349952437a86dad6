/* test_pipeline_mutants.c: products of matrices through pipelines of stages (kernels/sm90), as
 * plain C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every kernel of the list FORMS of pipeline_mutants.cmake is launched directly: its macros say
 * what it computes and which operands it takes. Sizes are around the edges of its tiles, steps and
 * pipeline. Data are small integers, so that every order of sums gives the same bits as the
 * reference, plain loops in double. Between columns, beyond triangles and on unit diagonals stand
 * NaN, in C what must stay. Scalars come from memory in every second call. Kernels of many products
 * (BATCH) get ENTRIES of them. The kernels of mutants (MUTANT) must be wrong in some call.
 * With an argument, a number of a mutant or 0, only some launches of those kernels: for the thread
 * sanitizer.
 */
#include <math.h>
#include <stdlib.h>
#include "core/context.h"
#include "core/kernel_args.h"
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"
#include "gemm_pipeline_args.h"
#include "hopper_mutants.h"
#include "product_numbers.h"

#define PATTERN     -77.0 /* in C, where nothing is written */
#define MOST_FIBERS 392   /* of the thread sanitizer */
#define MOST_BYTES  ((size_t)8 << 20)
#define ENTRIES     3
#define ROUNDS      8 /* of a mutant */

/* What the macros of a kernel say. */
typedef struct form {
    int prec, trans_a, trans_b, triangle_c, real_diagonal, triangular, unit;
    int rows, columns, stages, split_k, cluster, load_mode_a, load_mode_b, align_c, two_products,
        sizes, batch, staged_c, mutant, items;
} form;

typedef struct matrix {
    char *at;
    int64_t rows, columns, ld;
    int64_t apart; /* elements from batch entry to batch entry */
} matrix;

typedef struct product {
    int64_t m, n, k;
    int64_t padding; /* of columns, in elements */
    double alpha, beta;
    int groups;
    int64_t raster;
    bool infinite; /* Inf beside the triangle */
} product;

static gable_context *ctx;
static char *blocks[6]; /* A, B, C, the numbers, sizes, addresses */
static unsigned drawn;

static int draw(int below)
{
    drawn = drawn * 1664525u + 1013904223u;
    return (int)((drawn >> 8) % (unsigned)below);
}

static int value_of(const char *macros, const char *name, int otherwise)
{
    const size_t length = strlen(name);
    for (const char *at = macros; (at = strstr(at, name)) != NULL; at += length)
        if ((at == macros || at[-1] == ' ') && at[length] == '=')
            return atoi(at + length + 1);
    return otherwise;
}

static form form_of(const char *macros)
{
#define VALUE(name, otherwise) value_of(macros, name, otherwise)
    return (form){.prec = VALUE("PREC", -1),
                  .trans_a = VALUE("TRANS_A", -1),
                  .trans_b = VALUE("TRANS_B", -1),
                  .triangle_c = VALUE("TRIANGLE_C", -1),
                  .real_diagonal = VALUE("REAL_DIAGONAL", -1),
                  .triangular = VALUE("TRIANGULAR", -1),
                  .unit = VALUE("UNIT", -1),
                  .rows = VALUE("ROWS", -1),
                  .columns = VALUE("COLUMNS", -1),
                  .stages = VALUE("STAGES", -1),
                  .split_k = VALUE("SPLIT_K", 1),
                  .cluster = VALUE("CLUSTER", 1),
                  .load_mode_a = VALUE("LOAD_MODE_A", -1),
                  .load_mode_b = VALUE("LOAD_MODE_B", -1),
                  .align_c = VALUE("ALIGN_C", -1),
                  .two_products = VALUE("TWO_PRODUCTS", 0),
                  .sizes = VALUE("SIZES", 0),
                  .batch = VALUE("BATCH", 0),
                  .staged_c = VALUE("STAGED_C", 0),
                  .mutant = VALUE("MUTANT", 0),
                  .items = VALUE("ITEMS", -1)};
#undef VALUE
}

/* ---- Elements ---- */

static int element_bytes(const form *f)
{
    return (int)gbl_dtype_bytes((gbl_dtype)f->prec);
}

static int terms_of(const form *f)
{
    return 128 / element_bytes(f);
}

static number get(const form *f, const char *at, int64_t index)
{
    const int reals = f->prec >= 2 ? 2 : 1;
    if (f->prec % 2 == 0) {
        const float *v = (const float *)(const void *)at + index * reals;
        return (number){(double)v[0], reals > 1 ? (double)v[1] : 0};
    }
    const double *v = (const double *)(const void *)at + index * reals;
    return (number){v[0], reals > 1 ? v[1] : 0};
}

static void put(const form *f, char *at, int64_t index, number x)
{
    const int reals = f->prec >= 2 ? 2 : 1;
    for (int i = 0; i < reals; i++) {
        const double value = i ? x.im : x.re;
        if (f->prec % 2 == 0)
            ((float *)(void *)at)[index * reals + i] = (float)value;
        else
            ((double *)(void *)at)[index * reals + i] = value;
    }
}

/* Equal; where one is not finite, the other must not be either. */
static bool same(const form *f, number is, number wanted)
{
    const bool two = f->prec >= 2;
    if (isfinite(wanted.re) && (!two || isfinite(wanted.im)))
        return is.re == wanted.re && (!two || is.im == wanted.im);
    return !isfinite(is.re) || (two && !isfinite(is.im));
}

static number some(const form *f)
{
    return (number){draw(7) - 3, f->prec >= 2 ? draw(5) - 2 : 0};
}

/* ---- Operands ---- */

static int entries_of(const form *f)
{
    return f->batch != 0 ? ENTRIES : 1;
}

/* Of an array of addresses the first batch entry is the last in memory. */
static matrix entry_of(const form *f, const matrix *x, int which)
{
    matrix one = *x;
    one.at += (f->batch == 2 ? ENTRIES - 1 - which : which) * x->apart * element_bytes(f);
    return one;
}

static void fill(const form *f, const matrix *x, bool is_c)
{
    const number gap = {is_c ? PATTERN : NAN, is_c ? PATTERN : NAN};
    for (int64_t j = 0; j < x->columns; j++)
        for (int64_t i = 0; i < x->ld; i++)
            put(f, x->at, i + j * x->ld, i < x->rows ? some(f) : gap);
}

/* Element (i, p) of op(X) with its shape, `transposed` as TRANS_A. */
static number element(const form *f, const matrix *x, int transposed, int64_t i, int64_t p)
{
    const number v = get(f, x->at, transposed ? p + i * x->ld : i + p * x->ld);
    return transposed == 2 ? conjugate(v) : v;
}

/* Whether element (on, p) of the triangular factor counts: row `on` of op(A), or column `on` of
 * op(B). */
static bool counts(const form *f, int64_t on, int64_t p)
{
    return term_counts((gbl_triangular)f->triangular, on, on, p);
}

/* NaN beyond the triangle of a factor, and on its diagonal where that is ones; or a number, which
 * would not be noticed as NaN is. */
static void spoil(const form *f, const matrix *a, const matrix *b, int64_t m, int64_t n, int64_t k,
                  double by)
{
    const bool of_a = f->triangular <= 2;
    const matrix *x = of_a ? a : b;
    const int transposed = of_a              ? f->trans_a
                           : f->trans_b == 0 ? 1
                                             : 0; /* (column, term) of op(B) */
    for (int64_t i = 0; i < (of_a ? m : n); i++)
        for (int64_t p = 0; p < k; p++)
            if (!counts(f, i, p) || (f->unit && p == i))
                put(f, x->at, transposed ? p + i * x->ld : i + p * x->ld, (number){by, by});
}

static number sum_of(const form *f, const matrix *a, const matrix *b, int64_t i, int64_t j,
                     int64_t k)
{
    number sum = {0, 0};
    const int64_t on = f->triangular <= 2 ? i : j;
    for (int64_t p = 0; p < k; p++) {
        if (!counts(f, on, p))
            continue;
        number x = element(f, a, f->trans_a, i, p), y = element(f, b, f->trans_b, p, j);
        if (f->unit && p == on)
            *(f->triangular <= 2 ? &x : &y) = (number){1, 0};
        sum = plus(sum, times(x, y));
    }
    return sum;
}

/* ---- One launch ---- */

static gbl_tensor_map map_of(const form *f, const matrix *x, bool along, int how, int lines)
{
    gbl_tensor_map map = {{0}};
    const int64_t pitch = x->ld * element_bytes(f), apart = x->apart * element_bytes(f);
    const int terms = terms_of(f), many = f->batch != 0;
    if (how == 3) {
        const gbl_tensor_map_spec panels = {
            .dtype = (gbl_dtype)f->prec,
            .rank = 3 + many,
            .address = x->at,
            .dims = {terms, x->columns > 0 ? x->columns : 1, x->rows / terms, ENTRIES},
            .strides = {pitch, 128, apart},
            .box = {terms, terms, lines / terms, 1},
            .swizzled = true};
        EXPECT_STATUS(ctx, GABLE_OK,
                      gbl_device_tensor_map(ctx->device, &panels, &map, &ctx->message));
        return map;
    }
    const gbl_tensor_map_spec box = {
        .dtype = (gbl_dtype)f->prec,
        .rank = 2 + many,
        .address = x->at,
        .dims = {x->rows > 0 ? x->rows : 1, x->columns > 0 ? x->columns : 1, ENTRIES},
        .strides = {pitch, apart},
        .box = {terms_of(f), along ? terms_of(f) : lines, 1},
        .swizzled = true};
    EXPECT_STATUS(ctx, GABLE_OK, gbl_device_tensor_map(ctx->device, &box, &map, &ctx->message));
    return map;
}

/* A matrix in a block. `how` 0 and 3: its columns start on 16 bytes; 1: on their elements' size; 2:
 * of complex ones, on half of it; 4: any of these. */
static matrix place(const form *f, int block, int64_t rows, int64_t columns, int64_t padding,
                    int how)
{
    const int64_t real = (int64_t)gbl_dtype_real_bytes((gbl_dtype)f->prec);
    const int64_t elem = element_bytes(f), each = elem < 16 ? 16 / elem : 1;
    matrix x = {.at = blocks[block], .rows = rows, .columns = columns};
    if (how == 4) /* the kernel must find out */
        how = padding == 1 ? 1 : padding == 3 ? 1 + f->prec / 2 : 0;
    x.ld = (rows > 1 ? rows : 1) + padding;
    if (how % 3 == 0) {
        x.ld = (x.ld + each - 1) / each * each;
    } else {
        x.ld += x.ld % each == 0; /* odd */
        x.at += how == 1 ? elem : real;
    }
    x.apart = x.ld * (columns + 1);
    if ((size_t)(x.apart * elem * entries_of(f) + 64) > MOST_BYTES)
        abort();
    return x;
}

static int64_t stored(int transposed, int64_t rows, int64_t columns)
{
    return transposed ? columns : rows;
}

/* What stands in the operands of a batch entry before a launch. */
static void prepare(const form *f, const product *p, const matrix *a, const matrix *b,
                    const matrix *c)
{
    fill(f, a, false);
    fill(f, b, false);
    fill(f, c, true);
    for (int64_t i = 0; i < c->ld; i++) /* behind the last column */
        put(f, c->at, i + p->n * c->ld, (number){PATTERN, PATTERN});
    if (f->triangular != 0)
        spoil(f, a, b, p->m, p->n, p->k, p->infinite ? NAN : 1000);
    if (p->infinite && f->triangular != 0 &&
        p->k > 0) /* 0 x Inf must not come of what is beyond the triangle */
        for (int64_t i = 0; i < (f->triangular <= 2 ? p->n : p->m); i += 3) {
            const int64_t term = f->triangular == 1 || f->triangular == 4
                                     ? p->k - 1 - i % 2 * (p->k / 2)
                                     : i % 2 * (p->k / 2);
            const matrix *x = f->triangular <= 2 ? b : a;
            const int transposed =
                f->triangular <= 2 ? f->trans_b != 0 : f->trans_a == 0; /* (term, i) */
            put(f, x->at, transposed ? i + term * x->ld : term + i * x->ld, (number){INFINITY, 0});
        }
    if (p->beta == 0) /* C is not read */
        for (int64_t j = 0; j < p->n; j++)
            for (int64_t i = 0; i < p->m; i++)
                put(f, c->at, i + j * c->ld, (number){NAN, NAN});
    if (p->alpha == 0) { /* nor are these */
        memset(a->at, 0xff, (size_t)(a->ld * a->columns * element_bytes(f)));
        memset(b->at, 0xff, (size_t)(b->ld * b->columns * element_bytes(f)));
    }
}

/* The number of wrong elements of a batch entry; `before`: its C as it was. */
static int compare(const form *f, const product *p, const matrix *a, const matrix *b,
                   const matrix *c, const char *before, bool first)
{
    int wrong = 0;
    for (int64_t j = 0; j <= p->n; j++)
        for (int64_t i = 0; i < c->ld; i++) {
            const number was = get(f, before, i + j * c->ld), is = get(f, c->at, i + j * c->ld);
            number wanted = was;
            if (i < p->m && j < p->n && part_wanted((gbl_triangle_c)f->triangle_c, i, j)) {
                number sum = sum_of(f, a, b, i, j, p->alpha == 0 ? 0 : p->k);
                if (f->two_products && p->alpha != 0)
                    sum = plus(sum, sum_of(f, b, a, i, j, p->k));
                wanted.re = p->alpha * sum.re + (p->beta == 0 ? 0 : p->beta * was.re);
                wanted.im = p->alpha * sum.im + (p->beta == 0 ? 0 : p->beta * was.im);
                if (f->real_diagonal && i == j)
                    wanted.im = 0;
            }
            if (!same(f, is, wanted) && wrong++ == 0 && first && f->mutant == 0)
                fprintf(stderr, "C(%lld, %lld) is %g %+gi and must be %g %+gi\n", (long long)i,
                        (long long)j, is.re, is.im, wanted.re, wanted.im);
        }
    return wrong;
}

/* The number of wrong elements, with faults. */
static int run(const fake_kernel *kernel, const form *f, const product *given)
{
    product p = *given;
    const bool tma_a = f->load_mode_a % 3 == 0, tma_b = f->load_mode_b % 3 == 0;
    /* Of `sizes`: what the maps and the launch know is more. */
    const int64_t more = f->sizes ? 5 : 0;
    const matrix a = place(f, 0, stored(f->trans_a, p.m + more, p.k + more),
                           stored(f->trans_a, p.k + more, p.m + more), p.padding, f->load_mode_a),
                 b = place(f, 1, stored(f->trans_b, p.k + more, p.n + more),
                           stored(f->trans_b, p.n + more, p.k + more), p.padding, f->load_mode_b),
                 c = place(f, 2, p.m, p.n, p.padding,
                           f->align_c == 16                 ? 0
                           : f->align_c == element_bytes(f) ? 1
                                                            : 2);
    for (int x = 0; x < entries_of(f); x++) {
        const matrix a1 = entry_of(f, &a, x), b1 = entry_of(f, &b, x), c1 = entry_of(f, &c, x);
        prepare(f, &p, &a1, &b1, &c1);
    }
    const size_t c_bytes = (size_t)(c.apart * entries_of(f) * element_bytes(f));
    char *before = malloc(c_bytes);
    memcpy(before, c.at, c_bytes);
    char **lists = (char **)(void *)blocks[5]; /* of A, of B, of C */
    for (int x = 0; x < 3 * ENTRIES && f->batch == 2; x++)
        lists[x] = entry_of(f, x < ENTRIES ? &a : x < 2 * ENTRIES ? &b : &c, x % ENTRIES).at;
    const bool on_device = draw(2) == 0;
    put(f, blocks[3], 0, (number){p.alpha, 0});
    put(f, blocks[3], 1, (number){p.beta, 0});
    int64_t *sizes = (int64_t *)(void *)blocks[4];
    sizes[0] = p.m;
    sizes[1] = p.n;
    sizes[2] = p.k;
    const gemm_pipeline_args args = {
        .of = {.m = p.m + more,
               .n = p.n + more,
               .k = p.k + more,
               .lda = a.ld,
               .ldb = b.ld,
               .ldc = c.ld,
               .batch = ENTRIES,
               .stride_a = a.apart,
               .stride_b = b.apart,
               .stride_c = c.apart,
               .alpha_reals = 2,
               .beta_reals = 2,
               .scalars = {on_device ? 9 : p.alpha, 0, on_device ? 9 : p.beta, 0, on_device,
                           on_device}},
        .raster = p.raster};
    gbl_tensor_map maps[GBL_MAX_MAPS];
    memset(maps, 0, sizeof maps);
    /* Where elements are copied a map is not looked at. */
    if (tma_a)
        maps[0] = map_of(f, &a, f->trans_a == 0, f->load_mode_a, f->rows);
    if (tma_b)
        maps[1] = map_of(f, &b, f->trans_b != 0, f->load_mode_b, f->columns);
    if (f->two_products && tma_b)
        maps[2] = map_of(f, &b, f->trans_a == 0, f->load_mode_b, f->rows);
    if (f->two_products && tma_a)
        maps[3] = map_of(f, &a, f->trans_b != 0, f->load_mode_a, f->columns);
    const int factor_maps = f->two_products ? 4 : 2;
    if (f->staged_c)
        maps[factor_maps] = map_of(f, &c, false, 0, f->prec % 2 ? 16 : 32); /* STAGED_COLUMNS */
    const gbl_launch_spec spec = {
        .name = kernel->stem,
        .groups = {p.groups * f->cluster, 1},
        .group = {kernel->work_items, 1},
        .dynamic_local_bytes = 227 * 1024,
        .cluster = f->cluster,
        .buffer_count = kernel->buffers,
        .buffers = {blocks[3], blocks[3] + element_bytes(f),
                    f->batch == 2 ? (const void *)lists : a.at,
                    f->batch == 2 ? (const void *)(lists + ENTRIES) : b.at,
                    f->batch == 2 ? (const void *)(lists + 2 * ENTRIES) : c.at, blocks[4]},
        .map_count = factor_maps + (f->staged_c > 0),
        .maps = maps,
        .args = &args,
        .args_bytes = sizeof args};
    const int faults = fake_faults();
    fake_run(kernel, &spec);
    int wrong = fake_faults() - faults;
    for (int x = 0; x < entries_of(f); x++) {
        const matrix a1 = entry_of(f, &a, x), b1 = entry_of(f, &b, x), c1 = entry_of(f, &c, x);
        wrong += compare(f, &p, &a1, &b1, &c1, before + (c1.at - c.at), wrong == 0);
    }
    free(before);
    return wrong;
}

/* ---- Cases ---- */

/* Sizes around the edges of tiles, steps and pipeline, more tiles than groups. */
static int run_cases(const fake_kernel *kernel, const form *f, bool few)
{
    const int r = f->rows, c = f->columns, t = terms_of(f), pipeline = f->stages * t;
    const product cases[] = {
        {r + 1, c - 1, pipeline + 3, 0, 2, 3, 2, 8, false},
        {1, 1, 1, 1, -1, 0, 1, 8, false},
        {r, c, t, 2, 1, 1, 1, 1, false},
        {2 * r - 1, 2 * c + 3, 2 * t - 1, 0, 3, 0, 2, 2, true},
        {3, 2 * c, 2 * pipeline + t + 1, 3, 1, -2, 2, 8, false},
        {r + 5, 2, 0, 1, 5, 2, 2, 8, false},
        {r - 1, c + 1, t + 1, 0, 0, 2, 2, 1, false},
        {2 * r + 4, c, 3, 1, 1, 0, 1, 2, true},
    };
    const int count = (int)(sizeof cases / sizeof cases[0]);
    int wrong = 0;
    for (int i = 0; i < count && !(f->mutant > 0 && wrong > 0); i += few ? 3 : 1) {
        product p = cases[i];
        if (f->triangle_c != 0)
            p.n = p.m; /* a triangle of a square */
        if (f->triangular == 1 || f->triangular == 2)
            p.k = p.m;
        if (f->triangular >= 3)
            p.k = p.n;
        if (f->two_products)
            p.n = p.m;
        /* Panels of whole lines. */
        if (f->load_mode_a == 3)
            p.m = (p.m + t - 1) / t * t;
        if (f->load_mode_b == 3)
            p.n = (p.n + t - 1) / t * t;
        if (f->cluster > 1) { /* one tile for each cluster */
            const int64_t down = (p.m + r - 1) / r, across = (p.n + c - 1) / c;
            p.groups = (int)(down * across);
        }
        const int errors = run(kernel, f, &p);
        wrong += errors;
        if (f->mutant == 0)
            EXPECT(
                errors == 0,
                "%s %s: m %lld n %lld k %lld padding %lld alpha %g beta %g groups %d: %d wrong; %s",
                kernel->stem, kernel->macros, (long long)p.m, (long long)p.n, (long long)p.k,
                (long long)p.padding, p.alpha, p.beta, p.groups, errors, fake_first_fault());
    }
    return wrong;
}

int main(int count, char **arguments)
{
    const fake_settings settings = {.hopper = true, .is_gpu = true};
    const int only = count > 1 ? atoi(arguments[1]) : -1;
    fake_install(&settings);
    if (gable_open(&ctx, "fake") != GABLE_OK) {
        EXPECT(false, "%s", gable_message(ctx));
        return expect_summary("test_pipeline_mutants");
    }
    for (int i = 0; i < 6; i++)
        EXPECT_STATUS(ctx, GABLE_OK, gable_alloc(ctx, MOST_BYTES, (void **)&blocks[i]));
    for (const fake_kernel *kernel = fake_kernels; kernel->stem != NULL; kernel++) {
        const form f = form_of(kernel->macros);
        if (only >= 0 && (f.mutant != only || f.items * f.cluster > MOST_FIBERS))
            continue;
        if (only < 0 && f.mutant > 0 &&
            strcmp(pipeline_mutants[f.mutant - 1].caught, "result") != 0)
            continue;
        int wrong = run_cases(kernel, &f, only >= 0);
        /* Some are seen only if lanes and copies come in a certain order, which is another in each
         * launch. */
        for (int round = 1; round < ROUNDS && f.mutant > 0 && only < 0 && wrong == 0; round++)
            wrong = run_cases(kernel, &f, false);
        if (f.mutant > 0 && only < 0)
            EXPECT(wrong > 0, "mutant \"%s\" is not seen", pipeline_mutants[f.mutant - 1].name);
    }
    for (int i = 0; i < 6; i++)
        gable_free(ctx, blocks[i]);
    gable_close(ctx);
    fake_remove();
    return expect_summary("test_pipeline_mutants");
}
