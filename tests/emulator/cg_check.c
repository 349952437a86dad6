/* cg_check.c: the kernels of pipelined CG and of block-Jacobi as plain C: a small system, iterated
 * until it is solved.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernels are those of kernels_c.cmake: lanes that run together with several per row; Jacobi on
 * ELL; blocks of three rows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/kernel_args.h"
#include "block_args.h"
#include "cg_args.h"
#include "cg_check.h"
#include "core/launch.h"
#include "device/iteration_state.h"
#include "expect.h"
#include "sparse/solver/solver.h"

enum { ROWS = 45, WIDTH = 3, STRIDE = 64, BLOCK = 3, GROUPS = 3, MOST = 200 };

typedef struct scene {
    gable_context *ctx;
    gbl_dtype dtype;
    int together; /* lanes that run together: as many have a row of CSR */
    int items, precond, vec, tile, rows;
    gable_format format;
    void *state, *sums[2], *products, *inverse, *x, *r, *p, *q;
    const void *start, *column, *value;
    double b[ROWS];
} scene;

/* Entry (i, j): a tridiagonal matrix whose diagonal varies. */
static double entry(int64_t i, int64_t j)
{
    return i == j ? 3 + (double)(i % 5) : i - j == 1 || j - i == 1 ? -1 : 0;
}

static void *room(const scene *s, int64_t count, size_t bytes)
{
    void *at = NULL;
    EXPECT_STATUS(s->ctx, GABLE_OK, gable_alloc(s->ctx, (size_t)count * bytes, &at));
    EXPECT_STATUS(s->ctx, GABLE_OK, gbl_fill_bytes(s->ctx, at, 0xff, (size_t)count * bytes));
    return at;
}

static void *send(const scene *s, const void *near, int64_t count, size_t bytes)
{
    void *at = room(s, count, bytes);
    EXPECT_STATUS(s->ctx, GABLE_OK, gable_set_vector(s->ctx, count, bytes, near, 1, at, 1));
    return at;
}

/* Reals as elements of the precision. */
static void *send_reals(const scene *s, const double *near, int64_t count)
{
    const int reals = gbl_dtype_complex(s->dtype) ? 2 : 1;
    double *all = calloc((size_t)(reals * count), sizeof *all);
    for (int64_t i = 0; i < count; i++) {
        if (gbl_dtype_real_bytes(s->dtype) == 4)
            ((float *)all)[reals * i] = (float)near[i];
        else
            all[reals * i] = near[i];
    }
    void *at = send(s, all, count, gbl_dtype_bytes(s->dtype));
    free(all);
    return at;
}

static void send_matrix(scene *s)
{
    int32_t start[ROWS + 1] = {0}, column[STRIDE * WIDTH];
    double value[STRIDE * WIDTH] = {0};
    int64_t count = 0;
    memset(column, 0xff, sizeof column);
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t had = 0;
        for (int64_t j = i > 0 ? i - 1 : 0; j < ROWS && j <= i + 1; j++, had++) {
            const int64_t at = s->format == GABLE_CSR ? count : i + had * STRIDE;
            column[at] = (int32_t)j;
            value[at] = entry(i, j);
            count++;
        }
        start[i + 1] = (int32_t)count;
    }
    const int64_t stored = s->format == GABLE_CSR ? count : STRIDE * WIDTH;
    s->start = send(s, start, ROWS + 1, 4);
    s->column = send(s, column, stored, 4);
    s->value = send_reals(s, value, stored);
}

static void launch(const scene *s, const gbl_kernel_spec *spec, int64_t groups,
                   const void *const *buffers, int buffer_count, const void *args, size_t bytes)
{
    gbl_kernel *kernel;
    gbl_launch_spec given = {.groups = {groups, 1},
                             .group = {s->items, 1},
                             .buffer_count = buffer_count,
                             .args = args,
                             .args_bytes = bytes};
    memcpy(given.buffers, buffers, (size_t)buffer_count * sizeof *buffers);
    const gable_status status = gbl_kernel_get(s->ctx->device, spec, &kernel, &s->ctx->message);
    EXPECT_STATUS(s->ctx, GABLE_OK, status);
    if (status == GABLE_OK)
        EXPECT_STATUS(s->ctx, GABLE_OK, gbl_launch(s->ctx, kernel, &given));
}

static void add(gbl_kernel_spec *spec, const char *name, int32_t value)
{
    spec->macros[spec->macro_count].name = name;
    spec->macros[spec->macro_count++].value = value;
}

static void end_macros(const scene *s, gbl_kernel_spec *spec)
{
    if (s->precond == 2)
        add(spec, "BLOCK", BLOCK);
    add(spec, "ITEMS", s->items);
}

