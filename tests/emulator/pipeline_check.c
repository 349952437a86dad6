/* pipeline_check.c: a product by a pipeline of stages (kernels/sm90/gemm_pipeline.cuh) as plain C,
 * and what it must give.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdlib.h>
#include "blas/level3/level3.h"
#include "core/context.h"
#include "expect.h"
#include "fake_device.h"
#include "gable/gable.h"
#include "pipeline_check.h"

#define STAYS      -4711.0
#define MORE       20 /* that a call tells where sizes are read from memory */
#define LINE_BYTES 16 /* where columns start, unless they are odd */

/* A column-major matrix in a block. */
typedef struct matrix {
    char *at;
    int rows, columns;
    int64_t ld;
} matrix;

static gable_context *ctx;
static char *blocks[3], *expected, *scalars; /* A, B, C; C as it must become */
static int64_t *sizes;
static size_t block_bytes;
static gbl_dtype dtype; /* of the trial that runs */

/* ---- Elements ---- */

static int reals(void)
{
    return gbl_dtype_complex(dtype) ? 2 : 1;
}

static size_t block_reals(void)
{
    return block_bytes / gbl_dtype_real_bytes(dtype);
}

static double real_at(const char *block, size_t index)
{
    return gbl_dtype_real_bytes(dtype) == 4 ? (double)((const float *)(const void *)block)[index]
                                            : ((const double *)(const void *)block)[index];
}

static void set_real(char *block, size_t index, double value)
{
    if (gbl_dtype_real_bytes(dtype) == 4)
        ((float *)(void *)block)[index] = (float)value;
    else
        ((double *)(void *)block)[index] = value;
}

static number get(const matrix *x, int row, int column)
{
    const size_t first = (size_t)(row + column * x->ld) * (size_t)reals();
    return (number){real_at(x->at, first), reals() > 1 ? real_at(x->at, first + 1) : 0};
}

static void set(const matrix *x, int row, int column, number value)
{
    const size_t first = (size_t)(row + column * x->ld) * (size_t)reals();
    set_real(x->at, first, value.re);
    if (reals() > 1)
        set_real(x->at, first + 1, value.im);
}

/* Real numbers have no imaginary zeros, which would meet Inf. */
static number product(number a, number b)
{
    return reals() > 1 ? times(a, b) : (number){a.re * b.re, 0};
}

static double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)((int)(*state >> 20) % 9 - 4);
}

/* A matrix in a block, `around` on all sides. Columns that do not start on 16 bytes have an odd
 * leading dimension; where an element has 16 bytes, the matrix starts at half of one. */
static matrix fill(char *block, int rows, int columns, int more, int odd, double around,
                   unsigned seed)
{
    const int each = LINE_BYTES / (int)gbl_dtype_bytes(dtype);
    matrix x = {.at = block + LINE_BYTES, .rows = rows, .columns = columns};
    x.ld = (rows + more + each) / each * each;
    if (odd && each > 1)
        x.ld++;
    else if (odd)
        x.at += gbl_dtype_real_bytes(dtype);
    for (size_t i = 0; i < block_reals(); i++)
        set_real(block, i, around);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            number value = {draw(&seed), 0};
            value.im = reals() > 1 ? draw(&seed) : 0;
            set(&x, i, j, value);
        }
    return x;
}

/* Element of a factor: as stored (0), transposed (1) or conjugate, too (2). */
static number element(const matrix *x, int transposed, int row, int column)
{
    const number value = transposed ? get(x, column, row) : get(x, row, column);
    return transposed == 2 ? conjugate(value) : value;
}

/* ---- What must come ---- */

/* How the second product of `two_products` takes a factor that the first has transposed so. */
static int transposed_back(int transposed, int other)
{
    return transposed ? 0 : other;
}

static number sum_of(const trial *t, const matrix *A, const matrix *B, int i, int j)
{
    const bool left = zeros_left((gbl_triangular)t->triangular);
    number sum = {0, 0};
    for (int p = 0; p < t->k; p++) {
        if (!term_counts((gbl_triangular)t->triangular, i, j, p))
            continue;
        number a = element(A, t->trans_a, i, p), b = element(B, t->trans_b, p, j);
        if (t->unit && p == (left ? i : j))
            *(left ? &a : &b) = (number){1, 0};
        sum = plus(sum, product(a, b));
        if (t->two_products)
            sum = plus(sum, product(element(B, transposed_back(t->trans_b, t->trans_a), i, p),
                                    element(A, transposed_back(t->trans_a, t->trans_b), p, j)));
    }
    return sum;
}