static void vectors(const scene *s, int turn, bool start)
{
    gbl_kernel_spec spec = {.file = "cg_vectors.cl", .dtype = s->dtype};
    add(&spec, "WX", s->items);
    add(&spec, "PRECOND", s->precond);
    add(&spec, "RANGE", 0);
    add(&spec, "TILE", s->tile);
    add(&spec, "VEC", s->vec);
    add(&spec, "ALIGN", s->vec * (int32_t)gbl_dtype_bytes(s->dtype));
    add(&spec, "X_ALIGN", s->vec * (int32_t)gbl_dtype_bytes(s->dtype));
    add(&spec, "AHEAD", 1);
    end_macros(s, &spec);
    const cg_vectors_args args = {
        .range = {.n = ROWS,
                  .vectors = s->precond == 2 ? (ROWS + s->tile - 1) / s->tile : ROWS / s->vec},
        .sums = start ? 0 : 2,
        .products = start ? 0 : GROUPS,
        .start = start};
    const void *buffers[] = {
        s->state, s->sums[turn], s->products, s->sums[start ? turn : 1 - turn], s->inverse, s->x,
        s->r,     s->p,          s->q};
    launch(s, &spec, 2, buffers, 9, &args, sizeof args);
}

static void product(const scene *s)
{
    gbl_kernel_spec spec = {.file = "cg_product.cl", .dtype = s->dtype};
    add(&spec, "WX", s->items);
    add(&spec, "PRECOND", s->precond);
    add(&spec, "RANGE", 0);
    add(&spec, "TILE", s->rows);
    add(&spec, "FORMAT", s->format);
    add(&spec, "INDEX_BITS", 32);
    add(&spec, "UNROLL", 2);
    add(&spec, "LANES", s->format == GABLE_CSR ? s->together : 1);
    end_macros(s, &spec);
    const cg_product_args args = {.matrix = {ROWS, WIDTH, STRIDE}};
    const void *buffers[] = {s->state,   s->start, s->column, s->value,   s->start,
                             s->inverse, s->p,     s->q,      s->products};
    launch(s, &spec, GROUPS, buffers, 9, &args, sizeof args);
}

/* Inverses by the kernels of block-Jacobi, or of the diagonal alone. */
static void invert(scene *s)
{
    if (s->precond != 2) {
        double inverse[ROWS];
        for (int64_t i = 0; i < ROWS; i++)
            inverse[i] = 1 / entry(i, i);
        s->inverse = send_reals(s, inverse, ROWS);
        return;
    }
    const int64_t blocks = (ROWS + BLOCK - 1) / BLOCK;
    const block_args args = {.matrix = {ROWS, WIDTH, STRIDE}, .blocks = blocks};
    s->inverse = room(s, blocks * BLOCK * BLOCK, gbl_dtype_bytes(s->dtype));
    EXPECT_STATUS(s->ctx, GABLE_OK,
                  gbl_fill_bytes(s->ctx, s->inverse, 0,
                                 (size_t)(blocks * BLOCK * BLOCK) * gbl_dtype_bytes(s->dtype)));
    gbl_kernel_spec spec = {.file = "block_gather.cl", .dtype = s->dtype};
    add(&spec, "FORMAT", s->format);
    add(&spec, "INDEX_BITS", 32);
    add(&spec, "UNROLL", 1);
    add(&spec, "WX", s->items);
    end_macros(s, &spec);
    const void *buffers[] = {s->start, s->column, s->value, s->start, s->inverse};
    launch(s, &spec, (blocks * BLOCK + s->items - 1) / s->items, buffers, 5, &args, sizeof args);
    spec = (gbl_kernel_spec){.file = "block_inverse.cl", .dtype = s->dtype};
    add(&spec, "WX", s->items);
    end_macros(s, &spec);
    launch(s, &spec, blocks, &buffers[4], 1, &args, sizeof args);
    /* p := M^-1 r, as the first cg_vectors will make it */
    spec = (gbl_kernel_spec){.file = "block_apply.cl", .dtype = s->dtype};
    add(&spec, "WX", s->items);
    end_macros(s, &spec);
    const void *apply[] = {s->inverse, s->r, s->q};
    launch(s, &spec, (ROWS + s->items - 1) / s->items, apply, 3, &args, sizeof args);
}

static double real_at(const scene *s, const void *list, int64_t i)
{
    const int64_t at = gbl_dtype_complex(s->dtype) ? 2 * i : i;
    return gbl_dtype_real_bytes(s->dtype) == 4 ? (double)((const float *)list)[at]
                                               : ((const double *)list)[at];
}

static void get(const scene *s, const void *far, int64_t count, size_t bytes, void *near)
{
    EXPECT_STATUS(s->ctx, GABLE_OK, gable_get_vector(s->ctx, count, bytes, far, 1, near, 1));
}

/* q was M^-1 r before p was: both ways to apply the blocks agree. */
static void compare_applied(const scene *s, const void *before)
{
    unsigned char p[ROWS * 16];
    get(s, s->p, ROWS, gbl_dtype_bytes(s->dtype), p);
    for (int64_t i = 0; i < ROWS; i++)
        EXPECT(fabs(real_at(s, p, i) - real_at(s, before, i)) < 1e-5, "element %lld of M^-1 r",
               (long long)i);
}

static void check(const scene *s, const double *state, double tolerance)
{
    unsigned char x[ROWS * 16];
    double worst = 0;
    get(s, s->x, ROWS, gbl_dtype_bytes(s->dtype), x);
    for (int64_t i = 0; i < ROWS; i++) {
        double sum = s->b[i];
        for (int64_t j = i > 0 ? i - 1 : 0; j < ROWS && j <= i + 1; j++)
            sum -= entry(i, j) * real_at(s, x, j);
        worst = fabs(sum) > worst || sum != sum ? fabs(sum) : worst;
    }
    EXPECT(state[GBL_STATE_OUTCOME] == GABLE_SOLVED, "outcome %g", state[GBL_STATE_OUTCOME]);
    EXPECT(state[GBL_STATE_ITERATION] > 3 && state[GBL_STATE_ITERATION] < 40, "%g iterations",
           state[GBL_STATE_ITERATION]);
    EXPECT(state[GBL_STATE_HISTORY + (int)state[GBL_STATE_ITERATION] - 1] == state[GBL_STATE_RR],
           "the history ends with another residual");
    EXPECT(worst <= tolerance, "a residual of %g", worst);
}

long cg_check(gable_context *ctx, gbl_dtype dtype, int together, int precond, gable_format format)
{
    const double tolerance = gbl_dtype_real_bytes(dtype) == 4 ? 1e-4 : 1e-9;
    scene s = {.ctx = ctx,
               .dtype = dtype,
               .together = together,
               .items = together > 1 ? 8 : 4,
               .precond = precond,
               .vec = precond == 2 ? 1 : 2,
               .tile = precond == 2 ? 3 : 4,
               .format = format};
    s.rows = precond == 2 ? 3 : s.items / (format == GABLE_CSR ? together : 1);
    double first[GBL_STATE_COUNT] = {[GBL_STATE_OUTCOME] = -1,
                                     [GBL_STATE_TARGET] = tolerance * tolerance / 100,
                                     [GBL_STATE_LIMIT] = MOST,
                                     [GBL_STATE_FIRST] = -1};
    const double zeros[ROWS] = {0};
    for (int64_t i = 0; i < ROWS; i++)
        s.b[i] = 1 + (double)(i % 4) / 4;
    const size_t real = gbl_dtype_real_bytes(dtype), elem = gbl_dtype_bytes(dtype);
    s.state = send(&s, first, GBL_STATE_COUNT, sizeof(double));
    s.sums[0] = room(&s, 2 * 2, real);
    s.sums[1] = room(&s, 2 * 2, real);
    s.products = room(&s, 2 * GROUPS, real);
    s.x = send_reals(&s, zeros, ROWS);
    s.r = send_reals(&s, s.b, ROWS);
    s.p = room(&s, ROWS, elem);
    s.q = room(&s, ROWS, elem);
    send_matrix(&s);
    invert(&s);
    unsigned char applied[ROWS * 16];
    get(&s, s.q, ROWS, elem, applied);
    vectors(&s, 0, true);
    if (precond == 2)
        compare_applied(&s, applied);
    product(&s);
    double state[GBL_STATE_COUNT] = {[GBL_STATE_OUTCOME] = -1};
    for (int i = 0; i < MOST && state[GBL_STATE_OUTCOME] < 0; i++) {
        vectors(&s, i % 2, false);
        product(&s);
        get(&s, s.state, GBL_STATE_COUNT, sizeof(double), state);
    }
    check(&s, state, tolerance);
    /* Behind an outcome nothing changes. */
    const double before = state[GBL_STATE_ITERATION];
    vectors(&s, 0, false);
    product(&s);
    get(&s, s.state, GBL_STATE_COUNT, sizeof(double), state);
    EXPECT(state[GBL_STATE_ITERATION] == before, "an iteration behind the end");
    check(&s, state, tolerance);
    void *const all[] = {s.state,
                         s.sums[0],
                         s.sums[1],
                         s.products,
                         s.inverse,
                         s.x,
                         s.r,
                         s.p,
                         s.q,
                         (void *)(uintptr_t)s.start,
                         (void *)(uintptr_t)s.column,
                         (void *)(uintptr_t)s.value};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        EXPECT_STATUS(ctx, GABLE_OK, gable_free(ctx, all[i]));
    return expect_failures;
}