static number product_element(const trial *t, const matrix *A, const matrix *B, const matrix *C,
                              int i, int j)
{
    const bool real = t->triangle_c != GBL_ALL && t->real_diagonal && i == j;
    number value = {0, 0}, old = get(C, i, j);
    if (!is_zero(t->alpha))
        value = product(t->alpha, sum_of(t, A, B, i, j));
    if (real)
        old.im = 0;
    if (!is_zero(t->beta))
        value = plus(value, product(t->beta, old));
    return real ? (number){value.re, 0} : value;
}

/* Beyond a triangle stands NaN; `infinite`: and Inf in the other factor where a stage has zeros of
 * the triangle. */
static void spoil_factors(const trial *t, const matrix *A, const matrix *B)
{
    const bool left = zeros_left((gbl_triangular)t->triangular);
    const int transposed = left ? t->trans_a : t->trans_b;
    for (int i = 0; i < t->k; i++)
        for (int p = 0; p < t->k; p++) {
            if (term_counts((gbl_triangular)t->triangular, i, i, p) && !(t->unit && i == p))
                continue;
            const int row = left ? i : p, column = left ? p : i;
            set(left ? A : B, transposed ? column : row, transposed ? row : column,
                (number){NAN, NAN});
        }
    if (t->infinite)
        set(left ? B : A, 0, 0, (number){INFINITY, 0});
}

/* NaN where C must not be read: all of it with beta = 0, and the imaginary parts of a real
 * diagonal. */
static void spoil_result(const trial *t, const matrix *C)
{
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < t->m; i++) {
            if (is_zero(t->beta) && t->triangle_c == GBL_ALL)
                set(C, i, j, (number){NAN, NAN});
            if (t->real_diagonal && i == j)
                set(C, i, j, (number){get(C, i, j).re, NAN});
        }
}

static void expect_result(const trial *t, const matrix *A, const matrix *B, const matrix *C)
{
    matrix after = *C;
    after.at = expected + (C->at - blocks[2]);
    memcpy(expected, blocks[2], block_bytes);
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < t->m; i++)
            if (part_wanted((gbl_triangle_c)t->triangle_c, i, j))
                set(&after, i, j, product_element(t, A, B, C, i, j));
}

/* ---- A trial ---- */

static gable_trans word(int transposed)
{
    return transposed == 2 ? GABLE_CONJ_TRANS : transposed ? GABLE_TRANS : GABLE_NO_TRANS;
}

static gbl_scalar scalar(const trial *t, number value, size_t place)
{
    const matrix numbers = {.at = scalars + place};
    set(&numbers, 0, 0, value);
    return (gbl_scalar){.re = value.re, .im = value.im, .device = t->on_device ? numbers.at : NULL};
}

static void compare(const trial *t, const shape *s, const matrix *C)
{
    int wrong = 0;
    size_t first = 0;
    for (size_t i = block_reals(); i-- > 0;) {
        const double is = real_at(blocks[2], i), wanted = real_at(expected, i);
        if (!(is == wanted || (isnan(is) && isnan(wanted)))) {
            first = i;
            wrong++;
        }
    }
    EXPECT(wrong == 0,
           "%c, %s, trans %d %d, odd %d %d %d, part %d, zeros %d, unit %d, twice %d, m %d, n %d, k "
           "%d, sized %d, infinite %d: %d wrong, the first at real %zu of C's block (C at byte %d, "
           "ldc %d): %g, not %g",
           gbl_dtype_letter(dtype), s->choice, t->trans_a, t->trans_b, t->odd_a, t->odd_b, t->odd_c,
           t->triangle_c, t->triangular, t->unit, t->two_products, t->m, t->n, t->k, t->sized,
           t->infinite, wrong, first, (int)(C->at - blocks[2]), (int)C->ld,
           real_at(blocks[2], first), real_at(expected, first));
}

/* Groups stay on the units that are not left free; where none would be, on one. A cluster may need
 * them all. */
static void check_units(const trial *t, const shape *s)
{
    const fake_geometry launch = fake_last_launch();
    const int units = ctx->device->props.units - t->reserved_units, most = units > 1 ? units : 1;
    EXPECT(launch.groups == most && launch.cluster == 1,
           "%s, %d of %d units left free: %lld groups in clusters of %d, not %d", s->choice,
           t->reserved_units, ctx->device->props.units, (long long)launch.groups, launch.cluster,
           most);
}

void pipeline_check_run(const trial *t, gbl_dtype of, const shape *s)
{
    const int more = t->sized ? MORE : 0;
    const unsigned seed = (unsigned)(t->m * 31 + t->n * 7 + t->k);
    dtype = of;
    const matrix A = fill(blocks[0], t->trans_a ? t->k : t->m, t->trans_a ? t->m : t->k, more,
                          t->odd_a, NAN, seed),
                 B = fill(blocks[1], t->trans_b ? t->n : t->k, t->trans_b ? t->k : t->n, more,
                          t->odd_b, NAN, seed + 1),
                 C = fill(blocks[2], t->m, t->n, more, t->odd_c, STAYS, seed + 2);
    if (t->triangular != GBL_NOT_TRIANGULAR)
        spoil_factors(t, &A, &B);
    spoil_result(t, &C);
    expect_result(t, &A, &B, &C);
    gbl_product_call call = {.dtype = dtype,
                             .trans = word(t->trans_a),
                             .trans_b = word(t->trans_b),
                             .diag = t->unit ? GABLE_UNIT : GABLE_NON_UNIT,
                             .conj = t->real_diagonal,
                             .triangle_c = (uint8_t)t->triangle_c,
                             .triangular = (uint8_t)t->triangular,
                             .two_products = (uint8_t)t->two_products,
                             .reserved_units = (uint8_t)t->reserved_units,
                             .m = t->m,
                             .n = t->n,
                             .k = t->k,
                             .lda = A.ld,
                             .ldb = B.ld,
                             .ldc = C.ld,
                             .A = A.at,
                             .B = B.at,
                             .C = C.at,
                             .alpha = scalar(t, t->alpha, 0),
                             .beta = scalar(t, t->beta, 16)};
    if (t->sized) { /* the call tells more than there is */
        sizes[0] = t->m;
        sizes[1] = t->n;
        sizes[2] = t->k;
        call.sizes = sizes;
        call.m += MORE;
        call.n += MORE / 2;
        call.k += MORE / 2 + 1;
    }
    EXPECT_STATUS(ctx, GABLE_OK, gable_set_variant(ctx, s->choice));
    EXPECT_STATUS(ctx, GABLE_OK, gbl_gemm(ctx, "gable_gemm", &call));
    EXPECT_STATUS(ctx, GABLE_OK, gable_sync(ctx));
    compare(t, s, &C);
    if (t->reserved_units > 0)
        check_units(t, s);
}

void pipeline_check_sizes(trial t, gbl_dtype of, const shape *s, int many)
{
    const int m[] = {s->rows + 1, s->rows, 1, 2 * s->rows + 1, s->rows - 1},
              n[] = {s->columns - 1, s->columns, 1, s->columns + 3, 2 * s->columns + 1},
              k[] = {65, 160, 5, 33, 1};
    const int complex = gbl_dtype_complex(of);
    for (int i = 0; i < many; i++) {
        t.m = m[i];
        t.n = n[i];
        t.k = k[i];
        t.alpha = (number){i % 2 ? -2 : 1, complex ? i - 1 : 0};
        t.beta = i % 3 == 0 ? (number){0, 0} : (number){3, complex ? -1 : 0};
        t.on_device = i % 2;
        pipeline_check_run(&t, of, s);
    }
}

void pipeline_check_scaled(trial t, gbl_dtype of, const shape *s)
{
    pipeline_check_run(&t, of, s);
    t.alpha.re = 0;
    pipeline_check_run(&t, of, s);
    t.on_device = 1;
    pipeline_check_run(&t, of, s);
    t.beta.re = 0;
    pipeline_check_run(&t, of, s);
    t.alpha.re = 2;
    t.k = 0;
    t.beta.re = -1;
    pipeline_check_run(&t, of, s);
}

/* ---- Begin and end ---- */

bool pipeline_check_open(size_t bytes)
{
    const fake_settings settings = {.hopper = true, .is_gpu = true};
    block_bytes = bytes;
    fake_install(&settings);
    bool ready = gable_open(&ctx, "fake") == GABLE_OK;
    for (int i = 0; i < 3 && ready; i++)
        ready = gable_alloc(ctx, block_bytes, (void **)&blocks[i]) == GABLE_OK;
    ready = ready && gable_alloc(ctx, 32, (void **)&scalars) == GABLE_OK &&
            gable_alloc(ctx, 24, (void **)&sizes) == GABLE_OK;
    expected = malloc(block_bytes);
    ready = ready && expected != NULL;
    return ready || EXPECT(false, "%s", gable_message(ctx));
}

void pipeline_check_end(void)
{
    EXPECT(fake_faults() == 0, "%s", fake_first_fault());
    free(expected);
    for (int i = 0; i < 3; i++)
        gable_free(ctx, blocks[i]);
    gable_free(ctx, scalars);
    gable_free(ctx, sizes);
    gable_close(ctx);
    fake_remove();
}

int pipeline_check_close(const char *test)
{
    pipeline_check_end();
    return expect_summary(test);
}
